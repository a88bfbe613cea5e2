//! Outcomes as text and back, to the last bit.
//!
//! Readers of JSON may round a number in its last digit, and a figure that was kept would then differ from one that is
//! worked out anew. So fractions are written as texts that begin with `=`, and read by the exact parser of the language.

use scumble_table::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

/// The text of a value.
///
/// # Errors
/// Only if the value cannot be written as JSON.
pub(super) fn to_text(value: &impl Serialize) -> Result<String> {
    let tree = serde_json::to_value(value).map_err(|error| Error::bug(error.to_string()))?;
    Ok(mapped(tree, &|leaf| match leaf {
        Value::Number(number) if number.is_f64() => {
            Value::String(number.as_f64().map_or(String::new(), |number| format!("={number:?}")))
        }
        Value::String(text) if text.starts_with('=') => Value::String(format!("={text}")),
        other => other,
    })
    .to_string())
}

/// The value of a text; nothing where it is none.
pub(super) fn from_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    let tree: Value = serde_json::from_str(text).ok()?;
    let tree = mapped(tree, &|leaf| match leaf {
        Value::String(text) => match text.strip_prefix('=') {
            None => Value::String(text),
            Some(plain) if plain.starts_with('=') => Value::String(plain.into()),
            Some(number) => number.parse().ok().and_then(Number::from_f64).map_or(Value::Null, Value::Number),
        },
        other => other,
    });
    serde_json::from_value(tree).ok()
}

/// The tree with all its leaves changed.
fn mapped(value: Value, change: &dyn Fn(Value) -> Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| mapped(item, change)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, field)| (name, mapped(field, change)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        leaf => change(leaf),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_every_text_comes_back() {
        let mut seed = 1_u64;
        let mut numbers = vec![0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, f64::MAX, -0.0, 5e-324, 2.0, 1e23];
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            numbers.push((seed >> 11) as f64 / (1_u64 << 53) as f64);
        }
        let texts = ["=1", "==", "", "plain", "=x"].map(String::from).to_vec();
        let text = to_text(&(&numbers, &texts, 7_u64)).unwrap();
        let (found, words, whole): (Vec<f64>, Vec<String>, u64) = from_text(&text).unwrap();
        assert_eq!(
            found.iter().map(|n| n.to_bits()).collect::<Vec<_>>(),
            numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>()
        );
        assert_eq!((words, whole), (texts, 7));
        assert_eq!(from_text::<u64>("{"), None);
    }
}
