//! Takes a screenshot of the live page at a given snapshot:
//! `cargo run --bin screenshot -- FILE WIDTH HEIGHT light|dark SNAPSHOT`.
//!
//! The one in the README is `examples/live/screenshot.png 1280 1032 light 44`, with its colors
//! reduced to 192 by another program.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use json_chunks_clients::Server;
use json_chunks_clients::browser::Page;
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, width, height, scheme, snapshots] = arguments.as_slice() else {
        panic!("usage: screenshot FILE WIDTH HEIGHT light|dark SNAPSHOTS");
    };
    let number = |text: &str| text.parse::<u32>().expect("it is a number");
    let server = Server::start("live", &["--delay", "60"]);
    let mut page = Page::open().await.expect("there is a browser");
    page.resize(number(width), number(height), number(width) < 600)
        .await;
    let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    page.call("Emulation.setEmulatedMedia", scheme).await;
    page.go(server.url()).await;
    let enough = format!(
        "new Promise((resolve) => {{
            const look = () => live.snapshots.length >= {} && resolve(live.source.close());
            document.addEventListener('live', look);
            look();
        }})",
        number(snapshots)
    );
    page.evaluate(&enough).await;
    let picture = json!({"format": "png", "captureBeyondViewport": number(width) < 600});
    let picture = page.call("Page.captureScreenshot", picture).await;
    let picture = picture["data"].as_str().expect("it is a picture");
    let picture = BASE64_STANDARD.decode(picture).expect("it is Base64");
    std::fs::write(file, picture).expect("the file can be written");
    println!("{:?}", page.complaints());
}
