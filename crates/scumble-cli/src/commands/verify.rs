//! `scumble verify`.

use crate::args::Verify;
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped, percent, range};
use scumble::{
    Against, ColumnRole, Distance, Error, Job, Release, Requirement, Result, Role, Search, Verdict, VerifyRequest,
    read_distance, read_foreign_table, verify_table,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(args: &Verify, output: &Output) -> Result<bool> {
    let (asked, distance) = request(args)?;
    if args.target != Path::new("-") && !args.target.exists() {
        let shown = args.target.display().to_string();
        return Err(Error::request("RELEASE|TABLE", shown, "there is no such file or directory"));
    }
    let verdict = if args.target.is_dir() {
        release(args, asked, distance.as_ref(), output)?
    } else {
        table(args, asked, distance.as_ref(), output)?
    };
    let document = serde_json::to_value(&verdict).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&verdict))?;
    Ok(verdict.ok)
}

/// What is asked besides the promises of a release.
fn request(args: &Verify) -> Result<(VerifyRequest, Option<Distance>)> {
    let mut job = Job::new();
    args.options.apply_section("publish", &mut job)?;
    let asked = VerifyRequest {
        requirements: job.publish.require,
        against: args.against.iter().map(|text| text.parse::<Requirement>()).collect::<Result<_>>()?,
        distance: None,
        join_k: job.publish.join_k,
        person: args.options.named(ColumnRole::Person).to_vec(),
        population: None,
    };
    let mut all = asked.requirements.iter().chain(&asked.against);
    if let (Some(distance), false) =
        (&job.publish.distance, all.any(|one| one.principle().search() == Search::Dissimilarity))
    {
        return Err(Error::request("distance", distance.to_string(), "nothing that is asked needs a distance")
            .hint("ask for one, such as «against» \"dissimilarity(0.1, 0.8, 10)\""));
    }
    Ok((asked, job.publish.distance))
}

fn release(args: &Verify, asked: VerifyRequest, distance: Option<&Distance>, output: &Output) -> Result<Verdict> {
    if [ColumnRole::Quasi, ColumnRole::Sensitive].iter().any(|role| !args.options.named(*role).is_empty()) {
        return Err(
            Error::request("quasi", "", "a release names its columns itself").hint("leave «quasi» and «sensitive» out")
        );
    }
    if !asked.person.is_empty() && args.source.is_none() && population(args)?.is_none() {
        return Err(Error::request("person", asked.person.join(","), "a release does not say whose its rows are")
            .hint("name the data that it was made from with «source»"));
    }
    if args.options.first_of(&["type", "order"]).is_some() {
        return Err(Error::request("type", "", "a release states the types of its columns and their order itself")
            .hint("leave «type» and «order» out"));
    }
    let trees = reading::trees(&args.options)?;
    if !trees.is_empty() && distance.is_none() {
        return Err(Error::request("hierarchy", "", "a release carries its hierarchies")
            .hint("leave «hierarchy» out; it goes with a «distance» by `tree`"));
    }
    let distance = distance.map(|distance| read_distance(distance, &trees)).transpose()?;
    let asked = VerifyRequest { distance, ..asked };
    let release = match Release::open(&args.target) {
        Ok(release) => release,
        Err(error) => return Verdict::of_unreadable(error),
    };
    let asked = match population(args)? {
        Some(file) => {
            let quasi = release.columns().iter().filter(|column| column.role() == Role::Quasi);
            let names: Vec<&str> = quasi.map(|column| column.name()).collect();
            let by_rows = asked.person.is_empty() && release.manifest().persons.is_some();
            with_population(args, asked, &file, (&names, by_rows), output)?
        }
        None => asked,
    };
    let source =
        args.source.as_deref().map(|path| reading::source_with_rules(path, &args.options, args.rules.as_deref()));
    let (source, rules) = source.transpose()?.map_or((None, None), |(source, rules)| (Some(source), rules));
    release.verify_from(source.as_ref(), rules.as_ref(), &asked, &output.context)
}

/// The file of «population».
fn population(args: &Verify) -> Result<Option<PathBuf>> {
    let mut job = Job::new();
    args.options.apply_section("input", &mut job)?;
    Ok(job.input.population)
}

/// The request with the population that a file holds, whose rows are counted as rows where people are told apart in the release
/// and nothing says whose these are.
fn with_population<S: AsRef<str> + Sync>(
    args: &Verify,
    asked: VerifyRequest,
    file: &Path,
    (names, by_rows): (&[S], bool),
    output: &Output,
) -> Result<VerifyRequest> {
    let population = reading::source(file, &args.options)?.read_population(names, &asked.person, &output.context)?;
    let population = if by_rows { population.by_rows() } else { population };
    Ok(VerifyRequest { population: Some(Arc::new(population)), ..asked })
}

