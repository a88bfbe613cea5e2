use super::*;
use proptest::prelude::*;
use scumble_table::{Attribute, Codes, Domain, Hierarchy, PopulationColumn, Schema};
use std::sync::Arc;

const TOWNS: [&str; 5] = ["ayr", "bath", "cork", "dover", "eton"];

/// What somebody is known by: an age or none, a town or none, and a job or none.
type Person = (Option<i64>, Option<usize>, Option<usize>);

fn tree() -> Hierarchy {
    let rows = [("clerk", "office"), ("judge", "office"), ("baker", "craft"), ("smith", "craft"), ("miner", "craft")];
    let rows: Vec<Vec<String>> = rows.map(|(job, kind)| vec![job.into(), kind.into(), "*".into()]).to_vec();
    Hierarchy::from_rows("jobs.csv", &rows, &[]).unwrap()
}

fn job(at: usize) -> &'static str {
    ["clerk", "judge", "baker", "smith", "miner"][at]
}

fn kind(at: usize) -> usize {
    usize::from(at > 1)
}

/// The table of some people, whose domains hold what occurs in it.
fn table(people: &[Person], population: &[Person]) -> Table {
    let ages = Domain::numbers(people.iter().filter_map(|person| person.0).map(Decimal::from).collect()).unwrap();
    let towns = Domain::nominal(people.iter().filter_map(|person| person.1).map(|at| TOWNS[at].into()).collect());
    let jobs = Domain::nominal(people.iter().filter_map(|person| person.2).map(|at| job(at).into()).collect());
    let jobs = jobs.with_hierarchy("jobs.csv", "job", Arc::new(tree())).unwrap();
    let code = |domain: &Domain, text: Option<String>| domain.code_of(&text.unwrap_or_default()).unwrap();
    let columns: Vec<Codes> = vec![
        people.iter().map(|person| code(&ages, person.0.map(|age| age.to_string()))).collect(),
        people.iter().map(|person| code(&towns, person.1.map(|at| TOWNS[at].to_string()))).collect(),
        people.iter().map(|person| code(&jobs, person.2.map(|at| job(at).to_string()))).collect(),
    ];
    let attribute = |name: &str, domain| Attribute { name: name.into(), role: Role::Quasi, domain };
    let schema = Schema::new(vec![attribute("age", ages), attribute("town", towns), attribute("job", jobs)]).unwrap();
    let texts = |text: &dyn Fn(&Person) -> Option<String>| {
        let all: Vec<Option<String>> = population.iter().map(text).collect();
        let mut known: Vec<String> = all.iter().flatten().cloned().collect();
        known.sort();
        known.dedup();
        let place = |text: &Option<String>| text.as_ref().map_or(0, |t| known.binary_search(t).unwrap() as u32 + 1);
        (known.iter().map(|text| text.as_str().into()).collect(), all.iter().map(place).collect::<Codes>())
    };
    let column = |name: &str, text: &dyn Fn(&Person) -> Option<String>| {
        let (texts, codes) = texts(text);
        PopulationColumn { name: name.into(), texts, codes }
    };
    let population = Population::new(
        vec![
            column("job", &|person| person.2.map(|at| job(at).into())),
            // Decimals are read as what they denote.
            column("age", &|person| person.0.map(|age| format!("{age}.0"))),
            column("town", &|person| person.1.map(|at| TOWNS[at].into())),
        ],
        population.len(),
    );
    let table = Table::new(schema, columns, people.len()).unwrap();
    table.with_population(Arc::new(population.unwrap()))
}

/// Whether the published box of a group covers somebody, written from the definition of the release's texts.
fn covers(group: &[Person], all: &[Person], somebody: &Person) -> bool {
    fn side<T: Copy + PartialEq>(values: &[Option<T>], one: Option<T>, mixed: impl Fn(&[T], T) -> bool) -> bool {
        let known: Vec<T> = values.iter().flatten().copied().collect();
        match (known.is_empty(), known.len() < values.len(), one) {
            (true, ..) => one.is_none(),
            (false, true, _) => true,
            (false, false, None) => false,
            (false, false, Some(one)) => mixed(&known, one),
        }
    }
    let ages: Vec<Option<i64>> = group.iter().map(|person| person.0).collect();
    let towns: Vec<Option<usize>> = group.iter().map(|person| person.1).collect();
    let jobs: Vec<Option<usize>> = group.iter().map(|person| person.2).collect();
    let every_town = |known: &[usize]| {
        let labels = |towns: &mut dyn Iterator<Item = usize>| towns.collect::<std::collections::BTreeSet<usize>>();
        let here = labels(&mut known.iter().copied());
        here.len() > 1 && here == labels(&mut all.iter().filter_map(|person| person.1))
    };
    let star = towns.iter().all(Option::is_some) && every_town(&towns.iter().flatten().copied().collect::<Vec<_>>());
    let in_town = star || side(&towns, somebody.1, |known, one| known.contains(&one));
    let all_jobs =
        jobs.iter().all(Option::is_some) && jobs.iter().flatten().any(|&at| kind(at) != kind(jobs[0].unwrap()));
    let in_job = all_jobs
        || side(&jobs, somebody.2, |known, one| {
            if known.iter().all(|at| *at == known[0]) { one == known[0] } else { kind(one) == kind(known[0]) }
        });
    let in_age = side(&ages, somebody.0, |known, one| {
        (*known.iter().min().unwrap()..=*known.iter().max().unwrap()).contains(&one)
    });
    in_town && in_job && in_age
}

