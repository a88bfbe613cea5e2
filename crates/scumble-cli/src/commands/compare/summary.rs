//! What a comparison shows while it runs and when it is done.

use crate::flag_names::flag_of;
use crate::output::{Output, aligned, counted, grouped};
use crate::progress::Counter;
use scumble::{Compared, Comparison, Decimal, Figures, Progress, RunStatus as Status, Stage};
use std::path::Path;

/// Releases of the front that are printed at most; the page shows all.
const MOST_PRINTED: usize = 20;

/// Shows which run is being made, on a terminal.
pub(super) struct Runs {
    counter: Counter,
}

impl Runs {
    pub(super) fn new(output: &Output) -> Self {
        Runs { counter: output.terminal.counter("comparing", "runs") }
    }

    pub(super) fn finish(&self) {
        self.counter.finish();
    }
}

impl Progress for Runs {
    fn begin(&self, _stage: Stage, runs: Option<u64>) {
        self.counter.start(runs.unwrap_or(0));
    }

    fn advance(&self, runs: u64) {
        self.counter.advance(runs);
    }

    fn note(&self, name: &str) {
        self.counter.say(name);
    }
}

pub(super) fn summary(found: &Comparison, out: &Path) -> String {
    let count = |status| found.runs.iter().filter(|run| run.outcome.status == status).count() as u64;
    let mut text = format!(
        "comparison  {}\n\n{} of {} measured",
        out.join("comparison.html").display(),
        counted(count(Status::Done), "release", "releases"),
        counted(found.data.rows, "row", "rows")
    );
    for (status, words) in [
        (Status::Infeasible, "cannot be met by this data"),
        (Status::Refused, "refused"),
        (Status::Failed, "broke off"),
    ] {
        if count(status) > 0 {
            text.push_str(&format!(", {} {words}", grouped(count(status))));
        }
    }
    if found.kept > 0 {
        text.push_str(&format!("; {} had been finished before", grouped(found.kept as u64)));
    }
    text.push('\n');
    let front: Vec<&Compared> = found.runs.iter().filter(|run| run.on_belief_front).collect();
    let by_risk: Vec<&Compared> = found.runs.iter().filter(|run| run.on_risk_front).collect();
    if !front.is_empty() {
        text.push_str(&belief_front(&front));
        text.push_str(unlike_readers(found, &front));
    } else if !by_risk.is_empty() {
        text.push_str(&risk_front(&by_risk));
    }
    text.push_str(&without_figures(&found.runs));
    text
}

/// What was required of a release, with the size of boxes where batches have boxes of their own, and how many rows might be
/// left out.
fn required(run: &Compared) -> String {
    let boxes = run.settings.angel_k.map(|k| format!("{} {k}", flag_of("angel_k")));
    let suppressed = run.settings.max_suppressed.filter(|share| *share != Decimal::ZERO);
    let suppressed = suppressed.map(|share| format!("{} {share}", flag_of("max_suppressed")));
    std::iter::once(run.required()).chain(boxes).chain(suppressed).collect::<Vec<_>>().join("; ")
}

/// The releases that no other beats in belief and in the error of counts.
fn belief_front(front: &[&Compared]) -> String {
    let belief = |figures: &Figures| figures.belief.unwrap_or(1.0);
    let cells = |figures: &Figures| {
        [format!("{:.3}", belief(figures)), format!("{:.1}%", 100.0 * figures.count_error_median.unwrap_or(0.0))]
    };
    let names = ["belief", "count error"];
    front_of("the largest belief of an attacker and in the median error of counts", front, names, belief, cells)
}

/// Where people have several rows, beliefs of readers who know unlike things stand next to each other.
fn unlike_readers(found: &Comparison, front: &[&Compared]) -> &'static str {
    let is_of = |kinds: [&str; 2]| front.iter().any(|run| kinds.iter().any(|kind| run.kind.starts_with(kind)));
    let repeat = found.data.persons.is_some_and(|persons| persons < found.data.rows);
    if repeat && is_of(["anatomy", "permute"]) && is_of(["generalize", "full-domain"]) {
        "\nThese beliefs are of readers who know unlike things: of an anatomy or permute release all rows of a person, of a generalized\n\
         one a single row.\n"
    } else {
        ""
    }
}

/// Without sensitive columns: those that no other beats in who can be found and in what was lost.
fn risk_front(front: &[&Compared]) -> String {
    let cells = |figures: &Figures| {
        [format!("{:.2}%", 100.0 * figures.marketer), format!("{:.2}%", 100.0 * figures.prosecutor)]
    };
    let names = ["found, expected", "at most"];
    front_of("the expected share found and in NCP", front, names, |figures| figures.marketer, cells)
}

/// A front as a table, by rising risk, with two figures of its own besides those of all releases.
fn front_of(
    what: &str,
    front: &[&Compared],
    names: [&str; 2],
    risk: impl Fn(&Figures) -> f64,
    cells: impl Fn(&Figures) -> [String; 2],
) -> String {
    let mut front: Vec<(&Compared, &Figures)> =
        front.iter().filter_map(|run| Some((*run, run.outcome.figures.as_ref()?))).collect();
    front.sort_by(|a, b| risk(a.1).total_cmp(&risk(b.1)).then(a.0.number.cmp(&b.0.number)));
    let heading = ["run", "kind", "required", names[0], names[1], "NCP", "groups"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for (run, figures) in front.iter().take(MOST_PRINTED) {
        let [one, other] = cells(figures);
        rows.push(vec![
            run.number.to_string(),
            run.kind.clone(),
            required(run),
            one,
            other,
            format!("{:.3}", figures.ncp),
            grouped(figures.groups),
        ]);
    }
    let more = match front.len().saturating_sub(MOST_PRINTED) {
        0 => String::new(),
        more => format!("  and {more} more\n"),
    };
    format!("\nNo other release is better both in {what}:\n\n{}{more}", aligned(&rows, &[0, 3, 4, 5, 6]))
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
