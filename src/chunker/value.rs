//! Values as snapshots: their JSON text, written into a buffer that is kept.
//!
//! The text is what `serde_json::to_string` writes. It is written by a serializer of its own, since
//! the default build has no `serde_json`, and into the same buffer each time, so that nothing is
//! allocated once the buffer is large enough. Then it is a snapshot like any other.
//!
//! # For maintainers
//!
//! One type, [`ValueWriter`], is the serializer of values, of names and of raw text; what it writes
//! depends on its [`Mode`]:
//!
//! | mode | text | number, bool | `null`, arrays, objects |
//! | --- | --- | --- | --- |
//! | `Value` | a string | as it is | as they are |
//! | `Name` | a string | in quotes | [`Failure::Name`] |
//! | `Raw` | as it is | as it is | as they are |
//!
//! - *Bounded*: text that is too deep or too large is not written to its end, and has to be refused
//!   by the pass: [`Failure::Limit`]. So the error is that of the pass in all cases.
//! - *The spelling never depends on what was written before*: equal values have equal texts.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt::{self, Display, Write as _};

use serde_core::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::error::{Error, Reason};
use crate::json::skip_plain;
use crate::limits::Limits;

/// Writes the JSON text of a value, up to where a limit is exceeded.
pub(super) fn write_value<T: Serialize + ?Sized>(
    value: &T,
    limits: Limits,
    text: &mut String,
) -> Result<(), Error> {
    let mut writer = ValueWriter {
        text,
        limits,
        depth: 0,
        mode: Mode::Value,
    };
    let reason = match value.serialize(&mut writer) {
        Ok(()) | Err(Failure::Limit) => return Ok(()),
        Err(Failure::Name) => Reason::InvalidName,
        Err(Failure::Custom(message)) => Reason::Unserializable(message),
    };
    Err(Error::new(reason, text.len()))
}

/// Why there is no text, or not all of it.
#[derive(Debug)]
enum Failure {
    /// A limit is exceeded: the text ends after what exceeds it.
    Limit,
    /// The key of a map is neither text nor a number nor a bool.
    Name,
    /// The value says so itself.
    Custom(Box<str>),
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Limit => "a limit is exceeded",
            Self::Name => "a map key is no string",
            Self::Custom(message) => message,
        })
    }
}

impl core::error::Error for Failure {}

impl ser::Error for Failure {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string().into())
    }
}

/// What a value is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Value,
    /// The name of a member.
    Name,
    /// The text of a value that is JSON text already.
    Raw,
}

struct ValueWriter<'a> {
    text: &'a mut String,
    limits: Limits,
    depth: u32,
    mode: Mode,
}

/// The names under which `serde_json` passes on text that is JSON already: a `RawValue`, and a
/// `Number` if any crate of the build has its feature `arbitrary_precision`.
const RAW: [&str; 2] = [
    "$serde_json::private::RawValue",
    "$serde_json::private::Number",
];

impl<'a> ValueWriter<'a> {
    /// Opens an array or object. `closer` ends it, and the object of a variant around it, if there
    /// is one.
    fn open<'w>(
        &'w mut self,
        bracket: char,
        closer: &'static str,
    ) -> Result<Open<'w, 'a>, Failure> {
        self.open_bracket(bracket)?;
        Ok(Open {
            writer: self,
            closer,
            is_empty: true,
        })
    }

    /// Opens the object of an enum's variant.
    fn open_variant(&mut self, variant: &str) -> Result<(), Failure> {
        self.open_bracket('{')?;
        self.write_string(variant);
        self.text.push(':');
        Ok(())
    }

    fn open_bracket(&mut self, bracket: char) -> Result<(), Failure> {
        self.require_value()?;
        self.text.push(bracket);
        if self.depth >= self.limits.depth {
            return Err(Failure::Limit);
        }
        self.depth += 1;
        Ok(())
    }

    /// Only text and numbers can be names.
    fn require_value(&self) -> Result<(), Failure> {
        match self.mode {
            Mode::Name => Err(Failure::Name),
            Mode::Value | Mode::Raw => Ok(()),
        }
    }

    fn literal(&mut self, literal: &str) -> Result<(), Failure> {
        self.require_value()?;
        self.text.push_str(literal);
        Ok(())
    }

    /// Writes a number or bool.
    fn plain(&mut self, write: impl FnOnce(&mut String)) {
        let is_name = self.mode == Mode::Name;
        if is_name {
            self.text.push('"');
        }
        write(self.text);
        if is_name {
            self.text.push('"');
        }
    }

    fn write_string(&mut self, text: &str) {
        self.text.push('"');
        write_content(text, self.text);
        self.text.push('"');
    }

    fn within<T: Serialize + ?Sized>(&mut self, mode: Mode, value: &T) -> Result<(), Failure> {
        let outer = core::mem::replace(&mut self.mode, mode);
        let result = value.serialize(&mut *self);
        self.mode = outer;
        result
    }
}

