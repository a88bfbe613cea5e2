//! t-closeness: every group looks like the whole table.

mod equal;
mod hierarchical;
mod ordered;

use crate::column_facts::texts;
use crate::exact::{Fraction, Round, rounded};
use crate::parameter::{Parameter, Range};
use crate::plain_words::{NO_CHANCE, ONCE_FOR_EACH, percentage};
use crate::principle::shared;
use crate::{Attained, ColumnFacts, Entry, PlainWords, Principle, Subject, Test};
use num_bigint::BigInt;
use scumble_table::{Bag, Decimal, Domain, Error, Ratio, Result};
use std::fmt;
use std::sync::OnceLock;

pub(crate) static ENTRY: Entry = Entry {
    name: "t-closeness",
    parameters: &[
        Parameter::new("t", Range::Share),
        Parameter::new("ground distance", Range::Word(&Ground::NAMES)).optional(),
    ],
    help: "in every group the distribution of the sensitive values is within t of that of the whole table",
    example: "t-closeness(0.2, ordered)",
    reference: "N. Li, T. Li, S. Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007",
    monotone: true,
    strictest: |_| Ground::ALL.into_iter().map(|ground| shared(TCloseness::new(Decimal::ZERO, ground))).collect(),
    usual: |facts| {
        Some(vec![texts(&["0.05", "0.1", "0.15", "0.2", "0.3", "0.4", "0.5"]), texts(&[usual_ground(facts)])])
    },
    ..Entry::parsed_by(|arguments| {
        let word = arguments.word(1, &Ground::NAMES)?;
        let ground = Ground::ALL.into_iter().find(|ground| ground.name() == word).unwrap_or(Ground::Equal);
        shared(TCloseness::new(arguments.number(0)?, ground))
    })
};

/// The ground distance that suits a column best; nothing stands for `equal`.
fn usual_ground(facts: &ColumnFacts) -> &'static str {
    match facts.kind() {
        Some(kind) if kind.is_ordered() => Ground::Ordered.name(),
        _ if facts.has_tree() => Ground::Hierarchical.name(),
        _ => "",
    }
}

/// In every group the distribution of the sensitive values is within `t` of that of the whole
/// table.
///
/// # Guarantees
/// Finding the group of a person tells little beyond what the whole table tells already, for the
/// two distributions differ by at most `t`.
///
/// # Definition
/// The earth mover's distance between the distribution of the group and that of all published rows
/// is at most `t`: the least total of share times distance by which one is turned into the other.
/// The [`Ground`] says how far apart two values are. Null is a value like another.
///
/// # Does not guarantee
/// A bound on the share of a value that is frequent everywhere: a value held by 90 % of the table
/// may be held by 90 % of each group.
///
/// # Cost
/// For a group of s different values in a column of V: O(s) for `equal`, O(s log V) for `ordered`
/// by sums that are prepared once, O(s log s + s h) for `hierarchical` with a tree of height h.
/// Preparing takes O(V) space.
///
/// # Example
/// In a table with salaries 3k, 4k, ..., 11k once each, the group {3k, 4k, 5k} is 3/8 from the
/// whole by `ordered`, and the group {6k, 8k, 11k} only 1/6.
///
/// # Reference
/// N. Li, T. Li, S. Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity.
/// ICDE 2007; the example is the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TCloseness {
    t: Decimal,
    ground: Ground,
}

/// How far apart two values are, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// 1 for any two different values.
    Equal,
    /// The difference of their ranks among the values that occur in the whole table, divided by
    /// the greatest one. Null ranks first.
    Ordered,
    /// The height of their lowest common ancestor divided by the height of the hierarchy. Null is
    /// under the root by itself.
    Hierarchical,
}

impl Ground {
    /// All ground distances, in the order they are offered to users.
    pub const ALL: [Ground; 3] = [Ground::Equal, Ground::Ordered, Ground::Hierarchical];

