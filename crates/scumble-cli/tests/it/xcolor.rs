//! Publishing under dissimilarity, from the command line to the bytes of the release, judged by the verifier and by the
//! independent checker where it is there.

use crate::support::{CommandOutput, TestDir};
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs the checker on a release.
fn judged(dir: &TestDir, release: &str, requirement: &str) {
    // Of the files beside the tables it knows hierarchies, and not yet matrices.
    let has_matrix = manifest(dir, release)["distance"].as_str().unwrap().contains("matrix:");
    let skip: &[&str] = if has_matrix { &["--skip", "no-other-files"] } else { &[] };
    let source = dir.path().join("data.csv");
    let said = crate::oracle::judged(dir, release, &source, &[&["--require", requirement], skip].concat());
    assert!(said.is_none_or(|text| text.contains(requirement)));
}

/// The distinct values of a column of `data.csv`, in order.
fn values(dir: &TestDir, column: &str) -> Vec<String> {
    let text = std::fs::read_to_string(dir.path().join("data.csv")).unwrap();
    let at = text.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    let values: BTreeSet<&str> = text.lines().skip(1).map(|line| line.split(',').nth(at).unwrap()).collect();
    values.into_iter().map(String::from).collect()
}

/// A matrix in which labels are the farther apart the farther they stand from each other in order, with one label that
/// nobody has.
fn matrix(labels: &[String]) -> String {
    let labels: Vec<&str> = labels.iter().map(String::as_str).chain(["nobody has this"]).collect();
    let pairs =
        labels.iter().enumerate().flat_map(|(i, a)| labels[..i].iter().enumerate().map(move |(j, b)| (i - j, a, b)));
    pairs.map(|(apart, a, b)| format!("{a},{b},0.{apart:02}\n")).collect()
}

/// Census data with a hierarchy of occupations by their first letters, and a matrix of educations.
fn census(rows: usize) -> TestDir {
    let dir = TestDir::new();
    dir.run(&format!("generate census --rows {rows} --out data.csv")).done();
    let tree = |value: &String| format!("{value},{},*\n", &value[..1]);
    dir.file("jobs.csv", values(&dir, "occupation").iter().map(tree).collect::<String>());
    dir.file("near.csv", matrix(&values(&dir, "education")));
    dir
}

fn manifest(dir: &TestDir, release: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.path().join(release).join("manifest.json")).unwrap()).unwrap()
}

/// All bytes of a release as text.
fn all_text(dir: &TestDir, release: &str) -> String {
    let files = std::fs::read_dir(dir.path().join(release)).unwrap();
    let text = |entry: std::io::Result<std::fs::DirEntry>| {
        String::from_utf8_lossy(&std::fs::read(entry.unwrap().path()).unwrap()).into_owned()
    };
    files.map(text).collect()
}

const CENSUS: &str = "publish data.csv --quasi age,gender,race --drop-rest";

#[test]
fn every_distance_in_every_form() {
    let dir = census(900);
    for (at, (sensitive, distance, requirement)) in [
        ("income", "range", "dissimilarity(0.05, 0.7, 5)"),
        ("occupation", "tree", "dissimilarity(0.5, 0.6, 4)"),
        ("education", "education:matrix:near.csv", "dissimilarity(0.01, 0.5, 4)"),
        ("education,income", "l2(education:matrix:near.csv*2, income:range)", "dissimilarity(0.03, 0.75, 6)"),
        ("income,occupation", "min(income:rank, occupation:equal*0.5)", "dissimilarity(0.02, 0.66, 4)"),
        ("income,occupation", "max(income:range(0, 200000), occupation:tree)", "dissimilarity(0.2, 0.8, 7)"),
    ]
    .into_iter()
    .enumerate()
    {
        for method in ["generalize", "permute", "anatomy"] {
            let out = format!("{method}{at}");
            let tree = if sensitive.contains("occupation") { "--hierarchy occupation=jobs.csv" } else { "" };
            dir.run(&format!(
                "{CENSUS} --sensitive {sensitive} {tree} --require \"{requirement}\" --distance \"{distance}\" --method {method} --out {out}"
            ))
            .done();
            let found = dir.run(&format!("verify {out} --source data.csv --json")).done().json();
            assert_eq!(found["ok"], true, "{found}");
            let stated = manifest(&dir, &out);
            assert_eq!((&stated["algorithm"], &stated["requirements"][0]), (&"xcolor".into(), &requirement.into()));
            assert!(stated["distance"].is_string(), "{stated}");
            assert!(!all_text(&dir, &out).contains("nobody has this"), "{out}");
            // The checker knows permuted releases of one sensitive column, with a help table, which only what has an order has.
            if method != "permute" || sensitive == "income" {
                judged(&dir, &out, requirement);
            }
        }
    }
}

