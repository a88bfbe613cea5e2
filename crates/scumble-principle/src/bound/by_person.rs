//! Requirements judged by people, where some of them have several rows.
//!
//! The bag of a group is then its set of distinct (person, value) pairs, and its size the number of distinct persons: however
//! many rows somebody has, they are one member, and count once for each of their values. A group has at least as many persons
//! as the requirements ask for members, so that nobody's several values stand in for other people.

use super::{BoundRequirements, Group};
use scumble_table::{Bag, Code, Codes, Counted, Domain, Missing, NULL, Persons, Result, Role, RowClasses, Table};
use std::sync::Arc;

/// Where more rows never harm, this many are looked at first.
const FEW: usize = 64;

/// Groups with at least one in this number of all rows use one set of flags for all pairs; smaller ones are sorted.
const SPARSE: usize = 64;

/// Requirements tied to the people of a table.
#[derive(Debug)]
pub struct ByPerson {
    persons: Arc<Persons>,
    /// The (person, value) pairs of each sensitive column that is looked at, then those of columns taken together.
    pairs: Vec<Option<PersonValuePairs>>,
    /// Domains of the sensitive columns, by which it is told what could be asked instead of what is refused.
    domains: Vec<Domain>,
    bound: BoundRequirements,
}

/// The distinct pairs of persons and values of a column.
#[derive(Debug)]
pub(super) struct PersonValuePairs {
    of_row: Vec<u32>,
    code: Vec<Code>,
    n_codes: usize,
    /// The person of each pair and how many persons there are, where missing values are ignored: then it matters who has another.
    people: Option<(Vec<u32>, usize)>,
}

impl PersonValuePairs {
    pub(super) fn new(persons: &Persons, codes: &Codes, n_codes: usize) -> PersonValuePairs {
        let mut classes = RowClasses::new(persons.of_rows().len());
        classes.push(persons.n(), |row| persons.of_rows()[row]);
        classes.push(n_codes, |row| codes.get(row));
        let (of_row, n) = classes.finish();
        let mut code = vec![0; n];
        of_row.iter().enumerate().for_each(|(row, &pair)| code[pair as usize] = codes.get(row));
        PersonValuePairs { of_row, code, n_codes, people: None }
    }

    /// The same, which also count who has another value than null.
    fn with_people(mut self, persons: &Persons) -> PersonValuePairs {
        let mut person = vec![0; self.code.len()];
        self.of_row.iter().zip(persons.of_rows()).for_each(|(&pair, &of)| person[pair as usize] = of);
        self.people = Some((person, persons.n()));
        self
    }

    /// The bag of some rows, and the number of their persons.
    pub(super) fn fill(&self, rows: impl Iterator<Item = u32>, people: u64, memory: &mut PersonMemory, bag: &mut Bag) {
        memory.codes.clear();
        memory.with_value.clear();
        let (codes, with_value) = (&mut memory.codes, &mut memory.with_value);
        let n = distinct(rows.map(|row| self.of_row[row as usize]), self.code.len(), &mut memory.seen, |pair| {
            codes.push(self.code[pair as usize]);
            if let Some((person, _)) = self.people.as_ref().filter(|_| self.code[pair as usize] != NULL) {
                with_value.push(person[pair as usize]);
            }
        });
        if self.n_codes <= 2 * n as usize {
            memory.histogram.clear();
            memory.histogram.resize(self.n_codes, 0);
            memory.codes.iter().for_each(|&code| memory.histogram[code as usize] += 1);
            bag.refill_sorted((0..).zip(memory.histogram.iter().copied()));
        } else {
            bag.refill(&mut memory.codes);
        }
        bag.set_size(people);
        if let Some((_, n_persons)) = self.people {
            bag.set_with_value(distinct(memory.with_value.drain(..), n_persons, &mut memory.seen, |_| ()));
        }
    }
}

/// Working memory for groups judged by people.
#[derive(Debug, Default)]
pub struct PersonMemory {
    seen: SeenPairs,
    codes: Vec<Code>,
    /// Persons of pairs with a value.
    with_value: Vec<u32>,
    histogram: Vec<u32>,
    bags: Vec<Bag>,
}

