//! Snapshots that can't be used or contradict what was put out: skipped, yielded, counted, logged.

#![cfg(feature = "stream")]

use std::error::Error as _;
use std::fmt;

use futures::executor::block_on;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use json_chunks::stream::{JsonStreamExt, Report, StreamError, TryJsonStreamExt};
use json_chunks::{Chunker, Error, ErrorKind, Limits, OnRevision, RevisionKind, TextChunker};
use tokio_test::task::spawn;
use tokio_test::{assert_ready, assert_ready_eq};

fn counts(report: Report) -> [u64; 4] {
    [
        report.taken(),
        report.skipped(),
        report.revisions(),
        report.mended(),
    ]
}

#[test]
fn an_unusable_snapshot_is_superseded_by_the_next() {
    let snapshots = [r#"{"a":"x"}"#, r#"{"a":"xy"#, "oops", r#"{"a":"xyz"}"#];
    let mut chunks = stream::iter(snapshots).json_chunks();
    let texts: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(texts, [r#"{"a":"x"#, "yz", r#""}"#]);
    assert_eq!(counts(chunks.report()), [2, 2, 0, 0]);
}

#[test]
fn an_unusable_snapshot_is_an_error_in_its_place() {
    let snapshots = ["[1]", "[1,", "[1,[2]]"].map(Ok::<_, ()>);
    let items: Vec<_> = block_on(stream::iter(snapshots).try_json_chunks().collect());
    assert_eq!(items[0], Ok("[1".to_owned()));
    let Err(StreamError::Json(error)) = &items[1] else {
        panic!("{:?}", items[1])
    };
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Incomplete, 3));
    assert_eq!(items[2..], [Ok(",[2".to_owned()), Ok("]]".to_owned())]);
}

#[test]
fn the_first_and_the_last_snapshot_may_be_unusable() {
    let mut chunks = stream::iter(["oops", "[]", "oops"]).json_chunks();
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, "[]");
    assert_eq!(counts(chunks.report()), [1, 2, 0, 0]);

    let mut chunks = stream::iter(["oops"]).json_chunks();
    assert_eq!(block_on(chunks.next()), None);
    assert_eq!(counts(chunks.report()), [0, 1, 0, 0]);
}

