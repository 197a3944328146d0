//! The fast paths of the chunker change nothing: each stream is compared with one of the same
//! values in the same order whose white space differs in every snapshot, so that no bytes are equal
//! and no fast path applies.

use json_chunks::{AbsentValues, Chunker, Error, MemberOrder, Revision, RevisionPolicy};
use proptest::prelude::{TestCaseError, prop_assert_eq, proptest};

use json_chunks_testing::breaking::{contradicted, damaged};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{
    Fill, Producer, choice_bytes, documents, large_documents, many_choice_bytes, sample_snapshots,
    thin_out,
};

fn any_chunker(source: &mut ByteSource<'_>) -> Chunker {
    Chunker::new()
        .growing_numbers(source.one_in(3))
        .revision_policy(*source.choose(&[
            RevisionPolicy::Keep,
            RevisionPolicy::Reject,
            RevisionPolicy::Restate,
        ]))
        .absent_values(*source.choose(&[
            AbsentValues::Nothing,
            AbsentValues::Null,
            AbsentValues::Defaults,
        ]))
        .member_order(*source.choose(&[MemberOrder::Unknown, MemberOrder::Written]))
}

/// A stream that may contradict itself, and return to earlier values.
fn values(document: &Json, source: &mut ByteSource<'_>) -> Vec<Json> {
    let producer = Producer {
        growing_numbers: source.one_in(2),
        fill: *source.choose(&[Fill::Nothing, Fill::Null, Fill::Defaults]),
        in_order: source.one_in(2),
    };
    let mut values = sample_snapshots(producer.steps(document, source), source);
    if source.one_in(2) {
        values = contradicted(values, source);
    }
    if source.one_in(4) {
        let again = values[source.below(values.len().min(256))].clone();
        values.insert(source.below(values.len().min(256)), again);
    }
    values
}

/// A quote of at least this length may have been cut, up to three bytes before 16 KiB.
const MAY_BE_CUT: usize = (16 << 10) - 3;

/// Describes revisions, of the received text only the value: its white space differs. A long text
/// may be cut here or in the `other` revisions; then it has no value to compare.
fn reported(revisions: &[Revision], other: &[Revision]) -> Vec<String> {
    let is_quoted = |revision: &Revision| {
        let received = revision.received();
        received.is_none_or(|text| text.len() < MAY_BE_CUT)
    };
    let line = |(index, revision): (usize, &Revision)| {
        let (pointer, emitted) = (revision.pointer(), revision.emitted());
        let is_quoted = is_quoted(revision) && other.get(index).is_none_or(is_quoted);
        let received = revision.received().map(|text| {
            let value = is_quoted.then(|| read(text, Duplicates::Rejected));
            format!("{value:?}")
        });
        let (kind, restated) = (revision.kind(), revision.is_restated());
        format!("{kind:?} {pointer} {emitted} {received:?} {restated}")
    };
    revisions.iter().enumerate().map(line).collect()
}

fn kind(result: Result<String, Error>) -> Result<String, String> {
    result.map_err(|error| format!("{:?}", error.kind()))
}

