//! Changes of the document as values of their own.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::fault::OnFault;
use super::machine::Outbox;
use super::reader::View;
use crate::{Change, Event, Kind, Parser, Partials};

/// One change to the document: an [`Event`] that owns what it tells.
///
/// ```
/// use json_chunks::{Parser, stream::{JsonChange, JsonEvent}};
///
/// let mut parser = Parser::new();
/// let growth = parser.push(br#"{"title":"Three"#)?;
/// let events: Vec<JsonEvent> = growth.events().map(JsonEvent::from).collect();
/// assert_eq!(events[2].path, "/title");
/// assert_eq!(events[2].change, JsonChange::Appended("Three".to_owned()));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// Shows payload in its `Debug` text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct JsonEvent {
    /// Where: a JSON Pointer (RFC 6901), empty for the whole document.
    pub path: String,
    /// What.
    pub change: JsonChange,
}

/// What happened to a value. Shows payload in its `Debug` text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonChange {
    /// Its first byte has come.
    Started(Kind),
    /// More of the text of a string, its escapes resolved, or of a number.
    Appended(String),
    /// Its end has come. What a string, number or literal is as a whole, as JSON text; nothing for
    /// an array or object, of which everything has been told by then.
    Completed(Option<String>),
}

impl JsonChange {
    /// What it is called: `started`, `appended` or `completed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Appended(_) => "appended",
            Self::Completed(_) => "completed",
        }
    }
}

impl From<Event<'_>> for JsonEvent {
    fn from(event: Event<'_>) -> Self {
        Self {
            path: event.path.to_pointer(),
            change: match event.change {
                Change::Started(kind) => JsonChange::Started(kind),
                Change::Appended(text) => JsonChange::Appended(text.to_owned()),
                // Not of containers: a value would be told once for each that is around it.
                Change::Completed(value) => JsonChange::Completed(
                    (!value.kind().is_container()).then(|| value.to_json(Partials::default())),
                ),
            },
        }
    }
}

/// Every event.
pub(super) struct Events;

impl View for Events {
    type Item = JsonEvent;

    fn look<F: OnFault>(&mut self, parser: &Parser, out: &mut Outbox<'_, JsonEvent, F>) {
        for event in parser.growth().events() {
            out.item(event.into());
        }
    }
}