    /// Their words in the notation.
    const NAMES: [&'static str; 3] = ["equal", "ordered", "hierarchical"];

    /// The word in the notation.
    pub fn name(self) -> &'static str {
        Ground::NAMES[self as usize]
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl TCloseness {
    /// `t` must lie between 0 and 1.
    pub fn new(t: Decimal, ground: Ground) -> Result<Self> {
        Ok(TCloseness { t: ENTRY.check(0, t)?, ground })
    }

    /// The greatest distance.
    pub fn t(&self) -> Decimal {
        self.t
    }

    /// How far apart two values are.
    pub fn ground(&self) -> Ground {
        self.ground
    }
}

impl Principle for TCloseness {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        match self.ground {
            Ground::Equal => format!("{}({})", ENTRY.name, self.t),
            ground => format!("{}({}, {ground})", ENTRY.name, self.t),
        }
    }

    fn can_ignore_missing(&self) -> bool {
        true
    }

    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        // With sizes below 2^32 every number below fits its integer; a table has no more rows.
        if whole.total() > u64::from(u32::MAX) {
            return Err(Error::request("rows", whole.total().to_string(), "a table holds at most 4294967295 rows"));
        }
        if whole.counts().last().is_some_and(|&(code, _)| code as usize >= domain.n_codes()) {
            return Err(Error::bug("a bag holds a code that its domain lacks"));
        }
        let refused = |reason: String, hint: &str| Error::request("requirement", self.notation(), reason).hint(hint);
        let t = Fraction::new(self.t);
        Ok(match self.ground {
            Ground::Equal => Box::new(Bound::new(t, equal::Equal::new(domain, whole))),
            Ground::Ordered if !domain.kind().is_ordered() => {
                return Err(refused(
                    format!("ordered closeness needs values with an order, and the column is {}", domain.kind()),
                    "give its labels an order with «order» COLUMN=FILE, or ask for `t-closeness` without `ordered`",
                ));
            }
            Ground::Ordered => Box::new(Bound::new(t, ordered::Ordered::new(domain, whole))),
            Ground::Hierarchical => {
                let tree = hierarchical::Hierarchical::new(domain, whole).ok_or_else(|| {
                    refused(
                        "hierarchical closeness needs a hierarchy over the values of the column".into(),
                        "give one with «hierarchy» COLUMN=FILE, or ask for `t-closeness` without `hierarchical`",
                    )
                })?;
                Box::new(Bound::new(t, tree))
            }
        })
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let t = Decimal::parse(attained.figure("t")?)?.max(self.t);
        TCloseness::new(t, self.ground).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, column: &str) -> String {
        let t = attained.figure("t").unwrap_or("1");
        format!("the values of `{column}` are at a distance of {t} from the distribution they are measured against")
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (one, repeat) = (subject.counted.one(), subject.repeat);
        let many: String = match repeat {
            true => format!("values, {ONCE_FOR_EACH},"),
            false => subject.counted.many().into(),
        };
        let (t, subject, points) = (self.t, subject.name(), percentage(self.t));
        let points = points.trim_end_matches('%');
        let rare = if repeat { "makes up 1% of all".into() } else { format!("one {one} in a hundred has") };
        let (family, apart, hides, leaves) = match self.ground {
            // With all values equally far apart the distance is the greatest difference of the two distributions
            // over all sets of values.
            Ground::Equal => (
                "t-closeness",
                "all values being equally far apart",
                match repeat {
                    true => format!(
                        "The values of {subject} in a group, {ONCE_FOR_EACH}, have the shares that they have in the release as a whole, but \
                         for at most {points} percentage points: each of them, and any set of them. {NO_CHANCE}"
                    ),
                    false => format!(
                    "Knowing a {one}’s group changes the chance that the {one} has a certain value of {subject}, or one \
                     of any set of values, by at most {points} percentage points from what the release as a whole says."
                    ),
                },
                format!(
                    "The change is counted in points, not in proportion: a value that {rare} may reach \
                     a share of {points} points more in some group. All values are equally far apart, so that a group of \
                     values close in meaning is not seen as such."
                ),
            ),
            Ground::Ordered => (
                "t-closeness, ordered values",
                "values being the further apart the further they are in their order",
                format!(
                    "To turn the values of {subject} in a group into those of the whole release, {many} would have to be \
                     moved, on average, by at most {points}% of the whole range of values in their order. So no group, on \
                     average, lies further than that above or below the release as a whole."
                ),
                "Moves between neighbouring values cost little, so that one exact value may be much more common in a group \
                 than in the whole. A small part of a group may lie far from where it would be expected."
                    .into(),
            ),
            Ground::Hierarchical => (
                "t-closeness, values in a hierarchy",
                "values being the further apart the higher they meet in their hierarchy",
                format!(
                    "To turn the values of {subject} in a group into those of the whole release, {many} would have to be \
                     moved, on average, by at most {points}% of the height of the hierarchy. The less that is, the less a \
                     group gathers under one branch."
                ),
                "Moves within a branch cost little, so that one exact value may be much more common in a group than among \
                 its neighbours in the hierarchy. What counts as close is what the hierarchy puts together."
                    .into(),
            ),
        };
        Some(PlainWords {
            family,
            demands: format!(
                "in every group the values of {subject} are distributed nearly as in the whole release: the distance is at \
                 most {t} on a scale from 0 (the same) to 1 (nothing in common), {apart}"
            ),
            hides,
            leaves: format!(
                "What the release says as a whole is not hidden: a value that is common everywhere is common in each \
                 group. The sizes of groups are not bounded. {leaves}"
            ),
            guards_values: true,
        })
    }
}

