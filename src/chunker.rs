//! Snapshots → chunks.
//!
//! A push has two steps. [`matching`] compares the snapshot with the document and adds what is new,
//! or fails and is undone. [`emit`] then walks down the frontier and emits what has become certain.
//! In between, the marks on the nodes ([`tree::Node`]) say what is new and what has changed.
//!
//! # What is known to be complete
//!
//! The model writes depth first. Therefore an array element is complete once the next one exists, a
//! member is complete once a sibling appeared or changed after it, and everything in a complete
//! container is complete. The order of the members in a snapshot carries no information (but see
//! [`MemberOrder`]), and neither does a snapshot that equals the previous one.
//!
//! # What a push emits
//!
//! It walks from the root along the changes. In an open array, the open element is closed if a
//! later one exists, all elements except the last are emitted, and the last is opened. In an open
//! object with new members, held members and an open one:
//!
//! 1. If there are new members, everything older is complete. The open member is closed and the
//!    held ones are emitted, the unchanged first. Of the new ones, literals are emitted, then
//!    numbers. If exactly one string, array or object is new, it is opened, and the same rules
//!    apply inside; if there are two or more, all of them are held. If none is opened, the last
//!    number stays open.
//! 2. If only the open member changed, the same rules apply inside it.
//! 3. If it did not change but held ones did, it is closed and the unchanged held ones are emitted.
//!    If exactly one changed, that one is opened; otherwise the changed ones stay held.
//! 4. If nothing changed, nothing is emitted.
//!
//! The members that an opened container had while it was held count as held.
//!
//! # For maintainers
//!
//! A value goes through these stages ([`tree::Stage`]); an absent one is held, too:
//!
//! | stage | emitted | a snapshot may | next |
//! | --- | --- | --- | --- |
//! | `Held` | nothing | change it freely, remove it | `Open`, or `Closed` if complete |
//! | `Open` | the start | extend it; all else is a contradiction | `Closed`; `Held` if restated |
//! | `Closed` | all of it | repeat it; anything else is a contradiction | `Held` if restated |
//!
//! - The open nodes are one path from the root: the [`frontier`].
//! - All children up to `Open::emitted_through` are emitted or absent.
//! - `Node::is_present` is never cleared, and a node is present if something in it is.
//! - A failed push leaves no trace that a later push could observe: nodes and frontier are restored
//!   (`State::rollback`), counters only grow.
//! - With [`MemberOrder::Written`], members are in the order of the snapshot that brought them.
//!
//! A value is pushed as its text, of which only what differs from the last snapshot is written
//! ([`value`]).
//!
//! A push takes one of three ways. The same snapshot again ends after one comparison
//! (`LastSnapshot::compare`). One in which only the open string has grown, which is what most
//! snapshots of a producer with a stable order are, needs no pass (`State::grow_open_string`): it
//! leaves the marks that a pass would leave. All others are matched.
//!
//! The rooms: [`tree`] is the document and finds members, [`matching`] compares and never emits,
//! [`emit`] emits and never fails, [`state`] is what they share and the only one that undoes. A new
//! kind of contradiction goes to `matching::contradiction`, a new rule of emission to [`emit`] and
//! to the naive chunker in the tests (`testing/src/reference.rs`), which knows nothing of this
//! file.

mod emit;
mod frontier;
mod hint;
mod matching;
mod options;
mod state;
mod text;
mod tree;
mod value;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, Reason};
use crate::json::{byte_order_mark_len, skip_whitespace};
use crate::limits::Limits;
use crate::revision::{Revision, RevisionPolicy};
use hint::hint;
use matching::{Frame, LastSnapshot, Matcher, Pass};
pub use options::{AbsentValues, MemberOrder};
use state::State;
pub use text::TextChunker;
use tree::NodeId;

