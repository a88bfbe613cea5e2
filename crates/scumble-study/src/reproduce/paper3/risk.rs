//! Figures 6 and 7, and the average of k: how well people are hidden by both ways to cut.

use super::super::judge::{NOISE, all, percent, short};
use super::super::{Body, Claim, Exhibit, Findings, Line};
use super::measured::Numbers;
use super::releases::{Cut, Released, Way};
use super::{FINE, SHARE};
use scumble_report::grouped;

/// "Around one third" is no more than this.
const AROUND_A_THIRD: std::ops::RangeInclusive<f64> = 0.25..=0.4;

pub(super) fn add(findings: &mut Findings, numbers: &Numbers, own: bool) {
    let way = |cut: Cut| numbers.ways.iter().find(|way| way.cut == cut);
    let before = way(Cut::Conventional);
    let after = [Cut::Paper(SHARE), Cut::Paper(FINE), Cut::Ours(SHARE)];
    let [height, birth, weight] = &numbers.measured;
    findings.exhibits.push(curves(
        "Figure 6",
        "groups by the conventional split",
        format!("{height} in three parts of equal numbers, {birth} and {weight} in two; 2-anonymous."),
        before.into_iter(),
    ));
    findings.exhibits.push(curves(
        "Figure 7",
        "groups by correlation",
        format!("{height} cut by context, {birth} in three parts, {weight} in two; 2-anonymous."),
        after.iter().filter_map(|&cut| way(cut)),
    ));
    findings.exhibits.push(averages(numbers));
    let Some(before) = before.and_then(|way| way.release.clone()) else {
        findings.left_out.push(
            "The conventional split has no 2-anonymous release here, so there is nothing to compare with.".into(),
        );
        return;
    };
    of_before(findings, &before, own);
    let mut made = Vec::new();
    for way in after.into_iter().filter_map(way) {
        match &way.release {
            Some(after) => {
                compared(findings, &before, after, &way.name);
                made.push((way, after));
            }
            None => findings.left_out.push(format!("There is no 2-anonymous release by {}.", way.name)),
        }
    }
    of_after(findings, &made, own);
}

/// Share of records in groups of at most k.
fn curves<'a>(number: &str, title: &str, setting: String, ways: impl Iterator<Item = &'a Way>) -> Exhibit {
    let line = |way: &Way| {
        let curve = way.release.as_ref().map(Released::curve).unwrap_or_default();
        let curve = curve.into_iter().map(|(k, share)| (k, 100.0 * share));
        Line { steps: true, ..Line::through(&way.name, curve) }
    };
    Exhibit {
        number: number.into(),
        title: title.into(),
        setting,
        body: Body::Lines {
            x: "At most so many records are alike (k)".into(),
            y: "Share of records".into(),
            unit: "%".into(),
            by_powers: false,
            series: ways.map(line).collect(),
        },
    }
}

