//! The paper's own way to contexts (algorithm 4): the attribute that goes most strongly with the focused one divides
//! the rows; each further one, in the order of its strength, divides every context that is large enough, and the
//! domains of both are adjusted to each other.

use super::adjust::adjust;
use super::bins::Bins;
use super::contexts::{ContextRows, divide, histogram, valued};
use super::cuts::Rule;
use super::nesting::{LevelCuts, refine};
use rayon::prelude::*;
use scumble_table::{Code, Monitor, Table};

/// A context and its domains.
#[derive(Debug, Clone)]
pub(crate) struct PaperContext {
    pub(crate) context: ContextRows,
    pub(crate) histogram: Vec<u64>,
    pub(crate) cuts: LevelCuts,
}

/// Contexts by all of `given`, which come strongest first, with the domains of each inside the intervals of `shared`.
/// A value that fewer than `least` rows have makes no context at first; later a context with such a value among its
/// rows is left as it is.
pub(crate) fn contexts(
    table: &Table,
    focused: usize,
    given: &[usize],
    shared: &[Code],
    least: u64,
    monitor: Monitor<'_>,
) -> Vec<PaperContext> {
    let everyone: Vec<u32> = (0..table.n_rows() as u32).collect();
    let of_rows = |context: ContextRows| {
        let n_codes = table.attribute(focused).domain.n_codes();
        let histogram = valued(table.column(focused), &context.rows, n_codes);
        let cuts = refine(&histogram, shared, None, least, Rule::Sweep, monitor);
        PaperContext { context, histogram, cuts }
    };
    let whole = of_rows(ContextRows { when: Vec::new(), rows: everyone });
    let mut leaves = vec![whole.clone()];
    for (nth, &column) in given.iter().enumerate().take_while(|_| !monitor.is_cancelled()) {
        let parts: Vec<PaperContext> = values(table, column, &whole.context).into_par_iter().map(of_rows).collect();
        if nth == 0 {
            leaves = parts.into_iter().filter(|part| held(part) >= least).collect();
            continue;
        }
        let remaining = leaves.iter().take_while(|_| !monitor.is_cancelled());
        leaves = remaining.flat_map(|leaf| adjusted(table, focused, column, leaf, &parts, least)).collect();
    }
    leaves
}

/// Rows with a focused value.
fn held(part: &PaperContext) -> u64 {
    part.histogram.iter().sum()
}

/// One context for each value of a column, by itself.
fn values(table: &Table, column: usize, whole: &ContextRows) -> Vec<ContextRows> {
    let domain = &table.attribute(column).domain;
    let bins = Bins::given(domain, &histogram(table.column(column), &whole.rows, domain.n_codes()));
    divide(table, whole, column, &bins, &(0..bins.len()).collect::<Vec<usize>>())
}

/// A context divided by one more column, or as it was where that would leave too few rows.
fn adjusted(
    table: &Table,
    focused: usize,
    column: usize,
    leaf: &PaperContext,
    parts: &[PaperContext],
    least: u64,
) -> Vec<PaperContext> {
    let codes = table.column(column);
    let n_codes = table.attribute(focused).domain.n_codes();
    let mut children = Vec::new();
    for part in parts {
        let condition = &part.context.when[0];
        let rows: Vec<u32> =
            leaf.context.rows.iter().copied().filter(|&row| condition.part.holds(codes.get(row as usize))).collect();
        if rows.is_empty() {
            continue;
        }
        let histogram = valued(table.column(focused), &rows, n_codes);
        let cuts = adjust(&leaf.cuts, &part.cuts, &histogram);
        let when = leaf.context.when.iter().cloned().chain([condition.clone()]).collect();
        children.push(PaperContext { context: ContextRows { when, rows }, histogram, cuts });
    }
    if children.iter().any(|child| held(child) < least) { vec![leaf.clone()] } else { children }
}
