//! Continues a truncated reply until it is complete.
//!
//! Run it with `cargo run --example continue_reply`.

#![allow(clippy::print_stdout, reason = "showing the loop is what it is for")]

use json_chunks::join::JoinOutcome;
use json_chunks::prompt::ContinuationPrompt;
use json_chunks::repair;
use json_chunks::stream::{ContinueEvent, continue_json};
use tokio_stream::StreamExt as _;

/// A stand-in for a model with a low limit of output tokens.
mod model {
    /// It stops inside of a word.
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
                // It repeats the truncated element, after a sentence about it.
                1 => Ok("Progress: 40%\n\
                    Sorry, I was cut off! Here is the rest:\n\n```json\n\
                    {\"title\": \"Morning drive\", \"stops\": [\"Seronera\", \"Moru Ko"
                    .to_owned()),
                2 => Err(Overloaded),
                // It continues at the exact byte, and completes the document.
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
    let ask = |continuation: ContinuationPrompt| {
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
            ContinueEvent::Reply { outcome, .. } => match outcome {
                JoinOutcome::Joined(join) => println!(
                    "  {} bytes more ({}, {})",
                    join.growth(),
                    join.kind().as_str(),
                    join.confidence().as_str()
                ),
                JoinOutcome::Ambiguous(candidates) => {
                    println!("  undecided: {} candidates", candidates.len());
                }
                JoinOutcome::Failed(failure) => println!("  not joined: {failure}"),
                _ => {}
            },
            ContinueEvent::Progress { percent, .. } => println!("  {percent} % of it"),
            ContinueEvent::Completed => println!("complete"),
            ContinueEvent::Stopped { reason, .. } => println!("incomplete: {reason}"),
            _ => {}
        }
    }
    // If it had stopped, `repair` would close the document.
    match repair(events.accumulator().text()) {
        Ok(repaired) => println!("{}", repaired.text()),
        Err(error) => println!("error: {error}"),
    }
}
