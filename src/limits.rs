//! Resource limits.

use core::time::Duration;

/// Resource limits of a machine, so that no input can exhaust the stack or the memory.
///
/// Input that exceeds a limit returns an [`Error`](crate::error::Error) of kind
/// [`TooDeep`](crate::error::ErrorKind::TooDeep) or
/// [`TooLarge`](crate::error::ErrorKind::TooLarge). After that a
/// [`Chunker`](crate::chunker::Chunker) stays usable; a [`Parser`](crate::parser::Parser) has to be
/// reset.
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
    /// Returns strict limits for input of unknown origin: 64 levels, 1 MiB per token, 16 MiB per
    /// document, 30 seconds per stream.
    #[must_use]
    pub const fn strict() -> Self {
        Self {
            depth: 64,
            token_bytes: 1 << 20,
            document_bytes: 16 << 20,
            duration: Some(Duration::from_secs(30)),
        }
    }

    /// Returns no limits, for text that has passed other limits before.
    pub(crate) const fn unlimited() -> Self {
        Self {
            depth: u32::MAX,
            token_bytes: u32::MAX,
            document_bytes: u32::MAX,
            duration: None,
        }
    }

    /// Sets the maximum nesting of objects and arrays: a scalar has depth 0, `[]` has depth 1. The
    /// default is 128.
    #[must_use]
    pub const fn max_depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// Sets the maximum length of a string, member name or number, in bytes of JSON text without
    /// the quotes. The default is 64 MiB.
    #[must_use]
    pub const fn max_token_bytes(mut self, bytes: u32) -> Self {
        self.token_bytes = bytes;
        self
    }

    /// Sets the maximum size of a document, in bytes of JSON text. The default is 256 MiB. The
    /// maximum is 1 GiB, because offsets are 32 bits wide; larger values are reduced to it.
    #[must_use]
    pub const fn max_document_bytes(mut self, bytes: u32) -> Self {
        self.document_bytes = if bytes < 1 << 30 { bytes } else { 1 << 30 };
        self
    }

    /// Sets the maximum duration of a stream, from its first poll to its end. There is none by
    /// default.
    ///
    /// The machines have no clock; the stream adapters check the limit on tokio's clock, with the
    /// feature `tokio`. At the deadline the adapter is woken, even if its inner stream hangs. It
    /// emits what can still be emitted, reports
    /// [`ErrorKind::TimedOut`](crate::error::ErrorKind::TimedOut), and ends. Without the feature,
    /// or outside of a tokio runtime, the limit is not checked. In a runtime without a timer tokio
    /// panics: build it with `enable_time`.
    ///
    /// ```
    /// # #[cfg(feature = "tokio")] {
    /// use std::time::Duration;
    /// use json_chunks::{Chunker, Limits};
    /// use json_chunks::stream::MachineStreamExt;
    /// use tokio_stream::StreamExt;
    ///
    /// let hangs = tokio_stream::once(r#"{"a":"x"}"#).chain(tokio_stream::pending());
    /// let limits = Limits::default().max_duration(Duration::from_millis(20));
    /// let chunks = hangs.through(Chunker::new().limits(limits));
    /// # use tokio::runtime::Builder;
    /// # let runtime = Builder::new_current_thread().enable_time().build().unwrap();
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
