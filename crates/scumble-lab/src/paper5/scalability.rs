//! Figure 17: how the first partitioning algorithm grows with the table.

use super::people::Demand;
use super::sources::random;
use super::{Scale, TIME, fastest};
use crate::claim::Passage;
use crate::decision::passes;
use crate::figure::YAxis;
use crate::series::exponent;
use crate::{Figure, Findings, Series};
use scumble_method::ke_permutation::{Rule, partition_sorted};
use scumble_table::{Error, Monitor, Result};
use std::hint::black_box;

/// What Algorithm 1 came to.
struct Program {
    /// The least sum of ranges; nothing where no partition meets the demand.
    sum: Option<i128>,
    /// How often its innermost line was reached.
    steps: u64,
}

/// The figure and what the paper says about it.
pub(super) fn figures(scale: &Scale, findings: &mut Findings) -> Result<()> {
    let demand = Demand { k: 4, e: 100 };
    let (mut steps, mut paper, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for &n in &scale.sizes_of_tables {
        let numbers = random(n, scale.seed)?.rising();
        let found = algorithm_1(&numbers, demand);
        let sum = sum_of_ranges(&numbers, demand)?;
        if found.sum != Some(sum) {
            return Err(Error::bug(format!("algorithm 1 finds a sum of {:?}, min sum one of {sum}", found.sum)));
        }
        let x = n as f64;
        steps.push((x, found.steps as f64));
        paper.push((x, fastest(scale.repeats.min(5), || algorithm_1(black_box(&numbers), demand).steps)));
        ours.push((x, fastest(scale.repeats, || sum_of_ranges(black_box(&numbers), demand).is_ok())));
    }
    let setting = "Made-up people with losses from 155 to 3900, all equally likely; k = 4 and e = 100. Algorithm 1 with the \
                   corrections it needs (f[0] = 0, and the error added to what is before it); both find the same least sum at \
                   every size.";
    let counted = vec![Series::through("Algorithm 1: pairs of ends looked at", steps.iter().copied())];
    let timed = vec![Series::through("Algorithm 1", paper), Series::through("Scumble's min sum", ours)];
    findings.figures.extend([
        Figure::new(
            "Figure 17",
            "steps of the first partitioning algorithm",
            format!("{setting} Counts, the same on every machine."),
            Figure::lines("people", YAxis::plain("steps"), counted),
        ),
        Figure::new(
            "Figure 17",
            "time of the first partitioning algorithm",
            format!("{setting} Times on this machine, the fastest of some runs; no claim is judged by them."),
            Figure::lines("people", YAxis { by_powers: true, ..YAxis::plain(TIME) }, timed),
        ),
    ]);
    claims(&steps, findings);
    Ok(())
}

/// Below this many people what does not grow with them counts too much.
const LARGE: f64 = 500.0;

fn claims(steps: &[(f64, f64)], findings: &mut Findings) {
    let large: Vec<(f64, f64)> = steps.iter().copied().filter(|(n, _)| *n >= LARGE).collect();
    let grows = exponent(&large);
    findings.claims.push(Passage::new("section 7.3, figure 17", false).any(
        "The optimization algorithms take time that grows with the square of the number of people.",
        "from 500 people on, the steps of Algorithm 1 grow with an exponent of 2.2 at most",
        format!("exponent {grows:.3}; Scumble's algorithm reads each number once, and finds the same sum"),
        passes(grows, |grows| grows <= 2.2),
    ));
}

/// Algorithm 1 of section 6.1, corrected: the least sum of ranges over the first i numbers, for each i, from all ends of
/// the group before.
fn algorithm_1(numbers: &[i128], demand: Demand) -> Program {
    let n = numbers.len();
    let mut rank = vec![0u64; n];
    for at in 1..n {
        rank[at] = rank[at - 1] + u64::from(numbers[at] != numbers[at - 1]);
    }
    let mut least: Vec<Option<i128>> = vec![None; n + 1];
    least[0] = Some(0);
    let mut steps = 0;
    for end in 1..=n {
        for first in 1..=end {
            steps += 1;
            let range = numbers[end - 1] - numbers[first - 1];
            let different = rank[end - 1] - rank[first - 1] + 1;
            if different < demand.k || range < demand.e {
                continue;
            }
            let Some(before) = least[first - 1] else { continue };
            if least[end].is_none_or(|known| before + range < known) {
                least[end] = Some(before + range);
            }
        }
    }
    Program { sum: least[n], steps }
}

/// The same sum by our algorithm.
fn sum_of_ranges(numbers: &[i128], demand: Demand) -> Result<i128> {
    let partition = partition_sorted(Rule::MinSum, numbers, demand.k, demand.e.unsigned_abs(), Monitor::silent())?;
    let range = |group: &[u32]| {
        let values = || group.iter().map(|&at| numbers[at as usize]);
        values().max().zip(values().min()).map_or(0, |(high, low)| high - low)
    };
    Ok(partition.groups().map(range).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing;

    #[test]
    fn the_papers_program_and_ours_agree() {
        for seed in 0..20 {
            let numbers = random(60, seed).unwrap().rising();
            for demand in [Demand { k: 2, e: 0 }, Demand { k: 4, e: 100 }, Demand { k: 10, e: 900 }] {
                assert_eq!(algorithm_1(&numbers, demand).sum, Some(sum_of_ranges(&numbers, demand).unwrap()));
            }
        }
        let printed = [1, 2, 3, 5, 5, 6, 6, 8];
        assert_eq!(algorithm_1(&printed, Demand { k: 4, e: 5 }).sum, Some(7));
        assert_eq!(algorithm_1(&printed, Demand { k: 9, e: 5 }).sum, None);
    }

    #[test]
    fn the_exponent_decides() {
        let standing = |power: f64| {
            let mut findings = Findings::default();
            let steps: Vec<(f64, f64)> =
                [100.0f64, 500.0, 1000.0, 2000.0].iter().map(|&n| (n, n.powf(power))).collect();
            claims(&steps, &mut findings);
            findings.claims[0].standing
        };
        assert_eq!((standing(2.0), standing(1.0), standing(3.0)), (Standing::Held, Standing::Held, Standing::NotHeld));
    }
}
