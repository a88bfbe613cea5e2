//! Numbers that may be codes of classes: `1`, `2`, `9` for answers. Of codes an interval says nothing, and a set of labels would.

use super::words::{CLASSES, MEASURES, name_parts};
use scumble_io::Dictionary;
use scumble_table::Kind;

/// Fewer different numbers than these are no more telling as labels: an interval of two is the set of both.
const LEAST: usize = 3;

/// More different numbers than these are hardly classes.
const MOST: usize = 20;

/// The same where the name is that of classes, such as states.
const MOST_OF_CLASSES: usize = 400;

/// Fewer rows for each number say nothing of how many there are.
const ROWS_EACH: u64 = 10;

/// Codes of classes have up to three digits.
const DIGITS: usize = 3;

/// True for a column of few whole numbers whose name does not say that they count or measure something.
pub(super) fn may_be_labels(name: &str, kind: Kind, dictionary: &Dictionary, rows: u64) -> bool {
    let n = dictionary.len();
    let is_code = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = name_parts(name);
    let most = if CLASSES.are_in(&parts) { MOST_OF_CLASSES } else { MOST };
    kind == Kind::Number
        && (LEAST..=most).contains(&n)
        && rows >= ROWS_EACH * n as u64
        && !MEASURES.are_in(&parts)
        && dictionary.iter().all(is_code)
}
