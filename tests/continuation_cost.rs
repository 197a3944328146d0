//! What a join costs, counted at the allocator: what the reply costs, however long the text is.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use allocation_counter::{AllocationInfo, measure};
use json_chunks::{Accumulator, Limits};

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// A list of that many bytes or some more, each element unlike the others; not ended.
fn list(bytes: usize, from: usize) -> String {
    let element = |number| {
        format!("{{\"id\": {number}, \"title\": \"Day {number}\", \"tags\": [\"a\", \"b\"]}},\n")
    };
    let mut text = String::new();
    let mut numbers = from..;
    while text.len() < bytes {
        text.extend(numbers.next().map(element));
    }
    text
}

/// An accumulator of so much text, whose own buffers have room for the next reply.
fn accumulated(bytes: usize) -> Accumulator {
    let mut accumulator = Accumulator::new();
    assert!(accumulator.push(&format!("[{}", list(bytes, 0))).is_taken());
    assert!(accumulator.push(&list(200 * KIB, 1_000_000)).is_taken());
    accumulator
}

/// What it costs to join this.
fn cost(accumulator: &mut Accumulator, reply: &str) -> AllocationInfo {
    measure(|| {
        let _ = accumulator.push(reply);
    })
}

#[test]
fn a_join_costs_what_the_reply_costs() {
    let replies = |overlap: &str| {
        let new = list(64 * KIB, 2_000_000);
        [
            ("new", new.clone()),
            ("overlapping", format!("{overlap}{new}")),
            ("repeated", overlap.to_owned()),
            ("no JSON", "]".repeat(64 * KIB)),
            ("a string of no end", format!("\"{}", "x".repeat(64 * KIB))),
        ]
    };
    let mut small = accumulated(MIB);
    let mut large = accumulated(10 * MIB);
    let overlap = |accumulator: &Accumulator| {
        let text = accumulator.text();
        text.get(text.len() - 32 * KIB..).unwrap().to_owned()
    };
    for (one, other) in replies(&overlap(&small))
        .into_iter()
        .zip(replies(&overlap(&large)))
    {
        let (small, large) = (cost(&mut small, &one.1), cost(&mut large, &other.1));
        let most = 64 * (one.1.len() as u64 + 64 * KIB as u64);
        assert!(
            large.bytes_max <= small.bytes_max * 5 / 4 + 4096,
            "{}: {small:?} {large:?}",
            one.0
        );
        assert!(large.bytes_max <= most, "{}: {large:?}", one.0);
        assert!(
            large.count_total <= small.count_total + 64,
            "{}: {small:?} {large:?}",
            one.0
        );
    }
}

/// Twice the reply costs twice as much, however often it repeats itself.
#[test]
fn a_reply_that_repeats_itself_is_linear() {
    let limits = Limits::default().max_depth(u32::MAX);
    for unit in [
        "1,", "[", " ", "\"\",", "{\"a\":", "\\\\", "\u{FFFD}", "\n", "```\n", "a: b\n",
    ] {
        for first in ["[1,", "[\"x"] {
            let cost = |times: usize| {
                let mut accumulator = Accumulator::new().limits(limits);
                let _ = accumulator.push(first);
                let _ = accumulator.push(&unit.repeat(times));
                cost(&mut accumulator, &unit.repeat(times))
            };
            let (half, whole) = (cost(20_000), cost(40_000));
            assert!(
                whole.bytes_total <= half.bytes_total * 5 / 2 + 16 * 1024,
                "{first} {unit:?}: {half:?} {whole:?}"
            );
        }
    }
}
