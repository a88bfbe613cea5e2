//! `scumble inspect` where columns are not what they seem.

use crate::support::TestDir;
use serde_json::json;

#[test]
fn a_column_of_numbers_with_na_was_called_nominal_without_a_word() {
    let dir = TestDir::new();
    let rows: String = (0..60)
        .map(|i| {
            let income = if i % 7 == 0 { "NA".into() } else { (900 + i * 13 % 400).to_string() };
            let rooms = if i % 11 == 0 { "?".into() } else { (i % 4).to_string() };
            format!("{},{income},{rooms},{}\n", 20 + i % 30, ["unknown", "north", "4"][i % 3])
        })
        .collect();
    dir.file("data.csv", format!("age,income,rooms,region\n{rows}"));
    let said = dir.run("inspect data.csv --job-out job.toml").done();
    for words in ["numbers but for a few texts", "--null NA --null '?'", "null = [\"NA\", \"?\"]"] {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
    let job = std::fs::read_to_string(dir.path().join("job.toml")).unwrap();
    assert!(job.contains("# null = [\"NA\", \"?\"]\n") && job.contains("\"income\", \"rooms\""), "{job}");
    let found = dir.run("inspect data.csv --json").done().json();
    let texts: Vec<_> =
        found["columns"].as_array().unwrap().iter().map(|column| column["maybe_missing"].clone()).collect();
    assert_eq!(texts, [json!(null), json!(["NA"]), json!(["?"]), json!(null)]);
    // As it proposes.
    let said = dir.run("inspect data.csv --null NA --null ?").done();
    assert!(!said.stdout.contains("numbers but for"), "{}", said.stdout);
}

#[test]
fn one_row_was_called_1_rows() {
    let dir = TestDir::new();
    dir.file("one.csv", "age\n31\n");
    let said = dir.run("inspect one.csv").done();
    assert!(said.stdout.starts_with("1 row, 1 column\n"), "{}", said.stdout);
    let said = dir.run("generate census --rows 1 --out c.csv").done();
    assert_eq!(said.stdout, "1 row of census in c.csv\n");
    let eight: String = (0..8).map(|i| format!("{},{}\n", 30 + i, ["flu", "cold"][i % 2])).collect();
    dir.file("eight.csv", format!("age,disease\n{eight}"));
    let said = dir.run("publish eight.csv --quasi age --sensitive disease --require k-anonymity(8) --out r").done();
    assert!(said.stdout.contains("8 rows in 1 group of 8; every requirement"), "{}", said.stdout);
    let page = std::fs::read_to_string(dir.path().join("r/report.html")).unwrap();
    assert!(page.contains("There is one group, of 8 rows."), "{page}");
    let said = dir.run("verify r").done();
    assert!(said.stdout.contains("verified: 8 rows in 1 group of 8, 0 suppressed\n"), "{}", said.stdout);
    assert!(said.stdout.contains(": 1 group attains k 8\n"), "{}", said.stdout);
    let said = dir.run("evaluate r --source eight.csv --queries 0").done();
    assert!(said.stdout.starts_with("8 rows in 1 group of 8, 0 suppressed;"), "{}", said.stdout);
}

fn ages_and_codes(rows: u32) -> String {
    let line = |i: u32| {
        format!("{},{},{},{},{}\n", 18 + i * 7 % 61, [1, 2, 9][(i % 3) as usize], i % 5, i % 2, 1000 + i * 13 % 997)
    };
    format!("age,housing answer,rooms,moved,serial_nr\n{}", (0..rows).map(line).collect::<String>())
}

#[test]
fn codes_of_few_numbers_are_flagged_as_possible_labels() {
    let dir = TestDir::new();
    dir.file("data.csv", ages_and_codes(300));
    let said = dir.run("inspect data.csv --job-out job.toml").done();
    assert!(said.stdout.contains("may be codes of classes: housing answer\n"), "{}", said.stdout);
    assert!(said.stdout.contains("--type 'housing answer=nominal'"), "{}", said.stdout);
    let job = std::fs::read_to_string(dir.path().join("job.toml")).unwrap();
    let line = job.lines().find(|line| line.starts_with("\"housing answer\"")).unwrap();
    assert!(
        line.ends_with("; if its numbers are codes of classes: { role = \"quasi\", type = \"nominal\" }"),
        "{line}"
    );
    let found = dir.run("inspect data.csv --json").done().json();
    let flags: Vec<_> =
        found["columns"].as_array().unwrap().iter().map(|column| column["maybe_labels"].clone()).collect();
    assert_eq!(flags, [json!(null), json!(true), json!(null), json!(null), json!(null)]);
    // What the comment says is understood.
    let value = "{ role = \"quasi\", type = \"nominal\" }";
    std::fs::write(dir.path().join("job.toml"), job.replace(line, &format!("\"housing answer\" = {value}"))).unwrap();
    dir.run("publish --job job.toml").done();
    let manifest = std::fs::read_to_string(dir.path().join("release/manifest.json")).unwrap();
    assert!(manifest.contains("nominal"), "{manifest}");
}

#[test]
fn columns_that_tell_most_apart_are_named_and_in_no_set() {
    let dir = TestDir::new();
    let rows: String =
        (0..400).map(|i| format!("{}.5,{},{},{}\n", i * 31 % 400, i % 20, i / 20, ["a", "b", "c"][i % 3])).collect();
    dir.file("data.csv", format!("distance,aisle_no,shelf_no,wing\n{rows}"));
    let said = dir.run("inspect data.csv").done();
    let apart =
        "Columns that tell most rows apart by themselves; no set with them was looked at:\n\n  100.0 %  distance\n";
    assert!(said.stdout.contains(apart), "{}", said.stdout);
    let found = dir.run("inspect data.csv --json").done().json();
    assert_eq!(found["near_unique"], json!(["distance"]));
    let sets: Vec<_> = found["sets"].as_array().unwrap().iter().map(|set| set["columns"].clone()).collect();
    assert_eq!(sets[0], json!(["aisle_no", "shelf_no"]));
    // Together with the third they tell no more.
    assert!(sets.iter().all(|set| set.as_array().unwrap().len() == 2), "{sets:?}");
}

#[test]
fn more_columns_than_a_search_takes_are_named_with_what_to_do() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..70)
        .map(|i| if i == 69 { "age".into() } else { format!("item{}", (b'a' + i / 26) as char) + &i.to_string() })
        .collect();
    let row = |i: usize| {
        (0..70).map(|at| ((i * (at + 3) + i * i * at) % 97 % 7 + at % 2).to_string()).collect::<Vec<_>>().join(",")
    };
    let rows: String = (0..200).map(|i| row(i) + "\n").collect();
    dir.file("wide.csv", format!("{}\n{rows}", names.join(",")));
    let said = dir.run("inspect wide.csv --job-out job.toml").done();
    assert!(said.stdout.contains("More columns than a search takes could be known of a person"), "{}", said.stdout);
    let found = dir.run("inspect wide.csv --json").done().json();
    let roles =
        |role: &str| found["columns"].as_array().unwrap().iter().filter(|column| column["proposal"] == role).count();
    let left = found["too_many"].as_array().unwrap().len();
    assert!(left > 0 && roles("quasi") == 64, "{left}");
    // What is known to be known stays.
    assert!(found["columns"][69]["proposal"] == "quasi");
    assert!(
        std::fs::read_to_string(dir.path().join("job.toml"))
            .unwrap()
            .contains("# More columns could be known of a person")
    );
    dir.run("publish --job job.toml").done();
    let all = names.join(",");
    dir.run(&format!("publish wide.csv --quasi {all} --require k-anonymity(5) --out all"))
        .refused(2, &["at most 64", "hint:", "--sensitive"]);
}

#[test]
fn many_names_stood_on_one_line() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..40).map(|at| format!("answer_to_question_{at}")).collect();
    let row =
        |i: usize| (0..40).map(|at| ((i * (at + 3) + i * i * at) % 97 % 7).to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..200).map(|i| row(i) + "\n").collect();
    dir.file("wide.csv", format!("{}\n{rows}", names.join(",")));
    let said = dir.run("inspect wide.csv").done();
    let list = said.stdout.split("codes of classes:").nth(1).unwrap();
    let list = list.split("Most telling").next().unwrap();
    assert!(list.contains("--type 'answer_to_question_39=nominal'") && list.contains(" \\\n"), "{list}");
    assert!(list.lines().all(|line| line.chars().count() <= 130), "{list}");
}
