//! Generalization hierarchies: trees whose leaves are the values of a column.

use crate::{Error, Result, quoted_list};
use std::collections::{BTreeMap, BTreeSet};

/// Index of a node of a [`Hierarchy`].
pub type NodeId = u32;

/// A node of a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What a release shows for it.
    pub label: Box<str>,
    /// The node above; the root has none.
    pub parent: Option<NodeId>,
    /// 0 for a leaf, the tree's height for the root.
    pub level: u32,
    /// Nodes directly below, in file order.
    pub children: Vec<NodeId>,
    /// Leaves below, as positions in [`Hierarchy::leaves`]: `first_leaf..end_leaf`.
    pub first_leaf: u32,
    /// One past the last leaf position.
    pub end_leaf: u32,
}

impl Node {
    /// Number of leaves below.
    pub fn n_leaves(&self) -> usize {
        (self.end_leaf - self.first_leaf) as usize
    }

    fn is_above(&self, other: &Node) -> bool {
        self.level > other.level && self.first_leaf <= other.first_leaf && other.end_leaf <= self.end_leaf
    }
}

/// A tree of labels, every leaf at the same depth, as in the common `value;level1;...;*` files.
///
/// Leaves are kept in depth-first order, so each node covers one run of leaf positions and the
/// lowest common ancestor of a set of leaves is that of its first and last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    nodes: Vec<Node>,
    leaves: Vec<NodeId>,
    by_value: BTreeMap<Box<str>, u32>,
    height: u32,
}

impl Hierarchy {
    /// Builds the tree from rows `value, level1, ..., root`. `lines[i]` is the line of row `i` in
    /// `file`, for messages.
    pub fn from_rows(file: &str, rows: &[Vec<String>], lines: &[u64]) -> Result<Self> {
        let line = |row: usize| lines.get(row).copied();
        let Some(first) = rows.first() else {
            return Err(Error::data(file, "the hierarchy is empty").hint("one line per value: `value;level1;...;*`"));
        };
        let depth = first.len();
        if depth < 2 {
            return Err(Error::data(file, "a hierarchy needs at least a value and one level above it")
                .at(line(0), None)
                .hint("separate the levels by `;` or `,` and end each line with `*`"));
        }
        // parent[level][label] = (label above, row that said so)
        let mut parent: Vec<BTreeMap<&str, (&str, usize)>> = vec![BTreeMap::new(); depth - 1];
        for (i, row) in rows.iter().enumerate() {
            if row.len() != depth {
                return Err(Error::data(file, format!("this line has {} levels, the first has {depth}", row.len()))
                    .at(line(i), None)
                    .hint("every value needs the same number of levels; repeat a label to fill a gap"));
            }
            if row.iter().any(String::is_empty) {
                return Err(Error::data(file, "a label of this line is empty")
                    .at(line(i), None)
                    .hint("an empty cell means a missing value, which needs no line"));
            }
            for (level, pair) in row.windows(2).enumerate() {
                let (child, above) = (pair[0].as_str(), pair[1].as_str());
                let (known, since) = *parent[level].entry(child).or_insert((above, i));
                if known != above {
                    let since = line(since).unwrap_or(0);
                    let reason = format!(
                        "`{child}` lies under `{known}` on line {since} and under `{above}` here, so this is not a tree"
                    );
                    return Err(Error::data(file, reason).at(line(i), None));
                }
            }
        }
        let roots: BTreeSet<&str> = rows.iter().map(|row| row[depth - 1].as_str()).collect();
        if roots.len() > 1 {
            let roots: Vec<&str> = roots.into_iter().collect();
            let reason = format!("the last level has several labels ({}), so there is no root", quoted_list(&roots, 4));
            return Err(Error::data(file, reason).hint("end every line with `*`"));
        }
        let tree = Hierarchy::grow(rows, depth);
        tree.check_labels(file)?;
        Ok(tree)
    }

