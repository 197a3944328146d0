//! Partial values as JSON text.

use alloc::string::String;

use super::super::{Kind, NodeId};
use super::Value;
use crate::json::whole_number_len;

/// How a value is shown whose end has not come yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Partial {
    /// As far as it has come: the start of a string, the digits of a number that make one, the
    /// literal that its first letter tells, what is in an array or object so far.
    #[default]
    Shown,
    /// Not at all, and neither is its name. The whole document becomes `null`.
    Omitted,
    /// The zero value of its kind: `""`, `0`, `false`, `null`, `[]`, `{}`.
    Zero,
}

/// What partial values look like, kind by kind. By default all are [shown](Partial::Shown).
///
/// The rules 2 to 4 of the Partial Stream Spec are `Partials::default()`: no partial names, the
/// beginnings of strings and numbers, literals by their first letter; with
/// `.literals(Partial::Zero)` a literal is its zero value until it is complete.
///
/// ```
/// use json_chunks::{Parser, Partial, Partials};
///
/// let mut parser = Parser::new();
/// parser.push(br#"{"name": "Mat", "tags": ["a", "b"#)?;
/// let value = parser.root().expect("it has begun");
/// assert_eq!(value.to_json(Partials::default()), r#"{"name":"Mat","tags":["a","b"]}"#);
/// assert_eq!(
///     value.to_json(Partials::default().strings(Partial::Omitted)),
///     r#"{"name":"Mat","tags":["a"]}"#
/// );
/// assert_eq!(
///     value.to_json(Partials::default().arrays(Partial::Zero)),
///     r#"{"name":"Mat","tags":[]}"#
/// );
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partials {
    strings: Partial,
    numbers: Partial,
    literals: Partial,
    arrays: Partial,
    objects: Partial,
}

impl Partials {
    /// Only what is complete: of what has not ended, only arrays and objects show.
    #[must_use]
    pub fn complete_only() -> Self {
        Self::default()
            .strings(Partial::Omitted)
            .numbers(Partial::Omitted)
            .literals(Partial::Omitted)
    }

    /// How unfinished strings look.
    #[must_use]
    pub const fn strings(mut self, partial: Partial) -> Self {
        self.strings = partial;
        self
    }

    /// How unfinished numbers look. Where no digit has come yet, there is nothing to show of one,
    /// and it is omitted.
    #[must_use]
    pub const fn numbers(mut self, partial: Partial) -> Self {
        self.numbers = partial;
        self
    }

    /// How unfinished literals look.
    #[must_use]
    pub const fn literals(mut self, partial: Partial) -> Self {
        self.literals = partial;
        self
    }

    /// How unfinished arrays look.
    #[must_use]
    pub const fn arrays(mut self, partial: Partial) -> Self {
        self.arrays = partial;
        self
    }

    /// How unfinished objects look.
    #[must_use]
    pub const fn objects(mut self, partial: Partial) -> Self {
        self.objects = partial;
        self
    }

    const fn of(self, kind: Kind) -> Partial {
        match kind {
            Kind::Null | Kind::True | Kind::False => self.literals,
            Kind::Number => self.numbers,
            Kind::String => self.strings,
            Kind::Array => self.arrays,
            Kind::Object => self.objects,
        }
    }
}

/// What is shown of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look<'a> {
    Nothing,
    /// A literal or a number.
    Text(&'a str),
    /// The raw text of a string.
    String(&'a str),
    /// An array or object with nothing in it.
    Empty,
    /// An array or object with what looks like something in it.
    Container,
}

impl<'a> Value<'a> {
    /// The value as JSON text without white space. Strings and numbers keep their spelling.
    #[must_use]
    pub fn to_json(self, partials: Partials) -> String {
        let mut out = String::new();
        self.write_json(partials, &mut out);
        out
    }

    /// Whether anything of the value is shown at all.
    pub(crate) fn is_shown(self, partials: Partials) -> bool {
        self.look(partials) != Look::Nothing
    }

    /// Whether what is shown of an array or object is what is in it.
    pub(crate) fn is_opened(self, partials: Partials) -> bool {
        self.look(partials) == Look::Container
    }

    /// What a string says, as far as it is shown.
    pub(crate) fn shown_str(self, partials: Partials) -> &'a str {
        match self.look(partials) {
            Look::String(raw) if !raw.is_empty() => self.as_str().unwrap_or(raw),
            Look::String(_) | Look::Nothing | Look::Text(_) | Look::Empty | Look::Container => "",
        }
    }

    /// Like [`to_json`](Self::to_json), but appends to `out`.
    pub fn write_json(self, partials: Partials, out: &mut String) {
        if self.look(partials) == Look::Nothing {
            out.push_str("null");
            return;
        }
        let mut value = self;
        let mut first = true;
        loop {
            let look = value.look(partials);
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
                    if let Some(child) = value.doc.node(value.id).first {
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

    /// The node behind this one within `top`, the closers in between written.
    fn leave(mut self, top: NodeId, out: &mut String, first: &mut bool) -> Option<NodeId> {
        while self.id != top {
            let node = self.doc.node(self.id);
            if node.next.is_some() {
                return node.next;
            }
            self.id = node.parent?;
            self.write_closer(out);
            *first = false;
        }
        None
    }

    /// The name of a member and the colon; for others nothing.
    pub(crate) fn write_name(self, out: &mut String) {
        let node = self.doc.node(self.id);
        if node
            .parent
            .is_some_and(|parent| self.doc.node(parent).kind == Kind::Object)
        {
            out.push('"');
            out.push_str(self.doc.text(node.name.raw));
            out.push_str("\":");
        }
    }

    fn write_closer(self, out: &mut String) {
        out.push(if self.kind() == Kind::Array { ']' } else { '}' });
    }

    /// What is shown of the value itself.
    pub(super) fn look(self, partials: Partials) -> Look<'a> {
        let kind = self.kind();
        let partial = if self.is_complete() {
            Partial::Shown
        } else {
            partials.of(kind)
        };
        match (partial, kind) {
            (Partial::Omitted, _) => Look::Nothing,
            (Partial::Shown, Kind::String) => Look::String(self.raw()),
            (Partial::Zero, Kind::String) => Look::String(""),
            (Partial::Shown, Kind::Number) if self.is_complete() => Look::Text(self.raw()),
            (Partial::Shown, Kind::Number) => {
                let whole = self.raw().get(..whole_number_len(self.raw()));
                match whole {
                    None | Some("") => Look::Nothing,
                    Some(number) => Look::Text(number),
                }
            }
            (Partial::Zero, Kind::Number) => Look::Text("0"),
            (_, Kind::Null) => Look::Text("null"),
            (Partial::Shown, Kind::True) => Look::Text("true"),
            (_, Kind::True | Kind::False) => Look::Text("false"),
            (Partial::Zero, Kind::Array | Kind::Object) => Look::Empty,
            (Partial::Shown, Kind::Array | Kind::Object) => Look::Container,
        }
    }
}
