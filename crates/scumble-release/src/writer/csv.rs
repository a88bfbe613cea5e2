//! A table of a release as CSV, at the speed of the memory.
//!
//! No cell is formatted twice: a group's `7,[17,24],F` is rendered once and copied for each of its
//! rows, and so is every distinct value with its comma and quotes.

use crate::form::{Cells, Column, Grouped, Layout, STAR, SUPPRESSED};
use scumble_io::write_csv_field;
use scumble_table::Decimal;

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
    n_rows: usize,
    /// Where the table shows groups: theirs of each row, and how they look.
    groups: Option<GroupCells<'a>>,
    columns: Vec<(Cells<'a>, Texts)>,
    suppressed: Vec<u8>,
}

/// The cells that rows share with their group: its number and its quasi-identifiers.
struct GroupCells<'a> {
    row_group: &'a [u32],
    /// Whether rows begin with the number of their group.
    numbered: bool,
    quasi: Vec<(Texts, &'a [u32])>,
    /// `7,[17,24],F` for each group, unless that takes too much memory.
    rendered: Option<Texts>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(layout: &Layout<'a>) -> Self {
        let grouped = layout.groups.is_some();
        let column = |(at, column): (usize, &Column<'a>)| match column.cells {
            Cells::Texts { texts, .. } => (column.cells, fields(texts, grouped || at > 0)),
            cells => (cells, Texts::default()),
        };
        let mut suppressed = Vec::new();
        let numbered = layout.groups.is_some_and(|groups| groups.number.is_some());
        let quasi = layout.groups.map_or(0, |groups| groups.shared().count());
        let starred = std::iter::repeat_n(false, usize::from(numbered)).chain(std::iter::repeat_n(true, quasi));
        let starred = starred.chain(layout.columns.iter().map(|column| !matches!(column.cells, Cells::Groups(_))));
        for (at, starred) in starred.enumerate() {
            suppressed.extend_from_slice(if at > 0 { b"," } else { b"" });
            suppressed.extend_from_slice(if starred { STAR.as_bytes() } else { b"" });
        }
        suppressed.push(b'\n');
        let groups = layout.groups.map(|grouped| {
            let Grouped { n_groups, row_group, .. } = grouped;
            let quasi = grouped
                .shared()
                .enumerate()
                .map(|(at, column)| (fields(column.texts, numbered || at > 0), column.of_group));
            let mut groups = GroupCells { row_group, numbered, quasi: quasi.collect(), rendered: None };
            groups.render(n_groups);
            groups
        });
        let columns = layout.columns.iter().enumerate().map(column).collect();
        Sheet { n_rows: layout.n_rows, groups, columns, suppressed }
    }

    pub(super) fn n_blocks(&self) -> usize {
        self.n_rows.div_ceil(BLOCK_ROWS)
    }

    /// Appends a block and returns its number of rows.
    pub(super) fn block(&self, block: usize, out: &mut Vec<u8>) -> u64 {
        let from = block * BLOCK_ROWS;
        let to = (from + BLOCK_ROWS).min(self.n_rows);
        for row in from..to {
            if let Some(groups) = &self.groups {
                match groups.row_group[row] {
                    SUPPRESSED => {
                        out.extend_from_slice(&self.suppressed);
                        continue;
                    }
                    group => groups.put(group, out),
                }
            }
            for (at, (cells, texts)) in self.columns.iter().enumerate() {
                if let Cells::Texts { codes, .. } = cells {
                    out.extend_from_slice(texts.get(codes.get(row) as usize));
                    continue;
                }
                if self.groups.is_some() || at > 0 {
                    out.push(b',');
                }
                match cells {
                    Cells::Place => number(row as u64 + 1, out),
                    Cells::Numbers(numbers) => number(numbers[row].into(), out),
                    Cells::Groups(groups) => number(u64::from(groups[row]) + 1, out),
                    Cells::Amounts { scale, of_row, .. } => {
                        out.extend_from_slice(Decimal::new(of_row[row], *scale).to_string().as_bytes());
                    }
                    Cells::Empty | Cells::Texts { .. } => {}
                }
            }
            out.push(b'\n');
        }
        (to - from) as u64
    }
}

impl GroupCells<'_> {
    /// Renders every group, if that does not take too much memory.
    fn render(&mut self, n_groups: u32) {
        const NUMBER: usize = 10;
        let widest = NUMBER + self.quasi.iter().map(|(texts, _)| texts.longest()).sum::<usize>();
        if widest.saturating_mul(n_groups as usize) <= MAX_RENDERED {
            let mut rendered = Texts::default();
            for group in 0..n_groups {
                rendered.push(|bytes| self.put(group, bytes));
            }
            self.rendered = Some(rendered);
        }
    }

    /// Appends a group's number and box.
    fn put(&self, group: u32, out: &mut Vec<u8>) {
        if let Some(rendered) = &self.rendered {
            out.extend_from_slice(rendered.get(group as usize));
            return;
        }
        if self.numbered {
            number(u64::from(group) + 1, out);
        }
        for (texts, of_group) in &self.quasi {
            out.extend_from_slice(texts.get(of_group[group as usize] as usize));
        }
    }
}

/// Texts with their quotes, and with a comma before each unless they begin the line.
fn fields(texts: &[String], comma: bool) -> Texts {
    let mut out = Texts::default();
    for text in texts {
        out.push(|bytes| {
            if comma {
                bytes.push(b',');
            }
            write_csv_field(bytes, text);
        });
    }
    out
}

/// The first line.
pub(super) fn header(layout: &Layout<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, name) in layout.column_names().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_csv_field(&mut out, &name);
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
