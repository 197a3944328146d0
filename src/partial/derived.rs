//! What the code that `#[derive(Partial)]` generates calls. Not public API: it changes with the
//! derive, which asks for exactly its version.

use alloc::borrow::Cow;

pub use core::option::Option;
pub use core::result::Result as StdResult;
use serde_core::de::Error as _;
pub use serde_core::de::{Deserialize, DeserializeOwned};

use super::types::{end_elements, read_element};
use super::value::Hidden;
pub use super::{FromPartial, PartialForm, PartialOf, PartialValue};
pub use crate::document::{DeserializeError, PartialPolicy, Value};
use crate::partial::item::Partial;
pub use crate::partial::item::Partial as State;

pub type Result<T> = core::result::Result<T, DeserializeError>;

/// Reads the form of `T` as a type of its own: an error while nothing can be shown.
pub fn from_partial<T: PartialForm>(
    value: Value<'_>,
    partials: PartialPolicy,
) -> Result<T::Partial> {
    let value = PartialValue::new(value, partials);
    if value.is_shown()
        && let Some(read) = T::read_partial(value)?
    {
        return Ok(read);
    }
    let message = "the value can't be shown yet: something required is missing";
    Err(DeserializeError::custom(message))
}

/// Reads a field that is optional: `None` if its member has not arrived, is `null`, or can't be
/// shown yet.
pub fn optional<'a, X>(
    member: Option<PartialValue<'a>>,
    read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
) -> Result<Option<X>> {
    match member {
        Some(member) if !member.value().is_null() => read(member),
        Some(_) | None => Ok(None),
    }
}

/// Reads a field without which there is no value: an error if it is missing in a complete object.
pub fn required<'a, X>(
    object: PartialValue<'a>,
    name: &'static str,
    member: Option<PartialValue<'a>>,
    read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
) -> Result<Option<X>> {
    match member {
        Some(member) => read(member),
        None => object.or_none(Err(DeserializeError::missing_field(name))),
    }
}

/// Reads a value that is shown only when it is complete.
pub fn done<'a, X>(
    value: PartialValue<'a>,
    read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
) -> Result<Option<X>> {
    if value.is_complete() {
        read(value)
    } else {
        Ok(None)
    }
}

/// Reads a value and says whether it is complete.
pub fn with_state<'a, X>(
    value: PartialValue<'a>,
    read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
) -> Result<Option<Partial<X>>> {
    let is_complete = value.is_complete();
    let read = read(value)?;
    Ok(read.map(|value| Partial { value, is_complete }))
}

/// Reads a struct that is flattened into an object, without the members that are read by others.
pub fn hiding<X>(
    object: PartialValue<'_>,
    has_field: &dyn Fn(&str) -> bool,
    read: impl FnOnce(PartialValue<'_>) -> Result<Option<X>>,
) -> Result<Option<X>> {
    let hidden = Hidden {
        has_field,
        and: object.hidden(),
    };
    read(object.hiding(&hidden)?)
}

/// Returns the next element of a tuple: an error if it is missing in a complete array.
pub fn element<'a>(
    elements: &mut impl Iterator<Item = PartialValue<'a>>,
    array: PartialValue<'a>,
) -> Result<Option<PartialValue<'a>>> {
    read_element(elements, array, |element| Ok(Some(element)))
}

/// An error if there are more elements than the tuple has.
pub fn end<'a>(
    elements: &mut impl Iterator<Item = PartialValue<'a>>,
    array: PartialValue<'a>,
) -> Result<()> {
    end_elements(elements, array)
}

/// Returns the error that an object has a member that is not a field.
#[cold]
#[must_use]
pub fn unknown_field(
    member: PartialValue<'_>,
    name: &str,
    expected: &'static [&'static str],
) -> DeserializeError {
    DeserializeError::unknown_field(name, expected).at(member.value())
}

