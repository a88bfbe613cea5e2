//! Loss and NCP of generalized values.
//!
//! The loss of a value is the share of the domain that it covers; NCP is the same stretched so that
//! a single value counts 0. The loss of a table is the mean over its rows of the sum over the
//! quasi-identifiers, a suppressed row counting 1 for each. That of a column is the mean over the same rows by the same rule, so
//! that the columns add up to the table:
//!
//! ```text
//! discrete     loss = covered / size          ncp = (covered - 1) / (size - 1)
//! continuous   loss = ncp = length / length of the domain
//! ```
//!
//! The domain is the manifest's, so that a reader of the release can measure it too, or the source's
//! where the source is at hand ([`loss_of_boxes`], [`loss_of_exact`]). Whole numbers and days are counted between its
//! ends; a column is continuous as soon as it shows a decimal.

use crate::{Axis, Boxes};
use scumble_release::notation::{Region, parse};
use scumble_release::{
    Anatomy, Angel, BoxColumn, Boxed, Draft, Extent, Form, Manifest, Permuted, PublishedColumn, PublishedTables,
    QuasiColumn, SUPPRESSED, ShownColumn, ValueColumn,
};
use scumble_table::{Decimal, Error, Hierarchy, Result, Role, parse_date};
use serde::Serialize;

/// What a generalized release has lost, in total and column by column.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Loss {
    /// Mean over rows of the sum over quasi-identifiers, suppressed rows included.
    pub loss: f64,
    /// The same for NCP.
    pub ncp: f64,
    /// NCP divided by the number of quasi-identifiers: 0 for exact data, 1 for nothing but stars.
    pub ncp_per_attribute: f64,
    /// Column by column, suppressed rows included: they add up to the figures of the table.
    pub by_attribute: Vec<AttributeLoss>,
}

/// What one quasi-identifier has lost, on average over all rows; a suppressed row counts 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttributeLoss {
    /// Name of the column.
    pub name: String,
    /// Mean share of the domain covered.
    pub loss: f64,
    /// Mean NCP.
    pub ncp: f64,
}

/// Measures a release from its tables.
pub fn loss(manifest: &Manifest, tables: &PublishedTables) -> Loss {
    let columns = match tables {
        PublishedTables::Generalized(boxed) => boxed_losses(boxed),
        // The table over all quasi-identifiers; marginals tell more of some.
        PublishedTables::Angel(tables) => tables.views.first().map_or(Vec::new(), |view| boxed_losses(&view.boxed)),
        PublishedTables::Exact(tables) => {
            let quasi = tables.people.iter().filter(|values| values.column.role() == Role::Quasi);
            let column = |values: &ShownColumn| {
                let texts = values.domain.codes().map(|code| values.domain.text(code));
                exact(&values.column, texts, manifest.rows)
            };
            quasi.map(column).collect()
        }
    };
    total(columns, manifest.rows, manifest.suppressed)
}

/// The sums of a table of boxes, column by column.
fn boxed_losses(boxed: &Boxed) -> Vec<AttributeLoss> {
    let column = |(at, boxes): (usize, &BoxColumn)| {
        let regions = boxes.regions.iter().zip(boxed.rows_of_texts(at));
        measured(&boxes.column, regions.filter_map(|(region, n)| Some((region.clone()?, n))).collect())
    };
    boxed.quasi.iter().enumerate().map(column).collect()
}

/// Measures a release as it was made, for its report.
pub fn draft_loss(draft: &Draft) -> Result<Loss> {
    draft_loss_on(draft, &[])
}

/// The same with other lines than the manifest's domains for some columns of numbers or dates, by name: only what boxes cover of
/// such a line counts.
pub fn draft_loss_on(draft: &Draft, lines: &[(String, Extent)]) -> Result<Loss> {
    let Draft { manifest, form, hierarchies, .. } = draft;
    form.check()?;
    let published = |name: &str| {
        let stated = manifest.columns.iter().find(|column| column.name == name);
        let stated = stated.ok_or_else(|| Error::bug(format!("the manifest lacks the column `{name}`")))?;
        stated.published(hierarchies.iter().find(|(known, _)| known == name).map(|(_, tree)| tree.clone()))
    };
    let (rows, suppressed) = (manifest.rows, manifest.suppressed);
    let boxed = |quasi: &[QuasiColumn], n_groups: u32, row_group: &[u32]| -> Result<Vec<AttributeLoss>> {
        let sizes = sizes(n_groups, row_group);
        quasi.iter().map(|quasi| of_texts(&published(&quasi.name)?, quasi, &sizes, lines)).collect()
    };
    let columns = match form {
        Form::Generalized(form) => boxed(&form.quasi, form.n_groups, &form.row_group)?,
        Form::Angel(Angel { tables, .. }) => {
            let first = tables.first().ok_or_else(|| Error::bug("an angel release has no table of boxes"))?;
            boxed(&first.quasi, first.n_buckets, &first.row_bucket)?
        }
        Form::Anatomy(Anatomy { people: values, .. }) | Form::Permuted(Permuted { values, .. }) => {
            let quasi = values.iter().filter(|column| column.role == Role::Quasi);
            let column = |quasi: &ValueColumn| Ok(exact(&published(&quasi.name)?, &quasi.texts[1..], rows));
            quasi.map(column).collect::<Result<_>>()?
        }
    };
    Ok(total(columns, rows, suppressed))
}

