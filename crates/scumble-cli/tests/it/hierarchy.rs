//! `scumble hierarchy`: words, documents and files, and what it refuses.

use crate::support::{CommandOutput, TestDir, data, patients};
use serde_json::{Value, json};
use std::fs;

fn shown(said: &CommandOutput) -> String {
    format!("exit {}\n----- stdout\n{}----- stderr\n{}", said.code, said.stdout, said.stderr)
}

fn health(rows: u32) -> TestDir {
    let dir = TestDir::new();
    dir.run(&format!("generate health --rows {rows} --seed 1 --out health.csv")).done();
    dir
}

const GIVEN: &str = "--given sex,medical_history,smoking,alcohol";

#[test]
fn words() {
    let dir = health(2_000);
    dir.file("patients.csv", patients(60));
    let mut text = String::new();
    for line in [
        &format!("hierarchy health.csv --for height {GIVEN} --min-count 100 --out a --report a.html"),
        "hierarchy health.csv --for height --given sex,medical_history --algorithm paper --min-count 100 --out b",
        "hierarchy health.csv --for weight --given medical_history,sex --correlation spearman --out c",
        "hierarchy patients.csv --for age,city,cost --out d",
        "hierarchy patients.csv --for age --kind equal-frequency --groups 4 --out e",
    ] {
        text.push_str(&format!("$ {line}\n{}\n", shown(&dir.run(line))));
    }
    insta::assert_snapshot!("hierarchy", text);
    assert_eq!(dir.entries(), ["a", "a.html", "b", "c", "d", "e", "health.csv", "patients.csv"]);
    let toml = fs::read_to_string(dir.path().join("a/height.toml")).unwrap();
    insta::assert_snapshot!("hierarchy_toml", toml);
    let page = fs::read_to_string(dir.path().join("a.html")).unwrap();
    assert!(page.contains("height by sex") && page.contains("The hierarchy of height") && !page.contains("<script"));
}

#[test]
fn documents() {
    let dir = health(2_000);
    let line = format!("hierarchy health.csv --for height {GIVEN} --min-count 200 --out a --json");
    let answer = dir.run(&line).done().json();
    assert_eq!((&answer["rows"], &answer["min_count"], &answer["out"]), (&json!(2_000), &json!(200), &json!("a")));
    assert_eq!((&answer["correlation"], &answer["algorithm"]), (&json!("nmi"), &json!("mdl")));
    let height = &answer["hierarchies"][0];
    assert_eq!(
        (&height["column"], &height["type"], &height["kind"]),
        (&json!("height"), &json!("number"), &json!("conditional"))
    );
    assert_eq!(height["files"], json!(["height.csv", "height.toml"]));
    assert_eq!(height["correlations"][0]["column"], "sex");
    assert_eq!(height["correlations"][0]["division"]["made"], true);
    assert!(height["correlations"][1]["value"].as_f64().unwrap() < 0.01);
    assert_eq!(height["contexts"][0]["when"], json!([{"column": "sex", "one_of": ["F"]}]));
    let rows = |context: &Value| context["rows"].as_u64().unwrap();
    let contexts = height["contexts"].as_array().unwrap();
    assert_eq!(contexts.iter().map(rows).sum::<u64>() + height["outside"].as_u64().unwrap(), 2_000);
    for level in contexts.iter().flat_map(|context| context["levels"].as_array().unwrap()) {
        assert_eq!(level["cuts"].as_array().unwrap().len() as u64 + 1, level["groups"].as_u64().unwrap());
    }
    // The same whatever the number of threads.
    for threads in [1, 2, 8] {
        dir.run(&format!(
            "hierarchy health.csv --for height {GIVEN} --min-count 200 --threads {threads} --out t{threads}"
        ))
        .done();
        for file in ["height.csv", "height.toml"] {
            let read = |folder: &str| fs::read(dir.path().join(folder).join(file)).unwrap();
            assert_eq!(read("a"), read(&format!("t{threads}")));
        }
    }
    let plain = dir.run("hierarchy health.csv --for height,sex --out p --json").done().json();
    assert_eq!((plain.get("min_count"), plain.get("correlation")), (None, None));
    assert_eq!(plain["hierarchies"][0]["kind"], "optimal");
    assert_eq!(plain["hierarchies"][1]["levels"], json!([]));
}

