//! Releases of every form, with suppression, with and without their source.

use super::case::{Case, EPSILON};
use super::published::{SENSITIVE, read};
use super::world::{COLUMNS, Row, TREE, people, some, write};
use crate::dice::Dice;
use crate::steps::{Say, job, publish, refusal, source_rows};
use scumble::{
    Context, Decimal, FromFile, Kind, Method, RawTable, Release, RiskFacts, RiskPopulation, RiskRequest, Source,
};
use std::path::{Path, PathBuf};

/// Marks with nothing above them but everything.
const FLAT: &str = "1;*\n23;*\n12;*\n3;*\nx;*\n";

/// Numbers that are cut by the label beside them.
const BY_LABEL: &str = r#"
column = "n"
common = [[2]]
[[context]]
when = { l = "a" }
levels = [[0, 2, 7]]
[[context]]
when = { l = ["b", "c"] }
levels = [["-3", "1.5", 2, 11]]
"#;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// A release of random people; nothing where no grouping meets the requirement.
fn release(folder: &Path, rows: &[Row], method: Method, dice: &mut Dice) -> Option<(PathBuf, PathBuf)> {
    let data = write(folder, "data.csv", rows);
    let tree = folder.join("tree.csv");
    std::fs::write(&tree, TREE).unwrap();
    let mut job = job(&data, folder.join("release"))
        .quasi(COLUMNS[..4].iter().copied())
        .sensitive(SENSITIVE)
        .keep(["k"])
        .vouched();
    job.column_mut("n").kind = Some(Kind::Number);
    job.column_mut("d").kind = Some(Kind::Date);
    job.column_mut("l").hierarchy = Some(FromFile::file(tree));
    job.column_mut("m").kind = Some(Kind::Nominal);
    job.column_mut("s").kind = Some(Kind::Number);
    if method == Method::FullDomain {
        let (flat, by_label) = (folder.join("flat.csv"), folder.join("n.toml"));
        std::fs::write(&flat, FLAT).unwrap();
        std::fs::write(&by_label, BY_LABEL).unwrap();
        job.column_mut("n").hierarchy = Some(FromFile::file(by_label));
        job.column_mut("m").hierarchy = Some(FromFile::file(flat));
        // Intervals by context and stars for the rest, or whatever loses least.
        if dice.below(3) > 0 {
            job.column_mut("n").level = Some(1);
            job.column_mut("l").level = Some(0);
        }
    }
    let fixed = matches!(method, Method::Permute | Method::Angel);
    let marginals = if dice.below(2) == 0 { vec![] } else { vec![vec!["n".into(), "l".into()], vec!["d".into()]] };
    let job = job.requiring(&["k-anonymity(2)"]).but(|job| {
        let publish = &mut job.publish;
        publish.method = Some(method);
        publish.together = method == Method::Permute && dice.below(2) == 0;
        publish.angel_k = (method == Method::Angel).then(|| 2 + dice.below(2));
        publish.marginal = if method == Method::Angel { marginals } else { vec![] };
        let share = if fixed { "0" } else { ["0", "0.1", "0.4"][dice.below(3) as usize] };
        publish.max_suppressed = Decimal::parse(share);
        (publish.seed, publish.insecure_seed) = (Some(dice.below(1000)), true);
        job.output.replace = true;
    });
    publish(&job).ok()?;
    Some((job.out().to_path_buf(), data))
}

/// Attacks a release, with the people of its source where they are given.
fn risk(release: &Path, request: &RiskRequest<'_>) -> scumble::Result<RiskFacts> {
    Release::open(release)?.risk(request, &Context::new())
}

fn rows_of(release: &Path, data: &Path) -> RawTable {
    source_rows(&Release::open(release).unwrap(), &Source::file(data), None).unwrap()
}

fn check(facts: &RiskFacts, case: &Case<'_>, threshold: f64) {
    case.check_attack(&facts.attack);
    facts.subsets.iter().flatten().for_each(|one| case.check_attack(&one.attack));
    case.check_inference(&facts.attack.known, facts.inference.as_ref().unwrap(), threshold);
    let published = case.tables[0].rows.len();
    assert_eq!(facts.suppressed, Some((case.rows.len() - published) as u64));
}

