//! Laws for calls with any arguments, in any order of members, in any surrounding text.

use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

use super::{story, whole_story};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::json::{Json, text};
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};

/// A call as a model may write it.
#[derive(Clone, Debug)]
struct Planned {
    name: String,
    id: Option<String>,
    arguments: Json,
}

/// A part of the text.
enum Part {
    Call(Planned),
    Other(Json),
}

fn parts() -> impl Strategy<Value = Vec<(bool, Json)>> {
    proptest::collection::vec((proptest::bool::weighted(0.7), documents()), 0..4)
}

/// Inserts objects that look like a call in places where they are none.
fn with_decoys(arguments: Json, source: &mut ByteSource<'_>) -> Json {
    if !source.one_in(3) {
        return arguments;
    }
    let decoy = Json::Obj(vec![
        (text("type"), Json::Str(text("tool_use"))),
        (text("name"), Json::Str(text("decoy"))),
        (text("input"), arguments.clone()),
        (text("arguments"), arguments),
    ]);
    Json::Arr(vec![decoy])
}

fn planned(parts: Vec<(bool, Json)>, source: &mut ByteSource<'_>) -> Vec<Part> {
    const NAMES: &[&str] = &["Read", "é\"", "a/b", "😀"];
    let plan = |(is_call, json): (bool, Json)| {
        if !is_call {
            return Part::Other(json);
        }
        Part::Call(Planned {
            name: (*source.choose(NAMES)).to_owned(),
            id: source.one_in(2).then(|| "call_1".to_owned()),
            arguments: with_decoys(json, source),
        })
    };
    parts.into_iter().map(plan).collect()
}

/// The calls of a preset.
#[derive(Clone, Copy)]
enum Preset {
    Plain,
    Anthropic,
    OpenAi,
}

impl Preset {
    fn shape(self) -> ToolCallShape {
        match self {
            Self::Plain => ToolCallShape::plain(),
            Self::Anthropic => ToolCallShape::anthropic(),
            Self::OpenAi => ToolCallShape::openai(),
        }
    }

    /// The call as an object, whose arguments may be in a string.
    fn object(self, call: &Planned, source: &mut ByteSource<'_>) -> Json {
        let string = |string: &str| Json::Str(text(string));
        let arguments = if source.one_in(2) {
            string(&write(&call.arguments, Styles::any(source).style(source)))
        } else if matches!(call.arguments, Json::Str(_)) {
            // A string is read as the text of the arguments.
            Json::Arr(vec![call.arguments.clone()])
        } else {
            call.arguments.clone()
        };
        let mut members = vec![(text("name"), string(&call.name))];
        let mut outer = Vec::new();
        outer.extend(call.id.as_ref().map(|id| (text("id"), string(id))));
        match self {
            Self::Plain => members.push((text("arguments"), arguments)),
            Self::Anthropic => {
                members.push((text("input"), arguments));
                outer.push((text("type"), string("tool_use")));
            }
            Self::OpenAi => {
                members.push((text("arguments"), arguments));
                outer.push((text("type"), string("function")));
                members = vec![(text("function"), Json::Obj(members))];
            }
        }
        outer.append(&mut members);
        Json::Obj(outer)
    }
}

/// The text, and the calls in it.
fn compose(preset: Preset, parts: &[Part], source: &mut ByteSource<'_>) -> (String, Vec<Planned>) {
    let mut calls = Vec::new();
    let values: Vec<_> = parts
        .iter()
        .map(|part| match part {
            Part::Call(call) => {
                let object = preset.object(call, source);
                calls.push(call.clone());
                object
            }
            Part::Other(json) => json.clone(),
        })
        .collect();
    let roots = match source.below(3) {
        0 => values,
        1 => vec![Json::Arr(values)],
        _ => vec![Json::Obj(vec![(text("calls"), Json::Arr(values))])],
    };
    let texts: Vec<_> = roots
        .iter()
        .map(|root| write(root, Styles::any(source).style(source)))
        .collect();
    (texts.join("\n"), calls)
}

