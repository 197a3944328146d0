//! The table of rules in the documentation.

use std::collections::HashSet;

use json_chunks::repair::{RepairOptions, RepairRule};

use super::repaired_with;

const TABLE: &str = include_str!("../../../src/continuation/repair/rules.md");

struct Row {
    rule: String,
    before: Vec<u8>,
    after: String,
}

/// Returns the text between the backticks of a cell.
fn code(cell: &str) -> &str {
    let cell = cell.trim();
    let ticks = cell.len() - cell.trim_start_matches('`').len();
    let fence = "`".repeat(ticks.min(2));
    let inside = cell.strip_prefix(fence.as_str()).unwrap();
    let inside = inside.strip_suffix(fence.as_str()).unwrap();
    inside
        .strip_prefix(' ')
        .and_then(|inside| inside.strip_suffix(' '))
        .unwrap_or(inside)
}

/// Replaces the symbols of the table by the characters that they represent.
fn text(cell: &str) -> Vec<u8> {
    let text = code(cell).replace('␊', "\n").replace('␉', "\t");
    let mut bytes = Vec::new();
    for (index, part) in text.split(['⟨', '⟩']).enumerate() {
        if index % 2 == 0 {
            bytes.extend_from_slice(part.as_bytes());
        } else {
            let digits = part.split(' ');
            bytes.extend(digits.map(|digits| u8::from_str_radix(digits, 16).unwrap()));
        }
    }
    bytes
}

fn rows() -> Vec<Row> {
    let mut rule = String::new();
    let row = |line: &str| {
        let cells: Vec<_> = line.split('|').collect();
        let [_, name, before, after, _] = cells[..] else {
            panic!("three cells: {line}");
        };
        if !name.trim().is_empty() {
            code(name).clone_into(&mut rule);
        }
        Row {
            rule: rule.clone(),
            before: text(before),
            after: String::from_utf8(text(after)).unwrap(),
        }
    };
    TABLE.lines().skip(2).map(row).collect()
}

#[test]
fn every_row_gives_its_result() {
    for Row {
        rule,
        before,
        after,
    } in rows()
    {
        let shown = String::from_utf8_lossy(&before);
        let options = RepairOptions::default().multiple_values(rule == "multiple_values");
        let repaired = repaired_with(&before, options);
        let edits = repaired.edits();
        assert_eq!(repaired.text().trim(), after, "{rule}: {shown} {edits:?}");
        let names: Vec<_> = edits.iter().map(|repair| repair.rule().as_str()).collect();
        assert!(names.contains(&rule.as_str()), "{rule}: {names:?}");
    }
}

#[test]
fn every_rule_has_a_row() {
    let reported: HashSet<_> = rows().into_iter().map(|row| row.rule).collect();
    for rule in RepairRule::ALL {
        assert!(reported.contains(rule.as_str()), "{rule}");
        assert_eq!(rule.to_string(), rule.as_str());
    }
    assert_eq!(reported.len(), RepairRule::ALL.len());
}

#[test]
fn every_row_changes_its_text() {
    let rows = rows();
    assert!(rows.len() > 40);
    for row in rows {
        assert_ne!(row.before, row.after.as_bytes());
    }
}
