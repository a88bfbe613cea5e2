//! Approaches to (k, e)-anonymity, and how wide the bounds of averages are under each.

use super::people::{Demand, People};
use crate::Series;
use scumble_measure::{AskedWidths, BoundQuestions, bounds_of_partition, bounds_of_rank_swap};
use scumble_method::ke_permutation::{KePermutation, Rule};
use scumble_method::{Coins, FullDomain, Task, full_domain::LevelStack};
use scumble_principle::{BoundRequirements, Requirement};
use scumble_table::{Error, Monitor, Partition, Result, Role};
use std::collections::BTreeSet;

/// A line of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approach {
    /// The groups of full-domain generalization.
    Generalization,
    /// The least greatest range.
    MinMax,
    /// The least sum of ranges.
    MinSum,
    /// The most groups.
    MaxGroups,
    /// People in a random order.
    Random,
    /// Numbers swapped with near ones.
    RankSwap,
    /// The default of the program.
    ExpectedWidth,
}

/// The paper's six, then ours: what each is called, and the rule by which it forms groups along the numbers.
const TABLE: [(Approach, &str, Option<Rule>); 7] = [
    (Approach::Generalization, "groups of generalization", None),
    (Approach::MinMax, "min max", Some(Rule::MinMax)),
    (Approach::MinSum, "min sum", Some(Rule::MinSum)),
    (Approach::MaxGroups, "max group", Some(Rule::MaxGroups)),
    (Approach::Random, "random", Some(Rule::Random)),
    (Approach::RankSwap, "rank swapping", None),
    (Approach::ExpectedWidth, "expected width (Scumble's default)", Some(Rule::ExpectedWidth)),
];

impl Approach {
    /// All of them, as they come in the table.
    pub(super) fn all() -> [Approach; 7] {
        TABLE.map(|line| line.0)
    }

    pub(super) fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    fn rule(self) -> Option<Rule> {
        TABLE[self as usize].2
    }
}

/// Those that the paper calls optimization algorithms.
const OPTIMA: [Approach; 3] = [Approach::MinMax, Approach::MinSum, Approach::MaxGroups];

/// A line without a figure.
static NO_LINE: Series = Series { name: String::new(), points: Vec::new(), steps: false };

/// The line of an approach, which has no figure where there is none.
pub(super) fn line_of(lines: &[Series], approach: Approach) -> &Series {
    lines.iter().find(|line| line.name == approach.name()).unwrap_or(&NO_LINE)
}

/// The lines of the optimization algorithms.
pub(super) fn optima(lines: &[Series]) -> impl Iterator<Item = &Series> {
    OPTIMA.into_iter().map(|approach| line_of(lines, approach))
}

/// Mean widths, question by question, and how many groups there are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured {
    pub(super) widths: Vec<Option<f64>>,
    /// None where there are no groups.
    pub(super) groups: Option<f64>,
}

/// Measures an approach; nothing where no groups meet the demand. Figures are means over seeds, for equal numbers are divided
/// between groups by coins; all approaches are asked the same questions.
pub(super) fn measured(
    people: &People,
    approach: Approach,
    demand: Demand,
    questions: &BoundQuestions,
    seeds: &[u64],
) -> Result<Option<Measured>> {
    let Some(rule) = approach.rule() else {
        return match approach {
            Approach::RankSwap => of_rank_swap(people, demand, questions),
            _ => Ok(Some(of_groups(people, &generalized(people, demand.k)?.partition, questions)?)),
        };
    };
    let mut found: Vec<Measured> = Vec::new();
    for &seed in seeds {
        let Some(partition) = by_rule(people, rule, demand, seed)? else { return Ok(None) };
        found.push(of_groups(people, &partition, questions)?);
    }
    Ok(mean(&found))
}

/// How wide bounds are for exact quasi-identifiers next to the numbers of groups.
pub(super) fn of_groups(people: &People, partition: &Partition, questions: &BoundQuestions) -> Result<Measured> {
    let (sensitive, range) = (&people.sensitive().name, &people.range().name);
    let asked =
        bounds_of_partition(&people.table, partition, sensitive, Some(range), questions, Monitor::silent())?.exact;
    Ok(Measured { widths: widths(&asked)?, groups: Some(partition.n_groups() as f64) })
}

