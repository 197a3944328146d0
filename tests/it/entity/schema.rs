//! Entities that a schema rejects.

use json_chunks::entity::{EntityDetector, EntityMode, EntityStatus};
use json_chunks::schema::Schema;
use proptest::prelude::{prop_assert, proptest};
use schemars::JsonSchema;

use super::{MODES, lines, listen, tells};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};

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

fn colors(mode: EntityMode) -> EntityDetector {
    EntityDetector::new(mode).schema(COLOR.parse().unwrap())
}

#[test]
fn stream_continues_after_rejected_entity() {
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
fn entity_is_rejected_once_it_cannot_become_valid() {
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
            let events = entities.push(head).filter(|event| event.error.is_some());
            assert_eq!(events.count() == 1, refused_at_once, "{head} {mode}");
        }
        let mut entities = colors(EntityMode::OneByOne);
        assert_eq!(entities.push(head).count(), 0, "{head}");
    }
}

#[test]
fn rejected_entity_emits_no_more_events() {
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

/// A schema, and the text of a valid entity, no prefix of which may be rejected.
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
fn valid_entity_is_never_rejected_early() {
    for (schema, entity) in TAKEN {
        for mode in [EntityMode::Progressive, EntityMode::Realtime] {
            let mut entities = EntityDetector::new(mode).schema(schema.parse().unwrap());
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
fn entities_completed_by_one_push_are_validated() {
    for (schema, head, more) in [
        (COLOR, r#"[{"hex":"violet"#, "\""),
        (r#"{"propertyNames":{"maxLength":1}}"#, r#"[{"ab":"#, "\""),
    ] {
        let mut entities =
            EntityDetector::new(EntityMode::Realtime).schema(schema.parse().unwrap());
        assert!(entities.push(head).all(|event| event.error.is_none()));
        assert_eq!(
            entities
                .push(more)
                .filter(|event| event.error.is_some())
                .count(),
            1
        );
    }
}

#[test]
fn rejected_entity_has_no_invented_or_repeated_data() {
    let number: Schema = r#"{"type":"number"}"#.parse().unwrap();
    let mode = EntityMode::Progressive;
    let mut entities = EntityDetector::new(mode).schema(number);
    let events = listen(&mut entities, mode, ["[\"abc", "\", 1, {", "x"]);
    assert_eq!(
        lines(&events),
        [
            r#"0 ERROR [INVALID_SCHEMA: "abc" is not of type "number"]"#,
            "1 COMPLETED 1",
            r#"2 ERROR [INVALID_SCHEMA: {} is not of type "number"]"#,
            "- ERROR [INVALID_JSON: expected a member name or '}' at byte 12]",
        ]
    );
}

#[test]
fn number_out_of_range_is_reported_at_its_pointer() {
    let entities = EntityDetector::new(EntityMode::OneByOne).schema("true".parse().unwrap());
    let reported = tells(&entities, EntityMode::OneByOne, r#"[0,{"a":[1e400]}]"#);
    assert_eq!(
        reported[1],
        r#"1 ERROR {"a":[1e400]} [INVALID_SCHEMA: number out of range at /a/0]"#
    );
}

/// The matching branch may be another one at the end.
#[test]
fn undecided_conditions_reject_nothing() {
    let schema = r#"{
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"n": {"type": "integer"}}},
        "else": {"properties": {"n": {"type": "string"}}}
    }"#;
    let mode = EntityMode::Realtime;
    let mut entities = EntityDetector::new(mode).schema(schema.parse().unwrap());
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
    let mut entities = EntityDetector::new(mode).schema(schema.parse().unwrap());
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
fn schema_can_be_derived_from_a_type() {
    let entities = EntityDetector::new(EntityMode::OneByOne).schema(Schema::of::<Day>().unwrap());
    let text = r#"[{"title":"Arrival","nights":1},{"title":"Rest","nights":-1}]"#;
    let reported = tells(&entities, EntityMode::OneByOne, text);
    assert_eq!(reported[0], r#"0 COMPLETED {"title":"Arrival","nights":1}"#);
    assert!(
        reported[1].contains("INVALID_SCHEMA: -1 is less than the minimum of 0 at /nights"),
        "{}",
        reported[1]
    );
}

#[test]
fn invalid_schema_returns_error() {
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

    /// An entity that is rejected early would be rejected at its end as well.
    #[test]
    fn valid_prefixes_are_never_rejected(document in documents(), bytes in choice_bytes(), n in 0_usize..5) {
        let schemas = [
            r#"{"type":["object","string"],"maxProperties":2}"#,
            r#"{"type":"array","maxItems":2,"items":{"type":["number","string"],"maxLength":3}}"#,
            r#"{"additionalProperties":{"type":["string","array"]}}"#,
            r#"{"oneOf":[{"type":"array","minItems":1},{"type":"object","minProperties":1}]}"#,
            r#"{"not":{"type":"object","maxProperties":1},"uniqueItems":true}"#,
        ];
        let schema: Schema = schemas[n].parse().unwrap();
        let source = &mut ByteSource::new(&bytes);
        let written = write(&document, Style::plain(Escapes::Few));
        let text = format!("[{written}]");
        let refused = |mode| {
            let mut entities = EntityDetector::new(mode).schema(schema.clone());
            let events = listen(&mut entities, mode, pieces(text.as_bytes(), &mut ByteSource::new(&bytes)));
            events.iter().any(|event| event.error.is_some())
        };
        let _ = source;
        let whole = refused(MODES[2]);
        for mode in &MODES[3..] {
            prop_assert!(refused(*mode) == whole, "{} {}", mode, text);
        }
    }
}

/// A restated member is validated when it is known, and so is the member that it restates.
#[test]
fn restated_member_is_validated_by_its_last_value() {
    let schema: Schema = r#"{"properties":{"n":{"type":"integer"},"s":{"maxLength":2}}}"#
        .parse()
        .unwrap();
    for (fragments, status) in [
        (&[r#"{"n":"x","n":1"#, "}"][..], EntityStatus::Completed),
        (
            &[r#"{"n":1,"n":2,"s":"abc","s":"#, "\"ab\"}"],
            EntityStatus::Error,
        ),
        (&[r#"{"s":"abc","s":"ab"#, "\"}"], EntityStatus::Completed),
        (&[r#"{"n":1,"n":"x"#, "\"}"], EntityStatus::Error),
    ] {
        for mode in [EntityMode::Realtime, EntityMode::Progressive] {
            let mut entities = EntityDetector::new(mode).schema(schema.clone());
            let events = listen(&mut entities, mode, fragments);
            assert_eq!(
                events.last().unwrap().status,
                status,
                "{mode}: {fragments:?}"
            );
        }
    }
}
