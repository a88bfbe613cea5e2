//! How strongly an attribute goes with the focused one.
//!
//! Three measures look at the bins of both attributes, where a missing value is a value of its own. Two look at the
//! values themselves, need an order on both sides, and leave out rows where either is missing.

use super::crosstab::Crosstab;
use crate::choice::choice_by_name;
use rayon::prelude::*;
use scumble_table::{Codes, Domain, NULL};

/// A measure of correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Mutual information less its bias, as a share of the entropy of the focused attribute: 0 to 1. The default.
    Nmi,
    /// Pearson's coefficient, -1 to 1.
    Pearson,
    /// Spearman's coefficient: Pearson's of the ranks, -1 to 1.
    Spearman,
    /// Cramer's V without its bias: 0 to 1.
    CramersV,
    /// Functional dependency: 0 if knowing the given attribute does not help to tell the focused one's bin, 1 if it
    /// decides it.
    Dependency,
}

impl Measure {
    /// What it is called in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Nmi => "normalized mutual information",
            Measure::Pearson => "Pearson's coefficient",
            Measure::Spearman => "Spearman's coefficient",
            Measure::CramersV => "Cramer's V",
            Measure::Dependency => "functional dependency",
        }
    }

    /// True where both attributes must have an order.
    pub fn needs_order(self) -> bool {
        matches!(self, Measure::Pearson | Measure::Spearman)
    }
}
choice_by_name!(
    Measure,
    "correlation",
    "measure",
    [Nmi = "nmi", Pearson = "pearson", Spearman = "spearman", CramersV = "cramers-v", Dependency = "dependency",]
);

/// The entropy of counts, in nats.
pub fn entropy(counts: &[u64]) -> f64 {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return 0.0;
    }
    let n = n as f64;
    counts.iter().filter(|count| **count > 0).map(|&count| count as f64 / n).map(|p| -p * p.ln()).sum()
}

/// The mutual information of a table, in nats.
pub fn mutual_information(table: &Crosstab) -> f64 {
    let (n, down, across) = (table.rows() as f64, table.down_totals(), table.across_totals());
    let mut sum = 0.0;
    for (line, &a) in table.lines().zip(&down) {
        for (&count, &b) in line.iter().zip(&across).filter(|(count, _)| **count > 0) {
            let count = count as f64;
            sum += count / n * (count * n / (a as f64 * b as f64)).ln();
        }
    }
    sum.max(0.0)
}

/// Bins that hold a row.
fn used(totals: &[u64]) -> f64 {
    totals.iter().filter(|total| **total > 0).count() as f64
}

/// What a division of the rows by the given attribute is worth to someone who must describe the focused one: the bits it
/// saves less the bits that its parameters take (minimum description length), in nats. Not above 0 means that the
/// division says nothing that chance would not.
pub fn gain(table: &Crosstab) -> f64 {
    let (n, a, b) = (table.rows() as f64, used(&table.down_totals()), used(&table.across_totals()));
    if n == 0.0 {
        return 0.0;
    }
    n * mutual_information(table) - 0.5 * (a - 1.0) * (b - 1.0) * n.ln()
}

/// The share of the focused attribute's uncertainty that another explains. A table of one bin of the focused attribute has
/// nothing to explain: 0.
pub fn nmi(table: &Crosstab) -> f64 {
    let (n, down) = (table.rows() as f64, table.down_totals());
    let whole = entropy(&down);
    if n == 0.0 || whole == 0.0 {
        return 0.0;
    }
    let bias = (used(&down) - 1.0) * (used(&table.across_totals()) - 1.0) / (2.0 * n);
    ((mutual_information(table) - bias) / whole).clamp(0.0, 1.0)
}

/// Cramer's V with the bias of chi-squared and of the two sizes taken away (Bergsma 2013).
pub fn cramers_v(table: &Crosstab) -> f64 {
    let (n, down, across) = (table.rows() as f64, table.down_totals(), table.across_totals());
    let (a, b) = (used(&down), used(&across));
    if n < 2.0 || a < 2.0 || b < 2.0 {
        return 0.0;
    }
    // Chi-squared over n is the sum of squares over the product of both totals, less 1.
    let mut phi = -1.0;
    for (line, &x) in table.lines().zip(&down) {
        for (&count, &y) in line.iter().zip(&across).filter(|(count, _)| **count > 0) {
            phi += count as f64 / x as f64 * (count as f64 / y as f64);
        }
    }
    let phi = (phi - (a - 1.0) * (b - 1.0) / (n - 1.0)).max(0.0);
    let shorter = |side: f64| side - (side - 1.0) * (side - 1.0) / (n - 1.0);
    let least = shorter(a).min(shorter(b)) - 1.0;
    if least > 0.0 { (phi / least).sqrt().min(1.0) } else { 0.0 }
}

