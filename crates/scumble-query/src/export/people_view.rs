//! The view `people`: what is known of each person, and in which group the rest is. An angel release has one for each of
//! its tables of boxes.

use super::names::derived;
use super::ranges::{LOWER, UPPER, VALUE};
use crate::rewrite::quoted;
use crate::sql_names::{SqlNames, plain};
use scumble_release::{
    Anatomy, Angel, BATCH, GROUP, Generalized, Method, Permuted, PermutedTables, PublishedColumn, ReleaseReader, TUPLE,
};
use scumble_table::Role;

/// The name of the view.
pub(crate) const PEOPLE: &str = "people";

/// A view over one table and tables that are joined to it.
pub(crate) struct PeopleView {
    pub(crate) name: String,
    pub(crate) about: String,
    /// Expressions with their names and what they are.
    pub(crate) columns: Vec<(String, String, String)>,
    /// The table, which goes by `p`.
    table: String,
    /// Further tables with their aliases and conditions.
    joins: Vec<Join>,
    /// Which rows of the table are people.
    filter: Option<String>,
    /// The column of each sensitive column's group, by name; boxes have none.
    pub(crate) group_of: Vec<(String, String)>,
}

struct Join {
    how: &'static str,
    table: String,
    alias: String,
    on: String,
}

impl PeopleView {
    fn new(table: &str, about: impl Into<String>, columns: Vec<(String, String, String)>) -> PeopleView {
        let (name, about, table) = (PEOPLE.into(), about.into(), table.into());
        PeopleView { name, about, columns, table, joins: Vec::new(), filter: None, group_of: Vec::new() }
    }

    /// The views of a release, with names that are not `taken`; the first goes by [`PEOPLE`]. `ranges` names the tables of
    /// ends by column, and `shown` the columns of each table of boxes of an angel release.
    pub(super) fn for_release(
        release: &ReleaseReader,
        ranges: &[(String, String)],
        shown: &[(String, Vec<String>)],
        sql_names: &SqlNames,
        taken: &mut Vec<String>,
    ) -> Vec<PeopleView> {
        let all: Vec<String> = release.columns().iter().map(|column| column.name().to_string()).collect();
        let mut views = match release.manifest().method {
            Method::Permute => vec![PeopleView::permuted(release)],
            Method::Generalize => vec![PeopleView::boxed(release, Generalized::TABLE, GROUP, &all, ranges)],
            Method::Anatomy => vec![PeopleView::anatomy(release)],
            Method::Angel => shown
                .iter()
                .map(|(table, columns)| {
                    let mut people = PeopleView::boxed(release, table, BATCH, columns, ranges);
                    if let Some(of) = table.strip_prefix(Angel::MARGINAL) {
                        people.name = derived(&format!("{PEOPLE}_"), &plain(of), "", taken);
                    }
                    people
                })
                .collect(),
        };
        for view in &mut views {
            view.table = sql_names.of(&view.table);
            view.joins.iter_mut().for_each(|join| join.table = sql_names.of(&join.table));
        }
        views
    }