fn people(most: usize) -> impl Strategy<Value = Vec<Person>> {
    let person = (
        proptest::option::weighted(0.9, 20i64..30),
        proptest::option::weighted(0.9, 0usize..5),
        proptest::option::weighted(0.9, 0usize..5),
    );
    proptest::collection::vec(person, 1..most)
}

fn bound(text: &str, table: &Table) -> BoundPopulation {
    BoundPopulation::bind(&[text.parse().unwrap()], table).unwrap().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn boxes_cover_whom_the_definition_says(all in people(12), others in people(40), n in 1usize..12) {
        let population: Vec<Person> = all.iter().chain(&others).copied().collect();
        let table = table(&all, &population);
        let group = &all[..n.min(all.len())];
        let rows = 0..group.len() as u32;
        let expected = population.iter().filter(|somebody| covers(group, &all, somebody)).count() as u64;
        let one = bound("k-map(1)", &table);
        prop_assert_eq!(one.covered(&one.least_box(&table, rows.clone())), expected);
        prop_assert_eq!(one.n_strangers(&table), 0);
        for k in [1, 2, 3, 5, 8, expected.max(1), expected + 1] {
            let holds = bound(&format!("k-map({k})"), &table).holds_rows(&table, rows.clone(), group.len());
            prop_assert_eq!(holds, expected >= k, "k-map({})", k);
        }
        for (lo, hi) in [("0", "0.25"), ("0", "0.5"), ("0.2", "0.6"), ("0.5", "1")] {
            let share = group.len() as f64 / expected as f64;
            let allowed = (lo.parse::<f64>().unwrap()..=hi.parse::<f64>().unwrap()).contains(&share);
            let demand = bound(&format!("delta-presence({lo}, {hi})"), &table);
            prop_assert_eq!(demand.holds_rows(&table, rows.clone(), group.len()), allowed, "{} {} {}", lo, hi, share);
        }
    }

    #[test]
    fn more_rows_cover_more_people(all in people(12), others in people(30), n in 1usize..12, m in 1usize..12) {
        let table = table(&all, &others);
        let (n, m) = (n.min(all.len()) as u32, m.min(all.len()) as u32);
        let one = bound("k-map(1)", &table);
        let covered = |rows: std::ops::Range<u32>| one.covered(&one.least_box(&table, rows));
        let last = all.len() as u32;
        prop_assert!(covered(0..n.max(m)) >= covered(0..n.min(m)) && covered(0..last) >= covered(last - m..last));
        // Everybody who is in the population finds people there.
        let strangers = all.iter().filter(|person| !others.contains(person)).count() as u64;
        prop_assert_eq!(one.n_strangers(&table), strangers);
    }
}

/// Two groups of half of the people in their boxes, and a box around both that covers many more.
#[test]
fn a_least_share_does_not_survive_a_union() {
    let person = |age: i64| (Some(age), Some(0), Some(0));
    let all: Vec<Person> = [20, 29].map(person).to_vec();
    let population: Vec<Person> = (20..30).chain([20, 29]).map(person).collect();
    let table = table(&all, &population);
    let demand = bound("delta-presence(0.5, 0.5)", &table);
    assert!(demand.holds_rows(&table, 0..1, 1) && demand.holds_rows(&table, 1..2, 1));
    assert!(!demand.holds_rows(&table, 0..2, 2) && demand.covers_all());
    assert!(!"delta-presence(0.5, 0.5)".parse::<Requirement>().unwrap().entry().monotone);
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let all: Vec<Person> = vec![(Some(20), Some(0), Some(0)); 3];
    let asked: Requirement = "k-map(2)".parse().unwrap();
    let error = |table: &Table| BoundPopulation::bind(std::slice::from_ref(&asked), table).unwrap_err();
    let without = Table::new(table(&all, &all).schema().clone(), vec![[1, 1, 1].into_iter().collect(); 3], 3).unwrap();
    assert!(error(&without).to_string().contains("none is named"));
    let column = |name: &str, text: &str| PopulationColumn {
        name: name.into(),
        texts: vec![text.into()],
        codes: [1].into_iter().collect(),
    };
    let population = |columns| Arc::new(Population::new(columns, 1).unwrap());
    let lacks = without.clone().with_population(population(vec![column("age", "20"), column("town", "ayr")]));
    assert!(error(&lacks).to_string().contains("no such column"));
    let wrong = vec![column("age", "secret"), column("town", "ayr"), column("job", "clerk")];
    let message = error(&without.clone().with_population(population(wrong))).to_string();
    assert!(message.contains("no number") && !message.contains("secret"), "{message}");
    // Labels that hierarchy and table do not know are covered by `*` alone.
    let strange = vec![column("age", "20"), column("town", "mars"), column("job", "pilot")];
    let strange = without.with_population(population(strange));
    assert!(!bound("k-map(1)", &strange).holds_rows(&strange, 0..3, 3));
    assert!(bound("k-map(1)", &strange).holds(&[Side::Codes(1, 1), Side::All, Side::All], 3));
    assert!(BoundPopulation::bind(&["k-anonymity(2)".parse().unwrap()], &strange).unwrap().is_none());
}
