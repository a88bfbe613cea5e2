//! What the publisher is told of mixtures of groups, from flags, job files and sweeps.

use crate::support::TestDir;

const STAFF: &str = "--quasi age,town --type age=number --sensitive salary --require \"proximity-absolute(100, 2)\"";

fn staffed() -> TestDir {
    let dir = TestDir::new();
    let rows = ["24,1000", "26,1100", "27,1200", "29,1900", "31,2500", "33,2600", "36,3300", "38,3400", "41,4100"];
    let rows = rows.iter().map(|row| row.replace(',', ",Ghent,") + "\n").collect::<String>();
    std::fs::write(dir.path().join("staff.csv"), format!("age,town,salary\n{rows}44,Ghent,4800\n")).unwrap();
    dir
}

fn manifest(dir: &TestDir, release: &str) -> String {
    std::fs::read_to_string(dir.path().join(release).join("manifest.json")).unwrap()
}

#[test]
fn the_publisher_is_told_and_the_release_is_silent() {
    let dir = staffed();
    dir.run(&format!("publish staff.csv {STAFF} --seed 3 --out told")).done();
    assert!(!manifest(&dir, "told").contains("mixture"));
    dir.run(&format!("publish staff.csv {STAFF} --seed 3 --mixtures hold --out held")).done();
    assert!(manifest(&dir, "held").contains("\"mixtures\": \"hold\""));
    dir.run("verify held --source staff.csv").done();
}

#[test]
fn a_job_file_says_it_in_the_same_words() {
    let dir = staffed();
    let job = "[input]\npath = \"staff.csv\"\n[columns]\nage = { role = \"quasi\", type = \"number\" }\n\
               town = { role = \"quasi\" }\nsalary = { role = \"sensitive\" }\n[publish]\n\
               require = [\"proximity-absolute(100, 2)\"]\nmixtures = \"hold\"\n[output]\ndir = \"held\"\n";
    std::fs::write(dir.path().join("job.toml"), job).unwrap();
    dir.run("publish --job job.toml").done();
    assert!(manifest(&dir, "held").contains("\"mixtures\": \"hold\""));
    // A flag wins.
    dir.run("publish --job job.toml --mixtures report --replace").done();
    assert!(!manifest(&dir, "held").contains("mixture"));
}
