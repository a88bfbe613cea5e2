//! The number of threads leaves no trace.

use super::world::{PAPER, WAYS, World};
use crate::dice::Dice;
use crate::measured;
use scumble_table::{Code, Decimal, Domain};

/// Two sensitive columns, numbers and labels, of many values; enough rows for many lots of classes.
pub(crate) fn large(n: usize) -> World {
    let mut dice = Dice::new(5);
    let numbers = Domain::numbers((0..300).map(Decimal::from).collect()).unwrap();
    let labels = Domain::nominal((0..12).map(|at| format!("v{at}").into()).collect());
    // Some values are far more common than others.
    let mut code = |most: usize| dice.below(most).min(dice.below(most)) as Code;
    let rows: Vec<Vec<Code>> = (0..n).map(|_| vec![code(301), code(13)]).collect();
    let part = |column: usize, way: measured::Way, weight: &str| measured::Part { column, way, weight: weight.into() };
    let parts = vec![part(0, measured::Way::Rank, "0.7"), part(1, measured::Way::Equal, "0.3")];
    let published = vec![true; n];
    let measured = measured::Table { domains: vec![numbers, labels], rows, published, combine: "l1", parts };
    World::from_measured(measured, &mut Dice::new(8))
}

#[test]
fn threads_leave_no_trace() {
    let world = large(6000);
    let small = large(900);
    for way in WAYS {
        // Repairs, cycles and walks are wanted, too, and failures.
        for (world, text) in [
            (&world, "dissimilarity(0.1, 0.8, 6)"),
            (&small, "dissimilarity(0.2, 0.85, 7)"),
            (&small, "dissimilarity(0.3, 0.9, 5)"),
        ] {
            if way == PAPER && world.n() > 1000 {
                continue;
            }
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| world.partition(&[text.to_string()], way, 3, 0, None))
            };
            let one = with(1);
            assert_eq!(one, with(2), "{way:?} {text}");
            assert_eq!(one, with(4), "{way:?} {text}");
            let other = world.partition(&[text.to_string()], way, 4, 0, None);
            assert!(one.is_err() || one != other, "{way:?} {text}: the seed changes nothing");
        }
    }
}
