//! Labels of kept columns that tell a sensitive value.
//!
//! A column need not determine a whole sensitive column to give people away: one label that only people with one illness have
//! is enough for these people. A label tells a value if at least ten people have the label, at least nine in ten of them have the value, and at
//! most half of all have it. Among people whose rows repeat, each is counted once; otherwise rows are. What most have is no secret worth a label, and of
//! fewer than ten people nothing is concluded.
//!
//! Among many labels some will by chance go with one value. By Chernoff's bound, at least h of n people have a value that a share p of all
//! has with a probability of at most 2^(-n D), if having it has nothing to do with the label; D is the divergence of the share h / n
//! from p in bits. A label tells only where this, times the number of labels that are looked at, is less than one in
//! a million.

use scumble_table::{Missing, NULL, RowClasses, Table, class_members};

/// The least number of people whose label is looked at.
const LEAST: u64 = 10;

/// Bits of surprise below which a label may go with a value by chance: one in a million.
const SURPRISE: f64 = 20.0;

/// Some rows of a table, and a sensitive column that labels are asked about.
pub(super) struct Telling<'a> {
    pub(super) table: &'a Table,
    pub(super) rows: &'a [u32],
    /// The sensitive column.
    pub(super) to: usize,
}

impl Telling<'_> {
    /// Whether each of the rows has a combination of labels of these columns that tells the value.
    pub(super) fn by(&self, from: &[usize]) -> Vec<bool> {
        let Telling { table, rows, to } = *self;
        let n = rows.len();
        let (codes, domain) = (table.column(to), &table.attribute(to).domain);
        let alikes = domain.look_alikes();
        let value = |at: usize| {
            let code = codes.get(rows[at] as usize);
            alikes.map_or(code, |alikes| alikes.representative(code))
        };
        let mut labels = RowClasses::new(n);
        for &column in from {
            let codes = table.column(column);
            labels.push(table.attribute(column).domain.n_codes(), |at| codes.get(rows[at] as usize));
        }
        let (label_of, n_labels) = labels.finish();
        let mut pairs = RowClasses::new(n);
        pairs.push(n_labels, |at| label_of[at]);
        pairs.push(domain.n_codes(), value);
        let (pair_of, n_pairs) = pairs.finish();
        let all = self.people(&vec![0; n], 1)[0];
        let with_label = self.people(&label_of, n_labels);
        let with_both = self.people(&pair_of, n_pairs);
        let values: Vec<u32> = (0..n).map(value).collect();
        let with_value = self.people(&values, domain.n_codes());
        let looked_at = with_label.iter().filter(|people| **people >= LEAST).count();
        let enough = SURPRISE + (looked_at.max(1) as f64).log2();
        let mut tells = vec![false; n_labels];
        for ((first, _), hits) in class_members(&pair_of, n_pairs).into_iter().zip(with_both) {
            let (label, value) = (label_of[first as usize] as usize, values[first as usize]);
            let (people, having) = (with_label[label], with_value[value as usize]);
            let is_secret = value != NULL || domain.missing() != Missing::Ignore;
            tells[label] |= is_secret
                && people >= LEAST
                && hits * 10 >= people * 9
                && having * 2 <= all
                && surprise(hits, people, having as f64 / all as f64) >= enough;
        }
        label_of.iter().map(|&label| tells[label as usize]).collect()
    }

    /// The people of each class of rows: rows, where everybody has one.
    fn people(&self, class_of: &[u32], n_classes: usize) -> Vec<u64> {
        let mut people = vec![0u64; n_classes];
        match self.table.persons().filter(|persons| persons.repeat()) {
            None => class_of.iter().for_each(|&class| people[class as usize] += 1),
            Some(persons) => {
                let mut pairs = RowClasses::new(class_of.len());
                pairs.push(n_classes, |at| class_of[at]);
                pairs.push(persons.n(), |at| persons.of(self.rows[at]));
                let (of_row, n) = pairs.finish();
                for (first, _) in class_members(&of_row, n) {
                    people[class_of[first as usize] as usize] += 1;
                }
            }
        }
        people
    }
}

