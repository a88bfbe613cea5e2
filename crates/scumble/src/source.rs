//! Where data comes from, and how it becomes a table: roles settled on the header, columns read and encoded, rules applied.

mod persons;

pub(crate) use persons::{key_columns, persons_of};

use crate::context::Context;
use crate::inspect::is_named_as_key;
use crate::job::{Column, ColumnRole, Columns, Delimiter, Input, Job, check_named_once};
use crate::person_keys::warn_of_alike_keys;
use crate::population::with_population;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use persons::{is_person, of_persons, with_persons};
use scumble_io::{
    AnyHierarchy, ColumnPlan, Format, Order, RawColumn, RawTable, ReadOptions, Want, encode, read, read_stream,
};
use scumble_release::{Extent, PublishedColumn};
use scumble_rules::{RuleColumn, RuleCount, Rules, apply};
use scumble_table::{
    Attribute, Codes, Error, Kind, Monitor, Persons, Result, Role, Schema, Table, did_you_mean, quoted_list,
};
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Where data comes from.
pub struct Source {
    place: Place,
    format: Format,
    delimiter: Option<u8>,
    nulls: Vec<String>,
}

enum Place {
    /// A file, or `-` for standard input.
    File(PathBuf),
    /// Anything that can be read, once.
    Reader(Mutex<Option<Box<dyn Read + Send>>>),
    /// Arrow record batches.
    Batches(SchemaRef, Vec<RecordBatch>),
}

/// A table as the rules of its job left it.
pub struct Loaded {
    /// The table.
    pub table: Table,
    /// What each rule did.
    pub rules: Vec<RuleCount>,
}

impl Source {
    fn new(place: Place) -> Source {
        Source { place, format: Format::Auto, delimiter: None, nulls: Vec::new() }
    }

