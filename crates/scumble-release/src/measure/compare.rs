//! A release beside its source, ready to be measured.

use super::axis::{Axis, Positions};
use super::boxes::{Boxes, Shape};
use super::estimate::Generalization;
use super::groups::Groups;
use super::line::Line;
use super::loss::{Loss, loss_of_boxes};
use super::microdata::Microdata;
use crate::manifest::Method;
use crate::published::PublishedColumn;
use crate::reader::ReleaseDir;
use crate::verify::{Page, SourceData, Values, Verdict};
use scumble_io::{Dictionary, Progress, RawColumn, RawTable, ReadOptions, Want, read};
use scumble_table::{Bag, Codes, Decimal, Domain, Error, Kind, Result, Role, nearest, parse_date, quoted_list};

/// A release and its source on common axes.
pub struct Comparison {
    /// Rows published with values.
    pub rows: u64,
    /// Rows published as stars.
    pub suppressed: u64,
    /// Rows of each group.
    pub sizes: Vec<u32>,
    /// What the release answers from.
    pub form: MeasuredForm,
    /// The source, and the sensitive column that queries ask about; nothing where the release has none.
    pub source: Option<ComparedSource>,
}

/// What a release answers from. A closed set: the compiler shows where a new form must be handled.
pub enum MeasuredForm {
    /// Boxes with exact sensitive values.
    Generalized(Generalization),
}

/// The source of a release, with its sensitive column.
pub struct ComparedSource {
    /// Name of the sensitive column.
    pub sensitive: String,
    /// The rows.
    pub microdata: Microdata,
    /// The sensitive values and how often each occurs, where they are numbers or dates.
    pub values: Option<(Domain, Bag)>,
}

impl Comparison {
    /// Reads a release and its source; the release should have been verified. Queries will ask about the
    /// sensitive column of this name, or the first.
    ///
    /// # Errors
    /// If a file cannot be read, the source is not that of the release, or there is no such column.
    pub fn read(
        release: &ReleaseDir,
        source: &SourceData<'_>,
        sensitive: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let asked = sensitive_column(release, sensitive)?;
        match release.manifest().method {
            Method::Generalize => generalized(release, source, asked, progress),
            method @ (Method::Permute | Method::Anatomy | Method::Angel) => {
                Err(Error::request("release", method.name(), "releases of this method cannot be evaluated yet"))
            }
        }
    }

    /// Loss and NCP on the source's domains; nothing where the quasi-identifiers are exact.
    pub fn loss(&self) -> Option<Loss> {
        match &self.form {
            MeasuredForm::Generalized(table) => Some(loss_of_boxes(table.boxes(), &self.sizes, self.suppressed)),
        }
    }
}

fn generalized(
    release: &ReleaseDir,
    source: &SourceData<'_>,
    asked: Option<&PublishedColumn>,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let mut verdict = Verdict::empty();
    let Some(page) = Page::read(release, release.table("table", progress)?, &mut verdict) else {
        let reason = verdict.failures().next().map_or("unreadable".into(), |check| check.detail.clone());
        return Err(Error::Unverified { reason });
    };
    let source = Source::read(release, source, asked, progress)?;
    source.check_rows(verdict.rows, verdict.suppressed)?;
    let mut boxes = Vec::with_capacity(page.quasi.len());
    let mut quasi = Vec::with_capacity(page.quasi.len());
    for published in &page.quasi {
        let (line, positions) = source.column(&published.column)?;
        let shape = |region: &Option<_>| region.as_ref().map_or(Shape::null(&line.axis), |region| line.shape(region));
        let shapes = published.regions.iter().map(shape).collect();
        boxes.push(Boxes::new(line.axis.clone(), shapes, published.of_group.clone()));
        quasi.push(positions);
    }
    let n_groups = page.sizes.len();
    let (groups, source) = match asked {
        None => {
            let nothing = Positions::from_codes(Axis::labels("", 0), &[f64::NAN], page.row_group.iter().map(|_| 0));
            (Groups::new(&page.row_group, n_groups, &nothing), None)
        }
        Some(column) => {
            let (line, positions) = source.column(column)?;
            let values = page.values.iter().find(|values| values.column.name() == column.name());
            let values = values.ok_or_else(|| Error::bug("a sensitive column was not read"))?;
            let groups = Groups::new(&page.row_group, n_groups, &published_positions(&line, values));
            let compared = ComparedSource {
                sensitive: column.name().into(),
                microdata: Microdata::new(quasi, positions),
                values: source.values(column)?,
            };
            (groups, Some(compared))
        }
    };
    Ok(Comparison {
        rows: verdict.rows,
        suppressed: verdict.suppressed,
        sizes: page.sizes,
        form: MeasuredForm::Generalized(Generalization::new(boxes, groups)),
        source,
    })
}

