//! Keys of people by what the data says: a column of many values for each of which other columns say the same in all rows.
//!
//! A name tells little: `code1` may be the number of a patient. The birth year, the sex and the place of a person are the same in all
//! their rows, and that shows. A column is compared with others in the rows of some of its values only, so the test takes one pass over a
//! column and is cheap. What agrees by chance counts for nothing: agreement is held against what rows of different values would have.

use super::roles::is_whole;
use super::unfit::coded;
use super::words::{BIRTH, KEYS, NUMBER, PLACE, QUASI, SEX, is_numbered, name_parts};
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use scumble_io::RawTable;
use scumble_table::{Codes, Kind, NULL};
use std::collections::HashMap;

/// Rows that are looked at for a column.
const SAMPLE: u64 = 20_000;

/// A value with more rows is not that of one person, or tells no more of them.
const MOST_ROWS: u64 = 200;

/// Pairs of rows that chance would make differ in a column that is the same for each key. Where none differs, the chance of that
/// is about one in a hundred thousand.
const LEAST_CHANCES: f64 = 12.0;

/// The share of the differences that chance would make which may be slips: one in twenty.
const SLIPS: f64 = 0.05;

/// A household has no more rows than this on average, in a table of visits too; a hospital has.
const HOUSEHOLD_ROWS: u64 = 12;

/// Facts that are wanted where no name says what they are.
const NAMELESS_FACTS: usize = 3;

/// Whose key a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeyOf {
    Person,
    Household,
}

/// The columns whose values look like keys, by position.
pub(super) fn find(raw: &RawTable, columns: &[ColumnProfile]) -> Vec<(usize, KeyOf)> {
    let rows = raw.n_rows as u64;
    let facts: Vec<Fact<'_>> = (0..columns.len()).filter_map(|at| Fact::of(raw, columns, at)).collect();
    let is_candidate = |at: &usize| may_be_key(&columns[*at], rows);
    let found = (0..columns.len()).filter(is_candidate).filter_map(|at| {
        let key = coded(raw, &columns[at].name)?;
        Some((at, Sample::of(key, raw.n_rows).key(at, &columns[at], &facts)?))
    });
    found.collect()
}

/// True for a column of many values, each with few rows, that is no fact which others are likely to be constant with.
fn may_be_key(column: &ColumnProfile, rows: u64) -> bool {
    let parts = name_parts(&column.name);
    let many = column.distinct >= 10 && column.distinct * 50 >= rows && column.nulls * 10 <= rows;
    let repeats = column.distinct + column.nulls < rows;
    let is_whole_or_text = is_code(column) || column.kind == Some(Kind::Number) && is_whole(column);
    let could = match column.proposal {
        ColumnRole::Quasi => !QUASI.are_in(&parts) || NUMBER.are_in(&parts) && !PLACE.are_in(&parts),
        // An amount of money may well be that of one person; a number of that many digits is a code.
        ColumnRole::Sensitive => is_code(column) && column.because != Reason::DiagnosisCodes,
        // A name is no key: it tells the sex of many people, and two may have the same.
        ColumnRole::Identifying => {
            column.because != Reason::IdentifyingName
                || is_numbered(&parts)
                || KEYS.iter().any(|words| words.are_in(&parts))
        }
        _ => false,
    };
    many && repeats && is_whole_or_text && could
}

/// True for texts, and for whole numbers that all have the same number of digits, six or more.
pub(super) fn is_code(column: &ColumnProfile) -> bool {
    match (column.kind, &column.min, &column.max) {
        (Some(Kind::Nominal | Kind::Ordinal), ..) => true,
        (Some(Kind::Number), Some(min), Some(max)) => {
            is_whole(column) && min.len() == max.len() && min.len() >= 6 && !min.starts_with('-')
        }
        _ => false,
    }
}

/// A column that may be the same in all rows of a key.
struct Fact<'a> {
    at: usize,
    codes: &'a Codes,
    is_sex: bool,
    is_birth: bool,
    is_place: bool,
    /// Whether its name is of what others commonly know.
    is_known: bool,
}

impl<'a> Fact<'a> {
    fn of(raw: &'a RawTable, columns: &[ColumnProfile], at: usize) -> Option<Fact<'a>> {
        let column = &columns[at];
        let (codes, _) = coded(raw, &column.name).filter(|_| column.distinct >= 2)?;
        let parts = name_parts(&column.name);
        let is_secret = column.proposal == ColumnRole::Sensitive;
        Some(Fact {
            at,
            codes,
            is_sex: !is_secret && SEX.are_in(&parts),
            is_birth: !is_secret && BIRTH.are_in(&parts),
            is_place: PLACE.are_in(&parts),
            is_known: !is_secret && QUASI.are_in(&parts),
        })
    }
}

/// Rows of some values of a column, value by value.
struct Sample {
    rows: Vec<u32>,
    /// Where the rows of each value begin; the end at last.
    starts: Vec<usize>,
    /// Rows for each value, on average over all of them.
    rows_each: u64,
}

impl Sample {
    fn of((codes, n_codes): (&Codes, usize), n_rows: usize) -> Sample {
        let histogram = codes.histogram(n_codes);
        let repeats = |code: usize| code != NULL as usize && (2..=MOST_ROWS).contains(&histogram[code]);
        let in_all: u64 = (0..n_codes).filter(|&code| repeats(code)).map(|code| histogram[code]).sum();
        // Values are spread over the table by a step that has nothing to do with it.
        let step = in_all.div_ceil(SAMPLE).max(1);
        let is_taken = |code: usize| (code as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1u64 << 32) / step;
        let taken: Vec<bool> = (0..n_codes).map(|code| repeats(code) && is_taken(code)).collect();
        let mut rows: Vec<u32> =
            (0..n_rows).filter(|&row| taken[codes.get(row) as usize]).map(|row| row as u32).collect();
        rows.sort_by_key(|&row| codes.get(row as usize));
        let mut starts: Vec<usize> = (0..rows.len())
            .filter(|&at| at == 0 || codes.get(rows[at] as usize) != codes.get(rows[at - 1] as usize))
            .collect();
        starts.push(rows.len());
        let values = histogram.iter().skip(1).filter(|&&count| count > 0).count() as u64;
        Sample { rows, starts, rows_each: n_rows as u64 / values.max(1) }
    }

