//! Entities rebuilt from their events.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::event::{Delta, DeltaChange, EntityEvent, EntityStatus};
use super::raw_json::RawJson;
use crate::document::{Kind, PartialPolicy, Value, array_index, read_token};
use crate::json::write_string;
use crate::limits::Limits;
use crate::parser::Parser;

/// How many arrays and objects may be nested in an entity, as by default in a document.
const MAX_DEPTH: usize = 128;

/// The entities of a stream of [events](EntityEvent), as a client keeps them: deltas are applied,
/// and entities that were [restated](super::EntityDetector#restated-entities) are dropped.
///
/// For clients that receive deltas without the data
/// ([`partial_data(false)`](super::EntityDetector::partial_data)), and for tests.
///
/// ```
/// use json_chunks::entity::{EntityDetector, EntityMode, EntityReplay};
///
/// let mut detector = EntityDetector::new(EntityMode::Realtime).partial_data(false);
/// let mut replay = EntityReplay::new();
/// for fragment in [r#"[{"name": "Vio"#, r#"let", "rgb": [14"#, "8, 0"] {
///     for event in detector.push_str(fragment) {
///         replay.apply(&event)?;
///     }
/// }
/// assert_eq!(replay.get(0).unwrap(), r#"{"name":"Violet","rgb":[148,0]}"#);
/// # Ok::<(), json_chunks::entity::EntityReplayError>(())
/// ```
///
/// # Cost
///
/// An event costs the length of its deltas, and for each step the number of members that the
/// objects on its path have after the one that it names; at the end of an entity the length of its
/// data, if that is there. [`get`](Self::get) costs the length of the entity.
#[derive(Clone, Debug, Default)]
pub struct EntityReplay {
    entities: BTreeMap<usize, Entity>,
    restatement: usize,
}

/// An entity, as it was received.
#[derive(Clone, Debug)]
enum Entity {
    Text(RawJson),
    Tree(Node),
}

/// A value that deltas are applied to.
#[derive(Clone, Debug)]
enum Node {
    /// A number or literal, as it is spelled.
    Text(String),
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl EntityReplay {
    /// Returns a replay without entities.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies the next event.
    ///
    /// Data without deltas, and that of a complete entity, replaces what is there. Else
    /// the deltas are applied. An `ERROR` event without either leaves the entity as it is.
    ///
    /// # Errors
    ///
    /// If a delta does not fit: events are missing or are applied twice, or a value would be nested
    /// more than 128 levels deep. The entity is dropped then; the others stay.
    pub fn apply(&mut self, event: &EntityEvent) -> Result<(), EntityReplayError> {
        let Some(index) = event.index else {
            return Ok(());
        };
        if event.restatement > self.restatement {
            self.restatement = event.restatement;
            self.entities.split_off(&index);
        }
        let is_final = event.status != EntityStatus::Partial;
        match (&event.data, &event.delta) {
            (Some(data), None) => {
                self.entities.insert(index, Entity::Text(data.clone()));
            }
            (Some(data), Some(_)) if is_final => {
                self.entities.insert(index, Entity::Text(data.clone()));
            }
            (_, Some(delta)) => {
                let mut tree = match self.entities.remove(&index) {
                    None => None,
                    Some(Entity::Tree(tree)) => Some(tree),
                    Some(Entity::Text(text)) => Some(Node::parse(&text).map_err(|reason| {
                        let path = String::new();
                        EntityReplayError {
                            index,
                            path,
                            reason,
                        }
                    })?),
                };
                for step in delta {
                    apply_delta(&mut tree, step).map_err(|reason| EntityReplayError {
                        index,
                        path: step.path.clone(),
                        reason,
                    })?;
                }
                if let Some(tree) = tree {
                    self.entities.insert(index, Entity::Tree(tree));
                }
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Returns an entity as far as it has arrived. One that was rebuilt from deltas has its numbers
    /// as the model wrote them, and its strings without escapes that JSON does not require.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<RawJson> {
        Some(match self.entities.get(&index)? {
            Entity::Text(text) => text.clone(),
            Entity::Tree(tree) => {
                let mut text = String::new();
                tree.write(&mut text);
                RawJson::new(text)
            }
        })
    }

    /// Returns the indices of the entities, in order.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.entities.keys().copied()
    }

    /// Returns how many entities there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }
}

/// Applies one step to an entity, which has no data before its first step.
fn apply_delta(entity: &mut Option<Node>, step: &Delta) -> Result<(), &'static str> {
    let mut path = step.path.split('/');
    if path.next() != Some("") {
        return Err("the path is no JSON Pointer");
    }
    let path: Vec<_> = path.map(read_token).collect();
    let Some((last, around)) = path.split_last() else {
        return match (&step.change, entity) {
            (DeltaChange::Value(value), entity) => {
                *entity = Some(Node::parse(value)?);
                Ok(())
            }
            (DeltaChange::Append(text), Some(entity)) => entity.append(text),
            (DeltaChange::Append(_), None) => Err("the entity has not begun"),
        };
    };
    let mut node = entity.as_mut().ok_or("the entity has not begun")?;
    for token in around {
        node = node.child(token).ok_or("there is no such value")?;
    }
    match &step.change {
        DeltaChange::Append(text) => {
            let node = node.child(last).ok_or("there is no such value")?;
            node.append(text)
        }
        DeltaChange::Value(value) => {
            let value = Node::parse(value)?;
            if around.len() + 1 + value.depth() > MAX_DEPTH {
                return Err("the value is nested too deeply");
            }
            node.put(last, value)
        }
    }
}

impl Node {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let parser = Parser::of_whole(text.as_bytes(), Limits::default());
        let parser = parser.map_err(|_| "the value is not JSON or nested too deeply")?;
        parser
            .root()
            .map(Self::read)
            .ok_or("the value is not JSON or nested too deeply")
    }

