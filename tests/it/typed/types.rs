//! Types under test.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Unit;

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Newtype(pub(crate) Option<u8>);

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Pair(i64, bool);

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Strict {
    a: u32,
    b: Option<bool>,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Closed {
    a: f64,
    #[serde(rename = "b\"")]
    b: Vec<u8>,
}

#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct Flat {
    a: Option<i64>,
    #[serde(flatten)]
    rest: BTreeMap<String, Json>,
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum External {
    A,
    B(i8),
    C(i8, bool),
    D { a: Option<u8> },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "t")]
pub(crate) enum Internal {
    A,
    B { a: u8 },
    C(Strict),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    A,
    B(u8),
    C { a: u8 },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(u8),
    Text(String),
    Pair(bool, Option<f64>),
    Strict(Strict),
    Other(Json),
}

/// Requests bytes, and accepts whatever it receives.
#[derive(Debug, PartialEq)]
pub(crate) struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Taker;
        impl<'de> Visitor<'de> for Taker {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Taker)
    }
}

/// All members, those with equal names too.
#[derive(Debug, PartialEq)]
pub(crate) struct All(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for All {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collector;
        impl<'de> Visitor<'de> for Collector {
            type Value = All;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<All, A::Error> {
                let mut all = Vec::new();
                while let Some(member) = map.next_entry()? {
                    all.push(member);
                }
                Ok(All(all))
            }
        }
        deserializer.deserialize_map(Collector)
    }
}

/// A type for documents that a model writes step by step.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Trip {
    pub(crate) title: String,
    pub(crate) days: Vec<Day>,
    pub(crate) rating: Option<f64>,
    pub(crate) budget: u64,
    pub(crate) public: bool,
    pub(crate) notes: BTreeMap<String, String>,
    pub(crate) guide: Option<Box<Self>>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Day {
    pub(crate) subtitle: String,
    pub(crate) hours: u8,
    pub(crate) stops: Vec<String>,
}

/// A decimal that deserializes from the exact text, with or without quotes, as in decimal crates.
#[derive(Debug, PartialEq)]
pub(crate) struct Decimal(pub(crate) String);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        if text.parse::<f64>().is_err() {
            return Err(D::Error::custom("not a decimal"));
        }
        Ok(Self(text.into_owned()))
    }
}
