use super::maps::{Grid, Spread};
use super::releases::{Cut, CutRelease, Domains, Released};
use super::*;
use crate::{Branch, Claim, FigureBody, Paper, ReproduceRequest, Standing, TreeLevel, reproduce, reproduction_page};
use scumble::Context;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A release whose records are in as many classes of each size from 1 to twice the mean as it takes.
fn released(mean: u64, k_max: u64, height_loss: f64) -> Released {
    Released {
        records: 2 * mean,
        deleted: 0,
        classes: 2,
        k_min: 2,
        k_max,
        by_record: mean as f64,
        by_class: mean as f64,
        sizes: vec![(k_max / 4, mean), (k_max, mean)],
        height_loss,
    }
}

fn made(cut: Cut, release: Released) -> CutRelease {
    let finest = TreeLevel { name: "level 1".into(), parts: vec![("up to 160".into(), 200), ("from 161".into(), 400)] };
    let domains = vec![Domains { context: "everybody".into(), records: 600, levels: vec![finest] }];
    let name = match cut {
        Cut::Conventional => "height in 3",
        Cut::Paper(SHARE) => "the printed rule",
        Cut::Paper(_) | Cut::PaperTwoBirths(_) => "algorithm 4",
        Cut::Blind(_) => "no correlation",
        Cut::Ours(_) => "our own algorithm",
    };
    CutRelease { cut, name: name.into(), domains, release: Some(release) }
}

/// Numbers that behave as the paper says.
fn as_the_paper_says() -> Numbers {
    let grid = Grid { across: vec!["F".into()], up: vec!["160".into()], percent: vec![vec![100.0]] };
    let before = Released { sizes: vec![(100, 200), (752, 400)], records: 600, ..released(249, 752, 0.3) };
    let after = Released { sizes: vec![(80, 400), (100, 150), (340, 50)], records: 600, ..released(83, 340, 0.1) };
    let after = Released { by_record: 83.14, by_class: 90.0, ..after };
    Numbers {
        records: RECORDS,
        measured: ["height", "birth", "weight"].map(String::from),
        few: vec![("sex".into(), 0.12), ("medical history".into(), 0.0), ("smoking".into(), 0.01)],
        others: [0.001, 0.1],
        by_few: vec![grid.clone(), grid.clone(), grid.clone()],
        by_weight: grid,
        commonest: 170.0,
        larger_is_taller: (true, 0.6),
        spread: [Spread { range: 60.0, middle: 8.0 }, Spread { range: 60.0, middle: 16.0 }],
        cuts: vec![
            made(Cut::Conventional, before),
            made(Cut::Paper(SHARE), after.clone()),
            made(Cut::Ours(SHARE), after.clone()),
            made(Cut::Paper(40), after),
        ],
        fine: Some(40),
    }
}

fn find<'a>(claims: &'a [Claim], place: &str, words: &str) -> &'a Claim {
    let found = claims.iter().find(|claim| claim.place.contains(place) && claim.says.contains(words));
    found.unwrap_or_else(|| panic!("{place}: {words}"))
}

/// What the paper's numbers cannot be.
const IMPOSSIBLE: &str = "15 domains for men";

#[test]
fn numbers_as_in_the_paper_hold_every_claim_that_can_be_true() {
    let claims = judged(&as_the_paper_says(), true).claims;
    for claim in &claims {
        let wanted = if claim.says.contains(IMPOSSIBLE) { Standing::NotHeld } else { Standing::Held };
        assert_eq!(claim.standing, wanted, "{claim:?}");
    }
    assert!(claims.len() >= 18, "{}", claims.len());
}

#[test]
fn figures_of_its_table_are_not_judged_by_another() {
    let claims = judged(&as_the_paper_says(), false).claims;
    for words in ["83.14", "one third", "752 records", "340 records", "more than 200", "fewer than 100", "more men"] {
        assert_eq!(find(&claims, "", words).standing, Standing::NotComparable, "{words}");
    }
    assert_eq!(find(&claims, "algorithm 4", "average of k becomes smaller").standing, Standing::Held);
}

