//! Writes a page with every kind of chart, drawn from awkward figures, into the file given, to be looked at.
//!
//! `cargo run -p scumble-report --example charts -- charts.html`

use scumble_report::Page;
use scumble_report::chart::{
    Axis, Bar, Cluster, Crosstab, Heat, Pairs, Part, Rung, Series, Shape, Span, bars, crosstab, grouped_bars, heat,
    histogram, icicle, line, pairs, size_bins,
};

/// Names that come from data: short, long, in other scripts, and such that look like markup.
const NAMES: [&str; 6] =
    ["age", "a column with a remarkably long name that goes on and on", "年齢年齢年齢", "<b>", "الاسم", "mm"];

fn main() -> std::io::Result<()> {
    let mut page = Page::new("Charts of awkward figures");
    histograms(&mut page);
    bar_charts(&mut page);
    lines(&mut page);
    maps(&mut page);
    trees(&mut page);
    std::fs::write(std::env::args_os().nth(1).unwrap_or("charts.html".into()), page.finish())
}

fn histograms(page: &mut Page) {
    let (people, groups) = (Axis::new("People in a group"), Axis::new("Number of groups"));
    page.section("Histograms");
    let wide: Vec<(u64, u64)> = (1..200_000).step_by(13).map(|size| (size, 1 + 4_000_000 / size)).collect();
    page.chart(&histogram("Widening bins", &people, &groups, &size_bins(&wide)));
    page.chart(&histogram("Even bins", &people, &groups, &size_bins(&[(120, 4), (160, 9), (201, 3), (300, 1)])));
    page.chart(&histogram("One bin", &people, &groups, &size_bins(&[(7, 1)])));
    page.chart(&histogram("Huge", &people, &groups, &size_bins(&[(1, 1), (u64::MAX, u64::MAX)])));
    page.chart(&histogram("Nothing", &people, &groups, &[]));
}

fn bar_charts(page: &mut Page) {
    let awkward = [12.0, -7.5, 0.0, f64::NAN, 1e-9, 99.999];
    let list: Vec<Bar> = NAMES.iter().zip(awkward).map(|(name, value)| Bar { label: (*name).into(), value }).collect();
    page.section("Bars");
    page.chart(&bars("Gains and losses", &Axis::new("Change").unit("%"), &list));
    page.chart(&bars("Large", &Axis::new("Rows"), &[Bar { label: "all".into(), value: 123_456_789.0 }]));
    page.section("Grouped bars");
    let cluster = |name: &&str| Cluster { label: (*name).into(), bars: list.clone() };
    page.chart(&grouped_bars(
        "Up and down",
        &Axis::new("Change").unit("%"),
        &NAMES.iter().map(cluster).collect::<Vec<_>>(),
    ));
    let few = |label: &str, value| Bar { label: label.into(), value };
    let beliefs = |label: &str, value: f64| Cluster {
        label: label.into(),
        bars: vec![few("before", value / 2.0), few("mean after", value), few("greatest after", 100.0)],
    };
    let all = [beliefs("income in table.csv: proximity within 1000", 3.25), beliefs("disease: truth", 41.0)];
    page.chart(&grouped_bars("Beliefs", &Axis::new("Belief").unit("%"), &all));
}

