//! Server-sent events by the WHATWG's HTML standard (section 9.2), and the Partial Stream Spec on
//! top: `data:` is one JSON text, and the last event is `CLOSE` with `[DONE]`.
//!
//! # For maintainers
//!
//! Bytes and ids only: connections are the server's business. [`ReplayBuffer`] has what a server
//! needs to resume where a client stopped, the recent events by their ids. Every field of an event
//! is one line of its frame, except for `data`, which has a line for each of its own; the
//! constructors drop line breaks from ids and names.

use alloc::borrow::Cow;
use alloc::collections::VecDeque;
use alloc::string::String;
use core::fmt::{self, Write as _};

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

/// The name of the event that ends a stream.
const CLOSE: &str = "CLOSE";

/// One server-sent event. `Display` writes its frame, the blank line at the end included.
///
/// ```
/// use json_chunks::sse::SseEvent;
///
/// let event = SseEvent::new(r#"{"index":0}"#).with_id("7");
/// assert_eq!(event.to_string(), "id: 7\ndata: {\"index\":0}\n\n");
/// assert_eq!(SseEvent::close().to_string(), "event: CLOSE\ndata: [DONE]\n\n");
/// ```
///
/// Frameworks have a type of their own for this, with the same three parts; all three have to be
/// converted, see [`try_sse`](crate::stream::SseStreamExt::try_sse) for axum.
#[derive(Clone, PartialEq, Eq)]
pub struct SseEvent {
    id: Option<String>,
    name: Option<Cow<'static, str>>,
    data: String,
}

impl SseEvent {
    /// Returns an event of the default name, `message`.
    #[must_use]
    pub fn new(data: impl Into<String>) -> Self {
        Self {
            id: None,
            name: None,
            data: data.into(),
        }
    }

    /// Returns an event that listeners for `name` receive; for an empty one those for `message`.
    /// Line breaks can't be part of a name and are dropped.
    #[must_use]
    pub fn named(name: impl Into<Cow<'static, str>>, data: impl Into<String>) -> Self {
        Self {
            name: Some(one_line(name.into())).filter(|name| !name.is_empty()),
            ..Self::new(data)
        }
    }

    /// Returns the event that ends a stream: `CLOSE`, with `[DONE]` as its data. A client that
    /// doesn't close the connection at this event would connect again.
    #[must_use]
    pub fn close() -> Self {
        Self::named(CLOSE, "[DONE]")
    }

    /// Sets the id, which a client sends as `Last-Event-ID` when it connects again. Line breaks and
    /// U+0000 can't be part of an id and are dropped.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(one_line(Cow::Owned(id.into())).into_owned());
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

    /// Returns its data, which may have several lines.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    /// Whether it is the one that ends a stream.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.name.as_deref() == Some(CLOSE)
    }

    /// Its size in a [`ReplayBuffer`], or in a log.
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
        // All three line ends of the standard end a line here, so a client reads all as `\n`.
        let mut rest = self.data.as_str();
        loop {
            let (line, after) = match rest.split_once(['\r', '\n']) {
                None => (rest, None),
                Some((line, after)) => {
                    let was_return = rest.as_bytes().get(line.len()) == Some(&b'\r');
                    let pair = after.strip_prefix('\n').filter(|_| was_return);
                    (line, Some(pair.unwrap_or(after)))
                }
            };
            writeln!(f, "data: {line}")?;
            match after {
                Some(after) => rest = after,
                None => break,
            }
        }
        f.write_char('\n')
    }
}

/// As a map of `id`, `event` and `data`, named as the fields of a frame; `id` and `event` are left
/// out where the frame has none.
impl Serialize for SseEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("SseEvent", 3)?;
        match &self.id {
            Some(id) => event.serialize_field("id", id)?,
            None => event.skip_field("id")?,
        }
        match &self.name {
            Some(name) => event.serialize_field("event", name)?,
            None => event.skip_field("event")?,
        }
        event.serialize_field("data", &self.data)?;
        event.end()
    }
}

/// Shows no payload.
impl fmt::Debug for SseEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SseEvent")
            .field("id", &self.id)
            .field("name", &self.name())
            .field("data_bytes", &self.data.len())
            .finish()
    }
}

