//! Rules that no record could ever reach: a mistake of their author, found without looking at the data.
//!
//! The values of a column are cut at the constants that conditions name: each constant, each gap between two, and
//! missing. All values of a piece get the same answer from every test, so that one stands for all, and pieces with the
//! same answers are one. A rule can be reached if some choice of a piece for each column meets its condition and none
//! of the conditions under which earlier rules delete.
//!
//! The verdict is sound: a rule that some record could reach is never called unreachable. A piece counts as inhabited
//! unless it is certain that no value lies there; a column that a rule changed may have any value afterwards, as if it
//! were another column; and where the search would take too long a rule counts as reachable.

use super::apply::BoundRule;
use super::change::{Effect, first_day, last_day};
use super::condition::Fault;
use super::predicate::{BoundTest, Predicate};
use super::value::{Scale, Value};
use scumble_table::{Decimal, Formula, Kind, Monitor};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Answers that one search may look at: those about conditions of people look at hundreds, and this many take some
/// milliseconds.
const MOST_OF_ONE: usize = 1_000_000;

/// Answers that all searches may look at together: the thousands of rules of a program should not keep it waiting.
const MOST_OF_ALL: usize = 50_000_000;

/// The first rule that no record can reach, and why. Of a cancelled search nothing can be told.
pub(super) fn unreachable<'a>(
    rules: &'a [BoundRule<'_>],
    scales: &[Scale],
    monitor: Monitor<'_>,
) -> Option<(usize, Fault)> {
    let check = ReachabilityCheck { scales, monitor, left: Cell::new(MOST_OF_ALL) };
    let mut versions = vec![0; scales.len()];
    // Conditions under which earlier rules delete, in terms of what columns were when those rules came.
    let mut deleted: Vec<(&str, VariableFormula<'_>)> = Vec::new();
    for (at, rule) in rules.iter().enumerate() {
        let variable = |test: &'a BoundTest| ((test.column, versions[test.column]), &test.predicate);
        let own = rule.when.as_ref().map_or(Formula::And(Vec::new()), |when| when.map(variable));
        if let Some(fault) = check.contradiction(&own).or_else(|| check.forestalled(&own, &deleted)) {
            return Some((at, fault));
        }
        match &rule.effect {
            Effect::Delete => deleted.push((&rule.rule.name, own)),
            Effect::Change(changes) => changes.iter().for_each(|change| versions[change.column] += 1),
        }
    }
    None
}

/// Looks for rules of one table that no record can reach.
struct ReachabilityCheck<'a> {
    scales: &'a [Scale],
    monitor: Monitor<'a>,
    /// Answers that may still be looked at.
    left: Cell<usize>,
}

impl ReachabilityCheck<'_> {
    fn search(&self, formula: &VariableFormula<'_>) -> SearchOutcome {
        if self.monitor.is_cancelled() {
            return SearchOutcome::TooMuch;
        }
        let most = MOST_OF_ONE.min(self.left.get());
        let Some(mut search) = Search::new(formula, self.scales, most) else { return SearchOutcome::TooMuch };
        let found = search.choose(&mut vec![None; search.pieces.len()], 0);
        self.left.set(self.left.get() - (most - search.left));
        found
    }

    /// Whether the condition contradicts itself, as a whole or, where that is too much to ask, in a part that must
    /// hold.
    fn contradiction(&self, own: &VariableFormula<'_>) -> Option<Fault> {
        let found = match (self.search(own), own) {
            (SearchOutcome::TooMuch, Formula::And(parts)) => {
                parts.iter().any(|part| self.search(part) == SearchOutcome::Nothing)
            }
            (found, _) => found == SearchOutcome::Nothing,
        };
        found.then(|| Fault::new("no record can meet its condition").hint("the condition contradicts itself"))
    }

    /// Whether earlier rules delete all that meet the condition: one of them alone, or all together.
    fn forestalled(&self, own: &VariableFormula<'_>, deleted: &[(&str, VariableFormula<'_>)]) -> Option<Fault> {
        let survives = |rules: &[(&str, VariableFormula<'_>)]| {
            let not = rules.iter().map(|(_, when)| Formula::Not(Box::new(when.clone())));
            let all = Formula::And(std::iter::once(own.clone()).chain(not).collect());
            self.search(&all) != SearchOutcome::Nothing
        };
        let reason = "every record that could meet its condition is deleted before";
        let hint = "put it first, or leave it out";
        if let Some((name, _)) = deleted.iter().find(|one| !survives(std::slice::from_ref(one))) {
            return Some(Fault::new(format!("{reason}, by rule `{name}`")).hint(hint));
        }
        (deleted.len() > 1 && !survives(deleted))
            .then(|| Fault::new(format!("{reason}, by the rules above together")).hint(hint))
    }
}

/// A column as it is between two changes.
type Variable = (usize, usize);

/// A condition over variables.
type VariableFormula<'a> = Formula<(Variable, &'a Predicate)>;

/// What a search came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchOutcome {
    Something,
    Nothing,
    TooMuch,
}

/// Looks for a choice of pieces that makes a formula true, one variable after the other.
struct Search<'a> {
    formula: &'a VariableFormula<'a>,
    /// Tests of each variable in the order of the formula; for each piece, their answers.
    pieces: Vec<BTreeSet<Vec<bool>>>,
    /// For each test in the order of the formula: its variable, and its place among that variable's tests.
    places: Vec<(usize, usize)>,
    /// Answers that may still be looked at.
    left: usize,
}

