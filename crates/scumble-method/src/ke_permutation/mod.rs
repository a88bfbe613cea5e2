//! (k, e)-anonymity: groups along the order of a sensitive number. See `paper.md` in this folder.

mod check;
mod demand;
mod expected_width;
mod groups;
mod max_groups;
mod min_max;
mod min_max_overlap;
mod min_sum;
mod missing;
mod number_line;
mod people;
mod random;
mod repair;
mod solve;
mod sorted;
#[cfg(test)]
mod tests;
mod unsigned;

use crate::choice::choice_by_name;
use crate::coins::Purpose;
use crate::partitioner::Partitioner;
use crate::task::Task;
use check::Check;
use demand::Demand;
use groups::PlaceGroups;
use people::People;
use scumble_table::{Code, Decimal, Domain, Error, Monitor, Partition, Result, Role};
use sorted::Sorted;

/// What the groups are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Narrow bounds of sums: the least sum of expected widths. The default.
    ExpectedWidth,
    /// The least sum of ranges.
    MinSum,
    /// The least greatest range, of groups that do not overlap.
    MinMax,
    /// The least greatest range of all partitions.
    MinMaxOverlap,
    /// The most groups, of those that do not overlap.
    MaxGroups,
    /// Nothing: rows as they come in a random order, for comparison.
    Random,
}

choice_by_name!(
    Rule,
    "algorithm",
    "algorithm",
    [
        ExpectedWidth = "expected-width",
        MinSum = "min-sum",
        MinMax = "min-max",
        MinMaxOverlap = "min-max-overlap",
        MaxGroups = "max-groups",
        Random = "random",
    ]
);

/// The partitioner for (k, e)-anonymity, alone or with other requirements.
///
/// It looks at sensitive values only, so what a reader who knows it can learn does not depend on who
/// has which quasi-identifiers, and profiles make no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KePermutation {
    /// What the groups are made for.
    pub rule: Rule,
}

/// What a rule has reached, in the unit of the sensitive column. It tells gaps between sensitive values, so
/// it is for the publisher only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objective {
    /// The sum over groups of the mean width of the bounds of a sum over some of their rows.
    ExpectedWidth(f64),
    /// The sum of the ranges of all groups.
    SumOfRanges(Decimal),
    /// The range of the group that has the greatest.
    GreatestRange(Decimal),
    /// How many groups there are.
    Groups(u64),
}

/// Groups, and what can be said of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped {
    /// The groups; each has been checked against all requirements.
    pub partition: Partition,
    /// False where no such groups are the best that the rule can find: those of the optimum failed another
    /// requirement, or every group needs a row without a number, or the rule is [`Rule::Random`].
    pub optimal: bool,
    /// What the rule reached for rows with numbers, where that is the optimum; among runs of sorted rows, where people have
    /// several rows and groups need enough of them.
    pub objective: Option<Objective>,
    /// Rows without a number, spread over the groups after the optimum was found for the others.
    pub missing: usize,
    /// What a publisher should know about the groups.
    pub note: Option<&'static str>,
}

/// What is said where other requirements have changed the groups.
const REPAIRED: &str = "the best groups for (k, e)-anonymity fail another requirement: they were joined and dealt anew \
                        until every group met all requirements, and are not the best that the algorithm promises";

/// What is said where null is one of the k values.
const NEEDS_NULL: &str = "the numbers have fewer than k different values, so every group needs a row without a number: \
                          the groups are not the best that the algorithm promises";

/// What is said where some rows have no number.
const SPREAD: &str = "the groups are the best for rows that have a number; those without one were spread over them";

/// What is said where people without a number are needed for any group.
const FEW_HAVE_NUMBERS: &str = "too few different people have a number, so all rows are one group: it is not the best that \
                                the algorithm promises";

/// What is said where overlapping groups were asked for and people have several rows.
const NO_OVERLAP: &str = "where people have several rows, groups that overlap are not sought: the groups are those of \
                          `min-max`, whose greatest range is the least of groups that do not overlap";

