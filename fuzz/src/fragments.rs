//! Laws for any bytes, pushed as the fragments of one text.
//!
//! The first line of a case determines the split: each of its bytes is the length of a fragment,
//! cyclically. The rest is the text.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::delta::{
    Delta, DeltaBatch, DeltaChange, DeltaFormat, DeltaReader, DeltaReplay, PatchOperation,
};
use json_chunks::entity::{EntityDetector, EntityEvent, EntityStatus};
use json_chunks::{Change, Error, ErrorKind, Parser, PartialPolicy};
use json_chunks_testing::modes::MODES;
use serde::de::IgnoredAny;

/// A text, and the lengths of its fragments.
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
            let (piece, after) = rest.split_at(length.min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        pieces
    }
}

/// Checks the laws of the parser, of deltas and of the entities.
pub fn check(fragments: &Fragments) {
    let at_once = [fragments.text.as_slice()];
    let pieces = fragments.pieces();
    for several in [false, true] {
        let expected = read(several, &at_once);
        assert_eq!(read(several, &pieces), expected, "left: in pieces");
        if !several {
            let text = str::from_utf8(without_bom(&fragments.text));
            let is_json = text.is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
            // `serde_json` allows one level less.
            let is_right = expected.error.is_none() == is_json || is_deep(&fragments.text);
            assert!(is_right, "{:?}", expected.error);
        }
        check_rebuilt(several, &pieces, &expected.values);
        for mode in MODES {
            for zero_values in [false, true] {
                let entities = EntityDetector::new(mode)
                    .multiple_values(several)
                    .zero_values(zero_values);
                let reported = final_events(entities.clone(), &pieces);
                assert_eq!(
                    reported,
                    final_events(entities, &at_once),
                    "left: in pieces, {mode}"
                );
            }
        }
    }
}

/// Asserts that deltas and patches rebuild the values that are complete.
fn check_rebuilt(several: bool, pieces: &[&[u8]], values: &[String]) {
    let parser = || Parser::new().multiple_values(several);
    let mut replay = DeltaReplay::new();
    let deltas = rebuilt(DeltaReader::new(parser()), pieces, |deltas: &[Delta]| {
        replay.apply(deltas).expect("each delta fits");
        replay.get().map(String::from)
    });
    let mut replay = DeltaReplay::new();
    let patched = |operations: &[PatchOperation]| {
        replay.apply_patch(operations).expect("each operation fits");
        replay.get().map(String::from)
    };
    let patches = rebuilt(DeltaReader::json_patch(parser()), pieces, patched);
    assert_eq!(deltas, patches, "left: deltas");
    for (rebuilt, value) in deltas.iter().zip(values) {
        let list = format!(r#"[{{"path":"","value":{value}}}]"#);
        // With the list around it, a value may be nested too deeply.
        let Ok(list) = Delta::list_from_json(&list) else {
            continue;
        };
        let mut expected = DeltaReplay::new();
        expected.apply(&list).expect("it is one value");
        assert_eq!(rebuilt.as_deref(), expected.get().as_deref());
    }
}

/// Returns the value after each batch that completes one.
fn rebuilt<D: DeltaFormat>(
    mut reader: DeltaReader<D>,
    pieces: &[&[u8]],
    mut apply: impl FnMut(&[D]) -> Option<String>,
) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let mut take = |batches: Vec<DeltaBatch<D>>| {
        for batch in batches {
            let value = apply(&batch.deltas);
            values.extend(batch.is_complete.then_some(value));
        }
    };
    for piece in pieces {
        match reader.push(piece) {
            Ok(batches) => take(batches),
            Err(_) => {
                take(reader.rest());
                return values;
            }
        }
    }
    match reader.finish() {
        Ok(batches) => take(batches),
        Err(_) => take(reader.rest()),
    }
    values
}

/// The result of parsing a text.
#[derive(Debug, PartialEq)]
struct Read {
    /// The complete values, and the last partial one.
    values: Vec<String>,
    /// What is wrong and where. The hint of an error depends on what its fragment shows.
    error: Option<(ErrorKind, usize)>,
}

fn read(several: bool, pieces: &[&[u8]]) -> Read {
    let mut parser = Parser::new().multiple_values(several);
    let mut values = Vec::new();
    let mut take = |parser: &Parser| {
        for event in parser.last_update().events() {
            if let Change::Completed(root) = event.change
                && event.path.is_root()
            {
                values.push(root.to_json(PartialPolicy::default()));
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
        values.extend(open.map(|root| root.to_json(PartialPolicy::default())));
    }
    let error = error.map(|error| (error.kind(), error.offset()));
    Read { values, error }
}

/// Returns the final events as JSON, and asserts that the events before them are consistent.
fn final_events(mut entities: EntityDetector, pieces: &[&[u8]]) -> Vec<String> {
    let mut events: Vec<EntityEvent> = Vec::new();
    for piece in pieces {
        events.extend(entities.push(piece));
    }
    events.extend(entities.finish());
    let mut last = Vec::new();
    let mut known = None;
    for event in &events {
        if let (Some(index), Some(delta), Some(data)) = (event.index, &event.delta, &event.data) {
            let of = (event.restatement, index);
            let before: Option<(_, String)> = known.take().filter(|(known, _)| *known == of);
            check_delta(before.as_ref().map(|(_, data)| data.as_str()), delta, data);
            known = Some((of, data.to_string()));
        }
        if event.status != EntityStatus::Partial {
            let mut event = event.clone();
            event.delta = None;
            if let Some(error) = &mut event.error {
                // Without the hint, which depends on what a fragment shows.
                let end = error.message.find(" (").unwrap_or(error.message.len());
                error.message.truncate(end);
            }
            last.push(event.to_json());
        }
    }
    last
}

/// Asserts that a delta is empty only if the data is unchanged. (The tests of the crate replay
/// deltas.) The steps of a delta can undo one another: of `x", "a": "` after `{"a": "`, the first
/// appends the `x`, the second sets the `a` that has begun again to `""`.
fn check_delta(before: Option<&str>, delta: &[Delta], data: &str) {
    match before {
        None => assert!(
            matches!(delta, [Delta { path, change: DeltaChange::Value(value), .. }] if path.is_empty() && **value == *data),
            "{delta:?} of {data}"
        ),
        Some(before) => assert!(
            before == data || !delta.is_empty(),
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
