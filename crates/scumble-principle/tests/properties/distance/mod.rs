//! Distances in whole numbers agree with their definitions in fractions.

mod table;

pub(crate) use table::Table;

use crate::dice::Dice;
use crate::fraction::Fraction;
use scumble_principle::Neighbours;
use scumble_table::{Code, Decimal};

/// Epsilons at, just below and just above a distance that occurs, as fine as decimals go, and some others.
fn epsilons(dice: &mut Dice, table: &Table) -> Vec<Decimal> {
    let (a, b) = (dice.below(table.rows.len()), dice.below(table.rows.len()));
    let mut epsilons = vec![Decimal::ZERO, Decimal::from(1), Decimal::new(dice.below(100) as i128, 2)];
    if table.published[a] && table.published[b] {
        let distance = table.distance(a, b);
        for scale in [0, 1, dice.below(9) as u8, 20, 30] {
            let units = distance.units(scale, table.combine == "l2");
            // Decimals end at 38 digits.
            if units < i128::MAX / 10 {
                epsilons.extend([units - 1, units, units + 1].map(|units| Decimal::new(units.max(0), scale)));
            }
        }
    }
    epsilons
}

fn agrees(seed: u64) {
    let mut dice = Dice::new(seed);
    let table = Table::random(&mut dice);
    let composite = table.composite();
    let metric = table.metric(&table.ruler()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let published: Vec<usize> = (0..table.rows.len()).filter(|&row| table.published[row]).collect();
    let distances: Vec<Vec<Fraction>> =
        published.iter().map(|&a| published.iter().map(|&b| table.distance(a, b)).collect()).collect();
    for (&a, distances) in published.iter().zip(&distances) {
        for (&b, distance) in published.iter().zip(distances) {
            let shown = metric.apart(&table.rows[a], &table.rows[b]);
            let shown = if table.combine == "l2" { shown * shown } else { shown };
            let exact = distance.to_f64();
            assert!((shown - exact).abs() <= 1e-9 * exact.max(1.0), "seed {seed}: {shown} {exact}");
        }
    }
    for epsilon in epsilons(&mut dice, &table) {
        let neighbours =
            Neighbours::within(&metric, &composite, epsilon).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let bound = Fraction::decimal(epsilon);
        let bound = if table.combine == "l2" { bound.times(&bound) } else { bound };
        for (&a, distances) in published.iter().zip(&distances) {
            for (&b, distance) in published.iter().zip(distances) {
                let near = neighbours.near(composite.rows().get(a), composite.rows().get(b));
                assert_eq!(near, *distance <= bound, "seed {seed}, rows {a} and {b}, epsilon {epsilon}: {table:?}");
            }
        }
    }
}

#[test]
fn near_is_what_the_definition_says() {
    (0..3000).for_each(agrees);
}

/// A manifest states the distance with all bounds: a reader of it measures the same.
#[test]
fn the_distance_of_the_manifest_measures_the_same() {
    for seed in 0..1000 {
        let mut dice = Dice::new(seed);
        let table = Table::random(&mut dice);
        let (ruler, composite) = (table.ruler(), table.composite());
        let metric = table.metric(&ruler).unwrap();
        let text = metric.distance().to_string();
        let again = scumble_principle::LoadedDistance::new(text.parse().unwrap(), |file| {
            Ok((**ruler.matrix(file).expect("files keep their names")).clone())
        });
        let again = table.metric(&again.unwrap()).unwrap();
        assert_eq!(again.distance().to_string(), text);
        for epsilon in epsilons(&mut dice, &table) {
            let (one, two) =
                (Neighbours::within(&metric, &composite, epsilon), Neighbours::within(&again, &composite, epsilon));
            let (one, two) = (one.unwrap(), two.unwrap());
            let codes = 0..composite.len() as Code;
            for (a, b) in codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b))) {
                assert_eq!(one.near(a, b), two.near(a, b), "seed {seed}: {text}");
            }
        }
    }
}
