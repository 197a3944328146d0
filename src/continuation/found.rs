//! A way to join, and what speaks for it.

use core::ops::Range;

use super::join::JoinKind;
use super::seam::Mend;
use super::wrapping::Body;

/// A way to join that goes on being JSON.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) kind: JoinKind,
    /// What of the reply is new.
    pub(super) new: Range<usize>,
    pub(super) mend: Mend,
    pub(super) body: Body,
    pub(super) old: Old,
    pub(super) spoken: Spoken,
    /// Whether the document is complete with it.
    pub(super) completes: bool,
    /// Whether words behind it are left out.
    pub(super) before_prose: bool,
    /// Whether it gives an object two members of one name.
    pub(super) doubles: bool,
}

/// What of the reply the text has already. Lengths leave out white space between tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Old {
    Nothing,
    /// So many bytes at its start, which the text ends in; if these are periodic, they repeat
    /// themselves or are repeated around that.
    Start {
        len: usize,
        is_periodic: bool,
    },
    /// All of it, so many bytes, but not at the end of the text.
    Inside {
        len: usize,
    },
}

/// What the grammar had to say about new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spoken {
    /// Nothing: any text would do, or any digits.
    Nothing,
    /// There is an escape in it.
    Escape,
    /// There is a structural byte or a quote in it.
    Structure,
}

impl Found {
    pub(super) fn adds_nothing(&self) -> bool {
        self.new.is_empty() && self.mend.char.is_none()
    }

    /// How many bytes match.
    pub(super) fn matched(&self) -> usize {
        match self.old {
            Old::Nothing => 0,
            Old::Start { len, .. } | Old::Inside { len } => len,
        }
    }

    pub(super) fn is_inside(&self) -> bool {
        matches!(self.old, Old::Inside { .. })
    }
}
