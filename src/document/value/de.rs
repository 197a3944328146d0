//! Typed values: a serde deserializer straight over the nodes.
//!
//! What a type asks for is answered as `serde_json` answers it, so that types mean the same here
//! and there. Two things differ, because the exact text is at hand: floats are rounded once, and a
//! type that asks for a string can have the text of a number.

mod access;
mod error;
mod key;
mod number;

use core::marker::PhantomData;

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde_core::forward_to_deserialize_any;

use super::json::Look;
use super::{Kind, NodeId, Partials, Value};
use access::Children;
pub use error::DeserializeError;
use number::{visit_f32, visit_i128, visit_number, visit_u128};

type Result<T> = core::result::Result<T, DeserializeError>;

/// How many arrays and objects may be nested in what is read or written: as many as [`Limits`](crate::Limits)
/// let in by default. Each takes stack, in the code of the type too.
pub(super) const LEVELS: u32 = 128;

impl<'a> Value<'a> {
    /// The value as a `T`, straight from the document.
    ///
    /// Strings can be borrowed (`&'a str`), those with escapes too. Integers are exact up to
    /// `u128` and `i128`, floats are the nearest to the text. A type that asks for a string gets
    /// the exact text of a number, be it a `String` or a decimal that reads itself from strings;
    /// one that takes anything gets a `u64`, `i64` or `f64`, so that `serde_json::Value` and
    /// `serde_json::Number` are what they are from `serde_json`. Enums, options, bytes and members
    /// whose names are numbers are read as there.
    ///
    /// What has not ended yet looks as `partials` say. An omitted member or element is not there,
    /// so that `Option` and `#[serde(default)]` fill in; if the value itself is omitted, it is
    /// `null`. The start of a variant's name is no variant: [omit](crate::Partial::Omitted)
    /// unfinished strings where there are enums.
    ///
    /// ```
    /// use json_chunks::{Parser, Partials};
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Order<'a> {
    ///     id: u128,
    ///     item: &'a str,
    ///     price: Option<String>, // exactly as it is written
    /// }
    ///
    /// let mut parser = Parser::new();
    /// parser.push(br#"{"id": 340282366920938463463374607431768211455, "item": "Tea \"X"#)?;
    /// let root = parser.root().expect("it has begun");
    /// let order: Order = root.deserialize(Partials::default())?;
    /// assert_eq!((order.id, order.item, order.price), (u128::MAX, "Tea \"X", None));
    ///
    /// parser.push(br#"L\"", "price": 19.90}"#)?;
    /// let root = parser.root().expect("it is complete");
    /// let order: Order = root.deserialize(Partials::default())?;
    /// assert_eq!(order.price.as_deref(), Some("19.90"));
    ///
    /// #[derive(Debug, Deserialize)]
    /// struct Shelf {
    ///     item: u8,
    /// }
    /// let error = root.deserialize::<Shelf>(Partials::default()).unwrap_err();
    /// assert_eq!(error.pointer(), "/item");
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"invalid type: string "Tea \"XL\"", expected u8 at /item"#
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no `T` can be made of the value: what serde says, and the JSON Pointer of the place.
    /// Also if arrays and objects are nested more than 128 levels deep from here on, or a number
    /// is out of range (`1e400` as a float).
    ///
    /// # Cost
    ///
    /// Linear in the size of the value. Nothing is copied that `T` does not copy.
    pub fn deserialize<T>(self, partials: Partials) -> core::result::Result<T, DeserializeError>
    where
        T: Deserialize<'a>,
    {
        let reader = Reader {
            value: self,
            partials,
            levels: LEVELS,
        };
        reader.read(PhantomData)
    }
}

/// One value, for a type to read.
#[derive(Clone, Copy)]
struct Reader<'a> {
    value: Value<'a>,
    partials: Partials,
    /// How many arrays and objects may still be nested.
    levels: u32,
}

/// What a type gets to see of a value.
#[derive(Clone, Copy)]
enum Seen<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(&'a str),
    Array,
    Object,
}

impl<'a> Reader<'a> {
    fn read<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self).map_err(|error| error.at(self.value))
    }

    fn see(self) -> Seen<'a> {
        match (self.value.look(self.partials), self.value.kind()) {
            (Look::Text(text), Kind::Number) => Seen::Number(text),
            (Look::Text(text), Kind::True | Kind::False) => Seen::Bool(text == "true"),
            (Look::String(""), _) => Seen::String(""),
            (Look::String(raw), _) => Seen::String(self.value.as_str().unwrap_or(raw)),
            (Look::Empty | Look::Container, Kind::Array) => Seen::Array,
            (Look::Empty | Look::Container, _) => Seen::Object,
            (Look::Nothing | Look::Text(_), _) => Seen::Null,
        }
    }

    fn visit_elements<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let mut elements = Children::of(self)?;
        let count = elements.left();
        let value = visitor.visit_seq(&mut elements)?;
        match elements.left() {
            0 => Ok(value),
            _ => Err(DeserializeError::invalid_length(
                count,
                &"fewer elements in array",
            )),
        }
    }

    fn visit_members<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let mut members = Children::of(self)?;
        let count = members.left();
        let value = visitor.visit_map(&mut members)?;
        match members.left() {
            0 => Ok(value),
            _ => Err(DeserializeError::invalid_length(
                count,
                &"fewer members in object",
            )),
        }
    }

    /// What it is, for the error that it is something else.
    fn unexpected(self) -> Unexpected<'a> {
        match self.see() {
            Seen::Null => Unexpected::Unit,
            Seen::Bool(value) => Unexpected::Bool(value),
            Seen::Number(text) => match (text.parse(), text.parse()) {
                (Ok(value), _) => Unexpected::Unsigned(value),
                (_, Ok(value)) => Unexpected::Signed(value),
                _ => Unexpected::Float(text.parse().unwrap_or(f64::NAN)),
            },
            Seen::String(text) => Unexpected::Str(text),
            Seen::Array => Unexpected::Seq,
            Seen::Object => Unexpected::Map,
        }
    }
}

impl<'a> Deserializer<'a> for Reader<'a> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Null => visitor.visit_unit(),
            Seen::Bool(value) => visitor.visit_bool(value),
            Seen::Number(text) => visit_number(text, visitor),
            Seen::String(text) => visitor.visit_borrowed_str(text),
            Seen::Array => self.visit_elements(visitor),
            Seen::Object => self.visit_members(visitor),
        }
    }

    fn deserialize_i128<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Number(text) => visit_i128(text, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Number(text) => visit_u128(text, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Number(text) => visit_f32(text, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Number(text) => visitor.visit_borrowed_str(text),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::String(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    /// A variant is a string, or an object of one member whose name is the variant.
    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.see() {
            Seen::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Seen::Object => visitor.visit_enum(Children::of(self)?.only()?),
            _ => Err(DeserializeError::invalid_type(
                self.unexpected(),
                &"string or map",
            )),
        }
    }

    /// Unlike other strings never a number, which visitors of identifiers take for a place in a
    /// list.
    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Number(_) => Err(DeserializeError::invalid_type(self.unexpected(), &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i8 i16 i32 i64 u8 u16 u32 u64 f64 char unit unit_struct seq tuple tuple_struct map
        struct
    }
}
