//! Law 5: any split gives the same events, the same document and the same tokens.

use json_chunks::{Limits, Parser};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use super::DEPTH;
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::{Transcript, feed, pieces};
use json_chunks_testing::json::Json;
use json_chunks_testing::outline::Outline;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents, large_documents, many_choice_bytes};

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_split_gives_the_same_events_and_document(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = written(&document, &mut source);
        let outline = Outline::of(text.as_bytes(), DEPTH);
        same(&feed(&mut Parser::new(), [&text]), &outline)?;
        same(&feed(&mut Parser::new(), pieces(text.as_bytes(), &mut source)), &outline)?;
        same(&feed(&mut Parser::new(), text.as_bytes().chunks(1)), &outline)?;
    }

    /// The result is the same whichever fragment exceeds a limit, and whatever other mistakes it
    /// has.
    #[test]
    fn any_split_exceeds_the_same_limit(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let mut text = written(&document, &mut source).into_bytes();
        if source.one_in(2) {
            let at = source.below(256) * text.len() / 256;
            text.insert(at, *source.choose(b"\x01\\x,}\xff"));
        }
        let below = |source: &mut ByteSource<'_>, most: usize| u32::try_from(source.below(most)).unwrap();
        let mut limits = Limits::default();
        match source.below(4) {
            0 => limits = limits.max_depth(below(&mut source, 4)),
            1 => limits = limits.max_token_bytes(below(&mut source, 12)),
            2 => limits = limits.max_document_bytes(below(&mut source, 60)),
            _ => limits = limits.max_token_bytes(below(&mut source, 12)).max_document_bytes(below(&mut source, 60)),
        }
        let parser = || Parser::new().limits(limits);
        let whole = feed(&mut parser(), [&text]);
        for transcript in [
            feed(&mut parser(), pieces(&text, &mut source)),
            feed(&mut parser(), text.chunks(1)),
        ] {
            prop_assert!(transcript.agrees(&whole), "{}: {transcript:?}, not {whole:?}", text.escape_ascii());
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn any_split_of_a_large_document_gives_the_same(document in large_documents(), source in many_choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = written(&document, &mut source);
        let outline = Outline::of(text.as_bytes(), DEPTH);
        same(&feed(&mut Parser::new(), pieces(text.as_bytes(), &mut source)), &outline)?;
        same(&feed(&mut Parser::new(), text.as_bytes().chunks(1)), &outline)?;
    }
}

fn written(document: &Json, source: &mut ByteSource<'_>) -> String {
    let bom = if source.one_in(16) { "\u{FEFF}" } else { "" };
    [bom, &write(document, Styles::any(source).style(source))].concat()
}

fn same(transcript: &Transcript, outline: &Outline) -> Result<(), TestCaseError> {
    prop_assert_eq!(transcript.error, None);
    prop_assert_eq!(&transcript.events, &outline.events);
    prop_assert_eq!(&transcript.rows, &outline.rows_at_end());
    Ok(())
}

/// A parser that is reset anywhere behaves like a new one.
#[test]
fn reset_discards_earlier_input() {
    let text = r#"{"a":[1.5e3,"x\ud83d\ude00é",true],"b":null}"#.as_bytes();
    let whole = feed(&mut Parser::new(), [text]);
    let mut parser = Parser::new();
    for stopped in 0..=text.len() {
        parser.push(&text[..stopped]).unwrap();
        parser.reset();
        assert!(parser.root().is_none());
        assert_eq!(parser.last_update().text(), "");
        assert_eq!(feed(&mut parser, [text]), whole, "stopped at {stopped}");
        parser.reset();
    }
}

/// A clone is independent.
#[test]
fn cloned_parser_continues_independently() {
    let text = r#"{"a":[1.5e3,"x\ud83d\ude00é",true],"b":null}"#.as_bytes();
    let outline = Outline::of(text, DEPTH);
    for split in 0..=text.len() {
        let (before, behind) = text.split_at(split);
        let mut parser = Parser::new();
        parser.push(before).unwrap();
        let mut other = parser.clone();
        other.push(b"\x07").unwrap_err();
        parser.push(behind).unwrap();
        parser.finish().unwrap();
        assert_eq!(
            json_chunks_testing::feed::rows(&parser),
            outline.rows_at_end()
        );
    }
}
