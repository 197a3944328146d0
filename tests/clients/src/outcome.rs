//! What a client returns for a reply, and the table of what it has to return.
//!
//! A script for each client prints one [`Outcome`] per case, as a line of JSON:
//!
//! ```json
//! {"client": "openai chat", "case": "tools", "text": "Two places.", "value": null,
//!  "calls": [{"id": "call_1", "name": "find_place", "arguments": {"name": "Kenroku-en"}}],
//!  "usage": [12, 34], "finish": "tool_calls", "error": null}
//! ```
//!
//! `value`, `calls`, `usage` and `finish` are what the client returns at the end of the reply: what
//! a program would act on. `text` is everything that the client has yielded, also before an error.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::last_snapshot;

/// The text of [`Case::Text`].
pub const TEXT: &str = "Three slow days in Kanazawa (金沢), mostly on foot.";
/// What of it is received before the errors.
pub const TEXT_BEFORE_ERROR: &str = "Three slow days in Kanazawa (金沢), ";
/// The text before the calls of [`Case::Tools`].
pub const TEXT_BEFORE_CALLS: &str = "Two places.";

/// How the server replies: its model of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Text in three pieces.
    Text,
    /// The JSON text of a document.
    Object,
    /// Two parallel calls after a text.
    Tools,
    /// A document that is cut off by the limit of tokens.
    Length,
    /// A call that is cut off by the limit of tokens.
    LengthCall,
    /// Two pieces of text, and an error.
    Error,
    /// Two pieces of text, and the loss of the model.
    Lost,
    /// No such model: an error before the reply.
    Unknown,
}

impl Case {
    /// Every case.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Object,
        Self::Tools,
        Self::Length,
        Self::LengthCall,
        Self::Error,
        Self::Lost,
        Self::Unknown,
    ];

    /// The name of the model.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Object => "object",
            Self::Tools => "tools",
            Self::Length => "length",
            Self::LengthCall => "length_call",
            Self::Error => "error",
            Self::Lost => "lost",
            Self::Unknown => "unknown",
        }
    }

    /// Whether a client may take the reply for one that is complete, cut off, or failed.
    const fn allows(self, cell: Cell) -> bool {
        match self {
            Self::Text | Self::Object | Self::Tools => matches!(cell, Cell::Ends(_)),
            Self::Length | Self::LengthCall => matches!(cell, Cell::Cut(_) | Cell::Fails(_)),
            Self::Error | Self::Lost | Self::Unknown => matches!(cell, Cell::Fails(_)),
        }
    }

    /// What is wrong with the text that a client has received.
    fn check_text(self, text: &str) -> Result<(), String> {
        let expected = match self {
            Self::Text => TEXT,
            Self::Tools => TEXT_BEFORE_CALLS,
            Self::Error | Self::Lost => TEXT_BEFORE_ERROR,
            Self::LengthCall | Self::Unknown => "",
            Self::Object => {
                let value = serde_json::from_str::<Value>(text).ok();
                return ensure(value == Some(last_snapshot()), || {
                    format!("the text is not the document: {text:?}")
                });
            }
            Self::Length => {
                let is_cut = text.starts_with('{') && serde_json::from_str::<Value>(text).is_err();
                return ensure(is_cut, || {
                    format!("the text is not the start of a document: {text:?}")
                });
            }
        };
        ensure(text == expected, || {
            format!("the text is {text:?}, expected {expected:?}")
        })
    }

    /// The calls of the reply, with ids or without.
    fn calls(self, has_ids: bool) -> Vec<Call> {
        if self != Self::Tools {
            return Vec::new();
        }
        let places = [("call_1", "Kenroku-en"), ("call_2", "Ōmichō market")];
        places
            .map(|(id, place)| Call {
                id: has_ids.then(|| id.to_owned()),
                name: "find_place".to_owned(),
                arguments: json!({ "name": place }),
            })
            .to_vec()
    }
}

/// What a client has returned for a reply.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The name of the client, with the function that was called.
    pub client: String,
    /// The name of the case.
    pub case: String,
    /// The text that the client has yielded.
    pub text: String,
    /// The structured value that the client returns as complete.
    #[serde(default)]
    pub value: Option<Value>,
    /// The calls that the client returns as complete.
    pub calls: Vec<Call>,
    /// The tokens of the request and of the reply.
    pub usage: Option<[u64; 2]>,
    /// Why the reply has ended, in the words of the client.
    pub finish: Option<String>,
    /// The type and the message of an error, as `APIError: the model is overloaded`.
    pub error: Option<String>,
}

/// A call that may be executed.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Its id, if the client has ids.
    #[serde(default)]
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// The parsed arguments.
    pub arguments: Value,
}

