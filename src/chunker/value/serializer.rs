//! What each call of serde writes: the text of `serde_json`.

use alloc::string::String;
use core::fmt::{Display, Write as _};

use serde_core::ser::{Serialize, Serializer};

use super::diff::{DiffText, Entered};
use super::number::NumberText;
use super::open::Open;
use super::{Cause, Failure};
use crate::limits::Limits;

pub(super) struct ValueSerializer<'a> {
    pub(super) text: DiffText<'a>,
    limits: Limits,
    depth: u32,
    /// Whether text is JSON text already.
    is_raw: bool,
}

/// The names under which `serde_json` passes on text that is JSON already: a `RawValue`, and a
/// `Number` if any crate of the build has its feature `arbitrary_precision`.
const RAW: [&str; 2] = [
    "$serde_json::private::RawValue",
    "$serde_json::private::Number",
];

impl<'a> ValueSerializer<'a> {
    pub(super) const fn new(text: DiffText<'a>, limits: Limits) -> Self {
        Self {
            text,
            limits,
            depth: 0,
            is_raw: false,
        }
    }

    /// Whether the text is too long to be accepted.
    #[inline]
    pub(super) fn is_too_long(&self) -> bool {
        self.text.len() > self.limits.document_bytes as usize
    }

    pub(super) fn into_text(self) -> DiffText<'a> {
        self.text
    }

    /// Opens an array or object, in the object of a variant if there is one.
    #[inline]
    fn open<'w>(
        &'w mut self,
        brackets: Brackets,
        variant: Option<Entered>,
    ) -> Result<Open<'w, 'a>, Failure> {
        let entered = self.enter(brackets)?;
        Ok(Open::new(self, Some((brackets, entered)), variant))
    }

    /// Opens the object of an enum's variant.
    fn open_variant(&mut self, variant: &str) -> Result<Entered, Failure> {
        let entered = self.enter(Brackets::Object)?;
        self.text.name(variant);
        self.text.punctuation(b':');
        Ok(entered)
    }

    #[inline]
    fn enter(&mut self, brackets: Brackets) -> Result<Entered, Failure> {
        let entered = self.text.open(brackets.opening());
        if self.depth >= self.limits.depth {
            return Err(Cause::Limit.into());
        }
        self.depth += 1;
        Ok(entered)
    }

    #[inline]
    pub(super) fn leave(&mut self, brackets: Brackets, entered: Entered) {
        self.depth -= 1;
        self.text.close(brackets.closing(), entered);
    }

    /// Writes the comma before all children but the first.
    #[inline]
    pub(super) fn separate(&mut self, is_first: bool) -> Result<(), Failure> {
        if is_first || self.text.is_next(b',') {
            return Ok(());
        }
        self.separate_other()
    }

    /// What is in the last snapshot is not too long, so only what differs is checked.
    #[cold]
    #[inline(never)]
    fn separate_other(&mut self) -> Result<(), Failure> {
        if self.is_too_long() {
            return Err(Cause::Limit.into());
        }
        self.text.other_punctuation(b',');
        Ok(())
    }

    /// Writes the name of a member, with the comma and the colon.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "names of fields are constants")]
    pub(super) fn name(&mut self, name: &str, is_first: bool) -> Result<(), Failure> {
        if self.text.is_member_next(name, is_first) {
            return Ok(());
        }
        self.other_name(name, is_first)
    }

    #[cold]
    #[inline(never)]
    fn other_name(&mut self, name: &str, is_first: bool) -> Result<(), Failure> {
        self.separate(is_first)?;
        self.text.name(name);
        self.text.punctuation(b':');
        Ok(())
    }

    fn null(&mut self) {
        self.text.scalar("null");
    }

    #[inline]
    fn unsigned(&mut self, number: u64) {
        self.text.integer(number, false);
    }

    #[inline]
    fn signed(&mut self, number: i64) {
        self.text.integer(number.unsigned_abs(), number < 0);
    }

    fn number(&mut self, number: &NumberText) {
        self.text.scalar(number.as_str());
    }

    fn float(&mut self, number: Option<NumberText>) {
        match number {
            Some(number) => self.number(&number),
            None => self.null(),
        }
    }

    #[cold]
    #[inline(never)]
    fn raw_text(&mut self, text: &str) {
        self.text.raw(text);
    }

    /// Writes a value whose text is JSON text already.
    pub(super) fn raw<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.is_raw = true;
        let result = value.serialize(&mut *self);
        self.is_raw = false;
        result
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Brackets {
    Array,
    Object,
}

