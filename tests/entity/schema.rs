//! Entities that a schema refuses.

use json_chunks::{Entities, EntityMode, Schema};
use proptest::prelude::{prop_assert, proptest};
use schemars::JsonSchema;

use super::support::feed::pieces;
use super::support::tape::Tape;
use super::support::write::{Escapes, Style, write};
use super::support::writing::{documents, tapes};
use super::support::{CASES, config};
use super::{MODES, lines, listen, tells};

const COLOR: &str = r#"{
    "type": "object",
    "properties": {
        "hex": {"type": "string", "pattern": "^#[0-9A-F]{6}$"},
        "name": {"type": "string", "maxLength": 8},
        "rgb": {"type": "array", "items": {"type": "integer", "maximum": 255}, "minItems": 3, "maxItems": 3},
        "kind": {"enum": ["warm", "cold"]}
    },
    "required": ["hex"],
    "additionalProperties": false
}"#;

fn colors(mode: EntityMode) -> Entities {
    Entities::new(mode).schema(COLOR.parse().unwrap())
}

#[test]
fn the_stream_goes_on_behind_an_entity_that_is_refused() {
    let text = r##"[{"hex":"#9400D3"},{"hex":"violet"},{"name":"x"},7,{"hex":"#4B0082","name":"Indigo"}]"##;
    assert_eq!(
        tells(&colors(EntityMode::OneByOne), EntityMode::OneByOne, text),
        [
            r##"0 COMPLETED {"hex":"#9400D3"}"##,
            r#"1 ERROR {"hex":"violet"} [INVALID_SCHEMA: "violet" does not match "^#[0-9A-F]{6}$" at /hex]"#,
            r#"2 ERROR {"name":"x"} [INVALID_SCHEMA: "hex" is a required property]"#,
            r#"3 ERROR 7 [INVALID_SCHEMA: 7 is not of type "object"]"#,
            r##"4 COMPLETED {"hex":"#4B0082","name":"Indigo"}"##,
        ]
    );
    let batch = tells(&colors(EntityMode::Batch), EntityMode::Batch, text);
    assert_eq!(batch.len(), 4);
    assert_eq!(
        batch[3],
        r##"0 COMPLETED [{"hex":"#9400D3"},{"hex":"#4B0082","name":"Indigo"}]"##
    );
}

