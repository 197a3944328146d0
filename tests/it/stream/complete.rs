//! Completeness: truncated text never looks complete, for any split.

use std::convert::Infallible;
use std::fmt::Debug;

use futures::executor::block_on;
use futures::future::FusedFuture as _;
use futures::stream::{self, Stream};
use futures::{FutureExt, StreamExt};
use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityStatus};
use json_chunks::stream::{
    FragmentStreamExt, JsonFinal, MachineStreamExt, OwnedChange, OwnedEvent, SnapshotReader,
    SnapshotStreamExt, StreamError, TryFragmentStreamExt, TryJsonFinal,
};
use json_chunks::tool_call::{ToolCallEvent, ToolCallShape};
use json_chunks::value::RawJson;
use json_chunks::{ErrorKind, Limits, Parser, Partial};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::Json;
use json_chunks_testing::modes::MODES;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::Styles;
use json_chunks_testing::writing::{Producer, choice_bytes, documents, sample_snapshots};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use serde::Deserialize;
use tokio_test::assert_ready;
use tokio_test::task::spawn;

const PAYMENT: &str = r#"{"to": "bob", "amount": 1000}"#;

#[derive(Debug, PartialEq, Deserialize)]
struct Payment {
    to: Option<String>,
    amount: Option<u32>,
}

fn bob(amount: u32) -> Payment {
    Payment {
        to: Some("bob".to_owned()),
        amount: Some(amount),
    }
}

/// The text in one piece, in two at every place, and byte by byte.
fn splits(text: &str) -> Vec<Vec<&[u8]>> {
    let bytes = text.as_bytes();
    let mut splits: Vec<Vec<&[u8]>> = (0..bytes.len())
        .map(|at| <[_; 2]>::from(bytes.split_at(at)).to_vec())
        .collect();
    splits.push(vec![bytes]);
    splits.push(bytes.chunks(1).collect());
    splits
}

/// What the streams over the fragments yield.
fn all<S: Stream>(stream: S) -> Vec<S::Item> {
    block_on(stream.collect())
}

/// Returns the number of complete items of every adapter over fragments. Asserts that a complete
/// item is the last one, and that the fallible adapter yields the same before its error.
fn complete_items(fragments: &[&[u8]], is_cut_off: bool) -> [usize; 6] {
    let inner = || stream::iter(fragments.to_vec());
    let results = || inner().map(Ok::<_, Infallible>);

    let snapshots = all(inner().json_snapshots());
    twins(&snapshots, all(results().try_json_snapshots()), is_cut_off);
    let payments = all(inner().json_partials::<Payment>());
    let twin = all(results().try_json_partials::<Payment>());
    twins(&payments, twin, is_cut_off);
    let events = all(inner().json_events());
    twins(&events, all(results().try_json_events()), is_cut_off);
    let deltas = all(inner().json_deltas());
    twins(&deltas, all(results().try_json_deltas()), is_cut_off);
    let patches = all(inner().json_patches());
    twins(&patches, all(results().try_json_patches()), is_cut_off);
    let mut finished = 0;
    for mode in MODES {
        let entities = || EntityDetector::new(mode);
        let events = all(inner().json_entities::<RawJson>(entities()));
        let twin = all(results().try_json_entities::<RawJson>(entities()));
        twins(&events, twin, is_cut_off);
        let is_finished = |event: &EntityEvent| event.status == EntityStatus::Completed;
        finished += events.iter().filter(|event| is_finished(event)).count();
    }
    let is_end = |event: &OwnedEvent| {
        event.path.is_empty() && matches!(event.change, OwnedChange::Completed(_))
    };
    [
        completed(&snapshots),
        completed(&payments),
        events.iter().filter(|event| is_end(event)).count(),
        finished,
        deltas.iter().filter(|batch| batch.is_complete).count(),
        patches.iter().filter(|batch| batch.is_complete).count(),
    ]
}

fn completed<T>(partials: &[Partial<T>]) -> usize {
    let complete = partials
        .iter()
        .filter(|partial| partial.is_complete)
        .count();
    let last = partials.last().is_some_and(|partial| partial.is_complete);
    assert_eq!(complete, usize::from(last), "only the last one is complete");
    complete
}

