//! `scumble export`: words, documents and exit codes. Answers in the database are tested beside the library.

use crate::permute::FIGURE_1;
use crate::support::TestDir;

fn published(dir: &TestDir) {
    dir.file("data.csv", FIGURE_1);
    dir.run(
        "publish data.csv --identifying name --quasi age,zipcode,gender --sensitive salary --algorithm mondrian \
         --require \"ke-anonymity(3, 2000)\" --out release",
    )
    .done();
}

#[test]
fn into_a_database_once_and_again() {
    let Ok(url) = std::env::var("SCUMBLE_POSTGRES") else {
        eprintln!("SCUMBLE_POSTGRES is not set: skipped");
        return;
    };
    let password = url.split_once("://").unwrap().1.split_once('@').unwrap().0.split_once(':').unwrap().1;
    let dir = TestDir::new();
    published(&dir);
    let schema = format!("cli_{}", std::process::id());
    let said = dir.run(&format!("export release --to {url} --schema {schema} --json")).done();
    let document = said.json();
    assert_eq!(document["schema"], schema.as_str());
    assert_eq!(document["tables"][0], serde_json::json!({"name": "permuted", "rows": 9}));
    assert_eq!(document["functions"], serde_json::json!(["salary_bounds"]));
    assert_eq!(document["already"], false);
    // The password may as well come from outside.
    let bare = url.replace(&format!(":{password}@"), "@");
    let again = dir
        .command()
        .args(["export", "release", "--to", &bare, "--schema", &schema])
        .env("PGPASSWORD", password)
        .output()
        .unwrap();
    assert!(again.status.success() && String::from_utf8_lossy(&again.stdout).contains("already there"), "{again:?}");
    let wrong = dir
        .run(&format!("export release --to {} --schema {schema}", url.replace(password, "n0pe")))
        .refused(3, &["password authentication failed"]);
    for text in [said.stdout, said.stderr, wrong.stdout, wrong.stderr] {
        assert!(!text.contains(password) && !text.contains("n0pe"), "{text}");
    }
    published_again(&dir);
    dir.run(&format!("export other --to {url} --schema {schema}")).refused(2, &["holds another release", "--replace"]);
    dir.run(&format!("export other --to {url} --schema {schema} --replace")).done();
}

fn published_again(dir: &TestDir) {
    dir.run(
        "publish data.csv --identifying name --quasi age,zipcode,gender --sensitive salary --method anatomy \
         --require k-anonymity(3) --out other",
    )
    .done();
}

#[test]
fn into_files_and_not_at_all() {
    let dir = TestDir::new();
    published(&dir);
    let said = dir.run("export release --to tables").done();
    assert!(said.stdout.contains("release.sql") && dir.path().join("tables/permuted.csv").exists(), "{}", said.stdout);
    dir.run("export release --to tables").refused(2, &["--to `tables`", "exists already"]);
    dir.run("export release --to more --replace").refused(2, &["--replace", "never replaced"]);
    dir.run("export nothing --to more").refused(2, &["no such directory"]);
    dir.run("export release --to mysql://a:s3cret@b/c").refused(2, &["mysql://..."]);
    let said =
        dir.run("export release --to postgres://ann:s3cret@localhost/x?sslmode=require").refused(2, &["TLS", "tunnel"]);
    assert!(!said.stderr.contains("s3cret"));
    let said = dir
        .run("export release --to postgres://ann:s3cret@127.0.0.1:1/x")
        .refused(3, &["cannot connect to", "ann@127.0.0.1:1/x"]);
    assert!(!said.stderr.contains("s3cret"));
    let file = dir.path().join("release/help.csv");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 3]).unwrap();
    dir.run("export release --to more").refused(1, &["help.csv"]);
    assert_eq!(dir.entries(), ["data.csv", "release", "tables"]);
}

#[test]
fn the_example_of_the_help_text_did_not_suit_generalized_releases() {
    let help = TestDir::new().run("export --help").done().stdout;
    for words in [
        "Then, of a permuted or anatomy release",
        "Of a generalized release",
        "ARRAY(SELECT salary FROM people WHERE age_lower > 50)",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

/// DuckDB runs the file as it is.
#[test]
fn the_exported_statements_did_not_load_the_data() {
    let dir = TestDir::new();
    published(&dir);
    published_again(&dir);
    dir.run("publish data.csv --identifying name --quasi age,zipcode,gender --sensitive salary --require k-anonymity(3) --out boxes")
        .done();
    for (release, table) in [("release", "permuted"), ("other", "qit"), ("boxes", "people")] {
        let out = format!("{release}-tables");
        dir.run(&format!("export {release} --to {out}")).done();
        let sql = std::fs::read_to_string(dir.path().join(&out).join("release.sql")).unwrap();
        assert!(sql.contains("\nCOPY \""), "{sql}");
        let program = format!(
            "import duckdb; db = duckdb.connect(); db.execute(open('release.sql').read()); \
                               print(db.execute('SELECT COUNT(*) FROM {table}').fetchall()[0][0])"
        );
        let Some((_, python)) = crate::oracle_place::oracle() else { continue };
        let said =
            std::process::Command::new(python).args(["-c", &program]).current_dir(dir.path().join(&out)).output();
        let said = said.unwrap();
        let told = String::from_utf8_lossy(&said.stderr);
        assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "9", "{told}\n{sql}");
    }
}
