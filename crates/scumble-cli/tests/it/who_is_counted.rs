//! Who is counted: each person once, in the data, in a population and in joined tables; and what they are called.

use crate::support::TestDir;
use std::fs;

/// `people` patients with `each` visits, in households of two.
fn visits(people: u32, each: u32) -> String {
    let mut text = String::from("patient,household,visit,age,zip,code\n");
    for visit in 0..each {
        for who in 0..people {
            let (age, zip) = (20 + who * 7 % 40, who % 3);
            text.push_str(&format!("p{who},h{},v{visit}-{who},{age},{zip},c{}\n", who / 2, (who * 5 + visit) % 9));
        }
    }
    text
}

/// The fewest patients of a population whose ages and zips lie in a box of a release.
fn fewest_patients(release: &str, population: &str) -> usize {
    let ends = |shown: &str| -> (u32, u32) {
        let inner = shown.trim_matches(['[', ']']);
        let (lo, hi) = inner.split_once(',').unwrap_or((inner, inner));
        (lo.parse().unwrap(), hi.parse().unwrap())
    };
    let quoted = |line: &str| {
        let (mut cells, mut open) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => open = !open,
                ',' if !open => cells.push(String::new()),
                other => cells.last_mut().unwrap().push(other),
            }
        }
        cells
    };
    let header = quoted(release.lines().next().unwrap());
    let place = |name: &str| header.iter().position(|known| known == name).unwrap();
    let patients = |line: &str| {
        let cells = quoted(line);
        let (age, zip) = (ends(&cells[place("age")]), ends(&cells[place("zip")]));
        let inside = population.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).filter(|row| {
            let is_in = |(lo, hi): (u32, u32), text: &str| (lo..=hi).contains(&text.parse().unwrap());
            is_in(age, row[3]) && is_in(zip, row[4])
        });
        inside.map(|row| row[0].to_string()).collect::<std::collections::BTreeSet<_>>().len()
    };
    release.lines().skip(1).map(patients).min().unwrap()
}

const COLUMNS: &str = "--quasi age,zip --sensitive code --drop-rest";

#[test]
fn each_person_of_a_population_counts_once_in_a_box() {
    let dir = TestDir::new();
    let all = visits(60, 6);
    dir.file("all.csv", &all);
    dir.file("data.csv", all.lines().take(101).collect::<Vec<_>>().join("\n") + "\n");
    let nameless: String = all.lines().map(|line| format!("{}\n", line.splitn(4, ',').last().unwrap())).collect();
    dir.file("nameless.csv", nameless);
    let publish = |population: &str, out: &str| {
        let line = format!(
            "publish data.csv {COLUMNS} --person patient --population {population} --require k-map(6) --out {out}"
        );
        dir.run(&line).done()
    };
    publish("all.csv", "km");
    let table = fs::read_to_string(dir.path().join("km/table.csv")).unwrap();
    assert!(fewest_patients(&table, &all) >= 6);
    let page = |out: &str| fs::read_to_string(dir.path().join(out).join("report.html")).unwrap();
    assert!(page("km").contains("at least 6 people of the population"));
    let verified = dir.run("verify km --population all.csv --person patient").done();
    assert!(verified.stdout.contains("ok   require[k-map(6)]") && !verified.stdout.contains("rows of the population"));
    // Without the columns rows are counted, and called rows.
    let by_rows = dir.run("verify km --population all.csv").done();
    assert!(by_rows.stdout.contains("in the rows of the population"), "{}", by_rows.stdout);
    // So they are where the population does not have them.
    let said = publish("nameless.csv", "by-rows");
    assert!(said.stderr.contains("its rows are counted and not its people"), "{}", said.stderr);
    assert!(
        page("by-rows").contains("at least 6 rows of the population")
            && !page("by-rows").contains("people of the population")
    );
    let manifest = fs::read_to_string(dir.path().join("by-rows/manifest.json")).unwrap();
    assert!(manifest.contains("\"population\": \"rows\""), "{manifest}");
    let verified = dir.run("verify by-rows --population nameless.csv --person patient").done();
    assert!(verified.stdout.contains("in the rows of the population"), "{}", verified.stdout);
    dir.run("verify by-rows --person patient").refused(2, &["--person", "--source"]);
    let few = format!("publish data.csv {COLUMNS} --person patient --population all.csv --require k-map(61) --out few");
    dir.run(&few).refused(1, &["k-map(61)", "covers 60 people of the population"]);
}

