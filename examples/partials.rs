//! A typed value that grows while the model writes it.
//!
//! Run it with `cargo run --example partials`.

#![allow(clippy::print_stdout, reason = "showing the values is what it is for")]

use std::convert::Infallible;
use std::fmt;

use json_chunks::stream::{StreamError, TryFragmentStreamExt as _};
use json_chunks::{PartialMode, PartialPolicy};
use serde::Deserialize;
use tokio_stream::{Stream, StreamExt as _};

#[derive(Deserialize)]
struct Itinerary {
    title: String,
    /// The members that are written last may be missing.
    #[serde(default)]
    days: Vec<Day>,
    /// Too large for a `u64`, and exact nevertheless.
    booking: Option<u128>,
}

#[derive(Deserialize)]
struct Day {
    subtitle: Option<String>,
    kind: Option<Kind>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Sightseeing,
    FoodAndDining,
}

impl fmt::Display for Itinerary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.title)?;
        for day in &self.days {
            let subtitle = day.subtitle.as_deref().unwrap_or("...");
            write!(f, " | {subtitle}")?;
            if let Some(kind) = &day.kind {
                write!(f, " ({kind:?})")?;
            }
        }
        match self.booking {
            Some(booking) => write!(f, " | booked as {booking}"),
            None => Ok(()),
        }
    }
}

/// A stand-in for a model that writes a few bytes at a time.
fn model() -> impl Stream<Item = Result<&'static [u8], Infallible>> {
    let text = r#"{
        "title": "Three Slow Days in Kanazawa 金沢",
        "days": [
            {"kind": "sightseeing", "subtitle": "Gardens and gold leaf"},
            {"kind": "food_and_dining", "subtitle": "Tea"}
        ],
        "booking": 340282366920938463463374607431768211455
    }"#;
    tokio_stream::iter(text.as_bytes().chunks(23).map(Ok))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // Strings are kept while they grow, but half of a number would be another number. Half of the
    // name of a variant does not deserialize, so no value is yielded until it is complete.
    let partials = PartialPolicy::default().numbers(PartialMode::Omit);
    let mut itineraries = model()
        .try_json_partials::<Itinerary>()
        .partial_policy(partials);

    while let Some(next) = itineraries.next().await {
        match next {
            Ok(itinerary) if itinerary.is_complete => println!("{} (complete)", itinerary.value),
            Ok(itinerary) => println!("{} ...", itinerary.value),
            Err(StreamError::Upstream(never)) => match never {},
            Err(error) => println!("{error}"),
        }
    }
    println!("{:?}", itineraries.report());
}
