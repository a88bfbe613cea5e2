//! A release as boxes on some attributes, whose sensitive values are a mixture over batches.
//!
//! Every form is one: in a generalized table each group is its own batch, in tables of exact people every point is a
//! box and the groups are the batches.

use crate::{Boxes, Estimator, GroupValues, Microdata, Positions, Shape};
use hashbrown::HashMap;
use scumble_table::{Monitor, Result, RowClasses, class_members, rows_by_group};
use scumble_verify::Span;

/// The least length of a box along an axis that is measured by length.
const POINT: f64 = 1e-12;

/// Distinct boxes with the batches of their people.
pub(super) struct Mixture {
    /// What the boxes cover along each attribute, in ranks of the source's places.
    pub(super) spans: Vec<Vec<Span>>,
    /// Position in `spans` of each box, one per attribute.
    pub(super) boxes: Vec<u32>,
    /// `|R(C)|` of each box.
    pub(super) volumes: Vec<f64>,
    /// Where the parts of each box begin, closed by their number.
    starts: Vec<u32>,
    /// A batch, and how many of its people are in the box.
    parts: Vec<(u32, u32)>,
    pub(super) batches: Batches,
}

/// The sensitive values of batches.
pub(super) struct Batches {
    starts: Vec<u32>,
    /// Rank in the source of each value, rising in each batch, and how often the batch has it.
    values: Vec<(u32, u32)>,
    sizes: Vec<u32>,
    /// One past the greatest rank.
    pub(super) n_ranks: usize,
}

/// The distinct spans of one attribute, and which of them each bucket has.
struct BucketSpans {
    spans: Vec<Span>,
    volumes: Vec<f64>,
    of_bucket: Vec<u32>,
}

impl Mixture {
    /// What a release tells of some attributes.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(super) fn new(
        estimator: &Estimator,
        source: &Microdata,
        attributes: &[usize],
        monitor: Monitor<'_>,
    ) -> Result<Mixture> {
        let (quasi, batches) = (source.quasi(), |groups| Batches::new(groups, source.sensitive()));
        match estimator {
            Estimator::Generalized(table) => {
                let columns = attributes.iter().map(|&at| BucketSpans::from_boxes(&table.boxes()[at], &quasi[at]));
                let sizes = table.groups().sizes();
                let parts = |group: usize, here: &mut Vec<_>| here.push((group as u32, sizes[group]));
                Mixture::gather(columns, sizes.len(), parts, batches(table.groups()), monitor)
            }
            Estimator::Anatomy(table) => {
                let columns = attributes.iter().map(|&at| BucketSpans::from_points(&table.quasi()[at], &quasi[at]));
                let row_group = table.row_groups();
                let parts = |row: usize, here: &mut Vec<_>| here.push((row_group[row], 1));
                Mixture::gather(columns, row_group.len(), parts, batches(table.groups()), monitor)
            }
            Estimator::Angel(tables) => {
                let table = tables.best(attributes.iter().copied());
                let columns = attributes.iter().map(|&at| BucketSpans::from_boxes(table.boxes_of(at), &quasi[at]));
                let parts = |bucket: usize, here: &mut Vec<_>| here.extend_from_slice(table.parts(bucket));
                Mixture::gather(columns, table.sizes().len(), parts, batches(tables.batches()), monitor)
            }
        }
    }

    /// Gathers buckets whose boxes are equal on these attributes; `add_parts` adds the batches of a bucket's people.
    fn gather(
        columns: impl Iterator<Item = BucketSpans>,
        n_buckets: usize,
        add_parts: impl Fn(usize, &mut Vec<(u32, u32)>),
        batches: Batches,
        monitor: Monitor<'_>,
    ) -> Result<Mixture> {
        let mut keys = RowClasses::new(n_buckets);
        let mut projected = Vec::new();
        for column in columns {
            monitor.check()?;
            keys.push(column.spans.len(), |bucket| column.of_bucket[bucket]);
            projected.push(column);
        }
        let (of_bucket, n_boxes) = keys.finish();
        monitor.check()?;
        let firsts = class_members(&of_bucket, n_boxes);
        let span = |first: u32| projected.iter().map(move |column| column.of_bucket[first as usize]);
        let boxes = firsts.iter().flat_map(|&(first, _)| span(first)).collect();
        let volume = |first: u32| projected.iter().zip(span(first)).map(|(column, at)| column.volumes[at as usize]);
        let volumes = firsts.iter().map(|&(first, _)| volume(first).product()).collect();
        let (mut starts, mut parts) = (vec![0u32], Vec::<(u32, u32)>::new());
        let mut here = Vec::new();
        for buckets in rows_by_group(&of_bucket, n_boxes).groups() {
            monitor.check()?;
            here.clear();
            buckets.iter().for_each(|&bucket| add_parts(bucket as usize, &mut here));
            here.sort_unstable();
            let same = here.chunk_by(|a, b| a.0 == b.0);
            parts.extend(same.map(|same| (same[0].0, same.iter().map(|(_, people)| people).sum())));
            starts.push(parts.len() as u32);
        }
        let spans = projected.into_iter().map(|column| column.spans).collect();
        Ok(Mixture { spans, boxes, volumes, starts, parts, batches })
    }

    /// The batches of a box's people, and how many of each.
    pub(super) fn parts(&self, a_box: usize) -> &[(u32, u32)] {
        &self.parts[self.starts[a_box] as usize..self.starts[a_box + 1] as usize]
    }
}

