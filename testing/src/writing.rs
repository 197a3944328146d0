//! Random documents, and the snapshots in which a model writes them.

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};

use crate::byte_source::ByteSource;
use crate::json::{Json, REPLACEMENT, Text, is_high_surrogate, is_low_surrogate, text};

/// Generates JSON values with all kinds of numbers, names and characters.
pub fn documents() -> impl Strategy<Value = Json> {
    let inner = scalars().prop_recursive(3, 12, 4, containers).boxed();
    prop_oneof![
        1 => scalars(),
        9 => containers(inner),
    ]
}

fn containers(inner: BoxedStrategy<Json>) -> impl Strategy<Value = Json> {
    prop_oneof![
        1 => vec(inner.clone(), 0..5).prop_map(Json::Arr),
        3 => vec((names(), inner), 0..6).prop_map(object),
    ]
}

/// Generates objects with many members, arrays with many elements and long strings.
pub fn large_documents() -> impl Strategy<Value = Json> {
    let long = (texts(40), 1..40_usize).prop_map(|(mut text, times)| {
        // The text must not end with half a character, because it may start with the other half.
        text.push(u32::from('.'));
        Json::Str(text.repeat(times))
    });
    let inner = prop_oneof![
        3 => scalars(),
        1 => long,
        1 => containers(scalars().boxed()),
    ]
    .boxed();
    let many_names = (0..200_u8).prop_map(|number| text(&format!("name {number}")));
    let wide = vec((many_names, inner.clone()), 20..90)
        .prop_map(object)
        .boxed();
    prop_oneof![
        2 => wide.clone(),
        1 => vec(inner, 20..90).prop_map(Json::Arr),
        1 => (names(), wide).prop_map(|member| object(vec![member])),
    ]
}

/// Generates bytes for a [`ByteSource`].
pub fn choice_bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..300)
}

/// Generates bytes for a [`ByteSource`] that large documents need.
pub fn many_choice_bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..3000)
}

fn scalars() -> impl Strategy<Value = Json> {
    prop_oneof![
        1 => Just(Json::Null),
        1 => any::<bool>().prop_map(Json::Bool),
        2 => numbers().prop_map(Json::Num),
        4 => texts(7).prop_map(Json::Str),
    ]
}

/// Numbers whose text matters.
pub const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1.10",
    "1e400",
    "-1E-7",
    "0.000e+00",
    "9007199254740993",
    "123456789012345678901234567890",
];

fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => proptest::sample::select(NUMBERS).prop_map(str::to_owned),
        1 => any::<i16>().prop_map(|number| number.to_string()),
    ]
}

fn texts(longest: usize) -> impl Strategy<Value = Text> {
    let characters = prop_oneof![
        8 => proptest::char::range('a', 'z').prop_map(u32::from),
        4 => proptest::sample::select(&['"', '\\', '/', '\n', '\u{1}', '\u{7f}', ' ', '~'][..])
            .prop_map(u32::from),
        3 => proptest::sample::select(&['é', '中', '\u{2028}', '😀', '𝄞'][..]).prop_map(u32::from),
        1 => proptest::sample::select(&[REPLACEMENT, 0xD83D, 0xDE00][..]),
        1 => any::<char>().prop_map(u32::from),
    ];
    vec(characters, 0..longest).prop_map(|mut text| {
        // Two adjacent halves would be one character.
        while let Some(pair) = text
            .windows(2)
            .position(|two| is_high_surrogate(two[0]) && is_low_surrogate(two[1]))
        {
            text.remove(pair);
        }
        text
    })
}

fn names() -> impl Strategy<Value = Text> {
    const AWKWARD: &[&str] = &[
        "", ".", "a.b", "[0]", "\"", "\\", "/", "~1", "\u{0}", "é", "😀", "0", "-",
    ];
    prop_oneof![
        3 => proptest::sample::select(&["a", "b", "c", "d", "e"][..]).prop_map(text),
        1 => proptest::sample::select(AWKWARD).prop_map(text),
    ]
}

/// Returns an object with these members; of several with the same name only the first.
fn object(members: Vec<(Text, Json)>) -> Json {
    let mut unique: Vec<(Text, Json)> = Vec::new();
    for (name, value) in members {
        if unique.iter().all(|(other, _)| *other != name) {
            unique.push((name, value));
        }
    }
    Json::Obj(unique)
}

/// The kind of a producer of snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Producer {
    /// Numbers grow digit by digit.
    pub growing_numbers: bool,
    /// What it shows in place of members that are not written yet.
    pub fill: Fill,
    /// Members are written, and shown, in the order of the document.
    pub in_order: bool,
}

/// A placeholder for members that are not written yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    #[default]
    Nothing,
    /// null, as serde writes an `Option`.
    Null,
    /// null in place of scalars and arrays, while objects have all of their members from the start.
    NestedNull,
    /// The default value of a type, as serde, Go and protobuf write it.
    Defaults,
}

