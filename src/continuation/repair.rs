//! What is not quite JSON → JSON, and a ledger of what was changed.
//!
//! The [parser](crate::Parser) has the first and the last word: a text that it takes is returned as
//! it is, and what comes out has gone through it. In between the [`Mender`] writes down changes,
//! never a text of its own, so that whatever is not in the [`Ledger`](ledger) is the input.

mod ahead;
mod closer;
#[cfg(test)]
mod cost;
mod escape;
mod ledger;
mod member;
mod mender;
mod scalar;
mod start;
mod string;
mod utf8;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::Deserialize;

use crate::document::{DeserializeError, Partials, Value};
use crate::error::Error;
use crate::limits::Limits;
use crate::parser::Parser;
pub use ledger::{Repair, RepairRule};
use mender::Mender;
use utf8::Decoded;

/// Makes JSON of a text that a model meant to be JSON.
///
/// What is JSON already comes back byte for byte, white space and members of the same name
/// included. Anything else is read as leniently as it takes: what is open is closed, what is
/// missing is put in, what is no part of the value is left out, and a [ledger](Repaired::ledger)
/// says what was done where. The result always is JSON, and what is repaired once is not changed
/// again.
///
/// ```
/// use json_chunks::{RepairRule, repair};
///
/// let reply = "Here you are:\n```json\n{'days': 3, \"title\": \"Three \"slow\" da";
/// let repaired = repair(reply)?;
/// assert_eq!(repaired.text(), r#"{"days": 3, "title": "Three \"slow\" da"}"#);
/// assert_eq!(repaired.value().get("days").and_then(|days| days.as_number()), Some("3"));
///
/// let first = &repaired.ledger()[0];
/// assert_eq!((first.rule(), first.range(), first.replacement()), (RepairRule::Fence, 0..22, ""));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Rules
///
/// `␊` stands for a line feed, `␉` for a tab, `⟨…⟩` for bytes.
///
#[doc = include_str!("repair/rules.md")]
///
/// # Where the value is
///
/// At the start, if the text starts with a bracket, or with a string, number or literal that has
/// its line to itself; else in the first Markdown fence; else at the first bracket that is followed
/// by what there is in JSON. It ends with its last closer, or with the fence. Of several values, as
/// in JSON Lines, it is the first; the others are left out.
///
/// # What cannot be told
///
/// A text that is broken may have meant more than one thing, and the rules take the likeliest.
/// Quotes in a string are told from its end by what follows: a comma and another name or element, a
/// closer, a colon behind a name. Of a text that is cut off, what has come of a string or number is
/// kept, as [`Partials::default`] shows it, and so the end of a string that only lacks its quote and
/// all that followed it look alike. A document in a string whose quotes are not escaped, one whose
/// quotes all are, a path that ends in a backslash (`"C:\"`), numbers with separators of thousands
/// (`1,250`) and sets or tuples of Python come out as something else. Look at the ledger before you trust a value that matters.
///
/// # Errors
///
/// If there is no value in the text ([`ErrorKind::Syntax`](crate::ErrorKind::Syntax)), or it
/// exceeds the default [`Limits`].
///
/// # Cost
///
/// Linear in the bytes, whatever they are: the text is parsed, if need be mended, and parsed again.
/// Memory: the [`Parser`]'s, and some 60 bytes for each change.
pub fn repair(text: impl AsRef<[u8]>) -> Result<Repaired, Error> {
    repair_with(text, Limits::default())
}

/// As [`repair`], with limits of your own.
///
/// ```
/// use json_chunks::{ErrorKind, Limits, repair_with};
///
/// let error = repair_with("[[[1", Limits::default().max_depth(2)).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::TooDeep, 2));
/// ```
///
/// # Errors
///
/// As [`repair`].
pub fn repair_with(text: impl AsRef<[u8]>, limits: Limits) -> Result<Repaired, Error> {
    let bytes = text.as_ref();
    match Parser::of_whole(bytes, limits) {
        // The parser passes over a byte order mark, which is no part of JSON.
        Ok(parser) if !bytes.starts_with("\u{FEFF}".as_bytes()) => {
            let ledger = Vec::new();
            return Ok(Repaired { parser, ledger });
        }
        Err(error) if error.is_limit() => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let decoded = Decoded::new(bytes);
    let repairs = Mender::new(&decoded.text, limits.depth)
        .mend()?
        .into_repairs();
    let text = ledger::apply(&decoded.text, &repairs);
    Ok(Repaired {
        parser: Parser::of_whole(text.as_bytes(), limits)?,
        ledger: decoded.of_bytes(repairs),
    })
}

/// Counts bytes that are read ahead and changes that are moved, for the test that these are linear
/// in the text.
fn count(steps: usize) {
    #[cfg(test)]
    cost::add(steps);
    #[cfg(not(test))]
    let _ = steps;
}

/// JSON that was [repaired](repair), or did not need it.
#[derive(Clone)]
pub struct Repaired {
    /// Holds one complete value.
    parser: Parser,
    ledger: Vec<Repair>,
}

impl Repaired {
    /// The JSON text: the input with the changes of the [ledger](Self::ledger).
    #[must_use]
    pub fn text(&self) -> &str {
        self.parser.text()
    }

    /// The JSON text.
    #[must_use]
    pub fn into_text(self) -> String {
        self.parser.into_text()
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// Never: there is one.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        self.parser
            .root()
            .expect("the text has been parsed to its end")
    }

    /// The value as a `T`: see [`Value::deserialize`].
    ///
    /// # Errors
    ///
    /// If no `T` can be made of the value.
    pub fn deserialize<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DeserializeError> {
        self.value().deserialize(Partials::default())
    }

    /// What was changed, in the order of the input; no two overlap.
    #[must_use]
    pub fn ledger(&self) -> &[Repair] {
        &self.ledger
    }

    /// Whether the input was JSON.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.ledger.is_empty()
    }
}

impl fmt::Debug for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repaired")
            .field("bytes", &self.text().len())
            .field("repairs", &self.ledger.len())
            .finish_non_exhaustive()
    }
}
