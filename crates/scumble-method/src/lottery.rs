//! A lottery that decides whether a division is made, so that a division that was not made tells little.
//!
//! *What a refusal tells.* A search that divides a set of people wherever both parts satisfy the requirements says, by
//! each set that it leaves whole, that the division it would have made fails. A reader who knows the search rules out all
//! assignments of sensitive values to people under which it would pass. A division that was made tells nothing of the kind
//! about people of one part: exchanging the values of two of them changes neither part's values.
//!
//! *The lottery.* Let the slack m of a division be a whole number that is negative exactly if one of its parts fails, and that
//! changes by at most one when two people exchange their values. The division is refused for certain where m is negative,
//! else with probability `q^(m + 1)`, `q = 1 - 1/sides`: a die is thrown m + 1 times and the first side must never come up.
//! As m moves by one the probability of a refusal moves by a factor between q and 1/q.
//!
//! *What is bounded.* Take two people whose values are exchanged, in a set that ended up undivided. All divisions that were made
//! above them have the same slack before and after, and so have those that do not concern them; each refused one on their way has
//! one that differs by at most one. So the probability of everything that the search did changes by at most the
//! product of the `1/q` of the refusals on their way, which `e^budget` bounds, as each of them takes `1/(sides - 1)`, at least
//! `ln(1/q)`, out of the budget. If inside of the set all is dealt by chance, the same holds for the
//! probability of the release. For an attacker to whom the two assignments were equally likely, the posterior
//! probability that one person of a batch has a value is then at most `e^budget` times that of any other person
//! of the batch; all of them together have the value as often as the batch says, so that of each lies within a factor of
//! `e^budget` of the value's share.
//!
//! *What must not depend on values.* Which divisions are tried, in which order and how often, may depend on
//! quasi-identifiers, on sizes, on coins and on what was refused before, and on nothing else.

use crate::draws::Draws;

/// One millionth: budgets and costs are whole numbers of these.
const UNIT: u64 = 1_000_000;

/// How much refusals may tell, and how it is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lottery {
    /// The natural logarithm of the factor by which a posterior may differ from what is claimed, in millionths.
    pub(crate) budget: u64,
    /// A refusal costs at most this many times what one unit of room is worth: large sets, which have room, spend little.
    pub(crate) spent: u64,
    /// Sets that do not have this many times the room that the rest of the budget asks for are not divided at all, as
    /// they would mostly be refused.
    pub(crate) wanted: u64,
}

/// A division that may be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DivisionTrial {
    /// Sides of the die that let the division pass, of all its sides.
    hits: u64,
    sides: u64,
    /// What is left of the budget if it is refused.
    pub(crate) left: u64,
}

impl Lottery {
    /// The lot of a division into parts whose slack can be at most `room`, where `left` of the budget has not been
    /// spent on the way; none where it should not be tried.
    pub(crate) fn trial(&self, room: u64, left: u64) -> Option<DivisionTrial> {
        if left == 0 || room.saturating_mul(left) < self.wanted.saturating_mul(UNIT) {
            return None;
        }
        let cost = (self.spent.saturating_mul(UNIT) / room.max(1)).clamp(1, left);
        // A refusal costs 1/(sides - 1), rounded down here, so at most `cost`.
        Some(DivisionTrial { hits: 1, sides: UNIT.div_ceil(cost) + 1, left: left - cost })
    }

    /// The lot of a division whose refusal may take `cost` of what is `left` of the budget, with as few refusals as
    /// this allows; none where hardly anything is left.
    pub(crate) fn costing(cost: u64, left: u64) -> Option<DivisionTrial> {
        /// Lots that cost less refuse nearly everything that is not far from failing.
        const LEAST: u64 = UNIT / 20;
        /// Sides of the die: `q` is a whole number of this part.
        const SIDES: f64 = 1000.0;
        if left < LEAST.min(cost) {
            return None;
        }
        // The greatest share of hits with ln(1/q) at most `cost`, and what it takes, rounded up by more than the error
        // of the logarithm.
        let hits = ((1.0 - (-(cost.min(left) as f64) / UNIT as f64).exp()) * SIDES).floor().max(1.0);
        let taken = (-(1.0 - hits / SIDES).ln() * UNIT as f64).ceil() as u64 + 1;
        (taken <= left).then(|| DivisionTrial { hits: hits as u64, sides: SIDES as u64, left: left - taken })
    }
}

impl DivisionTrial {
    /// How likely a division of this slack is to be refused.
    pub(crate) fn probability(&self, slack: i64) -> f64 {
        match u64::try_from(slack) {
            Err(_) => 1.0,
            Ok(slack) => (1.0 - self.hits as f64 / self.sides as f64).powf(slack as f64 + 1.0),
        }
    }

    /// Whether a division of this slack is refused.
    pub(crate) fn refuses(&self, slack: i64, draws: &mut dyn Draws) -> bool {
        match u64::try_from(slack) {
            Err(_) => true,
            Ok(slack) => draws.misses(self.hits, self.sides, slack.saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Purpose;
    use crate::draws::every::outcomes;

    const LOTTERY: Lottery = Lottery { budget: 182_321, spent: 12, wanted: 4 };

    fn refused(trial: DivisionTrial, slack: i64) -> f64 {
        let mut sum = 0.0;
        outcomes(
            |source| trial.refuses(slack, &mut *source.at(Purpose::Cuts, 0)),
            |refused, weight| sum += if refused { weight } else { 0.0 },
        );
        sum
    }

    #[test]
    fn a_row_changes_a_refusal_by_no_more_than_it_costs() {
        for room in [22, 30, 100, 5000, 10_000_000] {
            let trial = LOTTERY.trial(room, LOTTERY.budget).unwrap();
            let cost = (LOTTERY.budget - trial.left) as f64 / UNIT as f64;
            assert!(cost > 0.0 && cost <= LOTTERY.budget as f64 / UNIT as f64);
            assert_eq!((refused(trial, -1), refused(trial, -7)), (1.0, 1.0));
            for slack in -1..400 {
                let (less, more) = (refused(trial, slack), refused(trial, slack + 1));
                assert!(more <= less && (less / more).ln() <= cost + 1e-12, "{room} {slack}");
            }
        }
    }

    #[test]
    fn what_is_spent_never_exceeds_the_budget() {
        let (mut left, mut spent) = (LOTTERY.budget, 0.0);
        while let Some(trial) = LOTTERY.trial(40, left) {
            spent += (refused(trial, 0) / refused(trial, 1)).ln();
            assert!(trial.left < left);
            left = trial.left;
        }
        assert!(spent > 0.1 && spent <= LOTTERY.budget as f64 / UNIT as f64, "{spent}");
        assert_eq!(LOTTERY.trial(21, LOTTERY.budget), None);
        assert_eq!(LOTTERY.trial(1000, 0), None);
    }
}
