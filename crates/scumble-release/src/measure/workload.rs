//! Count queries as in section 6 of Li, Tao, Xiao (SIGMOD 2008):
//!
//! ```text
//! select count(*) where A1 in b1 and ... and A(w-1) in b(w-1) and S in bw
//! ```
//!
//! The attributes are w - 1 distinct quasi-identifiers drawn at random and always the sensitive one;
//! each `b` is a random interval of `floor(|A| * s^(1/w))` values of its domain, at least one. Queries over all
//! attributes with sets of `ceil(|A| * s^(1/w))` values where there is no order are those of the ANGEL paper
//! ([`Predicates::Sets`]).

use super::axis::Axis;
use super::draw::Draw;
use super::predicate::{Predicate, Predicates};
use scumble_table::{Error, Result};

/// The seed of a workload when none is given: the same questions for every release that is compared.
pub const WORKLOAD_SEED: u64 = 7;

/// What to ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Query dimension: the number of attributes in a query, the sensitive one included; at least 2.
    pub w: usize,
    /// Volume: the share of all combinations of values that a query covers, above 0 and at most 1.
    pub s: f64,
    /// Number of queries.
    pub queries: usize,
    /// Seed of the questions.
    pub seed: u64,
    /// How values are wanted.
    pub predicates: Predicates,
}

impl Workload {
    /// A workload of the paper's size: 1,000 queries of volume 0.1.
    pub fn new(w: usize) -> Self {
        Workload { w, s: 0.1, queries: 1000, seed: WORKLOAD_SEED, predicates: Predicates::Intervals }
    }

    /// Refuses what cannot be asked of any table.
    ///
    /// # Errors
    /// If `w` or `s` is out of range.
    pub fn check(&self) -> Result<()> {
        if self.w < 2 {
            return Err(Error::request("--w", self.w.to_string(), "a query is about at least 2 columns")
                .hint("one quasi-identifier and the sensitive column"));
        }
        if !(self.s > 0.0 && self.s <= 1.0) {
            return Err(
                Error::request("--s", self.s.to_string(), "a volume lies above 0 and is at most 1").hint("such as 0.1")
            );
        }
        Ok(())
    }

    /// Draws the queries over these quasi-identifiers and this sensitive attribute.
    ///
    /// # Errors
    /// As [`Workload::check`], or if there are fewer than `w - 1` quasi-identifiers.
    pub fn draw(&self, quasi: &[&Axis], sensitive: &Axis) -> Result<Vec<Query>> {
        self.check()?;
        if self.w - 1 > quasi.len() {
            let reason = format!("it needs {} quasi-identifiers and the release has {}", self.w - 1, quasi.len());
            return Err(Error::request("--w", self.w.to_string(), reason)
                .hint(format!("at most {} is possible", quasi.len() + 1)));
        }
        let part = self.s.powf(1.0 / self.w as f64);
        let one = |query: usize| {
            let mut draw = Draw::new(self.seed, &[b'q', self.w.min(255) as u8], query as u64);
            let mut order: Vec<usize> = (0..quasi.len()).collect();
            for at in 0..self.w - 1 {
                order.swap(at, at + draw.below((quasi.len() - at) as u64) as usize);
            }
            order.truncate(self.w - 1);
            Query {
                quasi: order.into_iter().map(|at| (at, self.predicates.draw(quasi[at], part, &mut draw))).collect(),
                sensitive: self.predicates.draw(sensitive, part, &mut draw),
            }
        };
        Ok((0..self.queries).map(one).collect())
    }
}

/// How many rows have these values?
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Which quasi-identifiers, and what is wanted of each.
    pub quasi: Vec<(usize, Predicate)>,
    /// What is wanted of the sensitive value.
    pub sensitive: Predicate,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> Vec<Axis> {
        vec![Axis::between("a", true, 10.0, 109.0), Axis::labels("b", 3), Axis::between("c", false, -1.0, 1.0)]
    }

    fn drawn(workload: Workload, axes: &[Axis]) -> Result<Vec<Query>> {
        workload.draw(&axes.iter().collect::<Vec<_>>(), &Axis::between("s", true, 0.0, 999.0))
    }

    #[test]
    fn lengths_follow_the_volume_and_stay_inside() {
        let axes = axes();
        let queries = drawn(Workload { queries: 500, s: 0.01, ..Workload::new(2) }, &axes).unwrap();
        for query in &queries {
            let [(at, Predicate::Between(a, b))] = query.quasi[..] else { panic!("one interval") };
            assert!(axes[at].lo <= a && b <= axes[at].hi + 1e-12);
            // 0.01^(1/2) is a tenth: 10 of 100 numbers, no less than 1 of 3 labels, 0.2 of a length of 2.
            let held = [b - a + 1.0, b - a + 1.0, b - a][at];
            assert!((held - [10.0, 1.0, 0.2][at]).abs() < 1e-9, "{query:?}");
            assert_eq!(query.sensitive.share(&Axis::between("s", true, 0.0, 999.0)), 0.1);
        }
        // Each attribute is drawn about as often, and both ends of the domain are reached.
        let asked = |at: usize| queries.iter().filter(|query| query.quasi[0].0 == at).count();
        assert!((0..3).all(|at| (120..214).contains(&asked(at))));
        assert!(queries.iter().any(|query| query.quasi[0] == (1, (2.0, 2.0).into())));
        assert!(queries.iter().any(|query| query.quasi[0] == (1, (0.0, 0.0).into())));
    }

    #[test]
    fn attributes_are_distinct_and_the_seed_decides() {
        let axes = axes();
        let workload = Workload { queries: 50, ..Workload::new(4) };
        let queries = drawn(workload, &axes).unwrap();
        for query in &queries {
            let mut names: Vec<usize> = query.quasi.iter().map(|part| part.0).collect();
            names.sort_unstable();
            assert_eq!(names, [0, 1, 2]);
        }
        assert_eq!(queries, drawn(workload, &axes).unwrap());
        assert_ne!(queries, drawn(Workload { seed: 8, ..workload }, &axes).unwrap());
        // Fewer queries are the first of more.
        assert_eq!(queries[..9], drawn(Workload { queries: 9, ..workload }, &axes).unwrap());
    }

    #[test]
    fn the_whole_domain_is_one_interval() {
        let queries = drawn(Workload { s: 1.0, queries: 5, ..Workload::new(2) }, &axes()[..1]).unwrap();
        let whole = Query { quasi: vec![(0, (10.0, 109.0).into())], sensitive: (0.0, 999.0).into() };
        assert!(queries.iter().all(|query| *query == whole));
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refused = |workload| drawn(workload, &axes()).unwrap_err().to_string();
        assert!(refused(Workload::new(1)).contains("at least 2"));
        assert!(refused(Workload::new(5)).contains("needs 4 quasi-identifiers and the release has 3"));
        for s in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(refused(Workload { s, ..Workload::new(2) }).contains("above 0"));
        }
    }
}
