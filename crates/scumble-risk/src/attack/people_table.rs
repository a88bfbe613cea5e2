//! A table of people as an attacker sees it: what each record shows in the known columns, and what it tells about
//! sensitive values.

use crate::Known;
use crate::group_counts::GroupCounts;
use scumble_release::notation::Region;
use scumble_release::{
    Boxed, GroupedValues, PlacedValues, PublishedColumn, PublishedTables, ReleaseData, SUPPRESSED, ShownColumn,
};
use scumble_table::{
    Code, Codes, CodesBuilder, Domain, Error, Monitor, Result, Role, Table, did_you_mean, quoted_list,
};

/// One table of people, without its suppressed records: these show nothing, and match no one. If they
/// matched everybody, the same number would be added to all, who would look safer than they are.
pub(crate) struct PeopleTable {
    /// Its name, where a release has several.
    pub(crate) name: Option<String>,
    pub(crate) n_rows: usize,
    pub(crate) n_suppressed: usize,
    /// The group of each record that shows boxes; empty where records show values.
    pub(crate) group_of_row: Vec<u32>,
    /// Those of the known columns that it has, by rising position among them.
    pub(crate) columns: Vec<KnownColumn>,
    pub(crate) sensitive: Vec<SensitiveColumn>,
}

/// A column that the attacker knows about people.
pub(crate) struct KnownColumn {
    /// Position among all known columns.
    pub(crate) at: usize,
    pub(crate) name: String,
    /// What each record shows.
    pub(crate) codes: Codes,
    pub(crate) n_codes: usize,
    pub(crate) means: CodeMeaning,
}

/// What the codes of a column stand for.
pub(crate) enum CodeMeaning {
    /// Values.
    Values(Domain),
    /// Generalized texts, with what each covers.
    Regions(Box<PublishedColumn>, Vec<Option<Region>>),
}

/// A sensitive column.
pub(crate) struct SensitiveColumn {
    pub(crate) name: String,
    pub(crate) domain: Domain,
    pub(crate) disclosure: Disclosure,
}

/// How a record tells of its sensitive value.
pub(crate) enum Disclosure {
    /// It shows the value.
    Value(Codes),
    /// It shows a group, or a batch, one of whose values it has.
    Group {
        /// Group of each record.
        of_row: Vec<u32>,
        groups: GroupCounts,
    },
}

impl PeopleTable {
    /// A table of data, which tells nothing but what it shows.
    pub(crate) fn from_data(table: &Table, known: &[String]) -> Result<Self> {
        let column = |(at, name): (usize, &String)| {
            let place = table.schema().position("known", name)?;
            let domain = table.attribute(place).domain.clone();
            let (codes, n_codes) = (table.column(place).clone(), domain.n_codes());
            Ok(KnownColumn { at, name: name.clone(), codes, n_codes, means: CodeMeaning::Values(domain) })
        };
        let columns = known.iter().enumerate().map(column).collect::<Result<_>>()?;
        let (group_of_row, sensitive) = (Vec::new(), Vec::new());
        Ok(PeopleTable { name: None, n_rows: table.n_rows(), n_suppressed: 0, group_of_row, columns, sensitive })
    }

    /// The tables of a release.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(crate) fn from_release(release: &ReleaseData, known: &[String], monitor: Monitor<'_>) -> Result<Vec<Self>> {
        monitor.check()?;
        match release.tables() {
            PublishedTables::Generalized(boxed) => {
                let rows = published(&boxed.row_group);
                let sensitive = boxed.values.iter().filter(|values| values.column.role() == Role::Sensitive);
                let sensitive = sensitive.map(|values| SensitiveColumn {
                    name: values.column.name().into(),
                    domain: values.domain.clone(),
                    disclosure: Disclosure::Value(values.codes.gather(&rows)),
                });
                Ok(vec![of_boxes(None, boxed, &rows, known, sensitive.collect())])
            }
            PublishedTables::Exact(exact) => {
                let n = exact.people.first().map_or(0, |column| column.codes.len());
                let rows = match exact.groupings.first() {
                    Some(set) => published(&set.row_group),
                    None => (0..n as u32).collect(),
                };
                let mut sensitive = Vec::new();
                for set in exact.groupings.iter().map(GroupedValues::placed) {
                    sensitive.extend(grouped_columns(&set, &set.row_group, &rows, monitor)?);
                }
                let columns = known.iter().enumerate().filter_map(|(at, name)| {
                    let column = exact.people.iter().find(|column| column.column.name() == name)?;
                    Some(exact_column(at, column, &rows))
                });
                let (n_rows, n_suppressed) = (rows.len(), n - rows.len());
                let (group_of_row, columns) = (Vec::new(), columns.collect());
                Ok(vec![PeopleTable { name: None, n_rows, n_suppressed, group_of_row, columns, sensitive }])
            }
            PublishedTables::Angel(angel) => {
                let several = angel.views.len() > 1;
                let batches = angel.placed();
                let view = angel.views.iter().map(|view| {
                    let rows = published(&view.row_batch);
                    let sensitive = grouped_columns(&batches, &view.row_batch, &rows, monitor)?;
                    Ok(of_boxes(several.then(|| view.name.clone()), &view.boxed, &rows, known, sensitive))
                });
                view.collect()
            }
        }
    }

    /// Some of the known columns, by their position in this table.
    pub(crate) fn known(&self, chosen: &[usize]) -> Vec<Known<'_>> {
        let known = |&at: &usize| Known { codes: &self.columns[at].codes, n_codes: self.columns[at].n_codes };
        chosen.iter().map(known).collect()
    }

    /// Those of a subset of the known columns that this table has, by their position in it.
    pub(crate) fn having(&self, subset: &[usize]) -> Vec<usize> {
        (0..self.columns.len()).filter(|&at| subset.contains(&self.columns[at].at)).collect()
    }
}

