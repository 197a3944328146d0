//! The example server, read by clients from npm.

use json_chunks_clients::Server;
use json_chunks_clients::node::{Node, Versions};
use json_chunks_clients::outcome::Cell::{Absent, Cut, Ends, Fails};
use json_chunks_clients::outcome::{Cell, Client, assert_table};
use json_chunks_clients::script;

/// Runs a script, and compares what its clients return with their rows.
#[track_caller]
fn check(script: &str, table: &[Client]) {
    let Some(node) = Node::with_clients() else {
        return;
    };
    let server = Server::start("server", &["--fast"]);
    let lines = script::lines(&mut node.script(script, server.url()));
    assert_table(table, &lines);
}

/// Returns the error of the current versions, or that of the next ones.
fn fails(current: &'static str, next: &'static str) -> Cell {
    Fails(match Versions::from_environment() {
        Versions::Node20 => current,
        Versions::Next => next,
    })
}

#[test]
fn openai_reads_chat_completions_and_responses() {
    let too_long = Fails(
        "LengthFinishReasonError: Could not parse response content as the length limit was reached",
    );
    let failures = [
        Fails("APIError: the model is overloaded"),
        Fails("APIError: the reply was lost"),
        Fails("NotFoundError: 404 there is no model `unknown`"),
    ];
    let [overloaded, lost, unknown] = failures;
    // The type is that of the event, which the helper throws as it is.
    let overloaded_event = fails(
        "error: the model is overloaded",
        "APIError: the model is overloaded",
    );
    let lost_event = fails("error: the reply was lost", "APIError: the reply was lost");
    let cut = Cut("incomplete, max_output_tokens");
    let responses = |name, has_values| Client {
        name,
        has_ids: true,
        has_usage: true,
        has_values,
        cells: [
            Ends("completed"),
            Ends("completed"),
            Ends("completed"),
            cut,
            cut,
            overloaded_event,
            lost_event,
            unknown,
        ],
    };
    let chat = |name, has_values, cut| Client {
        name,
        has_ids: true,
        has_usage: true,
        has_values,
        cells: [
            Ends("stop"),
            Ends("stop"),
            Ends("tool_calls"),
            cut,
            cut,
            overloaded,
            lost,
            unknown,
        ],
    };
    check(
        "with_openai",
        &[
            chat("openai chat create", false, Cut("length")),
            chat("openai chat stream", true, too_long),
            responses("openai responses create", false),
            responses("openai responses stream", true),
        ],
    );
}

#[test]
fn anthropic_reads_messages() {
    check(
        "with_anthropic",
        &[Client {
            name: "anthropic stream",
            has_ids: true,
            has_usage: true,
            has_values: true,
            cells: [
                Ends("end_turn"),
                Ends("end_turn"),
                Ends("tool_use"),
                Fails("AnthropicError: Failed to parse structured output: …"),
                // It would close the brackets of the arguments.
                Fails(
                    r#"APIError: {"type":"error","error":{"type":"api_error","message":"the reply was cut off by the limit of its tokens"}}"#,
                ),
                Fails(
                    r#"APIError: {"type":"error","error":{"type":"api_error","message":"the model is overloaded"}}"#,
                ),
                Fails(
                    r#"APIError: {"type":"error","error":{"type":"api_error","message":"the reply was lost"}}"#,
                ),
                Fails(
                    r#"NotFoundError: 404 {"error":{"message":"there is no model `unknown`","type":"not_found_error"},"type":"error"}"#,
                ),
            ],
        }],
    );
}

#[test]
fn ai_sdk_reads_ui_messages_and_the_replies_of_providers() {
    let overloaded = "StreamProviderError: the model is overloaded";
    let lost = "StreamProviderError: the reply was lost";
    let provider = |name, cut_call, failures: [Cell; 2]| Client {
        name,
        has_ids: true,
        has_usage: true,
        has_values: true,
        cells: [
            Ends("stop"),
            Ends("stop"),
            Ends("tool-calls"),
            Cut("length"),
            cut_call,
            failures[0],
            failures[1],
            Fails("APICallError: there is no model `unknown`"),
        ],
    };
    check(
        "with_ai",
        &[
            Client {
                name: "ai readUIMessageStream",
                has_values: false,
                ..ui_messages()
            },
            provider(
                "ai openai chat",
                Cut("length"),
                [
                    fails("server_error: the model is overloaded", overloaded),
                    fails("server_error: the reply was lost", lost),
                ],
            ),
            provider(
                "ai openai responses",
                Cut("length"),
                [
                    fails("error: the model is overloaded", overloaded),
                    fails("error: the reply was lost", lost),
                ],
            ),
            provider(
                "ai anthropic",
                fails(
                    "api_error: the reply was cut off by the limit of its tokens",
                    "StreamProviderError: the reply was cut off by the limit of its tokens",
                ),
                [
                    fails("api_error: the model is overloaded", overloaded),
                    fails("api_error: the reply was lost", lost),
                ],
            ),
        ],
    );
}

