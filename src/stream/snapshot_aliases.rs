//! The adapters over snapshots by their uses: what each yields, its errors and its cost.

use futures_core::{Stream, TryStream};

use super::{Adapter, ByteChunker, TryAdapter, TryValueSnapshots, ValueChunker, ValueSnapshots};
use crate::chunker::{Chunker, TextChunker};

/// The JSON text chunks of a stream of snapshots, see
/// [`json_chunks`](super::SnapshotStreamExt::json_chunks). Yields [`String`].
///
/// The concatenated chunks are one valid JSON text, equal to the last snapshot. A snapshot that
/// is unusable is skipped and the next one supersedes it; one that contradicts what was emitted
/// is treated by the policy of the [`Chunker`]. Both are logged and [counted](Adapter::report).
///
/// Option: [`latest_only`](Adapter::latest_only).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next chunk, `StreamExt::next` say, loses nothing:
/// snapshots are read only while the stream is polled, and their chunks stay here until they
/// are yielded. Dropping the stream itself leaves the text without its end. To stop
/// early and still have valid JSON, end the *inner* stream:
///
/// ```
/// use futures::{StreamExt, channel::oneshot, executor::block_on, stream};
/// use json_chunks::stream::SnapshotStreamExt;
///
/// let (stop, stopped) = oneshot::channel::<()>();
/// let snapshots = stream::iter([r#"{"text":"It was"}"#]).chain(stream::pending());
/// let mut chunks = snapshots.take_until(stopped).json_chunks();
/// assert_eq!(block_on(chunks.next()).unwrap(), r#"{"text":"It was"#);
/// stop.send(()).unwrap();
/// assert_eq!(block_on(chunks.next()).unwrap(), r#""}"#);
/// ```
pub type ChunkerStream<S> = Adapter<S, Chunker>;

/// The JSON text chunks of a stream of snapshots, or errors, see
/// [`try_json_chunks`](super::TrySnapshotStreamExt::try_json_chunks).
///
/// ```
/// use futures::{Stream, StreamExt, executor::block_on, stream};
/// use json_chunks::stream::{TryChunkerStream, TrySnapshotStreamExt};
///
/// // The alias names the stream where a type has to be written.
/// fn chunks<S: Stream<Item = Result<String, std::io::Error>>>(body: S) -> TryChunkerStream<S> {
///     body.try_json_chunks()
/// }
///
/// let body = stream::iter([Ok("[1]".to_owned()), Ok("[1,2]".to_owned())]);
/// let text: String = block_on(chunks(body).map(|chunk| chunk.unwrap()).collect());
/// assert_eq!(text, "[1,2]");
/// ```
///
/// # Errors
///
/// None of them ends the stream, and the concatenated chunks are valid JSON.
///
/// - [`StreamError::Upstream`](super::StreamError::Upstream) as the inner stream yields it.
/// - [`StreamError::Json`](super::StreamError::Json) in place of a snapshot that is unusable or was
///   rejected.
/// - [`StreamError::Revision`](super::StreamError::Revision) for each contradiction in a snapshot,
///   after that snapshot's chunk.
///
/// # Cancel safety
///
/// As that of [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type TryChunkerStream<S> = TryAdapter<S, Chunker>;

/// The JSON text chunks of a stream of values, see
/// [`json_chunks_from_values`](super::ValueStreamExt::json_chunks_from_values). Yields [`String`].
///
/// Options: [`chunker`](Adapter::chunker), [`latest_only`](Adapter::latest_only).
///
/// # Cancel safety
///
/// As that of [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type ValueChunkerStream<S> = Adapter<ValueSnapshots<S>, ValueChunker<<S as Stream>::Item>>;

/// The JSON text chunks of a stream of values, or errors, see
/// [`try_json_chunks_from_values`](super::ValueStreamExt::try_json_chunks_from_values).
///
/// # Errors
///
/// Those of [`TryChunkerStream`](TryChunkerStream#errors). A value that can't be serialized is a
/// snapshot that is unusable.
///
/// # Cancel safety
///
/// As that of [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type TryValueChunkerStream<S> =
    TryAdapter<TryValueSnapshots<S>, ValueChunker<<S as TryStream>::Ok>>;

/// The JSON text chunks of a stream of snapshots as bytes, see
/// [`json_chunks_from_bytes`](super::ValueStreamExt::json_chunks_from_bytes). Yields [`String`].
///
/// Option: [`latest_only`](Adapter::latest_only).
///
/// # Cancel safety
///
/// As that of [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type ByteChunkerStream<S> = Adapter<S, ByteChunker>;

/// The JSON text chunks of a stream of snapshots as bytes, or errors, see
/// [`try_json_chunks_from_bytes`](super::ValueStreamExt::try_json_chunks_from_bytes).
///
/// # Errors
///
/// Those of [`TryChunkerStream`](TryChunkerStream#errors). Bytes that are not UTF-8 are a snapshot
/// that is unusable.
///
/// # Cancel safety
///
/// As that of [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type TryByteChunkerStream<S> = TryAdapter<S, ByteChunker>;

/// The text that each snapshot of plain text adds, see
/// [`text_chunks`](super::SnapshotStreamExt::text_chunks). Yields [`String`].
///
/// A snapshot that is rejected is skipped and the next one supersedes it; one that contradicts
/// what was emitted is treated by the policy of the [`TextChunker`]. Both are logged and
/// [counted](Adapter::report).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::{RevisionPolicy, TextChunker};
/// use json_chunks::stream::MachineStreamExt;
///
/// let restarts = TextChunker::new().revision_policy(RevisionPolicy::Restate);
/// let chunks = stream::iter(["null", "Here", "Here is"]).through(restarts);
/// assert_eq!(block_on(chunks.collect::<Vec<_>>()), ["null", "Here", " is"]);
/// ```
///
/// # Cancel safety
///
/// Dropping a future that waits for the next chunk loses nothing; see
/// [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type TextChunkerStream<S> = Adapter<S, TextChunker>;

/// The text that each snapshot of plain text adds, or errors, see
/// [`try_text_chunks`](super::TrySnapshotStreamExt::try_text_chunks), which has an example.
///
/// # Errors
///
/// None of them ends the stream.
///
/// - [`StreamError::Upstream`](super::StreamError::Upstream) as the inner stream yields it.
/// - [`StreamError::Json`](super::StreamError::Json) in place of a snapshot that was rejected.
/// - [`StreamError::Revision`](super::StreamError::Revision) for a snapshot that does not start
///   with the emitted text.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`ChunkerStream`](ChunkerStream#cancel-safety).
pub type TryTextChunkerStream<S> = TryAdapter<S, TextChunker>;
