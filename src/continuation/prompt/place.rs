//! The place where a text is truncated: the element that it ends in, and the one before.

use alloc::vec::Vec;
use core::ops::Range;

use crate::document::{Kind, Value};
use crate::json::skip_whitespace;

/// The pieces of a text that are near its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextEnd<'a> {
    /// The element or member that the text ends in.
    pub(super) cut_off: Option<&'a str>,
    /// The complete one before it.
    pub(super) before: Option<&'a str>,
}

/// An open array or object.
#[derive(Debug)]
struct OpenContainer {
    is_array: bool,
    /// Where its current child starts.
    child: usize,
    /// The child before that.
    before: Option<Range<usize>>,
}

impl<'a> TextEnd<'a> {
    /// Returns the end of a text whose value so far is `root`, at the level of the elements of the
    /// array that the model is writing. `sections` is the number of containers around and including
    /// the section that the text ends in, see [`sections`](super::sections); arrays in there are
    /// preferred.
    ///
    /// | open containers | level | because |
    /// | --- | --- | --- |
    /// | section, `items` | items | the innermost array |
    /// | section, `rows`, row | rows | an array in an array is one of its elements |
    /// | section, `items`, item, `tags` | items | the outermost array with an element before |
    /// | section, `elements`, its first, `items` | items | `elements` has nothing before |
    pub(super) fn of(text: &'a str, root: Value<'_>, sections: usize) -> Self {
        let stack = open_containers(text, root);
        let trimmed = |range: Range<usize>| {
            let piece = text.get(range).unwrap_or_default().trim_ascii_start();
            Some(piece).filter(|piece| !piece.is_empty())
        };
        let inner = stack.get(sections..).unwrap_or_default();
        let array = element_level(inner).or_else(|| element_level(&stack));
        match array.or(stack.last()) {
            Some(open) => Self {
                cut_off: trimmed(open.child..text.len()),
                before: open
                    .before
                    .clone()
                    .and_then(trimmed)
                    .map(str::trim_ascii_end),
            },
            None => Self {
                cut_off: trimmed(0..text.len())
                    .filter(|_| root.kind() == Kind::String && !root.is_complete()),
                before: None,
            },
        }
    }
}

/// Returns the containers that are open at the end of a text, from the root.
fn open_containers(text: &str, root: Value<'_>) -> Vec<OpenContainer> {
    let is_open = |value: &Value<'_>| value.kind().is_container() && !value.is_complete();
    let open = core::iter::successors(Some(root).filter(is_open), |value| {
        value.last().filter(is_open)
    });
    open.map(|container| {
        let bytes = text.as_bytes();
        let last = container.last();
        let end = last.map(|last| last.range_with_name().end);
        // `[1,` and `{"a":1,"b`: after a comma, the current child has no value yet.
        let comma = end.map(|end| skip_whitespace(bytes, end));
        let comma = comma.filter(|at| bytes.get(*at) == Some(&b','));
        let (child, before) = match (comma, last) {
            (Some(comma), _) => (comma + 1, last),
            (None, Some(last)) => (last.range_with_name().start, last.sibling_before()),
            (None, None) => (container.span().start() + 1, None),
        };
        OpenContainer {
            is_array: container.kind() == Kind::Array,
            child,
            before: before.map(Value::range_with_name),
        }
    })
    .collect()
}

/// Returns the array whose elements a person would count.
fn element_level(stack: &[OpenContainer]) -> Option<&OpenContainer> {
    let is_row = |index: usize| {
        let outer = index.checked_sub(1).and_then(|outer| stack.get(outer));
        outer.is_some_and(|outer| outer.is_array)
    };
    let arrays = stack.iter().enumerate();
    let mut arrays = arrays.filter(|(index, open)| open.is_array && !is_row(*index));
    let mut last = None;
    let found = arrays.find(|(_, open)| {
        last = Some(*open);
        open.before.is_some()
    });
    found.map(|(_, open)| open).or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::Parser;

    #[test]
    fn cut_off_is_at_the_level_of_elements() {
        for (text, sections, cut_off, before) in [
            ("", 0, None, None),
            ("[", 0, None, None),
            ("[1, 2", 0, Some("2"), Some("1")),
            ("[1 ,", 0, None, Some("1")),
            ("[[1],[2,3", 0, Some("[2,3"), Some("[1]")),
            (
                r#"[{"a":"]"},{"a":{"b":"#,
                0,
                Some(r#"{"a":{"b":"#),
                Some(r#"{"a":"]"}"#),
            ),
            (
                r#"{"a":[1],"b": "x"#,
                0,
                Some(r#""b": "x"#),
                Some(r#""a":[1]"#),
            ),
            (r#"{"a":{"b":1,"c"#, 0, Some(r#""c"#), Some(r#""b":1"#)),
            (r#""te,xt"#, 0, Some(r#""te,xt"#), None),
            ("[1]", 0, None, None),
            // A section is the third container: the root object, the array, the section.
            (
                r#"{"s":[{"items":[1]},{"items":["a","b"#,
                3,
                Some(r#""b"#),
                Some(r#""a""#),
            ),
            (
                r#"{"s":[{"n":1},{"rows":[[1,2],[3,"#,
                3,
                Some("[3,"),
                Some("[1,2]"),
            ),
            (
                r#"{"s":[{"n":1},{"items":[{"t":[1]},{"t":[2,3"#,
                3,
                Some(r#"{"t":[2,3"#),
                Some(r#"{"t":[1]}"#),
            ),
            (
                r#"{"s":[{"n":1},{"elements":[{"items":["a","b"#,
                3,
                Some(r#""b"#),
                Some(r#""a""#),
            ),
            (
                r#"{"s":[{"n":1},{"title":"x"#,
                3,
                Some(r#"{"title":"x"#),
                Some(r#"{"n":1}"#),
            ),
        ] {
            let mut parser = Parser::new();
            parser.push(text.as_bytes()).unwrap();
            let place = parser.root().map(|root| TextEnd::of(text, root, sections));
            let place = place.unwrap_or_default();
            assert_eq!(place, TextEnd { cut_off, before }, "{text}");
        }
    }
}
