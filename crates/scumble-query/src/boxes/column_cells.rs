//! The values that a quasi-identifier of a generalized release may have, cut into cells on which conditions are constant.
//!
//! Labels and days are cells of their own. Numbers are cut at those that a condition compares them with: between two of
//! them no comparison changes. A condition that does more than compare is put to every whole number, and the column is
//! taken to hold no others.

use super::pieces::{self, AxisPiece, share};
use crate::engine;
use crate::value::Value;
use arrow_array::{ArrayRef, Date32Array};
use scumble_release::notation::Region;
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Code, Decimal, Domain, Error, Kind, NULL, Result, parse_date};
use std::sync::Arc;

/// Above this number of values, numbers are not looked at one by one; for days it is twenty times as high, since nothing
/// else can be done with them.
const MANY: i128 = 100_000;

/// The cells of a column. After the cells of values comes one for null, and then one for all values that the release does
/// not list: they may be behind `*`, and between the ends of an interval of labels.
pub(super) struct ColumnCells {
    column: PublishedColumn,
    cells: Cells,
    /// Whether intervals of labels may hold labels that are not listed.
    has_gaps: bool,
}

enum Cells {
    /// Labels of the manifest's domain.
    Labels(Vec<String>),
    /// Every whole number from the first to the second, or every day; none where the release shows nothing but null.
    Points { lo: i128, hi: i128 },
    /// Points where comparisons change, in units, and the open stretches between them.
    Pieces { pieces: Vec<AxisPiece>, scale: u8, discrete: bool },
}

impl ColumnCells {
    /// The cells of a column whose numbers have `scale` digits after the point. Comparisons are with `literals`, if
    /// conditions do nothing but compare; else `None`.
    pub(super) fn new(column: &PublishedColumn, scale: u8, literals: Option<&[Decimal]>) -> Result<ColumnCells> {
        let cells = match column.extent() {
            Extent::Labels(labels) => Cells::Labels(labels.clone()),
            Extent::Days(None) | Extent::Numbers(None) => Cells::Points { lo: 0, hi: -1 },
            Extent::Days(Some((lo, hi))) => Cells::Points { lo: (*lo).into(), hi: (*hi).into() },
            Extent::Numbers(Some((lo, hi))) => {
                let cut = literals.and_then(|literals| pieces::cut(*lo, *hi, scale, literals));
                match (cut, scale, lo.at_scale(0), hi.at_scale(0)) {
                    (Some((pieces, digits)), ..) => Cells::Pieces { pieces, scale: digits, discrete: scale == 0 },
                    (None, 0, Some(lo), Some(hi)) if hi.saturating_sub(lo) < MANY => Cells::Points { lo, hi },
                    _ => return Err(too_many(column)),
                }
            }
        };
        if let Cells::Points { lo, hi } = cells
            && hi.saturating_sub(lo) >= 20 * MANY
        {
            return Err(too_many(column));
        }
        Ok(ColumnCells { column: column.clone(), cells, has_gaps: column.is_numbered() })
    }

    pub(super) fn name(&self) -> &str {
        self.column.name()
    }

    /// Number of cells, those of null and of unlisted values included.
    pub(super) fn len(&self) -> usize {
        self.elsewhere() as usize + 1
    }

    /// The cell of values that the release does not list: what a condition comes to there is unknown.
    pub(super) fn elsewhere(&self) -> u32 {
        self.null() + 1
    }

    /// The cell of null.
    fn null(&self) -> u32 {
        match &self.cells {
            Cells::Labels(labels) => labels.len() as u32,
            Cells::Points { lo, hi } => (hi - lo + 1) as u32,
            Cells::Pieces { pieces, .. } => pieces.len() as u32,
        }
    }

    /// Whether the column is taken to hold whole numbers only, which the release does not say.
    pub(super) fn is_taken_as_whole(&self) -> bool {
        let numbers = self.column.kind() == Kind::Number && self.column.hierarchy().is_none();
        numbers && matches!(self.cells, Cells::Points { lo, hi } if lo <= hi)
    }

    /// Whether every cell is one value.
    pub(super) fn is_pointwise(&self) -> bool {
        !matches!(self.cells, Cells::Pieces { .. })
    }

    /// The value of a cell that is one value.
    pub(super) fn value(&self, cell: u32) -> Value {
        match &self.cells {
            _ if cell >= self.null() => Value::Null,
            Cells::Labels(labels) => Value::Label(labels[cell as usize].clone()),
            Cells::Points { lo, .. } if self.column.kind() == Kind::Date => Value::Date((lo + i128::from(cell)) as i32),
            Cells::Points { lo, .. } => Value::Number(Decimal::new(lo + i128::from(cell), 0)),
            Cells::Pieces { .. } => Value::Null,
        }
    }

    /// A value of each of these cells, for conditions to look at.
    pub(super) fn array(&self, cells: impl Iterator<Item = u32> + Clone) -> Result<ArrayRef> {
        let null = self.null();
        let place = move |cell: u32| if cell >= null { None } else { Some(cell) };
        match &self.cells {
            Cells::Labels(labels) => engine::labelled(labels, cells.map(place)),
            Cells::Points { lo, .. } if self.column.kind() == Kind::Date => Ok(Arc::new(Date32Array::from_iter(
                cells.map(|cell| place(cell).map(|cell| (lo + i128::from(cell)) as i32)),
            ))),
            Cells::Points { lo, hi } => {
                let values = cells.map(|cell| place(cell).map(|cell| lo + i128::from(cell)));
                engine::numbers(values, [*lo, *hi].into_iter(), 0)
            }
            Cells::Pieces { pieces, scale, .. } => {
                // Half a step is five tenths of one.
                let all = pieces.iter().flat_map(|piece| [piece.lo * 5, piece.hi * 5]);
                let values = cells.map(|cell| place(cell).map(|cell| pieces[cell as usize].inside() * 5));
                engine::numbers(values, all, *scale + 1)
            }
        }
    }

