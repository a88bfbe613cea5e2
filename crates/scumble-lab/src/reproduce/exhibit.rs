//! The figures and tables of a paper, as they come out here.

use super::judge::short;
use scumble_report::chart::{
    Axis, Chart, Crosstab, Heat, Part, Rung, Series, Shape, Span, crosstab, heat, icicle, line,
};
use scumble_report::{Table, Text};
use serde::{Deserialize, Serialize};

/// A figure or a table of a paper, worked out again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub levels: Vec<Rank>,
}

/// A level of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rank {
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
        let rung = |rank: &Rank| Rung { label: rank.name.clone(), spans: rank.parts.iter().map(span).collect() };
        Part { heading: self.name.clone(), rungs: self.levels.iter().map(rung).collect() }
    }
}

/// One line of a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
        let title = &self.title;
        match &self.body {
            Body::Lines { x, y, unit, by_powers, series } => {
                let series: Vec<Series> = series.iter().map(drawn).collect();
                let upright = Axis::new(y).unit(unit);
                let upright = if *by_powers { upright.by_powers() } else { upright };
                Some(line(title, &Axis::new(x), &upright, &series))
            }
            Body::Map { x, y, quantity, xs, ys, values, levels } => {
                let known = |column: &Vec<Option<f64>>| column.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                let grid = Heat {
                    xs: xs.clone(),
                    ys: ys.clone(),
                    values: values.iter().map(known).collect(),
                    levels: levels.clone(),
                };
                Some(heat(title, &Axis::new(x), &Axis::new(y), &Axis::new(quantity), &grid))
            }
            Body::Shares { across, up, across_names, up_names, percent } => {
                let grid = Crosstab { across: across_names.clone(), up: up_names.clone(), percent: percent.clone() };
                Some(crosstab(title, across, up, &grid))
            }
            Body::Tree { unit, branches } => {
                Some(icicle(title, unit, &branches.iter().map(Branch::drawn).collect::<Vec<_>>()))
            }
            Body::Cells { .. } => None,
        }
    }

    /// The table of a table; none for a figure.
    pub fn table(&self) -> Option<Table> {
        let Body::Cells { heading, rows } = &self.body else { return None };
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
}

impl Exhibit {
    /// What is behind it as cells: a heading, and rows of which the first cell is the name. An empty cell has no figure.
    pub fn cells(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let figure = |y: Option<f64>| y.map_or(String::new(), short);
        match &self.body {
            Body::Lines { x, unit, series, .. } => {
                let marked =
                    |line: &Line| if unit.is_empty() { line.name.clone() } else { format!("{} ({unit})", line.name) };
                let heading = std::iter::once(x.clone()).chain(series.iter().map(marked)).collect();
                let mut places: Vec<f64> =
                    series.iter().flat_map(|line| line.points.iter().map(|point| point.0)).collect();
                places.sort_by(f64::total_cmp);
                places.dedup();
                let row = |&x: &f64| {
                    std::iter::once(x.to_string()).chain(series.iter().map(|line| figure(line.at(x)))).collect()
                };
                (heading, places.iter().map(row).collect())
            }
            Body::Map { x, y, xs, ys, values, .. } => {
                let heading = std::iter::once(format!("{x} \\ {y}")).chain(ys.iter().map(f64::to_string)).collect();
                let row = |(x, row): (&f64, &Vec<Option<f64>>)| {
                    std::iter::once(x.to_string()).chain(row.iter().map(|value| figure(*value))).collect()
                };
                (heading, xs.iter().zip(values).map(row).collect())
            }
            Body::Shares { across, up, across_names, up_names, percent } => {
                let heading =
                    std::iter::once(format!("{across} \\ {up} (%)")).chain(up_names.iter().cloned()).collect();
                let row = |(name, row): (&String, &Vec<f64>)| {
                    std::iter::once(name.clone()).chain(row.iter().map(|&share| short(share))).collect()
                };
                (heading, across_names.iter().zip(percent).map(row).collect())
            }
            Body::Tree { unit, branches } => {
                let heading = ["of", "level", "part", unit].map(String::from).to_vec();
                let ranks = branches.iter().flat_map(|branch| branch.levels.iter().map(move |rank| (branch, rank)));
                let parts = ranks.flat_map(|(branch, rank)| {
                    let row = |(part, n): &(String, u64)| {
                        vec![branch.name.clone(), rank.name.clone(), part.clone(), n.to_string()]
                    };
                    rank.parts.iter().map(row).collect::<Vec<_>>()
                });
                (heading, parts.collect())
            }
            Body::Cells { heading, rows } => (heading.clone(), rows.clone()),
        }
    }
}

fn drawn(line: &Line) -> Series {
    Series {
        name: line.name.clone(),
        points: line.points.iter().map(|&(x, y)| (x, y.unwrap_or(f64::NAN))).collect(),
        shape: if line.steps { Shape::Steps } else { Shape::Straight },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exhibit(body: Body) -> Exhibit {
        Exhibit { number: "Figure 1".into(), title: "t".into(), setting: "s".into(), body }
    }

    #[test]
    fn lines_become_cells_with_gaps() {
        let mut second = Line::through("b", [(2.0, 4.0)]);
        second.points.push((3.0, None));
        let series = vec![Line::through("a", [(1.0, 0.5), (2.0, 1.0)]), second];
        let found = exhibit(Body::Lines { x: "m".into(), y: "e".into(), unit: "%".into(), by_powers: false, series });
        let (heading, rows) = found.cells();
        assert_eq!(heading, ["m", "a (%)", "b (%)"]);
        assert_eq!(rows, [["1", "0.5", ""], ["2", "1", "4"], ["3", "", ""]]);
        assert!(found.chart().is_some() && found.table().is_none());
    }

    #[test]
    fn maps_become_cells_and_cells_stay() {
        let (xs, ys, values) = (vec![0.1], vec![0.5, 0.9], vec![vec![Some(0.25), None]]);
        let (x, y, quantity) = ("epsilon".into(), "delta".into(), "share".into());
        let (heading, rows) = exhibit(Body::Map { x, y, quantity, xs, ys, values, levels: vec![0.5] }).cells();
        assert_eq!((heading[1].as_str(), rows[0].join("|").as_str()), ("0.5", "0.1|0.25|"));
        let (across, up, percent) = ("sex".into(), "height".into(), vec![vec![25.0, 75.0]]);
        let (across_names, up_names) = (vec!["f".into()], vec!["low".into(), "high".into()]);
        let (heading, rows) = exhibit(Body::Shares { across, up, across_names, up_names, percent }).cells();
        assert_eq!((heading.len(), rows[0].join("|").as_str()), (3, "f|25|75"));
        let levels = vec![Rank { name: "broad".into(), parts: vec![("1 to 2".into(), 7)] }];
        let branches = vec![Branch { name: "all".into(), levels }];
        let (heading, rows) = exhibit(Body::Tree { unit: "people".into(), branches }).cells();
        assert_eq!((heading[3].as_str(), rows[0].join("|").as_str()), ("people", "all|broad|1 to 2|7"));
        let body = Body::Cells { heading: vec!["a".into()], rows: vec![vec!["b".into()]] };
        let found = exhibit(body);
        assert_eq!(found.cells(), (vec!["a".into()], vec![vec!["b".into()]]));
        assert!(found.chart().is_none() && found.table().is_some());
        let again: Exhibit = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        assert_eq!(again, found);
    }
}
