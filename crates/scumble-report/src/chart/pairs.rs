//! One quantity for each pair of several names.

use super::draw::{LETTER, longest, remark, shortened, text};
use super::tints::{Tints, value_at};
use super::{Axis, Chart, WIDTH, extremes};
use crate::number::brief;
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const TOP: f64 = 36.0;
const RIGHT: f64 = WIDTH - 28.0;

/// The most letters of a name that are shown next to its row.
const NAME_LETTERS: usize = 18;

/// More names than this leave fields too small to be seen; the first ones are drawn, and the table has all.
const MOST: usize = 24;

/// A quantity for each pair of names, and for each name alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    /// The names.
    pub names: Vec<String>,
    /// The quantity, for each name one for each name up to itself; not a finite number where it is not known.
    pub values: Vec<Vec<f64>>,
    /// The quantities at which the tint changes, rising; at most five are looked at.
    pub levels: Vec<f64>,
}

impl Pairs {
    /// The fields of the first `n` names, row by row, with their quantity.
    fn fields(&self, n: usize) -> impl Iterator<Item = ((usize, usize), f64)> + Clone {
        let fields = (0..n).flat_map(|row| (0..=row).map(move |column| (row, column)));
        fields.map(|(row, column)| ((row, column), value_at(&self.values, row, column)))
    }

    /// Both names, or the one.
    fn name(&self, (row, column): (usize, usize)) -> String {
        match row == column {
            true => self.names[row].clone(),
            false => format!("{} and {}", self.names[row], self.names[column]),
        }
    }
}

/// Draws a tinted field for each pair, in a triangle whose diagonal is each name alone. Rows are named and numbered, columns
/// carry the numbers.
pub fn pairs(title: &str, quantity: &Axis, pairs: &Pairs) -> Chart {
    let figures = listed(title, quantity, pairs);
    let n = pairs.names.len().min(MOST);
    if !pairs.fields(n).any(|(_, value)| value.is_finite()) {
        return Chart::empty(title, figures);
    }
    let tints = Tints::new(quantity, &pairs.levels);
    let label = |at: usize| format!("{} {}", shortened(&pairs.names[at], NAME_LETTERS), at + 1);
    let left = 18.0 + LETTER * longest((0..n).map(label)) as f64;
    let column = ((RIGHT - left) / n as f64).min(76.0);
    let row = (360.0 / n as f64).clamp(22.0, 44.0);
    let bottom = TOP + row * n as f64;
    let widest = longest(pairs.fields(n).map(|(_, value)| quantity.marked(brief(value))));
    // Figures stand in the fields where all of them fit.
    let written = LETTER * widest as f64 + 2.0 <= column;
    let mut marks = String::new();
    for ((i, j), value) in pairs.fields(n) {
        let corner = (left + column * j as f64, TOP + row * i as f64);
        marks.push_str(&tints.field(corner, (column, row), &pairs.name((i, j)), value));
        if written && value.is_finite() {
            let (x, y) = (corner.0 + column / 2.0, corner.1 + row / 2.0 + 5.0);
            let class = format!("on{}", tints.tint(value));
            marks.push_str(&text(x, y, "middle", &class, &quantity.marked(brief(value))));
        }
    }
    // Numbers of columns that would touch are left out.
    let every = (LETTER * n.to_string().len() as f64 / column).ceil().max(1.0) as usize;
    for at in 0..n {
        let middle = at as f64 + 0.5;
        marks.push_str(&text(left - 8.0, TOP + row * middle + 4.5, "end", "tick", &label(at)));
        if at % every == 0 {
            marks.push_str(&text(left + column * middle, TOP - 10.0, "middle", "tick", &(at + 1).to_string()));
        }
    }
    let mut description = describe(quantity, pairs);
    if n < pairs.names.len() {
        let words = format!("The first {n} of {} names are drawn.", pairs.names.len());
        remark(&mut marks, &mut description, ((left + RIGHT) / 2.0, bottom + 26.0), &words);
    }
    let (key, height) = tints.legend(18.0, bottom + 40.0);
    marks.push_str(&key);
    Chart { title: title.to_owned(), description, height, marks, figures }
}

fn listed(title: &str, quantity: &Axis, pairs: &Pairs) -> Table {
    let mut table = Table::new(title, &["Name", "And", &quantity.title()]).figures_in(&[2]).named_rows();
    for ((row, column), value) in pairs.fields(pairs.names.len()) {
        let name = |at: usize| Text::new().name(&pairs.names[at]);
        let other = if row == column { Text::new() } else { name(column) };
        table.row([name(row), other, quantity.cell(value).into()]);
    }
    table
}

fn describe(quantity: &Axis, pairs: &Pairs) -> String {
    let n = pairs.names.len();
    let mut words =
        format!("A map of {} for {} and their pairs.", quantity.title(), counted(n as u64, "name", "names"));
    if let Some((_, (field, value))) = extremes(pairs.fields(n)) {
        words.push_str(&format!(" The greatest is {} for {}.", quantity.figure(value), pairs.name(field)));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Pairs {
        Pairs {
            names: ["age", "sex", "<zip>"].map(String::from).to_vec(),
            values: vec![vec![1.0], vec![12.0, 0.0], vec![30.0, 25.0, 20.0]],
            levels: vec![10.0, 25.0],
        }
    }

    #[test]
    fn a_field_for_each_name_and_pair() {
        let chart = pairs("t", &Axis::new("Found").unit("%"), &three());
        let svg = chart.svg("a");
        for (class, n) in [("heat0", 2), ("heat1", 2), ("heat2", 2)] {
            assert_eq!(svg.matches(&format!("\"heat {class}\"")).count(), n, "{class}");
        }
        assert!(svg.contains("&lt;zip&gt; and age: 30%</title>") && svg.contains(">sex: 0%</title>"), "{svg}");
        assert!(chart.description().ends_with("The greatest is 30% for <zip> and age."), "{}", chart.description());
        assert_eq!(chart.figures().len(), 6);
    }

    #[test]
    fn what_is_not_known_is_blank_and_too_many_are_cut() {
        let mut some = three();
        some.values[1] = vec![f64::NAN];
        let svg = pairs("t", &Axis::new("Found"), &some).svg("a");
        assert_eq!(svg.matches("\"heat blank\"").count(), 2);
        assert!(pairs("t", &Axis::new("Found"), &Pairs::default()).svg("a").contains("There is nothing to show."));
        let many = Pairs { names: vec!["x".into(); 60], values: vec![vec![1.0; 60]; 60], levels: vec![] };
        let chart = pairs("t", &Axis::new("Found"), &many);
        assert!(chart.description().contains("The first 24 of 60 names are drawn."));
        assert_eq!(chart.figures().len(), 60 * 61 / 2);
    }
}
