//! Whatever a question is, it is answered or refused. It is put to the release that `SCUMBLE_RELEASE` names, or to one of
//! made-up people.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble::{ColumnRequest, ColumnRole, Input, PublishRequest, Silent};
use scumble_query::{Dialect, Session};
use std::fmt::Write;
use std::sync::OnceLock;

static SESSION: OnceLock<Session> = OnceLock::new();

/// Sixty people in a release that no disk keeps.
fn made_up() -> Session {
    let folder = tempfile::tempdir().expect("a folder");
    let mut csv = String::from("age,sex,salary,disease\n");
    for n in 0..60 {
        let (age, sex) = (20 + n * 7 % 45, ["f", "m"][n % 2]);
        let (salary, disease) = (2000 + n * 131 % 3000, ["flu", "asthma", "ulcer", "gout"][n % 4]);
        writeln!(csv, "{age},{sex},{salary},{disease}").expect("a line");
    }
    let (table, out) = (folder.path().join("people.csv"), folder.path().join("release"));
    std::fs::write(&table, csv).expect("a table");
    let request = PublishRequest {
        columns: vec![
            ColumnRequest::new("age", ColumnRole::Quasi),
            ColumnRequest::new("sex", ColumnRole::Quasi),
            ColumnRequest::new("salary", ColumnRole::Sensitive),
            ColumnRequest::new("disease", ColumnRole::Sensitive),
        ],
        requirements: vec!["k-anonymity(3)".parse().expect("a requirement")],
        out: out.clone(),
        ..PublishRequest::new(Input::file(&table))
    };
    scumble::publish(&request, &Silent).expect("a release");
    Session::open(&out, &scumble_io::NoProgress).expect("a session")
}

fuzz_target!(|text: &str| {
    let session = SESSION.get_or_init(|| match std::env::var_os("SCUMBLE_RELEASE") {
        Some(release) => Session::open(release.as_ref(), &scumble_io::NoProgress).expect("a release"),
        None => made_up(),
    });
    if session.ask(text, None).is_ok() {
        let _ = session.rewrite(text, Dialect::Ansi);
    }
});
