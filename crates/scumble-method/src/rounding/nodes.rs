//! Nodes of a hierarchy that do not tell which of their leaves occur.
//!
//! The lowest node over a group has members below two of its children at least. A node with two children of which one is a single
//! leaf therefore tells that this leaf occurs, and the node above is shown in its place. The root has nothing above it.

use scumble_table::{Hierarchy, NodeId};

/// The node to show where `node` is the lowest over a group of different values.
pub fn node_above(tree: &Hierarchy, mut node: NodeId) -> NodeId {
    while tells(tree, node) {
        match tree.node(node).parent {
            Some(above) => node = above,
            None => break,
        }
    }
    node
}

/// Whether a group whose lowest node this is must hold a certain leaf. A chain of nodes with one child each is the last of them.
fn tells(tree: &Hierarchy, node: NodeId) -> bool {
    match tree.node(node).children.as_slice() {
        [only] => tells(tree, *only),
        children @ [_, _] => children.iter().any(|&child| tree.node(child).n_leaves() == 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_leaves_is_shown_as_more() {
        let rows = [["a", "A", "*"], ["b", "A", "*"], ["c", "B", "*"], ["d", "B", "*"], ["e", "B", "*"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
        let tree = Hierarchy::from_rows("t", &rows, &[1, 2, 3, 4, 5]).unwrap();
        let label = |node| tree.node(node).label.to_string();
        assert_eq!(label(node_above(&tree, tree.lowest_over(0, 1))), "*");
        assert_eq!(label(node_above(&tree, tree.lowest_over(2, 3))), "B");
        assert_eq!(node_above(&tree, tree.root()), tree.root());
        let pair: Vec<Vec<String>> =
            [["m", "*"], ["f", "*"]].iter().map(|row| row.map(String::from).to_vec()).collect();
        let pair = Hierarchy::from_rows("t", &pair, &[1, 2]).unwrap();
        assert_eq!(node_above(&pair, pair.root()), pair.root());
    }
}
