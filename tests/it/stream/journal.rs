//! What goes to `tracing`.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use futures::{Stream, StreamExt};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps the events of this crate: the level and all fields in one line.
#[derive(Clone, Default)]
struct Journal(Arc<Mutex<Vec<(Level, String)>>>);

impl Subscriber for Journal {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("json_chunks")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Line(String);
        impl Visit for Line {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                let space = if self.0.is_empty() { "" } else { " " };
                write!(self.0, "{space}{field}={value:?}").unwrap();
            }
        }
        let mut line = Line(String::new());
        event.record(&mut line);
        let level = *event.metadata().level();
        self.0.lock().unwrap().push((level, line.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Returns what is logged while the stream runs to its end.
pub(super) fn logged<S: Stream>(items: S) -> Vec<(Level, String)> {
    let journal = Journal::default();
    tracing::subscriber::with_default(journal.clone(), || {
        block_on(items.for_each(|_| std::future::ready(())));
    });
    let lines = journal.0.lock().unwrap();
    lines.clone()
}

/// Returns what is logged at this level.
pub(super) fn logged_at<S: Stream>(level: Level, items: S) -> Vec<String> {
    let lines = logged(items).into_iter();
    let lines = lines.filter(|(own, _)| *own == level);
    lines.map(|(_, line)| line).collect()
}
