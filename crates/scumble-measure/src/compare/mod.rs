//! A release beside its source, ready to be measured.

mod angel;
mod bounds;
mod reconstruct;
mod source;

pub use reconstruct::Reconstruction;

use super::anatomy::Anatomized;
use super::angel::AngelTables;
use super::axis::{Axis, Positions};
use super::boxes::{Boxes, Shape};
use super::estimate::Generalization;
use super::groups::Groups;
use super::line::Line;
use super::loss::{Loss, loss_of_boxes, loss_of_exact};
use super::microdata::Microdata;
use bounds::PublishedNumbers;
use scumble_io::RawTable;
use scumble_release::ReleaseReader;
use scumble_release::{BoxColumn, Boxed, Exact, GroupedValues, PublishedTables, ShownColumn};
use scumble_release::{PublishedColumn, ReleaseData};
use scumble_table::{Bag, Codes, Domain, Error, Monitor, Result, Role, did_you_mean};
use source::Source;

/// A release and its source on common axes.
pub struct Comparison {
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// Rows of each group, or batch; of the asked column's own where columns have groups of their own.
    pub sizes: Vec<u32>,
    /// What the release answers from.
    pub form: MeasuredForm,
    /// The source, and the sensitive columns that queries ask about; nothing where the release has none.
    pub source: Option<ComparedSource>,
    /// Names of the quasi-identifiers, and whether they have an order.
    ordered: Vec<(String, bool)>,
    /// The numbers of that column as they are published; nothing where it has none.
    numbers: Option<PublishedNumbers>,
    /// Name of the table of quasi-identifiers, the first of several.
    table: String,
}

/// What a release answers from. A closed set: the compiler shows where a new form must be handled.
pub enum MeasuredForm {
    /// Boxes with exact sensitive values.
    Generalized(Generalization),
    /// Exact quasi-identifiers, and sensitive values known by group: anatomy and permuted releases.
    Anatomy(Anatomized),
    /// Boxes beside batch numbers, and sensitive values known by batch.
    Angel(AngelTables),
}

/// The source of a release, with its sensitive columns.
pub struct ComparedSource {
    /// Name of the sensitive column, the first of several.
    pub sensitive: String,
    /// The rows.
    pub microdata: Microdata,
    /// The sensitive values and how often each occurs, where they are numbers or dates.
    pub values: Option<(Domain, Bag)>,
    /// The code of each row in that domain.
    codes: Option<Codes>,
}

impl Comparison {
    /// Reads a release and its source; the release should have been verified. Queries will ask about the
    /// sensitive column of this name, or the first.
    ///
    /// # Errors
    /// If a file cannot be read, the source is not that of the release, or there is no such column.
    pub fn read(
        release: &ReleaseData,
        source: &RawTable,
        sensitive: Option<&str>,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let asked = sensitive_column(release.reader(), sensitive)?;
        Comparison::about(release, source, &asked.into_iter().collect::<Vec<_>>(), monitor)
    }

    /// The same where queries will ask about several sensitive columns at once.
    ///
    /// # Errors
    /// As [`Comparison::read`], and if sensitive columns have groups of their own: what values somebody has together is
    /// then not known.
    pub fn read_all(release: &ReleaseData, source: &RawTable, monitor: Monitor<'_>) -> Result<Self> {
        let columns = release.reader().columns().iter().filter(|column| column.role() == Role::Sensitive);
        Comparison::about(release, source, &columns.collect::<Vec<_>>(), monitor)
    }