    /// A file whose form is told by its bytes; `-` is standard input.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        Source::new(Place::File(path.into()))
    }

    /// Anything that can be read, in CSV or Parquet. It is read once.
    pub fn reader(reader: impl Read + Send + 'static) -> Source {
        Source::new(Place::Reader(Mutex::new(Some(Box::new(reader)))))
    }

    /// Arrow record batches, which all have this schema.
    pub fn arrow(schema: SchemaRef, batches: impl IntoIterator<Item = RecordBatch>) -> Source {
        Source::new(Place::Batches(schema, batches.into_iter().collect()))
    }

    /// The source that a job names.
    ///
    /// # Errors
    /// If it names none.
    pub fn of_job(job: &Job) -> Result<Source> {
        let path = job.input.path.clone();
        let path = path.ok_or_else(|| Error::request("input.path", "", "no data is named").hint("name a file"))?;
        Ok(Source::file(path).with(&job.input))
    }

    /// The same, written as the section says.
    #[must_use]
    pub fn with(mut self, input: &Input) -> Source {
        self.format = input.format.unwrap_or(self.format);
        self.delimiter = input.delimiter.map(|Delimiter(byte)| byte).or(self.delimiter);
        self.nulls.extend(input.null.iter().cloned());
        self
    }

    /// What stands for it in messages.
    pub fn name(&self) -> String {
        match &self.place {
            Place::File(path) => path.display().to_string(),
            Place::Reader(_) => "the reader".into(),
            Place::Batches(..) => "record batches".into(),
        }
    }

    /// The file, where it is one.
    pub fn path(&self) -> Option<&PathBuf> {
        if let Place::File(path) = &self.place { Some(path) } else { None }
    }

    /// Reads the columns that a job publishes, as its rules leave them.
    ///
    /// # Errors
    /// If the data cannot be read as the job says.
    pub fn read(&self, job: &Job, context: &Context) -> Result<Table> {
        self.load(job, context).map(|loaded| loaded.table)
    }

    /// The same, with what each rule did.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn load(&self, job: &Job, context: &Context) -> Result<Loaded> {
        context.run(|| self.load_watched(job, context.monitor()))
    }

    /// Reads all columns as texts, whatever they are. Columns whose values have no text, such as lists, are passed over.
    ///
    /// # Errors
    /// If the data cannot be read.
    pub fn read_all(&self, context: &Context) -> Result<RawTable> {
        context.run(|| self.raw(&self.options().pass_over_nested(), context.monitor()))
    }

    /// The columns of a job. Where nothing says whose rows are whose, columns that name people must not repeat; where something does,
    /// it is told if they name fewer.
    fn load_watched(&self, job: &Job, monitor: Monitor<'_>) -> Result<Loaded> {
        let is_told = job.columns.iter().any(|(_, column)| is_person(column));
        let identifying: Vec<&str> = match job.publish.rows_are_people {
            true => Vec::new(),
            false => job.named(ColumnRole::Identifying).collect(),
        };
        let keys = !is_told && !job.publish.rows_are_people && identifying.is_empty();
        let watched = Watched { identifying: &identifying, keys };
        let remembered = job.output.ledger.is_some();
        let loaded =
            self.load_columns_watching(&job.columns, watched, remembered, job.publish.drop_rest, &job.rules, monitor)?;
        Ok(Loaded { table: with_population(loaded.table, job, monitor)?, ..loaded })
    }

    pub(crate) fn load_columns(
        &self,
        columns: &Columns,
        drop_rest: bool,
        rules: &Rules,
        monitor: Monitor<'_>,
    ) -> Result<Loaded> {
        self.load_columns_watching(columns, Watched::default(), false, drop_rest, rules, monitor)
    }

    fn load_columns_watching(
        &self,
        columns: &Columns,
        watched: Watched<'_>,
        remembered: bool,
        drop_rest: bool,
        rules: &Rules,
        monitor: Monitor<'_>,
    ) -> Result<Loaded> {
        check_named_once(columns)?;
        // Small files first: a bad hierarchy should not cost a long read.
        let plans = plans(columns, rules)?;
        let role_of = |name: &str| columns.iter().find(|(known, _)| known == name).and_then(|(_, column)| column.role);
        let options = self
            .options()
            .header(move |names| wants(names, columns, watched, drop_rest, rules))
            .secret(move |name| is_secret(role_of(name)));
        let mut raw = self.raw(&options, monitor)?;
        let is_told = columns.iter().any(|(_, column)| is_person(column));
        if !is_told {
            refuse_repeats(&raw, "identifying", watched.identifying)?;
        }
        if watched.keys {
            warn_of_left_out_keys(&raw, columns, rules, monitor);
        }
        let each_own = !is_told && watched.identifying.iter().any(|name| is_unique(&raw, name));
        let named = if is_told { people_named(&raw, watched.identifying)? } else { Vec::new() };
        let keys: Vec<String> =
            columns.iter().filter(|(_, column)| is_person(column)).map(|(name, _)| name.to_string()).collect();
        // Where no rule may change them and no ledger remembers them, persons are numbered by their texts as they were read: millions of different
        // texts need no order, and are let go before anything else is made of the table.
        let persons = if rules.is_empty() && !remembered { persons_of(&raw, &keys)? } else { None };
        if let Some(persons) = &persons {
            warn_of_alike_keys(persons, &key_columns(&raw, &keys), monitor)?;
        }
        let plans: Vec<PlannedColumn> =
            plans.into_iter().filter(|plan| persons.is_none() || !keys.contains(&plan.column.name)).collect();
        if persons.is_some() {
            let is_key = |name: &String| keys.contains(name);
            let kept = raw.names.iter().map(|name| !is_key(name)).collect::<Vec<bool>>();
            let mut at = 0..;
            raw.columns.retain(|_| at.next().is_some_and(|at: usize| kept[at]));
            raw.names.retain(|name| !is_key(name));
        }
        let wanted: Vec<ColumnPlan> = plans.iter().map(|plan| plan.column.clone()).collect();
        let table = encode(raw, &wanted, monitor)?;
        let known = plans.iter().map(|plan| RuleColumn {
            order: plan.column.order.as_ref(),
            nulls: &self.nulls,
            unpublished: plan.aside,
        });
        let (table, rules) = apply(rules, table, &known.collect::<Vec<_>>(), monitor)?;
        let table = with_trees_by_rule(table, columns)?;
        for rule in rules.iter().filter(|rule| rule.matched == 0) {
            monitor.warn(&format!("no record met the condition of rule `{}` when its turn came", rule.name));
        }
        let table = match persons {
            Some(persons) => of_persons(table, persons, monitor)?,
            None => with_persons(table, columns, remembered, monitor)?,
        };
        warn_of_fewer_named(&named, &table, monitor);
        // Rows that are told apart by a column that names people are people, one each.
        let table = match each_own && table.persons().is_none() {
            true => {
                let persons = Persons::each_row(table.n_rows());
                table.with_persons(Arc::new(persons))?
            }
            false => table,
        };
        Ok(Loaded { table, rules })
    }

    /// Reads the columns of a release's source that are published, as texts; with the rules and columns of the job that
    /// it was made with where that has rules.
    ///
    /// # Errors
    /// If the data cannot be read, or the job has no rules.
    pub fn read_published(
        &self,
        published: &[PublishedColumn],
        job: Option<&Job>,
        monitor: Monitor<'_>,
    ) -> Result<RawTable> {
        self.read_persons(published, &[], job, monitor).map(|(table, _)| table)
    }

    /// The same, with whose row each row is, where columns are named that say it.
    ///
    /// # Errors
    /// As [`Source::read_published`], and if such a column is not there or is published.
    pub fn read_persons(
        &self,
        published: &[PublishedColumn],
        person: &[String],
        job: Option<&Job>,
        monitor: Monitor<'_>,
    ) -> Result<(RawTable, Option<Persons>)> {
        if let Some(name) = person.iter().find(|name| published.iter().any(|column| column.name() == **name)) {
            let reason = "the column is published, and a column that says whose rows are whose never is";
            return Err(Error::request("person", name, reason));
        }
        let raw = match job {
            Some(job) => self.read_ruled(published, person, job, monitor)?,
            None => {
                let wanted = |name: &str| published.iter().any(|column| column.name() == name);
                let want = |name: &str| {
                    if wanted(name) || person.iter().any(|known| known == name) { Want::Text } else { Want::Skip }
                };
                self.raw(&self.options().columns(want).secret(|_| true), monitor)?
            }
        };
        let persons = persons_of(&raw, person)?;
        Ok((raw, persons))
    }

    fn read_ruled(
        &self,
        published: &[PublishedColumn],
        person: &[String],
        job: &Job,
        monitor: Monitor<'_>,
    ) -> Result<RawTable> {
        let rules = rules_of(job)?;
        let mut plans = ruled_plans(published, job)?;
        for name in person {
            plans.retain(|plan| plan.name != *name);
            plans.push(ColumnPlan { kind: Some(Kind::Nominal), secret: true, ..ColumnPlan::new(name, Role::Kept) });
        }
        let is_published =
            |name: &str| published.iter().any(|column| column.name() == name) || person.iter().any(|key| key == name);
        let planned = |name: &str| plans.iter().any(|plan| plan.name == name);
        let options = self.options().header(|names| {
            rules.check_columns(names, is_published)?;
            Ok(names.iter().map(|name| if planned(name) { Want::Text } else { Want::Skip }).collect())
        });
        let raw = self.raw(&options.secret(|_| true), monitor)?;
        let source = raw.source.clone();
        // A column that the source lacks is for those to tell who compare.
        let there = plans.iter().filter(|plan| raw.names.contains(&plan.name));
        let plans: Vec<ColumnPlan> = there.cloned().collect();
        let table = encode(raw, &plans, monitor)?;
        let columns = plans.iter().map(|plan| {
            let (order, unpublished) = (plan.order.as_ref(), !is_published(&plan.name));
            RuleColumn { order, nulls: &self.nulls, unpublished }
        });
        let (table, _) = apply(rules, table, &columns.collect::<Vec<_>>(), monitor)?;
        RawTable::from_table(table, source)
    }

    /// How it is written.
    pub(crate) fn options<'a>(&self) -> ReadOptions<'a> {
        ReadOptions::default().format(self.format).delimiter(self.delimiter).nulls(self.nulls.clone())
    }

    /// Reads it.
    pub(crate) fn raw(&self, options: &ReadOptions<'_>, monitor: Monitor<'_>) -> Result<RawTable> {
        match &self.place {
            Place::File(path) => {
                // A file that is not there is a slip of the request, not of the machine.
                if path.as_os_str() != "-" && !path.exists() {
                    return Err(Error::request("data", path.display().to_string(), "there is no such file"));
                }
                read(path, options, monitor)
            }
            Place::Reader(reader) => {
                let reader = reader.lock().ok().and_then(|mut reader| reader.take());
                let reader = reader.ok_or_else(|| Error::request("data", "", "this reader was read before"))?;
                read_stream(reader, "the reader", options, monitor)
            }
            Place::Batches(schema, batches) => {
                RawTable::from_batches(schema, batches.iter().cloned(), &self.name(), options, monitor)
            }
        }
    }
}

