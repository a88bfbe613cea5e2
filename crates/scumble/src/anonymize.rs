//! From a table and a job to a release: bind, partition, give it a form, verify.

use crate::common_value::{CommonValueFacts, grouped_beyond_guessing};
use crate::context::Context;
use crate::grouping::GroupingResult;
use crate::inspect::are_households;
use crate::job::{ColumnRole, Intervals, Job, Method, Plan, SuppressedRows};
use crate::ledger::LedgerRequest;
use crate::level_trees::{published_trees, trees_of_beginnings, with_trees};
use crate::missing;
use crate::mixtures::MixtureAttempt;
use crate::orders::complete_orders;
use crate::population::note_attained;
use crate::private::PrivateBatches;
use crate::refusals;
use crate::release::Release;
use crate::report;
use crate::useless;
use scumble_io::RawTable;
use scumble_measure::{Loss, draft_loss, draft_loss_on};
use scumble_method::Coins;
use scumble_method::publish::{
    Angelization, Buckets, Outline, Permutation, Recoding, anatomize, angelize, generalize, permute, recode,
};
use scumble_release::{
    AttainedEntry, BoxKind, Coins as CoinsWord, ConditionalColumn, CountedWord, Draft, Extent, Form, Manifest,
    ManifestColumn, Mixtures as MixturesWord, PopulationWord, PublishedTables, ReleaseData, ReleaseReader, TableEntry,
    TableFormat, show_ends,
};
use scumble_rules::RuleCount;
use scumble_table::{Counted, Error, Hierarchy, Monitor, Partition, Persons, Population, Result, Role, Table};
use scumble_verify::mixture::MixtureFigure;
use scumble_verify::{
    GroupSizes, Joined, Verdict, VerifyOptions, join, refuse_failures, refuse_few_joined, verify_and_read,
};
use serde::Serialize;
use std::sync::Arc;

/// What its publisher is told about a release. Nothing of it that the release does not show itself is in the release.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The form of the release.
    pub method: &'static str,
    /// Rows published with values.
    pub rows: u64,
    /// Rows left out, or published as stars.
    pub suppressed: u64,
    /// Who is counted in what is said of the release: `persons`, or `rows` where it is not known whose they are.
    #[serde(serialize_with = "as_word")]
    pub counted: Counted,
    /// One and several of those whom persons are: people, or households.
    #[serde(skip)]
    pub person_nouns: (&'static str, &'static str),
    /// Persons of these rows, where it is known whose rows are whose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Number of groups.
    pub groups: u64,
    /// How large the groups are.
    pub group_sizes: GroupSizes,
    /// How many people are in each, where some of them have several rows.
    #[serde(skip)]
    pub people_sizes: Option<GroupSizes>,
    /// What each requirement reached.
    pub attained: Vec<AttainedEntry>,
    /// The same with people counted in place of their rows, where some of them have several and that is known.
    #[serde(skip)]
    pub attained_by_people: Vec<AttainedEntry>,
    /// Loss: mean over rows of the sum over quasi-identifiers of covered/domain, on the source's domains; a suppressed row
    /// counts 1 for each.
    pub loss: f64,
    /// The same on the scale where a single value costs 0 and the whole domain 1.
    pub ncp: f64,
    /// NCP of each quasi-identifier, by the same rule: they add up to the NCP of the table.
    pub ncp_by_attribute: Vec<(String, f64)>,
    /// The level of each quasi-identifier of a full-domain release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<ChosenLevel>,
    /// What boxes tell about their ends, where that is not what least boxes tell.
    #[serde(skip_serializing_if = "BoxKind::is_minimal")]
    pub boxes: BoxKind,
    /// What is believed of people whose quasi-identifiers are known, but not their group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixture: Vec<MixtureFigure>,
    /// The ways that were tried to hold mixtures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixture_ways: Vec<MixtureAttempt>,
    /// Seconds spent on finding the groups.
    pub partition_seconds: f64,
    /// What each rule did, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleCount>,
    /// How far several tables of boxes narrow people down together, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<Joined>,
    /// How far guessing the value that the batches of a box share got, where values are tied to batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_value: Option<CommonValueFacts>,
}

