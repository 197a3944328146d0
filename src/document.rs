//! The document: a tree whose nodes only grow.
//!
//! [`Tree`] is what the parser builds and what a [`Value`] is a view of. (The chunker, which edits
//! its document, has a tree of its own.)
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `tree` | the nodes and the text that they refer to |
//! | `node` | one node of 16 bytes, with a drawing |
//! | `room` | how memory grows |
//! | `span` | pieces of the text, and names |
//! | `unescaped` | the text of strings that have escapes |
//! | `superseded` | members that a later one of the same name supersedes |
//! | `pointer` | JSON Pointers (RFC 6901) |
//! | `value` | the public views: members and elements, JSON text, serde |
//!
//! Invariants of the parser's documents, besides those of the [`Tree`]:
//!
//! - *Order of appearance*: a child has a higher index than its parent and its earlier siblings, so
//!   [`Value::distance_from`] of a value in another one is never negative.
//! - *Only the last can be incomplete*: at most the last child of each container on the path along
//!   last children.
//! - *The last of a name counts*: the parser records in [`superseded`] which members a later one
//!   supersedes. They stay in the tree, because events and entities refer to them; every view skips
//!   them by [`Value::counts`] (with a policy) or [`superseded::Superseded::newer`] (without). A
//!   new view has to do so, too; `tests/it/parser/duplicates.rs` compares them.
//! - *Spans stay valid*: text is only appended, and dropped from its start together with the nodes
//!   that refer to it ([`Tree::drop_before`], which every table of node ids has to follow).

mod node;
mod pointer;
mod room;
mod span;
mod superseded;
mod tree;
mod unescaped;
mod value;

use core::num::NonZeroU32;

pub(crate) use node::{MAX_TEXT, Node};
pub(crate) use pointer::{array_index, read_token, write_token};
pub(crate) use room::{make_room, make_room_for};
pub(crate) use span::{Name, Span};
pub(crate) use tree::Tree;
pub use value::{
    DeserializeError, Elements, Members, PartialMode, PartialPolicy, Value, ValueIndex,
};
pub(crate) use value::{JSON_TEXT, LEVELS};

/// Identifies a node of one document. Values that start later have greater ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    pub(crate) fn from_index(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id of the node after that many nodes before it have been dropped.
    pub(crate) fn shifted_by(self, nodes: usize) -> Self {
        Self::from_index(self.index() - nodes)
    }
}

/// The kind of a JSON value (RFC 8259, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "RFC 8259 will not get another kind of value"
)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Whether the kind is array or object.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }

    /// Returns the name of the type as in JSON Schema, where `true` and `false` are of one type:
    /// `null`, `boolean`, `number`, `string`, `array` or `object`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True | Self::False => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The text of a literal; empty for other kinds.
    pub(crate) const fn literal(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Number | Self::String | Self::Array | Self::Object => "",
        }
    }
}
