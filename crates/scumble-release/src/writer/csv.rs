//! A table of a release as CSV, at the speed of the memory.
//!
//! No cell is formatted twice: a group's `7,[17,24],F` is rendered once and copied for each of its
//! rows, and so is every distinct value with its comma and quotes.

use crate::form::{Layout, STAR, SUPPRESSED};
use scumble_io::write_csv_field;
use scumble_table::Codes;

/// Rows in a block: some megabytes, enough to keep a core busy and few enough to keep memory small.
pub(super) const BLOCK_ROWS: usize = 1 << 15;

/// Rendered groups may take this much memory; beyond it they are put together row by row.
const MAX_RENDERED: usize = 256 << 20;

/// Texts laid end to end, ready to be copied.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    fn get(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }

    fn longest(&self) -> usize {
        (0..self.ends.len()).map(|at| self.get(at).len()).max().unwrap_or(0)
    }
}

/// All that is needed to render any row.
pub(super) struct Sheet<'a> {
    row_group: &'a [u32],
    quasi: Vec<(Texts, &'a [u32])>,
    values: Vec<(Texts, &'a Codes)>,
    counts: Option<&'a [u32]>,
    /// `7,[17,24],F` for each group, unless that takes too much memory.
    groups: Option<Texts>,
    suppressed: Vec<u8>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(layout: &Layout<'a>) -> Self {
        let fields = |texts: &[String]| {
            let mut out = Texts::default();
            for text in texts {
                out.push(|bytes| {
                    bytes.push(b',');
                    write_csv_field(bytes, text);
                });
            }
            out
        };
        let quasi: Vec<(Texts, &[u32])> =
            layout.quasi.iter().map(|column| (fields(&column.texts), column.of_group.as_slice())).collect();
        let values = layout.values.iter().map(|column| (fields(&column.texts), &column.codes)).collect();
        let mut suppressed = Vec::new();
        for _ in 1..layout.column_names().count() {
            suppressed.push(b',');
            suppressed.extend_from_slice(STAR.as_bytes());
        }
        suppressed.push(b'\n');
        let Layout { row_group, n_groups, counts, .. } = *layout;
        let mut sheet = Sheet { row_group, quasi, values, counts, groups: None, suppressed };
        const NUMBER: usize = 10;
        let widest = NUMBER + sheet.quasi.iter().map(|(texts, _)| texts.longest()).sum::<usize>();
        if widest.saturating_mul(n_groups as usize) <= MAX_RENDERED {
            let mut groups = Texts::default();
            for group in 0..n_groups {
                groups.push(|bytes| sheet.group(group, bytes));
            }
            sheet.groups = Some(groups);
        }
        sheet
    }

    pub(super) fn n_blocks(&self) -> usize {
        self.row_group.len().div_ceil(BLOCK_ROWS)
    }

    /// Appends a block and returns its number of rows.
    pub(super) fn block(&self, block: usize, out: &mut Vec<u8>) -> u64 {
        let from = block * BLOCK_ROWS;
        let to = (from + BLOCK_ROWS).min(self.row_group.len());
        for row in from..to {
            match (self.row_group[row], &self.groups) {
                (SUPPRESSED, _) => {
                    out.extend_from_slice(&self.suppressed);
                    continue;
                }
                (group, Some(groups)) => out.extend_from_slice(groups.get(group as usize)),
                (group, None) => self.group(group, out),
            }
            for (texts, codes) in &self.values {
                out.extend_from_slice(texts.get(codes.get(row) as usize));
            }
            if let Some(counts) = self.counts {
                out.push(b',');
                number(counts[row].into(), out);
            }
            out.push(b'\n');
        }
        (to - from) as u64
    }

    /// Appends a group's number and box.
    fn group(&self, group: u32, out: &mut Vec<u8>) {
        number(u64::from(group) + 1, out);
        for (texts, of_group) in &self.quasi {
            out.extend_from_slice(texts.get(of_group[group as usize] as usize));
        }
    }
}

/// The first line.
pub(super) fn header(layout: &Layout<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, name) in layout.column_names().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_csv_field(&mut out, name);
    }
    out.push(b'\n');
    out
}

fn number(mut n: u64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