/// Rows of each group.
fn sizes(n_groups: u32, row_group: &[u32]) -> Vec<u64> {
    let mut sizes = vec![0u64; n_groups as usize];
    for &group in row_group.iter().filter(|&&group| group != SUPPRESSED) {
        sizes[group as usize] += 1;
    }
    sizes
}

/// The sums of a column that shows one text per group.
fn of_texts(
    column: &PublishedColumn,
    quasi: &QuasiColumn,
    sizes: &[u64],
    lines: &[(String, Extent)],
) -> Result<AttributeLoss> {
    let mut rows = vec![0u64; quasi.texts.len()];
    for (&text, &size) in quasi.of_group.iter().zip(sizes) {
        rows[text as usize] += size;
    }
    let regions = quasi.texts.iter().zip(rows).map(|(text, n)| Ok((parse(text, column)?, n)));
    let regions = regions.collect::<Result<Vec<(Region, u64)>>>()?;
    let line = lines.iter().find(|(name, _)| *name == quasi.name).filter(|_| column.hierarchy().is_none());
    Ok(match line {
        Some((name, extent)) => {
            let line = PublishedColumn::new(name, column.role(), column.kind(), extent.clone(), None)?;
            let inside = regions.into_iter().map(|(region, rows)| (within(region, extent), rows));
            measured(&line, inside.collect())
        }
        None => measured(column, regions),
    })
}

/// The part of an interval that lies between two ends; all of it where it lies outside.
fn within(region: Region, extent: &Extent) -> Region {
    match (region, extent) {
        (Region::Numbers(lo, hi), Extent::Numbers(Some((least, greatest)))) if lo <= *greatest && *least <= hi => {
            Region::Numbers(lo.max(*least), hi.min(*greatest))
        }
        (Region::Days(lo, hi), Extent::Days(Some((least, greatest)))) if lo <= *greatest && *least <= hi => {
            Region::Days(lo.max(*least), hi.min(*greatest))
        }
        (region, _) => region,
    }
}

/// The sums of a column that shows exact values: every row shows one, whichever it is. Null counts as one too.
fn exact(column: &PublishedColumn, texts: impl IntoIterator<Item = impl AsRef<str>>, rows: u64) -> AttributeLoss {
    let one = |text: &str| match column.extent() {
        Extent::Numbers(_) => Decimal::parse(text).map_or(Region::Null, |number| Region::Numbers(number, number)),
        _ => Region::Null,
    };
    // Which value a row shows does not matter, but a single decimal makes the column continuous.
    let mut shown: Vec<(Region, u64)> = texts.into_iter().map(|text| (one(text.as_ref()), 0)).collect();
    shown.push((Region::Null, rows));
    measured(column, shown)
}

/// The loss of a table, from the sums over the rows of each column.
fn total(mut columns: Vec<AttributeLoss>, rows: u64, suppressed: u64) -> Loss {
    let (gone, all) = (suppressed as f64, (rows + suppressed).max(1) as f64);
    let gone_from_all = gone * columns.len() as f64;
    let loss = (columns.iter().map(|column| column.loss).sum::<f64>() + gone_from_all) / all;
    let ncp = (columns.iter().map(|column| column.ncp).sum::<f64>() + gone_from_all) / all;
    for column in &mut columns {
        (column.loss, column.ncp) = ((column.loss + gone) / all, (column.ncp + gone) / all);
    }
    Loss { loss, ncp, ncp_per_attribute: ncp / columns.len().max(1) as f64, by_attribute: columns }
}

/// The loss of boxes on the axes they were built with, where the source is at hand; `sizes` are the rows of the groups.
pub fn loss_of_boxes(boxes: &[Boxes], sizes: &[u32], suppressed: u64) -> Loss {
    let columns = boxes.iter().map(|column| {
        let axis = column.axis();
        sums(&axis.name, axis.discrete, axis.size(), column.covered(sizes))
    });
    total(columns.collect(), sizes.iter().map(|&size| u64::from(size)).sum(), suppressed)
}

/// The loss of exact values on the axes of their columns, where the source is at hand.
pub fn loss_of_exact<'a>(axes: impl Iterator<Item = &'a Axis>, rows: u64, suppressed: u64) -> Loss {
    let columns = axes.map(|axis| {
        let itself = if axis.discrete { 1.0 } else { 0.0 };
        sums(&axis.name, axis.discrete, axis.size(), vec![(itself, rows)])
    });
    total(columns.collect(), rows, suppressed)
}

