//! Law 5: however a text is split, the parser tells the same and shows the same, and so do the
//! tokens.

use json_chunks::{Limits, Parser};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use crate::DEPTH;
use crate::support::config;
use crate::support::feed::{Heard, feed, pieces};
use crate::support::json::Json;
use crate::support::outline::Outline;
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{documents, large_documents, long_tapes, tapes};

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_split_tells_and_shows_the_same(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = written(&document, &mut tape);
        let outline = Outline::of(text.as_bytes(), DEPTH);
        same(&feed(&mut Parser::new(), [&text]), &outline)?;
        same(&feed(&mut Parser::new(), pieces(text.as_bytes(), &mut tape)), &outline)?;
        same(&feed(&mut Parser::new(), text.as_bytes().chunks(1)), &outline)?;
    }

    /// In which fragment a limit is exceeded must not matter, and neither what else is wrong with
    /// that fragment.
    #[test]
    fn any_split_meets_the_same_limit(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let mut text = written(&document, &mut tape).into_bytes();
        if tape.once_in(2) {
            let at = tape.below(256) * text.len() / 256;
            text.insert(at, *tape.one_of(b"\x01\\x,}\xff"));
        }
        let below = |tape: &mut Tape<'_>, most: usize| u32::try_from(tape.below(most)).unwrap();
        let mut limits = Limits::default();
        match tape.below(4) {
            0 => limits = limits.max_depth(below(&mut tape, 4)),
            1 => limits = limits.max_token_bytes(below(&mut tape, 12)),
            2 => limits = limits.max_document_bytes(below(&mut tape, 60)),
            _ => limits = limits.max_token_bytes(below(&mut tape, 12)).max_document_bytes(below(&mut tape, 60)),
        }
        let parser = || Parser::new().limits(limits);
        let whole = feed(&mut parser(), [&text]);
        for heard in [
            feed(&mut parser(), pieces(&text, &mut tape)),
            feed(&mut parser(), text.chunks(1)),
        ] {
            prop_assert!(heard.agrees(&whole), "{}: {heard:?}, not {whole:?}", text.escape_ascii());
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn any_split_of_a_large_document_does(document in large_documents(), tape in long_tapes()) {
        let mut tape = Tape::new(&tape);
        let text = written(&document, &mut tape);
        let outline = Outline::of(text.as_bytes(), DEPTH);
        same(&feed(&mut Parser::new(), pieces(text.as_bytes(), &mut tape)), &outline)?;
        same(&feed(&mut Parser::new(), text.as_bytes().chunks(1)), &outline)?;
    }
}

fn written(document: &Json, tape: &mut Tape<'_>) -> String {
    let bom = if tape.once_in(16) { "\u{FEFF}" } else { "" };
    [bom, &write(document, Hand::any(tape).style(tape))].concat()
}

fn same(heard: &Heard, outline: &Outline) -> Result<(), TestCaseError> {
    prop_assert_eq!(heard.error, None);
    prop_assert_eq!(&heard.told, &outline.told);
    prop_assert_eq!(&heard.rows, &outline.rows_at_end());
    Ok(())
}

/// A parser that was stopped anywhere and reset is as good as new.
#[test]
fn what_came_before_a_reset_leaves_no_trace() {
    let text = r#"{"a":[1.5e3,"x\ud83d\ude00é",true],"b":null}"#.as_bytes();
    let whole = feed(&mut Parser::new(), [text]);
    let mut parser = Parser::new();
    for stopped in 0..=text.len() {
        parser.push(&text[..stopped]).unwrap();
        parser.reset();
        assert!(parser.root().is_none());
        assert_eq!(parser.growth().text(), "");
        assert_eq!(feed(&mut parser, [text]), whole, "stopped at {stopped}");
        parser.reset();
    }
}

/// A clone goes its own way.
#[test]
fn a_parser_can_be_cloned_anywhere() {
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
        assert_eq!(crate::support::feed::rows(&parser), outline.rows_at_end());
    }
}
