//! What to measure with: an itinerary such as a model writes, as growing snapshots or as a reply
//! in pieces.

use std::fmt::Write;

/// Small, fast and the same everywhere: xorshift64.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap_or_default()
    }
}

/// The order of the members in each snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That in which the model writes them.
    Document,
    /// By name, as `serde_json`'s default map, Go and `.sortedKeys` have it.
    Sorted,
    /// That of the document, except for the second snapshot, which is shuffled.
    OneOdd,
    /// Another one each time in the objects that have changed, else that of the document.
    ChangedShuffled,
    /// Another one in every object of every snapshot.
    Shuffled,
}

/// All orders, with the words for them.
pub const ORDERS: [(&str, Order); 5] = [
    ("document order", Order::Document),
    ("sorted names", Order::Sorted),
    ("one shuffled, then document order", Order::OneOdd),
    ("changed objects shuffled", Order::ChangedShuffled),
    ("all shuffled", Order::Shuffled),
];

enum Json {
    Text(String),
    Number(usize),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

const WORDS: [&str; 12] = [
    "morning", "garden", "walk", "crater", "évening", "market", "lunch", "harbour", "museum",
    "quiet", "view", "relax",
];

fn text(words: usize, random: &mut Random) -> Json {
    let words: Vec<_> = (0..words)
        .map(|_| WORDS[random.below(WORDS.len())])
        .collect();
    Json::Text(words.join(" "))
}

/// An itinerary of about `bytes` bytes that ends in `end`.
fn itinerary(bytes: usize, end: &str) -> Json {
    let mut random = Random(42);
    let mut days = Vec::new();
    while days.len() * 800 < bytes {
        let activities = (0..4).map(|_| {
            Json::Object(vec![
                ("type".into(), Json::Text("Sightseeing".into())),
                ("title".into(), text(4, &mut random)),
                ("description".into(), text(14, &mut random)),
                ("price".into(), Json::Number(random.below(500))),
            ])
        });
        let activities = Json::Array(activities.collect());
        days.push(Json::Object(vec![
            ("subtitle".into(), text(5, &mut random)),
            ("day".into(), Json::Number(days.len() + 1)),
            ("activities".into(), activities),
            ("destination".into(), text(2, &mut random)),
        ]));
    }
    Json::Object(vec![
        ("title".into(), text(5, &mut random)),
        ("days".into(), Json::Array(days)),
        ("rationale".into(), Json::Text(end.into())),
    ])
}

/// How the members of one snapshot are arranged.
enum Arrangement {
    AsWritten,
    Sorted,
    /// Shuffles the members of the objects in this number of outermost levels.
    Shuffled(Random, usize),
}

fn write(json: &Json, level: usize, arrangement: &mut Arrangement, out: &mut String) {
    match json {
        Json::Text(text) => write!(out, "\"{text}\"").unwrap_or_default(),
        Json::Number(number) => write!(out, "{number}").unwrap_or_default(),
        Json::Array(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write(element, level + 1, arrangement, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            let mut order: Vec<_> = (0..members.len()).collect();
            match arrangement {
                Arrangement::AsWritten => {}
                Arrangement::Sorted => order.sort_by_key(|member| &members[*member].0),
                Arrangement::Shuffled(random, levels) if level < *levels => {
                    for i in (1..order.len()).rev() {
                        order.swap(i, random.below(i + 1));
                    }
                }
                Arrangement::Shuffled(..) => {}
            }
            out.push('{');
            for (i, member) in order.into_iter().enumerate() {
                let (name, value) = &members[member];
                out.push_str(if i > 0 { ", " } else { "" });
                write!(out, "\"{name}\": ").unwrap_or_default();
                write(value, level + 1, arrangement, out);
            }
            out.push('}');
        }
    }
}

/// `count` snapshots of about `bytes` bytes, each with one more word in its last string.
#[must_use]
pub fn snapshots(bytes: usize, order: Order, count: usize) -> Vec<String> {
    let mut end = String::from("It was");
    (0..count)
        .map(|i| {
            end.push_str(" lovely");
            let random = Random(i as u64 * 77 + 5);
            let mut arrangement = match order {
                Order::Sorted => Arrangement::Sorted,
                Order::OneOdd if i == 1 => Arrangement::Shuffled(random, usize::MAX),
                Order::Document | Order::OneOdd => Arrangement::AsWritten,
                Order::ChangedShuffled => Arrangement::Shuffled(random, 1),
                Order::Shuffled => Arrangement::Shuffled(random, usize::MAX),
            };
            let mut out = String::new();
            write(&itinerary(bytes, &end), 0, &mut arrangement, &mut out);
            out
        })
        .collect()
}

/// Returns `count` snapshots of one object with `members` members, all shuffled each time.
#[must_use]
pub fn wide_snapshots(members: usize, count: usize) -> Vec<String> {
    let mut end = String::from("It was");
    (0..count)
        .map(|i| {
            end.push_str(" lovely");
            let mut all: Vec<_> = (0..members)
                .map(|n| (format!("member {n}"), Json::Number(n)))
                .collect();
            all.push(("end".into(), Json::Text(end.clone())));
            let mut arrangement = Arrangement::Shuffled(Random(i as u64 * 77 + 5), 1);
            let mut out = String::new();
            write(&Json::Object(all), 0, &mut arrangement, &mut out);
            out
        })
        .collect()
}

/// A reply of about `bytes` bytes that is all itinerary: objects with short strings.
pub fn document(bytes: usize) -> String {
    let mut out = String::new();
    write(
        &itinerary(bytes, "It was lovely."),
        0,
        &mut Arrangement::AsWritten,
        &mut out,
    );
    out
}

/// Returns a reply of 64 KiB: one half is an itinerary, the other one long string with an
/// occasional escape.
#[must_use]
pub fn reply() -> String {
    let mut out = String::from("{\"itinerary\": ");
    let itinerary = itinerary(32 << 10, "It was lovely.");
    write(&itinerary, 0, &mut Arrangement::AsWritten, &mut out);
    out.push_str(", \"essay\": \"");
    let mut random = Random(7);
    while out.len() < 64 << 10 {
        out.push_str(WORDS[random.below(WORDS.len())]);
        out.push_str(if random.below(20) == 0 { ".\\n" } else { " " });
    }
    out.push_str("\"}");
    out
}

/// The text in `count` pieces, each as long as the others but for what a character needs.
#[must_use]
pub fn pieces(text: &str, count: usize) -> Vec<&str> {
    let mut rest = text;
    let mut pieces = Vec::with_capacity(count);
    for left in (1..=count).rev() {
        let mut end = rest.len() / left;
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// A text to parse, by the name of its row in the parser's table.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The name of the row.
    pub name: &'static str,
    /// One JSON value.
    pub text: String,
}

/// What the parser's table measures, about `bytes` bytes each: records of five members, numbers,
/// single digits, the prose of [`reply`], and strings in which every tenth character is escaped.
#[must_use]
pub fn corpora(bytes: usize) -> Vec<Corpus> {
    let array = |element: &mut dyn FnMut(&mut Random, &mut String)| {
        let mut random = Random(11);
        let mut text = String::from("[");
        while text.len() < bytes {
            if text.len() > 1 {
                text.push(',');
            }
            element(&mut random, &mut text);
        }
        text.push(']');
        text
    };
    let objects = array(&mut |random, out| {
        let (id, word) = (random.below(100_000), WORDS[random.below(WORDS.len())]);
        let (active, score) = (random.below(2) == 0, random.below(1000));
        let record = format!(
            r#"{{"id":{id},"name":"{word} walk","active":{active},"score":{score}.5,"tags":["a","{word}"]}}"#
        );
        out.push_str(&record);
    });
    let numbers = array(&mut |random, out| {
        let (whole, part) = (random.below(100_000), random.below(1000));
        let number = match random.below(4) {
            0 => format!("{whole}"),
            1 => format!("-{whole}"),
            2 => format!("{whole}.{part}"),
            _ => format!("0.{part}{whole}"),
        };
        out.push_str(&number);
    });
    let digits = array(&mut |random, out| {
        write!(out, "{}", random.below(10)).unwrap_or_default();
    });
    let documents = {
        let mut out = String::new();
        write(
            &itinerary(bytes, "It was lovely."),
            0,
            &mut Arrangement::AsWritten,
            &mut out,
        );
        out
    };
    let escapes = array(&mut |random, out| {
        out.push('"');
        for _ in 0..5 {
            out.push_str(WORDS[random.below(WORDS.len())]);
            out.push_str(["\\n", "\\\"", "\\u00e9", "\\\\", "\\ud83d\\ude00"][random.below(5)]);
        }
        out.push('"');
    });
    [
        ("objects", objects),
        ("numbers", numbers),
        ("digits", digits),
        ("documents", documents),
        ("escapes", escapes),
    ]
    .map(|(name, text)| Corpus { name, text })
    .into()
}
