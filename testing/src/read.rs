//! A literal implementation of RFC 8259, which also reads truncated text.

use std::iter::Peekable;
use std::str::Chars;

use crate::json::{Json, Missing, Text, is_high_surrogate, is_low_surrogate};

/// How two members with the same name are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// The text is rejected.
    Rejected,
    /// The last one is used, as in most readers.
    LastWins,
}

/// The maximum nesting, because the reader recurses. The tests generate nothing deeper.
const DEEPEST: usize = 500;

/// Reads a complete JSON text.
pub fn read(text: &str, duplicates: Duplicates) -> Result<Json, String> {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        duplicates,
        depth: 0,
    };
    let value = reader.value()?;
    reader.space();
    match reader.rest.next() {
        None => Ok(value),
        Some(more) => Err(format!("{more:?} after the value")),
    }
}

/// A prefix of the emitted text.
#[derive(Debug)]
pub struct EmittedPrefix {
    pub value: Json,
    /// The number of open strings and containers, from the root along the last children.
    pub open: usize,
    /// Whether it ends in a number, which may be incomplete.
    pub in_number: bool,
}

impl EmittedPrefix {
    /// Returns whether this is a valid emitted part of `snapshot`, with no more missing than
    /// allowed.
    pub fn is_part_of(&self, snapshot: &Json, missing: Missing) -> bool {
        let open = self.open + usize::from(self.in_number);
        self.value.is_part_of(snapshot, open, missing)
    }
}

/// Reads a prefix of the emitted text by closing its open strings and containers. Anything else
/// that is missing, such as the value after a name, is an error.
pub fn read_prefix(text: &str, duplicates: Duplicates) -> Result<EmittedPrefix, String> {
    let mut closers = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let in_string = closers.last() == Some(&'"');
        match character {
            '"' if in_string => {
                closers.pop();
            }
            '\\' if in_string => {
                characters.next();
            }
            _ if in_string => {}
            '"' => closers.push('"'),
            '[' => closers.push(']'),
            '{' => closers.push('}'),
            ']' | '}' => {
                closers.pop();
            }
            _ => {}
        }
    }
    let in_string = closers.last() == Some(&'"');
    let in_number = !in_string && text.ends_with(|end: char| end.is_ascii_digit());
    let open = closers.len();
    let closed: String = text.chars().chain(closers.into_iter().rev()).collect();
    match read(&closed, duplicates) {
        Ok(value) => Ok(EmittedPrefix {
            value,
            open,
            in_number,
        }),
        Err(why) => Err(format!("{why}, in the prefix {text}")),
    }
}

