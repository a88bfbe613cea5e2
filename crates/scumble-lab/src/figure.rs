//! The figures and tables of a paper, as they come out here.

use crate::decision::short;
use crate::series::Series;
use scumble_report::chart::{self, Axis, Chart, Crosstab, Heat, Part, Rung, Span, crosstab, heat, icicle, line};
use scumble_report::{Table, Text};
use serde::{Deserialize, Serialize};

/// A figure or a table of a paper, worked out again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its number in the paper: `Figure 4a`, `Table 9`.
    pub number: String,
    /// What it shows, in our words.
    pub title: String,
    /// How it was made: data, parameters, how many queries.
    pub setting: String,
    /// What it shows.
    pub body: FigureBody,
}

/// What a figure shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum FigureBody {
    /// Lines over common axes.
    Lines {
        /// What the level axis measures.
        x: String,
        /// What the upright axis measures.
        y: String,
        /// The unit of the upright axis, such as `%` or `s`; empty for plain numbers.
        unit: String,
        /// Whether the upright axis goes by powers of ten.
        by_powers: bool,
        /// The lines.
        series: Vec<Series>,
    },
    /// A quantity over two others, with lines that join equal quantities.
    Map {
        /// What the level axis measures.
        x: String,
        /// What the upright axis measures.
        y: String,
        /// What is shown over them.
        quantity: String,
        /// Values along the level axis.
        xs: Vec<f64>,
        /// Values along the upright axis.
        ys: Vec<f64>,
        /// For each of `xs` one quantity for each of `ys`; none where it is not known.
        values: Vec<Vec<Option<f64>>>,
        /// The quantities at which the tint changes.
        levels: Vec<f64>,
    },
    /// How one quantity is spread for each value of another.
    Shares {
        /// The quantity that is given.
        across: String,
        /// The quantity that is spread.
        up: String,
        /// Values or bands of the first.
        across_names: Vec<String>,
        /// Values or bands of the second, upwards.
        up_names: Vec<String>,
        /// For each of `across_names` the per cent of its records in each of `up_names`.
        percent: Vec<Vec<f64>>,
    },
    /// What is divided into what, from above.
    Tree {
        /// What is counted.
        unit: String,
        /// Trees of their own, one below the other.
        branches: Vec<Branch>,
    },
    /// Cells with a heading.
    Cells {
        /// Names of the columns.
        heading: Vec<String>,
        /// The rows, the first cell of each its name.
        rows: Vec<Vec<String>>,
    },
}

/// A tree of a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// What it is of.
    pub name: String,
    /// Its levels, broad ones first.
    pub levels: Vec<TreeLevel>,
}

/// A level of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeLevel {
    /// What to call it.
    pub name: String,
    /// Its parts from left to right, with how many each counts.
    pub parts: Vec<(String, u64)>,
}

impl Branch {
    fn drawn(&self) -> Part {
        let span = |(label, count): &(String, u64)| Span {
            label: label.clone(),
            short: label.replace("up to ", "≤ ").replace("from ", "≥ ").replace(" to ", "–"),
            share: *count as f64,
            count: *count,
        };
        let rung = |rank: &TreeLevel| Rung { label: rank.name.clone(), spans: rank.parts.iter().map(span).collect() };
        Part { heading: self.name.clone(), rungs: self.levels.iter().map(rung).collect() }
    }
}

/// What an upright axis measures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct YAxis {
    pub(crate) label: &'static str,
    /// Such as `%`; empty for plain numbers.
    pub(crate) unit: &'static str,
    /// Whether it goes by powers of ten.
    pub(crate) by_powers: bool,
}

impl YAxis {
    /// Mean relative errors, which differ by powers of ten.
    pub(crate) const ERROR: YAxis = YAxis { label: "mean relative error", unit: "%", by_powers: true };

    /// Plain numbers.
    pub(crate) const fn plain(label: &'static str) -> YAxis {
        YAxis { label, unit: "", by_powers: false }
    }
}

impl Figure {
    /// A figure of anything.
    pub(crate) fn new(
        number: impl Into<String>,
        title: impl Into<String>,
        setting: impl Into<String>,
        body: FigureBody,
    ) -> Figure {
        Figure { number: number.into(), title: title.into(), setting: setting.into(), body }
    }

    /// The body of a figure of lines.
    pub(crate) fn lines(x: impl Into<String>, y: YAxis, series: Vec<Series>) -> FigureBody {
        FigureBody::Lines { x: x.into(), y: y.label.into(), unit: y.unit.into(), by_powers: y.by_powers, series }
    }

    /// The chart of a figure; none for a table.
    pub fn chart(&self) -> Option<Chart> {
        let title = &self.title;
        match &self.body {
            FigureBody::Lines { x, y, unit, by_powers, series } => {
                let series: Vec<chart::Series> = series.iter().map(Series::drawn).collect();
                let upright = Axis::new(y).unit(unit);
                let upright = if *by_powers { upright.by_powers() } else { upright };
                Some(line(title, &Axis::new(x), &upright, &series))
            }
            FigureBody::Map { x, y, quantity, xs, ys, values, levels } => {
                let known = |column: &Vec<Option<f64>>| column.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                let grid = Heat {
                    xs: xs.clone(),
                    ys: ys.clone(),
                    values: values.iter().map(known).collect(),
                    levels: levels.clone(),
                };
                Some(heat(title, &Axis::new(x), &Axis::new(y), &Axis::new(quantity), &grid))
            }
            FigureBody::Shares { across, up, across_names, up_names, percent } => {
                let grid = Crosstab { across: across_names.clone(), up: up_names.clone(), percent: percent.clone() };
                Some(crosstab(title, across, up, &grid))
            }
            FigureBody::Tree { unit, branches } => {
                Some(icicle(title, unit, &branches.iter().map(Branch::drawn).collect::<Vec<_>>()))
            }
            FigureBody::Cells { .. } => None,
        }
    }