    /// The cell of a value that a row shows.
    pub(super) fn cell_of(&self, domain: &Domain, code: Code) -> Option<u32> {
        if code == NULL {
            return Some(self.null());
        }
        match self.cells {
            Cells::Labels(_) => self.column.position(&domain.text(code)),
            _ => self.cell_at(Decimal::new(domain.amount(code)?, domain.scale())),
        }
    }

    /// The cell of a number, or of a day since 1970.
    fn cell_at(&self, number: Decimal) -> Option<u32> {
        match &self.cells {
            Cells::Labels(_) => None,
            Cells::Points { lo, hi } => {
                number.at_scale(0).filter(|number| (lo..=hi).contains(&number)).map(|number| (number - lo) as u32)
            }
            Cells::Pieces { pieces, scale, .. } => {
                let half = number.at_scale(*scale)?.checked_mul(2)?;
                pieces.iter().position(|piece| piece.holds(half)).map(|at| at as u32)
            }
        }
    }

    /// What a region has of each cell: (cell, weight) of every cell that a value of the region may lie in. Weights add up
    /// to 1; a cell of weight 0 is possible and as good as never. `*` may be null or a value that is not listed, but no row
    /// is counted on to be.
    pub(super) fn spread(&self, region: &Region) -> Vec<(u32, f64)> {
        let (null, elsewhere) = (self.null(), self.elsewhere());
        let all = || -> Vec<(u32, f64)> {
            let mut cells = match (&self.cells, self.column.extent()) {
                (Cells::Pieces { .. }, Extent::Numbers(Some((lo, hi)))) => self.between(*lo, *hi),
                _ => even(0..null),
            };
            cells.push((null, if null == 0 { 1.0 } else { 0.0 }));
            cells.push((elsewhere, 0.0));
            cells
        };
        match (region, &self.cells) {
            (Region::Null, _) => vec![(null, 1.0)],
            (Region::All, _) => all(),
            (Region::Labels(places), _) => even(places.iter().copied()),
            (Region::Positions(lo, hi), _) => {
                let mut cells = even(*lo..hi + 1);
                // Labels that are numbers have others between them, of which only the ends of intervals are listed.
                if lo < hi && self.has_gaps {
                    cells.push((elsewhere, 0.0));
                }
                cells
            }
            (Region::Days(lo, hi), Cells::Points { lo: first, .. }) => {
                even((i128::from(*lo) - first) as u32..(i128::from(*hi) - first + 1) as u32)
            }
            (Region::Numbers(lo, hi), _) => self.between(*lo, *hi),
            (Region::Node(node), _) => self.under(*node),
            (Region::Days(..), _) => all(),
        }
    }

    fn between(&self, lo: Decimal, hi: Decimal) -> Vec<(u32, f64)> {
        match &self.cells {
            Cells::Points { lo: first, .. } => match (lo.at_scale(0), hi.at_scale(0)) {
                (Some(lo), Some(hi)) => even((lo - first) as u32..(hi - first + 1) as u32),
                _ => Vec::new(),
            },
            Cells::Pieces { pieces, scale, discrete } => {
                let half = |number: Decimal| number.at_scale(*scale).and_then(|units| units.checked_mul(2));
                match (half(lo), half(hi)) {
                    (Some(lo), Some(hi)) => share(pieces, lo, hi, discrete.then(|| 2 * 10i128.pow((*scale).into()))),
                    _ => Vec::new(),
                }
            }
            Cells::Labels(_) => Vec::new(),
        }
    }

    /// The values under a node of the hierarchy that lie in the manifest's domain.
    fn under(&self, node: u32) -> Vec<(u32, f64)> {
        let Some(tree) = self.column.hierarchy() else { return Vec::new() };
        let node = tree.node(node);
        let leaves = node.first_leaf..node.end_leaf;
        if let Cells::Labels(labels) = &self.cells {
            let covered = |label: &String| tree.leaf_of(label).is_some_and(|leaf| leaves.contains(&leaf));
            return even((0u32..).zip(labels).filter(|(_, label)| covered(label)).map(|(cell, _)| cell));
        }
        let number = |leaf: u32| match self.column.kind() {
            Kind::Date => parse_date(tree.value(leaf)).map(|day| Decimal::from(i64::from(day))),
            _ => Decimal::parse(tree.value(leaf)),
        };
        even(leaves.filter_map(number).filter_map(|number| self.cell_at(number)))
    }
}

/// Equal weights, cells that come several times counted as often.
fn even(cells: impl IntoIterator<Item = u32>) -> Vec<(u32, f64)> {
    let cells: Vec<u32> = cells.into_iter().collect();
    let weight = 1.0 / cells.len().max(1) as f64;
    cells.into_iter().map(|cell| (cell, weight)).collect()
}

fn too_many(column: &PublishedColumn) -> Error {
    Error::request("question", column.name(), "this column has too many possible values to try each of them")
        .hint("compare it with numbers by =, <, >, BETWEEN or IN, without functions or arithmetic")
}
