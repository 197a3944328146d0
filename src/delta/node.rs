//! A value that deltas are applied to.
//!
//! # For maintainers
//!
//! Names and strings are stored with their escapes resolved. Numbers and literals keep their
//! spelling. A search for a member starts at the end of its object, because members are added
//! there.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::change::{Delta, DeltaChange, PatchOp, PatchOperation};
use crate::document::{Kind, PartialPolicy, Value, array_index, read_token};
use crate::json::write_string;
use crate::limits::Limits;
use crate::parser::Parser;

/// The maximum nesting of arrays and objects in a value, the same as the default for a document.
const MAX_DEPTH: usize = 128;

const NOT_BEGUN: &str = "the value has not begun";
const NO_SUCH_VALUE: &str = "there is no such value";

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A number or literal, as spelled in the text.
    Text(String),
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

/// A JSON Pointer, split into its tokens.
struct Tokens<'a>(Vec<Cow<'a, str>>);

impl<'a> Tokens<'a> {
    fn of(path: &'a str) -> Result<Self, &'static str> {
        let mut tokens = path.split('/');
        if tokens.next() != Some("") {
            return Err("the path is no JSON Pointer");
        }
        Ok(Self(tokens.map(read_token).collect()))
    }

    fn last(&self) -> Option<(&str, &[Cow<'a, str>])> {
        let (last, around) = self.0.split_last()?;
        Some((last, around))
    }
}

/// Applies a delta to a value, which does not exist before its first delta.
pub(crate) fn apply(top: &mut Option<Node>, delta: &Delta) -> Result<(), &'static str> {
    let tokens = Tokens::of(&delta.path)?;
    match (&delta.change, tokens.last()) {
        (DeltaChange::Value(value), None) => {
            *top = Some(Node::parse(value)?);
            Ok(())
        }
        (DeltaChange::Append(text), None) => top.as_mut().ok_or(NOT_BEGUN)?.append(text),
        (DeltaChange::Append(text), Some((last, around))) => {
            let around = Node::at(top, around)?;
            around.child(last).ok_or(NO_SUCH_VALUE)?.append(text)
        }
        (DeltaChange::Value(value), Some((last, around))) => {
            let value = Node::parse_within(value, around.len() + 1)?;
            Node::at(top, around)?.put(last, value)
        }
    }
}

/// Applies an operation to a value. Like with deltas, the first one creates the value.
pub(crate) fn apply_operation(
    top: &mut Option<Node>,
    operation: &PatchOperation,
) -> Result<(), &'static str> {
    let tokens = Tokens::of(&operation.path)?;
    let Some((last, around)) = tokens.last() else {
        *top = Some(Node::parse(&operation.value)?);
        return Ok(());
    };
    let value = Node::parse_within(&operation.value, around.len() + 1)?;
    let around = Node::at(top, around)?;
    match operation.op {
        PatchOp::Add => around.insert(last, value),
        PatchOp::Replace => {
            *around.child(last).ok_or(NO_SUCH_VALUE)? = value;
            Ok(())
        }
    }
}

impl Node {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let parser = Parser::of_whole(text.as_bytes(), Limits::default());
        let parser = parser.map_err(|_| "the value is not JSON or nested too deeply")?;
        parser
            .root()
            .map(Self::read)
            .ok_or("the value is not JSON or nested too deeply")
    }

    /// Parses a value that will be nested in this many arrays and objects.
    fn parse_within(text: &str, around: usize) -> Result<Self, &'static str> {
        let value = Self::parse(text)?;
        if around + value.depth() > MAX_DEPTH {
            return Err("the value is nested too deeply");
        }
        Ok(value)
    }

    fn read(value: Value<'_>) -> Self {
        match value.kind() {
            Kind::String => Self::String(value.as_str().unwrap_or_default().into()),
            Kind::Array => Self::Array(value.elements().map(Self::read).collect()),
            Kind::Object => {
                let members = value.members();
                let members = members.map(|(name, value)| (name.into_owned(), Self::read(value)));
                Self::Object(members.collect())
            }
            Kind::Null | Kind::True | Kind::False | Kind::Number => {
                Self::Text(value.to_json(PartialPolicy::default()))
            }
        }
    }

    /// Returns how deep arrays and objects are nested in the value.
    fn depth(&self) -> usize {
        match self {
            Self::Text(_) | Self::String(_) => 0,
            Self::Array(elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => {
                let depths = members.iter().map(|(_, value)| value.depth());
                1 + depths.max().unwrap_or(0)
            }
        }
    }

    fn at<'a>(
        top: &'a mut Option<Self>,
        tokens: &[Cow<'_, str>],
    ) -> Result<&'a mut Self, &'static str> {
        let mut node = top.as_mut().ok_or(NOT_BEGUN)?;
        for token in tokens {
            node = node.child(token).ok_or(NO_SUCH_VALUE)?;
        }
        Ok(node)
    }

    fn child(&mut self, token: &str) -> Option<&mut Self> {
        match self {
            Self::Text(_) | Self::String(_) => None,
            Self::Array(elements) => elements.get_mut(array_index(token)?),
            Self::Object(members) => {
                let mut members = members.iter_mut().rev();
                let member = members.find(|(name, _)| name == token);
                member.map(|(_, value)| value)
            }
        }
    }

    fn append(&mut self, text: &str) -> Result<(), &'static str> {
        let Self::String(string) = self else {
            return Err("the value is no string");
        };
        string.push_str(text);
        Ok(())
    }

    /// Puts a value in the place of a child, or adds it as the last one.
    fn put(&mut self, token: &str, value: Self) -> Result<(), &'static str> {
        if let Some(child) = self.child(token) {
            *child = value;
            return Ok(());
        }
        if matches!(self, Self::Array(_)) && array_index(token).is_none() {
            return Err(NO_SUCH_VALUE);
        }
        self.insert(token, value)
    }

    /// Puts a value in the place of a member, or inserts it as an element; `-` is after the last.
    fn insert(&mut self, token: &str, value: Self) -> Result<(), &'static str> {
        match self {
            Self::Object(members) => {
                let mut known = members.iter_mut().rev();
                match known.find(|(name, _)| name == token) {
                    Some((_, child)) => *child = value,
                    None => members.push((token.into(), value)),
                }
                Ok(())
            }
            Self::Array(elements) => {
                let index = match token {
                    "-" => elements.len(),
                    _ => array_index(token).ok_or(NO_SUCH_VALUE)?,
                };
                if index > elements.len() {
                    return Err("elements before it are missing");
                }
                elements.insert(index, value);
                Ok(())
            }
            Self::Text(_) | Self::String(_) => Err("there is no array or object around it"),
        }
    }

    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::String(text) => write_string(text, out),
            Self::Array(elements) => {
                out.push('[');
                for (n, element) in elements.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (n, (name, value)) in members.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}
