//! Which columns make people easy to find: what each adds when an attacker learns it too.

use crate::{AttackOutcome, Matches};
use std::collections::BTreeMap;

/// What a column adds to the risk, on average over the subsets that lack it.
#[derive(Debug, Clone, PartialEq)]
pub struct AddedRisk {
    /// Position among the known columns.
    pub column: usize,
    /// Subsets to which it was added, the empty one among them.
    pub subsets: u64,
    /// Mean rise of the expected share of people who are named rightly.
    pub marketer: f64,
    /// Mean rise of the number of people whom one record alone matches.
    pub unique_records: f64,
}

/// What each of `n` columns adds when it joins a subset, the most harmful first. Given are attacks with all subsets up to
/// a size, and the one of an attacker who knows nothing.
pub fn added_risks(n: usize, nothing: &Matches, subsets: &[AttackOutcome]) -> Vec<AddedRisk> {
    let mut known: BTreeMap<&[usize], (f64, f64)> =
        subsets.iter().map(|found| (found.known.as_slice(), figures(&found.matches))).collect();
    known.insert(&[], figures(nothing));
    let mut all: Vec<AddedRisk> = (0..n).map(|column| by_column(column, subsets, &known)).collect();
    all.sort_by(|a, b| {
        let by_marketer = b.marketer.total_cmp(&a.marketer);
        by_marketer.then(b.unique_records.total_cmp(&a.unique_records)).then(a.column.cmp(&b.column))
    });
    all
}

/// What each attack achieves beyond the best attack with one column less.
pub fn gains_over_parts(nothing: &Matches, subsets: &[AttackOutcome]) -> Vec<f64> {
    let mut known: BTreeMap<&[usize], f64> =
        subsets.iter().map(|found| (found.known.as_slice(), found.matches.marketer())).collect();
    known.insert(&[], nothing.marketer());
    let best = |found: &AttackOutcome| {
        let parts = found.known.iter().filter_map(|&column| known.get(without(&found.known, column).as_slice()));
        parts.fold(0.0f64, |best, &part| best.max(part))
    };
    subsets.iter().map(|found| found.matches.marketer() - best(found)).collect()
}

fn by_column(column: usize, subsets: &[AttackOutcome], known: &BTreeMap<&[usize], (f64, f64)>) -> AddedRisk {
    let mut added = AddedRisk { column, subsets: 0, marketer: 0.0, unique_records: 0.0 };
    for found in subsets.iter().filter(|found| found.known.contains(&column)) {
        let Some(before) = known.get(without(&found.known, column).as_slice()) else { continue };
        let after = figures(&found.matches);
        added.subsets += 1;
        added.marketer += after.0 - before.0;
        added.unique_records += after.1 - before.1;
    }
    let n = added.subsets.max(1) as f64;
    AddedRisk { marketer: added.marketer / n, unique_records: added.unique_records / n, ..added }
}

fn figures(matches: &Matches) -> (f64, f64) {
    (matches.marketer(), matches.unique() as f64)
}

fn without(subset: &[usize], column: usize) -> Vec<usize> {
    subset.iter().copied().filter(|&at| at != column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(known: &[usize], sizes: &[u64]) -> AttackOutcome {
        let matches = Matches::from_classes(sizes.iter().map(|&k| (k, k)));
        AttackOutcome { known: known.to_vec(), table: None, matches, at_least: false, at_most: false, journalist: None }
    }

    #[test]
    fn a_column_adds_what_subsets_lack() {
        let nothing = Matches::from_classes([(4, 4)]);
        let subsets = [found(&[0], &[4]), found(&[1], &[2, 2]), found(&[0, 1], &[1, 1, 2])];
        let ranked = added_risks(2, &nothing, &subsets);
        // Column 1 adds 1/4 to nothing and 2/4 to column 0; column 0 adds nothing, then 1/4.
        assert_eq!(ranked.iter().map(|one| one.column).collect::<Vec<_>>(), [1, 0]);
        assert_eq!((ranked[0].marketer, ranked[0].unique_records, ranked[0].subsets), (0.375, 1.0, 2));
        assert_eq!((ranked[1].marketer, ranked[1].unique_records), (0.125, 1.0));
        assert_eq!(gains_over_parts(&nothing, &subsets), [0.0, 0.25, 0.25]);
    }
}
