//! A table of people as an attacker sees it: what each record shows in the known columns, and what it tells about
//! sensitive values.

use super::super::classes::Known;
use super::groups::Groups;
use scumble_release::notation::Region;
use scumble_release::{BoxTable, Boxed, GroupedValues, PlacedValues, PublishedTables, ReleaseData, ShownColumn};
use scumble_release::{PublishedColumn, SUPPRESSED};
use scumble_table::{Code, Codes, CodesBuilder, Domain, Error, Result, Role, Table, did_you_mean, quoted_list};

/// One table of people, without its suppressed records: these show nothing, and are never taken for anybody. Taking them
/// for everybody would add the same number to what matches everybody, and make all look safer than they are.
pub(crate) struct PeopleTable {
    /// Its name, where a release has several.
    pub(crate) name: Option<String>,
    pub(crate) n_rows: usize,
    pub(crate) n_suppressed: usize,
    /// Those of the known columns that it has, by rising position among them.
    pub(crate) columns: Vec<KnownColumn>,
    pub(crate) secrets: Vec<Secret>,
}

/// A column that the attacker knows about people.
pub(crate) struct KnownColumn {
    /// Position among all known columns.
    pub(crate) at: usize,
    pub(crate) name: String,
    /// What each record shows.
    pub(crate) codes: Codes,
    pub(crate) n_codes: usize,
    pub(crate) means: Means,
}

/// What the codes of a column stand for.
pub(crate) enum Means {
    /// Values.
    Values(Domain),
    /// Generalized texts, with what each covers.
    Regions(Box<PublishedColumn>, Vec<Option<Region>>),
}

/// A sensitive column.
pub(crate) struct Secret {
    pub(crate) name: String,
    pub(crate) domain: Domain,
    pub(crate) told: Told,
}

/// How a record tells of its sensitive value.
pub(crate) enum Told {
    /// It shows the value.
    Value(Codes),
    /// It shows a group, or a batch, one of whose values it has.
    Group {
        /// Group of each record.
        of_row: Vec<u32>,
        groups: Groups,
    },
}

impl PeopleTable {
    /// A table of data, which tells nothing but what it shows.
    pub(crate) fn of_data(table: &Table, known: &[String]) -> Result<Self> {
        let column = |(at, name): (usize, &String)| {
            let place = table.schema().position("known", name)?;
            let domain = table.attribute(place).domain.clone();
            let (codes, n_codes) = (table.column(place).clone(), domain.n_codes());
            Ok(KnownColumn { at, name: name.clone(), codes, n_codes, means: Means::Values(domain) })
        };
        let columns = known.iter().enumerate().map(column).collect::<Result<_>>()?;
        Ok(PeopleTable { name: None, n_rows: table.n_rows(), n_suppressed: 0, columns, secrets: Vec::new() })
    }

