//! How likely it is that rows are sorted, or values left where they were, by chance alone.
//!
//! Every function gives the natural logarithm of a bound that the probability does not exceed. No bound is an
//! approximation for large numbers, so small tables are judged as strictly as large ones, and an alarm is false no more
//! often than it says.

/// How often all tests of one check together may raise a false alarm. There are four such checks (`rows-shuffled`,
/// `source-order`, `source-told`, `source-shuffled`), so an honest release is suspected less than once in 10^9 times.
pub(super) const FALSE_ALARM: f64 = 1e-10;

/// True if something of probability `e^ln` is too unlikely to have happened in one of `tests` tests.
pub(super) fn is_beyond(ln: f64, tests: usize) -> bool {
    ln < (FALSE_ALARM / tests.max(1) as f64).ln()
}

/// ln n!, from Stirling's series where its rest is below the last digit.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let x = n as f64;
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + 1.0 / (12.0 * x) - 1.0 / (360.0 * x * x * x)
}

fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n { f64::NEG_INFINITY } else { ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) }
}

fn ln_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY { most } else { most + terms.map(|term| (term - most).exp()).sum::<f64>().ln() }
}

/// Heads of a fair coin as uneven as `heads` out of `tosses`, or more: too few or too many.
pub(super) fn ln_uneven(tosses: u64, heads: u64) -> f64 {
    let few = heads.min(tosses - heads);
    if 2 * few + 1 >= tosses {
        return 0.0;
    }
    // Going down, terms fall at least as fast as the first two.
    let ratio = few as f64 / (tosses - few + 1) as f64;
    let tail = ln_choose(tosses, few) - tosses as f64 * std::f64::consts::LN_2 - (1.0 - ratio).ln();
    (tail + std::f64::consts::LN_2).min(0.0)
}

/// At most `runs` runs when `a` things of one kind and `b` of another are laid in a row at random: the distribution of
/// Wald and Wolfowitz (1940), summed term by term.
pub(super) fn ln_few_runs(a: u64, b: u64, runs: u64) -> f64 {
    if a == 0 || b == 0 {
        return 0.0;
    }
    let ln_term = |runs: u64| {
        let half = runs / 2;
        let both = |i: u64, j: u64| ln_choose(a - 1, i) + ln_choose(b - 1, j);
        match runs % 2 {
            0 => both(half - 1, half - 1) + std::f64::consts::LN_2,
            _ => ln_sum([both(half, half - 1), both(half - 1, half)].into_iter()),
        }
    };
    // As many runs as expected are no evidence, and would make long sums.
    let mean = 1.0 + 2.0 * a as f64 * b as f64 / (a + b) as f64;
    if runs as f64 >= mean {
        return 0.0;
    }
    let mut terms = Vec::new();
    for runs in (2..=runs).rev() {
        terms.push(ln_term(runs));
        // Terms of each parity fall ever faster; what is left out is less than rounding.
        if let [.., third, _, last] = terms[..]
            && last < terms[0] - 60.0
            && third < terms[0] - 60.0
        {
            break;
        }
    }
    (ln_sum(terms.iter().copied()) - ln_choose(a + b, a)).min(0.0)
}

/// A group whose values are dealt out at random to its places.
pub(super) struct RandomGroup {
    /// The number of places, which is that of values too.
    pub(super) size: u64,
    /// For each value: how many places are watched for it, and how often it occurs.
    pub(super) values: Vec<(u64, u64)>,
}

/// The most places of a group that may be watched, so that sums stay within the range of floats.
pub(super) const MOST_WATCHED: usize = 512;

/// At least `hits` watched places get the value that they are watched for.
///
/// With F the number of hits in a group, E[x^F] is the sum over k of (x - 1)^k times the expected number of ways to choose k
/// hits, in which every term is positive. Markov's inequality bounds the tail for every x, and the best x is
/// nearly exact; for x without bound it is the probability that all watched places are hit.
pub(super) fn ln_many_hits(groups: &[RandomGroup], hits: u64) -> f64 {
    if hits == 0 {
        return 0.0;
    }
    let ways: Vec<Vec<f64>> = groups.iter().map(ln_ways).collect();
    let bound = |ln_y: f64| {
        let ln_x = ln_y.exp().ln_1p();
        let all = ways.iter().map(|ways| ln_sum(ways.iter().enumerate().map(|(k, ln)| ln + k as f64 * ln_y)));
        all.sum::<f64>() - hits as f64 * ln_x
    };
    // x - 1 from 1/16 to 2^40, in steps of a quarter of a power of two.
    (-16..160).map(|step| bound(f64::from(step) / 4.0 * std::f64::consts::LN_2)).fold(0.0, f64::min)
}

