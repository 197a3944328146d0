//! The adapters with streams, combinators, executors and type bounds of other crates.

use std::convert::Infallible;
use std::future::{pending, ready};
use std::marker::PhantomPinned;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::channel::{mpsc, oneshot};
use futures::executor::{LocalPool, block_on};
use futures::stream::{self, BoxStream, FusedStream, LocalBoxStream, Stream, TryStream};
use futures::task::LocalSpawnExt;
use futures::{FutureExt, SinkExt, StreamExt, TryStreamExt};
use json_chunks::stream::{
    ChunkerStream, SnapshotStreamExt, StreamError, TextChunkerStream, TryChunkerStream,
    TrySnapshotStreamExt, TryTextChunkerStream,
};
use tokio::time::{Instant, sleep};
use tokio_test::stream_mock::StreamMockBuilder;

const SNAPSHOTS: [&str; 4] = [
    r#"{"title":"It"}"#,
    r#"{"title":"It was"}"#,
    r#"{"title":"It was","tags":["a"]}"#,
    r#"{"title":"It was","tags":["a","b"]}"#,
];
const CHUNKS: [&str; 5] = [
    r#"{"title":"It"#,
    " was",
    r#"","tags":["a"#,
    r#"","b"#,
    r#""]}"#,
];

fn snapshots() -> impl FusedStream<Item = &'static str> + Unpin {
    stream::iter(SNAPSHOTS).fuse()
}