/// How a client reports the end of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The case can't be expressed in the dialect, or the client has no way to ask for it.
    Absent,
    /// As a complete reply, with this reason.
    Ends(&'static str),
    /// As a reply that was cut off: with this reason, without a value and without calls.
    Cut(&'static str),
    /// With this error, and with nothing else but the text before it. An error that ends in `…` is
    /// the start of the message, where the rest differs from run to run.
    Fails(&'static str),
}

/// A row of the table: a client, and how it reports the end of each case.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// The name that its script prints.
    pub name: &'static str,
    /// Whether its calls have the ids of the server.
    pub has_ids: bool,
    /// Whether it reports tokens.
    pub has_usage: bool,
    /// Whether it returns structured values.
    pub has_values: bool,
    /// How it reports the end of each of [`Case::ALL`].
    pub cells: [Cell; Case::ALL.len()],
}

impl Client {
    /// Returns each difference between a client's outcomes and its row, one per line.
    fn differences(&self, outcomes: &[Outcome]) -> String {
        let mut differences = String::new();
        for (case, cell) in Case::ALL.into_iter().zip(self.cells) {
            let found: Vec<&Outcome> = outcomes
                .iter()
                .filter(|outcome| outcome.client == self.name && outcome.case == case.as_str())
                .collect();
            let result = match (cell, found.as_slice()) {
                (Cell::Absent, []) => Ok(()),
                (_, [outcome]) if case.allows(cell) => self.check(case, cell, outcome),
                (_, [_]) => Err(format!("{cell:?} is nothing that a client may report")),
                (_, found) => Err(format!("the script prints {} outcomes", found.len())),
            };
            if let Err(difference) = result {
                let _ = writeln!(differences, "{}, {case}: {difference}", self.name);
            }
        }
        differences
    }

    fn check(&self, case: Case, cell: Cell, outcome: &Outcome) -> Result<(), String> {
        case.check_text(&outcome.text)?;
        let (finish, error) = match cell {
            Cell::Absent => (None, None),
            Cell::Ends(finish) | Cell::Cut(finish) => (Some(finish), None),
            Cell::Fails(error) => (None, Some(error)),
        };
        ensure(matches_error(outcome.error.as_deref(), error), || {
            format!("the error is {:?}, expected {error:?}", outcome.error)
        })?;
        ensure(outcome.finish.as_deref() == finish, || {
            format!("the end is {:?}, expected {finish:?}", outcome.finish)
        })?;
        let calls = case.calls(self.has_ids);
        ensure(outcome.calls == calls, || {
            format!("the calls are {:?}, expected {calls:?}", outcome.calls)
        })?;
        let value = (self.has_values && case == Case::Object).then(last_snapshot);
        ensure(outcome.value == value, || {
            format!("the value is {:?}, expected {value:?}", outcome.value)
        })?;
        let usage = (self.has_usage && error.is_none()).then_some([12, 34]);
        ensure(outcome.usage == usage, || {
            format!("the usage is {:?}, expected {usage:?}", outcome.usage)
        })
    }
}

/// Compares what scripts have printed with the table.
///
/// # Panics
///
/// If there is any difference, a line that is not an outcome, or an outcome of a client or case
/// that the table does not have.
#[track_caller]
pub fn assert_table(table: &[Client], lines: &[String]) {
    let outcomes: Vec<Outcome> = lines
        .iter()
        .map(|line| match serde_json::from_str(line) {
            Ok(outcome) => outcome,
            Err(error) => panic!("not an outcome ({error}): {line}"),
        })
        .collect();
    let mut differences: String = table
        .iter()
        .map(|client| client.differences(&outcomes))
        .collect();
    for outcome in &outcomes {
        let has_case = Case::ALL.iter().any(|case| case.as_str() == outcome.case);
        if !has_case || !table.iter().any(|client| client.name == outcome.client) {
            let (client, case) = (&outcome.client, &outcome.case);
            let _ = writeln!(differences, "{client}, {case}: not in the table");
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

fn matches_error(error: Option<&str>, expected: Option<&str>) -> bool {
    match (error, expected) {
        (Some(error), Some(expected)) => match expected.strip_suffix('…') {
            Some(start) => error.starts_with(start),
            None => error == expected,
        },
        (error, expected) => error == expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: &str = r#"{"client": "c", "case": "length", "text": "{\"title\":", "value": null,
        "calls": [], "usage": [12, 34], "finish": "length", "error": null}"#;

    /// A client with this cell for [`Case::Length`], and the difference between it and a line.
    fn difference(cell: Cell, line: &str) -> Result<(), String> {
        let mut cells = [Cell::Absent; 8];
        let length = Case::ALL.iter().position(|case| *case == Case::Length);
        cells[length.expect("it is one of them")] = cell;
        let client = Client {
            name: "c",
            has_ids: true,
            has_usage: true,
            has_values: true,
            cells,
        };
        let outcome: Outcome = serde_json::from_str(line).expect("it is an outcome");
        let differences = client.differences(&[outcome]);
        if differences.is_empty() {
            Ok(())
        } else {
            Err(differences)
        }
    }

    #[test]
    fn outcome_of_the_row_has_no_difference() {
        difference(Cell::Cut("length"), LENGTH).expect("they are the same");
    }

    #[test]
    fn every_difference_is_found() {
        for (old, new) in [
            (r#"[12, 34]"#, "null"),
            (r#"[]"#, r#"[{"name": "save", "arguments": {"title": ""}}]"#),
            (r#""value": null"#, r#""value": {"title": ""}"#),
            (r#""length", "error""#, r#""stop", "error""#),
            (r#""error": null"#, r#""error": "APIError: cut""#),
            (r#"{\"title\":"#, "{}"),
            (r#""case": "length""#, r#""case": "text""#),
        ] {
            let line = LENGTH.replacen(old, new, 1);
            assert_ne!(line, LENGTH);
            difference(Cell::Cut("length"), &line).expect_err(&line);
        }
    }

    #[test]
    fn row_that_takes_a_cut_reply_for_a_complete_one_is_refused() {
        difference(Cell::Ends("length"), LENGTH).expect_err("it was cut off");
    }

    #[test]
    fn error_may_be_the_start_of_a_message() {
        assert!(matches_error(Some("E: 1 of 2"), Some("E: 1…")));
        assert!(!matches_error(Some("E: 1 of 2"), Some("E: 1")));
        assert!(!matches_error(None, Some("…")));
        assert!(!matches_error(Some("E"), None));
    }
}
