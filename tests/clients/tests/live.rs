//! The live page as its user sees it, in headless Chromium.

use std::collections::BTreeSet;

use json_chunks_clients::browser::Page;
use json_chunks_clients::{SNAPSHOTS, Server, last_snapshot};
use serde_json::{Value, json};

/// A run that pauses here until it is continued, so that tests can act in the middle of it on
/// machines of any speed. The first day is complete by then, and the second has started.
const MIDDLE: u64 = 45;

/// The server with its page loaded; `None` if there is no browser.
async fn open(arguments: &[&str]) -> Option<(Server, Page)> {
    let mut page = Page::open().await?;
    let server = Server::start("live", &[&["--delay", "5"], arguments].concat());
    page.go(server.url()).await;
    Some((server, page))
}

async fn open_to_the_middle() -> Option<(Server, Page)> {
    let (server, mut page) = open(&["--pause-at", &MIDDLE.to_string()]).await?;
    until(&mut page, "live.isPaused").await;
    assert_eq!(page.evaluate("live.snapshots.length").await, MIDDLE);
    Some((server, page))
}

/// Waits until a condition holds, which the page checks after each event of the server.
async fn until(page: &mut Page, condition: &str) {
    let promise = format!(
        "new Promise((resolve) => {{
            const look = () => {{ if ({condition}) resolve(true); }};
            document.addEventListener('live', look);
            look();
        }})"
    );
    assert_eq!(page.evaluate(&promise).await, true);
}

async fn until_the_end(page: &mut Page) {
    until(page, "live.state === 'done' || live.state === 'failed'").await;
    assert_eq!(page.evaluate("live.state").await, "done");
}

async fn click(page: &mut Page, button: &str) {
    page.evaluate(&format!("document.getElementById('{button}').click()"))
        .await;
}

async fn goes_on(page: &mut Page) {
    let url = "`/runs/${live.run}/continue`";
    let status = format!("fetch({url}, {{method: 'POST'}}).then((answer) => answer.status)");
    assert_eq!(page.evaluate(&status).await, 204);
}

/// Asserts the final state of the page: the entire stream, once and in order.
async fn assert_is_whole(page: &mut Page) {
    let last = last_snapshot();
    let days = last["days"].as_array().expect("there are days");

    let snapshots = page.evaluate("live.snapshots").await;
    let expected: Vec<&str> = SNAPSHOTS.lines().collect();
    assert_eq!(snapshots, json!(expected));
    let text = page
        .evaluate("document.getElementById('chunks').textContent")
        .await;
    let text = text.as_str().expect("it is a text");
    let value: Value = serde_json::from_str(text).expect("the chunks add up to JSON");
    assert_eq!(value, last);
    assert_eq!(
        page.evaluate("live.trip.entities.map((day) => day.data)")
            .await,
        last["days"]
    );

    // Events are numbered from 1 on; the last one only closes the stream.
    let ids = page
        .evaluate("live.events.map((id) => Number(id.split('-')[1]))")
        .await;
    let count = ids.as_array().map_or(0, Vec::len);
    assert_eq!(ids, json!((1..=count).collect::<Vec<_>>()));

    let cards = page
        .evaluate(
            "[...document.querySelectorAll('.card')].map((card) => [
                card.dataset.status,
                card.querySelector('.badge').textContent,
                card.querySelector('.subtitle').textContent,
                [...card.querySelectorAll('h4')].map((title) => title.textContent),
                [...card.querySelectorAll('.activities p')].map((text) => text.textContent),
            ])",
        )
        .await;
    let all_of = |day: &Value, name: &str| -> Value {
        let activities = day["activities"].as_array().expect("a day has activities");
        activities
            .iter()
            .map(|activity| activity[name].clone())
            .collect()
    };
    let expected = days.iter().map(|day| {
        json!([
            "COMPLETED",
            "Complete",
            day["subtitle"],
            all_of(day, "title"),
            all_of(day, "description")
        ])
    });
    assert_eq!(cards, expected.collect::<Value>());

    let progress = page
        .evaluate("document.querySelector('progress').position")
        .await;
    assert_eq!(progress.as_f64(), Some(1.0));
    assert_eq!(page.complaints(), [""; 0]);
}

