//! The table of rules in the documentation.

use std::collections::HashSet;

use json_chunks::RepairRule;

use super::repaired;

const TABLE: &str = include_str!("../../src/continuation/repair/rules.md");

struct Row {
    rule: String,
    before: Vec<u8>,
    after: String,
}

/// What a cell has between its backticks.
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

/// What stands for other characters is replaced by them.
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
fn every_row_is_as_it_says() {
    for Row {
        rule,
        before,
        after,
    } in rows()
    {
        let shown = String::from_utf8_lossy(&before);
        let repaired = repaired(&before);
        let ledger = repaired.ledger();
        assert_eq!(repaired.text().trim(), after, "{rule}: {shown} {ledger:?}");
        let names: Vec<_> = ledger.iter().map(|repair| repair.rule().name()).collect();
        assert!(names.contains(&rule.as_str()), "{rule}: {names:?}");
    }
}

#[test]
fn every_rule_has_a_row() {
    let told: HashSet<_> = rows().into_iter().map(|row| row.rule).collect();
    for rule in RepairRule::ALL {
        assert!(told.contains(rule.name()), "{rule}");
        assert_eq!(rule.to_string(), rule.name());
    }
    assert_eq!(told.len(), RepairRule::ALL.len());
}

#[test]
fn a_row_would_fail_if_it_were_wrong() {
    let rows = rows();
    assert!(rows.len() > 40);
    for row in rows {
        assert_ne!(row.before, row.after.as_bytes());
    }
}
