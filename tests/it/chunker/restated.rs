//! Readers of restated text (law 9): the chunks of a `Chunker` with `RevisionPolicy::Restate`, read
//! one by one with this crate, end at the last snapshot, although names occur twice.

use std::collections::BTreeMap;

use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode, EntityStatus};
use json_chunks::{Chunker, Parser, PartialPolicy, RevisionPolicy, Value};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};
use serde::{Deserialize, Serialize};

use json_chunks_testing::breaking::contradicted;
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::Styles;
use json_chunks_testing::writing::{Producer, choice_bytes, documents, sample_snapshots};

/// The chunks of these snapshots, and the pointers at which the result differs from the last one.
fn chunks(snapshots: &[impl AsRef<str>]) -> (Vec<String>, Vec<String>) {
    let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
    let mut chunks: Vec<String> = Vec::new();
    let mut kept = Vec::new();
    for snapshot in snapshots {
        chunks.push(chunker.push(snapshot.as_ref()).unwrap());
        let revisions = chunker.take_revisions();
        let revisions = revisions.iter().filter(|revision| !revision.is_restated());
        kept.extend(revisions.map(|revision| revision.pointer().to_owned()));
    }
    chunks.push(chunker.finish());
    (chunks, kept)
}

/// Asserts that no view of this crate has duplicate names.
fn strict(text: &str) -> Result<Json, TestCaseError> {
    read(text, Duplicates::Rejected).map_err(|why| TestCaseError::fail(format!("{why}: {text}")))
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trip {
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stops: Vec<Stop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guide: Option<Guide>,
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Stop {
    #[serde(default)]
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nights: Option<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Guide {
    #[serde(default)]
    name: String,
    #[serde(default)]
    languages: Vec<String>,
}

/// Snapshots of trips in which nearly every value is contradicted at some time.
fn trips(source: &mut ByteSource<'_>) -> Vec<Trip> {
    const WORDS: &[&str] = &["T", "To", "Tok", "Tokio", "Tokyo", "", "é\"x"];
    let word = |source: &mut ByteSource<'_>| (*source.choose(WORDS)).to_owned();
    let mut trip = Trip::default();
    (0..2 + source.below(12))
        .map(|_| {
            match source.below(8) {
                0 | 1 => trip.city = Some(word(source)),
                2 => trip.stops.push(Stop {
                    name: word(source),
                    nights: None,
                }),
                3 => match trip.stops.last_mut() {
                    Some(stop) if source.one_in(2) => stop.name = word(source),
                    Some(stop) => stop.nights = Some(source.below(3) as u8),
                    None => {}
                },
                4 if source.one_in(2) => trip.stops.truncate(1),
                5 => trip.guide.get_or_insert_default().name = word(source),
                6 => (trip.guide.get_or_insert_default().languages).push(word(source)),
                _ => trip.days = Some(source.below(40) as u32),
            }
            trip.clone()
        })
        .collect()
}

#[test]
fn restated_city_is_read_as_last_value() {
    let snapshots = [
        r#"{"city":"Tokio"}"#,
        r#"{"city":"Tokyo"}"#,
        r#"{"city":"Tokyo","days":3}"#,
    ];
    let (chunks, kept) = chunks(&snapshots);
    assert_eq!(
        chunks.concat(),
        r#"{"city":"Tokio","city":"Tokyo","days":3}"#
    );
    assert!(kept.is_empty());

    let mut parser = Parser::new();
    let mut cities = Vec::new();
    for chunk in &chunks {
        parser.push(chunk).unwrap();
        let root = parser.root().unwrap();
        let trip: Trip = root.deserialize(PartialPolicy::default()).unwrap();
        assert_eq!(
            root.pointer("/city").unwrap().as_str(),
            trip.city.as_deref()
        );
        cities.push(trip.city.unwrap());
    }
    assert_eq!(cities, ["Tokio", "Tokyo", "Tokyo", "Tokyo"]);

    let mut entities = EntityDetector::new(EntityMode::Realtime);
    let mut reported = Vec::new();
    for chunk in &chunks {
        let events = entities.push(chunk);
        reported.extend(events.map(|event| event.data.unwrap().into_string()));
    }
    assert_eq!(
        reported,
        [
            r#"{"city":"Tokio"}"#,
            r#"{"city":"Tokyo"}"#,
            r#"{"city":"Tokyo","days":3}"#,
            r#"{"city":"Tokyo","days":3}"#,
        ]
    );
}

/// The data of a client that follows the rule of `EntityEvent::restatement`. Asserts that each
/// entity of each statement has one final event.
#[derive(Default)]
struct Client {
    entities: BTreeMap<usize, Json>,
    ended: Vec<(usize, usize)>,
    restatement: usize,
}

impl Client {
    fn record(&mut self, event: &EntityEvent) -> Result<(), TestCaseError> {
        let index = event.index.unwrap();
        if event.restatement > self.restatement {
            self.restatement = event.restatement;
            self.entities.split_off(&index);
            prop_assert!(event.data.is_none(), "{event:?}");
            return Ok(());
        }
        let of = (event.restatement, index);
        prop_assert!(!self.ended.contains(&of), "{event:?}");
        if event.status == EntityStatus::Completed {
            self.ended.push(of);
        }
        let data = strict(event.data.as_ref().unwrap())?;
        self.entities.insert(index, data);
        Ok(())
    }
}

fn entities_of<'a>(
    mut detector: EntityDetector,
    chunks: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<Json>, TestCaseError> {
    let mut client = Client::default();
    for chunk in chunks {
        let mut events = detector.push(chunk);
        events.try_for_each(|event| client.record(&event))?;
    }
    let mut events = detector.finish();
    events.try_for_each(|event| client.record(&event))?;
    drop(events);
    Ok(client.entities.into_values().collect())
}

/// The entities in a value.
fn entities_in(value: &Json) -> Vec<Json> {
    match value {
        Json::Arr(elements) => elements.clone(),
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) | Json::Obj(_) => {
            vec![value.clone()]
        }
    }
}

fn views_agree(root: Value<'_>) -> Result<Json, TestCaseError> {
    let text = root.to_json(PartialPolicy::default());
    let json = strict(&text)?;
    // `serde_json` rejects unpaired escaped surrogates, and numbers outside of the range of a
    // float.
    let Ok(written) = serde_json::from_str::<serde_json::Value>(&text) else {
        return Ok(json);
    };
    let direct: serde_json::Value = root.deserialize(PartialPolicy::default()).unwrap();
    prop_assert_eq!(&direct, &written, "{}", text);
    let serialized = serde_json::to_string(&root).unwrap();
    let serialized: serde_json::Value = serde_json::from_str(&serialized).unwrap();
    prop_assert_eq!(serialized, written, "{}", text);
    Ok(json)
}

proptest! {
    #![proptest_config(config(1000))]

    /// Any documents with contradictions at any place: restated values are read, and no view has
    /// duplicate names.
    #[test]
    fn restated_documents_are_read_as_last_snapshot(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let source = &mut ByteSource::new(&source);
        let mut values = sample_snapshots(Producer::default().steps(&documents.0, source), source);
        if source.one_in(4) {
            values.extend(sample_snapshots(Producer::default().steps(&documents.1, source), source));
        }
        let values = contradicted(values, source);
        let snapshots = Styles::any(source).write_all(values, source);
        let last = &snapshots.last().unwrap().0;
        let texts: Vec<&str> = snapshots.iter().map(|(_, text)| text.as_str()).collect();
        let (chunks, kept) = chunks(&texts);

        let mut parser = Parser::new();
        for chunk in &chunks {
            parser.push(chunk).unwrap();
            if let Some(root) = parser.root() {
                views_agree(root)?;
            }
        }
        parser.finish().unwrap();
        let json = views_agree(parser.root().unwrap())?;
        prop_assert!(json.equals_except(last, &kept), "{json:?} of {chunks:?}");

        let whole = chunks.concat();
        let modes = [EntityMode::OneByOne, EntityMode::Progressive, EntityMode::Realtime];
        for mode in modes {
            let detector = EntityDetector::new(mode);
            let by_chunk = chunks.iter().map(String::as_bytes);
            let entities = entities_of(detector.clone(), by_chunk)?;
            prop_assert_eq!(&entities, &entities_in(&json), "{} of {}", mode, whole);
            let entities = entities_of(detector, whole.as_bytes().chunks(1))?;
            prop_assert_eq!(&entities, &entities_in(&json), "{} of {}", mode, whole);
            let Json::Obj(members) = &json else { continue };
            for (name, value) in members {
                let characters = name.iter().map(|code| char::from_u32(*code));
                let Some(name) = characters.collect::<Option<String>>() else {
                    continue;
                };
                let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
                let detector = EntityDetector::new(mode).pointer(&pointer);
                let by_chunk = chunks.iter().map(String::as_bytes);
                let entities = entities_of(detector, by_chunk)?;
                prop_assert_eq!(&entities, &entities_in(value), "{} of {}", mode, whole);
            }
        }
    }

    /// A derived struct reads each state of the text, and finally the last snapshot if everything
    /// could be restated.
    #[test]
    fn restated_structs_deserialize_to_last_snapshot(source in choice_bytes()) {
        let trips = trips(&mut ByteSource::new(&source));
        let texts: Vec<_> = trips.iter().map(|trip| serde_json::to_string(trip).unwrap()).collect();
        let (chunks, kept) = chunks(&texts);
        let mut parser = Parser::new();
        let mut trip = Trip::default();
        for chunk in &chunks {
            parser.push(chunk).unwrap();
            let read = parser.root().unwrap().deserialize(PartialPolicy::default());
            prop_assert!(read.is_ok(), "{:?} in {:?}", read, chunks);
            trip = read.unwrap();
        }
        if kept.is_empty() {
            prop_assert_eq!(&trip, trips.last().unwrap(), "{:?}", chunks);
        }
    }
}

#[cfg(feature = "stream")]
mod streams {
    use futures::executor::block_on;
    use futures::{StreamExt, stream};
    use json_chunks::stream::FragmentStreamExt;

    use super::*;

    #[test]
    fn typed_partials_end_at_restated_city() {
        let text = r#"{"city":"Tokio","city":"Tokyo","days":3}"#;
        for split in 0..=text.len() {
            let (head, tail) = text.split_at(split);
            let mut partials = stream::iter([head, tail]).json_partials::<Trip>();
            let trips: Vec<_> = block_on(partials.by_ref().collect());
            let last = trips.last().unwrap();
            assert!(last.is_complete, "split at {split}");
            let last = &last.value;
            assert_eq!((last.city.as_deref(), last.days), (Some("Tokyo"), Some(3)));
            assert!(partials.report().is_clean(), "split at {split}");
        }
    }

    proptest! {
        #![proptest_config(config(300))]

        #[test]
        fn typed_partials_of_restated_text_end_at_last_snapshot(source in choice_bytes()) {
            let trips = trips(&mut ByteSource::new(&source));
            let texts: Vec<_> =
                trips.iter().map(|trip| serde_json::to_string(trip).unwrap()).collect();
            let (chunks, kept) = chunks(&texts);
            let fragments: Vec<_> = chunks.into_iter().filter(|chunk| !chunk.is_empty()).collect();
            let mut partials = stream::iter(fragments.clone()).json_partials::<Trip>();
            let read: Vec<_> = block_on(partials.by_ref().collect());
            prop_assert!(partials.report().is_clean());
            prop_assert!(read.last().unwrap().is_complete);
            if kept.is_empty() {
                prop_assert_eq!(&read.last().unwrap().value, trips.last().unwrap());
            }
            // No intermediate text has duplicate names, and the last one is the final value.
            let snapshots = stream::iter(fragments).json_snapshots();
            let snapshots: Vec<_> = block_on(snapshots.collect());
            for snapshot in &snapshots {
                strict(snapshot.as_ref())?;
            }
            let last: Trip = serde_json::from_str(snapshots.last().unwrap().as_ref()).unwrap();
            prop_assert_eq!(&last, &read.last().unwrap().value);
        }
    }
}
