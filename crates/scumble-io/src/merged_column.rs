//! The columns of a whole file while its parts come in, in order.
//!
//! A part is a block of a CSV file, a row group of a Parquet file or an Arrow batch. Each numbers
//! its texts by itself; here the numbers become one, in the order of the parts, so that the result
//! does not depend on which thread read a part, and when.

use crate::codes::GrowingCodes;
use crate::dictionary::Interner;
use crate::fault::FaultKind;
use crate::{RawColumn, Want};
use scumble_table::{Code, Codes, NULL, Stored};
use std::sync::Arc;

/// A column of the file.
#[derive(Debug)]
pub(crate) enum MergedColumn {
    Skipped,
    Text(Box<MergedText>),
    Integer(Vec<u32>),
}

impl MergedColumn {
    pub(crate) fn new(want: Want, nulls: &Arc<[String]>) -> Self {
        match want {
            Want::Skip => MergedColumn::Skipped,
            Want::Text => MergedColumn::Text(Box::new(MergedText {
                interner: Interner::new(nulls.clone()),
                codes: GrowingCodes::default(),
                map: Vec::new(),
                stored: Stored::default(),
            })),
            Want::Integer => MergedColumn::Integer(Vec::new()),
        }
    }

    /// Appends the same column of the next part; parts of another kind are none.
    pub(crate) fn append(&mut self, part: &RawColumn) -> Result<(), FaultKind> {
        match (self, part) {
            (MergedColumn::Text(whole), RawColumn::Text { dictionary, codes }) => {
                // All parts of a file store a column alike.
                whole.stored.clone_from(dictionary.stored());
                whole.append(dictionary.iter().map(|text| (text, 0)), codes)
            }
            (MergedColumn::Integer(whole), RawColumn::Integer(numbers)) => {
                whole.extend_from_slice(numbers);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Makes room for `n_rows` rows in all.
    pub(crate) fn reserve(&mut self, n_rows: usize) {
        match self {
            MergedColumn::Skipped => {}
            MergedColumn::Text(text) => text.codes.reserve(n_rows),
            MergedColumn::Integer(numbers) => numbers.reserve_exact(n_rows.saturating_sub(numbers.len())),
        }
    }

    pub(crate) fn finish(self) -> RawColumn {
        match self {
            MergedColumn::Skipped => RawColumn::Skipped,
            MergedColumn::Text(text) => RawColumn::Text {
                dictionary: text.interner.finish().with_stored(text.stored),
                codes: text.codes.finish(),
            },
            MergedColumn::Integer(numbers) => RawColumn::Integer(numbers),
        }
    }
}

/// A text column of the file.
#[derive(Debug)]
pub(crate) struct MergedText {
    interner: Interner,
    codes: GrowingCodes,
    /// For each code of the part at hand, the code in the file.
    map: Vec<Code>,
    /// What the file stores the column as.
    stored: Stored,
}

impl MergedText {
    /// Takes over the texts of a part, with the lines where they first stood, and its codes.
    pub(crate) fn append<'a>(
        &mut self,
        texts: impl Iterator<Item = (&'a str, u32)>,
        codes: &Codes,
    ) -> Result<(), FaultKind> {
        self.map.clear();
        self.map.push(NULL);
        for (text, line) in texts {
            self.map.push(self.interner.intern(text, line).ok_or(FaultKind::ManyTexts)?);
        }
        self.codes.append_mapped(codes, &self.map, self.interner.greatest());
        Ok(())
    }
}