impl SensitiveColumn {
    /// How often each value is published, by its code.
    pub(crate) fn histogram(&self) -> Vec<u64> {
        match &self.disclosure {
            Disclosure::Value(codes) => codes.histogram(self.domain.n_codes()),
            Disclosure::Group { groups, .. } => groups.histogram(self.domain.n_codes()),
        }
    }
}

/// The sensitive columns of a set, for people in these groups.
fn grouped_columns(
    set: &PlacedValues,
    row_group: &[u32],
    rows: &[u32],
    monitor: Monitor<'_>,
) -> Result<Vec<SensitiveColumn>> {
    let column = |column: &ShownColumn| {
        monitor.check()?;
        let of_row = rows.iter().map(|&row| row_group[row as usize]).collect();
        let groups = GroupCounts::new(&set.place_group, column.codes.iter(), set.n_groups);
        Ok(SensitiveColumn {
            name: column.column.name().into(),
            domain: column.domain.clone(),
            disclosure: Disclosure::Group { of_row, groups },
        })
    };
    set.columns.iter().map(column).collect()
}

/// Rows that are not suppressed.
fn published(row_group: &[u32]) -> Vec<u32> {
    (0..row_group.len() as u32).filter(|&row| row_group[row as usize] != SUPPRESSED).collect()
}

fn of_boxes(
    name: Option<String>,
    boxed: &Boxed,
    rows: &[u32],
    known: &[String],
    sensitive: Vec<SensitiveColumn>,
) -> PeopleTable {
    let column = |(at, name): (usize, &String)| {
        if let Some(kept) = boxed.values.iter().find(|values| values.column.name() == name) {
            return Some(exact_column(at, kept, rows));
        }
        let boxes = boxed.quasi.iter().find(|boxes| boxes.column.name() == name)?;
        let n_codes = boxes.regions.len();
        let mut codes = CodesBuilder::new(n_codes.saturating_sub(1) as Code, rows.len());
        codes.extend(rows.iter().map(|&row| boxes.of_group[boxed.row_group[row as usize] as usize]));
        let means = CodeMeaning::Regions(Box::new(boxes.column.clone()), boxes.regions.clone());
        Some(KnownColumn { at, name: name.clone(), codes: codes.finish(), n_codes, means })
    };
    let columns = known.iter().enumerate().filter_map(column).collect();
    let n_suppressed = boxed.row_group.len() - rows.len();
    let group_of_row = rows.iter().map(|&row| boxed.row_group[row as usize]).collect();
    PeopleTable { name, n_rows: rows.len(), n_suppressed, group_of_row, columns, sensitive }
}

fn exact_column(at: usize, column: &ShownColumn, rows: &[u32]) -> KnownColumn {
    KnownColumn {
        at,
        name: column.column.name().into(),
        codes: column.codes.gather(rows),
        n_codes: column.domain.n_codes(),
        means: CodeMeaning::Values(column.domain.clone()),
    }
}

/// The known columns of a release: those that are named, or all quasi-identifiers.
///
/// # Errors
/// If a column is not there, or is sensitive: that is what the attacker wants to learn.
pub(crate) fn known_columns(columns: &[PublishedColumn], named: &[String]) -> Result<Vec<String>> {
    if named.is_empty() {
        let quasi = columns.iter().filter(|column| column.role() == Role::Quasi);
        return Ok(quasi.map(|column| column.name().into()).collect());
    }
    let names = columns.iter().filter(|column| column.role() != Role::Sensitive).map(PublishedColumn::name);
    let names: Vec<&str> = names.collect();
    for name in named {
        let refused = |reason: &str| Error::request("known", name, reason);
        match columns.iter().find(|column| column.name() == name).map(PublishedColumn::role) {
            Some(Role::Sensitive) => {
                return Err(refused("the column is sensitive: it is what the attacker wants to learn")
                    .hint(format!("name some of {}", quoted_list(&names, 30))));
            }
            Some(_) => {}
            None => {
                let hint = did_you_mean(name, &names, "the columns are");
                return Err(refused("the release has no such column").hint(hint));
            }
        }
    }
    Ok(named.to_vec())
}
