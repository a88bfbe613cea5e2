//! The source of a release, as far as it is compared.

use crate::Positions;
use crate::source_line::SourceLine;
use scumble_io::{Dictionary, RawColumn, RawTable};
use scumble_release::PublishedColumn;
use scumble_table::{Code, Codes, Decimal, Domain, Error, Kind, Monitor, NULL, Result, parse_date};

/// The source, with at least the quasi-identifiers and the columns that are asked about read as text.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) table: &'a RawTable,
}

impl Source<'_> {
    /// A source of another number of rows is another source.
    pub(super) fn check_rows(&self, rows: u64, suppressed: u64) -> Result<()> {
        let raw = self.table;
        if raw.n_rows as u64 == rows + suppressed {
            return Ok(());
        }
        let reason = format!("it has {} rows, and the release {rows} and {suppressed} suppressed", raw.n_rows);
        Err(Error::request("source", &raw.source, reason)
            .hint("name the data that the release was made from, and with «rules» its job file if that has rules"))
    }

    fn texts(&self, column: &PublishedColumn) -> Result<(&Dictionary, &Codes)> {
        let raw = self.table;
        match &raw.columns[raw.position("source", column.name())?] {
            RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
            _ => Err(Error::bug(format!("column `{}` of the source was not read as text", column.name()))),
        }
    }

    /// A column on its line, and the source's rows there.
    pub(super) fn column<'c>(
        &self,
        column: &'c PublishedColumn,
        monitor: Monitor<'_>,
    ) -> Result<(SourceLine<'c>, Positions)> {
        monitor.check()?;
        let (dictionary, codes) = self.texts(column)?;
        let fault = |code| {
            Error::data(&self.table.source, format!("this is no {}, as the release says", column.kind()))
                .at(dictionary.line(code), Some(column.name()))
                .hint("name the data that the release was made from, with the same null texts")
        };
        let line = SourceLine::new(column, dictionary, fault, monitor)?;
        let positions = Positions::from_codes(line.axis.clone(), &line.source, codes.iter());
        Ok((line, positions))
    }

    /// The values of a column of numbers or dates, and the code of each row.
    pub(super) fn values(&self, column: &PublishedColumn) -> Result<Option<(Domain, Codes)>> {
        let (dictionary, codes) = self.texts(column)?;
        let domain = match column.kind() {
            Kind::Number => Domain::numbers(dictionary.iter().filter_map(Decimal::parse).collect())?,
            Kind::Date => Domain::dates(dictionary.iter().filter_map(parse_date).collect()),
            Kind::Ordinal | Kind::Nominal => return Ok(None),
        };
        let known = dictionary.iter().map(|text| domain.code_of(text).unwrap_or(NULL));
        let map: Vec<Code> = std::iter::once(NULL).chain(known).collect();
        Ok(Some((domain, codes.mapped(&map))))
    }
}
