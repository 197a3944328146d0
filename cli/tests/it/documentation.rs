//! `completions` and `man`, which are generated from the arguments.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{COMMANDS, Outcome, run};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn completions_of_every_shell_have_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = clean(run(&["completions", shell], ""));
        for word in COMMANDS {
            assert!(script.contains(word), "{shell}: {word}");
        }
        for word in ["revision-policy", "multiple-values", "color"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // The scripts of the others complete no values.
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(script.contains("restate"), "{shell}");
            assert!(script.contains("all-together"), "{shell}");
        }
    }
}

/// Completes the last of some words, as bash does.
const COMPLETE: &str = r#"
compopt() { :; }
eval "$("$COMMAND" completions bash)"
[[ $(complete -p json-chunks) =~ -F\ ([^\ ]+) ]]
COMP_WORDS=(json-chunks "$@")
COMP_CWORD=$#
"${BASH_REMATCH[1]}" json-chunks "${COMP_WORDS[$#]}" "${COMP_WORDS[$#-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

#[test]
fn bash_completes_commands_options_values_and_files() {
    let version = Command::new("bash").arg("--version").output();
    // On Windows, `bash` may be that of the Linux subsystem, which needs other paths.
    if cfg!(windows) || !version.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no bash");
        return;
    }
    for (words, expected) in [
        (&["ex"][..], "extract"),
        (&["chunk", "--f"], "--format"),
        (
            &["chunk", "--format", ""],
            "raw jsonl sse openai responses anthropic ui text agui ollama gemini",
        ),
        (&["tools", "--frames", "r"], "responses"),
        (&["--color", "a"], "auto always"),
        (&["completions", "f"], "fish"),
        (&["entities", "--schema", "src/mai"], "src/main.rs"),
    ] {
        let output = Command::new("bash")
            .args(["--norc", "-c", COMPLETE, "bash"])
            .args(words)
            .env("COMMAND", env!("CARGO_BIN_EXE_json-chunks"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("bash runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        let words_found = String::from_utf8_lossy(&output.stdout);
        let found: Vec<&str> = words_found.split_whitespace().collect();
        assert_eq!(found.join(" "), expected, "{words:?}");
    }
}

#[test]
fn page_has_the_sections_of_the_help() {
    let page = clean(run(&["man"], ""));
    for section in [
        ".SH NAME",
        ".SH SYNOPSIS",
        ".SH DESCRIPTION",
        ".SH OPTIONS",
        ".SH SUBCOMMANDS",
        ".SH EXAMPLES",
        ".SH DIAGNOSTICS",
        ".SH \"EXIT CODE\"",
    ] {
        assert!(page.contains(section), "{section}\n{page}");
    }
    for command in COMMANDS {
        assert!(
            page.contains(&format!("json\\-chunks\\-{command}(1)")),
            "{command}\n{page}"
        );
    }
}

#[test]
fn page_of_a_command_has_its_examples_line_by_line() {
    for command in COMMANDS {
        let page = clean(run(&["man", command], ""));
        let title = format!(
            ".TH json-chunks-{command} 1  \"json-chunks {}\"",
            env!("CARGO_PKG_VERSION")
        );
        assert!(page.contains(&title), "{page}");
        let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").expect("examples");
        let (examples, _) = examples.split_once("\n.fi\n").expect("the end of examples");
        assert!(
            examples.contains(&format!("json\\-chunks {command}")),
            "{examples}"
        );
        assert!(examples.lines().count() > 1, "{examples}");
        assert!(page.contains(".SH \"EXIT CODE\""), "{page}");
    }
}

#[test]
fn unknown_page_is_wrong_usage() {
    let outcome = run(&["man", "help"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        outcome.stderr,
        "error: `json-chunks help` is not a command; see `--help`\n"
    );
}

#[test]
fn all_pages_are_written_to_a_directory() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("man/man1");
    // Left by an earlier run, if it failed.
    let _ = fs::remove_dir_all(&dir);
    let path = dir.to_str().expect("UTF-8");
    assert_eq!(clean(run(&["man", "--dir", path], "")), "");
    let page = |name: &str| fs::read_to_string(dir.join(name)).expect("a page");
    assert_eq!(page("json-chunks.1"), clean(run(&["man"], "")));
    for command in COMMANDS {
        let expected = clean(run(&["man", command], ""));
        assert_eq!(page(&format!("json-chunks-{command}.1")), expected);
    }
    let pages = fs::read_dir(&dir).expect("the directory").count();
    assert_eq!(pages, COMMANDS.len() + 1);
    fs::remove_dir_all(&dir).expect("the directory");
}

#[test]
fn directory_that_cannot_be_written_is_named() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/man");
    let outcome = run(&["man", "--dir", file], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    assert!(
        outcome
            .stderr
            .starts_with(&format!("error: cannot write {file}: ")),
        "{}",
        outcome.stderr
    );
}

#[test]
fn closed_output_ends_without_an_error() {
    for args in [&["man"][..], &["completions", "bash"]] {
        let mut child = super::spawn(args);
        drop(child.stdout.take());
        let outcome = super::outcome(child);
        assert_eq!(
            (outcome.code, outcome.stderr.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}
