//! The rules by name.

use core::fmt;

use serde_core::ser::{Serialize, Serializer};

macro_rules! rules {
    ($($(#[$doc:meta])+ $rule:ident $name:literal $($lossy:ident)?,)+) => {
        /// The reason for a change made by [`repair`](crate::repair()), which documents an
        /// example of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RepairRule {
            $($(#[$doc])+ $rule,)+
        }

        impl RepairRule {
            /// Every rule, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// Returns the name of the rule, as it is serialized.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)+
                }
            }

            /// Returns whether this rule drops text that may have been part of the value.
            ///
            /// Prose, fences and comments are not part of it; a second value or an unfinished
            /// member at the end of the text may have been.
            #[must_use]
            pub const fn is_lossy(self) -> bool {
                match self {
                    $(Self::$rule => rules!(@lossy $($lossy)?),)+
                }
            }
        }
    };
    (@lossy) => { false };
    (@lossy lossy) => { true };
}

rules! {
    /// Bytes that are not UTF-8.
    InvalidUtf8 "invalid_utf8" lossy,
    /// A byte order mark.
    ByteOrderMark "byte_order_mark",
    /// A Markdown code fence, with the text before the first or after the last.
    Fence "fence",
    /// Text that is not JSON before or after the value.
    SurroundingText "surrounding_text",
    /// The reasoning of a model before its answer: `<think>…</think>` and the like.
    Reasoning "reasoning",
    /// The tag of a tool call of a model family, such as `<tool_call>`.
    ToolTag "tool_tag",
    /// Another value after the first.
    ExtraValue "extra_value" lossy,
    /// Several values that become an array, see
    /// [`RepairOptions::multiple_values`](crate::continuation::RepairOptions::multiple_values).
    MultipleValues "multiple_values",
    /// A comment: `//`, `/*` or `#`.
    Comment "comment",
    /// `...` in place of elements or members.
    Ellipsis "ellipsis",
    /// A space or control character between tokens that JSON does not allow there.
    WhiteSpace "white_space",
    /// A missing quote.
    MissingQuote "missing_quote",
    /// A quote other than `"`.
    OtherQuote "other_quote",
    /// A quote in a string that does not end it.
    UnescapedQuote "unescaped_quote",
    /// JSON in a string whose quotes are not escaped.
    UnescapedJson "unescaped_json",
    /// A quote that was escaped once too often; in an escaped document, every quote.
    EscapedQuote "escaped_quote",
    /// Two or three quotes in place of one.
    DoubledQuote "doubled_quote",
    /// Quotes around a document.
    QuotedDocument "quoted_document",
    /// A name without quotes.
    UnquotedName "unquoted_name",
    /// A string without quotes.
    UnquotedString "unquoted_string",
    /// A control character in a string.
    ControlCharacter "control_character",
    /// A backslash that starts no escape of JSON.
    InvalidEscape "invalid_escape",
    /// An unescaped backslash in a Windows path.
    WindowsPath "windows_path",
    /// An escape that the text ends in.
    UnfinishedEscape "unfinished_escape" lossy,
    /// A literal of another language.
    Literal "literal",
    /// A literal that the text ends in.
    UnfinishedLiteral "unfinished_literal",
    /// A number in a notation that JSON does not have.
    Number "number",
    /// A comma in a number: `1,250`.
    ThousandsSeparator "thousands_separator",
    /// A number that starts with a zero: a code, such as `01067`, and therefore a string.
    LeadingZero "leading_zero",
    /// A number that the text ends in.
    UnfinishedNumber "unfinished_number" lossy,
    /// Strings concatenated with `+`.
    Concatenation "concatenation",
    /// A Python set.
    Set "set",
    /// A Python tuple, or a value in parentheses.
    Tuple "tuple",
    /// A call, such as `ObjectId("x")`, in place of its argument.
    Call "call",
    /// A member without a value: it becomes `null`.
    MissingValue "missing_value",
    /// A member at the end of the text whose value has not started.
    UnfinishedMember "unfinished_member" lossy,
    /// A missing comma, or something else in its place.
    MissingComma "missing_comma",
    /// A comma after the last element or member.
    TrailingComma "trailing_comma",
    /// A comma before the first element or member, or after another.
    ExtraComma "extra_comma",
    /// A missing colon, or something else in its place.
    MissingColon "missing_colon",
    /// A colon where none is allowed.
    ExtraColon "extra_colon",
    /// A missing closing bracket or brace.
    MissingCloser "missing_closer",
    /// A closing bracket in place of a brace, or a brace in place of a bracket.
    MismatchedCloser "mismatched_closer",
    /// A closing bracket or brace without an opening one.
    ExtraCloser "extra_closer",
    /// A missing opening brace: members without it.
    MissingOpener "missing_opener",
    /// An opening bracket or brace in place of a name.
    ExtraOpener "extra_opener",
}

impl fmt::Display for RepairRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RepairRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
