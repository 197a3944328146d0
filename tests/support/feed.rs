//! Parsers that are fed, and everything that they tell meanwhile.

use json_chunks::{Change, Error, ErrorKind, Growth, Kind, Parser, Value};

use super::outline::{Row, Told, What};
use super::tape::Tape;

/// All that a parser told of its input.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Heard {
    /// Pieces of one text, one behind the other, are one.
    pub(crate) told: Vec<Told>,
    /// The text of the growths, unless there was an error.
    pub(crate) text: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) error: Option<(ErrorKind, usize)>,
}

impl Heard {
    /// Whether both tell the same. How much of a token or document that is too large is shown
    /// depends on the split; that it is, and where, does not.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let too_large = matches!(self.error, Some((ErrorKind::TooLarge, _)));
        self.error == other.error && (too_large || self == other)
    }

    fn hear(&mut self, growth: Growth<'_>) {
        assert_eq!(growth.end() - growth.start(), growth.text().len());
        assert_eq!(growth.events().len(), growth.events().count());
        self.text.push_str(growth.text());
        for event in growth.events() {
            let pointer = event.path.to_pointer();
            let told = match event.change {
                Change::Started(_) => Told::Started(pointer),
                Change::Completed(value) => {
                    assert!(value.is_complete(), "{pointer}");
                    Told::Completed(pointer)
                }
                Change::Appended(text) => {
                    assert!(!text.is_empty(), "nothing appended to {pointer}");
                    if let Some(Told::Appended(last, before)) = self.told.last_mut()
                        && *last == pointer
                    {
                        before.push_str(text);
                        continue;
                    }
                    Told::Appended(pointer, text.to_owned())
                }
                other => panic!("{other:?}"),
            };
            self.told.push(told);
        }
    }
}

/// Feeds all pieces and the end of the input. Each growth starts where the one before ended.
pub(crate) fn feed<P: AsRef<[u8]>>(
    parser: &mut Parser,
    pieces: impl IntoIterator<Item = P>,
) -> Heard {
    let mut heard = Heard::default();
    let mut end = 0;
    let mut step = |heard: &mut Heard, parser: &mut Parser, piece: Option<&[u8]>| {
        let result = match piece {
            Some(piece) => parser.push(piece).err(),
            None => parser.finish().err(),
        };
        // What a push brought before it failed counts.
        let growth = parser.growth();
        assert_eq!(growth.start(), end, "the growths are contiguous");
        end = growth.end();
        heard.hear(growth);
        heard.error = result.as_ref().map(wrong);
        heard.error.is_none()
    };
    let on = pieces
        .into_iter()
        .all(|piece| step(&mut heard, parser, Some(piece.as_ref())));
    if on {
        step(&mut heard, parser, None);
    }
    if heard.error.is_some() {
        // How much of the text stands behind the error says only how it was split.
        heard.text.clear();
    }
    heard.rows = rows(parser);
    heard
}

pub(crate) fn wrong(error: &Error) -> (ErrorKind, usize) {
    (error.kind(), error.offset())
}

/// The document as it is now, in the order of the text.
pub(crate) fn rows(parser: &Parser) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(root) = parser.root() {
        add_rows(root, "", &mut rows);
    }
    rows
}

fn add_rows(value: Value<'_>, pointer: &str, rows: &mut Vec<Row>) {
    rows.push(Row {
        pointer: pointer.to_owned(),
        what: match value.kind() {
            Kind::Null => What::Null,
            Kind::True => What::True,
            Kind::False => What::False,
            Kind::Number => What::Number(value.as_number().unwrap().to_owned()),
            Kind::String => What::Str(value.as_str().unwrap().to_owned()),
            Kind::Array => What::Array,
            Kind::Object => What::Object,
        },
        complete: value.is_complete(),
    });
    for (index, element) in value.elements().enumerate() {
        add_rows(element, &format!("{pointer}/{index}"), rows);
    }
    for (name, member) in value.members() {
        let name = name.replace('~', "~0").replace('/', "~1");
        add_rows(member, &format!("{pointer}/{name}"), rows);
    }
}

/// The text in pieces whose lengths come from the tape; mostly short ones, and empty ones too.
pub(crate) fn pieces<'a>(mut text: &'a [u8], tape: &mut Tape<'_>) -> Vec<&'a [u8]> {
    let longest = [256, 40, 8, 3][tape.below(4)];
    let mut pieces = Vec::new();
    while !text.is_empty() {
        // Behind the end of the tape there is no choice left.
        let length = match tape.below(longest) {
            0 if tape.once_in(8) => 0,
            0 => longest,
            length => length,
        };
        let (piece, rest) = text.split_at(length.min(text.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}
