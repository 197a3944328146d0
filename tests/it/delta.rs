//! Deltas: what each fragment changes, and documents rebuilt from that.

mod laws;
mod patch;
mod reader;
mod replay;
#[cfg(feature = "stream")]
mod stream;

use json_chunks::delta::{DeltaBatch, DeltaFormat, DeltaReader, PatchReader};
use json_chunks::{Error, Parser};

/// All batches of an input in these pieces, and its error.
fn batches<D: DeltaFormat, P: AsRef<[u8]>>(
    mut reader: DeltaReader<D>,
    fragments: impl IntoIterator<Item = P>,
) -> (Vec<DeltaBatch<D>>, Option<Error>) {
    let mut batches = Vec::new();
    for fragment in fragments {
        match reader.push(fragment) {
            Ok(more) => batches.extend(more),
            Err(error) => {
                batches.extend(reader.rest());
                assert_eq!(reader.finish().err().as_ref(), Some(&error));
                assert!(reader.rest().is_empty());
                return (batches, Some(error));
            }
        }
    }
    let finished = reader.finish().map(|more| batches.extend(more));
    batches.extend(reader.rest());
    (batches, finished.err())
}

/// The batches of a complete text, as JSON.
fn lines<D: DeltaFormat>(reader: DeltaReader<D>, fragments: &[&str]) -> Vec<String> {
    let (batches, error) = batches(reader, fragments);
    assert_eq!(error, None);
    batches.iter().map(DeltaBatch::to_json).collect()
}

fn reader() -> DeltaReader {
    DeltaReader::new(Parser::new())
}

fn patches() -> PatchReader {
    DeltaReader::json_patch(Parser::new())
}
