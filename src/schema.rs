//! JSON Schemas of entities and of the arguments of tools, and when they are checked.
//!
//! Without the feature `schema`, everything but `Schema` itself still exists and accepts all
//! values, so that the rooms that use it need no `cfg`.
//!
//! # For maintainers
//!
//! A complete value is checked once. A partial one is checked for what it already contradicts, when
//! `CheckSchedule` requires it: each check reads the entire value, and the schedule makes all of
//! them together linear. `is_permanent` in `json_schema` decides which errors of a partial value
//! are final; a keyword that is not listed there only delays the error to the complete value.

mod check;
#[cfg(feature = "schema")]
mod json_schema;

pub(crate) use check::{CheckSchedule, SchemaCheck, ToolSchemas};
#[cfg(feature = "schema")]
pub use json_schema::{Schema, SchemaError};
