//! Rebuilds entities from their events.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use super::event::{EntityEvent, EntityStatus};
use crate::delta::{self, Node};
use crate::raw_json::RawJson;

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
///     for event in detector.push(fragment) {
///         replay.apply(&event)?;
///     }
/// }
/// assert_eq!(replay.get(0).unwrap(), r#"{"name":"Violet","rgb":[148,0]}"#);
/// # Ok::<(), json_chunks::entity::EntityReplayError>(())
/// ```
///
/// # Cost
///
/// An event costs the length of its deltas, and for each step the number of members after the named
/// one in the objects on its path; at the end of an entity the length of its data, if it has data.
/// [`get`](Self::get) costs the length of the entity.
#[derive(Clone, Debug, Default)]
pub struct EntityReplay {
    entities: BTreeMap<usize, Entity>,
    restatement: usize,
}

/// An entity as it was received.
#[derive(Clone, Debug)]
enum Entity {
    Text(RawJson),
    Tree(Node),
}

impl EntityReplay {
    /// Returns a replay without entities.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Applies the next event.
    ///
    /// Data without deltas, and the data of a complete entity, replaces the entity. Otherwise the
    /// deltas are applied. An `ERROR` event without either leaves the entity unchanged.
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
                    delta::apply(&mut tree, step).map_err(|reason| EntityReplayError {
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

    /// Returns an entity as far as it has arrived. An entity that was rebuilt from deltas has its
    /// numbers as the model wrote them, and its strings without unnecessary escapes.
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

    /// Returns the number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }
}

/// Why an [`EntityReplay`] could not apply an event. The text contains the names in the path.
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
