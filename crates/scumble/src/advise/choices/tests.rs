//! Advice held against brute force, and against publishing.

use super::*;
use crate::{Source, anonymize};
use scumble_principle::Requirement;
use scumble_table::Cancellation;
use std::collections::{BTreeMap, BTreeSet};

const PEOPLE: &str = "age,zip,disease,pay
21,1,flu,100
22,1,flu,120
25,1,cold,150
31,2,flu,210
34,2,ulcer,230
38,2,cold,300
41,3,flu,310
47,3,ulcer,450
52,3,cold,480
58,3,flu,900
";

fn job() -> Job {
    Job::new().quasi(["age", "zip"]).sensitive(["disease", "pay"])
}

fn read(data: &str, job: &Job) -> Table {
    Source::reader(std::io::Cursor::new(data.to_string())).read(job, &Context::new()).unwrap()
}

fn ask(principle: &str, values: &[&str]) -> ChoiceRequest {
    let values = values.iter().map(ToString::to_string).collect();
    ChoiceRequest { principles: vec![principle.into()], values, ..ChoiceRequest::new() }
}

fn advise(data: &str, job: &Job, request: &ChoiceRequest) -> Choices {
    advise_choices(&read(data, job), job, request, &Context::new()).unwrap()
}

/// All ways to divide `n` rows into groups.
fn divisions(n: usize) -> Vec<Vec<Vec<usize>>> {
    let mut all: Vec<Vec<Vec<usize>>> = vec![vec![]];
    for row in 0..n {
        all = all
            .into_iter()
            .flat_map(|division| {
                (0..=division.len()).map(move |at| {
                    let mut division = division.clone();
                    match division.get_mut(at) {
                        Some(group) => group.push(row),
                        None => division.push(vec![row]),
                    }
                    division
                })
            })
            .collect();
    }
    all
}

#[test]
fn the_strictest_diversity_is_the_most_that_any_division_meets() {
    for column in [vec![1, 1, 1, 2, 2, 3, 4], vec![1, 2, 3, 4, 5, 6], vec![1, 1, 1, 1, 2, 2], vec![7, 7, 7, 7]] {
        let rows: String = column.iter().enumerate().map(|(at, value)| format!("{at},v{value}\n")).collect();
        let job = Job::new().quasi(["age"]).sensitive(["s"]);
        let choices = advise(&format!("age,s\n{rows}"), &job, &ask("frequency-l-diversity", &[]));
        // The least over groups of size by most frequent value, at its greatest over all divisions.
        let share = |group: &Vec<usize>| {
            let mut counts = BTreeMap::new();
            group.iter().for_each(|&row| *counts.entry(column[row]).or_insert(0u32) += 1);
            group.len() as f64 / f64::from(counts.into_values().max().unwrap())
        };
        let least = |division: &Vec<Vec<usize>>| division.iter().map(share).fold(f64::INFINITY, f64::min);
        let best = divisions(column.len()).iter().map(least).fold(0.0, f64::max);
        let strictest: Requirement = choices.advice[0].strictest.as_ref().unwrap().parse().unwrap();
        let l: f64 =
            strictest.principle().notation()["frequency-l-diversity(".len()..].trim_end_matches(')').parse().unwrap();
        assert!(l <= best + 1e-12 && best - l < 1e-4, "{column:?}: {l} instead of {best}");
        for point in &choices.advice[0].points {
            let asked: f64 = point.values[0].parse().unwrap();
            assert_eq!(point.can_be_met, Some(asked <= best + 1e-12), "{column:?}: {asked}");
        }
    }
}

