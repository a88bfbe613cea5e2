//! People who have several rows, in every command that speaks of people.

use crate::support::TestDir;
use std::fs;

/// 24 patients with one to four visits each, and one who came 30 times.
fn visits() -> String {
    let mut text = String::from("patient,age,zip,illness,cost\n");
    for patient in 0..24u32 {
        for visit in 0..=patient % 4 {
            let (age, zip, illness) = (20 + patient % 12, patient % 3, (patient + visit) % 5);
            text.push_str(&format!("p{patient},{age},{zip},i{illness},{}\n", 100 * (patient + visit) + 7 * visit));
        }
    }
    (0..30).for_each(|visit| text.push_str(&format!("often,25,1,i{},{}\n", visit % 2, 5_000 + visit)));
    text
}

fn prepared() -> TestDir {
    let dir = TestDir::new();
    dir.file("visits.csv", visits());
    dir
}

const PUBLISH: &str =
    "publish visits.csv --quasi age,zip --sensitive illness --drop-rest --require k-anonymity(3) --seed 1 --out";

#[test]
fn risk_counts_people() {
    let dir = prepared();
    let rows = dir.run("risk visits.csv --known age,zip --json").done().json();
    let people = dir.run("risk visits.csv --known age,zip --person patient --json").done().json();
    assert_eq!((&rows["counted"], &rows["records"]), (&"rows".into(), &90.into()));
    assert_eq!(
        (&people["counted"], &people["records"], &people["persons"]),
        (&"persons".into(), &25.into(), &25.into())
    );
    assert!(people["prosecutor"].as_f64() >= rows["prosecutor"].as_f64());
    let said = dir.run("risk visits.csv --known age,zip --person patient --report risk.html").done();
    assert!(said.stdout.starts_with("25 people, known by age, zip"), "{}", said.stdout);
    assert!(said.stdout.contains("people who match, fewest (k)"), "{}", said.stdout);
    assert!(fs::read_to_string(dir.path().join("risk.html")).unwrap().contains("Counted are people, each once"));
    let said = dir.run("risk visits.csv --known age,zip").done();
    assert!(said.stdout.starts_with("90 records, known by age, zip"), "{}", said.stdout);
    for (words, reason) in [
        ("risk visits.csv --known age --person age", "known to the attacker as well"),
        ("risk visits.csv --known age --person patien", "there is no such column"),
        ("risk visits.csv --known age --person patient,patient", "named twice"),
    ] {
        let refused = dir.run(words);
        assert!(
            refused.code == 2 && refused.stderr.contains(reason) && refused.stderr.contains("--person"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn a_release_is_judged_attacked_and_evaluated_by_people() {
    let dir = prepared();
    dir.run(&format!("{PUBLISH} people --person patient")).done();
    dir.run(&format!("{PUBLISH} rows")).done();
    let refused = dir.run("risk people --person patient");
    assert!(refused.code == 2 && refused.stderr.contains("--source"), "{}", refused.stderr);
    let with = |release: &str| {
        let verdict = dir.run(&format!("verify {release} --source visits.csv --person patient --json"));
        let risk = dir.run(&format!("risk {release} --source visits.csv --person patient --json")).done().json();
        (verdict.code, verdict.json(), risk)
    };
    let (code, verdict, risk) = with("people");
    assert_eq!((code, &verdict["persons"]["failing"], &verdict["persons"]["persons"]), (0, &0.into(), &25.into()));
    assert_eq!(verdict["persons"]["judged"], verdict["persons"]["groups"]);
    assert!(verdict["persons"]["least"].as_u64() >= Some(3));
    assert!(risk["k_min"].as_u64() >= Some(3) && risk["counted"] == "persons", "{risk}");
    assert!(risk["inference"].as_array().unwrap().iter().all(|one| one["counted"] == "persons"));
    let (code, verdict, risk) = with("rows");
    assert!(code == 1 && verdict["persons"]["failing"].as_u64() > Some(0), "{verdict}");
    assert!(risk["k_min"].as_u64() < Some(3), "{risk}");
    // Rows are rows where nothing is known, and people where it is.
    let page = |release: &str| fs::read_to_string(dir.path().join(release).join("report.html")).unwrap();
    assert!(page("people").contains("Every group holds at least 3 people"));
    assert!(page("people").contains("25 persons in 90 rows"));
    assert!(
        page("rows").contains("Every group holds at least 3 rows")
            && page("rows").contains("whose they are is not known")
    );
    let evaluated = dir.run("evaluate people --source visits.csv --queries 10 --json").done().json();
    assert_eq!((&evaluated["counted"], &evaluated["persons"]), (&"rows".into(), &25.into()));
    assert!(dir.run("evaluate people --source visits.csv --queries 10").done().stdout.contains("those of 25 persons"));
    let warned = dir.run("risk people --source visits.csv").done();
    assert!(warned.stderr.contains("rows are counted here"), "{}", warned.stderr);
}

#[test]
fn advice_for_people_is_a_bound() {
    let dir = prepared();
    let asked = "advise visits.csv --sensitive cost --epsilon 10 --json";
    let rows = dir.run(asked).done().json();
    let people = dir.run(&format!("{asked} --person patient")).done().json();
    assert!(rows["persons"].is_null() && rows["m_guaranteed"].is_null() && rows["exact"].is_null(), "{rows}");
    assert_eq!(people["persons"], 25);
    assert!(people["m_guaranteed"].as_u64() <= people["m_max"].as_u64(), "{people}");
    assert!(people["m_max"].as_u64() <= rows["m_max"].as_u64(), "{people}");
    // What is certain is certain, and what is ruled out is a no.
    let (met, most) = (people["m_guaranteed"].as_u64().unwrap(), people["m_max"].as_u64().unwrap());
    assert!(met >= 1);
    let with = |m: u64| dir.run(&format!("{asked} --person patient --m {m}"));
    assert_eq!(with(met).json()["achievable"], true);
    let beyond = with(most + 1);
    assert_eq!((beyond.code, &beyond.json()["achievable"]), (1, &false.into()));
    // One row for each person: the same figures with and without.
    dir.file("one.csv", "id,pay\na,1\nb,5\nc,9\nd,9\ne,20\n");
    let once = |flags: &str| {
        let mut answer = dir.run(&format!("advise one.csv --sensitive pay --epsilon 3 --json{flags}")).done().json();
        answer.as_object_mut().unwrap().remove("persons");
        answer
    };
    assert_eq!(once(""), once(" --person id"));
}

#[test]
fn comparisons_count_people() {
    let dir = prepared();
    let job = "[input]\npath = \"visits.csv\"\n[columns]\npatient = \"person\"\nage = \"quasi\"\nzip = \"quasi\"\nillness = \"sensitive\"\n\
               cost = \"drop\"\n[compare]\ndir = \"compared\"\nseed = 5\nqueries = 10\n[[run]]\nmethod = \"generalize\"\n\
               require = \"k-anonymity({k})\"\nk = [3, 5]\n";
    dir.file("job.toml", job);
    let found = dir.run("compare --job job.toml --json").done().json();
    for run in found["runs"].as_array().unwrap() {
        let figures = &run["figures"];
        assert_eq!((&figures["counted"], &figures["persons"]), (&"persons".into(), &25.into()), "{run}");
        let k = if run.to_string().contains("k-anonymity(5)") { 5 } else { 3 };
        assert!(figures["k_least"].as_u64() >= Some(k), "{run}");
        let again = run["commands"].as_array().unwrap().last().unwrap().as_str().unwrap();
        assert!(again.contains("--person patient") && again.contains("--source visits.csv"), "{again}");
    }
}
