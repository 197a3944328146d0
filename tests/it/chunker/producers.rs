//! Typical producers: with the settings documented at `AbsentValues` the text equals the last
//! snapshot and there is no revision, for all steps.

use std::collections::BTreeMap;

use json_chunks::{AbsentValues, Chunker, MemberOrder};
use proptest::prelude::{TestCaseError, prop_assert_eq, proptest};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::{Json, text};
use json_chunks_testing::write::{Escapes, Style, Styles, write};
use json_chunks_testing::writing::{Producer, choice_bytes, sample_snapshots};

/// Fields that are null until they are written, and a struct with nothing but such fields.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Nullable {
    title: Option<String>,
    days: Option<Vec<NullableDay>>,
    price: Option<f64>,
    insured: Option<bool>,
    hotel: NullablePlace,
    airport: Option<NullablePlace>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct NullableDay {
    name: Option<String>,
    place: NullablePlace,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct NullablePlace {
    city: Option<String>,
    zip: Option<u32>,
}

/// Fields that have a default until they are written.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Defaulted {
    title: String,
    days: Vec<DefaultedDay>,
    price: f64,
    insured: bool,
    hotel: DefaultedPlace,
    airport: BTreeMap<String, Value>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct DefaultedDay {
    name: String,
    place: DefaultedPlace,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct DefaultedPlace {
    city: String,
    zip: u32,
}

/// Fields that are missing until they are written.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Skipped {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    days: Option<Vec<Value>>,
    // This one is an exception: null among missing members.
    price: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    insured: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hotel: Option<NullablePlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    airport: Option<Value>,
}

fn object(members: Vec<(&str, Json)>) -> Json {
    let members = members.into_iter();
    Json::Obj(members.map(|(name, value)| (text(name), value)).collect())
}

fn string(source: &mut ByteSource<'_>) -> Json {
    let texts = ["", "London", "A day by the river", "x"];
    Json::Str(text(texts[source.below(texts.len())]))
}

fn place(source: &mut ByteSource<'_>) -> Json {
    let zip = source.below(3).to_string();
    some_members(
        vec![("city", string(source)), ("zip", Json::Num(zip))],
        source,
    )
}

fn some_members(members: Vec<(&str, Json)>, source: &mut ByteSource<'_>) -> Json {
    let mut members = members;
    members.retain(|_| !source.one_in(5));
    object(members)
}

/// A trip in the order of the fields above. A member may be missing at the end as well.
fn trip(source: &mut ByteSource<'_>) -> Json {
    let days = (0..source.below(4)).map(|_| {
        let (name, place) = (string(source), place(source));
        some_members(vec![("name", name), ("place", place)], source)
    });
    let days = Json::Arr(days.collect());
    let price = Json::Num(source.below(300).to_string());
    let members = vec![
        ("title", string(source)),
        ("days", days),
        ("price", price),
        ("insured", Json::Bool(source.one_in(2))),
        ("hotel", place(source)),
        ("airport", place(source)),
    ];
    some_members(members, source)
}

fn plain(values: &[Json]) -> Vec<String> {
    let texts = values
        .iter()
        .map(|value| write(value, Style::plain(Escapes::Few)));
    texts.collect()
}

/// Each step as the producer's type serializes it.
fn typed<T: DeserializeOwned + Serialize>(values: &[Json]) -> Vec<String> {
    let texts = plain(values).into_iter().map(|text| {
        let value: T = serde_json::from_str(&text).unwrap();
        serde_json::to_string(&value).unwrap()
    });
    texts.collect()
}

#[track_caller]
fn check(mut chunker: Chunker, snapshots: &[String], in_order: bool) -> Result<(), TestCaseError> {
    let mut all = String::new();
    for snapshot in snapshots {
        chunker.push_into(snapshot, &mut all).unwrap();
    }
    chunker.finish_into(&mut all);
    let last = snapshots.last().unwrap();
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    prop_assert_eq!(read(&all), read(last), "{:#?}", snapshots);
    prop_assert_eq!(chunker.take_revisions(), []);
    if in_order {
        prop_assert_eq!(&all, last);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    /// The table in the docs of `Chunker`, row by row, with fine and with coarse steps.
    #[test]
    fn every_producer_ends_as_its_last_snapshot(bytes in choice_bytes()) {
        let mut source = ByteSource::new(&bytes);
        let trip = trip(&mut source);
        for in_order in [false, true] {
            let producer = Producer { in_order, ..Producer::default() };
            let fine = producer.steps(&trip, &mut source);
            let coarse = sample_snapshots(fine.clone(), &mut source);
            for values in [fine, coarse] {
                let shuffled = Styles::shuffling(&mut source, Escapes::Few);
                let shuffled = shuffled.write_all(values.clone(), &mut source);
                let shuffled: Vec<String> = shuffled.into_iter().map(|(_, text)| text).collect();
                check(Chunker::new(), &shuffled, false)?;

                let defaults = Chunker::new().absent_values(AbsentValues::Defaults);
                let rows = [
                    (Chunker::new(), plain(&values)),
                    (Chunker::new(), typed::<Value>(&values)),
                    (Chunker::new(), typed::<Nullable>(&values)),
                    (Chunker::new(), typed::<Skipped>(&values)),
                    (defaults, typed::<Defaulted>(&values)),
                ];
                for (index, (chunker, snapshots)) in rows.into_iter().enumerate() {
                    check(chunker.clone(), &snapshots, false)?;
                    // Sorted names are in the order of writing only by accident, so `Written` does
                    // not apply.
                    if in_order && index != 1 {
                        let chunker = chunker.member_order(MemberOrder::Written);
                        check(chunker, &snapshots, true)?;
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// A float written digit by digit: 1.0, 12.0, 12.5.
    #[test]
    fn growing_floats_end_as_the_last_snapshot(bytes in choice_bytes()) {
        let mut source = ByteSource::new(&bytes);
        let price = format!("{}.{}", source.below(3000), ["0", "5", "25", "05"][source.below(4)]);
        let trip = object(vec![
            ("title", string(&mut source)),
            ("price", Json::Num(price)),
            ("hotel", place(&mut source)),
        ]);
        let producer = Producer { growing_numbers: true, ..Producer::default() };
        let fine = producer.steps(&trip, &mut source);
        let coarse = sample_snapshots(fine.clone(), &mut source);
        let growing = Chunker::new().growing_numbers(true);
        check(Chunker::new(), &typed::<Nullable>(&fine), false)?;
        check(growing.clone(), &typed::<Nullable>(&coarse), false)?;
        let defaults = growing.absent_values(AbsentValues::Defaults);
        check(defaults, &typed::<Defaulted>(&coarse), false)?;
    }
}

/// A final null, at the end and in the middle of a document.
#[test]
fn lasting_nulls_are_emitted() {
    let snapshots = [
        r#"{"a":null}"#,
        r#"{"a":null,"b":[null]}"#,
        r#"{"a":null,"b":[null,{"c":null}]}"#,
        r#"{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":null}"#,
    ];
    check(Chunker::new(), &snapshots.map(str::to_owned), false).unwrap();
    let in_order = Chunker::new().member_order(MemberOrder::Written);
    check(in_order, &snapshots.map(str::to_owned), true).unwrap();
}

/// The documented struct, with fields filled in any order.
#[test]
fn struct_with_option_fields_needs_no_option() {
    let mut chunker = Chunker::new();
    let mut text = chunker
        .push(r#"{"title":null,"days":null,"n":null}"#)
        .unwrap();
    text += &chunker
        .push(r#"{"title":"London","days":["a"],"n":32}"#)
        .unwrap();
    text += &chunker.finish();
    assert_eq!(text, r#"{"n":32,"title":"London","days":["a"]}"#);
    assert_eq!(chunker.take_revisions(), []);
}
