//! From sorted rows to the optimum of a rule.

use super::number_line::{Cuts, NumberLine};
use super::people::People;
use super::sorted::Sorted;
use super::unsigned::Unsigned;
use super::{Objective, Rule, expected_width, max_groups, min_max, min_max_overlap, min_sum};
use scumble_table::{Decimal, Domain, Error, Monitor, Result};

/// Groups of rows that have a number.
pub(super) enum Shape {
    /// By where they start in the order of numbers, closed by the number of rows.
    Contiguous(Vec<u32>),
    /// By their places in that order.
    Listed(Vec<Vec<u32>>),
}

/// An optimum and its value.
pub(super) struct Solution {
    pub(super) shape: Shape,
    pub(super) objective: Objective,
}

/// The optimum where every row is a group of its own.
pub(super) fn single_row_objective(rule: Rule, n: u64) -> Option<Objective> {
    match rule {
        Rule::ExpectedWidth => Some(Objective::ExpectedWidth(0.0)),
        Rule::MinSum => Some(Objective::SumOfRanges(Decimal::ZERO)),
        Rule::MinMax | Rule::MinMaxOverlap => Some(Objective::GreatestRange(Decimal::ZERO)),
        Rule::MaxGroups => Some(Objective::Groups(n)),
        Rule::Random => None,
    }
}

/// The optimum over the rows that have a number, `k` different ones and a span of `e` units in each group.
/// The whole must pass, and a single number must not.
pub(super) fn solve(
    rule: Rule,
    domain: &Domain,
    sorted: &Sorted,
    k: u64,
    e: u128,
    people: Option<&People>,
    monitor: Monitor<'_>,
) -> Result<Solution> {
    let number = |place: usize| domain.number(sorted.code((sorted.n_null() + place) as u32)).unwrap_or(0);
    let people = people.map(|people| (&people.of[sorted.n_null()..], people));
    solve_numbers(rule, sorted.len() - sorted.n_null(), number, domain.scale(), k, e, people, monitor)
}

/// The same for `n` numbers in rising order, and the person of each where groups need enough people.
#[allow(clippy::too_many_arguments, reason = "the numbers, what is asked of groups, and how they are to be found")]
pub(super) fn solve_numbers(
    rule: Rule,
    n: usize,
    number: impl Fn(usize) -> i128,
    scale: u8,
    k: u64,
    e: u128,
    people: Option<(&[u32], &People)>,
    monitor: Monitor<'_>,
) -> Result<Solution> {
    if n == 0 {
        return Err(Error::bug("groups of numbers are wanted where there are none"));
    }
    // Offsets from the least number fit whatever the numbers are.
    if number(n - 1).abs_diff(number(0)) < u128::from(u64::MAX) {
        Problem::<u64>::new(n, number, scale, k, e).solve(rule, people, monitor)
    } else {
        Problem::<u128>::new(n, number, scale, k, e).solve(rule, people, monitor)
    }
}

struct Problem<T> {
    line: NumberLine<T>,
    k: u64,
    e: T,
    scale: u8,
}

impl<T: Unsigned> Problem<T> {
    fn new(n: usize, number: impl Fn(usize) -> i128, scale: u8, k: u64, e: u128) -> Self {
        let (mut values, mut starts) = (Vec::new(), Vec::new());
        let (least, mut before) = (number(0), None);
        for (place, number) in (0..n).map(number).enumerate() {
            if before != Some(number) {
                before = Some(number);
                values.push(T::from_wide(number.abs_diff(least)));
                starts.push(place as u32);
            }
        }
        starts.push(n as u32);
        // What is not in the type is beyond the range of the table.
        let e = if T::from_wide(e).wide() == e { T::from_wide(e) } else { T::from_wide(u128::MAX) };
        Problem { line: NumberLine { values, starts }, k, e, scale }
    }

    fn solve(self, rule: Rule, people: Option<(&[u32], &People)>, monitor: Monitor<'_>) -> Result<Solution> {
        let Problem { line, k, e, scale } = self;
        let cuts: Cuts = match people {
            None => line.cuts(k, e),
            Some((of, people)) => line.cuts_among_people(k, e, of, people),
        };
        let length = |value: T| Decimal::new(i128::try_from(value.wide()).unwrap_or(i128::MAX), scale);
        let none = || Error::bug("all rows together pass, and no groups were found");
        let (shape, objective) = match rule {
            Rule::MinSum => {
                let (sum, starts) = min_sum::groups(&line, &cuts).ok_or_else(none)?;
                (Shape::Contiguous(starts), Objective::SumOfRanges(length(sum)))
            }
            // Groups that overlap are not sought among people.
            Rule::MinMaxOverlap if people.is_some() => {
                let (range, starts) = min_max::groups(&line, &cuts).ok_or_else(none)?;
                (Shape::Contiguous(starts), Objective::GreatestRange(length(range)))
            }
            Rule::MinMax => {
                let (range, starts) = min_max::groups(&line, &cuts).ok_or_else(none)?;
                (Shape::Contiguous(starts), Objective::GreatestRange(length(range)))
            }
            Rule::Random => {
                return Err(Error::request("algorithm", rule.name(), "rows in a random order have no optimum"));
            }
            Rule::MaxGroups => {
                let starts = max_groups::groups(&cuts).ok_or_else(none)?;
                let n = starts.len() as u64 - 1;
                (Shape::Contiguous(starts), Objective::Groups(n))
            }
            Rule::MinMaxOverlap => {
                let found = min_max_overlap::groups(&line, &cuts, k, e, min_max_overlap::MOST_STATES, monitor);
                let (range, found) = found.map_err(|failure| match failure {
                    min_max_overlap::Failure::TooMany(states) => too_many(states),
                    min_max_overlap::Failure::Unreachable => none(),
                })?;
                let shape = match found {
                    min_max_overlap::Optimum::Contiguous(starts) => Shape::Contiguous(starts),
                    min_max_overlap::Optimum::Overlapping(groups) => Shape::Listed(groups),
                };
                (shape, Objective::GreatestRange(length(range)))
            }
            Rule::ExpectedWidth => {
                let (width, starts) = expected_width::groups(line, cuts, monitor).map_err(|failure| match failure {
                    expected_width::Failure::TooLong => too_long(),
                    expected_width::Failure::Unreachable => none(),
                })?;
                (Shape::Contiguous(starts), Objective::ExpectedWidth(width / 10f64.powi(i32::from(scale))))
            }
        };
        Ok(Solution { shape, objective })
    }
}

fn too_many(states: u64) -> Error {
    let reason = format!(
        "it would look at {states} pairs of different numbers that may share a group, and takes at most {}",
        min_max_overlap::MOST_STATES
    );
    Error::request("algorithm", Rule::MinMaxOverlap.name(), reason)
        .hint("use `min-max`: its greatest range is at most twice as wide, and mostly the same")
}

fn too_long() -> Error {
    let reason = "the sensitive numbers have too many digits for exact sums in 128 bits";
    Error::request("algorithm", Rule::ExpectedWidth.name(), reason)
        .hint("round the numbers, or use `min-sum` or `min-max`, which only compare them")
}
