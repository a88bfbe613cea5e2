//! Divergences of the paper's tables, and of tables whose divergence is known.

use super::tests::SUBSETS;
use super::*;
use crate::{Anatomized, AngelTable, AngelTables, Axis, Boxes, Draw, Generalization, GroupValues, Positions, Shape};
use scumble_release::SUPPRESSED;

/// Ages, sexes and diseases of Table 1a.
fn table_1a() -> Microdata {
    let ages = Positions::from_places(
        Axis::between("age", true, 21.0, 60.0),
        &[21.0, 23.0, 38.0, 40.0, 41.0, 43.0, 58.0, 60.0],
    );
    let sexes = Positions::from_places(Axis::nominal("sex", 2), &[1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let diseases = Positions::from_places(Axis::nominal("disease", 2), &[1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    Microdata::new(vec![ages, sexes], diseases)
}

fn near(found: Divergence, expected: f64) {
    assert!(found.kl.is_some_and(|kl| (kl - expected).abs() < 1e-12) && found.unreached == 0, "{found:?} {expected}");
}

#[test]
fn paper4_tables_1_3_and_6() {
    let source = table_1a();
    let (age, sex) = (source.quasi()[0].axis().clone(), source.quasi()[1].axis().clone());
    let groups = GroupValues::new(&[0, 0, 0, 0, 1, 1, 1, 1], 2, source.sensitive());
    let ages = Boxes::intervals(age.clone(), &[21.0, 41.0], &[40.0, 60.0]);
    let stars = Boxes::new(sex.clone(), vec![Shape::all(&sex)], vec![0, 0]);
    let table_1b = Estimator::Generalized(Generalization::new(vec![ages, stars], groups.clone()));
    // Each person is spread over 20 ages, 2 sexes and 2 diseases; four people have a box.
    near(divergence(&table_1b, &source, &[0, 1], Monitor::silent()).unwrap(), 20f64.ln());
    near(divergence(&table_1b, &source, &[0], Monitor::silent()).unwrap(), 10f64.ln());

    let batch = [0, 1, 0, 1, 2, 3, 2, 3];
    let ages = Boxes::intervals(age, &[21.0, 38.0, 41.0, 58.0], &[23.0, 40.0, 43.0, 60.0]);
    let sexes = Boxes::new(sex.clone(), [1.0, 0.0].map(|at| Shape::set(&sex, vec![at])).to_vec(), vec![0, 1, 0, 1]);
    let table = AngelTable::new("generalized", vec![0, 1], vec![ages, sexes], 4, &[0, 0, 1, 1, 2, 2, 3, 3], &batch);
    let table_3 = Estimator::Angel(AngelTables::new(vec![table], GroupValues::new(&batch, 4, source.sensitive())));
    near(divergence(&table_3, &source, &[0, 1], Monitor::silent()).unwrap(), 3f64.ln());
    near(divergence(&table_3, &source, &[0], Monitor::silent()).unwrap(), 3f64.ln());

    let table_6 = Anatomized::new(source.quasi(), &[0, 0, 0, 0, 1, 1, 1, 1], groups);
    near(divergence(&Estimator::Anatomy(table_6), &source, &[0, 1], Monitor::silent()).unwrap(), 2f64.ln());
}

/// Two marginals of Table 2a: postcodes alone are reconstructed from Table 7c.
#[test]
fn paper4_table7() {
    let (age, sex, zip) =
        (Axis::between("age", true, 21.0, 72.0), Axis::nominal("sex", 2), Axis::between("zip", true, 10.0, 80.0));
    let columns = [
        Positions::from_places(age.clone(), &[21.0, 23.0, 58.0, 60.0, 70.0, 72.0]),
        Positions::from_places(sex.clone(), &[1.0, 1.0, 0.0, 0.0, 1.0, 1.0]),
        Positions::from_places(zip.clone(), &[10.0, 58.0, 12.0, 60.0, 78.0, 80.0]),
    ];
    // Bronchitis, flu and pneumonia.
    let diseases = Positions::from_places(Axis::nominal("disease", 3), &[2.0, 1.0, 0.0, 2.0, 0.0, 1.0]);
    let batch = [0, 0, 1, 1, 2, 2];
    let sexes = Boxes::new(sex.clone(), [1.0, 0.0].map(|at| Shape::set(&sex, vec![at])).to_vec(), vec![0, 1, 0]);
    let boxes = vec![
        Boxes::intervals(age, &[21.0, 58.0, 70.0], &[23.0, 60.0, 72.0]),
        sexes,
        Boxes::intervals(zip.clone(), &[10.0, 12.0, 78.0], &[58.0, 60.0, 80.0]),
    ];
    let table_7b = AngelTable::new("generalized", vec![0, 1, 2], boxes, 3, &[0, 0, 1, 1, 2, 2], &batch);
    let boxes = vec![Boxes::intervals(zip, &[10.0, 58.0, 78.0], &[12.0, 60.0, 80.0])];
    let table_7c = AngelTable::new("marginal-zip", vec![2], boxes, 3, &[0, 1, 0, 1, 2, 2], &batch);
    let batches = GroupValues::new(&batch, 3, &diseases);
    let source = Microdata::new(columns.to_vec(), diseases);
    let both = Estimator::Angel(AngelTables::new(vec![table_7b.clone(), table_7c], batches.clone()));
    near(
        divergence(&both, &source, &[0, 1, 2], Monitor::silent()).unwrap(),
        (4.0 * 147f64.ln() + 2.0 * 9f64.ln()) / 6.0,
    );
    // Alan and Carrie share a box: pneumonia 1/2, flu and bronchitis 1/4 each.
    near(divergence(&both, &source, &[2], Monitor::silent()).unwrap(), (4.0 * 3f64.ln() + 2.0 * 6f64.ln()) / 6.0);
    let alone = Estimator::Angel(AngelTables::new(vec![table_7b], batches));
    assert!(
        divergence(&alone, &source, &[2], Monitor::silent()).unwrap().kl
            > divergence(&both, &source, &[2], Monitor::silent()).unwrap().kl
    );
    assert_eq!(
        divergence(&alone, &source, &[0, 1], Monitor::silent()).unwrap(),
        divergence(&both, &source, &[0, 1], Monitor::silent()).unwrap()
    );
}

/// Decimals are measured by length, and a suppressed row that lies nowhere makes the divergence infinite.
#[test]
fn lengths_and_suppressed_rows() {
    let axis = Axis::between("q", false, 0.0, 10.0);
    let column = Positions::from_places(axis.clone(), &[0.0, 2.5, 7.5, 10.0]);
    let sensitive = Positions::from_places(Axis::nominal("x", 1), &[0.0; 4]);
    let source = Microdata::new(vec![column], sensitive.clone());
    let form = |row_group: &[u32], lo: &[f64], hi: &[f64]| {
        let boxes = Boxes::intervals(axis.clone(), lo, hi);
        Estimator::Generalized(Generalization::new(vec![boxes], GroupValues::new(row_group, lo.len(), &sensitive)))
    };
    near(
        divergence(&form(&[0, 0, 1, 1], &[0.0, 7.5], &[2.5, 10.0]), &source, &[0], Monitor::silent()).unwrap(),
        1.25f64.ln(),
    );
    let partly =
        divergence(&form(&[0, 0, SUPPRESSED, SUPPRESSED], &[0.0], &[2.5]), &source, &[0], Monitor::silent()).unwrap();
    assert_eq!(partly, Divergence { kl: None, unreached: 2 });
    // Where the suppressed rows lie in a box of others, two people stand for four.
    near(
        divergence(&form(&[0, SUPPRESSED, SUPPRESSED, 0], &[0.0], &[10.0]), &source, &[0], Monitor::silent()).unwrap(),
        5f64.ln(),
    );
}

/// A release that makes no difference has no divergence, and no thread moves a bit of it.
#[test]
fn nothing_lost_and_any_number_of_threads() {
    let draw = &mut Draw::new(9, b"threads", 0);
    let n = 4000;
    let columns: Vec<Positions> = [7u64, 30, 200]
        .map(|size| {
            let places: Vec<f64> = (0..n).map(|_| draw.below(size) as f64).collect();
            Positions::from_places(Axis::between("q", true, 0.0, (size - 1) as f64), &places)
        })
        .to_vec();
    let values: Vec<f64> = (0..n).map(|_| draw.below(40) as f64).collect();
    let sensitive = Positions::from_places(Axis::nominal("x", 40), &values);
    let source = Microdata::new(columns.clone(), sensitive.clone());
    let alone: Vec<u32> = (0..n).collect();
    let exact = Estimator::Anatomy(Anatomized::new(&columns, &alone, GroupValues::new(&alone, n as usize, &sensitive)));
    near(divergence(&exact, &source, &[0, 1, 2], Monitor::silent()).unwrap(), 0.0);
    near(divergence(&exact, &source, &[], Monitor::silent()).unwrap(), 0.0);
    let groups: Vec<u32> = (0..n).map(|row| row / 10).collect();
    let boxes = columns.iter().map(|column| {
        let places = |group: &[u32]| group.iter().map(|&row| column.place(row as usize)).collect::<Vec<f64>>();
        let ends: Vec<(f64, f64)> = alone
            .chunks(10)
            .map(|group| places(group).iter().fold((f64::MAX, f64::MIN), |(lo, hi), &p| (lo.min(p), hi.max(p))))
            .collect();
        let (lo, hi): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        Boxes::intervals(column.axis().clone(), &lo, &hi)
    });
    let boxes: Vec<Boxes> = boxes.collect();
    let form = Estimator::Generalized(Generalization::new(boxes, GroupValues::new(&groups, 400, &sensitive)));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            SUBSETS.map(|attributes| {
                divergence(&form, &source, attributes, Monitor::silent()).unwrap().kl.map(f64::to_bits)
            })
        })
    };
    assert!(with(1).iter().all(Option::is_some));
    assert_eq!(with(1), with(3));
}