    fn about(
        release: &ReleaseData,
        source: &RawTable,
        asked: &[&PublishedColumn],
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let (tables, manifest) = (release.tables(), release.manifest());
        let release = release.reader();
        let source = Source { table: source };
        source.check_rows(manifest.rows, manifest.suppressed)?;
        let first = asked.first();
        let columns = release.columns().iter().filter(|column| column.role() == Role::Quasi);
        let column = |column| {
            monitor.check()?;
            source.column(column)
        };
        let (mut lines, rows): (Vec<Line<'_>>, Vec<Positions>) =
            columns.map(column).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        lines.iter_mut().for_each(|line| line.ends_held = release.manifest().boxes.is_minimal());
        let (asked, columns): (Vec<Line<'_>>, Vec<Positions>) =
            asked.iter().copied().map(column).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let source = match first {
            None => None,
            Some(column) => {
                let (values, codes) = match source.values(column)? {
                    Some((domain, codes)) => {
                        let bag = Bag::from_histogram(&codes.histogram(domain.n_codes()));
                        (Some((domain, bag)), Some(codes))
                    }
                    None => (None, None),
                };
                let microdata = Microdata::with_columns(rows, columns);
                Some(ComparedSource { sensitive: column.name().into(), microdata, values, codes })
            }
        };
        monitor.check()?;
        let form = match tables {
            PublishedTables::Generalized(boxed) => MeasuredForm::Generalized(generalized(boxed, &lines, &asked)?),
            PublishedTables::Exact(tables) => MeasuredForm::Anatomy(anatomized(tables, &lines, &asked)?),
            PublishedTables::Angel(tables) => MeasuredForm::Angel(angel::tables(tables, &lines, &asked)?),
        };
        monitor.check()?;
        let sizes = match tables {
            PublishedTables::Generalized(boxed) => boxed.sizes.clone(),
            PublishedTables::Exact(tables) => grouping_of(tables, &asked)?.sizes.clone(),
            PublishedTables::Angel(tables) => tables.sizes.clone(),
        };
        let numbers = match (tables, asked.first()) {
            (_, None) => None,
            (PublishedTables::Generalized(boxed), Some(line)) => {
                PublishedNumbers::of(&line.axis.name, &boxed.values, &boxed.row_group, 0..boxed.row_group.len())
            }
            (PublishedTables::Angel(tables), Some(line)) => {
                let counted = &tables.batches;
                PublishedNumbers::of(&line.axis.name, &counted.values, &counted.row_group, counted.expanded())
            }
            (PublishedTables::Exact(tables), Some(line)) => {
                let counted = &grouping_of(tables, &asked)?.sensitive;
                PublishedNumbers::of(&line.axis.name, &counted.values, &counted.row_group, counted.expanded())
            }
        };
        let quasi = release.columns().iter().filter(|column| column.role() == Role::Quasi);
        let ordered = quasi.map(|column| (column.name().into(), column.kind().is_ordered())).collect();
        let (rows, suppressed) = (manifest.rows, manifest.suppressed);
        // The sensitive values of an angel release come first.
        let names = PublishedTables::names(release.manifest());
        let table = names.get(usize::from(matches!(tables, PublishedTables::Angel(_)))).cloned().unwrap_or_default();
        Ok(Comparison { rows, suppressed, sizes, form, source, ordered, numbers, table })
    }

    /// Loss and NCP on the source's domains.
    pub fn loss(&self) -> Loss {
        match &self.form {
            MeasuredForm::Generalized(table) => loss_of_boxes(table.boxes(), &self.sizes, self.suppressed),
            MeasuredForm::Anatomy(table) => loss_of_exact(table.axes(), self.rows, self.suppressed),
            // The table over all quasi-identifiers; marginals tell more of some.
            MeasuredForm::Angel(tables) => {
                let first = &tables.tables()[0];
                loss_of_boxes(first.boxes(), first.sizes(), self.suppressed)
            }
        }
    }
}

/// A table of boxes on the source's lines.
fn generalized(boxed: &Boxed, lines: &[Line<'_>], asked: &[Line<'_>]) -> Result<Generalization> {
    let boxes = boxed.quasi.iter().zip(lines).map(|(published, line)| boxes(published, line));
    let sensitive = sensitive(asked, &boxed.values, 0..boxed.row_group.len())?;
    let groups = Groups::with_columns(&boxed.row_group, boxed.sizes.len(), &sensitive);
    Ok(Generalization::new(boxes.collect(), groups))
}

/// What the groups of a page cover, on the source's line.
fn boxes(published: &BoxColumn, line: &Line<'_>) -> Boxes {
    let shape = |region: &Option<_>| region.as_ref().map_or(Shape::null(&line.axis), |region| line.shape(region));
    let shapes = published.regions.iter().map(shape).collect();
    Boxes::new(line.axis.clone(), shapes, published.of_group.clone())
}

/// Tables of people and of their groups' sensitive values on the source's lines.
fn anatomized(tables: &Exact, lines: &[Line<'_>], asked: &[Line<'_>]) -> Result<Anatomized> {
    let GroupedValues { row_group, sizes, sensitive: counted } = grouping_of(tables, asked)?;
    // As many rows as people: the counts of every group add up to its size.
    let counted_group: Vec<u32> = counted.expanded().map(|row| counted.row_group[row]).collect();
    let sensitive = sensitive(asked, &counted.values, counted.expanded())?;
    let groups = Groups::with_columns(&counted_group, sizes.len(), &sensitive);
    let quasi = tables.people.iter().filter(|values| values.column.role() == Role::Quasi).zip(lines);
    let quasi: Vec<Positions> = quasi.map(|(values, line)| published(line, values, 0..row_group.len())).collect();
    Ok(Anatomized::new(&quasi, row_group, groups))
}

/// The groups that answer about the columns that are asked about.
fn grouping_of<'a>(tables: &'a Exact, asked: &[Line<'_>]) -> Result<&'a GroupedValues> {
    if asked.len() > 1 && tables.groupings.len() > 1 {
        let reason = "each sensitive column has groups of its own here, so nobody knows which values belong together";
        return Err(Error::request("qs", asked.len().to_string(), reason)
            .hint("ask about one sensitive column at a time, or publish with «together»"));
    }
    let name = asked.first().map(|line| line.axis.name.as_str());
    tables.grouping(name).ok_or_else(|| Error::bug("a sensitive column has no groups"))
}

/// The published values of the columns that are asked about, for some rows; nothing but null where there are none.
fn sensitive(
    asked: &[Line<'_>],
    values: &[ShownColumn],
    rows: impl Iterator<Item = usize> + Clone,
) -> Result<Vec<Positions>> {
    if asked.is_empty() {
        return Ok(vec![Positions::from_codes(Axis::labels("", 0), &[f64::NAN], rows.map(|_| 0))]);
    }
    let column = |line: &Line<'_>| {
        let values = values.iter().find(|values| values.column.name() == line.axis.name);
        let values = values.ok_or_else(|| Error::bug("a sensitive column was not read"))?;
        Ok(published(line, values, rows.clone()))
    };
    asked.iter().map(column).collect()
}

/// Published values on the source's line, for some rows.
fn published(line: &Line<'_>, values: &ShownColumn, rows: impl Iterator<Item = usize>) -> Positions {
    let texts = values.domain.codes().map(|code| line.place(&values.domain.text(code)));
    let places: Vec<f64> = std::iter::once(f64::NAN).chain(texts).collect();
    Positions::from_codes(line.axis.clone(), &places, rows.map(|row| values.codes.get(row)))
}

/// The sensitive column to ask about: the named one, or the first.
fn sensitive_column<'a>(release: &'a ReleaseReader, name: Option<&str>) -> Result<Option<&'a PublishedColumn>> {
    let columns = || release.columns().iter().filter(|column| column.role() == Role::Sensitive);
    let Some(name) = name else { return Ok(columns().next()) };
    columns().find(|column| column.name() == name).map(Some).ok_or_else(|| {
        let names: Vec<&str> = columns().map(PublishedColumn::name).collect();
        let hint = match names.is_empty() {
            true => "it has none".into(),
            false => did_you_mean(name, &names, "they are"),
        };
        Error::request("sensitive", name, "the release has no sensitive column of this name").hint(hint)
    })
}
