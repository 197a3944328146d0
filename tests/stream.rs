//! When the adapters yield what: pending and wake-up, order, the end, bounds.

#![cfg(feature = "stream")]

use std::cell::Cell;
use std::collections::VecDeque;
use std::iter;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::channel::mpsc as futures_mpsc;
use futures::stream::{self, FusedStream, Stream};
use json_chunks::stream::{JsonStreamExt, Report, StreamError, TryJsonStreamExt};
use json_chunks::{Chunker, TextChunker};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

const DAYS: [&str; 2] = [
    r#"{"days":[{"subtitle":"Day"}]}"#,
    r#"{"days":[{"subtitle":"Day 1","activities":[]}]}"#,
];
const DAYS_CHUNKS: [&str; 3] = [
    r#"{"days":[{"subtitle":"Day"#,
    r#" 1","activities":["#,
    "]}]}",
];

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

    fn size_hint(&self) -> (usize, Option<usize>) {
        let items = self
            .steps
            .iter()
            .filter(|step| matches!(step, Step::Item(_)))
            .count();
        (items, Some(items))
    }
}

#[test]
fn chunks_are_what_has_become_certain() {
    let mut chunks = spawn(stream::iter(DAYS).json_chunks());
    for chunk in DAYS_CHUNKS {
        assert_ready_eq!(chunks.poll_next(), Some(chunk.to_owned()));
    }
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn a_pending_inner_stream_is_waited_for() {
    let (snapshots, inner) = mpsc::unbounded_channel();
    let mut chunks = spawn(UnboundedReceiverStream::new(inner).json_chunks());
    assert_pending!(chunks.poll_next());
    assert!(!chunks.is_woken());

    snapshots.send(DAYS[0]).unwrap();
    assert!(chunks.is_woken());
    assert_ready_eq!(chunks.poll_next(), Some(DAYS_CHUNKS[0].to_owned()));
    assert_pending!(chunks.poll_next());

    drop(snapshots);
    assert!(chunks.is_woken());
    assert_ready_eq!(chunks.poll_next(), Some(r#""}]}"#.to_owned()));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn snapshots_that_put_out_nothing_are_passed_over_in_one_poll() {
    let (snapshots, inner) = futures_mpsc::unbounded();
    let mut chunks = spawn(inner.json_chunks());
    for snapshot in [r#"{"a":"x"}"#, " ", r#"{"a":"x"}"#, "oops", r#"{"a":"xy"}"#] {
        snapshots.unbounded_send(snapshot).unwrap();
    }
    assert_ready_eq!(chunks.poll_next(), Some(r#"{"a":"x"#.to_owned()));
    assert_ready_eq!(chunks.poll_next(), Some("y".to_owned()));

    snapshots.unbounded_send(r#"{"a":"xy"}"#).unwrap();
    assert_pending!(chunks.poll_next());
    assert!(!chunks.is_woken(), "woken only by the inner stream");
}

#[test]
fn each_poll_takes_in_no_more_than_it_needs() {
    let mut chunks = spawn(stream::iter(DAYS).json_chunks());
    assert_ready!(chunks.poll_next());
    assert_eq!(
        chunks.get_ref().size_hint().0,
        1,
        "the second snapshot is still there"
    );
}

#[test]
fn an_inner_stream_that_is_always_ready_lets_other_tasks_run() {
    let mut chunks = spawn(stream::repeat("{}").json_chunks());
    assert_ready_eq!(chunks.poll_next(), Some("{".to_owned()));
    for _ in 0..3 {
        assert_pending!(chunks.poll_next());
        assert!(chunks.is_woken());
    }

    // Errors of the inner stream are items: they are yielded one by one.
    let mut chunks = spawn(stream::repeat(Err::<&str, _>("down")).try_json_chunks());
    for _ in 0..1000 {
        assert_ready_eq!(chunks.poll_next(), Some(Err(StreamError::Upstream("down"))));
    }
}

#[test]
fn nothing_is_lost_where_a_poll_gives_way() {
    let quiet = iter::repeat_n("[1,", 1000);
    let snapshots = iter::once("[\"a\"]").chain(quiet).chain(["[\"ab\"]"]);
    let mut chunks = spawn(stream::iter(snapshots).json_chunks());
    let mut text = String::new();
    let mut gave_way = 0;
    loop {
        match chunks.poll_next() {
            Poll::Ready(Some(chunk)) => text.push_str(&chunk),
            Poll::Ready(None) => break,
            Poll::Pending => {
                assert!(chunks.is_woken());
                gave_way += 1;
            }
        }
    }
    assert_eq!(text, r#"["ab"]"#);
    assert_eq!(chunks.report().skipped(), 1000);
    assert!((1..=10).contains(&gave_way), "{gave_way}");
}

#[test]
fn the_end_closes_what_is_open_and_is_the_end_for_ever() {
    let mut chunks = spawn(Script::new([Step::Item(r#"{"a":["x"]}"#)]).json_chunks());
    assert_ready_eq!(chunks.poll_next(), Some(r#"{"a":["x"#.to_owned()));
    assert!(!chunks.is_terminated());
    assert_ready_eq!(chunks.poll_next(), Some(r#""]}"#.to_owned()));
    assert!(!chunks.is_terminated(), "its end was not seen yet");
    for _ in 0..3 {
        assert_ready_eq!(chunks.poll_next(), None);
        assert!(chunks.is_terminated());
    }
}

#[test]
fn where_there_is_nothing_to_close_there_is_no_last_chunk() {
    let mut chunks = spawn(Script::<String>::new([]).json_chunks());
    assert_ready_eq!(chunks.poll_next(), None);
    assert!(chunks.is_terminated());

    let mut chunks = spawn(Script::new(["", " \n"].map(Step::Item)).json_chunks());
    assert_ready_eq!(chunks.poll_next(), None);

    let mut chunks = spawn(Script::new(["It was"].map(Step::Item)).text_chunks());
    assert_ready_eq!(chunks.poll_next(), Some("It was".to_owned()));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn text_that_was_held_back_comes_at_the_end() {
    let mut chunks = spawn(Script::new(["wa", "wa\u{FFFD}"].map(Step::Item)).text_chunks());
    assert_ready_eq!(chunks.poll_next(), Some("wa".to_owned()));
    assert_ready_eq!(chunks.poll_next(), Some("\u{FFFD}".to_owned()));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn errors_of_the_inner_stream_come_in_their_place() {
    let steps = [
        Err("at the start"),
        Ok(DAYS[0]),
        Err("in the middle"),
        Ok(DAYS[1]),
    ];
    let steps = steps
        .into_iter()
        .chain([Err("before"), Err("the end")])
        .map(Step::Item);
    let mut chunks = spawn(Script::new(steps).try_json_chunks());
    for expected in [
        Err("at the start"),
        Ok(DAYS_CHUNKS[0]),
        Err("in the middle"),
        Ok(DAYS_CHUNKS[1]),
        Err("before"),
        Err("the end"),
        Ok(DAYS_CHUNKS[2]),
    ] {
        let expected = expected.map(str::to_owned).map_err(StreamError::Upstream);
        assert_ready_eq!(chunks.poll_next(), Some(expected));
    }
    assert_ready_eq!(chunks.poll_next(), None);
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn dropped_in_the_middle_it_drops_the_inner_stream() {
    let (snapshots, inner) = mpsc::unbounded_channel();
    let mut chunks = spawn(UnboundedReceiverStream::new(inner).json_chunks());
    snapshots.send(DAYS[0]).unwrap();
    assert_ready!(chunks.poll_next());
    assert_pending!(chunks.poll_next());
    drop(chunks);
    assert!(snapshots.is_closed());
}

#[test]
fn the_inner_stream_can_be_had_back() {
    let mut chunks = pin!(stream::iter(DAYS).json_chunks());
    assert_eq!(chunks.get_ref().size_hint(), (2, Some(2)));
    let taken = spawn(chunks.as_mut().get_pin_mut()).poll_next();
    assert_eq!(taken, Poll::Ready(Some(DAYS[0])));

    let mut chunks = stream::iter([Ok::<_, ()>("[]"), Ok("[1]"), Err(())]).try_json_chunks();
    assert_ready_eq!(spawn(&mut chunks).poll_next(), Some(Ok("[".to_owned())));
    assert_ready_eq!(spawn(chunks.get_mut()).poll_next(), Some(Ok("[1]")));
    let mut rest = spawn(chunks.into_inner());
    assert_ready_eq!(rest.poll_next(), Some(Err(())));
    assert_ready_eq!(rest.poll_next(), None);
}

#[test]
fn snapshots_may_be_any_kind_of_text() {
    fn first<S: JsonStreamExt>(snapshots: S) -> Option<String> {
        assert_ready!(spawn(snapshots.json_chunks()).poll_next())
    }
    let expected = Some("[".to_owned());
    assert_eq!(first(stream::iter(["[]"])), expected);
    assert_eq!(first(stream::iter(["[]".to_owned()])), expected);
    assert_eq!(first(stream::iter([&"[]".to_owned()])), expected);
    assert_eq!(first(stream::iter([Box::<str>::from("[]")])), expected);
    assert_eq!(first(stream::iter([Arc::<str>::from("[]")])), expected);
    assert_eq!(
        first(stream::iter([std::borrow::Cow::Borrowed("[]")])),
        expected
    );
}

/// One step of the laws' scripts, and the snapshot it stands for: the `n`th of its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Wait,
    Grow,
    Stay,
    Spoil,
    Contradict,
    Fail,
}

impl Move {
    const ALL: [Self; 6] = [
        Self::Wait,
        Self::Grow,
        Self::Stay,
        Self::Spoil,
        Self::Contradict,
        Self::Fail,
    ];

    fn step(self, n: usize) -> Step<Result<String, usize>> {
        Step::Item(match self {
            Self::Wait => return Step::Wait,
            Self::Grow => Ok(format!(r#"{{"text":"{}"}}"#, "a".repeat(n + 1))),
            Self::Stay => Ok(String::new()),
            Self::Spoil => Ok("oops".to_owned()),
            Self::Contradict => Ok(r#"{"text":"b"}"#.to_owned()),
            Self::Fail => Err(n),
        })
    }

    /// Every script of up to `most` moves.
    fn scripts(most: u32) -> impl Iterator<Item = Vec<Self>> {
        (0..=most).flat_map(|length| {
            (0..6_usize.pow(length)).map(move |code| {
                (0..length)
                    .map(|at| Self::ALL[code / 6_usize.pow(at) % 6])
                    .collect()
            })
        })
    }
}

/// The machines as the laws drive them.
trait Machine: Default {
    fn push(&mut self, text: &str) -> Result<String, json_chunks::Error>;
    fn finish(&mut self) -> String;
    fn take_revisions(&mut self) -> Vec<json_chunks::Revision>;
}

macro_rules! machine {
    ($machine:ty) => {
        impl Machine for $machine {
            fn push(&mut self, text: &str) -> Result<String, json_chunks::Error> {
                self.push(text)
            }
            fn finish(&mut self) -> String {
                self.finish()
            }
            fn take_revisions(&mut self) -> Vec<json_chunks::Revision> {
                self.take_revisions()
            }
        }
    };
}

machine!(Chunker);
machine!(TextChunker);

type Items = Vec<Result<String, StreamError<usize>>>;

/// What a machine says to a script without any stream, in the order in which it should come.
fn by_hand<M: Machine>(steps: &[Step<Result<String, usize>>]) -> (Items, [u64; 3]) {
    let mut machine = M::default();
    let (mut items, mut counts) = (Items::new(), [0; 3]);
    for step in steps {
        match step {
            Step::Wait => continue,
            Step::Item(Err(error)) => items.push(Err(StreamError::Upstream(*error))),
            Step::Item(Ok(snapshot)) => match machine.push(snapshot) {
                Ok(chunk) => {
                    counts[0] += 1;
                    items.extend(Some(Ok(chunk)).filter(|chunk| *chunk != Ok(String::new())));
                }
                Err(error) => {
                    counts[1] += 1;
                    items.push(Err(StreamError::Json(error)));
                }
            },
        }
        for revision in machine.take_revisions() {
            counts[2] += 1;
            items.push(Err(StreamError::Revision(revision)));
        }
    }
    let rest = machine.finish();
    items.extend(Some(Ok(rest)).filter(|rest| *rest != Ok(String::new())));
    items.extend(
        machine
            .take_revisions()
            .into_iter()
            .map(|revision| Err(revision.into())),
    );
    (items, counts)
}

/// Polls to the end and beyond; what came, and how often nothing did.
///
/// Checks on the way that the bounds before every poll hold for what came from there on.
fn run<S: FusedStream + Unpin>(chunks: &mut S, waits: usize) -> Vec<S::Item> {
    let mut chunks = spawn(chunks);
    let (mut items, mut hints, mut waited) = (Vec::new(), Vec::new(), 0);
    loop {
        hints.push((items.len(), chunks.size_hint()));
        assert!(!chunks.is_terminated());
        match chunks.poll_next() {
            Poll::Ready(Some(item)) => items.push(item),
            Poll::Ready(None) => break,
            Poll::Pending => waited += 1,
        }
    }
    assert_eq!(waited, waits);
    for (before, (lower, upper)) in hints {
        let came = items.len() - before;
        assert!(
            lower <= came && upper.is_none_or(|upper| came <= upper),
            "{lower} {came} {upper:?}"
        );
    }
    assert!(chunks.is_terminated());
    assert_eq!(chunks.size_hint(), (0, Some(0)));
    assert!(matches!(chunks.poll_next(), Poll::Ready(None)));
    items
}

fn assert_counts(report: Report, [taken, skipped, revisions]: [u64; 3]) {
    assert_eq!((report.taken(), report.skipped()), (taken, skipped));
    assert_eq!((report.revisions(), report.mended()), (revisions, 0));
    assert_eq!(report.is_clean(), skipped == 0 && revisions == 0);
}

/// For every short script: the streams say what their machine says, in its order, at once.
macro_rules! follows_its_machine {
    ($test:ident, $machine:ty, $try_chunks:ident, $chunks:ident) => {
        #[test]
        fn $test() {
            for moves in Move::scripts(4) {
                let steps: Vec<_> = moves.iter().enumerate().map(|(n, m)| m.step(n)).collect();
                let waits = moves.iter().filter(|step| **step == Move::Wait).count();
                let (expected, counts) = by_hand::<$machine>(&steps);

                let mut chunks = Script::new(steps.clone()).$try_chunks();
                assert_eq!(run(&mut chunks, waits), expected, "{moves:?}");
                assert_counts(chunks.report(), counts);

                let texts = steps.into_iter().filter_map(|step| match step {
                    Step::Item(snapshot) => snapshot.ok().map(Step::Item),
                    Step::Wait => Some(Step::Wait),
                });
                let expected: Vec<_> = expected.into_iter().flatten().collect();
                let mut chunks = Script::new(texts).$chunks();
                assert_eq!(run(&mut chunks, waits), expected, "{moves:?}");
                assert_counts(chunks.report(), counts);
            }
        }
    };
}

follows_its_machine!(
    json_streams_follow_their_machine,
    Chunker,
    try_json_chunks,
    json_chunks
);
follows_its_machine!(
    text_streams_follow_their_machine,
    TextChunker,
    try_text_chunks,
    text_chunks
);

#[test]
fn bounds_are_as_tight_as_can_be_known() {
    let mut chunks = spawn(stream::iter(DAYS).json_chunks());
    assert_eq!(
        chunks.size_hint(),
        (0, Some(3)),
        "one per snapshot and the last"
    );
    assert_ready!(chunks.poll_next());
    assert_eq!(chunks.size_hint(), (0, Some(2)));

    let unbounded = stream::repeat("[]").json_chunks();
    assert_eq!(unbounded.size_hint(), (0, None));

    let snapshots = stream::iter([Ok::<_, ()>("[]")]).try_json_chunks();
    assert_eq!(
        snapshots.size_hint(),
        (0, None),
        "a snapshot may have many revisions"
    );
}

#[test]
fn the_inner_stream_is_dropped_once_and_with_the_adapter() {
    struct Counted(Rc<Cell<u32>>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    impl Stream for Counted {
        type Item = String;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<String>> {
            Poll::Ready(None)
        }
    }

    let drops = Rc::new(Cell::new(0));
    let mut chunks = spawn(Counted(Rc::clone(&drops)).json_chunks());
    assert_ready_eq!(chunks.poll_next(), None);
    assert_eq!(drops.get(), 0, "it can still be had back");
    let inner = chunks.into_inner().into_inner();
    drop(inner);
    assert_eq!(drops.get(), 1);
}
