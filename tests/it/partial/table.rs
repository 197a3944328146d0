//! The tables in the docs of `partial`: when values of which types are there, and which wrong ones.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::net::IpAddr;

use json_chunks::partial::FromPartial;
use json_chunks::{Parser, Partial, PartialPolicy};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// A UUID as the crate for it reads it: all of its 36 characters or none.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Uuid(String);

impl<'de> Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() != 36 {
            return Err(D::Error::custom("not a UUID"));
        }
        Ok(Self(text))
    }
}

const UUID: &str = "c8a4b7e1-06f3-4f5e-9a64-0d2bdfd0a3c9";

macro_rules! shapes {
    ($($shape:item)*) => {$(
        #[derive(Clone, Debug, PartialEq, Deserialize, Partial)]
        $shape
    )*};
}

shapes! {
    struct Optional {
        title: Option<String>,
        days: Option<u32>,
        rating: Option<f64>,
    }

    struct Required {
        title: String,
        days: u32,
        rating: f64,
    }

    struct List(Vec<Required>);

    struct WithUuid {
        title: Option<String>,
        #[partial(done)]
        id: Option<Uuid>,
        note: Option<String>,
    }

    struct WithStop {
        title: Option<String>,
        stop: Option<Stop>,
    }

    #[serde(tag = "type")]
    enum Stop {
        Walk { along: String, km: f64 },
        Rest,
    }

    struct WithKind {
        title: Option<String>,
        kind: Option<Kind>,
        note: Option<String>,
    }

    enum Kind {
        Day,
        DayTrip,
    }

    struct WithMap {
        title: Option<String>,
        guides: BTreeMap<String, Required>,
    }

    #[serde(untagged)]
    enum Untagged {
        Walk { along: String, km: f64 },
        Sight { along: String, name: String },
    }

    #[serde(untagged)]
    enum UntaggedOptional {
        Sight { along: String, name: Option<String> },
        Walk { along: String, km: Option<f64> },
    }

    enum OrOther {
        Day,
        #[serde(other)]
        Other,
    }

    struct Others(Vec<OrOther>);
    struct Kinds(Vec<Kind>);
    struct Count(u32);
    struct Address(#[partial(leaf)] IpAddr);
    struct DoneCount {
        #[partial(done)]
        n: u32,
    }
}

/// After how many of the fragments of 4 bytes there is a value, and of how many.
fn share(text: &str, mut has_value: impl FnMut(&Parser) -> bool) -> (usize, usize) {
    let mut parser = Parser::new();
    let mut values = 0;
    let fragments = text.as_bytes().chunks(4);
    let all = fragments.len();
    for fragment in fragments {
        parser.push(fragment).unwrap();
        values += usize::from(has_value(&parser));
    }
    assert!(has_value(&parser), "{text}");
    (values, all)
}

/// A row: what `serde_json` reads of the completed text, what the same type is read as here, and
/// its form.
fn row<T: DeserializeOwned, P: FromPartial>(name: &str, text: &str, out: &mut String) {
    let strict = share(text, |parser| {
        let text = parser.root().unwrap().to_json(PartialPolicy::default());
        serde_json::from_str::<T>(&text).is_ok()
    });
    let tolerant = share(text, |parser| {
        let root = parser.root().unwrap();
        root.deserialize::<T>(PartialPolicy::default()).is_ok()
    });
    let form = share(text, |parser| {
        let root = parser.root().unwrap();
        P::from_partial(root, PartialPolicy::default()).is_ok()
    });
    let shares = [strict, tolerant, form].map(|(values, all)| format!("{values} of {all}"));
    writeln!(out, "| {name} | {} |", shares.join(" | ")).unwrap();
}

/// A row: what a type shows of a text that is cut off, and what its form shows.
fn shown_row<T: FromPartial + Debug, P: FromPartial + Debug>(
    name: &str,
    [cut, complete]: [&str; 2],
    out: &mut String,
) {
    fn shown<T: FromPartial + Debug>(text: &str) -> String {
        let mut parser = Parser::new();
        parser.push(text).unwrap();
        let read = T::from_partial(parser.root().unwrap(), PartialPolicy::default());
        read.map_or("nothing".into(), |value| format!("`{value:?}`"))
    }
    let (own, form) = (shown::<T>(cut), shown::<P>(cut));
    writeln!(out, "| {name} | `{cut}` of `{complete}` | {own} | {form} |").unwrap();
}

fn tables() -> String {
    let mut out = String::new();
    out.push_str("| type | `serde_json` on completed text | read as itself | read as its form |\n");
    out.push_str("| --- | --- | --- | --- |\n");
    let trip = r#"{"title":"Three Slow Days in Tokyo","days":3,"rating":4.5}"#;
    row::<Optional, PartialOptional>("all fields `Option`", trip, &mut out);
    row::<Required, PartialRequired>("required fields", trip, &mut out);
    let list = format!("[{trip},{trip}]");
    row::<List, PartialList>("`Vec` of structs with required fields", &list, &mut out);
    let with_uuid = format!(r#"{{"title":"Three","id":"{UUID}","note":"It was lovely."}}"#);
    row::<WithUuid, PartialWithUuid>("`Option<Uuid>` in a struct", &with_uuid, &mut out);
    let with_stop =
        r#"{"title":"Three","stop":{"type":"Walk","along":"the river","km":12.5},"note":"Rain."}"#;
    row::<WithStop, PartialWithStop>("tagged enum in an `Option`", with_stop, &mut out);
    let with_kind = r#"{"title":"Slow","kind":"DayTrip","note":"It was lovely."}"#;
    row::<WithKind, PartialWithKind>("unit variants in an `Option`", with_kind, &mut out);
    let with_map = format!(r#"{{"title":"Three","guides":{{"Ann":{trip},"Bob":{trip}}}}}"#);
    row::<WithMap, PartialWithMap>("map of structs with required fields", &with_map, &mut out);
    let walk = r#"{"along":"the river","km":12.5}"#;
    row::<Untagged, PartialUntagged>("untagged enum", walk, &mut out);

    out.push_str(concat!(
        "\nAn incomplete value may be shown as a value that is not in the complete text:",
        " `1` is not in `1000`.\nThe table has what is shown in these cases:\n\n",
    ));
    out.push_str("| type | text | read as itself | read as its form |\n");
    out.push_str("| --- | --- | --- | --- |\n");
    shown_row::<Count, PartialCount>("number", ["1", "1000"], &mut out);
    let [n, done] = [r#"{"n":1"#, r#"{"n":1000}"#];
    shown_row::<DoneCount, PartialDoneCount>("number that is `done`", [n, done], &mut out);
    let [day, trip] = [r#"["Day"#, r#"["DayTrip"]"#];
    shown_row::<Kinds, PartialKinds>(
        "variant that another one starts with",
        [day, trip],
        &mut out,
    );
    let [da, day] = [r#"["Da"#, r#"["Day"]"#];
    shown_row::<Others, PartialOthers>("`#[serde(other)]`", [da, day], &mut out);
    let [one, ten] = [r#""10.0.0.1"#, r#""10.0.0.12""#];
    shown_row::<Address, PartialAddress>("address as a `leaf`", [one, ten], &mut out);
    let [any, walk] = [r#"{"along":"x""#, r#"{"along":"x","km":1}"#];
    shown_row::<UntaggedOptional, PartialUntaggedOptional>("untagged enum", [any, walk], &mut out);
    out
}

#[test]
fn tables_of_the_docs_are_true() {
    let tables = tables();
    let documented = include_str!("../../../src/partial/table.md");
    assert_eq!(documented, tables, "\n{tables}");
}
