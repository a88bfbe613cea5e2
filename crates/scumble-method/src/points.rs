//! How many points of an attribute's domain a generalized value stands for, |R| in the divergence between a table and what is rebuilt from its release.
//!
//! Numbers and days are counted in units of the last digit of their column, whether they occur or not, labels one
//! by one, and a node of a hierarchy has the leaves below it that lie in the domain. Null is one point; mixed with
//! values it is published as `*`, which is the whole domain and null.

use crate::axis::{Axis, Shape, one_up};
use crate::pieces::starts;
use scumble_table::{Code, Decimal, Domain, Hierarchy, Kind, parse_date};

/// The points of one attribute.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    /// Interval: units from the least value up to that at each position.
    place: Vec<f64>,
    /// Tree: points below the ancestors of each level.
    below: Vec<Vec<f64>>,
    /// All values, and null.
    star: f64,
}

impl Points {
    /// The points of a domain, by the positions of its axis.
    pub(crate) fn new(domain: &Domain, axis: &Axis) -> Self {
        let mut points = Points { place: Vec::new(), below: Vec::new(), star: domain.n_codes() as f64 };
        match (axis.shape(), domain.hierarchy()) {
            (Shape::Tree, Some(tree)) => {
                points.below = below(domain, tree, axis);
                points.star = points.below.last().and_then(|top| top.last()).copied().unwrap_or(0.0) + 1.0;
            }
            (Shape::Interval, _) => {
                let unit = |code: Code| domain.amount(code).unwrap_or(i128::from(code));
                points.place = (0..axis.size() as u32).map(|at| (unit(at.max(1)) - unit(1)) as f64).collect();
                points.star = points.place.last().map_or(1.0, |last| last + 2.0);
            }
            _ => {}
        }
        points
    }

    /// Points of the least interval or node over the positions `low..=high`.
    #[inline]
    pub(crate) fn span(&self, axis: &Axis, low: u32, high: u32) -> f64 {
        if low >= high {
            return 1.0;
        }
        if low == 0 {
            return self.star;
        }
        match axis.shape() {
            Shape::Interval => self.place[high as usize] - self.place[low as usize] + 1.0,
            Shape::Tree => {
                let level = axis.common_level(low, high);
                self.below[level][axis.ancestor(level, low) as usize]
            }
            Shape::Set => f64::from(high - low + 1),
        }
    }

    /// Points of a set of `labels` labels, with or without null among the members.
    #[inline]
    pub(crate) fn set(&self, labels: u32, null: bool) -> f64 {
        if labels > 0 && null { self.star } else { f64::from(labels.max(1)) }
    }
}

/// For each level and each ancestor there the leaves below it that lie in the domain: labels that the column has,
/// numbers and days between its ends.
fn below(domain: &Domain, tree: &Hierarchy, axis: &Axis) -> Vec<Vec<f64>> {
    let last = domain.len() as Code;
    let inside = |text: &str| match domain.kind() {
        Kind::Number => Decimal::parse(text).is_some_and(|number| {
            let end = |code| domain.number(code).map(|mantissa| Decimal::new(mantissa, domain.scale()));
            end(1).is_some_and(|low| low <= number) && end(last).is_some_and(|high| number <= high)
        }),
        Kind::Date => parse_date(text).map(i128::from).is_some_and(|day| {
            domain.amount(1).is_some_and(|first| first <= day) && domain.amount(last).is_some_and(|end| day <= end)
        }),
        Kind::Ordinal | Kind::Nominal => domain.code_of(text).is_some(),
    };
    // up_to[i]: leaves in the domain before the i-th.
    let up_to = starts((0..tree.leaves().len() as u32).map(|leaf| u32::from(inside(tree.value(leaf)))));
    let mut nodes: Vec<u32> = (1..axis.size() as u32)
        .filter_map(|at| domain.leaf(axis.code(at)).map(|leaf| tree.leaves()[leaf as usize]))
        .collect();
    let mut levels = Vec::new();
    for level in 0..=tree.height() as usize {
        let mut counts: Vec<f64> = Vec::new();
        for (at, &node) in (1..).zip(&nodes) {
            let ancestor = axis.ancestor(level, at) as usize;
            counts.resize(counts.len().max(ancestor + 1), 1.0);
            let node = tree.node(node);
            counts[ancestor] = f64::from(up_to[node.end_leaf as usize] - up_to[node.first_leaf as usize]).max(1.0);
        }
        levels.push(counts);
        nodes.iter_mut().for_each(|node| *node = one_up(tree, *node));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn points(domain: &Domain) -> (Axis, Points) {
        let axis = Axis::new(domain, &vec![1; domain.n_codes()]);
        let points = Points::new(domain, &axis);
        (axis, points)
    }

    #[test]
    fn numbers_days_and_ordinals_are_counted_between_their_ends() {
        let decimals = |texts: &[&str]| texts.iter().map(|text| Decimal::parse(text).unwrap()).collect();
        let whole = Domain::numbers(decimals(&["-3", "2", "10"])).unwrap();
        let (axis, points) = self::points(&whole);
        assert_eq!([points.span(&axis, 1, 3), points.span(&axis, 2, 3), points.span(&axis, 2, 2)], [14.0, 9.0, 1.0]);
        assert_eq!([points.span(&axis, 0, 2), points.span(&axis, 0, 0)], [15.0, 1.0]);
        let (axis, points) = self::points(&Domain::numbers(decimals(&["0.5", "2"])).unwrap());
        assert_eq!(points.span(&axis, 1, 2), 16.0);
        let (axis, points) = self::points(&Domain::dates(vec![0, 365]));
        assert_eq!(points.span(&axis, 1, 2), 366.0);
        let (axis, points) = self::points(&Domain::ordinal(vec!["low".into(), "mid".into(), "high".into()]));
        assert_eq!(points.span(&axis, 1, 3), 3.0);
    }

    #[test]
    fn labels_and_leaves_are_counted() {
        let (_, points) = self::points(&Domain::nominal(vec!["a".into(), "b".into(), "c".into()]));
        assert_eq!([points.set(2, false), points.set(1, true), points.set(0, true)], [2.0, 4.0, 1.0]);
        let row = |value: &str, group: &str| vec![value.to_string(), group.into(), "*".into()];
        let rows = [row("1", "low"), row("2", "low"), row("5", "high"), row("6", "high"), row("9", "high")];
        let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4, 5]).unwrap());
        let numbers = |values: &[i64]| Domain::numbers(values.iter().map(|&v| Decimal::from(v)).collect()).unwrap();
        // 6 lies between the ends although no row has it; 9 does not.
        let with_tree = numbers(&[1, 2, 5]).with_hierarchy("h", "c", tree.clone()).unwrap();
        let (axis, points) = self::points(&with_tree);
        assert_eq!([points.span(&axis, 1, 2), points.span(&axis, 1, 3), points.span(&axis, 0, 1)], [2.0, 3.0, 4.0]);
        let (axis, points) = self::points(&numbers(&[1, 5, 9]).with_hierarchy("h", "c", tree).unwrap());
        assert_eq!([points.span(&axis, 2, 3), points.span(&axis, 1, 3)], [3.0, 5.0]);
    }

    #[test]
    fn a_domain_without_values_is_one_point() {
        for domain in [Domain::numbers(Vec::new()).unwrap(), Domain::nominal(Vec::new())] {
            let (axis, points) = self::points(&domain);
            assert_eq!(points.span(&axis, 0, 0), 1.0);
        }
    }
}
