//! From the steps of the grammar to nodes.

use core::ops::Range;

use super::Parser;
use crate::document::{Kind, Name, NodeId, Span, make_room_for};
use crate::error::{Error, Reason};
use crate::json::{
    Container, Expect, Literal, PartialToken, Step, ends_scalar, floor_char_boundary, is_whitespace,
};

impl Parser {
    /// Adds a fragment to the text and reads it.
    pub(super) fn take(&mut self, fragment: &[u8]) -> Result<(), Error> {
        let strip = self.options.strip.then_some(&mut self.input.strip);
        let stripped = strip.map(|strip| strip.strip(fragment));
        let fragment = stripped.as_deref().unwrap_or(fragment);
        self.drop_complete(fragment);
        make_room_for(
            &mut self.doc.text,
            fragment.len() + self.input.utf8.pending(),
        );
        let valid = self.input.utf8.append(fragment, &mut self.doc.text);
        let limit = self.document_limit();
        let len = self.doc.text.len();
        // Where nothing ends and nothing starts, the grammar has no part in it.
        if len <= limit
            && self
                .automaton
                .lexer
                .is_still_in_token(self.doc.text.as_bytes())
        {
            self.apply_partial_token()?;
        } else {
            self.read(limit, false)?;
        }
        debug_assert_eq!(
            self.automaton.lexer.at(),
            self.doc.text.len(),
            "all that is kept is read"
        );
        debug_assert_eq!(
            self.cursor.open_scalar.is_some(),
            self.automaton.lexer.partial_token().is_some() && !self.automaton.syntax.expects_name(),
            "a scalar is open where the lexer is in a value's token"
        );
        let len = len + self.input.utf8.pending();
        if len > limit && (self.is_open() || !self.options.multiple) {
            self.check_size(len)?;
        }
        valid
    }

    /// Reads to the end of the text, of which the document at hand may have what is before `limit`.
    pub(super) fn read(&mut self, limit: usize, last: bool) -> Result<(), Error> {
        let mut end = floor_char_boundary(&self.doc.text, limit);
        loop {
            self.read_fast(end);
            if self.options.multiple {
                if !self.is_open() {
                    end = floor_char_boundary(&self.doc.text, self.document_limit());
                }
                self.start_next_root(end);
            }
            let is_all = end == self.doc.text.len();
            let text = &self.doc.text.as_bytes()[..end];
            let step = self
                .automaton
                .next(text, last && is_all, self.options.limits.depth);
            match step {
                Ok(Step::Open(container, at)) => self.open(container, at),
                Ok(Step::Close(_)) => self.close(),
                Ok(Step::Separator) => {}
                Ok(Step::Name(range, escaped)) => self.set_name(&range, escaped)?,
                Ok(Step::String(range, escaped)) => {
                    self.end_scalar(Kind::String, &range, escaped)?;
                }
                Ok(Step::Number(range)) => match self.number_end(range.end) {
                    NumberEnd::Missing => self.scalar(Kind::Number, &range, false)?,
                    NumberEnd::Invalid => {
                        self.automaton.syntax.end_value();
                        self.scalar(Kind::Number, &range, false)?;
                    }
                    NumberEnd::Valid => {
                        self.automaton.syntax.end_value();
                        self.end_scalar(Kind::Number, &range, false)?;
                    }
                },
                Ok(Step::Literal(literal, range)) => {
                    self.end_scalar(kind_of(literal), &range, false)?;
                }
                Ok(Step::End) => {
                    if !self.automaton.lexer.is_between_tokens() {
                        self.apply_partial_token()?;
                    }
                    if !is_all {
                        let len = self.doc.text.len();
                        self.doc.text.truncate(end);
                        self.check_size(len)?;
                    }
                    break;
                }
                Err(error) => {
                    // Wherever a fragment ends, the same is reported of the token before its error.
                    self.apply_partial_token()?;
                    return Err(error);
                }
            }
            // `,` as a fragment: nothing is left. `last` may complete a number there.
            if is_all && !last && self.automaton.lexer.at() == end {
                break;
            }
        }
        if last && self.is_incomplete() {
            return Err(Error::new(Reason::Incomplete, self.doc.text.len()));
        }
        Ok(())
    }