/// The most hits that may be expected in a group for [`ln_few_hits`]: sums of alternating terms lose as many digits as their
/// largest term has, and twice this exponent leaves half of them.
const MOST_EXPECTED: f64 = 8.0;

/// At most `hits` watched places get the value that they are watched for.
///
/// As [`ln_many_hits`] for x below 1, where terms alternate. Of a group with too many expected hits nothing is used but that
/// E[x^F] is at most 1.
pub(super) fn ln_few_hits(groups: &[RandomGroup], hits: u64) -> f64 {
    let expected = |group: &RandomGroup| -> f64 {
        group.values.iter().map(|&(watched, dealt)| watched as f64 * dealt as f64 / group.size as f64).sum()
    };
    let ways: Vec<Vec<f64>> = groups.iter().filter(|group| expected(group) <= MOST_EXPECTED).map(ln_ways).collect();
    let bound = |x: f64| {
        let mean = |ways: &Vec<f64>| {
            let term =
                |(k, ln): (usize, &f64)| if k % 2 == 0 { 1.0 } else { -1.0 } * (ln + k as f64 * (1.0 - x).ln()).exp();
            // What rounding can take away is given back.
            (ways.iter().enumerate().map(term).sum::<f64>() + 1e-8).min(1.0).ln()
        };
        ways.iter().map(mean).sum::<f64>() - if hits == 0 { 0.0 } else { hits as f64 * x.ln() }
    };
    // x from 0, where only no hit at all counts, towards 1.
    (u32::from(hits > 0)..64).map(|step| bound(f64::from(step) / 64.0)).fold(0.0, f64::min)
}

