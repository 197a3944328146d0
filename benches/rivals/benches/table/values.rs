//! What a value as a snapshot costs: compared with the last one, or written as text and pushed.
//!
//! The values are new copies, as if they had just been received and read. The first value of a
//! stream is not measured.
//!
//! `serde_json` looks for bytes to escape in a loop that is up to a third slower where the linker
//! puts it across two cache lines. `RUSTFLAGS=-Cllvm-args=-align-loops=64` shows the ratios when it
//! is not.

use std::rc::Rc;

use json_chunks::Chunker;
use json_chunks_rivals::{Order, snapshots};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Pending;
use crate::measure::{Case, Task, timed};

/// The itinerary as a program holds it, in the order of its text.
#[derive(Clone, Serialize, Deserialize)]
struct Itinerary {
    title: String,
    days: Vec<Day>,
    rationale: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Day {
    subtitle: String,
    day: u32,
    activities: Vec<Activity>,
    destination: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Activity {
    #[serde(rename = "type")]
    kind: String,
    title: String,
    description: String,
    price: u32,
}

/// How many bytes of text are copied at once.
const BATCH: usize = 32 << 10;

/// Pushes all values but the first; by way of text, for comparison, with `serde_json`.
fn task<T: Clone + Serialize + 'static>(values: Rc<Vec<T>>, bytes: usize, by_text: bool) -> Task {
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
        // Some small ones at once, because the clock takes time, too.
        let few = values[1..].chunks((BATCH / bytes).max(1));
        few.map(|values| {
            let copies = values.to_vec();
            timed(|| copies.iter().for_each(&mut push))
        })
        .sum()
    })
}

fn case<T: Clone + Serialize + DeserializeOwned + 'static>(bytes: usize) -> Case {
    let stream = snapshots(bytes, Order::Document, 17);
    let read = |text: &String| serde_json::from_str::<T>(text).expect("it is JSON");
    let values: Rc<Vec<T>> = Rc::new(stream.iter().map(read).collect());
    Case {
        bytes: stream[1..].iter().map(String::len).sum(),
        tasks: vec![
            task(Rc::clone(&values), bytes, false),
            task(values, bytes, true),
        ],
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
