//! Table 9: what a marginal's own table adds to the table of all quasi-identifiers.

use super::releases::{Approach, MIDDLE, Principle, Runs};
use super::source::Occupations;
use super::thousandths;
use crate::claim::Passage;
use crate::decision::{Trend, all, joined, rises};
use crate::{Figure, FigureBody, Findings};

/// The paper's figures, in hundredths: from the table of all quasi-identifiers and from the marginal's own.
const PRINTED: [([f64; 4], [f64; 4]); 2] =
    [([0.25, 2.90, 6.18, 8.96], [0.03, 1.13, 3.71, 6.06]), ([0.30, 3.20, 6.79, 9.31], [0.08, 1.38, 4.20, 6.22])];

/// Divergences of one approach under one principle, marginal by marginal.
struct Errors {
    all: Vec<f64>,
    own: Vec<f64>,
}

/// Both tables and what the paper says about them.
pub(super) fn tables(runs: &Runs, table: &Occupations, setting: &str, findings: &mut Findings) {
    for ((number, principle), printed) in ["Table 9a", "Table 9b"].into_iter().zip(MIDDLE).zip(PRINTED) {
        let found = |approach| errors(runs, principle, approach);
        let (paper, ours) = (found(Approach::Angelization), found(Approach::Default));
        let names: Vec<String> =
            (1..table.quasi.len()).map(|n| format!("G{n}: {}", table.quasi[..n].join(", "))).collect();
        let mut rows = Vec::new();
        for (name, errors) in [("", &paper), (" (Scumble's default)", &ours)] {
            let Some(errors) = errors else { continue };
            rows.push(row(&format!("Error using GT{name}"), &errors.all));
            rows.push(row(&format!("Error using GTi{name}"), &errors.own));
        }
        let hundredths = |errors: [f64; 4]| errors.map(|error| error / 100.0).to_vec();
        rows.push(row("The paper, using GT", &hundredths(printed.0)));
        rows.push(row("The paper, using GTi", &hundredths(printed.1)));
        findings.figures.push(Figure::new(
            number,
            format!("error of reconstructed marginals under {}, KL-divergence in hundredths of a nat", principle.requirement()),
            format!(
                "{setting} GT is the table of all quasi-identifiers, GTi that of the marginal alone; both have the same batches. \
                 The paper's own rows are of its own table."
            ),
            FigureBody::Cells { heading: std::iter::once("Marginal".into()).chain(names).collect(), rows },
        ));
        if let Some(errors) = paper {
            claims(number, &errors, printed, table.facts.is_papers_own, findings);
        }
    }
}

/// Nothing where a release is missing, or does not tell a marginal.
fn errors(runs: &Runs, principle: Principle, approach: Approach) -> Option<Errors> {
    let of = |marginals| -> Option<Vec<f64>> {
        let run = runs.find(principle, approach, marginals)?;
        run.divergences.iter().skip(1).copied().collect()
    };
    Some(Errors { all: of(false)?, own: of(true)? }).filter(|errors| !errors.all.is_empty())
}

fn row(name: &str, errors: &[f64]) -> Vec<String> {
    let cells = errors.iter().map(|error| format!("{:.3}", 100.0 * error));
    std::iter::once(name.into()).chain(cells).collect()
}

fn claims(number: &str, errors: &Errors, printed: ([f64; 4], [f64; 4]), own_data: bool, findings: &mut Findings) {
    let at = Passage::new(format!("section 6, {}", number.to_lowercase()), own_data);
    let ratios: Vec<f64> = errors.all.iter().zip(&errors.own).map(|(all, own)| own / all).collect();
    findings.claims.push(at.any(
        "Releasing a marginal always reduces the error of its reconstruction.",
        "for each marginal the divergence from its own table is below that from the table of all quasi-identifiers",
        format!("own table over table of all: {}", thousandths(ratios.iter().copied())),
        all(ratios.iter().map(|ratio| *ratio < 1.0)),
    ));
    findings.claims.push(at.any(
        "The improvement is the more obvious the fewer columns a marginal has.",
        "the divergence from the own table, in terms of that from the table of all, rises with the number of columns, and no step down is larger than a tenth",
        thousandths(ratios.iter().copied()),
        rises(Trend::new(ratios.iter().copied()))));
    let near = |found: &[f64], printed: [f64; 4]| {
        let alike = |(found, printed): (&f64, f64)| (100.0 * found - printed).abs() <= 0.1 * printed.max(0.1);
        found.len() == 4 && found.iter().zip(printed).all(alike)
    };
    let texts = |errors: &[f64], times: f64| joined(errors.iter().map(|error| format!("{:.2}", times * error)));
    findings.claims.push(at.its(
        &format!(
            "In hundredths of a nat the errors are {} from the table of all and {} from the own table.",
            texts(&printed.0, 1.0),
            texts(&printed.1, 1.0)
        ),
        "each is within a tenth",
        format!("{} and {}", texts(&errors.all, 100.0), texts(&errors.own, 100.0)),
        near(&errors.all, printed.0) && near(&errors.own, printed.1),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotComparable, NotHeld};

    fn standings(all: [f64; 4], own: [f64; 4], own_data: bool) -> Vec<Standing> {
        let mut findings = Findings::default();
        let hundredths = |errors: [f64; 4]| errors.map(|error| error / 100.0).to_vec();
        let errors = Errors { all: hundredths(all), own: hundredths(own) };
        claims("Table 9a", &errors, PRINTED[0], own_data, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn the_papers_own_figures_hold() {
        for printed in PRINTED {
            assert_eq!(standings(printed.0, printed.1, false)[..2], [Held, Held]);
        }
        assert_eq!(standings(PRINTED[0].0, PRINTED[0].1, true), [Held, Held, Held]);
    }

    #[test]
    fn other_figures_do_not() {
        let found = standings([1.0, 2.0, 3.0, 4.0], [0.5, 0.9, 1.2, 4.1], true);
        assert_eq!(found, [NotHeld, NotHeld, NotHeld]);
        assert_eq!(standings([1.0; 4], [0.9, 0.8, 0.7, 0.6], false), [Held, NotHeld, NotComparable]);
    }
}
