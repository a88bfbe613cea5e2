//! The statements that make a release's schema. Every name is quoted and every table is called by its schema.

use crate::export::functions::Function;
use crate::export::names::derived;
use crate::export::people::People;
use crate::export::sheet::{Sheet, SheetColumn, SqlType};
use crate::rewrite::{quoted, text};
use scumble_release::TUPLE;

/// The table by which a schema is known to hold a release.
pub(super) const RELEASE: &str = "scumble_release";

/// Names things of one schema.
pub(super) struct Ddl<'a> {
    pub(super) schema: &'a str,
}

impl Ddl<'_> {
    /// A table, view or function of the schema.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{}", quoted(self.schema), quoted(name))
    }

    /// The table that tells which release it is.
    pub(super) fn release(&self) -> String {
        let table = self.name(RELEASE);
        format!(
            "CREATE TABLE {table} (\n    \"sha256\" TEXT PRIMARY KEY,\n    \"manifest\" JSON NOT NULL,\n    \
             \"kinds\" TEXT[] NOT NULL,\n    \"names\" TEXT[] NOT NULL\n);\n{}{}{}{}",
            comment(
                &format!("TABLE {table}"),
                "the release in this schema, as its manifest describes it; written by scumble export"
            ),
            comment(&format!("COLUMN {table}.\"sha256\""), "checksum of the manifest, by which the release is known"),
            comment(&format!("COLUMN {table}.\"manifest\""), "what the release says about itself"),
            comment(
                &format!("COLUMN {table}.\"names\""),
                "all that belongs to the release, and may go when it is replaced"
            ),
        )
    }

    /// A table without keys, for rows to be loaded into.
    pub(super) fn table(&self, sheet: &Sheet) -> String {
        let table = self.name(&sheet.name);
        let columns: Vec<String> = sheet.columns.iter().map(|column| format!("    {}", declared(column))).collect();
        let mut sql = format!("CREATE TABLE {table} (\n{}\n);\n", columns.join(",\n"));
        sql.push_str(&comment(&format!("TABLE {table}"), &sheet.about));
        for column in &sheet.columns {
            sql.push_str(&comment(&format!("COLUMN {table}.{}", quoted(&column.name)), &column.about));
        }
        sql
    }

    /// Keys and indexes, once the rows are there. `taken` are the names of the schema so far.
    pub(super) fn keys(&self, sheet: &Sheet, taken: &mut Vec<String>) -> String {
        let table = self.name(&sheet.name);
        let mut sql = String::new();
        if !sheet.key.is_empty() {
            let columns: Vec<String> = sheet.key.iter().map(|name| quoted(name)).collect();
            let name = derived("", &sheet.name, "_key", taken);
            sql.push_str(&format!(
                "ALTER TABLE {table} ADD CONSTRAINT {} PRIMARY KEY ({});\n",
                quoted(&name),
                columns.join(", ")
            ));
        }
        if let Some(people) = &sheet.tuples_of {
            sql.push_str(&format!(
                "ALTER TABLE {table} ADD FOREIGN KEY ({0}) REFERENCES {1} ({0});\n",
                quoted(TUPLE),
                self.name(people)
            ));
        }
        for column in &sheet.indexes {
            let name = derived(&format!("{}_", sheet.name), column, "_index", taken);
            sql.push_str(&format!("CREATE INDEX {} ON {table} ({});\n", quoted(&name), quoted(column)));
        }
        sql.push_str(&format!("ANALYZE {table};\n"));
        sql
    }

    /// A view of people.
    pub(super) fn people(&self, people: &People) -> String {
        let view = self.name(&people.name);
        let mut sql = format!("CREATE VIEW {view} AS\n{};\n", people.select(&|name| self.name(name)));
        sql.push_str(&comment(&format!("VIEW {view}"), &people.about));
        for (_, title, about) in &people.columns {
            sql.push_str(&comment(&format!("COLUMN {view}.{}", quoted(title)), about));
        }
        sql
    }

    /// A function that gives bounds.
    pub(super) fn function(&self, function: &Function) -> String {
        let typed = |list: &[(&str, &str)]| {
            list.iter().map(|(name, kind)| format!("{} {kind}", quoted(name))).collect::<Vec<_>>().join(", ")
        };
        let name = self.name(&function.name);
        let arguments: Vec<&str> = function.arguments.iter().map(|(_, kind)| *kind).collect();
        format!(
            "CREATE FUNCTION {name}({}) RETURNS TABLE ({})\nLANGUAGE sql STABLE PARALLEL SAFE\nAS {};\n{}",
            typed(&function.arguments),
            typed(&function.returns),
            text(&self.body(function)),
            comment(&format!("FUNCTION {name}({})", arguments.join(", ")), &function.about)
        )
    }

    /// The body of a function.
    pub(super) fn body(&self, function: &Function) -> String {
        function.body(&|name| self.name(name))
    }
}

fn declared(column: &SheetColumn) -> String {
    let kind = match column.sql {
        SqlType::Integer => "INTEGER".to_string(),
        SqlType::BigInt => "BIGINT".to_string(),
        SqlType::Numeric { digits, scale } => format!("NUMERIC({digits}, {scale})"),
        SqlType::NumericEnd { .. } => "NUMERIC".to_string(),
        SqlType::Date => "DATE".to_string(),
        // Labels compare by their bytes wherever the database is at home, as in answers of `query`.
        SqlType::Text { .. } => "TEXT COLLATE \"C\"".to_string(),
    };
    format!("{} {kind}{}", quoted(&column.name), if column.not_null { " NOT NULL" } else { "" })
}

fn comment(what: &str, about: &str) -> String {
    format!("COMMENT ON {what} IS {};\n", text(about))
}
