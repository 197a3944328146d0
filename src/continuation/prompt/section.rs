//! The parts of a document in numbers and names.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use serde_core::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use super::start_of;
use crate::document::{Kind, Partials, Value};

/// How many names are kept from the start of a section, and how many from its end.
pub(super) const MOST_NAMES: usize = 10;

/// The longest name, in bytes.
const LONGEST_NAME: usize = 60;

/// What an object is likely to be called by.
const TELLING: [&str; 6] = ["title", "name", "heading", "id", "key", "type"];

const KINDS: [Kind; 7] = [
    Kind::Null,
    Kind::True,
    Kind::False,
    Kind::Number,
    Kind::String,
    Kind::Array,
    Kind::Object,
];

/// An array or object of a document: how much is in it, and what.
///
/// Serialized it is an object with the names of the methods, `kinds` and `names` among them.
#[derive(Clone, PartialEq, Eq)]
pub struct Section {
    pointer: String,
    kind: Kind,
    len: usize,
    complete: bool,
    /// In the order of [`KINDS`].
    kinds: [usize; 7],
    first: Vec<String>,
    last: Vec<String>,
}

/// The sections under a root, so many at most, and how many there are besides.
pub(super) fn of(root: Value<'_>, most: usize) -> (Vec<Section>, usize) {
    let mut sections = Vec::new();
    let mut more = 0;
    let mut tell = |value: Value<'_>| {
        if sections.len() < most {
            sections.push(Section::of(value));
        } else {
            more += 1;
        }
    };
    if root.kind() == Kind::Array {
        tell(root);
    }
    let mut open = alloc::vec![root.members()];
    while let Some(members) = open.last_mut() {
        let Some((_, member)) = members.next() else {
            open.pop();
            continue;
        };
        if member.kind().is_container() {
            tell(member);
            open.push(member.members());
        }
    }
    (sections, more)
}

impl Section {
    fn of(value: Value<'_>) -> Self {
        let mut kinds = [0; 7];
        let mut first = Vec::new();
        let mut last = Vec::new();
        let len = value.len();
        let mut tell = |index: usize, child: Value<'_>, name: &dyn Fn() -> String| {
            let kind = child.kind();
            for (count, _) in kinds.iter_mut().zip(KINDS).filter(|(_, own)| *own == kind) {
                *count += 1;
            }
            if index < MOST_NAMES {
                first.push(name());
            } else if index + MOST_NAMES >= len {
                last.push(name());
            }
        };
        for (index, element) in value.elements().enumerate() {
            tell(index, element, &|| label(element));
        }
        for (index, (name, member)) in value.members().enumerate() {
            tell(index, member, &|| start_of(&name, LONGEST_NAME));
        }
        Self {
            pointer: value.to_pointer(),
            kind: value.kind(),
            len,
            complete: value.is_complete(),
            kinds,
            first,
            last,
        }
    }

    /// The JSON Pointer.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Whether it is an array or an object.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// How many elements or members have begun.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements or members.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether its end has come.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many of each kind are in it, for kinds of which there are any.
    pub fn kinds(&self) -> impl Iterator<Item = (Kind, usize)> {
        KINDS
            .into_iter()
            .zip(self.kinds)
            .filter(|(_, count)| *count > 0)
    }

    /// What the first ten are called: members by their names, objects by their title, name or the
    /// like, strings and numbers by their text, each 60 bytes at most.
    #[must_use]
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// What the last ten are called, if there are more than ten.
    #[must_use]
    pub fn last(&self) -> &[String] {
        &self.last
    }

    /// Writes it in a line, with so many names from the start and from the end.
    pub(super) fn write(&self, names: usize, out: &mut impl Write) -> fmt::Result {
        let pointer = if self.pointer.is_empty() {
            "the whole"
        } else {
            &start_of(&self.pointer, LONGEST_NAME * 2)
        };
        write!(out, "{pointer}: {} of {}", kind_name(self.kind), self.len)?;
        let mut separator = " (";
        for (kind, count) in self.kinds().filter(|_| self.kind == Kind::Array) {
            write!(out, "{separator}{}: {count}", kind_name(kind))?;
            separator = ", ";
        }
        if separator == ", " {
            out.write_char(')')?;
        }
        if !self.complete {
            out.write_str(", not finished")?;
        }
        let shown_first = names.min(self.first.len());
        let shown_last = names.min(self.last.len());
        let first = self.first.iter().take(shown_first);
        let last = self.last.iter().skip(self.last.len() - shown_last);
        let left_out = self.len - shown_first - shown_last;
        let mut separator = ": ";
        for name in first {
            write!(out, "{separator}{name:?}")?;
            separator = ", ";
        }
        if left_out > 0 && shown_first > 0 {
            write!(out, ", … {left_out} more …")?;
        }
        for name in last {
            write!(out, "{separator}{name:?}")?;
        }
        Ok(())
    }
}

/// What an element is called.
fn label(element: Value<'_>) -> String {
    let scalar = |value: Value<'_>| value.as_str().or(value.as_number()).map(str::to_owned);
    let telling = |object: Value<'_>| {
        let mut members = object.members().filter_map(|(name, value)| {
            let rank = TELLING.iter().position(|telling| *telling == name);
            let text = scalar(value)?;
            Some((rank.unwrap_or(TELLING.len()), text))
        });
        // The first of the best.
        let first = members.next()?;
        let best = members.fold(
            first,
            |best, next| if next.0 < best.0 { next } else { best },
        );
        Some(best.1)
    };
    let name = match element.kind() {
        Kind::Object => telling(element),
        Kind::String | Kind::Number => scalar(element),
        Kind::Null | Kind::True | Kind::False | Kind::Array => None,
    };
    let name = name.unwrap_or_else(|| match element.kind() {
        Kind::Array => "[…]".to_owned(),
        Kind::Object => "{…}".to_owned(),
        _ => element.to_json(Partials::default()),
    });
    start_of(&name, LONGEST_NAME)
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::True => "true",
        Kind::False => "false",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}

/// One line, with all names that are kept.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(MOST_NAMES, f)
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section")
            .field("kind", &self.kind)
            .field("len", &self.len)
            .field("complete", &self.complete)
            .finish_non_exhaustive()
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Kinds<'a>(&'a Section);
        impl Serialize for Kinds<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut kinds = serializer.serialize_map(None)?;
                for (kind, count) in self.0.kinds() {
                    kinds.serialize_entry(kind_name(kind), &count)?;
                }
                kinds.end()
            }
        }
        let mut section = serializer.serialize_struct("Section", 7)?;
        section.serialize_field("pointer", &self.pointer)?;
        section.serialize_field("kind", kind_name(self.kind))?;
        section.serialize_field("len", &self.len)?;
        section.serialize_field("complete", &self.complete)?;
        section.serialize_field("kinds", &Kinds(self))?;
        section.serialize_field("first", &self.first)?;
        section.serialize_field("last", &self.last)?;
        section.end()
    }
}
