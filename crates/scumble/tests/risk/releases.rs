//! Releases of every form, with suppression, with and without their source.

use crate::case::{Case, EPSILON};
use crate::published::{SENSITIVE, read};
use crate::world::{COLUMNS, Dice, Row, TREE, people, some, write};
use scumble::{
    ColumnRequest, ColumnRole, Decimal, Input, Method, PublishRequest, RiskFacts, RiskPopulation, RiskRequest, Silent,
    publish, risk,
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
    let mut columns: Vec<ColumnRequest> =
        COLUMNS[..4].iter().map(|name| ColumnRequest::new(*name, ColumnRole::Quasi)).collect();
    columns[0].kind = Some(scumble::Kind::Number);
    columns[1].kind = Some(scumble::Kind::Date);
    columns[2].hierarchy = Some(tree);
    columns[3].kind = Some(scumble::Kind::Nominal);
    columns.extend(SENSITIVE.map(|name| ColumnRequest::new(name, ColumnRole::Sensitive)));
    columns[4].kind = Some(scumble::Kind::Number);
    columns.push(ColumnRequest::new("k", ColumnRole::Kept));
    if method == Method::FullDomain {
        let (flat, by_label) = (folder.join("flat.csv"), folder.join("n.toml"));
        std::fs::write(&flat, FLAT).unwrap();
        std::fs::write(&by_label, BY_LABEL).unwrap();
        (columns[0].hierarchy, columns[3].hierarchy) = (Some(by_label), Some(flat));
        // Intervals by context and stars for the rest, or whatever loses least.
        if dice.below(3) > 0 {
            (columns[0].level, columns[1].level, columns[2].level) = (Some(1), None, Some(0));
        }
    }
    let fixed = matches!(method, Method::Permute | Method::Angel);
    let marginals = if dice.below(2) == 0 { vec![] } else { vec![vec!["n".into(), "l".into()], vec!["d".into()]] };
    let request = PublishRequest {
        columns,
        requirements: vec!["k-anonymity(2)".parse().unwrap()],
        method: Some(method),
        together: method == Method::Permute && dice.below(2) == 0,
        angel_k: (method == Method::Angel).then(|| 2 + dice.below(2)),
        marginals: if method == Method::Angel { marginals } else { vec![] },
        max_suppressed: decimal(if fixed { "0" } else { ["0", "0.1", "0.4"][dice.below(3) as usize] }),
        seed: Some(dice.below(1000)),
        insecure_seed: true,
        out: folder.join("release"),
        replace: true,
        ..PublishRequest::new(Input::file(&data))
    };
    publish(&request, &Silent).ok()?;
    Some((request.out, data))
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
        for by_source in [false, true] {
            let request = RiskRequest {
                source: by_source.then(|| Input::file(&data)),
                up_to: (round % 3 == 0).then_some(1),
                belief: (round % 2 == 0).then(|| decimal("0.4")),
                epsilon: Some(decimal(EPSILON)),
                population: (round % 5 == 0).then(|| RiskPopulation::File(Input::file(&file))),
                ..RiskRequest::new(Input::file(&release), known.clone())
            };
            let facts = risk(&request, &Silent).unwrap();
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
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for method in [Method::Generalize, Method::Angel, Method::Anatomy, Method::Permute] {
        let (release, data) = release(folder.path(), &rows, method, dice).unwrap();
        let request = RiskRequest {
            source: Some(Input::file(&data)),
            up_to: Some(2),
            epsilon: Some(decimal(EPSILON)),
            ..RiskRequest::new(Input::file(&release), vec![])
        };
        let run = || serde_json::to_string(&risk(&request, &Silent).unwrap()).unwrap();
        let one = pool(1).install(run);
        assert_eq!(one, pool(2).install(run));
        assert_eq!(one, pool(8).install(run));
    }
}

#[test]
fn what_a_release_cannot_be_asked_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dice = &mut Dice(6);
    let rows = people(60, dice);
    let (release, _) = release(folder.path(), &rows, Method::Generalize, dice).unwrap();
    let base =
        |known: &[&str]| RiskRequest::new(Input::file(&release), known.iter().map(|name| name.to_string()).collect());
    let other = write(folder.path(), "other.csv", &rows[1..]);
    let refused = |request: RiskRequest, words: &str| {
        let error = risk(&request, &Silent).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(base(&["s"]), "`s`: the column is sensitive");
    refused(base(&["zip"]), "the columns are `n`, `d`, `l`, `m`, `k`");
    refused(RiskRequest { source: Some(Input::file(&other)), ..base(&[]) }, "it has 59 rows");
    refused(RiskRequest { types: vec![("n".into(), scumble::Kind::Number)], ..base(&[]) }, "leave --type out");
    refused(RiskRequest { up_to: Some(5), ..base(&[]) }, "there are 4 known columns");
    refused(RiskRequest { belief: Some(decimal("1")), ..base(&[]) }, "from 0 to below 1");
    refused(RiskRequest { epsilon: Some(decimal("-1")), ..base(&[]) }, "a distance is not negative");
    std::fs::write(release.join("table.csv"), "group,n,d,l,m,s,t,k\n").unwrap();
    refused(base(&[]), "does not verify");
}
