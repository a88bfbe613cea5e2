//! Figures 1, 2 and 4: what height goes with.

use super::measured::Numbers;
use crate::claim::Passage;
use crate::decision::{all, joined, percent, short};
use crate::study_table::StudyColumn;
use crate::{Figure, FigureBody, Findings};

/// Bands of a column of many numbers, about.
const BANDS: usize = 24;

/// Columns of at most this many values are shown value by value.
const FEW_VALUES: usize = 10;

/// What goes with height for less than this share of what there is to know about it has nothing to do with it.
const NOTHING: f64 = 0.01;

/// How heights are spread for each value, or band, of another column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    /// Values or bands of the other column.
    pub(super) across: Vec<String>,
    /// Bands of height, upwards.
    pub(super) up: Vec<String>,
    /// For each across the per cent of its records in each band of height.
    pub(super) percent: Vec<Vec<f64>>,
}

impl Grid {
    /// Counts the bands of height by another column.
    pub(super) fn new(other: &StudyColumn, heights: &StudyColumn) -> Grid {
        let (across, of_other) = bands(other);
        let (up, of_height) = bands(heights);
        let mut counts = vec![vec![0u64; up.len()]; across.len()];
        for (one, two) in other.codes.iter().zip(&heights.codes) {
            counts[of_other[*one as usize]][of_height[*two as usize]] += 1;
        }
        let shares = |column: &Vec<u64>| {
            let whole = column.iter().sum::<u64>().max(1) as f64;
            column.iter().map(|&n| 100.0 * n as f64 / whole).collect()
        };
        Grid { percent: counts.iter().map(shares).collect(), across, up }
    }

    fn figure(&self, number: &str, height: &str, other: &str) -> Figure {
        let setting =
            format!("Share of the records with each {other} that have a {height} in each band: the darker, the more.");
        let (across_names, up_names, percent) = (self.across.clone(), self.up.clone(), self.percent.clone());
        let body = FigureBody::Shares { across: other.into(), up: height.into(), across_names, up_names, percent };
        Figure::new(number, format!("{height} by {other}"), setting, body)
    }
}

/// The bands of a column by name, and the band of each of its texts: the texts themselves where they are few, else
/// bands of equal width.
fn bands(column: &StudyColumn) -> (Vec<String>, Vec<usize>) {
    match (column.numbers(), column.range()) {
        (Some(numbers), Some((low, high))) if numbers.len() > FEW_VALUES => {
            let width = ((high - low + 1.0) / BANDS as f64).ceil().max(1.0);
            let start = (low / width).floor() * width;
            let band = |number: f64| ((number - start) / width).floor() as usize;
            let name = |at: usize| {
                let from = start + width * at as f64;
                if width == 1.0 { from.to_string() } else { format!("{from}–{}", from + width - 1.0) }
            };
            ((0..=band(high)).map(name).collect(), numbers.into_iter().map(band).collect())
        }
        _ => {
            let mut sorted: Vec<&String> = column.texts.iter().collect();
            sorted.sort_unstable();
            let place = |text: &String| sorted.partition_point(|one| *one < text);
            (sorted.iter().map(|text| text.to_string()).collect(), column.texts.iter().map(place).collect())
        }
    }
}

/// Weights of some people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// From the lightest to the heaviest.
    pub(super) range: f64,
    /// From the first quarter to the third.
    pub(super) middle: f64,
}

impl Spread {
    /// Weights of the shortest and of the tallest tenth, and of all who are as tall as one of them.
    pub(super) fn of_ends(heights: &[f64], weights: &[f64]) -> [Spread; 2] {
        let mut sorted = heights.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (at_share(&sorted, 0.1), at_share(&sorted, 0.9));
        let of = |chosen: &dyn Fn(f64) -> bool| {
            let some = heights.iter().zip(weights).filter(|(height, _)| chosen(**height)).map(|(_, weight)| *weight);
            let mut some: Vec<f64> = some.collect();
            some.sort_by(f64::total_cmp);
            Spread {
                range: at_share(&some, 1.0) - at_share(&some, 0.0),
                middle: at_share(&some, 0.75) - at_share(&some, 0.25),
            }
        };
        [of(&|height| height <= low), of(&|height| height >= high)]
    }

    /// The part of the range that the middle half takes.
    fn taken(self) -> f64 {
        if self.range > 0.0 { self.middle / self.range } else { 0.0 }
    }

    fn describe(self) -> String {
        format!("{} of {} ({})", short(self.middle), short(self.range), percent(self.taken()))
    }
}

