//! Plain whole numbers, as the numbered columns of a release hold them.

use crate::NULL_INTEGER;

/// Digits without sign, blank or leading zero, below [`NULL_INTEGER`]; an empty cell is [`NULL_INTEGER`].
pub(crate) fn plain_integer(cell: &[u8]) -> Option<u32> {
    match cell {
        [] => return Some(NULL_INTEGER),
        [b'0', _, ..] => return None,
        _ if cell.len() > 10 => return None,
        _ => {}
    }
    let digits = |n: u64, &digit: &u8| digit.is_ascii_digit().then(|| n * 10 + u64::from(digit - b'0'));
    u32::try_from(cell.iter().try_fold(0, digits)?).ok().filter(|&n| n != NULL_INTEGER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_plain() {
        for (text, number) in [("0", 0), ("7", 7), ("4294967294", 4_294_967_294), ("", NULL_INTEGER)] {
            assert_eq!(plain_integer(text.as_bytes()), Some(number), "{text}");
        }
        for text in ["4294967295", "99999999999", "-1", "+1", "01", " 1", "1.0", "1e3", "x", "\0"] {
            assert_eq!(plain_integer(text.as_bytes()), None, "{text}");
        }
    }
}
