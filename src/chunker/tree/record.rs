//! Records: the raw text of each child of the document.

use alloc::string::String;

use super::{Node, NodeId, Tree, make_room_for_text};
use crate::document::Kind;
use crate::json::{skip_whitespace, string_end};

/// A child in a snapshot.
#[derive(Clone, Copy, Debug)]
pub(in crate::chunker) struct Piece<'a> {
    pub(in crate::chunker) source: &'a str,
    /// The quote of its name; the value if it has none.
    pub(in crate::chunker) start: usize,
    pub(in crate::chunker) value: usize,
    /// The end of the content: the closing quote of a string, after the last digit of a number or
    /// letter of a literal, after the bracket of a container.
    pub(in crate::chunker) end: usize,
    /// Whether there is an escape in its name.
    pub(in crate::chunker) is_escaped: bool,
}

impl<'a> Piece<'a> {
    #[expect(
        clippy::string_slice,
        reason = "a piece starts and ends with a token or a character"
    )]
    fn text(&self) -> &'a str {
        &self.source[self.start..self.end]
    }

    /// Where the value starts in the record.
    pub(in crate::chunker) fn value_offset(&self) -> u16 {
        u16::try_from(self.value - self.start).unwrap_or(Node::FAR)
    }
}

/// The quote after the content of a string; nothing after that of another value.
const fn closing(kind: Kind) -> &'static str {
    match kind {
        Kind::String => "\"",
        _ => "",
    }
}

impl Tree {
    /// Adds a record. Returns a node that has it.
    ///
    /// Offsets do not overflow: a push adds at most the text of its snapshot, which is as limited
    /// as what is alive (1 GiB at most), and garbage is collected when there is more of it than
    /// that.
    pub(super) fn append(&mut self, kind: Kind, piece: &Piece<'_>) -> Node {
        let record = self.text.len();
        make_room_for_text(&mut self.text, piece.text().len() + 1);
        self.text.push_str(piece.text());
        self.text.push_str(closing(kind));
        debug_assert!(u32::try_from(self.text.len()).is_ok(), "text of 4 GiB");
        Node {
            record: record as u32,
            len: (self.text.len() - record) as u32,
            value: piece.value_offset(),
            ..Node::UNUSED
        }
    }

    /// Sets the record of a value that keeps its kind. The first `same` bytes of the piece are
    /// known to be those of the record.
    pub(in crate::chunker) fn set_record(&mut self, id: NodeId, piece: &Piece<'_>, same: usize) {
        let node = *self.node(id);
        let (record, len) = (node.record as usize, node.len as usize);
        let content = len - closing(node.kind).len();
        if record + len == self.text.len() && same >= content {
            // It grows where it is: over its closing quote, which a rollback writes again.
            self.text.truncate(record + content);
            let more = piece.text().get(content..).unwrap_or_default();
            make_room_for_text(&mut self.text, more.len() + 1);
            self.text.push_str(more);
            self.text.push_str(closing(node.kind));
            let len = self.text.len() - record;
            self.edit(id).len = len as u32;
            return;
        }
        let new = self.append(node.kind, piece);
        self.garbage.text += len;
        let node = self.edit(id);
        (node.record, node.len, node.value) = (new.record, new.len, new.value);
    }

    /// Adds `more` to the content of a string.
    pub(in crate::chunker) fn add_text(&mut self, id: NodeId, more: &str) {
        if more.is_empty() {
            return;
        }
        self.move_to_end(id);
        self.text.pop();
        self.text.push_str(more);
        self.text.push('"');
        self.edit(id).len += more.len() as u32;
    }

    /// Removes what follows the first `len` bytes of the content of a string.
    pub(in crate::chunker) fn truncate_text(&mut self, id: NodeId, len: usize) {
        let cut = self.text(id).len() - len;
        if cut == 0 {
            return;
        }
        self.move_to_end(id);
        self.text.truncate(self.text.len() - 1 - cut);
        self.text.push('"');
        self.edit(id).len -= cut as u32;
    }

    /// Moves a record to the end of the text, where it can change its length.
    fn move_to_end(&mut self, id: NodeId) {
        let node = self.node(id);
        let (start, end) = (node.record as usize, (node.record + node.len) as usize);
        if end != self.text.len() {
            let record = self.text.len();
            self.text.extend_from_within(start..end);
            self.garbage.text += end - start;
            self.edit(id).record = record as u32;
        }
    }

    #[inline]
    pub(in crate::chunker) fn record_bytes(&self, id: NodeId) -> &[u8] {
        let record = self.node(id).record_in(self.text.as_bytes());
        record.unwrap_or_default()
    }

    #[expect(clippy::string_slice, reason = "records are pieces of text")]
    pub(in crate::chunker) fn record(&self, id: NodeId) -> &str {
        let node = self.node(id);
        &self.text[node.record as usize..][..node.len as usize]
    }

    /// Where the value starts in the record.
    pub(in crate::chunker) fn value_offset(&self, id: NodeId) -> usize {
        match self.node(id).value {
            Node::FAR => {
                let record = self.record(id).as_bytes();
                let name_end = string_end(record, 1).map_or(0, |(end, _)| end + 1);
                let colon = skip_whitespace(record, name_end);
                skip_whitespace(record, colon + 1)
            }
            offset => offset.into(),
        }
    }

    /// Returns the raw name of a member; empty for others.
    pub(in crate::chunker) fn name(&self, id: NodeId) -> &str {
        let record = self.record(id);
        // Between the closing quote of the name and the value, there are white space and a colon.
        let mut end = self.value_offset(id).saturating_sub(2);
        while end > 0 && record.as_bytes()[end] != b'"' {
            end -= 1;
        }
        record.get(1..end).unwrap_or_default()
    }

    /// Returns the scalar with its quotes, or the bracket of a container.
    #[inline]
    fn value(&self, id: NodeId) -> &str {
        let value = self.value_offset(id);
        self.record(id).get(value..).unwrap_or_default()
    }

    /// Returns the raw text of a scalar, of a string without its quotes; the bracket of a
    /// container.
    pub(in crate::chunker) fn text(&self, id: NodeId) -> &str {
        let value = self.value(id);
        match self.node(id).kind {
            Kind::String => value.get(1..value.len() - 1).unwrap_or_default(),
            _ => value,
        }
    }

    /// Writes the scalar, or the bracket of a container.
    pub(in crate::chunker) fn write_value(&self, id: NodeId, out: &mut String) {
        out.push_str(self.value(id));
    }

    /// Writes a record without white space: name, colon, and the scalar or bracket.
    pub(in crate::chunker) fn write_record(&self, id: NodeId, out: &mut String) {
        let record = self.record(id);
        let value = self.value_offset(id);
        let (separated, _) = record
            .as_bytes()
            .split_at_checked(value)
            .unwrap_or_default();
        match separated {
            // An element, or `"name":17`
            [] | [.., b'"', b':'] => out.push_str(record),
            // `"name": 17`
            [.., b'"', b':', _] => {
                out.push_str(record.get(..value - 1).unwrap_or_default());
                out.push_str(record.get(value..).unwrap_or_default());
            }
            // `"name" : 17`, or a name too long for an offset
            _ => {
                out.push('"');
                out.push_str(self.name(id));
                out.push_str("\":");
                out.push_str(self.value(id));
            }
        }
    }
}