impl Facts {
    pub(crate) fn new(manifest: &Manifest, group_sizes: GroupSizes, loss: &Loss, partition_seconds: f64) -> Facts {
        Facts {
            method: manifest.method.name(),
            rows: manifest.rows,
            suppressed: manifest.suppressed,
            counted: manifest.counted(),
            person_nouns: manifest.person_nouns(),
            persons: manifest.persons,
            groups: manifest.groups,
            group_sizes,
            people_sizes: None,
            attained: manifest.attained.clone(),
            attained_by_people: Vec::new(),
            loss: loss.loss,
            ncp: loss.ncp,
            boxes: manifest.boxes,
            ncp_by_attribute: loss.by_attribute.iter().map(|a| (a.name.clone(), a.ncp)).collect(),
            partition_seconds,
            levels: Vec::new(),
            mixture: Vec::new(),
            mixture_ways: Vec::new(),
            rules: Vec::new(),
            joined: None,
            common_value: None,
        }
    }
}

fn as_word<S: serde::Serializer>(counted: &Counted, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(counted.name())
}

/// The level that a quasi-identifier shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenLevel {
    /// The column.
    pub column: String,
    /// 0 for its values, `top` for `*`.
    pub level: usize,
    /// The level that shows `*`.
    pub top: usize,
    /// Whether what it shows depends on other columns.
    pub conditional: bool,
}

/// A release that was made and not verified yet.
pub(crate) struct UnverifiedRelease {
    pub(crate) draft: Draft,
    pub(crate) facts: Facts,
    /// What boxes have lost on the domains that the release shows, for its page.
    pub(crate) shown_loss: Loss,
    /// Number of groups of each grouping.
    pub(crate) n_groups: Vec<u64>,
    /// Which row is in which batch, where tables may be added later.
    pub(crate) private: Option<PrivateBatches>,
    /// How many people the tables must leave everybody among, joined by batch.
    pub(crate) join_k: Option<u64>,
    /// The population that its boxes are judged against.
    pub(crate) population: Option<Arc<Population>>,
}

impl UnverifiedRelease {
    /// Writes the page for tables of a format.
    pub(crate) fn with_format(mut self, format: TableFormat) -> UnverifiedRelease {
        let tables = self.draft.form.tables().map(|(name, rows)| {
            let file = format.file(&name);
            TableEntry { name, file, rows, sha256: String::new() }
        });
        self.draft.manifest.tables = tables.collect();
        let files = report::files(&self.draft, format);
        let (manifest, sizes) = (&self.draft.manifest, &self.facts.group_sizes);
        let trees: Vec<(&str, &Hierarchy)> =
            self.draft.hierarchies.iter().map(|(column, tree)| (column.as_str(), &**tree)).collect();
        self.draft.report = report::page(manifest, files, Some(&self.shown_loss), sizes, &self.n_groups, &trees);
        self
    }
}

/// Makes a release of a table in memory, and verifies it there: nothing is written anywhere. If the job names a ledger, it is
/// asked whether the people were published before, and the release is entered when it is written; a caller who gives tables away
/// that were taken from memory gives them away without an entry.
///
/// # Errors
/// A job that contradicts itself or the data, an infeasible requirement, a release that does not verify.
pub fn anonymize(table: &Table, job: &Job, context: &Context) -> Result<Release> {
    let mut plan = Plan::new(job)?;
    context.run(|| {
        let ledger = LedgerRequest::new(table, job, context)?;
        if let Some((request, people)) = &ledger {
            plan.ledger = Some(request.consult(people, context.monitor())?);
        }
        let made = make(table, &plan, context)?.with_format(job.output.format.unwrap_or_default());
        let (join_k, private, mut facts, population) = (made.join_k, made.private, made.facts, made.population);
        let reader = ReleaseReader::in_memory(Arc::new(made.draft))?;
        let monitor = context.monitor().in_rows();
        let options = VerifyOptions {
            join_k,
            population: population.as_deref(),
            report: Some(report::remade),
            monitor,
            ..VerifyOptions::default()
        };
        let (verdict, data) = verify_and_read(&reader, &options)?;
        refuse_failures(&verdict, join_k)?;
        let data = data.ok_or_else(|| Error::bug("a release without tables verifies"))?;
        if join_k.is_some() {
            refuse_few_people(&data, join_k, table, context.monitor())?;
        }
        warn_of_kept(&verdict, context.monitor());
        facts.joined = verdict.joined.map(|joined| counted_join(joined, &data, table, context)).transpose()?;
        drop(data);
        if let Some((request, people)) = &ledger {
            request.decide_in_memory(people, &reader, context.monitor())?;
        }
        let ledger = ledger.map(|(request, _)| request);
        Ok(Release::made(reader, facts, verdict, private, (made.shown_loss, made.n_groups, join_k), ledger, population))
    })
}

