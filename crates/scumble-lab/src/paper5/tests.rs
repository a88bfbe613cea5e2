//! A whole quick run, twice.

use super::TIME;
use crate::{Claim, Figure, FigureBody, Paper, ReproduceRequest, Reproduction, Standing, reproduce};
use scumble::Context;
use std::path::Path;

fn quick(data: Option<&Path>, threads: usize) -> Reproduction {
    let request = ReproduceRequest { quick: true, seed: 7, ..ReproduceRequest::new(Paper::Paper5) };
    let request = match data {
        Some(file) => request.on(file),
        None => request,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| reproduce(&request, &Context::new())).unwrap()
}

fn is_timed(figure: &Figure) -> bool {
    matches!(&figure.body, FigureBody::Lines { y, .. } if y == TIME)
}

#[test]
fn a_quick_run_has_every_figure_and_does_not_depend_on_threads() {
    let found = quick(None, 1);
    let numbers: Vec<&str> = found.figures.iter().map(|figure| figure.number.as_str()).collect();
    for figure in 6..=17 {
        assert!(numbers.contains(&format!("Figure {figure}").as_str()), "{numbers:?}");
    }
    for figure in &found.figures {
        let FigureBody::Lines { series, .. } = &figure.body else { panic!("{} is a figure", figure.number) };
        for line in series {
            assert!(line.points.len() > 1, "{} {}", figure.number, line.name);
            assert!(line.values().all(|value| value.is_finite() && value >= 0.0), "{} {}", figure.number, line.name);
            assert_eq!(line.values().count(), line.points.len(), "{} {}", figure.number, line.name);
        }
        assert!(figure.chart().is_some());
    }
    assert!(found.claims.len() > 25 && found.left_out.len() > 1 && found.data.len() == 4);
    assert!(found.claims.iter().any(|claim| claim.standing == Standing::NotComparable));
    // The permuted table is never the worse one: theorem 2 of the paper.
    let always = found.claims.iter().filter(|claim: &&Claim| claim.says.contains("always errs more"));
    assert!(always.count() == 2);

    let again = quick(None, 3);
    assert_eq!(found.claims, again.claims);
    assert_eq!(found.data, again.data);
    let counted = |found: &Reproduction| -> Vec<Figure> {
        found.figures.iter().filter(|figure| !is_timed(figure)).cloned().collect()
    };
    assert_eq!(counted(&found), counted(&again));
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn the_papers_own_table_is_known_and_judged() {
    let folder = std::env::var("SCUMBLE_DATA").unwrap_or_else(|_| "../../../shared/data".into());
    let file = Path::new(&folder).join("adult/adult_capital_loss_1427.csv");
    if !file.exists() {
        eprintln!("skipped: {} is not there", file.display());
        return;
    }
    let found = quick(Some(&file), 2);
    assert!(found.data[0].is_papers_own && found.data[0].rows == 1427);
    let of = |says: &str| found.claims.iter().find(|claim| claim.says.contains(says)).unwrap().standing;
    assert_ne!(of("less than 20 %"), Standing::NotComparable);
    assert_ne!(of("Six people"), Standing::NotComparable);
    // One person less, and it is another table.
    let text = std::fs::read_to_string(&file).unwrap();
    let fewer = tempfile::NamedTempFile::new().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(fewer.path(), lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    let found = quick(Some(fewer.path()), 2);
    assert!(!found.data[0].is_papers_own);
}