#[test]
fn other_numbers_turn_claims_over() {
    let turned = |place: &str, words: &str, change: &dyn Fn(&mut Numbers)| {
        let mut numbers = as_the_paper_says();
        change(&mut numbers);
        let claims = judged(&numbers, true).claims;
        assert_eq!(find(&claims, place, words).standing, Standing::NotHeld, "{place}: {words}");
    };
    turned("figure 1", "most strongly with sex", &|numbers| numbers.few[2].1 = 0.2);
    turned("figure 2", "medical history", &|numbers| numbers.few[1].1 = 0.05);
    turned("figure 4", "tall people", &|numbers| numbers.spread.swap(0, 1));
    turned("section 5.2", "year of birth", &|numbers| numbers.others[0] = 0.02);
    turned("section 5.2", "more men", &|numbers| numbers.commonest = 160.0);
    fn release(numbers: &mut Numbers, cut: usize) -> &mut Released {
        numbers.cuts[cut].release.as_mut().unwrap()
    }
    turned("figure 6", "more than 200", &|numbers| release(numbers, 0).sizes = vec![(100, 600)]);
    turned("figure 6", "752", &|numbers| release(numbers, 0).k_max = 660);
    // The last cut is the one that decides.
    turned("by algorithm 4", "2-anonymous", &|numbers| release(numbers, 3).k_min = 1);
    turned("by algorithm 4", "average of k becomes", &|numbers| release(numbers, 3).by_record = 250.0);
    turned("abstract", "one third", &|numbers| release(numbers, 3).by_record = 120.0);
    turned("abstract", "one third", &|numbers| release(numbers, 3).by_record = 60.0);
    turned("abstract", "83.14", &|numbers| release(numbers, 3).by_record = 83.2);
    turned("figure 7", "340 records", &|numbers| release(numbers, 3).k_max = 380);
    turned("by algorithm 4", "largest group becomes", &|numbers| release(numbers, 3).k_max = 752);
    let wide = vec![(2, 300), (752, 300)];
    turned("by algorithm 4", "evenly over the records, in records", &|n| release(n, 3).sizes = wide.clone());
    turned("by algorithm 4", "whatever their size", &|n| release(n, 3).sizes = vec![(2, 300), (340, 300)]);
    turned("by algorithm 4", "loses less", &|numbers| release(numbers, 3).height_loss = 0.3);
    turned("figure 7", "fewer than 100", &|numbers| release(numbers, 3).sizes = vec![(100, 600)]);
    turned("by algorithm 4", "in small groups", &|numbers| release(numbers, 3).sizes = vec![(100, 600)]);
}

#[test]
fn the_printed_rule_decides_where_no_domains_are_as_many() {
    let mut numbers = as_the_paper_says();
    numbers.fine = None;
    numbers.cuts.truncate(3);
    let found = judged(&numbers, true);
    assert_eq!(find(&found.claims, "by the printed rule", "2-anonymous").standing, Standing::Held);
    assert!(found.left_out.iter().any(|words| words.contains("about 20 domains")));
}

#[test]
fn spreads_are_those_of_their_definitions() {
    let of = |sizes: Vec<(u64, u64)>| {
        let records = sizes.iter().map(|one| one.1).sum();
        let k_max = sizes.last().unwrap().0;
        Released { sizes, records, k_max, ..released(50, 100, 0.0) }
    };
    let one = of(vec![(100, 100)]);
    assert_eq!((one.deviation(), one.middle(), one.gini()), (0.0, 0, 0.0));
    assert_eq!((one.above(99), one.above(100)), (1.0, 0.0));
    // Half have 10, half 30: 10 from the mean of 20; pairs differ by 20 in one of two cases.
    let two = of(vec![(10, 50), (30, 50)]);
    assert_eq!((two.deviation(), two.middle(), two.gini()), (10.0, 20, 0.25));
    // The ends do not count as far as one in twenty.
    assert_eq!(of(vec![(1, 4), (50, 92), (99, 4)]).middle(), 0);
}

fn request(file: &Path) -> ReproduceRequest {
    ReproduceRequest { quick: true, ..ReproduceRequest::new(Paper::Paper3) }.on(file)
}

