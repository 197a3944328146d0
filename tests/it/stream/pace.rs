//! How often `.json_snapshots()` and `.json_partials()` yield, and what that costs: counted, in
//! items, deserializations and fragments, never in time.

use std::cell::Cell;
use std::fmt::Write as _;

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::stream::{
    FragmentStreamExt, MachineStreamExt, SnapshotReader, StreamError, TryFragmentStreamExt,
};
use json_chunks::{ErrorKind, Kind, Parser, Partial, PartialMode, PartialPolicy};
use proptest::prelude::{any, prop_assert_eq, proptest};
use serde::de::{Deserialize, Deserializer, IgnoredAny};

thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

/// A type that counts how often it is deserialized.
#[derive(Debug)]
struct Counted;

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READ.with(|read| read.set(read.get() + 1));
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// How often a value is deserialized while the stream is consumed.
fn deserializations(items: impl futures::Stream) -> usize {
    READ.with(|read| read.set(0));
    block_on(items.for_each(|_| std::future::ready(())));
    READ.with(Cell::get)
}

/// About 50 bytes a row, in fragments of 64 bytes.
fn rows(count: u32) -> Vec<Vec<u8>> {
    let mut text = String::from("[");
    for n in 0..count {
        let comma = if n == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"id": {n}, "name": "row number {n}", "ok": true}}"#
        )
        .unwrap();
    }
    text.push(']');
    text.as_bytes().chunks(64).map(Vec::from).collect()
}

fn texts(items: Vec<Partial<String>>) -> Vec<String> {
    items.into_iter().map(|item| item.value).collect()
}

#[test]
fn partials_after_growth_deserialize_a_logarithmic_number_of_times() {
    let small = rows(5000);
    let bytes: usize = small.iter().map(Vec::len).sum();
    assert!((240_000..270_000).contains(&bytes), "{bytes}");

    let every = stream::iter(small.clone()).json_partials::<Counted>();
    let every = deserializations(every);
    assert!(
        (small.len() - 10..=small.len()).contains(&every),
        "{every} of {}",
        small.len()
    );

    let eighths = stream::iter(small)
        .json_partials::<Counted>()
        .after_growth(0.125);
    let eighths = deserializations(eighths);
    assert!((50..=70).contains(&eighths), "{eighths}");

    // A text of twice the length grows by an eighth six times more often: 1.125 to the 6th is 2.
    let twice = stream::iter(rows(10_000)).json_partials::<Counted>();
    let twice = deserializations(twice.after_growth(0.125));
    assert!(
        (eighths + 5..=eighths + 7).contains(&twice),
        "{twice} after {eighths}"
    );
}

#[test]
fn try_partials_after_growth_deserialize_as_often() {
    let rows = rows(1000);
    let items = stream::iter(rows.clone())
        .json_partials::<Counted>()
        .after_growth(0.5);
    let results = stream::iter(rows).map(Ok::<_, ()>);
    let results = results.try_json_partials::<Counted>().after_growth(0.5);
    assert_eq!(deserializations(items), deserializations(results));
}

#[test]
fn growth_is_measured_from_the_last_item_of_the_same_value() {
    let fragments = ["[1,", "2,", "3,", "4,", "5]", " [6,", "7", "]"];
    let reader = SnapshotReader::new(Parser::new().multiple_values(true)).after_growth(1.0);
    let items: Vec<_> = block_on(stream::iter(fragments).through(reader).collect());
    assert_eq!(
        texts(items),
        ["[1]", "[1,2,3]", "[1,2,3,4,5]", "[6]", "[6,7]"]
    );
}

#[test]
fn ratio_that_is_no_bound_yields_every_change() {
    let fragments = ["[1", ",2", ",3]"];
    for ratio in [0.0, -1.0, f64::NAN] {
        let items = stream::iter(fragments).json_snapshots().after_growth(ratio);
        assert_eq!(
            texts(block_on(items.collect())),
            ["[1]", "[1,2]", "[1,2,3]"],
            "{ratio}"
        );
    }
    let complete = stream::iter(fragments)
        .json_snapshots()
        .after_growth(f64::INFINITY);
    // The first one has nothing to grow from.
    assert_eq!(texts(block_on(complete.collect())), ["[1]", "[1,2,3]"]);
}

