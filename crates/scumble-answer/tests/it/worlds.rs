//! The definition, by enumeration.

use scumble_answer::{Aggregate, Answer, Exact};

pub(crate) const ALL: [Aggregate; 6] =
    [Aggregate::CountRows, Aggregate::Count, Aggregate::Sum, Aggregate::Avg, Aggregate::Min, Aggregate::Max];

/// The result of an aggregate over rows, as a fraction; nothing for null.
pub(crate) fn result(aggregate: Aggregate, rows: &[Option<i128>]) -> Option<(i128, i128)> {
    let values: Vec<i128> = rows.iter().flatten().copied().collect();
    let sum: i128 = values.iter().sum();
    match aggregate {
        Aggregate::CountRows => Some((rows.len() as i128, 1)),
        Aggregate::Count => Some((values.len() as i128, 1)),
        Aggregate::Sum => Some((sum, 1)),
        Aggregate::Avg => (!values.is_empty()).then_some((sum, values.len() as i128)),
        Aggregate::Min => values.iter().min().map(|&v| (v, 1)),
        Aggregate::Max => values.iter().max().map(|&v| (v, 1)),
    }
}

/// All results with their probabilities.
pub(crate) struct Worlds {
    pub(crate) outcomes: Vec<((i128, i128), f64)>,
    /// Whether some world has no result.
    pub(crate) maybe_null: bool,
}

impl Worlds {
    /// All ways to give the hits of each group values of the group. A value is its number, and whether it matches.
    pub(crate) fn of_groups(aggregate: Aggregate, groups: &[Vec<(Option<i128>, bool)>], hits: &[u32]) -> Self {
        let mut rows = Vec::new();
        let mut worlds = Worlds { outcomes: Vec::new(), maybe_null: false };
        worlds.choose(aggregate, groups, hits, &mut rows);
        let n = worlds.outcomes.len() as f64;
        worlds.outcomes.iter_mut().for_each(|(_, p)| *p = 1.0 / n);
        worlds
    }

    /// All sets of open people together with the certain ones, and for each all ways to give them values. Of every group
    /// there are its values, how many of its people are certain, and the probabilities of the open ones.
    pub(crate) fn of_selection(
        aggregate: Aggregate,
        groups: &[Vec<(Option<i128>, bool)>],
        people: &[(u32, Vec<f64>)],
    ) -> Self {
        let mut chosen: Vec<(Vec<u32>, f64)> = vec![(Vec::new(), 1.0)];
        for (certain, open) in people {
            let sets = (0u32..1 << open.len()).map(|mask| {
                let each = open.iter().enumerate().map(|(at, p)| if mask >> at & 1 == 1 { *p } else { 1.0 - p });
                (certain + mask.count_ones(), each.product::<f64>())
            });
            let sets: Vec<(u32, f64)> = sets.collect();
            let longer = chosen
                .iter()
                .flat_map(|(hits, p)| sets.iter().map(move |(more, q)| ([hits.as_slice(), &[*more]].concat(), p * q)));
            chosen = longer.collect();
        }
        let mut worlds = Worlds { outcomes: Vec::new(), maybe_null: false };
        for (hits, p) in chosen {
            let mut these = Worlds { outcomes: Vec::new(), maybe_null: false };
            these.choose(aggregate, groups, &hits, &mut Vec::new());
            let ways: f64 = groups.iter().zip(&hits).map(|(group, &h)| binomial(group.len() as u32, h)).product();
            worlds.outcomes.extend(these.outcomes.into_iter().map(|(result, _)| (result, p / ways)));
            worlds.maybe_null |= these.maybe_null;
        }
        let total: f64 = worlds.outcomes.iter().map(|(_, p)| p).sum();
        worlds.outcomes.iter_mut().for_each(|(_, p)| *p /= total);
        worlds
    }

