//! The values from which partial forms are read.

use alloc::borrow::Cow;
use core::fmt;

use serde_core::de::{DeserializeOwned, Deserializer, Error as _, Unexpected};

use crate::document::{DeserializeError, Kind, LEVELS, PartialPolicy, Value};

/// A value that may be incomplete, as a [policy](PartialPolicy) shows it.
///
/// Custom [forms](super::PartialForm) read it. It limits the nesting of values, and excludes the
/// members of an object that belong to other structs: for a flattened struct, the members of the
/// structs around it.
#[derive(Clone, Copy)]
pub struct PartialValue<'a> {
    value: Value<'a>,
    partials: PartialPolicy,
    /// The remaining nesting of arrays and objects.
    levels: u32,
    hidden: Option<&'a Hidden<'a>>,
    /// The number of structs around it that are read from the same object.
    flattened: u32,
    /// Whether one of several types is being selected for the value: then a type that is read from
    /// another kind of value fails at once.
    is_tried: bool,
}

/// Members of an object that other structs read.
#[derive(Clone, Copy)]
pub(super) struct Hidden<'a> {
    pub(super) has_field: &'a dyn Fn(&str) -> bool,
    pub(super) and: Option<&'a Self>,
}

impl Hidden<'_> {
    fn has(&self, name: &str) -> bool {
        (self.has_field)(name) || self.and.is_some_and(|and| and.has(name))
    }
}

impl<'a> PartialValue<'a> {
    /// Returns a value to read a form from.
    #[must_use]
    pub const fn new(value: Value<'a>, partials: PartialPolicy) -> Self {
        Self {
            value,
            partials,
            levels: LEVELS,
            hidden: None,
            flattened: 0,
            is_tried: false,
        }
    }

    /// Returns the value as it is in the document.
    #[must_use]
    pub const fn value(self) -> Value<'a> {
        self.value
    }

    /// Returns whether the end of the value has been read.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.value.is_complete()
    }

    /// Deserializes the value with serde; returns `None` if it is incomplete and not a `T` yet. The
    /// incomplete part is omitted if necessary, as in [`Value::deserialize`].
    ///
    /// # Errors
    ///
    /// If the value is complete and not a `T`.
    pub fn read<T: DeserializeOwned>(self) -> Result<Option<T>, DeserializeError> {
        if !self.is_shown() {
            return Ok(None);
        }
        self.or_none(self.value.deserialize_within(self.partials, self.levels))
    }

    /// Returns the value for a function that reads from a deserializer, such as those for
    /// `#[serde(deserialize_with)]`.
    #[must_use]
    pub fn deserializer(self) -> impl Deserializer<'a, Error = DeserializeError> {
        self.value.deserializer(self.partials, self.levels)
    }

    /// Reads the value with a function; returns `None` if the value is incomplete and could not be
    /// read.
    ///
    /// # Errors
    ///
    /// The error of `read`, with the place of the value, if the value is complete.
    pub fn or_none<T>(
        self,
        read: Result<T, DeserializeError>,
    ) -> Result<Option<T>, DeserializeError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if self.is_tried && error.is_invalid_type_of(self.value) => Err(error),
            Err(_) if !self.is_complete() => Ok(None),
            Err(error) => Err(error.at(self.value)),
        }
    }

    /// Returns the elements of an array that are shown; `None` if the value is something else and
    /// incomplete.
    ///
    /// # Errors
    ///
    /// If the value is complete and not an array, or is nested too deep.
    pub fn elements(self) -> Result<Option<impl Iterator<Item = Self>>, DeserializeError> {
        if self.value.kind() != Kind::Array {
            return self.or_none(Err(self.unexpected("an array")));
        }
        Ok(Some(self.children()?))
    }

    /// Returns the members of an object that are shown, with their names; `None` if the value is
    /// something else and incomplete.
    ///
    /// # Errors
    ///
    /// If the value is complete and not an object, or is nested too deep.
    pub fn members(
        self,
    ) -> Result<Option<impl Iterator<Item = (Cow<'a, str>, Self)>>, DeserializeError> {
        if self.value.kind() != Kind::Object {
            return self.or_none(Err(self.unexpected("an object")));
        }
        let members = self.children()?.filter_map(move |member| {
            let name = member.value.name();
            let is_hidden = self.hidden.is_some_and(|hidden| hidden.has(&name));
            (!is_hidden).then_some((name, member))
        });
        Ok(Some(members))
    }

    /// Returns the error that the value is not what was expected.
    #[must_use]
    pub fn unexpected(self, expected: &str) -> DeserializeError {
        let found = match self.value.kind() {
            Kind::Null => Unexpected::Unit,
            Kind::True => Unexpected::Bool(true),
            Kind::False => Unexpected::Bool(false),
            Kind::Number => Unexpected::Other("number"),
            Kind::String => Unexpected::Str(self.value.as_str().unwrap_or_default()),
            Kind::Array => Unexpected::Seq,
            Kind::Object => Unexpected::Map,
        };
        DeserializeError::invalid_type(found, &expected).at(self.value)
    }

    #[cold]
    fn recursion_limit_exceeded(self) -> DeserializeError {
        DeserializeError::custom("recursion limit exceeded").at(self.value)
    }

    /// Returns whether any part of the value is shown.
    pub(super) fn is_shown(self) -> bool {
        self.value.is_shown(self.partials)
    }

    /// Returns the shown values in it.
    fn children(self) -> Result<impl Iterator<Item = Self>, DeserializeError> {
        let inner = self.inner()?;
        let is_opened = self.value.is_opened(self.partials);
        let children = is_opened.then(|| self.value.children_after(None));
        let children = children.into_iter().flatten();
        Ok(children
            .filter(move |child| child.counts(self.partials))
            .map(move |value| Self { value, ..inner }))
    }

    /// Returns the settings that the values in it share.
    fn inner(self) -> Result<Self, DeserializeError> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| self.recursion_limit_exceeded())?;
        Ok(Self {
            levels,
            hidden: None,
            flattened: 0,
            is_tried: false,
            ..self
        })
    }
}

impl<'a> PartialValue<'a> {
    /// Returns the object for a struct that is flattened into another one, which reads these
    /// members.
    pub(super) fn hiding(self, hidden: &'a Hidden<'a>) -> Result<Self, DeserializeError> {
        // `struct S { #[serde(flatten)] s: Option<Box<S>> }`
        if self.flattened == LEVELS {
            return Err(self.recursion_limit_exceeded());
        }
        Ok(Self {
            hidden: Some(hidden),
            flattened: self.flattened + 1,
            ..self
        })
    }

    /// Returns the value for one of several possible types.
    pub(super) const fn tried(self) -> Self {
        Self {
            is_tried: true,
            ..self
        }
    }

    pub(super) const fn hidden(self) -> Option<&'a Hidden<'a>> {
        self.hidden
    }
}

/// Omits the payload.
impl fmt::Debug for PartialValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialValue")
            .field("value", &self.value)
            .field("partials", &self.partials)
            .finish_non_exhaustive()
    }
}
