//! Work that is cancelled at any stage, at its beginning or in the middle, says so and leaves nothing behind.

use crate::steps::{Say, job, load, source_rows, verify_release};
use scumble::{
    AdviseRequest, BoundsRequest, Cancellation, CompareRequest, ComparisonFolder, Context, Decimal,
    DissimilarityRequest, Error, EvaluateRequest, ExtendRequest, FromFile, HierarchyRequest, Job, Kind, Method,
    Mixtures, Progress, Release, Result, RiskRequest, RiskTarget, Source, Stage, Sweep, advise, advise_dissimilarity,
    anonymize, build_hierarchies, compare, evaluate, field_in_backticks, inspect, read_distance, risk,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// When to cancel.
#[derive(Debug, Clone, Copy, PartialEq)]
enum When {
    Never,
    /// When the stage of this number begins.
    Begins(usize),
    /// When the stage of this number has advanced this number of times.
    Advances(usize, usize),
}

/// Hears of stages, remembers them with the number of times that they advanced, and cancels when told to.
struct Listener {
    when: When,
    cancellation: Cancellation,
    heard: Mutex<Vec<(Stage, usize)>>,
}

impl Progress for Listener {
    fn begin(&self, stage: Stage, _total: Option<u64>) {
        let mut heard = self.heard.lock().unwrap();
        heard.push((stage, 0));
        if self.when == When::Begins(heard.len() - 1) {
            self.cancellation.cancel();
        }
    }

    fn advance(&self, _amount: u64) {
        let mut heard = self.heard.lock().unwrap();
        let at = heard.len().checked_sub(1);
        let Some((_, times)) = heard.last_mut() else { return };
        *times += 1;
        if at.is_some_and(|at| self.when == When::Advances(at, *times)) {
            self.cancellation.cancel();
        }
    }
}

/// Does some work on one thread, so that it advances in the same way each time; tells what came of it, and the stages.
fn listened(work: &dyn Fn(&Context) -> Result<()>, when: When) -> (Result<()>, Vec<(Stage, usize)>) {
    let cancellation = Cancellation::default();
    let listener = Arc::new(Listener { when, cancellation: cancellation.clone(), heard: Mutex::default() });
    let context = Context::new().with_threads(1).unwrap().with_seed(5);
    let done = work(&context.with_cancellation(cancellation).with_progress(listener.clone()));
    let heard = listener.heard.lock().unwrap().clone();
    (done, heard)
}

/// Every file of a folder, and of those in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.insert(path.clone(), Vec::new());
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// Cancels work before it starts, at every stage and in the middle of every stage. `undo` takes back what finished work
/// left. Gives the stages that it went through.
fn cancelled_everywhere(
    what: &str,
    folder: &Path,
    work: &dyn Fn(&Context) -> Result<()>,
    undo: &dyn Fn(),
) -> Vec<Stage> {
    let before = files(folder);
    let (done, stages) = listened(work, When::Never);
    done.unwrap_or_else(|error| panic!("{what}: {error}"));
    undo();
    assert_eq!(files(folder), before, "{what}: what was finished is not undone");
    let context = Context::new();
    context.cancellation().cancel();
    assert_eq!(work(&context), Err(Error::Cancelled), "{what}, before it starts");
    assert_eq!(files(folder), before, "{what}, before it starts");
    for (at, (stage, times)) in stages.iter().enumerate() {
        let mut moments = vec![When::Begins(at)];
        moments.extend((*times > 0).then(|| When::Advances(at, times.div_ceil(2))));
        for when in moments {
            let (done, _) = listened(work, when);
            if *stage == Stage::Remove {
                // The new release is in its place by then.
                assert_eq!(done, Ok(()), "{what}, {stage:?}, {when:?}");
                undo();
            } else {
                assert_eq!(done, Err(Error::Cancelled), "{what}, {stage:?}, {when:?} of {times}");
            }
            assert_eq!(files(folder).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{what}, {when:?}");
            assert!(files(folder) == before, "{what}, {stage:?}, {when:?}");
        }
    }
    stages.into_iter().map(|(stage, _)| stage).collect()
}

/// People with a number, a label under a hierarchy and a date, and two sensitive columns.
fn people(folder: &Path) -> Job {
    let mut text = String::from("age,town,born,illness,pay\n");
    for i in 0..300u32 {
        let town = ["Ghent", "Bruges", "Porto", "Braga"][(i * i % 4) as usize];
        let illness = ["flu", "gout", "mumps", "angina"][(i * 7 % 4) as usize];
        let born = format!("19{}-0{}-1{}", 50 + i % 40, 1 + i % 9, i % 9);
        text += &format!("{},{town},{born},{illness},{}\n", 20 + i * 7 % 45, 1000 + i * 37 % 191);
    }
    fs::write(folder.join("people.csv"), text).unwrap();
    fs::write(folder.join("towns.csv"), "Ghent;BE;*\nBruges;BE;*\nPorto;PT;*\nBraga;PT;*\n").unwrap();
    let job = job(folder.join("people.csv"), folder.join("release")).quasi(["age", "town", "born"]);
    job.sensitive(["illness", "pay"]).requiring(&["k-anonymity(3)"]).but(|job| {
        job.column_mut("town").hierarchy = Some(FromFile::file(folder.join("towns.csv")));
    })
}

/// Jobs of every method, and of requirements with a search of their own.
fn jobs(folder: &Path) -> Vec<(String, Job)> {
    let base = people(folder);
    let of_method = |&method: &Method| {
        let job = base.clone().but(|job| {
            job.publish.method = Some(method);
            job.publish.marginal = if method == Method::Angel { vec![vec!["age".into()]] } else { Vec::new() };
        });
        (method.to_string(), job)
    };
    let mut jobs: Vec<(String, Job)> = Method::ALL.iter().map(of_method).collect();
    let near = base.clone().requiring(&["pay: proximity-absolute(5, 3)"]);
    jobs.push(("mixtures".into(), near.clone().but(|job| job.publish.mixtures = Some(Mixtures::Hold))));
    jobs.push(("proximity".into(), near));
    let apart = base.clone().requiring(&["pay: dissimilarity(0.05, 0.5, 4)"]);
    jobs.push(("dissimilarity".into(), apart.but(|job| job.publish.distance = "pay:range".parse().ok())));
    let narrow = base.clone().requiring(&["pay: ke-anonymity(3, 10)"]).drop_rest();
    jobs.push(("ke".into(), narrow.but(|job| job.columns.retain(|(name, _)| name != "illness"))));
    jobs
}

fn nothing() {}

#[test]
fn reading() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).but(|job| {
        job.rules = Job::from_toml("[rules]\nx = { when = \"age < 30\", delete = true }").unwrap().rules;
    });
    let text = fs::read(folder.path().join("people.csv")).unwrap();
    let reader = |context: &Context| Source::reader(std::io::Cursor::new(text.clone())).load(&job, context).map(|_| ());
    assert_eq!(cancelled_everywhere("a reader", folder.path(), &reader, &nothing), [Stage::Read]);
    let file = |context: &Context| job.source().load(&job, context).map(|_| ());
    assert_eq!(cancelled_everywhere("a file", folder.path(), &file, &nothing), [Stage::Read]);
    let all = |context: &Context| job.source().read_all(context).map(|_| ());
    assert_eq!(cancelled_everywhere("all columns", folder.path(), &all, &nothing), [Stage::Read]);
    let known = ["age".to_string(), "town".into()];
    let known = |context: &Context| job.source().read_known(&known, &[], &[], None, context).map(|_| ());
    assert_eq!(cancelled_everywhere("known columns", folder.path(), &known, &nothing), [Stage::Read]);
}

