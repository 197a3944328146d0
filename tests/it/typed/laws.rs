//! Laws for any document.

use std::collections::BTreeMap;

use json_chunks::{Parser, PartialMode, PartialPolicy};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde_json::Value as Json;

use super::types::{Day, External, Flat, Trip, Untagged};
use super::{as_type, parsed};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};

/// Returns whether both are equal, ignoring the last bit of floats, which `serde_json` may round
/// differently.
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

/// Returns whether `part` is a valid part of `whole`.
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

fn trip(source: &mut ByteSource<'_>) -> Trip {
    const TEXTS: &[&str] = &["", "Day", "Tea \"XL\"", "é\n😀", "\\", "a/b~c", "\u{1}"];
    let text = |source: &mut ByteSource<'_>| (*source.choose(TEXTS)).to_owned();
    let day = |source: &mut ByteSource<'_>| Day {
        subtitle: text(source),
        hours: source.byte(),
        stops: (0..source.below(4)).map(|_| text(source)).collect(),
    };
    Trip {
        title: text(source),
        days: (0..source.below(4)).map(|_| day(source)).collect(),
        rating: source.one_in(2).then(|| f64::from(source.byte()) / 8.0),
        budget: u64::from(source.byte()) * 0x0101_0101_0101_0101,
        public: source.one_in(2),
        notes: (0..source.below(3))
            .map(|_| (text(source), text(source)))
            .collect(),
        guide: source.one_in(4).then(|| Box::new(trip(source))),
    }
}

const POLICIES: [PartialMode; 3] = [PartialMode::Keep, PartialMode::Omit, PartialMode::Zero];

fn policy(source: &mut ByteSource<'_>) -> PartialPolicy {
    PartialPolicy::default()
        .strings(*source.choose(&POLICIES))
        .numbers(*source.choose(&POLICIES))
        .literals(*source.choose(&POLICIES))
        .arrays(*source.choose(&POLICIES))
        .objects(*source.choose(&POLICIES))
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn any_document_deserializes_like_by_serde_json(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
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
            // Half of a surrogate pair, which the grammar allows and `serde_json` rejects.
            Err(_) => {
                prop_assert!(text.contains("\\u") || ours.is_err());
            }
        }
    }

    #[test]
    fn no_prefix_panics_for_any_type(document in documents(), source in choice_bytes(), cut in any::<u16>()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let partials = policy(&mut source);
        let mut parser = Parser::new();
        let cut = usize::from(cut) % (text.len() + 1);
        parser.push(&text.as_bytes()[..cut]).unwrap();
        if let Some(root) = parser.root() {
            let json = root.deserialize::<Json>(partials);
            // The text is the same, except for numbers that `serde_json` cannot represent.
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
    fn every_prefix_deserializes_to_a_part_of_the_document(source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let whole = trip(&mut source);
        let text = serde_json::to_string(&whole).unwrap();
        let mut parser = Parser::new();
        for byte in text.as_bytes() {
            parser.push(std::slice::from_ref(byte)).unwrap();
            let Some(root) = parser.root() else { continue };
            let part: Trip = root.deserialize(PartialPolicy::default()).unwrap();
            prop_assert!(is_part(&part, &whole), "{part:?} is no part of {whole:?}");
        }
        let read: Trip = as_type(&parser).unwrap();
        prop_assert_eq!(read, whole);
    }
}
