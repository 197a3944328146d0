//! How sure a join is.
//!
//! The rule is that a wrong join is never called certain. All the ways in which a reply is
//! expected to go on are looked for, so if the grammar leaves one, that is the one, as long as the
//! grammar has had something to say: inside of a string every text goes on, words as well as JSON.
//! If it leaves several, they are told apart only by what chance does not do: long text that
//! matches and does not repeat itself, or a doubled name.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::found::{Found, Old, Spoken};
use super::grammar::{Grammar, Probe};
use super::join::{Candidate, Certainty, JoinFailure, JoinKind};
use super::seam::{Held, LOST};
use super::search::Search;
use super::wrapping::{Dress, is_blank, is_set_off, may_follow};

/// An overlap as long as this is no chance.
const LONG: usize = 32;
/// A restart that is shorter than this may be another document.
const RESTART: usize = 16;
/// Text in a string that does not leave it is that, rather than words, from this length.
const LONG_TEXT: usize = 1024;
/// How many candidates are told.
const MOST_CANDIDATES: usize = 8;

/// What to do with a reply.
#[derive(Debug)]
pub(super) enum Verdict {
    Take(Candidate, Certainty),
    Choose(Vec<Candidate>),
    Fail(JoinFailure),
}

pub(super) fn judge(mut search: Search<'_>) -> Verdict {
    let words_dropped = drop_words(&mut search);
    let (best, certainty) = match search.found.as_slice() {
        [] => return Verdict::Fail(search.failure()),
        _ if search.limit.is_some() => return Verdict::Fail(search.failure()),
        [only] if words_dropped && !is_long(only) => {
            (Some(only), sure_of(&search, only).min(Certainty::Likely))
        }
        [only] => (Some(only), sure_of(&search, only)),
        several => (told_apart(&search, several), Certainty::Likely),
    };
    if let Some(best) = best
        && !search.is_cut_short
        && certainty > Certainty::Ambiguous
    {
        let candidate = search.candidate(best);
        // What is held back may turn out to be text.
        let certainty = match candidate.held {
            Held::Lost => Certainty::Likely,
            Held::Nothing | Held::Half(_) => certainty,
        };
        return Verdict::Take(candidate, certainty);
    }
    let mut found: Vec<&Found> = search.found.iter().collect();
    // The sort is stable: otherwise the first that was found is the one where nothing matches.
    found.sort_by_key(|found| Reverse(if is_long(found) { found.matched() } else { 0 }));
    found.truncate(MOST_CANDIDATES);
    let candidates = found.into_iter().map(|found| search.candidate(found));
    Verdict::Choose(candidates.collect())
}

/// Words around fences go on with every string. If there is one piece that does more than that,
/// the others are words.
fn drop_words(search: &mut Search<'_>) -> bool {
    if !search.ground.ends_in_string() {
        return false;
    }
    let speaks = |found: &Found| found.spoken == Spoken::Structure;
    let mut pieces = (search.found.iter())
        .filter(|found| speaks(found))
        .map(|found| found.body.piece);
    let Some(piece) = pieces.next() else {
        return false;
    };
    if pieces.any(|other| other != piece) {
        return false;
    }
    let all = search.found.len();
    let is_kept = |found: &Found| speaks(found) || found.body.piece == piece;
    search.found.retain(is_kept);
    search.found.len() < all
}

/// How sure the only way is.
fn sure_of(search: &Search<'_>, only: &Found) -> Certainty {
    let reply = search.reply;
    let exact_in_string = only.old == Old::Nothing && search.ground.ends_in_string();
    let bare = only.body.dress != Dress::Prose && !only.before_prose;
    let broken = only.mend.is_damaged || reply.is_broken || !reply.first.is_empty();
    let first = search.is_first();
    let container = starts_container(search, only);
    if first && !only.adds_nothing() {
        let behind_another = search.ground.refused && !container;
        if behind_another || (!bare && !is_set_off(&reply.text, &only.new)) {
            return Certainty::Ambiguous;
        }
    }
    if is_mere_text(only, exact_in_string) {
        return Certainty::Ambiguous;
    }
    if broken || !bare || reply.text.starts_with(LOST) {
        return Certainty::Likely;
    }
    if only.adds_nothing() {
        // Spaces may be what goes on with a string.
        let is_space = reply.text.contains(' ') && is_blank(&reply.text);
        return if is_space && search.ground.ends_in_string() {
            Certainty::Ambiguous
        } else {
            Certainty::Certain
        };
    }
    if first && !search.ground.refused && (container || only.completes) {
        return Certainty::Certain;
    }
    let unseen = !search.tail.is_whole && only.matched() < LONG;
    let another = only.matched() < RESTART && is_a_document(search, only);
    let instead = another && only.old == Old::Nothing && starts_alike(search, only);
    if instead {
        Certainty::Ambiguous
    } else if first || exact_in_string || only.spoken != Spoken::Structure || unseen || another {
        Certainty::Likely
    } else {
        Certainty::Certain
    }
}

/// Whether new text goes on with a string that it does not leave, and could be words as well.
fn is_mere_text(only: &Found, exact_in_string: bool) -> bool {
    exact_in_string
        && !only.adds_nothing()
        && only.spoken == Spoken::Nothing
        && only.new.len() < LONG_TEXT
}

/// Whether the reply and the text start with the same bracket: a document that has been written anew
/// may look like an element.
fn starts_alike(search: &Search<'_>, only: &Found) -> bool {
    let first = |text: &str| text.trim_start().chars().next();
    let new = search.reply.text.get(only.new.clone());
    new.and_then(first) == first(search.ground.text)
}

fn starts_container(search: &Search<'_>, found: &Found) -> bool {
    let text = search.reply.text.get(found.new.clone());
    text.is_some_and(|text| text.trim_start().starts_with(['{', '[']))
}

/// Whether the JSON text of the reply may be a document of its own.
fn is_a_document(search: &Search<'_>, found: &Found) -> bool {
    let grammar = Grammar::default();
    let mut probe = Probe::new(&grammar, search.ground.limits);
    let range = found.body.range.clone();
    let bytes = search.reply.text.as_bytes();
    match probe.run(&bytes[..range.end], range.start) {
        Ok(()) => true,
        Err(stop) => {
            let rest = search.reply.text.get(stop.at.saturating_sub(1)..range.end);
            probe.is_complete() && rest.is_some_and(may_follow)
        }
    }
}

fn is_long(found: &Found) -> bool {
    matches!(
        found.old,
        Old::Start {
            len: LONG..,
            is_periodic: false
        }
    )
}

/// The way that is likely although there are others.
fn told_apart<'a>(search: &Search<'_>, several: &'a [Found]) -> Option<&'a Found> {
    let mut single = several.iter().filter(|found| !found.doubles);
    if let (Some(found), None) = (single.next(), single.next()) {
        return Some(found);
    }
    if several.iter().any(Found::is_inside) {
        // The last brackets of a document have been there before somewhere.
        return match several {
            [exact, inside] | [inside, exact]
                if inside.is_inside()
                    && inside.kind == JoinKind::Repeated
                    && inside.matched() < LONG
                    && exact.kind == JoinKind::Continued
                    && exact.completes =>
            {
                Some(exact)
            }
            _ => None,
        };
    }
    let longest = several.iter().max_by_key(|found| found.matched())?;
    let whole = *search.ground.held == Held::Nothing;
    (whole && is_long(longest)).then_some(longest)
}
