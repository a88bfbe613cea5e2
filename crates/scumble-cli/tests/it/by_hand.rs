//! Hierarchies by hand: made, published with, and still fitting when values come that were not there before.

use crate::oracle::judged;
use crate::support::{CommandOutput, TestDir};
use serde_json::{Value, json};
use std::fmt::Write;

fn shown(said: &CommandOutput) -> String {
    format!("exit {}\n----- stdout\n{}----- stderr\n{}", said.code, said.stdout, said.stderr)
}

/// Stays in a hospital of some month: ages and amounts shift with it, and other codes come.
fn stays(month: usize, rows: usize) -> String {
    let codes = ["J45", "J45.1", "J45.9", "J4", "J12.0", "J", "E11.9", "E11", "E10.12", "K2"];
    let new = ["J45.31", "E14", "J99.0", "K2"];
    let mut text = String::from("age,pay,admitted,diagnosis,outcome\n");
    for i in 0..rows {
        let age = (i * 37 + month * 11) % (70 + 15 * month);
        let pay = format!("{}.{:02}", (i * 911 + month * 13) % 90_000, (i * 7) % 100);
        let admitted = format!("{:04}-{:02}-{:02}", 2021 + (i + month) % 4, 1 + i * 5 % 12, 1 + i * 11 % 28);
        let code = if month > 1 && i % 3 == 0 { new[i % 4] } else { codes[i * i % 10] };
        // The last day of a February of a leap year, and values that are missing.
        let admitted = if i % 40 == 7 { "2024-02-29".into() } else { admitted };
        let (age, code) = if i % 50 == 3 { (String::new(), "") } else { (age.to_string(), code) };
        writeln!(text, "{age},{pay},{admitted},{code},{}", ["home", "ward", "home", "died"][i % 4]).unwrap();
    }
    text
}

fn world() -> TestDir {
    let dir = TestDir::new();
    dir.file("january.csv", stays(1, 600));
    dir.file("february.csv", stays(2, 700));
    dir
}

#[test]
fn words() {
    let dir = world();
    let mut text = String::new();
    for line in [
        "hierarchy january.csv --for age --bands 5 --out a --report a.html",
        "hierarchy january.csv --for age --cuts 18,25,65 --cuts 18,65 --list --out b",
        "hierarchy january.csv --for admitted --bands quarter,year --out c",
        "hierarchy january.csv --for diagnosis --prefix 3,1 --out d",
        "hierarchy january.csv --for pay --bands 2.5,1000 --digits 2 --out e",
        "hierarchy january.csv --for pay --bands 2.5,1000 --out f",
        "hierarchy january.csv --for pay --bands 0.125 --digits 2 --out f",
        "hierarchy january.csv --for admitted --bands year --digits 2 --out f",
        "hierarchy january.csv --for pay --digits 2 --out f",
        "hierarchy january.csv --for age --bands 5,12 --out f",
        "hierarchy january.csv --for age --bands yaer --out f",
        "hierarchy january.csv --for age --bands 5 --cuts 18 --out f",
        "hierarchy january.csv --for age --bands 5 --groups 3 --out f",
        "hierarchy january.csv --for age --list --out f",
        "hierarchy january.csv --for age --cuts 18,old --out f",
        "hierarchy january.csv --for age --cuts 18,65 --cuts 30 --out f",
        "hierarchy january.csv --for age --cuts 18 --range 20,50 --out f",
        "hierarchy january.csv --for age --cuts 18 --range 0,30 --out f",
        "hierarchy january.csv --for age --prefix 3 --out f",
        "hierarchy january.csv --for diagnosis --prefix 1,3 --out f",
        "hierarchy january.csv --for diagnosis --bands 5 --out f",
        "hierarchy january.csv --for admitted --bands 5 --out f",
    ] {
        text.push_str(&format!("$ {line}\n{}\n", shown(&dir.run(line))));
    }
    for file in ["a/age.toml", "b/age.toml", "c/admitted.toml", "d/diagnosis.toml", "e/pay.toml"] {
        text.push_str(&format!("$ cat {file}\n{}\n", std::fs::read_to_string(dir.path().join(file)).unwrap()));
    }
    insta::assert_snapshot!("by_hand", text);
    let list = std::fs::read_to_string(dir.path().join("b/age.csv")).unwrap();
    assert!(list.contains("17;<18;<18;*\n18;18 to 24;18 to 64;*\n") && list.contains("65;65+;65+;*\n"), "{list}");
    // What the list says is what the rule says.
    assert!(!dir.path().join("a/age.csv").exists() && !dir.path().join("f").exists());
}

