//! Hierarchies of random tables: every one can be tied to its table, and says the truth about it.

use super::{Dice, labels, numbers, table};
use crate::correlation::{Algorithm, Measure, Task};
use scumble_table::{Error, Monitor, NULL, Table};

/// A table where some columns depend on others a little, with missing values everywhere.
fn random(dice: &mut Dice) -> Table {
    let n = 20 + dice.below(180) as usize;
    let spread = 1 + dice.below(12);
    let (mut f, mut sex, mut size, mut age) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..n {
        let group = dice.below(3) as i64;
        let maybe = |dice: &mut Dice| dice.below(12) > 0;
        f.push(maybe(dice).then(|| group * dice.below(15) as i64 + dice.bell(0, spread)));
        sex.push(maybe(dice).then_some(["F", "M", "X"][group as usize]));
        size.push(maybe(dice).then(|| ["s", "m", "l", "xl"][dice.below(4) as usize]));
        age.push(maybe(dice).then(|| group * 10 + dice.below(25) as i64));
    }
    table(vec![numbers("f", &f), labels("sex", &sex), labels("size", &size), numbers("age", &age)])
}

#[test]
fn hierarchies_are_sound() {
    let mut dice = Dice::new(11);
    let (mut with_contexts, mut refused) = (0, 0);
    for _ in 0..3_000 {
        let table = random(&mut dice);
        let given: Vec<usize> = [1, 2, 3].into_iter().filter(|_| dice.below(3) > 0).collect();
        if given.is_empty() {
            continue;
        }
        let task = Task {
            table: &table,
            focused: 0,
            given: &given,
            least: 1 + dice.below(20),
            groups: 1 + dice.below(6),
            measure: Measure::ALL[dice.below(5) as usize],
            algorithm: if dice.below(2) == 0 { Algorithm::Mdl } else { Algorithm::Paper },
            monitor: Monitor::silent(),
        };
        let built = match task.build() {
            Ok(built) => built,
            Err(Error::Request { .. }) => {
                refused += 1;
                continue;
            }
            Err(other) => panic!("{other}"),
        };
        // Binding checks order, nesting, common parents and that no row is in two contexts.
        let bound = built.hierarchy.bind("built", table.schema()).unwrap();
        with_contexts += usize::from(!built.contexts.is_empty());
        let mut rows = vec![0u64; built.contexts.len() + 1];
        let mut finest: Vec<Vec<u64>> = (0..rows.len()).map(|context| vec![0; bound.n_intervals(context, 0)]).collect();
        for row in 0..table.n_rows() {
            let codes: Vec<u32> = bound.given().iter().map(|&column| table.column(column).get(row)).collect();
            let (context, value) = (bound.context(&codes), table.column(0).get(row));
            if value != NULL {
                rows[context] += 1;
                finest[context][bound.interval(context, 0, value)] += 1;
            }
        }
        for (nth, context) in built.contexts.iter().enumerate() {
            assert_eq!((rows[nth + 1], &finest[nth + 1]), (context.rows, &context.levels[0].rows));
            if task.algorithm == Algorithm::Mdl {
                assert!(context.rows >= 2 * task.least, "{} rows under {}", context.rows, task.least);
            }
        }
        if !built.contexts.is_empty() {
            assert_eq!(rows[0], built.outside);
        }
        for level in &built.common {
            assert!(level.rows.iter().all(|&held| held >= task.least), "{level:?} under {}", task.least);
        }
    }
    assert!(with_contexts > 300 && refused > 100, "{with_contexts} with contexts, {refused} refused");
}

/// Table 2 of the paper: population by height and age. Heights of twelve-year-olds must be cut lower.
#[test]
fn paper3_table2() {
    let counts = [
        (140, [0, 1, 1]),
        (145, [4, 1, 0]),
        (150, [11, 0, 2]),
        (155, [23, 2, 2]),
        (160, [9, 7, 1]),
        (165, [2, 9, 12]),
        (170, [1, 20, 17]),
        (175, [0, 10, 15]),
    ];
    let (mut heights, mut ages) = (Vec::new(), Vec::new());
    for (height, by_age) in counts {
        for (age, n) in [12, 15, 20].into_iter().zip(by_age) {
            heights.extend(vec![Some(height); n]);
            ages.extend(vec![Some(age); n]);
        }
    }
    // 50 people of each age.
    assert_eq!([12, 15, 20].map(|age| ages.iter().filter(|other| **other == Some(age)).count()), [50, 50, 50]);
    let table = table(vec![numbers("height", &heights), numbers("age", &ages)]);
    let (measure, algorithm) = (Measure::Nmi, Algorithm::Mdl);
    let task = Task {
        table: &table,
        focused: 0,
        given: &[1],
        least: 12,
        groups: 1,
        measure,
        algorithm,
        monitor: Monitor::silent(),
    };
    let built = task.build().unwrap();
    let cuts: Vec<Vec<&str>> =
        built.contexts.iter().map(|context| context.context.levels[0].iter().map(|cut| &**cut).collect()).collect();
    // At twelve up to 150, 155, and 160 or more: 15, 23 and 12 people. Above, those up to 160 are the short ones.
    assert_eq!(cuts[0], ["150", "155"]);
    assert_eq!(built.contexts[0].levels[0].rows, [15, 23, 12]);
    assert!(cuts[1].iter().chain(&cuts[2]).all(|cut| *cut >= "160"), "{cuts:?}");
}
