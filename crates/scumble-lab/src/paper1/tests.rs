use super::measured::Measured;
use super::*;
use crate::variant::{Answered, Variant};
use crate::{Claim, FigureBody, Paper, ReproduceRequest, Reproduction, Standing, reproduce, reproduction_page};
use scumble::Context;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Numbers that behave as the paper says.
fn as_the_paper_says(grid: &Grid) -> Results {
    let mut results = Results::default();
    for setting in grid.all() {
        let epsilon = setting.epsilon.to_f64() / setting.form.usual().epsilon.to_f64();
        let height = epsilon * setting.m as f64 / 5.0;
        // Perturbation ends where the paper says, and releases go on.
        let limit = if setting.form == Form::Absolute { 4_000.0 } else { 0.15 };
        let retention: f64 = if setting.epsilon.to_f64() > limit { 0.0 } else { 1e-4 / height.powi(4) };
        let usual = setting == setting.form.usual();
        let volumes = if usual { grid.volumes.clone() } else { vec![VOLUME] };
        let answered = volumes.iter().flat_map(|&s| {
            DIMENSIONS.map(|w| {
                let error = 0.0001 * height * w as f64 / s;
                let perturbation = (retention > 0.0).then_some(error * 50.0);
                Answered { w, s, uniform: Some(error), ends: Some(error), perturbation }
            })
        });
        // Rises with epsilon up to the usual one, falls beyond, and falls with m.
        let seconds = (10.0 - (epsilon - 1.0).abs()) / setting.m as f64;
        let measured = Measured { answered: answered.collect(), retention, seconds };
        for variant in Variant::ALL {
            results.measured.insert((setting, variant), measured.clone());
        }
    }
    results
}

fn standings(results: &Results, grid: &Grid) -> Vec<Claim> {
    judged(results, grid, true, 500_000).claims
}

fn find<'a>(claims: &'a [Claim], place: &str, words: &str) -> &'a Claim {
    claims.iter().find(|claim| claim.place.contains(place) && claim.says.contains(words)).unwrap()
}

#[test]
fn numbers_as_in_the_paper_hold_every_claim() {
    for quick in [false, true] {
        let grid = Grid::new(quick);
        for claim in standings(&as_the_paper_says(&grid), &grid) {
            assert_eq!(claim.standing, Standing::Held, "{claim:?}");
        }
    }
}

/// Each change makes one kind of claim fail and is seen nowhere else than where it should.
#[test]
fn other_numbers_turn_claims_over() {
    let grid = Grid::new(false);
    let turned = |place: &str, words: &str, change: &dyn Fn(&Parameters, &mut Measured)| {
        let mut results = as_the_paper_says(&grid);
        results.measured.iter_mut().for_each(|((setting, _), measured)| change(setting, measured));
        let claims = standings(&results, &grid);
        assert_eq!(find(&claims, place, words).standing, Standing::NotHeld, "{place}: {words}");
    };
    let errors =
        |measured: &mut Measured, change: &dyn Fn(&mut Answered)| measured.answered.iter_mut().for_each(change);
    turned("figure 4a", "much better", &|setting, one| {
        if setting.epsilon == Decimal::new(2_000, 0) {
            errors(one, &|answer| answer.perturbation = answer.uniform);
        }
    });
    turned("figure 4b", "release grows", &|setting, one| {
        if setting.epsilon == Decimal::new(250, 3) {
            errors(one, &|answer| answer.uniform = Some(1e-9));
        }
    });
    turned("figure 4a", "perturbation grows", &|_, one| {
        errors(one, &|answer| answer.perturbation = answer.perturbation.map(|_| 3.0));
    });
    turned("figure 4a", "below 15%", &|_, one| errors(one, &|answer| answer.uniform = Some(0.2)));
    turned("figure 4a", "cannot meet", &|_, one| one.retention = 0.1);
    turned("figure 4b", "no further", &|_, one| one.retention = 0.1);
    turned("figure 4b", "useless", &|_, one| one.retention = one.retention.min(1e-6));
    turned("figure 5a", "grows with m", &|setting, one| {
        errors(one, &|answer| answer.uniform = Some(1.0 / setting.m as f64));
    });
    turned("figure 5b", "no more than 8%", &|setting, one| {
        if setting.m == 7 {
            errors(one, &|answer| answer.uniform = Some(0.081));
        }
    });
    turned("figure 5b", "worse", &|_, one| errors(one, &|answer| answer.perturbation = answer.uniform));
    turned("figure 6a", "falls as", &|_, one| errors(one, &|answer| answer.uniform = Some(answer.s)));
    turned("figure 6b", "stays small", &|_, one| errors(one, &|answer| answer.uniform = Some(0.15)));
    turned("figure 7a", "absolute", &|setting, one| one.seconds = setting.m as f64);
    turned("figure 7a, text", "relative", &|setting, one| one.seconds = setting.m as f64);
    turned("figure 7b", "relative", &|setting, one| one.seconds = setting.epsilon.to_f64());
    turned("figure 7b, text", "absolute", &|setting, one| one.seconds = 1e6 / setting.epsilon.to_f64());
    turned("figure 7", "minute", &|_, one| one.seconds = 61.0);
}

