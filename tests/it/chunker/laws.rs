//! Laws for producers that keep the rules: for every document, order of writing, and selection of
//! steps.
//!
//! After each push the chunker is compared with `json_chunks_testing::reference`, so these tests
//! also check when each piece is emitted.

use json_chunks::{AbsentValues, Chunker, MemberOrder};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::{ByteSource, SeededRng};
use json_chunks_testing::json::{Json, Missing, stable_number, stable_text};
use json_chunks_testing::read::{Duplicates, are_equivalent, read, read_prefix};
use json_chunks_testing::reference::Reference;
use json_chunks_testing::write::{Escapes, Snapshots, Style, Styles, write};
use json_chunks_testing::writing::{
    Fill, Producer, choice_bytes, documents, large_documents, many_choice_bytes, sample_snapshots,
    thin_out,
};
use json_chunks_testing::{CASES, config};

/// A converter from snapshots to chunks.
trait Machine {
    fn push(&mut self, value: &Json, text: &str) -> String;
    fn finish(&mut self) -> String;
}

impl Machine for Chunker {
    fn push(&mut self, _: &Json, text: &str) -> String {
        let chunk = Self::push(self, text);
        chunk.unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    fn finish(&mut self) -> String {
        Self::finish(self)
    }
}

impl Machine for Reference {
    fn push(&mut self, value: &Json, _: &str) -> String {
        Self::push(self, value)
    }

    fn finish(&mut self) -> String {
        Self::finish(self)
    }
}

/// Pushes the snapshots, and asserts that the text emitted so far is always a part of the last
/// snapshot, and equal to it at the end. Returns the chunks.
fn follow(
    machine: &mut impl Machine,
    snapshots: &[(Json, String)],
    missing: Missing,
) -> Result<Vec<String>, TestCaseError> {
    let mut all = String::new();
    let mut chunks = Vec::new();
    for (value, text) in snapshots {
        let chunk = machine.push(value, text);
        all.push_str(&chunk);
        chunks.push(chunk);
        if all.is_empty() {
            let may_wait =
                missing == Missing::Anything || (missing == Missing::Nulls && *value == Json::Null);
            prop_assert!(may_wait, "nothing put out of {text}");
            continue;
        }
        let prefix = read_prefix(&all, Duplicates::Rejected).map_err(TestCaseError::fail)?;
        prop_assert!(
            prefix.is_part_of(value, missing),
            "{all} is put out of {text}"
        );
    }
    let chunk = machine.finish();
    all.push_str(&chunk);
    chunks.push(chunk);
    let result = read(&all, Duplicates::Rejected).map_err(TestCaseError::fail)?;
    prop_assert_eq!(&result, &snapshots.last().unwrap().0);
    Ok(chunks)
}

/// Asserts that both machines emit the same after every push.
fn compare(
    chunker: &mut Chunker,
    reference: &mut Reference,
    snapshots: &[(Json, String)],
    same: fn(&str, &str) -> bool,
) -> Result<(), TestCaseError> {
    let chunks = follow(chunker, snapshots, Missing::Anything)?;
    let expected = follow(reference, snapshots, Missing::Anything)?;
    prop_assert!(
        chunker.take_revisions().is_empty(),
        "a revision out of nothing"
    );
    let (mut all, mut expected_all) = (String::new(), String::new());
    for (index, (chunk, expected)) in chunks.iter().zip(&expected).enumerate() {
        all.push_str(chunk);
        expected_all.push_str(expected);
        prop_assert!(
            same(&all, &expected_all),
            "chunk {index} is {chunk:?} instead of {expected:?}, after {:#?}",
            snapshots
                .iter()
                .take(index + 1)
                .map(|(_, text)| text)
                .collect::<Vec<_>>()
        );
    }
    Ok(())
}

const ABSENT_VALUES: [AbsentValues; 3] = [
    AbsentValues::Nothing,
    AbsentValues::Null,
    AbsentValues::Defaults,
];

/// The text of a value up to where the model is writing: its last member or element, and so on.
fn without_closers(value: &Json) -> String {
    let escapes = Style::plain(Escapes::Few);
    let mut text = String::new();
    match value {
        Json::Str(characters) => {
            let standing = Json::Str(stable_text(characters).to_vec());
            text.push_str(write(&standing, escapes).strip_suffix('"').unwrap());
        }
        Json::Arr(elements) => {
            text.push('[');
            if let Some((last, complete)) = elements.split_last() {
                for element in complete {
                    text.push_str(&write(element, escapes));
                    text.push(',');
                }
                text.push_str(&without_closers(last));
            }
        }
        Json::Obj(members) => {
            text.push('{');
            if let Some(((name, last), complete)) = members.split_last() {
                for (name, value) in complete {
                    text.push_str(&write(&Json::Str(name.clone()), escapes));
                    text.push(':');
                    text.push_str(&write(value, escapes));
                    text.push(',');
                }
                text.push_str(&write(&Json::Str(name.clone()), escapes));
                text.push(':');
                text.push_str(&without_closers(last));
            }
        }
        Json::Num(number) => text.push_str(stable_number(number)),
        Json::Null | Json::Bool(_) => text.push_str(&write(value, escapes)),
    }
    text
}

fn to_the_byte(all: &str, expected: &str) -> bool {
    all == expected
}

/// Compares emitted text, ignoring the order of members that the rules leave open.
fn as_much(all: &str, expected: &str) -> bool {
    all.len() == expected.len() && are_equivalent(all, expected)
}

fn plain(values: Vec<Json>, escapes: Escapes) -> Snapshots {
    let style = Style::plain(escapes);
    values
        .into_iter()
        .map(|value| {
            let text = write(&value, style);
            (value, text)
        })
        .collect()
}

/// The order of members in the snapshots of a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The order in which the model writes them.
    Document,
    /// Sorted by name, as by `serde_json`'s default map, Go and `.sortedKeys`.
    Sorted,
    Reversed,
    /// A random order each time, at every level.
    Shuffled,
    /// A random order each time, in changed objects only.
    ChangedShuffled,
    /// The order of the document, except for one shuffled snapshot.
    OneShuffled,
    /// The same, and the shuffled snapshot has white space.
    OneShuffledAndSpaced,
}

