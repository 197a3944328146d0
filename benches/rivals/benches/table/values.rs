//! What a value as a snapshot costs: compared with the last one, or written as text and pushed.
//!
//! The first value of a stream is not measured.

use std::rc::Rc;

use json_chunks::Chunker;
use json_chunks_rivals::{Order, snapshots};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Pending;
use crate::measure::{Case, Task, timed};

/// The itinerary as a program holds it, in the order of its text.
#[derive(Serialize, Deserialize)]
struct Itinerary {
    title: String,
    days: Vec<Day>,
    rationale: String,
}

#[derive(Serialize, Deserialize)]
struct Day {
    subtitle: String,
    day: u32,
    activities: Vec<Activity>,
    destination: String,
}

#[derive(Serialize, Deserialize)]
struct Activity {
    #[serde(rename = "type")]
    kind: String,
    title: String,
    description: String,
    price: u32,
}

/// Pushes all values but the first; by way of text, for comparison, with `serde_json`.
fn task<T: Serialize + 'static>(values: Rc<Vec<T>>, by_text: bool) -> Task {
    let mut chunker = Chunker::new();
    let mut out = String::with_capacity(1 << 20);
    Box::new(move || {
        chunker.reset();
        out.clear();
        let mut push = |value: &T| {
            if by_text {
                let text = serde_json::to_string(value).expect("it is a value");
                chunker.push_into(&text, &mut out).expect("it is JSON");
            } else {
                chunker
                    .push_value_into(value, &mut out)
                    .expect("it is JSON");
            }
        };
        push(&values[0]);
        timed(|| values[1..].iter().for_each(push))
    })
}

fn case<T: Serialize + DeserializeOwned + 'static>(bytes: usize) -> Case {
    let stream = snapshots(bytes, Order::Document, 17);
    let read = |text: &String| serde_json::from_str::<T>(text).expect("it is JSON");
    let values: Rc<Vec<T>> = Rc::new(stream.iter().map(read).collect());
    Case {
        bytes: stream[1..].iter().map(String::len).sum(),
        tasks: vec![task(Rc::clone(&values), false), task(values, true)],
        rivals: vec!["`serde_json::to_string` and the push of the text"],
    }
}

pub(crate) fn cases() -> Vec<Pending> {
    let mut cases: Vec<Pending> = Vec::new();
    for kib in [2, 16, 256] {
        cases.push((
            format!("values as snapshots, structs, {kib} KiB"),
            Box::new(move || case::<Itinerary>(kib << 10)),
        ));
    }
    for kib in [2, 16, 256] {
        cases.push((
            format!("values as snapshots, `serde_json::Value`, {kib} KiB"),
            Box::new(move || case::<serde_json::Value>(kib << 10)),
        ));
    }
    cases
}
