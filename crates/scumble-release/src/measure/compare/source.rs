//! The source of a release, as far as it is compared.

use super::super::axis::Positions;
use super::super::line::Line;
use crate::published::PublishedColumn;
use crate::reader::ReleaseDir;
use crate::verify::SourceData;
use scumble_io::{Dictionary, Progress, RawColumn, RawTable, ReadOptions, Want, read};
use scumble_table::{Code, Codes, Decimal, Domain, Error, Kind, NULL, Result, Role, parse_date};

/// The source as it was read.
pub(super) enum Source<'a> {
    Given(&'a RawTable),
    Read(RawTable),
}

impl<'a> Source<'a> {
    /// Reads the quasi-identifiers and the sensitive columns that are asked about.
    pub(super) fn read(
        release: &ReleaseDir,
        source: &SourceData<'a>,
        asked: &[&PublishedColumn],
        progress: &dyn Progress,
    ) -> Result<Self> {
        let SourceData::File { path, format, delimiter, nulls } = source else {
            let SourceData::Raw(raw) = source else { return Err(Error::bug("a source of no kind")) };
            return Ok(Source::Given(raw));
        };
        let wanted = |name: &str| {
            let quasi = |column: &&PublishedColumn| column.role() == Role::Quasi && column.name() == name;
            asked.iter().any(|column| column.name() == name) || release.columns().iter().any(|column| quasi(&column))
        };
        let options = ReadOptions::default()
            .format(*format)
            .delimiter(*delimiter)
            .nulls(nulls.clone())
            .columns(|name| if wanted(name) { Want::Text } else { Want::Skip })
            .secret(|_| true);
        Ok(Source::Read(read(path, &options, progress)?))
    }

    fn raw(&self) -> &RawTable {
        match self {
            Source::Given(raw) => raw,
            Source::Read(raw) => raw,
        }
    }

    /// A source of another number of rows is another source.
    pub(super) fn check_rows(&self, rows: u64, suppressed: u64) -> Result<()> {
        let raw = self.raw();
        if raw.n_rows as u64 == rows + suppressed {
            return Ok(());
        }
        let reason = format!("it has {} rows, and the release {rows} and {suppressed} suppressed", raw.n_rows);
        Err(Error::request("--source", &raw.source, reason)
            .hint("name the data that the release was made from, and with --rules its job file if that has rules"))
    }

    fn texts(&self, column: &PublishedColumn) -> Result<(&Dictionary, &Codes)> {
        let raw = self.raw();
        match &raw.columns[raw.position("--source", column.name())?] {
            RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
            _ => Err(Error::bug(format!("column `{}` of the source was not read as text", column.name()))),
        }
    }

    /// A column on its line, and the source's rows there.
    pub(super) fn column<'c>(&self, column: &'c PublishedColumn) -> Result<(Line<'c>, Positions)> {
        let (dictionary, codes) = self.texts(column)?;
        let line = Line::of(column, dictionary).map_err(|code| {
            Error::data(&self.raw().source, format!("this is no {}, as the release says", column.kind()))
                .at(dictionary.line(code), Some(column.name()))
                .hint("name the data that the release was made from, and --null as it was published with")
        })?;
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
        let texts = (0..=dictionary.len() as u32).map(|code| match code {
            NULL => NULL,
            _ => domain.code_of(dictionary.text(code)).unwrap_or(NULL),
        });
        let map: Vec<Code> = texts.collect();
        Ok(Some((domain, codes.mapped(&map))))
    }
}
