//! Entities: the events of every mode, for every split of the text.

mod broken;
mod client;
mod colors;
mod laws;
mod places;
mod replay;
mod restated;
#[cfg(feature = "schema")]
mod schema;
mod sse;
use std::collections::BTreeMap;

use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityStatus};

use json_chunks_testing::json::Json;
use json_chunks_testing::modes::MODES;
use replay::{apply, value};

/// Follows the events of one text, and asserts that they are consistent.
#[derive(Default)]
struct Listener {
    events: Vec<EntityEvent>,
    /// The data of each entity according to the events, and according to the deltas.
    data: BTreeMap<usize, Json>,
    ended: BTreeMap<usize, EntityStatus>,
    restatement: usize,
    text_is_over: bool,
}

impl Listener {
    fn record(&mut self, mode: EntityMode, event: EntityEvent) {
        assert!(!self.text_is_over, "{event:?} is behind the last");
        let data = event.data.as_ref().map(|data| value(data));
        let is_error = event.status == EntityStatus::Error;
        assert_eq!(event.error.is_some(), is_error, "{event:?}");
        assert!(event.restatement >= self.restatement, "{event:?}");
        let Some(index) = event.index else {
            assert!(is_error && data.is_none(), "{event:?}");
            self.text_is_over = true;
            self.events.push(event);
            return;
        };
        if event.restatement > self.restatement {
            // Everything reported from this index on is void.
            self.restatement = event.restatement;
            self.data.split_off(&index);
            self.ended.split_off(&index);
            assert_eq!(event.status, EntityStatus::Partial, "{event:?}");
            assert!(data.is_none() && event.delta.is_none(), "{event:?}");
            self.events.push(event);
            return;
        }
        assert!(
            !self.ended.contains_key(&index) || mode == EntityMode::Batch,
            "{event:?}"
        );
        let known = self.data.get(&index).cloned();
        if event.status == EntityStatus::Partial {
            assert_ne!(data, known, "nothing new in {event:?}");
            let empty = ["{}", "[]", "\"\""].map(|text| Some(value(text)));
            assert!(!empty.contains(&data), "nothing in {event:?}");
            let mut open = self
                .data
                .keys()
                .filter(|known| !self.ended.contains_key(known));
            assert!(
                open.all(|open| *open == index),
                "two entities at once: {event:?}"
            );
        } else {
            self.ended.insert(index, event.status);
        }
        let shows_partial = matches!(mode, EntityMode::Progressive | EntityMode::Realtime);
        if let Some(delta) = &event.delta {
            assert!(shows_partial, "{event:?}");
            assert_eq!(apply(known, delta), data, "{event:?}");
        } else {
            assert!(!shows_partial || data.is_none(), "{event:?}");
        }
        if let Some(data) = data {
            self.data.insert(index, data);
        }
        self.events.push(event);
    }
}

/// Returns all events of a text in these pieces, and of its end.
fn listen<P: AsRef<[u8]>>(
    entities: &mut EntityDetector,
    mode: EntityMode,
    pieces: impl IntoIterator<Item = P>,
) -> Vec<EntityEvent> {
    let mut listener = Listener::default();
    for piece in pieces {
        let events: Vec<_> = entities.push(piece.as_ref()).collect();
        for event in events {
            listener.record(mode, event);
        }
    }
    let events: Vec<_> = entities.finish().collect();
    for event in events {
        listener.record(mode, event);
    }
    assert_eq!(entities.push(b"1").count() + entities.finish().count(), 0);
    listener.events
}

/// Describes an event in one line: `0 PARTIAL {"a":1}`, with the error in brackets.
fn line(event: &EntityEvent) -> String {
    let index = event
        .index
        .map_or("-".to_owned(), |index| index.to_string());
    let data = event
        .data
        .as_ref()
        .map_or(String::new(), |data| format!(" {data}"));
    let error = event
        .error
        .as_ref()
        .map_or(String::new(), |error| format!(" [{error}]"));
    format!("{index} {}{data}{error}", event.status)
}

fn lines(events: &[EntityEvent]) -> Vec<String> {
    events.iter().map(line).collect()
}

/// Returns the final events, and asserts that they are the same for every split.
fn tells(entities: &EntityDetector, mode: EntityMode, text: &str) -> Vec<String> {
    let reported = |pieces: Vec<&[u8]>| {
        let mut entities = entities.clone();
        entities.reset();
        let mut events = listen(&mut entities, mode, pieces);
        events.retain(|event| event.status != EntityStatus::Partial);
        lines(&events)
    };
    let whole = reported(vec![text.as_bytes()]);
    for split in 0..=text.len() {
        let (head, tail) = text.as_bytes().split_at(split);
        assert_eq!(
            reported(vec![head, tail]),
            whole,
            "split at {split}: {text}"
        );
    }
    assert_eq!(
        reported(text.as_bytes().chunks(1).collect()),
        whole,
        "{text}"
    );
    whole
}
