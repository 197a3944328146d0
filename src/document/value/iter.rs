//! The elements and members of a value, in the order of the text.

use alloc::borrow::Cow;
use core::fmt;

use super::Value;
use crate::document::Tree;
use crate::document::tree::Children;

/// The elements of an array: see [`Value::elements`].
#[derive(Clone)]
pub struct Elements<'a> {
    pub(super) doc: &'a Tree,
    pub(super) children: Children<'a>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.children.next()?;
        Some(Value::new(self.doc, id))
    }
}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

/// The members of an object: see [`Value::members`].
#[derive(Clone)]
pub struct Members<'a> {
    pub(super) doc: &'a Tree,
    pub(super) children: Children<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let id = self.children.next()?;
            if self.doc.superseded.newer(id).is_none() {
                let value = Value::new(self.doc, id);
                return Some((value.name(), value));
            }
        }
    }
}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}
