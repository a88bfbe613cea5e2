//! Groups of releases with exact quasi-identifiers, merged where somebody's rows would give a value away.
//!
//! What is certain of somebody in a group is told by [`CertainValues`]. Where quasi-identifiers are exact, groups have no boxes, and any two of
//! them can be made one. The groups stand in a line: by their numbers where they were formed along the order of a number, else as
//! they were found, where those are near each other that were cut apart last. A group that gives something away is merged with
//! the smaller of its neighbours, the one that leaves smaller groups. What comes out is judged by the requirements again, by rows and by people,
//! since somebody who is in two groups may make both together fail; and so on until every group passes.
//!
//! In each round every failing group grows by at least an eighth of its rows, and what has grown is judged once. So there are
//! no more rounds than a multiple of the logarithm of the rows, each of which looks at no row twice.

use crate::job::{Method, Plan};
use rayon::prelude::*;
use scumble_principle::{BoundRequirements, CertainValues, Certainty, KeAnonymity};
use scumble_table::{Error, Monitor, Partition, Result, Role, Table};

/// What was merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MergedGroups {
    /// Groups that gave something away.
    failing: usize,
    /// All groups before.
    groups: usize,
    /// Groups that were made one with others.
    merged: usize,
    /// Groups that they were made into.
    into: usize,
}

impl MergedGroups {
    /// What the publisher hears; of one column, where each has groups of its own.
    pub(crate) fn warning(&self, column: Option<&str>) -> String {
        let MergedGroups { failing, groups, merged, into } = self;
        let column = column.map_or(String::new(), |column| format!("`{column}`: "));
        format!(
            "{column}some people have several rows, exact quasi-identifiers show which rows of a group are one person's, and in {failing} \
             of {groups} groups a value was certain to be somebody's: {merged} groups were merged into {into}, in which none is"
        )
    }
}

/// Groups of which no value is certain to be somebody's, made of groups that meet the requirements; and what was merged, where
/// something had to be.
///
/// # Errors
/// If there are no such groups, or merging finds none.
pub(crate) fn without_certain_values(
    table: &Table,
    plan: &Plan,
    bound: &BoundRequirements,
    partition: Partition,
    monitor: Monitor<'_>,
) -> Result<(Partition, Option<MergedGroups>)> {
    let Some(certain) = CertainValues::new(table).filter(|_| plan.shows_exact_rows()) else {
        return Ok((partition, None));
    };
    let gives_away = |memory: &mut Vec<u32>, rows: &[u32]| certain.find(rows, memory).is_some();
    let fails =
        |memory: &mut Vec<u32>, group: usize| !monitor.is_cancelled() && gives_away(memory, partition.group(group));
    let failing: Vec<bool> = (0..partition.n_groups()).into_par_iter().map_init(Vec::new, fails).collect();
    monitor.check()?;
    let n_failing = failing.iter().filter(|fails| **fails).count();
    if n_failing == 0 {
        return Ok((partition, None));
    }
    if let Some(told) = certain.find(partition.rows(), &mut Vec::new()) {
        return Err(infeasible(table, plan, told));
    }
    let mut line: Vec<Run> = in_line(table, bound, &partition)
        .into_iter()
        .map(|group| Run {
            groups: vec![group],
            rows: partition.group(group as usize).len(),
            fails: failing[group as usize],
            grown: false,
        })
        .collect();
    while line.iter().any(|run| run.fails) {
        if line.len() == 1 {
            return Err(not_found(plan, n_failing, partition.n_groups()));
        }
        line = grown(line);
        line.par_iter_mut().filter(|run| run.grown).for_each_init(Vec::new, |memory, run| {
            let rows: Vec<u32> =
                run.groups.iter().flat_map(|&group| partition.group(group as usize)).copied().collect();
            run.grown = false;
            run.fails = !monitor.is_cancelled() && (gives_away(memory, &rows) || !bound.rows_hold(table, &rows));
        });
        monitor.check()?;
    }
    let several = || line.iter().filter(|run| run.groups.len() > 1);
    let found = MergedGroups {
        failing: n_failing,
        groups: partition.n_groups(),
        merged: several().map(|run| run.groups.len()).sum(),
        into: several().count(),
    };
    let (mut rows, mut starts) = (Vec::with_capacity(partition.rows().len()), vec![0u32]);
    for run in &line {
        run.groups.iter().for_each(|&group| rows.extend_from_slice(partition.group(group as usize)));
        starts.push(rows.len() as u32);
    }
    Ok((Partition::new(rows, starts, partition.n_rows())?, Some(found)))
}

