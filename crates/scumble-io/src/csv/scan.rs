//! Finding the fields of a block.
//!
//! Sixty-four bytes at a time, a word with one bit per byte says where delimiters, line ends and
//! quotes are, and only those bytes are looked at. Doubled quotes are undone in place, so that every
//! field is a piece of the block itself.

use super::marks::{STEP, marks};
use crate::fault::{Fault, FaultKind};
use memchr::memchr;

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
}

impl Scanner {
    pub(crate) fn new(shape: Shape, data: &[u8], end: usize) -> Self {
        Scanner { shape, at: 0, end, line: 0, quotes: memchr(b'"', &data[..end]).is_some() }
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
        let result =
            if self.quotes { self.quoted_rows(data, stripe, most) } else { self.plain_rows(data, stripe, most) };
        // Fields of a row that is not part of this stripe.
        let n_fields = stripe.n_rows() * self.shape.n_columns;
        stripe.ends.truncate(n_fields);
        stripe.starts.truncate(n_fields);
        result
    }

    /// Rows of a block without quotes.
    fn plain_rows(&mut self, data: &[u8], stripe: &mut Stripe, most: usize) -> Result<(), Fault> {
        let delimiter = self.shape.delimiter;
        let mut base = self.at;
        while base < self.end {
            let mut found = marks(data, base, [delimiter, b'\n', b'\n']);
            while found != 0 {
                let at = base + found.trailing_zeros() as usize;
                found &= found - 1;
                if data[at] != b'\n' {
                    stripe.ends.push(at as u32);
                    continue;
                }
                stripe.ends.push(before_return(data, self.at, at) as u32);
                self.end_row(stripe, self.line)?;
                self.line += 1;
                self.at = at + 1;
                if stripe.n_rows() == most {
                    return Ok(());
                }
            }
            base += STEP;
        }
        Ok(())
    }

    /// Rows of a block with quotes. A quote opens a field only where the field begins, and then
    /// delimiters and line ends are text until it is closed; anywhere else it is text itself.
    fn quoted_rows(&mut self, data: &mut [u8], stripe: &mut Stripe, most: usize) -> Result<(), Fault> {
        let delimiter = self.shape.delimiter;
        let mut field = Field::at(self.at);
        let (mut row_line, mut base, mut skip) = (self.line, self.at, usize::MAX);
        while base < self.end {
            let mut found = marks(data, base, [delimiter, b'\n', b'"']);
            while found != 0 {
                let at = base + found.trailing_zeros() as usize;
                found &= found - 1;
                let byte = data[at];
                if field.open {
                    match byte {
                        _ if at == skip => {}
                        b'"' if data[at + 1] == b'"' => {
                            field.doubled = true;
                            skip = at + 1;
                        }
                        b'"' => field.close(at),
                        b'\n' => self.line += 1,
                        _ => {}
                    }
                    continue;
                }
                if byte == b'"' {
                    if at == field.start {
                        field.open(at, self.line);
                    } else if field.closed.is_some() {
                        return Err(self.fault(stripe, self.line, FaultKind::AfterQuote));
                    }
                    continue;
                }
                let stop = if byte == b'\n' { before_return(data, field.start, at) } else { at };
                let Some(end) = field.end(data, stop) else {
                    return Err(self.fault(stripe, self.line, FaultKind::AfterQuote));
                };
                stripe.starts.push(field.start as u32);
                stripe.ends.push(end as u32);
                field = Field::at(at + 1);
                if byte != b'\n' {
                    continue;
                }
                self.end_row(stripe, row_line)?;
                self.line += 1;
                row_line = self.line;
                self.at = at + 1;
                if stripe.n_rows() == most {
                    return Ok(());
                }
            }
            base += STEP;
        }
        if field.open {
            return Err(self.fault(stripe, field.line, FaultKind::OpenQuote));
        }
        Ok(())
    }

    /// Checks the row whose fields were found last; a blank line is a row only of a single column.
    #[inline(always)]
    fn end_row(&self, stripe: &mut Stripe, line: u32) -> Result<(), Fault> {
        let n_columns = self.shape.n_columns;
        let before = stripe.n_rows() * n_columns;
        let found = stripe.ends.len() - before;
        if found == n_columns {
            stripe.row_starts.push(self.at as u32);
            stripe.lines.push(line);
            return Ok(());
        }
        let quoted = stripe.starts.last().is_some_and(|&start| start as usize > self.at);
        if found == 1 && stripe.ends[before] as usize == self.at && !quoted {
            stripe.ends.truncate(before);
            stripe.starts.truncate(before);
            return Ok(());
        }
        Err(Fault { line, column: None, kind: FaultKind::Fields { found, wanted: n_columns } })
    }

    /// A fault of the field after those found last.
    fn fault(&self, stripe: &Stripe, line: u32, kind: FaultKind) -> Fault {
        Fault { line, column: Some(stripe.ends.len() - stripe.n_rows() * self.shape.n_columns), kind }
    }
}

/// The end of a text before a line end, which may be one of two bytes.
#[inline(always)]
fn before_return(data: &[u8], start: usize, at: usize) -> usize {
    if at > start && data[at - 1] == b'\r' { at - 1 } else { at }
}

/// A field of a block with quotes, while its end is sought.
struct Field {
    /// Where its text starts.
    start: usize,
    /// True while a quote is open.
    open: bool,
    /// The closing quote, if there was one.
    closed: Option<usize>,
    /// True if a quote in it was doubled.
    doubled: bool,
    /// Line of the opening quote.
    line: u32,
}

impl Field {
    #[inline(always)]
    fn at(start: usize) -> Self {
        Field { start, open: false, closed: None, doubled: false, line: 0 }
    }

    #[inline(always)]
    fn open(&mut self, quote: usize, line: u32) {
        self.start = quote + 1;
        self.open = true;
        self.line = line;
    }

    #[inline(always)]
    fn close(&mut self, quote: usize) {
        self.open = false;
        self.closed = Some(quote);
    }

    /// Where the text ends, given where the field does; `None` if there is more after the closing
    /// quote. Doubled quotes are undone in place.
    #[inline(always)]
    fn end(&self, data: &mut [u8], stop: usize) -> Option<usize> {
        match self.closed {
            None => Some(stop),
            Some(quote) if quote + 1 != stop => None,
            Some(quote) if self.doubled => Some(undouble(data, self.start, quote)),
            Some(quote) => Some(quote),
        }
    }
}

/// Makes every doubled quote of a text one; gives where the text then ends.
#[cold]
fn undouble(data: &mut [u8], start: usize, end: usize) -> usize {
    let (mut from, mut to) = (start, start);
    while from < end {
        data[to] = data[from];
        // The text is closed, so the quotes in it come in pairs.
        from += if data[from] == b'"' { 2 } else { 1 };
        to += 1;
    }
    to
}
