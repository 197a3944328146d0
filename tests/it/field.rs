//! One value of a document as text.

use json_chunks::field::FieldReader;
use json_chunks::{Error, ErrorKind, Limits, Parser};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{prop_assert_eq, proptest};

/// The text and the error of an input in these pieces.
fn read<P: AsRef<[u8]>>(
    mut field: FieldReader,
    fragments: impl IntoIterator<Item = P>,
) -> (String, Option<Error>) {
    let mut text = String::new();
    for fragment in fragments {
        match field.push(fragment) {
            Ok(more) => text += &more,
            Err(error) => {
                text += &field.rest();
                assert_eq!(field.finish().unwrap_err(), error);
                return (text, Some(error));
            }
        }
    }
    match field.finish() {
        Ok(more) => (text + &more, None),
        Err(error) => (text + &field.rest(), Some(error)),
    }
}

/// The same, which must be the same for every split.
fn read_split(field: &FieldReader, input: &str) -> (String, Option<Error>) {
    let at_once = read(field.clone(), [input]);
    for split in 0..=input.len() {
        let (head, tail) = input.as_bytes().split_at(split);
        assert_eq!(
            read(field.clone(), [head, tail]),
            at_once,
            "{split}: {input}"
        );
    }
    assert_eq!(
        read(field.clone(), input.as_bytes().chunks(1)),
        at_once,
        "{input}"
    );
    at_once
}

