//! For every document, cut and behavior of the model, a join is correct, or it is not certain.

use std::cell::RefCell;

use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};
use proptest::test_runner::TestRunner;

use super::troubles::{Case, Rates, Trouble, below, case};
use super::{Outcome, compact};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{documents, large_documents};

fn styles() -> impl Strategy<Value = Style> {
    (any::<u8>(), 0..3_u8).prop_map(|(spaces, escapes)| Style {
        spaces,
        order: 0,
        escapes: match escapes {
            0 => Escapes::Few,
            1 => Escapes::Many,
            _ => Escapes::Mixed(spaces),
        },
    })
}

/// Likely joins are hardly ever wrong.
fn assert_few_are_wrong(rates: &Rates) {
    let wrong = rates.of_all("wrong likely");
    assert!(wrong < 0.005, "{wrong} of all\n{rates}");
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 600)
}

#[test]
fn random_documents_join_under_every_trouble() {
    let rates = RefCell::new(Rates::default());
    let run = |(document, style, source): (_, _, Vec<u8>)| {
        let text = write(&document, style);
        let text = text.trim();
        let mut source = ByteSource::new(&source);
        for trouble in Trouble::ALL {
            let cut = below(&mut source, text.len());
            if let Some(case) = case(text, cut, trouble, &mut source) {
                rates.borrow_mut().count(trouble, &case);
            }
        }
        Ok(())
    };
    TestRunner::new(config(1000))
        .run(&(documents(), styles(), choices()), run)
        .unwrap();
    eprintln!("{}", rates.borrow());
    assert_few_are_wrong(&rates.borrow());
    assert!(rates.borrow().of(Trouble::None, "ambiguous") < 0.1);
    *rates.borrow_mut() = Rates::default();
    TestRunner::new(config(60))
        .run(&(large_documents(), styles(), choices()), run)
        .unwrap();
    eprintln!("{}", rates.borrow());
    assert_few_are_wrong(&rates.borrow());
}

#[test]
fn small_documents_cut_at_every_byte_join_under_every_trouble() {
    let mut rates = Rates::default();
    for document in [
        r#"{"a":1,"b":[1,2,{"c":"xyz"}],"d":true}"#,
        r#"[[1],[2],[3,[4,5]],{"a":{"b":{"c":[]}}}]"#,
        r#"{"rows": [["x", 1], ["x", 1], ["y", 2]], "é": "añ\"😀\\b"}"#,
        "[\n  {\n    \"n\": 1.5e10,\n    \"m\": null\n  },\n  {\n    \"n\": -2,\n    \"m\": \"\"\n  }\n]",
        r#""just a string""#,
        "-12.5e3",
        "true",
    ] {
        for cut in 0..document.len() {
            for trouble in Trouble::ALL {
                for seed in 0..8_u8 {
                    let seeds: Vec<u8> = (0..200_u8)
                        .map(|i| i.wrapping_mul(31).wrapping_add(seed.wrapping_mul(67)))
                        .collect();
                    if let Some(case) = case(document, cut, trouble, &mut ByteSource::new(&seeds)) {
                        rates.count(trouble, &case);
                    }
                }
            }
            for overlap in 1..=cut {
                if !document.is_char_boundary(cut) || !document.is_char_boundary(cut - overlap) {
                    continue;
                }
                let (head, _) = document.split_at(cut);
                let (_, reply) = document.split_at(cut - overlap);
                rates.count(
                    Trouble::Overlap,
                    &Case {
                        first: head.into(),
                        reply: reply.into(),
                        whole: document.to_owned(),
                        damaged: None,
                    },
                );
            }
        }
    }
    eprintln!("{rates}");
    assert_few_are_wrong(&rates);
    assert!(rates.of(Trouble::None, "ambiguous") < 0.1);
}

/// Repetitive documents, with every piece of them as the next reply.
#[test]
fn repetitive_documents_never_join_wrongly() {
    let mut rates = Rates::default();
    for document in [
        "[1,1,1,1,1]",
        "[11,111,1,11]",
        "[[],[],[[],[]]]",
        "[[[[[1]]]],1]",
        r#"{"a":{"a":{"a":1}},"b":{"a":1}}"#,
        r#"["a","a",["a"],"a"]"#,
        r#"["aa,aa","a,a"]"#,
        r#"[{"a":1},{"a":1},{"a":1}]"#,
        r#"{"a":"{\"a\":1}","b":"{\"a\":1}"}"#,
        r#"["\\","\\\"","\\"]"#,
        "[1, 1 ,1,  1]",
        r#""aaaaaa""#,
    ] {
        for cut in 1..document.len() {
            for start in 0..=cut {
                for end in start..=document.len() {
                    let case = Case {
                        first: document[..cut].into(),
                        reply: document[start..end].into(),
                        whole: document[..cut.max(end)].to_owned(),
                        damaged: None,
                    };
                    rates.count(Trouble::Piece, &case);
                }
            }
        }
    }
    eprintln!("{rates}");
    assert_few_are_wrong(&rates);
    assert!(rates.of(Trouble::Piece, "ambiguous without it") < 0.01);
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn certain_replies_join_to_the_document(
        document in documents(),
        style in styles(),
        steps in proptest::collection::vec((any::<u16>(), 0..12_usize), 1..6),
    ) {
        let text = write(&document, style);
        let mut accumulator = json_chunks::join::Accumulator::new();
        let mut start = 0;
        let ends = steps.len() - 1;
        for (index, (step, overlap)) in steps.into_iter().enumerate() {
            let end = start + usize::from(step) % (text.len() - start + 1);
            let end = if index == ends { text.len() } else { end };
            let reply = &text.as_bytes()[start.saturating_sub(overlap)..end];
            let join = accumulator.push_bytes(reply);
            if !matches!(Outcome::of(&join), Outcome::Certain(_)) {
                // A join that is not certain may be wrong, and then everything after it is wrong as
                // well.
                return Ok(());
            }
            start = end;
        }
        prop_assert_eq!(compact(accumulator.text()), compact(&text));
    }

    #[test]
    fn any_bytes_are_joined_or_rejected(replies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..60), 1..4)) {
        let mut accumulator = json_chunks::join::Accumulator::new();
        for reply in replies {
            let _ = accumulator.push_bytes(&reply);
        }
    }
}
