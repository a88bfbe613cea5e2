//! Where the source's quasi-identifiers lie, and what the boxes cover of them.

use super::matching::Span;
use super::text_column;
use scumble_io::RawTable;
use scumble_release::notation::Region;
use scumble_release::{BoxColumn, Boxed, Extent, PublishedColumn, number_place};
use scumble_table::{Codes, Decimal, Result, RowClasses, parse_date};
use std::collections::BTreeMap;

/// A column of the source on a line of ranks: null is rank 0, values follow in their order, and
/// values that the release does not know come last.
pub struct PlacedColumn {
    /// Rank of each text of the source, by its code there.
    pub ranks: Vec<u32>,
    /// One past the greatest rank.
    pub n_ranks: u32,
    /// What each published text covers, by its code in the release.
    pub spans: Vec<Span>,
}

/// Places a column, of whose texts it is known what they cover; fails where a text of the source is not of its type.
/// `source` are the texts of the source by their codes, from code 1 on.
pub fn place_column<'a>(
    column: &'a PublishedColumn,
    regions: &[Option<Region>],
    source: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> Result<PlacedColumn, String> {
    if column.hierarchy().is_none() && column.is_numbered() {
        return Ok(by_number(column, regions, source));
    }
    if column.hierarchy().is_some() || matches!(column.extent(), Extent::Labels(_)) {
        return Ok(by_position(column, regions, source));
    }
    match column.extent() {
        Extent::Days(_) => by_value(column, regions, source, parse_date, |region| match region {
            Region::Days(first, last) => Some((*first, *last)),
            _ => None,
        }),
        _ => by_value(column, regions, source, Decimal::parse, |region| match region {
            Region::Numbers(lo, hi) => Some((*lo, *hi)),
            _ => None,
        }),
    }
}

/// A column of boxes, its codes in the source, and where both lie.
pub(super) type PlacedBoxes<'a> = (&'a BoxColumn, &'a Codes, PlacedColumn);

/// Places all columns of boxes, or says which of them have texts in the source that do not read.
pub(super) fn placed_boxes<'a>(
    boxed: &'a Boxed,
    raw: &'a RawTable,
) -> Result<Result<Vec<PlacedBoxes<'a>>, Vec<String>>> {
    let (mut placed, mut unread) = (Vec::new(), Vec::new());
    for boxes in &boxed.quasi {
        let (dictionary, codes) = text_column(raw, boxes.column.name())?;
        match place_column(&boxes.column, &boxes.regions, dictionary.iter()) {
            Ok(found) => placed.push((boxes, codes, found)),
            Err(reason) => unread.push(format!("`{}`: {reason}", boxes.column.name())),
        }
    }
    Ok(if unread.is_empty() { Ok(placed) } else { Err(unread) })
}

/// Groups by their box, and the number of different boxes.
pub(super) fn box_classes(boxed: &Boxed) -> (Vec<u32>, usize) {
    let mut keys = RowClasses::new(boxed.sizes.len());
    for boxes in &boxed.quasi {
        keys.push(boxes.regions.len(), |group| boxes.of_group[group]);
    }
    keys.finish()
}

/// Labels by their position in the manifest, or by their leaf, under which nodes are runs.
fn by_position<'a>(
    column: &PublishedColumn,
    regions: &[Option<Region>],
    source: impl Iterator<Item = &'a str>,
) -> PlacedColumn {
    let (n_known, leaf) = match (column.hierarchy(), column.extent()) {
        (Some(tree), _) => (tree.leaves().len(), true),
        (None, Extent::Labels(labels)) => (labels.len(), false),
        _ => (0, false),
    };
    let position = |text: &str| if leaf { column.leaf_of(text) } else { column.position(text) };
    let (ranks, n_ranks) = ranks_of(source, n_known, |text| Some(position(text)? + 1));
    let spans = regions.iter().map(|region| match (region, column.hierarchy()) {
        (Some(Region::Node(id)), Some(tree)) => {
            let node = tree.node(*id);
            Span::run(node.first_leaf + 1, node.end_leaf + 1)
        }
        (Some(Region::Labels(places)), _) => Span::from_ranks(places.iter().map(|place| place + 1).collect()),
        (Some(Region::Positions(lo, hi)), _) => Span::run(lo + 1, hi + 2),
        (region, _) => wide(region.as_ref(), n_ranks),
    });
    PlacedColumn { spans: spans.collect(), ranks, n_ranks }
}