#[test]
fn releases_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for (name, job) in jobs(folder.path()) {
        let table = load(&job).unwrap().table;
        let work = |context: &Context| anonymize(&table, &job, context).map(|_| ());
        let stages = cancelled_everywhere(&name, folder.path(), &work, &nothing);
        assert!(stages.contains(&Stage::Partition), "{name}: {stages:?}");
    }
}

#[test]
fn releases_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (name, job) in jobs(folder.path()) {
        let table = load(&job).unwrap().table;
        let work = |context: &Context| scumble::publish(&table, &job, context).map(|_| ());
        let undo = || {
            fs::remove_dir_all(job.out()).unwrap();
            let _ = fs::remove_file(job.out().with_extension("private-batches"));
        };
        let stages = cancelled_everywhere(&name, folder.path(), &work, &undo);
        for stage in [Stage::Partition, Stage::Write, Stage::Flush, Stage::Verify, Stage::Place] {
            assert!(stages.contains(&stage), "{name}: {stages:?}");
        }
        let release = anonymize(&table, &job, &Context::new().with_seed(5)).unwrap();
        let write = |context: &Context| release.write(job.out(), context).map(|_| ());
        cancelled_everywhere(&format!("{name}, written"), folder.path(), &write, &undo);
    }
}

#[test]
fn a_release_that_is_replaced_stays_until_the_new_one_stands() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path()).but(|job| job.output.replace = true);
    let table = load(&job).unwrap().table;
    let seeded = Context::new().with_seed(1);
    scumble::publish(&table, &job, &seeded).unwrap();
    let old = files(job.out());
    let work = |context: &Context| scumble::publish(&table, &job, context).map(|_| ());
    let undo = || {
        assert_ne!(files(job.out()), old);
        scumble::publish(&table, &job, &seeded).unwrap();
    };
    let stages = cancelled_everywhere("replaced", folder.path(), &work, &undo);
    assert!(stages.contains(&Stage::Remove), "{stages:?}");
}

