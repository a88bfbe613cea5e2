//! Two releases laid over each other, against all assignments that small ones leave open.

use crate::dice::Dice;
use scumble::{Context, Job, Method, Release, Source, Table, anonymize};
use scumble_risk::{PeopleInBoth, candidate_counts, intersect};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Age, zip and illness.
type Person = (u32, u32, u32);

fn csv(people: &[Person]) -> String {
    let lines: String = people.iter().map(|(age, zip, illness)| format!("{age},{zip},i{illness}\n")).collect();
    format!("age,zip,illness\n{lines}")
}

const METHODS: [Method; 4] = [Method::Generalize, Method::Anatomy, Method::Permute, Method::Angel];

fn job(method: Method, seed: u64) -> Job {
    let mut job = Job::new().quasi(["age", "zip"]).sensitive(["illness"]).require("distinct-l-diversity(2)").unwrap();
    job.publish.method = Some(method);
    job.publish.seed = Some(seed);
    job.publish.insecure_seed = true;
    if method == Method::Angel {
        job.publish.angel_k = Some(2);
        job.publish.marginal = vec![vec!["age".into()]];
    }
    job
}

/// A row of one table of people: what it shows, and the group whose values may be the person's.
struct Slot {
    boxes: Vec<(&'static str, String)>,
    group: String,
}

/// A release as its files say: tables of people, and the values of each group. Values that stand beside a row are those of a
/// group of its own.
struct Shown {
    tables: Vec<Vec<Slot>>,
    values: BTreeMap<String, Vec<String>>,
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut open, mut cell) = (Vec::new(), false, String::new());
    for c in line.chars() {
        match c {
            '"' => open = !open,
            ',' if !open => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

fn rows(dir: &Path, file: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(dir.join(file)).unwrap();
    let mut lines = text.lines().map(cells);
    let head = lines.next().unwrap();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn slots(rows: &[BTreeMap<String, String>], group: impl Fn(usize, &BTreeMap<String, String>) -> String) -> Vec<Slot> {
    let slot = |(at, row): (usize, &BTreeMap<String, String>)| Slot {
        boxes: ["age", "zip"].into_iter().filter_map(|name| Some((name, row.get(name)?.clone()))).collect(),
        group: group(at, row),
    };
    rows.iter().enumerate().map(slot).collect()
}

fn counted(rows: &[BTreeMap<String, String>], number: &str) -> BTreeMap<String, Vec<String>> {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let n: usize = row["count"].parse().unwrap();
        values.entry(row[number].clone()).or_default().extend(std::iter::repeat_n(row["illness"].clone(), n));
    }
    values
}

fn shown(dir: &Path, method: Method) -> Shown {
    match method {
        Method::Generalize => {
            let rows = rows(dir, "table.csv");
            let values = rows.iter().enumerate().map(|(at, row)| (at.to_string(), vec![row["illness"].clone()]));
            Shown { values: values.collect(), tables: vec![slots(&rows, |at, _| at.to_string())] }
        }
        Method::Anatomy => Shown {
            tables: vec![slots(&rows(dir, "qit.csv"), |_, row| row["group"].clone())],
            values: counted(&rows(dir, "st.csv"), "group"),
        },
        Method::Permute => {
            let group: BTreeMap<String, String> =
                rows(dir, "mapping.csv").iter().map(|row| (row["tuple"].clone(), row["group"].clone())).collect();
            let rows = rows(dir, "permuted.csv");
            let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for row in &rows {
                values.entry(group[&row["tuple"]].clone()).or_default().push(row["illness"].clone());
            }
            Shown { tables: vec![slots(&rows, |_, row| group[&row["tuple"]].clone())], values }
        }
        Method::Angel => Shown {
            tables: ["generalized.csv", "marginal_age.csv", "marginal-age.csv"]
                .iter()
                .filter(|file| dir.join(file).exists())
                .map(|file| slots(&rows(dir, file), |_, row| row["batch"].clone()))
                .collect(),
            values: counted(&rows(dir, "batches.csv"), "batch"),
        },
        _ => panic!("{method} is not written out"),
    }
}

impl Slot {
    fn covers(&self, person: &Person) -> bool {
        self.boxes.iter().all(|(name, text)| {
            let value = if *name == "age" { person.0 } else { person.1 };
            match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                Some(ends) => {
                    let (lo, hi) = ends.split_once(',').unwrap();
                    (lo.parse::<u32>().unwrap()..=hi.parse().unwrap()).contains(&value)
                }
                None => text == "*" || text.parse() == Ok(value),
            }
        })
    }
}

/// All orders of the numbers below `n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(n - 1) {
        for at in 0..n {
            let mut longer = shorter.clone();
            longer.insert(at, n - 1);
            all.push(longer);
        }
    }
    all
}

