//! Levels that are the same in all rows, from the command line: conditional hierarchies, made ones, and given ones.

use crate::oracle::judged;
use crate::support::{TestDir, data};
use serde_json::Value;

const HEALTH: &str = "--quasi birth_year,sex,height,weight --sensitive medical_history --drop-rest";

fn health(rows: u64) -> TestDir {
    let dir = TestDir::new();
    dir.run(&format!("generate health --rows {rows} --seed 4 --out health.csv")).done();
    dir
}

fn level<'a>(said: &'a Value, column: &str) -> &'a Value {
    said["levels"].as_array().unwrap().iter().find(|level| level["column"] == column).unwrap()
}

#[test]
fn a_hierarchy_from_correlation_is_published_verified_and_asked() {
    let dir = health(6000);
    dir.run("hierarchy health.csv --for height --given sex,smoking --min-count 300 --out trees").done();
    let line = format!(
        "publish health.csv {HEALTH} --hierarchy height=trees/height.toml --level height=1 --require k-anonymity(3) \
         --max-suppressed 0.1 --out release --json"
    );
    let said = dir.run(&line).done().json();
    let chosen = level(&said, "height");
    assert_eq!((&chosen["level"], &chosen["conditional"]), (&1.into(), &true.into()));
    assert_eq!(level(&said, "sex")["level"], 0);
    let verdict = dir.run("verify release --source health.csv --json").done().json();
    let checks: Vec<&str> = verdict["checks"].as_array().unwrap().iter().filter_map(|c| c["name"].as_str()).collect();
    assert!(checks.contains(&"contexts") && checks.contains(&"source-matching"), "{checks:?}");
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("release/manifest.json")).unwrap()).unwrap();
    assert_eq!((&manifest["method"], &manifest["algorithm"]), (&"generalize".into(), &"full-domain".into()));
    assert_eq!(manifest["conditional"][0]["contexts"].as_array().unwrap().len(), 2);
    // Values that only suppressed people have are not in the manifest, as they should not be.
    let skip = ["--skip", "source-domains"];
    let require = ["--require", "k-anonymity(3)"];
    judged(&dir, "release", &dir.path().join("health.csv"), &[require, skip].concat());
    dir.run("evaluate release --source health.csv --json").done();
    let answer = dir.run("query release \"SELECT COUNT(*) FROM release WHERE height > 170 AND sex = 'M'\" --json");
    let answer = answer.done().json();
    let bounds = &answer["rows"][0]["answers"][0];
    let truth = std::fs::read_to_string(dir.path().join("health.csv")).unwrap();
    let tall = truth.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[1] == "M" && cells[2].parse::<u32>().unwrap() > 170
    });
    let (tall, left_out) = (tall.count() as f64, said["suppressed"].as_f64().unwrap());
    assert!(bounds["lower"].as_f64().unwrap() <= tall, "{bounds}");
    assert!(tall <= bounds["upper"].as_f64().unwrap() + left_out, "{bounds}");
}

#[test]
fn columns_without_a_hierarchy_get_one() {
    let dir = TestDir::new();
    dir.run("generate salaries --rows 4000 --seed 2 --out salaries.csv").done();
    let line = "publish salaries.csv --person ssn --identifying name,email --quasi birth_date,zipcode,sex,department --sensitive diagnosis \
                --drop-rest --type zipcode=nominal --method full-domain --require k-anonymity(4) --max-suppressed 0.05 \
                --out release --json";
    let said = dir.run(line).done().json();
    assert_eq!(said["levels"].as_array().unwrap().len(), 4);
    dir.run("verify release --source salaries.csv").done();
    // Trees that were made from the labels begin with those that the table shows.
    let table = std::fs::read_to_string(dir.path().join("release/table.csv")).unwrap();
    let source = std::fs::read_to_string(dir.path().join("salaries.csv")).unwrap();
    let place = |text: &str| text.lines().next().unwrap().split(',').position(|name| name == "zipcode").unwrap();
    let zip = place(&source);
    let mut masks: Vec<String> = Vec::new();
    if let Ok(tree) = std::fs::read_to_string(dir.path().join("release/hierarchy-zipcode.csv")) {
        masks = tree.lines().map(|line| line.split(';').next().unwrap().to_string()).collect();
        let shows = |mask: &String| table.lines().skip(1).any(|line| line.contains(mask.as_str()));
        assert!(masks.iter().all(shows), "{masks:?}");
    }
    // The checker knows nothing of masks, so the source is masked for it as the table is.
    let masked = |code: &str| {
        let kept = masks.iter().find(|mask| code.starts_with(mask.trim_end_matches('*')));
        kept.map_or(code.to_string(), Clone::clone)
    };
    let lines = source.lines().enumerate().map(|(at, line)| {
        let mut cells: Vec<String> = line.split(',').map(String::from).collect();
        if at > 0 {
            cells[zip] = masked(&cells[zip]);
        }
        cells.join(",") + "\n"
    });
    dir.file("masked.csv", lines.collect::<String>());
    judged(
        &dir,
        "release",
        &dir.path().join("masked.csv"),
        &["--require", "k-anonymity(4)", "--identifying", "name,ssn,email", "--skip", "source-domains"],
    );
    assert!(table.lines().count() > 3000);
}

