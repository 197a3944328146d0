//! Lays out JSON text for reading while it is still being written.
//!
//! What a byte becomes depends on what stood before it alone, so the laid-out text only grows, and
//! where the pieces were cut makes no difference. A break is therefore owed, not written, until it
//! is known whether the container stays empty. Nothing is refused: text around the JSON, as models
//! write it, passes as it is.

/// The state between two pieces.
#[derive(Debug, Default)]
pub(super) struct Indenter {
    depth: usize,
    place: Place,
    owed: Break,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    BetweenTokens,
    String,
    /// Behind a backslash in a string.
    Escape,
}

/// The line break that the next token is to be preceded by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Break {
    #[default]
    None,
    AfterOpening,
    AfterComma,
}

const WIDTH: usize = 2;

impl Indenter {
    /// Appends the piece, laid out.
    pub(super) fn push(&mut self, piece: &str, out: &mut String) {
        for char in piece.chars() {
            match self.place {
                Place::String => {
                    out.push(char);
                    match char {
                        '"' => self.place = Place::BetweenTokens,
                        '\\' => self.place = Place::Escape,
                        _ => {}
                    }
                }
                Place::Escape => {
                    out.push(char);
                    self.place = Place::String;
                }
                Place::BetweenTokens => self.token(char, out),
            }
        }
    }

    fn token(&mut self, char: char, out: &mut String) {
        match char {
            // Outside of every container white space may part two values, or words.
            ' ' | '\t' | '\r' | '\n' if self.depth > 0 => {}
            '{' | '[' => {
                self.settle(out);
                out.push(char);
                self.depth += 1;
                self.owed = Break::AfterOpening;
            }
            '}' | ']' if self.depth > 0 => {
                self.depth -= 1;
                if self.owed == Break::AfterOpening {
                    self.owed = Break::None;
                } else {
                    self.owed = Break::AfterComma;
                    self.settle(out);
                }
                out.push(char);
            }
            ',' if self.depth > 0 => {
                self.settle(out);
                out.push(char);
                self.owed = Break::AfterComma;
            }
            ':' if self.depth > 0 => out.push_str(": "),
            '"' => {
                self.settle(out);
                out.push(char);
                self.place = Place::String;
            }
            _ => {
                self.settle(out);
                out.push(char);
            }
        }
    }

    fn settle(&mut self, out: &mut String) {
        match std::mem::take(&mut self.owed) {
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
        // Broken or surrounded by other text: nothing of it is lost.
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
    fn lays_out_whole_texts() {
        for (text, expected) in CASES {
            assert_eq!(indent([*text]), *expected, "{text}");
        }
    }

    #[test]
    fn every_split_gives_the_same_text() {
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
    fn a_break_waits_until_the_container_is_known_not_to_be_empty() {
        let (mut indenter, mut out) = (Indenter::default(), String::new());
        indenter.push("{\"a\":[", &mut out);
        assert_eq!(out, "{\n  \"a\": [");
        indenter.push("]", &mut out);
        assert_eq!(out, "{\n  \"a\": []");
        indenter.push(",\"b", &mut out);
        assert_eq!(out, "{\n  \"a\": [],\n  \"b");
    }
}