/// Writes the content of a string, escaped where it has to be.
fn write_content(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        let plain = skip_plain(rest.as_bytes(), 0);
        // What needs an escape is one byte long, so the text can be split before and after it.
        let Some((before, after)) = rest.split_at_checked(plain) else {
            return;
        };
        out.push_str(before);
        let mut chars = after.chars();
        let Some(special) = chars.next() else {
            return;
        };
        match special {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control => {
                let digit = |n| char::from_digit(n, 16).unwrap_or_default();
                let code = u32::from(control);
                out.push_str("\\u00");
                out.extend([digit(code >> 4), digit(code & 15)]);
            }
        }
        rest = chars.as_str();
    }
}

/// Escapes what is formatted into it.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_content(text, self.0);
        Ok(())
    }
}

fn write_unsigned(mut number: u64, out: &mut String) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(core::str::from_utf8(&digits[start..]).unwrap_or_default());
}

fn write_signed(number: i64, out: &mut String) {
    if number < 0 {
        out.push('-');
    }
    write_unsigned(number.unsigned_abs(), out);
}

/// The `Display` of a 128-bit integer.
fn write_display(number: impl Display, out: &mut String) {
    // Writing to a `String` never fails.
    let _ = write!(out, "{number}");
}

/// Writes the shortest digits that read as the same float, `scientific` as `{:e}` writes them: as
/// `0.5`, `1.0` and `12.0` where its exponent is one of `plain`, else as `1e-7` and `1.5e+300`.
fn write_float(
    scientific: fmt::Arguments<'_>,
    plain: core::ops::RangeInclusive<i32>,
    out: &mut String,
) {
    let start = out.len();
    let _ = out.write_fmt(scientific);
    let Some((digits, exponent)) = out.get(start..).and_then(|text| text.split_once('e')) else {
        return;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    // At most 17 digits, a sign and a point.
    let mut buffer = [0; 24];
    let mut len = 0;
    let is_negative = digits.starts_with('-');
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        buffer[len] = digit;
        len += 1;
    }
    let digits = core::str::from_utf8(&buffer[..len]).unwrap_or_default();
    out.truncate(start);
    if is_negative {
        out.push('-');
    }
    let (first, rest) = digits.split_at_checked(1).unwrap_or_default();
    if !plain.contains(&exponent) {
        // 15 and -7: 1.5e-7
        out.push_str(first);
        if !rest.is_empty() {
            out.push('.');
            out.push_str(rest);
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{}", exponent.unsigned_abs());
        return;
    }
    if exponent < 0 {
        // 15 and -3: 0.0015
        out.push_str("0.");
        out.extend(core::iter::repeat_n(
            '0',
            exponent.unsigned_abs() as usize - 1,
        ));
        out.push_str(digits);
        return;
    }
    let integer = exponent.unsigned_abs() as usize + 1;
    if let Some((integer, fraction)) = digits.split_at_checked(integer)
        && !fraction.is_empty()
    {
        // 15 and 0: 1.5
        out.push_str(integer);
        out.push('.');
        out.push_str(fraction);
    } else {
        // 15 and 3: 1500.0
        out.push_str(digits);
        out.extend(core::iter::repeat_n('0', integer - digits.len()));
        out.push_str(".0");
    }
}

/// An array or object that is being written.
struct Open<'w, 'a> {
    writer: &'w mut ValueWriter<'a>,
    /// The closing brackets; none for a value that is written raw.
    closer: &'static str,
    is_empty: bool,
}

impl Open<'_, '_> {
    fn separate(&mut self) -> Result<(), Failure> {
        if self.writer.text.len() > self.writer.limits.document_bytes as usize {
            return Err(Failure::Limit);
        }
        if !core::mem::take(&mut self.is_empty) {
            self.writer.text.push(',');
        }
        Ok(())
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.separate()?;
        value.serialize(&mut *self.writer)
    }

    fn name<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Failure> {
        self.separate()?;
        self.writer.within(Mode::Name, name)?;
        self.writer.text.push(':');
        Ok(())
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Failure> {
        if self.closer.is_empty() {
            return self.writer.within(Mode::Raw, value);
        }
        self.separate()?;
        self.writer.write_string(name);
        self.writer.text.push(':');
        value.serialize(&mut *self.writer)
    }

    fn close(self) {
        self.writer.depth -= self.closer.len() as u32;
        self.writer.text.push_str(self.closer);
    }
}

macro_rules! write_integers {
    ($($method:ident $type:ty, $write:ident;)*) => {
        $(fn $method(self, number: $type) -> Result<(), Failure> {
            self.plain(|out| $write(number.into(), out));
            Ok(())
        })*
    };
}

impl<'w, 'a> Serializer for &'w mut ValueWriter<'a> {
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
        serialize_i8 i8, write_signed;
        serialize_i16 i16, write_signed;
        serialize_i32 i32, write_signed;
        serialize_i64 i64, write_signed;
        serialize_u8 u8, write_unsigned;
        serialize_u16 u16, write_unsigned;
        serialize_u32 u32, write_unsigned;
        serialize_u64 u64, write_unsigned;
    }

    fn serialize_i128(self, number: i128) -> Result<(), Failure> {
        self.plain(|out| write_display(number, out));
        Ok(())
    }

    fn serialize_u128(self, number: u128) -> Result<(), Failure> {
        self.plain(|out| write_display(number, out));
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Failure> {
        self.plain(|out| out.push_str(if value { "true" } else { "false" }));
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), Failure> {
        if !number.is_finite() {
            return self.literal("null");
        }
        self.plain(|out| write_float(format_args!("{number:e}"), -6..=12, out));
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Failure> {
        if !number.is_finite() {
            return self.literal("null");
        }
        self.plain(|out| write_float(format_args!("{number:e}"), -5..=15, out));
        Ok(())
    }

    fn serialize_char(self, char: char) -> Result<(), Failure> {
        self.serialize_str(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Failure> {
        match self.mode {
            Mode::Value | Mode::Name => self.write_string(text),
            Mode::Raw => self.text.push_str(text),
        }
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Failure> {
        if self.mode == Mode::Raw {
            let _ = write!(self.text, "{value}");
            return Ok(());
        }
        self.text.push('"');
        write!(Escaped(self.text), "{value}")
            .map_err(|_| Failure::Custom("a `Display` implementation returned an error".into()))?;
        self.text.push('"');
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut array = self.open('[', "]")?;
        for byte in bytes {
            array.element(byte)?;
        }
        array.close();
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Failure> {
        self.literal("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Failure> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Failure> {
        self.literal("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Failure> {
        self.literal("null")
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
        self.open_variant(variant)?;
        value.serialize(&mut *self)?;
        self.depth -= 1;
        self.text.push('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'w, 'a>, Failure> {
        self.open('[', "]")
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'w, 'a>, Failure> {
        self.open('[', "]")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'w, 'a>, Failure> {
        self.open('[', "]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w, 'a>, Failure> {
        self.open_variant(variant)?;
        self.open('[', "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'w, 'a>, Failure> {
        self.open('{', "}")
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Open<'w, 'a>, Failure> {
        if RAW.contains(&name) {
            self.require_value()?;
            return Ok(Open {
                writer: self,
                closer: "",
                is_empty: true,
            });
        }
        self.open('{', "}")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w, 'a>, Failure> {
        self.open_variant(variant)?;
        self.open('{', "}}")
    }
}

macro_rules! write_elements {
    ($($trait:ident $method:ident;)*) => {
        $(impl $trait for Open<'_, '_> {
            type Ok = ();
            type Error = Failure;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
                self.element(value)
            }

            fn end(self) -> Result<(), Failure> {
                self.close();
                Ok(())
            }
        })*
    };
}

write_elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! write_members {
    ($($trait:ident)*) => {
        $(impl $trait for Open<'_, '_> {
            type Ok = ();
            type Error = Failure;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Failure> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Failure> {
                self.close();
                Ok(())
            }
        })*
    };
}

write_members! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Open<'_, '_> {
    type Ok = ();
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Failure> {
        self.name(name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Failure> {
        self.close();
        Ok(())
    }
}
