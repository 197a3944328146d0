//! Laws for all entities, in any surrounding text and for any split. The laws for single events are
//! asserted by the listener.

use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityStatus};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

use super::replay::{decoded, value};
use super::{MODES, listen};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::json::{Json, text};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};

fn elements() -> impl Strategy<Value = Vec<Json>> {
    proptest::collection::vec(documents(), 0..5)
}

/// An array of entities with other values around it, and its selector.
fn around(
    list: Json,
    other: Json,
    source: &mut ByteSource<'_>,
) -> (Json, fn(EntityDetector) -> EntityDetector) {
    let decoy = (text("list?"), other);
    let member = (text("list"), list.clone());
    match source.below(4) {
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

/// Returns whether this may be published while `whole` is written: a prefix of its members and
/// elements, of which only the last may be partial, and only in modes that publish partial values.
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

/// In the mode `Progressive` only the entity itself may be partial.
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

/// Names that differ only in unpaired surrogates are the same, because these become U+FFFD.
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
    fn every_entity_grows_and_completes_once(
        elements in elements(),
        other in documents(),
        bytes in choice_bytes(),
        mode in proptest::sample::select(&MODES[..]),
        zero_values in proptest::bool::ANY,
    ) {
        let source = &mut ByteSource::new(&bytes);
        let elements: Vec<Json> = elements.into_iter().filter(order_is_kept).collect();
        let (document, find) = around(Json::Arr(elements.clone()), other, source);
        // The order of members is that of the text.
        let mut style = Styles::any(source).style(source);
        style.order = 0;
        let written = write(&document, style);
        let mut entities = find(EntityDetector::new(mode).zero_values(zero_values));
        let events = listen(&mut entities, mode, pieces(written.as_bytes(), source));
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

    /// Entities that are complete before the error are reported, once.
    #[test]
    fn truncated_text_keeps_complete_entities(
        elements in elements(),
        bytes in choice_bytes(),
        cut in proptest::sample::select(&[1_usize, 2, 3, 5, 9, 20, 60][..]),
        mode in proptest::sample::select(&MODES[1..]),
    ) {
        let source = &mut ByteSource::new(&bytes);
        let elements: Vec<Json> = elements.into_iter().filter(order_is_kept).collect();
        let written = write(&Json::Arr(elements.clone()), Styles::any(source).style(source));
        let written = written.trim_end();
        let end = written.len().saturating_sub(cut);
        let mut entities = EntityDetector::new(mode);
        let events = listen(&mut entities, mode, pieces(&written.as_bytes()[..end], source));
        let last = events.last().unwrap();
        prop_assert_eq!(last.status, EntityStatus::Error);
        let reported = events.iter().filter(|event| event.status != EntityStatus::Partial);
        let reported: Vec<_> = reported.take_while(|event| event.status == EntityStatus::Completed).collect();
        let whole = entities.root().map_or(0, |root| {
            root.elements().filter(|element| element.is_complete()).count()
        });
        prop_assert_eq!(reported.len(), whole);
        for (event, element) in reported.iter().zip(&elements) {
            prop_assert_eq!(value(event.data.as_ref().unwrap()), decoded(element.clone()));
        }
    }
}
