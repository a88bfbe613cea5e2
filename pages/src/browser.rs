//! The browser as a process that is spoken to through two pipes.

use crate::tab::Tab;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long an answer may take. It is no measure of anything: a browser that hangs must end the test.
const PATIENCE: Duration = Duration::from_secs(120);

/// The browser reads from its third file and writes to its fourth; the shell alone can put them there.
const WIRED: &str = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null";

/// No window, no disk kept, no chatter of its own, and no network at all: a page that asks for something is found out by
/// its request, not by what comes back.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // Who runs as root has no sandbox to be put in. The pages are our own.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "about:blank",
];

/// Why a page could not be looked at: the browser is missing, died, or said no.
#[derive(Debug)]
pub struct Fault(pub String);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Fault(error.to_string())
    }
}

/// A running browser. It ends with this value.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    last_id: u64,
    /// What the browser reported while an answer was waited for.
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser of its own, with an empty profile.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(program: &Path) -> Result<Self, Fault> {
        let profile = tempfile::tempdir()?;
        let mut child = Command::new("sh")
            .args(["-c", WIRED, "sh"])
            .arg(program)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(FLAGS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(to), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault("the browser has no pipes".into()));
        };
        let (send, from) = channel();
        std::thread::spawn(move || {
            // Messages end with a zero byte.
            for message in BufReader::new(out).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { break };
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser { child, to, from, last_id: 0, events: Vec::new(), _profile: profile };
        browser.ask(None, "Browser.getVersion", json!({}))?;
        Ok(browser)
    }

    /// Opens an empty page.
    ///
    /// # Errors
    /// Where the browser says no.
    pub fn tab(&mut self) -> Result<Tab<'_>, Fault> {
        Tab::open(self)
    }

    /// Asks something of the browser, or of the page of a session, and waits for the answer.
    pub(crate) fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Fault> {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes)?;
        self.to.flush()?;
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.hear(until).map_err(|why| Fault(format!("{method}: {why}")))?;
            if message["id"] != self.last_id {
                self.events.push(message);
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(Fault(format!("{method}: {}", error["message"].as_str().unwrap_or("refused"))));
            }
            return Ok(message["result"].clone());
        }
    }

    /// Waits until something is reported of a session, in the past too; all reports stay to be read.
    pub(crate) fn await_event(&mut self, session: &str, method: &str) -> Result<(), Fault> {
        let until = Instant::now() + PATIENCE;
        let is_it = |event: &Value| event["method"] == method && event["sessionId"] == session;
        while !self.events.iter().any(is_it) {
            let event = self.hear(until).map_err(|why| Fault(format!("{method}: {why}")))?;
            self.events.push(event);
        }
        Ok(())
    }

    /// Takes what has been reported of a session so far.
    pub(crate) fn take_events(&mut self, session: &str) -> Vec<Value> {
        while let Ok(event) = self.from.try_recv() {
            self.events.push(event);
        }
        let (own, others) = std::mem::take(&mut self.events).into_iter().partition(|one| one["sessionId"] == session);
        self.events = others;
        own
    }

    fn hear(&mut self, until: Instant) -> Result<Value, &'static str> {
        self.from.recv_timeout(until.saturating_duration_since(Instant::now())).map_err(|why| match why {
            RecvTimeoutError::Timeout => "the browser does not answer",
            RecvTimeoutError::Disconnected => "the browser is gone",
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to close it takes its helpers with it. One that does not is ended.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
