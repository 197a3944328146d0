//! For any split of any text: the deltas so far result in the document so far.

use super::{batches, patches, reader};
use json_chunks::delta::{
    Delta, DeltaBatch, DeltaFormat, DeltaReader, DeltaReplay, PatchOperation,
};
use json_chunks::{Parser, PartialMode, PartialPolicy};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::json::Json;
use json_chunks_testing::patch::{apply_deltas, apply_patch, decoded, value};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

fn policy(source: &mut ByteSource<'_>) -> PartialPolicy {
    let modes = [
        PartialMode::Keep,
        PartialMode::Keep,
        PartialMode::Omit,
        PartialMode::Zero,
    ];
    PartialPolicy::default()
        .strings(*source.choose(&modes))
        .numbers(*source.choose(&modes))
        .literals(*source.choose(&modes))
}

/// Both appliers have the document so far after each fragment, and all of it at the end.
fn deltas_rebuild(
    text: &str,
    fragments: &[&[u8]],
    partials: PartialPolicy,
) -> Result<(), TestCaseError> {
    let mut reader = DeltaReader::new(Parser::new()).partial_policy(partials);
    let mut parser = Parser::new();
    let (mut model, mut replay) = (None, DeltaReplay::new());
    let mut completed = 0;
    for fragment in fragments.iter().map(Some).chain([None]) {
        let batches = if let Some(fragment) = fragment {
            parser.push(fragment).unwrap();
            reader.push(fragment).unwrap()
        } else {
            parser.finish().unwrap();
            reader.finish().unwrap()
        };
        prop_assert!(batches.len() <= 1);
        for batch in batches {
            prop_assert_eq!(completed, 0, "a batch after the last");
            prop_assert!(batch.is_complete || !batch.deltas.is_empty());
            completed += usize::from(batch.is_complete);
            let json = batch.to_json();
            apply_deltas(&mut model, &json).map_err(TestCaseError::fail)?;
            // As a client that reads what was sent.
            let received = Delta::list_from_json(&json).unwrap();
            prop_assert_eq!(&received, &batch.deltas);
            replay.apply(&received).unwrap();
        }
        let now = parser.root().map(|root| root.to_json(partials));
        let is_begun = parser.root().is_some_and(|root| {
            root.is_complete() || root.to_json(partials) != "null" || model.is_some()
        });
        if is_begun {
            let now = now.map(|now| value(&now));
            prop_assert_eq!(&model, &now);
            prop_assert_eq!(replay.get().map(|text| value(&text)), now);
        }
    }
    prop_assert_eq!(completed, 1);
    prop_assert_eq!(model, Some(value(text)));
    Ok(())
}

/// The patches result in the document at its end, and before in one that is part of it.
fn patches_rebuild(text: &str, fragments: &[&[u8]], growth: f64) -> Result<(), TestCaseError> {
    let mut reader = DeltaReader::json_patch(Parser::new()).string_growth(growth);
    let (mut model, mut replay) = (Json::Null, DeltaReplay::new());
    let mut step = |batches: Vec<DeltaBatch<PatchOperation>>| {
        for batch in batches {
            apply_patch(&mut model, &batch.to_json()).map_err(TestCaseError::fail)?;
            replay.apply_patch(&batch.deltas).unwrap();
            let rebuilt = value(&replay.get().unwrap());
            prop_assert_eq!(&rebuilt, &model);
        }
        Ok::<(), TestCaseError>(())
    };
    for fragment in fragments {
        step(reader.push(fragment).unwrap())?;
    }
    step(reader.finish().unwrap())?;
    prop_assert_eq!(model, value(text));
    Ok(())
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn deltas_rebuild_the_document_after_each_fragment(document in documents(), bytes in choice_bytes()) {
        let source = &mut ByteSource::new(&bytes);
        let text = write(&document, Styles::any(source).style(source));
        let partials = policy(source);
        deltas_rebuild(&text, &pieces(text.as_bytes(), source), partials)?;
        deltas_rebuild(&text, &text.as_bytes().chunks(1).collect::<Vec<_>>(), partials)?;
        prop_assert_eq!(value(&text), decoded(document));
    }

    #[test]
    fn patches_rebuild_the_document(document in documents(), bytes in choice_bytes()) {
        let source = &mut ByteSource::new(&bytes);
        let text = write(&document, Styles::any(source).style(source));
        let growth = *source.choose(&[0.0, 0.25, 1.0, 8.0]);
        patches_rebuild(&text, &pieces(text.as_bytes(), source), growth)?;
        patches_rebuild(&text, &text.as_bytes().chunks(1).collect::<Vec<_>>(), growth)?;
    }

    /// Nothing that has arrived is missing if the text is cut off, in neither form.
    #[test]
    fn text_that_is_cut_off_is_rebuilt_as_far_as_it_arrived(
        document in documents(),
        bytes in choice_bytes(),
    ) {
        let source = &mut ByteSource::new(&bytes);
        let text = write(&document, Styles::any(source).style(source));
        let text = &text.as_bytes()[..source.below(256) * text.len() / 256];
        let fragments = pieces(text, source);
        let mut parser = Parser::new();
        for fragment in &fragments {
            parser.push(fragment).unwrap();
        }
        let is_cut_off = parser.finish().is_err();
        let expected = parser.root().map(|root| value(&root.to_json(PartialPolicy::default())));
        let expected = expected.filter(|value| *value != Json::Null);

        let (deltas, error) = batches(reader(), &fragments);
        prop_assert_eq!(error.is_some(), is_cut_off);
        prop_assert!(!is_cut_off || deltas.iter().all(|batch| !batch.is_complete));
        let mut model = None;
        for batch in deltas {
            apply_deltas(&mut model, &batch.to_json()).map_err(TestCaseError::fail)?;
        }
        prop_assert_eq!(&model.filter(|value| *value != Json::Null), &expected);

        let (patches, _) = batches(patches(), &fragments);
        let mut model = Json::Null;
        for batch in patches {
            apply_patch(&mut model, &batch.to_json()).map_err(TestCaseError::fail)?;
        }
        prop_assert_eq!(model, expected.unwrap_or(Json::Null));
    }
}

