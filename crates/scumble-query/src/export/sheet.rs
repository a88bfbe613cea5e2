//! A table as a database is to have it: typed columns, keys and the cells themselves.

use crate::rewrite::quoted;
use scumble_io::NULL_INTEGER;
use scumble_release::{BATCH, GROUP};
use scumble_table::{Codes, date_text};
use std::borrow::Cow;

/// One table.
pub(crate) struct ExportTable {
    /// What it is called in the database.
    pub(crate) name: String,
    /// What its file is called, without its ending: as in the release, where it is a table of it.
    pub(crate) file: String,
    /// What it is, in a sentence for the database's readers.
    pub(crate) about: String,
    pub(crate) columns: Vec<ExportColumn>,
    pub(crate) n_rows: usize,
    /// Columns of the primary key.
    pub(crate) key: Vec<String>,
    /// Columns that are looked up by, each with an index.
    pub(crate) indexes: Vec<String>,
    /// The table whose tuples this one refers to.
    pub(crate) tuples_of: Option<String>,
}

/// One column.
pub(crate) struct ExportColumn {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) sql: SqlType,
    pub(crate) not_null: bool,
    pub(crate) cells: Cells,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SqlType {
    /// Numbers of tuples and groups, counts and hits.
    Integer,
    /// Whole numbers of at most 64 bits.
    BigInt,
    /// Decimals of this many digits, of which `scale` are after the point.
    Numeric { digits: u8, scale: u8 },
    /// Ends of ranges of decimals, which may be infinite.
    NumericEnd { scale: u8 },
    /// Days.
    Date,
    /// Texts of at most this many characters and bytes.
    Text { chars: usize, bytes: usize },
}

/// The cells of a column.
pub(crate) enum Cells {
    /// Numbers by row; [`NULL_INTEGER`] is null.
    Whole(Vec<u32>),
    /// Values by code. Where `veiled`, a row without a group shows nothing.
    Coded { values: Vec<Cell>, codes: Codes, veiled: bool },
    /// A value for each row.
    Each(Vec<Cell>),
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Whole(u32),
    /// In units of the last digit of the column.
    Number(i128),
    /// Days since 1970.
    Day(i32),
    Text(String),
    /// Below every value.
    Below,
    /// Above every value.
    Above,
}

impl ExportTable {
    /// A table without keys and indexes.
    pub(crate) fn new(name: &str, about: impl Into<String>, columns: Vec<ExportColumn>, n_rows: usize) -> ExportTable {
        let (name, file, about) = (name.into(), name.into(), about.into());
        ExportTable { name, file, about, columns, n_rows, key: Vec::new(), indexes: Vec::new(), tuples_of: None }
    }

    /// The groups or batches of the rows, where the table has some.
    fn groups(&self) -> Option<&[u32]> {
        self.columns.iter().filter(|column| column.is_group()).find_map(|column| match &column.cells {
            Cells::Whole(groups) => Some(groups.as_slice()),
            _ => None,
        })
    }

    /// All rows, in the order of the release.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Vec<Cow<'_, Cell>>> + '_ {
        let groups = self.groups();
        (0..self.n_rows).map(move |row| {
            let suppressed = groups.is_some_and(|groups| groups[row] == NULL_INTEGER);
            self.columns.iter().map(|column| column.cell(row, suppressed)).collect()
        })
    }
}

impl ExportColumn {
    pub(crate) fn new(
        name: &str,
        about: impl Into<String>,
        sql: SqlType,
        not_null: bool,
        cells: Cells,
    ) -> ExportColumn {
        ExportColumn { name: name.into(), about: about.into(), sql, not_null, cells }
    }

    /// Its declaration; `own` gives the types that the database writes in its own way.
    pub(crate) fn declaration(&self, own: impl Fn(SqlType) -> Option<String>) -> String {
        let kind = own(self.sql).unwrap_or_else(|| match self.sql {
            SqlType::Integer => "INTEGER".into(),
            SqlType::BigInt => "BIGINT".into(),
            SqlType::Numeric { digits, scale } => format!("NUMERIC({digits}, {scale})"),
            SqlType::NumericEnd { .. } => "NUMERIC".into(),
            SqlType::Date => "DATE".into(),
            SqlType::Text { .. } => "TEXT".into(),
        });
        format!("{} {kind}{}", quoted(&self.name), if self.not_null { " NOT NULL" } else { "" })
    }

    /// Whether these are numbers of groups or batches; a column of people may have such a name too.
    pub(crate) fn is_group(&self) -> bool {
        (self.name == GROUP || self.name == BATCH) && matches!(self.cells, Cells::Whole(_))
    }

    fn cell(&self, row: usize, suppressed: bool) -> Cow<'_, Cell> {
        match &self.cells {
            Cells::Whole(numbers) => {
                Cow::Owned(if numbers[row] == NULL_INTEGER { Cell::Null } else { Cell::Whole(numbers[row]) })
            }
            Cells::Coded { veiled: true, .. } if suppressed => Cow::Owned(Cell::Null),
            Cells::Coded { values, codes, .. } => Cow::Borrowed(&values[codes.get(row) as usize]),
            Cells::Each(cells) => Cow::Borrowed(&cells[row]),
        }
    }

    /// Whether an index can take its values: a page must hold several of them.
    pub(crate) fn is_indexable(&self) -> bool {
        !matches!(self.sql, SqlType::Text { bytes, .. } if bytes > LONGEST_INDEXED)
    }
}

/// An entry of an index may take a third of a page of 8,192 bytes.
const LONGEST_INDEXED: usize = 2000;

impl SqlType {
    /// The type of these texts.
    pub(crate) fn for_texts<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> SqlType {
        let chars = texts.clone().map(|text| text.chars().count()).max().unwrap_or(0);
        SqlType::Text { chars, bytes: texts.map(str::len).max().unwrap_or(0) }
    }

    /// Digits after the point.
    pub(crate) fn scale(self) -> u8 {
        match self {
            SqlType::Numeric { scale, .. } | SqlType::NumericEnd { scale } => scale,
            _ => 0,
        }
    }

    /// The text that every database shows for a cell; `None` for null.
    pub(crate) fn text(self, cell: &Cell) -> Option<Cow<'_, str>> {
        Some(match cell {
            Cell::Null => return None,
            Cell::Whole(number) => number.to_string().into(),
            Cell::Number(units) => fixed(*units, self.scale()).into(),
            Cell::Day(day) => date_text(*day).into(),
            Cell::Text(text) => text.into(),
            Cell::Below if self == SqlType::Date => "-infinity".into(),
            Cell::Above if self == SqlType::Date => "infinity".into(),
            Cell::Below => "-Infinity".into(),
            Cell::Above => "Infinity".into(),
        })
    }
}

/// Units of `10^-scale` with all digits of the scale.
pub(crate) fn fixed(units: i128, scale: u8) -> String {
    let scale = usize::from(scale);
    if scale == 0 {
        return units.to_string();
    }
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    format!("{}{whole}.{part}", if units < 0 { "-" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_the_digits_of_their_column() {
        for (units, scale, text) in [(0, 2, "0.00"), (-5, 2, "-0.05"), (123, 2, "1.23"), (-7, 0, "-7"), (10, 1, "1.0")]
        {
            assert_eq!(fixed(units, scale), text);
        }
        let number = SqlType::Numeric { digits: 4, scale: 2 };
        assert_eq!(number.text(&Cell::Number(150)).as_deref(), Some("1.50"));
        assert_eq!(number.text(&Cell::Null), None);
        assert_eq!(SqlType::Date.text(&Cell::Below).as_deref(), Some("-infinity"));
    }
}
