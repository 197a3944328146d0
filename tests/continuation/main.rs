//! Replies that were cut off, joined.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![allow(
    clippy::string_slice,
    reason = "a cut inside of a character is made in bytes, and elsewhere it panics"
)]

mod captured;
mod joins;
mod laws;
mod seed;
mod serial;
mod starts;
#[path = "../support/mod.rs"]
mod support;
mod told;
mod troubles;

use json_chunks::{Accumulator, Certainty, Join};
use troubles::Case;

/// The text without white space between its tokens.
fn compact(text: &str) -> String {
    let mut out = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for char in text.chars() {
        if !in_string && char.is_ascii_whitespace() {
            continue;
        }
        out.push(char);
        match char {
            '"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = in_string && char == '\\' && !escaped;
    }
    out
}

/// What came of a reply, and whether the text is what it should be.
#[derive(Debug)]
struct Outcome {
    join: Join,
    is_right: bool,
    /// Whether it is ambiguous and one of the candidates is right.
    is_offered: bool,
}

/// Pushes the first reply of a case, then the next.
fn outcome(case: &Case) -> Outcome {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push_bytes(&case.first);
    let before = accumulator.text().to_owned();
    let join = match std::str::from_utf8(&case.reply) {
        Ok(reply) => accumulator.push(reply),
        Err(_) => accumulator.push_bytes(&case.reply),
    };
    if join.is_taken() {
        assert_eq!(accumulator.text().len(), before.len() + join.growth());
        assert!(accumulator.text().starts_with(&before));
    } else {
        assert_eq!(accumulator.text(), before, "{join:?}");
        assert_eq!(join.certainty(), Certainty::Ambiguous);
    }
    // A replacement character at the end waits for what is behind it.
    let waits = case.whole.strip_suffix('\u{FFFD}');
    let waits = waits.filter(|_| join.certainty() < Certainty::Certain);
    let damaged = case.damaged.as_deref().filter(|_| join.is_damaged());
    let right = [Some(case.whole.as_str()), waits, damaged];
    let right: Vec<String> = right.into_iter().flatten().map(compact).collect();
    let text = compact(accumulator.text());
    let offered = join.candidates().iter();
    let mut offered = offered.map(|candidate| compact(&[&before, candidate.growth()].concat()));
    Outcome {
        is_right: right.contains(&text),
        is_offered: offered.any(|offered| right.contains(&offered)),
        join,
    }
}
