//! Shares over two lists of names.

use super::draw::{LETTER, longest, rule, shortened, text};
use super::tints::{Tints, value_at};
use super::{Axis, Chart, WIDTH, draw, extremes};
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::counted;

const TOP: f64 = 44.0;
const RIGHT: f64 = WIDTH - 12.0;

/// The most letters of a name that are shown next to its row.
const NAME_LETTERS: usize = 18;

/// Letters below which a shortened name tells nothing.
const FEWEST_LETTERS: usize = 7;

/// More columns or rows than this are too small to be seen; the table of figures has them all.
const MOST: usize = 40;

/// Per cent at which the tint changes: one more than the tints of the style sheet can tell apart is not needed.
const LEVELS: [f64; 5] = [1.0, 3.0, 7.0, 12.0, 20.0];

/// Per cents over a grid of names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crosstab {
    /// Names across.
    pub across: Vec<String>,
    /// Names upwards, the first at the bottom.
    pub up: Vec<String>,
    /// For each name across one per cent for each name upwards; not a finite number where it is not known.
    pub percent: Vec<Vec<f64>>,
}

impl Crosstab {
    /// Fields of the first columns and rows, with their share.
    fn fields(&self, columns: usize, rows: usize) -> impl Iterator<Item = ((usize, usize), f64)> + Clone {
        let fields = (0..columns).flat_map(move |i| (0..rows).map(move |j| (i, j)));
        fields.map(|(i, j)| ((i, j), value_at(&self.percent, i, j)))
    }
}

/// Draws a tinted field for each pair of names, the darker the larger the share of its column.
pub fn crosstab(title: &str, across: &str, up: &str, grid: &Crosstab) -> Chart {
    let figures = listed(title, across, grid);
    let (columns, rows) = (grid.across.len().min(MOST), grid.up.len().min(MOST));
    if !grid.fields(columns, rows).any(|(_, value)| value.is_finite()) {
        return Chart::empty(title, figures);
    }
    let quantity = quantity();
    let tints = Tints::new(&quantity, &LEVELS);
    let left = 18.0 + LETTER * longest(grid.up.iter().cloned()).min(NAME_LETTERS) as f64;
    let row = (380.0 / rows as f64).clamp(12.0, 44.0);
    let column = (RIGHT - left) / columns as f64;
    let bottom = TOP + row * rows as f64;
    let mut marks = draw::name(4.0, 20.0, "start", "label", up, WIDTH - 8.0);
    for ((i, j), value) in grid.fields(columns, rows) {
        let name = format!("{across} {}, {up} {}", grid.across[i], grid.up[j]);
        let corner = (left + column * i as f64, bottom - row * (j + 1) as f64);
        marks.push_str(&tints.field(corner, (column, row), &name, value));
    }
    marks.push_str(&rule("axis", (left, bottom), (RIGHT, bottom)));
    marks.push_str(&rule("axis", (left, TOP), (left, bottom)));
    let every = 1 + (22.0 / row) as usize;
    for j in (0..rows).step_by(every) {
        let place = bottom - row * (j as f64 + 0.5) + 4.5;
        marks.push_str(&text(left - 8.0, place, "end", "tick", &shortened(&grid.up[j], NAME_LETTERS)));
    }
    let room = ((column - 6.0) / LETTER).max(0.0) as usize;
    // Names that do not fit side by side are shortened; where that leaves too few letters, some are left out.
    let letters = longest(grid.across.iter().cloned()).min(room.max(FEWEST_LETTERS));
    let every = ((LETTER * letters as f64 + 6.0) / column).ceil().max(1.0) as usize;
    for i in (0..columns).step_by(every) {
        let place = left + column * (i as f64 + 0.5);
        let name = shortened(&grid.across[i], letters);
        // Near the edges a name that stands out of its column is moved inside.
        let half = LETTER * name.chars().count() as f64 / 2.0;
        let place = place.clamp(half.min(place), (WIDTH - half).max(half));
        marks.push_str(&text(place, bottom + 22.0, "middle", "tick", &name));
    }
    let middle = (left + RIGHT) / 2.0;
    marks.push_str(&draw::name(middle, bottom + 50.0, "middle", "label", across, 2.0 * (WIDTH - middle)));
    let (legend, height) = tints.legend(left, bottom + 68.0);
    marks.push_str(&legend);
    Chart { title: title.to_owned(), description: describe(across, up, grid), height, marks, figures }
}

fn quantity() -> Axis {
    Axis::new("Share of the column").unit("%")
}

fn listed(title: &str, across: &str, grid: &Crosstab) -> Table {
    let mut heading = vec![across.to_owned()];
    heading.extend(grid.up.iter().cloned());
    let columns: Vec<usize> = (1..heading.len()).collect();
    let mut table = Table::new(title, &heading.iter().map(String::as_str).collect::<Vec<_>>());
    table = table.figures_in(&columns).named_rows();
    for (i, name) in grid.across.iter().enumerate() {
        let cells = (0..grid.up.len()).map(|j| Text::from(quantity().figure(value_at(&grid.percent, i, j))));
        table.row(std::iter::once(Text::new().name(name)).chain(cells));
    }
    table
}

fn describe(across: &str, up: &str, grid: &Crosstab) -> String {
    let mut words = format!(
        "A map of shares over {} of {across} and {} of {up}.",
        counted(grid.across.len() as u64, "value", "values"),
        counted(grid.up.len() as u64, "value", "values")
    );
    if let Some((_, ((i, j), value))) = extremes(grid.fields(grid.across.len(), grid.up.len())) {
        let largest = quantity().figure(value);
        words.push_str(&format!(" The largest is {largest} at {} and {}.", grid.across[i], grid.up[j]));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_sex() -> Crosstab {
        Crosstab {
            across: vec!["F".into(), "M".into()],
            up: vec!["up to 160".into(), "from 161".into()],
            percent: vec![vec![70.0, 30.0], vec![0.5, 99.5]],
        }
    }

    #[test]
    fn fields_are_tinted_by_share() {
        let chart = crosstab("Height by sex", "sex", "height", &by_sex());
        let svg = chart.svg("a");
        assert_eq!(svg.matches("\"heat heat5\"").count(), 3);
        assert_eq!(svg.matches("\"heat heat0\"").count(), 1);
        assert!(svg.contains("sex M, height up to 160: 0.5%</title>"), "{svg}");
        assert!(svg.contains(">from 161</text>") && svg.contains(">20% and more</text>"), "{svg}");
        assert!(chart.description().ends_with("The largest is 99.5% at M and from 161."), "{}", chart.description());
        assert_eq!(chart.figures().len(), 2);
    }

    #[test]
    fn what_is_not_known_is_blank() {
        let mut grid = by_sex();
        grid.percent[1] = Vec::new();
        assert_eq!(crosstab("t", "a", "b", &grid).svg("a").matches("\"heat blank\"").count(), 2);
        grid.percent.clear();
        assert!(crosstab("t", "a", "b", &grid).svg("a").contains("There is nothing to show."));
    }
}