#[test]
fn the_groups_of_numbers_are_the_best_of_all_cuts() {
    let pays = [100i64, 120, 150, 210, 230, 300, 310, 450, 480, 900];
    let choices = advise(PEOPLE, &job(), &ask("ke-anonymity", &["1,2,3,4", "e=0,50,100,300,801"]));
    // Labels have no range, so `disease` is left out, with the reason.
    assert_eq!(choices.without_advice.len(), 1);
    assert!(choices.without_advice[0].reason.contains("number"), "{:?}", choices.without_advice);
    let points = &choices.advice[0].points;
    assert_eq!(points.len(), 20);
    for point in points {
        let (k, e): (usize, i64) = (point.values[0].parse().unwrap(), point.values[1].parse().unwrap());
        let (mut most, mut least_greatest) = (0usize, i64::MAX);
        for cuts in 0u32..1 << (pays.len() - 1) {
            let mut groups: Vec<Vec<i64>> = vec![vec![pays[0]]];
            for (at, &pay) in pays.iter().enumerate().skip(1) {
                match cuts >> (at - 1) & 1 {
                    1 => groups.push(vec![pay]),
                    _ => groups.last_mut().unwrap().push(pay),
                }
            }
            let range = |group: &Vec<i64>| group[group.len() - 1] - group[0];
            if groups.iter().all(|group| group.len() >= k && range(group) >= e) {
                most = most.max(groups.len());
                least_greatest = least_greatest.min(groups.iter().map(range).max().unwrap());
            }
        }
        assert_eq!(point.can_be_met, Some(most > 0), "{}", point.requirement);
        let Some(widths) = &point.widths else {
            assert_eq!(most, 0, "{}", point.requirement);
            continue;
        };
        assert!(widths.optimal);
        assert_eq!(
            (widths.most_groups, &widths.least_greatest_range),
            (most as u64, &least_greatest.to_string()),
            "{}",
            point.requirement
        );
        assert!(widths.groups <= widths.most_groups && widths.mean_range <= widths.greatest_range.parse().unwrap());
        // What publishing makes has these groups.
        let one = Job::new().quasi(["age", "zip"]).sensitive(["pay"]).require(&point.requirement).unwrap().drop_rest();
        let release = anonymize(&read(PEOPLE, &one), &one, &Context::new()).unwrap();
        assert_eq!(release.facts().unwrap().groups, widths.groups, "{}", point.requirement);
    }
}

#[test]
fn what_can_be_met_is_published_and_what_cannot_is_refused() {
    let choices = advise(PEOPLE, &job(), &ChoiceRequest::new());
    assert!(choices.sample.whole);
    let (mut met, mut ruled) = (0, 0);
    for one in &choices.advice {
        for point in &one.points {
            let mut columns = Job::new().quasi(["age", "zip"]);
            columns = match &one.column {
                Some(column) => columns.sensitive([column.clone()]),
                None => columns.sensitive(["disease", "pay"]),
            };
            let asked = columns.require(&point.requirement).unwrap().drop_rest();
            let table = read(PEOPLE, &asked);
            let made = anonymize(&table, &asked, &Context::new());
            match point.can_be_met {
                Some(true) => {
                    met += 1;
                    assert!(made.unwrap().verify(Some(&table), &Context::new()).unwrap().ok, "{}", point.requirement);
                }
                Some(false) => {
                    ruled += 1;
                    let error = made.err().unwrap_or_else(|| panic!("{} was made", point.requirement));
                    assert!(matches!(error, Error::Infeasible { .. }), "{}: {error}", point.requirement);
                    assert!(point.reason.is_some() && point.sample.is_none());
                    for nearest in &point.nearest {
                        let columns =
                            Job::new().quasi(["age", "zip"]).sensitive([one.column.clone().unwrap_or("pay".into())]);
                        let asked = columns.require(nearest).unwrap().drop_rest();
                        anonymize(&read(PEOPLE, &asked), &asked, &Context::new()).unwrap();
                    }
                }
                None => assert!(point.sample.is_none() && point.not_tried.is_some(), "{}", point.requirement),
            }
        }
    }
    assert!(met > 50 && ruled > 10, "{met} met, {ruled} ruled out");
}

