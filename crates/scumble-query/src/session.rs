//! A release that questions can be put to.

use crate::angel::BatchIndex;
use crate::answer::QueryAnswer;
use crate::boxes::BoxIndex;
use crate::columns::Columns;
use crate::context::QueryContext;
use crate::engine::{self, Engine};
use crate::people::PeopleIndex;
use crate::question::{self, Question};
use crate::rewrite::{Dialect, ExactRelease, IdentifiedBy, over_batches, over_boxes, over_people};
use crate::sql_names::SqlNames;
use datafusion_sql::sqlparser::ast::{BinaryOperator, Expr, visit_expressions};
use scumble_answer::Confidence;
use scumble_release::{Generalized, PublishedTables, ReleaseData, ReleaseReader};
use scumble_table::{Error, Monitor, Result};
use std::ops::ControlFlow;
use std::path::Path;

/// A release that was read whole and found to be the one that was published.
pub struct Session {
    release: ReleaseReader,
    columns: Columns,
    engine: Engine,
    index: Index,
}

/// The tables, ready for questions.
enum Index {
    People(PeopleIndex),
    Boxes(BoxIndex),
    Batches(BatchIndex),
}

impl Session {
    /// Reads a release.
    ///
    /// # Errors
    /// If there is none, or if a table is missing, cut or altered.
    pub fn open(dir: &Path, monitor: Monitor<'_>) -> Result<Session> {
        Ok(Session::new(ReleaseData::read(ReleaseReader::peek(dir)?, monitor)?))
    }

    /// A session over a release that was read.
    pub fn new(release: ReleaseData) -> Session {
        let (release, tables) = release.into_parts();
        let columns = Columns::new(release.columns());
        let index = match tables {
            PublishedTables::Exact(people) => Index::People(PeopleIndex::new(people)),
            PublishedTables::Generalized(boxed) => Index::Boxes(BoxIndex::new(boxed)),
            PublishedTables::Angel(angel) => Index::Batches(BatchIndex::new(angel)),
        };
        Session { release, columns, engine: Engine::new(), index }
    }

    /// The release itself.
    pub fn release(&self) -> &ReleaseReader {
        &self.release
    }

    /// Answers a question.
    ///
    /// # Errors
    /// If it is not one that the release can answer; the message says why and what can be asked.
    pub fn ask(&self, sql: &str, confidence: Option<Confidence>) -> Result<QueryAnswer> {
        self.ask_monitored(sql, confidence, Monitor::silent())
    }

    /// The same for a question that may be cancelled.
    ///
    /// # Errors
    /// As [`ask`](Session::ask), and [`Error::Cancelled`].
    pub fn ask_monitored(
        &self,
        sql: &str,
        confidence: Option<Confidence>,
        monitor: Monitor<'_>,
    ) -> Result<QueryAnswer> {
        let question = question::read(sql, &self.columns)?;
        let context = QueryContext { monitor, ..self.context(&question) };
        let answer = match &self.index {
            Index::People(people) => people.answer(context, confidence),
            Index::Boxes(boxes) => boxes.answer(context, confidence),
            Index::Batches(batches) => batches.answer(context, confidence),
        };
        monitor.conclude(answer)
    }

    /// The table of boxes that a question is put to, where the release has several of them.
    ///
    /// # Errors
    /// If it is not a question that the release can answer.
    pub fn table(&self, sql: &str) -> Result<Option<String>> {
        let question = question::read(sql, &self.columns)?;
        match &self.index {
            Index::Batches(batches) => Ok(Some(batches.table(&question, &self.columns)?.to_string())),
            Index::People(_) | Index::Boxes(_) => Ok(None),
        }
    }

    /// The statements over the published tables that give the bounds of an answer, and for counts and sums over an angel
    /// release its estimate.
    ///
    /// # Errors
    /// As [`ask`](Session::ask), and where no statement can tell.
    pub fn rewrite(&self, sql: &str, dialect: Dialect) -> Result<Vec<String>> {
        let question = question::read(sql, &self.columns)?;
        for condition in question.people.iter().chain(&question.sensitive) {
            self.check(condition, dialect)?;
        }
        let context = self.context(&question);
        let names = SqlNames::of_dialect(self.release.manifest(), dialect);
        match &self.index {
            Index::People(people) => {
                let has_null = |name: &str| people.has_null(name);
                let release = ExactRelease { manifest: self.release.manifest(), has_null: &has_null };
                over_people(context, &release, dialect)
            }
            Index::Boxes(boxes) => {
                let conditions = boxes.conditions(context, IdentifiedBy::Group)?;
                over_boxes(context, &names.of(Generalized::TABLE), &conditions, dialect)
            }
            Index::Batches(batches) => {
                let (table, conditions) = batches.conditions(context)?;
                over_batches(context, &names.of(table), &conditions, dialect)
            }
        }
    }

    fn context<'a>(&'a self, question: &'a Question) -> QueryContext<'a> {
        QueryContext { question, columns: &self.columns, engine: &self.engine, monitor: Monitor::silent() }
    }

    /// A condition that is put to another engine must make sense here, and mean the same there.
    fn check(&self, condition: &Expr, dialect: Dialect) -> Result<()> {
        let arrays = question::columns_of(condition, &self.columns).into_iter();
        let arrays: Vec<_> = arrays.map(|at| (self.columns.name(at), engine::empty(self.columns.get(at)))).collect();
        self.engine.compile(condition, &engine::batch(arrays, 0)?.schema())?;
        let divides = visit_expressions(condition, |expr| match expr {
            Expr::BinaryOp { op: BinaryOperator::Divide, .. } => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        if divides.is_break() && matches!(dialect, Dialect::DuckDb | Dialect::Ansi) {
            let reason = "engines disagree on what is left of a quotient of whole numbers";
            return Err(Error::request("condition", condition.to_string(), reason)
                .hint("compare without dividing: age >= 30 AND age < 40 for age / 10 = 3"));
        }
        Ok(())
    }
}
