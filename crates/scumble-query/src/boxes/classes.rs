//! What the box of a group has of a question.

use super::line::Line;
use super::tree::{Atom, Tree, Truth, compared_with};
use crate::columns::Columns;
use crate::engine::{self, Engine};
use crate::question::Question;
use crate::value::Value;
use arrow_array::{Array, BooleanArray};
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
pub(super) struct Share {
    /// Cells of the keys.
    pub(super) key: Vec<u32>,
    /// The part of the box that satisfies the condition with these keys.
    pub(super) share: f64,
    /// Whether the whole box does.
    pub(super) certain: bool,
}

/// The columns that a question looks at, in classes, and its condition over them.
pub(super) struct Space<'a> {
    columns: Vec<Involved<'a>>,
    tree: Option<Tree>,
    atoms: Vec<Judged>,
    /// Places of the keys among the columns.
    keys: Vec<usize>,
    made: Cell<usize>,
}

/// A column that a question looks at.
struct Involved<'a> {
    line: Line,
    /// A cell of each class; classes are told apart by atoms, or hold one cell where the column is a key.
    example: Vec<u32>,
    side: Side<'a>,
}

/// Where the values of a column are.
enum Side<'a> {
    /// In the boxes of groups: (class, weight) for each text.
    Boxes { of_group: &'a [u32], spreads: Vec<Vec<(u32, f64)>> },
    /// On the rows themselves.
    Rows { shown: &'a ShownColumn, class_of_code: Vec<u32> },
}

/// An atom with its truth.
enum Judged {
    Constant(Truth),
    /// By class of one column.
    One {
        column: usize,
        truth: Vec<Truth>,
    },
    /// By classes of several columns, the last of them running fastest.
    Several {
        columns: Vec<usize>,
        truth: Vec<Truth>,
    },
}

impl<'a> Space<'a> {
    pub(super) fn new(question: &Question, names: &Columns, boxed: &'a Boxed, engine: &Engine) -> Result<Space<'a>> {
        let mut atoms = Vec::new();
        let tree = question.people.as_ref().map(|expr| Tree::of(expr, names, &mut atoms));
        let mut used: Vec<usize> = atoms.iter().flat_map(|atom: &Atom| atom.columns.clone()).collect();
        used.extend(&question.keys);
        used.sort_unstable();
        used.dedup();
        let place = |at: usize| used.iter().position(|&column| column == at).unwrap_or(0);
        let keys: Vec<usize> = question.keys.iter().map(|&at| place(at)).collect();
        // Lines first, then the truth of single-column atoms on their cells, then classes.
        let mut lines = Vec::with_capacity(used.len());
        for &at in &used {
            let own: Vec<&Atom> = atoms.iter().filter(|atom| atom.columns.contains(&at)).collect();
            let literals: Option<Vec<Vec<Decimal>>> =
                own.iter().map(|atom| if atom.columns.len() == 1 { compared_with(&atom.expr) } else { None }).collect();
            let literals = literals.map(|lists| lists.concat()).filter(|_| !question.keys.contains(&at));
            lines.push(Line::new(names.get(at), digits(names.name(at), boxed), literals.as_deref())?);
        }
        let mut by_cell: Vec<Vec<(usize, Vec<Truth>)>> = used.iter().map(|_| Vec::new()).collect();
        for (number, atom) in atoms.iter().enumerate() {
            if let [at] = atom.columns.as_slice() {
                let line = &lines[place(*at)];
                let cells = 0..line.len() as u32;
                let batch = engine::batch(vec![(names.name(*at), line.array(cells)?)], line.len())?;
                let truth = engine.compile(&atom.expr, &batch.schema())?.evaluate(&batch)?;
                let mut truth = truths(&truth);
                truth[line.elsewhere() as usize] = Truth::ANY;
                by_cell[place(*at)].push((number, truth));
            }
        }
        let mut columns = Vec::with_capacity(used.len());
        for (at, line) in lines.into_iter().enumerate() {
            let apart = keys.contains(&at)
                || atoms.iter().any(|atom| atom.columns.len() > 1 && atom.columns.contains(&used[at]));
            if apart && !line.is_pointwise() {
                let reason = "this column has too many possible values to compare or group by each of them";
                return Err(Error::request("question", names.name(used[at]), reason));
            }
            columns.push(Involved::new(line, &by_cell[at], apart, names.name(used[at]), boxed)?);
        }
        let mut judged = Vec::with_capacity(atoms.len());
        for (number, atom) in atoms.iter().enumerate() {
            judged.push(match atom.columns.as_slice() {
                [] => Judged::Constant(constant(&atom.expr, engine)?),
                [at] => {
                    let column = place(*at);
                    let cells = by_cell[column].iter().find(|(of, _)| *of == number).map(|(_, truth)| truth);
                    let cells = cells.ok_or_else(|| Error::bug("an atom was not judged"))?;
                    let truth = columns[column].example.iter().map(|&cell| cells[cell as usize]).collect();
                    Judged::One { column, truth }
                }
                several => {
                    let places: Vec<usize> = several.iter().map(|&at| place(at)).collect();
                    Judged::Several { truth: combinations(atom, &places, &columns, names, engine)?, columns: places }
                }
            });
        }
        Ok(Space { columns, tree, atoms: judged, keys, made: Cell::new(0) })
    }

    /// Columns that are taken to hold whole numbers only.
    pub(super) fn taken_as_whole(&self) -> Vec<&str> {
        self.columns.iter().filter(|column| column.line.is_taken_as_whole()).map(|column| column.line.name()).collect()
    }

    /// Whether rows of one group may differ.
    pub(super) fn looks_at_rows(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.side, Side::Rows { .. }))
    }

    /// The values of a combination of keys.
    pub(super) fn key_values(&self, key: &[u32]) -> Vec<Value> {
        self.keys.iter().zip(key).map(|(&at, &cell)| self.columns[at].line.value(cell)).collect()
    }

    /// What the box of a group has of the question; of one of its rows, where rows differ.
    pub(super) fn shares(&self, group: usize, row: Option<u32>) -> Result<Vec<Share>> {
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
            let truth =
                self.tree.as_ref().map_or(Truth::of(Some(true)), |tree| tree.judge(&|atom| self.truth(atom, &classes)));
            let key: Vec<u32> = self.keys.iter().map(|&at| self.columns[at].example[classes[at] as usize]).collect();
            // A key that the release does not list is none of the answers.
            let listed = self.keys.iter().zip(&key).all(|(&at, &cell)| cell != self.columns[at].line.elsewhere());
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
        Ok(found.into_iter().map(|(key, share)| Share { key, share, certain }).collect())
    }

    fn truth(&self, atom: usize, classes: &[u32]) -> Truth {
        match &self.atoms[atom] {
            Judged::Constant(truth) => *truth,
            Judged::One { column, truth } => truth[classes[*column] as usize],
            Judged::Several { columns, truth } => {
                let place = columns.iter().fold(0, |n, &at| n * self.columns[at].example.len() + classes[at] as usize);
                truth[place]
            }
        }
    }
}

