//! Orders that the publisher gave, as a release states them.
//!
//! Of an interval of labels a release shows the ends. What lies between them is known to readers who have the order, so the
//! manifest lists all labels of the order there, whether they occur or not: to list those that occur would tell them, and
//! without the others readers could not say what an interval covers.

use crate::job::{ColumnRole, Plan};
use scumble_release::notation::{Region, parse};
use scumble_release::{Extent, Form, ManifestColumn, QuasiColumn};
use scumble_table::{Kind, Result, Role};
use std::collections::BTreeMap;

/// Completes the domains of generalized columns whose order was given.
pub(crate) fn complete_orders(columns: &mut [ManifestColumn], form: &Form, plan: &Plan) -> Result<()> {
    let boxed: Vec<&QuasiColumn> = match form {
        Form::Generalized(form) => form.quasi.iter().collect(),
        Form::Angel(form) => form.tables.iter().flat_map(|table| &table.quasi).collect(),
        Form::Anatomy(_) | Form::Permuted(_) => return Ok(()),
    };
    let given = plan.columns.iter().filter(|(_, column)| column.role == Some(ColumnRole::Quasi));
    for (name, asked, order) in given.filter_map(|(name, column)| Some((name, column, column.order.as_ref()?))) {
        let own = |column: &&mut ManifestColumn| column.name == *name && column.role == Role::Quasi;
        let Some(column) = columns.iter_mut().find(own).filter(|column| column.kind == Kind::Ordinal) else { continue };
        let order = &order.get()?.labels;
        let places: BTreeMap<&str, usize> = order.iter().map(String::as_str).zip(0..).collect();
        let Extent::Labels(shown) = &column.domain else { continue };
        if asked.hierarchy.is_some() {
            let mut labels = shown.clone();
            labels.sort_by_key(|label| places.get(label.as_str()).copied().unwrap_or(usize::MAX));
            column.domain = Extent::Labels(labels);
            continue;
        }
        let Some(ends) = shown.iter().map(|label| places.get(label.as_str()).copied()).collect::<Option<Vec<_>>>()
        else {
            // Masked codes are no labels of the order.
            continue;
        };
        let published = column.published(None)?;
        let mut between = vec![false; order.len()];
        for text in boxed.iter().filter(|boxes| boxes.name == column.name).flat_map(|boxes| &boxes.texts) {
            if let Region::Positions(low, high) = parse(text, &published)? {
                between[ends[low as usize]..=ends[high as usize]].fill(true);
            }
        }
        let listed = order.iter().zip(between).filter(|(_, between)| *between).map(|(label, _)| label.clone());
        column.domain = Extent::Labels(listed.collect());
    }
    Ok(())
}
