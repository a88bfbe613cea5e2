//! FaultKind can be wrong inside a block, kept small until it is known to be the first fault of the file.

use crate::ReadOptions;
use scumble_table::Error;

/// A fault of the data; `line` is counted from 0 at the start of its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: u32,
    pub(crate) column: Option<usize>,
    pub(crate) kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A row with another number of fields than the header.
    Fields { found: usize, wanted: usize },
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A quote that is never closed.
    OpenQuote,
    /// Text between a closing quote and the next delimiter.
    AfterQuote,
    /// Not a plain whole number below `u32::MAX`.
    NotInteger(String),
    /// A record that does not end within the given number of bytes.
    LongRecord(usize),
    /// The distinct texts of a column exceed what their offsets can address.
    ManyTexts,
    /// More rows than row numbers.
    ManyRows,
    /// A date or a timestamp whose year has no name.
    OffCalendar,
    /// A type without a text, which should have been refused before.
    NoText,
}

impl Fault {
    /// The message, once the line on which the block starts is known.
    pub(crate) fn error(self, source: &str, names: &[String], first_line: u64, options: &ReadOptions<'_>) -> Error {
        let column = self.column.and_then(|at| names.get(at)).map(String::as_str);
        self.kind.error(source, Some(first_line + u64::from(self.line)), column, options)
    }
}

impl FaultKind {
    /// The message about a place. Values of secret columns stay out of it.
    pub(crate) fn error(
        self,
        source: &str,
        line: Option<u64>,
        column: Option<&str>,
        options: &ReadOptions<'_>,
    ) -> Error {
        let error = |reason: &str| Error::data(source, reason).at(line, column);
        match self {
            FaultKind::Fields { found, wanted } => error(&format!(
                "this line has {} but the header names {}",
                count(found, "field"),
                count(wanted, "column")
            ))
            .hint("put fields that hold the delimiter into quotes, or name another one with «delimiter»"),
            FaultKind::NotUtf8 => error("the text is not UTF-8").hint("convert the file, for example with `iconv`"),
            FaultKind::OpenQuote => error("the quote that opens here is never closed")
                .hint("double a quote that belongs to the text, and put the field into quotes"),
            FaultKind::AfterQuote => {
                error("there is text after a closing quote").hint("double a quote that belongs to the text")
            }
            FaultKind::NotInteger(value) => {
                let error = error("this is not a plain whole number below 4294967295");
                if column.is_some_and(|name| options.is_secret(name)) { error } else { error.shows(value) }
            }
            FaultKind::LongRecord(most) => error(&format!("this record is longer than {} MiB", most >> 20))
                .hint("a quote may be open, or this is no CSV file"),
            FaultKind::ManyTexts => {
                error("the distinct texts of this column take more than 4 GiB").hint("drop the column")
            }
            FaultKind::ManyRows => error("a table holds at most 4294967294 rows"),
            FaultKind::OffCalendar => {
                error("a date lies outside the calendar").hint("drop the column, or mend the date")
            }
            FaultKind::NoText => {
                Error::bug(format!("column `{}` has a type without a text", column.unwrap_or_default()))
            }
        }
    }
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