/// Turns complete JSON snapshots of a growing value into chunks of one JSON text.
///
/// Each snapshot is a complete JSON text: everything the model has written so far, the members of
/// objects in any order. The concatenated chunks are one JSON text: a prefix of it after each push,
/// and at the end equal to the last snapshot. It has no white space between tokens; strings and
/// numbers keep the spelling of the snapshots.
///
/// Everything is emitted as soon as it can no longer change. What has to wait is *held*: if two or
/// more strings, arrays or objects appear in one object at once, the next change shows which of
/// them the model is writing. (If your producer keeps the order of writing, nothing has to wait:
/// see [`MemberOrder::Written`].)
///
/// ```
/// use json_chunks::Chunker;
///
/// let mut chunker = Chunker::new();
/// assert_eq!(chunker.push(r#"{"name": "Mat"}"#)?, r#"{"name":"Mat"#);
/// assert_eq!(chunker.push(r#"{"name": "Matthew"}"#)?, "thew");
/// assert_eq!(chunker.push(r#"{"age": 32, "name": "Matthew"}"#)?, r#"","age":32"#);
/// // Two at once: which one will grow?
/// assert_eq!(chunker.push(r#"{"age": 32, "city": "", "bio": "", "name": "Matthew"}"#)?, "");
/// assert_eq!(
///     chunker.push(r#"{"bio": "Born in", "age": 32, "name": "Matthew", "city": ""}"#)?,
///     r#","city":"","bio":"Born in"#
/// );
/// assert_eq!(chunker.finish(), r#""}"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// A pure state machine: no I/O, no clock, no async. For streams there is
/// [`.json_chunks()`](crate::stream::SnapshotStreamExt::json_chunks).
///
/// # Producers
///
/// With these settings the text equals the last snapshot, and nothing is a revision, with fine and
/// with coarse steps (`tests/it/chunker/producers.rs`):
///
/// | producer | absent values | may promise [`Written`](MemberOrder::Written) order |
/// | --- | --- | --- |
/// | structs of `Option` fields, and of nested structs of such | default | yes |
/// | structs of fields that are skipped while they are `None` | default | yes |
/// | structs with other fields: `String`, `Vec`, maps, numbers; Go, protobuf | [`Defaults`] | yes |
/// | Apple Foundation Models and others with shuffled members | default | no |
/// | partial objects of SDKs, in the order of the model's text | default | yes |
/// | `serde_json::Value`, which sorts names | default | no |
/// | JSON with nulls that stay | default; [`Nothing`] emits null at once | as above |
///
/// [`Defaults`]: AbsentValues::Defaults
/// [`Nothing`]: AbsentValues::Nothing
///
/// # Producers that break the rules
///
/// A snapshot that is not JSON, too deep or too large returns an [`Error`] and changes nothing. One
/// that contradicts text already emitted is a [`Revision`]; [`RevisionPolicy`] says what is done
/// about it. The emitted text is valid JSON in every case. If a name appears twice in one object of
/// a snapshot, the last one counts.
///
/// The options apply to the entire text: set them before the first push.
///
/// # Cost
///
/// Memory: the text of the last snapshot twice, and 32 bytes per value, some 12 per member and 32
/// per object or array. Time per push: values that have not moved since the last snapshot are
/// compared with one `memcmp`, in any order of members, and so is an object or array that has moved
/// unchanged. If the order of members changes with each snapshot, each member costs the lookup of
/// its name and one `memcmp`. Only text that is new or has grown is lexed.
#[derive(Clone, Default)]
pub struct Chunker {
    revision_policy: RevisionPolicy,
    limits: Limits,
    state: State,
    last: LastSnapshot,
    /// The containers that a pass is in: here to keep the allocation.
    frames: Vec<Frame>,
    revisions: Vec<Revision>,
    /// What of the last value was not in the snapshot before it: here to keep the allocation.
    value: String,
}

impl Chunker {
    /// Creates a chunker with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what to do with a snapshot that contradicts text already emitted;
    /// [`RevisionPolicy::Keep`] by default.
    #[must_use]
    pub fn revision_policy(mut self, revision_policy: RevisionPolicy) -> Self {
        self.revision_policy = revision_policy;
        self
    }

    /// Sets whether the model writes numbers digit by digit, so that they have to be held like
    /// strings when several members appear at once; `false` by default.
    ///
    /// Either way the last emitted number stays open, so that `3` may become `32` next, and `3.0`,
    /// as serde writes a float, `32.5`: a final `.0` is emitted when the number is complete.
    #[must_use]
    pub fn growing_numbers(mut self, growing: bool) -> Self {
        self.state.growing_numbers = growing;
        self
    }

    /// Sets which values represent members that are not written yet; [`AbsentValues::Null`] by
    /// default.
    #[must_use]
    pub fn absent_values(mut self, absent: AbsentValues) -> Self {
        self.state.absent_values = absent;
        self
    }

