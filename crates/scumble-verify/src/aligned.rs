//! How likely it is that rows in a random order follow a source of which some rows are not shown.
//!
//! Where the gaps are is not known, so all places of gaps are tried at once. Each way to lay the rows along the source gets a
//! likelihood ratio: the likelihood of the rows if each shows what the source has there, except for a few that went astray,
//! divided by their likelihood if each is drawn at random. If rows were drawn with replacement, the expected ratio would be 1 for
//! every way. They are drawn without replacement, which multiplies it by at most [`ln_dealt`]. By Markov's inequality the mean
//! ratio over all ways exceeds a value with a probability of at most its inverse.

/// The most rows that are laid along the source, and the most that are skipped: work grows with their product.
const MOST_ROWS: usize = 2048;

/// The share of rows that may stand anywhere while the others follow the source. It costs little where none does.
const ASTRAY: f64 = 1.0 / 16.0;

/// The logarithm of a bound on the probability that the first rows follow those of the source as closely as they do, with
/// gaps. `ours` are the classes of published rows. `could_be` gives the classes that a row of the source could have in the
/// release; nothing is expected of a row that could have none of ours.
pub(super) fn ln_aligned<'a>(
    ours: impl ExactSizeIterator<Item = u32> + Clone,
    n_theirs: usize,
    could_be: impl Fn(usize) -> &'a [u32],
) -> f64 {
    let n = ours.len();
    let Some(gaps) = n_theirs.checked_sub(n).filter(|_| n > 0) else { return 0.0 };
    let mut counts = vec![0u32; ours.clone().max().map_or(0, |last| last as usize + 1)];
    ours.clone().for_each(|class| counts[class as usize] += 1);
    let (rows, widest) = (n.min(MOST_ROWS), gaps.min(MOST_ROWS));
    let skip = gaps as f64 / n_theirs as f64;
    let theirs: Vec<Expected> = (0..rows + widest).map(|row| Expected::new(could_be(row), &counts, n)).collect();
    // By the rows skipped so far: the sum over all ways to lay the rows up to this one.
    let mut ways = vec![0.0; widest + 1];
    ways[0] = 1.0;
    let mut ln = 0.0;
    for (at, class) in ours.enumerate().take(rows) {
        let mut before = 0.0;
        for (there, way) in theirs[at..].iter().zip(&mut ways) {
            before = *way + skip * before;
            *way = (1.0 - skip) * before * there.likelihood(class);
        }
        let most = ways.iter().copied().fold(0.0, f64::max);
        ways.iter_mut().for_each(|way| *way /= most);
        ln += most.ln();
    }
    (ln_dealt(&counts, rows) - ln - ways.iter().sum::<f64>().ln()).min(0.0)
}

/// What the release would show for a row of the source.
struct Expected {
    /// Classes, rising.
    classes: Vec<u32>,
    /// How much likelier one of the classes is for this row than for a random one.
    gain: f64,
}

impl Expected {
    fn new(classes: &[u32], counts: &[u32], n: usize) -> Self {
        let mut classes: Vec<u32> = classes.iter().copied().filter(|&class| (class as usize) < counts.len()).collect();
        classes.sort_unstable();
        let rows: u64 = classes.iter().map(|&class| u64::from(counts[class as usize])).sum();
        if rows == 0 {
            classes.clear();
        }
        Expected { classes, gain: n as f64 / rows.max(1) as f64 }
    }

    /// How much likelier a class is for this row than for a random one. The expected value over random rows is 1.
    fn likelihood(&self, class: u32) -> f64 {
        if self.classes.is_empty() {
            1.0
        } else if self.classes.binary_search(&class).is_ok() {
            ASTRAY + (1.0 - ASTRAY) * self.gain
        } else {
            ASTRAY
        }
    }
}

