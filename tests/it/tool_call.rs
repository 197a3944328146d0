//! Tool calls: reported early, and executable only when complete.

mod broken;
mod deltas;
mod execute;
mod laws;
mod partial;
#[cfg(feature = "schema")]
mod schema;
mod shapes;
use json_chunks::Error;
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};

/// The events of a detector, one per line; successive deltas are merged:
///
/// `0 named Read toolu_1`, `0 id toolu_1`, `0 + {"path":"/"}`, `0 done Read toolu_1`,
/// `0 failed: why`.
#[derive(Debug, Default, PartialEq)]
struct Story {
    lines: Vec<String>,
    error: Option<Error>,
}

/// Follows the events of one text, and asserts that they are consistent.
#[derive(Default)]
struct Listener {
    lines: Vec<String>,
    /// The name, id and arguments so far of each call, and whether it has ended.
    calls: Vec<Call>,
}

#[derive(Default)]
struct Call {
    name: String,
    id: Option<String>,
    arguments: String,
    ended: bool,
}

impl Listener {
    fn record(&mut self, event: &ToolCallEvent) {
        let index = event.index();
        if let ToolCallEvent::Started { id, name, .. } = event {
            assert_eq!(
                index,
                self.calls.len(),
                "calls are numbered as they are named"
            );
            let call = Call {
                name: name.clone(),
                id: id.clone(),
                ..Call::default()
            };
            self.calls.push(call);
        }
        let call = self
            .calls
            .get_mut(index)
            .expect("the first event is the name");
        assert!(!call.ended, "{event:?} is behind the end");
        let id = |id: Option<&str>| id.map_or(String::new(), |id| format!(" {id}"));
        let line = match event {
            ToolCallEvent::Started {
                id: known, name, ..
            } => {
                format!("{index} named {name}{}", id(known.as_deref()))
            }
            ToolCallEvent::Identified { id, .. } => {
                assert_eq!(call.id.replace(id.clone()), None);
                format!("{index} id {id}")
            }
            ToolCallEvent::ArgumentsDelta { delta, .. } => {
                assert!(!delta.is_empty());
                call.arguments.push_str(delta);
                let start = format!("{index} + ");
                if let Some(last) = self.lines.last_mut()
                    && last.starts_with(&start)
                {
                    last.push_str(delta);
                    return;
                }
                start + delta
            }
            ToolCallEvent::Completed(whole) => {
                call.ended = true;
                assert_eq!(whole.name(), call.name);
                assert_eq!(whole.id(), call.id.as_deref());
                assert_eq!(
                    whole.arguments(),
                    call.arguments,
                    "what the deltas add up to"
                );
                format!("{index} done {}{}", call.name, id(whole.id()))
            }
            ToolCallEvent::Failed { error, .. } => {
                call.ended = true;
                format!("{index} failed: {error}")
            }
            other => panic!("{other:?}"),
        };
        self.lines.push(line);
    }
}

/// Returns the events of a text in these pieces, and of its end.
fn story<P: AsRef<[u8]>>(
    detector: &mut ToolCallDetector,
    pieces: impl IntoIterator<Item = P>,
) -> Story {
    let mut listener = Listener::default();
    let mut error = pieces.into_iter().find_map(|piece| {
        match detector.push(piece.as_ref()) {
            Ok(events) => events.for_each(|event| listener.record(&event)),
            Err(error) => return Some(error),
        }
        None
    });
    if error.is_none() {
        match detector.finish() {
            Ok(events) => events.for_each(|event| listener.record(&event)),
            Err(at_the_end) => error = Some(at_the_end),
        }
    }
    detector.events().for_each(|event| listener.record(&event));
    assert!(
        listener.calls.iter().all(|call| call.ended),
        "every call has an end: {:?}",
        listener.lines
    );
    Story {
        lines: listener.lines,
        error,
    }
}

fn whole_story(shape: &ToolCallShape, text: &str) -> Story {
    story(&mut ToolCallDetector::new(shape.clone()), [text])
}

/// Returns the events of a text, and asserts that they are the same for every split.
fn tells(shape: &ToolCallShape, text: &str) -> Vec<String> {
    let whole = whole_story(shape, text);
    let mut detector = ToolCallDetector::new(shape.clone());
    for split in 0..=text.len() {
        let (head, tail) = text.as_bytes().split_at(split);
        detector.reset();
        assert_eq!(
            story(&mut detector, [head, tail]),
            whole,
            "split at {split}: {text}"
        );
    }
    detector.reset();
    assert_eq!(
        story(&mut detector, text.as_bytes().chunks(1)),
        whole,
        "by bytes: {text}"
    );
    assert_eq!(whole.error, None, "{text}");
    whole.lines
}

/// Returns the number of bytes until the first name is reported.
fn bytes_until_named(shape: &ToolCallShape, text: &str) -> Option<usize> {
    let mut detector = ToolCallDetector::new(shape.clone());
    text.bytes()
        .position(|byte| {
            let mut events = detector.push([byte]).unwrap();
            matches!(events.next(), Some(ToolCallEvent::Started { .. }))
        })
        .map(|index| index + 1)
}
