//! Laws for producers that break the rules: snapshots that are not JSON, and snapshots that
//! contradict emitted text.

use json_chunks::{
    AbsentValues, Chunker, ErrorKind, Limits, MemberOrder, Parser, PartialPolicy, Revision,
    RevisionKind, RevisionPolicy,
};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};
use serde::de::IgnoredAny;

use json_chunks_testing::breaking::{contradicted, damaged};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read, read_prefix};
use json_chunks_testing::write::{Snapshots, Styles};
use json_chunks_testing::writing::{
    Fill, Producer, choice_bytes, documents, large_documents, many_choice_bytes, sample_snapshots,
    thin_out,
};

/// The snapshots of a growing document.
fn growing(document: &Json, source: &mut ByteSource<'_>) -> Vec<Json> {
    let growing_numbers = source.one_in(2);
    let fill = *source.choose(&[
        Fill::Nothing,
        Fill::Nothing,
        Fill::Null,
        Fill::NestedNull,
        Fill::Defaults,
    ]);
    let producer = Producer {
        growing_numbers,
        fill,
        in_order: source.one_in(2),
    };
    sample_snapshots(producer.steps(document, source), source)
}

/// Snapshots of two documents that replace each other, with random changes of single nodes.
fn contradictory(first: &Json, second: &Json, source: &mut ByteSource<'_>) -> Snapshots {
    let styles = Styles::any(source);
    let mut values = growing(first, source);
    if source.one_in(4) {
        values.extend(growing(second, source));
    }
    let values = contradicted(values, source);
    styles.write_all(values, source)
}

fn any_chunker(source: &mut ByteSource<'_>) -> Chunker {
    let growing_numbers = source.one_in(3);
    Chunker::new()
        .growing_numbers(growing_numbers)
        .absent_values(*source.choose(&[
            AbsentValues::Nothing,
            AbsentValues::Null,
            AbsentValues::Defaults,
        ]))
        .member_order(*source.choose(&[MemberOrder::Unknown, MemberOrder::Written]))
}

fn pointers(revisions: &[&Revision]) -> Vec<String> {
    let pointers = revisions.iter().map(|revision| revision.pointer());
    pointers.map(str::to_owned).collect()
}

/// The maximum length of a quoted text. It is cut before the first character that does not fit.
const QUOTED: usize = 16 << 10;

fn is_cut(quote: &str) -> bool {
    quote.len() > QUOTED - 4
}

/// Asserts that a revision quotes the snapshot and the output.
fn check(revision: &Revision, (snapshot, text): &(Json, String)) -> Result<(), TestCaseError> {
    let there = snapshot.at(revision.pointer());
    match revision.received() {
        None => prop_assert_eq!(revision.kind(), RevisionKind::Removed),
        Some(came) if is_cut(came) => {
            prop_assert!(came.len() <= QUOTED && text.contains(came));
            prop_assert!(there.is_some(), "nothing at {}", revision.pointer());
        }
        Some(came) => {
            let came = read(came, Duplicates::Rejected)
                .map_err(|why| TestCaseError::fail(format!("{why} in what came: {came}")))?;
            prop_assert_eq!(Some(&came), there, "at {}", revision.pointer());
        }
    }
    let emitted = revision.emitted();
    if emitted.is_empty() {
        // The member was held for its restatement and disappeared, so its last value was never
        // emitted.
        prop_assert_eq!(revision.kind(), RevisionKind::Removed);
    } else if is_cut(emitted) {
        prop_assert!(emitted.len() <= QUOTED);
    } else {
        let emitted = read_prefix(emitted, Duplicates::LastWins);
        prop_assert!(emitted.is_ok(), "{emitted:?} of what was put out");
    }
    Ok(())
}

