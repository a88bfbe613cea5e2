use super::figure5::Quality;
use super::figure6::Times;
use super::releases::Parameters;
use super::*;
use crate::variant::Answered;
use crate::{Claim, FigureBody, Paper, ReproduceRequest, Reproduction, Standing, reproduce};
use scumble::Context;
use std::fmt::Write;
use std::path::Path;

fn claims(add: impl Fn(&mut Findings)) -> Vec<Claim> {
    let mut findings = Findings::default();
    add(&mut findings);
    findings.claims
}

fn find<'a>(claims: &'a [Claim], words: &str) -> &'a Claim {
    claims.iter().find(|claim| claim.says.contains(words)).unwrap()
}

/// Errors that behave as the paper says.
fn quality() -> Quality {
    let grid = Grid::new(false);
    let usual = figure5::usual();
    let mut results = std::collections::BTreeMap::new();
    for setting in grid.varied.around(usual) {
        let delta = setting.delta.to_f64();
        let sharp = if delta > 0.85 { 2.0 } else { 1.0 + 0.1 * delta };
        let height = setting.epsilon.to_f64() * sharp * (1.0 + (setting.k as f64 - 15.0).abs() / 10.0);
        let volumes = if setting == usual { grid.volumes.clone() } else { vec![0.1] };
        let answered: Vec<Answered> = volumes
            .iter()
            .flat_map(|&s| {
                [1, 2, 3].map(|qd| {
                    let uniform = Some(0.005 * height * qd as f64 / s);
                    Answered { w: qd + 2, s, uniform, ends: None, perturbation: None }
                })
            })
            .collect();
        for variant in Variant::ALL {
            results.insert((setting, variant), answered.clone());
        }
    }
    Quality { usual, grid, results }
}

#[test]
fn errors_as_in_the_paper_hold_every_claim() {
    for claim in claims(|findings| quality().add(findings, true)) {
        assert_eq!(claim.standing, Standing::Held, "{claim:?}");
    }
}

#[test]
fn other_errors_turn_claims_over() {
    let turned = |words: &str, change: &dyn Fn(&Parameters, &mut Answered)| {
        let mut quality = quality();
        for ((setting, _), answered) in &mut quality.results {
            answered.iter_mut().for_each(|one| change(setting, one));
        }
        let claims = claims(|findings| quality.add(findings, true));
        assert_eq!(find(&claims, words).standing, Standing::NotHeld, "{words}");
    };
    turned("grows with epsilon", &|setting, one| one.uniform = Some(1.0 - setting.epsilon.to_f64()));
    turned("grows with delta", &|setting, one| one.uniform = Some(1.0 - setting.delta.to_f64()));
    turned("most sharply", &|setting, one| one.uniform = Some(if setting.delta.to_f64() > 0.65 { 0.1 } else { 0.01 }));
    turned("always below 15%", &|_, one| one.uniform = Some(0.15));
    turned("first falls", &|setting, one| one.uniform = Some(setting.k as f64));
    turned("k = 15", &|setting, one| one.uniform = Some((setting.k as f64 - 10.0).abs()));
    turned("cover more", &|_, one| one.uniform = Some(one.s));
    turned("below 5%", &|_, one| one.uniform = Some(0.05));
}

#[test]
fn claims_are_judged_by_ours_where_the_papers_algorithm_finds_less() {
    let mut quality = quality();
    let some = quality.grid.varied.epsilons[3];
    quality.results.retain(|(setting, variant), _| *variant == Variant::Ours || setting.epsilon < some);
    let found = claims(|findings| quality.add(findings, true));
    assert!(find(&found, "grows with epsilon").found.contains("by ours, for the paper's algorithm found 3"));
    quality.results.clear();
    for claim in claims(|findings| quality.add(findings, true)) {
        assert_eq!(claim.standing, Standing::NotComparable, "{claim:?}");
    }
}

/// Times that behave as the paper says.
fn times() -> Times {
    let grid = Grid::new(false);
    let usual = Parameters { epsilon: Decimal::new(10, 2), delta: Decimal::new(9, 1), k: 20 };
    let sizes = vec![30_000, 40_000, 50_000];
    let mut seconds = std::collections::BTreeMap::new();
    for setting in grid.timed.around(usual) {
        for &n in &sizes {
            let hard = setting.epsilon.to_f64() * setting.delta.to_f64() / setting.k as f64;
            seconds.extend(Variant::ALL.map(|variant| ((setting, n, variant), hard * n as f64)));
        }
    }
    Times { usual, grid, sizes, seconds }
}

