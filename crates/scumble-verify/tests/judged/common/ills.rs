//! Illnesses that are more or less alike, beside salaries.

use super::Maker;
use scumble_principle::LoadedDistance;
use scumble_table::{Kind, Matrix, MatrixEntry, Role};

/// The distance of both, by a matrix and by range.
pub const L1: &str = "l1(illness \\(now\\):matrix:ill/my.csv*0.5, pay:range*0.5)";

const MATRIX: [[&str; 3]; 7] = [
    ["flu", "cold", "0.1"],
    ["flu", "gout", "1"],
    ["flu", "cancer, lung", "0.9"],
    ["cold", "gout", "1"],
    ["cold", "cancer, lung", "0.8"],
    ["gout", "cancer, lung", "0.7"],
    ["flu", "unseen", "1"],
];

/// A distance whose matrices are all the same.
pub fn ruler(text: &str) -> LoadedDistance {
    let entry = |[row, column, distance]: &[&str; 3]| MatrixEntry {
        line: 1,
        row: row.to_string(),
        column: column.to_string(),
        distance: distance.to_string(),
    };
    let entries: Vec<MatrixEntry> = MATRIX.iter().map(entry).collect();
    LoadedDistance::new(text.parse().unwrap(), |file| Matrix::from_entries(file, &entries)).unwrap()
}

/// Groups of four with an illness and a salary each, which are far apart in every group; the last group is suppressed.
pub fn maker(distance: &str) -> Maker {
    let mut maker = Maker::people(12);
    maker.columns[3] = ("illness (now)".into(), Role::Sensitive, Kind::Nominal);
    maker.columns.push(("pay".into(), Role::Sensitive, Kind::Number));
    for (at, row) in maker.rows.iter_mut().enumerate() {
        let (illness, pay) = [("flu", "1000"), ("gout", "2000"), ("cancer, lung", "3000.5"), ("", "")][at % 4];
        row[3] = illness.into();
        row.push(pay.into());
    }
    maker.rows[8][5] = "9000".into();
    maker.groups[8..12].fill(None);
    maker.requirements = vec!["dissimilarity(0.2, 1, 4)".into()];
    maker.ruler = Some(ruler(distance));
    maker
}