impl<'a> Involved<'a> {
    fn new(
        line: Line,
        atoms: &[(usize, Vec<Truth>)],
        apart: bool,
        name: &str,
        boxed: &'a Boxed,
    ) -> Result<Involved<'a>> {
        let mut known: HashMap<Vec<Truth>, u32> = HashMap::new();
        let mut example = Vec::new();
        let of_cell: Vec<u32> = (0..line.len())
            .map(|cell| {
                let next = example.len() as u32;
                let mut fresh = || {
                    example.push(cell as u32);
                    next
                };
                if apart {
                    fresh()
                } else {
                    let truth = atoms.iter().map(|(_, truth)| truth[cell]).collect();
                    *known.entry(truth).or_insert_with(fresh)
                }
            })
            .collect();
        let side = if let Some(column) = boxed.quasi.iter().find(|column| column.column.name() == name) {
            Side::Boxes { of_group: &column.of_group, spreads: spreads(column, &line, &of_cell, example.len()) }
        } else {
            let shown = boxed.values.iter().find(|column| column.column.name() == name);
            let shown = shown.ok_or_else(|| Error::bug(format!("column {name} is nowhere")))?;
            let class = |code| line.cell_of(&shown.domain, code).map(|cell| of_cell[cell as usize]);
            let classes = (0..shown.domain.n_codes() as u32).map(class).collect::<Option<Vec<u32>>>();
            Side::Rows { shown, class_of_code: classes.ok_or_else(|| Error::bug("a kept value has no cell"))? }
        };
        Ok(Involved { line, example, side })
    }

    fn classes(&self, group: usize, row: Option<u32>) -> Cow<'_, [(u32, f64)]> {
        match (&self.side, row) {
            (Side::Boxes { of_group, spreads }, _) => spreads[of_group[group] as usize].as_slice().into(),
            (Side::Rows { shown, class_of_code }, Some(row)) => {
                vec![(class_of_code[shown.codes.get(row as usize) as usize], 1.0)].into()
            }
            (Side::Rows { .. }, None) => Vec::new().into(),
        }
    }
}

