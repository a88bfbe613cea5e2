//! Window proximity: few numbers of a group lie in any window. It is interval proximity made monotone.

use crate::exact::{Round, percent, rounded, sum};
use crate::plain_words::{NO_CHANCE, chance_of, one_in};
use crate::principle::shared;
use crate::proximity::{self, NearPrinciple, Neighbourhood, theory};
use crate::test::{room_for_two, rows_between};
use crate::{Attained, Entry, PlainWords, Principle, ProximityInterval, Subject, Test, proximity_interval};
use num_bigint::BigUint;
use scumble_table::{Bag, Decimal, Domain, NULL, Ratio, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "proximity-window",
    parameters: proximity_interval::ENTRY.parameters,
    help: "in every group at most 1/m of the rows have sensitive numbers in any window of length e1 + e2",
    example: "proximity-window(20, 10000, 2)",
    reference: "a stricter and monotone form of proximity-interval, after J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive data. SIGMOD 2008",
    monotone: true,
    larger_is_stricter: true,
    usual: proximity_interval::ENTRY.usual,
    ..Entry::parsed_by(|arguments| {
        shared(ProximityWindow::new(arguments.number(0)?, arguments.number(1)?, arguments.whole(2)?))
    })
};

/// In every group at most `1 / m` of the rows have sensitive numbers in any window of length
/// `e1 + e2`.
///
/// # Guarantees
/// What `proximity-interval(e1, e2, m)` guarantees, for each of its neighbourhoods [x - e1, x + e2]
/// is such a window. Beyond that, any number that is guessed for a person, also one between the
/// numbers of the group, comes so near to the truth with a chance of at most `1 / m`.
///
/// # Definition
/// A group of n rows passes if every closed window [a, a + e1 + e2] holds at most n/m of its
/// numbers, and at most n/m of its rows are null: null is near only to null.
///
/// How many rows of a union lie in a window is the sum of how many of its parts do, and n/m adds up
/// likewise. So the union of passing groups passes, which `proximity-interval` does not promise.
///
/// # Does not guarantee
/// Anything about guesses that may be farther off than the window reaches.
///
/// # Cost
/// Binding takes one pass over the different numbers of the column. A test takes one pass over the
/// counts of the group, with two pointers, in whole numbers.
///
/// # Example
/// {40, 60} and {50, 80} pass `proximity-absolute(15, 2)` and their union does not. Each of them fails
/// `proximity-window(15, 15, 2)` already, for [40, 70] and [50, 80] hold both of their numbers.
///
/// # Reference
/// J. Li, Y. Tao, X. Xiao: Preservation of proximity privacy in publishing numerical sensitive
/// data. SIGMOD 2008.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProximityWindow {
    /// The principle that it implies, whose parameters are its own.
    interval: ProximityInterval,
}

impl ProximityWindow {
    /// `e1` and `e2` must be at least 0 and `m` at least 1.
    pub fn new(e1: Decimal, e2: Decimal, m: u64) -> Result<Self> {
        ProximityInterval::checked(&ENTRY, e1, e2, m).map(|interval| ProximityWindow { interval })
    }

    /// The reach below a number of the interval that this window covers.
    pub fn e1(&self) -> Decimal {
        self.interval.e1()
    }

    /// The reach above a number of the interval that this window covers.
    pub fn e2(&self) -> Decimal {
        self.interval.e2()
    }

    /// The inverse of the greatest share of rows in a window.
    pub fn m(&self) -> u64 {
        self.interval.m()
    }

    /// The length of the window, where it can be written as one decimal.
    fn length(&self) -> Option<Decimal> {
        sum(self.e1(), self.e2())
    }

    /// The length in whole units of `10^-scale`, rounded down: numbers of a column are whole units
    /// apart. The sum is rounded and not its parts, for two halves of a unit are a unit.
    fn units(&self, scale: u8) -> u128 {
        let fine = scale.max(self.e1().scale()).max(self.e2().scale());
        let ten = |exponent: u8| BigUint::from(10u32).pow(exponent.into());
        let at_fine = |e: Decimal| BigUint::from(e.mantissa().unsigned_abs()) * ten(fine - e.scale());
        let units = (at_fine(self.e1()) + at_fine(self.e2())) / ten(fine - scale);
        // No two numbers are farther apart than this.
        u128::try_from(units).unwrap_or(u128::MAX)
    }

    /// The same with a window of the given length instead of its own, which is longer. The longer
    /// side is shortened, or both to the half where that does not do.
    fn shortened(&self, length: Decimal) -> Option<Self> {
        // A suggestion must be readable, and the notation has an end of digits.
        let readable = |mantissa: i128, scale: u8| Decimal::parse(&Decimal::new(mantissa, scale).to_string());
        let shorter = self.e1().min(self.e2());
        let scale = shorter.scale().max(length.scale());
        let rest = readable(length.at_scale(scale)?.checked_sub(shorter.at_scale(scale)?)?, scale)?;
        let (shorter, longer) = if rest >= shorter {
            (shorter, rest)
        } else {
            let half = readable(length.mantissa().checked_mul(5)?, length.scale() + 1)?;
            (half, half)
        };
        let (e1, e2) = if self.e1() <= self.e2() { (shorter, longer) } else { (longer, shorter) };
        ProximityWindow::new(e1, e2, self.m()).ok()
    }
}

