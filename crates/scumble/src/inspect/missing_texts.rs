//! Texts that probably mean a missing value: a column of numbers in which `NA` stands too becomes a column of labels, which is
//! seldom meant.

use scumble_io::{Dictionary, looks_numeric, strays};
use scumble_table::Code;

/// Texts that mean a missing value in most files that have them; compared without regard to case.
const KNOWN: &[&str] =
    &["na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "nil", "missing", "unknown", "?", "-", "--", ".", "*"];

/// Texts that are proposed for a column.
const MOST: usize = 5;

/// The texts of a column that are no numbers where all others are. Of texts that are not known to mean a missing value, only
/// those of several rows are told: what occurs once may be somebody's own.
pub(super) fn find(dictionary: &Dictionary, histogram: &[u64]) -> Vec<String> {
    let text = |code: Code| dictionary.text(code);
    let is_known = |code: &Code| KNOWN.contains(&text(*code).trim().to_lowercase().as_str());
    let is_common = |code: &Code| histogram[*code as usize] > 1;
    let mut found: Vec<Code> =
        strays(dictionary).into_iter().filter(|code| is_known(code) || is_common(code)).collect();
    if found.is_empty() {
        // Among few numbers, a text must be known.
        let codes = 1..=dictionary.len() as Code;
        let others: Vec<Code> = codes.filter(|&code| !looks_numeric(text(code))).take(MOST + 1).collect();
        let numbers = dictionary.len().saturating_sub(others.len());
        if numbers >= 2 && others.iter().all(is_known) && others.len() <= MOST {
            found = others;
        }
    }
    found.sort_by_key(|&code| std::cmp::Reverse(histogram[code as usize]));
    found.into_iter().take(MOST).map(|code| text(code).to_string()).collect()
}
