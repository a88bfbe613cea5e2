//! What is said of people who have several rows, once a release is attacked, compared or advised on: against the definition,
//! written out over texts.

use crate::dice::Dice;
use crate::persons::{Visit, cells, covers, visits_job, write};
use crate::steps::{Say, job, publish, verify_release};
use scumble::{
    Context, Counted, Inference, Job, Joined, Method, Persons, RawTable, Release, RiskFacts, RiskRequest, RiskTarget,
    Source, VerifyRequest, risk,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn random_visits(dice: &mut Dice, rows: u64) -> Vec<Visit> {
    let persons = 1 + dice.below(rows);
    (0..rows)
        .map(|_| {
            let (age, zip) = (20 + dice.below(6) as u32, dice.below(3) as u32);
            (dice.below(persons) as u32, age, zip, dice.below(4) as u32)
        })
        .collect()
}

fn person() -> Vec<String> {
    vec!["patient".into()]
}

fn of(known: &[&str]) -> Vec<String> {
    known.iter().map(|name| name.to_string()).collect()
}

/// The known values of a visit.
fn values(visit: &Visit, known: &[&str]) -> Vec<u32> {
    let value = |name: &&str| match *name {
        "age" => visit.1,
        "zip" => visit.2,
        _ => visit.3,
    };
    known.iter().map(value).collect()
}

/// The fewest people with the known values of any of a person's rows, for everybody.
fn fewest(visits: &[Visit], people_like: impl Fn(&Visit) -> usize) -> BTreeMap<u32, usize> {
    let mut least: BTreeMap<u32, usize> = BTreeMap::new();
    for visit in visits {
        let n = people_like(visit);
        let entry = least.entry(visit.0).or_insert(usize::MAX);
        *entry = (*entry).min(n);
    }
    least
}

fn check(facts: &scumble::AttackFacts, least: &BTreeMap<u32, usize>) {
    let profile = &facts.profile;
    let n = least.len() as f64;
    assert_eq!(profile.records, least.len() as u64);
    assert_eq!(profile.k_min, *least.values().min().unwrap() as u64, "{least:?}");
    assert_eq!(profile.k_max, *least.values().max().unwrap() as u64);
    assert_eq!(profile.unique_records, least.values().filter(|&&k| k == 1).count() as u64);
    let marketer = least.values().map(|&k| 1.0 / k as f64).sum::<f64>() / n;
    assert!((profile.marketer - marketer).abs() < 1e-12);
    let mean = least.values().sum::<usize>() as f64 / n;
    assert!((profile.k_mean_record - mean).abs() < 1e-9);
    assert!(profile.cdf.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    for line in &profile.thresholds {
        let above = least.values().filter(|&&k| 1.0 / k as f64 >= line.probability.to_f64() - 1e-12).count();
        assert_eq!(line.records, above as u64);
    }
}

#[test]
fn data_is_attacked_by_people() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(21);
    for round in 0..120 {
        let rows = 1 + dice.below(24);
        let visits = random_visits(dice, rows);
        write(folder.path(), &visits);
        let known: &[&str] =
            [&["age", "zip"][..], &["age"], &["zip", "illness"], &["age", "zip", "illness"]][round % 4];
        let people_like = |known: &[&str], visit: &Visit| {
            let alike = visits.iter().filter(|other| values(other, known) == values(visit, known));
            alike.map(|other| other.0).collect::<BTreeSet<_>>().len()
        };
        let source = Source::file(folder.path().join("visits.csv"));
        let context = Context::new();
        let (table, _) = source.read_known(&of(known), &[], &person(), None, &context).unwrap();
        let request = RiskRequest { up_to: (round % 3 == 0).then_some(known.len()), ..RiskRequest::new(of(known)) };
        let facts = risk(RiskTarget::Data(&table), &request, &context).unwrap();
        assert_eq!(facts.counted, Counted::People);
        let n_people = visits.iter().map(|visit| visit.0).collect::<BTreeSet<_>>().len() as u64;
        assert_eq!(facts.persons, Some(n_people));
        check(&facts.attack, &fewest(&visits, |visit| people_like(known, visit)));
        for one in facts.subsets.iter().flatten() {
            let names: Vec<&str> = one.attack.known.iter().map(String::as_str).collect();
            check(&one.attack, &fewest(&visits, |visit| people_like(&names, visit)));
        }
        let population = RiskRequest { population: Some(scumble::RiskPopulation::Size(n_people)), ..request.clone() };
        let journalist = risk(RiskTarget::Data(&table), &population, &context).unwrap().attack;
        assert!((journalist.journalist.unwrap() - journalist.profile.prosecutor).abs() < 1e-12);
        if n_people > 1 {
            let few = RiskRequest { population: Some(scumble::RiskPopulation::Size(n_people - 1)), ..request };
            assert!(risk(RiskTarget::Data(&table), &few, &context).is_err());
        }
    }
}

#[test]
fn one_row_for_each_person_gives_the_same_figures() {
    let folder = tempfile::tempdir().unwrap();
    let visits: Vec<Visit> = (0..60).map(|row| (row, 20 + row * 7 % 11, row % 6, row * 5 % 7)).collect();
    write(folder.path(), &visits);
    let (source, context) = (Source::file(folder.path().join("visits.csv")), Context::new());
    let data = |person: &[String]| {
        let known = of(&["age", "zip"]);
        let (table, _) = source.read_known(&known, &[], person, None, &context).unwrap();
        let request = RiskRequest { up_to: Some(2), ..RiskRequest::new(known) };
        let facts = risk(RiskTarget::Data(&table), &request, &context).unwrap();
        (facts.attack.profile, facts.subsets.unwrap().into_iter().map(|one| one.attack.profile).collect::<Vec<_>>())
    };
    assert_eq!(data(&[]), data(&person()));
    for method in [Method::Generalize, Method::Permute, Method::Anatomy] {
        let job = visits_job(folder.path(), "frequency-l-diversity(2)", method);
        publish(&job).unwrap();
        let with = attacked(&job, &["age", "zip"], true);
        let without = attacked(&job, &["age", "zip"], false);
        assert_eq!((with.attack.profile, with.inference), (without.attack.profile, without.inference), "{method}");
        assert_eq!(with.counted, Counted::People);
    }
}

/// Attacks the release of a job with its source.
fn attacked(job: &Job, known: &[&str], by_person: bool) -> RiskFacts {
    let release = Release::open(job.out()).unwrap();
    let context = Context::new();
    let keys = if by_person { person() } else { Vec::new() };
    let (source, persons): (RawTable, Option<Persons>) =
        job.source().read_persons(release.columns(), &keys, None, context.monitor()).unwrap();
    let request = RiskRequest { source: Some(&source), persons: persons.as_ref(), ..RiskRequest::new(of(known)) };
    release.risk(&request, &context).unwrap()
}

/// The groups of a table of boxes: their boxes, and their rows.
fn groups(release: &Path) -> BTreeMap<String, (Vec<String>, usize)> {
    let text = fs::read_to_string(release.join("table.csv")).unwrap();
    let mut groups: BTreeMap<String, (Vec<String>, usize)> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells = cells(line);
        groups.entry(cells[0].clone()).or_insert((cells[1..3].to_vec(), 0)).1 += 1;
    }
    groups
}

