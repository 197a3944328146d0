//! Values as snapshots: their JSON text, compared with the last snapshot while it is written.
//!
//! The text is what `serde_json::to_string` writes. Most of it is in the last snapshot, at the same
//! place, so the serializer does not write it first: it compares each name and scalar with the last
//! snapshot at a cursor, and only what differs is escaped, formatted and written. What results is a
//! snapshot like any other, pushed as text; nothing else in the chunker knows of values.
//!
//! ```text
//! last   {"days":[…],"bio":"Born in","age":32}
//! value  {"days":[…],"bio":"Born in Rome","age":32}
//!        |compared  |written            |compared
//! ```
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | [`serializer`] | what each call of serde writes |
//! | [`open`] | the same in arrays and objects |
//! | [`name`] | the keys of maps |
//! | [`diff`] | the cursor in the last snapshot: compare, write, resume |
//! | [`compare`] | strings and integers, compared |
//! | [`escape`], [`number`] | strings and numbers as text |
//!
//! - *The text never depends on the last snapshot*: equal values have equal texts, and where the
//!   comparison loses its place, only the cost changes.
//! - *Exact or again*: a text in which a string was mistaken for other raw text is not used
//!   ([`DiffText::is_exact`]).
//! - *A failure leaves no trace*: the document is not touched before the text is complete.
//! - *Bounded*: text that is too deep or too large is not written to its end, and has to be refused
//!   by the pass: [`Cause::Limit`]. So the error is that of the pass, except that a text that
//!   exceeds several limits is refused for the one that it exceeds first.

mod compare;
mod diff;
mod escape;
mod name;
mod number;
mod open;
mod serializer;

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Display};
use core::ops::Range;

use serde_core::ser::{self, Serialize};

use super::Chunker;
use crate::error::{Error, Reason, message_text};
use crate::limits::Limits;
pub(super) use compare::count_marks;
use diff::{DiffText, Difference};
use serializer::ValueSerializer;

impl Chunker {
    /// Pushes a value as the next snapshot: a struct of an SDK, a `serde_json::Value`, anything
    /// that implements serde's `Serialize`.
    ///
    /// The chunks, revisions and errors are those of [`push`](Self::push) with the value's JSON
    /// text, which is what `serde_json::to_string` writes: `NaN` and infinities are null, numbers
    /// and booleans as map keys are in quotes.
    ///
    /// Do not pass text that is JSON already, such as a `String` or `Bytes` from a network: it
    /// would be written as a JSON string or an array of numbers. Such text is for
    /// [`push`](Self::push) and [`push_bytes`](Self::push_bytes).
    ///
    /// ```
    /// use json_chunks::{Chunker, MemberOrder};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Trip {
    ///     city: Option<&'static str>,
    ///     days: Option<u8>,
    /// }
    ///
    /// // serde writes the fields in the order of the struct.
    /// let mut chunker = Chunker::new().member_order(MemberOrder::Written);
    /// let mut trip = Trip { city: Some("Tok"), days: None };
    /// assert_eq!(chunker.push_value(&trip)?, r#"{"city":"Tok"#);
    /// trip.city = Some("Tokyo");
    /// trip.days = Some(3);
    /// assert_eq!(chunker.push_value(&trip)?, r#"yo","days":3"#);
    /// assert_eq!(chunker.finish(), "}");
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    ///
    /// # Cost
    ///
    /// Time linear in the size of the value, also where little is new: each name and scalar is
    /// compared with the last snapshot. What differs is formatted and escaped, and pushed as by
    /// [`push`](Self::push). A longer string costs only itself; a new member or element, or another
    /// order, costs what follows it in its object or array. The chunker keeps a buffer for that
    /// text. A value is serialized again if a string in it looks like several of the last snapshot:
    /// `a","b` after `["a","b"]`.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), with offsets in the value's text without white space; if several
    /// limits are exceeded, it may be that of another one. Also if a
    /// `Serialize` implementation returns an error, or if a map key is neither text nor a number
    /// nor a boolean: [`ErrorKind::Unserializable`](crate::ErrorKind::Unserializable). The chunker
    /// is unchanged.
    pub fn push_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<String, Error> {
        let mut out = String::new();
        self.push_value_into(value, &mut out)?;
        Ok(out)
    }

