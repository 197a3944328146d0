//! Values for a serde serializer.

use serde_core::ser::{Error as _, Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

use super::de::LEVELS;
use super::json::Look;
use super::{Kind, PartialPolicy, Value};

/// Serializes the value as far as it has arrived, as `PartialPolicy::default()` shows it. Integers
/// are exact up to `u128` and `i128`, other numbers are the nearest `f64`; [`Value::to_json`] has
/// the exact text. Of several members with one name, only the last is serialized.
///
/// # Errors
///
/// Those of the serializer, and if arrays and objects are nested more than 128 levels deep.
impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let levels = LEVELS;
        Nested {
            value: *self,
            levels,
        }
        .serialize(serializer)
    }
}

/// A value, and how many arrays and objects may still be nested in it.
struct Nested<'a> {
    value: Value<'a>,
    levels: u32,
}

impl<'a> Nested<'a> {
    fn within<E: serde_core::ser::Error>(&self, child: Value<'a>) -> Result<Self, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Self {
                value: child,
                levels,
            }),
            None => Err(E::custom("arrays and objects are nested too deep")),
        }
    }
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let partials = PartialPolicy::default();
        let counts = |child: &Value<'_>| child.counts(partials);
        match (value.look(partials), value.kind()) {
            (Look::Text(text), Kind::Number) => serialize_number(text, serializer),
            (Look::Text(text), Kind::True | Kind::False) => {
                serializer.serialize_bool(text == "true")
            }
            (Look::String(_), _) => serializer.serialize_str(value.shown_str(partials)),
            (Look::Empty | Look::Container, Kind::Array) => {
                let mut seq = serializer.serialize_seq(None)?;
                for element in value.elements().filter(counts) {
                    seq.serialize_element(&self.within(element)?)?;
                }
                seq.end()
            }
            (Look::Empty | Look::Container, _) => {
                let mut map = serializer.serialize_map(None)?;
                for member in value.children_after(None).filter(counts) {
                    map.serialize_entry(&*member.name(), &self.within(member)?)?;
                }
                map.end()
            }
            (Look::Nothing | Look::Text(_), _) => serializer.serialize_unit(),
        }
    }
}

fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(number) = text.parse() {
        return serializer.serialize_u64(number);
    }
    // A negative zero is a float, because no integer is.
    if let Ok(number @ ..0) = text.parse() {
        return serializer.serialize_i64(number);
    }
    if let Ok(number) = text.parse() {
        return serializer.serialize_u128(number);
    }
    if let Ok(number @ ..0) = text.parse() {
        return serializer.serialize_i128(number);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => serializer.serialize_f64(number),
        Ok(_) | Err(_) => Err(S::Error::custom("number out of range")),
    }
}
