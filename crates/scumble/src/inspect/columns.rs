//! One column at a time.

use super::{Reason, diagnoses, labels, missing_texts, roles, unfit};
use crate::job::ColumnRole;
use rayon::prelude::*;
use scumble_io::{Dictionary, RawColumn, RawTable, detect};
use scumble_table::{Decimal, Kind, Monitor, NULL, Result, Stage, date_text, parse_date};
use serde::{Serialize, Serializer};

/// What a column holds.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnProfile {
    /// Name in the header.
    pub name: String,
    /// Type that its values suggest; none where they have no texts.
    #[serde(rename = "type", serialize_with = "type_name")]
    pub kind: Option<Kind>,
    /// Distinct values, null not counted.
    pub distinct: u64,
    /// Empty cells.
    pub nulls: u64,
    /// Rows whose value occurs once.
    pub unique_rows: u64,
    /// People who have a value that nobody else has, where it is known whose rows are whose and somebody has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_people: Option<u64>,
    /// Share of the most common value, null among them.
    pub top_share: f64,
    /// Least value of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// Greatest value of numbers and dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// Texts that probably mean a missing value, where all other values are numbers: `NA`, and `-999` out of their range.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maybe_missing: Vec<String>,
    /// Whether its numbers may be codes of classes: few whole numbers, and a name that does not say that they count or measure.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub maybe_labels: bool,
    /// The role it could play.
    #[serde(serialize_with = "by_name")]
    pub proposal: ColumnRole,
    /// Why.
    pub because: Reason,
}

impl ColumnProfile {
    /// The word for its type; `other` where its values have no texts.
    pub fn type_name(&self) -> &'static str {
        self.kind.map_or("other", Kind::name)
    }

    /// A column that was passed over, whose values have no text.
    fn passed_over(name: &str) -> ColumnProfile {
        ColumnProfile {
            name: name.to_string(),
            kind: None,
            distinct: 0,
            nulls: 0,
            unique_rows: 0,
            unique_people: None,
            top_share: 0.0,
            min: None,
            max: None,
            maybe_missing: Vec::new(),
            proposal: ColumnRole::Dropped,
            maybe_labels: false,
            because: Reason::NoText,
        }
    }
}

fn type_name<S: Serializer>(kind: &Option<Kind>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.map_or("other", Kind::name))
}

fn by_name<S: Serializer>(role: &ColumnRole, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(role.name())
}

/// Profiles all columns that were read as texts.
pub(super) fn profile(raw: &RawTable, monitor: Monitor<'_>) -> Result<Vec<ColumnProfile>> {
    monitor.begin(Stage::Inspect, Some((raw.names.len() * raw.n_rows) as u64))?;
    let one = |at: usize| match &raw.columns[at] {
        _ if monitor.is_cancelled() => None,
        RawColumn::Text { dictionary, codes } => {
            let histogram = codes.histogram(dictionary.len() + 1);
            let profile = column(&raw.names[at], dictionary, &histogram, raw.n_rows as u64);
            monitor.advance(raw.n_rows as u64);
            Some(profile)
        }
        RawColumn::Skipped => Some(ColumnProfile::passed_over(&raw.names[at])),
        RawColumn::Integer(_) => None,
    };
    let profiles = (0..raw.names.len()).into_par_iter().filter_map(one).collect();
    monitor.check()?;
    Ok(profiles)
}

fn column(name: &str, dictionary: &Dictionary, histogram: &[u64], rows: u64) -> ColumnProfile {
    let kind = detect(dictionary);
    let texts = (1..=dictionary.len() as u32).map(|code| dictionary.text(code));
    let (min, max) = match kind {
        Kind::Number => ends(texts.filter_map(Decimal::parse), |number| number.to_string()),
        Kind::Date => ends(texts.filter_map(parse_date), date_text),
        Kind::Ordinal | Kind::Nominal => (None, None),
    };
    let mut profile = ColumnProfile {
        name: name.to_string(),
        kind: Some(kind),
        distinct: dictionary.len() as u64,
        nulls: histogram[NULL as usize],
        unique_rows: histogram[1..].iter().filter(|&&n| n == 1).count() as u64,
        unique_people: None,
        top_share: histogram.iter().copied().max().unwrap_or(0) as f64 / rows.max(1) as f64,
        min,
        max,
        maybe_missing: missing_texts::find(kind, dictionary, histogram),
        maybe_labels: labels::may_be_labels(name, kind, dictionary, rows),
        proposal: ColumnRole::Quasi,
        because: Reason::MayBeKnown,
    };
    (profile.proposal, profile.because) = roles::propose(&profile, rows);
    if profile.because == Reason::MayBeKnown && diagnoses::are_codes(kind, dictionary) {
        (profile.proposal, profile.because) = (ColumnRole::Sensitive, Reason::DiagnosisCodes);
    }
    if let Some(unfit) = unfit::by_look(&profile, dictionary, histogram) {
        (profile.proposal, profile.because) = (ColumnRole::Dropped, unfit);
    }
    if profile.proposal == ColumnRole::Sensitive && unfit::rarely_alike(&profile, histogram) {
        (profile.proposal, profile.because) = match profile.unique_rows * 10 >= rows * 9 {
            true => (ColumnRole::Identifying, Reason::NearlyAllDifferent),
            false => (ColumnRole::Dropped, Reason::RareLabels { k: unfit::proposed_k(rows) }),
        };
    }
    profile.maybe_labels &= matches!(profile.proposal, ColumnRole::Quasi | ColumnRole::Sensitive);
    profile
}

/// The least and the greatest value, in words.
fn ends<T: Ord + Copy>(
    values: impl Iterator<Item = T>,
    text: impl Fn(T) -> String,
) -> (Option<String>, Option<String>) {
    let ends = values.fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((least, greatest)) => Some((value.min(least), value.max(greatest))),
    });
    (ends.map(|(least, _)| text(least)), ends.map(|(_, greatest)| text(greatest)))
}
