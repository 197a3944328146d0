//! Selects the value that contains the entities.

use alloc::sync::Arc;

use crate::document::Kind;
use crate::parser::{Path, PathSelector};

/// Selects the value of the document whose elements are the entities, or that is the only entity if
/// it is not an array.
#[derive(Clone, Debug, Default)]
pub(super) enum Selector {
    /// The root.
    #[default]
    Root,
    /// The first member of this name, anywhere, that is an array or an object.
    Name(Arc<str>),
    /// The value at this pointer.
    Pointer(PathSelector),
}

impl Selector {
    pub(super) fn pointer(pointer: &str) -> Self {
        match pointer {
            "" => Self::Root,
            pointer => Self::Pointer(PathSelector::new(pointer)),
        }
    }

    /// Returns whether this is the value.
    pub(super) fn is_at(&self, path: Path<'_>, kind: Kind) -> bool {
        match self {
            Self::Root => path.is_root(),
            Self::Name(name) => kind.is_container() && path.name().is_some_and(|it| *it == **name),
            Self::Pointer(selector) => selector.is_at(path),
        }
    }
}
