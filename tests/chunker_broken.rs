//! What holds for producers that break the rules: snapshots that are no JSON, and snapshots that
//! contradict what was already put out.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::{Chunker, ErrorKind, Limits, OnRevision, Revision, RevisionKind};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};

use support::breaking::{contradicted, damaged};
use support::config;
use support::json::Json;
use support::read::{Duplicates, read, read_so_far};
use support::tape::Tape;
use support::write::{Hand, Snapshots};
use support::writing::{Producer, documents, fewer, large_documents, long_tapes, some_of, tapes};

/// A stream of values that grow from nothing to the document.
fn growing(document: &Json, tape: &mut Tape<'_>) -> Vec<Json> {
    let growing_numbers = tape.once_in(2);
    let null_filled = tape.once_in(4);
    let producer = Producer {
        growing_numbers,
        null_filled,
    };
    some_of(producer.steps(document, tape), tape)
}

/// A stream in which one document replaces another, and single nodes change as they like.
fn contradictory(first: &Json, second: &Json, tape: &mut Tape<'_>) -> Snapshots {
    let hand = Hand::any(tape);
    let mut values = growing(first, tape);
    if tape.once_in(4) {
        values.extend(growing(second, tape));
    }
    let values = contradicted(values, tape);
    hand.write_all(values, tape)
}

fn any_chunker(tape: &mut Tape<'_>) -> Chunker {
    let growing_numbers = tape.once_in(3);
    let null_is_absent = tape.once_in(3);
    Chunker::new()
        .growing_numbers(growing_numbers)
        .null_is_absent(null_is_absent)
}

fn pointers(revisions: &[&Revision]) -> Vec<String> {
    let pointers = revisions.iter().map(|revision| revision.pointer());
    pointers.map(str::to_owned).collect()
}

/// Reports quote no more than this; the last character that does not fit is left out.
const QUOTED: usize = 16 << 10;

fn is_cut(quote: &str) -> bool {
    quote.len() > QUOTED - 4
}

/// What a revision says about itself is what the snapshot and the output say.
fn check(revision: &Revision, (snapshot, text): &(Json, String)) -> Result<(), TestCaseError> {
    let there = snapshot.at(revision.pointer());
    match revision.came() {
        None => prop_assert_eq!(revision.kind(), RevisionKind::Removed),
        Some(came) if is_cut(came) => {
            prop_assert!(came.len() <= QUOTED && text.contains(came));
            prop_assert!(there.is_some(), "nothing at {}", revision.pointer());
        }
        Some(came) => {
            let came = read(came, Duplicates::Refused)
                .map_err(|why| TestCaseError::fail(format!("{why} in what came: {came}")))?;
            prop_assert_eq!(Some(&came), there, "at {}", revision.pointer());
        }
    }
    let put_out = revision.put_out();
    if put_out.is_empty() {
        // It was to be restated and vanished before: what it is now was never put out.
        prop_assert_eq!(revision.kind(), RevisionKind::Removed);
    } else if is_cut(put_out) {
        prop_assert!(put_out.len() <= QUOTED);
    } else {
        let put_out = read_so_far(put_out, Duplicates::LastWins);
        prop_assert!(put_out.is_ok(), "{put_out:?} of what was put out");
    }
    Ok(())
}

fn keeps(chunker: Chunker, snapshots: &Snapshots) -> Result<(), TestCaseError> {
    let mut chunker = chunker.on_revision(OnRevision::Keep);
    let mut all = String::new();
    let mut revised = Vec::new();
    for snapshot in snapshots {
        chunker.push_into(&snapshot.1, &mut all).unwrap();
        if !all.is_empty() {
            read_so_far(&all, Duplicates::Refused).map_err(TestCaseError::fail)?;
        }
        for revision in chunker.take_revisions() {
            check(&revision, snapshot)?;
            prop_assert!(!revision.is_mended());
            let pointer = revision.pointer().to_owned();
            prop_assert!(!revised.contains(&pointer), "{revision} comes twice");
            revised.push(pointer);
        }
    }
    chunker.finish_into(&mut all);
    let result = read(&all, Duplicates::Refused)
        .map_err(|why| TestCaseError::fail(format!("{why} in {all}")))?;
    let (last, _) = snapshots.last().unwrap();
    prop_assert!(
        result.equals_except(last, &revised),
        "{all} instead of {last:?}, revised at {revised:?}, of {snapshots:#?}"
    );
    Ok(())
}

