//! What is told of an entity.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use serde_core::de::DeserializeOwned;
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::json_text::JsonText;
use crate::document::DeserializeError;
use crate::json::write_string;
use crate::sse::SseEvent;

/// News of an entity, with the fields of the Partial Stream Spec. Shows payload in its `Debug`
/// text.
///
/// As JSON it is one object with the members `index`, `status`, `data`, `entity`, `delta` and
/// `error`; those that are `None` are left out:
///
/// `{"index":4,"status":"PARTIAL","data":{"hex":"#9400D3"},"entity":"colors","delta":[{"path":"","value":{"hex":"#9400D3"}}]}`
///
/// `T` is what the data is read as: JSON text, or a type of your own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntityEvent<T = JsonText> {
    /// Which entity, from 0. An error outside of any entity has none.
    pub index: Option<usize>,
    /// How it stands.
    pub status: EntityStatus,
    /// The entity so far; with [`Batch`](super::EntityMode::Batch) the array of all.
    pub data: Option<T>,
    /// What such an entity is called.
    pub entity: Option<Arc<str>>,
    /// What is new in `data` since the event before of the same entity; see [`Delta`]. None in the
    /// modes in which an entity has only one event.
    pub delta: Option<Vec<Delta>>,
    /// What is wrong, if the status says so.
    pub error: Option<EntityError>,
}

/// How an entity stands (section 5 of the specification).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "these are the statuses that the specification has"
)]
pub enum EntityStatus {
    /// `PARTIAL`: more may come.
    Partial,
    /// `COMPLETED`: its end has come; no event of it follows.
    Completed,
    /// `ERROR`: it will not be completed; no event of it follows.
    Error,
}

impl EntityStatus {
    /// As the specification spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Partial => "PARTIAL",
            Self::Completed => "COMPLETED",
            Self::Error => "ERROR",
        }
    }
}

/// One step of what is new: applied one after the other to the data of the event before, all steps
/// of an event make its data. The first event of an entity has one step, with the path `""` and
/// the whole value. A surrogate escaped alone is U+FFFD in `path` and `append`.
///
/// As JSON it is `{"path":"/name","append":" Violet"}` or `{"path":"/rgb/2","value":211}`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delta {
    /// Where, as a JSON Pointer (RFC 6901) from the entity.
    pub path: String,
    /// What.
    pub change: DeltaChange,
}

/// What a [`Delta`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaChange {
    /// Appends to the string there.
    Append(String),
    /// Puts this there: in place of what is there, as a new member of the object, or as the new
    /// last element of the array.
    Value(JsonText),
}

/// What is wrong (section 8 of the specification).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityError {
    /// Which kind of error.
    pub code: EntityErrorCode,
    /// What and where. That of a schema or a type may quote the data.
    pub message: String,
}

/// The kinds of errors that the specification has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntityErrorCode {
    /// `INVALID_JSON`: the text is not JSON, is cut off or exceeds the limits. Nothing more comes.
    InvalidJson,
    /// `INVALID_SCHEMA`: the entity is not what its schema or its type wants. The next may be.
    InvalidSchema,
}

impl fmt::Display for EntityStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl EntityErrorCode {
    /// As the specification spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "INVALID_JSON",
            Self::InvalidSchema => "INVALID_SCHEMA",
        }
    }
}

impl fmt::Display for EntityErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for EntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl EntityError {
    pub(crate) fn new(code: EntityErrorCode, message: &impl fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
        }
    }
}

impl<T> EntityEvent<T> {
    pub(crate) const fn new(index: Option<usize>, status: EntityStatus) -> Self {
        Self {
            index,
            status,
            data: None,
            entity: None,
            delta: None,
            error: None,
        }
    }

    /// Makes it the error that ends its entity.
    pub(crate) fn fail(&mut self, code: EntityErrorCode, message: &impl fmt::Display) {
        self.status = EntityStatus::Error;
        self.error = Some(EntityError::new(code, message));
    }

