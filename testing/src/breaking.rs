//! Producers that break the rules: contradictions and damaged text.

use crate::byte_source::ByteSource;
use crate::json::{Json, Text, text};

/// Returns the snapshots with random contradictions to earlier ones.
pub fn contradicted(snapshots: Vec<Json>, source: &mut ByteSource<'_>) -> Vec<Json> {
    let mut broken: Vec<Json> = snapshots
        .into_iter()
        .map(|mut snapshot| {
            if source.one_in(4) {
                contradict_one_node(&mut snapshot, source);
            }
            snapshot
        })
        .collect();
    match source.below(8) {
        6 => broken.reverse(),
        7 => {
            let middle = broken.len() / 2;
            broken.rotate_left(middle);
        }
        _ => {}
    }
    broken
}

fn contradict_one_node(value: &mut Json, source: &mut ByteSource<'_>) {
    let mut chosen = source.below(count(value).min(256));
    contradict(value, &mut chosen, source);
}

fn count(value: &Json) -> usize {
    1 + match value {
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => 0,
        Json::Arr(elements) => elements.iter().map(count).sum(),
        Json::Obj(members) => members.iter().map(|(_, value)| count(value)).sum(),
    }
}

/// Contradicts the node `chosen` nodes after this one, in the order of the text. Returns whether
/// there is such a node.
fn contradict(value: &mut Json, chosen: &mut usize, source: &mut ByteSource<'_>) -> bool {
    if *chosen == 0 {
        contradict_this(value, source);
        return true;
    }
    *chosen -= 1;
    match value {
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => false,
        Json::Arr(elements) => elements
            .iter_mut()
            .any(|element| contradict(element, chosen, source)),
        Json::Obj(members) => members
            .iter_mut()
            .any(|(_, value)| contradict(value, chosen, source)),
    }
}

fn contradict_this(value: &mut Json, source: &mut ByteSource<'_>) {
    if source.one_in(4) {
        *value = source
            .choose(&[
                Json::Null,
                Json::Bool(true),
                Json::Num("7".to_owned()),
                Json::Str(Text::new()),
                Json::Arr(vec![Json::Null]),
                Json::Obj(Vec::new()),
            ])
            .clone();
        return;
    }
    match value {
        Json::Null | Json::Bool(_) => *value = Json::Bool(false),
        Json::Num(number) if number == "0" || number == "-0" => number.push_str(".5"),
        Json::Num(number) => number.push('0'),
        Json::Str(characters) => match source.below(3) {
            0 => characters.truncate(characters.len() / 2),
            1 => characters.insert(0, u32::from('x')),
            _ => characters.push(u32::from('x')),
        },
        Json::Arr(elements) => match source.below(4) {
            0 => {
                elements.pop();
            }
            1 => elements.reverse(),
            2 => elements.push(Json::Str(text("x"))),
            _ => elements.clear(),
        },
        Json::Obj(members) => match source.below(3) {
            0 if !members.is_empty() => {
                members.remove(source.below(members.len().min(256)));
            }
            1 => members.clear(),
            _ => {
                members.retain(|(name, _)| *name != text("x"));
                members.push((text("x"), Json::Str(text("x"))));
            }
        },
    }
}

/// Returns a damaged text: truncated, with a byte replaced or removed, or nested too deeply. It may
/// still be valid JSON.
pub fn damaged(text: &str, source: &mut ByteSource<'_>) -> String {
    let mut place = source.below(256) * text.len() / 256;
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    let (before, after) = text.split_at(place);
    match source.below(4) {
        0 => before.to_owned(),
        1 => {
            let wrong = *source.choose(&['\u{0}', '"', '\\', ',', '}', ']', '0', 'x', 'é', ':']);
            let after: String = after.chars().skip(1).collect();
            format!("{before}{wrong}{after}")
        }
        2 => {
            let after: String = after.chars().skip(1).collect();
            format!("{before}{after}")
        }
        _ => format!("{}{text}", *source.choose(&["[[[[", "{\"a\":[", "[\"a\","]))
            .replace('[', &"[".repeat(1000)),
    }
}
