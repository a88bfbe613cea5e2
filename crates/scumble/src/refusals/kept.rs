//! Kept columns that give people away: published as they are, they tell people of a group apart, or say what the groups hide.
//!
//! **Narrowing.** The kept values of a person are known to anybody who knows the person, as the quasi-identifiers are. In the rows
//! of a group that agree in all kept columns there must be as many people as the requirements ask of a group. Columns that the publisher
//! judges harmless are ignored; the others count together. A group that is smaller by itself is no fault of theirs.
//!
//! **Determining.** A kept column determines another column if each of its labels goes with one value of that column. To be safe from a
//! single slip in the data, it is also said to determine where guessing the other column by it (the commonest value of each label)
//! goes wrong for at most one in a hundred of those rows for which guessing the commonest value of all goes wrong. A column with one value
//! only is determined by nothing, since nobody learns anything. Null is a value. Of exact quasi-identifiers there is nothing
//! left to determine; sensitive columns are looked at in every form.
//!
//! Columns that tell little one by one may tell all together, as two readings of blood pressure tell who has a high one. Where no
//! column determines another by itself, all of them are tried together on the rows that share their labels with another row: a
//! combination that one row has goes with one value whatever that is. Where fewer than half of the rows are left, nothing is concluded.
//! The publisher must judge all columns that are needed for it harmless, not some of them.
//!
//! **Telling.** One label that tells one sensitive value is enough; `telling.rs` says when it does. It is asked of each column, of all
//! together and, where there are few, of every two.

use super::telling::Telling;
use super::{least_people, others};
use crate::job::Plan;
use scumble_table::{Codes, Error, Monitor, Partition, Result, Role, RowClasses, Table, class_members, quoted_list};

/// A column still counts as determined with one wrong guess for this number of wrong guesses without the kept column.
const SLIPS: u64 = 100;

/// Every pair of kept columns is tried only up to this number of columns.
const PAIRED: usize = 6;

/// Refuses kept columns that determine a quasi-identifier or a sensitive column, or tell a sensitive value, among these rows or
/// among all.
pub(super) fn refuse_determining(table: &Table, plan: &Plan, rows: Option<&[u32]>, monitor: Monitor<'_>) -> Result<()> {
    let open = others(table, Role::Kept, &plan.accept_keep);
    if open.is_empty() {
        return Ok(());
    }
    let sensitive = table.schema().of_role(Role::Sensitive);
    let mut hidden = sensitive.clone();
    if !plan.method.is_exact() {
        hidden.extend(table.schema().of_role(Role::Quasi));
    }
    for &kept in &open {
        for &column in &hidden {
            monitor.check()?;
            if column_determines(table, kept, column, rows) {
                return Err(determined(table, &[kept], column));
            }
        }
    }
    let all_rows: Vec<u32>;
    let listed = match rows {
        Some(rows) => rows,
        None => {
            all_rows = (0..table.n_rows() as u32).collect();
            &all_rows
        }
    };
    for &column in &sensitive {
        let telling = Telling { table, rows: listed, to: column };
        for &kept in &open {
            monitor.check()?;
            let told = count(&telling.by(&[kept]));
            if told > 0 {
                return Err(tells(table, &[kept], column, told, listed.len()));
            }
        }
    }
    let kept = table.schema().of_role(Role::Kept);
    if kept.len() < 2 {
        return Ok(());
    }
    let accepted: Vec<usize> = kept.iter().copied().filter(|at| !open.contains(at)).collect();
    let mut sets = vec![kept.clone()];
    if open.len() > 1 && !accepted.is_empty() {
        sets.push(open.clone());
    }
    for &column in &hidden {
        // What the columns that were judged harmless tell by themselves is told, whatever other columns there are.
        let is_told = match accepted[..] {
            [] => false,
            [one] => column_determines(table, one, column, rows),
            _ => columns_determine(table, &accepted, column, rows),
        };
        for set in sets.iter().filter(|_| !is_told) {
            monitor.check()?;
            if columns_determine(table, set, column, rows) {
                let needed = least(set, &accepted, |set| columns_determine(table, set, column, rows));
                return Err(determined(table, &needed, column));
            }
        }
    }
    if (3..=PAIRED).contains(&kept.len()) {
        let pairs =
            kept.iter().enumerate().flat_map(|(at, &one)| kept[at + 1..].iter().map(move |&two| vec![one, two]));
        sets.extend(pairs.filter(|pair| pair.iter().any(|at| open.contains(at))));
    }
    for &column in &sensitive {
        let telling = Telling { table, rows: listed, to: column };
        let mut known = vec![false; listed.len()];
        let add = |known: &mut Vec<bool>, set: &[usize]| {
            known.iter_mut().zip(telling.by(set)).for_each(|(known, tells)| *known |= tells);
        };
        accepted.iter().for_each(|&one| add(&mut known, &[one]));
        if accepted.len() > 1 {
            add(&mut known, &accepted);
        }
        for set in &sets {
            loop {
                monitor.check()?;
                let told = |set: &[usize]| {
                    telling.by(set).iter().zip(&known).filter(|(tells, known)| **tells && !**known).count()
                };
                if told(set) == 0 {
                    break;
                }
                let needed = least(set, &accepted, |set| told(set) > 0);
                if needed.iter().any(|at| open.contains(at)) {
                    let told = told(&needed);
                    return Err(tells(table, &needed, column, told, listed.len()));
                }
                add(&mut known, &needed);
            }
        }
    }
    Ok(())
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|flag| **flag).count()
}

