//! A condition on quasi-identifiers as a tree whose leaves look at one column each.
//!
//! The largest parts that name a single column are judged by DataFusion on every cell of that column; AND, OR and NOT
//! between them are worked out here, in the logic of true, false and unknown that SQL has. A part that compares columns
//! with each other is judged on all combinations of their values.

use crate::columns::Columns;
use crate::question::columns_of;
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value, visit_expressions};
use scumble_table::Decimal;
use std::ops::ControlFlow;

/// True, false or unknown.
pub(super) type Truth = Option<bool>;

/// A condition.
pub(super) enum Tree {
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    /// An atom, by its place among all atoms.
    Atom(usize),
}

/// A part that is judged whole.
pub(super) struct Atom {
    pub(super) expr: Expr,
    /// Places of its columns in the manifest; none for a constant.
    pub(super) columns: Vec<usize>,
}

impl Tree {
    /// Takes a condition apart; atoms go to `atoms`.
    pub(super) fn of(expr: &Expr, columns: &Columns, atoms: &mut Vec<Atom>) -> Tree {
        let used = columns_of(expr, columns);
        if used.len() > 1 {
            match expr {
                Expr::BinaryOp { left, op, right } => {
                    let mut both = || vec![Tree::of(left, columns, atoms), Tree::of(right, columns, atoms)];
                    match op {
                        BinaryOperator::And => return Tree::And(both()),
                        BinaryOperator::Or => return Tree::Or(both()),
                        _ => {}
                    }
                }
                Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                    return Tree::Not(Box::new(Tree::of(expr, columns, atoms)));
                }
                Expr::Nested(inner) => return Tree::of(inner, columns, atoms),
                _ => {}
            }
        }
        atoms.push(Atom { expr: expr.clone(), columns: used });
        Tree::Atom(atoms.len() - 1)
    }

    /// The truth of the whole from that of its atoms.
    pub(super) fn judge(&self, atom: &impl Fn(usize) -> Truth) -> Truth {
        match self {
            Tree::Atom(at) => atom(*at),
            Tree::Not(inner) => inner.judge(atom).map(|truth| !truth),
            Tree::And(parts) => decided_by(false, parts, atom),
            Tree::Or(parts) => decided_by(true, parts, atom),
        }
    }
}

/// One part that is `decisive` decides the whole; without it, one that is unknown leaves it unknown.
fn decided_by(decisive: bool, parts: &[Tree], atom: &impl Fn(usize) -> Truth) -> Truth {
    let mut whole = Some(!decisive);
    for part in parts {
        match part.judge(atom) {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => whole = None,
        }
    }
    whole
}

/// The numbers that a condition compares its column with, if it does nothing but compare.
pub(super) fn compared_with(expr: &Expr) -> Option<Vec<Decimal>> {
    let mut literals = Vec::new();
    let visited = visit_expressions(expr, |expr| {
        use BinaryOperator::{And, Eq, Gt, GtEq, Lt, LtEq, NotEq, Or};
        match expr {
            Expr::BinaryOp { op: Eq | NotEq | Lt | LtEq | Gt | GtEq | And | Or, .. }
            | Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::Minus, .. }
            | Expr::Between { .. }
            | Expr::InList { .. }
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::Nested(_)
            | Expr::Identifier(_) => ControlFlow::Continue(()),
            Expr::Value(value) => match &value.value {
                Value::Number(digits, _) => match Decimal::parse(digits) {
                    // A minus before it is an expression of its own, so both signs are cuts.
                    Some(number) => {
                        literals.extend([number, Decimal::new(-number.mantissa(), number.scale())]);
                        ControlFlow::Continue(())
                    }
                    None => ControlFlow::Break(()),
                },
                Value::Null => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            },
            _ => ControlFlow::Break(()),
        }
    });
    visited.is_continue().then_some(literals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_neither_true_nor_false() {
        let (t, f, u) = (Some(true), Some(false), None);
        let tree = |and: bool| {
            let parts = vec![Tree::Atom(0), Tree::Atom(1)];
            if and { Tree::And(parts) } else { Tree::Or(parts) }
        };
        for (a, b, and, or) in [(t, t, t, t), (t, f, f, t), (f, f, f, f), (t, u, u, t), (f, u, f, u), (u, u, u, u)] {
            let atom = |at: usize| if at == 0 { a } else { b };
            assert_eq!((tree(true).judge(&atom), tree(false).judge(&atom)), (and, or), "{a:?} {b:?}");
            assert_eq!(Tree::Not(Box::new(Tree::Atom(0))).judge(&atom), a.map(|truth| !truth));
        }
    }
}
