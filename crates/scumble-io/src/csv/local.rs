//! The columns of one block, coded with dictionaries of their own.
//!
//! Workers share nothing: each block numbers the texts it meets by itself, and the numbers are made
//! one later, in block order. So the result does not depend on how many workers there are.

use super::scan::Stripe;
use super::short::{Key, ShortTable, Wide};
use crate::Want;
use crate::codes::GrowingCodes;
use crate::fault::{Fault, FaultKind};
use crate::integer::plain_integer;
use hashbrown::HashTable;
use scumble_table::{Code, NULL};
use std::hash::BuildHasher;

/// A text of a block: a piece of the block's data, and the line where it stood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    start: u32,
    len: u32,
    pub(crate) line: u32,
}

impl Entry {
    pub(crate) fn bytes<'a>(&self, data: &'a [u8]) -> &'a [u8] {
        &data[self.start as usize..(self.start + self.len) as usize]
    }
}

/// One column of a block.
#[derive(Debug)]
pub(crate) enum LocalColumn {
    Skipped,
    Text(LocalText),
    Integer(Vec<u32>),
}

impl LocalColumn {
    pub(crate) fn new(want: Want) -> Self {
        match want {
            Want::Skip => LocalColumn::Skipped,
            Want::Text => LocalColumn::Text(LocalText::default()),
            Want::Integer => LocalColumn::Integer(Vec::new()),
        }
    }

    /// Forgets the block but keeps the room.
    pub(crate) fn clear(&mut self) {
        match self {
            LocalColumn::Skipped => {}
            LocalColumn::Text(text) => text.clear(),
            LocalColumn::Integer(numbers) => numbers.clear(),
        }
    }

    /// Appends this column's cells of a stripe.
    pub(crate) fn append(
        &mut self,
        data: &[u8],
        stripe: &Stripe,
        column: usize,
        n_columns: usize,
    ) -> Result<(), Fault> {
        if matches!(self, LocalColumn::Skipped) {
            return Ok(());
        }
        let ends = stripe.ends.chunks_exact(n_columns);
        if !stripe.starts.is_empty() {
            let starts = stripe.starts.chunks_exact(n_columns);
            self.append_spans(data, starts.zip(ends).map(|(s, e)| (s[column], e[column])), stripe, column)
        } else if column == 0 {
            self.append_spans(data, stripe.row_starts.iter().zip(ends).map(|(s, e)| (*s, e[0])), stripe, column)
        } else {
            self.append_spans(data, ends.map(|e| (e[column - 1] + 1, e[column])), stripe, column)
        }
    }

    fn append_spans(
        &mut self,
        data: &[u8],
        spans: impl Iterator<Item = (u32, u32)>,
        stripe: &Stripe,
        column: usize,
    ) -> Result<(), Fault> {
        let fault = |row: usize, kind| Fault { line: stripe.lines[row], column: Some(column), kind };
        match self {
            LocalColumn::Skipped => Ok(()),
            LocalColumn::Text(text) => {
                text.append(data, spans, &stripe.lines).map_err(|row| fault(row, FaultKind::NotUtf8))
            }
            LocalColumn::Integer(numbers) => {
                for (row, (start, end)) in spans.enumerate() {
                    let cell = &data[start as usize..end as usize];
                    let number = plain_integer(cell)
                        .ok_or_else(|| fault(row, FaultKind::NotInteger(String::from_utf8_lossy(cell).into_owned())))?;
                    numbers.push(number);
                }
                Ok(())
            }
        }
    }
}

/// A text column of a block: texts by code, and a code for each row.
#[derive(Debug, Default)]
pub(crate) struct LocalText {
    /// Codes of texts while all are short enough for one word.
    short: ShortTable<u64>,
    /// Codes of texts once some are longer.
    wide: ShortTable<Wide>,
    is_wide: bool,
    /// Codes of texts too long for either.
    long: HashTable<Code>,
    hasher: foldhash::fast::RandomState,
    pub(crate) entries: Vec<Entry>,
    pub(crate) codes: GrowingCodes,
    /// Codes of the stripe at hand.
    stripe: Vec<Code>,
}

/// A column with more distinct texts in a block than this, and more than half as many as rows, holds
/// something like names or measurements.
const MANY_TEXTS: usize = 2048;

impl LocalText {
    fn clear(&mut self) {
        self.short.clear();
        self.wide.clear();
        self.long.clear();
        self.entries.clear();
        self.codes.clear();
    }

