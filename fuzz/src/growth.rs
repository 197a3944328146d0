//! Laws for producers that keep the rules: a model writes a document depth first, and some steps
//! are snapshots, with members in any order and with any escapes.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::{AbsentValues, Chunker};

use crate::writing::{document, producer};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::{Json, Missing};
use json_chunks_testing::read::{Duplicates, are_equivalent, read, read_prefix};
use json_chunks_testing::reference::Reference;
use json_chunks_testing::write::{Escapes, Snapshots, Styles};
use json_chunks_testing::writing::{Fill, sample_snapshots, thin_out};

/// The snapshots of a growing document, and the options that its producer needs.
#[derive(Debug)]
pub struct Growth {
    growing_numbers: bool,
    absent_values: AbsentValues,
    /// The escapes of all snapshots, unless they vary.
    escapes: Option<Escapes>,
    /// Whether each snapshot is at most one step after the previous one.
    every_step: bool,
    snapshots: Snapshots,
}

impl Arbitrary<'_> for Growth {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let source = &mut ByteSource::new(bytes);
        let producer = producer(source);
        let escapes = *source.choose(&[Some(Escapes::Few), Some(Escapes::Many), None]);
        let every_step = source.one_in(3);
        let styles = match escapes {
            Some(escapes) => Styles::shuffling(source, escapes),
            None => Styles::any(source),
        };
        // Options that this producer does not need have to change nothing.
        let growing_numbers = producer.growing_numbers || source.one_in(3);
        let absent_values = match source.below(3) {
            0 if producer.fill == Fill::Nothing => AbsentValues::Nothing,
            1 => AbsentValues::Defaults,
            _ => AbsentValues::Null,
        };
        let document = document(source);
        let steps = producer.steps(&document, source);
        // Dozens of snapshots find as much as hundreds.
        let every_step = every_step && steps.len() < 60;
        let values = if every_step {
            steps
        } else {
            thin_out(sample_snapshots(steps, source), 60)
        };
        Ok(Self {
            growing_numbers,
            absent_values,
            escapes,
            every_step,
            snapshots: styles.write_all(values, source),
        })
    }
}

/// Checks the laws of the chunker.
pub fn check(growth: &Growth) {
    let mut chunker = Chunker::new()
        .growing_numbers(growth.growing_numbers)
        .absent_values(growth.absent_values);
    let mut reference = Reference::new(growth.escapes.unwrap_or(Escapes::Few));
    reference.growing_numbers = growth.growing_numbers;
    reference.absent_values = growth.absent_values;
    let missing = match growth.absent_values {
        AbsentValues::Nothing if growth.every_step => Missing::HalfCharacter,
        AbsentValues::Null if growth.every_step => Missing::Nulls,
        _ => Missing::Anything,
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
            read(&ended, Duplicates::Rejected).as_ref(),
            Ok(value),
            "any moment may be the last"
        );
    }
    chunker.finish_into(&mut all);
    expected.push_str(&reference.finish());
    assert_same(&all, &expected, growth);
    assert_eq!(chunker.take_revisions(), [], "revisions out of nothing");
}

/// Asserts that the emitted text is a part of the snapshot, with no more missing than allowed.
fn assert_is_part(all: &str, value: &Json, missing: Missing) {
    if all.is_empty() {
        let may_wait =
            missing == Missing::Anything || (missing == Missing::Nulls && *value == Json::Null);
        assert!(may_wait, "nothing is out of {value:?}");
        return;
    }
    let prefix = read_prefix(all, Duplicates::Rejected).unwrap_or_else(|why| panic!("{why}"));
    assert!(
        prefix.is_part_of(value, missing),
        "{all} is put out of {value:?}"
    );
}

/// Asserts that the reference emitted the same text, possibly in another order.
fn assert_same(all: &str, expected: &str, growth: &Growth) {
    if all == expected {
        return;
    }
    assert!(
        are_equivalent(all, expected) && (growth.escapes.is_none() || all.len() == expected.len()),
        "{all} is put out instead of {expected}"
    );
}
