//! A client that keeps entities by their events: what it has in the end is what the text says,
//! however the text is split and however often it restates.

use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityReplay, EntityStatus};
use json_chunks::{Chunker, Parser, PartialPolicy, RevisionPolicy};
use proptest::prelude::{any, prop_assert_eq, proptest};
use serde_json::Value;

const LIVE: [EntityMode; 3] = [
    EntityMode::OneByOne,
    EntityMode::Progressive,
    EntityMode::Realtime,
];

fn events(detector: &EntityDetector, text: &str, size: usize) -> Vec<EntityEvent> {
    let mut detector = detector.clone();
    let mut events = Vec::new();
    for fragment in text.as_bytes().chunks(size) {
        events.extend(detector.push(fragment));
    }
    events.extend(detector.finish());
    events
}

/// The entities that a client has in the end.
fn replayed(events: &[EntityEvent]) -> Vec<Value> {
    let mut replay = EntityReplay::new();
    for event in events {
        replay.apply(event).unwrap();
    }
    assert!(replay.indices().eq(0..replay.len()));
    let entities = replay.indices().map(|index| replay.get(index).unwrap());
    entities
        .map(|entity| serde_json::from_str(&readable(&entity)).unwrap())
        .collect()
}

/// Surrogates that are escaped alone, which `serde_json` rejects, are U+FFFD.
fn readable(json: &str) -> String {
    [r"\ud800", r"\udfff"]
        .iter()
        .fold(json.to_owned(), |json, alone| {
            json.replace(alone, "\u{FFFD}")
        })
}

/// The elements of the last array of that name, as `serde_json` reads them.
fn expected(text: &str, name: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap();
    match document.get(name) {
        Some(Value::Array(elements)) => elements.clone(),
        Some(object @ Value::Object(_)) => vec![object.clone()],
        _ => Vec::new(),
    }
}