impl Principle for ProximityWindow {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.interval.epsilon_texts().notation, self.m())
    }

    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        let windows = Neighbourhood::windows(domain, self.units(domain.scale()));
        let windows = windows.ok_or_else(|| proximity::needs_numbers(self.notation(), domain))?;
        let longest = match theory::window_supremum(domain, whole, self.m()) {
            Some(supremum) => LongestWindow::Of(theory::epsilon_largest(supremum, domain.scale())),
            None => LongestWindow::Any,
        };
        Ok(Box::new(Bound { windows, m: self.m(), longest }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let m: u64 = attained.figure("m")?.parse().ok()?;
        ProximityWindow::new(self.e1(), self.e2(), m.min(self.m())).ok().map(|principle| principle.notation())
    }

    fn alternatives(&self, best: &Attained, _columns: &[&Bag]) -> Vec<String> {
        proximity::alternatives(best, self.m(), |length, m| {
            let same = || ProximityWindow::new(self.e1(), self.e2(), m).ok();
            let way = length.map_or_else(same, |length| self.shortened(length));
            way.map(|principle| principle.notation())
        })
    }

    fn reason(&self, best: &Attained, column: &str) -> String {
        let share = best.figure("share").unwrap_or("1");
        let none = match best.figure("epsilon") {
            Some("") => format!(", and no window is short enough for m = {}", self.m()),
            _ => String::new(),
        };
        if best.figure("missing") == Some(share) {
            return format!("{} of the rows have no number in `{column}`{none}", percent(share));
        }
        let within =
            self.length().map_or_else(|| format!("{} + {}", self.e1(), self.e2()), |length| length.to_string());
        format!("{} of the rows have numbers of `{column}` within {within} of one another{none}", percent(share))
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (below, above, m) = (self.e1(), self.e2(), Decimal::new(self.m().into(), 0));
        let (who, repeat) = (subject.counted, subject.repeat);
        let (one, many) = (who.one(), who.many());
        let (part, chance, subject) = (one_in(m), chance_of(m), subject.name());
        let length = match self.length() {
            Some(length) if below.is_integer() && above.is_integer() => length.to_string(),
            _ => format!("{below} + {above}"),
        };
        Some(PlainWords {
            family: "Proximity, window",
            demands: format!(
                "in every group at most {part} of the {many} have values of {subject} that lie within {length} of one \
                 another"
            ),
            hides: match repeat {
                true => format!(
                    "Whatever number somebody names, also one between the values that a group shows for {subject}: at most {part} of the \
                     people of the group have a value such that the number lies from {below} below to {above} above it. Of a group, \
                     people without a value make up at most {part}. {NO_CHANCE}"
                ),
                false => format!(
                    "Whatever number somebody guesses for a {one} of a group, also one between the values that the group shows \
                     for {subject}: the chance that it lies from {below} below to {above} above that {one}’s is at most \
                     {chance}. Of a group, {many} without a value make up at most {part}."
                ),
            },
            leaves: "What is near is fixed by the requirement: a guess that need not come so near may be right more often. \
                     The least and the greatest value of each group are visible, and a person’s value lies between them."
                .into(),
            guards_values: true,
        })
    }
}

#[derive(Debug)]
struct Bound {
    /// The windows that start at a number: a window that holds the most can be moved up until it
    /// starts at one. It is not shown as a neighbourhood, for a search that keeps neighbours apart
    /// knows nothing of windows; the searches for monotone tests serve this one.
    windows: Neighbourhood,
    m: u64,
    longest: LongestWindow,
}

/// The longest window with which the whole column passes.
#[derive(Debug)]
enum LongestWindow {
    /// Every window will do.
    Any,
    /// This one, or none.
    Of(Option<Decimal>),
}

impl Test for Bound {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.m && proximity::at_most(self.windows.most_near(group), self.m, group)
    }

    /// A window holds each number, so that both parts need m different values.
    fn divisible(&self, group: &Bag) -> bool {
        room_for_two(group, self.m)
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The rows that the fullest window may have, less those that it has.
    fn slack(&self, group: &Bag) -> Option<i64> {
        match group.size() >= self.m {
            true => Some(rows_between(self.windows.most_near(group), group.size() / self.m.max(1))),
            false => Some(-1),
        }
    }

    fn attained(&self, group: &Bag) -> Attained {
        proximity::attained(self.windows.most_near(group), group)
    }

    fn least_size(&self) -> u64 {
        self.m
    }

    /// The greatest m for this window, the longest window for this m (in the place of epsilon; empty
    /// where there is none), and the shares of the fullest window and of nulls.
    fn best(&self, whole: &Bag) -> Attained {
        let (near, missing, size) = (self.windows.most_near(whole), whole.count(NULL), whole.size());
        let m = size.checked_div(near).unwrap_or(0);
        let (length, shown) = match self.longest {
            LongestWindow::Any => (Ratio::new(i128::MAX, 1), String::new()),
            LongestWindow::Of(Some(length)) => (Ratio::from(length), length.to_string()),
            LongestWindow::Of(None) => (Ratio::new(-1, 1), String::new()),
        };
        // Where people are counted, a window may hold more of their values than there are people.
        let safe = |rows: u64| Ratio::new(size.saturating_sub(rows).into(), size.max(1).into());
        let share = |rows: u64| if size == 0 { "1".into() } else { rounded(rows.into(), size.into(), Round::Up) };
        Attained::from_parts(
            vec![m.into(), length.into(), safe(near).into(), safe(missing.into()).into()],
            vec![("m", m.to_string()), ("epsilon", shown), ("share", share(near)), ("missing", share(missing.into()))],
        )
    }
}

#[cfg(test)]
mod tests;
