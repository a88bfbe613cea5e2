//! Figure 5: the domains that height is cut into.

use super::measured::Numbers;
use super::releases::{Cut, CutRelease, Domains};
use super::{RECORDS, SHARE};
use crate::claim::Passage;
use crate::decision::joined;
use crate::{Branch, Figure, FigureBody, Findings};
use scumble_report::{counted, grouped};

/// The domains that section 5.2 lists for men and for women, and the records that each should have.
const PAPERS_DOMAINS: [u64; 2] = [15, 5];
const PAPERS_LEAST: u64 = 2_000;

pub(super) fn add(findings: &mut Findings, numbers: &Numbers) {
    let height = &numbers.measured[0];
    let shown = [Cut::Paper(SHARE), numbers.deciding(), Cut::Ours(SHARE)];
    let cuts: Vec<&CutRelease> = numbers.cuts.iter().filter(|one| shown.contains(&one.cut)).collect();
    for cut in &cuts {
        let branch = |one: &Domains| Branch {
            name: format!("{}: {} records", one.context, grouped(one.records)),
            levels: one.levels.iter().rev().cloned().collect(),
        };
        findings.figures.push(Figure::new(
            "Figure 5",
            format!("domains of {height} by {}", cut.name),
            format!(
                "{} with {}; the smallest has {}. A domain is as wide as its share of the records.",
                counted(cut.domains.len() as u64, "context", "contexts"),
                counted(n_domains(cut) as u64, "domain", "domains"),
                counted(cut.domains.iter().map(Domains::least).min().unwrap_or(0), "record", "records"),
            ),
            FigureBody::Tree { unit: "records".into(), branches: cut.domains.iter().map(branch).collect() },
        ));
    }
    let wanted: u64 = PAPERS_DOMAINS.iter().sum::<u64>() * PAPERS_LEAST;
    let here = joined(cuts.iter().map(|cut| format!("{} by {}", n_domains(cut), cut.name)));
    findings.claims.push(Passage::new("section 5.2", false).any(
        "Height falls into 15 domains for men and 5 for women, and each of them has 2,000 of the 20,708 records.",
        "20 domains of 2,000 records are no more than there are",
        format!(
            "20 domains of 2,000 take {} records, and there are {}; domains here: {here}",
            grouped(wanted),
            grouped(RECORDS)
        ),
        wanted <= RECORDS,
    ));
}

/// Domains of all contexts.
fn n_domains(cut: &CutRelease) -> usize {
    cut.domains.iter().map(Domains::n).sum()
}
