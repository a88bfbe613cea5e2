//! A release next to its source, ready to be measured.

mod bounds;
mod reconstruct;
mod source;

pub use reconstruct::Reconstruction;

use crate::partition::code_numbers;
use crate::source_line::SourceLine;
use crate::{
    Anatomized, AngelTable, AngelTables, Axis, Boxes, Generalization, GroupValues, Loss, Microdata, Positions, Shape,
    loss_of_boxes, loss_of_exact,
};
use bounds::PublishedNumbers;
use scumble_io::RawTable;
use scumble_release::{
    Angelized, BoxColumn, BoxTable, Boxed, CountedValues, Exact, GroupedValues, PublishedColumn, PublishedTables,
    ReleaseData, ReleaseReader, ShownColumn,
};
use scumble_table::{Bag, Codes, Domain, Error, Kind, Monitor, Result, Role, did_you_mean};
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
    pub estimator: Estimator,
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
pub enum Estimator {
    /// Boxes with exact sensitive values.
    Generalized(Generalization),
    /// Exact quasi-identifiers, and sensitive values known by group: anatomy and permuted releases.
    Anatomy(Anatomized),
    /// Boxes with batch numbers, and sensitive values known by batch.
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
        let quasi = || release.columns().iter().filter(|column| column.role() == Role::Quasi);
        let column = |column| source.column(column, monitor);
        let (mut lines, rows): (Vec<SourceLine<'_>>, Vec<Positions>) =
            quasi().map(column).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        lines.iter_mut().for_each(|line| line.ends_held = manifest.boxes.is_minimal());
        let (asked, columns): (Vec<SourceLine<'_>>, Vec<Positions>) =
            asked.iter().copied().map(column).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        monitor.check()?;
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
                monitor.check()?;
                let microdata = Microdata::with_columns(rows, columns);
                Some(ComparedSource { sensitive: column.name().into(), microdata, values, codes })
            }
        };
        monitor.check()?;
        let on_lines = QueryLines { quasi: &lines, asked: &asked, monitor };
        let (estimator, sizes, numbers) = match tables {
            PublishedTables::Generalized(boxed) => {
                let numbers = on_lines.numbers(&boxed.values, &boxed.row_group, 0..boxed.row_group.len());
                (Estimator::Generalized(on_lines.generalized(boxed)?), &boxed.sizes, numbers)
            }
            PublishedTables::Exact(tables) => {
                let grouping = grouping_of(tables, &asked)?;
                let numbers = on_lines.counted_numbers(&grouping.sensitive);
                (Estimator::Anatomy(on_lines.anatomized(tables, grouping)?), &grouping.sizes, numbers)
            }
            PublishedTables::Angel(tables) => {
                let numbers = on_lines.counted_numbers(&tables.batches);
                (Estimator::Angel(on_lines.angel_tables(tables)?), &tables.sizes, numbers)
            }
        };
        monitor.check()?;
        // The sensitive values of an angel release come first.
        let names = PublishedTables::names(manifest);
        let table = names.get(usize::from(matches!(tables, PublishedTables::Angel(_)))).cloned().unwrap_or_default();
        Ok(Comparison {
            rows: manifest.rows,
            suppressed: manifest.suppressed,
            sizes: sizes.clone(),
            estimator,
            source,
            ordered: quasi().map(|column| (column.name().into(), column.kind().is_ordered())).collect(),
            numbers,
            table,
        })
    }

    /// Loss and NCP on the source's domains.
    pub fn loss(&self) -> Loss {
        match &self.estimator {
            Estimator::Generalized(table) => loss_of_boxes(table.boxes(), &self.sizes, self.suppressed),
            Estimator::Anatomy(table) => {
                loss_of_exact(table.quasi().iter().map(Positions::axis), self.rows, self.suppressed)
            }
            // The table over all quasi-identifiers; marginals tell more of some.
            Estimator::Angel(tables) => {
                let first = &tables.tables()[0];
                loss_of_boxes(first.boxes(), first.sizes(), self.suppressed)
            }
        }
    }
}

/// The lines of the source's quasi-identifiers and of the columns that are asked about, to lay published tables on.
struct QueryLines<'a> {
    quasi: &'a [SourceLine<'a>],
    asked: &'a [SourceLine<'a>],
    monitor: Monitor<'a>,
}

