//! Entities: the elements of an array in the text of a model, told about as they come.
//!
//! The rules are those of the Partial Stream Spec: always whole JSON, whole names only, an event
//! only when something has changed, and one last event for each entity. The end of an entity is the
//! end of its JSON text; where fragments end has nothing to do with it.
//!
//! Three questions, a file each: [where](source) the entities are, [when](mode) they are told
//! about, and what of them has been [shown] and what is new. The machine here follows the
//! parser's events from one to the next.

mod event;
mod follower;
mod guard;
mod json_text;
mod mode;
mod outlet;
#[cfg(feature = "schema")]
mod schema;
mod shown;
mod source;

use alloc::vec::Drain;
use core::fmt;

use crate::error::Error;
use crate::limits::Limits;
use crate::parser::Parser;
pub use event::{Delta, DeltaChange, EntityError, EntityErrorCode, EntityEvent, EntityStatus};
use follower::Follower;
pub use json_text::JsonText;
pub use mode::{EntityMode, UnknownMode};
use outlet::Outlet;
#[cfg(feature = "schema")]
pub use schema::{Schema, SchemaError};
use source::Source;

/// Finds entities in JSON text while it streams in, and tells about them by the Partial Stream
/// Spec.
///
/// By default the elements of the root are the entities if that is an array, else it is the one
/// entity itself; [`named`](Self::named) and [`pointer`](Self::pointer) say otherwise. Entities may
/// be values of any kind.
///
/// ```
/// use json_chunks::{Entities, EntityMode, EntityStatus};
///
/// let mut entities = Entities::new(EntityMode::Realtime).named("colors");
/// let mut told = Vec::new();
/// for fragment in [
///     r##"{"colors": [{"hex": "#94"##,
///     r##"00D3", "na"##,
///     r##"me": "Dark Violet"}, {"hex": "#4B0082"}"##,
///     r##"]}"##,
/// ] {
///     for event in entities.push_str(fragment) {
///         told.push((event.index, event.status, event.data.unwrap().into_string()));
///     }
/// }
/// assert_eq!(entities.finish().count(), 0);
///
/// let event = |index, status, data: &str| (Some(index), status, data.to_owned());
/// assert_eq!(
///     told,
///     [
///         event(0, EntityStatus::Partial, r##"{"hex":"#94"}"##),
///         event(0, EntityStatus::Partial, r##"{"hex":"#9400D3"}"##),
///         event(0, EntityStatus::Completed, r##"{"hex":"#9400D3","name":"Dark Violet"}"##),
///         event(1, EntityStatus::Completed, r##"{"hex":"#4B0082"}"##),
///     ]
/// );
/// ```
///
/// # What is told
///
/// - Each entity has exactly one last event, `COMPLETED` or `ERROR`, however the text is split.
///   `PARTIAL` events come before it in the modes that have them, at most one for each push, and
///   only if there is more to see than before and it is not empty.
/// - If the text is not JSON, is cut off or exceeds the limits, the last event is an `ERROR` with
///   `INVALID_JSON`: of the entity that was not complete, with what there is of it, else of none.
///   What was complete before it is told all the same. Nothing comes after it; [`error`](Self::error)
///   has the error with its offset.
/// - In the modes `Batch` and `AllTogether`, the end of the root counts as that of the text, unless
///   there are [several values](Self::several_values).
///
/// # Cost
///
/// That of the [`Parser`], and for each event what its data takes to write. Deltas cost what is
/// new.
#[derive(Clone)]
pub struct Entities {
    parser: Parser,
    follower: Follower,
    failed: Option<Error>,
    finished: bool,
}

impl Entities {
    /// Finds the entities in the root, in that mode.
    #[must_use]
    pub fn new(mode: EntityMode) -> Self {
        Self {
            parser: Parser::new(),
            follower: Follower::new(Outlet::new(mode)),
            failed: None,
            finished: false,
        }
    }

