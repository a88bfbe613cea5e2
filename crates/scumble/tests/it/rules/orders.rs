//! Rules on columns with an order or a hierarchy of their own.

use super::*;

/// The manifest knows only the labels that are left; the job knows them all.
#[test]
fn orders_and_hierarchies_of_the_job_go_with_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let levels = ["none", "school", "college", "doctor"];
    let towns = ["Ghent", "Bruges", "Porto", "Braga"];
    let line = |i: usize| format!("{},{},{}\n", levels[i * 5 % 4], towns[i / 3 % 4], i % 3);
    fs::write(path("data.csv"), format!("level,town,s\n{}", (0..80).map(line).collect::<String>())).unwrap();
    fs::write(path("order.txt"), levels.join("\n")).unwrap();
    fs::write(path("towns.csv"), "Ghent;BE;*\nBruges;BE;*\nPorto;PT;*\nBraga;PT;*\n").unwrap();
    let text = r#"
[columns]
level = { role = "quasi", order = "order.txt" }
town = { role = "quasi", hierarchy = "towns.csv" }
s = "sensitive"
[rules]
doctors = { when = "level > 'college'", delete = true }
low = { when = "level <= 'none'", bottom_code = { level = "school" } }
braga = { when = "town = 'Braga'", generalize = { town = "Porto" } }
"#;
    let job = Job::from_toml(text).unwrap().in_folder(folder.path()).requiring(&["k-anonymity(4)"]).but(|job| {
        (job.input.path, job.output.dir) = (Some(path("data.csv")), Some(path("release")));
    });
    let published = publish(&job).unwrap();
    assert_eq!(published.facts.rules.iter().map(|rule| rule.matched > 0).collect::<Vec<_>>(), [true; 3]);
    let manifest = fs::read_to_string(path("release/manifest.json")).unwrap();
    assert!(manifest.contains("college") && !manifest.contains("doctor") && !manifest.contains("none"), "{manifest}");
    let found = verdict(&job, Some(&job));
    assert!(found.ok, "{:?}", steps::failures(&found));
    evaluated(&job, Some(&job), 20).unwrap();
}
