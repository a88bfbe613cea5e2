//! `scumble publish`.

use crate::args::Publish;
use crate::commands::joined_note::joined_note;
use crate::commands::reading;
use crate::commands::rules_table::rules_table;
use crate::job_file::in_job_file;
use crate::output::{Output, aligned, counted, grouped, range};
use scumble::{
    ColumnRole, CommonValue, CommonValueFacts, Error, ExtendRequest, Facts, Job, KnownBy, LedgerFacts, LedgerFiles,
    Method, MixtureFigure, Plan, Published, Release, Result, Source,
};
use scumble_platform::LIMITATIONS;
use std::path::Path;

pub(crate) fn run(args: &Publish, output: &Output) -> Result<bool> {
    let (published, method) = match &args.extend {
        Some(release) => {
            output.weaker(LIMITATIONS.replacing);
            (extend(args, release, output)?, Method::Angel)
        }
        None => make(&job(args)?, output).map_err(|error| match &args.job {
            Some(file) => in_job_file(error, file, |field, value| {
                args.options.says(field, value) || field == "data" && args.data.is_some()
            }),
            None => error,
        })?,
    };
    output.weaker(LIMITATIONS.private.filter(|_| published.private.is_some()));
    let document = serde_json::to_value(&published).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&published, method))?;
    Ok(true)
}

/// Makes the release of a job.
fn make(job: &Job, output: &Output) -> Result<(Published, Method)> {
    let method = check(job)?;
    scumble::check(job)?;
    scumble::check_ledger(job, &output.context)?;
    output.weaker(LIMITATIONS.replacing.filter(|_| job.output.replace));
    let loaded = Source::of_job(job)?.load(job, &output.context)?;
    let published = scumble::publish(&loaded.table, job, &output.context)?;
    let facts = Facts { rules: loaded.rules, ..published.facts };
    Ok((Published { facts, ..published }, method))
}

/// Adds tables to a release. All else is as the release has it, so that no other flag makes sense.
fn extend(args: &Publish, release: &Path, output: &Output) -> Result<Published> {
    let fixed = [("data", args.data.is_some()), ("job", args.job.is_some())];
    let fixed = fixed.into_iter().find_map(|(name, given)| given.then_some(name));
    let used = [
        "marginal",
        "join_k",
        "seed",
        "insecure_seed",
        "delimiter",
        "null",
        "person",
        "ledger",
        "ledger_passphrase",
        "ledger_key",
    ];
    if let Some(field) = fixed.or_else(|| args.options.first_except(&used)) {
        return Err(Error::request(field, "", "a table that is added takes this from the release")
            .hint("with «extend», give «source» and «marginal»"));
    }
    let mut asked = Job::new();
    args.options.apply(&mut asked)?;
    let path = args.source.as_deref().unwrap_or(Path::new("-"));
    let (source, rules) = reading::source_with_rules(path, &args.options, args.rules.as_deref())?;
    let person = asked.named(ColumnRole::Person).map(String::from).collect();
    let request = ExtendRequest {
        marginals: asked.publish.marginal,
        join_k: asked.publish.join_k,
        seed: asked.publish.seed,
        insecure_seed: asked.publish.insecure_seed,
        ledger: asked.output.ledger,
        ledger_files: LedgerFiles { passphrase: asked.output.ledger_passphrase, key: asked.output.ledger_key },
        person,
    };
    Release::open(release)?.extend(&source, rules.as_ref(), &request, &output.context)
}

/// The job that a job file and flags describe together; flags win.
pub(crate) fn job(args: &Publish) -> Result<Job> {
    let mut job = args.job.as_deref().map_or_else(|| Ok(Job::new()), |path| reading::job_file("job", path))?;
    if let Some(data) = &args.data {
        job.input.path = Some(data.clone());
    }
    args.options.apply(&mut job)?;
    Ok(job)
}

/// The method of a job, whose flags make sense.
fn check(job: &Job) -> Result<Method> {
    if job.input.path.is_none() {
        return Err(Error::request("data", "", "which file should be published?")
            .hint("name it on the command line, or as `path` under [input] in the job file"));
    }
    let plan = Plan::new(job)?;
    if job.output.dir.is_none() {
        return Err(Error::request("out", "", "where should the release go?")
            .hint("name a directory that does not exist yet, such as «out» release/"));
    }
    Ok(plan.method)
}