/// Refuses groups that were not merged and of which a value is certain to be somebody's.
///
/// # Errors
/// Says in how many groups that is so.
pub(crate) fn refuse_certain_values(table: &Table, plan: &Plan, partition: &Partition) -> Result<()> {
    let Some(certain) = CertainValues::new(table).filter(|_| plan.shows_exact_rows()) else { return Ok(()) };
    let fails = |memory: &mut Vec<u32>, group: usize| certain.find(partition.group(group), memory).is_some();
    match (0..partition.n_groups()).into_par_iter().map_init(Vec::new, fails).filter(|fails| *fails).count() {
        0 => Ok(()),
        n => Err(not_found(plan, n, partition.n_groups())),
    }
}

/// Neighbouring groups that were made one.
struct Run {
    groups: Vec<u32>,
    rows: usize,
    fails: bool,
    /// Whether it is yet to be judged.
    grown: bool,
}

impl Run {
    /// Adds what stands before or after it in the line.
    fn add(&mut self, other: Run, before: bool) {
        self.rows += other.rows;
        self.grown = true;
        match before {
            true => self.groups.splice(0..0, other.groups).for_each(drop),
            false => self.groups.extend(other.groups),
        }
    }
}

/// The line in which every failing run has grown by at least an eighth, as far as there are others.
fn grown(line: Vec<Run>) -> Vec<Run> {
    let mut after = line.into_iter().peekable();
    let mut before: Vec<Run> = Vec::new();
    while let Some(mut run) = after.next() {
        let wanted = run.rows + run.rows.div_ceil(8);
        while run.fails && run.rows < wanted {
            let rows_after = after.peek().map(|next| next.rows);
            let is_before = before.last().is_some_and(|last| rows_after.is_none_or(|rows| last.rows <= rows));
            match if is_before { before.pop() } else { after.next() } {
                Some(neighbour) => run.add(neighbour, is_before),
                None => break,
            }
        }
        before.push(run);
    }
    before
}

/// The groups in a line: by the least and the greatest of their numbers under (k, e)-anonymity, else as they were found.
fn in_line(table: &Table, bound: &BoundRequirements, partition: &Partition) -> Vec<u32> {
    let mut line: Vec<u32> = (0..partition.n_groups() as u32).collect();
    let is_ke = |requirement: usize| bound.requirements()[requirement].is::<KeAnonymity>();
    let driver = bound.tests().iter().find(|test| is_ke(test.requirement()));
    if let Some(place) = driver.and_then(|test| test.column()) {
        let codes = table.column(table.schema().of_role(Role::Sensitive)[place]);
        let ends = |group: &u32| {
            let values = || partition.group(*group as usize).iter().map(|&row| codes.get(row as usize));
            (values().min(), values().max())
        };
        line.sort_by_cached_key(ends);
    }
    line
}

fn requirements(plan: &Plan) -> String {
    let all: Vec<String> = plan.requirements.iter().map(ToString::to_string).collect();
    all.join("` and `")
}

fn infeasible(table: &Table, plan: &Plan, told: Certainty) -> Error {
    let Certainty { column, of_person, of_value, rows } = told;
    let column = &table.attribute(column).name;
    Error::Infeasible {
        requirement: requirements(plan),
        reason: format!(
            "exact quasi-identifiers show which rows are one person's, and with {of_person} of {rows} rows of one person and one value of \
             `{column}` in {of_value} it is certain in some group, whatever the groups are, that somebody has a value"
        ),
        allows: "publish one row of each person, or use «method» generalize".into(),
        nearest: Vec::new(),
    }
}

