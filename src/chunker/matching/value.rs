//! One value of the snapshot, compared with its node.

use super::{Matcher, Next, Target};
use crate::chunker::options::MemberOrder;
use crate::chunker::tree::{NodeId, Piece, Stage, is_same_text};
use crate::document::Kind;
use crate::error::{Error, Reason};
use crate::json::{decoded_prefix, literal_end, number_end, stable_len, string_end, unexpected};
use crate::revision::RevisionKind;

impl Matcher<'_> {
    pub(super) fn value(&mut self, target: Target) -> Result<Next, Error> {
        let Some(&byte) = self.bytes().get(self.at) else {
            return Err(Error::new(Reason::Incomplete, self.at));
        };
        let id = match target {
            Target::Node(id) => id,
            Target::New => return self.add(),
            Target::Skip => return self.skip(),
        };
        match (self.state.tree.node(id).kind, byte) {
            (Kind::String, b'"') => self.string(id),
            (Kind::Number, b'-' | b'0'..=b'9') => self.number(id),
            (Kind::Object, b'{') | (Kind::Array, b'[') => {
                self.respell(id, self.at + 1);
                self.enter(Some(id), byte == b'[')
            }
            (Kind::Null, b'n') | (Kind::True, b't') | (Kind::False, b'f') => {
                let end = self.scalar_end()?;
                self.respell(id, end);
                self.at = end;
                Ok(Next::Closed)
            }
            _ => self.retype(id),
        }
    }

    /// Adds a node for the current value: the root, or a child of the current container.
    fn add(&mut self) -> Result<Next, Error> {
        let kind = self.kind_ahead();
        let end = self.content_end(kind)?;
        let piece = self.child(end);
        let frame = self.frames.last();
        let parent = frame.as_ref().and_then(|frame| frame.node);
        let before = match (frame, parent) {
            (Some(frame), Some(parent)) => {
                match self.state.member_order {
                    // Where the snapshot has it: {"b":null} may become {"a":"x","b":null}.
                    MemberOrder::Written => frame.last,
                    MemberOrder::Unknown => self.state.tree.last(parent),
                }
            }
            _ => None,
        };
        let id = self.state.tree.add(parent, before, kind, &piece);
        self.state.tree.mark(id).seen_by = self.state.push_id;
        if self.state.tree.node(id).next.is_some() {
            self.state.rescan_parent_of(id);
        }
        self.advance_frame(id);
        if let Some(array) = parent.filter(|id| self.state.tree.node(*id).kind == Kind::Array) {
            self.state.set_present(array);
        }
        self.begin_value(id, &piece)
    }

    /// Marks a value that was just recorded, and continues after its end or bracket.
    fn begin_value(&mut self, id: NodeId, piece: &Piece<'_>) -> Result<Next, Error> {
        self.state.set_changed(id);
        let kind = self.state.tree.node(id).kind;
        let text = match kind {
            Kind::String => self.text(piece.value + 1..piece.end),
            Kind::Number => self.text(piece.value..piece.end),
            _ => "",
        };
        if !self.state.is_placeholder(kind, text) {
            self.state.set_present(id);
        }
        match kind {
            Kind::Object | Kind::Array => return self.enter(Some(id), kind == Kind::Array),
            Kind::String => {
                self.string = Some((id, piece.end));
                self.at = piece.end + 1;
            }
            Kind::Null | Kind::True | Kind::False | Kind::Number => self.at = piece.end,
        }
        Ok(Next::Closed)
    }

    /// A string that is known: unchanged, grown or contradicted.
    fn string(&mut self, id: NodeId) -> Result<Next, Error> {
        let bytes = self.bytes();
        let from = self.at + 1;
        let known = self.state.tree.text(id);
        // What is known was lexed before.
        let is_same = bytes
            .get(from..)
            .is_some_and(|rest| rest.starts_with(known.as_bytes()));
        let (end, split) = if is_same {
            let split = from + known.len();
            let (end, _) = string_end(bytes, split)?;
            (end, Some(split))
        } else {
            let (end, _) = string_end(bytes, from)?;
            let split = decoded_prefix(self.text(from..end), known);
            (end, split.map(|split| from + split))
        };
        self.check_token(&(from..end))?;
        self.grow_string(id, end, split, is_same);
        self.string = Some((id, end));
        self.at = end + 1;
        Ok(Next::Closed)
    }

    /// A string that ends at `end`, of which the document has what is before `split`: in the same
    /// spelling or in another one. None if it has something else.
    fn grow_string(&mut self, id: NodeId, end: usize, split: Option<usize>, is_same: bool) {
        let from = self.at + 1;
        match (self.state.stage(id), split) {
            (Stage::Held | Stage::Closed, Some(split)) if split == end => self.respell(id, end),
            (Stage::Open, Some(split)) => {
                let stable = split + stable_len(self.text(split..end));
                let held_back = stable..end;
                // `\ud83d` may become `\uD83D`, which says the same.
                let same_end =
                    is_same_text(self.text(held_back.clone()), &self.state.frontier.held_back);
                if stable > split || !same_end {
                    self.state.set_changed(id);
                }
                self.held_back = Some(held_back);
                self.grow_open_string(id, split, stable, is_same);
            }
            (Stage::Held, _) => self.set_text(id, end),
            (Stage::Closed, _) => {
                if self.contradict(id, id, RevisionKind::Changed, from - 1) {
                    self.set_text(id, end);
                }
            }
            (Stage::Open, None) => {
                if self.contradict(id, id, RevisionKind::Rewritten, from - 1) {
                    self.set_text(id, end);
                }
            }
        }
    }

    /// The open string, of which the document has what is before `split`, gets what is before
    /// `stable`. The spelling of the snapshot is adopted: most likely the next one has it, too.
    fn grow_open_string(&mut self, id: NodeId, split: usize, stable: usize, is_same: bool) {
        let from = self.at + 1;
        if is_same {
            self.extend_record(id, split, stable);
        } else if self.state.frontier.written == self.state.tree.text(id).len() {
            self.state.edit_frontier().written = split - from;
            self.respell(id, stable);
        } else {
            // It is there twice in this snapshot, and has grown before.
            let more = self.text(split..stable);
            self.state.tree.add_text(id, more);
        }
    }

    /// A number that is known: unchanged, grown or contradicted.
    fn number(&mut self, id: NodeId) -> Result<Next, Error> {
        let start = self.at;
        let end = self.scalar_end()?;
        let known = self.state.tree.text(id);
        let new = self.text(start..end);
        let is_grown = new.starts_with(known);
        if new == known {
            self.respell(id, end);
        } else {
            match self.state.stage(id) {
                Stage::Held => self.set_text(id, end),
                Stage::Open if is_grown => {
                    self.respell(id, end);
                    self.state.set_changed(id);
                }
                // {"n":1.0} is emitted as {"n":1 and may become {"n":12.0}.
                Stage::Open if new.starts_with(self.emitted_of_number(id)) => {
                    self.set_text(id, end);
                }
                Stage::Open => {
                    if self.contradict(id, id, RevisionKind::Rewritten, start) {
                        self.set_text(id, end);
                    }
                }
                Stage::Closed => {
                    if self.contradict(id, id, RevisionKind::Changed, start) {
                        self.set_text(id, end);
                    }
                }
            }
        }
        self.at = end;
        Ok(Next::Closed)
    }

    /// Returns the emitted part of the number at the end of the frontier.
    fn emitted_of_number(&self, id: NodeId) -> &str {
        let text = self.state.tree.text(id);
        let written = self.state.frontier.written;
        text.get(..written).unwrap_or(text)
    }

    /// A value of another kind than the document has, or another literal.
    fn retype(&mut self, id: NodeId) -> Result<Next, Error> {
        let kind = match (self.state.tree.node(id).kind, self.bytes()[self.at]) {
            (Kind::True, b'f') | (Kind::False, b't') => RevisionKind::Changed,
            _ => RevisionKind::Retyped,
        };
        let free = self.state.stage(id) == Stage::Held || self.contradict(id, id, kind, self.at);
        if !free {
            // It is not in the snapshot.
            self.state.tree.set_raw(id, 0, 0);
            return self.skip();
        }
        let kind = self.kind_ahead();
        let end = self.content_end(kind)?;
        let piece = self.child(end);
        self.state.tree.retype(id, kind, &piece);
        self.state.set_present(id);
        self.begin_value(id, &piece)
    }

    /// Reads the current value and keeps nothing of it.
    fn skip(&mut self) -> Result<Next, Error> {
        self.at = match self.kind_ahead() {
            Kind::String => self.string_end(self.at + 1)?.0 + 1,
            Kind::Object => return self.enter(None, false),
            Kind::Array => return self.enter(None, true),
            Kind::Number | Kind::True | Kind::False | Kind::Null => self.scalar_end()?,
        };
        Ok(Next::Closed)
    }

    /// Returns the end of the content of the next value: see [`Piece::end`].
    fn content_end(&self, kind: Kind) -> Result<usize, Error> {
        match kind {
            Kind::String => Ok(self.string_end(self.at + 1)?.0),
            Kind::Object | Kind::Array => Ok(self.at + 1),
            Kind::Number | Kind::True | Kind::False | Kind::Null => self.scalar_end(),
        }
    }

    /// Returns the end of the next number or literal.
    fn scalar_end(&self) -> Result<usize, Error> {
        let bytes = self.bytes();
        match bytes.get(self.at) {
            Some(b'-' | b'0'..=b'9') => {
                let end = number_end(bytes, self.at)?;
                self.check_token(&(self.at..end))?;
                Ok(end)
            }
            Some(b't') => literal_end(bytes, self.at, "true"),
            Some(b'f') => literal_end(bytes, self.at, "false"),
            Some(b'n') => literal_end(bytes, self.at, "null"),
            _ => Err(unexpected(bytes, self.at, "a value")),
        }
    }

    /// Records the current child as it stands in the snapshot: the same as before in another
    /// spelling or with other white space, or grown.
    fn respell(&mut self, id: NodeId, end: usize) {
        let piece = self.child(end);
        let record = self.state.tree.record_bytes(id);
        let new = &self.bytes()[piece.start..piece.end];
        let content = match self.state.tree.node(id).kind {
            Kind::String => record.len() - 1,
            _ => record.len(),
        };
        let same = new.get(..content) == record.get(..content);
        if !same || new.len() > content {
            let same = if same { content } else { 0 };
            self.state.tree.set_record(id, &piece, same);
        }
    }

    /// Records the current string, which is known up to `split` in this spelling, and has grown
    /// from there to `end`. Only what is before the value is compared.
    fn extend_record(&mut self, id: NodeId, split: usize, end: usize) {
        let piece = self.child(end);
        let offset = self.state.tree.value_offset(id);
        let before = self.state.tree.record_bytes(id).get(..offset);
        let is_same = self.bytes().get(piece.start..piece.value) == before;
        if !is_same || end > split {
            let same = if is_same { split - piece.start } else { 0 };
            self.state.tree.set_record(id, &piece, same);
        }
    }

    /// Replaces the text of a scalar.
    fn set_text(&mut self, id: NodeId, end: usize) {
        self.respell(id, end);
        self.state.set_present(id);
    }
}
