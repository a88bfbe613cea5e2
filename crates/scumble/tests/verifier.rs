//! Published releases of all forms under the verifier: pages made again, labels that look alike, columns that are kept.

use scumble::{
    ColumnRequest, ColumnRole, Input, Method, Observer, PublishRequest, Requirement, Silent, Stage, TableFormat,
    Verdict,
};
use std::fs;
use std::path::Path;
use std::sync::Mutex;

/// Listens to warnings.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Observer for Heard {
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}

    fn advance(&self, _amount: u64) {}

    fn warn(&self, message: &str) {
        self.0.lock().unwrap().push(message.into());
    }
}

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

fn request(dir: &Path, method: Method, require: &[&str], sensitive: &[&str]) -> PublishRequest {
    let file = dir.join("people.csv");
    if !file.exists() {
        fs::write(&file, people(240)).unwrap();
    }
    let mut columns = ["age", "zip"].map(|name| ColumnRequest::new(name, ColumnRole::Quasi)).to_vec();
    columns.extend(sensitive.iter().map(|name| ColumnRequest::new(*name, ColumnRole::Sensitive)));
    PublishRequest {
        columns,
        method: Some(method),
        requirements: require.iter().map(|text| text.parse::<Requirement>().unwrap()).collect(),
        drop_rest: true,
        angel_k: (method == Method::Angel).then_some(5),
        out: dir.join("release"),
        replace: true,
        ..PublishRequest::new(Input::file(file))
    }
}

fn verdict(dir: &Path) -> Verdict {
    let source = Input::file(dir.join("people.csv"));
    scumble::verify(&dir.join("release"), &[], Some(&source), None, &Silent).unwrap()
}

fn failed(verdict: &Verdict) -> Vec<&str> {
    verdict.failures().map(|check| check.name.as_str()).collect()
}

#[test]
fn pages_of_all_forms_are_made_again_byte_by_byte() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    let mut requests = vec![
        request(dir, Method::Generalize, &["k-anonymity(4)"], &["illness"]),
        request(dir, Method::Generalize, &["k-anonymity(4)", "t-closeness(0.5)"], &["illness", "pay"]),
        request(dir, Method::Anatomy, &["k-anonymity(4)"], &["illness"]),
        request(dir, Method::Permute, &["ke-anonymity(4, 10)"], &["pay"]),
        request(dir, Method::Permute, &["k-anonymity(4)"], &["illness", "pay"]),
        request(dir, Method::Angel, &["distinct-l-diversity(2)"], &["illness"]),
        request(dir, Method::FullDomain, &["k-anonymity(4)"], &["illness"]),
    ];
    requests[4].together = true;
    let mut apart = request(dir, Method::Permute, &["k-anonymity(4)"], &["illness", "pay"]);
    apart.together = false;
    let mut marginal = request(dir, Method::Angel, &["distinct-l-diversity(2)"], &["illness"]);
    marginal.marginals = vec![vec!["age".into()]];
    let mut apart_by_distance = request(dir, Method::Generalize, &["dissimilarity(0.1, 0.5, 4)"], &["pay"]);
    apart_by_distance.distance =
        Some(scumble::LoadedDistance::new("pay:range".parse().unwrap(), |_| unreachable!()).unwrap());
    requests.extend([apart, marginal, apart_by_distance]);
    for mut request in requests {
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            request.format = format;
            scumble::publish(&request, &Silent).unwrap();
            let found = verdict(dir);
            assert_eq!(failed(&found), Vec::<&str>::new(), "{:?} {format:?}", request.method);
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
        scumble::publish(&request(dir, method, &["distinct-l-diversity(2)"], &["illness"]), &Silent).unwrap();
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
            let mut asked = request(dir, method, &["distinct-l-diversity(2)"], &["illness"]);
            if round % 2 == 1 && matches!(method, Method::Generalize | Method::FullDomain) {
                asked.max_suppressed = scumble::Decimal::parse("0.2").unwrap();
            }
            scumble::publish(&asked, &Silent).unwrap();
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
            let heard = Heard::default();
            scumble::publish(&request(dir, method, &[require], &["illness"]), &heard).unwrap();
            let heard = heard.0.into_inner().unwrap();
            let told: Vec<&String> = heard.iter().filter(|message| message.contains("labels of `illness`")).collect();
            assert!(told.len() == 1 && told[0].starts_with("6 labels of `illness`"), "{heard:?}");
            assert!(!told[0].to_lowercase().contains("flu"));
            let found = verdict(dir);
            assert_eq!(failed(&found), Vec::<&str>::new(), "{method:?} {require}");
            assert!(found.checks.iter().any(|check| check.name == "look-alikes"));
        }
        // Half of the people have one illness in six spellings, and a third of a group is less.
        let error = scumble::publish(&request(dir, method, &["frequency-l-diversity(3)"], &["illness"]), &Silent);
        assert_eq!(error.unwrap_err().exit_code(), 1, "{method:?}");
    }
}

#[test]
fn a_kept_column_that_singles_out_is_warned_of() {
    let home = tempfile::tempdir().unwrap();
    let mut request = request(home.path(), Method::Generalize, &["k-anonymity(4)"], &["illness"]);
    request.columns.push(ColumnRequest::new("ticket", ColumnRole::Kept));
    let heard = Heard::default();
    scumble::publish(&request, &heard).unwrap();
    let heard = heard.0.into_inner().unwrap();
    assert!(heard.iter().any(|message| message.starts_with("whoever knows `ticket`")), "{heard:?}");
    let kept = verdict(home.path()).kept.unwrap();
    assert_eq!((kept.least, kept.alone, kept.identifying), (1, 240, vec!["ticket".to_string()]));
}

#[test]
fn every_algorithm_is_a_word_of_the_manifest() {
    let home = tempfile::tempdir().unwrap();
    scumble::publish(&request(home.path(), Method::Generalize, &["k-anonymity(4)"], &["illness"]), &Silent).unwrap();
    let text = fs::read_to_string(home.path().join("release/manifest.json")).unwrap();
    for algorithm in scumble::Algorithm::ALL {
        let said = text.replace("\"mondrian\"", &format!("\"{}\"", algorithm.name()));
        assert!(scumble_release::Manifest::parse(&said).is_ok(), "{}", algorithm.name());
    }
    for profile in scumble::Profile::ALL {
        let said = text.replace("\"standard\"", &format!("\"{}\"", profile.name()));
        assert!(scumble_release::Manifest::parse(&said).is_ok(), "{}", profile.name());
    }
    assert!(scumble_release::Manifest::parse(&text.replace("\"mondrian\"", "\"bob\"")).is_err());
}
