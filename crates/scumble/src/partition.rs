//! From a plan to the partitioner that serves it.

use crate::anonymize::ChosenLevel;
use crate::binding::bind_published;
use crate::certain_values::MergedGroups;
use crate::job::Plan;
use crate::job::{Algorithm, Method, Profile};
use crate::level_trees::{fixed, ladders};
use crate::partition_people::{FoundGroups, among_people, or_by_cutting, warn_of_search};
use scumble_method::full_domain::{FullDomain, LevelStack, Recoded};
use scumble_method::mondrian::{Cells, CutRule, Mondrian};
use scumble_method::{
    Angel, Coins, EpsilonM, KePermutation, Task, Variant, XColor, epsilon_m, partition_checked, partitioner,
};
use scumble_principle::BoundRequirements;
use scumble_release::BoxKind;
use scumble_table::{Decimal, Error, Partition, Result, Role, Table};
use scumble_table::{Monitor, Stage};

/// Groups, and a remark about them.
pub(crate) struct PartitionResult {
    pub(crate) partition: Partition,
    /// What the publisher should know about the groups, without a capital and a full stop. It is about the search, so the
    /// release does not say it.
    pub(crate) remark: Option<&'static str>,
    /// The buckets of an angel release, table by table.
    pub(crate) buckets: Vec<ColumnBuckets>,
    /// The levels of a full-domain release.
    pub(crate) levels: Option<Levels>,
    /// The cells of the groups, where boxes are to be cells.
    pub(crate) cells: Option<Cells>,
    /// True if the algorithm found no groups of people who have several rows, and these were found by cutting.
    pub(crate) cut: bool,
    /// What was merged so that no value is certain to be somebody's.
    pub(crate) merged: Option<MergedGroups>,
}

/// A level for each quasi-identifier, with all that there are.
pub(crate) struct Levels {
    pub(crate) stacks: Vec<LevelStack>,
    pub(crate) levels: Vec<usize>,
}

impl Levels {
    /// The levels in the words of the publisher.
    pub(crate) fn chosen(&self, table: &Table) -> Vec<ChosenLevel> {
        let chosen = |(stack, &level): (&LevelStack, &usize)| ChosenLevel {
            column: table.attribute(stack.column()).name.clone(),
            level,
            top: stack.top(),
            conditional: stack.is_conditional(level),
        };
        self.stacks.iter().zip(&self.levels).map(chosen).collect()
    }
}

/// All rows in buckets over some of the quasi-identifiers.
pub(crate) struct ColumnBuckets {
    /// Columns of the table.
    pub(crate) columns: Vec<usize>,
    pub(crate) partition: Partition,
}

