//! The table of a study in memory: texts and codes, to be sampled, recoded and encoded as the library takes tables.

use crate::decision::extremes;
use crate::draw::Draw;
use scumble::{AnyHierarchy, ColumnRole, Columns, Error, Result};
use scumble_io::{ColumnPlan, RawColumn, RawTable, encode};
use scumble_table::{Attribute, Codes, Domain, Monitor, Role, Schema, Table};
use std::collections::BTreeMap;

/// A column as texts and codes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StudyColumn {
    /// Its name.
    pub(crate) name: String,
    /// The texts that occur, each once.
    pub(crate) texts: Vec<String>,
    /// For each row the place of its text.
    pub(crate) codes: Vec<u32>,
}

impl StudyColumn {
    /// A column of these cells.
    pub(crate) fn new<S: ToString>(name: &str, cells: impl IntoIterator<Item = S>) -> StudyColumn {
        let mut texts = Texts::default();
        let codes = cells.into_iter().map(|cell| texts.code(cell.to_string())).collect();
        StudyColumn { name: name.into(), texts: texts.known, codes }
    }

    /// The texts as numbers; none if one is no number.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        let number = |text: &String| text.parse().ok().filter(|number: &f64| number.is_finite());
        self.texts.iter().map(number).collect()
    }

    /// Least and greatest number; none if a text is no number.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        self.numbers().map(extremes)
    }

    /// True if all are whole numbers that lie in a range.
    pub(crate) fn whole_within(&self, low: f64, high: f64) -> bool {
        self.numbers().is_some_and(|all| all.iter().all(|x| x.fract() == 0.0 && (low..=high).contains(x)))
    }

    /// The same rows with other texts for theirs; equal ones become one.
    pub(crate) fn recoded(&self, recode: impl Fn(&str) -> String) -> StudyColumn {
        let mut texts = Texts::default();
        let new: Vec<u32> = self.texts.iter().map(|text| texts.code(recode(text))).collect();
        let codes = self.codes.iter().map(|&code| new[code as usize]).collect();
        StudyColumn { name: self.name.clone(), texts: texts.known, codes }
    }

    /// Labels as the whole numbers from 1, by their alphabet, as the papers' tables have them; numbers stay.
    pub(crate) fn numbered(&self) -> StudyColumn {
        if self.numbers().is_some() {
            return self.clone();
        }
        let mut sorted: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        self.recoded(|text| (sorted.partition_point(|one| *one < text) + 1).to_string())
    }

    /// Only some rows, and the texts that they have.
    fn rows(&self, rows: &[usize]) -> StudyColumn {
        let mut texts = Vec::new();
        let mut new = vec![None; self.texts.len()];
        let code = |&row: &usize| {
            let old = self.codes[row] as usize;
            *new[old].get_or_insert_with(|| {
                texts.push(self.texts[old].clone());
                texts.len() as u32 - 1
            })
        };
        let codes = rows.iter().map(code).collect();
        StudyColumn { name: self.name.clone(), texts, codes }
    }

    /// The column as the library's tables have one, of labels without an order.
    fn labels(&self) -> Result<(Attribute, Codes)> {
        let domain = Domain::nominal(self.texts.iter().map(|text| text.as_str().into()).collect());
        let code = |text: &String| domain.code_of(text).ok_or_else(|| Error::bug("a domain lacks one of its values"));
        let new: Vec<u32> = self.texts.iter().map(code).collect::<Result<_>>()?;
        let codes = self.codes.iter().map(|&old| new[old as usize]).collect();
        Ok((Attribute { name: self.name.clone(), role: Role::Kept, domain }, codes))
    }
}

/// Distinct texts in the order in which they come.
#[derive(Default)]
struct Texts {
    known: Vec<String>,
    places: BTreeMap<String, u32>,
}