impl QueryLines<'_> {
    /// A table of boxes.
    fn generalized(&self, boxed: &Boxed) -> Result<Generalization> {
        let boxes = boxed.quasi.iter().zip(self.quasi).map(|(published, line)| boxes(published, line));
        let sensitive = self.sensitive(&boxed.values, 0..boxed.row_group.len())?;
        let groups = GroupValues::with_columns(&boxed.row_group, boxed.sizes.len(), &sensitive);
        Ok(Generalization::new(boxes.collect(), groups))
    }

    /// Tables of people and of their groups' sensitive values.
    fn anatomized(&self, tables: &Exact, grouping: &GroupedValues) -> Result<Anatomized> {
        let GroupedValues { row_group, sizes, sensitive } = grouping;
        let groups = self.counted(sensitive, sizes.len())?;
        let quasi = tables.people.iter().filter(|values| values.column.role() == Role::Quasi).zip(self.quasi);
        let quasi = quasi.map(|(values, line)| self.published(line, values, 0..row_group.len()));
        Ok(Anatomized::new(&quasi.collect::<Result<Vec<_>>>()?, row_group, groups))
    }

    /// All tables of boxes, with the sensitive values of the batches.
    fn angel_tables(&self, angel: &Angelized) -> Result<AngelTables> {
        let batches = self.counted(&angel.batches, angel.sizes.len())?;
        let tables = angel.views.iter().map(|view| self.angel_table(view)).collect::<Result<Vec<_>>>()?;
        if tables.is_empty() {
            return Err(Error::bug("an angel release without a table of boxes was read"));
        }
        Ok(AngelTables::new(tables, batches))
    }

    fn angel_table(&self, view: &BoxTable) -> Result<AngelTable> {
        self.monitor.check()?;
        let (mut columns, mut covered) = (Vec::new(), Vec::new());
        for published in &view.boxed.quasi {
            let at = self.quasi.iter().position(|line| line.axis.name == published.column.name());
            let at = at.ok_or_else(|| Error::bug("a quasi-identifier was not read"))?;
            columns.push(at);
            covered.push(boxes(published, &self.quasi[at]));
        }
        let n_buckets = view.boxed.sizes.len();
        Ok(AngelTable::new(&view.name, columns, covered, n_buckets, &view.boxed.row_group, &view.row_batch))
    }

    /// Sensitive values that are counted by group. There are as many rows as people: the counts of a group add up to its size.
    fn counted(&self, counted: &CountedValues, n_groups: usize) -> Result<GroupValues> {
        let group: Vec<u32> = counted.expanded().map(|row| counted.row_group[row]).collect();
        let sensitive = self.sensitive(&counted.values, counted.expanded())?;
        Ok(GroupValues::with_columns(&group, n_groups, &sensitive))
    }

    /// The published values of the columns that are asked about, for some rows; nothing but null where there are none.
    fn sensitive(&self, values: &[ShownColumn], rows: impl Iterator<Item = usize> + Clone) -> Result<Vec<Positions>> {
        if self.asked.is_empty() {
            return Ok(vec![Positions::from_codes(Axis::labels("", 0), &[f64::NAN], rows.map(|_| 0))]);
        }
        let column = |line: &SourceLine<'_>| {
            let values = values.iter().find(|values| values.column.name() == line.axis.name);
            let values = values.ok_or_else(|| Error::bug("a sensitive column was not read"))?;
            self.published(line, values, rows.clone())
        };
        self.asked.iter().map(column).collect()
    }

    /// Published values on a line, for some rows.
    fn published(
        &self,
        line: &SourceLine<'_>,
        values: &ShownColumn,
        rows: impl Iterator<Item = usize>,
    ) -> Result<Positions> {
        let mut places = vec![f64::NAN];
        for code in values.domain.codes() {
            self.monitor.check()?;
            places.push(line.place(&values.domain.text(code)));
        }
        Ok(Positions::from_codes(line.axis.clone(), &places, rows.map(|row| values.codes.get(row))))
    }

    /// The numbers of the first column asked about, for some rows; nothing where it has other values.
    fn numbers(
        &self,
        values: &[ShownColumn],
        row_group: &[u32],
        rows: impl Iterator<Item = usize>,
    ) -> Option<PublishedNumbers> {
        let name = &self.asked.first()?.axis.name;
        let values = values.iter().find(|values| values.column.name() == name)?;
        if values.column.kind() != Kind::Number {
            return None;
        }
        let (group, codes) = rows.map(|row| (row_group[row], values.codes.get(row))).unzip();
        Some(PublishedNumbers { group, codes, numbers: code_numbers(&values.domain), scale: values.domain.scale() })
    }

    fn counted_numbers(&self, counted: &CountedValues) -> Option<PublishedNumbers> {
        self.numbers(&counted.values, &counted.row_group, counted.expanded())
    }
}

/// What the groups of a published column cover, on the source's line.
fn boxes(published: &BoxColumn, line: &SourceLine<'_>) -> Boxes {
    let shape = |region: &Option<_>| region.as_ref().map_or(Shape::null(&line.axis), |region| line.shape(region));
    let shapes = published.regions.iter().map(shape).collect();
    Boxes::new(line.axis.clone(), shapes, published.of_group.clone())
}

/// The groups that answer about the columns that are asked about.
fn grouping_of<'a>(tables: &'a Exact, asked: &[SourceLine<'_>]) -> Result<&'a GroupedValues> {
    if asked.len() > 1 && tables.groupings.len() > 1 {
        let reason = "each sensitive column has groups of its own here, so nobody knows which values belong together";
        return Err(Error::request("qs", asked.len().to_string(), reason)
            .hint("ask about one sensitive column at a time, or publish with «together»"));
    }
    let name = asked.first().map(|line| line.axis.name.as_str());
    tables.grouping(name).ok_or_else(|| Error::bug("a sensitive column has no groups"))
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
