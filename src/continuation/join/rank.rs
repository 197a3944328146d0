//! Chooses a hypothesis and its confidence.
//!
//! A wrong join must never be certain. All known ways to continue are searched for, so if the
//! grammar leaves exactly one, it is the right one, provided that the grammar restricted it: in a
//! string every text fits, prose as well as JSON. If the grammar leaves several, only two things
//! disambiguate them, because neither happens by accident: a match that is
//! [evidence](super::evidence), and a duplicate name.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::evidence::SHORT;
use super::hypothesis::{GrammarEvidence, Hypothesis, Old};
use super::rest::first_name;
use super::search::HypothesisSearch;
use super::segment::{Wrapping, is_set_off, may_be_words};
use super::split_char::{Held, LOST};
use super::{Candidate, Confidence, JoinFailure, JoinKind};
use crate::wrapping::is_blank;

/// Matches of this many bytes are evidence even if the document was not searched entirely.
const LONG: usize = 32;
/// A reply that repeats fewer bytes of the start may be another document.
const RESTART: usize = 16;
/// Text of this many bytes that stays in a string is content, rather than words to the user.
const LONG_TEXT: usize = 1024;
/// The same for text that does not read like words to the user.
const LONG_FRAGMENT: usize = 40;
/// The number of candidates that are kept.
pub(crate) const MOST_CANDIDATES: usize = 8;

/// The decision on a reply.
#[derive(Debug)]
pub(crate) enum Verdict {
    Take(Ranked, Confidence),
    Choose(Vec<Ranked>),
    Fail(JoinFailure),
}

impl Verdict {
    /// Chooses the overlap that is as long as the previous one, because the overlap usually is a
    /// property of the model or of the calling code.
    pub(crate) fn by_habit(mut self, habit: usize) -> Self {
        if let Self::Choose(several) = &mut self {
            let is_habit = |ranked: &Ranked| {
                let Candidate { kind, overlap, .. } = ranked.candidate;
                kind == JoinKind::Overlapped && overlap >= SHORT && overlap == habit
            };
            if let Some(at) = several.iter().position(is_habit) {
                return Self::Take(several.swap_remove(at), Confidence::Likely);
            }
        }
        self
    }
}

/// A candidate, and the length of its match if that is evidence.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) candidate: Candidate,
    pub(crate) matched: usize,
}

/// Decides on a reply by the hypotheses that were found.
///
/// | remaining hypotheses | verdict |
/// | --- | --- |
/// | none, or a limit was exceeded | fails |
/// | one | joined with its [confidence](confidence_of), or ambiguous without evidence |
/// | several, and one [stands out](disambiguate) | joined, likely |
/// | several | ambiguous, the best match first |
pub(crate) fn judge(mut search: HypothesisSearch<'_>) -> Verdict {
    prefer_restored_character(&mut search);
    drop_echoes(&mut search);
    let words_dropped = drop_words(&mut search);
    search.drop_unlike();
    drop_commas(&mut search);
    let (best, confidence) = match search.found.as_slice() {
        [] => return Verdict::Fail(search.failure()),
        _ if search.limit.is_some() => return Verdict::Fail(search.failure()),
        [only] if words_dropped && only.evidence_bytes() < LONG => {
            let confidence = confidence_of(&search, only);
            (Some(only), confidence.map(|_| Confidence::Likely))
        }
        [only] => (Some(only), confidence_of(&search, only)),
        several => (disambiguate(&search, several), Some(Confidence::Likely)),
    };
    if let (Some(best), Some(confidence)) = (best, confidence)
        && !search.truncated
    {
        let ranked = ranked(&search, best);
        // A held U+FFFD may turn out to be content.
        let confidence = match ranked.candidate.held {
            Held::Lost => Confidence::Likely,
            Held::Nothing | Held::Half(_) => confidence,
        };
        return Verdict::Take(ranked, confidence);
    }
    let mut several: Vec<Ranked> = (search.found.iter())
        .map(|found| ranked(&search, found))
        .collect();
    // The sort is stable: without matches the exact continuation, which is found first, stays
    // first.
    several.sort_by_key(|ranked| Reverse(ranked.matched));
    let is_text = |found: &Hypothesis| found.evidence == GrammarEvidence::Nothing;
    let in_string = search.base.ends_in_string() && search.found.iter().all(is_text);
    let adds = several
        .iter()
        .all(|ranked| !ranked.candidate.growth.is_empty());
    if in_string && adds && may_be_words(&search.reply.text) {
        several.push(nothing_new(&search));
    }
    Verdict::Choose(several)
}

