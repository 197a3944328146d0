//! Presets and custom shapes, the places of calls, and how early they are reported.

use json_chunks::tool_call::ToolCallShape;

use super::{bytes_until_named, tells};

fn check(shape: &ToolCallShape, cases: &[(&str, &[&str])]) {
    for (text, lines) in cases {
        assert_eq!(tells(shape, text), *lines, "{text}");
    }
}

#[test]
fn plain_shape_is_detected() {
    check(
        &ToolCallShape::plain(),
        &[
            (
                r#"{"name":"Read","arguments":{"path":"/a b","n":[1,{}]}}"#,
                &[
                    "0 named Read",
                    r#"0 + {"path":"/a b","n":[1,{}]}"#,
                    "0 done Read",
                ],
            ),
            (
                r#" { "id" : "c1" , "name" : "Re\u0061d" , "arguments" : { "x" : "}" } } "#,
                &["0 named Read c1", r#"0 + { "x" : "}" }"#, "0 done Read c1"],
            ),
            (
                r#"{"name":"a","arguments":{},"id":"late"}"#,
                &["0 named a", "0 + {}", "0 id late", "0 done a late"],
            ),
            (
                r#"{"arguments":{"first":[1]},"name":"a"}"#,
                &["0 named a", r#"0 + {"first":[1]}"#, "0 done a"],
            ),
            (
                r#"{"arguments":{"first":[1]},"id":7,"name":"a"}"#,
                &["0 named a 7", r#"0 + {"first":[1]}"#, "0 done a 7"],
            ),
            (
                r#"{"name":"a","arguments":"{\"é\": \"\\\"\ud83d\ude00\"}"}"#,
                &["0 named a", r#"0 + {"é": "\"😀"}"#, "0 done a"],
            ),
            (
                r#"{"name":"a","arguments":[1,2]}"#,
                &["0 named a", "0 + [1,2]", "0 done a"],
            ),
            (
                r#"{"name":"a","arguments":-1.50}"#,
                &["0 named a", "0 + -1.50", "0 done a"],
            ),
            (
                r#"{"name":"a","arguments":null}"#,
                &["0 named a", "0 + null", "0 done a"],
            ),
            (
                r#"{"name":"a","arguments":true,"id":null}"#,
                &["0 named a", "0 + true", "0 done a"],
            ),
            (
                r#"{"thought":{"name":"b","arguments":{}},"name":"a","arguments":{}}"#,
                &["0 named a", "0 + {}", "0 done a"],
            ),
            (
                "{\"name\":\"a\",\"arguments\":{}}\n{\"name\":\"b\",\"arguments\":{\"x\":1}}\n 7 {\"arguments\":{},\"name\":\"c\"}\n",
                &[
                    "0 named a",
                    "0 + {}",
                    "0 done a",
                    "1 named b",
                    r#"1 + {"x":1}"#,
                    "1 done b",
                    "2 named c",
                    "2 + {}",
                    "2 done c",
                ],
            ),
            (
                r#"[{"name":"a","arguments":{}},{"arguments":[],"name":"b"},{"name":"c","arguments":1},{}]"#,
                &[
                    "0 named a",
                    "0 + {}",
                    "0 done a",
                    "1 named b",
                    "1 + []",
                    "1 done b",
                    "2 named c",
                    "2 + 1",
                    "2 done c",
                ],
            ),
            (
                r#"{"reply":"on it","calls":[{"name":"a","arguments":{}},[{"name":"b","arguments":1}]]}"#,
                &[
                    "0 named a",
                    "0 + {}",
                    "0 done a",
                    "1 named b",
                    "1 + 1",
                    "1 done b",
                ],
            ),
        ],
    );
}

#[test]
fn anthropic_shape_is_detected() {
    check(
        &ToolCallShape::anthropic(),
        &[
            (
                r#"{"type":"tool_use","id":"toolu_1","name":"Read","input":{"path":"/"}}"#,
                &[
                    "0 named Read toolu_1",
                    r#"0 + {"path":"/"}"#,
                    "0 done Read toolu_1",
                ],
            ),
            (
                r#"{"name":"Read","input":{},"id":"toolu_1","type":"tool_use"}"#,
                &[
                    "0 named Read",
                    "0 + {}",
                    "0 id toolu_1",
                    "0 done Read toolu_1",
                ],
            ),
            (
                r#"{"id":"msg_1","type":"message","role":"assistant","name":"Claude","content":[
                {"type":"text","text":"I will {\"name\":\"x\"}","name":"no","input":{}},
                {"type":"tool_use","id":"t1","name":"a","input":{"type":"text"}},
                {"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}},
                {"id":"t2","name":"b","input":{"c":null}}
            ],"usage":{"output_tokens":9}}"#,
                &[
                    "0 named a t1",
                    r#"0 + {"type":"text"}"#,
                    "0 done a t1",
                    "1 named b t2",
                    r#"1 + {"c":null}"#,
                    "1 done b t2",
                ],
            ),
            // The definition of a tool, and the start of a block in the streaming API.
            (
                r#"{"tools":[{"name":"a","description":"b","input_schema":{"name":"c"}}]}"#,
                &[],
            ),
            (
                r#"{"type":"content_block_start","index":1,
                "content_block":{"type":"tool_use","id":"t1","name":"a","input":{}}}"#,
                &[],
            ),
            (r#"{"type":"text","name":"a","input":{}}"#, &[]),
            (r#"{"type":null,"name":"a","input":{}}"#, &[]),
            (r#"{"type":["tool_use"],"name":"a","input":{}}"#, &[]),
            (
                r#"{"name":"a","input":{},"type":"text"}"#,
                &["0 named a", "0 + {}", "0 failed: the object is not a call"],
            ),
        ],
    );
}

#[test]
fn openai_shape_is_detected() {
    check(
        &ToolCallShape::openai(),
        &[
            (
                r#"{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}"#,
                &["0 named f call_1", r#"0 + {"a": 1}"#, "0 done f call_1"],
            ),
            (
                r#"{"function":{"arguments":"[\"\\n\"]","name":"f"},"id":"call_1"}"#,
                &[
                    "0 named f",
                    r#"0 + ["\n"]"#,
                    "0 id call_1",
                    "0 done f call_1",
                ],
            ),
            // Ollama sends an object.
            (
                r#"{"message":{"role":"assistant","name":"bot","tool_calls":[
                {"function":{"name":"f","arguments":{"a":1}}}]}}"#,
                &["0 named f", r#"0 + {"a":1}"#, "0 done f"],
            ),
            (
                r#"{"choices":[{"index":0,"message":{"content":null,"tool_calls":[
                {"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},
                {"id":"c2","type":"custom","custom":{"name":"g","input":"x"}},
                {"id":"c3","type":"function","function":{"name":"h","arguments":" 1 "}}
            ]},"finish_reason":"tool_calls"}]}"#,
                &[
                    "0 named f c1",
                    "0 + {}",
                    "0 done f c1",
                    "1 named h c3",
                    "1 +  1 ",
                    "1 done h c3",
                ],
            ),
            (r#"{"name":"f","arguments":"{}"}"#, &[]),
            (r#"{"function":"f","arguments":"{}"}"#, &[]),
            (
                r#"{"type":"custom","function":{"name":"f","arguments":"{}"}}"#,
                &[],
            ),
            (r#"{"a":{"function":{"name":"f","arguments":"{}"}}}"#, &[]),
            // The first frame of a streamed call.
            (
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function",
                "function":{"name":"f","arguments":""}}]}}]}"#,
                &["0 named f c1", "0 failed: the arguments are incomplete"],
            ),
        ],
    );
}

