//! Box by box to the divergence.

use super::Divergence;
use super::cells::Cells;
use super::mixture::Mixture;
use super::sum::Sum;
use rayon::prelude::*;
use scumble_table::{Monitor, Result};
use scumble_verify::{MatchingProblem, PointTree, TreeSearch, narrowness};

/// Boxes whose contributions are worked out together before they are added in order, which makes the sums the same for
/// any number of threads. A wide box may contribute to every cell, so the number is kept small.
const WAVE: usize = 128;

/// What a binary search costs more than a look into a table.
const SEARCH: usize = 8;

/// KL(D || D*).
///
/// # Errors
/// If the work was cancelled.
pub(super) fn divergence_of_cells(mut cells: Cells, mixture: &Mixture, monitor: Monitor<'_>) -> Result<Divergence> {
    monitor.check()?;
    let n_boxes = mixture.volumes.len();
    let mut problem = MatchingProblem {
        n_dims: cells.n_dims,
        points: std::mem::take(&mut cells.points),
        boxes: mixture.boxes.clone(),
        want: vec![(0, 1); n_boxes],
        spans: mixture.spans.clone(),
        ..MatchingProblem::default()
    };
    let n_points = cells.starts.len() as u32 - 1;
    let tree = PointTree::grow(&problem, &narrowness(&problem), &(0..n_points).collect::<Vec<u32>>(), monitor);
    monitor.check()?;
    // A run of the tree's points is then a run of cells.
    cells.points = std::mem::take(&mut problem.points);
    cells.reorder(tree.order());
    let mut star = vec![Sum::default(); cells.cells.len()];
    let waves: Vec<usize> = (0..n_boxes).collect();
    for wave in waves.chunks(WAVE) {
        let room = || BoxScratch { mass: vec![Sum::default(); mixture.batches.n_ranks], ..BoxScratch::default() };
        let found = wave.par_iter().map_init(room, |room, &a_box| {
            monitor.check()?;
            Ok(contributions(&cells, mixture, &problem, &tree, a_box, room))
        });
        let found: Vec<Vec<(u32, f64)>> = found.collect::<Result<_>>()?;
        found.into_iter().flatten().for_each(|(cell, mass)| star[cell as usize].add(mass));
    }
    monitor.check()?;
    let (mut sum, mut unreached) = (Sum::default(), 0u64);
    for (&(_, rows), star) in cells.cells.iter().zip(star) {
        let star = star.total();
        if star > 0.0 {
            // D* is kept as a number of rows, and so is D here.
            sum.add(f64::from(rows) * (f64::from(rows) / star).ln());
        } else {
            unreached += u64::from(rows);
        }
    }
    let kl = if cells.n_rows > 0 { sum.total() / cells.n_rows as f64 } else { 0.0 };
    Ok(Divergence { kl: (unreached == 0).then_some(kl), unreached })
}

/// Room to work in, kept from box to box.
#[derive(Default)]
struct BoxScratch<'q> {
    search: TreeSearch<'q>,
    /// Runs of cells inside a box.
    runs: Vec<(u32, u32)>,
    /// People of a box that are expected to have each value, and the values for which it is not 0.
    mass: Vec<Sum>,
    touched: Vec<u32>,
}

/// What a box adds to the cells inside it: the expected number of its people there.
fn contributions<'q>(
    cells: &Cells,
    mixture: &Mixture,
    problem: &'q MatchingProblem,
    tree: &PointTree,
    a_box: usize,
    room: &mut BoxScratch<'q>,
) -> Vec<(u32, f64)> {
    let BoxScratch { search, runs, mass, touched } = room;
    runs.clear();
    tree.inside(problem, a_box, search, |from, to| {
        runs.push((cells.starts[from], cells.starts[to]));
        true
    });
    let inside = || runs.iter().flat_map(|&(from, to)| from..to);
    let n_cells: usize = runs.iter().map(|&(from, to)| (to - from) as usize).sum();
    let (parts, batches) = (mixture.parts(a_box), &mixture.batches);
    let volume = mixture.volumes[a_box];
    let n_values: usize = parts.iter().map(|&(batch, _)| batches.values(batch).len()).sum();
    if n_cells * parts.len() * SEARCH < n_values {
        // Few cells in a box of long batches: look the few values up.
        let of_cell = |cell: u32| {
            let wanted = cells.cells[cell as usize].0;
            let mut people = Sum::default();
            for &(batch, n) in parts {
                let values = batches.values(batch);
                if let Ok(at) = values.binary_search_by_key(&wanted, |&(value, _)| value) {
                    people.add(f64::from(n) * f64::from(values[at].1) / batches.size(batch));
                }
            }
            (cell, people.total() / volume)
        };
        return inside().map(of_cell).filter(|(_, people)| *people > 0.0).collect();
    }
    for &(batch, n) in parts {
        let each = f64::from(n) / batches.size(batch);
        for &(value, count) in batches.values(batch) {
            let mass = &mut mass[value as usize];
            if mass.total() == 0.0 {
                touched.push(value);
            }
            mass.add(each * f64::from(count));
        }
    }
    let of_cell = |cell: u32| (cell, mass[cells.cells[cell as usize].0 as usize].total() / volume);
    let found = inside().map(of_cell).filter(|(_, people)| *people > 0.0).collect();
    touched.drain(..).for_each(|value| mass[value as usize] = Sum::default());
    found
}