    /// The entities are in the first member of this name, wherever in the text, that is an array or
    /// an object: the elements of an array, or the object itself. They are called by that name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        self.at(Source::Name(name.into()))
    }

    /// The entities are at this JSON Pointer (RFC 6901): the elements of an array, or whatever else
    /// is there, in the first of several members with one name. They are called by the last member
    /// on the way. A text that does not start with `/` points to nothing, unless it is empty.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Self {
        self.at(Source::pointer(pointer))
    }

    fn at(mut self, source: Source) -> Self {
        self.follower.source = source;
        self
    }

    /// What the entities are called in their events, instead of by where they are.
    #[must_use]
    pub fn label(mut self, label: &str) -> Self {
        self.follower.outlet.label = Some(label.into());
        self
    }

    /// Whether values that have begun but are not shown yet are shown as the zero values of their
    /// kinds (section 3 of the specification): `""`, `0`, `false`, `null`, `[]`, `{}`. `false` by
    /// default: then they are not there. In `Progressive` mode these are all values that are not
    /// complete, in `Realtime` mode literals that are not.
    #[must_use]
    pub fn zero_values(mut self, zero_values: bool) -> Self {
        self.follower.zero_values = zero_values;
        self
    }

    /// As [`Parser::several_values`]. The entities of all values are counted on.
    #[must_use]
    pub fn several_values(mut self, several: bool) -> Self {
        self.parser = self.parser.several_values(several);
        self.follower.several = several;
        self
    }

    /// Bounds on the text.
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

    /// What every entity has to be. The last event of one that is not is an `ERROR` with
    /// `INVALID_SCHEMA`, and the next entity follows. In the modes with partial entities it comes
    /// when nothing that is still to come can make the entity valid, but for a second member of the
    /// same name. A partial entity is looked at when an eighth more of its values has come than the
    /// last time; the last look is at the whole.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(mut self, schema: Schema) -> Self {
        self.follower.guard.schema = Some(schema);
        self
    }

    /// Takes the next fragment and gives what it tells. After the end of the text or an error,
    /// nothing is taken any more.
    pub fn push(&mut self, fragment: &[u8]) -> EntityEvents<'_> {
        self.take(fragment);
        self.events()
    }

    pub(crate) fn take(&mut self, fragment: &[u8]) {
        if !self.is_over() {
            self.failed = self.parser.push(fragment).err();
            self.follow();
        }
    }

    /// Takes the next fragment, which is whole characters, and gives what it tells.
    pub fn push_str(&mut self, fragment: &str) -> EntityEvents<'_> {
        self.push(fragment.as_bytes())
    }

    /// Takes the end of the text and gives what was waiting for it.
    pub fn finish(&mut self) -> EntityEvents<'_> {
        self.end();
        self.events()
    }

    pub(crate) fn end(&mut self) {
        if !self.is_over() {
            self.finished = true;
            self.failed = self.parser.finish().err();
            self.follow();
            if self.failed.is_none() {
                self.follower.outlet.end();
            }
        }
    }

    pub(crate) fn events(&mut self) -> EntityEvents<'_> {
        EntityEvents(self.follower.outlet.events.drain(..))
    }

    /// What is wrong with the text, if anything is.
    #[must_use]
    pub const fn error(&self) -> Option<&Error> {
        self.failed.as_ref()
    }

    /// Whether what the entities are in has come.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.follower.is_found()
    }

    /// The parser, to look at the text as a document.
    #[must_use]
    pub const fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Makes a machine for another text of this one, with the same options.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.follower.reset();
        self.failed = None;
        self.finished = false;
    }

    /// Ends the text for a reason that is not in it.
    #[cfg(feature = "stream")]
    pub(crate) fn fail(&mut self, error: Error) {
        if !self.is_over() {
            self.follower.fail(self.parser.root(), &error);
            self.failed = Some(error);
        }
    }

    const fn is_over(&self) -> bool {
        self.finished || self.failed.is_some()
    }

    fn follow(&mut self) {
        let (growth, root) = (self.parser.growth(), self.parser.root());
        self.follower.follow(growth, root, self.failed.as_ref());
    }
}

impl fmt::Debug for Entities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entities")
            .field("parser", &self.parser)
            .field("mode", &self.follower.outlet.mode)
            .finish_non_exhaustive()
    }
}

/// The events of one [push](Entities::push). Those that are not taken are dropped.
#[must_use = "what is not taken is lost"]
pub struct EntityEvents<'a>(Drain<'a, EntityEvent>);

impl Iterator for EntityEvents<'_> {
    type Item = EntityEvent;

    fn next(&mut self) -> Option<EntityEvent> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for EntityEvents<'_> {}

impl fmt::Debug for EntityEvents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityEvents")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
