//! Cues that distinguish the end of a string from an unescaped quote in it.
//!
//! Each cue describes one thing that may follow a quote. The first cue that matches decides; if
//! none matches, the quote is content, because nothing that can follow a string follows it. The
//! example of a cue is a text in which it decides, and the result.

use super::lookahead::Lookahead;
use super::token::{Container, Role};

/// A quote in a string, and the text after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    ahead: Lookahead<'a>,
    role: Role,
    /// The container of the string.
    container: Option<Container>,
    /// The string has an odd number of quotes before this one, which may therefore be the second of
    /// a pair.
    inside_inner_quotes: bool,
    /// The offset of the next token.
    at: usize,
    /// The first byte of the next token.
    next: Option<u8>,
    /// White space precedes the next token.
    spaced: bool,
    /// The end of the quote.
    end: usize,
}

impl<'a> Site<'a> {
    /// Returns the site of a quote that ends at `end`.
    pub(super) fn new(
        ahead: Lookahead<'a>,
        end: usize,
        role: Role,
        container: Option<Container>,
        inside_inner_quotes: bool,
    ) -> Self {
        let (at, next) = ahead.next(end);
        Self {
            ahead,
            role,
            container,
            inside_inner_quotes,
            at,
            next,
            spaced: at > end,
            end,
        }
    }

    /// Returns whether another reading of the quote is possible: only if something follows it.
    pub(super) const fn is_ambiguous(&self) -> bool {
        self.next.is_some()
    }

    fn is(&self, role: Role, container: Option<Container>) -> bool {
        self.role == role && self.container == container
    }

    fn in_object(&self) -> bool {
        self.is(Role::Value, Some(Container::Object))
    }

    fn in_array(&self) -> bool {
        self.is(Role::Value, Some(Container::Array))
    }

    fn is_value(&self) -> bool {
        self.in_object() || self.in_array()
    }

    /// Returns whether the next token is on another line.
    fn is_on_next_line(&self) -> bool {
        let gap = self.ahead.bytes.get(self.end..self.at);
        gap.is_some_and(|gap| gap.contains(&b'\n'))
    }

    fn next_is(&self, bytes: &[u8]) -> bool {
        self.next.is_some_and(|next| bytes.contains(&next))
    }

    fn next_is_quote(&self) -> bool {
        self.ahead.quote(self.at).is_some()
    }

    /// Returns whether what follows the comma (or the `;` in its place) may be the next item of the
    /// container.
    fn continues(&self, inside_inner_quotes: bool) -> bool {
        self.container.is_some_and(|container| {
            self.ahead
                .continues(container, self.at + 1, inside_inner_quotes)
        })
    }
}

