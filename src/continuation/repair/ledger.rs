//! What was changed, in the order of the text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

/// One change that [`repair`](crate::repair) made. Its `Debug` text shows what was put in.
///
/// Serialized it is `{"start", "end", "rule", "replacement"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    range: Range<usize>,
    rule: RepairRule,
    replacement: Cow<'static, str>,
}

impl Repair {
    /// The bytes of the input that were replaced; none where something was put in between.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Why.
    #[must_use]
    pub const fn rule(&self) -> RepairRule {
        self.rule
    }

    /// What stands there now; nothing where something was left out.
    #[must_use]
    pub fn replacement(&self) -> &str {
        &self.replacement
    }

    pub(super) fn into_replacement(self) -> Cow<'static, str> {
        self.replacement
    }
}

impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut repair = serializer.serialize_struct("Repair", 4)?;
        repair.serialize_field("start", &self.range.start)?;
        repair.serialize_field("end", &self.range.end)?;
        repair.serialize_field("rule", self.rule.name())?;
        repair.serialize_field("replacement", &*self.replacement)?;
        repair.end()
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])+ $rule:ident $name:literal,)+) => {
        /// Why [`repair`](crate::repair) changed something. Examples of each are [there](crate::repair).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RepairRule {
            $($(#[$doc])+ $rule,)+
        }

        impl RepairRule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// The name of the rule, as reports have it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)+
                }
            }
        }
    };
}

rules! {
    /// Bytes that are not UTF-8.
    InvalidUtf8 "invalid_utf8",
    /// A byte order mark.
    ByteOrderMark "byte_order_mark",
    /// A Markdown code fence, with what is before the first or behind the last.
    Fence "fence",
    /// Text that is not JSON before or behind the value.
    SurroundingText "surrounding_text",
    /// A comment: `//`, `/*` or `#`.
    Comment "comment",
    /// `...` in place of elements or members.
    Ellipsis "ellipsis",
    /// A space or control character between tokens that JSON does not have.
    WhiteSpace "white_space",
    /// A quote that is not there.
    MissingQuote "missing_quote",
    /// A quote that is no `"`.
    OtherQuote "other_quote",
    /// A quote in a string that does not end it.
    UnescapedQuote "unescaped_quote",
    /// A name without quotes.
    UnquotedName "unquoted_name",
    /// A string without quotes.
    UnquotedString "unquoted_string",
    /// A control character in a string.
    ControlCharacter "control_character",
    /// A backslash that starts no escape of JSON.
    InvalidEscape "invalid_escape",
    /// An escape that the text ends in.
    UnfinishedEscape "unfinished_escape",
    /// A literal of another language.
    Literal "literal",
    /// A literal that the text ends in.
    UnfinishedLiteral "unfinished_literal",
    /// A number as JSON does not write it.
    Number "number",
    /// A number that the text ends in.
    UnfinishedNumber "unfinished_number",
    /// Strings that are put together with `+`.
    Concatenation "concatenation",
    /// A member without a value.
    UnfinishedMember "unfinished_member",
    /// A comma that is not there, or something else in its place.
    MissingComma "missing_comma",
    /// A comma behind the last element or member.
    TrailingComma "trailing_comma",
    /// A comma before the first element or member, or behind another.
    ExtraComma "extra_comma",
    /// A colon that is not there, or something else in its place.
    MissingColon "missing_colon",
    /// A colon in a place where there can be none.
    ExtraColon "extra_colon",
    /// A bracket or brace that is not there.
    MissingCloser "missing_closer",
    /// A bracket in place of a brace, or the other way round.
    MismatchedCloser "mismatched_closer",
    /// A closing bracket or brace of nothing.
    ExtraCloser "extra_closer",
    /// A bracket or brace in place of a name.
    ExtraOpener "extra_opener",
}

impl fmt::Display for RepairRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for RepairRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A place in the text, and how many changes were made before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) at: usize,
    repairs: usize,
}

/// The changes so far: one behind the other, none overlapping.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Vec<Repair>);

impl Ledger {
    pub(super) fn mark(&self, at: usize) -> Mark {
        Mark {
            at,
            repairs: self.0.len(),
        }
    }

    /// Adds a change behind all others.
    pub(super) fn push(
        &mut self,
        range: Range<usize>,
        rule: RepairRule,
        replacement: impl Into<Cow<'static, str>>,
    ) {
        self.0.push(Repair {
            range,
            rule,
            replacement: replacement.into(),
        });
    }

    /// Adds a change of the `len` bytes at a mark, and moves the mark behind it.
    ///
    /// Only what is between two tokens comes behind the mark, and nothing is marked twice, so that
    /// moving it up takes linear time in all.
    pub(super) fn insert(
        &mut self,
        mark: &mut Mark,
        len: usize,
        rule: RepairRule,
        replacement: &'static str,
    ) {
        let repair = Repair {
            range: mark.at..mark.at + len,
            rule,
            replacement: replacement.into(),
        };
        super::count(self.0.len() - mark.repairs);
        self.0.insert(mark.repairs, repair);
        mark.repairs += 1;
    }

    /// Leaves out the comma at a mark, which may stand in place of something else.
    pub(super) fn remove_comma(&mut self, mark: Mark) {
        match self.0.get_mut(mark.repairs) {
            Some(repair) if repair.rule == RepairRule::MissingComma => {
                if repair.range.is_empty() {
                    self.0.remove(mark.repairs);
                    return;
                }
                repair.rule = RepairRule::TrailingComma;
                repair.replacement = Cow::Borrowed("");
            }
            _ => self.insert(&mut { mark }, 1, RepairRule::TrailingComma, ""),
        }
    }

    /// Takes back what was changed behind a mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        self.0.truncate(mark.repairs);
    }

    /// Takes back what was changed from there on.
    pub(super) fn undo_from(&mut self, at: usize) {
        while self
            .0
            .pop_if(|repair| repair.range.start >= at && repair.range.end > at)
            .is_some()
        {}
    }

    /// The end of the last change.
    pub(super) fn end(&self) -> usize {
        self.0.last().map_or(0, |repair| repair.range.end)
    }

    pub(super) fn into_repairs(self) -> Vec<Repair> {
        self.0
    }
}

/// `text` with these changes.
pub(super) fn apply(text: &str, repairs: &[Repair]) -> String {
    let mut out = String::with_capacity(text.len() + repairs.len());
    let mut at = 0;
    for repair in repairs {
        out.push_str(text.get(at..repair.range.start).unwrap_or_default());
        out.push_str(&repair.replacement);
        at = repair.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
