//! The allocations of a push: none, if the output buffer and the document have the capacity.

use allocation_counter::measure;
use json_chunks::Chunker;

/// An itinerary whose last description has this many words.
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

/// Returns the number of allocations of all these pushes.
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
fn counter_counts_allocations() {
    assert_eq!(
        measure(|| drop(std::hint::black_box(vec![1]))).count_total,
        1
    );
}

#[test]
fn unchanged_snapshot_allocates_nothing() {
    let mut chunker = Chunker::new();
    chunker.push(&snapshot(100)).unwrap();
    let same = vec![snapshot(100); 100];
    allocations(&mut chunker, &same[..10]);
    assert_eq!(allocations(&mut chunker, &same), 0);
}

#[test]
fn unchanged_snapshot_in_another_order_allocates_nothing() {
    let mut chunker = Chunker::new();
    chunker.push(&snapshot(100)).unwrap();
    let same: Vec<_> = (0..50)
        .flat_map(|_| [shuffled(100), snapshot(100)])
        .collect();
    allocations(&mut chunker, &same[..10]);
    assert_eq!(allocations(&mut chunker, &same), 0);
}

/// Only the document allocates, when it doubles its capacity.
#[test]
fn thousand_growing_snapshots_allocate_a_few_times() {
    for text in [snapshot, shuffled] {
        let mut chunker = Chunker::new();
        let growing: Vec<_> = (0..1000).map(text).collect();
        allocations(&mut chunker, &growing[..10]);
        let few = allocations(&mut chunker, &growing[10..]);
        assert!(few <= 20, "{few} allocations");
    }
}

#[test]
fn thousand_new_elements_allocate_a_few_times() {
    let growing: Vec<_> = (1..1000)
        .map(|elements| format!("[{}]", vec![r#"{"a": "x", "b": [1]}"#; elements].join(", ")))
        .collect();
    let mut chunker = Chunker::new();
    allocations(&mut chunker, &growing[..10]);
    let few = allocations(&mut chunker, &growing[10..]);
    assert!(few <= 40, "{few} allocations");
}

#[test]
fn rejected_snapshot_allocates_nothing() {
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
fn reset_keeps_allocations() {
    let growing: Vec<_> = (0..100).map(snapshot).collect();
    let mut chunker = Chunker::new();
    let first = allocations(&mut chunker, &growing);
    chunker.reset();
    let second = allocations(&mut chunker, &growing);
    assert!(second * 2 <= first, "{second} allocations after {first}");
}

/// The members of each object in an order that may differ from snapshot to snapshot.
fn ordered(words: usize, turn: usize, turn_of_days: usize) -> String {
    let object = |mut members: Vec<String>, turn: usize| {
        let len = members.len();
        members.rotate_left(turn % len);
        format!("{{{}}}", members.join(", "))
    };
    let day = |day: usize| {
        let members = vec![
            format!(r#""title": "Day {day}""#),
            r#""stops": [{"name": "A", "n": 1}, {"name": "B"}]"#.to_owned(),
            format!(r#""n": {day}"#),
        ];
        object(members, day + turn_of_days)
    };
    let days: Vec<_> = (0..10).map(day).collect();
    let members = vec![
        r#""city": "Oslo""#.to_owned(),
        format!(r#""days": [{}]"#, days.join(", ")),
        format!(r#""description": "{}""#, "word ".repeat(words)),
    ];
    object(members, turn)
}

#[test]
fn steady_state_allocates_nothing_in_any_order() {
    type Turns = fn(usize) -> (usize, usize);
    let orders: [(&str, Turns); 5] = [
        ("document order", |_| (0, 0)),
        ("the growing member first", |_| (2, 0)),
        (
            "one odd snapshot",
            |at| if at == 50 { (1, 1) } else { (0, 0) },
        ),
        ("changed objects in another order", |at| (at, 0)),
        ("all objects in another order", |at| (at, at)),
    ];
    for (name, turns) in orders {
        let stream: Vec<_> = (0..200)
            .map(|at| {
                let (turn, turn_of_days) = turns(at);
                ordered(at, turn, turn_of_days)
            })
            .collect();
        let mut chunker = Chunker::new();
        assert!(allocations(&mut chunker, &stream) > 0, "{name}: it counts");
        // With the room that the document needs, from the first snapshot to the last.
        chunker.reset();
        assert_eq!(allocations(&mut chunker, &stream), 0, "{name}");
    }
}

#[test]
fn value_that_grows_in_place_allocates_nothing() {
    #[derive(serde::Serialize)]
    struct Day {
        title: String,
        n: f64,
        tags: Vec<Option<&'static str>>,
    }
    let value = |words: usize| {
        let days = (0..10).map(|n| Day {
            title: format!("Day \"{n}\""),
            n: f64::from(n) / 3.0,
            tags: vec![Some("a\n"), None],
        });
        (days.collect::<Vec<_>>(), "word ".repeat(words))
    };
    let mut chunker = Chunker::new();
    let mut out = String::with_capacity(1 << 16);
    chunker.push_value_into(&value(100), &mut out).unwrap();
    chunker.push_value_into(&value(0), &mut out).unwrap();
    let values: Vec<_> = (101..120).map(value).collect();
    // Room for what will be new.
    chunker.push_value_into(&value(100), &mut out).unwrap();
    chunker.reset();
    chunker.push_value_into(&value(120), &mut out).unwrap();
    chunker.reset();
    chunker.push_value_into(&value(100), &mut out).unwrap();
    let info = measure(|| {
        for value in &values {
            chunker.push_value_into(value, &mut out).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}