#[test]
fn documents() {
    let dir = world();
    let said = dir.run("hierarchy january.csv --for age --bands 10,20 --list --out a --json").done().json();
    let age = &said["hierarchies"][0];
    assert_eq!((&age["kind"], &age["files"]), (&json!("bands"), &json!(["age.csv", "age.toml"])));
    let groups: Vec<&Value> = age["levels"].as_array().unwrap().iter().map(|level| &level["groups"]).collect();
    assert_eq!(groups, [9, 5], "{age}");
    // Rows with a value are the sums of what each band stands for, and the smallest has some.
    assert_eq!(age["rows"].as_u64().unwrap() + age["missing"].as_u64().unwrap(), 600);
    assert!(age["levels"][0]["least_rows"].as_u64().unwrap() <= age["levels"][1]["least_rows"].as_u64().unwrap());
    // The list goes to the ends of bands, and not from the least to the greatest age that occurs.
    let list = std::fs::read_to_string(dir.path().join("a/age.csv")).unwrap();
    assert!(list.starts_with("0;0 to 9;0 to 19;*\n") && list.ends_with("99;90 to 99;80 to 99;*\n"), "{list}");
}

/// The cells of a column of the table of a release.
fn cells(dir: &TestDir, release: &str, column: &str) -> Vec<String> {
    let text = std::fs::read_to_string(dir.path().join(release).join("table.csv")).unwrap();
    let mut reader = csv_lines(&text);
    let header = reader.remove(0);
    let at = header.iter().position(|name| name == column).unwrap();
    reader.into_iter().map(|mut row| row.swap_remove(at)).collect()
}

/// Cells in quotes hold commas and nothing else that matters here.
fn csv_lines(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let (mut row, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(String::new()),
                c => row.last_mut().unwrap().push(c),
            }
        }
        row
    };
    text.lines().map(line).collect()
}

const RULES: &str = "--hierarchy age=age.toml --hierarchy pay=pay.toml --hierarchy admitted=admitted.toml \
                     --hierarchy diagnosis=diagnosis.toml";

#[test]
fn next_months_file_fits() {
    let dir = world();
    dir.file("age.toml", "kind = \"cuts\"\nlevels = [[18, 25, 65], [18, 65]]\n");
    dir.file("pay.toml", "kind = \"bands\"\nwidths = [5000, 20000]\ndigits = 2\n");
    dir.file("admitted.toml", "kind = \"bands\"\nwidths = [\"month\", \"quarter\", \"year\"]\n");
    dir.file("diagnosis.toml", "kind = \"prefix\"\nlengths = [3, 1]\n");
    for (month, data) in [(1, "january.csv"), (2, "february.csv")] {
        for how in ["", "--method full-domain --max-suppressed 0.3", "--boxes rounded", "--method angel --angel-k 5"] {
            let release = format!("r{month}{}", how.split(' ').nth(1).unwrap_or("mondrian"));
            let require = if how.contains("angel") { "frequency-l-diversity(2)" } else { "k-anonymity(5)" };
            let line = format!(
                "publish {data} --quasi age,pay,admitted,diagnosis --sensitive outcome {RULES} --require {require} --rows-are-people \
                 {how} --out {release} --json"
            );
            dir.run(&line).done();
            dir.run(&format!("verify {release} --source {data}")).done();
            let manifest = std::fs::read(dir.path().join(&release).join("manifest.json")).unwrap();
            let manifest: Value = serde_json::from_slice(&manifest).unwrap();
            // Bands are intervals, which need no file; a file of codes lists what is shown, and never which codes occur below it.
            for column in ["age", "pay", "admitted"] {
                assert!(!dir.path().join(&release).join(format!("hierarchy-{column}.csv")).exists());
            }
            if how.contains("angel") {
                continue;
            }
            let shown = cells(&dir, &release, "diagnosis");
            let tree =
                std::fs::read_to_string(dir.path().join(&release).join("hierarchy-diagnosis.csv")).unwrap_or_default();
            for line in tree.lines() {
                let path: Vec<&str> = line.split(';').collect();
                let is_shown = |label: &str| shown.iter().any(|cell| cell == label);
                let own = path[0].strip_suffix(" (others)").unwrap_or(path[0]);
                assert!(is_shown(own), "{line}");
            }
            for cell in cells(&dir, &release, "age") {
                let fits = match cell.trim_matches(['[', ']']).split_once(',') {
                    Some((low, high)) => {
                        let (low, high): (u32, u32) = (low.parse().unwrap(), high.parse().unwrap());
                        [0, 18, 25, 65].contains(&low) && [17, 24, 64, 99, 199].contains(&high)
                    }
                    None => cell.is_empty() || cell == "*" || cell.parse::<u32>().is_ok(),
                };
                assert!(fits, "{cell}");
            }
            for cell in cells(&dir, &release, "admitted") {
                if let Some((low, high)) = cell.trim_matches(['[', ']']).split_once(',') {
                    assert!(low.ends_with("-01") && ["28", "29", "30", "31"].contains(&&high[8..]), "{cell}");
                }
            }
            assert!(manifest["columns"].as_array().unwrap().iter().any(|column| column["type"] == "number"));
            // The checker knows nothing of codes that are not listed, so the source has the leaves in their place.
            let leaves: Vec<&str> = tree.lines().filter_map(|line| line.split(';').next()).collect();
            let leaf = |code: &str| {
                let begins = |leaf: &&&str| {
                    let start = leaf.strip_suffix(" (others)").unwrap_or(leaf);
                    **leaf == code || start.strip_suffix('*').is_some_and(|start| code.starts_with(start))
                };
                let best = leaves
                    .iter()
                    .filter(begins)
                    .max_by_key(|leaf| (**leaf == code, leaf.split('*').next().unwrap().len()));
                best.map_or(code.to_string(), ToString::to_string)
            };
            let source = std::fs::read_to_string(dir.path().join(data)).unwrap();
            let lines = source.lines().enumerate().map(|(at, line)| {
                let mut cells: Vec<String> = line.split(',').map(String::from).collect();
                if at > 0 && !cells[3].is_empty() {
                    cells[3] = leaf(&cells[3]);
                }
                cells.join(",") + "\n"
            });
            dir.file("leaves.csv", lines.collect::<String>());
            let mut more = vec!["--require", "k-anonymity(5)"];
            let file = dir.path().join(&release).join("hierarchy-diagnosis.csv").display().to_string();
            let file = format!("diagnosis={file}");
            if !tree.is_empty() {
                more.extend(["--hierarchy", &file]);
            }
            judged(&dir, &release, &dir.path().join("leaves.csv"), &more);
        }
    }
}

