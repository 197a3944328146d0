//! Slots: from the first bytes of a name to the member that probably has it.
//!
//! Each object has a small row of slots, a power of two and at least twice its members. The home
//! slot of a name is a hash of its first 8 bytes up to the closing quote, for example `title"`.
//! Where several names share these (`start_date`, `start_day`), 8 bytes from [`Container::offset`]
//! on are hashed, too: all long names have the bytes before that in common, so that nothing but
//! names is read. A hash is a product of 64 bits; in small objects a window of it is looked for
//! with which all home slots differ.
//!
//! A slot is a guess. It may name a node that has left the tree, or another member with the same
//! hash, so whoever uses it compares parent and name. Names that find no place within
//! [`PROBES`] slots are found by the [index of names](super::names).
//!
//! Usually the slots lead to each member, so that a name which is in none of its slots is new
//! ([`Reach`]). Rows are not restored by a rollback, which may restore a member that was removed.
//! So a push only writes to empty slots of a row that is older than it: the slot is still there.

use core::ops::Range;

use super::names::SCANNED;
use super::node::Reach;
use super::{Container, Node, NodeId, Tree, make_room};
use crate::json::{HIGHS, ONES};

/// How many slots are looked at, from the home slot of a name on.
const PROBES: usize = 4;

/// The smallest row, as a power of two: room for all probes.
pub(super) const MIN_SIZE: u8 = 2;

/// What a slot has whose member was removed: the index of no node.
pub(super) const REMOVED: u32 = u32::MAX;

/// How many windows of a hash are tried, and how many bits they are apart.
const WINDOWS: u8 = 8;
const WINDOW_STEP: u8 = 4;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

/// The first 8 bytes after the first one, with zeros after the end of the text.
#[inline]
fn word_after(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<9>() {
        Some([_, word @ ..]) => u64::from_le_bytes(*word),
        None => last_word(bytes),
    }
}

#[cold]
fn last_word(bytes: &[u8]) -> u64 {
    let mut chunk = [0; 8];
    for (to, from) in chunk.iter_mut().zip(bytes.iter().skip(1)) {
        *to = *from;
    }
    u64::from_le_bytes(chunk)
}

/// The bytes of a word up to its first quote, and whether there is none.
#[inline]
fn up_to_quote(word: u64) -> (u64, bool) {
    let x = word ^ (ONES * u64::from(b'"'));
    let quotes = x.wrapping_sub(ONES) & !x & HIGHS;
    // Ones up to the lowest bit of `quotes`, which is the highest bit of that byte; else all.
    (word & (quotes ^ quotes.wrapping_sub(1)), quotes == 0)
}

/// Hashes the name that follows the quote at the start of the text, up to its closing quote.
#[expect(
    clippy::inline_always,
    reason = "a step of the glide, which is slower by a tenth with calls in it"
)]
#[inline(always)]
fn hash(quoted: &[u8], offset: u8) -> u64 {
    let (head, is_long) = up_to_quote(word_after(quoted));
    if offset == 0 {
        return head.wrapping_mul(MULTIPLIER);
    }
    hash_long(quoted, offset, head, is_long)
}

/// Without a branch: long and short names alternate.
#[inline]
fn hash_long(quoted: &[u8], offset: u8, head: u64, is_long: bool) -> u64 {
    let more = quoted.get(usize::from(offset)..).unwrap_or_default();
    let (more, _) = up_to_quote(word_after(more));
    let more = more.wrapping_mul(SECOND_MULTIPLIER) & u64::from(is_long).wrapping_neg();
    (head ^ more ^ (more >> 32)).wrapping_mul(MULTIPLIER)
}

/// The slot of a hash in a row that has `mask + 1` slots.
#[inline]
const fn home(hash: u64, shift: u8, mask: u32) -> usize {
    ((hash >> (shift & 63)) as u32 & mask) as usize
}

/// Where a window of a hash starts that selects one of `1 << size` slots.
const fn window(size: u8, nth: u8) -> u8 {
    64 - size - nth * WINDOW_STEP
}

/// Where the slots of an object are, and how names are hashed to them.
#[derive(Clone, Copy, Debug)]
pub(in crate::chunker) struct Row {
    start: usize,
    /// How many slots there are, less one.
    mask: u32,
    shift: u8,
    offset: u8,
}

impl Container {
    #[inline]
    pub(in crate::chunker) fn row(&self) -> Row {
        Row {
            start: self.row as usize,
            mask: self.mask,
            shift: self.shift,
            offset: self.offset,
        }
    }

    /// Whether names like this have slots: of one that ends before the offset, bytes of the value
    /// would be hashed.
    fn hashes(&self, name: &str) -> bool {
        self.offset == 0 || name.len() < 8 || name.len() >= self.offset.into()
    }

