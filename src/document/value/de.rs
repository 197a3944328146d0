//! Typed values: a serde deserializer directly over the nodes.
//!
//! What a type asks for is answered as `serde_json` answers it, so that types mean the same here
//! and there. Two things differ, because the exact text is at hand: floats are rounded once, and a
//! type that asks for a string can have the text of a number.

mod access;
mod error;
mod key;
mod number;
mod tolerance;

use core::marker::PhantomData;

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde_core::forward_to_deserialize_any;

use super::json::Look;
use super::{Kind, PartialPolicy, Value};
use crate::document::NodeId;
use access::ShownChildren;
pub use error::DeserializeError;
use key::Key;
use number::{visit_f32, visit_i128, visit_number, visit_u128};

type Result<T> = core::result::Result<T, DeserializeError>;

/// How many arrays and objects may be nested in what is read or written: as many as
/// [`Limits`](crate::limits::Limits) allow by default. Each takes stack, in the code of the type,
/// too.
pub(crate) const LEVELS: u32 = 128;

/// The name of the newtype that asks for the JSON text of a value, as bytes.
pub(crate) const JSON_TEXT: &str = "$json_chunks::JsonText";

impl<'a> Value<'a> {
    /// Returns the value as a `T`, directly from the document.
    ///
    /// Strings can be borrowed (`&'a str`), those with escapes too. Integers are exact up to
    /// `u128` and `i128`, floats are the nearest to the text. A type that asks for a string gets
    /// the exact text of a number, for example a `String` or a decimal that is parsed from strings;
    /// one that takes anything gets a `u64`, `i64` or `f64`, so that `serde_json::Value` and
    /// `serde_json::Number` are what they are from `serde_json`. Enums, options, bytes and members
    /// whose names are numbers are read as there.
    ///
    /// What is not complete yet is shown as `partials` define. An omitted member or element is
    /// absent, so that `Option` and `#[serde(default)]` fill in; if the value itself is omitted, it
    /// is `null`. Of several members with one name, the type gets only the last
    /// ([`Value`](Self#members-with-the-same-name)), so that a struct never fails for a duplicate
    /// field.
    ///
    /// # Values that are not complete
    ///
    /// Half of a UUID is no UUID, a struct may lack its required members, and an enum its tag. If
    /// only a value that is being written makes `T` fail, `T` is read again without it: an `Option`
    /// or a field with a default is filled in, an element or the entry of a map is not there yet.
    /// So no field stalls the rest. Only what is incomplete is omitted: a complete value of the
    /// wrong type is an error at once, and a complete document is read strictly.
    ///
    /// The start of a value can also be another value of its type: `1` of `1000`, or the unit
    /// variant `Day` of `DayTrip`. A variant with `#[serde(other)]` is the worst case, because
    /// every start of a name is one. [Omit](crate::document::PartialMode::Omit) incomplete strings
    /// where this matters.
    ///
    /// ```
    /// use json_chunks::{Parser, PartialPolicy};
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
    /// let order: Order = root.deserialize(PartialPolicy::default())?;
    /// assert_eq!((order.id, order.item, order.price), (u128::MAX, "Tea \"X", None));
    ///
    /// parser.push(br#"L\"", "price": 19.90}"#)?;
    /// let root = parser.root().expect("it is complete");
    /// let order: Order = root.deserialize(PartialPolicy::default())?;
    /// assert_eq!(order.price.as_deref(), Some("19.90"));
    ///
    /// #[derive(Debug, Deserialize)]
    /// struct Shelf {
    ///     item: u8,
    /// }
    /// let error = root.deserialize::<Shelf>(PartialPolicy::default()).unwrap_err();
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
    /// If the value is no `T`, with serde's message and the JSON Pointer of the place.
    /// Also if arrays and objects are nested more than 128 levels deep from here on, or a number
    /// is out of range (`1e400` as a float).
    ///
    /// # Cost
    ///
    /// Linear in the size of the value. Nothing is copied that `T` does not copy. An incomplete
    /// value is read at most five times: as it is, and up to four times without what is being
    /// written.
    pub fn deserialize<T>(
        self,
        partials: PartialPolicy,
    ) -> core::result::Result<T, DeserializeError>
    where
        T: Deserialize<'a>,
    {
        Reader::new(self, partials, LEVELS).read_tolerantly()
    }

