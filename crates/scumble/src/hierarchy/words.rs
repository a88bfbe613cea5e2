//! Intervals, conditions and warnings in words.

use scumble_method::correlation::{Algorithm, Built, Task};
use scumble_table::{ContextCondition, Domain, Is, Table, quoted_list};

/// Rows of the smallest group that is not empty.
pub(super) fn least_rows(rows: &[u64]) -> u64 {
    rows.iter().copied().filter(|rows| *rows > 0).min().unwrap_or(0)
}

/// Intervals by their values; the ends are open.
pub(super) fn interval_labels(cuts: &[Box<str>], domain: &Domain) -> Vec<String> {
    let codes: Vec<u32> = cuts.iter().filter_map(|cut| domain.code_of(cut)).collect();
    let text = |code: u32| domain.text(code);
    match (codes.first(), codes.last()) {
        (Some(&first), Some(&last)) => std::iter::once(format!("up to {}", text(first)))
            .chain(codes.windows(2).map(|pair| match (pair[0] + 1, pair[1]) {
                (from, to) if from == to => text(to).into_owned(),
                (from, to) => format!("{} to {}", text(from), text(to)),
            }))
            .chain([format!("from {}", text((last + 1).min(domain.len() as u32)))])
            .collect(),
        _ => vec!["all".into()],
    }
}

/// Conditions in words.
pub(super) fn says(when: &[ContextCondition]) -> String {
    let words = when.iter().map(|condition| {
        let name = &condition.column;
        match &condition.is {
            Is::OneOf(values) if values.len() == 1 && values[0].is_empty() => format!("{name} is missing"),
            Is::OneOf(values) if values.len() == 1 => format!("{name} is {}", values[0]),
            Is::OneOf(values) => format!("{name} is one of {}", quoted_list(values, 4)),
            Is::Between(Some(from), Some(to)) => format!("{name} is from {from} to {to}"),
            Is::Between(Some(from), None) => format!("{name} is from {from} on"),
            Is::Between(None, Some(to)) => format!("{name} is up to {to}"),
            Is::Between(None, None) => format!("{name} is there"),
        }
    });
    words.collect::<Vec<_>>().join(" and ")
}

/// What a publisher should know about a hierarchy.
pub(super) fn notes(built: &Built, table: &Table, task: &Task<'_>) -> Vec<String> {
    let name = &table.attribute(task.focused).name;
    let mut notes = Vec::new();
    if built.contexts.is_empty() {
        let divided = built.divisions.iter().any(|division| division.made) || task.algorithm == Algorithm::Paper;
        notes.push(if divided {
            format!("the contexts of `{name}` have no interval of their own: its hierarchy has none; fewer groups or a smaller least count of rows would make room")
        } else {
            format!("no given column divides the rows in a way that matters for `{name}`: its hierarchy has no contexts")
        });
    }
    for division in
        built.divisions.iter().filter(|division| division.gain > 0.0 && division.least_rows < 2 * task.least)
    {
        notes.push(format!(
            "`{}` would divide the rows of `{name}`, but its smallest part has {} rows and {} are needed",
            table.attribute(division.column).name,
            division.least_rows,
            2 * task.least
        ));
    }
    // By the rule a parent that cannot hold enough stays whole; the paper's adjustment does not look.
    let finest = built.contexts.iter().filter_map(|context| context.levels.first());
    let least = finest.map(|level| least_rows(&level.rows)).filter(|least| (1..task.least).contains(least)).min();
    if let Some(least) = least {
        let why = match task.algorithm {
            Algorithm::Mdl => "it is a common interval that is rare in that context",
            Algorithm::Paper => "the paper's adjustment does not look at the rows of both conditions together",
        };
        notes.push(format!(
            "the smallest interval of a context of `{name}` stands for {least} rows, fewer than {}: {why}",
            task.least
        ));
    }
    notes
}