fn summary(published: &Published, method: Method) -> String {
    let p = &published.facts;
    let mut text = format!("release   {}\nreport    {}\n\n", published.release.display(), published.report.display());
    let suppressed = if p.suppressed > 0 { format!(", {} suppressed", grouped(p.suppressed)) } else { String::new() };
    let groups = match method {
        Method::Angel => counted(p.groups, "batch", "batches"),
        _ => counted(p.groups, "group", "groups"),
    };
    let several = p.persons.filter(|&persons| persons < p.rows);
    let (one, many) = p.person_nouns;
    let persons = several.map_or(String::new(), |persons| format!(" of {}", counted(persons, one, many)));
    text.push_str(&format!(
        "{}{persons} in {groups} of {}{suppressed}; every requirement was verified on the written files\n\n",
        counted(p.rows, "row", "rows"),
        range(p.group_sizes.min, p.group_sizes.max)
    ));
    let mut rows = vec![vec!["required".into(), "column".into(), "attained".into()]];
    for entry in &p.attained {
        let figures: Vec<String> = entry.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
        rows.push(vec![entry.requirement.clone(), entry.column.clone().unwrap_or_default(), figures.join(", ")]);
    }
    if rows.iter().skip(1).all(|row| row[1].is_empty()) {
        rows.iter_mut().for_each(|row| {
            row.remove(1);
        });
    }
    text.push_str(&aligned(&rows, &[]));
    if several.is_some() {
        text.push_str(&format!(
            "\nattained is counted in rows, as readers of the release count; every requirement holds for {many} too, each counted \
             once\n",
        ));
    }
    text.push_str(&rules_table(&p.rules, "Records that the rules changed or deleted, which the release does not tell"));
    text.push_str(&mixture_note(p));
    if let Some(joined) = &p.joined {
        text.push_str(&format!("\n{}\n", joined_note(joined)));
    }
    if let Some(facts) = &p.common_value {
        text.push_str(&format!("\n{}\n", common_value_note(facts)));
    }
    if let Some(private) = &published.private {
        text.push_str(&format!(
            "\nprivate   {}\nties rows to batches, for tables that are added later: keep it from readers of the release\n",
            private.display()
        ));
    }
    if let Some(ledger) = &published.ledger {
        text.push_str(&ledger_note(ledger));
    }
    if !p.levels.is_empty() {
        text.push_str(&levels(p));
    }
    match method.is_exact() {
        true => text.push_str(
            "\nthe quasi-identifiers are exact: nothing of them is lost, and whoever knows them sees who is in the release\n",
        ),
        false => text.push_str(&loss_table(p)),
    }
    text
}

/// Where the release was entered.
fn ledger_note(ledger: &LedgerFacts) -> String {
    let told = match ledger.same_groups_as {
        Some(same) => vec![format!("it uses the groups of release {same} again")],
        None => known_before(ledger),
    };
    format!("\nledger    {}\nentered as release {}; {}\n", ledger.file.display(), ledger.release, told.join("; "))
}

/// What the ledger knows of the people of a release in earlier ones, and what it does not know.
fn known_before(ledger: &LedgerFacts) -> Vec<String> {
    let LedgerFacts { unnamed, compared, compared_in_part, not_compared, .. } = ledger;
    let nobody = match &ledger.known_by {
        KnownBy::Person(_) if *unnamed > 0 => "nobody who is named in it is known",
        KnownBy::Person(_) => "nobody of it is known",
        KnownBy::Quasi(_) => "none of its combinations of quasi-identifiers is known",
    };
    let mut told = Vec::new();
    if !ledger.overlaps.is_empty() {
        told.push("that people are in earlier releases was accepted".into());
    } else if not_compared.is_empty() {
        told.push(format!("{nobody} from earlier releases there"));
    } else if !compared.is_empty() {
        told.push(format!("{nobody} in {}", releases(compared)));
    }
    if !not_compared.is_empty() {
        told.push(format!("not known for {}, where people are not known by the same as here", releases(not_compared)));
    }
    if !compared_in_part.is_empty() {
        told.push(format!("not known for rows of {} that did not say whose they were", releases(compared_in_part)));
    }
    if *unnamed > 0 {
        let says = if *unnamed == 1 { "does not say whose it is" } else { "do not say whose they are" };
        told.push(format!("not known for {} of it that {says}", counted(*unnamed, "row", "rows")));
    }
    told
}