fn of_rank_swap(people: &People, demand: Demand, questions: &BoundQuestions) -> Result<Option<Measured>> {
    let (sensitive, range) = (&people.sensitive().name, &people.range().name);
    match bounds_of_rank_swap(&people.table, (demand.k, demand.e), sensitive, Some(range), questions, Monitor::silent())
    {
        Ok(asked) => Ok(Some(Measured { widths: widths(&asked)?, groups: None })),
        // Not even all numbers together meet the demand.
        Err(Error::Request { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Mean widths. Every true answer must lie within its bounds, or they are no bounds.
pub(super) fn widths(asked: &[AskedWidths]) -> Result<Vec<Option<f64>>> {
    if asked.iter().any(|asked| asked.widths.outside > 0) {
        return Err(Error::bug("a true answer lies outside its bounds"));
    }
    Ok(asked.iter().map(|asked| asked.widths.mean).collect())
}

fn mean(found: &[Measured]) -> Option<Measured> {
    let first = found.first()?;
    let n = found.len() as f64;
    let width = |at: usize| found.iter().map(|one| one.widths[at]).sum::<Option<f64>>().map(|sum| sum / n);
    Some(Measured {
        widths: (0..first.widths.len()).map(width).collect(),
        groups: found.iter().map(|one| one.groups).sum::<Option<f64>>().map(|sum| sum / n),
    })
}

/// The groups of a rule, each looked at once more; nothing where none meet the demand.
pub(super) fn by_rule(people: &People, rule: Rule, demand: Demand, seed: u64) -> Result<Option<Partition>> {
    let wanted: Requirement = format!("ke-anonymity({}, {})", demand.k, people.e_text(demand)).parse()?;
    let grouped = with_task(people, &wanted, seed, |task| KePermutation { rule }.partition(task))?;
    grouped.map(|grouped| check(people, grouped.partition, demand)).transpose()
}

/// Groups from the levels of hierarchies.
#[derive(Debug)]
pub(super) struct Generalized {
    pub(super) partition: Partition,
    /// The level of each quasi-identifier, and the level at which it is `*`.
    pub(super) levels: Vec<(usize, usize)>,
}

impl Generalized {
    /// How many quasi-identifiers tell nothing any more.
    pub(super) fn stars(&self) -> usize {
        self.levels.iter().filter(|(level, top)| level == top).count()
    }

    /// Whether the column that ranges are taken of still tells something.
    pub(super) fn keeps_range(&self) -> bool {
        self.levels.first().is_some_and(|(level, top)| level < top)
    }
}

/// The levels that lose least of all under which every group has `l` different numbers.
pub(super) fn generalized_freely(people: &People, l: u64) -> Result<Generalized> {
    let stacks = stacks(people);
    let fixed = vec![None; stacks.len()];
    by_levels(people, l, stacks, fixed)?.ok_or_else(|| Error::bug("stars for everybody pass, and were not found"))
}

/// The same among those that keep the column that ranges are taken of, the finest of it first; as it comes where none do.
/// The paper leaves out its oldest people for the same end.
pub(super) fn generalized(people: &People, l: u64) -> Result<Generalized> {
    let stacks = stacks(people);
    let top = stacks.first().map_or(0, LevelStack::top);
    let mut best: Option<Generalized> = None;
    for level in 0..top {
        let mut fixed = vec![None; stacks.len()];
        fixed[0] = Some(level);
        let found = by_levels(people, l, stacks.clone(), fixed)?;
        // More groups are smaller groups, which is what the work on l-diversity looked for.
        let more = |found: &Generalized| {
            best.as_ref().is_none_or(|best| found.partition.n_groups() > best.partition.n_groups())
        };
        if let Some(found) = found.filter(more) {
            best = Some(found);
        }
    }
    match best {
        Some(best) => Ok(best),
        None => generalized_freely(people, l),
    }
}

fn stacks(people: &People) -> Vec<LevelStack> {
    let quasi = people.table.schema().of_role(Role::Quasi);
    quasi.into_iter().map(|column| LevelStack::for_column(&people.table, column)).collect()
}

fn by_levels(
    people: &People,
    l: u64,
    stacks: Vec<LevelStack>,
    fixed: Vec<Option<usize>>,
) -> Result<Option<Generalized>> {
    let wanted: Requirement = format!("ke-anonymity({l}, 0)").parse()?;
    let search = FullDomain { stacks, fixed };
    let Some(found) = with_task(people, &wanted, 0, |task| search.partition(task))? else { return Ok(None) };
    let levels = found.levels.iter().zip(&search.stacks).map(|(&level, stack)| (level, stack.top())).collect();
    Ok(Some(Generalized { levels, partition: check(people, found.partition, Demand { k: l, e: 0 })? }))
}

/// What a search for groups comes to; nothing where none meet the requirement.
fn with_task<R>(
    people: &People,
    wanted: &Requirement,
    seed: u64,
    work: impl FnOnce(&Task<'_>) -> Result<R>,
) -> Result<Option<R>> {
    let table = &people.table;
    let wanted = std::slice::from_ref(wanted);
    let bind = || BoundRequirements::bind(wanted, table.schema(), |column| table.column_bag(column));
    let (bound, coins) = (bind()?, Coins::from_seed(seed));
    let (most_suppressed, monitor) = (0, Monitor::silent());
    match work(&Task { table, bound: &bound, rebind: &|_| bind(), most_suppressed, coins: &coins, monitor }) {
        Ok(found) => Ok(Some(found)),
        Err(Error::Infeasible { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Groups, if they hold by nothing but the definition: everybody is in one, and each has k different numbers that span e.
fn check(people: &People, partition: Partition, demand: Demand) -> Result<Partition> {
    let numbers = people.numbers();
    let codes = people.table.column(people.sensitive_at());
    let passes = |rows: &[u32]| {
        let of = |&row: &u32| numbers.get(codes.get(row as usize) as usize).copied().flatten();
        let values: BTreeSet<i128> = rows.iter().filter_map(of).collect();
        let span = values.first().zip(values.last()).map_or(0, |(first, last)| last - first);
        values.len() as u64 >= demand.k && span >= demand.e
    };
    let rows: BTreeSet<u32> = partition.rows().iter().copied().collect();
    if rows.len() != people.n() || !partition.groups().all(passes) {
        return Err(Error::bug("groups do not meet the demand they were made for"));
    }
    Ok(partition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study_table::StudyColumn;

    fn twelve() -> People {
        let (ages, losses) = ((0..12).map(|n| 20 + 3 * n), (0..12).map(|n| 100 * (n * 7 % 12)));
        People::new(&[StudyColumn::new("age", ages), StudyColumn::new("loss", losses)]).unwrap()
    }

    #[test]
    fn approaches_that_group_are_measured_alike() {
        let people = twelve();
        let questions =
            BoundQuestions { sizes: vec![0.5], spans: vec![10.0], questions: 20, ..BoundQuestions::default() };
        let demand = Demand { k: 3, e: 200 };
        for approach in Approach::all() {
            let found = measured(&people, approach, demand, &questions, &[1, 2]).unwrap().unwrap();
            assert_eq!(found.widths.len(), 2, "{approach:?}");
            assert!(found.widths.iter().all(|width| width.is_some_and(f64::is_finite)), "{approach:?} {found:?}");
        }
        let width =
            |approach| measured(&people, approach, demand, &questions, &[1]).unwrap().unwrap().widths[0].unwrap();
        assert!(width(Approach::MinSum) < width(Approach::Random));
        let impossible = Demand { k: 13, e: 0 };
        for approach in [Approach::MinMax, Approach::RankSwap] {
            assert_eq!(measured(&people, approach, impossible, &questions, &[1]).unwrap(), None);
        }
    }

    #[test]
    fn groups_of_generalization_keep_ages_where_they_can() {
        let people = twelve();
        let found = generalized(&people, 3).unwrap();
        assert!(found.keeps_range() && found.partition.n_groups() > 1, "{found:?}");
        assert_eq!(found.stars(), 0);
        let all = generalized(&people, 12).unwrap();
        assert!(!all.keeps_range() && all.partition.n_groups() == 1 && all.stars() == 1);
    }

    #[test]
    fn groups_that_fail_are_a_bug() {
        let people = twelve();
        let pairs = Partition::new((0..12).collect(), vec![0, 2, 4, 6, 8, 10, 12], 12).unwrap();
        assert!(check(&people, pairs.clone(), Demand { k: 2, e: 0 }).is_ok());
        assert!(check(&people, pairs.clone(), Demand { k: 3, e: 0 }).is_err());
        assert!(check(&people, pairs.clone(), Demand { k: 2, e: 900 }).is_err());
    }
}
