//! One document after the other in one input.

use super::Parser;
use crate::document::{Kind, MAX_TEXT, NodeId};
use crate::json::{byte_order_mark_len, is_whitespace, skip_whitespace};

/// Where the root at hand is, and what was before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    /// The root that is open or was completed last.
    pub(super) current: Option<NodeId>,
    /// Where that starts in the text, if there are others before it.
    start: usize,
    /// How many unescaped strings there are before it.
    unescaped: u32,
    /// Where it ended, if it is complete.
    pub(super) end: usize,
    /// What the value before it was, and how the text before it ended, once these are dropped.
    last_kind: Option<Kind>,
    last_byte: u8,
}

impl Parser {
    pub(super) fn start_root(&mut self, id: NodeId, at: usize) {
        self.roots.current = Some(id);
        self.roots.start = at;
        self.roots.unescaped = self.doc.unescaped.count();
    }

    /// Where the document at hand starts: white space counts only where there is one document.
    fn document_start(&self) -> usize {
        if !self.options.multiple {
            0
        } else if self.is_open() {
            self.roots.start
        } else {
            let text = self.doc.text.as_bytes();
            let at = self.automaton.lexer.at();
            // A byte order mark is no part of the first document, be it read already or not.
            let is_first = self.input.base == 0 && at == 0;
            let mark = if is_first {
                byte_order_mark_len(text)
            } else {
                0
            };
            skip_whitespace(text, at + mark)
        }
    }

    /// Where it has to end. Of several documents in one fragment all are kept until the next one,
    /// so together they have to fit in the tree.
    pub(super) fn document_limit(&self) -> usize {
        let end = self.document_start() + self.options.limits.document_bytes as usize;
        end.min(MAX_TEXT)
    }

    /// Lets another root start, if the next token up to `end` may start one.
    pub(super) fn start_next_root(&mut self, end: usize) {
        let text = &self.doc.text.as_bytes()[..end];
        let last = self.roots.current.map(|id| self.doc.node(id).kind());
        let is_last_bare = last.or(self.roots.last_kind).is_some_and(is_bare);
        let last_byte = self.roots.last_byte;
        self.automaton.start_next_root(text, |at, first| {
            // `12` and `3` of `12 3` are two numbers, those of `[12]3` are, too; `12true` is none.
            let before = at.checked_sub(1).map_or(last_byte, |before| text[before]);
            let is_first_bare = !matches!(first, b'"' | b'[' | b'{');
            is_first_bare && is_last_bare && !is_whitespace(before)
        });
    }

    /// Drops the values of which nothing is reported any more, where there may be several: those
    /// before the one that is open, or all if `fragment` begins another.
    pub(super) fn drop_complete(&mut self, fragment: &[u8]) {
        if !self.options.multiple {
            return;
        }
        let (root, bytes) = if self.is_open() {
            let start = core::mem::take(&mut self.roots.start);
            (self.roots.current, start)
        } else if fragment.iter().copied().all(is_whitespace) {
            return self.drop_whitespace();
        } else {
            (None, self.doc.text.len())
        };
        if bytes == 0 {
            return;
        }
        let last = self.roots.current.map(|id| self.doc.node(id).kind());
        self.roots.last_kind = last;
        self.roots.last_byte = self.doc.text.as_bytes().last().copied().unwrap_or(b' ');
        let (nodes, unescaped) = match root {
            Some(root) => (root.index(), core::mem::take(&mut self.roots.unescaped)),
            None => (self.doc.nodes.len(), self.doc.unescaped.count()),
        };
        self.roots.current = root;
        self.doc.drop_before(nodes, bytes, unescaped);
        self.cursor.names.shift_by(nodes);
        let ids = [
            &mut self.roots.current,
            &mut self.cursor.container,
            &mut self.cursor.open_scalar,
        ];
        for id in ids {
            *id = id.map(|id| id.shifted_by(nodes));
        }
        if let Some(name) = &mut self.cursor.name {
            name.raw = name.raw.shifted_by(bytes);
        }
        self.automaton.lexer.rebase(bytes);
        self.input.base += bytes;
        self.start_update();
    }

    /// Drops white space after the last value, but for one byte that shows that it was there.
    fn drop_whitespace(&mut self) {
        let keep = match self.roots.current {
            Some(_) => self.roots.end + 1,
            None => 0,
        };
        if let Some(blank) = self.doc.text.len().checked_sub(keep) {
            self.doc.text.truncate(keep);
            self.automaton.lexer.rebase(blank);
            self.input.base += blank;
            self.start_update();
        }
    }
}

/// Whether two values of such kinds need white space in between.
const fn is_bare(kind: Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Array | Kind::Object)
}
