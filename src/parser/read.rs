//! What a parser does with the text: tokens to nodes.

use core::ops::Range;

use super::growth::Note;
use super::{Expect, Parser};
use crate::document::{Kind, Name, NodeId, Span};
use crate::error::{Error, Reason};
use crate::json::{Lexeme, Literal, Unfinished, skip_whitespace};

/// U+FEFF.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl Parser {
    pub(super) fn take(&mut self, fragment: &[u8]) -> Result<(), Error> {
        self.drop_complete(fragment);
        self.start = self.doc.text.len();
        let stripped = self.strip.as_mut().map(|strip| strip.strip(fragment));
        let fragment = stripped.as_deref().unwrap_or(fragment);
        let valid = self.doc.text.append_utf8(&mut self.utf8, fragment);
        self.read(false)?;
        if self.is_open() || !self.several {
            self.check_size(self.doc.text.len() + self.utf8.pending())?;
        }
        valid
    }

    /// Where the document at hand starts: white space counts only where there is one document.
    fn document_start(&self) -> usize {
        if !self.several {
            0
        } else if self.is_open() {
            self.root_start
        } else {
            let text = self.doc.text.as_bytes();
            // A byte order mark is no part of the first document, be it read already or not.
            let is_first = self.base == 0 && self.lexer.at() == 0;
            let mark = if is_first && text.starts_with(BOM) {
                BOM.len()
            } else {
                0
            };
            skip_whitespace(text, self.lexer.at() + mark)
        }
    }

    /// Where it has to end.
    fn document_limit(&self) -> usize {
        self.document_start() + self.limits.document_bytes as usize
    }

    fn check_size(&self, end: usize) -> Result<(), Error> {
        let limit = self.document_limit();
        if end <= limit {
            return Ok(());
        }
        let bytes = self.limits.document_bytes;
        Err(Error::new(Reason::DocumentTooLarge(bytes), limit))
    }

    /// Reads on to the end of the text.
    pub(super) fn read(&mut self, last: bool) -> Result<(), Error> {
        let mut end = 0;
        loop {
            if end == 0 || !self.is_open() {
                end = self.doc.text.floor_char_boundary(self.document_limit());
            }
            let all = end == self.doc.text.len();
            let text = &self.doc.text.as_bytes()[..end];
            let lexeme = match self.lexer.next(text, last && all) {
                Ok(lexeme) => lexeme,
                Err(error) => {
                    // Wherever a fragment ends, the same is told of the token before its error.
                    self.begun()?;
                    let starts_none = self.lexer.unfinished().is_none() && !error.is_incomplete();
                    return Err(if starts_none {
                        self.unexpected(error.offset())
                    } else {
                        error
                    });
                }
            };
            match lexeme {
                Lexeme::Structural(byte, at) => self.structural(byte, at)?,
                Lexeme::String(range, escaped) => {
                    if matches!(self.expect, Expect::FirstName | Expect::Name) {
                        self.check_token(&range)?;
                        let raw = Span::of(&range);
                        self.name = Some(Name { raw, escaped });
                        self.expect = Expect::Colon;
                    } else {
                        let start = range.start - 1;
                        self.scalar(Kind::String, range, start)?;
                        self.complete_scalar();
                    }
                }
                Lexeme::Number(range) => {
                    let Range { start, end } = range;
                    self.scalar(Kind::Number, range, start)?;
                    // That the text ends too early ends no number: more digits may be missing.
                    let is_torn = end == self.doc.text.len() && self.container.is_some();
                    if !is_torn {
                        self.complete_scalar();
                    }
                }
                Lexeme::Literal(literal, range) => {
                    self.scalar(kind_of(literal), range.start..range.start, range.start)?;
                    self.complete_scalar();
                }
                Lexeme::End => {
                    self.begun()?;
                    if !all {
                        let len = self.doc.text.len();
                        self.doc.text.truncate_input(end);
                        self.check_size(len)?;
                    }
                    break;
                }
            }
        }
        let none_yet = self.several && self.root.is_none();
        if last && self.expect != Expect::Nothing && !none_yet {
            return Err(Error::new(Reason::Incomplete, self.doc.text.len()));
        }
        Ok(())
    }

    /// Brings in what there is of the token that the text ends in.
    fn begun(&mut self) -> Result<(), Error> {
        match self.lexer.unfinished() {
            None => Ok(()),
            Some(Unfinished::String(range, _))
                if matches!(self.expect, Expect::FirstName | Expect::Name) =>
            {
                self.check_token(&range)
            }
            Some(Unfinished::String(range, _)) => {
                let start = range.start - 1;
                self.scalar(Kind::String, range, start)
            }
            Some(Unfinished::Number(range)) => {
                let start = range.start;
                self.scalar(Kind::Number, range, start)
            }
            Some(Unfinished::Literal(literal, range)) => {
                self.scalar(kind_of(literal), range.start..range.start, range.start)
            }
        }
    }

    fn structural(&mut self, byte: u8, at: usize) -> Result<(), Error> {
        let kind = self.container.map(|id| self.doc.node(id).kind);
        match (byte, self.expect, kind) {
            (b'{', _, _) => self.open(Kind::Object, Expect::FirstName, at),
            (b'[', _, _) => self.open(Kind::Array, Expect::FirstElement, at),
            (b'}', Expect::FirstName | Expect::CommaOrEnd, Some(Kind::Object))
            | (b']', Expect::FirstElement | Expect::CommaOrEnd, Some(Kind::Array)) => {
                self.close();
                Ok(())
            }
            (b',', Expect::CommaOrEnd, Some(Kind::Object)) => {
                self.expect = Expect::Name;
                Ok(())
            }
            (b':', Expect::Colon, _) | (b',', Expect::CommaOrEnd, _) => {
                self.expect = Expect::Value;
                Ok(())
            }
            _ => Err(self.unexpected(at)),
        }
    }

    fn open(&mut self, kind: Kind, expect: Expect, at: usize) -> Result<(), Error> {
        self.check_place(at, kind)?;
        if self.depth >= self.limits.depth {
            return Err(Error::new(Reason::TooDeep(self.limits.depth), at));
        }
        self.container = Some(self.start_value(kind, at));
        self.depth += 1;
        self.expect = expect;
        Ok(())
    }

    fn close(&mut self) {
        let Some(id) = self.container else { return };
        self.container = self.doc.node(id).parent;
        self.depth -= 1;
        self.complete(id);
    }

    /// Brings a scalar whose text is `range` into the document, or on to that.
    fn scalar(&mut self, kind: Kind, range: Range<usize>, at: usize) -> Result<(), Error> {
        if self.leaf.is_none() {
            self.check_place(at, kind)?;
        }
        let id = match self.leaf {
            Some(id) => id,
            None => self.start_value(kind, at),
        };
        self.leaf = Some(id);
        // Behind that, so that the value has begun however the text is split.
        self.check_token(&range)?;
        let known = self.doc.node(id).text;
        let new = if known == Span::EMPTY {
            range.start..range.end
        } else {
            known.end()..range.end
        };
        if new.is_empty() {
            return Ok(());
        }
        let piece = Span::of(&new);
        let escaped = kind == Kind::String && self.doc.text(piece).contains('\\');
        let note = match self.doc.node(id).mark.decoded {
            None if !escaped => Note::Appended(id, piece),
            decoded => {
                let start = self.doc.decoded.len();
                if decoded.is_none() {
                    self.doc.decoded.push(self.doc.text.get(known));
                }
                let from = self.doc.decoded.len();
                self.doc.decoded.push(self.doc.text.get(piece));
                let end = self.doc.decoded.len();
                let start = decoded.map_or(start, Span::start);
                self.doc.mark(id).decoded = Some(Span::of(&(start..end)));
                Note::Decoded(id, Span::of(&(from..end)))
            }
        };
        self.notes.push(note);
        self.doc.set_text(id, "", range);
        Ok(())
    }

    fn complete_scalar(&mut self) {
        if let Some(id) = self.leaf.take() {
            self.complete(id);
        }
    }

    /// Whether a value may start at `at`.
    fn check_place(&self, at: usize, kind: Kind) -> Result<(), Error> {
        match self.expect {
            Expect::Value | Expect::FirstElement => Ok(()),
            Expect::Nothing if self.several && !self.touches_last_root(at, kind) => Ok(()),
            Expect::FirstName
            | Expect::Name
            | Expect::Colon
            | Expect::CommaOrEnd
            | Expect::Nothing => Err(self.unexpected(at)),
        }
    }

    /// Adds a value whose first byte is at `at`.
    fn start_value(&mut self, kind: Kind, at: usize) -> NodeId {
        let name = self.name.take().unwrap_or(Name::NONE);
        let id = self.doc.push(self.container, name, kind);
        if self.container.is_none() {
            self.root = Some(id);
            self.root_start = at;
            self.root_decoded = self.doc.decoded.len();
        }
        self.notes.push(Note::Started(id));
        id
    }

    /// Whether a number or literal at `at` follows upon another without anything in between.
    fn touches_last_root(&self, at: usize, kind: Kind) -> bool {
        let before = match at.checked_sub(1) {
            Some(before) => self.doc.text.as_bytes()[before],
            None => self.last_byte,
        };
        let last = self.root.map(|id| self.doc.node(id).kind);
        is_bare(kind) && last.or(self.last_kind).is_some_and(is_bare) && !is_whitespace(before)
    }

    fn complete(&mut self, id: NodeId) {
        self.doc.mark(id).complete = true;
        self.notes.push(Note::Completed(id));
        self.expect = if self.container.is_some() {
            Expect::CommaOrEnd
        } else {
            self.root_end = self.lexer.at();
            Expect::Nothing
        };
    }

    /// Drops the values of which nothing is told any more, where there may be several: those
    /// before the one that is open, or all if `fragment` begins another.
    fn drop_complete(&mut self, fragment: &[u8]) {
        if !self.several {
            return;
        }
        let (root, bytes) = if self.is_open() {
            (self.root, core::mem::take(&mut self.root_start))
        } else if fragment.iter().copied().all(is_whitespace) {
            return self.drop_whitespace();
        } else {
            (None, self.doc.text.len())
        };
        if bytes == 0 {
            return;
        }
        self.last_kind = self.root.map(|id| self.doc.node(id).kind);
        self.last_byte = self.doc.text.as_bytes().last().copied().unwrap_or(b' ');
        self.root = root;
        let nodes = self.doc.drop_before(root, bytes);
        for id in [&mut self.root, &mut self.container, &mut self.leaf] {
            *id = id.map(|id| id.moved_down(nodes));
        }
        let decoded = match root {
            Some(_) => core::mem::take(&mut self.root_decoded),
            None => self.doc.decoded.len(),
        };
        self.doc.decoded.drop_before(decoded);
        for mark in self.doc.marks() {
            mark.decoded = mark.decoded.map(|span| span.moved_down(decoded));
        }
        if let Some(name) = &mut self.name {
            name.raw = name.raw.moved_down(bytes);
        }
        self.lexer.rebase(bytes);
        self.base += bytes;
    }

    /// Drops white space behind the last value, but for one byte that tells of it.
    fn drop_whitespace(&mut self) {
        let keep = match self.root {
            Some(_) => self.root_end + 1,
            None => 0,
        };
        if let Some(blank) = self.doc.text.len().checked_sub(keep) {
            self.doc.text.truncate_input(keep);
            self.lexer.rebase(blank);
            self.base += blank;
        }
    }

    fn unexpected(&self, at: usize) -> Error {
        let object = self
            .container
            .is_some_and(|id| self.doc.node(id).kind == Kind::Object);
        let expected = match self.expect {
            Expect::Value => "a value",
            Expect::FirstElement => "a value or ']'",
            Expect::FirstName => "a member name or '}'",
            Expect::Name => "a member name",
            Expect::Colon => "':'",
            Expect::CommaOrEnd if object => "',' or '}'",
            Expect::CommaOrEnd => "',' or ']'",
            Expect::Nothing => return Error::new(Reason::Trailing, at),
        };
        Error::new(Reason::Expected(expected), at)
    }

    fn check_token(&self, token: &Range<usize>) -> Result<(), Error> {
        let limit = self.limits.token_bytes;
        if token.len() > limit as usize {
            return Err(Error::new(Reason::TokenTooLarge(limit), token.start));
        }
        Ok(())
    }
}

const fn is_bare(kind: Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Array | Kind::Object)
}

const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

const fn kind_of(literal: Literal) -> Kind {
    match literal {
        Literal::Null => Kind::Null,
        Literal::True => Kind::True,
        Literal::False => Kind::False,
    }
}
