//! What holds for any lines whatever, pushed as snapshots one after the other.
//!
//! The first line of a case is not a snapshot: its first byte chooses the [`Options`]. The rest is
//! read as UTF-8; what is none becomes U+FFFD, as in a decoder that sees half a character.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::{Chunker, Error, ErrorKind, Limits, OnRevision, Revision, RevisionKind};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::support::json::{Json, Missing};
use crate::support::read::{Duplicates, read, read_so_far};

/// Snapshots, and the options of the chunker that gets them.
#[derive(Debug)]
pub struct Lines {
    pub(crate) options: Options,
    pub(crate) snapshots: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    on_revision: OnRevision,
    growing_numbers: bool,
    null_is_absent: bool,
    bounds: Bounds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// Those of `Limits::default()`, of which a case can reach but the depth.
    Default,
    /// So low that snapshots break them, token by token.
    Tight,
    /// Low for the document as a whole.
    SmallDocument,
}

impl Arbitrary<'_> for Lines {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.next().and_then(<[u8]>::first);
        Ok(Self {
            options: Options::of(first.copied().unwrap_or(0)),
            snapshots: lines
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .collect(),
        })
    }
}

impl Lines {
    /// Whether a snapshot has two members with one name. The last one counts; but a pass from the
    /// start reads the first one before that is known, and takes it for a change, and one that goes
    /// on from where the last one ended does not.
    fn double_a_name(&self) -> bool {
        let mut snapshots = self.snapshots.iter();
        snapshots.any(|snapshot| doubles_a_name(snapshot))
    }
}

impl Options {
    /// From `@` on, a letter each: two bits for revisions, one for either kind of producer, two
    /// for the limits.
    pub(crate) fn of(byte: u8) -> Self {
        Self {
            on_revision: match byte & 3 {
                0 => OnRevision::Keep,
                1 => OnRevision::Reject,
                _ => OnRevision::Restate,
            },
            growing_numbers: byte & 4 != 0,
            null_is_absent: byte & 8 != 0,
            bounds: match byte >> 4 & 3 {
                0 | 1 => Bounds::Default,
                2 => Bounds::Tight,
                _ => Bounds::SmallDocument,
            },
        }
    }

    fn chunker(self) -> Chunker {
        Chunker::new()
            .on_revision(self.on_revision)
            .growing_numbers(self.growing_numbers)
            .null_is_absent(self.null_is_absent)
            .limits(self.bounds.limits())
    }
}

impl Bounds {
    const fn depth(self) -> usize {
        match self {
            Self::Default | Self::SmallDocument => 128,
            Self::Tight => 3,
        }
    }

    const fn token_bytes(self) -> usize {
        match self {
            Self::Default | Self::SmallDocument => 64 << 20,
            Self::Tight => 6,
        }
    }

    const fn document_bytes(self) -> usize {
        match self {
            Self::Default | Self::Tight => 256 << 20,
            Self::SmallDocument => 48,
        }
    }

    fn limits(self) -> Limits {
        let number = |limit| u32::try_from(limit).expect("it is a small constant");
        Limits::default()
            .max_depth(number(self.depth()))
            .max_token_bytes(number(self.token_bytes()))
            .max_document_bytes(number(self.document_bytes()))
    }
}

/// What came of one push.
#[derive(Debug, PartialEq)]
struct Told {
    chunk: Result<String, Error>,
    revisions: Vec<Revision>,
}

/// Holds the chunker against its laws.
pub fn check(lines: &Lines) {
    let mut chunker = lines.options.chunker();
    let told = tell(&mut chunker, &lines.snapshots);
    let end = chunker.clone().finish();

    errors_are_right(lines, &told);
    every_moment_may_be_the_last(lines);
    if !lines.double_a_name() {
        errors_leave_no_trace(lines, &told, &end);
        the_way_of_reading_does_not_matter(lines, &told, &end);
    }
    treatments_differ_only_from_the_first_revision_on(lines);
    nothing_goes_out_behind_the_end(lines, &chunker);
    reset_forgets_everything(lines, chunker, &told, &end);
}

