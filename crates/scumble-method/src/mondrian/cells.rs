//! The cells of the cuts: `boxes = "cells"`.
//!
//! The leaves of a tree of cuts tile the whole domain, with or without people in them: each value of each column lies on one side of each
//! cut. Published in the place of least boxes, they tell which cuts were made and nothing about who is there, and no one
//! is certainly absent.
//!
//! A cut between two neighbouring values of a node lies anywhere between them. Where it lies is drawn by secret coins, each place being
//! equally likely: whatever place is published, any pair of neighbours around it may have led to it. The roundest place would
//! tell: if 37 was the roundest number that separates two values, these were 36 and 37. Labels that a node does not have fall to the
//! side of the label before them. The outer ends are those of the rounded interval around the whole column.
//!
//! Null is no place on a line. A group shows it, or `*` where values are mixed with it, only where members have it.

use super::bins::Bins;
use super::cuts::Cut;
use crate::axis::{Axis, Shape};
use crate::coins::{Coins, Purpose};
use crate::publish::{BoxSide, round_whole};
use scumble_release::notation::Cover;
use scumble_table::{Code, Domain, Kind, NULL, Table};
use std::sync::Arc;

/// The cuts on the way to a node, the last one first.
pub(crate) type CutPath = Option<Arc<CutStep>>;

/// A cut, and the side that the way went.
pub(crate) struct CutStep {
    axis: u16,
    division: Arc<Division>,
    left: bool,
    above: CutPath,
}

/// How a cut divides the positions of an axis.
enum Division {
    /// Between two positions that occur, at a place that is drawn from the coins of the node.
    Between { left: u32, right: u32, node: u64 },
    /// Positions of the left side.
    Left(Vec<bool>),
}

impl Division {
    fn new(cut: &Cut, axis: &Axis, bins: &Bins, bin_of: &[u16], node: u64) -> Division {
        let is_left = |bin: u16| cut.side.takes(bin);
        if axis.shape() == Shape::Interval {
            let left = bins.positions_in(bin_of, is_left).max().unwrap_or(0);
            let right = bins.positions_in(bin_of, |bin| !is_left(bin)).min().unwrap_or(0);
            return Division::Between { left, right, node };
        }
        let mut sides = vec![false; axis.size()];
        let mut occurring = bins.positions_in(bin_of, |_| true).peekable();
        let mut side = occurring.peek().is_some_and(|&first| is_left(bin_of[first as usize]));
        for (position, here) in sides.iter_mut().enumerate() {
            if occurring.next_if(|&next| next as usize == position).is_some() {
                side = is_left(bin_of[position]);
            }
            *here = side;
        }
        Division::Left(sides)
    }
}

/// The ways to both halves of a cut of a node.
pub(crate) fn ways(cut: &Cut, axis: &Axis, bins: &Bins, bin_of: &[u16], node: u64, above: &CutPath) -> [CutPath; 2] {
    let division = Arc::new(Division::new(cut, axis, bins, bin_of, node));
    [true, false]
        .map(|left| Some(Arc::new(CutStep { axis: cut.axis, division: division.clone(), left, above: above.clone() })))
}

/// The cell of every group of a partition.
pub struct Cells {
    columns: Vec<usize>,
    axes: Vec<Axis>,
    coins: Vec<Coins>,
    trails: Vec<CutPath>,
}

impl Cells {
    pub(super) fn new(columns: &[usize], axes: Vec<Axis>, trails: Vec<CutPath>, coins: &Coins) -> Cells {
        let coins = columns.iter().map(|&column| coins.for_column(column)).collect();
        Cells { columns: columns.to_vec(), axes, coins, trails }
    }

    /// What a group shows in a column; `least` is the least cover of its members.
    pub(crate) fn drawn(&self, table: &Table, column: usize, group: usize, least: Cover, present: &[bool]) -> BoxSide {
        let domain = &table.attribute(column).domain;
        let at = self.columns.iter().position(|&known| known == column);
        let Some(at) = at.filter(|_| !matches!(least, Cover::Null | Cover::All)) else {
            return BoxSide::Plain(least);
        };
        let axis = &self.axes[at];
        if axis.shape() == Shape::Interval {
            return self.interval(at, domain, group, present).unwrap_or(BoxSide::Plain(least));
        }
        let mut inside = vec![true; axis.size()];
        for step in self.steps(group, at) {
            if let Division::Left(left) = &*step.division {
                inside.iter_mut().zip(left).for_each(|(inside, left)| *inside &= *left == step.left);
            }
        }
        let mut codes: Vec<Code> =
            (1..axis.size() as u32).filter(|&p| inside[p as usize]).map(|p| axis.code(p)).collect();
        codes.sort_unstable();
        BoxSide::Plain(match (domain.hierarchy(), codes.as_slice()) {
            (_, [one]) => Cover::One(*one),
            (None, _) => Cover::Set(codes),
            (Some(tree), _) => {
                let leaves = || codes.iter().filter_map(|&code| domain.leaf(code));
                match leaves().min().zip(leaves().max()) {
                    Some((low, high)) => Cover::Node(tree.lowest_over(low, high)),
                    None => Cover::All,
                }
            }
        })
    }

    /// The cuts of an axis on the way to a group.
    fn steps(&self, group: usize, at: usize) -> impl Iterator<Item = &CutStep> + '_ {
        let mut next = self.trails[group].as_deref();
        std::iter::from_fn(move || {
            let step = next?;
            next = step.above.as_deref();
            Some(step)
        })
        .filter(move |step| usize::from(step.axis) == at)
    }

    /// The cell along an ordered axis; `None` where the column has one value.
    fn interval(&self, at: usize, domain: &Domain, group: usize, present: &[bool]) -> Option<BoxSide> {
        let amount = |position: u32| match domain.kind() {
            Kind::Number | Kind::Date => domain.amount(self.axes[at].code(position)),
            _ => Some(i128::from(position)),
        };
        let (mut lo, mut hi) = match domain.kind() {
            Kind::Number | Kind::Date => round_whole(domain, present)?,
            _ => (1, domain.len() as i128),
        };
        for step in self.steps(group, at) {
            let Division::Between { left, right, node } = &*step.division else { continue };
            // A cut that sets null apart divides no values.
            let Some((below, above)) = amount(*left).filter(|_| *left != 0).zip(amount(*right)) else { continue };
            let gap = u64::try_from(above - below).unwrap_or(u64::MAX);
            let first_right = below + 1 + i128::from(self.coins[at].stream(Purpose::CutPlaces, *node).below(gap));
            if step.left {
                hi = hi.min(first_right - 1);
            } else {
                lo = lo.max(first_right);
            }
        }
        Some(match domain.kind() {
            Kind::Number | Kind::Date => BoxSide::Span(lo, hi),
            _ if lo == hi => BoxSide::Plain(Cover::One(lo as Code)),
            _ => BoxSide::Plain(Cover::Interval((lo as Code).max(NULL + 1), hi as Code)),
        })
    }
}
