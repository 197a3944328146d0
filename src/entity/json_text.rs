//! JSON text that has been checked.

use alloc::string::String;
use core::fmt;
use core::ops::Deref;

use serde_core::de::DeserializeOwned;
use serde_core::ser::{Error as _, Serialize, Serializer};

use crate::document::DeserializeError;
use crate::limits::Limits;
use crate::parser::Parser;

/// One JSON value as text, without white space between its tokens: numbers and strings are spelled
/// as the model wrote them. Shows itself in `Display` and `Debug`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct JsonText(String);

impl JsonText {
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }

    pub(super) fn array(elements: &[Self]) -> Self {
        let mut text = String::from("[");
        for (n, element) in elements.iter().enumerate() {
            if n > 0 {
                text.push(',');
            }
            text.push_str(element);
        }
        text.push(']');
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, without a copy.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// The value as a `T`, as [`Value::deserialize`](crate::Value::deserialize) reads it. Linear in
    /// the length of the text.
    ///
    /// # Errors
    ///
    /// If no `T` can be made of it. Pointers start from this value.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, DeserializeError> {
        Parser::read_whole(&self.0)
    }
}

impl Deref for JsonText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for JsonText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for JsonText {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl PartialEq<&str> for JsonText {
    fn eq(&self, text: &&str) -> bool {
        self.0 == *text
    }
}

impl From<JsonText> for String {
    fn from(text: JsonText) -> Self {
        text.0
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As the value, not as a string. Formats that know nothing of JSON text get numbers as 64 or 128
/// bits; where the exact spelling matters, write the [text](Self::as_str) itself.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parser = Parser::of_whole(self.0.as_bytes(), Limits::unlimited());
        let parser = parser.map_err(S::Error::custom)?;
        match parser.root() {
            Some(root) => root.serialize(serializer),
            None => serializer.serialize_unit(),
        }
    }
}