impl Texts {
    fn code(&mut self, text: String) -> u32 {
        *self.places.entry(text).or_insert_with_key(|text| {
            self.known.push(text.clone());
            self.known.len() as u32 - 1
        })
    }
}

/// A table as the library takes it.
pub(crate) struct Encoded {
    /// To make releases of.
    pub(crate) table: Table,
    /// The same as texts, to measure them by.
    pub(crate) texts: RawTable,
}

/// A table without a missing value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StudyTable {
    columns: Vec<StudyColumn>,
    n_rows: usize,
}

impl StudyTable {
    /// The columns of a table that was read, in the order of `names`, and how many rows were left out because they miss a
    /// value in one of them.
    pub(crate) fn from_raw(raw: &RawTable, names: &[String]) -> Result<(Self, usize)> {
        let mut columns = Vec::new();
        for name in names {
            let at = raw.position("data", name)?;
            let RawColumn::Text { dictionary, codes } = &raw.columns[at] else {
                return Err(Error::bug(format!("the column `{name}` was not read as text")));
            };
            let texts = std::iter::once("").chain(dictionary.iter()).map(String::from).collect();
            let codes = (0..raw.n_rows).map(|row| codes.get(row)).collect();
            columns.push(StudyColumn { name: name.clone(), texts, codes });
        }
        // A missing value has code 0.
        let whole = |row: &usize| columns.iter().all(|column| column.codes[*row] != 0);
        let rows: Vec<usize> = (0..raw.n_rows).filter(whole).collect();
        let table = StudyTable { columns, n_rows: raw.n_rows }.rows(&rows);
        Ok((table, raw.n_rows - rows.len()))
    }