impl Brackets {
    const fn opening(self) -> u8 {
        match self {
            Self::Array => b'[',
            Self::Object => b'{',
        }
    }

    const fn closing(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }
}

macro_rules! write_integers {
    ($($method:ident $type:ty, $write:ident;)*) => {
        $(#[inline]
        fn $method(self, number: $type) -> Result<(), Failure> {
            self.$write(number.into());
            Ok(())
        })*
    };
}

impl<'w, 'a> Serializer for &'w mut ValueSerializer<'a> {
    type Ok = ();
    type Error = Failure;
    type SerializeSeq = Open<'w, 'a>;
    type SerializeTuple = Open<'w, 'a>;
    type SerializeTupleStruct = Open<'w, 'a>;
    type SerializeTupleVariant = Open<'w, 'a>;
    type SerializeMap = Open<'w, 'a>;
    type SerializeStruct = Open<'w, 'a>;
    type SerializeStructVariant = Open<'w, 'a>;

    write_integers! {
        serialize_i8 i8, signed;
        serialize_i16 i16, signed;
        serialize_i32 i32, signed;
        serialize_i64 i64, signed;
        serialize_u8 u8, unsigned;
        serialize_u16 u16, unsigned;
        serialize_u32 u32, unsigned;
        serialize_u64 u64, unsigned;
    }

    fn serialize_i128(self, number: i128) -> Result<(), Failure> {
        self.number(&NumberText::display(number));
        Ok(())
    }

    fn serialize_u128(self, number: u128) -> Result<(), Failure> {
        self.number(&NumberText::display(number));
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Failure> {
        self.text.scalar(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), Failure> {
        self.float(NumberText::single(number));
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Failure> {
        self.float(NumberText::double(number));
        Ok(())
    }

    fn serialize_char(self, char: char) -> Result<(), Failure> {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), Failure> {
        if self.is_raw {
            self.raw_text(text);
        } else {
            self.text.string(text);
        }
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Failure> {
        if self.is_raw {
            let mut text = String::new();
            write!(text, "{value}").map_err(|_| Failure::display())?;
            self.raw_text(&text);
            return Ok(());
        }
        let result = self.text.display(value, false);
        result.map_err(|_| Failure::display())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut array = self.open(Brackets::Array, None)?;
        for byte in bytes {
            array.element(byte)?;
        }
        array.close();
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Failure> {
        self.null();
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Failure> {
        self.null();
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Failure> {
        self.null();
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Failure> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        let entered = self.open_variant(variant)?;
        value.serialize(&mut *self)?;
        self.leave(Brackets::Object, entered);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'w, 'a>, Failure> {
        self.open(Brackets::Array, None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'w, 'a>, Failure> {
        self.open(Brackets::Array, None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'w, 'a>, Failure> {
        self.open(Brackets::Array, None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w, 'a>, Failure> {
        let outer = self.open_variant(variant)?;
        self.open(Brackets::Array, Some(outer))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'w, 'a>, Failure> {
        self.open(Brackets::Object, None)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Open<'w, 'a>, Failure> {
        if RAW.contains(&name) {
            return Ok(Open::new(self, None, None));
        }
        self.open(Brackets::Object, None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w, 'a>, Failure> {
        let outer = self.open_variant(variant)?;
        self.open(Brackets::Object, Some(outer))
    }
}
