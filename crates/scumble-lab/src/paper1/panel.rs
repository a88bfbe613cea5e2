//! What figures 4 to 6 have in common: a half of a figure with its errors, and words for them.

use super::measured::{Form, Measured, Parameters, Results};
use super::{DIMENSIONS, MUCH};
use crate::claim::Passage;
use crate::decision::{Trend, Trends, extremes, joined, percent, rises, short};
use crate::figure::YAxis;
use crate::variant::{Answered, Variant};
use crate::{Claim, Figure, Findings, Series};
use scumble_report::counted;

/// A place on the level axis, and the requirement and volume behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct PanelPoint {
    pub(super) x: f64,
    pub(super) parameters: Parameters,
    pub(super) s: f64,
}

/// One half of a figure, absolute or relative.
pub(super) struct Panel<'a> {
    pub(super) results: &'a Results,
    pub(super) form: Form,
    /// The number of the figure.
    pub(super) number: u8,
    pub(super) places: Vec<PanelPoint>,
    /// Whether the table is the paper's.
    pub(super) own: bool,
}

/// The errors of the paper's algorithm, or of perturbation under the same requirement.
type Method = fn(&Answered) -> Option<f64>;
pub(super) const RELEASE: Method = |answered| answered.uniform;
pub(super) const PERTURBATION: Method = |answered| answered.perturbation;

impl Panel<'_> {
    /// Where the paper makes claims about it.
    pub(super) fn at(&self) -> Passage {
        Passage::new(format!("section 6, figure {}{}", self.number, self.form.letter()), self.own)
    }

    /// A figure for each number of columns, in percent, with perturbation, the paper's algorithm and ours. `requirement`
    /// and `rest` tell what does not vary.
    pub(super) fn add_figures(&self, findings: &mut Findings, x: &str, requirement: &str, queries: usize, rest: &str) {
        let over = if x.starts_with("volume") { "volume" } else { x };
        for w in DIMENSIONS {
            let lines: [(&str, Variant, Method); 4] = [
                ("perturbation", Variant::Paper, PERTURBATION),
                (Variant::Paper.name(), Variant::Paper, RELEASE),
                (Variant::Ours.name(), Variant::Ours, RELEASE),
                ("ours, counting the ends of boxes", Variant::Ours, |answered| answered.ends),
            ];
            let series = lines.map(|(name, variant, error)| {
                let y = |place: &PanelPoint| error(self.answered(place, variant, w)?);
                Series::new(name, self.places.iter().map(|place| (place.x, y(place))).collect()).in_percent()
            });
            findings.figures.push(Figure::new(
                format!("Figure {}{}, w = {w}", self.number, self.form.letter()),
                format!("Error over {over}, {}", self.form.name()),
                format!(
                    "Requirement: {} {requirement}-anonymity; {queries} count queries about {w} columns{rest}.{}",
                    self.form.name(),
                    self.gaps()
                ),
                Figure::lines(x, YAxis::ERROR, series.to_vec()),
            ));
        }
    }

    /// Places without a release, and the reason at the first of them.
    fn gaps(&self) -> String {
        let refused = |place: &PanelPoint| Some((place.x, self.results.refused.get(&place.parameters)?));
        let all: Vec<(f64, &String)> = self.places.iter().filter_map(refused).collect();
        let Some((_, reason)) = all.first() else { return String::new() };
        format!(" There is nothing at {}: {reason}.", joined(all.iter().map(|one| one.0.to_string())))
    }

    /// What was measured of the paper's algorithm at a place.
    pub(super) fn measured(&self, place: &PanelPoint) -> Option<&Measured> {
        self.results.release(place.parameters, Variant::Paper)
    }

    fn answered(&self, place: &PanelPoint, variant: Variant, w: usize) -> Option<&Answered> {
        self.results.answered(place.parameters, variant, w, place.s)
    }

    /// The errors at all places that have one.
    fn errors(&self, method: Method, w: usize) -> impl Iterator<Item = f64> + '_ {
        self.places.iter().filter_map(move |place| method(self.answered(place, Variant::Paper, w)?))
    }

    /// The errors at the first place, with the number of columns.
    pub(super) fn first_errors(&self) -> Vec<(usize, f64)> {
        let Some(first) = self.places.first() else { return Vec::new() };
        let error = |w| Some((w, self.answered(first, Variant::Paper, w)?.uniform?));
        DIMENSIONS.into_iter().filter_map(error).collect()
    }

    pub(super) fn trends(&self, method: Method) -> Trends {
        let each = DIMENSIONS.map(|w| (w, Trend::new(self.errors(method, w))));
        Trends { differ_in: "w", each: each.to_vec() }
    }

    /// The claim that errors grow.
    pub(super) fn grow(&self, says: &str, method: Method) -> Claim {
        let test = "for every w it ends higher than it begins, and no step down is larger than a tenth";
        let trends = self.trends(method);
        self.at().any(says, test, trends.told(true), trends.all(rises))
    }

    /// The largest error of the paper's algorithm, and words for it.
    pub(super) fn largest(&self) -> (f64, String) {
        let most = DIMENSIONS.iter().flat_map(|&w| self.errors(RELEASE, w)).fold(f64::NAN, f64::max);
        (most, if most.is_nan() { "no figure".into() } else { format!("largest error {}", percent(most)) })
    }

    /// How many times the error of the paper's algorithm that of perturbation is, wherever both have one.
    pub(super) fn ratios(&self) -> Vec<f64> {
        let ratio = |found: &Answered| Some(found.perturbation? / found.uniform?);
        self.cells().filter_map(ratio).collect()
    }

    fn cells(&self) -> impl Iterator<Item = &Answered> {
        self.places.iter().flat_map(|place| DIMENSIONS.map(|w| self.answered(place, Variant::Paper, w))).flatten()
    }

    /// The claim that perturbation, which the figure does not show, is worse there too.
    pub(super) fn perturbation_is_worse(&self, over: &str) -> Claim {
        let releases = self.cells().filter(|one| one.uniform.is_some()).count();
        let ratios = self.ratios();
        let without = releases.saturating_sub(ratios.len());
        self.at().any(
            "Perturbation, which the figure does not show, is by far the worse method here too.",
            &format!(
                "at every {over} and w with a release, perturbation cannot meet the requirement, or its error is at least twice \
                 that of the paper's algorithm"
            ),
            match without {
                0 => times(&ratios),
                _ => format!("{}; it cannot meet the requirement in {}", times(&ratios), in_places(without)),
            },
            (releases > 0).then(|| ratios.iter().all(|&ratio| ratio >= MUCH)))
    }
}

/// How many times as large, as words.
pub(super) fn times(ratios: &[f64]) -> String {
    let (least, most) = extremes(ratios.iter().copied());
    match ratios.len() {
        0 => "perturbation has no figure".into(),
        n => format!("{} to {} times as large, in {}", short(least), short(most), in_places(n)),
    }
}

fn in_places(n: usize) -> String {
    counted(n as u64, "place", "places")
}
