//! A release that questions can be put to.

use crate::angel::Batches;
use crate::answer::QueryAnswer;
use crate::boxes::Rows;
use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::people::PeopleIndex;
use crate::question;
use crate::rewrite::{Dialect, Published, ToldBy, over_batches, over_boxes, over_people};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, visit_expressions};
use scumble_answer::Confidence;
use scumble_release::{PublishedTables, ReleaseData, ReleaseReader};
use scumble_table::{Error, Monitor, Result};
use std::ops::ControlFlow;
use std::path::Path;

/// A release that was read whole and found to be the one that was published.
pub struct Session {
    release: ReleaseReader,
    columns: Columns,
    engine: Engine,
    data: Data,
}

enum Data {
    People(PeopleIndex),
    Boxes(Rows),
    Batches(Batches),
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
        let (release, data) = release.into_parts();
        let columns = Columns::new(release.columns());
        let data = match data {
            PublishedTables::Exact(people) => Data::People(PeopleIndex::new(people)),
            PublishedTables::Generalized(boxed) => Data::Boxes(Rows::new(boxed)),
            PublishedTables::Angel(angel) => Data::Batches(Batches::new(angel)),
        };
        Session { release, columns, engine: Engine::new(), data }
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
        let question = question::read(sql, &self.columns)?;
        match &self.data {
            Data::People(crowd) => crowd.answer(&question, &self.columns, &self.engine, confidence),
            Data::Boxes(rows) => rows.answer(&question, &self.columns, &self.engine, confidence),
            Data::Batches(batches) => batches.answer(&question, &self.columns, &self.engine, confidence),
        }
    }

    /// The table of boxes that a question is put to, where the release has several of them.
    ///
    /// # Errors
    /// If it is not a question that the release can answer.
    pub fn table(&self, sql: &str) -> Result<Option<String>> {
        let question = question::read(sql, &self.columns)?;
        match &self.data {
            Data::Batches(batches) => Ok(Some(batches.table(&question, &self.columns)?.to_string())),
            Data::People(_) | Data::Boxes(_) => Ok(None),
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
        match &self.data {
            Data::People(crowd) => {
                let has_null = |name: &str| crowd.has_null(name);
                let published =
                    Published { manifest: self.release.manifest(), columns: &self.columns, has_null: &has_null };
                over_people(&question, &published, dialect)
            }
            Data::Boxes(rows) => {
                let conditions = rows.conditions(&question, &self.columns, &self.engine, ToldBy::Group)?;
                over_boxes(&question, &conditions, &self.columns, dialect)
            }
            Data::Batches(batches) => {
                let (table, conditions) = batches.conditions(&question, &self.columns, &self.engine)?;
                over_batches(&question, table, &conditions, &self.columns, dialect)
            }
        }
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
