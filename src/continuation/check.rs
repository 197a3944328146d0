//! What the grammar says to a way to join.

use alloc::string::String;
use core::ops::Range;

use super::doubled::is_doubled;
use super::found::{Found, Old};
use super::grammar::{Probe, Token};
use super::join::{Candidate, JoinKind};
use super::seam::{Held, Mend, take_lost};
use super::search::{Match, Search, WINDOW};
use super::wrapping::{BLANK, Body, is_blank, is_prose, leading_blank, may_follow};
use crate::error::{Error, Reason};

impl Search<'_> {
    /// Asks the grammar whether the text may go on with the reply from `start`.
    pub(super) fn check(&mut self, body: &Body, start: usize, matching: Option<Match>) {
        let ground = self.ground;
        let text = &*self.reply.text;
        let mut start = start;
        let mut mend = Mend::default();
        let rest = text.get(start..body.range.end).unwrap_or_default();
        if matching.is_some() {
            start += self.known_white_space(rest);
        } else {
            mend = ground.held.mend(&self.reply.first, rest);
            start += mend.skip;
        }
        let mut before = Probe::new(ground.grammar, ground.limits);
        let mut buffer = [0; 4];
        if let Some(char) = mend.char
            && (before.run(char.encode_utf8(&mut buffer).as_bytes(), 0)).is_err()
        {
            return;
        }
        let Some((mut end, before_prose, probe)) = self.run(&before, start..body.range.end) else {
            return;
        };
        let new = text.get(start..end).unwrap_or_default();
        if mend.char.is_none() && is_blank(new) && self.drops_white_space(matching.is_some()) {
            end = start;
        }
        let doubles = ground.root.is_some_and(|root| {
            let begun = self.tail.open_string().unwrap_or_default();
            let mended: &str = mend.char.map_or("", |char| char.encode_utf8(&mut buffer));
            let begun = [begun, mended.as_bytes()].concat();
            is_doubled(root, probe.names(), &begun, &text.as_bytes()[..end], start)
        });
        // Line ends that the reply was taken without do no harm between tokens.
        let line_ends = text.get(body.range.end..).unwrap_or_default();
        if start < end
            && end == body.range.end
            && probe.token() == Token::Between
            && line_ends.bytes().all(|byte| matches!(byte, b'\n' | b'\r'))
        {
            end = text.len();
        }
        let len = ground.text.len() + mend.char.map_or(0, char::len_utf8) + (end - start);
        let limit = ground.limits.document_bytes;
        if len > limit as usize {
            let error = Error::new(Reason::DocumentTooLarge(limit), limit as usize);
            self.limit.get_or_insert(error);
            return;
        }
        self.push(Found {
            kind: self.kind(matching, start == end && mend.char.is_none()),
            new: start..end,
            mend,
            body: body.clone(),
            old: match matching {
                None => Old::Nothing,
                Some(Match {
                    len, is_periodic, ..
                }) => Old::Start { len, is_periodic },
            },
            spoken: probe.spoken(),
            completes: probe.is_complete(),
            before_prose,
            doubles,
        });
    }

    /// Runs a probe through the reply: up to where its JSON text ends, whether words come behind
    /// that, and the probe as it is there. Nothing if that is no way to go on.
    fn run<'b>(
        &mut self,
        before: &Probe<'b>,
        new: Range<usize>,
    ) -> Option<(usize, bool, Probe<'b>)> {
        let text = &*self.reply.text;
        let bytes = text.as_bytes().get(..new.end)?;
        let mut probe = before.clone();
        let Err(stop) = probe.run(bytes, new.start) else {
            return Some((new.end, false, probe));
        };
        if let Some(reason) = stop.limit {
            let offset = self.ground.text.len() + (stop.at - new.start);
            self.limit.get_or_insert(Error::new(reason, offset));
            return None;
        }
        let ending = ending(text, new.start..stop.at, new.end, &probe, before)?;
        let is_container = || {
            let new = text.get(new.clone()).unwrap_or_default();
            new.trim_start().starts_with(['{', '['])
        };
        if ending.is_prose && self.is_first() && !is_container() {
            return None;
        }
        let mut probe = before.clone();
        probe.run(bytes.get(..ending.at)?, new.start).ok()?;
        Some((ending.at, ending.is_prose, probe))
    }

    fn kind(&self, matching: Option<Match>, adds_nothing: bool) -> JoinKind {
        match matching {
            None if adds_nothing => JoinKind::Repeated,
            None if self.is_first() => JoinKind::First,
            None => JoinKind::Continued,
            Some(matching) if matching.at == 0 && self.tail.is_whole => {
                if adds_nothing {
                    JoinKind::RestartedShorter
                } else {
                    JoinKind::RestartedFurther
                }
            }
            Some(_) if adds_nothing => JoinKind::Repeated,
            Some(matching) if self.tail.starts_open_element(matching.at) => JoinKind::ElementAgain,
            Some(_) => JoinKind::Overlapped,
        }
    }

    /// Whether new white space says nothing, but could end a number.
    fn drops_white_space(&self, matches: bool) -> bool {
        let token = self.ground.grammar.token();
        let alone = self.is_first()
            || self.ground.grammar.is_complete()
            || matches!(token, Token::Number(_));
        !token.is_string() && (matches || alone)
    }

    /// How much of the white space that new text starts with the text ends in already.
    fn known_white_space(&self, new: &str) -> usize {
        if self.ground.ends_in_string() {
            return 0;
        }
        let text = self.ground.text.as_bytes();
        let (_, end) = text.split_at(text.len().saturating_sub(WINDOW));
        let blank = |byte: &&u8| BLANK.contains(&char::from(**byte));
        let known = end.iter().rev().take_while(blank).count();
        let (_, known) = end.split_at(end.len() - known);
        if new.as_bytes().starts_with(known) {
            known.len()
        } else {
            leading_blank(new)
        }
    }

    pub(super) fn candidate(&self, found: &Found) -> Candidate {
        let mut growth = found.mend.char.map_or(String::new(), String::from);
        growth.push_str(self.reply.text.get(found.new.clone()).unwrap_or_default());
        let mut held = self.ground.held.clone();
        if !found.adds_nothing() {
            let mut probe = Probe::new(self.ground.grammar, self.ground.limits);
            let ran = probe.run(growth.as_bytes(), 0);
            let in_string = ran.is_ok() && probe.token() == Token::String;
            let behind = self.reply.text.get(found.new.end..).unwrap_or_default();
            let is_last = behind.trim_end_matches(['\r', '\n']).is_empty();
            held = if !in_string || !is_last {
                Held::Nothing
            } else if self.reply.last.is_empty() {
                take_lost(&mut growth)
            } else {
                Held::Half(self.reply.last.clone())
            };
        }
        Candidate {
            kind: found.kind,
            overlap: if found.is_inside() {
                found.body.range.len()
            } else {
                found.new.start.saturating_sub(found.body.range.start)
            },
            growth,
            held,
            damaged: found.mend.is_damaged,
        }
    }
}

