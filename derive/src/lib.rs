//! The derive macro of [`json-chunks`](https://docs.rs/json-chunks): `#[derive(Partial)]` generates
//! the form of a type for values that a model is still writing.
//!
//! Use it through the feature `derive` of that crate, as `json_chunks::Partial`.
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | `attributes` | parses `#[serde(…)]` and `#[partial(…)]` |
//! | `case` | the rules of `rename_all`, as serde has them |
//! | `field` | a field: its type in the form, and the code that reads it |
//! | `fields` | all fields of a struct or variant |
//! | `form` | the form of a struct |
//! | `variants` | the form of an enum, for each of the four taggings |
//! | `input` | the parts that all of them need: names, generics, the path to the crate |
//!
//! The generated code calls `json_chunks::partial::derived`, which contains everything that does
//! not depend on the type. A new attribute of fields takes a field in `attributes::Field`, with a
//! rule in `check` for the attributes that it excludes, and a wrapper in `Field::read_of`. An
//! unsupported attribute of serde that changes how a value is read has to be an error.

mod attributes;
mod case;
mod field;
mod fields;
mod form;
mod input;
mod variants;

use proc_macro::TokenStream;
use syn::{Data, DeriveInput, Error, parse_macro_input};

use input::Input;

/// Generates the form of a type for incomplete values.
///
/// For a struct or enum `Trip` it generates a type `PartialTrip` of the same shape whose fields are
/// optional, at every level: the type of a field that derives `Partial` too becomes its partial
/// type. `PartialTrip` is read from incomplete JSON by `json_partials`, `from_partial_str` and
/// `PartialForm::read_partial`, and has a value from its first byte on.
///
/// ```
/// use json_chunks::Partial;
/// use json_chunks::partial::from_partial_str;
///
/// #[derive(Partial)]
/// struct Trip {
///     title: String,
///     days: Vec<Day>,
/// }
///
/// #[derive(Partial)]
/// struct Day {
///     name: String,
///     hours: u32,
/// }
///
/// let trip: Partial<PartialTrip> = from_partial_str(r#"{"title":"Slow","days":[{"name":"Ar"#)?;
/// assert_eq!(trip.value.title.as_deref(), Some("Slow"));
/// let days = trip.value.days.unwrap_or_default();
/// assert_eq!(days, [PartialDay { name: Some("Ar".into()), hours: None }]);
/// # Ok::<(), json_chunks::partial::PartialError>(())
/// ```
///
/// # Fields
///
/// A field of type `T` becomes an `Option` of the [form] of `T`, and so does one of type
/// `Option<T>`. It is `None` while its member has not arrived or cannot be shown yet, and if it is
/// `null`.
///
/// | attribute | type in `PartialTrip` | shown |
/// | --- | --- | --- |
/// | | `Option<PartialOf<T>>` | as far as it has arrived |
/// | `#[partial(done)]` | `Option<T>` | when it is complete; `T: Deserialize` |
/// | `#[partial(required)]` | `PartialOf<T>` | there is no `PartialTrip` before it can be shown |
/// | `#[partial(state)]` | `Option<Partial<PartialOf<T>>>` | with its completeness |
/// | `#[partial(leaf)]` | `Option<T>` | as soon as serde reads a `T`; `T: Deserialize` |
///
/// They can be combined: `#[partial(required, done)]` is a `T`, `#[partial(required, state)]` a
/// `Partial<PartialOf<T>>`.
///
/// On a `Vec` they apply to the entire list. For elements that are shown only when they are
/// complete, use entities (`json_entities` with `EntityMode::OneByOne`), or mark every field of the
/// element `#[partial(required, done)]`.
///
/// ```
/// use json_chunks::Partial;
/// use json_chunks::partial::from_partial_str;
///
/// #[derive(Partial)]
/// struct Payment {
///     #[partial(required)]
///     to: String,
///     #[partial(done)]
///     amount: u32,
///     #[partial(state)]
///     note: Option<String>,
/// }
///
/// // `to` has not arrived, so there is no value.
/// assert!(from_partial_str::<PartialPayment>(r#"{"amount": 10"#).is_err());
///
/// // 10 may become 1000.
/// let payment: PartialPayment = from_partial_str(r#"{"to": "bob", "amount": 10"#)?.value;
/// assert_eq!((payment.to.as_str(), payment.amount), ("bob", None));
///
/// let text = r#"{"to": "bob", "amount": 10, "note": "than"#;
/// let payment: PartialPayment = from_partial_str(text)?.value;
/// assert_eq!(payment.amount, Some(10));
/// assert_eq!(payment.note, Some(Partial::incomplete("than".into())));
/// # Ok::<(), json_chunks::partial::PartialError>(())
/// ```
///
/// # Enums
///
/// A variant is shown only when its name is complete, because that name might otherwise be the
/// start of another one. Its content is as partial as a struct. An enum that has only unit variants
/// is its own form. All four enum representations of serde are supported: external, internal
/// (`tag`), adjacent (`tag`, `content`) and `untagged`. A tag may follow its content; there is no
/// value before the tag. An untagged value is shown once only one variant is possible; a complete
/// one has the variant that serde selects, so the enum has to implement `Deserialize`.
///
/// ```
/// use json_chunks::Partial;
/// use json_chunks::partial::from_partial_str;
///
/// #[derive(Partial)]
/// #[serde(tag = "type", rename_all = "lowercase")]
/// enum Stop {
///     Walk { along: String, km: f64 },
///     Rest,
/// }
///
/// let stop = |text| from_partial_str::<PartialStop>(text).ok().map(|stop| stop.value);
/// assert_eq!(stop(r#"{"type":"wal"#), None);
/// let along = Some("the ri".into());
/// let walk = PartialStop::Walk { along, km: None };
/// assert_eq!(stop(r#"{"type":"walk","along":"the ri"#), Some(walk));
/// ```
///
/// # Attributes of serde
///
/// These have the same meaning as in serde: `rename`, `rename_all`, `rename_all_fields`, `alias`,
/// `tag`, `content`, `untagged`, `other`, `flatten`, `skip`, `transparent`, `with`,
/// `deserialize_with` (as a `leaf`), `deny_unknown_fields`, and `default`, which changes nothing,
/// because the field is already optional. Structs are read from objects only, not from arrays.
///
/// The types of the fields need a partial form: those of the standard library have one, and those
/// that derive `Partial`. A field of another type, such as a UUID, is a compile error unless it is
/// marked `#[partial(done)]` or `#[partial(leaf)]`.
///
/// # The generated type
///
/// It has the visibility of the type, and its fields have the visibility of the original fields. It
/// derives `Clone`, `Debug` and `PartialEq`.
/// Fields and variants that are in the form count as used: the compiler does not report them as
/// dead code if only the form is read.
///
/// - `#[partial(derive(Debug, Default))]` derives these traits instead.
/// - `#[partial(name = "TripSoFar")]` sets its name.
/// - `#[partial(crate = "reexports::json_chunks")]` is where the crate is, if not at
///   `::json_chunks`.
///
/// Generic types have generic forms. Types with lifetimes have none: a form owns its data.
///
/// [form]: https://docs.rs/json-chunks/latest/json_chunks/partial/trait.PartialForm.html
#[proc_macro_derive(Partial, attributes(partial, serde))]
pub fn derive_partial(input: TokenStream) -> TokenStream {
    let mut input = parse_macro_input!(input as DeriveInput);
    input::replace_self(&mut input);
    let code = Input::read(&input).and_then(|context| match &input.data {
        Data::Struct(data) => form::of_struct(&context, &data.fields),
        Data::Enum(data) => variants::of_enum(&context, data),
        Data::Union(data) => Err(Error::new(
            data.union_token.span,
            "a union has no partial form",
        )),
    });
    code.unwrap_or_else(Error::into_compile_error).into()
}
