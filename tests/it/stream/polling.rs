//! Polling of the adapters: pending and wake-up, order, end, size hints.

use std::cell::Cell;
use std::iter;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::channel::mpsc as futures_mpsc;
use futures::stream::{self, FusedStream, Stream};
use json_chunks::stream::{SnapshotStreamExt, StreamError, StreamReport, TrySnapshotStreamExt};
use json_chunks::{Chunker, TextChunker};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

use super::script::{Script, Step};

const DAYS: [&str; 2] = [
    r#"{"days":[{"subtitle":"Day"}]}"#,
    r#"{"days":[{"subtitle":"Day 1","activities":[]}]}"#,
];
const DAYS_CHUNKS: [&str; 3] = [
    r#"{"days":[{"subtitle":"Day"#,
    r#" 1","activities":["#,
    "]}]}",
];

#[test]
fn each_poll_yields_the_chunk_of_its_snapshot() {
    let mut chunks = spawn(stream::iter(DAYS).json_chunks());
    for chunk in DAYS_CHUNKS {
        assert_ready_eq!(chunks.poll_next(), Some(chunk.to_owned()));
    }
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn pending_inner_stream_leaves_adapter_pending() {
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
fn snapshots_without_chunk_are_skipped_in_one_poll() {
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
fn each_poll_reads_no_more_than_needed() {
    let mut chunks = spawn(stream::iter(DAYS).json_chunks());
    assert_ready!(chunks.poll_next());
    assert_eq!(
        chunks.get_ref().size_hint().0,
        1,
        "the second snapshot is still there"
    );
}

#[test]
fn always_ready_inner_stream_yields_to_the_executor() {
    let mut chunks = spawn(stream::repeat("{}").json_chunks());
    assert_ready_eq!(chunks.poll_next(), Some("{".to_owned()));
    for _ in 0..3 {
        assert_pending!(chunks.poll_next());
        assert!(chunks.is_woken());
    }

    // Upstream errors are items, and yielded one by one.
    let mut chunks = spawn(stream::repeat(Err::<&str, _>("down")).try_json_chunks());
    for _ in 0..1000 {
        assert_ready_eq!(chunks.poll_next(), Some(Err(StreamError::Upstream("down"))));
    }
}

#[test]
fn yielding_to_the_executor_loses_nothing() {
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
fn end_closes_the_value_and_adapter_stays_ended() {
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
fn end_without_open_value_yields_no_chunk() {
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
fn held_text_is_yielded_at_the_end() {
    let mut chunks = spawn(Script::new(["wa", "wa\u{FFFD}"].map(Step::Item)).text_chunks());
    assert_ready_eq!(chunks.poll_next(), Some("wa".to_owned()));
    assert_ready_eq!(chunks.poll_next(), Some("\u{FFFD}".to_owned()));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn upstream_errors_are_yielded_in_place() {
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
        if matches!(
            expected,
            Err(StreamError::Upstream("in the middle" | "before"))
        ) {
            assert_pending!(chunks.poll_next());
            assert!(chunks.is_woken(), "an item was before it");
        }
        assert_ready_eq!(chunks.poll_next(), Some(expected));
    }
    assert_ready_eq!(chunks.poll_next(), None);
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn dropped_adapter_drops_the_inner_stream() {
    let (snapshots, inner) = mpsc::unbounded_channel();
    let mut chunks = spawn(UnboundedReceiverStream::new(inner).json_chunks());
    snapshots.send(DAYS[0]).unwrap();
    assert_ready!(chunks.poll_next());
    assert_pending!(chunks.poll_next());
    drop(chunks);
    assert!(snapshots.is_closed());
}

#[test]
fn into_inner_returns_the_inner_stream() {
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
fn snapshots_may_be_any_string_type() {
    fn first<S: SnapshotStreamExt>(snapshots: S) -> Option<String> {
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

/// One step of a generated script, and its snapshot, which is the `n`th of the script.
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

    /// Every script of up to `most` steps.
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

/// The machines under test.
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

/// The results of a machine for a script, without a stream, in the expected order.
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

/// Polls to the end and after it. Returns the items, and the number of pending polls.
///
/// Asserts that the size hint before every poll holds for the rest, and that no error directly
/// follows an item without `Pending` between them.
fn run<S: FusedStream + Unpin>(
    chunks: &mut S,
    waits: usize,
    is_error: impl Fn(&S::Item) -> bool,
) -> Vec<S::Item> {
    let mut chunks = spawn(chunks);
    let (mut items, mut hints, mut waited) = (Vec::new(), Vec::new(), 0);
    let (mut errors, mut after_item) = (0, false);
    loop {
        hints.push((items.len(), chunks.size_hint()));
        assert!(!chunks.is_terminated());
        match chunks.poll_next() {
            Poll::Ready(Some(item)) => {
                let is_error = is_error(&item);
                assert!(!(is_error && after_item));
                errors += usize::from(is_error);
                after_item = !is_error;
                items.push(item);
            }
            Poll::Ready(None) => break,
            Poll::Pending => {
                assert!(chunks.is_woken());
                after_item = false;
                waited += 1;
            }
        }
    }
    assert!((waits..=waits + errors).contains(&waited), "{waited}");
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

fn assert_counts(report: StreamReport, [taken, skipped, revisions]: [u64; 3]) {
    assert_eq!((report.accepted(), report.skipped()), (taken, skipped));
    assert_eq!((report.revisions(), report.restated()), (revisions, 0));
    assert_eq!(report.is_clean(), skipped == 0 && revisions == 0);
}

/// For every short script the streams yield what their machine emits, in the same order and without
/// delay.
macro_rules! follows_its_machine {
    ($test:ident, $machine:ty, $try_chunks:ident, $chunks:ident) => {
        #[test]
        fn $test() {
            for moves in Move::scripts(4) {
                let steps: Vec<_> = moves.iter().enumerate().map(|(n, m)| m.step(n)).collect();
                let waits = moves.iter().filter(|step| **step == Move::Wait).count();
                let (expected, counts) = by_hand::<$machine>(&steps);

                let mut chunks = Script::new(steps.clone()).$try_chunks();
                let items = run(&mut chunks, waits, Result::is_err);
                assert_eq!(items, expected, "{moves:?}");
                assert_counts(chunks.report(), counts);

                let texts = steps.into_iter().filter_map(|step| match step {
                    Step::Item(snapshot) => snapshot.ok().map(Step::Item),
                    Step::Wait => Some(Step::Wait),
                });
                let expected: Vec<_> = expected.into_iter().flatten().collect();
                let mut chunks = Script::new(texts).$chunks();
                assert_eq!(run(&mut chunks, waits, |_| false), expected, "{moves:?}");
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
fn size_hint_is_as_tight_as_possible() {
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
fn inner_stream_is_dropped_once_with_the_adapter() {
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
