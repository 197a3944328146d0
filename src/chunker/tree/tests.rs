//! The tree by itself: records, slots, undo, garbage collection.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Container, Node, NodeId, Piece, Tree};
use crate::document::Kind;

/// A member or element as a piece of a snapshot.
fn piece(text: &str) -> (Kind, Piece<'_>) {
    let value = match text.split_once("\": ") {
        Some((name, _)) => name.len() + 3,
        None => text.find(':').map_or(0, |colon| colon + 1),
    };
    let (kind, end) = match text.as_bytes()[value] {
        b'"' => (Kind::String, text.len() - 1),
        b'{' => (Kind::Object, value + 1),
        b'[' => (Kind::Array, value + 1),
        _ => (Kind::Number, text.len()),
    };
    let piece = Piece {
        source: text,
        start: 0,
        value,
        end,
        is_escaped: text.as_bytes()[..value].contains(&b'\\'),
    };
    (kind, piece)
}

fn add(tree: &mut Tree, parent: Option<NodeId>, text: &str) -> NodeId {
    let (kind, piece) = piece(text);
    let before = parent.and_then(|parent| tree.last(parent));
    tree.add(parent, before, kind, &piece)
}

fn set(tree: &mut Tree, id: NodeId, text: &str, same: usize) {
    tree.set_record(id, &piece(text).1, same);
}

fn find(tree: &mut Tree, object: NodeId, name: &str) -> Option<NodeId> {
    let source = format!("\"{name}\":");
    tree.member(object, &source, &(1..name.len() + 1))
}

/// All that can be seen of a tree.
fn dump(tree: &Tree) -> String {
    let mut out = String::new();
    let mut next = tree.root();
    while let Some(id) = next {
        let parent = tree.node(id).parent.map(|parent| tree.record(parent));
        let (record, count) = (tree.record(id), tree.count(id));
        out.push_str(&[record, " in ", parent.unwrap_or_default(), "; "].concat());
        out.push_str(&count.to_string());
        next = tree.following(id, tree.root().unwrap());
    }
    out + &format!("{} bytes", tree.live_len())
}

#[test]
fn nodes_and_containers_have_32_bytes() {
    assert_eq!(size_of::<Node>(), 32);
    assert_eq!(size_of::<Container>(), 32);
}

