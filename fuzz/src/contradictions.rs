//! Growing documents with contradictions and invalid snapshots. The laws are those of
//! [`lines`](crate::lines).

use arbitrary::{Arbitrary, Unstructured};

use crate::lines::{self, Lines, Options};
use crate::writing::{Writing, document};
use json_chunks_testing::breaking::{contradicted, damaged};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::Styles;

/// The snapshots of one or two documents, with contradictions in them.
#[derive(Debug)]
pub struct Contradictions(Lines);

impl Arbitrary<'_> for Contradictions {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let source = &mut ByteSource::new(bytes);
        let options = Options::of(&[source.byte(), source.byte()]);
        let writing = Writing::of(source);
        let styles = Styles::any(source);
        let first = document(source);
        let (mut values, _) = writing.values(&first, false, source);
        if source.one_in(4) {
            let second = document(source);
            values.extend(writing.values(&second, false, source).0);
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