#[derive(Debug, Default)]
struct SeenPairs {
    flags: Vec<u64>,
    sorted: Vec<u32>,
}

/// Calls `each` with every distinct number below `n`, and counts them.
fn distinct(numbers: impl Iterator<Item = u32>, n: usize, seen: &mut SeenPairs, mut each: impl FnMut(u32)) -> u64 {
    seen.sorted.clear();
    seen.sorted.extend(numbers);
    if seen.sorted.len() < n / SPARSE {
        seen.sorted.sort_unstable();
        seen.sorted.dedup();
        seen.sorted.iter().for_each(|&number| each(number));
        return seen.sorted.len() as u64;
    }
    seen.flags.clear();
    seen.flags.resize(n.div_ceil(64), 0);
    let mut count = 0;
    for &number in &seen.sorted {
        let (word, bit) = (&mut seen.flags[number as usize / 64], 1 << (number % 64));
        if *word & bit == 0 {
            *word |= bit;
            count += 1;
            each(number);
        }
    }
    count
}

impl ByPerson {
    /// The requirements of `by_row` tied to the people of some rows of a table, or of all.
    pub(super) fn bind(
        by_row: &BoundRequirements,
        table: &Table,
        persons: Arc<Persons>,
        rows: Option<&[u32]>,
    ) -> Result<ByPerson> {
        let (needed, sensitive) = (by_row.sensitive_needed(), table.schema().of_role(Role::Sensitive));
        let mut pairs: Vec<Option<PersonValuePairs>> = sensitive
            .iter()
            .enumerate()
            .map(|(place, &column)| {
                let domain = &table.attribute(column).domain;
                needed.contains(&place).then(|| {
                    let pairs = PersonValuePairs::new(&persons, table.column(column), domain.n_codes());
                    if domain.missing() == Missing::Ignore { pairs.with_people(&persons) } else { pairs }
                })
            })
            .collect();
        if let Some(joint) = by_row.joint() {
            let composite = joint.composite();
            pairs.push(Some(PersonValuePairs::new(&persons, composite.rows(), composite.weights().len())));
        }
        let all: Vec<u32>;
        let rows = match rows {
            Some(rows) => rows,
            None => {
                all = (0..table.n_rows() as u32).collect();
                &all
            }
        };
        let mut memory = PersonMemory::default();
        let of_rows = rows.iter().map(|&row| persons.of(row));
        let people = distinct(of_rows, persons.n(), &mut memory.seen, |_| ());
        let whole = |column: usize| {
            let mut bag = Bag::default();
            let place = sensitive.iter().position(|&known| known == column);
            if let Some(pairs) = place.and_then(|place| pairs[place].as_ref()) {
                pairs.fill(rows.iter().copied(), people, &mut memory, &mut bag);
            }
            bag
        };
        let mut bound = BoundRequirements::bind_joint(by_row.requirements(), table.schema(), whole, by_row.joint())?;
        bound.counted = Counted::People;
        let domains = sensitive.iter().map(|&column| table.attribute(column).domain.clone()).collect();
        Ok(ByPerson { persons, pairs, domains, bound })
    }

    /// The persons of the rows.
    pub fn persons(&self) -> &Persons {
        &self.persons
    }

    /// The requirements, tied to people.
    pub fn bound(&self) -> &BoundRequirements {
        &self.bound
    }

    /// True if some rows pass as one group, judged by people.
    pub fn holds(&self, rows: impl Iterator<Item = u32> + Clone, memory: &mut PersonMemory) -> bool {
        if !self.bound.needs_values() || !self.bound.superset_closed() {
            return self.ask(rows, memory, BoundRequirements::holds);
        }
        // What passes still does with any rows added: a few rows tell, mostly. The parts that are looked at grow so fast that
        // all of them together cost little more than the last.
        let mut n = FEW.max(usize::try_from(self.bound.least_size()).unwrap_or(usize::MAX).saturating_mul(2));
        while !self.ask(rows.clone().take(n), memory, BoundRequirements::holds) {
            if rows.clone().nth(n).is_none() {
                return false;
            }
            n = n.saturating_mul(8);
        }
        true
    }