/// The refusal of columns a label of which tells a sensitive value. It names neither.
fn tells(table: &Table, kept: &[usize], column: usize, told: usize, rows: usize) -> Error {
    let names: Vec<&str> = kept.iter().map(|&at| table.attribute(at).name.as_str()).collect();
    let hidden = &table.attribute(column).name;
    let (labels, them) = match names.len() {
        1 => ("the label", "it"),
        _ => ("the labels of these columns together", "them"),
    };
    let people = if table.persons().is_some_and(|persons| persons.repeat()) { "people" } else { "rows" };
    let tell = if names.len() == 1 { "tells" } else { "tell" };
    let reason = format!(
        "in {told} of {rows} rows {labels} {tell} a value of the sensitive column `{hidden}`: at least nine in ten {people} that have {} \
         have that value, and at most half of all",
        if names.len() == 1 { "the label" } else { "these labels" }
    );
    let names = names.join(",");
    Error::request("keep", &names, reason).hint(format!(
        "leave {} out, or give {} the role of `{hidden}`; «accept_keep» {names} publishes {them} all the same",
        if kept.len() == 1 { "it" } else { "one of them" },
        if kept.len() == 1 { "it" } else { "one of them" },
    ))
}

fn determined(table: &Table, kept: &[usize], column: usize) -> Error {
    let names: Vec<&str> = kept.iter().map(|&at| table.attribute(at).name.as_str()).collect();
    let told = table.attribute(column);
    let role = match told.role {
        Role::Sensitive => "sensitive",
        Role::Quasi | Role::Kept => "quasi-identifying",
    };
    let (it, determines, them) = match names.len() {
        1 => ("it", "determines", "it"),
        _ => ("these columns together", "determine", "one of them"),
    };
    let reason = format!(
        "{it} {determines} the {role} column `{}`: whoever reads {} knows the value that the release is to hide",
        told.name,
        if names.len() == 1 { "it" } else { "them" }
    );
    let names = names.join(",");
    Error::request("keep", &names, reason).hint(format!(
        "leave {them} out, or give {them} the role of `{}`; «accept_keep» {names} publishes {} all the same",
        told.name,
        if kept.len() == 1 { "it" } else { "them" }
    ))
}

/// True if columns determine another together, by the rows that share their labels with another row.
fn columns_determine(table: &Table, from: &[usize], to: usize, rows: Option<&[u32]>) -> bool {
    let all: Vec<u32>;
    let rows = match rows {
        Some(rows) => rows,
        None => {
            all = (0..table.n_rows() as u32).collect();
            &all
        }
    };
    let mut keys = RowClasses::new(rows.len());
    for &column in from {
        let codes = table.column(column);
        keys.push(table.attribute(column).domain.n_codes(), |at| codes.get(rows[at] as usize));
    }
    let (class_of, n_classes) = keys.finish();
    let sizes: Vec<u32> = class_members(&class_of, n_classes).iter().map(|&(_, count)| count).collect();
    let shared: Vec<usize> = (0..rows.len()).filter(|&at| sizes[class_of[at] as usize] > 1).collect();
    if shared.len() * 2 < rows.len() {
        return false;
    }
    let codes = table.column(to);
    let labels: Codes = shared.iter().map(|&at| class_of[at]).collect();
    let values: Codes = shared.iter().map(|&at| codes.get(rows[at] as usize)).collect();
    determines((&labels, n_classes), (&values, table.attribute(to).domain.n_codes()), None, shared.len())
}

