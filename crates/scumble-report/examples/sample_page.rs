//! Writes a sample of each kind of report into the directory given, to be looked at.
//!
//! `cargo run -p scumble-report --example sample_page -- pages`

use std::path::PathBuf;

use scumble_report::chart::{Axis, Bar, Heat, Series, Shape, bars, heat, histogram, line, size_bins};
use scumble_report::{ColumnFacts, Page, ReleaseFacts, RequirementFacts, plain_words, release_page};

fn main() -> std::io::Result<()> {
    let dir = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    std::fs::create_dir_all(&dir)?;
    std::fs::write(dir.join("generalize.html"), release_page(&generalized()))?;
    std::fs::write(dir.join("warnings.html"), release_page(&with_warnings()))?;
    for method in ["permute", "anatomy", "angel"] {
        std::fs::write(dir.join(format!("{method}.html")), release_page(&by_method(method)))?;
    }
    std::fs::write(dir.join("charts.html"), charts())
}

fn column(name: &str, role: &str, kind: &str, generalized: Option<f64>) -> ColumnFacts {
    ColumnFacts {
        name: name.into(),
        role: role.into(),
        kind: kind.into(),
        generalized,
        loss: generalized.map(|ncp| ncp * 0.97 + 0.03),
    }
}

fn requirement(notation: &str, attained: &[(&str, &str)]) -> RequirementFacts {
    RequirementFacts {
        notation: notation.into(),
        plain_words: plain_words(notation),
        attained: attained.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
        column: None,
    }
}

fn generalized() -> ReleaseFacts {
    ReleaseFacts {
        method: "generalize".into(),
        algorithm: "mondrian".into(),
        profile: "standard".into(),
        coins_secret: true,
        requirements: vec![
            requirement("k-anonymity(10)", &[("smallest group", "10")]),
            requirement(
                "frequency-l-diversity(3)",
                &[("largest share of one value", "0.3333"), ("l in the worst group", "3")],
            ),
            requirement("t-closeness(0.25, ordered)", &[("largest distance", "0.2214")]),
        ],
        columns: vec![
            column("age", "quasi", "number", Some(0.084)),
            column("sex", "quasi", "nominal", Some(0.31)),
            column("postcode", "quasi", "ordinal", Some(0.142)),
            column("country_of_birth", "quasi", "nominal", Some(0.455)),
            column("education", "quasi", "ordinal", Some(0.0)),
            column("illness", "sensitive", "nominal", None),
            column("survey_weight", "kept", "number", None),
        ],
        rows: 298_914,
        suppressed: 1_086,
        groups: 21_347,
        group_sizes: (10..=19).map(|size| (size, 4_600 - (size - 10) * (size - 10) * 40)).collect(),
        loss: Some(1.131),
        ncp: Some(0.991),
        files: vec![
            ("table.csv".into(), 300_000, "all rows, quasi-identifiers generalized".into()),
            ("hierarchy-country_of_birth.csv".into(), 194, "broader terms for country_of_birth".into()),
        ],
        notes: vec!["Persons below 15 years were not asked.".into()],
    }
}

fn with_warnings() -> ReleaseFacts {
    ReleaseFacts {
        profile: "max-utility".into(),
        coins_secret: false,
        requirements: vec![requirement("k-anonymity(5)", &[("smallest group", "5")])],
        group_sizes: (5..2_000).step_by(7).map(|size| (size, 1 + 90_000 / (size * size))).collect(),
        ..generalized()
    }
}

