//! The names in the objects that are open, to notice a name that appears again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::document::{NodeId, Tree};
use crate::json::{decode, decoded_prefix, short_word};

/// Objects with at most this many members are searched one by one, and only where the filter
/// does not rule a duplicate out.
const SCANNED: u32 = 64;

/// With 256 bits, one name in 16 of an object of 32 shares its bit with another one.
const FILTER_WORDS: usize = 4;

/// The names in the open objects.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenNames {
    innermost: ObjectNames,
    /// Those around it, from the outermost, after an empty one for what is in no object.
    outer: Vec<ObjectNames>,
    /// What few documents need, apart, so that a parser is small.
    wide: Option<Box<WideObjects>>,
}

/// The open objects with more than [`SCANNED`] members.
#[derive(Clone, Debug, Default)]
struct WideObjects {
    /// Of each the last member of each name.
    open: Vec<WideObject>,
    /// The table of an object that has been closed, to use its memory again.
    spare: HashTable<Entry>,
    hasher: DefaultHashBuilder,
}

/// What is known of the names in one object, of any size.
#[derive(Clone, Copy, Debug, Default)]
struct ObjectNames {
    /// A bit for each name so far, by [`filter_bit`].
    filter: [u64; FILTER_WORDS],
    /// How many members there are.
    count: u32,
}

#[derive(Clone, Debug)]
struct WideObject {
    /// How many open objects are around it.
    level: usize,
    table: HashTable<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    member: NodeId,
    hash: u64,
}

impl OpenNames {
    #[inline]
    pub(super) fn open_object(&mut self) {
        self.outer.push(core::mem::take(&mut self.innermost));
    }

    #[inline]
    pub(super) fn close_object(&mut self) {
        if self.wide.is_some() {
            self.close_wide();
        }
        self.innermost = self.outer.pop().unwrap_or_default();
    }

    #[cold]
    fn close_wide(&mut self) {
        let level = self.outer.len();
        if let Some(wide) = &mut self.wide
            && let Some(object) = wide.open.pop_if(|object| object.level == level)
        {
            wide.spare = object.table;
            wide.spare.clear();
        }
    }

    /// Adds a name, as it reads, to those of the innermost object. Returns whether it is certain
    /// that no other member has it; otherwise [`Self::older`] has to look.
    ///
    /// Most names are new, as in `{"id":1,"name":"x"}`, and their bit says so without a look at any
    /// other name. A bit that is taken proves nothing: those of `{"a":1,"b":2}` may share one.
    #[inline]
    pub(super) fn is_new(&mut self, name: &[u8]) -> bool {
        let object = &mut self.innermost;
        let (word, bit) = filter_bit(name);
        let is_free = object.filter[word] & bit == 0;
        object.filter[word] |= bit;
        object.count += 1;
        is_free && object.count <= SCANNED
    }

    /// Returns the last member before `member`, the newest of the innermost object, that has the
    /// same name.
    ///
    /// Names are compared by their code points, whatever their spelling: `"\u0061"` and `"a"` are
    /// one name; `"\ud800"` and `"\ud801"` are two, although both read as U+FFFD.
    pub(super) fn older(&mut self, doc: &Tree, object: NodeId, member: NodeId) -> Option<NodeId> {
        let name = doc.name(member);
        let text = doc.text(name.raw);
        let is_same = |other: NodeId| {
            let other = doc.name(other);
            let is_escaped = name.escaped || other.escaped;
            let other = doc.text(other.raw);
            // {"a":1,"a":2} is decided by the first test, {"a":1,"\u0061":2} by the second.
            text == other || (is_escaped && decoded_prefix(other, text) == Some(other.len()))
        };
        let mut older = doc.children(object).take_while(|id| *id != member);
        if self.innermost.count <= SCANNED {
            return older.filter(|id| is_same(*id)).last();
        }
        let level = self.outer.len();
        let wide = &mut **self.wide.get_or_insert_default();
        let hasher = &wide.hasher;
        let hash_of = |member: NodeId| {
            let name = doc.text(doc.name(member).raw);
            hasher.hash_one(&*decode(name))
        };
        if wide.open.last().is_none_or(|object| object.level != level) {
            // The object has just become wide: of each of its names, the last member.
            let mut table = core::mem::take(&mut wide.spare);
            older
                .by_ref()
                .filter(|member| doc.superseded.newer(*member).is_none())
                .for_each(|member| {
                    let hash = hash_of(member);
                    table.insert_unique(hash, Entry { member, hash }, |entry| entry.hash);
                });
            wide.open.push(WideObject { level, table });
        }
        let table = &mut wide.open.last_mut()?.table;
        let hash = hash_of(member);
        if let Some(entry) = table.find_mut(hash, |entry| is_same(entry.member)) {
            return Some(core::mem::replace(&mut entry.member, member));
        }
        table.insert_unique(hash, Entry { member, hash }, |entry| entry.hash);
        None
    }

    /// Follows the document when its first `nodes` nodes are dropped.
    pub(super) fn shift_by(&mut self, nodes: usize) {
        let wide = self.wide.iter_mut().flat_map(|wide| &mut wide.open);
        for entry in wide.flat_map(|object| &mut object.table) {
            entry.member = entry.member.shifted_by(nodes);
        }
    }

    pub(super) fn clear(&mut self) {
        while !self.outer.is_empty() {
            self.close_object();
        }
    }
}

/// The word and the bit for a name as it reads: from its length, its first bytes and its last
/// ones, which is where the names of one object differ: `item_1` and `item_2`, `a` and `b`.
#[inline]
fn filter_bit(name: &[u8]) -> (usize, u64) {
    let ends = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(32)
        }
        _ => short_word(name),
    };
    let mixed = ends.wrapping_add(name.len() as u64);
    // The multiplier is 2^64 divided by the golden ratio; its product mixes best at the top.
    let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (mixed >> 62) as usize % FILTER_WORDS;
    (word, 1 << (mixed >> 56 & 63))
}
