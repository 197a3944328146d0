//! What holds for all entities, in any text around, however it is split. What holds for single
//! events, the listener asserts.

use json_chunks::{Entities, EntityEvent, EntityMode, EntityStatus};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

use super::replay::{decoded, value};
use super::support::feed::pieces;
use super::support::json::{Json, text};
use super::support::tape::Tape;
use super::support::write::{Hand, write};
use super::support::writing::{documents, tapes};
use super::support::{CASES, config};
use super::{MODES, listen};

fn elements() -> impl Strategy<Value = Vec<Json>> {
    proptest::collection::vec(documents(), 0..5)
}

/// An array of entities with more around it, and how to find it.
fn around(list: Json, other: Json, tape: &mut Tape<'_>) -> (Json, fn(Entities) -> Entities) {
    let decoy = (text("list?"), other);
    let member = (text("list"), list.clone());
    match tape.below(4) {
        0 => (list, |entities| entities),
        1 => (Json::Obj(vec![member]), |entities| entities.named("list")),
        2 => (Json::Obj(vec![decoy, member]), |entities| {
            entities.pointer("/list")
        }),
        _ => {
            let inner = Json::Obj(vec![member, decoy]);
            (Json::Arr(vec![Json::Null, inner]), |entities| {
                entities.pointer("/1/list")
            })
        }
    }
}

/// What of `whole` may be shown while it is being written: members and elements in their order,
/// all but the last of them whole, and where nothing partial is shown the last one, too.
fn is_beginning(part: &Json, whole: &Json, zero_values: bool, is_whole: bool) -> bool {
    let is_zero = zero_values
        && match (part, whole) {
            (Json::Null, Json::Null) | (Json::Bool(false), Json::Bool(_)) => true,
            (Json::Num(part), Json::Num(_)) => part == "0",
            (Json::Str(part), Json::Str(_)) => part.is_empty(),
            (Json::Arr(part), Json::Arr(_)) => part.is_empty(),
            (Json::Obj(part), Json::Obj(_)) => part.is_empty(),
            _ => false,
        };
    if is_zero || part == whole {
        return true;
    }
    if is_whole {
        return false;
    }
    match (part, whole) {
        (Json::Str(part), Json::Str(whole)) => whole.starts_with(part),
        (Json::Num(part), Json::Num(whole)) => whole.starts_with(part.as_str()),
        (Json::Arr(part), Json::Arr(whole)) => {
            let pairs: Vec<_> = part.iter().zip(whole).collect();
            part.len() <= whole.len() && are_beginnings(&pairs, zero_values)
        }
        (Json::Obj(part), Json::Obj(whole)) => {
            let pairs: Vec<_> = part
                .iter()
                .zip(whole)
                .map(|((_, a), (_, b))| (a, b))
                .collect();
            let names = part.iter().zip(whole).all(|((a, _), (b, _))| a == b);
            part.len() <= whole.len() && names && are_beginnings(&pairs, zero_values)
        }
        _ => false,
    }
}

fn are_beginnings(pairs: &[(&Json, &Json)], zero_values: bool) -> bool {
    let Some(((part, whole), done)) = pairs.split_last() else {
        return true;
    };
    done.iter().all(|(part, whole)| part == whole) && is_beginning(part, whole, zero_values, false)
}

/// In the mode `Progressive`, only the entity itself is partial.
fn is_progress(part: &Json, whole: &Json, zero_values: bool) -> bool {
    let children = |value: &Json| match value {
        Json::Arr(elements) => elements.clone(),
        Json::Obj(members) => members.iter().map(|(_, value)| value.clone()).collect(),
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => Vec::new(),
    };
    is_beginning(part, whole, zero_values, false)
        && children(part)
            .iter()
            .zip(&children(whole))
            .all(|(part, whole)| is_beginning(part, whole, zero_values, true))
}