#[tokio::test]
async fn the_page_ends_equal_to_the_last_snapshot() {
    let Some((_server, mut page)) = open(&[]).await else {
        return;
    };
    until_the_end(&mut page).await;
    assert_is_whole(&mut page).await;
    assert_eq!(page.evaluate("live.connections").await, 1);
}

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
async fn a_dropped_connection_loses_nothing() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    click(&mut page, "drop").await;
    until(&mut page, "live.state === 'lost'").await;
    // While the page is not connected.
    goes_on(&mut page).await;
    until_the_end(&mut page).await;
    assert_is_whole(&mut page).await;
    assert_eq!(page.evaluate("live.connections").await, 2);
}

#[tokio::test]
async fn a_page_that_is_loaded_again_resumes_its_run() {
    let Some((_server, mut page)) = open_to_the_middle().await else {
        return;
    };
    let run = page.evaluate("live.run").await;
    page.reload().await;
    until(&mut page, "live.isPaused").await;
    assert_eq!(page.evaluate("live.run").await, run);
    assert_eq!(page.evaluate("live.snapshots.length").await, MIDDLE);

    // While it runs, and after it has ended.
    goes_on(&mut page).await;
    for _ in 0..2 {
        page.reload().await;
        until_the_end(&mut page).await;
        assert_eq!(page.evaluate("live.run").await, run);
        assert_is_whole(&mut page).await;
    }
}

#[tokio::test]
async fn a_client_gets_the_events_behind_the_last_one_it_has_seen() {
    let Some((_server, mut page)) = open(&[]).await else {
        return;
    };
    until_the_end(&mut page).await;
    let names = async |page: &mut Page, seen: &str| {
        let url = "`/runs/${live.run}/events`";
        let events = format!(
            "fetch({url}, {{headers: {{'Last-Event-ID': {seen}}}}})
                .then((answer) => answer.text())
                .then((text) => text.match(/(?<=^event: ).*/gm))"
        );
        page.evaluate(&events).await
    };
    let last = "live.events.at(-1)";
    assert_eq!(names(&mut page, last).await, Value::Null);
    let last_but_one = "live.events.at(-2)";
    assert_eq!(names(&mut page, last_but_one).await, json!(["CLOSE"]));

    // The id of another run: the client has to drop its state.
    let all = names(&mut page, "'another-17'").await;
    let [first, rest @ ..] = all.as_array().expect("there are events").as_slice() else {
        panic!("there are no events");
    };
    assert_eq!(first, "restart");
    assert_eq!(page.evaluate("live.events.length").await, rest.len());
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
async fn a_run_that_is_gone_is_started_anew() {
    let Some((server, mut page)) = open_to_the_middle().await else {
        return;
    };
    page.go("about:blank").await;
    page.go(&format!("{}#no-such-run", server.url())).await;
    until(&mut page, "live.isPaused").await;
    assert_ne!(page.evaluate("location.hash").await, "#no-such-run");
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
    let order = "[...document.querySelectorAll('h2')].map((title) => title.textContent)";
    let trip = "Three slow days";
    assert_eq!(
        page.evaluate(order).await,
        json!(["Snapshots", "Chunks", trip])
    );
    page.resize(360, 740, true).await;
    assert_eq!(
        page.evaluate(order).await,
        json!([trip, "Snapshots", "Chunks"])
    );
    let title = "document.querySelector('.card h3').getBoundingClientRect().bottom";
    let title = page.evaluate(title).await.as_f64();
    assert!(title.is_some_and(|bottom| bottom < 600.0), "{title:?}");
    page.resize(1280, 900, false).await;
    assert_eq!(
        page.evaluate(order).await,
        json!(["Snapshots", "Chunks", trip])
    );
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
