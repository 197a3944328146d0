//! `watch` without a terminal: the indented document as plain text.

use super::{
    ITINERARY, ITINERARY_FILE, WALKTHROUGH, WALKTHROUGH_FILE, json, last_line, outcome, run,
    send_and_expect, spawn,
};

const INDENTED: &str = r#"{
  "days": [
    {
      "subtitle": "Day 1: Arrival and Wildlife Safari",
      "activities": [
        {
          "type": "Sightseeing",
          "title": "Morning Game Drive",
          "description": "Embark on a thrilling morning game drive to witness the Great Migration in all its glory."
        },
        {
          "type": "FoodAndDining",
          "title": "Lunch at Restaurant 1",
          "description": "Enjoy"
        }
      ]
    }
  ]
}
"#;

#[test]
fn document_is_indented_plain_text() {
    let outcome = run(&["watch", WALKTHROUGH_FILE], "");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert_eq!(outcome.stdout, INDENTED);

    let outcome = run(&["watch", ITINERARY_FILE], "");
    assert!(!outcome.stdout.contains('\u{1b}'));
    assert_eq!(json(&outcome.stdout), last_line(ITINERARY));
}

#[test]
fn chunks_and_text_are_the_same_document_as_snapshots() {
    let fragments = run(&["chunk", "--format", "jsonl"], WALKTHROUGH).stdout;
    let outcome = run(&["watch", "--input", "fragments", "-"], fragments);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), INDENTED));

    let text = run(&["chunk"], WALKTHROUGH).stdout;
    let outcome = run(&["watch", "--input", "text"], text);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), INDENTED));
}

#[test]
fn document_grows_with_every_line() {
    let mut child = spawn(&["watch"]);
    send_and_expect(&mut child, "{\"a\":\"x\"}", "{\n  \"a\": \"x");
    send_and_expect(&mut child, "{\"a\":\"xy\",\"b\":[]}", "y\",\n  \"b\": [");
    drop(child.stdin.take());
    assert_eq!(outcome(child).stdout, "]\n}\n");
}

#[test]
fn unusable_line_is_reported_and_skipped() {
    let outcome = run(&["watch"], "[1]\noops\n[1,2]\n");
    assert_eq!(outcome.stdout, "[\n  1,\n  2\n]\n");
    assert!(
        outcome
            .stderr
            .starts_with("<stdin>:2: error: expected a value at byte 0")
    );
    assert_eq!(outcome.code, Some(1));

    let outcome = run(&["watch", "--input", "fragments"], "\"[1\"\n2\n\"]\"\n");
    assert_eq!(outcome.stdout, "[\n  1\n]\n");
    assert!(
        outcome
            .stderr
            .starts_with("<stdin>:2: error: not a JSON string: ")
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn text_that_is_not_json_passes_unchanged() {
    let outcome = run(
        &["watch", "--input", "text"],
        b"Here it is: {\"a\":\"\xff\"}",
    );
    assert_eq!(outcome.stdout, "Here it is: {\n  \"a\": \"\u{fffd}\"\n}\n");
    assert_eq!(outcome.code, Some(0));

    let outcome = run(&["watch", "--input", "text"], "Here it is: 1\n");
    assert_eq!(outcome.stdout, "Here it is: 1\n");
}

#[test]
fn delay_pauses_after_each_step() {
    let begin = std::time::Instant::now();
    let outcome = run(&["watch", "--delay", "20"], "[1]\n[1,2]\n[1,2,3]\n");
    assert_eq!(outcome.code, Some(0));
    assert!(begin.elapsed() >= std::time::Duration::from_millis(60));
}
