//! What holds for the forms of any document: every prefix and every split, and law 9.

#![cfg(all(feature = "derive", feature = "stream"))]
use std::collections::BTreeMap;

use futures::StreamExt as _;
use futures::executor::block_on;
use futures::stream;
use json_chunks::partial::{FromPartial, complete_json, from_partial_str};
use json_chunks::stream::{FragmentStreamExt as _, MachineStreamExt as _};
use json_chunks::{Chunker, Parser, Partial, PartialPolicy};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Every shape that a type can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
#[serde(rename_all = "camelCase")]
struct Shapes {
    plain_text: String,
    #[partial(done)]
    done: u32,
    #[partial(state)]
    with_state: Option<String>,
    list: Vec<Element>,
    map: BTreeMap<String, Tagged>,
    outside: Outside,
    beside: Vec<Beside>,
    untagged: Untagged,
    pair: (bool, String),
    again: Option<Box<Self>>,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
struct Flat {
    left: f64,
    right: Kind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
struct Element {
    #[partial(required, done)]
    id: String,
    kinds: Vec<Kind>,
    #[partial(state)]
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Partial)]
enum Kind {
    Day,
    DayTrip,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
#[serde(tag = "type")]
enum Tagged {
    Element(Element),
    Named { name: String, flat: Flat },
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
enum Outside {
    Text(String),
    Two(u32, Kind),
    Named { flat: Flat },
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
#[serde(tag = "t", content = "c")]
enum Beside {
    Text(String),
    Two(u32, Kind),
    Named { flat: Flat },
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Partial)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    List(Vec<u32>),
    Flat(Flat),
    Element(Element),
    Text(String),
}

/// Whether the first is what there may be of the second while that is being written.
trait PartOf<T> {
    fn is_part_of(&self, all: &T) -> bool;
}

impl<T, U: PartOf<T>> PartOf<T> for Option<U> {
    fn is_part_of(&self, all: &T) -> bool {
        self.as_ref().is_none_or(|part| part.is_part_of(all))
    }
}

impl PartOf<Self> for String {
    fn is_part_of(&self, all: &Self) -> bool {
        all.starts_with(self.as_str())
    }
}

/// A number in digits: what is there is its start.
impl PartOf<Self> for u32 {
    fn is_part_of(&self, all: &Self) -> bool {
        all.to_string().starts_with(&self.to_string())
    }
}

impl PartOf<Self> for f64 {
    fn is_part_of(&self, all: &Self) -> bool {
        self.abs() <= all.abs()
    }
}

impl PartOf<Self> for Kind {
    fn is_part_of(&self, all: &Self) -> bool {
        self == all
    }
}

impl PartOf<Self> for bool {
    fn is_part_of(&self, all: &Self) -> bool {
        self == all
    }
}

impl<T, U: PartOf<T>> PartOf<Vec<T>> for Vec<U> {
    fn is_part_of(&self, all: &Vec<T>) -> bool {
        self.len() <= all.len() && self.iter().zip(all).all(|(part, all)| part.is_part_of(all))
    }
}

impl<T, U: PartOf<T>> PartOf<BTreeMap<String, T>> for BTreeMap<String, U> {
    fn is_part_of(&self, all: &BTreeMap<String, T>) -> bool {
        let is_part =
            |(name, part): (&String, &U)| all.get(name).is_some_and(|all| part.is_part_of(all));
        self.iter().all(is_part)
    }
}

/// A value with its state: if it is complete, it is all there is.
fn is_state_of(part: Option<&Partial<String>>, all: &str) -> bool {
    part.is_none_or(|part| all.starts_with(&part.value) && (!part.is_complete || part.value == all))
}

impl PartOf<Flat> for PartialFlat {
    fn is_part_of(&self, all: &Flat) -> bool {
        self.left.is_part_of(&all.left) && self.right.is_part_of(&all.right)
    }
}

impl PartOf<Element> for PartialElement {
    fn is_part_of(&self, all: &Element) -> bool {
        self.id == all.id
            && self.kinds.is_part_of(&all.kinds)
            && is_state_of(self.text.as_ref(), &all.text)
    }
}

impl PartOf<Tagged> for PartialTagged {
    fn is_part_of(&self, all: &Tagged) -> bool {
        match (self, all) {
            (Self::Element(part), Tagged::Element(all)) => part.is_part_of(all),
            (
                Self::Named { name, flat },
                Tagged::Named {
                    name: all,
                    flat: all_flat,
                },
            ) => name.is_part_of(all) && flat.is_part_of(all_flat),
            (Self::Nothing, Tagged::Nothing) => true,
            _ => false,
        }
    }
}

macro_rules! part_of_enum {
    ($($part:ident $all:ident)*) => {$(
        impl PartOf<$all> for $part {
            fn is_part_of(&self, all: &$all) -> bool {
                match (self, all) {
                    (Self::Text(part), $all::Text(all)) => part.is_part_of(all),
                    (Self::Two(n, kind), $all::Two(all, all_kind)) => {
                        n.is_part_of(all) && kind.is_part_of(all_kind)
                    }
                    (Self::Named { flat }, $all::Named { flat: all }) => flat.is_part_of(all),
                    (Self::Nothing, $all::Nothing) => true,
                    _ => false,
                }
            }
        }
    )*};
}

part_of_enum!(PartialOutside Outside PartialBeside Beside);

impl PartOf<Untagged> for PartialUntagged {
    fn is_part_of(&self, all: &Untagged) -> bool {
        match (self, all) {
            (Self::Flag(part), Untagged::Flag(all)) => part == all,
            (Self::List(part), Untagged::List(all)) => part.is_part_of(all),
            (Self::Flat(part), Untagged::Flat(all)) => part.is_part_of(all),
            (Self::Element(part), Untagged::Element(all)) => part.is_part_of(all),
            (Self::Text(part), Untagged::Text(all)) => part.is_part_of(all),
            _ => false,
        }
    }
}

impl PartOf<Shapes> for PartialShapes {
    fn is_part_of(&self, all: &Shapes) -> bool {
        let again = match (&self.again, &all.again) {
            (None, _) => true,
            (Some(part), Some(all)) => part.is_part_of(all),
            (Some(_), None) => false,
        };
        let pair = self.pair.as_ref().is_none_or(|(flag, text)| {
            flag.is_part_of(&all.pair.0) && text.is_part_of(&all.pair.1)
        });
        self.plain_text.is_part_of(&all.plain_text)
            && self.done.is_none_or(|done| done == all.done)
            && is_state_of(
                self.with_state.as_ref(),
                all.with_state.as_deref().unwrap_or_default(),
            )
            && self.list.is_part_of(&all.list)
            && self.map.is_part_of(&all.map)
            && self.outside.is_part_of(&all.outside)
            && self.beside.is_part_of(&all.beside)
            && self.untagged.is_part_of(&all.untagged)
            && pair
            && again
            && self.flat.is_part_of(&all.flat)
    }
}

/// Whether nothing is missing in the form of the complete value.
fn is_all(part: &PartialShapes, all: &Shapes) -> bool {
    let lists = part
        .list
        .as_ref()
        .is_some_and(|list| list.len() == all.list.len())
        && part
            .map
            .as_ref()
            .is_some_and(|map| map.len() == all.map.len())
        && part
            .beside
            .as_ref()
            .is_some_and(|beside| beside.len() == all.beside.len());
    let again = match (&part.again, &all.again) {
        (None, None) => true,
        (Some(part), Some(all)) => is_all(part, all),
        _ => false,
    };
    lists
        && again
        && part.plain_text.as_ref() == Some(&all.plain_text)
        && part.done == Some(all.done)
        && part.with_state == all.with_state.clone().map(Partial::complete)
        && part.outside.is_some()
        && part.untagged.is_some()
        && part
            .flat
            .as_ref()
            .is_some_and(|flat| flat.left == Some(all.flat.left))
        && part.is_part_of(all)
}

fn shapes(source: &mut ByteSource<'_>, levels: usize) -> Shapes {
    const TEXTS: &[&str] = &["", "Day", "DayTrip", "Tea \"XL\"", "é\n😀", "type"];
    fn text(source: &mut ByteSource<'_>) -> String {
        (*source.choose(TEXTS)).to_owned()
    }
    fn kind(source: &mut ByteSource<'_>) -> Kind {
        *source.choose(&[Kind::Day, Kind::DayTrip])
    }
    fn flat(source: &mut ByteSource<'_>) -> Flat {
        Flat {
            left: f64::from(source.byte()) / 8.0,
            right: kind(source),
        }
    }
    fn number(source: &mut ByteSource<'_>) -> u32 {
        u32::from(source.byte()) * 997
    }
    fn element(source: &mut ByteSource<'_>) -> Element {
        Element {
            id: text(source),
            kinds: (0..source.below(3)).map(|_| kind(source)).collect(),
            text: text(source),
        }
    }
    fn tagged(source: &mut ByteSource<'_>) -> Tagged {
        match source.below(3) {
            0 => Tagged::Nothing,
            1 => Tagged::Element(element(source)),
            _ => Tagged::Named {
                name: text(source),
                flat: flat(source),
            },
        }
    }
    Shapes {
        plain_text: text(source),
        done: number(source),
        with_state: source.one_in(2).then(|| text(source)),
        list: (0..source.below(3)).map(|_| element(source)).collect(),
        map: (0..source.below(3))
            .map(|_| (text(source), tagged(source)))
            .collect(),
        outside: match source.below(4) {
            0 => Outside::Nothing,
            1 => Outside::Text(text(source)),
            2 => Outside::Two(number(source), kind(source)),
            _ => Outside::Named { flat: flat(source) },
        },
        beside: (0..source.below(3))
            .map(|_| match source.below(4) {
                0 => Beside::Nothing,
                1 => Beside::Text(text(source)),
                2 => Beside::Two(number(source), kind(source)),
                _ => Beside::Named { flat: flat(source) },
            })
            .collect(),
        untagged: match source.below(5) {
            0 => Untagged::Flag(source.one_in(2)),
            1 => Untagged::List((0..source.below(3)).map(|_| number(source)).collect()),
            2 => Untagged::Flat(flat(source)),
            3 => Untagged::Element(element(source)),
            _ => Untagged::Text(text(source)),
        },
        pair: (source.one_in(2), text(source)),
        again: (levels > 0 && source.one_in(3)).then(|| Box::new(shapes(source, levels - 1))),
        flat: flat(source),
    }
}

/// The members of all objects in another order, so that tags follow what they tag.
fn shuffled(value: &serde_json::Value, source: &mut ByteSource<'_>) -> String {
    match value {
        serde_json::Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            for place in (1..members.len()).rev() {
                members.swap(place, source.below(place + 1));
            }
            let members = members.into_iter().map(|(name, value)| {
                let name = serde_json::to_string(name).unwrap();
                format!("{name}:{}", shuffled(value, source))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        serde_json::Value::Array(elements) => {
            let elements = elements.iter().map(|element| shuffled(element, source));
            format!("[{}]", elements.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// The text in pieces whose lengths the source says.
fn split<'t>(mut text: &'t [u8], source: &mut ByteSource<'_>) -> Vec<&'t [u8]> {
    let mut fragments = Vec::new();
    while !text.is_empty() {
        let (fragment, rest) = text.split_at((1 + source.below(40)).min(text.len()));
        fragments.push(fragment);
        text = rest;
    }
    fragments
}

proptest! {
    #![proptest_config(config(CASES / 10))]

    /// Every prefix of a document has a form, in any order of the members; it is a part of the
    /// value, nothing that was shown disappears, and the last one is all of it.
    #[test]
    fn form_of_every_prefix_is_a_part_of_the_value(source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let all = shapes(&mut source, 2);
        let text = shuffled(&serde_json::to_value(&all).unwrap(), &mut source);
        let mut parser = Parser::new();
        let mut last: Option<PartialShapes> = None;
        for (end, byte) in text.as_bytes().iter().enumerate() {
            parser.push(std::slice::from_ref(byte)).unwrap();
            let root = parser.root().unwrap();
            let part = PartialShapes::from_partial(root, PartialPolicy::default());
            let shown = text.get(..=end).unwrap_or_default();
            prop_assert!(part.is_ok(), "{:?}: {}", part, shown);
            let part = part.unwrap();
            prop_assert!(part.is_part_of(&all), "{:?} is no part of {:?}: {}", part, all, shown);
            if let Some(last) = &last {
                let grows = |old: usize, new: usize| old <= new;
                prop_assert!(grows(last.list.iter().flatten().count(), part.list.iter().flatten().count()));
                prop_assert!(grows(last.map.iter().flatten().count(), part.map.iter().flatten().count()));
                prop_assert!(last.outside.is_none() || part.outside.is_some());
                prop_assert!(last.with_state.is_none() || part.with_state.is_some());
                prop_assert!(last.done.is_none() || part.done == last.done);
                prop_assert!(last.again.is_none() || part.again.is_some());
            }
            last = Some(part);
        }
        prop_assert!(is_all(&last.unwrap(), &all), "{}", text);
    }

    /// However the text is split, the stream ends with the same form, which is the only complete
    /// one, and each item is the form of its prefix.
    #[test]
    fn stream_yields_the_form_of_each_prefix(source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let all = shapes(&mut source, 1);
        let text = shuffled(&serde_json::to_value(&all).unwrap(), &mut source);
        let fragments = split(text.as_bytes(), &mut source);
        let items = stream::iter(fragments).json_partials::<PartialShapes>();
        let items: Vec<Partial<PartialShapes>> = block_on(items.collect());
        let (last, before) = items.split_last().unwrap();
        prop_assert!(last.is_complete && is_all(&last.value, &all));
        prop_assert!(before.iter().all(|item| !item.is_complete && item.value.is_part_of(&all)));
        let one: Partial<PartialShapes> = from_partial_str(&text).unwrap();
        prop_assert_eq!(&one, last);
    }

    /// Law 9: chunks → forms end at the last snapshot's value, also from snapshots whose members
    /// are shuffled each time.
    #[test]
    fn forms_of_chunks_end_at_the_last_snapshot(source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let all = shapes(&mut source, 1);
        let text = serde_json::to_string(&all).unwrap();
        let value = |end: usize| {
            let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap();
            let snapshot = complete_json(text.get(..end).unwrap());
            serde_json::from_str::<serde_json::Value>(&snapshot).unwrap()
        };
        let steps = 1 + source.below(20);
        let mut snapshots: Vec<String> = (1..steps)
            .map(|step| shuffled(&value(step * text.len() / steps), &mut source))
            .collect();
        snapshots.push(shuffled(&value(text.len()), &mut source));
        // The snapshots are shuffled and cut inside of numbers.
        let chunker = Chunker::new().growing_numbers(true);
        let chunks = stream::iter(snapshots).through(chunker);
        let items: Vec<_> = block_on(chunks.json_partials::<PartialShapes>().collect());
        let last = items.last().unwrap();
        prop_assert!(last.is_complete);
        let complete: Partial<PartialShapes> = from_partial_str(&text).unwrap();
        prop_assert_eq!(last, &complete);
        prop_assert!(items[..items.len() - 1].iter().all(|item| !item.is_complete));
    }

    /// No document and no prefix of one makes a form panic, and every prefix is completed.
    #[test]
    fn no_prefix_makes_a_form_panic(document in documents(), source in choice_bytes(), cut in any::<u16>()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut parser = Parser::new();
        let cut = usize::from(cut) % (text.len() + 1);
        parser.push(&text.as_bytes()[..cut]).unwrap();
        if let Some(root) = parser.root() {
            let partials = PartialPolicy::default();
            let _ = PartialShapes::from_partial(root, partials);
            let _ = PartialTagged::from_partial(root, partials);
            let _ = PartialOutside::from_partial(root, partials);
            let _ = PartialBeside::from_partial(root, partials);
            let _ = PartialUntagged::from_partial(root, partials);
        }
        if let Ok(prefix) = str::from_utf8(&text.as_bytes()[..cut]) {
            // Its text is JSON, and stays as it is.
            let completed = complete_json(prefix);
            prop_assert!(serde_json::from_str::<IgnoredAny>(&completed).is_ok(), "{}", completed);
            prop_assert_eq!(complete_json(&completed), completed);
        }
    }
}
