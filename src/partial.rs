//! Incomplete values: functions for one text, and types that show which parts have arrived.
//!
//! - [`from_partial_str`] deserializes a text that may be cut off anywhere, and [`complete_json`]
//!   completes it.
//! - [`Partial`](struct@crate::Partial) is a value with its completeness.
//! - [`PartialForm`] is the form that a type has while its value is being written. With the feature
//!   `derive`, `#[derive(Partial)]` implements it: for a `Trip` it generates a `PartialTrip` whose
//!   fields are optional, at every level.
//!
//! # Which of them
//!
//! Any type that serde can deserialize can be read from incomplete text: an incomplete value that
//! does not fit yet is [omitted](crate::document::Value::deserialize). But a struct with required
//! fields has no value until all of them have arrived, and it does not show which part of it is
//! complete. A partial form has a value from its first byte on.
//!
//! The table shows after how many of the 4-byte fragments of one document there is a value, for the
//! same type written in several ways (a test asserts the numbers):
//!
#![doc = include_str!("partial/table.md")]
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | `form` | the traits [`PartialForm`] and [`FromPartial`] |
//! | `value` | [`PartialValue`], from which forms are read |
//! | `types` | the forms of types of the standard library |
//! | `derived` | functions for derived code |
//! | `one_shot` | the functions for one text |
//!
//! *Why not through serde.* A generated type could derive `Deserialize` with every field in an
//! `Option`. Any deserializer could read it, even from the text of a snapshot, where all open
//! values have been closed: a field that is shown only when complete would be shown at once, and a
//! prefix would pass for the complete value. The same happens inside of serde: for internally
//! tagged enums and flattened structs it buffers the members, and the buffer does not keep their
//! completeness. A form is read from [`Value`]s, which do. Each value is read once, without a
//! second try, and if one fails, only that value is missing.
//!
//! *Why two traits.* [`PartialForm`] is implemented for the complete type, because the form of a
//! field depends on its type, and containers of forms are forms. [`FromPartial`] is implemented for
//! the type that a stream yields: any `DeserializeOwned`, and the types that the derive generates.
//! One trait cannot serve both, because `Vec<PartialTrip>` would overlap with the `Vec`s that serde
//! deserializes. A document that is an array is read as a newtype, `struct Trips(Vec<Trip>)`.
//!
//! Invariants: a form of an incomplete value fails only because of a complete value in it, and
//! *nothing that a complete value contradicts is shown*. A form contains `None` only where a value
//! is incomplete.
//!
//! [`Value`]: crate::document::Value

#[doc(hidden)]
pub mod derived;
mod form;
pub(crate) mod item;
mod one_shot;
mod types;
mod value;

pub use form::{FromPartial, PartialForm, PartialOf};
pub use one_shot::{PartialError, complete_json, from_partial_str};
pub use value::PartialValue;
