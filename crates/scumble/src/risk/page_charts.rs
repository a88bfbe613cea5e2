//! The distribution of risk over people, as charts.

use super::RiskFacts;
use super::page::{capital, many};
use scumble_report::chart::{Axis, Series, Shape, histogram, line, size_bins};
use scumble_report::{Page, grouped};
use scumble_table::Counted;

/// The distribution as the paper's figures 6 and 7 show it, and the sizes of classes.
pub(super) fn distribution(page: &mut Page, facts: &RiskFacts) {
    let profile = &facts.attack.profile;
    let (many, matching) = (many(facts), if facts.counted == Counted::People { "people" } else { "records" });
    let who = capital(many);
    page.section("How the risk is spread").paragraph(format!(
        "The first line shows for every number k the share of {many} that at most k {matching} match: the further to the right \
         it rises, the better they are hidden. The second shows the same by the chance to be found, which is one in k."
    ));
    let share = format!("Share of {many}");
    let found = profile.records - profile.unmatched;
    let mut below = 0u64;
    let by_k = facts.attack.matches.found().map(|line| {
        below += line.records;
        (line.k as f64, 100.0 * below as f64 / profile.records.max(1) as f64)
    });
    let by_k: Vec<(f64, f64)> = std::iter::once((0.0, 0.0)).chain(by_k).collect();
    if found > 0 {
        page.chart(&line(
            &format!("{who} by the number of {matching} that match"),
            &Axis::new(&format!("At most so many {matching} match (k)")),
            &Axis::new(&share).unit("%"),
            &[Series { name: share.clone(), points: by_k, shape: Shape::Steps }],
        ));
    }
    let by_chance = profile.cdf.iter().map(|(p, share)| (*p, 100.0 * share));
    let by_chance: Vec<(f64, f64)> = std::iter::once((0.0, 0.0)).chain(by_chance).chain([(1.0, 100.0)]).collect();
    page.chart(&line(
        &format!("{who} by the chance to be found"),
        &Axis::new("Chance of at most (1/k)"),
        &Axis::new(&share).unit("%"),
        &[Series { name: share.clone(), points: by_chance, shape: Shape::Steps }],
    ));
    let sizes: Vec<(u64, u64)> = facts.attack.matches.found().map(|line| (line.k, line.classes)).collect();
    page.chart(&histogram(
        &format!("Different known values by the number of {matching} that match"),
        &Axis::new(&format!("{} that match", capital(matching))),
        &Axis::new("Different known values"),
        &size_bins(&sizes),
    ));
    if profile.unmatched > 0 {
        page.paragraph(format!(
            "{} {many} match no record and are not drawn in the last chart.",
            grouped(profile.unmatched)
        ));
    }
}
