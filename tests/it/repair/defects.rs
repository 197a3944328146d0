//! Documents with one defect each and a known original: how many are restored exactly.
//!
//! `cargo test --test it repair::defects -- --nocapture` prints the table. A rule that is added
//! gets a row here, and [`every_rule_has_a_defect`] says so if it does not.

#![allow(clippy::string_slice, reason = "quotes and brackets are one byte")]
#![allow(clippy::print_stdout, reason = "the table is for people")]

use std::collections::HashSet;

use json_chunks::repair::{RepairOptions, RepairRule, Repaired, repair_with};
use json_chunks_testing::json::{Json, text};
use json_chunks_testing::tokens::{Kind, Layout, Token, is, join, tokens};
use serde_json::{Value, json};

/// The number of documents for each defect, half of them compact and half indented.
const DOCUMENTS: u64 = 100;

/// A small portable generator: xorshift64.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % bound.max(1)
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

const WORDS: &[&str] = &[
    "morning",
    "garden",
    "a",
    "walk",
    "crater",
    "the",
    "évening",
    "market",
    "of",
    "lunch",
    "and",
    "harbour",
    "museum",
    "quiet",
    "view",
    "it's",
    "well-known",
    "42",
    "5%",
];

const NAMES: &[&str] = &[
    "id",
    "title",
    "days",
    "type",
    "description",
    "items",
    "location",
    "name",
    "notes",
    "price",
    "tags",
    "details",
    "place",
    "start_time",
    "isOpen",
    "summary",
    "steps",
    "status",
    "url",
    "kind",
];

fn sentence(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(7) {
        if !text.is_empty() {
            let between = random.choose(&[" ", " ", " ", " ", " ", ", ", ". ", " - ", ": "]);
            text.push_str(between);
        }
        text.push_str(random.choose(WORDS));
    }
    text.push_str(random.choose(&["", "", ".", "!"]));
    text
}

fn scalar(random: &mut Random) -> Json {
    match random.below(10) {
        0 => Json::Bool(random.below(2) == 0),
        1 => Json::Null,
        2 | 3 => number(random.below(5000)),
        4 => Json::Num(format!("{}.5", random.below(90))),
        _ => string(&sentence(random)),
    }
}

fn value(random: &mut Random, depth: usize) -> Json {
    if depth == 0 || random.below(5) < 3 {
        return scalar(random);
    }
    match random.below(4) {
        0 => object(random, depth - 1),
        1 => Json::Arr(
            (0..=random.below(4))
                .map(|_| string(&sentence(random)))
                .collect(),
        ),
        2 => Json::Arr(
            (0..=random.below(4))
                .map(|_| number(random.below(999)))
                .collect(),
        ),
        _ => Json::Arr(
            (0..=random.below(3))
                .map(|_| object(random, depth - 1))
                .collect(),
        ),
    }
}

fn object(random: &mut Random, depth: usize) -> Json {
    let mut names = NAMES.to_vec();
    let count = 2 + random.below(4);
    Json::Obj(
        (0..count)
            .map(|_| {
                let name = names.remove(random.below(names.len()));
                (text(name), value(random, depth))
            })
            .collect(),
    )
}

/// An object with a member for every defect, at a random place.
fn document(random: &mut Random) -> Json {
    let Json::Obj(mut members) = object(random, 3) else {
        unreachable!("it is an object");
    };
    for (name, value) in [
        (
            "list_of_words",
            Json::Arr((0..=2).map(|_| string(&sentence(random))).collect()),
        ),
        ("nested_object", object(random, 2)),
        ("large_number", number(1000 + random.below(9_000_000))),
        ("is_done", Json::Bool(random.below(2) == 0)),
    ] {
        members.insert(random.below(members.len() + 1), (text(name), value));
    }
    Json::Obj(members)
}

fn laid_out(document: &Json, indented: bool) -> Vec<Token> {
    let layout = if indented {
        Layout::Indented
    } else {
        Layout::Same("")
    };
    tokens(document, layout)
}

fn written(document: &Json, indented: bool) -> String {
    join(&laid_out(document, indented))
}

fn value_of(document: &Json) -> Value {
    serde_json::from_str(&written(document, false)).expect("it is JSON")
}

fn string(content: &str) -> Json {
    Json::Str(text(content))
}

fn number(number: usize) -> Json {
    Json::Num(number.to_string())
}

