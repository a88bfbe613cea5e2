//! `scumble evaluate`: figures, pages, refusals.

use crate::support::{TestDir, patients};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A dir with a table and a release of it.
fn published() -> TestDir {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(25) --seed 3 --out release").done();
    dir
}

#[test]
fn the_document_has_every_figure() {
    let dir = published();
    let said = dir.run("evaluate release --source patients.csv --json").done();
    assert_eq!(said.stderr, "");
    let found = said.json();
    assert_eq!(
        (&found["method"], &found["rows"], &found["suppressed"]),
        (&"generalize".into(), &600.into(), &0.into())
    );
    let sizes = &found["group_sizes"];
    let histogram: Vec<(u64, u64)> = serde_json::from_value(sizes["histogram"].clone()).unwrap();
    assert_eq!(histogram.iter().map(|(size, n)| size * n).sum::<u64>(), 600);
    assert_eq!(
        histogram.iter().map(|(size, n)| size * size * n).sum::<u64>(),
        found["discernibility"].as_u64().unwrap()
    );
    assert_eq!(histogram.iter().map(|(_, n)| n).sum::<u64>(), found["groups"].as_u64().unwrap());
    assert!(sizes["min"].as_u64().unwrap() >= 25 && sizes["median"].as_f64().unwrap() >= 25.0);
    // The same figures as publishing reported: nothing is suppressed, so the domains are the same.
    let said = dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(25) --seed 3 --out again --json").done();
    let theirs = said.json();
    for name in ["loss", "ncp"] {
        assert!((found[name].as_f64().unwrap() - theirs[name].as_f64().unwrap()).abs() < 1e-12, "{name}");
    }
    assert_eq!(found["ncp_by_attribute"], theirs["ncp_by_attribute"]);
    assert_eq!(found["loss_by_attribute"].as_array().unwrap().len(), 2);
    // Two quasi-identifiers allow no query over four columns.
    let workloads = found["workloads"].as_array().unwrap();
    assert_eq!(workloads.iter().map(|one| one["w"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3]);
    for one in workloads {
        assert_eq!((&one["queries"], &one["seed"], &one["s"]), (&1000.into(), &7.into(), &0.1.into()));
        for estimator in ["uniform", "ends"] {
            let errors = &one["estimators"][estimator];
            let [mean, median, p95, signed] =
                ["mean", "median", "p95", "signed_mean"].map(|name| errors[name].as_f64().unwrap());
            assert!(median <= p95 && signed.abs() <= mean && mean > 0.0, "{errors}");
        }
        assert!(one["mean_answer"].as_f64().unwrap() > 0.0 && one.get("baseline").is_none());
    }
    assert_eq!((&found["sensitive"], found.get("baseline")), (&"disease".into(), None));
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let dir = published();
    let run = |rest: &str| dir.run(&format!("evaluate release --source patients.csv --json {rest}")).done().stdout;
    assert_eq!(run("--threads 1"), run("--threads 3"));
    assert_ne!(run("--seed 1"), run("--seed 2"));
    assert_ne!(run("--sensitive cost"), run(""));
    let none: Value = serde_json::from_str(&run("--queries 0")).unwrap();
    assert_eq!(none["workloads"], Value::Array(Vec::new()));
}

#[test]
fn distributions_are_reconstructed_from_every_form() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(600));
    let line = "publish patients.csv --identifying name --quasi age,city --sensitive disease --drop-rest --require k-anonymity(25) --algorithm mondrian --seed 3 --insecure-seed";
    let mut divergences = Vec::new();
    for (method, table) in [("generalize", "table"), ("anatomy", "qit"), ("permute", "permuted")] {
        dir.run(&format!("{line} --method {method} --out {method}")).done();
        let run = format!("evaluate {method} --source patients.csv --reconstruct city --reconstruct city,age");
        let found = dir.run(&format!("{run} --queries 0 --json")).done().json();
        let lines = found["reconstruction"].as_array().unwrap();
        let columns = [vec!["age", "city"], vec!["city"], vec!["age", "city"]];
        assert_eq!(lines.iter().map(|one| one["attributes"].clone()).collect::<Vec<_>>(), columns.map(Value::from));
        assert!(lines.iter().all(|one| one["table"] == table && one.get("unreached").is_none()), "{lines:?}");
        let kl: Vec<f64> = lines.iter().map(|one| one["kl"].as_f64().unwrap()).collect();
        assert!(kl[0] == kl[2] && kl[1] < kl[0] && kl[1] >= 0.0, "{kl:?}");
        divergences.push(kl[0]);
        let words = dir.run(&run).done().stdout;
        assert!(words.contains("KL in nats") && words.contains(&format!("{:.4}", kl[0])), "{words}");
    }
    // The same groups: exact quasi-identifiers lose less, and both exact forms the same.
    assert!(divergences[1] < divergences[0] && divergences[1] == divergences[2], "{divergences:?}");
}

