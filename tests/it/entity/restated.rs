//! Restated entities: the last of several members with the same name wins.

use std::collections::BTreeMap;

use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityStatus};

use super::{MODES, apply, line, listen, tells, value};
use json_chunks_testing::json::Json;

/// The data of a client that knows only the rule of `restatement`: all entities that are not void,
/// by index.
fn client(events: &[EntityEvent]) -> BTreeMap<usize, Json> {
    let mut entities = BTreeMap::new();
    let mut restatement = 0;
    for event in events {
        let Some(index) = event.index else { continue };
        if event.restatement > restatement {
            restatement = event.restatement;
            entities.split_off(&index);
            continue;
        }
        match &event.delta {
            Some(delta) => {
                let data = apply(entities.remove(&index), delta).unwrap();
                entities.insert(index, data);
            }
            None => {
                entities.insert(index, value(event.data.as_ref().unwrap()));
            }
        }
    }
    entities
}

/// Asserts that the client ends with these entities, in every mode and for every split.
fn ends_with(detector: impl Fn(EntityMode) -> EntityDetector, text: &str, expected: &[&str]) {
    let expected: Vec<Json> = expected.iter().map(|text| value(text)).collect();
    for mode in MODES {
        tells(&detector(mode), mode, text);
        let whole = vec![text.as_bytes()];
        let splits = (0..=text.len()).map(|at| text.as_bytes().split_at(at));
        let splits = splits.map(|(head, tail)| vec![head, tail]);
        let bytes = text.as_bytes().chunks(1).collect();
        for pieces in splits.chain([whole, bytes]) {
            let events = listen(&mut detector(mode), mode, &pieces);
            let entities: Vec<Json> = if mode == EntityMode::Batch {
                match events.first().and_then(|event| event.data.as_ref()) {
                    Some(data) => {
                        let Json::Arr(entities) = value(data) else {
                            panic!("{data}")
                        };
                        entities
                    }
                    None => Vec::new(),
                }
            } else {
                let entities = client(&events);
                assert!(entities.keys().copied().eq(0..entities.len()), "{text}");
                entities.into_values().collect()
            };
            assert_eq!(entities, expected, "{mode}: {text} in {}", pieces.len());
        }
    }
}

