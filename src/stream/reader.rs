//! The [`Parser`] as a machine, and what of its document is put out.

use alloc::string::String;
use core::marker::PhantomData;
use core::time::Duration;

use serde_core::de::DeserializeOwned;

use super::fault::OnFault;
use super::log;
use super::machine::{AfterError, Machine, Outbox};
use crate::{Change, Error, Kind, Parser, Partials, Value};

/// What an adapter shows of the document after each fragment.
pub(super) trait View {
    type Item;

    /// Looks at what the last push brought.
    fn look<F: OnFault>(&mut self, parser: &Parser, out: &mut Outbox<'_, Self::Item, F>);
}

/// Fragments in, what the view shows of the document out.
pub(super) struct Reader<V> {
    parser: Parser,
    view: V,
}

impl<V> Reader<V> {
    pub(super) fn new(parser: Parser, view: V) -> Self {
        Self { parser, view }
    }
}

impl<V: View> Machine for Reader<V> {
    type Input = [u8];
    type Item = V::Item;

    const MOST_ITEMS: Option<usize> = None;
    const AFTER_ERROR: AfterError = AfterError::Ends;

    fn feed<F: OnFault>(
        &mut self,
        fragment: &[u8],
        out: &mut Outbox<'_, V::Item, F>,
    ) -> Result<(), Error> {
        let pushed = self.parser.push(fragment).map(drop);
        log::grown(fragment.len(), self.parser.growth().events().len());
        self.view.look(&self.parser, out);
        pushed
    }

    fn end<F: OnFault>(&mut self, out: &mut Outbox<'_, V::Item, F>) -> Result<(), Error> {
        let finished = self.parser.finish().map(drop);
        self.view.look(&self.parser, out);
        finished
    }

    // All that came is out already, and that the rest did not come completes nothing.
    fn give_up<F: OnFault>(&mut self, _: &Error, _: &mut Outbox<'_, V::Item, F>) {}

    fn offset(&self) -> usize {
        self.parser.growth().end()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.parser.time_limit()
    }
}

/// The value as JSON text, each time it is another.
pub(super) struct Texts {
    partials: Partials,
    /// What was shown last of this value; nothing yet if empty.
    last: String,
    /// Reused from one look to the next.
    next: String,
}

impl Texts {
    pub(super) fn new(partials: Partials) -> Self {
        Self {
            partials,
            last: String::new(),
            next: String::new(),
        }
    }

    /// Calls `show` with every value that the last push has changed, in the order of the text:
    /// those that it completed and the one that is open. A value that is not accepted, with
    /// `false`, is shown again when it is complete, even if its text is the same by then.
    fn changed(&mut self, parser: &Parser, mut show: impl FnMut(Value<'_>, &str) -> bool) {
        let mut grew = false;
        for event in parser.growth().events() {
            grew = true;
            if !event.path.is_root() {
                continue;
            }
            match event.change {
                Change::Started(_) => self.last.clear(),
                Change::Appended(_) => {}
                Change::Completed(root) => {
                    self.compare(root, &mut show);
                    grew = false;
                }
            }
        }
        if let Some(root) = parser.root().filter(|_| grew) {
            self.compare(root, &mut show);
        }
    }

    fn compare(&mut self, root: Value<'_>, show: &mut impl FnMut(Value<'_>, &str) -> bool) {
        self.next.clear();
        root.write_json(self.partials, &mut self.next);
        // What a value that is omitted as a whole looks like.
        let hidden = self.next == "null" && root.kind() != Kind::Null;
        if hidden || self.next == self.last {
            return;
        }
        if show(root, &self.next) {
            core::mem::swap(&mut self.last, &mut self.next);
        } else {
            self.last.clear();
        }
    }
}

impl View for Texts {
    type Item = String;

    fn look<F: OnFault>(&mut self, parser: &Parser, out: &mut Outbox<'_, String, F>) {
        self.changed(parser, |_, text| {
            out.item(text.into());
            true
        });
    }
}

/// The value as a `T`, each time it is another.
pub(super) struct Typed<T> {
    texts: Texts,
    of: PhantomData<fn() -> T>,
}

impl<T> Typed<T> {
    pub(super) fn new(partials: Partials) -> Self {
        Self {
            texts: Texts::new(partials),
            of: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> View for Typed<T> {
    type Item = T;

    fn look<F: OnFault>(&mut self, parser: &Parser, out: &mut Outbox<'_, T, F>) {
        let partials = self.texts.partials;
        self.texts.changed(parser, |value, _| {
            match value.deserialize(partials) {
                Ok(item) => out.item(item),
                Err(error) if value.is_complete() => {
                    out.report.count_mismatch();
                    out.fault(error.into());
                }
                // What it lacks may still come.
                Err(_) => return false,
            }
            true
        });
    }
}