fn ranked(search: &HypothesisSearch<'_>, found: &Hypothesis) -> Ranked {
    Ranked {
        candidate: search.candidate(found),
        matched: evidence_bytes(search, found),
    }
}

/// Returns the length of the match if it is evidence, and 0 otherwise.
fn evidence_bytes(search: &HypothesisSearch<'_>, found: &Hypothesis) -> usize {
    // `The end. The end. ` and `The end. The end."]`: the sentence before the match may be content.
    let is_text = found.segment.wrapping == Wrapping::AfterLead && search.base.ends_in_string();
    if is_text { 0 } else { found.evidence_bytes() }
}

/// Returns the candidate that the reply is only words to the user: `["wor` and `I cannot help with
/// that.`
fn nothing_new(search: &HypothesisSearch<'_>) -> Ranked {
    Ranked {
        candidate: Candidate {
            kind: JoinKind::Repeated,
            overlap: 0,
            growth: String::new(),
            held: search.base.held.clone(),
            damaged: false,
            added_comma: false,
        },
        matched: 0,
    }
}

/// Drops all other hypotheses if the bytes on both sides of the cut form one character.
fn prefer_restored_character(search: &mut HypothesisSearch<'_>) {
    let is_restored = |found: &Hypothesis| {
        found.fix.char.is_some() && !found.fix.is_damaged && found.segment.range.start == 0
    };
    if search.found.iter().any(is_restored) {
        search.found.retain(is_restored);
    }
}

/// Drops pieces that are only text in a string, if exactly one piece contains structure: the others
/// are prose around a fence, which fits into every string. Returns whether any was dropped.
fn drop_words(search: &mut HypothesisSearch<'_>) -> bool {
    if !search.base.ends_in_string() {
        return false;
    }
    let has_structure = |found: &Hypothesis| found.evidence == GrammarEvidence::Structure;
    let mut pieces = (search.found.iter())
        .filter(|found| has_structure(found))
        .map(|found| found.segment.piece);
    let Some(piece) = pieces.next() else {
        return false;
    };
    if pieces.any(|other| other != piece) {
        return false;
    }
    let all = search.found.len();
    let is_kept = |found: &Hypothesis| has_structure(found) || found.segment.piece == piece;
    search.found.retain(is_kept);
    search.found.len() < all
}

/// Drops pieces that only repeat the text, if a later piece adds something, because models quote
/// the end of the text before they continue.
fn drop_echoes(search: &mut HypothesisSearch<'_>) {
    let is_echo = |found: &Hypothesis| {
        let is_evident = found.evidence_bytes() > 0 || found.is_inside();
        found.adds_nothing() && is_evident && found.matched() >= SHORT
    };
    let adds =
        |found: &Hypothesis| !found.adds_nothing() && found.evidence == GrammarEvidence::Structure;
    let last = |which: &dyn Fn(&Hypothesis) -> bool| {
        let pieces = search.found.iter().filter(|found| which(found));
        pieces.map(|found| found.segment.piece).max()
    };
    if let (Some(echo), Some(new)) = (last(&is_echo), last(&adds))
        && echo < new
    {
        search.found.retain(|found| found.segment.piece > echo);
    }
}

/// Drops the hypothesis with an inserted comma if another one has evidence. Otherwise both are
/// kept: `[1,true` and `true]` may be one element or two.
fn drop_commas(search: &mut HypothesisSearch<'_>) {
    let others = |found: &&Hypothesis| !found.added_comma;
    let best = search
        .found
        .iter()
        .filter(others)
        .map(Hypothesis::matched)
        .max();
    let is_new_wrapper = |found: &Hypothesis| found.kind == JoinKind::RestOnly;
    let is_better = search.found.iter().any(is_new_wrapper) && search.ends_in_uniform_array();
    if best >= Some(SHORT) || is_better {
        search
            .found
            .retain(|found| !found.added_comma || is_new_wrapper(found));
    }
}