#[test]
fn queries_on_every_column() {
    let dir = published();
    let run = |rest: &str| dir.run(&format!("evaluate release --source patients.csv {rest}"));
    let found = run("--volume 0.05,0.1 --json").done().json();
    let workloads = found["workloads"].as_array().unwrap();
    let shown = |one: &Value| (one["w"].as_u64(), one["s"].as_f64(), one["predicates"].as_str().map(String::from));
    let sets = |s: f64| (Some(3), Some(s), Some("sets".to_string()));
    assert_eq!(workloads.iter().map(shown).collect::<Vec<_>>(), [sets(0.05), sets(0.1)]);
    let both = run("--volume 0.05 --w 2 --json").done().json();
    assert_eq!((&both["workloads"][0]["w"], &both["workloads"][0]["predicates"]), (&2.into(), &"intervals".into()));
    assert_eq!(both["workloads"][1], workloads[0]);
    let words = run("--volume 0.05,0.1").done().stdout;
    assert!(words.contains("over all 3 columns, by volume") && !words.contains("over w columns"), "{words}");
}

#[test]
fn the_page_is_whole_and_stays_out_of_the_release() {
    let dir = published();
    let run = |rest: &str| dir.run(&format!("evaluate release --source patients.csv {rest}"));
    run("--report page.html").done();
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    for words in [
        "publisher&#39;s eyes",
        "Do not publish it",
        "Mean error of estimated counts",
        "Groups by their size",
        "The distribution that the release tells",
        "KL (nats)",
        "<svg",
        "</html>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"));
    run("--report page.html").refused(2, &["`page.html`", "exists already", "--replace"]);
    run("--report page.html --replace --w 3").done();
    assert_ne!(page, fs::read_to_string(dir.path().join("page.html")).unwrap());
    run("--report patients.csv --replace").refused(2, &["the data itself"]);
    run("--report release/page.html").refused(2, &["this is for your eyes"]);
    run("--report release").refused(2, &["it is a directory"]);
    run("--report no/where.html").refused(2, &["no/where.html", "there is no folder `no`"]);
    run("--replace").refused(2, &["--report"]);
    assert_eq!(dir.entries(), ["page.html", "patients.csv", "release"]);
    dir.run("verify release --source patients.csv").done();
}

