//! How wide the bounds of sums and averages are: of the release, of a generalization of its groups, and of other ways to meet
//! the same requirement.

use super::EvaluateRequest;
use scumble_principle::{KeAnonymity, Requirement, Spec};
use scumble_release::answer::Aggregate;
use scumble_release::{
    AskedWidths, BoundQuestions, ComparedSource, Comparison, MeasuredForm, ReleaseDir, Truth, bound_widths,
};
use scumble_table::{Error, Result, nearest};
use serde::Serialize;

/// Which bounds to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundsRequest {
    /// `Avg` or `Sum`.
    pub aggregate: Aggregate,
    /// The quasi-identifier that ranges are taken of; the first that has an order by default.
    pub range_over: Option<String>,
    /// Lengths of ranges; parts of the column's own range where none is given.
    pub spans: Vec<f64>,
    /// Shares of the people that arbitrary questions select; from a twentieth to half where none is given.
    pub sizes: Vec<f64>,
    /// Other ways to meet the release's (k, e)-anonymity, measured on the source.
    pub algorithms: Vec<String>,
}

impl BoundsRequest {
    /// Bounds of averages, with the usual questions.
    pub fn new() -> Self {
        let (range_over, spans, sizes, algorithms) = (None, Vec::new(), Vec::new(), Vec::new());
        BoundsRequest { aggregate: Aggregate::Avg, range_over, spans, sizes, algorithms }
    }

    /// Reads `avg` or `sum`.
    ///
    /// # Errors
    /// For other words.
    pub fn of(text: &str) -> Result<Self> {
        let aggregate = match text {
            "avg" => Aggregate::Avg,
            "sum" => Aggregate::Sum,
            _ => return Err(Error::request("--bounds", text, "bounds are measured of avg or sum").hint("avg")),
        };
        Ok(BoundsRequest { aggregate, ..BoundsRequest::new() })
    }

    /// Refuses what cannot be asked of any release.
    pub(super) fn check(&self) -> Result<()> {
        self.questions(1, 0).check()?;
        self.algorithms.iter().try_for_each(|name| Rival::parse(name).map(|_| ()))
    }

    fn questions(&self, questions: usize, seed: u64) -> BoundQuestions {
        let usual = BoundQuestions::default();
        let sizes = if self.sizes.is_empty() { usual.sizes } else { self.sizes.clone() };
        BoundQuestions { aggregate: self.aggregate, sizes, spans: self.spans.clone(), questions, seed }
    }
}

impl Default for BoundsRequest {
    fn default() -> Self {
        BoundsRequest::new()
    }
}

/// How wide bounds are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundsFacts {
    /// `avg` or `sum`.
    pub aggregate: &'static str,
    /// The quasi-identifier that ranges are taken of; nothing where none has an order.
    pub range_over: Option<String>,
    /// Seed of the questions.
    pub seed: u64,
    /// The requirement that other ways meet too, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// The release first.
    pub lines: Vec<BoundLine>,
}

/// The bounds that one way to publish gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundLine {
    /// `release`, `generalized` for least boxes of the same groups, or the word of another way.
    pub name: String,
    /// Questions about random people, by their share of all.
    pub arbitrary: Vec<AskedWidths>,
    /// Questions about ranges, by their span.
    pub ranges: Vec<AskedWidths>,
}

impl BoundLine {
    fn of(name: &str, asked: Vec<AskedWidths>) -> Self {
        let (arbitrary, ranges) = asked.into_iter().partition(|asked| asked.size.is_some());
        BoundLine { name: name.into(), arbitrary, ranges }
    }

    /// All questions in order.
    pub fn asked(&self) -> impl Iterator<Item = &AskedWidths> {
        self.arbitrary.iter().chain(&self.ranges)
    }
}

/// Another way to meet the same requirement.
enum Rival {
    /// Numbers swapped between near ranks.
    RankSwap,
}

impl Rival {
    const NAMES: [&str; 1] = ["rank-swap"];

    fn parse(name: &str) -> Result<Self> {
        match name {
            "rank-swap" => Ok(Rival::RankSwap),
            _ => {
                let hint = match nearest(name, Rival::NAMES) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => Rival::NAMES.join(", "),
                };
                Err(Error::request("--algorithms", name, "there is no such algorithm to compare with").hint(hint))
            }
        }
    }
}