/// Bits of surprise if at least `hits` of `n` have what a share `p` of all has; 0 where that is to be expected.
fn surprise(hits: u64, n: u64, p: f64) -> f64 {
    let q = hits as f64 / n as f64;
    if q <= p || p <= 0.0 {
        return 0.0;
    }
    let term = |q: f64, p: f64| if q > 0.0 { q * (q / p).log2() } else { 0.0 };
    n as f64 * (term(q, p) + term(1.0 - q, 1.0 - p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::{Attribute, Codes, Domain, Persons, Role, Schema};
    use std::sync::Arc;

    /// Rows of label, value and person.
    fn table(rows: &[(u32, u32, u32)], missing: Missing) -> Table {
        let attribute = |name: &str, role, n: u32| Attribute {
            name: name.into(),
            role,
            domain: Domain::nominal((0..n).map(|at| format!("l{at:03}").into()).collect()),
        };
        let most = |of: fn(&(u32, u32, u32)) -> u32| rows.iter().map(of).max().unwrap_or(0);
        let mut hidden = attribute("hidden", Role::Sensitive, most(|row| row.1));
        hidden.domain = hidden.domain.with_missing(missing);
        let schema = Schema::new(vec![attribute("kept", Role::Kept, most(|row| row.0)), hidden]).unwrap();
        let column = |of: fn(&(u32, u32, u32)) -> u32| rows.iter().map(of).collect::<Codes>();
        let keys = column(|row| row.2 + 1);
        let persons = Persons::from_keys(rows.len(), &[(&keys, most(|row| row.2) as usize + 2)]);
        let table = Table::new(schema, vec![column(|row| row.0), column(|row| row.1)], rows.len()).unwrap();
        table.with_persons(Arc::new(persons)).unwrap()
    }

    fn told(rows: &[(u32, u32, u32)], missing: Missing) -> usize {
        let table = table(rows, missing);
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        Telling { table: &table, rows: &all, to: 1 }.by(&[0]).into_iter().filter(|tells| *tells).count()
    }

    #[test]
    fn one_label_that_goes_with_one_value_tells_it() {
        // Of four hundred rows forty have the value 4, and these alone the label 2.
        let rows = |errors: u32| -> Vec<(u32, u32, u32)> {
            (0..400)
                .map(|row| match row % 10 {
                    0 if row / 10 < errors => (2, 1, row),
                    0 => (2, 4, row),
                    other => (1, 1 + other % 3, row),
                })
                .collect()
        };
        assert_eq!(told(&rows(0), Missing::Value), 40);
        assert_eq!(told(&rows(4), Missing::Value), 40);
        assert_eq!(told(&rows(5), Missing::Value), 0);
        // Fewer than ten.
        let few: Vec<_> = rows(0).into_iter().filter(|row| row.0 == 1 || row.2 < 90).collect();
        assert_eq!(told(&few, Missing::Value), 0);
        let ten: Vec<_> = rows(0).into_iter().filter(|row| row.0 == 1 || row.2 < 100).collect();
        assert_eq!(told(&ten, Missing::Value), 10);
        // What most have is told by nothing.
        let common: Vec<_> =
            (0..400).map(|row| (1 + row % 2, 1 + u32::from(row % 2 == 1 && row % 4 == 1), row)).collect();
        assert_eq!(told(&common, Missing::Value), 0);
        // Missing values are values, unless it is no secret who has none.
        let missing: Vec<_> = rows(0).iter().map(|row| (row.0, if row.1 == 4 { NULL } else { row.1 }, row.2)).collect();
        assert_eq!((told(&missing, Missing::Value), told(&missing, Missing::Ignore)), (40, 0));
    }

    #[test]
    fn people_are_counted_once() {
        // Forty rows with the label and the value are of four people.
        let rows: Vec<_> =
            (0..400).map(|row| if row % 10 == 0 { (2, 4, row / 10 % 4) } else { (1, 1 + row % 3, 4 + row) }).collect();
        assert_eq!(told(&rows, Missing::Value), 0);
    }

    /// On tables where labels and values are drawn apart, whatever their numbers are, nothing is told.
    #[test]
    fn chance_tells_nothing() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % n) as u32
        };
        for _ in 0..3000 {
            let n = 20 + below(400);
            let (labels, values) = (1 + u64::from(below(40)), 2 + u64::from(below(4)));
            let people = 1 + u64::from(below(n as u64 * 2));
            let rows: Vec<_> = (0..n).map(|_| (1 + below(labels), 1 + below(values), below(people))).collect();
            assert_eq!(told(&rows, Missing::Value), 0, "{n} {labels} {values} {people}");
        }
        // Half and half, with a thousand labels of ten rows: at least nine of ten go together in some.
        let rows: Vec<_> = (0..10_000).map(|row| (1 + row % 1000, 1 + below(2), row)).collect();
        assert_eq!(told(&rows, Missing::Value), 0);
    }
}
