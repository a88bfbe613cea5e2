//! Contexts: groups of rows in which the focused attribute is distributed differently.
//!
//! A tree of divisions. At each node the attribute with the largest gain by minimum description length divides the
//! rows, one child for each of its bins, if the gain is above 0 and every child has at least twice the least count of
//! an interval; the leaves are the contexts. Bins are made again at every node, of the rows that are there.

use super::bins::{Bins, FOCUSED_BINS, Part};
use super::crosstab::Crosstab;
use super::measures::gain;
use rayon::prelude::*;
use scumble_table::{Code, Codes, Monitor, NULL, Table, with_codes};

/// What a context asks of one column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Position of the column.
    pub column: usize,
    /// The values that meet it.
    pub part: Part,
}

/// The rows of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextRows {
    /// What its rows have in common; all of them must hold.
    pub when: Vec<Clause>,
    /// Its rows, ascending.
    pub rows: Vec<u32>,
}

/// What was found about dividing rows by an attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Division {
    /// Position of the column.
    pub column: usize,
    /// What the division is worth, in nats.
    pub gain: f64,
    /// How many parts there are.
    pub parts: usize,
    /// Rows with a focused value in the smallest part.
    pub least_rows: u64,
    /// Whether it was made.
    pub made: bool,
}

/// The contexts, and how the whole table could have been divided.
#[derive(Debug, Clone, PartialEq)]
pub struct Contexts {
    /// Leaves from left to right; one without a condition if nothing divides the table.
    pub leaves: Vec<ContextRows>,
    /// One division of the whole table for each given attribute, in their order.
    pub divisions: Vec<Division>,
}

/// One possible division of a node.
struct Split {
    bins: Bins,
    /// Bins that become children.
    children: Vec<usize>,
    gain: f64,
    least_rows: u64,
}

/// Divides the table into contexts. Rows without a focused value count for the correlation, but not towards `2 * least`:
/// it is intervals of values that must hold enough rows. Once the work is cancelled, whatever is not divided is a leaf.
pub fn contexts(table: &Table, focused: usize, given: &[usize], least: u64, monitor: Monitor<'_>) -> Contexts {
    let whole = ContextRows { when: Vec::new(), rows: (0..table.n_rows() as u32).collect() };
    let tree = Tree { table, focused, given, least, monitor };
    let splits = tree.splits(&whole.rows);
    let chosen = tree.best(&splits);
    let division = |(nth, split): (usize, &Split)| Division {
        column: given[nth],
        gain: split.gain,
        parts: split.children.len(),
        least_rows: split.least_rows,
        made: chosen == Some(nth),
    };
    let divisions = splits.iter().enumerate().map(division).collect();
    let mut leaves = Vec::new();
    tree.grow(whole, splits, chosen, &mut leaves);
    Contexts { leaves, divisions }
}

struct Tree<'a> {
    table: &'a Table,
    focused: usize,
    given: &'a [usize],
    least: u64,
    monitor: Monitor<'a>,
}

impl Tree<'_> {
    fn splits(&self, rows: &[u32]) -> Vec<Split> {
        let f = self.table.column(self.focused);
        let histogram = histogram(f, rows, self.table.attribute(self.focused).domain.n_codes());
        let bins = Bins::equal_frequency(&histogram, FOCUSED_BINS);
        self.given.par_iter().map(|&column| self.split(rows, (f, &bins), column)).collect()
    }

    fn split(&self, rows: &[u32], (f, focused_bins): (&Codes, &Bins), column: usize) -> Split {
        let (q, domain) = (self.table.column(column), &self.table.attribute(column).domain);
        let bins = Bins::given(domain, &histogram(q, rows, domain.n_codes()));
        let all = Crosstab::count((f, focused_bins), (q, &bins), Some(rows));
        let missing = focused_bins.parts().iter().position(Part::is_missing);
        let valued = |child: usize| -> u64 {
            let lines = all.lines().enumerate().filter(|(line, _)| Some(*line) != missing);
            lines.map(|(_, line)| line[child]).sum()
        };
        // A missing value that too few rows have makes no context: these rows are in none and show what all share.
        let lost = |child: usize| bins.parts()[child].is_missing() && valued(child) < 2 * self.least;
        let children: Vec<usize> = (0..bins.len()).filter(|&child| !lost(child)).collect();
        let least_rows = children.iter().map(|&child| valued(child)).min().unwrap_or(0);
        let gain = gain(&all.without(lost));
        Split { bins, children, gain, least_rows }
    }

    /// The first of the best divisions that may be made.
    fn best(&self, splits: &[Split]) -> Option<usize> {
        let may = |split: &Split| split.children.len() > 1 && split.gain > 0.0 && split.least_rows >= 2 * self.least;
        let mut best: Option<usize> = None;
        for (nth, split) in splits.iter().enumerate().filter(|(_, split)| may(split)) {
            if best.is_none_or(|best| split.gain > splits[best].gain) {
                best = Some(nth);
            }
        }
        best
    }

    fn grow(&self, node: ContextRows, splits: Vec<Split>, chosen: Option<usize>, leaves: &mut Vec<ContextRows>) {
        let Some(nth) = chosen.filter(|_| !self.monitor.is_cancelled()) else {
            leaves.push(node);
            return;
        };
        let (split, column) = (&splits[nth], self.given[nth]);
        for child in divide(self.table, &node, column, &split.bins, &split.children) {
            let splits = self.splits(&child.rows);
            let chosen = self.best(&splits);
            self.grow(child, splits, chosen, leaves);
        }
    }
}

/// The children of a node, one for each of the bins that are named.
pub(crate) fn divide(
    table: &Table,
    node: &ContextRows,
    column: usize,
    bins: &Bins,
    children: &[usize],
) -> Vec<ContextRows> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); bins.len()];
    with_codes!(table.column(column), |codes| for &row in &node.rows {
        rows[bins.bin_of()[codes[row as usize] as usize] as usize].push(row);
    });
    let child = |&bin: &usize| ContextRows {
        when: narrowed(&node.when, column, &bins.parts()[bin]),
        rows: std::mem::take(&mut rows[bin]),
    };
    children.iter().map(child).collect()
}

/// The conditions of a node with one more. A second condition on a column narrows the first.
fn narrowed(when: &[Clause], column: usize, part: &Part) -> Vec<Clause> {
    let mut when = when.to_vec();
    match when.iter_mut().find(|condition| condition.column == column) {
        Some(known) => {
            known.part = match (&known.part, part) {
                (Part::Range { from, to }, Part::Range { from: inner_from, to: inner_to }) => {
                    Part::Range { from: inner_from.or(*from), to: inner_to.or(*to) }
                }
                _ => part.clone(),
            }
        }
        None => when.push(Clause { column, part: part.clone() }),
    }
    when
}

/// How often each code occurs in some rows.
pub(crate) fn histogram(codes: &Codes, rows: &[u32], n_codes: usize) -> Vec<u64> {
    let mut counts = vec![0u64; n_codes];
    with_codes!(codes, |codes| for &row in rows {
        counts[codes[row as usize] as usize] += 1;
    });
    counts
}

/// The same without missing values: the rows that intervals are counted in.
pub(crate) fn valued(codes: &Codes, rows: &[u32], n_codes: usize) -> Vec<u64> {
    let mut counts = histogram(codes, rows, n_codes);
    counts[NULL as usize] = 0;
    counts
}

impl ContextRows {
    /// True if a row with these codes, asked for by column, is in the context.
    pub fn holds(&self, code: impl Fn(usize) -> Code) -> bool {
        self.when.iter().all(|condition| condition.part.holds(code(condition.column)))
    }
}