/// The logarithm of the expected number of ways to choose k hits, for every k.
fn ln_ways(group: &RandomGroup) -> Vec<f64> {
    let n = group.size as f64;
    let mut ways = vec![1.0];
    for &(watched, dealt) in group.values.iter().filter(|(watched, dealt)| *watched > 0 && *dealt > 0) {
        // Ways to choose k of the places times the chance of each, in units of n^-k.
        let mut own = vec![1.0];
        for k in 1..=watched.min(dealt) {
            let last = own[own.len() - 1];
            own.push(last * (watched - k + 1) as f64 / k as f64 * (dealt - k + 1) as f64 / n);
        }
        let mut product = vec![0.0; ways.len() + own.len() - 1];
        for (i, a) in ways.iter().enumerate() {
            own.iter().enumerate().for_each(|(j, b)| product[i + j] += a * b);
        }
        ways = product;
    }
    let mut units = 0.0;
    let ln = |(k, ways): (usize, f64)| {
        if k > 0 {
            units += (n / (n - (k as f64 - 1.0))).ln();
        }
        ways.ln() + units
    };
    ways.into_iter().enumerate().map(ln).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All orders of some things.
    fn orders(mut things: Vec<u32>) -> Vec<Vec<u32>> {
        fn go(k: usize, things: &mut Vec<u32>, out: &mut Vec<Vec<u32>>) {
            if k == things.len() {
                out.push(things.clone());
                return;
            }
            for i in k..things.len() {
                things.swap(k, i);
                go(k + 1, things, out);
                things.swap(k, i);
            }
        }
        let mut out = Vec::new();
        go(0, &mut things, &mut out);
        out
    }

    #[test]
    fn few_runs_are_counted_exactly() {
        for (a, b) in [(1, 1), (2, 5), (4, 4), (3, 5), (6, 2), (7, 1)] {
            let all = orders(std::iter::repeat_n(0, a).chain(std::iter::repeat_n(1, b)).collect());
            let runs = |row: &Vec<u32>| row.chunk_by(|a, b| a == b).count() as u64;
            for most in 2..=(a + b) as u64 {
                let exact = all.iter().filter(|row| runs(row) <= most).count() as f64 / all.len() as f64;
                let bound = ln_few_runs(a as u64, b as u64, most).exp();
                assert!(bound >= exact - 1e-12, "{a} {b} {most}: {bound} {exact}");
                let mean = 1.0 + 2.0 * (a * b) as f64 / (a + b) as f64;
                assert!(most as f64 >= mean || (bound - exact).abs() < 1e-9, "{a} {b} {most}: {bound} {exact}");
            }
        }
        assert!(ln_few_runs(500, 500, 2) < -680.0 && ln_few_runs(500_000, 500_000, 400_000) < -10_000.0);
    }

    #[test]
    fn uneven_coins_are_bounded_from_above() {
        for tosses in 0..14u64 {
            for heads in 0..=tosses {
                let few = heads.min(tosses - heads);
                let unlikely = |n: u64| n <= few || n >= tosses - few;
                let count = (0..1u64 << tosses).filter(|coins| unlikely(coins.count_ones().into())).count();
                let exact = count as f64 / (1u64 << tosses) as f64;
                let bound = ln_uneven(tosses, heads).exp();
                assert!(
                    bound >= exact - 1e-12 && bound <= (2.2 * exact).min(1.0) + 1e-12,
                    "{tosses} {heads}: {bound} {exact}"
                );
            }
        }
    }

    #[test]
    fn hits_are_bounded_from_above_and_nearly_so() {
        // Watched for, and dealt out; places that are not watched have a value of their own.
        let cases: [(&[u32], &[u32]); 6] = [
            (&[1, 2, 3, 4], &[1, 2, 3, 4]),
            (&[1, 1, 2, 3], &[1, 1, 2, 3]),
            (&[1, 9, 2, 9, 3], &[1, 1, 2, 2, 3]),
            (&[1, 1, 1, 2], &[1, 1, 1, 2]),
            (&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 4, 5, 6]),
            (&[1, 1, 9, 9], &[2, 3, 1, 1]),
        ];
        for (watched, dealt) in cases {
            let count = |of: &[u32], value: u32| of.iter().filter(|known| **known == value).count() as u64;
            let values = (1..7).map(|value| (count(watched, value), count(dealt, value))).collect();
            let group = RandomGroup { size: dealt.len() as u64, values };
            let all = orders(dealt.to_vec());
            let hits = |row: &Vec<u32>| row.iter().zip(watched).filter(|(a, b)| a == b).count() as u64;
            for least in 1..=dealt.len() as u64 {
                let exact = all.iter().filter(|row| hits(row) >= least).count() as f64 / all.len() as f64;
                let bound = ln_many_hits(std::slice::from_ref(&group), least).exp();
                assert!(bound >= exact - 1e-9, "{watched:?} {least}: {bound} {exact}");
                let few = all.iter().filter(|row| hits(row) < least).count() as f64 / all.len() as f64;
                let few_bound = ln_few_hits(std::slice::from_ref(&group), least - 1).exp();
                assert!(few_bound >= few - 1e-9, "{watched:?} under {least}: {few_bound} {few}");
                assert!(least > 1 || few_bound < few + 1e-6, "{watched:?} none: {few_bound} {few}");
                let all_hit = least == count_watched(watched, dealt);
                assert!(!all_hit || exact == 0.0 || bound < exact * 1.01, "{watched:?} {least}: {bound} {exact}");
            }
        }
        // Twelve groups of four that were left as they were.
        let groups: Vec<RandomGroup> = (0..12).map(|_| RandomGroup { size: 4, values: vec![(1, 1); 4] }).collect();
        let exact = -12.0 * 24f64.ln();
        assert!((ln_many_hits(&groups, 48) - exact).abs() < 1e-3);
        assert!(ln_many_hits(&groups, 12) > -1.0);
        // A hundred groups of four in which nobody has the own value: 9 of 24 orders each.
        let groups: Vec<RandomGroup> = (0..100).map(|_| RandomGroup { size: 4, values: vec![(1, 1); 4] }).collect();
        assert!((ln_few_hits(&groups, 0) - 100.0 * (9f64 / 24.0).ln()).abs() < 1e-3);
        assert!(ln_few_hits(&groups, 10) < -40.0 && ln_few_hits(&groups, 90) > -2.0);
        // Many of one value, in a large group.
        let large = RandomGroup { size: 1_000_000, values: vec![(400, 500_000), (112, 1)] };
        assert!(ln_many_hits(std::slice::from_ref(&large), 400) < -200.0);
        assert!(ln_many_hits(&[large], 210) > -20.0);
    }

    fn count_watched(watched: &[u32], dealt: &[u32]) -> u64 {
        watched.iter().filter(|value| dealt.contains(value)).count() as u64
    }
}
