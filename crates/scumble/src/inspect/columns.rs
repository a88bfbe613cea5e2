//! One column at a time.

use super::roles::{self, Proposal};
use rayon::prelude::*;
use scumble_io::{RawColumn, RawTable, detect};
use scumble_table::{Decimal, NULL, date_text, parse_date};
use serde::Serialize;

/// What a column holds.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnProfile {
    /// Name in the header.
    pub name: String,
    /// Type that its values suggest.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Distinct values, null not counted.
    pub distinct: u64,
    /// Empty cells.
    pub nulls: u64,
    /// Rows whose value nobody else has.
    pub unique_rows: u64,
    /// Share of the most common value, null among them.
    pub top_share: f64,
    /// Least value of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Greatest value of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// The role it could play.
    pub proposal: Proposal,
    /// Why.
    pub because: &'static str,
}

/// Profiles all columns.
pub(crate) fn profile(raw: &RawTable) -> Vec<ColumnProfile> {
    (0..raw.names.len()).into_par_iter().filter_map(|at| one(raw, at)).collect()
}

fn one(raw: &RawTable, at: usize) -> Option<ColumnProfile> {
    let RawColumn::Text { dictionary, codes } = &raw.columns[at] else { return None };
    let histogram = codes.histogram(dictionary.len() + 1);
    let kind = detect(dictionary);
    let texts = || (1..=dictionary.len() as u32).map(|code| dictionary.text(code));
    let (min, max) = match kind {
        scumble_table::Kind::Number => {
            let numbers = || texts().filter_map(Decimal::parse);
            (numbers().min().map(|d| d.to_string()), numbers().max().map(|d| d.to_string()))
        }
        scumble_table::Kind::Date => {
            let days = || texts().filter_map(parse_date);
            (days().min().map(date_text), days().max().map(date_text))
        }
        _ => (None, None),
    };
    let rows = raw.n_rows as u64;
    let mut profile = ColumnProfile {
        name: raw.names[at].clone(),
        kind: kind.name(),
        distinct: dictionary.len() as u64,
        nulls: histogram[NULL as usize],
        unique_rows: histogram[1..].iter().filter(|&&n| n == 1).count() as u64,
        top_share: histogram.iter().copied().max().unwrap_or(0) as f64 / rows.max(1) as f64,
        min,
        max,
        proposal: Proposal::Quasi,
        because: "",
    };
    (profile.proposal, profile.because) = roles::propose(&profile, rows);
    Some(profile)
}
