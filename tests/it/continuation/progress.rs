//! Percentages: parsed from answers of models, and compared with earlier ones.

use json_chunks::prompt::{Progress, ProgressChange};
use proptest::prelude::{prop_assert_eq, proptest};

#[test]
fn percentages_are_found_in_free_text() {
    for (text, percent) in [
        ("45", Some(45)),
        ("45%", Some(45)),
        ("45 %", Some(45)),
        ("45\u{A0}%", Some(45)),
        ("about 45 percent", Some(45)),
        ("About 45 Per cent.", Some(45)),
        ("Progress: 45/100", Some(45)),
        ("45.7%", Some(45)),
        ("45,7 %", Some(45)),
        ("0%", Some(0)),
        ("100 %", Some(100)),
        ("**45%**", Some(45)),
        ("3 of 10 chapters, so 30%", Some(30)),
        ("30%, that is 30 percent", Some(30)),
        ("007", Some(7)),
        // Not percentages.
        ("", None),
        ("none", None),
        ("101%", None),
        ("-5%", None),
        ("3 of 10 chapters", None),
        ("45/50", None),
        ("45/1000", None),
        ("30% or 40%", None),
        ("30% or 400%", None),
        ("v45", None),
        ("100 items", None),
        ("I wrote 3 sections.", None),
        (r#"{"a": 45}"#, None),
        ("[100]", None),
        ("$45", None),
        ("45px", None),
        ("45 percentile", None),
        ("5-10%", None),
        ("5\u{2013}10%", None),
        ("1,000%", None),
        ("about 45", Some(45)),
        ("4500000000000000000000%", None),
        // Only ASCII digits are parsed.
        ("٤٥%", None),
    ] {
        assert_eq!(Progress::percent_in(text), percent, "{text}");
    }
}

#[test]
fn percentage_has_to_rise() {
    let mut progress = Progress::new();
    assert_eq!(progress.percent(), None);
    let steps = [
        (0, ProgressChange::Advanced, 0, false),
        (1, ProgressChange::Advanced, 0, false),
        (1, ProgressChange::Stalled, 1, false),
        (1, ProgressChange::Stalled, 2, false),
        (2, ProgressChange::Advanced, 0, false),
        (1, ProgressChange::Regressed, 1, true),
        (3, ProgressChange::Advanced, 0, false),
        (3, ProgressChange::Stalled, 1, false),
        (3, ProgressChange::Stalled, 2, false),
        (3, ProgressChange::Stalled, 3, true),
    ];
    for (percent, change, stalls, is_stalled) in steps {
        assert_eq!(progress.record(percent), change);
        assert_eq!(
            (progress.stalls(), progress.is_stalled()),
            (stalls, is_stalled)
        );
    }
    assert_eq!(progress.percent(), Some(3));
    progress.record_growth();
    assert!(!progress.is_stalled());
}

#[test]
fn percentage_over_100_counts_as_100() {
    let mut progress = Progress::new();
    progress.record(200);
    assert_eq!(progress.percent(), Some(100));
    let state = serde_json::to_string(&progress).unwrap();
    assert_eq!(serde_json::from_str::<Progress>(&state).unwrap(), progress);
}

#[test]
fn maximum_stalls_can_be_set() {
    let mut progress = Progress::new().max_stalls(1);
    assert!(!progress.is_stalled());
    progress.record_stall();
    assert!(progress.is_stalled());
}

#[test]
fn progress_serializes_and_restores() {
    let mut progress = Progress::default().max_stalls(5);
    progress.record(40);
    progress.record_stall();
    let text = serde_json::to_string(&progress).unwrap();
    assert_eq!(text, "[40,1,5,false]");
    assert_eq!(serde_json::from_str::<Progress>(&text).unwrap(), progress);
    assert_eq!(progress.to_string(), "40 %");
    for wrong in [
        "[400,1,5,false]",
        "[101,1,5,false]",
        "[40,1,5]",
        "[40]",
        "{}",
    ] {
        assert!(serde_json::from_str::<Progress>(wrong).is_err());
    }
}

proptest! {
    #[test]
    fn percent_in_accepts_any_text(text in "[0-9 %/.,a-zé-]{0,30}") {
        if let Some(percent) = Progress::percent_in(&text) {
            assert!(percent <= 100 && text.contains(|char: char| char.is_ascii_digit()));
        }
    }

    #[test]
    fn every_percentage_is_parsed_back(percent in 0_u8..=100) {
        for text in [format!("{percent}%"), format!("It's {percent} percent, I think."), percent.to_string()] {
            prop_assert_eq!(Progress::percent_in(&text), Some(percent));
        }
    }
}
