//! The population that the people of a table come from: read from its file, and what the publisher is told about it.

use crate::context::Context;
use crate::job::{Algorithm, ColumnRole, Job, Method, Plan};
use crate::report::is_even;
use crate::source::{Source, persons_of, refuse_repeats};
use scumble_io::{AnyHierarchy, RawColumn, Want};
use scumble_principle::{Attained, BoundRequirements, PopulationDemand, Requirement, Side, no_population};
use scumble_principle::{people_attained, shares_attained};
use scumble_release::{AttainedEntry, BoxKind, Draft, PublishedTables, ReleaseReader};
use scumble_table::{
    Decimal, Error, Monitor, Population, PopulationColumn, Result, Role, Table, did_you_mean, quoted_list,
};
use scumble_verify::attained_by_boxes;
use std::sync::Arc;

impl Source {
    /// Reads a population: the columns of these names, and no others. `person` are the columns that together say whose row each row
    /// is; where there are none, every row is a person, and where the file lacks one of them or names nobody in them, its rows
    /// are counted and not its people.
    ///
    /// # Errors
    /// If the file cannot be read or lacks one of the columns of `names`.
    pub fn read_population<S: AsRef<str> + Sync>(
        &self,
        names: &[S],
        person: &[String],
        context: &Context,
    ) -> Result<Population> {
        context.run(|| self.population(names, person, &[], context.monitor()))
    }

    /// The same. Columns of `watched` name people, and where the population has one of them it must not repeat.
    fn population<S: AsRef<str>>(
        &self,
        names: &[S],
        person: &[String],
        watched: &[&str],
        monitor: Monitor<'_>,
    ) -> Result<Population> {
        let wanted: Vec<String> = names.iter().map(|name| name.as_ref().to_string()).collect();
        let asked = wanted.clone();
        let looked_at = |name: &String| person.contains(name) || watched.contains(&name.as_str());
        let options = self.options().secret(|_| true).header(move |there| {
            for name in &asked {
                if !there.contains(name) {
                    let reason = "the population has no such column";
                    let hint = did_you_mean(name, there, "it needs every quasi-identifier, and its columns are");
                    return Err(Error::request("population", name, reason).hint(hint));
                }
            }
            let want = |name: &String| if asked.contains(name) || looked_at(name) { Want::Text } else { Want::Skip };
            Ok(there.iter().map(want).collect())
        });
        let raw = self.raw(&options, monitor).map_err(|error| match error {
            Error::Request { field, value, reason, hint } if field == "data" => {
                Error::Request { field: "population".into(), value, reason, hint }
            }
            other => other,
        })?;
        if raw.n_rows == 0 {
            return Err(Error::request("population", self.name(), "there is nobody in it"));
        }
        let there: Vec<&str> =
            watched.iter().copied().filter(|name| raw.names.iter().any(|known| known == name)).collect();
        refuse_repeats(&raw, "population", &there)?;
        let persons = match person.iter().all(|name| raw.names.contains(name)) {
            true => persons_of(&raw, person)?.filter(|persons| persons.n_unnamed() < raw.n_rows),
            false => None,
        };
        let n_rows = raw.n_rows;
        let mut columns = Vec::with_capacity(wanted.len());
        for name in wanted {
            let RawColumn::Text { dictionary, codes } = &raw.columns[raw.position("population", &name)?] else {
                return Err(Error::bug(format!("column `{name}` of the population was not read as text")));
            };
            let texts = dictionary.iter().map(Into::into).collect();
            columns.push(PopulationColumn { name, texts, codes: codes.clone() });
        }
        let population = Population::new(columns, n_rows)?;
        match persons {
            Some(persons) => {
                if persons.n_unnamed() > 0 {
                    monitor.warn(&format!(
                        "{} of {n_rows} rows of the population do not say whose they are: each counts as a person of its own",
                        persons.n_unnamed()
                    ));
                }
                population.with_persons(persons)
            }
            None if person.is_empty() => Ok(population),
            None => {
                monitor.warn(&format!(
                    "the population does not say whose its rows are, for it has no {} that names anybody: its rows are counted and not \
                     its people, and where somebody has several of them a box covers fewer people than is said",
                    quoted_list(person, 8)
                ));
                Ok(population.by_rows())
            }
        }
    }
}

