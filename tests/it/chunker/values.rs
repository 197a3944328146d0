//! Values as snapshots: the same as the push of the text that `serde_json` writes of them.

use std::collections::BTreeMap;
use std::fmt;

use json_chunks::{AbsentValues, Chunker, ErrorKind, Limits, MemberOrder, RevisionPolicy};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::Json;
use json_chunks_testing::writing::{
    Fill, Producer, documents, many_choice_bytes, sample_snapshots, thin_out,
};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde::ser::{Error as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

/// The text of a value in the default policy, by way of both.
fn assert_same_text<T: Serialize + ?Sized>(value: &T) -> String {
    let mut chunker = Chunker::new()
        .absent_values(AbsentValues::Nothing)
        .member_order(MemberOrder::Written);
    let mut text = chunker.push_value(value).unwrap();
    text += &chunker.finish();
    assert_eq!(text, serde_json::to_string(value).unwrap());
    text
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(Option<i8>);

#[derive(Serialize)]
struct Pair(u8, f32);

#[derive(Clone, Copy, Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Variant {
    First,
    Second,
}

#[derive(Serialize)]
enum External {
    Unit,
    Newtype(Vec<u8>),
    Tuple(u8, &'static str),
    Struct { a: u8, b: Option<bool> },
}

#[derive(Serialize)]
#[serde(tag = "type", content = "content")]
enum Adjacent {
    Unit,
    Struct { a: u8 },
}

#[derive(Serialize)]
#[serde(tag = "type")]
enum Internal {
    Struct { a: u8 },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
}

#[derive(Serialize)]
struct Flat {
    own: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// As `serde_json::value::RawValue`, which is after a feature.
struct Raw(&'static str, &'static str);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(self.0, 1)?;
        raw.serialize_field(self.0, self.1)?;
        raw.end()
    }
}

struct Shown(&'static str);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("<{}|{}>", self.0, 1))
    }
}

struct Bytes(&'static [u8]);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Can't be formatted.
struct Unformattable;

impl fmt::Display for Unformattable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the start")?;
        Err(fmt::Error)
    }
}

/// Formatted as a value, as a name, as raw text, and as the message of an error.
enum Formatted {
    Value,
    Name,
    Raw,
    Message,
}

impl Serialize for Formatted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Shown;
        impl Serialize for Shown {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&Unformattable)
            }
        }
        match self {
            Self::Value => Shown.serialize(serializer),
            Self::Name => serializer.collect_map([(Shown, 1)]),
            Self::Raw => {
                let name = "$serde_json::private::RawValue";
                let mut raw = serializer.serialize_struct(name, 1)?;
                raw.serialize_field(name, &Shown)?;
                raw.end()
            }
            Self::Message => Err(S::Error::custom(Unformattable)),
        }
    }
}

struct Fails;

impl Serialize for Fails {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("the lock is poisoned"))
    }
}

fn map<K: Ord, V>(members: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    members.into_iter().collect()
}

#[test]
fn every_shape_of_serde_has_the_text_of_serde_json() {
    assert_same_text(&(Unit, (), Newtype(None), Newtype(Some(-3)), Pair(1, 0.1)));
    assert_same_text(&(
        External::Unit,
        External::Newtype(vec![1, 2]),
        External::Tuple(1, "x"),
        External::Struct { a: 1, b: None },
    ));
    assert_same_text(&(Adjacent::Unit, Adjacent::Struct { a: 1 }));
    assert_same_text(&(Internal::Struct { a: 1 }, Untagged::Number(1)));
    assert_same_text(&Untagged::Text("x".to_owned()));
    assert_same_text(&Flat {
        own: 1,
        skipped: None,
        rest: map([("a".to_owned(), 2), ("b".to_owned(), 3)]),
    });
    assert_same_text(&(Bytes(b""), Bytes(b"\x00\xff"), 'é', "\u{7f}", [0; 0]));
    assert_same_text(&(Shown(""), Shown("a\"b\\c\n\u{1}é")));
    assert_same_text(&(true, false, None::<u8>, Some(Some("x"))));
    assert_same_text(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN, 0));
    assert_same_text(&(u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX));
    let controls: String = (0..=0x20_u8).map(char::from).collect();
    assert_same_text(&(&*controls, "\"", "\\", "/", "a\\\"b", "😀\u{2028}"));
    assert_same_text(&map([(&*controls, 1), ("\"", 2), ("", 3)]));
    assert_same_text(&serde_json::json!({"a": [1, 2.5, null, {"b": "x"}], "c": -1}));
}

