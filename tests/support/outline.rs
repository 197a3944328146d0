//! What a parser has to show of a text at each of its bytes, found by reading all of it at once.
//!
//! The reader is strict, recursive and slow. For each value it notes where it starts, where it
//! ends, and behind which byte each of its characters is known; what is there after so many bytes
//! follows from that, for good texts and for those that break off or break the grammar.

use json_chunks::ErrorKind;

/// A value at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) pointer: String,
    pub(crate) what: What,
    pub(crate) complete: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Null,
    True,
    False,
    /// As far as it is written.
    Number(String),
    /// What it says so far.
    Str(String),
    Array,
    Object,
}

/// An event; those that a split cuts in two are one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Told {
    Started(String),
    Appended(String, String),
    Completed(String),
}

#[derive(Debug, Default)]
pub(crate) struct Outline {
    nodes: Vec<Node>,
    /// All events, up to the error if there is one.
    pub(crate) told: Vec<Told>,
    pub(crate) error: Option<Wrong>,
}

/// What is wrong with a text, and where.
pub(crate) type Wrong = (ErrorKind, usize);

#[derive(Debug)]
struct Node {
    pointer: String,
    kind: What,
    start: usize,
    /// Behind its last byte, if there is one.
    end: Option<usize>,
    units: Vec<Unit>,
}

/// A character of a string or number.
#[derive(Clone, Copy, Debug)]
struct Unit {
    character: char,
    /// Behind which byte it is certain. Of an escaped high surrogate, which the next escape may
    /// make a pair, that is behind what follows.
    known: Option<usize>,
}

impl Outline {
    /// Reads a text in which values are nested `deepest` levels at most.
    pub(crate) fn of(bytes: &[u8], deepest: usize) -> Self {
        let (text, at_its_end) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, ErrorKind::Incomplete),
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap();
                let kind = match error.error_len() {
                    None => ErrorKind::Incomplete,
                    Some(_) => ErrorKind::Syntax,
                };
                (valid, kind)
            }
        };
        let mut reader = Reader {
            text,
            bytes: text.as_bytes(),
            // One byte order mark; another is an error.
            at: if text.starts_with(BOM) {
                BOM.len_utf8()
            } else {
                0
            },
            deepest,
            at_its_end,
            stops_in_a_character: text.len() < bytes.len(),
            out: Self::default(),
        };
        let mut result = reader.value("");
        if result.is_ok() {
            reader.space();
            let all = reader.at == bytes.len();
            result = if all { Ok(()) } else { Err(reader.wrong()) };
        }
        reader.out.error = result.err();
        reader.out
    }

    /// The document after so many bytes, in the order of the text.
    pub(crate) fn rows_after(&self, bytes: usize) -> Vec<Row> {
        self.rows(bytes, false)
    }

    /// The document at the end of the text, or where its error stands.
    pub(crate) fn rows(&self, bytes: usize, finished: bool) -> Vec<Row> {
        let begun = self.nodes.iter().filter(|node| node.start < bytes);
        begun.map(|node| node.row(bytes, finished)).collect()
    }

    /// What stays when everything has been pushed.
    pub(crate) fn rows_at_end(&self) -> Vec<Row> {
        match self.error {
            None => self.rows(usize::MAX, true),
            // The byte that is wrong has been seen: it ends a number.
            Some((ErrorKind::Syntax | ErrorKind::TooDeep, offset)) => self.rows_after(offset + 1),
            Some((_, offset)) => self.rows(offset, true),
        }
    }
}

impl Node {
    fn row(&self, bytes: usize, finished: bool) -> Row {
        let complete = self.end.is_some_and(|end| match self.kind {
            What::Number(_) => finished || end < bytes,
            _ => end <= bytes,
        });
        let shown = || shown(&self.units, bytes, complete);
        Row {
            pointer: self.pointer.clone(),
            what: match self.kind {
                What::Number(_) => What::Number(shown()),
                What::Str(_) => What::Str(shown()),
                ref other => other.clone(),
            },
            complete,
        }
    }
}

/// What is certain of a string or number after so many bytes.
fn shown(units: &[Unit], bytes: usize, complete: bool) -> String {
    units
        .iter()
        .take_while(|unit| complete || unit.known.is_some_and(|known| known <= bytes))
        .map(|unit| unit.character)
        .collect()
}

const BOM: char = '\u{FEFF}';

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    deepest: usize,
    at_its_end: ErrorKind,
    stops_in_a_character: bool,
    out: Outline,
}

