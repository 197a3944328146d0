use alloc::string::String;

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::fault::LogFaults;
use super::reader::{Reader, Texts};

pin_project! {
    /// Fragments of JSON text in, snapshots of the value so far out: the stream of
    /// [`json_snapshots`](super::FragmentStreamExt::json_snapshots).
    ///
    /// Text that can't be used ends the stream, logged and [reported](Self::report); see
    /// [`FragmentStreamExt`](super::FragmentStreamExt#errors).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next snapshot, `StreamExt::next` say, loses nothing:
    /// fragments are taken in only while the stream is polled, and what came of them stays here
    /// until it is yielded.
    #[must_use = "streams do nothing unless polled"]
    pub struct SnapshotStream<S> {
        #[pin]
        driver: Driver<S, Reader<Texts>, LogFaults>,
    }
}

adapter!(SnapshotStream<S>(Reader<Texts>) -> String where S: Stream<Item: AsRef<[u8]>>);
