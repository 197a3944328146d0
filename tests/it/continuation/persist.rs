//! An accumulator that is saved and restored.

use json_chunks::Limits;
use json_chunks::join::Accumulator;
use proptest::prelude::{any, prop_assert_eq, proptest};

use json_chunks_testing::config;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::documents;

fn restored(accumulator: &Accumulator) -> Accumulator {
    let state = serde_json::to_string(accumulator).unwrap();
    let restored: Accumulator = serde_json::from_str(&state).unwrap();
    assert_eq!(serde_json::to_string(&restored).unwrap(), state);
    restored
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn restored_accumulator_behaves_the_same(
        document in documents(),
        cuts in proptest::collection::vec((any::<u16>(), 0..20_usize), 1..6),
    ) {
        let text = write(&document, Style::plain(Escapes::Few));
        let bytes = text.as_bytes();
        let mut kept = Accumulator::new();
        let mut put_away = Accumulator::new();
        let mut start = 0;
        for (cut, overlap) in cuts {
            let end = start + usize::from(cut) % (bytes.len() - start + 1);
            let reply = &bytes[start.saturating_sub(overlap)..end];
            let joins = (kept.push_bytes(reply), put_away.push_bytes(reply));
            prop_assert_eq!(&joins.0, &joins.1);
            put_away = restored(&put_away);
            prop_assert_eq!(put_away.candidates(), kept.candidates());
            prop_assert_eq!(put_away.accept(0), kept.accept(0));
            put_away = restored(&put_away);
            prop_assert_eq!(put_away.text(), kept.text());
            start = end;
        }
    }
}

#[test]
fn saved_state_is_complete() {
    let mut accumulator = Accumulator::new().limits(Limits::default().max_depth(2));
    let _ = accumulator.push("no JSON");
    assert!(accumulator.push_bytes(b"[[\"x\xf0\x9f").is_joined());
    let state = serde_json::to_string(&accumulator).unwrap();
    assert_eq!(
        state,
        r#"{"text":"[[\"x","held":[240,159],"refused":true,"limits":[2,67108864,268435456],"candidates":[],"partial":false,"habit":0}"#
    );
    let mut accumulator = restored(&accumulator);
    assert!(accumulator.push_bytes(b"\x98\x80\",").is_joined());
    assert_eq!(accumulator.text(), "[[\"x😀\",");
    assert!(accumulator.push("[]]").failure().is_some(), "too deep");
}

#[test]
fn invalid_state_is_rejected() {
    for state in [
        "{}",
        r#"{"text":"]"}"#,
        r#"{"text":"[1","held":[65]}"#,
        r#"{"text":"[[1","limits":[1,9,9]}"#,
        r#"{"text":"[","candidates":[["sideways",0,"",[],false,false]]}"#,
        r#"["[1",[],false]"#,
    ] {
        let error = serde_json::from_str::<Accumulator>(state);
        assert!(error.is_err(), "{state}");
    }
    let state = r#"["[1",[],false,[9,9,9],[["continued",0,"!",[],false,false]],false,0]"#;
    let mut accumulator: Accumulator = serde_json::from_str(state).unwrap();
    assert!(accumulator.accept(0).unwrap().failure().is_some());
    assert_eq!(accumulator.text(), "[1");
}
