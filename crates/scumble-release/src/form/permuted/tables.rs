//! The names of the tables of a permuted release, which follow from its columns.

use super::Permuted;
use crate::manifest::Manifest;
use scumble_table::{Kind, Role};

/// The tables besides the one of people, in the order in which they are written. Columns are named by their position
/// among the sensitive columns of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermutedTables {
    /// Tables that map people to groups, each with the columns that were shuffled inside these groups.
    pub mappings: Vec<(String, Vec<usize>)>,
    /// Tables of bounds, each with its column. A single sensitive column always has one; of several, those that
    /// are numbers have.
    pub helps: Vec<(String, usize)>,
}

impl PermutedTables {
    /// The tables of a release with these sensitive columns, which share their groups or have groups of their own.
    pub fn new(sensitive: &[(&str, Kind)], together: bool) -> Self {
        let names: Vec<&str> = sensitive.iter().map(|(name, _)| *name).collect();
        let all = 0..names.len();
        let mappings = if together || names.len() == 1 {
            vec![(table_name(Permuted::MAPPING, &names, None), all.clone().collect())]
        } else {
            all.clone().map(|at| (table_name(Permuted::MAPPING, &names, Some(at)), vec![at])).collect()
        };
        let helps = if names.len() == 1 {
            vec![(table_name(Permuted::HELP, &names, None), 0)]
        } else {
            let numbers = all.filter(|&at| sensitive[at].1 == Kind::Number);
            numbers.map(|at| (table_name(Permuted::HELP, &names, Some(at)), at)).collect()
        };
        PermutedTables { mappings, helps }
    }

    /// The tables that a manifest promises: its sensitive columns share their groups where it names one table
    /// `mapping` for all.
    pub fn from_manifest(manifest: &Manifest) -> Self {
        let sensitive: Vec<(&str, Kind)> =
            manifest.of_role(Role::Sensitive).map(|column| (column.name.as_str(), column.kind)).collect();
        PermutedTables::new(&sensitive, manifest.tables.iter().any(|table| table.name == Permuted::MAPPING))
    }

    /// Names of all tables, that of people first.
    pub fn names(&self) -> Vec<String> {
        let mappings = self.mappings.iter().map(|(name, _)| name);
        let helps = self.helps.iter().map(|(name, _)| name);
        std::iter::once(Permuted::PEOPLE.to_string()).chain(mappings.chain(helps).cloned()).collect()
    }
}

/// `help`, or `help-<column>` where a column is given. A column whose name could not be that of a file everywhere
/// goes by its number among the sensitive columns: `help-column-2`.
pub(in crate::form) fn table_name(kind: &str, sensitive: &[&str], column: Option<usize>) -> String {
    let Some(at) = column else { return kind.into() };
    let name = sensitive[at];
    let numbered = |name: &str| name.len() > NUMBERED.len() && name[..NUMBERED.len()].eq_ignore_ascii_case(NUMBERED);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    // Some file systems take `Pay` and `pay` for one name.
    let alone = sensitive.iter().filter(|other| other.eq_ignore_ascii_case(name)).count() == 1;
    if !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain) && alone && !numbered(name) {
        format!("{kind}-{name}")
    } else {
        format!("{kind}-{NUMBERED}{}", at + 1)
    }
}

/// How the names of numbered columns begin; a column whose own name begins like it is numbered too.
const NUMBERED: &str = "column-";

/// Most systems allow 255 bytes in the name of a file.
const LONGEST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_column_has_plain_names() {
        for together in [false, true] {
            let tables = PermutedTables::new(&[("a b", Kind::Nominal)], together);
            assert_eq!(tables.names(), ["permuted", "mapping", "help"]);
        }
    }

    #[test]
    fn several_columns_share_a_mapping_or_have_their_own() {
        let columns = [("pay", Kind::Number), ("illness", Kind::Nominal), ("debt", Kind::Number)];
        let together = PermutedTables::new(&columns, true);
        assert_eq!(together.names(), ["permuted", "mapping", "help-pay", "help-debt"]);
        assert_eq!(together.mappings[0].1, [0, 1, 2]);
        let apart = PermutedTables::new(&columns, false);
        assert_eq!(apart.mappings.iter().map(|(_, columns)| columns[0]).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(
            apart.names(),
            ["permuted", "mapping-pay", "mapping-illness", "mapping-debt", "help-pay", "help-debt"]
        );
    }

    #[test]
    fn names_that_no_file_can_have_become_numbers() {
        let long = "x".repeat(300);
        let names = ["pay", "Pay", "../x", "column-1", "größe", "", &long, "a.b", "COLUMN-x", "debt"];
        let found: Vec<String> = (0..names.len()).map(|at| table_name("help", &names, Some(at))).collect();
        let numbers: Vec<String> = (1..=9).map(|n| format!("help-column-{n}")).collect();
        assert_eq!(found[..9], numbers);
        assert_eq!(found[9], "help-debt");
    }
}
