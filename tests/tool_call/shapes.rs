//! The presets and other shapes, where calls may be, and how early they are told.

use json_chunks::ToolCallShape;

use super::{bytes_until_named, tells};

fn check(shape: &ToolCallShape, cases: &[(&str, &[&str])]) {
    for (text, lines) in cases {
        assert_eq!(tells(shape, text), *lines, "{text}");
    }
}

#[test]
fn plain_calls() {
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
fn anthropic_calls() {
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
                &[
                    "0 named a",
                    "0 + {}",
                    "0 failed: the object turned out to be no call",
                ],
            ),
        ],
    );
}

#[test]
fn openai_calls() {
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
                &["0 named f c1", "0 failed: the arguments are not JSON"],
            ),
        ],
    );
}

#[test]
fn other_shapes() {
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
    // An element of some array is a call only with arguments, optional or not.
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
fn what_is_no_call() {
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
            // Inside of arguments nothing is a call, whatever became of the one around.
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
            // What holds calls elsewhere is their envelope.
            (
                r#"{"calls":[{"name":"b","arguments":{}}],"name":"a","arguments":[{"name":"c","arguments":1}]}"#,
                &["0 named b", "0 + {}", "0 done b"],
            ),
            (
                r#"{"name":"bot","calls":[{"name":"b","arguments":{}}]}"#,
                &[
                    "0 named bot",
                    "0 failed: the object turned out to be no call",
                    "1 named b",
                    "1 + {}",
                    "1 done b",
                ],
            ),
        ],
    );
}

#[test]
fn a_name_is_told_with_its_last_byte() {
    let (plain, anthropic) = (ToolCallShape::plain(), ToolCallShape::anthropic());
    for (shape, text) in [
        (&plain, r#"{"name":"Read"^,"arguments":{"path":"/"}}"#),
        (&plain, r#"[{"name":"Read"^,"arguments":{"path":"/"}}]"#),
        (&plain, r#"{"arguments":{"path":"/"},"name":"Read"^}"#),
        // An element somewhere is a call when it has arguments, too.
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
