//! Incomplete values of a type that what is being written does not fit yet.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use json_chunks::value::DeserializeError;
use json_chunks::{Parser, PartialMode, PartialPolicy};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::writing::choice_bytes;
use json_chunks_testing::{CASES, config};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// Four hexadecimal digits: of a UUID, half is none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
struct Id(String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_id = text.len() == 4 && text.chars().all(|digit| digit.is_ascii_hexdigit());
        if !is_id {
            return Err(D::Error::custom("not an id"));
        }
        Ok(Self(text))
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Trip {
    title: Option<String>,
    id: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<Stop>,
    #[serde(default)]
    days: Vec<Day>,
    #[serde(default)]
    prices: BTreeMap<String, Id>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type")]
enum Stop {
    Walk { name: String, at: Option<Id> },
    Sight(Day),
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Day {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Id>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hotels: Vec<Hotel>,
    kind: Kind,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
enum Kind {
    #[default]
    Rest,
    Drive(u32),
    Climb {
        to: Id,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Hotel {
    room: Room,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Room {
    id: Id,
    #[serde(default)]
    beds: Option<u8>,
}

fn begun(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, DeserializeError> {
    let parser = begun(text);
    parser.root().unwrap().deserialize(PartialPolicy::default())
}

/// The type read from the incomplete text is what it is of the complete text.
fn assert_alike<T: DeserializeOwned + PartialEq + Debug>(text: &str, complete: &str) {
    let read: T = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let complete: T = serde_json::from_str(complete).unwrap();
    assert_eq!(read, complete, "{text}");
}

#[test]
fn value_being_written_that_fails_is_omitted() {
    for (text, complete) in [
        // Half of an id.
        (r#"{"title":"a","id":"5f"#, r#"{"title":"a"}"#),
        (r#"{"title":"a","id":"5f0a"#, r#"{"title":"a","id":"5f0a"}"#),
        (
            r#"{"prices":{"a":"5f0a","b":"5f"#,
            r#"{"prices":{"a":"5f0a"}}"#,
        ),
        // A tagged enum without its tag, with half of it, and with half of a member.
        (r#"{"title":"a","stop":{"#, r#"{"title":"a"}"#),
        (r#"{"title":"a","stop":{"type":"Wa"#, r#"{"title":"a"}"#),
        (r#"{"title":"a","stop":{"type":"Walk","#, r#"{"title":"a"}"#),
        (
            r#"{"stop":{"type":"Walk","name":"x","at":"5f"#,
            r#"{"stop":{"type":"Walk","name":"x"}}"#,
        ),
        (
            r#"{"stop":{"type":"Sight","kind":"Rest","name":"x","id":"5f"#,
            r#"{"stop":{"type":"Sight","kind":"Rest","name":"x"}}"#,
        ),
        // Elements that lack what is required, and such that have it.
        (r#"{"days":[{"name":"x""#, r#"{"days":[]}"#),
        (
            r#"{"days":[{"name":"x","kind":"Rest"},{"na"#,
            r#"{"days":[{"name":"x","kind":"Rest"}]}"#,
        ),
        (
            r#"{"days":[{"name":"x","kind":"Rest","id":"5"#,
            r#"{"days":[{"name":"x","kind":"Rest"}]}"#,
        ),
        // Required all the way up to the element.
        (
            r#"{"days":[{"name":"x","kind":"Rest","hotels":[{"room":{"id":"5"#,
            r#"{"days":[{"name":"x","kind":"Rest"}]}"#,
        ),
        // Half a variant, and the content of one.
        (r#"{"days":[{"name":"x","kind":"Re"#, r#"{"days":[]}"#),
        (
            r#"{"days":[{"name":"x","kind":{"Climb":{"to":"5"#,
            r#"{"days":[]}"#,
        ),
    ] {
        assert_alike::<Trip>(text, complete);
    }
    assert_alike::<Vec<Id>>(r#"["5f0a","5f"#, r#"["5f0a"]"#);
    assert_alike::<HashMap<Id, Id>>(r#"{"5f0a":"5f0a","5f":"5"#, r#"{"5f0a":"5f0a"}"#);
    assert_alike::<Option<Vec<Vec<Id>>>>(r#"[["5f0a"],["5f0a","5"#, r#"[["5f0a"],["5f0a"]]"#);
    assert_alike::<Vec<(u8, Id)>>(r#"[[1,"5f0a"],[2,"#, r#"[[1,"5f0a"]]"#);
}

/// What was shown does not disappear because one of its members is written.
#[test]
fn innermost_value_is_omitted_first() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Person {
        name: String,
        #[serde(default = "unknown")]
        home: Home,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Home {
        id: Id,
    }
    fn unknown() -> Home {
        Home {
            id: Id("0000".into()),
        }
    }
    assert_alike::<Vec<Option<Person>>>(
        r#"[{"name":"Ann","home":{"id":"5f"#,
        r#"[{"name":"Ann"}]"#,
    );
    assert_alike::<Vec<Option<Person>>>(
        r#"[{"name":"Ann"},{"home":{"id":"5f"#,
        r#"[{"name":"Ann"}]"#,
    );
}

#[test]
fn chain_of_required_members_is_omitted_up_to_what_can_be_spared() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Chain<T> {
        next: T,
    }
    type Six = Chain<Chain<Chain<Chain<Chain<Chain<Id>>>>>>;
    let text = r#"{"next":"#.repeat(6);
    assert_eq!(
        read::<Option<Six>>(&text).unwrap_err().pointer(),
        "/next/next/next/next/next"
    );
    assert_eq!(read::<Vec<Six>>(&format!(r#"[{text}"5f"#)).unwrap(), []);
    assert_eq!(
        read::<BTreeMap<u8, Six>>(&format!(r#"{{"1":{text}"5f"#)).unwrap(),
        BTreeMap::new()
    );
    assert_eq!(
        read::<Chain<Option<Six>>>(&format!(r#"{{"next":{text}"5f"#)).unwrap(),
        Chain { next: None }
    );
}

/// What is inside of an `Option`, an `Option`, an `Option`, each with a member that is missing.
#[test]
fn options_in_options_do_not_hold_up_the_rest() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct With<T> {
        inner: Option<T>,
        more: Id,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Root {
        title: String,
        inner: Option<With<With<Room>>>,
    }
    let text = r#"{"title":"x","inner":{"inner":{"inner":{"id":"5f"#;
    assert_alike::<Root>(text, r#"{"title":"x"}"#);
}

/// Each list ends before the element that lacks something, and not before one around it.
#[test]
fn lists_in_lists_keep_what_can_be_read() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct With<T> {
        list: Vec<T>,
        more: Id,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Root {
        title: String,
        list: Vec<With<With<Room>>>,
    }
    let text = r#"[{"title":"x","list":[{"list":[{"list":[{"id":"5f"#;
    assert_alike::<Vec<Root>>(text, r#"[{"title":"x","list":[]}]"#);
}

#[test]
fn earlier_member_of_the_name_shows_while_the_last_one_is_omitted() {
    assert_alike::<Trip>(r#"{"id":"5f0a","id":"77"#, r#"{"id":"5f0a"}"#);
    assert_alike::<BTreeMap<u8, Id>>(r#"{"1":"aaaa","1":"bbbb","1":"c"#, r#"{"1":"bbbb"}"#);
}

#[test]
fn complete_values_are_read_strictly() {
    for (text, message) in [
        (r#"{"id":"5f""#, "not an id at /id"),
        (r#"{"id":"5f","title":"a"#, "not an id at /id"),
        (r#"{"days":[{}"#, "missing field `name` at /days/0"),
        (
            r#"{"days":[{"name":1},{"na"#,
            "missing field `kind` at /days/0",
        ),
        (
            r#"{"stop":{"type":"Fly"}"#,
            "unknown variant `Fly`, expected `Walk` or `Sight` at /stop/type",
        ),
    ] {
        assert_eq!(
            read::<Trip>(text).unwrap_err().to_string(),
            message,
            "{text}"
        );
    }
    let mut parser = begun(r#"[["5f"]"#);
    assert!(read::<Vec<Vec<Id>>>(r#"[["5f"#).is_ok());
    let strict = |parser: &Parser| {
        let root = parser.root().unwrap();
        root.deserialize::<Vec<Vec<Id>>>(PartialPolicy::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(strict(&parser), "not an id at /0/0");
    parser.push("]").unwrap();
    assert_eq!(strict(&parser), "not an id at /0/0");
}

/// The error is that of the value as it is, not that of a part of it.
#[test]
fn error_is_the_one_without_omission() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read for its errors")]
    struct Required {
        id: Id,
    }
    assert_eq!(
        read::<Required>(r#"{"id":"5f"#).unwrap_err().to_string(),
        "not an id at /id"
    );
    assert_eq!(read::<Id>(r#""5f"#).unwrap_err().to_string(), "not an id");
    assert_eq!(
        read::<(u8, Id)>(r#"[1,"5f"#).unwrap_err().to_string(),
        "not an id at /1"
    );
    assert_eq!(read::<(u8, Id)>(r#"[300,"5f"#).unwrap_err().pointer(), "/0");
}

#[test]
fn omission_goes_with_any_policy() {
    let parser = begun(r#"[{"id":"5f0a"},{"id":"5f"#);
    let partials = PartialPolicy::default().strings(PartialMode::Zero);
    let read = parser
        .root()
        .unwrap()
        .deserialize::<Vec<Trip>>(partials)
        .unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(read[1].id, None);
}

thread_local! {
    static READS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is read.
#[derive(Debug, PartialEq)]
struct Counted;

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READS.set(READS.get() + 1);
        u8::deserialize(deserializer).map(|_| Self)
    }
}

#[test]
fn value_is_read_at_most_five_times() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read for its errors")]
    struct Chain {
        n: Counted,
        next: Option<Box<Self>>,
        id: Id,
    }
    fn reads<T: DeserializeOwned>(text: &str) -> (usize, bool) {
        READS.set(0);
        let is_ok = read::<T>(text).is_ok();
        (READS.get(), is_ok)
    }
    type List = (Counted, Vec<Option<Id>>);
    assert_eq!(reads::<List>(r#"[1,["5f0a","5f0a"]]"#), (1, true));
    assert_eq!(reads::<List>(r#"[1,["5f0a","5f"]]"#), (1, false));
    assert_eq!(reads::<List>(r#"[1,["5f0a","5f"#), (2, true));
    assert_eq!(
        reads::<(Counted, Option<Room>)>(r#"[1,{"id":"5f"#),
        (3, false)
    );
    let deep = r#"{"n":1,"next":"#.repeat(100);
    let (reads, is_ok) = reads::<Chain>(&format!(r#"{deep}{{"n":1,"id":"5"#));
    assert!(!is_ok);
    assert!(reads <= 5 * 101, "{reads}");
}

/// Whether `part` is what may be there of `all` while that is being written.
fn is_part(part: &Trip, all: &Trip) -> bool {
    fn starts<T: PartialEq>(part: Option<&T>, all: Option<&T>) -> bool {
        part.is_none() || part == all
    }
    fn is_part_of_day(part: &Day, all: &Day) -> bool {
        let kinds = match (&part.kind, &all.kind) {
            // Digits of a number.
            (Kind::Drive(part), Kind::Drive(all)) => all.to_string().starts_with(&part.to_string()),
            (part, all) => part == all,
        };
        all.name.starts_with(&part.name)
            && starts(part.id.as_ref(), all.id.as_ref())
            && kinds
            && part.hotels.len() <= all.hotels.len()
            && part.hotels.iter().zip(&all.hotels).all(|(part, all)| {
                part.room.id == all.room.id
                    && starts(part.room.beds.as_ref(), all.room.beds.as_ref())
            })
    }
    let stops = match (&part.stop, &all.stop) {
        (None, _) => true,
        (
            Some(Stop::Walk { name, at }),
            Some(Stop::Walk {
                name: all,
                at: all_at,
            }),
        ) => all.starts_with(name) && starts(at.as_ref(), all_at.as_ref()),
        (Some(Stop::Sight(part)), Some(Stop::Sight(all))) => is_part_of_day(part, all),
        (Some(_), _) => false,
    };
    let title = part.title.as_deref().unwrap_or_default();
    all.title.as_deref().unwrap_or_default().starts_with(title)
        && starts(part.id.as_ref(), all.id.as_ref())
        && stops
        && part.days.len() <= all.days.len()
        && part
            .days
            .iter()
            .zip(&all.days)
            .all(|(part, all)| is_part_of_day(part, all))
        && part
            .prices
            .iter()
            .all(|(name, id)| all.prices.get(name) == Some(id))
}

fn trip(source: &mut ByteSource<'_>) -> Trip {
    const TEXTS: &[&str] = &["", "Day", "Tea \"XL\"", "é\n😀", "Walk"];
    const IDS: &[&str] = &["0000", "5f0a", "ffff"];
    fn text(source: &mut ByteSource<'_>) -> String {
        (*source.choose(TEXTS)).to_owned()
    }
    fn id(source: &mut ByteSource<'_>) -> Id {
        Id((*source.choose(IDS)).to_owned())
    }
    fn day(source: &mut ByteSource<'_>) -> Day {
        Day {
            name: text(source),
            id: source.one_in(2).then(|| id(source)),
            hotels: (0..source.below(3))
                .map(|_| Hotel {
                    room: Room {
                        id: id(source),
                        beds: source.one_in(2).then(|| source.byte() % 10),
                    },
                })
                .collect(),
            kind: match source.below(3) {
                0 => Kind::Rest,
                1 => Kind::Drive(u32::from(source.byte()) * 997),
                _ => Kind::Climb { to: id(source) },
            },
        }
    }
    Trip {
        title: source.one_in(2).then(|| text(source)),
        id: source.one_in(2).then(|| id(source)),
        stop: match source.below(3) {
            0 => None,
            1 => Some(Stop::Walk {
                name: text(source),
                at: source.one_in(2).then(|| id(source)),
            }),
            _ => Some(Stop::Sight(day(source))),
        },
        days: (0..source.below(3)).map(|_| day(source)).collect(),
        prices: (0..source.below(3))
            .map(|_| (text(source), id(source)))
            .collect(),
    }
}

proptest! {
    #![proptest_config(config(CASES / 5))]

    /// Every prefix has a value, which is a part of the last one, and no list gets shorter.
    #[test]
    fn every_prefix_of_a_type_with_required_members_is_a_part_of_it(source in choice_bytes()) {
        let all = trip(&mut ByteSource::new(&source));
        let text = serde_json::to_string(&all).unwrap();
        let mut parser = Parser::new();
        let mut last: Option<Trip> = None;
        for byte in text.as_bytes() {
            parser.push(std::slice::from_ref(byte)).unwrap();
            let Some(root) = parser.root() else { continue };
            let part: Trip = root.deserialize(PartialPolicy::default()).unwrap();
            prop_assert!(is_part(&part, &all), "{part:?} is no part of {all:?}");
            if let Some(last) = &last {
                prop_assert!(part.days.len() >= last.days.len(), "{last:?} became {part:?}");
                prop_assert!(part.prices.len() >= last.prices.len(), "{last:?} became {part:?}");
                prop_assert!(part.id.is_some() >= last.id.is_some());
                prop_assert!(part.stop.is_some() >= last.stop.is_some(), "{last:?} became {part:?}");
            }
            last = Some(part);
        }
        prop_assert_eq!(last, Some(all));
    }
}
