//! Numbers from their exact text.

use serde_core::de::{Error as _, Visitor};

use super::{DeserializeError, Result};

/// For a type that takes any number: an integer as such where 64 bits hold it, else the nearest
/// float. A negative zero is a float, because no integer is.
pub(super) fn visit_number<'a, V: Visitor<'a>>(text: &str, visitor: V) -> Result<V::Value> {
    if let Ok(value) = text.parse() {
        return visitor.visit_u64(value);
    }
    if let Ok(value @ ..0) = text.parse() {
        return visitor.visit_i64(value);
    }
    match text.parse() {
        Ok(value) if f64::is_finite(value) => visitor.visit_f64(value),
        Ok(_) | Err(_) => Err(out_of_range()),
    }
}

pub(super) fn visit_i128<'a, V: Visitor<'a>>(text: &str, visitor: V) -> Result<V::Value> {
    match text.parse() {
        Ok(value) => visitor.visit_i128(value),
        Err(_) if is_integer(text) => Err(out_of_range()),
        Err(_) => visit_number(text, visitor),
    }
}

pub(super) fn visit_u128<'a, V: Visitor<'a>>(text: &str, visitor: V) -> Result<V::Value> {
    match text.parse() {
        Ok(value) => visitor.visit_u128(value),
        Err(_) if is_integer(text) => Err(out_of_range()),
        Err(_) => visit_number(text, visitor),
    }
}

/// Rounded once: by way of an `f64` it would be twice.
pub(super) fn visit_f32<'a, V: Visitor<'a>>(text: &str, visitor: V) -> Result<V::Value> {
    match text.parse() {
        Ok(value) if f32::is_finite(value) => visitor.visit_f32(value),
        Ok(_) | Err(_) => visit_number(text, visitor),
    }
}

fn is_integer(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

#[cold]
fn out_of_range() -> DeserializeError {
    DeserializeError::custom("number out of range")
}
