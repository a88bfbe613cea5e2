//! The least expected width: groups for narrow bounds of sums.
//!
//! A reader who sums over h rows of a group of N learns that the sum lies between that of the h least and the
//! h greatest numbers. For h uniform on 0..=N the mean width of these bounds is
//!
//! ```text
//! W(G) = sum over i < j of (x_j - x_i) / (N + 1)  =  sum over gaps p of g_p · a·b / (a + b + 1)
//! ```
//!
//! with a rows of the group below the gap and b above it. a·b / (a + b + 1) is supermodular in (a, b): its
//! mixed derivative is (2ab + a + b + 1) / (a + b + 1)^3. So W satisfies the quadrangle inequality, and a monotone queue
//! of starts finds the optimum in O(n log s), s the length of a group.
//!
//! Since W(A) + W(B) <= W(A and B together) no group needs to hold two groups that pass, which bounds how
//! far ahead the queue must look, and with that the numbers: pair sums are exact, in 64 bits where the
//! longest such group allows and else in 128. Widths are quotients of them, rounded down to 2^-31 of
//! the unit of the column, so the sum is within that much per cut of the least.

use super::number_line::{Cuts, NONE, NumberLine};
use super::unsigned::Unsigned;
use crate::monotone_queue::{MonotoneQueue, Seek};
use scumble_table::Monitor;

/// Binary digits after the point.
const DIGITS: u32 = 31;

/// With fewer digits than this, 128 bits are taken instead of 64.
const LEAST_DIGITS: u32 = 24;

/// Why there are no groups.
#[derive(Debug)]
pub(super) enum Failure {
    /// The numbers are too long for exact sums.
    TooLong,
    /// No group passes.
    Unreachable,
}

/// The least expected width in units of the column, and where the groups of such a partition start.
pub(super) fn groups<T: Unsigned>(
    line: NumberLine<T>,
    cuts: Cuts,
    monitor: Monitor<'_>,
) -> Result<(f64, Vec<u32>), Failure> {
    let reach = reach(&cuts);
    let (pairs, total) = bounds(&line, &cuts, &reach).ok_or(Failure::TooLong)?;
    let free = total.leading_zeros();
    let narrow = (pairs >> 63 == 0).then(|| free.saturating_sub(65));
    match narrow.filter(|&digits| digits >= LEAST_DIGITS) {
        Some(digits) => least::<T, u64>(line, cuts, &reach, digits.min(DIGITS), monitor),
        None if pairs >> 127 == 0 && free > DIGITS => least::<T, u128>(line, cuts, &reach, DIGITS, monitor),
        None => Err(Failure::TooLong),
    }
}

/// For each start the last end worth a thought: the group up to there holds no two that pass.
fn reach(cuts: &Cuts) -> Vec<u32> {
    let twice = |&close: &u32| if close == NONE { NONE } else { cuts.closes[close as usize] };
    let last = |start: &u32| match twice(start) {
        NONE => cuts.end() as u32,
        second => second - 1,
    };
    cuts.closes.iter().map(last).collect()
}

/// No pair sum that is asked for exceeds the first, and no sum of widths the second, in units. A pair sum of N
/// rows is at most N^2/4 times their range, a width N/4 times; and the ranges of groups add up to no more
/// than that of the table.
fn bounds<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts, reach: &[u32]) -> Option<(u128, u128)> {
    let (mut pairs, mut rows) = (0u128, 0u128);
    for (start, &end) in reach.iter().enumerate().take(cuts.end()) {
        let (first, last) = (cuts.cuts[start], cuts.cuts[end as usize]);
        let n = u128::from(last.at - first.at);
        let range = (line.values[line.left(last)] - line.values[first.right as usize]).wide();
        pairs = pairs.max((n * n / 4 + 1).checked_mul(range)?);
        rows = rows.max(n);
    }
    Some((pairs, (rows / 4 + 1).checked_mul(line.range().wide().checked_add(1)?)?))
}

/// Sums over the rows before each cut: of the numbers, and of the numbers times their places from 1.
struct Prefix<A> {
    at: Vec<u32>,
    sums: Vec<A>,
    placed: Vec<A>,
    digits: u32,
}

impl<A: Unsigned> Prefix<A> {
    fn new<T: Unsigned>(line: &NumberLine<T>, cuts: &Cuts, digits: u32) -> Self {
        let n = cuts.cuts.len();
        let (mut at, mut sums, mut placed) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut sum, mut place) = (A::default(), A::default());
        for (i, &cut) in cuts.cuts.iter().enumerate() {
            if i > 0 {
                let (from, to) = (u128::from(cuts.cuts[i - 1].at), u128::from(cut.at));
                let value = A::from_wide(line.values[line.left(cut)].wide());
                sum = sum.plus(value.times(A::from_wide(to - from)));
                place = place.plus(value.times(A::from_wide((from + 1 + to) * (to - from) / 2)));
            }
            at.push(cut.at);
            sums.push(sum);
            placed.push(place);
        }
        Prefix { at, sums, placed, digits }
    }

    /// The expected width of a group between two cuts. Only the pair sum itself must fit: all before it
    /// is taken modulo a power of two.
    #[inline]
    fn width(&self, start: usize, end: usize) -> A {
        let rows = u64::from(self.at[end] - self.at[start]);
        let sum = self.sums[end].minus(self.sums[start]);
        let before = A::from_wide(u128::from(self.at[start]));
        let placed = self.placed[end].minus(self.placed[start]).minus(before.times(sum));
        let pairs = placed.plus(placed).minus(A::from_wide(u128::from(rows) + 1).times(sum));
        pairs.divided(rows + 1, self.digits)
    }
}

fn least<T: Unsigned, A: Unsigned>(
    line: NumberLine<T>,
    cuts: Cuts,
    reach: &[u32],
    digits: u32,
    monitor: Monitor<'_>,
) -> Result<(f64, Vec<u32>), Failure> {
    let prefix = Prefix::<A>::new(&line, &cuts, digits);
    drop(line);
    let end = cuts.end();
    let mut least = vec![A::default(); end + 1];
    let mut from = vec![NONE; end + 1];
    let mut queue = MonotoneQueue::new(end, Seek::Doubling);
    let mut start = 0;
    for cut in 1..=end {
        if monitor.is_cancelled() {
            return Err(Failure::Unreachable);
        }
        let cost = |start: usize, cut: usize| least[start].plus(prefix.width(start, cut));
        while start < cut && cuts.closes[start] as usize <= cut {
            if start == 0 || from[start] != NONE {
                // A start is of no use beyond its last end.
                queue.admit(start, cut, |new, old, cut| cut > reach[old] as usize || cost(new, cut) <= cost(old, cut));
            }
            start += 1;
        }
        if let Some(best) = queue.best(cut) {
            least[cut] = cost(best, cut);
            from[cut] = best as u32;
        }
    }
    let starts = cuts.trace(&from).ok_or(Failure::Unreachable)?;
    Ok((least[end].wide() as f64 / (1u64 << digits) as f64, starts))
}