    /// Appends cells; gives the row of the first one that is not UTF-8.
    fn append(&mut self, data: &[u8], spans: impl Iterator<Item = (u32, u32)>, lines: &[u32]) -> Result<(), usize> {
        let mut codes = std::mem::take(&mut self.stripe);
        codes.clear();
        codes.resize(lines.len(), NULL);
        let n_texts = self.entries.len();
        let result = if n_texts > MANY_TEXTS && n_texts * 2 > self.codes.codes().len() {
            self.every_text(data, spans, lines, &mut codes)
        } else {
            self.distinct_texts(data, spans, lines, &mut codes)
        };
        self.codes.append(&codes, self.entries.len() as Code);
        self.stripe = codes;
        result
    }

    /// Gives every cell a code of its own. Where texts seldom repeat, looking for the repetitions is
    /// left to the joining of the blocks, which must look each text up anyway.
    fn every_text(
        &mut self,
        data: &[u8],
        spans: impl Iterator<Item = (u32, u32)>,
        lines: &[u32],
        codes: &mut [Code],
    ) -> Result<(), usize> {
        for (row, ((start, end), code)) in spans.zip(codes).enumerate() {
            if end > start {
                *code = self.enter(data, start as usize, (end - start) as usize, lines[row]).ok_or(row)?;
            }
        }
        Ok(())
    }

    fn distinct_texts(
        &mut self,
        data: &[u8],
        mut spans: impl Iterator<Item = (u32, u32)>,
        lines: &[u32],
        codes: &mut [Code],
    ) -> Result<(), usize> {
        let mut row = 0;
        loop {
            // Short texts known already, nearly all cells, are done in a loop that changes nothing but
            // `codes`.
            let other = if self.is_wide {
                known_texts(&self.wide, data, &mut spans, codes, &mut row)
            } else {
                known_texts(&self.short, data, &mut spans, codes, &mut row)
            };
            let Some((start, end)) = other else { return Ok(()) };
            codes[row] = self.other_text(data, start as usize, (end - start) as usize, lines[row]).ok_or(row)?;
            row += 1;
        }
    }

    /// The code of a text that is new or long; `None` if it is not UTF-8.
    fn other_text(&mut self, data: &[u8], start: usize, len: usize, line: u32) -> Option<Code> {
        if len > Wide::LONGEST {
            return self.long_code(data, start, len, line);
        }
        if len > u64::LONGEST && !self.is_wide {
            self.is_wide = true;
            for (entry, code) in self.entries.iter().zip(1..).filter(|(entry, _)| entry.len as usize <= u64::LONGEST) {
                insert(&mut self.wide, Wide::from_bytes(data, entry.start as usize, entry.len as usize), code);
            }
        }
        let code = self.enter(data, start, len, line)?;
        if self.is_wide {
            insert(&mut self.wide, Wide::from_bytes(data, start, len), code);
        } else {
            insert(&mut self.short, u64::from_bytes(data, start, len), code);
        }
        Some(code)
    }

    /// The code of a text too long for the tables of short ones; `None` if it is not UTF-8.
    fn long_code(&mut self, data: &[u8], start: usize, len: usize, line: u32) -> Option<Code> {
        let text = &data[start..start + len];
        let hash = self.hasher.hash_one(text);
        let entries = &self.entries;
        if let Some(&code) = self.long.find(hash, |&code| entries[code as usize - 1].bytes(data) == text) {
            return Some(code);
        }
        let code = self.enter(data, start, len, line)?;
        let LocalText { long, entries, hasher, .. } = self;
        long.insert_unique(hash, code, |&code| hasher.hash_one(entries[code as usize - 1].bytes(data)));
        Some(code)
    }

    /// Gives a text a new code; `None` if it is not UTF-8. Every cell is one of these texts or the
    /// repetition of one, so no cell need be checked again.
    fn enter(&mut self, data: &[u8], start: usize, len: usize, line: u32) -> Option<Code> {
        std::str::from_utf8(&data[start..start + len]).ok()?;
        self.entries.push(Entry { start: start as u32, len: len as u32, line });
        Some(self.entries.len() as Code)
    }
}

/// Codes cells as long as they are empty or in the table. Gives the first cell that is not, and leaves
/// `row` at it.
#[inline(always)]
fn known_texts<K: Key>(
    table: &ShortTable<K>,
    data: &[u8],
    spans: &mut impl Iterator<Item = (u32, u32)>,
    codes: &mut [Code],
    row: &mut usize,
) -> Option<(u32, u32)> {
    for code in &mut codes[*row..] {
        let (start, end) = spans.next()?;
        let len = (end - start) as usize;
        if len.wrapping_sub(1) < K::LONGEST {
            match table.find(K::from_bytes(data, start as usize, len)) {
                Ok(found) => *code = found,
                Err(_) => return Some((start, end)),
            }
        } else if len > 0 {
            return Some((start, end));
        }
        *row += 1;
    }
    None
}

fn insert<K: Key>(table: &mut ShortTable<K>, key: K, code: Code) {
    if let Err(slot) = table.find(key) {
        table.insert(slot, key, code);
    }
}
