//! What can be wrong inside a block, kept small until it is known to be the first fault of the file.

use crate::ReadOptions;
use scumble_table::Error;

/// A fault of the data; `line` is counted from 0 at the start of its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: u32,
    pub(crate) column: Option<usize>,
    pub(crate) what: What,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
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
}

impl Fault {
    /// The message, once the line on which the block starts is known.
    pub(crate) fn error(self, source: &str, names: &[String], first_line: u64, options: &ReadOptions<'_>) -> Error {
        let column = self.column.and_then(|at| names.get(at)).map(String::as_str);
        let error = |reason: String| Error::data(source, reason).at(Some(first_line + u64::from(self.line)), column);
        match self.what {
            What::Fields { found, wanted } => error(format!(
                "this line has {} but the header names {}",
                count(found, "field"),
                count(wanted, "column")
            ))
            .hint("put fields that hold the delimiter into quotes, or name another one with «delimiter»"),
            What::NotUtf8 => error("the text is not UTF-8".into()).hint("convert the file, for example with `iconv`"),
            What::OpenQuote => error("the quote that opens here is never closed".into())
                .hint("double a quote that belongs to the text, and put the field into quotes"),
            What::AfterQuote => {
                error("there is text after a closing quote".into()).hint("double a quote that belongs to the text")
            }
            What::NotInteger(value) => {
                let error = error("this is not a plain whole number below 4294967295".into());
                match column {
                    Some(name) if options.is_secret(name) => error,
                    _ => error.shows(value),
                }
            }
            What::LongRecord(most) => error(format!("this record is longer than {} MiB", most >> 20))
                .hint("a quote may be open, or this is no CSV file"),
            What::ManyTexts => {
                error("the distinct texts of this column take more than 4 GiB".into()).hint("drop the column")
            }
            What::ManyRows => error("a table holds at most 4294967294 rows".into()),
        }
    }
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
