//! What entities have to be.

use alloc::string::String;

#[cfg(feature = "schema")]
use super::Schema;
use crate::document::Value;

/// The schema, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    #[cfg(feature = "schema")]
    pub(super) schema: Option<Schema>,
}

#[cfg(feature = "schema")]
impl Guard {
    /// What is wrong with a complete entity.
    pub(super) fn fault(&self, entity: Value<'_>) -> Option<String> {
        self.schema.as_ref()?.fault(entity)
    }

    /// What is wrong with a partial entity that nothing still to come can put right.
    pub(super) fn lasting_fault(&self, entity: Value<'_>) -> Option<String> {
        self.schema.as_ref()?.lasting_fault(entity)
    }
}

#[cfg(not(feature = "schema"))]
#[expect(clippy::unused_self, reason = "as with the feature")]
impl Guard {
    pub(super) const fn fault(&self, _: Value<'_>) -> Option<String> {
        None
    }

    pub(super) const fn lasting_fault(&self, _: Value<'_>) -> Option<String> {
        None
    }
}
