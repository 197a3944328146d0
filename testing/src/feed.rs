//! Feeds a parser and records everything that it reports.

use json_chunks::{Change, Error, ErrorKind, Kind, Parser, Update, Value};

use crate::byte_source::ByteSource;
use crate::outline::{Content, ParseEvent, Row};

/// Everything that a parser reported about its input.
#[derive(Debug, Default, PartialEq)]
pub struct Transcript {
    /// The events. Successive `Appended` events of one value are merged.
    pub events: Vec<ParseEvent>,
    /// The concatenated text of all updates; empty after an error.
    pub text: String,
    pub rows: Vec<Row>,
    pub error: Option<(ErrorKind, usize)>,
}

impl Transcript {
    /// Returns whether two transcripts are equal. If a token or document is too large, only the
    /// errors are compared, because the visible part of it depends on the split.
    pub fn agrees(&self, other: &Self) -> bool {
        let too_large = matches!(self.error, Some((ErrorKind::TooLarge, _)));
        self.error == other.error && (too_large || self == other)
    }

    fn record(&mut self, update: Update<'_>) {
        assert_eq!(update.end() - update.start(), update.text().len());
        assert_eq!(update.events().len(), update.events().count());
        self.text.push_str(update.text());
        for event in update.events() {
            let pointer = event.path.to_pointer();
            let reported = match event.change {
                Change::Started(_) => ParseEvent::Started(pointer),
                Change::Completed(value) => {
                    assert!(value.is_complete(), "{pointer}");
                    ParseEvent::Completed(pointer)
                }
                Change::Appended(text) => {
                    assert!(!text.is_empty(), "nothing appended to {pointer}");
                    if let Some(ParseEvent::Appended(last, before)) = self.events.last_mut()
                        && *last == pointer
                    {
                        before.push_str(text);
                        continue;
                    }
                    ParseEvent::Appended(pointer, text.to_owned())
                }
                other => panic!("{other:?}"),
            };
            self.events.push(reported);
        }
    }
}

/// Feeds all pieces and the end of the input, and asserts that the updates are contiguous.
pub fn feed<P: AsRef<[u8]>>(
    parser: &mut Parser,
    pieces: impl IntoIterator<Item = P>,
) -> Transcript {
    let mut transcript = Transcript::default();
    let mut end = 0;
    let mut step = |transcript: &mut Transcript, parser: &mut Parser, piece: Option<&[u8]>| {
        let result = match piece {
            Some(piece) => parser.push(piece).err(),
            None => parser.finish().err(),
        };
        // The update of a push that failed counts as well.
        let update = parser.last_update();
        assert_eq!(update.start(), end, "the updates are contiguous");
        end = update.end();
        transcript.record(update);
        transcript.error = result.as_ref().map(error_at);
        transcript.error.is_none()
    };
    let is_accepted = pieces
        .into_iter()
        .all(|piece| step(&mut transcript, parser, Some(piece.as_ref())));
    if is_accepted {
        step(&mut transcript, parser, None);
    }
    if transcript.error.is_some() {
        // The length of the text after an error depends only on the split.
        transcript.text.clear();
    }
    transcript.rows = rows(parser);
    transcript
}

/// Returns the kind and offset of an error.
pub fn error_at(error: &Error) -> (ErrorKind, usize) {
    (error.kind(), error.offset())
}

/// Returns all values of the document so far, in the order of the text.
pub fn rows(parser: &Parser) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(root) = parser.root() {
        add_rows(root, "", &mut rows);
    }
    rows
}

fn add_rows(value: Value<'_>, pointer: &str, rows: &mut Vec<Row>) {
    rows.push(Row {
        pointer: pointer.to_owned(),
        content: match value.kind() {
            Kind::Null => Content::Null,
            Kind::True => Content::True,
            Kind::False => Content::False,
            Kind::Number => Content::Number(value.as_number().unwrap().to_owned()),
            Kind::String => Content::Str(value.as_str().unwrap().to_owned()),
            Kind::Array => Content::Array,
            Kind::Object => Content::Object,
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

/// Splits a text into pieces of random lengths, most of them short and some empty.
pub fn pieces<'a>(mut text: &'a [u8], source: &mut ByteSource<'_>) -> Vec<&'a [u8]> {
    let longest = [256, 40, 8, 3][source.below(4)];
    let mut pieces = Vec::new();
    while !text.is_empty() {
        // After its end the source always gives 0: then the longest piece is taken.
        let length = match source.below(longest) {
            0 if source.one_in(8) => 0,
            0 => longest,
            length => length,
        };
        let (piece, rest) = text.split_at(length.min(text.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}
