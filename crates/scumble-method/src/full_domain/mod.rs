//! Full-domain generalization: one level for each quasi-identifier, the same for all rows. See `paper.md` in this folder.

mod boxes;
mod level_stack;
mod search;
mod tuples;

pub use level_stack::LevelStack;

use crate::partitioner::Partitioner;
use crate::people::none_found;
use crate::pieces::partition_of_groups;
use crate::task::Task;
use rayon::prelude::*;
use scumble_principle::BoundRequirements;
use scumble_table::{Error, Partition, Result};
use search::{Lattice, best};
use std::sync::atomic::{AtomicU64, Ordering};
use tuples::{Runs, Tuples};

/// The partitioner.
#[derive(Debug, Clone)]
pub struct FullDomain {
    /// The levels of each quasi-identifier, in the order of the table.
    pub stacks: Vec<LevelStack>,
    /// The level of each, where it is not to be chosen.
    pub fixed: Vec<Option<usize>>,
}

/// Groups that show the same at one level for each quasi-identifier.
#[derive(Debug)]
pub struct Recoded {
    /// The classes that pass; rows of the others are suppressed.
    pub partition: Partition,
    /// The level of each quasi-identifier.
    pub levels: Vec<usize>,
}

impl FullDomain {
    /// The levels that lose least of all that meet the requirements, with no more rows suppressed than the task allows.
    ///
    /// # Errors
    /// If requirements are not monotone, or the levels that were asked for cannot meet them.
    pub fn partition(&self, task: &Task<'_>) -> Result<Recoded> {
        task.monitor.check()?;
        task.monitor.conclude(self.recoded(task))
    }

    fn recoded(&self, task: &Task<'_>) -> Result<Recoded> {
        if !task.bound.monotone_by_levels() {
            let reason =
                "levels are the same for all rows, and a requirement may fail for classes together that pass apart";
            return Err(Error::request("method", "full-domain", reason).hint("use «method» generalize"));
        }
        let tuples = Tuples::new(task.table, &self.stacks);
        let lattice = Lattice::new(&self.stacks, self.fixed.clone(), task.monitor)?;
        // Where rows may be suppressed, a class that fails for its values may spoil one that passes at a coarser node, so
        // that failing is not passed down. That too many rows are in classes that are too small always is.
        let all_rows = task.most_suppressed == 0;
        // Where people have several rows, a class that fails when they are counted may be two that pass.
        let by_rows = all_rows && task.bound.by_person().is_none();
        let passed_down = by_rows || task.bound.superset_closed();
        let may_pass = |node: &Vec<usize>| {
            let classes = tuples.classes(&self.stacks, node);
            if passed_down {
                return Ok(self.passing(task, &tuples, &classes, node)?.is_some());
            }
            let sizes = tuples.sizes(&classes);
            Ok(within(task, &sizes, &large_enough(task, &sizes)))
        };
        let loss = |node: &Vec<usize>, least: f64| {
            let classes = tuples.classes(&self.stacks, node);
            // Classes that are too small are suppressed whatever values they have, and nothing costs more.
            let large = large_enough(task, &tuples.sizes(&classes));
            if self.loss(task, &tuples, &classes, &large, node) >= least {
                return Ok(None);
            }
            let passing = self.passing(task, &tuples, &classes, node)?;
            Ok(passing.map(|passing| self.loss(task, &tuples, &classes, &passing, node)))
        };
        let levels = best(&lattice, all_rows && passed_down, may_pass, loss)?;
        let levels = levels.ok_or_else(|| self.none_passes(task))?;
        let classes = tuples.classes(&self.stacks, &levels);
        let passing = self.passing(task, &tuples, &classes, &levels)?;
        let passing = passing.ok_or_else(|| Error::bug("a node passed once and not again"))?;
        task.monitor.advance(task.table.n_rows() as u64);
        let published = (0..classes.len()).filter(|&class| passing[class]);
        let groups = published.map(|class| tuples.rows_of(classes.run(class)).collect()).collect();
        Ok(Recoded { partition: partition_of_groups(groups, task.table.n_rows())?, levels })
    }

    /// Without fixed levels, stars for everybody pass.
    fn none_passes(&self, task: &Task<'_>) -> Error {
        // The whole table as one class may fail when people are counted.
        if task.bound.by_person().is_some() && !task.holds(&task.all_rows()) {
            return none_found(task);
        }
        if self.fixed.iter().all(Option::is_none) {
            return Error::bug("the whole table as one class passes, and no node does");
        }
        Error::Infeasible {
            requirement: task.requirements("` and `"),
            reason: format!(
                "with the levels that were asked for, more than {} rows would have to be suppressed, or a level depends on \
                 columns that are too coarse to tell its context",
                task.most_suppressed
            ),
            allows: "ask for coarser levels, leave a «level» out, or raise «max_suppressed»".into(),
            nearest: Vec::new(),
        }
    }

