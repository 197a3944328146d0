//! Tool calls: known by name early, and executed only when they are complete.
//!
//! Run it with `cargo run --example tool_calls`.

#![allow(clippy::print_stdout, reason = "showing the calls is what it is for")]

use json_chunks::stream::TryFragmentStreamExt as _;
use json_chunks::tool_call::{ToolCallEvent, ToolCallShape};
use serde::Deserialize;
use tokio_stream::{Stream, StreamExt as _};

/// A stand-in for the SDK of a model.
mod sdk {
    use std::fmt;

    #[derive(Debug)]
    pub(super) struct Delta {
        pub(super) text: &'static str,
    }

    #[derive(Debug)]
    pub(super) struct ConnectionLost;

    impl fmt::Display for ConnectionLost {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("connection lost")
        }
    }

    /// The pieces of a message in the shape of Anthropic's API.
    pub(super) const MESSAGE: [Result<Delta, ConnectionLost>; 11] = [
        Ok(Delta {
            text: r#"{"role":"assistant","content":["#,
        }),
        Ok(Delta {
            text: r#"{"type":"text","text":"Let me loo"#,
        }),
        Ok(Delta {
            text: r#"k."},{"type":"tool_use","id":"toolu_1","na"#,
        }),
        Ok(Delta {
            text: r#"me":"read_file","#,
        }),
        Ok(Delta {
            text: r#""input":{"path":"/src/"#,
        }),
        Ok(Delta {
            text: r#"lib.rs","lines"#,
        }),
        Ok(Delta { text: r#"":40}}"# }),
        Ok(Delta {
            text: r#",{"type":"tool_use","id":"toolu_2","name":"remove_"#,
        }),
        Ok(Delta {
            text: r#"file","input":{"path":"/"#,
        }),
        // Closing this truncated text would give a complete call, and an expensive one.
        Err(ConnectionLost),
        Ok(Delta { text: "" }),
    ];
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only shown")]
struct ReadFile {
    path: String,
    lines: u32,
}

fn model() -> impl Stream<Item = Result<&'static str, sdk::ConnectionLost>> {
    tokio_stream::iter(sdk::MESSAGE).map(|delta| delta.map(|delta| delta.text))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut events = model().try_tool_calls(ToolCallShape::anthropic());
    while let Some(next) = events.next().await {
        match next {
            Ok(ToolCallEvent::Started { name, .. }) => println!("about to call {name}"),
            Ok(ToolCallEvent::ArgumentsDelta { delta, .. }) => println!("  {delta}"),
            Ok(ToolCallEvent::Completed(call)) => match call.deserialize::<ReadFile>() {
                Ok(arguments) => println!("calling {} with {arguments:?}", call.name()),
                Err(error) => println!("not calling {}: {error}", call.name()),
            },
            Ok(ToolCallEvent::Failed { error, .. }) => println!("not calling it: {error}"),
            Ok(_) => {}
            Err(error) => println!("error: {error}"),
        }
    }
}
