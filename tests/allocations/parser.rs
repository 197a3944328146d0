//! The memory that parsing takes, counted at the allocator.

use allocation_counter::{AllocationInfo, measure};
use json_chunks::tokens::Tokenizer;
use json_chunks::{Change, Limits, Parser, PartialPolicy};

const KIB: usize = 1024;

/// One string of this many bytes, in fragments of 12 bytes.
fn long_string(filling: &str, bytes: usize) -> Vec<String> {
    let text = format!("{{\"text\":\"{}\"}}", filling.repeat(bytes / filling.len()));
    let bytes: Vec<char> = text.chars().collect();
    bytes
        .chunks(12)
        .map(|chunk| chunk.iter().collect())
        .collect()
}

/// Pushes all fragments, and reads the value after each.
fn feed(parser: &mut Parser, fragments: &[String]) -> AllocationInfo {
    measure(|| {
        let mut seen = 0;
        for fragment in fragments {
            let update = parser.push(fragment).unwrap();
            for event in update.events() {
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

/// Twice the text costs twice as much, because no fragment makes the parser copy the text so far.
#[test]
fn long_string_in_small_fragments_is_linear() {
    for filling in ["plain text ", r"line\n", r"\u00e9", r"\ud83d\ude00", "é😀"] {
        for strip in [false, true] {
            let cost = |bytes: usize| {
                let mut parser = Parser::new().strip_control_characters(strip);
                feed(&mut parser, &long_string(filling, bytes))
            };
            let (half, whole) = (cost(50 * KIB), cost(100 * KIB));
            // The buffers double, so their spare capacity at the end differs.
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
            // Text and decoded text, each in a buffer that grew by doubling.
            let most = 10 * 100 * KIB as u64 + whole.count_total * 48;
            assert!(whole.bytes_total <= most, "{filling}: {whole:?}");
        }
    }
}

#[test]
fn reading_a_value_allocates_nothing() {
    let mut parser = Parser::new();
    parser.push(r#"{"a":[1,"x\ny"],"long":""#).unwrap();
    parser.push("text\\n".repeat(10_000)).unwrap();
    let cost = measure(|| {
        let root = parser.root().unwrap();
        assert_eq!(root.get("long").unwrap().as_str().unwrap().len(), 50_000);
        let list = root.get("a").unwrap();
        assert_eq!(list.get(0).unwrap().as_number(), Some("1"));
        assert_eq!(list.get(1).unwrap().as_str(), Some("x\ny"));
        assert_eq!(root.members().count() + list.elements().count(), 4);
        assert!(parser.last_update().events().next().is_some());
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

#[test]
fn unrendered_path_allocates_nothing() {
    let mut parser = Parser::new();
    let update = parser.push(r#"{"a":[{"b":[1,2,3]}]}"#).unwrap();
    let cost = measure(|| {
        assert_eq!(
            update.events().map(|event| event.path.depth()).max(),
            Some(4)
        );
        assert_eq!(
            update.events().filter(|event| event.path.is_root()).count(),
            2
        );
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

/// Returns the peak memory over a stream of this many lines.
fn lines(count: usize, size: usize, separator: &str) -> u64 {
    let line = format!(r#"{{"name":"x\ny","list":[1,2.50,{{"a":null}}]}}{separator}"#);
    let mut parser = Parser::new()
        .multiple_values(true)
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

/// Fragments cross the line ends, so that a value is always open.
#[test]
fn memory_stays_bounded_over_many_lines() {
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
fn memory_stays_bounded_over_blank_lines() {
    for first in ["", "{}\n", "[1"] {
        let mut parser = Parser::new().multiple_values(true);
        parser.push(first).unwrap();
        let cost = measure(|| {
            for _ in 0..200_000 {
                parser.push(b"\n").unwrap();
            }
        });
        // White space inside of a value is part of the document.
        let most = if first == "[1" { 600_000 } else { 4096 };
        assert!(cost.bytes_max <= most, "behind {first:?}: {cost:?}");
    }
}

#[test]
fn tokenizer_keeps_only_the_current_token() {
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

/// Parses an array of this many digits in pieces, and returns the memory in use at its end.
fn digits(values: usize) -> usize {
    let text = format!("[{}0]", "0,".repeat(values - 1));
    let mut parser = Parser::new();
    let cost = measure(|| {
        for fragment in text.as_bytes().chunks(4096) {
            parser.push(fragment).unwrap();
        }
    });
    assert_eq!(parser.root().unwrap().len(), values);
    usize::try_from(cost.bytes_current).unwrap()
}

#[test]
fn value_takes_32_bytes_and_at_most_a_quarter_in_reserve() {
    for values in [100_000, 131_073, 150_000] {
        let text = 2 * values;
        let most = (text + 32 * values) * 5 / 4 + 64 * KIB;
        let used = digits(values);
        assert!(used <= most, "{values} values: {used} bytes");
    }
}

#[test]
fn ten_mebibytes_of_digits_take_at_most_250_megabytes() {
    let used = digits(5 * KIB * KIB);
    assert!(used <= 250_000_000, "{used} bytes");
}

/// Typical replies of models take at most 2.5 times their text.
#[test]
fn document_of_prose_takes_at_most_two_and_a_half_times_its_text() {
    let record = r#"{"type": "Sightseeing", "title": "Morning walk", "description": "The market opens at six, and by seven the harbour is full of boats.", "price": 12}"#;
    let text = format!("[{}{record}]", format!("{record}, ").repeat(5000));
    let mut parser = Parser::new();
    let cost = measure(|| {
        for fragment in text.as_bytes().chunks(4096) {
            parser.push(fragment).unwrap();
        }
    });
    let used = usize::try_from(cost.bytes_current).unwrap();
    assert!(used * 2 <= text.len() * 5, "{used} bytes of {}", text.len());
}

/// Ten thousand streams may be idle at the same time.
#[test]
fn idle_parser_is_small() {
    assert!(size_of::<Parser>() <= 2 * KIB);
    let cost = measure(|| drop(Parser::new()));
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

/// The allocated text is exactly the text of the value.
#[test]
fn writing_a_value_copies_it_once() {
    let mut parser = Parser::new();
    parser
        .push(format!("[{}0]", "\"text\",".repeat(20_000)))
        .unwrap();
    let mut out = String::with_capacity(200_000);
    let cost = measure(|| {
        parser
            .root()
            .unwrap()
            .write_json(PartialPolicy::default(), &mut out);
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
    assert_eq!(out.len(), 20_000 * 7 + 3);
}
