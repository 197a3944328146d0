//! The two directions meet: snapshots → chunks → snapshots, and fragments → snapshots → chunks, are
//! the identity on values.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::stream::{FragmentStreamExt, MachineStreamExt, SnapshotReader, SnapshotStreamExt};
use json_chunks::{Parser, Partial, PartialMode, PartialPolicy};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::{Escapes, Style, Styles, write};
use json_chunks_testing::writing::{Producer, choice_bytes, documents, sample_snapshots};
use json_chunks_testing::{CASES, config};

fn value(text: &str) -> Result<Json, TestCaseError> {
    read(text, Duplicates::Rejected).map_err(TestCaseError::fail)
}

/// Splits at random places, also inside of characters.
fn cut(text: &str, source: &mut ByteSource<'_>) -> Vec<Vec<u8>> {
    let mut rest = text.as_bytes();
    let mut fragments = Vec::new();
    while !rest.is_empty() {
        let (fragment, behind) = rest.split_at((1 + source.below(9)).min(rest.len()));
        fragments.push(fragment.to_vec());
        rest = behind;
    }
    fragments
}

proptest! {
    #![proptest_config(config(CASES / 2))]

    #[test]
    fn snapshots_round_trip(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::any(&mut source).write_all(values, &mut source);
        let texts: Vec<String> = snapshots.into_iter().map(|(_, text)| text).collect();

        let chunks = stream::iter(texts).json_chunks();
        let mut back = chunks.json_snapshots();
        let snapshots: Vec<Partial<String>> = block_on(back.by_ref().collect());
        prop_assert_eq!(value(&snapshots.last().unwrap().value)?, document);
        prop_assert!(back.report().is_clean());
        prop_assert!(back.get_ref().report().is_clean());
        for snapshot in &snapshots {
            value(&snapshot.value)?;
        }
    }

    #[test]
    fn texts_round_trip(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let style = Style { spaces: source.byte(), ..Style::plain(Escapes::Mixed(source.byte())) };
        let fragments = cut(&write(&document, style), &mut source);

        // A number is emitted when it is complete, because a part of it is another number.
        let partials = PartialPolicy::default().numbers(PartialMode::Omit);
        let snapshots = stream::iter(fragments).through(SnapshotReader::new(Parser::new()).partial_policy(partials));
        let mut back = snapshots.json_chunks();
        let text: String = block_on(back.by_ref().collect());
        prop_assert_eq!(value(&text)?, document);
        prop_assert!(back.report().is_clean(), "{:?}", back.report());
    }
}
