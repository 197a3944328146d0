//! The example of the specification, mode by mode and event by event.

use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::sse::SseEvent;

use super::{lines, listen};

/// As a model would stream it.
const FRAGMENTS: [&str; 9] = [
    "{\n  \"colors\": [",
    "{\"hex\": \"#8B00FF\", \"na",
    "me\": \"Vio",
    "let\", \"description\": \"The color of \\\"calm",
    "\\\"\"}, ",
    "{\"hex\": \"#4B0082\", \"name\": \"Indigo\"}, {\"hex",
    "\": \"#9400D3\", \"name\": \"Dark Violet\"",
    ", \"description\": \"A deep, rich",
    " [violet]\"}]}",
];

fn reported(mode: EntityMode, zero_values: bool) -> Vec<String> {
    let mut entities = EntityDetector::new(mode)
        .named("colors")
        .zero_values(zero_values);
    let events = listen(&mut entities, mode, FRAGMENTS);
    assert!(
        events
            .iter()
            .all(|event| event.entity.as_deref() == Some("colors"))
    );
    lines(&events)
}

const VIOLET: &str = r##"{"hex":"#8B00FF","name":"Violet","description":"The color of \"calm\""}"##;
const INDIGO: &str = r##"{"hex":"#4B0082","name":"Indigo"}"##;
const DARK_VIOLET: &str =
    r##"{"hex":"#9400D3","name":"Dark Violet","description":"A deep, rich [violet]"}"##;

#[test]
fn batch_mode_emits_all_at_the_end() {
    assert_eq!(
        reported(EntityMode::Batch, false),
        [format!("0 COMPLETED [{VIOLET},{INDIGO},{DARK_VIOLET}]")]
    );
}

#[test]
fn all_together_mode_emits_at_completion() {
    assert_eq!(
        reported(EntityMode::AllTogether, false),
        reported(EntityMode::OneByOne, false)
    );
    let mut entities = EntityDetector::new(EntityMode::AllTogether).named("colors");
    let (last, before) = FRAGMENTS.split_last().unwrap();
    for fragment in before {
        assert_eq!(entities.push(fragment).count(), 0);
    }
    let last = last.strip_suffix("}").unwrap();
    assert_eq!(entities.push(last).count(), 0);
    assert_eq!(entities.push("}").count(), 3);
}

#[test]
fn one_by_one_mode_emits_complete_entities() {
    assert_eq!(
        reported(EntityMode::OneByOne, false),
        [
            format!("0 COMPLETED {VIOLET}"),
            format!("1 COMPLETED {INDIGO}"),
            format!("2 COMPLETED {DARK_VIOLET}"),
        ]
    );
}

#[test]
fn progressive_mode_emits_growing_entities() {
    assert_eq!(
        reported(EntityMode::Progressive, false),
        [
            r##"0 PARTIAL {"hex":"#8B00FF"}"##,
            r##"0 PARTIAL {"hex":"#8B00FF","name":"Violet"}"##,
            &format!("0 COMPLETED {VIOLET}"),
            &format!("1 COMPLETED {INDIGO}"),
            r##"2 PARTIAL {"hex":"#9400D3","name":"Dark Violet"}"##,
            &format!("2 COMPLETED {DARK_VIOLET}"),
        ]
    );
}

#[test]
fn progressive_with_zero_values() {
    assert_eq!(
        reported(EntityMode::Progressive, true),
        [
            r##"0 PARTIAL {"hex":"#8B00FF"}"##,
            r##"0 PARTIAL {"hex":"#8B00FF","name":""}"##,
            r##"0 PARTIAL {"hex":"#8B00FF","name":"Violet","description":""}"##,
            &format!("0 COMPLETED {VIOLET}"),
            &format!("1 COMPLETED {INDIGO}"),
            r##"2 PARTIAL {"hex":"#9400D3","name":"Dark Violet"}"##,
            r##"2 PARTIAL {"hex":"#9400D3","name":"Dark Violet","description":""}"##,
            &format!("2 COMPLETED {DARK_VIOLET}"),
        ]
    );
}

#[test]
fn realtime_mode_emits_every_change() {
    assert_eq!(
        reported(EntityMode::Realtime, false),
        [
            r##"0 PARTIAL {"hex":"#8B00FF"}"##,
            r##"0 PARTIAL {"hex":"#8B00FF","name":"Vio"}"##,
            r##"0 PARTIAL {"hex":"#8B00FF","name":"Violet","description":"The color of \"calm"}"##,
            &format!("0 COMPLETED {VIOLET}"),
            &format!("1 COMPLETED {INDIGO}"),
            r##"2 PARTIAL {"hex":"#9400D3","name":"Dark Violet"}"##,
            r##"2 PARTIAL {"hex":"#9400D3","name":"Dark Violet","description":"A deep, rich"}"##,
            &format!("2 COMPLETED {DARK_VIOLET}"),
        ]
    );
}

/// The specification's own example of server-sent events, with deltas.
#[test]
fn realtime_on_the_wire() {
    let mut entities = EntityDetector::new(EntityMode::Realtime).named("colors");
    let events = listen(&mut entities, EntityMode::Realtime, FRAGMENTS);
    let frames: Vec<String> = events[5..]
        .iter()
        .map(|event| SseEvent::from(event.clone()).to_string())
        .collect();
    assert_eq!(
        frames,
        [
            "data: {\"index\":2,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#9400D3\",\"name\":\"Dark Violet\"},\"entity\":\"colors\",\"delta\":[{\"path\":\"\",\"value\":{\"hex\":\"#9400D3\",\"name\":\"Dark Violet\"}}]}\n\n",
            "data: {\"index\":2,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#9400D3\",\"name\":\"Dark Violet\",\"description\":\"A deep, rich\"},\"entity\":\"colors\",\"delta\":[{\"path\":\"/description\",\"value\":\"A deep, rich\"}]}\n\n",
            "data: {\"index\":2,\"status\":\"COMPLETED\",\"data\":{\"hex\":\"#9400D3\",\"name\":\"Dark Violet\",\"description\":\"A deep, rich [violet]\"},\"entity\":\"colors\",\"delta\":[{\"path\":\"/description\",\"append\":\" [violet]\"}]}\n\n",
        ]
    );
    for event in &events {
        assert_eq!(serde_json::to_string(event).unwrap(), event.to_json());
    }
}
