//! WHERE: names made exact, literals made to fit their columns, and the two halves separated.

use super::literals;
use crate::columns::Columns;
use datafusion_sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Visit, Visitor, visit_expressions, visit_expressions_mut,
};
use scumble_table::{Error, Result};
use std::ops::ControlFlow;

/// Reads a WHERE: what chooses people, and what looks at sensitive values.
pub(super) fn read(
    text: &str,
    selection: &Expr,
    columns: &Columns,
    alias: Option<&Ident>,
) -> Result<(Option<Expr>, Option<Expr>)> {
    let mut selection = selection.clone();
    refuse_queries(text, &selection)?;
    name_exactly(&mut selection, columns, alias)?;
    literals::fit(&mut selection, columns)?;
    let selection = balanced(selection);
    if depth(&selection) > DEEPEST {
        let reason = format!("a condition may be nested {DEEPEST} deep at most");
        return Err(
            Error::request("question", "WHERE ...", reason).hint("write it flatter, with IN lists for instance")
        );
    }
    let (mut people, mut sensitive) = (None, None);
    for part in conjuncts(selection) {
        let used = columns_of(&part, columns);
        let side = match used.iter().filter(|&&at| columns.is_sensitive(at)).count() {
            0 => &mut people,
            n if n == used.len() => &mut sensitive,
            _ => {
                let reason = format!("`{part}` ties sensitive values to quasi-identifiers, which the release does not");
                return Err(Error::request("question", text, reason)
                    .hint("join a condition on quasi-identifiers and one on sensitive columns by AND alone"));
            }
        };
        *side = match side.take() {
            None => Some(part),
            Some(before) => Some(both(before, part)),
        };
    }
    Ok((people, sensitive))
}

/// Both conditions. A part may be an OR, which binds less.
pub(crate) fn both(left: Expr, right: Expr) -> Expr {
    let closed = |expr: Expr| match expr {
        Expr::BinaryOp { op: BinaryOperator::Or | BinaryOperator::Xor, .. } => Expr::Nested(Box::new(expr)),
        other => other,
    };
    Expr::BinaryOp { left: Box::new(closed(left)), op: BinaryOperator::And, right: Box::new(closed(right)) }
}

/// Everything that AND joins at the top. A tree of ANDs leans to the left, so it is taken down in a loop.
pub(crate) fn conjuncts(selection: Expr) -> Vec<Expr> {
    let (mut rest, mut found) = (vec![selection], Vec::new());
    while let Some(expr) = rest.pop() {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => rest.extend([*right, *left]),
            Expr::Nested(inner) if is_and(&inner) => rest.push(*inner),
            other => found.push(other),
        }
    }
    found
}

/// Engines descend into conditions by recursion, on stacks that are not ours.
const DEEPEST: usize = 100;

/// How deep a condition is nested.
fn depth(expr: &Expr) -> usize {
    struct Depth {
        now: usize,
        most: usize,
    }
    impl Visitor for Depth {
        type Break = ();

        fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
            self.now += 1;
            self.most = self.most.max(self.now);
            ControlFlow::Continue(())
        }

        fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
            self.now -= 1;
            ControlFlow::Continue(())
        }
    }
    let mut depth = Depth { now: 0, most: 0 };
    let _ = expr.visit(&mut depth);
    depth.most
}

/// Conditions in a row that are left as they stand.
const FEW: usize = 32;

/// The same condition with long rows of AND or OR as trees that are not deep: engines descend into them by recursion.
fn balanced(expr: Expr) -> Expr {
    match expr {
        Expr::BinaryOp { left, op: op @ (BinaryOperator::And | BinaryOperator::Or), right } => {
            let mut operands = vec![balanced(*right)];
            let mut rest = *left;
            while let Expr::BinaryOp { left, op: other, right } = rest {
                if other != op {
                    rest = Expr::BinaryOp { left, op: other, right };
                    break;
                }
                operands.push(balanced(*right));
                rest = *left;
            }
            operands.push(balanced(rest));
            operands.reverse();
            let is_long = operands.len() > FEW;
            joined(operands, &op, is_long)
        }
        Expr::Nested(inner) => Expr::Nested(Box::new(balanced(*inner))),
        Expr::UnaryOp { op, expr } => Expr::UnaryOp { op, expr: Box::new(balanced(*expr)) },
        other => other,
    }
}

