//! The cells of a row as text, appended to a block.

/// A cell and the comma after it.
#[inline]
pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(b',');
}

/// The last cell of a row and the end of its line.
#[inline]
pub(crate) fn push_last(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

/// The digits of a number.
#[inline]
pub(crate) fn push_number(out: &mut Vec<u8>, number: u64) {
    // 2^64 has twenty digits.
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// The last `N` digits of a number, with zeros in front.
#[inline]
pub(crate) fn push_digits<const N: usize>(out: &mut Vec<u8>, number: u32) {
    let mut digits = [b'0'; N];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_rust_writes_them() {
        for number in [0, 7, 10, 99, 100, 16_384, u64::MAX] {
            let mut out = Vec::new();
            push_number(&mut out, number);
            assert_eq!(out, number.to_string().as_bytes());
        }
    }

    #[test]
    fn digits_are_padded_and_cut() {
        let mut out = Vec::new();
        push_digits::<5>(&mut out, 1_042);
        push_digits::<2>(&mut out, 0);
        push_digits::<3>(&mut out, 98_765);
        assert_eq!(out, b"0104200765");
    }

    #[test]
    fn cells_end_in_comma_and_line_end() {
        let mut out = Vec::new();
        push_text(&mut out, "a");
        push_last(&mut out, "");
        assert_eq!(out, b"a,\n");
    }
}
