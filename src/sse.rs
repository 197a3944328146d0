//! Server-sent events (WHATWG HTML, section 9.2), with the rules of the Partial Stream Spec:
//! `data:` is one JSON text, and the last event is `CLOSE` with `[DONE]`.
//!
//! # For maintainers
//!
//! This room writes frames and ids. Connections belong to the server, and an event log stores the
//! events that a client has missed. Every field of an event is one line of its frame, except for
//! `data`, which has one line for each line of the data; the constructors drop line breaks from ids
//! and names.

#[cfg(feature = "axum")]
mod axum;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write as _};
use core::time::Duration;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

/// The name of the event that ends a stream.
const CLOSE: &str = "CLOSE";

/// One server-sent event. `Display` writes its frame, including the blank line at the end.
///
/// ```
/// use json_chunks::sse::SseEvent;
///
/// let event = SseEvent::new(r#"{"index":0}"#).with_id("7");
/// assert_eq!(event.to_string(), "id: 7\ndata: {\"index\":0}\n\n");
/// assert_eq!(SseEvent::close().to_string(), "event: CLOSE\ndata: [DONE]\n\n");
/// ```
///
/// Frameworks have their own types with the same fields; convert all of them. For axum, use
/// `From<SseEvent>` (feature `axum`).
#[derive(Clone, PartialEq, Eq)]
pub struct SseEvent {
    id: Option<String>,
    name: Option<Cow<'static, str>>,
    retry: Option<Duration>,
    data: String,
}

impl SseEvent {
    /// Returns an event with the default name, `message`.
    #[must_use]
    pub fn new(data: impl Into<String>) -> Self {
        Self {
            id: None,
            name: None,
            retry: None,
            data: data.into(),
        }
    }

    /// Returns an event that listeners for `name` receive; for an empty one those for `message`.
    /// Line breaks cannot be part of a name and are dropped.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>, data: impl Into<String>) -> Self {
        Self {
            name: Some(one_line(name.into())).filter(|name| !name.is_empty()),
            ..Self::new(data)
        }
    }

    /// Returns the event that ends a stream: `CLOSE`, with `[DONE]` as its data. A client that does
    /// not close the connection at this event reconnects.
    #[must_use]
    pub fn close() -> Self {
        Self::named(CLOSE, "[DONE]")
    }

    /// Sets the id, which a client sends as `Last-Event-ID` when it reconnects. Line breaks and
    /// U+0000 cannot be part of an id and are dropped.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(one_line(Cow::Owned(id.into())).into_owned());
        self
    }

    /// Sets how long a client waits before it reconnects, from this event on, in units of 1 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use json_chunks::sse::SseEvent;
    ///
    /// let event = SseEvent::new("{}").with_retry(Duration::from_millis(500));
    /// assert_eq!(event.to_string(), "retry: 500\ndata: {}\n\n");
    /// ```
    #[must_use]
    pub const fn with_retry(mut self, retry: Duration) -> Self {
        self.retry = Some(retry);
        self
    }

    /// Returns its id, if it has one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns its name: `message` unless another was set.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("message")
    }

    /// Returns how long a client waits before it reconnects, if that is set.
    #[must_use]
    pub const fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Returns its data, which may have several lines.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    /// Returns whether it is the event that ends a stream.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.name.as_deref() == Some(CLOSE)
    }

    /// Returns its size in a log, in bytes.
    #[cfg(feature = "tokio")]
    pub(crate) fn size(&self) -> usize {
        self.data.len() + self.name.as_ref().map_or(0, |name| name.len())
    }
}

/// A field's value must not end its line, and an id with U+0000 is ignored by clients.
fn one_line(text: Cow<'static, str>) -> Cow<'static, str> {
    if text.contains(['\r', '\n', '\0']) {
        Cow::Owned(text.replace(['\r', '\n', '\0'], ""))
    } else {
        text
    }
}

impl fmt::Display for SseEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = &self.id {
            writeln!(f, "id: {id}")?;
        }
        if let Some(name) = &self.name {
            writeln!(f, "event: {name}")?;
        }
        if let Some(retry) = self.retry {
            writeln!(f, "retry: {}", retry.as_millis())?;
        }
        for line in lines(&self.data) {
            writeln!(f, "data: {line}")?;
        }
        f.write_char('\n')
    }
}

/// Returns the lines of a text, at least one. All three line ends of the standard end a line, so a
/// client reads all of them as `\n`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let Some((line, after)) = text.split_once(['\r', '\n']) else {
            return rest.take();
        };
        let was_return = text.as_bytes().get(line.len()) == Some(&b'\r');
        let pair = after.strip_prefix('\n').filter(|_| was_return);
        rest = Some(pair.unwrap_or(after));
        Some(line)
    })
}

/// Serializes as a map of `id`, `event`, `retry` (in milliseconds) and `data`, named like the
/// fields of a frame; all but `data` are left out if the frame has none.
impl Serialize for SseEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("SseEvent", 4)?;
        match &self.id {
            Some(id) => event.serialize_field("id", id)?,
            None => event.skip_field("id")?,
        }
        match &self.name {
            Some(name) => event.serialize_field("event", name)?,
            None => event.skip_field("event")?,
        }
        match self.retry {
            Some(retry) => event.serialize_field("retry", &retry.as_millis())?,
            None => event.skip_field("retry")?,
        }
        event.serialize_field("data", &self.data)?;
        event.end()
    }
}

/// Omits the payload.
impl fmt::Debug for SseEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SseEvent")
            .field("id", &self.id)
            .field("name", &self.name())
            .field("retry", &self.retry)
            .field("data_bytes", &self.data.len())
            .finish()
    }
}
