//! Pieces of SQL.

use crate::columns::Columns;
use crate::question::{Asked, Question};

/// The SQL of an engine. Statements keep to what all of them know; what is left is the name of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// DataFusion.
    DataFusion,
    /// PostgreSQL.
    Postgres,
    /// DuckDB.
    DuckDb,
    /// Standard SQL.
    Ansi,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 4] = [Dialect::DataFusion, Dialect::Postgres, Dialect::DuckDb, Dialect::Ansi];

    /// A quotient of two expressions as a float.
    pub(super) fn quotient(self, numer: &str, denom: &str) -> String {
        format!("{} / {}", self.float(numer), self.float(denom))
    }

    /// An expression as a float.
    pub(super) fn float(self, expression: &str) -> String {
        let float = match self {
            Dialect::DataFusion | Dialect::DuckDb => "DOUBLE",
            Dialect::Postgres | Dialect::Ansi => "DOUBLE PRECISION",
        };
        format!("CAST({expression} AS {float})")
    }
}

/// An identifier.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text literal.
pub(crate) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The columns of GROUP BY, which go by numbers inside a statement so that nothing else can bear their names.
pub(super) struct Keys(Vec<String>);

impl Keys {
    pub(super) fn of(question: &Question, columns: &Columns) -> Keys {
        Keys(question.keys.iter().map(|&at| columns.name(at).to_string()).collect())
    }

    /// `p."sex" AS key_1, `
    pub(super) fn selected(&self, table: &str) -> String {
        let each = self.0.iter().enumerate();
        each.map(|(i, name)| format!("{table}.{} AS key_{}, ", quoted(name), i + 1)).collect()
    }

    /// `p."sex", `
    pub(super) fn grouped(&self, table: &str) -> String {
        self.0.iter().map(|name| format!("{table}.{}, ", quoted(name))).collect()
    }

    /// `key_1, `, from a table where one is given.
    pub(super) fn inner(&self, table: &str) -> String {
        (1..=self.0.len()).map(|i| format!("{table}key_{i}, ")).collect()
    }

    /// `key_1 AS "sex", `
    pub(super) fn outer(&self, table: &str) -> String {
        let each = self.0.iter().enumerate();
        each.map(|(i, name)| format!("{table}key_{} AS {}, ", i + 1, quoted(name))).collect()
    }

    /// GROUP BY and ORDER BY at the end of a statement; nothing without keys.
    pub(super) fn ending(&self, table: &str) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let list = self.inner(table);
        let list = list.trim_end_matches(", ");
        format!("\nGROUP BY {list}\nORDER BY {list}")
    }

    /// Both tables have the same keys; null is one of them.
    pub(super) fn same(&self, left: &str, right: &str) -> String {
        if self.0.is_empty() {
            return "1 = 1".into();
        }
        let alike = |i: usize| {
            let (a, b) = (format!("{left}key_{i}"), format!("{right}key_{i}"));
            format!("({a} = {b} OR ({a} IS NULL AND {b} IS NULL))")
        };
        (1..=self.0.len()).map(alike).collect::<Vec<_>>().join(" AND ")
    }

    /// ORDER BY at the end of a statement; nothing without keys.
    pub(super) fn order(&self, table: &str) -> String {
        match self.inner(table).trim_end_matches(", ") {
            "" => String::new(),
            list => format!("\nORDER BY {list}"),
        }
    }

    /// `PARTITION BY key_1 `
    pub(super) fn partition(&self) -> String {
        match self.inner("").trim_end_matches(", ") {
            "" => String::new(),
            list => format!("PARTITION BY {list} "),
        }
    }
}

/// A column of the answer.
pub(super) fn heading(asked: &Asked, end: &str) -> String {
    quoted(&format!("{} {end}", asked.label))
}

/// The two columns of an aggregate.
pub(super) fn ends(asked: &Asked, lower: &str, upper: &str) -> String {
    format!("{lower} AS {},\n    {upper} AS {}", heading(asked, "lower"), heading(asked, "upper"))
}