/// Published sensitive values on the source's line.
fn published_positions(line: &Line<'_>, values: &Values) -> Positions {
    let texts = values.domain.codes().map(|code| line.place(&values.domain.text(code)));
    let places: Vec<f64> = std::iter::once(f64::NAN).chain(texts).collect();
    Positions::from_codes(line.axis.clone(), &places, values.codes.iter())
}

/// The sensitive column to ask about: the named one, or the first.
fn sensitive_column<'a>(release: &'a ReleaseDir, name: Option<&str>) -> Result<Option<&'a PublishedColumn>> {
    let columns = || release.columns().iter().filter(|column| column.role() == Role::Sensitive);
    let Some(name) = name else { return Ok(columns().next()) };
    columns().find(|column| column.name() == name).map(Some).ok_or_else(|| {
        let names: Vec<&str> = columns().map(PublishedColumn::name).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "it has none".into(),
            None => format!("they are {}", quoted_list(&names, 30)),
        };
        Error::request("--sensitive", name, "the release has no sensitive column of this name").hint(hint)
    })
}

/// The source as it was read.
enum Source<'a> {
    Given(&'a RawTable),
    Read(RawTable),
}

impl<'a> Source<'a> {
    /// Reads the quasi-identifiers and the sensitive column that is asked about.
    fn read(
        release: &ReleaseDir,
        source: &SourceData<'a>,
        asked: Option<&PublishedColumn>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let SourceData::File { path, format, delimiter, nulls } = source else {
            let SourceData::Raw(raw) = source else { return Err(Error::bug("a source of no kind")) };
            return Ok(Source::Given(raw));
        };
        let wanted = |name: &str| {
            let quasi = |column: &&PublishedColumn| column.role() == Role::Quasi && column.name() == name;
            asked.is_some_and(|column| column.name() == name) || release.columns().iter().any(|column| quasi(&column))
        };
        let options = ReadOptions::default()
            .format(*format)
            .delimiter(*delimiter)
            .nulls(nulls.clone())
            .columns(|name| if wanted(name) { Want::Text } else { Want::Skip })
            .secret(|_| true);
        Ok(Source::Read(read(path, &options, progress)?))
    }

    fn raw(&self) -> &RawTable {
        match self {
            Source::Given(raw) => raw,
            Source::Read(raw) => raw,
        }
    }

    /// A source of another number of rows is another source.
    fn check_rows(&self, rows: u64, suppressed: u64) -> Result<()> {
        let raw = self.raw();
        if raw.n_rows as u64 == rows + suppressed {
            return Ok(());
        }
        let reason = format!("it has {} rows, and the release {rows} and {suppressed} suppressed", raw.n_rows);
        Err(Error::request("--source", &raw.source, reason).hint("name the data that the release was made from"))
    }

    fn texts(&self, column: &PublishedColumn) -> Result<(&Dictionary, &Codes)> {
        let raw = self.raw();
        match &raw.columns[raw.position("--source", column.name())?] {
            RawColumn::Text { dictionary, codes } => Ok((dictionary, codes)),
            _ => Err(Error::bug(format!("column `{}` of the source was not read as text", column.name()))),
        }
    }

    fn column<'c>(&self, column: &'c PublishedColumn) -> Result<(Line<'c>, Positions)> {
        let (dictionary, codes) = self.texts(column)?;
        let line = Line::of(column, dictionary).map_err(|code| {
            Error::data(&self.raw().source, format!("this is no {}, as the release says", column.kind()))
                .at(dictionary.line(code), Some(column.name()))
                .hint("name the data that the release was made from, and --null as it was published with")
        })?;
        let positions = Positions::from_codes(line.axis.clone(), &line.source, codes.iter());
        Ok((line, positions))
    }

    /// The values of a column of numbers or dates with their counts.
    fn values(&self, column: &PublishedColumn) -> Result<Option<(Domain, Bag)>> {
        let (dictionary, codes) = self.texts(column)?;
        let domain = match column.kind() {
            Kind::Number => Domain::numbers(dictionary.iter().filter_map(Decimal::parse).collect())?,
            Kind::Date => Domain::dates(dictionary.iter().filter_map(parse_date).collect()),
            Kind::Ordinal | Kind::Nominal => return Ok(None),
        };
        let mut counts = vec![0u64; domain.n_codes()];
        for (code, &n) in codes.histogram(dictionary.len() + 1).iter().enumerate() {
            let code = domain.code_of(dictionary.text(code as u32)).unwrap_or_default();
            counts[code as usize] += n;
        }
        Ok(Some((domain, Bag::from_histogram(&counts))))
    }
}
