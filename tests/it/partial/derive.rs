//! `#[derive(Partial)]`: types of values that are being written.

#![deny(dead_code, reason = "fields of a form are used")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use json_chunks::partial::{FromPartial, PartialError, from_partial_str};
use json_chunks::{Parser, Partial, PartialMode, PartialPolicy};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// Four hexadecimal digits: of a UUID, half is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Id(String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() != 4 {
            return Err(D::Error::custom("not an id"));
        }
        Ok(Self(text))
    }
}

fn id(text: &str) -> Id {
    Id(text.into())
}

#[expect(clippy::unnecessary_wraps, reason = "fields of forms are optional")]
fn some(text: &str) -> Option<String> {
    Some(text.into())
}

/// What is read of a text, and whether that is complete.
fn read<T: FromPartial>(text: &str) -> Result<T, String> {
    from_partial_str::<T>(text)
        .map(|partial| partial.value)
        .map_err(|error| error.to_string())
}

const NOT_YET: &str = "the value can't be shown yet: something required is missing";

#[derive(Debug, Deserialize, Partial)]
pub(crate) struct Trip {
    /// What it is called.
    title: String,
    days: Vec<Day>,
    #[serde(rename = "ID", alias = "uuid")]
    #[partial(leaf)]
    id: Option<Id>,
    prices: BTreeMap<String, f64>,
    home: Option<Box<Day>>,
    #[serde(skip)]
    #[expect(dead_code, reason = "it is skipped")]
    cache: u32,
}

#[derive(Debug, Deserialize, Partial)]
#[serde(rename_all = "camelCase")]
struct Day {
    long_name: String,
    #[serde(default)]
    r#type: Option<Kind>,
    at: (u8, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Partial)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Day,
    DayTrip,
    #[serde(other)]
    Other,
}

const NO_DAY: PartialDay = PartialDay {
    long_name: None,
    r#type: None,
    at: None,
};

fn no_trip() -> PartialTrip {
    PartialTrip {
        title: None,
        days: None,
        id: None,
        prices: None,
        home: None,
    }
}