#[test]
fn no_principle_is_forgotten() {
    let choices = advise(PEOPLE, &job(), &ChoiceRequest::new());
    let advised = choices.advice.iter().map(|one| one.principle);
    let reasons = choices.without_advice.iter().map(|one| one.principle);
    let told: BTreeSet<&str> = advised.chain(reasons).collect();
    for entry in catalogue() {
        assert!(told.contains(entry.name), "{} is neither advised on nor excused", entry.name);
    }
    let without = |principle: &str| {
        choices
            .without_advice
            .iter()
            .find(|one| one.principle == principle)
            .map(|one| one.reason.as_str())
            .unwrap_or_default()
    };
    for (principle, words) in [("dissimilarity", "distance"), ("k-map", "population"), ("delta-presence", "population")]
    {
        assert!(without(principle).contains(words), "{principle}: {}", without(principle));
    }
    // Numbers have everything that labels do not.
    for principle in [
        "ke-anonymity",
        "variance",
        "proximity-absolute",
        "proximity-relative",
        "proximity-interval",
        "proximity-window",
    ] {
        assert!(
            choices.advice.iter().any(|one| one.principle == principle && one.column.as_deref() == Some("pay")),
            "{principle}"
        );
        assert!(!without(principle).is_empty(), "{principle} on labels");
    }
}

#[test]
fn figures_are_those_of_the_release() {
    let choices = advise(PEOPLE, &job(), &ask("k-anonymity", &["2,3,5,10,11"]));
    let [sizes] = &choices.advice[..] else { panic!("sizes are asked once, whatever the sensitive columns") };
    assert_eq!((sizes.column.as_ref(), sizes.strictest.as_deref()), (None, Some("k-anonymity(10)")));
    assert_eq!(choices.thresholds, THRESHOLDS);
    let mut last = 0.0;
    for point in &sizes.points[..4] {
        let k: u64 = point.values[0].parse().unwrap();
        let made = point.sample.as_ref().unwrap();
        assert_eq!((point.one_of, made.members), (Some(k), 10));
        assert!(made.smallest >= k && made.groups * made.smallest <= 10 && made.largest >= made.smallest);
        assert_eq!(made.attained, [("k".to_string(), made.smallest.to_string())]);
        assert!(made.ncp >= last && made.ncp <= 2.0 && made.ncp_per_attribute == made.ncp / 2.0);
        last = made.ncp;
    }
    assert_eq!((sizes.points[3].sample.as_ref().unwrap().groups, last), (1, 2.0));
    assert_eq!(
        (sizes.points[4].can_be_met, &sizes.points[4].nearest[..]),
        (Some(false), &["k-anonymity(10)".to_string()][..])
    );
}

#[test]
fn people_are_counted_and_not_rows() {
    // Eight people with three rows each.
    let rows: String =
        (0..24).map(|at| format!("{},{},{},{}\n", at / 3, 20 + at, at % 5, ["a", "b", "c"][at % 3])).collect();
    let data = format!("who,age,zip,disease\n{rows}");
    let job = Job::new().quasi(["age", "zip"]).sensitive(["disease"]).person(["who"]);
    let choices = advise(&data, &job, &ask("k-anonymity", &["2,4,8,9"]));
    assert_eq!((choices.rows, choices.persons, choices.counted), (24, Some(8), "persons"));
    let sizes = &choices.advice[0];
    assert_eq!(sizes.strictest.as_deref(), Some("k-anonymity(8)"));
    let met: Vec<Option<bool>> = sizes.points.iter().map(|point| point.can_be_met).collect();
    assert_eq!(met, [Some(true), Some(true), Some(true), Some(false)]);
    for point in &sizes.points[..3] {
        let made = point.sample.as_ref().unwrap();
        let k: u64 = point.values[0].parse().unwrap();
        assert!(made.smallest >= k && made.largest <= 8 && made.members >= 8, "{made:?}");
    }
    // Everybody has every value, so that everybody as one group gives each of them to all.
    let choices = advise(&data, &job, &ask("frequency-l-diversity", &["1"]));
    assert_eq!(choices.advice[0].points[0].can_be_met, Some(true));
    assert_eq!(choices.advice[0].strictest.as_deref(), Some("disease: frequency-l-diversity(1)"));
}

