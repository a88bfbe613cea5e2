//! Sums of many floats.

/// A sum whose error does not grow with the number of terms (Neumaier): what each addition rounds away is kept apart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        self.sum = sum;
    }

    #[inline]
    pub(super) fn total(self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_are_not_lost() {
        let mut sum = Sum::default();
        [1.0, 1e100, 1.0, -1e100].into_iter().for_each(|term| sum.add(term));
        assert_eq!(sum.total(), 2.0);
        let mut tenths = Sum::default();
        (0..1_000_000).for_each(|_| tenths.add(0.1));
        assert_eq!(tenths.total(), 100_000.0);
    }
}