impl<'a> Search<'a> {
    /// Cuts the columns; `None` where that alone is too much.
    fn new(formula: &'a VariableFormula<'a>, scales: &[Scale], most: usize) -> Option<Self> {
        let tests = formula.tests();
        let mut variables: Vec<(Variable, Vec<&Predicate>)> = Vec::new();
        let mut known: BTreeMap<Variable, usize> = BTreeMap::new();
        let mut places = Vec::with_capacity(tests.len());
        for &(variable, predicate) in tests {
            let at = *known.entry(variable).or_insert_with(|| {
                variables.push((variable, Vec::new()));
                variables.len() - 1
            });
            places.push((at, variables[at].1.len()));
            variables[at].1.push(predicate);
        }
        let mut left = most;
        for (_, tests) in &variables {
            let n_constants: usize = tests.iter().map(|test| test.constants().count()).sum();
            left = left.checked_sub(tests.len() * (2 * n_constants + 2))?;
        }
        let pieces = variables.iter().map(|((column, _), tests)| pieces(&scales[*column], tests)).collect();
        Some(Search { formula, pieces, places, left })
    }

    /// The recursion is as deep as there are variables: no deeper than the columns and changes of the rules.
    fn choose(&mut self, chosen: &mut Vec<Option<Vec<bool>>>, next: usize) -> SearchOutcome {
        match self.left.checked_sub(self.places.len() + 1) {
            Some(left) => self.left = left,
            None => return SearchOutcome::TooMuch,
        }
        match self.truth(self.formula, chosen, &mut 0) {
            Some(true) => return SearchOutcome::Something,
            Some(false) => return SearchOutcome::Nothing,
            None => {}
        }
        // A formula that is still open has a variable that is not chosen.
        let Some(pieces) = self.pieces.get(next).cloned() else { return SearchOutcome::Something };
        let mut found = SearchOutcome::Nothing;
        for piece in pieces {
            chosen[next] = Some(piece);
            found = self.choose(chosen, next + 1);
            if found != SearchOutcome::Nothing {
                break;
            }
        }
        chosen[next] = None;
        found
    }

    /// The truth of a formula as far as the chosen pieces tell; `at` counts its tests.
    fn truth(&self, formula: &VariableFormula<'_>, chosen: &[Option<Vec<bool>>], at: &mut usize) -> Option<bool> {
        // Every part is visited, so that the count stays right.
        let mut row = |parts: &[VariableFormula<'_>], decides: bool| {
            let mut row = Some(!decides);
            for part in parts {
                let truth = self.truth(part, chosen, at);
                row = if row == Some(decides) || truth == Some(decides) { Some(decides) } else { row.and(truth) };
            }
            row
        };
        match formula {
            Formula::And(parts) => row(parts, false),
            Formula::Or(parts) => row(parts, true),
            Formula::Not(inner) => self.truth(inner, chosen, at).map(|truth| !truth),
            Formula::Test(..) => {
                let (variable, place) = self.places[*at];
                *at += 1;
                chosen[variable].as_ref().map(|answers| answers[place])
            }
        }
    }
}

/// The answers that values of a column can give to some tests, each set of answers once.
fn pieces(scale: &Scale, tests: &[&Predicate]) -> BTreeSet<Vec<bool>> {
    let constants: BTreeSet<&Value> = tests.iter().flat_map(|test| test.constants()).collect();
    let constants: Vec<&Value> = constants.into_iter().collect();
    // Piece 2i + 1 is the i-th constant, piece 2i the gap before it; the last piece is the gap after all.
    let place = |constant: &Value| constants.binary_search(&constant).map_or(0, |at| 2 * at + 1);
    let tests: Vec<Predicate<usize>> = tests.iter().map(|test| test.at_places(place)).collect();
    let answers = |piece: Option<usize>| tests.iter().map(|test| test.holds(piece.as_ref())).collect();
    let inhabited = |piece: &usize| piece % 2 == 1 || has_values(scale, &constants, piece / 2);
    let all = (0..=2 * constants.len()).filter(inhabited).map(Some);
    std::iter::once(None).chain(all).map(answers).collect()
}

/// Whether there can be a value in the gap before the constant at `next`; true unless it is certain that there is none.
fn has_values(scale: &Scale, constants: &[&Value], next: usize) -> bool {
    let (below, above) = (next.checked_sub(1).map(|at| constants[at]), constants.get(next).copied());
    match scale.kind {
        Kind::Date => {
            let day = |value: Option<&Value>, end: i32| match value {
                Some(Value::Day(day)) => i64::from(*day),
                _ => i64::from(end),
            };
            day(above, last_day() + 1) - day(below, first_day() - 1) > 1
        }
        Kind::Ordinal => scale.ranks.as_ref().is_none_or(|ranks| {
            let rank = |value: Option<&Value>, end: usize| match value {
                Some(Value::Ranked(rank, _)) => *rank,
                _ => Decimal::from(end as i64),
            };
            // Ranks are whole numbers from 0, so that one lies between if the next one is not the other end.
            let first = below.map_or(Decimal::ZERO, |value| Decimal::new(rank(Some(value), 0).mantissa() + 1, 0));
            first < rank(above, ranks.len())
        }),
        // One label more than those that are named is enough for all gaps: tests of nominal columns ask for no order.
        Kind::Nominal => scale.leaves.as_ref().is_none_or(|leaves| {
            let named = constants.iter().filter(|constant| leaves.contains(**constant)).count();
            named < leaves.len()
        }),
        Kind::Number => true,
    }
}
