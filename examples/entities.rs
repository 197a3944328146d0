//! Yields the colors of a reply one by one while it arrives, also as server-sent events.
//!
//! Run it with `cargo run --features axum --example entities`.

#![allow(clippy::print_stdout, reason = "showing what comes is what it is for")]

use std::convert::Infallible;
use std::error::Error;

use axum::response::IntoResponse as _;
use axum::response::sse::{Event, Sse};
use futures::{Stream, StreamExt as _, stream};
use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode};
use json_chunks::stream::{FragmentStreamExt as _, SseStreamExt as _};
use json_chunks::value::RawJson;
use serde::Deserialize;

/// The reply of a model.
const REPLY: [&str; 5] = [
    "{\"title\": \"Two violets\", \"colors\": [{\"hex\": \"#94",
    "00D3\", \"name\": \"Dark Vio",
    "let\"}, {\"hex\": \"#8B00FF\"}, {\"name\": \"Plum\"}",
    ", {\"hex\": \"#EE82EE\", \"name\": \"Vio",
    "let\"}]}",
];

#[derive(Debug, Deserialize)]
struct Color {
    hex: String,
    name: Option<String>,
}

/// The body of an axum handler.
fn body(
    events: impl Stream<Item = EntityEvent> + Send + 'static,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    Sse::new(events.sse().map(|event| Ok(event.into())))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // As a custom type: the third color has no `hex`, so it is an error; the fourth follows
    // nevertheless.
    let colors = EntityDetector::new(EntityMode::Realtime).named("colors");
    let mut events = stream::iter(REPLY).json_entities::<Color>(colors.clone());
    while let Some(event) = events.next().await {
        let index = event.index.unwrap_or_default();
        match (event.data, event.error) {
            (Some(Color { hex, name }), _) => {
                println!(
                    "{index} {}: {hex} {}",
                    event.status,
                    name.unwrap_or_default()
                );
            }
            (None, error) => {
                println!(
                    "{index} {}: {}",
                    event.status,
                    error.map_or(String::new(), |e| e.message)
                );
            }
        }
    }

    println!("\nAs server-sent events:\n");
    let events = stream::iter(REPLY).json_entities::<RawJson>(colors);
    let response = body(events).into_response();
    let text = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
    print!("{}", String::from_utf8_lossy(&text));
    Ok(())
}
