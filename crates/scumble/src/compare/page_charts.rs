//! The charts of a comparison's page.

use super::csv::{parameter, varied};
use super::front::{BELIEF, RISK};
use super::run::beside_kind;
use super::{Compared, Figures};
use scumble_report::Page;
use scumble_report::chart::{Axis, Chart, Cloud, Series, Shape, Spot, line, scatter};

/// Privacy against utility, both ways in which a release can be attacked.
pub(super) fn trade_offs(page: &mut Page, runs: &[Compared]) {
    page.section("Privacy against utility");
    page.paragraph(
        "Each mark is a release, and less is better on both axes. Point at a mark to see its number and parameters. Releases with \
         the same figures lie on each other; the table of all figures tells them apart.",
    );
    let with_beliefs = runs.iter().any(|run| run.outcome.figures.as_ref().and_then(BELIEF).is_some());
    if with_beliefs {
        page.chart(&scatter(
            "What can be believed of somebody, against the error of counts",
            &Axis::new("largest belief of an attacker"),
            &Axis::new("median error of counts").unit("%"),
            &clouds(runs, |figures| BELIEF(figures).map(|(x, y)| (x, 100.0 * y))),
        ));
    }
    page.chart(&scatter(
        "Who can be found, against what the quasi-identifiers lost",
        &Axis::new("expected share found").unit("%"),
        &Axis::new("NCP, summed over quasi-identifiers"),
        &clouds(runs, |figures| RISK(figures).map(|(x, y)| (100.0 * x, y))),
    ));
}

fn clouds(runs: &[Compared], place: impl Fn(&Figures) -> Option<(f64, f64)>) -> Vec<Cloud> {
    let spot = |run: &Compared| {
        let (x, y) = place(run.outcome.figures.as_ref()?)?;
        Some(Spot { x, y, says: point_name(run) })
    };
    let mine = |kind: &String| Cloud {
        name: kind.clone(),
        points: runs.iter().filter(|run| run.kind == *kind).filter_map(spot).collect(),
    };
    kinds(runs).iter().map(mine).filter(|cloud| !cloud.points.is_empty()).collect()
}

/// Kinds of releases, in the order of their first run.
fn kinds(runs: &[Compared]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for run in runs {
        if !kinds.contains(&run.kind) {
            kinds.push(run.kind.clone());
        }
    }
    kinds
}

fn point_name(run: &Compared) -> String {
    let words = beside_kind(&run.varied);
    if words.is_empty() { format!("run {}", run.number) } else { format!("run {}, {words}", run.number) }
}

/// A measure that is followed over parameters: its axis and its value.
type Measure = (&'static str, &'static str, fn(&Figures) -> Option<f64>);

const FOLLOWED: [Measure; 3] = [
    ("median error of counts", "%", |f| Some(100.0 * f.count_error_median?)),
    ("NCP, summed over quasi-identifiers", "", |f| Some(f.ncp)),
    ("largest belief of an attacker", "", |f| f.belief),
];

/// A line for each kind over each parameter that is a number.
pub(super) fn parameters(page: &mut Page, runs: &[Compared]) {
    let names = varied(runs);
    let drawn = names.iter().map(|name| (name, over(name, runs))).filter(|(_, charts)| !charts.is_empty());
    let drawn: Vec<(&String, Vec<Chart>)> = drawn.collect();
    if drawn.is_empty() {
        return;
    }
    page.section("Over each parameter");
    page.paragraph(
        "A line for each kind of release. Where other parameters vary too, a point is the mean over the releases that could be made.",
    );
    for (name, charts) in drawn {
        page.subsection(name);
        charts.iter().for_each(|chart| {
            page.chart(chart);
        });
    }
}

/// The measures over a parameter that are known at two of its values at least.
fn over(name: &str, runs: &[Compared]) -> Vec<Chart> {
    let chart = |(label, unit, measure): Measure| {
        let series: Vec<Series> = kinds(runs).iter().map(|kind| follow(runs, kind, name, measure)).collect();
        let series: Vec<Series> = series.into_iter().filter(|one| !one.points.is_empty()).collect();
        // One place makes no line.
        let mut places = series.iter().flat_map(|one| &one.points).map(|point| point.0);
        let first = places.next()?;
        places.find(|x| *x != first)?;
        let title = format!("{}{} over {name}", label[..1].to_uppercase(), &label[1..]);
        Some(line(&title, &Axis::new(name), &Axis::new(label).unit(unit), &series))
    };
    FOLLOWED.into_iter().filter_map(chart).collect()
}

/// The different numbers that a parameter takes, rising.
fn values(runs: &[Compared], name: &str) -> Vec<f64> {
    let numbers = runs.iter().filter_map(|run| parameter(run, name)?.parse::<f64>().ok());
    let mut numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

fn follow(runs: &[Compared], kind: &str, name: &str, measure: fn(&Figures) -> Option<f64>) -> Series {
    let at = |x: f64| {
        let mine = runs.iter().filter(|run| run.kind == kind);
        let here = mine.filter(|run| parameter(run, name).and_then(|value| value.parse().ok()) == Some(x));
        let found: Vec<f64> = here.filter_map(|run| measure(run.outcome.figures.as_ref()?)).collect();
        (!found.is_empty()).then(|| (x, found.iter().sum::<f64>() / found.len() as f64))
    };
    let points = values(runs, name).into_iter().filter_map(at).collect();
    Series { name: kind.into(), points, shape: Shape::Straight }
}