/// Digits after the point of the numbers of a column, ends of intervals and leaves of hierarchies included.
fn digits(name: &str, boxed: &Boxed) -> u8 {
    let of_text = |text: &str| Decimal::parse(text).map_or(0, |number| number.scale());
    if let Some(column) = boxed.quasi.iter().find(|column| column.column.name() == name) {
        let tree = column.column.hierarchy();
        let leaves = tree
            .map_or(0, |tree| (0..tree.leaves().len() as u32).map(|leaf| of_text(tree.value(leaf))).max().unwrap_or(0));
        let extent = match column.column.extent() {
            Extent::Numbers(Some((lo, hi))) => lo.scale().max(hi.scale()),
            _ => 0,
        };
        let ends = column.regions.iter().flatten().map(|region| match region {
            Region::Numbers(lo, hi) => lo.scale().max(hi.scale()),
            _ => 0,
        });
        return ends.max().unwrap_or(0).max(leaves).max(extent);
    }
    boxed.values.iter().find(|column| column.column.name() == name).map_or(0, |column| column.domain.scale())
}

/// The weight of each class in each text of a column.
fn spreads(column: &BoxColumn, line: &Line, of_cell: &[u32], n_classes: usize) -> Vec<Vec<(u32, f64)>> {
    let spread = |region: &Option<Region>| {
        let Some(region) = region else { return Vec::new() };
        let mut weights: Vec<Option<f64>> = vec![None; n_classes];
        for (cell, weight) in line.spread(region).cells {
            *weights[of_cell[cell as usize] as usize].get_or_insert(0.0) += weight;
        }
        (0u32..).zip(weights).filter_map(|(class, weight)| Some((class, weight?))).collect()
    };
    column.regions.iter().map(spread).collect()
}

/// The truth of an atom on all combinations of the values of its columns.
fn combinations(
    atom: &Atom,
    places: &[usize],
    columns: &[Involved<'_>],
    names: &Columns,
    engine: &Engine,
) -> Result<Vec<Truth>> {
    let sizes: Vec<usize> = places.iter().map(|&at| columns[at].example.len()).collect();
    let total = sizes.iter().try_fold(1usize, |all, &n| all.checked_mul(n)).filter(|&all| all <= MOST_COMBINATIONS);
    let Some(total) = total else {
        return Err(Error::request(
            "condition",
            atom.expr.to_string(),
            "these columns have too many values to compare",
        )
        .hint("join conditions on single columns by AND, OR and NOT"));
    };
    let mut arrays = Vec::with_capacity(places.len());
    let mut step = total;
    for ((&at, &size), &name) in places.iter().zip(&sizes).zip(&atom.columns) {
        step /= size;
        let cells = (0..total).map(|i| columns[at].example[i / step % size]);
        arrays.push((names.name(name), columns[at].line.array(cells)?));
    }
    let batch = engine::batch(arrays, total)?;
    let mut truth = truths(&engine.compile(&atom.expr, &batch.schema())?.evaluate(&batch)?);
    let mut step = total;
    for (&at, &size) in places.iter().zip(&sizes) {
        step /= size;
        let elsewhere = columns[at].line.elsewhere();
        for (i, truth) in truth.iter_mut().enumerate() {
            if columns[at].example[i / step % size] == elsewhere {
                *truth = Truth::ANY;
            }
        }
    }
    Ok(truth)
}

fn constant(expr: &datafusion::sql::sqlparser::ast::Expr, engine: &Engine) -> Result<Truth> {
    let batch = engine::batch(Vec::new(), 1)?;
    let truth = engine.compile(expr, &batch.schema())?.evaluate(&batch)?;
    Ok(truths(&truth)[0])
}

fn truths(array: &BooleanArray) -> Vec<Truth> {
    (0..array.len()).map(|i| Truth::of(array.is_valid(i).then(|| array.value(i)))).collect()
}
