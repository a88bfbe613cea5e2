//! Releases as their files show them, read by hand.

use super::naive::Belief;
use super::world::Row;
use std::collections::BTreeMap;
use std::path::Path;

/// One table of people: texts by column, and what each row tells of each sensitive column. Suppressed rows are left out.
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Row>,
    /// By sensitive column, then by row.
    pub(crate) tells: BTreeMap<String, Vec<Belief>>,
}

impl Shown {
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

pub(crate) const SENSITIVE: [&str; 2] = ["s", "t"];

/// The tables of people of a release.
pub(crate) fn read(release: &Path, method: &str) -> Vec<Shown> {
    match method {
        "generalize" => {
            let (columns, rows) = table(release, "table");
            let rows = without_stars(rows, 0);
            let tells = SENSITIVE.map(|name| {
                let at = columns.iter().position(|column| column == name).unwrap();
                (name.to_string(), rows.iter().map(|row| Belief::from([(row[at].clone(), 1.0)])).collect())
            });
            vec![Shown { name: String::new(), columns, rows, tells: tells.into() }]
        }
        "anatomy" => vec![by_number(release, "qit", "group", "st")],
        "permute" => vec![permuted(release)],
        _ => {
            let there = |name: &&str| release.join(format!("{name}.csv")).exists();
            let names: Vec<&str> = ["generalized", "marginal-n-l", "marginal-d"].into_iter().filter(there).collect();
            names.iter().map(|name| by_number(release, name, "batch", "batches")).collect()
        }
    }
}

/// People beside the number of a group or batch, whose values another table counts.
fn by_number(release: &Path, name: &str, number: &str, counts: &str) -> Shown {
    let (columns, rows) = table(release, name);
    let at = columns.iter().position(|column| column == number).unwrap();
    let rows = without_stars(rows, at);
    let (heading, counted) = table(release, counts);
    let place = |name: &str| heading.iter().position(|column| column == name).unwrap();
    let tells = SENSITIVE.map(|name| {
        let mut groups: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
        for row in &counted {
            let n: f64 = row[place("count")].parse().unwrap();
            groups.entry(&row[place(number)]).or_default().push((&row[place(name)], n));
        }
        let of = |row: &Row| shares(&groups[row[at].as_str()]);
        (name.to_string(), rows.iter().map(of).collect())
    });
    Shown { name: name.into(), columns, rows, tells: tells.into() }
}

/// Exact people; the values beside them are anybody's of the same group.
fn permuted(release: &Path) -> Shown {
    let (columns, rows) = table(release, "permuted");
    let tells = SENSITIVE.map(|name| {
        let own = format!("mapping-{name}");
        let file = if release.join(format!("{own}.csv")).exists() { own } else { "mapping".into() };
        let (_, mapping) = table(release, &file);
        let group: BTreeMap<&str, &str> = mapping.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
        let at = columns.iter().position(|column| column == name).unwrap();
        let mut groups: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
        rows.iter().for_each(|row| groups.entry(group[row[0].as_str()]).or_default().push((&row[at], 1.0)));
        (name.to_string(), rows.iter().map(|row| shares(&groups[group[row[0].as_str()]])).collect())
    });
    Shown { name: String::new(), columns, tells: tells.into(), rows }
}

fn shares(counts: &[(&str, f64)]) -> Belief {
    let all: f64 = counts.iter().map(|count| count.1).sum();
    let mut belief = Belief::new();
    counts.iter().for_each(|(value, n)| *belief.entry(value.to_string()).or_default() += n / all);
    belief
}

/// Suppressed rows show stars, and have no number of a group or batch.
fn without_stars(rows: Vec<Row>, number: usize) -> Vec<Row> {
    rows.into_iter().filter(|row| !row[number].is_empty()).collect()
}

fn table(release: &Path, name: &str) -> (Vec<String>, Vec<Row>) {
    let text = std::fs::read_to_string(release.join(format!("{name}.csv"))).unwrap();
    let mut lines = text.lines().map(cells);
    (lines.next().unwrap(), lines.collect())
}

/// The cells of a line; quotes stand around cells with commas.
fn cells(line: &str) -> Row {
    let (mut out, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out
}

/// Whether a published text of a column may stand for a value.
pub(crate) fn covers(column: &str, text: &str, value: &str) -> bool {
    if text == "*" || text == value {
        return true;
    }
    if value.is_empty() || text.is_empty() {
        return false;
    }
    if let Some(ends) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (lo, hi) = ends.split_once(',').unwrap();
        return match column {
            "n" => {
                let [lo, value, hi] = [lo, value, hi].map(|text| text.parse::<f64>().unwrap());
                lo <= value && value <= hi
            }
            _ => lo <= value && value <= hi,
        };
    }
    if let Some(labels) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return labels.split('|').any(|label| label == value);
    }
    matches!((column, text, value), ("l", "ab", "a" | "b") | ("l", "cd", "c" | "e"))
}
