//! How wide the bounds of sums and averages are: of the release, of a generalization of its groups, and of other ways to meet
//! the same requirement.

use super::EvaluateRequest;
use super::rivals::{RivalRequest, Rivals, parse_rivals};
use scumble_answer::Aggregate;
use scumble_io::RawTable;
use scumble_measure::{AskedWidths, BoundQuestions, Bounding, Comparison, Estimator, bound_widths};
use scumble_release::ReleaseReader;
use scumble_table::{Error, Monitor, Result};
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
    /// Other ways to meet the release's (k, e)-anonymity, measured on the source: words of algorithms, or `all`.
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
    pub fn parse(text: &str) -> Result<Self> {
        let aggregate = match text {
            "avg" => Aggregate::Avg,
            "sum" => Aggregate::Sum,
            _ => return Err(Error::request("bounds", text, "bounds are measured of avg or sum").hint("avg")),
        };
        Ok(BoundsRequest { aggregate, ..BoundsRequest::new() })
    }

    /// Refuses what cannot be asked of any release.
    pub(super) fn check(&self) -> Result<()> {
        self.questions(1, 0).check()?;
        parse_rivals(&self.algorithms).map(|_| ())
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
    fn new(name: &str, asked: Vec<AskedWidths>) -> Self {
        let (arbitrary, ranges) = asked.into_iter().partition(|asked| asked.size.is_some());
        BoundLine { name: name.into(), arbitrary, ranges }
    }

    /// All questions in order.
    pub fn asked(&self) -> impl Iterator<Item = &AskedWidths> {
        self.arbitrary.iter().chain(&self.ranges)
    }
}

/// Measures the release, the same groups generalized where they are exact, and the rivals. `data` are the release and its
/// source.
pub(super) fn measure(
    bounds: &BoundsRequest,
    request: &EvaluateRequest,
    data: (&ReleaseReader, &RawTable),
    comparison: &Comparison,
    monitor: Monitor<'_>,
) -> Result<BoundsFacts> {
    let questions = bounds.questions(request.queries, request.seed);
    let range = comparison.range_column(bounds.range_over.as_deref())?;
    let (grouped, truth) = comparison.grouped(range, monitor)?;
    let rivals = match &comparison.source {
        Some(source) if !bounds.algorithms.is_empty() => Some(Rivals::new(data, source, range, request.seed)?),
        _ => None,
    };
    let widths = |line: &dyn Bounding| bound_widths(line, &truth, &questions, monitor);
    let mut lines = Vec::new();
    match &comparison.estimator {
        Estimator::Anatomy(_) => {
            lines.push(BoundLine::new("release", widths(&grouped.exact())?));
            lines.push(BoundLine::new("generalized", widths(&grouped.boxed())?));
        }
        Estimator::Generalized(_) | Estimator::Angel(_) => {
            lines.push(BoundLine::new("release", widths(&grouped.boxed())?));
        }
    }
    if let Some(rivals) = &rivals {
        for RivalRequest { algorithm, by_name } in parse_rivals(&bounds.algorithms)? {
            match rivals.widths(algorithm, &questions, monitor) {
                Ok(widths) => lines.push(BoundLine::new(algorithm.name(), widths)),
                Err(error @ (Error::Bug { .. } | Error::Io { .. } | Error::Cancelled)) => return Err(error),
                Err(error) if by_name => return Err(error),
                Err(error) => {
                    let words = error.with_fields(|field| format!("«{field}»"));
                    monitor.warn(&format!("one of all algorithms is left out: {words}"));
                }
            }
        }
    }
    Ok(BoundsFacts {
        aggregate: if bounds.aggregate == Aggregate::Sum { "sum" } else { "avg" },
        range_over: truth.axis().map(|axis| axis.name.clone()),
        seed: request.seed,
        requirement: rivals.map(|rivals| rivals.requirement()),
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_others_refused() {
        assert_eq!(BoundsRequest::parse("sum").unwrap().aggregate, Aggregate::Sum);
        assert_eq!(BoundsRequest::parse("avg").unwrap(), BoundsRequest::default());
        assert!(BoundsRequest::parse("min").unwrap_err().to_string().contains("avg or sum"));
        let asked = BoundsRequest { algorithms: vec!["rank-swop".into()], ..BoundsRequest::new() };
        assert!(asked.check().unwrap_err().to_string().contains("did you mean `rank-swap`"));
        assert!(BoundsRequest { sizes: vec![2.0], ..BoundsRequest::new() }.check().is_err());
    }
}
