//! Which people a condition chooses.
//!
//! What names one column is judged once for each of its values; rows then only look up bits, as in the rules of a job. A
//! condition that compares columns with each other, or that fails for a value, is put to the rows themselves.

use super::PeopleIndex;
use super::tally::ChosenRows;
use crate::columns::place_of;
use crate::condition_tree::{Atom, ConditionTree};
use crate::context::QueryContext;
use crate::engine;
use arrow_array::{Array, BooleanArray};
use datafusion_sql::sqlparser::ast::Expr;
use rayon::prelude::*;
use scumble_table::{Code, CodeBits, Codes, Result, RowMask};
use std::sync::Arc;

/// Rows that a condition is put to at once: whole words of a mask.
const BATCH: usize = 1 << 16;

impl PeopleIndex {
    /// Which people the question chooses.
    pub(super) fn chosen_rows(&self, context: QueryContext<'_>) -> Result<ChosenRows> {
        let Some(condition) = &context.question.people else { return Ok(ChosenRows::All(self.n_rows)) };
        let mut atoms = Vec::new();
        let tree = ConditionTree::new(condition, context.columns, &mut atoms);
        context.monitor.check()?;
        let judged = atoms.iter().map(|atom| self.truth_by_code(atom, context)).collect::<Result<Option<Vec<_>>>>();
        let Ok(Some(judged)) = judged else { return self.chosen_row_by_row(condition, context) };
        let formula = tree.formula(&|at, wanted| {
            let (column, truth) = &judged[at];
            let bits = (0..truth.len()).map(|code| truth.is_valid(code) && truth.value(code) == wanted).collect();
            CodeBits { column: *column, bits }
        });
        let codes: Vec<&Codes> = self.people.iter().map(|column| &column.codes).collect();
        Ok(ChosenRows::Some(formula.matching(&codes, &RowMask::all(self.n_rows))))
    }

    /// The truth of a condition on one column for each of its codes, with the place of the column; nothing for another
    /// condition.
    fn truth_by_code(&self, atom: &Atom, context: QueryContext<'_>) -> Result<Option<(usize, BooleanArray)>> {
        let [column] = atom.columns[..] else { return Ok(None) };
        let place = place_of(&self.people, context.columns.name(column))?;
        let domain = &self.people[place].domain;
        let batch =
            context.batch(&atom.expr, domain.n_codes(), |_| engine::array(domain, 0..domain.n_codes() as Code))?;
        Ok(Some((place, context.engine.judge(&atom.expr, &batch)?)))
    }

    fn chosen_row_by_row(&self, condition: &Expr, context: QueryContext<'_>) -> Result<ChosenRows> {
        let whole = context.batch(condition, self.n_rows, |name| {
            let place = place_of(&self.people, name)?;
            if let Some(known) = self.arrays[place].get() {
                return Ok(Arc::clone(known));
            }
            let array = engine::array(&self.people[place].domain, self.people[place].codes.iter())?;
            Ok(Arc::clone(self.arrays[place].get_or_init(|| array)))
        })?;
        let condition = context.engine.compile(condition, &whole.schema())?;
        let starts: Vec<usize> = (0..self.n_rows).step_by(BATCH).collect();
        let words = starts.into_par_iter().map(|start| {
            context.monitor.check()?;
            let truth = condition.evaluate(&whole.slice(start, BATCH.min(self.n_rows - start)))?;
            Ok(words_of(&truth))
        });
        let words: Vec<Vec<u64>> = words.collect::<Result<_>>()?;
        Ok(ChosenRows::Some(RowMask::from_words(words.concat(), self.n_rows)))
    }
}

/// A bit for each row for which a condition is true.
fn words_of(truth: &BooleanArray) -> Vec<u64> {
    let mut words = vec![0u64; truth.len().div_ceil(64)];
    for row in truth.values().set_indices().filter(|&row| truth.is_valid(row)) {
        words[row / 64] |= 1 << (row % 64);
    }
    words
}
