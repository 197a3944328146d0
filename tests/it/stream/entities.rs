//! Entities and server-sent events as streams.

use futures::executor::block_on;
use futures::stream::{self, FusedStream, Stream as _};
use futures::{StreamExt, TryStreamExt};
use json_chunks::ErrorKind;
use json_chunks::entity::{EntityDetector, EntityErrorCode, EntityEvent, EntityMode, EntityStatus};
use json_chunks::sse::SseEvent;
use json_chunks::stream::{FragmentStreamExt, SseStreamExt, StreamError, TryFragmentStreamExt};
use json_chunks::value::RawJson;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

fn realtime() -> EntityDetector {
    EntityDetector::new(EntityMode::Realtime)
}

fn one_by_one() -> EntityDetector {
    EntityDetector::new(EntityMode::OneByOne)
}

fn line(event: &EntityEvent) -> String {
    let data = event.data.as_deref().unwrap_or("nothing");
    format!("{} {data}", event.status.as_str())
}

#[test]
fn event_is_yielded_before_the_next_fragment() {
    let (sender, receiver) = mpsc::unbounded_channel();
    let fragments = UnboundedReceiverStream::new(receiver);
    let mut events = spawn(fragments.json_entities::<RawJson>(realtime()));
    assert_pending!(events.poll_next());

    sender.send(r#"[{"a": "x"#).unwrap();
    assert!(events.is_woken());
    let event = assert_ready!(events.poll_next()).unwrap();
    assert_eq!(line(&event), r#"PARTIAL {"a":"x"}"#);
    assert_pending!(events.poll_next());

    // No event in the first fragment, two in the second.
    sender.send(r#"" "#).unwrap();
    sender.send("}, 1").unwrap();
    let event = assert_ready!(events.poll_next()).unwrap();
    assert_eq!(line(&event), r#"COMPLETED {"a":"x"}"#);
    let event = assert_ready!(events.poll_next()).unwrap();
    assert_eq!(line(&event), "PARTIAL 1");
    assert_pending!(events.poll_next());

    sender.send("]").unwrap();
    drop(sender);
    let event = assert_ready!(events.poll_next()).unwrap();
    assert_eq!(line(&event), "COMPLETED 1");
    assert!(!events.is_terminated());
    assert_ready_eq!(events.poll_next(), None);
    assert!(events.is_terminated());
    assert_ready_eq!(events.poll_next(), None);
    assert!(events.report().is_clean());
}

#[test]
fn truncated_text_gives_error_event_and_report() {
    let mut events = stream::iter(["[1, 2", "3, {"]).json_entities::<RawJson>(one_by_one());
    let reported: Vec<_> = block_on(events.by_ref().collect());
    let lines: Vec<_> = reported.iter().map(line).collect();
    assert_eq!(lines, ["COMPLETED 1", "COMPLETED 23", "ERROR nothing"]);
    let error = reported[2].error.as_ref().unwrap();
    assert_eq!(error.code, EntityErrorCode::InvalidJson);
    assert_eq!(events.report().ended_by(), Some(ErrorKind::Incomplete));
}

#[test]
fn errors_are_yielded_after_their_event() {
    let fragments = stream::iter([Ok("[1,"), Err("timed out"), Ok("2}"), Ok("3]")]);
    let items: Vec<_> = block_on(
        fragments
            .try_json_entities::<RawJson>(one_by_one())
            .collect(),
    );
    let lines: Vec<_> = items
        .iter()
        .map(|item| match item {
            Ok(event) => line(event),
            Err(StreamError::Upstream(error)) => (*error).to_owned(),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        lines,
        [
            "COMPLETED 1",
            "timed out",
            "COMPLETED 2",
            "ERROR nothing",
            "expected ',' or ']' at byte 4",
        ]
    );
}

#[derive(Debug, PartialEq, Deserialize)]
struct Day {
    title: String,
    nights: u8,
}

#[test]
fn typed_entities_are_yielded_once_they_deserialize() {
    let fragments = stream::iter([
        r#"{"days": [{"title": "Arr"#,
        r#"ival", "nights": 1"#,
        r#"}, {"title": "Rest", "nights": "two"}, "#,
        r#"{"nights": 3, "title": "Home"}]}"#,
    ]);
    let mut events = fragments.json_entities::<Day>(realtime().named("days"));
    let reported: Vec<EntityEvent<Day>> = block_on(events.by_ref().collect());
    let day = |title: &str, nights| {
        Some(Day {
            title: title.to_owned(),
            nights,
        })
    };
    let data: Vec<_> = reported
        .iter()
        .map(|event| (event.index, event.status, &event.data))
        .collect();
    assert_eq!(
        data,
        [
            (Some(0), EntityStatus::Partial, &day("Arrival", 1)),
            (Some(0), EntityStatus::Completed, &day("Arrival", 1)),
            (Some(1), EntityStatus::Error, &None),
            (Some(2), EntityStatus::Completed, &day("Home", 3)),
        ]
    );
    // The changes of the suppressed event are in the next one.
    let paths: Vec<_> = reported[0]
        .delta
        .iter()
        .flatten()
        .map(|step| step.path.as_str())
        .collect();
    assert_eq!(paths, ["", "/title", "/nights"]);
    let error = reported[2].error.as_ref().unwrap();
    assert_eq!(error.code, EntityErrorCode::InvalidSchema);
    assert_eq!(
        error.message,
        r#"invalid type: string "two", expected u8 at /nights"#
    );
    assert_eq!(
        (events.report().mismatches(), events.report().ended_by()),
        (1, None)
    );
}

#[test]
fn batch_deserializes_as_one_value() {
    let batch = EntityDetector::new(EntityMode::Batch).pointer("/n");
    let events = stream::iter([r#"{"n": [1, 2"#, ", 3]}"]).json_entities::<Vec<u8>>(batch);
    let reported: Vec<_> = block_on(events.collect());
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].data, Some(vec![1, 2, 3]));
}

#[cfg(feature = "schema")]
#[test]
fn rejected_entities_are_counted() {
    let schema = r#"{"type": "integer"}"#.parse().unwrap();
    let mut events =
        stream::iter(["[1, true, 2]"]).json_entities::<RawJson>(one_by_one().schema(schema));
    let reported: Vec<_> = block_on(events.by_ref().collect());
    let lines: Vec<_> = reported.iter().map(line).collect();
    assert_eq!(lines, ["COMPLETED 1", "ERROR true", "COMPLETED 2"]);
    assert_eq!(events.report().mismatches(), 1);
}

#[cfg(feature = "tokio")]
#[tokio::test(start_paused = true)]
async fn open_entity_fails_at_the_deadline() {
    use std::time::Duration;

    let entities =
        one_by_one().limits(json_chunks::Limits::default().max_duration(Duration::from_secs(5)));
    let fragments = stream::iter([r#"[1, {"a": 2"#]).chain(stream::pending());
    let reported: Vec<_> = fragments.json_entities::<RawJson>(entities).collect().await;
    let lines: Vec<_> = reported.iter().map(line).collect();
    assert_eq!(lines, ["COMPLETED 1", "ERROR nothing"]);
    let error = reported[1].error.as_ref().unwrap();
    assert!(error.message.contains("time"), "{error}");
}

fn frames(events: impl futures::Stream<Item = SseEvent>) -> String {
    block_on(events.map(|event| event.to_string()).collect())
}

#[test]
fn sse_events_are_numbered_and_end_with_close() {
    let events = stream::iter([
        SseEvent::new("a"),
        SseEvent::new("b").with_id("x"),
        SseEvent::new("c"),
    ]);
    assert_eq!(
        frames(events.sse()),
        "id: 1\ndata: a\n\nid: x\ndata: b\n\nid: 3\ndata: c\n\nevent: CLOSE\ndata: [DONE]\n\n"
    );
    assert_eq!(
        frames(stream::empty::<SseEvent>().sse()),
        "event: CLOSE\ndata: [DONE]\n\n"
    );
}

/// A replay buffer with all events.
#[test]
fn skipped_sse_events_count() {
    let events = || stream::iter(["a", "b", "c", "d"].map(SseEvent::new)).sse();
    let ids = |from| {
        block_on(
            events()
                .skip(from)
                .filter_map(async |event| event.id().map(str::to_owned))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(ids(1), ["2", "3", "4"]);
    assert_eq!(ids(3), ["4"]);
}

#[test]
fn end_of_events_is_yielded_once_with_size_hints() {
    let mut events = spawn(stream::iter([SseEvent::new("a")]).sse());
    assert_eq!(events.size_hint(), (2, Some(2)));
    assert!(assert_ready!(events.poll_next()).is_some());
    assert_eq!(events.size_hint(), (1, Some(1)));
    assert!(assert_ready!(events.poll_next()).unwrap().is_close());
    assert_eq!(events.size_hint(), (0, Some(0)));
    assert!(events.is_terminated());
    assert_ready_eq!(events.poll_next(), None);
}

#[test]
fn sse_events_are_closed_after_an_error() {
    let items = stream::iter([Ok(SseEvent::new("a")), Err("reset"), Ok(SseEvent::new("b"))]);
    let sent: Vec<_> = block_on(items.try_sse().map_ok(|event| event.to_string()).collect());
    assert_eq!(
        sent,
        [
            Ok("id: 1\ndata: a\n\n".to_owned()),
            Err("reset"),
            Ok("id: 2\ndata: b\n\n".to_owned()),
            Ok("event: CLOSE\ndata: [DONE]\n\n".to_owned()),
        ]
    );
}

#[test]
fn pending_stream_leaves_events_pending() {
    let (sender, receiver) = mpsc::unbounded_channel::<SseEvent>();
    let mut events = spawn(UnboundedReceiverStream::new(receiver).sse());
    assert_pending!(events.poll_next());
    sender.send(SseEvent::new("a")).unwrap();
    assert!(events.is_woken());
    assert_eq!(assert_ready!(events.poll_next()).unwrap().id(), Some("1"));
    assert_pending!(events.poll_next());
    drop(sender);
    assert!(events.is_woken());
    assert!(assert_ready!(events.poll_next()).unwrap().is_close());
}

#[test]
fn adapters_have_the_auto_traits_of_the_inner_stream() {
    fn free<T: Send + Sync + Unpin>(_: &T) {}
    let events = || stream::iter(["[1]"]).json_entities::<RawJson>(one_by_one());
    free(&events());
    free(&events().sse());
    free(
        &stream::iter([Ok::<_, ()>("[1]")])
            .try_json_entities::<RawJson>(one_by_one())
            .try_sse(),
    );
    let shown = format!("{:?} {:?}", events(), events().sse());
    assert!(
        shown.contains("Adapter") && shown.contains("SseStream"),
        "{shown}"
    );
}
