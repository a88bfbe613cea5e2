//! Where the people come from: a file, a stand-in for the Adult table, and the two made-up tables of section 7.

use super::people::People;
use crate::ReproduceRequest;
use crate::columns::{WantedColumn, WantedColumns};
use crate::data::{DataFacts, StudySource};
use crate::draw::Draw;
use crate::runner::Runner;
use crate::study_table::{StudyColumn, StudyTable};
use scumble::{Result, Sample};
use std::collections::BTreeSet;

/// How many people of the Adult table have a capital loss, says section 7.
pub(super) const PEOPLE: usize = 1427;

/// The least loss, the greatest, and how many different ones there are, says section 7.
const LOSSES: (i64, i64, usize) = (155, 3900, 89);

/// Ages of the Adult table.
const AGES: (i64, i64) = (17, 90);

/// From this age on people are left out, so that ages need not all become `*`. The paper says six people over 80; in its
/// table there are five of them, and one who is 80.
const OLD: f64 = 80.0;

const COLUMNS: WantedColumns = WantedColumns {
    quasi: &[
        WantedColumn::number("age", &["age"]),
        WantedColumn::any("work class", &["workclass", "work_class", "work-class"]).optional(),
        WantedColumn::any("education", &["education"]).optional(),
        WantedColumn::any("marital status", &["marital_status", "marital-status", "marital"]).optional(),
        WantedColumn::any("occupation", &["occupation"]).optional(),
        WantedColumn::any("race", &["race"]).optional(),
        WantedColumn::any("sex", &["sex", "gender"]).optional(),
        WantedColumn::any("native country", &["native_country", "native-country", "country"]).optional(),
    ],
    sensitive: &[WantedColumn::number("capital loss", &["capital_loss", "capital-loss", "loss"])],
};

/// More people than this are sampled: the questions of the figures touch everybody a thousand times.
const MOST_PEOPLE: u64 = 50_000;

/// Only for files: the stand-in is made here.
const SOURCE: StudySource =
    StudySource { columns: COLUMNS, stand_in: Sample::Census, rows: MOST_PEOPLE, quick_rows: MOST_PEOPLE };

/// The people with a loss, and what is to be told of them.
pub(super) struct Investors {
    /// All of them.
    pub(super) all: People,
    /// Those who are not too old for a hierarchy of ages.
    pub(super) younger: People,
    pub(super) facts: DataFacts,
}

/// Those of a file, or a stand-in.
pub(super) fn investors(request: &ReproduceRequest, runner: &Runner) -> Result<Investors> {
    let stands_for = "the people of the Adult table who have a capital loss";
    let (columns, facts) = match &request.data {
        None => {
            let columns = adult_like(PEOPLE, request.seed);
            let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let facts = DataFacts::made_up("generated people with a capital loss", PEOPLE, &names, stands_for);
            (columns, facts)
        }
        Some(_) => {
            let mut data = SOURCE.sampled(request, runner)?;
            data.table = with_a_loss(&data.table, &data.columns.sensitive[0])?;
            let columns = data.table.columns().to_vec();
            let own = is_adult(&columns);
            (columns, data.facts(stands_for, own))
        }
    };
    let younger = not_old(&columns);
    Ok(Investors { all: People::new(&columns)?, younger: People::new(&younger)?, facts })
}

/// Who has a loss other than 0 and no value that is written `?`, which is how the Adult table writes a missing one.
fn with_a_loss(table: &StudyTable, sensitive: &str) -> Result<StudyTable> {
    let losses = table.column(sensitive)?;
    let zero = |text: &String| text.parse::<f64>().is_ok_and(|loss| loss == 0.0);
    let none: Vec<bool> = losses.texts.iter().map(zero).collect();
    let unknown = |column: &StudyColumn| column.texts.iter().position(|text| text == "?").map(|at| at as u32);
    let unknown: Vec<Option<u32>> = table.columns().iter().map(unknown).collect();
    let kept = |row: &usize| {
        let known = |(column, unknown): (&StudyColumn, &Option<u32>)| Some(column.codes[*row]) != *unknown;
        !none[losses.codes[*row] as usize] && table.columns().iter().zip(&unknown).all(known)
    };
    Ok(table.rows(&(0..table.n_rows()).filter(kept).collect::<Vec<_>>()))
}

/// Without the oldest, where there are such people and others.
fn not_old(columns: &[StudyColumn]) -> Vec<StudyColumn> {
    let table = StudyTable::new(columns.to_vec());
    let ages = columns.first().and_then(StudyColumn::numbers).unwrap_or_default();
    let young = |row: &usize| ages[columns[0].codes[*row] as usize] < OLD;
    let rows: Vec<usize> = (0..table.n_rows()).filter(young).collect();
    let is_age = columns[0].whole_within(0.0, 120.0) && 2 * rows.len() > table.n_rows();
    if is_age { table.rows(&rows).columns().to_vec() } else { columns.to_vec() }
}

