//! Whether a bracket in a text is the start of its JSON.
//!
//! # For maintainers
//!
//! [`judge`] is a function of the text from the bracket on and of the [`LinePlace`] before it, so
//! the verdict is the same wherever the text is split. The first row that applies decides:
//!
//! | the text | example | verdict |
//! | --- | --- | --- |
//! | breaks the grammar | `[1/2]`, `{name}`, `[ARGS]`, `[x]` | prose |
//! | a member's name, a colon, and a value that starts | `{"a": t` | JSON |
//! | an array with a string that is followed by a comma or the end | `["a",` | JSON |
//! | [`LONGEST_HELD`] bytes, and still correct | `[[0.25, 1.5, …` | JSON |
//! | a value that ends, after a marker that promises JSON | `<tool_call>[]` | JSON |
//! | a value that ends, and its line, too | `␊[1, 2]␊`, `Answer: {}␊` | JSON |
//! | a value that ends elsewhere | `as shown in [1], {} is` | prose |
//! | the end of the text, on a line of its own or after a colon | `␊[1, ` | JSON, cut off |
//! | the end of the text elsewhere | `as shown in [1` | prose |
//! | anything else | `{"na` | held until more arrives |

use super::cost::count;
use crate::error::Error;
use crate::json::{Automaton, Container, Expect, Step, starts_value};
use crate::wrapping::LinePlace;

/// The maximum number of bytes that are held back for a verdict: names of members are shorter, and
/// so are references like `[1, 2, 17]`.
pub(super) const LONGEST_HELD: usize = 128;
/// The maximum number of spaces between a value and the end of its line.
const LONGEST_BLANK: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Json,
    Prose,
    /// More of the text has to arrive.
    NeedMore,
}

/// Judges a text that starts with a bracket. `is_promised` says that a marker before it promises
/// JSON; `is_end` that the text ends here.
pub(super) fn judge(text: &[u8], place: LinePlace, is_promised: bool, is_end: bool) -> Verdict {
    let head = text.get(..LONGEST_HELD).unwrap_or(text);
    let mut automaton = Automaton::default();
    loop {
        let start = automaton.lexer.at();
        let step = automaton.next(head, false, u32::MAX);
        let end = step
            .as_ref()
            .err()
            .map_or(automaton.lexer.at(), Error::offset);
        count(end.saturating_sub(start) + 1);
        let next = automaton.lexer.peek(head).map(|(_, byte)| byte);
        let container = automaton.syntax.container();
        match step {
            Err(_) => return Verdict::Prose,
            Ok(Step::End) => break,
            Ok(Step::Separator) => match (container, automaton.syntax.expect(), next) {
                (Some(Container::Object), Expect::Value, Some(first)) => {
                    return verdict(starts_value(first));
                }
                (Some(Container::Object), Expect::Value, None) => break,
                _ => {}
            },
            Ok(Step::String(..)) => match next {
                Some(next) => return verdict(matches!(next, b',' | b']')),
                None => break,
            },
            Ok(Step::Close(at)) if container.is_none() => {
                let rest = text.get(at + 1..).unwrap_or_default();
                return match place {
                    _ if is_promised => Verdict::Json,
                    LinePlace::Own | LinePlace::AfterColon => judge_rest(rest, place, is_end),
                    LinePlace::Inline => Verdict::Prose,
                };
            }
            Ok(Step::Number(_)) => automaton.syntax.end_value(),
            Ok(Step::Open(..) | Step::Close(_) | Step::Name(..) | Step::Literal(..)) => {}
        }
    }
    if text.len() >= LONGEST_HELD {
        Verdict::Json
    } else if is_end {
        verdict(is_promised || place != LinePlace::Inline)
    } else {
        Verdict::NeedMore
    }
}

/// Judges a value that starts its line by the text after it on the line.
fn judge_rest(rest: &[u8], place: LinePlace, is_end: bool) -> Verdict {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let blank = rest.iter().take(LONGEST_BLANK).take_while(is_blank).count();
    match rest.get(blank) {
        // `␊[1]` at the end of the text, or far from anything else.
        _ if blank == LONGEST_BLANK => Verdict::Json,
        None if is_end => Verdict::Json,
        None => Verdict::NeedMore,
        // The end of the line, or a fence or tag, as in `[1]</tool_call>`.
        Some(b'\n' | b'`' | b'~' | b'<') => Verdict::Json,
        // `The numbers: [1, 2].`
        Some(b'.') if place == LinePlace::AfterColon => Verdict::Json,
        // `[1] Smith et al.`
        Some(_) => Verdict::Prose,
    }
}

