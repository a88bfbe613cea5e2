//! Small random tables of people.

use crate::dice::Dice;
use std::path::{Path, PathBuf};

/// A number, a date, a label with a hierarchy, a label without; two sensitive columns, one kept.
pub(crate) const COLUMNS: [&str; 7] = ["n", "d", "l", "m", "s", "t", "k"];

pub(crate) const TREE: &str = "a;ab;*\nb;ab;*\nc;cd;*\ne;cd;*\n";

pub(crate) type Row = Vec<String>;

/// People with nulls in every column; values recur often enough that some of them are alike.
pub(crate) fn people(n: usize, dice: &mut Dice) -> Vec<Row> {
    let row = |dice: &mut Dice| {
        let number = match dice.below(9) {
            0 => String::new(),
            _ => ["-3", "0", "1.5", "2", "7", "11", "12.25"][dice.below(7) as usize].to_string(),
        };
        let date = if dice.below(10) == 0 { String::new() } else { format!("2020-01-0{}", 1 + dice.below(6)) };
        let label = dice.pick(&["a", "b", "c", "e", ""]);
        let mark = dice.pick(&["1", "23", "12", "3", "x", ""]);
        let amount = dice.pick(&["", "10", "10.5", "12", "30", "30.25", "31"]);
        let ill = dice.pick(&["flu", "flu", "gout", "mumps", ""]);
        let kept = dice.pick(&["p", "q"]);
        [&number, &date, label, mark, amount, ill, kept].map(String::from).to_vec()
    };
    (0..n).map(|_| row(dice)).collect()
}

/// Writes rows as a file.
pub(crate) fn write(folder: &Path, name: &str, rows: &[Row]) -> PathBuf {
    let mut text = COLUMNS.join(",") + "\n";
    rows.iter().for_each(|row| text.push_str(&(row.join(",") + "\n")));
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Some of the columns by name, in any order.
pub(crate) fn some(from: &[&str], dice: &mut Dice) -> Vec<String> {
    let mut left = from.to_vec();
    let n = 1 + dice.below(from.len() as u64) as usize;
    (0..n).map(|_| left.remove(dice.below(left.len() as u64) as usize).to_string()).collect()
}
