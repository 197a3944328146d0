//! Entities: events about the elements of an array in the text of a model, as they arrive.
//!
//! The rules are those of the Partial Stream Spec: always valid JSON, complete names only, an event
//! only when something has changed, and one last event for each entity. The end of an entity is the
//! end of its JSON text; where fragments end does not matter.
//!
//! # For maintainers
//!
//! [`EntityDetector`] feeds a [`Parser`] and passes its events to the `tracker`. The `tracker` asks
//! the `selector` where the entities are, [`crate::delta`] what is new in the open one, and the
//! `queue` when, in the given `mode`, an event can be taken.
//!
//! | position | event of the parser | next position |
//! | --- | --- | --- |
//! | `Before` | the selected value begins, an array | `List` |
//! | `Before` | the selected value begins, another kind | `Single`, with an open entity |
//! | `List` | an element begins | `List`; the element is the open entity |
//! | `List` | an element ends | `List`; the element is reported |
//! | `List`, `Single` | the selected value ends | `After` |
//! | not `Before` | the value or an ancestor is superseded | `Before`; restatement reported |
//! | any | a root begins | `Before` |
//!
//! Invariants:
//!
//! - *One open entity*: entities do not nest, so at most one is open.
//! - *What is superseded has ended*: the name of a later member can only follow the end of the
//!   earlier one, so no entity is open when its array is restated (`debug_assert!` in
//!   `start_over`).
//! - *Only the end grows*: what has been published of an entity is described by one path along the
//!   last children. A member that is superseded is before the one that supersedes it, so what
//!   replaces it is new and is published by the same rule, under the same path.
//! - *What is shown stays*: a view never loses a member, because an earlier member counts until
//!   the policy shows a later one. Deltas have no way to remove a member.
//!
//! A rule about *where* entities are belongs to the selector, about *when* to the queue, about *how
//! much* to the mode's `PartialPolicy`. Each mode is tested at every split by `tells` in
//! `tests/entity`.

mod event;
mod mode;
mod queue;
mod replay;
mod selector;
mod tracker;

use core::fmt;

use crate::document::Value;
use crate::drained::Drained;
use crate::error::Error;
use crate::limits::Limits;
use crate::parser::Parser;
#[cfg(feature = "schema")]
use crate::schema::Schema;
pub use event::{EntityError, EntityErrorCode, EntityEvent, EntityStatus};
pub use mode::{EntityMode, ParseEntityModeError};
use queue::EventQueue;
pub use replay::{EntityReplay, EntityReplayError};
use selector::Selector;
use tracker::{Arrays, EntityTracker};