/// A malformed text and its original.
struct Case {
    broken: String,
    meant: Value,
}

/// The way in which a defect is made.
enum Defect {
    /// One token is changed.
    Token(fn(&[Token], usize, &mut Random) -> Option<String>),
    /// The text is changed.
    Text(fn(&str, &mut Random) -> String),
    /// A member with this value, as it should be and as it is.
    Member(fn(&mut Random, bool) -> (Value, String)),
    /// Anything else.
    Any(fn(&Json, bool, &mut Random) -> Case),
}

struct Row {
    name: &'static str,
    rule: RepairRule,
    /// The percentage that has to be restored exactly.
    target: usize,
    defect: Defect,
    options: RepairOptions,
}

impl Row {
    fn case(&self, seed: u64) -> Case {
        let mut random = Random::new(seed);
        let random = &mut random;
        let indented = seed % 2 == 1;
        let mut document = document(random);
        match &self.defect {
            Defect::Token(change) => {
                let mut tokens;
                let mut changes = Vec::new();
                loop {
                    tokens = laid_out(&document, indented);
                    for at in 0..tokens.len() {
                        changes.extend(change(&tokens, at, random).map(|text| (at, text)));
                    }
                    if !changes.is_empty() {
                        break;
                    }
                    document = self::document(random);
                }
                let (at, text) = changes.swap_remove(random.below(changes.len()));
                tokens[at].text = text;
                Case {
                    broken: join(&tokens),
                    meant: value_of(&document),
                }
            }
            Defect::Text(change) => {
                let text = written(&document, indented);
                Case {
                    broken: change(&text, random),
                    meant: value_of(&document),
                }
            }
            Defect::Member(member) => {
                let (meant, special) = member(random, indented);
                let mark = "@@@";
                let Json::Obj(mut members) = document else {
                    unreachable!("it is an object")
                };
                let place = random.below(members.len() + 1);
                members.insert(place, (text("special"), string(mark)));
                let document = Json::Obj(members);
                let broken = written(&document, indented);
                let broken = broken.replacen(&json!(mark).to_string(), &special, 1);
                let mut whole = value_of(&document);
                whole["special"] = meant;
                Case {
                    broken,
                    meant: whole,
                }
            }
            Defect::Any(case) => case(&document, indented, random),
        }
    }

    fn repaired(&self, case: &Case) -> Option<Repaired> {
        repair_with(&case.broken, self.options).ok()
    }
}

fn row(name: &'static str, rule: RepairRule, target: usize, defect: Defect) -> Row {
    Row {
        name,
        rule,
        target,
        defect,
        options: RepairOptions::default(),
    }
}

/// A closer that is not the last, and not that of an empty container.
fn inner_closer(tokens: &[Token], at: usize) -> bool {
    is(tokens, at, Kind::Close) && at + 1 < tokens.len() && !is(tokens, at - 1, Kind::Open)
}

