//! Member names, which some maps want as numbers or booleans.

use alloc::borrow::Cow;

use serde_core::de::value::CowStrDeserializer;
use serde_core::de::{DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde_core::forward_to_deserialize_any;

use super::number::{visit_f32, visit_i128, visit_number, visit_u128};
use super::{DeserializeError, Result, Value};
use crate::json::number_end;

/// The name of a member.
pub(super) struct Key<'a> {
    name: Cow<'a, str>,
    value: Value<'a>,
}

impl<'a> Key<'a> {
    pub(super) fn of(value: Value<'a>) -> Self {
        let name = value.name();
        Self { name, value }
    }

    pub(super) fn read<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value> {
        let value = self.value;
        seed.deserialize(self).map_err(|error| error.at(value))
    }

    fn number(&self) -> Result<&str> {
        match number_end(self.name.as_bytes(), 0) {
            Ok(end) if end == self.name.len() => Ok(&self.name),
            Ok(_) | Err(_) => Err(DeserializeError::invalid_value(
                Unexpected::Str(&self.name),
                &"a number as the name of a member",
            )),
        }
    }
}

macro_rules! deserialize_numbers {
    ($($deserialize:ident: $visit:ident,)*) => {
        $(
            fn $deserialize<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
                $visit(self.number()?, visitor)
            }
        )*
    };
}

impl<'a> Deserializer<'a> for Key<'a> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.name {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_string(name),
        }
    }

    deserialize_numbers! {
        deserialize_i8: visit_number,
        deserialize_i16: visit_number,
        deserialize_i32: visit_number,
        deserialize_i64: visit_number,
        deserialize_i128: visit_i128,
        deserialize_u8: visit_number,
        deserialize_u16: visit_number,
        deserialize_u32: visit_number,
        deserialize_u64: visit_number,
        deserialize_u128: visit_u128,
        deserialize_f32: visit_f32,
        deserialize_f64: visit_number,
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match &*self.name {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => self.deserialize_any(visitor),
        }
    }

    /// There are no null names.
    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(CowStrDeserializer::new(self.name))
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        match self.name {
            Cow::Borrowed(name) => visitor.visit_borrowed_bytes(name.as_bytes()),
            Cow::Owned(name) => visitor.visit_byte_buf(name.into_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