#[test]
fn levels_may_be_asked_for_in_a_job_file() {
    let dir = health(2000);
    dir.file(
        "job.toml",
        r#"
        [input]
        path = "health.csv"
        [columns]
        birth_year = { role = "quasi", level = 2 }
        sex = { role = "quasi", level = 0 }
        height = "quasi"
        medical_history = "sensitive"
        [publish]
        require = ["k-anonymity(2)"]
        method = "full-domain"
        max_suppressed = 0.05
        drop_rest = true
        [output]
        dir = "release"
        "#,
    );
    let said = dir.run("publish --job job.toml --json").done().json();
    assert_eq!((&level(&said, "birth_year")["level"], &level(&said, "sex")["level"]), (&2.into(), &0.into()));
    let said = dir.run("publish --job job.toml --level birth_year=5 --out other --json").done().json();
    assert_eq!(level(&said, "birth_year")["level"], 5, "flags win");
}

#[test]
fn what_cannot_be_done_is_said() {
    let dir = health(500);
    let line = format!("publish health.csv {HEALTH} --method full-domain --out release");
    let said = |more: &str| dir.run(&format!("{line} {more}"));
    said("--require k-anonymity(2) --level hight=1").refused(2, &["did you mean `height`?"]);
    said("--require k-anonymity(2) --level height=tall").refused(2, &["a whole number"]);
    said("--require k-anonymity(2) --level height=99").refused(2, &["the column has the levels 0, its values, to"]);
    said("--require k-anonymity(2) --level medical_history=0").refused(2, &["only quasi-identifiers"]);
    let exact = "--level height=0 --level weight=0 --level birth_year=0";
    said(&format!("--require k-anonymity(2) {exact}")).refused(1, &["with the levels that were asked for", "raise"]);
    said("--require k-anonymity(2) --profile hardened").refused(2, &["nothing to draw"]);
    said("--require k-anonymity(2) --algorithm mondrian").refused(2, &["groups of its own"]);
    dir.run(&format!("publish health.csv {HEALTH} --level height=1 --require k-anonymity(2) --out release"))
        .refused(2, &["use --method full-domain"]);
    dir.file("h.toml", "column = \"height\"\ncommon = [[170, 160]]\n");
    said("--require k-anonymity(2) --hierarchy height=h.toml").refused(2, &["h.toml", "must rise"]);
    dir.file(
        "h.toml",
        "column = \"height\"\ncommon = [[160]]\n[[context]]\nwhen = { smoking = \"yes\" }\nlevels = [[160]]\n",
    );
    said("--require k-anonymity(2) --hierarchy height=h.toml")
        .refused(2, &["depend on `smoking`, which is not published", "name `smoking` in --quasi"]);
    assert_eq!(dir.entries(), ["h.toml", "health.csv"]);
}

#[test]
fn the_hierarchies_of_adult() {
    let (Some(source), Some(trees)) = (data("adult/adult_all_48842.csv.gz"), data("adult/hierarchies")) else { return };
    let dir = TestDir::new();
    let columns = ["sex", "age", "race", "marital_status", "education"];
    let given: Vec<String> = columns
        .iter()
        .map(|name| format!("--hierarchy {name}={}/adult_hierarchy_{}.csv", trees.display(), name.replace('_', "-")))
        .collect();
    let line = format!(
        "publish {} --quasi {} --sensitive occupation --drop-rest {} --method full-domain --max-suppressed 0.02 \
         --require k-anonymity(5) --require distinct-l-diversity(3) --out release --json",
        source.display(),
        columns.join(","),
        given.join(" ")
    );
    let said = dir.run(&line).done().json();
    assert!(said["suppressed"].as_u64().unwrap() <= 976 && said["group_sizes"]["min"].as_u64().unwrap() >= 5);
    let require = ["--require", "k-anonymity(5)", "--require", "distinct-l-diversity(3)"];
    judged(&dir, "release", &source, &require);
}
