//! Figures 6 to 9: the same groups, once generalized and once permuted.

use super::approaches::{Generalized, generalized, generalized_freely, widths};
use super::people::People;
use super::sources::Investors;
use super::{ERROR, MUCH, SIGNIFICANTLY, Scale};
use crate::claim::Passage;
use crate::decision::{Decision, Trend, all, joined, passes, percent};
use crate::series::{below, between, mean, ratios, rising};
use crate::{Claim, Figure, Findings, Series};
use scumble_measure::{AskedWidths, Boxes, GroupedNumbers, Shape, bound_widths, row_groups};
use scumble_report::grouped;
use scumble_table::{Monitor, Result};

const GENERALIZED: &str = "generalized table";
const PERMUTED: &str = "permuted table";

/// Arbitrary queries are judged up to this part of the people, in percent.
const MOST_SELECTED: f64 = 75.0;

/// Both tables under one kind of question.
struct BothTables {
    generalized: Series,
    permuted: Series,
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
        let levels = joined(levels.map(|(one, (level, top))| format!("{} {level}/{top}", one.name)));
        format!(
            "{} people in {} groups of at least 4 different losses each, at these levels of their hierarchies: {levels}. {} \
             questions of each size or span, averages.",
            grouped(people.n() as u64),
            found.partition.n_groups(),
            grouped(scale.questions as u64)
        )
    };
    let (many, one) = (words(four, people), words(&by_age, &alone));
    let (part, span) = ("part of the people selected (%)".to_string(), format!("span of {}", people.range().name));
    for (number, title, setting, both, x) in [
        ("Figure 6", "relative errors of arbitrary queries", &many, &arbitrary, &part),
        ("Figure 7", "relative errors of range queries", &many, &ranges, &span),
        ("Figure 8", "relative errors of arbitrary queries, one quasi-identifier", &one, &arbitrary_alone, &part),
        ("Figure 9", "relative errors of range queries, one quasi-identifier", &one, &ranges_alone, &span),
    ] {
        let series = vec![both.generalized.in_percent(), both.permuted.in_percent()];
        findings.figures.push(Figure::new(number, title, setting, Figure::lines(x, ERROR, series)));
    }
    setup_claims(investors, four, findings)?;
    let own = investors.facts.is_papers_own.then(|| four.partition.n_groups());
    let shares: Vec<f64> = people.spans(&scale.spans).into_iter().map(|span| people.share_of(span)).collect();
    findings.claims.extend(query_claims("section 7.1, figures 6 and 7", own, &arbitrary, &ranges, &shares));
    findings.claims.extend(claims_alone("section 7.1, figures 8 and 9", &arbitrary_alone, &ranges_alone, &shares));
    Ok(())
}

/// Asks both tables of the same groups.
fn asked(people: &People, found: &Generalized, scale: &Scale) -> Result<(BothTables, BothTables)> {
    let partition = &found.partition;
    let row_group = row_groups(partition);
    let codes: Vec<u32> = people.table.column(people.sensitive_at()).iter().collect();
    let unit = people.sensitive().domain.scale();
    let grouped = GroupedNumbers::new(row_group.clone(), partition.n_groups(), &codes, &people.numbers(), unit)?;
    let places = people.places();
    let axis = people.axis();
    let level = found.levels.first().map_or(0, |level| level.0);
    let shape = |rows: &[u32]| {
        let (low, high) =
            rows.first().map_or((axis.lo, axis.hi), |&row| people.shown(places.place(row as usize), level));
        Shape::run(&axis, low, high)
    };
    let boxes = Boxes::one_each(axis.clone(), partition.groups().map(shape).collect());
    let questions = scale.questions(people.spans(&scale.spans));
    let truth = people.truth();
    let exact = grouped.clone().with_places(&places, &row_group);
    let permuted = bound_widths(&exact.exact(), &truth, &questions, Monitor::silent())?;
    let boxed = bound_widths(&grouped.with_boxes(boxes).boxed(), &truth, &questions, Monitor::silent())?;
    let both = |arbitrary: bool| -> Result<BothTables> {
        Ok(BothTables {
            generalized: line(GENERALIZED, &boxed, arbitrary)?,
            permuted: line(PERMUTED, &permuted, arbitrary)?,
        })
    };
    Ok((both(true)?, both(false)?))
}

