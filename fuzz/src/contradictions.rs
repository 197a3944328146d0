//! Growing documents with contradictions and invalid snapshots. The laws are those of
//! [`lines`](crate::lines).

use arbitrary::{Arbitrary, Unstructured};

use crate::lines::{self, Lines, Options};
use crate::writing::{document, producer};
use json_chunks_testing::breaking::{contradicted, damaged};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::Styles;
use json_chunks_testing::writing::{sample_snapshots, thin_out};

/// The snapshots of one or two documents, with contradictions in them.
#[derive(Debug)]
pub struct Contradictions(Lines);

impl Arbitrary<'_> for Contradictions {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let source = &mut ByteSource::new(bytes);
        let options = Options::of(&[source.byte(), source.byte()]);
        let producer = producer(source);
        let styles = Styles::any(source);
        let mut values = Vec::new();
        for _ in 0..=usize::from(source.one_in(4)) {
            let steps = producer.steps(&document(source), source);
            values.extend(thin_out(sample_snapshots(steps, source), 60));
        }
        let values = contradicted(values, source);
        let snapshots = styles
            .write_all(values, source)
            .into_iter()
            .map(|(_, text)| {
                if source.one_in(6) {
                    damaged(&text, source)
                } else {
                    text
                }
            });
        Ok(Self(Lines {
            options,
            snapshots: snapshots.collect(),
        }))
    }
}

/// Checks the laws of the chunker.
pub fn check(contradictions: &Contradictions) {
    lines::check(&contradictions.0);
}