    /// Returns what ends the number before `at`.
    fn number_end(&self, at: usize) -> NumberEnd {
        let is_root = self.cursor.container.is_none();
        let is_valid = match self.doc.text.as_bytes().get(at) {
            // The end of the text completes a number only if that is the document: in `[12`, or if
            // the source has failed, more digits may be missing.
            None if !is_root || self.input.is_interrupted => return NumberEnd::Missing,
            None => true,
            Some(&byte) if !is_root => ends_scalar(byte),
            // `1 2`, `1[2]`; `1,250` is no root `1`.
            Some(b'"' | b'[' | b'{') => self.options.multiple,
            Some(&byte) => is_whitespace(byte),
        };
        if is_valid {
            NumberEnd::Valid
        } else {
            NumberEnd::Invalid
        }
    }

    /// Whether the end of the text would be too early.
    fn is_incomplete(&self) -> bool {
        // Where there may be several documents, there may be none.
        let has_none = self.options.multiple && self.roots.current.is_none();
        let expects_more = self.automaton.syntax.expect() != Expect::Nothing && !has_none;
        expects_more || self.cursor.open_scalar.is_some()
    }

    /// Adds the incomplete token at the end of the text to the document; a name shows only when it
    /// is complete.
    fn apply_partial_token(&mut self) -> Result<(), Error> {
        match self.automaton.lexer.partial_token() {
            None => Ok(()),
            Some(PartialToken::String(range, _)) if self.automaton.syntax.expects_name() => {
                self.check_token(&range)
            }
            Some(PartialToken::String(range, escaped)) => {
                self.scalar(Kind::String, &range, escaped)
            }
            Some(PartialToken::Number(range)) => self.scalar(Kind::Number, &range, false),
            Some(PartialToken::Literal(literal, range)) => {
                self.scalar(kind_of(literal), &range, false)
            }
        }
    }

    fn set_name(&mut self, range: &Range<usize>, escaped: bool) -> Result<(), Error> {
        self.check_token(range)?;
        let raw = Span::of(range);
        self.cursor.name = Some(Name { raw, escaped });
        Ok(())
    }

    fn open(&mut self, container: Container, at: usize) {
        let kind = match container {
            Container::Array => Kind::Array,
            Container::Object => Kind::Object,
        };
        let id = self.start_value(kind, at);
        self.cursor.container = Some(id);
        if container == Container::Object {
            self.cursor.names.open_object();
        }
    }

    fn close(&mut self) {
        let Some(id) = self.cursor.container else {
            return;
        };
        let after = self.doc.nodes.len();
        let node = self.doc.node_mut(id);
        node.complete_container(after);
        self.cursor.container = node.parent();
        if node.kind() == Kind::Object {
            self.cursor.names.close_object();
        }
        self.complete();
    }

    /// Adds a scalar whose text is `range`, or extends the open one up to that. `escaped` is
    /// whether there are escapes in it.
    fn scalar(&mut self, kind: Kind, range: &Range<usize>, escaped: bool) -> Result<(), Error> {
        let id = if let Some(id) = self.cursor.open_scalar {
            id
        } else {
            let id = self.start_value(kind, range.start);
            *self.cursor.open_scalar.insert(id)
        };
        // After the start, so that the value has started however the text is split.
        if matches!(kind, Kind::String | Kind::Number) {
            self.check_token(range)?;
        }
        let doc = &mut self.doc;
        if !escaped {
            let new = doc.open_end..range.end;
            doc.open_end = range.end;
            if !new.is_empty() && matches!(kind, Kind::String | Kind::Number) {
                self.notes.appended(id, Span::of(&new));
            }
            return Ok(());
        }
        let known = doc.raw(id);
        let new = known.end()..range.end;
        if new.is_empty() {
            return Ok(());
        }
        if let Some(number) = doc.node(id).unescaped() {
            doc.unescaped.set_raw_end(number, range.end);
        } else {
            let number = doc.unescaped.start(range.end);
            doc.node_mut(id).set_unescaped(number);
            doc.unescape(known);
        }
        let piece = doc.unescape(Span::of(&new));
        self.notes.appended(id, piece);
        Ok(())
    }

