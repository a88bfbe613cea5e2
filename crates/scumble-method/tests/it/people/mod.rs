//! People who have several rows: every method on thousands of small random tables under every principle, judged by the
//! definition of `definition.rs`.

mod complete;
mod definition;
mod published;

use crate::dice::Dice;
use definition::Row;
use scumble_method::full_domain::{FullDomain, LevelStack};
use scumble_method::ke_permutation::{KePermutation, Rule};
use scumble_method::{Angel, Coins, EpsilonM, Mondrian, Profile, Task, Variant, XColor};
use scumble_principle::{BoundRequirements, Distance, Group, JointColumns, LoadedDistance, Requirement};
use scumble_table::{
    Attribute, Bag, Code, Codes, Decimal, Domain, Error, Hierarchy, Monitor, Partition, Persons, Result, Role, Schema,
    Table,
};
use std::sync::Arc;

/// A table with the persons of its rows, a number and a label as quasi-identifiers, and one sensitive number.
struct World {
    rows: Vec<Row>,
    table: Table,
}

/// Below this lie the numbers of the sensitive column.
const NUMBERS: i64 = 8;

impl World {
    /// Rows are a person, a sensitive value and two quasi-identifiers, from 0 on.
    fn new(rows: &[(u32, Option<i64>, u32, u32)]) -> World {
        let numbers = |n: i64| Domain::numbers((0..n).map(Decimal::from).collect()).unwrap();
        let lines: Vec<Vec<String>> = (0..NUMBERS)
            .map(|i| vec![i.to_string(), format!("pair {}", i / 2), format!("four {}", i / 4), "*".into()])
            .collect();
        let tree = Arc::new(Hierarchy::from_rows("h", &lines, &(1..=NUMBERS as u64).collect::<Vec<_>>()).unwrap());
        let labels = Domain::nominal((0..4).map(|i| format!("l{i}").into()).collect());
        let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
        let schema = Schema::new(vec![
            attribute("age", Role::Quasi, numbers(10)),
            attribute("town", Role::Quasi, labels),
            attribute("s", Role::Sensitive, numbers(NUMBERS).with_hierarchy("h", "s", tree).unwrap()),
        ]);
        let columns: Vec<Codes> = vec![
            rows.iter().map(|row| row.2 + 1).collect(),
            rows.iter().map(|row| row.3 + 1).collect(),
            rows.iter().map(|row| row.1.map_or(0, |value| value as Code + 1)).collect(),
        ];
        let key: Codes = rows.iter().map(|row| row.0 + 1).collect();
        let n_keys = rows.iter().map(|row| row.0 as usize + 2).max().unwrap_or(1);
        let persons = Persons::from_keys(rows.len(), &[(&key, n_keys)]);
        let table = Table::new(schema.unwrap(), columns, rows.len()).unwrap().with_persons(Arc::new(persons)).unwrap();
        World { rows: rows.iter().map(|row| (row.0, row.1)).collect(), table }
    }

    /// Of some persons each row has one, with a few who have many.
    fn random(dice: &mut Dice, n: usize, nulls: bool) -> World {
        let (persons, values) = (dice.between(1, n), dice.between(2, NUMBERS as usize));
        let often = dice.below(4);
        let row = |dice: &mut Dice| {
            let person = if dice.below(8) < often { dice.below(2) } else { dice.below(persons) };
            let value = if nulls && dice.once_in(8) { None } else { Some(dice.below(values) as i64) };
            (person as u32, value, dice.below(10) as u32, dice.below(4) as u32)
        };
        World::new(&(0..n).map(|_| row(dice)).collect::<Vec<_>>())
    }

    fn bind(&self, texts: &[&str], rows: Option<&[u32]>) -> Result<BoundRequirements> {
        let requirements: Vec<Requirement> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let (schema, all) = (self.table.schema(), (0..self.rows.len() as u32).collect::<Vec<_>>());
        let distance: Distance = "l1(s:range)".parse().unwrap();
        let ruler = LoadedDistance::new(distance, |file| panic!("no file {file} is named")).unwrap();
        let together = JointColumns::new(&requirements, schema, Some(&ruler), |at| self.table.column(at))?;
        let rows = rows.unwrap_or(&all);
        let together = together.map(|together| together.restricted_to(rows));
        let whole = |at: usize| Bag::from_codes(rows.iter().map(|&row| self.table.column(at).get(row as usize)));
        BoundRequirements::bind_joint(&requirements, schema, whole, together.as_ref())?
            .with_people(&self.table, Some(rows))
    }

