//! Unusable snapshots, and snapshots that contradict emitted text: skipped, yielded, counted,
//! logged.

use std::error::Error as _;
use std::fmt;

use futures::executor::block_on;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use json_chunks::stream::{
    MachineStreamExt, SnapshotStreamExt, StreamError, StreamReport, TrySnapshotStreamExt,
};
use json_chunks::{Chunker, Error, ErrorKind, Limits, RevisionKind, RevisionPolicy, TextChunker};
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

fn counts(report: StreamReport) -> [u64; 4] {
    [
        report.accepted(),
        report.skipped(),
        report.revisions(),
        report.restated(),
    ]
}

#[test]
fn unusable_snapshot_is_skipped() {
    let snapshots = [r#"{"a":"x"}"#, r#"{"a":"xy"#, "oops", r#"{"a":"xyz"}"#];
    let mut chunks = stream::iter(snapshots).json_chunks();
    let texts: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(texts, [r#"{"a":"x"#, "yz", r#""}"#]);
    assert_eq!(counts(chunks.report()), [2, 2, 0, 0]);
}

#[test]
fn unusable_snapshot_is_an_error_in_place() {
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
fn first_and_last_snapshot_may_be_unusable() {
    let mut chunks = stream::iter(["oops", "[]", "oops"]).json_chunks();
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, "[]");
    assert_eq!(counts(chunks.report()), [1, 2, 0, 0]);

    let mut chunks = stream::iter(["oops"]).json_chunks();
    assert_eq!(block_on(chunks.next()), None);
    assert_eq!(counts(chunks.report()), [0, 1, 0, 0]);
}

#[test]
fn revision_is_yielded_after_the_chunk_of_its_snapshot() {
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
    assert_pending!(chunks.poll_next());
    assert!(chunks.is_woken());
    assert_eq!(chunks.size_hint().0, 1, "it still is");
    match assert_ready!(chunks.poll_next()) {
        Some(Err(StreamError::Revision(revision))) => {
            assert_eq!(
                (revision.pointer(), revision.kind()),
                ("/a", RevisionKind::Changed)
            );
            assert_eq!(
                (revision.emitted(), revision.received()),
                (r#""x""#, Some(r#""z""#))
            );
            assert!(!revision.is_restated());
        }
        other => panic!("{other:?}"),
    }
    assert_ready_eq!(chunks.poll_next(), Some(Ok(r#""}"#.to_owned())));
    assert_ready_eq!(chunks.poll_next(), None);
}

#[test]
fn all_revisions_of_one_snapshot_are_yielded_before_the_next() {
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
fn keep_policy_continues_around_a_revision() {
    let mut chunks = stream::iter([r#"{"a":"x"}"#, r#"{"a":"z"}"#]).json_chunks();
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"x"}"#);
    assert_eq!(counts(chunks.report()), [2, 0, 1, 0]);
}

#[test]
fn reject_policy_skips_the_snapshot() {
    let snapshots = [r#"{"a":"x"}"#, r#"{"a":"z"}"#, r#"{"a":"xy"}"#];
    let chunker = Chunker::new().revision_policy(RevisionPolicy::Reject);

    let mut chunks = stream::iter(snapshots).through(chunker.clone());
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"xy"}"#);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);

    let mut chunks = stream::iter(snapshots.map(Ok::<_, ()>)).try_through(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    let refused = |item: &Result<String, StreamError<()>>| matches!(item, Err(StreamError::Json(error)) if error.is_revision());
    assert!(refused(&items[1]), "{items:?}");
    let texts: String = items.into_iter().flatten().collect();
    assert_eq!(texts, r#"{"a":"xy"}"#);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
}

#[test]
fn restate_policy_restates_and_counts() {
    let chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
    let mut chunks = stream::iter([r#"{"a":"x"}"#, r#"{"a":"z"}"#]).through(chunker);
    let text: String = block_on(chunks.by_ref().collect());
    assert_eq!(text, r#"{"a":"x","a":"z"}"#);
    assert_eq!(counts(chunks.report()), [2, 0, 1, 1]);

    let chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
    let snapshots = [r#"["x"]"#, r#"["z"]"#].map(Ok::<_, ()>);
    let mut chunks = stream::iter(snapshots).try_through(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    assert!(items.iter().any(
        |item| matches!(item, Err(StreamError::Revision(revision)) if !revision.is_restated())
    ));
    assert_eq!(counts(chunks.report()), [2, 0, 1, 0]);
}

#[test]
fn text_snapshots_are_rejected_only_for_size_and_revision() {
    let chunker = TextChunker::new().limits(Limits::default().max_document_bytes(4));
    let mut chunks = stream::iter(["{", "{{{{{", "{{"]).through(chunker);
    let texts: Vec<String> = block_on(chunks.by_ref().collect());
    assert_eq!(texts, ["{", "{"]);
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);

    let snapshots = ["It was", "He was", "It was a"].map(Ok::<_, ()>);
    let chunker = TextChunker::new().revision_policy(RevisionPolicy::Reject);
    let mut chunks = stream::iter(snapshots).try_through(chunker);
    let items: Vec<_> = block_on(chunks.by_ref().collect());
    assert!(matches!(&items[1], Err(StreamError::Json(error)) if error.is_revision()));
    assert_eq!(
        items.into_iter().flatten().collect::<Vec<_>>(),
        ["It was", " a"]
    );
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
}

#[test]
fn report_is_current_after_every_poll() {
    let mut chunks = stream::iter(["[1]", "oops", "[1,2]"]).json_chunks();
    assert_eq!(chunks.report(), StreamReport::default());
    assert!(block_on(chunks.next()).is_some());
    assert_eq!(counts(chunks.report()), [1, 0, 0, 0]);
    assert!(chunks.report().is_clean());
    assert!(block_on(chunks.next()).is_some());
    assert_eq!(counts(chunks.report()), [2, 1, 0, 0]);
    assert!(!chunks.report().is_clean());
}

/// An upstream error.
#[derive(Clone, Debug, PartialEq)]
struct Reset(&'static str);

impl fmt::Display for Reset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reset while reading {}", self.0)
    }
}

impl std::error::Error for Reset {}

/// An error of this crate, as users receive it.
fn syntax_error() -> Error {
    Chunker::new().push("oops").expect_err("not JSON")
}

#[test]
fn upstream_error_has_the_text_of_that_error() {
    let error = StreamError::Upstream(Reset("line 2"));
    assert_eq!(
        error.to_string(),
        "upstream error: reset while reading line 2"
    );
    assert!(error.source().is_none(), "its text would be there twice");
    assert!(error.is_upstream());
    assert_eq!(error.into_upstream(), Some(Reset("line 2")));
}

#[test]
fn stream_error_of_a_boxed_error_is_an_error() {
    fn text(error: impl std::error::Error) -> String {
        error.to_string()
    }
    type Boxed = Box<dyn std::error::Error + Send + Sync>;
    let error = StreamError::<Boxed>::Upstream(Reset("line 2").into());
    assert_eq!(text(error), "upstream error: reset while reading line 2");
    let error = StreamError::Upstream("no connection".to_owned());
    assert_eq!(text(error), "upstream error: no connection");
}

#[test]
fn own_errors_are_transparent() {
    let error = syntax_error();
    let wrapped = StreamError::<Reset>::from(error.clone());
    assert_eq!(wrapped.to_string(), error.to_string());
    assert!(wrapped.source().is_none() && !wrapped.is_upstream());
    assert_eq!(wrapped.into_upstream(), None);
}

#[test]
fn upstream_errors_can_be_mapped() {
    let error = StreamError::Upstream(404).map_upstream(|code| format!("status {code}"));
    assert_eq!(error, StreamError::Upstream("status 404".to_owned()));
    let error = StreamError::<u16>::from(syntax_error());
    assert_eq!(
        error.map_upstream(|code| format!("{code}")),
        syntax_error().into()
    );
}

#[test]
fn errors_convert_with_question_mark() {
    async fn text() -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let snapshots = stream::iter([Ok("[]"), Err(Reset("line 2")), Ok("[1]")]);
        Ok(snapshots.try_json_chunks().try_collect().await?)
    }
    let error = block_on(text()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "upstream error: reset while reading line 2"
    );
}

#[test]
fn debug_contains_no_payload() {
    let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
    let snapshots_and_errors = stream::iter(snapshots.map(Ok::<_, Error>));
    let mut chunks = spawn(snapshots_and_errors.try_json_chunks());
    let mut said = vec![format!("{:?}", *chunks)];
    assert!(said[0].starts_with("TryAdapter {"), "{said:?}");
    while let Some(item) = block_on(chunks.next()) {
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
        "Adapter { phase: Flowing, queued: 0, \
         report: StreamReport { accepted: 0, skipped: 0, superseded: 0, \
         revisions: 0, restated: 0, mismatches: 0, ended_by: None, hint: None }, .. }"
    );
}

#[cfg(all(feature = "tracing", feature = "std"))]
mod log {
    //! What goes to `tracing`.

    use futures::{Stream, StreamExt, stream};
    use json_chunks::stream::{MachineStreamExt, SnapshotStreamExt, TrySnapshotStreamExt};
    use json_chunks::{Chunker, RevisionPolicy, TextChunker};
    use tracing::Level;

    use super::super::journal::{logged, logged_at};

    fn warnings<S: Stream>(chunks: S) -> Vec<String> {
        logged_at(Level::WARN, chunks)
    }

    #[test]
    fn unusable_snapshot_is_logged_once() {
        let chunks = stream::iter(["[1]", "[1", "[1]"]).json_chunks();
        assert_eq!(
            warnings(chunks),
            ["message=snapshot skipped kind=Incomplete offset=2 \
              error=unexpected end of JSON at byte 2"]
        );
    }

    #[test]
    fn revision_is_logged_once_by_kind_only() {
        let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
        let kept = stream::iter(snapshots).json_chunks();
        assert_eq!(
            warnings(kept),
            ["message=snapshot contradicts emitted text kind=Rewritten restated=false"]
        );

        let restate = Chunker::new().revision_policy(RevisionPolicy::Restate);
        let restated = stream::iter(snapshots).through(restate);
        assert_eq!(
            warnings(restated),
            ["message=snapshot contradicts emitted text kind=Rewritten restated=true"]
        );
    }

    #[test]
    fn rejected_snapshot_is_logged_without_pointer() {
        let snapshots = [r#"{"password":"hunter2"}"#, r#"{"password":"swordfish"}"#];
        let reject = Chunker::new().revision_policy(RevisionPolicy::Reject);
        let lines = warnings(stream::iter(snapshots).through(reject));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("message=snapshot rejected kind=Revision offset="));
        assert!(lines[0].ends_with(" revision=Rewritten"), "{lines:?}");
    }

    #[test]
    fn fault_is_logged_without_another_poll() {
        let snapshots = [
            r#"{"a":"x"}"#,
            r#"{"a":"x","b":1}"#,
            r#"{"a":"z","b":1,"c":1}"#,
        ];
        let chunks = stream::iter(snapshots).json_chunks().take(3);
        assert_eq!(warnings(chunks).len(), 1);
    }

    #[test]
    fn yielded_errors_are_not_logged() {
        let snapshots = [r#"{"a":"x"}"#, "oops", r#"{"a":"z"}"#].map(Ok::<_, ()>);
        let none: [&str; 0] = [];
        assert_eq!(warnings(stream::iter(snapshots).try_json_chunks()), none);
        assert_eq!(warnings(stream::iter(snapshots).try_text_chunks()), none);
    }

    #[test]
    fn every_push_is_traced_with_its_sizes() {
        let lines = logged(stream::iter([r#"["a"]"#, r#"["a"]"#]).json_chunks());
        let trace = |line: &str| (Level::TRACE, line.to_owned());
        assert_eq!(
            lines,
            [
                trace("message=snapshot accepted bytes_in=5 bytes_out=3"),
                trace("message=snapshot accepted bytes_in=5 bytes_out=0"),
                trace("message=stream finished bytes_out=2"),
            ]
        );
    }

    #[test]
    fn logs_contain_no_payload() {
        let payload = ["hunter2", "swordfish", "password"];
        let snapshots = [
            r#"{"password":"hunter2"}"#,
            r#"{"password":hunter2}"#,
            r#"{"password":"swordfish"}"#,
            r#"{"password":["hunter2"],"swordfish":{}}"#,
            r#"{"password":"hunter2"} password"#,
        ];
        for policy in [
            RevisionPolicy::Keep,
            RevisionPolicy::Reject,
            RevisionPolicy::Restate,
        ] {
            let json = Chunker::new().revision_policy(policy);
            let text = TextChunker::new().revision_policy(policy);
            for lines in [
                logged(stream::iter(snapshots).through(json)),
                logged(stream::iter(snapshots).through(text)),
            ] {
                assert!(lines.iter().any(|(level, _)| *level == Level::WARN));
                for (_, line) in lines {
                    assert!(!payload.iter().any(|word| line.contains(word)), "{line}");
                }
            }
        }
    }
}