/// The columns of a set that are needed for what all of them do, at least two; those that may go first are tried first.
fn least(set: &[usize], first: &[usize], do_it: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let (early, late): (Vec<usize>, Vec<usize>) = set.iter().partition(|at| first.contains(at));
    let mut left = set.to_vec();
    for at in early.into_iter().chain(late) {
        let without: Vec<usize> = left.iter().copied().filter(|&one| one != at).collect();
        if without.len() > 1 && do_it(&without) {
            left = without;
        }
    }
    left
}

/// True if a column of a table determines another, among these rows or among all.
fn column_determines(table: &Table, from: usize, to: usize, rows: Option<&[u32]>) -> bool {
    let codes = |at: usize| (table.column(at), table.attribute(at).domain.n_codes());
    determines(codes(from), codes(to), rows, table.n_rows())
}

/// True if one column determines another. Each is given with the number of its codes.
pub(crate) fn determines(from: (&Codes, usize), to: (&Codes, usize), rows: Option<&[u32]>, n_rows: usize) -> bool {
    let n = rows.map_or(n_rows, <[u32]>::len);
    let row = |at: usize| rows.map_or(at, |rows| rows[at] as usize);
    let mut pairs = RowClasses::new(n);
    pairs.push(from.1, |at| from.0.get(row(at)));
    pairs.push(to.1, |at| to.0.get(row(at)));
    let (of_row, n_pairs) = pairs.finish();
    // Rows of the commonest value, of all and of each label.
    let (mut of_value, mut of_label) = (vec![0u64; to.1], vec![0u64; from.1]);
    for (first, count) in class_members(&of_row, n_pairs) {
        let at = row(first as usize);
        of_value[to.0.get(at) as usize] += u64::from(count);
        let most = &mut of_label[from.0.get(at) as usize];
        *most = (*most).max(count.into());
    }
    let wrong_without = n as u64 - of_value.iter().max().copied().unwrap_or(0);
    let wrong_with = n as u64 - of_label.iter().sum::<u64>();
    wrong_without > 0 && wrong_with * SLIPS <= wrong_without
}

/// True if a look at some of the rows shows already that one column does not determine another, of whose rows `wrong_without`
/// have another value than the commonest. Where nothing shows, `determines` says whether it does.
///
/// Two rows with one label and two values make at least one wrong guess, whichever value the label is taken for. Each row is put into
/// one such pair at most, so the pairs count guesses that go wrong.
pub(crate) fn cannot_determine(from: (&Codes, usize), to: (&Codes, usize), wrong_without: u64, n_rows: usize) -> bool {
    if wrong_without == 0 {
        return true;
    }
    // The value that more of the rows so far have than were paired, and how many more.
    let mut of_label = vec![(0u32, 0u32); from.1];
    let mut pairs = 0;
    for row in 0..n_rows {
        let (value, lead) = &mut of_label[from.0.get(row) as usize];
        let found = to.0.get(row);
        if *lead == 0 {
            (*value, *lead) = (found, 1);
        } else if *value == found {
            *lead += 1;
        } else {
            *lead -= 1;
            pairs += 1;
            if pairs * SLIPS > wrong_without {
                return true;
            }
        }
    }
    false
}

/// Refuses kept columns that leave somebody among fewer people than the requirements ask of a group.
pub(super) fn refuse_narrowing(table: &Table, plan: &Plan, groups: &Partition, monitor: Monitor<'_>) -> Result<()> {
    let kept = others(table, Role::Kept, &plan.accept_keep);
    if kept.is_empty() {
        return Ok(());
    }
    let k = least_people(table, plan);
    let smallest = least_cell(table, groups, &[]).least;
    let narrows = |columns: &[usize]| {
        let cell = least_cell(table, groups, columns);
        (cell.least < k.min(smallest)).then_some(cell)
    };
    monitor.check()?;
    let Some(together) = narrows(&kept) else { return Ok(()) };
    // One column alone is easier to do without than all of them.
    let mut alone = Vec::new();
    for &column in &kept {
        monitor.check()?;
        alone.extend(narrows(&[column]).map(|cell| (vec![column], cell)));
    }
    let (columns, cell) = alone.into_iter().next().unwrap_or((kept, together));
    let names: Vec<&str> = columns.iter().map(|&at| table.attribute(at).name.as_str()).collect();
    let members = if table.persons().is_some_and(|persons| persons.repeat()) { "people" } else { "rows" };
    let (it, leaves) = if names.len() == 1 { ("it", "leaves") } else { ("these columns together", "leave") };
    let reason = format!(
        "beside the groups {it} {leaves} somebody among {} where the requirements ask for {k}: {} of {} rows agree with fewer than {k} {members} \
         of their group in {}",
        cell.least,
        cell.rows_below(k),
        groups.rows().len(),
        quoted_list(&names, names.len())
    );
    Err(Error::request("keep", names.join(","), reason).hint(format!(
        "name {} in «quasi», or leave {} out; «accept_keep» publishes {} all the same, if nobody can know {} of a person",
        if names.len() == 1 { "it" } else { "them" },
        if names.len() == 1 { "it" } else { "one of them" },
        if names.len() == 1 { "it" } else { "them" },
        if names.len() == 1 { "it" } else { "them" },
    )))
}

