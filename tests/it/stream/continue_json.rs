//! A model that is called until its document is complete.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::FusedStream as _;
use json_chunks::join::{Accumulator, Confidence, JoinKind, JoinOutcome};
use json_chunks::prompt::{ContinuationPrompt, Progress, ProgressChange};
use json_chunks::stream::{ContinueEvent, StopReason, continue_json, continue_json_with};
use proptest::prelude::{prop_assert_eq, proptest};
use tokio::time::{Instant, sleep};
use tokio_stream::{Stream, StreamExt as _};
use tokio_test::{assert_pending, assert_ready, task};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, large_documents};
use json_chunks_testing::{CASES, config};

type Script = VecDeque<Result<&'static str, &'static str>>;

/// The argument of a call.
const CALL: Duration = Duration::from_secs(30);

/// A model with scripted replies, one per call, which fails after the last.
fn scripted(
    replies: &[Result<&'static str, &'static str>],
) -> impl FnMut(ContinuationPrompt) -> BoxFuture<'static, Result<String, &'static str>> + use<> {
    let mut script: Script = replies.iter().copied().collect();
    move |_| {
        let reply = script.pop_front().unwrap_or(Err("no more"));
        Box::pin(async move {
            sleep(CALL).await;
            reply.map(str::to_owned)
        })
    }
}

/// A short description of an event.
fn line(event: &ContinueEvent<&'static str>) -> String {
    match event {
        ContinueEvent::CallStarted { call, .. } => format!("call {call}"),
        ContinueEvent::CallFailed { call, error, .. } => format!("call {call} failed: {error}"),
        ContinueEvent::Reply { call, outcome, .. } => {
            let outcome = match &outcome {
                JoinOutcome::Joined(join) => {
                    format!("{} {}", join.kind().as_str(), join.confidence().as_str())
                }
                JoinOutcome::Ambiguous(_) => "ambiguous".to_owned(),
                _ => "failed".to_owned(),
            };
            format!("{call} {outcome}")
        }
        ContinueEvent::Progress {
            percent, change, ..
        } => format!("{percent} % {change:?}"),
        ContinueEvent::Completed => "completed".to_owned(),
        ContinueEvent::Stopped { reason, .. } => format!("stopped: {reason}"),
        other => panic!("{other:?}"),
    }
}

/// Returns the events of a stream, and asserts its size hints.
async fn lines(events: impl Stream<Item = ContinueEvent<&'static str>>) -> Vec<String> {
    let mut events = std::pin::pin!(events);
    let mut lines = Vec::new();
    let mut bounds = vec![events.size_hint()];
    while let Some(event) = events.next().await {
        lines.push(line(&event));
        bounds.push(events.size_hint());
    }
    for (taken, (least, most)) in bounds.into_iter().enumerate() {
        let left = lines.len() - taken;
        assert!(
            least <= left && left <= most.unwrap(),
            "{least} {left} {most:?}"
        );
    }
    lines
}

