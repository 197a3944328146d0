//! Law 6: the two directions are inverse to each other on values.

use json_chunks::{Chunker, Limits, Parser, PartialPolicy};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::json::{Json, Missing};
use json_chunks_testing::read::{Duplicates, read, read_prefix};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{Producer, choice_bytes, documents, sample_snapshots, thin_out};

fn value(json: &str) -> Result<Json, TestCaseError> {
    read(json, Duplicates::Rejected).map_err(TestCaseError::fail)
}

/// Returns the current value of the document.
fn shown(parser: &Parser) -> Result<Option<Json>, TestCaseError> {
    let json = parser
        .root()
        .map(|root| root.to_json(PartialPolicy::default()));
    json.map(|json| value(&json)).transpose()
}

proptest! {
    #![proptest_config(config(600))]

    /// Snapshots, chunks, document: after each step the document equals the emitted text, which is
    /// a part of the snapshot; at the end it equals the last snapshot.
    #[test]
    fn parsed_chunks_equal_the_snapshots(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let steps = thin_out(Producer::default().steps(&document, &mut source), 60);
        let styles = Styles::any(&mut source);
        let snapshots = styles.write_all(sample_snapshots(steps, &mut source), &mut source);
        let (mut chunker, mut parser) = (Chunker::new(), Parser::new());
        let mut out = String::new();
        for (snapshot, text) in &snapshots {
            let chunk = chunker.push(text).unwrap();
            out.push_str(&chunk);
            for piece in pieces(chunk.as_bytes(), &mut source) {
                parser.push(piece).unwrap();
            }
            if out.is_empty() {
                prop_assert!(parser.root().is_none());
                continue;
            }
            let prefix = read_prefix(&out, Duplicates::Rejected).map_err(TestCaseError::fail)?;
            prop_assert!(prefix.is_part_of(snapshot, Missing::Anything), "{out} of {text}");
            prop_assert_eq!(shown(&parser)?, Some(prefix.value), "{}", out);
        }
        parser.push(chunker.finish()).unwrap();
        prop_assert!(parser.finish().unwrap().is_complete());
        let last = shown(&parser)?;
        prop_assert_eq!(last.as_ref(), snapshots.last().map(|(last, _)| last));
    }

    /// Fragments, snapshots, chunks: the text may differ, but the value is the same.
    #[test]
    fn chunked_snapshots_equal_the_text(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        // A number or literal is omitted while it grows, because a visible one would be revised
        // later; the chunker expects that from producers.
        let waits = PartialPolicy::complete_only().strings(json_chunks::PartialMode::Keep);
        let (mut chunker, mut parser) = (Chunker::new(), Parser::new());
        let mut out = String::new();
        let mut push = |chunker: &mut Chunker, parser: &Parser| {
            let Some(root) = parser.root() else { return };
            // The document may consist only of an omitted value.
            if root.is_complete() || root.kind().is_container() || root.as_str().is_some() {
                out.push_str(&chunker.push(&root.to_json(waits)).unwrap());
            }
        };
        for piece in pieces(text.as_bytes(), &mut source) {
            parser.push(piece).unwrap();
            push(&mut chunker, &parser);
        }
        parser.finish().unwrap();
        push(&mut chunker, &parser);
        out.push_str(&chunker.finish());
        prop_assert_eq!(chunker.take_revisions(), []);
        prop_assert_eq!(value(&out)?, document);
    }

    /// Growing numbers are visible with the option of the chunker for these.
    #[test]
    fn round_trip_holds_with_growing_numbers(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let partials = PartialPolicy::default();
        let mut chunker = Chunker::new().growing_numbers(true);
        let mut parser = Parser::new();
        let mut out = String::new();
        let mut push = |chunker: &mut Chunker, parser: &Parser| {
            if let Some(root) = parser.root() {
                out.push_str(&chunker.push(&root.to_json(partials)).unwrap());
            }
        };
        let mut fed = Vec::new();
        for piece in pieces(text.as_bytes(), &mut source) {
            parser.push(piece).unwrap();
            fed.extend_from_slice(piece);
            // A lone sign would appear as zero, which is no prefix of the number.
            if !fed.ends_with(b"-") {
                push(&mut chunker, &parser);
            }
        }
        parser.finish().unwrap();
        push(&mut chunker, &parser);
        out.push_str(&chunker.finish());
        prop_assert_eq!(chunker.take_revisions(), []);
        prop_assert_eq!(value(&out)?, document);
    }
}

/// One byte per fragment, and each limit as low as the document allows.
#[test]
fn round_trip_is_exact_after_every_push() {
    let text = r#"{"a":[{"b":"x\ny"},12.50,null],"c":{"d":""}}"#;
    let limits = Limits::default()
        .max_depth(3)
        .max_token_bytes(5)
        .max_document_bytes(u32::try_from(text.len()).unwrap());
    let mut chunker = Chunker::new().limits(limits);
    let (mut parser, mut second) = (Parser::new().limits(limits), Parser::new().limits(limits));
    let waits = PartialPolicy::default().numbers(json_chunks::PartialMode::Omit);
    let mut out = String::new();
    for byte in text.as_bytes() {
        parser.push([*byte]).unwrap();
        let snapshot = parser.root().unwrap().to_json(waits);
        let chunk = chunker.push(&snapshot).unwrap();
        out.push_str(&chunk);
        second.push(&chunk).unwrap();
        let seen = second.root().unwrap().to_json(PartialPolicy::default());
        assert!(
            snapshot.starts_with(seen.trim_end_matches(['}', ']', '"'])),
            "{seen}"
        );
    }
    let end = chunker.finish();
    second.push(&end).unwrap();
    second.finish().unwrap();
    assert_eq!(out + &end, text);
    assert_eq!(
        second.root().unwrap().to_json(PartialPolicy::default()),
        text
    );
}
