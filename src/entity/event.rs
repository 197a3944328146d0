//! The events of entities.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::marker::PhantomData;

use serde_core::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor,
};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::config::named;
use crate::delta::Delta;
use crate::document::DeserializeError;
use crate::json::write_string;
use crate::limits::Limits;
use crate::parser::Parser;
use crate::raw_json::RawJson;
use crate::sse::SseEvent;

/// An event of an entity, with the fields of the Partial Stream Spec. The `Debug` text contains
/// payload.
///
/// As JSON it is one object with the members `index`, `status`, `data`, `entity`, `delta`, `error`
/// and `restatement`; those that are `None`, and a `restatement` of 0, are left out:
///
/// ```json
/// {"index":4,"status":"PARTIAL","data":{"hex":"#9400D3"},"entity":"colors",
///  "delta":[{"path":"","value":{"hex":"#9400D3"}}]}
/// ```
///
/// `T` is the type of the data: JSON text, or your type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EntityEvent<T = RawJson> {
    /// The index of the entity, from 0. An error outside of any entity has none.
    pub index: Option<usize>,
    /// The state of the entity.
    pub status: EntityStatus,
    /// The entity so far. `None` if nothing of it has arrived, or if the event only reports that
    /// entities are [void](Self::restatement). With [`Batch`](super::EntityMode::Batch) the array
    /// of all entities.
    pub data: Option<T>,
    /// The name of this kind of entity.
    pub entity: Option<Arc<str>>,
    /// The changes of `data` since the previous event of the same entity; see [`Delta`]. None in
    /// the modes in which an entity has only one event.
    pub delta: Option<Vec<Delta>>,
    /// The error, if the status is `Error`.
    pub error: Option<EntityError>,
    /// The number of times that the text had restated reported entities before this event; 0 unless
    /// an object has two members with the same name. The first event with a higher number has no
    /// data: it reports that all entities from its index on are void. See [restated
    /// entities](super::EntityDetector#restated-entities).
    pub restatement: usize,
}

/// The state of an entity (section 5 of the specification).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "these are the statuses that the specification has"
)]
pub enum EntityStatus {
    /// `PARTIAL`: more may follow.
    Partial,
    /// `COMPLETED`: its end has arrived; no event of it follows.
    Completed,
    /// `ERROR`: it will not be completed; no event of it follows.
    Error,
}

/// Why an entity or the text cannot be used (section 8 of the specification).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityError {
    /// The kind of error.
    pub code: EntityErrorCode,
    /// The error and its place. The message of a schema or a type may quote the data.
    pub message: String,
}

/// The kinds of errors that the specification has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntityErrorCode {
    /// `INVALID_JSON`: the text is not JSON, is cut off or exceeds the limits. No event follows.
    InvalidJson,
    /// `INVALID_SCHEMA`: the entity does not conform to its schema or its type. The next ones may.
    InvalidSchema,
}

named!(EntityStatus, "a status", {
    Partial => "PARTIAL",
    Completed => "COMPLETED",
    Error => "ERROR",
});

impl fmt::Display for EntityStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

named!(EntityErrorCode, "an error code", {
    InvalidJson => "INVALID_JSON",
    InvalidSchema => "INVALID_SCHEMA",
});

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
            restatement: 0,
        }
    }

    /// Turns the event into the error that ends its entity.
    pub(crate) fn fail(&mut self, code: EntityErrorCode, message: &impl fmt::Display) {
        self.status = EntityStatus::Error;
        self.error = Some(EntityError::new(code, message));
    }

    /// Returns the event with its data mapped by `op`.
    #[must_use]
    pub fn map<U>(mut self, op: impl FnOnce(T) -> U) -> EntityEvent<U> {
        let data = self.data.take().map(op);
        self.with_data(data)
    }

    /// Returns the same event with other data.
    pub(crate) fn with_data<U>(self, data: Option<U>) -> EntityEvent<U> {
        EntityEvent {
            index: self.index,
            status: self.status,
            data,
            entity: self.entity,
            delta: self.delta,
            error: self.error,
            restatement: self.restatement,
        }
    }
}

