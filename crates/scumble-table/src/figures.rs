//! Numbers as people read them, the same in messages, reports and pages.
//!
//! Everything is total: what is not a finite number is shown as words, never as `NaN` or `inf`.

/// What stands where a figure is not a finite number.
pub const NOT_KNOWN: &str = "not known";

/// A whole number with its thousands set apart: `1,234,567`.
pub fn grouped(n: u64) -> String {
    group_digits(&n.to_string())
}

/// A count with its noun: `1 group`, `2,345 groups`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A figure with at most that many decimals: `7.5`.
pub fn rounded(value: f64, most: usize) -> String {
    trimmed(&format!("{value:.most$}"))
}

/// A figure with about three significant digits, enough to compare and short enough to read.
pub fn measure(value: f64) -> String {
    if !value.is_finite() {
        return NOT_KNOWN.to_owned();
    }
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e15).contains(&size) => scientific(value),
        size => {
            let decimals = [(100.0, 0), (10.0, 1), (1.0, 2), (0.1, 3), (0.01, 4)].into_iter();
            let decimals = decimals.filter(|(from, _)| size >= *from).map(|(_, decimals)| decimals).min();
            trimmed(&fixed(value, decimals.unwrap_or(6)))
        }
    }
}

/// A share of a whole as a percentage. A share that is not nothing is never shown as `0%`, and one that is
/// not everything is never shown as `100%`.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return NOT_KNOWN.to_owned();
    }
    match share * 100.0 {
        p if p > 0.0 && p < 0.1 => "under 0.1%".to_owned(),
        p if p > 99.9 && p < 100.0 => "over 99.9%".to_owned(),
        p => format!("{}%", trimmed(&fixed(p, 1))),
    }
}

/// A share of a whole in hundredths of a per cent, for figures that are compared. As above, what is not nothing is never
/// shown as nothing, nor as everything what is not.
pub fn fine_percent(share: f64) -> String {
    if !share.is_finite() {
        return NOT_KNOWN.to_owned();
    }
    match share * 100.0 {
        p if p > 0.0 && p < 0.005 => "under 0.01%".to_owned(),
        p if (99.995..100.0).contains(&p) => "over 99.99%".to_owned(),
        p => format!("{}%", fixed(p, 2).replace(".00", "")),
    }
}

/// `value` with that many decimals and its thousands set apart. A value that rounds to nothing has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let sign = if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { "−" } else { "" };
    match text.split_once('.') {
        Some((whole, part)) => format!("{sign}{}.{part}", group_digits(whole)),
        None => format!("{sign}{}", group_digits(&text)),
    }
}

/// `2×10¹⁵`: short for what is too long or too small to write out.
pub fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let raised: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            // The other raised digits follow one another.
            c => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
        })
        .collect();
    format!("{}×10{raised}", trimmed(mantissa).replace('-', "−"))
}

/// Without the zeros at the end of a decimal fraction.
pub fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

fn group_digits(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(counted(1, "group", "groups"), "1 group");
        assert_eq!(counted(0, "group", "groups"), "0 groups");
        assert_eq!([rounded(7.5, 2), rounded(2.0 / 3.0, 4), rounded(1200.0, 2)], ["7.5", "0.6667", "1200"]);
    }

    #[test]
    fn measures_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.1234567, "0.123"),
            (0.05, "0.05"),
            (1.5, "1.5"),
            (1.732, "1.73"),
            (0.0173, "0.0173"),
            (50.0, "50"),
            (3.16e17, "3.16×10¹⁷"),
            (12.34, "12.3"),
            (1234.5, "1,234"),
            (-3.25, "−3.25"),
            (2e20, "2×10²⁰"),
            (1.5e-7, "1.5×10⁻⁷"),
            (f64::NAN, NOT_KNOWN),
            (f64::INFINITY, NOT_KNOWN),
        ] {
            assert_eq!(measure(value), text);
        }
    }

    #[test]
    fn a_share_is_never_rounded_to_nothing_or_everything() {
        assert_eq!(percent(0.0), "0%");
        assert_eq!(percent(0.0001), "under 0.1%");
        assert_eq!(percent(0.125), "12.5%");
        assert_eq!(percent(0.99999), "over 99.9%");
        assert_eq!(percent(1.0), "100%");
        assert_eq!(percent(f64::NAN), NOT_KNOWN);
    }

    #[test]
    fn figures_that_are_compared_have_two_decimals() {
        for (share, text) in [
            (0.0, "0%"),
            (0.00001, "under 0.01%"),
            (0.63, "63%"),
            (0.625, "62.50%"),
            (365.9833, "36,598.33%"),
            (-0.5, "−50%"),
            (0.99999, "over 99.99%"),
            (1.0, "100%"),
            (f64::NAN, NOT_KNOWN),
        ] {
            assert_eq!(fine_percent(share), text);
        }
    }
}
