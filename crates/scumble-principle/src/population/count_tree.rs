//! A tree over people that counts those inside a box without looking at each of them.

/// Fewer different people than this are tried one by one.
const LEAF: usize = 8;

/// What a box covers along one column: a run of ranks, or some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Span {
    /// From the first rank to before the second.
    Run(u32, u32),
    /// These ranks, rising.
    Members(Vec<u32>),
}

impl Span {
    fn holds(&self, rank: u32) -> bool {
        match self {
            Span::Run(lo, end) => (*lo..*end).contains(&rank),
            Span::Members(members) => members.binary_search(&rank).is_ok(),
        }
    }

    /// How many of the ranks from `a` to `b` are in it.
    fn within(&self, a: u32, b: u32) -> u32 {
        match self {
            Span::Run(lo, end) => (*end).min(b + 1).saturating_sub((*lo).max(a)),
            Span::Members(members) => {
                (members.partition_point(|&rank| rank <= b) - members.partition_point(|&rank| rank < a)) as u32
            }
        }
    }
}

/// People by their ranks, halved again and again along the column in which they spread most.
pub(super) struct CountTree {
    n_dims: usize,
    /// Which of the people given each of them is.
    order: Vec<u32>,
    /// Ranks of the different people, so ordered that every node is a run of them.
    ranks: Vec<u32>,
    /// How many people there are before each of them.
    before: Vec<u64>,
    nodes: Vec<Node>,
    /// Least and greatest rank of each node in each column.
    bounds: Vec<(u32, u32)>,
}

struct Node {
    from: u32,
    to: u32,
    /// The two halves are `below` and `below + 1`; 0 for a leaf.
    below: u32,
}

impl CountTree {
    /// The tree over different people, each given by `n_dims` ranks, and how many there are of each.
    pub(super) fn grow(n_dims: usize, points: &[u32], counts: &[u32]) -> CountTree {
        let rank = |point: u32, dim: usize| points[point as usize * n_dims + dim];
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        let mut nodes = vec![Node { from: 0, to: counts.len() as u32, below: 0 }];
        let mut bounds: Vec<(u32, u32)> = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let (from, to) = (nodes[at].from as usize, nodes[at].to as usize);
            let run = &mut order[from..to];
            let mut widest = (0, 0);
            for dim in 0..n_dims {
                let ranks = run.iter().map(|&point| rank(point, dim));
                let (lo, hi) = ranks.fold((u32::MAX, 0), |(lo, hi), rank| (lo.min(rank), hi.max(rank)));
                bounds.push((lo, hi));
                // Spread is compared relative to the column, else wide domains would take every cut.
                let whole = bounds[dim].1.saturating_sub(bounds[dim].0).max(1);
                let spread = (u64::from(hi.saturating_sub(lo)) << 20) / u64::from(whole);
                if hi > lo && spread.max(1) > widest.0 {
                    widest = (spread.max(1), dim);
                }
            }
            if run.len() > LEAF && widest.0 > 0 {
                let half = run.len() / 2;
                run.select_nth_unstable_by_key(half, |&point| rank(point, widest.1));
                nodes[at].below = nodes.len() as u32;
                let middle = (from + half) as u32;
                nodes.push(Node { from: from as u32, to: middle, below: 0 });
                nodes.push(Node { from: middle, to: to as u32, below: 0 });
            }
            at += 1;
        }
        let ranks = order.iter().flat_map(|&point| &points[point as usize * n_dims..(point as usize + 1) * n_dims]);
        let mut before = vec![0u64];
        let mut sum = 0;
        for &point in &order {
            sum += u64::from(counts[point as usize]);
            before.push(sum);
        }
        let ranks = ranks.copied().collect();
        CountTree { n_dims, order, ranks, before, nodes, bounds }
    }

    /// All people.
    pub(super) fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// How many people are inside a box; at least `enough` where there are as many, for it stops counting there.
    pub(super) fn count(&self, spans: &[Span], enough: u64) -> u64 {
        let mut found = 0;
        self.visit(spans, |from, to| {
            found += self.before[to] - self.before[from];
            found < enough
        });
        found
    }

    /// Calls `each` with those inside a box, by their place among the people given, until it says that it has seen enough.
    pub(super) fn inside(&self, spans: &[Span], mut each: impl FnMut(&[u32]) -> bool) {
        self.visit(spans, |from, to| each(&self.order[from..to]));
    }

    /// Calls `each` with runs of places that are inside a box, until it says that it has seen enough.
    fn visit(&self, spans: &[Span], mut each: impl FnMut(usize, usize) -> bool) {
        let mut stack = vec![0u32];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            let (from, to) = (node.from as usize, node.to as usize);
            if from == to {
                continue;
            }
            let bounds = &self.bounds[at as usize * self.n_dims..(at as usize + 1) * self.n_dims];
            let (mut inside, mut apart) = (true, false);
            for (span, &(lo, hi)) in spans.iter().zip(bounds) {
                let within = span.within(lo, hi);
                inside &= within == hi - lo + 1;
                apart |= within == 0;
            }
            if apart {
                continue;
            }
            if inside {
                if !each(from, to) {
                    return;
                }
            } else if node.below > 0 {
                stack.extend([node.below + 1, node.below]);
            } else {
                for place in from..to {
                    let ranks = &self.ranks[place * self.n_dims..(place + 1) * self.n_dims];
                    if spans.iter().zip(ranks).all(|(span, &rank)| span.holds(rank)) && !each(place, place + 1) {
                        return;
                    }
                }
            }
        }
    }
}

impl std::fmt::Debug for CountTree {
    /// Shows nothing of anybody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CountTree").field("total", &self.total()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span() -> impl Strategy<Value = Span> {
        prop_oneof![
            (0u32..9, 0u32..9).prop_map(|(lo, end)| Span::Run(lo, end.max(lo))),
            proptest::collection::btree_set(0u32..8, 0..5).prop_map(|set| Span::Members(set.into_iter().collect())),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn counting_agrees_with_looking_at_everybody(
            people in proptest::collection::vec((0u32..8, 0u32..8, 1u32..4), 0..60), a in span(), b in span(), enough in 1u64..90,
        ) {
            let points: Vec<u32> = people.iter().flat_map(|person| [person.0, person.1]).collect();
            let counts: Vec<u32> = people.iter().map(|person| person.2).collect();
            let tree = CountTree::grow(2, &points, &counts);
            let inside = people.iter().filter(|person| a.holds(person.0) && b.holds(person.1));
            let expected: u64 = inside.map(|person| u64::from(person.2)).sum();
            let spans = [a.clone(), b.clone()];
            prop_assert_eq!(tree.count(&spans, u64::MAX), expected);
            prop_assert_eq!(tree.count(&spans, enough) >= enough, expected >= enough);
            prop_assert_eq!(tree.total(), counts.iter().map(|&n| u64::from(n)).sum::<u64>());
        }
    }
}
