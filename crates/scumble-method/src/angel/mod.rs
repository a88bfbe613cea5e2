//! ANGEL: batches that satisfy the requirements, and buckets that hide who is there. See `paper.md` in this folder.

mod chance;
mod deal_people;
mod density;
mod distinct;
mod halving;
mod regions;
mod spread;
mod swap;
mod tree;
mod whose;

use crate::coins::{Coins, Purpose};
use crate::draws::Source;
use crate::lottery::Lottery;
use crate::mondrian::judge::{Criterion, RequirementJudge};
use crate::mondrian::{CutRule, Mondrian};
use crate::partitioner::Partitioner;
use crate::pieces::{partition_of_sizes, pieces_mut};
use crate::profile::{Profile, Variant};
use crate::shuffle::random_order;
use crate::task::{Task, under_k_anonymity};
use chance::ChanceDealer;
use deal_people::DealtBatches;
use distinct::Distinct;
use halving::HalvingDealer;
use rayon::prelude::*;
use regions::{Ends, Regions};
use scumble_principle::BoundRequirements;
use scumble_table::{Error, Monitor, Partition, Result, Role, Schema, Table, rows_by_group};
use whose::PeopleByPlace;

/// The two partitioners of ANGEL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Angel {
    /// The least number of rows of a bucket, and of people where some have several rows; 1 gives buckets of equal rows, which
    /// is anatomy.
    pub k: u64,
    /// Buckets by the density tree and batches freely in the order of the buckets; or Mondrian with the median of the
    /// widest attribute for both, as in the paper's experiments.
    pub variant: Variant,
    /// Who shares a batch. Buckets do not depend on sensitive values, and are always the best.
    ///
    /// | profile | batches |
    /// |---|---|
    /// | `standard` | by chance alone within leaves as small as can be dealt; as `hardened` where `k` is 1 |
    /// | `hardened` | by chance alone within leaves whose ends tell little |
    /// | `max-utility` | the next in line, with swaps afterwards; as `standard` where people have several rows |
    pub profile: Profile,
}

impl Default for Angel {
    /// Exact quasi-identifiers, profile `standard`.
    fn default() -> Self {
        Angel { k: 1, variant: Variant::Ours, profile: Profile::Standard }
    }
}

impl Angel {
    /// Buckets over the quasi-identifiers at these columns, all or some: groups of at least k rows whose boxes are
    /// disjoint. They come in the order of the tree, so neighbours lie near each other; the order of the rows
    /// inside is drawn from coins.
    pub fn buckets(&self, table: &Table, quasi: &[usize], coins: &Coins, monitor: Monitor<'_>) -> Result<Partition> {
        monitor.check()?;
        let k = self.k.max(1);
        if (table.n_rows() as u64) < k {
            return Err(too_large(k, table.n_rows(), "rows, and the table has"));
        }
        let persons = table.persons().filter(|persons| k > 1 && persons.repeat());
        if let Some(persons) = persons.filter(|persons| (persons.n() as u64) < k) {
            return Err(too_large(k, persons.n(), "people, and the rows of the table are of"));
        }
        let (rows, sizes) = match self.variant {
            Variant::Ours => {
                let least = usize::try_from(k).unwrap_or(usize::MAX);
                tree::leaves(table, quasi, least, persons.map(|persons| &**persons), monitor)?
            }
            Variant::Paper => under_k_anonymity(table, k, true, coins, monitor, |task| {
                let found = self.paper().partition_along(task, quasi)?;
                Ok((found.rows().to_vec(), found.groups().map(|rows| rows.len() as u32).collect()))
            })?,
        };
        monitor.check()?;
        monitor.conclude(in_random_order(rows, &sizes, table.n_rows(), coins))
    }