/// Publishes random people and attacks them, with and without the source; tells how many releases had suppressed rows.
fn attacked(method: Method, rounds: usize, seed: u64) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(seed);
    let (mut done, mut suppressed, mut conditional) = (0, 0, 0);
    for round in 0..rounds {
        let n = 8 + dice.below(30) as usize;
        let rows = people(n, dice);
        let Some((release, data)) = release(folder.path(), &rows, method, dice) else { continue };
        let form = if method == Method::FullDomain { Method::Generalize } else { method };
        let tables = read(&release, form.name());
        let manifest = std::fs::read_to_string(release.join("manifest.json")).unwrap();
        conditional += usize::from(manifest.contains("\"conditional\""));
        done += 1;
        suppressed += usize::from(tables[0].rows.len() < rows.len());
        let known = match round % 4 {
            0 => vec![],
            1 | 2 => some(&["n", "d", "l", "m"], dice),
            _ => some(&["n", "d", "l", "m", "k"], dice),
        };
        let mut population = rows.clone();
        population.extend(people(n / 2, dice));
        let file = write(folder.path(), "population.csv", &population);
        let quasi: Vec<String> = ["n", "d", "l", "m", "k"].map(String::from).to_vec();
        let counted = Source::file(&file).read_columns(&quasi, "population", &Context::new()).unwrap();
        let source = rows_of(&release, &data);
        for by_source in [false, true] {
            let request = RiskRequest {
                source: by_source.then_some(&source),
                up_to: (round % 3 == 0).then_some(1),
                belief: (round % 2 == 0).then(|| decimal("0.4")),
                epsilon: Some(decimal(EPSILON)),
                population: (round % 5 == 0).then_some(RiskPopulation::People(&counted)),
                ..RiskRequest::new(known.clone())
            };
            let facts = risk(&release, &request).unwrap();
            let case = Case { tables: &tables, rows: &rows, by_source };
            check(&facts, &case, if round % 2 == 0 { 0.4 } else { 0.5 });
            if request.population.is_some() {
                case.check_journalist(&facts.attack, &population);
            }
        }
    }
    assert!(done * 2 > rounds || method == Method::FullDomain, "{done} of {rounds} could be published");
    assert!(method != Method::FullDomain || conditional > 20, "{conditional} of {done} have intervals by context");
    suppressed
}

#[test]
fn a_brute_force_attacker_agrees_on_generalized_releases() {
    assert!(attacked(Method::Generalize, 250, 1) > 20);
}

#[test]
fn a_brute_force_attacker_agrees_on_conditional_releases() {
    assert!(attacked(Method::FullDomain, 250, 7) > 10);
}

#[test]
fn a_brute_force_attacker_agrees_on_anatomy() {
    assert!(attacked(Method::Anatomy, 200, 2) > 10);
}

#[test]
fn a_brute_force_attacker_agrees_on_permuted_releases() {
    attacked(Method::Permute, 200, 3);
}

#[test]
fn a_brute_force_attacker_agrees_on_angel_releases() {
    attacked(Method::Angel, 200, 4);
}

/// One thread or several: the same figures to the last digit.
#[test]
fn threads_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(5);
    let rows = people(400, dice);
    for method in [Method::Generalize, Method::Angel, Method::Anatomy, Method::Permute] {
        let (release, data) = release(folder.path(), &rows, method, dice).unwrap();
        let (release, source) = (Release::open(&release).unwrap(), rows_of(&release, &data));
        let request = RiskRequest {
            source: Some(&source),
            up_to: Some(2),
            epsilon: Some(decimal(EPSILON)),
            ..RiskRequest::default()
        };
        let run = |threads: usize| {
            let facts = release.risk(&request, &Context::new().with_threads(threads).unwrap()).unwrap();
            serde_json::to_string(&facts).unwrap()
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(8));
    }
}

#[test]
fn what_a_release_cannot_be_asked_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(6);
    let rows = people(60, dice);
    let (release, _) = release(folder.path(), &rows, Method::Generalize, dice).unwrap();
    let base = |known: &[&str]| RiskRequest::new(known.iter().map(|name| name.to_string()).collect());
    let other = rows_of(&release, &write(folder.path(), "other.csv", &rows[1..]));
    let refused = |request: RiskRequest<'_>, words: &str| {
        let error = refusal(risk(&release, &request));
        assert!(error.contains(words), "{error}");
    };
    refused(base(&["s"]), "`s`: the column is sensitive");
    refused(base(&["zip"]), "the columns are `n`, `d`, `l`, `m`, `k`");
    refused(RiskRequest { source: Some(&other), ..base(&[]) }, "it has 59 rows");
    refused(RiskRequest { up_to: Some(5), ..base(&[]) }, "there are 4 known columns");
    refused(RiskRequest { belief: Some(decimal("1")), ..base(&[]) }, "from 0 to below 1");
    refused(RiskRequest { epsilon: Some(decimal("-1")), ..base(&[]) }, "a distance is not negative");
    std::fs::write(release.join("table.csv"), "group,n,d,l,m,s,t,k\n").unwrap();
    refused(base(&[]), "`table.csv` is not the file that was published");
}
