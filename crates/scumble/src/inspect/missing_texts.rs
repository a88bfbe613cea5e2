//! Texts that probably mean a missing value: a column of numbers in which `NA` stands too becomes a column of labels, which is
//! seldom meant.

use scumble_io::{Dictionary, looks_numeric, strays};
use scumble_table::{Code, Decimal, Kind};

/// Texts that mean a missing value in most files that have them; compared without regard to case.
const KNOWN: &[&str] =
    &["na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "nil", "missing", "unknown", "?", "-", "--", ".", "*"];

/// Texts that are proposed for a column.
const MOST: usize = 5;

/// The texts of a column that are no numbers where all others are. Of texts that are not known to mean a missing value, only
/// those of several rows are told: what occurs once may be somebody's own.
pub(super) fn find(kind: Kind, dictionary: &Dictionary, histogram: &[u64]) -> Vec<String> {
    match kind {
        Kind::Number => numbers(dictionary, histogram),
        Kind::Nominal => texts(dictionary, histogram),
        Kind::Date | Kind::Ordinal => Vec::new(),
    }
}

/// Numbers that stand for a missing value in many files, where they are out of the range of all others.
const NUMBERS: &[&str] = &["-9", "-99", "-999", "-9999", "-99999", "999", "9999"];

/// Such numbers of several rows: below zero where no other is, or more than twice as large as any other.
fn numbers(dictionary: &Dictionary, histogram: &[u64]) -> Vec<String> {
    let is_meant = |code: &Code| NUMBERS.contains(&dictionary.text(*code)) && histogram[*code as usize] > 1;
    let meant: Vec<Code> = (1..=dictionary.len() as Code).filter(is_meant).collect();
    let mut others = (1..=dictionary.len() as Code)
        .filter(|code| !meant.contains(code))
        .filter_map(|code| Decimal::parse(dictionary.text(code)));
    let Some(first) = others.next().filter(|_| !meant.is_empty()) else { return Vec::new() };
    let (least, greatest) = others.fold((first, first), |(least, greatest), n| (least.min(n), greatest.max(n)));
    let is_out = |text: &str| {
        let twice = greatest
            .to_string()
            .parse::<f64>()
            .is_ok_and(|greatest| text.parse().is_ok_and(|n: f64| n > 2.0 * greatest));
        if text.starts_with('-') { least >= Decimal::ZERO } else { twice }
    };
    meant.into_iter().map(|code| dictionary.text(code)).filter(|text| is_out(text)).map(String::from).collect()
}

/// Texts among numbers.
fn texts(dictionary: &Dictionary, histogram: &[u64]) -> Vec<String> {
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
