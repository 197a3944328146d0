//! Hypotheses: possible joins, with the evidence for each.

use core::ops::Range;

use super::JoinKind;
use super::segment::Segment;
use super::split_char::CharFix;

/// A possible join that leaves the text JSON.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other, and all combinations occur"
)]
pub(crate) struct Hypothesis {
    pub(crate) kind: JoinKind,
    /// The new part of the reply.
    pub(crate) new: Range<usize>,
    pub(crate) fix: CharFix,
    pub(crate) segment: Segment,
    pub(crate) old: Old,
    pub(crate) evidence: GrammarEvidence,
    /// Whether it completes the document.
    pub(crate) completes: bool,
    /// Whether prose after it is left out.
    pub(crate) before_prose: bool,
    /// Whether it gives an object two members with the same name.
    pub(crate) duplicates_name: bool,
    /// Whether a comma is inserted before it.
    pub(crate) added_comma: bool,
}

/// The part of the reply that the text contains already. Lengths are without white space between
/// tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Old {
    Nothing,
    /// Its first `len` bytes are the end of the text. `is_evident` is true if this match is
    /// [evidence](super::evidence::is_evident).
    Start {
        len: usize,
        is_evident: bool,
    },
    /// All of its `len` bytes occur in the text, but not at its end.
    Inside {
        len: usize,
    },
}

/// How much the grammar restricts the new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GrammarEvidence {
    /// Not at all: it is text in a string, where any text fits, or digits.
    Nothing,
    /// It contains an escape.
    Escape,
    /// It contains a structural character or a quote.
    Structure,
}

/// A match of the start of the reply with the end of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    /// Its offset in the tail.
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) is_evident: bool,
}

/// How new text is attached to the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Joint {
    /// The old part of the reply before it.
    pub(crate) matching: Option<Match>,
    /// Whether a comma is inserted before it.
    pub(crate) comma: bool,
    /// Whether it is in a wrapper that contains only the rest.
    pub(crate) is_rest: bool,
}

impl Joint {
    pub(crate) fn exact() -> Self {
        Self::default()
    }

    pub(crate) fn after(matching: Match) -> Self {
        Self {
            matching: Some(matching),
            ..Self::default()
        }
    }
}

impl Hypothesis {
    pub(crate) fn adds_nothing(&self) -> bool {
        self.new.is_empty() && self.fix.char.is_none()
    }

    /// Returns the length of the old part.
    pub(crate) fn matched(&self) -> usize {
        match self.old {
            Old::Nothing => 0,
            Old::Start { len, .. } | Old::Inside { len } => len,
        }
    }

    /// Returns the length of the old part if it is evidence, and 0 otherwise.
    pub(crate) fn evidence_bytes(&self) -> usize {
        match self.old {
            Old::Start {
                len,
                is_evident: true,
            } => len,
            Old::Start { .. } | Old::Nothing | Old::Inside { .. } => 0,
        }
    }

    pub(crate) fn is_inside(&self) -> bool {
        matches!(self.old, Old::Inside { .. })
    }
}
