//! Lines that join points of one height over a grid.

/// A height at every point of a grid, column by column. What is not known is not a finite number.
pub(super) type Heights = [Vec<f64>];

/// A piece of a line, between two points in units of the grid: (0, 0) is the first point of the first column.
pub(super) type Piece = ((f64, f64), (f64, f64));

/// The pieces of the line at `level`: in every square of four neighbouring points it runs between the places on the
/// square's sides where the height passes `level`, evenly between their ends. Squares with a corner that is not known
/// have none.
pub(super) fn contour(heights: &Heights, level: f64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (x, pair) in heights.windows(2).enumerate() {
        let n = pair[0].len().min(pair[1].len());
        for y in 1..n {
            // Around the square: left below, right below, right above, left above.
            let corners = [pair[0][y - 1], pair[1][y - 1], pair[1][y], pair[0][y]];
            if corners.iter().all(|height| height.is_finite()) {
                square(corners, level, (x as f64, (y - 1) as f64), &mut pieces);
            }
        }
    }
    pieces
}

fn square(corners: [f64; 4], level: f64, (x, y): (f64, f64), pieces: &mut Vec<Piece>) {
    const PLACES: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let crossed = |side: usize| {
        let (a, b) = (corners[side], corners[(side + 1) % 4]);
        if (a >= level) == (b >= level) {
            return None;
        }
        let ((ax, ay), (bx, by)) = (PLACES[side], PLACES[(side + 1) % 4]);
        let share = ((level - a) / (b - a)).clamp(0.0, 1.0);
        Some((x + ax + share * (bx - ax), y + ay + share * (by - ay)))
    };
    let places = [0, 1, 2, 3].map(crossed);
    let found: Vec<(f64, f64)> = places.into_iter().flatten().collect();
    match found[..] {
        [a, b] => pieces.push((a, b)),
        // A saddle: the height in the middle tells which corners belong together.
        [a, b, c, d] => {
            let middle_is_high = corners.iter().sum::<f64>() / 4.0 >= level;
            match middle_is_high == (corners[0] >= level) {
                true => pieces.extend([(a, b), (c, d)]),
                false => pieces.extend([(d, a), (b, c)]),
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_crossed_where_it_passes() {
        let slope = [vec![0.0, 0.0, 0.0], vec![1.0, 1.0, 1.0], vec![2.0, 2.0, 2.0]];
        assert_eq!(contour(&slope, 0.25), [((0.25, 0.0), (0.25, 1.0)), ((0.25, 1.0), (0.25, 2.0))]);
        assert_eq!(contour(&slope, 3.0), []);
        assert_eq!(contour(&[vec![0.0, 1.0], vec![f64::NAN, 1.0]], 0.5), []);
        assert_eq!(contour(&[vec![1.0], vec![0.0]], 0.5), []);
    }

    #[test]
    fn a_peak_is_ringed_and_a_saddle_is_parted() {
        let peak = [vec![0.0; 3], vec![0.0, 1.0, 0.0], vec![0.0; 3]];
        let ring = contour(&peak, 0.5);
        assert_eq!(ring.len(), 4);
        for ((ax, ay), (bx, by)) in ring {
            for (x, y) in [(ax, ay), (bx, by)] {
                assert_eq!((x - 1.0f64).abs() + (y - 1.0f64).abs(), 0.5);
            }
        }
        // High corners at (0, 0) and (1, 1): joined where the middle is high, ringed each where it is low.
        for (high, apart) in [(1.0, false), (0.55, true)] {
            let saddle = [vec![high, 0.0], vec![0.0, high]];
            let pieces = contour(&saddle, 0.5);
            assert_eq!(pieces.len(), 2);
            let cuts_first = pieces.iter().any(|&(a, b)| a.0 + a.1 < 1.0 && b.0 + b.1 < 1.0);
            assert_eq!(cuts_first, apart, "{pieces:?}");
        }
    }
}