#[test]
fn a_population_that_repeats_people_is_refused_where_shares_are_asked() {
    let dir = TestDir::new();
    let all = visits(60, 6);
    dir.file("all.csv", &all);
    dir.file("once.csv", visits(60, 1));
    dir.file("data.csv", all.lines().take(31).collect::<Vec<_>>().join("\n") + "\n");
    let publish = |role: &str, population: &str| {
        let line = format!(
            "publish data.csv {COLUMNS} {role} --population {population} --require \"delta-presence(0,0.9)\" --out {population}.out"
        );
        dir.run(&line)
    };
    publish("--person patient", "all.csv").refused(2, &["--population", "several rows in the population"]);
    publish("--identifying patient", "all.csv").refused(2, &["--population", "360 rows have 60 different values"]);
    publish("--person patient", "once.csv").done();
    let verified = dir.run("verify once.csv.out --population all.csv --person patient");
    assert!(verified.code == 1 && verified.stdout.contains("several rows in the population"), "{}", verified.stdout);
    dir.run("verify once.csv.out --population once.csv --person patient").done();
}

#[test]
fn joined_tables_leave_people_and_not_their_rows() {
    let dir = TestDir::new();
    dir.file("data.csv", visits(60, 20));
    let publish = |k: u32, out: &str| {
        dir.run(&format!(
            "publish data.csv {COLUMNS} --person patient --method angel --require \"frequency-l-diversity(2)\" --angel-k 4 \
             --marginal age --join-k {k} --out {out} --json"
        ))
    };
    // Somebody has 20 rows, so that as many rows may be one person's.
    publish(20, "few").refused(1, &["--join-k 20", "people"]);
    assert!(!dir.path().join("few").exists());
    let said = publish(1, "release").done().json();
    let joined = &said["joined"];
    assert!(joined["counted"] == "persons" && joined["least"].as_u64().unwrap() < 20, "{joined}");
    let verified = dir.run("verify release --source data.csv --person patient --join-k 20");
    assert!(verified.code == 1 && verified.stdout.contains("FAIL joined"), "{}", verified.stdout);
    let told = dir.run("risk release --source data.csv --person patient --json").done().json();
    assert_eq!(told["joined"], *joined);
}

#[test]
fn households_are_called_households() {
    let dir = TestDir::new();
    dir.file("data.csv", visits(60, 3));
    let line = format!("publish data.csv {COLUMNS} --person household --require k-anonymity(3) --out release");
    let said = dir.run(&line).done();
    assert!(said.stdout.contains("180 rows of 30 households in"), "{}", said.stdout);
    assert!(said.stdout.contains("holds for households too"), "{}", said.stdout);
    let page = fs::read_to_string(dir.path().join("release/report.html")).unwrap();
    assert!(page.contains("Households") && page.contains("households, as the publisher tells them apart"));
    let manifest = fs::read_to_string(dir.path().join("release/manifest.json")).unwrap();
    assert!(manifest.contains("\"persons\": 30,\n  \"counted\": \"households\""), "{manifest}");
    dir.run("verify release --source data.csv --person household").done();
    let line = format!("publish data.csv {COLUMNS} --person patient --require k-anonymity(3) --out people");
    assert!(dir.run(&line).done().stdout.contains("180 rows of 60 persons in"));
    assert!(!fs::read_to_string(dir.path().join("people/manifest.json")).unwrap().contains("\"counted\""));
}

#[test]
fn an_identifying_column_that_names_fewer_people_is_warned_of() {
    let dir = TestDir::new();
    dir.file("data.csv", visits(60, 3));
    let publish = |person: &str, identifying: &str| {
        let line = format!(
            "publish data.csv {COLUMNS} --person {person} --identifying {identifying} --require k-anonymity(3) --out by-{person}"
        );
        dir.run(&line).done().stderr
    };
    let said = publish("visit", "patient");
    assert!(said.contains("`patient` in --identifying has 60 different values in 180 rows"), "{said}");
    assert!(said.contains("--person tells 180 people apart"), "{said}");
    let said = publish("household", "patient");
    assert!(!said.contains("different values"), "{said}");
}

#[test]
fn where_no_row_names_a_person_rows_are_spoken_of() {
    let dir = TestDir::new();
    let rows: String =
        visits(60, 3).lines().skip(1).map(|line| format!(",{}\n", line.split_once(',').unwrap().1)).collect();
    dir.file("data.csv", format!("patient,household,visit,age,zip,code\n{rows}"));
    let line = format!("publish data.csv {COLUMNS} --person patient --require k-anonymity(3) --out release");
    let said = dir.run(&line).done();
    assert!(said.stdout.contains("180 rows in") && !said.stdout.contains("persons"), "{}", said.stdout);
    let page = fs::read_to_string(dir.path().join("release/report.html")).unwrap();
    assert!(page.contains("none of the 180 rows names a person"));
    for words in ["Persons", "counts each person once", "for persons too"] {
        assert!(!page.contains(words), "{words}");
    }
    let manifest = fs::read_to_string(dir.path().join("release/manifest.json")).unwrap();
    assert!(!manifest.contains("\"persons\"") && manifest.contains("\"unnamed\": 180"), "{manifest}");
    dir.run("verify release").done();
}