fn tell<S: AsRef<str>>(chunker: &mut Chunker, snapshots: &[S]) -> Vec<Told> {
    let tell_one = |snapshot: &S| {
        let mut out = String::from("before");
        let chunk = chunker
            .push_into(snapshot.as_ref(), &mut out)
            .map(|()| out.strip_prefix("before").unwrap_or("?").to_owned());
        assert!(
            chunk.is_ok() || out == "before",
            "an error changed the output"
        );
        Told {
            chunk,
            revisions: chunker.take_revisions(),
        }
    };
    snapshots.iter().map(tell_one).collect()
}

/// An error is there for a reason, and at the right byte; so is its absence.
fn errors_are_right(lines: &Lines, told: &[Told]) {
    let bounds = lines.options.bounds;
    for (snapshot, told) in lines.snapshots.iter().zip(told) {
        let Err(error) = &told.chunk else {
            if is_blank(snapshot) {
                continue;
            }
            let measured = measure(snapshot);
            assert!(is_json(without_bom(snapshot)), "taken: {snapshot:?}");
            assert!(measured.depth <= bounds.depth(), "taken: {snapshot:?}");
            // What is put together of pieces in different escapes may be longer than any of them.
            assert!(
                measured.token_bytes <= bounds.token_bytes() || snapshot.contains('\\'),
                "taken: {snapshot:?}"
            );
            assert!(
                snapshot.len() <= bounds.document_bytes(),
                "taken: {snapshot:?}"
            );
            continue;
        };
        let offset = error.offset();
        assert!(offset <= snapshot.len(), "{error} in {snapshot:?}");
        if bounds == Bounds::SmallDocument && error.kind() == ErrorKind::TooLarge {
            // Where the limit is, which may be inside of a character.
            continue;
        }
        let (before, behind) = snapshot
            .split_at_checked(offset)
            .unwrap_or_else(|| panic!("no character starts at byte {offset} of {snapshot:?}"));
        match error.kind() {
            ErrorKind::Syntax => {
                assert!(!is_json(without_bom(snapshot)), "{error} in {snapshot:?}");
                assert!(!behind.is_empty(), "{error} in {snapshot:?}");
                // What is before that byte could have gone on.
                let begun = Chunker::new().push(before);
                assert!(
                    begun.as_ref().err().is_none_or(Error::is_incomplete),
                    "{error} in {snapshot:?}, but {begun:?} before"
                );
            }
            ErrorKind::Incomplete => {
                assert!(!is_json(without_bom(snapshot)), "{error} in {snapshot:?}");
                assert!(behind.is_empty(), "{error} in {snapshot:?}");
            }
            ErrorKind::TooDeep => {
                assert!(behind.starts_with(['[', '{']), "{error} in {snapshot:?}");
                assert_eq!(measure(before).depth, bounds.depth(), "{error}");
            }
            ErrorKind::TooLarge => {
                let quote = if before.ends_with('"') { "\"" } else { "" };
                let token = [quote, behind].concat();
                assert!(
                    measure(&token).token_bytes > bounds.token_bytes(),
                    "{error} in {snapshot:?}"
                );
            }
            ErrorKind::Revision => {
                assert_eq!(lines.options.on_revision, OnRevision::Reject, "{error}");
            }
            other => panic!("an error of the unknown kind {other:?}"),
        }
    }
}

/// All is as it would be without the snapshots that were refused.
fn errors_leave_no_trace(lines: &Lines, told: &[Told], end: &str) {
    let taken = |told: &Told| told.chunk.is_ok();
    if told.iter().all(taken) {
        return;
    }
    let both = lines.snapshots.iter().zip(told);
    let (snapshots, expected): (Vec<_>, Vec<_>) = both.filter(|(_, told)| taken(told)).unzip();
    let mut chunker = lines.options.chunker();
    let undisturbed = tell(&mut chunker, &snapshots);
    for (index, (undisturbed, expected)) in undisturbed.iter().zip(expected).enumerate() {
        assert_eq!(
            undisturbed,
            expected,
            "left: without, right: with what was refused, up to {:?}",
            snapshots.get(..=index)
        );
    }
    assert_eq!(chunker.finish(), end, "left: without what was refused");
}

