//! Generates everything that goes wrong when a model continues a reply, from a known document.

use std::collections::BTreeMap;
use std::fmt;

use super::{Outcome, judged};
use json_chunks_testing::byte_source::ByteSource;

/// The way in which a reply differs from an exact continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// None: it continues at the exact byte, to the end of the document.
    None,
    /// It continues at the exact byte, and is truncated itself.
    CutAgain,
    Overlap,
    FullOverlap,
    /// It is a piece of the existing text.
    Piece,
    ElementAgain,
    /// The same, with other white space.
    ElementRespelled,
    Restart,
    RestartRespelled,
    RestartShorter,
    Fence,
    FenceOverlap,
    FenceElement,
    ProseLine,
    ProseOnTheLine,
    ProseBehind,
    FirstInFence,
    FirstBehindProse,
    HalfCharacter,
    LostCharacter,
}

impl Trouble {
    pub(crate) const ALL: [Self; 20] = [
        Self::None,
        Self::CutAgain,
        Self::Overlap,
        Self::FullOverlap,
        Self::Piece,
        Self::ElementAgain,
        Self::ElementRespelled,
        Self::Restart,
        Self::RestartRespelled,
        Self::RestartShorter,
        Self::Fence,
        Self::FenceOverlap,
        Self::FenceElement,
        Self::ProseLine,
        Self::ProseOnTheLine,
        Self::ProseBehind,
        Self::FirstInFence,
        Self::FirstBehindProse,
        Self::HalfCharacter,
        Self::LostCharacter,
    ];
}

/// A first reply, the next one, and the expected text.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) first: Vec<u8>,
    pub(crate) reply: Vec<u8>,
    pub(crate) whole: String,
    /// The expected text with U+FFFD for a split character.
    pub(crate) damaged: Option<String>,
}

/// A token and its offset.
type Token = std::ops::Range<usize>;

fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            byte if byte.is_ascii_whitespace() => continue,
            b'"' => {
                while bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {}
            _ => {
                while at < bytes.len() && !b"{}[]:, \n\r\t".contains(&bytes[at]) {
                    at += 1;
                }
            }
        }
        tokens.push(start..at);
    }
    tokens
}

/// Returns the starts of the elements and members that are open at `cut`.
fn open_at(text: &str, cut: usize) -> Vec<usize> {
    let mut open = vec![None];
    for token in tokens(text) {
        if token.start >= cut {
            break;
        }
        match text.as_bytes()[token.start] {
            b',' => *open.last_mut().unwrap() = None,
            b'}' | b']' => {
                open.pop();
            }
            byte => {
                open.last_mut().unwrap().get_or_insert(token.start);
                if matches!(byte, b'{' | b'[') {
                    open.push(None);
                }
            }
        }
    }
    open.into_iter().flatten().collect()
}

/// Returns the text after `start` with other white space between its tokens.
fn respelled(text: &str, start: usize, source: &mut ByteSource<'_>) -> String {
    let mut out = String::new();
    for token in tokens(text) {
        if token.start >= start {
            if !out.is_empty() {
                let space: &&str = source.choose(&["", " ", "\n", "  ", "\n\t"]);
                out.push_str(space);
            }
            out.push_str(&text[token]);
        }
    }
    out
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns a number below `bound`, which may be large.
pub(crate) fn below(source: &mut ByteSource<'_>, bound: usize) -> usize {
    let number = usize::from(source.byte()) << 16
        | usize::from(source.byte()) << 8
        | usize::from(source.byte());
    if bound == 0 { 0 } else { number % bound }
}

/// Returns a case of this trouble with `document` cut at byte `cut`, if that is possible.
pub(crate) fn case(
    document: &str,
    cut: usize,
    trouble: Trouble,
    source: &mut ByteSource<'_>,
) -> Option<Case> {
    let half = cut;
    let cut = boundary(document, cut);
    let (head, rest) = document.split_at(cut);
    let mut first = head.as_bytes().to_vec();
    let mut whole = document.to_owned();
    let overlap = |source: &mut ByteSource<'_>| {
        let most = [8, 64, 2048][source.below(3)];
        boundary(document, cut - 1 - below(source, cut.min(most)))
    };
    let open = || open_at(document, cut);
    let fenced = |text: &str| format!("Here is the rest:\n\n```json\n{text}\n```\nThat is all.");
    let behind = rest
        .chars()
        .next()
        .map_or(cut, |char| cut + char.len_utf8());
    let damaged = (half > cut).then(|| format!("{head}\u{fffd}{}", &document[behind..]));
    let reply = match trouble {
        Trouble::None => rest.to_owned(),
        _ if cut == 0 => return None,
        Trouble::CutAgain => {
            let end = boundary(document, cut + below(source, rest.len()));
            whole.truncate(end);
            document[cut..end].to_owned()
        }
        Trouble::Overlap => document[overlap(source)..].to_owned(),
        Trouble::FullOverlap => {
            whole.truncate(cut);
            document[overlap(source)..cut].to_owned()
        }
        Trouble::Piece => {
            whole.truncate(cut);
            let start = overlap(source);
            let end = boundary(document, start + below(source, cut - start + 1));
            document[start..end].to_owned()
        }
        Trouble::ElementAgain => {
            let open = open();
            document[*open.get(source.below(open.len()))?..].to_owned()
        }
        Trouble::ElementRespelled => {
            let open = open();
            respelled(document, *open.get(source.below(open.len()))?, source)
        }
        Trouble::Restart => {
            let end = boundary(document, cut + below(source, rest.len() + 1));
            whole.truncate(end);
            document[..end].to_owned()
        }
        Trouble::RestartRespelled => respelled(document, 0, source),
        Trouble::RestartShorter => {
            whole.truncate(cut);
            document[..boundary(document, 1 + below(source, cut))].to_owned()
        }
        Trouble::Fence => fenced(rest),
        Trouble::FenceOverlap => fenced(&document[overlap(source)..]),
        Trouble::FenceElement => {
            let open = open();
            fenced(&respelled(document, *open.last()?, source))
        }
        Trouble::ProseLine => format!("Here is the rest of the document:\n\n{rest}"),
        Trouble::ProseOnTheLine => format!("Sure, here is the rest: {rest}"),
        Trouble::ProseBehind => format!("{rest}\n\nThat is all of it, as you asked."),
        Trouble::FirstInFence => {
            first = format!("Certainly!\n\n```json\n{head}").into_bytes();
            format!("{rest}\n```")
        }
        Trouble::FirstBehindProse => {
            first = format!("Here is the document you asked for: {head}").into_bytes();
            rest.to_owned()
        }
        Trouble::HalfCharacter | Trouble::LostCharacter if half == cut => return None,
        Trouble::HalfCharacter => {
            let (head, rest) = document.as_bytes().split_at(half);
            let reply = rest.to_vec();
            let first = head.to_vec();
            return Some(Case {
                first,
                reply,
                whole,
                damaged,
            });
        }
        Trouble::LostCharacter => {
            let (head, rest) = document.as_bytes().split_at(half);
            first = String::from_utf8_lossy(head).into_owned().into_bytes();
            String::from_utf8_lossy(rest).into_owned()
        }
    };
    Some(Case {
        first,
        reply: reply.into_bytes(),
        whole,
        damaged,
    })
}

