//! Everything that goes wrong when a model is asked to go on, made from a document that is known.

use std::collections::BTreeMap;
use std::fmt;

use json_chunks::{Certainty, JoinKind};

use super::outcome;
use super::support::tape::Tape;

/// What a reply does instead of going on where the text was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// Nothing: it goes on there to the end of the document.
    None,
    /// It goes on there, and is cut off itself.
    CutAgain,
    Overlap,
    FullOverlap,
    /// It is a piece of what is there already.
    Piece,
    ElementAgain,
    /// The same with other white space.
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

/// A first reply, the next one, and what both should come to.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) first: Vec<u8>,
    pub(crate) reply: Vec<u8>,
    pub(crate) whole: String,
    /// The same with U+FFFD for a character that was cut.
    pub(crate) damaged: Option<String>,
}

/// A token and where it is.
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

/// Where the elements and members start that are open at `cut`: those that have begun before.
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

/// The text from `start` on with other white space between its tokens.
fn respelled(text: &str, start: usize, tape: &mut Tape<'_>) -> String {
    let mut out = String::new();
    for token in tokens(text) {
        if token.start >= start {
            if !out.is_empty() {
                let space: &&str = tape.one_of(&["", " ", "\n", "  ", "\n\t"]);
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

/// A number below `bound`, which may be large.
pub(crate) fn below(tape: &mut Tape<'_>, bound: usize) -> usize {
    let number =
        usize::from(tape.byte()) << 16 | usize::from(tape.byte()) << 8 | usize::from(tape.byte());
    if bound == 0 { 0 } else { number % bound }
}

/// A case of trouble with `document` cut at byte `cut`, if that is possible there.
pub(crate) fn case(
    document: &str,
    cut: usize,
    trouble: Trouble,
    tape: &mut Tape<'_>,
) -> Option<Case> {
    let half = cut;
    let cut = boundary(document, cut);
    let (head, rest) = document.split_at(cut);
    let mut first = head.as_bytes().to_vec();
    let mut whole = document.to_owned();
    let overlap = |tape: &mut Tape<'_>| {
        let most = [8, 64, 2048][tape.below(3)];
        boundary(document, cut - 1 - below(tape, cut.min(most)))
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
            let end = boundary(document, cut + below(tape, rest.len()));
            whole.truncate(end);
            document[cut..end].to_owned()
        }
        Trouble::Overlap => document[overlap(tape)..].to_owned(),
        Trouble::FullOverlap => {
            whole.truncate(cut);
            document[overlap(tape)..cut].to_owned()
        }
        Trouble::Piece => {
            whole.truncate(cut);
            let start = overlap(tape);
            let end = boundary(document, start + below(tape, cut - start + 1));
            document[start..end].to_owned()
        }
        Trouble::ElementAgain => {
            let open = open();
            document[*open.get(tape.below(open.len()))?..].to_owned()
        }
        Trouble::ElementRespelled => {
            let open = open();
            respelled(document, *open.get(tape.below(open.len()))?, tape)
        }
        Trouble::Restart => {
            let end = boundary(document, cut + below(tape, rest.len() + 1));
            whole.truncate(end);
            document[..end].to_owned()
        }
        Trouble::RestartRespelled => respelled(document, 0, tape),
        Trouble::RestartShorter => {
            whole.truncate(cut);
            document[..boundary(document, 1 + below(tape, cut))].to_owned()
        }
        Trouble::Fence => fenced(rest),
        Trouble::FenceOverlap => fenced(&document[overlap(tape)..]),
        Trouble::FenceElement => {
            let open = open();
            fenced(&respelled(document, *open.last()?, tape))
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

/// How often replies were joined how.
#[derive(Default)]
pub(crate) struct Rates(BTreeMap<Trouble, Counts>);

impl Rates {
    /// Joins a case and counts what came of it. A wrong join must not be called certain. Those that
    /// are likely and wrong, or ambiguous without the right candidate, are shown with
    /// are wrong are shown where `SHOW_WRONG` is set.
    pub(crate) fn count(&mut self, trouble: Trouble, case: &Case) {
        let outcome = outcome(case);
        let join = &outcome.join;
        let name = match (join.certainty(), outcome.is_right) {
            (Certainty::Certain, true) => "certain",
            (Certainty::Likely, true) => "likely",
            (Certainty::Likely, false) => "wrong likely",
            (Certainty::Ambiguous, _) if join.kind() == JoinKind::Failed => "failed",
            (Certainty::Ambiguous, _) if outcome.is_offered => "ambiguous",
            (Certainty::Ambiguous, _) => "ambiguous without it",
            (certainty, is_right) => {
                let text = String::from_utf8_lossy;
                panic!(
                    "{trouble:?}: {certainty:?}, right: {is_right}, {join:?}\nfirst: {}\nreply: {}\nwhole: {}",
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
            eprintln!("{trouble:?} {join:?}: {end:?} | {start:?}");
        }
        *self.0.entry(trouble).or_default().entry(name).or_default() += 1;
    }

    /// How many of the joins with that trouble had that outcome, of one.
    pub(crate) fn of(&self, trouble: Trouble, name: &str) -> f64 {
        share(self.0.get(&trouble).into_iter(), name)
    }

    /// How many of all joins had that outcome, of one.
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

/// A table, for the curious: `cargo test --test continuation -- --nocapture`.
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