/// The rank of each text of the source, and one past the greatest: null comes first, then the known values, and every
/// text that is none of them has a rank of its own after these.
fn ranks_of<'a>(
    source: impl Iterator<Item = &'a str>,
    n_known: usize,
    rank: impl Fn(&str) -> Option<u32>,
) -> (Vec<u32>, u32) {
    let (mut ranks, mut n_ranks) = (vec![0], n_known as u32 + 1);
    for text in source {
        ranks.push(rank(text).unwrap_or_else(|| {
            n_ranks += 1;
            n_ranks - 1
        }));
    }
    (ranks, n_ranks)
}

/// Ordinals that are numbers by their value: the release lists the ends of intervals, not what lies between them.
fn by_number<'a>(
    column: &'a PublishedColumn,
    regions: &[Option<Region>],
    source: impl Iterator<Item = &'a str> + Clone,
) -> PlacedColumn {
    let listed: &[String] = if let Extent::Labels(labels) = column.extent() { labels } else { &[] };
    let all = listed.iter().map(String::as_str).chain(source.clone()).filter_map(number_place);
    let mut order: BTreeMap<(Decimal, &str), u32> = all.map(|place| (place, 0)).collect();
    order.values_mut().zip(1..).for_each(|(rank, next)| *rank = next);
    let rank = |text: &str| number_place(text).and_then(|place| order.get(&place).copied());
    let (ranks, n_ranks) = ranks_of(source, order.len(), rank);
    let end = |place: &u32| listed.get(*place as usize).and_then(|label| rank(label));
    let spans = regions.iter().map(|region| match region {
        Some(Region::Positions(lo, hi)) => match (end(lo), end(hi)) {
            (Some(lo), Some(hi)) => Span::run(lo, hi + 1),
            _ => Span::run(0, 0),
        },
        region => wide(region.as_ref(), n_ranks),
    });
    PlacedColumn { spans: spans.collect(), ranks, n_ranks }
}

/// Numbers and dates by their value.
fn by_value<'a, T: Ord + Copy>(
    column: &PublishedColumn,
    regions: &[Option<Region>],
    source: impl ExactSizeIterator<Item = &'a str>,
    read: impl Fn(&str) -> Option<T>,
    ends: impl Fn(&Region) -> Option<(T, T)>,
) -> Result<PlacedColumn, String> {
    let mut values = Vec::with_capacity(source.len());
    for text in source {
        values.push(read(text).ok_or_else(|| format!("the source holds what is no {}", column.kind()))?);
    }
    let mut sorted = values.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let below = |value: &T| sorted.partition_point(|other| other < value) as u32;
    let up_to = |value: &T| sorted.partition_point(|other| other <= value) as u32;
    let n_ranks = sorted.len() as u32 + 1;
    let spans = regions.iter().map(|region| match region.as_ref().and_then(&ends) {
        Some((lo, hi)) => Span::run(below(&lo) + 1, up_to(&hi) + 1),
        None => wide(region.as_ref(), n_ranks),
    });
    let spans = spans.collect();
    let ranks = std::iter::once(0).chain(values.iter().map(|value| below(value) + 1)).collect();
    Ok(PlacedColumn { ranks, n_ranks, spans })
}

/// Null alone, everything, or nothing for a text that no group shows.
fn wide(region: Option<&Region>, n_ranks: u32) -> Span {
    match region {
        Some(Region::All) => Span::run(0, n_ranks),
        Some(Region::Null) => Span::run(0, 1),
        _ => Span::run(0, 0),
    }
}
