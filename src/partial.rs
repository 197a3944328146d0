//! Values that are not complete: one-shot functions, and types that know what has arrived.
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
//! Any type that serde can deserialize can be read from incomplete text: a value that is being
//! written and does not fit yet is [omitted](crate::document::Value::deserialize). But a struct
//! with required fields has no value until all of them have arrived, and it can't say which part of
//! it is complete. A partial form has a value from its first byte on.
//!
//! How many of the fragments of 4 bytes of one document have a value, for the same type written in
//! several ways (the numbers are asserted by a test):
//!
#![doc = include_str!("partial/table.md")]
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `form` | the traits [`PartialForm`] and [`FromPartial`] |
//! | `value` | [`PartialValue`], which forms are read from |
//! | `types` | the forms of types of the standard library |
//! | `derived` | what derived code calls |
//! | `one_shot` | the functions for one text |
//!
//! *Why not by way of serde.* A generated type could derive `Deserialize` with every field in an
//! `Option`. It would be read by any deserializer, also from the text of a snapshot, where all that
//! is open has been closed: a field that is shown only when complete would be shown at once, and a
//! prefix would pass for the complete thing. The same happens inside of serde: for enums with a tag
//! inside and for flattened structs it buffers the members, and the buffer knows no completeness.
//! A form is read from [`Value`]s, which do: each value once, with no second try, and where one
//! fails, only that one is not there yet.
//!
//! *Why two traits.* What a field becomes depends on its type, and containers of forms are forms:
//! that is [`PartialForm`], implemented for the complete type. A stream names the type that it
//! yields, which is [`FromPartial`]: any `DeserializeOwned`, and the types that the derive
//! generates. One trait cannot be both, because `Vec<PartialTrip>` would overlap with the `Vec`s
//! that serde deserializes. A document that is an array is read as a newtype,
//! `struct Trips(Vec<Trip>)`.
//!
//! Invariants: a form of an incomplete value fails only because of a complete value in it, and
//! *nothing that a complete value contradicts is shown*. A form has `None` only where a value is
//! incomplete.
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