/// What is out is a part of the last snapshot, and, if it ends there, is that snapshot: but for
/// what is reported as contradicted.
fn every_moment_may_be_the_last(lines: &Lines) {
    let mut chunker = lines.options.chunker();
    let mut all = String::new();
    let mut contradicted = false;
    let mut not_mended: Vec<String> = Vec::new();
    let mut doubled = false;
    for snapshot in &lines.snapshots {
        if chunker.push_into(snapshot, &mut all).is_err() || is_blank(snapshot) {
            continue;
        }
        let value = read(without_bom(snapshot), Duplicates::LastWins)
            .unwrap_or_else(|why| panic!("taken, but {why}: {snapshot:?}"));
        doubled |= doubles_a_name(snapshot);
        for revision in chunker.take_revisions() {
            contradicted = true;
            check_revision(&revision, &value, lines.options.on_revision, doubled);
            let is_new = !not_mended.iter().any(|other| other == revision.pointer());
            if !revision.is_mended() {
                assert!(
                    is_new || doubled || lines.options.on_revision == OnRevision::Restate,
                    "{revision} comes twice"
                );
                not_mended.push(revision.pointer().to_owned());
            }
        }
        let mut ended = all.clone();
        chunker.clone().finish_into(&mut ended);
        assert!(is_json(&ended), "{ended} is put out");
        let duplicates = match lines.options.on_revision {
            OnRevision::Restate if contradicted => Duplicates::LastWins,
            _ => Duplicates::Refused,
        };
        let whole = read(&ended, duplicates).unwrap_or_else(|why| panic!("{why}: {ended}"));
        if contradicted {
            assert!(
                doubled || whole.equals_except(&value, &not_mended),
                "{ended} is put out instead of {snapshot:?}, not mended are {not_mended:?}"
            );
            continue;
        }
        assert_eq!(whole, value, "put out is {ended}");
        let values: [Result<Value, _>; 2] =
            [&ended, without_bom(snapshot)].map(serde_json::from_str);
        if let [Ok(ended), Ok(snapshot)] = values {
            assert_eq!(ended, snapshot);
        }
        if !all.is_empty() {
            let so_far =
                read_so_far(&all, Duplicates::Refused).unwrap_or_else(|why| panic!("{why}"));
            assert!(
                so_far.is_part_of(&value, Missing::Anything),
                "{all} is put out of {snapshot:?}"
            );
        }
    }
}

/// What a revision says about itself is what the snapshot and the output say.
fn check_revision(revision: &Revision, value: &Json, on_revision: OnRevision, doubled: bool) {
    assert!(on_revision != OnRevision::Reject, "{revision} is rejected");
    assert!(on_revision == OnRevision::Restate || !revision.is_mended());
    match revision.came() {
        None => assert_eq!(revision.kind(), RevisionKind::Removed),
        Some(came) => {
            let came = read(came, Duplicates::LastWins)
                .unwrap_or_else(|why| panic!("{why}: {came} is said to have come"));
            assert!(
                doubled || Some(&came) == value.at(revision.pointer()),
                "{revision}: {came:?} is said to have come"
            );
        }
    }
    if revision.put_out().is_empty() {
        // It was to be restated and vanished before: what it is now was never put out.
        assert_eq!(revision.kind(), RevisionKind::Removed, "{revision}");
    } else {
        let put_out = read_so_far(revision.put_out(), Duplicates::LastWins);
        assert!(put_out.is_ok(), "{:?} was put out", revision.put_out());
    }
}

/// White space in front, each time as much as differs from the time before, so that a snapshot
/// never starts with the bytes of the one before.
fn the_way_of_reading_does_not_matter(lines: &Lines, told: &[Told], end: &str) {
    if lines.options.bounds == Bounds::SmallDocument {
        // White space counts.
        return;
    }
    let pads = ["\t", " \r", "   "];
    let padded: Vec<_> = lines
        .snapshots
        .iter()
        .zip(pads.iter().cycle())
        .map(|(snapshot, pad)| {
            let rest = without_bom(snapshot);
            let bom = snapshot.strip_suffix(rest).unwrap_or_default();
            [bom, pad, rest].concat()
        })
        .collect();
    let mut chunker = lines.options.chunker();
    let retold = tell(&mut chunker, &padded);
    for (index, (from_start, expected)) in retold.into_iter().zip(told).enumerate() {
        let pad = padded[index].len() - lines.snapshots[index].len();
        let same = match (&from_start.chunk, &expected.chunk) {
            (Ok(chunk), Ok(expected)) => chunk == expected,
            (Err(error), Err(expected)) => {
                error.kind() == expected.kind()
                    && error.offset() == expected.offset() + pad
                    && error.revision() == expected.revision()
            }
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        };
        assert!(
            same && from_start.revisions == expected.revisions,
            "snapshot {index}: {from_start:#?} with {pad} bytes of white space, without: {expected:#?}"
        );
    }
    assert_eq!(chunker.finish(), end, "left: with white space in front");
}

