//! Producers that break the rules.

use super::json::{Json, Text, text};
use super::tape::Tape;

/// Snapshots in which, now and then, something contradicts what came before.
pub(crate) fn contradicted(snapshots: Vec<Json>, tape: &mut Tape<'_>) -> Vec<Json> {
    let mut broken: Vec<Json> = snapshots
        .into_iter()
        .map(|mut snapshot| {
            if tape.once_in(4) {
                contradict_one_node(&mut snapshot, tape);
            }
            snapshot
        })
        .collect();
    match tape.below(8) {
        6 => broken.reverse(),
        7 => {
            let middle = broken.len() / 2;
            broken.rotate_left(middle);
        }
        _ => {}
    }
    broken
}

fn contradict_one_node(value: &mut Json, tape: &mut Tape<'_>) {
    let mut chosen = tape.below(count(value).min(256));
    contradict(value, &mut chosen, tape);
}

fn count(value: &Json) -> usize {
    1 + match value {
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => 0,
        Json::Arr(elements) => elements.iter().map(count).sum(),
        Json::Obj(members) => members.iter().map(|(_, value)| count(value)).sum(),
    }
}

/// Contradicts the node that is `chosen` nodes further on, in the order of the text.
fn contradict(value: &mut Json, chosen: &mut usize, tape: &mut Tape<'_>) -> bool {
    if *chosen == 0 {
        contradict_this(value, tape);
        return true;
    }
    *chosen -= 1;
    match value {
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => false,
        Json::Arr(elements) => elements
            .iter_mut()
            .any(|element| contradict(element, chosen, tape)),
        Json::Obj(members) => members
            .iter_mut()
            .any(|(_, value)| contradict(value, chosen, tape)),
    }
}

fn contradict_this(value: &mut Json, tape: &mut Tape<'_>) {
    if tape.once_in(4) {
        *value = tape
            .one_of(&[
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
        Json::Str(characters) => match tape.below(3) {
            0 => characters.truncate(characters.len() / 2),
            1 => characters.insert(0, u32::from('x')),
            _ => characters.push(u32::from('x')),
        },
        Json::Arr(elements) => match tape.below(4) {
            0 => {
                elements.pop();
            }
            1 => elements.reverse(),
            2 => elements.push(Json::Str(text("x"))),
            _ => elements.clear(),
        },
        Json::Obj(members) => match tape.below(3) {
            0 if !members.is_empty() => {
                members.remove(tape.below(members.len().min(256)));
            }
            1 => members.clear(),
            _ => {
                members.retain(|(name, _)| *name != text("x"));
                members.push((text("x"), Json::Str(text("x"))));
            }
        },
    }
}

/// A snapshot's text as it must not be: cut off, with a wrong byte in it, or far too deep. It may
/// happen to be JSON all the same.
pub(crate) fn damaged(text: &str, tape: &mut Tape<'_>) -> String {
    let mut place = tape.below(256) * text.len() / 256;
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    let (before, behind) = text.split_at(place);
    match tape.below(4) {
        0 => before.to_owned(),
        1 => {
            let wrong = *tape.one_of(&['\u{0}', '"', '\\', ',', '}', ']', '0', 'x', 'é', ':']);
            let behind: String = behind.chars().skip(1).collect();
            format!("{before}{wrong}{behind}")
        }
        2 => {
            let behind: String = behind.chars().skip(1).collect();
            format!("{before}{behind}")
        }
        _ => format!("{}{text}", *tape.one_of(&["[[[[", "{\"a\":[", "[\"a\","]))
            .replace('[', &"[".repeat(1000)),
    }
}
