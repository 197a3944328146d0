//! JSON Patch: the operations, and when an open string is replaced.

use json_chunks::Parser;
use json_chunks::delta::{DeltaReader, PatchOp, PatchOperation};
use serde_json::{from_str, to_string};

use super::{batches, lines, patches};

#[test]
fn new_children_are_added_and_others_replaced() {
    let fragments = [
        r#"{"a":[], "n":1"#,
        r#"2,"s":"ab"#,
        "cd",
        r#"e","a":[{"#,
        "}]}",
    ];
    assert_eq!(
        lines(patches(), &fragments),
        [
            r#"[{"op":"replace","path":"","value":{"a":[],"n":1}}]"#,
            r#"[{"op":"replace","path":"/n","value":12},{"op":"add","path":"/s","value":"ab"}]"#,
            r#"[{"op":"replace","path":"/s","value":"abcd"}]"#,
            r#"[{"op":"replace","path":"/s","value":"abcde"},{"op":"add","path":"/a","value":[{}]}]"#,
            "[]",
        ]
    );
}

#[test]
fn open_string_is_replaced_when_it_has_grown_and_at_its_end() {
    let fragments = ["[\"1", "2", "3", "4", "5", "6", "\"]"];
    let values = |growth: f64| -> Vec<String> {
        let reader = DeltaReader::json_patch(Parser::new()).string_growth(growth);
        let (batches, error) = batches(reader, fragments);
        assert_eq!(error, None);
        let values = batches.iter().flat_map(|batch| &batch.deltas);
        values
            .map(|operation| operation.value.to_string())
            .collect()
    };
    assert_eq!(values(1.0), ["[\"1\"]", "\"12\"", "\"1234\"", "\"123456\""]);
    assert_eq!(values(2.0), ["[\"1\"]", "\"123\"", "\"123456\""]);
    assert_eq!(values(f64::INFINITY), ["[\"1\"]", "\"123456\""]);
    for each in [0.0, -1.0, f64::NAN] {
        assert_eq!(values(each).len(), 6, "{each}");
    }
}

#[test]
fn open_string_of_a_text_that_is_cut_off_is_in_the_rest() {
    let (batches, error) = batches(patches(), ["[\"123", "4"]);
    assert!(error.unwrap().is_incomplete());
    let last = batches.last().unwrap();
    assert_eq!(
        last.to_json(),
        r#"[{"op":"replace","path":"/0","value":"1234"}]"#
    );
    assert!(!last.is_complete);
}

#[test]
fn operations_are_read_and_written_as_in_the_rfc() {
    let text = r#"{"op":"add","path":"/a~1b","value":[1,{"c":null}]}"#;
    let operation: PatchOperation = from_str(text).unwrap();
    assert_eq!(
        (operation.op, operation.path.as_str()),
        (PatchOp::Add, "/a~1b")
    );
    assert_eq!(to_string(&operation).unwrap(), text);
    assert_eq!(operation.to_json(), text);
    let replace = r#"{"value":1.5,"more":{},"path":"","op":"replace"}"#;
    assert_eq!(
        from_str::<PatchOperation>(replace).unwrap().op,
        PatchOp::Replace
    );
    for (wrong, why) in [
        (
            r#"{"op":"remove","path":"/a"}"#,
            "expected an operation: `add`, `replace`",
        ),
        (r#"{"op":"add","path":"/a"}"#, "missing field `value`"),
        (r#"{"op":"add","value":1}"#, "missing field `path`"),
        (r#"{"path":"","value":1}"#, "missing field `op`"),
        ("[]", "expected an operation with"),
    ] {
        let error = from_str::<PatchOperation>(wrong).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
