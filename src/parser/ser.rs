//! Events for a serde serializer.

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::{Change, Event, Path};

/// Serializes the JSON Pointer.
impl Serialize for Path<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Serializes the event as `json-chunks events` writes it:
///
/// ```
/// use json_chunks::Parser;
///
/// let mut parser = Parser::new();
/// let update = parser.push(r#"{"title":"Three Slow Days"}"#)?;
/// let lines = update.events().map(|event| serde_json::to_string(&event).expect("it is plain"));
/// let lines: Vec<String> = lines.collect();
/// assert_eq!(
///     lines,
///     [
///         r#"{"path":"","event":"started","kind":"object"}"#,
///         r#"{"path":"/title","event":"started","kind":"string"}"#,
///         r#"{"path":"/title","event":"appended","text":"Three Slow Days"}"#,
///         r#"{"path":"/title","event":"completed","value":"Three Slow Days"}"#,
///         r#"{"path":"","event":"completed"}"#,
///     ]
/// );
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// The end of an array or object has no value, because its parts all had events of their own.
impl Serialize for Event<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("Event", 3)?;
        event.serialize_field("path", &self.path)?;
        event.serialize_field("event", self.change.as_str())?;
        match self.change {
            Change::Started(kind) => event.serialize_field("kind", kind.as_str())?,
            Change::Appended(text) => event.serialize_field("text", text)?,
            Change::Completed(value) if value.kind().is_container() => event.skip_field("value")?,
            Change::Completed(value) => event.serialize_field("value", &value)?,
        }
        event.end()
    }
}
