//! What a reader who knows the quasi-identifiers and the program believes from where the search stopped, computed exactly: all
//! worlds, all draws.

use super::super::{CutRule, Growth, Mondrian, axes_along};
use crate::coins::Coins;
use crate::draws::Source;
use crate::draws::every::{outcomes, worlds};
use crate::{Profile, Task};
use scumble_principle::BoundRequirements;
use scumble_table::{Attribute, Code, Codes, Domain, Monitor, Role, Schema, Table};
use std::collections::BTreeMap;

/// A table to be: quasi-identifiers of its people, and the values that are given to them in every way.
struct Case {
    quasi: Vec<[Code; 2]>,
    values: Vec<Code>,
    required: &'static str,
}

/// The groups of a release and, of each, its values in order.
type Published = Vec<(Vec<u32>, Vec<Code>)>;

impl Case {
    fn table(&self, world: &[Code]) -> Table {
        let domain = Domain::numbers((1..=9).map(Into::into).collect()).unwrap();
        let attribute = |name: &str, role| Attribute { name: name.into(), role, domain: domain.clone() };
        let schema = Schema::new(vec![
            attribute("a", Role::Quasi),
            attribute("b", Role::Quasi),
            attribute("s", Role::Sensitive),
        ]);
        let columns: Vec<Codes> = vec![
            self.quasi.iter().map(|at| at[0]).collect(),
            self.quasi.iter().map(|at| at[1]).collect(),
            world.iter().copied().collect(),
        ];
        Table::new(schema.unwrap(), columns, self.quasi.len()).unwrap()
    }

    fn published(&self, world: &[Code], profile: Profile, source: &dyn Source) -> Published {
        let table = self.table(world);
        let requirements = [self.required.parse().unwrap()];
        let bound = BoundRequirements::bind(&requirements, table.schema(), |column| table.column_bag(column)).unwrap();
        let coins = Coins::from_seed(1);
        let task = Task {
            table: &table,
            bound: &bound,
            rebind: &|_| BoundRequirements::bind(&requirements, table.schema(), |column| table.column_bag(column)),
            most_suppressed: 0,
            coins: &coins,
            monitor: Monitor::silent(),
        };
        let growth = Growth { along: Some(&[0, 1]), draws: Some(source), ..Growth::default() };
        let mondrian = Mondrian { cuts: CutRule::LeastLoss, relaxed: false, profile };
        let (rows, sizes) = mondrian.leaves(&task, &axes_along(&table, &[0, 1]), growth).unwrap();
        let (mut groups, mut rest) = (Vec::new(), rows.as_slice());
        for size in sizes {
            let (group, others) = rest.split_at(size as usize);
            let (mut people, mut values) = (group.to_vec(), Vec::new());
            people.sort_unstable();
            values.extend(people.iter().map(|&row| world[row as usize]));
            values.sort_unstable();
            groups.push((people, values));
            rest = others;
        }
        groups.sort();
        groups
    }

    /// The greatest factor by which the posterior odds of a person's value, against not having it, exceed or fall short of
    /// those of the share that its group shows; and the greatest posterior where the share is at most one half.
    fn worst(&self, profile: Profile) -> (f64, f64) {
        let worlds = worlds(&self.values);
        let mut likelihoods: BTreeMap<Published, Vec<f64>> = BTreeMap::new();
        for (at, world) in worlds.iter().enumerate() {
            let mut total = 0.0;
            outcomes(
                |source| self.published(world, profile, source),
                |published, weight| {
                    total += weight;
                    likelihoods.entry(published).or_insert_with(|| vec![0.0; worlds.len()])[at] += weight;
                },
            );
            assert!((total - 1.0).abs() < 1e-9, "{total}");
        }
        let (mut factor, mut belief) = (1.0f64, 0.0f64);
        for (published, likelihood) in &likelihoods {
            let all: f64 = likelihood.iter().sum();
            for (people, values) in published {
                for &person in people {
                    for value in 1..=9 {
                        let share = values.iter().filter(|&&known| known == value).count() as f64 / values.len() as f64;
                        if share == 0.0 || share == 1.0 {
                            continue;
                        }
                        let has = |at: usize| worlds[at][person as usize] == value;
                        let sum: f64 = (0..worlds.len()).filter(|&at| has(at)).map(|at| likelihood[at]).sum();
                        let posterior = sum / all;
                        let odds = |p: f64| p / (1.0 - p);
                        let off = odds(posterior) / odds(share);
                        factor = factor.max(off).max(1.0 / off);
                        if share <= 0.5 {
                            belief = belief.max(posterior);
                        }
                    }
                }
            }
        }
        (factor, belief)
    }
}

