//! Widths of bounds worked out from groups alone, without questions.

use scumble_table::{Partition, Role, Table};

/// The sum over groups of the mean width of the bounds of a sum over none to all of their rows.
pub fn expected_width(table: &Table, partition: &Partition) -> f64 {
    let width = |numbers: &Vec<f64>| {
        let n = numbers.len() as f64;
        let pairs = numbers.iter().enumerate().map(|(i, x)| x * (2.0 * i as f64 + 1.0 - n)).sum::<f64>();
        pairs / (n + 1.0)
    };
    numbers(table, partition).iter().map(width).sum()
}

/// The numbers of each group, rising.
pub fn numbers(table: &Table, partition: &Partition) -> Vec<Vec<f64>> {
    let sensitive = table.schema().of_role(Role::Sensitive)[0];
    let domain = &table.attribute(sensitive).domain;
    let of = |rows: &[u32]| {
        let number = |&row: &u32| domain.place(table.column(sensitive).get(row as usize));
        let mut numbers: Vec<f64> = rows.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    partition.groups().map(of).collect()
}

/// The mean width of the bounds of an average over all sets of `m` people, relative to the mean of all: exact but for
/// that, with no questions drawn. Of a group of N, h people are selected with the hypergeometric probability.
pub fn by_chance(groups: &[Vec<f64>], m: usize) -> f64 {
    let n: usize = groups.iter().map(Vec::len).sum();
    let mut logs = vec![0.0f64];
    (1..=n).for_each(|i| logs.push(logs[i - 1] + (i as f64).ln()));
    let choose = |n: usize, k: usize| logs[n] - logs[k] - logs[n - k];
    let mut total = 0.0;
    for group in groups {
        let mut width = 0.0;
        for h in 1..=group.len().min(m) {
            width += group[group.len() - h] - group[h - 1];
            if m - h <= n - group.len() {
                let log = choose(group.len(), h) + choose(n - group.len(), m - h) - choose(n, m);
                total += log.exp() * width;
            }
        }
    }
    let mean = groups.iter().flatten().sum::<f64>() / n as f64;
    total / (m as f64 * mean)
}
