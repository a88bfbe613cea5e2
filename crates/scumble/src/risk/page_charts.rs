//! The distribution of risk over people, as charts.

use super::RiskFacts;
use scumble_report::chart::{Axis, Series, Shape, histogram, line, size_bins};
use scumble_report::{Page, grouped};

/// The distribution as the paper's figures 6 and 7 show it, and the sizes of classes.
pub(super) fn distribution(page: &mut Page, facts: &RiskFacts) {
    let profile = &facts.attack.profile;
    page.section("How the risk is spread").paragraph(
        "The first line shows for every number k the share of people whom at most k records match: the further to the right it \
         rises, the better people are hidden. The second shows the same by the chance to be found, which is one in k.",
    );
    let found = profile.records - profile.unmatched;
    let mut below = 0u64;
    let by_k = facts.attack.matches.found().map(|line| {
        below += line.records;
        (line.k as f64, 100.0 * below as f64 / profile.records.max(1) as f64)
    });
    let by_k: Vec<(f64, f64)> = std::iter::once((0.0, 0.0)).chain(by_k).collect();
    if found > 0 {
        page.chart(&line(
            "People by the number of records that match",
            &Axis::new("At most so many records match (k)"),
            &Axis::new("Share of people").unit("%"),
            &[Series { name: "Share of people".into(), points: by_k, shape: Shape::Steps }],
        ));
    }
    let by_chance = profile.cdf.iter().map(|(p, share)| (*p, 100.0 * share));
    let by_chance: Vec<(f64, f64)> = std::iter::once((0.0, 0.0)).chain(by_chance).chain([(1.0, 100.0)]).collect();
    page.chart(&line(
        "People by the chance to be found",
        &Axis::new("Chance of at most (1/k)"),
        &Axis::new("Share of people").unit("%"),
        &[Series { name: "Share of people".into(), points: by_chance, shape: Shape::Steps }],
    ));
    let sizes: Vec<(u64, u64)> = facts.attack.matches.found().map(|line| (line.k, line.classes)).collect();
    page.chart(&histogram(
        "Different known values by the number of records that match",
        &Axis::new("Records that match"),
        &Axis::new("Different known values"),
        &size_bins(&sizes),
    ));
    if profile.unmatched > 0 {
        page.paragraph(format!(
            "{} people match no record and are not drawn in the last chart.",
            grouped(profile.unmatched)
        ));
    }
}
