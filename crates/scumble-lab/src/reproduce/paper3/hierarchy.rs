//! Figure 5: the domains that height is cut into.

use super::super::{Body, Branch, Claim, Exhibit, Findings};
use super::measured::Numbers;
use super::releases::{Cut, Domains, Way};
use super::{RECORDS, SHARE};
use scumble_report::{counted, grouped};

/// The domains that section 5.2 lists for men and for women, and the records that each shall have.
const PAPERS_DOMAINS: [u64; 2] = [15, 5];
const PAPERS_LEAST: u64 = 2_000;

pub(super) fn add(findings: &mut Findings, numbers: &Numbers) {
    let height = &numbers.measured[0];
    let shown = [Cut::Paper(SHARE), numbers.deciding(), Cut::Ours(SHARE)];
    let ways: Vec<&Way> = numbers.ways.iter().filter(|way| shown.contains(&way.cut)).collect();
    for way in &ways {
        let branch = |one: &Domains| Branch {
            name: format!("{}: {} records", one.context, grouped(one.records)),
            levels: one.levels.iter().rev().cloned().collect(),
        };
        findings.exhibits.push(Exhibit {
            number: "Figure 5".into(),
            title: format!("domains of {height} by {}", way.name),
            setting: format!(
                "{} with {}; the smallest has {}. A domain is as wide as its share of the records.",
                counted(way.domains.len() as u64, "context", "contexts"),
                counted(n_domains(way) as u64, "domain", "domains"),
                counted(way.domains.iter().map(Domains::least).min().unwrap_or(0), "record", "records"),
            ),
            body: Body::Tree { unit: "records".into(), branches: way.domains.iter().map(branch).collect() },
        });
    }
    let wanted: u64 = PAPERS_DOMAINS.iter().sum::<u64>() * PAPERS_LEAST;
    let here: Vec<String> = ways.iter().map(|way| format!("{} by {}", n_domains(way), way.name)).collect();
    findings.claims.push(Claim::of_any_data(
        "section 5.2",
        "Height falls into 15 domains for men and 5 for women, and each of them has 2,000 of the 20,708 records.",
        "20 domains of 2,000 records are no more than there are",
        format!(
            "20 domains of 2,000 take {} records, and there are {}; domains here: {}",
            grouped(wanted),
            grouped(RECORDS),
            here.join(", ")
        ),
        wanted <= RECORDS,
    ));
}

/// Domains of all contexts.
fn n_domains(way: &Way) -> usize {
    way.domains.iter().map(Domains::n).sum()
}
