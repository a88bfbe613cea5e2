//! The level that a release reaches for every principle, asked for or not.

use super::census::Census;
use super::judge::owned;
use rayon::prelude::*;
use scumble_principle::{Level, Test, levels, levels_of_sizes};
use scumble_release::serialize_figures;
use scumble_table::Bag;
use serde::Serialize;
use std::collections::BTreeSet;

/// The level reached for one principle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelEntry {
    /// The sensitive column; none where only the size of groups counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The name of the principle.
    pub principle: String,
    /// The strictest requirement that every group meets; none where they meet none.
    pub requirement: Option<String>,
    /// The figures behind it.
    #[serde(flatten, serialize_with = "serialize_figures")]
    pub figures: Vec<(String, String)>,
}

/// The levels of all sensitive columns; those that the sizes of groups decide stand first and once.
pub(crate) fn all(censuses: &[Census]) -> Vec<LevelEntry> {
    let sizes = censuses.iter().flat_map(|census| (0..census.n_groups()).map(|group| census.size(group)));
    let sizes: BTreeSet<u64> = sizes.map(u64::from).collect();
    let of_sizes = levels_of_sizes(sizes.iter().copied());
    let mut out: Vec<LevelEntry> = of_sizes.iter().map(|level| entry(level, None)).collect();
    let columns =
        censuses.iter().flat_map(|census| census.schema().attributes().iter().enumerate().map(move |c| (census, c)));
    for (census, (column, attribute)) in columns {
        for level in column_levels(census, column) {
            if !of_sizes.iter().any(|known| known.principle == level.principle) {
                out.push(entry(&level, Some(&attribute.name)));
            }
        }
    }
    out
}

fn entry(level: &Level, column: Option<&str>) -> LevelEntry {
    LevelEntry {
        column: column.map(String::from),
        principle: level.principle.into(),
        requirement: level.requirement.as_ref().map(ToString::to_string),
        figures: owned(&level.figures),
    }
}

/// The levels of one column.
///
/// To ask every group for its figures is slow, since most of them are far from the worst. Instead
/// the levels of a few groups are taken as requirements; a group that meets them all cannot lower
/// them (its figures round to no less), and one that does not joins the few. Levels only fall, so a
/// group that has passed need not be asked again.
fn column_levels(census: &Census, column: usize) -> Vec<Level> {
    let domain = &census.schema().attributes()[column].domain;
    let whole = census.whole(column);
    // The l of recursive (c, l)-diversity is the least number of values, so it must be right at once.
    let Some(start) =
        (0..census.n_groups()).into_par_iter().min_by_key(|&group| (census.distinct(group, column), group))
    else {
        return Vec::new();
    };
    let bag = |group: usize| {
        let mut bag = Bag::default();
        census.fill(group, column, &mut bag);
        bag
    };
    let mut few = vec![bag(start)];
    let mut found = levels(domain, whole, few.iter());
    let mut from = 0;
    let mut wave = 64;
    while from < census.n_groups() {
        let to = (from + wave).min(census.n_groups());
        let tests: Vec<Box<dyn Test>> =
            found.iter().filter_map(|level| level.requirement.as_ref()?.bind(domain, whole).ok()).collect();
        let lower: Vec<usize> = (from..to)
            .into_par_iter()
            .map_init(Bag::default, |bag, group| {
                census.fill(group, column, bag);
                tests.iter().any(|test| !test.holds(bag)).then_some(group)
            })
            .flatten_iter()
            .collect();
        if !lower.is_empty() {
            few.extend(lower.into_iter().map(bag));
            found = levels(domain, whole, few.iter());
        }
        from = to;
        // Few groups are worse than all before them, so later waves may be long.
        wave = (wave * 2).min(1 << 16);
    }
    found
}
