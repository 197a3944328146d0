//! When the adapters over fragments yield what: pending and wake-up, order, the end, bounds.

#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::cell::Cell;
use std::collections::VecDeque;
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use futures::stream::{self, FusedStream, Stream};
use futures::{FutureExt, StreamExt};
use json_chunks::stream::{
    EventStream, FragmentStreamExt, JsonEvent, PartialStream, SnapshotStream, ToolCallStream,
    TryEventStream, TryFragmentStreamExt, TryPartialStream, TrySnapshotStream, TryToolCallStream,
};
use json_chunks::{Growth, Parser, Partials, ToolCallShape};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

/// What a [`Script`] does in one poll.
#[derive(Clone, Debug)]
enum Step<T> {
    Item(T),
    /// `Pending`, and woken at once.
    Wait,
}

/// An inner stream that does as it is told, and panics when polled after its end.
#[derive(Debug)]
struct Script<T> {
    steps: VecDeque<Step<T>>,
    ended: bool,
}

impl<T> Script<T> {
    fn new(steps: impl IntoIterator<Item = Step<T>>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            ended: false,
        }
    }

    fn of(items: impl IntoIterator<Item = T>) -> Self {
        Self::new(items.into_iter().map(Step::Item))
    }
}

impl<T: Unpin> Stream for Script<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        assert!(!self.ended, "polled after its end");
        match self.steps.pop_front() {
            Some(Step::Item(item)) => Poll::Ready(Some(item)),
            Some(Step::Wait) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            None => {
                self.ended = true;
                Poll::Ready(None)
            }
        }
    }
}

#[test]
fn a_pending_inner_stream_is_waited_for() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let mut snapshots = spawn(UnboundedReceiverStream::new(inner).json_snapshots());
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());

    fragments.send(r#"{"a":["x"#).unwrap();
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), Some(r#"{"a":["x"]}"#.to_owned()));
    assert_pending!(snapshots.poll_next());

    fragments.send("\"]}").unwrap();
    assert!(snapshots.is_woken());
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken(), "woken only by the inner stream");
    drop(fragments);
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.report().is_clean());
}

#[test]
fn the_end_is_the_end_for_ever() {
    let mut snapshots = spawn(Script::of(["[1]"]).json_snapshots());
    assert_ready_eq!(snapshots.poll_next(), Some("[1]".to_owned()));
    assert!(!snapshots.is_terminated(), "its end was not seen yet");
    for _ in 0..3 {
        assert_ready_eq!(snapshots.poll_next(), None);
        assert!(snapshots.is_terminated());
    }
}

#[test]
fn bounds_count_what_is_certain_to_come() {
    let mut events = spawn(stream::iter(["[1,2]"]).json_events());
    assert_eq!(
        events.size_hint(),
        (0, None),
        "a fragment may bring any number"
    );
    assert_ready!(events.poll_next());
    assert_eq!(events.size_hint(), (7, None));
    for _ in 0..7 {
        assert_ready!(events.poll_next());
    }
    assert_ready_eq!(events.poll_next(), None);
    assert_eq!(events.size_hint(), (0, Some(0)));
}

#[test]
fn fragments_that_change_nothing_are_passed_over_in_one_poll() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let mut snapshots = spawn(UnboundedReceiverStream::new(inner).json_snapshots());
    for fragment in ["[", "1", " ", "", ", ", "2", "]", "\n"] {
        fragments.send(fragment).unwrap();
    }
    for expected in ["[]", "[1]", "[1,2]"] {
        assert_ready_eq!(snapshots.poll_next(), Some(expected.to_owned()));
    }
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());
    assert_eq!(snapshots.report().taken(), 8);
}

#[test]
fn an_inner_stream_that_is_always_ready_lets_other_tasks_run() {
    let mut snapshots = spawn(stream::repeat(" ").json_snapshots());
    for _ in 0..3 {
        assert_pending!(snapshots.poll_next());
        assert!(snapshots.is_woken());
    }
}

/// What a parser says to a script without any stream: for each fragment the value as text, if it
/// is another, and the events.
fn by_hand(fragments: &[&[u8]]) -> (Vec<String>, Vec<JsonEvent>) {
    let mut parser = Parser::new();
    let (mut snapshots, mut events) = (Vec::<String>::new(), Vec::new());
    let mut look = |growth: Growth<'_>| {
        let start = events.len();
        events.extend(growth.events().map(JsonEvent::from));
        events.len() > start
    };
    for fragment in fragments {
        if look(parser.push(fragment).unwrap()) {
            let text = parser.root().unwrap().to_json(Partials::default());
            snapshots.extend(Some(text).filter(|text| snapshots.last() != Some(text)));
        }
    }
    look(parser.finish().unwrap());
    (snapshots, events)
}

#[test]
fn every_split_says_what_the_parser_says() {
    let text = r#"{"title":"中\né","n":[-1.5e3,{}],"t":true}"#.as_bytes();
    for split in 0..=text.len() {
        for second in split..=text.len() {
            let fragments = [&text[..split], &text[split..second], &text[second..]];
            let steps = fragments
                .iter()
                .flat_map(|fragment| [Step::Wait, Step::Item(*fragment)]);
            let (snapshots, events) = by_hand(&fragments);

            let mut stream = spawn(Script::new(steps.clone()).json_snapshots());
            assert_eq!(through_waits(|| stream.poll_next()), snapshots);
            let mut stream = spawn(Script::new(steps.clone()).json_events());
            assert_eq!(through_waits(|| stream.poll_next()), events);

            let steps = steps.map(|step| match step {
                Step::Item(fragment) => Step::Item(Ok::<_, ()>(fragment)),
                Step::Wait => Step::Wait,
            });
            let mut stream = spawn(Script::new(steps.clone()).try_json_snapshots());
            let expected: Vec<_> = snapshots.into_iter().map(Ok).collect();
            assert_eq!(through_waits(|| stream.poll_next()), expected);
            let mut stream = spawn(Script::new(steps).try_json_events());
            let expected: Vec<_> = events.into_iter().map(Ok).collect();
            assert_eq!(through_waits(|| stream.poll_next()), expected);
        }
    }
}

