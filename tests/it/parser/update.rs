//! The result of a push: its text, its events, and their paths.

use json_chunks::{Change, Event, Kind, Parser, PartialPolicy, Update};

/// Each event in one line.
fn lines(update: Update<'_>) -> Vec<String> {
    update.events().map(line).collect()
}

fn line(event: Event<'_>) -> String {
    let path = event.path;
    match event.change {
        Change::Started(kind) => format!("{path} {kind:?}"),
        Change::Appended(text) => format!("{path} + {text}"),
        Change::Completed(value) => format!("{path} = {}", value.to_json(PartialPolicy::default())),
        other => panic!("{other:?}"),
    }
}

/// A number has no terminator of its own, so what can't follow it says nothing about its end.
#[test]
fn number_is_complete_only_if_what_follows_is_valid() {
    for (text, multiple, is_complete) in [
        ("12x", false, false),
        ("1_000", false, false),
        ("1,250", false, false),
        ("12]", false, false),
        ("12\"\"", false, false),
        ("12 x", false, true),
        ("12\n]", false, true),
        ("1,250", true, false),
        ("12true", true, false),
        ("12x", true, false),
        ("12[]]", true, true),
        ("12 x", true, true),
        ("[12x", false, false),
        ("[12:", false, false),
        ("[12 x", false, true),
        ("[12,x", false, true),
        // The number has ended; it is the bracket that is wrong.
        ("[12}", false, true),
        ("[0, 1, 2, 3, 12x, 5]", false, false),
        ("{\"number\":12x,\"b\":1}", false, false),
    ] {
        for split in 0..text.len() {
            let mut parser = Parser::new().multiple_values(multiple);
            let mut completed = false;
            let (start, rest) = text.split_at(split);
            for fragment in [start, rest] {
                let _ = parser.push(fragment);
                let is_end = |event: Event<'_>| match event.change {
                    Change::Completed(value) => value.as_number().is_some_and(|n| n.len() > 1),
                    _ => false,
                };
                completed |= parser.last_update().events().any(is_end);
            }
            assert!(parser.finish().is_err());
            assert_eq!(completed, is_complete, "{text} {split} {multiple}");
        }
    }
}

