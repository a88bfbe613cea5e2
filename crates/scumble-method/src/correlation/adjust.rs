//! The adjustment of one attribute's domains by another's (paper 3, section 5.2).
//!
//! The paper joins and divides domains by hand and tells one case of it. Read as a rule: between two consecutive cuts
//! that both divisions have, count the domains of both. Fewer than five are joined into one; else the stretch is cut in
//! two, where the rows are divided most evenly, and each half is looked at again.

use super::nesting::LevelCuts;
use scumble_table::Code;

/// A stretch of at least this many domains is divided.
const ENOUGH: usize = 5;

/// The domains of rows that meet two conditions, from the cuts under each of them alone. `histogram` counts these rows
/// by code.
pub fn adjust(a: &[Code], b: &[Code], histogram: &[u64]) -> LevelCuts {
    let last = histogram.len().saturating_sub(1) as Code;
    let mut found = LevelCuts::new();
    let mut first = 1;
    for &cut in a.iter().filter(|cut| b.contains(cut)) {
        stretch(a, b, histogram, (first, cut), &mut found);
        found.push(cut);
        first = cut + 1;
    }
    stretch(a, b, histogram, (first, last), &mut found);
    found
}

/// Adds the cuts inside the codes `first..=last`.
fn stretch(a: &[Code], b: &[Code], histogram: &[u64], (first, last): (Code, Code), found: &mut LevelCuts) {
    let inside = |cuts: &[Code]| cuts.iter().copied().filter(|cut| (first..last).contains(cut)).collect::<Vec<Code>>();
    let (of_a, of_b) = (inside(a), inside(b));
    if of_a.len() + 1 + of_b.len() + 1 < ENOUGH {
        return;
    }
    let mut finer: Vec<Code> = of_a.into_iter().chain(of_b).collect();
    finer.sort_unstable();
    let rows = |from: Code, to: Code| histogram[from as usize..=to as usize].iter().sum::<u64>();
    let uneven = |cut: &Code| rows(first, *cut).abs_diff(rows(*cut + 1, last));
    // The first of the most even ones; five domains have a cut among them.
    let Some(cut) = finer.into_iter().min_by_key(uneven) else { return };
    stretch(a, b, histogram, (first, cut), found);
    found.push(cut);
    stretch(a, b, histogram, (cut + 1, last), found);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights from 150 as codes from 1.
    fn cuts(heights: &[u32]) -> Vec<Code> {
        heights.iter().map(|height| height - 149).collect()
    }

    /// The divisions of section 5.2: men, and people with a medical history.
    fn men() -> Vec<Code> {
        cuts(&[162, 164, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 178])
    }

    fn history() -> Vec<Code> {
        cuts(&[157, 162, 166, 170, 174])
    }

    #[test]
    fn paper3_section_5_2() {
        // 150 to 190, as many of each height.
        let mut histogram = vec![10; 42];
        histogram[0] = 0;
        let found = adjust(&men(), &history(), &histogram);
        let between = |from: u32, to: u32| {
            let cuts = found.iter().map(|code| code + 149).filter(|cut| (from..to).contains(cut));
            cuts.collect::<Vec<u32>>()
        };
        // 163-164 and 165-166 with 163-166: three domains become one.
        assert_eq!(between(163, 166), [0u32; 0]);
        // 171, 172, 173 and 174 with 171-174: five domains become 171-172 and 173-174.
        assert_eq!(between(171, 174), [172]);
        // 167 to 170 is such a case as well.
        assert_eq!(between(167, 170), [168]);
        // Up to 162 men have one domain and people with a history two.
        assert_eq!(between(150, 162), [0u32; 0]);
        // From 175 on men have 175, 176, 177-178 and 179-, with one other: five.
        assert_eq!(between(175, 190).len(), 1);
        for cut in [162, 166, 170, 174] {
            assert!(found.contains(&(cut - 149)), "{cut} is common to both");
        }
    }

    #[test]
    fn the_cut_goes_where_rows_are_most_even() {
        // Codes 1 to 4 with a row of weight at the end.
        assert_eq!(adjust(&[1, 2, 3], &[], &[0, 1, 1, 1, 9]), [3]);
        assert_eq!(adjust(&[1, 2, 3], &[], &[0, 9, 1, 1, 1]), [1]);
        assert_eq!(adjust(&[1, 2, 3], &[], &[0, 1, 1, 1, 1]), [2]);
        // Nothing is there: the first cut, and the rest again.
        assert_eq!(adjust(&[1, 2, 3], &[], &[0, 0, 0, 0, 0]), [1]);
    }

    #[test]
    fn long_stretches_are_divided_again() {
        let histogram: Vec<u64> = std::iter::once(0).chain([1; 16]).collect();
        let found = adjust(&(1..16).collect::<Vec<_>>(), &[], &histogram);
        // 16 + 1 domains, then 8 + 1, then 4 + 1, then 2 + 1.
        assert_eq!(found, [2, 4, 6, 8, 10, 12, 14]);
        assert_eq!(adjust(&[], &[], &histogram), [0u32; 0]);
        assert_eq!(adjust(&[4], &[4], &histogram), [4]);
        assert_eq!(adjust(&[], &[], &[0]), [0u32; 0]);
    }
}
