//! Literals that mean on every engine what they mean for their column.
//!
//! * Ordered labels compare by the release's order, not by the alphabet: `edu > 'school'` becomes a list of labels.
//! * A label of a column's hierarchy stands for all values under it.
//! * Text compared with a number or a date is that number or date; a number compared with labels is a label.

use super::predicate::{quoted, replace_parts};
use crate::columns::Columns;
use datafusion_sql::sqlparser::ast::{
    BinaryOperator, CastKind, DataType, Expr, UnaryOperator, Value, visit_expressions,
};
use scumble_release::{Extent, PublishedColumn};
use scumble_table::{Decimal, Error, Kind, Result, parse_date, quoted_list, suggestion};
use std::ops::{ControlFlow, Range};

/// Makes the literals of a condition fit the columns that they are compared with.
pub(super) fn fit(selection: &mut Expr, columns: &Columns) -> Result<()> {
    only_labels(selection, columns)?;
    replace_parts(selection, |expr| fitted(expr, columns))
}

/// The column that an expression is.
fn column_of<'a>(expr: &Expr, columns: &'a Columns) -> Option<&'a PublishedColumn> {
    match expr {
        Expr::Identifier(ident) => columns.position(&ident.value).map(|at| columns.get(at)),
        _ => None,
    }
}

/// Refuses to put anything but its labels to a column whose labels stand for values that the release does not list: what
/// else is true of such a value is unknown.
fn only_labels(selection: &Expr, columns: &Columns) -> Result<()> {
    let coarse = |expr: &Expr| column_of(expr, columns).filter(|column| column.coarse().is_some());
    let (mut named, mut allowed) = (Vec::new(), 0);
    let known = |column: &PublishedColumn, expr: &Expr| match literal(expr) {
        Some(literal) if column.node(&literal.written).is_none() => Err(unlisted(column, &literal.written)),
        Some(_) => Ok(true),
        None => Ok(false),
    };
    let visited = visit_expressions(selection, |expr| {
        if let Some(column) = coarse(expr) {
            named.push(column);
        }
        let found = match expr {
            Expr::BinaryOp { left, op: BinaryOperator::Eq | BinaryOperator::NotEq, right } => {
                match (coarse(left), coarse(right)) {
                    (Some(column), None) => known(column, right),
                    (None, Some(column)) => known(column, left),
                    _ => Ok(false),
                }
            }
            Expr::InList { expr, list, .. } => match coarse(expr) {
                Some(column) => list.iter().try_fold(true, |all, item| Ok(all & known(column, item)?)),
                None => Ok(false),
            },
            Expr::IsNull(expr) | Expr::IsNotNull(expr) => Ok(coarse(expr).is_some()),
            _ => Ok(false),
        };
        match found {
            Ok(fits) => {
                allowed += usize::from(fits);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    });
    match (visited.break_value(), named.first()) {
        (Some(error), _) => Err(error),
        (None, Some(column)) if named.len() != allowed => Err(unlisted(column, &selection.to_string())),
        _ => Ok(()),
    }
}

fn unlisted(column: &PublishedColumn, written: &str) -> Error {
    let reason = format!("the labels of `{}` stand for values that the release does not list", column.name());
    Error::request("condition", written, reason)
        .hint(format!("ask by =, <> or IN for labels of its hierarchy, such as {}", quoted_list(labels(column), 6)))
}

/// A comparison of a column with literals in a better form; nothing where it is good as it is.
fn fitted(expr: &Expr, columns: &Columns) -> Result<Option<Expr>> {
    let column = |expr: &Expr| column_of(expr, columns);
    match expr {
        Expr::BinaryOp { left, op, right } => {
            let Some((_, turned)) = COMPARISONS.iter().find(|(known, _)| known == op) else { return Ok(None) };
            match (column(left), literal(left), column(right), literal(right)) {
                (Some(column), _, _, Some(literal)) => compared(column, op, &literal),
                (_, Some(literal), Some(column), _) => compared(column, turned, &literal),
                _ => Ok(None),
            }
        }
        Expr::Between { expr, negated, low, high } => {
            let (Some(column), Some(low), Some(high)) = (column(expr), literal(low), literal(high)) else {
                return Ok(None);
            };
            if column.kind() == Kind::Ordinal {
                let (low, high) = (place(column, &low.written)?, place(column, &high.written)?);
                return Ok(Some(one_of(column, labels_between(column, low.start, high.end), *negated)));
            }
            let (low, high) = (Box::new(single(column, &low.written)?), Box::new(single(column, &high.written)?));
            Ok(Some(Expr::Between { expr: Box::new(quoted(column.name())), negated: *negated, low, high }))
        }
        Expr::InList { expr, list, negated } => {
            let Some(column) = column(expr) else { return Ok(None) };
            let Some(literals) = list.iter().map(literal).collect::<Option<Vec<Literal>>>() else { return Ok(None) };
            let mut wanted = Vec::new();
            for literal in &literals {
                wanted.extend(meant(column, literal)?);
            }
            Ok(Some(Expr::InList { expr: expr.clone(), list: wanted, negated: *negated }))
        }
        _ => Ok(None),
    }
}

/// Comparisons, and what they become when their sides are swapped: `5 < x` is `x > 5`.
const COMPARISONS: [(BinaryOperator, BinaryOperator); 6] = {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    [(Eq, Eq), (NotEq, NotEq), (Lt, Gt), (LtEq, GtEq), (Gt, Lt), (GtEq, LtEq)]
};

fn compared(column: &PublishedColumn, op: &BinaryOperator, literal: &Literal) -> Result<Option<Expr>> {
    use BinaryOperator::{Eq, Gt, Lt, LtEq, NotEq};
    if matches!(op, Eq | NotEq) {
        let wanted = meant(column, literal)?;
        return Ok(Some(match <[Expr; 1]>::try_from(wanted) {
            Ok([one]) => compare(column, op.clone(), one),
            Err(wanted) => one_of(column, wanted, *op == NotEq),
        }));
    }
    if column.kind() == Kind::Ordinal {
        let at = place(column, &literal.written)?;
        let n = labels(column).len();
        let (from, to) = match op {
            Lt => (0, at.start),
            LtEq => (0, at.end),
            Gt => (at.end, n),
            _ => (at.start, n),
        };
        return Ok(Some(one_of(column, labels_between(column, from, to), false)));
    }
    Ok(Some(compare(column, op.clone(), single(column, &literal.written)?)))
}

fn compare(column: &PublishedColumn, op: BinaryOperator, value: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(quoted(column.name())), op, right: Box::new(value) }
}

/// A literal.
struct Literal {
    /// As it was written, without quotes.
    written: String,
    is_text: bool,
}

fn literal(expr: &Expr) -> Option<Literal> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => Some(Literal { written: digits.clone(), is_text: false }),
            Value::SingleQuotedString(text) => Some(Literal { written: text.clone(), is_text: true }),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            let number = literal(expr).filter(|literal| !literal.is_text)?;
            Some(Literal { written: format!("-{}", number.written), ..number })
        }
        Expr::Nested(inner) => literal(inner),
        _ => None,
    }
}

