//! What a push costs in allocations: with room in the text handed in, and the document grown to
//! its size, nothing.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use allocation_counter::measure;
use json_chunks::Chunker;

/// An itinerary of which the last description has so many words.
fn snapshot(words: usize) -> String {
    let days: Vec<_> = (0..10)
        .map(|day| format!(r#"{{"title": "Day {day}", "stops": [{{"name": "A"}}, {{"name": "B"}}], "n": {day}}}"#))
        .collect();
    let description = "word ".repeat(words);
    format!(
        r#"{{"days": [{}], "description": "{description}"}}"#,
        days.join(", ")
    )
}

/// The same with the members in another order.
fn shuffled(words: usize) -> String {
    let days: Vec<_> = (0..10)
        .map(|day| format!(r#"{{"n": {day}, "stops": [{{"name": "A"}}, {{"name": "B"}}], "title": "Day {day}"}}"#))
        .collect();
    let description = "word ".repeat(words);
    format!(
        r#"{{"description": "{description}", "days": [{}]}}"#,
        days.join(", ")
    )
}

/// Allocations of all these pushes together.
fn allocations(chunker: &mut Chunker, snapshots: &[String]) -> u64 {
    let mut out = String::with_capacity(1 << 16);
    let info = measure(|| {
        for snapshot in snapshots {
            chunker.push_into(snapshot, &mut out).unwrap();
        }
    });
    assert!(
        out.len() < 1 << 16,
        "the text handed in had room for everything"
    );
    info.count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(
        measure(|| drop(std::hint::black_box(vec![1]))).count_total,
        1
    );
}

#[test]
fn a_snapshot_that_says_nothing_new_allocates_nothing() {
    let mut chunker = Chunker::new();
    chunker.push(&snapshot(100)).unwrap();
    let same = vec![snapshot(100); 100];
    allocations(&mut chunker, &same[..10]);
    assert_eq!(allocations(&mut chunker, &same), 0);
}

#[test]
fn neither_does_one_in_another_order() {
    let mut chunker = Chunker::new();
    chunker.push(&snapshot(100)).unwrap();
    let same: Vec<_> = (0..50)
        .flat_map(|_| [shuffled(100), snapshot(100)])
        .collect();
    allocations(&mut chunker, &same[..10]);
    assert_eq!(allocations(&mut chunker, &same), 0);
}

/// The document doubles its room now and then, and nothing else allocates.
#[test]
fn a_thousand_growing_snapshots_allocate_a_few_times() {
    for text in [snapshot, shuffled] {
        let mut chunker = Chunker::new();
        let growing: Vec<_> = (0..1000).map(text).collect();
        allocations(&mut chunker, &growing[..10]);
        let few = allocations(&mut chunker, &growing[10..]);
        assert!(few <= 20, "{few} allocations");
    }
}

#[test]
fn a_thousand_new_elements_allocate_a_few_times() {
    let growing: Vec<_> = (1..1000)
        .map(|elements| format!("[{}]", vec![r#"{"a": "x", "b": [1]}"#; elements].join(", ")))
        .collect();
    let mut chunker = Chunker::new();
    allocations(&mut chunker, &growing[..10]);
    let few = allocations(&mut chunker, &growing[10..]);
    assert!(few <= 40, "{few} allocations");
}

#[test]
fn what_is_refused_allocates_nothing() {
    let mut chunker = Chunker::new();
    chunker.push(&snapshot(100)).unwrap();
    let refused: Vec<_> = [snapshot(101), shuffled(101)]
        .iter()
        .flat_map(|text| (1..text.len()).map(|end| text.get(..end).unwrap().to_owned()))
        .collect();
    let mut out = String::new();
    let mut refuse_all = || {
        measure(|| {
            for text in &refused {
                chunker.push_into(text, &mut out).unwrap_err();
            }
        })
        .count_total
    };
    refuse_all();
    assert_eq!(refuse_all(), 0);
}

#[test]
fn after_a_reset_the_room_is_still_there() {
    let growing: Vec<_> = (0..100).map(snapshot).collect();
    let mut chunker = Chunker::new();
    let first = allocations(&mut chunker, &growing);
    chunker.reset();
    let second = allocations(&mut chunker, &growing);
    assert!(second * 2 <= first, "{second} allocations after {first}");
}
