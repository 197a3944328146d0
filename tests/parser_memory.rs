//! What parsing costs in memory, counted at the allocator.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use allocation_counter::{AllocationInfo, measure};
use json_chunks::{Change, Limits, Parser, Partials, Tokenizer};

const KIB: usize = 1024;

/// One string of that many bytes, in fragments of 12.
fn long_string(filling: &str, bytes: usize) -> Vec<String> {
    let text = format!("{{\"text\":\"{}\"}}", filling.repeat(bytes / filling.len()));
    let bytes: Vec<char> = text.chars().collect();
    bytes
        .chunks(12)
        .map(|chunk| chunk.iter().collect())
        .collect()
}

/// Feeds it all and looks at the value after each fragment.
fn feed(parser: &mut Parser, fragments: &[String]) -> AllocationInfo {
    measure(|| {
        let mut seen = 0;
        for fragment in fragments {
            let growth = parser.push_str(fragment).unwrap();
            for event in growth.events() {
                if let Change::Appended(text) = event.change {
                    seen += text.len();
                }
            }
            if let Some(text) = parser.root().and_then(|root| root.get("text")) {
                assert_eq!(text.as_str().unwrap().len(), seen);
            }
        }
        assert!(seen > 0);
    })
}

/// Twice the text costs twice as much, whatever is read in between: no fragment makes the parser
/// copy what it has.
#[test]
fn a_long_string_in_small_fragments_is_linear() {
    for filling in ["plain text ", r"line\n", r"\u00e9", r"\ud83d\ude00", "é😀"] {
        for strip in [false, true] {
            let cost = |bytes: usize| {
                let mut parser = Parser::new().strip_control_characters(strip);
                feed(&mut parser, &long_string(filling, bytes))
            };
            let (half, whole) = (cost(50 * KIB), cost(100 * KIB));
            // The buffers double: where they stand when the text ends makes some difference.
            let most = half.bytes_total * 5 / 2;
            assert!(
                whole.bytes_total <= most,
                "{filling}: {half:?}, then {whole:?}"
            );
            let most = half.count_total * 5 / 2 + 8;
            assert!(
                whole.count_total <= most,
                "{filling}: {half:?}, then {whole:?}"
            );
            // Text and decoded text, each in a buffer that has doubled its way up.
            let most = 10 * 100 * KIB as u64 + whole.count_total * 48;
            assert!(whole.bytes_total <= most, "{filling}: {whole:?}");
        }
    }
}

#[test]
fn to_look_at_a_value_allocates_nothing() {
    let mut parser = Parser::new();
    parser.push_str(r#"{"a":[1,"x\ny"],"long":""#).unwrap();
    parser.push_str(&"text\\n".repeat(10_000)).unwrap();
    let cost = measure(|| {
        let root = parser.root().unwrap();
        assert_eq!(root.get("long").unwrap().as_str().unwrap().len(), 50_000);
        let list = root.get("a").unwrap();
        assert_eq!(list.at(0).unwrap().as_number(), Some("1"));
        assert_eq!(list.at(1).unwrap().as_str(), Some("x\ny"));
        assert_eq!(root.members().count() + list.elements().count(), 4);
        assert!(parser.growth().events().next().is_some());
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

#[test]
fn a_path_that_is_not_rendered_costs_nothing() {
    let mut parser = Parser::new();
    let growth = parser.push_str(r#"{"a":[{"b":[1,2,3]}]}"#).unwrap();
    let cost = measure(|| {
        assert_eq!(
            growth.events().map(|event| event.path.depth()).max(),
            Some(4)
        );
        assert_eq!(
            growth.events().filter(|event| event.path.is_root()).count(),
            2
        );
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

/// The most that was in use at any moment over a stream of that many lines.
fn lines(count: usize, size: usize, separator: &str) -> u64 {
    let line = format!(r#"{{"name":"x\ny","list":[1,2.50,{{"a":null}}]}}{separator}"#);
    let mut parser = Parser::new()
        .several_values(true)
        .limits(Limits::default().max_document_bytes(4096));
    let text = line.repeat(count.min(1000));
    let cost = measure(|| {
        let mut seen = 0;
        for _ in 0..count.div_ceil(1000) {
            for fragment in text.as_bytes().chunks(size) {
                seen += parser.push(fragment).unwrap().completed_roots().count();
            }
        }
        assert_eq!(seen, count);
    });
    cost.bytes_max
}

/// Also where fragments cross the ends of lines, so that something is always open.
#[test]
fn a_stream_of_lines_stays_small() {
    for separator in ["\n", "", "\r\n\n"] {
        for size in [1, 7, 48, 53, 300, 2000] {
            let (few, many) = (lines(1000, size, separator), lines(50_000, size, separator));
            assert!(many <= few, "pieces of {size}: {few}, then {many} bytes");
            assert!(
                many <= 20_000 + 60 * size as u64,
                "pieces of {size}: {many} bytes"
            );
        }
    }
}

/// Servers send blank lines to keep a connection open.
#[test]
fn a_stream_of_blank_lines_stays_small() {
    for first in ["", "{}\n", "[1"] {
        let mut parser = Parser::new().several_values(true);
        parser.push_str(first).unwrap();
        let cost = measure(|| {
            for _ in 0..200_000 {
                parser.push(b"\n").unwrap();
            }
        });
        // Inside of a value white space is text of the document.
        let most = if first == "[1" { 600_000 } else { 4096 };
        assert!(cost.bytes_max <= most, "behind {first:?}: {cost:?}");
    }
}

#[test]
fn the_tokenizer_keeps_what_it_needs() {
    for text in ["[1,\"x\\ny\",true]\n", "            ", "\n"] {
        let mut tokenizer = Tokenizer::new();
        let cost = measure(|| {
            for _ in 0..100_000 {
                tokenizer.push(text.as_bytes());
                while tokenizer.next_token().unwrap().is_some() {}
            }
        });
        assert!(cost.bytes_max <= 4096, "{text:?}: {cost:?}");
    }
}

#[test]
fn a_value_takes_some_eighty_bytes() {
    const VALUES: usize = 100_000;
    let text = format!("[{}0]", "0,".repeat(VALUES - 1));
    let mut parser = Parser::new();
    let cost = measure(|| {
        for fragment in text.as_bytes().chunks(1000) {
            parser.push(fragment).unwrap();
        }
    });
    // Vectors double, so up to twice as much is reserved.
    let most = 2 * (text.len() + 96 * VALUES) + 64 * KIB;
    assert!(
        usize::try_from(cost.bytes_current).unwrap() <= most,
        "{cost:?}"
    );
    assert_eq!(parser.root().unwrap().len(), VALUES);
}

/// Ten thousand streams may be idle at the same time.
#[test]
fn an_idle_parser_is_small() {
    assert!(size_of::<Parser>() <= 2 * KIB);
    let cost = measure(|| drop(Parser::new()));
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

/// What is written is as much as there is.
#[test]
fn to_write_a_value_copies_it_once() {
    let mut parser = Parser::new();
    parser
        .push_str(&format!("[{}0]", "\"text\",".repeat(20_000)))
        .unwrap();
    let mut out = String::with_capacity(200_000);
    let cost = measure(|| {
        parser
            .root()
            .unwrap()
            .write_json(Partials::default(), &mut out);
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
    assert_eq!(out.len(), 20_000 * 7 + 3);
}