    /// Sets whether the members of a snapshot are in the order in which the model writes them;
    /// [`MemberOrder::Unknown`] by default.
    #[must_use]
    pub fn member_order(mut self, order: MemberOrder) -> Self {
        self.state.member_order = order;
        self
    }

    /// Sets limits on each snapshot, and on the document.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns how long a stream may take: for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    /// Pushes the next snapshot and returns the text that it makes certain, which may be empty.
    ///
    /// Blank text is no snapshot and is ignored; so is a byte order mark at the start. After
    /// [`finish`](Self::finish) nothing more can be emitted: any difference is a revision.
    ///
    /// # Errors
    ///
    /// If the snapshot is not JSON or exceeds the [`Limits`], or if it contradicts the emitted text
    /// and that is [rejected](RevisionPolicy::Reject). The chunker is unchanged, and the next
    /// snapshot supersedes this one, so nothing is lost.
    pub fn push(&mut self, snapshot: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.push_into(snapshot, &mut out)?;
        Ok(out)
    }

    /// Like [`push`](Self::push), but appends to `out`. A push does not allocate while `out` and
    /// the document have the capacity for what is new.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); `out` is unchanged.
    pub fn push_into(&mut self, snapshot: &str, out: &mut String) -> Result<(), Error> {
        let start = byte_order_mark_len(snapshot.as_bytes());
        if skip_whitespace(snapshot.as_bytes(), start) == snapshot.len() {
            return Ok(());
        }
        self.check_len(snapshot.len())?;
        let Some(prefix) = self.last.compare(snapshot.as_bytes()) else {
            return Ok(());
        };
        if let Some(growth) = self.last.growth(snapshot, prefix)
            && self.push_growth(growth, out)
        {
            return Ok(());
        }
        self.state.tree.expect(snapshot.len());
        self.state.begin();
        match self.take(snapshot, prefix, out) {
            Ok(string) => {
                self.state.advance(out);
                let string_end = string.and_then(|(id, end)| {
                    let is_open = self.state.open_string() == Some(id);
                    is_open.then_some(end)
                });
                self.state.collect_garbage();
                self.last.accept(snapshot, prefix, string_end);
                Ok(())
            }
            Err(error) => {
                self.state.rollback();
                // After the first snapshot that could be used there is no hint: a later one that is
                // incomplete is only damaged.
                let is_first = self.state.tree.root().is_none();
                let hint = is_first.then(|| hint(&error, snapshot)).flatten();
                Err(error.with_hint(hint))
            }
        }
    }

    /// Pushes the next snapshot as UTF-8 bytes: a `Vec<u8>`, or `Bytes` as HTTP clients yield them.
    /// Otherwise as [`push`](Self::push).
    ///
    /// ```
    /// use json_chunks::Chunker;
    ///
    /// let mut chunker = Chunker::new();
    /// assert_eq!(chunker.push_bytes(br#"{"name":"Mat"}"#)?, r#"{"name":"Mat"#);
    /// let error = chunker.push_bytes(b"{\"name\":\"Mat\xff\"}").unwrap_err();
    /// assert_eq!(error.to_string(), "invalid UTF-8 at byte 12");
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if the bytes are not UTF-8; the chunker is unchanged.
    pub fn push_bytes(&mut self, snapshot: &[u8]) -> Result<String, Error> {
        let mut out = String::new();
        self.push_bytes_into(snapshot, &mut out)?;
        Ok(out)
    }

    /// Like [`push_bytes`](Self::push_bytes), but appends to `out`.
    ///
    /// # Errors
    ///
    /// As [`push_bytes`](Self::push_bytes); `out` is unchanged.
    pub fn push_bytes_into(&mut self, snapshot: &[u8], out: &mut String) -> Result<(), Error> {
        match core::str::from_utf8(snapshot) {
            Ok(snapshot) => self.push_into(snapshot, out),
            Err(error) => Err(Error::new(Reason::InvalidUtf8, error.valid_up_to())),
        }
    }

    /// Pushes the last snapshot with a longer open string, unless that needs a pass.
    fn push_growth(&mut self, growth: &str, out: &mut String) -> bool {
        let is_grown = self.state.grow_open_string(growth, &self.limits);
        if is_grown {
            self.state.advance(out);
            self.state.collect_garbage();
            self.last.accept_growth(growth);
        }
        is_grown
    }