/// A table of all ways.
fn averages(numbers: &Numbers) -> Exhibit {
    let row = |way: &Way| {
        let figures = match &way.release {
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
        std::iter::once(way.name.clone()).chain(figures).collect()
    };
    let heading = [
        "Cut",
        "Records",
        "Deleted",
        "Groups",
        "k, mean of records",
        "k, mean of groups",
        "k, least",
        "k, greatest",
        "Height lost",
    ];
    Exhibit {
        number: "Average of k".into(),
        title: "all ways to cut".into(),
        setting: "What is lost is 0 where every value is exact and 1 where nothing is left.".into(),
        body: Body::Cells { heading: heading.map(String::from).to_vec(), rows: numbers.ways.iter().map(row).collect() },
    }
}

fn of_before(findings: &mut Findings, before: &Released, own: bool) {
    let place = "section 5.2, figure 6";
    findings.claims.push(Claim::of_its_data(
        place,
        "With the conventional split many records are alike more than 200 others.",
        "more than half of the records are in groups of more than 200",
        format!("{} of the records", percent(before.above(200))),
        before.above(200) > 0.5,
        own,
    ));
    findings.claims.push(Claim::of_its_data(
        place,
        "Its largest group has 752 records.",
        "k is 752 at the most",
        format!("k is {} at the most", before.k_max),
        before.k_max == 752,
        own,
    ));
}

fn compared(findings: &mut Findings, before: &Released, after: &Released, algorithm: &str) {
    let place = &format!("section 5.2, figure 7, by {algorithm}");
    let mut any = |place: &str, says: &str, test: &str, found: String, holds: bool| {
        findings.claims.push(Claim::of_any_data(place, says, test, found, holds));
    };
    any(
        place,
        "Both tables are 2-anonymous.",
        "every group of both has at least 2 records",
        format!("the smallest groups have {} and {}", before.k_min, after.k_min),
        all([before.k_min >= 2, after.k_min >= 2]),
    );
    let mean = &format!("abstract, by {algorithm}");
    let test = "divided by that of the conventional split it is between 0.25 and 0.4";
    for (over, one, other) in
        [("records", before.by_record, after.by_record), ("groups", before.by_class, after.by_class)]
    {
        any(
            mean,
            &format!("The average of k, taken over {over}, is around one third of the conventional one."),
            test,
            format!("{other:.2} beside {one:.2}, {} times", short(other / one)),
            AROUND_A_THIRD.contains(&(other / one)),
        );
    }
    any(
        place,
        "The largest group is less than half of the conventional one: 340 beside 752.",
        "divided by that of the conventional split, the greatest k is at most 0.5",
        format!("{} beside {}, {} times", after.k_max, before.k_max, short(after.k_max as f64 / before.k_max as f64)),
        2 * after.k_max <= before.k_max,
    );
    any(
        place,
        "Risks are spread more evenly over the records.",
        "the share of records over k, from nothing to the largest group, lies nearer to a straight line, by a tenth at least",
        format!(
            "at most {} away from a straight line, before {}",
            short(after.unevenness()),
            short(before.unevenness())
        ),
        after.unevenness() <= (1.0 - NOISE) * before.unevenness(),
    );
    any(
        place,
        "The conventional split loses too much; cut by correlation, height loses less.",
        "height loses less than by the conventional split, by a tenth at least",
        format!("{} beside {}", short(after.height_loss), short(before.height_loss)),
        after.height_loss <= (1.0 - NOISE) * before.height_loss,
    );
}

/// Figures of the paper's own table, by each way that stands for its method.
fn of_after(findings: &mut Findings, ways: &[(&Way, &Released)], own: bool) {
    let told = |figure: &dyn Fn(&Released) -> String| {
        let each = ways.iter().map(|(way, release)| format!("{} by {}", figure(release), way.name));
        each.collect::<Vec<_>>().join("; ")
    };
    let by_paper = |test: &dyn Fn(&Released) -> bool| {
        ways.iter().any(|(way, release)| matches!(way.cut, Cut::Paper(_)) && test(release))
    };
    for (place, says, test, found, holds) in [
        (
            "abstract",
            "The average of k is 83.14.",
            "by algorithm 4, the mean over records or over groups is 83.14",
            told(&|release| format!("{:.2} over records and {:.2} over groups", release.by_record, release.by_class)),
            by_paper(&|release| [release.by_record, release.by_class].iter().any(|mean| (mean - 83.14).abs() < 0.005)),
        ),
        (
            "section 5.2, figure 7",
            "Many records are alike fewer than 100 others.",
            "by algorithm 4, more than half of the records are in groups of at most 100",
            told(&|release| percent(1.0 - release.above(100))),
            by_paper(&|release| release.above(100) < 0.5),
        ),
        (
            "section 5.2, figure 7",
            "The largest group has 340 records.",
            "by algorithm 4, k is 340 at the most",
            told(&|release| release.k_max.to_string()),
            by_paper(&|release| release.k_max == 340),
        ),
    ] {
        findings.claims.push(Claim::of_its_data(place, says, test, found, holds, own));
    }
}
