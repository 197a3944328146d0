//! What holds for any document.

use std::collections::BTreeMap;

use json_chunks::{Parser, Partial, Partials};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde_json::Value as Json;

use super::support::tape::Tape;
use super::support::write::{Hand, write};
use super::support::writing::{documents, tapes};
use super::support::{CASES, config};
use super::types::{Day, External, Flat, Trip, Untagged};
use super::{as_type, parsed};

/// Whether they are equal, floats but for the last bit, which `serde_json` rounds as it likes.
fn alike(ours: &Json, theirs: &Json) -> bool {
    match (ours, theirs) {
        (Json::Number(ours), Json::Number(theirs)) => {
            let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= ours.abs() * 1e-15;
            ours == theirs
                || (ours.is_f64()
                    && theirs.is_f64()
                    && close(ours.as_f64().unwrap(), theirs.as_f64().unwrap()))
        }
        (Json::Array(ours), Json::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| alike(a, b))
        }
        (Json::Object(ours), Json::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().all(|(name, value)| {
                    theirs.get(name).is_some_and(|theirs| alike(value, theirs))
                })
        }
        _ => ours == theirs,
    }
}

/// Whether `part` is what may be there of `whole`.
fn is_part(part: &Trip, whole: &Trip) -> bool {
    let days = part.days.iter().zip(&whole.days).all(|(part, whole)| {
        whole.subtitle.starts_with(&part.subtitle)
            && part.stops.len() <= whole.stops.len()
            && (part.stops.iter().zip(&whole.stops)).all(|(part, whole)| whole.starts_with(part))
    });
    whole.title.starts_with(&part.title)
        && days
        && part.days.len() <= whole.days.len()
        && part.notes.iter().all(|(name, part)| {
            let whole = whole.notes.get(name);
            whole.is_some_and(|whole| whole.starts_with(part))
        })
        && match (&part.guide, &whole.guide) {
            (None, _) => true,
            (Some(part), Some(whole)) => is_part(part, whole),
            (Some(_), None) => false,
        }
}

fn trip(tape: &mut Tape<'_>) -> Trip {
    const TEXTS: &[&str] = &["", "Day", "Tea \"XL\"", "é\n😀", "\\", "a/b~c", "\u{1}"];
    let text = |tape: &mut Tape<'_>| (*tape.one_of(TEXTS)).to_owned();
    let day = |tape: &mut Tape<'_>| Day {
        subtitle: text(tape),
        hours: tape.byte(),
        stops: (0..tape.below(4)).map(|_| text(tape)).collect(),
    };
    Trip {
        title: text(tape),
        days: (0..tape.below(4)).map(|_| day(tape)).collect(),
        rating: tape.once_in(2).then(|| f64::from(tape.byte()) / 8.0),
        budget: u64::from(tape.byte()) * 0x0101_0101_0101_0101,
        public: tape.once_in(2),
        notes: (0..tape.below(3))
            .map(|_| (text(tape), text(tape)))
            .collect(),
        guide: tape.once_in(4).then(|| Box::new(trip(tape))),
    }
}

const POLICIES: [Partial; 3] = [Partial::Shown, Partial::Omitted, Partial::Zero];

fn policy(tape: &mut Tape<'_>) -> Partials {
    Partials::default()
        .strings(*tape.one_of(&POLICIES))
        .numbers(*tape.one_of(&POLICIES))
        .literals(*tape.one_of(&POLICIES))
        .arrays(*tape.one_of(&POLICIES))
        .objects(*tape.one_of(&POLICIES))
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn any_document_is_what_serde_json_says(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let parser = parsed(&text);
        let ours = as_type::<Json>(&parser);
        match serde_json::from_str::<Json>(&text) {
            Ok(theirs) => {
                let ours = ours.unwrap();
                prop_assert!(alike(&ours, &theirs), "{ours} is not {theirs}");
            }
            Err(error) if error.to_string().starts_with("number out of range") => {
                prop_assert!(ours.unwrap_err().to_string().starts_with("number out of range"));
            }
            // Half of a surrogate pair, which the grammar allows and serde_json does not.
            Err(_) => {
                prop_assert!(text.contains("\\u") || ours.is_err());
            }
        }
    }

    #[test]
    fn no_prefix_makes_any_type_panic(document in documents(), tape in tapes(), cut in any::<u16>()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let partials = policy(&mut tape);
        let mut parser = Parser::new();
        let cut = usize::from(cut) % (text.len() + 1);
        parser.push(&text.as_bytes()[..cut]).unwrap();
        if let Some(root) = parser.root() {
            let json = root.deserialize::<Json>(partials);
            // As text it is the same, but for numbers that serde_json has no place for.
            if let Ok(json) = json {
                let shown = root.to_json(partials);
                if let Ok(shown) = serde_json::from_str::<Json>(&shown) {
                    prop_assert!(alike(&json, &shown), "{json} is not {shown}");
                }
            }
            let _ = root.deserialize::<Trip>(partials);
            let _ = root.deserialize::<Untagged>(partials);
            let _ = root.deserialize::<External>(partials);
            let _ = root.deserialize::<BTreeMap<u8, Flat>>(partials);
        }
    }
}

proptest! {
    #![proptest_config(config(CASES / 5))]

    #[test]
    fn every_prefix_of_a_typed_document_is_a_part_of_it(tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let whole = trip(&mut tape);
        let text = serde_json::to_string(&whole).unwrap();
        let mut parser = Parser::new();
        for byte in text.as_bytes() {
            parser.push(std::slice::from_ref(byte)).unwrap();
            let Some(root) = parser.root() else { continue };
            let part: Trip = root.deserialize(Partials::default()).unwrap();
            prop_assert!(is_part(&part, &whole), "{part:?} is no part of {whole:?}");
        }
        let read: Trip = as_type(&parser).unwrap();
        prop_assert_eq!(read, whole);
    }
}
