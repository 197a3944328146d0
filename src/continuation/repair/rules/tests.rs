//! The table, cell by cell.

extern crate std;

use std::format;

use super::action;
use crate::continuation::repair::quote::Quote;
use crate::continuation::repair::token::{Container, Expected, TokenKind};

/// What is expected, in which container, and the action for each token.
const TABLE: &str = "
expected    | in     | {                 | [           | (           | }     | ,           | ;                | :           | =                | +           | quote       | word
Element     | Array  | OpenObject        | OpenArray   | OpenTuple   | Close | DropComma   | DropComma        | DropColon   | BareValue        | BareValue   | QuotedValue | BareValue
Element     | root   | OpenObject        | OpenArray   | OpenTuple   | Close | DropComma   | DropComma        | DropColon   | BareValue        | BareValue   | QuotedValue | BareValue
MemberValue | Object | OpenObject        | OpenArray   | OpenTuple   | Close | InsertValue | InsertValue      | DropColon   | BareValue        | BareValue   | QuotedValue | BareValue
Name        | Object | OpenInPlaceOfName | DropOpener  | BareName    | Close | DropComma   | DropComma        | DropColon   | DropColon        | BareName    | QuotedName  | BareName
Colon       | Object | InsertColon       | InsertColon | InsertColon | Close | InsertValue | InsertValue      | TakeColon   | ReplaceWithColon | InsertColon | InsertColon | InsertColon
CommaOrEnd  | Object | InsertComma       | InsertComma | InsertComma | Close | TakeComma   | ReplaceWithComma | DropColon   | DropColon        | Concatenate | InsertComma | InsertComma
CommaOrEnd  | Array  | InsertComma       | InsertComma | InsertComma | Close | TakeComma   | ReplaceWithComma | NameInArray | ReplaceWithComma | Concatenate | InsertComma | InsertComma
Nothing     | root   | Stop              | Stop        | Stop        | Stop  | Stop        | Stop             | Stop        | Stop             | Concatenate | Stop        | Stop
";

#[test]
fn every_cell_is_as_the_table_says() {
    let mut lines = TABLE.trim().lines();
    let cells = |line: &'static str| line.split('|').map(str::trim);
    let tokens = cells(lines.next().unwrap()).skip(2).map(|name| match name {
        "{" => TokenKind::OpenBrace,
        "[" => TokenKind::OpenBracket,
        "(" => TokenKind::OpenParenthesis,
        "}" => TokenKind::Close,
        "," => TokenKind::Comma,
        ";" => TokenKind::Semicolon,
        ":" => TokenKind::Colon,
        "=" => TokenKind::Equals,
        "+" => TokenKind::Plus,
        "quote" => TokenKind::Quote(Quote::Double),
        "word" => TokenKind::Word,
        name => panic!("no token: {name}"),
    });
    for line in lines {
        let mut row = cells(line);
        let expected = match row.next().unwrap() {
            "Element" => Expected::Element,
            "MemberValue" => Expected::MemberValue,
            "Name" => Expected::Name,
            "Colon" => Expected::Colon,
            "CommaOrEnd" => Expected::CommaOrEnd,
            "Nothing" => Expected::Nothing,
            name => panic!("nothing that is expected: {name}"),
        };
        let container = match row.next().unwrap() {
            "Object" => Some(Container::Object),
            "Array" => Some(Container::Array),
            _ => None,
        };
        for (token, cell) in tokens.clone().zip(row) {
            let action = format!("{:?}", action(expected, container, token));
            let name = action.split('(').next().unwrap();
            assert_eq!(name, cell, "{expected:?} in {container:?}: {token:?}");
        }
    }
}
