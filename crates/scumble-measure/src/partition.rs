//! A table and its partition measured in memory, without a release, for benchmarks and for searches that tune themselves.

use crate::{
    Anatomized, AngelTable, AngelTables, Axis, Boxes, Generalization, GroupValues, Loss, Microdata, Positions, Shape,
    loss_of_boxes,
};
use scumble_release::{Angel, SUPPRESSED};
use scumble_table::{Code, Decimal, Domain, Error, Kind, NULL, Partition, Result, Role, Table, parse_date};

/// A table with its groups. Quasi-identifiers are those of the table, in its order.
pub struct Partitioned<'a> {
    table: &'a Table,
    partition: &'a Partition,
    /// At least one.
    sensitive: Vec<usize>,
}

impl<'a> Partitioned<'a> {
    /// Measures by the named sensitive column.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn new(table: &'a Table, partition: &'a Partition, sensitive: &str) -> Result<Self> {
        Ok(Partitioned { table, partition, sensitive: vec![table.schema().position("sensitive", sensitive)?] })
    }

    /// Measures by all sensitive columns, of which queries may ask about several at once.
    ///
    /// # Errors
    /// If there is none.
    pub fn by_all(table: &'a Table, partition: &'a Partition) -> Result<Self> {
        match table.schema().of_role(Role::Sensitive) {
            none if none.is_empty() => Err(Error::request("sensitive", "", "no column is sensitive")),
            sensitive => Ok(Partitioned { table, partition, sensitive }),
        }
    }

    /// The source, for true answers.
    pub fn microdata(&self) -> Microdata {
        let quasi = self.quasi().map(|column| self.positions(column)).collect();
        Microdata::with_columns(quasi, self.sensitive_positions())
    }

    /// The table as `generalize` would publish it: minimal boxes and exact sensitive values.
    pub fn generalization(&self) -> Generalization {
        Generalization::new(self.quasi().map(|column| self.boxes(column)).collect(), self.groups())
    }

    /// The table as `anatomy` would publish it: exact quasi-identifiers, sensitive values by group.
    pub fn anatomy(&self) -> Anatomized {
        let quasi: Vec<Positions> = self.quasi().map(|column| self.positions(column)).collect();
        Anatomized::new(&quasi, &row_groups(self.partition), self.groups())
    }

    /// The table as `angel` would publish it with these batches, the groups being the buckets over all
    /// quasi-identifiers.
    ///
    /// # Panics
    /// If the batches and the groups are not of the same rows.
    pub fn angel(&self, batches: &Partition) -> AngelTables {
        let row_batch = row_groups(batches);
        let boxes: Vec<Boxes> = self.quasi().map(|column| self.boxes(column)).collect();
        let columns = (0..boxes.len()).collect();
        let n_buckets = self.partition.n_groups();
        let table =
            AngelTable::new(Angel::GENERALIZED, columns, boxes, n_buckets, &row_groups(self.partition), &row_batch);
        let groups = GroupValues::new(&row_batch, batches.n_groups(), &self.positions(self.sensitive[0]));
        AngelTables::new(vec![table], groups)
    }

    /// Loss and NCP of the boxes on the table's own domains.
    pub fn loss(&self) -> Loss {
        let boxes: Vec<Boxes> = self.quasi().map(|column| self.boxes(column)).collect();
        let sizes: Vec<u32> = self.partition.groups().map(|group| group.len() as u32).collect();
        loss_of_boxes(&boxes, &sizes, self.partition.n_suppressed() as u64)
    }

    fn quasi(&self) -> impl Iterator<Item = usize> + '_ {
        self.table.schema().of_role(Role::Quasi).into_iter()
    }

    fn sensitive_positions(&self) -> Vec<Positions> {
        self.sensitive.iter().map(|&column| self.positions(column)).collect()
    }

    fn positions(&self, column: usize) -> Positions {
        table_positions(self.table, column)
    }

    fn groups(&self) -> GroupValues {
        GroupValues::with_columns(&row_groups(self.partition), self.partition.n_groups(), &self.sensitive_positions())
    }

    fn boxes(&self, column: usize) -> Boxes {
        let attribute = self.table.attribute(column);
        let (axis, places) = line(&attribute.name, &attribute.domain);
        let codes = self.table.column(column);
        let mut members: Vec<Code> = Vec::new();
        let shapes = self.partition.groups().map(|rows| {
            members.clear();
            members.extend(rows.iter().map(|&row| codes.get(row as usize)));
            members.sort_unstable();
            members.dedup();
            shape(&axis, &places, &attribute.domain, &members)
        });
        let shapes = shapes.collect();
        Boxes::one_each(axis, shapes)
    }
}

/// The rows of a table on the line of a column.
pub(super) fn table_positions(table: &Table, column: usize) -> Positions {
    let attribute = table.attribute(column);
    let (axis, places) = line(&attribute.name, &attribute.domain);
    Positions::from_codes(axis, &places, table.column(column).iter())
}

/// The number of each code of a domain; nothing where a code has none.
pub(super) fn code_numbers(domain: &Domain) -> Vec<Option<i128>> {
    (0..domain.n_codes() as Code).map(|code| domain.number(code)).collect()
}

/// The group of each row of a partition, or [`SUPPRESSED`].
pub fn row_groups(partition: &Partition) -> Vec<u32> {
    let mut row_group = vec![SUPPRESSED; partition.n_rows()];
    for (group, rows) in (0..).zip(partition.groups()) {
        rows.iter().for_each(|&row| row_group[row as usize] = group);
    }
    row_group
}

