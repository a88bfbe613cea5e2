//! The groups of a release: one grouping for all sensitive columns, or one for each of them.

use crate::binding::{bind_published, together_of};
use crate::certain_values::{MergedGroups, refuse_certain_values, without_certain_values};
use crate::job::{Algorithm, Plan};
use crate::level_trees::same_persons;
use crate::mixtures::{self, MixtureAttempt};
use crate::partition::{ColumnBuckets, Levels, PartitionResult, partition};
use crate::population::check_reachable;
use rayon::prelude::*;
use scumble_method::Coins;
use scumble_method::mondrian::Cells;
use scumble_principle::{Attained, BoundRequirements, ByPerson, Distance, Group, PersonMemory, Requirement};
use scumble_release::{AttainedEntry, MatrixFile, published_matrices};
use scumble_table::{Attribute, Bag, Decimal, Error, Monitor, Partition, Result, Role, Schema, Table};
use scumble_verify::mixture::MixtureFigure;
use scumble_verify::{attained_entries, attained_per_column};
use std::time::Instant;

/// All groups of a release.
pub(crate) struct GroupingResult {
    /// One grouping, or one for each sensitive column in their order.
    pub(crate) groupings: Vec<Grouping>,
    /// The buckets of an angel release, table by table.
    pub(crate) buckets: Vec<ColumnBuckets>,
    /// The levels of a full-domain release.
    pub(crate) levels: Option<Levels>,
    /// The cells of the groups, where boxes are to be cells.
    pub(crate) cells: Option<Cells>,
    /// The word for the algorithm; the words, where columns were worked on apart by different ones.
    pub(crate) algorithm: String,
    /// What was really reached.
    pub(crate) attained: Vec<AttainedEntry>,
    /// The same with people counted in place of their rows, where requirements bind people and there is one grouping.
    pub(crate) attained_by_people: Vec<AttainedEntry>,
    /// The distance that values are apart by, as the manifest states it, with the matrices that it names.
    pub(crate) distance: Option<Distance>,
    pub(crate) matrices: Vec<MatrixFile>,
    /// What is believed of people whose quasi-identifiers are known, but not their group; for the publisher only.
    pub(crate) mixture: Vec<MixtureFigure>,
    /// The ways that were tried to hold mixtures; for the publisher only.
    pub(crate) ways: Vec<MixtureAttempt>,
    /// What the publisher hears of groups that were merged so that no value is certain to be somebody's.
    pub(crate) merged: Vec<String>,
    /// Seconds spent; for the publisher only.
    pub(crate) seconds: f64,
}

/// Groups of rows.
pub(crate) struct Grouping {
    pub(crate) partition: Partition,
    /// Coins of its own, where there are several groupings.
    pub(crate) coins: Option<Coins>,
}

