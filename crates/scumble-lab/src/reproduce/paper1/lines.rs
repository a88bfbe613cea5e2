//! What the figures of paper 1 have in common: lines of errors, and words for them.

use super::super::judge::{Trend, percent, short};
use super::super::{Body, Claim, Exhibit, Line};
use super::measured::{Answered, Results, Setting, Way};
use super::{DIMENSIONS, MUCH};
use scumble_report::counted;

/// A place on the level axis, and the requirement and volume behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) setting: Setting,
    pub(super) s: f64,
}

/// A figure of errors in percent, with perturbation, the paper's algorithm and ours.
pub(super) fn errors(
    number: String,
    title: &str,
    setting: String,
    x: &str,
    results: &Results,
    places: &[Place],
    w: usize,
) -> Exhibit {
    let line = |name: &str, way: Way, error: fn(&Answered) -> Option<f64>| {
        let y = |place: &Place| error(results.answered(place.setting, way, w, place.s)?).map(|error| 100.0 * error);
        Line { name: name.into(), points: places.iter().map(|place| (place.x, y(place))).collect(), steps: false }
    };
    let series = vec![
        line("perturbation", Way::Paper, |one| one.perturbation),
        line("the paper's algorithm", Way::Paper, |one| one.uniform),
        line("ours", Way::Ours, |one| one.uniform),
        line("ours, counting the ends of boxes", Way::Ours, |one| one.ends),
    ];
    let body = Body::Lines { x: x.into(), y: "mean relative error".into(), unit: "%".into(), by_powers: true, series };
    Exhibit { number, title: title.into(), setting: setting + &gaps(results, places), body }
}

/// Where there is no release, and why at the first such place.
fn gaps(results: &Results, places: &[Place]) -> String {
    let refused = |place: &Place| Some((place.x, results.refused.get(&place.setting)?));
    let all: Vec<(f64, &String)> = places.iter().filter_map(refused).collect();
    let Some((_, reason)) = all.first() else { return String::new() };
    let at: Vec<String> = all.iter().map(|one| one.0.to_string()).collect();
    format!(" There is nothing at {}: {reason}.", at.join(", "))
}

/// The errors of the paper's algorithm by the paper's estimator, place by place, where there are any.
pub(super) fn of_paper(results: &Results, places: &[Place], w: usize) -> Vec<f64> {
    let error = |place: &Place| results.answered(place.setting, Way::Paper, w, place.s)?.uniform;
    places.iter().filter_map(error).collect()
}

/// The errors of perturbation under the same requirements, where it has any.
pub(super) fn of_perturbation(results: &Results, places: &[Place], w: usize) -> Vec<f64> {
    let error = |place: &Place| results.answered(place.setting, Way::Paper, w, place.s)?.perturbation;
    places.iter().filter_map(error).collect()
}

/// How many times the error of the paper's algorithm that of perturbation is, wherever both have one.
pub(super) fn ratios(results: &Results, places: &[Place], dimensions: &[usize]) -> Vec<f64> {
    let ratio = |place: &Place, w: usize| {
        let found = results.answered(place.setting, Way::Paper, w, place.s)?;
        Some(found.perturbation? / found.uniform?)
    };
    places.iter().flat_map(|place| dimensions.iter().filter_map(move |&w| ratio(place, w))).collect()
}

/// Each trend as `w = 2: 0.5% to 3%`, with the step against its direction where that decides.
pub(super) fn told(trends: &[(usize, Option<Trend>)], up: bool) -> String {
    let one = |(w, trend): &(usize, Option<Trend>)| match trend {
        Some(trend) => format!("w = {w}: {}", trend.words(up, percent)),
        None => format!("w = {w}: too few figures"),
    };
    trends.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The largest of some errors, as words.
pub(super) fn largest(errors: impl IntoIterator<Item = f64>) -> (f64, String) {
    let most = errors.into_iter().fold(f64::NAN, f64::max);
    (most, if most.is_nan() { "no figure".into() } else { format!("largest error {}", percent(most)) })
}

/// How many times as large, as words.
pub(super) fn times(ratios: &[f64]) -> String {
    let (least, most) = ratios.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &x| (low.min(x), high.max(x)));
    match ratios.len() {
        0 => "perturbation has no figure".into(),
        n => format!("{} to {} times as large, in {}", short(least), short(most), in_places(n)),
    }
}

/// The claim that perturbation, which a figure does not show, is worse there too.
pub(super) fn worse(place: &str, over: &str, results: &Results, places: &[Place]) -> Claim {
    let cells = || places.iter().flat_map(|place| DIMENSIONS.map(|w| (place, w)));
    let answered = |(place, w): (&Place, usize)| results.answered(place.setting, Way::Paper, w, place.s);
    let releases = cells().filter(|&cell| answered(cell).is_some_and(|one| one.uniform.is_some())).count();
    let ratios = ratios(results, places, &DIMENSIONS);
    let without = releases - ratios.len().min(releases);
    Claim::of_any_data(
        place,
        "Perturbation, which the figure does not show, is by far the worse method here too.",
        &format!(
            "at every {over} and w with a release, perturbation cannot meet the requirement, or its error is at least twice \
             that of the paper's algorithm"
        ),
        match without {
            0 => times(&ratios),
            _ => format!("{}; it cannot meet the requirement in {}", times(&ratios), in_places(without)),
        },
        (releases > 0).then(|| ratios.iter().all(|&ratio| ratio >= MUCH)),
    )
}

fn in_places(n: usize) -> String {
    counted(n as u64, "place", "places")
}
