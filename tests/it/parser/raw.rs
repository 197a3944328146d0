//! The raw text of values, and elements by index.

use json_chunks::{Parser, Value};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

/// All values in the order of the text, each followed by its descendants.
fn values(root: Value<'_>) -> Vec<Value<'_>> {
    let mut all = vec![root];
    let inside = root
        .elements()
        .chain(root.members().map(|(_, member)| member));
    all.extend(inside.flat_map(values));
    all
}

fn raws(parser: &Parser) -> Vec<String> {
    let root = parser.root();
    root.map_or_else(Vec::new, |root| {
        let raws = values(root).into_iter().map(|value| value.raw().to_owned());
        raws.collect()
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn raw_of_complete_value_is_its_json_text(document in documents(), source in choice_bytes()) {
        let text = write(&document, Styles::any(&mut ByteSource::new(&source)).style(&mut ByteSource::new(&source)));
        let mut parser = Parser::new();
        parser.push(&text).unwrap();
        parser.finish().unwrap();
        let root = parser.root().unwrap();
        prop_assert_eq!(root.raw(), text.trim_matches([' ', '\n', '\r', '\t', '\u{FEFF}']));
        for value in values(root) {
            let mut again = Parser::new();
            again.push(value.raw()).unwrap();
            again.finish().unwrap();
            let again = again.root().unwrap();
            prop_assert_eq!(again.raw(), value.raw());
            prop_assert_eq!(again.to_string(), value.to_string());
            prop_assert_eq!(again.as_str(), value.as_str());
        }
    }

    /// Also in the second of two documents, after the first one was dropped.
    #[test]
    fn raw_of_partial_value_is_start_of_final_one(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut entire = Parser::new();
        entire.push(&text).unwrap();
        entire.finish().unwrap();
        let last = raws(&entire);
        let cut = text.len() * source.below(256) / 256;
        let cut = (0..=cut).rev().find(|cut| text.is_char_boundary(*cut)).unwrap_or(0);
        let (start, rest) = text.split_at(cut);
        for before in ["", r#"["a\n",{"b":"\u0041"}] "#] {
            let mut parser = Parser::new().multiple_values(!before.is_empty());
            parser.push(before).unwrap();
            parser.push(start).unwrap();
            // Names are unique, so no member is superseded.
            if parser.root().is_some_and(|root| !root.is_complete()) {
                let now = raws(&parser);
                prop_assert!(now.len() <= last.len());
                for (now, last) in now.iter().zip(&last) {
                    prop_assert!(last.starts_with(now), "{now:?} of {last:?}");
                }
            }
            parser.push(rest).unwrap();
            parser.finish().unwrap();
            prop_assert_eq!(raws(&parser), last.clone());
        }
    }

    #[test]
    fn get_of_every_index_is_that_element(document in documents(), source in choice_bytes()) {
        let text = write(&document, Styles::any(&mut ByteSource::new(&source)).style(&mut ByteSource::new(&source)));
        let mut parser = Parser::new();
        for piece in [&text, ""] {
            parser.push(piece).unwrap();
            for value in parser.root().map_or_else(Vec::new, values) {
                for (index, element) in value.elements().enumerate() {
                    prop_assert_eq!(value.get(index).unwrap().raw(), element.raw());
                }
                prop_assert!(value.get(value.len()).is_none());
            }
        }
    }
}

#[test]
fn raw_keeps_brackets_quotes_and_white_space() {
    let mut parser = Parser::new();
    parser
        .push(r#" { "a" : [ 1 , "x\n\u0041" , { } ] , "b" : nul"#)
        .unwrap();
    for (pointer, raw) in [
        ("", r#"{ "a" : [ 1 , "x\n\u0041" , { } ] , "b" : nul"#),
        ("/a", r#"[ 1 , "x\n\u0041" , { } ]"#),
        ("/a/0", "1"),
        ("/a/1", r#""x\n\u0041""#),
        ("/a/2", "{ }"),
        ("/b", "nul"),
    ] {
        assert_eq!(parser.pointer(pointer).unwrap().raw(), raw, "{pointer}");
    }
    parser.push(r#"l, "c": "é\ud83d"#).unwrap();
    let open = parser.pointer("/c").unwrap();
    assert_eq!((open.raw(), open.as_str()), (r#""é"#, Some("é")));
    parser.push(r#"\ude00"}"#).unwrap();
    let complete = parser.pointer("/c").unwrap();
    assert_eq!(complete.raw(), r#""é\ud83d\ude00""#);
}

/// An element in the middle is found by a search, also among elements of different sizes.
#[test]
fn get_in_uneven_arrays_is_that_element() {
    let deep = ["[".repeat(90), "]".repeat(90)].concat();
    let wide = format!("[{}0]", "0,".repeat(5000));
    for parts in [
        vec!["\"1\""; 1000],
        vec![&wide, "null", "[]"],
        vec!["[]", "null", &wide],
        vec![&deep; 50],
        [vec!["1"; 300], vec![&deep, &wide], vec!["{\"a\":[]}"; 300]].concat(),
    ] {
        for closer in ["", "]"] {
            let mut parser = Parser::new();
            parser
                .push(format!("[{}{closer}", parts.join(",")))
                .unwrap();
            let root = parser.root().unwrap();
            assert_eq!(root.len(), parts.len());
            for (index, part) in parts.iter().enumerate() {
                assert_eq!(root.get(index).unwrap().raw(), *part);
            }
            assert!(root.get(parts.len()).is_none());
        }
    }
}