fn not_found(plan: &Plan, failing: usize, groups: usize) -> Error {
    let other = match plan.method {
        Method::Permute => "use «method» anatomy, which puts nobody twice into a group where it can; ",
        _ => "",
    };
    Error::NotFound {
        requirement: requirements(plan),
        reason: format!(
            "exact quasi-identifiers show which rows of a group are one person's, in {failing} of {groups} groups a value was certain \
             to be somebody's, and merging groups found none that hide it and meet the requirements by people"
        ),
        hint: format!("{other}publish one row of each person, or ask for less"),
        report: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grouping::divide;
    use crate::{Context, Job, Source};
    use std::collections::{BTreeMap, BTreeSet};

    /// Everything that is published with exact quasi-identifiers: method, algorithm and requirements on illness and cost.
    const WAYS: [(&str, &str, &[&str]); 12] = [
        ("permute", "mondrian", &["k-anonymity(2)"]),
        ("permute", "mondrian", &["illness: frequency-l-diversity(2)", "k-anonymity(2)"]),
        ("permute", "mondrian-relaxed", &["illness: distinct-l-diversity(2)"]),
        ("permute", "paper", &["k-anonymity(3)"]),
        ("permute", "expected-width", &["cost: ke-anonymity(2, 1)"]),
        ("permute", "min-sum", &["cost: ke-anonymity(2, 1)"]),
        ("permute", "max-groups", &["cost: ke-anonymity(2, 0)"]),
        ("permute", "random", &["cost: ke-anonymity(2, 1)"]),
        ("permute", "proximity", &["cost: proximity-absolute(1, 2)"]),
        ("anatomy", "angel", &["illness: frequency-l-diversity(2)"]),
        ("anatomy", "angel", &["k-anonymity(2)"]),
        ("anatomy", "mondrian", &["illness: distinct-l-diversity(2)"]),
    ];

    /// Whether somebody has one and the same value in every assignment of the values of a group to its rows: some rows of each
    /// person are filled with the values, in every way, and what all ways have in common is certain.
    fn is_certain(rows: &[(u32, u32)]) -> bool {
        fn deal(
            of: &[u32],
            left: &mut BTreeMap<u32, u32>,
            has: &mut Vec<(u32, u32)>,
            always: &mut Option<BTreeSet<(u32, u32)>>,
        ) {
            let Some((&person, rest)) = of.split_first() else {
                let have: BTreeSet<(u32, u32)> = has.iter().copied().collect();
                let common = always.take().map_or(have.clone(), |always| always.intersection(&have).copied().collect());
                *always = Some(common);
                return;
            };
            for value in left.keys().copied().collect::<Vec<u32>>() {
                if left[&value] == 0 || always.as_ref().is_some_and(BTreeSet::is_empty) {
                    continue;
                }
                *left.entry(value).or_default() -= 1;
                has.push((person, value));
                deal(rest, left, has, always);
                has.pop();
                *left.entry(value).or_default() += 1;
            }
        }
        let of: Vec<u32> = rows.iter().map(|row| row.0).collect();
        let mut left: BTreeMap<u32, u32> = BTreeMap::new();
        rows.iter().for_each(|row| *left.entry(row.1).or_default() += 1);
        let mut always = None;
        deal(&of, &mut left, &mut Vec::new(), &mut always);
        always.is_some_and(|always| !always.is_empty())
    }

    #[test]
    fn repeated_people_of_exact_releases_are_never_certain() {
        let mut state = 11u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let context = Context::new();
        let (mut made, mut merged, mut refused) = (0, 0, 0);
        for round in 0..2400 {
            let (method, algorithm, requirements) = WAYS[round % WAYS.len()];
            let sensitive = if requirements.iter().any(|one| one.starts_with("cost")) { "cost" } else { "illness" };
            let (n, people, values) = (4 + below(14), 3 + below(9), 2 + below(4));
            let lines: String = (0..n)
                .map(|_| {
                    let person = below(people);
                    // Half of the tables have people whose rows all look the same.
                    let age = if round % 2 == 0 { person * 7 % 5 } else { below(5) };
                    format!("p{person},{age},i{0},{0}\n", below(values))
                })
                .collect();
            let mut job = Job::new().quasi(["age"]).sensitive([sensitive]).person(["who"]).drop_rest();
            job.publish.method = method.parse().ok();
            job.publish.algorithm = algorithm.parse().ok();
            job.publish.require = requirements.iter().map(|one| one.parse().unwrap()).collect();
            let data = format!("who,age,illness,cost\n{lines}");
            let table = Source::reader(std::io::Cursor::new(data.clone())).read(&job, &context).unwrap();
            let plan = Plan::new(&job).unwrap();
            let coins = context.coins(Some(round as u64)).unwrap();
            if table.persons().is_none_or(|persons| !persons.repeat() || persons.n() < 2) {
                continue;
            }
            let partition = match divide(&table, &plan, &coins, context.monitor()) {
                Ok((found, bound)) => {
                    merged += usize::from(found.merged.is_some());
                    assert!(found.partition.groups().all(|rows| bound.rows_hold(&table, rows)), "{data}");
                    found.partition
                }
                Err(Error::Infeasible { .. } | Error::NotFound { .. }) => {
                    refused += 1;
                    continue;
                }
                Err(other) => panic!("{other}: {method} {algorithm} {requirements:?}\n{data}"),
            };
            made += 1;
            let persons = table.persons().unwrap();
            let codes = table.column(table.schema().of_role(Role::Sensitive)[0]);
            for group in partition.groups() {
                let rows: Vec<(u32, u32)> =
                    group.iter().map(|&row| (persons.of(row), codes.get(row as usize))).collect();
                let most = |of: fn(&(u32, u32)) -> u32| {
                    let count = |one: &(u32, u32)| rows.iter().filter(|other| of(other) == of(one)).count();
                    rows.iter().map(count).max().unwrap()
                };
                assert!(most(|row| row.0) + most(|row| row.1) <= rows.len(), "{method} {algorithm}: {rows:?}\n{data}");
                if rows.len() <= 8 {
                    assert!(!is_certain(&rows), "{method} {algorithm}: {rows:?}\n{data}");
                }
            }
        }
        assert!(made > 900 && merged > 180 && refused > 60, "{made} {merged} {refused}");
    }

    fn line(rows: &[(usize, bool)]) -> Vec<Run> {
        let run = |(group, &(rows, fails)): (usize, &(usize, bool))| Run {
            groups: vec![group as u32],
            rows,
            fails,
            grown: false,
        };
        rows.iter().enumerate().map(run).collect()
    }

    fn groups(line: &[Run]) -> Vec<Vec<u32>> {
        line.iter().map(|run| run.groups.clone()).collect()
    }

    #[test]
    fn the_smaller_neighbour_is_taken_in() {
        let made = grown(line(&[(5, false), (4, true), (4, false), (9, false)]));
        assert_eq!(groups(&made), [vec![0], vec![1, 2], vec![3]]);
        assert!(made[1].grown && made[1].rows == 8 && !made[0].grown);
        let made = grown(line(&[(4, false), (4, true), (4, false)]));
        assert_eq!(groups(&made), [vec![0, 1], vec![2]]);
        // Small neighbours are taken in until there is an eighth more.
        let made = grown(line(&[(90, true), (1, false), (2, false), (9, false), (50, false)]));
        assert_eq!(groups(&made), [vec![0, 1, 2, 3], vec![4]]);
        let made = grown(line(&[(3, true), (3, true), (3, true)]));
        assert_eq!(groups(&made), [vec![0, 1, 2]]);
    }
}
