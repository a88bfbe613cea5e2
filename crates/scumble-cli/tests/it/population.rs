//! `--population`: requirements against a file of everybody.

use crate::support::{TestDir, patients};
use std::fs;

const COLUMNS: &str = "--quasi age,city --sensitive disease --drop-rest";

/// The patients, and everybody of their towns: two of each, and some whom the data does not have.
fn hospital() -> TestDir {
    let dir = TestDir::new();
    dir.file("data.csv", patients(120));
    let mut everybody = String::from("city;age\n");
    for i in 0..120 {
        let (age, city) = (20 + (i * 7) % 60, ["Ghent", "Porto", "Turku"][i * i % 3]);
        everybody.push_str(&format!("{city};{age}\n{city};{age}\n"));
    }
    everybody.push_str("Oslo;99\nOslo;98\nPorto;17\n;\n");
    dir.file("all.csv", everybody);
    dir
}

#[test]
fn a_release_is_judged_against_the_population_again() {
    let dir = hospital();
    let line = format!("publish data.csv {COLUMNS} --population all.csv --require k-map(6) --out release --json");
    let said = dir.run(&line).done().json();
    let k = said["attained"][0]["k"].as_u64().unwrap();
    assert!(k >= 6, "{said}");
    let manifest = fs::read_to_string(dir.path().join("release/manifest.json")).unwrap();
    assert!(manifest.contains("k-map(6)") && !manifest.contains("Oslo") && !manifest.contains("all.csv"), "{manifest}");
    let verified = dir.run("verify release --population all.csv --source data.csv").done();
    assert!(verified.stdout.contains("ok   require[k-map(6)]"), "{}", verified.stdout);
    let blind = dir.run("verify release");
    assert_eq!(blind.code, 1, "{}", blind.stdout);
    assert!(blind.stdout.contains("???? require[k-map(6)]: not judged") && blind.stdout.contains("NOT VERIFIED"));
    let document = dir.run("verify release --json").json();
    assert_eq!((document["ok"].as_bool(), document["unjudged"][0].as_str()), (Some(false), Some("k-map(6)")));
    // Others can ask of the same release, and are answered from its bytes.
    dir.run(&format!("verify release --population all.csv --require k-map({k})")).done();
    let more = dir.run(&format!("verify release --population all.csv --require k-map({})", k + 1));
    assert_eq!(more.code, 1, "{}", more.stdout);
    dir.run("verify release --require k-map(2)").refused(2, &["none is named", "--population"]);
    // The rest of the program reads it as any other release.
    dir.run("evaluate release --source data.csv").done();
}

#[test]
fn job_files_name_a_population_too() {
    let dir = hospital();
    dir.file(
        "job.toml",
        "[input]\npath = \"data.csv\"\npopulation = \"all.csv\"\n[columns]\nage = \"quasi\"\ncity = \"quasi\"\ndisease = \"sensitive\"\n\
         [publish]\nrequire = [\"delta-presence(0.1, 0.8)\"]\nmethod = \"full-domain\"\ndrop_rest = true\n[output]\ndir = \"release\"\n",
    );
    // Nobody of the data has the age of some, so only levels that cover everybody will do.
    dir.run("publish --job job.toml").done();
    let verified = dir.run("verify release --population all.csv").done();
    assert!(verified.stdout.contains("ok   require[delta-presence(0.1, 0.8)]"), "{}", verified.stdout);
    let strict = dir.run("verify release --population all.csv --require \"delta-presence(0.1, 0.2)\"");
    assert_eq!(strict.code, 1, "{}", strict.stdout);
}

#[test]
fn populations_that_do_not_suit_are_refused() {
    let dir = hospital();
    dir.file("no-age.csv", "city,years\nGhent,20\n");
    dir.file("no-number.csv", "age,city\nsecret,Ghent\n");
    dir.file("empty.csv", "age,city\n");
    let run = |file: &str| {
        dir.run(&format!("publish data.csv {COLUMNS} --population {file} --require k-map(2) --out release"))
    };
    run("nowhere.csv").refused(2, &["--population", "there is no such file"]);
    run("no-age.csv").refused(2, &["--population", "`age`", "no such column"]);
    let wrong = run("no-number.csv").refused(2, &["--population", "age", "no number"]);
    assert!(!wrong.stderr.contains("secret"), "{}", wrong.stderr);
    run("empty.csv").refused(2, &["empty.csv", "no rows"]);
    dir.run(&format!("publish data.csv {COLUMNS} --require k-map(2) --out release"))
        .refused(2, &["k-map(2)", "none is named", "--population"]);
    dir.run(&format!("publish data.csv {COLUMNS} --population all.csv --require k-anonymity(2) --out release"))
        .refused(2, &["no requirement looks at the population"]);
    dir.run(&format!("publish data.csv {COLUMNS} --population all.csv --require k-map(9000) --out release"))
        .refused(1, &["k-map(9000)", "the data allows"]);
    for method in ["anatomy", "permute"] {
        dir.run(&format!(
            "publish data.csv {COLUMNS} --population all.csv --require k-map(2) --method {method} --out release"
        ))
        .refused(2, &["k-map(2)", "generalize or full-domain"]);
    }
    assert!(!dir.path().join("release").exists());
    dir.run(&format!("publish data.csv {COLUMNS} --population all.csv --require k-map(2) --out release")).done();
    dir.run("verify release --population no-age.csv").refused(2, &["--population", "age"]);
    dir.run("verify release --population no-number.csv").refused(2, &["--population", "no number"]);
    dir.run("verify release --population nowhere.csv").refused(2, &["--population", "there is no such file"]);
}

#[test]
fn tables_of_other_tools_are_judged_as_boxes() {
    let dir = TestDir::new();
    dir.file(
        "all.csv",
        "age,born,town\n20,1990-01-01,ayr\n25,1990-01-20,bath\n29,1990-02-01,bath\n30,1991-01-01,cork\n,,\n",
    );
    dir.file(
        "t.csv",
        "age,born,town,s\n\"[20,29]\",\"[1990-01-01,1990-02-01]\",{ayr|bath},x\n30,1991-01-01,*,y\n*,*,*,z\n",
    );
    let run = |require: &str| {
        let line = format!(
            "verify t.csv --quasi age,born,town --sensitive s --population all.csv --require \"{require}\" --json"
        );
        dir.run(&line)
    };
    assert_eq!(run("k-map(1)").done().json()["attained"][0]["k"], 1);
    assert_eq!(run("k-map(2)").code, 1);
    // One of three, one of one, and one of five, whom the others may have taken: 1/3 + 1/(5 - 2), and 1/1 for the person alone.
    let shares = run("delta-presence(0, 1)").done().json();
    assert_eq!(
        (shares["attained"][0]["lo"].to_string(), shares["attained"][0]["hi"].to_string()),
        ("0.2".into(), "1".into())
    );
    assert_eq!(run("delta-presence(0, 0.9)").code, 1);
    dir.run("verify t.csv --quasi age,town --sensitive s --require k-map(2)").refused(2, &["none is named"]);
}