/// Returns whether two prefixes differ only in their spelling: in the order of members and in
/// escapes.
pub fn are_equivalent(one: &str, other: &str) -> bool {
    if one.is_empty() || other.is_empty() {
        return one == other;
    }
    let read = |text| read_prefix(text, Duplicates::Rejected).unwrap();
    let (one, other) = (read(one), read(other));
    one.value == other.value && one.open == other.open
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    duplicates: Duplicates,
    depth: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while self
            .rest
            .next_if(|next| matches!(next, ' ' | '\t' | '\n' | '\r'))
            .is_some()
        {}
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.rest.next() {
            Some(found) if found == wanted => Ok(()),
            other => Err(format!("{other:?} instead of {wanted:?}")),
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        self.space();
        match self.rest.peek() {
            Some('n') => self.literal("null", Json::Null),
            Some('t') => self.literal("true", Json::Bool(true)),
            Some('f') => self.literal("false", Json::Bool(false)),
            Some('"') => self.string().map(Json::Str),
            Some('[') => self.nested(Self::array),
            Some('{') => self.nested(Self::object),
            Some('-' | '0'..='9') => self.number(),
            other => Err(format!("{other:?} instead of a value")),
        }
    }

    fn nested(
        &mut self,
        container: impl FnOnce(&mut Self) -> Result<Json, String>,
    ) -> Result<Json, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("too deep".to_owned());
        }
        let value = container(self);
        self.depth -= 1;
        value
    }

    fn literal(&mut self, text: &str, value: Json) -> Result<Json, String> {
        text.chars().try_for_each(|wanted| self.expect(wanted))?;
        Ok(value)
    }

    fn array(&mut self) -> Result<Json, String> {
        let mut elements = Vec::new();
        self.expect('[')?;
        self.space();
        if self.rest.next_if_eq(&']').is_some() {
            return Ok(Json::Arr(elements));
        }
        loop {
            elements.push(self.value()?);
            self.space();
            if self.rest.next_if_eq(&',').is_none() {
                self.expect(']')?;
                return Ok(Json::Arr(elements));
            }
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        let mut members: Vec<(Text, Json)> = Vec::new();
        self.expect('{')?;
        self.space();
        if self.rest.next_if_eq(&'}').is_some() {
            return Ok(Json::Obj(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(':')?;
            let value = self.value()?;
            if let Some(earlier) = members.iter().position(|(other, _)| *other == name) {
                match self.duplicates {
                    Duplicates::Rejected => return Err(format!("two members {name:?}")),
                    Duplicates::LastWins => {
                        members.remove(earlier);
                    }
                }
            }
            members.push((name, value));
            self.space();
            if self.rest.next_if_eq(&',').is_none() {
                self.expect('}')?;
                return Ok(Json::Obj(members));
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let mut text = String::new();
        text.extend(self.rest.next_if_eq(&'-'));
        if self.rest.next_if_eq(&'0').is_some() {
            text.push('0');
        } else {
            self.digits(&mut text)?;
        }
        if self.rest.next_if_eq(&'.').is_some() {
            text.push('.');
            self.digits(&mut text)?;
        }
        if let Some(e) = self.rest.next_if(|next| matches!(next, 'e' | 'E')) {
            text.push(e);
            text.extend(self.rest.next_if(|next| matches!(next, '+' | '-')));
            self.digits(&mut text)?;
        }
        Ok(Json::Num(text))
    }

    fn digits(&mut self, text: &mut String) -> Result<(), String> {
        let before = text.len();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            text.push(digit);
        }
        if text.len() == before {
            return Err(format!("{:?} instead of a digit", self.rest.peek()));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Text, String> {
        self.expect('"')?;
        let mut text = Text::new();
        // Only two escapes form a pair.
        let mut half = None;
        loop {
            let escaped_before = half.take();
            let unit = match self.rest.next() {
                None => return Err("a string without end".to_owned()),
                Some('"') => return Ok(text),
                Some(control) if control < ' ' => return Err(format!("{control:?} in a string")),
                Some('\\') => self.escape()?,
                Some(character) => {
                    text.push(u32::from(character));
                    continue;
                }
            };
            match escaped_before {
                Some(high) if is_low_surrogate(unit) => {
                    text.pop();
                    text.push(0x1_0000 + (high - 0xD800) * 0x400 + (unit - 0xDC00));
                }
                _ => {
                    half = Some(unit).filter(|&unit| is_high_surrogate(unit));
                    text.push(unit);
                }
            }
        }
    }

    /// Reads the UTF-16 unit after a backslash.
    fn escape(&mut self) -> Result<u32, String> {
        match self.rest.next() {
            Some(same @ ('"' | '\\' | '/')) => Ok(u32::from(same)),
            Some('b') => Ok(0x8),
            Some('f') => Ok(0xC),
            Some('n') => Ok(0xA),
            Some('r') => Ok(0xD),
            Some('t') => Ok(0x9),
            Some('u') => (0..4).try_fold(0, |unit, _| {
                let digit = self.rest.next().and_then(|digit| digit.to_digit(16));
                digit
                    .map(|digit| unit * 16 + digit)
                    .ok_or_else(|| "four hexadecimal digits expected".to_owned())
            }),
            other => Err(format!("the escape {other:?}")),
        }
    }
}