/// The rules of a job that was named for them.
///
/// # Errors
/// If it has none.
pub(crate) fn rules_of(job: &Job) -> Result<&Rules> {
    match job.rules.is_empty() {
        true => Err(Error::request("rules", &job.file, "this job file has no rules")
            .hint("leave «rules» out, or name the job file that the release was made with")),
        false => Ok(&job.rules),
    }
}

/// How a column of the source is to be read: as the release says.
pub(crate) fn plan_as(column: &PublishedColumn) -> ColumnPlan {
    let file = format!("the hierarchy of `{}`", column.name());
    let order = match column.extent() {
        Extent::Labels(labels) if column.kind() == Kind::Ordinal && !column.is_numbered() => {
            Some(Order { file: "manifest.json".into(), labels: labels.clone() })
        }
        _ => None,
    };
    ColumnPlan {
        kind: kind_as(column),
        order,
        hierarchy: column.hierarchy().filter(|_| column.coarse().is_none()).map(|tree| (file, tree.clone())),
        secret: true,
        ..ColumnPlan::new(column.name(), column.role())
    }
}

/// The type of a column of the source, as the release says. Days are left to be found: the source may have moments as well, in rows that
/// the release does not show.
fn kind_as(column: &PublishedColumn) -> Option<Kind> {
    Some(column.kind()).filter(|_| !matches!(column.extent(), Extent::Days(Some(_))))
}

