//! Checks with the grammar whether the text may continue with a part of the reply.

use alloc::string::String;
use core::ops::Range;

use super::duplicate_names::has_duplicate_name;
use super::grammar::{Grammar, Probe};
use super::hypothesis::{Hypothesis, Joint, Match, Old};
use super::search::{HypothesisSearch, WINDOW};
use super::segment::{Segment, Wrapping};
use super::split_char::{CharFix, Held, take_lost};
use super::{Candidate, JoinKind};
use crate::error::{Error, Reason};
use crate::json::{TokenPlace, is_whitespace};
use crate::wrapping::{BLANK, is_blank, is_prose, leading_blank, may_follow};

impl HypothesisSearch<'_> {
    /// Adds the hypothesis that the text continues with the reply from `start`, if that leaves the
    /// text JSON.
    pub(crate) fn check(&mut self, segment: &Segment, start: usize, joint: Joint) {
        let matching = joint.matching;
        let base = self.base;
        let text = &*self.reply.text;
        let mut start = start;
        let mut fix = CharFix::default();
        let rest = text.get(start..segment.range.end).unwrap_or_default();
        if matching.is_some() {
            start += self.known_white_space(rest);
        } else {
            fix = base.held.fix(&self.reply.first, rest);
            start += fix.skip;
        }
        let mut before = Probe::new(base.grammar, base.limits);
        let mut buffer = [0; 4];
        if let Some(char) = fix.char
            && (before.run(char.encode_utf8(&mut buffer).as_bytes(), 0)).is_err()
        {
            return;
        }
        if joint.comma && before.run(b",", 0).is_err() {
            return;
        }
        let Some((mut end, before_prose, probe)) = self.run(&before, start..segment.range.end)
        else {
            return;
        };
        let new = text.get(start..end).unwrap_or_default();
        if fix.char.is_none() && is_blank(new) && self.drops_white_space(matching.is_some()) {
            end = start;
        }
        let duplicates_name = base.root.is_some_and(|root| {
            let begun = self.tail.open_string().unwrap_or_default();
            let fixed: &str = fix.char.map_or("", |char| char.encode_utf8(&mut buffer));
            let begun = [begun, fixed.as_bytes()].concat();
            has_duplicate_name(root, probe.names(), &begun, &text.as_bytes()[..end], start)
        });
        // Trailing line ends were removed because they may end a number. Between tokens they are
        // harmless, and kept.
        let line_ends = text.get(segment.range.end..).unwrap_or_default();
        if start < end
            && end == segment.range.end
            && probe.token() == TokenPlace::Between
            && line_ends.bytes().all(|byte| matches!(byte, b'\n' | b'\r'))
        {
            end = text.len();
        }
        let added = fix.char.map_or(0, char::len_utf8) + usize::from(joint.comma);
        let len = base.text.len() + added + (end - start);
        let limit = base.limits.document_bytes;
        if len > limit as usize {
            let error = Error::new(Reason::DocumentTooLarge(limit), limit as usize);
            self.limit.get_or_insert(error);
            return;
        }
        let adds_nothing = start == end && fix.char.is_none();
        if adds_nothing && joint.comma {
            return;
        }
        self.push(Hypothesis {
            kind: if joint.is_rest && !adds_nothing {
                JoinKind::RestOnly
            } else {
                self.kind(matching, adds_nothing)
            },
            new: start..end,
            fix,
            segment: segment.clone(),
            old: match matching {
                None => Old::Nothing,
                Some(Match {
                    len, is_evident, ..
                }) => Old::Start { len, is_evident },
            },
            evidence: probe.evidence(),
            completes: probe.is_complete(),
            before_prose,
            duplicates_name,
            added_comma: joint.comma,
        });
    }

    /// Returns the candidate that the reply continues at the exact byte. Only text after a complete
    /// document is left out.
    pub(crate) fn continued(&mut self) -> Option<Candidate> {
        let text = &*self.reply.text;
        let fix = self.base.held.fix(&[], text);
        let mut before = Probe::new(self.base.grammar, self.base.limits);
        let mut buffer = [0; 4];
        if let Some(char) = fix.char {
            before
                .run(char.encode_utf8(&mut buffer).as_bytes(), 0)
                .ok()?;
        }
        let (end, before_prose, probe) = self.run(&before, fix.skip..text.len())?;
        if end < text.len() && !probe.is_complete() {
            return None;
        }
        Some(self.candidate(&Hypothesis {
            kind: JoinKind::Continued,
            new: fix.skip..end,
            fix,
            segment: Segment {
                range: 0..text.len(),
                wrapping: Wrapping::Bare,
                piece: 0,
            },
            old: Old::Nothing,
            evidence: probe.evidence(),
            completes: probe.is_complete(),
            before_prose,
            duplicates_name: false,
            added_comma: false,
        }))
    }

    /// Returns whether a part of the reply is a document by itself, or a prefix of one.
    pub(crate) fn is_a_document(&self, segment: &Segment) -> bool {
        let grammar = Grammar::default();
        let mut probe = Probe::new(&grammar, self.base.limits);
        let text = &*self.reply.text;
        let Some(bytes) = text.as_bytes().get(..segment.range.end) else {
            return false;
        };
        let Err(stop) = probe.run(bytes, segment.range.start) else {
            return true;
        };
        let rest = text.get(stop.at.saturating_sub(1)..segment.range.end);
        probe.is_complete() && rest.is_some_and(may_follow)
    }

    /// Runs a probe through the reply. Returns the end of the JSON text, whether prose follows it,
    /// and the probe at that place; `None` if the text cannot continue this way.
    fn run(&mut self, before: &Probe, new: Range<usize>) -> Option<(usize, bool, Probe)> {
        let text = &*self.reply.text;
        let bytes = text.as_bytes().get(..new.end)?;
        let mut probe = before.clone();
        let Err(stop) = probe.run(bytes, new.start) else {
            return Some((new.end, false, probe));
        };
        if let Some(reason) = stop.limit {
            let offset = self.base.text.len() + (stop.at - new.start);
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
            Some(matching) if matching.at == 0 && self.tail.is_entire => {
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

    /// Returns whether new white space is dropped: it means nothing between tokens, but could end a
    /// number.
    fn drops_white_space(&self, matches: bool) -> bool {
        let token = self.base.grammar.token();
        let alone = self.is_first()
            || self.base.grammar.is_complete()
            || matches!(token, TokenPlace::Number { .. });
        !token.is_string() && (matches || alone)
    }

    /// Returns the length of the white space at the start of the new text that the end of the text
    /// contains already.
    fn known_white_space(&self, new: &str) -> usize {
        if self.base.ends_in_string() {
            return 0;
        }
        let text = self.base.text.as_bytes();
        let (_, end) = text.split_at(text.len().saturating_sub(WINDOW));
        let blank = |byte: &&u8| is_whitespace(**byte);
        let known = end.iter().rev().take_while(blank).count();
        let (_, known) = end.split_at(end.len() - known);
        if new.as_bytes().starts_with(known) {
            known.len()
        } else {
            leading_blank(new)
        }
    }

    /// Returns the candidate of a hypothesis: the text that it would append.
    pub(crate) fn candidate(&self, found: &Hypothesis) -> Candidate {
        let mut growth = found.fix.char.map_or(String::new(), String::from);
        if found.added_comma {
            growth.push(',');
        }
        growth.push_str(self.reply.text.get(found.new.clone()).unwrap_or_default());
        let mut held = self.base.held.clone();
        if !found.adds_nothing() {
            let mut probe = Probe::new(self.base.grammar, self.base.limits);
            let ran = probe.run(growth.as_bytes(), 0);
            let in_string = ran.is_ok() && probe.token() == TokenPlace::String;
            let after = self.reply.text.get(found.new.end..).unwrap_or_default();
            let is_last = after.trim_end_matches(['\r', '\n']).is_empty();
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
                found.segment.range.len()
            } else {
                found.new.start.saturating_sub(found.segment.range.start)
            },
            growth,
            held,
            damaged: found.fix.is_damaged,
            added_comma: found.added_comma,
        }
    }
}

/// The end of the JSON text in a reply.
struct Ending {
    at: usize,
    is_prose: bool,
}

/// Returns the end of the JSON text `good`, if the rest of the reply may follow it. `before` is the
/// probe at the start of `good`.
fn ending(
    text: &str,
    good: Range<usize>,
    end: usize,
    probe: &Probe,
    before: &Probe,
) -> Option<Ending> {
    let rest = text.get(good.end..end)?;
    match probe.token() {
        // A line end at the end of the reply, which cannot be in a string: `{"a":"te␊`.
        TokenPlace::String => {
            let at = good.end;
            return is_blank(rest).then_some(Ending {
                at,
                is_prose: false,
            });
        }
        TokenPlace::Between => {}
        TokenPlace::Escape | TokenPlace::Number { .. } | TokenPlace::Literal => return None,
    }
    let kept = text.get(good.clone())?.trim_end_matches(BLANK);
    let at = good.start + kept.len();
    if probe.is_complete() {
        let after = text.get(at..end)?;
        let follows = may_follow(after) || (before.is_complete() && is_prose(rest));
        let is_prose = !rest.starts_with("```");
        return follows.then_some(Ending { at, is_prose });
    }
    let on_new_line = text.get(at..good.end)?.contains('\n');
    (!kept.is_empty() && on_new_line && is_prose(rest)).then_some(Ending { at, is_prose: true })
}