fn thousands(number: &str) -> String {
    let mut text = String::new();
    for (index, digit) in number.chars().enumerate() {
        if index > 0 && (number.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn quoted_words(random: &mut Random) -> (Value, String) {
    let text = format!(
        "{} \"{}\" {}",
        sentence(random),
        random.choose(WORDS),
        sentence(random)
    );
    (json!(text), format!("\"{text}\""))
}

fn words(random: &mut Random, count: usize) -> Vec<String> {
    (0..count)
        .map(|_| random.choose(WORDS).replace('\'', ""))
        .collect()
}

#[allow(clippy::too_many_lines, reason = "it is a table")]
fn rows() -> Vec<Row> {
    use Defect::{Any, Member, Text, Token};
    use RepairRule as R;
    let mut rows = vec![
        row(
            "end quote of a value missing",
            R::MissingQuote,
            85,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Text)
                    .then(|| tokens[at].text.strip_suffix('"').unwrap().to_owned())
            }),
        ),
        row(
            "end quote of a name missing",
            R::MissingQuote,
            90,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Name)
                    .then(|| tokens[at].text.strip_suffix('"').unwrap().to_owned())
            }),
        ),
        row(
            "start quote of a value missing",
            R::UnquotedString,
            100,
            Token(|tokens, at, _| {
                let words = tokens[at].text.contains([',', ':']) || tokens[at].text.len() < 4;
                let fits = is(tokens, at, Kind::Text) && !words && is(tokens, at - 1, Kind::Colon);
                let letter = tokens[at].text[1..].starts_with(char::is_alphabetic);
                (fits && letter).then(|| tokens[at].text[1..].to_owned())
            }),
        ),
        row(
            "start quote of a name missing",
            R::MissingQuote,
            100,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Name).then(|| tokens[at].text[1..].to_owned())
            }),
        ),
        row(
            "unescaped JSON in a string",
            R::UnescapedJson,
            95,
            Member(|random, indented| {
                let inner = object(random, 2);
                let inner = written(&inner, indented && random.below(2) == 0);
                (json!(inner), format!("\"{inner}\""))
            }),
        ),
        row(
            "escaped document",
            R::EscapedQuote,
            95,
            Text(|text, random| {
                let escaped = json!(text).to_string();
                let inside = &escaped[1..escaped.len() - 1];
                // Some escape the quotes only.
                if random.below(2) == 0 {
                    inside.replace("\\n", "\n")
                } else {
                    inside.to_owned()
                }
            }),
        ),
        row(
            "escaped string",
            R::EscapedQuote,
            95,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Text).then(|| tokens[at].text.replace('"', "\\\""))
            }),
        ),
        row(
            "doubled quotes",
            R::DoubledQuote,
            95,
            Text(|text, _| text.replace('"', "\"\"")),
        ),
        row(
            "doubled quotes of one string",
            R::DoubledQuote,
            95,
            Token(|tokens, at, _| {
                let fits = is(tokens, at, Kind::Text) || is(tokens, at, Kind::Name);
                fits.then(|| tokens[at].text.replace('"', "\"\""))
            }),
        ),
        row(
            "triple quotes",
            R::DoubledQuote,
            100,
            Member(|random, _| {
                let text = format!(
                    "{}\n{} \"{}\"\n",
                    sentence(random),
                    sentence(random),
                    random.choose(WORDS)
                );
                (json!(text), format!("\"\"\"{text}\"\"\""))
            }),
        ),
        row(
            "<think>",
            R::Reasoning,
            95,
            Text(|text, random| {
                let thought = random.choose(&[
                    "The user wants {\"a\": 1} and [1, 2].\nLet me see.",
                    "So {\"days\": [1, 2, 3]} would do.",
                    "I should answer in JSON: it's {\"x\"}",
                ]);
                format!("<think>\n{thought}\n</think>\n\n{text}")
            }),
        ),
        row(
            "thousands",
            R::ThousandsSeparator,
            95,
            Token(|tokens, at, _| {
                let large = is(tokens, at, Kind::Number) && is(tokens, at - 1, Kind::Colon);
                let text = &tokens[at].text;
                (large && text.len() > 3 && !text.contains('.')).then(|| thousands(text))
            }),
        ),
        row(
            "inner closer missing",
            R::MissingCloser,
            75,
            Token(|tokens, at, _| inner_closer(tokens, at).then(String::new)),
        ),
        row(
            "inner closer doubled",
            R::ExtraCloser,
            85,
            Token(|tokens, at, _| inner_closer(tokens, at).then(|| tokens[at].text.repeat(2))),
        ),
        row(
            "inner closer wrong",
            R::MismatchedCloser,
            85,
            Token(|tokens, at, _| {
                let other = if tokens[at].text == "}" { "]" } else { "}" };
                inner_closer(tokens, at).then(|| other.to_owned())
            }),
        ),
        row(
            "last closers missing",
            R::MissingCloser,
            100,
            Text(|text, _| text.trim_end_matches(['}', ']', '\n', ' ']).to_owned()),
        ),
        row(
            "trailing comma",
            R::TrailingComma,
            100,
            Token(|tokens, at, _| {
                let fits = is(tokens, at, Kind::Close) && !is(tokens, at - 1, Kind::Open);
                fits.then(|| format!(",{}", tokens[at].text))
            }),
        ),
        row(
            "comma missing",
            R::MissingComma,
            100,
            Token(|tokens, at, _| is(tokens, at, Kind::Comma).then(|| " ".to_owned())),
        ),
        row(
            "comma doubled",
            R::ExtraComma,
            100,
            Token(|tokens, at, _| is(tokens, at, Kind::Comma).then(|| ",,".to_owned())),
        ),
        row(
            "colon missing",
            R::MissingColon,
            100,
            Token(|tokens, at, _| is(tokens, at, Kind::Colon).then(|| " ".to_owned())),
        ),
        row(
            "colon doubled",
            R::ExtraColon,
            100,
            Token(|tokens, at, _| is(tokens, at, Kind::Colon).then(|| "::".to_owned())),
        ),
        row(
            "literals of Python",
            R::Literal,
            100,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Literal).then(|| match tokens[at].text.as_str() {
                    "true" => "True".to_owned(),
                    "false" => "False".to_owned(),
                    _ => "None".to_owned(),
                })
            }),
        ),
        row(
            "single quotes",
            R::OtherQuote,
            100,
            Token(|tokens, at, _| {
                let fits = is(tokens, at, Kind::Text) || is(tokens, at, Kind::Name);
                fits.then(|| tokens[at].text.replace('\'', "\\'").replace('"', "'"))
            }),
        ),
        row(
            "name without quotes",
            R::UnquotedName,
            100,
            Token(|tokens, at, _| {
                is(tokens, at, Kind::Name).then(|| tokens[at].text.replace('"', ""))
            }),
        ),
        row(
            "comment",
            R::Comment,
            100,
            Token(|tokens, at, _| {
                (at > 0).then(|| format!("/* so \"it\" }} */{}", tokens[at].text))
            }),
        ),
        row(
            "ellipsis",
            R::Ellipsis,
            100,
            Token(|tokens, at, _| is(tokens, at, Kind::Comma).then(|| ", ...,".to_owned())),
        ),
        row(
            "no-break space",
            R::WhiteSpace,
            100,
            Token(|tokens, at, _| (at > 0).then(|| format!("\u{A0}{}", tokens[at].text))),
        ),
        row(
            "line end in a string",
            R::ControlCharacter,
            100,
            Member(|random, _| {
                let text = format!("{}\n\t{}", sentence(random), sentence(random));
                (json!(text), format!("\"{text}\""))
            }),
        ),
        row(
            "quoted words in a string",
            R::UnescapedQuote,
            100,
            Member(|random, _| quoted_words(random)),
        ),
        row(
            "escape of another language",
            R::InvalidEscape,
            100,
            Member(|random, _| {
                let text = sentence(random);
                (
                    json!(format!("{text} \\d+ A")),
                    format!("\"{text} \\d+ \\x41\""),
                )
            }),
        ),
        row(
            "Windows path",
            R::WindowsPath,
            100,
            Member(|random, _| {
                let names = ["new", "temp", "bin", "files", "readme.txt", "unique"];
                // At least one backslash is no escape, or the document would be valid.
                let text = format!("C:\\Users\\{}\\", random.choose(&names));
                let text = if random.below(2) == 0 {
                    text
                } else {
                    text.trim_end_matches('\\').to_owned()
                };
                (json!(text), format!("\"{text}\""))
            }),
        ),
        row(
            "leading zero",
            R::LeadingZero,
            100,
            Member(|random, _| {
                let text = format!("0{}", 1000 + random.below(9000));
                (json!(text), text)
            }),
        ),
        row(
            "number of another language",
            R::Number,
            100,
            Member(|random, _| {
                let number = random.below(1000);
                match random.below(4) {
                    0 => (json!(number), format!("+{number}")),
                    1 => (json!(number), format!("0x{number:x}")),
                    2 => (json!(0.5), ".5".to_owned()),
                    _ => (json!(1_000_000), "1_000_000".to_owned()),
                }
            }),
        ),
        row(
            "set",
            R::Set,
            100,
            Member(|random, _| {
                let words = words(random, 2);
                let text = format!(
                    "{{{}}}",
                    words
                        .iter()
                        .map(|word| format!("\"{word}\""))
                        .collect::<Vec<_>>()
                        .join(", ")
                );
                (json!(words), text)
            }),
        ),
        row(
            "tuple",
            R::Tuple,
            100,
            Member(|random, _| {
                let numbers = [random.below(9), random.below(99), random.below(999)];
                (
                    json!(numbers),
                    format!("({}, {}, {})", numbers[0], numbers[1], numbers[2]),
                )
            }),
        ),
        row(
            "call",
            R::Call,
            100,
            Member(|random, _| {
                let name = random.choose(&[
                    "ObjectId",
                    "ISODate",
                    "new Date",
                    "datetime.date",
                    "Decimal",
                ]);
                let text = sentence(random);
                (json!(text), format!("{name}({})", json!(text)))
            }),
        ),
        row(
            "strings with a plus",
            R::Concatenation,
            100,
            Member(|random, _| {
                let (one, two) = (sentence(random), sentence(random));
                (
                    json!(format!("{one}{two}")),
                    format!("{} +\n {}", json!(one), json!(two)),
                )
            }),
        ),
        row(
            "string without quotes",
            R::UnquotedString,
            100,
            Member(|random, _| {
                let text = words(random, 3).join(" ");
                let text = format!("so {text}");
                (json!(text), text)
            }),
        ),
        row(
            "member without a value",
            R::MissingValue,
            100,
            Member(|_, _| (Value::Null, String::new())),
        ),
        row(
            "doubled brace",
            R::ExtraOpener,
            100,
            Text(|text, _| format!("{{{text}}}")),
        ),
        row(
            "quotes around the document",
            R::QuotedDocument,
            100,
            Text(|text, random| {
                let quote = random.choose(&["\"", "`"]);
                format!("{quote}{text}{quote}")
            }),
        ),
        row(
            "byte order mark",
            R::ByteOrderMark,
            100,
            Text(|text, _| format!("\u{FEFF}{text}")),
        ),
        row(
            "prose with brackets",
            R::SurroundingText,
            100,
            Text(|text, random| {
                let prose = random.choose(&[
                    "As [the docs] say, use {name} like this [1]: ",
                    "I've read your request (see [2] or [a, b) and made {it:\n\n",
                    "Set {\"x\" to [1, 2 for this.\nThe result:\n",
                ]);
                format!("{prose}{text}\n\nThat's {{all}}, as in [1].")
            }),
        ),
        row(
            "fence marked json",
            R::Fence,
            100,
            Text(|text, random| {
                let other = random.choose(&[
                    "```python\nx = {\"a\": 1}\n```",
                    "```\n[1, 2]\n```",
                    "~~~\n{}\n~~~",
                ]);
                format!("First:\n{other}\nThen:\n```json\n{text}\n```\nDone.")
            }),
        ),
        row(
            "long fence",
            R::Fence,
            100,
            Text(|text, random| {
                let fence = random.choose(&["````", "~~~", "`````"]);
                format!("Here:\n{fence}json\n{text}\n{fence}\n")
            }),
        ),
        row(
            "tool tag",
            R::ToolTag,
            100,
            Text(|text, random| match random.below(4) {
                0 => format!("<tool_call>\n{text}\n</tool_call>"),
                1 => format!("[TOOL_CALLS]{text}</s>"),
                2 => format!("<|python_tag|>{text}<|eom_id|>"),
                _ => format!("I will call it.\n<function_call>{text}</function_call>"),
            }),
        ),
        row(
            "members without braces",
            R::MissingOpener,
            100,
            Text(|text, random| {
                let text = &text[1..];
                if random.below(2) == 0 {
                    text.to_owned()
                } else {
                    text[..text.len() - 1].to_owned()
                }
            }),
        ),
        row(
            "second value",
            R::ExtraValue,
            100,
            Text(|text, _| format!("{text}\n{{\"other\": 1}}")),
        ),
        row(
            "cut in a number",
            R::UnfinishedNumber,
            100,
            Any(|document, indented, _| {
                let text = written(document, indented);
                let inside = text.strip_suffix('}').unwrap().trim_end();
                let mut meant = value_of(document);
                meant["last"] = json!(1);
                Case {
                    broken: format!("{inside},\"last\":1.5e").replace("1.5e", "1."),
                    meant,
                }
            }),
        ),
        row(
            "cut in a literal",
            R::UnfinishedLiteral,
            100,
            Any(|document, indented, random| {
                let text = written(document, indented);
                let inside = text.strip_suffix('}').unwrap().trim_end();
                let mut meant = value_of(document);
                meant["last"] = json!(false);
                let cut = random.choose(&["f", "fal", "fals"]);
                Case {
                    broken: format!("{inside},\"last\":{cut}"),
                    meant,
                }
            }),
        ),
        row(
            "cut in an escape",
            R::UnfinishedEscape,
            100,
            Any(|document, indented, random| {
                let text = written(document, indented);
                let inside = text.strip_suffix('}').unwrap().trim_end();
                let mut meant = value_of(document);
                meant["last"] = json!("so");
                let cut = random.choose(&["\\", "\\u", "\\u00e", "\\ud83d", "\\ud83d\\u"]);
                Case {
                    broken: format!("{inside},\"last\":\"so{cut}"),
                    meant,
                }
            }),
        ),
        row(
            "cut in a name",
            R::UnfinishedMember,
            100,
            Any(|document, indented, random| {
                let text = written(document, indented);
                let inside = text.strip_suffix('}').unwrap().trim_end();
                let cut = random.choose(&["\"la", "\"last\"", "\"last\":"]);
                Case {
                    broken: format!("{inside},{cut}"),
                    meant: value_of(document),
                }
            }),
        ),
        row(
            "bytes that are not UTF-8",
            R::InvalidUtf8,
            100,
            Text(|text, _| text.to_owned()),
        ),
    ];
    rows.push(Row {
        options: RepairOptions::default().multiple_values(true),
        ..row(
            "several values as an array",
            R::MultipleValues,
            100,
            Any(|document, indented, random| {
                let mut values = vec![value_of(document)];
                let mut broken = written(document, indented);
                for _ in 0..=random.below(3) {
                    let other = object(random, 2);
                    broken.push_str(random.choose(&["\n", "", "\n\n", ",\n"]));
                    broken.push_str(&written(&other, indented));
                    values.push(value_of(&other));
                }
                Case {
                    broken,
                    meant: Value::Array(values),
                }
            }),
        )
    });
    rows.push(Row {
        options: RepairOptions::default().finish_reason(json_chunks::repair::FinishReason::Stopped),
        ..row(
            "last end quote missing, stopped",
            R::MissingQuote,
            100,
            Any(|document, indented, random| {
                let text = written(document, indented);
                let inside = text.strip_suffix('}').unwrap().trim_end();
                let mut meant = value_of(document);
                let last = sentence(random);
                meant["last"] = json!(last);
                let end = if indented { "\n}" } else { "}" };
                Case {
                    broken: format!("{inside},\"last\":\"{last}{end}"),
                    meant,
                }
            }),
        )
    });
    rows
}

