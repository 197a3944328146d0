//! The reader of the oracle: strict, recursive and slow.

use json_chunks::ErrorKind;

use super::{Content, ErrorAt, Node, Outline, ParseEvent, Unit, shown};

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) deepest: usize,
    pub(super) at_its_end: ErrorKind,
    pub(super) ends_inside_character: bool,
    pub(super) place: Vec<String>,
    pub(super) out: Outline,
}

impl Reader<'_> {
    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn error_at(&self) -> ErrorAt {
        let at_its_end = self.at == self.bytes.len();
        let kind = if at_its_end {
            self.at_its_end
        } else {
            ErrorKind::Syntax
        };
        (kind, self.at)
    }

    pub(super) fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Result<(), ErrorAt> {
        if self.next() != Some(byte) {
            return Err(self.error_at());
        }
        self.at += 1;
        Ok(())
    }

    fn begin(&mut self, pointer: &str, kind: Content) -> usize {
        self.out
            .events
            .push(ParseEvent::Started(pointer.to_owned()));
        self.out.nodes.push(Node {
            pointer: pointer.to_owned(),
            place: self.place.concat(),
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
        self.out
            .events
            .push(ParseEvent::Completed(node.pointer.clone()));
    }

    pub(super) fn value(&mut self, pointer: &str) -> Result<(), ErrorAt> {
        self.space();
        match self.next() {
            Some(b'n') => self.literal(pointer, "null", Content::Null),
            Some(b't') => self.literal(pointer, "true", Content::True),
            Some(b'f') => self.literal(pointer, "false", Content::False),
            Some(b'-' | b'0'..=b'9') => self.number(pointer),
            Some(b'"') => {
                let node = self.begin(pointer, Content::Str(String::new()));
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
            _ => Err(self.error_at()),
        }
    }

    /// Records what was read of a string or number.
    fn scalar(
        &mut self,
        node: usize,
        units: Vec<Unit>,
        result: Result<(), ErrorAt>,
    ) -> Result<(), ErrorAt> {
        let pointer = self.out.nodes[node].pointer.clone();
        let is_root = pointer.is_empty();
        let text = shown(&units, usize::MAX, result.is_ok());
        if !text.is_empty() {
            self.out.events.push(ParseEvent::Appended(pointer, text));
        }
        self.out.nodes[node].units = units;
        let has_end = match (&self.out.nodes[node].kind, self.next()) {
            // The end of a truncated text does not complete a number: digits may be missing.
            (Content::Number(_), None) => is_root,
            // Neither does what can't follow it: `1_000`.
            (Content::Number(_), Some(b' ' | b'\t' | b'\n' | b'\r')) => true,
            (Content::Number(_), Some(byte)) => !is_root && b",]}".contains(&byte),
            _ => true,
        };
        if result.is_ok() && has_end {
            self.end(node);
        }
        result
    }

    fn literal(&mut self, pointer: &str, text: &str, kind: Content) -> Result<(), ErrorAt> {
        let node = self.begin(pointer, kind);
        text.bytes().try_for_each(|byte| self.take(byte))?;
        self.end(node);
        Ok(())
    }

    fn array(&mut self, pointer: &str) -> Result<(), ErrorAt> {
        let node = self.begin(pointer, Content::Array);
        self.at += 1;
        self.space();
        let mut index = 0;
        while self.next() != Some(b']') {
            if index > 0 {
                self.take(b',')?;
            }
            self.place.push(format!("/{index}"));
            self.value(&format!("{pointer}/{index}"))?;
            self.place.pop();
            self.space();
            index += 1;
        }
        self.at += 1;
        self.end(node);
        Ok(())
    }

    fn object(&mut self, pointer: &str) -> Result<(), ErrorAt> {
        let node = self.begin(pointer, Content::Object);
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
                return Err(self.error_at());
            }
            let start = self.at;
            self.string(&mut name)?;
            let raw = self.text.get(start..self.at).unwrap();
            let place = serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned());
            let place = place.replace('~', "~0").replace('/', "~1");
            self.place.push(format!("/{place}"));
            self.space();
            self.take(b':')?;
            let name = shown(&name, usize::MAX, true)
                .replace('~', "~0")
                .replace('/', "~1");
            self.value(&format!("{pointer}/{name}"))?;
            self.place.pop();
            self.space();
        }
        self.at += 1;
        self.end(node);
        Ok(())
    }

    fn number(&mut self, pointer: &str) -> Result<(), ErrorAt> {
        let node = self.begin(pointer, Content::Number(String::new()));
        let start = self.at;
        let result = self.number_text();
        let units = (start..self.at).map(|at| Unit {
            character: char::from(self.bytes[at]),
            known: Some(at + 1),
        });
        let units = units.collect();
        self.scalar(node, units, result)
    }

    fn number_text(&mut self) -> Result<(), ErrorAt> {
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
            Some(b'0'..=b'9') => Err(self.error_at()),
            // Half a character does not complete the number.
            None if self.ends_inside_character => Err(self.error_at()),
            _ => Ok(()),
        }
    }

    fn digits(&mut self) -> Result<(), ErrorAt> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.next() {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.error_at());
        }
        Ok(())
    }

    fn string(&mut self, units: &mut Vec<Unit>) -> Result<(), ErrorAt> {
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
                Some(0..0x20) | None => return Err(self.error_at()),
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

    /// Reads the UTF-16 unit of an escape.
    fn escape(&mut self) -> Result<u32, ErrorAt> {
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
                    unit = unit * 16 + digit.ok_or_else(|| self.error_at())?;
                    self.at += 1;
                }
                return Ok(unit);
            }
            _ => return Err(self.error_at()),
        };
        self.at += 1;
        Ok(u32::from(byte))
    }
}
