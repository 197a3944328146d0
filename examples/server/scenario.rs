//! A stand-in for models: replies as streams of pieces, in no dialect.
//!
//! Each way in which a reply can end is a model of its own, so that clients can be tried on it.

use std::fmt;
use std::time::Duration;

use futures::stream::{self, BoxStream, StreamExt as _};
use json_chunks::stream::SnapshotStreamExt as _;
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece, Usage};

/// The models, and their replies.
pub(crate) const MODELS: [(&str, &str); 8] = [
    (
        "kanazawa-1",
        "an object, or a call of a tool in the request",
    ),
    ("text", "text"),
    ("object", "the JSON text of an object"),
    (
        "tools",
        "text, and two parallel calls with interleaved arguments",
    ),
    ("length", "half an object, because of the limit of tokens"),
    ("length_call", "half a call, because of the limit of tokens"),
    ("error", "text, and then an error of the model"),
    ("lost", "text, and then the connection to the model is lost"),
];

/// The tokens of each request and each reply.
pub(crate) const USAGE: Usage = Usage::new(12, 34);

const TEXT: [&str; 3] = [
    "Three slow days ",
    "in Kanazawa (金沢), ",
    "mostly on foot.",
];

/// The connection to the model was lost.
#[derive(Debug)]
pub(crate) struct Lost;

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection to the model was lost")
    }
}

/// A reply as it arrives.
pub(crate) type Pieces = BoxStream<'static, Result<Piece, Lost>>;

/// Returns the reply of a model, one piece every `pace`, or `None` if there is no such model.
pub(crate) fn reply(model: &str, tool: Option<&str>, pace: Duration) -> Option<Pieces> {
    // The model returns growing snapshots of an object, which become chunks of its text.
    let snapshots = include_str!("../data/itinerary.jsonl").lines();
    let chunks = stream::iter(snapshots).json_chunks();

    let content: BoxStream<'static, Piece> = match (model, tool) {
        ("kanazawa-1", Some(tool)) => {
            let start = ToolCallDelta::new(0).id("call_1").name(tool);
            let arguments = chunks.map(|chunk| ToolCallDelta::new(0).arguments(chunk));
            stream::iter([start])
                .chain(arguments)
                .map(Piece::from)
                .boxed()
        }
        ("kanazawa-1" | "object", _) => chunks.map(Piece::from).boxed(),
        ("length", _) => chunks.take(30).map(Piece::from).boxed(),
        ("text", _) => stream::iter(TEXT).map(Piece::from).boxed(),
        ("error" | "lost", _) => stream::iter(TEXT).take(2).map(Piece::from).boxed(),
        ("tools", _) => {
            let calls = stream::iter(parallel_calls()).map(Piece::from);
            stream::iter(["Two ", "places."])
                .map(Piece::from)
                .chain(calls)
                .boxed()
        }
        ("length_call", _) => stream::iter(parallel_calls())
            .take(2)
            .map(Piece::from)
            .boxed(),
        _ => return None,
    };
    let end = match model {
        "error" => Some(Ok(Piece::Failed {
            code: "overloaded".to_owned(),
            message: "the model is overloaded".to_owned(),
        })),
        "lost" => Some(Err(Lost)),
        "length" | "length_call" => Some(Ok(Piece::Finish(Finish::Length))),
        // The end of the stream.
        _ => None,
    };
    let usage = stream::iter([Piece::Usage(USAGE)]);
    let pieces = content.chain(usage).map(Ok).chain(stream::iter(end));
    Some(tokio_stream::StreamExt::throttle(pieces, pace).boxed())
}

/// Two calls as an SDK streams them.
fn parallel_calls() -> [ToolCallDelta; 6] {
    [
        ToolCallDelta::new(0).id("call_1").name("find_place"),
        ToolCallDelta::new(0).arguments(r#"{"name":"Kenro"#),
        ToolCallDelta::new(1).id("call_2").name("find_place"),
        ToolCallDelta::new(1).arguments(r#"{"name":"Ōmichō"#),
        ToolCallDelta::new(0).arguments(r#"ku-en"}"#),
        ToolCallDelta::new(1).arguments(r#" market"}"#),
    ]
}
