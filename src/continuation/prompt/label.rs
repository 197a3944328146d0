//! The names by which a prompt refers to objects, elements and what they contain.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::excerpt::start_of;
use crate::document::{Kind, PartialPolicy, Value};

/// The longest name, in bytes.
pub(super) const LONGEST_NAME: usize = 60;

/// How many arrays of a section object are counted.
const MOST_COUNTS: usize = 8;

/// How many levels of arrays in a section object are counted.
const MOST_LEVELS: usize = 3;

/// Names of members that identify an object, the best first.
const LABELS: [&str; 6] = ["title", "name", "heading", "id", "key", "type"];

/// Names of members that contain the type of an object.
const TYPES: [&str; 4] = ["type", "content_type", "contentType", "kind"];

/// Returns the type of an object by its member `type` or the like, unless that is its label
/// already.
pub(super) fn type_name(object: Value<'_>) -> Option<String> {
    let name = TYPES
        .into_iter()
        .find_map(|name| object.get(name)?.as_str())?;
    let name = start_of(name, LONGEST_NAME);
    (name != label(object)).then_some(name)
}

/// Returns the names and lengths of the arrays in an object, in the order of the text. Arrays in
/// its objects, and in the elements of its arrays, are counted as well.
pub(super) fn counts(object: Value<'_>) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    count(object, MOST_LEVELS, &mut counts);
    counts
}

fn count(object: Value<'_>, levels: usize, counts: &mut Vec<(String, usize)>) {
    let Some(levels) = levels.checked_sub(1) else {
        return;
    };
    for (name, member) in object.members() {
        if member.kind() == Kind::Object {
            count(member, levels, counts);
        }
        if member.kind() != Kind::Array {
            continue;
        }
        let is_full = counts.len() == MOST_COUNTS;
        match counts.iter_mut().find(|(own, _)| *own == name) {
            Some((_, count)) => *count += member.len(),
            None if is_full => {}
            None => counts.push((start_of(&name, LONGEST_NAME), member.len())),
        }
        for element in member.elements() {
            count(element, levels, counts);
        }
    }
}

/// Returns the label of an element: for an object the text of its title, name or the like, for a
/// string or number its text.
pub(super) fn label(element: Value<'_>) -> String {
    let scalar = |value: Value<'_>| value.as_str().or(value.as_number()).map(str::to_owned);
    let best_member = |object: Value<'_>| {
        let mut members = object.members().filter_map(|(name, value)| {
            let rank = LABELS.iter().position(|label| *label == name);
            let text = scalar(value)?;
            Some((rank.unwrap_or(LABELS.len()), text))
        });
        // Of several with the same rank the first counts.
        let first = members.next()?;
        let best = members.fold(
            first,
            |best, next| if next.0 < best.0 { next } else { best },
        );
        Some(best.1)
    };
    let name = match element.kind() {
        Kind::Object => best_member(element),
        Kind::String | Kind::Number => scalar(element),
        Kind::Null | Kind::True | Kind::False | Kind::Array => None,
    };
    let name = name.unwrap_or_else(|| match element.kind() {
        Kind::Array => "[…]".to_owned(),
        Kind::Object => "{…}".to_owned(),
        _ => element.to_json(PartialPolicy::default()),
    });
    start_of(&name, LONGEST_NAME)
}
