//! Many texts as many types, compared with `serde_json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::num::NonZeroU128;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use super::types::{
    Adjacent, All, Bytes, Closed, External, Flat, Internal, Newtype, Pair, Strict, Unit, Untagged,
};
use super::{as_type, parsed};

/// Texts from which at least one of the types can be read.
const TEXTS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "0.0",
    "7",
    "-7",
    "7.0",
    "7e0",
    "255",
    "256",
    "-128",
    "-129",
    "1.10",
    "-1E-7",
    "1e5",
    "1e-400",
    "1e400",
    "-1e400",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105727",
    "170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105729",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    r#""""#,
    r#""A""#,
    r#""B""#,
    r#""C""#,
    r#""x""#,
    r#""xy""#,
    r#""é""#,
    r#""\u0041""#,
    r#""\ud83d\ude00""#,
    r#""a\"\\\/\b\f\n\r\tb""#,
    r#""7""#,
    r#""true""#,
    r#""null""#,
    "[]",
    "[1]",
    "[1,true]",
    "[1, true, 2]",
    "[false,null]",
    "[false,1.5]",
    "[null]",
    "[[]]",
    "[[1,true],[2,false]]",
    "[65,66]",
    "[256]",
    r#"["A","x"]"#,
    r#"["A",{"B":1}]"#,
    "{}",
    r#"{"a":1}"#,
    r#"{"a":1.5}"#,
    r#"{"a":null}"#,
    r#"{"a":"1"}"#,
    r#"{"\u0061":1}"#,
    r#"{"a":1,"b":true}"#,
    r#"{"a":1,"b":null}"#,
    r#"{"b":true}"#,
    r#"{"a":1,"a":2}"#,
    r#"{"a":1,"\u0061":"x","a":2}"#,
    r#"{"A":1,"A":null}"#,
    r#"{"a":1,"c":[1e400]}"#,
    r#"{"a":1,"c":{"d":[{}]}}"#,
    r#"{"b\"":[1,2]}"#,
    r#"{"b\u0022":[1,2]}"#,
    r#"{"A":null}"#,
    r#"{"A":1}"#,
    r#"{"A":[]}"#,
    r#"{"B":1}"#,
    r#"{"B":"1"}"#,
    r#"{"B":1,"A":null}"#,
    r#"{"C":[1,true]}"#,
    r#"{"C":[1]}"#,
    r#"{"C":[1,true,2]}"#,
    r#"{"C":{}}"#,
    r#"{"D":{"a":1}}"#,
    r#"{"D":{}}"#,
    r#"{"D":[1]}"#,
    r#"{"D":null}"#,
    r#"{"E":1}"#,
    r#"{"t":"A"}"#,
    r#"{"t":"B","a":1}"#,
    r#"{"a":1,"t":"B"}"#,
    r#"{"a":1,"t":"C"}"#,
    r#"{"t":"C","c":{"a":1}}"#,
    r#"{"c":{"a":1},"t":"C"}"#,
    r#"{"t":"B","c":1}"#,
    r#"{"t":1,"c":1}"#,
    r#"{"t":0}"#,
    r#"{"c":1}"#,
    r#"{"0":1}"#,
    r#"{"1":true,"-1":false}"#,
    r#"{"1.5":1,"1e3":2,"-0":3}"#,
    r#"{"01":1}"#,
    r#"{"1 ":1}"#,
    r#"{"+1":1}"#,
    r#"{"":1}"#,
    r#"{"256":1}"#,
    r#"{"340282366920938463463374607431768211455":1}"#,
    r#"{"1e400":1}"#,
    r#"{"true":1,"false":2}"#,
    r#"{"A":1,"B":2}"#,
];

/// Returns whether a type requests strings, for which numbers are accepted here.
#[derive(Clone, Copy, PartialEq)]
enum Asks {
    ForStrings,
    NotForStrings,
}

/// Returns the text without superseded members, because `serde_json` passes all of them to a type,
/// and a derived struct rejects the second.
fn last_wins(text: &str) -> &str {
    match text {
        r#"{"a":1,"a":2}"# | r#"{"a":1,"\u0061":"x","a":2}"# => r#"{"a":2}"#,
        r#"{"A":1,"A":null}"# => r#"{"A":null}"#,
        _ => text,
    }
}

/// Asserts that every text gives the same `T` as `serde_json`, or an error in both.
fn agree<T>(asks: Asks)
where
    T: for<'de> Deserialize<'de> + Debug + PartialEq,
{
    for text in TEXTS {
        let parser = parsed(text);
        let ours = as_type::<T>(&parser);
        let theirs = serde_json::from_str::<T>(last_wins(text));
        if asks == Asks::ForStrings && theirs.is_err() {
            continue;
        }
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs, "{text} as {}", std::any::type_name::<T>());
                // Negative zeros are equal to zero, so the text is compared as well.
                assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{text}");
            }
            (Err(_), Err(_)) => {}
            // With `float_roundtrip`, which `jsonschema` enables, `serde_json` rejects numbers that
            // are infinite without it.
            (Ok(ours), Err(_)) if format!("{ours:?}") == "inf" => {}
            _ => panic!(
                "{text} as {}: {ours:?}, not {theirs:?}",
                std::any::type_name::<T>()
            ),
        }
    }
}

macro_rules! agree {
    ($asks:ident: $($type:ty),* $(,)?) => {
        $(agree::<$type>(Asks::$asks);)*
    };
}

#[test]
fn types_are_read_as_serde_json_reads_them() {
    agree!(NotForStrings: u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
    agree!(NotForStrings: f32, f64, bool, char, (), Unit, Newtype, NonZeroU128, Bytes, All);
    agree!(NotForStrings: Option<u8>, Option<Option<bool>>, Box<i64>, Vec<u8>, Vec<Json>, [u8; 2]);
    agree!(NotForStrings: (u8,), (i64, bool), (i64, bool, u8), Pair, Vec<Pair>, Result<u8, i8>);
    agree!(NotForStrings: Strict, Closed, Flat, Option<Strict>, Json, serde_json::Number);
    agree!(NotForStrings: External, Internal, Adjacent, Untagged, Vec<External>);
    agree!(NotForStrings: BTreeMap<String, u8>, BTreeMap<String, Json>, BTreeMap<char, i64>);
    agree!(NotForStrings: BTreeMap<u8, Json>, BTreeMap<i8, Json>, BTreeMap<i64, Json>);
    agree!(NotForStrings: BTreeMap<u128, Json>, BTreeMap<i128, Json>, BTreeMap<bool, Json>);
    agree!(NotForStrings: BTreeMap<Option<u8>, Json>, BTreeMap<External, Json>, Vec<(u8, bool)>);
    agree!(NotForStrings: BTreeMap<Cow<'static, str>, Json>, IgnoredAnything);
    agree!(ForStrings: String, Option<String>, Cow<'static, str>, Vec<String>, BTreeSet<String>);
    agree!(ForStrings: BTreeMap<String, String>);
}

/// `IgnoredAny` with `PartialEq`.
#[derive(Debug, Deserialize)]
struct IgnoredAnything(IgnoredAny);

impl PartialEq for IgnoredAnything {
    fn eq(&self, other: &Self) -> bool {
        matches!((self.0, other.0), (IgnoredAny, IgnoredAny))
    }
}
