//! People of a file, placed by their known values among the records of a table.

use super::people_table::{CodeMeaning, KnownColumn, PeopleTable};
use crate::Known;
use scumble_io::{RawColumn, RawTable};
use scumble_release::{UNPUBLISHED, value_map};
use scumble_table::{Codes, Error, Monitor, Result};
use scumble_verify::{Span, place_column};

/// People of a source or a population, as far as a table has their known columns.
pub(crate) struct PeopleIndex {
    pub(crate) n: usize,
    /// One for each column of the table.
    pub(crate) columns: Vec<PlacedColumn>,
}

/// A column of people on a line of ranks, on which the texts of records cover spans.
pub(crate) struct PlacedColumn {
    /// Rank of each person. Where records show values, the code of the value, or the number of codes where no record
    /// shows it.
    pub(crate) ranks: Codes,
    /// Every rank is below this.
    pub(crate) n_ranks: usize,
    /// What each code of the table covers.
    pub(crate) spans: Vec<Span>,
    /// Whether records show values.
    pub(crate) exact: bool,
}

impl PeopleIndex {
    /// Places people on the columns of a table; `field` of the request named them.
    ///
    /// # Errors
    /// If the file lacks a column, or holds a value that is not of its type, or the work was cancelled.
    pub(crate) fn new(table: &PeopleTable, people: &RawTable, field: &str, monitor: Monitor<'_>) -> Result<Self> {
        let placed = |column| {
            monitor.check()?;
            PlacedColumn::new(column, people, field)
        };
        Ok(PeopleIndex { n: people.n_rows, columns: table.columns.iter().map(placed).collect::<Result<_>>()? })
    }

    /// Some of the columns.
    pub(crate) fn known(&self, chosen: &[usize]) -> Vec<Known<'_>> {
        let known = |&at: &usize| Known { codes: &self.columns[at].ranks, n_codes: self.columns[at].n_ranks };
        chosen.iter().map(known).collect()
    }
}

impl PlacedColumn {
    fn new(column: &KnownColumn, people: &RawTable, field: &str) -> Result<Self> {
        let at = people.position(field, &column.name)?;
        let RawColumn::Text { dictionary, codes } = &people.columns[at] else {
            return Err(Error::bug(format!("column `{}` of `{field}` was not read as text", column.name)));
        };
        match &column.means {
            CodeMeaning::Values(domain) => {
                let nowhere = column.n_codes as u32;
                let map = value_map(domain, dictionary);
                let map: Vec<u32> = map.into_iter().map(|c| if c == UNPUBLISHED { nowhere } else { c }).collect();
                let spans = (0..nowhere).map(|code| Span::run(code, code + 1)).collect();
                Ok(PlacedColumn { ranks: codes.mapped(&map), n_ranks: column.n_codes + 1, spans, exact: true })
            }
            CodeMeaning::Regions(published, regions) => {
                let placed = place_column(published, regions, dictionary.iter()).map_err(|_| {
                    Error::data(&people.source, format!("a value is no {}, as the release says", published.kind()))
                        .at(None, Some(&column.name))
                        .hint("check the null texts, and that these are the columns of the data that the release was made from")
                })?;
                let n_ranks = placed.n_ranks as usize;
                Ok(PlacedColumn { ranks: codes.mapped(&placed.ranks), n_ranks, spans: placed.spans, exact: false })
            }
        }
    }
}