    /// False only if some rows neither pass nor can be divided into groups that pass. Somebody who is in two passing groups
    /// may make both together fail, whatever the principle says of unions of rows: {a of Ann, b of Bob} and {b of Ann, a of
    /// Bob} are diverse, and together everybody has everything. So failing tells nothing of the parts, but for requirements
    /// that more rows never harm.
    pub fn generalizable(&self, rows: impl Iterator<Item = u32> + Clone, memory: &mut PersonMemory) -> bool {
        self.ask(rows, memory, BoundRequirements::may_hold_in_parts)
    }

    /// Refuses what no groups of some rows can meet, however these are divided. What is not refused may still be out of reach.
    ///
    /// # Errors
    /// If there are too few people, or too few different values or too short a span of them.
    pub fn feasible(&self, rows: &[u32]) -> Result<()> {
        self.with_group(rows, |bound, whole| bound.feasible_in_parts(whole, &self.domains))
    }

    /// The most rows that one of the persons of some rows has among them.
    pub fn most_rows(&self, rows: impl Iterator<Item = u32>, memory: &mut PersonMemory) -> u64 {
        let met = &mut memory.seen.sorted;
        met.clear();
        met.extend(rows.map(|row| self.persons.of(row)));
        met.sort_unstable();
        met.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0) as u64
    }

    fn ask(
        &self,
        rows: impl Iterator<Item = u32> + Clone,
        memory: &mut PersonMemory,
        question: impl FnOnce(&BoundRequirements, Group<'_>) -> bool,
    ) -> bool {
        let least = self.bound.least_size();
        let looks = self.bound.needs_values();
        let people =
            if looks { self.count(rows.clone(), memory) } else { self.count_up_to(rows.clone(), least, memory) };
        if people < least {
            return false;
        }
        let mut bags = std::mem::take(&mut memory.bags);
        self.fill(rows, people, memory, &mut bags);
        let answer = question(&self.bound, Group { size: people, bags: &bags });
        memory.bags = bags;
        answer
    }

    /// What is asked of a group that is given with its bags: its people, and one bag for each sensitive column.
    pub fn with_group<T>(&self, rows: &[u32], question: impl FnOnce(&BoundRequirements, Group<'_>) -> T) -> T {
        let (mut memory, mut bags) = (PersonMemory::default(), Vec::new());
        let people = self.count(rows.iter().copied(), &mut memory);
        self.fill(rows.iter().copied(), people, &mut memory, &mut bags);
        question(&self.bound, Group { size: people, bags: &bags })
    }

    fn fill(
        &self,
        rows: impl Iterator<Item = u32> + Clone,
        people: u64,
        memory: &mut PersonMemory,
        bags: &mut Vec<Bag>,
    ) {
        bags.resize_with(self.pairs.len(), Bag::default);
        for (pairs, bag) in self.pairs.iter().zip(bags) {
            if let Some(pairs) = pairs {
                pairs.fill(rows.clone(), people, memory, bag);
            }
        }
    }

    fn count(&self, rows: impl Iterator<Item = u32>, memory: &mut PersonMemory) -> u64 {
        distinct(rows.map(|row| self.persons.of(row)), self.persons.n(), &mut memory.seen, |_| ())
    }

    /// The number of persons, or `most` where there are at least as many: a few rows tell, mostly.
    fn count_up_to(&self, mut rows: impl Iterator<Item = u32>, most: u64, memory: &mut PersonMemory) -> u64 {
        let met = &mut memory.seen.sorted;
        met.clear();
        // Looked through at ever greater distances, so that somebody with very many rows costs little.
        let mut next = most as usize;
        loop {
            met.extend(rows.by_ref().take(next.max(1)).map(|row| self.persons.of(row)));
            let before = met.len();
            met.sort_unstable();
            met.dedup();
            if met.len() as u64 >= most {
                return most;
            }
            if before == 0 || rows.by_ref().next().map(|row| met.push(self.persons.of(row))).is_none() {
                return met.len() as u64;
            }
            next = next.saturating_mul(2).max(16);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Requirement;
    use proptest::prelude::*;
    use scumble_table::Error;
    use scumble_table::{Attribute, Domain, Schema};
    use std::collections::BTreeSet;

    /// A table of one quasi-identifier and one sensitive column of numbers 1 to 6, with the persons of its rows.
    fn table(rows: &[(u32, u32)]) -> Table {
        let number = |from: i64, to: i64| {
            Domain::numbers((from..=to).map(|n| scumble_table::Decimal::parse(&n.to_string()).unwrap()).collect())
                .unwrap()
        };
        let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
        let schema = Schema::new(vec![
            attribute("age", Role::Quasi, number(0, 9)),
            attribute("pay", Role::Sensitive, number(1, 6)),
        ]);
        let column = |of: &dyn Fn(&(u32, u32)) -> u32| rows.iter().map(of).collect::<Codes>();
        let key = column(&|row| row.0 + 1);
        let persons = Persons::from_keys(rows.len(), &[(&key, 20)]);
        let columns = vec![column(&|_| 1), column(&|row| row.1)];
        Table::new(schema.unwrap(), columns, rows.len()).unwrap().with_persons(Arc::new(persons)).unwrap()
    }

    /// The definition, written out: pairs are a set, shares are of persons, distributions of pairs.
    fn by_definition(requirement: &str, group: &[(u32, u32)], whole: &[(u32, u32)]) -> bool {
        let pairs: BTreeSet<(u32, u32)> = group.iter().copied().collect();
        let persons = pairs.iter().map(|pair| pair.0).collect::<BTreeSet<_>>().len() as f64;
        let count = |pairs: &BTreeSet<(u32, u32)>, is: &dyn Fn(u32) -> bool| {
            pairs.iter().filter(|pair| is(pair.1)).count() as f64
        };
        let values: BTreeSet<u32> = pairs.iter().map(|pair| pair.1).collect();
        let top = (1..=6).map(|value| count(&pairs, &|other| other == value)).fold(0.0, f64::max);
        match requirement {
            "k-anonymity(3)" => persons >= 3.0,
            "distinct-l-diversity(3)" => values.len() >= 3 && persons >= 3.0,
            "frequency-l-diversity(2)" => persons >= 2.0 && 2.0 * top <= persons,
            "alpha-k-anonymity(0.5, 2)" => persons >= 2.0 && 2.0 * top <= persons,
            "entropy-l-diversity(2)" => {
                let n = pairs.len() as f64;
                let entropy: f64 = values
                    .iter()
                    .map(|&value| count(&pairs, &|other| other == value) / n)
                    .map(|share| -share * share.ln())
                    .sum();
                persons >= 2.0 && entropy >= 2f64.ln() - 1e-9
            }
            "proximity-absolute(1, 2)" => {
                let near = |value: u32| count(&pairs, &|other| other.abs_diff(value) <= 1);
                persons >= 2.0 && values.iter().all(|&value| 2.0 * near(value) <= persons)
            }
            "t-closeness(0.3, equal)" => {
                let all: BTreeSet<(u32, u32)> = whole.iter().copied().collect();
                let share = |pairs: &BTreeSet<(u32, u32)>, value: u32| {
                    count(pairs, &|other| other == value) / pairs.len() as f64
                };
                let gained: f64 = (1..=6).map(|value| (share(&pairs, value) - share(&all, value)).max(0.0)).sum();
                gained <= 0.3 + 1e-9
            }
            "beta-likeness(0.8, two-sided)" | "delta-disclosure(0.9)" => {
                let all: BTreeSet<(u32, u32)> = whole.iter().copied().collect();
                let people = all.iter().map(|pair| pair.0).collect::<BTreeSet<_>>().len() as f64;
                (1..=6).filter(|&value| count(&all, &|other| other == value) > 0.0).all(|value| {
                    let q = count(&pairs, &|other| other == value) / persons;
                    let p = count(&all, &|other| other == value) / people;
                    match requirement.starts_with("beta") {
                        true => (q - p).abs() / p <= 0.8 + 1e-9,
                        false => q > 0.0 && (q / p).ln().abs() < 0.9,
                    }
                })
            }
            other => panic!("{other} is not written out"),
        }
    }

    const WRITTEN_OUT: [&str; 9] = [
        "k-anonymity(3)",
        "distinct-l-diversity(3)",
        "frequency-l-diversity(2)",
        "alpha-k-anonymity(0.5, 2)",
        "entropy-l-diversity(2)",
        "proximity-absolute(1, 2)",
        "t-closeness(0.3, equal)",
        "beta-likeness(0.8, two-sided)",
        "delta-disclosure(0.9)",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn people_are_counted_as_defined(rows in prop::collection::vec((0u32..7, 1u32..7), 1..14), cut in 1usize..14) {
            let table = table(&rows);
            let group: Vec<u32> = (0..cut.min(rows.len()) as u32).collect();
            for text in WRITTEN_OUT {
                let requirement: Requirement = text.parse().unwrap();
                let bound = BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at)).unwrap();
                let bound = bound.with_people(&table, None).unwrap();
                let defined = by_definition(text, &rows[..group.len()], &rows);
                let Some(people) = bound.by_person() else {
                    prop_assert!(!table.persons().unwrap().repeat());
                    continue;
                };
                let holds = people.holds(group.iter().copied(), &mut PersonMemory::default());
                // These ask for as many persons as the values that they need, which the definition does not.
                if ["t-closeness", "beta-likeness", "delta-disclosure"].iter().any(|name| text.starts_with(name)) {
                    prop_assert!(defined || !holds, "{text} {rows:?} {cut}");
                } else {
                    prop_assert_eq!(holds, defined, "{} {:?} {}", text, rows, cut);
                }
                let with_bags = people.with_group(&group, |bound, group| bound.holds(group));
                prop_assert_eq!(with_bags, holds);
                prop_assert!(bound.rows_hold(&table, &group) <= holds);
            }
        }

        #[test]
        fn rows_of_somebody_who_is_there_do_not_help(rows in prop::collection::vec((0u32..5, 1u32..7), 2..12), again in 0usize..12) {
            let mut more = rows.clone();
            more.push(rows[again % rows.len()]);
            let holds = |rows: &[(u32, u32)], text: &str| {
                let table = table(rows);
                let requirement: Requirement = text.parse().unwrap();
                let bound = BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at)).unwrap();
                let bound = bound.with_people(&table, None).unwrap();
                let all: Vec<u32> = (0..rows.len() as u32).collect();
                bound.by_person().map(|people| people.holds(all.iter().copied(), &mut PersonMemory::default()))
            };
            for text in WRITTEN_OUT {
                let (before, after) = (holds(&rows, text), holds(&more, text));
                prop_assert!(before.is_none() || before == after, "{text} {rows:?}");
            }
        }
    }

    /// The refusal of a requirement by people, where it is one.
    fn refused(rows: &[(u32, u32)], text: &str) -> Option<(String, String)> {
        let table = table(rows);
        let requirement: Requirement = text.parse().unwrap();
        let bound = BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at)).unwrap();
        let bound = bound.with_people(&table, None).unwrap();
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        match bound.by_person()?.feasible(&all) {
            Err(Error::Infeasible { reason, allows, .. }) => Some((reason, allows)),
            _ => None,
        }
    }

    /// What a hint names.
    fn hinted(allows: &str) -> Option<&str> {
        allows.split('`').nth(1)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn what_is_hinted_is_not_refused(rows in prop::collection::vec((0u32..4, 1u32..7), 3..30)) {
            for text in [
                "k-anonymity(4)",
                "k-anonymity(70)",
                "distinct-l-diversity(5)",
                "frequency-l-diversity(4)",
                "frequency-l-diversity(3.5)",
                "entropy-l-diversity(4)",
                "recursive-l-diversity(3, 4)",
                "recursive-l-diversity(0.3, 2)",
                "ke-anonymity(4, 4)",
                "ke-anonymity(2, 9)",
                "alpha-k-anonymity(0.2, 6)",
                "proximity-absolute(1, 5)",
                "proximity-window(1, 1, 6)",
                "t-closeness(0, equal)",
                "beta-likeness(0.1)",
                "variance(3)",
            ] {
                let Some((reason, allows)) = refused(&rows, text) else { continue };
                prop_assert!(!reason.contains("rows"), "{text}: {reason}");
                prop_assert!(!allows.contains("allows no"), "{text}: {allows}");
                let Some(other) = hinted(&allows) else { continue };
                prop_assert_ne!(other, text);
                prop_assert!(refused(&rows, other).is_none(), "{} hints {}, {:?}", text, other, rows);
                let numbers = |text: &str| text.matches(|c: char| c.is_ascii_digit()).count();
                prop_assert!(numbers(other) > 0);
                if allows.starts_with("the data allows") {
                    let table = table(&rows);
                    let requirement: Requirement = other.parse().unwrap();
                    let bound = BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at));
                    let bound = bound.unwrap().with_people(&table, None).unwrap();
                    let all = 0..rows.len() as u32;
                    prop_assert!(bound.by_person().unwrap().holds(all, &mut PersonMemory::default()), "{}", other);
                }
            }
        }
    }

    #[test]
    fn hints_for_fewer_persons_than_asked_name_nothing_that_is_refused() {
        // Three people with a hundred rows each, and everybody has every value.
        let rows: Vec<(u32, u32)> = (0..300).map(|row| (row % 3, 1 + row / 3 % 6)).collect();
        let asked = |text: &str| refused(&rows, text).unwrap();
        let few = "the table has 3 people, and a group takes at least 4 people";
        assert_eq!(asked("k-anonymity(4)"), (few.into(), "the data allows at most `k-anonymity(3)`".into()));
        assert_eq!(asked("ke-anonymity(4, 5)"), (few.into(), "the data allows at most `ke-anonymity(3, 5)`".into()));
        assert_eq!(asked("entropy-l-diversity(4)").1, "the data allows at most `entropy-l-diversity(3)`");
        assert_eq!(hinted(&asked("recursive-l-diversity(3, 4)").1), Some("recursive-l-diversity(3, 3)"));
        // All three as one group fail any l above 1, but groups of their rows need not.
        assert_eq!(
            asked("frequency-l-diversity(4)").1,
            "`frequency-l-diversity(3)` is not ruled out in this way, but may be out of reach too"
        );
        assert!(refused(&rows, "k-anonymity(3)").is_none());
    }

    #[test]
    fn many_and_few_numbers_are_told_apart_alike() {
        let mut seen = SeenPairs::default();
        for n in [10usize, 100_000] {
            let numbers = [3u32, 9, 3, 3, 7, 9];
            let mut met = Vec::new();
            assert_eq!(distinct(numbers.iter().copied(), n, &mut seen, |number| met.push(number)), 3);
            met.sort_unstable();
            assert_eq!(met, [3, 7, 9]);
        }
    }

    #[test]
    fn counting_stops_at_the_number_that_is_asked_for() {
        let rows: Vec<(u32, u32)> = (0..300).map(|row| (if row < 290 { 0 } else { row % 7 }, 1)).collect();
        let table = table(&rows);
        let requirement: Requirement = "k-anonymity(5)".parse().unwrap();
        let bound = BoundRequirements::bind(&[requirement], table.schema(), |at| table.column_bag(at)).unwrap();
        let bound = bound.with_people(&table, None).unwrap();
        let people = bound.by_person().unwrap();
        let mut memory = PersonMemory::default();
        for (n, up_to) in [(1u32, 1), (290, 1), (292, 3), (300, 5)] {
            assert_eq!(people.count_up_to(0..n, 5, &mut memory), up_to, "{n}");
            assert_eq!(people.holds(0..n, &mut memory), up_to == 5);
        }
        assert_eq!(people.count_up_to(0..0, 5, &mut memory), 0);
    }
}
