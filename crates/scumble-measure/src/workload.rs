//! Count queries as in section 6 of Li, Tao, Xiao (SIGMOD 2008):
//!
//! ```text
//! select count(*) where A1 in b1 and ... and A(w-1) in b(w-1) and S in bw
//! ```
//!
//! The attributes are w - 1 distinct quasi-identifiers drawn at random and always the sensitive one;
//! each `b` is a random interval of `floor(|A| * s^(1/w))` values of its domain, at least one. Where a query has several
//! sensitive attributes, they are drawn at random as well, as in section VI of Wang, Liu (XColor, ICDE 2010). Queries over all
//! attributes with sets of `ceil(|A| * s^(1/w))` values where there is no order are those of the ANGEL paper
//! ([`Predicates::Sets`]).

use crate::{Axis, Draw, Predicate, Predicates};
use scumble_table::{Error, Monitor, Result};

/// The seed of a workload when none is given: the same questions for every release that is compared.
pub const WORKLOAD_SEED: u64 = 7;

/// What to ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// Query dimension: the number of attributes in a query, the sensitive ones included; more than `qs`.
    pub w: usize,
    /// Sensitive attributes in a query; at least 1.
    pub qs: usize,
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
        Workload { w, qs: 1, s: 0.1, queries: 1000, seed: WORKLOAD_SEED, predicates: Predicates::Intervals }
    }

    /// Refuses what cannot be asked of any table.
    ///
    /// # Errors
    /// If `w`, `qs` or `s` is out of range.
    pub fn check(&self) -> Result<()> {
        if self.qs == 0 {
            let reason = "a query is about at least 1 sensitive column";
            return Err(Error::request("qs", "0", reason).hint("such as 2"));
        }
        if self.w <= self.qs {
            let reason = format!("a query is about at least {} columns", self.qs.saturating_add(1));
            let hint = match self.qs {
                1 => "one quasi-identifier and the sensitive column".into(),
                qs => format!("one quasi-identifier and {qs} sensitive columns"),
            };
            return Err(Error::request("w", self.w.to_string(), reason).hint(hint));
        }
        if !(self.s > 0.0 && self.s <= 1.0) {
            return Err(
                Error::request("s", self.s.to_string(), "a volume lies above 0 and is at most 1").hint("such as 0.1")
            );
        }
        Ok(())
    }

    /// Draws the queries over these quasi-identifiers and these sensitive attributes.
    ///
    /// # Errors
    /// As [`Workload::check`], or if there are fewer than `w - qs` quasi-identifiers or `qs` sensitive attributes, or the work
    /// was cancelled.
    pub fn draw(&self, quasi: &[&Axis], sensitive: &[&Axis], monitor: Monitor<'_>) -> Result<Vec<Query>> {
        self.check()?;
        let (qs, qd) = (self.qs, self.w - self.qs);
        if qs > sensitive.len() {
            let reason = match sensitive.len() {
                1 => "the release has 1 sensitive column".into(),
                n => format!("the release has {n} sensitive columns"),
            };
            return Err(Error::request("qs", qs.to_string(), reason).hint("each is asked about once in a query"));
        }
        if qd > quasi.len() {
            let reason = format!("it needs {qd} quasi-identifiers and the release has {}", quasi.len());
            return Err(Error::request("w", self.w.to_string(), reason)
                .hint(format!("at most {} is possible", quasi.len() + qs)));
        }
        let part = self.s.powf(1.0 / self.w as f64);
        let one = |query: usize| {
            monitor.check()?;
            // The questions about one sensitive column are those of earlier versions.
            let purpose = [b'q', self.w.min(255) as u8, qs.min(255) as u8];
            let mut draw = Draw::new(self.seed, if qs == 1 { &purpose[..2] } else { &purpose }, query as u64);
            let of_quasi = distinct(qd, quasi.len(), &mut draw);
            let of_sensitive = match sensitive.len() {
                n if n == qs => (0..n).collect(),
                n => distinct(qs, n, &mut draw),
            };
            let mut wanted = |axes: &[&Axis], at: usize| (at, self.predicates.draw(axes[at], part, &mut draw));
            Ok(Query {
                quasi: of_quasi.into_iter().map(|at| wanted(quasi, at)).collect(),
                sensitive: of_sensitive.into_iter().map(|at| wanted(sensitive, at)).collect(),
            })
        };
        (0..self.queries).map(one).collect()
    }
}

