//! The places of entities, and the kinds of values that they may be.

use json_chunks::entity::{EntityDetector, EntityMode};

use super::{MODES, line, lines, listen, tells};

fn one_by_one() -> EntityDetector {
    EntityDetector::new(EntityMode::OneByOne)
}

fn reported(entities: &EntityDetector, text: &str) -> Vec<String> {
    tells(entities, EntityMode::OneByOne, text)
}

#[test]
fn entities_are_found_by_their_selector() {
    let named = one_by_one().named("items");
    let pointed = |pointer: &str| one_by_one().pointer(pointer);
    let rows: Vec<(EntityDetector, &str, &[&str])> = vec![
        (
            one_by_one(),
            r#"[{"a":1}, {}, []]"#,
            &[r#"0 COMPLETED {"a":1}"#, "1 COMPLETED {}", "2 COMPLETED []"],
        ),
        (
            one_by_one(),
            r#"{"a":[1, 2]}"#,
            &[r#"0 COMPLETED {"a":[1,2]}"#],
        ),
        (one_by_one(), "[]", &[]),
        (one_by_one(), " 12 ", &["0 COMPLETED 12"]),
        (one_by_one(), "true", &["0 COMPLETED true"]),
        (
            one_by_one().label("file"),
            r#"["a","b"]"#,
            &[r#"0 COMPLETED "a""#, r#"1 COMPLETED "b""#],
        ),
        (
            named.clone(),
            r#"{"items":[1,2]}"#,
            &["0 COMPLETED 1", "1 COMPLETED 2"],
        ),
        (named.clone(), r#"{"it\u0065ms":[1]}"#, &["0 COMPLETED 1"]),
        (
            named.clone(),
            r#"[[{"x":{"items":[1]}}]]"#,
            &["0 COMPLETED 1"],
        ),
        (
            named.clone(),
            r#"{"items":"none","b":{"items":[null]}}"#,
            &["0 COMPLETED null"],
        ),
        (
            named.clone(),
            r#"{"items":{"items":[1]}}"#,
            &[r#"0 COMPLETED {"items":[1]}"#],
        ),
        (
            named.clone(),
            r#"{"items":[[1],{"items":[2]}],"items":[3]}"#,
            &[
                "0 COMPLETED [1]",
                r#"1 COMPLETED {"items":[2]}"#,
                "0 COMPLETED 3",
            ],
        ),
        (named.clone(), r#"{"a":["items",[1]]}"#, &[]),
        (named, "[1,2]", &[]),
        (pointed(""), "[7]", &["0 COMPLETED 7"]),
        (
            pointed("/a/b"),
            r#"{"a":{"c":[1],"b":[2]},"b":[3]}"#,
            &["0 COMPLETED 2"],
        ),
        (
            pointed("/a/1"),
            r#"{"a":[[1],[2],[3]]}"#,
            &["0 COMPLETED 2"],
        ),
        (pointed("/a/01"), r#"{"a":[[1],[2],[3]]}"#, &[]),
        (pointed("/0"), r#"{"0":[1]}"#, &["0 COMPLETED 1"]),
        (
            pointed("/a~1b/~0"),
            r#"{"a/b":{"~":["x"]}}"#,
            &[r#"0 COMPLETED "x""#],
        ),
        (pointed("/"), r#"{"":[1]}"#, &["0 COMPLETED 1"]),
        (pointed("/a"), r#"{"a":"text"}"#, &[r#"0 COMPLETED "text""#]),
        (pointed("/a"), r#"{"a":[1],"b":[2]}"#, &["0 COMPLETED 1"]),
        (pointed("a"), r#"{"a":[1]}"#, &[]),
        (pointed("/b"), r#"{"a":[1]}"#, &[]),
    ];
    for (entities, text, events) in rows {
        assert_eq!(reported(&entities, text), events, "{text}");
    }
}

#[test]
fn entity_events_have_names() {
    for (entities, text, name) in [
        (one_by_one(), "[1]", None),
        (one_by_one().label("file"), "[1]", Some("file")),
        (one_by_one().named("a"), r#"{"a":[1]}"#, Some("a")),
        (
            one_by_one().pointer("/a/b"),
            r#"{"a":{"b":[1]}}"#,
            Some("b"),
        ),
        (one_by_one().pointer("/a/0"), r#"{"a":[1]}"#, Some("a")),
        (one_by_one().pointer("/0"), "[1]", None),
        (one_by_one().pointer("/a~1b"), r#"{"a/b":1}"#, Some("a/b")),
        (
            one_by_one().named("a").label("file"),
            r#"{"a":[1]}"#,
            Some("file"),
        ),
    ] {
        let mut entities = entities;
        let events = listen(&mut entities, EntityMode::OneByOne, [text]);
        let names: Vec<_> = events.iter().map(|event| event.entity.as_deref()).collect();
        assert_eq!(names, [name], "{text}");
    }
}

#[test]
fn detector_reports_whether_the_array_was_found() {
    let mut entities = one_by_one().named("a");
    assert_eq!(entities.push(r#"{"b":[1],"a":"#).count(), 0);
    assert!(!entities.is_found());
    assert_eq!(entities.push("[").count(), 0);
    assert!(entities.is_found());
    entities.reset();
    assert!(!entities.is_found());
}

/// The reference implementation emitted one `COMPLETED` for these.
#[test]
fn three_elements_in_one_fragment_are_three_events() {
    let text = r#"{"list":[{"n":1},{"n":2},{"n":3}]}"#;
    for &mode in &MODES[1..] {
        let mut entities = EntityDetector::new(mode).named("list");
        assert_eq!(
            lines(&listen(&mut entities, mode, [text])),
            [
                r#"0 COMPLETED {"n":1}"#,
                r#"1 COMPLETED {"n":2}"#,
                r#"2 COMPLETED {"n":3}"#
            ],
            "{mode}"
        );
    }
}

/// The reference implementation stopped at these.
#[test]
fn brackets_and_quotes_in_strings_are_content() {
    let text = r#"{"list":[{"a":"}]"},{"b":"\"}, {["},{"]":"\\"},"[{\"","]"]}"#;
    assert_eq!(
        reported(&one_by_one().named("list"), text),
        [
            r#"0 COMPLETED {"a":"}]"}"#,
            r#"1 COMPLETED {"b":"\"}, {["}"#,
            r#"2 COMPLETED {"]":"\\"}"#,
            r#"3 COMPLETED "[{\"""#,
            r#"4 COMPLETED "]""#,
        ]
    );
}

#[test]
fn entity_may_end_within_a_fragment() {
    let mode = EntityMode::Realtime;
    let mut entities = EntityDetector::new(mode);
    let events = listen(&mut entities, mode, ["[1", "2", ",", "\"a\"", " ", "]"]);
    assert_eq!(
        lines(&events),
        [
            "0 PARTIAL 1",
            "0 PARTIAL 12",
            "0 COMPLETED 12",
            r#"1 COMPLETED "a""#
        ]
    );
}

#[test]
fn data_keeps_the_spelling_of_the_text() {
    let text = r#"[{"n":1.10,"big":1e400,"s":"\u00e9\/"}]"#;
    assert_eq!(
        reported(&one_by_one(), text),
        [r#"0 COMPLETED {"n":1.10,"big":1e400,"s":"\u00e9\/"}"#]
    );
}

#[test]
fn indexes_continue_over_several_values() {
    let text = "[1,2]\n{\"a\":1}\n3\n[4]";
    let reported = tells(
        &one_by_one().multiple_values(true),
        EntityMode::OneByOne,
        text,
    );
    assert_eq!(
        reported,
        [
            "0 COMPLETED 1",
            "1 COMPLETED 2",
            r#"2 COMPLETED {"a":1}"#,
            "3 COMPLETED 3",
            "4 COMPLETED 4"
        ]
    );
    let batch = EntityDetector::new(EntityMode::Batch).multiple_values(true);
    assert_eq!(
        tells(&batch, EntityMode::Batch, text),
        [r#"0 COMPLETED [1,2,{"a":1},3,4]"#]
    );
}

/// Nodes before the open value are dropped then.
#[test]
fn published_state_survives_dropped_values() {
    let mode = EntityMode::Realtime;
    let mut entities = EntityDetector::new(mode).multiple_values(true).named("l");
    let pieces = [
        "[[[]]]{\"l\":[{\"a\":\"x",
        "y",
        "z\",\"b\":[1",
        ",2",
        "]}]} {\"l\":[\"q",
        "r\"]}",
    ];
    let events = listen(&mut entities, mode, pieces);
    assert_eq!(
        lines(&events),
        [
            r#"0 PARTIAL {"a":"x"}"#,
            r#"0 PARTIAL {"a":"xy"}"#,
            r#"0 PARTIAL {"a":"xyz","b":[1]}"#,
            r#"0 PARTIAL {"a":"xyz","b":[1,2]}"#,
            r#"0 COMPLETED {"a":"xyz","b":[1,2]}"#,
            r#"1 PARTIAL "q""#,
            r#"1 COMPLETED "qr""#,
        ]
    );
    let delta = events[3].delta.as_ref().unwrap();
    assert_eq!((delta.len(), delta[0].path.as_str()), (1, "/b/1"));
}

#[test]
fn empty_batch_is_an_empty_array_and_missing_one_is_none() {
    let batch = || EntityDetector::new(EntityMode::Batch).named("a");
    assert_eq!(
        tells(&batch(), EntityMode::Batch, r#"{"a":[]}"#),
        ["0 COMPLETED []"]
    );
    assert_eq!(tells(&batch(), EntityMode::Batch, r#"{"b":[]}"#), [""; 0]);
}

#[test]
fn names_are_escaped_and_kept() {
    let mode = EntityMode::Realtime;
    let mut entities = EntityDetector::new(mode).named("q\"\\\n");
    for _ in 0..2 {
        let events = listen(
            &mut entities,
            mode,
            [r#"{"q\"\\\n":[{"a\"/~b":"x"#, r#"y"}]}"#],
        );
        assert_eq!(events.len(), 2);
        for event in &events {
            assert_eq!(event.entity.as_deref(), Some("q\"\\\n"));
            let json: serde_json::Value = serde_json::from_str(&event.to_json()).unwrap();
            assert_eq!(json, serde_json::to_value(event).unwrap());
        }
        let delta = events[1].delta.as_ref().unwrap();
        assert_eq!(delta[0].path, "/a\"~1~0b");
        entities.reset();
    }
}

#[test]
fn data_deserializes_exactly() {
    let mode = EntityMode::OneByOne;
    let text = format!(
        r#"[[-{}, {}, 1.5, -0, true, null, "\ud800"], 1e400, {}{}]"#,
        1_u128 << 100,
        u128::MAX,
        "[".repeat(127),
        "]".repeat(127)
    );
    let events = listen(&mut EntityDetector::new(mode), mode, [&text]);
    assert_eq!(
        serde_json::to_string(&events[0].data).unwrap(),
        format!(
            "[-{},{},1.5,-0.0,true,null,\"\u{FFFD}\"]",
            1_u128 << 100,
            u128::MAX
        )
    );
    assert!(
        serde_json::to_string(&events[1])
            .unwrap_err()
            .to_string()
            .starts_with("number out of range")
    );
    assert!(serde_json::to_string(&events[2]).is_ok());
    let limits = json_chunks::Limits::default().max_depth(5000);
    let deep = ["[".repeat(2000), "]".repeat(2000)].concat();
    let mut batch = EntityDetector::new(EntityMode::Batch).limits(limits);
    let events: Vec<_> = batch.push(&deep).collect();
    assert!(serde_json::to_string(&events[0]).is_err());
    assert_eq!(events[0].data.as_ref().unwrap().len(), 2000 * 2);
}

#[test]
fn modes_have_the_names_of_the_spec() {
    for (mode, name) in MODES.iter().zip([
        "BATCH",
        "ALL-TOGETHER",
        "ONE-BY-ONE",
        "PROGRESSIVE",
        "REALTIME",
    ]) {
        assert_eq!(mode.to_string(), name);
        assert_eq!(name.parse(), Ok(*mode));
    }
    let error = "SLOW".parse::<EntityMode>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown mode: expected BATCH, ALL-TOGETHER, ONE-BY-ONE, PROGRESSIVE, REALTIME"
    );
}

#[test]
fn zero_values_replace_missing_members() {
    for (mode, text, event) in [
        (
            EntityMode::Progressive,
            r#"[{"a":"x"#,
            r#"0 PARTIAL {"a":""}"#,
        ),
        (
            EntityMode::Progressive,
            r#"[{"a":[1"#,
            r#"0 PARTIAL {"a":[]}"#,
        ),
        (
            EntityMode::Progressive,
            r#"[{"a":{"b":1"#,
            r#"0 PARTIAL {"a":{}}"#,
        ),
        (
            EntityMode::Progressive,
            r#"[{"a":-1"#,
            r#"0 PARTIAL {"a":0}"#,
        ),
        (
            EntityMode::Progressive,
            r#"[{"a":tr"#,
            r#"0 PARTIAL {"a":false}"#,
        ),
        (
            EntityMode::Progressive,
            r#"[{"a":nu"#,
            r#"0 PARTIAL {"a":null}"#,
        ),
        (
            EntityMode::Realtime,
            r#"[{"a":"x"#,
            r#"0 PARTIAL {"a":"x"}"#,
        ),
        (
            EntityMode::Realtime,
            r#"[{"a":[1"#,
            r#"0 PARTIAL {"a":[1]}"#,
        ),
        (
            EntityMode::Realtime,
            r#"[{"a":tr"#,
            r#"0 PARTIAL {"a":false}"#,
        ),
    ] {
        let mut entities = EntityDetector::new(mode).zero_values(true);
        let events: Vec<_> = entities.push(text).map(|event| line(&event)).collect();
        assert_eq!(events, [event], "{text}");
    }
    let mut entities = EntityDetector::new(EntityMode::Progressive);
    assert_eq!(entities.push(r#"[{"a":"x"#).count(), 0);
}

#[test]
fn empty_data_emits_no_event() {
    for text in ["{", "[{", r#"[{"a"#, r#"[{"a":"#, "[[", "[\"", "[-"] {
        let mut entities = EntityDetector::new(EntityMode::Realtime);
        assert_eq!(entities.push(text).count(), 0, "{text}");
    }
}