#[test]
fn a_hard_stop_can_tell_everything() {
    // Two people at one place and four at another, l = 2: the group of all six says that its only cut failed, so the two
    // have the same value, or the four have one of them three times or more.
    let case = Case {
        quasi: vec![[1, 1], [1, 1], [9, 1], [9, 1], [9, 1], [9, 1]],
        values: vec![1, 1, 2, 3, 4, 5],
        required: "distinct-l-diversity(2)",
    };
    for profile in [Profile::MaxUtility, Profile::Standard] {
        let (factor, belief) = case.worst(profile);
        assert!(factor.is_infinite() && belief > 0.999, "{factor} {belief}");
    }
    let (factor, belief) = case.worst(Profile::Hardened);
    assert!(factor <= 2.9 && belief <= 0.7436, "{factor} {belief}");
}

/// What is believed at most on small tables where the search chooses in one way.
#[derive(Default)]
struct Beliefs {
    tables: u32,
    /// Tables of which some release tells a value of somebody with more than 0.75, with more than 0.9, with certainty.
    above: [u32; 3],
    greatest: f64,
}

impl Beliefs {
    fn add(&mut self, belief: f64) {
        self.tables += 1;
        for (above, limit) in self.above.iter_mut().zip([0.75, 0.9, 0.999_999]) {
            *above += u32::from(belief > limit);
        }
        self.greatest = self.greatest.max(belief);
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the manual has the figures that it prints with --nocapture")]
fn whatever_is_published_odds_stay_within_the_budget() {
    let mut draws = Coins::from_seed(5).stream(crate::coins::Purpose::Groups, 0);
    let mut worst = (1.0f64, 0.0f64);
    let profiles =
        [("standard", Profile::Standard), ("max-utility", Profile::MaxUtility), ("hardened", Profile::Hardened)];
    let mut found: [Beliefs; 3] = Default::default();
    for round in 0..1200 {
        let n = 4 + draws.below(if round % 60 == 0 { 5 } else { 3 }) as usize;
        let n_values = 2 + draws.below(2);
        let values: Vec<Code> = (0..n).map(|_| 1 + draws.below(n_values) as Code).collect();
        let quasi = (0..n).map(|_| [1 + draws.below(5) as Code, 1 + draws.below(3) as Code]).collect();
        let required = ["frequency-l-diversity(2)", "distinct-l-diversity(2)", "alpha-k-anonymity(0.6, 2)"];
        let case = Case { quasi, values, required: required[draws.below(3) as usize] };
        let table = case.table(&case.values);
        let bound = BoundRequirements::bind(&[case.required.parse().unwrap()], table.schema(), |column| {
            table.column_bag(column)
        })
        .unwrap();
        let rows: Vec<u32> = (0..n as u32).collect();
        if !bound.holds(scumble_principle::Group { size: n as u64, bags: &bound.bags(&table, &rows) }) {
            continue;
        }
        let (factor, belief) = case.worst(Profile::Hardened);
        assert!(factor <= 2.9 + 1e-6, "{factor} {:?} {:?} {}", case.quasi, case.values, case.required);
        worst = (worst.0.max(factor), worst.1.max(belief));
        found[2].add(belief);
        for (found, (_, profile)) in found.iter_mut().zip(profiles).take(2) {
            found.add(case.worst(profile).1);
        }
    }
    for ((profile, _), found) in profiles.iter().zip(&found) {
        let (n, [above, far_above, certain]) = (found.tables, found.above);
        println!(
            "{profile}: {n} tables, {above} above 0.75, {far_above} above 0.9, {certain} certain, greatest {:.3}",
            found.greatest
        );
    }
    // The budget is used, and without it people would be certain of others.
    assert!(worst.0 > 1.5 && worst.1 <= 0.7436, "{worst:?}");
    assert!(found[0].above[2] > 50 && found[1].above[2] > 50 && found[2].above == [0; 3]);
}