#[test]
fn a_revision_comes_after_the_chunk_of_its_snapshot() {
    let snapshots = [
        r#"{"a":"x"}"#,
        r#"{"a":"x","b":"1"}"#,
        r#"{"a":"z","b":"12"}"#,
    ];
    let inner = stream::iter(snapshots.map(Ok::<_, ()>));
    let mut chunks = spawn(inner.try_json_chunks());
    assert_ready_eq!(chunks.poll_next(), Some(Ok(r#"{"a":"x"#.to_owned())));
    assert_ready_eq!(chunks.poll_next(), Some(Ok(r#"","b":"1"#.to_owned())));
    assert_ready_eq!(chunks.poll_next(), Some(Ok("2".to_owned())));
    assert_eq!(chunks.report().revisions(), 1, "counted when it is found");
    assert_eq!(chunks.size_hint().0, 1, "and certain to come");
    match assert_ready!(chunks.poll_next()) {
        Some(Err(StreamError::Revision(revision))) => {
            assert_eq!(
                (revision.pointer(), revision.kind()),
                ("/a", RevisionKind::Changed)
            );
            assert_eq!(
                (revision.put_out(), revision.came()),
                (r#""x""#, Some(r#""z""#))
            );
            assert!(!revision.is_mended());
        }
        other => panic!("{other:?}"),
    }
    assert_ready_eq!(chunks.poll_next(), Some(Ok(r#""}"#.to_owned())));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn all_the_revisions_of_one_snapshot_come_before_the_next() {
    let snapshots = [
        r#"{"a":"x"}"#,
        r#"{"a":"x","b":"x"}"#,
        r#"{"a":"x","b":"x","c":"x"}"#,
        r#"{"a":"y","b":"y","c":"xz"}"#,
        r#"{"a":"y","b":"y","c":"xzz"}"#,
    ];
    let chunks = stream::iter(snapshots.map(Ok::<_, ()>)).try_json_chunks();
    let items: Vec<_> = block_on(chunks.collect());
    let mut places: Vec<_> = items[4..6]
        .iter()
        .map(|item| match item {
            Err(StreamError::Revision(revision)) => revision.pointer(),
            other => panic!("{other:?}"),
        })
        .collect();
    places.sort_unstable();
    assert_eq!(places, ["/a", "/b"]);
    assert_eq!(items[3], Ok("z".to_owned()));
    assert_eq!(items[6..], [Ok("z".to_owned()), Ok(r#""}"#.to_owned())]);
}

#[test]
fn keep_goes_on_around_a_revision() {
    let mut chunks = stream::iter([r#"{"a":"x"}"#, r#"{"a":"z"}"#]).json_chunks();
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"x"}"#);
    assert_eq!(counts(chunks.report()), [2, 0, 1, 0]);
}

#[test]
fn reject_skips_the_snapshot_that_revises() {
    let snapshots = [r#"{"a":"x"}"#, r#"{"a":"z"}"#, r#"{"a":"xy"}"#];
    let chunker = Chunker::new().on_revision(OnRevision::Reject);

    let mut chunks = stream::iter(snapshots).json_chunks_with(chunker.clone());
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"xy"}"#);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);

    let mut chunks = stream::iter(snapshots.map(Ok::<_, ()>)).try_json_chunks_with(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    let refused = |item: &Result<String, StreamError<()>>| matches!(item, Err(StreamError::Json(error)) if error.is_revision());
    assert!(refused(&items[1]), "{items:?}");
    let texts: String = items.into_iter().flatten().collect();
    assert_eq!(texts, r#"{"a":"xy"}"#);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
}

#[test]
fn restate_mends_and_counts_what_it_mended() {
    let chunker = Chunker::new().on_revision(OnRevision::Restate);
    let mut chunks = stream::iter([r#"{"a":"x"}"#, r#"{"a":"z"}"#]).json_chunks_with(chunker);
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"x","a":"z"}"#);
    assert_eq!(counts(chunks.report()), [2, 0, 1, 1]);

    let chunker = Chunker::new().on_revision(OnRevision::Restate);
    let snapshots = [r#"["x"]"#, r#"["z"]"#].map(Ok::<_, ()>);
    let mut chunks = stream::iter(snapshots).try_json_chunks_with(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    assert!(
        items.iter().any(
            |item| matches!(item, Err(StreamError::Revision(revision)) if !revision.is_mended())
        )
    );
    assert_eq!(counts(chunks.report()), [2, 0, 1, 0]);
}

#[test]
fn text_snapshots_are_refused_for_size_and_revision_only() {
    let chunker = TextChunker::new().limits(Limits::default().max_document_bytes(4));
    let mut chunks = stream::iter(["{", "{{{{{", "{{"]).text_chunks_with(chunker);
    let texts: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(texts, ["{", "{"]);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);

    let snapshots = ["It was", "He was", "It was a"].map(Ok::<_, ()>);
    let chunker = TextChunker::new().on_revision(OnRevision::Reject);
    let mut chunks = stream::iter(snapshots).try_text_chunks_with(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    assert!(matches!(&items[1], Err(StreamError::Json(error)) if error.is_revision()));
    assert_eq!(
        items.into_iter().flatten().collect::<Vec<_>>(),
        ["It was", " a"]
    );
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
}

#[test]
fn the_report_is_up_to_date_at_every_moment() {
    let mut chunks = stream::iter(["[1]", "oops", "[1,2]"]).json_chunks();
    assert_eq!(chunks.report(), Report::default());
    assert!(block_on(chunks.next()).is_some());
    assert_eq!(counts(chunks.report()), [1, 0, 0, 0]);
    assert!(chunks.report().is_clean());
    assert!(block_on(chunks.next()).is_some());
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
    assert!(!chunks.report().is_clean());
}

/// An error of someone else's stream.
#[derive(Clone, Debug, PartialEq)]
struct Reset(&'static str);

impl fmt::Display for Reset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reset while reading {}", self.0)
    }
}

impl std::error::Error for Reset {}

/// Our own error, the way users get one.
fn syntax_error() -> Error {
    Chunker::new().push("oops").expect_err("not JSON")
}

#[test]
fn the_source_of_an_upstream_error_is_that_error() {
    let error = StreamError::Upstream(Reset("the secret"));
    assert_eq!(error.to_string(), "the inner stream failed");
    let source = error.source().and_then(|source| source.downcast_ref());
    assert_eq!(source, Some(&Reset("the secret")));
    assert!(error.is_upstream());
    assert_eq!(error.into_upstream(), Some(Reset("the secret")));
}

#[test]
fn our_own_errors_speak_for_themselves() {
    let error = syntax_error();
    let wrapped = StreamError::<Reset>::from(error.clone());
    assert_eq!(wrapped.to_string(), error.to_string());
    assert!(wrapped.source().is_none() && !wrapped.is_upstream());
    assert_eq!(wrapped.into_upstream(), None);
}

#[test]
fn upstream_errors_can_be_replaced() {
    let error = StreamError::Upstream(404).map_upstream(|code| format!("status {code}"));
    assert_eq!(error, StreamError::Upstream("status 404".to_owned()));
    let error = StreamError::<u16>::from(syntax_error());
    assert_eq!(
        error.map_upstream(|code| format!("{code}")),
        syntax_error().into()
    );
}

#[test]
fn a_question_mark_takes_the_errors_on() {
    async fn text() -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let snapshots = stream::iter([Ok("[]"), Err(Reset("line 2")), Ok("[1]")]);
        Ok(snapshots.try_json_chunks().try_collect().await?)
    }
    let error = block_on(text()).unwrap_err();
    assert_eq!(
        error.source().unwrap().to_string(),
        "reset while reading line 2"
    );
}

#[test]
fn debug_has_no_payload() {
    let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
    let mut chunks = spawn(stream::iter(snapshots.map(Ok::<_, ()>)).try_json_chunks());
    let mut said = vec![format!("{:?}", *chunks)];
    assert!(said[0].starts_with("TryChunkerStream {"), "{said:?}");
    while let Some(item) = assert_ready!(chunks.poll_next()) {
        said.extend(item.err().map(|error| format!("{error:?} {error}")));
        said.push(format!("{:?}", *chunks));
    }
    let said = said.concat();
    assert!(
        !said.contains("hunter2") && !said.contains("swordfish"),
        "{said}"
    );
    assert_eq!(
        format!("{:?}", stream::iter(snapshots).text_chunks()),
        "TextChunkerStream { phase: Flowing, queued: 0, \
         report: Report { taken: 0, skipped: 0, revisions: 0, mended: 0, mismatches: 0, ended_by: None }, .. }"
    );
}

#[cfg(all(feature = "tracing", feature = "std"))]
mod log {
    //! What goes to `tracing`.

    use std::fmt::{Debug, Write as _};
    use std::sync::{Arc, Mutex};

    use futures::executor::block_on;
    use futures::{Stream, StreamExt, stream};
    use json_chunks::stream::{JsonStreamExt, TryJsonStreamExt};
    use json_chunks::{Chunker, OnRevision, TextChunker};
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
                    write!(self.0, "{space}{field}={value:?}").expect("a string takes it");
                }
            }
            let mut line = Line(String::new());
            event.record(&mut line);
            self.0
                .lock()
                .expect("no test panics here")
                .push((*event.metadata().level(), line.0));
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    /// What is logged while the stream runs to its end.
    fn logged<S: Stream>(chunks: S) -> Vec<(Level, String)> {
        let journal = Journal::default();
        tracing::subscriber::with_default(journal.clone(), || {
            block_on(chunks.for_each(|_| std::future::ready(())));
        });
        let lines = journal.0.lock().expect("no test panics here");
        lines.clone()
    }

    fn warnings<S: Stream>(chunks: S) -> Vec<String> {
        let lines = logged(chunks).into_iter();
        lines
            .filter(|(level, _)| *level == Level::WARN)
            .map(|(_, line)| line)
            .collect()
    }

    #[test]
    fn an_unusable_snapshot_is_logged_once() {
        let chunks = stream::iter(["[1]", "[1", "[1]"]).json_chunks();
        assert_eq!(
            warnings(chunks),
            ["message=snapshot skipped kind=Incomplete offset=2 \
              error=not JSON at byte 2: the text ends too early"]
        );
    }

    #[test]
    fn a_revision_is_logged_once_and_by_its_kind_only() {
        let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
        let kept = stream::iter(snapshots).json_chunks();
        assert_eq!(
            warnings(kept),
            ["message=snapshot contradicts what was put out kind=Rewritten mended=false"]
        );

        let restate = Chunker::new().on_revision(OnRevision::Restate);
        let restated = stream::iter(snapshots).json_chunks_with(restate);
        assert_eq!(
            warnings(restated),
            ["message=snapshot contradicts what was put out kind=Rewritten mended=true"]
        );
    }

    #[test]
    fn a_rejected_snapshot_is_logged_without_its_pointer() {
        let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
        let reject = Chunker::new().on_revision(OnRevision::Reject);
        let lines = warnings(stream::iter(snapshots).json_chunks_with(reject));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("message=snapshot rejected kind=Revision offset="));
        assert!(lines[0].ends_with(" revision=Rewritten"), "{lines:?}");
    }

    #[test]
    fn it_is_logged_even_if_nobody_polls_on() {
        let snapshots = [
            r#"{"a":"x"}"#,
            r#"{"a":"x","b":1}"#,
            r#"{"a":"z","b":1,"c":1}"#,
        ];
        let chunks = stream::iter(snapshots).json_chunks().take(3);
        assert_eq!(warnings(chunks).len(), 1);
    }

    #[test]
    fn what_is_yielded_as_an_error_is_not_logged_too() {
        let snapshots = [r#"{"a":"x"}"#, "oops", r#"{"a":"z"}"#].map(Ok::<_, ()>);
        let none: [&str; 0] = [];
        assert_eq!(warnings(stream::iter(snapshots).try_json_chunks()), none);
        assert_eq!(warnings(stream::iter(snapshots).try_text_chunks()), none);
    }

    #[test]
    fn every_push_leaves_a_trace_of_its_sizes() {
        let lines = logged(stream::iter([r#"["a"]"#, r#"["a"]"#]).json_chunks());
        let trace = |line: &str| (Level::TRACE, line.to_owned());
        assert_eq!(
            lines,
            [
                trace("message=snapshot taken bytes_in=5 bytes_out=3"),
                trace("message=snapshot taken bytes_in=5 bytes_out=0"),
                trace("message=stream finished bytes_out=2"),
            ]
        );
    }

    #[test]
    fn no_payload_is_ever_logged() {
        let payload = ["hunter2", "swordfish", "password"];
        let snapshots = [
            r#"{"password":"hunter2"}"#,
            r#"{"password":hunter2}"#,
            r#"{"password":"swordfish"}"#,
            r#"{"password":["hunter2"],"swordfish":{}}"#,
            r#"{"password":"hunter2"} password"#,
        ];
        for policy in [OnRevision::Keep, OnRevision::Reject, OnRevision::Restate] {
            let json = Chunker::new().on_revision(policy);
            let text = TextChunker::new().on_revision(policy);
            for lines in [
                logged(stream::iter(snapshots).json_chunks_with(json)),
                logged(stream::iter(snapshots).text_chunks_with(text)),
            ] {
                assert!(lines.iter().any(|(level, _)| *level == Level::WARN));
                for (_, line) in lines {
                    assert!(!payload.iter().any(|word| line.contains(word)), "{line}");
                }
            }
        }
    }
}