/// The table with the population that its job names.
pub(crate) fn with_population(table: Table, job: &Job, monitor: Monitor<'_>) -> Result<Table> {
    let Some(path) = &job.input.population else { return Ok(table) };
    let names: Vec<&str> = job.named(ColumnRole::Quasi).collect();
    let mut source = Source::file(path);
    // How its cells are set apart is told by its own bytes.
    source = source.with(&crate::job::Input { null: job.input.null.clone(), ..Default::default() });
    let person: Vec<String> = job.named(ColumnRole::Person).map(String::from).collect();
    let known = job.publish.rows_are_people || !person.is_empty();
    let watched: Vec<&str> = if known { Vec::new() } else { job.named(ColumnRole::Identifying).collect() };
    Ok(table.with_population(Arc::new(source.population(&names, &person, &watched, monitor)?)))
}

/// The requirements about boxes.
pub(crate) fn of_boxes(requirements: &[Requirement]) -> Vec<Requirement> {
    requirements.iter().filter(|one| one.principle().population().is_some()).cloned().collect()
}

impl Plan {
    /// True if what a box can cover is fixed by hierarchies that the publisher gives, and not drawn around the people in the data.
    fn has_fixed_boxes(&self, table: &Table) -> bool {
        let is_fixed = |at: usize| {
            let attribute = table.attribute(at);
            let is_given = self.column(&attribute.name).is_some_and(|column| column.hierarchy.is_some());
            is_given && attribute.domain.hierarchy().is_some_and(|tree| is_even(tree))
        };
        self.method == Method::FullDomain && table.schema().of_role(Role::Quasi).into_iter().all(is_fixed)
    }

    /// Requirements about boxes need searches that ask for them, and forms that show boxes.
    pub(super) fn check_boxes_in_population(&self) -> Result<()> {
        let asking = of_boxes(&self.requirements);
        let Some(first) = asking.first() else {
            return match &self.population {
                Some(file) => Err(Error::request("population", file, "no requirement looks at the population")
                    .hint("require for example \"k-map(5)\", or leave «population» out")),
                None => Ok(()),
            };
        };
        let refused = |requirement: &Requirement, reason: String, hint: &str| {
            Err(Error::request("require", requirement.to_string(), reason).hint(hint))
        };
        for (name, column) in &self.columns {
            // Leaves of such a tree are values of the table, and people of the population who have others would not be counted.
            if let Some(file) = &column.hierarchy
                && file.get().is_ok_and(|tree| matches!(**tree, AnyHierarchy::Rule(_)))
            {
                let reason =
                    format!("people are counted in boxes by a list of values, and the hierarchy of `{name}` is a rule");
                return refused(
                    first,
                    reason,
                    "give the column a list of values, `value;level1;...;*`, with those of the population",
                );
            }
        }
        if !matches!(self.method, Method::Generalize | Method::FullDomain) {
            let reason =
                format!("it is about boxes of quasi-identifiers, and a release of method {} is not", self.method);
            return refused(first, reason, "use «method» generalize or full-domain");
        }
        let cuts = matches!(self.algorithm, Algorithm::Mondrian | Algorithm::MondrianRelaxed | Algorithm::Paper);
        let levels = self.algorithm == Algorithm::FullDomain;
        if !(levels || cuts) || self.about_proximity() || self.about_dissimilarity() {
            let reason = format!("the search `{}` does not look at boxes", self.algorithm);
            return refused(
                first,
                reason,
                "ask for it with requirements that `mondrian` or «method» full-domain meets",
            );
        }
        if self.conditional().next().is_some() {
            let reason = "intervals that depend on other columns cannot be found in a population".into();
            return refused(first, reason, "use a hierarchy that is the same for all rows");
        }
        for requirement in &asking {
            let Some(PopulationDemand::Share(lo, _)) = requirement.principle().population() else { continue };
            if levels {
                continue;
            }
            if lo > Decimal::ZERO {
                let reason = "boxes around groups leave people of the population out, who are then known not to be in the release";
                return refused(requirement, reason.into(), "use «method» full-domain, or a lo of 0");
            }
            if self.algorithm == Algorithm::MondrianRelaxed {
                let reason = "relaxed cuts make boxes that share people, of whom less can be said";
                return refused(requirement, reason.into(), "use «algorithm» mondrian, or «method» full-domain");
            }
            if self.boxes != BoxKind::Minimal {
                let reason = format!("boxes that are {} share people, of whom less can be said", self.boxes.name());
                return refused(requirement, reason, "use «boxes» minimal, or «method» full-domain");
            }
        }
        Ok(())
    }
}

