//! Finds the sections of a document.
//!
//! | value | section |
//! | --- | --- |
//! | an element of an array of objects that contain arrays or objects (`days` of a trip) | yes |
//! | another array or object that is a member of the root, or of objects in it | yes |
//! | a root array | yes |
//! | anything else | no |

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::section::{MOST_NAMES, Section};
use crate::document::{Kind, Value};

/// The first and the last sections of a document.
pub(super) struct Sections {
    pub(super) shown: Vec<Section>,
    /// How many sections are left out.
    pub(super) omitted: usize,
    /// How many of the shown sections are before those that are left out.
    pub(super) first: usize,
}

/// Returns the sections of a document, at most `most`.
pub(super) fn of<'a>(root: Value<'a>, most: usize) -> Sections {
    let half = most.div_ceil(2);
    let mut first = Vec::new();
    let mut last: VecDeque<(Value<'a>, bool)> = VecDeque::new();
    let mut omitted = 0;
    let mut add = |value: Value<'a>, is_object: bool| {
        if first.len() < half {
            first.push((value, is_object));
            return;
        }
        last.push_back((value, is_object));
        if last.len() > most - half {
            last.pop_front();
            omitted += 1;
        }
    };
    if root.kind() == Kind::Array {
        add_array(root, &mut add);
    }
    let mut open = alloc::vec![root.members()];
    while let Some(members) = open.last_mut() {
        let Some((_, member)) = members.next() else {
            open.pop();
            continue;
        };
        match member.kind() {
            Kind::Array => add_array(member, &mut add),
            Kind::Object => {
                add(member, false);
                open.push(member.members());
            }
            _ => {}
        }
    }
    let count = first.len();
    let sections = first.into_iter().chain(last);
    Sections {
        shown: sections.map(Section::of).collect(),
        omitted,
        first: count,
    }
}

fn add_array<'a>(array: Value<'a>, add: &mut impl FnMut(Value<'a>, bool)) {
    if holds_sections(array) {
        array.elements().for_each(|element| add(element, true));
    } else {
        add(array, false);
    }
}

/// Returns whether the elements of an array are sections: they are objects, and one of the first or
/// the last of them contains an array or object.
fn holds_sections(array: Value<'_>) -> bool {
    let is_section = |element: Value<'_>| {
        let mut members = element.members().take(MOST_NAMES);
        members.any(|(_, member)| member.kind().is_container() && !member.is_empty())
    };
    let is_object = |element: Value<'_>| element.kind() == Kind::Object;
    let mut some = array.elements().take(MOST_NAMES).chain(array.last());
    array.elements().take(MOST_NAMES).all(is_object) && some.any(is_section)
}

/// Returns the number of containers around and including the section that the document ends in; 0
/// if it does not end in an element of an array of sections.
pub(super) fn depth(root: Value<'_>) -> usize {
    let mut depth = 0;
    let mut value = root;
    loop {
        depth += 1;
        let Some(last) = value.last().filter(|last| !last.is_complete()) else {
            return 0;
        };
        if value.kind() == Kind::Array {
            // Only an array whose ancestors are objects has sections as elements.
            return if holds_sections(value) { depth + 1 } else { 0 };
        }
        value = last;
    }
}