#[test]
fn struct_has_a_value_from_its_first_byte_on() {
    assert_eq!(read("{"), Ok(no_trip()));
    assert_eq!(read(r#"{"tit"#), Ok(no_trip()));
    let title = some("Slow");
    assert_eq!(
        read(r#"{"title":"Slow"#),
        Ok(PartialTrip { title, ..no_trip() })
    );
    assert_eq!(
        read::<PartialTrip>(r#"{"title":null,"days":n"#),
        Ok(no_trip())
    );
    let days = |days: &[PartialDay]| {
        let days = Some(days.to_vec());
        Ok(PartialTrip { days, ..no_trip() })
    };
    assert_eq!(read(r#"{"days":["#), days(&[]));
    assert_eq!(read(r#"{"days":[{"#), days(&[NO_DAY]));
    let long_name = some("A");
    let first = PartialDay {
        long_name,
        ..NO_DAY
    };
    assert_eq!(
        read(r#"{"days":[{"longName":"A"},{"type":"day"#),
        days(&[first.clone(), NO_DAY])
    );
    let day = PartialDay {
        r#type: Some(Kind::Day),
        at: Some((Some(1), None)),
        ..NO_DAY
    };
    assert_eq!(
        read(r#"{"days":[{"longName":"A"},{"type":"day","at":[1"#),
        days(&[first, day])
    );
    let home = Some(Box::new(NO_DAY));
    assert_eq!(read(r#"{"home":{"#), Ok(PartialTrip { home, ..no_trip() }));
    let prices = Some(BTreeMap::from([("a".into(), 1.0), ("b".into(), 2.0)]));
    assert_eq!(
        read(r#"{"prices":{"a":1,"b":2."#),
        Ok(PartialTrip {
            prices,
            ..no_trip()
        })
    );
}

#[test]
fn names_are_those_of_serde() {
    for name in ["ID", "uuid"] {
        let half = format!(r#"{{"{name}":"5f"#);
        assert_eq!(read(&half), Ok(no_trip()));
        let trip = PartialTrip {
            id: Some(id("5f0a")),
            ..no_trip()
        };
        assert_eq!(read(&format!("{half}0a")), Ok(trip));
    }
    assert_eq!(read(r#"{"id":"5f0a","cache":1,"other":[]}"#), Ok(no_trip()));
    assert_eq!(
        read(r#"{"long_name":"x","longName":"y"}"#),
        Ok(PartialDay {
            long_name: some("y"),
            ..NO_DAY
        })
    );
}

#[test]
fn unit_variant_is_shown_when_its_name_is_complete() {
    #[derive(Debug, Partial)]
    struct Kinds(Vec<Kind>);
    let kinds = |text: &str| read::<PartialKinds>(text).map(|PartialKinds(kinds)| kinds);
    assert_eq!(kinds(r#"["day","day_tr"#), Ok(vec![Kind::Day]));
    assert_eq!(
        kinds(r#"["day","day_trip""#),
        Ok(vec![Kind::Day, Kind::DayTrip])
    );
    assert_eq!(kinds(r#"["da","x""#), Ok(vec![Kind::Other, Kind::Other]));
    assert_eq!(kinds(r#"[{"day":null},{"day_trip""#), Ok(vec![Kind::Day]));
}

#[test]
fn complete_value_of_another_type_is_an_error() {
    for (text, message) in [
        (r#"{"title":1}"#, None),
        (
            r#"{"title":true"#,
            Some("invalid type: boolean `true`, expected a string at /title"),
        ),
        (r#"{"ID":"5f""#, Some("not an id at /ID")),
        (
            r#"{"days":[{"longName":[]}"#,
            Some("invalid type: sequence, expected a string at /days/0/longName"),
        ),
        (
            r#"{"days":{}"#,
            Some("invalid type: map, expected an array at /days"),
        ),
        (
            r#"{"days":[{"at":[1]}"#,
            Some("invalid length 1, expected more elements in array at /days/0/at"),
        ),
        (
            r#"{"days":[{"at":[1,2,3"#,
            Some("invalid length 3, expected fewer elements in array at /days/0/at"),
        ),
        ("[]", Some("invalid type: sequence, expected an object")),
    ] {
        let error = read::<PartialTrip>(text).err();
        assert_eq!(error.as_deref(), message, "{text}");
    }
    // What is incomplete may be of another type, too: it is not shown, and an error at its end.
    assert_eq!(read(r#"{"days":{"#), Ok(no_trip()));
}

#[derive(Debug, Deserialize, Partial)]
struct Payment {
    #[partial(required)]
    to: String,
    #[partial(done)]
    amount: u32,
    #[partial(done, required)]
    id: Option<Id>,
    #[partial(state)]
    note: Option<String>,
    #[partial(state, leaf)]
    other: Id,
}

#[test]
fn attributes_say_when_a_field_is_shown() {
    let not_yet = Err(NOT_YET.to_owned());
    let read = read::<PartialPayment>;
    assert_eq!(read("{"), not_yet);
    assert_eq!(read(r#"{"to":"bob""#), not_yet);
    assert_eq!(read(r#"{"to":"bob","id":"5f0a"#), not_yet);
    let payment = PartialPayment {
        to: "bob".into(),
        amount: None,
        id: Some(id("5f0a")),
        note: None,
        other: None,
    };
    let start = r#"{"to":"bob","id":"5f0a""#;
    assert_eq!(read(start), Ok(payment.clone()));
    assert_eq!(
        read(&format!(r#"{start},"amount":10"#)),
        Ok(payment.clone())
    );
    let done = PartialPayment {
        amount: Some(10),
        ..payment.clone()
    };
    assert_eq!(read(&format!(r#"{start},"amount":10,"#)), Ok(done.clone()));
    assert_eq!(read(&format!(r#"{start},"amount":10}}"#)), Ok(done));
    for (text, note) in [
        (r#""no"#, Some(Partial::incomplete("no".into()))),
        (r#""no""#, Some(Partial::complete("no".into()))),
        ("null", None),
    ] {
        let noted = PartialPayment {
            note,
            ..payment.clone()
        };
        assert_eq!(read(&format!(r#"{start},"note":{text}"#)), Ok(noted));
    }
    let half = format!(r#"{start},"other":"77"#);
    assert_eq!(read(&half), Ok(payment.clone()));
    let other = Some(Partial::complete(id("7777")));
    assert_eq!(
        read(&format!(r#"{half}77""#)),
        Ok(PartialPayment {
            other,
            ..payment.clone()
        })
    );

    let null = PartialPayment {
        id: None,
        ..payment
    };
    assert_eq!(read(r#"{"to":"bob","id":null"#), Ok(null));
    assert_eq!(read(r#"{"id":null}"#), Err("missing field `to`".into()));
    assert_eq!(
        read(r#"{"to":null"#),
        Err("invalid type: null, expected a string at /to".into())
    );
}

/// An element is not there before what it requires, and the others are not held up.
#[test]
fn element_without_required_field_is_not_shown() {
    #[derive(Partial)]
    struct Payments {
        list: Vec<Payment>,
        map: HashMap<String, Payment>,
        one: Option<Payment>,
    }
    let first = r#"{"to":"bob","id":null}"#;
    let payments = read::<PartialPayments>(&format!(r#"{{"list":[{first},{{"to":"eve","amou"#));
    assert_eq!(payments.unwrap().list.unwrap().len(), 1);
    let payments = read::<PartialPayments>(&format!(r#"{{"map":{{"a":{first},"b":{{"to":"#));
    assert_eq!(payments.unwrap().map.unwrap().len(), 1);
    let payments = read::<PartialPayments>(r#"{"one":{"to":"eve""#);
    assert_eq!(payments.unwrap().one, None);
    let payments = read::<PartialPayments>(r#"{"list":[{}"#);
    assert_eq!(payments.err().unwrap(), "missing field `to` at /list/0");
}

macro_rules! stops {
    ($($stop:ident: $(#[$tagging:meta])*,)*) => {$(
        #[derive(Debug, PartialEq, Deserialize, Partial)]
        #[serde(rename_all = "lowercase")]
        $(#[$tagging])*
        enum $stop {
            Walk {
                along: String,
                #[serde(rename = "KM")]
                #[partial(done)]
                km: f64,
            },
            #[serde(alias = "museum")]
            Sight(Sight),
            Rest,
            #[serde(skip)]
            #[expect(dead_code, reason = "it is skipped")]
            Secret,
        }
    )*};
}

#[derive(Clone, Debug, PartialEq, Deserialize, Partial)]
struct Sight {
    name: String,
}

stops! {
    External:,
    Internal: #[serde(tag = "type")],
    Adjacent: #[serde(tag = "type", content = "of")],
}

#[test]
fn external_tags_are_read() {
    use PartialExternal::{Rest, Sight, Walk};
    let not_yet = || Err(NOT_YET.to_owned());
    for (text, stop) in [
        (r#""res"#, not_yet()),
        (r#""rest""#, Ok(Rest)),
        (r#"{"rest":null}"#, Ok(Rest)),
        ("{", not_yet()),
        (r#"{"walk"#, not_yet()),
        (
            r#"{"walk":{"#,
            Ok(Walk {
                along: None,
                km: None,
            }),
        ),
        (
            r#"{"walk":{"along":"th"#,
            Ok(Walk {
                along: some("th"),
                km: None,
            }),
        ),
        (
            r#"{"walk":{"KM":1"#,
            Ok(Walk {
                along: None,
                km: None,
            }),
        ),
        (
            r#"{"walk":{"KM":1}"#,
            Ok(Walk {
                along: None,
                km: Some(1.0),
            }),
        ),
        (
            r#"{"sight":{"#,
            Ok(Sight(Some(PartialSight { name: None }))),
        ),
        (
            r#"{"museum":{"name":"x"}}"#,
            Ok(Sight(Some(PartialSight { name: some("x") }))),
        ),
        (
            r#""sight""#,
            Err("invalid type: string \"sight\", expected the variant with its content".into()),
        ),
        (
            r#"{"fly":{"#,
            Err("unknown variant `fly`, expected one of `walk`, `sight`, `rest`".into()),
        ),
        (
            r#"{"rest":null,"walk":{}}"#,
            Err(
                "invalid type: map, expected an object with one member, the name of the variant"
                    .into(),
            ),
        ),
        (
            "{}",
            Err(
                "invalid type: map, expected an object with one member, the name of the variant"
                    .into(),
            ),
        ),
        (
            "[]",
            Err("invalid type: sequence, expected an object".into()),
        ),
    ] {
        assert_eq!(read::<PartialExternal>(text), stop, "{text}");
    }
}

#[test]
fn internal_tags_are_read() {
    use PartialInternal::{Rest, Sight, Walk};
    let not_yet = || Err(NOT_YET.to_owned());
    for (text, stop) in [
        ("{", not_yet()),
        (r#"{"type":"walk"#, not_yet()),
        (
            r#"{"type":"walk""#,
            Ok(Walk {
                along: None,
                km: None,
            }),
        ),
        (r#"{"along":"the river""#, not_yet()),
        (
            r#"{"along":"the river","type":"walk","KM":2"#,
            Ok(Walk {
                along: some("the river"),
                km: None,
            }),
        ),
        (
            r#"{"along":"the river","type":"walk","KM":2}"#,
            Ok(Walk {
                along: some("the river"),
                km: Some(2.0),
            }),
        ),
        (
            r#"{"type":"sight","name":"x"#,
            Ok(Sight(PartialSight { name: some("x") })),
        ),
        (r#"{"type":"rest","name":"x"#, Ok(Rest)),
        (
            r#"{"type":1}"#,
            Err("invalid type: number, expected the name of a variant at /type".into()),
        ),
        (
            r#"{"type":"secret""#,
            Err("unknown variant `secret`, expected one of `walk`, `sight`, `rest`".into()),
        ),
        (r#"{"along":"x"}"#, Err("missing field `type`".into())),
    ] {
        assert_eq!(read::<PartialInternal>(text), stop, "{text}");
    }
}

#[test]
fn adjacent_tags_are_read() {
    use PartialAdjacent::{Rest, Sight, Walk};
    let not_yet = || Err(NOT_YET.to_owned());
    for (text, stop) in [
        (r#"{"type":"wal"#, not_yet()),
        (
            r#"{"type":"walk""#,
            Ok(Walk {
                along: None,
                km: None,
            }),
        ),
        (r#"{"of":{"along":"x"},"typ"#, not_yet()),
        (
            r#"{"of":{"along":"x"},"type":"walk""#,
            Ok(Walk {
                along: some("x"),
                km: None,
            }),
        ),
        (r#"{"type":"sight""#, Ok(Sight(None))),
        (
            r#"{"type":"sight","of":{"na"#,
            Ok(Sight(Some(PartialSight { name: None }))),
        ),
        (r#"{"type":"rest""#, Ok(Rest)),
        (r#"{"of":1}"#, Err("missing field `type`".into())),
        (
            r#"{"type":"walk","of":1}"#,
            Err("invalid type: number, expected an object at /of".into()),
        ),
    ] {
        assert_eq!(read::<PartialAdjacent>(text), stop, "{text}");
    }
}

#[test]
fn untagged_value_is_shown_while_it_can_be_of_one_variant_only() {
    #[derive(Debug, PartialEq, Deserialize, Partial)]
    #[serde(untagged)]
    enum Any {
        Flag(bool),
        Walk {
            along: String,
            km: Option<f64>,
        },
        Ride {
            along: String,
            train: Option<String>,
        },
        Sight(Sight),
        Pair(u8, u8),
        Text(String),
        Nothing,
    }
    use PartialAny::{Flag, Nothing, Pair, Ride, Text, Walk};
    let not_yet = || Err(NOT_YET.to_owned());
    for (text, any) in [
        ("t", Ok(Flag(true))),
        (r#""a"#, Ok(Text("a".into()))),
        (r#""a""#, Ok(Text("a".into()))),
        ("null", Ok(Nothing)),
        ("[1", Ok(Pair(Some(1), None))),
        ("[1,2]", Ok(Pair(Some(1), Some(2)))),
        // Three of them are objects.
        ("{", not_yet()),
        (r#"{"along":"x""#, not_yet()),
        (
            r#"{"along":"x","km":2"#,
            Ok(Walk {
                along: some("x"),
                km: Some(2.0),
            }),
        ),
        (
            r#"{"along":"x","train":"T"#,
            Ok(Ride {
                along: some("x"),
                train: some("T"),
            }),
        ),
        (
            r#"{"name":"x"#,
            Ok(PartialAny::Sight(PartialSight { name: some("x") })),
        ),
        // A name that none of them has, until serde decides.
        (r#"{"along":"x","new":1"#, not_yet()),
        (
            r#"{"along":"x","new":1}"#,
            Ok(Walk {
                along: some("x"),
                km: None,
            }),
        ),
        (
            r#"{"new":1}"#,
            Err("data did not match any variant of untagged enum Any".into()),
        ),
    ] {
        assert_eq!(read::<PartialAny>(text), any, "{text}");
    }
}

#[test]
fn flattened_fields_are_read_from_the_object_around_them() {
    #[derive(Debug, Deserialize, Partial)]
    struct Outer {
        name: String,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        stop: Option<Internal>,
        #[serde(flatten)]
        rest: BTreeMap<String, u32>,
    }
    #[derive(Debug, Deserialize, Partial)]
    struct Inner {
        #[partial(state)]
        size: u32,
        #[serde(flatten)]
        deeper: Deeper,
    }
    #[derive(Debug, Deserialize, Partial)]
    struct Deeper {
        #[serde(alias = "D")]
        depth: u32,
    }
    let outer: PartialOuter = read(r#"{"a":1,"name":"x","D":2,"b":3,"size":4"#).unwrap();
    assert_eq!(outer.name.as_deref(), Some("x"));
    let inner = outer.inner.unwrap();
    assert_eq!(inner.size, Some(Partial::incomplete(4)));
    assert_eq!(inner.deeper.unwrap().depth, Some(2));
    assert_eq!(outer.stop, None);
    let rest = [("a".to_owned(), 1), ("b".to_owned(), 3)];
    assert_eq!(outer.rest, Some(BTreeMap::from(rest)));
}

#[test]
fn flattened_enum_takes_its_variant() {
    #[derive(Debug, Deserialize, Partial)]
    struct Stop {
        day: u32,
        #[serde(flatten)]
        kind: External,
        #[serde(flatten)]
        rest: BTreeMap<String, u32>,
    }
    let stop: PartialStop = read(r#"{"n":1,"sight":{"name":"x"},"day":2"#).unwrap();
    let name = some("x");
    assert_eq!(
        stop.kind,
        Some(PartialExternal::Sight(Some(PartialSight { name })))
    );
    assert_eq!(stop.day, Some(2));
    assert_eq!(stop.rest, Some(BTreeMap::from([("n".into(), 1)])));
}

#[derive(Debug, Deserialize, Partial)]
struct Page<T> {
    items: Vec<T>,
    first: Option<T>,
    #[partial(done)]
    last: T,
}

#[derive(Partial)]
#[partial(name = "TreeSoFar", derive(Debug, Default))]
struct Tree<T: Clone, const N: usize> {
    value: T,
    fixed: [u8; N],
    children: Vec<Self>,
}

#[test]
fn generic_types_have_generic_forms() {
    let page: PartialPage<Sight> = read(r#"{"items":[{"name":"x"},{"na"#).unwrap();
    let name = some("x");
    assert_eq!(
        page.items,
        Some(vec![PartialSight { name }, PartialSight { name: None }])
    );
    assert_eq!(page.clone(), page);
    let page: PartialPage<String> = read(r#"{"last":"x","first":"y"#).unwrap();
    assert_eq!((page.last, page.first), (some("x"), some("y")));

    let tree: TreeSoFar<u8, 2> =
        read(r#"{"children":[{"value":1,"fixed":[1,2]},{"fixed":[1"#).unwrap();
    let children = tree.children.unwrap();
    assert_eq!(
        (children[0].value, children[0].fixed),
        (Some(1), Some([Some(1), Some(2)]))
    );
    assert_eq!(children[1].fixed, Some([Some(1), None]));
}

#[test]
fn tuples_newtypes_and_units_are_read() {
    #[derive(Debug, Deserialize, Partial)]
    struct Pair(String, #[partial(required)] u8, #[partial(done)] u8);
    #[derive(Debug, Deserialize, Partial)]
    #[serde(transparent)]
    struct Name {
        text: Option<String>,
    }
    #[derive(Debug, Deserialize, Partial)]
    struct Unit;
    #[derive(Debug, Deserialize, Partial)]
    struct Amount(#[partial(state)] u8);

    assert_eq!(read::<PartialPair>(r#"["a"#), Err(NOT_YET.into()));
    assert_eq!(read(r#"["a",1"#), Ok(PartialPair(some("a"), 1, None)));
    assert_eq!(read(r#"["a",1,2]"#), Ok(PartialPair(some("a"), 1, Some(2))));
    let few = "invalid length 2, expected more elements in array";
    assert_eq!(read::<PartialPair>(r#"["a",1]"#), Err(few.into()));
    assert_eq!(read(r#""Ann"#), Ok(PartialName { text: some("Ann") }));
    assert_eq!(read("nul"), Ok(PartialName { text: None }));
    assert_eq!(read("n"), Ok(PartialUnit));
    assert_eq!(read("1"), Ok(PartialAmount(Partial::incomplete(1))));
    let mut parser = Parser::new();
    parser.push("12 ").unwrap();
    let amount = PartialAmount::from_partial(parser.root().unwrap(), PartialPolicy::default());
    assert_eq!(amount, Ok(PartialAmount(Partial::complete(12))));
}

#[test]
fn functions_of_serde_are_called() {
    #[expect(clippy::unnecessary_wraps, reason = "what serde asks for")]
    fn length<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
        Ok(String::deserialize(deserializer).map_or(99, |text| text.len()))
    }
    mod upper {
        pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
            deserializer: D,
        ) -> Result<String, D::Error> {
            let text: String = serde::Deserialize::deserialize(deserializer)?;
            Ok(text.to_uppercase())
        }
    }
    #[derive(Debug, Deserialize, Partial)]
    struct Custom {
        #[serde(deserialize_with = "length")]
        length: usize,
        #[serde(with = "upper")]
        #[partial(done)]
        upper: String,
    }
    let custom: PartialCustom = read(r#"{"length":"abc","upper":"x"#).unwrap();
    assert_eq!(
        custom,
        PartialCustom {
            length: Some(3),
            upper: None
        }
    );
    let custom: PartialCustom = read(r#"{"upper":"x","length":"abc"#).unwrap();
    assert_eq!(
        custom,
        PartialCustom {
            length: Some(3),
            upper: some("X")
        }
    );
}

#[test]
fn unknown_fields_are_denied_if_serde_denies_them() {
    #[derive(Debug, Deserialize, Partial)]
    #[serde(deny_unknown_fields)]
    struct Closed {
        a: u8,
    }
    assert_eq!(read(r#"{"a":1"#), Ok(PartialClosed { a: Some(1) }));
    let error = "unknown field `b`, expected `a` at /b";
    assert_eq!(read::<PartialClosed>(r#"{"b":1"#), Err(error.into()));
}

#[test]
fn policy_says_what_is_shown() {
    let mut parser = Parser::new();
    parser
        .push(r#"{"title":"a","days":[{"longName":"b"#)
        .unwrap();
    let root = parser.root().unwrap();
    let trip = |partials| PartialTrip::from_partial(root, partials).unwrap();
    let days = trip(PartialPolicy::complete_only()).days;
    assert_eq!(days, Some(vec![NO_DAY]));
    let days = trip(PartialPolicy::default().arrays(PartialMode::Zero)).days;
    assert_eq!(days, Some(vec![]));
    let days = trip(PartialPolicy::default().arrays(PartialMode::Omit)).days;
    assert_eq!(days, None);
    let omitted =
        PartialTrip::from_partial(root, PartialPolicy::default().objects(PartialMode::Omit));
    assert_eq!(omitted.unwrap_err().to_string(), NOT_YET);
}

#[test]
fn sets_show_what_is_complete() {
    #[derive(Debug, Partial)]
    struct Tags(BTreeSet<String>);
    let PartialTags(tags) = read(r#"["a","b"#).unwrap();
    assert_eq!(tags, BTreeSet::from(["a".into()]));
}

#[test]
fn last_member_of_a_name_counts() {
    let trip: PartialTrip = read(r#"{"title":"a","title":"b"#).unwrap();
    assert_eq!(trip.title, some("b"));
    let mut parser = Parser::new();
    parser.push(r#"{"title":"a","title":"b"#).unwrap();
    let trip = PartialTrip::from_partial(parser.root().unwrap(), PartialPolicy::complete_only());
    assert_eq!(trip.unwrap().title, some("a"));
}

#[test]
fn no_depth_overflows_the_stack() {
    #[derive(Debug, Deserialize, Partial)]
    struct Nested {
        a: Option<Box<Self>>,
    }
    #[derive(Debug, Deserialize, Partial)]
    struct Endless {
        #[serde(flatten)]
        again: Option<Again>,
    }
    #[derive(Debug, Deserialize, Partial)]
    #[serde(untagged)]
    enum Again {
        Once(Box<Endless>),
    }
    let mut parser = Parser::new().limits(json_chunks::Limits::default().max_depth(u32::MAX));
    parser.push(r#"{"a":"#.repeat(100_000)).unwrap();
    let root = parser.root().unwrap();
    let error = PartialNested::from_partial(root, PartialPolicy::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("recursion limit exceeded at /a/a"),
        "{error}"
    );
    // What is read again and again from the same object ends, too.
    let endless = PartialEndless::from_partial(root, PartialPolicy::default());
    assert!(endless.is_ok());
}

#[test]
fn errors_name_the_text_or_the_value() {
    let read = from_partial_str::<PartialTrip>;
    assert!(matches!(read(""), Err(PartialError::Json(error)) if error.is_incomplete()));
    assert!(matches!(read("{x"), Err(PartialError::Json(error)) if error.offset() == 1));
    assert!(matches!(read("7}"), Err(PartialError::Json(_))));
    assert!(matches!(read("[]"), Err(PartialError::Value(error)) if error.pointer().is_empty()));
    assert!(!read(r#"{"title":"a""#).unwrap().is_complete);
    assert!(read(r#"{"title":"a"}"#).unwrap().is_complete);
}