    /// Whether its row has place for that many members.
    fn has_place_for(&self, count: u32) -> bool {
        self.row != 0 && count <= self.mask / 2 + 1
    }
}

impl Row {
    /// Returns the index of the node at the home slot of the name that follows a quote; 0 if the
    /// slot is empty.
    #[expect(
        clippy::inline_always,
        reason = "a step of the glide, which is slower by a tenth with calls in it"
    )]
    #[inline(always)]
    pub(in crate::chunker) fn home(&self, rows: &[u32], quoted: &[u8]) -> usize {
        rows[self.start + home(hash(quoted, self.offset), self.shift, self.mask)] as usize
    }

    /// Returns the indexes of the nodes at all slots of a name.
    pub(in crate::chunker) fn slots(
        &self,
        rows: &[u32],
        quoted: &[u8],
    ) -> impl Iterator<Item = usize> {
        self.places(quoted).map(|slot| rows[slot] as usize)
    }

    /// Returns the places of all slots of a name.
    fn places(&self, quoted: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let (start, mask) = (self.start, self.mask as usize);
        let home = home(hash(quoted, self.offset), self.shift, self.mask);
        (0..PROBES).map(move |probe| start + ((home + probe) & mask))
    }
}

/// The text from the quote before a name on.
fn quoted<'a>(source: &'a str, name: &Range<usize>) -> &'a [u8] {
    source.as_bytes().get(name.start - 1..).unwrap_or_default()
}

impl Tree {
    pub(super) fn row(&self, container: &Container) -> &[u32] {
        &self.rows[container.row as usize..][..=container.mask as usize]
    }

    /// Returns how many slots a node has of its own.
    pub(super) fn row_len(&self, id: NodeId) -> usize {
        let container = self.container(id);
        if container.row == 0 {
            0
        } else {
            container.mask as usize + 1
        }
    }

    /// Returns the member whose name is spelled like that, if a slot says so.
    pub(super) fn guess(
        &self,
        object: NodeId,
        source: &str,
        name: &Range<usize>,
    ) -> Option<NodeId> {
        let quoted = quoted(source, name);
        // With its quotes: what starts with that is a record with that name.
        let name = quoted.get(..name.len() + 2)?;
        let row = self.container(object).row();
        let mut slots = row.slots(&self.rows, quoted).map_while(NodeId::from_index);
        slots.find(|id| self.is_member_of(object, *id) && self.record_bytes(*id).starts_with(name))
    }

    /// Returns the member whose record has the same name and separator as the text, and where its
    /// value starts. None if it is not at its home slot, or if its name is very long.
    #[inline]
    pub(in crate::chunker) fn member_at(
        &self,
        object: NodeId,
        text: &[u8],
    ) -> Option<(NodeId, usize)> {
        let index = self.container(object).row().home(&self.rows, text);
        let node = self.nodes.get(index)?;
        let record = node.record_in(self.text.as_bytes())?;
        let separated = record.get(..node.value.into())?;
        let is_same =
            node.parent == Some(object) && node.value != Node::FAR && text.starts_with(separated);
        is_same.then_some((NodeId::from_index(index)?, separated.len()))
    }

    /// Whether `id`, as a slot has it, is a child of `object`.
    fn is_member_of(&self, object: NodeId, id: NodeId) -> bool {
        let node = self.nodes.get(id.index());
        node.is_some_and(|node| node.parent == Some(object))
    }

    /// Puts a member where its name will be looked for. Does nothing if all slots there are taken.
    pub(super) fn remember(
        &mut self,
        object: NodeId,
        source: &str,
        name: &Range<usize>,
        id: NodeId,
    ) {
        let container = *self.container(object);
        if container.row != 0
            && source
                .get(name.clone())
                .is_some_and(|name| container.hashes(name))
        {
            self.put(object, container.row().places(quoted(source, name)), id);
        }
    }

    /// Puts a member in the first of these slots that it may have. Says whether there was one.
    fn put(&mut self, object: NodeId, places: impl Iterator<Item = usize>, id: NodeId) -> bool {
        for slot in places {
            let taken = NodeId::from_index(self.rows[slot] as usize);
            let is_free = taken.is_none_or(|taken| {
                taken == id || (self.is_added_slot(slot) && !self.is_member_of(object, taken))
            });
            if is_free {
                self.rows[slot] = id.index() as u32;
                return true;
            }
        }
        false
    }

    fn put_recorded(&mut self, object: NodeId, id: NodeId) -> bool {
        let row = self.container(object).row();
        self.put(object, row.places(self.record_bytes(id)), id)
    }

