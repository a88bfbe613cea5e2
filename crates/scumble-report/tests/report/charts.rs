//! Any input gives a chart that a browser can draw.

use scumble_report::chart::{
    Axis, Bar, Bin, Chart, Cloud, Cluster, Crosstab, Heat, Pairs, Part, Rung, Series, Shape, Span, Spot, bars,
    crosstab, grouped_bars, heat, histogram, icicle, line, pairs, scatter, size_bins,
};

use crate::markup;

const NUMBERS: [&str; 11] = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"];

/// Every coordinate is a finite number within the frame, and no text shows what is none.
fn check(chart: &Chart) -> usize {
    let svg = chart.svg("a chart");
    for bad in ["NaN", "nan", ">inf", "-inf", "Infinity"] {
        assert!(!svg.contains(bad), "{bad} in {svg}");
    }
    let tags = match markup::read(&svg) {
        Ok(tags) => tags,
        Err(fault) => panic!("{fault} in {svg}"),
    };
    let frame: Vec<f64> =
        tags[0].get("viewBox").unwrap_or("").split(' ').filter_map(|number| number.parse().ok()).collect();
    assert_eq!(frame.len(), 4);
    for tag in &tags {
        for (name, value) in &tag.attributes {
            if NUMBERS.contains(&name.as_str()) {
                let number: f64 = value.parse().unwrap_or(f64::NAN);
                assert!((0.0..=frame[2].max(frame[3])).contains(&number), "{name}={value} in {tag:?}");
            }
            if name == "d" {
                for number in value.split(['M', 'L', 'H', 'V', ' ']).filter(|part| !part.is_empty()) {
                    assert!(number.parse::<f64>().is_ok_and(f64::is_finite), "{value}");
                }
            }
        }
    }
    assert!(!chart.description().is_empty());
    assert_eq!(svg, chart.svg("a chart"));
    tags.len()
}

#[test]
fn histograms_of_anything() {
    let (x, y) = (Axis::new("size").unit("people"), Axis::new("groups"));
    let max = u64::MAX;
    let tables: [&[(u64, u64)]; 9] = [
        &[],
        &[(0, 0)],
        &[(0, 1)],
        &[(1, 1)],
        &[(max, max)],
        &[(0, 1), (max, max)],
        &[(1, max), (2, max), (3, 0)],
        &[(5, 1), (6, 1_000_000_000_000)],
        &[(max - 100, 1), (max, 1)],
    ];
    for sizes in tables {
        check(&histogram("sizes", &x, &y, &size_bins(sizes)));
    }
    let many: Vec<Bin> = (0..3_000).map(|i| Bin { from: i, to: i, count: i % 17 }).collect();
    check(&histogram("many", &x, &y, &many));
    // Bins that make no sense as such are drawn all the same.
    check(&histogram("odd", &x, &y, &[Bin { from: 9, to: 2, count: 1 }, Bin { from: 0, to: max, count: 0 }]));
}

#[test]
fn bars_of_anything() {
    let axis = Axis::new("loss").unit("%");
    let lists: [&[f64]; 11] = [
        &[],
        &[0.0],
        &[-0.0, 0.0],
        &[1.0],
        &[f64::NAN],
        &[f64::INFINITY, f64::NEG_INFINITY, 3.0],
        &[f64::MAX, f64::MIN],
        &[f64::MAX],
        &[f64::MIN_POSITIVE],
        &[5e-324, 0.0],
        &[1e-9, 1e9, -1e12],
    ];
    for values in lists {
        let list: Vec<Bar> = values.iter().map(|&value| Bar { label: "c".into(), value }).collect();
        check(&bars("loss", &axis, &list));
        let cluster = |label: &str| Cluster { label: label.into(), bars: list.clone() };
        check(&grouped_bars("loss", &axis, &[cluster("a"), cluster(""), Cluster::default(), cluster("年齢")]));
    }
    let many: Vec<Bar> = (0..5_000).map(|i| Bar { label: format!("column {i}"), value: f64::from(i).sin() }).collect();
    check(&bars("many", &axis, &many));
    check(&grouped_bars("many", &axis, &[Cluster { label: "all".into(), bars: many }]));
}

#[test]
fn lines_of_anything() {
    let axis = Axis::new("a");
    let sets: [Vec<(f64, f64)>; 9] = [
        vec![],
        vec![(0.0, 0.0)],
        vec![(7.0, -7.0)],
        vec![(f64::NAN, 1.0), (1.0, f64::INFINITY)],
        vec![(f64::MAX, f64::MIN), (f64::MIN, f64::MAX)],
        vec![(1e15, 1.0), (1e15 + 1.0, 1.0)],
        vec![(5e-324, 0.0), (0.0, 5e-324)],
        vec![(1.0, 1.0); 100],
        (0..100_000).map(|i| (f64::from(i).cos(), f64::from(i).sin())).collect(),
    ];
    for points in sets {
        for shape in [Shape::Straight, Shape::Steps] {
            let one = Series { name: "s".into(), points: points.clone(), shape };
            check(&line("one", &axis, &axis, std::slice::from_ref(&one)));
            check(&line("three", &axis, &axis, &[one.clone(), Series::default(), one]));
        }
    }
    check(&line("none", &axis, &axis, &[]));
    let many: Vec<Series> = (0..50)
        .map(|i| Series { name: format!("s{i}"), points: vec![(0.0, f64::from(i)), (1.0, 2.0)], ..Series::default() })
        .collect();
    check(&line("many", &axis, &axis, &many));
}

