//! Laws for any lines, pushed as snapshots.
//!
//! The first line of a case is not a snapshot, but selects the [`Options`]. The rest is decoded as
//! UTF-8; invalid bytes become U+FFFD.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::{
    AbsentValues, Chunker, Error, ErrorKind, Limits, MemberOrder, Revision, RevisionKind,
    RevisionPolicy,
};
use serde::de::IgnoredAny;
use serde_json::Value;

use json_chunks_testing::json::{Json, Missing};
use json_chunks_testing::read::{Duplicates, read, read_prefix};

/// Snapshots, and the options of the chunker that receives them.
#[derive(Debug)]
pub struct Lines {
    pub(crate) options: Options,
    pub(crate) snapshots: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    revision_policy: RevisionPolicy,
    growing_numbers: bool,
    absent_values: AbsentValues,
    member_order: MemberOrder,
    bounds: Bounds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// Those of `Limits::default()`. A case can only exceed the depth.
    Default,
    /// Low limits for depth and tokens, which snapshots exceed.
    Tight,
    /// A low limit for the entire document.
    SmallDocument,
}

impl Arbitrary<'_> for Lines {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        Ok(Self {
            options: Options::of(first),
            snapshots: lines
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .collect(),
        })
    }
}

impl Lines {
    /// Returns whether a snapshot has duplicate names. The last one wins, but a pass from the start
    /// reads the first one before, and sees a change, which a pass that resumes does not.
    fn double_a_name(&self) -> bool {
        let mut snapshots = self.snapshots.iter();
        snapshots.any(|snapshot| doubles_a_name(snapshot))
    }
}

impl Options {
    /// Decodes options from letters (`@` is 0). The first has two bits for the revision policy, one
    /// for growing numbers, one for null as a value and two for the limits; the second, if there is
    /// one, one for absent defaults and one for members in order.
    pub(crate) fn of(letters: &[u8]) -> Self {
        let letter = |index: usize| letters.get(index).copied().unwrap_or(0);
        let (byte, more) = (letter(0), letter(1));
        Self {
            revision_policy: match byte & 3 {
                0 => RevisionPolicy::Keep,
                1 => RevisionPolicy::Reject,
                _ => RevisionPolicy::Restate,
            },
            growing_numbers: byte & 4 != 0,
            absent_values: match (byte & 8 != 0, more & 1 != 0) {
                (true, _) => AbsentValues::Nothing,
                (false, false) => AbsentValues::Null,
                (false, true) => AbsentValues::Defaults,
            },
            member_order: if more & 2 == 0 {
                MemberOrder::Unknown
            } else {
                MemberOrder::Written
            },
            bounds: match byte >> 4 & 3 {
                0 | 1 => Bounds::Default,
                2 => Bounds::Tight,
                _ => Bounds::SmallDocument,
            },
        }
    }

