//! The traits of partial forms.

use serde_core::de::DeserializeOwned;

use super::PartialValue;
use crate::document::{DeserializeError, PartialPolicy, Value};

/// A type that has a form for incomplete values.
///
/// Derive it: `#[derive(Partial)]` (feature `derive`) generates the form of a struct or enum. The
/// forms of the types of the standard library:
///
/// | type | form |
/// | --- | --- |
/// | `bool`, numbers, `char`, `String`, `Box<str>` | itself: as far as it has arrived |
/// | `Option<T>`, `Box<T>`, `Vec<T>`, `VecDeque<T>`, maps | the same type, of the form of `T` |
/// | `BTreeSet<T>`, `HashSet<T>` | itself, with the complete elements |
/// | `[T; N]`, tuples | the same type, of `Option`s of the forms |
///
/// A type whose incomplete values have no meaning, such as a UUID or a date, has no form: mark its
/// field with `#[partial(done)]`.
///
/// ```
/// use json_chunks::partial::{PartialForm, PartialOf, PartialValue};
/// use json_chunks::{Parser, PartialPolicy};
/// use json_chunks::value::DeserializeError;
///
/// /// A color as `#RRGGBB`, which has a value as soon as its red has arrived.
/// struct Color;
///
/// impl PartialForm for Color {
///     type Partial = u8;
///
///     fn read_partial(value: PartialValue<'_>) -> Result<Option<u8>, DeserializeError> {
///         let red = value.value().as_str().and_then(|text| text.get(1..3));
///         Ok(red.and_then(|red| u8::from_str_radix(red, 16).ok()))
///     }
/// }
///
/// let mut parser = Parser::new();
/// parser.push(br##"["#9400D3", "#FF0000", "#0"##)?;
/// let root = PartialValue::new(parser.root().expect("it has begun"), PartialPolicy::default());
/// let reds: Option<PartialOf<Vec<Color>>> = Vec::<Color>::read_partial(root)?;
/// assert_eq!(reds, Some(vec![0x94, 0xFF]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partial form",
    label = "it is not known what `{Self}` looks like while it is being written",
    note = "if `{Self}` is a struct or enum of yours, derive `json_chunks::Partial` for it",
    note = "if it is all or nothing, such as a UUID, mark the field with `#[partial(done)]`",
    note = "if serde can read it from the start of its text, mark the field with `#[partial(leaf)]`"
)]
pub trait PartialForm: Sized {
    /// The form of an incomplete value of this type.
    type Partial;

    /// Reads the part of a value that has arrived; `None` if it cannot be shown yet.
    ///
    /// # Errors
    ///
    /// If a complete value is not of this type: the value itself, or one in it.
    fn read_partial(value: PartialValue<'_>) -> Result<Option<Self::Partial>, DeserializeError>;

    /// Whether the type is read from an object with known member names.
    #[doc(hidden)]
    const HAS_FIELDS: bool = false;

    /// Returns whether the type reads the member with this name.
    #[doc(hidden)]
    #[must_use]
    fn has_field(_name: &str) -> bool {
        false
    }
}

/// The partial form of a type.
pub type PartialOf<T> = <T as PartialForm>::Partial;

/// A type that is read from a value that may be incomplete: every type that serde can read, and the
/// types that `#[derive(Partial)]` generates.
///
/// [`json_partials`](crate::stream::FragmentStreamExt::json_partials) and
/// [`from_partial_str`](super::from_partial_str) yield such types. A document that is an array is
/// read as a struct around it:
///
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use json_chunks::Partial;
/// use json_chunks::partial::from_partial_str;
///
/// #[derive(Partial)]
/// struct Trips(Vec<Trip>);
///
/// #[derive(Partial)]
/// struct Trip {
///     title: String,
/// }
///
/// let PartialTrips(trips) = from_partial_str(r#"[{"title":"Three Slow Days"},{"ti"#)?.value;
/// assert_eq!(trips[0].title.as_deref(), Some("Three Slow Days"));
/// assert_eq!(trips[1].title, None);
/// # Ok::<(), json_chunks::partial::PartialError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read from JSON that is incomplete",
    note = "derive `serde::Deserialize` for it, or derive `json_chunks::Partial` for a type `T` and \
            read its `PartialT`",
    note = "an array of partial values is read as a newtype that derives `json_chunks::Partial`: \
            `struct Trips(Vec<Trip>)` as `PartialTrips`"
)]
pub trait FromPartial: Sized {
    /// Reads what has arrived of a value.
    ///
    /// # Errors
    ///
    /// If the value can't be read yet, or is not of this type; the second if it is complete.
    fn from_partial(value: Value<'_>, partials: PartialPolicy) -> Result<Self, DeserializeError>;
}

impl<T: DeserializeOwned> FromPartial for T {
    fn from_partial(value: Value<'_>, partials: PartialPolicy) -> Result<Self, DeserializeError> {
        value.deserialize(partials)
    }
}
