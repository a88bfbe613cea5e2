//! Widths of bounds, summed up.

use super::Ends;
use crate::errors::quantile;
use serde::Serialize;

/// Relative widths `(upper - lower) / |r|` over the questions whose true answer `r` is neither null nor 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Widths {
    /// Questions that were asked.
    pub questions: usize,
    /// Questions whose true answer is null or 0, which have no relative width.
    pub without_answer: usize,
    /// Questions whose true answer lies outside the bounds. Only suppressed rows, of which a release tells nothing,
    /// can do that.
    pub outside: usize,
    /// Mean width.
    pub mean: Option<f64>,
    /// Median width.
    pub median: Option<f64>,
}

/// Sums in floating point may differ from exact bounds in their last digits.
const ROUNDING: f64 = 1e-9;

impl Widths {
    /// From bounds and true answers, question by question.
    pub fn new(answers: &[(Ends, Option<f64>)]) -> Self {
        let (mut without_answer, mut outside) = (0, 0);
        let mut widths: Vec<f64> = Vec::with_capacity(answers.len());
        for &(ends, truth) in answers {
            let Some(truth) = truth.filter(|truth| *truth != 0.0) else {
                without_answer += 1;
                continue;
            };
            let Some((lower, upper)) = ends else {
                outside += 1;
                continue;
            };
            let slack = ROUNDING * lower.abs().max(upper.abs()).max(truth.abs());
            outside += usize::from(truth < lower - slack || truth > upper + slack);
            widths.push((upper - lower) / truth.abs());
        }
        widths.sort_by(f64::total_cmp);
        let some = !widths.is_empty();
        Widths {
            questions: answers.len(),
            without_answer,
            outside,
            mean: some.then(|| widths.iter().sum::<f64>() / widths.len() as f64),
            median: some.then(|| quantile(&widths, 0.5)),
        }
    }
}
