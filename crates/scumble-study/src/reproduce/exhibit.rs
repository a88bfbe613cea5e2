//! The figures and tables of a paper, as they come out here.

use scumble_report::chart::{Axis, Chart, Crosstab, Heat, Series, Shape, crosstab, heat, line};
use scumble_report::{Table, Text};
use serde::Serialize;

/// A figure or a table of a paper, worked out again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exhibit {
    /// Its number in the paper: `Figure 4a`, `Table 9`.
    pub number: String,
    /// What it shows, in our words.
    pub title: String,
    /// How it was made: data, parameters, how many queries.
    pub setting: String,
    /// What it shows.
    pub body: Body,
}

/// What an exhibit shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Body {
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
        series: Vec<Line>,
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
    /// Cells with a heading.
    Cells {
        /// Names of the columns.
        heading: Vec<String>,
        /// The rows, the first cell of each its name.
        rows: Vec<Vec<String>>,
    },
}

/// One line of a figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// What it stands for.
    pub name: String,
    /// Pairs of x and y, by rising x; y is none where there is no figure, such as for an infeasible parameter.
    pub points: Vec<(f64, Option<f64>)>,
    /// Whether it is a distribution, which is drawn in steps.
    pub steps: bool,
}

impl Line {
    /// A line through points that are all known.
    pub fn through(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().map(|(x, y)| (x, Some(y))).collect();
        Line { name: name.into(), points, steps: false }
    }

    /// The known values, by rising x.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().filter_map(|point| point.1)
    }

    /// The value at a place that was asked for.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|point| point.0 == x)?.1
    }
}

impl Exhibit {
    /// The chart of a figure; none for a table.
    pub fn chart(&self) -> Option<Chart> {
        let title = format!("{}: {}", self.number, self.title);
        match &self.body {
            Body::Lines { x, y, unit, by_powers, series } => {
                let series: Vec<Series> = series.iter().map(drawn).collect();
                let upright = Axis::new(y).unit(unit);
                let upright = if *by_powers { upright.by_powers() } else { upright };
                Some(line(&title, &Axis::new(x), &upright, &series))
            }
            Body::Map { x, y, quantity, xs, ys, values, levels } => {
                let known = |column: &Vec<Option<f64>>| column.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                let grid = Heat {
                    xs: xs.clone(),
                    ys: ys.clone(),
                    values: values.iter().map(known).collect(),
                    levels: levels.clone(),
                };
                Some(heat(&title, &Axis::new(x), &Axis::new(y), &Axis::new(quantity), &grid))
            }
            Body::Shares { across, up, across_names, up_names, percent } => {
                let grid = Crosstab { across: across_names.clone(), up: up_names.clone(), percent: percent.clone() };
                Some(crosstab(&title, across, up, &grid))
            }
            Body::Cells { .. } => None,
        }
    }

    /// The table of a table; none for a figure.
    pub fn table(&self) -> Option<Table> {
        let Body::Cells { heading, rows } = &self.body else { return None };
        let caption = format!("{}: {}", self.number, self.title);
        let columns: Vec<usize> = (1..heading.len()).collect();
        let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
        let mut table = Table::new(&caption, &heading).figures_in(&columns).named_rows();
        for row in rows {
            table.row(row.iter().map(Text::from));
        }
        Some(table)
    }
}

fn drawn(line: &Line) -> Series {
    Series {
        name: line.name.clone(),
        points: line.points.iter().map(|&(x, y)| (x, y.unwrap_or(f64::NAN))).collect(),
        shape: if line.steps { Shape::Steps } else { Shape::Straight },
    }
}
