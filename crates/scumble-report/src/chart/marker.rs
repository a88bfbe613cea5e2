//! Marks of points, told apart by shape as well as by colour.

use super::draw::px;
use crate::escape::escape;

/// The style sheet has this many colours. There is one shape more than that, so that marks that share a colour differ in
/// shape, and no two of the first 42 look alike.
pub(super) const COLOURS: usize = 6;

/// The outlines of marks, as corners around the centre; a circle has none.
const SHAPES: [&[(f64, f64)]; COLOURS + 1] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)],
    &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
    &[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)],
    &[
        (-0.4, -1.2),
        (0.4, -1.2),
        (0.4, -0.4),
        (1.2, -0.4),
        (1.2, 0.4),
        (0.4, 0.4),
        (0.4, 1.2),
        (-0.4, 1.2),
        (-0.4, 0.4),
        (-1.2, 0.4),
        (-1.2, -0.4),
        (-0.4, -0.4),
    ],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
];

/// The mark of the `nth` of several kinds of points, `half` as wide as it is, which says something where it is pointed at.
pub(super) fn marker(nth: usize, (x, y): (f64, f64), half: f64, says: &str) -> String {
    let shape = nth % SHAPES.len();
    let class = format!("dot series{} shape{shape}", nth % COLOURS);
    let says = escape(says);
    if SHAPES[shape].is_empty() {
        return format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{says}</title></circle>\n",
            px(x),
            px(y),
            px(half)
        );
    }
    let mut path = String::new();
    for (i, (a, b)) in SHAPES[shape].iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        path.push_str(&format!("{letter}{} {}", px(x + a * half), px(y + b * half)));
    }
    format!("<path class=\"{class}\" d=\"{path}\"><title>{says}</title></path>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_kinds_look_alike() {
        let class = |nth: usize| marker(nth, (9.0, 9.0), 3.0, "").split('"').nth(1).unwrap_or_default().to_owned();
        let classes: std::collections::BTreeSet<String> = (0..42).map(class).collect();
        assert_eq!(classes.len(), 42);
        assert!(marker(1, (9.0, 9.0), 3.0, "<b>").contains("<title>&lt;b&gt;</title>"));
    }
}
