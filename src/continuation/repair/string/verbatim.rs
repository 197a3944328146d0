//! Text that was put into a string verbatim: JSON with its quotes, Windows paths.

use super::{Content, StringStep};
use crate::continuation::repair::repairer::Repairer;
use crate::continuation::repair::rule::RepairRule;
use crate::continuation::repair::token::Role;
use crate::json::skip_whitespace;

/// The longest path on Windows, in bytes (`MAX_PATH`).
const LONGEST_PATH: usize = 260;

impl Repairer<'_> {
    /// Returns whether this quote is in JSON whose quotes are not escaped, which starts at the
    /// start of the string or directly before the quote.
    ///
    /// `"{"a": 1}"` and `"so {"a": 1} is it"`, but not `"{", "}"`, because the bracket of that has
    /// no closer outside of the inner strings.
    pub(super) fn starts_nested(&mut self, content: &mut Content) -> bool {
        if content.role != Role::Value || content.open.is_none() {
            return false;
        }
        let bytes = self.bytes();
        let is_bracket = |at: &usize| matches!(bytes.get(*at), Some(b'{' | b'['));
        let first = skip_whitespace(bytes, content.start);
        let before = self.text.get(..self.at).unwrap_or_default();
        let last = before.trim_ascii_end().len() - 1;
        let start = if content.inner_quotes == 0 && is_bracket(&first) && first < self.at {
            first
        } else if is_bracket(&last) && last >= content.start {
            last
        } else {
            return false;
        };
        let ahead = self.ahead();
        let end = ahead.balanced_end(start, self.text.len(), &mut self.credit);
        // A backslash that has been read already was taken for an escape, so it is too late.
        let is_read = bytes
            .get(start..self.at)
            .is_some_and(|read| read.contains(&b'\\'));
        let Some(end) = end.filter(|end| *end > self.at && !is_read) else {
            return false;
        };
        content.nested_end = end;
        true
    }

    /// Reads a literal backslash: in JSON that is not escaped, or in a path.
    pub(super) fn literal_backslash(&mut self, content: &Content) -> StringStep {
        let rule = if content.is_path {
            RepairRule::WindowsPath
        } else {
            RepairRule::UnescapedJson
        };
        self.replace(1, rule, "\\\\");
        if !content.is_path {
            // `\"` in the inner JSON ends neither the inner nor the outer string.
            match self.bytes().get(self.at) {
                Some(b'"') => self.replace(1, rule, "\\\""),
                Some(b'\\') => self.replace(1, rule, "\\\\"),
                _ => {}
            }
        }
        StringStep::Continues
    }
}

/// Returns whether a string is a Windows path whose backslashes are not escaped.
///
/// `C:\Users` is one, because `\U` is not an escape, and so is `C:\new\table`, because it has a
/// second backslash and no space. `Q:\nWho?` is not, because `\n` may be a line feed.
pub(super) fn is_path(content: &[u8]) -> bool {
    let [drive, b':', b'\\', path @ ..] = content else {
        return false;
    };
    let path = path.get(..LONGEST_PATH).unwrap_or(path);
    let end = path.iter().position(|byte| matches!(byte, b'"' | b'\n'));
    let path = path.get(..end.unwrap_or(path.len())).unwrap_or_default();
    let is_name = |name: &[u8]| !name.iter().any(|byte| b":*?<>|/".contains(byte));
    let is_escape = |name: &[u8]| name.first().is_some_and(|byte| b"bfnrtu".contains(byte));
    let mut names = path.split(|byte| *byte == b'\\');
    let is_path = drive.is_ascii_alphabetic()
        && path.first().is_some_and(|byte| *byte != b'\\')
        && names.clone().all(is_name);
    is_path && (!names.clone().all(is_escape) || (names.nth(1).is_some() && !path.contains(&b' ')))
}
