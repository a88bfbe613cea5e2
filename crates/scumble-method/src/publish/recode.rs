//! Method `full-domain`: every quasi-identifier shows one level of its stack in all rows.
//!
//! A label is that of the level, no matter whose rows stand behind it; an interval reaches from the least to the greatest published
//! value of its cell, so that no cut and no suppressed row is told beyond what the table shows.

use super::generalize::generalize_by;
use super::outline::{BoxSide, drawn_column};
use super::people::present;
use crate::coins::Coins;
use crate::full_domain::LevelStack;
use scumble_release::notation::{self, Cover};
use scumble_release::{ConditionalColumn, ContextShown, Generalized, ManifestColumn};
use scumble_table::{Monitor, Partition, Result, Table};
use std::collections::BTreeSet;

/// What full-domain generalization publishes.
pub struct Recoding {
    /// The table.
    pub form: Generalized,
    /// Its columns.
    pub columns: Vec<ManifestColumn>,
    /// The columns whose intervals depend on other columns.
    pub conditional: Vec<ConditionalColumn>,
}

/// Builds the generalized form of classes that show the same at one level of each stack.
///
/// # Errors
/// If the work was cancelled.
pub fn recode(
    table: &Table,
    partition: &Partition,
    levels: &[usize],
    stacks: &[LevelStack],
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<Recoding> {
    monitor.check()?;
    let covers: Vec<(usize, Vec<Cover>)> = stacks
        .iter()
        .zip(levels)
        .map(|(stack, &level)| (stack.column(), stack.covers(table, partition, level)))
        .collect();
    let covers_of = |column: usize| covers.iter().find(|(known, _)| *known == column).map(|(_, covers)| covers);
    let cover = |column: usize, group: usize| covers_of(column).map_or(Cover::All, |covers| covers[group].clone());
    let (form, columns) = generalize_by(table, partition, coins, monitor, cover)?;
    let banded =
        stacks.iter().map(LevelStack::column).filter(|&column| table.attribute(column).domain.bands().is_some());
    let presence: Vec<(usize, Vec<bool>)> = banded.map(|column| (column, present(table, column, partition))).collect();
    let text = |column: usize, group: usize| {
        let (attribute, cover) = (table.attribute(column), cover(column, group));
        match presence.iter().find(|(known, _)| *known == column) {
            Some((_, present)) => {
                let drawn = vec![BoxSide::Plain(cover)];
                drawn_column(attribute, drawn, &[0], present, monitor).column.texts.concat()
            }
            None => notation::text(&cover, &attribute.domain),
        }
    };
    let conditional = stacks.iter().zip(levels).filter(|(stack, level)| stack.is_conditional(**level));
    let conditional = conditional.filter_map(|(stack, _)| {
        let tree = stack.intervals()?;
        let firsts: Vec<u32> = partition.groups().map(|rows| rows.first().copied().unwrap_or(0)).collect();
        let context = |group: usize| stack.context(firsts[group] as usize);
        let mut contexts = Vec::new();
        for at in (0..=tree.n_contexts()).take_while(|_| !monitor.is_cancelled()) {
            let groups: Vec<usize> = (0..firsts.len()).filter(|&group| context(group) == at).collect();
            if groups.is_empty() {
                continue;
            }
            let asks = |given: usize| at > 0 && tree.allowed(at, given).is_some();
            let shown = |column: usize| -> Vec<String> {
                let texts: BTreeSet<String> = groups.iter().map(|&group| text(column, group)).collect();
                texts.into_iter().collect()
            };
            let given = tree.given().iter().enumerate().filter(|(given, _)| asks(*given));
            let when = given.map(|(_, &column)| (table.attribute(column).name.clone(), shown(column))).collect();
            contexts.push(ContextShown { when, shows: shown(stack.column()) });
        }
        Some(ConditionalColumn { column: table.attribute(stack.column()).name.clone(), contexts })
    });
    let conditional = conditional.collect();
    monitor.conclude(Ok(Recoding { form, columns, conditional }))
}
