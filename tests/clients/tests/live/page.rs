//! The page in a browser, and what every test asks of it.

use json_chunks_clients::browser::Page;
use json_chunks_clients::{SNAPSHOTS, Server, last_snapshot};
use serde_json::{Value, json};

/// A run that pauses here until it is continued, so that tests can act in the middle of it on
/// machines of any speed. The first day is complete by then, and the second has started.
pub(crate) const MIDDLE: u64 = 45;

/// The server with its page loaded; `None` if there is no browser.
pub(crate) async fn open(arguments: &[&str]) -> Option<(Server, Page)> {
    let mut page = Page::open().await?;
    let server = Server::start("live", &[&["--delay", "5"], arguments].concat());
    page.go(server.url()).await;
    Some((server, page))
}

pub(crate) async fn open_to_the_middle() -> Option<(Server, Page)> {
    let (server, mut page) = open(&["--pause-at", &MIDDLE.to_string()]).await?;
    until(&mut page, "live.isPaused").await;
    assert_eq!(page.evaluate("live.snapshots.length").await, MIDDLE);
    Some((server, page))
}

/// Waits until a condition holds, which the page checks after each event of the server.
pub(crate) async fn until(page: &mut Page, condition: &str) {
    let promise = format!(
        "new Promise((resolve) => {{
            const look = () => {{ if ({condition}) resolve(true); }};
            document.addEventListener('live', look);
            look();
        }})"
    );
    assert_eq!(page.evaluate(&promise).await, true);
}

pub(crate) async fn until_the_end(page: &mut Page) {
    until(page, "live.state === 'done' || live.state === 'failed'").await;
    assert_eq!(page.evaluate("live.state").await, "done");
}

pub(crate) async fn click(page: &mut Page, button: &str) {
    page.evaluate(&format!("document.getElementById('{button}').click()"))
        .await;
}

pub(crate) async fn goes_on(page: &mut Page) {
    let url = "`/runs/${live.run}/continue`";
    let status = format!("fetch({url}, {{method: 'POST'}}).then((answer) => answer.status)");
    assert_eq!(page.evaluate(&status).await, 204);
}

/// Asserts the final state of the page: the entire stream, once and in order.
pub(crate) async fn assert_is_whole(page: &mut Page) {
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
    let ids = page.evaluate("live.events.map(Number)").await;
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