/// The value that a share of sorted values does not exceed.
fn at_share(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

/// The number that most records have, the least of several.
pub(super) fn commonest(column: &StudyColumn) -> f64 {
    let mut counts = vec![0u64; column.texts.len()];
    column.codes.iter().for_each(|&code| counts[code as usize] += 1);
    let numbers = column.numbers().unwrap_or_default();
    let most = counts.iter().max().copied().unwrap_or(0);
    counts.iter().zip(numbers).filter(|(n, _)| **n == most).map(|(_, x)| x).fold(f64::INFINITY, f64::min)
}

/// Whether the largest part that a column makes is the tallest on average, and its share of the records.
pub(super) fn larger_is_taller(column: &StudyColumn, heights: &[f64]) -> (bool, f64) {
    let mut parts = vec![(0u64, 0.0); column.texts.len()];
    for (&code, height) in column.codes.iter().zip(heights) {
        let part = &mut parts[code as usize];
        *part = (part.0 + 1, part.1 + height);
    }
    let mean = |part: &(u64, f64)| part.1 / part.0.max(1) as f64;
    let Some(largest) = parts.iter().max_by_key(|part| part.0) else { return (false, 0.0) };
    let tallest = parts.iter().all(|part| mean(part) <= mean(largest));
    (tallest, largest.0 as f64 / heights.len().max(1) as f64)
}

pub(super) fn add(findings: &mut Findings, numbers: &Numbers, own: bool) {
    let [height, birth, weight] = &numbers.measured;
    let place = "section 5.2";
    let at = Passage::new(place, own);
    if let (Some((first, strength)), Some(grid)) = (numbers.few.first(), numbers.by_few.first()) {
        findings.figures.push(grid.figure("Figure 1", height, first));
        if numbers.few.len() > 1 {
            findings.claims.push(Passage::new(format!("{place}, figure 1"), false).any(
                "Of the attributes with a few values, height goes most strongly with sex.",
                "its normalized mutual information with sex is larger than with any other of them",
                strengths(&numbers.few),
                all(numbers.few[1..].iter().map(|other| other.1 < *strength)),
            ));
        }
        let (taller, share) = numbers.larger_is_taller;
        findings.claims.push(at.its(
            "There are more men than women, and many people are around 170 cm tall.",
            "the larger part by sex is the taller one, and the commonest height lies between 168 and 172",
            format!(
                "the larger part by {first} has {} of the records and is {}the taller one; the commonest {height} is {}",
                percent(share),
                if taller { "" } else { "not " },
                numbers.commonest
            ),
            taller && share > 0.5 && (168.0..=172.0).contains(&numbers.commonest)));
    }
    match (numbers.few.get(1), numbers.by_few.get(1)) {
        (Some((second, strength)), Some(grid)) => {
            findings.figures.push(grid.figure("Figure 2", height, second));
            findings.claims.push(Passage::new(format!("{place}, figure 2"), false).any(
                "Whether somebody has a medical history has nothing to do with height.",
                "their normalized mutual information is below 0.01",
                format!("{} with {second}", short(*strength)),
                *strength < NOTHING,
            ));
        }
        _ => findings.left_out.push(
            "Figure 2 shows a second attribute of a few values, such as a medical history, and this table has none."
                .into(),
        ),
    }
    findings.figures.push(numbers.by_weight.figure("Figure 4", height, weight));
    let [short_people, tall_people] = numbers.spread;
    findings.claims.push(Passage::new(format!("{place}, figure 4"), false).any(
        "Weights of tall people are spread evenly; those of short people have a wide range, but most are almost the same.",
        "the middle half of the weights takes a larger part of their range among the tallest tenth than among the shortest, \
         and is wider",
        format!("the middle half takes {} among the shortest, {} among the tallest", short_people.describe(), tall_people.describe()),
        tall_people.taken() > short_people.taken() && tall_people.middle > short_people.middle));
    findings.claims.push(at.any(
        "Height has nothing to do with the year of birth.",
        "their normalized mutual information is below 0.01",
        format!("{} with {birth}, beside {} with {weight}", short(numbers.others[0]), short(numbers.others[1])),
        numbers.others[0] < NOTHING,
    ));
}

fn strengths(few: &[(String, f64)]) -> String {
    joined(few.iter().map(|(name, strength)| format!("{} with {name}", short(*strength))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], codes: &[u32]) -> StudyColumn {
        StudyColumn {
            name: "c".into(),
            texts: texts.iter().map(|text| text.to_string()).collect(),
            codes: codes.into(),
        }
    }

    #[test]
    fn bands_cover_every_value() {
        let texts: Vec<String> = (100..200).map(|n| n.to_string()).collect();
        let column = column(&texts.iter().map(String::as_str).collect::<Vec<_>>(), &[0, 99]);
        let (names, of) = bands(&column);
        assert_eq!((names[0].as_str(), names.last().unwrap().as_str()), ("100–104", "195–199"));
        assert_eq!((of[0], of[4], of[5], of[99]), (0, 0, 1, names.len() - 1));
    }

    #[test]
    fn a_grid_has_shares_of_its_columns() {
        let sex = column(&["M", "F"], &[0, 1, 1, 1]);
        let height = column(&["170", "160"], &[0, 1, 1, 0]);
        let grid = Grid::new(&sex, &height);
        assert_eq!((grid.across, grid.up), (vec!["F".to_string(), "M".into()], vec!["160".to_string(), "170".into()]));
        assert_eq!(grid.percent[1], [0.0, 100.0]);
        assert!((grid.percent[0][0] - 200.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn spreads_and_commonest() {
        let heights: Vec<f64> = (0..100).map(f64::from).collect();
        let weights: Vec<f64> = (0..100).map(|n| if n < 50 { 60.0 } else { f64::from(n) }).collect();
        let [low, high] = Spread::of_ends(&heights, &weights);
        assert_eq!((low.range, low.middle, low.taken()), (0.0, 0.0, 0.0));
        assert!(high.range >= 9.0 && high.taken() > 0.3);
        assert_eq!(commonest(&column(&["5", "4", "9"], &[0, 1, 2, 1, 0])), 4.0);
        assert_eq!(larger_is_taller(&column(&["F", "M"], &[0, 1, 1]), &[1.0, 2.0, 3.0]), (true, 2.0 / 3.0));
        assert!(!larger_is_taller(&column(&["F", "M"], &[0, 1, 1]), &[9.0, 2.0, 3.0]).0);
    }
}
