//! A condition on quasi-identifiers as a tree whose leaves look at one column each.
//!
//! The largest parts that name a single column are judged by DataFusion once for every value of that column; AND, OR and NOT
//! between them are worked out here, in the logic of true, false and unknown that SQL has. A part that compares columns
//! with each other is judged on combinations of their values.

use crate::columns::Columns;
use crate::question::columns_of;
use datafusion_sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value, visit_expressions};
use scumble_table::{CodeBits, Decimal, Formula};
use std::ops::ControlFlow;

/// What a condition may come to: a set of true, false and unknown. Of a value that is known it is one of them; of a value
/// that the release does not list, all three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Truth(u8);

impl Truth {
    pub(crate) const TRUE: Truth = Truth(1);
    const FALSE: Truth = Truth(2);
    const UNKNOWN: Truth = Truth(4);
    /// It depends on a value that the release does not list.
    pub(crate) const ANY: Truth = Truth(7);

    /// What SQL says of a known value.
    pub(crate) fn from_sql(truth: Option<bool>) -> Truth {
        match truth {
            Some(true) => Truth::TRUE,
            Some(false) => Truth::FALSE,
            None => Truth::UNKNOWN,
        }
    }

    /// Whether it may be true.
    pub(crate) fn may_hold(self) -> bool {
        self.0 & Truth::TRUE.0 != 0
    }

    /// Whether it may be anything else.
    pub(crate) fn may_fail(self) -> bool {
        self.0 & !Truth::TRUE.0 != 0
    }

    fn has(self, one: Truth) -> bool {
        self.0 & one.0 != 0
    }

    fn not(self) -> Truth {
        Truth(self.0 & Truth::UNKNOWN.0 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
    }

    /// What both come to together, as if they knew nothing of each other. A part that is `decisive` decides.
    fn joined(self, other: Truth, decisive: Truth) -> Truth {
        let neutral = decisive.not();
        let mut all = 0;
        if self.has(decisive) || other.has(decisive) {
            all |= decisive.0;
        }
        if self.has(neutral) && other.has(neutral) {
            all |= neutral.0;
        }
        let open = |one: Truth| one.has(Truth::UNKNOWN);
        if open(self) && (open(other) || other.has(neutral)) || open(other) && self.has(neutral) {
            all |= Truth::UNKNOWN.0;
        }
        Truth(all)
    }
}

/// A condition.
pub(crate) enum ConditionTree {
    /// Parts of which one that is `decisive` decides the whole (false for AND, true for OR); without it, one that is unknown
    /// leaves it unknown.
    Joined {
        decisive: Truth,
        parts: Vec<ConditionTree>,
    },
    Not(Box<ConditionTree>),
    /// An atom, by its place among all atoms.
    Atom(usize),
}

/// A part that is judged whole.
pub(crate) struct Atom {
    pub(crate) expr: Expr,
    /// Places of its columns in the manifest; none for a constant.
    pub(crate) columns: Vec<usize>,
}

impl ConditionTree {
    /// Takes a condition apart; atoms go to `atoms`.
    pub(crate) fn new(expr: &Expr, columns: &Columns, atoms: &mut Vec<Atom>) -> ConditionTree {
        let used = columns_of(expr, columns);
        if used.len() > 1 {
            match expr {
                Expr::BinaryOp { left, op: op @ (BinaryOperator::And | BinaryOperator::Or), right } => {
                    let decisive = if *op == BinaryOperator::And { Truth::FALSE } else { Truth::TRUE };
                    let parts = [left, right].map(|part| ConditionTree::new(part, columns, atoms)).into();
                    return ConditionTree::Joined { decisive, parts };
                }
                Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                    return ConditionTree::Not(Box::new(ConditionTree::new(expr, columns, atoms)));
                }
                Expr::Nested(inner) => return ConditionTree::new(inner, columns, atoms),
                _ => {}
            }
        }
        atoms.push(Atom { expr: expr.clone(), columns: used });
        ConditionTree::Atom(atoms.len() - 1)
    }

    /// The truth of the whole from that of its atoms.
    pub(crate) fn judge(&self, atom: &impl Fn(usize) -> Truth) -> Truth {
        match self {
            ConditionTree::Atom(at) => atom(*at),
            ConditionTree::Not(inner) => inner.judge(atom).not(),
            ConditionTree::Joined { decisive, parts } => {
                parts.iter().fold(decisive.not(), |whole, part| whole.joined(part.judge(atom), *decisive))
            }
        }
    }
}

impl ConditionTree {
    /// What must be true of a row for the whole to be true, where `atom` says of which codes an atom is true and of which it
    /// is false. What is unknown is neither, so that NOT is carried down to the atoms.
    pub(crate) fn formula(&self, atom: &impl Fn(usize, bool) -> CodeBits) -> Formula<CodeBits> {
        self.comes_to(true, atom)
    }

