//! The JSON objects in frames, written member by member.

use alloc::string::String;
use core::fmt::Write as _;

use crate::json::{decode, skip_whitespace, string_end, write_string};

/// A JSON object that is being written, without white space.
#[derive(Debug)]
pub(super) struct Object {
    text: String,
}

impl Object {
    pub(super) fn new() -> Self {
        Self {
            text: String::from("{"),
        }
    }

    /// Adds a string.
    pub(super) fn string(mut self, name: &str, value: &str) -> Self {
        self.name(name);
        write_string(value, &mut self.text);
        self
    }

    /// Adds a number.
    pub(super) fn number(mut self, name: &str, value: u64) -> Self {
        self.name(name);
        let _ = write!(self.text, "{value}");
        self
    }

    /// Adds a value that is JSON text on one line.
    pub(super) fn json(mut self, name: &str, value: &str) -> Self {
        self.name(name);
        self.text.push_str(value);
        self
    }

    /// Adds a value that is valid JSON text, without the white space between its tokens.
    pub(super) fn compact(mut self, name: &str, value: &str) -> Self {
        self.name(name);
        write_compact(value, &mut self.text);
        self
    }

    /// Adds an object.
    pub(super) fn object(self, name: &str, value: Self) -> Self {
        self.json(name, &value.end())
    }

    /// Adds an array of one object.
    pub(super) fn array_of(mut self, name: &str, element: Self) -> Self {
        self.name(name);
        self.text.push('[');
        self.text.push_str(&element.end());
        self.text.push(']');
        self
    }

    /// Returns the text of the object.
    pub(super) fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }

    /// Names of the dialects need no escapes.
    fn name(&mut self, name: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }
}

/// Appends valid JSON text without the white space between its tokens. No two tokens of valid JSON
/// need white space in between.
///
/// A surrogate escaped alone becomes U+FFFD: the grammar allows `"\ud83d"`, but clients with serde
/// cannot read a frame that contains it.
fn write_compact(json: &str, out: &mut String) {
    let bytes = json.as_bytes();
    let mut at = skip_whitespace(bytes, 0);
    let mut run = at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let start = at;
                at = string_end(bytes, at + 1).map_or(bytes.len(), |(quote, _)| quote + 1);
                let raw = json.get(start + 1..at - 1).unwrap_or_default();
                if raw.contains("\\u") {
                    out.push_str(json.get(run..start).unwrap_or_default());
                    write_string(&decode(raw), out);
                    run = at;
                }
            }
            b' ' | b'\n' | b'\r' | b'\t' => {
                out.push_str(json.get(run..at).unwrap_or_default());
                at = skip_whitespace(bytes, at);
                run = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(json.get(run..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogate_alone_is_replaced_in_values() {
        let json = r#"{"\ud83dx" : ["\ud83d\ude00", "\\ud83d", 1]}"#;
        let object = Object::new().compact("a", json);
        let expected = "{\"a\":{\"\u{FFFD}x\":[\"\u{1F600}\",\"\\\\ud83d\",1]}}";
        assert_eq!(object.end(), expected);
    }

    #[test]
    fn object_writes_members_in_order() {
        let object = Object::new()
            .string("a", "x\n\"")
            .number("b", 7)
            .compact("c", " { \"d\" : [ 1,\r\n 2 ] , \"e f\":\" g\\\" h \" }\t")
            .array_of("i", Object::new())
            .object("j", Object::new().json("k", "null"));
        assert_eq!(
            object.end(),
            r#"{"a":"x\n\"","b":7,"c":{"d":[1,2],"e f":" g\" h "},"i":[{}],"j":{"k":null}}"#
        );
    }
}
