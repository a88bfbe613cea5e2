//! Figures 6 to 9: the same groups, once generalized and once permuted.

use super::super::judge::{Trend, all, falls, passes, percent};
use super::super::lines::{below, ratios, times_below};
use super::super::{Claim, Findings, Line};
use super::people::People;
use super::sources::Investors;
use super::ways::{Generalized, generalized, generalized_freely, widths};
use super::{Scale, figure};
use scumble_release::{AskedWidths, Boxes, Grouped, Shape, bound_widths};
use scumble_report::grouped;
use scumble_table::Result;

const GENERALIZED: &str = "generalized table";
const PERMUTED: &str = "permuted table";

/// Both tables under one kind of question.
struct Both {
    generalized: Line,
    permuted: Line,
}

/// The four figures and what the paper says about them; `four` are the groups of 4-diversity.
pub(super) fn figures(investors: &Investors, four: &Generalized, scale: &Scale, findings: &mut Findings) -> Result<()> {
    let people = &investors.younger;
    let (arbitrary, ranges) = asked(people, four, scale)?;
    let alone = people.by_range_only()?;
    let by_age = generalized(&alone, 4)?;
    let (arbitrary_alone, ranges_alone) = asked(&alone, &by_age, scale)?;
    let words = |found: &Generalized, people: &People| {
        let levels = people.table.schema().attributes().iter().zip(&found.levels);
        let levels: Vec<String> = levels.map(|(one, (level, top))| format!("{} {level}/{top}", one.name)).collect();
        format!(
            "{} people in {} groups of at least 4 different losses each, at these levels of their hierarchies: {}. {} \
             questions of each size or span, averages.",
            grouped(people.n() as u64),
            found.partition.n_groups(),
            levels.join(", "),
            grouped(scale.questions as u64)
        )
    };
    let (many, one) = (words(four, people), words(&by_age, &alone));
    let range = &people.range().name;
    for (number, title, setting, both, x) in [
        (
            "Figure 6",
            "relative errors of arbitrary queries",
            &many,
            &arbitrary,
            "part of the people selected (%)".into(),
        ),
        ("Figure 7", "relative errors of range queries", &many, &ranges, format!("span of {range}")),
        (
            "Figure 8",
            "relative errors of arbitrary queries, one quasi-identifier",
            &one,
            &arbitrary_alone,
            "part of the people selected (%)".into(),
        ),
        (
            "Figure 9",
            "relative errors of range queries, one quasi-identifier",
            &one,
            &ranges_alone,
            format!("span of {range}"),
        ),
    ] {
        let series = vec![both.generalized.clone(), both.permuted.clone()];
        findings.exhibits.push(figure(number, title, setting, x, series));
    }
    setup_claims(investors, four, findings)?;
    let own = investors.facts.is_papers_own;
    query_claims("section 7.1, figures 6 and 7", "", own, &arbitrary, &ranges, findings);
    let alone = " with one quasi-identifier alone";
    query_claims("section 7.1, figures 8 and 9", alone, own, &arbitrary_alone, &ranges_alone, findings);
    Ok(())
}

/// Asks both tables of the same groups.
fn asked(people: &People, found: &Generalized, scale: &Scale) -> Result<(Both, Both)> {
    let partition = &found.partition;
    let mut row_group = vec![0u32; people.n()];
    for (group, rows) in (0..).zip(partition.groups()) {
        rows.iter().for_each(|&row| row_group[row as usize] = group);
    }
    let codes: Vec<u32> = people.table.column(people.sensitive_at()).iter().collect();
    let unit = people.sensitive().domain.scale();
    let grouped = Grouped::of_groups(row_group.clone(), partition.n_groups(), &codes, &people.numbers(), unit)?;
    let places = people.places();
    let axis = people.axis();
    let level = found.levels.first().map_or(0, |level| level.0);
    let shape = |rows: &[u32]| {
        let (low, high) =
            rows.first().map_or((axis.lo, axis.hi), |&row| people.shown(places.place(row as usize), level));
        Shape::run(&axis, low, high)
    };
    let shapes: Vec<Shape> = partition.groups().map(shape).collect();
    let boxes = Boxes::new(axis.clone(), shapes, (0..partition.n_groups() as u32).collect());
    let questions = scale.questions(people.spans(&scale.spans));
    let truth = people.truth();
    let exact = grouped.clone().with_places(&places, &row_group);
    let permuted = bound_widths(&exact.exact(), &truth, &questions)?;
    let boxed = bound_widths(&grouped.with_boxes(boxes).boxed(), &truth, &questions)?;
    let both = |arbitrary: bool| -> Result<Both> {
        Ok(Both { generalized: line(GENERALIZED, &boxed, arbitrary)?, permuted: line(PERMUTED, &permuted, arbitrary)? })
    };
    Ok((both(true)?, both(false)?))
}

