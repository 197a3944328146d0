//! The modes: when entities are reported, and how much of them is shown.

use core::fmt;
use core::str::FromStr;

use crate::config::{Named as _, named};
use crate::document::{PartialMode, PartialPolicy};

/// When entities are reported: the modes of the Partial Stream Spec (its section 7).
///
/// | mode | events | shown part of an incomplete entity |
/// | --- | --- | --- |
/// | `Batch` | one at the end of the text, with the array of all valid entities | |
/// | `AllTogether` | one for each entity, all of them at the end of the text | |
/// | `OneByOne` | one for each entity, when it is complete | |
/// | `Progressive` | one for each push that completes a child of it | its complete children |
/// | `Realtime` | one for each push that adds to the entity | everything under a complete name |
///
/// In `Batch`, each entity that the schema refuses has an `ERROR` event, before the event with the
/// array. A child is a member or an element. In all modes except the first two, a list that starts
/// over (`"list"` twice in an object) causes one event without data, with the index from which on
/// entities are void.
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
    /// Returns whether entities are reported before they are complete.
    pub(super) const fn shows_partial(self) -> bool {
        matches!(self, Self::Progressive | Self::Realtime)
    }

    /// Returns how the members and elements of an open entity are shown.
    pub(super) fn partials(self, zero_values: bool) -> PartialPolicy {
        let all = |partial| {
            let scalars = PartialPolicy::default()
                .strings(partial)
                .numbers(partial)
                .literals(partial);
            scalars.arrays(partial).objects(partial)
        };
        match (self, zero_values) {
            (Self::Realtime, false) => PartialPolicy::default(),
            (Self::Realtime, true) => PartialPolicy::default().literals(PartialMode::Zero),
            (_, false) => all(PartialMode::Omit),
            (_, true) => all(PartialMode::Zero),
        }
    }
}

named!(EntityMode, "a mode", {
    Batch => "BATCH",
    AllTogether => "ALL-TOGETHER",
    OneByOne => "ONE-BY-ONE",
    Progressive => "PROGRESSIVE",
    Realtime => "REALTIME",
});

impl fmt::Display for EntityMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Writes the mode as the specification spells it.
impl FromStr for EntityMode {
    type Err = ParseEntityModeError;

    fn from_str(text: &str) -> Result<Self, ParseEntityModeError> {
        let mode = Self::ALL.iter().find(|(_, name)| *name == text);
        mode.map(|(mode, _)| *mode).ok_or(ParseEntityModeError(()))
    }
}

/// The text is not the name of an [`EntityMode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEntityModeError(());

impl fmt::Display for ParseEntityModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown mode: expected")?;
        for (n, (mode, _)) in EntityMode::ALL.iter().enumerate() {
            write!(f, "{} {mode}", if n == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseEntityModeError {}
