//! What holds for any bytes whatever, pushed as the fragments of one text.
//!
//! The first line of a case says how it is cut: each of its bytes is the length of a fragment,
//! over and over. The rest is the text.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::{
    Change, Delta, DeltaChange, Entities, EntityEvent, EntityMode, EntityStatus, Error, Parser,
    Partials,
};
use serde::de::IgnoredAny;

/// A text and how it is cut into fragments.
#[derive(Debug)]
pub struct Fragments {
    lengths: Vec<usize>,
    text: Vec<u8>,
}

impl Arbitrary<'_> for Fragments {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (cuts, text) = bytes.split_at(end.unwrap_or(0));
        Ok(Self {
            lengths: cuts.iter().map(|byte| usize::from(byte % 32)).collect(),
            text: text.strip_prefix(b"\n").unwrap_or(text).to_vec(),
        })
    }
}

impl Fragments {
    fn pieces(&self) -> Vec<&[u8]> {
        let mut pieces = Vec::new();
        let mut rest = self.text.as_slice();
        for length in self.lengths.iter().copied().cycle().take(self.text.len()) {
            let (piece, behind) = rest.split_at(length.min(rest.len()));
            pieces.push(piece);
            rest = behind;
        }
        pieces.push(rest);
        pieces
    }
}

/// Holds the parser and the entities against their laws.
pub fn check(fragments: &Fragments) {
    let whole = [fragments.text.as_slice()];
    let pieces = fragments.pieces();
    for several in [false, true] {
        let read_at_once = read(several, &whole);
        assert_eq!(read(several, &pieces), read_at_once, "left: in pieces");
        if !several {
            let text = str::from_utf8(without_bom(&fragments.text));
            let is_json = text.is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
            // `serde_json` reads one level less.
            let is_right = read_at_once.error.is_none() == is_json || is_deep(&fragments.text);
            assert!(is_right, "{:?}", read_at_once.error);
        }
        for mode in [
            EntityMode::Batch,
            EntityMode::AllTogether,
            EntityMode::OneByOne,
            EntityMode::Progressive,
            EntityMode::Realtime,
        ] {
            for zero_values in [false, true] {
                let entities = Entities::new(mode)
                    .several_values(several)
                    .zero_values(zero_values);
                let told = tell(entities.clone(), &pieces);
                assert_eq!(told, tell(entities, &whole), "left: in pieces, {mode}");
            }
        }
    }
}

/// What a parser makes of a text.
#[derive(Debug, PartialEq)]
struct Read {
    /// The values that were completed, and the last as it stands.
    values: Vec<String>,
    error: Option<Error>,
}

fn read(several: bool, pieces: &[&[u8]]) -> Read {
    let mut parser = Parser::new().several_values(several);
    let mut values = Vec::new();
    let mut take = |parser: &Parser| {
        for event in parser.growth().events() {
            if let Change::Completed(root) = event.change
                && event.path.is_root()
            {
                values.push(root.to_json(Partials::default()));
            }
        }
    };
    let mut error = None;
    for piece in pieces {
        error = parser.push(piece).err();
        take(&parser);
        if error.is_some() {
            break;
        }
    }
    if error.is_none() {
        error = parser.finish().err();
        take(&parser);
    }
    if error.as_ref().is_none_or(Error::is_syntax) {
        let open = parser.root().filter(|root| !root.is_complete());
        values.extend(open.map(|root| root.to_json(Partials::default())));
    }
    Read { values, error }
}

/// The last events, each as JSON; what comes before them has to make sense.
fn tell(mut entities: Entities, pieces: &[&[u8]]) -> Vec<String> {
    let mut events: Vec<EntityEvent> = Vec::new();
    for piece in pieces {
        events.extend(entities.push(piece));
    }
    events.extend(entities.finish());
    let mut last = Vec::new();
    let mut known: Option<(usize, String)> = None;
    for event in &events {
        if let (Some(index), Some(delta), Some(data)) = (event.index, &event.delta, &event.data) {
            let before = known.take().filter(|(of, _)| *of == index);
            check_delta(before.as_ref().map(|(_, data)| data.as_str()), delta, data);
            known = Some((index, data.to_string()));
        }
        if event.status != EntityStatus::Partial {
            let mut event = event.clone();
            event.delta = None;
            last.push(event.to_json());
        }
    }
    last
}

/// What is told as new is not there before, and is after. (That replaying it gives the data, the
/// tests of the crate show.)
fn check_delta(before: Option<&str>, delta: &[Delta], data: &str) {
    match before {
        None => assert!(
            matches!(delta, [Delta { path, change: DeltaChange::Value(value), .. }] if path.is_empty() && **value == *data),
            "{delta:?} of {data}"
        ),
        Some(before) => assert_eq!(
            before == data,
            delta.is_empty(),
            "{delta:?}: {before} {data}"
        ),
    }
}

fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

fn is_deep(text: &[u8]) -> bool {
    text.iter().filter(|byte| b"[{".contains(byte)).count() > 126
}
