//! Streams of values and of bytes as snapshots.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::stream::{
    MachineStreamExt, StreamError, ValueChunker, ValueSnapshot, ValueStreamExt,
};
use json_chunks::{Chunker, ErrorKind, Limits, RevisionPolicy};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Value, json};

/// A value, or one whose serialization returns an error.
#[derive(Clone)]
struct Fallible(Option<Value>);

impl Serialize for Fallible {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => Err(S::Error::custom("no value")),
        }
    }
}

#[test]
fn unserializable_value_is_skipped_and_the_next_supersedes_it() {
    let values = [Some(json!(["a"])), None, Some(json!(["ab"]))].map(Fallible);
    let mut chunks = stream::iter(values.clone()).json_chunks_from_values();
    let text: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(text, ["[\"a", "b", "\"]"]);
    assert_eq!(
        (chunks.report().accepted(), chunks.report().skipped()),
        (2, 1)
    );

    let values = stream::iter(values.map(Ok::<_, ()>));
    let items: Vec<_> = block_on(values.try_json_chunks_from_values().collect());
    let Err(StreamError::Json(error)) = &items[1] else {
        panic!("{items:?}")
    };
    assert_eq!(error.kind(), ErrorKind::Unserializable);
    assert_eq!(items[2], Ok("b".to_owned()));
}

#[test]
fn contradiction_is_yielded_after_its_chunk() {
    let values = stream::iter([
        Ok::<_, ()>(json!({"a": "x"})),
        Ok(json!({"a": "y", "b": 1})),
    ]);
    let items: Vec<_> = block_on(values.try_json_chunks_from_values().collect());
    assert_eq!(items[1], Ok("\",\"b\":1".to_owned()));
    assert!(
        matches!(&items[2], Err(StreamError::Revision(revision)) if revision.pointer() == "/a")
    );

    let values = stream::iter([json!({"a": "x"}), json!({"a": "y", "b": 1})]);
    let rejecting = Chunker::new().revision_policy(RevisionPolicy::Reject);
    let chunks = values.json_chunks_from_values().chunker(rejecting);
    assert_eq!(block_on(chunks.collect::<Vec<_>>()), ["{\"a\":\"x", "\"}"]);
}

#[test]
fn latest_of_several_values_that_can_be_used_is_used() {
    let values = [Some(json!([1])), Some(json!([1, 2])), None].map(Fallible);
    let mut chunks = stream::iter(values).json_chunks_from_values().latest_only();
    assert_eq!(block_on(chunks.by_ref().collect::<String>()), "[1,2]");
    assert_eq!(
        (chunks.report().skipped(), chunks.report().superseded()),
        (1, 1)
    );

    let bodies = [
        b"[1]".to_vec(),
        b"[1,2]".to_vec(),
        b"\xff".to_vec(),
        b" ".to_vec(),
    ];
    let mut chunks = stream::iter(bodies).json_chunks_from_bytes().latest_only();
    assert_eq!(block_on(chunks.by_ref().collect::<String>()), "[1,2]");
    assert_eq!(
        (chunks.report().skipped(), chunks.report().superseded()),
        (1, 1)
    );
}

#[test]
fn pieces_of_bytes_are_reported_with_a_hint() {
    let pieces = stream::iter([b"{\"title\": \"Thr".to_vec(), b"ee\"}".to_vec()]);
    let mut chunks = pieces.json_chunks_from_bytes();
    assert_eq!(block_on(chunks.by_ref().count()), 0);
    assert!(chunks.report().hint().unwrap().contains("json_snapshots"));
}

#[test]
fn configured_machine_reads_values() {
    let limits = Limits::default().max_depth(1);
    let machine = ValueChunker::from(Chunker::new().limits(limits));
    let values = stream::iter([json!([1]), json!([[1]])].map(ValueSnapshot));
    let mut chunks = values.through(machine);
    assert_eq!(block_on(chunks.by_ref().collect::<String>()), "[1]");
    assert_eq!(chunks.report().skipped(), 1);
}

#[cfg(feature = "tokio")]
#[tokio::test(start_paused = true)]
async fn time_limit_of_the_chunker_is_kept() {
    let limits = Limits::default().max_duration(std::time::Duration::from_secs(5));
    let values = stream::iter([json!([1])]).chain(stream::pending());
    let chunks = values
        .json_chunks_from_values()
        .chunker(Chunker::new().limits(limits));
    assert_eq!(chunks.collect::<String>().await, "[1]");
}

/// Whatever the values are: the machine keeps none.
#[test]
fn streams_are_send_and_unpin() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    check(&stream::iter([json!(1)]).json_chunks_from_values());
    check(&stream::iter([Ok::<_, ()>(json!(1))]).try_json_chunks_from_values());
    check(&stream::iter([b"1"]).json_chunks_from_bytes());
}
