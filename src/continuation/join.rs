//! Joins a reply to the text so far.
//!
//! # For maintainers
//!
//! A join takes these steps, one file each:
//!
//! | step | file | task |
//! | --- | --- | --- |
//! | decode | `split_char` | removes half a character from either end of the reply |
//! | segments | `segment` | finds the parts of the reply that may be its JSON text |
//! | search | `search`, `normalize`, `overlap` | finds where new text may start, by matching |
//! | rest | `rest` | finds new text in a wrapper that contains only the rest |
//! | check | `check`, `grammar`, `duplicate_names` | keeps the places where the text stays JSON |
//! | rank | `rank`, `evidence` | chooses one `hypothesis`, or none |
//! | branches | `branches` | judges a reply on every candidate of an ambiguous one before it |
//!
//! Imports go one way: `hypothesis` ← `search` ← `check`, `rest` ← `rank` ← `branches`.
//!
//! Invariants:
//!
//! - *Growing text.* A join only appends, and the text is a prefix of JSON after every join
//!   (asserted in `Trunk::grow`: the parser accepts what the grammar accepted).
//! - *Never wrong and certain.* A hypothesis is [`Certain`](Confidence::Certain) only if no other
//!   join that is searched for leaves the text JSON.
//! - *No join across a gap.* Nothing is appended while an earlier reply is ambiguous.
//! - *Linear time.* Matching is Knuth-Morris-Pratt over a window; every limit is a constant at the
//!   top of its file, because the grammar reads the reply once for each candidate.
//!
//! To support a new way in which models continue: a search in `search` or `rest` that adds
//! hypotheses, a rule in `rank` that decides when they are believed, and a case in
//! `tests/it/continuation/troubles.rs`.

pub(crate) mod branches;
mod check;
mod duplicate_names;
mod evidence;
pub(crate) mod grammar;
mod hypothesis;
mod normalize;
mod overlap;
pub(crate) mod rank;
mod rest;
pub(crate) mod search;
mod segment;
pub(crate) mod split_char;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::error::Error;
use split_char::Held;

/// How a reply relates to the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinKind {
    /// There was no text before it.
    First,
    /// It continues at the byte where the text ended.
    Continued,
    /// It repeats the end of the text, and continues from there.
    Overlapped,
    /// It repeats the truncated element or member from its start.
    ElementAgain,
    /// It is a new wrapper, or a bare array, that contains only the rest.
    RestOnly,
    /// It starts from the beginning of the document and gets further than the text.
    RestartedFurther,
    /// It starts from the beginning of the document and does not get further than the text.
    RestartedShorter,
    /// It contains nothing new.
    Repeated,
}

impl JoinKind {
    const ALL: [Self; 8] = [
        Self::First,
        Self::Continued,
        Self::Overlapped,
        Self::ElementAgain,
        Self::RestOnly,
        Self::RestartedFurther,
        Self::RestartedShorter,
        Self::Repeated,
    ];

    /// Returns the serialized name: `first`, `continued`, `overlapped`, `element_again`,
    /// `rest_only`, `restarted_further`, `restarted_shorter`, `repeated`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Continued => "continued",
            Self::Overlapped => "overlapped",
            Self::ElementAgain => "element_again",
            Self::RestOnly => "rest_only",
            Self::RestartedFurther => "restarted_further",
            Self::RestartedShorter => "restarted_shorter",
            Self::Repeated => "repeated",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// How certain a join is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Confidence {
    /// Another join is possible, but unlikely.
    Likely,
    /// No other join that is searched for leaves the text JSON.
    Certain,
}

impl Confidence {
    /// Returns the serialized name: `likely`, `certain`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// The outcome of [`Accumulator::push`](crate::continuation::Accumulator::push).
///
/// It serializes as an object without payload:
///
/// - `{"outcome":"joined","kind":"overlapped","confidence":"likely","overlap":40,"growth":812,`
///   `"added_comma":false,"damaged":false}`
/// - `{"outcome":"ambiguous","candidates":[{"kind":"continued","overlap":0,"growth":852},…]}`
/// - `{"outcome":"failed","reason":"…"}`
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a reply that could not be joined is reported only here"]
#[non_exhaustive]
pub enum JoinOutcome {
    /// The reply was joined.
    Joined(Join),
    /// Several joins are possible, or the only one has too little evidence. The document is
    /// unchanged until the next reply or
    /// [`Accumulator::accept`](crate::continuation::Accumulator::accept) decides. The most
    /// plausible candidate is the first.
    Ambiguous(Vec<Candidate>),
    /// The reply could not be joined. The document and the candidates of an earlier ambiguous
    /// reply are unchanged.
    Failed(JoinFailure),
}

impl JoinOutcome {
    /// Returns whether the reply was joined.
    #[must_use]
    pub const fn is_joined(&self) -> bool {
        matches!(self, Self::Joined(_))
    }

    /// Returns the join, if the reply was joined.
    #[must_use]
    pub const fn joined(&self) -> Option<&Join> {
        match self {
            Self::Joined(join) => Some(join),
            Self::Ambiguous(_) | Self::Failed(_) => None,
        }
    }

