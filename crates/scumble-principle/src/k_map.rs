//! k-map: every published box covers at least `k` people of a population.

use crate::k_anonymity::SIZES;
use crate::parameter::{Parameter, Range};
use crate::plain_words::{ENDS_TELL, ROWS_OF_SOME, chance_of};
use crate::population::PopulationDemand;
use crate::principle::shared;
use crate::{Attained, Entry, PlainWords, Principle, Subject, Test};
use scumble_table::figures::grouped;
use scumble_table::{Bag, Decimal, Domain, Result};

pub(crate) static ENTRY: Entry = Entry {
    name: "k-map",
    parameters: &[Parameter::new("k", Range::Whole(1)).bounding_chance()],
    help: "the quasi-identifiers of every group, as they are published, fit at least k people of the population",
    example: "k-map(5)",
    reference: "L. Sweeney: Computational disclosure control: a primer on data privacy protection. PhD thesis, MIT, 2001",
    monotone: true,
    larger_is_stricter: true,
    usual: |facts| Some(vec![facts.up_to(SIZES)]),
    ..Entry::parsed_by(|arguments| shared(KMap::new(arguments.whole(0)?)))
};

/// The quasi-identifiers of every group, as they are published, fit at least `k` people of the population.
///
/// # Guarantees
/// Whoever looks a published row up in a list of the whole population finds at least `k` people in its box. Groups may be
/// smaller than `k`, down to a single row: what hides a person is the population, not the release. Where boxes are levels of hierarchies that
/// were given (full-domain generalization), a guess at whose row it is is right with a chance of at most 1 / `k`.
///
/// # Definition
/// A population is a table with a row for each person and the quasi-identifiers of the data. A group passes if its box, the published values of its
/// quasi-identifiers, covers at least `k` people of the population. Each of its rows is a person, unless it is known whose its rows are: then
/// a person counts once, whose rows lie in the box, however many these are. Numbers and dates of the population lie in an interval if they lie between its ends, whether the
/// data has them or not; labels lie under a node of a hierarchy if the hierarchy says so; `*` covers everybody; null covers null
/// alone.
///
/// It is monotone: the box of two groups together covers what either of their boxes does.
///
/// # Does not guarantee
/// That a box hides whom it covers, where it is drawn around the people in the data: an end of a least box is the value of somebody in the
/// group, and whoever of the box alone has that value is known. Anything against somebody who knows that a person is in the data: for that ask for k-anonymity too. Anything about sensitive values. Anything where
/// the population that was given is not the one that an attacker has.
///
/// # Cost
/// A tree over the population is built once; a box is counted in about the square root of the people for two columns, and counting ends at `k`.
///
/// # Example
/// A row of a woman of 30 to 39 in a village with five women of that age passes `k-map(5)`, though she is the only one in the data.
///
/// # Reference
/// L. Sweeney: Computational disclosure control: a primer on data privacy protection. PhD thesis, MIT, 2001.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KMap {
    k: u64,
}

impl KMap {
    /// `k` must be at least 1.
    pub fn new(k: u64) -> Result<Self> {
        Ok(KMap { k: ENTRY.check_whole(0, k)? })
    }

    /// The least number of people of the population behind every box.
    pub fn k(&self) -> u64 {
        self.k
    }
}

impl Principle for KMap {
    fn entry(&self) -> &'static Entry {
        &ENTRY
    }

    fn notation(&self) -> String {
        format!("{}({})", ENTRY.name, self.k)
    }

    fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
        Ok(Box::new(NotEmpty { monotone: true }))
    }

    fn nearest(&self, attained: &Attained) -> Option<String> {
        let k: u64 = attained.figure("k")?.parse().ok()?;
        KMap::new(k.min(self.k)).ok().map(|principle| principle.notation())
    }

    fn reason(&self, attained: &Attained, _column: &str) -> String {
        let k = attained.figure("k").unwrap_or("0");
        format!("the box around all rows covers {k} people of the population")
    }

    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let k = grouped(self.k);
        let people = if subject.population_by_rows { "rows" } else { "people" };
        Some(PlainWords {
            family: "k-map",
            demands: format!(
                "what the release shows of the quasi-identifiers of any group fits at least {k} {people} of the population that its \
                 publisher named"
            ),
            hides: match subject.fixed_boxes {
                _ if subject.population_by_rows => format!(
                    "Somebody who has the population and looks a row of the release up in it finds {k} of its rows or more whose values lie in \
                     the box. {ROWS_OF_SOME}{}{}",
                    if subject.fixed_boxes { "" } else { " " },
                    if subject.fixed_boxes { "" } else { ENDS_TELL }
                ),
                true if subject.repeat => format!(
                    "Somebody who has a list of the whole population and looks a row up in it finds {k} people or more whose values lie in \
                     its box. Where people have several rows no chance of a right guess follows from that: somebody with many rows is likelier \
                     to be whom a row is about."
                ),
                true => format!(
                    "Somebody who has a list of the whole population and looks a row up in it is left with {k} people or more: a guess at \
                     who it is about is right with a chance of at most {}.",
                    chance_of(Decimal::new(self.k.into(), 0))
                ),
                false => format!(
                    "Somebody who has a list of the whole population and looks a row up in it finds {k} people or more whose values lie in \
                     its box. {ENDS_TELL}"
                ),
            },
            leaves: "Groups may be small, even single rows: somebody who knows that a person is in the data may find the row. Nothing is promised about \
                     sensitive values, nor against somebody who knows another list of people than the publisher had. A suppressed row shows nothing, but it is \
                     about somebody whom the other rows leave over, and these may be few."
                .into(),
            guards_values: false,
        })
    }

    fn needs_values(&self) -> bool {
        false
    }

    fn population(&self) -> Option<PopulationDemand> {
        Some(PopulationDemand::AtLeast(self.k))
    }
}

/// The part of a principle about boxes that can be said of a group without its box: nothing, but that it is not empty.
#[derive(Debug)]
pub(crate) struct NotEmpty {
    /// Whether groups with boxes that share nobody pass together if they pass apart.
    pub(crate) monotone: bool,
}

impl Test for NotEmpty {
    fn holds(&self, group: &Bag) -> bool {
        group.size() > 0
    }

    fn monotone(&self) -> bool {
        self.monotone
    }

    fn attained(&self, _group: &Bag) -> Attained {
        Attained::new(0, Vec::new())
    }

    fn needs_values(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_their_range() {
        let read = |text: &str| text.parse::<crate::Requirement>().map(|requirement| requirement.to_string());
        assert_eq!(read("k-map( 1 )").unwrap(), "k-map(1)");
        for text in ["k-map(0)", "k-map(1.5)", "k-map(-1)", "k-map()", "k-map(2, 3)"] {
            assert_eq!(read(text).unwrap_err().exit_code(), 2, "{text}");
        }
    }

    #[test]
    fn a_group_alone_says_nothing() {
        let test = KMap::new(9).unwrap().bind(&Domain::nominal(vec![]), &Bag::default()).unwrap();
        assert!(test.monotone() && !test.needs_values() && test.least_size() == 1);
        assert!(test.holds(&Bag::from_codes([1])) && !test.holds(&Bag::default()));
        let attained = Attained::new(0, vec![("k", "3".into())]);
        assert_eq!(KMap::new(9).unwrap().nearest(&attained).as_deref(), Some("k-map(3)"));
        assert_eq!(KMap::new(2).unwrap().nearest(&attained).as_deref(), Some("k-map(2)"));
    }
}
