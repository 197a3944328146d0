//! How much a machine takes before it says no.

use core::time::Duration;

/// Bounds on what a machine accepts, so that no input can exhaust the stack or the memory.
///
/// Whatever breaks a bound is answered with an [`Error`](crate::Error) of kind
/// [`ErrorKind::TooDeep`](crate::ErrorKind::TooDeep) or
/// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge). A [`Chunker`](crate::Chunker) stays usable,
/// a [`Parser`](crate::Parser) after a reset.
///
/// ```
/// use json_chunks::{Chunker, ErrorKind, Limits};
///
/// let mut chunker = Chunker::new().limits(Limits::default().max_depth(2));
/// let error = chunker.push(r#"{"a":[[1]]}"#).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::TooDeep, 6));
/// assert_eq!(chunker.push(r#"{"a":[1]}"#)?, r#"{"a":[1"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) depth: u32,
    pub(crate) token_bytes: u32,
    pub(crate) document_bytes: u32,
    pub(crate) duration: Option<Duration>,
}

impl Limits {
    /// Tight bounds for input of unknown origin: 64 levels, 1 MiB a token, 16 MiB a document, 30
    /// seconds a stream.
    #[must_use]
    pub const fn strict() -> Self {
        Self {
            depth: 64,
            token_bytes: 1 << 20,
            document_bytes: 16 << 20,
            duration: Some(Duration::from_secs(30)),
        }
    }

    /// For text that has passed other limits before.
    pub(crate) const fn unlimited() -> Self {
        Self {
            depth: u32::MAX,
            token_bytes: u32::MAX,
            document_bytes: u32::MAX,
            duration: None,
        }
    }

    /// The deepest nesting of objects and arrays: a scalar has depth 0, `[]` has depth 1.
    /// The default is 128.
    #[must_use]
    pub const fn max_depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// The longest single string, member name or number, in bytes of JSON text without the quotes.
    /// The default is 64 MiB.
    #[must_use]
    pub const fn max_token_bytes(mut self, bytes: u32) -> Self {
        self.token_bytes = bytes;
        self
    }

    /// The largest document, in bytes of JSON text. The default is 256 MiB; offsets are 32 bits
    /// wide, so nothing over 1 GiB is taken whatever is set here.
    #[must_use]
    pub const fn max_document_bytes(mut self, bytes: u32) -> Self {
        self.document_bytes = if bytes < 1 << 30 { bytes } else { 1 << 30 };
        self
    }

    /// How long a stream may take from its first poll to its end. By default as long as it likes.
    ///
    /// The machines have no clock: it is their stream adapters that keep to this, on tokio's clock
    /// and with the feature `tokio`. When the time is up the adapter is woken, even if its inner
    /// stream hangs, puts out what can still be put out, reports
    /// [`ErrorKind::TimedOut`](crate::ErrorKind::TimedOut), and ends. Without the feature, or polled outside of a tokio runtime, there
    /// is no clock and the limit is not checked. A runtime without a timer makes tokio panic: build
    /// it with `enable_time`.
    ///
    /// ```
    /// # #[cfg(feature = "tokio")] {
    /// use std::time::Duration;
    /// use json_chunks::{Chunker, Limits, stream::JsonStreamExt};
    /// use tokio_stream::StreamExt;
    ///
    /// let hangs = tokio_stream::once(r#"{"a":"x"}"#).chain(tokio_stream::pending());
    /// let limits = Limits::default().max_duration(Duration::from_millis(20));
    /// let chunks = hangs.json_chunks_with(Chunker::new().limits(limits));
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    /// # runtime.block_on(async {
    /// assert_eq!(chunks.collect::<String>().await, r#"{"a":"x"}"#);
    /// # }); }
    /// ```
    #[must_use]
    pub const fn max_duration(mut self, duration: Duration) -> Self {
        self.duration = Some(duration);
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            token_bytes: 64 << 20,
            document_bytes: 256 << 20,
            duration: None,
        }
    }
}
