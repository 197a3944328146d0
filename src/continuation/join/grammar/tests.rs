//! Compares the automaton with the parser.

use super::*;
use crate::parser::Parser;

/// Returns the offsets up to which the parser and a probe accept a text.
fn taken(text: &[u8], limits: Limits) -> (Option<usize>, Option<usize>) {
    let mut parser = Parser::new().limits(limits);
    let parsed = parser.push(text).map(drop);
    let grammar = Grammar::default();
    let mut probe = Probe::new(&grammar, limits);
    let stop = probe.run(text, 0).err();
    if stop.is_none() {
        let whole = parser.finish().is_ok();
        let complete = probe.is_complete() || probe.run(b" ", 0).is_ok() && probe.is_complete();
        assert_eq!(whole, complete, "{:?}", core::str::from_utf8(text));
    }
    let offset = parsed.err().map(|error| error.offset());
    (offset, stop.map(|stop| stop.at))
}

#[test]
fn it_takes_what_the_parser_takes() {
    let letters = b"{}[],:\"\\1-.eu \n";
    let mut texts = alloc::vec![Vec::new()];
    let mut longest = 0..1;
    for _ in 0..4 {
        let longer: Vec<Vec<u8>> = (texts[longest].iter())
            .flat_map(|text| {
                letters
                    .iter()
                    .map(|letter| [text.as_slice(), &[*letter]].concat())
            })
            .collect();
        longest = texts.len()..texts.len() + longer.len();
        texts.extend(longer);
    }
    for start in ["", "[", "{\"a\":", "[[1,\"", "tru", "[{}", "{\"a\":[nul"] {
        for text in &texts {
            let text = [start.as_bytes(), text].concat();
            let (parser, probe) = taken(&text, Limits::default());
            assert_eq!(
                parser.is_some(),
                probe.is_some(),
                "{text:?}: {parser:?} {probe:?}"
            );
        }
    }
}

#[test]
fn its_limits_are_not_looser_than_those_of_the_parser() {
    let limits = Limits::default().max_depth(2).max_token_bytes(3);
    for (text, stops) in [
        ("[[1]]", None),
        ("[{\"a\":[", Some(6)),
        ("\"abc\"", None),
        ("\"abcd", Some(4)),
        ("{\"ab\\n", Some(5)),
        ("[-12", None),
        ("[-123", Some(4)),
        ("[true,false,null", None),
    ] {
        let (parser, probe) = taken(text.as_bytes(), limits);
        assert_eq!(
            (parser.is_some(), probe.is_some()),
            (stops.is_some(), stops.is_some()),
            "{text}"
        );
    }
}
