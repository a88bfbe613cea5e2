//! The paper's own way to contexts (algorithm 4): the attribute that goes most strongly with the focused one divides
//! the rows; each further one, in the order of its strength, divides every context that is large enough, and the
//! domains of both are adjusted to each other.

use super::adjust::adjust;
use super::bins::Bins;
use super::contexts::{ContextRows, divide, histogram, valued};
use super::cuts::Rule;
use super::nesting::{LevelCuts, refine};
use rayon::prelude::*;
use scumble_table::{Code, Table};

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
) -> Vec<PaperContext> {
    let everyone: Vec<u32> = (0..table.n_rows() as u32).collect();
    let whole = of_rows(table, focused, shared, least, ContextRows { when: Vec::new(), rows: everyone });
    let mut leaves = vec![whole.clone()];
    for (nth, &column) in given.iter().enumerate() {
        let parts = values(table, focused, column, &whole, shared, least);
        if nth == 0 {
            leaves = parts.into_iter().filter(|part| held(part) >= least).collect();
            continue;
        }
        leaves = leaves.iter().flat_map(|leaf| adjusted(table, focused, column, leaf, &parts, least)).collect();
    }
    leaves
}

/// Rows with a focused value.
fn held(part: &PaperContext) -> u64 {
    part.histogram.iter().sum()
}

fn of_rows(table: &Table, focused: usize, shared: &[Code], least: u64, context: ContextRows) -> PaperContext {
    let n_codes = table.attribute(focused).domain.n_codes();
    let histogram = valued(table.column(focused), &context.rows, n_codes);
    let cuts = refine(&histogram, shared, None, least, Rule::Sweep);
    PaperContext { context, histogram, cuts }
}

/// One context for each value of a column, by itself.
fn values(
    table: &Table,
    focused: usize,
    column: usize,
    whole: &PaperContext,
    shared: &[Code],
    least: u64,
) -> Vec<PaperContext> {
    let domain = &table.attribute(column).domain;
    let bins = Bins::given(domain, &histogram(table.column(column), &whole.context.rows, domain.n_codes()));
    let all: Vec<usize> = (0..bins.len()).collect();
    let parts = divide(table, &whole.context, column, &bins, &all);
    parts.into_par_iter().map(|part| of_rows(table, focused, shared, least, part)).collect()
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
