//! An angel release against its source: every table of boxes around its own rows, and batches that count the values
//! of people who could be in them.
//!
//! Whose value is whose is not published. To assign people to buckets, batches and values at once is a three-way table with
//! given two-way margins, for which no fast algorithm is known. What is decided is a flow, which is a necessary condition:
//! every published row gets a source row inside its box whose value its batch counts. A release that fails it is wrong.

use super::boxes;
use super::groups::{Classes, NONE, column_pairs, note_values};
use super::joined::left_of;
use super::located::RowsInBuckets;
use super::matching::{Answer, MatchingProblem, SearchLimits, Span, answer};
use crate::angel::Synthesis;
use crate::verdict::Verdict;
use rayon::prelude::*;
use scumble_io::RawTable;
use scumble_release::Angelized;
use scumble_table::{Monitor, Persons, Result};

/// Notes whether the tables could have come from the source, and how far they narrow its people down. Gives where the
/// source's rows are in each table of boxes, or nothing where that is not known.
pub(super) fn check(
    tables: &Angelized,
    raw: &RawTable,
    persons: Option<&Persons>,
    monitor: Monitor<'_>,
    verdict: &mut Verdict,
) -> Result<Vec<RowsInBuckets>> {
    let sensitive = column_pairs(&tables.batches.values, raw)?;
    note_values(&tables.batches, &sensitive, verdict);
    for view in &tables.views {
        boxes::check(&view.boxed, raw, &format!("source-matching[{}]", view.name), monitor, verdict)?;
    }
    let located = tables.views.iter().map(|view| RowsInBuckets::new(&view.boxed, raw, monitor));
    let located = located.collect::<Result<Option<Vec<_>>>>()?;
    let (Some(located), Some(view)) = (located, tables.views.first()) else { return Ok(Vec::new()) };
    let syntheses: Vec<Synthesis> = tables.views.iter().map(Synthesis::from_table).collect();
    // Where boxes overlap people cannot be told apart by bucket, and the tables have been compared one by one.
    if located[0].is_unique() {
        let rows: Vec<u32> = (0..tables.batches.counts.len() as u32).collect();
        let values = Classes::new(&sensitive, &rows, raw.n_rows);
        let problem = problem(tables, &syntheses[0], &located[0], &values);
        let answer = answer(&problem, SearchLimits::under(monitor));
        monitor.check()?;
        let found = outcome(answer, view.boxed.sizes.len());
        verdict.note("source-batches", found);
    }
    if let Some(joined) = &mut verdict.joined {
        monitor.check()?;
        joined.count(&located[0].point, &left_of(&syntheses, &located, persons, monitor)?, persons);
        joined.exact = verdict.suppressed == 0;
    }
    Ok(located)
}

/// In every bucket: its source rows with their values on one side, its published rows with their batches on the other.
fn problem(tables: &Angelized, synthesis: &Synthesis, located: &RowsInBuckets, values: &Classes) -> MatchingProblem {
    let mut spans: Vec<Vec<u32>> = vec![Vec::new(); tables.sizes.len()];
    for (&batch, &class) in tables.batches.row_group.iter().zip(&values.ours) {
        spans[batch as usize].push(class);
    }
    spans.par_iter_mut().for_each(|classes| classes.sort_unstable());
    let rows = located.point.iter().zip(&values.theirs).filter(|(_, class)| **class != NONE);
    let mut points: Vec<(u32, u32)> = rows.map(|(&point, &class)| (located.buckets(point)[0], class)).collect();
    points.par_sort_unstable();
    let points: Vec<&[(u32, u32)]> = points.chunk_by(|a, b| a == b).collect();
    let boxes = (0..synthesis.n_buckets()).flat_map(|bucket| {
        synthesis.of_bucket(bucket).iter().map(move |&(batch, people)| (bucket as u32, batch, people))
    });
    let boxes: Vec<(u32, u32, u32)> = boxes.collect();
    MatchingProblem {
        n_dims: 1,
        points: points.iter().map(|alike| alike[0].1).collect(),
        have: points.iter().map(|alike| (alike[0].0, alike.len() as u32)).collect(),
        boxes: boxes.iter().map(|&(_, batch, _)| batch).collect(),
        want: boxes.iter().map(|&(bucket, _, people)| (bucket, people)).collect(),
        spans: vec![spans.into_iter().map(Span::from_ranks).collect()],
        n_keys: synthesis.n_buckets(),
    }
}

fn outcome(answer: Answer, n_buckets: usize) -> Result<String, String> {
    match answer {
        Answer::Yes => Ok(format!("in all {n_buckets} buckets rows have values that their batches count")),
        Answer::NoPoint(_) => Err("a bucket has a row whose batch counts no value that its rows have left".into()),
        Answer::NoBox(_) => Err("a row of the source has a value that no batch of its bucket counts".into()),
        Answer::Undecided { rows } => {
            Ok(format!("only partly checked: for {rows} rows there are too many possibilities"))
        }
    }
}