/// How far the given attribute decides the bin of the focused one, by the g3 error: the share of rows that must go until
/// equal given values have equal bins, compared with the share that must go when nothing is given (this is Goodman and
/// Kruskal's lambda).
pub fn dependency(table: &Crosstab) -> f64 {
    let n = table.rows();
    let alone = n - table.down_totals().into_iter().max().unwrap_or(0);
    if alone == 0 {
        return 0.0;
    }
    let largest = |at: usize| table.lines().map(|line| line[at]).max().unwrap_or(0);
    let with = n - (0..table.across()).map(largest).sum::<u64>();
    (alone - with) as f64 / alone as f64
}

/// Pearson's coefficient of two ordered columns over the rows where neither is missing; `None` without an order, or
/// where one of them has one value only. Labels count by their position.
pub fn pearson(f: (&Codes, &Domain), q: (&Codes, &Domain)) -> Option<f64> {
    let places = |domain: &Domain| (0..domain.n_codes()).map(|code| domain.place(code as u32)).collect::<Vec<f64>>();
    both_ordered(f.1, q.1)?;
    coefficient(f.0, &places(f.1), q.0, &places(q.1))
}

/// Spearman's coefficient, likewise; equal values share the mean of their ranks.
pub fn spearman(f: (&Codes, &Domain), q: (&Codes, &Domain)) -> Option<f64> {
    both_ordered(f.1, q.1)?;
    let ranks = |codes: &Codes, other: &Codes, domain: &Domain| {
        let mut counts = vec![0u64; domain.n_codes()];
        for row in (0..codes.len()).filter(|&row| other.get(row) != NULL) {
            counts[codes.get(row) as usize] += 1;
        }
        counts[NULL as usize] = 0;
        let mut before = 0;
        let rank = |&count: &u64| {
            let rank = before as f64 + (count as f64 + 1.0) / 2.0;
            before += count;
            rank
        };
        counts.iter().map(rank).collect::<Vec<f64>>()
    };
    coefficient(f.0, &ranks(f.0, q.0, f.1), q.0, &ranks(q.0, f.0, q.1))
}

fn both_ordered(f: &Domain, q: &Domain) -> Option<()> {
    (f.kind().is_ordered() && q.kind().is_ordered()).then_some(())
}

/// Rows summed at a time; the sums of blocks are added in the order of the rows, so that threads do not matter.
const BLOCK: usize = 1 << 16;

/// The product-moment coefficient of two columns whose codes stand for the given numbers. Two passes: means first, so
/// that large numbers close together do not cancel.
fn coefficient(f: &Codes, fs: &[f64], q: &Codes, qs: &[f64]) -> Option<f64> {
    let n_blocks = f.len().div_ceil(BLOCK);
    let over = |term: &(dyn Fn(f64, f64) -> [f64; 3] + Sync)| -> [f64; 3] {
        let block = |block: usize| {
            let mut sums = [0.0; 3];
            for row in block * BLOCK..f.len().min((block + 1) * BLOCK) {
                let (a, b) = (f.get(row), q.get(row));
                if a != NULL && b != NULL {
                    for (sum, term) in sums.iter_mut().zip(term(fs[a as usize], qs[b as usize])) {
                        *sum += term;
                    }
                }
            }
            sums
        };
        let blocks: Vec<[f64; 3]> = (0..n_blocks).into_par_iter().map(block).collect();
        blocks.into_iter().fold([0.0; 3], |total, sums| std::array::from_fn(|i| total[i] + sums[i]))
    };
    let [n, x, y] = over(&|x, y| [1.0, x, y]);
    let (mean_x, mean_y) = (x / n, y / n);
    let [xx, yy, xy] = over(&|x, y| {
        let (x, y) = (x - mean_x, y - mean_y);
        [x * x, y * y, x * y]
    });
    let spread = xx.sqrt() * yy.sqrt();
    (n >= 2.0 && spread > 0.0 && spread.is_finite()).then(|| (xy / spread).clamp(-1.0, 1.0))
}