impl KePermutation {
    /// Divides the table into groups that each satisfy the requirements, one of which must be
    /// (k, e)-anonymity. The first column of which that is required drives the partition.
    ///
    /// # Errors
    /// A request without (k, e)-anonymity or with suppression; what no partition can meet, with what the
    /// data allows; more states than [`Rule::MinMaxOverlap`] looks at; further requirements that no
    /// groups were found for, which is possible only where one of them is not monotone.
    pub fn partition(&self, task: &Task<'_>) -> Result<Grouped> {
        task.monitor.check()?;
        task.monitor.conclude(self.grouped(task))
    }

    fn grouped(&self, task: &Task<'_>) -> Result<Grouped> {
        let (table, bound) = (task.table, task.bound);
        let demand = Demand::new(bound, table, self.rule.name())?;
        if task.most_suppressed > 0 {
            let reason = format!("the algorithm `{}` publishes all rows, and none is suppressed", self.rule);
            return Err(
                Error::request("max_suppressed", "", reason).hint("leave «max_suppressed» out, or use `mondrian`")
            );
        }
        task.feasible()?;
        let n_sensitive = table.schema().of_role(Role::Sensitive).len();
        let sorted = Sorted::new(table.column(demand.column), task.coins);
        let (groups, mut quality) = self.groups(task, &demand, &sorted)?;
        let check = Check::new(task, &sorted, demand.place, n_sensitive);
        let passing = check.passing(&groups);
        let groups = if passing.iter().all(|&passes| passes) {
            groups
        } else {
            if self.rule != Rule::Random {
                quality.note = Some(REPAIRED);
            }
            (quality.optimal, quality.objective) = (false, None);
            repair::repaired(&groups, &passing, &check).ok_or_else(|| not_found(task))?
        };
        let partition = groups.into_partition(&sorted)?;
        Ok(Grouped {
            partition,
            optimal: quality.optimal,
            objective: quality.objective,
            missing: sorted.n_null(),
            note: quality.note,
        })
    }

    /// Groups that satisfy (k, e)-anonymity of the driving column.
    fn groups(&self, task: &Task<'_>, demand: &Demand, sorted: &Sorted) -> Result<(PlaceGroups, Quality)> {
        let domain = &task.table.attribute(demand.column).domain;
        let people = People::along(task, sorted);
        if self.rule == Rule::Random {
            let number = |code: Code| domain.number(code).unwrap_or(0);
            let groups = random::groups(sorted, demand.k, demand.e, people.as_ref(), number, task.coins);
            return Ok((groups, Quality::default()));
        }
        let n = sorted.len() as u32;
        if people.as_ref().is_some_and(|people| !people.are_enough_from(sorted.n_null())) {
            let quality = Quality { note: Some(FEW_HAVE_NUMBERS), ..Quality::default() };
            return Ok((PlaceGroups::contiguous(vec![0, n], 0), quality));
        }
        if demand.is_nothing() && people.as_ref().is_none_or(|people| people.least == 1) {
            let objective = solve::single_row_objective(self.rule, u64::from(n));
            let quality = Quality { optimal: true, objective, note: None };
            return Ok((PlaceGroups::contiguous((0..=n).collect(), 0), quality));
        }
        let n_null = sorted.n_null() as u32;
        let distinct = sorted.n_distinct_numbers();
        if distinct < demand.k {
            let groups = self.with_null_each(demand, domain, sorted, people.as_ref(), task)?;
            return Ok((groups, Quality { note: Some(NEEDS_NULL), ..Quality::default() }));
        }
        let solution = solve::solve(self.rule, domain, sorted, demand.k, demand.e, people.as_ref(), task.monitor)?;
        let groups = PlaceGroups::from_shape(solution.shape, n_null);
        let groups = missing::dealt(groups, n_null, 0, &mut task.coins.stream(Purpose::Groups, 0));
        let note = match people.is_some() && self.rule == Rule::MinMaxOverlap {
            true => Some(NO_OVERLAP),
            false => (n_null > 0).then_some(SPREAD),
        };
        let optimal = note != Some(NO_OVERLAP);
        Ok((groups, Quality { optimal, objective: Some(solution.objective).filter(|_| optimal), note }))
    }

