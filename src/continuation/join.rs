//! What came of a reply.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::seam::Held;
use crate::error::Error;

/// How a reply belongs to what was there before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinKind {
    /// There was nothing before it.
    First,
    /// It goes on at the very byte where the text ended.
    Continued,
    /// It starts with text that was there already.
    Overlapped,
    /// It starts with the element or member that was cut off, from the start of that.
    ElementAgain,
    /// It starts from the beginning of the document and gets further than before.
    RestartedFurther,
    /// It starts from the beginning of the document and does not get further than before.
    RestartedShorter,
    /// There is nothing new in it.
    Repeated,
    /// It could not be joined: see [`Join::failure`].
    Failed,
}

impl JoinKind {
    const ALL: [(Self, &str); 8] = [
        (Self::First, "first"),
        (Self::Continued, "continued"),
        (Self::Overlapped, "overlapped"),
        (Self::ElementAgain, "element_again"),
        (Self::RestartedFurther, "restarted_further"),
        (Self::RestartedShorter, "restarted_shorter"),
        (Self::Repeated, "repeated"),
        (Self::Failed, "failed"),
    ];

    /// Its name in reports: `first`, `continued`, `overlapped`, `element_again`,
    /// `restarted_further`, `restarted_shorter`, `repeated`, `failed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let of_it = |(kind, name): (Self, &'static str)| (kind == self).then_some(name);
        Self::ALL.into_iter().find_map(of_it).unwrap_or_default()
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        let of_it = |(kind, own): (Self, &str)| (own == name).then_some(kind);
        Self::ALL.into_iter().find_map(of_it)
    }
}

/// How sure a join is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Certainty {
    /// Several joins are possible, or the only one has too little to say for it. Nothing was
    /// joined; one of the [candidates](crate::Accumulator::candidates) can be accepted.
    Ambiguous,
    /// It was joined. Another reading of the reply is possible, but hardly to be expected.
    Likely,
    /// It was joined. Of all joins that are looked for, no other goes on being JSON, or the others
    /// take words around a fence for text, and 32 bytes and more match.
    Certain,
}

impl Certainty {
    /// Its name in reports: `ambiguous`, `likely`, `certain`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ambiguous => "ambiguous",
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// Why a reply could not be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinFailure {
    /// There is no JSON text in the first reply.
    NoJson,
    /// No join of the reply goes on being JSON.
    DoesNotContinue,
    /// The document is complete, and the reply is not a part of it.
    AlreadyComplete,
    /// What the text would become exceeds the [`Limits`](crate::Limits).
    Limit(Error),
}

impl fmt::Display for JoinFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJson => f.write_str("there is no JSON text in it"),
            Self::DoesNotContinue => f.write_str("it does not continue the text as JSON"),
            Self::AlreadyComplete => f.write_str("the document was complete before it"),
            Self::Limit(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for JoinFailure {}

/// One way in which a reply may be joined.
#[derive(Clone, PartialEq, Eq)]
pub struct Candidate {
    pub(super) kind: JoinKind,
    pub(super) overlap: usize,
    pub(super) growth: String,
    pub(super) held: Held,
    pub(super) damaged: bool,
}

impl Candidate {
    /// How the reply would belong to what was there before it.
    #[must_use]
    pub const fn kind(&self) -> JoinKind {
        self.kind
    }

    /// As [`Join::overlap`].
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// The text that it would add.
    #[must_use]
    pub fn growth(&self) -> &str {
        &self.growth
    }

    /// As [`Join::is_damaged`].
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }
}

/// Shows no payload.
impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("kind", &self.kind)
            .field("overlap", &self.overlap)
            .field("growth_bytes", &self.growth.len())
            .field("damaged", &self.damaged)
            .finish_non_exhaustive()
    }
}

/// What came of a reply that was [pushed](crate::Accumulator::push).
///
/// As JSON it is one object:
/// `{"kind":"overlapped","certainty":"likely","overlap":40,"growth":812,"damaged":false}`, with
/// `"candidates":[{"kind":"continued","overlap":0,"growth":852},…]` where it is ambiguous and
/// `"reason":"…"` where it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a reply that could not be joined is only told about here"]
pub struct Join {
    pub(super) kind: JoinKind,
    pub(super) certainty: Certainty,
    pub(super) overlap: usize,
    pub(super) growth: usize,
    pub(super) damaged: bool,
    pub(super) failure: Option<JoinFailure>,
    pub(super) candidates: Arc<[Candidate]>,
}

impl Join {
    /// How the reply belongs to what was there before it; if that is ambiguous, how it does by
    /// the first of the candidates.
    #[must_use]
    pub const fn kind(&self) -> JoinKind {
        self.kind
    }

    /// How sure that is; [`Certainty::Ambiguous`] if the join failed.
    #[must_use]
    pub const fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// How many bytes of the reply's JSON text were there already, in its own spelling.
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }

    /// How many bytes the text has grown by.
    #[must_use]
    pub const fn growth(&self) -> usize {
        self.growth
    }

    /// Whether the reply was taken: it is neither ambiguous nor failed. Otherwise the text is as
    /// it was before.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.certainty > Certainty::Ambiguous
    }

    /// Whether a character was cut in half between the replies and could not be put together: a
    /// U+FFFD stands in its place.
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Why the reply could not be joined at all.
    #[must_use]
    pub const fn failure(&self) -> Option<&JoinFailure> {
        self.failure.as_ref()
    }

    /// The joins that are possible, where that is ambiguous, the most plausible first; not more
    /// than eight. Empty otherwise.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    pub(super) fn failed(failure: JoinFailure) -> Self {
        Self {
            kind: JoinKind::Failed,
            certainty: Certainty::Ambiguous,
            overlap: 0,
            growth: 0,
            damaged: false,
            failure: Some(failure),
            candidates: Arc::default(),
        }
    }

    pub(super) fn ambiguous(candidates: Arc<[Candidate]>) -> Self {
        let first = candidates.first();
        Self {
            kind: first.map_or(JoinKind::Failed, Candidate::kind),
            certainty: Certainty::Ambiguous,
            overlap: first.map_or(0, Candidate::overlap),
            growth: 0,
            damaged: false,
            failure: None,
            candidates,
        }
    }

    pub(super) fn taken(candidate: &Candidate, certainty: Certainty) -> Self {
        Self {
            kind: candidate.kind,
            certainty,
            overlap: candidate.overlap,
            growth: candidate.growth.len(),
            damaged: candidate.damaged,
            failure: None,
            candidates: Arc::default(),
        }
    }
}

impl Serialize for Join {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut join = serializer.serialize_struct("Join", 7)?;
        join.serialize_field("kind", self.kind.name())?;
        join.serialize_field("certainty", self.certainty.name())?;
        join.serialize_field("overlap", &self.overlap)?;
        join.serialize_field("growth", &self.growth)?;
        join.serialize_field("damaged", &self.damaged)?;
        match &self.failure {
            Some(failure) => join.serialize_field("reason", &format_args!("{failure}"))?,
            None => join.skip_field("reason")?,
        }
        if self.candidates.is_empty() {
            join.skip_field("candidates")?;
        } else {
            join.serialize_field("candidates", &*self.candidates)?;
        }
        join.end()
    }
}

impl Serialize for Candidate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut candidate = serializer.serialize_struct("Candidate", 3)?;
        candidate.serialize_field("kind", self.kind.name())?;
        candidate.serialize_field("overlap", &self.overlap)?;
        candidate.serialize_field("growth", &self.growth.len())?;
        candidate.end()
    }
}
