//! The line along which classes are formed: rows that lie near each other on it are alike in their quasi-identifiers.

use super::context::SearchContext;
use crate::coins::Purpose;
use crate::mondrian::{Growth, Mondrian};
use crate::pieces::pieces_mut;
use crate::profile::Profile;
use crate::shuffle::random_order;
use crate::task::under_k_anonymity;
use scumble_table::Result;

/// The leaves of a Mondrian tree under k-anonymity, laid end to end: it knows every type of attribute, and cuts where
/// that loses least. No cut looks at a sensitive value. Inside a leaf rows stand in a random order where `blind`, else
/// in that of their positions, equal ones at random.
pub(crate) fn line(context: &SearchContext<'_>, leaf: u64, blind: bool) -> Result<Vec<u32>> {
    let (task, tree) = (context.task, Mondrian { profile: Profile::MaxUtility, ..Mondrian::default() });
    let monitor = task.monitor.without_progress();
    let (mut rows, sizes) = under_k_anonymity(task.table, leaf, false, task.coins, monitor, |task| {
        tree.leaves(task, &context.axes, Growth::default())
    })?;
    let ties = random_order(rows.len(), task.coins, Purpose::Ties);
    for leaf in pieces_mut(&mut rows, sizes.iter().map(|&size| size as usize)) {
        match blind {
            true => leaf.sort_unstable_by_key(|&row| ties[row as usize]),
            false => leaf.sort_unstable_by(|&a, &b| {
                context.at(a).cmp(context.at(b)).then_with(|| ties[a as usize].cmp(&ties[b as usize]))
            }),
        }
    }
    if context.n() < rows.len() {
        let mut is_left = vec![false; rows.len()];
        context.rows.iter().for_each(|&row| is_left[row as usize] = true);
        rows.retain(|&row| is_left[row as usize]);
    }
    Ok(rows)
}