impl BucketSpans {
    /// Shapes that cover the same of the source, and as much of its domain, are one.
    fn from_boxes(boxes: &Boxes, source: &Positions) -> BucketSpans {
        let least = if boxes.axis().discrete { 1.0 } else { POINT };
        let mut known: HashMap<(Span, u64), u32, foldhash::fast::FixedState> = HashMap::default();
        let (mut spans, mut volumes) = (Vec::new(), Vec::new());
        let class = |shape: &Shape| {
            let (span, volume) = (shape.span(source.places()), shape.covered().max(least));
            *known.entry((span.clone(), volume.to_bits())).or_insert_with(|| {
                spans.push(span);
                volumes.push(volume);
                spans.len() as u32 - 1
            })
        };
        let classes: Vec<u32> = boxes.shapes().iter().map(class).collect();
        let of_bucket = boxes.of_group().iter().map(|&shape| classes[shape as usize]).collect();
        BucketSpans { spans, volumes, of_bucket }
    }

    /// Exact values: every rank of the source is a span, and one more holds what the source does not have.
    fn from_points(published: &Positions, source: &Positions) -> BucketSpans {
        let n = source.places().len() as u32 + 1;
        let spans: Vec<Span> = (0..n).map(|rank| Span::run(rank, rank + 1)).chain([Span::run(0, 0)]).collect();
        let to = translated(published.places(), source.places(), n);
        let of_bucket = published.ranks().iter().map(|&rank| to[rank as usize]).collect();
        BucketSpans { volumes: vec![1.0; spans.len()], spans, of_bucket }
    }
}

/// The rank among the source's places of every published rank, `none` where the source has no such place.
fn translated(published: &[f64], source: &[f64], none: u32) -> Vec<u32> {
    let find = |place: &f64| source.binary_search_by(|known| known.total_cmp(place)).map_or(none, |at| at as u32 + 1);
    std::iter::once(0).chain(published.iter().map(find)).collect()
}

impl Batches {
    fn new(groups: &GroupValues, source: &Positions) -> Batches {
        let n_ranks = source.places().len() + 1;
        let to = translated(groups.places(), source.places(), n_ranks as u32);
        let (mut starts, mut values) = (vec![0u32], Vec::new());
        let mut here: Vec<u32> = Vec::new();
        for group in 0..groups.n_groups() {
            here.clear();
            here.extend(groups.ranks(group).iter().map(|&rank| to[rank as usize]));
            here.sort_unstable();
            let known = here.chunk_by(|a, b| a == b).filter(|same| (same[0] as usize) < n_ranks);
            values.extend(known.map(|same| (same[0], same.len() as u32)));
            starts.push(values.len() as u32);
        }
        Batches { starts, values, sizes: groups.sizes(), n_ranks }
    }

    /// The values of a batch and how often it has each.
    pub(super) fn values(&self, batch: u32) -> &[(u32, u32)] {
        &self.values[self.starts[batch as usize] as usize..self.starts[batch as usize + 1] as usize]
    }

    /// Rows of a batch.
    pub(super) fn size(&self, batch: u32) -> f64 {
        f64::from(self.sizes[batch as usize])
    }
}
