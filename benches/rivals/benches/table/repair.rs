//! What a repair costs: an itinerary, valid, and broken in each of the ways that models break JSON.

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use json_chunks::repair;
use json_chunks_rivals::document;

use crate::Pending;
use crate::measure::{Case, timed};

/// The text with this done to each element of the itinerary.
fn broken(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

pub(crate) fn cases(is_test: bool) -> Vec<Pending> {
    let bytes = if is_test { 4 << 10 } else { 1 << 20 };
    let valid = document(bytes);
    let change = |from, to| broken(&valid, from, to);
    let texts = [
        ("valid", valid.clone()),
        ("valid, indented", change("{", "{\n        ")),
        ("cut off", valid[..valid.len() - 5].to_owned()),
        (
            "a fence and prose",
            format!("Here it is:\n```json\n{valid}\n```\nDone."),
        ),
        ("trailing commas", change("}", ",}")),
        ("commas missing", change("\", \"", "\" \"")),
        ("single quotes", change("\"", "'")),
        ("names without quotes", change("\"title\"", "title")),
        ("comments", change("{", "{/* so */")),
        (
            "literals of Python",
            change("\"type\":", "\"done\": True, \"type\":"),
        ),
    ];
    let pending = texts.into_iter().map(|(name, text)| -> Pending {
        let case = move || {
            let text: Rc<str> = text.into();
            let (ours, theirs) = (Rc::clone(&text), Rc::clone(&text));
            let fails = jsonrepair_rs::jsonrepair(&text).is_err();
            let last = Cell::new(0);
            Case {
                bytes: text.len(),
                tasks: vec![
                    Box::new(move || {
                        timed(|| {
                            let repaired = repair(&*ours).expect("it can be repaired");
                            last.set(black_box(repaired.text().len()));
                        })
                    }),
                    Box::new(move || timed(|| drop(black_box(jsonrepair_rs::jsonrepair(&theirs))))),
                ],
                rivals: vec![if fails {
                    "`jsonrepair-rs`, which fails"
                } else {
                    "`jsonrepair-rs`"
                }],
            }
        };
        (format!("repair, {name}"), Box::new(case))
    });
    pending.collect()
}
