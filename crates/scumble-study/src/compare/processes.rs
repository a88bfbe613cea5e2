//! Runs as processes, as many at once as processors and memory allow.

use super::exact;
use super::memory::resident;
use super::{CompareRequest, Outcome, Status, Task, Watch};
use scumble::{Error, HiddenFolder, Result};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often processes are looked at: seldom enough to cost nothing, often enough to see memory grow.
const PAUSE: Duration = Duration::from_millis(20);

/// What a process needs before it has read anything, generously.
const EMPTY: u64 = 48 << 20;

/// What a run needs for each byte of the data before any run has told: codes, dictionaries, boxes, texts.
const PER_BYTE: u64 = 12;

/// A run that is to be started.
pub(super) struct Ready<'t> {
    at: usize,
    name: String,
    task: &'t Task,
    /// Whether nothing may run beside it: it was stopped once because memory was short.
    alone: bool,
}

impl<'t> Ready<'t> {
    pub(super) fn new(at: usize, name: &str, task: &'t Task) -> Self {
        Ready { at, name: name.into(), task, alone: false }
    }
}

/// A run that is being made. Dropped, it is stopped: no run outlives its comparison.
struct Running<'t> {
    ready: Ready<'t>,
    process: Child,
    /// What it is expected to need.
    expected: u64,
    /// The greatest memory that was seen.
    seen: u64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes runs side by side.
pub(super) struct Pool<'r> {
    request: &'r CompareRequest,
    watch: &'r dyn Watch,
    /// What a run is expected to need before any has told.
    first_guess: u64,
}

impl<'r> Pool<'r> {
    pub(super) fn new(request: &'r CompareRequest, data: &Path, watch: &'r dyn Watch) -> Self {
        let size = std::fs::metadata(data).map_or(0, |found| found.len());
        Pool { request, watch, first_guess: EMPTY.saturating_add(size.saturating_mul(PER_BYTE)) }
    }

    /// Makes all runs; `keep` is told of each as it ends.
    ///
    /// # Errors
    /// If a process cannot be started, or an outcome cannot be kept.
    pub(super) fn run(
        &self,
        ready: Vec<Ready<'_>>,
        keep: &mut dyn FnMut(usize, &Outcome) -> Result<()>,
    ) -> Result<Vec<(usize, Outcome)>> {
        HiddenFolder::sweep(&self.request.out);
        let mut waiting: VecDeque<Ready<'_>> = ready.into();
        let mut running: Vec<Running<'_>> = Vec::new();
        let mut done = Vec::new();
        let mut most_seen = None;
        while !(waiting.is_empty() && running.is_empty()) {
            while let Some(next) = waiting.front()
                && self.may_start(next, &running, most_seen)
            {
                let Some(next) = waiting.pop_front() else { break };
                let beside = running.len() + waiting.len() + 1;
                running.push(self.start(next, beside, most_seen)?);
            }
            std::thread::sleep(PAUSE);
            let mut at = 0;
            while at < running.len() {
                let one = &mut running[at];
                one.seen = one.seen.max(resident(one.process.id()).unwrap_or(0));
                let status = one.process.try_wait().map_err(|error| Error::io("wait for", &one.ready.name, &error))?;
                let Some(status) = status else {
                    at += 1;
                    continue;
                };
                let mut one = running.remove(at);
                let outcome = told(&mut one.process, status);
                let peak = outcome.cost.and_then(|cost| cost.measuring_peak_memory).unwrap_or(one.seen);
                most_seen = most_seen.max(Some(peak));
                if outcome.status == Status::Failed {
                    HiddenFolder::sweep(&self.request.out);
                }
                keep(one.ready.at, &outcome)?;
                self.watch.ended(one.ready.at + 1, Some(&outcome));
                done.push((one.ready.at, outcome));
            }
            self.hold_to_budget(&mut running, &mut waiting, &mut done);
        }
        Ok(done)
    }

