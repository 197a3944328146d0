use alloc::string::String;

use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::fault::YieldFaults;
use super::reader::{Reader, Texts};

pin_project! {
    /// Fragments of JSON text in, snapshots of the value so far or errors out: the stream of
    /// [`try_json_snapshots`](super::TryFragmentStreamExt::try_json_snapshots).
    ///
    /// # Errors
    ///
    /// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TrySnapshotStream<S> {
        #[pin]
        driver: Driver<S, Reader<Texts>, YieldFaults>,
    }
}

adapter!(
    TrySnapshotStream<S>(Reader<Texts>) -> Result<String, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<[u8]>>
);