    /// Refuses a snapshot that is longer than the limit.
    fn check_len(&self, len: usize) -> Result<(), Error> {
        let limit = self.limits.document_bytes;
        if len > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        Ok(())
    }

    /// Returns how long the text of the last snapshot is.
    #[cfg(feature = "stream")]
    pub(crate) fn last_len(&self) -> usize {
        self.last.text().len()
    }

    /// Starts a pass over a snapshot, `prefix` bytes of which are as in the last one.
    fn matcher<'a>(&'a mut self, snapshot: &'a str, prefix: usize) -> Matcher<'a> {
        Matcher::new(
            &mut self.state,
            &mut self.frames,
            &mut self.last,
            snapshot,
            prefix,
            self.revision_policy,
            self.limits,
        )
    }

    /// Adds the snapshot to the document, and to `out` what ends the text of values that are to be
    /// restated. Returns the string seen last, and where its content ends; none if there were
    /// contradictions.
    fn take(
        &mut self,
        snapshot: &str,
        prefix: usize,
        out: &mut String,
    ) -> Result<Option<(NodeId, usize)>, Error> {
        let mut matcher = self.matcher(snapshot, prefix);
        if let Pass::Repeated = matcher.run()? {
            self.state.rollback();
            self.state.begin();
            matcher = self.matcher(snapshot, prefix).skip_superseded();
            matcher.run()?;
        }
        let string = matcher.last_string();
        let Matcher {
            contradictions,
            held_back,
            closers,
            ..
        } = matcher;
        let limit = self.limits.document_bytes;
        if self.state.tree.live_len() > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), snapshot.len()));
        }
        let mut revisions = contradictions
            .into_iter()
            .map(|contradiction| contradiction.into_revision(snapshot));
        if self.revision_policy == RevisionPolicy::Reject
            && let Some((revision, offset)) = revisions.next()
        {
            return Err(Error::new(Reason::Revision(Box::new(revision)), offset));
        }
        self.revisions
            .extend(revisions.map(|(revision, _)| revision));
        out.push_str(&closers);
        if let Some(held_back) = held_back.and_then(|held_back| snapshot.get(held_back)) {
            self.state.hold_back(held_back);
        }
        Ok(string)
    }

    /// Ends the text: emits what is held and closes everything that is open. Returns an empty text
    /// if there was no snapshot, or if it was called before. Call [`reset`](Self::reset) before the
    /// next text.
    #[must_use = "without its end, the text is not JSON"]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.finish_into(&mut out);
        out
    }

    /// Like [`finish`](Self::finish), but appends to `out`.
    pub fn finish_into(&mut self, out: &mut String) {
        self.state.finish(out);
    }

    /// Resets the chunker for the next text, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.state.clear();
        self.last.clear();
        self.revisions.clear();
    }

    /// Returns how many values are held, because it is not clear yet which of them the model is
    /// writing. Values inside of them and absent members don't count.
    #[must_use]
    pub fn held_count(&self) -> usize {
        self.state.held_count()
    }

    /// Returns the revisions since the last call; they accumulate until they are taken.
    ///
    /// Each value is reported once, unless it was [restated](RevisionPolicy::Restate) in between:
    /// then it may be contradicted again. With [`RevisionPolicy::Keep`], a value that is still open
    /// continues to grow as soon as a snapshot agrees again with the emitted text.
    ///
    /// ```
    /// use json_chunks::{Chunker, RevisionKind};
    ///
    /// let mut chunker = Chunker::new();
    /// chunker.push(r#"{"city":"Tokio"}"#)?;
    /// assert_eq!(chunker.push(r#"{"city":"Tokyo","days":3}"#)?, r#"","days":3"#);
    /// let revisions = chunker.take_revisions();
    /// assert_eq!(revisions[0].pointer(), "/city");
    /// assert_eq!(revisions[0].kind(), RevisionKind::Rewritten);
    /// assert_eq!(revisions[0].emitted(), r#""Tokio"#);
    /// assert_eq!(revisions[0].received(), Some(r#""Tokyo""#));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        core::mem::take(&mut self.revisions)
    }
}

impl fmt::Debug for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunker")
            .field("revision_policy", &self.revision_policy)
            .field("limits", &self.limits)
            .field("open", &self.state.frontier.open.len())
            .field("revisions", &self.revisions.len())
            .finish_non_exhaustive()
    }
}
