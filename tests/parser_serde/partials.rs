//! Types read from documents that have not ended.

use json_chunks::{Partial, Partials};
use serde_json::Value as Json;

use super::types::{External, Trip};
use super::{as_type, begun};

#[test]
fn unfinished_values_look_as_the_policy_says() {
    type List = Vec<Json>;
    let shown = Partials::default();
    for (text, partials, list) in [
        (r#"["a","b"#, shown, r#"["a","b"]"#),
        (r#"["a","b"#, shown.strings(Partial::Omitted), r#"["a"]"#),
        (r#"["a","b"#, shown.strings(Partial::Zero), r#"["a",""]"#),
        ("[1,23", shown, "[1,23]"),
        ("[1,-", shown, "[1]"),
        ("[1,2.", shown, "[1,2]"),
        ("[1,23", shown.numbers(Partial::Omitted), "[1]"),
        ("[1,23", shown.numbers(Partial::Zero), "[1,0]"),
        ("[true,t", shown, "[true,true]"),
        ("[true,t", shown.literals(Partial::Omitted), "[true]"),
        ("[true,t", shown.literals(Partial::Zero), "[true,false]"),
        ("[null,n", shown, "[null,null]"),
        ("[[1],[2", shown, "[[1],[2]]"),
        ("[[1],[2", shown.arrays(Partial::Zero), "[]"),
        (r#"[{"a":1},{"b":2"#, shown, r#"[{"a":1},{"b":2}]"#),
        (
            r#"[{"a":1},{"b":2"#,
            shown.objects(Partial::Omitted),
            r#"[{"a":1}]"#,
        ),
        (
            r#"[{"a":1},{"b":2"#,
            shown.objects(Partial::Zero),
            r#"[{"a":1},{}]"#,
        ),
        (
            r#"[{"a":1},{"b":2"#,
            Partials::complete_only(),
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
fn an_omitted_member_is_filled_in() {
    let parser = begun(r#"{"title":"Serengeti","days":[{"subtitle":"Arri"#);
    let root = parser.root().unwrap();
    let trip: Trip = root.deserialize(Partials::default()).unwrap();
    assert_eq!(
        (&*trip.title, &*trip.days[0].subtitle),
        ("Serengeti", "Arri")
    );
    let trip: Trip = root.deserialize(Partials::complete_only()).unwrap();
    assert_eq!((&*trip.title, &*trip.days[0].subtitle), ("Serengeti", ""));
    let trip: Trip = root
        .deserialize(Partials::default().objects(Partial::Zero))
        .unwrap();
    assert_eq!(trip, Trip::default());
}

#[test]
fn what_is_omitted_itself_is_null() {
    let parser = begun(r#""abc"#);
    let root = parser.root().unwrap();
    let omit = Partials::default().strings(Partial::Omitted);
    assert_eq!(root.deserialize::<Option<String>>(omit).unwrap(), None);
    assert_eq!(
        root.deserialize::<String>(omit).unwrap_err().to_string(),
        "invalid type: null, expected a string"
    );
}

#[test]
fn a_variant_is_one_when_its_name_is_complete() {
    let parser = begun(r#"["A","B"#);
    let root = parser.root().unwrap();
    let omit = Partials::default().strings(Partial::Omitted);
    assert_eq!(
        root.deserialize::<Vec<External>>(omit).unwrap(),
        [External::A]
    );

    let parser = begun(r#"[{"D":{"a":1"#);
    let read: Vec<External> = as_type(&parser).unwrap();
    assert_eq!(read, [External::D { a: Some(1) }]);
    assert!(as_type::<Vec<External>>(&begun(r#"[{"D"#)).is_err());
}