/// As long as nothing is contradicted, it does not matter what is done about contradictions; and
/// what the first one is does not, either.
fn treatments_differ_only_from_the_first_revision_on(lines: &Lines) {
    if lines.options.bounds == Bounds::SmallDocument {
        // What is kept of a contradiction counts.
        return;
    }
    let until_contradicted = |on_revision| {
        let options = Options {
            on_revision,
            ..lines.options
        };
        let mut chunker = options.chunker();
        let mut chunks = Vec::new();
        for snapshot in &lines.snapshots {
            let chunk = chunker.push(snapshot);
            let mut revisions = chunker.take_revisions();
            revisions.truncate(1);
            if let Err(error) = &chunk {
                revisions.extend(error.revision().cloned());
            }
            if let Some(first) = revisions.pop() {
                let came = first.came().map(str::to_owned);
                let first = (
                    first.pointer().to_owned(),
                    first.kind(),
                    first.put_out().to_owned(),
                    came,
                );
                return (chunks, Some(first));
            }
            chunks.push(chunk);
        }
        (chunks, None)
    };
    let kept = until_contradicted(OnRevision::Keep);
    let rejected = until_contradicted(OnRevision::Reject);
    assert_eq!(kept, rejected, "left: kept, right: rejected");
    if !lines.double_a_name() {
        let restated = until_contradicted(OnRevision::Restate);
        assert_eq!(kept, restated, "left: kept, right: restated");
    }
}

fn nothing_goes_out_behind_the_end(lines: &Lines, chunker: &Chunker) {
    let mut chunker = chunker.clone();
    let ended = chunker.finish();
    assert_eq!(chunker.finish(), "", "it has ended before: {ended}");
    assert_eq!(chunker.held(), 0);
    if lines.snapshots.iter().any(|snapshot| !is_blank(snapshot)) && !ended.is_empty() {
        for told in tell(&mut chunker, &lines.snapshots) {
            let chunk = told.chunk.unwrap_or_default();
            assert_eq!(chunk, "", "it has ended with {ended}");
        }
        assert_eq!(chunker.finish(), "");
    }
}

/// A machine that was reset is a new one with the same options, in whatever state it was.
fn reset_forgets_everything(lines: &Lines, mut used: Chunker, told: &[Told], end: &str) {
    for _ in 0..2 {
        used.reset();
        assert_eq!(
            tell(&mut used, &lines.snapshots),
            told,
            "left: after a reset"
        );
        // The second time from behind the end.
        assert_eq!(used.finish(), end, "left: after a reset");
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_blank(snapshot: &str) -> bool {
    let text = without_bom(snapshot);
    text.bytes().all(|byte| b" \t\n\r".contains(&byte))
}

/// Whether the snapshot is JSON but for two members with one name.
fn doubles_a_name(snapshot: &str) -> bool {
    let read = |duplicates| read(without_bom(snapshot), duplicates);
    read(Duplicates::Refused).is_err() && read(Duplicates::LastWins).is_ok()
}

fn without_bom(snapshot: &str) -> &str {
    snapshot.strip_prefix('\u{FEFF}').unwrap_or(snapshot)
}

#[derive(Default)]
struct Measured {
    /// The deepest nesting.
    depth: usize,
    /// The longest string, name or number.
    token_bytes: usize,
}

/// Takes the text to be JSON or the start of JSON.
fn measure(text: &str) -> Measured {
    let mut measured = Measured::default();
    let mut depth: usize = 0;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        let mut token = 0;
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(byte) = bytes.next_if(|byte| *byte != b'"') {
                    token += 1;
                    if byte == b'\\' && bytes.next().is_some() {
                        token += 1;
                    }
                }
                bytes.next();
            }
            b'-' | b'0'..=b'9' => {
                let in_number = |byte: &u8| b"+-.eE0123456789".contains(byte);
                token = 1;
                while bytes.next_if(in_number).is_some() {
                    token += 1;
                }
            }
            _ => {}
        }
        measured.depth = measured.depth.max(depth);
        measured.token_bytes = measured.token_bytes.max(token);
    }
    measured
}
