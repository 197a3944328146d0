//! Values that are kept exactly where `serde_json` loses or copies.

use std::collections::BTreeMap;
use std::num::NonZeroU128;

use json_chunks::PartialPolicy;
use serde::Deserialize;
use serde_json::Value as Json;

use super::types::{Decimal, External, Untagged};
use super::{as_type, error, parsed};

#[test]
fn integers_are_exact_to_128_bits() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Wide {
        most: u128,
        least: i128,
        not_zero: NonZeroU128,
    }
    let parser = parsed(
        r#"{"most": 340282366920938463463374607431768211455,
            "least": -170141183460469231731687303715884105728,
            "not_zero": 18446744073709551617}"#,
    );
    let wide: Wide = as_type(&parser).unwrap();
    assert_eq!((wide.most, wide.least), (u128::MAX, i128::MIN));
    assert_eq!(wide.not_zero.get(), 18_446_744_073_709_551_617);
}

#[test]
fn number_read_as_string_is_its_exact_text() {
    let parser = parsed(r#"[1.10, 1e400, -0, "2.50", 123456789012345678901234567890.5]"#);
    let texts: Vec<&str> = as_type(&parser).unwrap();
    let exact = [
        "1.10",
        "1e400",
        "-0",
        "2.50",
        "123456789012345678901234567890.5",
    ];
    assert_eq!(texts, exact);
    let decimals: Vec<Decimal> = as_type(&parser).unwrap();
    assert_eq!(decimals, exact.map(|text| Decimal(text.to_owned())));

    // Types that accept anything, and names of variants, do not receive numbers as strings.
    assert_eq!(as_type::<Json>(&parsed("1.5")).unwrap(), 1.5);
    assert_eq!(
        as_type::<Untagged>(&parsed("7")).unwrap(),
        Untagged::Number(7)
    );
    assert_eq!(
        error::<External>(&parsed("0")),
        "invalid type: integer `0`, expected string or map"
    );
}

#[test]
fn floats_are_the_closest_to_the_text() {
    for text in [
        "1.10",
        "0.1",
        "2.2250738585072011e-308",
        "9007199254740993",
        "1e23",
        "4e-324",
    ] {
        let parser = parsed(text);
        let float: f64 = as_type(&parser).unwrap();
        assert_eq!(
            float.to_bits(),
            text.parse::<f64>().unwrap().to_bits(),
            "{text}"
        );
    }
    // As f64 it would be 1.
    let parser = parsed("1.00000005960464484");
    let float: f32 = as_type(&parser).unwrap();
    assert_eq!(float.to_bits(), 1.000_000_1_f32.to_bits());
    assert_eq!(
        error::<f64>(&parsed("[1e400]")),
        "invalid type: sequence, expected f64"
    );
    assert_eq!(error::<f64>(&parsed("-1e400")), "number out of range");
}

#[test]
fn strings_are_borrowed_escaped_or_not() {
    let parser = parsed(r#"{"plain": "x", "escaped": "\u00e9\n", "both": ["y", "\\"]}"#);
    let texts: BTreeMap<&str, Json> = as_type(&parser).unwrap();
    assert_eq!(texts.len(), 3);
    let plain: &str = parser
        .pointer("/plain")
        .unwrap()
        .deserialize(PartialPolicy::default())
        .unwrap();
    let escaped: &str = parser
        .pointer("/escaped")
        .unwrap()
        .deserialize(PartialPolicy::default())
        .unwrap();
    let both: Vec<&str> = parser
        .pointer("/both")
        .unwrap()
        .deserialize(PartialPolicy::default())
        .unwrap();
    assert_eq!((plain, escaped, both), ("x", "é\n", vec!["y", "\\"]));
    let bytes: &[u8] = parser
        .pointer("/plain")
        .unwrap()
        .deserialize(PartialPolicy::default())
        .unwrap();
    assert_eq!(bytes, b"x");
}