#[test]
fn what_can_not_become_valid_any_more_is_refused_at_once() {
    for (head, refused_at_once) in [
        (r#"[{"hex":[1"#, true),
        (r#"[{"hex":"violet","#, true),
        (r#"[{"hex":"vio"#, false),
        (r#"[{"name":"#, false),
        (r#"[{"name":"Aquamarine","#, true),
        (r#"[{"colour":"r"#, true),
        (r#"[{"rgb":[256,"#, true),
        (r#"[{"rgb":[256"#, false),
        (r#"[{"rgb":[1,2,3,4"#, false),
        (r#"[{"rgb":[1,2,3,4,"#, true),
        (r#"[{"rgb":[1,2"#, false),
        (r#"[{"rgb":[1,2],"#, true),
        (r#"[{"kind":"wa"#, false),
        (r#"[{"kind":"wa","#, true),
        ("[[", true),
        ("[\"", true),
        ("[1", false),
        ("[{", false),
    ] {
        for mode in [EntityMode::Progressive, EntityMode::Realtime] {
            let mut entities = colors(mode);
            let events = entities
                .push_str(head)
                .filter(|event| event.error.is_some());
            assert_eq!(events.count() == 1, refused_at_once, "{head} {mode}");
        }
        let mut entities = colors(EntityMode::OneByOne);
        assert_eq!(entities.push_str(head).count(), 0, "{head}");
    }
}

#[test]
fn a_refused_entity_is_not_told_about_again() {
    let mode = EntityMode::Realtime;
    let pieces = [
        r#"[{"name":"Aquamarine","#,
        r#""rgb":[1,"#,
        r#"2,3]},{"he"#,
        r##"x":"#000000"}]"##,
    ];
    let events = listen(&mut colors(mode), mode, pieces);
    assert_eq!(
        lines(&events),
        [
            r#"0 ERROR {"name":"Aquamarine"} [INVALID_SCHEMA: "Aquamarine" is longer than 8 characters at /name]"#,
            r##"1 COMPLETED {"hex":"#000000"}"##,
        ]
    );
}

/// A schema, the text of one entity that it takes, and nothing of which may be refused before.
const TAKEN: &[(&str, &str)] = &[
    (
        r##"{"if":{"required":["k"]},"else":{"$ref":"#/$defs/B"},"$defs":{"B":{"properties":{"n":{"type":"string"}}}}}"##,
        r#"{"n":1,"k":2}"#,
    ),
    (
        r##"{"if":{"required":["k"]},"else":{"$dynamicRef":"#b"},"$defs":{"B":{"$dynamicAnchor":"b","maxProperties":1}}}"##,
        r#"{"n":1,"m":3,"k":2}"#,
    ),
    (
        r##"{"if":{"required":["k"]},"else":{"allOf":[{"$ref":"#/definitions/B"}]},"definitions":{"B":{"properties":{"n":false}}}}"##,
        r#"{"n":1,"k":2}"#,
    ),
    (
        r#"{"if":{"required":["k"]},"else":false}"#,
        r#"{"n":1,"k":2}"#,
    ),
    (
        r#"{"if":{"required":["k"]},"then":true,"else":{"additionalProperties":{"type":"string"}}}"#,
        r#"{"n":1,"k":2}"#,
    ),
    (
        r#"{"not":{"required":["n"],"maxProperties":1}}"#,
        r#"{"n":1,"k":2}"#,
    ),
    (r#"{"anyOf":[{"required":["k"]}]}"#, r#"{"n":1,"k":2}"#),
    (
        r#"{"oneOf":[{"required":["k"]},{"required":["z"]}]}"#,
        r#"{"n":{"a":1},"k":2}"#,
    ),
    (r#"{"contains":{"const":3},"minContains":2}"#, "[1,3,2,3]"),
    (
        r#"{"prefixItems":[{"type":"integer"}],"unevaluatedItems":false,"if":{"minItems":3},"then":{"prefixItems":[true,true,true]}}"#,
        r#"[1,"x",null]"#,
    ),
    (
        r#"{"if":{"required":["k"]},"then":{"properties":{"n":true,"k":true}},"unevaluatedProperties":false}"#,
        r#"{"n":[1],"k":2}"#,
    ),
    (
        r#"{"dependentRequired":{"n":["k"]},"dependentSchemas":{"n":{"minProperties":2}}}"#,
        r#"{"n":1,"k":2}"#,
    ),
    (
        r#"{"minProperties":2,"minItems":2,"properties":{"s":{"minLength":3,"pattern":"z$","format":"email"}}}"#,
        r#"{"s":"abyz","k":2}"#,
    ),
    (
        r#"{"properties":{"e":{"enum":["violet"]},"c":{"const":[1,[2]]},"m":{"multipleOf":5,"minimum":10}}}"#,
        r#"{"e":"violet","c":[1,[2]],"m":15}"#,
    ),
    (
        r#"{"uniqueItems":true,"items":{"maxLength":3}}"#,
        r#"["a","ab","abc"]"#,
    ),
    (r#"{"type":["integer","string"]}"#, "10.0"),
];

#[test]
fn what_is_valid_in_the_end_is_never_refused() {
    for (schema, entity) in TAKEN {
        for mode in [EntityMode::Progressive, EntityMode::Realtime] {
            let mut entities = Entities::new(mode).schema(schema.parse().unwrap());
            let text = format!("[{entity}]");
            let events = listen(&mut entities, mode, text.as_bytes().chunks(1));
            let last = events.last().unwrap();
            assert_eq!(
                super::line(last),
                format!("0 COMPLETED {entity}"),
                "{schema}"
            );
        }
    }
}

#[test]
fn what_a_push_completes_is_looked_at() {
    for (schema, head, more) in [
        (COLOR, r#"[{"hex":"violet"#, "\""),
        (r#"{"propertyNames":{"maxLength":1}}"#, r#"[{"ab":"#, "\""),
    ] {
        let mut entities = Entities::new(EntityMode::Realtime).schema(schema.parse().unwrap());
        assert!(entities.push_str(head).all(|event| event.error.is_none()));
        assert_eq!(
            entities
                .push_str(more)
                .filter(|event| event.error.is_some())
                .count(),
            1
        );
    }
}

#[test]
fn of_a_refused_entity_nothing_is_invented_and_nothing_said_twice() {
    let number: Schema = r#"{"type":"number"}"#.parse().unwrap();
    let mode = EntityMode::Progressive;
    let mut entities = Entities::new(mode).schema(number);
    let events = listen(&mut entities, mode, ["[\"abc", "\", 1, {", "x"]);
    assert_eq!(
        lines(&events),
        [
            r#"0 ERROR [INVALID_SCHEMA: "abc" is not of type "number"]"#,
            "1 COMPLETED 1",
            r#"2 ERROR [INVALID_SCHEMA: {} is not of type "number"]"#,
            "- ERROR [INVALID_JSON: not JSON at byte 12: expected a member name or '}']",
        ]
    );
}

#[test]
fn numbers_out_of_range_are_refused_where_they_are() {
    let entities = Entities::new(EntityMode::OneByOne).schema("true".parse().unwrap());
    let told = tells(&entities, EntityMode::OneByOne, r#"[0,{"a":[1e400]}]"#);
    assert_eq!(
        told[1],
        r#"1 ERROR {"a":[1e400]} [INVALID_SCHEMA: number out of range at /a/0]"#
    );
}

/// Each look is at the whole entity, so there must not be one for every push.
#[test]
fn looking_at_partial_entities_is_linear() {
    let allocated = |elements: usize| {
        let schema: Schema = r#"{"type":"object"}"#.parse().unwrap();
        let info = allocation_counter::measure(|| {
            let mut entities = Entities::new(EntityMode::Progressive).schema(schema);
            assert_eq!(entities.push_str("[{\"l\":[1").count(), 0);
            for _ in 0..elements {
                assert_eq!(entities.push_str(",1").count(), 0);
            }
        });
        info.count_total
    };
    let (once, twice) = (allocated(2000), allocated(4000));
    assert!(twice < once * 3, "{once} allocations, then {twice}");
}

/// The branch that holds so far may be another one in the end.
#[test]
fn conditions_are_not_decided_before_their_time() {
    let schema = r#"{
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"n": {"type": "integer"}}},
        "else": {"properties": {"n": {"type": "string"}}}
    }"#;
    let mode = EntityMode::Realtime;
    let mut entities = Entities::new(mode).schema(schema.parse().unwrap());
    let events = listen(
        &mut entities,
        mode,
        [r#"[{"n":"x","#, r#""kind":"b"}"#, r#",{"n":"x"}]"#],
    );
    assert_eq!(
        lines(&events),
        [
            r#"0 PARTIAL {"n":"x"}"#,
            r#"0 COMPLETED {"n":"x","kind":"b"}"#,
            r#"1 ERROR {"n":"x"} [INVALID_SCHEMA: "x" is not of type "integer" at /n]"#,
        ]
    );
    let schema = r#"{"anyOf": [{"required": ["a"]}, {"properties": {"b": {"type": "null"}}}]}"#;
    let mut entities = Entities::new(mode).schema(schema.parse().unwrap());
    let events = listen(&mut entities, mode, [r#"[{"b":1,"#, r#""a":2}]"#]);
    assert_eq!(
        lines(&events),
        [r#"0 PARTIAL {"b":1}"#, r#"0 COMPLETED {"b":1,"a":2}"#]
    );
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Day {
    title: String,
    nights: u8,
}

#[test]
fn a_schema_can_be_that_of_a_type() {
    let entities = Entities::new(EntityMode::OneByOne).schema(Schema::of::<Day>().unwrap());
    let text = r#"[{"title":"Arrival","nights":1},{"title":"Rest","nights":-1}]"#;
    let told = tells(&entities, EntityMode::OneByOne, text);
    assert_eq!(told[0], r#"0 COMPLETED {"title":"Arrival","nights":1}"#);
    assert!(
        told[1].contains("INVALID_SCHEMA: -1 is less than the minimum of 0 at /nights"),
        "{}",
        told[1]
    );
}

#[test]
fn what_is_no_schema_is_refused() {
    for (text, why) in [
        (
            "{",
            "not a schema: EOF while parsing an object at line 1 column 1",
        ),
        (r#"{"type":"colour"}"#, "not a schema: "),
        (
            r#"{"$ref":"https://example.com/color.json"}"#,
            "not a schema: ",
        ),
    ] {
        let error = text.parse::<Schema>().unwrap_err();
        assert!(error.to_string().starts_with(why), "{error}");
    }
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    /// What is refused before its end would be refused at its end.
    #[test]
    fn nothing_valid_is_refused_early(document in documents(), bytes in tapes(), n in 0_usize..5) {
        let schemas = [
            r#"{"type":["object","string"],"maxProperties":2}"#,
            r#"{"type":"array","maxItems":2,"items":{"type":["number","string"],"maxLength":3}}"#,
            r#"{"additionalProperties":{"type":["string","array"]}}"#,
            r#"{"oneOf":[{"type":"array","minItems":1},{"type":"object","minProperties":1}]}"#,
            r#"{"not":{"type":"object","maxProperties":1},"uniqueItems":true}"#,
        ];
        let schema: Schema = schemas[n].parse().unwrap();
        let tape = &mut Tape::new(&bytes);
        let written = write(&document, Style::plain(Escapes::Few));
        let text = format!("[{written}]");
        let refused = |mode| {
            let mut entities = Entities::new(mode).schema(schema.clone());
            let events = listen(&mut entities, mode, pieces(text.as_bytes(), &mut Tape::new(&bytes)));
            events.iter().any(|event| event.error.is_some())
        };
        let _ = tape;
        let whole = refused(MODES[2]);
        for mode in &MODES[3..] {
            prop_assert!(refused(*mode) == whole, "{} {}", mode, text);
        }
    }
}
