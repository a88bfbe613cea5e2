//! People who are known to exist, by what is known of them: the population that the people of a table come from.

use crate::{Codes, Error, NULL, Result};
use std::fmt;

/// A population: for each of its people the texts of some columns. Nothing of it is ever published; it only tells how many people a
/// box covers.
#[derive(Clone)]
pub struct Population {
    columns: Vec<PopulationColumn>,
    n_rows: usize,
}

/// One column of a population.
#[derive(Clone)]
pub struct PopulationColumn {
    /// Its name, which is that of a column of the table.
    pub name: String,
    /// The texts that occur, by their code less one.
    pub texts: Vec<Box<str>>,
    /// The text of each person; null where there is none.
    pub codes: Codes,
}

impl Population {
    /// Its columns.
    pub fn columns(&self) -> &[PopulationColumn] {
        &self.columns
    }

    /// Checks that all columns have a text, or null, for each person.
    ///
    /// # Errors
    /// If they do not, or somebody has a text that is not there.
    pub fn new(columns: Vec<PopulationColumn>, n_rows: usize) -> Result<Self> {
        for column in &columns {
            let most = column.codes.iter().max().unwrap_or(NULL) as usize;
            if column.codes.len() != n_rows || most > column.texts.len() {
                return Err(Error::bug("a column of a population does not fit"));
            }
        }
        if u32::try_from(n_rows).is_err() {
            return Err(Error::request("population", n_rows.to_string(), "a population holds at most 4294967295 rows"));
        }
        Ok(Population { columns, n_rows })
    }

    /// A column by name.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn column(&self, name: &str) -> Result<&PopulationColumn> {
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| {
            Error::request("population", name, "the population has no such column")
                .hint("it needs every quasi-identifier, under the name that the data has for it")
        })
    }

    /// Number of people.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }
}

impl PopulationColumn {
    /// The text behind a code; nothing for null.
    pub fn text(&self, code: crate::Code) -> Option<&str> {
        self.texts.get((code as usize).checked_sub(1)?).map(|text| &**text)
    }
}

impl fmt::Debug for Population {
    /// Shows nothing of anybody.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Population").field("n_rows", &self.n_rows).finish_non_exhaustive()
    }
}

impl fmt::Debug for PopulationColumn {
    /// Shows nothing of anybody.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PopulationColumn").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], codes: &[u32]) -> PopulationColumn {
        let texts = texts.iter().map(|&text| text.into()).collect();
        PopulationColumn { name: "age".into(), texts, codes: codes.iter().copied().collect() }
    }

    #[test]
    fn columns_fit_or_are_refused() {
        let population = Population::new(vec![column(&["30", "40"], &[1, 0, 2])], 3).unwrap();
        let age = population.column("age").unwrap();
        assert_eq!((age.text(1), age.text(2), age.text(0), age.text(3)), (Some("30"), Some("40"), None, None));
        assert!(population.column("sex").unwrap_err().to_string().contains("no such column"));
        assert!(Population::new(vec![column(&["30"], &[1, 2])], 2).is_err());
        assert!(Population::new(vec![column(&["30"], &[1])], 2).is_err());
        assert!(!format!("{population:?} {age:?}").contains("30"));
    }
}
