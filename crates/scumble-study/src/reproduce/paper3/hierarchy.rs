//! Figure 5: the domains that height is cut into.

use super::super::{Body, Claim, Exhibit, Findings};
use super::measured::Numbers;
use super::releases::{Cut, Way};
use super::{FINE, RECORDS, SHARE};
use scumble_report::grouped;

/// The domains that section 5.2 lists for men and for women, and the records that each shall have.
const PAPERS_DOMAINS: [u64; 2] = [15, 5];
const PAPERS_LEAST: u64 = 2_000;

pub(super) fn add(findings: &mut Findings, numbers: &Numbers) {
    let height = &numbers.measured[0];
    let shown = [Cut::Paper(SHARE), Cut::Paper(FINE), Cut::Ours(SHARE)];
    let ways: Vec<&Way> = numbers.ways.iter().filter(|way| shown.contains(&way.cut)).collect();
    let rows = ways.iter().flat_map(|way| {
        way.domains.iter().map(|one| {
            let figures = [one.records, one.labels.len() as u64, one.least].map(grouped);
            [way.name.clone(), one.context.clone()].into_iter().chain(figures).chain([one.labels.join(" | ")]).collect()
        })
    });
    findings.exhibits.push(Exhibit {
        number: "Figure 5".into(),
        title: format!("domains of {height} by context"),
        setting: format!(
            "{} records. Domains that all contexts share may have fewer records in some than a domain shall stand for.",
            grouped(numbers.records)
        ),
        body: Body::Cells {
            heading: ["Cut", "Context", "Records", "Domains", "Fewest records of one", "Domains of height"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
        },
    });
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
    way.domains.iter().map(|one| one.labels.len()).sum()
}
