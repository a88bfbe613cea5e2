//! The principle that three notations share: at most 1/m of a group lies near any of its numbers.

use super::bound::Bound;
use super::{Near, Neighbourhood};
use crate::exact::{percent, sum, unit};
use crate::plain_words::{NO_CHANCE, chance_of, one_in};
use crate::principle::{shared, wrong_kind};
use crate::{Attained, Entry, PlainWords, Principle, ProximityAbsolute, ProximityRelative, ProximityWindow, Stricter};
use crate::{Subject, Test};
use scumble_table::{Bag, Decimal, Domain, Error, Result};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// What `proximity-absolute`, `proximity-relative` and `proximity-interval` say of themselves. All else follows.
pub(crate) trait NearPrinciple: Any + Debug + Send + Sync + Sized {
    /// The heading of its plain words.
    const FAMILY: &'static str;

    fn own_entry() -> &'static Entry;

    fn near(&self) -> Near;

    fn m(&self) -> u64;

    /// The same with this m, and where `most` is given with no greater epsilon than that.
    fn reduced(&self, most: Option<Decimal>, m: u64) -> Result<Self>;

    fn epsilon_texts(&self) -> EpsilonTexts;
}

/// Epsilon as it is written in a notation and in sentences.
pub(crate) struct EpsilonTexts {
    /// The parameters before m.
    pub(crate) notation: String,
    /// How far apart near numbers are.
    pub(crate) reach: String,
    /// Where numbers near that of a person lie.
    pub(crate) range: String,
}

impl<P: NearPrinciple> Principle for P {
    fn entry(&self) -> &'static Entry {
        P::own_entry()
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", self.entry().name, self.epsilon_texts().notation, self.m())
    }

    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        match Neighbourhood::new(domain, self.near()) {
            Some(neighbourhood) => Ok(Box::new(Bound::new(neighbourhood, self.near(), self.m(), domain, whole))),
            None => Err(needs_numbers(self.notation(), domain)),
        }
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let m: u64 = attained.figure("m")?.parse().ok()?;
        self.reduced(None, m.min(self.m())).ok().map(|principle| principle.notation())
    }

    fn alternatives(&self, best: &Attained, _columns: &[&Bag]) -> Vec<String> {
        alternatives(best, self.m(), |most, m| self.reduced(most, m).ok().map(|principle| principle.notation()))
    }

    fn reason(&self, best: &Attained, column: &str) -> String {
        let share = percent(best.figure("share").unwrap_or("1"));
        let none = match best.figure("epsilon") {
            Some("") => format!(", and no epsilon is small enough for m = {}", self.m()),
            _ => String::new(),
        };
        format!(
            "{share} of the rows have numbers of `{column}` within {} of one another{none}",
            self.epsilon_texts().reach
        )
    }

    /// A guess g is near a person with value x if x lies in a window around g. The window falls into two halves, of
    /// which each is within the neighbourhood of the outermost value in it, so that each holds at most |G| / m.
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let m = Decimal::new(self.m().into(), 0);
        let (one, range) = (subject.counted.one(), self.epsilon_texts().range);
        let (part, chance, repeat, subject) = (one_in(m), chance_of(m), subject.repeat, subject.name());
        let (demands, hides) = match repeat {
            true => (
                format!(
                    "in every group and for each value of {subject} in it, at most {part} of the people of the group, whoever has this \
                     value included, have one {range} it"
                ),
                format!(
                    "Take any value that a group shows for {subject}: at most {part} of the people of the group have one {range} it. \
                     {NO_CHANCE}"
                ),
            ),
            false => (
                format!(
                    "in every group and for each {one} in it, at most {part} of the group, the {one} included, has a value \
                     of {subject} {range} that {one}’s"
                ),
                format!(
                    "Take any {one} of a group: at most {part} of the values that the group shows for {subject} are {range} that {one}’s. \
                     Whoever takes the value of some member of the group for the {one}’s comes so near with a chance of at \
                     most {chance}."
                ),
            ),
        };
        Some(PlainWords {
            family: P::FAMILY,
            demands,
            hides,
            leaves: "What is near is fixed by the requirement: a guess that need not come so near may be right more often. \
                     A guess placed between the values of the group may come near to up to twice as many people as the \
                     requirement names. The least and the greatest value of each group are visible, and a person’s value \
                     lies between them."
                .into(),
            guards_values: true,
        })
    }

    fn proximity(&self) -> Option<(Near, u64)> {
        Some((self.near(), self.m()))
    }

    /// *Half the share*: what lies in the neighbourhood of v, v itself not being in the group, lies in that of the greatest
    /// member below v or in that of the least above, since the ends of neighbourhoods rise with the number. So at most twice
    /// the share of a member is near v.
    ///
    /// *Wider*: members are so far apart that the neighbourhood of no value holds two of them: then it holds one row of m at
    /// most. Numbers x < y lie in a common neighbourhood [v - e1, v + e2] only if y - x <= e1 + e2. Relative ones do
    /// if v (1 - epsilon) <= x and y <= v (1 + epsilon), so that (y - x) / y <= 2 epsilon / (1 + epsilon).
    ///
    /// *Monotone*: windows survive joining. Relative neighbourhoods have none.
    fn stricter(&self, form: Stricter) -> Option<Arc<dyn Principle>> {
        let m = self.m();
        match (form, self.near()) {
            (Stricter::HalfShare, _) => shared(self.reduced(None, m.checked_mul(2)?)),
            (Stricter::Wider, Near::Interval { below, above }) => shared(ProximityAbsolute::new(sum(below, above)?, m)),
            (Stricter::Wider, Near::Relative(epsilon)) => {
                const DIGITS: u8 = 9;
                let (part, unit) = (epsilon.mantissa(), unit(epsilon)?);
                let scaled = part.checked_mul(2)?.checked_mul(10i128.pow(DIGITS.into()))?;
                let least = scaled.checked_add(unit + part - 1)? / (unit + part);
                shared(ProximityRelative::new(Decimal::new(least, DIGITS), m))
            }
            (Stricter::Monotone, Near::Interval { below, above }) => shared(ProximityWindow::new(below, above, m)),
            (Stricter::Monotone, Near::Relative(_)) => return None,
        }
        .ok()
    }
}

/// The refusal of columns that are not of numbers.
pub(crate) fn needs_numbers(notation: String, domain: &Domain) -> Error {
    let instead = "for dates ask for a variance or `t-closeness(t, ordered)`, for labels for a diversity";
    wrong_kind(notation, "proximity needs numbers", domain, instead)
}

/// The two ways out of an infeasible request: a smaller m with this epsilon, or a smaller epsilon
/// with this m, as far as there are any. `write` makes a notation of an upper bound for epsilon and
/// of m.
pub(crate) fn alternatives(
    best: &Attained,
    m: u64,
    write: impl Fn(Option<Decimal>, u64) -> Option<String>,
) -> Vec<String> {
    let fewer = best.figure("m").and_then(|text| text.parse().ok()).filter(|least| *least < m);
    let nearer = best.figure("epsilon").and_then(Decimal::parse);
    let fewer = fewer.and_then(|fewer| write(None, fewer));
    fewer.into_iter().chain(nearer.and_then(|nearer| write(Some(nearer), m))).collect()
}