/// A release of a method, and the job that it was made with.
fn published(folder: &Path, method: Method) -> Job {
    let job = people(folder).but(|job| job.publish.method = Some(method));
    scumble::publish(&load(&job).unwrap().table, &job, &Context::new().with_seed(3)).unwrap();
    job
}

#[test]
fn tables_that_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let job = published(folder.path(), Method::Angel);
    let kept = files(folder.path());
    let request = ExtendRequest { marginals: vec![vec!["age".into()]], ..ExtendRequest::default() };
    let work = |context: &Context| Release::open(job.out())?.extend(&job.source(), None, &request, context).map(|_| ());
    let undo = || {
        fs::remove_dir_all(job.out()).unwrap();
        fs::create_dir(job.out()).unwrap();
        kept.iter().filter(|(path, _)| path.starts_with(job.out()) && *path != job.out()).for_each(|(path, bytes)| {
            fs::write(path, bytes).unwrap();
        });
    };
    let stages = cancelled_everywhere("an added table", folder.path(), &work, &undo);
    for stage in [Stage::Read, Stage::Partition, Stage::Write, Stage::Verify, Stage::Place] {
        assert!(stages.contains(&stage), "{stages:?}");
    }
}

#[test]
fn verifying_evaluating_and_attacking() {
    for method in [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel] {
        let folder = tempfile::tempdir().unwrap();
        let job = published(folder.path(), method);
        let source = load(&job).unwrap().table;
        let rows = source_rows(&Release::open(job.out()).unwrap(), &job.source(), None).unwrap();
        let what = |word: &str| format!("{word} {method}");

        let verify = |context: &Context| {
            verify_release(job.out(), &Default::default(), Some(&job.source()), None, context).map(|_| ())
        };
        cancelled_everywhere(&what("verify"), folder.path(), &verify, &nothing);

        let bounds = (method == Method::Permute).then(|| BoundsRequest { spans: vec![5.0], ..BoundsRequest::new() });
        let request = EvaluateRequest {
            queries: 40,
            sensitive: Some("pay".into()),
            reconstruct: vec![vec!["age".into()]],
            bounds,
            ..EvaluateRequest::new()
        };
        let opened = |context: &Context| evaluate(&Release::open(job.out())?, &rows, &request, context).map(|_| ());
        cancelled_everywhere(&what("evaluate an opened release of"), folder.path(), &opened, &nothing);
        // A release reads its tables once, so that every attempt has a new one.
        let in_memory = |context: &Context| {
            let made = anonymize(&source, &job, &Context::new().with_seed(3))?;
            made.evaluate(&source, &request, context).map(|_| ())
        };
        cancelled_everywhere(&what("evaluate a release in memory of"), folder.path(), &in_memory, &nothing);

        let request =
            RiskRequest { up_to: Some(2), source: Some(&rows), epsilon: Decimal::parse("5"), ..RiskRequest::default() };
        let attack = |context: &Context| Release::open(job.out())?.risk(&request, context).map(|_| ());
        let stages = cancelled_everywhere(&what("attack"), folder.path(), &attack, &nothing);
        assert!(stages.contains(&Stage::Attack), "{stages:?}");
    }
}

#[test]
fn attacking_data() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    let known: Vec<String> = ["age", "town", "born"].map(String::from).to_vec();
    let (table, _) = job.source().read_known(&known, &[], &[], None, &Context::new()).unwrap();
    let request = RiskRequest { up_to: Some(3), ..RiskRequest::new(known) };
    let work = |context: &Context| risk(RiskTarget::Data(&table), &request, context).map(|_| ());
    assert!(cancelled_everywhere("attack data", folder.path(), &work, &nothing).contains(&Stage::Attack));
}