struct Floats;
impl Serialize for Floats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(0.5_f64, 1), (1e300, 2), (-3.0, 3)])
    }
}

#[test]
fn map_keys_are_names_as_serde_json_writes_them() {
    assert_same_text(&map([(1_u8, "a"), (20, "b")]));
    assert_same_text(&map([(i64::MIN, 1), (0, 2)]));
    assert_same_text(&map([(u128::MAX, 1)]));
    assert_same_text(&map([(i128::MIN, 1)]));
    assert_same_text(&map([(true, map([('x', 1)])), (false, map([('"', 2)]))]));
    assert_same_text(&map([(Variant::First, 1), (Variant::Second, 2)]));
    assert_same_text(&map([(Some("some"), 1)]));
    assert_same_text(&Floats);
}

#[test]
fn float_that_is_no_number_is_null() {
    assert_eq!(
        assert_same_text(&[f64::NAN, f64::INFINITY, 1.0]),
        "[null,null,1.0]"
    );
    assert_eq!(
        assert_same_text(&[f32::NAN, f32::NEG_INFINITY]),
        "[null,null]"
    );
}

#[test]
fn raw_text_is_written_as_it_is() {
    for name in [
        "$serde_json::private::RawValue",
        "$serde_json::private::Number",
    ] {
        let mut chunker = Chunker::new();
        let value = map([("n", Raw(name, "1.10")), ("m", Raw(name, "17"))]);
        assert_eq!(chunker.push_value(&value).unwrap(), r#"{"m":17,"n":1.10"#);
        let error = Chunker::new().push_value(&[Raw(name, "[1,")]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, 4));
    }
}

#[test]
fn value_that_can_not_be_serialized_changes_nothing() {
    let mut chunker = Chunker::new();
    assert_eq!(chunker.push_value(&("a", 1)).unwrap(), r#"["a",1"#);
    let error = chunker.push_value(&("a", 12, Fails)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unserializable);
    assert_eq!(
        error.to_string(),
        "value can't be serialized at byte 8: the lock is poisoned"
    );
    let error = chunker.push_value(&("a", map([([1, 2], 1)]))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unserializable);
    assert_eq!(
        error.to_string(),
        "map key is not a string, number or boolean at byte 6"
    );
    for value in [
        serde_json::to_string(&map([((), 1)])).is_err(),
        Chunker::new().push_value(&map([((), 1)])).is_err(),
        Chunker::new().push_value(&map([(None::<u8>, 1)])).is_err(),
        Chunker::new().push_value(&map([(vec![1], 1)])).is_err(),
        Chunker::new()
            .push_value(&map([(map([(1, 1)]), 1)]))
            .is_err(),
    ] {
        assert!(value);
    }
    assert_eq!(chunker.push_value(&("a", 12)).unwrap(), "2");
    assert_eq!(chunker.finish(), "]");
}

#[test]
fn value_that_can_not_be_formatted_changes_nothing() {
    let display = "a `Display` implementation returned an error";
    for (value, message) in [
        (Formatted::Value, display),
        (Formatted::Name, display),
        (Formatted::Raw, display),
        (Formatted::Message, "the start"),
    ] {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push_value(&("a", "b")).unwrap(), r#"["a","b"#);
        let error = chunker.push_value(&("a", value)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unserializable);
        assert!(error.to_string().ends_with(message), "{error}");
        assert_eq!(chunker.push_value(&("a", "bc")).unwrap(), "c");
    }
}

/// A value of this depth.
struct Deep(u32);

impl Serialize for Deep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_unit(),
            1 => serializer.serialize_newtype_variant("Deep", 0, "v", &()),
            depth => serializer.collect_seq([Self(depth - 1)]),
        }
    }
}

