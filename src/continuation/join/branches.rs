//! Replies after an ambiguous one.
//!
//! Every candidate of the ambiguous reply is a branch: the text with that candidate appended. The
//! next reply is judged on each branch. It is not joined to the text itself, because that would be
//! a join across a gap: `{"t":"one two thr` and `ve six"}` fit, but `three four fi` belongs between
//! them.

use alloc::vec::Vec;

use super::evidence::SHORT;
use super::rank::{MOST_CANDIDATES, Ranked, Verdict};
use super::{Candidate, Confidence, JoinFailure};
use crate::json::is_whitespace;

/// The possible joins of a reply on all branches.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    several: Vec<Ranked>,
    /// Whether the reply would be joined on at least one branch.
    has_join: bool,
    failure: Option<JoinFailure>,
    /// Whether there were more branches than are kept.
    is_partial: bool,
}

impl Readings {
    pub(crate) fn new(is_partial: bool) -> Self {
        Self {
            is_partial,
            ..Self::default()
        }
    }

    /// Adds the verdict on a branch.
    pub(crate) fn add(&mut self, branch: &Candidate, verdict: Verdict) {
        match verdict {
            Verdict::Take(mut ranked, _) => {
                self.has_join = true;
                // The same overlap as last time is evidence, because it usually is a property of
                // the model or of the calling code.
                let overlap = ranked.candidate.overlap;
                if overlap >= SHORT && overlap == branch.overlap {
                    ranked.matched += SHORT;
                }
                self.push(branch, ranked);
            }
            Verdict::Choose(several) => {
                for ranked in several {
                    self.push(branch, ranked);
                }
            }
            Verdict::Fail(failure) => {
                self.failure.get_or_insert(failure);
            }
        }
    }

    /// Adds the verdict on the text without a branch, if it explains the branches: the reply
    /// repeats one of them, or the text is empty and the ambiguous reply was prose.
    pub(crate) fn add_base(&mut self, branches: &[Candidate], is_empty: bool, verdict: Verdict) {
        let Verdict::Take(ranked, _) = verdict else {
            return;
        };
        let repeats = |branch: &Candidate| {
            let blank = |byte: &u8| is_whitespace(*byte);
            let mut growth = ranked.candidate.growth.bytes().filter(|byte| !blank(byte));
            let mut branch = branch.growth.bytes().filter(|byte| !blank(byte));
            branch.all(|byte| growth.next() == Some(byte))
        };
        let is_repeated = ranked.matched >= SHORT && branches.iter().any(repeats);
        if is_empty || is_repeated {
            self.has_join = true;
            self.insert(ranked);
        }
    }

    fn push(&mut self, branch: &Candidate, mut ranked: Ranked) {
        // Unless this branch matches entirely, a branch that was not kept may match as well.
        if self.is_partial && ranked.matched < branch.growth.len() {
            ranked.matched = 0;
        }
        let candidate = &mut ranked.candidate;
        candidate.growth.insert_str(0, &branch.growth);
        candidate.damaged |= branch.damaged;
        candidate.added_comma |= branch.added_comma;
        self.insert(ranked);
    }

    /// Adds a join, unless another one leads to the same text: then the better match is kept.
    fn insert(&mut self, ranked: Ranked) {
        let same = self.several.iter_mut().find(|other| {
            let (one, other) = (&ranked.candidate, &other.candidate);
            (&one.growth, &one.held) == (&other.growth, &other.held)
        });
        match same {
            Some(other) if other.matched < ranked.matched => *other = ranked,
            Some(_) => {}
            None => self.several.push(ranked),
        }
    }

    /// Returns the verdict on all branches.
    pub(crate) fn decide(mut self) -> Verdict {
        // The sort is stable: the most plausible branch stays first.
        self.several
            .sort_by_key(|ranked| core::cmp::Reverse(ranked.matched));
        let is_decided = match self.several.as_slice() {
            [] => {
                let failure = self.failure.unwrap_or(JoinFailure::DoesNotContinue);
                return Verdict::Fail(failure);
            }
            [only] => only.matched >= SHORT || (self.has_join && !self.is_partial),
            [best, second, ..] => best.matched >= second.matched + SHORT,
        };
        if is_decided {
            return Verdict::Take(self.several.swap_remove(0), Confidence::Likely);
        }
        Verdict::Choose(self.several)
    }
}

/// Returns the first [`MOST_CANDIDATES`] candidates, and whether there were more.
pub(crate) fn kept(ranked: Vec<Ranked>) -> (Vec<Candidate>, bool) {
    let is_partial = ranked.len() > MOST_CANDIDATES;
    let kept = ranked.into_iter().take(MOST_CANDIDATES);
    (kept.map(|ranked| ranked.candidate).collect(), is_partial)
}