/// Releases by their numbers.
fn releases(numbers: &[u64]) -> String {
    let listed: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", if numbers.len() == 1 { "release" } else { "releases" }, listed.join(", "))
}

/// What a reader gains who guesses the value that all batches of a box share, for the publisher to weigh.
fn common_value_note(facts: &CommonValueFacts) -> String {
    let CommonValueFacts { column, .. } = facts;
    let CommonValue { people, hits, claimed, deviation } = facts.worse();
    match people {
        0 => format!("attacked: nowhere do {} share exactly one value", facts.sharing()),
        _ => format!(
            "attacked: guessing the value of `{column}` that {} share is right for {} of {} rows; \
             {claimed:.1} are claimed, give or take {deviation:.1}",
            facts.sharing(),
            grouped(*hits),
            grouped(*people)
        ),
    }
}

/// What is believed of people whose quasi-identifiers are known, but not their group, for the publisher to weigh.
fn mixture_note(p: &Facts) -> String {
    let mut text = String::new();
    for figure in &p.mixture {
        let MixtureFigure { requirement, column, people, above, greatest, allowed } = figure;
        let of = column.as_ref().map_or(String::new(), |column| format!(" of `{column}`"));
        let known = format!(
            "\nwhoever knows the quasi-identifiers of a person, but not the group, faces several groups mixed: under\n{requirement}{of}"
        );
        let told = match above {
            0 => format!(
                " nothing near anybody's value is believed above {allowed:.4}, the greatest being {greatest:.4}\n"
            ),
            _ => format!(
                " more than {allowed:.4} is believed to be near the value of {} of {} rows, at most {greatest:.4}\n\
                 (--mixtures hold guarantees {allowed:.4}, or publishes nothing)\n",
                grouped(*above),
                grouped(*people)
            ),
        };
        text.push_str(&known);
        text.push_str(&told);
    }
    if !p.mixture_ways.is_empty() {
        let mut rows = vec![vec!["way".into(), "NCP".into(), "mixtures".into(), String::new()]];
        for tried in &p.mixture_ways {
            let way = tried.column.as_ref().map_or(tried.way.into(), |column| format!("{column}: {}", tried.way));
            let ncp = tried.ncp.map_or("no groups".into(), |ncp| format!("{ncp:.4}"));
            let holds = match (tried.holds, tried.ncp) {
                (true, _) => "hold",
                (false, Some(_)) => "do not hold",
                (false, None) => "",
            };
            rows.push(vec![way, ncp, holds.into(), if tried.chosen { "published".into() } else { String::new() }]);
        }
        text.push_str(&format!("\nways that were tried:\n{}", aligned(&rows, &[1])));
    }
    text
}

/// The level of each column of a full-domain release.
fn levels(p: &Facts) -> String {
    let mut rows = vec![vec!["column".into(), "level".into(), "shows".into()]];
    for chosen in &p.levels {
        let shows = match chosen.level {
            0 => "its values",
            level if level == chosen.top => "*",
            _ if chosen.conditional => "intervals by context",
            _ => "coarser values",
        };
        rows.push(vec![chosen.column.clone(), format!("{} of {}", chosen.level, chosen.top), shows.into()]);
    }
    format!("\n{}", aligned(&rows, &[]))
}

fn loss_table(p: &Facts) -> String {
    let mut text = format!(
        "\nloss {:.4}, NCP {:.4} (sums over the quasi-identifiers); NCP of each, 0 exact to 1 nothing left{}:\n",
        p.loss,
        p.ncp,
        if p.suppressed > 0 { ", suppressed rows counting 1" } else { "" }
    );
    let rows: Vec<Vec<String>> =
        p.ncp_by_attribute.iter().map(|(name, ncp)| vec![name.clone(), format!("{ncp:.4}")]).collect();
    text.push_str(&aligned(&rows, &[1]));
    text
}