const ORDERS: [Order; 7] = [
    Order::Document,
    Order::Sorted,
    Order::Reversed,
    Order::Shuffled,
    Order::ChangedShuffled,
    Order::OneShuffled,
    Order::OneShuffledAndSpaced,
];

/// Returns the value with its members reordered. `before` is its previous state.
fn arranged(value: &Json, before: Option<&Json>, order: Order, rng: &mut SeededRng) -> Json {
    match value {
        Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) => value.clone(),
        Json::Arr(elements) => {
            let before = |index: usize| match before {
                Some(Json::Arr(before)) => before.get(index),
                _ => None,
            };
            let elements = elements.iter().enumerate();
            Json::Arr(
                elements
                    .map(|(index, element)| arranged(element, before(index), order, rng))
                    .collect(),
            )
        }
        Json::Obj(members) => {
            let mut members: Vec<_> = members
                .iter()
                .map(|(name, value)| {
                    let before = before.and_then(|before| before.member(name));
                    (name.clone(), arranged(value, before, order, rng))
                })
                .collect();
            match order {
                Order::Sorted => members.sort_by(|a, b| a.0.cmp(&b.0)),
                Order::Reversed => members.reverse(),
                Order::ChangedShuffled if before == Some(value) => {}
                Order::Shuffled | Order::ChangedShuffled => {
                    for place in (1..members.len()).rev() {
                        members.swap(place, rng.below(place + 1));
                    }
                }
                Order::Document | Order::OneShuffled | Order::OneShuffledAndSpaced => {}
            }
            Json::Obj(members)
        }
    }
}

/// Writes snapshots in this order.
fn write_in_order(values: Vec<Json>, order: Order, source: &mut ByteSource<'_>) -> Snapshots {
    let odd = source.below(values.len().min(256));
    let mut before: Option<Json> = None;
    let mut snapshots = Vec::new();
    for (index, value) in values.into_iter().enumerate() {
        let mut style = Style::plain(Escapes::Few);
        let mut of_this_one = order;
        if index == odd && matches!(order, Order::OneShuffled | Order::OneShuffledAndSpaced) {
            of_this_one = Order::Shuffled;
            if order == Order::OneShuffledAndSpaced {
                style.spaces = source.byte();
            }
        }
        let mut rng = SeededRng::new(source.byte());
        let arranged = arranged(&value, before.as_ref(), of_this_one, &mut rng);
        let text = write(&arranged, style);
        before = Some(value);
        snapshots.push((arranged, text));
    }
    snapshots
}

