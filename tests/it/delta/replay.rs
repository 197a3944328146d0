//! Documents rebuilt, and deltas that do not fit.

use json_chunks::delta::{Delta, DeltaReplay, PatchOperation};
use serde_json::from_str;

fn deltas(text: &str) -> Vec<Delta> {
    Delta::list_from_json(text).unwrap()
}

fn patch(text: &str) -> Vec<PatchOperation> {
    from_str(text).unwrap()
}

#[test]
fn numbers_keep_their_spelling() {
    let text = r#"[{"path":"","value":{"a":1.10,"b":[1e400,-0]}},{"path":"/c","value":1E+2}]"#;
    let mut replay = DeltaReplay::new();
    assert_eq!(replay.get(), None);
    replay.apply(&deltas(text)).unwrap();
    assert_eq!(
        replay.get().unwrap(),
        r#"{"a":1.10,"b":[1e400,-0],"c":1E+2}"#
    );
}

#[test]
fn delta_that_does_not_fit_drops_the_document() {
    for (wrong, message) in [
        (
            r#"[{"path":"a","value":1}]"#,
            "delta at \"a\": the path is no JSON Pointer",
        ),
        (
            r#"[{"path":"/x/y","value":1}]"#,
            "delta at \"/x/y\": there is no such value",
        ),
        (
            r#"[{"path":"/x","append":"y"}]"#,
            "delta at \"/x\": there is no such value",
        ),
        (
            r#"[{"path":"/l","append":"y"}]"#,
            "delta at \"/l\": the value is no string",
        ),
        (
            r#"[{"path":"","append":"y"}]"#,
            "delta at \"\": the value is no string",
        ),
        (
            r#"[{"path":"/l/2","value":1}]"#,
            "delta at \"/l/2\": elements before it are missing",
        ),
        (
            r#"[{"path":"/l/-","value":1}]"#,
            "delta at \"/l/-\": there is no such value",
        ),
        (
            r#"[{"path":"/l/01","value":1}]"#,
            "delta at \"/l/01\": there is no such value",
        ),
        (
            r#"[{"path":"/s/0","value":1}]"#,
            "delta at \"/s/0\": there is no array or object around it",
        ),
    ] {
        let mut replay = DeltaReplay::new();
        replay
            .apply(&deltas(r#"[{"path":"","value":{"l":[0],"s":"x"}}]"#))
            .unwrap();
        let error = replay.apply(&deltas(wrong)).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(replay.get(), None);
        assert!(
            replay
                .apply(&deltas(r#"[{"path":"/l/0","value":1}]"#))
                .is_err()
        );
        replay
            .apply(&deltas(r#"[{"path":"","value":"new"}]"#))
            .unwrap();
        assert_eq!(replay.get().unwrap(), "\"new\"");
    }
}

#[test]
fn patch_follows_the_rfc() {
    let mut replay = DeltaReplay::new();
    let start = r#"[{"op":"add","path":"","value":{"l":[1,2],"":0}}]"#;
    replay.apply_patch(&patch(start)).unwrap();
    let operations = r#"[
        {"op":"add","path":"/l/0","value":0},
        {"op":"add","path":"/l/-","value":3},
        {"op":"replace","path":"/l/1","value":"one"},
        {"op":"add","path":"/","value":1},
        {"op":"add","path":"/~01","value":{}}
    ]"#;
    replay.apply_patch(&patch(operations)).unwrap();
    assert_eq!(replay.get().unwrap(), r#"{"l":[0,"one",2,3],"":1,"~1":{}}"#);
    for wrong in [
        r#"[{"op":"replace","path":"/x","value":1}]"#,
        r#"[{"op":"replace","path":"/l/9","value":1}]"#,
        r#"[{"op":"add","path":"/l/9","value":1}]"#,
        r#"[{"op":"add","path":"/l/x","value":1}]"#,
        r#"[{"op":"add","path":"/x/y","value":1}]"#,
    ] {
        let mut replay = replay.clone();
        assert!(replay.apply_patch(&patch(wrong)).is_err(), "{wrong}");
        assert_eq!(replay.get(), None);
    }
}

#[test]
fn value_that_is_nested_too_deeply_is_an_error() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let at = |path: &str, levels| {
        deltas(&format!(
            r#"[{{"path":"{path}","value":{}}}]"#,
            nested(levels)
        ))
    };
    let mut replay = DeltaReplay::new();
    replay.apply(&at("", 100)).unwrap();
    let inner = "/0".repeat(99);
    replay.apply(&at(&format!("{inner}/0"), 28)).unwrap();
    let error = replay.apply(&at(&format!("{inner}/1"), 29)).unwrap_err();
    assert_eq!(error.path(), format!("{inner}/1"));
    assert!(error.to_string().ends_with("nested too deeply"));
}