    /// Which classes are published; nothing where too many rows would have to be suppressed.
    fn passing(&self, task: &Task<'_>, tuples: &Tuples, classes: &Runs, node: &[usize]) -> Result<Option<Vec<bool>>> {
        let sizes = tuples.sizes(classes);
        let large = large_enough(task, &sizes);
        if !within(task, &sizes, &large) {
            return Ok(None);
        }
        let boxes = task.bound.population();
        if !task.bound.needs_values() && task.bound.by_person().is_none() && boxes.is_none() {
            return Ok(Some(large));
        }
        let mut passing = large;
        let mut judged_on = None;
        // Everything is judged on what is published: without some rows others may fail, or fail no more; the latter
        // stay out, which is safe.
        loop {
            let bound = judged_on.as_ref().unwrap_or(task.bound);
            let Some(mut again) = judged(task, bound, tuples, classes, &sizes, &passing) else { return Ok(None) };
            if let Some(boxes) = boxes
                && !(self.boxes_pass(boxes, task, tuples, classes, node, &mut again)? && within(task, &sizes, &again))
            {
                return Ok(None);
            }
            // The first time everybody was judged on the whole table, also where some are left out already.
            let settled = again.iter().all(|&passes| passes) || (judged_on.is_some() && again == passing);
            passing = again;
            if settled {
                return Ok(Some(passing));
            }
            let published: Vec<u32> = (0..classes.len())
                .filter(|&class| passing[class])
                .flat_map(|class| tuples.rows_of(classes.run(class)))
                .collect();
            judged_on = Some((task.rebind)(&published)?);
        }
    }

    fn loss(&self, task: &Task<'_>, tuples: &Tuples, classes: &Runs, passing: &[bool], node: &[usize]) -> f64 {
        let each = self.stacks.len() as f64;
        let class_loss = |(class, tuple_ids): (usize, &[u32])| -> f64 {
            let cost = |&tuple: &u32| match passing[class] {
                true => tuples.cost(&self.stacks, node, tuple),
                false => each,
            };
            tuple_ids.iter().map(|tuple| tuples.weight(*tuple) as f64 * cost(tuple)).sum()
        };
        // Summed in the order of classes, whatever the number of threads.
        let losses: Vec<f64> = classes.iter().enumerate().map(class_loss).collect();
        losses.iter().sum::<f64>() / task.table.n_rows().max(1) as f64
    }
}

impl Partitioner for FullDomain {
    fn name(&self) -> &str {
        "full-domain"
    }

    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        FullDomain::partition(self, task).map(|recoded| recoded.partition)
    }
}

/// The classes that have as many rows as any class must have.
fn large_enough(task: &Task<'_>, sizes: &[u64]) -> Vec<bool> {
    sizes.iter().map(|&size| size >= task.bound.least_size()).collect()
}

/// Which of some classes pass; nothing where too many rows are in others. It stops looking once there are.
fn judged(
    task: &Task<'_>,
    bound: &BoundRequirements,
    tuples: &Tuples,
    classes: &Runs,
    sizes: &[u64],
    among: &[bool],
) -> Option<Vec<bool>> {
    let most = task.most_suppressed as u64;
    let left_out = AtomicU64::new(0);
    let passes = |class: usize| {
        // Looking on after too many are out only delays the answer, which is the same in any order.
        if left_out.load(Ordering::Relaxed) > most || task.monitor.is_cancelled() {
            return false;
        }
        let holds = among[class] && {
            let rows: Vec<u32> = tuples.rows_of(classes.run(class)).collect();
            bound.rows_hold_beside_boxes(task.table, &rows)
        };
        if !holds {
            left_out.fetch_add(sizes[class], Ordering::Relaxed);
        }
        holds
    };
    let passing: Vec<bool> = (0..classes.len()).into_par_iter().map(passes).collect();
    within(task, sizes, &passing).then_some(passing)
}

/// True if no more rows are left out than may be, and not all.
fn within(task: &Task<'_>, sizes: &[u64], passing: &[bool]) -> bool {
    let left_out: u64 = sizes.iter().zip(passing).filter(|(_, passes)| !**passes).map(|(&size, _)| size).sum();
    left_out <= task.most_suppressed as u64 && passing.iter().any(|&passes| passes)
}
