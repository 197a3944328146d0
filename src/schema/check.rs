//! The schemas that were set, with and without the feature `schema`.

#[cfg(feature = "schema")]
use alloc::collections::BTreeMap;
use alloc::string::String;

#[cfg(feature = "schema")]
use super::Schema;
use crate::document::Value;

/// The schema of a value, if one was set.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaCheck {
    #[cfg(feature = "schema")]
    pub(crate) schema: Option<Schema>,
}

/// The schemas of the arguments of tools, by the names of the tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolSchemas {
    #[cfg(feature = "schema")]
    by_name: BTreeMap<String, Schema>,
}

#[cfg(feature = "schema")]
impl SchemaCheck {
    /// Returns why a complete value does not conform.
    pub(crate) fn error(&self, value: Value<'_>) -> Option<String> {
        self.schema.as_ref()?.error(value)
    }

    /// Returns why a partial value cannot conform, no matter what arrives later.
    pub(crate) fn permanent_error(&self, value: Value<'_>) -> Option<String> {
        self.schema.as_ref()?.permanent_error(value)
    }
}

#[cfg(feature = "schema")]
impl ToolSchemas {
    pub(crate) fn insert(&mut self, name: String, schema: Schema) {
        self.by_name.insert(name, schema);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns the check of the arguments of this tool.
    pub(crate) fn of(&self, name: &str) -> SchemaCheck {
        let schema = self.by_name.get(name).cloned();
        SchemaCheck { schema }
    }
}

#[cfg(not(feature = "schema"))]
#[expect(clippy::unused_self, reason = "as with the feature")]
impl SchemaCheck {
    pub(crate) const fn error(&self, _: Value<'_>) -> Option<String> {
        None
    }

    pub(crate) const fn permanent_error(&self, _: Value<'_>) -> Option<String> {
        None
    }
}

#[cfg(not(feature = "schema"))]
#[expect(clippy::unused_self, reason = "as with the feature")]
impl ToolSchemas {
    pub(crate) const fn is_empty(&self) -> bool {
        true
    }

    pub(crate) const fn of(&self, _: &str) -> SchemaCheck {
        SchemaCheck {}
    }
}

/// Decides when a partial value is checked. Each check reads all of it, so the next one is due when
/// the number of values that have begun or ended has grown by an eighth. All checks together are
/// then linear in the number of values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CheckSchedule {
    /// The number of values that have begun or ended; a value counts once for each.
    pub(crate) touched: usize,
    checked: usize,
}

impl CheckSchedule {
    pub(crate) fn is_due(&mut self) -> bool {
        let is_due = self.touched > self.checked + self.checked / 8;
        if is_due {
            self.checked = self.touched;
        }
        is_due
    }
}
