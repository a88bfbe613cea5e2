//! A table as a database is to have it: typed columns, keys and the cells themselves.

use scumble_io::NULL_INTEGER;
use scumble_release::{BATCH, GROUP};
use scumble_table::{Codes, date_text};
use std::borrow::Cow;

/// One table.
pub(crate) struct Sheet {
    pub(crate) name: String,
    /// What it is, in a sentence for the database's readers.
    pub(crate) about: String,
    pub(crate) columns: Vec<SheetColumn>,
    pub(crate) n_rows: usize,
    /// Columns of the primary key.
    pub(crate) key: Vec<String>,
    /// Columns that are looked up by, each with an index.
    pub(crate) indexes: Vec<String>,
    /// The table whose tuples this one speaks of.
    pub(crate) tuples_of: Option<String>,
}

/// One column.
pub(crate) struct SheetColumn {
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
    /// Decimals of so many digits, of which `scale` are after the point.
    Numeric { digits: u8, scale: u8 },
    /// Ends of ranges of decimals, which may be infinite.
    NumericEnd { scale: u8 },
    /// Days.
    Date,
    /// Texts of at most so many characters and bytes.
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

impl Sheet {
    /// The groups or batches of the rows, where the table has some.
    fn groups(&self) -> Option<&[u32]> {
        self.columns.iter().filter(|column| column.is_group()).find_map(|column| match &column.cells {
            Cells::Whole(groups) => Some(groups.as_slice()),
            _ => None,
        })
    }

    /// Hands every row to a reader, in the order of the release.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Vec<Cow<'_, Cell>>> + '_ {
        let groups = self.groups();
        (0..self.n_rows).map(move |row| {
            let suppressed = groups.is_some_and(|groups| groups[row] == NULL_INTEGER);
            self.columns.iter().map(|column| column.cell(row, suppressed)).collect()
        })
    }
}

impl SheetColumn {
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
    /// Digits after the point.
    pub(crate) fn scale(self) -> u8 {
        match self {
            SqlType::Numeric { scale, .. } | SqlType::NumericEnd { scale } => scale,
            _ => 0,
        }
    }

    /// The text of a cell that every database shows for it; nothing for null.
    pub(crate) fn text(self, cell: &Cell) -> Option<Cow<'_, str>> {
        Some(match cell {
            Cell::Null => return None,
            Cell::Whole(number) => Cow::Owned(number.to_string()),
            Cell::Number(units) => Cow::Owned(fixed(*units, self.scale())),
            Cell::Day(day) => Cow::Owned(date_text(*day)),
            Cell::Text(text) => Cow::Borrowed(text),
            Cell::Below if self == SqlType::Date => Cow::Borrowed("-infinity"),
            Cell::Above if self == SqlType::Date => Cow::Borrowed("infinity"),
            Cell::Below => Cow::Borrowed("-Infinity"),
            Cell::Above => Cow::Borrowed("Infinity"),
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