/// Returns the confidence of the only hypothesis; `None` if it has too little evidence.
fn confidence_of(search: &HypothesisSearch<'_>, only: &Hypothesis) -> Option<Confidence> {
    let reply = search.reply;
    let exact_in_string = only.old == Old::Nothing && search.base.ends_in_string();
    let bare = match only.segment.wrapping {
        Wrapping::Bare | Wrapping::Fenced => !only.before_prose,
        Wrapping::AfterProse | Wrapping::AfterLead => false,
    };
    let broken = only.fix.is_damaged || reply.is_broken || !reply.first.is_empty();
    let first = search.is_first();
    let container = starts_container(search, only);
    if first && !only.adds_nothing() {
        let after_another = search.base.refused && !container;
        if after_another || (!bare && !is_set_off(&reply.text, &only.new)) {
            return None;
        }
    }
    if exact_in_string && !only.adds_nothing() && is_mere_text(search, only) {
        return None;
    }
    if broken || !bare || reply.text.starts_with(LOST) {
        return Some(Confidence::Likely);
    }
    if only.adds_nothing() {
        // Spaces may be content of the string.
        let is_space = reply.text.contains(' ') && is_blank(&reply.text);
        if is_space && search.base.ends_in_string() {
            return None;
        }
        return Some(if search.may_lack_comma {
            Confidence::Likely
        } else {
            Confidence::Certain
        });
    }
    if first && !search.base.refused && (container || only.completes) {
        return Some(Confidence::Certain);
    }
    let unseen = !search.tail.is_entire && only.matched() < LONG;
    let another = only.matched() < RESTART && search.is_a_document(&only.segment);
    let instead = another && only.old == Old::Nothing && starts_alike(search, only);
    if instead {
        return None;
    }
    let likely = first
        || exact_in_string
        || only.evidence != GrammarEvidence::Structure
        || only.added_comma
        || only.kind == JoinKind::RestOnly
        || search.may_lack_comma
        || unseen
        || another;
    Some(if likely {
        Confidence::Likely
    } else {
        Confidence::Certain
    })
}

/// Returns whether the new text stays in the open string, and could be words to the user as well.
fn is_mere_text(search: &HypothesisSearch<'_>, only: &Hypothesis) -> bool {
    let text = search.reply.text.get(only.new.clone()).unwrap_or_default();
    let is_fragment = text.len() >= LONG_FRAGMENT && !may_be_words(text);
    only.evidence == GrammarEvidence::Nothing && text.len() < LONG_TEXT && !is_fragment
}

/// Returns whether the reply may be a new version of the document rather than an element of it: it
/// starts with the same bracket, and its first name, if it has one, is a name of the document.
fn starts_alike(search: &HypothesisSearch<'_>, only: &Hypothesis) -> bool {
    let first = |text: &str| text.trim_start().chars().next();
    let new = search.reply.text.get(only.new.clone()).unwrap_or_default();
    if first(new) != first(search.base.text) {
        return false;
    }
    match (first_name(new.trim_start()), search.base.root) {
        (Some(name), Some(root)) => root.get(name.as_str()).is_some(),
        (None, _) | (_, None) => true,
    }
}

fn starts_container(search: &HypothesisSearch<'_>, found: &Hypothesis) -> bool {
    let text = search.reply.text.get(found.new.clone());
    text.is_some_and(|text| text.trim_start().starts_with(['{', '[']))
}

/// Returns the one hypothesis of several that is likely.
fn disambiguate<'a>(
    search: &HypothesisSearch<'_>,
    several: &'a [Hypothesis],
) -> Option<&'a Hypothesis> {
    let mut single = several.iter().filter(|found| !found.duplicates_name);
    if let (Some(found), None) = (single.next(), single.next()) {
        return Some(found);
    }
    if several.iter().any(Hypothesis::is_inside) {
        // `]}` most likely ends the document, although the same brackets occur in it as well.
        return match several {
            [exact, inside] | [inside, exact]
                if inside.is_inside()
                    && inside.kind == JoinKind::Repeated
                    && inside.matched() < SHORT
                    && exact.kind == JoinKind::Continued
                    && exact.completes =>
            {
                Some(exact)
            }
            _ => None,
        };
    }
    let longest = several.iter().max_by_key(|found| found.matched())?;
    let is_intact = *search.base.held == Held::Nothing;
    (is_intact && evidence_bytes(search, longest) > 0).then_some(longest)
}
