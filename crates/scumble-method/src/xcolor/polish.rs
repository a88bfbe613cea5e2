//! POLISH, profile `max-utility` only: rows change places where that makes boxes smaller and no
//! requirement fails.

use super::class::Class;
use super::context::{OtherRequirements, SearchContext};
use crate::swap::{self, Member, SwapRule};
use rayon::prelude::*;
use scumble_principle::dissimilarity::theory::Classes;
use scumble_table::Code;
use std::ops::RangeInclusive;

/// Classes keep their sizes, as far as they are equitable, and what is required of them.
struct UnlikeRows<'a> {
    context: &'a SearchContext<'a>,
    sizes: RangeInclusive<usize>,
}

impl UnlikeRows<'_> {
    fn holds(&self, codes: impl Iterator<Item = Code> + Clone, size: usize) -> bool {
        let (near, t) = (self.context.neighbours(), self.context.allowed(size));
        codes.clone().all(|a| codes.clone().filter(|&b| near.near(a, b)).count() as u32 <= t + 1)
    }
}

impl SwapRule for UnlikeRows<'_> {
    /// Nothing more once the time is over: what was reached is published.
    fn admits(&self, group: &[Member], out: Option<usize>, code: Code) -> bool {
        if self.context.is_late() {
            return false;
        }
        let rest = group.iter().enumerate().filter(move |(at, _)| Some(*at) != out).map(|(_, member)| member.code);
        self.holds(rest.chain([code]), group.len() + usize::from(out.is_none()))
    }

    fn lets_go(&self, group: &[Member], out: usize) -> bool {
        let rest = group.iter().enumerate().filter(move |(at, _)| *at != out).map(|(_, member)| member.code);
        self.holds(rest, group.len() - 1)
    }

    fn sizes(&self) -> RangeInclusive<usize> {
        self.sizes.clone()
    }
}

/// Classes of less loss. Where other requirements are asked for, what broke them is taken back as a whole.
pub(crate) fn polished(
    classes: Vec<Class>,
    equitable: Classes,
    context: &SearchContext<'_>,
    others: &OtherRequirements<'_>,
) -> Vec<Class> {
    let most = equitable.size + u64::from(equitable.larger > 0);
    let keep = UnlikeRows { context, sizes: equitable.size as usize..=most as usize };
    let member = |&row: &u32| Member { row, code: context.value[row as usize], at: context.at(row).to_vec() };
    let mut members: Vec<Vec<Member>> =
        classes.par_iter().map(|class| class.rows().iter().map(member).collect()).collect();
    swap::improve(&mut members, &context.axes, &keep, context.task.monitor);
    let rows = |members: &Vec<Member>| members.iter().map(|member| member.row).collect::<Vec<u32>>();
    let polished: Vec<Vec<u32>> = members.iter().map(rows).collect();
    if !others.is_empty() && !polished.par_iter().all(|rows| others.hold(rows)) {
        return classes;
    }
    polished.into_par_iter().map(|rows| Class::new(rows, context)).collect()
}
