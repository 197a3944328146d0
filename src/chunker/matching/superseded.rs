//! Members that a later one of the same name supersedes.
//!
//! Of the members with one name in an object the last counts, and those before it are only read:
//! `{"a":null,"a":"x"}` is `{"a":"x"}`. That a member has a successor is known only when the pass
//! reaches it. By then the earlier one may have changed the document, contradicted it or started a
//! restatement; so the pass is undone, and repeated with the list of members to skip.

use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::chunker::tree::is_same_text;
use crate::json::{decode, string_end};

/// The last member of a name so far.
struct Member<'a> {
    /// Where its object starts.
    object: usize,
    name: &'a str,
    start: u32,
    hash: u64,
}

/// Returns where the superseded members of a snapshot start, sorted: the offsets of the quotes of
/// their names. Linear in the length of the snapshot, of which only strings and brackets are
/// checked; at an error of the grammar it ends.
pub(super) fn superseded_members(snapshot: &str) -> Vec<u32> {
    let bytes = snapshot.as_bytes();
    let hasher = DefaultHashBuilder::default();
    let mut members: HashTable<Member<'_>> = HashTable::new();
    let mut superseded = Vec::new();
    // The containers around: where the objects start, none for arrays.
    let mut around: Vec<Option<usize>> = Vec::new();
    let mut expects_name = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => {
                around.push(Some(at));
                expects_name = true;
            }
            b'[' => around.push(None),
            b'}' | b']' => {
                around.pop();
            }
            b',' => expects_name = matches!(around.last(), Some(Some(_))),
            b'"' => {
                let Ok((end, _)) = string_end(bytes, at + 1) else {
                    break;
                };
                let is_name = core::mem::take(&mut expects_name);
                if is_name
                    && let Some(&Some(object)) = around.last()
                    && let Some(name) = snapshot.get(at + 1..end)
                {
                    let start = at as u32;
                    let hash = hasher.hash_one((object, &*decode(name)));
                    let known = members.find_mut(hash, |member| {
                        member.object == object && is_same_text(member.name, name)
                    });
                    if let Some(member) = known {
                        superseded.push(core::mem::replace(&mut member.start, start));
                    } else {
                        let member = Member {
                            object,
                            name,
                            start,
                            hash,
                        };
                        members.insert_unique(hash, member, |member| member.hash);
                    }
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    superseded.sort_unstable();
    superseded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superseded_member_is_each_but_the_last_of_its_name_in_one_object() {
        for (snapshot, starts) in [
            (r#"{"a":1,"b":"a","c":["a","a"]}"#, &[] as &[u32]),
            (r#"{"a":1,"a":2}"#, &[1]),
            (r#"{"a":1,"b":2,"a":3,"a":4}"#, &[1, 13]),
            (r#"{"a":{"a":1,"a":2},"a":{"a":1}}"#, &[1, 6]),
            (r#"[{"a":1},{"a":1,"\u0061":2}]"#, &[10]),
            // Two surrogates are two names.
            (r#"{"\ud800":1,"\ud801":2,"\uD800":3}"#, &[1]),
            // A string that does not end: the pass finds that.
            (r#"{"a":1,"a":2,"a"#, &[1]),
        ] {
            assert_eq!(superseded_members(snapshot), starts, "{snapshot}");
        }
    }
}
