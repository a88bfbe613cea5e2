use super::*;
use scumble_table::{Decimal, Hierarchy};
use std::sync::Arc;

#[test]
fn intervals_cost_their_length() {
    let d = Domain::numbers([10, 20, 40, 110].map(Decimal::from).to_vec()).unwrap();
    let axis = Axis::new(&d, &[0; 5]);
    assert_eq!(axis.shape(), Shape::Interval);
    assert_eq!(
        [axis.span_cost(1, 4), axis.span_cost(1, 2), axis.span_cost(3, 3), axis.span_cost(0, 2), axis.span_cost(0, 0)],
        [1.0, 0.1, 0.0, 1.0, 0.0]
    );
}

#[test]
fn labels_come_by_frequency() {
    let d = Domain::nominal(vec!["a".into(), "b".into(), "c".into()]);
    let axis = Axis::new(&d, &[0, 1, 9, 9]);
    assert_eq!((1..4).map(|p| axis.code(p)).collect::<Vec<_>>(), [2, 3, 1]);
    assert_eq!(
        [
            axis.set_cost(1, false, 1, 1),
            axis.set_cost(2, false, 1, 2),
            axis.set_cost(3, false, 1, 3),
            axis.set_cost(1, true, 0, 1),
            axis.set_cost(0, true, 0, 0)
        ],
        [0.0, 0.5, 1.0, 1.0, 0.0]
    );
}

#[test]
fn rare_labels_beside_common_ones_cost_more() {
    let d = Domain::nominal(vec!["a".into(), "b".into(), "c".into()]);
    let mut axis = Axis::new(&d, &[0, 1, 9, 9]);
    axis.weigh_unevenness(0.9);
    // Two labels of nine rows, one of one row.
    assert_eq!(axis.set_cost(2, false, 1, 2), 0.5);
    assert!((axis.set_cost(2, false, 2, 3) - (0.5 + 0.9 * 8.0 / 9.0)).abs() < 1e-12);
    assert_eq!(axis.set_cost(2, true, 0, 2), 1.9);
}

#[test]
fn nodes_cost_their_present_leaves() {
    let rows: Vec<Vec<String>> = ["a;x;*", "b;x;*", "z;x;*", "c;y;*", "d;y;*", "e;y;*"]
        .iter()
        .map(|r| r.split(';').map(String::from).collect())
        .collect();
    let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4, 5, 6]).unwrap());
    let d = Domain::nominal(["a", "b", "c", "d", "e"].map(Box::from).to_vec()).with_hierarchy("h", "c", tree).unwrap();
    let axis = Axis::new(&d, &[0; 6]);
    assert_eq!(axis.shape(), Shape::Tree);
    // a b | c d e: x covers two present values, y three, * all five.
    assert_eq!(
        [axis.span_cost(1, 2), axis.span_cost(3, 4), axis.span_cost(2, 3), axis.span_cost(4, 4)],
        [0.25, 0.5, 1.0, 0.0]
    );
    assert_eq!((axis.common_level(1, 2), axis.common_level(1, 5)), (1, 2));
    assert_ne!(axis.ancestor(1, 0), axis.ancestor(1, 1));
}