#[test]
fn ends_of_bands_do_not_tell_the_digits_of_a_suppressed_value() {
    let dir = TestDir::new();
    let text: String =
        (0..300).map(|i| format!("{}.{},{},{}\n", i * 7 % 60, i % 10, ["a", "b"][i % 2], i % 5)).collect();
    let publish = |digits: &str, last: &str, out: &str| {
        dir.file("data.csv", format!("pay,code,outcome\n{text}{last},ZZ,1\n"));
        dir.file("pay.toml", format!("kind = 'bands'\nwidths = [5, 20]\n{digits}"));
        dir.run(&format!(
            "publish data.csv --quasi pay,code --sensitive outcome --hierarchy pay=pay.toml --require k-anonymity(5) --max-suppressed 0.05 \
             --rows-are-people --method full-domain --level pay=1 --level code=0 --out {out}"
        ))
    };
    publish("", "30.5", "refused")
        .refused(2, &["pay.toml, column `pay`", "up to 1 digit after the point", "`digits = 1`"]);
    publish("digits = 1\n", "30.1234", "refused").refused(2, &["up to 4 digits after the point", "`digits = 4`"]);
    let shown = ["30", "30.5", "30.1234"].map(|last| {
        publish("digits = 4\n", last, last).done();
        let shown: std::collections::BTreeSet<String> = cells(&dir, last, "pay").into_iter().collect();
        shown
    });
    assert!(shown[0].contains("[20,24.9999]"), "{shown:?}");
    assert!(shown.windows(2).all(|pair| pair[0] == pair[1]), "{shown:?}");
}

#[test]
fn lists_lack_what_rules_cover() {
    let dir = world();
    dir.run("hierarchy january.csv --for diagnosis --prefix 3,1 --list --out d").done();
    let line = |file: &str, more: &str| {
        format!(
            "publish february.csv --quasi diagnosis --sensitive outcome --drop-rest --hierarchy diagnosis={file} --require k-anonymity(3) \
             --rows-are-people --out release {more}"
        )
    };
    dir.run(&line("d/diagnosis.csv", "")).refused(2, &["d/diagnosis.csv", "lacks", "E14", "`kind = \"bands\"`"]);
    dir.run(&line("d/diagnosis.toml", "")).done();
    dir.run("verify release --source february.csv").done();
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = world();
    let publish = |rule: &str, column: &str, more: &str| {
        dir.file("rule.toml", rule);
        dir.run(&format!(
            "publish january.csv --quasi age,diagnosis --sensitive outcome --drop-rest --hierarchy {column}=rule.toml --require k-anonymity(3) \
             --rows-are-people --out release {more}"
        ))
    };
    publish("kind = \"band\"\nwidths = [5]\n", "age", "")
        .refused(2, &["rule.toml, line 1: there is no kind of rule `band`; hint: did you mean `bands`?"]);
    publish("kind = \"bands\"\n\nwidths = [5, 12]\n", "age", "")
        .refused(2, &["rule.toml, line 3: 12 is no multiple of 5"]);
    publish("kind = \"bands\"\nwidths = [\"year\"]\n", "age", "")
        .refused(2, &["rule.toml, column `age`: its widths are spans of the calendar, and the column is number"]);
    publish("kind = \"cuts\"\nlevels = [[18]]\nrange = [0, 30]\n", "age", "")
        .refused(2, &["rule.toml, column `age`", "values lie outside 0 to 30"]);
    publish("kind = \"prefix\"\nlengths = [1]\n", "outcome", "").refused(
        2,
        &["--hierarchy `rule.toml`: a hierarchy by rule is for quasi-identifiers, and `outcome` is in --sensitive"],
    );
    assert!(!dir.path().join("release").exists());
}
