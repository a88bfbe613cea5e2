//! How large the groups are.

use super::{ReleaseFacts, capital};
use crate::chart::{Axis, histogram, size_bins};
use crate::method::Method;
use crate::noun::Noun;
use crate::page::Page;
use scumble_table::figures::{counted, grouped, measure};

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    let bins = size_bins(&facts.group_sizes);
    let (one, many) = method.group();
    let Some(summary) = summary(&facts.group_sizes) else { return };
    let Noun { one: row, many: rows } = facts.row();
    let alone = format!("A {row} hides among the others of the {one}.");
    page.section(&format!("How large the {many} are")).paragraph(if summary.groups == 1 {
        format!("{alone} There is one {one}, of {}.", counted(summary.most, row, rows))
    } else if summary.least == summary.most {
        format!("{alone} Each of the {} {many} holds {}.", grouped(summary.groups), counted(summary.most, row, rows))
    } else {
        format!(
            "{alone} The {} {many} hold between {} and {} {rows}, {} on average; at \
             least half of all {rows} are in a {one} of {} or more.",
            grouped(summary.groups),
            grouped(summary.least),
            grouped(summary.most),
            measure(summary.mean),
            grouped(summary.median)
        )
    });
    let widening = bins.iter().any(|bin| bin.to - bin.from != bins[0].to - bins[0].from);
    if widening {
        page.paragraph("The bins of the figure widen to the right; each is labelled with the smallest size in it.");
    }
    page.chart(&histogram(
        &format!("{} by the number of {rows} in them", capital(many)),
        &Axis::new(&format!("{} in a {one}", capital(rows))),
        &Axis::new(&format!("Number of {many}")),
        &bins,
    ));
}

struct Summary {
    groups: u64,
    least: u64,
    most: u64,
    mean: f64,
    /// The greatest size such that at least half of all people are in groups of that size or more.
    median: u64,
}

fn summary(sizes: &[(u64, u64)]) -> Option<Summary> {
    let mut sizes: Vec<(u64, u64)> = sizes.iter().copied().filter(|&(_, groups)| groups > 0).collect();
    sizes.sort_unstable();
    let (least, most) = (sizes.first()?.0, sizes.last()?.0);
    let groups = sizes.iter().fold(0u64, |sum, &(_, groups)| sum.saturating_add(groups));
    // Wide enough for any sum of products of two 64-bit numbers that a table could hold.
    let people = |&(size, groups): &(u64, u64)| u128::from(size) * u128::from(groups);
    let total = sizes.iter().fold(0u128, |sum, pair| sum.saturating_add(people(pair)));
    let mut above = 0u128;
    let median = sizes.iter().rev().find(|pair| {
        above = above.saturating_add(people(pair));
        above >= total - above.min(total)
    });
    Some(Summary {
        groups,
        least,
        most,
        mean: total as f64 / groups as f64,
        median: median.map_or(least, |pair| pair.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_people_are_counted_not_half_of_the_groups() {
        let s = summary(&[(2, 10), (100, 1), (7, 0)]).map(|s| (s.groups, s.least, s.most, s.median));
        assert_eq!(s, Some((11, 2, 100, 100)));
        assert!(summary(&[]).is_none());
        assert!(summary(&[(u64::MAX, u64::MAX), (u64::MAX - 1, u64::MAX)]).is_some_and(|s| s.mean.is_finite()));
        assert!(summary(&[(0, 4)]).is_some_and(|s| s.mean == 0.0));
    }
}
