//! Polling of the adapters over fragments: pending and wake-up, order, end, size hints.

use std::cell::Cell;
use std::convert::Infallible;
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};

use futures::stream::{self, FusedStream, Stream};
use futures::{FutureExt, StreamExt};
use json_chunks::stream::{
    EventStream, FragmentStreamExt, OwnedEvent, PartialStream, SnapshotStream, ToolCallStream,
    TryEventStream, TryFragmentStreamExt, TryPartialStream, TrySnapshotStream, TryToolCallStream,
};
use json_chunks::tool_call::ToolCallShape;
use json_chunks::{Parser, Partial, PartialPolicy, Update};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

use super::script::{Script, Step};

fn partial(text: &str) -> Partial<String> {
    Partial::incomplete(text.to_owned())
}

fn complete(text: &str) -> Partial<String> {
    Partial::complete(text.to_owned())
}

#[test]
fn pending_inner_stream_leaves_adapter_pending() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let mut snapshots = spawn(UnboundedReceiverStream::new(inner).json_snapshots());
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());

    fragments.send(r#"{"a":["x"#).unwrap();
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), Some(partial(r#"{"a":["x"]}"#)));
    assert_pending!(snapshots.poll_next());

    fragments.send("\"]}").unwrap();
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), Some(complete(r#"{"a":["x"]}"#)));
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken(), "woken only by the inner stream");
    drop(fragments);
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.report().is_clean());
}

#[test]
fn ended_adapter_stays_ended() {
    let mut snapshots = spawn(Script::of(["[1]"]).json_snapshots());
    assert_ready_eq!(snapshots.poll_next(), Some(complete("[1]")));
    assert!(!snapshots.is_terminated(), "its end was not seen yet");
    for _ in 0..3 {
        assert_ready_eq!(snapshots.poll_next(), None);
        assert!(snapshots.is_terminated());
    }
}

#[test]
fn size_hint_counts_certain_items() {
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
fn fragments_without_changes_are_skipped_in_one_poll() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let mut snapshots = spawn(UnboundedReceiverStream::new(inner).json_snapshots());
    for fragment in ["[", "1", " ", "", ", ", "2", "]", "\n"] {
        fragments.send(fragment).unwrap();
    }
    for expected in [
        partial("[]"),
        partial("[1]"),
        partial("[1,2]"),
        complete("[1,2]"),
    ] {
        assert_ready_eq!(snapshots.poll_next(), Some(expected));
    }
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());
    assert_eq!(snapshots.report().accepted(), 8);
}

#[test]
fn always_ready_inner_stream_yields_to_the_executor() {
    let mut snapshots = spawn(stream::repeat(" ").json_snapshots());
    for _ in 0..3 {
        assert_pending!(snapshots.poll_next());
        assert!(snapshots.is_woken());
    }
}

/// The results of a parser for a script, without a stream: for each fragment the value as text, if
/// it changed or became complete, and the events.
fn by_hand(fragments: &[&[u8]]) -> (Vec<Partial<String>>, Vec<OwnedEvent>) {
    let mut parser = Parser::new();
    let (mut snapshots, mut events) = (Vec::<Partial<String>>::new(), Vec::new());
    let mut look = |update: Update<'_>| {
        let start = events.len();
        events.extend(update.events().map(OwnedEvent::from));
        events.len() > start
    };
    for fragment in fragments {
        let update = parser.push(fragment).unwrap();
        if look(update) {
            let text = update.root().unwrap().to_json(PartialPolicy::default());
            let snapshot = if update.is_complete() {
                complete(&text)
            } else {
                partial(&text)
            };
            snapshots.extend(Some(snapshot).filter(|new| snapshots.last() != Some(new)));
        }
    }
    look(parser.finish().unwrap());
    (snapshots, events)
}

#[test]
fn every_split_yields_what_the_parser_reports() {
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

/// Returns all items up to the end, and asserts that exactly three polls were pending.
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
fn waiting_for_an_item_is_cancel_safe() {
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
    let expected = [
        partial(r#"["a"]"#),
        partial(r#"["ab"]"#),
        complete(r#"["abc"]"#),
    ];
    assert_eq!(items, expected);
}

#[test]
fn dropped_adapter_drops_the_inner_stream() {
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
fn into_inner_returns_the_inner_stream() {
    let mut snapshots = pin!(stream::iter(["[", "1", "]"]).json_snapshots());
    assert_eq!(snapshots.get_ref().size_hint(), (3, Some(3)));
    assert_ready!(spawn(snapshots.as_mut()).poll_next());
    let taken = spawn(snapshots.as_mut().get_pin_mut()).poll_next();
    assert_eq!(taken, Poll::Ready(Some("1")));

    let mut partials = stream::iter(["[", "1"]).json_partials::<Vec<u8>>();
    let nothing = Partial::incomplete(Vec::new());
    assert_ready_eq!(spawn(&mut partials).poll_next(), Some(nothing));
    assert_ready_eq!(spawn(partials.get_mut()).poll_next(), Some("1"));
    assert_ready_eq!(spawn(partials.into_inner()).poll_next(), None);
}

#[test]
fn debug_contains_no_payload() {
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
fn adapters_have_the_auto_traits_of_the_inner_stream() {
    fn all<T: Send + Sync + Unpin>() {}
    /// A stream with the traits of `T`.
    struct Inner<T = ()>(T);
    impl<T> Stream for Inner<T> {
        type Item = Result<&'static str, Infallible>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(None)
        }
    }

    macro_rules! check {
        ($($adapter:ident $(<$item:ty>)?),+) => {$(
            all::<$adapter<Inner $(, $item)?>>();
            assert!(!impls!($adapter<Inner<Rc<()>> $(, $item)?>: Send));
            assert!(!impls!($adapter<Inner<Rc<()>> $(, $item)?>: Sync));
            assert!(impls!($adapter<Inner<Rc<()>> $(, $item)?>: Unpin));
            assert!(!impls!($adapter<Inner<PhantomPinned> $(, $item)?>: Unpin));
            assert!(impls!($adapter<Inner<PhantomPinned> $(, $item)?>: Send));
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
