//! Published releases of all forms under the verifier: pages made again, labels that look alike, columns that are kept.

use crate::steps::{Heard, Say, job, publish, publish_in};
use scumble::{
    Algorithm, Context, Decimal, Job, Manifest, Method, Profile, Source, TableFormat, Verdict, VerifyRequest,
};
use std::fs;
use std::path::Path;

const SPELLINGS: [&str; 6] = ["flu", "Flu", "FLU ", "f\u{200b}lu", "ｆｌｕ", "fl\u{ad}u"];

/// People with an illness that half of them have in six spellings, a salary, and a ticket of their own.
fn people(n: usize) -> String {
    let mut text = String::from("age,zip,illness,pay,ticket\n");
    for i in 0..n {
        let illness = match i % 4 {
            0 | 2 => SPELLINGS[i / 2 % 6],
            1 => "gout",
            _ => "angina",
        };
        text.push_str(&format!("{},{},\"{illness}\",{},{i}\n", 20 + i * 7 % 50, 1000 + i * 13 % 90, i * 31 % 97));
    }
    text
}

fn asked(dir: &Path, method: Method, require: &[&str], sensitive: &[&str]) -> Job {
    let file = dir.join("people.csv");
    if !file.exists() {
        fs::write(&file, people(240)).unwrap();
    }
    let job = job(file, dir.join("release")).quasi(["age", "zip"]).sensitive(sensitive.iter().copied()).drop_rest();
    job.requiring(require).but(|job| {
        (job.publish.method, job.output.replace) = (Some(method), true);
        job.publish.angel_k = (method == Method::Angel).then_some(5);
    })
}

fn verdict(dir: &Path) -> Verdict {
    let source = Source::file(dir.join("people.csv"));
    let asked = VerifyRequest::default();
    crate::steps::verify_release(&dir.join("release"), &asked, Some(&source), None, &Context::new()).unwrap()
}

fn failed(verdict: &Verdict) -> Vec<&str> {
    verdict.failures().map(|check| check.name.as_str()).collect()
}

#[test]
fn pages_of_all_forms_are_made_again_byte_by_byte() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let mut jobs = vec![
        asked(dir, Method::Generalize, &["k-anonymity(4)"], &["illness"]),
        asked(dir, Method::Generalize, &["k-anonymity(4)", "t-closeness(0.5)"], &["illness", "pay"]),
        asked(dir, Method::Anatomy, &["k-anonymity(4)"], &["illness"]),
        asked(dir, Method::Permute, &["ke-anonymity(4, 10)"], &["pay"]),
        asked(dir, Method::Permute, &["k-anonymity(4)"], &["illness", "pay"]),
        asked(dir, Method::Angel, &["distinct-l-diversity(2)"], &["illness"]),
        asked(dir, Method::FullDomain, &["k-anonymity(4)"], &["illness"]),
    ];
    jobs[4].publish.together = true;
    let apart = asked(dir, Method::Permute, &["k-anonymity(4)"], &["illness", "pay"]);
    let marginal = asked(dir, Method::Angel, &["distinct-l-diversity(2)"], &["illness"])
        .but(|job| job.publish.marginal = vec![vec!["age".into()]]);
    let apart_by_distance = asked(dir, Method::Generalize, &["dissimilarity(0.1, 0.5, 4)"], &["pay"])
        .but(|job| job.publish.distance = Some("pay:range".parse().unwrap()));
    jobs.extend([apart, marginal, apart_by_distance]);
    for job in jobs {
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            publish(&job.clone().but(|job| job.output.format = Some(format))).unwrap();
            let found = verdict(dir);
            assert_eq!(failed(&found), Vec::<&str>::new(), "{:?} {format:?}", job.publish.method);
            assert!(
                found.checks.iter().any(|check| check.name == "report-own" && check.detail.contains("byte by byte"))
            );
        }
        let page = dir.join("release/report.html");
        let text = fs::read_to_string(&page).unwrap();
        fs::write(&page, text.replacen("</body>", "<p>Bob has flu</p></body>", 1)).unwrap();
        assert_eq!(failed(&verdict(dir)), ["report-own"]);
    }
}

/// What somebody may put on a page that runs, loads, hides or leads away.
const TAMPERED: [&str; 12] = [
    "<svg/onload=alert(1)>",
    "<svg class=\"chart\"OnLoad=\"alert(1)\"></svg>",
    "<a href=\"jav&#x61;script:alert(1)\">more</a>",
    "<a href=\" java\nscript:alert(1)\">more</a>",
    "<a href=\"data:text/html,x\">more</a>",
    "<!-- Bob has flu -->",
    "<iframe src=\"x\"></iframe>",
    "<object data=\"x\"></object>",
    "<form action=\"x\"></form>",
    "<base href=\"x\">",
    "<meta http-equiv=\"refresh\" content=\"0;url=x\">",
    "<script>alert(1)</script>",
];

