//! Entities that have to be something: JSON Schema, by the `jsonschema` crate.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use schemars::{JsonSchema, SchemaGenerator};

use crate::document::{Partial, Partials, Value};

/// A JSON Schema that every entity has to conform to; for
/// [`Entities::schema`](super::Entities::schema).
///
/// The draft is the one that `$schema` names, by default 2020-12. References reach into the schema
/// itself and into the drafts' own; nothing is fetched. A clone is cheap.
///
/// Numbers are compared in 64 bits: an entity with one that is out of their range (`1e400`), or with
/// more than 128 levels, conforms to no schema.
///
/// ```
/// use json_chunks::{Entities, EntityMode, EntityStatus, Schema};
///
/// let schema: Schema = r#"{"type": "object", "required": ["hex"]}"#.parse()?;
/// let mut entities = Entities::new(EntityMode::OneByOne).schema(schema);
/// let events: Vec<_> = entities.push_str(r##"[{"name": "Violet"}, {"hex": "#9400D3"}]"##).collect();
/// assert_eq!(events[0].status, EntityStatus::Error);
/// let error = events[0].error.as_ref().unwrap();
/// assert_eq!(error.message, r#""hex" is a required property"#);
/// assert_eq!(events[1].status, EntityStatus::Completed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Validator>);

impl Schema {
    /// The schema that this value is.
    ///
    /// # Errors
    ///
    /// If it is no schema, or refers to one that is not in it.
    pub fn new(schema: &serde_json::Value) -> Result<Self, SchemaError> {
        match jsonschema::validator_for(schema) {
            Ok(validator) => Ok(Self(Arc::new(validator))),
            Err(error) => Err(SchemaError(at(&error))),
        }
    }

    /// The schema of a type, as `schemars` derives it.
    ///
    /// ```
    /// use json_chunks::Schema;
    /// use schemars::JsonSchema;
    ///
    /// #[derive(JsonSchema)]
    /// struct Color {
    ///     hex: String,
    ///     name: Option<String>,
    /// }
    ///
    /// let schema = Schema::of::<Color>()?;
    /// # Ok::<(), json_chunks::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If what the type says of itself is no schema, which only a `JsonSchema` written by hand can
    /// bring about.
    pub fn of<T: JsonSchema>() -> Result<Self, SchemaError> {
        let schema = SchemaGenerator::default().into_root_schema_for::<T>();
        Self::new(schema.as_value())
    }

    /// What is wrong with a complete entity.
    pub(super) fn fault(&self, entity: Value<'_>) -> Option<String> {
        match entity.deserialize(Partials::default()) {
            Ok(instance) => self.0.validate(&instance).err().map(|error| at(&error)),
            Err(error) => {
                let around = entity.to_pointer();
                let pointer = error.pointer().strip_prefix(&around).unwrap_or_default();
                Some(place(error.message(), pointer))
            }
        }
    }

    /// What is wrong with a partial entity that nothing still to come can put right.
    pub(super) fn lasting_fault(&self, entity: Value<'_>) -> Option<String> {
        let known = Partials::default()
            .numbers(Partial::Omitted)
            .literals(Partial::Omitted);
        if !entity.is_shown(known) {
            return None;
        }
        let instance = entity.deserialize(known).ok()?;
        let error = (self.0.iter_errors(&instance)).find(|error| is_lasting(error, entity))?;
        Some(at(&error))
    }
}

impl FromStr for Schema {
    type Err = SchemaError;

    /// The schema that is written here as JSON.
    fn from_str(text: &str) -> Result<Self, SchemaError> {
        match serde_json::from_str(text) {
            Ok(schema) => Self::new(&schema),
            Err(error) => Err(SchemaError(error.to_string())),
        }
    }
}

/// Whether what is wrong stays wrong, whatever comes.
fn is_lasting(error: &ValidationError<'_>, entity: Value<'_>) -> bool {
    // What applies only because of something that may change proves nothing. The last keyword is
    // the one that was broken, as a whole. (The way that the validator went: the place in the
    // schema leaves out what is in front of a `$ref`.)
    let mut keywords = error.evaluation_path().as_str().rsplit('/');
    let is_branch = keywords
        .next()
        .is_some_and(|keyword| matches!(keyword, "then" | "else"));
    if is_branch || keywords.any(is_conditional) {
        return false;
    }
    let Some(value) = entity.pointer(error.instance_path().as_str()) else {
        return false;
    };
    value.is_complete()
        || matches!(
            error.kind(),
            ValidationErrorKind::Type { .. }
                | ValidationErrorKind::FalseSchema
                | ValidationErrorKind::MaxLength { .. }
                | ValidationErrorKind::MaxItems { .. }
                | ValidationErrorKind::MaxProperties { .. }
                | ValidationErrorKind::AdditionalItems { .. }
                | ValidationErrorKind::AdditionalProperties { .. }
                | ValidationErrorKind::PropertyNames { .. }
        )
}

/// Whether it is a keyword under which schemas need not hold. A member of that name is taken for
/// one, which only makes the error come later.
fn is_conditional(keyword: &str) -> bool {
    matches!(
        keyword,
        "if" | "then" | "else" | "not" | "anyOf" | "oneOf" | "contains"
    )
}

/// The error and its place, if that is not the entity itself.
fn at(error: &ValidationError<'_>) -> String {
    place(error, error.instance_path().as_str())
}

fn place(error: impl fmt::Display, pointer: &str) -> String {
    match pointer {
        "" => error.to_string(),
        pointer => alloc::format!("{error} at {pointer}"),
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").finish_non_exhaustive()
    }
}

/// Why a text or a value is no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a schema: {}", self.0)
    }
}

impl core::error::Error for SchemaError {}
