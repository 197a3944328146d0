//! Frames as a client reads them.

use std::time::Duration;

use json_chunks::sse::SseEvent;
use proptest::prelude::{prop_assert_eq, proptest};

use json_chunks_testing::{CASES, config};

/// An event as the HTML standard has a client dispatch it: its type, data and last event id.
type Dispatched = (String, String, String);

/// The standard's interpretation of an event stream (section 9.2.6), read line by line.
fn dispatched(stream: &str) -> Vec<Dispatched> {
    let mut events = Vec::new();
    let (mut kind, mut data, mut id) = (String::new(), String::new(), String::new());
    let stream = stream.replace("\r\n", "\n").replace('\r', "\n");
    // The text after the last line end is not a line yet.
    let (whole, _) = stream.rsplit_once('\n').unwrap_or_default();
    for line in whole.split('\n') {
        if line.is_empty() {
            if let Some(data) = std::mem::take(&mut data).strip_suffix('\n') {
                let kind = if kind.is_empty() { "message" } else { &kind };
                events.push((kind.to_owned(), data.to_owned(), id.clone()));
            }
            kind.clear();
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut kind),
            "data" => {
                data.push_str(value);
                data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            _ => {}
        }
    }
    events
}

#[test]
fn frame_has_one_data_line_per_line() {
    for (event, frame) in [
        (SseEvent::new("{}"), "data: {}\n\n"),
        (SseEvent::new(""), "data: \n\n"),
        (
            SseEvent::new("a\nb\r\nc\rd"),
            "data: a\ndata: b\ndata: c\ndata: d\n\n",
        ),
        (SseEvent::new("a\n\n"), "data: a\ndata: \ndata: \n\n"),
        (SseEvent::new("a\n\rb"), "data: a\ndata: \ndata: b\n\n"),
        (
            SseEvent::named("chunk", "x").with_id("7"),
            "id: 7\nevent: chunk\ndata: x\n\n",
        ),
        (
            SseEvent::named("a\nb", "x").with_id("1\r\0\n2"),
            "id: 12\nevent: ab\ndata: x\n\n",
        ),
        (SseEvent::close(), "event: CLOSE\ndata: [DONE]\n\n"),
        (
            SseEvent::new("x").with_retry(Duration::from_millis(1050)),
            "retry: 1050\ndata: x\n\n",
        ),
    ] {
        assert_eq!(event.to_string(), frame);
    }
}

/// The body that axum sends of these events.
#[cfg(feature = "axum")]
fn axum_body(events: &[SseEvent]) -> String {
    use axum::response::IntoResponse as _;
    use axum::response::sse::{Event, Sse};
    use futures::executor::block_on;

    let events: Vec<_> = events.to_vec();
    let events = events
        .into_iter()
        .map(|event| Ok::<_, std::convert::Infallible>(Event::from(event)));
    let response = Sse::new(futures::stream::iter(events)).into_response();
    let body = block_on(axum::body::to_bytes(response.into_body(), usize::MAX)).unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

#[cfg(feature = "axum")]
#[test]
fn axum_sends_the_frames_of_events() {
    let retry = Duration::from_millis(1050);
    let events = [
        SseEvent::named("chunk", "x").with_id("7").with_retry(retry),
        SseEvent::new("\n").with_id(""),
        SseEvent::new("a\nb\r\nc\rd\n"),
        SseEvent::named("a\nb", "x").with_id("1\r\0\n2"),
        SseEvent::new("x").with_retry(Duration::ZERO),
        SseEvent::new("x").with_retry(Duration::from_secs(7)),
        SseEvent::close(),
    ];
    let frames: String = events.iter().map(SseEvent::to_string).collect();
    assert_eq!(axum_body(&events), frames);
    let empty = SseEvent::new("").with_id("1");
    assert_eq!(axum_body(&[empty]), "id: 1\n\n", "a limit of axum");
}

#[test]
fn event_has_accessors_for_its_fields() {
    let event = SseEvent::named("chunk", "x").with_id("7");
    assert_eq!(
        (event.id(), event.name(), event.data()),
        (Some("7"), "chunk", "x")
    );
    let event = SseEvent::new("x");
    assert_eq!(
        (event.id(), event.name(), event.is_close()),
        (None, "message", false)
    );
    assert_eq!(event.retry(), None);
    let retry = Some(Duration::from_secs(1));
    assert_eq!(event.with_retry(Duration::from_secs(1)).retry(), retry);
    assert!(SseEvent::close().is_close());
    assert!(!format!("{:?}", SseEvent::new("secret")).contains("secret"));
}

proptest! {
    #![proptest_config(config(CASES))]

    /// A client receives any data, except for the kind of line ends, as one event per frame.
    #[test]
    fn client_receives_what_was_sent(
        events in proptest::collection::vec(("[a-z\r\n\0: ]{0,4}", "[a:\r\n\u{FEFF}é ]{0,8}"), 0..5),
    ) {
        let sent: Vec<SseEvent> = events
            .iter()
            .enumerate()
            .map(|(n, (name, data))| {
                SseEvent::named(name.clone(), data.clone()).with_id(format!("x\n-{}", n + 1))
            })
            .collect();
        let stream: String = sent.iter().map(ToString::to_string).collect();
        let expected: Vec<Dispatched> = sent
            .iter()
            .enumerate()
            .map(|(n, event)| {
                let data = event.data().replace("\r\n", "\n").replace('\r', "\n");
                let name = if event.name().is_empty() { "message" } else { event.name() };
                (name.to_owned(), data, format!("x-{}", n + 1))
            })
            .collect();
        let name = |name: &str| name.strip_prefix(' ').unwrap_or(name).to_owned();
        let got: Vec<_> = dispatched(&stream);
        prop_assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(&expected) {
            prop_assert_eq!(name(&got.0), name(&expected.0));
            prop_assert_eq!(&got.1, &expected.1);
            prop_assert_eq!(&got.2, &expected.2);
        }
    }
}