#[test]
fn a_page_of_another_version_does_nothing_and_is_warned_of() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    for method in [Method::Generalize, Method::Angel] {
        publish(&asked(dir, method, &["distinct-l-diversity(2)"], &["illness"])).unwrap();
        assert_eq!(verdict(dir).warnings, Vec::<String>::new());
        let manifest = dir.join("release/manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        let own = format!("\"scumble\": \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&own));
        fs::write(&manifest, text.replacen(&own, "\"scumble\": \"0.0.9\"", 1)).unwrap();
        let found = verdict(dir);
        assert_eq!(failed(&found), Vec::<&str>::new());
        assert!(found.warnings.len() == 1 && found.warnings[0].contains("do not trust it"), "{:?}", found.warnings);
        let page = dir.join("release/report.html");
        let honest = fs::read_to_string(&page).unwrap();
        for tampered in TAMPERED {
            fs::write(&page, honest.replacen("</main>", &format!("{tampered}</main>"), 1)).unwrap();
            assert_eq!(failed(&verdict(dir)), ["report"], "{tampered}");
        }
    }
}

#[test]
fn secret_coins_leave_no_trace_of_the_sources_order() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let mut suppressed = 0;
    for method in [Method::Generalize, Method::FullDomain, Method::Anatomy, Method::Permute, Method::Angel] {
        for round in 0..25 {
            let mut job = asked(dir, method, &["distinct-l-diversity(2)"], &["illness"]);
            if round % 2 == 1 && matches!(method, Method::Generalize | Method::FullDomain) {
                job.publish.max_suppressed = Decimal::parse("0.2");
            }
            publish(&job).unwrap();
            let found = verdict(dir);
            assert_eq!(failed(&found), Vec::<&str>::new(), "{method:?}");
            let order = found.checks.iter().find(|check| check.name == "source-order").unwrap();
            assert!(order.detail.starts_with("no trace of the source's order in "), "{method:?}: {}", order.detail);
            suppressed += found.suppressed;
        }
    }
    assert!(suppressed > 0);
}

#[test]
fn labels_that_look_alike_are_counted_as_one_when_publishing() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    for method in [Method::Generalize, Method::Anatomy, Method::Permute, Method::Angel] {
        for require in ["distinct-l-diversity(2)", "frequency-l-diversity(2)"] {
            let (heard, context) = Heard::listen();
            publish_in(&asked(dir, method, &[require], &["illness"]), &context).unwrap();
            let heard = heard.warnings();
            let told: Vec<&String> = heard.iter().filter(|message| message.contains("labels of `illness`")).collect();
            assert!(told.len() == 1 && told[0].starts_with("6 labels of `illness`"), "{heard:?}");
            assert!(!told[0].to_lowercase().contains("flu"));
            let found = verdict(dir);
            assert_eq!(failed(&found), Vec::<&str>::new(), "{method:?} {require}");
            assert!(found.checks.iter().any(|check| check.name == "look-alikes"));
        }
        // Half of the people have one illness in six spellings, and a third of a group is less.
        let error = publish(&asked(dir, method, &["frequency-l-diversity(3)"], &["illness"]));
        assert_eq!(error.unwrap_err().exit_code(), 1, "{method:?}");
    }
}

#[test]
fn a_kept_column_that_singles_out_is_warned_of() {
    let home = tempfile::tempdir().unwrap();
    let job = asked(home.path(), Method::Generalize, &["k-anonymity(4)"], &["illness"]).keep(["ticket"]).vouched();
    let (heard, context) = Heard::listen();
    publish_in(&job, &context).unwrap();
    let heard = heard.warnings();
    assert!(heard.iter().any(|message| message.starts_with("whoever knows `ticket`")), "{heard:?}");
    let kept = verdict(home.path()).kept.unwrap();
    assert_eq!((kept.least, kept.alone, kept.identifying), (1, 240, vec!["ticket".to_string()]));
}

#[test]
fn every_algorithm_is_a_word_of_the_manifest() {
    let home = tempfile::tempdir().unwrap();
    publish(&asked(home.path(), Method::Generalize, &["k-anonymity(4)"], &["illness"])).unwrap();
    let text = fs::read_to_string(home.path().join("release/manifest.json")).unwrap();
    for algorithm in Algorithm::ALL {
        let said = text.replace("\"mondrian\"", &format!("\"{}\"", algorithm.name()));
        assert!(Manifest::parse(&said).is_ok(), "{}", algorithm.name());
    }
    for profile in Profile::ALL {
        let said = text.replace("\"standard\"", &format!("\"{}\"", profile.name()));
        assert!(Manifest::parse(&said).is_ok(), "{}", profile.name());
    }
    assert!(Manifest::parse(&text.replace("\"mondrian\"", "\"bob\"")).is_err());
}
