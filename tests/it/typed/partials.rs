//! Types read from incomplete documents.

use json_chunks::{PartialMode, PartialPolicy};
use serde_json::Value as Json;

use super::types::{External, Trip};
use super::{as_type, begun};

#[test]
fn unfinished_values_follow_the_policy() {
    type List = Vec<Json>;
    let shown = PartialPolicy::default();
    for (text, partials, list) in [
        (r#"["a","b"#, shown, r#"["a","b"]"#),
        (r#"["a","b"#, shown.strings(PartialMode::Omit), r#"["a"]"#),
        (
            r#"["a","b"#,
            shown.strings(PartialMode::Zero),
            r#"["a",""]"#,
        ),
        ("[1,23", shown, "[1,23]"),
        ("[1,-", shown, "[1]"),
        ("[1,2.", shown, "[1,2]"),
        ("[1,23", shown.numbers(PartialMode::Omit), "[1]"),
        ("[1,23", shown.numbers(PartialMode::Zero), "[1,0]"),
        ("[true,t", shown, "[true,true]"),
        ("[true,t", shown.literals(PartialMode::Omit), "[true]"),
        ("[true,t", shown.literals(PartialMode::Zero), "[true,false]"),
        ("[null,n", shown, "[null,null]"),
        ("[[1],[2", shown, "[[1],[2]]"),
        ("[[1],[2", shown.arrays(PartialMode::Zero), "[]"),
        (r#"[{"a":1},{"b":2"#, shown, r#"[{"a":1},{"b":2}]"#),
        (
            r#"[{"a":1},{"b":2"#,
            shown.objects(PartialMode::Omit),
            r#"[{"a":1}]"#,
        ),
        (
            r#"[{"a":1},{"b":2"#,
            shown.objects(PartialMode::Zero),
            r#"[{"a":1},{}]"#,
        ),
        (
            r#"[{"a":1},{"b":2"#,
            PartialPolicy::complete_only(),
            r#"[{"a":1},{}]"#,
        ),
        (r#"[{"a":1},{"b"#, shown, r#"[{"a":1},{}]"#),
    ] {
        let parser = begun(text);
        let root = parser.root().unwrap();
        let read: List = root.deserialize(partials).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), list, "{text}");
        assert_eq!(root.to_json(partials), list, "{text}");
    }
}

#[test]
fn omitted_member_uses_its_default() {
    let parser = begun(r#"{"title":"Serengeti","days":[{"subtitle":"Arri"#);
    let root = parser.root().unwrap();
    let trip: Trip = root.deserialize(PartialPolicy::default()).unwrap();
    assert_eq!(
        (&*trip.title, &*trip.days[0].subtitle),
        ("Serengeti", "Arri")
    );
    let trip: Trip = root.deserialize(PartialPolicy::complete_only()).unwrap();
    assert_eq!((&*trip.title, &*trip.days[0].subtitle), ("Serengeti", ""));
    let trip: Trip = root
        .deserialize(PartialPolicy::default().objects(PartialMode::Zero))
        .unwrap();
    assert_eq!(trip, Trip::default());
}

#[test]
fn omitted_root_is_null() {
    let parser = begun(r#""abc"#);
    let root = parser.root().unwrap();
    let omit = PartialPolicy::default().strings(PartialMode::Omit);
    assert_eq!(root.deserialize::<Option<String>>(omit).unwrap(), None);
    assert_eq!(
        root.deserialize::<String>(omit).unwrap_err().to_string(),
        "invalid type: null, expected a string"
    );
}

#[test]
fn variant_is_known_when_its_name_is_complete() {
    let parser = begun(r#"["A","B"#);
    let root = parser.root().unwrap();
    let omit = PartialPolicy::default().strings(PartialMode::Omit);
    assert_eq!(
        root.deserialize::<Vec<External>>(omit).unwrap(),
        [External::A]
    );

    let parser = begun(r#"[{"D":{"a":1"#);
    let read: Vec<External> = as_type(&parser).unwrap();
    assert_eq!(read, [External::D { a: Some(1) }]);
    let read: Vec<External> = as_type(&begun(r#"["A",{"D"#)).unwrap();
    assert_eq!(read, [External::A]);
}
