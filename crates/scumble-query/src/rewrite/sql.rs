//! Pieces of SQL.

use crate::columns::Columns;
use crate::context::QueryContext;
use crate::question::AskedAggregate;
use scumble_release::Extent;
use scumble_table::Kind;

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

/// Identifiers in a list.
pub(crate) fn quoted_names<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    names.into_iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// A text literal.
pub(crate) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The columns of GROUP BY, which go by numbers inside a statement so that nothing else can have their names.
pub(super) struct Keys(Vec<String>);

impl Keys {
    pub(super) fn new(context: QueryContext<'_>) -> Keys {
        Keys(context.question.keys.iter().map(|&at| context.columns.name(at).to_string()).collect())
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

    /// A clause over `key_1, key_2`, from a table where one is given; empty without keys.
    pub(super) fn clause(&self, before: &str, table: &str, after: &str) -> String {
        match self.inner(table).trim_end_matches(", ") {
            "" => String::new(),
            list => format!("{before}{list}{after}"),
        }
    }

    /// GROUP BY and ORDER BY at the end of a statement.
    pub(super) fn ending(&self, table: &str) -> String {
        self.clause("\nGROUP BY ", table, "") + &self.order(table)
    }

    /// ORDER BY at the end of a statement.
    pub(super) fn order(&self, table: &str) -> String {
        self.clause("\nORDER BY ", table, "")
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
}

/// A column of the answer.
pub(super) fn heading(asked: &AskedAggregate, end: &str) -> String {
    quoted(&format!("{} {end}", asked.label))
}

/// The two columns of an aggregate.
pub(super) fn ends(asked: &AskedAggregate, lower: &str, upper: &str) -> String {
    format!("{lower} AS {},\n    {upper} AS {}", heading(asked, "lower"), heading(asked, "upper"))
}

/// The number that an aggregate looks at. Labels in an order, which engines would sort by the alphabet, go by their places.
pub(super) struct Operand<'a> {
    /// The quoted column; none for COUNT(*).
    pub(super) column: Option<String>,
    labels: Option<&'a [String]>,
}

impl<'a> Operand<'a> {
    pub(super) fn new(asked: &AskedAggregate, columns: &'a Columns) -> Operand<'a> {
        let column = asked.column.map(|at| columns.get(at));
        let labels = match column.map(|column| (column.kind(), column.extent())) {
            Some((Kind::Ordinal, Extent::Labels(labels))) => Some(labels.as_slice()),
            _ => None,
        };
        Operand { column: column.map(|column| quoted(column.name())), labels }
    }

    /// The number.
    pub(super) fn number(&self) -> String {
        let column = self.column.as_deref().unwrap_or("0");
        self.case(column, |at, label| format!(" WHEN {} THEN {at}", text(label)))
    }

    /// A number in the terms of the column.
    pub(super) fn shown(&self, number: &str) -> String {
        self.case(number, |at, label| format!(" WHEN {at} THEN {}", text(label)))
    }

    fn case(&self, expression: &str, arm: impl Fn(usize, &str) -> String) -> String {
        let Some(labels) = self.labels else { return expression.to_string() };
        let arms: String = labels.iter().enumerate().map(|(at, label)| arm(at, label)).collect();
        format!("CASE {expression}{arms} END")
    }
}