    /// Returns the candidates, if the reply is ambiguous.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Self::Ambiguous(candidates) => candidates,
            Self::Joined(_) | Self::Failed(_) => &[],
        }
    }

    /// Returns why the reply could not be joined, if it could not.
    #[must_use]
    pub const fn failure(&self) -> Option<&JoinFailure> {
        match self {
            Self::Failed(failure) => Some(failure),
            Self::Joined(_) | Self::Ambiguous(_) => None,
        }
    }

    /// Returns the number of bytes that were appended to the text; 0 unless the reply was joined.
    #[must_use]
    pub const fn growth(&self) -> usize {
        match self {
            Self::Joined(join) => join.growth,
            Self::Ambiguous(_) | Self::Failed(_) => 0,
        }
    }
}

/// Why a reply could not be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinFailure {
    /// The first reply contains no JSON text, one that is malformed, or several.
    NoJson,
    /// No join of the reply leaves the text JSON.
    DoesNotContinue,
    /// The document was complete already, and the reply is not a repetition of it.
    AlreadyComplete,
    /// The joined text would exceed the [`Limits`](crate::limits::Limits).
    Limit(Error),
}

impl fmt::Display for JoinFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJson => f.write_str("it does not contain one JSON text"),
            Self::DoesNotContinue => f.write_str("it does not continue the text as JSON"),
            Self::AlreadyComplete => f.write_str("the document was complete before it"),
            Self::Limit(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for JoinFailure {}

/// A possible join of an ambiguous reply.
#[derive(Clone, PartialEq, Eq)]
pub struct Candidate {
    pub(super) kind: JoinKind,
    pub(super) overlap: usize,
    pub(super) growth: String,
    pub(super) held: Held,
    pub(super) damaged: bool,
    pub(super) added_comma: bool,
}

impl Candidate {
    /// Returns how the reply would relate to the text before it.
    #[must_use]
    pub const fn kind(&self) -> JoinKind {
        self.kind
    }

    /// Returns the same as [`Join::overlap`].
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// Returns the text that would be appended to the document, including that of earlier ambiguous
    /// replies.
    #[must_use]
    pub fn growth(&self) -> &str {
        &self.growth
    }

    /// Returns the same as [`Join::added_comma`].
    #[must_use]
    pub const fn added_comma(&self) -> bool {
        self.added_comma
    }

    /// Returns the same as [`Join::is_damaged`].
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }
}

/// Omits the payload.
impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("kind", &self.kind)
            .field("overlap", &self.overlap)
            .field("growth_bytes", &self.growth.len())
            .field("added_comma", &self.added_comma)
            .field("damaged", &self.damaged)
            .finish_non_exhaustive()
    }
}

/// The details of a join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    pub(super) kind: JoinKind,
    pub(super) confidence: Confidence,
    pub(super) overlap: usize,
    pub(super) growth: usize,
    pub(super) damaged: bool,
    pub(super) added_comma: bool,
}

impl Join {
    pub(super) fn of(candidate: &Candidate, confidence: Confidence) -> Self {
        Self {
            kind: candidate.kind,
            confidence,
            overlap: candidate.overlap,
            growth: candidate.growth.len(),
            damaged: candidate.damaged,
            added_comma: candidate.added_comma,
        }
    }

    /// Returns how the reply relates to the text before it.
    #[must_use]
    pub const fn kind(&self) -> JoinKind {
        self.kind
    }

    /// Returns how certain the join is.
    #[must_use]
    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Returns how many bytes at the start of the reply's JSON text repeat the document, in the
    /// spelling of the reply.
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// Returns the number of bytes that were appended to the text, including those of earlier
    /// ambiguous replies that this join decided.
    #[must_use]
    pub const fn growth(&self) -> usize {
        self.growth
    }

    /// Returns whether a comma was inserted that both the text and the reply lack.
    #[must_use]
    pub const fn added_comma(&self) -> bool {
        self.added_comma
    }

    /// Returns whether a character was split between two replies and could not be restored: the
    /// text has U+FFFD in its place.
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }
}

impl Serialize for JoinOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Joined(join) => join.serialize(serializer),
            Self::Ambiguous(candidates) => {
                let mut object = serializer.serialize_struct("JoinOutcome", 2)?;
                object.serialize_field("outcome", "ambiguous")?;
                object.serialize_field("candidates", candidates)?;
                object.end()
            }
            Self::Failed(failure) => {
                let mut object = serializer.serialize_struct("JoinOutcome", 2)?;
                object.serialize_field("outcome", "failed")?;
                object.serialize_field("reason", &format_args!("{failure}"))?;
                object.end()
            }
        }
    }
}

/// Serializes like a [`JoinOutcome`].
impl Serialize for Join {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut join = serializer.serialize_struct("Join", 7)?;
        join.serialize_field("outcome", "joined")?;
        join.serialize_field("kind", self.kind.as_str())?;
        join.serialize_field("confidence", self.confidence.as_str())?;
        join.serialize_field("overlap", &self.overlap)?;
        join.serialize_field("growth", &self.growth)?;
        join.serialize_field("added_comma", &self.added_comma)?;
        join.serialize_field("damaged", &self.damaged)?;
        join.end()
    }
}

impl Serialize for Candidate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut candidate = serializer.serialize_struct("Candidate", 3)?;
        candidate.serialize_field("kind", self.kind.as_str())?;
        candidate.serialize_field("overlap", &self.overlap)?;
        candidate.serialize_field("growth", &self.growth.len())?;
        candidate.end()
    }
}