    /// Whose key the column is; nothing where other columns do not say.
    fn key(&self, own: usize, column: &ColumnProfile, facts: &[Fact<'_>]) -> Option<KeyOf> {
        let others = || facts.iter().filter(|fact| fact.at != own);
        let judged: Vec<(&Fact<'_>, Agreement)> = others().map(|fact| (fact, self.agreement(fact.codes))).collect();
        let constant: Vec<&Fact<'_>> =
            judged.iter().filter(|(_, agreement)| agreement.is_constant()).map(|(fact, _)| *fact).collect();
        let varies = judged.iter().any(|(fact, agreement)| (fact.is_sex || fact.is_birth) && agreement.varies());
        if !varies {
            let apart = self.independent(&constant);
            let is_text = column.kind != Some(Kind::Number);
            let says_person = |fact: &&Fact<'_>| fact.is_known && !fact.is_place;
            let by_name = constant.iter().any(|fact| fact.is_sex || fact.is_birth && is_text)
                || apart.len() >= 2 && apart.iter().any(says_person);
            return (by_name || apart.len() >= NAMELESS_FACTS).then_some(KeyOf::Person);
        }
        let others_vary = judged.iter().filter(|(_, agreement)| agreement.varies()).count() >= 2;
        let is_finer = |fact: &&Fact<'_>| fact.is_place && self.labels(fact.codes) * 2 < self.starts.len();
        let is_household = others_vary && self.rows_each <= HOUSEHOLD_ROWS && constant.iter().any(is_finer);
        is_household.then_some(KeyOf::Household)
    }

    /// How far rows of one value agree in a column, and how far other rows do. Pairs in which a value is missing say nothing.
    fn agreement(&self, codes: &Codes) -> Agreement {
        let mut counts: HashMap<u32, u64> = HashMap::new();
        let code = |at: usize| codes.get(self.rows[at] as usize);
        (0..self.rows.len())
            .map(code)
            .filter(|&code| code != NULL)
            .for_each(|code| *counts.entry(code).or_default() += 1);
        let n: u64 = counts.values().sum();
        let squares: u128 = counts.values().map(|&count| u128::from(count) * u128::from(count)).sum();
        let alike = squares as f64 / (n as f64 * n as f64).max(1.0);
        let (mut pairs, mut differ) = (0u64, 0u64);
        for bounds in self.starts.windows(2) {
            for at in bounds[0] + 1..bounds[1] {
                if code(at) != NULL && code(at - 1) != NULL {
                    pairs += 1;
                    differ += u64::from(code(at) != code(at - 1));
                }
            }
        }
        Agreement { differ: differ as f64, by_chance: pairs as f64 * (1.0 - alike) }
    }

    fn labels(&self, codes: &Codes) -> usize {
        let mut labels: Vec<u32> = self.rows.iter().map(|&row| codes.get(row as usize)).collect();
        labels.sort_unstable();
        labels.dedup();
        labels.len()
    }

    /// Facts of which none tells another: a code of an illness tells its chapter and its name, and these tell each other.
    fn independent<'f>(&self, facts: &[&'f Fact<'f>]) -> Vec<&'f Fact<'f>> {
        let mut by_labels: Vec<(usize, &Fact<'_>)> =
            facts.iter().map(|fact| (self.labels(fact.codes), *fact)).collect();
        by_labels.sort_by_key(|(labels, fact)| (*labels, fact.at));
        let mut apart: Vec<&Fact<'_>> = Vec::new();
        for (_, fact) in by_labels {
            if !apart.iter().any(|known| self.tells(fact.codes, known.codes)) {
                apart.push(fact);
            }
        }
        apart
    }

    /// True if one column tells another, by the first row of each value.
    fn tells(&self, from: &Codes, to: &Codes) -> bool {
        let firsts = || self.starts[..self.starts.len() - 1].iter().map(|&at| self.rows[at] as usize);
        let mut by_label: HashMap<u32, HashMap<u32, usize>> = HashMap::new();
        let mut all: HashMap<u32, usize> = HashMap::new();
        for row in firsts() {
            *by_label.entry(from.get(row)).or_default().entry(to.get(row)).or_default() += 1;
            *all.entry(to.get(row)).or_default() += 1;
        }
        let n = self.starts.len() - 1;
        let most = |counts: &HashMap<u32, usize>| counts.values().max().copied().unwrap_or(0);
        let wrong_without = n - most(&all);
        // The order in which labels are visited does not change a sum.
        let wrong_with = n - by_label.values().map(most).sum::<usize>();
        wrong_with * 5 <= wrong_without
    }
}

/// Pairs of rows of one value that differ in a column.
struct Agreement {
    differ: f64,
    /// How many would if the value told nothing.
    by_chance: f64,
}

impl Agreement {
    fn is_constant(&self) -> bool {
        self.by_chance >= LEAST_CHANCES && self.differ <= SLIPS * self.by_chance
    }

    fn varies(&self) -> bool {
        self.by_chance >= LEAST_CHANCES && self.differ > 2.0 * SLIPS * self.by_chance
    }
}
