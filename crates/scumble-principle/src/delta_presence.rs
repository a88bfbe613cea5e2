//! delta-presence: nobody can tell well who of a population is in the release.

use crate::column_facts::texts;
use crate::k_map::NotEmpty;
use crate::parameter::{Parameter, Range};
use crate::plain_words::{ENDS_TELL, ROWS_OF_SOME, percentage};
use crate::population::PopulationDemand;
use crate::principle::shared;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::{Bag, Decimal, Domain, Error, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "delta-presence",
    aliases: &["(delta_min,delta_max)-presence"],
    parameters: &[Parameter::new("lo", Range::Share), Parameter::new("hi", Range::PositiveShare)],
    help: "everybody of the population is in the release with a chance from lo to hi, as far as it tells",
    example: "delta-presence(0.1, 0.5)",
    reference: "M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from shared databases. SIGMOD 2007",
    usual: |_| Some(vec![texts(&["0", "0.05", "0.1"]), texts(&["0.2", "0.33", "0.5", "0.75"])]),
    ..Entry::parsed_by(|arguments| shared(DeltaPresence::new(arguments.number(0)?, arguments.number(1)?)))
};

/// Everybody of the population is in the release with a chance between `lo` and `hi`, as far as the release tells.
///
/// # Guarantees
/// Where boxes are levels of hierarchies that were given (full-domain generalization), whoever has a list of the whole population and the tables
/// is at most `hi` sure that a certain person is in them, and at least `lo`. Where to be in the data is itself the secret, as in a register of
/// patients, that is what must be hidden. Of boxes that are drawn around the people in the data it is said what share of those whom they cover is
/// in the release, and no more.
///
/// # Definition
/// A population is a table with a row for each person and the quasi-identifiers of the data; the people of the data are among them. A person whom one box covers
/// is in the release with the chance n / N, where n rows of the release have that box and it covers N people: all choices of n of them are
/// equally likely. A person whom no box covers is not in it, with the chance 0. All these chances lie from `lo` to `hi`. What a box covers is defined as
/// for [k-map](crate::KMap).
///
/// Where boxes share people (a missing value makes `*`, and a cut below a label of a hierarchy two boxes of that label), the chance is bounded from both sides. Given where the other rows come from,
/// the n rows of a box are any n of the people left in it. So the chance is at least the greatest n / N over the boxes around a person, and at most the sum of
/// n / (N - T) over them, where T is the number of rows whose boxes share people with this one. The bounds are equal where no people are shared.
/// Suppressed rows are of people whom the others leave over: s of them add s / U to the upper bound of the U people whom no box covers, and
/// s / (N - R) to that of everybody else, where N people are in the population and R rows have a box.
///
/// With `lo` = 0 and boxes that share nobody it is monotone: the box of two groups together covers what both cover, and perhaps more. With `lo` above 0 it is
/// not, for what it covers more may bring the share below `lo`. Where levels are the same for all rows and everybody is covered it is
/// again, for then nothing more is covered.
///
/// # Does not guarantee
/// Anything about somebody who alone of the people of a box has the value at which the box ends, where boxes are drawn around groups: in a least
/// box somebody has it. Anything about sensitive values. Anything where the population that was given is not the one that an attacker has, or where
/// people are not equally likely to be in the data. Anything against somebody who reasons back from the choice of boxes to the data.
///
/// # Cost
/// As k-map, but that counting does not end early.
///
/// # Example
/// Three rows with a box that covers four people of the population: each of the four is in the release with a chance of 3/4, which
/// `delta-presence(0, 0.75)` allows.
///
/// # Reference
/// M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from shared databases. SIGMOD 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeltaPresence {
    lo: Decimal,
    hi: Decimal,
}

impl DeltaPresence {
    /// `lo` must lie between 0 and 1, `hi` above 0 and not below `lo`, up to 1.
    pub fn new(lo: Decimal, hi: Decimal) -> Result<Self> {
        let principle = DeltaPresence { lo: ENTRY.check(0, lo)?, hi: ENTRY.check(1, hi)? };
        match lo <= hi {
            true => Ok(principle),
            false => Err(Error::request(ENTRY.name, lo.to_string(), "lo must be at most hi")),
        }
    }

    /// The least chance.
    pub fn lo(&self) -> Decimal {
        self.lo
    }

