//! The forms of the types of the standard library.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::{HashMap, HashSet};

use serde_core::de::{DeserializeOwned, Error as _};

use super::{PartialForm, PartialValue};
use crate::document::DeserializeError;

type Result<T> = core::result::Result<T, DeserializeError>;

macro_rules! forms_of_scalars {
    ($($scalar:ty)*) => {$(
        /// Reads the value as far as it has arrived.
        impl PartialForm for $scalar {
            type Partial = Self;

            fn read_partial(value: PartialValue<'_>) -> Result<Option<Self>> {
                value.read()
            }
        }
    )*};
}

forms_of_scalars! {
    () bool char String Box<str>
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64
}

/// `null` is `None`.
impl<T: PartialForm> PartialForm for Option<T> {
    type Partial = Option<T::Partial>;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
        if value.value().is_null() {
            return Ok(Some(None));
        }
        Ok(T::read_partial(value)?.map(Some))
    }
}

impl<T: PartialForm> PartialForm for Box<T> {
    type Partial = Box<T::Partial>;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
        Ok(T::read_partial(value)?.map(Box::new))
    }

    const HAS_FIELDS: bool = T::HAS_FIELDS;

    fn has_field(name: &str) -> bool {
        T::has_field(name)
    }
}

/// Reads the elements that can be shown: all except the last one, and that one if possible.
fn read_elements<T: PartialForm, C: FromIterator<T::Partial>>(
    value: PartialValue<'_>,
) -> Result<Option<C>> {
    let Some(elements) = value.elements()? else {
        return Ok(None);
    };
    let elements = elements.filter_map(|element| T::read_partial(element).transpose());
    elements.collect::<Result<C>>().map(Some)
}

/// Reads the elements that are complete.
fn read_complete<T: DeserializeOwned, C: FromIterator<T>>(
    value: PartialValue<'_>,
) -> Result<Option<C>> {
    let Some(elements) = value.elements()? else {
        return Ok(None);
    };
    let complete = elements.filter(|element| element.is_complete());
    let complete = complete.filter_map(|element| element.read().transpose());
    complete.collect::<Result<C>>().map(Some)
}

/// Reads the members whose values can be shown.
fn read_entries<K: DeserializeOwned, V: PartialForm, C: FromIterator<(K, V::Partial)>>(
    value: PartialValue<'_>,
) -> Result<Option<C>> {
    let Some(members) = value.members()? else {
        return Ok(None);
    };
    let entries = members.filter_map(|(_, member)| {
        let entry = member.value().deserialize_name().and_then(|name| {
            let value = V::read_partial(member)?;
            Ok(value.map(|value| (name, value)))
        });
        entry.transpose()
    });
    entries.collect::<Result<C>>().map(Some)
}

macro_rules! forms_of_lists {
    ($($list:ident)*) => {$(
        /// The elements that can be shown.
        impl<T: PartialForm> PartialForm for $list<T> {
            type Partial = $list<T::Partial>;

            fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
                read_elements::<T, _>(value)
            }
        }
    )*};
}

forms_of_lists!(Vec VecDeque);

/// The members whose values can be shown.
impl<K: DeserializeOwned + Ord, V: PartialForm> PartialForm for BTreeMap<K, V> {
    type Partial = BTreeMap<K, V::Partial>;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
        read_entries::<K, V, _>(value)
    }
}

/// The members whose values can be shown.
#[cfg(feature = "std")]
impl<K, V, S> PartialForm for HashMap<K, V, S>
where
    K: DeserializeOwned + Eq + Hash,
    V: PartialForm,
    S: BuildHasher + Default,
{
    type Partial = HashMap<K, V::Partial, S>;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
        read_entries::<K, V, _>(value)
    }
}

/// The elements that are complete: another one would take their place when they grow.
impl<T: DeserializeOwned + Ord> PartialForm for BTreeSet<T> {
    type Partial = Self;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self>> {
        read_complete(value)
    }
}

/// The elements that are complete: another one would take their place when they grow.
#[cfg(feature = "std")]
impl<T, S> PartialForm for HashSet<T, S>
where
    T: DeserializeOwned + Eq + Hash,
    S: BuildHasher + Default,
{
    type Partial = Self;

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self>> {
        read_complete(value)
    }
}

/// Reads one of a fixed number of elements; an error if it is missing in a complete array.
pub(super) fn read_element<'a, X>(
    elements: &mut impl Iterator<Item = PartialValue<'a>>,
    array: PartialValue<'a>,
    read: impl FnOnce(PartialValue<'a>) -> Result<Option<X>>,
) -> Result<Option<X>> {
    match elements.next() {
        Some(element) => read(element),
        None => array.or_none(Err(invalid_length(array, "more"))),
    }
}

/// Returns an error if there are more elements.
pub(super) fn end_elements<'a>(
    elements: &mut impl Iterator<Item = PartialValue<'a>>,
    array: PartialValue<'a>,
) -> Result<()> {
    match elements.next() {
        Some(_) => Err(invalid_length(array, "fewer")),
        None => Ok(()),
    }
}

#[cold]
fn invalid_length(array: PartialValue<'_>, wanted: &str) -> DeserializeError {
    let len = array.value().len();
    let message = format!("invalid length {len}, expected {wanted} elements in array");
    DeserializeError::custom(message).at(array.value())
}

impl<T: PartialForm, const N: usize> PartialForm for [T; N] {
    type Partial = [Option<T::Partial>; N];

    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
        let Some(mut elements) = value.elements()? else {
            return Ok(None);
        };
        let mut read = [const { None }; N];
        for slot in &mut read {
            *slot = read_element(&mut elements, value, T::read_partial)?;
        }
        end_elements(&mut elements, value)?;
        Ok(Some(read))
    }
}

macro_rules! forms_of_tuples {
    ($(($($element:ident)+))*) => {$(
        impl<$($element: PartialForm),+> PartialForm for ($($element,)+) {
            type Partial = ($(Option<$element::Partial>,)+);

            fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>> {
                let Some(mut elements) = value.elements()? else {
                    return Ok(None);
                };
                let read = ($(read_element(&mut elements, value, $element::read_partial)?,)+);
                end_elements(&mut elements, value)?;
                Ok(Some(read))
            }
        }
    )*};
}

forms_of_tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
}