fn lines(page: &mut Page) {
    let curve = |name: String, power: f64| Series {
        name,
        points: (0..=12).map(|i| (f64::from(i) * 2.0, (f64::from(i) / 12.0).powf(power) * 80.0)).collect(),
        shape: Shape::Straight,
    };
    page.section("Lines");
    let all: Vec<Series> = (1..=10).map(|i| curve(format!("method {i}"), f64::from(i) / 2.5)).collect();
    page.chart(&line("Loss against k", &Axis::new("k"), &Axis::new("Loss").unit("%"), &all));
    let steps = Series {
        name: "risk".into(),
        points: (0..=20).map(|i| (f64::from(i) / 20.0, 1.0 - (1.0 - f64::from(i) / 20.0).powi(3))).collect(),
        shape: Shape::Steps,
    };
    page.chart(&line("Distribution of risk", &Axis::new("Risk"), &Axis::new("Share of people"), &[steps]));
    let one = |name: &str, points: Vec<(f64, f64)>| Series { name: name.into(), points, shape: Shape::Straight };
    let sets = [
        ("Large numbers", vec![(1e6, 1.5e9), (4.9e6, -9.9e9)]),
        ("Small numbers", vec![(0.0001, 0.00002), (0.00041, 0.00009)]),
        ("Tiny numbers", vec![(1e-20, 2e-9), (5e-20, 7e-9)]),
        ("Money", vec![(10_000.0, 123_000.0), (99_000.0, 654_321.0)]),
        ("One point", vec![(3.0, 7.0)]),
    ];
    for (title, points) in sets {
        page.chart(&line(
            title,
            &Axis::new("epsilon, in the column's own unit"),
            &Axis::new("m"),
            &[one(title, points)],
        ));
    }
    let named: Vec<Series> = NAMES.iter().map(|name| one(name, vec![(0.0, name.len() as f64), (9.0, 3.0)])).collect();
    page.chart(&line("Names", &Axis::new("x"), &Axis::new("y"), &named));
}

fn maps(page: &mut Page) {
    page.section("Maps");
    let (xs, ys): (Vec<f64>, Vec<f64>) =
        ((1..=15).map(|i| f64::from(i) / 50.0).collect(), (10..=19).map(|j| f64::from(j) / 20.0).collect());
    let value = |x: &f64, y: &f64| 100.0 / (1.0 + (-(x * 30.0 + (y - 0.75) * 18.0 - 4.5)).exp());
    let values = xs.iter().map(|x| ys.iter().map(|y| value(x, y)).collect()).collect();
    let found = Heat { xs, ys, values, levels: vec![20.0, 40.0, 60.0, 80.0] };
    let (epsilon, delta) = (Axis::new("Epsilon"), Axis::new("Delta"));
    page.chart(&heat("Vulnerable groups", &epsilon, &delta, &Axis::new("Share of groups").unit("%"), &found));
    let few = Heat { xs: vec![1.0, 2.0], ys: vec![10.0], values: vec![vec![5.0], vec![f64::NAN]], levels: vec![1.0] };
    page.chart(&heat("Few", &epsilon, &delta, &Axis::new("Groups"), &few));
    for n in [2, 6, 24, 30] {
        let values = (0..n).map(|i| (0..=i).map(|j| f64::from(i * j % 71)).collect()).collect();
        let names = (0..n).map(|i| NAMES[i as usize % NAMES.len()].to_owned()).collect();
        let map = Pairs { names, values, levels: vec![0.1, 1.0, 5.0, 20.0, 50.0] };
        page.chart(&pairs(&format!("Pairs of {n}"), &Axis::new("Marketer risk").unit("%"), &map));
    }
    for (n, m) in [(2, 3), (11, 21), (60, 60)] {
        let name = |i: usize| NAMES[i % NAMES.len()].to_owned();
        let percent = (0..n).map(|i| (0..m).map(|j| (i * j % 40) as f64).collect()).collect();
        let grid = Crosstab { across: (0..n).map(name).collect(), up: (0..m).map(name).collect(), percent };
        page.chart(&crosstab(&format!("{n} by {m}"), NAMES[1], "up", &grid));
    }
}

fn trees(page: &mut Page) {
    page.section("Trees");
    let rung = |n: usize| {
        let span = |i: usize| Span {
            label: format!("{} to {}", 1000 * i, 1000 * i + 999),
            short: format!("{}–{}", 1000 * i, 1000 * i + 999),
            share: 1.0 + (i % 5) as f64,
            count: 12_345,
        };
        Rung { label: format!("level {n}"), spans: (0..n).map(span).collect() }
    };
    let parts = [
        Part { heading: String::new(), rungs: vec![rung(1), rung(2)] },
        Part { heading: NAMES[1].repeat(2), rungs: vec![rung(2), rung(7), rung(40)] },
    ];
    page.chart(&icicle("A tree", "rows", &parts));
}