/// The distance of a group from the whole under one ground distance.
trait EarthMover: fmt::Debug + Send + Sync {
    /// The distance as numerator and denominator above 0; `None` for a group that does not come
    /// from the whole (a value that the whole lacks) and for an empty one. A group may have more rows than the whole:
    /// several copies of groups, as mixtures of them are judged.
    fn distance(&self, group: &Bag) -> Option<(u128, u128)>;

    /// No group of fewer rows is within `t`.
    fn least_size(&self, t: Fraction) -> u64;
}

#[derive(Debug)]
struct Bound<E> {
    t: Fraction,
    mover: E,
    /// Found when it is first asked for: the search is long for a small t, and what a group attains does not depend on it.
    least: OnceLock<u64>,
}

impl<E: EarthMover> Bound<E> {
    fn new(t: Fraction, mover: E) -> Self {
        Bound { t, mover, least: OnceLock::new() }
    }
}

impl<E: EarthMover> Test for Bound<E> {
    fn holds(&self, group: &Bag) -> bool {
        group.size() >= self.least_size()
            && self.mover.distance(group).is_some_and(|(numer, denom)| self.t.times_cmp(denom, numer).is_ge())
    }

    fn monotone(&self) -> bool {
        true
    }

    /// The rows that may still be exchanged for those farthest away: no ground distance is above 1, so that one row of n
    /// brings the distance of the group up by at most 1/n.
    fn slack(&self, group: &Bag) -> Option<i64> {
        if !self.holds(group) {
            return Some(-1);
        }
        let (numer, denom) = self.mover.distance(group)?;
        let (t, whole) = self.t.parts();
        let (size, denom, whole) = (BigInt::from(group.size()), BigInt::from(denom), BigInt::from(whole));
        let rows = (&size * t * &denom - &size * numer * &whole) / (denom * whole);
        Some(i64::try_from(rows).unwrap_or(i64::MAX))
    }

    fn attained(&self, group: &Bag) -> Attained {
        let (numer, denom) = self.mover.distance(group).unwrap_or((1, 1));
        Attained::new(Ratio::new(-(numer as i128), denom as i128), vec![("t", rounded(numer, denom, Round::Up))])
    }

    fn least_size(&self) -> u64 {
        *self.least.get_or_init(|| self.mover.least_size(self.t).max(1))
    }
}

/// The least number of different values whose shares of the whole sum to at least `1 - times * t`.
///
/// A group of n rows has at most n values. Whatever the whole holds of other values must be moved
/// at a ground distance of at least `1 / times`, so a group within t covers values of such a share.
fn least_by_share(whole: &Bag, t: Fraction, times: u32) -> u64 {
    let mut counts: Vec<u32> = whole.counts().iter().map(|pair| pair.1).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let mut missing = u128::from(whole.total());
    let allowed = |missing: u128| t.times_cmp(u128::from(whole.total()) * u128::from(times), missing).is_ge();
    let mut least = 0;
    for count in counts {
        if allowed(missing) {
            break;
        }
        missing -= u128::from(count);
        least += 1;
    }
    least
}

#[cfg(test)]
mod tests;