/// Operands joined in a row or, where there are many, in halves.
fn joined(mut operands: Vec<Expr>, op: &BinaryOperator, in_halves: bool) -> Expr {
    let binary = |left, right| Expr::BinaryOp { left: Box::new(left), op: op.clone(), right: Box::new(right) };
    if in_halves && operands.len() > 2 {
        let right = joined(operands.split_off(operands.len() / 2), op, true);
        let left = joined(operands, op, true);
        return binary(Expr::Nested(Box::new(left)), Expr::Nested(Box::new(right)));
    }
    let mut operands = operands.into_iter();
    match operands.next() {
        Some(first) => operands.fold(first, binary),
        None => Expr::value(datafusion_sql::sqlparser::ast::Value::Boolean(*op == BinaryOperator::And)),
    }
}

fn is_and(expr: &Expr) -> bool {
    match expr {
        Expr::BinaryOp { op, .. } => *op == BinaryOperator::And,
        Expr::Nested(inner) => is_and(inner),
        _ => false,
    }
}

fn refuse_queries(text: &str, selection: &Expr) -> Result<()> {
    let found = visit_expressions(selection, |expr| match expr {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => ControlFlow::Break(expr.to_string()),
        _ => ControlFlow::Continue(()),
    });
    found.break_value().map_or(Ok(()), |inner| {
        let reason = format!("{inner}: a query inside the condition cannot be answered");
        Err(Error::request("question", text, reason).hint("conditions are over the columns of the release"))
    })
}

/// The identifier of a plain column, with or without the table before it.
pub(super) fn identifier<'a>(expr: &'a Expr, alias: Option<&Ident>) -> Option<&'a Ident> {
    match expr {
        Expr::Identifier(ident) => Some(ident),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [table, column] => {
                let known = |name: &str| table.value.eq_ignore_ascii_case(name);
                (known("release") || alias.is_some_and(|alias| known(&alias.value))).then_some(column)
            }
            _ => None,
        },
        Expr::Nested(inner) => identifier(inner, alias),
        _ => None,
    }
}

/// Every column by its exact name in double quotes.
fn name_exactly(selection: &mut Expr, columns: &Columns, alias: Option<&Ident>) -> Result<()> {
    replace_parts(selection, |expr| {
        let found = match (expr, identifier(expr, alias)) {
            (Expr::Identifier(_) | Expr::CompoundIdentifier(_), Some(ident)) => columns.find(ident)?,
            (Expr::CompoundIdentifier(_), None) => {
                return Err(Error::request("column", expr.to_string(), "there is no such column")
                    .hint("a release is one table, `release`"));
            }
            _ => return Ok(None),
        };
        Ok(Some(quoted(columns.name(found))))
    })
}

/// Puts another expression in the place of every part for which there is a `better` one.
pub(super) fn replace_parts(selection: &mut Expr, better: impl Fn(&Expr) -> Result<Option<Expr>>) -> Result<()> {
    let visited = visit_expressions_mut(selection, |expr| match better(expr) {
        Ok(None) => ControlFlow::Continue(()),
        Ok(Some(better)) => {
            *expr = better;
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    });
    visited.break_value().map_or(Ok(()), Err)
}

/// A column by its exact name.
pub(super) fn quoted(name: &str) -> Expr {
    Expr::Identifier(Ident::with_quote('"', name))
}

/// Places of the columns that a condition names, rising.
pub(crate) fn columns_of(expr: &Expr, columns: &Columns) -> Vec<usize> {
    let mut used = Vec::new();
    let _: ControlFlow<()> = visit_expressions(expr, |expr| {
        if let Expr::Identifier(ident) = expr {
            used.extend(columns.position(&ident.value));
        }
        ControlFlow::Continue(())
    });
    used.sort_unstable();
    used.dedup();
    used
}