#[test]
fn defects_are_restored_as_often_as_promised() {
    let mut missed = Vec::new();
    println!(
        "{:34} {:>8} {:>9} {:>8} {:>7}",
        "defect", "compact", "indented", "restored", "target"
    );
    for row in rows() {
        let mut restored = [0, 0];
        let mut shown = 0;
        for seed in 0..DOCUMENTS {
            let mut case = row.case(seed);
            let repaired = if row.rule == RepairRule::InvalidUtf8 {
                // Half a character in the midst of the text, as U+FFFD.
                let mut bytes = case.broken.into_bytes();
                let quote = bytes.iter().rposition(|byte| *byte == b'"').unwrap();
                bytes.insert(quote, 0xE9);
                case.broken = String::from_utf8_lossy(&bytes).into_owned();
                case.meant = serde_json::from_str(&case.broken).unwrap();
                repair_with(&bytes, row.options).ok()
            } else {
                row.repaired(&case)
            };
            let value = repaired
                .as_ref()
                .map(|repaired| serde_json::from_str::<Value>(repaired.text()));
            let exact = value.and_then(Result::ok) == Some(case.meant);
            if exact {
                restored[usize::from(seed % 2 == 1)] += 1;
                let edits = repaired.as_ref().unwrap().edits();
                assert!(
                    row.target < 100 || edits.iter().any(|edit| edit.rule() == row.rule),
                    "{}: {edits:?} in {}",
                    row.name,
                    case.broken,
                );
            } else if std::env::var("DEFECT").is_ok_and(|name| row.name == name) && shown < 6 {
                shown += 1;
                println!(
                    "BROKEN {}\nBECAME {:?}",
                    case.broken,
                    repaired.map(Repaired::into_text)
                );
            }
        }
        let percent = (restored[0] + restored[1]) * 100 / usize::try_from(DOCUMENTS).unwrap();
        println!(
            "{:34} {:>8} {:>9} {percent:>7}% {:>6}%",
            row.name, restored[0], restored[1], row.target
        );
        if percent < row.target {
            missed.push(row.name);
        }
    }
    assert!(missed.is_empty(), "fewer than promised: {missed:?}");
}

#[test]
fn every_rule_has_a_defect() {
    let rules: HashSet<_> = rows().iter().map(|row| row.rule).collect();
    for rule in RepairRule::ALL {
        assert!(rules.contains(rule), "{rule}");
    }
}
