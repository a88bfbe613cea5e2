//! Full-domain generalization: one level for each quasi-identifier, the same for all rows. See `paper.md` in this folder.

mod ladder;
mod search;
mod tuples;

pub use ladder::Ladder;

use crate::mondrian::Task;
use rayon::prelude::*;
use scumble_principle::{BoundRequirements, Group};
use scumble_table::{Error, Partition, Result};
use search::{Lattice, Outcome, Rule, best};
use tuples::{Classes, Tuples};

/// The partitioner.
#[derive(Debug, Clone)]
pub struct FullDomain {
    /// The levels of each quasi-identifier, in the order of the table.
    pub ladders: Vec<Ladder>,
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
        if !task.bound.monotone() {
            return Err(Error::request(
                "--method",
                "full-domain",
                "levels are the same for all rows, and a requirement may fail for classes together that pass apart",
            )
            .hint("use --method generalize"));
        }
        let tuples = Tuples::of(task.table, &self.ladders);
        let lattice = Lattice::new(&self.ladders, self.fixed.clone())?;
        // Rows of a class that is too small may come into a class that passes at a coarser node, never out of one. A
        // class that fails for its values may spoil one that passes.
        let rule = Rule {
            passed_down: task.most_suppressed == 0 || !task.bound.needs_values(),
            all_rows: task.most_suppressed == 0,
        };
        let look = |node: &Vec<usize>| {
            let classes = tuples.classes(&self.ladders, node);
            let passing = self.passing(task, &tuples, &classes)?;
            Ok(match passing {
                None => Outcome { passes: false, loss: f64::INFINITY },
                Some(passing) => Outcome { passes: true, loss: self.loss(task, &tuples, &classes, &passing, node) },
            })
        };
        let levels = best(&lattice, &rule, look)?;
        let levels = levels.ok_or_else(|| self.none_passes(task))?;
        let classes = tuples.classes(&self.ladders, &levels);
        let passing = self.passing(task, &tuples, &classes)?;
        let passing = passing.ok_or_else(|| Error::bug("a node passed once and not again"))?;
        (task.tick)(task.table.n_rows() as u64);
        let (mut rows, mut starts) = (Vec::new(), vec![0u32]);
        for class in (0..classes.len()).filter(|&class| passing[class]) {
            rows.extend(tuples.rows_of(classes.class(class)));
            starts.push(rows.len() as u32);
        }
        Ok(Recoded { partition: Partition::new(rows, starts, task.table.n_rows())?, levels })
    }

    /// Without fixed levels, stars for everybody pass.
    fn none_passes(&self, task: &Task<'_>) -> Error {
        if self.fixed.iter().all(Option::is_none) {
            return Error::bug("the whole table as one class passes, and no node does");
        }
        let requirements: Vec<String> = task.bound.requirements().iter().map(ToString::to_string).collect();
        Error::Infeasible {
            requirement: requirements.join("` and `"),
            reason: format!(
                "with the levels that were asked for, more than {} rows would have to be suppressed, or a level depends on \
                 columns that are too coarse to tell its context",
                task.most_suppressed
            ),
            allows: "ask for coarser levels, leave a --level out, or raise --max-suppressed".into(),
        }
    }

    /// Which classes are published; nothing where too many rows would have to be suppressed.
    fn passing(&self, task: &Task<'_>, tuples: &Tuples, classes: &Classes) -> Result<Option<Vec<bool>>> {
        let sizes: Vec<u64> =
            classes.iter().map(|class| class.iter().map(|&tuple| tuples.weight(tuple)).sum()).collect();
        if !task.bound.needs_values() {
            let passing: Vec<bool> = sizes.iter().map(|&size| size >= task.bound.least_size()).collect();
            return Ok(within(task, &sizes, &passing).then_some(passing));
        }
        let judged = |bound: &BoundRequirements, among: Option<&[bool]>| -> Vec<bool> {
            let holds = |class: usize| {
                let rows: Vec<u32> = tuples.rows_of(classes.class(class)).collect();
                bound.holds(Group { size: sizes[class], bags: &bound.bags(task.table, &rows) })
            };
            let asked = |class: usize| among.is_none_or(|among| among[class]);
            (0..classes.len()).into_par_iter().map(|class| asked(class) && holds(class)).collect()
        };
        let mut passing = judged(task.bound, None);
        // Everything is judged on what is published: without some rows others may fail, or fail no more; the latter
        // stay out, which is safe.
        loop {
            if !within(task, &sizes, &passing) {
                return Ok(None);
            }
            if passing.iter().all(|&passes| passes) {
                return Ok(Some(passing));
            }
            let published: Vec<u32> = (0..classes.len())
                .filter(|&class| passing[class])
                .flat_map(|class| tuples.rows_of(classes.class(class)))
                .collect();
            let again = judged(&(task.rebind)(&published)?, Some(&passing));
            if again == passing {
                return Ok(Some(passing));
            }
            passing = again;
        }
    }

    fn loss(&self, task: &Task<'_>, tuples: &Tuples, classes: &Classes, passing: &[bool], node: &[usize]) -> f64 {
        let each = self.ladders.len() as f64;
        let of = |(class, tuple_ids): (usize, &[u32])| -> f64 {
            let cost = |&tuple: &u32| match passing[class] {
                true => tuples.cost(&self.ladders, node, tuple),
                false => each,
            };
            tuple_ids.iter().map(|tuple| tuples.weight(*tuple) as f64 * cost(tuple)).sum()
        };
        // Summed in the order of classes, whatever the number of threads.
        let losses: Vec<f64> = classes.iter().enumerate().map(of).collect();
        losses.iter().sum::<f64>() / task.table.n_rows().max(1) as f64
    }
}

/// True if no more rows are left out than may be, and not all.
fn within(task: &Task<'_>, sizes: &[u64], passing: &[bool]) -> bool {
    let left_out: u64 = sizes.iter().zip(passing).filter(|(_, passes)| !**passes).map(|(&size, _)| size).sum();
    left_out <= task.most_suppressed as u64 && passing.iter().any(|&passes| passes)
}
