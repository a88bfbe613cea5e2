//! Bins for sizes of groups.

use super::histogram::Bin;

/// Up to this many sizes each size gets a bin of its own, and wider bins are as many at most.
const MOST_BINS: u64 = 20;

/// From this ratio of the largest to the smallest size on, bins of one width would put nearly all groups into
/// the first of them.
const RATIO_FOR_WIDENING: u64 = 8;

/// Bins for groups given as pairs of a size and the number of groups of that size.
///
/// Sizes close together get bins of one width, which is 1, 2 or 5 times a power of ten. Sizes that span
/// orders of magnitude get bins that widen as a logarithm would have them, with round ends: 1, 2–4, 5–9,
/// 10–19, 20–49, 50–99 and so on. The bins run without a gap from the smallest size to the largest. Pairs
/// that count no groups are left out; a size may occur more than once.
pub fn size_bins(sizes: &[(u64, u64)]) -> Vec<Bin> {
    let present = || sizes.iter().filter(|&&(_, groups)| groups > 0);
    let (Some(least), Some(most)) = (present().map(|&(size, _)| size).min(), present().map(|&(size, _)| size).max())
    else {
        return Vec::new();
    };
    let mut bins = if most - least < MOST_BINS {
        (least..=most).map(|size| Bin { from: size, to: size, count: 0 }).collect()
    } else if most / least.max(1) < RATIO_FOR_WIDENING {
        even_bins(least, most)
    } else {
        widening_bins(least, most)
    };
    for &(size, groups) in present() {
        let i = bins.partition_point(|bin| bin.to < size);
        if let Some(bin) = bins.get_mut(i) {
            bin.count = bin.count.saturating_add(groups);
        }
    }
    bins
}

fn even_bins(least: u64, most: u64) -> Vec<Bin> {
    let mut width = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if most / width - least / width < MOST_BINS {
            break;
        }
        // The width goes 1, 2, 5, 10, 20, ...: the factor is applied to the power of ten below it.
        let power = 10u64.pow(width.ilog10());
        width = power.saturating_mul(factor);
    }
    (least / width..=most / width)
        .map(|i| Bin { from: i * width, to: (i * width).saturating_add(width - 1), count: 0 })
        .collect()
}

fn widening_bins(least: u64, most: u64) -> Vec<Bin> {
    let mut bins = Vec::new();
    // Zero has no place on a logarithmic scale, so it has a bin of its own.
    if least == 0 {
        bins.push(Bin { from: 0, to: 0, count: 0 });
    }
    let mut power = Some(1u64);
    while let Some(unit) = power {
        for (first, next) in [(1, 2), (2, 5), (5, 10)] {
            let Some(from) = unit.checked_mul(first) else { return bins };
            let to = unit.checked_mul(next).map_or(u64::MAX, |end| end - 1);
            if from > most {
                return bins;
            }
            if to >= least {
                bins.push(Bin { from, to, count: 0 });
            }
        }
        power = unit.checked_mul(10);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(sizes: &[(u64, u64)]) -> Vec<(u64, u64)> {
        size_bins(sizes).iter().map(|bin| (bin.from, bin.to)).collect()
    }

    #[test]
    fn no_groups_no_bins() {
        assert!(size_bins(&[]).is_empty());
        assert!(size_bins(&[(5, 0)]).is_empty());
    }

    #[test]
    fn near_sizes_stand_alone() {
        assert_eq!(spans(&[(10, 1), (12, 4)]), [(10, 10), (11, 11), (12, 12)]);
        assert_eq!(spans(&[(7, 1)]), [(7, 7)]);
    }

    #[test]
    fn a_moderate_range_gets_even_bins() {
        let bins = spans(&[(100, 1), (180, 1)]);
        assert_eq!(bins.first(), Some(&(100, 104)));
        assert_eq!(bins.last(), Some(&(180, 184)));
    }

    #[test]
    fn a_wide_range_gets_widening_bins() {
        assert_eq!(spans(&[(3, 1), (120, 1)]), [(2, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 199)]);
        assert_eq!(spans(&[(0, 1), (30, 1)]).first(), Some(&(0, 0)));
    }

    #[test]
    fn bins_join_and_hold_every_group() {
        let tables: [&[(u64, u64)]; 6] = [
            &[(1, 1), (u64::MAX, 2)],
            &[(0, 3), (u64::MAX, u64::MAX)],
            &[(u64::MAX - 3, 1), (u64::MAX, 1)],
            &[(u64::MAX / 4, 1), (u64::MAX, 1)],
            &[(10, 1), (10, 2), (9, 5)],
            &[(99, 1), (101, 1), (450, 7), (790, 1)],
        ];
        for sizes in tables {
            let bins = size_bins(sizes);
            assert!(bins.len() <= 60);
            assert!(bins.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
            let total = sizes.iter().fold(0u64, |sum, &(_, groups)| sum.saturating_add(groups));
            assert_eq!(bins.iter().fold(0u64, |sum, bin| sum.saturating_add(bin.count)), total);
            assert!(bins.first().is_some_and(|bin| bin.from <= sizes.iter().map(|s| s.0).min().unwrap_or(0)));
        }
    }
}