    /// Batches: groups that each satisfy the requirements, which must be monotone. `buckets` are those over all
    /// quasi-identifiers.
    pub fn batches(&self, task: &Task<'_>, buckets: &Partition) -> Result<Partition> {
        task.monitor.check()?;
        refuse_if_not_monotone(task.bound)?;
        task.feasible()?;
        let batches = match (self.variant, self.draw()) {
            (Variant::Paper, _) => self.paper().partition(&Task { most_suppressed: 0, ..*task }),
            (Variant::Ours, Profile::MaxUtility) if task.bound.by_person().is_none() => halve(task, buckets),
            (Variant::Ours, Profile::MaxUtility) => by_chance(task, buckets, Ends::Free, task.coins),
            (Variant::Ours, Profile::Standard) => by_chance(task, buckets, Ends::Free, task.coins),
            (Variant::Ours, Profile::Hardened) => by_chance(task, buckets, Ends::Drawn(LOTTERY), task.coins),
        };
        task.monitor.conclude(batches)
    }

    /// How batches are drawn. Exact values tell people apart, and so who stands far from the others of a group, which a
    /// draw among the nearest makes likelier to have a common value: in buckets of one the draw is always blind (the
    /// manual has figures, concepts/angel.md).
    fn draw(&self) -> Profile {
        match self.profile {
            Profile::Standard if self.k <= 1 => Profile::Hardened,
            profile => profile,
        }
    }

    /// The paper's partitioner.
    fn paper(&self) -> Mondrian {
        Mondrian { cuts: CutRule::WidestMedian, relaxed: false, profile: self.draw() }
    }
}

impl Partitioner for Angel {
    fn name(&self) -> &str {
        "angel"
    }

    /// The batches over buckets of all quasi-identifiers.
    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        let quasi = task.table.schema().of_role(Role::Quasi);
        let buckets = self.buckets(task.table, &quasi, task.coins, task.monitor.without_progress())?;
        self.batches(task, &buckets)
    }
}

/// The refusal of more people in every bucket than there are.
fn too_large(k: u64, most: usize, whole: &str) -> Error {
    Error::Infeasible {
        requirement: format!("«angel_k» {k}"),
        reason: format!("a bucket needs as many {whole} {most}"),
        allows: format!("«angel_k» can be {most} at most"),
        nearest: vec![most.to_string()],
    }
}

/// What the ends of leaves may tell of sensitive values in profile `hardened`: a posterior differs from the claimed share by a
/// factor of 2.9 at most, 1,064,710 millionths being its logarithm. Smaller runs than `wanted` allows would mostly be refused.
const LOTTERY: Lottery = Lottery { budget: 1_064_710, spent: 100, wanted: 3 };

/// Tables above this size are dealt on several threads.
const FORK: usize = 1 << 12;

/// Batches dealt by chance within leaves.
fn by_chance(task: &Task<'_>, buckets: &Partition, ends: Ends, source: &dyn Source) -> Result<Partition> {
    let served = Distinct::serving(task.bound);
    let buckets = column_by_column(task.table, buckets, task.monitor)?;
    let sequence = buckets.rows();
    let sensitive = sensitive_along(task.table, sequence)?;
    task.monitor.check()?;
    // The column that must differ counts first, so that its values lie together in the line.
    let n_columns = sensitive.schema().attributes().len();
    let first = served.map(|distinct| distinct.column).or_else(|| task.bound.sensitive_needed().first().copied());
    let columns: Vec<usize> = first.into_iter().chain((0..n_columns).filter(|&column| Some(column) != first)).collect();
    let values = value_numbers(&sensitive, &columns, task.monitor)?;
    let n = sequence.len();
    let (bound, monitor, sensitive, distinct) = (task.bound, task.monitor, &sensitive, served);
    let whose = PeopleByPlace::along(task, sequence);
    let chance = ChanceDealer { bound, sensitive, distinct, values: &values, whose: whose.as_ref(), source, monitor };
    let regions =
        Regions { bound, sensitive, distinct, buckets: buckets.starts(), ends, chance: &chance, source, monitor };
    let leaves = regions.find(n);
    let deal = |leaf: std::ops::Range<usize>| {
        let n = leaf.len() as u64;
        let dealt = chance.deal(leaf)?;
        monitor.advance(if dealt.1.is_empty() { 0 } else { n });
        Some(dealt)
    };
    // A small table is not worth other threads, and its draws come one after the other.
    let dealt: Option<Vec<DealtBatches>> = match n < FORK {
        true => leaves.into_iter().map(deal).collect(),
        false => leaves.into_par_iter().map(deal).collect(),
    };
    monitor.check()?;
    let dealt = dealt.ok_or_else(|| none_for_people(task))?;
    let rows = dealt.iter().flat_map(|(places, _)| places).map(|&place| sequence[place as usize]).collect();
    partition_of_sizes(rows, dealt.iter().flat_map(|(_, sizes)| sizes).copied(), task.table.n_rows())
}