    /// Gives a new member its slot. Where that is not enough, all get new ones when the object is
    /// left.
    pub(super) fn add_slot(&mut self, object: NodeId, id: NodeId, is_escaped: bool) {
        if self.container(object).count == 1 {
            self.new_row(object, MIN_SIZE);
        }
        let container = *self.container(object);
        let has_place = container.has_place_for(container.count);
        let is_wide = container.count > SCANNED;
        let is_put = if !has_place {
            false
        } else if is_wide {
            container.hashes(self.name(id)) && self.put_recorded(object, id)
        } else {
            let home = container.row().places(self.record_bytes(id)).take(1);
            container.offset == 0 && self.put(object, home, id)
        };
        let entry = self.edit_container(object);
        if is_escaped {
            entry.reach = Reach::Escaped;
        } else if !is_put && entry.reach == Reach::All {
            entry.reach = Reach::Some;
        }
        entry.is_stale |= !(is_put || is_wide && has_place);
    }

    /// Gives all members of an object their slots, if some were added that need that.
    pub(in crate::chunker) fn index_if_stale(&mut self, id: NodeId) {
        if self.container(id).is_stale {
            self.index_slots(id);
        }
    }

    /// Gives all members of an object their slots.
    pub(super) fn index_slots(&mut self, object: NodeId) {
        let count = self.container(object).count;
        let size = (count * 2).next_power_of_two().trailing_zeros() as u8;
        let mut size = size.max(MIN_SIZE);
        let mut shift = window(size, 0);
        let mut hashes = [0; SCANNED as usize];
        let hashes = hashes.get_mut(..count as usize);
        let offset = match hashes {
            Some(hashes) => {
                let offset = self.hash_names(object, hashes);
                for wider in [size, size + 1] {
                    let mut windows = (0..WINDOWS).map(|nth| window(wider, nth));
                    if let Some(found) = windows.find(|shift| is_perfect(hashes, *shift, wider)) {
                        (size, shift) = (wider, found);
                        break;
                    }
                }
                offset
            }
            None => self.name_offset(object),
        };
        self.new_row(object, size);
        let entry = self.edit_container(object);
        (entry.offset, entry.shift) = (offset, shift);
        let mut reach = Reach::All;
        let mut next = self.first(object);
        while let Some(id) = next {
            if !self.put_recorded(object, id) {
                reach = Reach::Some;
            }
            next = self.node(id).next;
        }
        let entry = self.edit_container(object);
        entry.is_stale = false;
        if entry.reach != Reach::Escaped {
            entry.reach = reach;
        }
    }

    /// Hashes the names of a narrow object. Returns the offset with which that was done.
    fn hash_names(&self, object: NodeId, hashes: &mut [u64]) -> u8 {
        let mut clash = false;
        for (at, id) in self.children(object).take(hashes.len()).enumerate() {
            let head = hash(self.record_bytes(id), 0);
            clash |= hashes[..at].contains(&head);
            hashes[at] = head;
        }
        if !clash {
            return 0;
        }
        let offset = self.name_offset(object);
        for (hash_of, id) in hashes.iter_mut().zip(self.children(object)) {
            *hash_of = hash(self.record_bytes(id), offset);
        }
        offset
    }

    /// Gives an object an empty row. One that is older than this push stays as it is, for a
    /// rollback.
    fn new_row(&mut self, object: NodeId, size: u8) {
        let container = *self.container(object);
        let len = 1 << size;
        let mask = len as u32 - 1;
        if container.row != 0
            && container.mask == mask
            && self.is_added_slot(container.row as usize)
        {
            self.rows[container.row as usize..][..len].fill(0);
            return;
        }
        self.garbage.rows += self.row_len(object);
        let row = self.rows.len();
        make_room(&mut self.rows, len);
        self.rows.resize(row + len, 0);
        let entry = self.edit_container(object);
        (entry.row, entry.mask, entry.shift) = (row as u32, mask, window(size, 0));
    }

    /// Returns from where on names are hashed beside their first 8 bytes, where these do not
    /// distinguish them: how many bytes all longer names have in common.
    fn name_offset(&self, object: NodeId) -> u8 {
        let is_long = |id: &NodeId| up_to_quote(word_after(self.record_bytes(*id))).1;
        let mut names = (self.children(object).filter(is_long)).map(|id| self.name(id));
        let Some(first) = names.next() else {
            return 0;
        };
        let common = names.fold(first.len(), |len, name| {
            let pairs = first.bytes().zip(name.bytes()).take(len);
            pairs.take_while(|(a, b)| a == b).count()
        });
        common.clamp(8, 255) as u8
    }
}

/// Whether all home slots differ.
fn is_perfect(hashes: &[u64], shift: u8, size: u8) -> bool {
    let mut taken = 0_u64;
    for hash in hashes {
        let slot = 1 << home(*hash, shift, (1 << size) - 1);
        if taken & slot != 0 {
            return false;
        }
        taken |= slot;
    }
    true
}