    /// The greatest chance.
    pub fn hi(&self) -> Decimal {
        self.hi
    }
}

impl Principle for DeltaPresence {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({}, {})", ENTRY.name, self.lo, self.hi)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(NotEmpty { monotone: self.lo == Decimal::ZERO }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let lo = Decimal::parse(attained.figure("lo")?)?.min(self.lo);
        let hi = Decimal::parse(attained.figure("hi")?)?.max(self.hi);
        DeltaPresence::new(lo, hi).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, _column: &str) -> String {
        let (lo, hi) = (attained.figure("lo").unwrap_or("0"), attained.figure("hi").unwrap_or("1"));
        format!("people of the population are in the release with a chance from {lo} to {hi}")
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let (lo, hi) = (percentage(self.lo), percentage(self.hi));
        let ruled_out = match self.lo > Decimal::ZERO {
            true => format!("and is in it with a chance of {lo} or more, so that nobody can be ruled out"),
            false => "while people may be ruled out".into(),
        };
        let least = if self.lo > Decimal::ZERO { format!("at least {lo} and ") } else { String::new() };
        Some(PlainWords {
            family: "delta-presence",
            demands: format!(
                "{} of the population that its publisher named is in the release with a chance from {lo} to {hi}, as far as the {} \
                 tell",
                if subject.population_by_rows { "whoever each row is about" } else { "everybody" },
                if subject.fixed_boxes { "tables" } else { "numbers of rows and of people in each box" }
            ),
            hides: match subject.fixed_boxes {
                _ if subject.population_by_rows => format!(
                    "Of the rows of the population whose values lie in a box, {least}at most {hi} are of people in this release, if each is of \
                     another person. {ROWS_OF_SOME} Then those who are there are likelier to be in this release.{}{}",
                    if subject.fixed_boxes { "" } else { " " },
                    if subject.fixed_boxes { "" } else { ENDS_TELL }
                ),
                true => format!(
                    "Somebody who has a list of the whole population can be at most {hi} sure, from the tables, that a certain person is in \
                     this release, {ruled_out}."
                ),
                false => format!(
                    "Of the people of the population whose values lie in a box, {least}at most {hi} are in this release. {ENDS_TELL}"
                ),
            },
            leaves: "Nothing is promised about the sensitive values of those who are in it, nor against somebody who knows another list of people than \
                     the publisher had, who knows that some people are likelier to be in the data than others, or who reasons back from the choice \
                     of boxes to the data that led to it."
                .into(),
            guards_values: false,
        })
    }

    fn needs_values(&self) -> bool {
        false
    }

    fn population(&self) -> Option<PopulationDemand> {
        Some(PopulationDemand::Share(self.lo, self.hi))
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn parameters_have_their_range() {
        let read = |text: &str| text.parse::<crate::Requirement>().map(|requirement| requirement.to_string());
        assert_eq!(read("delta-presence(0,.50)").unwrap(), "delta-presence(0, 0.5)");
        assert_eq!(read("(delta_min, delta_max)-presence(0.2, 0.2)").unwrap(), "delta-presence(0.2, 0.2)");
        assert_eq!(read("delta-presence(1, 1)").unwrap(), "delta-presence(1, 1)");
        for text in
            ["delta-presence(0.5)", "delta-presence(0.6, 0.5)", "delta-presence(0, 0)", "delta-presence(0, 1.1)"]
        {
            assert_eq!(read(text).unwrap_err().exit_code(), 2, "{text}");
        }
    }

    #[test]
    fn shares_are_decided_exactly_on_their_ends() {
        let demand = |text: &str| text.parse::<crate::Requirement>().unwrap().principle().population().unwrap();
        assert!(demand("delta-presence(0, 0.75)").is_met(3, 4));
        assert!(!demand("delta-presence(0, 0.749999999999999999999999999999)").is_met(3, 4));
        assert!(demand("delta-presence(0.3, 0.5)").is_met(3, 10));
        assert!(!demand("delta-presence(0.300000000000000000000000000001, 0.5)").is_met(3, 10));
        // More rows than people: the population lacks some of them.
        assert!(!demand("delta-presence(0, 1)").is_met(3, 2) && !demand("delta-presence(0, 1)").is_met(3, 0));
        assert!(demand("k-map(3)").is_met(1, 3) && !demand("k-map(3)").is_met(9, 2));
    }
}