#[test]
fn nothing_measured_is_not_judged() {
    let grid = Grid::new(false);
    for claim in standings(&Results::default(), &grid) {
        assert_eq!(claim.standing, Standing::NotComparable, "{claim:?}");
    }
}

#[test]
fn short_times_are_not_judged() {
    let grid = Grid::new(false);
    let mut results = as_the_paper_says(&grid);
    results.measured.values_mut().for_each(|one| one.seconds /= 100.0);
    let claims = standings(&results, &grid);
    for claim in claims.iter().filter(|claim| claim.place.contains("figure 7a") || claim.place.contains("figure 7b")) {
        assert_eq!(claim.standing, Standing::NotComparable, "{claim:?}");
        assert!(claim.found.contains("no time is as long as 0.5 s"), "{}", claim.found);
    }
}

#[test]
fn figures_of_another_table_are_not_judged() {
    let grid = Grid::new(false);
    let claims = judged(&as_the_paper_says(&grid), &grid, false, 1_000).claims;
    let open: Vec<&str> =
        claims.iter().filter(|one| one.standing == Standing::NotComparable).map(|one| one.says.as_str()).collect();
    assert_eq!(open.len(), 9, "{open:?}");
    assert!(claims.iter().all(|one| one.standing != Standing::NotHeld));
}

/// A small quick run on generated people.
fn quick(file: &Path) -> Reproduction {
    let request = ReproduceRequest { quick: true, seed: 3, ..ReproduceRequest::new(Paper::Paper1) };
    reproduce(&request.on(file), &Context::new()).unwrap()
}

fn small(folder: &Path) -> PathBuf {
    let file = folder.join("people.csv");
    let mut csv = Vec::new();
    scumble::generate(Sample::Census, 2_000, 5, &mut csv, &mut |_| ()).unwrap();
    std::fs::write(&file, csv).unwrap();
    file
}

/// All but times, which differ from run to run.
fn untimed(found: &Reproduction) -> String {
    let mut text = String::new();
    let about_time = |name: &str| name.contains('7');
    for one in found.figures.iter().filter(|one| !about_time(&one.number)) {
        writeln!(text, "{one:?}").unwrap();
    }
    for one in found.claims.iter().filter(|one| !about_time(&one.place)) {
        writeln!(text, "{one:?}").unwrap();
    }
    text
}

#[test]
fn a_quick_run_has_every_figure_and_the_threads_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| quick(&small(folder.path())))
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(untimed(&one), untimed(&three));

    let numbers: Vec<&str> = one.figures.iter().map(|figure| figure.number.as_str()).collect();
    assert_eq!(numbers.len(), 22);
    for number in
        ["Figure 4a, w = 2", "Figure 4b, w = 4", "Figure 5a, w = 3", "Figure 6b, w = 2", "Figure 7b, relative"]
    {
        assert!(numbers.contains(&number), "{number} is not among {numbers:?}");
    }
    for figure in &one.figures {
        let FigureBody::Lines { series, .. } = &figure.body else { panic!("{} has no lines", figure.number) };
        assert!(series.iter().all(|line| line.values().all(|y| y.is_finite() && y >= 0.0)), "{}", figure.number);
        let paper = series.iter().find(|line| line.name == "the paper's algorithm").unwrap();
        assert!(paper.values().count() >= 2, "{}", figure.number);
    }
    assert_eq!((one.data[0].name.as_str(), one.data[0].rows, one.data[0].is_papers_own), ("people.csv", 2_000, false));
    let page = reproduction_page(&one);
    assert!(page.contains("Figure 4a, w = 2") && page.contains("not comparable") && !page.contains("NaN"));
}

#[test]
fn the_papers_table_is_told_by_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let table = |rows: u32, last: u32| {
        let mut csv = String::from("age,birthplace,occupation,income\n");
        for row in 0..rows - 1 {
            writeln!(csv, "{},{},{},{}", 16 + row % 78, 1 + row % 700, 1 + row % 983, 1_000 + row % 99_000).unwrap();
        }
        writeln!(csv, "16,710,1,{last}").unwrap();
        let file = folder.path().join("table.csv");
        std::fs::write(&file, csv).unwrap();
        let request = ReproduceRequest::new(Paper::Paper1).on(file);
        is_sal(&SOURCE.sampled(&request, &Runner::new(&Context::new())).unwrap()).unwrap()
    };
    assert!(table(500_000, 100_000));
    assert!(!table(500_000, 100_001));
    assert!(!table(499_999, 100_000));
}
