//! One quantity for each pair of several names.

use super::draw::{LETTER, bar, shortened, text};
use super::heat::{TINTS, legend, shown};
use super::{Axis, Chart, WIDTH};
use crate::number::{NOT_KNOWN, brief, counted, measure};
use crate::table::Table;
use crate::text::Text;

const TOP: f64 = 36.0;
const RIGHT: f64 = WIDTH - 28.0;

/// Letters of a name beside its row.
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
    fn at(&self, row: usize, column: usize) -> f64 {
        self.values.get(row).and_then(|values| values.get(column)).copied().unwrap_or(f64::NAN)
    }

    fn levels(&self) -> &[f64] {
        &self.levels[..self.levels.len().min(TINTS - 1)]
    }

    /// Both names, or the one.
    fn says(&self, row: usize, column: usize) -> String {
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
    let fields = || (0..n).flat_map(|row| (0..=row).map(move |column| (row, column)));
    if !fields().any(|(row, column)| pairs.at(row, column).is_finite()) {
        return Chart::empty(title, figures);
    }
    let label = |at: usize| format!("{} {}", shortened(&pairs.names[at], NAME_LETTERS), at + 1);
    let widest = (0..n).map(|at| label(at).chars().count()).max().unwrap_or(0);
    let left = 18.0 + LETTER * widest as f64;
    let column = ((RIGHT - left) / n as f64).min(76.0);
    let row = (360.0 / n as f64).clamp(22.0, 44.0);
    let bottom = TOP + row * n as f64;
    let widest = fields().map(|(i, j)| quantity.marked(brief(pairs.at(i, j))).chars().count()).max().unwrap_or(0);
    // Figures stand in the fields where all of them fit.
    let written = LETTER * widest as f64 + 2.0 <= column;
    let mut marks = String::new();
    for (i, j) in fields() {
        let value = pairs.at(i, j);
        let tint = pairs.levels().iter().filter(|level| value >= **level).count();
        let class = if value.is_finite() { format!("heat heat{tint}") } else { "heat blank".into() };
        let says = format!("{}: {}", pairs.says(i, j), shown(quantity, value));
        let corner = (left + column * j as f64, TOP + row * i as f64);
        marks.push_str(&bar(&class, corner, (column, row), &says));
        let figure = if value.is_finite() { quantity.marked(brief(value)) } else { String::new() };
        if written && !figure.is_empty() {
            let (x, y) = (corner.0 + column / 2.0, corner.1 + row / 2.0 + 5.0);
            marks.push_str(&text(x, y, "middle", &format!("on{tint}"), &figure));
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
        marks.push_str(&text((left + RIGHT) / 2.0, bottom + 26.0, "middle", "quiet", &words));
        description.push(' ');
        description.push_str(&words);
    }
    let (key, height) = legend(quantity, pairs.levels(), 18.0, bottom + 40.0);
    marks.push_str(&key);
    Chart { title: title.to_owned(), description, height, marks, figures }
}

fn listed(title: &str, quantity: &Axis, pairs: &Pairs) -> Table {
    let mut table = Table::new(title, &["Name", "And", &quantity.title()]).figures_in(&[2]).named_rows();
    for (row, name) in pairs.names.iter().enumerate() {
        for (column, other) in pairs.names.iter().enumerate().take(row + 1) {
            let other = if row == column { Text::new() } else { Text::new().name(other) };
            let cell = match pairs.at(row, column) {
                value if value.is_finite() => quantity.marked(measure(value)),
                _ => NOT_KNOWN.to_owned(),
            };
            table.row([Text::new().name(name), other, cell.into()]);
        }
    }
    table
}

fn describe(quantity: &Axis, pairs: &Pairs) -> String {
    let n = pairs.names.len();
    let mut words =
        format!("A map of {} for {} and their pairs.", quantity.title(), counted(n as u64, "name", "names"));
    let all = (0..n).flat_map(|row| (0..=row).map(move |column| (row, column, pairs.at(row, column))));
    let greatest = all.filter(|field| field.2.is_finite()).max_by(|a, b| a.2.total_cmp(&b.2));
    if let Some((row, column, value)) = greatest {
        words.push_str(&format!(" The greatest is {} for {}.", shown(quantity, value), pairs.says(row, column)));
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