/// Everything up to the end, with exactly three waits on the way.
fn through_waits<T>(mut poll: impl FnMut() -> Poll<Option<T>>) -> Vec<T> {
    let (mut items, mut waits) = (Vec::new(), 0);
    loop {
        match poll() {
            Poll::Ready(Some(item)) => items.push(item),
            Poll::Ready(None) => break,
            Poll::Pending => waits += 1,
        }
    }
    assert_eq!(waits, 3);
    items
}

#[test]
fn waiting_for_an_item_may_be_given_up_at_any_time() {
    let steps = ["[\"a", "b", "c\"]"].into_iter();
    let steps = steps.flat_map(|fragment| [Step::Wait, Step::Item(fragment), Step::Wait]);
    let mut snapshots = Script::new(steps).json_snapshots();
    let mut items = Vec::new();
    loop {
        match snapshots.next().now_or_never() {
            Some(Some(item)) => items.push(item),
            Some(None) => break,
            None => {}
        }
    }
    assert_eq!(items, [r#"["a"]"#, r#"["ab"]"#, r#"["abc"]"#]);
}

#[test]
fn dropped_in_the_middle_it_drops_the_inner_stream() {
    struct Counted(Rc<Cell<u32>>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    impl Stream for Counted {
        type Item = &'static str;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<&'static str>> {
            Poll::Ready(Some("[1,"))
        }
    }

    let drops = Rc::new(Cell::new(0));
    let mut events = spawn(Counted(Rc::clone(&drops)).json_events());
    assert_ready!(events.poll_next());
    drop(events);
    assert_eq!(drops.get(), 1);
}

#[test]
fn the_inner_stream_can_be_had_back() {
    let mut snapshots = pin!(stream::iter(["[", "1", "]"]).json_snapshots());
    assert_eq!(snapshots.get_ref().size_hint(), (3, Some(3)));
    assert_ready!(spawn(snapshots.as_mut()).poll_next());
    let taken = spawn(snapshots.as_mut().get_pin_mut()).poll_next();
    assert_eq!(taken, Poll::Ready(Some("1")));

    let mut partials = stream::iter(["[", "1"]).json_partials::<Vec<u8>>();
    assert_ready_eq!(spawn(&mut partials).poll_next(), Some(Vec::new()));
    assert_ready_eq!(spawn(partials.get_mut()).poll_next(), Some("1"));
    assert_ready_eq!(spawn(partials.into_inner()).poll_next(), None);
}

#[test]
fn debug_shows_no_payload() {
    let mut snapshots = spawn(stream::iter(["[\"secret\"", "]"]).json_snapshots());
    assert_ready!(snapshots.poll_next());
    let events = stream::iter([Ok::<_, ()>("[\"secret\"")]).try_json_events();
    let mut events = spawn(events);
    assert_ready!(events.poll_next());
    let partials = stream::iter(["[\"secret\""]).json_partials::<Vec<String>>();
    let calls = stream::iter(["[{\"name\":\"secret\""]).tool_calls(ToolCallShape::plain());
    let mut calls = spawn(calls);
    assert_ready!(calls.poll_next());
    for text in [
        format!("{:?}", *calls),
        format!("{:?}", *snapshots),
        format!("{:?}", *events),
        format!("{partials:?}"),
    ] {
        assert!(!text.contains("secret"), "{text}");
        assert!(text.contains("Stream"), "{text}");
    }
}

#[test]
#[allow(dead_code, reason = "of the two constants of a probe one is used")]
fn auto_traits_are_those_of_the_inner_stream() {
    fn all<T: Send + Sync + Unpin>() {}
    type Inner = stream::Empty<&'static str>;

    /// Whether a type has a trait: the inherent constant is there only if it has, and then goes
    /// first.
    macro_rules! impls {
        ($type:ty: $trait:ident) => {{
            trait Fallback {
                const IMPLS: bool = false;
            }
            struct Probe<T>(std::marker::PhantomData<T>);
            impl<T> Fallback for Probe<T> {}
            impl<T: $trait> Probe<T> {
                const IMPLS: bool = true;
            }
            Probe::<$type>::IMPLS
        }};
    }

    macro_rules! check {
        ($($adapter:ident $(<$item:ty>)?),+) => {$(
            all::<$adapter<Inner $(, $item)?>>();
            assert!(!impls!($adapter<Rc<Inner> $(, $item)?>: Send));
            assert!(!impls!($adapter<Rc<Inner> $(, $item)?>: Sync));
            assert!(impls!($adapter<Rc<Inner> $(, $item)?>: Unpin));
            assert!(!impls!($adapter<PhantomPinned $(, $item)?>: Unpin));
            assert!(impls!($adapter<PhantomPinned $(, $item)?>: Send));
        )+};
    }

    check!(
        SnapshotStream,
        TrySnapshotStream,
        EventStream,
        TryEventStream,
        PartialStream<String>,
        TryPartialStream<String>,
        ToolCallStream,
        TryToolCallStream
    );
}
