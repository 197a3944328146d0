//! The text of values, as they are emitted.

use alloc::string::String;

use crate::chunker::state::State;
use crate::chunker::tree::NodeId;
use crate::document::Kind;
use crate::json::stable_number_len;

impl State {
    /// Writes the part of the scalar at the end of the frontier that is not emitted yet and can no
    /// longer change. The end of a string that may change is not in its text.
    pub(super) fn write_growth(&mut self, id: NodeId, out: &mut String) {
        let text = self.tree.text(id);
        let stable = match self.tree.node(id).kind {
            Kind::Number => stable_number_len(text),
            _ => text.len(),
        };
        // None if a number now ends earlier: 1.5 and then 1.50 grows, 1.0 and then 1 does not.
        if let Some(growth) = text.get(self.frontier.written..stable) {
            out.push_str(growth);
            self.frontier.written = stable;
        }
    }

    /// Writes the rest of the scalar at the end of the frontier.
    pub(super) fn write_rest(&mut self, id: NodeId, out: &mut String) {
        let text = self.tree.text(id);
        out.extend(text.get(self.frontier.written..));
        self.frontier.written = text.len();
    }

    pub(super) fn write_comma_and_name(&mut self, id: NodeId, out: &mut String) {
        if let Some(parent) = self.frontier.open.last_mut()
            && core::mem::replace(&mut parent.comma, true)
        {
            out.push(',');
        }
        if self.is_member(id) {
            self.write_name(id, out);
        }
    }

    /// Writes a value completely.
    pub(in crate::chunker) fn write_value(&self, top: NodeId, out: &mut String) {
        let mut next = Some(top);
        while let Some(id) = next {
            if id == top {
                self.tree.write_value(id, out);
            } else {
                self.tree.write_record(id, out);
            }
            next = self.write_up_to_next(id, top, out);
        }
    }

    /// From the start of `id`, or all of it if it is a scalar, to the node that is written next:
    /// the closers and the comma in between.
    fn write_up_to_next(&self, id: NodeId, top: NodeId, out: &mut String) -> Option<NodeId> {
        let mut id = id;
        if let Some(child) = self.tree.first(id) {
            return Some(child);
        }
        loop {
            let node = self.tree.node(id);
            match node.kind {
                Kind::Array => out.push(']'),
                Kind::Object => out.push('}'),
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => {}
            }
            if id == top {
                return None;
            }
            if let Some(next) = node.next {
                out.push(',');
                return Some(next);
            }
            id = node.parent?;
        }
    }
}