#[test]
fn generalized_releases_are_attacked_by_people() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(5);
    let (mut published, mut repeated) = (0, 0);
    for round in 0..80 {
        let rows = 6 + dice.below(40);
        let visits = random_visits(dice, rows);
        write(folder.path(), &visits);
        let require = ["k-anonymity(2)", "distinct-l-diversity(2)"][round % 2];
        let job = visits_job(folder.path(), require, Method::Generalize);
        if publish(&job).is_err() {
            continue;
        }
        published += 1;
        let groups = groups(job.out());
        let inside = |boxes: &[String], visit: &Visit, known: &[&str]| {
            (!known.contains(&"age") || covers(&boxes[0], visit.1))
                && (!known.contains(&"zip") || covers(&boxes[1], visit.2))
        };
        let own = |visit: &Visit| {
            let around: Vec<&String> = groups
                .iter()
                .filter(|(_, (boxes, _))| inside(boxes, visit, &["age", "zip"]))
                .map(|one| one.0)
                .collect();
            assert_eq!(around.len(), 1, "boxes of strict cuts do not overlap");
            around[0].clone()
        };
        let homes: Vec<String> = visits.iter().map(own).collect();
        for known in [&["age", "zip"][..], &["age"], &["zip"]] {
            let facts = attacked(&job, known, true);
            let behind = |visit: &Visit| -> Vec<&Visit> {
                let telling = |home: &String| inside(&groups[home].0, visit, known);
                visits.iter().zip(&homes).filter(|(_, home)| telling(home)).map(|(other, _)| other).collect()
            };
            let people = |visits: &[&Visit]| visits.iter().map(|visit| visit.0).collect::<BTreeSet<_>>().len();
            let persons = visits.iter().map(|visit| visit.0).collect::<BTreeSet<_>>().len();
            repeated += usize::from(persons < visits.len());
            assert!(!facts.attack.at_least && facts.counted == Counted::People);
            check(&facts.attack, &fewest(&visits, |visit| people(&behind(visit))));
            let share = |all: &[&Visit], is: &dyn Fn(&Visit) -> bool| {
                let with: Vec<&Visit> = all.iter().copied().filter(|visit| is(visit)).collect();
                people(&with) as f64 / people(all) as f64
            };
            let whole: Vec<&Visit> = visits.iter().collect();
            check_beliefs(facts.inference.as_ref().unwrap(), &visits, &|visit| {
                let behind = behind(visit);
                let most = (0..4).map(|illness| share(&behind, &|other| other.3 == illness)).fold(0.0, f64::max);
                let own = share(&behind, &|other| other.3 == visit.3);
                let most_before = (0..4).map(|illness| share(&whole, &|other| other.3 == illness)).fold(0.0, f64::max);
                [(most, most_before), (own, share(&whole, &|other| other.3 == visit.3))]
            });
        }
    }
    assert!(published > 30 && repeated > 50, "{published} {repeated}");
}

