//! Who is certainly not in the table: people whom no box covers.

use super::cover::Cover;
use super::people::People;
use super::seen::Seen;
use rayon::prelude::*;

/// People who were held out, and people of the release as a control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Absent {
    /// People held out.
    pub strangers: usize,
    /// Those of them whom no box covers.
    pub absent: usize,
    /// People of the release whom no box covers: 0, or the boxes lie.
    pub control: usize,
}

/// Looks for a box around everybody.
pub fn attack(seen: &Seen, people: &People) -> Absent {
    let cover = Cover::new(&seen.boxes, people);
    let uncovered = |person: &usize| cover.boxes(*person).next().is_none();
    let strangers = people.inside..people.n_people();
    Absent {
        strangers: strangers.len(),
        absent: strangers.into_par_iter().filter(uncovered).count(),
        control: (0..people.inside).into_par_iter().filter(uncovered).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::cell::Cell;
    use crate::attacks::people::tests::people;

    #[test]
    fn strangers_between_boxes_are_absent_and_cells_that_tile_leave_nobody_out() {
        let rows: Vec<[&str; 1]> = ["1", "3", "7", "9", "2", "5", "8", "10"].map(|n| [n]).to_vec();
        let rows: Vec<(&[&str], &str)> = rows.iter().map(|cells| (&cells[..], "a")).collect();
        let people = people(&rows, 4);
        let mut seen = Seen {
            person: vec![0, 1, 2, 3],
            box_of: vec![0, 0, 1, 1],
            batch_of: vec![0, 0, 1, 1],
            batches: vec![vec![(0, 2)]; 2],
            boxes: vec![vec![Cell::Range(1.0, 3.0)], vec![Cell::Range(7.0, 9.0)]],
        };
        assert_eq!(attack(&seen, &people), Absent { strangers: 4, absent: 2, control: 0 });
        seen.boxes = vec![vec![Cell::Range(0.0, 5.0)], vec![Cell::Range(6.0, 20.0)]];
        assert_eq!(attack(&seen, &people), Absent { strangers: 4, absent: 0, control: 0 });
        seen.boxes = vec![vec![Cell::Range(4.0, 5.0)], vec![Cell::Range(7.0, 9.0)]];
        assert_eq!(attack(&seen, &people).control, 2, "boxes that do not hold their people are noticed");
    }
}