fn one_style(source: &mut ByteSource<'_>) -> Escapes {
    *source.choose(&[Escapes::Few, Escapes::Few, Escapes::Many])
}

proptest! {
    #![proptest_config(config(CASES))]

    /// With members in the order of writing, the chunks are known to the byte.
    #[test]
    fn ordered_producer_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let escapes = one_style(&mut source);
        let steps = Producer::default().steps(&document, &mut source);
        let snapshots = plain(sample_snapshots(steps, &mut source), escapes);
        let mut reference = Reference::new(escapes);
        compare(&mut Chunker::new(), &mut reference, &snapshots, to_the_byte)?;
    }

    /// Members in random order at every level, with white space anywhere.
    #[test]
    fn shuffling_producer_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let escapes = one_style(&mut source);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::shuffling(&mut source, escapes).write_all(values, &mut source);
        compare(&mut Chunker::new(), &mut Reference::new(escapes), &snapshots, as_much)?;
    }

    /// For every member order the same amount of text is emitted at the same time.
    #[test]
    fn producer_with_any_member_order_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let order = *source.choose(&ORDERS);
        let steps = Producer::default().steps(&document, &mut source);
        let snapshots = write_in_order(sample_snapshots(steps, &mut source), order, &mut source);
        compare(&mut Chunker::new(), &mut Reference::new(Escapes::Few), &snapshots, as_much)?;
    }

    /// The escapes of the same text differ between snapshots.
    #[test]
    fn producer_with_random_escapes_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::any(&mut source).write_all(values, &mut source);
        compare(&mut Chunker::new(), &mut Reference::new(Escapes::Few), &snapshots, are_equivalent)?;
    }

    /// With the option, numbers that grow digit by digit are held like strings.
    #[test]
    fn producer_of_growing_numbers_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let producer = Producer { growing_numbers: true, ..Producer::default() };
        let steps = producer.steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::shuffling(&mut source, Escapes::Few).write_all(values, &mut source);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = true;
        let mut chunker = Chunker::new().growing_numbers(true);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// Members that are not written yet are null or a default, and may keep that value.
    #[test]
    fn producer_of_placeholders_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let growing_numbers = source.one_in(2);
        let fill = *source.choose(&[Fill::Null, Fill::NestedNull, Fill::Defaults]);
        let producer = Producer { growing_numbers, fill, in_order: source.one_in(2) };
        let steps = producer.steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::shuffling(&mut source, Escapes::Few).write_all(values, &mut source);
        let absent_values = match fill {
            Fill::Defaults => AbsentValues::Defaults,
            Fill::Nothing | Fill::Null | Fill::NestedNull => AbsentValues::Null,
        };
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        reference.absent_values = absent_values;
        let mut chunker = Chunker::new()
            .growing_numbers(growing_numbers)
            .absent_values(absent_values);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// Options that the producer does not need change nothing.
    #[test]
    fn unneeded_options_change_nothing(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let growing_numbers = source.one_in(2);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::shuffling(&mut source, Escapes::Few).write_all(values, &mut source);
        let absent_values = *source.choose(&ABSENT_VALUES);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        reference.absent_values = absent_values;
        let mut chunker = Chunker::new()
            .growing_numbers(growing_numbers)
            .absent_values(absent_values);
        compare(&mut chunker, &mut reference, &snapshots, as_much)?;
    }

    /// With members in order, everything known is emitted after every push.
    #[test]
    fn in_order_emits_the_snapshot_without_its_closers(
        document in documents(),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let producer = Producer { in_order: true, ..Producer::default() };
        let steps = producer.steps(&document, &mut source);
        let snapshots = plain(sample_snapshots(steps, &mut source), Escapes::Few);
        let mut chunker = Chunker::new()
            .member_order(MemberOrder::Written)
            .absent_values(AbsentValues::Nothing);
        let mut all = String::new();
        for (value, text) in &snapshots {
            chunker.push_into(text, &mut all).unwrap();
            prop_assert_eq!(&all, &without_closers(value));
            prop_assert_eq!(chunker.held_count(), 0);
        }
        chunker.finish_into(&mut all);
        prop_assert_eq!(&all, &snapshots.last().unwrap().1);
        prop_assert!(chunker.take_revisions().is_empty());
    }

    /// With members in order, placeholders change neither order nor value, and white space changes
    /// nothing.
    #[test]
    fn in_order_with_placeholders_ends_as_the_last_snapshot(
        document in documents(),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let fill = *source.choose(&[Fill::Nothing, Fill::Null, Fill::NestedNull, Fill::Defaults]);
        let producer = Producer { fill, in_order: true, growing_numbers: source.one_in(2) };
        let steps = producer.steps(&document, &mut source);
        let snapshots = plain(sample_snapshots(steps, &mut source), Escapes::Few);
        let absent_values = match fill {
            Fill::Nothing => *source.choose(&ABSENT_VALUES),
            Fill::Null | Fill::NestedNull => AbsentValues::Null,
            Fill::Defaults => AbsentValues::Defaults,
        };
        let mut chunker = Chunker::new()
            .member_order(MemberOrder::Written)
            .absent_values(absent_values);
        let chunks = follow(&mut chunker, &snapshots, Missing::Anything)?;
        prop_assert_eq!(&chunks.concat(), &snapshots.last().unwrap().1);
        prop_assert!(chunker.take_revisions().is_empty());
    }

    /// If every step is a snapshot, only half a character is held.
    #[test]
    fn nothing_is_held_if_every_step_is_a_snapshot(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        // The open number may grow even without the option.
        let growing_numbers = source.one_in(2);
        let producer = Producer { growing_numbers, ..Producer::default() };
        let values = producer.steps(&document, &mut source);
        let snapshots = Styles::any(&mut source).write_all(values, &mut source);
        let mut chunker = Chunker::new().absent_values(AbsentValues::Nothing);
        follow(&mut chunker, &snapshots, Missing::HalfCharacter)?;
        follow(&mut Chunker::new(), &snapshots, Missing::Nulls)?;
    }

    /// `finish` may be called after any snapshot, which is the last one then.
    #[test]
    fn stream_may_end_after_any_snapshot(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let steps = Producer::default().steps(&document, &mut source);
        let values = sample_snapshots(steps, &mut source);
        let snapshots = Styles::any(&mut source).write_all(values, &mut source);
        let mut chunker = Chunker::new();
        let mut all = String::new();
        for (value, text) in &snapshots {
            chunker.push_into(text, &mut all).unwrap();
            let mut ended = all.clone();
            chunker.clone().finish_into(&mut ended);
            prop_assert_eq!(&read(&ended, Duplicates::Rejected), &Ok(value.clone()));
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// Long, wide and deep documents follow the same laws.
    #[test]
    fn producer_of_large_documents_keeps_the_laws(document in large_documents(), source in many_choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let escapes = one_style(&mut source);
        let styles = Styles::shuffling(&mut source, escapes);
        let steps = Producer::default().steps(&document, &mut source);
        let values = thin_out(sample_snapshots(steps, &mut source), 60);
        let snapshots = styles.write_all(values, &mut source);
        compare(&mut Chunker::new(), &mut Reference::new(escapes), &snapshots, as_much)?;
    }

    /// The same in any order of members.
    #[test]
    fn large_documents_with_any_member_order_keep_the_laws(
        document in large_documents(),
        source in many_choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let order = *source.choose(&ORDERS);
        let steps = Producer::default().steps(&document, &mut source);
        let values = thin_out(sample_snapshots(steps, &mut source), 60);
        let snapshots = write_in_order(values, order, &mut source);
        compare(&mut Chunker::new(), &mut Reference::new(Escapes::Few), &snapshots, as_much)?;
    }
}

proptest! {
    #![proptest_config(config(500))]

    /// The reference itself keeps the laws; otherwise it would prove nothing.
    #[test]
    fn reference_keeps_the_laws(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let growing_numbers = source.one_in(2);
        let fill = *source.choose(&[Fill::Nothing, Fill::Null, Fill::NestedNull, Fill::Defaults]);
        let every_step = source.one_in(2) && fill == Fill::Nothing;
        let producer = Producer { growing_numbers, fill, ..Producer::default() };
        let mut values = producer.steps(&document, &mut source);
        let mut missing = Missing::Nulls;
        if !every_step {
            values = sample_snapshots(values, &mut source);
            missing = Missing::Anything;
        }
        let snapshots = plain(values, Escapes::Few);
        let mut reference = Reference::new(Escapes::Few);
        reference.growing_numbers = growing_numbers;
        if fill == Fill::Defaults {
            reference.absent_values = AbsentValues::Defaults;
        }
        follow(&mut reference, &snapshots, missing)?;
    }
}
