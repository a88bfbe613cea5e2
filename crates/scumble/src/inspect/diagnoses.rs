//! Codes of diagnoses by their shape: a letter and two digits, and after a point what is more exact, as in ICD-10: `I48`, `E11.9`.

use scumble_io::Dictionary;
use scumble_table::Kind;

/// Fewer codes, or codes of fewer letters, may be those of wards and rooms.
const CODES: usize = 6;
const LETTERS: usize = 3;

/// One in this many texts may be something else.
const SLIPS: usize = 10;

/// True for texts that nearly all have that shape, of several letters.
pub(super) fn are_codes(kind: Kind, dictionary: &Dictionary) -> bool {
    let n = dictionary.len();
    if kind != Kind::Nominal || n < CODES {
        return false;
    }
    let mut letters = [false; 26];
    let mut found = 0;
    for text in dictionary.iter().map(str::trim).filter(|text| is_code(text)) {
        letters[usize::from(text.as_bytes()[0].to_ascii_uppercase() - b'A')] = true;
        found += 1;
    }
    (n - found) * SLIPS <= n && letters.iter().filter(|met| **met).count() >= LETTERS
}

/// Signs for a cross, a star and an exclamation mark may stand behind a code.
fn is_code(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '*', '!', '-', '†']);
    let (whole, more) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    match whole.as_bytes() {
        [letter, first, second] => {
            letter.is_ascii_uppercase() && first.is_ascii_digit() && second.is_ascii_digit() && digits(more, 4)
        }
        _ => false,
    }
}