#[test]
fn every_profile_and_the_paper() {
    let dir = census(600);
    let line = format!("{CENSUS} --sensitive income --distance rank");
    for (out, more, requirement) in [
        ("standard", "", "dissimilarity(0.1, 0.8, 6)"),
        ("hardened", "--profile hardened", "dissimilarity(0.1, 0.8, 6)"),
        ("utility", "--profile max-utility", "dissimilarity(0.1, 0.8, 6)"),
        (
            "named",
            "--algorithm xcolor --require k-anonymity(9) --require distinct-l-diversity(4)",
            "dissimilarity(0.1, 0.8, 6)",
        ),
        ("paper", "--algorithm paper", "dissimilarity(0.02, 0.5, 5)"),
    ] {
        let said = dir.run(&format!("{line} {more} --require \"{requirement}\" --out {out} --json")).done().json();
        assert_eq!(said["rows"], 600);
        assert!(said["group_sizes"]["min"].as_u64().unwrap() >= if out == "named" { 9 } else { 5 }, "{said}");
        dir.run(&format!("verify {out} --source data.csv")).done();
        judged(&dir, out, requirement);
        assert_eq!(manifest(&dir, out)["algorithm"], if out == "paper" { "paper" } else { "xcolor" });
    }
    // Same seed, same bytes.
    for out in ["one", "two"] {
        dir.run(&format!("{line} --require \"dissimilarity(0.1, 0.8, 6)\" --seed 4 --out {out}")).done();
    }
    let table = |out: &str| std::fs::read(dir.path().join(out).join("table.csv")).unwrap();
    assert_eq!(table("one"), table("two"));
}

#[test]
fn three_columns_of_health() {
    let dir = TestDir::new();
    dir.run("generate health --rows 800 --out data.csv").done();
    let requirement = "dissimilarity(0.4, 0.4, 6)";
    for method in ["generalize", "anatomy"] {
        dir.run(&format!(
            "publish data.csv --quasi birth_year,sex,height,weight --sensitive medical_history,smoking,alcohol --method {method} \
             --distance \"l1(medical_history:equal, smoking:equal, alcohol:equal*2)\" --require \"{requirement}\" --out {method}"
        ))
        .done();
        dir.run(&format!("verify {method} --source data.csv")).done();
        judged(&dir, method, requirement);
    }
}

#[test]
fn when_the_time_is_over_nothing_is_left_behind() {
    let dir = census(400);
    let before = dir.entries();
    for more in ["", "--algorithm paper", "--profile max-utility", "--max-suppressed 0.5", "--method anatomy"] {
        let said = dir.run(&format!(
            "{CENSUS} --sensitive income --distance rank --require \"dissimilarity(0.1, 0.8, 5)\" {more} --time-limit 0 --out r --json"
        ));
        assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
        let report = &said.json()["error"]["report"];
        assert_eq!(report["status"], "unsolved", "{report}");
        assert!(report["max_degree"].as_u64().is_some() && report["clique"].as_u64().is_some(), "{report}");
        assert_eq!(dir.entries(), before);
    }
    // A limit that no clock can count to is none.
    dir.run(&format!(
        "{CENSUS} --sensitive income --distance rank --require \"dissimilarity(0.1, 0.8, 5)\" --time-limit {} --out r",
        u64::MAX
    ))
    .done();
}