fn compare(values: &[Json], source: &mut ByteSource<'_>) -> Result<(), TestCaseError> {
    let mut fast = any_chunker(source);
    let mut slow = fast.clone();
    let order_changes_once_in = *source.choose(&[256, 2, 1]);
    let mut order = source.byte();
    for (index, value) in values.iter().enumerate() {
        if source.one_in(order_changes_once_in) {
            order = source.byte();
        }
        let style = Style {
            spaces: 0,
            order,
            escapes: Escapes::Few,
        };
        // Never 0, which is no white space, and never the same as in the previous snapshot.
        let spaced = Style {
            spaces: u8::try_from(1 + index % 255).unwrap(),
            ..style
        };
        while source.one_in(4) {
            let other = &values[source.below(values.len().min(256))];
            let broken = damaged(&write(other, style), source);
            if read(&broken, Duplicates::LastWins).is_err() && !broken.trim_ascii().is_empty() {
                // Only the stream with fast paths receives invalid snapshots.
                let error = kind(fast.push(&broken));
                prop_assert_eq!(error.is_err(), true, "{}", broken);
            }
        }
        let (text, other) = (write(value, style), write(value, spaced));
        prop_assert_eq!(kind(fast.push(&text)), kind(slow.push(&other)), "{}", text);
        let (of_fast, of_slow) = (fast.take_revisions(), slow.take_revisions());
        prop_assert_eq!(reported(&of_fast, &of_slow), reported(&of_slow, &of_fast));
        prop_assert_eq!(fast.held_count(), slow.held_count());
    }
    prop_assert_eq!(fast.finish(), slow.finish());
    Ok(())
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn fast_paths_change_nothing(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        compare(&values(&document, &mut source), &mut source)?;
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn fast_paths_change_nothing_in_large_documents(
        document in large_documents(),
        source in many_choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        compare(&thin_out(values(&document, &mut source), 60), &mut source)?;
    }
}

fn revisions_of(snapshots: &[&str]) -> Vec<String> {
    let mut chunker = Chunker::new();
    for snapshot in snapshots {
        chunker.push(snapshot).unwrap();
    }
    let line = |revision: &Revision| format!("{:?} {}", revision.kind(), revision.pointer());
    chunker.take_revisions().iter().map(line).collect()
}

/// The second element is missing for a while. Its place is taken by the object of `z`, which then
/// returns as the second element.
#[test]
fn returned_element_is_compared_with_the_document() {
    let revisions = revisions_of(&[
        r#"{"k":[{"v":[1]}     ,{"v":[2]}],"z":{"v":[9]},"n":0}"#,
        r#"{"k":[{"v":[1]}     ,{"v":[2]}],"z":{"v":[9]},"n":0,"m":[1]}"#,
        r#"{"k":[{"v":[1]}],"z":{"v":[9]},"n":0,"m":[1]}"#,
        r#"{"k":[{"v":[1]}     ,{"v":[9]}],"z":{"v":[9]},"n":0,"m":[1]}"#,
    ]);
    assert_eq!(revisions, ["Shrunk /k", "Changed /k/1/v/0"]);
}

/// The same with a member.
#[test]
fn returned_member_is_compared_with_the_document() {
    let revisions = revisions_of(&[
        r#"{"k":{"a":1, "b":{"v":[2]}},"z":{"v":[9]},"n":0,"m":[1]}"#,
        r#"{"k":{"a":1, "b":{"v":[2]}},"z":{"v":[9]},"n":0,"m":[1],"l":[2]}"#,
        r#"{"k":{"a":1},"z":{"v":[9]},"n":0,"m":[1],"l":[2]}"#,
        r#"{"k":{"a":1, "b":{"v":[9]}},"z":{"v":[9]},"n":0,"m":[1],"l":[2]}"#,
    ]);
    assert_eq!(revisions, ["Removed /k/b", "Changed /k/b/v/0"]);
}

/// A failed push leaves a node's number in a slot of a wide object. The number is then reused for a
/// node with the same record in another object.
#[test]
fn member_of_another_object_is_not_mistaken() {
    let members: Vec<String> = (0..20).map(|n| format!(r#""m{n}":{n}"#)).collect();
    let wide = members.join(",");
    let mut chunker = Chunker::new();
    chunker
        .push(&format!(r#"{{"a":{{{wide}}},"b":{{}}}}"#))
        .unwrap();
    let broken = format!(r#"{{"a":{{{wide},"new":1}},"b":{{}}"#);
    assert!(chunker.push(&broken).is_err());
    chunker
        .push(&format!(r#"{{"a":{{{wide}}},"b":{{"new":1}}}}"#))
        .unwrap();
    chunker
        .push(&format!(r#"{{"a":{{{wide},"new":1}},"b":{{"new":1}}}}"#))
        .unwrap();
    let revisions = chunker.take_revisions();
    let pointers: Vec<_> = revisions.iter().map(Revision::pointer).collect();
    assert_eq!(pointers, ["/a"]);
}