#[test]
fn clouds_of_anything() {
    let (x, y) = (Axis::new("belief"), Axis::new("error").unit("%"));
    let odd = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e-9];
    let spot = |i: usize, j: usize| Spot { x: odd[i % odd.len()], y: odd[j % odd.len()], says: "<k> & \"l\"".into() };
    for n in [0, 1, 2, 10, 100, 3_000] {
        for kinds in [0, 1, 7, 50] {
            let points: Vec<Spot> = (0..n).map(|i| spot(i, i / odd.len() + i)).collect();
            let cloud = |i: usize| Cloud { name: format!("kind {i}"), points: points.clone() };
            let few: Vec<Cloud> = (0..if n > 100 { kinds.min(2) } else { kinds }).map(cloud).collect();
            check(&scatter("clouds", &x, &y, &few));
        }
    }
    let page: String = {
        let mut page = scumble_report::Page::new("");
        page.chart(&scatter("c", &x, &y, &[Cloud { name: "a".into(), points: vec![spot(2, 9), spot(9, 2)] }]));
        page.finish()
    };
    for rule in (0..6).map(|i| format!(".chart .dot.series{i}")).chain([".chart .front".to_string()]) {
        assert!(page.contains(&rule), "{rule}");
    }
}

#[test]
fn maps_of_anything() {
    let (x, y) = (Axis::new("epsilon"), Axis::new("delta").unit("%"));
    let odd = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e-9];
    for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (15, 10), (100, 3), (2, 500)] {
        for levels in [vec![], vec![0.5], vec![0.2, 0.4, 0.6, 0.8], (0..20).map(f64::from).collect(), odd.to_vec()] {
            for scale in [1.0, f64::MAX / 4.0, 1e-300] {
                let value = |i: usize, j: usize| scale * ((i * j) as f64 / 40.0).sin().abs();
                let values = (0..n).map(|i| (0..m).map(|j| value(i, j)).collect()).collect();
                let xs = (0..n).map(|i| i as f64 / 50.0).collect();
                let ys = (0..m).map(|j| odd[j % odd.len()]).collect();
                check(&heat("map", &x, &y, &x, &Heat { xs, ys, values, levels: levels.clone() }));
            }
        }
    }
    let values = vec![odd.to_vec(), odd.iter().rev().copied().collect(), vec![1.0], vec![]];
    check(&heat("odd", &x, &y, &y, &Heat { xs: vec![1.0; 5], ys: odd.to_vec(), values, levels: vec![0.5] }));
}

#[test]
fn pairs_of_anything() {
    let odd = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324];
    for n in [0, 1, 2, 9, 20, 24, 25, 100] {
        for levels in [vec![], vec![0.5], odd.to_vec()] {
            for name in [
                "",
                "c",
                "a very long name of a column",
                "\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}\u{6c34}",
            ] {
                let values = (0..n).map(|i| (0..=i).map(|j| odd[(i + j) % odd.len()]).collect()).collect();
                let names = vec![name.to_string(); n];
                check(&pairs("pairs", &Axis::new("share").unit("%"), &Pairs { names, values, levels: levels.clone() }));
            }
        }
    }
}

#[test]
fn ticks_units_and_words_are_there() {
    let chart = histogram(
        "Sizes",
        &Axis::new("People").unit("persons"),
        &Axis::new("Groups"),
        &size_bins(&[(10, 3), (11, 96)]),
    );
    let svg = chart.svg("s");
    for words in [">People (persons)</text>", ">Groups</text>", ">100</text>", ">10</text>", "11: 96</title>"] {
        assert!(svg.contains(words), "{words} in {svg}");
    }
    assert!(chart.description().contains("The highest bin is 11, with 96."));
    let svg = bars("Loss", &Axis::new("Loss").unit("%"), &[Bar { label: "age".into(), value: 12.5 }]).svg("s");
    assert!(svg.contains(">12.5%</text>") && svg.contains(">15%</text>") && svg.contains(">age</text>"), "{svg}");
}

#[test]
fn crosstabs_and_trees_of_anything() {
    let strange = ["", "<b>", "a label that goes on and on and does not fit anywhere at all", "年齢年齢年齢", "x"];
    for (n, m) in [(0, 0), (1, 1), (2, 20), (11, 21), (60, 60)] {
        let name = |i: usize| strange[i % strange.len()].to_string();
        let value = |i: usize| [0.0, 4.9, 100.0, f64::NAN, f64::INFINITY, -3.0][i % 6];
        let grid = Crosstab {
            across: (0..n).map(name).collect(),
            up: (0..m).map(name).collect(),
            percent: (0..n).map(|i| (0..m).map(|j| value(i + j)).collect()).collect(),
        };
        check(&crosstab("grid <1>", "given & so on", strange[2], &grid));
        let spans = |n: usize| {
            (0..n).map(|i| Span { label: name(i), short: name(i + 1), share: value(i), count: u64::MAX }).collect()
        };
        let rungs = (0..4).map(|level| Rung { label: name(level), spans: spans(level * m) }).collect();
        check(&icicle("tree", "rows", &[Part { heading: name(n), rungs }, Part::default()]));
    }
}