/// The widths of one kind of question as a line.
fn line(name: &str, asked: &[AskedWidths], arbitrary: bool) -> Result<Series> {
    let figures = widths(asked)?;
    let x = |asked: &AskedWidths| if arbitrary { asked.size.map(|size| 100.0 * size) } else { asked.span };
    let points = asked.iter().zip(figures).filter_map(|(asked, figure)| Some((x(asked)?, figure)));
    Ok(Series::new(name, points.collect()))
}

/// What the paper says of the groups themselves. Which label lies under which in the trees is not told, so nothing that
/// hangs on it is judged: a hit would be chance, and a miss too.
fn setup_claims(investors: &Investors, four: &Generalized, findings: &mut Findings) -> Result<()> {
    let n_quasi = four.levels.len();
    let six = generalized_freely(&investors.younger, 6)?;
    let untold = |says: &str, test: &str, found: String, holds: bool| {
        let test = format!("{test}; not judged, for the trees of the hierarchies are not told");
        Passage::new("section 7.1", false).its(says, &test, found, holds)
    };
    findings.claims.push(untold(
        "Under 6-diversity most quasi-identifiers, 6 of 8, become stars.",
        "at the levels of least loss 6 of the 8 quasi-identifiers are stars",
        format!("{} of {n_quasi}", six.stars()),
        (six.stars(), n_quasi) == (6, 8),
    ));
    let left_out = investors.all.n() - investors.younger.n();
    findings.claims.push(Passage::new("section 7.1", investors.facts.is_papers_own).its(
        "Six people are of great age.",
        "six people are 80 or older",
        format!("{left_out} people"),
        left_out == 6,
    ));
    let (old, young) = (generalized(&investors.all, 4)?.keeps_range(), four.keeps_range());
    let kept = |kept: bool| if kept { "can be kept" } else { "must be stars" };
    findings.claims.push(untold(
        "They must be left out, or even 4-diversity makes every age a star.",
        "with them no levels pass that keep ages, without them some do",
        format!("ages {} with them and {} without", kept(old), kept(young)),
        !old && young,
    ));
    findings.claims.push(untold(
        "The 4-diverse groups are 25.",
        "as many groups, at the levels with most groups that keep ages",
        format!("{} groups", four.partition.n_groups()),
        four.partition.n_groups() == 25,
    ));
    Ok(())
}

