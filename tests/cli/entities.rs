//! `json-chunks entities`: fragments to events of the Partial Stream Spec.

use std::fs;

use super::{Outcome, converse, last_line, outcome, run, spawn};

const COLORS: &str = r##"{"colors": [{"hex": "#9400D3"}, {"hex": 7}, {"name": "Indigo"}]}"##;

fn said(outcome: &Outcome) -> Vec<&str> {
    outcome.stdout.lines().collect()
}

#[test]
fn an_event_is_there_before_the_next_fragment_is() {
    let mut child = spawn(&[
        "entities", "--jsonl", "--mode", "REALTIME", "--entity", "colors",
    ]);
    converse(
        &mut child,
        r##""{\"colors\":[{\"hex\":\"#94""##,
        "{\"index\":0,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#94\"},\"entity\":\"colors\",\
         \"delta\":[{\"path\":\"\",\"value\":{\"hex\":\"#94\"}}]}\n",
    );
    converse(
        &mut child,
        r#""00D3\"}""#,
        "{\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"hex\":\"#9400D3\"},\"entity\":\"colors\",\
         \"delta\":[{\"path\":\"/hex\",\"append\":\"00D3\"}]}\n",
    );
    converse(&mut child, r#""]}""#, "");
    drop(child.stdin.take());
    let end = outcome(child);
    assert_eq!(
        (end.code, end.stdout.as_str(), end.stderr.as_str()),
        (Some(0), "", "")
    );
}

#[test]
fn every_mode_has_its_name() {
    for (mode, lines) in [
        ("batch", 1),
        ("all-together", 3),
        ("one-by-one", 3),
        ("progressive", 3),
        ("realtime", 3),
    ] {
        for mode in [mode, &mode.to_uppercase()] {
            let outcome = run(&["entities", "--mode", mode, "--entity", "/colors"], COLORS);
            assert_eq!(
                (outcome.code, said(&outcome).len()),
                (Some(0), lines),
                "{mode}"
            );
        }
    }
}

#[test]
fn server_sent_events_end_with_close() {
    let outcome = run(&["entities", "--sse", "--mode", "one-by-one"], "[1, 2.50]");
    assert_eq!(outcome.code, Some(0));
    assert_eq!(
        outcome.stdout,
        "id: 1\ndata: {\"index\":0,\"status\":\"COMPLETED\",\"data\":1}\n\n\
         id: 2\ndata: {\"index\":1,\"status\":\"COMPLETED\",\"data\":2.50}\n\n\
         event: CLOSE\ndata: [DONE]\n\n"
    );
}

#[test]
fn a_schema_is_read_from_a_file() {
    let file = std::env::temp_dir().join(format!("json-chunks-schema-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let args = [
        "entities",
        "--entity",
        "colors",
        "--mode",
        "one-by-one",
        "--schema",
        path,
    ];
    fs::write(&file, r#"{"properties": {"hex": {"type": "string"}}}"#).unwrap();
    let outcome = run(&args, COLORS);
    assert_eq!(outcome.code, Some(1));
    assert_eq!(outcome.stderr, "1 entity is not what the schema wants\n");
    let statuses: Vec<_> = outcome
        .stdout
        .lines()
        .map(|line| super::json(line)["status"].clone())
        .collect();
    assert_eq!(statuses, ["COMPLETED", "ERROR", "COMPLETED"]);

    fs::write(&file, r#"{"type": "colour"}"#).unwrap();
    let outcome = run(&args, COLORS);
    fs::remove_file(&file).unwrap();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(
        outcome
            .stderr
            .starts_with(&format!("error: cannot read {path}: not a schema: "))
    );
}

#[test]
fn text_that_breaks_off_is_an_event_and_a_report() {
    let outcome = run(&["entities"], "[1, {\"a\": \"x");
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        outcome.stderr,
        "not JSON at byte 12: the text ends too early\n"
    );
    let error = last_line(&outcome.stdout);
    assert_eq!(error["status"], "ERROR");
    assert_eq!(error["data"]["a"], "x");
    assert_eq!(error["error"]["code"], "INVALID_JSON");
}

#[test]
fn that_there_are_none_is_said() {
    let outcome = run(&["entities", "--entity", "colours"], COLORS);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""));
    assert_eq!(outcome.stderr, "no entities in \"colours\"\n");
}

#[test]
fn several_values_are_counted_on() {
    let outcome = run(&["entities", "--several", "--mode", "batch"], "[1]\n2\n{}");
    assert_eq!(
        outcome.stdout,
        "{\"index\":0,\"status\":\"COMPLETED\",\"data\":[1,2,{}]}\n"
    );
}
