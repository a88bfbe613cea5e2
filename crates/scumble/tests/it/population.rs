//! Requirements about boxes, against the population that the people of a table come from.

use crate::steps::{Heard, Say, failures, job, load, publish, publish_in, refusal, verify_release};
use proptest::prelude::*;
use scumble::TableFormat;
use scumble::{
    Algorithm, BoxKind, Context, Decimal, Error, Job, Method, Release, Source, Verdict, VerifyRequest, anonymize,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Somebody: age, day of birth in a month, town, job; a missing value is 0 or nothing.
type Person = (u32, u32, usize, usize);

const TOWNS: [&str; 6] = ["", "ayr", "bath", "cork", "dover", "eton"];
const JOBS: [&str; 6] = ["", "clerk", "judge", "baker", "smith", "miner"];
const TREE: &str = "clerk;office;*\njudge;office;*\nbaker;craft;*\nsmith;craft;*\nminer;craft;*\nfarmer;craft;*\n";

fn cell(n: u32, text: String) -> String {
    if n == 0 { String::new() } else { text }
}

fn line(person: &Person) -> String {
    let (age, day, town, job) = *person;
    let born = cell(day, format!("1990-03-{day:02}"));
    format!("{},{born},{},{}", cell(age, age.to_string()), TOWNS[town], JOBS[job])
}

/// Writes the data, whose people are the first of the population, and the population with columns in another order.
fn write(folder: &Path, people: &[Person], others: &[Person]) {
    let rows: String = people.iter().enumerate().map(|(at, one)| format!("{},i{}\n", line(one), at % 3)).collect();
    fs::write(folder.join("data.csv"), format!("age,born,town,job,ill\n{rows}")).unwrap();
    let all: String = people.iter().chain(others).map(|one| format!("zebedee,{}\n", line(one))).collect();
    fs::write(folder.join("all.csv"), format!("name,age,born,town,job\n{all}")).unwrap();
    fs::write(folder.join("jobs.csv"), TREE).unwrap();
    fs::write(folder.join("towns.csv"), "ayr;west;*\nbath;west;*\ncork;east;*\ndover;east;*\neton;east;*\n").unwrap();
}

fn asked(folder: &Path, method: Method, require: &[&str]) -> Job {
    let job = job(folder.join("data.csv"), folder.join("release"));
    let job = job.quasi(["age", "born", "town", "job"]).sensitive(["ill"]).requiring(require);
    job.but(|job| {
        job.input.population = Some(folder.join("all.csv"));
        job.publish.method = Some(method);
        job.output.replace = true;
        job.set("columns.job.hierarchy", &scumble::Value::text(folder.join("jobs.csv").display().to_string())).unwrap();
        // Levels that are made from the data have labels that only a release explains.
        if method == Method::FullDomain {
            let towns = folder.join("towns.csv").display().to_string();
            job.set("columns.town.hierarchy", &scumble::Value::text(towns)).unwrap();
        }
        job.set("columns.age.type", &scumble::Value::text("number")).unwrap();
        job.set("columns.born.type", &scumble::Value::text("date")).unwrap();
        job.publish.allow_sets = vec!["town".into(), "job".into()];
    })
}

fn verdict(job: &Job, population: bool) -> Verdict {
    let names = ["age", "born", "town", "job"];
    let context = Context::new();
    let read = || Source::file(job.input.population.as_ref().unwrap()).read_population(&names, &[], &context).unwrap();
    let asked = VerifyRequest { population: population.then(|| Arc::new(read())), ..VerifyRequest::default() };
    verify_release(job.out(), &asked, Some(&job.source()), None, &context).unwrap()
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut open, mut cell) = (Vec::new(), false, String::new());
    for c in line.chars() {
        match c {
            '"' => open = !open,
            ',' if !open => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells.push(cell);
    cells
}

/// Whether a published text covers a text of the data: written from the contract of a release.
fn covers(shown: &str, text: &str) -> bool {
    let list = |open: char, close: char, between: char| {
        let inside = shown.strip_prefix(open)?.strip_suffix(close)?;
        Some(inside.split(between).map(String::from).collect::<Vec<_>>())
    };
    if let Some(ends) = list('[', ']', ',') {
        let within = |lo: &str, hi: &str| match text.parse::<u32>() {
            Ok(number) => (lo.parse().unwrap()..=hi.parse().unwrap()).contains(&number),
            // Dates compare as their texts do.
            Err(_) => !text.is_empty() && (lo..=hi).contains(&text),
        };
        return within(&ends[0], &ends[1]);
    }
    if let Some(labels) = list('{', '}', '|') {
        return labels.iter().any(|label| label == text);
    }
    let under = match shown {
        "office" => ["clerk", "judge"].contains(&text),
        "craft" => ["baker", "smith", "miner"].contains(&text),
        "west" => ["ayr", "bath"].contains(&text),
        "east" => ["cork", "dover", "eton"].contains(&text),
        _ => false,
    };
    shown == "*" || shown == text || under
}

/// The boxes of a release, with their rows and the people of the population in them.
fn boxes(release: &Path, population: &[Person]) -> Vec<(u64, Vec<usize>)> {
    let text = fs::read_to_string(release.join("table.csv")).unwrap();
    let mut rows: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for line in text.lines().skip(1) {
        *rows.entry(cells(line)[1..5].to_vec()).or_default() += 1;
    }
    let inside = |shown: &Vec<String>| {
        let is_in = |one: &Person| shown.iter().zip(cells(&line(one))).all(|(shown, text)| covers(shown, &text));
        (0..population.len()).filter(|&at| is_in(&population[at])).collect()
    };
    rows.iter().map(|(shown, &rows)| (rows, inside(shown))).collect()
}

fn people(least: usize, most: usize) -> impl Strategy<Value = Vec<Person>> {
    let null = |n: u32| prop_oneof![1 => Just(0u32), 12 => 20..20 + n];
    let day = prop_oneof![1 => Just(0u32), 12 => 1u32..9];
    let label = prop_oneof![1 => Just(0usize), 12 => 1usize..6];
    prop::collection::vec((null(12), day, label, 1usize..6), least..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 30, ..ProptestConfig::default() })]

    #[test]
    fn every_box_covers_k_people(
        here in people(2, 40), others in people(0, 60), k in 1u64..9, full in any::<bool>(), relaxed in any::<bool>(),
        boxes_of in 0usize..3, suppressed in any::<bool>(), parquet in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &here, &others);
        let method = if full { Method::FullDomain } else { Method::Generalize };
        let require = format!("k-map({k})");
        let job = asked(folder.path(), method, &[&require]).but(|job| {
            job.publish.max_suppressed = suppressed.then(|| Decimal::parse("0.2").unwrap());
            if !full {
                job.publish.algorithm = relaxed.then_some(Algorithm::MondrianRelaxed);
                let plain = relaxed || suppressed;
                job.publish.boxes = if plain { None } else { [None, Some(BoxKind::Rounded), Some(BoxKind::Cells)][boxes_of] };
            }
            job.output.format = parquet.then_some(TableFormat::Parquet);
        });
        let population: Vec<Person> = here.iter().chain(&others).copied().collect();
        match publish(&job) {
            Ok(published) => {
                let found = verdict(&job, true);
                prop_assert!(found.ok, "{:?}", failures(&found));
                let without = verdict(&job, false);
                prop_assert!(!without.ok && without.failures().next().is_none());
                prop_assert_eq!(&without.unjudged, &vec![require.clone()]);
                if !parquet {
                    let boxes = boxes(job.out(), &population);
                    let least = boxes.iter().map(|(_, people)| people.len() as u64).min().unwrap();
                    prop_assert!(least >= k, "{boxes:?}");
                    let stated = &published.facts.attained[0].figures;
                    prop_assert_eq!(stated, &vec![("k".to_string(), least.to_string())]);
                }
                // A stricter population is not met by the same boxes.
                let more = VerifyRequest {
                    requirements: vec![format!("k-map({})", population.len() + 1).parse().unwrap()],
                    population: Some(Arc::new(
                        Source::file(folder.path().join("all.csv"))
                            .read_population(&["age", "born", "town", "job"], &[], &Context::new()).unwrap(),
                    )),
                    ..VerifyRequest::default()
                };
                prop_assert!(!verify_release(job.out(), &more, None, None, &Context::new()).unwrap().ok);
            }
            Err(Error::Infeasible { requirement, .. }) => {
                prop_assert_eq!(requirement, require);
                // Everybody in the data is in the population, so only fewer people than k are not enough.
                prop_assert!((population.len() as u64) < k || (here.len() as u64) < k, "{} {}", here.len(), k);
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn everybody_is_present_with_an_allowed_chance(
        here in people(2, 30), others in people(0, 90), hi in 1u32..11, lo in 0u32..5, full in any::<bool>(),
    ) {
        // Without missing values boxes of cuts and of levels share nobody, and chances are exact.
        let known = |people: &[Person]| -> Vec<Person> {
            people.iter().filter(|one| one.0 > 0 && one.1 > 0 && one.2 > 0).copied().collect()
        };
        let (here, others) = (known(&here), known(&others));
        prop_assume!(here.len() > 1);
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &here, &others);
        let (lo, hi) = (if full { f64::from(lo.min(hi)) / 10.0 } else { 0.0 }, f64::from(hi) / 10.0);
        let require = format!("delta-presence({lo}, {hi})");
        let method = if full { Method::FullDomain } else { Method::Generalize };
        // Cuts below the labels of a hierarchy make boxes that share people; sets of labels do not.
        let job = asked(folder.path(), method, &[&require]).but(|job| {
            if !full {
                job.column_mut("job").hierarchy = None;
            }
        });
        let population: Vec<Person> = here.iter().chain(&others).copied().collect();
        let overall = here.len() as f64 / population.len() as f64;
        match publish(&job) {
            Ok(_) => {
                let found = verdict(&job, true);
                prop_assert!(found.ok, "{:?}", failures(&found));
                let boxes = boxes(job.out(), &population);
                for person in 0..population.len() {
                    let around: Vec<&(u64, Vec<usize>)> = boxes.iter().filter(|(_, inside)| inside.contains(&person)).collect();
                    let chance = match &around[..] {
                        [] => 0.0,
                        [(rows, inside)] => *rows as f64 / inside.len() as f64,
                        several => panic!("{several:?}"),
                    };
                    prop_assert!(lo - 1e-12 <= chance && chance <= hi + 1e-12, "{chance} {require}");
                }
            }
            Err(Error::Infeasible { .. }) => {
                // All rows in one box that covers everybody are a way to publish, where the levels allow it.
                prop_assert!(!full || overall < lo || overall > hi, "{overall} {require}");
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn missing_values_are_promised_nothing_that_does_not_hold(here in people(2, 30), others in people(20, 90), hi in 3u32..11) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &here, &others);
        let require = format!("delta-presence(0, {})", f64::from(hi) / 10.0);
        let job = asked(folder.path(), Method::Generalize, &[&require]);
        let population: Vec<Person> = here.iter().chain(&others).copied().collect();
        match publish(&job) {
            Ok(_) => {
                prop_assert!(verdict(&job, true).ok);
                // The least that can be said: nobody is in a box of whom all are in the release, unless that is allowed.
                for (rows, inside) in boxes(job.out(), &population) {
                    prop_assert!(rows as f64 <= f64::from(hi) / 10.0 * inside.len() as f64 + 1e-9);
                }
            }
            // Boxes that share people may be beyond what can be promised; nothing is published then.
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => prop_assert!(!job.out().exists()),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

/// Forty people and as many others.
fn town() -> (Vec<Person>, Vec<Person>) {
    let person = |at: u32| (20 + at % 11, 1 + at % 8, 1 + (at as usize / 3) % 4, 1 + at as usize % 4);
    ((0..40).map(person).collect(), (7..47).map(person).collect())
}

#[test]
fn nothing_of_the_population_enters_a_release() {
    for method in [Method::Generalize, Method::FullDomain] {
        let folder = tempfile::tempdir().unwrap();
        let (here, mut others) = town();
        // An age, a day, a town and a job that nobody in the data has.
        others.extend(vec![(77, 28, 5, 5); 30]);
        write(folder.path(), &here, &others);
        let job = asked(folder.path(), method, &["k-map(6)", "k-anonymity(2)"]);
        publish(&job).unwrap();
        assert!(verdict(&job, true).ok);
        for file in fs::read_dir(job.out()).unwrap() {
            let path = file.unwrap().path();
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            // The publisher's hierarchy goes with the release as it is, and lists all jobs.
            let words = ["eton", "1990-03-28", "zebedee"];
            // So do all towns, where they have a hierarchy.
            for word in &words[usize::from(method == Method::FullDomain)..] {
                assert!(!text.contains(word), "{} tells `{word}`", path.display());
            }
            let is_page = path.ends_with("report.html");
            assert!(is_page || !text.contains("77,") && !text.contains("77]"), "{}", path.display());
        }
    }
}

#[test]
fn a_release_in_memory_remembers_its_population_until_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (here, others) = town();
    write(folder.path(), &here, &others);
    let job = asked(folder.path(), Method::Generalize, &["k-map(5)", "ill: beta-likeness(2)"]);
    let (table, context) = (load(&job).unwrap().table, Context::new());
    let release = anonymize(&table, &job, &context).unwrap();
    assert!(release.verify(None, &context).unwrap().ok && release.verdict().unwrap().ok);
    release.write(folder.path().join("written"), &context).unwrap();
    let opened = Release::open(folder.path().join("written")).unwrap();
    let found = opened.verify(None, &context).unwrap();
    assert_eq!((found.ok, &found.unjudged[..]), (false, &["k-map(5)".to_string()][..]));
    // What it says of itself is believed no more than its bytes: a manifest that claims more is found out.
    let manifest = folder.path().join("written/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"k-map(5)\"", "\"k-map(80)\"")).unwrap();
    let asked = VerifyRequest { population: table.population().cloned(), ..VerifyRequest::default() };
    let found = verify_release(&folder.path().join("written"), &asked, None, None, &context).unwrap();
    assert!(failures(&found).iter().any(|failure| failure.starts_with("require[k-map(80)]")), "{:?}", failures(&found));
}

#[test]
fn people_whom_the_population_lacks_are_counted_in_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (mut here, others) = town();
    write(folder.path(), &here, &others);
    let complete = fs::read(folder.path().join("all.csv")).unwrap();
    here.extend([(29, 8, 1, 4), (28, 8, 1, 4), (28, 8, 1, 4)]);
    write(folder.path(), &here, &others);
    fs::write(folder.path().join("all.csv"), complete).unwrap();
    let (heard, context) = Heard::listen();
    publish_in(&asked(folder.path(), Method::Generalize, &["k-map(3)"]), &context).unwrap();
    let strangers = here.iter().filter(|one| !town().0.contains(one) && !others.contains(one)).count();
    assert!(strangers > 0);
    let warning = format!("{strangers} of 43 rows have quasi-identifiers that nobody of the population has");
    assert!(heard.warnings().iter().any(|text| text.starts_with(&warning)), "{:?}", heard.warnings());
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (here, others) = town();
    write(folder.path(), &here, &others);
    let base = |require: &[&str]| asked(folder.path(), Method::Generalize, require);
    for (job, words) in [
        (base(&["k-map(5)"]).but(|job| job.publish.method = Some(Method::Anatomy)), "about boxes"),
        (base(&["k-map(5)"]).but(|job| job.publish.method = Some(Method::Permute)), "about boxes"),
        (base(&["k-map(5)", "k-anonymity(2)"]).but(|job| job.publish.method = Some(Method::Angel)), "about boxes"),
        (base(&["k-map(5)"]).but(|job| job.input.population = None), "none is named"),
        (base(&["k-anonymity(2)"]), "no requirement looks at the population"),
        (base(&["delta-presence(0.1, 0.9)"]), "full-domain"),
        (
            base(&["delta-presence(0, 0.9)"]).but(|job| job.publish.algorithm = Some(Algorithm::MondrianRelaxed)),
            "relaxed cuts",
        ),
        (base(&["delta-presence(0, 0.9)"]).but(|job| job.publish.boxes = Some(BoxKind::Rounded)), "share people"),
        (base(&["k-map(81)"]), "covers 80 people"),
        (base(&["delta-presence(0, 0.4)"]), "covers 80 people"),
        (base(&["k-map(5)"]).but(|job| job.input.population = Some("nowhere.csv".into())), "no such file"),
    ] {
        let said = refusal(publish(&job));
        assert!(said.contains(words), "{said}");
        assert!(!job.out().exists());
    }
}

#[test]
fn shares_of_people_need_one_row_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let (here, others) = town();
    write(folder.path(), &here, &others);
    let text = fs::read_to_string(folder.path().join("data.csv")).unwrap();
    let with_key = |(at, line): (usize, &str)| match at {
        0 => format!("{line},who\n"),
        _ => format!("{line},p{}\n", at / 2),
    };
    fs::write(folder.path().join("data.csv"), text.lines().enumerate().map(with_key).collect::<String>()).unwrap();
    let job = |require: &str| asked(folder.path(), Method::Generalize, &[require, "k-anonymity(2)"]).person(["who"]);
    assert!(refusal(publish(&job("delta-presence(0, 0.9)"))).contains("several rows"));
    publish(&job("k-map(5)")).unwrap();
    assert!(verdict(&job("k-map(5)"), true).ok);
}