/// One thing that may follow a quote.
pub(super) struct Cue {
    /// A description of what follows.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reader and the tests"))]
    name: &'static str,
    /// A text in which this cue decides, and the result.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reader and the tests"))]
    example: (&'static str, &'static str),
    matches: fn(&Site<'_>) -> bool,
    /// Whether the quote ends the string if the cue matches.
    ends: bool,
}

const fn ends(
    name: &'static str,
    example: (&'static str, &'static str),
    matches: fn(&Site<'_>) -> bool,
) -> Cue {
    Cue {
        name,
        example,
        matches,
        ends: true,
    }
}

const fn inside(
    name: &'static str,
    example: (&'static str, &'static str),
    matches: fn(&Site<'_>) -> bool,
) -> Cue {
    Cue {
        name,
        example,
        matches,
        ends: false,
    }
}

/// Returns whether a quote ends its string.
pub(super) fn ends_string(site: &Site<'_>) -> bool {
    let cue = CUES.iter().find(|cue| (cue.matches)(site));
    cue.is_some_and(|cue| cue.ends)
}

const CUES: &[Cue] = &[
    // The most common first.
    ends(
        "after a name: punctuation",
        (r#"{"a"=1}"#, r#"{"a":1}"#),
        |site| site.role == Role::Name && site.next_is(b":=,}]{["),
    ),
    ends(
        "a comma, and what the container continues with",
        (r#"{'a':"b",c:1}"#, r#"{"a":"b","c":1}"#),
        |site| site.is_value() && site.next_is(b",") && site.continues(site.inside_inner_quotes),
    ),
    // Inside of inner quotes the closer counts only if a separator or closer follows it, because it
    // may be content: `"see ["a"] and"`.
    ends("a closer", (r#"["a"}"#, r#"["a"]"#), |site| {
        let (_, then) = site.ahead.next(site.at + 1);
        site.is_value()
            && site.next_is(b"}])")
            && (!site.inside_inner_quotes || then.is_none_or(|then| b",}])".contains(&then)))
    }),
    ends("the end of the text", (r#"["a""#, r#"["a"]"#), |site| {
        site.next.is_none()
    }),
    ends(
        "a comment or the end of a fence",
        (r#"["a"/* b */]"#, r#"["a"]"#),
        |site| site.ahead.is_comment(site.at) || site.ahead.is_fence(site.at),
    ),
    // Only after a space and outside of inner quotes, because a number sign may be content:
    // `"the "#1" of"`.
    ends(
        "a comment that starts with a number sign",
        ("[\"a\" # b\n]", "[\"a\" \n]"),
        |site| site.next_is(b"#") && site.spaced && !site.inside_inner_quotes,
    ),
    // Without a space the second quote may end a quoted word: `{"the "name"": 1}`.
    ends(
        "after a name: a string, the colon is missing",
        (r#"{"a" "b"}"#, r#"{"a" :"b"}"#),
        |site| {
            let is_pair = !site.ahead.is_before(site.at + 1, b":")
                && site.ahead.is_string_before(site.at, b",}");
            site.role == Role::Name && site.next_is_quote() && (site.spaced || is_pair)
        },
    ),
    ends(
        "after a name: another value, the colon is missing",
        (r#"{"a" 1}"#, r#"{"a" :1}"#),
        |site| site.role == Role::Name && site.ahead.is_word_before(site.at, b",}"),
    ),
    ends(
        "after a text alone: a separator or a line end",
        ("'a';", r#""a""#),
        |site| {
            site.is(Role::Value, None)
                && !site.inside_inner_quotes
                && (site.next_is(b",;") || site.is_on_next_line())
        },
    ),
    ends(
        "a plus and another string",
        (r#"["a" + "b"]"#, r#"["ab"]"#),
        |site| site.role == Role::Value && site.ahead.is_concatenation(site.at),
    ),
    inside(
        "after the end of a quoted word: the end of the string",
        (r#"["say "x""]"#, r#"["say \"x\""]"#),
        |site| {
            site.is_value()
                && site.inside_inner_quotes
                && site.next_is_quote()
                && !site.spaced
                && site.ahead.is_before(site.at + 1, b",}]")
        },
    ),
    ends(
        "a semicolon in place of a comma",
        (r#"["a"; "b"]"#, r#"["a", "b"]"#),
        |site| {
            site.is_value()
                && site.next_is(b";")
                && !site.inside_inner_quotes
                && site.continues(true)
        },
    ),
    ends(
        "in an array: a colon, it was a name",
        (r#"{"a":[1,"b":2}"#, r#"{"a":[1],"b":2}"#),
        |site| site.in_array() && site.next_is(b":") && !site.inside_inner_quotes,
    ),
    ends(
        "in an object: the next name, the comma is missing",
        (r#"{"a":"b" "c":1}"#, r#"{"a":"b", "c":1}"#),
        |site| {
            site.in_object() && site.next_is_quote() && site.ahead.is_string_before(site.at, b":")
        },
    ),
    ends(
        "in an object: a name without quotes, the comma is missing",
        (r#"{"a":"b" c:1}"#, r#"{"a":"b", "c":1}"#),
        |site| {
            site.in_object()
                && !site.next_is_quote()
                && site.spaced
                && !site.inside_inner_quotes
                && site.ahead.is_word_before(site.at, b":")
        },
    ),
    ends(
        "in an array: the next string, the comma is missing",
        (r#"["a" "b"]"#, r#"["a", "b"]"#),
        |site| {
            site.in_array()
                && site.next_is_quote()
                && ((site.spaced && !site.inside_inner_quotes)
                    || site.ahead.is_string_before(site.at, b",]"))
        },
    ),
    ends(
        "in an array: a container, the comma is missing",
        (r#"["a" [1]]"#, r#"["a", [1]]"#),
        |site| site.in_array() && site.next_is(b"{[") && site.spaced && !site.inside_inner_quotes,
    ),
    ends(
        "in an array: a number or a word, the comma is missing",
        (r#"["a" 1]"#, r#"["a", 1]"#),
        |site| {
            site.in_array()
                && !site.next_is(b"{[,}];:+")
                && !site.next_is_quote()
                && (site.spaced || site.ahead.is_scalar(site.at))
                && site.ahead.is_word_before(site.at, b",]")
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::super::repair;
    use super::CUES;

    #[test]
    fn every_cue_decides_its_example() {
        for cue in CUES {
            let (before, after) = cue.example;
            let repaired = repair(before).unwrap();
            assert_eq!(repaired.text(), after, "{}: {before}", cue.name);
        }
    }
}
