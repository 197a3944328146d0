//! Nodes and containers: what is remembered of a value beside its text.

use core::num::NonZeroU32;

use super::slots::MIN_SIZE;
use crate::document::Kind;

/// Names a node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::chunker) struct NodeId(NonZeroU32);

impl NodeId {
    /// The node at an index, which is not 0.
    pub(in crate::chunker) fn from_index(index: usize) -> Option<Self> {
        NonZeroU32::new(index as u32).map(Self)
    }

    /// The node at an index after that of [`Node::UNUSED`].
    pub(in crate::chunker) fn nth(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32 - 1))
    }

    #[inline]
    pub(in crate::chunker) fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// How much of a value has been emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::chunker) enum Stage {
    /// Nothing: it is new, held, or about to be restated. It may still change freely.
    #[default]
    Held,
    /// Its start, without the end. The open nodes are one path from the root: the frontier.
    Open,
    /// All of it.
    Closed,
}

/// What is remembered of a node beside its place and its text.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::chunker) struct Bits(u8);

impl Bits {
    const STAGE: u8 = 3;
    const REVISED: u8 = 1 << 2;
    const RESTATES: u8 = 1 << 3;
    const PRESENT: u8 = 1 << 4;
    const NEW: u8 = 1 << 5;
    const WATCHED: u8 = 1 << 6;

    fn get(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    fn set(&mut self, bit: u8, on: bool) {
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}

/// One value of the document.
#[derive(Clone, Copy, Debug)]
pub(in crate::chunker) struct Node {
    /// Where its record starts in the text, and how long it is.
    pub(super) record: u32,
    pub(super) len: u32,
    /// None for the root, and for what has left the tree.
    pub(in crate::chunker) parent: Option<NodeId>,
    pub(in crate::chunker) next: Option<NodeId>,
    /// The last push that saw it; a failed one counts, too.
    pub(in crate::chunker) seen_by: u32,
    /// The last push that changed something in it.
    pub(in crate::chunker) changed_by: u32,
    pub(super) container: u32,
    /// Where the value starts in the record, or [`Node::FAR`].
    pub(super) value: u16,
    pub(in crate::chunker) kind: Kind,
    pub(super) bits: Bits,
}

impl Node {
    /// The value starts after a name that is too long for 16 bits: it has to be looked for.
    pub(super) const FAR: u16 = u16::MAX;

    pub(super) const UNUSED: Self = Self {
        record: 0,
        len: 0,
        parent: None,
        next: None,
        seen_by: 0,
        changed_by: 0,
        container: 0,
        value: 0,
        kind: Kind::Null,
        bits: Bits(0),
    };

    /// Its record, in the text of the tree, where there always is one.
    #[inline]
    pub(in crate::chunker) fn record_in<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let start = self.record as usize;
        text.get(start..start + self.len as usize)
    }

    #[inline]
    pub(in crate::chunker) fn is_child_of(&self, parent: Option<NodeId>) -> bool {
        self.parent.map_or(0, NodeId::index) == parent.map_or(0, NodeId::index)
    }

    /// How long its record is.
    #[inline]
    pub(in crate::chunker) fn len(&self) -> usize {
        self.len as usize
    }

    /// The index of its entry; 0 for a scalar.
    #[inline]
    pub(in crate::chunker) fn container(&self) -> usize {
        self.container as usize
    }

    #[inline]
    pub(in crate::chunker) fn stage(&self) -> Stage {
        match self.bits.0 & Bits::STAGE {
            0 => Stage::Held,
            1 => Stage::Open,
            _ => Stage::Closed,
        }
    }

    pub(in crate::chunker) fn set_stage(&mut self, stage: Stage) {
        self.bits.0 = self.bits.0 & !Bits::STAGE | stage as u8;
    }

    /// Whether a contradiction here has been reported.
    pub(in crate::chunker) fn is_revised(&self) -> bool {
        self.bits.get(Bits::REVISED)
    }

    pub(in crate::chunker) fn set_revised(&mut self, revised: bool) {
        self.bits.set(Bits::REVISED, revised);
    }

    /// Whether another value was emitted in its place, which this one is to supersede.
    pub(in crate::chunker) fn restates(&self) -> bool {
        self.bits.get(Bits::RESTATES)
    }

    pub(in crate::chunker) fn set_restates(&mut self, restates: bool) {
        self.bits.set(Bits::RESTATES, restates);
    }

    /// Whether it is, or ever was, more than a placeholder for a value that is not written yet.
    #[inline]
    pub(in crate::chunker) fn is_present(&self) -> bool {
        self.bits.get(Bits::PRESENT)
    }

    /// Marks it as present since this push.
    pub(in crate::chunker) fn set_present(&mut self, push_id: u32) {
        self.changed_by = push_id;
        self.bits.set(Bits::PRESENT, true);
        self.bits.set(Bits::NEW, true);
    }

    /// Whether it became present in this push.
    pub(in crate::chunker) fn is_new(&self, push_id: u32) -> bool {
        self.bits.get(Bits::NEW) && self.changed_by == push_id
    }

    pub(in crate::chunker) fn set_changed(&mut self, push_id: u32) {
        if self.changed_by != push_id {
            // What became present in an earlier push is no longer new.
            self.bits.set(Bits::NEW, false);
            self.changed_by = push_id;
        }
    }

    /// Whether its record is not all that the last snapshot had of it: the end of an open string
    /// is held back. A snapshot with the same bytes as the record has lost that end.
    #[inline]
    pub(in crate::chunker) fn is_watched(&self) -> bool {
        self.bits.get(Bits::WATCHED)
    }

    pub(in crate::chunker) fn set_watched(&mut self, watched: bool) {
        self.bits.set(Bits::WATCHED, watched);
    }
}

/// Which members of an object its slots lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Each one, and no name has an escape: a name that is in none of its slots is new.
    All,
    /// Some may have no slot.
    Some,
    /// Some may have no slot, from now on: a name has an escape, or had one.
    Escaped,
}

/// What an array or object has beside its node: in one cache line, and an index is a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(in crate::chunker) struct Container {
    pub(super) first: Option<NodeId>,
    pub(super) last: Option<NodeId>,
    pub(super) count: u32,
    /// Where its bracket was in the last snapshot, from the bracket of its parent (from the start
    /// of the snapshot for the root), and how long its text was; 0 if it was not there.
    pub(in crate::chunker) raw: u32,
    pub(in crate::chunker) raw_len: u32,
    /// Where its slots start, how many there are less one, and how names are hashed.
    pub(super) row: u32,
    pub(super) mask: u32,
    pub(super) shift: u8,
    pub(super) offset: u8,
    pub(super) reach: Reach,
    /// Whether members were added that need a new row: then all members get new slots.
    pub(in crate::chunker) is_stale: bool,
}

impl Container {
    /// An empty one. Its slots are the first four, which are always empty.
    pub(super) const EMPTY: Self = Self {
        first: None,
        last: None,
        count: 0,
        raw: 0,
        raw_len: 0,
        row: 0,
        mask: (1 << MIN_SIZE) - 1,
        shift: 64 - MIN_SIZE,
        offset: 0,
        reach: Reach::All,
        is_stale: false,
    };

    #[inline]
    pub(in crate::chunker) fn first(&self) -> Option<NodeId> {
        self.first
    }

    #[inline]
    pub(in crate::chunker) fn count(&self) -> u32 {
        self.count
    }
}
