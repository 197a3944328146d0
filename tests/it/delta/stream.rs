//! Deltas on streams: where they compose, what waits, and what follows an error.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::Parser;
use json_chunks::delta::{DeltaBatch, DeltaFormat, DeltaReader, DeltaReplay};
use json_chunks::prelude::*;
use json_chunks::stream::StreamError;
use json_chunks_testing::patch::value;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

fn json<D: DeltaFormat>(batches: impl futures::Stream<Item = DeltaBatch<D>>) -> Vec<String> {
    block_on(batches.map(|batch| batch.to_json()).collect())
}

#[test]
fn deltas_of_chunks_rebuild_the_last_snapshot() {
    let snapshots = include_str!("../../../examples/data/itinerary.jsonl").lines();
    let last = snapshots.clone().last().unwrap();
    let chunks = stream::iter(snapshots).json_chunks();
    let batches: Vec<_> = block_on(chunks.json_deltas().collect());
    let mut replay = DeltaReplay::new();
    for batch in &batches {
        replay.apply(&batch.deltas).unwrap();
    }
    assert_eq!(value(&replay.get().unwrap()), value(last));
    assert!(batches.last().unwrap().is_complete);
    let bytes: usize = batches.iter().map(|batch| batch.to_json().len()).sum();
    assert!(bytes < 4 * last.len(), "{bytes} for {}", last.len());
}

#[test]
fn each_fragment_yields_one_batch_as_it_arrives() {
    let (sender, fragments) = futures::channel::mpsc::unbounded();
    let mut deltas = spawn(fragments.json_deltas());
    for (fragment, expected) in [
        ("{\"a\"", Some(r#"[{"path":"","value":{}}]"#)),
        // The first member, in one step with its object.
        (":\"x", Some(r#"[{"path":"","value":{"a":"x"}}]"#)),
        ("\\u00", None),
        ("e9\"", Some("[{\"path\":\"/a\",\"append\":\"\u{e9}\"}]")),
        ("}", Some("[]")),
    ] {
        sender.unbounded_send(fragment).unwrap();
        if let Some(text) = expected {
            let batch = assert_ready!(deltas.poll_next()).unwrap();
            assert_eq!(batch.to_json(), text);
        } else {
            assert_pending!(deltas.poll_next());
        }
    }
    assert_pending!(deltas.poll_next());
    drop(sender);
    assert_ready_eq!(deltas.poll_next(), None);
}

#[test]
fn patch_that_waits_for_growth_precedes_an_upstream_error() {
    let fragments = stream::iter([Ok("[\"ab"), Ok("c"), Err("reset"), Ok("def\"]")]);
    let items: Vec<_> = block_on(fragments.try_json_patches().collect());
    let line = |value: &str| format!(r#"[{{"op":"replace","path":"/0","value":{value}}}]"#);
    assert_eq!(items[1].as_ref().unwrap().to_json(), line("\"abc\""));
    assert_eq!(items[2], Err(StreamError::Upstream("reset")));
    assert_eq!(items[3].as_ref().unwrap().to_json(), line("\"abcdef\""));
    assert_eq!(items.len(), 4);
}

#[test]
fn batches_are_server_sent_events() {
    let frames = stream::iter(["[1.10", "]"]).json_deltas().sse();
    let frames: Vec<String> = block_on(frames.map(|frame| frame.to_string()).collect());
    assert_eq!(
        frames,
        [
            "id: 1\ndata: [{\"path\":\"\",\"value\":[1.10]}]\n\n",
            "id: 2\ndata: []\n\n",
            "event: CLOSE\ndata: [DONE]\n\n",
        ]
    );
    let batch = block_on(stream::iter(["[1"]).json_deltas().next()).unwrap();
    assert_eq!(
        serde_json::to_string(&batch).unwrap(),
        r#"[{"path":"","value":[1]}]"#
    );
}

#[test]
fn options_are_those_of_the_machine() {
    let fragments = || stream::iter(["[\"1", "2", "3\"]"]);
    let by_adapter = json(fragments().json_patches().string_growth(0.0));
    let machine = DeltaReader::json_patch(Parser::new()).string_growth(0.0);
    assert_eq!(json(fragments().through(machine)), by_adapter);
    assert_eq!(by_adapter.len(), 3);
}

#[cfg(feature = "tokio")]
#[tokio::test(start_paused = true)]
async fn patch_that_waits_for_growth_is_yielded_at_the_deadline() {
    use std::time::Duration;

    let limits = json_chunks::Limits::default().max_duration(Duration::from_secs(10));
    let fragments = stream::iter(["[\"ab", "c"]).chain(stream::pending());
    let patches = fragments.through(DeltaReader::json_patch(Parser::new().limits(limits)));
    let lines: Vec<String> = patches.map(|batch| batch.to_json()).collect().await;
    assert_eq!(lines[1], r#"[{"op":"replace","path":"/0","value":"abc"}]"#);
    assert_eq!(lines.len(), 2);
}
