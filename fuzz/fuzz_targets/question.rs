//! Whatever a question is, it is answered or refused.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_query::{Dialect, Session};
use std::sync::OnceLock;

static SESSION: OnceLock<Session> = OnceLock::new();

fuzz_target!(|text: &str| {
    let session = SESSION.get_or_init(|| {
        let release = std::env::var_os("SCUMBLE_RELEASE").expect("SCUMBLE_RELEASE names a release");
        Session::open(release.as_ref(), &scumble_io::NoProgress).expect("a release")
    });
    if session.ask(text, None).is_ok() {
        let _ = session.rewrite(text, Dialect::Ansi);
    }
});