#[test]
fn a_plain_hierarchy_can_be_published_with() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(60));
    dir.run("hierarchy patients.csv --for age,city --out h").done();
    let line = "publish patients.csv --quasi age,city --sensitive disease --drop-rest --require k-anonymity(4) \
                --hierarchy age=h/age.csv --hierarchy city=h/city.csv --out release";
    dir.run(line).done();
    dir.run("verify release --source patients.csv").done();
}

#[test]
fn missing_values_count_as_such() {
    let dir = TestDir::new();
    let mut text = String::from("height,sex\n");
    for i in 0..900 {
        let sex = ["F", "M", ""][usize::from(i % 10 > 4) + usize::from(i % 90 == 7)];
        let height = if i % 30 == 0 { String::new() } else { (150 + i * 7 % 23 + 20 * (i % 10 / 5)).to_string() };
        text.push_str(&format!("{height},{sex}\n"));
    }
    dir.file("t.csv", text);
    let answer = dir.run("hierarchy t.csv --for height --given sex --min-count 100 --out h --json").done().json();
    let height = &answer["hierarchies"][0];
    assert_eq!((&height["missing"], &height["rows"], &height["outside"]), (&json!(30), &json!(870), &json!(10)));
    let answer =
        dir.run("hierarchy t.csv --for height --given sex --min-count 100 --null F --out n --json").done().json();
    let contexts = answer["hierarchies"][0]["contexts"].as_array().unwrap();
    assert_eq!(contexts[1]["when"], json!([{"column": "sex", "one_of": [""]}]));
    assert_eq!(contexts[1]["says"], "sex is missing");
}

#[test]
fn refusals() {
    let dir = health(400);
    fs::create_dir(dir.path().join("full")).unwrap();
    dir.file("full/x", "");
    for (rest, words) in [
        (
            "--for height --given sex,hight --out h",
            &["--given `hight`: there is no such column", "did you mean `height`?"][..],
        ),
        ("--for heigth --out h", &["--for `heigth`: there is no such column", "did you mean `height`?"]),
        (
            "--for height --given sex,height --out h",
            &["--given `height`: its own hierarchy cannot depend on this column"],
        ),
        (
            "--for sex --given height --out h",
            &["--for `sex`: its values are nominal, and intervals need an order", "--order sex=FILE"],
        ),
        (
            "--for height --given sex --min-count 101 --out h",
            &["--min-count `101`", "too few for two contexts", "at most 100"],
        ),
        ("--for height --given sex --min-count 0 --out h", &["--min-count `0`: it must be a whole number, 1 or more"]),
        ("--for height --given sex --min-count -5 --out h", &["--min-count `-5`"]),
        ("--for height --given sex --groups many --out h", &["--groups `many`"]),
        (
            "--for height --given sex --correlation r2 --out h",
            &["--correlation `r2`: there is no such measure", "`nmi`, `pearson`"],
        ),
        (
            "--for height --given sex --algorithm best --out h",
            &["--algorithm `best`: there is no such algorithm", "mdl or paper"],
        ),
        (
            "--for height --given sex --algorithm paper --correlation pearson --out h",
            &["--correlation `pearson`: it is defined for none of the given columns"],
        ),
        ("--for height --given weight --algorithm paper --min-count 150 --out h", &["no value of `weight`"]),
        (
            "--for height --kind frequent --out h",
            &["--kind `frequent`: there is no such kind", "did you mean `frequency`?"],
        ),
        (
            "--for height --kind calendar --out h",
            &["--kind `calendar`: it is for dates, and `height` is number", "try optimal"],
        ),
        ("--for height --given sex --kind optimal --out h", &["--kind `optimal`: it is for plain hierarchies"]),
        (
            "--for height --type weight=number --out h",
            &["--type `weight`: this column is neither in --for nor in --given"],
        ),
        ("--for height --type height=date --out h", &["height"]),
        ("--for height --out .", &["--out"]),
        ("--for height --out full", &["--out `full`: it exists and is not empty", "or an empty one"]),
        ("--for height --out nowhere/h", &["its parent directory `nowhere` does not exist"]),
        ("--for height --out health.csv", &["--out `health.csv`"]),
        ("--for height --out h --report h/page.html", &["--report `h/page.html`: it would lie in the directory"]),
        ("--for height --out h --report health.csv --replace", &["this is the data itself"]),
        ("--for height --correlation nmi --out h", &["--given"]),
        ("--out h", &["--for"]),
        ("--for height", &["--out"]),
    ] {
        let said = dir.run(&format!("hierarchy health.csv {rest}")).refused(2, words);
        assert!(said.stdout.is_empty(), "{}", said.stdout);
        assert_eq!(dir.entries(), ["full", "health.csv"], "{rest}");
    }
    dir.run("hierarchy nowhere.csv --for x --out h").refused(2, &["there is no such file"]);
    dir.file("empty.csv", "height,sex\n");
    dir.run("hierarchy empty.csv --for height --given sex --out h").refused(2, &["no rows below the header"]);
    dir.file("nulls.csv", "height,sex\n,F\n,M\n");
    dir.run("hierarchy nulls.csv --for height --out h").refused(2, &["--for `height`: the column has no value at all"]);
}