struct Endless;
impl Serialize for Endless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(std::iter::repeat("again"))
    }
}

#[test]
fn limits_are_those_of_the_text() {
    let limits = Limits::default();
    for (limits, value) in [
        (limits.max_depth(4), Deep(4)),
        (limits.max_depth(4), Deep(5)),
        (limits.max_depth(4), Deep(6)),
    ] {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(
            Chunker::new().limits(limits).push_value(&value),
            Chunker::new().limits(limits).push(&text)
        );
    }
    for bytes in 0..40 {
        let value = ("a string", ["another", "x"], map([("name", 1)]));
        let text = serde_json::to_string(&value).unwrap();
        for limits in [
            limits.max_document_bytes(bytes),
            limits.max_token_bytes(bytes),
        ] {
            assert_eq!(
                Chunker::new().limits(limits).push_value(&value),
                Chunker::new().limits(limits).push(&text),
                "{limits:?}"
            );
        }
    }
    // An endless value is not written to its end.
    let error = Chunker::new().push_value(&Deep(1_000_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
    let limits = limits.max_document_bytes(1000);
    let error = Chunker::new()
        .limits(limits)
        .push_value(&Endless)
        .unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TooLarge, 1000));
}

#[test]
fn error_after_string_that_looks_like_two_has_the_offset_in_the_text() {
    let name = "a\",\"b";
    let error = Chunker::new().push_value(&(name, Fails)).unwrap_err();
    assert_eq!(error.offset(), 11);
    let mut chunker = Chunker::new();
    assert_eq!(chunker.push_value(&["a", "b"]).unwrap(), r#"["a","b"#);
    assert_eq!(chunker.push_value(&(name, Fails)).unwrap_err(), error);
    let limits = Limits::default().max_document_bytes(10);
    let mut chunker = Chunker::new().limits(limits);
    assert_eq!(chunker.push_value(&["a", "b"]).unwrap(), r#"["a","b"#);
    let error = chunker.push_value(&[name]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TooLarge, 10));
    assert_eq!(chunker.push_value(&["a", "bc"]).unwrap(), "c");
}

/// Pushes values to one chunker and their texts to another one.
fn assert_same_chunks(values: &[serde_json::Value]) {
    let mut chunker = Chunker::new();
    let mut of_texts = Chunker::new();
    for value in values {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(chunker.push_value(value), of_texts.push(&text), "{text}");
        assert_eq!(chunker.take_revisions(), of_texts.take_revisions());
    }
    assert_eq!(chunker.finish(), of_texts.finish());
}

#[test]
fn value_is_compared_token_by_token() {
    use serde_json::json;

    // Each is followed by each: what is the same differs from what only starts the same.
    let values = [
        json!(null),
        json!("a"),
        json!(1),
        json!(12),
        json!(-1),
        json!(1.0),
        json!(0),
        json!(-0.0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!([]),
        json!(["a", "b"]),
        json!(["a\",\"b"]),
        json!(["a\\"]),
        json!(["a\\\\"]),
        json!(["a\n\u{1}\"é"]),
        json!(["a\n\u{1}\"éé", 1]),
        json!([1, 12, 123_456_789]),
        json!([12, 1, 123_456_788]),
        json!([[1, "x"], [[2]], {}]),
        json!([[1, "x", 3], [[], 2], {}]),
        json!({"": "", "a": {"b": [1, 2, 3]}, "c": "x"}),
        json!({"": "", "a": {"b": [1, 2, 3, 4]}, "c": "x"}),
        json!({"": "", "a": {"b": [1, 2, 3, 4], "bb": null}, "c": "xy"}),
        json!({"": "", "a": null, "c": "xy", "d": [{}]}),
        json!({"\"": "", "a": 5, "c": [true, false], "d": [{}]}),
        json!({"a\":1,\"b": 2}),
        json!({"a": 1, "b": 2}),
        json!({"a": "a string of more than 32 bytes: \", after a quote", "b": 2}),
        json!({"a": "a string of more than 32 bytes: x, after no quote", "b": 2}),
    ];
    for before in &values {
        for after in &values {
            assert_same_chunks(&[before.clone(), after.clone(), before.clone()]);
        }
    }
}

#[test]
fn value_after_text_is_compared_with_the_text() {
    let mut chunker = Chunker::new();
    let value = serde_json::json!({"a": "x", "b": [1, {"c": "y"}]});
    let text = r#" { "a":"x", "b": [1 ,{"c":"y"} ] } "#;
    assert_eq!(chunker.push(text).unwrap(), "{");
    assert_eq!(chunker.push_value(&value).unwrap(), "");
    assert_eq!(chunker.push(text).unwrap(), "");
    let value = serde_json::json!({"a": "x", "b": [1, {"c": "yz"}]});
    assert_eq!(
        chunker.push_value(&value).unwrap(),
        r#""a":"x","b":[1,{"c":"yz"#
    );
    assert!(chunker.push(r#"{"a":"x","b":[1,{"c":"yz"}"#).is_err());
    assert_eq!(chunker.push_value(&value).unwrap(), "");
    assert_eq!(chunker.finish(), "\"}]}");
    chunker.reset();
    assert_eq!(chunker.push_value(&("x",)).unwrap(), "[\"x");
}

#[test]
fn bytes_are_pushed_as_their_text() {
    let mut chunker = Chunker::new();
    assert_eq!(
        chunker
            .push_bytes(b"\xef\xbb\xbf[\"a")
            .unwrap_err()
            .offset(),
        6
    );
    assert_eq!(chunker.push_bytes(b" ").unwrap(), "");
    assert_eq!(chunker.push_bytes("[\"é\"]".as_bytes()).unwrap(), "[\"é");
    let error = chunker.push_bytes(b"[\"\xc3\xa9\xc3\"]").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, 4));
    assert_eq!(chunker.push_bytes("[\"éa\"]".as_bytes()).unwrap(), "a");
    assert_eq!(chunker.finish(), "\"]");
}

/// A document as a program would hold it.
struct Held<'a>(&'a Json);

fn held_text(text: &[u32]) -> String {
    let chars = text
        .iter()
        .map(|&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    chars.collect()
}

impl Serialize for Held<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Null => serializer.serialize_none(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Num(number) => match (number.parse::<i64>(), number.parse::<f64>()) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (Err(_), Ok(number)) => serializer.serialize_f64(number),
                (Err(_), Err(why)) => Err(S::Error::custom(why)),
            },
            Json::Str(text) => serializer.serialize_str(&held_text(text)),
            Json::Arr(elements) => serializer.collect_seq(elements.iter().map(Held)),
            Json::Obj(members) => {
                let members = members
                    .iter()
                    .map(|(name, value)| (held_text(name), Held(value)));
                serializer.collect_map(members)
            }
        }
    }
}

