//! The benchmark table. Speed: MB/s, and how many times as fast as each rival. Memory: how many
//! times as much as each rival.
//!
//! ```text
//! cargo bench --manifest-path benches/rivals/Cargo.toml --bench table
//! cargo bench … --bench table -- shuffled     only the rows with this word
//! cargo bench … --bench table -- --test       each row once, small: for CI
//! cargo bench … --bench table -- --profile shuffled   runs our part of these rows, for a profiler
//! ```
//!
//! A complete run also writes the bar chart of the README, `chart-light.svg` and `chart-dark.svg`.
//!
//! All columns of a row take turns, round by round, and the best round of each counts, because
//! whatever else the machine does can only make a round slower. (The median does not hold where the
//! machine is busy: a task that runs longer than its time slice is interrupted in most rounds.) For
//! exact comparisons count instructions: `valgrind --tool=callgrind` with `--profile`.

#![allow(clippy::print_stdout, reason = "the figures are the result")]
#![allow(clippy::expect_used, reason = "a panic ends the bench")]

mod chart;
mod documents;
mod measure;
mod memory;
mod repair;
mod snapshots;
mod values;

use measure::{Case, Effort};

/// A row that is yet to be prepared: its text may be large.
type Pending = (String, Box<dyn FnOnce() -> Case>);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let words: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let is_wanted = |name: &str| words.iter().all(|word| name.contains(word.as_str()));
    let is_test = has("--test");

    let mut cases = snapshots::cases(is_test);
    cases.extend(documents::cases(is_test));
    cases.extend(repair::cases(is_test));
    let cases = cases.into_iter().filter(|(name, _)| is_wanted(name));
    if has("--profile") {
        for (_, case) in cases {
            let mut case = case();
            for _ in 0..3 {
                (case.tasks[0])();
            }
        }
        return;
    }
    println!("| | × | compared with | × | compared with | MB/s |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut rows = Vec::new();
    for (name, case) in cases {
        let row = case().measure(name, &Effort::new(is_test));
        println!("{row}");
        rows.push(row);
    }
    for row in memory::rows(is_test, is_wanted) {
        println!("{row}");
    }
    if !is_test && words.is_empty() {
        chart::write(&rows);
    }
}