/// The axis of a domain and the place of each code. Labels under a hierarchy lie in its leaf order.
fn line(name: &str, domain: &Domain) -> (Axis, Vec<f64>) {
    let codes = 0..domain.n_codes() as Code;
    let labelled = |n: usize| match domain.kind() {
        Kind::Nominal => Axis::nominal(name, n),
        _ => Axis::labels(name, n),
    };
    match (domain.kind(), domain.hierarchy()) {
        (Kind::Ordinal | Kind::Nominal, Some(tree)) => {
            let places = codes.map(|code| domain.leaf(code).map_or(f64::NAN, f64::from));
            (labelled(tree.leaves().len()), places.collect())
        }
        (Kind::Ordinal | Kind::Nominal, None) => {
            (labelled(domain.len()), codes.map(|code| domain.place(code)).collect())
        }
        (Kind::Number | Kind::Date, _) => {
            let places: Vec<f64> = codes.map(|code| domain.place(code)).collect();
            let (lo, hi) = if domain.is_empty() { (0.0, 0.0) } else { (places[1], places[domain.len()]) };
            (Axis::between(name, domain.is_discrete(), lo, hi), places)
        }
    }
}

/// The least box of the members of a group, which rise.
fn shape(axis: &Axis, places: &[f64], domain: &Domain, members: &[Code]) -> Shape {
    let (Some(&low), Some(&high)) = (members.first(), members.last()) else { return Shape::null(axis) };
    let place = |code: Code| places[code as usize];
    match domain.hierarchy() {
        _ if high == NULL => Shape::null(axis),
        _ if low == NULL => Shape::all(axis),
        _ if low == high => Shape::interval(axis, place(low), place(low)),
        Some(tree) => {
            let leaves = || members.iter().filter_map(|&code| domain.leaf(code));
            let node = tree.node(tree.lowest_over(leaves().min().unwrap_or(0), leaves().max().unwrap_or(0)));
            let below = (node.first_leaf..node.end_leaf).filter_map(|leaf| match domain.kind() {
                Kind::Number => Decimal::parse(tree.value(leaf)).map(Decimal::to_f64),
                Kind::Date => parse_date(tree.value(leaf)).map(f64::from),
                Kind::Ordinal | Kind::Nominal => Some(f64::from(leaf)),
            });
            Shape::set(axis, below.filter(|place| (axis.lo..=axis.hi).contains(place)).collect())
        }
        None if domain.kind() == Kind::Nominal => Shape::set(axis, members.iter().map(|&code| place(code)).collect()),
        None => Shape::interval(axis, place(low), place(high)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answers;
    use crate::workload::Workload;
    use scumble_table::{Attribute, Codes, Monitor, Schema};

    /// Ages 1..=8, cities a to d, pay 10..=80, in groups of two.
    fn table() -> Table {
        let attribute = |name: &str, role, domain| Attribute { name: name.into(), role, domain };
        let numbers =
            |values: std::ops::RangeInclusive<i64>| Domain::numbers(values.map(Decimal::from).collect()).unwrap();
        let schema = Schema::new(vec![
            attribute("age", Role::Quasi, numbers(1..=8)),
            attribute("city", Role::Quasi, Domain::nominal(["a", "b", "c", "d"].map(Into::into).to_vec())),
            attribute("pay", Role::Sensitive, numbers(10..=17)),
        ])
        .unwrap();
        let columns: Vec<Codes> = vec![
            (1..=8).collect(),
            [1, 1, 1, 3, 2, 2, 4, 0].into_iter().collect(),
            [8, 1, 7, 2, 6, 3, 5, 4].into_iter().collect(),
        ];
        Table::new(schema, columns, 8).unwrap()
    }

    #[test]
    fn boxes_are_minimal() {
        let table = table();
        let partition = Partition::new((0..8).collect(), vec![0, 2, 4, 6, 8], 8).unwrap();
        let measured = Partitioned::new(&table, &partition, "pay").unwrap();
        let loss = measured.loss();
        // Two of eight ages each; one, two, one and all four cities.
        assert_eq!((loss.by_attribute[0].loss, loss.by_attribute[1].loss), (0.25, 0.5));
        assert!((loss.by_attribute[1].ncp - (1.0 / 3.0 + 1.0) / 4.0).abs() < 1e-12);
        assert!(Partitioned::new(&table, &partition, "pya").is_err());
    }

    #[test]
    fn exact_groups_answer_exactly() {
        let table = table();
        let partition = Partition::new((0..8).collect(), (0..=8).collect(), 8).unwrap();
        let measured = Partitioned::new(&table, &partition, "pay").unwrap();
        for w in [2, 3] {
            let answers = Answers::new(
                Workload { s: 0.3, queries: 200, ..Workload::new(w) },
                &measured.microdata(),
                Monitor::silent(),
            )
            .unwrap();
            assert!(answers.without_answer() < 200 && answers.mean_answer().is_some());
            let (uniform, ends) = answers.generalization_errors(&measured.generalization(), Monitor::silent()).unwrap();
            let angel = answers.angel_errors(&measured.angel(&partition), Monitor::silent()).unwrap();
            for errors in [
                uniform,
                ends,
                answers.anatomy_errors(&measured.anatomy(), Monitor::silent()).unwrap(),
                angel.0,
                angel.1,
            ] {
                assert_eq!(errors.map(|errors| (errors.mean, errors.signed_mean)), Some((0.0, 0.0)));
            }
        }
    }
}