#[test]
fn record_has_name_and_text() {
    let long = format!("\"{}\": 1", "n".repeat(70_000));
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    for (text, name, content, compact) in [
        (r#""a":1"#, "a", "1", r#""a":1"#),
        (r#""a": "x""#, "a", "x", r#""a":"x""#),
        (r#""q\"": "x: y""#, r#"q\""#, "x: y", r#""q\"":"x: y""#),
        (r#""": """#, "", "", r#""":"""#),
        (r#""a": ["#, "a", "[", r#""a":["#),
        (&long, &"n".repeat(70_000), "1", &long.replace(' ', "")),
    ] {
        let id = add(&mut tree, Some(root), text);
        assert_eq!((tree.name(id), tree.text(id)), (name, content), "{text}");
        let mut out = String::new();
        tree.write_record(id, &mut out);
        assert_eq!(out, compact);
    }
}

#[test]
fn last_record_grows_in_place_and_others_move() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    let first = add(&mut tree, Some(root), r#""a":"x""#);
    let last = add(&mut tree, Some(root), r#""b":"x""#);
    let len = tree.text.len();
    set(&mut tree, last, r#""b":"xy""#, 6);
    assert_eq!((tree.text.len(), tree.garbage.text), (len + 1, 0));
    set(&mut tree, first, r#""a":"xyz""#, 6);
    assert_eq!(tree.garbage.text, 7);
    assert_eq!((tree.text(first), tree.text(last)), ("xyz", "xy"));
    tree.add_text(last, "!");
    tree.truncate_text(first, 1);
    assert_eq!((tree.text(first), tree.text(last)), ("x", "xy!"));
    assert_eq!(tree.live_len(), 1 + 7 + 9);
}

#[test]
fn rollback_restores_everything() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    let a = add(&mut tree, Some(root), r#""a":["#);
    add(&mut tree, Some(a), "1");
    add(&mut tree, Some(a), "2");
    let b = add(&mut tree, Some(root), r#""b":"x""#);
    tree.index_slots(root);
    tree.begin();
    let before = dump(&tree);
    for change in 0..9 {
        match change {
            0 => set(&mut tree, b, r#""b":"xyz""#, 6),
            1 => set(&mut tree, b, r#""b": "other""#, 0),
            2 => tree.unlink_after(root, None),
            3 => tree.unlink_after(a, tree.first(a)),
            4 => {
                let (kind, piece) = piece(r#""a":{"#);
                tree.retype(a, kind, &piece);
                add(&mut tree, Some(a), r#""c":1"#);
            }
            5 => tree.clear_value(a),
            6 => tree.add_text(b, "more"),
            7 => {
                let (kind, piece) = piece(r#""c":1"#);
                tree.add(Some(root), Some(a), kind, &piece);
                tree.index_slots(root);
            }
            _ => {
                let c = add(&mut tree, Some(root), r#""c":["#);
                add(&mut tree, Some(c), "3");
                tree.unlink_after(root, Some(b));
                tree.unlink_after(root, Some(a));
            }
        }
        assert_ne!(dump(&tree), before, "change {change}");
        tree.rollback();
        assert_eq!(dump(&tree), before, "change {change}");
        assert_eq!(find(&mut tree, root, "a"), Some(a));
        assert_eq!(find(&mut tree, root, "b"), Some(b));
        assert_eq!(find(&mut tree, root, "c"), None);
        tree.begin();
    }
}

/// Few and many members, names that share their first bytes, and names that clash.
#[test]
fn members_are_found_by_name() {
    for prefix in ["", "start_date_", &"long".repeat(20), &"long".repeat(80)] {
        for count in [1, 2, 5, 16, 17, 40, 300] {
            let mut tree = Tree::default();
            let root = add(&mut tree, None, "{");
            let name = |n: usize| format!("{prefix}{n}");
            let members: Vec<_> = (0..count)
                .map(|n| {
                    assert_eq!(find(&mut tree, root, &name(n)), None);
                    add(&mut tree, Some(root), &format!("\"{}\":{n}", name(n)))
                })
                .collect();
            tree.index_slots(root);
            for (n, id) in members.iter().enumerate() {
                assert_eq!(find(&mut tree, root, &name(n)), Some(*id));
            }
            assert_eq!(find(&mut tree, root, "other"), None);
            tree.unlink_after(root, None);
            assert_eq!(find(&mut tree, root, &name(0)), None);
        }
    }
}

/// A slot stays with a member that is removed, until the push that did it can't be undone.
#[test]
fn removed_member_is_found_again_after_rollback() {
    for count in [1, 2, 5, 16, 40] {
        let mut tree = Tree::default();
        let root = add(&mut tree, None, "{");
        let members: Vec<_> = (0..count)
            .map(|n| add(&mut tree, Some(root), &format!("\"m{n}\":1")))
            .collect();
        tree.index_if_stale(root);
        for (n, id) in members.iter().enumerate() {
            tree.begin();
            let before = n.checked_sub(1).map(|before| members[before]);
            tree.unlink_after(root, before);
            for new in 0..8 {
                add(&mut tree, Some(root), &format!("\"new{new}\":1"));
            }
            tree.rollback();
            assert_eq!(
                find(&mut tree, root, &format!("m{n}")),
                Some(*id),
                "{count}"
            );
            assert_eq!(find(&mut tree, root, "new0"), None);
        }
    }
}

/// A name that is not at its home slot is found after others have left.
#[test]
fn members_are_found_after_garbage_collection() {
    for count in 17..80 {
        let mut tree = Tree::default();
        let root = add(&mut tree, None, "{");
        let text = "x".repeat(1600);
        for n in 0..count {
            add(&mut tree, Some(root), &format!("\"m{n}\":\"{text}\""));
        }
        tree.index_if_stale(root);
        tree.begin();
        for _ in 0..count - 6 {
            tree.unlink_after(root, None);
        }
        let relocation = tree.collect_garbage().unwrap();
        let root = relocation.to(root);
        for n in 0..count {
            let found = find(&mut tree, root, &format!("m{n}"));
            assert_eq!(found.is_some(), n >= count - 6, "{n} of {count}");
        }
    }
}

/// The offset from which names are hashed is after the end of a name that is added later.
#[test]
fn name_shorter_than_the_others_is_found_with_any_value() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    for n in 10..28 {
        add(&mut tree, Some(root), &format!("\"a_long_name_{n}\":1"));
    }
    tree.index_if_stale(root);
    let short = add(&mut tree, Some(root), r#""a_long_n":17"#);
    assert!(!tree.container(root).is_stale);
    for value in [1, 23, 456] {
        set(&mut tree, short, &format!("\"a_long_n\":{value}"), 0);
        let source = format!("\"a_long_n\":{}", value + 1);
        assert_eq!(tree.member(root, &source, &(1..9)), Some(short));
    }
}

#[test]
fn record_says_where_the_value_of_a_known_member_starts() {
    let long = "n".repeat(70_000);
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    let a = add(&mut tree, Some(root), r#""a": "x""#);
    add(&mut tree, Some(root), &format!("\"{long}\":1"));
    for (text, found) in [
        (r#""a": "xyz""#, Some((a, 5))),
        (r#""a": 1"#, Some((a, 5))),
        (r#""a":"xyz""#, None),
        (r#""ab": "x""#, None),
        (r#""b": "x""#, None),
        (&format!("\"{long}\":1"), None),
    ] {
        assert_eq!(tree.member_at(root, text.as_bytes()), found, "{text:.9}");
    }
}

/// In an object with a usual number of members each name has a slot of its own.
#[test]
fn slots_of_narrow_objects_do_not_clash() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    for name in [
        "type",
        "title",
        "description",
        "price",
        "start_date",
        "start_day",
    ] {
        add(&mut tree, Some(root), &format!("\"{name}\":1"));
    }
    tree.index_slots(root);
    let container = *tree.container(root);
    for id in tree.children(root) {
        let record = tree.record(id).as_bytes();
        assert_eq!(container.row().home(&tree.rows, record), id.index());
    }
}

#[test]
fn name_is_found_in_any_spelling() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    let id = add(&mut tree, Some(root), r#""é/":1"#);
    for wide in [false, true] {
        if wide {
            for n in 0..40 {
                add(&mut tree, Some(root), &format!("\"{n}\":1"));
            }
        }
        tree.index_slots(root);
        for spelling in ["é/", r"\u00e9/", r"\u00E9\/"] {
            assert_eq!(find(&mut tree, root, spelling), Some(id), "{spelling}");
        }
    }
}

#[test]
fn garbage_collection_keeps_the_tree() {
    let mut tree = Tree::default();
    let root = add(&mut tree, None, "{");
    for n in 0..300 {
        let id = add(&mut tree, Some(root), &format!("\"member {n}\":["));
        add(&mut tree, Some(id), "1");
    }
    tree.index_slots(root);
    assert!(tree.collect_garbage().is_none());
    for _ in 0..250 {
        tree.unlink_after(root, None);
    }
    let before = dump(&tree);
    let relocation = tree.collect_garbage().unwrap();
    assert_eq!(dump(&tree), before);
    assert_eq!(relocation.to(root), tree.root().unwrap());
    assert_eq!(
        tree.garbage.text + tree.garbage.nodes + tree.garbage.rows,
        0
    );
    let root = relocation.to(root);
    for n in 0..300 {
        let found = find(&mut tree, root, &format!("member {n}"));
        assert_eq!(found.is_some(), n >= 250, "{n}");
    }
}
