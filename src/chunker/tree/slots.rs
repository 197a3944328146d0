//! Slots: from the first bytes of a name to the member that probably has it.
//!
//! Each object has a small row of slots, a power of two and at least twice its members. The home
//! slot of a name is a hash of its first 8 bytes up to the closing quote, for example `title"`.
//! Where several names share these (`start_date`, `start_day`), 8 bytes from [`Container::offset`]
//! on are hashed, too: all long names have the bytes before that in common, so that nothing but
//! names is read. In small objects a seed is looked for with which all home slots differ.
//!
//! A slot is a guess. It may name a node that has left the tree, or another member with the same
//! hash, so whoever uses it compares parent and name. Names that find no place within
//! [`PROBES`] slots are found by the [index of names](super::names).

use core::ops::Range;

use super::names::SCANNED;
use super::{Container, NodeId, Tree, make_room};

/// How many slots are looked at, from the home slot of a name on.
const PROBES: usize = 4;

/// The smallest row, as a power of two: room for all probes.
pub(super) const MIN_SIZE: u8 = 2;

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;
const SEEDS: [u64; 8] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
    0x8ebc_6af0_9c88_c6e3,
    0x5899_65cc_7537_4cc3,
];

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
#[inline]
fn hash(quoted: &[u8], offset: u8) -> u64 {
    let (head, is_long) = up_to_quote(word_after(quoted));
    if offset == 0 {
        return head;
    }
    // Without a branch: long and short names alternate.
    let more = quoted.get(usize::from(offset)..).unwrap_or_default();
    let (more, _) = up_to_quote(word_after(more));
    let more = more.wrapping_mul(SEEDS[1]) & u64::from(is_long).wrapping_neg();
    head ^ more ^ (more >> 32)
}

#[inline]
const fn multiplier(seed: u8) -> u64 {
    SEEDS[(seed & 7) as usize]
}

#[inline]
fn home(hash: u64, multiplier: u64, size: u8) -> usize {
    (hash.wrapping_mul(multiplier) >> (64 - u32::from(size))) as usize
}

/// Where the slots of an object are, and how names are hashed to them.
#[derive(Clone, Copy, Debug)]
pub(in crate::chunker) struct Row {
    start: usize,
    multiplier: u64,
    /// How many slots there are, as a power of two.
    size: u8,
    offset: u8,
}

impl Container {
    #[inline]
    pub(in crate::chunker) fn row(&self) -> Row {
        Row {
            start: self.row as usize,
            multiplier: multiplier(self.seed),
            size: self.size,
            offset: self.offset,
        }
    }
}

impl Row {
    #[inline]
    fn hash(&self, quoted: &[u8]) -> usize {
        home(hash(quoted, self.offset), self.multiplier, self.size)
    }

    /// Returns the index of the node at the home slot of the name that follows a quote; 0 if the
    /// slot is empty.
    #[inline]
    pub(in crate::chunker) fn home(&self, rows: &[u32], quoted: &[u8]) -> usize {
        rows[self.start + self.hash(quoted)] as usize
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
        let (start, home) = (self.start, self.hash(quoted));
        let mask = (1 << self.size) - 1;
        (0..PROBES).map(move |probe| start + ((home + probe) & mask))
    }
}

/// The text from the quote before a name on.
fn quoted<'a>(source: &'a str, name: &Range<usize>) -> &'a [u8] {
    source.as_bytes().get(name.start - 1..).unwrap_or_default()
}

impl Tree {
    pub(super) fn row(&self, container: &Container) -> &[u32] {
        &self.rows[container.row as usize..][..1 << container.size]
    }

    /// Returns how many slots a node has of its own.
    pub(super) fn row_len(&self, id: NodeId) -> usize {
        let container = self.container(id);
        if container.row == 0 {
            0
        } else {
            1 << container.size
        }
    }

    /// Returns the member whose name is spelled like that, if a slot says so.
    pub(super) fn guess(
        &self,
        object: NodeId,
        source: &str,
        name: &Range<usize>,
    ) -> Option<NodeId> {
        let raw = source.get(name.clone())?;
        let row = self.container(object).row();
        let mut slots = (row.slots(&self.rows, quoted(source, name))).map_while(NodeId::from_index);
        slots.find(|id| self.is_member_of(object, *id) && self.name(*id) == raw)
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
        let container = self.container(object);
        if container.row != 0 {
            self.put(object, container.row().places(quoted(source, name)), id);
        }
    }

