//! JSON text that has been checked.

use alloc::string::String;
use core::fmt::{self, Write as _};
use core::ops::Deref;

use serde_core::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor,
};
use serde_core::ser::{Error as _, Serialize, Serializer};

use crate::document::{DeserializeError, JSON_TEXT, PartialPolicy};
use crate::json::write_string;
use crate::limits::Limits;
use crate::parser::Parser;

/// One JSON value as text, without white space between its tokens; numbers and strings are spelled
/// as the model wrote them. Its `Display` and `Debug` text is the JSON text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawJson(String);

impl RawJson {
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn array(elements: &[Self]) -> Self {
        let mut text = String::from("[");
        for (n, element) in elements.iter().enumerate() {
            if n > 0 {
                text.push(',');
            }
            text.push_str(element);
        }
        text.push(']');
        Self(text)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text, without a copy.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Deserializes the value, as [`Value::deserialize`](crate::document::Value::deserialize) does.
    /// Linear in the length of the text.
    ///
    /// # Errors
    ///
    /// If the value does not have the shape of a `T`. Pointers start from this value.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, DeserializeError> {
        Parser::read_whole(&self.0)
    }
}

impl Deref for RawJson {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for RawJson {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for RawJson {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl PartialEq<&str> for RawJson {
    fn eq(&self, text: &&str) -> bool {
        self.0 == *text
    }
}

impl From<RawJson> for String {
    fn from(text: RawJson) -> Self {
        text.0
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Serializes the value, not a string. Numbers are those of 64 or 128 bits, because no other format
/// knows JSON text; where the exact spelling matters, write the [text](Self::as_str) itself.
impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parser = Parser::of_whole(self.0.as_bytes(), Limits::unlimited());
        let parser = parser.map_err(S::Error::custom)?;
        match parser.root() {
            Some(root) => root.serialize(serializer),
            None => serializer.serialize_unit(),
        }
    }
}

/// How many arrays and objects may be nested in what is deserialized. Each takes stack.
const LEVELS: u32 = 128;

/// From any value of a format, for example that of `serde_json`, with numbers of 64 or 128 bits.
/// From a [`Value`](crate::Value) of this crate it is the text as it is spelled, also as a field of
/// a type.
///
/// ```
/// use json_chunks::{Parser, PartialPolicy};
/// use json_chunks::value::RawJson;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Order {
///     price: RawJson,
/// }
///
/// let mut parser = Parser::new();
/// parser.push(r#"{"price": 19.90}"#)?;
/// let order = parser.root().expect("it has begun");
/// let order: Order = order.deserialize(PartialPolicy::default())?;
/// assert_eq!(order.price, "19.90");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(JSON_TEXT, RawJsonVisitor)
    }
}

struct RawJsonVisitor;

impl<'de> Visitor<'de> for RawJsonVisitor {
    type Value = RawJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<RawJson, D::Error> {
        let mut text = String::new();
        let writer = JsonWriter {
            out: &mut text,
            levels: LEVELS,
        };
        writer.deserialize(value)?;
        Ok(RawJson(text))
    }

    // From a value of this crate. Checked anyway, because any format may call this.
    fn visit_bytes<E: serde_core::de::Error>(self, text: &[u8]) -> Result<RawJson, E> {
        let parser = Parser::of_whole(text, Limits::unlimited()).map_err(E::custom)?;
        let root = parser.root().ok_or_else(|| E::custom("no value"))?;
        Ok(RawJson(root.to_json(PartialPolicy::default())))
    }
}

/// Writes the value that it visits as JSON text.
struct JsonWriter<'a> {
    out: &'a mut String,
    /// How many arrays and objects may still be nested.
    levels: u32,
}

impl JsonWriter<'_> {
    fn write(self, value: impl fmt::Display) {
        let _ = write!(self.out, "{value}");
    }

    /// Returns the writer of the children of an array or object.
    fn inner<E: serde_core::de::Error>(&mut self) -> Result<JsonWriter<'_>, E> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| E::custom("arrays and objects are nested too deeply"))?;
        Ok(JsonWriter {
            out: self.out,
            levels,
        })
    }
}

impl<'de> DeserializeSeed<'de> for JsonWriter<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonWriter<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.write("null");
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.write("null");
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.write(value);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.write(value);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.write(value);
        Ok(())
    }

    fn visit_i128<E>(self, value: i128) -> Result<(), E> {
        self.write(value);
        Ok(())
    }

    fn visit_u128<E>(self, value: u128) -> Result<(), E> {
        self.write(value);
        Ok(())
    }

    fn visit_f64<E: serde_core::de::Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::custom("a number that is not finite is not JSON"));
        }
        // The debug text has a point or an exponent, so that it stays a float.
        self.write(format_args!("{value:?}"));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        write_string(text, self.out);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.out.push('[');
        let start = self.out.len();
        loop {
            let before = self.out.len();
            if before > start {
                self.out.push(',');
            }
            let element = self.inner()?;
            if elements.next_element_seed(element)?.is_none() {
                self.out.truncate(before);
                break;
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        self.out.push('{');
        let start = self.out.len();
        while let Some(name) = members.next_key::<String>()? {
            if self.out.len() > start {
                self.out.push(',');
            }
            write_string(&name, self.out);
            self.out.push(':');
            let value = self.inner()?;
            members.next_value_seed(value)?;
        }
        self.out.push('}');
        Ok(())
    }
}