/// The refusal where people have several rows and no batches were found.
fn none_for_people(task: &Task<'_>) -> Error {
    Error::NotFound {
        requirement: task.requirements(" and "),
        reason: "some people have so many rows that batches in which nobody comes twice cannot be had, and no others were \
                 found that meet it when people are counted"
            .into(),
        hint: "ask for less, or publish fewer rows of those who have most; that nothing was found is no proof that nothing \
               exists"
            .into(),
        report: Vec::new(),
    }
}

/// The buckets in the order of their least codes, column by column, those with the fewest values first. What tells
/// people apart most, such as their sex, makes boxes no denser and is cut last by the tree, or never; regions
/// in this order cut it first. It depends on quasi-identifiers alone.
fn column_by_column(table: &Table, buckets: &Partition, monitor: Monitor<'_>) -> Result<Partition> {
    let mut columns = table.schema().of_role(Role::Quasi);
    columns.sort_by_key(|&column| table.attribute(column).domain.n_codes());
    let least = |rows: &[u32]| -> Vec<u32> {
        if monitor.is_cancelled() {
            return Vec::new();
        }
        let codes = |column: usize| rows.iter().map(move |&row| table.column(column).get(row as usize));
        columns.iter().map(|&column| codes(column).min().unwrap_or(0)).collect()
    };
    let mut order: Vec<(Vec<u32>, usize)> =
        (0..buckets.n_groups()).into_par_iter().map(|bucket| (least(buckets.group(bucket)), bucket)).collect();
    monitor.check()?;
    order.par_sort_unstable();
    monitor.check()?;
    let rows = order.iter().flat_map(|&(_, bucket)| buckets.group(bucket)).copied().collect();
    let sizes = order.iter().map(|&(_, bucket)| buckets.group(bucket).len() as u32);
    partition_of_sizes(rows, sizes, table.n_rows())
}

/// Batches of neighbours in the order of the buckets, with swaps afterwards.
fn halve(task: &Task<'_>, buckets: &Partition) -> Result<Partition> {
    let served = Distinct::serving(task.bound);
    let sequence = sequence(task.table, buckets, served);
    let sensitive = sensitive_along(task.table, &sequence)?;
    let columns: Vec<usize> = (0..sensitive.schema().attributes().len()).collect();
    let values = value_numbers(&sensitive, &columns, task.monitor)?;
    let halving = HalvingDealer {
        judge: RequirementJudge::new(task.bound, &sensitive, Criterion::Holds),
        distinct: served.map(|distinct| (distinct, sensitive.column(distinct.column))),
        buckets: buckets.starts(),
        values: &values,
        monitor: task.monitor,
    };
    let (mut places, sizes) = halving.run(sequence.len());
    task.monitor.check()?;
    swapped(&mut places, &sizes, &values, buckets.starts(), task.monitor);
    let rows = places.par_iter().map(|&place| sequence[place as usize]).collect();
    partition_of_sizes(rows, sizes, task.table.n_rows())
}