impl EntityEvent {
    /// Returns the event with its data as a `T`. Linear in the length of the data. An error
    /// concerns this entity only: the next ones can be read.
    ///
    /// # Errors
    ///
    /// If the data is not a `T`; for a partial entity, the reason may be that a part has not
    /// arrived yet. Pointers start from the data.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<EntityEvent<T>, DeserializeError> {
        let data = self.data.as_ref().map(RawJson::deserialize).transpose()?;
        Ok(EntityEvent {
            index: self.index,
            status: self.status,
            data,
            entity: self.entity.clone(),
            delta: self.delta.clone(),
            error: self.error.clone(),
            restatement: self.restatement,
        })
    }

    /// Parses the JSON text of an event, as written by [`to_json`](Self::to_json). The data keeps
    /// its exact text, while other readers of JSON limit numbers to 64 or 128 bits. Linear in the
    /// length of the text.
    ///
    /// ```
    /// use json_chunks::entity::EntityEvent;
    ///
    /// let text = r#"{"index":0,"status":"COMPLETED","data":{"price":1.50}}"#;
    /// let event = EntityEvent::from_json(text)?;
    /// assert_eq!(event.data.as_deref(), Some(r#"{"price":1.50}"#));
    /// assert_eq!(event.to_json(), text);
    /// # Ok::<(), json_chunks::value::DeserializeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not JSON or not an event, with the pointer to the mistake. Unknown members
    /// are ignored.
    pub fn from_json(text: &str) -> Result<Self, DeserializeError> {
        Parser::read_received(text, Limits::default())
    }

    /// Returns the event as JSON text in one line, with the data spelled as the model wrote it.
    /// (`Serialize` limits numbers to 64 or 128 bits.)
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
                if n > 0 {
                    out.push(',');
                }
                step.write_json(&mut out);
            }
            out.push(']');
        }
        if let Some(error) = &self.error {
            let _ = write!(out, ",\"error\":{{\"code\":\"{}\",", error.code.as_str());
            out.push_str("\"message\":");
            write_string(&error.message, &mut out);
            out.push('}');
        }
        if self.restatement > 0 {
            let _ = write!(out, ",\"restatement\":{}", self.restatement);
        }
        out.push('}');
        out
    }
}

/// Converts to one `message` event whose data is [the event as JSON](EntityEvent::to_json).
impl From<EntityEvent> for SseEvent {
    fn from(event: EntityEvent) -> Self {
        Self::new(event.to_json())
    }
}

impl<T: Serialize> Serialize for EntityEvent<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("EntityEvent", 7)?;
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
        let restatement = Some(&self.restatement).filter(|number| **number > 0);
        optional!("restatement", restatement);
        event.end()
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

/// The members are those of [`Serialize`]; unknown ones are ignored, as the specification requires
/// of clients.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for EntityEvent<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FIELDS: &[&str] = &[
            "index",
            "status",
            "data",
            "entity",
            "delta",
            "error",
            "restatement",
        ];
        deserializer.deserialize_struct("EntityEvent", FIELDS, EventVisitor(PhantomData))
    }
}

struct EventVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EventVisitor<T> {
    type Value = EntityEvent<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an entity event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut event = EntityEvent::new(None, EntityStatus::Partial);
        let mut status = None;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "index" => event.index = map.next_value()?,
                "status" => status = Some(map.next_value()?),
                // Data that is null is data, because an entity may be null.
                "data" => event.data = Some(map.next_value()?),
                "entity" => event.entity = map.next_value::<Option<String>>()?.map(Arc::from),
                "delta" => event.delta = map.next_value()?,
                "error" => event.error = map.next_value()?,
                "restatement" => event.restatement = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        event.status = status.ok_or_else(|| A::Error::missing_field("status"))?;
        Ok(event)
    }
}

impl<'de> Deserialize<'de> for EntityError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ErrorVisitor;

        impl<'de> Visitor<'de> for ErrorVisitor {
            type Value = EntityError;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an error with `code` and `message`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EntityError, A::Error> {
                let (mut code, mut message) = (None, String::new());
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "code" => code = Some(map.next_value()?),
                        "message" => message = map.next_value()?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                let code = code.ok_or_else(|| A::Error::missing_field("code"))?;
                Ok(EntityError { code, message })
            }
        }

        deserializer.deserialize_struct("EntityError", &["code", "message"], ErrorVisitor)
    }
}