    /// The tables of a release.
    pub(crate) fn of_release(release: &ReleaseData, known: &[String]) -> Vec<Self> {
        match release.tables() {
            PublishedTables::Generalized(boxed) => {
                let rows = published(&boxed.row_group);
                let sensitive = boxed.values.iter().filter(|values| values.column.role() == Role::Sensitive);
                let secrets = sensitive.map(|values| Secret::shown(values, &rows));
                vec![of_boxes(None, boxed, &rows, known, secrets.collect())]
            }
            PublishedTables::Exact(exact) => {
                let n = exact.people.first().map_or(0, |column| column.codes.len());
                let rows = match exact.groupings.first() {
                    Some(set) => published(&set.row_group),
                    None => (0..n as u32).collect(),
                };
                let sets: Vec<PlacedValues> = exact.groupings.iter().map(GroupedValues::placed).collect();
                let secrets = sets.iter().flat_map(|set| secrets_of(set, &set.row_group, &rows));
                let columns = known.iter().enumerate().filter_map(|(at, name)| {
                    let column = exact.people.iter().find(|column| column.column.name() == name)?;
                    Some(exact_column(at, column, &rows))
                });
                vec![PeopleTable {
                    name: None,
                    n_rows: rows.len(),
                    n_suppressed: n - rows.len(),
                    columns: columns.collect(),
                    secrets: secrets.collect(),
                }]
            }
            PublishedTables::Angel(angel) => {
                let several = angel.views.len() > 1;
                let batches = angel.placed();
                let view = |view: &BoxTable| {
                    let rows = published(&view.row_batch);
                    let secrets = secrets_of(&batches, &view.row_batch, &rows).collect();
                    of_boxes(several.then(|| view.name.clone()), &view.boxed, &rows, known, secrets)
                };
                angel.views.iter().map(view).collect()
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

impl Secret {
    fn shown(values: &ShownColumn, rows: &[u32]) -> Self {
        let told = Told::Value(values.codes.gather(rows));
        Secret { name: values.column.name().into(), domain: values.domain.clone(), told }
    }

    /// How often each value is published, by its code.
    pub(crate) fn histogram(&self) -> Vec<u64> {
        match &self.told {
            Told::Value(codes) => codes.histogram(self.domain.n_codes()),
            Told::Group { groups, .. } => groups.histogram(self.domain.n_codes()),
        }
    }
}

/// The sensitive columns of a set, for people in these groups.
fn secrets_of<'a>(set: &'a PlacedValues, row_group: &'a [u32], rows: &'a [u32]) -> impl Iterator<Item = Secret> + 'a {
    set.columns.iter().map(move |column| Secret {
        name: column.column.name().into(),
        domain: column.domain.clone(),
        told: Told::Group {
            of_row: rows.iter().map(|&row| row_group[row as usize]).collect(),
            groups: Groups::of(&set.place_group, &column.codes, set.n_groups),
        },
    })
}

/// Rows that are not suppressed.
fn published(row_group: &[u32]) -> Vec<u32> {
    (0..row_group.len() as u32).filter(|&row| row_group[row as usize] != SUPPRESSED).collect()
}

fn of_boxes(name: Option<String>, boxed: &Boxed, rows: &[u32], known: &[String], secrets: Vec<Secret>) -> PeopleTable {
    let column = |(at, name): (usize, &String)| {
        if let Some(kept) = boxed.values.iter().find(|values| values.column.name() == name) {
            return Some(exact_column(at, kept, rows));
        }
        let boxes = boxed.quasi.iter().find(|boxes| boxes.column.name() == name)?;
        let n_codes = boxes.regions.len();
        let mut codes = CodesBuilder::new(n_codes.saturating_sub(1) as Code, rows.len());
        codes.extend(rows.iter().map(|&row| boxes.of_group[boxed.row_group[row as usize] as usize]));
        let means = Means::Regions(Box::new(boxes.column.clone()), boxes.regions.clone());
        Some(KnownColumn { at, name: name.clone(), codes: codes.finish(), n_codes, means })
    };
    let columns = known.iter().enumerate().filter_map(column).collect();
    let n_suppressed = boxed.row_group.len() - rows.len();
    PeopleTable { name, n_rows: rows.len(), n_suppressed, columns, secrets }
}

fn exact_column(at: usize, column: &ShownColumn, rows: &[u32]) -> KnownColumn {
    KnownColumn {
        at,
        name: column.column.name().into(),
        codes: column.codes.gather(rows),
        n_codes: column.domain.n_codes(),
        means: Means::Values(column.domain.clone()),
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
        match columns.iter().find(|column| column.name() == name) {
            Some(column) if column.role() == Role::Sensitive => {
                let reason = "the column is sensitive: it is what the attacker wants to learn";
                return Err(
                    Error::request("known", name, reason).hint(format!("name some of {}", quoted_list(&names, 30)))
                );
            }
            Some(_) => {}
            None => {
                return Err(Error::request("known", name, "the release has no such column").hint(did_you_mean(
                    name,
                    &names,
                    "the columns are",
                )));
            }
        }
    }
    Ok(named.to_vec())
}