#[test]
fn rows_that_stand_in_the_way_are_left_out_within_the_bound() {
    let dir = TestDir::new();
    let illness = |i: usize| if i % 9 < 4 { "flu".into() } else { format!("illness {}", i % 23) };
    let rows: String = (0..180).map(|i| format!("{},{}\n", 20 + i % 50, illness(i))).collect();
    dir.file("data.csv", format!("age,illness\n{rows}"));
    let line =
        "publish data.csv --quasi age --sensitive illness --distance equal --require \"dissimilarity(0, 0.8, 5)\"";
    // Four of nine have the flu, and a group holds a third of one illness at most.
    dir.run(&format!("{line} --out r")).refused(1, &["dissimilarity(0, 0.8, 5)"]);
    let said = dir.run(&format!("{line} --max-suppressed 0.02 --out r --json"));
    assert_eq!((said.code, said.json()["error"]["report"]["status"].as_str()), (1, Some("proven_infeasible")));
    assert_eq!(dir.entries(), ["data.csv"]);
    let said = dir.run(&format!("{line} --max-suppressed 0.2 --out r --json")).done().json();
    let (rows, suppressed) = (said["rows"].as_u64().unwrap(), said["suppressed"].as_u64().unwrap());
    assert!(rows + suppressed == 180 && (30..=36).contains(&suppressed), "{said}");
    dir.run("verify r --source data.csv").done();
    // Fewer rows than a group needs are the publisher's matter, whatever may be left out.
    dir.file("data.csv", "age,illness\n1,flu\n2,gout\n3,cold\n");
    dir.run(&format!("{line} --max-suppressed 0.6 --out s")).refused(1, &["dissimilarity(0, 0.8, 5)"]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let dir = census(200);
    let before = dir.entries();
    let refused = |more: &str, words: &[&str]| -> CommandOutput {
        let said = dir.run(&format!("{CENSUS} --out r {more}")).refused(2, words);
        assert_eq!(dir.entries(), before, "{more}");
        said
    };
    let asked = "--sensitive education --require \"dissimilarity(0.1, 0.5, 4)\"";
    refused(asked, &["how far apart", "--distance"]);
    refused("--sensitive education --require k-anonymity(4) --distance equal", &["no requirement asks how far apart"]);
    refused(
        "--sensitive education --require k-anonymity(4) --algorithm xcolor",
        &["no requirement is `dissimilarity`"],
    );
    for (more, words) in [
        ("--method angel --angel-k 4", "angel"),
        ("--algorithm angel --method anatomy", "leave --algorithm out"),
        ("--algorithm mondrian", "leave --algorithm out"),
        ("--algorithm mondrian-relaxed", "leave --algorithm out"),
        ("--algorithm proximity", "leave --algorithm out"),
        ("--aim loss", "leave --aim out"),
        ("--algorithm paper --profile hardened", "no profiles"),
    ] {
        refused(&format!("{asked} --distance equal {more}"), &[words]);
    }
    refused(&format!("{asked} --distance salary:equal"), &["salary"]);
    refused(&format!("{asked} --distance \"l1(education:equal, income:rank)\""), &["income"]);
    refused(&format!("{asked} --distance range"), &["education"]);
    refused(&format!("{asked} --distance tree"), &["education"]);
    refused(
        "--sensitive education,income --require \"dissimilarity(0.1, 0.5, 4)\" --distance education:equal",
        &["it says nothing of the sensitive column `income`"],
    );
    refused(
        "--sensitive education,income --require \"education: dissimilarity(0.1, 0.5, 4)\" --require \"income: dissimilarity(0.1, 0.5, 4)\" --distance equal",
        &["one distance cannot be about different columns"],
    );
    dir.run(&format!("{CENSUS} --out r {asked} --distance matrix:none.csv")).refused(2, &["none.csv"]);
}

#[test]
fn a_matrix_that_is_none_is_refused_with_row_and_column() {
    let dir = census(200);
    let labels = values(&dir, "education");
    let (a, b) = (&labels[0], &labels[1]);
    let whole = matrix(&labels);
    for (name, text, words) in [
        ("asymmetric", format!("{whole}{a},{b},0.5\n"), "the distance is 0.5 here"),
        ("incomplete", whole.replace(&format!("{b},{a},0.01\n"), ""), "there is no distance for this pair"),
        ("negative", whole.replace(&format!("{b},{a},0.01\n"), &format!("{b},{a},-0.01\n")), "negative"),
        ("nan", whole.replace(&format!("{b},{a},0.01\n"), &format!("{b},{a},NaN\n")), "not an exact decimal"),
        ("infinite", whole.replace(&format!("{b},{a},0.01\n"), &format!("{b},{a},inf\n")), "not an exact decimal"),
        ("itself", format!("{whole}{a},{a},0.5\n"), "from itself"),
    ] {
        assert_ne!(text, whole, "{name}");
        dir.file("bad.csv", text);
        let said = dir.run(&format!(
            "{CENSUS} --sensitive education --require \"dissimilarity(0.1, 0.5, 4)\" --distance matrix:bad.csv --out r"
        ));
        let said = said.refused(2, &["bad.csv", words, "row `", "column `", a]);
        let other = if name == "itself" { a } else { b };
        assert!(said.stderr.contains(&format!("`{other}`")), "{name}: {}", said.stderr);
        assert!(!dir.path().join("r").exists());
    }
}

#[test]
fn a_job_file_names_its_matrix_from_where_it_lies() {
    let dir = census(400);
    let folder = dir.path().join("job");
    std::fs::create_dir(&folder).unwrap();
    std::fs::rename(dir.path().join("near.csv"), folder.join("near.csv")).unwrap();
    let job = |limit: u64| {
        format!(
            "[input]\npath = \"../data.csv\"\n[columns]\nage = \"quasi\"\ngender = \"quasi\"\neducation = \"sensitive\"\n[publish]\n\
             require = [\"dissimilarity(0.01, 0.5, 4)\"]\ndistance = \"education:matrix:near.csv\"\ntime_limit = {limit}\ndrop_rest = true\n\
             [output]\ndir = \"../r\"\n"
        )
    };
    std::fs::write(folder.join("job.toml"), job(0)).unwrap();
    dir.run("publish --job job/job.toml").refused(1, &["the time was over"]);
    assert!(!dir.path().join("r").exists());
    std::fs::write(folder.join("job.toml"), job(600)).unwrap();
    dir.run("publish --job job/job.toml").done();
    dir.run("verify r --source data.csv").done();
    judged(&dir, "r", "dissimilarity(0.01, 0.5, 4)");
    // The release has the pairs of what it publishes, and no word of other labels; nor of where the matrix lay.
    let all = all_text(&dir, "r");
    assert!(!all.contains("nobody has this") && !all.contains("near.csv"), "{}", manifest(&dir, "r")["distance"]);
    let published: BTreeSet<String> = values(&dir, "education").into_iter().collect();
    let name = manifest(&dir, "r")["distance"].as_str().unwrap().rsplit(':').next().unwrap().to_string();
    let text = std::fs::read_to_string(dir.path().join("r").join(&name)).unwrap();
    let known = |line: &str| line.split(',').take(2).all(|label| published.contains(label));
    let n = published.len();
    assert!(text.lines().filter(|line| known(line)).count() >= n * (n - 1) / 2, "{text}");
}
