//! A whole run on a small table, twice.

use crate::{FigureBody, Paper, ReproduceRequest, Reproduction, Standing, reproduce};
use scumble::{Context, Sample};
use std::fs::File;
use std::path::Path;

fn small(file: &Path, threads: usize) -> Reproduction {
    let request = ReproduceRequest { quick: true, seed: 3, ..ReproduceRequest::new(Paper::Paper4) }.on(file);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| reproduce(&request, &Context::new())).unwrap()
}

#[test]
fn a_small_run_has_every_figure_and_does_not_depend_on_threads() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut out = File::create(file.path()).unwrap();
    scumble::generate(Sample::Occupation, 3000, 2, &mut out, &mut |_| ()).unwrap();
    let found = small(file.path(), 1);
    let numbers: Vec<&str> = found.figures.iter().map(|figure| figure.number.as_str()).collect();
    assert_eq!(
        numbers,
        ["Figure 4a", "Figure 4b", "Figure 5a", "Figure 5b", "Figure 5c", "Figure 5d", "Table 9a", "Table 9b"]
    );
    for figure in &found.figures {
        match &figure.body {
            FigureBody::Lines { series, .. } => {
                assert_eq!(series.len(), 3, "{}", figure.number);
                for line in series {
                    assert_eq!(line.values().count(), 3, "{} {}", figure.number, line.name);
                    assert!(line.values().all(|value| value.is_finite() && value >= 0.0), "{}", figure.number);
                }
            }
            FigureBody::Cells { heading, rows } => {
                assert_eq!((heading.len(), rows.len()), (5, 6), "{}", figure.number);
                assert!(rows.iter().all(|row| row.len() == 5));
            }
            FigureBody::Map { .. } | FigureBody::Shares { .. } | FigureBody::Tree { .. } => {
                panic!("{} is no map", figure.number)
            }
        }
    }
    // Two claims for each of figures 4, three for 5a and 5b, two for 5c and 5d, three for each table.
    assert_eq!(found.claims.len(), 4 + 6 + 4 + 6);
    let printed = found.claims.iter().filter(|claim| claim.says.contains("hundredths"));
    assert!(printed.clone().count() == 2 && printed.into_iter().all(|one| one.standing == Standing::NotComparable));

    let again = small(file.path(), 3);
    assert_eq!(found.claims, again.claims);
    assert_eq!(found.figures, again.figures);
}
