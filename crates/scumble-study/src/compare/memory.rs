//! What processes need of memory, as the system tells it.

use scumble::{Error, Result};
pub(super) use scumble_platform::{peak_memory as own_peak, resident_memory as resident};

/// Bytes from a text such as `4G`, `512M` or `800000000`.
///
/// # Errors
/// If it is no such text, or less than any run needs.
pub fn parse_bytes(flag: &str, text: &str) -> Result<u64> {
    let wrong = |reason: &str| Error::request(flag, text, reason).hint("such as 4G or 512M");
    let trimmed = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    let (digits, unit) = match trimmed.char_indices().last() {
        Some((at, 'k' | 'K')) => (&trimmed[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&trimmed[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&trimmed[..at], 1 << 30),
        Some((at, 't' | 'T')) => (&trimmed[..at], 1 << 40),
        _ => (trimmed, 1_u64),
    };
    let number: f64 = digits.trim().parse().map_err(|_| wrong("a number of bytes is wanted"))?;
    let bytes = number * unit as f64;
    if !(bytes.is_finite() && bytes >= LEAST as f64) {
        return Err(wrong("no run needs less than 16M"));
    }
    Ok(bytes as u64)
}

/// A process alone, before it has read anything, needs most of this.
const LEAST: u64 = 16 << 20;

/// Half of what the machine has free, so that whoever else works there goes on working; all that there can be where the
/// system does not tell.
pub fn usual_budget() -> u64 {
    scumble_platform::available_memory().map_or(u64::MAX, |bytes| (bytes / 2).max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_units() {
        let read = |text: &str| parse_bytes("--memory", text).ok();
        assert_eq!(read("512M"), Some(512 << 20));
        assert_eq!(read("1.5 GiB"), Some(3 << 29));
        assert_eq!(read("17000000"), Some(17_000_000));
        for text in ["", "G", "-1G", "nan", "inf", "1k", "4 apples", "é"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
