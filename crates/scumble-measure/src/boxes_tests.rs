//! Shares, covers and ends of shapes.

use super::*;

#[test]
fn shares_of_every_shape() {
    let axis = Axis::between("x", true, 0.0, 9.0);
    let share = |shape: &Shape, a: f64, b: f64| shape.part(&axis, &(a, b).into()).share;
    let interval = Shape::interval(&axis, 2.0, 5.0);
    assert_eq!([share(&interval, 0.0, 1.0), share(&interval, 5.0, 9.0), share(&interval, 0.0, 9.0)], [0.0, 0.25, 1.0]);
    let holes = Shape::set(&axis, vec![7.0, 1.0, 3.0, 1.0]);
    assert_eq!((holes.covered(), share(&holes, 2.0, 7.0), share(&holes, 4.0, 6.0)), (3.0, 2.0 / 3.0, 0.0));
    assert_eq!(Shape::set(&axis, vec![4.0, 3.0]), Shape::run(&axis, 3.0, 4.0));
    // Sets of values count those that the shape covers.
    let some = |shape: &Shape, places: &[f64]| shape.part(&axis, &Predicate::OneOf(places.to_vec())).share;
    assert_eq!([some(&interval, &[0.0, 2.0, 4.0]), some(&interval, &[6.0]), some(&interval, &[])], [0.5, 0.0, 0.0]);
    assert_eq!((some(&holes, &[1.0, 2.0, 7.0]), some(&Shape::null(&axis), &[1.0])), (2.0 / 3.0, 0.0));
    assert_eq!(holes.among(&[0.0, 1.0, 2.0, 3.0, 8.0]).collect::<Vec<_>>(), [1, 3]);
    assert_eq!((Shape::all(&axis).covered(), share(&Shape::all(&axis), 0.0, 4.0)), (10.0, 0.5));
    assert_eq!((Shape::null(&axis).covered(), share(&Shape::null(&axis), 0.0, 9.0)), (1.0, 0.0));
    assert_eq!((Shape::set(&axis, Vec::new()).covered(), share(&Shape::set(&axis, vec![]), 0.0, 9.0)), (0.0, 0.0));
}

#[test]
fn intervals_cover_shapes_whole_in_part_or_not() {
    let axis = Axis::between("x", true, 0.0, 9.0);
    let cover = |shape: &Shape, a: f64, b: f64| shape.cover((a, b));
    let interval = Shape::interval(&axis, 2.0, 5.0);
    assert_eq!(
        [cover(&interval, 2.0, 5.0), cover(&interval, 5.0, 9.0), cover(&interval, 6.0, 9.0)],
        [Cover::Whole, Cover::Part, Cover::Nothing]
    );
    let holes = Shape::set(&axis, vec![1.0, 3.0, 7.0]);
    assert_eq!(
        [cover(&holes, 1.0, 7.0), cover(&holes, 2.0, 9.0), cover(&holes, 4.0, 6.0)],
        [Cover::Whole, Cover::Part, Cover::Nothing]
    );
    // Null lies in no interval, so a star is never covered whole.
    assert_eq!(
        (cover(&Shape::all(&axis), 0.0, 9.0), cover(&Shape::null(&axis), 0.0, 9.0)),
        (Cover::Part, Cover::Nothing)
    );
}

#[test]
fn lengths_along_a_continuous_axis() {
    let axis = Axis::between("x", false, 0.0, 10.0);
    let share = |shape: &Shape, a: f64, b: f64| shape.part(&axis, &(a, b).into()).share;
    assert_eq!(share(&Shape::interval(&axis, 2.0, 4.0), 3.0, 9.0), 0.5);
    let point = Shape::interval(&axis, 2.0, 2.0);
    assert_eq!((share(&point, 2.0, 3.0), share(&point, 2.1, 3.0), point.covered()), (1.0, 0.0, 0.0));
    assert_eq!(Shape::set(&axis, vec![1.0, 4.0, 3.0]), Shape::run(&axis, 1.0, 4.0));
    assert_eq!(Shape::null(&axis).covered(), 0.0);
}

#[test]
fn ends_are_held_by_a_row_each() {
    let axis = Axis::between("x", true, 0.0, 9.0);
    let part = |a, b| Shape::interval(&axis, 0.0, 9.0).part(&axis, &(a, b).into());
    // Two rows lie at the ends; ten rows leave eight that may lie anywhere.
    assert_eq!((part(0.0, 4.0).by_ends(2.0), part(1.0, 8.0).by_ends(2.0)), (0.5, 0.0));
    assert_eq!(part(0.0, 0.0).by_ends(10.0), (1.0 + 8.0 * 0.1) / 10.0);
    assert_eq!(part(0.0, 9.0).by_ends(7.0), 1.0);
    // A point, a run that need not be held at its ends, and a group of one row.
    assert_eq!(Shape::interval(&axis, 3.0, 3.0).part(&axis, &(3.0, 9.0).into()).by_ends(5.0), 1.0);
    assert_eq!(Shape::run(&axis, 0.0, 9.0).part(&axis, &(0.0, 0.0).into()).by_ends(10.0), 0.1);
    assert_eq!(part(0.0, 0.0).by_ends(1.0), 0.1);
}
