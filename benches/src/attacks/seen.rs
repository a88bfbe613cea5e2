//! A release as an attacker sees it, in the codes of the people, and who is who, for keeping score.

use super::Failure;
use super::cell::Cell;
use super::people::{Column, People};
use scumble_release::notation::Region;
use scumble_release::{BoxColumn, CountedValues, PublishedTables, ShownColumn};
use scumble_table::{Decimal, Domain, Hierarchy};
use std::collections::BTreeMap;
use std::iter::repeat_n;

/// The kept column that numbers people for the one who keeps score.
pub const PERSON: &str = "person";

/// Published people in boxes, and values in batches. In releases other than angel's both are the groups.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Who each published row is. No attack may look at it but to keep score.
    pub person: Vec<u32>,
    /// Box of each row: in angel releases its bucket, in others its group.
    pub box_of: Vec<u32>,
    /// Batch of each row: in releases other than angel's its group.
    pub batch_of: Vec<u32>,
    /// Values of each batch with their numbers, by rising value.
    pub batches: Vec<Vec<(u32, u32)>>,
    /// Cells of each box, one for each quasi-identifier; empty where these are published as they are.
    pub boxes: Vec<Vec<Cell>>,
}

impl Seen {
    /// Puts the tables of a release into the codes of the people.
    ///
    /// # Errors
    /// If it shows a value that no person has.
    pub fn new(tables: &PublishedTables, people: &People, secret: &str) -> Result<Seen, Failure> {
        let secret = people.secret(secret)?;
        match tables {
            PublishedTables::Generalized(table) => {
                let values = by_name(&table.values, &secret.name)?;
                let counts = repeat_n(1, table.row_group.len());
                Ok(Seen {
                    person: persons(&table.values)?,
                    box_of: table.row_group.clone(),
                    batch_of: table.row_group.clone(),
                    batches: counted(table.sizes.len(), &table.row_group, values, counts, secret)?,
                    boxes: boxes(&table.quasi, table.sizes.len(), people)?,
                })
            }
            PublishedTables::Exact(tables) => {
                let grouping = tables.groupings.first().ok_or("no sensitive column")?;
                Ok(Seen {
                    person: persons(&tables.people)?,
                    box_of: grouping.row_group.clone(),
                    batch_of: grouping.row_group.clone(),
                    batches: batches(&grouping.sensitive, grouping.sizes.len(), secret)?,
                    boxes: Vec::new(),
                })
            }
            PublishedTables::Angel(tables) => {
                let view = tables.views.first().ok_or("no table of boxes")?;
                Ok(Seen {
                    person: persons(&view.boxed.values)?,
                    box_of: view.boxed.row_group.clone(),
                    batch_of: view.row_batch.clone(),
                    batches: batches(&tables.batches, tables.sizes.len(), secret)?,
                    boxes: boxes(&view.boxed.quasi, view.boxed.sizes.len(), people)?,
                })
            }
        }
    }

    /// Rows of each box.
    pub fn box_rows(&self) -> Vec<Vec<u32>> {
        gathered(&self.box_of)
    }

    /// Rows of each batch.
    pub fn batch_rows(&self) -> Vec<Vec<u32>> {
        gathered(&self.batch_of)
    }

    /// The share of a value in a batch.
    pub fn share(&self, batch: u32, value: u32) -> f64 {
        let values = &self.batches[batch as usize];
        let size: u32 = values.iter().map(|pair| pair.1).sum();
        let held = values.binary_search_by_key(&value, |pair| pair.0).map_or(0, |at| values[at].1);
        f64::from(held) / f64::from(size)
    }

    /// Some other truth that the release allows: a value for each row, drawn inside its batch. The control of every attack
    /// on values is scored against it.
    pub fn shuffled(&self, dice: &mut super::dice::Dice) -> Vec<u32> {
        let mut drawn = vec![0; self.person.len()];
        for (rows, values) in self.batch_rows().iter().zip(&self.batches) {
            let mut places: Vec<u32> = values.iter().flat_map(|&(v, n)| repeat_n(v, n as usize)).collect();
            dice.shuffle(&mut places);
            for (&row, value) in rows.iter().zip(places) {
                drawn[row as usize] = value;
            }
        }
        drawn
    }

    /// The truth: the value of each row.
    pub fn truth(&self, secret: &Column) -> Vec<u32> {
        self.person.iter().map(|&person| secret.codes[person as usize]).collect()
    }
}

fn gathered(of_row: &[u32]) -> Vec<Vec<u32>> {
    let n = of_row.iter().max().map_or(0, |&most| most as usize + 1);
    let mut rows = vec![Vec::new(); n];
    for (row, &at) in of_row.iter().enumerate() {
        rows[at as usize].push(row as u32);
    }
    rows
}

