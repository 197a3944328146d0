//! What each fragment changes.

use json_chunks::delta::{DeltaBatch, DeltaReader};
use json_chunks::{Limits, Parser};

use super::{batches, lines, reader};

#[test]
fn fragment_without_a_change_has_no_batch() {
    let fragments = [
        "", " ", "{", "\"na", "me\"", ":", " ", "\"x", "", "\"", ", ", "\"b\":t", "}",
    ];
    let fragments = &fragments[..12];
    let (batches, error) = batches(reader(), fragments);
    let lines: Vec<_> = batches.iter().map(DeltaBatch::to_json).collect();
    assert_eq!(
        lines[..3],
        [
            r#"[{"path":"","value":{}}]"#,
            r#"[{"path":"","value":{"name":"x"}}]"#,
            r#"[{"path":"/b","value":true}]"#,
        ]
    );
    assert!(error.is_some());
}

#[test]
fn value_grows_by_what_is_new_of_it() {
    let fragments = [
        r#"[{"a":"x"#,
        r#"y","b":[1"#,
        "2,3",
        r#"],"c":null},"#,
        r#""\ud83d"#,
        r"\ude00",
        r#"!"]"#,
    ];
    assert_eq!(
        lines(reader(), &fragments),
        [
            r#"[{"path":"","value":[{"a":"x"}]}]"#,
            r#"[{"path":"/0/a","append":"y"},{"path":"/0/b","value":[1]}]"#,
            r#"[{"path":"/0/b/0","value":12},{"path":"/0/b/1","value":3}]"#,
            r#"[{"path":"/0/c","value":null}]"#,
            r#"[{"path":"/1","value":""}]"#,
            "[{\"path\":\"/1\",\"append\":\"\u{1F600}\"}]",
            r#"[{"path":"/1","append":"!"}]"#,
        ]
    );
}

#[test]
fn restated_member_is_replaced() {
    let fragments = [r#"{"a":{"b":[1,2]},"a"#, r#"":{"b":[3]"#, "}}"];
    assert_eq!(
        lines(reader(), &fragments),
        [
            r#"[{"path":"","value":{"a":{"b":[1,2]}}}]"#,
            r#"[{"path":"/a","value":{"b":[3]}}]"#,
            "[]",
        ]
    );
}

/// The JSON of each batch, and whether its value is complete.
fn outlines(batches: &[DeltaBatch]) -> Vec<(String, bool)> {
    let lines = batches.iter();
    lines
        .map(|batch| (batch.to_json(), batch.is_complete))
        .collect()
}

#[test]
fn number_at_the_root_is_complete_at_the_end_of_the_text() {
    let (batches, error) = batches(reader(), ["4", "2.5", "0"]);
    assert_eq!(error, None);
    let line = |value: &str| format!(r#"[{{"path":"","value":{value}}}]"#);
    assert_eq!(
        outlines(&batches),
        [
            (line("4"), false),
            (line("42.5"), false),
            (line("42.50"), false),
            ("[]".to_owned(), true),
        ]
    );
}

#[test]
fn each_of_several_values_has_batches_of_its_own() {
    let lines_parser = Parser::new().multiple_values(true);
    let (batches, error) = batches(DeltaReader::new(lines_parser), ["[1]\n\"a\"\n{", "}"]);
    assert_eq!(error, None);
    let line = |value: &str| format!(r#"[{{"path":"","value":{value}}}]"#);
    assert_eq!(
        outlines(&batches),
        [
            (line("[1]"), true),
            (line("\"a\""), true),
            (line("{}"), false),
            ("[]".to_owned(), true),
        ]
    );
}

#[test]
fn what_precedes_an_error_is_in_the_rest() {
    let mut reader = reader();
    let error = reader.push(r#"{"a":"x","b" 1}"#).unwrap_err();
    assert_eq!(error.to_string(), "expected ':' at byte 13");
    let rest = reader.rest();
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].to_json(), r#"[{"path":"","value":{"a":"x"}}]"#);
    assert!(!rest[0].is_complete);
    assert_eq!(reader.push("}").unwrap_err(), error);
    assert_eq!(reader.rest(), []);

    // A value that is complete stays so, whatever follows it.
    let (batches, error) = batches(super::reader(), ["[1]]"]);
    assert!(batches[0].is_complete && batches.len() == 1 && error.is_some());
}

#[test]
fn number_before_an_invalid_byte_is_incomplete() {
    for fragments in [&["12", "x"][..], &["12x"], &["1", "2", "_000"]] {
        let (batches, error) = batches(reader(), fragments.iter().copied());
        assert!(error.is_some());
        assert!(
            batches.iter().all(|batch| !batch.is_complete),
            "{fragments:?}"
        );
    }
}

#[test]
fn end_is_reported_once() {
    let mut reader = reader();
    assert_eq!(reader.push("[1").unwrap().len(), 1);
    assert_eq!(reader.push("]").unwrap().len(), 1);
    for _ in 0..3 {
        assert_eq!(reader.finish().unwrap(), []);
        assert_eq!(reader.rest(), []);
    }
}

#[test]
fn reset_keeps_the_options() {
    let limits = Limits::default().max_depth(1);
    let mut reader = DeltaReader::new(Parser::new().limits(limits));
    assert!(reader.push("[[").is_err());
    reader.reset();
    assert_eq!(
        reader.push("[1]").unwrap()[0].to_json(),
        r#"[{"path":"","value":[1]}]"#
    );
    reader.reset();
    assert!(reader.push("[[").is_err());
}

#[test]
fn debug_has_no_payload() {
    let mut reader = reader();
    let _ = reader.push("[\"secret\"").unwrap();
    assert!(!format!("{reader:?}").contains("secret"));
}