#[test]
fn text_that_ends_early_yields_its_last_state() {
    // Cut off.
    let cut = stream::iter(["[1", ",2", ",3"])
        .json_snapshots()
        .after_growth(100.0);
    assert_eq!(texts(block_on(cut.collect())), ["[1]", "[1,2,3]"]);

    // Not JSON: what precedes the error is yielded before it.
    let broken = stream::iter(["[1", ",2", ",3}"]).map(Ok::<_, ()>);
    let broken = broken.try_json_snapshots().after_growth(100.0);
    let items: Vec<_> = block_on(broken.collect());
    assert_eq!(items[1], Ok(Partial::incomplete("[1,2,3]".to_owned())));
    assert!(matches!(&items[2], Err(StreamError::Json(error)) if error.offset() == 6));

    // The source fails: a program that stops at the error has seen all that preceded it.
    let failed = stream::iter([Ok("[1"), Ok(",2"), Err("reset"), Ok(",3]")]);
    let failed = failed.try_json_snapshots().after_growth(100.0);
    let items: Vec<_> = block_on(failed.collect());
    assert_eq!(items[1], Ok(Partial::incomplete("[1,2]".to_owned())));
    assert_eq!(items[2], Err(StreamError::Upstream("reset")));
    assert_eq!(items[3], Ok(Partial::complete("[1,2,3]".to_owned())));
}

#[test]
fn fragments_that_show_nothing_new_yield_nothing() {
    let fragments = [
        "[", " \n", "-", "1", ".", "5", " ", ",", "\"", "\\u00", "e9", "\"", "]", " ",
    ];
    let items = block_on(stream::iter(fragments).json_snapshots().collect());
    let expected = [
        "[]",
        "[-1]",
        "[-1.5]",
        "[-1.5,\"\"]",
        r#"[-1.5,"\u00e9"]"#,
        r#"[-1.5,"\u00e9"]"#,
    ];
    assert_eq!(texts(items), expected);
    // As often is a type read.
    let read = deserializations(stream::iter(fragments).json_partials::<Counted>());
    assert_eq!(read, expected.len());
}

