//! Indents JSON text while it is still being written.
//!
//! # For maintainers
//!
//! The output for a byte depends only on the bytes before it, so the indented text only grows, and
//! the split of the input makes no difference. Therefore a line break is pending until it is known
//! whether the container is empty. Nothing is an error: text around the JSON, as models write it,
//! passes unchanged.
//!
//! The library's `Tokenizer` does not fit: it returns a string when its closing quote has arrived,
//! and here each character is shown at once; and it ends at the first byte that is not JSON.
//! Strings are scanned here by two rules only, the backslash and the quote.
//!
//! | state | character | next state |
//! | --- | --- | --- |
//! | `BetweenTokens` | `"` | `String` |
//! | `String` | `\` | `Escape` |
//! | `String` | `"` | `BetweenTokens` |
//! | `Escape` | any | `String` |

/// Indents text that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Indenter {
    depth: usize,
    token: TokenState,
    pending: Break,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TokenState {
    #[default]
    BetweenTokens,
    String,
    /// After a backslash in a string.
    Escape,
}

/// The line break before the next token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Break {
    #[default]
    None,
    /// After an opening bracket: dropped if the container is empty.
    AfterOpening,
    AfterComma,
}

const WIDTH: usize = 2;

impl Indenter {
    /// Appends the piece, indented.
    pub(crate) fn push(&mut self, piece: &str, out: &mut String) {
        for char in piece.chars() {
            match self.token {
                TokenState::String => {
                    out.push(char);
                    match char {
                        '"' => self.token = TokenState::BetweenTokens,
                        '\\' => self.token = TokenState::Escape,
                        _ => {}
                    }
                }
                TokenState::Escape => {
                    out.push(char);
                    self.token = TokenState::String;
                }
                TokenState::BetweenTokens => self.push_between_tokens(char, out),
            }
        }
    }

    fn push_between_tokens(&mut self, char: char, out: &mut String) {
        match char {
            // Outside all containers, white space separates two values, or words: `{} {}`.
            ' ' | '\t' | '\r' | '\n' if self.depth > 0 => {}
            '{' | '[' => {
                self.write_break(out);
                out.push(char);
                self.depth += 1;
                self.pending = Break::AfterOpening;
            }
            '}' | ']' if self.depth > 0 => {
                self.depth -= 1;
                if self.pending == Break::AfterOpening {
                    self.pending = Break::None;
                } else {
                    self.pending = Break::AfterComma;
                    self.write_break(out);
                }
                out.push(char);
            }
            ',' if self.depth > 0 => {
                self.write_break(out);
                out.push(char);
                self.pending = Break::AfterComma;
            }
            ':' if self.depth > 0 => out.push_str(": "),
            '"' => {
                self.write_break(out);
                out.push(char);
                self.token = TokenState::String;
            }
            _ => {
                self.write_break(out);
                out.push(char);
            }
        }
    }

    fn write_break(&mut self, out: &mut String) {
        match std::mem::take(&mut self.pending) {
            Break::None => {}
            Break::AfterOpening | Break::AfterComma => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', self.depth * WIDTH));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Indenter;

    fn indent<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
        let (mut indenter, mut out) = (Indenter::default(), String::new());
        for piece in pieces {
            indenter.push(piece, &mut out);
        }
        out
    }

    const CASES: &[(&str, &str)] = &[
        ("", ""),
        ("3", "3"),
        ("{}", "{}"),
        ("[ ]", "[]"),
        (
            r#"{"a":1,"b":[true,null],"c":{}}"#,
            "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ],\n  \"c\": {}\n}",
        ),
        (
            "{ \"a\" :\n\t1 ,\r\n \"b\": [ ] }",
            "{\n  \"a\": 1,\n  \"b\": []\n}",
        ),
        (
            r#"{"a{,:":"}\"],[\\"}"#,
            "{\n  \"a{,:\": \"}\\\"],[\\\\\"\n}",
        ),
        (
            "[\"金沢 é\",\"\\u00e9\"]",
            "[\n  \"金沢 é\",\n  \"\\u00e9\"\n]",
        ),
        ("[[[]]]", "[\n  [\n    []\n  ]\n]"),
        // Malformed, or with other text around it: nothing is lost.
        ("[1,]", "[\n  1,\n]"),
        ("]}", "]}"),
        (
            "Here: one, two\n```json\n{\"a\":1}\n```",
            "Here: one, two\n```json\n{\n  \"a\": 1\n}\n```",
        ),
        (
            "{\"a\":1}\n{\"a\":2}\n",
            "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n",
        ),
    ];

    #[test]
    fn text_is_indented() {
        for (text, expected) in CASES {
            assert_eq!(indent([*text]), *expected, "{text}");
        }
    }

    #[test]
    fn split_makes_no_difference() {
        for (text, expected) in CASES {
            let chars: Vec<String> = text.chars().map(String::from).collect();
            assert_eq!(indent(chars.iter().map(String::as_str)), *expected);
            for (at, _) in text.char_indices() {
                let (left, right) = text.split_at(at);
                assert_eq!(indent([left, right]), *expected, "{left} | {right}");
            }
        }
    }

    #[test]
    fn line_break_is_pending_until_container_has_content() {
        let (mut indenter, mut out) = (Indenter::default(), String::new());
        indenter.push("{\"a\":[", &mut out);
        assert_eq!(out, "{\n  \"a\": [");
        indenter.push("]", &mut out);
        assert_eq!(out, "{\n  \"a\": []");
        indenter.push(",\"b", &mut out);
        assert_eq!(out, "{\n  \"a\": [],\n  \"b");
    }
}