fn keeps(chunker: Chunker, snapshots: &Snapshots) -> Result<(), TestCaseError> {
    let mut chunker = chunker.revision_policy(RevisionPolicy::Keep);
    let mut all = String::new();
    let mut revised = Vec::new();
    for snapshot in snapshots {
        chunker.push_into(&snapshot.1, &mut all).unwrap();
        if !all.is_empty() {
            read_prefix(&all, Duplicates::Rejected).map_err(TestCaseError::fail)?;
        }
        for revision in chunker.take_revisions() {
            check(&revision, snapshot)?;
            prop_assert!(!revision.is_restated());
            let pointer = revision.pointer().to_owned();
            prop_assert!(!revised.contains(&pointer), "{revision} comes twice");
            revised.push(pointer);
        }
    }
    chunker.finish_into(&mut all);
    let result = read(&all, Duplicates::Rejected)
        .map_err(|why| TestCaseError::fail(format!("{why} in {all}")))?;
    let (last, _) = snapshots.last().unwrap();
    prop_assert!(
        result.equals_except(last, &revised),
        "{all} instead of {last:?}, revised at {revised:?}, of {snapshots:#?}"
    );
    Ok(())
}

fn restates(chunker: Chunker, snapshots: &Snapshots) -> Result<(), TestCaseError> {
    let mut chunker = chunker.revision_policy(RevisionPolicy::Restate);
    let mut all = String::new();
    let mut revisions = Vec::new();
    for snapshot in snapshots {
        chunker.push_into(&snapshot.1, &mut all).unwrap();
        if !all.is_empty() {
            read_prefix(&all, Duplicates::LastWins).map_err(TestCaseError::fail)?;
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
    let (mended, left): (Vec<_>, Vec<_>) = revisions.iter().partition(|each| each.is_restated());
    let (mended, left) = (pointers(&mended), pointers(&left));
    prop_assert!(
        result.equals_except(last, &left),
        "{all} instead of {last:?}, mended at {mended:?}, not at {left:?}, of {snapshots:#?}"
    );
    let restated = read(&all, Duplicates::Rejected).is_err();
    prop_assert!(
        !restated || !mended.is_empty(),
        "restated for nothing: {all}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]

    /// An error changes neither the machine nor the output buffer, even if the snapshot contradicts
    /// emitted text before its invalid part.
    #[test]
    fn invalid_snapshot_changes_nothing(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let revision_policy = *source.choose(&[RevisionPolicy::Keep, RevisionPolicy::Restate]);
        let mut chunker = any_chunker(&mut source).revision_policy(revision_policy);
        let mut undisturbed = chunker.clone();
        let mut out = String::new();
        let snapshots = contradictory(&documents.0, &documents.1, &mut source);
        for (_, text) in &snapshots {
            while source.one_in(2) {
                let (_, other) = &snapshots[source.below(snapshots.len().min(256))];
                let damaged = damaged(other, &mut source);
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

    /// A rejected snapshot has no effect.
    #[test]
    fn rejected_revision_changes_nothing(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let mut chunker = any_chunker(&mut source).revision_policy(RevisionPolicy::Reject);
        let snapshots = contradictory(&documents.0, &documents.1, &mut source);
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
        // The first snapshot cannot contradict anything.
        let last = last.unwrap();
        prop_assert_eq!(&read(&all, Duplicates::Rejected), &Ok(last.clone()));
        prop_assert!(chunker.take_revisions().is_empty());
    }

    /// Emitted text is kept, contradictions are reported once, and everything else equals the last
    /// snapshot.
    #[test]
    fn kept_text_differs_only_at_reported_pointers(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let chunker = any_chunker(&mut source);
        keeps(chunker, &contradictory(&documents.0, &documents.1, &mut source))?;
    }

    /// Readers that use the last of two members end with the last snapshot, except at revisions
    /// that were not restated.
    #[test]
    fn restated_text_equals_last_snapshot(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let chunker = any_chunker(&mut source);
        restates(chunker, &contradictory(&documents.0, &documents.1, &mut source))?;
    }

    /// Without contradictions, the three policies give the same output.
    #[test]
    fn policies_agree_without_revisions(
        document in documents(),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let values = sample_snapshots(Producer::default().steps(&document, &mut source), &mut source);
        let mut chunkers = [RevisionPolicy::Keep, RevisionPolicy::Reject, RevisionPolicy::Restate]
            .map(|revision_policy| Chunker::new().revision_policy(revision_policy));
        for (_, text) in Styles::any(&mut source).write_all(values, &mut source) {
            let chunks = chunkers.each_mut().map(|chunker| chunker.push(&text));
            prop_assert_eq!(&chunks[0], &chunks[1]);
            prop_assert_eq!(&chunks[0], &chunks[2]);
        }
        let ends = chunkers.each_mut().map(Chunker::finish);
        prop_assert_eq!(&ends[0], &ends[1]);
        prop_assert_eq!(&ends[0], &ends[2]);
    }

    /// A reset machine behaves like a new one with the same options.
    #[test]
    fn reset_keeps_only_the_options(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let mut used = any_chunker(&mut source);
        let mut new = used.clone();
        for (_, text) in contradictory(&documents.0, &documents.1, &mut source) {
            used.push(&text).unwrap();
        }
        if source.one_in(2) {
            let _ = used.finish();
        }
        used.reset();
        prop_assert!(used.take_revisions().is_empty());
        let styles = Styles::any(&mut source);
        let values = growing(&documents.1, &mut source);
        for (_, text) in styles.write_all(values, &mut source) {
            prop_assert_eq!(used.push(&text), new.push(&text));
        }
        prop_assert_eq!(used.finish(), new.finish());
    }
}

/// Law 9: a parser that reads the chunks as they are emitted ends at the value of the text, and
/// says that it is complete when it has been terminated, and not before.
fn is_read_to_its_end(mut chunker: Chunker, snapshots: &Snapshots) -> Result<(), TestCaseError> {
    let mut parser = Parser::new();
    let mut all = String::new();
    for (_, text) in snapshots {
        let Ok(chunk) = chunker.push(text) else {
            continue;
        };
        let is_complete = parser.push(&chunk).unwrap().is_complete();
        all.push_str(&chunk);
        // A root number may continue until the end.
        let may_go_on = all.ends_with(|last: char| last.is_ascii_digit());
        let is_terminated = serde_json::from_str::<IgnoredAny>(&all).is_ok() && !may_go_on;
        prop_assert_eq!(is_complete, is_terminated, "{}", all);
    }
    let chunk = chunker.finish();
    parser.push(&chunk).unwrap();
    all.push_str(&chunk);
    prop_assert!(parser.finish().unwrap().is_complete(), "{all}");
    let shown = parser.root().unwrap().to_json(PartialPolicy::default());
    // Each name occurs once, so that all readers agree.
    let expected = read(&all, Duplicates::LastWins).map_err(TestCaseError::fail)?;
    prop_assert_eq!(read(&shown, Duplicates::Rejected), Ok(expected));
    Ok(())
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn every_policy_gives_json_to_the_end(
        documents in (documents(), documents()),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let chunker = any_chunker(&mut source);
        let snapshots = contradictory(&documents.0, &documents.1, &mut source);
        for policy in [RevisionPolicy::Keep, RevisionPolicy::Reject, RevisionPolicy::Restate] {
            is_read_to_its_end(chunker.clone().revision_policy(policy), &snapshots)?;
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// Repeated contradictions leave no visible garbage.
    #[test]
    fn alternating_documents_keep_the_laws(
        documents in (documents(), documents()),
        source in many_choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let chunker = any_chunker(&mut source);
        let styles = Styles::any(&mut source);
        let mut values = Vec::new();
        while values.len() < 150 {
            values.extend(growing(&documents.0, &mut source));
            values.extend(growing(&documents.1, &mut source));
        }
        let values = contradicted(values, &mut source);
        let snapshots = styles.write_all(values, &mut source);
        keeps(chunker.clone(), &snapshots)?;
        restates(chunker, &snapshots)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn contradicted_large_documents_keep_the_laws(
        document in large_documents(),
        source in many_choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let chunker = any_chunker(&mut source);
        let styles = Styles::any(&mut source);
        let values = thin_out(growing(&document, &mut source), 40);
        let values = contradicted(values, &mut source);
        let snapshots = styles.write_all(values, &mut source);
        keeps(chunker.clone(), &snapshots)?;
        restates(chunker, &snapshots)?;
    }
}

const ABYSS: usize = 100_000;

#[test]
fn endless_nesting_returns_error_at_the_limit() {
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
fn nesting_up_to_the_limit_is_accepted() {
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