    /// Adds or extends a scalar as [`Self::scalar`] does, and completes it.
    fn end_scalar(&mut self, kind: Kind, range: &Range<usize>, escaped: bool) -> Result<(), Error> {
        // `"a",` at once. Too long a token is left to `scalar`, because its value has started by
        // then.
        let is_new = self.cursor.open_scalar.is_none();
        if is_new && !escaped && range.len() <= self.options.limits.token_bytes as usize {
            let id = self.add_value(kind, range.start);
            let node = self.doc.node_mut(id);
            node.set_end(range.end);
            node.complete_scalar();
            let is_text = matches!(kind, Kind::String | Kind::Number);
            let has_text = is_text && !range.is_empty();
            self.notes.count(2 + usize::from(has_text));
            self.set_root_end();
            return Ok(());
        }
        self.scalar(kind, range, escaped)?;
        if let Some(id) = self.cursor.open_scalar.take() {
            self.doc.complete_scalar(id);
            self.complete();
        }
        Ok(())
    }

    fn start_value(&mut self, kind: Kind, at: usize) -> NodeId {
        let id = self.add_value(kind, at);
        self.notes.count(1);
        id
    }

    /// Adds a value whose text starts at `at`, that of a string after its quote.
    fn add_value(&mut self, kind: Kind, at: usize) -> NodeId {
        let name = self.cursor.name.take();
        let id = self.doc.push(self.cursor.container, name, kind, at);
        match (self.cursor.container, name) {
            (Some(object), Some(name)) => {
                let read = self.doc.read_name(name);
                if !self.cursor.names.is_new(read.as_bytes())
                    && let Some(older) = self.cursor.names.older(&self.doc, object, id)
                {
                    self.doc.superseded.insert(object, older, id);
                }
            }
            (Some(_), None) => {}
            (None, _) => self.start_root(id, at - usize::from(kind == Kind::String)),
        }
        id
    }

    fn complete(&mut self) {
        self.notes.count(1);
        self.set_root_end();
    }

    /// Notes where the root ends, if it is the root that has ended.
    fn set_root_end(&mut self) {
        if self.cursor.container.is_none() {
            self.roots.end = self.automaton.lexer.at();
        }
    }

    fn check_size(&self, end: usize) -> Result<(), Error> {
        let limit = self.document_limit();
        if end <= limit {
            return Ok(());
        }
        let bytes = self.options.limits.document_bytes;
        Err(Error::new(Reason::DocumentTooLarge(bytes), limit))
    }

    fn check_token(&self, token: &Range<usize>) -> Result<(), Error> {
        let limit = self.options.limits.token_bytes;
        if token.len() > limit as usize {
            return Err(Error::new(Reason::TokenTooLarge(limit), token.start));
        }
        Ok(())
    }
}

/// What ends a number. It has no terminator of its own, so only what may follow it completes it.
enum NumberEnd {
    /// `1 `, `[1,`
    Valid,
    /// `1_000`: the number stays incomplete, and an error follows.
    Invalid,
    /// `[1` at the end of the text: more digits may be missing.
    Missing,
}

const fn kind_of(literal: Literal) -> Kind {
    match literal {
        Literal::Null => Kind::Null,
        Literal::True => Kind::True,
        Literal::False => Kind::False,
    }
}
