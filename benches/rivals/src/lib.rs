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
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// Always the same.
    Same,
    /// Another one in every object of every snapshot.
    Shuffled,
}

enum Json {
    Text(String),
    Number(usize),
    Array(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
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
                ("type", Json::Text("Sightseeing".into())),
                ("title", text(4, &mut random)),
                ("description", text(14, &mut random)),
                ("price", Json::Number(random.below(500))),
            ])
        });
        let activities = Json::Array(activities.collect());
        days.push(Json::Object(vec![
            ("subtitle", text(5, &mut random)),
            ("day", Json::Number(days.len() + 1)),
            ("activities", activities),
            ("destination", text(2, &mut random)),
        ]));
    }
    Json::Object(vec![
        ("title", text(5, &mut random)),
        ("days", Json::Array(days)),
        ("rationale", Json::Text(end.into())),
    ])
}

fn write(json: &Json, shuffle: &mut Option<Random>, out: &mut String) {
    match json {
        Json::Text(text) => write!(out, "\"{text}\"").unwrap_or_default(),
        Json::Number(number) => write!(out, "{number}").unwrap_or_default(),
        Json::Array(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write(element, shuffle, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            let mut order: Vec<_> = (0..members.len()).collect();
            if let Some(random) = shuffle {
                for i in (1..order.len()).rev() {
                    order.swap(i, random.below(i + 1));
                }
            }
            out.push('{');
            for (i, member) in order.into_iter().enumerate() {
                let (name, value) = &members[member];
                out.push_str(if i > 0 { ", " } else { "" });
                write!(out, "\"{name}\": ").unwrap_or_default();
                write(value, shuffle, out);
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
            let mut shuffle = match order {
                Order::Same => None,
                Order::Shuffled => Some(Random(i as u64 * 77 + 5)),
            };
            let mut out = String::new();
            write(&itinerary(bytes, &end), &mut shuffle, &mut out);
            out
        })
        .collect()
}

/// A reply of 64 KiB, half of it an itinerary and half one long string with an escape here and there.
#[must_use]
pub fn reply() -> String {
    let mut out = String::from("{\"itinerary\": ");
    write(&itinerary(32 << 10, "It was lovely."), &mut None, &mut out);
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
