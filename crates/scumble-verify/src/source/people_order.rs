//! Whether the order of people and their numbers give away the order of the source, or whose value is greater.
//!
//! A publisher of exact quasi-identifiers could put people in the order of their own sensitive values, or number them in that
//! order. The tables of the release do not show it, since values stand in another order or in another table. Only the source
//! does.

use super::text_column;
use crate::chance::FALSE_ALARM;
use crate::order::follows;
use scumble_io::RawTable;
use scumble_release::{Exact, UNPUBLISHED, problems, value_map};
use scumble_table::Result;

/// Tests of one order.
const TESTS: usize = 2;

/// Says whether rows, or rows by their tuple numbers, follow people's own values or, by their numbers, the source. Given are
/// published rows and the source rows that they must be.
pub(super) fn check(
    tables: &Exact,
    links: &[(u32, u32)],
    tuples: Option<&[u32]>,
    raw: &RawTable,
) -> Result<Result<String, String>> {
    let mut orders = vec![("the rows", links.to_vec())];
    if let Some(tuples) = tuples {
        let mut numbered = links.to_vec();
        numbered.sort_by_key(|link| tuples.get(link.0 as usize));
        orders.push(("the tuple numbers", numbered));
    }
    let mut sequences: Vec<(String, Vec<u32>)> = Vec::new();
    for (at, (what, links)) in orders.iter().enumerate() {
        if at > 0 {
            sequences
                .push((format!("{what} follow the order of the source"), links.iter().map(|link| link.1).collect()));
        }
        for values in tables.groupings.iter().flat_map(|grouping| &grouping.sensitive.values) {
            let name = values.column.name();
            let (source, codes) = text_column(raw, name)?;
            let map = value_map(&values.domain, source);
            let own = links.iter().map(|link| map[codes.get(link.1 as usize) as usize]);
            let own = own.filter(|&code| code != UNPUBLISHED).collect();
            sequences.push((format!("{what} follow people's own values of `{name}`"), own));
        }
    }
    let tests = sequences.len() * TESTS;
    let found = sequences.into_iter().filter(|(_, ranks)| follows(ranks, tests)).map(|(words, _)| words).collect();
    let n = links.len();
    Ok(problems(found, || match n {
        0 => "nothing could be checked: nobody can be found again by exact quasi-identifiers".into(),
        _ => format!("{n} people stand and are numbered as chance has it; false alarms below {FALSE_ALARM:e}"),
    }))
}
