//! Whole hierarchies: what they are tied to a table, and what is refused.

use super::{Dice, labels, numbers, table};
use crate::correlation::{Algorithm, Built, DEFAULT_GROUPS, Measure, Task};
use scumble_table::{Domain, Is, Monitor, Table};

fn people(n: usize) -> Table {
    let mut dice = Dice::new(9);
    let sexes: Vec<Option<&str>> =
        (0..n).map(|i| (i % 97 > 0).then(|| if dice.below(10) < 6 { "M" } else { "F" })).collect();
    let heights: Vec<Option<i64>> = sexes
        .iter()
        .enumerate()
        .map(|(i, sex)| (i % 89 > 0).then(|| if *sex == Some("M") { dice.bell(170, 6) } else { dice.bell(158, 5) }))
        .collect();
    let history: Vec<Option<&str>> = (0..n).map(|_| Some(["no", "no", "yes"][dice.below(3) as usize])).collect();
    let weights: Vec<Option<i64>> = heights.iter().map(|h| Some(h.unwrap_or(160) - 100 + dice.bell(0, 8))).collect();
    table(vec![
        numbers("height", &heights),
        labels("sex", &sexes),
        labels("history", &history),
        numbers("weight", &weights),
    ])
}

fn task(table: &Table, algorithm: Algorithm) -> Task<'_> {
    let (measure, groups) = (Measure::Nmi, DEFAULT_GROUPS);
    Task {
        table,
        focused: 0,
        given: &[2, 1, 3],
        least: table.n_rows() as u64 / 10,
        groups,
        measure,
        algorithm,
        monitor: Monitor::silent(),
    }
}

/// Ties the hierarchy to its table and counts the rows of every interval anew.
fn check(table: &Table, built: &Built, least: Option<u64>) {
    let bound = built.hierarchy.bind("built", table.schema()).unwrap();
    assert_eq!(bound.n_levels(), built.hierarchy.n_levels());
    let n_context_levels = built.hierarchy.n_context_levels();
    for (nth, context) in built.contexts.iter().enumerate() {
        for level in 0..bound.n_levels() {
            let mut rows = vec![0; bound.n_intervals(nth + 1, level)];
            for row in 0..table.n_rows() {
                let codes: Vec<u32> = bound.given().iter().map(|&column| table.column(column).get(row)).collect();
                let height = table.column(0).get(row);
                if bound.context(&codes) == nth + 1 && height != 0 {
                    rows[bound.interval(nth + 1, level, height)] += 1;
                }
            }
            assert_eq!(rows, context.levels[level].rows);
            assert_eq!(rows.iter().sum::<u64>(), context.rows);
            if let Some(least) = least.filter(|_| level < n_context_levels) {
                let parents = &context.levels[n_context_levels].cuts;
                let cuts = &context.levels[level].cuts;
                for (at, held) in rows.into_iter().enumerate() {
                    let starts = at == 0 || parents.contains(&cuts[at - 1]);
                    let ends = at == cuts.len() || parents.contains(&cuts[at]);
                    assert!(held >= least || starts && ends, "interval {at} of {cuts:?} holds {held}");
                }
            }
        }
    }
}

#[test]
fn a_hierarchy_of_height_by_sex() {
    let table = people(5_000);
    let built = task(&table, Algorithm::Mdl).build().unwrap();
    assert_eq!(built.hierarchy.given(), ["sex"]);
    assert_eq!(built.contexts.len(), 2);
    check(&table, &built, Some(500));
    let strength = |nth: usize| built.correlations[nth].value.unwrap();
    assert!(strength(0) < 0.01 && strength(1) > 0.05, "{} {}", strength(0), strength(1));
    // Women are cut lower than men.
    let lowest = |nth: usize| built.contexts[nth].context.levels[0][0].parse::<i64>().unwrap();
    assert!(lowest(0) <= lowest(1));
    // The few whose sex is missing are in no context.
    assert!(built.outside > 40 && built.outside < 60);
    let again = task(&table, Algorithm::Mdl).build().unwrap();
    assert_eq!(built, again);
}