/// Finds entities in JSON text while it streams in, and reports them as the Partial Stream Spec
/// defines.
///
/// By default the elements of the root are the entities if it is an array; else the root is the
/// only entity. [`named`](Self::named) and [`pointer`](Self::pointer) select another value.
/// Entities may be values of any kind.
///
/// ```
/// use json_chunks::entity::{EntityDetector, EntityMode, EntityStatus};
///
/// let mut entities = EntityDetector::new(EntityMode::Realtime).named("colors");
/// let mut events = Vec::new();
/// for fragment in [
///     r##"{"colors": [{"hex": "#94"##,
///     r##"00D3", "na"##,
///     r##"me": "Dark Violet"}, {"hex": "#4B0082"}"##,
///     r##"]}"##,
/// ] {
///     for event in entities.push(fragment) {
///         events.push((event.index, event.status, event.data.unwrap().into_string()));
///     }
/// }
/// assert_eq!(entities.finish().count(), 0);
///
/// let event = |index, status, data: &str| (Some(index), status, data.to_owned());
/// assert_eq!(
///     events,
///     [
///         event(0, EntityStatus::Partial, r##"{"hex":"#94"}"##),
///         event(0, EntityStatus::Partial, r##"{"hex":"#9400D3"}"##),
///         event(0, EntityStatus::Completed, r##"{"hex":"#9400D3","name":"Dark Violet"}"##),
///         event(1, EntityStatus::Completed, r##"{"hex":"#4B0082"}"##),
///     ]
/// );
/// ```
///
/// # Events
///
/// - Each entity has exactly one last event, `COMPLETED` or `ERROR`, however the text is split.
///   `PARTIAL` events precede it in the modes that have them, at most one for each push, and only
///   if there is more to see than before and it is not empty.
/// - If the text is not JSON, is cut off or exceeds the limits, the last event is an `ERROR` with
///   `INVALID_JSON`: of the entity that was not complete, with the data that has arrived, else of
///   none. What was complete before the error is still reported. No event follows;
///   [`error`](Self::error) has the error with its offset.
/// - In the modes `Batch` and `AllTogether`, the end of the root counts as that of the text, unless
///   there are [several values](Self::multiple_values).
///
/// # Restated entities
///
/// Of several members with one name, the last one counts
/// ([`Value`](Value#members-with-the-same-name)):
///
/// - Inside an entity, the later member replaces the earlier one as soon as the mode shows it; the
///   deltas say so (`{"path":"/city","value":"To"}`).
/// - If the value that holds the entities is restated, or one around it
///   (`{"list":[1,2],"list":[3]}`, `{"a":{"list":[1]},"a":{"list":[2]}}`), the detector starts
///   over: the entities of the later value are reported, from the same index as those of the
///   earlier one.
///
/// In the modes `Batch` and `AllTogether` nothing of the earlier entities has been reported by
/// then, and nothing will be. In the other modes their last events have been emitted. If there were
/// any, an event without data follows, `PARTIAL` with the index of the first of them, whose
/// [`restatement`](EntityEvent::restatement) is one higher than before: all entities from this
/// index on are void, and each entity of the later value again has exactly one last event. A client
/// that keeps entities by index drops those from the index on when the number rises, and applies
/// all other events as ever; the first delta of each entity has its entire value.
///
/// ```
/// use json_chunks::entity::{EntityDetector, EntityMode};
///
/// let mut entities = EntityDetector::new(EntityMode::OneByOne).named("list");
/// let mut list = Vec::new();
/// let mut restatement = 0;
/// for event in entities.push(r#"{"list": [1, 2, 3], "list": ["a", "b"]}"#) {
///     let index = event.index.expect("there is no error");
///     if event.restatement > restatement {
///         restatement = event.restatement;
///         list.truncate(index);
///     }
///     if let Some(data) = event.data {
///         list.truncate(index);
///         list.push(data.into_string());
///     }
/// }
/// assert_eq!(list, [r#""a""#, r#""b""#]);
/// ```
///
/// # Cost
///
/// That of the [`Parser`], and for each event the length of its data. A delta costs the length of
/// what is new; with [`partial_data(false)`](Self::partial_data) that is all a partial event costs.
#[derive(Clone)]
pub struct EntityDetector {
    pub(crate) parser: Parser,
    tracker: EntityTracker,
}

impl EntityDetector {
    /// Creates a detector of the entities in the root.
    #[must_use]
    pub fn new(mode: EntityMode) -> Self {
        Self {
            parser: Parser::new(),
            tracker: EntityTracker::new(EventQueue::new(mode)),
        }
    }

