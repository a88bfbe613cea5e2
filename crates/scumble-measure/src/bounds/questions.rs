//! What bounds are asked for.

use crate::{Axis, Draw, WORKLOAD_SEED};
use scumble_answer::Aggregate;
use scumble_table::{Error, Result};

/// Arbitrary questions and ranges.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundQuestions {
    /// SUM or AVG.
    pub aggregate: Aggregate,
    /// Shares of the people that arbitrary questions select.
    pub sizes: Vec<f64>,
    /// Lengths of ranges; where none is given, parts of the column's own range.
    pub spans: Vec<f64>,
    /// Questions of each size, and at most of each span: every start is asked for where there are no more.
    pub questions: usize,
    /// Seed of the questions.
    pub seed: u64,
}

impl Default for BoundQuestions {
    /// Averages, as in the paper's figures: 1,000 questions from a twentieth to half of the people.
    fn default() -> Self {
        BoundQuestions {
            aggregate: Aggregate::Avg,
            sizes: vec![0.05, 0.1, 0.2, 0.3, 0.5],
            spans: Vec::new(),
            questions: 1000,
            seed: WORKLOAD_SEED,
        }
    }
}

/// Parts of a column's range that ranges span where nothing else is asked for.
const USUAL_SPANS: [f64; 4] = [0.05, 0.1, 0.2, 0.4];

impl BoundQuestions {
    /// Refuses what cannot be asked of any table.
    ///
    /// # Errors
    /// If the aggregate, a size or a span is out of range.
    pub fn check(&self) -> Result<()> {
        if !matches!(self.aggregate, Aggregate::Avg | Aggregate::Sum) {
            return Err(Error::bug("widths are measured for SUM and AVG"));
        }
        if let Some(size) = self.sizes.iter().find(|size| !(**size > 0.0 && **size <= 1.0)) {
            let reason = "a size is a share of the people, above 0 and at most 1";
            return Err(Error::request("sizes", size.to_string(), reason).hint("such as 0.05,0.5"));
        }
        if let Some(span) = self.spans.iter().find(|span| !(**span >= 0.0 && span.is_finite())) {
            return Err(
                Error::request("spans", span.to_string(), "a span is a length, at least 0").hint("such as 10,30")
            );
        }
        Ok(())
    }

    /// A random set of people, the same for everything that is measured on as many people.
    pub(super) fn people(&self, size: f64, question: usize, n_people: usize) -> Selection {
        let n = ((size * n_people as f64).round() as usize).clamp(1.min(n_people), n_people);
        let mut purpose = *b"people..........";
        purpose[8..].copy_from_slice(&(n as u64).to_le_bytes());
        let mut draw = Draw::new(self.seed, &purpose, question as u64);
        // Floyd: each set of n is as likely as any other, in n draws.
        let mut selection = Selection::none(n_people);
        for last in n_people - n..n_people {
            let one = draw.below(last as u64 + 1) as usize;
            selection.add(if selection.holds(one) { last } else { one });
        }
        selection
    }

    /// The spans that are asked for on an axis.
    pub(super) fn spans_on(&self, axis: &Axis) -> Vec<f64> {
        if !self.spans.is_empty() {
            return self.spans.clone();
        }
        let length = axis.hi - axis.lo;
        let whole = |span: f64| if axis.discrete { span.round().max(1.0) } else { span };
        let mut spans: Vec<f64> = USUAL_SPANS.iter().map(|part| whole(part * length)).collect();
        spans.dedup();
        spans
    }

    /// The ranges of a span: from every start where places are counted and starts are few enough, else from random ones.
    pub(super) fn ranges(&self, axis: &Axis, span: f64) -> Vec<(f64, f64)> {
        let room = axis.hi - axis.lo - span;
        if room <= 0.0 {
            return vec![(axis.lo, axis.hi)];
        }
        let starts = if axis.discrete { room.floor() + 1.0 } else { f64::INFINITY };
        if starts <= self.questions as f64 {
            return (0..starts as u64).map(|at| (axis.lo + at as f64, axis.lo + at as f64 + span)).collect();
        }
        let mut draw = Draw::new(self.seed, b"ranges", span.to_bits());
        let start = |draw: &mut Draw| match axis.discrete {
            true => draw.below(starts as u64) as f64,
            false => draw.share() * room,
        };
        (0..self.questions).map(|_| axis.lo + start(&mut draw)).map(|start| (start, start + span)).collect()
    }
}

/// A set of people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    bits: Vec<u64>,
}

impl Selection {
    /// None of `n_people`.
    pub fn none(n_people: usize) -> Self {
        Selection { bits: vec![0; n_people.div_ceil(64)] }
    }

    /// Adds a person.
    ///
    /// # Panics
    /// If there are fewer people.
    pub fn add(&mut self, person: usize) {
        self.bits[person / 64] |= 1 << (person % 64);
    }

    /// Whether a person is selected.
    ///
    /// # Panics
    /// If there are fewer people.
    pub fn holds(&self, person: usize) -> bool {
        self.bits[person / 64] >> (person % 64) & 1 == 1
    }

    /// The people selected, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let at = rest.trailing_zeros();
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    word * 64 + at as usize
                })
            })
        })
    }
}
