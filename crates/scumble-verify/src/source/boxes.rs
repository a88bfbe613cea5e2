//! Every box around its own row, with the values of that row.

use super::groups::column_pairs;
use super::matching::{Answer, SearchLimits, answer};
use super::quasi::placed_boxes;
use super::rows::{Rows, problem};
use super::{histogram, same};
use crate::verdict::Verdict;
use scumble_io::RawTable;
use scumble_release::{Boxed, SUPPRESSED, ShownColumn, problems};
use scumble_table::{Monitor, Result};

/// Notes, under the name given, whether every published row has a source row of its own.
pub(super) fn check(
    boxed: &Boxed,
    raw: &RawTable,
    matching: &str,
    monitor: Monitor<'_>,
    verdict: &mut Verdict,
) -> Result<()> {
    let keys = column_pairs(&boxed.values, raw)?;
    for (values, codes, map) in &keys {
        monitor.check()?;
        let name = format!("source-values[{}]", values.column.name());
        let (theirs, unknown) = histogram(codes, map, values.domain.n_codes());
        verdict.note(name, same("values", &published(boxed, values), &theirs, unknown, verdict.suppressed));
    }
    let quasi_columns = match placed_boxes(boxed, raw)? {
        Ok(placed) => placed,
        Err(unread) => {
            verdict.note(matching, problems(unread, String::new));
            return Ok(());
        }
    };
    monitor.check()?;
    let asked = problem(boxed, raw.n_rows, &keys, &quasi_columns);
    let answer = answer(&asked.problem, SearchLimits::under(monitor));
    monitor.check()?;
    let found = outcome(boxed, &asked, answer, verdict.rows);
    verdict.note(matching, found);
    Ok(())
}

/// How often each value is published.
fn published(boxed: &Boxed, values: &ShownColumn) -> Vec<u64> {
    let mut counts = vec![0u64; values.domain.n_codes()];
    for (row, &group) in boxed.row_group.iter().enumerate() {
        if group != SUPPRESSED {
            counts[values.codes.get(row) as usize] += 1;
        }
    }
    counts
}

/// The answer in words. Rows are named by their place; their values may be secrets.
fn outcome(boxed: &Boxed, asked: &Rows, answer: Answer, n_published: u64) -> Result<String, String> {
    match answer {
        Answer::Yes => Ok("every published row has a source row of its own, inside its box".into()),
        Answer::NoPoint(at) => {
            let row = asked.box_row[at] as usize;
            let group = boxed.row_group[row] + 1;
            Err(format!("row {} of the table (group {group}) covers no source row that is left for it", row + 1))
        }
        Answer::NoBox(at) => Err(format!("row {} of the source fits no published row", asked.point_row[at] + 1)),
        Answer::Undecided { rows } => Ok(format!(
            "only partly checked: for {rows} of {n_published} rows there are too many possible source rows to decide \
             whether one assignment suits all; each column by itself allows one, and the others are decided exactly"
        )),
    }
}