/// The sums of one column from its texts and how many rows show each.
fn measured(column: &PublishedColumn, texts: Vec<(Region, u64)>) -> AttributeLoss {
    let mut scale = LossScale::new(column, &texts);
    // Behind `*` there is more than the other texts show, even where they show nothing.
    let point = if scale.discrete { 1.0 } else { 0.0 };
    if scale.size <= point && texts.iter().any(|(region, _)| *region == Region::All) {
        scale.size = point + 1.0;
    }
    let parts = texts.iter().map(|(region, rows)| (scale.covered(column, region), *rows)).collect();
    sums(column.name(), scale.discrete, scale.size, parts)
}

/// The sums of one column from what its texts cover and how many rows show each.
fn sums(name: &str, discrete: bool, size: f64, mut parts: Vec<(f64, u64)>) -> AttributeLoss {
    let mut sums = AttributeLoss { name: name.into(), loss: 0.0, ncp: 0.0 };
    // Texts come in any order; a sum of floats must not depend on it.
    parts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for same in parts.chunk_by(|a, b| a.0 == b.0) {
        let (covered, rows) = (same[0].0, same.iter().map(|(_, rows)| rows).sum::<u64>());
        let share = covered / if size > 0.0 { size } else { 1.0 };
        let stretched = match discrete {
            true if size > 1.0 => ((covered - 1.0) / (size - 1.0)).max(0.0),
            true => 0.0,
            false => share,
        };
        sums.loss += share * rows as f64;
        sums.ncp += stretched * rows as f64;
    }
    sums
}

/// How a column is measured.
struct LossScale {
    discrete: bool,
    /// Number of values, or length.
    size: f64,
}

impl LossScale {
    fn new(column: &PublishedColumn, texts: &[(Region, u64)]) -> LossScale {
        match column.extent() {
            Extent::Labels(labels) => LossScale { discrete: true, size: labels.len() as f64 },
            Extent::Days(bounds) => LossScale {
                discrete: true,
                size: bounds.map_or(0.0, |(first, last)| f64::from(last) - f64::from(first) + 1.0),
            },
            Extent::Numbers(bounds) => {
                let whole = |number: &Decimal| number.scale() == 0;
                let shown = texts.iter().all(|(region, _)| match region {
                    Region::Numbers(lo, hi) => whole(lo) && whole(hi),
                    _ => true,
                });
                let discrete = shown && bounds.is_none_or(|(lo, hi)| whole(&lo) && whole(&hi));
                let length = bounds.map_or(0.0, |(lo, hi)| hi.to_f64() - lo.to_f64());
                LossScale { discrete, size: if discrete && bounds.is_some() { length + 1.0 } else { length } }
            }
        }
    }

    /// How many values a region covers, or how long it is.
    fn covered(&self, column: &PublishedColumn, region: &Region) -> f64 {
        let point = if self.discrete { 1.0 } else { 0.0 };
        match region {
            Region::Null => point,
            Region::All => self.size,
            Region::Numbers(lo, hi) => hi.to_f64() - lo.to_f64() + point,
            Region::Days(first, last) => f64::from(*last) - f64::from(*first) + 1.0,
            Region::Labels(places) => places.len() as f64,
            Region::Positions(lo, hi) => f64::from(hi - lo) + 1.0,
            Region::Node(id) => match column.hierarchy() {
                Some(tree) => self.leaves(column, tree, tree.node(*id).first_leaf..tree.node(*id).end_leaf),
                None => self.size,
            },
        }
    }

    /// The leaves below a node that lie in the domain.
    fn leaves(&self, column: &PublishedColumn, tree: &Hierarchy, range: std::ops::Range<u32>) -> f64 {
        let texts = range.map(|leaf| tree.value(leaf));
        match column.extent() {
            Extent::Labels(_) => texts.filter(|text| column.position(text).is_some()).count() as f64,
            Extent::Days(bounds) => {
                let inside = |day: &i32| bounds.is_none_or(|(first, last)| (first..=last).contains(day));
                texts.filter_map(parse_date).filter(inside).count() as f64
            }
            Extent::Numbers(bounds) => {
                let inside = |number: &Decimal| bounds.is_none_or(|(lo, hi)| lo <= *number && *number <= hi);
                let numbers: Vec<Decimal> = texts.filter_map(Decimal::parse).filter(inside).collect();
                match (numbers.iter().min(), numbers.iter().max()) {
                    (Some(lo), Some(hi)) if !self.discrete => hi.to_f64() - lo.to_f64(),
                    _ => numbers.len() as f64,
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "loss_tests.rs"]
mod tests;