#[test]
fn ai_sdk_hooks_show_replies_in_a_page() {
    // How a body that breaks off is reported.
    let broken = Fails("TypeError: terminated");
    let text = Client {
        name: "ai useCompletion",
        has_ids: false,
        has_usage: false,
        has_values: false,
        cells: [
            Ends("onFinish"),
            Ends("onFinish"),
            // The text stream has no calls.
            Absent,
            broken,
            // It breaks off before the first byte.
            Fails("TypeError: fetch failed"),
            broken,
            broken,
            unknown_model(),
        ],
    };
    let mut object = Client {
        name: "ai useObject",
        has_values: true,
        ..text
    };
    // A text is no object.
    object.cells[0] = Absent;
    object.cells[7] = Fails("Error: there is no model `unknown`");
    check("with_react", &[ui_messages(), text, object]);
}

/// The error of the AI SDK for a status that is not 200.
fn unknown_model() -> Cell {
    fails(
        "Error: there is no model `unknown`",
        "APICallError: there is no model `unknown`",
    )
}

/// The row of `useChat`.
fn ui_messages() -> Client {
    Client {
        name: "ai useChat",
        has_ids: true,
        has_usage: true,
        has_values: false,
        cells: [
            Ends("stop"),
            Ends("stop"),
            Ends("tool-calls"),
            Cut("length"),
            Cut("length"),
            Fails("Error: the model is overloaded"),
            Fails("Error: the reply was lost"),
            unknown_model(),
        ],
    }
}

#[test]
fn ag_ui_reads_runs() {
    let cut = Fails("RUN_ERROR: the reply was cut off by the limit of its tokens (length)");
    check(
        "with_ag_ui",
        &[Client {
            name: "ag-ui",
            has_ids: true,
            has_usage: false,
            has_values: false,
            cells: [
                Ends("RUN_FINISHED"),
                Ends("RUN_FINISHED"),
                Ends("RUN_FINISHED"),
                cut,
                cut,
                Fails("RUN_ERROR: the model is overloaded (overloaded)"),
                Fails("RUN_ERROR: the reply was lost (upstream_lost)"),
                Fails("Error: HTTP 404: there is no model `unknown`"),
            ],
        }],
    );
}

#[test]
fn ollama_reads_chats() {
    check(
        "with_ollama",
        &[Client {
            name: "ollama",
            has_ids: false,
            has_usage: true,
            has_values: false,
            cells: [
                Ends("stop"),
                Ends("stop"),
                Ends("stop"),
                Cut("length"),
                Cut("length"),
                Fails("Error: the model is overloaded"),
                Fails("Error: the reply was lost"),
                Fails("ResponseError: there is no model `unknown`"),
            ],
        }],
    );
}

#[test]
fn genai_reads_the_stream_of_gemini() {
    check(
        "with_genai",
        &[Client {
            name: "genai",
            has_ids: true,
            has_usage: true,
            has_values: false,
            cells: [
                Ends("STOP"),
                Ends("STOP"),
                Ends("STOP"),
                Cut("MAX_TOKENS"),
                Cut("MAX_TOKENS"),
                Fails(
                    r#"ApiError: got status: overloaded. {"error":{"code":500,"message":"the model is overloaded","status":"overloaded"}}"#,
                ),
                Fails(
                    r#"ApiError: got status: upstream_lost. {"error":{"code":500,"message":"the reply was lost","status":"upstream_lost"}}"#,
                ),
                Fails(
                    r#"ApiError: {"error":{"code":404,"message":"there is no model `unknown`","status":"NOT_FOUND"}}"#,
                ),
            ],
        }],
    );
}
