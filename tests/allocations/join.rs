//! The cost of a join in allocated bytes: it depends on the reply, not on the text.

use allocation_counter::{AllocationInfo, measure};
use json_chunks::Limits;
use json_chunks::join::Accumulator;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// An unfinished list of at least this many bytes with distinct elements.
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

/// An accumulator with this much text, whose buffers have the capacity for the next reply.
fn accumulated(bytes: usize) -> Accumulator {
    let mut accumulator = Accumulator::new();
    assert!(
        accumulator
            .push(&format!("[{}", list(bytes, 0)))
            .is_joined()
    );
    assert!(accumulator.push(&list(200 * KIB, 1_000_000)).is_joined());
    accumulator
}

/// Returns the bytes that are allocated to join a reply.
fn cost(accumulator: &mut Accumulator, reply: &str) -> AllocationInfo {
    measure(|| {
        let _ = accumulator.push(reply);
    })
}

#[test]
fn join_cost_depends_on_the_reply_only() {
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
    let small = accumulated(MIB);
    let large = accumulated(10 * MIB);
    // Without the candidates of an ambiguous reply, each of which costs a copy of the text. A clone
    // has no spare capacity, so it is reserved first.
    let roomy = |accumulator: &Accumulator| {
        let mut accumulator = accumulator.clone();
        let _ = accumulator.push(&list(200 * KIB, 3_000_000));
        accumulator
    };
    let overlap = |accumulator: &Accumulator| {
        let text = accumulator.text();
        text.get(text.len() - 32 * KIB..).unwrap().to_owned()
    };
    for (one, other) in replies(&overlap(&roomy(&small)))
        .into_iter()
        .zip(replies(&overlap(&roomy(&large))))
    {
        let (mut small, mut large) = (roomy(&small), roomy(&large));
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

/// A reply of twice the length costs twice as much, however repetitive it is.
#[test]
fn join_of_repetitive_reply_is_linear() {
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