const fn verdict(is_json: bool) -> Verdict {
    if is_json {
        Verdict::Json
    } else {
        Verdict::Prose
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: Verdict = Verdict::Json;
    const PROSE: Verdict = Verdict::Prose;
    const MORE: Verdict = Verdict::NeedMore;

    /// Returns the verdicts at the start of a line, after a colon, elsewhere and after a marker,
    /// first while more text may follow, then at the end of the text.
    fn verdicts(text: &str) -> [[Verdict; 4]; 2] {
        [false, true].map(|is_end| {
            let judge = |place, promised| judge(text.as_bytes(), place, promised, is_end);
            [
                judge(LinePlace::Own, false),
                judge(LinePlace::AfterColon, false),
                judge(LinePlace::Inline, false),
                judge(LinePlace::Inline, true),
            ]
        })
    }

    #[test]
    fn every_row_of_the_table_decides() {
        let held = ["[", &"1,".repeat(100)].concat();
        let short = held.split_at(LONGEST_HELD - 1).0;
        for (text, open, end) in [
            ("[1/2]", [PROSE; 4], [PROSE; 4]),
            ("{name}", [PROSE; 4], [PROSE; 4]),
            ("[ARGS]{", [PROSE; 4], [PROSE; 4]),
            ("{{x}}", [PROSE; 4], [PROSE; 4]),
            ("{\"a\": x", [PROSE; 4], [PROSE; 4]),
            ("{\"a\"}", [PROSE; 4], [PROSE; 4]),
            ("[\"a\" b]", [PROSE; 4], [PROSE; 4]),
            ("{\"a\": t", [JSON; 4], [JSON; 4]),
            ("{ \"a\"\n: \"", [JSON; 4], [JSON; 4]),
            ("[{\"a\":1", [JSON; 4], [JSON; 4]),
            ("[\"a\" ,", [JSON; 4], [JSON; 4]),
            ("[[1, \"a\"]", [JSON; 4], [JSON; 4]),
            (&held, [JSON; 4], [JSON; 4]),
            (short, [MORE; 4], [JSON, JSON, PROSE, JSON]),
            ("[]", [MORE, MORE, PROSE, JSON], [JSON, JSON, PROSE, JSON]),
            (
                "{} \n",
                [JSON, JSON, PROSE, JSON],
                [JSON, JSON, PROSE, JSON],
            ),
            (
                "[1] Smith",
                [PROSE, PROSE, PROSE, JSON],
                [PROSE, PROSE, PROSE, JSON],
            ),
            (
                "[1, 2].",
                [PROSE, JSON, PROSE, JSON],
                [PROSE, JSON, PROSE, JSON],
            ),
            (
                "[1]</s>",
                [JSON, JSON, PROSE, JSON],
                [JSON, JSON, PROSE, JSON],
            ),
            ("{\"na", [MORE; 4], [JSON, JSON, PROSE, JSON]),
            ("{\"a\": ", [MORE; 4], [JSON, JSON, PROSE, JSON]),
            ("[\"a\"", [MORE; 4], [JSON, JSON, PROSE, JSON]),
        ] {
            assert_eq!(verdicts(text), [open, end], "{text}");
        }
    }

    #[test]
    fn verdict_stays_when_more_arrives() {
        let held = ["[", &"[1,".repeat(100)].concat();
        let name = ["{\"", &"n".repeat(200), "\"}"].concat();
        let blank = ["[1]", &" ".repeat(100), "x"].concat();
        for text in [
            "[1/2]",
            "{\"a\": [1]}",
            "[\"a\", 1]",
            "[1]\n",
            &held,
            &name,
            &blank,
        ] {
            for place in [LinePlace::Own, LinePlace::AfterColon, LinePlace::Inline] {
                for is_promised in [false, true] {
                    let judge = |end| judge(&text.as_bytes()[..end], place, is_promised, false);
                    let all = judge(text.len());
                    for end in 1..text.len() {
                        let verdict = judge(end);
                        assert!(
                            verdict == MORE || verdict == all,
                            "{text} {end} {verdict:?}"
                        );
                    }
                }
            }
        }
    }
}
