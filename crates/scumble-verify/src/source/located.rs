//! The buckets of a table of boxes that each source row could be in.

use super::groups::{Classes, NONE};
use super::matching::{MatchingProblem, pairs};
use super::quasi::{box_classes, placed_boxes};
use scumble_io::RawTable;
use scumble_release::{BoxColumn, Boxed};
use scumble_table::{GroupedRows, Monitor, Result, RowClasses, class_members, rows_by_group};

/// More places than this are not written down.
const MOST_PLACES: usize = 50_000_000;

/// Source rows by their quasi-identifiers in a table, and the buckets around each.
pub(super) struct RowsInBuckets {
    /// Point of each source row: rows that are alike in the table's columns share one.
    pub(super) point: Vec<u32>,
    /// A source row of each point, and how many there are.
    pub(super) rows: Vec<(u32, u32)>,
    /// Buckets of point `p`: `buckets[starts[p]..starts[p + 1]]`.
    starts: Vec<u32>,
    buckets: Vec<u32>,
}

impl RowsInBuckets {
    /// Looks every source row up; nothing where there are too many places, or where a value of the source does not
    /// read, which has been noted elsewhere.
    pub(super) fn new(boxed: &Boxed, raw: &RawTable, monitor: Monitor<'_>) -> Result<Option<RowsInBuckets>> {
        RowsInBuckets::by_columns(boxed, raw, |_| true, monitor)
    }

    /// The same for somebody who knows some of the columns only.
    pub(super) fn by_columns(
        boxed: &Boxed,
        raw: &RawTable,
        is_known: impl Fn(&str) -> bool,
        monitor: Monitor<'_>,
    ) -> Result<Option<RowsInBuckets>> {
        let Ok(mut columns) = placed_boxes(boxed, raw)? else { return Ok(None) };
        columns.retain(|(boxes, ..)| is_known(boxes.column.name()));
        let quasi: Vec<&BoxColumn> = columns.iter().map(|(boxes, ..)| *boxes).collect();
        let mut keys = RowClasses::new(raw.n_rows);
        for (_, codes, placed) in &columns {
            keys.push(placed.n_ranks as usize, |row| placed.ranks[codes.get(row) as usize]);
        }
        monitor.check()?;
        let (point, n_points) = keys.finish();
        monitor.check()?;
        let rows = class_members(&point, n_points);
        let ranks = |row: u32| columns.iter().map(move |(_, codes, p)| p.ranks[codes.get(row as usize) as usize]);
        let problem = MatchingProblem {
            n_dims: columns.len(),
            points: rows.iter().flat_map(|&(row, _)| ranks(row)).collect(),
            have: rows.iter().map(|&(_, n)| (0, n)).collect(),
            boxes: (0..boxed.sizes.len()).flat_map(|b| quasi.iter().map(move |q| q.of_group[b])).collect(),
            want: boxed.sizes.iter().map(|&n| (0, n)).collect(),
            spans: columns.iter().map(|(.., placed)| placed.spans.clone()).collect(),
            n_keys: 1,
        };
        let found = pairs(&problem, MOST_PLACES, monitor);
        monitor.check()?;
        let Some((bucket_of_pair, point_of_pair)) = found else { return Ok(None) };
        let GroupedRows { starts, rows: pairs } = rows_by_group(&point_of_pair, n_points);
        let buckets = pairs.into_iter().map(|pair| bucket_of_pair[pair as usize]).collect();
        Ok(Some(RowsInBuckets { point, rows, starts, buckets }))
    }

    /// The buckets around a point.
    pub(super) fn buckets(&self, point: u32) -> &[u32] {
        &self.buckets[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }

    /// The boxes of rows as classes. A source row gets the box around it that the fewest rows have; among several the first
    /// by its texts, so that the choice does not depend on where rows stand.
    pub(super) fn classes(&self, boxed: &Boxed, published: &[u32]) -> Classes {
        let (class, n) = box_classes(boxed);
        let mut order: Vec<(u64, Vec<&str>, u32)> = class_members(&class, n)
            .into_iter()
            .zip(0..)
            .map(|((first, _), class)| {
                let texts = boxed.quasi.iter().map(|boxes| boxes.texts.text(boxes.of_group[first as usize]));
                (0, texts.collect(), class)
            })
            .collect();
        class.iter().zip(&boxed.sizes).for_each(|(&class, &size)| order[class as usize].0 += u64::from(size));
        order.sort_unstable();
        let mut rank = vec![0u32; n];
        order.iter().zip(0..).for_each(|((.., class), place)| rank[*class as usize] = place);
        let of_bucket = |bucket: u32| rank[class[bucket as usize] as usize];
        let of_point = |&point: &u32| self.buckets(point).iter().map(|&bucket| of_bucket(bucket)).min().unwrap_or(NONE);
        Classes {
            ours: published.iter().map(|&row| of_bucket(boxed.row_group[row as usize])).collect(),
            theirs: self.point.iter().map(of_point).collect(),
            n,
        }
    }

    /// Whether every source row can be in one bucket only.
    pub(super) fn is_unique(&self) -> bool {
        self.starts.windows(2).all(|pair| pair[1] - pair[0] == 1)
    }
}