#[test]
fn combinators_compose_before_the_adapter() {
    let whole = |chunks: BoxStream<'static, String>| block_on(chunks.collect::<Vec<_>>());

    let mapped = snapshots().map(|snapshot| format!(" {snapshot}\n"));
    assert_eq!(whole(mapped.json_chunks().boxed()), CHUNKS);

    let buffered = snapshots()
        .map(|snapshot| async move { snapshot })
        .buffered(3);
    assert_eq!(whole(buffered.json_chunks().boxed()), CHUNKS);

    let every_other = snapshots().chunks(2).map(|pair| pair[1]);
    let expected = [r#"{"title":"It was"#, r#"","tags":["a","b"#, r#""]}"#];
    assert_eq!(whole(every_other.json_chunks().boxed()), expected);

    let with_blanks = stream::select(snapshots(), stream::repeat("").take(4));
    assert_eq!(whole(with_blanks.json_chunks().boxed()), CHUNKS);

    let first = snapshots().take(1);
    assert_eq!(
        whole(first.json_chunks().boxed()),
        [r#"{"title":"It"#, r#""}"#]
    );
}

#[test]
fn combinators_compose_after_the_adapter() {
    let lengths = snapshots().json_chunks().map(|chunk| chunk.len());
    assert_eq!(block_on(lengths.collect::<Vec<_>>()), CHUNKS.map(str::len));

    let long = snapshots()
        .json_chunks()
        .filter(|chunk| ready(chunk.len() > 4));
    assert_eq!(block_on(long.count()), 2);

    let pairs = snapshots()
        .json_chunks()
        .chunks(2)
        .map(|pair| pair.concat());
    let expected = [r#"{"title":"It was"#, r#"","tags":["a","b"#, r#""]}"#];
    assert_eq!(block_on(pairs.collect::<Vec<_>>()), expected);

    let ready = snapshots().json_chunks().ready_chunks(8);
    assert_eq!(block_on(ready.collect::<Vec<_>>()), [CHUNKS]);

    let halves = snapshots().json_chunks().flat_map(|chunk| {
        let (head, tail) = chunk.split_at(chunk.len() / 2);
        stream::iter([head.to_owned(), tail.to_owned()])
    });
    assert_eq!(block_on(halves.collect::<String>()), SNAPSHOTS[3]);
}

#[test]
fn adapter_continues_after_a_borrowing_combinator() {
    let mut chunks = snapshots().json_chunks();
    let start: String = block_on(chunks.by_ref().take(2).collect());
    let rest: String = block_on(chunks.collect());
    assert_eq!([start, rest].concat(), SNAPSHOTS[3]);
}

#[test]
fn chunks_forward_into_a_sink() {
    let (sink, received) = mpsc::unbounded();
    let sent = snapshots()
        .json_chunks()
        .map(Ok)
        .forward(sink.sink_map_err(|_| ()));
    let (sent, received) = block_on(async { futures::join!(sent, received.collect::<Vec<_>>()) });
    assert_eq!(
        (sent, received),
        (Ok(()), CHUNKS.map(str::to_owned).to_vec())
    );
}

#[test]
fn fallible_combinators_compose_on_both_sides() {
    let numbered = stream::iter([Ok((1, "[]")), Err(502), Ok((2, "[1]"))]);
    let chunks = numbered
        .map_ok(|(_, snapshot)| snapshot)
        .map_err(|status| format!("status {status}"))
        .try_json_chunks()
        .map_err(|error| error.into_upstream().unwrap());
    let items: Vec<_> = block_on(chunks.collect());
    let expected = [Ok("["), Err("status 502"), Ok("1"), Ok("]")];
    assert_eq!(
        items,
        expected.map(|item| item.map(str::to_owned).map_err(str::to_owned))
    );

    let never = stream::iter(SNAPSHOTS)
        .map(Ok::<_, Infallible>)
        .try_json_chunks();
    assert_eq!(
        block_on(never.try_collect::<String>()).unwrap(),
        SNAPSHOTS[3]
    );
}

#[test]
fn merged_streams_keep_their_values_apart() {
    let title = snapshots().json_chunks().map(|chunk| ("json", chunk));
    let text = stream::iter(["It", "It was"])
        .text_chunks()
        .map(|chunk| ("text", chunk));
    let (mut json, mut plain) = (String::new(), String::new());
    block_on(
        tokio_stream::StreamExt::merge(title, text).for_each(|(kind, chunk)| {
            if kind == "json" {
                &mut json
            } else {
                &mut plain
            }
            .push_str(&chunk);
            ready(())
        }),
    );
    assert_eq!((json.as_str(), plain.as_str()), (SNAPSHOTS[3], "It was"));
}

#[test]
fn streams_can_be_boxed_inside_and_outside() {
    let inner: BoxStream<'static, String> = snapshots().map(str::to_owned).boxed();
    let outer: BoxStream<'static, String> = inner.json_chunks().boxed();
    assert_eq!(block_on(outer.collect::<String>()), SNAPSHOTS[3]);

    let inner: Box<dyn Stream<Item = &str> + Unpin> = Box::new(snapshots());
    let outer: LocalBoxStream<'_, String> = inner.json_chunks().boxed_local();
    assert_eq!(block_on(outer.collect::<String>()), SNAPSHOTS[3]);

    let mut inner = snapshots();
    assert_eq!(
        block_on((&mut inner).json_chunks().collect::<String>()),
        SNAPSHOTS[3]
    );
    assert!(inner.is_terminated());
}

#[test]
fn generic_code_needs_no_extra_bounds() {
    async fn text<S: SnapshotStreamExt>(snapshots: S) -> String {
        snapshots.json_chunks().collect().await
    }
    async fn try_text<S: TrySnapshotStreamExt>(
        snapshots: S,
    ) -> Result<String, StreamError<S::Error>> {
        snapshots.try_json_chunks().try_collect().await
    }
    struct Held<S: TryStream> {
        chunks: TryChunkerStream<S>,
    }
    assert_eq!(block_on(text(snapshots())), SNAPSHOTS[3]);
    let held = Held {
        chunks: snapshots().map(Ok::<_, ()>).try_json_chunks(),
    };
    let inner = held.chunks.into_inner();
    assert_eq!(block_on(try_text(inner)).unwrap(), SNAPSHOTS[3]);
}

#[test]
fn futures_select_observes_the_end() {
    let mut chunks = snapshots().json_chunks();
    let mut other = stream::iter([1, 2]).fuse();
    let (mut text, mut numbers) = (String::new(), 0);
    block_on(async {
        loop {
            futures::select! {
                chunk = chunks.select_next_some() => text.push_str(&chunk),
                number = other.select_next_some() => numbers += number,
                complete => break,
            }
        }
    });
    assert_eq!((text.as_str(), numbers), (SNAPSHOTS[3], 3));
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_chunk_is_cancel_safe() {
    let mut inner = StreamMockBuilder::new();
    for snapshot in SNAPSHOTS {
        inner = inner.next(snapshot).wait(Duration::from_millis(25));
    }
    let mut chunks = inner.build().json_chunks();
    let (mut text, mut given_up) = (String::new(), 0);
    loop {
        tokio::select! {
            biased;
            () = sleep(Duration::from_millis(10)) => given_up += 1,
            chunk = chunks.next() => match chunk {
                Some(chunk) => text.push_str(&chunk),
                None => break,
            },
        }
    }
    assert_eq!(text, SNAPSHOTS[3]);
    assert_eq!(given_up, 8, "two for each wait");
}

#[tokio::test(start_paused = true)]
async fn idle_inner_stream_times_out_and_continues() {
    let inner = StreamMockBuilder::new()
        .next(SNAPSHOTS[0])
        .wait(Duration::from_secs(3))
        .next(SNAPSHOTS[3])
        .build();
    let timed = tokio_stream::StreamExt::timeout(inner, Duration::from_secs(2));
    let items: Vec<_> = timed.try_json_chunks().collect().await;
    assert_eq!(items[0], Ok(CHUNKS[0].to_owned()));
    assert!(
        matches!(items[1], Err(StreamError::Upstream(_))),
        "{items:?}"
    );
    assert_eq!(
        items.into_iter().flatten().collect::<String>(),
        SNAPSHOTS[3]
    );
}

#[tokio::test(start_paused = true)]
async fn chunks_can_be_throttled() {
    let start = Instant::now();
    let slow = tokio_stream::StreamExt::throttle(snapshots().json_chunks(), Duration::from_secs(1));
    let texts: Vec<String> = slow.collect().await;
    assert_eq!(texts, CHUNKS);
    assert!(
        start.elapsed() >= Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn chunks_are_yielded_when_their_snapshot_arrives() {
    let mut inner = StreamMockBuilder::new();
    for snapshot in SNAPSHOTS {
        inner = inner.wait(Duration::from_secs(1)).next(snapshot);
    }
    let start = Instant::now();
    let chunks = inner.build().json_chunks();
    let seconds: Vec<_> = chunks.map(|_| start.elapsed().as_secs()).collect().await;
    assert_eq!(seconds, [1, 2, 3, 4, 4]);
}

#[tokio::test]
async fn adapter_moves_between_tasks() {
    let (sender, inner) = tokio::sync::mpsc::channel(1);
    let inner = tokio_stream::wrappers::ReceiverStream::new(inner);
    let mut chunks = inner.json_chunks();
    let reader = tokio::spawn(async move {
        let first = chunks.next().await;
        (first, chunks)
    });
    sender.send(SNAPSHOTS[0]).await.unwrap();
    let (first, chunks) = reader.await.unwrap();
    assert_eq!(first.as_deref(), Some(CHUNKS[0]));

    let reader = tokio::spawn(chunks.collect::<String>());
    for snapshot in &SNAPSHOTS[1..] {
        sender.send(snapshot).await.unwrap();
    }
    drop(sender);
    assert_eq!([CHUNKS[0], &reader.await.unwrap()].concat(), SNAPSHOTS[3]);
}

#[test]
fn non_send_stream_works_on_one_thread() {
    let inner = stream::iter(SNAPSHOTS.map(Rc::<str>::from));
    let mut pool = LocalPool::new();
    let (sender, received) = oneshot::channel();
    let task = inner
        .json_chunks()
        .collect::<String>()
        .map(|text| sender.send(text).unwrap());
    pool.spawner().spawn_local(task).unwrap();
    assert_eq!(pool.run_until(received).unwrap(), SNAPSHOTS[3]);
}

#[test]
fn non_unpin_stream_works_when_pinned() {
    async fn slow(count: usize) -> Option<(&'static str, usize)> {
        tokio::task::yield_now().await;
        Some((*SNAPSHOTS.get(count)?, count + 1))
    }
    tokio_test::block_on(async {
        let mut chunks = pin!(stream::unfold(0, slow).json_chunks());
        let first = chunks.next().await;
        assert_eq!(first.as_deref(), Some(CHUNKS[0]));
        let rest: String = chunks.collect().await;
        assert_eq!([CHUNKS[0], &rest].concat(), SNAPSHOTS[3]);
    });
}

#[test]
fn adapter_works_inside_a_stream_of_futures() {
    let mut upper = pin!(stream::unfold(
        snapshots().json_chunks(),
        |mut chunks| async {
            let chunk = chunks.next().await?;
            Some((chunk.to_uppercase(), chunks))
        }
    ));
    let text: String = block_on(upper.by_ref().collect());
    assert_eq!(text, SNAPSHOTS[3].to_uppercase());
}

#[test]
fn end_of_inner_stream_closes_the_value() {
    let endless = snapshots().chain(stream::once(pending()));
    let (stop, stopped) = oneshot::channel::<()>();
    let mut chunks = endless.take_until(stopped).json_chunks();
    let open: String = block_on(chunks.by_ref().take(4).collect());
    assert_eq!(chunks.next().now_or_never(), None);
    stop.send(()).unwrap();
    let rest: String = block_on(chunks.collect());
    assert_eq!([open, rest].concat(), SNAPSHOTS[3]);
}

#[test]
#[allow(dead_code, reason = "of the two constants of a probe one is used")]
fn adapters_have_the_auto_traits_of_the_inner_stream() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    fn unpin<T: Unpin>() {}
    /// A stream with the traits of `T`.
    struct Inner<T = ()>(T);
    impl<T> Stream for Inner<T> {
        type Item = Result<&'static str, Infallible>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(None)
        }
    }

    macro_rules! check {
        ($($adapter:ident),+) => {$(
            send::<$adapter<Inner>>();
            sync::<$adapter<Inner>>();
            unpin::<$adapter<Inner>>();
            assert!(!impls!($adapter<Inner<Rc<()>>>: Send));
            assert!(!impls!($adapter<Inner<Rc<()>>>: Sync));
            assert!(impls!($adapter<Inner<Rc<()>>>: Unpin));
            assert!(!impls!($adapter<Inner<PhantomPinned>>: Unpin));
            assert!(impls!($adapter<Inner<PhantomPinned>>: Send));
        )+};
    }

    check!(
        ChunkerStream,
        TryChunkerStream,
        TextChunkerStream,
        TryTextChunkerStream
    );
}
