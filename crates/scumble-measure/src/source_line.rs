//! A published column and its source on one line, so that boxes and rows can be compared.
//!
//! The domain is the source's: whole numbers and days between its ends, decimals by length, labels by
//! position in the manifest's order (a hierarchy's leaf order where there is one). Labels that only the
//! source has, because all their rows are suppressed, take their place among the others.

use crate::{Axis, Shape};
use scumble_io::Dictionary;
use scumble_release::notation::Region;
use scumble_release::{Extent, PublishedColumn, number_place};
use scumble_table::{Code, Decimal, Error, Kind, Monitor, Result, parse_date};
use std::collections::{BTreeMap, BTreeSet};

/// A column on its line.
pub(super) struct SourceLine<'a> {
    column: &'a PublishedColumn,
    pub(super) axis: Axis,
    /// Place of each text of the source by its code; null is NaN.
    pub(super) source: Vec<f64>,
    /// Place of each label, where there are labels.
    labels: BTreeMap<String, f64>,
    /// Places of the source's values by the leaf that stands for them, where leaves are no values themselves.
    by_leaf: BTreeMap<u32, Vec<f64>>,
    /// Whether a row lies at each end of a published interval: not where boxes were moved outward.
    pub(super) ends_held: bool,
}

impl<'a> SourceLine<'a> {
    /// Lays a column out. `fault` makes the error of a text, given by its code, that is not of the column's type.
    ///
    /// # Errors
    /// That error, and if the work was cancelled.
    pub(super) fn new(
        column: &'a PublishedColumn,
        source: &Dictionary,
        fault: impl Fn(Code) -> Error,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let name = column.name();
        if let Extent::Labels(stated) = column.extent() {
            let order = label_order(column, stated, source);
            let axis = match column.kind() {
                Kind::Nominal => Axis::nominal(name, order.len()),
                _ => Axis::labels(name, order.len()),
            };
            let labels: BTreeMap<String, f64> = order.into_iter().zip(0..).map(|(l, at)| (l, f64::from(at))).collect();
            let places = source.iter().map(|text| labels.get(text).copied().unwrap_or(f64::NAN));
            let source = std::iter::once(f64::NAN).chain(places).collect();
            let mut by_leaf: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            if column.coarse().is_some() {
                for (label, &place) in &labels {
                    if let Some(leaf) = column.leaf_of(label) {
                        by_leaf.entry(leaf).or_default().push(place);
                    }
                }
            }
            return Ok(SourceLine { column, axis, source, labels, by_leaf, ends_held: true });
        }
        let mut places = vec![f64::NAN];
        let mut discrete = true;
        for (text, code) in source.iter().zip(1 as Code..) {
            monitor.check()?;
            let (place, whole) = value(column.kind(), text).ok_or_else(|| fault(code))?;
            discrete &= whole;
            places.push(place);
        }
        let ends = places[1..].iter().map(|&place| (place, place)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (lo, hi) = ends.unwrap_or((0.0, 0.0));
        let axis = Axis::between(name, discrete, lo, hi);
        Ok(SourceLine {
            column,
            axis,
            source: places,
            labels: BTreeMap::new(),
            by_leaf: BTreeMap::new(),
            ends_held: true,
        })
    }

    /// Where a published text of this column lies; NaN for null and for what has no place.
    pub(super) fn place(&self, text: &str) -> f64 {
        match self.column.extent() {
            _ if text.is_empty() => f64::NAN,
            Extent::Labels(_) => self.labels.get(text).copied().unwrap_or(f64::NAN),
            _ => value(self.column.kind(), text).map_or(f64::NAN, |(place, _)| place),
        }
    }

    /// What a region covers.
    pub(super) fn shape(&self, region: &Region) -> Shape {
        let axis = &self.axis;
        let interval = if self.ends_held { Shape::interval } else { Shape::run };
        match region {
            Region::Null => Shape::null(axis),
            Region::All => Shape::all(axis),
            Region::Numbers(lo, hi) => interval(axis, lo.to_f64(), hi.to_f64()),
            Region::Days(first, last) => interval(axis, f64::from(*first), f64::from(*last)),
            Region::Labels(positions) => Shape::set(axis, self.places(positions.iter().copied())),
            Region::Positions(lo, hi) => {
                let ends = self.places([*lo, *hi].into_iter());
                match ends[..] {
                    [lo, hi] => interval(axis, lo, hi),
                    _ => Shape::all(axis),
                }
            }
            Region::Node(id) => {
                let Some(tree) = self.column.hierarchy() else { return Shape::all(axis) };
                let leaves = tree.node(*id).first_leaf..tree.node(*id).end_leaf;
                if self.column.coarse().is_some() {
                    let below = leaves.filter_map(|leaf| self.by_leaf.get(&leaf));
                    return Shape::set(axis, below.flatten().copied().collect());
                }
                let places = leaves.map(|leaf| self.place(tree.value(leaf)));
                Shape::set(axis, places.filter(|place| (axis.lo..=axis.hi).contains(place)).collect())
            }
        }
    }

    /// The places of labels given by their position in the manifest.
    fn places(&self, positions: impl Iterator<Item = u32>) -> Vec<f64> {
        let Extent::Labels(stated) = self.column.extent() else { return Vec::new() };
        positions.filter_map(|at| self.labels.get(stated.get(at as usize)?).copied()).collect()
    }
}

/// Where a number or a date lies, and whether it is whole.
fn value(kind: Kind, text: &str) -> Option<(f64, bool)> {
    match kind {
        // The source may have moments in rows that the release does not show; they lie in their day.
        Kind::Date => parse_date(text.split('T').next().unwrap_or(text)).map(|day| (f64::from(day), true)),
        _ => Decimal::parse(text).map(|number| (number.to_f64(), number.is_integer())),
    }
}

/// All labels of the release and of the source in the order of their places.
fn label_order(column: &PublishedColumn, stated: &[String], source: &Dictionary) -> Vec<String> {
    let known: BTreeSet<&str> = stated.iter().map(String::as_str).collect();
    let only_source: BTreeSet<&str> = source.iter().filter(|text| !known.contains(text)).collect();
    if column.coarse().is_some() {
        // The source's own values, those of one label next to each other: the labels are no values.
        let mut values: Vec<&str> = source.iter().collect();
        values.sort_unstable_by_key(|value| (column.leaf_of(value).unwrap_or(u32::MAX), *value));
        values.dedup();
        return values.into_iter().map(String::from).collect();
    }
    if column.hierarchy().is_none() && column.is_numbered() {
        let mut all: Vec<&str> = known.union(&only_source).copied().collect();
        all.sort_unstable_by_key(|label| (number_place(label).is_none(), number_place(label), *label));
        return all.into_iter().map(String::from).collect();
    }
    match (column.hierarchy(), column.kind()) {
        (Some(tree), _) => {
            let leaves = || (0..tree.leaves().len() as u32).map(|leaf| tree.value(leaf));
            let here = |label: &&str| known.contains(label) || only_source.contains(label);
            let others = known.iter().chain(&only_source).copied().filter(|label| tree.leaf_of(label).is_none());
            leaves().filter(here).chain(others).map(String::from).collect()
        }
        (None, Kind::Nominal) => known.union(&only_source).map(|&label| label.to_string()).collect(),
        // The order of ordinal labels is known only where the release states it.
        (None, _) => stated.iter().cloned().chain(only_source.into_iter().map(String::from)).collect(),
    }
}
