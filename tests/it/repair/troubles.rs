//! Random documents with one kind of mistake each, whose original can be restored.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::repaired;
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::json::{Json, text};
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::tokens::{Kind, Layout, Token, is, join, tokens};
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};

/// Returns the document with only words in its strings and names.
fn tame(json: &Json, counter: &mut usize) -> Json {
    let mut word = |kind: &str| {
        *counter += 1;
        text(&format!("{kind} {counter}"))
    };
    match json {
        Json::Null | Json::Bool(_) | Json::Num(_) => json.clone(),
        Json::Str(_) => Json::Str(word("some words")),
        Json::Arr(elements) => Json::Arr(
            elements
                .iter()
                .map(|element| tame(element, counter))
                .collect(),
        ),
        Json::Obj(members) => {
            let mut member = |(_, value): &(_, Json)| {
                *counter += 1;
                (text(&format!("name{counter}")), tame(value, counter))
            };
            Json::Obj(members.iter().map(&mut member).collect())
        }
    }
}

/// Returns the document next to another one that has a place for every mistake.
fn with_places(document: Json) -> Json {
    let member = |name: &str, value| (text(name), value);
    let places = Json::Obj(vec![
        member("a", Json::Bool(true)),
        member("b", Json::Arr(vec![Json::Num("1".to_owned())])),
        member("c", Json::Str(text("x"))),
        member("d", Json::Arr(vec![Json::Obj(Vec::new())])),
    ]);
    Json::Arr(vec![document, places])
}

/// Returns the changed token, if the mistake applies to it.
type Trouble = fn(&[Token], usize) -> Option<String>;

/// Changes one of the tokens to which `change` applies.
fn change_one(
    tokens: &mut [Token],
    source: &mut ByteSource<'_>,
    change: impl Fn(&[Token], usize) -> Option<String>,
) -> bool {
    let changes: Vec<_> = (0..tokens.len())
        .filter_map(|index| change(tokens, index).map(|text| (index, text)))
        .collect();
    let Some((index, text)) = changes.get(source.below(changes.len().min(256))) else {
        return false;
    };
    tokens[*index].text.clone_from(text);
    true
}

/// A mistake that can be repaired in any document.
const ANYWHERE: &[Trouble] = &[
    // A trailing comma.
    |tokens, at| {
        let empty = at > 0 && is(tokens, at - 1, Kind::Open);
        (is(tokens, at, Kind::Close) && !empty).then(|| format!(" ,{}", tokens[at].text))
    },
    // A doubled comma.
    |tokens, at| is(tokens, at, Kind::Comma).then(|| ",,".to_owned()),
    // A comma at the start.
    |tokens, at| is(tokens, at, Kind::Open).then(|| format!("{}\n,", tokens[at].text)),
    // Comments.
    |tokens, at| (at > 0).then(|| format!("/* \"}}] */{}", tokens[at].text)),
    |tokens, at| (at > 0).then(|| format!("// it's, \"\n{}", tokens[at].text)),
    // A doubled or another colon.
    |tokens, at| is(tokens, at, Kind::Colon).then(|| "::".to_owned()),
    |tokens, at| is(tokens, at, Kind::Colon).then(|| " => ".to_owned()),
    // Literals of Python.
    |tokens, at| {
        is(tokens, at, Kind::Literal).then(|| match tokens[at].text.as_str() {
            "true" => "True".to_owned(),
            "false" => "False".to_owned(),
            _ => "None".to_owned(),
        })
    },
    // A plus, and zeros.
    |tokens, at| {
        let number = &tokens[at].text;
        let fits = is(tokens, at, Kind::Number) && !number.starts_with('-') && tokens.len() > 1;
        fits.then(|| format!("+00{number}"))
    },
    // An ellipsis.
    |tokens, at| is(tokens, at, Kind::Comma).then(|| ", ..., ".to_owned()),
];

