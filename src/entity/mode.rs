//! When an entity is told about, and what of it is shown.

use core::fmt;
use core::str::FromStr;

use crate::document::{Partial, Partials};

/// When entities are told about: the modes of the Partial Stream Spec (its section 7).
///
/// | mode | events | what of an unfinished entity is shown |
/// | --- | --- | --- |
/// | `Batch` | one, with the array of all valid entities, when the whole text has come; one before it for each that a schema refuses | |
/// | `AllTogether` | one an entity, all of them when the whole text has come | |
/// | `OneByOne` | one an entity, when it is complete | |
/// | `Progressive` | one for each push that completes a member or element of the entity | its members or elements that are complete |
/// | `Realtime` | one for each push that shows more of the entity | all that has come, under whole names |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "these are the modes that the specification has"
)]
pub enum EntityMode {
    /// `BATCH`
    Batch,
    /// `ALL-TOGETHER`
    AllTogether,
    /// `ONE-BY-ONE`
    OneByOne,
    /// `PROGRESSIVE`
    Progressive,
    /// `REALTIME`
    #[default]
    Realtime,
}

impl EntityMode {
    const ALL: [Self; 5] = [
        Self::Batch,
        Self::AllTogether,
        Self::OneByOne,
        Self::Progressive,
        Self::Realtime,
    ];

    /// What the specification calls it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "BATCH",
            Self::AllTogether => "ALL-TOGETHER",
            Self::OneByOne => "ONE-BY-ONE",
            Self::Progressive => "PROGRESSIVE",
            Self::Realtime => "REALTIME",
        }
    }

    /// Whether entities are told about before they are complete.
    pub(super) const fn shows_partial(self) -> bool {
        matches!(self, Self::Progressive | Self::Realtime)
    }

    /// What is shown of the members and elements of an entity.
    pub(super) fn partials(self, zero_values: bool) -> Partials {
        let all = |partial| {
            let scalars = Partials::default()
                .strings(partial)
                .numbers(partial)
                .literals(partial);
            scalars.arrays(partial).objects(partial)
        };
        match (self, zero_values) {
            (Self::Realtime, false) => Partials::default(),
            (Self::Realtime, true) => Partials::default().literals(Partial::Zero),
            (_, false) => all(Partial::Omitted),
            (_, true) => all(Partial::Zero),
        }
    }
}

impl fmt::Display for EntityMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// As the specification spells them.
impl FromStr for EntityMode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        let mode = Self::ALL.into_iter().find(|mode| mode.as_str() == text);
        mode.ok_or(UnknownMode(()))
    }
}

/// The text is not the name of an [`EntityMode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMode(());

impl fmt::Display for UnknownMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no mode: expected")?;
        for (n, mode) in EntityMode::ALL.iter().enumerate() {
            write!(f, "{} {mode}", if n == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownMode {}