/// Divides the rows as the plan says.
pub(crate) fn grouped(table: &Table, plan: &Plan, coins: &Coins, monitor: Monitor<'_>) -> Result<GroupingResult> {
    let start = Instant::now();
    warn_of_look_alikes(table, monitor);
    if !plan.groups_per_column() {
        let CheckedPartition { partition, algorithm, remark, buckets, levels, cells, merged, bound, common, ways } =
            reach(table, plan, coins, monitor)?;
        let mixture = mixtures::figures(table, &partition, &bound, plan, coins, monitor)?;
        remark.into_iter().for_each(|remark| monitor.warn(remark));
        let (distance, matrices) = published_matrices(&bound, table.schema())?;
        let groupings = vec![Grouping { partition, coins: None }];
        return Ok(GroupingResult {
            distance,
            matrices,
            buckets,
            levels,
            cells,
            algorithm: algorithm.into(),
            mixture,
            ways,
            merged: merged.iter().map(|merged| merged.warning(None)).collect(),
            attained: attained_entries(&bound, table.schema(), common),
            attained_by_people: match bound.by_person() {
                Some(people) => common_of_people(people, &groupings[0].partition)
                    .map_or_else(Vec::new, |common| attained_entries(&bound, table.schema(), common)),
                None => Vec::new(),
            },
            groupings,
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    // What cannot be put to any column should be said of all of them.
    let together = together_of(table, plan, monitor)?;
    bind_published(table, plan, together.as_ref(), None)?;
    let sensitive = table.schema().of_role(Role::Sensitive);
    let names: Vec<&str> = sensitive.iter().map(|&at| table.attribute(at).name.as_str()).collect();
    let (mut groupings, mut parts, mut algorithms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut mixture, mut ways, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for (at, &column) in sensitive.iter().enumerate() {
        let speaks = |one: &&Requirement| one.column.is_none() || one.named_in(&names) == Some(at);
        let requirements = plan.requirements.iter().filter(speaks).cloned().collect();
        let mut plan = plan.with_requirements(requirements, plan.named_algorithm);
        // An algorithm that was named for some columns need not suit what is required of others.
        if plan.check_algorithm().is_err() {
            plan = plan.with_requirements(plan.requirements.clone(), None).without_aim();
            plan.check_algorithm()?;
        }
        // A distance is about the column that a requirement names.
        if !plan.about_dissimilarity() {
            plan.distance = None;
        }
        let (alone, coins) = (table.with_one_sensitive(column), coins.for_column(at));
        let CheckedPartition { partition, algorithm, remark, merged, bound, common, ways: tried, .. } =
            reach(&alone, &plan, &coins, monitor)?;
        warnings.extend(merged.iter().map(|merged| merged.warning(Some(names[at]))));
        mixture.extend(mixtures::figures(&alone, &partition, &bound, &plan, &coins, monitor)?.into_iter().map(
            |figure| {
                let several =
                    plan.requirements.iter().any(|one| one.column.is_none() && one.to_string() == figure.requirement);
                MixtureFigure { column: several.then(|| names[at].to_string()), ..figure }
            },
        ));
        ways.extend(tried.into_iter().map(|way| MixtureAttempt { column: Some(names[at].to_string()), ..way }));
        remark.into_iter().for_each(|remark| monitor.warn(&format!("`{}`: {remark}", names[at])));
        algorithms.push(algorithm);
        parts.push((bound, alone.schema().clone(), common));
        groupings.push(Grouping { partition, coins: Some(coins) });
    }
    algorithms.dedup();
    let stated = parts
        .iter()
        .map(|(bound, schema, _): &(BoundRequirements, Schema, Vec<Attained>)| published_matrices(bound, schema));
    let stated = stated.collect::<Result<Vec<_>>>()?.into_iter().find(|(distance, _)| distance.is_some());
    let (distance, matrices) = stated.unwrap_or_default();
    let apart =
        parts.iter().map(|(bound, schema, common): &(_, Schema, Vec<Attained>)| (bound, schema, common.clone()));
    Ok(GroupingResult {
        distance,
        matrices,
        attained: attained_per_column(apart),
        attained_by_people: Vec::new(),
        algorithm: algorithms.join(", "),
        groupings,
        buckets: Vec::new(),
        levels: None,
        cells: None,
        mixture,
        ways,
        merged: warnings,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Groups, the requirements bound to what is published of them, and what all groups attain together.
struct CheckedPartition {
    partition: Partition,
    algorithm: &'static str,
    remark: Option<&'static str>,
    buckets: Vec<ColumnBuckets>,
    levels: Option<Levels>,
    cells: Option<Cells>,
    merged: Option<MergedGroups>,
    bound: BoundRequirements,
    common: Vec<Attained>,
    ways: Vec<MixtureAttempt>,
}

/// Groups that meet the requirements, and of which mixtures do where they must.
fn reach(table: &Table, plan: &Plan, coins: &Coins, monitor: Monitor<'_>) -> Result<CheckedPartition> {
    if !plan.holds_mixtures() {
        let (divided, bound) = divide(table, plan, coins, monitor)?;
        let PartitionResult { partition, remark, buckets, levels, cells, cut, merged } = divided;
        let common = attained(table, &partition, &bound);
        let algorithm = if cut { Algorithm::Mondrian.name() } else { plan.algorithm.name() };
        return Ok(CheckedPartition {
            partition,
            algorithm,
            remark,
            buckets,
            levels,
            cells,
            merged,
            bound,
            common,
            ways: Vec::new(),
        });
    }
    let mixtures::Held { partition, bound, algorithm, ways } = mixtures::hold(table, plan, coins, monitor)?;
    // Merging what was found could make mixtures fail.
    refuse_certain_values(table, plan, &partition)?;
    let common = attained(table, &partition, &bound);
    Ok(CheckedPartition {
        partition,
        algorithm,
        remark: None,
        buckets: Vec::new(),
        levels: None,
        cells: None,
        merged: None,
        bound,
        common,
        ways,
    })
}

/// Groups that meet the requirements, and these tied to what is published of them.
pub(crate) fn divide(
    table: &Table,
    plan: &Plan,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<(PartitionResult, BoundRequirements)> {
    let together = together_of(table, plan, monitor)?;
    let bound = bind_published(table, plan, together.as_ref(), None)?;
    // Under `dissimilarity` rows may be left out where they stand in the way, so only the search can tell.
    // That there are fewer rows than a group needs is known without one.
    let may_help = table.n_rows() as u64 >= bound.least_size();
    if !(may_help && plan.about_dissimilarity() && plan.max_suppressed > Decimal::ZERO) {
        feasible(table, &bound).map_err(|error| beside_suppression(error, plan))?;
    }
    check_reachable(table, &bound, plan, monitor)?;
    let merged = counted_by_look(table, plan)?;
    let searched = merged.as_ref().unwrap_or(table);
    let divided = partition(searched, &bound, plan, coins, monitor)?;
    let bound = match divided.partition.n_suppressed() {
        0 => bound,
        _ => bind_published(table, plan, together.as_ref(), Some(divided.partition.rows()))?.with_population_of(&bound),
    };
    let (partition, merged) = without_certain_values(table, plan, &bound, divided.partition, monitor)?;
    refuse_too_few_people(&partition, &bound, monitor)?;
    Ok((PartitionResult { partition, merged, ..divided }, bound))
}

/// Nothing is published of which a group fails when people are counted, whatever method found the groups.
fn refuse_too_few_people(partition: &Partition, bound: &BoundRequirements, monitor: Monitor<'_>) -> Result<()> {
    let Some(people) = bound.by_person() else { return Ok(()) };
    let fails = |memory: &mut PersonMemory, group: usize| {
        let rows = partition.group(group).iter().copied();
        usize::from(!monitor.is_cancelled() && !people.holds(rows, memory))
    };
    let failing: usize = (0..partition.n_groups()).into_par_iter().map_init(PersonMemory::default, fails).sum();
    monitor.check()?;
    match failing {
        0 => Ok(()),
        n => Err(Error::bug(format!("{n} groups fail when their people are counted; nothing was published"))),
    }
}

/// The table for searches, which may deal values by their codes: labels that look alike have one code where all
/// requirements count them as one. Nothing where no labels look alike, or where some requirement tells them apart.
fn counted_by_look(table: &Table, plan: &Plan) -> Result<Option<Table>> {
    let alike =
        |at: usize| table.attribute(at).domain.look_alikes().filter(|_| table.attribute(at).role == Role::Sensitive);
    let counts = |one: &Requirement| one.principle().counts_values() || !one.principle().needs_values();
    let n_columns = table.schema().attributes().len();
    if !(0..n_columns).any(|at| alike(at).is_some()) || !plan.requirements.iter().all(counts) {
        return Ok(None);
    }
    let codes = |at: usize| match alike(at) {
        Some(alikes) => alikes.merged_codes(table.column(at)),
        None => table.column(at).clone(),
    };
    let merged = Table::new(table.schema().clone(), (0..n_columns).map(codes).collect(), table.n_rows())?;
    same_persons(table, merged).map(Some)
}

/// Tells the publisher which sensitive columns have labels that look alike.
fn warn_of_look_alikes(table: &Table, monitor: Monitor<'_>) {
    for at in table.schema().of_role(Role::Sensitive) {
        let Attribute { name, domain, .. } = table.attribute(at);
        if let Some(alikes) = domain.look_alikes() {
            monitor.warn(&format!("{} wherever different values are counted", alikes.warning(name)));
        }
    }
}

/// Rows are suppressed to lower the loss, never to reach a requirement; a publisher who allowed suppression
/// should hear so.
fn beside_suppression(error: Error, plan: &Plan) -> Error {
    match error {
        Error::Infeasible { requirement, reason, allows, nearest } if plan.max_suppressed > Decimal::ZERO => {
            let reason = format!("{reason} with all rows published, and rows are suppressed only to lower the loss");
            Error::Infeasible { requirement, reason, allows, nearest }
        }
        other => other,
    }
}

/// What all groups attain together, counted by people.
fn common_of_people(people: &ByPerson, partition: &Partition) -> Option<Vec<Attained>> {
    let of_group = |rows: &[u32]| people.with_group(rows, BoundRequirements::attained);
    let both = |a: Vec<Attained>, b: Vec<Attained>| a.into_iter().zip(b).map(|(a, b)| a.common(b)).collect();
    partition.groups().map(of_group).reduce(both)
}

/// Refuses what no partition can reach, before any work.
fn feasible(table: &Table, bound: &BoundRequirements) -> Result<()> {
    let mut bags: Vec<Bag> =
        table.schema().of_role(Role::Sensitive).into_iter().map(|column| table.column_bag(column)).collect();
    bags.extend(bound.joint().map(|together| together.composite().bag()));
    // People are fewer than their rows: what they allow is told at once.
    if let Some(people) = bound.by_person() {
        let all: Vec<u32> = (0..table.n_rows() as u32).collect();
        people.feasible(&all).map_err(|error| by_people(error, people))?;
    }
    bound.feasible(Group { size: table.n_rows() as u64, bags: &bags })
}

/// What cannot be reached when people are counted might be when rows are; the publisher should hear which was counted.
fn by_people(error: Error, people: &ByPerson) -> Error {
    match error {
        Error::Infeasible { requirement, reason, allows, nearest } => Error::Infeasible {
            requirement,
            reason: format!(
                "counting each of {} people once, not their {} rows: {reason}",
                people.persons().n(),
                people.persons().of_rows().len()
            ),
            allows,
            nearest,
        },
        other => other,
    }
}

/// What the groups reach, test by test: the worst of all groups.
fn attained(table: &Table, partition: &Partition, bound: &BoundRequirements) -> Vec<Attained> {
    let worst: Option<Vec<Attained>> = (0..partition.n_groups())
        .into_par_iter()
        .map(|g| {
            let rows = partition.group(g);
            bound.attained(Group { size: rows.len() as u64, bags: &bound.bags(table, rows) })
        })
        .reduce_with(|a, b| a.into_iter().zip(b).map(|(a, b)| Attained::common(a, b)).collect());
    worst.unwrap_or_default()
}
