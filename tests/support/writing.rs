//! Random documents, and the values that a model shows while it writes one.

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};

use super::json::{Json, REPLACEMENT, Text, is_high_surrogate, is_low_surrogate, text};
use super::tape::Tape;

/// Any JSON value: nested or not, with whatever numbers, names and characters JSON allows.
pub(crate) fn documents() -> impl Strategy<Value = Json> {
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

/// Objects with many members, arrays with many elements and long strings.
pub(crate) fn large_documents() -> impl Strategy<Value = Json> {
    let long = (texts(40), 1..40_usize).prop_map(|(mut text, times)| {
        // Not half a character: it would meet its other half.
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

/// The bytes behind a [`Tape`].
pub(crate) fn tapes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..300)
}

/// As `tapes`, for large documents.
pub(crate) fn long_tapes() -> impl Strategy<Value = Vec<u8>> {
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

fn numbers() -> impl Strategy<Value = String> {
    const EXOTIC: &[&str] = &[
        "0",
        "-0",
        "1.10",
        "1e400",
        "-1E-7",
        "0.000e+00",
        "9007199254740993",
        "123456789012345678901234567890",
    ];
    prop_oneof![
        1 => proptest::sample::select(EXOTIC).prop_map(str::to_owned),
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
        // Two halves that meet would be one character.
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

/// An object of these members; of two with one name, the first.
fn object(members: Vec<(Text, Json)>) -> Json {
    let mut unique: Vec<(Text, Json)> = Vec::new();
    for (name, value) in members {
        if unique.iter().all(|(other, _)| *other != name) {
            unique.push((name, value));
        }
    }
    Json::Obj(unique)
}

/// What kind of producer it is that shows a document growing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Producer {
    /// Numbers grow digit by digit.
    pub(crate) growing_numbers: bool,
    /// Members that are not written yet show as null.
    pub(crate) null_filled: bool,
}

impl Producer {
    /// Every value that the model shows on its way to `document`: it writes depth first, the
    /// members of each object in an order of its own, strings piece by piece.
    pub(crate) fn steps(self, document: &Json, tape: &mut Tape<'_>) -> Vec<Json> {
        match document {
            Json::Null | Json::Bool(_) => vec![document.clone()],
            Json::Num(number) => self.number(number),
            Json::Str(text) => string(text, tape),
            Json::Arr(elements) => {
                let mut steps = starts_empty(elements.is_empty(), Json::Arr(Vec::new()), tape);
                let mut done = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    for growing in self.steps(element, tape) {
                        done.truncate(index);
                        done.push(growing);
                        steps.push(Json::Arr(done.clone()));
                    }
                }
                steps
            }
            Json::Obj(members) => self.object(members, tape),
        }
    }

    fn object(self, members: &[(Text, Json)], tape: &mut Tape<'_>) -> Vec<Json> {
        let mut unwritten: Vec<_> = members.iter().collect();
        let mut done: Vec<(Text, Json)> = Vec::new();
        let show = |done: &[(Text, Json)], unwritten: &[&(Text, Json)]| {
            let mut shown = done.to_vec();
            if self.null_filled {
                shown.extend(unwritten.iter().map(|(name, _)| (name.clone(), Json::Null)));
            }
            Json::Obj(shown)
        };
        let mut steps = starts_empty(members.is_empty(), show(&done, &unwritten), tape);
        while !unwritten.is_empty() {
            let (name, value) = unwritten.remove(tape.below(unwritten.len()));
            let written = done.len();
            for growing in self.steps(value, tape) {
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
            // What is a number already: not up to a sign, a point or an `e`.
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

/// A container shows empty first, or only with its first child.
fn starts_empty(is_empty: bool, start: Json, tape: &mut Tape<'_>) -> Vec<Json> {
    if is_empty || tape.once_in(2) {
        vec![start]
    } else {
        Vec::new()
    }
}

fn string(text: &[u32], tape: &mut Tape<'_>) -> Vec<Json> {
    let mut steps = Vec::new();
    let mut end = tape.below(text.len() + 1);
    loop {
        let piece = text[..end].to_vec();
        let Some(&next) = text.get(end) else {
            steps.push(Json::Str(piece));
            return steps;
        };
        // A decoder that was cut inside the next character shows what it has of it.
        let half: Option<Text> = match tape.below(6) {
            4 if next > 0x7F => Some(vec![REPLACEMENT; 1 + tape.below(3)]),
            5 if next > 0xFFFF => Some(vec![0xD800 + ((next - 0x1_0000) >> 10)]),
            _ => None,
        };
        let with_half = half.map(|half| Json::Str([&piece[..], &half].concat()));
        steps.push(Json::Str(piece));
        steps.extend(with_half);
        end = match tape.below(4) {
            0 => text.len(),
            more => text.len().min(end + more * (1 + text.len() / 16)),
        };
    }
}

/// What of these steps comes as snapshots: some are left out, some come more than once, and the
/// last always comes.
pub(crate) fn some_of(steps: Vec<Json>, tape: &mut Tape<'_>) -> Vec<Json> {
    let keeps_one_in = [1, 1, 2, 2, 3, 5, 9][tape.below(7)];
    let last = steps.len() - 1;
    let mut snapshots = Vec::new();
    for (index, step) in steps.into_iter().enumerate() {
        if index == last || tape.below(keeps_one_in) == 0 {
            let repeats = if tape.once_in(8) {
                1 + tape.below(3)
            } else {
                0
            };
            snapshots.extend(std::iter::repeat_n(step, 1 + repeats));
        }
    }
    snapshots
}

/// At most so many of these, spread over all of them, the last among them.
pub(crate) fn fewer(mut snapshots: Vec<Json>, most: usize) -> Vec<Json> {
    while snapshots.len() > most {
        snapshots = snapshots.into_iter().rev().step_by(2).collect();
        snapshots.reverse();
    }
    snapshots
}
