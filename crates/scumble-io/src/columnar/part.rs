//! One column of a row group or of a run of batches, with a dictionary of its own.

use super::text::{bits, push_text_of, stored_as};
use crate::codes::GrowingCodes;
use crate::dictionary::Interner;
use crate::fault::FaultKind;
use crate::integer::plain_integer;
use crate::{NULL_INTEGER, RawColumn, Want};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::DataType;
use hashbrown::HashTable;
use scumble_table::{Code, NULL, Stored};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A column as far as it has been read.
#[derive(Debug)]
pub(super) struct Part {
    want: Want,
    interner: Interner,
    codes: GrowingCodes,
    numbers: Vec<u32>,
    /// Codes of the values seen so far, keyed by their bits: a value is turned into text once.
    seen: HashTable<(u128, Code)>,
    hasher: foldhash::fast::RandomState,
    /// Codes of the batch at hand, and room for a text.
    batch: Vec<Code>,
    text: String,
    stored: Stored,
}

impl Part {
    pub(super) fn new(want: Want, nulls: &Arc<[String]>) -> Self {
        Part {
            want,
            interner: Interner::new(nulls.clone()),
            codes: GrowingCodes::default(),
            numbers: Vec::new(),
            seen: HashTable::new(),
            hasher: Default::default(),
            batch: Vec::new(),
            text: String::new(),
            stored: Stored::default(),
        }
    }

    /// Appends the cells of an array.
    pub(super) fn append(&mut self, array: &ArrayRef) -> Result<(), FaultKind> {
        match self.want {
            Want::Skip => Ok(()),
            Want::Text => self.texts(array),
            Want::Integer => match array.data_type() {
                DataType::UInt32 => self.integers::<UInt32Type>(array, Some),
                DataType::Int32 => self.integers::<Int32Type>(array, |n| u32::try_from(n).ok()),
                DataType::Int64 => self.integers::<Int64Type>(array, |n| u32::try_from(n).ok()),
                _ => self.integers_from_texts(array),
            },
        }
    }

    pub(super) fn finish(self) -> RawColumn {
        match self.want {
            Want::Skip => RawColumn::Skipped,
            Want::Text => RawColumn::Text {
                dictionary: self.interner.finish().with_stored(self.stored),
                codes: self.codes.finish(),
            },
            Want::Integer => RawColumn::Integer(self.numbers),
        }
    }

    fn integers<T: ArrowPrimitiveType>(
        &mut self,
        array: &ArrayRef,
        read: impl Fn(T::Native) -> Option<u32>,
    ) -> Result<(), FaultKind> {
        let array = array.as_primitive::<T>();
        for row in 0..array.len() {
            let number = if array.is_null(row) {
                NULL_INTEGER
            } else {
                let value = array.value(row);
                read(value).filter(|&n| n != NULL_INTEGER).ok_or_else(|| FaultKind::NotInteger(format!("{value:?}")))?
            };
            self.numbers.push(number);
        }
        Ok(())
    }

    fn integers_from_texts(&mut self, array: &ArrayRef) -> Result<(), FaultKind> {
        let mut text = std::mem::take(&mut self.text);
        for row in 0..array.len() {
            text.clear();
            push_text_of(array, row, &mut text)?;
            self.numbers.push(plain_integer(text.as_bytes()).ok_or_else(|| FaultKind::NotInteger(text.clone()))?);
        }
        self.text = text;
        Ok(())
    }

    fn texts(&mut self, array: &ArrayRef) -> Result<(), FaultKind> {
        self.stored = stored_as(array.data_type());
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        match array.data_type() {
            DataType::Utf8 => self.strings(array.as_string::<i32>().iter(), &mut batch)?,
            DataType::LargeUtf8 => self.strings(array.as_string::<i64>().iter(), &mut batch)?,
            DataType::Utf8View => self.strings(array.as_string_view().iter(), &mut batch)?,
            DataType::Dictionary(..) => self.dictionary(array, &mut batch)?,
            _ => self.values(array, &mut batch)?,
        }
        self.codes.append(&batch, self.interner.greatest());
        self.batch = batch;
        Ok(())
    }

    fn strings<'a>(
        &mut self,
        cells: impl Iterator<Item = Option<&'a str>>,
        batch: &mut Vec<Code>,
    ) -> Result<(), FaultKind> {
        for cell in cells {
            batch.push(self.interner.intern(cell.unwrap_or_default(), 0).ok_or(FaultKind::ManyTexts)?);
        }
        Ok(())
    }

    /// Only values that some row points at are taken over, in the order of the rows.
    fn dictionary(&mut self, array: &ArrayRef, batch: &mut Vec<Code>) -> Result<(), FaultKind> {
        const UNKNOWN: Code = Code::MAX;
        let array = array.as_any_dictionary();
        let (keys, values) = (array.keys(), array.values());
        if values.is_empty() {
            batch.resize(keys.len(), NULL);
            return Ok(());
        }
        let mut codes = vec![UNKNOWN; values.len()];
        for (row, key) in array.normalized_keys().into_iter().enumerate() {
            if keys.is_null(row) {
                batch.push(NULL);
                continue;
            }
            if codes[key] == UNKNOWN {
                codes[key] = self.code_of(values, key)?;
            }
            batch.push(codes[key]);
        }
        Ok(())
    }

    fn values(&mut self, array: &ArrayRef, batch: &mut Vec<Code>) -> Result<(), FaultKind> {
        let Some(bits) = bits(array) else {
            for row in 0..array.len() {
                batch.push(self.code_of(array, row)?);
            }
            return Ok(());
        };
        for (row, bits) in bits.into_iter().enumerate() {
            if array.is_null(row) {
                batch.push(NULL);
                continue;
            }
            let hash = self.hasher.hash_one(bits);
            let code = match self.seen.find(hash, |(known, _)| *known == bits) {
                Some((_, code)) => *code,
                None => {
                    let code = self.code_of(array, row)?;
                    let hasher = &self.hasher;
                    self.seen.insert_unique(hash, (bits, code), |(bits, _)| hasher.hash_one(bits));
                    code
                }
            };
            batch.push(code);
        }
        Ok(())
    }

    /// The code of the text of a cell.
    fn code_of(&mut self, array: &ArrayRef, row: usize) -> Result<Code, FaultKind> {
        self.text.clear();
        push_text_of(array, row, &mut self.text)?;
        self.interner.intern(&self.text, 0).ok_or(FaultKind::ManyTexts)
    }
}