/// Names that are alike once their lone surrogates are U+FFFD are one.
fn order_is_kept(value: &Json) -> bool {
    match value {
        Json::Arr(elements) => elements.iter().all(order_is_kept),
        Json::Obj(members) => {
            let Json::Obj(known) = decoded(value.clone()) else {
                unreachable!()
            };
            known.len() == members.len() && members.iter().all(|(_, value)| order_is_kept(value))
        }
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => true,
    }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn every_entity_is_completed_once_and_shown_as_it_grows(
        elements in elements(),
        other in documents(),
        bytes in tapes(),
        mode in proptest::sample::select(&MODES[..]),
        zero_values in proptest::bool::ANY,
    ) {
        let tape = &mut Tape::new(&bytes);
        let elements: Vec<Json> = elements.into_iter().filter(order_is_kept).collect();
        let (document, find) = around(Json::Arr(elements.clone()), other, tape);
        // The order of members is that of the text.
        let mut style = Hand::any(tape).style(tape);
        style.order = 0;
        let written = write(&document, style);
        let mut entities = find(Entities::new(mode).zero_values(zero_values));
        let events = listen(&mut entities, mode, pieces(written.as_bytes(), tape));
        prop_assert_eq!(entities.error(), None);

        let elements: Vec<Json> = elements.into_iter().map(decoded).collect();
        let data = |event: &EntityEvent| value(event.data.as_ref().unwrap());
        let completed: Vec<_> =
            events.iter().filter(|event| event.status == EntityStatus::Completed).collect();
        if mode == EntityMode::Batch {
            prop_assert_eq!((events.len(), completed.len()), (1, 1));
            prop_assert_eq!(data(completed[0]), Json::Arr(elements));
            return Ok(());
        }
        let values: Vec<Json> = completed.iter().map(|event| data(event)).collect();
        prop_assert_eq!(&values, &elements);
        prop_assert!(completed.iter().enumerate().all(|(n, event)| event.index == Some(n)));
        for event in events.iter().filter(|event| event.status == EntityStatus::Partial) {
            let (part, whole) = (data(event), &elements[event.index.unwrap()]);
            let is_right = match mode {
                EntityMode::Realtime => is_beginning(&part, whole, zero_values, false),
                EntityMode::Progressive => is_progress(&part, whole, zero_values),
                EntityMode::Batch | EntityMode::AllTogether | EntityMode::OneByOne => false,
            };
            prop_assert!(is_right, "{:?} of {:?} in {}", part, whole, mode);
        }
    }

    /// What is complete before the error is told, and told once.
    #[test]
    fn a_text_that_breaks_off_keeps_what_was_complete(
        elements in elements(),
        bytes in tapes(),
        cut in proptest::sample::select(&[1_usize, 2, 3, 5, 9, 20, 60][..]),
        mode in proptest::sample::select(&MODES[1..]),
    ) {
        let tape = &mut Tape::new(&bytes);
        let elements: Vec<Json> = elements.into_iter().filter(order_is_kept).collect();
        let written = write(&Json::Arr(elements.clone()), Hand::any(tape).style(tape));
        let written = written.trim_end();
        let end = written.len().saturating_sub(cut);
        let mut entities = Entities::new(mode);
        let events = listen(&mut entities, mode, pieces(&written.as_bytes()[..end], tape));
        let last = events.last().unwrap();
        prop_assert_eq!(last.status, EntityStatus::Error);
        let told = events.iter().filter(|event| event.status != EntityStatus::Partial);
        let told: Vec<_> = told.take_while(|event| event.status == EntityStatus::Completed).collect();
        let whole = entities.parser().root().map_or(0, |root| {
            root.elements().filter(|element| element.is_complete()).count()
        });
        prop_assert_eq!(told.len(), whole);
        for (event, element) in told.iter().zip(&elements) {
            prop_assert_eq!(value(event.data.as_ref().unwrap()), decoded(element.clone()));
        }
    }
}
