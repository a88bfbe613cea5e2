//! One quasi-identifier as full-domain generalization sees it: a stack of levels, each a map from what a row has to
//! the cell that it shows.
//!
//! Level 0 shows the value, the last level `*`; between them lie the levels of a tree, or intervals that may differ
//! from context to context. What a row has is a *point*: its value, and where intervals depend on a context that too.

use scumble_release::notation::Cover;
use scumble_table::{BoundConditional, Code, NULL, Partition, Table};

/// The levels of one quasi-identifier.
#[derive(Clone)]
pub struct LevelStack {
    column: usize,
    levels: Levels,
    n_codes: usize,
    /// Point of each row.
    points: Vec<u32>,
    /// Cell of each point, level by level, without the last, where all points have one.
    cells: Vec<Vec<u32>>,
    /// What a row of each point loses, level by level, from 0 for a value to 1 for `*`.
    costs: Vec<Vec<f64>>,
    /// Mean of the costs over all rows, level by level.
    means: Vec<f64>,
}

#[derive(Debug, Clone)]
enum Levels {
    /// Values and `*`.
    Flat,
    /// The tree of the column's domain.
    Tree,
    /// Intervals, perhaps by context.
    Intervals(BoundConditional),
}

impl std::fmt::Debug for LevelStack {
    /// Shows nothing of the rows.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelStack").field("column", &self.column).field("top", &self.top()).finish_non_exhaustive()
    }
}

impl LevelStack {
    /// The levels of the tree over a column, or only the value and `*` where it has none.
    pub fn for_column(table: &Table, column: usize) -> LevelStack {
        let domain = &table.attribute(column).domain;
        let points = table.column(column).iter().collect();
        let (levels, height) = match domain.hierarchy() {
            Some(tree) => (Levels::Tree, tree.height() as usize),
            None => (Levels::Flat, 1),
        };
        LevelStack::new(table, column, levels, points, height)
    }

    /// The levels of a hierarchy of intervals.
    pub fn from_intervals(table: &Table, tree: BoundConditional) -> LevelStack {
        let column = tree.column();
        let codes = table.column(column);
        let given: Vec<_> = tree.given().iter().map(|&at| table.column(at)).collect();
        let n_codes = table.attribute(column).domain.n_codes();
        let mut row_given = vec![NULL; given.len()];
        let points = (0..table.n_rows())
            .map(|row| {
                for (to, from) in row_given.iter_mut().zip(&given) {
                    *to = from.get(row);
                }
                (tree.context(&row_given) * n_codes) as u32 + codes.get(row)
            })
            .collect();
        let height = tree.n_levels() + 1;
        LevelStack::new(table, column, Levels::Intervals(tree), points, height)
    }

    fn new(table: &Table, column: usize, levels: Levels, points: Vec<u32>, height: usize) -> LevelStack {
        let n_codes = table.attribute(column).domain.n_codes();
        let n_points = match &levels {
            Levels::Intervals(tree) => (tree.n_contexts() + 1) * n_codes,
            _ => n_codes,
        };
        let mut stack =
            LevelStack { column, levels, n_codes, points, cells: Vec::new(), costs: Vec::new(), means: Vec::new() };
        let mut weights = vec![0u64; n_points];
        for &point in &stack.points {
            weights[point as usize] += 1;
        }
        for level in 0..=height {
            let cells = match level {
                _ if level == height => vec![0; n_points],
                0 => (0..n_points as u32).map(|point| stack.parts(point).1).collect(),
                _ => stack.cells_of(table, level, n_points),
            };
            let costs = stack.costs_of(table, level, height, &cells, &weights);
            let sum: f64 = costs.iter().zip(&weights).map(|(cost, &weight)| cost * weight as f64).sum();
            stack.means.push(sum / table.n_rows().max(1) as f64);
            stack.costs.push(costs);
            stack.cells.push(cells);
        }
        stack
    }

    /// The cells of a level between the values and `*`. Null has one of its own; others are numbered as they come.
    fn cells_of(&self, table: &Table, level: usize, n_points: usize) -> Vec<u32> {
        let domain = &table.attribute(self.column).domain;
        let mut numbers = std::collections::BTreeMap::new();
        (0..n_points as u32)
            .map(|point| {
                let (context, code) = self.parts(point);
                let key = match (&self.levels, domain.hierarchy()) {
                    _ if code == NULL => (0, 0),
                    (Levels::Tree, Some(tree)) => {
                        (1, domain.leaf(code).map_or(0, |leaf| above(tree, tree.leaves()[leaf as usize], level)))
                    }
                    (Levels::Intervals(tree), _) => {
                        // People of different contexts show different intervals below the common levels, even where
                        // the texts happen to agree.
                        let apart = if level <= tree.n_context_levels() { 1 + context as u32 } else { 1 };
                        (apart, tree.interval(context, level - 1, code) as u32)
                    }
                    _ => (1, code),
                };
                let next = numbers.len() as u32;
                *numbers.entry(key).or_insert(next)
            })
            .collect()
    }

