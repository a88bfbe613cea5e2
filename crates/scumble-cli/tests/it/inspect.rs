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