    /// The same event with what `op` makes of its data.
    #[must_use]
    pub fn map<U>(mut self, op: impl FnOnce(T) -> U) -> EntityEvent<U> {
        let data = self.data.take().map(op);
        self.with_data(data)
    }

    /// The same event with other data.
    pub(crate) fn with_data<U>(self, data: Option<U>) -> EntityEvent<U> {
        EntityEvent {
            index: self.index,
            status: self.status,
            data,
            entity: self.entity,
            delta: self.delta,
            error: self.error,
        }
    }
}

impl EntityEvent {
    /// The event with its data as a `T`. Linear in the length of the data.
    ///
    /// # Errors
    ///
    /// If no `T` can be made of the data, which for a partial entity may only be because something
    /// has not come yet. Pointers start from the data.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<EntityEvent<T>, DeserializeError> {
        let data = self.data.as_ref().map(JsonText::deserialize).transpose()?;
        Ok(EntityEvent {
            index: self.index,
            status: self.status,
            data,
            entity: self.entity.clone(),
            delta: self.delta.clone(),
            error: self.error.clone(),
        })
    }

    /// The event as JSON text in one line, the data spelled as the model wrote it. (By way of
    /// `Serialize`, numbers become those of 64 or 128 bits.)
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        if let Some(index) = self.index {
            let _ = write!(out, "\"index\":{index},");
        }
        let _ = write!(out, "\"status\":\"{}\"", self.status.as_str());
        if let Some(data) = &self.data {
            let _ = write!(out, ",\"data\":{data}");
        }
        if let Some(entity) = &self.entity {
            out.push_str(",\"entity\":");
            write_string(entity, &mut out);
        }
        if let Some(delta) = &self.delta {
            out.push_str(",\"delta\":[");
            for (n, step) in delta.iter().enumerate() {
                out.push_str(if n == 0 { "{\"path\":" } else { ",{\"path\":" });
                write_string(&step.path, &mut out);
                match &step.change {
                    DeltaChange::Append(text) => {
                        out.push_str(",\"append\":");
                        write_string(text, &mut out);
                    }
                    DeltaChange::Value(value) => {
                        let _ = write!(out, ",\"value\":{value}");
                    }
                }
                out.push('}');
            }
            out.push(']');
        }
        if let Some(error) = &self.error {
            let _ = write!(out, ",\"error\":{{\"code\":\"{}\",", error.code.as_str());
            out.push_str("\"message\":");
            write_string(&error.message, &mut out);
            out.push('}');
        }
        out.push('}');
        out
    }
}

/// One `message` event whose data is [the event as JSON](EntityEvent::to_json).
impl From<EntityEvent> for SseEvent {
    fn from(event: EntityEvent) -> Self {
        Self::new(event.to_json())
    }
}

impl<T: Serialize> Serialize for EntityEvent<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("EntityEvent", 6)?;
        macro_rules! optional {
            ($name:literal, $field:expr) => {
                match $field {
                    Some(value) => event.serialize_field($name, value)?,
                    None => event.skip_field($name)?,
                }
            };
        }
        optional!("index", &self.index);
        event.serialize_field("status", self.status.as_str())?;
        optional!("data", &self.data);
        optional!("entity", self.entity.as_deref());
        optional!("delta", &self.delta);
        optional!("error", &self.error);
        event.end()
    }
}

impl Serialize for Delta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut delta = serializer.serialize_struct("Delta", 2)?;
        delta.serialize_field("path", &self.path)?;
        match &self.change {
            DeltaChange::Append(text) => delta.serialize_field("append", text)?,
            DeltaChange::Value(value) => delta.serialize_field("value", value)?,
        }
        delta.end()
    }
}

impl Serialize for EntityError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("EntityError", 2)?;
        error.serialize_field("code", self.code.as_str())?;
        error.serialize_field("message", &self.message)?;
        error.end()
    }
}