fn twins<T: PartialEq + Debug>(
    items: &[T],
    mut twin: Vec<Result<T, StreamError<Infallible>>>,
    is_cut_off: bool,
) {
    if is_cut_off {
        let error = twin.pop().unwrap().unwrap_err();
        assert!(matches!(error, StreamError::Json(error) if error.is_incomplete()));
    }
    let twin: Vec<&T> = twin.iter().map(|item| item.as_ref().unwrap()).collect();
    assert_eq!(twin, items.iter().collect::<Vec<_>>());
}

#[test]
fn payment_is_complete_exactly_once_for_any_split() {
    for fragments in splits(PAYMENT) {
        assert_eq!(complete_items(&fragments, false), [1, 1, 1, 5, 1, 1]);
        let payment = stream::iter(fragments.clone()).json_final::<Payment>();
        assert_eq!(block_on(payment), Ok(bob(1000)));
        let results = stream::iter(fragments).map(Ok::<_, &str>);
        assert_eq!(block_on(results.try_json_final()), Ok(bob(1000)));
    }
}

#[test]
fn truncated_payment_never_looks_complete() {
    for end in 0..PAYMENT.len() {
        let cut = PAYMENT.get(..end).unwrap();
        for fragments in splits(cut) {
            assert_eq!(complete_items(&fragments, true), [0; 6], "{cut}");
            let payment = stream::iter(fragments.clone()).json_final::<Payment>();
            let Err(StreamError::Json(error)) = block_on(payment) else {
                panic!("{cut}")
            };
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Incomplete, end));

            // The connection is lost, and the stream ends after that.
            let lost = fragments.into_iter().map(Ok).chain([Err("reset")]);
            let items = all(stream::iter(lost.clone()).try_json_partials::<Payment>());
            let mut values = items.iter().filter_map(|item| item.as_ref().ok());
            assert!(values.all(|value| !value.is_complete), "{cut}");
            let payment = stream::iter(lost).try_json_final::<Payment>();
            assert_eq!(block_on(payment), Err(StreamError::Upstream("reset")));
        }
    }
}

