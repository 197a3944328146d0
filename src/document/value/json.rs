//! Partial values as JSON text.

use alloc::string::String;

use super::super::{Kind, NodeId};
use super::Value;
use crate::json::whole_number_len;

/// How a value is shown that is not complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PartialMode {
    /// As far as it has arrived: the start of a string, the longest prefix of a number that is a
    /// number, the literal with that first letter, the children of an array or object so far.
    #[default]
    Keep,
    /// Not at all, and neither is its name. The entire document becomes `null`.
    Omit,
    /// The zero value of its kind: `""`, `0`, `false`, `null`, `[]`, `{}`.
    Zero,
}

/// How incomplete values are shown, by kind. By default all are [kept](PartialMode::Keep).
///
/// A member that is omitted is absent. If an earlier member has its name, that is shown in its
/// place; see [`Value`](Value#members-with-the-same-name).
///
/// The rules 2 to 4 of the Partial Stream Spec are `PartialPolicy::default()`: no partial names,
/// the beginnings of strings and numbers, literals by their first letter; with
/// `.literals(PartialMode::Zero)` a literal is its zero value until it is complete.
///
/// ```
/// use json_chunks::{Parser, PartialMode, PartialPolicy};
///
/// let mut parser = Parser::new();
/// parser.push(br#"{"name": "Mat", "tags": ["a", "b"#)?;
/// let value = parser.root().expect("it has begun");
/// assert_eq!(value.to_json(PartialPolicy::default()), r#"{"name":"Mat","tags":["a","b"]}"#);
/// assert_eq!(
///     value.to_json(PartialPolicy::default().strings(PartialMode::Omit)),
///     r#"{"name":"Mat","tags":["a"]}"#
/// );
/// assert_eq!(
///     value.to_json(PartialPolicy::default().arrays(PartialMode::Zero)),
///     r#"{"name":"Mat","tags":[]}"#
/// );
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialPolicy {
    strings: PartialMode,
    numbers: PartialMode,
    literals: PartialMode,
    arrays: PartialMode,
    objects: PartialMode,
}

impl PartialPolicy {
    /// Returns the policy that shows what is complete: of incomplete values only arrays and
    /// objects, with the complete values in them.
    #[must_use]
    pub fn complete_only() -> Self {
        Self::default()
            .strings(PartialMode::Omit)
            .numbers(PartialMode::Omit)
            .literals(PartialMode::Omit)
    }

    /// Sets how incomplete strings are shown.
    #[must_use]
    pub const fn strings(mut self, partial: PartialMode) -> Self {
        self.strings = partial;
        self
    }

    /// Sets how incomplete numbers are shown. One without a digit yet is omitted unless it is shown
    /// as zero.
    #[must_use]
    pub const fn numbers(mut self, partial: PartialMode) -> Self {
        self.numbers = partial;
        self
    }

    /// Sets how incomplete literals are shown.
    #[must_use]
    pub const fn literals(mut self, partial: PartialMode) -> Self {
        self.literals = partial;
        self
    }

    /// Sets how incomplete arrays are shown.
    #[must_use]
    pub const fn arrays(mut self, partial: PartialMode) -> Self {
        self.arrays = partial;
        self
    }

    /// Sets how incomplete objects are shown.
    #[must_use]
    pub const fn objects(mut self, partial: PartialMode) -> Self {
        self.objects = partial;
        self
    }

    /// Returns how an incomplete value of that kind is shown.
    pub(crate) const fn of(self, kind: Kind) -> PartialMode {
        match kind {
            Kind::Null | Kind::True | Kind::False => self.literals,
            Kind::Number => self.numbers,
            Kind::String => self.strings,
            Kind::Array => self.arrays,
            Kind::Object => self.objects,
        }
    }
}