#[test]
fn the_papers_way() {
    let table = people(5_000);
    let mut task = task(&table, Algorithm::Paper);
    task.given = &[2, 1];
    let built = task.build().unwrap();
    // Sex is the stronger one, whatever the order of the flags; history then divides both.
    let columns = |nth: usize| {
        let when = built.contexts[nth].context.when.iter();
        when.map(|condition| condition.column.as_str()).collect::<Vec<_>>()
    };
    assert_eq!((built.contexts.len(), columns(0)), (4, vec!["sex", "history"]));
    assert!(built.divisions.is_empty());
    check(&table, &built, None);
    // Fewer than 800 women have a history, so history does not divide women.
    (task.least, task.groups) = (800, 1);
    let built = task.build().unwrap();
    assert!(built.contexts.iter().any(|context| context.context.when.len() == 1), "{:?}", built.contexts);
    check(&table, &built, None);
    // No value is frequent enough.
    task.given = &[3];
    let error = task.build().unwrap_err().to_string();
    assert!(error.contains("no value of `weight`"), "{error}");
}

#[test]
fn nothing_divides_what_depends_on_nothing() {
    let table = people(3_000);
    let mut task = task(&table, Algorithm::Mdl);
    task.given = &[2];
    let built = task.build().unwrap();
    assert!(built.hierarchy.contexts.is_empty() && built.contexts.is_empty() && built.outside == 0);
    assert!(built.common.len() > 1 && built.common[0].rows.iter().all(|rows| *rows >= 300));
    built.hierarchy.bind("built", table.schema()).unwrap();
}

#[test]
fn other_measures_and_their_limits() {
    let table = people(3_000);
    for measure in Measure::ALL {
        let mut task = task(&table, Algorithm::Paper);
        task.measure = measure;
        task.least = 100;
        let built = task.build().unwrap();
        let first = &built.contexts[0].context.when[0].column;
        assert!(built.correlations[2].value.is_some(), "weight has an order");
        assert_eq!(built.correlations[1].value.is_none(), measure.needs_order());
        if measure.needs_order() {
            assert_eq!(first, "weight");
            assert!(matches!(built.contexts[0].context.when[0].is, Is::Between(None, Some(_))));
        }
    }
    let mut task = task(&table, Algorithm::Paper);
    (task.measure, task.given) = (Measure::Pearson, &[1, 2]);
    let error = task.build().unwrap_err().to_string();
    assert!(error.contains("defined for none of the given columns"), "{error}");
}

#[test]
fn what_is_refused() {
    let table = people(400);
    let refused = |change: &dyn Fn(&mut Task<'_>), part: &str| {
        let mut task = task(&table, Algorithm::Mdl);
        change(&mut task);
        let error = task.build().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    refused(&|task| task.least = 0, "at least one row");
    refused(
        &|task| task.least = 99,
        "min_count `99`: the 395 rows with a value of `height` are too few for two contexts; hint: at most 98",
    );
    refused(&|task| task.focused = 1, "for `sex`: its values are nominal");
    let empty = super::table(vec![numbers("height", &[None, None]), labels("sex", &[Some("M"), None])]);
    let mut task = task(&empty, Algorithm::Mdl);
    (task.given, task.least) = (&[1], 1);
    assert!(task.build().unwrap_err().to_string().contains("no value at all"));
}

#[test]
fn dates_and_ordinals() {
    let n = 2_000;
    let mut dice = Dice::new(4);
    let sexes: Vec<Option<&str>> = (0..n).map(|i| Some(["F", "M"][i % 2])).collect();
    let days: Vec<u32> = (0..n).map(|i| (dice.bell(400, 60) + 200 * (i % 2) as i64) as u32).collect();
    let dates = Domain::dates((0..1_000).collect());
    let sizes = Domain::ordinal(["XS", "S", "M", "L", "XL"].map(Into::into).to_vec());
    let sized: Vec<u32> = (0..n).map(|i| 1 + (dice.below(3) + 2 * (i % 2) as u64) as u32).collect();
    let attribute =
        |name: &str, domain| scumble_table::Attribute { name: name.into(), role: scumble_table::Role::Quasi, domain };
    let table = super::table(vec![
        (attribute("born", dates), days.iter().map(|day| day + 1).collect()),
        (attribute("size", sizes), sized.into_iter().collect()),
        labels("sex", &sexes),
    ]);
    for focused in [0, 1] {
        let task = Task {
            table: &table,
            focused,
            given: &[2],
            least: 200,
            groups: 2,
            measure: Measure::Nmi,
            algorithm: Algorithm::Mdl,
            monitor: Monitor::silent(),
        };
        let built = task.build().unwrap();
        assert_eq!(built.contexts.len(), 2, "{focused}");
        built.hierarchy.bind("built", table.schema()).unwrap();
        let cut = &built.contexts[0].context.levels[0][0];
        assert!(if focused == 0 { scumble_table::parse_date(cut).is_some() } else { cut.len() <= 2 }, "{cut}");
    }
}