    /// One run may always start. Others start beside it while there are processors and, as far as can be told, memory.
    fn may_start(&self, next: &Ready<'_>, running: &[Running<'_>], most_seen: Option<u64>) -> bool {
        if running.is_empty() {
            return true;
        }
        let taken: u64 = running.iter().map(|one| one.expected.max(one.seen)).fold(0, u64::saturating_add);
        running.len() < self.request.threads
            && !next.alone
            && !running.iter().any(|one| one.ready.alone)
            && taken.saturating_add(self.expected(most_seen)) <= self.request.memory
    }

    /// As much as the hungriest run so far, and a quarter more.
    fn expected(&self, most_seen: Option<u64>) -> u64 {
        most_seen.map_or(self.first_guess, |most| most.saturating_add(most / 4))
    }

    /// Starts a process; where fewer runs are left than processors, each gets several threads.
    fn start<'t>(&self, ready: Ready<'t>, left: usize, most_seen: Option<u64>) -> Result<Running<'t>> {
        let (program, words) = &self.request.program;
        let threads = (self.request.threads / left.clamp(1, self.request.threads.max(1))).max(1);
        let fail = |error: std::io::Error| Error::io("start", program.display(), &error);
        let mut command = Command::new(program);
        command.args(words).args(["--threads", &threads.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A signal from the terminal is for the comparison; its runs notice its end and clear up after themselves.
        scumble_platform::own_group(&mut command);
        let mut process = command.spawn().map_err(fail)?;
        let task = serde_json::to_string(ready.task).map_err(|error| Error::bug(error.to_string()))? + "\n";
        if let Some(input) = &mut process.stdin {
            // A process that is gone already tells why by its end.
            let _ = input.write_all(task.as_bytes());
        }
        self.watch.started(ready.at + 1, &ready.name);
        Ok(Running { ready, process, expected: self.expected(most_seen), seen: 0 })
    }

    /// Stops the youngest run where all together need too much; it starts again when nothing else runs. A run that needs
    /// too much all by itself ends there.
    fn hold_to_budget<'t>(
        &self,
        running: &mut Vec<Running<'t>>,
        waiting: &mut VecDeque<Ready<'t>>,
        done: &mut Vec<(usize, Outcome)>,
    ) {
        let now = |one: &Running<'_>| resident(one.process.id()).unwrap_or(0);
        if running.iter().map(now).fold(0, u64::saturating_add) <= self.request.memory {
            return;
        }
        let Some(mut last) = running.pop() else { return };
        let (_, _) = (last.process.kill(), last.process.wait());
        HiddenFolder::sweep(&self.request.out);
        let ready = Ready { at: last.ready.at, name: last.ready.name.clone(), task: last.ready.task, alone: true };
        if running.is_empty() {
            let budget = self.request.memory >> 20;
            let reason = format!(
                "it needs more memory than the {budget} MiB that the comparison may take; hint: raise --memory"
            );
            let outcome = Outcome::without(Status::Failed, reason);
            self.watch.ended(ready.at + 1, Some(&outcome));
            done.push((ready.at, outcome));
        } else {
            self.watch.ended(ready.at + 1, None);
            waiting.push_back(ready);
        }
    }
}

/// The outcome that a process wrote before it ended, or how it ended.
fn told(process: &mut Child, status: std::process::ExitStatus) -> Outcome {
    let read = |from: Option<&mut dyn Read>| {
        let mut bytes = Vec::new();
        from.map(|from| from.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let text = read(process.stdout.as_mut().map(|out| out as &mut dyn Read));
    if let (true, Some(outcome)) = (status.success(), exact::from_text(&text)) {
        return outcome;
    }
    let said = read(process.stderr.as_mut().map(|err| err as &mut dyn Read));
    let said = said.lines().next().unwrap_or("").trim().to_string();
    let reason = if said.is_empty() { format!("the process of the run ended with {status}") } else { said };
    Outcome::without(Status::Failed, reason)
}