#[test]
fn string_is_read_decoded() {
    for (pointer, input, text) in [
        (
            "/answer",
            r#"{"x": 1, "answer": "Caf\u00e9 \ud83d\ude00\n", "y": []}"#,
            "Caf\u{e9} \u{1f600}\n",
        ),
        ("/answer", r#"{"answer": ""}"#, ""),
        ("/answer", r#"{"answer": null}"#, ""),
        (
            "/answer",
            r#"{"other": "x", "nested": {"answer": "no"}}"#,
            "",
        ),
        ("/a/1/b~1c", r#"{"a": [{"b/c": 1}, {"b/c": "yes"}]}"#, "yes"),
        ("/a/01", r#"{"a": ["x", "no"]}"#, ""),
        ("", r#" "root" "#, "root"),
        ("answer", r#"{"answer": "no"}"#, ""),
        ("/\u{e9}", r#"{"\u00e9": "yes"}"#, "yes"),
    ] {
        let read = read_split(&FieldReader::text(pointer), input);
        assert_eq!(read, (text.to_owned(), None), "{input}");
    }
}

#[test]
fn value_is_read_as_it_is_written() {
    for (pointer, input, text) in [
        (
            "/args",
            r#"{"args": {"a" : [1, {"b":"}"}] } , "x": 1}"#,
            r#"{"a" : [1, {"b":"}"}] }"#,
        ),
        ("/args", r#"{"args": "Caf\u00e9\n"}"#, r#""Caf\u00e9\n""#),
        ("/args", r#"{"args": -1.50e+3 }"#, "-1.50e+3"),
        ("/args", r#"{"args":[true,null]}"#, "[true,null]"),
        ("/args/1", r#"{"args":[true,null]}"#, "null"),
        ("/args", r#"{"args":[]}"#, "[]"),
        ("", " [1] ", "[1]"),
        ("", " 12 ", "12"),
        ("", "12", "12"),
    ] {
        let read = read_split(&FieldReader::json(pointer), input);
        assert_eq!(read, (text.to_owned(), None), "{input}");
    }
}

#[test]
fn each_character_is_returned_as_soon_as_it_has_arrived() {
    let mut field = FieldReader::text("/a");
    let mut push = |fragment: &str| field.push(fragment).unwrap();
    assert_eq!(push("{\"a\""), "");
    assert_eq!(push(":\"x"), "x");
    assert_eq!(push("y\\"), "y");
    assert_eq!(push("nz"), "\nz");
    assert_eq!(push("\", \"b\": \"no"), "");
    assert!(field.is_found() && field.is_complete());
    let mut field = FieldReader::json("/a");
    let mut push = |fragment: &str| field.push(fragment).unwrap();
    assert_eq!(push("{\"a\": {"), "{");
    assert_eq!(push("\"b\":"), "\"b\":");
    assert_eq!(push(" [1"), " [1");
    assert!(field.is_found() && !field.is_complete());
}

#[test]
fn what_precedes_an_error_is_not_lost() {
    for (field, input, text, kind, offset) in [
        (
            FieldReader::text("/a"),
            r#"{"a": "xy"#,
            "xy",
            ErrorKind::Incomplete,
            9,
        ),
        (
            FieldReader::text("/a"),
            "{\"a\": \"xy\n",
            "xy",
            ErrorKind::Syntax,
            9,
        ),
        (
            FieldReader::text("/a"),
            r#"{"a": "xy" x"#,
            "xy",
            ErrorKind::Syntax,
            11,
        ),
        (
            FieldReader::text("/a"),
            r#"{"b": [1, 2}"#,
            "",
            ErrorKind::Syntax,
            11,
        ),
        (
            FieldReader::text("/a"),
            r#"{"a": [1]}"#,
            "",
            ErrorKind::UnexpectedKind,
            6,
        ),
        (
            FieldReader::text("/a"),
            r#"{"a": true}"#,
            "",
            ErrorKind::UnexpectedKind,
            6,
        ),
        (
            FieldReader::text("/a"),
            r#"{"a": "x", "a": "y"}"#,
            "x",
            ErrorKind::Revision,
            16,
        ),
        (
            FieldReader::text("/a"),
            r#"{"a": null, "a": "y"}"#,
            "",
            ErrorKind::Revision,
            17,
        ),
        (
            FieldReader::json("/a"),
            r#"{"a": [1, x"#,
            "[1, ",
            ErrorKind::Syntax,
            10,
        ),
        (
            FieldReader::json("/a"),
            r#"{"a": [1, "#,
            "[1, ",
            ErrorKind::Incomplete,
            10,
        ),
        // The second `b` leaves no `/b/a`.
        (
            FieldReader::json("/b/a"),
            r#"{"b": {"a": 1}, "b": 2}"#,
            "1",
            ErrorKind::Revision,
            21,
        ),
        (
            FieldReader::json("/a").limits(Limits::default().max_depth(2)),
            r#"{"a": [1, []]}"#,
            "[1, ",
            ErrorKind::TooDeep,
            10,
        ),
    ] {
        let (found, error) = read_split(&field, input);
        let error = error.unwrap();
        assert_eq!(
            (found.as_str(), error.kind(), error.offset()),
            (text, kind, offset),
            "{input}"
        );
    }
    let error = FieldReader::text("").push("[").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a string, found another kind of value at byte 0"
    );
}

#[test]
fn reset_reader_reads_another_text() {
    let mut field = FieldReader::text("/a").strip_control_characters(true);
    assert!(field.push("nonsense").is_err());
    field.reset();
    assert_eq!(field.push("{\"a\": \"x\ny\"}").unwrap(), "x\ny");
    assert!(field.is_complete());
    field.reset();
    assert!(!field.is_found());
}

#[test]
fn debug_has_no_payload() {
    let mut field = FieldReader::text("/a");
    field.push("{\"a\": \"secret").unwrap();
    assert!(!format!("{field:?}").contains("secret"));
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    /// Beside the parser's own view of the complete document, for every value in it.
    #[test]
    fn every_value_is_read_as_the_parser_shows_it(json in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let style = Styles::any(&mut source).style(&mut source);
        let input = write(&json, style);
        let mut parser = Parser::new();
        parser.push(&input).unwrap();
        parser.finish().unwrap();
        let mut again = Parser::new();
        let update = again.push(&input).unwrap();
        let paths: std::collections::BTreeSet<String> =
            update.events().map(|event| event.path.to_pointer()).collect();
        for pointer in paths {
            let mut count = 0;
            for event in update.events() {
                count += usize::from(
                    matches!(event.change, json_chunks::Change::Started(_))
                        && event.path == pointer.as_str(),
                );
            }
            if count > 1 {
                continue;
            }
            let value = parser.pointer(&pointer).unwrap();
            let cuts: Vec<&[u8]> = input.as_bytes().chunks(1 + source.below(5)).collect();
            let (raw, error) = read(FieldReader::json(&pointer), cuts.iter());
            prop_assert_eq!((raw.as_str(), error), (value.raw(), None));
            let (text, error) = read(FieldReader::text(&pointer), cuts.iter());
            match value.as_str() {
                Some(content) => prop_assert_eq!((text.as_str(), error), (content, None)),
                None if value.is_null() => prop_assert_eq!((text.as_str(), error), ("", None)),
                None => {
                    let kind = error.map(|error| error.kind());
                    prop_assert_eq!((text.as_str(), kind), ("", Some(ErrorKind::UnexpectedKind)));
                }
            }
        }
    }
}