    /// A table of columns that are as long as each other.
    pub(crate) fn new(columns: Vec<StudyColumn>) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.codes.len());
        StudyTable { columns, n_rows }
    }

    pub(crate) fn columns(&self) -> &[StudyColumn] {
        &self.columns
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// A column by its name.
    ///
    /// # Errors
    /// If there is none, which is a mistake of the study.
    pub(crate) fn column(&self, name: &str) -> Result<&StudyColumn> {
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| Error::bug(format!("a study asks for the column `{name}`, which it has not read")))
    }

    /// `n` rows, drawn at random and in their order; all if there are no more.
    pub(crate) fn sample(&self, n: usize, seed: u64) -> StudyTable {
        if n >= self.n_rows {
            return self.clone();
        }
        self.rows(&Draw::new(seed, "rows of a study").chosen(n, self.n_rows))
    }

    /// These rows.
    pub(crate) fn rows(&self, rows: &[usize]) -> StudyTable {
        StudyTable { columns: self.columns.iter().map(|column| column.rows(rows)).collect(), n_rows: rows.len() }
    }

    /// The same with a column in the place of that of its name.
    #[must_use]
    pub(crate) fn with(mut self, column: StudyColumn) -> StudyTable {
        if let Some(place) = self.columns.iter_mut().find(|one| one.name == column.name) {
            *place = column;
        }
        self
    }

    /// The same with other names for its columns, in their order.
    #[must_use]
    pub(crate) fn renamed(mut self, names: &[&str]) -> StudyTable {
        for (column, name) in self.columns.iter_mut().zip(names) {
            column.name = (*name).into();
        }
        self
    }

    /// The same with one more column, of as many rows.
    #[must_use]
    pub(crate) fn and(mut self, column: StudyColumn) -> StudyTable {
        self.columns.push(column);
        self
    }

    /// The same with labels of these columns as numbers.
    pub(crate) fn numbered<S: AsRef<str>>(mut self, names: &[S]) -> Result<StudyTable> {
        for name in names {
            let column = self.column(name.as_ref())?.numbered();
            self = self.with(column);
        }
        Ok(self)
    }

    /// Its columns that a job names, as the job says they are.
    pub(crate) fn encoded(&self, columns: &Columns) -> Result<Encoded> {
        let (mut plans, mut attributes, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        for (name, said) in columns {
            let role = if said.role == Some(ColumnRole::Sensitive) { Role::Sensitive } else { Role::Quasi };
            let mut plan = ColumnPlan { kind: said.kind, ..ColumnPlan::new(name, role) };
            if let Some(file) = &said.hierarchy
                && let AnyHierarchy::Tree(tree) = &**file.get()?
            {
                plan.hierarchy = Some((file.shown(), tree.clone()));
            }
            let (attribute, column) = self.column(name)?.labels()?;
            plans.push(plan);
            attributes.push(attribute);
            codes.push(column);
        }
        let labels = Table::new(Schema::new(attributes)?, codes, self.n_rows)?;
        let texts = RawTable::from_table(labels, "the table of the study")?;
        Ok(Encoded { table: encode(texts.clone(), &plans, Monitor::silent())?, texts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::{Column, Context, Source};

    fn table(text: &'static str) -> (StudyTable, usize) {
        let raw = Source::reader(text.as_bytes()).read_all(&Context::new()).unwrap();
        let mut names = raw.names.clone();
        names.reverse();
        StudyTable::from_raw(&raw, &names).unwrap()
    }

    #[test]
    fn rows_that_miss_a_value_are_left_out_and_counted() {
        let (table, left_out) = table("a,b\nx,1\n,2\ny,\nx,3\n");
        assert_eq!((table.n_rows(), left_out), (2, 2));
        assert_eq!(table.column("b").unwrap().texts, ["1", "3"]);
        assert_eq!(table.column("b").unwrap().range(), Some((1.0, 3.0)));
        assert_eq!(table.column("a").unwrap().range(), None);
        assert!(table.column("c").is_err());
    }

    #[test]
    fn what_is_encoded_has_the_same_texts() {
        let (before, _) = table("a,b\n\"x, \"\"y\"\"\",1\nz,2\n");
        let columns = vec![
            ("b".to_string(), Column::new(ColumnRole::Quasi)),
            ("a".to_string(), Column::new(ColumnRole::Sensitive)),
        ];
        let encoded = before.encoded(&columns).unwrap();
        assert_eq!(StudyTable::from_raw(&encoded.texts, &encoded.texts.names).unwrap(), (before, 0));
        let kinds: Vec<_> =
            encoded.table.schema().attributes().iter().map(|one| (one.role, one.domain.kind())).collect();
        assert_eq!(kinds, [(Role::Quasi, scumble::Kind::Number), (Role::Sensitive, scumble::Kind::Nominal)]);
    }

    #[test]
    fn labels_become_numbers_and_equal_texts_one() {
        let (table, _) = table("a,b\nx,1\nm,2\nx,13\n");
        let numbered = table.clone().numbered(&["a", "b"]).unwrap();
        assert_eq!(numbered.column("a").unwrap().texts, ["2", "1"]);
        assert_eq!(numbered.column("b").unwrap().texts, ["1", "2", "13"]);
        assert!(numbered.column("b").unwrap().whole_within(1.0, 13.0));
        assert!(!numbered.column("b").unwrap().whole_within(1.0, 12.0));
        let first = table.column("b").unwrap().recoded(|text| text[..1].to_string());
        assert_eq!((first.texts, first.codes), (vec!["1".into(), "2".into()], vec![0, 1, 0]));
    }

    #[test]
    fn a_sample_has_only_the_texts_of_its_rows() {
        let text: String = (0..100).map(|n| format!("{n},{}\n", n % 3)).collect();
        let (table, _) = table(format!("a,b\n{text}").leak());
        let sample = table.sample(10, 4);
        assert_eq!((sample.n_rows(), sample.column("a").unwrap().texts.len()), (10, 10));
        assert_eq!(sample, table.sample(10, 4));
        assert_ne!(sample, table.sample(10, 5));
        assert_eq!(table.sample(100, 4), table);
    }
}
