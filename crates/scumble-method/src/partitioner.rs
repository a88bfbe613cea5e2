//! The trait of everything that divides a table into groups, and the partitioners that can be found by name.
//!
//! Other crates add partitioners of their own. What comes from outside is not trusted: callers ask
//! [`partition_checked`], which puts every group to the requirements before anything else sees it.

use crate::ke_permutation::Rule;
use crate::task::{Task, holds};
use crate::{Angel, EpsilonM, KePermutation, Mondrian, XColor};
use rayon::prelude::*;
use scumble_table::{Error, Partition, Result};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Divides a table into groups that each meet the requirements.
///
/// An implementation
/// - puts every row into one group, or leaves out at most [`Task::most_suppressed`] of them;
/// - draws all that is left to chance from [`Task::coins`], so that a seed gives the same groups for any number of
///   threads;
/// - tells [`Task::monitor`] of rows that reached their group, and returns [`Error::Cancelled`] soon after it was
///   cancelled.
///
/// Search methods that know more than the groups (cells, levels, buckets, remarks) have methods of their own for it.
pub trait Partitioner: Debug + Send + Sync {
    /// The word for it: lower-case letters, digits and hyphens.
    fn name(&self) -> &str;

    /// Divides the table.
    ///
    /// # Errors
    /// If the requirements do not suit the method, or no groups were found.
    fn partition(&self, task: &Task<'_>) -> Result<Partition>;
}

type Registry = BTreeMap<String, Arc<dyn Partitioner>>;

/// Words that stand for methods without a partitioner of this name: they depend on the requirements or on the table.
const RESERVED: [&str; 3] = ["full-domain", "paper", "rank-swap"];

static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| {
    let mut known: Vec<Arc<dyn Partitioner>> = vec![
        Arc::new(Mondrian::default()),
        Arc::new(Mondrian { relaxed: true, ..Mondrian::default() }),
        Arc::new(EpsilonM::default()),
        Arc::new(XColor::default()),
        Arc::new(Angel::default()),
    ];
    known.extend(Rule::ALL.into_iter().map(|rule| Arc::new(KePermutation { rule }) as Arc<dyn Partitioner>));
    RwLock::new(known.into_iter().map(|one| (one.name().to_string(), one)).collect())
});

/// Makes a partitioner known by its name, to all threads, until the program ends: jobs and manifests may name it.
///
/// # Errors
/// If the name is taken or is not a word of lower-case letters, digits and hyphens.
pub fn register_partitioner(partitioner: Arc<dyn Partitioner>) -> Result<()> {
    let name = partitioner.name().to_string();
    let is_word = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_word {
        let reason = "the name of a partitioner has lower-case letters, digits and hyphens, and begins with a letter";
        return Err(Error::request("partitioner", name, reason));
    }
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    if RESERVED.contains(&name.as_str()) || registry.contains_key(&name) {
        return Err(Error::request("partitioner", name, "there is a partitioner of this name")
            .hint("choose another name, for example with that of your crate in front"));
    }
    scumble_release::register_algorithm_name(&name);
    registry.insert(name, partitioner);
    Ok(())
}

/// The partitioner of a name: one of this library with its usual settings, or one that was registered.
pub fn partitioner(name: &str) -> Option<Arc<dyn Partitioner>> {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// Lets a partitioner divide the table, and checks what it made.
///
/// # Errors
/// Those of the partitioner and of [`check_partition`].
pub fn partition_checked(partitioner: &dyn Partitioner, task: &Task<'_>) -> Result<Partition> {
    task.monitor.check()?;
    let partition = partitioner.partition(task)?;
    check_partition(partitioner.name(), task, &partition)?;
    Ok(partition)
}

/// Checks that a partition is one that was asked for: of the rows of the table, with no more of them suppressed than
/// the task allows, and every group meets the requirements, which are tied to the rows that are in groups.
///
/// # Errors
/// If it is not; `name` is that of the partitioner, and the error says what is wrong.
pub fn check_partition(name: &str, task: &Task<'_>, partition: &Partition) -> Result<()> {
    let n_rows = task.table.n_rows();
    let refuse = |reason: String| {
        Err(Error::request("partitioner", name, reason)
            .hint("nothing was published; tell the author of the partitioner"))
    };
    if partition.n_rows() != n_rows {
        return refuse(format!("it divided {} rows, and the table has {n_rows}", partition.n_rows()));
    }
    if partition.n_groups() == 0 && n_rows > 0 {
        return refuse("it made no group".into());
    }
    let suppressed = partition.n_suppressed();
    if suppressed > task.most_suppressed {
        return refuse(format!("it left out {suppressed} rows, and {} may be suppressed", task.most_suppressed));
    }
    let rebound = if suppressed > 0 { Some((task.rebind)(partition.rows())?) } else { None };
    let bound = rebound.as_ref().unwrap_or(task.bound);
    let fails = |&group: &usize| !task.monitor.is_cancelled() && !holds(bound, task.table, partition.group(group));
    let failing = (0..partition.n_groups()).into_par_iter().filter(fails).count();
    task.monitor.check()?;
    match failing {
        0 => Ok(()),
        n => refuse(format!("{n} of its {} groups fail `{}`", partition.n_groups(), task.requirements("` and `"))),
    }
}
