//! What a requirement promises to the readers of a release, and what it does not, in plain words.
//!
//! Every principle says the same three things of itself with its parameters: what it demands, what it keeps from
//! somebody who knows a person's quasi-identifiers, and what it leaves open. The last is never left out: a reader
//! who takes a guarantee for more than it is will be hurt by it. The sentences stand in the file of the principle; here is what
//! they share.

use crate::exact::hundredfold;
use scumble_table::figures::{grouped, trimmed};
use scumble_table::{Counted, Decimal};

/// What a requirement means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainWords {
    /// The name of the principle, as a heading.
    pub family: &'static str,
    /// What is demanded: a clause without a capital and without a stop.
    pub demands: String,
    /// What stays hidden under these parameters: whole sentences.
    pub hides: String,
    /// What stays open under this principle: whole sentences.
    pub leaves: String,
    /// Whether it speaks of sensitive values, and not of the sizes of groups alone.
    pub guards_values: bool,
}

/// What a requirement is about, as far as its words depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The sensitive column; none where the requirement is about each of them.
    pub column: Option<&'a str>,
    /// True if there are several sensitive columns.
    pub several: bool,
    /// What the members of a group have in common.
    pub groups: GroupForm,
    /// Who the members of a group are.
    pub counted: Counted,
    /// True if people are counted and some of them have several rows: requirements then count everybody once in a group, and
    /// once for each of their values, and no chance of a right guess follows.
    pub repeat: bool,
    /// True if what each box covers was fixed before anybody looked at the data, by levels of hierarchies. Boxes that are drawn
    /// around groups tell, by where they end, of values that occur.
    pub fixed_boxes: bool,
    /// True if rows of the population were counted, of which somebody may have several: nothing said whose they are.
    pub population_by_rows: bool,
}

/// What a release shows of the members of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupForm {
    /// They look alike in the published quasi-identifiers.
    #[default]
    Alike,
    /// Their quasi-identifiers are published exactly.
    Exact,
    /// They share a batch of sensitive values.
    Batch,
}

impl Subject<'_> {
    /// How the column is called in a sentence.
    pub fn name(&self) -> String {
        match self.column {
            Some(column) => format!("“{column}”"),
            None if self.several => "a sensitive column".into(),
            None => "the sensitive column".into(),
        }
    }
}

/// What is added to what holds for the people of a group where some of them have several rows. Who has n of its N rows has every
/// value for certain that occurs more than N - n times, and each of the other values the likelier the greater n is.
pub(crate) const NO_CHANCE: &str = "No chance of a right guess follows from that: somebody with several rows in a group is likelier \
                                    to have any one of its values than somebody with a single row, and with enough of its rows has \
                                    the common ones for certain.";

/// How values are counted where people have several.
pub(crate) const ONCE_FOR_EACH: &str = "each counted once for each person who has it";

/// What boxes that are drawn around groups tell somebody who has the list that they were counted in.
pub(crate) const ENDS_TELL: &str = "That is said of boxes as such, and bounds no chance of a right guess. The boxes depend on the people \
                                    in the data: where one ends, and which labels it lists, can tell which values somebody in it has. \
                                    Whoever has a list of the population and finds that one person of a box alone has such a value knows \
                                    that this person is in the data. Levels of hierarchies that were fixed beforehand, with the method \
                                    full-domain, do not have this weakness.";

/// What is added where rows of a population were counted, of which somebody may have several.
pub(crate) const ROWS_OF_SOME: &str = "Whose the rows of the population are is not known: where somebody has several of them, fewer people \
                                       fit than rows.";

/// None of the four forms of l-diversity looks at what the values mean.
pub(crate) const BLIND_TO_MEANING: &str = "Values that differ count as different however close they are: three illnesses of the \
                                           stomach are three values, and so are the salaries 1,000, 1,010 and 1,020.";

/// One part in `parts`, to be followed by "of": `one third`, `half`, `one in 12`.
pub(crate) fn one_in(parts: Decimal) -> String {
    const NAMES: [&str; 9] = [
        "half",
        "one third",
        "one quarter",
        "one fifth",
        "one sixth",
        "one seventh",
        "one eighth",
        "one ninth",
        "one tenth",
    ];
    if !parts.is_integer() {
        return format!("1/{parts}");
    }
    match whole(parts) {
        0 | 1 => "all".into(),
        n @ 2..=10 => NAMES[n as usize - 2].into(),
        n => format!("one in {}", grouped(n)),
    }
}

