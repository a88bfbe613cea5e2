//! Figures 6 and 7, and the average of k: how well people are hidden by both ways to cut.

use super::measured::Numbers;
use super::releases::{Cut, CutRelease, Released};
use super::{DOMAINS, RECORDS, SHARE};
use crate::claim::Passage;
use crate::decision::{percent, short};
use crate::figure::YAxis;
use crate::{Claim, Figure, FigureBody, Findings, Series};
use scumble_report::grouped;

/// "Around one third" is what is nearer to a third than to a half or a quarter, taken the other way round: 1 in 2.5 to 3.5.
const AROUND_A_THIRD: std::ops::RangeInclusive<f64> = 1.0 / 3.5..=0.4;

/// The limits of section 5.2, which are numbers of the paper's records.
const MANY: u64 = 200;
const FEW: u64 = 100;

pub(super) fn add(findings: &mut Findings, numbers: &Numbers, own: bool) {
    let of = |cut: Cut| numbers.cuts.iter().find(|one| one.cut == cut);
    let before = of(Cut::Conventional);
    let deciding = numbers.deciding();
    let mut after = vec![Cut::Paper(SHARE), deciding, Cut::Ours(SHARE)];
    after.dedup();
    let [height, birth, weight] = &numbers.measured;
    findings.figures.push(curves(
        "Figure 6",
        "groups by the conventional split",
        format!("{height} in three parts of equal numbers, {birth} and {weight} in two; 2-anonymous."),
        before.into_iter(),
    ));
    findings.figures.push(curves(
        "Figure 7",
        "groups by correlation",
        format!("{height} cut by context, {birth} in three parts, {weight} in two; 2-anonymous."),
        after.iter().filter_map(|&cut| of(cut)),
    ));
    findings.figures.push(averages(numbers));
    let Some(before) = before.and_then(|one| one.release.clone()) else {
        findings.left_out.push(
            "The conventional split has no 2-anonymous release here, so there is nothing to compare with.".into(),
        );
        return;
    };
    let Some((judged, release)) = of(deciding).and_then(|one| Some((one, one.release.clone()?))) else {
        findings.left_out.push("There is no 2-anonymous release by algorithm 4 here, so nothing is judged.".into());
        return;
    };
    let rule = of(Cut::Paper(SHARE)).filter(|rule| rule.cut != deciding);
    if rule.is_none() && numbers.fine.is_none() {
        findings.left_out.push(format!(
            "No number of records a domain makes about {DOMAINS} domains of {height} here, as the paper lists: claims are judged \
             by one in {SHARE}, as its text has it."
        ));
    }
    let pair = Pair { before, after: release, by: judged.name.clone(), rule: rule.and_then(|one| one.release.clone()) };
    findings.claims.extend(pair.claims(numbers.records, own));
}

/// Share of records in groups of at most k.
fn curves<'a>(number: &str, title: &str, setting: String, cuts: impl Iterator<Item = &'a CutRelease>) -> Figure {
    let line = |cut: &CutRelease| {
        let curve = cut.release.as_ref().map(Released::curve).unwrap_or_default();
        Series { steps: true, ..Series::through(&cut.name, curve).in_percent() }
    };
    let y = YAxis { label: "Share of records", unit: "%", by_powers: false };
    let body = Figure::lines("At most so many records are alike (k)", y, cuts.map(line).collect());
    Figure::new(number, title, setting, body)
}

/// A table of all cuts.
fn averages(numbers: &Numbers) -> Figure {
    let row = |cut: &CutRelease| {
        let figures = match &cut.release {
            Some(r) => vec![
                grouped(r.records),
                grouped(r.deleted),
                grouped(r.classes),
                format!("{:.2}", r.by_record),
                format!("{:.2}", r.by_class),
                grouped(r.k_min),
                grouped(r.k_max),
                format!("{:.3}", r.height_loss),
            ],
            None => vec!["no release".into(); 8],
        };
        std::iter::once(cut.name.clone()).chain(figures).collect()
    };
    let heading = "Cut|Records|Deleted|Groups|k, mean of records|k, mean of groups|k, least|k, greatest|Height lost";
    let heading = heading.split('|').map(String::from).collect();
    let setting = "What is lost is 0 where every value is exact and 1 where nothing is left.";
    let body = FigureBody::Cells { heading, rows: numbers.cuts.iter().map(row).collect() };
    Figure::new("Average of k", "all ways to cut", setting, body)
}

/// The conventional release, the one that claims are judged by, and the one by the printed rule.
struct Pair {
    before: Released,
    after: Released,
    /// How the second was cut.
    by: String,
    rule: Option<Released>,
}