/// By how much dealing without replacement can make it likelier that given places get given classes, for up to `rows`
/// places. Of n rows with n(c) of class c, k(c) given places get their classes with probability at most the product of
/// n(c)/n, times the product of the terms 1 - i/n(c) for i below k(c), over that of 1 - j/n for j below all k(c) together;
/// so the greatest terms are those to take.
fn ln_dealt(counts: &[u32], rows: usize) -> f64 {
    let shares = |count: u32| (0..count).map(move |i| f64::from(i) / f64::from(count));
    let mut taken: Vec<f64> = counts.iter().flat_map(|&count| shares(count)).collect();
    taken.sort_unstable_by(f64::total_cmp);
    let n = taken.len() as f64;
    let (mut ln, mut most) = (0.0, 0.0_f64);
    for (j, share) in taken.into_iter().take(rows).enumerate() {
        ln += (-share).ln_1p() - (-(j as f64) / n).ln_1p();
        most = most.max(ln);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of numbers that look random.
    fn below(state: &mut u64, n: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % n
    }

    fn shuffled(state: &mut u64, mut items: Vec<u32>) -> Vec<u32> {
        for at in (1..items.len()).rev() {
            items.swap(at, below(state, at as u64 + 1) as usize);
        }
        items
    }

    fn ln(ours: &[u32], theirs: &[u32]) -> f64 {
        ln_aligned(ours.iter().copied(), theirs.len(), |row| std::slice::from_ref(&theirs[row]))
    }

    /// All orders of some things.
    fn orders(items: &[u32]) -> Vec<Vec<u32>> {
        if items.is_empty() {
            return vec![Vec::new()];
        }
        let mut out = Vec::new();
        for at in 0..items.len() {
            let mut rest = items.to_vec();
            let first = rest.remove(at);
            out.extend(orders(&rest).into_iter().map(|order| [vec![first], order].concat()));
        }
        out
    }

    #[test]
    fn bounds_hold_over_all_orders() {
        for (ours, theirs) in [
            (vec![0, 1, 2, 3, 4, 5], vec![0, 1, 9, 2, 3, 4, 5]),
            (vec![0, 0, 1, 1, 2, 2, 2], vec![2, 0, 0, 1, 1, 2, 2, 2]),
            (vec![0, 0, 0, 1, 1, 1, 1], vec![0, 1, 0, 1, u32::MAX, 0, 1, 1]),
            (vec![0, 1, 1, 1, 1, 1], vec![0, 1, 1, 1, 1, 1]),
        ] {
            let mut found: Vec<f64> = orders(&ours).iter().map(|order| ln(order, &theirs)).collect();
            found.sort_unstable_by(f64::total_cmp);
            let n = found.len() as f64;
            for (at, ln) in found.iter().enumerate() {
                // The number of orders whose bound is this one or less.
                let share = found.iter().skip(at).take_while(|other| *other <= ln).count() + at;
                assert!((share as f64 / n).ln() <= ln + 1e-9, "{ours:?} {ln}");
            }
        }
    }

    #[test]
    fn rows_that_follow_with_gaps_are_unlikely_and_shuffled_ones_are_not() {
        let mut state = 7;
        for (n, classes, gaps) in [(60, 10, 1), (240, 2, 1), (240, 10, 40), (600, 600, 100), (5000, 4, 900)] {
            let theirs: Vec<u32> = (0..n).map(|_| below(&mut state, classes) as u32).collect();
            let mut kept: Vec<u32> = shuffled(&mut state, (0..n).collect());
            kept.truncate((n - gaps) as usize);
            kept.sort_unstable();
            let ours: Vec<u32> = kept.iter().map(|&at| theirs[at as usize]).collect();
            assert!(ln(&ours, &theirs) < -30.0, "{n} {classes} {gaps}: {}", ln(&ours, &theirs));
            for _ in 0..20 {
                let honest = shuffled(&mut state, ours.clone());
                assert!(ln(&honest, &theirs) > -12.0, "{n} {classes} {gaps}");
            }
        }
        assert_eq!((ln(&[], &[1]), ln(&[0, 1], &[0])), (0.0, 0.0));
    }
}
