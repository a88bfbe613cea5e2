//! A table as it was read: distinct texts and codes, before anything is known about types.

use crate::fault::FaultKind;
use crate::{Dictionary, ReadOptions};
use scumble_table::{Codes, Error, Result, Table, did_you_mean};

/// What an empty cell of an integer column reads as; no integer column holds this number.
pub const NULL_INTEGER: u32 = u32::MAX;

/// One column as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawColumn {
    /// It was not asked for.
    Skipped,
    /// Distinct texts and the code of each row; code 0 is an empty cell.
    Text {
        /// The distinct texts.
        dictionary: Dictionary,
        /// One code a row.
        codes: Codes,
    },
    /// Plain whole numbers; an empty cell is [`NULL_INTEGER`].
    Integer(Vec<u32>),
}

/// All columns of a file, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawTable {
    /// Column names, distinct and not empty.
    pub names: Vec<String>,
    /// One column per name.
    pub columns: Vec<RawColumn>,
    /// Number of rows, at least 1.
    pub n_rows: usize,
    /// The name of the file for messages.
    pub source: String,
}

impl RawTable {
    /// A coded table as if it had been read: the texts that its values are written as. `source` stands for it in
    /// messages.
    pub fn from_table(table: Table, source: impl Into<String>) -> Result<RawTable> {
        let n_rows = table.n_rows();
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for (attribute, codes) in table.into_columns() {
            let domain = &attribute.domain;
            let dictionary = Dictionary::from_distinct(domain.codes().map(|code| domain.text(code)));
            let full = || FaultKind::ManyTexts.error("the table", None, Some(&attribute.name), &ReadOptions::default());
            let dictionary = dictionary.ok_or_else(full)?.with_stored(domain.stored().clone());
            names.push(attribute.name);
            columns.push(RawColumn::Text { dictionary, codes });
        }
        Ok(RawTable { names, columns, n_rows, source: source.into() })
    }

    /// The numbers of a column of plain whole numbers; `None` if there is no such column, or it holds texts.
    pub fn integers(&self, name: &str) -> Option<&[u32]> {
        let at = self.names.iter().position(|known| known == name)?;
        match &self.columns[at] {
            RawColumn::Integer(numbers) => Some(numbers),
            RawColumn::Text { .. } | RawColumn::Skipped => None,
        }
    }

    /// Position of a column, or an error that suggests the nearest name; `field` is the field of the
    /// job that named it.
    pub fn position(&self, field: &str, name: &str) -> Result<usize> {
        position(&self.names, field, name)
    }
}

pub(crate) fn position(names: &[String], field: &str, name: &str) -> Result<usize> {
    names.iter().position(|known| known == name).ok_or_else(|| {
        Error::request(field, name, "there is no such column").hint(did_you_mean(name, names, "the columns are"))
    })
}

/// Names must be there and distinct: a release addresses its columns by name.
pub(crate) fn check_names(names: &[String], source: &str, line: Option<u64>) -> Result<()> {
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(Error::data(source, format!("column {} of {} has no name", at + 1, names.len()))
                .at(line, None)
                .hint("the first line must name every column"));
        }
    }
    let mut sorted: Vec<(&str, usize)> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).min_by_key(|pair| pair[1].1) {
        return Err(Error::data(source, format!("columns {} and {} have the same name", pair[0].1 + 1, pair[1].1 + 1))
            .at(line, Some(pair[0].0))
            .hint("give every column a name of its own"));
    }
    Ok(())
}
