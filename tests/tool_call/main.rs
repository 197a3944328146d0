//! Tool calls: told early, handed out for execution only when they are whole.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod broken;
mod execute;
mod laws;
mod shapes;
#[path = "../support/mod.rs"]
mod support;

use json_chunks::{Error, ToolCallDetector, ToolCallEvent, ToolCallShape};

/// What a detector told, an event a line; deltas that come one behind the other are one:
///
/// `0 named Read toolu_1`, `0 id toolu_1`, `0 + {"path":"/"}`, `0 done Read toolu_1`,
/// `0 failed: why`.
#[derive(Debug, Default, PartialEq)]
struct Story {
    lines: Vec<String>,
    error: Option<Error>,
}

/// Follows the events of one text, which must make sense whatever the text is.
#[derive(Default)]
struct Listener {
    lines: Vec<String>,
    /// The name, the id and the arguments so far of each call, and whether it has ended.
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
    fn hear(&mut self, event: &ToolCallEvent) {
        let index = event.index();
        if let ToolCallEvent::Named { id, name, .. } = event {
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
            ToolCallEvent::Named {
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

/// What is told of a text that comes in these pieces, and of its end.
fn story<P: AsRef<[u8]>>(
    detector: &mut ToolCallDetector,
    pieces: impl IntoIterator<Item = P>,
) -> Story {
    let mut listener = Listener::default();
    let mut error = pieces.into_iter().find_map(|piece| {
        match detector.push(piece.as_ref()) {
            Ok(events) => events.for_each(|event| listener.hear(&event)),
            Err(error) => return Some(error),
        }
        None
    });
    if error.is_none() {
        match detector.finish() {
            Ok(events) => events.for_each(|event| listener.hear(&event)),
            Err(at_the_end) => error = Some(at_the_end),
        }
    }
    detector.events().for_each(|event| listener.hear(&event));
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

/// The story of a text, which must be the same however the text is split.
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

/// How many bytes of the text it takes until the first name is told.
fn bytes_until_named(shape: &ToolCallShape, text: &str) -> Option<usize> {
    let mut detector = ToolCallDetector::new(shape.clone());
    text.bytes()
        .position(|byte| {
            let mut events = detector.push(&[byte]).unwrap();
            matches!(events.next(), Some(ToolCallEvent::Named { .. }))
        })
        .map(|index| index + 1)
}
