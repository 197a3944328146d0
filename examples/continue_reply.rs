//! A reply that was cut off is gone on with until it is whole.
//!
//! Run it with `cargo run --example continue_reply`.

#![allow(clippy::print_stdout, reason = "showing the loop is what it is for")]

use json_chunks::{Continuation, ContinueEvent, continue_json, repair};
use tokio_stream::StreamExt as _;

/// Stands for a model that writes no more than some tokens at a time.
mod model {
    /// It stops in the midst of a word.
    pub(super) const FIRST: &str = "```json\n\
        {\"trip\": \"Serengeti\", \"days\": [{\"title\": \"Arrival\"}, {\"title\": \"Morning dr";

    #[derive(Debug)]
    pub(super) struct Overloaded;

    #[derive(Debug, Default)]
    pub(super) struct Model {
        calls: usize,
    }

    impl Model {
        pub(super) fn ask(&mut self, _prompt: &str) -> Result<String, Overloaded> {
            self.calls += 1;
            match self.calls {
                // It repeats the element that it was cut off in, and talks about it.
                1 => Ok("Progress: 40%\n\
                    Sorry, I was cut off! Here is the rest:\n\n```json\n\
                    {\"title\": \"Morning drive\", \"stops\": [\"Seronera\", \"Moru Ko"
                    .to_owned()),
                2 => Err(Overloaded),
                // It goes on at the very byte, and ends.
                _ => Ok("Progress: 85%\n\
                    pjes\"]}, {\"title\": \"Departure\"}]}\n```"
                    .to_owned()),
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut model = model::Model::default();
    let ask = |continuation: Continuation| {
        let prompt = continuation.to_prompt(2000);
        for line in prompt.lines() {
            println!("  > {line}");
        }
        std::future::ready(model.ask(&prompt))
    };
    let mut events = continue_json(model::FIRST, ask).max_calls(5);
    while let Some(event) = events.next().await {
        match event {
            ContinueEvent::CallStarted { call, .. } => println!("call {call}"),
            ContinueEvent::CallFailed { error, .. } => println!("  no reply: {error:?}"),
            ContinueEvent::Joined { join, .. } => println!(
                "  {} bytes more ({}, {})",
                join.growth(),
                join.kind().name(),
                join.certainty().name()
            ),
            ContinueEvent::Progress { percent, .. } => println!("  {percent} % of it"),
            ContinueEvent::Completed => println!("complete"),
            ContinueEvent::Stopped { reason, .. } => println!("incomplete: {reason}"),
            _ => {}
        }
    }
    // Had it stopped, this would close what is open.
    match repair(events.accumulator().text()) {
        Ok(repaired) => println!("{}", repaired.text()),
        Err(error) => println!("error: {error}"),
    }
}
