//! Joins of truncated replies.

#![allow(
    clippy::string_slice,
    reason = "a cut inside of a character is made in bytes, and elsewhere it panics"
)]

mod branches;
mod captured;
mod joins;
mod laws;
mod outcomes;
mod persist;
mod progress;
mod prompt;
mod seed;
mod starts;
mod troubles;

use json_chunks::join::{Accumulator, Confidence, JoinKind, JoinOutcome};
use troubles::Case;

/// Returns the text without white space between tokens.
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

/// An outcome for comparisons. An ambiguous one has the kind of the first candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Certain(JoinKind),
    Likely(JoinKind),
    Ambiguous(JoinKind),
    Failed,
}

impl Outcome {
    fn of(outcome: &JoinOutcome) -> Self {
        match outcome {
            JoinOutcome::Joined(join) if join.confidence() == Confidence::Certain => {
                Self::Certain(join.kind())
            }
            JoinOutcome::Joined(join) => Self::Likely(join.kind()),
            JoinOutcome::Ambiguous(candidates) => Self::Ambiguous(candidates[0].kind()),
            _ => Self::Failed,
        }
    }
}

/// The outcome of a case, and whether the text is correct.
#[derive(Debug)]
struct Judged {
    outcome: JoinOutcome,
    is_right: bool,
    /// Ambiguous, and whether one of the candidates is correct.
    is_offered: bool,
}

/// Pushes both replies of a case.
fn judged(case: &Case) -> Judged {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push_bytes(&case.first);
    let before = accumulator.text().to_owned();
    let outcome = match std::str::from_utf8(&case.reply) {
        Ok(reply) => accumulator.push(reply),
        Err(_) => accumulator.push_bytes(&case.reply),
    };
    if outcome.is_joined() {
        assert_eq!(accumulator.text().len(), before.len() + outcome.growth());
        assert!(accumulator.text().starts_with(&before));
    } else {
        assert_eq!(accumulator.text(), before, "{outcome:?}");
    }
    // U+FFFD at the end is held until more text follows.
    let waits = case.whole.strip_suffix('\u{FFFD}');
    let waits = waits.filter(|_| !matches!(Outcome::of(&outcome), Outcome::Certain(_)));
    let is_damaged = outcome
        .joined()
        .is_some_and(json_chunks::join::Join::is_damaged);
    let damaged = case.damaged.as_deref().filter(|_| is_damaged);
    let right = [Some(case.whole.as_str()), waits, damaged];
    let right: Vec<String> = right.into_iter().flatten().map(compact).collect();
    let text = compact(accumulator.text());
    let offered = outcome.candidates().iter();
    let mut offered = offered.map(|candidate| compact(&[&before, candidate.growth()].concat()));
    Judged {
        is_right: right.contains(&text),
        is_offered: offered.any(|offered| right.contains(&offered)),
        outcome,
    }
}