/// Whether these are the paper's people: their number, how many losses, the least and the greatest. The greatest of all
/// is 4356 and belongs to somebody of 82; the paper's 3900 is the greatest of those it keeps.
fn is_adult(columns: &[StudyColumn]) -> bool {
    let Some((losses, kept)) = columns.last().zip(not_old(columns).pop()) else { return false };
    let (least, greatest, different) = LOSSES;
    columns.len() == 9
        && losses.codes.len() == PEOPLE
        && losses.texts.len() == different
        && losses.range().is_some_and(|range| range.0 == least as f64)
        && kept.range().is_some_and(|range| range.1 == greatest as f64)
}

/// Columns of the Adult table, and for each label about how many of a thousand people with a loss have it.
const LABELS: [(&str, &str); 7] = [
    ("workclass", "Private 673, Self-emp-not-inc 104, Local-gov 88, Self-emp-inc 56, Federal-gov 40, State-gov 39"),
    (
        "education",
        "HS-grad 266, Bachelors 223, Some-college 184, Masters 102, Prof-school 43, Assoc-acdm 37, Assoc-voc 35, \
         Doctorate 34, 11th 21, 10th 19, 7th-8th 14, 5th-6th 7, 9th 6, 12th 5, 1st-4th 3, Preschool 1",
    ),
    (
        "marital_status",
        "Married-civ-spouse 636, Never-married 200, Divorced 113, Widowed 24, Separated 19, Married-spouse-absent \
         8",
    ),
    (
        "occupation",
        "Exec-managerial 203, Prof-specialty 202, Sales 133, Craft-repair 133, Adm-clerical 87, Transport-moving \
         50, Other-service 45, Machine-op-inspct 45, Tech-support 36, Handlers-cleaners 23, Farming-fishing 22, \
         Protective-serv 19, Priv-house-serv 2",
    ),
    ("race", "White 898, Black 62, Asian-Pac-Islander 31, Other 5, Amer-Indian-Eskimo 4"),
    ("sex", "Male 764, Female 236"),
    (
        "native_country",
        "United-States 931, Philippines 8, Mexico 8, Canada 8, India 8, China 7, Germany 7, Puerto-Rico 6, \
         England 6, Cuba 6, Iran 5",
    ),
];

/// People with the columns, labels and skew of the Adult table's. Losses are heaped as there: as many different ones in the
/// same range, most of them between 1400 and 2600, a few of them very common.
fn adult_like(n: usize, seed: u64) -> Vec<StudyColumn> {
    let mut draw = Draw::new(seed, "ages");
    let age = |_| match draw.below(200) {
        // As many of a thousand are old.
        0 => AGES.1 - 10 + draw.below(11) as i64,
        _ => AGES.0 + (draw.below(38) + draw.below(25)) as i64,
    };
    let mut columns = vec![StudyColumn::new("age", (0..n).map(age))];
    for (name, labels) in LABELS {
        let mut draw = Draw::new(seed, name);
        let labels: Vec<(&str, u64)> = labels.split(", ").filter_map(weight).collect();
        let all: u64 = labels.iter().map(|label| label.1).sum();
        columns.push(StudyColumn::new(name, (0..n).map(|_| weighted(&labels, draw.below(all)))));
    }
    let mut draw = Draw::new(seed, "losses");
    let values = heaps(&mut draw);
    // The nth of them has a weight of 1/n; each occurs.
    let weights: Vec<(i64, u64)> = values.iter().zip(1..).map(|(&value, nth)| (value, 1_000_000 / nth)).collect();
    let all: u64 = weights.iter().map(|one| one.1).sum();
    let more = (values.len()..n).map(|_| weighted(&weights, draw.below(all)));
    columns.push(StudyColumn::new("capital_loss", values.iter().copied().take(n).chain(more)));
    columns
}

/// A label with its weight.
fn weight(text: &str) -> Option<(&str, u64)> {
    let (label, weight) = text.rsplit_once(' ')?;
    Some((label, weight.parse().ok()?))
}

/// The value at a place below the sum of the weights.
fn weighted<T: Copy>(values: &[(T, u64)], mut left: u64) -> T {
    for &(value, weight) in values {
        if left < weight {
            return value;
        }
        left -= weight;
    }
    values[0].0
}

/// Different losses in a random order, the ends of the range last, for they are rare.
fn heaps(draw: &mut Draw) -> Vec<i64> {
    let (least, greatest, different) = LOSSES;
    let mut seen = BTreeSet::from([least, greatest]);
    let mut values = Vec::new();
    while values.len() + 2 < different {
        let value = match draw.below(10) {
            0..7 => 1400 + draw.below(1200) as i64,
            _ => least + 1 + draw.below((greatest - least - 1) as u64) as i64,
        };
        if seen.insert(value) {
            values.push(value);
        }
    }
    values.extend([least, greatest]);
    values
}