    /// The table of a table; none for a figure.
    pub fn table(&self) -> Option<Table> {
        let FigureBody::Cells { heading, rows } = &self.body else { return None };
        let caption = format!("{}: {}", self.number, self.title);
        // Words are read from the left, figures from the right.
        let is_figure = |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let of_figures = |column: &usize| rows.iter().filter_map(|row| row.get(*column)).any(is_figure);
        let columns: Vec<usize> = (1..heading.len()).filter(of_figures).collect();
        let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
        let mut table = Table::new(&caption, &heading).figures_in(&columns).named_rows();
        for row in rows {
            table.row(row.iter().map(Text::from));
        }
        Some(table)
    }

    /// What is behind it as cells: a heading, and rows of which the first cell is the name. An empty cell has no figure.
    pub fn cells(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let number = |y: Option<f64>| y.map_or(String::new(), short);
        let row = |name: String, cells: &mut dyn Iterator<Item = String>| std::iter::once(name).chain(cells).collect();
        match &self.body {
            FigureBody::Lines { x, unit, series, .. } => {
                let marked = |line: &Series| match unit.as_str() {
                    "" => line.name.clone(),
                    unit => format!("{} ({unit})", line.name),
                };
                let mut places: Vec<f64> = series.iter().flat_map(|line| line.points.iter().map(|one| one.0)).collect();
                places.sort_by(f64::total_cmp);
                places.dedup();
                let at = |&x: &f64| row(x.to_string(), &mut series.iter().map(|line| number(line.at(x))));
                (row(x.clone(), &mut series.iter().map(marked)), places.iter().map(at).collect())
            }
            FigureBody::Map { x, y, xs, ys, values, .. } => {
                let at = |(x, column): (&f64, &Vec<Option<f64>>)| {
                    row(x.to_string(), &mut column.iter().map(|value| number(*value)))
                };
                let heading = row(format!("{x} \\ {y}"), &mut ys.iter().map(f64::to_string));
                (heading, xs.iter().zip(values).map(at).collect())
            }
            FigureBody::Shares { across, up, across_names, up_names, percent } => {
                let at = |(name, column): (&String, &Vec<f64>)| {
                    row(name.clone(), &mut column.iter().map(|&share| short(share)))
                };
                let heading = row(format!("{across} \\ {up} (%)"), &mut up_names.iter().cloned());
                (heading, across_names.iter().zip(percent).map(at).collect())
            }
            FigureBody::Tree { unit, branches } => {
                let levels = branches.iter().flat_map(|branch| branch.levels.iter().map(move |level| (branch, level)));
                let rows = levels.flat_map(|(branch, level)| {
                    level
                        .parts
                        .iter()
                        .map(|(part, n)| vec![branch.name.clone(), level.name.clone(), part.clone(), n.to_string()])
                });
                (["of", "level", "part", unit].map(String::from).to_vec(), rows.collect())
            }
            FigureBody::Cells { heading, rows } => (heading.clone(), rows.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(body: FigureBody) -> Figure {
        Figure { number: "Figure 1".into(), title: "t".into(), setting: "s".into(), body }
    }

    #[test]
    fn lines_become_cells_with_gaps() {
        let mut second = Series::through("b", [(2.0, 4.0)]);
        second.points.push((3.0, None));
        let series = vec![Series::through("a", [(1.0, 0.5), (2.0, 1.0)]), second];
        let found =
            figure(FigureBody::Lines { x: "m".into(), y: "e".into(), unit: "%".into(), by_powers: false, series });
        let (heading, rows) = found.cells();
        assert_eq!(heading, ["m", "a (%)", "b (%)"]);
        assert_eq!(rows, [["1", "0.5", ""], ["2", "1", "4"], ["3", "", ""]]);
        assert!(found.chart().is_some() && found.table().is_none());
    }

    #[test]
    fn maps_become_cells_and_cells_stay() {
        let (xs, ys, values) = (vec![0.1], vec![0.5, 0.9], vec![vec![Some(0.25), None]]);
        let (x, y, quantity) = ("epsilon".into(), "delta".into(), "share".into());
        let (heading, rows) = figure(FigureBody::Map { x, y, quantity, xs, ys, values, levels: vec![0.5] }).cells();
        assert_eq!((heading[1].as_str(), rows[0].join("|").as_str()), ("0.5", "0.1|0.25|"));
        let (across, up, percent) = ("sex".into(), "height".into(), vec![vec![25.0, 75.0]]);
        let (across_names, up_names) = (vec!["f".into()], vec!["low".into(), "high".into()]);
        let (heading, rows) = figure(FigureBody::Shares { across, up, across_names, up_names, percent }).cells();
        assert_eq!((heading.len(), rows[0].join("|").as_str()), (3, "f|25|75"));
        let levels = vec![TreeLevel { name: "broad".into(), parts: vec![("1 to 2".into(), 7)] }];
        let branches = vec![Branch { name: "all".into(), levels }];
        let (heading, rows) = figure(FigureBody::Tree { unit: "people".into(), branches }).cells();
        assert_eq!((heading[3].as_str(), rows[0].join("|").as_str()), ("people", "all|broad|1 to 2|7"));
        let body = FigureBody::Cells { heading: vec!["a".into()], rows: vec![vec!["b".into()]] };
        let found = figure(body);
        assert_eq!(found.cells(), (vec!["a".into()], vec![vec!["b".into()]]));
        assert!(found.chart().is_none() && found.table().is_some());
        let again: Figure = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        assert_eq!(again, found);
    }
}