/// What it says of arbitrary queries and ranges. `shares` is what part of the people ranges select, span by span; `own` is
/// how many groups there are, if the table is the paper's.
fn query_claims(
    place: &str,
    own: Option<usize>,
    arbitrary: &BothTables,
    ranges: &BothTables,
    shares: &[f64],
) -> Vec<Claim> {
    let at = Passage::new(place, own.is_some());
    // A query that selects everybody learns the true average from both tables.
    let some = |line: &Series| line.within(|size| size <= MOST_SELECTED);
    let (generalized, permuted) = (some(&arbitrary.generalized), some(&arbitrary.permuted));
    let (least, _) = ratios(&generalized, &permuted);
    let times = mean(&generalized) / mean(&permuted);
    let mut claims = vec![at.any(
        "Arbitrary queries are answered significantly less exactly by the generalized table than by the permuted one.",
        "at every size the error of the generalized table is the higher, and 1.5 times as high on average",
        format!("at least {least:.2} times, {times:.2} times on average"),
        all([below(&permuted, &generalized), passes(times, |times| times >= SIGNIFICANTLY)]),
    )];
    let errors: Vec<f64> = generalized.values().collect();
    let over = errors.iter().filter(|error| **error > 2.0).count();
    claims.push(at.its(
        "Bounds of the generalized table are often more than twice as wide as the answer itself.",
        "the mean error is above 2 at one of three sizes",
        format!("above 2 at {over} of {} sizes, {}", errors.len(), ends(&generalized)),
        (!errors.is_empty()).then_some(3 * over >= errors.len()),
    ));
    claims.push(at.any(
        "As arbitrary queries select more people, the error of the permuted table drops dramatically.",
        "from the fewest people to three of four it falls to half or less, with a rank correlation of -0.9 at most",
        ends(&permuted),
        drops(&permuted),
    ));
    claims.push(at.any(
        "The error of the generalized table does not drop at all as more people are selected.",
        "at three of four people it is at least 0.95 of what it is at the fewest",
        ends(&generalized),
        passes(drop(&generalized), |left| left >= 0.95),
    ));
    let alike = |both: &BothTables, line: fn(&BothTables) -> &Series| {
        let errors: Option<Vec<f64>> = shares.iter().map(|share| between(line(both), 100.0 * share)).collect();
        errors.map_or(f64::NAN, |errors| errors.iter().sum::<f64>() / errors.len() as f64)
    };
    let arbitrarily = [alike(arbitrary, |both| &both.generalized), alike(arbitrary, |both| &both.permuted)];
    let in_ranges = [mean(&ranges.generalized), mean(&ranges.permuted)];
    claims.push(at.any(
        "Both tables answer ranges more exactly than arbitrary queries.",
        "the mean error over all spans is below that of arbitrary queries that select as many people, for both tables",
        format!(
            "generalized {} against {}, permuted {} against {}",
            percent(in_ranges[0]),
            percent(arbitrarily[0]),
            percent(in_ranges[1]),
            percent(arbitrarily[1])
        ),
        all([0, 1].map(|at| passes(arbitrarily[at] - in_ranges[at], |less| less > 0.0))),
    ));
    let first = |line: &Series| line.values().next();
    let at_first = first(&ranges.generalized).zip(first(&ranges.permuted));
    claims.push(Passage::new(place, own.is_some_and(|groups| (20..=30).contains(&groups))).its(
        "The permuted table errs by less than 20 % even for ranges of span 5, which cover no group.",
        "the error at the smallest span is below 0.2; judged with 20 to 30 groups, for the paper has 25",
        at_first.map_or("no answer".into(), |(_, permuted)| percent(permuted)),
        at_first.map(|(_, permuted)| permuted < 0.2),
    ));
    claims.push(at.any(
        "For short ranges the error of the generalized table is still very high.",
        "at the smallest span its bounds are at least as wide as the answer, and twice as wide as those of the permuted table",
        at_first.map_or("no answer".into(), |(generalized, permuted)| {
            format!("{} against {}", percent(generalized), percent(permuted))
        }),
        at_first.map(|(generalized, permuted)| generalized >= 1.0 && generalized >= MUCH * permuted)));
    claims.extend(claims_of_ranges(&at, ranges));
    claims
}

/// What it says of one quasi-identifier alone: the same trends.
fn claims_alone(place: &str, arbitrary: &BothTables, ranges: &BothTables, shares: &[f64]) -> Vec<Claim> {
    let at = Passage::new(place, false);
    let same = ["significantly less exactly", "drops dramatically", "does not drop at all", "always errs more"];
    let of_trends = |claim: &Claim| same.iter().any(|words| claim.says.contains(words));
    let mut claims = query_claims(place, None, arbitrary, ranges, shares);
    claims.retain(of_trends);
    let (generalized, permuted) = (ranges.generalized.values().next(), ranges.permuted.values().next());
    let both = generalized.zip(permuted);
    claims.push(at.any(
        "For short ranges the generalized table errs much more than the permuted one.",
        "at the smallest span its error is at least twice as large",
        both.map_or("no answer".into(), |(one, other)| format!("{} against {}", percent(one), percent(other))),
        both.map(|(generalized, permuted)| generalized >= MUCH * permuted),
    ));
    for claim in &mut claims {
        claim.says = format!("With one quasi-identifier alone the trends are the same: {}", lower(&claim.says));
    }
    claims
}