/// What the tables of an angel release tell together of the rows that it was made from, which the release alone only bounds.
pub(crate) fn counted_join(bound: Joined, release: &ReleaseData, table: &Table, context: &Context) -> Result<Joined> {
    if bound.tables < 2 {
        return Ok(bound);
    }
    let PublishedTables::Angel(tables) = release.tables() else { return Ok(bound) };
    let source = RawTable::from_table(table.clone(), "the source")?;
    Ok(join(tables, release.manifest(), Some(&source), table.persons().map(|persons| &**persons), context.monitor())?
        .unwrap_or(bound))
}

/// Refuses an angel release whose tables may leave somebody among fewer people than was asked. Where nobody has several rows the verifier
/// has told that from the release alone.
pub(crate) fn refuse_few_people(
    release: &ReleaseData,
    join_k: Option<u64>,
    table: &Table,
    monitor: Monitor<'_>,
) -> Result<()> {
    let (Some(k), Some(persons)) = (join_k, table.persons().filter(|persons| persons.repeat())) else { return Ok(()) };
    let PublishedTables::Angel(tables) = release.tables() else { return Ok(()) };
    let source = RawTable::from_table(table.clone(), "the source")?;
    refuse_few_joined(tables, release.manifest(), &source, persons, k, monitor)
}

/// Kept columns may single people out although every group is large enough.
pub(crate) fn warn_of_kept(verdict: &Verdict, monitor: Monitor<'_>) {
    if let Some(kept) = verdict.kept.as_ref().filter(|kept| kept.singles_out()) {
        monitor.warn(kept.summary().trim_start_matches("warning: "));
    }
}

/// Makes a release, unless it would give people away although it meets its requirements.
pub(crate) fn make(table: &Table, plan: &Plan, context: &Context) -> Result<UnverifiedRelease> {
    let marked = missing::marked(table, plan)?;
    let table = marked.as_ref().unwrap_or(table);
    refusals::before_grouping(table, plan, context.monitor())?;
    let made = make_whatever_it_costs(table, plan, context)?;
    useless::warn(table, plan, made.facts.ncp, context)?;
    Ok(made)
}

