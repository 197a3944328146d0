//! What is open and what is expected next: two of the three coordinates of the
//! [table](super::rules).

use super::edits::EditPoint;
use super::token::{Container, Expected};

/// What is expected next, with the points in the text that an action may have to return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    /// The value itself, or an element; with the comma before it, unless it is the first.
    Element(Option<EditPoint>),
    MemberValue(Member),
    /// A name, with the comma before it, unless it is the first.
    Name(Option<EditPoint>),
    Colon(Member),
    CommaOrEnd(Previous),
    Nothing(Previous),
}

impl Expect {
    pub(super) const fn expected(self) -> Expected {
        match self {
            Self::Element(_) => Expected::Element,
            Self::MemberValue(_) => Expected::MemberValue,
            Self::Name(_) => Expected::Name,
            Self::Colon(_) => Expected::Colon,
            Self::CommaOrEnd(_) => Expected::CommaOrEnd,
            Self::Nothing(_) => Expected::Nothing,
        }
    }

    pub(super) const fn is_member_value(self) -> bool {
        matches!(self, Self::MemberValue(_))
    }

    /// Returns the comma before what is expected, unless it is the first in its container.
    pub(super) const fn comma(self) -> Option<EditPoint> {
        match self {
            Self::Element(comma) | Self::Name(comma) => comma,
            Self::MemberValue(member) | Self::Colon(member) => member.comma,
            Self::CommaOrEnd(_) | Self::Nothing(_) => None,
        }
    }
}

/// A member whose value has not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: EditPoint,
    pub(super) comma: Option<EditPoint>,
}

/// The value that was completed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Previous {
    pub(super) end: EditPoint,
    pub(super) string: Option<PreviousString>,
}

/// Details of the previous value, if it is a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PreviousString {
    /// Its closing quote, unless that is missing. Needed for `"a" + "b"`, where the string
    /// continues.
    pub(super) quote: Option<EditPoint>,
    /// The comma before it. Needed for `[1,"b":2`, where the string is a name after the array.
    pub(super) comma: Option<EditPoint>,
}

/// How a container is written in the text. All but objects become arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    Object,
    Array,
    Set,
    /// A tuple, a call, or a value in parentheses. Its opener is dropped, and becomes `[` as soon
    /// as there is a second element.
    Parentheses {
        opener: EditPoint,
        is_array: bool,
    },
}

impl Bracket {
    /// Returns the byte that closes this container in the text.
    pub(super) const fn closes_with(self) -> u8 {
        match self {
            Self::Object | Self::Set => b'}',
            Self::Array => b']',
            Self::Parentheses { .. } => b')',
        }
    }

    /// Returns what closes this container in JSON.
    pub(super) const fn closer(self) -> &'static str {
        match self {
            Self::Object => "}",
            Self::Array | Self::Set | Self::Parentheses { is_array: true, .. } => "]",
            Self::Parentheses {
                is_array: false, ..
            } => "",
        }
    }

    pub(super) const fn container(self) -> Container {
        match self {
            Self::Object => Container::Object,
            Self::Array | Self::Set | Self::Parentheses { .. } => Container::Array,
        }
    }
}

/// An open object or array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) bracket: Bracket,
    /// The depth of the innermost frame that `}`, `]` and `)` would close; 0 if none.
    up_to: [usize; 3],
    /// The indentation of the line with the opening bracket.
    pub(super) indentation: usize,
    /// The indentation of its elements or members, if the first one starts a line.
    pub(super) items: Option<usize>,
}

impl Frame {
    /// Returns the frame of a bracket that is opened inside these containers.
    pub(super) fn new(bracket: Bracket, open: &[Self], indentation: usize) -> Self {
        let mut up_to = open.last().map_or([0; 3], |frame| frame.up_to);
        let [braces, brackets, parentheses] = &mut up_to;
        let innermost = match bracket.closes_with() {
            b'}' => braces,
            b']' => brackets,
            _ => parentheses,
        };
        *innermost = open.len() + 1;
        Self {
            bracket,
            up_to,
            indentation,
            items: None,
        }
    }

    /// Returns the depth of the innermost frame that `closer` closes; 0 if none.
    pub(super) const fn up_to(&self, closer: u8) -> usize {
        let [braces, brackets, parentheses] = self.up_to;
        match closer {
            b'}' => braces,
            b']' => brackets,
            _ => parentheses,
        }
    }
}