    /// Returns the value for a type that is read from a deserializer: what `partials` show of it,
    /// with that many levels.
    pub(crate) fn deserializer(
        self,
        partials: PartialPolicy,
        levels: u32,
    ) -> impl Deserializer<'a, Error = DeserializeError> {
        Reader::new(self, partials, levels)
    }

    /// As [`deserialize`](Self::deserialize), with that many levels.
    pub(crate) fn deserialize_within<T: Deserialize<'a>>(
        self,
        partials: PartialPolicy,
        levels: u32,
    ) -> Result<T> {
        Reader::new(self, partials, levels).read_tolerantly()
    }

    /// Returns the name of a member as the key of a map.
    pub(crate) fn deserialize_name<K: Deserialize<'a>>(self) -> Result<K> {
        let key = Key::of(self).read(PhantomData);
        key.map_err(DeserializeError::without_trace)
    }
}

/// One value that a type reads.
#[derive(Clone, Copy)]
struct Reader<'a> {
    value: Value<'a>,
    partials: PartialPolicy,
    /// How many arrays and objects may still be nested.
    levels: u32,
    /// The value that is not shown, whatever the policy says.
    omitted: Option<NodeId>,
    /// Whether incomplete elements and entries that the type does not fit are not shown, either.
    lenient: bool,
}

/// What a type is shown of a value.
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
    const fn new(value: Value<'a>, partials: PartialPolicy, levels: u32) -> Self {
        Self {
            value,
            partials,
            levels,
            omitted: None,
            lenient: false,
        }
    }

    /// Whether anything of the value is shown at all.
    fn shows(self, value: Value<'a>) -> bool {
        Some(value.id) != self.omitted && value.is_shown(self.partials)
    }

    /// Whether a later member of the same name is shown, see [`Value::is_superseded`].
    fn is_superseded(self, value: Value<'a>) -> bool {
        value.newer().is_some_and(|newer| self.shows(newer))
    }

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

    fn visit_elements<V: Visitor<'a>>(
        mut elements: ShownChildren<'a>,
        visitor: V,
    ) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut elements)?;
        elements.end("fewer elements in array")?;
        Ok(value)
    }

    fn visit_members<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        let mut members = ShownChildren::of(self)?;
        let value = visitor.visit_map(&mut members)?;
        members.end("fewer members in object")?;
        Ok(value)
    }

    /// The value for the error that it has the wrong type.
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
            Seen::Array => Self::visit_elements(ShownChildren::of(self)?, visitor),
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
        if matches!(self.see(), Seen::Null) {
            return visitor.visit_none();
        }
        let read = visitor.visit_some(self);
        read.map_err(|error| error.spares(self.value))
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.see() {
            Seen::Array => Self::visit_elements(ShownChildren::of(self)?.any_number(), visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        // The text has everything in it, so not if something is to be omitted.
        if name == JSON_TEXT && self.omitted.is_none() && !self.lenient {
            let text = self.value.to_json(self.partials);
            return visitor.visit_byte_buf(text.into_bytes());
        }
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
            Seen::Object => visitor.visit_enum(ShownChildren::of(self)?.only()?),
            _ => Err(DeserializeError::invalid_type(
                self.unexpected(),
                &"string or map",
            )),
        }
    }

    /// Unlike other strings never a number, which visitors of identifiers read as an index.
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
        bool i8 i16 i32 i64 u8 u16 u32 u64 f64 char unit unit_struct tuple tuple_struct map struct
    }
}
