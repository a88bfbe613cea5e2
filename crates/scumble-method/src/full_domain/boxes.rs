//! The boxes of classes against a population: what a level shows, not the least box around the rows of a class.

use super::FullDomain;
use super::tuples::{Runs, Tuples};
use crate::pieces::partition_of_groups;
use crate::task::Task;
use rayon::prelude::*;
use scumble_principle::{BoundPopulation, Side};
use scumble_release::notation::Cover;
use scumble_table::{Domain, Result};

impl FullDomain {
    /// Takes those of the passing classes out whose box is not allowed; false where the boxes that are left do not cover everybody who must be
    /// covered.
    pub(super) fn boxes_pass(
        &self,
        boxes: &BoundPopulation,
        task: &Task<'_>,
        tuples: &Tuples,
        classes: &Runs,
        node: &[usize],
        passing: &mut [bool],
    ) -> Result<bool> {
        let published: Vec<usize> = (0..classes.len()).filter(|&class| passing[class]).collect();
        let groups: Vec<Vec<u32>> =
            published.iter().map(|&class| tuples.rows_of(classes.run(class)).collect()).collect();
        let sizes: Vec<u64> = groups.iter().map(|group| group.len() as u64).collect();
        let partition = partition_of_groups(groups, task.table.n_rows())?;
        task.monitor.check()?;
        let columns: Vec<(usize, Vec<Cover>)> = self
            .stacks
            .iter()
            .zip(node)
            .map(|(stack, &level)| (stack.column(), stack.covers(task.table, &partition, level)))
            .collect();
        let judged: Vec<(bool, u64)> = sizes
            .par_iter()
            .enumerate()
            .map(|(group, &size)| {
                if task.monitor.is_cancelled() {
                    return (false, 0);
                }
                let side = |(column, covers): &(usize, Vec<Cover>)| {
                    side(&covers[group], &task.table.attribute(*column).domain)
                };
                let sides: Vec<Side> = columns.iter().map(side).collect();
                let covered = if boxes.covers_all() { boxes.covered(&sides) } else { 0 };
                (boxes.holds(&sides, size), covered)
            })
            .collect();
        task.monitor.check()?;
        for (&class, (holds, _)) in published.iter().zip(&judged) {
            passing[class] = *holds;
        }
        // Classes of one node share nobody, so those whom they cover can be added up.
        let covered: u64 = judged.iter().filter(|(holds, _)| *holds).map(|(_, covered)| covered).sum();
        Ok(!boxes.covers_all() || covered >= boxes.n_people())
    }
}

/// What a cover shows of a column.
fn side(cover: &Cover, domain: &Domain) -> Side {
    match cover {
        Cover::Null => Side::Null,
        Cover::One(code) => Side::Codes(*code, *code),
        Cover::Interval(lo, hi) => Side::Codes(*lo, *hi),
        Cover::Set(codes) => Side::Members(codes.clone()),
        Cover::Node(id) => match domain.hierarchy() {
            Some(tree) if *id != tree.root() || &*tree.node(*id).label != "*" => {
                let node = tree.node(*id);
                Side::Leaves(node.first_leaf, node.end_leaf)
            }
            _ => Side::All,
        },
        Cover::All => Side::All,
    }
}
