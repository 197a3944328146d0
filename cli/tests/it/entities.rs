//! `json-chunks entities`: fragments to events of the Partial Stream Spec.

#[cfg(feature = "schema")]
use std::fs;

use super::{Outcome, last_line, outcome, run, send_and_expect, spawn};

const COLORS: &str = r##"{"colors": [{"hex": "#9400D3"}, {"hex": 7}, {"name": "Indigo"}]}"##;

fn lines(outcome: &Outcome) -> Vec<&str> {
    outcome.stdout.lines().collect()
}

#[test]
fn event_arrives_before_the_next_fragment() {
    let mut child = spawn(&[
        "entities", "--jsonl", "--mode", "REALTIME", "--entity", "colors",
    ]);
    send_and_expect(
        &mut child,
        r##""{\"colors\":[{\"hex\":\"#94""##,
        "{\"index\":0,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#94\"},\"entity\":\"colors\",\
         \"delta\":[{\"path\":\"\",\"value\":{\"hex\":\"#94\"}}]}\n",
    );
    send_and_expect(
        &mut child,
        r#""00D3\"}""#,
        "{\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"hex\":\"#9400D3\"},\"entity\":\"colors\",\
         \"delta\":[{\"path\":\"/hex\",\"append\":\"00D3\"}]}\n",
    );
    send_and_expect(&mut child, r#""]}""#, "");
    drop(child.stdin.take());
    let end = outcome(child);
    assert_eq!(
        (end.code, end.stdout.as_str(), end.stderr.as_str()),
        (Some(0), "", "")
    );
}

#[test]
fn modes_are_named_in_any_case() {
    for (mode, count) in [
        ("batch", 1),
        ("all-together", 3),
        ("one-by-one", 3),
        ("progressive", 3),
        ("realtime", 3),
    ] {
        for mode in [mode, &mode.to_uppercase()] {
            let outcome = run(&["entities", "--mode", mode, "--entity", "/colors"], COLORS);
            assert_eq!(
                (outcome.code, lines(&outcome).len()),
                (Some(0), count),
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

#[cfg(not(feature = "schema"))]
#[test]
fn schema_is_wrong_usage_in_a_build_without_it() {
    let outcome = run(&["entities", "--schema", "color.json"], COLORS);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        outcome.stderr,
        "error: --schema: this json-chunks was built without JSON Schema; \
         `cargo install json-chunks-cli --features schema` has it\n"
    );
}

#[cfg(feature = "schema")]
#[test]
fn schema_is_read_from_a_file() {
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
    assert_eq!(
        outcome.stderr,
        "<stdin>: error: 1 entity does not conform to the schema\n"
    );
    let statuses: Vec<_> = outcome
        .stdout
        .lines()
        .map(|line| super::json(line)["status"].clone())
        .collect();
    assert_eq!(statuses, ["COMPLETED", "ERROR", "COMPLETED"]);

    fs::write(&file, r#"{"type": "color"}"#).unwrap();
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
fn truncated_text_is_an_event_and_an_error() {
    let outcome = run(&["entities"], "[1, {\"a\": \"x");
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        outcome.stderr,
        "<stdin>:1: error: unexpected end of JSON at byte 12\n"
    );
    let error = last_line(&outcome.stdout);
    assert_eq!(error["status"], "ERROR");
    assert_eq!(error["data"]["a"], "x");
    assert_eq!(error["error"]["code"], "INVALID_JSON");
}

#[test]
fn no_entities_is_a_warning() {
    let outcome = run(&["entities", "--entity", "colours"], COLORS);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""));
    assert_eq!(
        outcome.stderr,
        "<stdin>: warning: no entities in \"colours\"\n"
    );
}

#[test]
fn multiple_values_have_consecutive_indexes() {
    let outcome = run(
        &["entities", "--multiple-values", "--mode", "batch"],
        "[1]\n2\n{}",
    );
    assert_eq!(
        outcome.stdout,
        "{\"index\":0,\"status\":\"COMPLETED\",\"data\":[1,2,{}]}\n"
    );
}