/// How the published columns, and those that conditions ask about, are read. The release knows the types that it was
/// made with; its orders lack the labels that the rules took away, and the job's do not. Hierarchies do not matter
/// to what rules do.
fn ruled_plans(published: &[PublishedColumn], job: &Job) -> Result<Vec<ColumnPlan>> {
    let asked = job.rules.asked_columns();
    let others = asked.iter().filter(|name| !published.iter().any(|column| column.name() == **name));
    let names = published.iter().map(|column| (column.name(), Some(column)));
    let mut plans = Vec::new();
    for (name, release) in names.chain(others.map(|name| (*name, None))) {
        let stated = job.columns.iter().find(|(known, _)| known == name).map(|(_, column)| column);
        let order = stated.and_then(|column| column.order.as_ref()).map(|order| order.get()).transpose()?;
        let kind = release.and_then(kind_as).or(stated.and_then(|column| column.kind));
        let role = release.map_or(Role::Kept, PublishedColumn::role);
        let order = order.map(|order| (**order).clone());
        plans.push(ColumnPlan { kind, order, secret: true, ..ColumnPlan::new(name, role) });
    }
    Ok(plans)
}

/// Whether values stay out of messages: those that help to mend the data are of quasi-identifiers, and what is in any other
/// column is nobody's business.
fn is_secret(role: Option<ColumnRole>) -> bool {
    role != Some(ColumnRole::Quasi)
}

/// Columns that are looked at and not published, where nothing says whose rows are whose.
#[derive(Clone, Copy, Default)]
struct Watched<'a> {
    /// Those that name people.
    identifying: &'a [&'a str],
    /// Whether one that is left out without a word may be a key of people.
    keys: bool,
}

/// What to read of a header. Every column must have a role, unless the rest is dropped. What is not published is read
/// only if a rule asks about it.
fn wants(
    names: &[String],
    columns: &Columns,
    watched: Watched<'_>,
    drop_rest: bool,
    rules: &Rules,
) -> Result<Vec<Want>> {
    for (name, column) in columns {
        if !names.contains(name) {
            let field = column.role.map_or("columns", ColumnRole::name);
            return Err(Error::request(field, name, "there is no such column").hint(did_you_mean(
                name,
                names,
                "the columns are",
            )));
        }
    }
    let rest: Vec<&String> = names.iter().filter(|name| !columns.iter().any(|(known, _)| known == *name)).collect();
    if !rest.is_empty() && !drop_rest {
        return Err(Error::request("columns", "", format!("no role is given for {}", quoted_list(&rest, 30)))
            .hint("name each in «quasi», «sensitive», «identifying» or «keep», or drop them all with «drop_rest»"));
    }
    let role = |name: &str| {
        columns.iter().find(|(known, _)| known == name).and_then(|(_, column)| published_role(column.role))
    };
    rules.check_columns(names, |name| role(name).is_some())?;
    let is_person = |name: &str| columns.iter().any(|(known, column)| known == name && is_person(column));
    let key = rest.iter().find(|name| watched.keys && is_named_as_key(name));
    let wanted = |name: &String| {
        role(name).is_some()
            || rules.ask_about(name)
            || is_person(name)
            || watched.identifying.contains(&name.as_str())
            || key.is_some_and(|key| *key == name)
    };
    Ok(names.iter().map(|name| if wanted(name) { Want::Text } else { Want::Skip }).collect())
}