/// People of whom nothing is known but the range of their ages and losses: both even (figures 13 to 17).
pub(super) fn random(n: usize, seed: u64) -> Result<People> {
    let mut draw = Draw::new(seed, "random people");
    let mut even = |low: i64, high: i64| low + draw.below((high - low + 1) as u64) as i64;
    let (ages, losses): (Vec<i64>, Vec<i64>) = (0..n).map(|_| (even(AGES.0, AGES.1), even(LOSSES.0, LOSSES.1))).unzip();
    people_of_pairs(&ages, &losses)
}

/// Which losses there are where they follow ages. The paper does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Losses {
    /// As many as the Adult table has, evenly apart: the paper says that at its strongest correlation people of one age
    /// often have the same loss, which they have not if every whole number is one.
    AsMany,
    /// Every whole number.
    Whole,
}

/// People whose loss rises with their age from one end of the range to the other, with normal noise of a given standard
/// deviation (figure 12). The paper speaks of a variance and does not say of what unit.
pub(super) fn correlated(n: usize, losses: Losses, deviation: f64, seed: u64) -> Result<People> {
    let mut draw = Draw::new(seed, "correlated people");
    let (least, greatest, as_many) = LOSSES;
    let range = (greatest - least) as f64;
    let different = if losses == Losses::AsMany { as_many } else { (greatest - least) as usize + 1 };
    let step = range / (different - 1) as f64;
    let pair = |_| {
        let age = AGES.0 + draw.below((AGES.1 - AGES.0 + 1) as u64) as i64;
        let above = range * (age - AGES.0) as f64 / (AGES.1 - AGES.0) as f64 + deviation * normal(&mut draw);
        let above = (above / step).round().clamp(0.0, (different - 1) as f64) * step;
        (age, least + above.round() as i64)
    };
    let (ages, losses): (Vec<i64>, Vec<i64>) = (0..n).map(pair).unzip();
    people_of_pairs(&ages, &losses)
}

fn people_of_pairs(ages: &[i64], losses: &[i64]) -> Result<People> {
    People::new(&[StudyColumn::new("age", ages), StudyColumn::new("capital_loss", losses)])
}

/// Nearly a standard normal number: the sum of twelve even ones, by operations that are the same on every machine.
fn normal(draw: &mut Draw) -> f64 {
    const FINE: u64 = 1 << 40;
    (0..12).map(|_| draw.below(FINE) as f64 / FINE as f64).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_has_the_shape_of_the_papers_table_and_is_not_taken_for_it() {
        for seed in 0..5 {
            let columns = adult_like(PEOPLE, seed);
            let losses = columns.last().unwrap();
            assert_eq!((losses.codes.len(), losses.texts.len()), (PEOPLE, LOSSES.2));
            assert_eq!(losses.range(), Some((155.0, 3900.0)));
            let ages = columns[0].range().unwrap();
            assert!(ages.0 >= 17.0 && (80.0..=90.0).contains(&ages.1), "{ages:?}");
            let young = not_old(&columns);
            assert!((PEOPLE - 25..PEOPLE).contains(&young[0].codes.len()));
        }
    }

    #[test]
    fn tables_are_those_of_their_seed() {
        assert_eq!(adult_like(50, 3), adult_like(50, 3));
        assert_ne!(adult_like(50, 3), adult_like(50, 4));
    }

    #[test]
    fn noise_is_as_wide_as_asked() {
        let mut draw = Draw::new(1, "normal");
        let sample: Vec<f64> = (0..20_000).map(|_| normal(&mut draw)).collect();
        let mean = sample.iter().sum::<f64>() / 20_000.0;
        let variance = sample.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        let strong = correlated(500, Losses::AsMany, 5.0, 1).unwrap();
        let weak = correlated(500, Losses::AsMany, 500.0, 1).unwrap();
        assert_eq!((strong.n(), weak.n()), (500, 500));
        assert!(weak.rising().iter().all(|loss| (155..=3900).contains(loss)));
        let mut different = weak.rising();
        different.dedup();
        assert!((80..=LOSSES.2).contains(&different.len()), "{}", different.len());
        let mut different = correlated(500, Losses::Whole, 500.0, 1).unwrap().rising();
        different.dedup();
        assert!(different.len() > 300, "{}", different.len());
    }

    #[test]
    fn people_without_a_loss_are_left_out() {
        let table = StudyTable::new(vec![
            StudyColumn::new("age", ["20", "30", "40", "50"]),
            StudyColumn::new("workclass", ["Private", "?", "Private", "Private"]),
            StudyColumn::new("loss", ["5", "6", "0", "0.0"]),
        ]);
        let kept = with_a_loss(&table, "loss").unwrap();
        assert_eq!((kept.n_rows(), kept.column("age").unwrap().texts.as_slice()), (1, &["20".to_string()][..]));
    }
}
