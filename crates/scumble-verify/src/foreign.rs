//! Tables made by other tools: groups are the rows that look alike.

use super::distance::needs_distance;
use super::foreign_boxes::ForeignBoxes;
use super::requirements::{DistanceUsed, RequestedBy, RequirementCheck};
use super::{Census, GroupSizes, Verdict, VerifyOptions, against, levels, look_alikes, population};
use crate::mixture::points;
use scumble_principle::{Requirement, no_population};
use scumble_table::{Error, Result, Role, Schema, Table, class_members, number_of};

/// Judges a table whose groups are its equal tuples of quasi-identifiers, and tells the level it
/// reaches for every principle. Read quasi-identifiers as nominal, so that equal texts are equal and
/// nothing else is. Null is a value: rows that lack one are alike, and none is left out. Of the options, a source and
/// tables to be joined are things that only a release has.
pub fn verify_table(table: &Table, options: &VerifyOptions<'_>) -> Result<Verdict> {
    let quasi = table.schema().of_role(Role::Quasi);
    if quasi.is_empty() {
        return Err(Error::request("quasi", "", "a table has groups only where it has quasi-identifiers"));
    }
    let (row_group, n_groups) = points(table, &quasi);
    let sensitive = table.schema().of_role(Role::Sensitive);
    let schema = Schema::new(sensitive.iter().map(|&at| table.attribute(at).clone()).collect())?;
    let codes: Vec<_> = sensitive.iter().map(|&at| table.column(at)).collect();
    let mut census = Census::new(&row_group, n_groups, schema, &codes);
    if options.requirements.iter().chain(&options.against).any(needs_distance) {
        census = census.with_tuples(&row_group, &codes);
    }
    let groups = class_members(&row_group, n_groups);
    let mut verdict = Verdict::empty();
    verdict.rows = table.n_rows() as u64;
    verdict.groups = n_groups as u64;
    verdict.group_sizes = GroupSizes::from_sizes(groups.iter().map(|(_, size)| *size));
    verdict.note("groups", Ok(number_of(n_groups as u64, "group", "groups") + " of rows that look alike"));
    look_alikes::note(std::slice::from_ref(&census), &mut verdict);
    let name = |_: &Census, group: usize| format!("the group of row {}", groups[group].0 + 1);
    let check = RequirementCheck {
        monitor: options.monitor,
        censuses: std::slice::from_ref(&census),
        groups: "groups",
        name: &name,
    };
    let by = DistanceUsed::from(options.distance.as_ref());
    let (of_boxes, of_values): (Vec<Requirement>, Vec<Requirement>) =
        options.requirements.iter().cloned().partition(|one| one.principle().population().is_some());
    check.note(&of_values, by, RequestedBy::User, &mut verdict)?;
    if let Some(first) = of_boxes.first() {
        let population = options.population.ok_or_else(|| no_population(first))?;
        let boxes = ForeignBoxes::read(table, &groups)?;
        let found = population::judged(&boxes.boxes(), &of_boxes, population, options.monitor)?;
        for (found, requirement) in found.into_iter().zip(&of_boxes) {
            verdict.note(format!("require[{requirement}]"), found.verdict);
            verdict.attained.push(found.attained);
        }
    }
    verdict.against = against::judged(&check, &options.against, by)?;
    verdict.levels = levels::all(&[census]);
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::{Attribute, Codes, Domain};

    fn table(quasi: &[&[u32]], sensitive: &[u32]) -> Table {
        let attribute = |name: String, role, n: u32| Attribute {
            name,
            role,
            domain: Domain::nominal((0..n).map(|i| format!("v{i}").into()).collect()),
        };
        let mut attributes = Vec::new();
        let mut columns: Vec<Codes> = Vec::new();
        for (at, codes) in quasi.iter().enumerate() {
            attributes.push(attribute(format!("q{at}"), Role::Quasi, 9));
            columns.push(codes.iter().copied().collect());
        }
        attributes.push(attribute("s".into(), Role::Sensitive, 9));
        columns.push(sensitive.iter().copied().collect());
        Table::new(Schema::new(attributes).unwrap(), columns, sensitive.len()).unwrap()
    }

    #[test]
    fn groups_are_tuples_and_nulls_are_values() {
        let found = verify_table(
            &table(&[&[1, 1, 0, 0, 2], &[1, 1, 1, 1, 1]], &[1, 2, 1, 1, 3]),
            &VerifyOptions {
                requirements: vec!["k-anonymity(2)".parse().unwrap(), "distinct-l-diversity(1)".parse().unwrap()],
                ..VerifyOptions::default()
            },
        )
        .unwrap();
        assert_eq!((found.groups, found.group_sizes.min, found.ok), (3, 1, false));
        let failed: Vec<&str> = found.failures().map(|check| check.name.as_str()).collect();
        assert_eq!(failed, ["require[k-anonymity(2)]"]);
        assert!(found.failures().next().unwrap().detail.contains("1 of 3 groups fails; the group of row 5 has k 1"));
        assert_eq!(found.levels[0].requirement.as_deref(), Some("k-anonymity(1)"));
        assert!(found.levels.iter().any(|level| level.principle == "distinct-l-diversity"));
    }

    #[test]
    fn a_table_needs_quasi_identifiers() {
        assert!(verify_table(&table(&[], &[1, 2]), &VerifyOptions::default()).is_err());
    }
}