#[test]
fn bad_questions() {
    let dir = published();
    let run = |rest: &str| dir.run(&format!("evaluate release --source patients.csv {rest}"));
    run("--w 1").refused(2, &["--w `1`", "at least 2"]);
    run("--w 2,4").refused(2, &["--w `4`", "needs 3 quasi-identifiers and the release has 2", "at most 3"]);
    run("--w two").refused(2, &["--w"]);
    for s in ["0", "-1", "1.5", "NaN"] {
        run(&format!("--s {s}")).refused(2, &["--s", "above 0"]);
    }
    for volume in ["0", "-1", "1.5", "NaN", "0.1,2"] {
        run(&format!("--volume {volume}")).refused(2, &["--volume", "above 0"]);
    }
    run("--reconstruct age,cty").refused(2, &["--reconstruct `cty`", "did you mean `city`?"]);
    run("--reconstruct disease").refused(2, &["--reconstruct `disease`", "no quasi-identifier"]);
    run("--reconstruct age,age").refused(2, &["--reconstruct `age,age`", "`age` twice"]);
    run("--reconstruct age,").refused(2, &["--reconstruct `age,`", "a name is missing"]);
    run("--queries many").refused(2, &["--queries"]);
    run("--sensitive diseas").refused(2, &["`diseas`", "did you mean `disease`?"]);
    run("--sensitive age").refused(2, &["`age`", "no sensitive column"]);
    run("--baseline noise").refused(2, &["`noise`", "perturbation"]);
    run("--baseline perturbation").refused(2, &["no proximity requirement on `disease`", "leave --baseline out"]);
}

#[test]
fn bad_files() {
    let dir = published();
    dir.run("evaluate nowhere --source patients.csv").refused(2, &["`nowhere`", "no such directory"]);
    dir.run("evaluate release --source nowhere.csv").refused(2, &["--source `nowhere.csv`", "no such file"]);
    dir.run("evaluate release").refused(2, &["--source"]);
    fs::create_dir(dir.path().join("empty")).unwrap();
    dir.run("evaluate empty --source patients.csv").refused(2, &["not a release"]);
    dir.file("fewer.csv", patients(599));
    dir.run("evaluate release --source fewer.csv").refused(2, &["599 rows", "600"]);
    dir.file("other.csv", patients(600).replace("city", "town"));
    dir.run("evaluate release --source other.csv").refused(2, &["`city`", "no such column"]);
    let table = dir.path().join("release/table.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("flu", "gout", 1)).unwrap();
    let said =
        dir.run("evaluate release --source patients.csv --json").refused(1, &["does not verify", "tables-intact"]);
    assert_eq!(said.json()["error"]["kind"], "unverified");
}

#[test]
fn without_a_sensitive_column_there_is_nothing_to_ask() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(60));
    dir.run("publish patients.csv --quasi age,city --drop-rest --require k-anonymity(5) --out release").done();
    let said = dir.run("evaluate release --source patients.csv --json").done();
    assert!(said.stderr.contains("no sensitive column"), "{}", said.stderr);
    assert_eq!((&said.json()["workloads"], &said.json()["sensitive"]), (&Value::Array(Vec::new()), &Value::Null));
    dir.run("evaluate release --source patients.csv --baseline perturbation").refused(2, &["no sensitive column"]);
}

/// The largest p by equation 3 of the paper, row by row.
fn retention(incomes: &[i64], epsilon: i64, m: f64) -> f64 {
    let (least, most) = (incomes.iter().min().unwrap(), incomes.iter().max().unwrap());
    let length = 2.0 * epsilon as f64 / (most - least) as f64;
    let of_row = |x: &i64| {
        let near = incomes.iter().filter(|y| (*x - **y).abs() <= epsilon).count() as f64 / incomes.len() as f64;
        let odds = (length * (1.0 - m * near) / (near * (m - 1.0))).max(0.0);
        odds / (1.0 + odds)
    };
    incomes.iter().map(of_row).fold(1.0, f64::min)
}