/// Counts the outcomes of joins.
#[derive(Default)]
pub(crate) struct Rates(BTreeMap<Trouble, Counts>);

impl Rates {
    /// Joins a case and counts the outcome. Asserts that no wrong join is certain. If `SHOW_WRONG`
    /// is set, wrong likely joins are printed, and ambiguous replies without the correct candidate.
    pub(crate) fn count(&mut self, trouble: Trouble, case: &Case) {
        let judged = judged(case);
        let outcome = &judged.outcome;
        let name = match (Outcome::of(outcome), judged.is_right) {
            (Outcome::Certain(_), true) => "certain",
            (Outcome::Likely(_), true) => "likely",
            (Outcome::Likely(_), false) => "wrong likely",
            (Outcome::Failed, _) => "failed",
            (Outcome::Ambiguous(_), _) if judged.is_offered => "ambiguous",
            (Outcome::Ambiguous(_), _) => "ambiguous without it",
            (Outcome::Certain(_), false) => {
                let text = String::from_utf8_lossy;
                panic!(
                    "{trouble:?}: {outcome:?}\nfirst: {}\nreply: {}\nwhole: {}",
                    text(&case.first),
                    text(&case.reply),
                    case.whole
                )
            }
        };
        if (name.starts_with("wrong") || name.ends_with("without it"))
            && std::env::var_os("SHOW_WRONG").is_some()
        {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (first, reply) = (text(&case.first), text(&case.reply));
            let skipped = first.chars().count().saturating_sub(80);
            let end: String = first.chars().skip(skipped).collect();
            let start: String = reply.chars().take(80).collect();
            eprintln!("{trouble:?} {outcome:?}: {end:?} | {start:?}");
        }
        *self.0.entry(trouble).or_default().entry(name).or_default() += 1;
    }

    /// Returns the share of the joins with this trouble that had this outcome.
    pub(crate) fn of(&self, trouble: Trouble, name: &str) -> f64 {
        share(self.0.get(&trouble).into_iter(), name)
    }

    /// Returns the share of all joins that had this outcome.
    pub(crate) fn of_all(&self, name: &str) -> f64 {
        share(self.0.values(), name)
    }
}

type Counts = BTreeMap<&'static str, u32>;

fn share<'a>(counts: impl Iterator<Item = &'a Counts> + Clone, name: &str) -> f64 {
    let all: u32 = counts.clone().flat_map(BTreeMap::values).sum();
    let named: u32 = counts.filter_map(|counts| counts.get(name)).sum();
    f64::from(named) / f64::from(all.max(1))
}

/// Prints a table: `cargo test --test it continuation::troubles -- --nocapture`.
impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (trouble, counts) in &self.0 {
            let all: u32 = counts.values().sum();
            write!(f, "{:18} {all:7}", format!("{trouble:?}"))?;
            for (name, count) in counts {
                write!(
                    f,
                    "  {name} {:.2}%",
                    f64::from(*count) * 100.0 / f64::from(all)
                )?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