/// Refuses what no grouping can reach, and tells how many rows are of people whom the population lacks.
pub(crate) fn check_reachable(
    table: &Table,
    bound: &BoundRequirements,
    plan: &Plan,
    monitor: Monitor<'_>,
) -> Result<()> {
    let Some(boxes) = bound.population() else { return Ok(()) };
    let strangers = boxes.n_strangers(table);
    if strangers > 0 {
        monitor.warn(&format!(
            "{strangers} of {} rows have quasi-identifiers that nobody of the population has: it is not the population that these \
             people come from, and what is counted in it says less than it seems",
            table.n_rows()
        ));
    }
    if let Some(first) = of_boxes(&plan.requirements).first().filter(|_| !plan.has_fixed_boxes(table)) {
        monitor.warn(&format!(
            "`{first}` counts the {} in each box, and boxes depend on the people in the data: where one ends can tell a value that somebody in it \
             has, and whoever has the population may be certain of those who alone have such a value, whatever share is allowed; with «method» \
             full-domain and a «hierarchy» of every quasi-identifier, without branches that are cut short, that is not so",
            boxes.counted().many()
        ));
    }
    let sides = match plan.method {
        Method::FullDomain => vec![Side::All; table.schema().of_role(Role::Quasi).len()],
        _ => boxes.least_box(table, 0..table.n_rows() as u32),
    };
    let (rows, covered) = (table.n_rows() as u64, boxes.covered(&sides));
    for requirement in of_boxes(&plan.requirements) {
        let Some(demand) = requirement.principle().population() else { continue };
        if demand.is_met(rows, covered) {
            continue;
        }
        let attained: Attained = match demand {
            PopulationDemand::AtLeast(_) => people_attained(covered),
            _ => shares_attained((rows.into(), u128::from(covered).max(1)), (rows.into(), u128::from(covered).max(1))),
        };
        let nearest = requirement.principle().nearest(&attained);
        let allows = match &nearest {
            Some(nearest) => format!("the data allows `{nearest}`"),
            None => format!("the data allows no `{}`", requirement.name()),
        };
        let reason = format!(
            "all {rows} rows as one group have a box that covers {covered} {} of the population",
            boxes.counted().many()
        );
        let nearest = nearest.into_iter().collect();
        return Err(Error::Infeasible { requirement: requirement.to_string(), reason, allows, nearest });
    }
    Ok(())
}

/// Writes into the manifest of a draft what its boxes attain against the population: told from the draft itself, as its verifier does.
pub(crate) fn note_attained(draft: &mut Draft, table: &Table, plan: &Plan, monitor: Monitor<'_>) -> Result<()> {
    let asked = of_boxes(&plan.requirements);
    let Some(first) = asked.first() else { return Ok(()) };
    let population = table.population().ok_or_else(|| no_population(first))?;
    let reader = ReleaseReader::in_memory(Arc::new(draft.clone()))?;
    let (tables, _) = PublishedTables::read(&reader, monitor.without_progress())?;
    let each = attained_by_boxes(&tables, &asked, population, monitor)?.into_iter().zip(&asked);
    let found = each.map(|(found, requirement)| {
        found.map_err(|reason| Error::NotFound {
            requirement: requirement.to_string(),
            reason,
            hint: "boxes share people where values are missing and where a hierarchy is cut below its labels, and suppressed rows are of people \
                   whom the others leave over: use «method» full-domain, ask for less, or leave a «hierarchy» or «max_suppressed» out"
                .into(),
            report: Vec::new(),
        })
    });
    let found: Vec<AttainedEntry> = found.collect::<Result<_>>()?;
    for entry in &mut draft.manifest.attained {
        if let Some(known) = found.iter().find(|known| known.requirement == entry.requirement) {
            entry.figures = known.figures.clone();
        }
    }
    Ok(())
}
