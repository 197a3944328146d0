use futures_core::{Stream, TryStream};
use serde_core::Serialize;

use super::machines::{ByteChunker, TryValueSnapshots, ValueChunker, ValueSnapshots};
use super::{
    Adapter, ByteChunkerStream, TryAdapter, TryByteChunkerStream, TryValueChunkerStream,
    ValueChunkerStream,
};

/// Chunks of a stream of snapshots that are values or bytes.
///
/// For the structs of SDKs, for `serde_json::Value` and every other type that implements serde's
/// `Serialize`, and for `Vec<u8>` and `Bytes`. (For snapshots that are text see
/// [`json_chunks`](super::SnapshotStreamExt::json_chunks).)
pub trait ValueStreamExt: Stream {
    /// Turns values, each of which is the value so far, into text chunks.
    ///
    /// The chunks are those of [`json_chunks`](super::SnapshotStreamExt::json_chunks) for the
    /// values' JSON text; see [`Chunker::push_value`](crate::Chunker::push_value). For a chunker
    /// with other options, pass it to [`chunker`](Adapter::chunker). To serve the chunks as
    /// server-sent events, see [`sse`](super::SseStreamExt::sse).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::ValueStreamExt;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Trip {
    ///     city: Option<&'static str>,
    ///     days: Option<u8>,
    /// }
    ///
    /// let trips = stream::iter([
    ///     Trip { city: Some("Tok"), days: None },
    ///     Trip { city: Some("Tokyo"), days: Some(3) },
    /// ]);
    /// let chunks: Vec<String> = block_on(trips.json_chunks_from_values().collect());
    /// assert_eq!(chunks, [r#"{"city":"Tok"#, r#"yo","days":3"#, "}"]);
    /// ```
    fn json_chunks_from_values(self) -> ValueChunkerStream<Self>
    where
        Self: Sized,
        Self::Item: Serialize,
    {
        Adapter::new(ValueSnapshots::new(self), ValueChunker::default())
    }

    /// Like [`json_chunks_from_values`](Self::json_chunks_from_values), for a stream of results.
    /// Errors and revisions are yielded in their place, as by
    /// [`try_json_chunks`](super::TrySnapshotStreamExt::try_json_chunks).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, ValueStreamExt};
    ///
    /// let values = stream::iter([Ok(vec!["a"]), Err("timed out"), Ok(vec!["ab", "c"])]);
    /// let items: Vec<_> = block_on(values.try_json_chunks_from_values().collect());
    /// assert_eq!(items[0], Ok("[\"a".to_owned()));
    /// assert_eq!(items[1], Err(StreamError::Upstream("timed out")));
    /// assert_eq!(items[2..], [Ok("b\",\"c".to_owned()), Ok("\"]".to_owned())]);
    /// ```
    fn try_json_chunks_from_values(self) -> TryValueChunkerStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: Serialize,
    {
        TryAdapter::new(TryValueSnapshots::new(self), ValueChunker::default())
    }

    /// Turns snapshots that are JSON text as UTF-8 bytes into text chunks.
    ///
    /// Like [`json_chunks`](super::SnapshotStreamExt::json_chunks); bytes that are not UTF-8 are an
    /// unusable snapshot. For a chunker with other options, pass a [`ByteChunker`] to
    /// [`through`](super::MachineStreamExt::through).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::ValueStreamExt;
    ///
    /// let bodies = stream::iter([b"[1]".to_vec(), b"[1,2]".to_vec()]);
    /// let chunks: Vec<String> = block_on(bodies.json_chunks_from_bytes().collect());
    /// assert_eq!(chunks, ["[1", ",2", "]"]);
    /// ```
    fn json_chunks_from_bytes(self) -> ByteChunkerStream<Self>
    where
        Self: Sized,
        Self::Item: AsRef<[u8]>,
    {
        Adapter::new(self, ByteChunker::default())
    }

    /// Like [`json_chunks_from_bytes`](Self::json_chunks_from_bytes), for a stream of results.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, ValueStreamExt};
    ///
    /// let bodies = stream::iter([Ok(b"[1]".to_vec()), Ok(b"[\xff]".to_vec()), Err("reset")]);
    /// let items: Vec<_> = block_on(bodies.try_json_chunks_from_bytes().collect());
    /// assert!(matches!(&items[1], Err(StreamError::Json(error)) if error.offset() == 1));
    /// assert_eq!(items[2], Err(StreamError::Upstream("reset")));
    /// assert_eq!(items[3], Ok("]".to_owned()));
    /// ```
    fn try_json_chunks_from_bytes(self) -> TryByteChunkerStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: AsRef<[u8]>,
    {
        TryAdapter::new(self, ByteChunker::default())
    }
}

impl<S: Stream + ?Sized> ValueStreamExt for S {}
