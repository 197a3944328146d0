//! `RevisionPolicy::Restate` where producers flap to null, repeat names, or have names that are no
//! text.

use json_chunks::{AbsentValues, Chunker, MemberOrder, Parser, PartialPolicy, RevisionPolicy};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::reference::Reference;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{
    Producer, documents, many_choice_bytes, sample_snapshots, thin_out,
};
use proptest::prelude::{any, prop_assert_eq, proptest};
use serde_json::Value;

/// The chunks of each push and of the end.
fn chunks(snapshots: &[impl AsRef<str>]) -> Vec<String> {
    let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
    let pushed = snapshots
        .iter()
        .map(|snapshot| chunker.push(snapshot.as_ref()).unwrap());
    let mut chunks: Vec<String> = pushed.collect();
    chunks.push(chunker.finish());
    chunks
}

/// The value of a text, of which the last member of a name counts. Surrogates that are escaped
/// alone are U+FFFD.
fn value(text: &str) -> Value {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser.finish().unwrap();
    let text = parser.root().unwrap().to_json(PartialPolicy::default());
    let text = text
        .replace(r"\ud800", "\u{FFFD}")
        .replace(r"\uD800", "\u{FFFD}");
    serde_json::from_str(&text).unwrap()
}

/// While `a` is unchanged, `b` is what grows. Were another spelling of the half that is held back a
/// change of `a`, the restatement of `b` would wait.
#[test]
fn respelled_end_that_is_held_back_is_no_change() {
    for half in [r"\ud83d", r"\uD83D"] {
        let last = format!(r#"{{"b":"z","a":"y{half}"}}"#);
        let chunks = chunks(&[r#"{"b":"x"}"#, r#"{"b":"x","a":"y\ud83d"}"#, &last]);
        assert_eq!(chunks[..2], [r#"{"b":"x"#, r#"","a":"y"#]);
        assert_eq!(chunks[2], format!(r#"{half}","b":"z"#));
    }
}

#[test]
fn member_that_flaps_to_null_and_back_ends_as_the_last_snapshot() {
    for (snapshots, text) in [
        // While it is open.
        (
            [r#"{"a":"x"}"#, r#"{"a":null}"#, r#"{"a":"xy"}"#],
            r#"{"a":"x","a":null,"a":"xy"}"#,
        ),
        // After its end: the restatement waits, and says what it is by then.
        (
            [
                r#"{"b":"1","a":"x"}"#,
                r#"{"b":"12","a":null}"#,
                r#"{"b":"123","a":"x"}"#,
            ],
            r#"{"a":"x","b":"123","a":"x"}"#,
        ),
        // Absent from the start.
        (
            [
                r#"{"a":null,"b":1}"#,
                r#"{"a":"x","b":1}"#,
                r#"{"a":null,"b":1}"#,
            ],
            r#"{"b":1,"a":"x","a":null}"#,
        ),
        // Inside of a member that has ended.
        (
            [
                r#"{"a":{"k":"x"},"b":1}"#,
                r#"{"a":{"k":null},"b":1,"c":""}"#,
                r#"{"a":{"k":"y"},"b":1,"c":"z"}"#,
            ],
            r#"{"b":1,"a":{"k":"x","k":null,"k":"y"},"c":"z"}"#,
        ),
    ] {
        let chunks = chunks(&snapshots).concat();
        assert_eq!(value(&chunks), value(snapshots[2]), "{chunks}");
        assert_eq!(value(&chunks), value(text), "{chunks} is not {text}");
    }
}

#[test]
fn duplicate_member_with_null_in_the_first_snapshot_last_wins() {
    for (snapshot, next) in [
        (
            r#"{"a":null,"a":"x","b":1}"#,
            r#"{"a":null,"a":"xy","b":1}"#,
        ),
        (
            r#"{"a":"x","a":null,"b":1}"#,
            r#"{"a":"x","a":null,"b":12}"#,
        ),
        (r#"{"a":null,"a":null}"#, r#"{"a":null,"a":"x"}"#),
        (
            r#"{"a":1,"a":null,"a":{"a":null,"a":2}}"#,
            r#"{"a":1,"a":null,"a":{"a":null,"a":3}}"#,
        ),
    ] {
        let alone = chunks(&[snapshot]).concat();
        assert_eq!(value(&alone), value(snapshot), "{alone}");
        assert_eq!(
            alone.matches("\"b\"").count(),
            snapshot.matches("\"b\"").count()
        );
        let both = chunks(&[snapshot, next]).concat();
        assert_eq!(value(&both), value(next), "{both}");
        // Under the default policy, what the first of two members says contradicts nothing.
        let mut chunker = Chunker::new();
        chunker.push(snapshot).unwrap();
        assert!(chunker.take_revisions().is_empty(), "{snapshot}");
    }
}

#[test]
fn earlier_duplicate_contradicts_and_restates_nothing() {
    for policy in [
        RevisionPolicy::Keep,
        RevisionPolicy::Reject,
        RevisionPolicy::Restate,
    ] {
        for (snapshots, expected) in [
            (
                [r#"{"a":null,"a":"x"}"#, r#"{"a":null,"a":"xy"}"#],
                [r#"{"a":"x"#, "y", r#""}"#],
            ),
            // The earlier one would grow the open string, or close it.
            (
                [r#"{"a":"x"}"#, r#"{"a":"xyz","a":"xy"}"#],
                [r#"{"a":"x"#, "y", r#""}"#],
            ),
            (
                [
                    r#"{"a":{"k":"x"}}"#,
                    r#"{"a":{"k":[],"l":2},"a":{"k":"xy"}}"#,
                ],
                [r#"{"a":{"k":"x"#, "y", r#""}}"#],
            ),
            // The earlier one is not all of a change: nothing is new.
            (
                [r#"{"a":"x","b":""}"#, r#"{"a":1,"b":"","a":"x"}"#],
                ["{", "", r#""a":"x","b":""}"#],
            ),
        ] {
            let mut chunker = Chunker::new().revision_policy(policy);
            let mut chunks: Vec<String> = Vec::new();
            for snapshot in snapshots {
                chunks.push(chunker.push(snapshot).unwrap());
                assert_eq!(chunker.take_revisions(), [], "{policy:?}: {snapshot}");
            }
            chunks.push(chunker.finish());
            assert_eq!(chunks, expected, "{policy:?}: {snapshots:?}");
        }
    }
}

#[test]
fn name_with_a_lone_surrogate_is_restated_under_the_same_name() {
    let snapshots = [
        r#"{"\ud800":"x","c":"1"}"#,
        r#"{"\ud800":"x","c":"12"}"#,
        r#"{"\uD800":"z","c":"123"}"#,
        r#"{"\ud800":"zz","c":"1234"}"#,
    ];
    let text = chunks(&snapshots).concat();
    let mut parser = Parser::new();
    parser.push(&text).unwrap();
    // One member, because both spellings are the same code unit.
    assert_eq!(parser.root().unwrap().len(), 2, "{text}");
    assert_eq!(value(&text), value(snapshots[3]), "{text}");

    // Two surrogates are two names, although both read as U+FFFD.
    let snapshots = [
        r#"{"\ud800":"x","\ud801":"y","c":"1"}"#,
        r#"{"\ud800":"x","\ud801":"y","c":"12"}"#,
        r#"{"\ud800":"z","\ud801":"w","c":"123"}"#,
    ];
    let text = chunks(&snapshots).concat();
    let mut parser = Parser::new();
    parser.push(&text).unwrap();
    let members: Vec<_> = parser.root().unwrap().members().collect();
    let values: Vec<_> = members
        .iter()
        .map(|(_, value)| value.as_str().unwrap())
        .collect();
    assert_eq!(values, ["123", "z", "w"], "{text}");
}

/// Values that a member may have.
const VALUES: [&str; 12] = [
    "null",
    "null",
    "\"x\"",
    "\"xy\"",
    "\"z\"",
    "1",
    "12",
    "[]",
    "[1,\"a\"]",
    "{\"k\":null}",
    "{\"k\":\"v\"}",
    "{\"k\":[null,\"\\ud800\"]}",
];

/// Adds earlier members of the same name, with any value, before some of the members.
fn with_duplicates(value: &Json, source: &mut ByteSource<'_>) -> Json {
    match value {
        Json::Obj(members) => {
            let mut doubled: Vec<(Vec<u32>, Json)> = Vec::new();
            for (name, value) in members {
                while source.one_in(3) {
                    let earlier = match source.below(6) {
                        0 => Json::Null,
                        1 => Json::Arr(vec![value.clone()]),
                        2 => Json::Obj(vec![
                            (name.clone(), Json::Null),
                            (name.clone(), value.clone()),
                        ]),
                        3 => Json::Num("17".to_owned()),
                        4 => Json::Str(name.clone()),
                        _ => value.clone(),
                    };
                    doubled.insert(source.below(doubled.len() + 1), (name.clone(), earlier));
                }
                doubled.push((name.clone(), with_duplicates(value, source)));
            }
            Json::Obj(doubled)
        }
        Json::Arr(elements) => {
            let elements = elements.iter().map(|value| with_duplicates(value, source));
            Json::Arr(elements.collect())
        }
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => value.clone(),
    }
}

proptest! {
    #![proptest_config(json_chunks_testing::config(4000))]

    #[test]
    fn restated_chunks_end_as_the_last_snapshot(seed in any::<u64>()) {
        let mut state = seed;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as usize
        };
        let mut snapshots = Vec::new();
        for _ in 0..2 + next(4) {
            let mut names = ["\"a\"", "\"b\"", "\"\\ud800\""];
            names.swap(0, next(3));
            names.swap(1, next(3));
            let mut members: Vec<String> = Vec::new();
            if next(4) == 0 {
                members.push(format!("{}:{}", names[next(3)], VALUES[next(12)]));
            }
            for name in names {
                members.push(format!("{name}:{}", VALUES[next(12)]));
            }
            snapshots.push(format!("{{{}}}", members.join(",")));
        }
        let text = chunks(&snapshots).concat();
        prop_assert_eq!(value(&text), value(snapshots.last().unwrap()), "{} of {:?}", text, snapshots);
    }

    /// The naive chunker reads each snapshot as a value, in which the last member of a name counts;
    /// with contradictions, the chunker itself has to agree with itself without the earlier ones.
    #[test]
    fn earlier_duplicates_change_nothing(
        document in documents(),
        other in documents(),
        bytes in many_choice_bytes(),
        is_broken in any::<bool>(),
    ) {
        let mut source = ByteSource::new(&bytes);
        let producer = Producer { in_order: source.one_in(2), ..Producer::default() };
        let mut snapshots = sample_snapshots(producer.steps(&document, &mut source), &mut source);
        if is_broken {
            snapshots.rotate_left(1);
            snapshots.extend(producer.steps(&other, &mut source));
        }
        let snapshots = thin_out(snapshots, 40);
        let order = [MemberOrder::Unknown, MemberOrder::Written][source.below(2)];
        let policy = [RevisionPolicy::Keep, RevisionPolicy::Reject, RevisionPolicy::Restate][source.below(3)];
        let absent = [AbsentValues::Nothing, AbsentValues::Null, AbsentValues::Defaults][source.below(3)];
        let chunker = || Chunker::new().revision_policy(policy).absent_values(absent).member_order(order);
        let (mut alone, mut doubled) = (chunker(), chunker());
        let mut naive = Reference::new(Escapes::Few);
        naive.absent_values = absent;
        for snapshot in &snapshots {
            let once = write(snapshot, Style::plain(Escapes::Few));
            let twice = write(&with_duplicates(snapshot, &mut source), Style::plain(Escapes::Few));
            let read_twice = read(&twice, Duplicates::LastWins);
            prop_assert_eq!(read_twice.as_ref(), Ok(snapshot), "{}", twice);
            let (expected, chunk) = (alone.push(&once), doubled.push(&twice));
            prop_assert_eq!(expected.as_ref().ok(), chunk.as_ref().ok(), "{} {}", once, twice);
            let (expected_revisions, revisions) = (alone.take_revisions(), doubled.take_revisions());
            prop_assert_eq!(expected_revisions.len(), revisions.len());
            for (expected, revision) in expected_revisions.iter().zip(&revisions) {
                prop_assert_eq!(expected.pointer(), revision.pointer());
                prop_assert_eq!(expected.emitted(), revision.emitted());
                prop_assert_eq!(expected.kind(), revision.kind());
            }
            if !is_broken && order == MemberOrder::Unknown {
                prop_assert_eq!(chunk.as_deref(), Ok(&*naive.push(snapshot)), "{}", twice);
            }
        }
        prop_assert_eq!(alone.finish(), doubled.finish());
    }
}
