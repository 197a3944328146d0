//! Events of the document that own their data.

use alloc::borrow::ToOwned;
use alloc::string::String;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::document::{Kind, PartialPolicy};
use crate::parser::{Change, Event};
use crate::raw_json::RawJson;

/// One change to the document: an [`Event`] that owns its data.
///
/// ```
/// use json_chunks::Parser;
/// use json_chunks::stream::{OwnedChange, OwnedEvent};
///
/// let mut parser = Parser::new();
/// let update = parser.push(br#"{"title":"Three"#)?;
/// let events: Vec<OwnedEvent> = update.events().map(OwnedEvent::from).collect();
/// assert_eq!(events[2].path, "/title");
/// assert_eq!(events[2].change, OwnedChange::Appended("Three".to_owned()));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// The `Debug` text contains payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct OwnedEvent {
    /// The path of the value: a JSON Pointer (RFC 6901), empty for the document itself.
    pub path: String,
    /// What happened to it.
    pub change: OwnedChange,
}

/// What happened to a value. The `Debug` text contains payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OwnedChange {
    /// Its first byte has arrived.
    Started(Kind),
    /// More text of a string, with its escapes resolved, or of a number.
    Appended(String),
    /// It is complete. For a string, number or literal, its JSON text; `None` for an array or
    /// object, because each of its parts had its own events.
    Completed(Option<String>),
}

impl OwnedChange {
    /// Returns its name: `started`, `appended` or `completed`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Appended(_) => "appended",
            Self::Completed(_) => "completed",
        }
    }
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        Self {
            path: event.path.to_pointer(),
            change: match event.change {
                Change::Started(kind) => OwnedChange::Started(kind),
                Change::Appended(text) => OwnedChange::Appended(text.to_owned()),
                // Not for containers: a value would be repeated for each container around it.
                Change::Completed(value) => OwnedChange::Completed(
                    (!value.kind().is_container()).then(|| value.to_json(PartialPolicy::default())),
                ),
            },
        }
    }
}

/// The format of `json-chunks events`:
///
/// - `{"path":"/n","event":"started","kind":"number"}`, where `kind` is named as in JSON Schema,
/// - `{"path":"/n","event":"appended","text":"4"}`, or
/// - `{"path":"/n","event":"completed","value":42}`, without `value` for arrays and objects.
///
/// Numbers are serialized with 64 or 128 bits.
impl Serialize for OwnedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("OwnedEvent", 3)?;
        event.serialize_field("path", &self.path)?;
        event.serialize_field("event", self.change.as_str())?;
        match &self.change {
            OwnedChange::Started(kind) => event.serialize_field("kind", kind.as_str())?,
            OwnedChange::Appended(text) => event.serialize_field("text", text)?,
            OwnedChange::Completed(Some(value)) => {
                event.serialize_field("value", &RawJson::new(value.clone()))?;
            }
            OwnedChange::Completed(None) => {}
        }
        event.end()
    }
}