/// The events of the recent past, for clients that lost their connection.
///
/// Every event that is pushed gets the next id. A client that connects again sends the id of the
/// last event it has received as `Last-Event-ID`, and [`after`](Self::after) returns the rest. What
/// exceeds the bounds is dropped, the oldest first.
///
/// ```
/// use json_chunks::sse::{ReplayBuffer, SseEvent};
///
/// let mut buffer = ReplayBuffer::new(100).id_prefix("trip-");
/// for data in ["[1", ",2", "]"] {
///     buffer.push(SseEvent::new(data));
/// }
/// let missed = buffer.after(Some("trip-1"));
/// assert!(missed.is_gapless());
/// assert_eq!(missed.map(SseEvent::data).collect::<String>(), ",2]");
///
/// // The id of another stream: all from the start, and the client has to drop what it had.
/// assert!(!buffer.after(Some("travel-9")).is_gapless());
/// ```
///
/// # Cost
///
/// A push copies the event and drops what exceeds the bounds; `after` finds its start at once.
#[derive(Clone)]
pub struct ReplayBuffer {
    prefix: String,
    events: VecDeque<SseEvent>,
    max_events: usize,
    max_bytes: usize,
    bytes: usize,
    /// How many have been pushed, which is the number of the last.
    pushed: u64,
}

impl ReplayBuffer {
    /// Returns an empty buffer for at most `max_events` events.
    #[must_use]
    pub fn new(max_events: usize) -> Self {
        Self {
            prefix: String::new(),
            events: VecDeque::new(),
            max_events,
            max_bytes: usize::MAX,
            bytes: 0,
            pushed: 0,
        }
    }

    /// Sets how many bytes of data and names are kept at most; the default is no bound.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets what ids begin with, before their number: nothing by default. Where the same client may
    /// return to another stream, different prefixes keep their ids apart, if they don't end in
    /// digits. Line breaks and U+0000 are dropped.
    #[must_use]
    pub fn id_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = one_line(Cow::Owned(prefix.into())).into_owned();
        self
    }

    /// Sets the event's id to the next one, in place of one that it has, and keeps the event.
    ///
    /// Returns the event, to be sent at once; it is not kept if it alone exceeds the bounds.
    pub fn push(&mut self, event: SseEvent) -> SseEvent {
        self.pushed += 1;
        let mut id = self.prefix.clone();
        let _ = write!(id, "{}", self.pushed);
        let event = event.with_id(id);
        self.bytes += event.size();
        self.events.push_back(event.clone());
        while self.events.len() > self.max_events || self.bytes > self.max_bytes {
            let Some(dropped) = self.events.pop_front() else {
                break;
            };
            self.bytes -= dropped.size();
        }
        event
    }

    /// Returns the events that a client has not received whose last one was `last_event_id`: all
    /// of them for a client without one, or with an id that was never assigned here.
    #[must_use]
    pub fn after(&self, last_event_id: Option<&str>) -> Replay<'_> {
        let seen = match last_event_id {
            None => Some(0),
            Some(id) => self.number(id),
        };
        let dropped = self.pushed - self.events.len() as u64;
        let skipped = seen.unwrap_or(0).saturating_sub(dropped);
        let from = usize::try_from(skipped).unwrap_or(usize::MAX);
        Replay {
            events: self.events.range(from.min(self.events.len())..),
            gapless: seen.is_some_and(|seen| seen >= dropped),
        }
    }

    /// Returns how many events are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns the number of an id that was assigned here.
    fn number(&self, id: &str) -> Option<u64> {
        let digits = id.strip_prefix(self.prefix.as_str())?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        let number = digits.parse().ok().filter(|_| plain)?;
        (number <= self.pushed).then_some(number)
    }
}

impl fmt::Debug for ReplayBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplayBuffer")
            .field("id_prefix", &self.prefix)
            .field("events", &self.events.len())
            .field("bytes", &self.bytes)
            .field("pushed", &self.pushed)
            .finish_non_exhaustive()
    }
}

/// What a client has missed, oldest first: see [`ReplayBuffer::after`].
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    events: alloc::collections::vec_deque::Iter<'a, SseEvent>,
    gapless: bool,
}

impl Replay<'_> {
    /// Whether it continues right after what the client has received. If not, some events were
    /// dropped, or what the client has is of another stream.
    #[must_use]
    pub fn is_gapless(&self) -> bool {
        self.gapless
    }
}

impl<'a> Iterator for Replay<'a> {
    type Item = &'a SseEvent;

    fn next(&mut self) -> Option<Self::Item> {
        self.events.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl ExactSizeIterator for Replay<'_> {}
