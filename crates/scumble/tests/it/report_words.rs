//! What the page of a release says of people whose rows, names or values are not what one would think.

use crate::dice::Dice;
use crate::persons::{visits_job, write};
use crate::steps::{Say, failures, job, publish, verify_alone};
use scumble::{Method, Missing};
use std::fs;
use std::path::Path;

fn page(release: &Path) -> String {
    fs::read_to_string(release.join("report.html")).unwrap()
}

/// Sentences that hold for groups in which everybody has one row.
const CHANCES: [&str; 4] =
    ["no better chance than", "is right with a chance", "for certain from the tables", "leave as much doubt"];

#[test]
fn no_chance_is_promised_to_people_with_several_rows() {
    for several in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut dice = Dice(7);
        let visit = |at: u32, dice: &mut Dice| {
            let patient = if several { at / 3 } else { at };
            (patient, dice.below(40) as u32, dice.below(20) as u32, dice.below(9) as u32)
        };
        let visits: Vec<_> = (0..240).map(|at| visit(at, &mut dice)).collect();
        write(folder.path(), &visits);
        for require in
            ["k-anonymity(3)", "frequency-l-diversity(2)", "distinct-l-diversity(3)", "entropy-l-diversity(2)"]
        {
            let methods = [Method::Generalize, Method::Anatomy];
            for method in methods.into_iter().filter(|method| *method == Method::Generalize || require.contains("freq"))
            {
                let job = visits_job(folder.path(), require, method);
                publish(&job).unwrap();
                let page = page(job.out());
                let promised = CHANCES.iter().any(|words| page.contains(words));
                assert_eq!(promised, !several, "{require} {method}");
                assert_eq!(page.contains("rows of one person may make up much of a group"), several, "{require}");
                let found = verify_alone(job.out());
                assert!(found.failures().next().is_none(), "{:?}", failures(&found));
            }
        }
    }
}

/// How many rows of the release name nobody is in the manifest, and the page does not count them among people without saying so.
#[test]
fn rows_without_a_name_are_said_to_be_counted_one_by_one() {
    for (named, says, counted) in [
        (0, "none of the 60 rows names a person", "at least 5 rows"),
        (50, "10 rows name no person, and each of them was counted as a person of its own", "at least 5 people"),
        (59, "1 row names no person and was counted as a person of its own", "at least 5 people"),
        (60, "every row is that of another person", "at least 5 people"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let name = |at: u32| if at < named { format!("p{at}") } else { String::new() };
        let rows: String = (0..60).map(|at| format!("{},{},i{}\n", name(at), 20 + at % 30, at % 4)).collect();
        fs::write(folder.path().join("data.csv"), format!("who,age,ill\n{rows}")).unwrap();
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).sensitive(["ill"]);
        let job = job.person(["who"]).requiring(&["k-anonymity(5)"]);
        publish(&job).unwrap();
        let page = page(job.out());
        assert!(page.contains(says), "{named}: {page}");
        assert!(page.contains(counted), "{named}");
        assert_eq!(page.contains("every row is that of another person"), named == 60);
        let manifest = fs::read_to_string(job.out().join("manifest.json")).unwrap();
        assert_eq!(manifest.contains(&format!("\"unnamed\": {}", 60 - named)), named < 60, "{manifest}");
        assert_eq!(manifest.contains("unnamed"), named < 60);
        // Where no row names a person nobody is told apart.
        assert_eq!(manifest.contains("\"persons\""), named > 0);
        let found = verify_alone(job.out());
        assert!(found.failures().next().is_none(), "{:?}", failures(&found));
        // More of them than there are persons cannot be.
        let false_one = match named {
            60 => manifest.replace("\"persons\": 60,", "\"persons\": 60,\n  \"unnamed\": 61,"),
            _ => manifest.replace(&format!("\"unnamed\": {}", 60 - named), "\"unnamed\": 61"),
        };
        fs::write(job.out().join("manifest.json"), false_one).unwrap();
        let found = failures(&verify_alone(job.out()));
        assert!(found.iter().any(|failure| failure.contains("more rows that name no person")), "{found:?}");
    }
}

#[test]
fn ignored_missing_values_are_not_said_to_count() {
    let folder = tempfile::tempdir().unwrap();
    let ill = |at: u32| if at.is_multiple_of(5) { String::new() } else { format!("i{}", at % 4) };
    let rows: String = (0..60).map(|at| format!("{},{}\n", 20 + at % 30, ill(at))).collect();
    fs::write(folder.path().join("data.csv"), format!("age,ill\n{rows}")).unwrap();
    for missing in [Missing::Value, Missing::Ignore] {
        let job = job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).sensitive(["ill"]);
        let job = job.requiring(&["distinct-l-diversity(2)"]).but(|job| {
            job.column_mut("ill").missing = Some(missing);
            job.output.replace = true;
        });
        publish(&job).unwrap();
        let page = page(job.out());
        assert_eq!(page.contains("like any other value when a group is judged."), missing == Missing::Value);
        assert_eq!(
            page.contains("when a group is judged, but for <bdi>ill</bdi>: what is"),
            missing == Missing::Ignore
        );
    }
}