/// A table of a few hundred people, for a run from end to end.
fn small(header: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("{header}\n");
    for i in 0..600u32 {
        let male = i % 5 < 3;
        let height = if male { 168.0 } else { 156.0 } + f64::from(i * 37 % 17) * 0.6;
        let weight = height - 105.0 + f64::from(i * 53 % 23);
        let yes = |n: u32| if i * n % 7 < 3 { "yes" } else { "no" };
        let sex = if male { "M" } else { "F" };
        writeln!(text, "{height:.1},{},{weight:.1},{sex},{},{}", 1940 + i * 11 % 57, yes(3), yes(5)).unwrap();
    }
    // Somebody who did not tell.
    text.push_str("170,1960,,M,yes,no\n");
    let file = folder.path().join("people.csv");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

#[test]
fn a_run_from_end_to_end() {
    let (_folder, input) = small("Height,Age,Weight,Gender,Diabetes,Smoke100");
    let found = reproduce(&request(&input), &Context::new()).unwrap();
    let numbers: Vec<&str> = found.figures.iter().map(|figure| figure.number.as_str()).collect();
    let wanted = [
        "Figure 1",
        "Figure 2",
        "Figure 4",
        "Figure 5",
        "Figure 5",
        "Figure 5",
        "Figure 6",
        "Figure 7",
        "Average of k",
    ];
    assert_eq!(numbers, wanted);
    assert_eq!((found.data[0].rows, found.data[0].without_value, found.data[0].is_papers_own), (600, 1, false));
    for figure in &found.figures {
        match &figure.body {
            FigureBody::Lines { series, .. } => {
                assert!(!series.is_empty());
                for line in series {
                    assert!(line.values().count() > 1 && line.values().all(|y| (0.0..=100.0 + 1e-9).contains(&y)));
                    assert!((line.values().last().unwrap() - 100.0).abs() < 1e-9, "{}", line.name);
                }
            }
            FigureBody::Shares { percent, across_names, up_names, .. } => {
                assert_eq!(percent.len(), across_names.len());
                for column in percent {
                    let whole: f64 = column.iter().sum();
                    assert!(column.len() == up_names.len() && (whole - 100.0).abs() < 1e-9, "{whole}");
                }
            }
            FigureBody::Cells { heading, rows } => {
                assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == heading.len()));
            }
            FigureBody::Tree { branches, .. } => {
                for level in branches.iter().flat_map(|branch| &branch.levels) {
                    assert!(!level.parts.is_empty() && level.parts.iter().map(|part| part.1).sum::<u64>() <= 600);
                }
                let all = |branch: &Branch| {
                    branch.levels.last().map_or(0, |level| level.parts.iter().map(|part| part.1).sum())
                };
                assert_eq!(branches.iter().map(all).sum::<u64>(), 600, "everybody is in one context");
            }
            FigureBody::Map { .. } => panic!("no map is wanted"),
        }
    }
    let strongest = find(&found.claims, "figure 1", "most strongly");
    assert_eq!(strongest.standing, Standing::Held, "{}", strongest.found);
    assert_eq!(find(&found.claims, "by algorithm 4", "2-anonymous").standing, Standing::Held);
    assert!(found.claims.iter().all(|claim| !claim.found.contains("NaN") && !claim.found.contains("inf")));
    let page = reproduction_page(&found);
    assert!(page.contains("<strong>Figure 4.</strong> Height by Weight") && !page.contains("<script"));
}

#[test]
fn other_columns_and_refusals() {
    let (_folder, input) = small("tall,born,heavy,who,ill,smokes");
    let refused = |change: &dyn Fn(&mut ReproduceRequest), words: &str| {
        let mut request = request(&input);
        change(&mut request);
        let error = reproduce(&request, &Context::new()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let named = |names: &str| names.split(',').map(String::from).collect::<Vec<_>>();
    refused(&|_| (), "wants a column for height");
    refused(&|request| request.quasi = named("tall,born,heavy"), "4 to 7 of them");
    refused(&|request| request.quasi = named("tall,born,who,heavy"), "must be numbers");
    refused(&|request| (request.quasi, request.sensitive) = (named("tall,born,heavy,who"), named("ill")), "sensitive");
    let found =
        reproduce(&ReproduceRequest { quasi: named("tall,born,heavy,who"), ..request(&input) }, &Context::new())
            .unwrap();
    assert!(found.left_out.iter().any(|words| words.starts_with("Figure 2")));
    assert!(found.figures.iter().all(|figure| figure.number != "Figure 2"));
    let (folder, _) = small("tall,born,heavy,who,ill,smokes");
    let few = folder.path().join("few.csv");
    std::fs::write(&few, "height,age,weight,sex\n1,2,3,F\n2,3,4,M\n").unwrap();
    let error = reproduce(&request(&few), &Context::new()).unwrap_err().to_string();
    assert!(error.contains("2 rows have a value") && error.contains("at least 100 rows"), "{error}");
}
