//! An accumulator that is put away and taken out again, between calls that may be minutes apart.
//!
//! What is kept is the text and what waits behind it; the parser reads the text again. So a state
//! that somebody has tampered with is refused or is the state of another text, never a broken one.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::accumulator::Accumulator;
use super::join::{Candidate, JoinKind};
use super::seam::Held;
use crate::limits::Limits;

const NAME: &str = "Accumulator";
const FIELDS: &[&str] = &["text", "held", "refused", "limits", "candidates"];

/// The levels, and the bytes of a token and of a document.
type Bounds = (u32, u32, u32);
/// The kind, the overlap, the growth, what waits behind it, and whether it is damaged.
type Choice = (String, usize, String, Vec<u8>, bool);

/// What is kept of an accumulator.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) text: String,
    pub(super) held: Held,
    pub(super) refused: bool,
    pub(super) limits: Limits,
    pub(super) candidates: Vec<Candidate>,
}

/// As one object: the `text` so far, the bytes of half a character that are `held` behind it,
/// whether replies before the text were `refused`, the `limits` (levels, bytes of a token, bytes
/// of a document), and the `candidates` of the last join if that was ambiguous.
impl Serialize for Accumulator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limits = self.bounds();
        let bounds: Bounds = (limits.depth, limits.token_bytes, limits.document_bytes);
        let candidates = self.candidates().iter().map(|candidate| {
            let held = candidate.held.bytes();
            let name = candidate.kind.name();
            (
                name,
                candidate.overlap,
                &candidate.growth,
                held,
                candidate.damaged,
            )
        });
        let candidates: Vec<_> = candidates.collect();
        let mut state = serializer.serialize_struct(NAME, FIELDS.len())?;
        state.serialize_field("text", self.text())?;
        state.serialize_field("held", self.held().bytes())?;
        state.serialize_field("refused", &self.refused())?;
        state.serialize_field("limits", &bounds)?;
        state.serialize_field("candidates", &candidates)?;
        state.end()
    }
}

/// Fails if the text is not the start of a JSON document within the limits.
impl<'de> Deserialize<'de> for Accumulator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = deserializer.deserialize_struct(NAME, FIELDS, StateVisitor)?;
        Self::restore(state).map_err(D::Error::custom)
    }
}

struct StateVisitor;

impl StateVisitor {
    fn held<E: Error>(bytes: Vec<u8>) -> Result<Held, E> {
        Held::of_bytes(bytes).ok_or_else(|| E::custom("no start of a character is held"))
    }

    fn limits((depth, token_bytes, document_bytes): Bounds) -> Limits {
        Limits::default()
            .max_depth(depth)
            .max_token_bytes(token_bytes)
            .max_document_bytes(document_bytes)
    }

    fn candidates<E: Error>(choices: Vec<Choice>) -> Result<Vec<Candidate>, E> {
        let candidate = |(kind, overlap, growth, held, damaged): Choice| {
            Ok(Candidate {
                kind: JoinKind::from_name(&kind).ok_or_else(|| E::custom("no kind of join"))?,
                overlap,
                growth,
                held: Self::held(held)?,
                damaged,
            })
        };
        choices.into_iter().map(candidate).collect()
    }
}

impl<'de> Visitor<'de> for StateVisitor {
    type Value = State;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state of an accumulator")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<State, A::Error> {
        let missing = |index| A::Error::invalid_length(index, &self);
        Ok(State {
            text: seq.next_element()?.ok_or_else(|| missing(0))?,
            held: Self::held(seq.next_element()?.ok_or_else(|| missing(1))?)?,
            refused: seq.next_element()?.ok_or_else(|| missing(2))?,
            limits: Self::limits(seq.next_element()?.ok_or_else(|| missing(3))?),
            candidates: Self::candidates(seq.next_element()?.ok_or_else(|| missing(4))?)?,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State, A::Error> {
        let mut state = State::default();
        let mut text = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "text" => text = Some(map.next_value()?),
                "held" => state.held = Self::held(map.next_value()?)?,
                "refused" => state.refused = map.next_value()?,
                "limits" => state.limits = Self::limits(map.next_value()?),
                "candidates" => state.candidates = Self::candidates(map.next_value()?)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        state.text = text.ok_or_else(|| A::Error::missing_field("text"))?;
        Ok(state)
    }
}