impl Shown {
    /// The values that a person has in some world, to somebody who knows nobody else: in every table some row that covers
    /// the person is theirs, all of one group, and its values stand in some order beside its rows.
    fn candidates(&self, person: &Person) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (group, values) in &self.values {
            let own = |table: &Vec<Slot>| -> Vec<usize> {
                let members = table.iter().filter(|slot| slot.group == *group).enumerate();
                members.filter(|(_, slot)| slot.covers(person)).map(|(at, _)| at).collect()
            };
            let places: Vec<Vec<usize>> = self.tables.iter().map(own).collect();
            if places.iter().any(Vec::is_empty) {
                continue;
            }
            for order in orders(values.len()) {
                found.extend(places[0].iter().map(|&place| values[order[place]].clone()));
            }
        }
        found
    }

    /// The values that all rows of one person have in some world, to somebody who knows nobody else.
    fn joint_candidates(&self, rows: &[Person]) -> BTreeSet<String> {
        let all: BTreeSet<&String> = self.values.values().flatten().collect();
        all.into_iter().filter(|value| self.may_all_have(rows, value, &mut Vec::new())).cloned().collect()
    }

    /// Whether all rows can have a value, tried with all ways to give them rows of the first table.
    fn may_all_have(&self, rows: &[Person], value: &str, taken: &mut Vec<usize>) -> bool {
        let first = &self.tables[0];
        let Some(row) = rows.get(taken.len()) else {
            let groups: Vec<&str> = taken.iter().map(|&slot| first[slot].group.as_str()).collect();
            let enough = groups.iter().all(|group| {
                let wanted = groups.iter().filter(|other| *other == group).count();
                self.values[*group].iter().filter(|known| *known == value).count() >= wanted
            });
            return enough && self.tables[1..].iter().all(|table| fits(table, rows, &groups, &mut Vec::new()));
        };
        (0..first.len()).any(|slot| {
            !taken.contains(&slot) && first[slot].covers(row) && {
                taken.push(slot);
                let found = self.may_all_have(rows, value, taken);
                taken.pop();
                found
            }
        })
    }

    /// Whether everybody can have these values, to somebody who knows everybody: all can be given rows of the first table
    /// that cover them so that every group has its values, and rows of the same groups in all other tables.
    fn allows(&self, people: &[Person], values: &[String], orders: &[Vec<usize>]) -> bool {
        let covers =
            |table: &[Slot], order: &[usize]| people.iter().zip(order).all(|(one, &slot)| table[slot].covers(one));
        let (first, others) = self.tables.split_first().unwrap();
        orders.iter().filter(|order| covers(first, order)).any(|order| {
            let mut given: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (value, &slot) in values.iter().zip(order) {
                given.entry(&first[slot].group).or_default().push(value);
            }
            let fits = self.values.iter().all(|(group, counts)| {
                let mut one = given.remove(group.as_str()).unwrap_or_default();
                let mut other: Vec<&str> = counts.iter().map(String::as_str).collect();
                one.sort_unstable();
                other.sort_unstable();
                one == other
            });
            let same = |table: &[Slot], also: &[usize]| {
                order.iter().zip(also).all(|(&a, &b)| first[a].group == table[b].group)
            };
            fits && others.iter().all(|table| orders.iter().any(|also| same(table, also) && covers(table, also)))
        })
    }
}

/// Whether rows can have rows of a table of these groups.
fn fits(table: &[Slot], rows: &[Person], groups: &[&str], taken: &mut Vec<usize>) -> bool {
    let Some(row) = rows.get(taken.len()) else { return true };
    (0..table.len()).any(|slot| {
        !taken.contains(&slot) && table[slot].group == groups[taken.len()] && table[slot].covers(row) && {
            taken.push(slot);
            let found = fits(table, rows, groups, taken);
            taken.pop();
            found
        }
    })
}

/// Two releases of the same rows, where they can be made, and what their files show.
fn two_releases(people: &[Person], round: u64, dice: &mut Dice, home: &Path) -> Vec<(Release, Shown)> {
    let context = Context::new();
    let mut made = Vec::new();
    for at in 0..2 {
        let method = METHODS[dice.below(4) as usize];
        let job = job(method, round * 2 + at);
        let table: Table = Source::reader(std::io::Cursor::new(csv(people))).read(&job, &context).unwrap();
        if let Ok(release) = anonymize(&table, &job, &context) {
            let dir = home.join(format!("{round}-{at}"));
            release.write(&dir, &context).unwrap();
            made.push((release, shown(&dir, method)));
        }
    }
    made
}

