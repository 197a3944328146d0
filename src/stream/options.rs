//! The options of a machine as methods of the adapters.

#[cfg(feature = "tokio")]
use core::time::Duration;

use futures_core::TryStream;
use serde_core::Serialize;

use super::machine::SnapshotMachine;
use super::machines::{ValueReader, View};
use super::{Adapter, TryAdapter, ValueChunker};
use crate::chunker::Chunker;
use crate::delta::{DeltaFormat, DeltaReader, PatchReader};

/// The options that both adapters have.
macro_rules! options {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?, M: SnapshotMachine> $name<S, M> {
            /// Uses only the last of several snapshots that are ready at once.
            ///
            /// For a consumer that is slower than its producer: a snapshot supersedes the one
            /// before, so matching both would take twice the time for the same text. If the last
            /// one is blank, unusable or rejected, the one before it is used. Unused snapshots are
            /// counted in [`superseded`](super::StreamReport::superseded). At most 128 snapshots
            /// are read ahead in one poll.
            ///
            /// The concatenated chunks still equal the last snapshot, but there are fewer of them,
            /// contradictions in unused snapshots are not detected, and members may be emitted in a
            /// different order, because steps between them are missing.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::stream::SnapshotStreamExt;
            ///
            /// let ready = stream::iter(["[1]", "[1,2]", "[1,2,3]"]);
            /// let mut chunks = ready.json_chunks().latest_only();
            /// assert_eq!(block_on(chunks.next()).unwrap(), "[1,2,3");
            /// assert_eq!(chunks.report().superseded(), 2);
            /// ```
            pub fn latest_only(self) -> Self {
                self.with_latest_only()
            }
        }

        impl<S $(: $bound)?, T: Serialize> $name<S, ValueChunker<T>> {
            /// Sets the chunker that the values are pushed to, with its options.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::{Chunker, MemberOrder};
            /// use json_chunks::stream::ValueStreamExt;
            /// use serde_json::json;
            ///
            /// let first = json!({"a": "x", "b": "y"});
            /// let values = stream::iter([first, json!({"a": "x", "b": "yz"})]);
            /// let in_order = Chunker::new().member_order(MemberOrder::Written);
            /// let chunks = values.json_chunks_from_values().chunker(in_order);
            /// let chunks: Vec<String> = block_on(chunks.collect());
            /// assert_eq!(chunks, [r#"{"a":"x","b":"y"#, "z", "\"}"]);
            /// ```
            pub fn chunker(self, chunker: Chunker) -> Self {
                self.with_machine(chunker.into())
            }
        }

        impl<S $(: $bound)?, V: View> $name<S, ValueReader<V>> {
            /// Sets the share of its length by which the JSON text has to grow before the next
            /// item; see [`ValueReader::after_growth`]. Complete values of the top level and the
            /// last state are yielded in any case.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::stream::FragmentStreamExt;
            ///
            /// let fragments = stream::iter(["[1", ",2", ",3", ",4", ",5", "]"]);
            /// let doubled = fragments.json_snapshots().after_growth(1.0);
            /// let texts: Vec<String> = block_on(doubled.map(|snapshot| snapshot.value).collect());
            /// assert_eq!(texts, ["[1]", "[1,2]", "[1,2,3,4]", "[1,2,3,4,5]"]);
            /// ```
            pub fn after_growth(self, ratio: f64) -> Self {
                self.with(|reader| reader.after_growth(ratio))
            }

            /// Sets the minimum time between two items; see [`ValueReader::at_most_every`].
            /// Complete values of the top level and the last state are yielded at once.
            ///
            /// ```
            /// use std::time::Duration;
            /// use json_chunks::stream::FragmentStreamExt;
            /// use tokio_stream::StreamExt;
            ///
            /// # use tokio::runtime::Builder;
            /// # let runtime = Builder::new_current_thread().enable_time().build().unwrap();
            /// # runtime.block_on(async {
            /// let fragments = tokio_stream::iter(["[1", ",2", ",3", "]"]);
            /// let snapshots = fragments.json_snapshots().at_most_every(Duration::from_secs(1));
            /// let texts: Vec<String> = snapshots.map(|snapshot| snapshot.value).collect().await;
            /// assert_eq!(texts, ["[1]", "[1,2,3]"]);
            /// # });
            /// ```
            #[cfg(feature = "tokio")]
            pub fn at_most_every(self, interval: Duration) -> Self {
                self.with(|reader| reader.at_most_every(interval))
            }

            /// Sets how incomplete values are shown. It matters for enums and numbers: the start of
            /// a variant's name is not a variant, and the first digits of a number are another
            /// number. While the policy omits the entire value, nothing is yielded.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::PartialPolicy;
            /// use json_chunks::stream::FragmentStreamExt;
            ///
            /// let lists = stream::iter(["[1, 1", "2, 3]"]).json_partials::<Vec<u8>>();
            /// let lists = lists.partial_policy(PartialPolicy::complete_only());
            /// let lists: Vec<Vec<u8>> = block_on(lists.map(|list| list.value).collect());
            /// assert_eq!(lists, [vec![1], vec![1, 12, 3]]);
            /// ```
            pub fn partial_policy(self, partials: crate::document::PartialPolicy) -> Self {
                self.with(|reader| reader.partial_policy(partials))
            }
        }

        impl<S $(: $bound)?, D: DeltaFormat> $name<S, DeltaReader<D>> {
            /// Sets how incomplete values are shown. An array or object that is the root is shown
            /// in any case.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::PartialPolicy;
            /// use json_chunks::stream::FragmentStreamExt;
            ///
            /// let deltas = stream::iter(["[1, 1", "2, 3]"]).json_deltas();
            /// let complete = deltas.partial_policy(PartialPolicy::complete_only());
            /// let lines: Vec<String> = block_on(complete.map(|batch| batch.to_json()).collect());
            /// assert_eq!(lines[0], r#"[{"path":"","value":[1]}]"#);
            /// assert_eq!(lines[1], r#"[{"path":"/1","value":12},{"path":"/2","value":3}]"#);
            /// ```
            pub fn partial_policy(self, partials: crate::document::PartialPolicy) -> Self {
                self.with(|reader| reader.partial_policy(partials))
            }
        }

        impl<S $(: $bound)?> $name<S, PatchReader> {
            /// Sets the share of its length by which an open string has to grow before it is
            /// replaced; see [`DeltaReader::string_growth`]. A complete string, and the last state
            /// of a truncated text, are yielded in any case.
            ///
            /// ```
            /// use futures::{StreamExt, executor::block_on, stream};
            /// use json_chunks::stream::FragmentStreamExt;
            ///
            /// let patches = || stream::iter(["[\"1", "2", "3", "4\"]"]).json_patches();
            /// // "1", "12", then "1234".
            /// assert_eq!(block_on(patches().count()), 3);
            /// assert_eq!(block_on(patches().string_growth(0.0).count()), 4);
            /// ```
            pub fn string_growth(self, share: f64) -> Self {
                self.with(|reader| reader.string_growth(share))
            }
        }
    };
}

options!(Adapter);
options!(TryAdapter: TryStream);
