//! The points of a grid as rows of a table, the same on the terminal and on the page.

use super::{Choice, PrincipleChoice};
use scumble_report::{grouped, measure};

/// The heading of the table of a principle.
pub fn choice_heading(choice: &PrincipleChoice) -> Vec<String> {
    let mut heading: Vec<String> = shown_parameters(choice).map(|at| short(choice.parameters[at]).into()).collect();
    if asks_sizes(choice) {
        heading.push("1/k".into());
    }
    heading.push("can be met".into());
    if choice.points.iter().any(|point| point.widths.is_some()) {
        heading.extend(["groups", "mean range", "greatest", "most groups", "least greatest"].map(String::from));
    } else {
        heading.extend(["groups", "smallest", "chance", "mean chance", "NCP"].map(String::from));
        // What is reached is the size of the smallest group.
        if !choice.sizes_only {
            heading.push("reached".into());
        }
    }
    heading
}

/// The rows of that table; `percent` writes a share of two whole numbers. Where a requirement cannot be met or was not tried, its
/// figures are dashes.
pub fn choice_rows(choice: &PrincipleChoice, percent: impl Fn(u64, u64) -> String) -> Vec<Vec<String>> {
    let widths = choice.points.iter().any(|point| point.widths.is_some());
    let row = |point: &Choice| {
        let mut row: Vec<String> = shown_parameters(choice).map(|at| point.values[at].clone()).collect();
        if asks_sizes(choice) {
            row.push(point.one_of.map_or_else(dash, |k| percent(1, k)));
        }
        row.push(met(point).into());
        match (widths, &point.widths, &point.sample) {
            (true, Some(found), _) => row.extend([
                grouped(found.groups),
                measure(found.mean_range),
                found.greatest_range.clone(),
                grouped(found.most_groups),
                found.least_greatest_range.clone(),
            ]),
            (false, _, Some(made)) => {
                row.extend([
                    grouped(made.groups),
                    grouped(made.smallest),
                    percent(1, made.smallest.max(1)),
                    percent(made.groups.min(made.members), made.members),
                    format!("{:.4}", made.ncp_per_attribute),
                ]);
                if !choice.sizes_only {
                    let reached: Vec<String> =
                        made.attained.iter().map(|(name, value)| format!("{name} {value}")).collect();
                    row.push(reached.join(", "));
                }
            }
            _ => row.extend((row.len()..choice_heading(choice).len()).map(|_| dash()).collect::<Vec<_>>()),
        }
        row
    };
    choice.points.iter().map(row).collect()
}

/// What can be said of all groupings, in a word.
fn met(point: &Choice) -> &'static str {
    match point.can_be_met {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    }
}

fn dash() -> String {
    "-".into()
}

/// The parameters that some point gives.
fn shown_parameters(choice: &PrincipleChoice) -> impl Iterator<Item = usize> + '_ {
    let given =
        |at: &usize| choice.points.iter().any(|point| point.values.get(*at).is_some_and(|value| !value.is_empty()));
    (0..choice.parameters.len()).filter(given)
}

fn short(parameter: &'static str) -> &'static str {
    if parameter == "ground distance" { "ground" } else { parameter }
}

/// Whether nothing but the size of groups is asked for.
fn asks_sizes(choice: &PrincipleChoice) -> bool {
    choice.parameters.len() == 1 && choice.points.iter().any(|point| point.one_of.is_some())
}