/// Compares beliefs with what is believed of each row, by homogeneity and by truth, after and before.
fn check_beliefs(found: &[Inference], visits: &[Visit], told: &dyn Fn(&Visit) -> [(f64, f64); 2]) {
    assert_eq!(found.iter().map(|one| one.attack).collect::<Vec<_>>(), ["homogeneity", "truth"]);
    for (at, one) in found.iter().enumerate() {
        let mut best: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for visit in visits {
            let (after, before) = told(visit)[at];
            let known = best.entry(visit.0).or_insert((after, before));
            let same = (after - known.0).abs() < 1e-9;
            if !same && after > known.0 || same && before < known.1 {
                *known = (after, before);
            }
        }
        let n = best.len() as f64;
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| best.values().map(of).sum::<f64>() / n;
        assert_eq!(one.people, best.len() as u64);
        assert!((one.mean - sum(&|belief| belief.0)).abs() < 1e-9, "{one:?} {best:?}");
        assert!((one.prior - sum(&|belief| belief.1)).abs() < 1e-9, "{one:?} {best:?}");
        let above = best.values().filter(|belief| belief.0 > 0.5 + 1e-9).count();
        let newly = best.values().filter(|belief| belief.0 > 0.5 + 1e-9 && belief.1 <= 0.5 + 1e-9).count();
        assert_eq!((one.above, one.newly_above), (above as u64, newly as u64), "{one:?}");
    }
}

#[test]
fn permuted_releases_are_attacked_by_people() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(77);
    let (mut certain, mut published) = (0, 0);
    for _ in 0..50 {
        let rows = 8 + dice.below(30);
        let visits = random_visits(dice, rows);
        write(folder.path(), &visits);
        let job = visits_job(folder.path(), "k-anonymity(2)", Method::Permute);
        if publish(&job).is_err() {
            continue;
        }
        published += 1;
        let facts = attacked(&job, &["age", "zip"], true);
        let people_like = |visit: &Visit| {
            let alike = visits.iter().filter(|other| (other.1, other.2) == (visit.1, visit.2));
            alike.map(|other| other.0).collect::<BTreeSet<_>>().len()
        };
        check(&facts.attack, &fewest(&visits, people_like));
        certain += usize::from(facts.inference.unwrap().iter().all(|one| one.counted == Counted::People));
    }
    assert!(published > 15 && certain > 2, "{published} {certain}");
}

