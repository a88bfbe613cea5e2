//! The line along which classes are formed: rows that lie near each other on it are alike in their quasi-identifiers.

use super::making::Making;
use crate::coins::Purpose;
use crate::mondrian::{Choice, CutRule, Growth, Mondrian, Task};
use crate::shuffle::random_order;
use scumble_principle::{BoundRequirements, KAnonymity, Requirement};
use scumble_table::{Bag, Result};

/// The leaves of a Mondrian tree under k-anonymity, laid end to end: it knows every type of attribute, and cuts where
/// that loses least. No cut looks at a sensitive value. Inside a leaf rows stand in a random order where `blind`, else
/// in that of their positions, equal ones at random.
pub(crate) fn line(making: &Making<'_>, leaf: u64, blind: bool) -> Result<Vec<u32>> {
    let table = making.task.table;
    let wanted = [Requirement::new(KAnonymity::new(leaf.max(1))?)];
    let bind = || BoundRequirements::bind(&wanted, table.schema(), |_| Bag::default());
    let task = Task { bound: &bind()?, rebind: &|_| bind(), most_suppressed: 0, tick: &|_| (), ..*making.task };
    let tree = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, choice: Choice::Best };
    let (mut rows, sizes) = tree.leaves(&task, &making.axes, Growth::default())?;
    let ties = random_order(rows.len(), task.coins, Purpose::Ties);
    let mut rest = rows.as_mut_slice();
    for &size in &sizes {
        let (leaf, after) = rest.split_at_mut(size as usize);
        match blind {
            true => leaf.sort_unstable_by_key(|&row| ties[row as usize]),
            false => leaf.sort_unstable_by(|&a, &b| {
                making.at(a).cmp(making.at(b)).then_with(|| ties[a as usize].cmp(&ties[b as usize]))
            }),
        }
        rest = after;
    }
    if making.n() < rows.len() {
        let mut is_left = vec![false; rows.len()];
        making.rows.iter().for_each(|&row| is_left[row as usize] = true);
        rows.retain(|&row| is_left[row as usize]);
    }
    Ok(rows)
}