#[test]
fn restated_list_replays_as_its_last_text() {
    for text in [
        // The same name restated twice, to more, fewer and no entities.
        r#"{"list":[{"a":1},{"a":2}],"list":[{"a":3}],"list":[{"a":4},{"a":5}]}"#,
        r#"{"list":[1,2,3],"list":[4],"list":[]}"#,
        r#"{"list":[],"list":[],"list":[1]}"#,
        // What is no list in between.
        r#"{"list":[1],"list":null,"list":[2]}"#,
        r#"{"list":[1],"list":"x"}"#,
        r#"{"list":[1],"list":{"a":[2]}}"#,
        r#"{"list":{"a":1},"list":[1,2]}"#,
        // Inside of an entity, once and twice, open and complete.
        r#"{"list":[{"a":"x","a":"y"},{"a":{"b":1,"b":2},"a":[1,1]}]}"#,
        r#"{"list":[{"t":["a"],"t":["b","c"],"t":["d"],"u":1}]}"#,
        r#"{"list":[{"t":{"k":[1,2]},"t":{"k":[3],"k":[4]}}],"list":[{"t":{"k":"x"},"t":null}]}"#,
        // Escaped names.
        r#"{"list":[1],"l\u0069st":[2],"\u006cist":[3]}"#,
        r#"{"list":[{"\u0061":1,"a":2,"a/b":3,"a~b":4,"a\/b":5}]}"#,
    ] {
        for mode in LIVE {
            for partial_data in [true, false] {
                let detector = EntityDetector::new(mode)
                    .named("list")
                    .partial_data(partial_data);
                for size in 1..=text.len() {
                    let events = events(&detector, text, size);
                    assert_eq!(
                        replayed(&events),
                        expected(text, "list"),
                        "{mode} {size} {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn names_with_lone_surrogates_are_one_name() {
    // Both are U+FFFD when decoded, so a client cannot distinguish them.
    let text = r#"{"\ud800":[1],"\ud801":[2],"\ud800":[3,4]}"#;
    for mode in LIVE {
        let detector = EntityDetector::new(mode).named("\u{FFFD}");
        for size in 1..=text.len() {
            let values = replayed(&events(&detector, text, size));
            assert_eq!(values, [Value::from(3), Value::from(4)], "{mode} {size}");
        }
    }
    let text = r#"[{"\ud800":"x","b":{"\udfff":[1]},"\ud800":"y"}]"#;
    for size in 1..=text.len() {
        let detector = EntityDetector::new(EntityMode::Realtime);
        let values = replayed(&events(&detector, text, size));
        assert_eq!(values[0]["\u{FFFD}"], "y", "{size}");
    }
}

/// The chunks of a producer that contradicts itself, restated, end as its last snapshot.
#[test]
fn list_that_is_restated_while_its_entity_is_partial_replays_as_the_last_snapshot() {
    for snapshots in [
        // An element that is being written is rewritten, and again.
        vec![
            r#"{"list":[{"a":"To"}]}"#,
            r#"{"list":[{"a":"Tok"},{"a":"Par"}]}"#,
            r#"{"list":[{"a":"Kyo"},{"a":"Pari"}]}"#,
            r#"{"list":[{"a":"Kyoto"},{"a":"Rome"},{"a":"x"}]}"#,
            r#"{"list":[{"a":"Kyoto"}]}"#,
        ],
        // A member that flaps to null and back.
        vec![
            r#"{"list":[{"a":"x","b":"1"}]}"#,
            r#"{"list":[{"a":"x","b":"12"}]}"#,
            r#"{"list":[{"a":null,"b":"123"}]}"#,
            r#"{"list":[{"a":"xy","b":"123"}]}"#,
            r#"{"list":[{"a":null,"b":"1234"}]}"#,
            r#"{"list":[{"a":"z","b":"1234"}]}"#,
        ],
        vec![
            r#"{"list":[1,2],"n":"x"}"#,
            r#"{"list":[1,2],"n":"xy"}"#,
            r#"{"list":null,"n":"xyz"}"#,
            r#"{"list":[3],"n":"xyz"}"#,
            r#"{"list":[3,4],"n":"xyz"}"#,
        ],
        // Lone surrogates.
        vec![
            r#"{"list":["\ud800"],"\ud800":"x"}"#,
            r#"{"list":["\ud800a"],"\ud800":"x"}"#,
            r#"{"list":["b"],"\ud800":"y"}"#,
        ],
    ] {
        let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
        let mut text = String::new();
        for snapshot in &snapshots {
            text += &chunker.push(snapshot).unwrap();
        }
        text += &chunker.finish();
        let last: Parser = {
            let mut parser = Parser::new();
            parser.push(snapshots.last().unwrap()).unwrap();
            parser
        };
        let last = last
            .pointer("/list")
            .unwrap()
            .to_json(PartialPolicy::default());
        let last: Vec<Value> = serde_json::from_str(&readable(&last)).unwrap();
        for mode in LIVE {
            let detector = EntityDetector::new(mode).named("list");
            for size in 1..=text.len() {
                let events = events(&detector, &text, size);
                let mut replay = EntityReplay::new();
                for event in &events {
                    assert_ne!(event.status, EntityStatus::Error, "{text}");
                    replay.apply(event).unwrap();
                }
                let entities = replay.indices().map(|index| replay.get(index).unwrap());
                let entities = format!(
                    "[{}]",
                    entities.map(String::from).collect::<Vec<_>>().join(",")
                );
                let entities: Vec<Value> = serde_json::from_str(&readable(&entities)).unwrap();
                assert_eq!(entities, last, "{mode} {size} {text}");
            }
        }
    }
}

#[test]
fn partial_data_that_is_omitted_makes_the_events_linear() {
    let bytes = |partial_data: bool, count: usize| {
        let text = format!(
            r#"[{{"text":"{}","list":[{}1]}}]"#,
            "word ".repeat(count),
            "1,".repeat(count)
        );
        let detector = EntityDetector::new(EntityMode::Realtime).partial_data(partial_data);
        let events = events(&detector, &text, 4);
        assert!(
            events
                .iter()
                .filter(|event| event.status == EntityStatus::Partial)
                .all(|event| event.data.is_some() == partial_data && event.delta.is_some())
        );
        assert!(events.last().unwrap().data.is_some());
        let bytes: usize = events.iter().map(|event| event.to_json().len()).sum();
        (bytes, replayed(&events), text)
    };
    let (small, values, text) = bytes(false, 500);
    assert_eq!(values, serde_json::from_str::<Vec<Value>>(&text).unwrap());
    let (large, _, _) = bytes(false, 2000);
    assert!(large < 5 * small, "{small} to {large}: four times the text");
    let (quadratic, _, _) = bytes(true, 2000);
    assert!(quadratic > 40 * large, "{quadratic} and {large}");
}

#[test]
fn delta_that_does_not_fit_is_an_error_and_drops_its_entity() {
    let detector = EntityDetector::new(EntityMode::Realtime);
    let all = events(&detector, r#"[{"a":"xy","b":[1,2,{"c":"#, 3);
    let partial: Vec<_> = all.iter().filter(|event| event.data.is_some()).collect();
    // Each single event left out.
    for gap in 0..partial.len() - 1 {
        let mut replay = EntityReplay::new();
        let others = partial.iter().enumerate().filter(|(n, _)| *n != gap);
        let results: Vec<_> = others.map(|(_, event)| replay.apply(event)).collect();
        if let Some(error) = results.into_iter().find_map(Result::err) {
            assert_eq!(error.index(), 0);
            assert!(error.to_string().starts_with("delta at \"/"), "{error}");
        }
    }
    let mut replay = EntityReplay::new();
    let error = replay.apply(partial[1]).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"delta at "/b" of entity 0: the value has not begun"#
    );
    assert!(replay.is_empty());
}

fn random_list(next: &mut impl FnMut(u32) -> u32, depth: u32, out: &mut String) {
    match next(if depth > 3 { 3 } else { 7 }) {
        0 => out.push_str(["null", "true", "1.50", "-0", "12"][next(5) as usize]),
        1 | 2 => {
            out.push('"');
            for _ in 0..next(4) {
                out.push_str(["a", "é", "\\n", "\\u00e9", "中"][next(5) as usize]);
            }
            out.push('"');
        }
        3 | 4 => {
            out.push('[');
            for n in 0..next(4) {
                out.push_str(if n > 0 { "," } else { "" });
                random_list(next, depth + 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            for n in 0..next(5) {
                out.push_str(if n > 0 { "," } else { "" });
                out.push_str(["\"a\":", "\"b\":", "\"\\u0061\":", "\"a/~\":"][next(4) as usize]);
                random_list(next, depth + 1, out);
            }
            out.push('}');
        }
    }
}

proptest! {
    #![proptest_config(json_chunks_testing::config(1000))]

    #[test]
    fn random_lists_replay_as_the_last_one_of_their_name(seed in any::<u64>(), size in 1_usize..12) {
        let mut state = seed;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        };
        let mut text = String::from("{");
        for n in 0..=next(3) {
            text.push_str(if n > 0 { "," } else { "" });
            text.push_str(["\"list\":", "\"l\\u0069st\":"][next(2) as usize]);
            random_list(&mut next, 0, &mut text);
        }
        text.push('}');
        let zero_values = next(2) == 0;
        // An inner member of the name is found as well; it is not what the test is about.
        for mode in LIVE {
            for partial_data in [true, false] {
                let detector = EntityDetector::new(mode)
                    .pointer("/list")
                    .zero_values(zero_values)
                    .partial_data(partial_data);
                let document: Value = serde_json::from_str(&text).unwrap();
                let expected = match &document["list"] {
                    Value::Array(elements) => elements.clone(),
                    other => vec![other.clone()],
                };
                prop_assert_eq!(replayed(&events(&detector, &text, size)), expected, "{} {}", mode, text);
            }
        }
    }
}