/// The widths of one kind of question as a line.
fn line(name: &str, asked: &[AskedWidths], arbitrary: bool) -> Result<Line> {
    let figures = widths(asked)?;
    let x = |asked: &AskedWidths| if arbitrary { asked.size.map(|size| 100.0 * size) } else { asked.span };
    let points = asked.iter().zip(figures).filter_map(|(asked, figure)| Some((x(asked)?, figure)));
    Ok(Line { name: name.into(), points: points.collect(), steps: false })
}

/// What the paper says of the groups themselves.
fn setup_claims(investors: &Investors, four: &Generalized, findings: &mut Findings) -> Result<()> {
    let own = investors.facts.is_papers_own;
    let n_quasi = four.levels.len();
    let six = generalized_freely(&investors.younger, 6)?;
    findings.claims.push(Claim::of_its_data(
        "section 7.1",
        "Under 6-diversity most quasi-identifiers, 6 of 8, become stars.",
        "at the levels of least loss 6 of the 8 quasi-identifiers are stars",
        format!("{} of {n_quasi}", six.stars()),
        (six.stars(), n_quasi) == (6, 8),
        own,
    ));
    let (old, young) = (generalized(&investors.all, 4)?.keeps_range(), four.keeps_range());
    let left_out = investors.all.n() - investors.younger.n();
    findings.claims.push(Claim::of_its_data(
        "section 7.1",
        "Six people of great age must be left out, or even 4-diversity makes every age a star.",
        "six people are 80 or older; with them no levels pass that keep ages, without them some do",
        format!(
            "{left_out} people; ages {} with them and {} without",
            if old { "can be kept" } else { "must be stars" },
            if young { "can be kept" } else { "must be stars" }
        ),
        left_out == 6 && !old && young,
        own,
    ));
    findings.claims.push(Claim::of_its_data(
        "section 7.1",
        "The 4-diverse groups are 25.",
        "as many groups, at the levels with most groups that keep ages; the trees of the hierarchies are our reading",
        format!("{} groups", four.partition.n_groups()),
        four.partition.n_groups() == 25,
        own,
    ));
    Ok(())
}

