//! The node of least loss in the lattice of levels.
//!
//! What a node loses is at least the sum of what its levels lose on average, no matter who is suppressed, since nothing
//! loses more than a suppressed row. So nodes are looked at by that bound, and the search ends where it reaches the best
//! loss found. A node that fails for a reason that finer ones share rules them all out, and one that does not spares the
//! question for all coarser ones; both are found by halving a path upwards, as in Kohlmayer et al., Flash (PASSAT 2012).

use super::LevelStack;
use rayon::prelude::*;
use scumble_table::{Error, Monitor, Result};

/// A level for each quasi-identifier.
pub(super) type Node = Vec<usize>;

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeState {
    Unknown,
    Fails,
    MayPass,
}

/// The most nodes that are looked at. Each costs a byte and some bytes of order.
const MOST: usize = 20_000_000;

/// The lattice: levels of all quasi-identifiers, without the nodes where intervals would tell a context that is not
/// published.
pub(super) struct Lattice<'a> {
    tops: Vec<usize>,
    /// For each stack: what its levels need of others, where they depend on contexts.
    needs: Vec<Option<ConditionalNeeds>>,
    means: Vec<Vec<f64>>,
    /// The only level that a column may have, where one was asked for.
    fixed: Vec<Option<usize>>,
    monitor: Monitor<'a>,
}

/// What levels that depend on contexts need.
struct ConditionalNeeds {
    /// These are the levels from 1 to this one.
    last: usize,
    /// The columns that contexts ask about, by their stack, and the coarsest level at which they tell contexts apart.
    columns: Vec<(usize, usize)>,
}

impl<'a> Lattice<'a> {
    pub(super) fn new(stacks: &[LevelStack], fixed: Vec<Option<usize>>, monitor: Monitor<'a>) -> Result<Self> {
        let mut needs = Vec::with_capacity(stacks.len());
        for stack in stacks {
            let tree = stack.intervals().filter(|tree| tree.n_context_levels() > 0);
            needs.push(match tree {
                None => None,
                Some(tree) => {
                    let needed = |(at, &column): (usize, &usize)| {
                        let place = stacks.iter().position(|other| other.column() == column)?;
                        Some((place, stacks[place].tells(tree, at)))
                    };
                    let columns: Option<Vec<_>> = tree.given().iter().enumerate().map(needed).collect();
                    let columns = columns.ok_or_else(|| Error::bug("a context asks about a column with no levels"))?;
                    Some(ConditionalNeeds { last: tree.n_context_levels(), columns })
                }
            });
        }
        let means = stacks.iter().map(|stack| (0..=stack.top()).map(|level| stack.mean(level)).collect()).collect();
        let tops: Vec<usize> = stacks.iter().map(LevelStack::top).collect();
        let nodes = tops.iter().try_fold(1usize, |nodes, &top| nodes.checked_mul(top + 1));
        if nodes.is_none_or(|nodes| nodes > MOST) {
            let reason = format!("the levels of {} columns make more than {MOST} combinations", tops.len());
            return Err(Error::request("method", "full-domain", reason)
                .hint("use fewer quasi-identifiers or hierarchies with fewer levels, or «method» generalize"));
        }
        Ok(Lattice { tops, needs, means, fixed, monitor })
    }

    /// True if the levels are those that were asked for, and everything that an interval tells about a context is
    /// published.
    fn admits(&self, node: &[usize]) -> bool {
        let asked = self.fixed.iter().zip(node).all(|(fixed, level)| fixed.is_none_or(|fixed| fixed == *level));
        asked
            && self.needs.iter().zip(node).all(|(needs, &level)| match needs {
                Some(ConditionalNeeds { last, columns }) if (1..=*last).contains(&level) => {
                    columns.iter().all(|&(place, coarsest)| node[place] <= coarsest)
                }
                _ => true,
            })
    }

    fn bound(&self, node: &[usize]) -> f64 {
        self.means.iter().zip(node).map(|(means, &level)| means[level]).sum()
    }

    fn index(&self, node: &[usize]) -> usize {
        self.tops.iter().zip(node).fold(0, |index, (&top, &level)| index * (top + 1) + level)
    }

