//! The value so far as a machine: after each fragment, or less often.
//!
//! # For maintainers
//!
//! [`ValueReader`] decides when the value is emitted, its [`View`] how it is rendered.
//!
//! | `is_changed` | event | next | emitted |
//! | --- | --- | --- | --- |
//! | any | a root begins | false | |
//! | false | an event that the policy shows ([`is_visible`]) | true | |
//! | any | the root ends | false | the complete value |
//! | true | the push ends, and the pace allows it | false | the value so far |
//! | true | the end, an error, a timeout | false | the value so far |
//!
//! The pace is the growth of the document, or the time, that is required since the last value.
//!
//! - *Nothing is rendered to find a change*: the events of the parser show it.
//! - *The last one is emitted*: a stream never ends with a change that was not emitted, at any
//!   pace.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use super::compact::CompactText;
use crate::document::{Kind, PartialMode, PartialPolicy, Value};
use crate::error::Error;
use crate::json::whole_number_len;
use crate::parser::{Change, Event, Parser};
use crate::partial::FromPartial;
use crate::partial::item::Partial;
use crate::stream::log;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};

/// The form in which a [`ValueReader`] emits the value: [`AsText`] or [`AsType`].
pub trait View: sealed::Sealed + Default {
    /// The items that are emitted.
    type Item;

    /// Called when a root begins.
    #[doc(hidden)]
    fn begin_root(&mut self) {}

    /// Emits the root as far as it has arrived.
    #[doc(hidden)]
    fn emit(&mut self, root: Value<'_>, partials: PartialPolicy, out: &mut Output<'_, Self::Item>);
}

/// Reads fragments of JSON text and emits the value so far, as text or as a type: the machine of
/// [`SnapshotStream`](crate::stream::SnapshotStream) and
/// [`PartialStream`](crate::stream::PartialStream).
///
/// A value is emitted after each fragment that changes its shown form, and once when it is
/// complete. [`after_growth`](Self::after_growth) and `at_most_every` (feature `tokio`) reduce the
/// number of items.
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::{Parser, PartialPolicy};
/// use json_chunks::stream::{MachineStreamExt, PartialReader};
///
/// let fragments = stream::iter(["[1, 1", "2, 3]"]);
/// let reader = PartialReader::new(Parser::new()).partial_policy(PartialPolicy::complete_only());
/// let lists = fragments.through(reader).map(|list| list.value);
/// let lists: Vec<Vec<u8>> = block_on(lists.collect());
/// assert_eq!(lists, [vec![1], vec![1, 12, 3]]);
/// ```
#[derive(Clone)]
pub struct ValueReader<V> {
    parser: Parser,
    partials: PartialPolicy,
    pace: Pace,
    /// Whether the root has changed since it was emitted.
    is_changed: bool,
    view: V,
}

/// A reader that emits the value so far as JSON text.
pub type SnapshotReader = ValueReader<AsText>;

/// A reader that emits the value so far as a `T`.
pub type PartialReader<T> = ValueReader<AsType<T>>;

impl<V: View> ValueReader<V> {
    /// Returns a reader with this parser. For input of several values, such as JSON Lines, pass a
    /// parser with [`multiple_values`](Parser::multiple_values).
    #[must_use]
    pub fn new(parser: Parser) -> Self {
        Self {
            parser,
            partials: PartialPolicy::default(),
            pace: Pace::default(),
            is_changed: false,
            view: V::default(),
        }
    }

    /// Sets how incomplete values are shown. While the policy omits the entire value, nothing is
    /// emitted.
    #[must_use]
    pub const fn partial_policy(mut self, partials: PartialPolicy) -> Self {
        self.partials = partials;
        self
    }

    /// Sets the share of its length by which the JSON text has to grow before the next item: 0.125
    /// is an eighth. The default is 0: each change is emitted. A negative number or NaN counts as
    /// 0.
    ///
    /// Rendering or deserializing the entire value after each fragment takes quadratic time; with a
    /// share it is linear: a text of 250 KB in 64-byte fragments is deserialized 60 times instead
    /// of 3,900 times. Each complete value of the top level is emitted in any case, and so is the
    /// last state of a truncated text.
    #[must_use]
    pub const fn after_growth(mut self, ratio: f64) -> Self {
        // NaN and negative numbers set no bound.
        self.pace.ratio = if ratio > 0.0 { ratio } else { 0.0 };
        self
    }

    /// Sets the minimum time between two items. There is none by default.
    ///
    /// Changes in between are emitted when the time has passed. Each complete value of the top
    /// level is emitted at once, and so is the last state of a truncated text. Together with
    /// [`after_growth`](Self::after_growth), both have to be reached. The time is that of tokio's
    /// clock; outside of a tokio runtime, it is 0.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub const fn at_most_every(mut self, interval: Duration) -> Self {
        self.pace.interval = Some(interval);
        self
    }

    /// Emits the values that the last push has completed, and the open one if it is due.
    fn follow(&mut self, out: &mut Output<'_, V::Item>) {
        let update = self.parser.last_update();
        for event in update.events() {
            if event.path.is_root() {
                let value = event.path.value();
                match event.change {
                    Change::Started(_) => {
                        let at = update.start() + update.offset_of(value.span().start());
                        self.pace.begin_root(at);
                        self.view.begin_root();
                        self.is_changed = false;
                    }
                    Change::Appended(_) => {}
                    Change::Completed(root) => {
                        self.view.emit(root, self.partials, out);
                        self.is_changed = false;
                        continue;
                    }
                }
            }
            self.is_changed = self.is_changed || is_visible(event, self.partials);
        }
        if !out.is_paused && self.pace.is_due(update.end()) {
            self.emit_change(out);
        }
    }

    /// Emits the open value if it has changed.
    fn emit_change(&mut self, out: &mut Output<'_, V::Item>) {
        if let Some(root) = self.parser.root()
            && core::mem::take(&mut self.is_changed)
        {
            self.view.emit(root, self.partials, out);
            self.pace.emitted_at = self.parser.last_update().end();
        }
    }
}

