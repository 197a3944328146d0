//! Writes values as JSON text, in any spelling that the same value may have.

use std::fmt::Write as _;

use crate::byte_source::{ByteSource, SeededRng};
use crate::json::{Json, is_high_surrogate, is_low_surrogate};

/// Which characters of strings and names are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// Only those that have to be.
    Few,
    /// Those outside of ASCII, and the slash.
    Many,
    /// Each character at random, with this seed.
    Mixed(u8),
}

/// The style of one snapshot: seeds of its white space and member order. 0 means no white space, or
/// the given order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub spaces: u8,
    pub order: u8,
    pub escapes: Escapes,
}

impl Style {
    pub const fn plain(escapes: Escapes) -> Self {
        Self {
            spaces: 0,
            order: 0,
            escapes,
        }
    }
}

/// The styles of successive snapshots: the same for the first ones or all of them, so that each
/// starts with the text of the previous one, then a random style for each.
#[derive(Clone, Copy, Debug)]
pub struct Styles {
    /// How many more snapshots have the same style.
    alike: usize,
    /// The escapes of all snapshots, unless they vary.
    escapes: Option<Escapes>,
}

impl Styles {
    /// White space and the order of members vary, but not the escapes.
    pub fn shuffling(source: &mut ByteSource<'_>, escapes: Escapes) -> Self {
        Self {
            alike: [256, 12, 4, 0][source.below(4)],
            escapes: Some(escapes),
        }
    }

    pub fn any(source: &mut ByteSource<'_>) -> Self {
        Self {
            escapes: None,
            ..Self::shuffling(source, Escapes::Few)
        }
    }

    pub fn style(&mut self, source: &mut ByteSource<'_>) -> Style {
        if let Some(left) = self.alike.checked_sub(1) {
            self.alike = left;
            return Style::plain(self.escapes.unwrap_or(Escapes::Few));
        }
        let escapes = self.escapes.unwrap_or_else(|| match source.byte() {
            0 => Escapes::Few,
            1 => Escapes::Many,
            seed => Escapes::Mixed(seed),
        });
        Style {
            spaces: source.byte(),
            order: source.byte(),
            escapes,
        }
    }

    /// Writes all values.
    pub fn write_all(mut self, values: Vec<Json>, source: &mut ByteSource<'_>) -> Snapshots {
        let with_text = |value| {
            let text = write(&value, self.style(source));
            (value, text)
        };
        values.into_iter().map(with_text).collect()
    }
}

/// The values of a stream, each with its text.
pub type Snapshots = Vec<(Json, String)>;

pub fn write(value: &Json, style: Style) -> String {
    let mut writer = Writer {
        out: String::new(),
        spaces: SeededRng::new(style.spaces),
        order: SeededRng::new(style.order),
        strings: StringWriter::new(style.escapes),
    };
    writer.space();
    writer.value(value);
    writer.space();
    writer.out
}

struct Writer {
    out: String,
    spaces: SeededRng,
    order: SeededRng,
    strings: StringWriter,
}

impl Writer {
    fn space(&mut self) {
        let space = ["", "", "", " ", "\n", "\t", "\r\n", "  "];
        self.out.push_str(space[self.spaces.below(space.len())]);
    }

    fn value(&mut self, value: &Json) {
        match value {
            Json::Null => self.out.push_str("null"),
            Json::Bool(true) => self.out.push_str("true"),
            Json::Bool(false) => self.out.push_str("false"),
            Json::Num(number) => self.out.push_str(number),
            Json::Str(text) => self.string(text),
            Json::Arr(elements) => self.list('[', elements, ']', Self::value),
            Json::Obj(members) => {
                let mut shuffled: Vec<_> = members.iter().collect();
                for place in (1..shuffled.len()).rev() {
                    // Written so that the seed 0 leaves everything in place.
                    let other = place - self.order.below(place + 1);
                    shuffled.swap(place, other);
                }
                self.list('{', shuffled, '}', |writer, (name, value)| {
                    writer.string(name);
                    writer.space();
                    writer.out.push(':');
                    writer.space();
                    writer.value(value);
                });
            }
        }
    }

    fn list<T>(
        &mut self,
        start: char,
        items: impl IntoIterator<Item = T>,
        end: char,
        mut item: impl FnMut(&mut Self, T),
    ) {
        self.out.push(start);
        self.space();
        for (index, each) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
                self.space();
            }
            item(self, each);
            self.space();
        }
        self.out.push(end);
    }

    fn string(&mut self, text: &[u32]) {
        self.out.push('"');
        self.strings.characters(text, &mut self.out);
        self.out.push('"');
    }
}

/// Writes the content of strings with the given escapes.
pub struct StringWriter {
    escapes: Escapes,
    rng: SeededRng,
}

impl StringWriter {
    pub fn new(escapes: Escapes) -> Self {
        let seed = match escapes {
            Escapes::Few | Escapes::Many => 0,
            Escapes::Mixed(seed) => seed,
        };
        Self {
            escapes,
            rng: SeededRng::new(seed),
        }
    }

    pub fn characters(&mut self, text: &[u32], out: &mut String) {
        for &code_point in text {
            self.character(code_point, out);
        }
    }

    fn character(&mut self, code_point: u32, out: &mut String) {
        let short = match char::from_u32(code_point) {
            Some('"') => Some("\\\""),
            Some('\\') => Some("\\\\"),
            Some('/') => Some("\\/"),
            Some('\u{8}') => Some("\\b"),
            Some('\u{c}') => Some("\\f"),
            Some('\n') => Some("\\n"),
            Some('\r') => Some("\\r"),
            Some('\t') => Some("\\t"),
            _ => None,
        };
        let raw = char::from_u32(code_point)
            .filter(|&character| character >= ' ' && character != '"' && character != '\\');
        let rolled = match self.escapes {
            Escapes::Few => 0,
            Escapes::Many if code_point >= 0x80 => 2,
            Escapes::Many => 1,
            Escapes::Mixed(_) => [0, 0, 0, 1, 2, 3][self.rng.below(6)],
        };
        match (rolled, short, raw) {
            (0, _, Some(raw)) | (1, None, Some(raw)) => out.push(raw),
            (0 | 1, Some(short), _) => out.push_str(short),
            (3, _, _) => escape(code_point, out, true),
            _ => escape(code_point, out, false),
        }
    }
}

fn escape(code_point: u32, out: &mut String, upper_case: bool) {
    let mut unit = |unit: u32| {
        if upper_case {
            write!(out, "\\u{unit:04X}").unwrap();
        } else {
            write!(out, "\\u{unit:04x}").unwrap();
        }
    };
    if code_point < 0x1_0000 {
        return unit(code_point);
    }
    let high = 0xD800 + ((code_point - 0x1_0000) >> 10);
    let low = 0xDC00 + ((code_point - 0x1_0000) & 0x3FF);
    debug_assert!(is_high_surrogate(high) && is_low_surrogate(low));
    unit(high);
    unit(low);
}
