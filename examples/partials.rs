//! A typed value that grows while the model writes it.
//!
//! Run it with `cargo run --example partials`.

#![allow(clippy::print_stdout, reason = "showing the values is what it is for")]

use std::convert::Infallible;
use std::fmt;

use json_chunks::{Parser, Partial, Partials, StreamError, TryFragmentStreamExt as _};
use serde::Deserialize;
use tokio_stream::{Stream, StreamExt as _};

#[derive(Deserialize)]
struct Itinerary {
    title: String,
    /// What is written last has to be allowed to be missing.
    #[serde(default)]
    days: Vec<Day>,
    /// Too large for a `u64`, and exact all the same.
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

/// Stands for a model: a few bytes at a time.
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
    // Texts show as they are written, but half of a number would be another number. Half of the
    // name of a variant is none: while there is such a half, the next value is waited for.
    let partials = Partials::default().numbers(Partial::Omitted);
    let mut itineraries = model().try_json_partials_with::<Itinerary>(Parser::new(), partials);

    while let Some(next) = itineraries.next().await {
        match next {
            Ok(itinerary) => println!("{itinerary}"),
            Err(StreamError::Upstream(never)) => match never {},
            Err(error) => println!("{error}"),
        }
    }
    println!("{:?}", itineraries.report());
}