/// The rows of a table of boxes: boxes by column, and the batch.
fn box_rows(dir: &Path, file: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(dir.join(file)).unwrap();
    let mut lines = text.lines();
    (cells(lines.next().unwrap()), lines.map(cells).collect())
}

/// A brute-force join: how many rows are narrowed down, and the fewest candidates.
fn joined_by_hand(dir: &Path, visits: &[Visit], k: usize) -> (u64, u64) {
    let left = left_by_hand(dir, visits);
    (left.iter().filter(|&&n| n < k).count() as u64, *left.iter().min().unwrap() as u64)
}

/// For every row of the source the fewest people who can have as many of the rows near it in every table as are left of it.
fn people_left_by_hand(dir: &Path, visits: &[Visit], left: &[usize]) -> Vec<usize> {
    let tables: Vec<_> =
        ["generalized.csv", "marginal-age.csv", "marginal-zip.csv"].map(|file| box_rows(dir, file)).into();
    // The boxes around a visit in each table.
    let boxes = |visit: &Visit| -> Vec<BTreeSet<Vec<String>>> {
        let of_table = |(header, rows): &(Vec<String>, Vec<Vec<String>>)| {
            let shown = |row: &Vec<String>| {
                let both = header.iter().zip(row).filter(|(name, _)| matches!(name.as_str(), "age" | "zip"));
                both.map(|(_, shown)| shown.clone()).collect::<Vec<String>>()
            };
            let around = rows.iter().filter(|row| {
                header.iter().zip(row.iter()).all(|(name, shown)| match name.as_str() {
                    "age" => covers(shown, visit.1),
                    "zip" => covers(shown, visit.2),
                    _ => true,
                })
            });
            around.map(shown).collect()
        };
        tables.iter().map(of_table).collect()
    };
    let all: Vec<_> = visits.iter().map(boxes).collect();
    let people = |(own, &left): (&Vec<BTreeSet<Vec<String>>>, &usize)| {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for (visit, other) in visits.iter().zip(&all) {
            if own.iter().zip(other).all(|(own, other)| !own.is_disjoint(other)) {
                *counts.entry(visit.0).or_default() += 1;
            }
        }
        let mut counts: Vec<usize> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let (mut found, mut people) = (0, 0);
        for count in counts {
            if found >= left {
                break;
            }
            (found, people) = (found + count, people + 1);
        }
        people
    };
    all.iter().zip(left).map(people).collect()
}

/// For every row of the source the candidates of a join: batch by batch, the fewest rows around it that any table has.
fn left_by_hand(dir: &Path, visits: &[Visit]) -> Vec<usize> {
    let tables: Vec<_> =
        ["generalized.csv", "marginal-age.csv", "marginal-zip.csv"].map(|file| box_rows(dir, file)).into();
    let mut left = Vec::new();
    for visit in visits {
        let mut common: Option<BTreeMap<String, usize>> = None;
        for (header, rows) in &tables {
            let around = rows.iter().filter(|row| {
                header.iter().zip(row.iter()).all(|(name, shown)| match name.as_str() {
                    "age" => covers(shown, visit.1),
                    "zip" => covers(shown, visit.2),
                    _ => true,
                })
            });
            let batch = header.iter().position(|name| name == "batch").unwrap();
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            around.for_each(|row| *counts.entry(row[batch].clone()).or_default() += 1);
            common = Some(match common {
                None => counts,
                Some(before) => {
                    let both = |(batch, n): (String, usize)| counts.get(&batch).map(|m| (batch, n.min(*m)));
                    before.into_iter().filter_map(both).collect()
                }
            });
        }
        left.push(common.unwrap().values().sum::<usize>());
    }
    left
}