    fn read(value: Value<'_>) -> Self {
        match value.kind() {
            Kind::String => Self::String(value.as_str().unwrap_or_default().into()),
            Kind::Array => Self::Array(value.elements().map(Self::read).collect()),
            Kind::Object => {
                let members = value.members();
                let members = members.map(|(name, value)| (name.into_owned(), Self::read(value)));
                Self::Object(members.collect())
            }
            Kind::Null | Kind::True | Kind::False | Kind::Number => {
                Self::Text(value.to_json(PartialPolicy::default()))
            }
        }
    }

    /// How many arrays and objects are nested in the value.
    fn depth(&self) -> usize {
        match self {
            Self::Text(_) | Self::String(_) => 0,
            Self::Array(elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => {
                let depths = members.iter().map(|(_, value)| value.depth());
                1 + depths.max().unwrap_or(0)
            }
        }
    }

    fn child(&mut self, token: &str) -> Option<&mut Self> {
        match self {
            Self::Text(_) | Self::String(_) => None,
            Self::Array(elements) => elements.get_mut(array_index(token)?),
            // From the end, because that is what grows.
            Self::Object(members) => {
                let mut members = members.iter_mut().rev();
                let member = members.find(|(name, _)| name == token);
                member.map(|(_, value)| value)
            }
        }
    }

    fn append(&mut self, text: &str) -> Result<(), &'static str> {
        let Self::String(string) = self else {
            return Err("the value is no string");
        };
        string.push_str(text);
        Ok(())
    }

    /// Puts a value in the place of a child, or adds it as the last one.
    fn put(&mut self, token: &str, value: Self) -> Result<(), &'static str> {
        if let Some(child) = self.child(token) {
            *child = value;
            return Ok(());
        }
        match self {
            Self::Object(members) => members.push((token.into(), value)),
            Self::Array(elements) if array_index(token) == Some(elements.len()) => {
                elements.push(value);
            }
            Self::Array(_) => return Err("elements before it are missing"),
            Self::Text(_) | Self::String(_) => return Err("there is no array or object around it"),
        }
        Ok(())
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::String(text) => write_string(text, out),
            Self::Array(elements) => {
                out.push('[');
                for (n, element) in elements.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (n, (name, value)) in members.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// Why an [`EntityReplay`] could not apply an event. Its text has the names in the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityReplayError {
    index: usize,
    path: String,
    reason: &'static str,
}

impl EntityReplayError {
    /// Returns the index of the entity.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the path of the delta, a JSON Pointer (RFC 6901) from the entity.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for EntityReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            index,
            path,
            reason,
        } = self;
        write!(f, "delta at {path:?} of entity {index}: {reason}")
    }
}

impl core::error::Error for EntityReplayError {}