#[tokio::test(start_paused = true)]
async fn complete_reply_needs_no_call() {
    let events = continue_json("```json\n[1, 2]\n```", scripted(&[]));
    assert_eq!(lines(events).await, ["0 first certain", "completed"]);
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_continuation_is_joined() {
    let started = Instant::now();
    let first = r#"Sure! {"title": "Trip", "days": [{"title": "Arrival"}, {"title": "Saf"#;
    let mut events = continue_json(
        first,
        scripted(&[
            // It continues at the exact byte.
            Ok(r#"ari", "stops": ["gate", "riv"#),
            // It repeats the element, after a sentence about it.
            Ok(
                "Progress: 40%\nHere is the rest:\n```json\n{\"title\": \"Safari\", \"stops\": [\"gate\", \"river\", \"ca",
            ),
            Err("overloaded"),
            // It starts from the beginning.
            Ok(
                r#"{"title": "Trip", "days": [{"title": "Arrival"}, {"title": "Safari", "stops": ["gate", "river", "camp"]}, {"title": "De"#,
            ),
            // It repeats some of the text.
            Ok(
                "progress: 90 %\n{\"title\": \"Safari\", \"stops\": [\"gate\", \"river\", \"camp\"]}, {\"title\": \"Departure\"}]}\n```\nDone.",
            ),
        ]),
    );
    let reported = lines(&mut events).await;
    assert_eq!(
        reported,
        [
            "0 first likely",
            "call 1",
            "1 continued likely",
            "call 2",
            "2 element_again certain",
            "40 % Advanced",
            "call 3",
            "call 3 failed: overloaded",
            "call 4",
            "4 restarted_further certain",
            "call 5",
            "5 overlapped certain",
            "90 % Advanced",
            "completed",
        ]
    );
    assert_eq!(started.elapsed(), CALL * 5);
    assert_eq!(
        events.accumulator().text(),
        r#"{"title": "Trip", "days": [{"title": "Arrival"}, {"title": "Safari", "stops": ["gate", "river", "camp"]}, {"title": "Departure"}]}"#
    );
}

#[tokio::test(start_paused = true)]
async fn number_of_calls_is_bounded() {
    let growing = [Ok("1,"), Ok("2,"), Ok("3,"), Ok("4,")];
    let events = continue_json("[", scripted(&growing)).max_calls(2);
    let reported = lines(events).await;
    assert_eq!(
        reported.last().unwrap(),
        "stopped: the model was called as often as it may be"
    );
    assert_eq!(
        reported
            .iter()
            .filter(|line| line.starts_with("call"))
            .count(),
        2
    );

    let events = continue_json("[", scripted(&[])).max_calls(0);
    let reported = lines(events).await;
    assert_eq!(reported.len(), 2, "{reported:?}");

    // Ten by default, errors included.
    let progress = Progress::new().max_stalls(100);
    let events = continue_json("[1", scripted(&[])).progress(progress);
    let reported = lines(events).await;
    assert_eq!(
        reported
            .iter()
            .filter(|line| line.contains("failed"))
            .count(),
        10
    );
}

#[tokio::test(start_paused = true)]
async fn stalled_model_is_not_called_again() {
    // An error, a reply without new text, and a percentage that does not rise.
    let stuck = [
        Ok("Progress: 50%\n\"b\", "),
        Err("timeout"),
        Ok("I'm sorry."),
        Ok("Progress: 50%\n\"c\", "),
        Ok("never asked for"),
    ];
    let mut events = continue_json("[\"a\", ", scripted(&stuck));
    let reported = lines(&mut events).await;
    let end = ["50 % Stalled", "stopped: the model makes no progress"];
    assert_eq!(reported.split_at(reported.len() - 2).1, end, "{reported:?}");
    assert_eq!(events.calls(), 4);
    assert_eq!(events.accumulator().text(), "[\"a\", \"b\", \"c\", ");

    // Update without a percentage is progress.
    let slow = [Err("1"), Err("2"), Ok("1,"), Err("3"), Err("4"), Ok("2]")];
    let reported = lines(continue_json("[0,", scripted(&slow))).await;
    assert_eq!(reported.last().unwrap(), "completed");
}

#[tokio::test(start_paused = true)]
async fn ambiguous_reply_is_not_joined() {
    let mut events = continue_json("[1,1", scripted(&[Ok(",1,2]"), Ok(",1,2]"), Ok(",1,2]")]));
    let reported = lines(&mut events).await;
    assert_eq!(
        reported
            .iter()
            .filter(|line| line.ends_with("ambiguous"))
            .count(),
        3
    );
    assert_eq!(
        reported.last().unwrap(),
        "stopped: the model makes no progress"
    );
    let mut accumulator = events.into_accumulator();
    assert_eq!(accumulator.text(), "[1,1");
    assert!(accumulator.accept(0).is_some());
}

#[tokio::test(start_paused = true)]
async fn loop_starts_empty_and_resumes_later() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let asked = Rc::clone(&seen);
    let model = move |continuation: ContinuationPrompt| {
        asked
            .borrow_mut()
            .push((continuation.is_start(), continuation.pointer().to_owned()));
        let reply = if continuation.is_start() {
            "{\"a\": [1, 2"
        } else {
            ", 3]}"
        };
        async move { Ok::<_, &str>(reply.to_owned()) }
    };
    let mut events = continue_json_with(Accumulator::new(), model.clone()).max_calls(1);
    let reported = lines(&mut events).await;
    assert_eq!(reported.first().unwrap(), "call 1");
    let state = serde_json::to_string(events.accumulator()).unwrap();

    let accumulator: Accumulator = serde_json::from_str(&state).unwrap();
    let mut events = continue_json_with(accumulator, model);
    assert_eq!(lines(&mut events).await.last().unwrap(), "completed");
    assert_eq!(events.accumulator().text(), "{\"a\": [1, 2, 3]}");
    assert_eq!(
        *seen.borrow(),
        [(true, String::new()), (false, "/a/1".to_owned())]
    );
}

/// Counts its live instances.
struct Alive(Rc<Cell<u32>>);

impl Alive {
    fn new(count: &Rc<Cell<u32>>) -> Self {
        count.set(count.get() + 1);
        Self(Rc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[test]
fn call_is_polled_only_when_woken_and_dropped_with_the_stream() {
    let calls = Rc::new(Cell::new(0));
    let (send, receive) = tokio::sync::watch::channel("");
    let model = |_: ContinuationPrompt| {
        let alive = Alive::new(&calls);
        let mut receive = receive.clone();
        receive.mark_unchanged();
        async move {
            let _alive = alive;
            receive.changed().await.map_err(|_| "gone")?;
            let reply = (*receive.borrow()).to_owned();
            Ok::<_, &str>(reply)
        }
    };
    let mut events = task::spawn(continue_json("[1", model));
    assert!(matches!(
        assert_ready!(events.poll_next()),
        Some(ContinueEvent::Reply { .. })
    ));
    assert_eq!(calls.get(), 0);
    assert!(matches!(
        assert_ready!(events.poll_next()),
        Some(ContinueEvent::CallStarted { .. })
    ));
    assert_eq!(calls.get(), 1);
    assert_pending!(events.poll_next());
    assert!(!events.is_woken());

    send.send(", 2").unwrap();
    assert!(events.is_woken());
    let joined = assert_ready!(events.poll_next());
    assert!(
        matches!(joined, Some(ContinueEvent::Reply { .. })),
        "{joined:?}"
    );
    assert_eq!(calls.get(), 0, "a call that ended is dropped");
    assert!(matches!(
        assert_ready!(events.poll_next()),
        Some(ContinueEvent::CallStarted { .. })
    ));
    assert_pending!(events.poll_next());
    assert_eq!((calls.get(), events.is_terminated()), (1, false));
    drop(events);
    assert_eq!(
        calls.get(),
        0,
        "a call under way is dropped with the stream"
    );
}

#[tokio::test(start_paused = true)]
async fn polling_is_cancel_safe() {
    let model = scripted(&[Ok("2, "), Ok("3]")]);
    let mut events = Box::pin(continue_json("[1, ", model));
    let mut reported = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_secs(7), events.next()).await {
            Ok(Some(event)) => reported.push(line(&event)),
            Ok(None) => break,
            Err(_) => {}
        }
    }
    assert_eq!(reported.last().unwrap(), "completed");
    assert_eq!(events.accumulator().text(), "[1, 2, 3]");
    assert!(events.is_terminated());
    assert_eq!(events.next().await, None);
    assert_eq!(events.size_hint(), (0, Some(0)));
}

#[test]
fn loop_has_the_auto_traits_of_its_model() {
    fn is_send_and_sync<T: Send + Sync + Unpin>(_: &T) {}
    let events = continue_json("[", |_| std::future::ready(Ok::<_, String>(String::new())));
    is_send_and_sync(&events);
    let shown = format!("{:?}", continue_json("[\"secret", scripted(&[])));
    assert!(!shown.contains("secret"), "{shown}");
}

/// A model that writes a document, is truncated at random, and starts again at random.
#[derive(Clone, Debug)]
struct Writer {
    text: String,
    cuts: VecDeque<u8>,
}

impl Writer {
    /// From the end of the text or before it, up to the next truncation.
    fn reply(&mut self, end: usize) -> String {
        let back =
            [0, 0, 40, 200, usize::MAX][usize::from(self.cuts.pop_front().unwrap_or(0)) * 5 / 256];
        let piece = 60 + 8 * usize::from(self.cuts.pop_front().unwrap_or(255));
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(end.saturating_sub(back));
        self.text.get(start..floor(end + piece)).unwrap().to_owned()
    }
}

proptest! {
    #![proptest_config(config(CASES / 20))]

    #[test]
    fn certain_joins_complete_the_document(document in large_documents(), source in choice_bytes()) {
        let mut tape_of = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut tape_of).style(&mut tape_of));
        let mut writer = Writer { text: text.clone(), cuts: source.into() };
        let first = writer.reply(0);
        let mut events = continue_json(first, |continuation: ContinuationPrompt| {
            std::future::ready(Ok::<_, &str>(writer.reply(continuation.bytes())))
        })
        .max_calls(400);
        let mut certain = true;
        let mut completed = false;
        futures::executor::block_on(async {
            while let Some(event) = events.next().await {
                match event {
                    ContinueEvent::Reply { outcome: JoinOutcome::Joined(join), .. } => {
                        certain &= join.confidence() == Confidence::Certain
                            || join.kind() == JoinKind::Continued;
                    }
                    ContinueEvent::Completed => completed = true,
                    ContinueEvent::Stopped { reason, .. } => {
                        assert_ne!(reason, StopReason::MaxCalls);
                    }
                    ContinueEvent::Progress { change, .. } => assert_eq!(change, ProgressChange::Advanced),
                    _ => {}
                }
            }
        });
        if completed && certain {
            prop_assert_eq!(events.accumulator().text(), text);
        }
    }
}

