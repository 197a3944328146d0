//! Law 6: the two directions are each other's inverse on values.

use json_chunks::{Chunker, Limits, Parser, Partials};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use crate::support::config;
use crate::support::feed::pieces;
use crate::support::json::{Json, Missing};
use crate::support::read::{Duplicates, read, read_so_far};
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{Producer, documents, fewer, some_of, tapes};

fn value(json: &str) -> Result<Json, TestCaseError> {
    read(json, Duplicates::Refused).map_err(TestCaseError::fail)
}

/// What the document says now.
fn shown(parser: &Parser) -> Result<Option<Json>, TestCaseError> {
    let json = parser.root().map(|root| root.to_json(Partials::default()));
    json.map(|json| value(&json)).transpose()
}

proptest! {
    #![proptest_config(config(600))]

    /// Snapshots, chunks, document: at each step what is out is a part of the snapshot, and the
    /// document is what is out; at the end it is the last snapshot.
    #[test]
    fn chunks_read_again_are_the_snapshots(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let steps = fewer(Producer::default().steps(&document, &mut tape), 60);
        let hand = Hand::any(&mut tape);
        let snapshots = hand.write_all(some_of(steps, &mut tape), &mut tape);
        let (mut chunker, mut parser) = (Chunker::new(), Parser::new());
        let mut out = String::new();
        for (snapshot, text) in &snapshots {
            let chunk = chunker.push(text).unwrap();
            out.push_str(&chunk);
            for piece in pieces(chunk.as_bytes(), &mut tape) {
                parser.push(piece).unwrap();
            }
            if out.is_empty() {
                prop_assert!(parser.root().is_none());
                continue;
            }
            let so_far = read_so_far(&out, Duplicates::Refused).map_err(TestCaseError::fail)?;
            prop_assert!(so_far.is_part_of(snapshot, Missing::Anything), "{out} of {text}");
            prop_assert_eq!(shown(&parser)?, Some(so_far.value), "{}", out);
        }
        parser.push_str(&chunker.finish()).unwrap();
        prop_assert!(parser.finish().unwrap().is_complete());
        let last = shown(&parser)?;
        prop_assert_eq!(last.as_ref(), snapshots.last().map(|(last, _)| last));
    }

    /// Fragments, snapshots, chunks: the text is another, the value is the same.
    #[test]
    fn snapshots_chunked_again_are_the_text(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        // What a number or literal is going to be is not known while it grows, and to show it is a
        // revision when it turns out otherwise: the producers that the chunker expects wait.
        let waits = Partials::complete_only().strings(json_chunks::Partial::Shown);
        let (mut chunker, mut parser) = (Chunker::new(), Parser::new());
        let mut out = String::new();
        let mut push = |chunker: &mut Chunker, parser: &Parser| {
            let Some(root) = parser.root() else { return };
            // All that there is may be a value that waits.
            if root.is_complete() || root.kind().is_container() || root.as_str().is_some() {
                out.push_str(&chunker.push(&root.to_json(waits)).unwrap());
            }
        };
        for piece in pieces(text.as_bytes(), &mut tape) {
            parser.push(piece).unwrap();
            push(&mut chunker, &parser);
        }
        parser.finish().unwrap();
        push(&mut chunker, &parser);
        out.push_str(&chunker.finish());
        prop_assert_eq!(chunker.take_revisions(), []);
        prop_assert_eq!(value(&out)?, document);
    }

    /// Shown as they grow, numbers are digits that may get more, which the chunker can be told.
    #[test]
    fn with_growing_numbers_too(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let partials = Partials::default();
        let mut chunker = Chunker::new().growing_numbers(true);
        let mut parser = Parser::new();
        let mut out = String::new();
        let mut push = |chunker: &mut Chunker, parser: &Parser| {
            if let Some(root) = parser.root() {
                out.push_str(&chunker.push(&root.to_json(partials)).unwrap());
            }
        };
        let mut fed = Vec::new();
        for piece in pieces(text.as_bytes(), &mut tape) {
            parser.push(piece).unwrap();
            fed.extend_from_slice(piece);
            // A sign alone would show as a zero, which is no beginning of what comes.
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

/// One fragment a byte, and each limit as tight as the document allows.
#[test]
fn a_tight_fit_both_ways() {
    let text = r#"{"a":[{"b":"x\ny"},12.50,null],"c":{"d":""}}"#;
    let limits = Limits::default()
        .max_depth(3)
        .max_token_bytes(5)
        .max_document_bytes(u32::try_from(text.len()).unwrap());
    let mut chunker = Chunker::new().limits(limits);
    let (mut parser, mut second) = (Parser::new().limits(limits), Parser::new().limits(limits));
    let waits = Partials::default().numbers(json_chunks::Partial::Omitted);
    let mut out = String::new();
    for byte in text.as_bytes() {
        parser.push(&[*byte]).unwrap();
        let snapshot = parser.root().unwrap().to_json(waits);
        let chunk = chunker.push(&snapshot).unwrap();
        out.push_str(&chunk);
        second.push_str(&chunk).unwrap();
        let seen = second.root().unwrap().to_json(Partials::default());
        assert!(
            snapshot.starts_with(seen.trim_end_matches(['}', ']', '"'])),
            "{seen}"
        );
    }
    let end = chunker.finish();
    second.push_str(&end).unwrap();
    second.finish().unwrap();
    assert_eq!(out + &end, text);
    assert_eq!(second.root().unwrap().to_json(Partials::default()), text);
}