fn by_method(method: &str) -> ReleaseFacts {
    let (files, requirements): (&[(&str, u64, &str)], &[&str]) = match method {
        "permute" => (
            &[
                ("permuted.csv", 5_000, "quasi-identifiers, and pay shuffled within groups"),
                ("mapping.csv", 5_000, "the group of each tuple"),
                ("help.csv", 5_000, "bounds for sums, least and greatest values"),
            ],
            &["ke-anonymity(4, 1000)"],
        ),
        "anatomy" => (
            &[("qit.csv", 5_000, "quasi-identifiers and group"), ("st.csv", 3_100, "pay counted per group")],
            &["proximity-absolute(4500, 5)", "k-anonymity(5)"],
        ),
        _ => (
            &[
                ("batches.csv", 3_100, "pay counted per batch"),
                ("generalized.csv", 5_000, "quasi-identifiers generalized, with their batch"),
                ("marginal-age-postcode.csv", 5_000, "age and postcode alone, less generalized"),
            ],
            &["recursive-l-diversity(2.0, 3)", "variance(2500)"],
        ),
    };
    ReleaseFacts {
        method: method.into(),
        algorithm: "min-sum".into(),
        profile: "hardened".into(),
        coins_secret: true,
        requirements: requirements.iter().map(|notation| requirement(notation, &[])).collect(),
        columns: vec![
            column("age", "quasi", "number", None),
            column("postcode", "quasi", "nominal", None),
            column("pay", "sensitive", "number", None),
        ],
        rows: 5_000,
        groups: 900,
        group_sizes: vec![(4, 300), (5, 400), (6, 150), (18, 50)],
        files: files.iter().map(|&(name, rows, what)| (name.into(), rows, what.into())).collect(),
        ..ReleaseFacts::default()
    }
}

fn charts() -> String {
    let mut page = Page::new("Charts");
    page.section("Histograms");
    let sizes: Vec<(u64, u64)> = (1..200_000).step_by(13).map(|s| (s, 1 + 4_000_000 / s)).collect();
    let (people, groups) = (Axis::new("People in a group"), Axis::new("Number of groups"));
    page.chart(&histogram("Widening bins", &people, &groups, &size_bins(&sizes)));
    page.chart(&histogram("Even bins", &people, &groups, &size_bins(&[(120, 4), (160, 9), (201, 3), (300, 1)])));
    page.chart(&histogram("One bin", &people, &groups, &size_bins(&[(7, 1)])));
    page.chart(&histogram("Nothing", &people, &groups, &[]));
    page.section("Bars");
    let named = |label: &str, value| Bar { label: label.into(), value };
    page.chart(&bars(
        "Gains and losses",
        &Axis::new("Change").unit("%"),
        &[
            named("short", 12.0),
            named("a column with a remarkably long name that goes on and on", -7.5),
            named("年齢年齢年齢", 0.0),
            named("unknown", f64::NAN),
        ],
    ));
    page.section("Lines");
    let curve = |name: &str, power: f64| Series {
        name: name.into(),
        points: (0..=12).map(|i| (f64::from(i) * 2.0, (f64::from(i) / 12.0).powf(power) * 80.0)).collect(),
        shape: Shape::Straight,
    };
    let all: Vec<Series> = (1..=6).map(|i| curve(&format!("method {i}"), f64::from(i) / 2.5)).collect();
    page.chart(&line("Loss against k", &Axis::new("k"), &Axis::new("Loss").unit("%"), &all));
    let steps = Series {
        name: "risk".into(),
        points: (0..=20).map(|i| (f64::from(i) / 20.0, 1.0 - (1.0 - f64::from(i) / 20.0).powi(3))).collect(),
        shape: Shape::Steps,
    };
    page.chart(&line("Distribution of risk", &Axis::new("Risk"), &Axis::new("Share of people"), &[steps]));
    page.section("Maps");
    let (xs, ys): (Vec<f64>, Vec<f64>) =
        ((1..=15).map(|i| f64::from(i) / 50.0).collect(), (10..=19).map(|j| f64::from(j) / 20.0).collect());
    let value = |x: &f64, y: &f64| 100.0 / (1.0 + (-(x * 30.0 + (y - 0.75) * 18.0 - 4.5)).exp());
    let values = xs.iter().map(|x| ys.iter().map(|y| value(x, y)).collect()).collect();
    let found = Heat { xs, ys, values, levels: vec![20.0, 40.0, 60.0, 80.0] };
    let (epsilon, delta) = (Axis::new("Epsilon"), Axis::new("Delta"));
    page.chart(&heat("Vulnerable groups", &epsilon, &delta, &Axis::new("Share of groups").unit("%"), &found));
    page.finish()
}
