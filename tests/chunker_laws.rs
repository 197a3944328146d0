//! What holds for every stream of a producer that keeps the rules: whatever the document, the
//! order in which a model writes it, and however few of its steps show as snapshots.
//!
//! At each moment the chunker is compared with the naive one of `support::reference`, so these
//! are also tests of when exactly each piece goes out.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::Chunker;
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use support::json::{Json, Missing};
use support::read::{Duplicates, read, read_so_far, say_the_same};
use support::reference::Reference;
use support::tape::Tape;
use support::write::{Escapes, Hand, Snapshots, Style, write};
use support::writing::{Producer, documents, fewer, large_documents, long_tapes, some_of, tapes};
use support::{CASES, config};

/// Something that turns snapshots into chunks.
trait Machine {
    fn push(&mut self, value: &Json, text: &str) -> String;
    fn finish(&mut self) -> String;
}

impl Machine for Chunker {
    fn push(&mut self, _: &Json, text: &str) -> String {
        let chunk = Self::push(self, text);
        chunk.unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    fn finish(&mut self) -> String {
        Self::finish(self)
    }
}

impl Machine for Reference {
    fn push(&mut self, value: &Json, _: &str) -> String {
        Self::push(self, value)
    }

    fn finish(&mut self) -> String {
        Self::finish(self)
    }
}

/// Pushes the snapshots and, at every moment, reads what was put out so far: it is a part of the
/// snapshot just pushed, and at the end all of the last one. Returns the chunks.
fn follow(
    machine: &mut impl Machine,
    snapshots: &[(Json, String)],
    missing: Missing,
) -> Result<Vec<String>, TestCaseError> {
    let mut all = String::new();
    let mut chunks = Vec::new();
    for (value, text) in snapshots {
        let chunk = machine.push(value, text);
        all.push_str(&chunk);
        chunks.push(chunk);
        if all.is_empty() {
            prop_assert!(missing == Missing::Anything, "nothing put out of {text}");
            continue;
        }
        let so_far = read_so_far(&all, Duplicates::Refused).map_err(TestCaseError::fail)?;
        prop_assert!(
            so_far.is_part_of(value, missing),
            "{all} is put out of {text}"
        );
    }
    let chunk = machine.finish();
    all.push_str(&chunk);
    chunks.push(chunk);
    let result = read(&all, Duplicates::Refused).map_err(TestCaseError::fail)?;
    prop_assert_eq!(&result, &snapshots.last().unwrap().0);
    Ok(chunks)
}

/// Follows both machines; they must put out the same at every moment.
fn compare(
    chunker: &mut Chunker,
    reference: &mut Reference,
    snapshots: &[(Json, String)],
    same: fn(&str, &str) -> bool,
) -> Result<(), TestCaseError> {
    let chunks = follow(chunker, snapshots, Missing::Anything)?;
    let expected = follow(reference, snapshots, Missing::Anything)?;
    prop_assert!(
        chunker.take_revisions().is_empty(),
        "a revision out of nothing"
    );
    let (mut all, mut expected_all) = (String::new(), String::new());
    for (index, (chunk, expected)) in chunks.iter().zip(&expected).enumerate() {
        all.push_str(chunk);
        expected_all.push_str(expected);
        prop_assert!(
            same(&all, &expected_all),
            "chunk {index} is {chunk:?} instead of {expected:?}, after {:#?}",
            snapshots
                .iter()
                .take(index + 1)
                .map(|(_, text)| text)
                .collect::<Vec<_>>()
        );
    }
    Ok(())
}

fn to_the_byte(all: &str, expected: &str) -> bool {
    all == expected
}

/// The members of an object may go out in another order where the rules leave it open.
fn as_much(all: &str, expected: &str) -> bool {
    all.len() == expected.len() && say_the_same(all, expected)
}

fn plain(values: Vec<Json>, escapes: Escapes) -> Snapshots {
    let style = Style::plain(escapes);
    values
        .into_iter()
        .map(|value| {
            let text = write(&value, style);
            (value, text)
        })
        .collect()
}

fn one_style(tape: &mut Tape<'_>) -> Escapes {
    *tape.one_of(&[Escapes::Few, Escapes::Few, Escapes::Many])
}

proptest! {
    #![proptest_config(config(CASES))]

    /// Members in the order of writing: the chunks are known to the byte.
    #[test]
    fn an_orderly_producer(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let escapes = one_style(&mut tape);
        let steps = Producer::default().steps(&document, &mut tape);
        let snapshots = plain(some_of(steps, &mut tape), escapes);
        let mut reference = Reference::new(escapes);
        compare(&mut Chunker::new(), &mut reference, &snapshots, to_the_byte)?;
    }

    /// Members in another order each time, at every level, and white space anywhere.
    #[test]
    fn a_shuffling_producer(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let escapes = one_style(&mut tape);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::shuffling(&mut tape, escapes).write_all(values, &mut tape);
        compare(&mut Chunker::new(), &mut Reference::new(escapes), &snapshots, as_much)?;
    }

    /// Escapes of the same text differ between snapshots, too.
    #[test]
    fn a_producer_that_escapes_at_random(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::any(&mut tape).write_all(values, &mut tape);
        compare(&mut Chunker::new(), &mut Reference::new(Escapes::Few), &snapshots, say_the_same)?;
    }

    /// Numbers that grow digit by digit wait like strings where the option says so.
    #[test]
    fn a_producer_of_growing_numbers(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let producer = Producer { growing_numbers: true, ..Producer::default() };
        let steps = producer.steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::shuffling(&mut tape, Escapes::Few).write_all(values, &mut tape);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = true;
        let mut chunker = Chunker::new().growing_numbers(true);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// Members not written yet show as null; so may members that are null in the end.
    #[test]
    fn a_producer_that_fills_with_null(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let growing_numbers = tape.once_in(2);
        let producer = Producer { growing_numbers, null_filled: true };
        let steps = producer.steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::shuffling(&mut tape, Escapes::Few).write_all(values, &mut tape);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        reference.null_is_absent = true;
        let mut chunker = Chunker::new().growing_numbers(growing_numbers).null_is_absent(true);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// The options change nothing for those who don't need them: everything arrives all the same.
    #[test]
    fn options_that_the_producer_does_not_need(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let growing_numbers = tape.once_in(2);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::shuffling(&mut tape, Escapes::Few).write_all(values, &mut tape);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        reference.null_is_absent = true;
        let mut chunker = Chunker::new().growing_numbers(growing_numbers).null_is_absent(true);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// Where every step is a snapshot of its own, nothing has to wait but half a character.
    #[test]
    fn nothing_waits_where_every_step_shows(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        // The one open number may grow even where numbers are not expected to.
        let growing_numbers = tape.once_in(2);
        let producer = Producer { growing_numbers, ..Producer::default() };
        let values = producer.steps(&document, &mut tape);
        let snapshots = Hand::any(&mut tape).write_all(values, &mut tape);
        follow(&mut Chunker::new(), &snapshots, Missing::HalfCharacter)?;
    }

    /// `finish` may come at any time: then the snapshot before was the last.
    #[test]
    fn any_moment_may_be_the_last(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = some_of(steps, &mut tape);
        let snapshots = Hand::any(&mut tape).write_all(values, &mut tape);
        let mut chunker = Chunker::new();
        let mut all = String::new();
        for (value, text) in &snapshots {
            chunker.push_into(text, &mut all).unwrap();
            let mut ended = all.clone();
            chunker.clone().finish_into(&mut ended);
            prop_assert_eq!(&read(&ended, Duplicates::Refused), &Ok(value.clone()));
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// What is long, wide or deep is treated alike.
    #[test]
    fn a_producer_of_large_documents(document in large_documents(), tape in long_tapes()) {
        let mut tape = Tape::new(&tape);
        let escapes = one_style(&mut tape);
        let hand = Hand::shuffling(&mut tape, escapes);
        let steps = Producer::default().steps(&document, &mut tape);
        let values = fewer(some_of(steps, &mut tape), 60);
        let snapshots = hand.write_all(values, &mut tape);
        compare(&mut Chunker::new(), &mut Reference::new(escapes), &snapshots, as_much)?;
    }
}

proptest! {
    #![proptest_config(config(500))]

    /// The naive chunker keeps the laws itself, or it would prove nothing.
    #[test]
    fn the_reference_keeps_the_laws(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let growing_numbers = tape.once_in(2);
        let null_is_absent = tape.once_in(2);
        let every_step = tape.once_in(2) && !null_is_absent;
        let producer = Producer { growing_numbers, null_filled: null_is_absent };
        let mut values = producer.steps(&document, &mut tape);
        let mut missing = Missing::HalfCharacter;
        if !every_step {
            values = some_of(values, &mut tape);
            missing = Missing::Anything;
        }
        let snapshots = plain(values, Escapes::Few);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        reference.null_is_absent = null_is_absent;
        follow(&mut reference, &snapshots, missing)?;
    }
}