#[test]
fn joined_figures_count_people_and_not_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(17);
    let (mut published, mut fewer, mut narrowed, mut unjudged) = (0, 0, 0, 0);
    for round in 0..60 {
        let n = 40 + dice.below(60);
        let persons = n / 2;
        let visits: Vec<Visit> = (0..n)
            .map(|row| {
                let (age, zip) = (20 + dice.below(12) as u32, dice.below(9) as u32);
                (dice.below(persons) as u32, age, zip, (row % 7) as u32)
            })
            .collect();
        write(folder.path(), &visits);
        let job = visits_job(folder.path(), "frequency-l-diversity(2)", Method::Angel).but(|job| {
            job.publish.angel_k = Some(5);
            job.publish.marginal = vec![of(&["age"]), of(&["zip"])];
            job.publish.seed = Some(round);
            job.publish.insecure_seed = true;
        });
        let Ok(found) = publish(&job) else { continue };
        published += 1;
        let rows_left = left_by_hand(job.out(), &visits);
        let left = people_left_by_hand(job.out(), &visits, &rows_left);
        let k = found.facts.joined.unwrap().k as usize;
        let mut least: BTreeMap<u32, usize> = BTreeMap::new();
        for (visit, &left) in visits.iter().zip(&left) {
            let known = least.entry(visit.0).or_insert(left);
            *known = left.min(*known);
        }
        let people = least.values().filter(|&&left| left < k).count() as u64;
        let rows = rows_left.iter().filter(|&&left| left < k).count() as u64;
        fewer += usize::from(people < rows);
        let wanted = Joined {
            tables: 3,
            k: k as u64,
            counted: Counted::People,
            narrowed: people,
            exact: true,
            least: *left.iter().min().unwrap() as u64,
        };
        assert_eq!(found.facts.joined, Some(wanted), "the publisher is told");
        let document = serde_json::to_value(wanted).unwrap();
        assert_eq!((&document["counted"], &document["people"]), (&"persons".into(), &people.into()));
        assert!(document.get("rows").is_none());
        let asked = VerifyRequest { person: person(), ..VerifyRequest::default() };
        let verdict = verify_release(job.out(), &asked, Some(&job.source()), None, &Context::new()).unwrap();
        assert_eq!(verdict.joined, Some(wanted));
        let judged = verdict.persons.as_ref().unwrap();
        let warned = verdict.warnings.iter().any(|warning| warning.contains("judged by people"));
        assert_eq!(warned, judged.judged < judged.groups, "{judged:?} {:?}", verdict.warnings);
        unjudged += usize::from(warned);
        // Without persons, or without the source, rows are what is counted, and what is said.
        let repeated = least.len() < visits.len();
        let by_rows = verify_release(job.out(), &VerifyRequest::default(), Some(&job.source()), None, &Context::new());
        let alone = verify_release(job.out(), &VerifyRequest::default(), None, None, &Context::new()).unwrap();
        let by_rows = by_rows.unwrap().joined.unwrap();
        assert_eq!((by_rows.counted == Counted::Rows, by_rows.narrowed), (repeated, rows));
        let alone = alone.joined.unwrap();
        assert!((alone.counted == Counted::Rows) == repeated && alone.narrowed >= rows);
        assert!(!repeated || !alone.summary().contains("people"), "{}", alone.summary());
        // The attack takes what the tables tell together into account, and nobody is said to be safer than that.
        let facts = attacked(&job, &["age", "zip"], true);
        assert_eq!((facts.joined, facts.counted), (Some(wanted), Counted::People));
        let profile = &facts.attack.profile;
        assert!(profile.k_min <= wanted.least && profile.prosecutor >= 1.0 / wanted.least as f64);
        assert!(profile.unique_records >= least.values().filter(|&&left| left == 1).count() as u64);
        let marketer = least.values().map(|&left| 1.0 / left as f64).sum::<f64>() / least.len() as f64;
        assert!(profile.marketer >= marketer - 1e-12);
        if facts.attack.table.as_deref() == Some(scumble::JOINED_TABLES) {
            assert!(facts.attack.at_most || !repeated);
            narrowed += 1;
        }
    }
    assert!(published > 15 && fewer > 8 && narrowed > 5 && unjudged > 3, "{published} {fewer} {narrowed} {unjudged}");
}

/// Known values and group of each record.
type ExactRecords = Vec<((u32, u32), String)>;