fn by_name<'a>(columns: &'a [ShownColumn], name: &str) -> Result<&'a ShownColumn, Failure> {
    columns.iter().find(|column| column.column.name() == name).ok_or_else(|| format!("no column {name}").into())
}

fn persons(columns: &[ShownColumn]) -> Result<Vec<u32>, Failure> {
    let column = by_name(columns, PERSON)?;
    column.codes.iter().map(|code| Ok(column.domain.text(code).parse()?)).collect()
}

/// For each code of a published domain the code of the people.
fn translated(domain: &Domain, column: &Column) -> Result<Vec<u32>, Failure> {
    let code_of = column.code_of();
    let mut map = vec![u32::MAX];
    for code in domain.codes() {
        let text = domain.text(code);
        map.push(*code_of.get(&*text).ok_or_else(|| format!("{}: a value that nobody has", column.name))?);
    }
    Ok(map)
}

/// Values of each group with their numbers; a row says how many people of its group have its value.
fn counted(
    n: usize,
    groups: &[u32],
    values: &ShownColumn,
    counts: impl Iterator<Item = u32>,
    secret: &Column,
) -> Result<Vec<Vec<(u32, u32)>>, Failure> {
    let map = translated(&values.domain, secret)?;
    let mut found: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); n];
    for ((&group, code), count) in groups.iter().zip(values.codes.iter()).zip(counts) {
        *found[group as usize].entry(map[code as usize]).or_default() += count;
    }
    Ok(found.into_iter().map(|values| values.into_iter().collect()).collect())
}

fn batches(set: &CountedValues, n: usize, secret: &Column) -> Result<Vec<Vec<(u32, u32)>>, Failure> {
    counted(n, &set.row_group, by_name(&set.values, &secret.name)?, set.counts.iter().copied(), secret)
}

fn boxes(quasi: &[BoxColumn], n: usize, people: &People) -> Result<Vec<Vec<Cell>>, Failure> {
    let mut boxes = vec![Vec::with_capacity(quasi.len()); n];
    for column in &people.quasi {
        let shown =
            quasi.iter().find(|shown| shown.column.name() == column.name).ok_or("a quasi-identifier is missing")?;
        let cells: Vec<Option<Cell>> = shown
            .regions
            .iter()
            .map(|region| region.as_ref().map(|region| cell(region, shown, column)).transpose())
            .collect::<Result<_, _>>()?;
        for (cells_of_box, &text) in boxes.iter_mut().zip(&shown.of_group) {
            cells_of_box.push(cells[text as usize].clone().ok_or("a box shows a text that covers nothing")?);
        }
    }
    Ok(boxes)
}

fn cell(region: &Region, shown: &BoxColumn, column: &Column) -> Result<Cell, Failure> {
    let code_of = column.code_of();
    let number = |value: &Decimal| -> Result<f64, Failure> { Ok(value.to_string().parse()?) };
    let label = |at: u32| -> Result<u32, Failure> {
        let labels = match shown.column.extent() {
            scumble_release::Extent::Labels(labels) => labels,
            _ => return Err("labels of a column that has none".into()),
        };
        let text = labels.get(at as usize).ok_or("a label beyond the domain")?;
        code_of.get(text.as_str()).copied().ok_or_else(|| format!("{}: a label that nobody has", column.name).into())
    };
    Ok(match region {
        Region::Numbers(low, high) if low == high => match code_of.get(low.to_string().as_str()) {
            Some(&code) => Cell::One(code),
            None => Cell::Range(number(low)?, number(high)?),
        },
        Region::Numbers(low, high) => Cell::Range(number(low)?, number(high)?),
        Region::Labels(places) => {
            let mut codes: Vec<u32> = places.iter().map(|&at| label(at)).collect::<Result<_, _>>()?;
            codes.sort_unstable();
            match codes.as_slice() {
                [one] => Cell::One(*one),
                _ => Cell::Labels(codes),
            }
        }
        Region::Positions(low, high) => Cell::Labels((*low..=*high).map(label).collect::<Result<_, _>>()?),
        Region::Node(id) => {
            let tree = shown.column.hierarchy().ok_or("a node without a hierarchy")?;
            node(tree, *id, &code_of)
        }
        Region::All => Cell::Any,
        Region::Null | Region::Days(..) => return Err("this program reads neither dates nor missing values".into()),
    })
}

fn node(tree: &Hierarchy, id: scumble_table::NodeId, code_of: &BTreeMap<&str, u32>) -> Cell {
    let node = tree.node(id);
    let leaves = &tree.leaves()[node.first_leaf as usize..node.end_leaf as usize];
    let mut codes: Vec<u32> = leaves.iter().filter_map(|&leaf| code_of.get(&*tree.node(leaf).label).copied()).collect();
    codes.sort_unstable();
    match (leaves.len(), codes.as_slice()) {
        (1, [one]) => Cell::One(*one),
        _ => Cell::Node(codes),
    }
}