    fn chunker(self) -> Chunker {
        Chunker::new()
            .revision_policy(self.revision_policy)
            .growing_numbers(self.growing_numbers)
            .absent_values(self.absent_values)
            .member_order(self.member_order)
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

/// The result of one push.
#[derive(Debug, PartialEq)]
struct PushResult {
    chunk: Result<String, Error>,
    revisions: Vec<Revision>,
}

/// Checks the laws of the chunker.
pub fn check(lines: &Lines) {
    let mut chunker = lines.options.chunker();
    let reported = push_all(&mut chunker, &lines.snapshots);
    let end = chunker.clone().finish();

    errors_are_right(lines, &reported);
    stream_may_end_after_any_snapshot(lines);
    if !lines.double_a_name() {
        rejected_snapshots_have_no_effect(lines, &reported, &end);
        resuming_changes_nothing(lines, &reported, &end);
    }
    policies_agree_until_the_first_revision(lines);
    finished_machine_emits_nothing(lines, &chunker);
    reset_restores_a_new_machine(lines, chunker, &reported, &end);
}

fn push_all<S: AsRef<str>>(chunker: &mut Chunker, snapshots: &[S]) -> Vec<PushResult> {
    let push_one = |snapshot: &S| {
        let mut out = String::from("before");
        let chunk = chunker
            .push_into(snapshot.as_ref(), &mut out)
            .map(|()| out.strip_prefix("before").unwrap_or("?").to_owned());
        assert!(
            chunk.is_ok() || out == "before",
            "an error changed the output"
        );
        PushResult {
            chunk,
            revisions: chunker.take_revisions(),
        }
    };
    snapshots.iter().map(push_one).collect()
}

/// Asserts that there is an error exactly if there is a reason, and that its offset is correct.
fn errors_are_right(lines: &Lines, reported: &[PushResult]) {
    let bounds = lines.options.bounds;
    for (snapshot, reported) in lines.snapshots.iter().zip(reported) {
        let Err(error) = &reported.chunk else {
            if is_blank(snapshot) {
                continue;
            }
            let measured = measure(snapshot);
            assert!(is_json(without_bom(snapshot)), "taken: {snapshot:?}");
            assert!(measured.depth <= bounds.depth(), "taken: {snapshot:?}");
            // A text composed of pieces with different escapes may be longer than in any snapshot.
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
            // The offset of the limit, which may be inside of a character.
            continue;
        }
        let (before, behind) = snapshot
            .split_at_checked(offset)
            .unwrap_or_else(|| panic!("no character starts at byte {offset} of {snapshot:?}"));
        match error.kind() {
            ErrorKind::Syntax => {
                assert!(!is_json(without_bom(snapshot)), "{error} in {snapshot:?}");
                assert!(!behind.is_empty(), "{error} in {snapshot:?}");
                // The text before that byte is a valid prefix.
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
                assert_eq!(
                    lines.options.revision_policy,
                    RevisionPolicy::Reject,
                    "{error}"
                );
            }
            other => panic!("an error of the unknown kind {other:?}"),
        }
    }
}

/// Asserts that rejected snapshots have no effect.
fn rejected_snapshots_have_no_effect(lines: &Lines, reported: &[PushResult], end: &str) {
    let taken = |reported: &PushResult| reported.chunk.is_ok();
    if reported.iter().all(taken) {
        return;
    }
    let both = lines.snapshots.iter().zip(reported);
    let (snapshots, expected): (Vec<_>, Vec<_>) =
        both.filter(|(_, reported)| taken(reported)).unzip();
    let mut chunker = lines.options.chunker();
    let undisturbed = push_all(&mut chunker, &snapshots);
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

/// Asserts that the emitted text is a part of the last snapshot, and equals it after `finish`,
/// except for reported revisions.
fn stream_may_end_after_any_snapshot(lines: &Lines) {
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
            check_revision(&revision, &value, lines.options.revision_policy, doubled);
            let is_new = !not_mended.iter().any(|other| other == revision.pointer());
            if !revision.is_restated() {
                assert!(
                    is_new || doubled || lines.options.revision_policy == RevisionPolicy::Restate,
                    "{revision} comes twice"
                );
                not_mended.push(revision.pointer().to_owned());
            }
        }
        let mut ended = all.clone();
        chunker.clone().finish_into(&mut ended);
        assert!(is_json(&ended), "{ended} is put out");
        let duplicates = match lines.options.revision_policy {
            RevisionPolicy::Restate if contradicted => Duplicates::LastWins,
            _ => Duplicates::Rejected,
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
            let prefix =
                read_prefix(&all, Duplicates::Rejected).unwrap_or_else(|why| panic!("{why}"));
            assert!(
                prefix.is_part_of(&value, Missing::Anything),
                "{all} is put out of {snapshot:?}"
            );
        }
    }
}

/// Asserts that a revision quotes the snapshot and the output.
fn check_revision(
    revision: &Revision,
    value: &Json,
    revision_policy: RevisionPolicy,
    doubled: bool,
) {
    assert!(
        revision_policy != RevisionPolicy::Reject,
        "{revision} is rejected"
    );
    assert!(revision_policy == RevisionPolicy::Restate || !revision.is_restated());
    match revision.received() {
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
    if revision.emitted().is_empty() {
        // The member was held for its restatement and disappeared, so its last value was never
        // emitted.
        assert_eq!(revision.kind(), RevisionKind::Removed, "{revision}");
    } else {
        let emitted = read_prefix(revision.emitted(), Duplicates::LastWins);
        assert!(emitted.is_ok(), "{:?} was put out", revision.emitted());
    }
}

/// Adds leading white space that differs for successive snapshots, so that no snapshot starts with
/// the bytes of the previous one.
fn resuming_changes_nothing(lines: &Lines, reported: &[PushResult], end: &str) {
    if lines.options.bounds == Bounds::SmallDocument {
        // White space counts toward the limit.
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
    let retold = push_all(&mut chunker, &padded);
    for (index, (from_start, expected)) in retold.into_iter().zip(reported).enumerate() {
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

/// Asserts that the policies agree up to and including the first contradiction.
fn policies_agree_until_the_first_revision(lines: &Lines) {
    if lines.options.bounds == Bounds::SmallDocument {
        // Kept text counts toward the limits.
        return;
    }
    let until_contradicted = |revision_policy| {
        let options = Options {
            revision_policy,
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
                let came = first.received().map(str::to_owned);
                let first = (
                    first.pointer().to_owned(),
                    first.kind(),
                    first.emitted().to_owned(),
                    came,
                );
                return (chunks, Some(first));
            }
            chunks.push(chunk);
        }
        (chunks, None)
    };
    let kept = until_contradicted(RevisionPolicy::Keep);
    let rejected = until_contradicted(RevisionPolicy::Reject);
    assert_eq!(kept, rejected, "left: kept, right: rejected");
    if !lines.double_a_name() {
        let restated = until_contradicted(RevisionPolicy::Restate);
        assert_eq!(kept, restated, "left: kept, right: restated");
    }
}

fn finished_machine_emits_nothing(lines: &Lines, chunker: &Chunker) {
    let mut chunker = chunker.clone();
    let ended = chunker.finish();
    assert_eq!(chunker.finish(), "", "it has ended before: {ended}");
    assert_eq!(chunker.held_count(), 0);
    if lines.snapshots.iter().any(|snapshot| !is_blank(snapshot)) && !ended.is_empty() {
        for reported in push_all(&mut chunker, &lines.snapshots) {
            let chunk = reported.chunk.unwrap_or_default();
            assert_eq!(chunk, "", "it has ended with {ended}");
        }
        assert_eq!(chunker.finish(), "");
    }
}

/// Asserts that a machine that is reset in any state behaves like a new one with the same options.
fn reset_restores_a_new_machine(
    lines: &Lines,
    mut used: Chunker,
    reported: &[PushResult],
    end: &str,
) {
    for _ in 0..2 {
        used.reset();
        assert_eq!(
            push_all(&mut used, &lines.snapshots),
            reported,
            "left: after a reset"
        );
        // The second reset is after `finish`.
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

/// Returns whether the snapshot is JSON with duplicate names.
fn doubles_a_name(snapshot: &str) -> bool {
    let read = |duplicates| read(without_bom(snapshot), duplicates);
    read(Duplicates::Rejected).is_err() && read(Duplicates::LastWins).is_ok()
}

fn without_bom(snapshot: &str) -> &str {
    snapshot.strip_prefix('\u{FEFF}').unwrap_or(snapshot)
}

#[derive(Default)]
struct Measured {
    /// The maximum depth.
    depth: usize,
    /// The length of the longest string, name or number.
    token_bytes: usize,
}

/// Measures a text, which is JSON or a prefix of it.
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
