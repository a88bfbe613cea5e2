//! The columns of one block, coded with dictionaries of their own.
//!
//! Workers share nothing: each block numbers the texts it meets by itself, and the numbers are made
//! one later, in block order. So the result does not depend on how many workers there are.

use super::fault::{Fault, What};
use super::scan::Stripe;
use super::short::{Key, ShortTable};
use crate::Want;
use crate::codes::GrowingCodes;
use crate::integer::plain_integer;
use hashbrown::HashTable;
use scumble_table::{Code, NULL};
use std::hash::BuildHasher;

/// A distinct text of a block: a piece of the block's data, and the line where it first stood.
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
        let fault = |row: usize, what| Fault { line: stripe.lines[row], column: Some(column), what };
        match self {
            LocalColumn::Skipped => Ok(()),
            LocalColumn::Text(text) => text.append(data, spans, &stripe.lines).map_err(|row| fault(row, What::NotUtf8)),
            LocalColumn::Integer(numbers) => {
                for (row, (start, end)) in spans.enumerate() {
                    let cell = &data[start as usize..end as usize];
                    let number = plain_integer(cell)
                        .ok_or_else(|| fault(row, What::NotInteger(String::from_utf8_lossy(cell).into_owned())))?;
                    numbers.push(number);
                }
                Ok(())
            }
        }
    }
}

/// Codes cells as long as they are empty or short and known. Gives the first cell that is not, and
/// leaves `row` at it.
#[inline(always)]
fn known_texts(
    short: &ShortTable<u64>,
    middle: &ShortTable<u128>,
    data: &[u8],
    spans: &mut impl Iterator<Item = (u32, u32)>,
    codes: &mut [Code],
    row: &mut usize,
) -> Option<(u32, u32)> {
    for code in &mut codes[*row..] {
        let (start, end) = spans.next()?;
        let (at, len) = (start as usize, (end - start) as usize);
        let found = if len.wrapping_sub(1) < u64::LONGEST {
            short.find(u64::of(data, at, len)).ok()
        } else if len == 0 {
            Some(NULL)
        } else if len <= u128::LONGEST {
            middle.find(u128::of(data, at, len)).ok()
        } else {
            None
        };
        match found {
            Some(found) => *code = found,
            None => return Some((start, end)),
        }
        *row += 1;
    }
    None
}

/// A text column of a block: texts by code, and a code for each row.
#[derive(Debug, Default)]
pub(crate) struct LocalText {
    short: ShortTable<u64>,
    middle: ShortTable<u128>,
    /// Codes of texts too long for the short tables.
    long: HashTable<Code>,
    hasher: foldhash::fast::RandomState,
    pub(crate) entries: Vec<Entry>,
    pub(crate) codes: GrowingCodes,
    /// Codes of the stripe at hand.
    stripe: Vec<Code>,
}

impl LocalText {
    fn clear(&mut self) {
        self.short.clear();
        self.middle.clear();
        self.long.clear();
        self.entries.clear();
        self.codes.clear();
    }

    /// Appends cells; gives the row of the first one that is not UTF-8.
    fn append(&mut self, data: &[u8], mut spans: impl Iterator<Item = (u32, u32)>, lines: &[u32]) -> Result<(), usize> {
        let mut codes = std::mem::take(&mut self.stripe);
        codes.clear();
        codes.resize(lines.len(), NULL);
        let mut row = 0;
        let result = loop {
            // Short texts known already, nearly all cells, are done in a loop that changes nothing but `codes`.
            let Some((start, end)) = known_texts(&self.short, &self.middle, data, &mut spans, &mut codes, &mut row)
            else {
                break Ok(());
            };
            let Some(code) = self.other_text(data, start as usize, (end - start) as usize, lines[row]) else {
                break Err(row);
            };
            codes[row] = code;
            row += 1;
        };
        self.codes.append(&codes, self.entries.len() as Code);
        self.stripe = codes;
        result
    }

    /// The code of a text that is new or long; `None` if it is not UTF-8.
    fn other_text(&mut self, data: &[u8], start: usize, len: usize, line: u32) -> Option<Code> {
        if len > u128::LONGEST {
            return self.long_code(data, start, len, line);
        }
        let code = self.enter(data, start, len, line)?;
        if len <= u64::LONGEST {
            insert(&mut self.short, u64::of(data, start, len), code);
        } else {
            insert(&mut self.middle, u128::of(data, start, len), code);
        }
        Some(code)
    }

    /// The code of a text too long for the short tables; `None` if it is not UTF-8.
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

    /// Gives a new text its code; `None` if it is not UTF-8. Every cell is a repetition of a text
    /// that passed here, so no cell need be checked again.
    #[cold]
    #[inline(never)]
    fn enter(&mut self, data: &[u8], start: usize, len: usize, line: u32) -> Option<Code> {
        std::str::from_utf8(&data[start..start + len]).ok()?;
        self.entries.push(Entry { start: start as u32, len: len as u32, line });
        Some(self.entries.len() as Code)
    }
}

fn insert<K: Key>(table: &mut ShortTable<K>, key: K, code: Code) {
    if let Err(slot) = table.find(key) {
        table.insert(slot, key, code);
    }
}
