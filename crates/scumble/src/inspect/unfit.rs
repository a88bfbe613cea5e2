//! Columns that are no quasi-identifiers although others may know them: what a release would show of them gives people away
//! or is of no use, and `publish` would refuse some of them.

use super::words::{BODY, BODY_SIZE, BODY_WEIGHT, SURVEY_WEIGHT, name_parts};
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use crate::refusals::is_near_unique;
use crate::refusals::notation::Notation;
use scumble_io::{Dictionary, RawColumn, RawTable};
use scumble_table::{Codes, Decimal, Kind, Persons, RowClasses, class_members};

/// The k that a job to start from asks for.
const K: u64 = 5;

/// The same in a table of so many people.
pub(super) fn proposed_k(people: u64) -> u64 {
    people.clamp(1, K)
}

/// Groups are sought over no more quasi-identifiers than these: rows are packed into places for so many.
const MOST_QUASI: usize = 64;

/// Leaves out what is more than can be published: the last columns of which nothing but their presence speaks for others knowing
/// them, then the last ones.
pub(super) fn drop_beyond_most(columns: &mut [ColumnProfile]) {
    let mut order: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].proposal == ColumnRole::Quasi).collect();
    let n = order.len();
    order.sort_by_key(|&at| (columns[at].because != Reason::MayBeKnown, std::cmp::Reverse(at)));
    for at in order.into_iter().take(n.saturating_sub(MOST_QUASI)) {
        (columns[at].proposal, columns[at].because) = (ColumnRole::Dropped, Reason::TooMany { most: MOST_QUASI });
    }
}

/// Fewer different numbers than these are codes of classes, not weights.
const CODES: u64 = 20;

/// A label with fewer rows than this is nearly that of one person.
const VERY_FEW: u64 = 3;

/// True where nine in ten rows have a label that very few have, in a table that is large enough to tell.
pub(super) fn rarely_alike(column: &ColumnProfile, histogram: &[u64]) -> bool {
    let rows: u64 = histogram.iter().sum();
    let rare: u64 = histogram[1..].iter().filter(|&&count| count < VERY_FEW).sum();
    let is_text = matches!(column.kind, Some(Kind::Nominal | Kind::Ordinal));
    is_text && rows >= 20 && rare * 10 >= rows * 9
}

/// `6:05`, `06:05:00`, `06:05:00.25`.
fn is_time_of_day(text: &str) -> bool {
    let parts: Vec<&str> = text.trim().split(':').collect();
    let below = |part: &str, limit: u32| {
        (1..=2).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse().is_ok_and(|n: u32| n < limit)
    };
    match parts[..] {
        [hours, minutes] => below(hours, 25) && minutes.len() == 2 && below(minutes, 60),
        [hours, minutes, seconds] => {
            let whole = seconds.split_once('.').map_or(seconds, |(whole, _)| whole);
            below(hours, 25) && minutes.len() == 2 && below(minutes, 60) && below(whole, 61)
        }
        _ => false,
    }
}

/// Why a column is unfit by what its cells look like; nothing where it is not, or has a role that does not publish it in boxes.
/// A name that says what the column is counts more.
pub(super) fn by_look(column: &ColumnProfile, dictionary: &Dictionary, histogram: &[u64]) -> Option<Reason> {
    let unique = column.because == Reason::NearlyAllDifferent;
    let secret = column.because == Reason::SecretName && rarely_alike(column, histogram);
    if !(column.proposal == ColumnRole::Quasi || column.proposal == ColumnRole::Identifying && unique || secret) {
        return None;
    }
    match column.kind? {
        Kind::Number => (!secret && is_weight(column)).then_some(Reason::SurveyWeight),
        Kind::Nominal => {
            let texts = || (1..=dictionary.len() as u32).map(|code| dictionary.text(code));
            if is_free_text(texts(), &histogram[1..]) {
                return Some(Reason::FreeText);
            }
            if dictionary.len() > 1 && texts().all(is_time_of_day) {
                return Some(Reason::ClockTimes);
            }
            Some(match Notation::of(texts())? {
                Notation::Timestamp => Reason::TimesOfDay,
                Notation::DecimalComma => Reason::DecimalComma { secret },
                Notation::DayFirst | Notation::MonthFirst | Notation::Ambiguous | Notation::YearFirst => {
                    Reason::OtherDates
                }
            })
        }
        Kind::Date | Kind::Ordinal => None,
    }
}