    /// Like [`push_value`](Self::push_value), but appends to `out`. A push does not allocate while
    /// `out`, the document and the buffer for what differs have the capacity for what is new.
    ///
    /// # Errors
    ///
    /// As [`push_value`](Self::push_value); `out` is unchanged.
    pub fn push_value_into<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        out: &mut String,
    ) -> Result<(), Error> {
        let mut text = core::mem::take(&mut self.value);
        text.clear();
        let marks = self.last.marks();
        let difference = write_value(value, self.limits, (self.last.text(), marks), &mut text);
        let result = difference.and_then(|difference| match difference {
            Difference::None => self.check_len(self.last.text().len()),
            Difference::Replaced(range) => self.push_replaced(&range, &mut text, out),
        });
        self.value = text;
        result
    }

    /// Pushes the last snapshot with `text` in place of these bytes.
    fn push_replaced(
        &mut self,
        replaced: &Range<usize>,
        text: &mut String,
        out: &mut String,
    ) -> Result<(), Error> {
        if let Some(growth) = self.last.growth_of_string(replaced, text) {
            self.check_len(self.last.text().len() + growth.len())?;
            if self.push_growth(growth, out) {
                return Ok(());
            }
        }
        let last = self.last.text();
        text.insert_str(0, last.get(..replaced.start).unwrap_or_default());
        text.push_str(last.get(replaced.end..).unwrap_or_default());
        self.push_into(text, out)
    }
}

/// Writes what of the JSON text of a value is not in `last`, the last snapshot, into `text`, which
/// is empty, up to where a limit is exceeded. `marks` are the quotes and backslashes in `last`.
fn write_value<T: Serialize + ?Sized>(
    value: &T,
    limits: Limits,
    (last, marks): (&str, usize),
    text: &mut String,
) -> Result<Difference, Error> {
    let mut serializer = ValueSerializer::new(DiffText::new(last, marks, text), limits);
    let mut result = value.serialize(&mut serializer);
    if !serializer.text.is_exact() {
        text.clear();
        serializer = ValueSerializer::new(DiffText::lost(last, text), limits);
        result = value.serialize(&mut serializer);
    }
    let text = serializer.into_text();
    let reason = match result.map_err(|failure| *failure.0) {
        Ok(()) | Err(Cause::Limit) => return Ok(text.finish()),
        Err(Cause::Name) => Reason::InvalidName,
        Err(Cause::Custom(message)) => Reason::Unserializable(message),
    };
    Err(Error::new(reason, text.len()))
}

/// The error of the serializer. A pointer, because each call returns it in a `Result`.
#[derive(Debug)]
struct Failure(Box<Cause>);

/// Why there is no text, or only a part of it.
#[derive(Debug)]
enum Cause {
    /// A limit is exceeded: the text ends after what exceeds it.
    Limit,
    /// The key of a map is neither text nor a number nor a bool.
    Name,
    /// A `Serialize` implementation returned an error.
    Custom(Box<str>),
}

impl Failure {
    /// A `Display` implementation returned an error.
    fn display() -> Self {
        let message = "a `Display` implementation returned an error";
        Cause::Custom(message.into()).into()
    }
}

impl From<Cause> for Failure {
    #[cold]
    fn from(cause: Cause) -> Self {
        Self(Box::new(cause))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &*self.0 {
            Cause::Limit => "a limit is exceeded",
            Cause::Name => "a map key is no string",
            Cause::Custom(message) => message,
        })
    }
}

impl core::error::Error for Failure {}

impl ser::Error for Failure {
    fn custom<T: Display>(message: T) -> Self {
        Cause::Custom(message_text(message).into()).into()
    }
}