/// The same, without a look at what it gives away beforehand or at what is left of it.
pub(crate) fn make_whatever_it_costs(table: &Table, plan: &Plan, context: &Context) -> Result<UnverifiedRelease> {
    let monitor = context.monitor();
    let exact = plan.method.is_exact();
    if exact && plan.columns.iter().any(|(_, c)| c.role == Some(ColumnRole::Quasi) && c.hierarchy.is_some()) {
        monitor.warn(
            "a release with exact quasi-identifiers carries no hierarchies: questions over it cannot name their labels",
        );
    }
    warn_of_listed_values(table, plan, monitor);
    if table.n_rows() == 1 {
        let left = if plan.rules.is_empty() { "the table has one row" } else { "the rules leave one record" };
        return Err(Error::data(&plan.data, format!("{left}, and a release of one person hides nobody")));
    }
    if table.persons().is_some_and(|persons| persons.n() == 1) {
        let reason = format!("all {} rows are of one person, and a release of one person hides nobody", table.n_rows());
        let names: Vec<&str> = plan.named(ColumnRole::Person).collect();
        return Err(Error::request("person", names.join(","), reason).hint(
            "name columns that tell people apart in «person»; or leave «person» out, if it does not say whose row each row is",
        ));
    }
    let coins = coins(plan.seed, plan.method, context)?;
    let leveled = if plan.method == Method::FullDomain { with_trees(table)? } else { None };
    let table = leveled.as_ref().unwrap_or(table);
    let (found, common_value) = grouped_beyond_guessing(table, plan, &coins, monitor)?;
    found.merged.iter().for_each(|warning| monitor.warn(warning));
    refusals::after_grouping(table, plan, &found, monitor)?;
    let accepted = refusals::accepted(table, plan, &found, monitor)?;
    let mut made = match &found.levels {
        Some(levels) => published_trees(table, plan, &found.groupings[0].partition, levels)?,
        None => Vec::new(),
    };
    let FormedTables { mut form, mut columns, mut conditional, batch_of_row } =
        form(table, &found, plan, &coins, monitor)?;
    monitor.check()?;
    made.extend(trees_of_beginnings(table, &form)?);
    for tree in &made {
        if let Some(column) = columns.iter_mut().find(|column| column.name == tree.column) {
            column.domain = Extent::Labels(tree.labels.clone());
        }
    }
    complete_orders(&mut columns, &form, plan)?;
    if plan.intervals == Intervals::Columns {
        let attributes = table.schema().attributes();
        // Bands are intervals, and no labels of a tree.
        let own = attributes.iter().filter(|a| a.domain.hierarchy().is_some() && a.domain.bands().is_none());
        let trees = own.map(|attribute| &attribute.name).chain(made.iter().map(|tree| &tree.column));
        let stored = |name: &str| attributes.iter().find(|attribute| attribute.name == name);
        let stored = |name: &str| stored(name).map(|attribute| attribute.domain.stored().clone()).unwrap_or_default();
        show_ends(&mut columns, &mut form, &mut conditional, &trees.cloned().collect::<Vec<String>>(), stored)?;
    }
    let mut manifest = Manifest::new(form.method(), found.algorithm);
    manifest.angel_k = plan.angel_k;
    manifest.boxes = plan.boxes;
    manifest.requirements = plan.requirements.iter().map(ToString::to_string).collect();
    manifest.distance = found.distance.as_ref().map(ToString::to_string);
    if plan.holds_mixtures() {
        manifest.mixtures = Some(MixturesWord::Hold);
    }
    manifest.columns = columns;
    manifest.conditional = conditional;
    manifest.coarse = made.iter().filter_map(|tree| tree.coarse.clone()).collect();
    manifest.suppressed = form.n_suppressed() as u64;
    manifest.rows = form.n_rows() as u64 - manifest.suppressed;
    manifest.groups = form.n_groups();
    if plan.suppressed == SuppressedRows::LeftOut {
        form.leave_suppressed_out();
    }
    manifest.accepted = accepted;
    manifest.ledger = plan.ledger;
    manifest.missing = missing::ignored(table, found.groupings.first().map(|grouping| &grouping.partition), monitor);
    let persons = persons_of(table, found.groupings.first().map(|grouping| &grouping.partition));
    manifest.unnamed = persons.as_ref().map_or(0, |persons| persons.n_unnamed() as u64);
    // Where no row says whose it is nobody is told apart, and rows are counted.
    let persons = persons.filter(|persons| persons.n_unnamed() < persons.of_rows().len());
    manifest.persons = persons.map(|persons| persons.n() as u64);
    let households = manifest.persons.is_some() && are_households(plan.named(ColumnRole::Person));
    manifest.counted = households.then_some(CountedWord::Households);
    let by_rows = |population: &Arc<Population>| population.counted() == Counted::Rows;
    let by_rows = manifest.persons.is_some() && table.population().is_some_and(by_rows);
    manifest.population = by_rows.then_some(PopulationWord::Rows);
    manifest.attained = found.attained;
    manifest.profile = plan.profile.name().into();
    manifest.coins = if coins.is_secret() { CoinsWord::Secret } else { CoinsWord::Seeded };
    // Exact values can be read without the tree that helped to group them.
    let exact = |role: Role| role == Role::Quasi && plan.method.is_exact();
    let hierarchies = table
        .schema()
        .attributes()
        .iter()
        .filter(|attribute| !exact(attribute.role))
        .filter_map(|attribute| {
            let tree = match made.iter().find(|tree| tree.column == attribute.name) {
                Some(made) => made.tree.as_ref(),
                // Bands are shown as intervals, which need no tree to be read.
                None => attribute.domain.hierarchy().filter(|_| attribute.domain.bands().is_none()),
            };
            Some((attribute.name.clone(), tree?.clone()))
        })
        .collect();
    let mut draft = Draft { manifest, form, hierarchies, matrices: found.matrices, report: String::new() };
    note_attained(&mut draft, table, plan, monitor)?;
    let shown_loss = draft_loss(&draft)?;
    let loss = on_source_domains(table, &mut draft)?;
    let groups = found.groupings.iter().flat_map(|grouping| grouping.partition.groups());
    let sizes = GroupSizes::from_sizes(groups.map(|group| group.len() as u32));
    if sizes.min == 1 {
        monitor.warn("some groups have one row: whoever finds that person's group reads the person's values");
    }
    let people_sizes = table.persons().filter(|persons| persons.repeat()).map(|persons| {
        let groups = found.groupings.iter().flat_map(|grouping| grouping.partition.groups());
        GroupSizes::from_sizes(groups.map(|group| {
            let mut members: Vec<u32> = group.iter().map(|&row| persons.of(row)).collect();
            members.sort_unstable();
            members.dedup();
            members.len() as u32
        }))
    });
    let levels = found.levels.as_ref().map_or(Vec::new(), |found| found.chosen(table));
    let facts = Facts {
        levels,
        people_sizes,
        attained_by_people: found.attained_by_people,
        common_value,
        mixture: found.mixture,
        mixture_ways: found.ways,
        ..Facts::new(&draft.manifest, sizes, &loss, found.seconds)
    };
    Ok(UnverifiedRelease {
        facts,
        shown_loss,
        n_groups: found.groupings.iter().map(|grouping| grouping.partition.n_groups() as u64).collect(),
        private: batch_of_row.map(|batch_of_row| PrivateBatches::new(table, batch_of_row)),
        join_k: plan.join_k,
        population: table.population().cloned(),
        draft,
    })
}

