//! Functions for one text that may be truncated.

use alloc::string::String;
use core::fmt;

use super::FromPartial;
use super::item::Partial;
use crate::document::{DeserializeError, PartialPolicy};
use crate::error::{Error, Reason};
use crate::parser::Parser;

/// Deserializes the part of a value that has arrived, from the start of its JSON text.
///
/// The text may end anywhere. An open value is shown as far as it has arrived, like in
/// [`Value::deserialize`](crate::document::Value::deserialize): an incomplete value that does not
/// fit `T` yet is omitted. The value [is complete](Partial::is_complete) if the text is terminated.
/// A number at the top level never is, because `10` may be the start of `1000`.
///
/// For a text that keeps growing, use
/// [`json_partials`](crate::stream::FragmentStreamExt::json_partials) or a [`Parser`], which read
/// each byte once.
///
/// ```
/// use json_chunks::Partial;
/// use json_chunks::partial::from_partial_str;
/// use serde::Deserialize;
///
/// #[derive(Debug, PartialEq, Deserialize)]
/// struct Trip {
///     title: String,
///     days: Option<u32>,
/// }
///
/// let trip: Partial<Trip> = from_partial_str(r#"{"title": "Three Slow D"#)?;
/// assert_eq!(trip, Partial::incomplete(Trip { title: "Three Slow D".into(), days: None }));
/// # Ok::<(), json_chunks::partial::PartialError>(())
/// ```
///
/// # Errors
///
/// - [`PartialError::Json`] if the text is not the start of one JSON value, or contains no value
///   yet: then it is [incomplete](Error::is_incomplete). Also if it exceeds the default
///   [`Limits`](crate::limits::Limits). Text around the JSON is an error; see
///   [`repair`](crate::repair()).
/// - [`PartialError::Value`] if the value is not a `T`, or cannot be one before more text has
///   arrived.
///
/// # Cost
///
/// Linear in the text. The document is kept until the value has been read; see [`Parser`] for its
/// memory.
pub fn from_partial_str<T: FromPartial>(text: &str) -> Result<Partial<T>, PartialError> {
    let mut parser = Parser::new();
    parser.push(text.as_bytes())?;
    let Some(root) = parser.root() else {
        return Err(Error::new(Reason::Incomplete, text.len()).into());
    };
    Ok(Partial {
        value: T::from_partial(root, PartialPolicy::default())?,
        is_complete: root.is_complete(),
    })
}

/// Returns the start of a JSON text as complete JSON, without white space between tokens. Open
/// values are closed, and a name without its value is omitted.
///
/// The text may end anywhere. If it contains a syntax error, the text before the error is
/// completed; if there is no value at all, the result is `null`. So the result is always complete
/// JSON, and does not show that something was lost: [`from_partial_str`] returns an error then, and
/// [`repair`](crate::repair()) fixes malformed JSON.
///
/// ```
/// use json_chunks::partial::complete_json;
///
/// assert_eq!(complete_json(r#"{"days": [{"title": "Arri"#), r#"{"days":[{"title":"Arri"}]}"#);
/// assert_eq!(complete_json(r#"{"open": t"#), r#"{"open":true}"#);
/// assert_eq!(complete_json(r#"{"price": -1.5e, "na"#), r#"{"price":-1.5}"#);
/// ```
///
/// # Cost
///
/// The same as of [`from_partial_str`].
#[must_use]
pub fn complete_json(text: &str) -> String {
    let mut parser = Parser::new();
    // The text before the error is in the document.
    let _ = parser.push(text.as_bytes());
    match parser.root() {
        Some(root) => root.to_json(PartialPolicy::default()),
        None => "null".into(),
    }
}

/// Why a text that may be truncated has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartialError {
    /// The text is not JSON, or contains no value yet.
    Json(Error),
    /// The value is not of the requested type, or cannot be read as one yet. The error text may
    /// quote the value.
    Value(DeserializeError),
}

impl fmt::Display for PartialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PartialError {}

impl From<Error> for PartialError {
    fn from(error: Error) -> Self {
        Self::Json(error)
    }
}

impl From<DeserializeError> for PartialError {
    fn from(error: DeserializeError) -> Self {
        Self::Value(error)
    }
}
