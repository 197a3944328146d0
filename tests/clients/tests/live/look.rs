//! What the page shows, to whom, and on what screen.

use std::collections::BTreeSet;

use json_chunks_clients::SNAPSHOTS;
use json_chunks_clients::browser::Page;
use serde_json::json;

use crate::page::{
    MIDDLE, assert_is_whole, click, goes_on, open, open_to_the_middle, until, until_the_end,
};

#[tokio::test]
async fn cards_are_partial_before_they_are_complete() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    let badges = "[...document.querySelectorAll('.badge')].map((badge) => badge.textContent)";
    assert_eq!(page.evaluate(badges).await, json!(["Complete", "Partial"]));
    let progress = "document.querySelector('progress').position";
    let progress = page.evaluate(progress).await;
    let snapshots = SNAPSHOTS.lines().count();
    assert_eq!(progress.as_f64(), Some(MIDDLE as f64 / snapshots as f64));

    click(&mut page, "pause").await;
    until_the_end(&mut page).await;
    assert_is_whole(&mut page).await;
}

#[tokio::test]
async fn it_pauses_and_starts_again_by_keyboard_alone() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    page.resize(1280, 900, false).await;
    let focused =
        "[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]";
    for id in [
        "link",
        "again",
        "pause",
        "drop",
        "snapshots",
        "chunks",
        "days",
    ] {
        page.press("Tab", 9).await;
        assert_eq!(page.evaluate(focused).await, json!([id, "solid"]));
    }

    page.evaluate("document.getElementById('pause').focus()")
        .await;
    page.press("Enter", 13).await;
    until_the_end(&mut page).await;
    assert_eq!(page.evaluate("document.activeElement.id").await, "pause");

    let before = page.evaluate("live.run").await;
    page.evaluate("document.getElementById('again').focus()")
        .await;
    page.press("Enter", 13).await;
    until(
        &mut page,
        &format!("live.run !== {before} && live.isPaused"),
    )
    .await;
    assert_eq!(page.evaluate("live.snapshots.length").await, MIDDLE);
}

#[tokio::test]
async fn a_phone_has_nothing_to_scroll_sideways() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    page.resize(360, 740, true).await;
    assert_fits(&mut page).await;
    goes_on(&mut page).await;
    until_the_end(&mut page).await;
    assert_fits(&mut page).await;
}

#[tokio::test]
async fn a_phone_shows_the_trip_first() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    page.resize(1280, 900, false).await;
    until_titles_are(&mut page, ["Snapshots", "Chunks", "Three slow days"]).await;
    page.resize(360, 740, true).await;
    until_titles_are(&mut page, ["Three slow days", "Snapshots", "Chunks"]).await;
    let title = "document.querySelector('.card h3').getBoundingClientRect().bottom";
    let title = page.evaluate(title).await.as_f64();
    assert!(title.is_some_and(|bottom| bottom < 600.0), "{title:?}");
    page.resize(1280, 900, false).await;
    until_titles_are(&mut page, ["Snapshots", "Chunks", "Three slow days"]).await;
}

/// Waits until the sections are in this order, which the page changes with its next frame.
async fn until_titles_are(page: &mut Page, titles: [&str; 3]) {
    let order = format!(
        "new Promise((resolve) => {{
            const titles = () => [...document.querySelectorAll('h2')].map((title) => title.textContent);
            const look = () => {{
                if (String(titles()) === {}) resolve(true); else requestAnimationFrame(look);
            }};
            look();
        }})",
        json!(titles.join(","))
    );
    assert_eq!(page.evaluate(&order).await, true);
}

#[tokio::test]
async fn the_page_compares_bytes_of_snapshots_with_bytes_of_chunks() {
    let Some((_server, mut page)) = open(&[]).await else {
        return;
    };
    until_the_end(&mut page).await;
    let received: usize = SNAPSHOTS.lines().map(str::len).sum();
    let sent = "new TextEncoder().encode(live.text).length";
    let sent = page.evaluate(sent).await.as_f64().expect("it is a number");
    let received = received as f64;
    let text = "['received', 'sent', 'point'].map((id) => document.getElementById(id).textContent)";
    assert_eq!(
        page.evaluate(text).await,
        json!([
            format!("{:.1} kB", received / 1000.0),
            format!("{:.1} kB", sent / 1000.0),
            format!(
                "{:.0} times fewer bytes for the same value",
                received / sent
            ),
        ])
    );
    let bars = "[...document.querySelectorAll('.bar')].map((bar) => bar.style.width)";
    let bars = page.evaluate(bars).await;
    assert_eq!(bars[0], "100%");
    let share = bars[1].as_str().and_then(|width| width.strip_suffix('%'));
    let share: f64 = share.and_then(|share| share.parse().ok()).expect("a share");
    assert!((share - 100.0 * sent / received).abs() < 0.1, "{share}");
}

async fn assert_fits(page: &mut Page) {
    let outside = "[...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > 360)
        .map((element) => element.outerHTML.slice(0, 80))";
    assert_eq!(page.evaluate(outside).await, json!([]));
    let width = "document.documentElement.scrollWidth";
    assert_eq!(page.evaluate(width).await, 360);
    let columns = "new Set([...document.querySelectorAll('section')]
        .map((section) => section.getBoundingClientRect().left)).size";
    assert_eq!(page.evaluate(columns).await, 1);
}

#[tokio::test]
async fn what_a_screen_reader_finds_has_names() {
    let Some((_server, mut page)) = open(&[]).await else {
        return;
    };
    until_the_end(&mut page).await;
    let tree = page.call("Accessibility.getFullAXTree", json!({})).await;
    let nodes = tree["nodes"].as_array().expect("there is a tree");
    let found: BTreeSet<(&str, &str)> = nodes
        .iter()
        .filter(|node| node["ignored"] == false)
        .filter_map(|node| {
            Some((
                node["role"]["value"].as_str()?,
                node["name"]["value"].as_str()?,
            ))
        })
        .collect();
    for expected in [
        ("RootWebArea", "JSON in flight"),
        ("banner", ""),
        ("main", ""),
        ("contentinfo", ""),
        ("heading", "JSON in flight"),
        ("region", "Snapshots"),
        ("region", "Chunks"),
        ("region", "Three slow days"),
        ("heading", "Day 1 Arrival and the Garden of Six Qualities"),
        ("heading", "Kenroku-en (兼六園)"),
        ("progressbar", "Progress"),
        ("button", "Start again"),
        ("button", "Pause"),
        ("button", "Drop the connection"),
        ("link", "json-chunks"),
    ] {
        assert!(
            found.contains(&expected),
            "{expected:?} is not in {found:#?}"
        );
    }
    let nameless = ["region", "button", "progressbar", "heading", "link"];
    for role in nameless {
        assert!(!found.contains(&(role, "")), "a {role} has no name");
    }

    // There is one live region, which announces the state of the run rather than every character.
    let speaking = "[...document.querySelectorAll(`
        [aria-live]:not([aria-live=off]), output:not([aria-live=off]),
        [role=status], [role=alert], [role=log]`)].map((element) => element.id)";
    assert_eq!(page.evaluate(speaking).await, json!(["status"]));
    let status = page
        .evaluate("document.getElementById('status').textContent")
        .await;
    assert_eq!(status, "Complete. The chunks equal the last snapshot.");
}
