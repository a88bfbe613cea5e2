//! The grid of parameters that a principle is advised on: the values that were asked for, or ones that suit the column.

use super::values::{Given, is_size_of_groups};
use scumble_principle::{ColumnFacts, Entry, Requirement};
use scumble_table::{Decimal, Error, Result, Table};

/// No more points are tried of one principle on one column.
const MOST_POINTS: usize = 200;

/// A point of a grid.
#[derive(Debug, Clone)]
pub(super) struct GridPoint {
    /// As a requirement on every column.
    pub(super) requirement: Requirement,
    /// The values of the parameters, in their order; empty for one that is left out.
    pub(super) values: Vec<String>,
    /// The size of groups that it asks for, where 1 by that bounds the chance of finding somebody.
    pub(super) one_of: Option<u64>,
}

/// The grid of a principle on a column; `strictest` is the most that can be asked, where that is known.
///
/// # Errors
/// If values that were asked for make no requirement, or too many points.
pub(super) fn of(
    entry: &'static Entry,
    table: &Table,
    column: Option<usize>,
    strictest: Option<Requirement>,
    given: Option<&Given>,
) -> Result<Vec<GridPoint>> {
    let most = strictest.as_ref().and_then(|requirement| Decimal::parse(parameters_of(requirement).first()?));
    let facts = column
        .map_or_else(ColumnFacts::default, |at| ColumnFacts::new(&table.attribute(at).domain, &table.column_bag(at)));
    let mut lists = lists(entry, &facts.with_most(most));
    for (list, asked) in lists.iter_mut().zip(given.into_iter().flatten()) {
        if let Some(asked) = asked {
            list.clone_from(asked);
        }
    }
    let n_points: usize = lists.iter().map(Vec::len).product();
    if n_points > MOST_POINTS {
        let reason = format!("{n_points} requirements are too many to try, at most {MOST_POINTS} are");
        return Err(Error::request("values", entry.name, reason).hint("give fewer values"));
    }
    let asked = given.is_some_and(|given| given.iter().any(Option::is_some));
    let mut points = Vec::with_capacity(n_points);
    for values in combinations(&lists) {
        match written(entry, &values).parse::<Requirement>() {
            Ok(requirement) => {
                let size = entry.parameters.iter().position(is_size_of_groups);
                let one_of = size.and_then(|at| values.get(at)?.parse().ok());
                points.push(GridPoint { requirement, values, one_of });
            }
            // Of two bounds one may lie above the other.
            Err(error) if asked && n_points == 1 => return Err(error),
            Err(_) => {}
        }
    }
    if points.is_empty() {
        return Err(Error::request("values", entry.name, "no requirement can be made of these values")
            .hint(format!("such as `{}`", entry.example)));
    }
    Ok(points)
}

/// A requirement of these values in notation; an empty one is left out.
fn written(entry: &Entry, values: &[String]) -> String {
    let values: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
    format!("{}({})", entry.name, values.join(", "))
}

/// All combinations, the first list rising slowest.
fn combinations(lists: &[Vec<String>]) -> Vec<Vec<String>> {
    lists.iter().fold(vec![Vec::new()], |begun, list| {
        let with = |begin: &Vec<String>, value: &String| begin.iter().chain([value]).cloned().collect::<Vec<_>>();
        begun.iter().flat_map(|begin| list.iter().map(move |value| with(begin, value))).collect()
    })
}

/// The texts of the parameters of a requirement.
fn parameters_of(requirement: &Requirement) -> Vec<String> {
    let notation = requirement.principle().notation();
    let inside = notation.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    inside.split(", ").map(String::from).collect()
}

/// The lists that the principle tells for such a column. One that tells none, or not one for each parameter, is tried with its example,
/// which is then all that is known of what makes sense.
fn lists(entry: &Entry, facts: &ColumnFacts) -> Vec<Vec<String>> {
    let n = entry.parameters.len();
    let usual = (entry.usual)(facts).filter(|lists| lists.len() == n && lists.iter().all(|list| !list.is_empty()));
    usual.unwrap_or_else(|| {
        let example = entry.example.parse::<Requirement>().map(|example| parameters_of(&example)).unwrap_or_default();
        (0..n).map(|at| vec![example.get(at).cloned().unwrap_or_default()]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_principle::{Usual, catalogue, entry};
    use scumble_table::{Bag, Domain};

    #[test]
    fn every_point_of_every_grid_is_a_requirement() {
        let domain = Domain::numbers((1..=1000i64).map(Decimal::from).collect()).unwrap();
        let bag = Bag::from_codes(domain.codes());
        let facts = ColumnFacts::new(&domain, &bag).with_most(Some(Decimal::from(7)));
        for entry in catalogue() {
            let points = combinations(&lists(entry, &facts));
            assert!((1..=MOST_POINTS).contains(&points.len()), "{}", entry.name);
            for values in points {
                let text = written(entry, &values);
                text.parse::<Requirement>().unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn a_principle_that_tells_no_values_is_tried_with_its_example() {
        let facts = ColumnFacts::default();
        let t = entry("t-closeness").unwrap();
        let forgetful: [Usual; 3] =
            [|_| None, |_| Some(vec![vec!["0.1".into()]]), |_| Some(vec![vec!["0.1".into()], Vec::new()])];
        for usual in forgetful {
            assert_eq!(lists(&Entry { usual, ..*t }, &facts), [["0.2"], ["ordered"]]);
        }
    }
}