/// Of people with several rows, whose value is the same in all of them.
#[test]
fn candidates_of_several_rows_are_those_of_all_worlds() {
    let context = Context::new();
    let mut dice = Dice(11);
    let home = tempfile::tempdir().unwrap();
    let (mut alike, mut narrowed, mut empty, mut mixed) = (0, 0, 0, 0);
    for round in 0..150 {
        // Three people, most of whose rows have the same quasi-identifiers.
        let quasi = |dice: &mut Dice| (20 + dice.below(3) as u32, dice.below(2) as u32);
        let own: Vec<(u32, u32)> = (0..3).map(|_| quasi(&mut dice)).collect();
        let person_of_row = [0u32, 0, 1, 1, 2, 0];
        let row = |&person: &u32| {
            let (age, zip) = if dice.below(5) == 0 { quasi(&mut dice) } else { own[person as usize] };
            (age, zip, dice.below(3) as u32)
        };
        let rows: Vec<Person> = person_of_row.iter().map(row).collect();
        let made = two_releases(&rows, round, &mut dice, home.path());
        let [(first, one), (second, other)] = &made[..] else { continue };
        let raw = Source::reader(std::io::Cursor::new(csv(&rows))).read_all(&context).unwrap();
        let (a, b) = (first.data(&context).unwrap(), second.data(&context).unwrap());
        let with = |varying| PeopleInBoth { rows: &raw, person_of_row: &person_of_row, varying };
        let counts = &candidate_counts(a, b, with(&[]), context.monitor()).unwrap()[0].1;
        assert_eq!(counts.len(), 3);
        for (person, counted) in (0..).zip(counts) {
            let rows_of = rows.iter().zip(person_of_row).filter(|(_, own)| *own == person);
            let rows: Vec<Person> = rows_of.map(|(row, _)| *row).collect();
            let (x, y) = (one.joint_candidates(&rows), other.joint_candidates(&rows));
            let common = x.intersection(&y).count() as u32;
            let (mine, theirs, both) = counted.expect("everybody is in both");
            let is_alike = rows.iter().all(|row| (row.0, row.1) == (rows[0].0, rows[0].1));
            if is_alike {
                assert_eq!((mine, theirs, both), (x.len() as u32, y.len() as u32, common), "{round}");
                alike += usize::from(rows.len() > 1);
            } else {
                assert!(mine >= x.len() as u32 && theirs >= y.len() as u32 && both >= common, "{round}");
                mixed += 1;
            }
            let value = format!("i{}", rows[0].2);
            if rows.iter().all(|row| row.2 == rows[0].2) {
                assert!(x.contains(&value) && y.contains(&value) && both > 0, "{round}: the truth is among them");
            }
            // Row by row, more would be left than is.
            let by_row = rows.iter().map(|row| one.candidates(row).intersection(&other.candidates(row)).count());
            narrowed += usize::from((both as usize) < by_row.min().unwrap());
            empty += usize::from(both == 0);
        }
        let told = &intersect(a, b, with(&[]), context.monitor()).unwrap()[0];
        let n = |wanted: fn(u32) -> bool| counts.iter().flatten().filter(|count| wanted(count.2)).count() as u64;
        assert_eq!((told.people, told.unplaced), (3, 0));
        assert_eq!((told.none, told.one), (n(|both| both == 0), n(|both| both == 1)), "{round}");
        let alone = counts.iter().flatten().filter(|(one, other, both)| *both == 1 && (*one == 1 || *other == 1));
        assert_eq!(told.one_alone, alone.count() as u64, "{round}");
        // Somebody with different values is judged by the row that leaves least.
        let varies: Vec<bool> = (0..3)
            .map(|person| {
                let own = rows.iter().zip(person_of_row).filter(|(_, own)| *own == person);
                own.map(|(row, _)| row.2).collect::<BTreeSet<u32>>().len() > 1
            })
            .collect();
        let varying = [("illness".to_string(), varies.clone())];
        let judged = &candidate_counts(a, b, with(&varying), context.monitor()).unwrap()[0].1;
        for (person, varies) in varies.into_iter().enumerate() {
            let own = rows.iter().zip(person_of_row).filter(|(_, own)| *own as usize == person);
            let by_row = own.map(|(row, _)| one.candidates(row).intersection(&other.candidates(row)).count() as u32);
            let expected = if varies { by_row.min().unwrap() } else { counts[person].unwrap().2 };
            assert_eq!(judged[person].unwrap().2, expected, "{round}: a row of its own is among its candidates");
        }
    }
    assert!(alike > 30 && narrowed > 10 && empty > 3 && mixed > 10, "{alike}, {narrowed}, {empty}, {mixed}");
}