    /// The groups of a method.
    fn partition(&self, texts: &[&str], method: Method, seed: u64, most_suppressed: usize) -> Result<Partition> {
        let bound = self.bind(texts, None)?;
        // Callers refuse what no rows can meet before a search begins.
        let all: Vec<u32> = (0..self.rows.len() as u32).collect();
        bound.feasible(Group { size: all.len() as u64, bags: &bound.bags(&self.table, &all) })?;
        let coins = Coins::from_seed(seed);
        let task = Task {
            table: &self.table,
            bound: &bound,
            rebind: &|rows| self.bind(texts, Some(rows)),
            most_suppressed,
            coins: &coins,
            monitor: Monitor::silent(),
        };
        match method {
            Method::Mondrian(relaxed, profile) => Mondrian { relaxed, profile, ..Mondrian::default() }.partition(&task),
            Method::Cutting => {
                let found = Mondrian::default().partition_disjoint_boxes(&task)?;
                found.ok_or(Error::Cancelled)
            }
            Method::FullDomain => {
                let stacks = vec![LevelStack::for_column(&self.table, 0), LevelStack::for_column(&self.table, 1)];
                let fixed = vec![None; stacks.len()];
                FullDomain { stacks, fixed }.partition(&task).map(|recoded| recoded.partition)
            }
            Method::Proximity(variant, profile) => {
                EpsilonM { variant, profile, ..EpsilonM::default() }.partition(&task)
            }
            Method::XColor(variant, profile) => XColor::new(variant, profile, None).partition(&task),
            Method::Angel(angel) => {
                let buckets = angel.buckets(&self.table, &[0, 1], &coins, Monitor::silent())?;
                angel.batches(&task, &buckets)
            }
            Method::Ke(rule) => KePermutation { rule }.partition(&task).map(|grouped| grouped.partition),
        }
    }

    /// The rows of a group.
    fn group(&self, rows: &[u32]) -> Vec<Row> {
        rows.iter().map(|&row| self.rows[row as usize]).collect()
    }

    /// True if a group passes by the definition: as people, and as rows, of which every one is taken for a person.
    fn passes(&self, texts: &[&str], group: &[u32], published: &[u32]) -> bool {
        let as_rows = |rows: &[u32]| rows.iter().map(|&row| (row, self.rows[row as usize].1)).collect::<Vec<Row>>();
        texts.iter().all(|text| {
            definition::holds(text, &self.group(group), &self.group(published))
                && definition::holds(text, &as_rows(group), &as_rows(published))
        })
    }

    /// What is wrong with a partition, if anything is.
    fn fault(&self, texts: &[&str], partition: &Partition, most_suppressed: usize) -> Option<String> {
        let mut published: Vec<u32> = partition.rows().to_vec();
        published.sort_unstable();
        if published.windows(2).any(|pair| pair[0] == pair[1]) || self.rows.len() - published.len() > most_suppressed {
            return Some(format!("rows {published:?}"));
        }
        let failing = partition.groups().find(|group| !self.passes(texts, group, &published));
        failing.map(|group| format!("{texts:?}: {:?} of {:?}", self.group(group), self.rows))
    }
}

#[derive(Debug, Clone, Copy)]
enum Method {
    Mondrian(bool, Profile),
    Cutting,
    FullDomain,
    Proximity(Variant, Profile),
    XColor(Variant, Profile),
    Angel(Angel),
    Ke(Rule),
}

const PROFILES: [Profile; 3] = [Profile::Standard, Profile::Hardened, Profile::MaxUtility];

/// All methods with all of their settings.
fn methods() -> Vec<Method> {
    let mut methods = vec![Method::Cutting, Method::FullDomain];
    for profile in PROFILES {
        methods.extend([Method::Mondrian(false, profile), Method::Mondrian(true, profile)]);
        for variant in [Variant::Ours, Variant::Paper] {
            methods.extend([Method::Proximity(variant, profile), Method::XColor(variant, profile)]);
            methods.extend([1, 3].map(|k| Method::Angel(Angel { k, variant, profile })));
        }
    }
    methods.extend(Rule::ALL.into_iter().map(Method::Ke));
    methods
}

/// A requirement of every principle, with parameters that small tables can meet.
const PRINCIPLES: [&[&str]; 25] = [
    &["k-anonymity(2)"],
    &["k-anonymity(3)"],
    &["distinct-l-diversity(2)"],
    &["distinct-l-diversity(3)"],
    &["frequency-l-diversity(2)"],
    &["frequency-l-diversity(3)"],
    &["entropy-l-diversity(2)"],
    &["recursive-l-diversity(2, 2)"],
    &["t-closeness(0.4, equal)"],
    &["t-closeness(0.25, ordered)"],
    &["t-closeness(0.3, hierarchical)"],
    &["beta-likeness(1.5)"],
    &["delta-disclosure(1.2)"],
    &["beta-likeness(2)", "k-anonymity(2)"],
    &["alpha-k-anonymity(0.5, 3)"],
    &["proximity-absolute(1, 2)"],
    &["proximity-relative(0.3, 2)"],
    &["proximity-interval(0, 2, 2)"],
    &["proximity-window(0, 1, 2)"],
    &["dissimilarity(0.2, 0.5, 3)"],
    &["ke-anonymity(2, 3)"],
    &["variance(2)"],
    &["frequency-l-diversity(2)", "variance(1)"],
    &["ke-anonymity(2, 2)", "frequency-l-diversity(2)"],
    &["proximity-absolute(0, 2)", "k-anonymity(3)"],
];
