//! What the box of a group has of a question.

use super::column_cells::ColumnCells;
use crate::columns::place_of;
use crate::condition_tree::{Atom, ConditionTree, Truth, compared_with};
use crate::context::QueryContext;
use crate::engine::{self, Engine};
use crate::value::Value;
use arrow_array::Array;
use scumble_release::notation::Region;
use scumble_release::{BoxColumn, Boxed, Extent, ShownColumn};
use scumble_table::{Decimal, Error, Result};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// Combinations of values that a condition which compares columns may be put to.
const MOST_COMBINATIONS: usize = 2_000_000;

/// Shares that the rows of all groups may have between them.
const MOST_SHARES: usize = 20_000_000;

/// What a row has of a question, for one combination of keys.
pub(super) struct RowShare {
    /// Cells of the keys.
    pub(super) key: Vec<u32>,
    /// The part of the box that satisfies the condition with these keys.
    pub(super) share: f64,
    /// Whether the whole box does.
    pub(super) certain: bool,
}

/// The columns that a question looks at, in classes, and its condition over them.
pub(super) struct QuestionSpace<'a> {
    columns: Vec<ColumnClasses<'a>>,
    tree: Option<ConditionTree>,
    atoms: Vec<AtomTruth>,
    /// Places of the keys among the columns.
    keys: Vec<usize>,
    made: Cell<usize>,
}

/// A column that a question looks at.
struct ColumnClasses<'a> {
    cells: ColumnCells,
    /// A cell of each class; classes are told apart by atoms, or hold one cell where the column is a key.
    example: Vec<u32>,
    source: ValueSource<'a>,
}