#[test]
fn restated_member_of_entity_replaces_first_one() {
    let root = EntityDetector::new;
    let tokyo = r#"{"city":"Tokyo","days":3}"#;
    let text = r#"{"city":"Tokio","city":"Tokyo","days":3}"#;
    ends_with(root, text, &[tokyo]);
    let text = format!("[{text},{{\"city\":\"Nara\"}}]");
    ends_with(root, &text, &[tokyo, r#"{"city":"Nara"}"#]);
    // Restated after other members, as another kind, nested, and in another spelling.
    ends_with(
        root,
        r#"{"city":"Tokio","days":3,"city":"Tokyo"}"#,
        &[tokyo],
    );
    ends_with(root, r#"{"a":{"b":1},"a":[1,2]}"#, &[r#"{"a":[1,2]}"#]);
    ends_with(root, r#"{"a":"x","a":null}"#, &[r#"{"a":null}"#]);
    ends_with(
        root,
        r#"{"a":{"b":{"c":"x","c":"y"},"b":{"d":1}},"e":true,"e":-1}"#,
        &[r#"{"a":{"b":{"d":1}},"e":-1}"#],
    );
    ends_with(root, r#"{"a":1,"\u0061":2}"#, &[r#"{"a":2}"#]);
}

#[test]
fn restated_member_is_emitted_as_it_grows() {
    let mut entities = EntityDetector::new(EntityMode::Realtime);
    let mut reported = Vec::new();
    for fragment in [r#"{"city":"Tokio","#, r#""city":"#, "\"To", "kyo\"", "}"] {
        reported.extend(entities.push(fragment).map(|event| line(&event)));
    }
    assert_eq!(
        reported,
        [
            r#"0 PARTIAL {"city":"Tokio"}"#,
            r#"0 PARTIAL {"city":"To"}"#,
            r#"0 PARTIAL {"city":"Tokyo"}"#,
            r#"0 COMPLETED {"city":"Tokyo"}"#,
        ]
    );
    // A mode that does not publish partial members keeps the previous value until then.
    let mut entities = EntityDetector::new(EntityMode::Progressive);
    let mut reported = Vec::new();
    for fragment in [r#"{"city":"Tokio","#, r#""city":"To"#, "kyo\"", "}"] {
        reported.extend(entities.push(fragment).map(|event| line(&event)));
    }
    assert_eq!(
        reported,
        [
            r#"0 PARTIAL {"city":"Tokio"}"#,
            r#"0 PARTIAL {"city":"Tokyo"}"#,
            r#"0 COMPLETED {"city":"Tokyo"}"#,
        ]
    );
}

#[test]
fn restated_array_starts_over() {
    let named = |mode| EntityDetector::new(mode).named("list");
    let pointed = |mode| EntityDetector::new(mode).pointer("/list");
    for (text, expected) in [
        // Longer, shorter, empty.
        (
            r#"{"list":[1],"list":["a","b"]}"#,
            &[r#""a""#, r#""b""#][..],
        ),
        (
            r#"{"list":[{"a":1},{"b":2}],"list":[{"c":3}]}"#,
            &[r#"{"c":3}"#],
        ),
        (r#"{"list":[],"list":[1]}"#, &["1"]),
        (r#"{"list":[1,{}],"list":[]}"#, &[]),
        // More than once.
        (r#"{"list":[1,2],"list":[3,4],"list":[5,6]}"#, &["5", "6"]),
        // With other members around it.
        (r#"{"a":1,"list":[1],"b":[2],"list":[3],"c":4}"#, &["3"]),
        // As one entity.
        (r#"{"list":[1,2],"list":{"a":1}}"#, &[r#"{"a":1}"#]),
        (r#"{"list":{"a":1},"list":{"b":"x"}}"#, &[r#"{"b":"x"}"#]),
        // Equal to what it was.
        (r#"{"list":[{"a":1}],"list":[{"a":1}]}"#, &[r#"{"a":1}"#]),
    ] {
        ends_with(named, text, expected);
        ends_with(pointed, text, expected);
    }
}

#[test]
fn array_in_restated_member_starts_over() {
    for (text, expected) in [
        (r#"{"a":{"list":[1,2]},"a":{"list":[3]}}"#, &["3"][..]),
        (
            r#"{"a":{"b":1,"list":[1]},"c":[],"a":{"b":{},"list":[2,3]}}"#,
            &["2", "3"],
        ),
    ] {
        ends_with(
            |mode| EntityDetector::new(mode).named("list"),
            text,
            expected,
        );
        ends_with(
            |mode| EntityDetector::new(mode).pointer("/a/list"),
            text,
            expected,
        );
    }
    // The same name in another object restates nothing.
    for text in [
        r#"{"list":[1],"a":{"list":[2]}}"#,
        r#"{"a":{"list":[1]},"list":[2]}"#,
        r#"{"b":1,"list":[1],"b":{"list":[2]},"b":3}"#,
    ] {
        ends_with(|mode| EntityDetector::new(mode).named("list"), text, &["1"]);
    }
}

#[test]
fn removed_entities_are_not_found() {
    for text in [
        r#"{"list":[1],"list":null}"#,
        r#"{"a":{"list":[1]},"a":{}}"#,
        r#"{"a":{"list":[1]},"a":[]}"#,
    ] {
        for mode in MODES {
            let mut entities = EntityDetector::new(mode).named("list");
            let events = listen(&mut entities, mode, [text]);
            assert!(!entities.is_found(), "{mode}: {text}");
            let waits = matches!(mode, EntityMode::Batch | EntityMode::AllTogether);
            // The entity, and the event that voids it.
            assert_eq!(events.len(), if waits { 0 } else { 2 }, "{mode}: {text}");
            assert!(client(&events).is_empty());
        }
    }
}

#[test]
fn each_statement_has_one_last_event_per_entity() {
    let text = r#"{"list":[{"a":1},2],"list":[{"a":10},{"b":2},3]}"#;
    let mut entities = EntityDetector::new(EntityMode::Realtime).named("list");
    let events = listen(
        &mut entities,
        EntityMode::Realtime,
        text.as_bytes().chunks(1),
    );
    let last: Vec<_> = events
        .iter()
        .filter(|event| event.status == EntityStatus::Completed)
        .map(|event| (event.restatement, event.index.unwrap()))
        .collect();
    assert_eq!(last, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]);
    assert!(!events[0].to_json().contains("restatement"));
    let json = events.last().unwrap().to_json();
    assert!(json.ends_with(r#","restatement":1}"#), "{json}");
    let by_serde: Json = value(&serde_json::to_string(events.last().unwrap()).unwrap());
    assert_eq!(by_serde, value(&json));
}

/// Entities of earlier values stay, and so do their indices.
#[test]
fn restatement_affects_only_its_own_value() {
    let detector = |mode| {
        EntityDetector::new(mode)
            .named("list")
            .multiple_values(true)
    };
    let text = r#"{"list":[1,2]}{"list":[3,4],"list":[5]}{"list":[6],"list":[7]}"#;
    ends_with(detector, text, &["1", "2", "5", "7"]);
}

#[test]
fn truncated_text_in_restated_array_fails_its_entity() {
    let text = r#"{"list":[1,2],"list":[{"a":"x"#;
    let mut entities = EntityDetector::new(EntityMode::OneByOne).named("list");
    let events = listen(&mut entities, EntityMode::OneByOne, [text]);
    let last = events.last().unwrap();
    assert_eq!((last.index, last.restatement), (Some(0), 1));
    assert_eq!(last.status, EntityStatus::Error);
    let mut entities = EntityDetector::new(EntityMode::Batch).named("list");
    let events = listen(&mut entities, EntityMode::Batch, [text]);
    assert_eq!(events[0].data.as_ref().unwrap(), &"[]");
}