/// Some of the numbers below `n`, all different, in random order.
fn distinct(some: usize, n: usize, draw: &mut Draw) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for at in 0..some {
        order.swap(at, at + draw.below((n - at) as u64) as usize);
    }
    order.truncate(some);
    order
}

/// How many rows have these values?
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Which quasi-identifiers, and what is wanted of each.
    pub quasi: Vec<(usize, Predicate)>,
    /// Which sensitive columns, and what is wanted of each.
    pub sensitive: Vec<(usize, Predicate)>,
}

impl Query {
    /// A query about one sensitive column, the first.
    pub fn new(quasi: Vec<(usize, Predicate)>, sensitive: impl Into<Predicate>) -> Self {
        Query { quasi, sensitive: vec![(0, sensitive.into())] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> Vec<Axis> {
        vec![Axis::between("a", true, 10.0, 109.0), Axis::labels("b", 3), Axis::between("c", false, -1.0, 1.0)]
    }

    fn drawn(workload: Workload, axes: &[Axis]) -> Result<Vec<Query>> {
        workload.draw(&axes.iter().collect::<Vec<_>>(), &[&Axis::between("s", true, 0.0, 999.0)], Monitor::silent())
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
            assert_eq!(query.sensitive[0].1.share(&Axis::between("s", true, 0.0, 999.0)), 0.1);
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
    fn several_sensitive_columns_are_drawn_at_random() {
        let axes = axes();
        let sensitive = [Axis::labels("s", 64), Axis::between("t", true, 1.0, 640.0), Axis::labels("u", 6_400)];
        let (quasi, sensitive): (Vec<&Axis>, Vec<&Axis>) = (axes.iter().collect(), sensitive.iter().collect());
        let workload = Workload { qs: 2, s: 1.0 / 64.0, queries: 600, ..Workload::new(3) };
        let queries = workload.draw(&quasi, &sensitive, Monitor::silent()).unwrap();
        let mut pairs = [[0; 3]; 3];
        for query in &queries {
            let [(a, of_a), (b, of_b)] = &query.sensitive[..] else { panic!("two sensitive columns: {query:?}") };
            assert!(query.quasi.len() == 1 && a != b);
            pairs[*a][*b] += 1;
            // The third root of 1/64 is a quarter.
            for (at, wanted) in [(a, of_a), (b, of_b)] {
                assert_eq!(wanted.share(sensitive[*at]), 0.25);
            }
        }
        assert!(pairs.iter().flatten().filter(|&&n| n > 0).all(|n| (60..140).contains(n)), "{pairs:?}");
        assert_eq!(pairs.iter().flatten().filter(|&&n| n > 0).count(), 6);
        // Where all are asked about there is nothing to draw.
        let both = workload.draw(&quasi, &sensitive[..2], Monitor::silent()).unwrap();
        assert!(both.iter().all(|query| query.sensitive.iter().map(|wanted| wanted.0).eq(0..2)));
        // Other numbers of sensitive columns ask other questions about the quasi-identifiers.
        let one = Workload { qs: 1, ..workload }.draw(&quasi, &sensitive[..1], Monitor::silent()).unwrap();
        assert_ne!(one[0].quasi[0], both[0].quasi[0]);
    }

    #[test]
    fn the_whole_domain_is_one_interval() {
        let queries = drawn(Workload { s: 1.0, queries: 5, ..Workload::new(2) }, &axes()[..1]).unwrap();
        let whole = Query::new(vec![(0, (10.0, 109.0).into())], (0.0, 999.0));
        assert!(queries.iter().all(|query| *query == whole));
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refused = |workload| drawn(workload, &axes()).unwrap_err().to_string();
        assert!(refused(Workload::new(1)).contains("at least 2"));
        assert!(refused(Workload::new(5)).contains("needs 4 quasi-identifiers and the release has 3"));
        assert!(refused(Workload { qs: 0, ..Workload::new(2) }).contains("at least 1 sensitive"));
        assert!(refused(Workload { qs: 2, ..Workload::new(3) }).contains("the release has 1 sensitive column"));
        assert!(refused(Workload { qs: 3, ..Workload::new(3) }).contains("at least 4 columns"));
        for s in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(refused(Workload { s, ..Workload::new(2) }).contains("above 0"));
        }
    }
}
