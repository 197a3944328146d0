//! JSON Schemas, by the `jsonschema` crate.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use schemars::{JsonSchema, SchemaGenerator};

use crate::document::{PartialMode, PartialPolicy, Value};

/// A JSON Schema for entities, see
/// [`EntityDetector::schema`](crate::entity::EntityDetector::schema), or for the arguments of a
/// tool, see [`ToolCalls::schema`](crate::tool_call::ToolCalls::schema).
///
/// The draft is the one that `$schema` names, by default 2020-12. References to the schema itself
/// and to the meta-schemas of the drafts are resolved; nothing is fetched. A clone is cheap.
///
/// Numbers are compared in 64 bits: a value with one that is out of their range (`1e400`), or
/// with more than 128 levels, conforms to no schema.
///
/// ```
/// use json_chunks::entity::{EntityDetector, EntityMode, EntityStatus};
/// use json_chunks::schema::Schema;
///
/// let schema: Schema = r#"{"type": "object", "required": ["hex"]}"#.parse()?;
/// let mut entities = EntityDetector::new(EntityMode::OneByOne).schema(schema);
/// let text = r##"[{"name": "Violet"}, {"hex": "#9400D3"}]"##;
/// let events: Vec<_> = entities.push(text).collect();
/// assert_eq!(events[0].status, EntityStatus::Error);
/// let error = events[0].error.as_ref().unwrap();
/// assert_eq!(error.message, r#""hex" is a required property"#);
/// assert_eq!(events[1].status, EntityStatus::Completed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Validator>);

impl Schema {
    /// Parses a schema from its JSON value.
    ///
    /// # Errors
    ///
    /// If it is not a schema, or refers to one that it does not contain.
    pub fn new(schema: &serde_json::Value) -> Result<Self, SchemaError> {
        match jsonschema::validator_for(schema) {
            Ok(validator) => Ok(Self(Arc::new(validator))),
            Err(error) => Err(SchemaError(at(&error))),
        }
    }

    /// Returns the schema of a type, as `schemars` derives it.
    ///
    /// ```
    /// use json_chunks::schema::Schema;
    /// use schemars::JsonSchema;
    ///
    /// #[derive(JsonSchema)]
    /// struct Color {
    ///     hex: String,
    ///     name: Option<String>,
    /// }
    ///
    /// let schema = Schema::of::<Color>()?;
    /// # Ok::<(), json_chunks::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the schema of the type is invalid, which is possible only where `JsonSchema` is
    /// implemented by hand.
    pub fn of<T: JsonSchema>() -> Result<Self, SchemaError> {
        let schema = SchemaGenerator::default().into_root_schema_for::<T>();
        Self::new(schema.as_value())
    }

    /// Returns why a complete value does not conform.
    pub(crate) fn error(&self, entity: Value<'_>) -> Option<String> {
        match entity.deserialize(PartialPolicy::default()) {
            Ok(instance) => self.0.validate(&instance).err().map(|error| at(&error)),
            Err(error) => {
                let around = entity.to_pointer();
                let pointer = error.pointer().strip_prefix(&around).unwrap_or_default();
                Some(place(error.message(), pointer))
            }
        }
    }

    /// Returns why a partial value cannot conform, no matter what arrives later, except for a
    /// second member of the same name.
    pub(crate) fn permanent_error(&self, entity: Value<'_>) -> Option<String> {
        let known = known();
        if !entity.is_shown(known) {
            return None;
        }
        let instance = entity.deserialize(known).ok()?;
        let error = (self.0.iter_errors(&instance)).find(|error| is_permanent(error, entity))?;
        Some(at(&error))
    }
}

impl FromStr for Schema {
    type Err = SchemaError;

    /// Parses a schema from JSON text.
    fn from_str(text: &str) -> Result<Self, SchemaError> {
        match serde_json::from_str(text) {
            Ok(schema) => Self::new(&schema),
            Err(error) => Err(SchemaError(error.to_string())),
        }
    }
}

/// Returns the policy that shows the certain part of an incomplete value: more may follow, but
/// nothing changes.
fn known() -> PartialPolicy {
    PartialPolicy::default()
        .numbers(PartialMode::Omit)
        .literals(PartialMode::Omit)
}

/// Returns whether the error remains, no matter what arrives later, except for a second member of
/// the same name.
fn is_permanent(error: &ValidationError<'_>, entity: Value<'_>) -> bool {
    // A keyword that applies only because of a value that may change proves nothing. The last
    // keyword is the one that was violated. The evaluation path is used because the path in the
    // schema omits the keywords before a `$ref`.
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
    // In {"n":"x","n":1 the error is that of "x", which 1 supersedes once it is complete.
    if !value.is_shown(known()) {
        return false;
    }
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

/// Returns whether schemas under this keyword need not hold. A member with such a name counts as
/// well, which only delays the error.
fn is_conditional(keyword: &str) -> bool {
    matches!(
        keyword,
        "if" | "then" | "else" | "not" | "anyOf" | "oneOf" | "contains"
    )
}

/// Returns the error with its place, if that is not the value itself.
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

/// Returns the error for a text or a value that is not a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a schema: {}", self.0)
    }
}

impl core::error::Error for SchemaError {}