fn published_role(role: Option<ColumnRole>) -> Option<Role> {
    match role? {
        ColumnRole::Quasi => Some(Role::Quasi),
        ColumnRole::Sensitive => Some(Role::Sensitive),
        ColumnRole::Kept => Some(Role::Kept),
        ColumnRole::Identifying | ColumnRole::Person | ColumnRole::Dropped => None,
    }
}

/// Refuses columns that name people and repeat: if rows with the same name are of one person, a group of five rows may hold
/// one person, and nothing that is promised of people would be true.
pub(crate) fn refuse_repeats(raw: &RawTable, field: &str, watched: &[&str]) -> Result<()> {
    for name in watched {
        let RawColumn::Text { dictionary, codes } = &raw.columns[raw.position(field, name)?] else { continue };
        let histogram = codes.histogram(dictionary.len() + 1);
        let (rows, most) = (histogram[1..].iter().sum::<u64>(), histogram[1..].iter().max().copied().unwrap_or(0));
        let distinct = histogram[1..].iter().filter(|n| **n > 0).count();
        if most > 1 {
            let reason = format!(
                "{rows} rows have {distinct} different values, one of them in {most} rows: if rows with the same value are of \
                 one person, requirements that count rows promise nothing of people"
            );
            return Err(Error::request(field, *name, reason).hint(
                "name the column that says whose row each row is in «person»; or say «rows_are_people», if every row is a \
                 person of its own",
            ));
        }
    }
    Ok(())
}

/// Warns where a column that is left out without a word has the name of a key of people and repeats: then rows are counted, and
/// nothing is promised of people.
fn warn_of_left_out_keys(raw: &RawTable, columns: &Columns, rules: &Rules, monitor: Monitor<'_>) {
    let is_left_out = |name: &&String| !columns.iter().any(|(known, _)| known == *name) && !rules.ask_about(name);
    for name in raw.names.iter().filter(is_left_out).filter(|name| is_named_as_key(name)) {
        let column = raw.names.iter().position(|known| known == name).map(|at| &raw.columns[at]);
        let Some(RawColumn::Text { dictionary, codes }) = column else { continue };
        if codes.histogram(dictionary.len() + 1)[1..].iter().any(|n| *n > 1) {
            monitor.warn(&format!(
                "the column `{name}`, which is left out, repeats: if it says whose rows are whose, requirements count rows here and \
                 promise nothing of people; name it in «person», and people are counted"
            ));
        }
    }
}

/// How many people each of some columns names, where rows without a name are people of their own.
fn people_named(raw: &RawTable, watched: &[&str]) -> Result<Vec<(String, u64)>> {
    let mut named = Vec::new();
    for name in watched {
        let RawColumn::Text { dictionary, codes } = &raw.columns[raw.position("identifying", name)?] else { continue };
        let histogram = codes.histogram(dictionary.len() + 1);
        let distinct = histogram[1..].iter().filter(|n| **n > 0).count() as u64;
        named.push(((*name).to_string(), histogram[0] + distinct));
    }
    Ok(named)
}

/// Warns where a column that is called like a key of people names fewer than are told apart: then the key of persons may be that
/// of visits.
fn warn_of_fewer_named(named: &[(String, u64)], table: &Table, monitor: Monitor<'_>) {
    let Some(persons) = table.persons() else { return };
    // Names of people repeat without being those of one person; keys do not.
    let is_fewer = |(name, people): &&(String, u64)| *people < persons.n() as u64 && is_named_as_key(name);
    for (name, people) in named.iter().filter(is_fewer) {
        monitor.warn(&format!(
            "`{name}` in «identifying» has {people} different values in {} rows, and «person» tells {} people apart: if rows with the same \
             `{name}` are of one person, people are counted several times and requirements promise less of them than it seems; name \
             `{name}` in «person» if it says whose row each row is",
            table.n_rows(),
            persons.n()
        ));
    }
}

/// Whether every row has a value of its own in a column.
fn is_unique(raw: &RawTable, name: &str) -> bool {
    let column = raw.names.iter().position(|known| known == name).map(|at| &raw.columns[at]);
    let Some(RawColumn::Text { dictionary, codes }) = column else { return false };
    let histogram = codes.histogram(dictionary.len() + 1);
    histogram[0] == 0 && histogram.iter().all(|&n| n <= 1)
}

