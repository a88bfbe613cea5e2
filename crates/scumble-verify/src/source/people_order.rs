//! Whether the order of people and their numbers give away the order of the source, or whose value is greater.
//!
//! A publisher of exact quasi-identifiers could put people in the order of their own sensitive values, in the whole table or
//! inside groups, or number them in that order. The tables of the release do not show it, since values stand in another order
//! or in another table. Only the source does.

use super::text_column;
use crate::chance::{FALSE_ALARM, is_beyond, ln_uneven};
use crate::order::follows;
use scumble_io::RawTable;
use scumble_release::{Exact, SUPPRESSED, UNPUBLISHED, problems, value_map};
use scumble_table::Result;

/// Tests of one order.
const TESTS: usize = 2;

/// People who can be found again, in one of their orders.
struct PeopleOrder {
    what: &'static str,
    /// Published rows and the source rows that they must be.
    links: Vec<(u32, u32)>,
}

/// Says whether rows, or rows by their tuple numbers, follow the rows' own values or, by their numbers, the source. Given are
/// published rows and the source rows that they must be.
pub(super) fn check(
    tables: &Exact,
    links: &[(u32, u32)],
    tuples: Option<&[u32]>,
    raw: &RawTable,
) -> Result<Result<String, String>> {
    let mut orders = vec![PeopleOrder { what: "the rows", links: links.to_vec() }];
    if let Some(tuples) = tuples {
        let mut links = links.to_vec();
        links.sort_by_key(|link| tuples.get(link.0 as usize));
        orders.push(PeopleOrder { what: "the tuple numbers", links });
    }
    let columns = tables.groupings.iter().map(|grouping| grouping.sensitive.values.len()).sum::<usize>();
    // Every column in every order, as a whole and inside groups, and the source in every order but the first.
    let tests = orders.len() * columns * (TESTS + 1) + (orders.len() - 1) * TESTS;
    let mut found = Vec::new();
    for (at, PeopleOrder { what, links }) in orders.iter().enumerate() {
        let source: Vec<u32> = links.iter().map(|link| link.1).collect();
        if at > 0 && follows(&source, tests) {
            found.push(format!("{what} follow the order of the source"));
        }
        for grouping in &tables.groupings {
            for values in &grouping.sensitive.values {
                let name = values.column.name();
                let (source, codes) = text_column(raw, name)?;
                let map = value_map(&values.domain, source);
                let own: Vec<(u32, u32)> = links
                    .iter()
                    .map(|link| (grouping.row_group[link.0 as usize], map[codes.get(link.1 as usize) as usize]))
                    .filter(|(_, code)| *code != UNPUBLISHED)
                    .collect();
                if follows(&own.iter().map(|pair| pair.1).collect::<Vec<_>>(), tests) {
                    found.push(format!("{what} follow the rows' own values of `{name}`"));
                } else if is_beyond(ln_uneven_inside(own, grouping.sizes.len()), tests) {
                    found.push(format!("{what} follow the rows' own values of `{name}` inside groups"));
                }
            }
        }
    }
    let n = links.len();
    Ok(problems(found, || match n {
        0 => "nothing could be checked: nobody can be found again by exact quasi-identifiers".into(),
        _ => format!("{n} rows stand and are numbered as chance has it; false alarms below {FALSE_ALARM:e}"),
    }))
}

/// The probability that values rise, or fall, in at least this many pairs of neighbours of one group. Given are groups and
/// values in the order that is looked at. Pairs share nobody, so they are independent coins; pairs of equal values are left out.
fn ln_uneven_inside(own: Vec<(u32, u32)>, n_groups: usize) -> f64 {
    // The first of a pair that still waits for its second, by group.
    let mut waiting: Vec<Option<u32>> = vec![None; n_groups];
    let (mut tosses, mut rising) = (0, 0);
    for (group, value) in own.into_iter().filter(|(group, _)| *group != SUPPRESSED) {
        let Some(first) = waiting[group as usize].take() else {
            waiting[group as usize] = Some(value);
            continue;
        };
        tosses += u64::from(first != value);
        rising += u64::from(first < value);
    }
    ln_uneven(tosses, rising)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_of_one_group() {
        // Two groups, interleaved: both rise, though the whole does not.
        let own: Vec<(u32, u32)> = (0..200).map(|at| (at % 2, if at % 2 == 0 { 1000 + at } else { at })).collect();
        assert!(ln_uneven_inside(own, 2) < -30.0);
        // Suppressed people and equal values are no coins.
        assert_eq!(ln_uneven_inside((0..200).map(|at| (SUPPRESSED, at)).collect(), 2), 0.0);
        assert_eq!(ln_uneven_inside((0..200).map(|at| (at % 2, 7)).collect(), 2), 0.0);
    }
}
