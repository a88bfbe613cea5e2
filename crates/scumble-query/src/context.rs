//! A question with all that its conditions are judged by.

use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::{Question, columns_of};
use arrow_array::{Array, ArrayRef, RecordBatch};
use datafusion_sql::sqlparser::ast::Expr;
use scumble_table::{Monitor, Result};

/// A question, the columns that it may name, the engine that judges its conditions, and what stops the work.
#[derive(Clone, Copy)]
pub(crate) struct QueryContext<'a> {
    pub(crate) question: &'a Question,
    pub(crate) columns: &'a Columns,
    pub(crate) engine: &'a Engine,
    pub(crate) monitor: Monitor<'a>,
}

impl QueryContext<'_> {
    /// The columns of a condition, of `n_rows` rows each; `array` gives the values of a column by its name.
    pub(crate) fn batch(
        &self,
        condition: &Expr,
        n_rows: usize,
        array: impl Fn(&str) -> Result<ArrayRef>,
    ) -> Result<RecordBatch> {
        let names = columns_of(condition, self.columns).into_iter().map(|at| self.columns.name(at));
        engine::batch(names.map(|name| Ok((name, array(name)?))).collect::<Result<_>>()?, n_rows)
    }

    /// Which of `n_rows` rows satisfy a condition. Unknown is not true.
    pub(crate) fn satisfied(
        &self,
        condition: &Expr,
        n_rows: usize,
        array: impl Fn(&str) -> Result<ArrayRef>,
    ) -> Result<Vec<bool>> {
        self.monitor.check()?;
        let truth = self.engine.judge(condition, &self.batch(condition, n_rows, array)?)?;
        Ok((0..n_rows).map(|row| truth.is_valid(row) && truth.value(row)).collect())
    }
}