/// Refuses a hierarchy by rule where a release would have to list the values that it stands for.
fn check_ruled_role(name: &str, column: &Column, file: String) -> Result<()> {
    match column.role {
        Some(ColumnRole::Quasi) | None => Ok(()),
        Some(role) => {
            let reason = format!("a hierarchy by rule is for quasi-identifiers, and `{name}` is in «{}»", role.name());
            Err(Error::request("hierarchy", file, reason).hint("give a list of its values, `value;level1;...;*`"))
        }
    }
}

/// The table with the trees that rules make of the values at hand.
fn with_trees_by_rule(table: Table, columns: &Columns) -> Result<Table> {
    let ruled: Vec<_> = columns.iter().filter_map(|(name, column)| Some((name, column.hierarchy.as_ref()?))).collect();
    if ruled.is_empty() {
        return Ok(table);
    }
    let n_rows = table.n_rows();
    let bind = |(attribute, codes): (Attribute, Codes)| {
        let file = ruled.iter().find(|(name, _)| **name == attribute.name).map(|(_, file)| file);
        let Some((file, rule)) = file.map(|file| Ok::<_, Error>((file.shown(), file.get()?.clone()))).transpose()?
        else {
            return Ok((attribute, codes));
        };
        let AnyHierarchy::Rule(rule) = &*rule else { return Ok((attribute, codes)) };
        let domain = rule.bind(&file, &attribute.name, attribute.domain)?;
        Ok((Attribute { domain, ..attribute }, codes))
    };
    let bound: Vec<(Attribute, Codes)> = table.into_columns().into_iter().map(bind).collect::<Result<_>>()?;
    let (attributes, codes): (Vec<Attribute>, Vec<Codes>) = bound.into_iter().unzip();
    Table::new(Schema::new(attributes)?, codes, n_rows)
}

/// A column to be encoded.
struct PlannedColumn {
    column: ColumnPlan,
    /// For the rules alone: it is let go before anything else happens.
    aside: bool,
}

/// The columns that are published, then those that only conditions of rules ask about.
fn plans(columns: &Columns, rules: &Rules) -> Result<Vec<PlannedColumn>> {
    let (mut plans, mut aside) = (Vec::new(), Vec::new());
    for (name, column) in columns {
        let role = published_role(column.role);
        let asked = role.is_none() && rules.ask_about(name);
        let order = column.order.as_ref();
        let unused = order.filter(|_| !asked).map(|order| order.shown());
        if let (None, Some(extra)) = (role, column.hierarchy.as_ref().map(|file| file.shown()).or(unused)) {
            let reason = format!("the column `{name}` is not published");
            return Err(Error::request(format!("columns.{name}.hierarchy"), extra, reason));
        }
        let person = is_person(column);
        if role.is_none() && !asked && !person {
            continue;
        }
        let hierarchy = match &column.hierarchy {
            Some(file) => match &**file.get()? {
                AnyHierarchy::Tree(tree) => Some((file.shown(), tree.clone())),
                // Levels that depend on other columns are no tree over this one; they are bound when groups are sought.
                AnyHierarchy::Conditional(_) => None,
                // A rule is bound to the values that the rules of the job leave.
                AnyHierarchy::Rule(_) => {
                    check_ruled_role(name, column, file.shown())?;
                    None
                }
            },
            None => None,
        };
        let order = order.map(|order| order.get().map(|order| (**order).clone())).transpose()?;
        // A role stands in for none: the column is gone before roles matter.
        let role = role.unwrap_or(Role::Kept);
        // Whose a row is is told by the text, whatever it looks like.
        let kind = if person && !asked { Some(Kind::Nominal) } else { column.kind };
        let plan = ColumnPlan { kind, order, hierarchy, secret: is_secret(column.role), ..ColumnPlan::new(name, role) };
        let asked = asked && !person;
        if asked { &mut aside } else { &mut plans }.push(PlannedColumn { column: plan, aside: asked });
    }
    let known = |name: &str| columns.iter().any(|(known, _)| known == name);
    let rest = rules.asked_columns().into_iter().filter(|name| !known(name));
    let unknown = |name| ColumnPlan { secret: true, ..ColumnPlan::new(name, Role::Kept) };
    aside.extend(rest.map(|name| PlannedColumn { column: unknown(name), aside: true }));
    plans.extend(aside);
    Ok(plans)
}