fn is_weight(column: &ColumnProfile) -> bool {
    let parts = name_parts(&column.name);
    let positive =
        |text: &Option<String>| text.as_deref().and_then(Decimal::parse).is_some_and(|number| number >= Decimal::ZERO);
    SURVEY_WEIGHT.are_in(&parts) && !BODY.are_in(&parts) && positive(&column.min) && column.distinct >= CODES
}

/// Takes back what was said of weights where other columns show that they are those of bodies.
pub(super) fn body_weights(columns: &mut [ColumnProfile]) {
    if !columns.iter().any(|column| BODY_SIZE.are_in(&name_parts(&column.name))) {
        return;
    }
    for column in columns.iter_mut().filter(|column| column.because == Reason::SurveyWeight) {
        if BODY_WEIGHT.are_in(&name_parts(&column.name)) {
            (column.proposal, column.because) = (ColumnRole::Quasi, Reason::CommonlyKnown);
        }
    }
}

/// Texts that are long, of several words, and mostly different.
fn is_free_text<'a>(texts: impl Iterator<Item = &'a str>, counts: &[u64]) -> bool {
    let (mut n, mut chars, mut blanks) = (0u64, 0u64, 0u64);
    for text in texts {
        n += 1;
        chars += text.chars().count() as u64;
        blanks += text.split_whitespace().count().saturating_sub(1) as u64;
    }
    let rows: u64 = counts.iter().sum();
    // On average forty letters in five words, and a text is seldom written twice.
    n >= 5 && chars >= 40 * n && blanks >= 4 * n && n * 2 > rows
}

/// Whose row each row is by the columns that are proposed to say so; nothing where none is.
pub(super) fn persons(raw: &RawTable, columns: &[ColumnProfile]) -> Option<Persons> {
    let keys: Vec<(&Codes, usize)> = columns
        .iter()
        .filter(|column| column.proposal == ColumnRole::Person)
        .filter_map(|column| coded(raw, &column.name))
        .collect();
    (!keys.is_empty()).then(|| Persons::from_keys(raw.n_rows, &keys))
}

/// The codes of a column that was read as texts, and how many there are.
pub(super) fn coded<'a>(raw: &'a RawTable, name: &str) -> Option<(&'a Codes, usize)> {
    let at = raw.names.iter().position(|known| known == name)?;
    match &raw.columns[at] {
        RawColumn::Text { dictionary, codes } => Some((codes, dictionary.len() + 1)),
        RawColumn::Integer(_) | RawColumn::Skipped => None,
    }
}

/// Nominal columns most of whose rows have a label that hardly anybody else has are not proposed as quasi: sets of such labels
/// list people's exact values, and `publish` refuses them.
pub(super) fn drop_near_unique(raw: &RawTable, columns: &mut [ColumnProfile], persons: Option<&Persons>) {
    let k = proposed_k(persons.map_or(raw.n_rows, Persons::n) as u64).max(2);
    let is_candidate = |column: &&mut ColumnProfile| {
        let is_code = column.kind == Some(Kind::Ordinal) && column.because == Reason::MayBeKnown;
        column.proposal == ColumnRole::Quasi && (column.kind == Some(Kind::Nominal) || is_code)
    };
    for column in columns.iter_mut().filter(is_candidate) {
        let Some((codes, n_codes)) = coded(raw, &column.name) else { continue };
        let rows = codes.histogram(n_codes);
        let people = match persons {
            None => rows.clone(),
            Some(persons) => {
                let mut pairs = RowClasses::new(raw.n_rows);
                pairs.push(persons.n(), |row| persons.of_rows()[row]);
                pairs.push(n_codes, |row| codes.get(row));
                let (of_row, n) = pairs.finish();
                let mut people = vec![0u64; n_codes];
                for (first, _) in class_members(&of_row, n) {
                    people[codes.get(first as usize) as usize] += 1;
                }
                people
            }
        };
        let rare = rows.iter().zip(people).filter(|(_, people)| *people < k).map(|(rows, _)| rows).sum();
        if is_near_unique(rare, raw.n_rows as u64) {
            (column.proposal, column.because) = (ColumnRole::Dropped, Reason::RareLabels { k });
        }
    }
}