/// Where the records of a release are, and the values of each group.
fn exact_records(dir: &Path, method: Method) -> (ExactRecords, BTreeMap<String, Vec<u32>>) {
    let number = |text: &str| text.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().unwrap();
    let mut values: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut records = Vec::new();
    match method {
        Method::Anatomy => {
            let (header, rows) = box_rows(dir, "qit.csv");
            let at = |name: &str| header.iter().position(|known| known == name).unwrap();
            for row in &rows {
                records.push(((number(&row[at("age")]), number(&row[at("zip")])), row[at("group")].clone()));
            }
            let (header, rows) = box_rows(dir, "st.csv");
            let at = |name: &str| header.iter().position(|known| known == name).unwrap();
            for row in &rows {
                let here = values.entry(row[at("group")].clone()).or_default();
                here.extend((0..number(&row[at("count")])).map(|_| number(&row[at("illness")])));
            }
        }
        _ => {
            let (_, mapping) = box_rows(dir, "mapping.csv");
            let group: BTreeMap<&str, &str> = mapping.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
            let (header, rows) = box_rows(dir, "permuted.csv");
            let at = |name: &str| header.iter().position(|known| known == name).unwrap();
            for row in &rows {
                let group = group[row[0].as_str()].to_string();
                values.entry(group.clone()).or_default().push(number(&row[at("illness")]));
                records.push(((number(&row[at("age")]), number(&row[at("zip")])), group));
            }
        }
    }
    (records, values)
}

#[test]
fn beliefs_about_people_whose_records_are_known_count_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(31);
    let (mut published, mut certain, mut beyond) = (0, 0, 0);
    for round in 0..60 {
        // Known values say who it is: which records are whose is seen.
        let persons = 4 + dice.below(5) as u32;
        let rows = persons as u64 + dice.below(20);
        let visits: Vec<Visit> = (0..rows)
            .map(|row| {
                let person = if row < persons.into() { row as u32 } else { dice.below(persons.into()) as u32 };
                (person, 20 + person, dice.below(2) as u32, dice.below(4) as u32)
            })
            .collect();
        write(folder.path(), &visits);
        let method = [Method::Permute, Method::Anatomy][round % 2];
        let job = visits_job(folder.path(), ["k-anonymity(2)", "frequency-l-diversity(2)"][round % 2], method);
        if publish(&job).is_err() {
            continue;
        }
        let facts = attacked(&job, &["age", "zip"], true);
        let found = facts.inference.unwrap();
        if facts.counted != Counted::People || facts.persons.is_none_or(|n| n >= rows) {
            continue;
        }
        let (records, values) = exact_records(job.out(), method);
        // Whether anybody could be without a value: all ways to hand the values of a group to its records are tried.
        let open = |person: u32, illness: u32| -> f64 {
            let mut open = 1.0;
            for (group, values) in &values {
                let own = records.iter().filter(|record| record.1 == *group && record.0.0 == 20 + person).count();
                let size = values.len();
                let have: u32 = (0..size).filter(|&at| values[at] == illness).map(|at| 1 << at).sum();
                let sets = (0u32..1 << size).filter(|set| set.count_ones() as usize == own);
                let all = sets.clone().count();
                open *= sets.filter(|set| set & have == 0).count() as f64 / all as f64;
            }
            open
        };
        if values.values().any(|values| values.len() > 14) {
            continue;
        }
        published += 1;
        let people: BTreeSet<u32> = visits.iter().map(|visit| visit.0).collect();
        let most = |person: &u32| (0..4).map(|illness| 1.0 - open(*person, illness)).fold(0.0, f64::max);
        let own = |person: &u32| {
            let own = visits.iter().filter(|visit| visit.0 == *person);
            own.map(|visit| 1.0 - open(*person, visit.3)).fold(0.0, f64::max)
        };
        let told: [(&str, Vec<f64>); 2] =
            [("homogeneity", people.iter().map(most).collect()), ("truth", people.iter().map(own).collect())];
        for (one, (attack, beliefs)) in found.iter().zip(told) {
            assert_eq!((one.attack, one.counted, one.people), (attack, Counted::People, people.len() as u64));
            let mean = beliefs.iter().sum::<f64>() / beliefs.len() as f64;
            let largest = beliefs.iter().copied().fold(0.0, f64::max);
            assert!((one.mean - mean).abs() < 1e-9, "{method} {attack} {} {mean}", one.mean);
            assert!((one.largest - largest).abs() < 1e-9, "{method} {attack}");
            assert_eq!(one.above, beliefs.iter().filter(|belief| **belief > 0.5 + 1e-9).count() as u64);
            certain += usize::from(one.largest == 1.0);
            beyond += usize::from(one.largest > 0.6);
        }
    }
    // Groups are merged until nothing is certain of anybody.
    assert!(published > 20 && certain == 0 && beyond > 20, "{published} {certain} {beyond}");
}