/// Where the values of a column are.
enum ValueSource<'a> {
    /// In the boxes of groups: (class, weight) for each text.
    Boxes { of_group: &'a [u32], spreads: Vec<Vec<(u32, f64)>> },
    /// On the rows themselves.
    Rows { shown: &'a ShownColumn, class_of_code: Vec<u32> },
}

/// An atom with its truth for every combination of classes of its columns, the last of them running fastest.
struct AtomTruth {
    columns: Vec<usize>,
    truth: Vec<Truth>,
}

impl<'a> QuestionSpace<'a> {
    pub(super) fn new(context: QueryContext<'_>, boxed: &'a Boxed) -> Result<QuestionSpace<'a>> {
        let QueryContext { question, columns: names, engine, monitor } = context;
        let mut atoms: Vec<Atom> = Vec::new();
        let tree = question.people.as_ref().map(|expr| ConditionTree::new(expr, names, &mut atoms));
        let mut used: Vec<usize> = atoms.iter().flat_map(|atom| &atom.columns).chain(&question.keys).copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |at: usize| used.iter().position(|&column| column == at).unwrap_or(0);
        let keys: Vec<usize> = question.keys.iter().map(|&at| place(at)).collect();
        // Cells first, then the truth of single-column atoms on them, then classes.
        let mut all_cells = Vec::with_capacity(used.len());
        for &at in &used {
            let own = atoms.iter().filter(|atom| atom.columns.contains(&at));
            let literals: Option<Vec<Vec<Decimal>>> =
                own.map(|atom| if atom.columns.len() == 1 { compared_with(&atom.expr) } else { None }).collect();
            let literals = literals.map(|lists| lists.concat()).filter(|_| !question.keys.contains(&at));
            all_cells.push(ColumnCells::new(names.get(at), digits(names.name(at), boxed), literals.as_deref())?);
        }
        let mut by_cell: Vec<Vec<Truth>> = Vec::with_capacity(atoms.len());
        for atom in &atoms {
            monitor.check()?;
            by_cell.push(match atom.columns.as_slice() {
                [at] => {
                    let cells = &all_cells[place(*at)];
                    judge(atom, &[(cells, &(0..cells.len() as u32).collect::<Vec<_>>())], engine)?
                }
                _ => Vec::new(),
            });
        }
        let mut columns = Vec::with_capacity(used.len());
        for (cells, at) in all_cells.into_iter().zip(&used) {
            let several = |atom: &Atom| atom.columns.len() > 1 && atom.columns.contains(at);
            let apart = question.keys.contains(at) || atoms.iter().any(several);
            if apart && !cells.is_pointwise() {
                let reason = "this column has too many possible values to compare or group by each of them";
                return Err(Error::request("question", cells.name(), reason));
            }
            let own = atoms.iter().zip(&by_cell).filter(|(atom, _)| atom.columns == [*at]);
            let truths: Vec<&[Truth]> = own.map(|(_, truth)| truth.as_slice()).collect();
            columns.push(ColumnClasses::new(cells, &truths, apart, boxed)?);
        }
        let mut judged = Vec::with_capacity(atoms.len());
        for (atom, by_cell) in atoms.iter().zip(by_cell) {
            monitor.check()?;
            let places: Vec<usize> = atom.columns.iter().map(|&at| place(at)).collect();
            let axes = places.iter().map(|&at| (&columns[at].cells, columns[at].example.as_slice()));
            let truth = match places.as_slice() {
                [at] => columns[*at].example.iter().map(|&cell| by_cell[cell as usize]).collect(),
                _ => judge(atom, &axes.collect::<Vec<_>>(), engine)?,
            };
            judged.push(AtomTruth { columns: places, truth });
        }
        Ok(QuestionSpace { columns, tree, atoms: judged, keys, made: Cell::new(0) })
    }

    /// Columns that are taken to hold whole numbers only.
    pub(super) fn taken_as_whole(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| &column.cells).filter(|cells| cells.is_taken_as_whole()).map(ColumnCells::name)
    }

    /// Whether rows of one group may differ.
    pub(super) fn looks_at_rows(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.source, ValueSource::Rows { .. }))
    }

    /// The values of a combination of keys.
    pub(super) fn key_values(&self, key: &[u32]) -> Vec<Value> {
        self.keys.iter().zip(key).map(|(&at, &cell)| self.columns[at].cells.value(cell)).collect()
    }

    /// What the box of a group has of the question; of one of its rows, where rows differ.
    pub(super) fn shares(&self, group: usize, row: Option<u32>) -> Result<Vec<RowShare>> {
        let mut found: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        let mut fails = false;
        let spreads: Vec<Cow<'_, [(u32, f64)]>> =
            self.columns.iter().map(|column| column.classes(group, row)).collect();
        let mut at = vec![0usize; spreads.len()];
        if spreads.iter().any(|spread| spread.is_empty()) {
            return Ok(Vec::new());
        }
        let mut classes: Vec<u32> = spreads.iter().map(|spread| spread[0].0).collect();
        loop {
            let weight: f64 = spreads.iter().zip(&at).map(|(spread, &i)| spread[i].1).product();
            let truth = self.tree.as_ref().map_or(Truth::TRUE, |tree| tree.judge(&|atom| self.truth(atom, &classes)));
            let key: Vec<u32> = self.keys.iter().map(|&at| self.columns[at].example[classes[at] as usize]).collect();
            // A key that the release does not list is none of the answers.
            let listed = self.keys.iter().zip(&key).all(|(&at, &cell)| cell != self.columns[at].cells.elsewhere());
            if truth.may_hold() && listed {
                *found.entry(key).or_insert(0.0) += weight;
            }
            fails |= truth.may_fail() || !listed;
            // The next combination, the last column running fastest.
            let Some(next) = (0..at.len()).rev().find(|&i| at[i] + 1 < spreads[i].len()) else { break };
            at[next] += 1;
            at[next + 1..].fill(0);
            for i in next..at.len() {
                classes[i] = spreads[i][at[i]].0;
            }
        }
        let certain = !fails && found.len() == 1;
        let made = self.made.get() + found.len();
        self.made.set(made);
        if made > MOST_SHARES {
            return Err(Error::request("question", "GROUP BY", "boxes hold too many combinations of these columns")
                .hint("group by fewer columns, or ask for single values with WHERE"));
        }
        Ok(found.into_iter().map(|(key, share)| RowShare { key, share, certain }).collect())
    }

    fn truth(&self, atom: usize, classes: &[u32]) -> Truth {
        let AtomTruth { columns, truth } = &self.atoms[atom];
        truth[columns.iter().fold(0, |n, &at| n * self.columns[at].example.len() + classes[at] as usize)]
    }
}

