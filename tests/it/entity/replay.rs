//! Replays deltas on a JSON model that is independent of the crate.

use json_chunks::entity::{Delta, DeltaChange};

use json_chunks_testing::json::{Json, REPLACEMENT, Text, text};
use json_chunks_testing::read::{Duplicates, read};

/// The value of a text. Unpaired escaped surrogates are U+FFFD, as in decoded text.
pub(crate) fn value(json: &str) -> Json {
    decoded(read(json, Duplicates::LastWins).unwrap_or_else(|why| panic!("{why}: {json}")))
}

pub(crate) fn decoded(value: Json) -> Json {
    match value {
        Json::Str(text) => Json::Str(characters(&text)),
        Json::Arr(elements) => Json::Arr(elements.into_iter().map(decoded).collect()),
        Json::Obj(members) => {
            let mut object = Vec::new();
            for (name, value) in members {
                put(&mut object, characters(&name), decoded(value));
            }
            Json::Obj(object)
        }
        Json::Null | Json::Bool(_) | Json::Num(_) => value,
    }
}

fn characters(text: &[u32]) -> Text {
    let decode = |&code: &u32| char::from_u32(code).map_or(REPLACEMENT, u32::from);
    text.iter().map(decode).collect()
}

/// The last of several members with the same name wins.
fn put(object: &mut Vec<(Text, Json)>, name: Text, value: Json) {
    match object.iter_mut().find(|(known, _)| *known == name) {
        Some((_, place)) => *place = value,
        None => object.push((name, value)),
    }
}

/// Returns the data after these steps.
pub(crate) fn apply(mut data: Option<Json>, delta: &[Delta]) -> Option<Json> {
    for step in delta {
        let tokens: Vec<Text> = step.path.split('/').skip(1).map(name).collect();
        match (&step.change, tokens.split_last()) {
            (DeltaChange::Value(new), None) => data = Some(value(new)),
            (DeltaChange::Value(new), Some((last, around))) => {
                let around = at(data.as_mut().unwrap(), around);
                match around {
                    Json::Obj(members) => put(members, last.clone(), value(new)),
                    Json::Arr(elements) => {
                        let index = index(last);
                        assert!(index <= elements.len(), "{step:?}");
                        elements.truncate(index);
                        elements.push(value(new));
                    }
                    _ => panic!("{step:?}"),
                }
            }
            (DeltaChange::Append(more), _) => match at(data.as_mut().unwrap(), &tokens) {
                Json::Str(string) => string.extend(text(more)),
                _ => panic!("{step:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
    data
}

fn name(token: &str) -> Text {
    text(&token.replace("~1", "/").replace("~0", "~"))
}

fn index(token: &[u32]) -> usize {
    let digits: String = token
        .iter()
        .filter_map(|&code| char::from_u32(code))
        .collect();
    digits.parse().unwrap()
}

fn at<'a>(value: &'a mut Json, tokens: &[Text]) -> &'a mut Json {
    let mut here = value;
    for token in tokens {
        here = match here {
            Json::Obj(members) => members
                .iter_mut()
                .find(|(name, _)| name == token)
                .map(|(_, value)| value)
                .unwrap(),
            Json::Arr(elements) => &mut elements[index(token)],
            _ => panic!("no way to {token:?}"),
        };
    }
    here
}