/// Swaps slots between batches that lie end to end.
fn swapped(places: &mut Vec<u32>, sizes: &[u32], values: &[u32], buckets: &[u32], monitor: Monitor<'_>) {
    let mut batch_of = vec![0u32; places.len()];
    let batches = sizes.iter().enumerate().flat_map(|(batch, &size)| std::iter::repeat_n(batch as u32, size as usize));
    places.iter().zip(batches).for_each(|(&place, batch)| batch_of[place as usize] = batch);
    swap::improve(&swap::Places { values, buckets }, &mut batch_of, sizes.len(), monitor);
    *places = rows_by_group(&batch_of, sizes.len()).rows;
}

/// A number for every row of a table; rows have the same one if they agree in all columns, and numbers rise with the
/// first of these columns, then with the second, and so on.
fn value_numbers(table: &Table, columns: &[usize], monitor: Monitor<'_>) -> Result<Vec<u32>> {
    let mut numbers: Vec<u32> = match columns.first() {
        None => vec![0; table.n_rows()],
        Some(&column) => table.column(column).iter().collect(),
    };
    for &column in columns.iter().skip(1) {
        let pairs: Vec<(u32, u32)> = numbers.iter().copied().zip(table.column(column).iter()).collect();
        let mut distinct = pairs.clone();
        monitor.check()?;
        distinct.par_sort_unstable();
        monitor.check()?;
        distinct.dedup();
        // Every pair is there.
        numbers = pairs.par_iter().map(|pair| distinct.partition_point(|known| known < pair) as u32).collect();
    }
    Ok(numbers)
}

/// Batches are joined in every bucket, so what holds in each of two must hold in both together (paper 4, Lemma 1).
fn refuse_if_not_monotone(bound: &BoundRequirements) -> Result<()> {
    let Some(failed) = bound.tests().iter().find(|bound| !bound.test().monotone()) else { return Ok(()) };
    let requirement = &bound.requirements()[failed.requirement()];
    let reason =
        "two batches that satisfy this may fail it together, and a reader of a bucket sees its batches together";
    let error = Error::request("requirement", requirement.to_string(), reason);
    Err(match failed.test().neighbourhood() {
        Some(_) => error.hint("`proximity-window(e1, e2, m)` implies proximity and stays true when batches are joined"),
        None => error.hint("choose a requirement that stays true when groups are joined, or another method"),
    })
}

/// The rows bucket by bucket, in the order in which they go to batches.
fn sequence(table: &Table, buckets: &Partition, served: Option<Distinct>) -> Vec<u32> {
    let mut rows = buckets.rows().to_vec();
    if let Some(distinct) = served {
        let codes = table.column(table.schema().of_role(Role::Sensitive)[distinct.column]);
        let sizes = buckets.groups().map(<[u32]>::len);
        pieces_mut(&mut rows, sizes).into_par_iter().for_each(|bucket| {
            distinct::evenly(bucket, |row| codes.get(row as usize));
        });
    }
    rows
}

/// The sensitive columns alone, for rows in this order.
fn sensitive_along(table: &Table, rows: &[u32]) -> Result<Table> {
    let columns = table.schema().of_role(Role::Sensitive);
    let attributes = columns.iter().map(|&column| table.attribute(column).clone()).collect();
    let codes = columns.par_iter().map(|&column| table.column(column).gather(rows)).collect();
    Table::new(Schema::new(attributes)?, codes, rows.len())
}

/// The partition of rows that lie group by group, with the order inside the groups drawn from coins: it decides who
/// goes to which batch, and must not follow the order of the source.
fn in_random_order(mut rows: Vec<u32>, sizes: &[u32], n_rows: usize, coins: &Coins) -> Result<Partition> {
    let ranks = random_order(n_rows, coins, Purpose::Ties);
    let groups = pieces_mut(&mut rows, sizes.iter().map(|&size| size as usize));
    groups.into_par_iter().for_each(|group| group.sort_unstable_by_key(|&row| ranks[row as usize]));
    partition_of_sizes(rows, sizes.iter().copied(), n_rows)
}

#[cfg(test)]
mod exact_tests;
