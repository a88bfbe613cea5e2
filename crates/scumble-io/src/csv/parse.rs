//! FaultKind a worker does with one block.

use super::Tuning;
use super::cut::Block;
use super::local::LocalColumn;
use super::scan::{Scanner, Shape, Stripe};
use crate::Want;
use crate::fault::{Fault, FaultKind};
use crate::merged_column::MergedColumn;

/// FaultKind all workers know about the file.
#[derive(Debug)]
pub(crate) struct Layout {
    shape: Shape,
    wants: Vec<Want>,
    stripe_rows: usize,
}

/// Room for the columns of a block, used again for the next one.
#[derive(Debug)]
pub(crate) struct Workspace {
    columns: Vec<LocalColumn>,
    stripe: Stripe,
}

/// A block whose columns are coded, as far as its first fault.
#[derive(Debug)]
pub(crate) struct Parsed {
    data: Vec<u8>,
    workspace: Workspace,
    pub(crate) n_rows: usize,
    pub(crate) n_lines: u32,
    /// Bytes taken from the file when the block was cut.
    pub(crate) taken: u64,
    pub(crate) fault: Option<Fault>,
}

impl Layout {
    pub(crate) fn new(delimiter: u8, wants: Vec<Want>, tuning: Tuning) -> Self {
        let n_columns = wants.len();
        Layout {
            shape: Shape { delimiter, n_columns },
            wants,
            stripe_rows: (tuning.stripe_fields / n_columns.max(1)).max(1),
        }
    }

    pub(crate) fn workspace(&self) -> Workspace {
        Workspace {
            columns: self.wants.iter().map(|want| LocalColumn::new(*want)).collect(),
            stripe: Stripe::default(),
        }
    }

    /// Finds the fields of a stripe, codes its columns one after the other, and goes on to the next.
    pub(crate) fn parse(&self, block: Block, mut workspace: Workspace) -> Parsed {
        let Block { mut data, end, taken } = block;
        let Workspace { columns, stripe } = &mut workspace;
        columns.iter_mut().for_each(LocalColumn::clear);
        let mut scanner = Scanner::new(self.shape, &data, end);
        let (mut n_rows, mut fault) = (0, None);
        while fault.is_none() && !scanner.is_done() {
            let scanned = scanner.fill(&mut data, stripe, self.stripe_rows);
            n_rows += stripe.n_rows();
            let first_fault = columns
                .iter_mut()
                .enumerate()
                .filter_map(|(at, column)| column.append(&data, stripe, at, self.shape.n_columns).err())
                .min_by_key(|fault| fault.line);
            // A row that the scanner could not read comes after all rows of the stripe.
            fault = first_fault.or(scanned.err());
        }
        Parsed { data, workspace, n_rows, n_lines: scanner.n_lines(), taken, fault }
    }
}

impl Parsed {
    /// Appends a column of this block to that of the file.
    pub(crate) fn join(&self, column: usize, whole: &mut MergedColumn, first_line: u64) -> Result<(), FaultKind> {
        match (whole, &self.workspace.columns[column]) {
            (MergedColumn::Text(whole), LocalColumn::Text(local)) => {
                let texts = local.entries.iter().map(|entry| {
                    let line = u32::try_from(first_line + u64::from(entry.line)).unwrap_or(u32::MAX);
                    // Checked when the text was entered.
                    (std::str::from_utf8(entry.bytes(&self.data)).unwrap_or_default(), line)
                });
                whole.append(texts, local.codes.codes())
            }
            (MergedColumn::Integer(whole), LocalColumn::Integer(local)) => {
                whole.extend_from_slice(local);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Gives back the room.
    pub(crate) fn recycle(self) -> (Workspace, Vec<u8>) {
        (self.workspace, self.data)
    }
}