/// The persons of all published rows, where it is known whose rows are whose.
fn persons_of(table: &Table, partition: Option<&Partition>) -> Option<Persons> {
    let persons = table.persons()?;
    Some(persons.gather(partition?.rows()))
}

/// Leaves of a hierarchy from which on somebody may have listed the values of a column, and not the words for them.
const MANY_LEAVES: usize = 100;

/// A hierarchy that the publisher gives goes with the release as it is. If it was made from the data, it tells which
/// values occur.
fn warn_of_listed_values(table: &Table, plan: &Plan, monitor: Monitor<'_>) {
    if plan.method.is_exact() {
        return;
    }
    for column in table.schema().of_role(Role::Quasi) {
        let attribute = table.attribute(column);
        let listed = attribute.domain.hierarchy().filter(|_| !attribute.domain.has_tree_by_rule());
        let leaves = listed.map_or(0, |tree| tree.leaves().len());
        if leaves >= MANY_LEAVES && leaves == attribute.domain.len() {
            monitor.warn(&format!(
                "the hierarchy of `{}` lists exactly the {leaves} values that occur, and the release carries it as it is: if it was \
                 made from the data, it tells them to everybody; list all values there could be, or leave it out and use \
                 «method» full-domain",
                attribute.name
            ));
        }
    }
}

/// The coins of a release: secret ones, or those of a seed with a warning.
pub(crate) fn coins(seed: Option<u64>, method: Method, context: &Context) -> Result<Coins> {
    let coins = context.coins(seed)?;
    if coins.is_secret() {
        return Ok(coins);
    }
    let monitor = context.monitor();
    monitor.warn("with «seed» the random choices are not secret: whoever knows the seed can repeat them, and the manifest says so");
    if method.is_unlinked() {
        let undone = match method {
            Method::Permute => "whoever tries seeds undoes the shuffling and reads every sensitive value",
            _ => "whoever tries seeds can test guesses of people's values against this release",
        };
        monitor.warn(&format!("{undone}: never give it away if its people are real"));
    }
    Ok(coins)
}