/// A sentence as it goes on after a colon.
fn lower(says: &str) -> String {
    let mut letters = says.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn claims_of_ranges(at: &Passage, ranges: &BothTables) -> [Claim; 2] {
    let (least, most) = ratios(&ranges.permuted, &ranges.generalized);
    [
        at.any(
            "For ranges the error of the generalized table drops dramatically as they grow.",
            "from the smallest to the largest span it falls to half or less, with a rank correlation of -0.9 at most",
            ends(&ranges.generalized),
            drops(&ranges.generalized),
        ),
        at.any(
            "For ranges too the generalized table always errs more than the permuted one.",
            "its error is the higher at every span",
            format!("the permuted table has {least:.2} to {most:.2} of the error of the generalized one"),
            below(&ranges.permuted, &ranges.generalized),
        ),
    ]
}

/// Whether a line falls by much, and surely.
fn drops(line: &Series) -> Decision {
    let values: Vec<f64> = line.values().collect();
    all([passes(drop(line), |left| left <= 1.0 / MUCH), passes(rising(&values), |surely| surely <= -0.9)])
}

/// What is left at the end of a line of what it is at its beginning.
fn drop(line: &Series) -> f64 {
    Trend::new(line.values()).map_or(f64::NAN, |trend| trend.last / trend.first)
}

fn ends(line: &Series) -> String {
    match line.ends() {
        (first, _) if first.is_nan() => "no answers".into(),
        (first, last) => format!("from {} to {}", percent(first), percent(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing::{self, Held, NotComparable, NotHeld};

    fn both(generalized: [f64; 3], permuted: [f64; 3]) -> BothTables {
        let line = |name: &str, values: [f64; 3]| Series::through(name, [5.0, 10.0, 20.0].into_iter().zip(values));
        BothTables { generalized: line(GENERALIZED, generalized), permuted: line(PERMUTED, permuted) }
    }

    fn standings(arbitrary: &BothTables, ranges: &BothTables, own: Option<usize>) -> Vec<Standing> {
        let claims = query_claims("here", own, arbitrary, ranges, &[0.05, 0.1, 0.2]);
        claims.iter().map(|claim| claim.standing).collect()
    }

    #[test]
    fn claims_follow_the_lines() {
        let arbitrary = both([2.1, 2.1, 2.1], [0.6, 0.3, 0.1]);
        let ranges = both([1.9, 1.0, 0.5], [0.15, 0.1, 0.05]);
        assert_eq!(standings(&arbitrary, &ranges, Some(25)), [Held; 9]);
        let absolute = |standings: Vec<Standing>| [standings[1], standings[5]];
        assert_eq!(absolute(standings(&arbitrary, &ranges, None)), [NotComparable; 2]);
        // Other trees made other groups.
        assert_eq!(absolute(standings(&arbitrary, &ranges, Some(40))), [Held, NotComparable]);
        let (flat, wide) = (both([1.1, 1.1, 0.9], [0.9, 0.9, 0.85]), both([0.9, 1.9, 1.8], [0.25, 0.1, 2.0]));
        assert_eq!(standings(&flat, &wide, Some(25)), [NotHeld; 9]);
    }

    #[test]
    fn one_quasi_identifier_has_the_claims_of_trends() {
        let arbitrary = both([2.1, 2.1, 2.1], [0.6, 0.3, 0.1]);
        let claims = claims_alone("here", &arbitrary, &both([1.9, 1.0, 0.5], [0.15, 0.1, 0.05]), &[0.1]);
        assert!(claims.len() == 6 && claims.iter().all(|claim| claim.standing == Held), "{claims:?}");
        assert!(claims[0].says.contains("are the same: arbitrary queries"));
    }
}