/// What it says of arbitrary queries and ranges.
fn query_claims(place: &str, when: &str, own: bool, arbitrary: &Both, ranges: &Both, findings: &mut Findings) {
    let claims = &mut findings.claims;
    let (least, _) = ratios(&arbitrary.generalized, &arbitrary.permuted);
    claims.push(Claim::of_any_data(
        place,
        &format!(
            "Arbitrary queries are answered far less exactly by the generalized table than by the permuted one{when}."
        ),
        "at every size the error of the generalized table is more than twice that of the permuted one",
        format!("at least {least:.1} times"),
        times_below(&arbitrary.permuted, &arbitrary.generalized, 2.0),
    ));
    let errors: Vec<f64> = arbitrary.generalized.values().collect();
    let over = errors.iter().filter(|error| **error > 2.0).count();
    claims.push(Claim::of_its_data(
        place,
        &format!("Bounds of the generalized table are often more than twice as wide as the answer itself{when}."),
        "the error is above 2 at more than half of the sizes",
        format!("above 2 at {over} of {} sizes, {}", errors.len(), ends(&arbitrary.generalized)),
        (!errors.is_empty()).then_some(2 * over > errors.len()),
        own,
    ));
    let values = |line: &Line| line.values().collect::<Vec<_>>();
    claims.push(Claim::of_any_data(
        place,
        &format!("As arbitrary queries select more people, the error of the permuted table drops dramatically{when}."),
        "it falls, and at the largest size is at most a third of what it is at the smallest",
        ends(&arbitrary.permuted),
        all([
            falls(Trend::of(arbitrary.permuted.values())),
            passes(drop(&arbitrary.permuted), |left| left <= 1.0 / 3.0),
        ]),
    ));
    claims.push(Claim::of_any_data(
        place,
        &format!("The error of the generalized table does not drop at all as more people are selected{when}."),
        "at the largest size it is at least 0.95 of what it is at the smallest",
        ends(&arbitrary.generalized),
        passes(drop(&arbitrary.generalized), |left| left >= 0.95),
    ));
    let mean = |line: &Line| values(line).iter().sum::<f64>() / values(line).len() as f64;
    let means = [&arbitrary.generalized, &ranges.generalized, &arbitrary.permuted, &ranges.permuted].map(mean);
    claims.push(Claim::of_any_data(
        place,
        &format!("Both tables answer ranges more exactly than arbitrary queries{when}."),
        "the mean error over all spans is below the mean over all sizes, for both tables",
        format!(
            "generalized {} against {}, permuted {} against {}",
            percent(means[1]),
            percent(means[0]),
            percent(means[3]),
            percent(means[2])
        ),
        all([passes(means[0] - means[1], |less| less > 0.0), passes(means[2] - means[3], |less| less > 0.0)]),
    ));
    if when.is_empty() {
        let first = ranges.permuted.points.first().and_then(|point| point.1);
        claims.push(Claim::of_its_data(
            place,
            "The permuted table errs by less than 20 % even for ranges of span 5, which cover no group.",
            "the error at the smallest span is below 0.2",
            first.map_or("no answer".into(), percent),
            first.map(|error| error < 0.2),
            own,
        ));
    }
    claims.push(Claim::of_any_data(
        place,
        &format!("For ranges the error of the generalized table is very high where they are short and drops dramatically as they grow{when}."),
        "it falls, and at the largest span is at most a third of what it is at the smallest",
        ends(&ranges.generalized),
        all([falls(Trend::of(ranges.generalized.values())), passes(drop(&ranges.generalized), |left| left <= 1.0 / 3.0)]),
    ));
    let (least, most) = ratios(&ranges.permuted, &ranges.generalized);
    claims.push(Claim::of_any_data(
        place,
        &format!("For ranges too the generalized table always errs more than the permuted one{when}."),
        "its error is the higher at every span",
        format!("the permuted table has {least:.2} to {most:.2} of the error of the generalized one"),
        below(&ranges.permuted, &ranges.generalized),
    ));
}

/// What is left at the end of a line of what it is at its beginning.
fn drop(line: &Line) -> f64 {
    Trend::of(line.values()).map_or(f64::NAN, |trend| trend.last / trend.first)
}

fn ends(line: &Line) -> String {
    let values: Vec<f64> = line.values().collect();
    match (values.first(), values.last()) {
        (Some(first), Some(last)) => format!("from {} to {}", percent(*first), percent(*last)),
        _ => "no answers".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Standing::{self, Held, NotComparable, NotHeld};

    fn both(generalized: [f64; 3], permuted: [f64; 3]) -> Both {
        let line = |name: &str, values: [f64; 3]| Line::through(name, [5.0, 10.0, 20.0].into_iter().zip(values));
        Both { generalized: line(GENERALIZED, generalized), permuted: line(PERMUTED, permuted) }
    }

    fn standings(arbitrary: &Both, ranges: &Both, own: bool) -> Vec<Standing> {
        let mut findings = Findings::default();
        query_claims("here", "", own, arbitrary, ranges, &mut findings);
        findings.claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        let arbitrary = both([2.1, 2.1, 2.1], [0.6, 0.3, 0.1]);
        let ranges = both([1.9, 1.0, 0.5], [0.15, 0.1, 0.05]);
        assert_eq!(standings(&arbitrary, &ranges, true), [Held; 8]);
        let absolute = |standings: Vec<Standing>| [standings[1], standings[5]];
        assert_eq!(absolute(standings(&arbitrary, &ranges, false)), [NotComparable; 2]);
        let (flat, wide) = (both([1.1, 1.1, 0.9], [0.9, 0.9, 0.85]), both([1.9, 1.9, 1.8], [0.25, 0.1, 2.0]));
        assert_eq!(standings(&flat, &wide, true), [NotHeld; 8]);
    }
}
