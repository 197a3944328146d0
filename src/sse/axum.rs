//! Events for axum.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use ::axum::response::sse::Event;

use super::{SseEvent, lines};

/// Converts all fields: id, name, data of several lines, and the time before a reconnect. Empty
/// data cannot be represented: axum writes no line for it, and a client ignores an event without
/// one.
///
/// ```
/// use axum::response::sse::{Event, Sse};
/// use futures::{StreamExt, stream};
/// use json_chunks::entity::{EntityDetector, EntityMode};
/// use json_chunks::stream::{FragmentStreamExt, SseStreamExt};
/// use json_chunks::value::RawJson;
/// use std::convert::Infallible;
///
/// let tokens = stream::iter(["[{\"name\":", " \"a\"}]"]);
/// let entities = tokens.json_entities::<RawJson>(EntityDetector::new(EntityMode::OneByOne));
/// let body = Sse::new(entities.sse().map(|event| Ok::<_, Infallible>(Event::from(event))));
/// # let _ = body;
/// ```
impl From<SseEvent> for Event {
    fn from(event: SseEvent) -> Self {
        // axum would read `\r\n` as two line ends.
        let data = if event.data.contains('\r') {
            Cow::Owned(lines(&event.data).collect::<Vec<_>>().join("\n"))
        } else {
            Cow::Borrowed(event.data.as_str())
        };
        let mut frame = Self::default();
        // The constructors have dropped the characters at which these methods panic.
        if let Some(id) = &event.id {
            frame = frame.id(id);
        }
        if let Some(name) = &event.name {
            frame = frame.event(name);
        }
        if let Some(retry) = event.retry {
            frame = frame.retry(retry);
        }
        frame.data(&*data)
    }
}
