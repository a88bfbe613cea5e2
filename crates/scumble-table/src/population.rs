//! People who are known to exist, by what is known of them: the population that the people of a table come from.

use crate::{Codes, Counted, Error, NULL, Persons, Result};
use std::fmt;

/// A population: for each of its people the texts of some columns. Nothing of it is ever published; it only tells how many people a
/// box covers.
#[derive(Clone)]
pub struct Population {
    columns: Vec<PopulationColumn>,
    n_rows: usize,
    /// Whose each row is, where that is known and somebody has several.
    persons: Option<Persons>,
    counted: Counted,
}

/// How many people of a population are in each class of its rows.
#[derive(Debug)]
pub struct PeopleOfClasses {
    /// People all of whose rows are in the class.
    pub alone: Vec<u32>,
    /// Pairs of a person and a class of those who are in several classes, sorted. Their numbers are below `n_spread`.
    pub spread: Vec<(u32, u32)>,
    /// How many people are in several classes.
    pub n_spread: usize,
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
        Ok(Population { columns, n_rows, persons: None, counted: Counted::People })
    }

    /// The same where rows may be of the same person: each person counts once in a box, however many of their rows lie there.
    ///
    /// # Errors
    /// If they are the persons of other rows.
    pub fn with_persons(self, persons: Persons) -> Result<Self> {
        if persons.of_rows().len() != self.n_rows {
            return Err(Error::bug("the persons of a population do not fit"));
        }
        Ok(Population { persons: Some(persons).filter(Persons::repeat), counted: Counted::People, ..self })
    }

    /// The same where nothing says whose its rows are although people may have several: rows are counted, and called rows.
    #[must_use]
    pub fn by_rows(self) -> Self {
        Population { persons: None, counted: Counted::Rows, ..self }
    }

    /// Who is counted: people, of whom every row stands for one unless it is known whose the rows are; or rows.
    pub fn counted(&self) -> Counted {
        self.counted
    }

    /// Whose each row is, where somebody has several.
    pub fn persons(&self) -> Option<&Persons> {
        self.persons.as_ref()
    }

    /// How many people are in each class of rows. Without persons every row is somebody.
    pub fn people_of_classes(&self, class: &[u32], n_classes: usize) -> PeopleOfClasses {
        let mut alone = vec![0; n_classes];
        let Some(persons) = &self.persons else {
            class.iter().for_each(|&class| alone[class as usize] += 1);
            return PeopleOfClasses { alone, spread: Vec::new(), n_spread: 0 };
        };
        let mut pairs: Vec<(u32, u32)> = persons.of_rows().iter().copied().zip(class.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (mut spread, mut n_spread) = (Vec::new(), 0);
        for own in pairs.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, class)] = own {
                alone[*class as usize] += 1;
            } else {
                spread.extend(own.iter().map(|&(_, class)| (n_spread, class)));
                n_spread += 1;
            }
        }
        PeopleOfClasses { alone, spread, n_spread: n_spread as usize }
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

    /// Number of rows.
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

    #[test]
    fn each_person_counts_once_in_a_class_however_many_rows_they_have() {
        let of = |keys: &[u32]| {
            let keys: Codes = keys.iter().copied().collect();
            Persons::from_keys(keys.len(), &[(&keys, 9)])
        };
        let population = || Population::new(vec![column(&["30"], &[1; 5])], 5).unwrap();
        // Ann has two rows in the first class, Bob one in each, and a row without a name is somebody else.
        let found = population().with_persons(of(&[1, 1, 2, 2, 0])).unwrap().people_of_classes(&[0, 0, 0, 1, 1], 2);
        assert_eq!((found.alone, found.spread, found.n_spread), (vec![1, 1], vec![(0, 0), (0, 1)], 1));
        assert_eq!(population().people_of_classes(&[0, 0, 0, 1, 1], 2).alone, [3, 2]);
        assert!(population().with_persons(of(&[1, 2, 3, 4, 5])).unwrap().persons().is_none());
        assert!(population().with_persons(of(&[1])).is_err());
        assert_eq!([population(), population().by_rows()].map(|one| one.counted().many()), ["people", "rows"]);
    }
}
