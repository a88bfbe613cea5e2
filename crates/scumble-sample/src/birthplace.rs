//! Where people were born, and how race depends on it.

use crate::alias::Alias;
use crate::rng::Rng;

/// The share of the first birthplace, so that one value dominates a large domain.
const HOME_SHARE: f64 = 0.88;

/// Parts of the world that share one distribution of race.
#[derive(Clone, Copy)]
enum Region {
    Home,
    Latin,
    Caribbean,
    Chinese,
    Japanese,
    Asian,
    European,
    African,
    MiddleEastern,
}

use Region::*;

/// The birthplaces; after the first, each is rarer than the one before.
const BIRTHPLACES: [(&str, Region); 83] = [
    ("United States", Home),
    ("Mexico", Latin),
    ("Philippines", Asian),
    ("India", Asian),
    ("Germany", European),
    ("China", Chinese),
    ("Vietnam", Asian),
    ("El Salvador", Latin),
    ("Canada", European),
    ("Cuba", Caribbean),
    ("South Korea", Asian),
    ("United Kingdom", European),
    ("Dominican Republic", Caribbean),
    ("Jamaica", Caribbean),
    ("Italy", European),
    ("Colombia", Latin),
    ("Guatemala", Latin),
    ("Poland", European),
    ("Haiti", Caribbean),
    ("Taiwan", Chinese),
    ("Russia", European),
    ("Japan", Japanese),
    ("Iran", MiddleEastern),
    ("Peru", Latin),
    ("Ecuador", Latin),
    ("Honduras", Latin),
    ("Ukraine", European),
    ("Portugal", European),
    ("Guyana", Caribbean),
    ("Brazil", Latin),
    ("Nicaragua", Latin),
    ("Pakistan", Asian),
    ("France", European),
    ("Trinidad and Tobago", Caribbean),
    ("Nigeria", African),
    ("Greece", European),
    ("Thailand", Asian),
    ("Ireland", European),
    ("Laos", Asian),
    ("Romania", European),
    ("Argentina", Latin),
    ("Cambodia", Asian),
    ("Venezuela", Latin),
    ("Egypt", MiddleEastern),
    ("Israel", MiddleEastern),
    ("Panama", Latin),
    ("Lebanon", MiddleEastern),
    ("Netherlands", European),
    ("Spain", European),
    ("Hungary", European),
    ("Bangladesh", Asian),
    ("Turkey", MiddleEastern),
    ("Ethiopia", African),
    ("Iraq", MiddleEastern),
    ("Chile", Latin),
    ("Costa Rica", Latin),
    ("Ghana", African),
    ("South Africa", African),
    ("Indonesia", Asian),
    ("Australia", European),
    ("Austria", European),
    ("Bolivia", Latin),
    ("Sweden", European),
    ("Syria", MiddleEastern),
    ("Croatia", European),
    ("Malaysia", Asian),
    ("Czechia", European),
    ("Norway", European),
    ("Switzerland", European),
    ("Belgium", European),
    ("Bulgaria", European),
    ("Kenya", African),
    ("Burma", Asian),
    ("Liberia", African),
    ("Denmark", European),
    ("Albania", European),
    ("Sri Lanka", Asian),
    ("Afghanistan", Asian),
    ("Uruguay", Latin),
    ("Nepal", Asian),
    ("Somalia", African),
    ("New Zealand", European),
    ("Singapore", Chinese),
];

const RACES: [&str; 9] = [
    "white",
    "black",
    "american indian",
    "chinese",
    "japanese",
    "other asian or pacific islander",
    "other race",
    "two races",
    "three or more races",
];

/// The weights of [`RACES`] for people born in a region.
fn race_weights(region: Region) -> [f64; 9] {
    match region {
        Home => [82.0, 11.5, 1.1, 0.3, 0.3, 0.8, 1.9, 1.8, 0.3],
        Latin => [47.0, 1.5, 1.0, 0.1, 0.1, 0.3, 44.0, 5.0, 1.0],
        Caribbean => [37.0, 46.0, 0.3, 0.3, 0.1, 1.5, 10.0, 4.0, 0.8],
        Chinese => [1.5, 0.2, 0.1, 91.0, 0.5, 4.5, 0.4, 1.6, 0.2],
        Japanese => [7.0, 0.8, 0.1, 0.6, 86.0, 2.0, 0.5, 2.7, 0.3],
        Asian => [5.0, 0.8, 0.2, 3.0, 0.3, 85.0, 2.0, 3.3, 0.4],
        European => [93.0, 2.6, 0.3, 0.2, 0.1, 0.8, 1.0, 1.8, 0.2],
        African => [16.0, 77.0, 0.1, 0.1, 0.1, 1.2, 1.5, 3.5, 0.5],
        MiddleEastern => [84.0, 1.5, 0.1, 0.1, 0.1, 2.2, 3.0, 8.0, 1.0],
    }
}

/// The distribution of birthplace and race.
pub(crate) struct Origins {
    birthplace: Alias,
    race: Vec<Alias>,
}

/// A birthplace and a race, in words.
pub(crate) struct Origin {
    pub(crate) birthplace: &'static str,
    pub(crate) race: &'static str,
}

impl Origins {
    pub(crate) fn new() -> Origins {
        // Zipf's law for all but the first.
        let mut weights: Vec<f64> = (0..BIRTHPLACES.len()).map(|rank| 1.0 / rank.max(1) as f64).collect();
        let abroad: f64 = weights[1..].iter().sum();
        weights[0] = abroad * HOME_SHARE / (1.0 - HOME_SHARE);
        Origins {
            birthplace: Alias::new(&weights),
            race: BIRTHPLACES.map(|(_, region)| Alias::new(&race_weights(region))).into(),
        }
    }

    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> Origin {
        let at = self.birthplace.draw(rng);
        Origin { birthplace: BIRTHPLACES[at].0, race: RACES[self.race[at].draw(rng)] }
    }
}

#[cfg(test)]
mod tests {
    use crate::Sample;
    use crate::test_table::Table;

    #[test]
    fn one_of_83_birthplaces_holds_88_percent() {
        let table = Table::generate(Sample::Census, 100_000, 1);
        assert_eq!(table.domain("birthplace").len(), 83);
        let home = table.share("birthplace", "United States");
        assert!((home - 0.88).abs() < 0.005, "{home}");
        // Zipf: the second abroad is half the first, the tenth a tenth.
        let mexico = table.share("birthplace", "Mexico");
        for (rank, place) in [(2.0, "Philippines"), (10.0, "South Korea")] {
            let ratio = mexico / table.share("birthplace", place);
            assert!((ratio / rank - 1.0).abs() < 0.25, "{place}: {ratio}");
        }
    }

    #[test]
    fn race_depends_on_birthplace() {
        let table = Table::generate(Sample::Census, 50_000, 2);
        assert_eq!(table.domain("race").len(), 9);
        let given = |place| table.share_given("race", "chinese", ("birthplace", place));
        assert!(given("China") > 0.8);
        assert!(given("United States") < 0.02);
    }
}
