//! What a comparison shows while it runs and when it is done.

use crate::output::{Output, aligned, thousands};
use crate::progress::Counter;
use scumble_study::compare::{Compared, Comparison, Outcome, Status, Watch};
use std::path::Path;
use std::sync::Mutex;

/// So many names of runs are shown at once.
const MOST_NAMED: usize = 3;

/// So many releases of the front are printed; the page shows all.
const MOST_PRINTED: usize = 20;

/// Shows which runs are being made, on a terminal.
pub(super) struct Runs {
    counter: Counter,
    running: Mutex<Vec<(usize, String)>>,
}

impl Runs {
    pub(super) fn new(output: &Output) -> Self {
        Runs { counter: output.terminal.counter("comparing", "runs"), running: Mutex::default() }
    }

    pub(super) fn finish(&self) {
        self.counter.finish();
    }

    fn change(&self, change: impl FnOnce(&mut Vec<(usize, String)>)) {
        let Ok(mut running) = self.running.lock() else { return };
        change(&mut running);
        let named: Vec<&str> = running.iter().take(MOST_NAMED).map(|(_, name)| name.as_str()).collect();
        let more = running.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        self.counter.say(&format!("{}{more}", named.join("; ")));
    }
}

impl Watch for Runs {
    fn planned(&self, runs: usize, kept: usize) {
        self.counter.start(runs as u64, kept as u64);
    }

    fn started(&self, number: usize, name: &str) {
        self.change(|running| running.push((number, name.to_string())));
    }

    fn ended(&self, number: usize, outcome: Option<&Outcome>) {
        self.change(|running| running.retain(|(known, _)| *known != number));
        if outcome.is_some() {
            self.counter.advance();
        }
    }
}

pub(super) fn words(found: &Comparison, out: &Path) -> String {
    let count = |status| found.runs.iter().filter(|run| run.outcome.status == status).count() as u64;
    let mut text = format!(
        "comparison  {}\n\n{} {} of {} rows measured",
        out.join("comparison.html").display(),
        thousands(count(Status::Done)),
        if count(Status::Done) == 1 { "release" } else { "releases" },
        thousands(found.data.rows)
    );
    for (status, words) in [
        (Status::Infeasible, "cannot be met by this data"),
        (Status::Refused, "refused"),
        (Status::Failed, "broke off"),
    ] {
        if count(status) > 0 {
            text.push_str(&format!(", {} {words}", thousands(count(status))));
        }
    }
    if found.kept > 0 {
        text.push_str(&format!("; {} had been finished before", thousands(found.kept as u64)));
    }
    text.push('\n');
    let front: Vec<&Compared> = found.runs.iter().filter(|run| run.on_belief_front).collect();
    if !front.is_empty() {
        text.push_str(&belief_front(&front));
    }
    text.push_str(&without_figures(&found.runs));
    text
}

/// What was required of a release, with the size of boxes where batches have boxes of their own.
fn required(run: &Compared) -> String {
    let boxes = run.settings.angel_k.map(|k| format!("--angel-k {k}"));
    run.settings.require.iter().cloned().chain(boxes).collect::<Vec<_>>().join("; ")
}

/// The releases that no other beats in belief and in the error of counts.
fn belief_front(front: &[&Compared]) -> String {
    let mut front = front.to_vec();
    let belief = |run: &Compared| run.outcome.figures.as_ref().and_then(|figures| figures.belief).unwrap_or(1.0);
    front.sort_by(|a, b| belief(a).total_cmp(&belief(b)).then(a.number.cmp(&b.number)));
    let mut rows =
        vec![["run", "kind", "required", "belief", "count error", "NCP", "groups"].map(String::from).to_vec()];
    for run in front.iter().take(MOST_PRINTED) {
        let Some(figures) = &run.outcome.figures else { continue };
        rows.push(vec![
            run.number.to_string(),
            run.kind.clone(),
            required(run),
            format!("{:.3}", figures.belief.unwrap_or(0.0)),
            format!("{:.1}%", 100.0 * figures.count_error_median.unwrap_or(0.0)),
            format!("{:.3}", figures.ncp),
            thousands(figures.groups),
        ]);
    }
    let more = match front.len().saturating_sub(MOST_PRINTED) {
        0 => String::new(),
        more => format!("  and {more} more\n"),
    };
    format!(
        "\nNo other release is better both in the largest belief of an attacker and in the median error of counts:\n\n{}{more}",
        aligned(&rows, &[0, 3, 4, 5, 6])
    )
}

fn without_figures(runs: &[Compared]) -> String {
    let mut rows = vec![["run", "kind", "required", "outcome"].map(String::from).to_vec()];
    let mut reasons = Vec::new();
    for run in runs.iter().filter(|run| run.outcome.status != Status::Done) {
        rows.push(vec![run.number.to_string(), run.kind.clone(), required(run), run.outcome.status.name().into()]);
        reasons.push(run.outcome.reason.clone().unwrap_or_default());
    }
    if reasons.is_empty() {
        return String::new();
    }
    let table = aligned(&rows, &[0]);
    let mut lines = table.lines();
    let mut text = format!("\nWithout a release:\n\n{}\n", lines.next().unwrap_or_default());
    for (line, reason) in lines.zip(&reasons).take(MOST_PRINTED) {
        text.push_str(&format!("{line}\n        {reason}\n"));
    }
    match reasons.len().saturating_sub(MOST_PRINTED) {
        0 => text,
        more => text + &format!("  and {more} more\n"),
    }
}