/// A release of large groups keeps a proximity promise by itself; it is put into the manifest.
#[test]
fn perturbation_stands_beside_a_proximity_release() {
    let dir = TestDir::new();
    dir.run("generate census --rows 2000 --out census.csv").done();
    dir.run("publish census.csv --quasi age,birthplace,occupation --sensitive income --drop-rest --allow-sets occupation --require k-anonymity(100) --seed 1 --out release").done();
    let said = dir.run("verify release --require proximity-absolute(500,2) --json");
    let file = dir.path().join("release/manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    manifest["requirements"].as_array_mut().unwrap().push("proximity-absolute(500, 2)".into());
    manifest["attained"] = said.done().json()["attained"].clone();
    fs::write(&file, manifest.to_string()).unwrap();
    let line = "evaluate release --source census.csv --baseline perturbation --report page.html --json";
    let found = dir.run(line).done().json();
    assert_eq!(found["baseline"]["method"], "perturbation");
    assert_eq!(found["baseline"]["requirement"], "proximity-absolute(500, 2)");
    let text = fs::read_to_string(dir.path().join("census.csv")).unwrap();
    let incomes: Vec<i64> =
        text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
    let expected = retention(&incomes, 500, 2.0);
    assert!(expected > 0.0 && (found["baseline"]["retention"].as_f64().unwrap() - expected).abs() < 1e-12);
    for one in found["workloads"].as_array().unwrap() {
        assert!(one["baseline"]["mean"].as_f64().unwrap() > 0.0, "{one}");
    }
    assert!(fs::read_to_string(dir.path().join("page.html")).unwrap().contains("Perturbation beside it"));
}

/// Exact quasi-identifiers lose nothing but suppressed rows, as publishing reports it too.
#[test]
fn anatomy_is_evaluated() {
    let dir = TestDir::new();
    let far = "Person x,600,Ghent,flu,1\nPerson y,610,Porto,flu,1\n";
    dir.file("patients.csv", patients(600) + far);
    let line = "publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --method anatomy --require k-anonymity(25) --max-suppressed 0.01 --seed 3 --insecure-seed --json";
    let theirs = dir.run(&format!("{line} --out release")).done().json();
    assert_eq!((&theirs["rows"], &theirs["suppressed"]), (&600.into(), &2.into()));
    let said = dir.run("evaluate release --source patients.csv --json").done();
    let found = said.json();
    assert_eq!((&found["method"], &found["rows"]), (&"anatomy".into(), &600.into()));
    assert_eq!((&found["suppressed"], &found["groups"]), (&2.into(), &theirs["groups"]));
    for name in ["loss", "ncp"] {
        assert!((found[name].as_f64().unwrap() - theirs[name].as_f64().unwrap()).abs() < 1e-12, "{name}");
    }
    // Two of 602 rows are lost in every column, and nothing of the others.
    let gone = 2.0 / 602.0;
    assert_eq!(found["ncp_by_attribute"], serde_json::json!([["age", gone], ["city", gone]]));
    for one in found["workloads"].as_array().unwrap() {
        let estimators = one["estimators"].as_object().unwrap();
        assert_eq!(estimators.keys().collect::<Vec<_>>(), ["shares"]);
        let errors = &estimators["shares"];
        let [mean, median, p95, signed] =
            ["mean", "median", "p95", "signed_mean"].map(|name| errors[name].as_f64().unwrap());
        assert!(median <= p95 && signed.abs() <= mean && mean > 0.0, "{errors}");
    }
    assert_eq!(said.stdout, dir.run("evaluate release --source patients.csv --json --threads 1").done().stdout);
    let said = dir.run("evaluate release --source patients.csv --sensitive cost --report page.html").done();
    for words in ["2 suppressed", "exact but for the suppressed rows: NCP 0.0066", "`cost` among them", "shares"] {
        assert!(said.stdout.contains(words), "`{words}` is not in: {}", said.stdout);
    }
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    for words in ["published exactly", "but what is suppressed, 2 rows", ">w = 2<", ">w = 3<", ">shares", "</html>"] {
        assert!(page.contains(words), "{words}");
    }
    dir.run("evaluate release --source patients.csv --w 4").refused(2, &["needs 3 quasi-identifiers"]);
    let table = dir.path().join("release/st.csv");
    fs::write(&table, fs::read_to_string(&table).unwrap().replacen("flu", "gout", 1)).unwrap();
    dir.run("evaluate release --source patients.csv").refused(1, &["does not verify", "tables-intact"]);
}

/// The oracle draws other queries of the same kind, so errors agree up to chance; all else exactly.
#[test]
fn figures_agree_with_the_oracle() {
    let Some((folder, python)) = crate::oracle_place::oracle() else { return };
    let dir = TestDir::new();
    dir.run("generate census --rows 20000 --out census.csv").done();
    let line = "publish census.csv --quasi age,education,occupation --sensitive income --drop-rest --require k-anonymity(10) --seed 1 --insecure-seed";
    for (method, estimator) in [("generalize", "uniform"), ("anatomy", "shares")] {
        dir.run(&format!("{line} --method {method} --out {method}")).done();
        let line = format!("evaluate {method} --source census.csv --queries 4000 --json");
        let ours = dir.run(&line).done().json();
        for (facts, w) in ours["workloads"].as_array().unwrap().iter().zip(["2", "3", "4"]) {
            let output = Command::new(&python)
                .arg(Path::new(&folder).join("utility.py"))
                .arg(dir.path().join(method))
                .arg("--source")
                .arg(dir.path().join("census.csv"))
                .args(["--queries", "4000", "--w", w, "--json"])
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
            same_figures(&ours, &theirs);
            // Seeds move these means by a few per cent.
            let (errors, asked) = (&facts["estimators"][estimator], &theirs["queries"]);
            near(&errors["mean"], &asked["mean_error"], 0.15);
            near(&errors["median"], &asked["median_error"], 0.15);
            near(&facts["mean_answer"], &asked["mean_answer"], 0.15);
        }
    }
}

fn near(ours: &Value, theirs: &Value, within: f64) {
    let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
    assert!((ours - theirs).abs() <= within * theirs.abs(), "{ours} {theirs}");
}

/// Sizes and losses; the oracle has no word on the loss of exact values.
fn same_figures(ours: &Value, theirs: &Value) {
    near(&ours["rows"], &theirs["rows"], 0.0);
    near(&ours["groups"], &theirs["groups"], 0.0);
    near(&ours["group_sizes"]["mean"], &theirs["average_group"], 1e-12);
    if theirs.get("loss").is_none() {
        assert_eq!((&ours["method"], &ours["ncp"]), (&"anatomy".into(), &0.0.into()));
        return;
    }
    for name in ["loss", "ncp", "ncp_per_attribute"] {
        near(&ours[name], &theirs[name], 1e-12);
    }
    for pair in ours["ncp_by_attribute"].as_array().unwrap() {
        near(&pair[1], &theirs["ncp_by_attribute"][pair[0].as_str().unwrap()], 1e-12);
    }
}

#[test]
fn ncp_of_the_columns_and_in_total_disagreed_where_rows_are_suppressed() {
    let dir = TestDir::new();
    let mut text = patients(120);
    text.push_str("Methuselah,969,Turku,flu,3\n");
    dir.file("data.csv", text);
    let line = "publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) --max-suppressed 0.1";
    let made = dir.run(&format!("{line} --out r --json")).done().json();
    assert!(made["suppressed"].as_u64().unwrap() > 0, "{made}");
    let measured = dir.run("evaluate r --source data.csv --queries 0 --json").done().json();
    for found in [&made, &measured] {
        let columns = found["ncp_by_attribute"].as_array().unwrap().iter();
        let sum: f64 = columns.map(|pair| pair[1].as_f64().unwrap()).sum();
        assert!((sum - found["ncp"].as_f64().unwrap()).abs() < 1e-12, "{found}");
    }
    let page = fs::read_to_string(dir.path().join("r/report.html")).unwrap();
    assert!(page.contains("A suppressed row counts 1 in every column"), "{page}");
    let said = dir.run("evaluate r --source data.csv --queries 0").done();
    assert!(said.stdout.contains("suppressed rows counting 1 in each column"), "{}", said.stdout);
}