/// Returns the error that there is no variant of this name.
#[cold]
#[must_use]
pub fn unknown_variant(
    value: PartialValue<'_>,
    name: &str,
    expected: &'static [&'static str],
) -> DeserializeError {
    DeserializeError::unknown_variant(name, expected).at(value.value())
}

/// Returns the error that a variant with content is written as a string.
#[cold]
#[must_use]
pub fn missing_content(value: PartialValue<'_>) -> DeserializeError {
    value.unexpected("the variant with its content")
}

/// The name of a variant, which is complete, and its content.
type Tagged<'a> = (Cow<'a, str>, Option<PartialValue<'a>>);

/// Returns the variant of an enum that is tagged outside: a string, or an object of one member.
pub fn external<'a>(
    value: PartialValue<'a>,
    is_variant: &dyn Fn(&str) -> bool,
) -> Result<Option<Tagged<'a>>> {
    if let Some(name) = value.value().as_str() {
        let name = value.is_complete().then_some(Cow::Borrowed(name));
        return Ok(name.map(|name| (name, None)));
    }
    let Some(mut members) = value.members()? else {
        return Ok(None);
    };
    // Flattened into another object, it is one member among others.
    let is_flattened = value.hidden().is_some();
    let first = members.find(|(name, _)| !is_flattened || is_variant(name));
    let (Some((name, content)), true) = (first, is_flattened || members.next().is_none()) else {
        let expected = "an object with one member, the name of the variant";
        return value.or_none(Err(value.unexpected(expected)));
    };
    Ok(Some((name, Some(content))))
}

/// Returns the variant of an enum whose tag is a member of the object; `None` before that is
/// complete.
pub fn internal<'a>(
    value: PartialValue<'a>,
    tag: &'static str,
) -> Result<Option<(Cow<'a, str>, PartialValue<'a>)>> {
    let Some(mut members) = value.members()? else {
        return Ok(None);
    };
    match members.find(|(name, _)| name == tag) {
        Some((_, member)) => match member.value().as_str() {
            Some(name) => {
                let name = member.is_complete().then_some(Cow::Borrowed(name));
                Ok(name.map(|name| (name, member)))
            }
            None => member.or_none(Err(member.unexpected("the name of a variant"))),
        },
        None => value.or_none(Err(DeserializeError::missing_field(tag))),
    }
}

/// Returns the variant of an enum whose tag and content are members of the object.
pub fn adjacent<'a>(
    value: PartialValue<'a>,
    tag: &'static str,
    content: &'static str,
) -> Result<Option<Tagged<'a>>> {
    let Some((variant, _)) = internal(value, tag)? else {
        return Ok(None);
    };
    let members = value.members()?;
    let content = members.and_then(|mut members| members.find(|(name, _)| name == content));
    Ok(Some((variant, content.map(|(_, member)| member))))
}

/// The variants that an incomplete value of an untagged enum can be.
#[derive(Debug)]
pub struct Untagged<X> {
    possible: usize,
    shown: Option<X>,
}

impl<X> Untagged<X> {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            possible: 0,
            shown: None,
        }
    }

    /// Tries a variant: an error means that the value is not of it.
    pub fn consider<'a>(
        &mut self,
        value: PartialValue<'a>,
        read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
    ) {
        if let Ok(read) = read(value.tried()) {
            self.possible += 1;
            self.shown = read;
        }
    }

    /// Returns the value if it can be of one variant only.
    #[must_use]
    pub fn only(self) -> Option<X> {
        self.shown.filter(|_| self.possible == 1)
    }
}

impl<X> Default for Untagged<X> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns whether the type has a field for each member that has arrived. This selects among
/// variants without a tag.
pub fn has_all_fields(value: PartialValue<'_>, has_field: &dyn Fn(&str) -> bool) -> Result<bool> {
    let members = value.members()?;
    Ok(members.is_some_and(|mut members| members.all(|(name, _)| has_field(&name))))
}

/// The error that a value is not of the variant that is tried.
#[cold]
#[must_use]
pub fn other_variant(value: PartialValue<'_>) -> DeserializeError {
    value.unexpected("another variant")
}