/// A mistake that can be repaired in a document of plain words.
const AMONG_WORDS: &[Trouble] = &[
    // A missing comma, with and without a space.
    |tokens, at| is(tokens, at, Kind::Comma).then(|| " ".to_owned()),
    |tokens, at| is(tokens, at, Kind::Comma).then(|| "\n".to_owned()),
    |tokens, at| {
        let literal = |at| is(tokens, at, Kind::Literal) || is(tokens, at, Kind::Number);
        let bare = literal(at.wrapping_sub(1)) && literal(at + 1);
        let bracket = is(tokens, at.wrapping_sub(1), Kind::Text) && is(tokens, at + 1, Kind::Open);
        (is(tokens, at, Kind::Comma) && !bare && !bracket).then(String::new)
    },
    // A missing colon.
    |tokens, at| is(tokens, at, Kind::Colon).then(|| " ".to_owned()),
    // Other quotes.
    |tokens, at| {
        (is(tokens, at, Kind::Text) || is(tokens, at, Kind::Name))
            .then(|| tokens[at].text.replace('"', "'"))
    },
    |tokens, at| {
        let word = tokens[at].text.trim_matches('"');
        (is(tokens, at, Kind::Text) || is(tokens, at, Kind::Name)).then(|| format!("“{word}”"))
    },
    // No quotes.
    |tokens, at| is(tokens, at, Kind::Name).then(|| tokens[at].text.replace('"', "")),
    |tokens, at| {
        let text = tokens[at].text.replace('"', "");
        (is(tokens, at, Kind::Text) && tokens.len() > 1).then_some(text)
    },
    // One quote missing.
    |tokens, at| {
        let behind = is(tokens, at + 1, Kind::Comma) && is(tokens, at + 2, Kind::Name);
        let text = tokens[at].text.strip_suffix('"');
        (is(tokens, at, Kind::Text) && behind).then(|| text.unwrap().to_owned())
    },
    |tokens, at| {
        let text = tokens[at].text.strip_prefix('"');
        let member = at > 0 && is(tokens, at - 1, Kind::Colon);
        let begins = is(tokens, at, Kind::Name) || (is(tokens, at, Kind::Text) && member);
        begins.then(|| text.unwrap().to_owned())
    },
    // An extra closer.
    |tokens, at| {
        (is(tokens, at, Kind::Close) && is(tokens, at + 1, Kind::Close))
            .then(|| tokens[at].text.repeat(2))
            .filter(|_| tokens[at].text != tokens[at + 1].text)
    },
];

/// Mistakes inside of the text `some words N`, and the expected text.
const INSIDE: &[(&str, &str)] = &[
    ("so\nme", "so\nme"),
    ("so\tme\u{1}", "so\tme\u{1}"),
    ("so\\me \\d+", "so\\me \\d+"),
    ("a \"few\" ", "a \"few\" "),
    ("a \"few\", \"more\" or ", "a \"few\", \"more\" or "),
    ("5\" of ", "5\" of "),
    ("\\x41 \\u12", "A \\u12"),
    ("it\\'s ", "it's "),
    (
        "an {\"object\"} and [\"array\"] of ",
        "an {\"object\"} and [\"array\"] of ",
    ),
];

fn meant(text: &str) -> Json {
    read(text, Duplicates::Rejected).unwrap()
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    #[test]
    fn mistake_between_tokens_is_repaired_in_any_document(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let document = with_places(document);
        let space = *source.choose(&["", " ", "\n\t"]);
        let mut tokens = tokens(&document, Layout::Same(space));
        let change = source.choose(ANYWHERE);
        prop_assert!(change_one(&mut tokens, &mut source, change));
        let broken = join(&tokens);
        let repaired = repaired(&broken);
        prop_assert_eq!(meant(repaired.text()), document, "{}", broken);
    }

    #[test]
    fn mistake_in_plain_words_is_repaired(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let document = tame(&with_places(document), &mut 0);
        let space = *source.choose(&["", " ", "\n\t"]);
        let mut tokens = tokens(&document, Layout::Same(space));
        let change = source.choose(AMONG_WORDS);
        prop_assert!(change_one(&mut tokens, &mut source, change));
        let broken = join(&tokens);
        let repaired = repaired(&broken);
        prop_assert_eq!(meant(repaired.text()), document, "{}", broken);
    }

    #[test]
    fn mistake_in_a_string_is_repaired(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let words = Json::Str(text("some words"));
        let document = Json::Arr(vec![tame(&document, &mut 0), words]);
        let space = *source.choose(&["", " ", "\n\t"]);
        let mut tokens = tokens(&document, Layout::Same(space));
        let (trouble, says) = *source.choose(INSIDE);
        let texts: Vec<_> = (0..tokens.len()).filter(|at| is(&tokens, *at, Kind::Text)).collect();
        let place = texts[source.below(texts.len().min(256))];
        let mut whole = tokens.clone();
        let word = tokens[place].text.trim_matches('"').to_owned();
        tokens[place].text = format!("\"{trouble}{word}\"");
        let said = Json::Str(text(&format!("{says}{word}")));
        whole[place].text = write(&said, Style::plain(Escapes::Few));
        let (broken, whole) = (join(&tokens), join(&whole));
        let repaired = repaired(&broken);
        prop_assert_eq!(meant(repaired.text()), meant(&whole), "{}", broken);
    }

    #[test]
    fn single_quoted_document_is_repaired(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let space = *source.choose(&["", " ", "\n"]);
        let mut tokens = tokens(&document, Layout::Same(space));
        for token in &mut tokens {
            if matches!(token.kind, Kind::Text | Kind::Name) {
                let inside = token.text.strip_prefix('"').unwrap();
                let inside = inside.strip_suffix('"').unwrap();
                let inside = inside.replace("\\\"", "\"").replace('\'', "\\'");
                token.text = format!("'{inside}'");
            }
        }
        let broken = join(&tokens);
        let repaired = repaired(&broken);
        prop_assert_eq!(meant(repaired.text()), document, "{}", broken);
    }
}