/// The rows of a group that agree in some columns: how many people the smallest such cell has.
struct Cells {
    least: u64,
    /// People and rows of each cell.
    sizes: Vec<(u64, u64)>,
}

impl Cells {
    fn rows_below(&self, k: u64) -> u64 {
        self.sizes.iter().filter(|(people, _)| *people < k).map(|(_, rows)| rows).sum()
    }
}

fn least_cell(table: &Table, groups: &Partition, columns: &[usize]) -> Cells {
    let rows = groups.rows();
    let mut group_of = Vec::with_capacity(rows.len());
    for (group, members) in groups.groups().enumerate() {
        group_of.extend(std::iter::repeat_n(group as u32, members.len()));
    }
    let mut keys = RowClasses::new(rows.len());
    keys.push(groups.n_groups(), |at| group_of[at]);
    for &column in columns {
        let codes = table.column(column);
        keys.push(table.attribute(column).domain.n_codes(), |at| codes.get(rows[at] as usize));
    }
    let (cell_of, n) = keys.finish();
    let mut sizes: Vec<(u64, u64)> =
        class_members(&cell_of, n).iter().map(|&(_, rows)| (rows.into(), rows.into())).collect();
    if let Some(persons) = table.persons().filter(|persons| persons.repeat()) {
        let mut pairs = RowClasses::new(rows.len());
        pairs.push(n, |at| cell_of[at]);
        pairs.push(persons.n(), |at| persons.of(rows[at]));
        let (of_row, n_pairs) = pairs.finish();
        sizes.iter_mut().for_each(|size| size.0 = 0);
        for (first, _) in class_members(&of_row, n_pairs) {
            sizes[cell_of[first as usize] as usize].0 += 1;
        }
    }
    Cells { least: sizes.iter().map(|size| size.0).min().unwrap_or(0), sizes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use scumble_table::{Attribute, Domain, Persons, Schema};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    type Row = (u32, u32, u32, u32);

    /// Rows of group, kept value, hidden value and person.
    fn table(rows: &[Row]) -> (Table, Partition) {
        let labels: Vec<Box<str>> = (0..6).map(|n| format!("l{n}").into()).collect();
        let attribute =
            |name: &str, role| Attribute { name: name.into(), role, domain: Domain::nominal(labels.clone()) };
        let schema = Schema::new(vec![attribute("kept", Role::Kept), attribute("hidden", Role::Sensitive)]).unwrap();
        let column = |of: fn(&Row) -> u32| rows.iter().map(of).collect::<Codes>();
        let keys = column(|row| row.3 + 1);
        let persons = Arc::new(Persons::from_keys(rows.len(), &[(&keys, 20)]));
        let table = Table::new(schema, vec![column(|row| row.1), column(|row| row.2)], rows.len()).unwrap();
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            groups.entry(row.0).or_default().push(at as u32);
        }
        let (mut order, mut starts) = (Vec::new(), vec![0u32]);
        for members in groups.values() {
            order.extend(members);
            starts.push(order.len() as u32);
        }
        let partition = Partition::new(order, starts, rows.len()).unwrap();
        (table.with_persons(persons).unwrap(), partition)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// A look that ends early never denies what all rows say.
        #[test]
        fn what_cannot_be_is_not(
            rows in prop::collection::vec((0u32..3, 0u32..3, 0u32..60), 0..250),
            slips in 0u32..3,
        ) {
            // Nearly always the value follows from the label.
            let value = |row: &(u32, u32, u32)| if row.2 < slips { row.1 } else { row.0 };
            let (from, to): (Codes, Codes) = (rows.iter().map(|row| row.0).collect(), rows.iter().map(value).collect());
            let others = rows.len() as u64 - to.histogram(3).into_iter().max().unwrap_or(0);
            let told = determines((&from, 3), (&to, 3), None, rows.len());
            prop_assert!(!(told && cannot_determine((&from, 3), (&to, 3), others, rows.len())));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn cells_hold_as_many_people_as_defined(
            rows in prop::collection::vec((0u32..3, 0u32..4, 0u32..4, 0u32..9), 1..24),
        ) {
            let (table, groups) = table(&rows);
            let mut cells: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
            let mut whole: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for (group, kept, _, person) in &rows {
                cells.entry((*group, *kept)).or_default().insert(*person);
                whole.entry(*group).or_default().insert(*person);
            }
            let least = |sizes: &mut dyn Iterator<Item = usize>| sizes.min().unwrap() as u64;
            prop_assert_eq!(least_cell(&table, &groups, &[0]).least, least(&mut cells.values().map(BTreeSet::len)));
            prop_assert_eq!(least_cell(&table, &groups, &[]).least, least(&mut whole.values().map(BTreeSet::len)));
        }

        #[test]
        fn what_is_determined_is_as_defined(
            rows in prop::collection::vec((0u32..3, 0u32..4, 0u32..3, 0u32..9), 1..24),
        ) {
            let (table, _) = table(&rows);
            let mut by_label: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for row in &rows {
                by_label.entry(row.1).or_default().insert(row.2);
            }
            let values: BTreeSet<u32> = rows.iter().map(|row| row.2).collect();
            let defined = values.len() > 1 && by_label.values().all(|values| values.len() == 1);
            // So few rows have no room for a slip.
            prop_assert_eq!(column_determines(&table, 0, 1, None), defined);
        }
    }

    #[test]
    fn columns_that_tell_only_together_are_found() {
        // Of two readings each tells nothing, and whether they are equal is the hidden value; a third column tells nothing.
        let labels: Vec<Box<str>> = (0..3).map(|n| format!("l{n}").into()).collect();
        let attribute =
            |name: &str, role| Attribute { name: name.into(), role, domain: Domain::nominal(labels.clone()) };
        let schema = Schema::new(vec![
            attribute("noise", Role::Kept),
            attribute("upper", Role::Kept),
            attribute("lower", Role::Kept),
            attribute("hidden", Role::Sensitive),
        ]);
        let made = |n: u32, hidden: fn(u32) -> u32| {
            let column = |code: &dyn Fn(u32) -> u32| (0..n).map(|row| 1 + code(row)).collect::<Codes>();
            let columns =
                vec![column(&|row| row / 9 % 2), column(&|row| row % 3), column(&|row| row / 3 % 3), column(&hidden)];
            Table::new(schema.as_ref().unwrap().clone(), columns, n as usize).unwrap()
        };
        let told = made(180, |row| u32::from(row % 3 == row / 3 % 3));
        for alone in 0..3 {
            assert!(!column_determines(&told, alone, 3, None));
        }
        assert!(columns_determine(&told, &[0, 1, 2], 3, None));
        assert_eq!(least(&[0, 1, 2], &[], |set| columns_determine(&told, set, 3, None)), [1, 2]);
        assert!(!columns_determine(&told, &[0, 1], 3, None));
        let error = determined(&told, &[1, 2], 3).to_string();
        assert!(
            error.contains("upper,lower")
                && error.contains("these columns together determine the sensitive column `hidden`")
        );
        // Nothing is told where the values go with other things, or where nearly every row has labels of its own.
        assert!(!columns_determine(&made(180, |row| row / 18 % 2), &[0, 1, 2], 3, None));
        assert!(!columns_determine(&made(9, |row| row % 2), &[1, 2], 3, None));
        let rows: Vec<u32> = (0..18).collect();
        assert!(!columns_determine(&told, &[0, 1, 2], 3, Some(&rows)));
        assert!(columns_determine(&told, &[1, 2], 3, Some(&rows)));
    }

    #[test]
    fn a_slip_in_a_hundred_still_tells() {
        // 400 rows, two values, each label goes with one; then one and six rows are otherwise.
        let with_slips = |n: u32| -> Vec<Row> {
            (0..400).map(|row| (0, 1 + row % 2, if row < n { 2 - row % 2 } else { 1 + row % 2 }, row % 9)).collect()
        };
        let told = |n: u32| column_determines(&table(&with_slips(n)).0, 0, 1, None);
        assert!(told(0) && told(2) && !told(3));
        // A rare value that a column says nothing about is not told by it.
        let rare: Vec<Row> = (0..400).map(|row| (0, 1 + row % 2, 1 + u32::from(row < 4), row % 9)).collect();
        assert!(!column_determines(&table(&rare).0, 0, 1, None));
        // Of some rows only.
        let rows: Vec<u32> = (3..400).collect();
        assert!(column_determines(&table(&with_slips(3)).0, 0, 1, Some(&rows)));
        let constant: Vec<Row> = (0..10).map(|row| (0, row % 3, 1, row)).collect();
        assert!(!column_determines(&table(&constant).0, 0, 1, None));
    }
}
