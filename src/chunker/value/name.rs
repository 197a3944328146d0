//! The keys of maps as names: text, numbers and bools, as `serde_json` takes them.

use core::fmt::Display;

use serde_core::ser::{Impossible, Serialize, Serializer};

use super::number::NumberText;
use super::open::Open;
use super::{Cause, Failure};

/// Writes a key as the name of the next member.
pub(super) struct NameSerializer<'o, 'w, 'a>(pub(super) &'o mut Open<'w, 'a>);

impl NameSerializer<'_, '_, '_> {
    fn number(self, number: &NumberText) -> Result<(), Failure> {
        self.0.name(number.as_str())
    }
}

macro_rules! write_integers {
    ($($method:ident $type:ty;)*) => {
        $(fn $method(self, number: $type) -> Result<(), Failure> {
            self.number(&NumberText::display(number))
        })*
    };
}

/// Refuses what is no name.
macro_rules! refuse {
    ($($method:ident($($argument:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<$ok, Failure> {
            Err(Cause::Name.into())
        })*
    };
}

type No = Impossible<(), Failure>;

impl Serializer for NameSerializer<'_, '_, '_> {
    type Ok = ();
    type Error = Failure;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    #[inline]
    fn serialize_str(self, name: &str) -> Result<(), Failure> {
        self.0.name(name)
    }

    fn serialize_char(self, char: char) -> Result<(), Failure> {
        self.0.name(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bool(self, value: bool) -> Result<(), Failure> {
        self.0.name(if value { "true" } else { "false" })
    }

    write_integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    fn serialize_f32(self, number: f32) -> Result<(), Failure> {
        if number.is_finite() {
            self.number(&NumberText::single(number))
        } else {
            Err(Cause::Name.into())
        }
    }

    fn serialize_f64(self, number: f64) -> Result<(), Failure> {
        if number.is_finite() {
            self.number(&NumberText::double(number))
        } else {
            Err(Cause::Name.into())
        }
    }

    fn collect_str<T: Display + ?Sized>(self, name: &T) -> Result<(), Failure> {
        self.0.display_name(name)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Failure> {
        self.0.name(variant)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, name: &T) -> Result<(), Failure> {
        name.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        name: &T,
    ) -> Result<(), Failure> {
        name.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Failure> {
        Err(Cause::Name.into())
    }

    refuse! {
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> No;
        serialize_tuple(usize) -> No;
        serialize_tuple_struct(&'static str, usize) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_map(Option<usize>) -> No;
        serialize_struct(&'static str, usize) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }
}
