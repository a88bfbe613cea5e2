//! Codes by their first characters: `13053`, `1305*`, `130**`.

use scumble_table::{Domain, Error, Hierarchy, Monitor, Result};

/// The shortest texts that are taken for codes without being asked.
const LEAST_LENGTH: usize = 3;

/// Masks of a hierarchy; of longer codes some steps are left out.
const MOST_LEVELS: usize = 5;

/// True if the labels look like codes: letters and digits, the same length, a digit in each. Words of one length are
/// no codes, for their first letters mean nothing.
pub(super) fn are_codes(domain: &Domain) -> bool {
    let texts = texts(domain);
    let length = texts.first().map_or(0, Vec::len);
    let code = |text: &Vec<char>| {
        text.len() == length && text.iter().all(char::is_ascii_alphanumeric) && text.iter().any(char::is_ascii_digit)
    };
    length >= LEAST_LENGTH && texts.iter().all(code) && lengths_that_join(&texts, Monitor::silent()).len() > 1
}

fn texts(domain: &Domain) -> Vec<Vec<char>> {
    domain.codes().map(|code| domain.text(code).chars().collect()).collect()
}

/// Lengths of prefixes, long to short, at which texts are joined that were apart before; 0, which joins all, is last.
fn lengths_that_join(texts: &[Vec<char>], monitor: Monitor<'_>) -> Vec<usize> {
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    let distinct = |length: usize| {
        let mut prefixes: Vec<&[char]> = texts.iter().map(|text| &text[..length.min(text.len())]).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        prefixes.len()
    };
    let mut lengths = Vec::new();
    let mut before = texts.len();
    for length in (1..longest).rev().take_while(|_| !monitor.is_cancelled()) {
        let now = distinct(length);
        if now < before && now > 1 {
            lengths.push(length);
            before = now;
        }
    }
    lengths.push(0);
    lengths
}

/// The tree of masked codes. Texts of different length are masked up to the length of the longest, so that `A1*` is
/// whatever begins with `A1`, the text `A1` itself included.
pub(super) fn tree(column: &str, domain: &Domain, monitor: Monitor<'_>) -> Result<Hierarchy> {
    let texts = texts(domain);
    let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
    let mut lengths = lengths_that_join(&texts, monitor);
    monitor.check()?;
    lengths.pop();
    if lengths.len() > MOST_LEVELS {
        let n = lengths.len();
        lengths = (0..MOST_LEVELS).map(|i| lengths[i * (n - 1) / (MOST_LEVELS - 1)]).collect();
    }
    let rows: Vec<Vec<String>> = texts
        .iter()
        .map(|text| {
            let mask = |&length: &usize| -> String {
                let kept = length.min(text.len());
                text[..kept].iter().copied().chain(std::iter::repeat_n('*', longest - kept)).collect()
            };
            let mut row = vec![text.iter().collect()];
            row.extend(lengths.iter().map(mask));
            row.push("*".into());
            row
        })
        .collect();
    Hierarchy::from_rows(&format!("the masked values of `{column}`"), &rows, &[]).map_err(|error| match error {
        Error::Data { reason, .. } => {
            Error::request("kind", "prefix", format!("the values of `{column}` cannot be masked: {reason}"))
                .hint("try another kind, or write the hierarchy yourself")
        }
        other => other,
    })
}
