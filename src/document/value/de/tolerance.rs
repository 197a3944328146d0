//! A type is read although the value that is being written is not of that type yet.
//!
//! # For maintainers
//!
//! The *frontier* is the path of incomplete values from the root to the one that is being written.
//! Where a type fails at one of them, it is read again without a value of the frontier, in this
//! order:
//!
//! 1. `Innermost`, the value that is being written: `[{"name":"Ann","id":"5f` with
//!    `id: Option<Uuid>`. Ann has been shown, and must not disappear while her id is written.
//! 2. `Place`, what the last try failed at: `{"home":{"id":"5f` with `#[serde(default)] home: Home`
//!    and `Home { id: Uuid }`. Without its id the home is none, but the field has a default.
//! 3. `Spare`, the innermost value around that place that its container can do without for sure:
//!    `{"home":{"address":{"id":"5f` with `home: Option<Home>` and required members in it. However
//!    long the chain of required members is, it ends there. Each element or entry around it that
//!    fails for lack of it is omitted, too.
//! 4. `Outermost`, as `Spare`, but the outermost: an `Option` in an `Option`, each with required
//!    members that have not arrived. The rest of the document does not wait for them.
//!
//! Where something is missing, nothing can be cured by omitting a part of the value, so `Innermost`
//! is that value.
//!
//! Invariants: *five tries at most*, whatever the depth, so that reading stays linear. Each try
//! omits a value around that of the try before. *Only incomplete values are omitted*: a complete
//! value of the wrong type is an error at once, and so is any in a complete document.

use core::marker::PhantomData;

use serde_core::de::Deserialize;

use super::error::Trace;
use super::{DeserializeError, Reader, Result, Value};
use crate::document::NodeId;

/// What is omitted next, after a type has failed. The table of the [module](self) has examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Omission {
    Innermost,
    Place,
    Spare,
    Outermost,
}

impl<'a> Reader<'a> {
    /// Reads the value; if it is incomplete and its type fails only because of that, without what
    /// is being written.
    pub(super) fn read_tolerantly<T: Deserialize<'a>>(self) -> Result<T> {
        let error = match self.read(PhantomData) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        let mut reader = self;
        let mut trace = error.trace();
        for omission in [
            Omission::Innermost,
            Omission::Place,
            Omission::Spare,
            Omission::Outermost,
        ] {
            if trace.place.is_none_or(|place| !self.is_incomplete(place)) {
                break;
            }
            let omitted = match omission {
                Omission::Innermost => self.innermost(trace),
                Omission::Place => trace.place,
                Omission::Spare => trace.spare,
                Omission::Outermost => trace.outermost_spare,
            };
            // The root has nothing around it, and what is inside of the last one is gone with it.
            let is_next = |id| {
                id > self.value.id
                    && self.is_incomplete(id)
                    && reader.omitted.is_none_or(|last| id < last)
            };
            let Some(omitted) = omitted.filter(|id| is_next(*id)) else {
                continue;
            };
            reader.omitted = Some(omitted);
            reader.lenient = matches!(omission, Omission::Spare | Omission::Outermost);
            match reader.read(PhantomData) {
                Ok(read) => return Ok(read),
                Err(error) => trace = error.trace(),
            }
        }
        // What is wrong with the value as it is.
        Err(error.without_trace())
    }

    /// The value failed, and what is around it can do without it: ends the sequence or map if that
    /// is the way to read on.
    #[cold]
    pub(super) fn spare<T>(self, error: DeserializeError) -> Result<Option<T>> {
        if self.lenient && !self.value.is_complete() {
            return Ok(None);
        }
        Err(error.spares(self.value))
    }

    fn is_incomplete(self, id: NodeId) -> bool {
        !self.value.doc.node(id).is_complete()
    }

    fn innermost(self, trace: Trace) -> Option<NodeId> {
        if trace.is_missing {
            return trace.place;
        }
        let is_incomplete = |value: &Value<'a>| !value.is_complete();
        let frontier = core::iter::successors(Some(self.value), |value| value.last());
        let innermost = frontier.take_while(is_incomplete).last();
        innermost.map(|value| value.id)
    }
}