/// Each split of texts with what is hard to split.
#[test]
fn every_split_of_escapes_names_and_duplicates_rebuilds_the_document() {
    for text in [
        r#"{"a":"x\ud83d\ude00y","\u0061\ud83d\ude00":"\ud83dz\ude00\ud83d","/~":{"":[-1.5e3]}}"#,
        r#"{"a":[1,{"b":"x"}],"b":true,"a":{"c":"yz"},"a":"zz","\u0061":[null,[],{}]}"#,
        r#"{"\ud800":"x","\udfff":{"\ud800":[1]},"\ud800":"yz"}"#,
        "\"\\u00e9\\n\u{1F600}\\\"\"",
        "-12.50e-7",
        " [ true , false , null , [ ] , \"\" ] ",
    ] {
        for size in 1..=text.len() {
            let fragments: Vec<_> = text.as_bytes().chunks(size).collect();
            deltas_rebuild(text, &fragments, PartialPolicy::default()).unwrap();
            deltas_rebuild(text, &fragments, PartialPolicy::complete_only()).unwrap();
            for growth in [0.0, 1.0] {
                patches_rebuild(text, &fragments, growth).unwrap();
            }
        }
    }
}

/// The bytes of all batches of a string of 64 KiB, in fragments of 20 bytes.
fn bytes_of_long_string<D: DeltaFormat>(reader: DeltaReader<D>, len: usize) -> usize {
    let text = format!("{{\"text\":\"{}\"}}", "0123456789".repeat(len / 10));
    let (batches, error) = batches(reader, text.as_bytes().chunks(20));
    assert_eq!(error, None);
    batches.iter().map(|batch| batch.to_json().len()).sum()
}

#[test]
fn deltas_and_patches_of_a_long_string_are_linear() {
    let len = 64 * 1024;
    let growing = |growth: f64| DeltaReader::json_patch(Parser::new()).string_growth(growth);
    let deltas_len = bytes_of_long_string(reader(), len);
    let patches_len = bytes_of_long_string(patches(), len);
    let bytes = [
        deltas_len,
        patches_len,
        bytes_of_long_string(growing(0.25), len),
        bytes_of_long_string(growing(0.0), len),
    ];
    // In tenths of the length of the string.
    assert_eq!(bytes.map(|bytes| bytes * 10 / len), [25, 22, 51, 16_408]);

    // Four times the text, four times the deltas.
    let longer = bytes_of_long_string(reader(), 4 * len);
    assert!(longer < 5 * deltas_len, "{deltas_len} to {longer}");
    let longer = bytes_of_long_string(patches(), 4 * len);
    assert!(longer < 5 * patches_len, "{patches_len} to {longer}");
}
