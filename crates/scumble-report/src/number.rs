//! Numbers on axes and where there is little room.

use scumble_table::figures::{NOT_KNOWN, fixed, grouped, scientific, trimmed};

/// A figure in as few letters as tell its size, where there is no room for more.
pub(crate) fn brief(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => NOT_KNOWN.to_owned(),
        size if size >= 9.95 => fixed(value, 0),
        size if size >= 0.995 => trimmed(&fixed(value, 1)),
        size if size >= 0.005 || size == 0.0 => trimmed(&fixed(value, 2)),
        _ => "~0".to_owned(),
    }
}

/// A value on an axis whose ticks are `step` apart and whose largest magnitude is `largest`.
pub(crate) fn tick(value: f64, step: f64, largest: f64) -> String {
    if !value.is_finite() || !step.is_finite() {
        return NOT_KNOWN.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if largest >= 1e15 || step < 1e-4 {
        return scientific(value);
    }
    for (from, unit, suffix) in [(1e12, 1e12, "tn"), (1e9, 1e9, "bn"), (1e6, 1e6, "M")] {
        if largest >= from {
            return format!("{}{suffix}", fixed(value / unit, decimals_for(step / unit)));
        }
    }
    fixed(value, decimals_for(step))
}

/// A whole number in as few letters as name it well enough: `9,999`, `50,000`, `2.5M`.
pub(crate) fn compact(n: u64) -> String {
    let value = n as f64;
    for (from, suffix) in [(1e15, ""), (1e12, "tn"), (1e9, "bn"), (1e6, "M")] {
        if value >= from {
            return if suffix.is_empty() { scientific(value) } else { trimmed(&fixed(value / from, 2)) + suffix };
        }
    }
    grouped(n)
}

/// As many decimals as tell apart two ticks `step` from each other.
fn decimals_for(step: f64) -> usize {
    if step >= 1.0 {
        return 0;
    }
    let places = (-step.log10() - 1e-9).ceil();
    if places.is_finite() { places.clamp(0.0, 9.0) as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brief_figures_tell_their_size() {
        for (value, text) in [
            (0.0, "0"),
            (0.001, "~0"),
            (0.0633, "0.06"),
            (0.5, "0.5"),
            (2.34, "2.3"),
            (9.96, "10"),
            (-1234.5, "−1,234"),
        ] {
            assert_eq!(brief(value), text);
        }
    }

    #[test]
    fn long_numbers_are_shortened() {
        for (n, text) in
            [(9_999, "9,999"), (50_000, "50,000"), (2_500_000, "2.5M"), (5_000_000_000, "5bn"), (u64::MAX, "1.84×10¹⁹")]
        {
            assert_eq!(compact(n), text);
        }
    }

    #[test]
    fn ticks_show_as_many_decimals_as_the_step_needs() {
        assert_eq!(tick(0.25, 0.05, 1.0), "0.25");
        assert_eq!(tick(0.3, 0.1, 1.0), "0.3");
        assert_eq!(tick(20_000.0, 5_000.0, 40_000.0), "20,000");
        assert_eq!(tick(2_500_000.0, 500_000.0, 4e6), "2.5M");
        assert_eq!(tick(-1e300, 5e299, 1e300), "−1×10³⁰⁰");
        assert_eq!(tick(0.0, 5e299, 1e300), "0");
    }
}