fn table(args: &Verify, asked: VerifyRequest, distance: Option<&Distance>, output: &Output) -> Result<Verdict> {
    let person = args.options.named(ColumnRole::Person);
    if !person.is_empty() {
        let reason =
            "people are counted only in a release with its source, and the target is a table, of which rows are judged";
        return Err(Error::request("person", person.join(","), reason)
            .hint("leave «person» out; or publish with it, and verify the release with «source»"));
    }
    if args.source.is_some() {
        return Err(Error::request("source", "", "only a release can be compared with its source"));
    }
    if let Some(k) = asked.join_k {
        return Err(Error::request("join_k", k.to_string(), "only an angel release has tables that can be joined"));
    }
    let quasi = args.options.named(ColumnRole::Quasi);
    if quasi.is_empty() {
        return Err(Error::request("quasi", "", "which columns form the groups?")
            .hint("name the quasi-identifying columns of the table; a release is a directory and needs none"));
    }
    let mut job = Job::new();
    args.options.apply(&mut job)?;
    let source = reading::source(&args.target, &args.options)?;
    let distance = distance.map(|distance| read_distance(distance, &[])).transpose()?;
    let table = read_foreign_table(&source, &job.columns, &output.context)?;
    let asked = match &job.input.population {
        Some(file) => with_population(args, asked, file, (quasi, false), output)?,
        None => asked,
    };
    verify_table(&table, &VerifyRequest { distance, ..asked }, &output.context)
}

fn summary(verdict: &Verdict) -> String {
    let mut text = String::new();
    for check in &verdict.checks {
        let mark = if check.ok { "ok  " } else { "FAIL" };
        let detail = if check.detail.is_empty() { String::new() } else { format!(": {}", check.detail) };
        text.push_str(&format!("{mark} {}{detail}\n", check.name));
    }
    for requirement in &verdict.unjudged {
        text.push_str(&format!(
            "???? require[{requirement}]: not judged, for it is about a population: name it with --population\n"
        ));
    }
    if !verdict.levels.is_empty() {
        text.push_str("\nLevel attained, for every principle that has levels:\n\n");
        let mut rows = Vec::new();
        for level in &verdict.levels {
            let reached = level.requirement.clone().unwrap_or_else(|| "none".into());
            let figures: Vec<String> = level.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
            rows.push(vec![
                level.column.clone().unwrap_or_default(),
                level.principle.clone(),
                reached,
                figures.join(", "),
            ]);
        }
        text.push_str(&aligned(&rows, &[]));
    }
    if !verdict.against.is_empty() {
        text.push_str("\nAgainst what nobody promised:\n\n");
        verdict.against.iter().for_each(|against| text.push_str(&format!("{}\n", vulnerable(against))));
    }
    for warning in &verdict.warnings {
        text.push_str(&format!("\nwarning: {warning}\n"));
    }
    let sizes = &verdict.group_sizes;
    let batches = verdict.checks.iter().any(|check| check.name == "batches-numbered");
    text.push_str(&format!(
        "\n{}: {} in {} of {}{}, {} suppressed\n",
        if verdict.ok { "verified" } else { "NOT VERIFIED" },
        counted(verdict.rows, "row", "rows"),
        if batches { counted(verdict.groups, "batch", "batches") } else { counted(verdict.groups, "group", "groups") },
        range(sizes.min, sizes.max),
        if sizes.min == sizes.max { String::new() } else { format!(" (mean {:.1})", sizes.mean) },
        grouped(verdict.suppressed)
    ));
    text
}

/// One line on how a release stands against a requirement.
fn vulnerable(against: &Against) -> String {
    let count = |n: u64| format!("{} of {} {}", grouped(n), grouped(against.groups), against.judged);
    let share = percent(against.failing, against.groups);
    match against.breached {
        None => {
            let fail = if against.failing == 1 { "fails" } else { "fail" };
            format!("{}: {} ({share}) {fail} it", against.requirement, count(against.failing))
        }
        Some(breached) => {
            let share = percent(breached, against.groups);
            let small = match against.small {
                0 => String::new(),
                n => format!("; {} too few rows", counted(n, "has", "have")),
            };
            let contain = if breached == 1 { "contains" } else { "contain" };
            format!("{}: {} ({share}) {contain} a proximity breach{small}", against.requirement, count(breached))
        }
    }
}