#[test]
fn nhanes() {
    let Some(path) = data("nhanes/NHANESraw_20293.csv.gz") else { return };
    let dir = TestDir::new();
    let path = path.display();
    let line = format!(
        "hierarchy {path} --for Height,Weight --given Gender,Age,Smoke100 --null NA --min-count 500 --out h --json"
    );
    let answer = dir.run(&line).done().json();
    assert_eq!(answer["rows"], 20_293);
    for hierarchy in answer["hierarchies"].as_array().unwrap() {
        assert!(hierarchy["contexts"].as_array().unwrap().len() > 1, "{hierarchy}");
    }
    let given = answer["hierarchies"][0]["correlations"].as_array().unwrap();
    assert!(given.iter().all(|found| found["value"].as_f64().unwrap() > 0.03), "{given:?}");
}

#[test]
fn a_conditional_hierarchy_can_be_published_with() {
    let dir = health(3_000);
    dir.run(&format!("hierarchy health.csv --for height {GIVEN} --min-count 150 --out h")).done();
    let publish = |hierarchy: &str, out: &str| {
        let line = format!(
            "publish health.csv --quasi sex,height --keep birth_year --accept-keep birth_year --drop-rest --method full-domain --level sex=0 \
             --level height=1 --hierarchy height={hierarchy} --require k-anonymity(2) --max-suppressed 0.01 --out {out} --json"
        );
        dir.run(&line).done();
        dir.run(&format!("verify {out} --source health.csv")).done();
        let table = fs::read_to_string(dir.path().join(out).join("table.csv")).unwrap();
        let mut cells: Vec<String> = table
            .lines()
            .skip(1)
            .map(|line| line.rsplit_once(',').unwrap().0.split_once(',').unwrap().1.into())
            .collect();
        cells.sort();
        cells.dedup();
        cells.len()
    };
    // The common part has three intervals for both sexes; the contexts have more.
    let (plain, conditional) = (publish("h/height.csv", "before"), publish("h/height.toml", "after"));
    assert!(plain <= 7 && conditional > plain, "{plain} and {conditional} kinds of people");
}