#[test]
fn useless_reply_changes_the_request() {
    let prompts = RefCell::new(Vec::new());
    let replies = RefCell::new(vec!["\", 2]}", "no idea", "[1, \"x\", 2]"]);
    let events = continue_json("[1, \"x", |continuation: ContinuationPrompt| {
        prompts.borrow_mut().push(continuation.to_prompt(4000));
        let reply = replies.borrow_mut().remove(0);
        std::future::ready(Ok::<_, ()>(reply.to_owned()))
    });
    let _: Vec<_> = futures::executor::block_on(events.max_calls(3).collect());
    let again = |prompt: &String| prompt.contains("Your last reply could not be joined");
    assert_eq!(
        prompts.borrow().iter().map(again).collect::<Vec<_>>(),
        [false, true, true]
    );
}

#[tokio::test]
async fn falling_percentage_stops_the_loop() {
    let mut replies = ["Progress: 60%\n, 2", "Progress: 20%\n, 3", ", 4]"].into_iter();
    let events = continue_json("[1", |_| {
        let reply = replies.next().map(str::to_owned);
        std::future::ready(reply.ok_or(()))
    });
    let events: Vec<_> = events.collect().await;
    let last = events.last().unwrap();
    assert!(
        matches!(
            last,
            ContinueEvent::Stopped {
                reason: StopReason::Regressed,
                ..
            }
        ),
        "{last:?}"
    );
    let calls = events
        .iter()
        .filter(|event| matches!(event, ContinueEvent::CallStarted { .. }));
    assert_eq!(calls.count(), 2);
}
