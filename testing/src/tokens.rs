//! Documents as lists of tokens, to be changed before they are joined.

use crate::json::{Json, Text};
use crate::write::{Escapes, Style, write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    Name,
    Text,
    Number,
    Literal,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    /// The white space before it.
    pub space: String,
    pub text: String,
}

/// The white space between tokens.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// The same before each token but the first.
    Same(&'static str),
    /// Each child on a line of its own.
    Indented,
}

/// Returns the tokens of a document.
pub fn tokens(json: &Json, layout: Layout) -> Vec<Token> {
    let mut list = TokenList {
        layout,
        tokens: Vec::new(),
    };
    list.value(json, 0, "");
    list.tokens
}

pub fn join(tokens: &[Token]) -> String {
    let texts = tokens.iter();
    texts
        .flat_map(|token| [token.space.as_str(), &token.text])
        .collect()
}

/// Returns whether there is a token of this kind.
pub fn is(tokens: &[Token], at: usize, kind: Kind) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == kind)
}

struct TokenList {
    layout: Layout,
    tokens: Vec<Token>,
}

impl TokenList {
    /// Adds a token; `space` is before it if the layout is indented.
    fn push(&mut self, kind: Kind, text: impl Into<String>, space: &str) {
        let space = match self.layout {
            Layout::Same(_) if self.tokens.is_empty() => "",
            Layout::Same(same) => same,
            Layout::Indented => space,
        };
        self.tokens.push(Token {
            kind,
            space: space.to_owned(),
            text: text.into(),
        });
    }

    fn value(&mut self, json: &Json, depth: usize, space: &str) {
        let kind = match json {
            Json::Null | Json::Bool(_) => Kind::Literal,
            Json::Num(_) => Kind::Number,
            Json::Str(_) => Kind::Text,
            Json::Arr(elements) => {
                self.push(Kind::Open, "[", space);
                for (index, element) in elements.iter().enumerate() {
                    self.separate(index);
                    self.value(element, depth + 1, &line(depth + 1));
                }
                return self.push(Kind::Close, "]", &line(depth));
            }
            Json::Obj(members) => {
                self.push(Kind::Open, "{", space);
                for (index, (name, value)) in members.iter().enumerate() {
                    self.separate(index);
                    self.push(Kind::Name, string(name), &line(depth + 1));
                    self.push(Kind::Colon, ":", "");
                    self.value(value, depth + 1, " ");
                }
                return self.push(Kind::Close, "}", &line(depth));
            }
        };
        self.push(kind, write(json, Style::plain(Escapes::Few)), space);
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.push(Kind::Comma, ",", "");
        }
    }
}

fn line(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

fn string(text: &Text) -> String {
    write(&Json::Str(text.clone()), Style::plain(Escapes::Few))
}
