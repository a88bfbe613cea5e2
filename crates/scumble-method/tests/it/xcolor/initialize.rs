//! INITIALIZE: nearly equal sizes, and sums of degrees that balance.

use super::world::World;
use crate::dice::Dice;
use crate::measured;
use scumble_method::Coins;
use scumble_method::Task;
use scumble_method::xcolor::XColor;
use scumble_table::{Code, Domain, Monitor};

/// One column of labels that are near where they are equal, with the given number of rows of each.
pub(crate) fn labels(counts: &[usize]) -> World {
    let domain = Domain::nominal((0..counts.len()).map(|at| format!("v{at}").into()).collect());
    let rows = counts.iter().zip(1..).flat_map(|(&count, code)| vec![vec![code as Code]; count]);
    let rows: Vec<Vec<Code>> = rows.collect();
    let part = measured::Part { column: 0, way: measured::Way::Equal, weight: "1".into() };
    let published = vec![true; rows.len()];
    let measured = measured::Table { domains: vec![domain], rows, published, combine: "l1", parts: vec![part] };
    World::from_measured(measured, &mut Dice::new(counts.len() as u64))
}

/// The classes before any exchange.
fn initial(world: &World, k: u64, seed: u64) -> Vec<Vec<u32>> {
    let bound = world.bind(&[format!("dissimilarity(0, 0.5, {k})")], None).unwrap();
    let task = Task {
        table: &world.table,
        bound: &bound,
        rebind: &|_| unreachable!("nothing is left out"),
        most_suppressed: 0,
        coins: &Coins::from_seed(seed),
        monitor: Monitor::silent(),
    };
    let partition = XColor::initial(&task).unwrap();
    partition.groups().map(<[u32]>::to_vec).collect()
}

fn sizes(groups: &[Vec<u32>]) -> Vec<usize> {
    let mut sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    sizes
}

#[test]
fn sizes_follow_from_the_number_of_classes() {
    assert_eq!(sizes(&initial(&labels(&[4, 4, 3]), 6, 1)), [11]);
    assert_eq!(sizes(&initial(&labels(&[8, 8, 7]), 5, 1)), [5, 6, 6, 6]);
    assert_eq!(sizes(&initial(&labels(&[5, 2]), 1, 1)), [2, 2, 3]);
    assert_eq!(sizes(&initial(&labels(&[3, 4]), 7, 1)), [7]);
    for n in 3..40 {
        for k in 1..=n {
            let (groups, count) = (initial(&labels(&[n - n / 3, n / 3]), k as u64, 7), n / k.max(2));
            let mut expected: Vec<usize> = (0..count).map(|at| n / count + usize::from(at < n % count)).collect();
            expected.reverse();
            assert_eq!(sizes(&groups), expected, "n {n}, k {k}");
            let mut rows = groups.concat();
            rows.sort_unstable();
            assert_eq!(rows, (0..n as u32).collect::<Vec<_>>());
        }
    }
}

/// Values with 5, 3, 2, 1 and 1 rows have degrees 4, 2, 1, 0 and 0, and go to three classes of four. By hand, each row to
/// the open class with the least sum, of equals to the first:
///
/// ```text
/// 4 to A, 4 to B, 4 to C, 4 to A (8), 4 to B (8), 2 to C (6), 2 to C (8), 2 to A (10), 1 to B (9), 1 to C (9, full),
/// 0 to B (9, full), 0 to A (10, full)
/// ```
#[test]
fn paper2_algorithm1_balances_sums_of_degrees() {
    let counts = [5, 3, 2, 1, 1];
    let world = labels(&counts);
    let degree = |row: &u32| counts[world.measured.rows[*row as usize][0] as usize - 1] - 1;
    for seed in 0..40 {
        let mut classes: Vec<Vec<usize>> = initial(&world, 4, seed)
            .iter()
            .map(|rows| {
                let mut degrees: Vec<usize> = rows.iter().map(degree).collect();
                degrees.sort_unstable_by(|a, b| b.cmp(a));
                degrees
            })
            .collect();
        classes.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(classes, [[4, 4, 2, 0], [4, 4, 1, 0], [4, 2, 2, 1]], "seed {seed}");
    }
}

/// Rows of equal degree stand in a random order, and the same seed repeats it.
#[test]
fn ties_are_drawn() {
    let world = labels(&[3; 8]);
    let all: Vec<Vec<Vec<u32>>> = (0..10).map(|seed| initial(&world, 4, seed)).collect();
    assert!(all.windows(2).any(|two| two[0] != two[1]));
    assert_eq!(all[3], initial(&world, 4, 3));
}