/// The values that a literal stands for: itself, or all under a label of the column's hierarchy.
fn meant(column: &PublishedColumn, literal: &Literal) -> Result<Vec<Expr>> {
    let label = &literal.written;
    if let Some(tree) = column.hierarchy().filter(|_| literal.is_text)
        && tree.leaf_of(label).is_none()
        && let Some(node) = column.node(label)
    {
        let node = tree.node(node);
        return (node.first_leaf..node.end_leaf).map(|leaf| single(column, tree.value(leaf))).collect();
    }
    Ok(vec![single(column, label)?])
}

/// A literal as a value of its column.
fn single(column: &PublishedColumn, written: &str) -> Result<Expr> {
    let refuse = |reason: &str, hint: String| Err(Error::request("value", written, reason).hint(hint));
    match column.kind() {
        Kind::Number => match Decimal::parse(written) {
            Some(number) => Ok(plain_number(number)),
            None => match nearest_node(column, written) {
                Some(hint) => refuse("this is neither a number nor a label of the hierarchy", hint),
                None => {
                    refuse(&format!("`{}` holds numbers", column.name()), "write a plain decimal such as 12.5".into())
                }
            },
        },
        Kind::Date => match parse_date(written) {
            Some(_) => Ok(Expr::Cast {
                kind: CastKind::Cast,
                expr: Box::new(text(written)),
                data_type: DataType::Date,
                array: false,
                format: None,
            }),
            None => refuse(&format!("`{}` holds dates", column.name()), "write a date as '2024-12-31'".into()),
        },
        Kind::Ordinal | Kind::Nominal => Ok(text(written)),
    }
}

fn nearest_node(column: &PublishedColumn, written: &str) -> Option<String> {
    let tree = column.hierarchy()?;
    let near = suggestion(written, tree.nodes().iter().map(|node| &*node.label));
    Some(near.unwrap_or_else(|| "look at the release's hierarchy file".into()))
}

fn plain_number(number: Decimal) -> Expr {
    let number = number.to_string();
    let digits = Expr::value(Value::Number(number.trim_start_matches('-').into(), false));
    match number.starts_with('-') {
        true => Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(digits) },
        false => digits,
    }
}

fn text(text: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(text.into()))
}

fn labels(column: &PublishedColumn) -> &[String] {
    match column.extent() {
        Extent::Labels(labels) => labels,
        _ => &[],
    }
}

/// Where a label stands in the order of its column: its own place, or the empty place between two others where labels are
/// numbers and this one is not listed.
fn place(column: &PublishedColumn, written: &str) -> Result<Range<usize>> {
    if let Some(at) = column.position(written) {
        return Ok(at as usize..at as usize + 1);
    }
    if let Some(number) = Decimal::parse(written).filter(|_| column.is_numbered()) {
        let at =
            labels(column).partition_point(|label| (Decimal::parse(label), label.as_str()) < (Some(number), written));
        return Ok(at..at);
    }
    let reason = format!("this is no label of `{}`, whose order would place it", column.name());
    Err(Error::request("value", written, reason).hint(format!("one of {}", quoted_list(labels(column), 12))))
}

fn labels_between(column: &PublishedColumn, from: usize, to: usize) -> Vec<Expr> {
    labels(column).get(from..to.max(from)).unwrap_or_default().iter().map(|label| text(label)).collect()
}

/// The column is one of these values; null is unknown, as in every comparison. No label is empty, so nothing is on a list of
/// the empty text.
fn one_of(column: &PublishedColumn, values: Vec<Expr>, negated: bool) -> Expr {
    let list = if values.is_empty() { vec![text("")] } else { values };
    Expr::InList { expr: Box::new(quoted(column.name())), list, negated }
}