impl Fill {
    fn placeholder(self, value: &Json) -> Option<Json> {
        let members = |members: &[(Text, Json)]| {
            let members = members.iter().filter_map(|(name, value)| {
                let value = self.placeholder(value)?;
                Some((name.clone(), value))
            });
            Json::Obj(members.collect())
        };
        match (self, value) {
            (Self::Nothing, _) => None,
            // An empty object is written as soon as it is shown, so its placeholder is null.
            (Self::NestedNull, Json::Obj(own)) if own.is_empty() => Some(Json::Null),
            (Self::NestedNull | Self::Defaults, Json::Obj(own)) => Some(members(own)),
            (Self::Null | Self::NestedNull, _) | (Self::Defaults, Json::Null) => Some(Json::Null),
            (Self::Defaults, Json::Bool(_)) => Some(Json::Bool(false)),
            (Self::Defaults, Json::Num(_)) => Some(Json::Num("0".to_owned())),
            (Self::Defaults, Json::Str(_)) => Some(Json::Str(Vec::new())),
            (Self::Defaults, Json::Arr(_)) => Some(Json::Arr(Vec::new())),
        }
    }
}

impl Producer {
    /// Returns every state of the document while the model writes it depth first, the members of
    /// each object in a random order and strings piece by piece.
    pub fn steps(self, document: &Json, source: &mut ByteSource<'_>) -> Vec<Json> {
        match document {
            Json::Null | Json::Bool(_) => vec![document.clone()],
            Json::Num(number) => self.number(number),
            Json::Str(text) => string(text, source),
            Json::Arr(elements) => {
                let mut steps = starts_empty(elements.is_empty(), Json::Arr(Vec::new()), source);
                let mut done = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    for growing in self.steps(element, source) {
                        done.truncate(index);
                        done.push(growing);
                        steps.push(Json::Arr(done.clone()));
                    }
                }
                steps
            }
            Json::Obj(members) => self.object(members, source),
        }
    }

    fn object(self, members: &[(Text, Json)], source: &mut ByteSource<'_>) -> Vec<Json> {
        let mut unwritten: Vec<_> = members.iter().collect();
        let mut done: Vec<(Text, Json)> = Vec::new();
        let show = |done: &[(Text, Json)], unwritten: &[&(Text, Json)]| {
            let mut shown = done.to_vec();
            shown.extend(unwritten.iter().filter_map(|(name, value)| {
                let placeholder = self.fill.placeholder(value)?;
                Some((name.clone(), placeholder))
            }));
            Json::Obj(shown)
        };
        let mut steps = starts_empty(members.is_empty(), show(&done, &unwritten), source);
        while !unwritten.is_empty() {
            let next = if self.in_order {
                0
            } else {
                source.below(unwritten.len())
            };
            let (name, value) = unwritten.remove(next);
            let written = done.len();
            for growing in self.steps(value, source) {
                done.truncate(written);
                done.push((name.clone(), growing));
                steps.push(show(&done, &unwritten));
            }
        }
        steps
    }

    fn number(self, number: &str) -> Vec<Json> {
        let mut steps = Vec::new();
        if self.growing_numbers {
            // Only prefixes that are numbers: they do not end with a sign, a point or an `e`.
            let lengths = (1..number.len()).filter(|&length| {
                let start = number.get(..length).unwrap();
                start.ends_with(|last: char| last.is_ascii_digit())
            });
            steps.extend(lengths.map(|length| Json::Num(number.get(..length).unwrap().to_owned())));
        }
        steps.push(Json::Num(number.to_owned()));
        steps
    }
}

/// Returns the empty container as first step, or nothing, so that it appears with its first child.
fn starts_empty(is_empty: bool, start: Json, source: &mut ByteSource<'_>) -> Vec<Json> {
    if is_empty || source.one_in(2) {
        vec![start]
    } else {
        Vec::new()
    }
}

fn string(text: &[u32], source: &mut ByteSource<'_>) -> Vec<Json> {
    let mut steps = Vec::new();
    let mut end = source.below(text.len() + 1);
    loop {
        let piece = text[..end].to_vec();
        let Some(&next) = text.get(end) else {
            steps.push(Json::Str(piece));
            return steps;
        };
        // A decoder shows the first half of the next character as U+FFFD or as a surrogate.
        let half: Option<Text> = match source.below(6) {
            4 if next > 0x7F => Some(vec![REPLACEMENT; 1 + source.below(3)]),
            5 if next > 0xFFFF => Some(vec![0xD800 + ((next - 0x1_0000) >> 10)]),
            _ => None,
        };
        let with_half = half.map(|half| Json::Str([&piece[..], &half].concat()));
        steps.push(Json::Str(piece));
        steps.extend(with_half);
        end = match source.below(4) {
            0 => text.len(),
            more => text.len().min(end + more * (1 + text.len() / 16)),
        };
    }
}

/// Samples snapshots from the steps: some are skipped, some repeated, the last is always included.
pub fn sample_snapshots(steps: Vec<Json>, source: &mut ByteSource<'_>) -> Vec<Json> {
    let keeps_one_in = [1, 1, 2, 2, 3, 5, 9][source.below(7)];
    let last = steps.len() - 1;
    let mut snapshots = Vec::new();
    for (index, step) in steps.into_iter().enumerate() {
        if index == last || source.below(keeps_one_in) == 0 {
            let repeats = if source.one_in(8) {
                1 + source.below(3)
            } else {
                0
            };
            snapshots.extend(std::iter::repeat_n(step, 1 + repeats));
        }
    }
    snapshots
}

/// Returns at most `most` of the snapshots, evenly spread and including the last.
pub fn thin_out(mut snapshots: Vec<Json>, most: usize) -> Vec<Json> {
    while snapshots.len() > most {
        snapshots = snapshots.into_iter().rev().step_by(2).collect();
        snapshots.reverse();
    }
    snapshots
}
