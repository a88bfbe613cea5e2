//! What the tables of a release are called in a database.
//!
//! Files are called `table.csv` and `marginal-age-sex.csv`, and in SQL the first is a word of the language and the second a
//! difference. A database gets names that need no quotes where those of the columns need none.

use crate::rewrite::Dialect;
use scumble_release::{Angel, Generalized, Manifest};

/// The names of tables, each with its name in SQL.
pub(crate) struct SqlNames(Vec<(String, String)>);

impl SqlNames {
    /// The names in a database that a release was exported to.
    pub(crate) fn exported(manifest: &Manifest) -> SqlNames {
        let mut names: Vec<(String, String)> = Vec::new();
        for table in &manifest.tables {
            let plain = plain(&table.name);
            let numbered = (2..).map(|n| format!("{plain}_{n}"));
            let is_free = |name: &String| names.iter().all(|(_, taken)| taken != name);
            let name = std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or_default();
            names.push((table.name.clone(), name));
        }
        SqlNames(names)
    }

    /// The names in statements of a dialect. DataFusion and DuckDB read the files of a release, which go by their own names; the
    /// other statements ask a database that the release was exported to.
    pub(crate) fn of_dialect(manifest: &Manifest, dialect: Dialect) -> SqlNames {
        match dialect {
            Dialect::DataFusion | Dialect::DuckDb => SqlNames(Vec::new()),
            Dialect::Postgres | Dialect::Ansi => SqlNames::exported(manifest),
        }
    }

    /// The name of a table of the release; what is no such table keeps its name.
    pub(crate) fn of(&self, table: &str) -> String {
        self.0.iter().find(|(known, _)| known == table).map_or(table, |(_, name)| name).to_string()
    }

    /// All names in SQL.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(_, name)| name)
    }
}

/// A name that needs no quotes because of what it says besides names of columns.
pub(crate) fn plain(name: &str) -> String {
    if name == Generalized::TABLE { Angel::GENERALIZED.into() } else { name.replace('-', "_") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_release::{Method, TableEntry};

    #[test]
    fn names_needed_quotes_that_the_names_of_columns_do_not() {
        let mut manifest = Manifest::new(Method::Angel, "angel");
        let names = ["table", "marginal-a-b", "marginal-a_b", "marginal-a_b_2", "st"];
        manifest.tables = names
            .map(|name| TableEntry { name: name.into(), file: String::new(), rows: 0, sha256: String::new() })
            .to_vec();
        let exported = SqlNames::exported(&manifest);
        assert_eq!(
            names.map(|name| exported.of(name)),
            ["generalized", "marginal_a_b", "marginal_a_b_2", "marginal_a_b_2_2", "st"]
        );
        assert_eq!((exported.of("range_age").as_str(), exported.all().count()), ("range_age", 5));
        assert_eq!(SqlNames::of_dialect(&manifest, Dialect::DataFusion).of("table"), "table");
    }
}