/// How one value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look<'a> {
    Nothing,
    /// A literal or a number.
    Text(&'a str),
    /// The raw text of a string.
    String(&'a str),
    /// An array or object with nothing in it.
    Empty,
    /// An array or object with its children.
    Container,
}

impl<'a> Value<'a> {
    /// Returns the value as JSON text without white space. Strings and numbers keep their spelling.
    ///
    /// Each name is there once, with the last of several members, so that every reader can read the
    /// text, derived structs included. (The input as it was is
    /// [`Update::text`](crate::parser::Update::text).)
    #[must_use]
    pub fn to_json(self, partials: PartialPolicy) -> String {
        let mut out = String::new();
        self.write_json(partials, &mut out);
        out
    }

    /// Whether anything of the value is shown at all.
    pub(crate) fn is_shown(self, partials: PartialPolicy) -> bool {
        self.look(partials) != Look::Nothing
    }

    /// Whether what is shown of an array or object is what is in it.
    pub(crate) fn is_opened(self, partials: PartialPolicy) -> bool {
        self.look(partials) == Look::Container
    }

    /// Returns the text of a string, as far as it is shown.
    pub(crate) fn shown_str(self, partials: PartialPolicy) -> &'a str {
        match self.look(partials) {
            Look::String(raw) if !raw.is_empty() => self.as_str().unwrap_or(raw),
            Look::String(_) | Look::Nothing | Look::Text(_) | Look::Empty | Look::Container => "",
        }
    }

    /// Like [`to_json`](Self::to_json), but appends to `out`.
    pub fn write_json(self, partials: PartialPolicy, out: &mut String) {
        if self.look(partials) == Look::Nothing {
            out.push_str("null");
            return;
        }
        let mut value = self;
        let mut first = true;
        loop {
            let mut look = value.look(partials);
            if value.id != self.id && value.is_superseded(partials) {
                look = Look::Nothing;
            }
            if look != Look::Nothing {
                if !first {
                    out.push(',');
                }
                first = false;
                if value.id != self.id {
                    value.write_name(out);
                }
            }
            match look {
                Look::Nothing => {}
                Look::Text(text) => out.push_str(text),
                Look::String(raw) => {
                    out.push('"');
                    out.push_str(raw);
                    out.push('"');
                }
                Look::Empty => out.push_str(if value.kind() == Kind::Array {
                    "[]"
                } else {
                    "{}"
                }),
                Look::Container => {
                    out.push(if value.kind() == Kind::Array {
                        '['
                    } else {
                        '{'
                    });
                    if let Some(child) = value.doc.children(value.id).next() {
                        value.id = child;
                        first = true;
                        continue;
                    }
                    value.write_closer(out);
                }
            }
            let Some(next) = value.leave(self.id, out, &mut first) else {
                return;
            };
            value.id = next;
        }
    }

    /// Returns the node after this one within `top`, after writing the closers in between.
    fn leave(mut self, top: NodeId, out: &mut String, first: &mut bool) -> Option<NodeId> {
        while self.id != top {
            let parent = self.doc.node(self.id).parent()?;
            let next = self.doc.after(self.id);
            if next < self.doc.after(parent) {
                return Some(NodeId::from_index(next));
            }
            self.id = parent;
            self.write_closer(out);
            *first = false;
        }
        None
    }

    /// Writes the name of a member and the colon; for others nothing.
    pub(crate) fn write_name(self, out: &mut String) {
        if self.doc.is_member(self.id) {
            out.push('"');
            out.push_str(self.doc.text(self.doc.name(self.id).raw));
            out.push_str("\":");
        }
    }

    fn write_closer(self, out: &mut String) {
        out.push(if self.kind() == Kind::Array { ']' } else { '}' });
    }

    /// How the value itself is shown.
    pub(super) fn look(self, partials: PartialPolicy) -> Look<'a> {
        let kind = self.kind();
        let partial = if self.is_complete() {
            PartialMode::Keep
        } else {
            partials.of(kind)
        };
        match (partial, kind) {
            (PartialMode::Omit, _) => Look::Nothing,
            (PartialMode::Keep, Kind::String) => Look::String(self.raw_content()),
            (PartialMode::Zero, Kind::String) => Look::String(""),
            (PartialMode::Keep, Kind::Number) if self.is_complete() => {
                Look::Text(self.raw_content())
            }
            (PartialMode::Keep, Kind::Number) => {
                let whole = self
                    .raw_content()
                    .get(..whole_number_len(self.raw_content()));
                match whole {
                    None | Some("") => Look::Nothing,
                    Some(number) => Look::Text(number),
                }
            }
            (PartialMode::Zero, Kind::Number) => Look::Text("0"),
            (_, Kind::Null) => Look::Text("null"),
            (PartialMode::Keep, Kind::True) => Look::Text("true"),
            (_, Kind::True | Kind::False) => Look::Text("false"),
            (PartialMode::Zero, Kind::Array | Kind::Object) => Look::Empty,
            (PartialMode::Keep, Kind::Array | Kind::Object) => Look::Container,
        }
    }
}
