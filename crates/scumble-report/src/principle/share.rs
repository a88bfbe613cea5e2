//! Shares of a group in words.

use crate::number;

/// A positive parameter as a number, for deriving a figure from it. The parameter itself is always shown as
/// it was written.
pub(super) fn positive(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0)
}

/// A parameter that counts: people, values.
pub(super) fn whole(text: &str) -> Option<u64> {
    text.parse().ok()
}

/// One part in `parts`, to be followed by "of": `one third`, `half`, `one in 12`.
pub(super) fn one_in(parts: &str) -> Option<String> {
    const NAMES: [&str; 9] = [
        "half",
        "one third",
        "one quarter",
        "one fifth",
        "one sixth",
        "one seventh",
        "one eighth",
        "one ninth",
        "one tenth",
    ];
    let value = positive(parts)?;
    if value.fract() != 0.0 {
        return Some(format!("1/{parts}"));
    }
    Some(match value as u64 {
        0 | 1 => "all".to_owned(),
        n @ 2..=10 => NAMES[n as usize - 2].to_owned(),
        n => format!("one in {}", number::grouped(n)),
    })
}

/// The chance of one part in `parts`: `1 in 3`, or a percentage rounded up where the parts are not whole.
pub(super) fn chance_of(parts: &str) -> Option<String> {
    let value = positive(parts)?;
    Some(if value.fract() == 0.0 && value < 1e15 {
        format!("1 in {}", number::grouped(value as u64))
    } else {
        at_most_percent(1.0 / value)
    })
}

/// A fraction as a percentage, exactly, whatever its number of decimals: `0.125` is `12.5%`.
pub(super) fn percentage(fraction: &str) -> Option<String> {
    let value = fraction.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0)?;
    // More decimals than anybody asks for, then the noise of binary fractions is cut off with the zeros.
    let text = format!("{:.9}", value * 100.0);
    Some(format!("{}%", text.trim_end_matches('0').trim_end_matches('.')))
}

/// A bound as a percentage with one decimal, rounded up: a promise must not sound stronger than it is.
pub(super) fn at_most_percent(share: f64) -> String {
    // The slack keeps an exact 50% from becoming 50.1%; what is possible is never said to be impossible.
    number::percent((share * 1000.0 - 1e-9).ceil().max(1.0) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names() {
        for (parts, words) in [
            ("1", "all"),
            ("2", "half"),
            ("3", "one third"),
            ("10", "one tenth"),
            ("12", "one in 12"),
            ("2.5", "1/2.5"),
            ("4.0", "one quarter"),
        ] {
            assert_eq!(one_in(parts).as_deref(), Some(words));
        }
        for parts in ["", "x", "0", "-3", "NaN", "inf"] {
            assert_eq!(one_in(parts), None);
        }
    }

    #[test]
    fn chances_are_odds_or_percentages() {
        assert_eq!(chance_of("3").as_deref(), Some("1 in 3"));
        assert_eq!(chance_of("1.5").as_deref(), Some("66.7%"));
        assert_eq!(chance_of("1e300").as_deref(), Some("0.1%"));
        assert_eq!(chance_of("0"), None);
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(percentage("0.3").as_deref(), Some("30%"));
        assert_eq!(percentage("0.125").as_deref(), Some("12.5%"));
        assert_eq!(percentage("0.07").as_deref(), Some("7%"));
        assert_eq!(percentage("1").as_deref(), Some("100%"));
        assert_eq!(percentage("0").as_deref(), Some("0%"));
        assert_eq!(percentage("x"), None);
    }

    #[test]
    fn bounds_are_rounded_up() {
        assert_eq!(at_most_percent(2.0 / 3.0), "66.7%");
        assert_eq!(at_most_percent(1.0 / 3.0), "33.4%");
        assert_eq!(at_most_percent(0.5), "50%");
    }
}