    /// Selects the first member of this name, anywhere in the text, that is an array or an object:
    /// the elements of the array are the entities, or the object is. They are called by that name.
    ///
    /// If that member is [restated](Self#restated-entities), the detector starts over. A member of
    /// the name at another place is ignored.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        self.at(Selector::Name(name.into()))
    }

    /// Selects the value at this JSON Pointer (RFC 6901): the elements of an array are the
    /// entities, or else the value is. They are called by the last member on the way. A text that
    /// does not start with `/` points to nothing, unless it is empty.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Self {
        self.at(Selector::pointer(pointer))
    }

    fn at(mut self, selector: Selector) -> Self {
        self.tracker.selector = selector;
        self
    }

    /// Sets whether what is found is one entity even if it is an array; `false` by default: then
    /// its elements are the entities.
    ///
    /// ```
    /// use json_chunks::entity::{EntityDetector, EntityMode};
    ///
    /// let mut document = EntityDetector::new(EntityMode::Realtime).single_entity(true);
    /// let event = document.push("[1, 2, 3]").next().expect("the array is complete");
    /// assert_eq!(event.data.expect("the array").as_str(), "[1,2,3]");
    /// ```
    #[must_use]
    pub fn single_entity(mut self, single: bool) -> Self {
        self.tracker.arrays = if single {
            Arrays::Single
        } else {
            Arrays::Elements
        };
        self
    }

    /// Sets the name of the entities in their events, instead of the one that they have by their
    /// place.
    #[must_use]
    pub fn label(mut self, label: &str) -> Self {
        self.tracker.queue.label = Some(label.into());
        self
    }

    /// Sets whether values that have begun but are not shown yet are shown as the zero values of
    /// their kinds (section 3 of the specification): `""`, `0`, `false`, `null`, `[]`, `{}`.
    /// `false` by default: then they are not there. In `Progressive` mode these are all values that
    /// are not complete, in `Realtime` mode literals that are not.
    #[must_use]
    pub fn zero_values(mut self, zero_values: bool) -> Self {
        self.tracker.zero_values = zero_values;
        self
    }

    /// Sets whether `PARTIAL` events have the data so far besides their deltas; `true` by default.
    ///
    /// With `false`, the data is in the last event of an entity only. All events of an entity
    /// together are then as long as the entity takes twice, also on the wire; with `true` their
    /// length is quadratic. The first delta of an entity has its entire value, so that an
    /// [`EntityReplay`] or a client can rebuild the data.
    ///
    /// ```
    /// use json_chunks::entity::{EntityDetector, EntityMode};
    ///
    /// let mut detector = EntityDetector::new(EntityMode::Realtime).partial_data(false);
    /// let mut lines = Vec::new();
    /// for fragment in [r#"["Vio"#, r#"let"]"#] {
    ///     lines.extend(detector.push(fragment).map(|event| event.to_json()));
    /// }
    /// let partial = r#"{"index":0,"status":"PARTIAL","delta":[{"path":"","value":"Vio"}]}"#;
    /// let completed = concat!(
    ///     r#"{"index":0,"status":"COMPLETED","data":"Violet","#,
    ///     r#""delta":[{"path":"","append":"let"}]}"#,
    /// );
    /// assert_eq!(lines, [partial, completed]);
    /// ```
    #[must_use]
    pub fn partial_data(mut self, partial_data: bool) -> Self {
        self.tracker.partial_data = partial_data;
        self
    }

    /// As [`Parser::multiple_values`]. Indices continue from one value to the next.
    #[must_use]
    pub fn multiple_values(mut self, multiple: bool) -> Self {
        self.parser = self.parser.multiple_values(multiple);
        self.tracker.multiple = multiple;
        self
    }

    /// Sets limits on the text.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.parser = self.parser.limits(limits);
        self
    }

    /// As [`Parser::strip_control_characters`].
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.parser = self.parser.strip_control_characters(strip);
        self
    }

    /// Sets the schema that every entity has to conform to. The last event of one that does not is
    /// an `ERROR` with `INVALID_SCHEMA`, and the next entity follows. In the modes with partial
    /// entities it is emitted as soon as nothing that is still to arrive can make the entity valid,
    /// other than a second member of the same name. A partial entity is checked when an eighth more
    /// of its values has arrived than at the last check; the last check is of the complete entity.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(mut self, schema: Schema) -> Self {
        self.tracker.schema_check.schema = Some(schema);
        self
    }

    /// Reads the next fragment and returns its events; those that are not consumed are dropped.
    /// After the end of the text or an error, fragments are ignored.
    pub fn push(
        &mut self,
        fragment: impl AsRef<[u8]>,
    ) -> impl ExactSizeIterator<Item = EntityEvent> + fmt::Debug {
        self.take(fragment.as_ref());
        self.events()
    }

    pub(crate) fn take(&mut self, fragment: &[u8]) {
        if !self.parser.is_over() {
            let _ = self.parser.push_to(fragment, &mut self.tracker);
        }
    }

    /// Ends the text and returns the events that were waiting for its end.
    pub fn finish(&mut self) -> impl ExactSizeIterator<Item = EntityEvent> + fmt::Debug {
        self.end();
        self.events()
    }

    pub(crate) fn end(&mut self) {
        if !self.parser.is_over() && self.parser.finish_to(&mut self.tracker).is_ok() {
            self.tracker.queue.end();
        }
    }

    pub(crate) fn events(&mut self) -> Drained<'_, EntityEvent> {
        Drained(self.tracker.queue.events.drain(..))
    }

    /// Returns the error that has ended the text, if there is one.
    #[must_use]
    pub const fn error(&self) -> Option<&Error> {
        self.parser.error()
    }

    /// Whether the value that holds the entities has begun (and, if it was
    /// [restated](Self#restated-entities), has begun again).
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.tracker.is_found()
    }

    /// Returns the document so far, once its first byte has arrived; of several values the last.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.parser.root()
    }

    /// Resets the detector for another text, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.tracker.reset();
    }

    /// Ends the text for a reason that is not in it.
    #[cfg(feature = "stream")]
    pub(crate) fn fail(&mut self, error: Error) {
        if !self.parser.is_over() {
            self.tracker.fail(self.parser.root(), &error);
            self.parser.fail(error);
        }
    }
}

impl fmt::Debug for EntityDetector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityDetector")
            .field("parser", &self.parser)
            .field("mode", &self.tracker.queue.mode)
            .finish_non_exhaustive()
    }
}
