//! Labels by how many rows have them: rare ones are taken together, and at every level more of them.

use super::Fineness;
use scumble_table::{Code, Domain, Hierarchy, Result};
use std::cmp::Reverse;

/// The first bound where none is given, as a share of the rows: with five doublings from 1/64 the last joins labels that
/// less than a half have.
const FIRST: u64 = 64;

/// The tree: at each level the labels that fewer rows have than a bound are one group, which takes in the rarest of the
/// others if it has fewer rows itself; the bound doubles from level to level.
pub(super) fn tree(column: &str, domain: &Domain, rows: &[u64], fineness: Fineness) -> Result<Hierarchy> {
    let total: u64 = rows.iter().sum();
    let mut order: Vec<Code> = domain.codes().collect();
    order.sort_by_key(|&code| (Reverse(rows[code as usize]), code));
    let mut alone: Vec<usize> = Vec::new();
    let mut bound = fineness.least.unwrap_or(total.div_ceil(FIRST)).max(1);
    let mut before = order.len();
    while bound <= total {
        let now = kept(&order, rows, bound);
        if now < before {
            alone.push(now);
            before = now;
        }
        if now == 0 {
            break;
        }
        bound = bound.saturating_mul(2);
    }
    // The group of all is the root.
    alone.retain(|&kept| kept > 0);
    let names: Vec<String> = (1..=alone.len()).map(|level| others(domain, level)).collect();
    let mut at = vec![0; order.len() + 1];
    for (rank, &code) in order.iter().enumerate() {
        at[code as usize] = rank;
    }
    let lines: Vec<Vec<String>> = domain
        .codes()
        .map(|code| {
            let label = domain.text(code).into_owned();
            let group = |(kept, name): (&usize, &String)| {
                if at[code as usize] < *kept { label.clone() } else { name.clone() }
            };
            let mut line = vec![label.clone()];
            line.extend(alone.iter().zip(&names).map(group));
            line.push("*".into());
            line
        })
        .collect();
    Hierarchy::from_rows(&format!("the labels of `{column}` by frequency"), &lines, &[])
}

/// How many labels, most frequent first, stand by themselves under a bound. All do if none is rare.
fn kept(order: &[Code], rows: &[u64], bound: u64) -> usize {
    let held = |code: &Code| rows[*code as usize];
    let mut kept = order.partition_point(|code| held(code) >= bound);
    let mut group: u64 = order[kept..].iter().map(held).sum();
    if kept == order.len() {
        return kept;
    }
    while group < bound && kept > 0 {
        kept -= 1;
        group += held(&order[kept]);
    }
    kept
}

/// What the group of a level is called; no label has this name. It does not say how many labels are in it, since some
/// may be those of rows that are suppressed later.
fn others(domain: &Domain, level: usize) -> String {
    let mut name = format!("others {level}");
    while domain.code_of(&name).is_some() {
        name.push('\'');
    }
    name
}
