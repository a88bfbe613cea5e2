//! Contexts of made-up tables where it is known what depends on what.

use super::{Dice, labels, numbers, table};
use crate::correlation::{Clause, Part, contexts};
use scumble_table::{Monitor, NULL, Table};

/// Height depends on sex; the colour of the eyes on nothing.
fn people(n: usize, missing: usize) -> Table {
    let mut dice = Dice::new(1);
    let sexes: Vec<Option<&str>> =
        (0..n).map(|i| (i >= missing).then(|| if dice.below(10) < 6 { "M" } else { "F" })).collect();
    let heights: Vec<Option<i64>> =
        sexes.iter().map(|sex| Some(if *sex == Some("M") { dice.bell(170, 6) } else { dice.bell(158, 5) })).collect();
    let eyes: Vec<Option<&str>> = (0..n).map(|_| Some(["blue", "brown", "green"][dice.below(3) as usize])).collect();
    table(vec![numbers("height", &heights), labels("eyes", &eyes), labels("sex", &sexes)])
}

#[test]
fn only_what_matters_divides() {
    let table = people(2_000, 0);
    let found = contexts(&table, 0, &[1, 2], 200, Monitor::silent());
    assert_eq!(found.leaves.len(), 2);
    let women = &found.leaves[0];
    assert_eq!(women.when, [Clause { column: 2, part: Part::Codes(vec![1]) }]);
    for (row, code) in table.column(2).iter().enumerate() {
        assert_eq!(women.rows.binary_search(&(row as u32)).is_ok(), code == 1);
        assert!(women.holds(|column| table.column(column).get(row)) == (code == 1));
    }
    let [eyes, sex] = &found.divisions[..] else { panic!("{:?}", found.divisions) };
    assert!(eyes.gain < 0.0 && !eyes.made && eyes.parts == 3);
    assert!(sex.gain > 500.0 && sex.made && sex.least_rows == women.rows.len() as u64);
}

#[test]
fn children_need_twice_the_least_count() {
    let table = people(2_000, 0);
    let women = table.column(2).iter().filter(|code| *code == 1).count() as u64;
    assert_eq!(contexts(&table, 0, &[2], women / 2, Monitor::silent()).leaves.len(), 2);
    let found = contexts(&table, 0, &[2], women / 2 + 1, Monitor::silent());
    assert_eq!((found.leaves.len(), found.leaves[0].rows.len()), (1, 2_000));
    assert!(found.leaves[0].when.is_empty() && !found.divisions[0].made && found.divisions[0].gain > 0.0);
}

#[test]
fn a_missing_value_is_a_context_only_if_many_have_it() {
    let few = people(2_000, 30);
    let found = contexts(&few, 0, &[2], 100, Monitor::silent());
    assert_eq!(found.leaves.len(), 2);
    assert_eq!(found.leaves.iter().map(|leaf| leaf.rows.len()).sum::<usize>(), 1_970);
    let many = people(2_000, 400);
    let found = contexts(&many, 0, &[2], 100, Monitor::silent());
    assert_eq!(found.leaves.len(), 3);
    assert_eq!(found.leaves[2].when, [Clause { column: 2, part: Part::Codes(vec![NULL]) }]);
    assert_eq!(found.leaves[2].rows.len(), 400);
}

#[test]
fn rows_without_a_focused_value_do_not_count() {
    // 300 women, of whom 250 have no height.
    let mut dice = Dice::new(2);
    let sexes: Vec<Option<&str>> = (0..1_000).map(|i| Some(if i < 300 { "F" } else { "M" })).collect();
    let heights: Vec<Option<i64>> =
        (0..1_000).map(|i| (i >= 250).then(|| dice.bell(if i < 300 { 150 } else { 175 }, 5))).collect();
    let table = table(vec![numbers("height", &heights), labels("sex", &sexes)]);
    assert_eq!(contexts(&table, 0, &[1], 25, Monitor::silent()).leaves.len(), 2);
    let found = contexts(&table, 0, &[1], 26, Monitor::silent());
    assert_eq!((found.leaves.len(), found.divisions[0].least_rows), (1, 50));
}

#[test]
fn ties_go_to_the_first_and_ranges_are_narrowed() {
    let mut dice = Dice::new(5);
    let xs: Vec<Option<i64>> = (0..4_000).map(|_| Some(dice.below(1_000) as i64)).collect();
    let ys: Vec<Option<i64>> = xs.iter().map(|x| x.map(|x| x + dice.below(3) as i64)).collect();
    let table = table(vec![numbers("y", &ys), numbers("x", &xs), numbers("twin", &xs)]);
    let found = contexts(&table, 0, &[2, 1], 40, Monitor::silent());
    assert!(found.divisions[0].made && !found.divisions[1].made);
    assert_eq!(found.divisions[0].gain, found.divisions[1].gain);
    // Ten bins of 400 rows; none of them can be divided into ten of 80.
    assert_eq!(found.leaves.len(), 10);
    assert!(matches!(found.leaves[0].when[..], [Clause { column: 2, part: Part::Range { from: None, to: Some(_) } }]));
    let finer = contexts(&table, 0, &[1], 10, Monitor::silent());
    assert!(finer.leaves.len() > 50);
    // Leaves cover every row once, and conditions say which.
    let mut seen = vec![0; 4_000];
    for leaf in &finer.leaves {
        assert_eq!(leaf.when.len(), 1, "one clause for one column");
        for (row, times) in seen.iter_mut().enumerate() {
            let inside = leaf.holds(|column| table.column(column).get(row));
            assert_eq!(inside, leaf.rows.binary_search(&(row as u32)).is_ok());
            *times += u32::from(inside);
        }
    }
    assert!(seen.iter().all(|times| *times == 1));
}
