//! What holds where the rules are kept: a document that a model writes depth first, of which now
//! and then a snapshot is taken, its members in any order, its escapes as they come.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::Chunker;

use crate::support::json::{Json, Missing};
use crate::support::read::{Duplicates, read, read_so_far, say_the_same};
use crate::support::reference::Reference;
use crate::support::tape::Tape;
use crate::support::write::{Escapes, Hand, Snapshots};
use crate::writing::{Writing, document};

/// The snapshots of a growing document, and the options that its producer needs.
#[derive(Debug)]
pub struct Growth {
    growing_numbers: bool,
    null_is_absent: bool,
    /// The same ones in all snapshots; none where they differ.
    escapes: Option<Escapes>,
    /// Whether each snapshot is at most one step behind the one before.
    every_step: bool,
    snapshots: Snapshots,
}

impl Arbitrary<'_> for Growth {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let tape = &mut Tape::new(bytes);
        let writing = Writing::of(tape);
        let escapes = *tape.one_of(&[Some(Escapes::Few), Some(Escapes::Many), None]);
        let every_step = tape.once_in(3);
        let hand = match escapes {
            Some(escapes) => Hand::shuffling(tape, escapes),
            None => Hand::any(tape),
        };
        // Options that this producer does not need must not matter.
        let growing_numbers = writing.growing_numbers || tape.once_in(3);
        let null_is_absent = writing.null_filled || tape.once_in(3);
        let document = document(tape);
        let (values, every_step) = writing.values(&document, every_step, tape);
        Ok(Self {
            growing_numbers,
            null_is_absent,
            escapes,
            every_step,
            snapshots: hand.write_all(values, tape),
        })
    }
}

/// Holds the chunker against its laws.
pub fn check(growth: &Growth) {
    let mut chunker = Chunker::new()
        .growing_numbers(growth.growing_numbers)
        .null_is_absent(growth.null_is_absent);
    let mut reference = Reference::new(growth.escapes.unwrap_or(Escapes::Few));
    reference.growing_numbers = growth.growing_numbers;
    reference.null_is_absent = growth.null_is_absent;
    let missing = if growth.every_step && !growth.null_is_absent {
        Missing::HalfCharacter
    } else {
        Missing::Anything
    };
    let (mut all, mut expected) = (String::new(), String::new());
    for (value, text) in &growth.snapshots {
        chunker
            .push_into(text, &mut all)
            .unwrap_or_else(|error| panic!("{error} in {text}"));
        expected.push_str(&reference.push(value));
        assert_is_part(&all, value, missing);
        assert_same(&all, &expected, growth);

        let mut ended = all.clone();
        chunker.clone().finish_into(&mut ended);
        assert_eq!(
            read(&ended, Duplicates::Refused).as_ref(),
            Ok(value),
            "any moment may be the last"
        );
    }
    chunker.finish_into(&mut all);
    expected.push_str(&reference.finish());
    assert_same(&all, &expected, growth);
    assert_eq!(chunker.take_revisions(), [], "revisions out of nothing");
}

/// What is out is a part of the snapshot, and no more is missing than may be.
fn assert_is_part(all: &str, value: &Json, missing: Missing) {
    if all.is_empty() {
        assert!(missing == Missing::Anything, "nothing is out of {value:?}");
        return;
    }
    let so_far = read_so_far(all, Duplicates::Refused).unwrap_or_else(|why| panic!("{why}"));
    assert!(
        so_far.is_part_of(value, missing),
        "{all} is put out of {value:?}"
    );
}

/// The naive chunker puts out the same at the same time, if perhaps in another order.
fn assert_same(all: &str, expected: &str, growth: &Growth) {
    if all == expected {
        return;
    }
    assert!(
        say_the_same(all, expected) && (growth.escapes.is_none() || all.len() == expected.len()),
        "{all} is put out instead of {expected}"
    );
}