    /// Groups where null is the k-th value: the optimum for k - 1, joined to as many groups as there are
    /// rows without a number, and one of these for each.
    fn with_null_each(
        &self,
        demand: &Demand,
        domain: &Domain,
        sorted: &Sorted,
        people: Option<&People>,
        task: &Task<'_>,
    ) -> Result<PlaceGroups> {
        let (k, n_null) = (demand.k - 1, sorted.n_null() as u32);
        let rule = if self.rule == Rule::MinMaxOverlap { Rule::MinMax } else { self.rule };
        let starts = if k <= 1 && demand.e == 0 && people.is_none() {
            // One number only: any row that has it and one that has none are a group.
            (0..=sorted.len() as u32 - n_null).collect()
        } else {
            match solve::solve(rule, domain, sorted, k, demand.e, people, task.monitor)?.shape {
                solve::Shape::Contiguous(starts) => starts,
                solve::Shape::Listed(_) => return Err(Error::bug("contiguous groups are wanted")),
            }
        };
        let starts = missing::joined(&starts, n_null as usize);
        let mut coins = task.coins.stream(Purpose::Groups, 0);
        Ok(missing::dealt(PlaceGroups::contiguous(starts, n_null), n_null, 1, &mut coins))
    }
}

impl Partitioner for KePermutation {
    fn name(&self) -> &str {
        self.rule.name()
    }

    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        KePermutation::partition(self, task).map(|grouped| grouped.partition)
    }
}

/// The optimum of a rule over numbers in rising order, as groups of their places: every group has at least
/// `k` different numbers that span at least `e`. For measurements; a release needs [`KePermutation::partition`],
/// which orders equal numbers by secret coins and checks every group.
///
/// # Errors
/// Numbers that do not rise or that no partition can serve; what the rule refuses.
pub fn partition_sorted(rule: Rule, numbers: &[i128], k: u64, e: u128, monitor: Monitor<'_>) -> Result<Partition> {
    monitor.check()?;
    let n = numbers.len() as u32;
    if !numbers.is_sorted() {
        return Err(Error::request("numbers", "", "they must stand in rising order"));
    }
    let span = numbers.first().zip(numbers.last()).map(|(first, last)| last.abs_diff(*first));
    let distinct = numbers.chunk_by(|a, b| a == b).count() as u64;
    if distinct < k || span.is_none_or(|span| span < e) {
        return Err(Error::Infeasible {
            requirement: format!("ke-anonymity({k}, {e})"),
            reason: format!("there are {distinct} different numbers"),
            allows: format!("they span {}", span.unwrap_or(0)),
            nearest: Vec::new(),
        });
    }
    let groups = if k <= 1 && e == 0 {
        PlaceGroups::contiguous((0..=n).collect(), 0)
    } else {
        let solution = solve::solve_numbers(rule, numbers.len(), |at| numbers[at], 0, k, e, None, monitor);
        PlaceGroups::from_shape(monitor.conclude(solution)?.shape, 0)
    };
    groups.placed(numbers.len())
}

/// What is known of groups besides their rows.
#[derive(Default)]
struct Quality {
    optimal: bool,
    objective: Option<Objective>,
    note: Option<&'static str>,
}

/// The refusal where the search for groups that meet all requirements found none.
fn not_found(task: &Task<'_>) -> Error {
    Error::NotFound {
        requirement: task.requirements(" and "),
        reason: "each of them can be met by itself, but groups along the order of the numbers that meet all of them \
                 were not found"
            .into(),
        hint: "ask for less in one of them, or leave «algorithm» out; that nothing was found is no proof that nothing \
               exists"
            .into(),
        report: Vec::new(),
    }
}