#[test]
fn truncated_call_is_never_completed() {
    let call = format!(r#"{{"name":"pay","arguments":{PAYMENT}}}"#);
    for end in 0..=call.len() {
        for fragments in splits(call.get(..end).unwrap()) {
            let events = all(stream::iter(fragments).tool_calls(ToolCallShape::plain()));
            let is_completed =
                |event: &&ToolCallEvent| matches!(event, ToolCallEvent::Completed(_));
            let completed = events.iter().filter(is_completed).count();
            assert_eq!(completed, usize::from(end == call.len()));
        }
    }
}

/// A number is complete when another token follows, so a root number only at the end of the text.
#[test]
fn number_is_complete_only_at_a_clean_end() {
    let incomplete = |text: &str| Ok(Partial::incomplete(text.to_owned()));
    let complete = |text: &str| Ok(Partial::complete(text.to_owned()));
    let snapshots = |items: &[Result<&'static str, &'static str>]| {
        all(stream::iter(items.to_vec()).try_json_snapshots())
    };
    assert_eq!(
        snapshots(&[Ok("10"), Ok("00")]),
        [incomplete("10"), incomplete("1000"), complete("1000")]
    );
    let cut = snapshots(&[Ok("10"), Err("reset")]);
    assert_eq!(
        cut[..2],
        [incomplete("10"), Err(StreamError::Upstream("reset"))]
    );
    assert!(matches!(&cut[2..], [Err(StreamError::Json(error))] if error.is_incomplete()));
    // The stream has recovered.
    let items = [Ok("10"), Err("reset"), Ok("00")];
    assert_eq!(snapshots(&items).last(), Some(&complete("1000")));
    // The number was complete before.
    let items = [Ok("10 "), Err("reset")];
    assert_eq!(snapshots(&items)[0], complete("10"));
    assert_eq!(snapshots(&items).len(), 2);

    let several = Parser::new().multiple_values(true);
    let items = stream::iter([Ok("1 10"), Err("reset")]);
    let items = all(items.try_through(SnapshotReader::new(several)));
    assert_eq!(items[..2], [complete("1"), incomplete("10")]);
    assert!(matches!(&items[3..], [Err(StreamError::Json(error))] if error.is_incomplete()));

    let entities = EntityDetector::new(EntityMode::Realtime);
    let items = stream::iter([Ok("10"), Err("reset")]);
    let items = all(items.try_json_entities::<RawJson>(entities));
    let statuses: Vec<_> = items
        .into_iter()
        .flatten()
        .map(|event| event.status)
        .collect();
    assert_eq!(statuses, [EntityStatus::Partial, EntityStatus::Error]);
}

#[test]
fn update_is_complete_only_after_a_value_has_ended() {
    for (text, expected) in [
        ("", false),
        (" \n", false),
        ("\u{FEFF}", false),
        ("\u{FEFF} ", false),
        ("{", false),
        ("[1", false),
        ("\"", false),
        ("tru", false),
        ("true", true),
        ("{}", true),
        ("{} \n", true),
        ("\u{FEFF}[]", true),
        ("10", false),
        ("10 ", true),
    ] {
        for multiple in [false, true] {
            for fragments in splits(text) {
                let mut parser = Parser::new().multiple_values(multiple);
                for fragment in &fragments {
                    parser.push(fragment).unwrap();
                }
                // Pushing nothing changes nothing.
                let update = parser.push(b"").unwrap();
                assert_eq!(update.is_complete(), expected, "{text:?} {fragments:?}");
            }
        }
    }
    for (text, expected) in [
        ("{}{", false),
        ("{}\n\n", true),
        ("{}\n1", false),
        ("{}\n1\n", true),
        ("1 2 ", true),
        ("{} \"", false),
    ] {
        for fragments in splits(text) {
            let mut parser = Parser::new().multiple_values(true);
            for fragment in &fragments {
                parser.push(fragment).unwrap();
            }
            assert_eq!(parser.last_update().is_complete(), expected, "{text:?}");
            parser.reset();
            assert!(!parser.last_update().is_complete());
        }
    }
    let mut nothing = Parser::new().multiple_values(true);
    assert!(!nothing.finish().unwrap().is_complete());
}

#[test]
fn incomplete_final_value_returns_the_reason() {
    let json = |text: &'static str| match block_on(stream::iter([text]).json_final::<Payment>()) {
        Err(StreamError::Json(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(json(""), "unexpected end of JSON at byte 0");
    assert_eq!(json(" \n"), "unexpected end of JSON at byte 2");
    assert_eq!(json("{\"to\""), "unexpected end of JSON at byte 5");
    assert_eq!(
        json("{} thanks"),
        "trailing characters at byte 3 (several values? see \
         `multiple_values`; snapshots? see `json_chunks`)"
    );
    assert_eq!(json("{}!"), "trailing characters at byte 2");
    assert_eq!(json("{to}"), "expected a member name or '}' at byte 1");

    let number = block_on(stream::iter(["[10"]).json_final::<u32>()).unwrap_err();
    assert!(matches!(number, StreamError::Json(error) if error.is_incomplete()));
    let typed = block_on(stream::iter([PAYMENT]).json_final::<Vec<u32>>()).unwrap_err();
    let StreamError::Value(error) = typed else {
        panic!("{typed:?}")
    };
    assert_eq!(error.pointer(), "");
    assert_eq!(block_on(stream::iter(["10", "00"]).json_final()), Ok(1000));
    assert_eq!(
        block_on(stream::iter(["null"]).json_final::<Option<u8>>()),
        Ok(None)
    );
}

#[test]
fn final_value_does_not_wait_for_the_end_after_an_error() {
    let inner = stream::iter(["[1,", "oops"]).chain(stream::pending());
    let error = inner.json_final::<Vec<u8>>().now_or_never().unwrap();
    assert!(matches!(error, Err(StreamError::Json(error)) if error.offset() == 3));
    // One value is not the end: something may follow it.
    let inner = stream::iter(["[1]"]).chain(stream::pending());
    assert_eq!(inner.json_final::<Vec<u8>>().now_or_never(), None);
}

#[test]
fn final_value_reads_one_value_whatever_the_parser_accepts() {
    let parser = Parser::new().multiple_values(true);
    let two = block_on(
        stream::iter(["1 2"])
            .json_final::<u8>()
            .parser(parser.clone()),
    );
    assert!(matches!(two, Err(StreamError::Json(error)) if error.offset() == 2));
    let none = block_on(stream::iter([""]).json_final::<u8>().parser(parser));
    assert!(matches!(none, Err(StreamError::Json(error)) if error.is_incomplete()));
    let parser = Parser::new().limits(Limits::default().max_depth(1));
    let deep = block_on(
        stream::iter(["[[1]]"])
            .json_final::<Vec<Vec<u8>>>()
            .parser(parser),
    );
    assert!(matches!(deep, Err(StreamError::Json(error)) if error.is_limit()));
}

#[test]
fn final_value_may_be_polled_by_reference_and_after_its_end() {
    fn all<T: Send + Sync + Unpin>(future: T) -> T {
        future
    }
    let (fragments, inner) = tokio::sync::mpsc::unbounded_channel::<&str>();
    let inner = tokio_stream::wrappers::UnboundedReceiverStream::new(inner);
    let mut list: JsonFinal<_, Vec<u8>> = all(inner.json_final());
    assert_eq!((&mut list).now_or_never(), None);
    fragments.send("[1,").unwrap();
    assert_eq!((&mut list).now_or_never(), None);
    assert!(!format!("{list:?}").contains("[1"), "no payload");
    fragments.send("2]").unwrap();
    drop(fragments);
    assert!(!list.is_terminated());
    let mut list = spawn(list);
    assert_eq!(assert_ready!(list.poll()), Ok(vec![1, 2]));
    assert!(list.is_terminated());
    let again = assert_ready!(list.poll()).unwrap_err();
    assert!(matches!(again, StreamError::Json(error) if error.is_incomplete()));

    // Nothing is read after an upstream error either.
    let inner = stream::iter([Err("reset"), Ok("[1]")]);
    let mut list: TryJsonFinal<_, Vec<u8>> = inner.try_json_final();
    let error = block_on(&mut list);
    assert_eq!(error, Err(StreamError::Upstream("reset")));
    assert!(matches!(block_on(&mut list), Err(StreamError::Json(_))));
}

#[cfg(feature = "tokio")]
#[tokio::test(start_paused = true)]
async fn final_value_times_out() {
    let limits = Limits::default().max_duration(std::time::Duration::from_secs(30));
    let inner = stream::iter(["[1]"]).chain(stream::pending());
    let mut list = spawn(
        inner
            .json_final::<Vec<u8>>()
            .parser(Parser::new().limits(limits)),
    );
    tokio_test::assert_pending!(list.poll());
    tokio::time::advance(std::time::Duration::from_secs(31)).await;
    assert!(list.is_woken());
    let error = assert_ready!(list.poll()).unwrap_err();
    assert_eq!(error.to_string(), "timed out after 30 s");
}

proptest! {
    #![proptest_config(config(CASES / 2))]

    /// Law 9 for producers that keep the rules: readers of the chunks end at the value of the last
    /// snapshot, and report it as complete exactly if the text was terminated.
    #[test]
    fn readers_of_chunks_end_at_the_last_snapshot(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let texts: Vec<String> = Styles::any(&mut source)
            .write_all(values, &mut source)
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let last = texts.last().unwrap().clone();
        let text = all(stream::iter(texts).json_chunks()).concat();
        let fragments = json_chunks_testing::feed::pieces(text.as_bytes(), &mut source);

        let snapshots = all(stream::iter(fragments.clone()).json_snapshots());
        let (end, before) = snapshots.split_last().unwrap();
        prop_assert!(end.is_complete && before.iter().all(|snapshot| !snapshot.is_complete));
        let model = |text: &str| read(text, Duplicates::Rejected).unwrap();
        prop_assert_eq!(model(&end.value), model(&last));

        let typed = all(stream::iter(fragments.clone()).json_partials::<serde_json::Value>());
        let end = typed.last().filter(|partial| partial.is_complete);
        let value = block_on(stream::iter(fragments).json_final::<serde_json::Value>()).ok();
        prop_assert_eq!(end.map(|partial| &partial.value), value.as_ref());
        // `serde_json` rejects unpaired escaped surrogates, so there is nothing to compare.
        if let Ok(expected) = serde_json::from_str::<serde_json::Value>(&last) {
            prop_assert_eq!(value, Some(expected));
        }

        // The same text without its end.
        let cut = source.below(text.len());
        let fragments = json_chunks_testing::feed::pieces(&text.as_bytes()[..cut], &mut source);
        let snapshots = all(stream::iter(fragments.clone()).json_snapshots());
        let is_number = matches!(model(&last), Json::Num(_));
        prop_assert!(is_number || snapshots.iter().all(|snapshot| !snapshot.is_complete));
        let value = block_on(stream::iter(fragments).json_final::<serde_json::Value>());
        prop_assert!(is_number || value.is_err());
    }
}