/// Shuffles the members of all objects.
fn shuffle(value: &mut Json, source: &mut ByteSource<'_>) {
    match value {
        Json::Obj(members) => {
            for at in 1..members.len() {
                members.swap(at, source.below(at + 1));
            }
            for (_, value) in members {
                shuffle(value, source);
            }
        }
        Json::Arr(elements) => elements.iter_mut().for_each(|value| shuffle(value, source)),
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => {}
    }
}

struct Bits(f64, f32);

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e} {:e}", self.0, self.1)
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn float_has_the_text_of_serde_json(bits in any::<u64>(), exponent in -8..18_i32, digits in any::<u32>()) {
        let scaled = f64::from(digits) * 10_f64.powi(exponent - 9);
        #[allow(clippy::cast_possible_truncation, reason = "any float will do")]
        for Bits(double, single) in [
            Bits(f64::from_bits(bits), f32::from_bits(bits as u32)),
            Bits(scaled, scaled as f32),
            Bits(-scaled.round(), -scaled.round() as f32),
            Bits(10_f64.powi(exponent), 10_f32.powi(exponent)),
        ] {
            let texts = [
                (Chunker::new().push_value(&[double, 0.0]), serde_json::to_string(&[double, 0.0])),
                (Chunker::new().push_value(&[single, 0.0]), serde_json::to_string(&[single, 0.0])),
            ];
            for (chunk, text) in texts {
                // The last number is open, so it has no final `.0`.
                let (chunk, text) = (chunk.unwrap() + ".0]", text.unwrap());
                // Of two shortest texts that are as close, either may be written: 198767.625 as a
                // single float is .62 and .63.
                let shape = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "0");
                prop_assert_eq!(shape(&chunk), shape(&text), "{:?}", Bits(double, single));
                if double.is_finite() && chunk != text {
                    let [values, others] = [&chunk, &text].map(|text| {
                        let number = text.trim_matches('[').split(',').next().unwrap();
                        (number.parse::<f64>().unwrap(), number.parse::<f32>().unwrap())
                    });
                    prop_assert!(values.1.to_bits() == others.1.to_bits(), "{} {}", chunk, text);
                    prop_assert!(text.len() < 18 || values.0.to_bits() == others.0.to_bits(), "{} {}", chunk, text);
                }
            }
        }
    }

    #[test]
    fn value_is_pushed_as_its_text(
        document in documents(),
        other in documents(),
        bytes in many_choice_bytes(),
        is_broken in any::<bool>(),
    ) {
        let mut source = ByteSource::new(&bytes);
        let fills = [Fill::Nothing, Fill::Null, Fill::NestedNull, Fill::Defaults];
        let producer = Producer {
            in_order: source.one_in(2),
            growing_numbers: source.one_in(2),
            fill: *source.choose(&fills),
        };
        let steps = producer.steps(&document, &mut source);
        let mut snapshots = sample_snapshots(steps, &mut source);
        if is_broken {
            snapshots.rotate_left(1);
            snapshots.extend(producer.steps(&other, &mut source));
        }
        let shuffles = source.one_in(2);
        let mut chunker = Chunker::new()
            .growing_numbers(producer.growing_numbers)
            .revision_policy(*source.choose(&[RevisionPolicy::Keep, RevisionPolicy::Reject, RevisionPolicy::Restate]))
            .absent_values(*source.choose(&[AbsentValues::Nothing, AbsentValues::Null, AbsentValues::Defaults]))
            .member_order(*source.choose(&[MemberOrder::Unknown, MemberOrder::Written]));
        if source.one_in(3) {
            chunker = chunker.limits(Limits::default().max_token_bytes(6).max_depth(3));
        }
        let mut of_texts = chunker.clone();
        for mut snapshot in thin_out(snapshots, 40) {
            if shuffles {
                shuffle(&mut snapshot, &mut source);
            }
            let value = Held(&snapshot);
            let text = serde_json::to_string(&value).unwrap();
            if source.one_in(8) {
                // With other white space than the next value.
                let spaced = serde_json::to_string_pretty(&value).unwrap();
                prop_assert_eq!(chunker.push(&spaced), of_texts.push(&spaced), "{}", spaced);
            }
            prop_assert_eq!(chunker.push_value(&value), of_texts.push(&text), "{}", text);
            prop_assert_eq!(chunker.take_revisions(), of_texts.take_revisions(), "{}", text);
            prop_assert_eq!(chunker.held_count(), of_texts.held_count());
        }
        prop_assert_eq!(chunker.finish(), of_texts.finish());
    }
}
