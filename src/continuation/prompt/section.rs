//! A section of a document, in numbers and names.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use serde_core::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use super::excerpt::start_of;
use super::label::{LONGEST_NAME, counts, label, type_name};
use crate::document::{Kind, Value};

/// The number of names that are kept from the start of a section, and from its end.
pub(super) const MOST_NAMES: usize = 10;

const KINDS: [Kind; 7] = [
    Kind::Null,
    Kind::True,
    Kind::False,
    Kind::Number,
    Kind::String,
    Kind::Array,
    Kind::Object,
];

/// A section of a document: how many elements or members it has, of which kinds, with which names.
///
/// It serializes as an object with the names of the methods: `pointer`, `kind`, `len`, `complete`,
/// `kinds`, `counts`, `first`, `last`.
#[derive(Clone, PartialEq, Eq)]
pub struct Section {
    pointer: String,
    kind: Kind,
    len: usize,
    complete: bool,
    /// The number of children of each kind, in the order of [`KINDS`].
    kinds: [usize; 7],
    first: Vec<String>,
    last: Vec<String>,
    /// For an element of an array of sections only.
    object: Option<SectionObject>,
}

/// The label of a section object, and the lengths of its arrays.
#[derive(Clone, PartialEq, Eq)]
struct SectionObject {
    label: String,
    type_name: Option<String>,
    counts: Vec<(String, usize)>,
}

impl Section {
    /// Returns the section of a value. The flag says whether it is an element of an array of
    /// sections.
    pub(super) fn of((value, is_object): (Value<'_>, bool)) -> Self {
        let mut kinds = [0; 7];
        let mut first = Vec::new();
        let mut last = Vec::new();
        let len = value.len();
        let mut count = |index: usize, child: Value<'_>, name: &dyn Fn() -> String| {
            let kind = child.kind();
            for (counted, _) in kinds.iter_mut().zip(KINDS).filter(|(_, own)| *own == kind) {
                *counted += 1;
            }
            if index < MOST_NAMES {
                first.push(name());
            } else if index + MOST_NAMES >= len {
                last.push(name());
            }
        };
        for (index, element) in value.elements().enumerate() {
            count(index, element, &|| label(element));
        }
        for (index, (name, member)) in value.members().enumerate() {
            count(index, member, &|| start_of(&name, LONGEST_NAME));
        }
        let object = is_object.then(|| SectionObject {
            label: label(value),
            type_name: type_name(value),
            counts: counts(value),
        });
        Self {
            object,
            pointer: value.to_pointer(),
            kind: value.kind(),
            len,
            complete: value.is_complete(),
            kinds,
            first,
            last,
        }
    }

    /// Returns the JSON Pointer of the section.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns whether it is an array or an object.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns how many of its elements or members have started.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements or members.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether its closing bracket has arrived.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the number of elements or members of each kind that occurs.
    pub fn kinds(&self) -> impl Iterator<Item = (Kind, usize)> {
        KINDS
            .into_iter()
            .zip(self.kinds)
            .filter(|(_, count)| *count > 0)
    }

    /// Returns the names of the first ten: for members their name, for objects their title, name or
    /// the like, for strings and numbers their text. Each has at most 60 bytes.
    #[must_use]
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// Returns the names of the last ten of those after the first ten.
    #[must_use]
    pub fn last(&self) -> &[String] {
        &self.last
    }

    /// Returns the names and lengths of the arrays in an element of an array of sections: `items`,
    /// 20. Empty for other sections.
    pub fn counts(&self) -> impl Iterator<Item = (&str, usize)> {
        let counts = self.object.iter().flat_map(|object| &object.counts);
        counts.map(|(name, count)| (name.as_str(), *count))
    }

    /// Writes an element of an array of sections as a line.
    fn write_object(&self, object: &SectionObject, out: &mut impl Write) -> fmt::Result {
        write!(out, "{:?}", object.label)?;
        if let Some(type_name) = &object.type_name {
            write!(out, " ({type_name})")?;
        }
        let mut separator = ": ";
        for (name, count) in &object.counts {
            write!(out, "{separator}{name} {count}")?;
            separator = ", ";
        }
        if !self.complete {
            out.write_str(", not finished")?;
        }
        Ok(())
    }

    /// Writes the section as a line, with `names` names from the start and from the end.
    pub(super) fn write(&self, names: usize, out: &mut impl Write) -> fmt::Result {
        if let Some(object) = &self.object {
            return self.write_object(object, out);
        }
        let pointer = if self.pointer.is_empty() {
            "the document"
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

/// Writes one line, with all names.
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
        struct Counts<'a>(&'a Section);
        impl Serialize for Counts<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut counts = serializer.serialize_map(None)?;
                for (name, count) in self.0.counts() {
                    counts.serialize_entry(name, &count)?;
                }
                counts.end()
            }
        }
        let mut section = serializer.serialize_struct("Section", 8)?;
        section.serialize_field("pointer", &self.pointer)?;
        section.serialize_field("kind", kind_name(self.kind))?;
        section.serialize_field("len", &self.len)?;
        section.serialize_field("complete", &self.complete)?;
        section.serialize_field("kinds", &Kinds(self))?;
        section.serialize_field("counts", &Counts(self))?;
        section.serialize_field("first", &self.first)?;
        section.serialize_field("last", &self.last)?;
        section.end()
    }
}