/// A random JSON text, with duplicate names.
fn random_json(next: &mut impl FnMut(u32) -> u32, depth: u32, out: &mut String) {
    let kinds = if depth > 4 { 5 } else { 8 };
    match next(kinds) {
        0 => out.push_str(["null", "true", "false"][next(3) as usize]),
        1 => out.push_str(["-1.5e3", "0", "12", "-0.25", "7e-2"][next(5) as usize]),
        2..=4 => {
            out.push('"');
            for _ in 0..next(5) {
                let pieces = [
                    "a",
                    "é",
                    "\\n",
                    "\\u00e9",
                    "\\ud83d\\ude00",
                    "\\ud800",
                    "中",
                    "\\\"",
                ];
                out.push_str(pieces[next(8) as usize]);
            }
            out.push('"');
        }
        5 => {
            out.push('[');
            for n in 0..next(4) {
                if n > 0 {
                    out.push_str([",", " , "][next(2) as usize]);
                }
                random_json(next, depth + 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            for n in 0..next(5) {
                if n > 0 {
                    out.push(',');
                }
                let name = ["\"a\": ", "\"b\":", "\"\\u0061\":", "\"\\ud800\":"][next(4) as usize];
                out.push_str(name);
                random_json(next, depth + 1, out);
            }
            out.push('}');
        }
    }
}

proptest! {
    #![proptest_config(json_chunks_testing::config(2000))]

    /// The text that is kept and closed is the value, rendered from scratch.
    #[test]
    fn snapshots_are_the_value_so_far_under_every_policy(seed in any::<u64>()) {
        let mut state = seed;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        };
        let mut text = String::new();
        for _ in 0..=next(2) {
            random_json(&mut next, 0, &mut text);
            text.push('\n');
        }
        let mut mode = || [PartialMode::Keep, PartialMode::Omit, PartialMode::Zero][next(3) as usize];
        let literals = mode();
        let partials = PartialPolicy::default()
            .strings(mode())
            .numbers(mode())
            .literals(literals)
            .arrays(mode())
            .objects(mode());
        let mut rest = text.as_bytes();
        let mut fragments = Vec::new();
        while !rest.is_empty() {
            let len = rest.len().min(1 + next(6) as usize);
            let (fragment, after) = rest.split_at(len);
            fragments.push(fragment);
            rest = after;
        }

        let mut expected: Vec<(String, bool)> = Vec::new();
        let mut parser = Parser::new().multiple_values(true);
        for fragment in fragments.iter().map(Some).chain([None]) {
            let update = match fragment {
                Some(fragment) => parser.push(fragment).unwrap(),
                None => parser.finish().unwrap(),
            };
            for root in update.completed_roots() {
                expected.push((root.to_json(partials), true));
            }
            if let Some(root) = update.root().filter(|root| !root.is_complete()) {
                let text = root.to_json(partials);
                // What is omitted, or a minus sign alone, has no text.
                let is_null = root.kind() == Kind::Null && literals != PartialMode::Omit;
                if text != "null" || is_null {
                    expected.push((text, false));
                }
            }
        }
        let reader = SnapshotReader::new(Parser::new().multiple_values(true)).partial_policy(partials);
        let items: Vec<_> = block_on(stream::iter(fragments).through(reader).collect());
        let mut items: Vec<_> =
            items.into_iter().map(|item| (item.value, item.is_complete)).collect();
        // Where a member is restated by an equal one, the same text is emitted again.
        items.dedup();
        expected.dedup();
        prop_assert_eq!(items, expected, "{} {:?}", text, partials);
    }
}

#[test]
fn latest_snapshot_supersedes_those_that_are_ready() {
    use json_chunks::stream::SnapshotStreamExt;

    let ready = ["[1]", "[1,2]", "[1,2,3]"];
    let mut chunks = stream::iter(ready).json_chunks().latest_only();
    assert_eq!(
        block_on(chunks.by_ref().collect::<Vec<_>>()),
        ["[1,2,3", "]"]
    );
    let report = chunks.report();
    assert_eq!(
        (report.accepted(), report.superseded(), report.skipped()),
        (1, 2, 0)
    );
    assert!(report.is_clean());
    assert_eq!(report.to_string(), "1 accepted, 2 superseded");

    // Blank, cut off: the last one that can be used counts, and what is wrong is reported.
    let mut chunks = stream::iter(["[1]", "[1,2]", "[1,2,", " "])
        .json_chunks()
        .latest_only();
    assert_eq!(block_on(chunks.by_ref().collect::<String>()), "[1,2]");
    let report = chunks.report();
    assert_eq!(
        (report.accepted(), report.superseded(), report.skipped()),
        (2, 1, 1)
    );

    let mut texts = stream::iter(["It", "It was", ""])
        .text_chunks()
        .latest_only();
    assert_eq!(block_on(texts.by_ref().collect::<Vec<_>>()), ["It was"]);
    assert_eq!(ErrorKind::Incomplete.as_str(), "incomplete text");
}

#[test]
fn latest_snapshot_precedes_the_error_of_the_source() {
    use json_chunks::stream::TrySnapshotStreamExt;

    let items = stream::iter([Ok("[1]"), Ok("[1,2]"), Err("reset"), Ok("[1,2,3]")]);
    let items: Vec<_> = block_on(items.try_json_chunks().latest_only().collect());
    let chunk = |text: &str| Ok(text.to_owned());
    let reset = Err(StreamError::Upstream("reset"));
    assert_eq!(items, [chunk("[1,2"), reset, chunk(",3"), chunk("]")]);
}

#[test]
fn latest_snapshot_is_used_at_the_latest_after_128() {
    use json_chunks::stream::SnapshotStreamExt;

    let snapshots: Vec<String> = (0..1000)
        .map(|n| format!("\"{}\"", "x".repeat(n)))
        .collect();
    let mut chunks = stream::iter(snapshots).json_chunks().latest_only();
    let text: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(text.concat(), format!("\"{}\"", "x".repeat(999)));
    assert_eq!(chunks.report().accepted(), 8);
    assert_eq!(chunks.report().superseded(), 992);
}

#[cfg(feature = "tokio")]
mod intervals {
    use std::time::Duration;

    use json_chunks::stream::FragmentStreamExt;
    use json_chunks::{Limits, Parser};
    use tokio::sync::mpsc;
    use tokio::time::advance;
    use tokio_stream::wrappers::UnboundedReceiverStream;
    use tokio_test::task::spawn;
    use tokio_test::{assert_pending, assert_ready};

    use super::{
        MachineStreamExt, SnapshotReader, StreamExt, TryFragmentStreamExt, block_on, stream,
    };

    const SECOND: Duration = Duration::from_secs(1);

    type Sender = mpsc::UnboundedSender<&'static str>;

    fn channel() -> (Sender, UnboundedReceiverStream<&'static str>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (sender, UnboundedReceiverStream::new(receiver))
    }

    macro_rules! assert_yields {
        ($stream:ident, $text:literal) => {
            assert_eq!(assert_ready!($stream.poll_next()).unwrap().value, $text)
        };
    }

    #[tokio::test(start_paused = true)]
    async fn item_within_the_interval_waits_for_its_end() {
        let (sender, fragments) = channel();
        let mut items = spawn(fragments.json_snapshots().at_most_every(SECOND));
        sender.send("[1").unwrap();
        assert_yields!(items, "[1]");
        for fragment in [",2", ",3"] {
            sender.send(fragment).unwrap();
            assert_pending!(items.poll_next());
        }
        advance(SECOND / 2).await;
        assert!(!items.is_woken());
        assert_pending!(items.poll_next());
        advance(SECOND / 2).await;
        // The source is still: the timer wakes the task, and the latest state is yielded once.
        assert!(items.is_woken());
        assert_yields!(items, "[1,2,3]");
        assert_pending!(items.poll_next());
        // Nothing is held, so there is nothing to wake for.
        advance(SECOND * 5).await;
        assert!(!items.is_woken());
        // After a pause the next item is yielded at once.
        sender.send(",4").unwrap();
        assert_yields!(items, "[1,2,3,4]");
    }

    #[tokio::test(start_paused = true)]
    async fn complete_value_and_end_do_not_wait() {
        let (sender, fragments) = channel();
        let several = SnapshotReader::new(Parser::new().multiple_values(true));
        let mut items = spawn(fragments.through(several.at_most_every(SECOND)));
        for (fragment, text) in [("[1", "[1]"), ("]", "[1]"), ("[2]", "[2]")] {
            sender.send(fragment).unwrap();
            assert_eq!(assert_ready!(items.poll_next()).unwrap().value, text);
        }
        sender.send("[3").unwrap();
        assert_pending!(items.poll_next());
        drop(sender);
        assert_yields!(items, "[3]");
        assert_eq!(assert_ready!(items.poll_next()), None);
    }

    #[tokio::test(start_paused = true)]
    async fn source_that_is_always_ready_yields_once_in_an_interval() {
        // Ten fragments a second for ten seconds.
        let fragments = stream::iter(0..100).then(async |n| {
            tokio::time::sleep(SECOND / 10).await;
            if n == 0 { "[0" } else { ",1" }
        });
        let items = Box::pin(fragments).json_snapshots().at_most_every(SECOND);
        let count = items.count().await;
        assert!((10..=11).contains(&count), "{count}");
    }

    #[tokio::test(start_paused = true)]
    async fn growth_and_interval_both_have_to_be_reached() {
        let (sender, fragments) = channel();
        let items = fragments
            .json_snapshots()
            .after_growth(1.0)
            .at_most_every(SECOND);
        let mut items = spawn(items);
        sender.send("[1").unwrap();
        assert_yields!(items, "[1]");
        // Enough growth, but too soon.
        sender.send(",2,3").unwrap();
        assert_pending!(items.poll_next());
        advance(SECOND).await;
        assert_yields!(items, "[1,2,3]");
        // Late enough, but too little growth: when the interval passes, nothing is yielded.
        sender.send(",4").unwrap();
        assert_pending!(items.poll_next());
        advance(SECOND * 2).await;
        assert_pending!(items.poll_next());
        sender.send(",5,6").unwrap();
        assert_yields!(items, "[1,2,3,4,5,6]");
    }

    #[tokio::test(start_paused = true)]
    async fn held_item_is_yielded_before_a_timeout() {
        let limits = Limits::default().max_duration(SECOND * 3);
        let reader = SnapshotReader::new(Parser::new().limits(limits)).at_most_every(SECOND * 10);
        let (sender, fragments) = channel();
        let mut items = spawn(fragments.map(Ok::<_, &str>).try_through(reader));
        sender.send("[1").unwrap();
        assert_eq!(
            assert_ready!(items.poll_next()).unwrap().unwrap().value,
            "[1]"
        );
        sender.send(",2").unwrap();
        assert_pending!(items.poll_next());
        advance(SECOND * 3).await;
        assert!(items.is_woken());
        assert_eq!(
            assert_ready!(items.poll_next()).unwrap().unwrap().value,
            "[1,2]"
        );
        // An error never follows an item in the same poll.
        assert_pending!(items.poll_next());
        let error = assert_ready!(items.poll_next()).unwrap().unwrap_err();
        assert_eq!(error.to_string(), "timed out after 3 s");
    }

    #[tokio::test(start_paused = true)]
    async fn results_are_paced_as_items_are() {
        let (sender, fragments) = channel();
        let items = fragments.map(Ok::<_, ()>).try_json_partials::<Vec<u8>>();
        let mut items = spawn(items.at_most_every(SECOND));
        sender.send("[1").unwrap();
        assert_eq!(
            assert_ready!(items.poll_next()).unwrap().unwrap().value,
            [1]
        );
        sender.send(",2").unwrap();
        assert_pending!(items.poll_next());
        advance(SECOND).await;
        assert_eq!(
            assert_ready!(items.poll_next()).unwrap().unwrap().value,
            [1, 2]
        );
    }

    #[test]
    fn interval_outside_of_a_runtime_is_no_bound() {
        let items = stream::iter(["[1", ",2", "]"])
            .json_snapshots()
            .at_most_every(SECOND);
        assert_eq!(block_on(items.count()), 3);
    }
}
