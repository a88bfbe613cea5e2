//! Finding the fields of a block.
//!
//! Rows without quotes, nearly all rows of most files, are found sixty-four bytes at a time: a word
//! with one bit per byte says where delimiters and line ends are. A row with a quote is walked field
//! by field and its doubled quotes are undone in place, so that in the end every field is a piece of
//! the block itself.

use super::fault::{Fault, What};
use super::marks::{STEP, marks};
use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// Zero bytes that must follow a block, so that words can be read without care at its end.
pub(crate) const PADDING: usize = STEP;

/// The shape of the rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) delimiter: u8,
    pub(crate) n_columns: usize,
}

/// The fields of a few thousand rows: few enough that they stay near the processor while the
/// columns are coded one after the other.
#[derive(Debug, Default)]
pub(crate) struct Stripe {
    /// End of each field, row by row.
    pub(crate) ends: Vec<u32>,
    /// Start of each field, in blocks with quotes. Otherwise a field starts one byte after the end
    /// of the one before it, or at the start of the row.
    pub(crate) starts: Vec<u32>,
    /// Start of each row.
    pub(crate) row_starts: Vec<u32>,
    /// Line of each row, from 0 at the start of the block.
    pub(crate) lines: Vec<u32>,
}

impl Stripe {
    pub(crate) fn n_rows(&self) -> usize {
        self.row_starts.len()
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.starts.clear();
        self.row_starts.clear();
        self.lines.clear();
    }
}

/// Walks through a block that holds whole records and ends with a line end.
#[derive(Debug)]
pub(crate) struct Scanner {
    shape: Shape,
    /// Where the next row starts.
    at: usize,
    /// End of the block, before the padding.
    end: usize,
    /// Line ends passed so far.
    line: u32,
    /// True if the block holds any quote.
    quotes: bool,
    /// No quote lies between `at` and here.
    next_quote: usize,
}

impl Scanner {
    pub(crate) fn new(shape: Shape, data: &[u8], end: usize) -> Self {
        let next_quote = memchr(b'"', &data[..end]).unwrap_or(end);
        Scanner { shape, at: 0, end, line: 0, quotes: next_quote < end, next_quote }
    }

    /// Line ends passed so far.
    pub(crate) fn n_lines(&self) -> u32 {
        self.line
    }

    /// True when the block has no more rows.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// Finds up to `most` more rows. On a fault the stripe holds the rows before it.
    pub(crate) fn fill(&mut self, data: &mut [u8], stripe: &mut Stripe, most: usize) -> Result<(), Fault> {
        stripe.clear();
        if !self.quotes {
            return self.plain_rows::<false>(data, self.end, stripe, most);
        }
        while stripe.n_rows() < most && !self.is_done() {
            if self.next_quote < self.at {
                self.next_quote = memchr(b'"', &data[self.at..self.end]).map_or(self.end, |q| self.at + q);
            }
            let quoted_row = match self.next_quote {
                q if q == self.end => q,
                q => memrchr(b'\n', &data[self.at..q]).map_or(self.at, |n| self.at + n + 1),
            };
            if quoted_row > self.at {
                self.plain_rows::<true>(data, quoted_row, stripe, most)?;
            } else {
                self.quoted_row(data, stripe)?;
            }
        }
        Ok(())
    }

