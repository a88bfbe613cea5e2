//! The randomness of all that is published: a ChaCha20 stream keyed by the operating system, or by a seed when the publisher
//! asks for reproduction. The release then says so.

use crate::draws::shuffle;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use scumble_table::{Error, Result, uniform_below};
use zeroize::Zeroize;

/// Secret coins. Child streams depend only on the key and a name, never on the order in which
/// threads ask for them, so the same seed gives the same bytes for any number of threads.
pub struct Coins {
    key: [u8; 32],
    secret: bool,
}

impl Coins {
    /// Coins that no reader can guess.
    pub fn from_system() -> Result<Self> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|e| Error::Io {
            doing: "draw random bytes from".into(),
            path: "the operating system".into(),
            reason: e.to_string(),
        })?;
        Ok(Coins { key, secret: true })
    }

    /// Coins that everyone who has the seed can draw again; for tests and reproduction only.
    pub fn from_seed(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..21].copy_from_slice(b"scumble seed.");
        Coins { key, secret: false }
    }

    /// False when the coins came from a seed.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// Coins of their own for one of several columns or tables that are worked on apart: what is drawn for one must tell
    /// nothing about what was drawn for another.
    pub fn for_column(&self, column: usize) -> Coins {
        self.child(Purpose::Columns, column)
    }

    /// Coins of their own for a round in which some rows are dealt again.
    pub fn for_round(&self, round: usize) -> Coins {
        self.child(Purpose::Rounds, round)
    }

    fn child(&self, purpose: Purpose, place: usize) -> Coins {
        let mut key = [0; 32];
        self.stream(purpose, place as u64).fill(&mut key);
        Coins { key, secret: self.secret }
    }

    /// An independent stream for one purpose and one place in the work.
    pub fn stream(&self, purpose: Purpose, place: u64) -> Stream {
        let mut key = self.key;
        key[31] ^= purpose as u8;
        let mut rng = ChaCha20Rng::from_seed(key);
        rng.set_stream(place);
        key.zeroize();
        Stream(rng)
    }
}

impl Drop for Coins {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl std::fmt::Debug for Coins {
    /// Never shows the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coins").field("secret", &self.secret).finish_non_exhaustive()
    }
}

/// What a stream of coins is for; each purpose has streams of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// Choosing among nearly equal cuts.
    Cuts = 1,
    /// The order of published rows.
    RowOrder = 2,
    /// The numbers of published groups.
    GroupOrder = 3,
    /// Which rows become a group.
    Groups = 5,
    /// Which of equal rows goes first.
    Ties = 4,
    /// Who shows whose sensitive values.
    Permutation = 20,
    /// Coins of the columns that are worked on apart.
    Columns = 21,
    /// Labels that a set shows in addition to those that occur.
    Labels = 22,
    /// Where a cut lies between two neighbouring values.
    CutPlaces = 23,
    /// Whether a cut that would pass is refused nevertheless.
    Stops = 24,
    /// Coins of the rounds in which groups are dealt again.
    Rounds = 25,
}

/// A stream of coins.
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// A uniform number below `bound` (which must be positive), by rejection: no value is likelier
    /// than another by even one part in 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        uniform_below(bound, || self.0.next_u64())
    }

    /// Uniform bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }

    /// Puts things in a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        shuffle(items, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_repeat_and_purposes_differ() {
        let draw = |coins: &Coins, purpose, place| {
            let mut s = coins.stream(purpose, place);
            (0..4).map(|_| s.below(1000)).collect::<Vec<_>>()
        };
        let (a, b) = (Coins::from_seed(7), Coins::from_seed(7));
        assert_eq!(draw(&a, Purpose::Cuts, 3), draw(&b, Purpose::Cuts, 3));
        assert_ne!(draw(&a, Purpose::Cuts, 3), draw(&a, Purpose::Cuts, 4));
        assert_ne!(draw(&a, Purpose::Cuts, 3), draw(&a, Purpose::RowOrder, 3));
        assert_ne!(draw(&a, Purpose::Cuts, 3), draw(&Coins::from_seed(8), Purpose::Cuts, 3));
        assert!(!a.is_secret() && Coins::from_system().unwrap().is_secret());
        assert_eq!(format!("{a:?}"), "Coins { secret: false, .. }");
    }

    #[test]
    fn columns_have_coins_of_their_own() {
        let coins = Coins::from_seed(7);
        let draw = |coins: &Coins| coins.stream(Purpose::Groups, 0).below(u64::MAX);
        assert_eq!(draw(&coins.for_column(1)), draw(&coins.for_column(1)));
        assert_ne!(draw(&coins.for_column(0)), draw(&coins.for_column(1)));
        assert_ne!(draw(&coins.for_column(0)), draw(&coins));
        assert!(!coins.for_column(0).is_secret() && Coins::from_system().unwrap().for_column(0).is_secret());
    }

    #[test]
    fn shuffles_are_fair() {
        let coins = Coins::from_seed(1);
        let mut seen = std::collections::BTreeMap::new();
        for place in 0..6000 {
            let mut items = [0, 1, 2];
            coins.stream(Purpose::RowOrder, place).shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // 1000 expected of each; six standard deviations are 173.
        assert!(seen.values().all(|n| (827..1173).contains(n)), "{seen:?}");
    }
}
