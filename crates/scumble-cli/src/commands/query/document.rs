//! Answers as a table, as CSV and as the contract's document.

use crate::output::aligned;
use scumble::{Error, Result};
use scumble_query::{AggregateAnswer, Bound, Confidence, QueryAnswer, Value, date_text};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The document of `--json`, whose fields scripts rely on.
#[derive(Serialize)]
pub(super) struct Document {
    rows: Vec<Row>,
    /// The table of boxes that was asked, where the release has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    sql: Vec<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    keys: Keys,
    answers: Vec<Answer>,
}

/// Keys in the order of GROUP BY.
struct Keys(Vec<(String, Box<RawValue>)>);

impl Serialize for Keys {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Answer {
    aggregate: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<String>,
    lower: Option<Box<RawValue>>,
    upper: Option<Box<RawValue>>,
    estimate: Option<Box<RawValue>>,
    deviation: Option<f64>,
    /// False where perhaps no row matches, and the true answer is null then.
    certain: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<Interval>,
}

#[derive(Serialize)]
struct Interval {
    normal: Option<[f64; 2]>,
    guaranteed: Option<[f64; 2]>,
}

pub(super) fn document(answered: &QueryAnswer, sql: Vec<String>) -> Result<Document> {
    let rows = answered.rows.iter().map(|row| {
        let keys = answered.keys.iter().zip(&row.keys);
        Ok(Row {
            keys: Keys(keys.map(|(name, value)| Ok((name.clone(), exact(value)?))).collect::<Result<_>>()?),
            answers: row.answers.iter().map(answer).collect::<Result<_>>()?,
        })
    });
    let (table, notes) = (answered.table.clone(), answered.notes.clone());
    Ok(Document { rows: rows.collect::<Result<_>>()?, table, sql, notes })
}

fn answer(figure: &AggregateAnswer) -> Result<Answer> {
    let bound = |bound: &Option<Bound>| -> Result<Option<Box<RawValue>>> {
        match bound {
            None => Ok(None),
            Some(Bound::Exact(value)) => exact(value).map(Some),
            Some(Bound::Rounded(float)) => raw(float).map(Some),
        }
    };
    let estimate = match figure.estimate {
        Some(day) if figure.is_date => Some(raw(&date_text(day.round() as i32))?),
        Some(float) => Some(raw(&float)?),
        None => None,
    };
    let pair = |ends: Option<(f64, f64)>| ends.map(|(low, high)| [low, high]);
    Ok(Answer {
        aggregate: figure.aggregate.clone(),
        alias: figure.alias.clone(),
        lower: bound(&figure.lower)?,
        upper: bound(&figure.upper)?,
        estimate,
        deviation: figure.deviation,
        certain: figure.certain,
        interval: figure
            .interval
            .map(|interval| Interval { normal: pair(interval.normal), guaranteed: pair(interval.guaranteed) }),
    })
}

/// A value without loss: a decimal keeps all its digits.
fn exact(value: &Value) -> Result<Box<RawValue>> {
    match value {
        Value::Number(number) => RawValue::from_string(number.to_string()).map_err(|e| Error::bug(e.to_string())),
        Value::Null => raw(&()),
        other => raw(&other.to_string()),
    }
}

fn raw(value: &impl Serialize) -> Result<Box<RawValue>> {
    serde_json::value::to_raw_value(value).map_err(|error| Error::bug(error.to_string()))
}

/// A line for each aggregate of each row.
fn lines(
    answered: &QueryAnswer,
    confidence: Option<Confidence>,
    number: impl Fn(f64) -> String,
    outward: impl Fn(f64, f64) -> String,
) -> Vec<Vec<String>> {
    let mut heading = answered.keys.clone();
    heading.extend(["aggregate", "lower", "upper", "estimate", "deviation"].map(String::from));
    if let Some(confidence) = confidence {
        let percent = format!("{} %", (confidence.level() * 1e8).round() / 1e6);
        for kind in ["normal", "guaranteed"] {
            heading.extend(["from", "to"].map(|end| format!("{percent} {kind} {end}")));
        }
    }
    let mut lines = vec![heading];
    for row in &answered.rows {
        for figure in &row.answers {
            let mut line: Vec<String> = row.keys.iter().map(ToString::to_string).collect();
            line.push(figure.alias.clone().unwrap_or_else(|| figure.aggregate.clone()));
            let figures = |value: Option<f64>| match value {
                Some(day) if figure.is_date => date_text(day.round() as i32),
                Some(float) => number(float),
                None => String::new(),
            };
            for (bound, away) in [(&figure.lower, -1.0), (&figure.upper, 1.0)] {
                line.push(match bound {
                    Some(Bound::Exact(value)) => value.to_string(),
                    Some(Bound::Rounded(float)) => outward(*float, away),
                    None => String::new(),
                });
            }
            line.push(figures(figure.estimate));
            line.push(figure.deviation.map_or(String::new(), &number));
            if confidence.is_some() {
                for ends in figure.interval.map_or([None, None], |i| [i.normal, i.guaranteed]) {
                    line.extend([figures(ends.map(|(low, _)| low)), figures(ends.map(|(_, high)| high))]);
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// A table for people: floats with as many digits as matter.
pub(super) fn summary(answered: &QueryAnswer, confidence: Option<Confidence>) -> String {
    // A bound that is cut short still holds.
    let outward = |float: f64, away: f64| {
        let shown: f64 = short(float).parse().unwrap_or(float);
        if (float - shown) * away > 0.0 { short(float + away * UNIT) } else { short(float) }
    };
    let mut lines = lines(answered, confidence, short, outward);
    for line in &mut lines[1..] {
        for cell in line.iter_mut().filter(|cell| cell.is_empty()) {
            cell.push_str("null");
        }
    }
    let first = answered.keys.len() + 1;
    let last = lines[0].len();
    let mut words = aligned(&lines, &(first..last).collect::<Vec<_>>());
    if let Some(table) = &answered.table {
        words.push_str(&format!("from table `{table}`\n"));
    }
    words
}

/// CSV with every digit; null is an empty cell.
pub(super) fn csv(answered: &QueryAnswer, confidence: Option<Confidence>) -> String {
    let quoted = |cell: &String| {
        if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
    };
    let lines = lines(answered, confidence, |float| float.to_string(), |float, _| float.to_string());
    lines.iter().map(|line| line.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// The last digit that a table shows.
const UNIT: f64 = 1e-4;

/// A float to four digits after the point.
fn short(float: f64) -> String {
    let text = format!("{float:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
