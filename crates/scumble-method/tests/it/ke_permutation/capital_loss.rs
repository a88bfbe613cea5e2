//! The table of the paper's experiments, against what the oracle finds for it.

use super::{holds, labels, numbers, range, run, table, width};
use scumble_method::ke_permutation::{Objective, Rule};
use scumble_table::Decimal;
use std::path::PathBuf;

/// The capital losses of the paper's experiments, or nothing where the data is not there.
#[allow(clippy::print_stderr, reason = "tells the reader of a test log what was not tested")]
fn capital_losses() -> Option<Vec<Option<i64>>> {
    let root = std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join("adult/adult_capital_loss_1427.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let mut lines = text.lines();
    let at = lines.next()?.split(',').position(|name| name == "capital_loss")?;
    lines.map(|line| Some(Some(line.split(',').nth(at)?.parse::<i64>().ok()? * 100))).collect()
}

/// What `optimal_ke.py` of the oracle prints for this table, column capital_loss, k 4, e 100: min_sum 2828,
/// min_max 673, max_groups 17.
#[test]
fn paper5_capital_loss() {
    let Some(losses) = capital_losses() else { return };
    assert_eq!(losses.len(), 1427);
    let table = table(&losses, &labels(losses.len()));
    let wanted = ["x: ke-anonymity(4, 100)"];
    let mut widths = Vec::new();
    for rule in Rule::ALL {
        let grouped = run(&table, &wanted, rule, 7).unwrap();
        assert!(holds(&table, &wanted, &grouped), "{rule:?}");
        assert_eq!((grouped.optimal, grouped.missing), (rule != Rule::Random, 0));
        let groups = numbers(&losses, &grouped);
        widths.push(groups.iter().map(|group| width(group)).sum::<f64>());
        let ranges = || groups.iter().map(|group| range(group) / 100);
        match (rule, grouped.objective) {
            (Rule::MinSum, Some(Objective::SumOfRanges(sum))) => {
                assert_eq!((sum, ranges().sum::<i64>(), groups.len()), (Decimal::from(2828), 2828, 12));
            }
            (Rule::MinMax, Some(Objective::GreatestRange(range))) => {
                assert_eq!((range, ranges().max()), (Decimal::from(673), Some(673)));
            }
            (Rule::MinMaxOverlap, Some(Objective::GreatestRange(range))) => {
                assert_eq!(range, Decimal::from(ranges().max().unwrap()));
                assert!(range <= Decimal::from(673));
            }
            (Rule::MaxGroups, Some(Objective::Groups(n))) => assert_eq!((n, groups.len()), (17, 17)),
            (Rule::ExpectedWidth, Some(Objective::ExpectedWidth(width))) => {
                assert!((width * 100.0 - widths[0]).abs() < 1e-3, "{width} {}", widths[0]);
            }
            (Rule::Random, None) => {}
            (rule, objective) => panic!("{rule:?} {objective:?}"),
        }
    }
    assert!(widths[1..].iter().all(|&other| widths[0] <= other), "{widths:?}");
}
