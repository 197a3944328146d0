//! `public-api.txt` lists the public API. A change to it shows in the diff and is reviewed as one.
//!
//! `BLESS=1 cargo test --manifest-path tests/public-api/Cargo.toml` writes the listing anew.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The format of rustdoc's JSON that this version of `public-api` reads.
const FORMAT: u64 = 57;

#[test]
fn public_api_equals_its_listing() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["rustdoc", "--quiet", "--lib", "--all-features", "--"])
        .args(["-Z", "unstable-options", "--output-format", "json"])
        // The JSON is unstable; a stable compiler writes it only with this.
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root)
        .status()
        .expect("cargo runs: it runs this test");
    assert!(status.success(), "rustdoc documents the library");

    let json = root.join("target/doc/json_chunks.json");
    let text = fs::read_to_string(&json).expect("rustdoc has written it");
    let document: serde_json::Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
    let format = document["format_version"].as_u64();
    if format != Some(FORMAT) {
        eprintln!("skipped: rustdoc writes format {format:?}, and this test reads {FORMAT}");
        return;
    }

    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the format is known");
    let listed: String = api.items().map(|item| format!("{item}\n")).collect();
    let file = root.join("public-api.txt");
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &listed).expect("the listing can be written");
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let added = listed
        .lines()
        .filter(|line| !expected.lines().any(|other| other == *line));
    let removed = expected
        .lines()
        .filter(|line| !listed.lines().any(|other| other == *line));
    let changes: Vec<String> = (added.map(|line| format!("+ {line}")))
        .chain(removed.map(|line| format!("- {line}")))
        .collect();
    assert!(
        changes.is_empty(),
        "the public API has changed; review this and run the test with BLESS=1:\n{}",
        changes.join("\n")
    );
}