/// An empty or blank string is `{}` in each preset, in any order of members.
#[test]
fn empty_arguments_are_an_empty_object_in_presets() {
    let done = &["0 named f", "0 + {}", "0 done f"][..];
    check(
        &ToolCallShape::plain(),
        &[
            (r#"{"name":"f","arguments":""}"#, done),
            (r#"{"arguments":"","name":"f"}"#, done),
            (r#"[{"arguments":"","name":"f"}]"#, done),
            (
                r#"{"calls":[{"name":"f","arguments":"","id":"c"}]}"#,
                &["0 named f", "0 + {}", "0 id c", "0 done f c"],
            ),
            (
                r#"{"name":"f","arguments":" \n\t\r"}"#,
                &["0 named f", "0 +  \n\t\r{}", "0 done f"],
            ),
            (
                r#"{"name":"f","arguments":""}{"name":"g","arguments":"{\"a\":1}"}"#,
                &[
                    "0 named f",
                    "0 + {}",
                    "0 done f",
                    "1 named g",
                    r#"1 + {"a":1}"#,
                    "1 done g",
                ],
            ),
        ],
    );
    check(
        &ToolCallShape::anthropic(),
        &[(r#"{"type":"tool_use","name":"f","input":""}"#, done)],
    );
    let message = r#"{"choices":[{"message":{"tool_calls":[{"id":"c1","type":"function",
        "function":{"name":"f","arguments":""}}]}}]}"#;
    let done = &["0 named f c1", "0 + {}", "0 done f c1"][..];
    let failed = &["0 named f c1", "0 failed: the arguments are incomplete"][..];
    check(
        &ToolCallShape::openai(),
        &[
            (message, done),
            // In a frame the arguments follow later.
            (&message.replace("message", "delta"), failed),
        ],
    );
    // Custom shapes start from a preset, and may turn this off.
    let responses = ToolCallShape::plain()
        .id("call_id")
        .marker("type", "function_call");
    let call = r#"{"type":"function_call","call_id":"c1","name":"f","arguments":""}"#;
    check(&responses, &[(call, done)]);
    check(
        &responses.allow_empty_arguments(false),
        &[(call, failed), (&call.replace(r#":"""#, r#":"{}""#), done)],
    );
}

#[test]
fn custom_shapes_are_detected() {
    let plain = ToolCallShape::plain;
    check(
        &plain().arguments("parameters"),
        &[(
            r#"{"type":"function","name":"f","parameters":{"a":1},"arguments":2}"#,
            &["0 named f", r#"0 + {"a":1}"#, "0 done f"],
        )],
    );
    check(
        &plain().id("call_id").marker("type", "function_call"),
        &[(
            r#"{"output":[{"type":"reasoning","name":"x","arguments":1},
            {"id":"fc_1","type":"function_call","call_id":"c1","name":"f","arguments":"{}"}]}"#,
            &["0 named f c1", "0 + {}", "0 done f c1"],
        )],
    );
    check(
        &plain()
            .inside("functionCall")
            .arguments("args")
            .arguments_optional(true),
        &[(
            r#"{"parts":[{"text":"x"},{"functionCall":{"id":"i","name":"f","args":{"a":1}}},
            {"functionCall":{"name":"g"}}]}"#,
            &[
                "0 named f i",
                r#"0 + {"a":1}"#,
                "0 done f i",
                "1 named g",
                "1 + {}",
                "1 done g",
            ],
        )],
    );
    check(
        &plain()
            .marker("method", "tools/call")
            .inside("params")
            .arguments_optional(true),
        &[
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}"#,
                &["0 named f 1", "0 + {}", "0 done f 1"],
            ),
            (
                r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"f"}}"#,
                &[],
            ),
        ],
    );
    // An element of another array is a call only if it has arguments, even if these are optional.
    check(
        &plain().arguments_optional(true),
        &[
            (r#"{"name":"a"}"#, &["0 named a", "0 + {}", "0 done a"]),
            (
                r#"[{"name":"a","id":"x"}]"#,
                &["0 named a", "0 id x", "0 + {}", "0 done a x"],
            ),
            (r#"{"users":[{"name":"a"}]}"#, &[]),
        ],
    );
    check(
        &plain().name("tool").arguments("tool_input"),
        &[(
            r#"{"name":"x","tool":"f","tool_input":"{\"a\":[]}"}"#,
            &["0 named f", r#"0 + {"a":[]}"#, "0 done f"],
        )],
    );
}

#[test]
fn other_objects_are_no_calls() {
    check(
        &ToolCallShape::plain(),
        &[
            ("", &[]),
            ("null 1 \"name\" [] {}", &[]),
            (r#"{"id":"a","arguments":{"name":"b"}}"#, &[]),
            (r#"{"name":null,"arguments":{}}"#, &[]),
            (r#"{"name":"","arguments":{}}"#, &[]),
            (
                r#"{"name":{"name":"a","arguments":{}},"arguments":{}}"#,
                &[],
            ),
            (r#"{"user":{"name":"a","arguments":{}}}"#, &[]),
            (r#"{"users":[{"name":"a","age":4},{"name":"b"}]}"#, &[]),
            (r#"[[{"name":"a"}]]"#, &[]),
            // Inside of arguments nothing is a call, even if the call around them was rejected.
            (
                r#"{"name":"a","arguments":[{"name":"b","arguments":[{"name":"c","arguments":{}}]}]}"#,
                &[
                    "0 named a",
                    r#"0 + [{"name":"b","arguments":[{"name":"c","arguments":{}}]}]"#,
                    "0 done a",
                ],
            ),
            (r#"{"arguments":[{"name":"b","arguments":{}}]}"#, &[]),
            (
                r#"{"name":"a","name":"b","arguments":[{"name":"c","arguments":{}}]}"#,
                &[
                    "0 named a",
                    "0 failed: the call has one of its members twice",
                ],
            ),
            // An array of calls in another place is an envelope.
            (
                r#"{"calls":[{"name":"b","arguments":{}}],"name":"a","arguments":[{"name":"c","arguments":1}]}"#,
                &["0 named b", "0 + {}", "0 done b"],
            ),
            (
                r#"{"name":"bot","calls":[{"name":"b","arguments":{}}]}"#,
                &[
                    "0 named bot",
                    "0 failed: the object is not a call",
                    "1 named b",
                    "1 + {}",
                    "1 done b",
                ],
            ),
        ],
    );
}

#[test]
fn name_is_reported_with_its_last_byte() {
    let (plain, anthropic) = (ToolCallShape::plain(), ToolCallShape::anthropic());
    for (shape, text) in [
        (&plain, r#"{"name":"Read"^,"arguments":{"path":"/"}}"#),
        (&plain, r#"[{"name":"Read"^,"arguments":{"path":"/"}}]"#),
        (&plain, r#"{"arguments":{"path":"/"},"name":"Read"^}"#),
        // An element of another array is a call if it has arguments.
        (
            &plain,
            r#"{"calls":[{"name":"Read","arguments":{^"path":"/"}}]}"#,
        ),
        (&plain, r#"{"calls":[{"name":"Read","arguments":"^{}"}]}"#),
        (
            &anthropic,
            r#"{"type":"tool_use","id":"t","name":"Read"^,"input":{}}"#,
        ),
        (
            &anthropic,
            r#"{"content":[{"type":"tool_use","id":"t","name":"Read"^,"input":{}}]}"#,
        ),
        (
            &anthropic,
            r#"{"content":[{"name":"Read","type":"tool_use"^,"input":{}}]}"#,
        ),
        (
            &ToolCallShape::openai(),
            r#"{"tool_calls":[{"id":"c","type":"function","function":{"name":"f"^,"arguments":"{}"}}]}"#,
        ),
    ] {
        let place = text.find('^').unwrap();
        assert_eq!(
            bytes_until_named(shape, &text.replace('^', "")),
            Some(place),
            "{text}"
        );
    }
}