impl Pair {
    /// A figure of the release that is judged, and of the one by the printed rule where that is another.
    fn told(&self, figure: impl Fn(&Released) -> String) -> String {
        match &self.rule {
            Some(rule) => format!("{}; by one in {SHARE} records, {}", figure(&self.after), figure(rule)),
            None => figure(&self.after),
        }
    }

    /// The same, compared with the conventional figure.
    fn compared(&self, figure: impl Fn(&Released) -> f64) -> String {
        let before = figure(&self.before);
        self.told(|one| {
            format!("{} beside {}, {} times", short(figure(one)), short(before), short(figure(one) / before))
        })
    }

    fn claims(&self, records: u64, own: bool) -> Vec<Claim> {
        let (before, after) = (&self.before, &self.after);
        // Claims about any data are judged by one cut, which they name; others are about the paper's own table.
        let by = |place: &str| Passage::new(format!("{place}, by {}", self.by), own);
        let [section, figure_6, figure_7] =
            ["abstract", "section 5.2, figure 6", "section 5.2, figure 7"].map(|place| Passage::new(place, own));
        let [section_by, figure_7_by] = ["abstract", "section 5.2, figure 7"].map(by);
        let within_a_tenth = |k: u64, printed: u64| 10 * k.abs_diff(printed) <= printed;
        // Limits that are as large among these records as the paper's are among its own.
        let scaled = |limit: u64| (limit * records).div_ceil(RECORDS).max(1);
        let below = |release: &Released| 1.0 - release.above(scaled(FEW) - 1);
        let ratio = after.by_record / before.by_record;
        vec![
            figure_7_by.any(
                "Both tables are 2-anonymous.",
                "every group of both has at least 2 records",
                format!("the smallest groups have {} and {}", before.k_min, after.k_min),
                before.k_min >= 2 && after.k_min >= 2,
            ),
            section_by.any(
                "The average of k becomes smaller than by the conventional split.",
                "its mean over records is below the conventional one",
                self.compared(|one| one.by_record),
                ratio < 1.0,
            ),
            section.its(
                "The average of k is around one third of the conventional one.",
                "the mean over records, divided by the conventional one, is between 1/3.5 and 1/2.5; the mean over groups decides nothing",
                format!(
                    "over records {}; over groups {}",
                    self.compared(|one| one.by_record),
                    self.compared(|one| one.by_class)
                ),
                AROUND_A_THIRD.contains(&ratio),
            ),
            section.its(
                "The average of k is 83.14.",
                "the mean over records is 83.14",
                self.told(|one| format!("{:.2}", one.by_record)),
                (after.by_record - 83.14).abs() < 0.005,
            ),
            figure_6.its(
                "The largest group of the conventional split has 752 records.",
                "it is within a tenth, for its cuts are not told",
                before.k_max.to_string(),
                within_a_tenth(before.k_max, 752),
            ),
            figure_7.its(
                "The largest group has 340 records.",
                "it is within a tenth",
                self.told(|one| one.k_max.to_string()),
                within_a_tenth(after.k_max, 340),
            ),
            figure_7_by.any(
                "The largest group becomes smaller than by the conventional split.",
                "the greatest k is below the conventional one",
                self.compared(|one| one.k_max as f64),
                after.k_max < before.k_max,
            ),
            figure_7_by.any(
                "Risks are spread more evenly over the records, in records.",
                "the standard deviation of k over records and the distance from its 5th to its 95th percentile are both smaller",
                format!(
                    "deviation {}; distance {}",
                    self.compared(Released::deviation),
                    self.compared(|one| one.middle() as f64)
                ),
                after.deviation() < before.deviation() && after.middle() < before.middle(),
            ),
            figure_7_by.any(
                "Risks are spread more evenly over the records, whatever their size.",
                "the Gini coefficient of k over records is smaller",
                self.compared(Released::gini),
                after.gini() < before.gini(),
            ),
            figure_7_by.any(
                "Cut by correlation, height loses less than by the conventional split.",
                "the mean loss of height over all records is smaller",
                self.compared(|one| one.height_loss),
                after.height_loss < before.height_loss,
            ),
            figure_6.its(
                "With the conventional split many records are alike more than 200 others.",
                "at least half of the records are in groups of more than 200",
                percent(before.above(MANY)),
                before.above(MANY) >= 0.5,
            ),
            figure_7.its(
                "Many records are alike fewer than 100 others.",
                "at least half of the records are in groups of fewer than 100",
                self.told(|one| percent(1.0 - one.above(FEW - 1))),
                1.0 - after.above(FEW - 1) >= 0.5,
            ),
            figure_7_by.any(
                "More records are in small groups than by the conventional split.",
                "the share of records in groups below 100 of 20,708 records, or as many among these, is larger",
                format!("{}, before {}", self.told(|one| percent(below(one))), percent(below(before))),
                below(after) > below(before),
            ),
        ]
    }
}
