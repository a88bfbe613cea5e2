//! Releases judged by the independent checker, where it lies beside the project.

use crate::permute::FIGURE_1;
use crate::support::{TestDir, data, patients};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the checker on a release; says so and skips where there is none. Gives what it said.
pub(crate) fn judged(dir: &TestDir, release: &str, source: &Path, arguments: &[&str]) -> Option<String> {
    asked("check_release.py", dir, release, source, arguments)
}

/// What a program of the oracle says about a release; it must be content.
fn asked(program: &str, dir: &TestDir, release: &str, source: &Path, arguments: &[&str]) -> Option<String> {
    let (folder, python) = crate::oracle_place::oracle()?;
    let folder = Path::new(&folder);
    let release = dir.path().join(release);
    let mut command = Command::new(python);
    command.arg(folder.join(program));
    if program == "check_release.py" {
        let listed = listed_for_the_checker(&release, source);
        command.arg(listed.as_ref().unwrap_or(&release)).args(beyond_the_checker(&release));
        if listed.is_some() {
            command.args(["--skip", "domains"]);
        }
    } else {
        command.arg(&release);
    }
    // It looks for matrices where it runs.
    let output = command.arg("--source").arg(source).args(arguments).current_dir(&release).output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Checks of the oracle that ask of a manifest to list values which no cell shows. A manifest that did would give them away:
/// the source's domains, labels that are numbers inside of an interval of such labels, and the ends of a column that is all `*`.
fn beyond_the_checker(release: &Path) -> Vec<&'static str> {
    let manifest = std::fs::read(release.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let mut skipped = vec!["--skip", "source-domains"];
    for column in manifest["columns"].as_array().unwrap().iter().filter(|column| column["role"] == "quasi") {
        let domain = column["domain"].as_array().unwrap();
        let is_number = |label: &serde_json::Value| label.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
        match column["type"].as_str().unwrap() {
            "ordinal" if domain.iter().all(is_number) => skipped.extend(["--skip", "source"]),
            "number" | "date" if domain.is_empty() => {
                skipped.extend(["--skip", "domains", "--skip", "source-matching"])
            }
            _ => {}
        }
    }
    skipped
}

/// The checker reads `*` as all labels of the manifest, and the manifest lists those that cells show. Where that leaves a label of the
/// source out, a copy of the release whose manifest lists them all, so that rows can be matched with the source.
fn listed_for_the_checker(release: &Path, source: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(source).ok()?;
    let header: Vec<&str> = text.lines().next()?.split(',').collect();
    let manifest = std::fs::read(release.join("manifest.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let trees = manifest["hierarchies"].clone();
    let mut is_longer = false;
    for column in manifest["columns"].as_array_mut().unwrap() {
        let name = column["name"].as_str().unwrap().to_string();
        let at = header.iter().position(|known| *known == name);
        let (Some(at), true) =
            (at, column["role"] == "quasi" && column["type"] == "nominal" && trees.get(&name).is_none())
        else {
            continue;
        };
        let domain = column["domain"].as_array_mut().unwrap();
        let of_source: BTreeSet<&str> = text.lines().skip(1).filter_map(|line| line.split(',').nth(at)).collect();
        for label in of_source.into_iter().filter(|label| !label.is_empty()) {
            if !domain.iter().any(|known| known == label) {
                domain.push(label.into());
                is_longer = true;
            }
        }
    }
    if !is_longer {
        return None;
    }
    let copy = release.with_extension("listed");
    std::fs::create_dir_all(&copy).unwrap();
    for entry in std::fs::read_dir(release).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    std::fs::write(copy.join("manifest.json"), manifest.to_string()).unwrap();
    Some(copy)
}

#[test]
fn anatomy_of_samples() {
    let dir = TestDir::new();
    dir.run("generate census --rows 4000 --out census.csv").done();
    dir.run("generate salaries --rows 3000 --out salaries.csv").done();
    let census = dir.path().join("census.csv");
    let line = "publish census.csv --quasi age,gender,education,race,birthplace --sensitive income --keep occupation --accept-keep occupation --drop-rest --method anatomy \
                --require k-anonymity(5) --require frequency-l-diversity(3)";
    for (out, extra) in [("c", ""), ("c-parquet", "--format parquet"), ("c-fewer", "--max-suppressed 0.05")] {
        dir.run(&format!("{line} {extra} --out {out}")).done();
        // Values that only suppressed people have are not in the manifest, as they should not be.
        let skip: &[&str] = if out == "c-fewer" { &["--skip", "source-domains"] } else { &[] };
        let arguments = ["--require", "k-anonymity(5)", "--require", "frequency-l-diversity(3)"];
        judged(&dir, out, &census, &[&arguments, skip].concat());
    }
    let Some(found) = asked("utility.py", &dir, "c", &census, &["--queries", "100", "--json"]) else { return };
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["method"], "anatomy");
    assert!(found["queries"]["mean_error"].as_f64().unwrap() < 0.2, "{found}");
    let line = "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --sensitive salary,diagnosis \
                --method anatomy --require \"diagnosis: distinct-l-diversity(3)\" --require \"salary: t-closeness(0.4, ordered)\" --out s";
    dir.run(line).done();
    let arguments =
        ["--require", "diagnosis: distinct-l-diversity(3)", "--require", "salary: t-closeness(0.4, ordered)"];
    judged(
        &dir,
        "s",
        &dir.path().join("salaries.csv"),
        &[&["--identifying", "name,ssn,email"], &arguments[..]].concat(),
    );
}

#[test]
fn anatomy_with_missing_values_and_hierarchies() {
    let dir = TestDir::new();
    let text = patients(200).replace("Porto", "").replace("flu", "").replace(",41,", ",,");
    let source = dir.file("data.csv", &text);
    dir.file("city.csv", "Ghent;West;*\nTurku;North;*\n");
    dir.file("disease.csv", "cold;short;*\nasthma;long;*\nulcer;long;*\ngout;long;*\nmigraine;short;*\n");
    dir.run(
        "publish data.csv --quasi age,city --sensitive disease --drop-rest --hierarchy city=city.csv --hierarchy disease=disease.csv \
         --method anatomy --require k-anonymity(3) --require t-closeness(0.6,hierarchical) --out release",
    )
    .done();
    dir.run("verify release --source data.csv").done();
    assert!(dir.path().join("release/hierarchy-disease.csv").exists());
    assert!(!dir.path().join("release/hierarchy-city.csv").exists());
    judged(&dir, "release", &source, &["--require", "k-anonymity(3)", "--require", "t-closeness(0.6, hierarchical)"]);
}

#[test]
fn permutation_of_the_papers_table() {
    let dir = TestDir::new();
    let source = dir.file("data.csv", FIGURE_1);
    let line = "publish data.csv --identifying name --quasi age,zipcode,gender --sensitive salary --method permute";
    for (out, required) in [("a", "k-anonymity(3)"), ("b", "ke-anonymity(3, 2000)"), ("c", "distinct-l-diversity(4)")] {
        dir.run(&format!("{line} --require \"{required}\" --out {out}")).done();
        judged(&dir, out, &source, &["--identifying", "name", "--require", required]);
    }
}

#[test]
fn permutation_of_samples() {
    let dir = TestDir::new();
    dir.run("generate census --rows 4000 --out census.csv").done();
    dir.run("generate salaries --rows 3000 --out salaries.csv").done();
    let census = dir.path().join("census.csv");
    let line = "publish census.csv --quasi age,gender,education,race,birthplace --sensitive income --keep occupation --accept-keep occupation --drop-rest \
                --method permute --require k-anonymity(5) --require frequency-l-diversity(3)";
    for (out, extra) in
        [("c", ""), ("c-parquet", "--format parquet"), ("c-more", "--require \"ke-anonymity(4, 3000)\"")]
    {
        dir.run(&format!("{line} {extra} --out {out}")).done();
        dir.run(&format!("verify {out} --source census.csv")).done();
        judged(&dir, out, &census, &["--require", "k-anonymity(5)", "--require", "frequency-l-diversity(3)"]);
    }
    dir.run("publish census.csv --quasi age,gender,education --sensitive income --drop-rest --method permute --require proximity-absolute(2000,4) --out p")
        .done();
    judged(&dir, "p", &census, &["--require", "proximity-absolute(2000, 4)"]);
    // The checker knows releases of one sensitive column; of several together it can tell all but the names of the help tables.
    let line = "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --sensitive diagnosis,salary \
                --method permute --together --require \"diagnosis: distinct-l-diversity(3)\" --require \"salary: t-closeness(0.4, ordered)\" --out s";
    dir.run(line).done();
    let arguments =
        ["--require", "diagnosis: distinct-l-diversity(3)", "--require", "salary: t-closeness(0.4, ordered)"];
    judged(
        &dir,
        "s",
        &dir.path().join("salaries.csv"),
        &[&["--identifying", "name,ssn,email", "--skip", "columns"], &arguments[..]].concat(),
    );
}

#[test]
fn permutation_with_missing_values() {
    let dir = TestDir::new();
    let text = patients(200).replace("Porto", "").replace("flu", "").replace(",41,", ",,").replace("113.01", "");
    let source = dir.file("data.csv", &text);
    for (sensitive, required) in [("cost", "k-anonymity(3)"), ("disease", "recursive-l-diversity(3, 2)")] {
        dir.run(&format!("publish data.csv --quasi age,city --sensitive {sensitive} --drop-rest --method permute --require \"{required}\" --out {sensitive}"))
            .done();
        dir.run(&format!("verify {sensitive} --source data.csv")).done();
        judged(&dir, sensitive, &source, &["--require", required]);
    }
}

#[test]
fn samples_of_every_kind() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 3000 --out salaries.csv").done();
    dir.run("generate census --rows 3000 --out census.csv").done();
    dir.run("generate health --rows 3000 --out health.csv").done();
    let salaries = dir.path().join("salaries.csv");
    for (i, format) in ["csv", "parquet"].into_iter().enumerate() {
        let line = format!(
            "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --sensitive salary,diagnosis \
             --require k-anonymity(5) --require \"diagnosis: frequency-l-diversity(3)\" --require \"salary: t-closeness(0.4, ordered)\" --format {format} --out s{i}"
        );
        dir.run(&line).done();
        judged(
            &dir,
            &format!("s{i}"),
            &salaries,
            &[
                "--identifying",
                "name,ssn,email",
                "--require",
                "k-anonymity(5)",
                "--require",
                "diagnosis: frequency-l-diversity(3)",
                "--require",
                "salary: t-closeness(0.4, ordered)",
            ],
        );
    }
    for algorithm in ["mondrian", "mondrian-relaxed", "paper"] {
        let line = format!(
            "publish census.csv --quasi age,gender,education,marital,race,workclass,birthplace --sensitive income --keep occupation --accept-keep occupation --algorithm {algorithm} \
             --require k-anonymity(4) --require variance(1000000) --require entropy-l-diversity(2.5) --out c-{algorithm}"
        );
        dir.run(&line).done();
        let arguments =
            ["--require", "k-anonymity(4)", "--require", "variance(1000000)", "--require", "entropy-l-diversity(2.5)"];
        judged(&dir, &format!("c-{algorithm}"), &dir.path().join("census.csv"), &arguments);
    }
    let line = "publish health.csv --quasi birth_year,sex,height,weight --sensitive medical_history,smoking,alcohol --require alpha-k-anonymity(0.9,6) \
                --max-suppressed 0.05 --out h";
    dir.run(line).done();
    judged(&dir, "h", &dir.path().join("health.csv"), &["--require", "alpha-k-anonymity(0.9, 6)"]);
}

#[test]
fn missing_values_and_small_tables() {
    let dir = TestDir::new();
    let text = patients(200).replace("Porto", "").replace("flu", "").replace(",41,", ",,");
    let source = dir.file("data.csv", &text);
    dir.run("publish data.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(3) --require recursive-l-diversity(3,2) --out release").done();
    dir.run("verify release --source data.csv").done();
    judged(&dir, "release", &source, &["--require", "k-anonymity(3)", "--require", "recursive-l-diversity(3, 2)"]);
}

#[test]
fn adult_with_hierarchies() {
    let (Some(adult), Some(trees)) = (data("adult/adult_all_48842.csv.gz"), data("adult/hierarchies")) else { return };
    let dir = TestDir::new();
    // The hierarchies name values without `?` only.
    let unpacked = Command::new("gzip").arg("-dc").arg(&adult).output().unwrap().stdout;
    let text: String = String::from_utf8(unpacked)
        .unwrap()
        .lines()
        .filter(|line| !line.contains('?'))
        .take(4001)
        .map(|line| format!("{line}\n"))
        .collect();
    let source = dir.file("adult.csv", text);
    let mut line = String::from(
        "publish adult.csv --quasi age,education,marital_status,native_country,race,sex,workclass --sensitive occupation --drop-rest \
         --require k-anonymity(5) --require t-closeness(0.5,hierarchical) --out release",
    );
    for (column, file) in [
        ("age", "age"),
        ("education", "education"),
        ("marital_status", "marital-status"),
        ("native_country", "native-country"),
        ("race", "race"),
        ("sex", "sex"),
        ("workclass", "workclass"),
        ("occupation", "occupation"),
    ] {
        line.push_str(&format!(
            " --hierarchy {column}={}",
            trees.join(format!("adult_hierarchy_{file}.csv")).display()
        ));
    }
    dir.run(&line).done();
    dir.run("verify release --source adult.csv").done();
    judged(&dir, "release", &source, &["--require", "k-anonymity(5)", "--require", "t-closeness(0.5, hierarchical)"]);
}
