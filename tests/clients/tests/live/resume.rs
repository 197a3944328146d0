//! Events that are received once and in order, whatever becomes of the connection.

use json_chunks_clients::Server;
use json_chunks_clients::browser::Page;
use json_chunks_clients::hosts::{Balancer, Redis};
use serde_json::{Value, json};

use crate::page::{
    MIDDLE, assert_is_whole, click, goes_on, open, open_to_the_middle, until, until_the_end,
};

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
async fn a_run_that_is_gone_is_started_anew() {
    let Some((server, mut page)) = open_to_the_middle().await else {
        return;
    };
    page.go("about:blank").await;
    page.go(&format!("{}#no-such-run", server.url())).await;
    until(&mut page, "live.isPaused").await;
    assert_ne!(page.evaluate("location.hash").await, "#no-such-run");
}

/// Two processes at one address share a log in Redis. The one that writes is killed.
#[tokio::test]
async fn a_page_survives_the_death_of_its_process() {
    let Some(redis) = Redis::start() else {
        return;
    };
    let Some(mut page) = Page::open().await else {
        return;
    };
    let url = redis.url();
    let arguments = ["--redis", &url, "--delay", "40"];
    let [first, second] = [(); 2].map(|()| Server::start_with_redis("live", &arguments));
    let both = Balancer::start(&[first.url(), second.url()]).await;
    page.go(both.url()).await;
    until(&mut page, "live.snapshots.length >= 20").await;
    drop(first);

    until(&mut page, "live.state === 'lost'").await;
    assert_ne!(page.evaluate("live.snapshots.length").await, 80);
    until_the_end(&mut page).await;
    let broken_off = "net::ERR_INCOMPLETE_CHUNKED_ENCODING";
    let complaints = page.take_complaints();
    assert!(
        complaints.iter().all(|why| why.contains(broken_off)),
        "{complaints:?}"
    );
    assert_is_whole(&mut page).await;
    assert_eq!(page.evaluate("live.connections").await, 2);

    // The other process has all of it, too.
    let run = page.evaluate("live.run").await;
    page.reload().await;
    until_the_end(&mut page).await;
    assert_eq!(page.evaluate("live.run").await, run);
    assert_is_whole(&mut page).await;
}
