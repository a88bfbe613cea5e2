//! Rules applied record by record, straight from their definition, on texts.

use super::super::condition::{Check, Comparison, Condition, Constant, Expr, Literal};
use super::super::{Rule, RuleAction};
use super::{Record, RuleCount, TestColumn};
use scumble_table::{Decimal, Kind, date_text, parse_date};
use std::cmp::Ordering;

/// What rules leave of records, and what each of them did.
pub(crate) fn applied(columns: &[TestColumn], records: &[Record], rules: &[Rule]) -> (Vec<Record>, Vec<RuleCount>) {
    let mut left: Vec<Record> = records.to_vec();
    let mut counts = Vec::new();
    for rule in rules {
        let mut count = RuleCount { name: rule.name.clone(), matched: 0, changed: 0, deleted: 0, cells: 0 };
        let mut stay = Vec::new();
        for mut record in left {
            if rule.when.as_ref().is_some_and(|when| !meets(columns, &record, when)) {
                stay.push(record);
                continue;
            }
            count.matched += 1;
            if rule.actions.contains(&RuleAction::Delete) {
                count.deleted += 1;
                continue;
            }
            let before = record.clone();
            act(columns, &mut record, &rule.actions);
            let cells = before.iter().zip(&record).filter(|(before, after)| before != after).count() as u64;
            count.cells += cells;
            count.changed += u64::from(cells > 0);
            stay.push(record);
        }
        left = stay;
        counts.push(count);
    }
    (left, counts)
}

/// Whether a record meets a condition.
pub(crate) fn meets(columns: &[TestColumn], record: &Record, condition: &Condition) -> bool {
    holds(columns, record, &condition.0)
}

fn holds(columns: &[TestColumn], record: &Record, expr: &Expr) -> bool {
    match expr {
        Expr::And(parts) => parts.iter().all(|part| holds(columns, record, part)),
        Expr::Or(parts) => parts.iter().any(|part| holds(columns, record, part)),
        Expr::Not(inner) => !holds(columns, record, inner),
        Expr::Test(test) => {
            let at = columns.iter().position(|column| column.name == test.column).unwrap();
            let (column, text) = (&columns[at], record[at].as_str());
            let compare = |literal: &Literal| match &literal.constant {
                Constant::Number(number) => Decimal::parse(text).unwrap().cmp(number),
                Constant::Text(other) => compared(column, text, other),
            };
            if text.is_empty() {
                return test.check == Check::Missing { negated: false };
            }
            match &test.check {
                Check::Missing { negated } => *negated,
                Check::In { negated, list } => *negated != list.iter().any(|one| compare(one) == Ordering::Equal),
                Check::Between { negated, low, high } => {
                    let inside = compare(low) != Ordering::Less && compare(high) != Ordering::Greater;
                    inside != *negated
                }
                Check::Compare(how, literal) => {
                    let found = compare(literal);
                    match how {
                        Comparison::Equal => found == Ordering::Equal,
                        Comparison::Unequal => found != Ordering::Equal,
                        Comparison::Less => found == Ordering::Less,
                        Comparison::AtMost => found != Ordering::Greater,
                        Comparison::Greater => found == Ordering::Greater,
                        Comparison::AtLeast => found != Ordering::Less,
                    }
                }
            }
        }
    }
}

/// How two texts of a column compare.
fn compared(column: &TestColumn, a: &str, b: &str) -> Ordering {
    match (column.kind, column.order) {
        (Kind::Number, _) => Decimal::parse(a).cmp(&Decimal::parse(b)),
        (Kind::Date | Kind::Nominal, _) => a.cmp(b),
        (Kind::Ordinal, Some(order)) => {
            let place = |text: &str| order.iter().position(|label| *label == text).unwrap();
            place(a).cmp(&place(b))
        }
        (Kind::Ordinal, None) => (Decimal::parse(a), a).cmp(&(Decimal::parse(b), b)),
    }
}

fn act(columns: &[TestColumn], record: &mut Record, actions: &[RuleAction]) {
    // Bounds before steps, however they are listed.
    let is_step = |action: &RuleAction| matches!(action, RuleAction::Generalize { .. });
    let (steps, bounds): (Vec<&RuleAction>, Vec<&RuleAction>) = actions.iter().partition(|action| is_step(action));
    for action in bounds.into_iter().chain(steps) {
        let at = columns.iter().position(|column| Some(column.name) == action.column()).unwrap();
        let column = &columns[at];
        let text = record[at].clone();
        if text.is_empty() {
            continue;
        }
        record[at] = match action {
            RuleAction::Delete => text,
            RuleAction::Blank { .. } => String::new(),
            RuleAction::TopCode { bound, .. } if compared(column, &text, bound).is_gt() => shown(column, bound),
            RuleAction::BottomCode { bound, .. } if compared(column, &text, bound).is_lt() => shown(column, bound),
            RuleAction::TopCode { .. } | RuleAction::BottomCode { .. } => text,
            RuleAction::Generalize { to, .. } => match column.kind {
                Kind::Number => floor(&text, to),
                Kind::Date => first_day(&text, to),
                Kind::Ordinal | Kind::Nominal => to.clone(),
            },
        };
    }
}

fn shown(column: &TestColumn, text: &str) -> String {
    if column.kind == Kind::Number { Decimal::parse(text).unwrap().to_string() } else { text.to_string() }
}

/// By counting steps up or down from zero.
fn floor(text: &str, step: &str) -> String {
    let (number, step) = (Decimal::parse(text).unwrap(), Decimal::parse(step).unwrap());
    let mut at = 0i64;
    let times = |n: i64| Decimal::new(i128::from(n) * step.mantissa(), step.scale());
    while times(at) > number {
        at -= 1;
    }
    while times(at + 1) <= number {
        at += 1;
    }
    times(at).to_string()
}

/// By going back day by day.
fn first_day(text: &str, to: &str) -> String {
    let mut day = parse_date(text).unwrap();
    let begins = |day: i32| {
        let text = date_text(day);
        match to {
            "month" => text.ends_with("-01"),
            "quarter" => ["01", "04", "07", "10"].contains(&&text[5..7]) && text.ends_with("-01"),
            "year" => text.ends_with("-01-01"),
            days => (day - parse_date("0001-01-01").unwrap()) % days.parse::<i32>().unwrap() == 0,
        }
    };
    while !begins(day) {
        day -= 1;
    }
    date_text(day)
}