#[test]
fn times_as_in_the_paper_hold_every_claim_and_others_do_not() {
    for claim in claims(|findings| times().add(findings)) {
        assert_eq!(claim.standing, Standing::Held, "{claim:?}");
    }
    let turned = |words: &str, change: &dyn Fn(&Parameters, usize, &mut f64)| {
        let mut times = times();
        times.seconds.iter_mut().for_each(|((setting, n, _), seconds)| change(setting, *n, seconds));
        let claims = claims(|findings| times.add(findings));
        assert_eq!(find(&claims, words).standing, Standing::NotHeld, "{words}");
    };
    turned("linearly", &|_, n, seconds| *seconds = (n as f64).powi(2));
    turned("minutes", &|_, _, seconds| *seconds = 601.0);
    turned("with epsilon", &|setting, _, seconds| *seconds = 1.0 / setting.epsilon.to_f64());
    turned("with delta", &|setting, _, seconds| *seconds = 1.0 / setting.delta.to_f64());
    turned("as k grows", &|setting, _, seconds| *seconds = setting.k as f64);
    let mut few = times();
    few.sizes = vec![300, 400, 500];
    few.seconds = few
        .seconds
        .into_iter()
        .map(|((setting, n, variant), seconds)| ((setting, n / 100, variant), seconds))
        .collect();
    assert_eq!(find(&claims(|findings| few.add(findings)), "minutes").standing, Standing::NotComparable);
}

fn quick(file: &Path) -> Reproduction {
    let request = ReproduceRequest { quick: true, seed: 3, ..ReproduceRequest::new(Paper::Paper2) };
    reproduce(&request.on(file), &Context::new()).unwrap()
}

/// All but times, which differ from run to run, and lines of the paper's exchanges, which are given up after some time.
fn untimed(found: &Reproduction) -> String {
    let mut text = String::new();
    for one in found.figures.iter().filter(|one| !one.number.contains("Figure 6")) {
        match &one.body {
            FigureBody::Lines { series, .. } => {
                let ours = series.iter().filter(|line| line.name.starts_with("ours"));
                writeln!(text, "{} {:?}", one.number, ours.collect::<Vec<_>>()).unwrap();
            }
            body => writeln!(text, "{} {body:?}", one.number).unwrap(),
        }
    }
    text
}

#[test]
fn a_quick_run_has_every_figure_and_the_threads_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    let mut csv = Vec::new();
    scumble::generate(Sample::Census, 1_000, 5, &mut csv, &mut |_| ()).unwrap();
    std::fs::write(&file, csv).unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| quick(&file))
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(untimed(&one), untimed(&three));
    let numbers: Vec<&str> = one.figures.iter().map(|figure| figure.number.as_str()).collect();
    let wanted = [
        "Table III",
        "Figure 4, left",
        "Figure 4, right",
        "Figure 5, epsilon",
        "Figure 5, delta",
        "Figure 5, k",
        "Figure 5, volume",
        "Figure 6, epsilon",
        "Figure 6, delta",
        "Figure 6, k",
    ];
    assert_eq!(numbers, wanted);
    for figure in &one.figures {
        match &figure.body {
            FigureBody::Lines { series, .. } => {
                let ours = series.iter().filter(|line| line.name.starts_with("ours"));
                assert!(ours.flat_map(|line| line.values()).count() >= 2, "{}", figure.number);
                assert!(series.iter().all(|line| line.values().all(|y| y.is_finite() && y >= 0.0)));
            }
            FigureBody::Map { values, .. } => {
                assert!(values.iter().flatten().all(|share| share.is_some_and(|share| (0.0..=1.0).contains(&share))));
            }
            FigureBody::Cells { rows, .. } => assert_eq!(rows.len(), 7),
            other => panic!("{} is {other:?}", figure.number),
        }
    }
    assert_eq!(one.claims.len(), 18);
    assert!(!one.data[0].is_papers_own);
}
