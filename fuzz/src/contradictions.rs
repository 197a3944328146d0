//! Documents that grow, but for what is changed behind the chunker's back and what is no JSON: the
//! laws are those of any [`lines`](crate::lines).

use arbitrary::{Arbitrary, Unstructured};

use crate::lines::{self, Lines, Options};
use crate::support::breaking::{contradicted, damaged};
use crate::support::tape::Tape;
use crate::support::write::Hand;
use crate::writing::{Writing, document};

/// The snapshots of one or two documents, with contradictions in them.
#[derive(Debug)]
pub struct Contradictions(Lines);

impl Arbitrary<'_> for Contradictions {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let tape = &mut Tape::new(bytes);
        let options = Options::of(tape.byte());
        let writing = Writing::of(tape);
        let hand = Hand::any(tape);
        let first = document(tape);
        let (mut values, _) = writing.values(&first, false, tape);
        if tape.once_in(4) {
            let second = document(tape);
            values.extend(writing.values(&second, false, tape).0);
        }
        let values = contradicted(values, tape);
        let snapshots = hand.write_all(values, tape).into_iter().map(|(_, text)| {
            if tape.once_in(6) {
                damaged(&text, tape)
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

/// Holds the chunker against its laws.
pub fn check(contradictions: &Contradictions) {
    lines::check(&contradictions.0);
}