    fn comes_to(&self, wanted: bool, atom: &impl Fn(usize, bool) -> CodeBits) -> Formula<CodeBits> {
        match self {
            ConditionTree::Atom(at) => Formula::Test(atom(*at, wanted)),
            ConditionTree::Not(inner) => inner.comes_to(!wanted, atom),
            ConditionTree::Joined { decisive, parts } => {
                let parts = parts.iter().map(|part| part.comes_to(wanted, atom)).collect();
                // One part is enough for what decides the whole: true of OR, false of AND.
                if *decisive == Truth::from_sql(Some(wanted)) { Formula::Or(parts) } else { Formula::And(parts) }
            }
        }
    }
}

/// The numbers that a condition compares its column with, if it does nothing but compare.
pub(crate) fn compared_with(expr: &Expr) -> Option<Vec<Decimal>> {
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
        let [t, f, u] = [Some(true), Some(false), None].map(Truth::from_sql);
        let tree = |and: bool| {
            let parts = vec![ConditionTree::Atom(0), ConditionTree::Atom(1)];
            ConditionTree::Joined { decisive: if and { Truth::FALSE } else { Truth::TRUE }, parts }
        };
        for (a, b, and, or) in [(t, t, t, t), (t, f, f, t), (f, f, f, f), (t, u, u, t), (f, u, f, u), (u, u, u, u)] {
            let atom = |at: usize| if at == 0 { a } else { b };
            assert_eq!((tree(true).judge(&atom), tree(false).judge(&atom)), (and, or), "{a:?} {b:?}");
            let not = if a == u { u } else { [t, f][usize::from(a == t)] };
            assert_eq!(ConditionTree::Not(Box::new(ConditionTree::Atom(0))).judge(&atom), not);
        }
    }

    /// A formula finds the rows for which the tree is true, for every truth of two atoms and every tree of three levels.
    #[test]
    fn formulas_are_true_where_trees_are() {
        let truths = [Some(true), Some(false), None];
        let atoms = || vec![ConditionTree::Atom(0), ConditionTree::Atom(1)];
        let mut trees = Vec::new();
        for shape in 0..16u32 {
            let bit = |at: u32| shape >> at & 1 == 1;
            let negated = |tree: ConditionTree, is: bool| if is { ConditionTree::Not(Box::new(tree)) } else { tree };
            let decisive = |and: bool| if and { Truth::FALSE } else { Truth::TRUE };
            let inner = ConditionTree::Joined { decisive: decisive(bit(0)), parts: atoms() };
            let parts = vec![negated(inner, bit(1)), negated(ConditionTree::Atom(1), bit(2))];
            trees.push(ConditionTree::Not(Box::new(ConditionTree::Joined { decisive: decisive(bit(3)), parts })));
        }
        fn holds(formula: &Formula<CodeBits>, codes: [usize; 2]) -> bool {
            match formula {
                Formula::Test(test) => test.bits[codes[test.column]],
                Formula::Not(inner) => !holds(inner, codes),
                Formula::And(parts) => parts.iter().all(|part| holds(part, codes)),
                Formula::Or(parts) => parts.iter().any(|part| holds(part, codes)),
            }
        }
        for tree in &trees {
            // Code i of either column has truth i.
            let formula = tree.formula(&|column, wanted| CodeBits {
                column,
                bits: truths.iter().map(|&truth| truth == Some(wanted)).collect(),
            });
            for codes in (0..3).flat_map(|a| (0..3).map(move |b| [a, b])) {
                let truth = tree.judge(&|at| Truth::from_sql(truths[codes[at]]));
                assert_eq!(holds(&formula, codes), truth == Truth::TRUE, "{codes:?}");
            }
        }
    }

    /// Sets of truths come to what their members come to.
    #[test]
    fn sets_of_truths_are_judged_member_by_member() {
        let members = |set: u8| [1u8, 2, 4].into_iter().filter(move |one| set & one != 0).map(Truth);
        for (a, b) in (1..8u8).flat_map(|a| (1..8u8).map(move |b| (a, b))) {
            for decisive in [Truth::TRUE, Truth::FALSE] {
                let all = members(a).flat_map(|x| members(b).map(move |y| x.joined(y, decisive).0));
                assert_eq!(Truth(a).joined(Truth(b), decisive).0, all.fold(0, |set, one| set | one), "{a} {b}");
            }
            assert_eq!(Truth(a).not().0, members(a).fold(0, |set, one| set | one.not().0));
        }
        assert!(Truth::ANY.may_hold() && Truth::ANY.may_fail());
        assert!(!Truth::TRUE.may_fail() && !Truth::UNKNOWN.may_hold());
    }
}
