//! Figure 7: how long the groups are sought.

use super::measured::{Form, Parameters, Results};
use super::{Grid, M};
use crate::claim::Passage;
use crate::decision::{Decision, Trend, falls, joined, passes, short, timed};
use crate::figure::YAxis;
use crate::variant::Variant;
use crate::{Figure, Findings, Series};

/// The rows of the paper's table, and the time in which it was done.
const ROWS: u64 = 500_000;
const MINUTE: f64 = 60.0;

pub(super) fn add(findings: &mut Findings, results: &Results, grid: &Grid, rows: u64) {
    // The figure shows one form, and the text speaks of the other.
    for (letter, form, told) in [
        ("a", Form::Absolute, ""),
        ("a", Form::Relative, " (in the text only)"),
        ("b", Form::Relative, ""),
        ("b", Form::Absolute, " (in the text only)"),
    ] {
        let (x, requirement, places) = match letter {
            "a" => ("m", format!("({}, m)", form.usual().epsilon), over_m(grid, form)),
            _ => ("epsilon", format!("(epsilon, {M})"), over_epsilon(grid, form)),
        };
        let number = format!("Figure 7{letter}, {}{told}", form.name());
        let made = format!("Requirement: {} {requirement}-anonymity.", form.name());
        findings.figures.push(times(number, made, x, results, &places));
    }
    claims(findings, results, grid, rows);
}

fn over_m(grid: &Grid, form: Form) -> Vec<(f64, Parameters)> {
    grid.over_m(form).into_iter().map(|parameters| (parameters.m as f64, parameters)).collect()
}

fn over_epsilon(grid: &Grid, form: Form) -> Vec<(f64, Parameters)> {
    grid.over_epsilon(form).into_iter().map(|parameters| (parameters.epsilon.to_f64(), parameters)).collect()
}

fn times(number: String, made: String, x: &str, results: &Results, places: &[(f64, Parameters)]) -> Figure {
    let line = |variant: Variant| {
        let seconds = |parameters| results.release(parameters, variant).map(|found| found.seconds);
        Series::new(variant.name(), places.iter().map(|&(x, parameters)| (x, seconds(parameters))).collect())
    };
    let setting = format!("{made} Time to find the groups, on all cores, without reading, writing and verifying.");
    let y = YAxis { label: "time", unit: "s", by_powers: false };
    Figure::new(number, format!("Time over {x}"), setting, Figure::lines(x, y, Variant::ALL.map(line).to_vec()))
}

fn seconds(results: &Results, places: &[(f64, Parameters)]) -> Vec<(f64, f64)> {
    let one = |&(x, parameters): &(f64, Parameters)| Some((x, results.release(parameters, Variant::Paper)?.seconds));
    places.iter().filter_map(one).collect()
}

fn claims(findings: &mut Findings, results: &Results, grid: &Grid, rows: u64) {
    for (form, place, says) in [
        (Form::Absolute, "section 6, figure 7a", "The time falls as m grows, for absolute anonymity."),
        (
            Form::Relative,
            "section 6, figure 7a, text",
            "For relative anonymity the time behaves alike: it falls as m grows.",
        ),
    ] {
        let times = seconds(results, &over_m(grid, form));
        let trend = Trend::new(times.iter().map(|one| one.1));
        findings.claims.push(Passage::new(place, false).any(
            says,
            "the time of the paper's algorithm ends lower than it begins, and no step up is larger than a tenth",
            seconds_told(&times),
            timed(times.iter().map(|one| one.1), falls(trend)),
        ));
    }
    for (form, place, says) in [
        (
            Form::Relative,
            "section 6, figure 7b",
            "As epsilon grows, the time first rises and then falls without turning again, for relative anonymity.",
        ),
        (
            Form::Absolute,
            "section 6, figure 7b, text",
            "For absolute anonymity it is alike: as epsilon grows, the time first rises and then falls.",
        ),
    ] {
        let times = seconds(results, &over_epsilon(grid, form));
        findings.claims.push(Passage::new(place, false).any(
            says,
            "the greatest time is neither at the least nor at the greatest epsilon, and after it no step up is larger than a tenth",
            seconds_told(&times),
            timed(times.iter().map(|one| one.1), rises_then_falls(&times))));
    }
    let most =
        results.measured.iter().filter(|((_, variant), _)| *variant == Variant::Paper).map(|(_, found)| found.seconds);
    let most = most.fold(f64::NAN, f64::max);
    findings.claims.push(Passage::new("section 6, figure 7", rows >= ROWS).its(
        "In all experiments, on half a million people, the algorithm ends within a minute.",
        "the greatest time of the paper's algorithm is below 60 s, on at least as many rows",
        format!("at most {} s, on {rows} rows", short(most)),
        passes(most, |most| most < MINUTE),
    ));
}

fn seconds_told(times: &[(f64, f64)]) -> String {
    joined(times.iter().map(|(x, seconds)| format!("{} s at {x}", short(*seconds))))
}

/// It needs three times: before, at and after the longest.
fn rises_then_falls(times: &[(f64, f64)]) -> Decision {
    let peak = (0..times.len()).max_by(|&a, &b| times[a].1.total_cmp(&times[b].1));
    let turns = |peak: usize| peak > 0 && Trend::new(times[peak..].iter().map(|one| one.1)).is_some_and(|t| t.falls());
    Decision::from(peak.filter(|_| times.len() > 2).map(turns))
}