    fn node(&self, mut index: usize) -> Node {
        let mut node = vec![0; self.tops.len()];
        for (level, &top) in node.iter_mut().zip(&self.tops).rev() {
            *level = index % (top + 1);
            index /= top + 1;
        }
        node
    }

    fn len(&self) -> usize {
        self.tops.iter().map(|&top| top + 1).product()
    }

    /// Every node by its bound; ties by finer levels first.
    fn by_bound(&self) -> Vec<(f64, u32)> {
        let nodes = (0..self.len()).take_while(|_| !self.monitor.is_cancelled()).filter_map(|index| {
            let node = self.node(index);
            self.admits(&node).then(|| (self.bound(&node), index as u32))
        });
        let mut nodes: Vec<(f64, u32)> = nodes.collect();
        nodes.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        nodes
    }

    /// The way up from a node, at each step to the level that costs least. It ends where levels are fixed.
    fn path(&self, from: &Node) -> Vec<Node> {
        let mut path = vec![from.clone()];
        let mut at = from.clone();
        loop {
            let steps = (0..at.len()).filter(|&place| at[place] < self.tops[place]).filter_map(|place| {
                let mut next = at.clone();
                next[place] += 1;
                self.admits(&next).then(|| (self.bound(&next), next))
            });
            match steps.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((_, next)) => {
                    path.push(next.clone());
                    at = next;
                }
                None => return path,
            }
        }
    }

    /// Notes what a node tells about all finer nodes, or about all coarser ones.
    fn spread(&self, tags: &mut [NodeState], from: &Node, tag: NodeState) {
        let mut stack = vec![from.clone()];
        while let Some(node) = stack.pop().filter(|_| !self.monitor.is_cancelled()) {
            let index = self.index(&node);
            if tags[index] == tag {
                continue;
            }
            tags[index] = tag;
            for place in 0..node.len() {
                let mut next = node.clone();
                match tag {
                    NodeState::Fails if node[place] > 0 => next[place] -= 1,
                    NodeState::MayPass if node[place] < self.tops[place] => next[place] += 1,
                    _ => continue,
                }
                stack.push(next);
            }
        }
    }
}

/// The node that loses least of those that pass, if any does.
///
/// `may_pass` is false only for nodes that fail, and false for all nodes finer than one for which it is. `loss` tells what
/// the rows of a node lose on average, suppressed ones too, where it passes and that is less than what it is given. Where
/// `is_certain`, because no row may be suppressed, a node passes if it may, and loses what its levels lose.
pub(super) fn best(
    lattice: &Lattice<'_>,
    is_certain: bool,
    may_pass: impl Fn(&Node) -> Result<bool>,
    loss: impl Fn(&Node, f64) -> Result<Option<f64>>,
) -> Result<Option<Node>> {
    let mut tags = vec![NodeState::Unknown; lattice.len()];
    let (mut least, mut best) = (f64::INFINITY, None);
    for (bound, index) in lattice.by_bound() {
        lattice.monitor.check()?;
        if bound >= least {
            break;
        }
        let node = lattice.node(index as usize);
        if tags[index as usize] == NodeState::Unknown {
            halve(lattice, &mut tags, &node, &may_pass)?;
        }
        if tags[index as usize] != NodeState::MayPass {
            continue;
        }
        if is_certain {
            return Ok(Some(node));
        }
        if let Some(loss) = loss(&node, least)?
            && loss < least
        {
            (least, best) = (loss, Some(node));
        }
    }
    Ok(best)
}

/// Finds where a path upwards starts to pass.
fn halve(
    lattice: &Lattice<'_>,
    tags: &mut [NodeState],
    from: &Node,
    may_pass: impl Fn(&Node) -> Result<bool>,
) -> Result<()> {
    let path = lattice.path(from);
    let (mut low, mut high) = (0, path.len());
    // All before `low` fail, all from `high` on pass.
    while low < high {
        lattice.monitor.check()?;
        let middle = low + (high - low) / 2;
        let node = &path[middle];
        let passes = match tags[lattice.index(node)] {
            NodeState::MayPass => true,
            NodeState::Fails => false,
            NodeState::Unknown => {
                let passes = may_pass(node)?;
                lattice.spread(tags, node, if passes { NodeState::MayPass } else { NodeState::Fails });
                passes
            }
        };
        if passes { high = middle } else { low = middle + 1 }
    }
    Ok(())
}