/// A form, with its columns as the manifest states them.
struct FormedTables {
    form: Form,
    columns: Vec<ManifestColumn>,
    /// Columns whose intervals depend on others.
    conditional: Vec<ConditionalColumn>,
    /// Batch of each row of the table, where there are batches.
    batch_of_row: Option<Vec<u32>>,
}

/// The form that a method gives the groups.
fn form(
    table: &Table,
    found: &GroupingResult,
    plan: &Plan,
    coins: &Coins,
    monitor: Monitor<'_>,
) -> Result<FormedTables> {
    let only = || match &found.groupings[..] {
        [only] => Ok(&only.partition),
        _ => Err(Error::bug("only a permuted release can have several groupings")),
    };
    let outline = match (plan.boxes, &found.cells) {
        (BoxKind::Minimal, _) => Outline::Minimal,
        (BoxKind::Rounded, _) => Outline::Rounded,
        (BoxKind::Cells, Some(cells)) => Outline::Cells(cells),
        (BoxKind::Cells, None) => return Err(Error::bug("the groups have no cells")),
    };
    let (form, columns) = match plan.method {
        Method::Generalize => {
            let (form, columns) = generalize(table, only()?, &outline, coins, monitor)?;
            (Form::Generalized(form), columns)
        }
        Method::FullDomain => {
            let levels = found.levels.as_ref().ok_or_else(|| Error::bug("a full-domain release has no levels"))?;
            let Recoding { form, columns, conditional } =
                recode(table, only()?, &levels.levels, &levels.stacks, coins, monitor)?;
            return Ok(FormedTables { form: Form::Generalized(form), columns, conditional, batch_of_row: None });
        }
        Method::Anatomy => {
            let (form, columns) = anatomize(table, only()?, coins, monitor)?;
            (Form::Anatomy(form), columns)
        }
        Method::Permute => {
            let own = found.groupings.iter().map(|grouping| Permutation {
                partition: &grouping.partition,
                coins: grouping.coins.as_ref().unwrap_or(coins),
            });
            let permutations: Vec<Permutation<'_>> = own.collect();
            let (form, columns) = permute(table, &permutations, coins, monitor)?;
            (Form::Permuted(form), columns)
        }
        Method::Angel => {
            let buckets = found.buckets.iter();
            let buckets: Vec<Buckets<'_>> =
                buckets.map(|one| Buckets { columns: one.columns.clone(), partition: &one.partition }).collect();
            let Angelization { form, columns, batch_of_row } =
                angelize(table, only()?, &buckets, &outline, coins, monitor)?;
            let batch_of_row = Some(batch_of_row);
            return Ok(FormedTables { form: Form::Angel(form), columns, conditional: Vec::new(), batch_of_row });
        }
    };
    Ok(FormedTables { form, columns, conditional: Vec::new(), batch_of_row: None })
}

/// The loss measured on the domains of the source, for the publisher's eyes: suppressed rows and `*` take values out of
/// the published domains, and labels above the values take away what they stand for, so only on the source's own can
/// releases be compared.
fn on_source_domains(table: &Table, draft: &mut Draft) -> Result<Loss> {
    let published = (draft.manifest.columns.clone(), draft.hierarchies.clone());
    let boxed = matches!(draft.form, Form::Generalized(_) | Form::Angel(_));
    draft.hierarchies.clear();
    let mut lines = Vec::new();
    for column in &mut draft.manifest.columns {
        let position = table.schema().position("column", &column.name)?;
        let domain = &table.attribute(position).domain;
        match domain.hierarchy().filter(|_| boxed && column.role == Role::Quasi && domain.bands().is_none()) {
            Some(tree) => {
                draft.hierarchies.push((column.name.clone(), tree.clone()));
                column.domain = Extent::from_tree(domain, tree);
            }
            None => {
                let whole = Extent::from_codes(domain, domain.codes());
                // Boxes that were moved outward may reach beyond the source; what lies there costs nothing.
                column.domain = column.domain.union(whole.clone(), domain);
                lines.push((column.name.clone(), whole));
            }
        }
    }
    let loss = draft_loss_on(draft, &lines);
    (draft.manifest.columns, draft.hierarchies) = published;
    loss
}