/// Divides the table into groups that meet the requirements.
pub(crate) fn partition(
    table: &Table,
    bound: &BoundRequirements,
    plan: &Plan,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<PartitionResult> {
    let algorithm = plan.algorithm;
    let angel = algorithm == Algorithm::Angel || plan.method == Method::Angel;
    // Buckets and batches are sought one after the other, and the buckets of every marginal.
    let rounds = if angel { 2 + plan.marginals.len() } else { 1 };
    monitor.begin(Stage::Partition, Some((table.n_rows() * rounds) as u64))?;
    let task = Task {
        table,
        bound,
        rebind: &|rows| Ok(bind_published(table, plan, bound.joint(), Some(rows))?.with_population_of(bound)),
        most_suppressed: share_of(plan.max_suppressed, table.n_rows()),
        coins,
        monitor,
    };
    if angel {
        return by_angel(&task, plan);
    }
    warn_of_search(&task, plan);
    among_people(&task, plan, by_algorithm(&task, plan))
}

/// Divides the table as an algorithm does that makes groups only.
fn by_algorithm(task: &Task<'_>, plan: &Plan) -> Result<PartitionResult> {
    let Task { table, bound, monitor, .. } = *task;
    let algorithm = plan.algorithm;
    if algorithm == Algorithm::FullDomain {
        let stacks = ladders(table, plan)?;
        let search = FullDomain { fixed: fixed(table, plan, &stacks)?, stacks };
        let Recoded { partition, levels } = search.partition(task)?;
        return Ok(PartitionResult { levels: Some(Levels { stacks: search.stacks, levels }), ..plain(partition) });
    }
    if let Algorithm::Registered(name) = algorithm {
        let own = partitioner(name).ok_or_else(|| Error::bug(format!("the partitioner `{name}` was forgotten")))?;
        return Ok(plain(partition_checked(&*own, task)?));
    }
    if let Some(rule) = algorithm.ke_rule() {
        let grouped = KePermutation { rule }.partition(task)?;
        return Ok(PartitionResult { remark: grouped.note, ..plain(grouped.partition) });
    }
    if plan.about_dissimilarity() {
        let search = XColor::new(variant(algorithm), plan.profile, Some(plan.time_limit));
        return Ok(plain(search.partition(task)?));
    }
    if algorithm == Algorithm::Proximity || plan.about_proximity() {
        if !epsilon_m::is_constructed(bound, table) {
            monitor.warn(
                "these requirements together cannot be guaranteed by construction: groups are found by search, each of \
                 them is checked, and the search may find none although there are some",
            );
        }
        let search = EpsilonM { variant: variant(algorithm), profile: plan.profile, aim: plan.aim };
        return Ok(plain(search.partition(task)?));
    }
    let mondrian = Mondrian {
        cuts: if algorithm == Algorithm::Paper { CutRule::WidestMedian } else { CutRule::LeastLoss },
        relaxed: algorithm == Algorithm::MondrianRelaxed,
        profile: plan.profile,
    };
    if plan.profile == Profile::Hardened && !mondrian.hides_stops(task) {
        monitor.warn(if task.most_suppressed > 0 {
            "where rows are suppressed, which groups could not be divided still tells something about sensitive values"
        } else if algorithm == Algorithm::Paper {
            "the paper's algorithm does not stop by lot, so which groups could not be divided still tells something about \
             sensitive values"
        } else {
            "these requirements cannot tell by how many rows a group meets them, so which groups could not be divided still \
             tells something about sensitive values"
        });
    }
    if plan.boxes == BoxKind::Cells {
        let (partition, cells) = mondrian.partition_with_cells(task)?;
        return Ok(PartitionResult { cells: Some(cells), ..plain(partition) });
    }
    Ok(plain(mondrian.partition(task)?))
}

/// Groups with nothing more to say of them.
pub(crate) fn plain(partition: Partition) -> PartitionResult {
    PartitionResult {
        partition,
        remark: None,
        buckets: Vec::new(),
        levels: None,
        cells: None,
        cut: false,
        merged: None,
    }
}

/// Batches for groups, and the buckets of every table; anatomy is the case of buckets of one (paper 4, section 3.5).
fn by_angel(task: &Task<'_>, plan: &Plan) -> Result<PartitionResult> {
    let angel = angel(plan, plan.angel_k.unwrap_or(1));
    let quasi = task.table.schema().of_role(Role::Quasi);
    let all = angel.buckets(task.table, &quasi, task.coins, task.monitor)?;
    let FoundGroups { partition, cut } = or_by_cutting(task, plan, angel.batches(task, &all))?;
    let mut buckets = vec![ColumnBuckets { columns: quasi, partition: all }];
    for (at, names) in plan.marginals.iter().enumerate() {
        buckets.push(marginal(task.table, names, &angel, &task.coins.for_column(at), task.monitor)?);
    }
    Ok(PartitionResult { buckets, cut, ..plain(partition) })
}

/// The partitioners of an angel release.
fn angel(plan: &Plan, k: u64) -> Angel {
    angel_of(plan.profile, plan.algorithm == Algorithm::Paper, k)
}

/// The same for a profile, and the paper's own way where that is wanted.
pub(crate) fn angel_of(profile: Profile, paper: bool, k: u64) -> Angel {
    Angel { k, variant: if paper { Variant::Paper } else { Variant::Ours }, profile }
}

fn variant(algorithm: Algorithm) -> Variant {
    if algorithm == Algorithm::Paper { Variant::Paper } else { Variant::Ours }
}

/// The buckets over some quasi-identifiers.
pub(crate) fn marginal(
    table: &Table,
    names: &[String],
    angel: &Angel,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<ColumnBuckets> {
    let columns = names.iter().map(|name| table.schema().position("marginal", name)).collect::<Result<Vec<usize>>>()?;
    let partition = angel.buckets(table, &columns, coins, monitor)?;
    Ok(ColumnBuckets { columns, partition })
}

/// The search for groups whose boxes do not overlap.
pub(crate) fn apart(profile: Profile) -> Mondrian {
    Mondrian { profile, ..Mondrian::default() }
}

/// The greatest number of rows whose share is at most `share`.
pub(crate) fn share_of(share: Decimal, rows: usize) -> usize {
    let unit = 10i128.pow(u32::from(share.scale()));
    usize::try_from(share.mantissa() * rows as i128 / unit).unwrap_or(0)
}
