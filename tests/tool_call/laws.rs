//! What holds for calls with any arguments, in any order of members, in any text around.

use json_chunks::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

use super::support::feed::pieces;
use super::support::json::{Json, text};
use super::support::read::{Duplicates, read};
use super::support::tape::Tape;
use super::support::write::{Hand, write};
use super::support::writing::{documents, tapes};
use super::support::{CASES, config};
use super::{story, whole_story};

/// A call as a model may write it.
#[derive(Clone, Debug)]
struct Planned {
    name: String,
    id: Option<String>,
    arguments: Json,
}

/// What the text is made of.
enum Part {
    Call(Planned),
    Other(Json),
}

fn parts() -> impl Strategy<Value = Vec<(bool, Json)>> {
    proptest::collection::vec((proptest::bool::weighted(0.7), documents()), 0..4)
}

/// Puts look-alikes of a call where they are none.
fn with_decoys(arguments: Json, tape: &mut Tape<'_>) -> Json {
    if !tape.once_in(3) {
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

fn planned(parts: Vec<(bool, Json)>, tape: &mut Tape<'_>) -> Vec<Part> {
    const NAMES: &[&str] = &["Read", "é\"", "a/b", "😀"];
    let plan = |(is_call, json): (bool, Json)| {
        if !is_call {
            return Part::Other(json);
        }
        Part::Call(Planned {
            name: (*tape.one_of(NAMES)).to_owned(),
            id: tape.once_in(2).then(|| "call_1".to_owned()),
            arguments: with_decoys(json, tape),
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

    /// The call as an object; its arguments in a string at times.
    fn object(self, call: &Planned, tape: &mut Tape<'_>) -> Json {
        let string = |string: &str| Json::Str(text(string));
        let arguments = if tape.once_in(2) {
            string(&write(&call.arguments, Hand::any(tape).style(tape)))
        } else if matches!(call.arguments, Json::Str(_)) {
            // A string is taken for the text of the arguments.
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
fn compose(preset: Preset, parts: &[Part], tape: &mut Tape<'_>) -> (String, Vec<Planned>) {
    let mut calls = Vec::new();
    let values: Vec<_> = parts
        .iter()
        .map(|part| match part {
            Part::Call(call) => {
                let object = preset.object(call, tape);
                calls.push(call.clone());
                object
            }
            Part::Other(json) => json.clone(),
        })
        .collect();
    let roots = match tape.below(3) {
        0 => values,
        1 => vec![Json::Arr(values)],
        _ => vec![Json::Obj(vec![(text("calls"), Json::Arr(values))])],
    };
    let texts: Vec<_> = roots
        .iter()
        .map(|root| write(root, Hand::any(tape).style(tape)))
        .collect();
    (texts.join("\n"), calls)
}

fn preset(tape: &mut Tape<'_>) -> Preset {
    *tape.one_of(&[Preset::Plain, Preset::Anthropic, Preset::OpenAi])
}

/// Half of a surrogate pair in the text of a text is written in several ways.
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
    fn every_call_completes_with_its_arguments(parts in parts(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let preset = preset(&mut tape);
        let parts = planned(parts, &mut tape);
        let (text, calls) = compose(preset, &parts, &mut tape);
        let mut detector = ToolCallDetector::new(preset.shape());
        let events: Vec<_> = detector.push_str(&text).unwrap().collect();
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
            let arguments = read(whole.arguments(), Duplicates::Refused).unwrap();
            let in_array = Json::Arr(vec![call.arguments.clone()]);
            prop_assert!(
                arguments == call.arguments || arguments == in_array || has_halves(&text),
                "{} from {}", whole.arguments(), text
            );
        }
    }

    #[test]
    fn the_story_is_the_same_however_the_text_is_split(parts in parts(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let preset = preset(&mut tape);
        let parts = planned(parts, &mut tape);
        let (text, _) = compose(preset, &parts, &mut tape);
        let whole = whole_story(&preset.shape(), &text);
        prop_assert_eq!(&whole.error, &None);
        let pieces = pieces(text.as_bytes(), &mut tape);
        let mut detector = ToolCallDetector::new(preset.shape());
        prop_assert_eq!(story(&mut detector, &pieces), whole);
        detector.reset();
        let by_bytes = story(&mut detector, text.as_bytes().chunks(1));
        prop_assert_eq!(by_bytes, whole_story(&preset.shape(), &text));
    }

    #[test]
    fn a_start_of_the_text_tells_a_start_of_the_story(parts in parts(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let preset = preset(&mut tape);
        let parts = planned(parts, &mut tape);
        let (text, _) = compose(preset, &parts, &mut tape);
        let end = text.len() * tape.below(256) / 256;
        let whole = whole_story(&preset.shape(), &text);
        let mut detector = ToolCallDetector::new(preset.shape());
        let start = story(&mut detector, [&text.as_bytes()[..end]]);
        let (whole, start) = (done(whole.lines), done(start.lines));
        prop_assert!(whole.starts_with(&start), "{start:?} of {whole:?}");
    }

    #[test]
    fn no_text_is_too_broken(parts in parts(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let preset = preset(&mut tape);
        let parts = planned(parts, &mut tape);
        let (text, _) = compose(preset, &parts, &mut tape);
        let mut bytes = text.into_bytes();
        for _ in 0..=tape.below(3) {
            let place = bytes.len() * tape.below(256) / 256;
            let byte = *tape.one_of(b"\"{}[],:\\a1\xff ");
            if tape.once_in(2) {
                bytes.insert(place, byte);
            } else if let Some(there) = bytes.get_mut(place) {
                *there = byte;
            }
        }
        // That each call has one end is checked meanwhile.
        let pieces = pieces(&bytes, &mut tape);
        let told = story(&mut ToolCallDetector::new(preset.shape()), &pieces);
        let whole = story(&mut ToolCallDetector::new(preset.shape()), [&bytes]);
        prop_assert_eq!(told.error.is_some(), whole.error.is_some());
        if whole.error.is_none() {
            prop_assert_eq!(&told.lines, &whole.lines);
        }
        prop_assert_eq!(done(told.lines), done(whole.lines));
    }
}