/// Measures the release, the same groups generalized where they are exact, and the rivals.
pub(super) fn measure(
    asked: &BoundsRequest,
    request: &EvaluateRequest,
    release: &ReleaseDir,
    comparison: &Comparison,
) -> Result<BoundsFacts> {
    let questions = asked.questions(request.queries, request.seed);
    let range = comparison.range_column(asked.range_over.as_deref())?;
    let (grouped, truth) = comparison.grouped(range)?;
    let mut lines = Vec::new();
    match &comparison.form {
        MeasuredForm::Anatomy(_) => {
            lines.push(BoundLine::of("release", bound_widths(&grouped.exact(), &truth, &questions)?));
            lines.push(BoundLine::of("generalized", bound_widths(&grouped.boxed(), &truth, &questions)?));
        }
        MeasuredForm::Generalized(_) => {
            lines.push(BoundLine::of("release", bound_widths(&grouped.boxed(), &truth, &questions)?));
        }
    }
    let mut requirement = None;
    if let (Some(source), false) = (&comparison.source, asked.algorithms.is_empty()) {
        let (stated, ke) = ke_anonymity(release, &source.sensitive)?;
        let truth = source.truth(range);
        for name in &asked.algorithms {
            let widths = rival(&Rival::parse(name)?, &ke, source, range, &truth, &questions)?;
            lines.push(BoundLine::of(name, widths));
        }
        requirement = Some(stated.to_string());
    }
    Ok(BoundsFacts {
        aggregate: if asked.aggregate == Aggregate::Sum { "sum" } else { "avg" },
        range_over: truth.axis().map(|axis| axis.name.clone()),
        seed: request.seed,
        requirement,
        lines,
    })
}

fn rival(
    rival: &Rival,
    ke: &KeAnonymity,
    source: &ComparedSource,
    range: Option<usize>,
    truth: &Truth,
    questions: &BoundQuestions,
) -> Result<Vec<AskedWidths>> {
    match rival {
        Rival::RankSwap => {
            let too_long = || Error::request("--algorithms", "rank-swap", "e is too long for exact arithmetic");
            let e = source.scale().and_then(|scale| whole_units(ke, scale)).ok_or_else(too_long)?;
            let swapped = source.rank_swapped(ke.k(), e, questions.seed, range)?;
            bound_widths(&swapped, truth, questions)
        }
    }
}

/// The range `e` in units of a column, rounded up: whole units that are at least `e` are at least that many.
fn whole_units(ke: &KeAnonymity, scale: u8) -> Option<i128> {
    let e = ke.e();
    if e.scale() <= scale {
        return e.at_scale(scale);
    }
    let unit = 10i128.checked_pow(u32::from(e.scale() - scale))?;
    Some(e.mantissa().div_euclid(unit) + i128::from(e.mantissa().rem_euclid(unit) > 0))
}

/// The (k, e)-anonymity that a release states for a column.
fn ke_anonymity(release: &ReleaseDir, column: &str) -> Result<(Requirement, KeAnonymity)> {
    let stated = release.manifest().requirements.iter().filter_map(|text| text.parse::<Requirement>().ok());
    for requirement in stated.filter(|one| one.column.as_deref().is_none_or(|name| name == column)) {
        if let Spec::KeAnonymity(ke) = requirement.spec {
            return Ok((requirement, ke));
        }
    }
    let reason = format!("the release states no (k, e)-anonymity on `{column}`, which all of them are compared by");
    Err(Error::request("--algorithms", "", reason).hint("leave --algorithms out for other releases"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_others_refused() {
        assert_eq!(BoundsRequest::of("sum").unwrap().aggregate, Aggregate::Sum);
        assert_eq!(BoundsRequest::of("avg").unwrap(), BoundsRequest::default());
        assert!(BoundsRequest::of("min").unwrap_err().to_string().contains("avg or sum"));
        let asked = BoundsRequest { algorithms: vec!["rank-swop".into()], ..BoundsRequest::new() };
        assert!(asked.check().unwrap_err().to_string().contains("did you mean `rank-swap`"));
        assert!(BoundsRequest { sizes: vec![2.0], ..BoundsRequest::new() }.check().is_err());
    }

    #[test]
    fn a_range_is_rounded_up_to_whole_units() {
        let ke = |e: &str| match format!("ke-anonymity(4, {e})").parse::<Requirement>().unwrap().spec {
            Spec::KeAnonymity(ke) => ke,
            _ => panic!("(k, e)"),
        };
        assert_eq!([whole_units(&ke("100"), 2), whole_units(&ke("0.5"), 0)], [Some(10_000), Some(1)]);
        assert_eq!([whole_units(&ke("2"), 0), whole_units(&ke("0.25"), 1)], [Some(2), Some(3)]);
    }
}
