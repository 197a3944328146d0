//! One change of a document, and its two forms: deltas and JSON Patch.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use serde_core::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::sealed::Form;
use crate::config::named;
use crate::document::DeserializeError;
use crate::json::write_string;
use crate::limits::Limits;
use crate::parser::Parser;
use crate::raw_json::RawJson;

/// One change of a growing document.
///
/// The deltas, applied in their order to the document so far, result in the current document. The
/// first delta has the path `""` and the entire value. A surrogate escaped alone is U+FFFD in
/// `path` and `append`.
///
/// As JSON it is `{"path":"/name","append":" Violet"}` or `{"path":"/rgb/2","value":211}`.
/// `Serialize` limits numbers to 64 or 128 bits; [`to_json`](Self::to_json) keeps their spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delta {
    /// The place, as a JSON Pointer (RFC 6901) from the root of the document; in an
    /// [entity event](crate::entity::EntityEvent) from the entity.
    pub path: String,
    /// The change.
    pub change: DeltaChange,
}

/// The change that a [`Delta`] makes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaChange {
    /// Appends to the string at the path.
    Append(String),
    /// Sets the value at the path: replaces it, or adds it as a new member of the object or as the
    /// new last element of the array.
    Value(RawJson),
}

/// One operation of a JSON Patch (RFC 6902): `add` or `replace`. A growing document needs no
/// others.
///
/// As JSON it is `{"op":"add","path":"/rgb/2","value":211}`. A root is replaced
/// (`{"op":"replace","path":"","value":{}}`), so a receiver may start from any document, for
/// example null. `Serialize` has numbers of 64 or 128 bits; [`to_json`](Self::to_json) has them as
/// they are spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatchOperation {
    /// The operation.
    pub op: PatchOp,
    /// The place, as a JSON Pointer (RFC 6901). A surrogate escaped alone is U+FFFD.
    pub path: String,
    /// The new value.
    pub value: RawJson,
}

/// The kind of a [`PatchOperation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatchOp {
    /// `add`: a new member, or an element that is inserted.
    Add,
    /// `replace`: another value in place of the current one.
    Replace,
}

named!(PatchOp, "an operation", {
    Add => "add",
    Replace => "replace",
});

impl Delta {
    /// Returns the delta as JSON text in one line, with the value spelled as the model wrote it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    pub(crate) fn write_json(&self, out: &mut String) {
        out.push_str("{\"path\":");
        write_string(&self.path, out);
        match &self.change {
            DeltaChange::Append(text) => {
                out.push_str(",\"append\":");
                write_string(text, out);
            }
            DeltaChange::Value(value) => {
                let _ = write!(out, ",\"value\":{value}");
            }
        }
        out.push('}');
    }

    /// Parses a list of deltas, as a [batch](super::DeltaBatch) is written. The values keep their
    /// exact text, while other readers of JSON limit numbers to 64 or 128 bits. Linear in the
    /// length of the text.
    ///
    /// ```
    /// use json_chunks::delta::Delta;
    ///
    /// let deltas = Delta::list_from_json(r#"[{"path":"/price","value":1.50}]"#)?;
    /// assert_eq!(deltas[0].to_json(), r#"{"path":"/price","value":1.50}"#);
    /// # Ok::<(), json_chunks::value::DeserializeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not JSON or not a list of deltas, with the pointer to the mistake. Unknown
    /// members are ignored.
    pub fn list_from_json(text: &str) -> Result<Vec<Self>, DeserializeError> {
        Parser::read_received(text, Limits::default())
    }
}

impl Form for Delta {
    const STRING_GROWTH: f64 = 0.0;

    fn added(path: String, value: RawJson) -> Self {
        let change = DeltaChange::Value(value);
        Self { path, change }
    }

    fn replaced(path: String, value: RawJson) -> Self {
        Self::added(path, value)
    }

    fn grown(path: String, more: &str, _: impl FnOnce() -> RawJson) -> Self {
        let change = DeltaChange::Append(more.into());
        Self { path, change }
    }

    fn write(&self, out: &mut String) {
        self.write_json(out);
    }
}

impl PatchOperation {
    /// Returns the operation as JSON text in one line, with the value spelled as the model wrote
    /// it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        let _ = write!(out, "{{\"op\":\"{}\",\"path\":", self.op.as_str());
        write_string(&self.path, out);
        let _ = write!(out, ",\"value\":{}}}", self.value);
    }
}

impl Form for PatchOperation {
    const STRING_GROWTH: f64 = 1.0;

    fn added(path: String, value: RawJson) -> Self {
        let op = PatchOp::Add;
        Self { op, path, value }
    }

    fn replaced(path: String, value: RawJson) -> Self {
        let op = PatchOp::Replace;
        Self { op, path, value }
    }

    fn grown(path: String, _: &str, entire: impl FnOnce() -> RawJson) -> Self {
        Self::replaced(path, entire())
    }

    fn write(&self, out: &mut String) {
        self.write_json(out);
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

impl Serialize for PatchOperation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut operation = serializer.serialize_struct("PatchOperation", 3)?;
        operation.serialize_field("op", &self.op)?;
        operation.serialize_field("path", &self.path)?;
        operation.serialize_field("value", &self.value)?;
        operation.end()
    }
}

impl<'de> Deserialize<'de> for Delta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DeltaVisitor;

        impl<'de> Visitor<'de> for DeltaVisitor {
            type Value = Delta;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a delta with `path` and either `append` or `value`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Delta, A::Error> {
                let (mut path, mut append, mut value) = (None, None, None);
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "path" => path = Some(map.next_value()?),
                        "append" => append = Some(map.next_value()?),
                        "value" => value = Some(map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                let change = match (append, value) {
                    (Some(text), None) => DeltaChange::Append(text),
                    (None, Some(value)) => DeltaChange::Value(value),
                    (None, None) => return Err(A::Error::missing_field("append")),
                    (Some(_), Some(_)) => {
                        return Err(A::Error::custom("both `append` and `value`"));
                    }
                };
                let path = path.ok_or_else(|| A::Error::missing_field("path"))?;
                Ok(Delta { path, change })
            }
        }

        deserializer.deserialize_struct("Delta", &["path", "append", "value"], DeltaVisitor)
    }
}

/// Unknown members are ignored; operations other than `add` and `replace` are an error.
impl<'de> Deserialize<'de> for PatchOperation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OperationVisitor;

        impl<'de> Visitor<'de> for OperationVisitor {
            type Value = PatchOperation;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an operation with `op`, `path` and `value`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PatchOperation, A::Error> {
                let (mut op, mut path, mut value) = (None, None, None);
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "op" => op = Some(map.next_value()?),
                        "path" => path = Some(map.next_value()?),
                        "value" => value = Some(map.next_value()?),
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                let missing = A::Error::missing_field;
                Ok(PatchOperation {
                    op: op.ok_or_else(|| missing("op"))?,
                    path: path.ok_or_else(|| missing("path"))?,
                    value: value.ok_or_else(|| missing("value"))?,
                })
            }
        }

        deserializer.deserialize_struct(
            "PatchOperation",
            &["op", "path", "value"],
            OperationVisitor,
        )
    }
}
