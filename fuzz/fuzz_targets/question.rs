//! Whatever a question is, it is answered or refused. It is put to the release that `SCUMBLE_RELEASE` names, or to one of
//! made-up people.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble::{Context, Job, Source, anonymize};
use scumble_query::{Dialect, Session};
use scumble_release::ReleaseData;
use scumble_table::Monitor;
use std::fmt::Write;
use std::io::Cursor;
use std::sync::OnceLock;

static SESSION: OnceLock<Session> = OnceLock::new();

/// Sixty people in a release that no disk keeps.
fn made_up() -> scumble::Result<Session> {
    let mut csv = String::from("age,sex,salary,disease\n");
    for n in 0..60 {
        let (age, sex) = (20 + n * 7 % 45, ["f", "m"][n % 2]);
        let (salary, disease) = (2000 + n * 131 % 3000, ["flu", "asthma", "ulcer", "gout"][n % 4]);
        writeln!(csv, "{age},{sex},{salary},{disease}").expect("a line");
    }
    let job = Job::new().quasi(["age", "sex"]).sensitive(["salary", "disease"]).require("k-anonymity(3)")?;
    let context = Context::new();
    let release = anonymize(&Source::reader(Cursor::new(csv)).read(&job, &context)?, &job, &context)?;
    Ok(Session::new(ReleaseData::read(release.reader().clone(), context.monitor())?))
}

fuzz_target!(|text: &str| {
    let session = SESSION.get_or_init(|| match std::env::var_os("SCUMBLE_RELEASE") {
        Some(release) => Session::open(release.as_ref(), Monitor::silent()).expect("a release"),
        None => made_up().expect("a release"),
    });
    if session.ask(text, None).is_ok() {
        let _ = session.rewrite(text, Dialect::Ansi);
    }
});