    /// The statement that gives its rows; `name` tells how tables are called.
    pub(crate) fn select(&self, name: &dyn Fn(&str) -> String) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|(expression, title, _)| format!("    {expression} AS {}", quoted(title)))
            .collect();
        let mut sql = format!("SELECT\n{}\nFROM {} p", columns.join(",\n"), name(&self.table));
        for Join { how, table, alias, on } in &self.joins {
            sql.push_str(&format!("\n{how} {} {alias} ON {on}", name(table)));
        }
        if let Some(filter) = &self.filter {
            sql.push_str(&format!("\nWHERE {filter}"));
        }
        sql
    }

    fn permuted(release: &ReleaseReader) -> PeopleView {
        let plan = PermutedTables::from_manifest(release.manifest());
        let sensitive: Vec<&str> =
            of_role(release, |role| role == Role::Sensitive).map(PublishedColumn::name).collect();
        let mut columns = shown(release);
        let mut taken: Vec<String> = columns.iter().map(|(_, title, _)| title.clone()).collect();
        let mut joins = Vec::new();
        let mut group_of = Vec::new();
        for (at, (table, members)) in plan.mappings.iter().enumerate() {
            let alias = format!("m{}", at + 1);
            let title = match members.as_slice() {
                [one] if plan.mappings.len() > 1 => derived("group_", sensitive[*one], "", &mut taken),
                _ => GROUP.to_string(),
            };
            let names: Vec<&str> = members.iter().map(|&member| sensitive[member]).collect();
            let about = format!("group of {}", names.join(", "));
            columns.push((format!("{alias}.{}", quoted(GROUP)), title.clone(), about));
            group_of.extend(names.iter().map(|name| (name.to_string(), title.clone())));
            let on = format!("{alias}.{0} = p.{0}", quoted(TUPLE));
            joins.push(Join { how: "JOIN", table: table.clone(), alias, on });
        }
        let about = "people with exact quasi-identifiers and the groups that their sensitive values are somewhere in";
        PeopleView { joins, group_of, ..PeopleView::new(Permuted::PEOPLE, about, columns) }
    }

    fn anatomy(release: &ReleaseReader) -> PeopleView {
        let mut columns = shown(release);
        columns.push((format!("p.{}", quoted(GROUP)), GROUP.into(), "group of the sensitive values".into()));
        let about = "people with exact quasi-identifiers and the group that their sensitive values are somewhere in";
        let sensitive = of_role(release, |role| role == Role::Sensitive);
        PeopleView {
            filter: Some(format!("p.{} IS NOT NULL", quoted(GROUP))),
            group_of: sensitive.map(|column| (column.name().to_string(), GROUP.to_string())).collect(),
            ..PeopleView::new(Anatomy::PEOPLE, about, columns)
        }
    }

    /// The rows of a table of boxes that have a number, of a group or a batch, with the ends of their boxes.
    fn boxed(
        release: &ReleaseReader,
        table: &str,
        number: &str,
        shown: &[String],
        ranges: &[(String, String)],
    ) -> PeopleView {
        let mut taken: Vec<String> = release.columns().iter().map(|column| column.name().to_string()).collect();
        taken.push(number.into());
        let (of_number, what) = match number == BATCH {
            true => {
                ("batch of the sensitive values", "people and the batch that their sensitive values are somewhere in")
            }
            false => ("rows of a group look alike", "rows with exact sensitive values"),
        };
        let mut columns = vec![(format!("p.{}", quoted(number)), number.to_string(), of_number.to_string())];
        let mut joins = Vec::new();
        for column in release.columns().iter().filter(|column| shown.iter().any(|name| name == column.name())) {
            let own = format!("p.{}", quoted(column.name()));
            columns.push((own.clone(), column.name().into(), format!("{} column", column.role())));
            let Some((_, table)) = ranges.iter().find(|(of, _)| of == column.name()) else { continue };
            let alias = format!("r{}", joins.len() + 1);
            for (end, what) in [(LOWER, "least"), (UPPER, "greatest")] {
                let title = derived("", column.name(), &format!("_{end}"), &mut taken);
                let about = format!("the {what} that {} may be", column.name());
                columns.push((format!("{alias}.{}", quoted(end)), title, about));
            }
            let on = format!("{alias}.{} = {own}", quoted(VALUE));
            joins.push(Join { how: "LEFT JOIN", table: table.clone(), alias, on });
        }
        let about =
            format!("{what}; a quasi-identifying number or date lies somewhere from its lower to its upper end");
        let filter = Some(format!("p.{} IS NOT NULL", quoted(number)));
        PeopleView { joins, filter, ..PeopleView::new(table, about, columns) }
    }
}

fn of_role(release: &ReleaseReader, wanted: impl Fn(Role) -> bool) -> impl Iterator<Item = &PublishedColumn> {
    release.columns().iter().filter(move |column| wanted(column.role()))
}

/// Columns that are exact for each person.
fn shown(release: &ReleaseReader) -> Vec<(String, String, String)> {
    let columns = of_role(release, |role| role != Role::Sensitive);
    columns
        .map(|column| {
            (format!("p.{}", quoted(column.name())), column.name().into(), format!("{} column, exact", column.role()))
        })
        .collect()
}
