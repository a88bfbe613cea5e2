//! A published quasi-identifier of a group, in the terms of the people.

use super::people::Column;

/// What a cell covers.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// One value.
    One(u32),
    /// Numbers from the first to the second; no person need have the values of the ends.
    Range(f64, f64),
    /// A list of labels, as rising codes.
    Labels(Vec<u32>),
    /// The labels under a node of a hierarchy, of which some may occur nowhere.
    Node(Vec<u32>),
    /// Everything.
    Any,
}

impl Cell {
    /// Whether somebody with this code may hide behind the cell.
    pub fn covers(&self, code: u32, column: &Column) -> bool {
        match self {
            Cell::One(one) => *one == code,
            Cell::Range(low, high) => (*low..=*high).contains(&column.places[code as usize]),
            Cell::Labels(codes) | Cell::Node(codes) => codes.binary_search(&code).is_ok(),
            Cell::Any => true,
        }
    }

    /// Whether it tells less than a value.
    pub fn is_generalized(&self) -> bool {
        !matches!(self, Cell::One(_))
    }
}

/// Whether a box covers a person: the plain way, which the fast one is tested against.
#[cfg(test)]
pub fn covers(cells: &[Cell], columns: &[Column], person: usize) -> bool {
    cells.iter().zip(columns).all(|(cell, column)| cell.covers(column.codes[person], column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_covers_what_it_says() {
        let column = Column::new("n", true, ["1", "5", "9"].into_iter()).unwrap();
        assert!(Cell::Range(4.0, 8.0).covers(1, &column) && !Cell::Range(4.0, 8.0).covers(2, &column));
        assert!(Cell::Labels(vec![0, 2]).covers(2, &column) && !Cell::Node(vec![0, 2]).covers(1, &column));
        assert!(Cell::Any.covers(0, &column) && Cell::One(0).covers(0, &column) && !Cell::One(0).covers(1, &column));
        assert!(Cell::Any.is_generalized() && !Cell::One(0).is_generalized());
    }
}