fn restates(chunker: Chunker, snapshots: &Snapshots) -> Result<(), TestCaseError> {
    let mut chunker = chunker.on_revision(OnRevision::Restate);
    let mut all = String::new();
    let mut revisions = Vec::new();
    for snapshot in snapshots {
        chunker.push_into(&snapshot.1, &mut all).unwrap();
        if !all.is_empty() {
            read_so_far(&all, Duplicates::LastWins).map_err(TestCaseError::fail)?;
        }
        for revision in chunker.take_revisions() {
            check(&revision, snapshot)?;
            revisions.push(revision);
        }
    }
    chunker.finish_into(&mut all);
    let result = read(&all, Duplicates::LastWins)
        .map_err(|why| TestCaseError::fail(format!("{why} in {all}")))?;
    let (last, _) = snapshots.last().unwrap();
    let (mended, left): (Vec<_>, Vec<_>) = revisions.iter().partition(|each| each.is_mended());
    let (mended, left) = (pointers(&mended), pointers(&left));
    prop_assert!(
        result.equals_except(last, &left),
        "{all} instead of {last:?}, mended at {mended:?}, not at {left:?}, of {snapshots:#?}"
    );
    let restated = read(&all, Duplicates::Refused).is_err();
    prop_assert!(
        !restated || !mended.is_empty(),
        "restated for nothing: {all}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]

    /// An error leaves nothing behind, neither in the machine nor in the text handed in; not even
    /// if the same snapshot contradicts what was put out before it turns out to be no JSON.
    #[test]
    fn what_is_no_json_leaves_no_trace(
        documents in (documents(), documents()),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let on_revision = *tape.one_of(&[OnRevision::Keep, OnRevision::Restate]);
        let mut chunker = any_chunker(&mut tape).on_revision(on_revision);
        let mut undisturbed = chunker.clone();
        let mut out = String::new();
        let snapshots = contradictory(&documents.0, &documents.1, &mut tape);
        for (_, text) in &snapshots {
            while tape.once_in(2) {
                let (_, other) = &snapshots[tape.below(snapshots.len().min(256))];
                let damaged = damaged(other, &mut tape);
                if damaged.trim_ascii().is_empty() {
                    break;
                }
                if read(&damaged, Duplicates::LastWins).is_ok() {
                    prop_assert!(chunker.clone().push(&damaged).is_ok(), "{damaged} is JSON");
                    continue;
                }
                let before = out.clone();
                let Err(error) = chunker.push_into(&damaged, &mut out) else {
                    return Err(TestCaseError::fail(format!("{damaged} is not JSON")));
                };
                prop_assert!(error.is_syntax() || error.kind() == ErrorKind::TooDeep);
                prop_assert!(error.offset() <= damaged.len(), "{error} in {damaged}");
                prop_assert_eq!(&out, &before);
                prop_assert_eq!(chunker.clone().finish(), undisturbed.clone().finish());
            }
            let expected = undisturbed.push(text).unwrap();
            let start = out.len();
            chunker.push_into(text, &mut out).unwrap();
            prop_assert_eq!(out.get(start..), Some(expected.as_str()));
            prop_assert_eq!(chunker.take_revisions(), undisturbed.take_revisions());
        }
        prop_assert_eq!(chunker.finish(), undisturbed.finish());
    }

    /// A rejected snapshot is as if it had never come.
    #[test]
    fn what_is_rejected_leaves_no_trace(
        documents in (documents(), documents()),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let mut chunker = any_chunker(&mut tape).on_revision(OnRevision::Reject);
        let snapshots = contradictory(&documents.0, &documents.1, &mut tape);
        let mut undisturbed = chunker.clone();
        let mut all = String::new();
        let mut last = None;
        for snapshot in &snapshots {
            let (value, text) = snapshot;
            let before = all.clone();
            match chunker.push_into(text, &mut all) {
                Ok(()) => {
                    last = Some(value);
                    let chunk = undisturbed.push(text).map_err(|error| {
                        TestCaseError::fail(format!("{error} only where nothing was rejected"))
                    })?;
                    prop_assert_eq!(&all, &(before + &chunk));
                }
                Err(error) => {
                    prop_assert_eq!(&all, &before);
                    prop_assert_eq!(error.kind(), ErrorKind::Revision);
                    prop_assert!(error.offset() <= text.len());
                    check(error.revision().unwrap(), snapshot)?;
                    prop_assert_eq!(chunker.clone().finish(), undisturbed.clone().finish());
                }
            }
        }
        chunker.finish_into(&mut all);
        // The first snapshot has nothing to contradict.
        let last = last.unwrap();
        prop_assert_eq!(&read(&all, Duplicates::Refused), &Ok(last.clone()));
        prop_assert!(chunker.take_revisions().is_empty());
    }

    /// What was put out stays, is reported once, and everything else is as in the last snapshot.
    #[test]
    fn what_is_kept_is_all_that_differs(
        documents in (documents(), documents()),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let chunker = any_chunker(&mut tape);
        keeps(chunker, &contradictory(&documents.0, &documents.1, &mut tape))?;
    }

    /// Readers to whom the last of two members counts end up with the last snapshot, but for what
    /// is reported as not mended.
    #[test]
    fn what_is_restated_is_mended(
        documents in (documents(), documents()),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let chunker = any_chunker(&mut tape);
        restates(chunker, &contradictory(&documents.0, &documents.1, &mut tape))?;
    }

    /// Where nothing is contradicted, the three ways to treat contradictions are one.
    #[test]
    fn without_revisions_their_treatment_does_not_matter(
        document in documents(),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let values = some_of(Producer::default().steps(&document, &mut tape), &mut tape);
        let mut chunkers = [OnRevision::Keep, OnRevision::Reject, OnRevision::Restate]
            .map(|on_revision| Chunker::new().on_revision(on_revision));
        for (_, text) in Hand::any(&mut tape).write_all(values, &mut tape) {
            let chunks = chunkers.each_mut().map(|chunker| chunker.push(&text));
            prop_assert_eq!(&chunks[0], &chunks[1]);
            prop_assert_eq!(&chunks[0], &chunks[2]);
        }
        let ends = chunkers.each_mut().map(Chunker::finish);
        prop_assert_eq!(&ends[0], &ends[1]);
        prop_assert_eq!(&ends[0], &ends[2]);
    }

    /// A machine that was reset is a new one with the same options.
    #[test]
    fn reset_forgets_everything_but_the_options(
        documents in (documents(), documents()),
        tape in tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let mut used = any_chunker(&mut tape);
        let mut new = used.clone();
        for (_, text) in contradictory(&documents.0, &documents.1, &mut tape) {
            used.push(&text).unwrap();
        }
        if tape.once_in(2) {
            let _ = used.finish();
        }
        used.reset();
        prop_assert!(used.take_revisions().is_empty());
        let hand = Hand::any(&mut tape);
        let values = growing(&documents.1, &mut tape);
        for (_, text) in hand.write_all(values, &mut tape) {
            prop_assert_eq!(used.push(&text), new.push(&text));
        }
        prop_assert_eq!(used.finish(), new.finish());
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// What is contradicted over and over leaves no garbage that would show.
    #[test]
    fn two_documents_that_replace_each_other(
        documents in (documents(), documents()),
        tape in long_tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let chunker = any_chunker(&mut tape);
        let hand = Hand::any(&mut tape);
        let mut values = Vec::new();
        while values.len() < 150 {
            values.extend(growing(&documents.0, &mut tape));
            values.extend(growing(&documents.1, &mut tape));
        }
        let values = contradicted(values, &mut tape);
        let snapshots = hand.write_all(values, &mut tape);
        keeps(chunker.clone(), &snapshots)?;
        restates(chunker, &snapshots)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn large_documents_that_are_contradicted(
        document in large_documents(),
        tape in long_tapes(),
    ) {
        let mut tape = Tape::new(&tape);
        let chunker = any_chunker(&mut tape);
        let hand = Hand::any(&mut tape);
        let values = fewer(growing(&document, &mut tape), 40);
        let values = contradicted(values, &mut tape);
        let snapshots = hand.write_all(values, &mut tape);
        keeps(chunker.clone(), &snapshots)?;
        restates(chunker, &snapshots)?;
    }
}

const ABYSS: usize = 100_000;

#[test]
fn nesting_without_bottom_is_refused_at_the_limit() {
    let mut chunker = Chunker::new();
    chunker.push(r#"{"a":"x"}"#).unwrap();
    let limit = 128;
    for (opening, closing) in [("[", "]"), (r#"{"a":"#, "}")] {
        for closed in [0, ABYSS] {
            let abyss = opening.repeat(ABYSS) + "1" + &closing.repeat(closed);
            let error = chunker.push(&abyss).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TooDeep, "{opening}");
            assert_eq!(error.offset(), opening.len() * limit, "{opening}");
        }
    }
    assert_eq!(chunker.push(r#"{"a":"xy"}"#).unwrap(), "y");
}

#[test]
fn nesting_as_deep_as_the_limit_is_taken() {
    let levels = 3000;
    let deep = |bottom: &str| r#"{"a":["#.repeat(levels / 2) + bottom + &"]}".repeat(levels / 2);
    let limits = Limits::default().max_depth(u32::try_from(levels).unwrap());
    let mut chunker = Chunker::new().limits(limits);
    let mut all = chunker.push(&deep(r#""x""#)).unwrap();
    assert_eq!(all, r#"{"a":["#.repeat(levels / 2) + "\"x");
    all += &chunker.push(&deep(r#""xyz""#)).unwrap();
    let error = chunker.push(&deep("[]")).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::TooDeep, 3 * levels)
    );
    all += &chunker.finish();
    assert_eq!(all, deep(r#""xyz""#));
}