    /// Normalized certainty penalty of each point at a level: the share of the domain that its cell covers, 0 for a
    /// single value. Intervals are measured from the least to the greatest value that a row of their cell has.
    fn costs_of(&self, table: &Table, level: usize, height: usize, cells: &[u32], weights: &[u64]) -> Vec<f64> {
        let domain = &table.attribute(self.column).domain;
        let last = domain.len() as Code;
        if level == 0 || last == 0 {
            return vec![0.0; cells.len()];
        }
        if level == height {
            return vec![1.0; cells.len()];
        }
        let n_cells = cells.iter().max().map_or(0, |&cell| cell as usize + 1);
        let mut cost = vec![0.0; n_cells];
        if let Levels::Intervals(_) = self.levels {
            let hulls = hulls(n_cells, cells, weights, |point| self.parts(point).1);
            let length = domain.place(last) - domain.place(1);
            for (cost, hull) in cost.iter_mut().zip(hulls) {
                if let Some((low, high)) = hull
                    && length > 0.0
                {
                    *cost = (domain.place(high) - domain.place(low)) / length;
                }
            }
        } else {
            let mut covered = vec![0u32; n_cells];
            (1..=last).for_each(|code| covered[cells[code as usize] as usize] += 1);
            let others = f64::from(last.max(2) - 1);
            cost = covered.iter().map(|&n| f64::from(n.max(1) - 1) / others).collect();
        }
        cells.iter().map(|&cell| cost[cell as usize]).collect()
    }

    fn parts(&self, point: u32) -> (usize, Code) {
        (point as usize / self.n_codes, point % self.n_codes as u32)
    }

    /// The column.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The hierarchy of intervals behind it, where there is one.
    pub fn intervals(&self) -> Option<&BoundConditional> {
        match &self.levels {
            Levels::Intervals(tree) => Some(tree),
            _ => None,
        }
    }

    /// The level that shows `*`.
    pub fn top(&self) -> usize {
        self.cells.len() - 1
    }

    /// True if what a level shows depends on a context.
    pub fn is_conditional(&self, level: usize) -> bool {
        self.intervals().is_some_and(|tree| (1..=tree.n_context_levels()).contains(&level))
    }

    pub(super) fn point(&self, row: usize) -> u32 {
        self.points[row]
    }

    /// The context of a row: 0 for none.
    pub fn context(&self, row: usize) -> usize {
        self.parts(self.points[row]).0
    }

    pub(super) fn cells(&self, level: usize) -> &[u32] {
        &self.cells[level]
    }

    pub(super) fn costs(&self, level: usize) -> &[f64] {
        &self.costs[level]
    }

    /// What a row loses at a level, on average over all rows.
    pub(super) fn mean(&self, level: usize) -> f64 {
        self.means[level]
    }

    /// The coarsest level that still tells apart all values that contexts of `tree` tell apart; `at` is the place of
    /// this column among those that the contexts ask about.
    pub(super) fn tells(&self, tree: &BoundConditional, at: usize) -> usize {
        let determinate = |cells: &Vec<u32>| {
            let mut first: Vec<Option<Code>> = vec![None; cells.iter().max().map_or(0, |&cell| cell as usize + 1)];
            cells.iter().enumerate().all(|(point, &cell)| {
                let code = self.parts(point as u32).1;
                let known = *first[cell as usize].get_or_insert(code);
                tree.in_same_contexts(at, known, code)
            })
        };
        // Finer levels tell more, and values tell everything.
        self.cells.iter().rposition(determinate).unwrap_or(0)
    }

    /// What the rows of each group show at a level, from the published rows alone.
    pub(crate) fn covers(&self, table: &Table, partition: &Partition, level: usize) -> Vec<Cover> {
        let domain = &table.attribute(self.column).domain;
        let cells = &self.cells[level];
        let n_cells = cells.iter().max().map_or(0, |&cell| cell as usize + 1);
        let hulls = match self.levels {
            Levels::Intervals(_) => {
                let mut weights = vec![0u64; cells.len()];
                partition.rows().iter().for_each(|&row| weights[self.points[row as usize] as usize] += 1);
                hulls(n_cells, cells, &weights, |point| self.parts(point).1)
            }
            _ => Vec::new(),
        };
        let cover = |row: u32| {
            let point = self.points[row as usize];
            let code = self.parts(point).1;
            match (&self.levels, domain.hierarchy()) {
                _ if level == self.top() => Cover::All,
                _ if code == NULL => Cover::Null,
                _ if level == 0 => Cover::One(code),
                (Levels::Tree, Some(tree)) => match domain.leaf(code) {
                    Some(leaf) => match above(tree, tree.leaves()[leaf as usize], level) {
                        root if root == tree.root() => Cover::All,
                        node => Cover::Node(node),
                    },
                    None => Cover::All,
                },
                _ => match hulls.get(cells[point as usize] as usize).copied().flatten() {
                    Some((low, high)) if low == high => Cover::One(low),
                    Some((low, high)) => Cover::Interval(low, high),
                    None => Cover::All,
                },
            }
        };
        partition.groups().map(|rows| rows.first().map_or(Cover::All, |&row| cover(row))).collect()
    }
}

/// The node `level` levels above a leaf. A branch that is filled with the root's label is the root.
fn above(tree: &scumble_table::Hierarchy, leaf: u32, level: usize) -> u32 {
    let mut node = leaf;
    for _ in 0..level {
        node = tree.node(node).parent.unwrap_or(node);
    }
    if tree.node(node).label == tree.node(tree.root()).label { tree.root() } else { node }
}

/// The least and the greatest code that occurs in each cell, null aside.
fn hulls(n_cells: usize, cells: &[u32], weights: &[u64], code: impl Fn(u32) -> Code) -> Vec<Option<(Code, Code)>> {
    let mut hulls: Vec<Option<(Code, Code)>> = vec![None; n_cells];
    for (point, (&cell, &weight)) in cells.iter().zip(weights).enumerate() {
        let code = code(point as u32);
        if weight == 0 || code == NULL {
            continue;
        }
        let hull = &mut hulls[cell as usize];
        *hull = Some(hull.map_or((code, code), |(low, high)| (low.min(code), high.max(code))));
    }
    hulls
}
