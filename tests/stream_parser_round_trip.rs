//! The two directions meet: snapshots → chunks → snapshots, and fragments → snapshots → chunks, are
//! the identity on values.

#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::stream::{FragmentStreamExt, JsonStreamExt};
use json_chunks::{Parser, Partial, Partials};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use support::json::Json;
use support::read::{Duplicates, read};
use support::tape::Tape;
use support::write::{Escapes, Hand, Style, write};
use support::writing::{Producer, documents, some_of, tapes};
use support::{CASES, config};

fn value(text: &str) -> Result<Json, TestCaseError> {
    read(text, Duplicates::Refused).map_err(TestCaseError::fail)
}

/// Cuts at places of the tape's choice, inside of characters too.
fn cut(text: &str, tape: &mut Tape<'_>) -> Vec<Vec<u8>> {
    let mut rest = text.as_bytes();
    let mut fragments = Vec::new();
    while !rest.is_empty() {
        let (fragment, behind) = rest.split_at((1 + tape.below(9)).min(rest.len()));
        fragments.push(fragment.to_vec());
        rest = behind;
    }
    fragments
}

proptest! {
    #![proptest_config(config(CASES / 2))]

    #[test]
    fn snapshots_come_back(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::any(&mut tape).write_all(values, &mut tape);
        let texts: Vec<String> = snapshots.into_iter().map(|(_, text)| text).collect();

        let chunks = stream::iter(texts).json_chunks();
        let mut back = chunks.json_snapshots();
        let snapshots: Vec<String> = block_on(back.by_ref().collect());
        prop_assert_eq!(value(snapshots.last().unwrap())?, document);
        prop_assert!(back.report().is_clean());
        prop_assert!(back.get_ref().report().is_clean());
        for snapshot in &snapshots {
            value(snapshot)?;
        }
    }

    #[test]
    fn texts_come_back(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let style = Style { spaces: tape.byte(), ..Style::plain(Escapes::Mixed(tape.byte())) };
        let fragments = cut(&write(&document, style), &mut tape);

        // A number is put out once it is known: half of one may be another number.
        let partials = Partials::default().numbers(Partial::Omitted);
        let snapshots = stream::iter(fragments).json_snapshots_with(Parser::new(), partials);
        let mut back = snapshots.json_chunks();
        let text: String = block_on(back.by_ref().collect());
        prop_assert_eq!(value(&text)?, document);
        prop_assert!(back.report().is_clean(), "{:?}", back.report());
    }
}