    /// Adds the nodes top down, so that leaf positions come out in depth-first order.
    fn grow(rows: &[Vec<String>], depth: usize) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut at: Vec<BTreeMap<&str, NodeId>> = vec![BTreeMap::new(); depth];
        for row in rows {
            let mut above: Option<NodeId> = None;
            for level in (0..depth).rev() {
                let label = row[level].as_str();
                let id = *at[level].entry(label).or_insert_with(|| {
                    let id = nodes.len() as NodeId;
                    nodes.push(Node {
                        label: label.into(),
                        parent: above,
                        level: level as u32,
                        children: Vec::new(),
                        first_leaf: 0,
                        end_leaf: 0,
                    });
                    if let Some(up) = above {
                        nodes[up as usize].children.push(id);
                    }
                    id
                });
                above = Some(id);
            }
        }
        let mut leaves = Vec::new();
        let mut stack = vec![(0 as NodeId, false)];
        while let Some((id, done)) = stack.pop() {
            if done {
                nodes[id as usize].end_leaf = leaves.len() as u32;
                continue;
            }
            nodes[id as usize].first_leaf = leaves.len() as u32;
            if nodes[id as usize].level == 0 {
                leaves.push(id);
            }
            stack.push((id, true));
            for &child in nodes[id as usize].children.iter().rev() {
                stack.push((child, false));
            }
        }
        let by_value = leaves.iter().enumerate().map(|(i, &id)| (nodes[id as usize].label.clone(), i as u32)).collect();
        Hierarchy { nodes, leaves, by_value, height: depth as u32 - 1 }
    }

    /// A label must mean one set of leaves wherever it stands, else a published label would be
    /// ambiguous; a label above itself is the case people call a cycle.
    fn check_labels(&self, file: &str) -> Result<()> {
        let mut meaning: BTreeMap<&str, &Node> = BTreeMap::new();
        // Files fill short branches with the root's own label; such a node stands for the root.
        for node in self.nodes.iter().filter(|node| node.label != self.nodes[0].label) {
            let seen = *meaning.entry(&node.label).or_insert(node);
            if (seen.first_leaf, seen.end_leaf) == (node.first_leaf, node.end_leaf) {
                continue;
            }
            let reason = if seen.is_above(node) || node.is_above(seen) || self.crosses(seen, node) {
                format!("`{}` lies above itself, so the hierarchy has a cycle", node.label)
            } else {
                format!("`{}` names two different sets of values", node.label)
            };
            return Err(Error::data(file, reason).hint("give every group of values a label of its own"));
        }
        Ok(())
    }

    /// Two nodes of one label where following labels upwards from one leads back to it: a over b
    /// in one line and b over a in another.
    fn crosses(&self, a: &Node, b: &Node) -> bool {
        let labels = |wanted: &dyn Fn(&Node) -> bool| -> BTreeSet<&str> {
            self.nodes.iter().filter(|node| wanted(node)).map(|node| &*node.label).collect()
        };
        let above = labels(&|node| node.is_above(a) || node.is_above(b));
        let below = labels(&|node| a.is_above(node) || b.is_above(node));
        above.intersection(&below).any(|label| **label != *self.nodes[0].label)
    }

    /// All nodes; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        0
    }

    /// Leaf nodes in depth-first order.
    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    /// Levels above the leaves.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Leaf position of a value.
    pub fn leaf_of(&self, value: &str) -> Option<u32> {
        self.by_value.get(value).copied()
    }

    /// The value of a leaf position.
    pub fn value(&self, leaf: u32) -> &str {
        &self.nodes[self.leaves[leaf as usize] as usize].label
    }

    /// The lowest node over the leaf positions `first..=last`.
    pub fn lowest_over(&self, first: u32, last: u32) -> NodeId {
        let mut id = self.leaves[first as usize];
        while let Some(up) = self.node(id).parent.filter(|_| self.node(id).end_leaf <= last) {
            id = up;
        }
        if self.node(id).label == self.nodes[0].label { self.root() } else { id }
    }

    /// The lowest node that shows this label (unary chains repeat labels), if any.
    pub fn find(&self, label: &str) -> Option<NodeId> {
        if label == &*self.nodes[0].label {
            return Some(self.root());
        }
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| &*node.label == label)
            .min_by_key(|(_, node)| node.level)
            .map(|(id, _)| id as NodeId)
    }

    /// The rows of the file form, in leaf order: value, labels upwards, root.
    pub fn rows(&self) -> Vec<Vec<&str>> {
        let upwards = |&leaf: &NodeId| {
            let nodes = std::iter::successors(Some(self.node(leaf)), |node| node.parent.map(|up| self.node(up)));
            nodes.map(|node| &*node.label).collect()
        };
        self.leaves.iter().map(upwards).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Hierarchy> {
        let rows: Vec<Vec<String>> = text.lines().map(|l| l.split(';').map(String::from).collect()).collect();
        let lines: Vec<u64> = (1..=rows.len() as u64).collect();
        Hierarchy::from_rows("h.csv", &rows, &lines)
    }

    #[test]
    fn leaves_of_a_node_are_contiguous() {
        let h = tree("a;x;*\nc;y;*\nb;x;*\nd;y;*").unwrap();
        assert_eq!(h.leaves().iter().map(|&l| &*h.node(l).label).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        let (a, b, c) = (h.leaf_of("a").unwrap(), h.leaf_of("b").unwrap(), h.leaf_of("c").unwrap());
        assert_eq!(&*h.node(h.lowest_over(a, b)).label, "x");
        assert_eq!(&*h.node(h.lowest_over(b, c)).label, "*");
        assert_eq!(h.lowest_over(b, b), h.leaves()[b as usize]);
        assert_eq!(h.node(h.find("y").unwrap()).n_leaves(), 2);
        assert_eq!(h.height(), 2);
        assert_eq!(h.rows()[1], ["b", "x", "*"]);
    }

    #[test]
    fn unary_chains_keep_their_lowest_node() {
        let h = tree("a;a;a;*\nb;b;z;*\nc;c;z;*").unwrap();
        assert_eq!(h.node(h.find("a").unwrap()).level, 0);
        assert_eq!(&*h.node(h.lowest_over(1, 2)).label, "z");
    }

    #[test]
    fn the_roots_label_may_fill_short_branches() {
        let h = tree("a;*;*\nb;x;*\nc;x;*\nd;*;*").unwrap();
        assert_eq!(h.lowest_over(h.leaf_of("a").unwrap(), h.leaf_of("d").unwrap()), h.root());
        assert_eq!(h.find("*"), Some(h.root()));
        assert_eq!(&*h.node(h.lowest_over(h.leaf_of("b").unwrap(), h.leaf_of("c").unwrap())).label, "x");
    }

    #[test]
    fn what_is_not_a_tree_is_refused() {
        for (text, part) in [
            ("", "empty"),
            ("a", "at least a value"),
            ("a;x;*\nb;*", "line 2: this line has 2 levels"),
            ("a;x;*\na;y;*", "not a tree"),
            ("a;x;*\nb;x;+", "not a tree"),
            ("a;x\nb;y", "no root"),
            ("a;b;*\nb;a;*", "cycle"),
            ("a;g;*\nb;a;*", "two different sets"),
            ("a;;*", "line 1: a label of this line is empty"),
        ] {
            let error = tree(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