fn preset(source: &mut ByteSource<'_>) -> Preset {
    *source.choose(&[Preset::Plain, Preset::Anthropic, Preset::OpenAi])
}

/// Half of a surrogate pair in JSON inside of a string has several spellings.
fn has_halves(text: &str) -> bool {
    text.contains("\\ud") || text.contains("\\uD") || text.contains('\u{FFFD}')
}

/// The calls that can be executed.
fn done(lines: Vec<String>) -> Vec<String> {
    let done = |line: &String| line.contains(" done ");
    lines.into_iter().filter(done).collect()
}

proptest! {
    #![proptest_config(config(CASES / 2))]

    #[test]
    fn every_call_completes_with_its_arguments(parts in parts(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let preset = preset(&mut source);
        let parts = planned(parts, &mut source);
        let (text, calls) = compose(preset, &parts, &mut source);
        let mut detector = ToolCallDetector::new(preset.shape());
        let events: Vec<_> = detector.push(&text).unwrap().collect();
        let whole: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                ToolCallEvent::Completed(call) => Some(call),
                _ => None,
            })
            .collect();
        prop_assert_eq!(whole.len(), calls.len(), "{}", text);
        for (whole, call) in whole.into_iter().zip(&calls) {
            prop_assert_eq!(whole.name(), &call.name);
            prop_assert_eq!(whole.id(), call.id.as_deref());
            let arguments = read(whole.arguments(), Duplicates::Rejected).unwrap();
            let in_array = Json::Arr(vec![call.arguments.clone()]);
            prop_assert!(
                arguments == call.arguments || arguments == in_array || has_halves(&text),
                "{} from {}", whole.arguments(), text
            );
        }
    }

    #[test]
    fn any_split_reports_the_same_events(parts in parts(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let preset = preset(&mut source);
        let parts = planned(parts, &mut source);
        let (text, _) = compose(preset, &parts, &mut source);
        let whole = whole_story(&preset.shape(), &text);
        prop_assert_eq!(&whole.error, &None);
        let pieces = pieces(text.as_bytes(), &mut source);
        let mut detector = ToolCallDetector::new(preset.shape());
        prop_assert_eq!(story(&mut detector, &pieces), whole);
        detector.reset();
        let by_bytes = story(&mut detector, text.as_bytes().chunks(1));
        prop_assert_eq!(by_bytes, whole_story(&preset.shape(), &text));
    }

    #[test]
    fn prefix_of_the_text_reports_a_prefix_of_the_events(parts in parts(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let preset = preset(&mut source);
        let parts = planned(parts, &mut source);
        let (text, _) = compose(preset, &parts, &mut source);
        let end = text.len() * source.below(256) / 256;
        let whole = whole_story(&preset.shape(), &text);
        let mut detector = ToolCallDetector::new(preset.shape());
        let start = story(&mut detector, [&text.as_bytes()[..end]]);
        let (whole, start) = (done(whole.lines), done(start.lines));
        prop_assert!(whole.starts_with(&start), "{start:?} of {whole:?}");
    }

    #[test]
    fn any_text_is_accepted_without_panic(parts in parts(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let preset = preset(&mut source);
        let parts = planned(parts, &mut source);
        let (text, _) = compose(preset, &parts, &mut source);
        let mut bytes = text.into_bytes();
        for _ in 0..=source.below(3) {
            let place = bytes.len() * source.below(256) / 256;
            let byte = *source.choose(b"\"{}[],:\\a1\xff ");
            if source.one_in(2) {
                bytes.insert(place, byte);
            } else if let Some(there) = bytes.get_mut(place) {
                *there = byte;
            }
        }
        // The listener asserts that each call has one end.
        let pieces = pieces(&bytes, &mut source);
        let reported = story(&mut ToolCallDetector::new(preset.shape()), &pieces);
        let whole = story(&mut ToolCallDetector::new(preset.shape()), [&bytes]);
        prop_assert_eq!(reported.error.is_some(), whole.error.is_some());
        if whole.error.is_none() {
            prop_assert_eq!(&reported.lines, &whole.lines);
        }
        prop_assert_eq!(done(reported.lines), done(whole.lines));
    }
}
