//! `--color` and the environment. Standard error is a pipe here, not a terminal.

use super::{command, run, run_command};

const RED: &str = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m";

/// Returns what `chunk` writes to standard error for a damaged line.
fn error(args: &[&str], environment: &[(&str, &str)]) -> String {
    let args = [&["chunk"], args].concat();
    let mut command = command(&args);
    command.envs(environment.iter().copied());
    let outcome = run_command(&mut command, "oops\n");
    assert_eq!(outcome.stdout, "");
    outcome.stderr
}

#[test]
fn pipes_have_no_color_by_default() {
    let expected = "<stdin>:1: error: expected a value at byte 0\n";
    assert_eq!(error(&[], &[]), expected);
    assert_eq!(error(&["--color", "auto"], &[]), expected);
    assert_eq!(error(&["--color", "never"], &[]), expected);
}

#[test]
fn always_colors_the_label_only() {
    let expected = format!("<stdin>:1: {RED} expected a value at byte 0\n");
    assert_eq!(error(&["--color", "always"], &[]), expected);
    assert_eq!(error(&[], &[("CLICOLOR_FORCE", "1")]), expected);
}

#[test]
fn each_severity_has_its_color() {
    let args = ["--color", "always", "chunk"];
    let revision = run(&args, "{\"a\":\"x\"}\n{\"a\":\"y\"}\n").stderr;
    let label = "\u{1b}[1m\u{1b}[33mwarning:\u{1b}[0m";
    assert!(
        revision.starts_with(&format!("<stdin>:2: {label} revision")),
        "{revision}"
    );
    let hint = run(&args, "{\"a\":\n1}\n").stderr;
    let label = "\u{1b}[1m\u{1b}[36mhint:\u{1b}[0m";
    assert!(hint.contains(&format!("\n{label} if the lines")), "{hint}");
    let unreadable = run(&[&args[..], &["no/such"]].concat(), "").stderr;
    assert!(
        unreadable.starts_with(&format!("{RED} cannot read")),
        "{unreadable}"
    );
}

#[test]
fn environment_is_overridden_by_the_option() {
    let plain = error(&[], &[]);
    let colored = error(&["--color=always"], &[]);
    assert_ne!(plain, colored);
    for (args, environment, expected) in [
        (
            &[][..],
            &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")][..],
            &plain,
        ),
        (&[], &[("NO_COLOR", ""), ("CLICOLOR_FORCE", "1")], &colored),
        (&["--color", "always"], &[("NO_COLOR", "1")], &colored),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], &plain),
        (&["--color", "auto"], &[("CLICOLOR_FORCE", "1")], &colored),
        (&[], &[("CLICOLOR_FORCE", "0")], &plain),
        (&["--color", "always"], &[("CLICOLOR_FORCE", "0")], &colored),
    ] {
        assert_eq!(
            &error(args, environment),
            expected,
            "{args:?} {environment:?}"
        );
    }
}

#[test]
fn help_and_usage_errors_have_the_same_colors() {
    for args in [
        &["--help"][..],
        &["chunk", "--help"],
        &["chunk", "--format", "xml"],
    ] {
        let text = |color: &str| {
            let args = [args, &["--color", color]].concat();
            let outcome = run(&args, "");
            outcome.stdout + &outcome.stderr
        };
        assert!(text("always").contains("\u{1b}["), "{args:?}");
        assert!(!text("never").contains('\u{1b}'), "{args:?}");
        assert!(!text("auto").contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn output_is_not_colored() {
    let outcome = run(&["--color", "always", "watch"], "[1]\n[1,2]\n");
    assert_eq!(outcome.stdout, "[\n  1,\n  2\n]\n");
    let outcome = run(&["--color", "always", "repair", "--report"], "[1,]");
    assert!(!outcome.stderr.contains('\u{1b}'), "{}", outcome.stderr);
}

#[test]
fn control_characters_of_the_input_are_not_written_to_standard_error() {
    let lines = "{\"\\u001b[2J\u{9b}1m\":\"x\"}\n{\"\\u001b[2J\u{9b}1m\":\"y\"}\n";
    for color in ["always", "never"] {
        let stderr = run(&["chunk", "--color", color], lines).stderr;
        assert!(stderr.contains("/\u{fffd}[2J\u{fffd}1m: "), "{stderr:?}");
    }
}

#[test]
fn report_keeps_all_characters() {
    let outcome = run(&["repair", "--report"], "[\"a\"] \u{7f}\u{9b}1m");
    let report = super::json(&outcome.stderr);
    assert_eq!(report["lost"], serde_json::json!([]), "{report}");
    let outcome = run(&["repair", "--report"], "[1] [\"\u{7f}\u{9b}1m\"]");
    let report = super::json(&outcome.stderr);
    assert_eq!(report["lost"][0]["text"], " [\"\u{7f}\u{9b}1m\"]");
}