/// Where JSON text ends that something else follows.
struct Ending {
    at: usize,
    is_prose: bool,
}

/// Where the JSON text `good` ends, if what follows in the reply may stand behind it. `before` is
/// the probe as it was at its start.
fn ending(
    text: &str,
    good: Range<usize>,
    end: usize,
    probe: &Probe<'_>,
    before: &Probe<'_>,
) -> Option<Ending> {
    let rest = text.get(good.end..end)?;
    match probe.token() {
        // A line end that the string can't have, and that stands behind the whole reply.
        Token::String => {
            let at = good.end;
            return is_blank(rest).then_some(Ending {
                at,
                is_prose: false,
            });
        }
        Token::Between => {}
        Token::Escape | Token::Hex(_) | Token::Number(_) | Token::Literal(..) => return None,
    }
    let kept = text.get(good.clone())?.trim_end_matches(BLANK);
    let at = good.start + kept.len();
    if probe.is_complete() {
        let behind = text.get(at..end)?;
        let follows = may_follow(behind) || (before.is_complete() && is_prose(rest));
        let is_prose = !rest.starts_with("```");
        return follows.then_some(Ending { at, is_prose });
    }
    let on_new_line = text.get(at..good.end)?.contains('\n');
    (!kept.is_empty() && on_new_line && is_prose(rest)).then_some(Ending { at, is_prose: true })
}
