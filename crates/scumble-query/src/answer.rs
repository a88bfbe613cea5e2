//! The answer to a question, ready to be shown.

use crate::context::QueryContext;
use crate::question::AskedAggregate;
use crate::value::{Bound, BoundSide, Unit, Value};
use scumble_answer::{Aggregate, Answer, Interval};
use scumble_release::ShownColumn;

/// The answer to a question.
#[derive(Debug, Clone)]
pub struct QueryAnswer {
    /// Columns of GROUP BY.
    pub keys: Vec<String>,
    /// One row, or one for each combination of keys, in the order of the keys.
    pub rows: Vec<AnswerRow>,
    /// The table of boxes that was asked, where the release has several.
    pub table: Option<String>,
    /// What a reader should know in addition to the figures.
    pub notes: Vec<String>,
}

/// Answers for one combination of keys.
#[derive(Debug, Clone)]
pub struct AnswerRow {
    /// Values of the keys.
    pub keys: Vec<Value>,
    /// One for each aggregate, in the order of the statement.
    pub answers: Vec<AggregateAnswer>,
}

/// One aggregate with what the release says about it.
#[derive(Debug, Clone)]
pub struct AggregateAnswer {
    /// As in `avg(salary)`.
    pub aggregate: String,
    /// The heading that the statement gave it.
    pub alias: Option<String>,
    /// Least possible answer; `None` where it is null.
    pub lower: Option<Bound>,
    /// Greatest possible answer.
    pub upper: Option<Bound>,
    /// Mean over all that the release leaves open; in days since 1970 for dates, `None` for labels.
    pub estimate: Option<f64>,
    /// Standard deviation over the same.
    pub deviation: Option<f64>,
    /// False where the true answer may be null as well, since perhaps no row matches.
    pub certain: bool,
    /// Whether figures are dates.
    pub is_date: bool,
    /// Where a confidence was asked for.
    pub interval: Option<Interval>,
}

impl AggregateAnswer {
    /// `shown` is the column that is aggregated; COUNT(*) has none.
    pub(crate) fn new(asked: &AskedAggregate, answer: &Answer, shown: Option<&ShownColumn>) -> AggregateAnswer {
        let unit = match (asked.aggregate, shown) {
            (Aggregate::CountRows | Aggregate::Count, _) | (_, None) => Unit::Number(0),
            (_, Some(shown)) => Unit::for_column(shown),
        };
        let figure = |units: Option<f64>| units.and_then(|units| unit.figure(units));
        let ends =
            |pair: Option<(f64, f64)>| pair.and_then(|(low, high)| Some((unit.figure(low)?, unit.figure(high)?)));
        let interval = |of: Interval| Interval { normal: ends(of.normal), guaranteed: ends(of.guaranteed) };
        AggregateAnswer {
            aggregate: asked.label.clone(),
            alias: asked.alias.clone(),
            lower: answer.lower.map(|exact| Bound::new(exact, &unit, BoundSide::Lower)),
            upper: answer.upper.map(|exact| Bound::new(exact, &unit, BoundSide::Upper)),
            estimate: figure(answer.estimate),
            // Weights of what is merely possible are not nothing, but next to it.
            deviation: figure(answer.deviation).map(|d| if d < 1e-60 { 0.0 } else { d }),
            certain: answer.certain,
            is_date: matches!(unit, Unit::Day),
            interval: answer.interval.map(interval),
        }
    }
}

impl QueryAnswer {
    pub(crate) fn new(context: QueryContext<'_>, rows: Vec<AnswerRow>, suppressed: u64) -> Self {
        let mut notes = Vec::new();
        if suppressed > 0 {
            notes.push(format!(
                "{suppressed} suppressed rows are not in these answers: the release shows nothing of them"
            ));
        }
        if rows.iter().flat_map(|row| &row.answers).any(|answer| answer.lower.is_some() && !answer.certain) {
            notes.push("where perhaps no row matches, bounds are those of the cases in which one does".into());
        }
        let keys = context.question.keys.iter().map(|&at| context.columns.name(at).to_string()).collect();
        QueryAnswer { keys, rows, table: None, notes }
    }
}
