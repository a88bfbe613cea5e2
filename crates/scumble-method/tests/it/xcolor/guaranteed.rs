//! Lemma 2: up to the guaranteed degree there is a colouring, and every way finds one.

use super::world::{DELTAS, WAYS, World, is_whole, max_degree, passes};
use crate::dice::Dice;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::Decimal;

#[test]
fn paper2_lemma2_up_to_the_guaranteed_degree_every_way_succeeds() {
    let (mut tried, mut positive, mut mixed) = (0, 0, 0);
    for seed in 0..4000 {
        let mut dice = Dice::new(seed ^ 0x1E);
        let n = dice.between(2, 40);
        let world = World::random(&mut dice, n);
        let mut asked = world.asked(&mut dice);
        let near = world.near(asked.epsilon);
        let degree = max_degree(&near);
        // The greatest delta that is guaranteed.
        let Some(classes) = Classes::new(n as u64, asked.k) else { continue };
        let deltas = DELTAS.map(|text| Decimal::parse(text).unwrap());
        let Some(&delta) = deltas.iter().rfind(|delta| classes.guaranteed_degree(**delta) >= degree) else { continue };
        asked.delta = delta;
        tried += 1;
        positive += usize::from(delta > Decimal::ZERO && classes.count > 1 && degree > 0);
        mixed += usize::from(classes.larger > 0);
        for way in WAYS {
            let about = || format!("seed {seed}, {way:?}, n {n}, {asked:?}: {:?}", world.measured);
            let found = world.partition(&[asked.text()], way, seed, 0, None);
            let partition = found.unwrap_or_else(|error| panic!("{error} {}", about()));
            assert!(is_whole(&partition, n), "{}", about());
            assert!(partition.groups().all(|group| passes(&near, asked, group)), "{}", about());
        }
    }
    assert!(tried > 2000 && positive > 400 && mixed > 500, "{tried} {positive} {mixed}");
}