#[test]
fn tables_of_an_angel_release_are_joined_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(3);
    let mut narrowed = 0;
    for round in 0..40 {
        let n = 30 + dice.below(40) as u32;
        let visits: Vec<Visit> =
            (0..n).map(|row| (row, 20 + dice.below(12) as u32, dice.below(9) as u32, row % 5)).collect();
        write(folder.path(), &visits);
        let job = job(folder.path().join("visits.csv"), folder.path().join("release"))
            .quasi(["age", "zip"])
            .sensitive(["illness"])
            .drop_rest()
            .requiring(&["frequency-l-diversity(2)"])
            .but(|job| {
                job.publish.method = Some(Method::Angel);
                job.publish.angel_k = Some(5);
                job.publish.marginal = vec![of(&["age"]), of(&["zip"])];
                job.publish.seed = Some(round);
                job.publish.insecure_seed = true;
                job.output.replace = true;
            });
        let published = publish(&job).unwrap();
        let (people, least) = joined_by_hand(job.out(), &visits, 5);
        let wanted = Joined { tables: 3, k: 5, counted: Counted::Rows, narrowed: people, exact: true, least };
        assert_eq!(published.facts.joined, Some(wanted), "the publisher is told");
        let verdict =
            verify_release(job.out(), &VerifyRequest::default(), Some(&job.source()), None, &Context::new()).unwrap();
        assert_eq!(verdict.joined, Some(wanted));
        let facts = attacked(&job, &["age", "zip"], false);
        assert_eq!(facts.joined, Some(wanted));
        assert!(facts.attack.profile.k_min <= least);
        if facts.attack.table.as_deref() == Some(scumble::JOINED_TABLES) {
            assert_eq!(facts.attack.profile.k_min, least);
            narrowed += 1;
        }
        // Without the source the figure is a bound, and never better than the truth.
        let release = Release::open(job.out()).unwrap();
        let alone = release.risk(&RiskRequest::default(), &Context::new()).unwrap().joined.unwrap();
        assert!(!alone.exact && alone.least <= least && alone.narrowed >= people);
    }
    assert!(narrowed > 3, "{narrowed}");
}

#[test]
fn the_verifier_says_how_many_groups_it_judged() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(9);
    let asked = VerifyRequest { person: person(), ..VerifyRequest::default() };
    let (mut certain, mut open) = (0, 0);
    for round in 0..90 {
        let rows = 8 + dice.below(40);
        let visits = random_visits(dice, rows);
        write(folder.path(), &visits);
        let method = [Method::Generalize, Method::Permute, Method::Anatomy][round % 3];
        // Made by rows, so that people are not promised anything.
        let require = ["k-anonymity(3)", "distinct-l-diversity(2)", "frequency-l-diversity(2)"][round % 3];
        let job = visits_job(folder.path(), require, method).but(|job| {
            job.columns.retain(|(name, _)| name != "patient");
            job.publish.drop_rest = true;
        });
        if publish(&job).is_err() {
            continue;
        }
        let verdict = verify_release(job.out(), &asked, Some(&job.source()), None, &Context::new()).unwrap();
        let Some(judged) = verdict.persons.clone() else { continue };
        let check = verdict.checks.iter().find(|check| check.name == "persons").unwrap();
        assert!(judged.judged <= judged.groups && judged.failing <= judged.judged);
        assert_eq!(check.ok, judged.failing == 0, "{check:?} {judged:?}");
        if judged.judged == judged.groups {
            certain += 1
        } else {
            open += 1
        }
        if method == Method::Generalize && judged.judged == judged.groups {
            let groups = groups(job.out());
            let fails = groups.values().filter(|(boxes, _)| {
                let inside = visits.iter().filter(|visit| covers(&boxes[0], visit.1) && covers(&boxes[1], visit.2));
                inside.map(|visit| visit.0).collect::<BTreeSet<_>>().len() < 3
            });
            assert_eq!(judged.failing, fails.count() as u64);
        }
    }
    assert!(certain > 20 && open > 2, "{certain} {open}");
}