/// The chance of one part in `parts`: `1 in 3`, or a percentage rounded up where the parts are not whole.
pub(crate) fn chance_of(parts: Decimal) -> String {
    match parts.to_f64() {
        value if parts.is_integer() && value < 1e15 => format!("1 in {}", grouped(whole(parts))),
        value => at_most_percent(1.0 / value),
    }
}

fn whole(parts: Decimal) -> u64 {
    u64::try_from(parts.mantissa()).unwrap_or(u64::MAX)
}

/// A fraction as a percentage: `0.125` is `12.5%`.
pub(crate) fn percentage(fraction: Decimal) -> String {
    match hundredfold(fraction) {
        Some(percent) => format!("{percent}%"),
        None => format!("{}%", fraction.to_f64() * 100.0),
    }
}

/// A bound as a percentage with one decimal, rounded up: a promise must not sound stronger than it is.
pub(crate) fn at_most_percent(share: f64) -> String {
    // The slack keeps an exact 50% from becoming 50.1%; what is possible is never said to be impossible.
    let tenths = (share * 1000.0 - 1e-9).ceil().max(1.0);
    format!("{}%", trimmed(&format!("{:.1}", tenths / 10.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Requirement;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn parts_and_chances_have_names() {
        for (parts, words, chance) in [
            ("1", "all", "1 in 1"),
            ("2", "half", "1 in 2"),
            ("3", "one third", "1 in 3"),
            ("10", "one tenth", "1 in 10"),
            ("1200", "one in 1,200", "1 in 1,200"),
            ("1.5", "1/1.5", "66.7%"),
        ] {
            assert_eq!((one_in(decimal(parts)), chance_of(decimal(parts))), (words.into(), chance.into()));
        }
    }

    #[test]
    fn percentages_are_exact_and_bounds_are_rounded_up() {
        for (share, words) in [("0.3", "30%"), ("0.125", "12.5%"), ("0.07", "7%"), ("1", "100%"), ("0", "0%")] {
            assert_eq!(percentage(decimal(share)), words);
        }
        assert_eq!([2.0 / 3.0, 1.0 / 3.0, 0.5, 1e-9].map(at_most_percent), ["66.7%", "33.4%", "50%", "0.1%"]);
    }

    /// What a requirement demands of one sensitive column without a name.
    fn demands(text: &str) -> String {
        let requirement: Requirement = text.parse().unwrap();
        let counted = Counted::People;
        let subject = Subject { column: requirement.column.as_deref(), counted, ..Subject::default() };
        requirement.principle().plain_words(&subject).unwrap().demands
    }

    #[test]
    fn every_principle_has_its_words() {
        for (notation, expected) in [
            ("k-anonymity(10)", "every group holds at least 10 people"),
            ("distinct-l-diversity(3)", "every group holds at least 3 different values of the sensitive column"),
            (
                "frequency-l-diversity(3)",
                "in every group the most common value of the sensitive column belongs to at most one third of the people",
            ),
            (
                "entropy-l-diversity(3)",
                "in every group the values of the sensitive column are mixed at least as well, measured by their entropy, \
                 as 3 equally common values are",
            ),
            (
                "recursive-l-diversity(2, 3)",
                "in every group the most common value of the sensitive column occurs less than 2 times as often as all the \
                 others without the most common of them together",
            ),
            (
                "t-closeness(0.2)",
                "in every group the values of the sensitive column are distributed nearly as in the whole release: the \
                 distance is at most 0.2 on a scale from 0 (the same) to 1 (nothing in common), all values being equally \
                 far apart",
            ),
            (
                "beta-likeness(2)",
                "in every group no value of the sensitive column has a share that exceeds its share in the whole release by \
                 more than 200% of it",
            ),
            (
                "beta-likeness(0.5, two-sided)",
                "in every group no value of the sensitive column has a share that exceeds its share in the whole release by \
                 more than 50% of it, nor falls below it by more than 50% of it",
            ),
            (
                "delta-disclosure(1)",
                "in every group each value of the sensitive column that occurs in the release occurs too, and its share \
                 differs from its share in the whole release by a factor below e^1, which is about 2.72",
            ),
            (
                "alpha-k-anonymity(0.3, 5)",
                "every group holds at least 5 people, and no value of the sensitive column belongs to more than 30% of a \
                 group",
            ),
            (
                "proximity-absolute(4500, 5)",
                "in every group and for each person in it, at most one fifth of the group, the person included, has a value \
                 of the sensitive column within 4500 of that person’s",
            ),
            (
                "proximity-window(20, 10000, 2)",
                "in every group at most half of the people have values of the sensitive column that lie within 10020 of one \
                 another",
            ),
            (
                "dissimilarity(0.1, 0.8, 10)",
                "every group holds at least 10 people, and each of them differs from at least 80% of the others by a \
                 distance of more than 0.1 in the sensitive values, taken together",
            ),
            (
                "ke-anonymity(4, 100)",
                "every group holds at least 4 different values of the sensitive column, the least and the greatest of them \
                 at least 100 apart",
            ),
            (
                "variance(2500)",
                "in every group the values of the sensitive column spread with a variance of at least 2500, which is a \
                 standard deviation of at least 50",
            ),
            (
                "salary: frequency-l-diversity(2)",
                "in every group the most common value of “salary” belongs to at most half of the people",
            ),
        ] {
            assert_eq!(demands(notation), expected);
        }
        for (notation, part) in [
            ("t-closeness(0.2, ordered)", "in their order"),
            ("t-closeness(0.2, hierarchical)", "in their hierarchy"),
            ("proximity-relative(0.125, 5)", "within 12.5% of that person’s"),
            ("proximity-interval(20, 10000, 2)", "from 20 below to 10000 above that person’s"),
            ("proximity-window(0.5, 10, 2)", "within 0.5 + 10 of one another"),
            ("salary: dissimilarity(0.1, 0.8, 10)", "in the value of “salary”"),
        ] {
            assert!(demands(notation).contains(part), "{}", demands(notation));
        }
    }

    #[test]
    fn every_entry_says_what_it_leaves_open() {
        for entry in crate::catalogue() {
            let requirement: Requirement = entry.example.parse().unwrap();
            for groups in [GroupForm::Alike, GroupForm::Exact, GroupForm::Batch] {
                let subject = Subject { several: true, groups, counted: Counted::Rows, ..Subject::default() };
                let words = requirement.principle().plain_words(&subject).unwrap();
                // Nothing is said of people where rows are counted, but for those of a population.
                let of_population = requirement.principle().population().is_some();
                for said in [&words.demands, &words.hides].into_iter().filter(|_| !of_population) {
                    let about_people = ["people", "person", "People", "Person"].iter().any(|word| said.contains(word));
                    assert!(!about_people, "{}: {said}", entry.name);
                }
                assert!(words.hides.ends_with('.') && words.leaves.ends_with('.'), "{}", entry.name);
                assert_eq!(words.guards_values, requirement.principle().needs_values(), "{}", entry.name);
            }
        }
    }

    /// What is promised of a group in which one person may have most of the rows.
    #[test]
    fn no_chance_is_promised_where_people_have_several_rows() {
        for entry in crate::catalogue() {
            let requirement: Requirement = entry.example.parse().unwrap();
            for groups in [GroupForm::Alike, GroupForm::Exact, GroupForm::Batch] {
                let once = Subject { groups, counted: Counted::People, ..Subject::default() };
                let several = Subject { repeat: true, ..once };
                let principle = requirement.principle();
                let (once, several) = (principle.plain_words(&once).unwrap(), principle.plain_words(&several).unwrap());
                if principle.population().is_some() {
                    assert_eq!(once, several);
                    continue;
                }
                assert_ne!(once.hides, several.hides, "{}", entry.name);
                let promises = [
                    "with a chance",
                    "better chance",
                    "for certain from",
                    "nobody",
                    "as likely",
                    "as much doubt",
                    "the chance",
                ];
                for said in [&several.demands, &several.hides] {
                    assert!(!promises.iter().any(|words| said.contains(words)), "{}: {said}", entry.name);
                }
                assert!(several.hides.ends_with('.') && several.leaves.ends_with('.'), "{}", entry.name);
                assert_eq!(once.guards_values, several.guards_values);
            }
        }
    }

    /// Boxes around groups end at values of people, who may be told by them: a chance is said only where boxes were fixed before.
    #[test]
    fn chances_in_a_population_are_those_of_boxes_that_the_data_did_not_draw() {
        for (notation, claim) in [
            ("k-map(10)", "is right with a chance of at most 1 in 10"),
            ("delta-presence(0, 0.5)", "can be at most 50% sure"),
            ("delta-presence(0.2, 0.5)", "in it with a chance of 20% or more"),
        ] {
            let requirement: Requirement = notation.parse().unwrap();
            let words = |fixed_boxes: bool| {
                let subject = Subject { fixed_boxes, counted: Counted::People, ..Subject::default() };
                requirement.principle().plain_words(&subject).unwrap()
            };
            assert!(words(true).hides.contains(claim), "{}", words(true).hides);
            assert!(!words(false).hides.contains(claim), "{}", words(false).hides);
            assert!(words(false).hides.contains("alone has such a value knows that this person is in the data"));
        }
    }
}
