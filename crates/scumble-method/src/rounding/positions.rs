//! Intervals of ordered labels, moved outward on a grid of their positions.
//!
//! Steps are those of numbers. Labels end, and a grid that stopped short of the last would leave a stretch shorter than a
//! step, with few values to hide among; the last stretch takes that remainder in.

use super::numbers::step;

/// The positions that are shown for least ones `lo < hi` among `0..n`.
pub fn round_positions(lo: u32, hi: u32, n: u32) -> (u32, u32) {
    let step = step(i128::from(hi - lo)).and_then(|step| u32::try_from(step).ok()).unwrap_or(u32::MAX);
    let last = n.saturating_sub(1);
    // Grid points are multiples of the step, of which the last is replaced by the last position.
    let points = (last / step).max(1);
    let down = (lo / step).min(points - 1) * step;
    let up = match hi.div_ceil(step) {
        point if point >= points => last,
        point => point * step,
    };
    // The last stretch may be longer than a step, so that a box of the least width of its step could fill it: it takes one
    // step more.
    if (down, up) == (lo, hi) && up == last && step > 2 {
        return (down.saturating_sub(step), up);
    }
    (down, up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_last_stretch_takes_the_remainder() {
        assert_eq!(round_positions(3, 4, 16), (2, 4));
        assert_eq!(round_positions(13, 14, 16), (12, 15));
        assert_eq!(round_positions(14, 15, 16), (12, 15));
        assert_eq!(round_positions(0, 1, 2), (0, 1));
        assert_eq!(round_positions(0, 1, 3), (0, 2));
        assert_eq!(round_positions(20, 60, 100), (20, 60));
    }

    #[test]
    fn no_end_is_certain_whatever_is_published() {
        for n in 3..70 {
            let mut behind: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
            for lo in 0..n {
                for hi in lo + 1..n {
                    let (down, up) = round_positions(lo, hi, n);
                    assert!(down <= lo && hi <= up && up < n);
                    behind.entry((down, up)).or_default().push((lo, hi));
                }
            }
            for (shown, least) in &behind {
                let (lo, hi) = least[0];
                for certain in [lo, hi] {
                    let always = least.iter().all(|&(lo, hi)| lo == certain || hi == certain);
                    assert!(!always, "{shown:?} of {n} labels tells {certain}: {least:?}");
                }
            }
        }
    }
}
