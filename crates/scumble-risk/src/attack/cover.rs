//! Which boxes lie around each point, without looking at every pair.
//!
//! Points are sorted column by column and halved again and again, within a column until all have the same rank, then in the
//! next. On the way down boxes that miss a half altogether are left behind, so that those which arrive at a point are the
//! ones around it. The work is the number of boxes that meet each half, added up; no more lists are held than a path is
//! long.

use super::distinct_rows::DistinctRows;
use super::people_index::PeopleIndex;
use super::people_table::PeopleTable;
use rayon::prelude::*;
use scumble_table::{Monitor, Result, rows_by_group};
use scumble_verify::Span;
use std::ops::Range;

/// Points are divided into this many parts, which are worked on in parallel. The number does not depend on the threads, and
/// nothing that is found depends on it.
const PARTS: usize = 64;

/// Distinct points, and distinct boxes around some of them.
pub(crate) struct BoxCover<'a> {
    /// Distinct known values of people.
    pub(crate) points: DistinctRows,
    /// Distinct boxes of records.
    pub(crate) boxes: DistinctRows,
    /// Points by rising ranks in the columns.
    order: Vec<u32>,
    /// The columns, those in which boxes are narrow first.
    columns: Vec<Column<'a>>,
}

struct Column<'a> {
    /// Rank of each point, in their order.
    ranks: Vec<u32>,
    /// The first rank that each box covers, and the one after the last.
    runs: Vec<(u32, u32)>,
    /// Where runs have holes: what each text covers, and the text of each box.
    spans: Option<(&'a [Span], Vec<u32>)>,
}

impl<'a> BoxCover<'a> {
    /// The chosen columns of people and of records.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(crate) fn new(
        table: &PeopleTable,
        index: &'a PeopleIndex,
        chosen: &[usize],
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let points = DistinctRows::new(&index.known(chosen), index.n, monitor)?;
        let boxes = DistinctRows::new(&table.known(chosen), table.n_rows, monitor)?;
        let mut columns = Vec::with_capacity(chosen.len());
        for &at in chosen {
            monitor.check()?;
            let (placed, shown) = (&index.columns[at], &table.columns[at].codes);
            let texts: Vec<u32> = boxes.rows.iter().map(|&(row, _)| shown.get(row as usize)).collect();
            let run = |&text: &u32| (placed.spans[text as usize].lo, placed.spans[text as usize].end);
            let runs: Vec<(u32, u32)> = texts.iter().map(run).collect();
            let ranks = points.rows.iter().map(|&(row, _)| placed.ranks.get(row as usize)).collect();
            // Millionths of the column that boxes cover on average.
            let covered: u64 = runs.iter().map(|run| u64::from(run.1 - run.0)).sum();
            let all = (placed.n_ranks as u64 * runs.len() as u64).max(1);
            let width = u128::from(covered) * 1_000_000 / u128::from(all);
            let holes = placed.spans.iter().any(Span::has_holes);
            let spans = holes.then_some((placed.spans.as_slice(), texts));
            columns.push((width, placed.n_ranks, Column { ranks, runs, spans }));
        }
        columns.sort_by_key(|column| column.0);
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        // Sorting by one column keeps the order of those after it.
        for (_, n_ranks, column) in columns.iter().rev() {
            monitor.check()?;
            let ranks: Vec<u32> = order.iter().map(|&point| column.ranks[point as usize]).collect();
            order = rows_by_group(&ranks, *n_ranks).rows.into_iter().map(|at| order[at as usize]).collect();
        }
        monitor.check()?;
        let in_order = |(_, _, column): (u128, usize, Column<'a>)| Column {
            ranks: order.iter().map(|&point| column.ranks[point as usize]).collect(),
            ..column
        };
        let columns = columns.into_iter().map(in_order).collect();
        Ok(BoxCover { points, boxes, order, columns })
    }

    /// Calls `each` with every point and the boxes around it, by rising number. Points come part by part, each part with
    /// room of its own, which is given back in the order of the parts.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(crate) fn visit<T: Send>(
        &self,
        room: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, u32, &[u32]) + Sync,
        monitor: Monitor<'_>,
    ) -> Result<Vec<T>> {
        let n = self.order.len();
        let size = n.div_ceil(PARTS).max(1);
        let all: Vec<u32> = (0..self.boxes.len() as u32).collect();
        let part = |from: usize| {
            let mut room = room();
            let mut visitor = Visitor { found: |point: u32, boxes: &[u32]| each(&mut room, point, boxes), monitor };
            self.descend(from..(from + size).min(n), 0, &all, &mut visitor)?;
            Ok(room)
        };
        (0..n).into_par_iter().step_by(size).map(part).collect()
    }

    /// Points of which all ranks before a column are the same, and the boxes around these ranks.
    fn descend<F: FnMut(u32, &[u32])>(
        &self,
        points: Range<usize>,
        at: usize,
        boxes: &[u32],
        visitor: &mut Visitor<'_, F>,
    ) -> Result<()> {
        let Some(column) = self.columns.get(at) else {
            self.order[points].iter().for_each(|&point| (visitor.found)(point, boxes));
            return Ok(());
        };
        visitor.monitor.check()?;
        let (first, last) = (column.ranks[points.start], column.ranks[points.end - 1]);
        let boxes: Vec<u32> = boxes.iter().copied().filter(|&a_box| column.meets(a_box, first, last)).collect();
        if first == last {
            return self.descend(points, at + 1, &boxes, visitor);
        }
        // Halves begin with another rank, as near to the middle as there is one.
        let ranks = &column.ranks[points.clone()];
        let middle = ranks[ranks.len() / 2];
        let cut = match ranks.partition_point(|&rank| rank < middle) {
            0 => ranks.partition_point(|&rank| rank <= middle),
            cut => cut,
        };
        let cut = points.start + cut;
        self.descend(points.start..cut, at, &boxes, visitor)?;
        self.descend(cut..points.end, at, &boxes, visitor)
    }
}

/// What is called for points on the way down, and what can stop it.
struct Visitor<'m, F> {
    found: F,
    monitor: Monitor<'m>,
}

impl Column<'_> {
    /// Whether a box covers some rank from `a` to `b`.
    #[inline]
    fn meets(&self, a_box: u32, a: u32, b: u32) -> bool {
        let (lo, end) = self.runs[a_box as usize];
        lo <= b
            && a < end
            && match &self.spans {
                Some((spans, texts)) => spans[texts[a_box as usize] as usize].meets(a, b),
                None => true,
            }
    }
}