    fn put(&mut self, object: NodeId, places: impl Iterator<Item = usize>, id: NodeId) {
        for slot in places {
            let taken = NodeId::from_index(self.rows[slot] as usize);
            if !taken.is_some_and(|taken| taken != id && self.is_member_of(object, taken)) {
                self.rows[slot] = id.index() as u32;
                return;
            }
        }
    }

    /// Gives a new member of a wide object its slot, if there is room in the row.
    pub(super) fn add_to_wide_row(&mut self, object: NodeId, id: NodeId) {
        let container = self.container(object);
        if container.count > SCANNED && container.count << 1 <= 1 << container.size {
            self.put_recorded(object, id);
        }
    }

    fn put_recorded(&mut self, object: NodeId, id: NodeId) {
        let row = self.container(object).row();
        self.put(object, row.places(self.record(id).as_bytes()), id);
    }

    /// Gives all members of an object their slots, after some were added.
    pub(in crate::chunker) fn index_slots(&mut self, object: NodeId) {
        let container = *self.container(object);
        let count = container.count as usize;
        if count > SCANNED as usize && container.row != 0 && count << 1 <= 1 << container.size {
            // They got theirs when they were added.
            return;
        }
        let mut size = (count * 2)
            .next_power_of_two()
            .trailing_zeros()
            .max(MIN_SIZE.into()) as u8;
        let offset = self.name_offset(object);
        let mut seed = 0;
        if count <= SCANNED as usize {
            let mut hashes = [0; SCANNED as usize];
            for (hash_of, id) in hashes.iter_mut().zip(self.children(object)) {
                *hash_of = hash(self.record(id).as_bytes(), offset);
            }
            let hashes = &hashes[..count];
            let no_clash = |size| (0..8_u8).find(|seed| is_perfect(hashes, *seed, size));
            match (no_clash(size), no_clash(size + 1)) {
                (Some(found), _) => seed = found,
                (None, Some(found)) => (size, seed) = (size + 1, found),
                (None, None) => {}
            }
        }
        self.new_row(object, size);
        let entry = self.edit_container(object);
        (entry.offset, entry.seed) = (offset, seed);
        let mut next = self.first(object);
        while let Some(id) = next {
            self.put_recorded(object, id);
            next = self.node(id).next;
        }
    }

    /// Gives an object an empty row. One that is older than this push stays as it is, for a
    /// rollback.
    fn new_row(&mut self, object: NodeId, size: u8) {
        let container = *self.container(object);
        let len = 1 << size;
        if container.row != 0 && container.size == size && self.is_added_row(container.row) {
            self.rows[container.row as usize..][..len].fill(0);
            return;
        }
        self.garbage.rows += self.row_len(object);
        let row = self.rows.len();
        make_room(&mut self.rows, len);
        self.rows.resize(row + len, 0);
        let entry = self.edit_container(object);
        (entry.row, entry.size) = (row as u32, size);
    }

    /// Returns from where on names are hashed beside their first 8 bytes: how many bytes all names
    /// that are longer than that have in common. 0 if the first 8 bytes distinguish them.
    fn name_offset(&self, object: NodeId) -> u8 {
        let count = self.count(object) as usize;
        let mut common: Option<(&str, usize)> = None;
        let mut heads = [0; SCANNED as usize];
        let mut clash = count > heads.len();
        for (at, id) in self.children(object).enumerate() {
            let record = self.record(id);
            let (head, is_long) = up_to_quote(word_after(record.as_bytes()));
            if let Some(slot) = heads.get_mut(at) {
                *slot = head;
                clash |= heads[..at].contains(&head);
            }
            if is_long {
                let name = self.name(id);
                let same = |other: &str, len: usize| {
                    let bytes = other.bytes().zip(name.bytes()).take(len);
                    bytes.take_while(|(a, b)| a == b).count()
                };
                common = Some(
                    common.map_or((name, name.len()), |(other, len)| (other, same(other, len))),
                );
            }
        }
        match common {
            Some((_, len)) if clash => len.clamp(8, 255) as u8,
            _ => 0,
        }
    }
}

/// Whether all home slots differ.
fn is_perfect(hashes: &[u64], seed: u8, size: u8) -> bool {
    let mut taken = 0_u64;
    for hash in hashes {
        let slot = 1 << home(*hash, multiplier(seed), size);
        if taken & slot != 0 {
            return false;
        }
        taken |= slot;
    }
    true
}
