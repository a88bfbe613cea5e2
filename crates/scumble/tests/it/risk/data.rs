//! Raw tables.

use super::naive::{check_matches, same};
use super::world::{COLUMNS, Row, people, some, write};
use crate::dice::Dice;
use scumble::{AttackFacts, Context, RiskFacts, RiskPopulation, RiskRequest, RiskTarget, Source, risk};
use std::path::Path;

fn known(row: &Row, columns: &[String]) -> Vec<String> {
    let place = |name: &String| COLUMNS.iter().position(|column| column == name).unwrap();
    columns.iter().map(|name| row[place(name)].clone()).collect()
}

/// Every record with the number of records that have the same values.
fn attacked(rows: &[Row], columns: &[String]) -> Vec<(String, usize)> {
    let one = |row: &Row| {
        let own = known(row, columns);
        (format!("{own:?}"), rows.iter().filter(|other| known(other, columns) == own).count())
    };
    rows.iter().map(one).collect()
}

/// The risk of each record within the population, by counting.
fn check_journalist(facts: &AttackFacts, rows: &[Row], population: &[Row]) {
    let risk = |row: &Row| {
        let own = known(row, &facts.known);
        1.0 / population.iter().filter(|other| known(other, &facts.known) == own).count() as f64
    };
    let risks: Vec<f64> = rows.iter().map(risk).collect();
    assert!(same(facts.journalist.unwrap(), risks.iter().copied().fold(0.0, f64::max)));
    assert!(same(facts.journalist_mean.unwrap(), risks.iter().sum::<f64>() / rows.len() as f64));
}

/// Attacks a file with these columns known.
fn attack(data: &Path, request: &RiskRequest<'_>) -> RiskFacts {
    let context = Context::new();
    let (table, _) = Source::file(data).read_known(&request.known, &[], &[], None, &context).unwrap();
    risk(RiskTarget::Data(&table), request, &context).unwrap()
}

#[test]
fn a_brute_force_attacker_agrees_on_thousands_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(7);
    for round in 0..3_000 {
        let n = 1 + dice.below(if round % 10 == 0 { 80 } else { 14 }) as usize;
        let rows = people(n, dice);
        let columns = some(&COLUMNS, dice);
        let data = write(folder.path(), "data.csv", &rows);
        let mut request = RiskRequest::new(columns.clone());
        request.up_to = (round % 3 == 0).then(|| 1 + dice.below(columns.len() as u64) as usize);
        let mut population = rows.clone();
        let mut counted = None;
        if round % 4 == 0 {
            population.extend(people(n, dice));
            let turn = dice.below(n as u64) as usize;
            population.rotate_left(turn);
            let source = Source::file(write(folder.path(), "population.csv", &population));
            counted = Some(source.read_columns(&columns, "population", &Context::new()).unwrap());
        }
        request.population = counted.as_ref().map(RiskPopulation::People);
        let facts = attack(&data, &request);
        check_matches(&facts.attack, &attacked(&rows, &columns));
        for one in facts.subsets.iter().flatten() {
            check_matches(&one.attack, &attacked(&rows, &one.attack.known));
        }
        if request.population.is_some() {
            let subsets = facts.subsets.iter().flatten().map(|one| &one.attack);
            subsets.chain([&facts.attack]).for_each(|attack| check_journalist(attack, &rows, &population));
        }
    }
}

/// What columns add is a mean of differences over subsets, the empty one among them.
#[test]
fn what_columns_add_is_the_mean_over_subsets_that_lack_them() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(11);
    for _ in 0..60 {
        let rows = people(30, dice);
        let columns: Vec<String> = COLUMNS[..5].iter().map(|name| name.to_string()).collect();
        let data = write(folder.path(), "data.csv", &rows);
        let facts = attack(&data, &RiskRequest { up_to: Some(3), ..RiskRequest::new(columns.clone()) });
        let figures = |subset: &[String]| {
            let all = attacked(&rows, subset);
            let marketer = all.iter().map(|person| 1.0 / person.1 as f64).sum::<f64>() / all.len() as f64;
            (marketer, all.iter().filter(|person| person.1 == 1).count() as f64)
        };
        let masks = |size: u32| (0u32..32).filter(move |mask| mask.count_ones() <= size);
        let chosen = |mask: u32| -> Vec<String> {
            (0..5).filter(|at| mask >> at & 1 == 1).map(|at| columns[at].clone()).collect()
        };
        let attributes = facts.attributes.unwrap();
        for one in &attributes {
            let at = columns.iter().position(|name| *name == one.column).unwrap();
            let lacking: Vec<u32> = masks(2).filter(|mask| mask >> at & 1 == 0).collect();
            let added = lacking.iter().map(|&mask| {
                let (before, after) = (figures(&chosen(mask)), figures(&chosen(mask | 1 << at)));
                (after.0 - before.0, after.1 - before.1)
            });
            let sums = added.fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
            assert_eq!(one.subsets, lacking.len() as u64);
            assert!(same(one.adds_marketer, sums.0 / lacking.len() as f64));
            assert!(same(one.adds_unique_records, sums.1 / lacking.len() as f64));
        }
        assert!(attributes.windows(2).all(|pair| pair[0].adds_marketer >= pair[1].adds_marketer));
        for one in facts.subsets.unwrap() {
            let parts = one.attack.known.iter().map(|left| {
                let rest: Vec<String> = one.attack.known.iter().filter(|name| *name != left).cloned().collect();
                figures(&rest).0
            });
            assert!(same(one.adds, one.attack.profile.marketer - parts.fold(0.0, f64::max)));
        }
    }
}
