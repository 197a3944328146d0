//! Frames as a client reads them.

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
    ] {
        assert_eq!(event.to_string(), frame);
    }
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