impl<V> sealed::Sealed for ValueReader<V> {}

impl<V: View> Machine for ValueReader<V> {
    type Input = [u8];
    type Item = V::Item;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, V::Item>) -> Result<(), Error> {
        let pushed = self.parser.push(fragment).map(drop);
        log::grown(fragment, self.parser.last_update());
        self.follow(out);
        if pushed.is_err() {
            self.emit_change(out);
        }
        pushed
    }

    fn end(&mut self, out: &mut Output<'_, V::Item>) -> Result<(), Error> {
        let finished = self.parser.finish().map(drop);
        self.follow(out);
        self.emit_change(out);
        finished
    }

    fn interrupt(&mut self, out: &mut Output<'_, V::Item>) {
        self.parser.interrupt();
        self.emit_change(out);
    }

    // The reply was lost, so the end completes nothing.
    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, V::Item>) {
        self.emit_change(out);
    }

    fn is_holding(&self) -> bool {
        self.is_changed
    }

    fn release(&mut self, out: &mut Output<'_, V::Item>) {
        if self.pace.is_due(self.parser.last_update().end()) {
            self.emit_change(out);
        }
    }

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }

    fn interval(&self) -> Option<Duration> {
        self.pace.interval
    }
}

/// Omits the payload.
impl<V> fmt::Debug for ValueReader<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueReader")
            .field("parser", &self.parser)
            .field("partial_policy", &self.partials)
            .field("after_growth", &self.pace.ratio)
            .field("at_most_every", &self.pace.interval)
            .finish_non_exhaustive()
    }
}

/// Decides how often an incomplete value is emitted. Offsets count from the start of the input.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// The growth from one item to the next, as a share of the length at the first of them.
    ratio: f64,
    interval: Option<Duration>,
    /// Where the root starts.
    root_at: usize,
    /// Where the input ended when the root was emitted last, or `root_at`.
    emitted_at: usize,
}

impl Pace {
    fn begin_root(&mut self, at: usize) {
        self.root_at = at;
        self.emitted_at = at;
    }

    /// Returns whether the root has grown enough, now that the input ends at `end`.
    fn is_due(&self, end: usize) -> bool {
        // A root is not longer than the limits allow, which are 32 bits wide.
        let float = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        let len = self.emitted_at - self.root_at;
        let growth = end.saturating_sub(self.emitted_at);
        len == 0 || float(growth) >= float(len) * self.ratio
    }
}

/// Returns whether an event changes what the policy shows of the document.
fn is_visible(event: Event<'_>, partials: PartialPolicy) -> bool {
    let value = event.path.value();
    let is_kept = value.is_complete() || partials.of(value.kind()) == PartialMode::Keep;
    let is_changed = match event.change {
        // `-` is not shown yet; `{"a":"` is, as `{"a":""}`.
        Change::Started(_) => value.is_shown(partials),
        // `1` is shown of `1.`, too.
        Change::Appended(piece) if value.kind() == Kind::Number => {
            let raw = value.raw();
            let before = raw.len().checked_sub(piece.len());
            let before = before.and_then(|end| raw.get(..end)).unwrap_or_default();
            is_kept && whole_number_len(raw) > whole_number_len(before)
        }
        Change::Appended(_) => is_kept,
        // A kept value is shown already.
        Change::Completed(_) => partials.of(value.kind()) != PartialMode::Keep,
    };
    let mut around = core::iter::successors(value.parent(), |value| value.parent());
    is_changed && around.all(|value| value.is_opened(partials))
}

/// Shows the value as JSON text without white space.
///
/// Complete values are rendered once: the text is kept, and each item is a copy of it with the
/// closers.
#[derive(Clone, Default)]
pub struct AsText {
    text: CompactText,
}

impl sealed::Sealed for AsText {}

impl View for AsText {
    type Item = Partial<String>;

    fn begin_root(&mut self) {
        self.text.clear();
    }

    fn emit(&mut self, root: Value<'_>, partials: PartialPolicy, out: &mut Output<'_, Self::Item>) {
        if root.is_shown(partials) {
            self.text.advance(root, partials);
            out.item(partial(root, self.text.closed(root, partials)));
        }
    }
}

/// Omits the payload.
impl fmt::Debug for AsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsText").finish_non_exhaustive()
    }
}

/// Shows the value as a `T`, as soon as it can be deserialized.
pub struct AsType<T> {
    of: PhantomData<fn() -> T>,
}

impl<T> sealed::Sealed for AsType<T> {}

impl<T: FromPartial> View for AsType<T> {
    type Item = Partial<T>;

    fn emit(&mut self, root: Value<'_>, partials: PartialPolicy, out: &mut Output<'_, Self::Item>) {
        if !root.is_shown(partials) {
            return;
        }
        match T::from_partial(root, partials) {
            Ok(item) => out.item(partial(root, item)),
            Err(error) if root.is_complete() => {
                out.report.count_mismatch();
                out.fault(error.into());
            }
            // The missing parts may still follow.
            Err(_) => {}
        }
    }
}

impl<T> Default for AsType<T> {
    fn default() -> Self {
        Self { of: PhantomData }
    }
}

impl<T> Clone for AsType<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for AsType<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsType").finish_non_exhaustive()
    }
}

/// Wraps what was read from `value`, with its completeness.
fn partial<T>(value: Value<'_>, read: T) -> Partial<T> {
    if value.is_complete() {
        Partial::complete(read)
    } else {
        Partial::incomplete(read)
    }
}