#[test]
fn advice() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    let table = load(&job).unwrap().table;
    let work = |context: &Context| advise(&table, &AdviseRequest::new("pay"), context).map(|_| ());
    cancelled_everywhere("advise", folder.path(), &work, &nothing);
    let ruler = read_distance(&"pay:range".parse().unwrap(), &[]).unwrap();
    let pay = Job::new().sensitive(["pay"]).drop_rest();
    let table = job.source().read(&pay, &Context::new()).unwrap();
    let mut request = DissimilarityRequest::new(ruler, Decimal::parse("0.05").unwrap(), 4);
    request.trade_off = true;
    let work = |context: &Context| advise_dissimilarity(&table, &request, context).map(|_| ());
    let stages = cancelled_everywhere("advise on a distance", folder.path(), &work, &nothing);
    assert!(stages.contains(&Stage::Compare), "{stages:?}");
}

#[test]
fn hierarchies_and_inspections() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    let columns = Job::new().quasi(["age", "town", "pay"]).drop_rest().but(|job| {
        job.column_mut("age").kind = Some(Kind::Number);
    });
    let table = job.source().read(&columns, &Context::new()).unwrap();
    for request in [HierarchyRequest::new(["age", "town"]), HierarchyRequest::new(["pay"]).given(["age", "town"])] {
        let work = |context: &Context| build_hierarchies(&table, &request, context).map(|_| ());
        let stages = cancelled_everywhere("hierarchies", folder.path(), &work, &nothing);
        assert!(stages.contains(&Stage::Partition), "{stages:?}");
    }
    let raw = job.source().read_all(&Context::new()).unwrap();
    let work = |context: &Context| inspect(&raw, context).map(|_| ());
    let stages = cancelled_everywhere("inspect", folder.path(), &work, &nothing);
    assert!(stages.contains(&Stage::Compare), "{stages:?}");
}

const SWEEP: &str = r#"
[[run]]
method = ["generalize", "anatomy"]
require = "k-anonymity({k})"
k = [2, 5]
"#;

/// What a comparison of a job asks.
fn compared(job: &Job) -> CompareRequest {
    let runs = Sweep::parse("sweep.toml", SWEEP).unwrap().runs;
    let points = runs.iter().flat_map(|run| run.points(job).unwrap()).collect();
    CompareRequest {
        points,
        base: job.clone(),
        file: None,
        seed: 1,
        queries: 20,
        memory: None,
        field_name: field_in_backticks,
    }
}

#[test]
fn comparisons() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    let table = load(&job).unwrap().table;
    let request = compared(&job);
    let work = |context: &Context| compare(&table, &request, context).map(|_| ());
    let stages = cancelled_everywhere("compare", folder.path(), &work, &nothing);
    assert!(stages.contains(&Stage::Study), "{stages:?}");
}

/// Cancels after some runs.
struct After(u64, Cancellation, Mutex<u64>);

impl Progress for After {
    fn advance(&self, runs: u64) {
        let mut ended = self.2.lock().unwrap();
        *ended += runs;
        if *ended == self.0 {
            self.1.cancel();
        }
    }
}

/// What a comparison has finished is kept on purpose: nothing else is, and whoever goes on finds it.
#[test]
fn a_comparison_goes_on_where_it_was_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let job = people(folder.path());
    let table = load(&job).unwrap().table;
    let out = folder.path().join("comparison");
    let request = compared(&job);
    let context = Context::new();
    let after = After(2, context.cancellation().clone(), Mutex::default());
    let comparison = ComparisonFolder::open(&out, Path::new("people.csv")).unwrap();
    let done = comparison.compare(&table, &request, &context.with_progress(Arc::new(after)));
    assert_eq!(done.err(), Some(Error::Cancelled));
    let there: Vec<PathBuf> = files(&out).into_keys().collect();
    let runs = there.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")).count();
    assert_eq!(runs, 2, "{there:?}");
    assert!(!there.iter().any(|path| path.ends_with("comparison.json") || path.ends_with("comparison.html")));
    let comparison = comparison.compare(&table, &request, &Context::new()).unwrap();
    assert_eq!((comparison.kept, comparison.runs.len()), (2, 4));
    assert!(out.join("comparison.html").is_file());
}