#[test]
fn update_reports_the_changes_of_its_fragment() {
    let mut parser = Parser::new();
    for (fragment, expected) in [
        (r#"{"a"#, &[" Object"][..]),
        (r#"": "x"#, &["/a String", "/a + x"]),
        ("yz", &["/a + yz"]),
        (r"\", &[]),
        ("n", &["/a + \n"]),
        (
            r#"","b":[1"#,
            &["/a = \"xyz\\n\"", "/b Array", "/b/0 Number", "/b/0 + 1"],
        ),
        ("2", &["/b/0 + 2"]),
        (", ", &["/b/0 = 12"]),
        ("tr", &["/b/1 True"]),
        ("ue", &["/b/1 = true"]),
        (
            r#",null,"",{}]"#,
            &[
                "/b/2 Null",
                "/b/2 = null",
                "/b/3 String",
                "/b/3 = \"\"",
                "/b/4 Object",
                "/b/4 = {}",
                "/b = [12,true,null,\"\",{}]",
            ],
        ),
        ("", &[]),
        ("} ", &[r#" = {"a":"xyz\n","b":[12,true,null,"",{}]}"#]),
        ("\n", &[]),
    ] {
        assert_eq!(
            lines(parser.push(fragment).unwrap()),
            expected,
            "{fragment}"
        );
        assert_eq!(lines(parser.last_update()), expected, "{fragment} again");
    }
    assert_eq!(parser.finish().unwrap().events().len(), 0);
}

#[test]
fn finish_completes_a_number() {
    let mut parser = Parser::new();
    let update = parser.push(b"-1.50").unwrap();
    assert!(!update.is_complete());
    assert_eq!(lines(update), [" Number", " + -1.50"]);
    let update = parser.finish().unwrap();
    assert_eq!(lines(update), [" = -1.50"]);
    assert!(update.is_complete());
    assert_eq!((update.start(), update.end(), update.text()), (5, 5, ""));
}

#[test]
fn half_character_is_held() {
    let mut parser = Parser::new();
    let mut push = |fragment: &[u8]| {
        let update = parser.push(fragment).unwrap();
        let place = update.start()..update.end();
        (update.text().to_owned(), place, lines(update))
    };
    let reported = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        push(b"\"\xf0\x9f"),
        ("\"".to_owned(), 0..1, reported(&[" String"]))
    );
    assert_eq!(push(b"\x98"), (String::new(), 1..1, reported(&[])));
    assert_eq!(
        push(b"\x80!"),
        ("😀!".to_owned(), 1..6, reported(&[" + 😀!"]))
    );
    // Half a surrogate pair is half a character as well.
    assert_eq!(
        push(br"\ud83d"),
        (r"\ud83d".to_owned(), 6..12, reported(&[]))
    );
    assert_eq!(push(br"\ude"), (r"\ude".to_owned(), 12..16, reported(&[])));
    assert_eq!(push(b"00"), ("00".to_owned(), 16..18, reported(&[" + 😀"])));
    // An unpaired one becomes visible when it is known to be unpaired.
    assert_eq!(
        push(br"\ud83d"),
        (r"\ud83d".to_owned(), 18..24, reported(&[]))
    );
    assert_eq!(
        push(b"-"),
        ("-".to_owned(), 24..25, reported(&[" + \u{FFFD}-"]))
    );
}

#[test]
fn failed_push_reports_events_before_the_error() {
    let mut parser = Parser::new();
    parser.push(br#"{"a":"x"#).unwrap();
    let error = parser.push(br#"y","b":1,]"#).unwrap_err();
    assert_eq!(error.offset(), 16);
    let reported = ["/a + y", "/a = \"xy\"", "/b Number", "/b + 1", "/b = 1"];
    assert_eq!(lines(parser.last_update()), reported);
}

#[test]
fn path_has_depth_and_pointer() {
    let mut parser = Parser::new();
    let update = parser.push(br#"{"a/b~\n":[{},[7]]}"#).unwrap();
    let started: Vec<_> = update
        .events()
        .filter(|event| matches!(event.change, Change::Started(_)))
        .map(|event| event.path)
        .collect();
    let [root, list, first, second, seven] = started[..] else {
        panic!("{started:?}");
    };
    assert!(root.is_root() && !list.is_root());
    assert!(root.parent().is_none() && root.name().is_none() && root.index().is_none());
    assert_eq!((root.depth(), root.to_string()), (0, String::new()));

    assert_eq!(list.name().as_deref(), Some("a/b~\n"));
    assert_eq!((list.index(), list.depth()), (None, 1));
    assert_eq!(list.to_pointer(), "/a~1b~0\n");
    assert_eq!(list, "/a~1b~0\n");
    assert!(list.parent().unwrap().is_root());

    assert_eq!((first.index(), second.index()), (Some(0), Some(1)));
    assert_eq!((first.name(), second.name()), (None, None));
    assert_eq!((seven.depth(), seven.index()), (3, Some(0)));
    assert_eq!(seven.to_string(), "/a~1b~0\n/1/0");
    assert_eq!(format!("{seven:?}"), format!("{:?}", "/a~1b~0\n/1/0"));
    assert_eq!(seven.parent().unwrap(), *second.to_pointer());
    assert_eq!(seven.value().as_number(), Some("7"));
    assert_eq!(list.value().kind(), Kind::Array);
    // The pointer finds the value.
    assert_eq!(
        parser.pointer("/a~1b~0\n/1/0").unwrap().as_number(),
        Some("7")
    );
}

#[test]
fn duplicate_members_have_the_same_path() {
    let mut parser = Parser::new();
    let update = parser.push(br#"{"a":1,"a":"x"}"#).unwrap();
    let reported = [
        "/a Number",
        "/a + 1",
        "/a = 1",
        "/a String",
        "/a + x",
        "/a = \"x\"",
    ];
    assert_eq!(lines(update)[1..7], reported);
}

#[test]
fn debug_contains_no_payload() {
    let mut parser = Parser::new();
    let update = parser
        .push(br#"{"password":"hunter2","n":[4711]}"#)
        .unwrap();
    let mut said = vec![format!("{update:?} {:?}", update.events())];
    let root = parser.root().unwrap();
    said.push(format!("{root:?} {:?}", root.members()));
    said.push(format!("{parser:?} {:?}", root.elements()));
    said.push(format!("{:?}", parser.push(b"hunter2").unwrap_err()));
    let said = said.concat();
    for payload in ["hunter2", "password", "4711"] {
        assert!(!said.contains(payload), "{said}");
    }
}
