//! Example 6 of the paper, and estimates against their definition.

use super::*;
use crate::{Axis, Draw, Generalization, Positions, Predicate, Predicates, Shape};
use scumble_release::SUPPRESSED;

/// Ages, sexes (F at 0, M at 1) and diseases (bronchitis at 0, pneumonia at 1) of Table 1a.
fn axes() -> [Axis; 3] {
    [Axis::between("age", true, 21.0, 60.0), Axis::nominal("sex", 2), Axis::nominal("disease", 2)]
}

/// Pneumonia among those of 35 to 45 years: two people in truth.
fn example_6() -> Query {
    Query::new(vec![(0, (35.0, 45.0).into())], Predicate::OneOf(vec![1.0]))
}

#[test]
fn paper4_example6() {
    let [age, sex, disease] = axes();
    // Alan, Bob, Carrie, Daisy, Eddy, Frank, Gloria, Helena.
    let diseases = Positions::from_places(disease, &[1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let groups = GroupValues::new(&[0, 0, 0, 0, 1, 1, 1, 1], 2, &diseases);
    let stars = Boxes::new(sex.clone(), vec![Shape::all(&sex)], vec![0, 0]);
    let table_1b =
        Generalization::new(vec![Boxes::intervals(age.clone(), &[21.0, 41.0], &[40.0, 60.0]), stars], groups);
    let found = table_1b.estimate(&example_6(), &mut Scratch::default()).uniform;
    assert!((found - 1.1).abs() < 1e-12 && (found / 8.0 - 0.1375).abs() < 1e-12, "{found}");

    let batches = GroupValues::new(&[0, 1, 0, 1, 2, 3, 2, 3], 4, &diseases);
    let ages = Boxes::intervals(age, &[21.0, 38.0, 41.0, 58.0], &[23.0, 40.0, 43.0, 60.0]);
    let sexes = Boxes::new(sex.clone(), [1.0, 0.0].map(|at| Shape::set(&sex, vec![at])).to_vec(), vec![0, 1, 0, 1]);
    let rows = [0, 0, 1, 1, 2, 2, 3, 3];
    let table_3 = AngelTable::new("generalized", vec![0, 1], vec![ages, sexes], 4, &rows, &[0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!((table_3.sizes(), table_3.parts(2)), ([2, 2, 2, 2].as_slice(), [(2, 1), (3, 1)].as_slice()));
    let table_3 = AngelTables::new(vec![table_3], batches);
    let found = table_3.estimate(&example_6(), &mut Scratch::default());
    assert_eq!((found.uniform, found.uniform / 8.0), (2.0, 0.25));
}

/// A table of boxes that hold every row of the bucket, drawn at random, and which box each row has.
fn table(name: &str, columns: Vec<usize>, n: usize, batch: &[u32], draw: &mut Draw) -> (AngelTable, Vec<u32>) {
    let axis = Axis::between("q", true, 0.0, 9.0);
    let n_buckets = 1 + draw.below(6) as usize;
    let row_bucket: Vec<u32> = (0..n)
        .map(|row| if batch[row] == SUPPRESSED { SUPPRESSED } else { draw.below(n_buckets as u64) as u32 })
        .collect();
    let mut shape = || match draw.below(8) {
        0 => Shape::all(&axis),
        1 => Shape::null(&axis),
        2 | 3 => Shape::set(&axis, (0..4).map(|_| draw.below(10) as f64).collect()),
        _ => {
            let (a, b) = (draw.below(10) as f64, draw.below(10) as f64);
            Shape::interval(&axis, a.min(b), a.max(b))
        }
    };
    let boxes = columns
        .iter()
        .map(|_| Boxes::new(axis.clone(), (0..n_buckets).map(|_| shape()).collect(), (0..n_buckets as u32).collect()));
    let boxes = boxes.collect();
    (AngelTable::new(name, columns, boxes, n_buckets, &row_bucket, batch), row_bucket)
}

/// The definition, person by person: the share of the person's box in the query, times the share of the person's
/// batch that suits it.
#[test]
fn estimates_are_those_of_the_definition() {
    let diseases = Axis::nominal("x", 5);
    let mut marginals = 0;
    for case in 0..3000 {
        let draw = &mut Draw::new(11, b"angel", case);
        let n = 1 + draw.below(30) as usize;
        let n_batches = 1 + draw.below(5) as u32;
        let batch: Vec<u32> = (0..n)
            .map(|_| if draw.below(12) == 0 { SUPPRESSED } else { draw.below(n_batches.into()) as u32 })
            .collect();
        let values: Vec<f64> =
            (0..n).map(|_| if draw.below(9) == 0 { f64::NAN } else { draw.below(5) as f64 }).collect();
        let sensitive = Positions::from_places(diseases.clone(), &values);
        let (full, full_bucket) = table("generalized", vec![0, 1, 2], n, &batch, draw);
        let (some, some_bucket) = table("marginal-a-c", vec![0, 2], n, &batch, draw);
        let tables = AngelTables::new(vec![full, some], GroupValues::new(&batch, n_batches as usize, &sensitive));
        let line = Axis::between("q", true, 0.0, 9.0);
        let mut predicate = |at: usize| (at, Predicates::Sets.draw(&line, 0.5, draw));
        let quasi = match case % 3 {
            0 => vec![predicate(2), predicate(0)],
            1 => vec![predicate(0), predicate(1), predicate(2)],
            _ => vec![predicate(0)],
        };
        let query = Query::new(quasi, Predicates::Sets.draw(&diseases, 0.4, draw));
        let (at, row_bucket) = if case % 3 == 1 { (0, &full_bucket) } else { (1, &some_bucket) };
        marginals += at;
        let mut expected = Estimate::default();
        for row in (0..n).filter(|&row| batch[row] != SUPPRESSED) {
            let mates: Vec<usize> = (0..n).filter(|&mate| batch[mate] == batch[row]).collect();
            let wanted = mates.iter().filter(|&&mate| query.sensitive[0].1.holds(values[mate])).count();
            let size = row_bucket.iter().filter(|&&bucket| bucket == row_bucket[row]).count();
            let mut share = Estimate { uniform: wanted as f64 / mates.len() as f64, ends: 0.0 };
            share.ends = share.uniform;
            for (column, predicate) in &query.quasi {
                let boxes = tables.tables()[at].boxes_of(*column);
                let part = boxes.shape(row_bucket[row] as usize).part(boxes.axis(), predicate);
                share.uniform *= part.share;
                share.ends *= part.by_ends(size as f64);
            }
            expected.uniform += share.uniform;
            expected.ends += share.ends;
        }
        let found = tables.estimate(&query, &mut Scratch::default());
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(
            near(found.uniform, expected.uniform) && near(found.ends, expected.ends),
            "{case}: {found:?} {expected:?}"
        );
    }
    assert_eq!(marginals, 2000);
}

#[test]
fn the_table_with_the_fewest_other_columns_answers() {
    let (n, batch) = (4, [0, 0, 0, 0]);
    let draw = &mut Draw::new(3, b"best", 0);
    let mut made = |name, columns| table(name, columns, n, &batch, draw).0;
    let tables = vec![
        made("generalized", vec![0, 1, 2, 3]),
        made("first", vec![0, 1, 2]),
        made("second", vec![0, 1, 3]),
        made("one", vec![3]),
    ];
    let sensitive = Positions::from_places(Axis::nominal("x", 1), &[0.0; 4]);
    let tables = AngelTables::new(tables, GroupValues::new(&batch, 1, &sensitive));
    let best = |attributes: &[usize]| tables.best(attributes.iter().copied()).name().to_string();
    assert_eq!([best(&[3]), best(&[1, 0]), best(&[0, 3]), best(&[2, 3])], ["one", "first", "second", "generalized"]);
    assert_eq!(best(&[]), "one");
}