#[test]
fn candidates_are_those_of_all_worlds() {
    let context = Context::new();
    let mut dice = Dice(5);
    let home = tempfile::tempdir().unwrap();
    let (mut pairs, mut narrowed, mut smaller) = (0, 0, 0);
    let all_orders = orders(5);
    for round in 0..80 {
        let person = |dice: &mut Dice| (20 + dice.below(4) as u32, dice.below(3) as u32, dice.below(3) as u32);
        let people: Vec<Person> = (0..5).map(|_| person(&mut dice)).collect();
        let made = two_releases(&people, round, &mut dice, home.path());
        let [(first, one), (second, other)] = &made[..] else { continue };
        pairs += 1;
        let raw = Source::reader(std::io::Cursor::new(csv(&people))).read_all(&context).unwrap();
        let (a, b) = (first.data(&context).unwrap(), second.data(&context).unwrap());
        let own: Vec<u32> = (0..5).collect();
        let all = PeopleInBoth { rows: &raw, person_of_row: &own, varying: &[] };
        let counts = candidate_counts(a, b, all, context.monitor()).unwrap();
        assert_eq!(counts.len(), 1);
        let (name, counts) = &counts[0];
        let counts: Vec<(u32, u32, u32)> = counts.iter().flatten().copied().collect();
        assert_eq!((name.as_str(), counts.len()), ("illness", 5));
        // What everybody may have to somebody who knows all of them.
        let mut known: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 5];
        for world in 0..3u32.pow(5) {
            let values: Vec<String> = (0..5).map(|at| format!("i{}", world / 3u32.pow(at) % 3)).collect();
            if one.allows(&people, &values, &all_orders) && other.allows(&people, &values, &all_orders) {
                known.iter_mut().zip(values).for_each(|(known, value)| {
                    known.insert(value);
                });
            }
        }
        for ((person, &(mine, theirs, both)), known) in people.iter().zip(&counts).zip(&known) {
            let (x, y) = (one.candidates(person), other.candidates(person));
            let common: BTreeSet<&String> = x.intersection(&y).collect();
            assert_eq!((mine, theirs, both), (x.len() as u32, y.len() as u32, common.len() as u32), "{round}");
            assert!(common.contains(&format!("i{}", person.2)));
            assert!(known.iter().all(|value| common.contains(value)), "{round}: the computed set is never too small");
            narrowed += usize::from(both < mine.min(theirs));
            smaller += usize::from((known.len() as u32) < both);
        }
        let told = &intersect(a, b, all, context.monitor()).unwrap()[0];
        assert_eq!(told.one, counts.iter().filter(|count| count.2 == 1).count() as u64);
        assert_eq!(told.narrowed, counts.iter().filter(|count| count.2 < count.0.min(count.1)).count() as u64);
        assert_eq!(told.least, u64::from(counts.iter().map(|count| count.2).min().unwrap()));
        assert_eq!((told.people, told.none, told.unplaced), (5, 0, 0));
    }
    assert!(pairs > 15 && narrowed > 3 && smaller > 3, "{pairs} pairs, {narrowed} narrowed, {smaller} smaller");
}

#[test]
fn people_who_have_changed_are_counted_apart() {
    let context = Context::new();
    let release = |people: &[Person]| {
        let job = job(Method::Anatomy, 1);
        let table = Source::reader(std::io::Cursor::new(csv(people))).read(&job, &context).unwrap();
        anonymize(&table, &job, &context).unwrap()
    };
    let first = release(&[(20, 1, 0), (21, 1, 1)]);
    let second = release(&[(20, 1, 2), (21, 1, 3), (22, 1, 0), (23, 1, 1)]);
    let raw = Source::reader(&b"age,zip\n20,1\n21,1\n22,1\n"[..]).read_all(&context).unwrap();
    let (a, b) = (first.data(&context).unwrap(), second.data(&context).unwrap());
    let all = PeopleInBoth { rows: &raw, person_of_row: &[0, 1, 2], varying: &[] };
    let told = &intersect(a, b, all, context.monitor()).unwrap()[0];
    // The third is in no row of the first release.
    assert_eq!((told.people, told.unplaced), (3, 1));
    let counts = &candidate_counts(a, b, all, context.monitor()).unwrap()[0].1;
    assert_eq!(counts[2], None);
    assert_eq!(told.none, counts.iter().flatten().filter(|count| count.2 == 0).count() as u64);
}