#[test]
fn a_sample_is_of_people_and_drawn_again_with_its_seed() {
    let rows: String = (0..3000).map(|at| format!("{},{},{},{}\n", at / 3, at * 7 % 80, at % 50, at % 4)).collect();
    let data = format!("who,age,zip,s\n{rows}");
    let job = Job::new().quasi(["age", "zip"]).sensitive(["s"]).person(["who"]);
    let table = read(&data, &job);
    let request = |sample, seed| ChoiceRequest { sample, seed, ..ask("k-anonymity", &["5,400"]) };
    let of = |sample, seed| {
        let choices = advise_choices(&table, &job, &request(sample, seed), &Context::new()).unwrap();
        serde_json::to_value(&choices).unwrap()
    };
    let one = of(600, 3);
    assert_eq!(one["sample"], serde_json::json!({"rows": 600, "persons": 200, "whole": false, "seed": 3}));
    assert_eq!(one, of(600, 3));
    assert_ne!(one["advice"], of(600, 4)["advice"]);
    // The whole table has 1000 people, which is what can be met; the sample has too few.
    let large = &one["advice"][0]["points"][1];
    assert_eq!((&large["can_be_met"], &large["sample"]), (&serde_json::json!(true), &serde_json::Value::Null));
    assert!(large["not_tried"].as_str().unwrap().contains("200"), "{large}");
    assert_eq!(of(3000, 3)["sample"]["whole"], true);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let table = read(PEOPLE, &job());
    let refused =
        |request: ChoiceRequest| advise_choices(&table, &job(), &request, &Context::new()).unwrap_err().to_string();
    assert!(refused(ask("k-anonimity", &[])).contains("did you mean `k-anonymity`?"));
    assert!(refused(ask("k-anonymity", &["x"])).contains("k must be a whole number"));
    assert!(refused(ask("dissimilarity", &[])).contains("distance"));
    let several = ChoiceRequest { values: vec!["3".into()], ..ChoiceRequest::new() };
    assert!(refused(several).contains("values of one principle"));
    assert!(refused(ChoiceRequest { sample: 1, ..ChoiceRequest::new() }).contains("2 or more"));
    let many: Vec<String> = (1..=201).map(|k| k.to_string()).collect();
    assert!(refused(ask("k-anonymity", &[&many.join(",")])).contains("too many"));
    let labels = Job::new().quasi(["age"]).sensitive(["disease"]).drop_rest();
    let request = ask("(k,e)-anonymity", &[]);
    let error = advise_choices(&read(PEOPLE, &labels), &labels, &request, &Context::new()).unwrap_err().to_string();
    assert!(error.contains("ke-anonymity") && error.contains("number"), "{error}");
    let nobody = Job::new().sensitive(["disease"]).drop_rest();
    let error = advise_choices(&read(PEOPLE, &nobody), &nobody, &ChoiceRequest::new(), &Context::new()).unwrap_err();
    assert!(error.to_string().starts_with("quasi"), "{error}");
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let context = Context::new().with_cancellation(cancellation);
    assert!(matches!(advise_choices(&table, &job(), &ChoiceRequest::new(), &context), Err(Error::Cancelled)));
}

#[test]
fn the_page_has_every_table_and_its_charts() {
    let choices = advise(PEOPLE, &job(), &ChoiceRequest::new());
    let page = choices.page();
    for words in [
        "not for publication",
        "Thresholds in wide use",
        "European Medicines Agency",
        "<svg",
        "Without advice",
        "mean range of a group",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for one in &choices.advice {
        assert!(page.contains(one.principle), "{}", one.principle);
        for row in choice_rows(one, |part, whole| format!("{part}/{whole}")) {
            assert_eq!(row.len(), choice_heading(one).len(), "{}", one.principle);
        }
    }
}
