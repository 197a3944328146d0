//! Random documents and their producers, chosen by the fuzzer's bytes.

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::{
    Json, REPLACEMENT, Text, is_high_surrogate, is_low_surrogate, text,
};
use json_chunks_testing::writing::{Fill, NUMBERS, Producer};

/// Returns a random producer.
pub(crate) fn producer(source: &mut ByteSource<'_>) -> Producer {
    Producer {
        growing_numbers: source.one_in(3),
        fill: *source.choose(&[Fill::Nothing, Fill::Nothing, Fill::Null]),
        in_order: false,
    }
}

/// Returns a random JSON value.
pub(crate) fn document(source: &mut ByteSource<'_>) -> Json {
    value(source, 4)
}

/// Returns a random value with at most this many levels of objects and arrays.
fn value(source: &mut ByteSource<'_>, levels: usize) -> Json {
    match source.below(if levels == 0 { 8 } else { 16 }) {
        0 => Json::Null,
        1 => Json::Bool(source.one_in(2)),
        2 | 3 => Json::Num(number(source)),
        4..=7 => Json::Str(string(source)),
        8..=10 => {
            let count = source.below(6);
            Json::Arr((0..count).map(|_| value(source, levels - 1)).collect())
        }
        _ => object(source, levels),
    }
}

fn object(source: &mut ByteSource<'_>, levels: usize) -> Json {
    // Wide objects are searched in a different way.
    let (count, wide) = match source.below(8) {
        7 => (12 + source.below(20), true),
        count => (count, false),
    };
    let mut members: Vec<(Text, Json)> = Vec::new();
    for index in 0..count {
        let name = if wide {
            text(&format!("{index} of the names"))
        } else {
            name(source)
        };
        let levels = if wide { 0 } else { levels - 1 };
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, value(source, levels)));
        }
    }
    Json::Obj(members)
}

fn name(source: &mut ByteSource<'_>) -> Text {
    const NAMES: &[&str] = &[
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "",
        ".",
        "a.b",
        "\"",
        "\\",
        "/",
        "~1",
        "\u{0}",
        "é",
        "😀",
        "0",
        // Around sixteen bytes, the length of the prefix by which names are compared first.
        "title",
        "of sixteen byte",
        "of sixteen bytes",
        "of sixteen byt\"",
        "of sixteen byt\"s",
        "of more than sixteen bytes",
    ];
    match source.below(NAMES.len() + 1) {
        0 => string(source),
        index => text(NAMES[index - 1]),
    }
}

fn number(source: &mut ByteSource<'_>) -> String {
    match source.below(NUMBERS.len() + 4) {
        index @ 4.. => NUMBERS[index - 4].to_owned(),
        _ => i16::from_le_bytes([source.byte(), source.byte()]).to_string(),
    }
}

fn string(source: &mut ByteSource<'_>) -> Text {
    const AWKWARD: &[u32] = &[
        0x22,
        0x5C,
        0x2F,
        0x0A,
        0x01,
        0x7F,
        0x20,
        0x7E,
        0x75,
        0xE9,
        0x4E2D,
        0x2028,
        0x1_F600,
        0x1_D11E,
        0x10_FFFF,
        REPLACEMENT,
        0xD83D,
        0xDE00,
        0xFEFF,
        0xFFFF,
    ];
    let length = match source.below(12) {
        11 => 11 + source.below(80),
        length => length,
    };
    let mut text = Text::new();
    for _ in 0..length {
        let byte = source.byte();
        let next = match AWKWARD.get(usize::from(byte >> 3)) {
            Some(awkward) if byte & 7 > 3 => *awkward,
            _ => u32::from(b'a' + byte % 26),
        };
        let meets = text.last().copied().is_some_and(is_high_surrogate);
        // Two adjacent halves would be one character.
        if !(meets && is_low_surrogate(next)) {
            text.push(next);
        }
    }
    text
}
