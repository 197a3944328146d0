//! The example server, read by clients from PyPI.

use json_chunks_clients::Server;
use json_chunks_clients::outcome::Cell::{Cut, Ends, Fails};
use json_chunks_clients::outcome::{Case, Cell, Client, assert_table};
use json_chunks_clients::python::Python;
use json_chunks_clients::script;

/// Reads each case with each client of a script, and compares what they return.
fn assert_clients(name: &str, table: &[Client]) {
    let Some(python) = Python::with_clients() else {
        return;
    };
    let server = Server::start("server", &["--fast"]);
    let lines = script::lines(&mut python.script(name, server.url()));
    assert_table(table, &lines);
}

/// A client that has ids, usage and values.
const fn client(name: &'static str, cells: [Cell; Case::ALL.len()]) -> Client {
    Client {
        name,
        has_ids: true,
        has_usage: true,
        has_values: true,
        cells,
    }
}

#[test]
fn openai_clients_read_every_reply() {
    const OVERLOADED: Cell = Fails("APIError: the model is overloaded");
    const LOST: Cell = Fails("APIError: the reply was lost");
    const UNKNOWN: Cell = Fails("NotFoundError: Error code: 404 - there is no model `unknown`");
    // The helpers parse a text where it ends, also if it was cut off there.
    const CUT: Cell = Fails(
        "LengthFinishReasonError: Could not parse response content as the length limit was reached",
    );
    const HALF: Cell =
        Fails("ValidationError: 1 validation error for Itinerary\n  Invalid JSON: …");
    const INCOMPLETE: Cell = Cut("incomplete, max_output_tokens");
    const NOT_COMPLETED: Cell = Fails("RuntimeError: Didn't receive a `response.completed` event.");

    let table = [
        Client {
            has_values: false,
            ..client(
                "openai chat create",
                [
                    Ends("stop"),
                    Ends("stop"),
                    Ends("tool_calls"),
                    Cut("length"),
                    Cut("length"),
                    OVERLOADED,
                    LOST,
                    UNKNOWN,
                ],
            )
        },
        client(
            "openai chat stream",
            [
                Ends("stop"),
                Ends("stop"),
                Ends("tool_calls"),
                CUT,
                CUT,
                OVERLOADED,
                LOST,
                UNKNOWN,
            ],
        ),
        Client {
            has_values: false,
            ..client(
                "openai responses create",
                [
                    Ends("completed"),
                    Ends("completed"),
                    Ends("completed"),
                    INCOMPLETE,
                    INCOMPLETE,
                    Fails("ResponseErrorEvent: the model is overloaded"),
                    Fails("ResponseErrorEvent: the reply was lost"),
                    UNKNOWN,
                ],
            )
        },
        client(
            "openai responses stream",
            [
                Ends("completed"),
                Ends("completed"),
                Ends("completed"),
                HALF,
                NOT_COMPLETED,
                NOT_COMPLETED,
                NOT_COMPLETED,
                UNKNOWN,
            ],
        ),
    ];
    assert_clients("with_openai", &table);
}

#[test]
fn anthropic_clients_read_every_reply() {
    const UNKNOWN: Cell = Fails(
        "NotFoundError: Error code: 404 - {'error': {'message': 'there is no model `unknown`', \
         'type': 'not_found_error'}, 'type': 'error'}",
    );
    const OVERLOADED: Cell = Fails(
        "APIStatusError: {'type': 'error', 'error': {'type': 'api_error', \
         'message': 'the model is overloaded'}}",
    );
    const LOST: Cell = Fails(
        "APIStatusError: {'type': 'error', 'error': {'type': 'api_error', \
         'message': 'the reply was lost'}}",
    );
    // The helper closes the brackets of arguments, so a call that was cut off is an error.
    const CUT_CALL: Cell = Fails(
        "APIStatusError: {'type': 'error', 'error': {'type': 'api_error', \
         'message': 'the reply was cut off by the limit of its tokens'}}",
    );

    let table = [
        Client {
            has_values: false,
            ..client(
                "anthropic create",
                [
                    Ends("end_turn"),
                    Ends("end_turn"),
                    Ends("tool_use"),
                    Cut("max_tokens"),
                    CUT_CALL,
                    OVERLOADED,
                    LOST,
                    UNKNOWN,
                ],
            )
        },
        client(
            "anthropic stream",
            [
                Ends("end_turn"),
                Ends("end_turn"),
                Ends("tool_use"),
                Fails("ValidationError: 1 validation error for Itinerary\n  Invalid JSON: …"),
                CUT_CALL,
                OVERLOADED,
                LOST,
                UNKNOWN,
            ],
        ),
    ];
    assert_clients("with_anthropic", &table);
}

#[test]
fn ollama_client_reads_every_reply() {
    let table = [Client {
        has_ids: false,
        ..client(
            "ollama chat",
            [
                Ends("stop"),
                Ends("stop"),
                Ends("stop"),
                Cut("length"),
                Cut("length"),
                Fails("ResponseError: the model is overloaded (status code: -1)"),
                Fails("ResponseError: the reply was lost (status code: -1)"),
                Fails("ResponseError: there is no model `unknown` (status code: 404)"),
            ],
        )
    }];
    assert_clients("with_ollama", &table);
}

#[test]
fn gemini_client_reads_every_reply() {
    let table = [client(
        "google-genai stream",
        [
            Ends("STOP"),
            Ends("STOP"),
            Ends("STOP"),
            Cut("MAX_TOKENS"),
            Cut("MAX_TOKENS"),
            Fails(
                "ServerError: 500 overloaded. {'error': {'code': 500, \
                   'message': 'the model is overloaded', 'status': 'overloaded'}}",
            ),
            Fails(
                "ServerError: 500 upstream_lost. {'error': {'code': 500, \
                   'message': 'the reply was lost', 'status': 'upstream_lost'}}",
            ),
            Fails(
                "ClientError: 404 NOT_FOUND. {'error': {'code': 404, \
                   'message': 'there is no model `unknown`', 'status': 'NOT_FOUND'}}",
            ),
        ],
    )];
    assert_clients("with_genai", &table);
}
