//! Selecting a value by its JSON Pointer, while the document streams in.

use alloc::string::String;
use alloc::vec::Vec;

use super::Path;
use crate::document::{array_index, read_token};

/// The reference tokens of a JSON Pointer (RFC 6901). A text that is none selects nothing.
#[derive(Clone, Debug)]
pub(crate) struct PathSelector(Option<Vec<String>>);

impl PathSelector {
    pub(crate) fn new(pointer: &str) -> Self {
        if pointer.is_empty() {
            return Self(Some(Vec::new()));
        }
        let tokens = pointer.strip_prefix('/').map(|tokens| tokens.split('/'));
        Self(tokens.map(|tokens| tokens.map(|token| read_token(token).into_owned()).collect()))
    }

    /// Whether this is the path.
    pub(crate) fn is_at(&self, path: Path<'_>) -> bool {
        self.0.as_ref().is_some_and(|tokens| is_path(path, tokens))
    }

    /// Whether this is the path, or that of a value around it.
    pub(crate) fn is_at_or_in(&self, path: Path<'_>) -> bool {
        let tokens = self.0.as_ref().and_then(|all| all.get(..path.depth()));
        tokens.is_some_and(|tokens| is_path(path, tokens))
    }
}

/// Whether these are the tokens of the path. Compares from the end, because most paths differ
/// there.
fn is_path(mut path: Path<'_>, tokens: &[String]) -> bool {
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
