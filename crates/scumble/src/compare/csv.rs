//! A comparison as a table for other programs.

use super::{Compared, Comparison, Cost, Figures};
use crate::job::{Algorithm, Method};

/// A column of figures: its name, and its value where there is one.
type Column<T> = (&'static str, fn(&T) -> Option<f64>);

/// The figures, in the order of the columns.
const FIGURES: [Column<Figures>; 22] = [
    ("rows", |f| Some(f.rows as f64)),
    ("suppressed", |f| Some(f.suppressed as f64)),
    ("groups", |f| Some(f.groups as f64)),
    ("group_min", |f| Some(f.group_min as f64)),
    ("group_max", |f| Some(f.group_max as f64)),
    ("loss", |f| Some(f.loss)),
    ("ncp", |f| Some(f.ncp)),
    ("count_error_mean", |f| f.count_error_mean),
    ("count_error_median", |f| f.count_error_median),
    ("bound_width", |f| f.bound_width),
    ("kl_nats", |f| f.kl_nats),
    ("belief", |f| f.belief),
    ("belief_mean", |f| f.belief_mean),
    ("prosecutor", |f| Some(f.prosecutor)),
    ("marketer", |f| Some(f.marketer)),
    ("unique_records", |f| Some(f.unique_records as f64)),
    ("persons", |f| f.persons.map(|n| n as f64)),
    ("k_least", |f| Some(f.k_least as f64)),
    ("joined_people", |f| f.joined_people.map(|n| n as f64)),
    ("joined_rows", |f| f.joined_rows.map(|n| n as f64)),
    ("joined_least", |f| f.joined_least.map(|n| n as f64)),
    ("published_share", |f| Some(f.rows as f64 / (f.rows + f.suppressed).max(1) as f64)),
];

/// What runs took, in the order of the columns.
const COSTS: [Column<Cost>; 4] = [
    ("seconds", |c| Some(c.seconds)),
    ("measuring_seconds", |c| Some(c.measuring_seconds)),
    ("peak_memory", |c| c.peak_memory.map(|bytes| bytes as f64)),
    ("measuring_peak_memory", |c| c.measuring_peak_memory.map(|bytes| bytes as f64)),
];

/// One line for each run, with a header; a figure that is not known is an empty cell.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let varied = varied(&comparison.runs);
    let first = ["number", "kind", "method", "algorithm", "profile", "require"].map(String::from);
    let parameters = varied.iter().map(|name| format!("parameter_{name}"));
    let middle = ["status", "reason", "on_belief_front", "on_risk_front"].map(String::from);
    let names = FIGURES.iter().map(|(name, _)| name.to_string()).chain(COSTS.iter().map(|(name, _)| name.to_string()));
    let last = std::iter::once("command".to_string());
    let mut text = line(first.into_iter().chain(parameters).chain(middle).chain(names).chain(last));
    for run in &comparison.runs {
        let settings = &run.settings;
        let mut cells = vec![
            run.number.to_string(),
            run.kind.clone(),
            settings.method.map_or("", Method::name).into(),
            settings.algorithm.map_or("", Algorithm::name).into(),
            settings.profile.unwrap_or_default().name().into(),
            run.required(),
        ];
        cells.extend(varied.iter().map(|name| parameter(run, name).unwrap_or_default().to_string()));
        let outcome = &run.outcome;
        cells.extend([
            outcome.status.name().into(),
            outcome.reason.clone().unwrap_or_default(),
            run.on_belief_front.to_string(),
            run.on_risk_front.to_string(),
        ]);
        let figure = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        cells.extend(FIGURES.iter().map(|(_, of)| figure(outcome.figures.as_ref().and_then(of))));
        cells.extend(COSTS.iter().map(|(_, of)| figure(outcome.cost.as_ref().and_then(of))));
        cells.push(run.commands.first().cloned().unwrap_or_default());
        text.push_str(&line(cells));
    }
    text
}

/// Names of all that varied, in the order of their first mention.
pub(super) fn varied(runs: &[Compared]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in runs.iter().flat_map(|run| &run.varied) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The value that something had in a run.
pub(super) fn parameter<'r>(run: &'r Compared, name: &str) -> Option<&'r str> {
    run.varied.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
