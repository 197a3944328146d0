//! The keys of maps as names: text, numbers and bools, as `serde_json` takes them.

use core::fmt::Display;

use serde_core::ser::{Impossible, Serialize, Serializer};

use super::number::NumberText;
use super::serializer::ValueSerializer;
use super::{Cause, Failure};

/// Writes a key as the name of the next member.
pub(super) struct NameSerializer<'w, 'a> {
    serializer: &'w mut ValueSerializer<'a>,
    /// Whether it is the first of its object.
    is_first: bool,
}

impl<'w, 'a> NameSerializer<'w, 'a> {
    #[inline]
    pub(super) const fn new(serializer: &'w mut ValueSerializer<'a>, is_first: bool) -> Self {
        Self {
            serializer,
            is_first,
        }
    }

    /// Out of line, because there are many ways to compare a name that is no constant.
    #[inline(never)]
    fn name(self, name: &str) -> Result<(), Failure> {
        self.serializer.name(name, self.is_first)
    }

    fn number(self, number: &NumberText) -> Result<(), Failure> {
        self.name(number.as_str())
    }

    fn float(self, number: Option<NumberText>) -> Result<(), Failure> {
        self.number(&number.ok_or(Cause::Name)?)
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

impl Serializer for NameSerializer<'_, '_> {
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
        self.name(name)
    }

    fn serialize_char(self, char: char) -> Result<(), Failure> {
        self.name(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bool(self, value: bool) -> Result<(), Failure> {
        self.name(if value { "true" } else { "false" })
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
        self.float(NumberText::single(number))
    }

    fn serialize_f64(self, number: f64) -> Result<(), Failure> {
        self.float(NumberText::double(number))
    }

    fn collect_str<T: Display + ?Sized>(self, name: &T) -> Result<(), Failure> {
        self.serializer.separate(self.is_first)?;
        let result = self.serializer.text.display(name, true);
        self.serializer.text.punctuation(b':');
        result.map_err(|_| Failure::display())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Failure> {
        self.name(variant)
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
