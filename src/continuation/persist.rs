//! Serializes an accumulator, so that it can be stored between two calls of a model.
//!
//! Only the text and the bytes held after it are saved; restoring parses the text again. So a
//! modified state is either rejected or the valid state of another text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::accumulator::{Accumulator, Saved};
use super::join::split_char::Held;
use super::join::{Candidate, JoinKind};
use crate::limits::Limits;

const NAME: &str = "Accumulator";
const FIELDS: &[&str] = &[
    "text",
    "held",
    "refused",
    "limits",
    "candidates",
    "partial",
    "habit",
];

/// The maximum depth, and the maximum bytes of a token and of a document.
type Bounds = (u32, u32, u32);
/// A candidate: kind, overlap, growth, the bytes held after it, whether it is damaged, and whether
/// a comma was inserted.
type Choice<T, B> = (T, usize, T, B, bool, bool);

/// Serializes as one object: the `text` so far, the bytes of half a character that are `held` after
/// it, whether replies before the text were `refused`, the `limits` (levels, bytes of a token,
/// bytes of a document), the undecided `candidates`, whether these are `partial`, and the usual
/// overlap (`habit`).
impl Serialize for Accumulator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = self.save();
        let limits = saved.limits;
        let bounds: Bounds = (limits.depth, limits.token_bytes, limits.document_bytes);
        let choices = saved
            .candidates
            .iter()
            .map(|candidate| -> Choice<&str, &[u8]> {
                (
                    candidate.kind.as_str(),
                    candidate.overlap,
                    &candidate.growth,
                    candidate.held.bytes(),
                    candidate.damaged,
                    candidate.added_comma,
                )
            });
        let choices: Vec<_> = choices.collect();
        let mut state = serializer.serialize_struct(NAME, FIELDS.len())?;
        state.serialize_field("text", &saved.text)?;
        state.serialize_field("held", saved.held.bytes())?;
        state.serialize_field("refused", &saved.refused)?;
        state.serialize_field("limits", &bounds)?;
        state.serialize_field("candidates", &choices)?;
        state.serialize_field("partial", &saved.is_partial)?;
        state.serialize_field("habit", &saved.habit)?;
        state.end()
    }
}

/// Deserializes a saved state. Fails if the text is not a prefix of a JSON document within the
/// limits.
impl<'de> Deserialize<'de> for Accumulator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = deserializer.deserialize_struct(NAME, FIELDS, SavedVisitor)?;
        Self::restore(saved).map_err(D::Error::custom)
    }
}

struct SavedVisitor;

impl SavedVisitor {
    fn held<E: Error>(bytes: Vec<u8>) -> Result<Held, E> {
        Held::of_bytes(bytes).ok_or_else(|| E::custom("no start of a character is held"))
    }

    fn limits((depth, token_bytes, document_bytes): Bounds) -> Limits {
        Limits::default()
            .max_depth(depth)
            .max_token_bytes(token_bytes)
            .max_document_bytes(document_bytes)
    }

    fn candidates<E: Error>(choices: Vec<Choice<String, Vec<u8>>>) -> Result<Vec<Candidate>, E> {
        let choices = choices.into_iter();
        let candidates = choices.map(|(kind, overlap, growth, held, damaged, added_comma)| {
            Ok(Candidate {
                kind: JoinKind::from_name(&kind)
                    .ok_or_else(|| E::custom("unknown kind of join"))?,
                overlap,
                growth,
                held: Self::held(held)?,
                damaged,
                added_comma,
            })
        });
        candidates.collect()
    }
}

impl<'de> Visitor<'de> for SavedVisitor {
    type Value = Saved<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved accumulator")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let missing = |index| A::Error::invalid_length(index, &self);
        let text: String = seq.next_element()?.ok_or_else(|| missing(0))?;
        Ok(Saved {
            text: Cow::Owned(text),
            held: Self::held(seq.next_element()?.ok_or_else(|| missing(1))?)?,
            refused: seq.next_element()?.ok_or_else(|| missing(2))?,
            limits: Self::limits(seq.next_element()?.ok_or_else(|| missing(3))?),
            candidates: Self::candidates(seq.next_element()?.ok_or_else(|| missing(4))?)?,
            is_partial: seq.next_element()?.ok_or_else(|| missing(5))?,
            habit: seq.next_element()?.ok_or_else(|| missing(6))?,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut saved = Saved::default();
        let mut text: Option<String> = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "text" => text = Some(map.next_value()?),
                "held" => saved.held = Self::held(map.next_value()?)?,
                "refused" => saved.refused = map.next_value()?,
                "limits" => saved.limits = Self::limits(map.next_value()?),
                "candidates" => saved.candidates = Self::candidates(map.next_value()?)?,
                "partial" => saved.is_partial = map.next_value()?,
                "habit" => saved.habit = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        saved.text = text
            .map(Cow::Owned)
            .ok_or_else(|| A::Error::missing_field("text"))?;
        Ok(saved)
    }
}
