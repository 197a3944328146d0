//! What may follow the text: a fork of the parser's [automaton](crate::json::Automaton).
//!
//! Checking a continuation must take time in the length of the continuation, not of the text. So
//! the state after the text is kept beside the parser, in about 100 bytes, and a [`Probe`]
//! continues from a copy of it, within the same limits.

use alloc::vec::Vec;
use core::ops::Range;

use super::hypothesis::GrammarEvidence;
use crate::error::Reason;
use crate::json::{Automaton, Expect, Step, TokenPlace};
use crate::limits::Limits;

/// The state after a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grammar {
    automaton: Automaton,
}

impl Grammar {
    pub(crate) fn token(&self) -> TokenPlace {
        self.automaton.lexer.place()
    }

    /// Returns whether a value is next.
    pub(crate) fn expects_value(&self) -> bool {
        let expect = self.automaton.syntax.expect();
        let is_next = matches!(expect, Expect::Value | Expect::FirstElement);
        is_next && self.token() == TokenPlace::Between
    }

    /// Returns whether the root has ended.
    pub(crate) fn is_complete(&self) -> bool {
        self.automaton.syntax.expect() == Expect::Nothing
    }

    /// Returns whether the root ends where the text does.
    pub(crate) fn is_complete_at_end(&self) -> bool {
        let is_number = self.token() == TokenPlace::Number { is_whole: true };
        self.is_complete() || (is_number && self.automaton.syntax.depth() == 0)
    }
}

/// A member name that a probe has read, in an object that was open when the probe started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewName {
    /// The number of containers around the member.
    pub(crate) level: usize,
    /// The offset of its start; `None` if the text before the probe contains it.
    pub(crate) start: Option<usize>,
    pub(crate) end: usize,
}

/// The maximum number of names that are remembered.
const MOST_NAMES: usize = 16;

/// Continues from a copy of the state of a [`Grammar`].
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    automaton: Automaton,
    limits: Limits,
    /// The number of containers that were open at the start and still are.
    kept: u32,
    evidence: GrammarEvidence,
    names: Vec<NewName>,
}

/// The offset at which a probe stopped, and the limit if it exceeded one there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) limit: Option<Reason>,
}

impl Probe {
    pub(crate) fn new(grammar: &Grammar, limits: Limits) -> Self {
        Self {
            automaton: grammar.automaton.clone(),
            limits,
            kept: grammar.automaton.syntax.depth(),
            evidence: GrammarEvidence::Nothing,
            names: Vec::new(),
        }
    }

    /// Reads `bytes` from `start` to their end, or up to the first byte that may not follow.
    pub(crate) fn run(&mut self, bytes: &[u8], start: usize) -> Result<(), Stop> {
        self.automaton = self.automaton.fork(start);
        // `{"na` and `me":1}`: the length so far of the token that the probe continues in.
        let mut begun = match self.token() {
            TokenPlace::Between => None,
            TokenPlace::String
            | TokenPlace::Escape
            | TokenPlace::Number { .. }
            | TokenPlace::Literal => Some(self.automaton.lexer.token_len()),
        };
        loop {
            match self.automaton.next(bytes, false, self.limits.depth) {
                Ok(Step::End) => return self.end(bytes, start, begun.is_some()),
                Ok(step) => self.step(&step, start, begun.take())?,
                Err(error) => {
                    // As in the parser: the valid part of a token may already be too long.
                    self.check(self.automaton.lexer.token_len(), start)?;
                    let at = error.offset();
                    let limit = match error.reason() {
                        Reason::TooDeep(limit) => Some(Reason::TooDeep(*limit)),
                        _ => None,
                    };
                    return Err(Stop { at, limit });
                }
            }
        }
    }

    /// Follows a step. Of its token, `begun` bytes were read before `start`.
    fn step(&mut self, step: &Step, start: usize, begun: Option<usize>) -> Result<(), Stop> {
        let len = |range: &Range<usize>| match begun {
            Some(begun) => begun + (range.end - start),
            None => range.len(),
        };
        match step {
            Step::Name(range, _) => {
                self.check(len(range), range.start.max(start))?;
                let level = self.automaton.syntax.depth();
                if level == self.kept && self.names.len() < MOST_NAMES {
                    self.names.push(NewName {
                        level: level as usize,
                        start: begun.is_none().then_some(range.start),
                        end: range.end,
                    });
                }
            }
            Step::String(range, _) => self.check(len(range), range.start.max(start))?,
            Step::Number(range) => {
                self.automaton.syntax.end_value();
                return self.check(len(range), range.start.max(start));
            }
            Step::Close(_) => self.kept = self.kept.min(self.automaton.syntax.depth()),
            Step::Open(..) | Step::Separator => {}
            Step::Literal(..) | Step::End => return Ok(()),
        }
        self.evidence = GrammarEvidence::Structure;
        Ok(())
    }

    /// Follows the token that the text ends in, which may have begun before `start`.
    fn end(&mut self, bytes: &[u8], start: usize, has_begun: bool) -> Result<(), Stop> {
        if self.token().is_string() {
            let new = bytes.get(start..).unwrap_or_default();
            let evidence = match has_begun {
                false => GrammarEvidence::Structure,
                true if new.contains(&b'\\') => GrammarEvidence::Escape,
                true => GrammarEvidence::Nothing,
            };
            self.evidence = self.evidence.max(evidence);
        }
        let len = self.automaton.lexer.token_len();
        self.check(len, bytes.len().saturating_sub(len).max(start))
    }

    /// Checks the length of the string or number at `at`.
    fn check(&self, len: usize, at: usize) -> Result<(), Stop> {
        let limit = self.limits.token_bytes;
        if len > limit as usize {
            let limit = Some(Reason::TokenTooLarge(limit));
            return Err(Stop { at, limit });
        }
        Ok(())
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.automaton.syntax.expect() == Expect::Nothing
    }

    pub(crate) fn token(&self) -> TokenPlace {
        self.automaton.lexer.place()
    }

    pub(crate) fn evidence(&self) -> GrammarEvidence {
        self.evidence
    }

    pub(crate) fn names(&self) -> &[NewName] {
        &self.names
    }

    /// Returns the state after what the probe has read.
    pub(crate) fn into_grammar(self) -> Grammar {
        Grammar {
            automaton: self.automaton,
        }
    }
}

#[cfg(test)]
mod tests;