    /// Rows without quotes, up to `limit`, where a row starts or the block ends.
    fn plain_rows<const STARTS: bool>(
        &mut self,
        data: &[u8],
        limit: usize,
        stripe: &mut Stripe,
        most: usize,
    ) -> Result<(), Fault> {
        let Shape { delimiter, n_columns } = self.shape;
        let mut row_start = self.at;
        let mut first = stripe.ends.len();
        let mut field_start = row_start;
        let mut base = self.at;
        while base < limit {
            let mut found = marks(data, base, delimiter);
            while found != 0 {
                let bit = found.trailing_zeros();
                found &= found - 1;
                let at = base + bit as usize;
                if data[at] != b'\n' {
                    stripe.ends.push(at as u32);
                    if STARTS {
                        stripe.starts.push(field_start as u32);
                        field_start = at + 1;
                    }
                    continue;
                }
                if at >= limit {
                    break;
                }
                let end = if at > row_start && data[at - 1] == b'\r' { at - 1 } else { at };
                let n_fields = stripe.ends.len() - first + 1;
                if n_fields == n_columns {
                    stripe.ends.push(end as u32);
                    if STARTS {
                        stripe.starts.push(field_start as u32);
                    }
                    stripe.row_starts.push(row_start as u32);
                    stripe.lines.push(self.line);
                    first += n_columns;
                } else if n_fields > 1 || end > row_start {
                    stripe.ends.truncate(first);
                    stripe.starts.truncate(if STARTS { first } else { 0 });
                    let what = What::Fields { found: n_fields, wanted: n_columns };
                    return Err(Fault { line: self.line, column: None, what });
                }
                self.line += 1;
                row_start = at + 1;
                field_start = row_start;
                if stripe.row_starts.len() == most {
                    base = limit;
                    break;
                }
            }
            base += STEP;
        }
        // Delimiters of a row that is not part of this stripe.
        stripe.ends.truncate(first);
        stripe.starts.truncate(if STARTS { first } else { 0 });
        self.at = row_start;
        Ok(())
    }

    /// One row that has a quote somewhere.
    fn quoted_row(&mut self, data: &mut [u8], stripe: &mut Stripe) -> Result<(), Fault> {
        let n_columns = self.shape.n_columns;
        let (first, first_line, row_start) = (stripe.ends.len(), self.line, self.at);
        let result = loop {
            let column = stripe.ends.len() - first;
            let Field { start, end, next, last } = match self.field(data) {
                Ok(field) => field,
                Err(mut fault) => {
                    fault.column = Some(column);
                    break Err(fault);
                }
            };
            stripe.starts.push(start as u32);
            stripe.ends.push(end as u32);
            self.at = next;
            if !last {
                continue;
            }
            self.line += 1;
            if column + 1 == n_columns {
                stripe.row_starts.push(row_start as u32);
                stripe.lines.push(first_line);
                return Ok(());
            }
            let what = What::Fields { found: column + 1, wanted: n_columns };
            break Err(Fault { line: first_line, column: None, what });
        };
        stripe.ends.truncate(first);
        stripe.starts.truncate(first);
        result
    }

    /// The field at `self.at`; quotes count only where they open it.
    fn field(&mut self, data: &mut [u8]) -> Result<Field, Fault> {
        let at = self.at;
        if data[at] != b'"' {
            let stop = memchr2(self.shape.delimiter, b'\n', &data[at..self.end]).map_or(self.end, |n| at + n);
            let last = data[stop] != self.shape.delimiter;
            let end = if last && stop > at && data[stop - 1] == b'\r' { stop - 1 } else { stop };
            return Ok(Field { start: at, end, next: stop + 1, last });
        }
        let opened = Fault { line: self.line, column: None, what: What::OpenQuote };
        let start = at + 1;
        let (end, after) = self.undouble(data, start).ok_or(opened)?;
        let (next, last) = match data[after] {
            b'\n' => (after + 1, true),
            b'\r' if data[after + 1] == b'\n' => (after + 2, true),
            byte if byte == self.shape.delimiter => (after + 1, false),
            _ => return Err(Fault { line: self.line, column: None, what: What::AfterQuote }),
        };
        Ok(Field { start, end, next, last })
    }

    /// Undoes the doubled quotes of the text that starts at `start`. Gives where the text now ends
    /// and where the closing quote is passed; `None` if it is never closed.
    fn undouble(&mut self, data: &mut [u8], start: usize) -> Option<(usize, usize)> {
        let (mut from, mut to) = (start, start);
        loop {
            let quote = from + memchr(b'"', &data[from..self.end])?;
            self.line += memchr_iter(b'\n', &data[from..quote]).count() as u32;
            if to < from {
                data.copy_within(from..quote, to);
            }
            to += quote - from;
            if data[quote + 1] != b'"' {
                return Some((to, quote + 1));
            }
            data[to] = b'"';
            to += 1;
            from = quote + 2;
        }
    }
}

/// A field of a row with quotes: its text, where the next field starts, and whether the row ends.
struct Field {
    start: usize,
    end: usize,
    next: usize,
    last: bool,
}