    fn choose(
        &mut self,
        aggregate: Aggregate,
        groups: &[Vec<(Option<i128>, bool)>],
        hits: &[u32],
        rows: &mut Vec<Option<i128>>,
    ) {
        let Some((group, rest)) = groups.split_first() else { return self.add(result(aggregate, rows), 1.0) };
        for mask in (0u32..1 << group.len()).filter(|mask| mask.count_ones() == hits[0]) {
            let before = rows.len();
            let chosen = group.iter().enumerate().filter(|(at, (_, matches))| mask >> at & 1 == 1 && *matches);
            rows.extend(chosen.map(|(_, (number, _))| *number));
            self.choose(aggregate, rest, &hits[1..], rows);
            rows.truncate(before);
        }
    }

    /// All sets of open rows together with the certain ones (`None` for the probability).
    pub(crate) fn of_rows(aggregate: Aggregate, rows: &[(Option<i128>, Option<f64>)]) -> Self {
        let open: Vec<_> = rows.iter().filter_map(|(number, p)| p.map(|p| (*number, p))).collect();
        let certain: Vec<_> = rows.iter().filter(|(_, p)| p.is_none()).map(|(number, _)| *number).collect();
        let mut worlds = Worlds { outcomes: Vec::new(), maybe_null: false };
        for mask in 0u32..1 << open.len() {
            let (mut rows, mut p) = (certain.clone(), 1.0);
            for (at, &(number, share)) in open.iter().enumerate() {
                if mask >> at & 1 == 1 {
                    rows.push(number);
                    p *= share;
                } else {
                    p *= 1.0 - share;
                }
            }
            worlds.add(result(aggregate, &rows), p);
        }
        let total: f64 = worlds.outcomes.iter().map(|(_, p)| p).sum();
        worlds.outcomes.iter_mut().for_each(|(_, p)| *p /= total);
        worlds
    }

    fn add(&mut self, result: Option<(i128, i128)>, p: f64) {
        match result {
            Some(result) => self.outcomes.push((result, p)),
            None => self.maybe_null = true,
        }
    }

    /// Compares an answer: bounds exactly, moments within rounding; and that both intervals keep their word.
    pub(crate) fn check(&self, answer: &Answer, confidence: f64, what: &str) {
        let least = self.outcomes.iter().map(|(r, _)| *r).min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
        let greatest = self.outcomes.iter().map(|(r, _)| *r).max_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
        assert!(same(answer.lower, least), "{what}: lower {:?}, not {least:?}", answer.lower);
        assert!(same(answer.upper, greatest), "{what}: upper {:?}, not {greatest:?}", answer.upper);
        assert_eq!(answer.certain, !self.maybe_null, "{what}: certain");
        if self.outcomes.is_empty() {
            assert!(answer.estimate.is_none() && answer.deviation.is_none() && answer.interval.is_none(), "{what}");
            return;
        }
        let value = |r: (i128, i128)| r.0 as f64 / r.1 as f64;
        let mean: f64 = self.outcomes.iter().map(|(r, p)| value(*r) * p).sum();
        let variance: f64 = self.outcomes.iter().map(|(r, p)| (value(*r) - mean).powi(2) * p).sum();
        let (estimate, deviation) = (answer.estimate.unwrap(), answer.deviation.unwrap());
        assert!((estimate - mean).abs() < 1e-9, "{what}: mean {estimate}, not {mean}");
        assert!((deviation.powi(2) - variance).abs() < 1e-9, "{what}: variance {}, not {variance}", deviation.powi(2));
        let interval = answer.interval.unwrap();
        let (low, high) = interval.normal.unwrap();
        assert!(low <= estimate && estimate <= high, "{what}: {low}..{high} around {estimate}");
        if let Some((low, high)) = interval.guaranteed {
            let inside = self.outcomes.iter().filter(|(r, _)| low - 1e-9 <= value(*r) && value(*r) <= high + 1e-9);
            let covered: f64 = inside.map(|(_, p)| p).sum();
            assert!(covered >= confidence - 1e-9, "{what}: {covered} of the worlds in {low}..{high}");
        }
    }
}

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

fn same(found: Option<Exact>, wanted: Option<(i128, i128)>) -> bool {
    match (found, wanted) {
        (Some(found), Some((numer, denom))) => found.numer * denom == numer * i128::from(found.denom),
        (found, wanted) => found.is_none() && wanted.is_none(),
    }
}
