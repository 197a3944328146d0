//! JSON Patch (RFC 6902) and deltas, applied to the model by the letter.

use crate::json::{Json, REPLACEMENT, Text, text};
use crate::read::{Duplicates, read};

/// Reads a text. Unpaired escaped surrogates are U+FFFD, and of members that have one name then,
/// the last one counts.
pub fn value(json: &str) -> Json {
    decoded(read(json, Duplicates::LastWins).unwrap_or_else(|why| panic!("{why}: {json}")))
}

/// Returns the value with U+FFFD in place of unpaired surrogates.
pub fn decoded(value: Json) -> Json {
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

/// Sets a member: the one that is there, or a new one.
fn put(object: &mut Vec<(Text, Json)>, name: Text, value: Json) {
    match object.iter_mut().find(|(known, _)| *known == name) {
        Some((_, place)) => *place = value,
        None => object.push((name, value)),
    }
}

/// Applies a list of operations, as JSON text, to a document.
pub fn apply_patch(document: &mut Json, patch: &str) -> Result<(), String> {
    let Json::Arr(operations) = value(patch) else {
        return Err("a patch is an array".to_owned());
    };
    for operation in &operations {
        apply_operation(document, operation).map_err(|why| format!("{why}: {operation:?}"))?;
    }
    Ok(())
}

fn apply_operation(document: &mut Json, operation: &Json) -> Result<(), String> {
    let (op, path) = (string(operation, "op")?, string(operation, "path")?);
    let new = operation.member(&text("value")).ok_or("no value")?.clone();
    let tokens = tokens(&path)?;
    let Some((last, around)) = tokens.split_last() else {
        // The root always exists.
        *document = new;
        return Ok(());
    };
    let around = descend(document, around)?;
    match (op.as_str(), around) {
        // "If the target location specifies an object member that does exist, that member's value
        // is replaced."
        ("add", Json::Obj(members)) => put(members, text(last), new),
        ("add", Json::Arr(elements)) => {
            let at = if last == "-" {
                elements.len()
            } else {
                index(last)?
            };
            if at > elements.len() {
                return Err(format!("{at} is greater than the length"));
            }
            elements.insert(at, new);
        }
        // "The target location MUST exist for the operation to be successful."
        ("replace", around) => *child(around, last)? = new,
        (other, _) => return Err(format!("{other:?} is not possible")),
    }
    Ok(())
}

/// Applies a list of deltas, as JSON text. The document does not exist before the first.
pub fn apply_deltas(document: &mut Option<Json>, deltas: &str) -> Result<(), String> {
    let Json::Arr(deltas) = value(deltas) else {
        return Err("deltas are an array".to_owned());
    };
    for delta in &deltas {
        apply_delta(document, delta).map_err(|why| format!("{why}: {delta:?}"))?;
    }
    Ok(())
}

fn apply_delta(document: &mut Option<Json>, delta: &Json) -> Result<(), String> {
    let path = string(delta, "path")?;
    let tokens = tokens(&path)?;
    let new = delta.member(&text("value")).cloned();
    if tokens.is_empty()
        && let Some(new) = new
    {
        *document = Some(new);
        return Ok(());
    }
    let document = document.as_mut().ok_or("there is no document")?;
    let Some(new) = new else {
        let Json::Str(string) = descend(document, &tokens)? else {
            return Err("no string".to_owned());
        };
        match delta.member(&text("append")) {
            Some(Json::Str(more)) => string.extend(more),
            _ => return Err("neither `value` nor `append`".to_owned()),
        }
        return Ok(());
    };
    let (last, around) = tokens.split_last().ok_or("no path")?;
    match descend(document, around)? {
        Json::Obj(members) => put(members, text(last), new),
        Json::Arr(elements) => match index(last)? {
            at if at < elements.len() => elements[at] = new,
            at if at == elements.len() => elements.push(new),
            at => return Err(format!("{at} is greater than the length")),
        },
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => {
            return Err("no container".to_owned());
        }
    }
    Ok(())
}

fn string(object: &Json, name: &str) -> Result<String, String> {
    match object.member(&text(name)) {
        Some(Json::Str(text)) => {
            let characters = text.iter().map(|&code| char::from_u32(code));
            characters
                .collect::<Option<_>>()
                .ok_or("half a character".to_owned())
        }
        _ => Err(format!("no {name}")),
    }
}

fn tokens(path: &str) -> Result<Vec<String>, String> {
    let mut tokens = path.split('/');
    if tokens.next() != Some("") {
        return Err("no JSON Pointer".to_owned());
    }
    let read = |token: &str| token.replace("~1", "/").replace("~0", "~");
    Ok(tokens.map(read).collect())
}

fn index(token: &str) -> Result<usize, String> {
    let is_canonical = token == "0" || !token.starts_with('0');
    let index = token.parse().ok().filter(|_| is_canonical);
    index.ok_or(format!("{token:?} is no index"))
}

fn descend<'a>(document: &'a mut Json, tokens: &[String]) -> Result<&'a mut Json, String> {
    tokens
        .iter()
        .try_fold(document, |here, token| child(here, token))
}

fn child<'a>(container: &'a mut Json, token: &str) -> Result<&'a mut Json, String> {
    let child = match container {
        Json::Obj(members) => {
            let name = text(token);
            let member = members.iter_mut().find(|(known, _)| *known == name);
            member.map(|(_, value)| value)
        }
        Json::Arr(elements) => elements.get_mut(index(token)?),
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => None,
    };
    child.ok_or(format!("no {token:?}"))
}
