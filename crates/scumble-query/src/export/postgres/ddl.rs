//! The statements that make a release's schema. Every name is quoted and every table is called by its schema.

use crate::export::functions::Function;
use crate::export::names::derived;
use crate::export::people_view::PeopleView;
use crate::export::sheet::{ExportTable, SqlType};
use crate::rewrite::{quoted, quoted_names, text};
use scumble_release::TUPLE;

/// The table by which a schema is known to hold a release.
pub(super) const RELEASE: &str = "scumble_release";

/// Names things of one schema.
pub(super) struct SchemaStatements<'a> {
    pub(super) schema: &'a str,
}

impl SchemaStatements<'_> {
    /// A table, view or function of the schema.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{}", quoted(self.schema), quoted(name))
    }

    /// The table that tells which release it is.
    pub(super) fn release(&self) -> String {
        let table = self.name(RELEASE);
        let mut sql = format!(
            "CREATE TABLE {table} (\n    \"sha256\" TEXT PRIMARY KEY,\n    \"manifest\" JSON NOT NULL,\n    \
             \"kinds\" TEXT[] NOT NULL,\n    \"names\" TEXT[] NOT NULL\n);\n"
        );
        let about = "the release in this schema, as its manifest describes it; written by scumble export";
        sql.push_str(&comment(&format!("TABLE {table}"), about));
        for (column, about) in [
            ("sha256", "checksum of the manifest, by which the release is known"),
            ("manifest", "what the release says about itself"),
            ("names", "all that belongs to the release, and may go when it is replaced"),
        ] {
            sql.push_str(&comment(&format!("COLUMN {table}.{}", quoted(column)), about));
        }
        sql
    }

    /// A table without keys, for rows to be loaded into.
    pub(super) fn table(&self, sheet: &ExportTable) -> String {
        let table = self.name(&sheet.name);
        // Labels compare by their bytes wherever the database is at home, as in answers of `query`.
        let own = |sql| matches!(sql, SqlType::Text { .. }).then(|| "TEXT COLLATE \"C\"".to_string());
        let columns: Vec<String> = sheet.columns.iter().map(|column| column.declaration(own)).collect();
        let mut sql = format!("CREATE TABLE {table} (\n    {}\n);\n", columns.join(",\n    "));
        sql.push_str(&comment(&format!("TABLE {table}"), &sheet.about));
        for column in &sheet.columns {
            sql.push_str(&comment(&format!("COLUMN {table}.{}", quoted(&column.name)), &column.about));
        }
        sql
    }

    /// Keys and indexes, once the rows are there. `taken` are the names of the schema so far.
    pub(super) fn keys(&self, sheet: &ExportTable, taken: &mut Vec<String>) -> String {
        let table = self.name(&sheet.name);
        let mut sql = String::new();
        if !sheet.key.is_empty() {
            let (name, columns) = (derived("", &sheet.name, "_key", taken), quoted_names(&sheet.key));
            sql.push_str(&format!("ALTER TABLE {table} ADD CONSTRAINT {} PRIMARY KEY ({columns});\n", quoted(&name)));
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
    pub(super) fn people(&self, people: &PeopleView) -> String {
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

fn comment(what: &str, about: &str) -> String {
    format!("COMMENT ON {what} IS {};\n", text(about))
}