impl<'a> ColumnClasses<'a> {
    /// Cells on which all of `truths` agree are one class, unless every cell is to stand `apart`.
    fn new(cells: ColumnCells, truths: &[&[Truth]], apart: bool, boxed: &'a Boxed) -> Result<ColumnClasses<'a>> {
        let mut known: HashMap<Vec<Truth>, u32> = HashMap::new();
        let mut example = Vec::new();
        let mut class_of = |cell: u32| {
            let next = example.len() as u32;
            let mut fresh = || {
                example.push(cell);
                next
            };
            if apart {
                fresh()
            } else {
                *known.entry(truths.iter().map(|truth| truth[cell as usize]).collect()).or_insert_with(fresh)
            }
        };
        let of_cell: Vec<u32> = (0..cells.len() as u32).map(&mut class_of).collect();
        let source = match boxed.quasi.iter().find(|column| column.column.name() == cells.name()) {
            Some(column) => {
                let spreads = spreads(column, &cells, &of_cell, example.len());
                ValueSource::Boxes { of_group: &column.of_group, spreads }
            }
            None => {
                let shown = &boxed.values[place_of(&boxed.values, cells.name())?];
                let class = |code| cells.cell_of(&shown.domain, code).map(|cell| of_cell[cell as usize]);
                let classes = (0..shown.domain.n_codes() as u32).map(class).collect::<Option<Vec<u32>>>();
                let class_of_code = classes.ok_or_else(|| Error::bug("a kept value has no cell"))?;
                ValueSource::Rows { shown, class_of_code }
            }
        };
        Ok(ColumnClasses { cells, example, source })
    }

    fn classes(&self, group: usize, row: Option<u32>) -> Cow<'_, [(u32, f64)]> {
        match (&self.source, row) {
            (ValueSource::Boxes { of_group, spreads }, _) => spreads[of_group[group] as usize].as_slice().into(),
            (ValueSource::Rows { shown, class_of_code }, Some(row)) => {
                vec![(class_of_code[shown.codes.get(row as usize) as usize], 1.0)].into()
            }
            (ValueSource::Rows { .. }, None) => Vec::new().into(),
        }
    }
}

/// Digits after the point of the numbers of a column, ends of intervals and leaves of hierarchies included.
fn digits(name: &str, boxed: &Boxed) -> u8 {
    let Some(column) = boxed.quasi.iter().find(|column| column.column.name() == name) else {
        return boxed.values.iter().find(|column| column.column.name() == name).map_or(0, |c| c.domain.scale());
    };
    let leaves = column
        .column
        .hierarchy()
        .into_iter()
        .flat_map(|tree| (0..tree.leaves().len() as u32).filter_map(|leaf| Decimal::parse(tree.value(leaf))));
    let regions = column.regions.iter().flatten().flat_map(|region| match region {
        Region::Numbers(lo, hi) => vec![*lo, *hi],
        _ => Vec::new(),
    });
    let extent = match column.column.extent() {
        Extent::Numbers(Some((lo, hi))) => vec![*lo, *hi],
        _ => Vec::new(),
    };
    leaves.chain(regions).chain(extent).map(Decimal::scale).max().unwrap_or(0)
}

/// The weight of each class in each text of a column.
fn spreads(column: &BoxColumn, cells: &ColumnCells, of_cell: &[u32], n_classes: usize) -> Vec<Vec<(u32, f64)>> {
    let spread = |region: &Option<Region>| {
        let Some(region) = region else { return Vec::new() };
        let mut weights: Vec<Option<f64>> = vec![None; n_classes];
        for (cell, weight) in cells.spread(region) {
            *weights[of_cell[cell as usize] as usize].get_or_insert(0.0) += weight;
        }
        (0u32..).zip(weights).filter_map(|(class, weight)| Some((class, weight?))).collect()
    };
    column.regions.iter().map(spread).collect()
}

/// The truth of an atom on all combinations of these cells of its columns, the last column running fastest.
fn judge(atom: &Atom, axes: &[(&ColumnCells, &[u32])], engine: &Engine) -> Result<Vec<Truth>> {
    let total = axes.iter().try_fold(1usize, |all, (_, cells)| all.checked_mul(cells.len()));
    let Some(total) = total.filter(|&all| axes.len() < 2 || all <= MOST_COMBINATIONS) else {
        let reason = "these columns have too many values to compare";
        return Err(Error::request("condition", atom.expr.to_string(), reason)
            .hint("join conditions on single columns by AND, OR and NOT"));
    };
    let mut arrays = Vec::with_capacity(axes.len());
    let mut unlisted = vec![false; total];
    let mut steps = total;
    for (column, cells) in axes {
        steps /= cells.len();
        let each = (0..total).map(|i| cells[i / steps % cells.len()]);
        unlisted.iter_mut().zip(each.clone()).for_each(|(unlisted, cell)| *unlisted |= cell == column.elsewhere());
        arrays.push((column.name(), column.array(each)?));
    }
    let truth = engine.judge(&atom.expr, &engine::batch(arrays, total)?)?;
    let one = |at: usize| match unlisted[at] {
        true => Truth::ANY,
        false => Truth::from_sql(truth.is_valid(at).then(|| truth.value(at))),
    };
    Ok((0..total).map(one).collect())
}
