//! Levels of intervals along the order of a column.

use super::Fineness;
use crate::correlation::Rule;
use crate::correlation::nesting::refine;
use crate::pieces::starts;
use scumble_table::{Code, Cuts, Domain, Monitor};

/// Intervals of the finest level of a large column; with three halvings above it there are four levels.
const MOST_GROUPS: u64 = 16;

/// Intervals of each level, fine to coarse: half as many each time, at least two. A finest level with one value to an
/// interval would say nothing, so there are at least two values to each.
fn groups(domain: &Domain, fineness: Fineness) -> Vec<u64> {
    let most = match fineness.groups {
        Some(groups) => groups.min(domain.len() as u64),
        None => {
            let half = domain.len() as u64 / 2;
            MOST_GROUPS.min(if half < 2 { half } else { 1 << half.ilog2() })
        }
    };
    std::iter::successors(Some(most), |groups| Some(groups / 2)).take_while(|groups| *groups > 1).collect()
}

/// The least loss at each level, with the cuts of the level below to choose from.
pub(super) fn optimal(domain: &Domain, rows: &[u64], fineness: Fineness, monitor: Monitor<'_>) -> Vec<Cuts> {
    let total: u64 = rows.iter().sum();
    let mut levels: Vec<Vec<Code>> = Vec::new();
    for groups in groups(domain, fineness) {
        // Room for that number of intervals that are not quite equal, and not for one more.
        let least = (u128::from(total) * 10).div_ceil(u128::from(groups) * 10 + 6) as u64;
        let least = least.max(fineness.least.unwrap_or(1));
        let allowed = levels.last().map(Vec::as_slice);
        let next = refine(rows, &[], allowed, least, Rule::Optimal, monitor);
        keep(&mut levels, next);
    }
    texts(levels, domain)
}

/// Cuts as near to quantiles as the values allow, those of the level below from the second level on.
pub(super) fn equal_frequency(domain: &Domain, rows: &[u64], fineness: Fineness) -> Vec<Cuts> {
    // Rows up to and including each code.
    let before = starts(rows.iter().copied()).split_off(1);
    let total = u128::from(before.last().copied().unwrap_or(0));
    let mut levels: Vec<Vec<Code>> = Vec::new();
    for parts in groups(domain, fineness) {
        let wanted = |part: u64| u128::from(part) * total;
        let mut cuts: Vec<Code> = match levels.last() {
            Some(finer) => (1..parts).filter_map(|part| nearest(finer, &before, parts, wanted(part))).collect(),
            None => {
                // A value that does not occur belongs to the interval above it: no cut after such a one.
                let possible: Vec<Code> = (1..rows.len() as Code - 1).filter(|&code| rows[code as usize] > 0).collect();
                (1..parts).filter_map(|part| nearest(&possible, &before, parts, wanted(part))).collect()
            }
        };
        cuts.dedup();
        widen(&mut cuts, &before, fineness.least.unwrap_or(1));
        keep(&mut levels, cuts);
    }
    texts(levels, domain)
}

/// Of some cuts the one with the number of rows before it nearest to a quantile, the lower of two; both are in units of
/// one part of a row.
fn nearest(cuts: &[Code], before: &[u64], parts: u64, wanted: u128) -> Option<Code> {
    let at = |cut: Code| u128::from(before[cut as usize]) * u128::from(parts);
    let above = cuts.partition_point(|&cut| at(cut) < wanted);
    let (low, high) = (above.checked_sub(1).map(|below| cuts[below]), cuts.get(above).copied());
    match (low, high) {
        (Some(low), Some(high)) => Some(if wanted - at(low) <= at(high) - wanted { low } else { high }),
        (low, high) => low.or(high),
    }
}

/// Takes cuts away until every interval has rows enough: from below, and then the last where the rest is too small.
fn widen(cuts: &mut Vec<Code>, before: &[u64], least: u64) {
    let mut closed = 0;
    cuts.retain(|&cut| {
        let enough = before[cut as usize] - closed >= least;
        if enough {
            closed = before[cut as usize];
        }
        enough
    });
    let total = before[before.len() - 1];
    while cuts.last().is_some_and(|&cut| total - before[cut as usize] < least) {
        cuts.pop();
    }
}

/// Adds a level that has a cut and is not the same as the one below.
fn keep(levels: &mut Vec<Vec<Code>>, next: Vec<Code>) {
    if !next.is_empty() && levels.last() != Some(&next) {
        levels.push(next);
    }
}

fn texts(levels: Vec<Vec<Code>>, domain: &Domain) -> Vec<Cuts> {
    levels.into_iter().map(|cuts| cuts.into_iter().map(|code| domain.text(code).into()).collect()).collect()
}