impl Reader<'_> {
    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn wrong(&self) -> Wrong {
        let at_its_end = self.at == self.bytes.len();
        let kind = if at_its_end {
            self.at_its_end
        } else {
            ErrorKind::Syntax
        };
        (kind, self.at)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Result<(), Wrong> {
        if self.next() != Some(byte) {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(())
    }

    fn begin(&mut self, pointer: &str, kind: What) -> usize {
        self.out.told.push(Told::Started(pointer.to_owned()));
        self.out.nodes.push(Node {
            pointer: pointer.to_owned(),
            kind,
            start: self.at,
            end: None,
            units: Vec::new(),
        });
        self.out.nodes.len() - 1
    }

    fn end(&mut self, node: usize) {
        let node = &mut self.out.nodes[node];
        node.end = Some(self.at);
        self.out.told.push(Told::Completed(node.pointer.clone()));
    }

    fn value(&mut self, pointer: &str) -> Result<(), Wrong> {
        self.space();
        match self.next() {
            Some(b'n') => self.literal(pointer, "null", What::Null),
            Some(b't') => self.literal(pointer, "true", What::True),
            Some(b'f') => self.literal(pointer, "false", What::False),
            Some(b'-' | b'0'..=b'9') => self.number(pointer),
            Some(b'"') => {
                let node = self.begin(pointer, What::Str(String::new()));
                let mut units = Vec::new();
                let result = self.string(&mut units);
                self.scalar(node, units, result)
            }
            Some(bracket @ (b'[' | b'{')) => {
                if self.deepest == 0 {
                    return Err((ErrorKind::TooDeep, self.at));
                }
                self.deepest -= 1;
                let result = if bracket == b'[' {
                    self.array(pointer)
                } else {
                    self.object(pointer)
                };
                self.deepest += 1;
                result
            }
            _ => Err(self.wrong()),
        }
    }

    /// Notes what was read of a string or number.
    fn scalar(
        &mut self,
        node: usize,
        units: Vec<Unit>,
        result: Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        let pointer = self.out.nodes[node].pointer.clone();
        let is_root = pointer.is_empty();
        let text = shown(&units, usize::MAX, result.is_ok());
        if !text.is_empty() {
            self.out.told.push(Told::Appended(pointer, text));
        }
        self.out.nodes[node].units = units;
        // A text that ends too early ends no number: more digits may be missing.
        let node_is_number = matches!(self.out.nodes[node].kind, What::Number(_));
        let is_torn = node_is_number && self.at == self.bytes.len() && !is_root;
        if result.is_ok() && !is_torn {
            self.end(node);
        }
        result
    }

    fn literal(&mut self, pointer: &str, text: &str, kind: What) -> Result<(), Wrong> {
        let node = self.begin(pointer, kind);
        text.bytes().try_for_each(|byte| self.take(byte))?;
        self.end(node);
        Ok(())
    }

    fn array(&mut self, pointer: &str) -> Result<(), Wrong> {
        let node = self.begin(pointer, What::Array);
        self.at += 1;
        self.space();
        let mut index = 0;
        while self.next() != Some(b']') {
            if index > 0 {
                self.take(b',')?;
            }
            self.value(&format!("{pointer}/{index}"))?;
            self.space();
            index += 1;
        }
        self.at += 1;
        self.end(node);
        Ok(())
    }

    fn object(&mut self, pointer: &str) -> Result<(), Wrong> {
        let node = self.begin(pointer, What::Object);
        self.at += 1;
        self.space();
        let mut first = true;
        while self.next() != Some(b'}') {
            if !first {
                self.take(b',')?;
                self.space();
            }
            first = false;
            let mut name = Vec::new();
            if self.next() != Some(b'"') {
                return Err(self.wrong());
            }
            self.string(&mut name)?;
            self.space();
            self.take(b':')?;
            let name = shown(&name, usize::MAX, true)
                .replace('~', "~0")
                .replace('/', "~1");
            self.value(&format!("{pointer}/{name}"))?;
            self.space();
        }
        self.at += 1;
        self.end(node);
        Ok(())
    }

    fn number(&mut self, pointer: &str) -> Result<(), Wrong> {
        let node = self.begin(pointer, What::Number(String::new()));
        let start = self.at;
        let result = self.number_text();
        let units = (start..self.at).map(|at| Unit {
            character: char::from(self.bytes[at]),
            known: Some(at + 1),
        });
        let units = units.collect();
        self.scalar(node, units, result)
    }

    fn number_text(&mut self) -> Result<(), Wrong> {
        if self.next() == Some(b'-') {
            self.at += 1;
        }
        if self.next() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.next() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.next() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.next() {
                self.at += 1;
            }
            self.digits()?;
        }
        match self.next() {
            // A leading zero.
            Some(b'0'..=b'9') => Err(self.wrong()),
            // What is no character tells nothing of the number.
            None if self.stops_in_a_character => Err(self.wrong()),
            _ => Ok(()),
        }
    }

    fn digits(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.next() {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.wrong());
        }
        Ok(())
    }

    fn string(&mut self, units: &mut Vec<Unit>) -> Result<(), Wrong> {
        self.take(b'"')?;
        let mut high = None;
        loop {
            let before = high.take();
            let character = match self.next() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    let mut code = self.escape()?;
                    if let (Some(before), 0xDC00..0xE000) = (before, code) {
                        units.pop();
                        code = 0x1_0000_u32 + ((before - 0xD800) << 10) + (code - 0xDC00);
                    }
                    high = Some(code).filter(|code| (0xD800..0xDC00).contains(code));
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                Some(0x20..) => {
                    let character = self.text.get(self.at..).unwrap().chars().next().unwrap();
                    self.at += character.len_utf8();
                    character
                }
                Some(0..0x20) | None => return Err(self.wrong()),
            };
            if let Some(before) = units.last_mut() {
                before.known.get_or_insert(self.at);
            }
            units.push(Unit {
                character,
                known: high.is_none().then_some(self.at),
            });
        }
    }

    /// The UTF-16 unit that an escape says.
    fn escape(&mut self) -> Result<u32, Wrong> {
        self.at += 1;
        let byte = match self.next() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x8,
            Some(b'f') => 0xC,
            Some(b'n') => 0xA,
            Some(b'r') => 0xD,
            Some(b't') => 0x9,
            Some(b'u') => {
                self.at += 1;
                let mut unit = 0;
                for _ in 0..4 {
                    let digit = self.next().map(char::from);
                    let digit = digit.and_then(|digit| digit.to_digit(16));
                    unit = unit * 16 + digit.ok_or_else(|| self.wrong())?;
                    self.at += 1;
                }
                return Ok(unit);
            }
            _ => return Err(self.wrong()),
        };
        self.at += 1;
        Ok(u32::from(byte))
    }
}
