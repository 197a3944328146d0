//! Where the entities are.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::document::{Kind, array_index};
use crate::parser::Path;

/// Which value of the document is the array of entities, or the one entity if it is no array.
#[derive(Clone, Debug, Default)]
pub(super) enum Source {
    /// The whole document.
    #[default]
    Root,
    /// The first member of this name, anywhere, that is an array or an object.
    Name(Arc<str>),
    /// What is at the end of these reference tokens.
    Pointer(Vec<String>),
    /// A text that is no JSON Pointer points to nothing.
    Nowhere,
}

impl Source {
    pub(super) fn pointer(pointer: &str) -> Self {
        if pointer.is_empty() {
            return Self::Root;
        }
        let Some(tokens) = pointer.strip_prefix('/') else {
            return Self::Nowhere;
        };
        let tokens = tokens.split('/');
        Self::Pointer(
            tokens
                .map(|token| token.replace("~1", "/").replace("~0", "~"))
                .collect(),
        )
    }

    /// Whether this is it.
    pub(super) fn is_at(&self, path: Path<'_>, kind: Kind) -> bool {
        match self {
            Self::Root => path.is_root(),
            Self::Name(name) => kind.is_container() && path.name().is_some_and(|it| *it == **name),
            Self::Pointer(tokens) => is_path(path, tokens),
            Self::Nowhere => false,
        }
    }
}

/// From the end, where most paths differ already.
fn is_path(path: Path<'_>, tokens: &[String]) -> bool {
    let mut path = path;
    for token in tokens.iter().rev() {
        let Some(parent) = path.parent() else {
            return false;
        };
        let is_same = match path.index() {
            Some(index) => array_index(token) == Some(index),
            None => path.name().is_some_and(|name| *name == **token),
        };
        if !is_same {
            return false;
        }
        path = parent;
    }
    path.is_root()
}
