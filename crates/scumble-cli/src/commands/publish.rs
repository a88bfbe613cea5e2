//! `scumble publish`.

use crate::args::Publish;
use crate::commands::reading;
use crate::commands::ruled::ruled;
use crate::output::{Output, aligned, thousands};
use scumble::{
    ColumnRequest, ColumnRole, CommonValue, CommonValueFacts, Decimal, Error, ExtendRequest, Format, Input, Job,
    Joined, Method, MixtureFigure, PublishRequest, Published, Result, Rules, TableFormat, read_ruler, read_ruler_in,
};
use scumble_platform::WEAKER;
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(args: &Publish, output: &Output) -> Result<bool> {
    let (published, method) = match &args.extend {
        Some(release) => {
            output.weaker(WEAKER.replacing);
            (scumble::extend(&extension(args, release)?, &output.terminal)?, Method::Angel)
        }
        None => {
            let request = request(args)?;
            output.weaker(WEAKER.replacing.filter(|_| request.replace));
            (scumble::publish(&request, &output.terminal)?, request.chosen_method())
        }
    };
    output.weaker(WEAKER.private.filter(|_| published.private.is_some()));
    let document = serde_json::to_value(&published).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || words(&published, method))?;
    Ok(true)
}

/// What is added to a release. All else is as the release has it, so that no other flag makes sense.
fn extension(args: &Publish, release: &Path) -> Result<ExtendRequest> {
    let given = [
        ("DATA", args.data.is_some()),
        ("--job", args.job.is_some()),
        ("--quasi", !args.quasi.is_empty()),
        ("--sensitive", !args.sensitive.is_empty()),
        ("--identifying", !args.identifying.is_empty()),
        ("--keep", !args.keep.is_empty()),
        ("--drop-rest", args.drop_rest),
        ("--type", !args.typing.types.is_empty()),
        ("--order", !args.typing.orders.is_empty()),
        ("--hierarchy", !args.typing.hierarchies.is_empty()),
        ("--require", !args.require.is_empty()),
        ("--method", args.method.is_some()),
        ("--level", !args.levels.is_empty()),
        ("--together", args.together),
        ("--angel-k", args.angel_k.is_some()),
        ("--algorithm", args.algorithm.is_some()),
        ("--aim", args.aim.is_some()),
        ("--boxes", args.boxes.is_some()),
        ("--mixtures", args.mixtures.is_some()),
        ("--distance", args.distance.is_some()),
        ("--time-limit", args.time_limit.is_some()),
        ("--max-suppressed", args.max_suppressed.is_some()),
        ("--profile", args.profile.is_some()),
        ("--out", args.out.is_some()),
        ("--replace", args.replace),
        ("--format", args.format.is_some()),
    ];
    if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(Error::request(flag, "", "a table that is added takes this from the release")
            .hint("with --extend, give --source and --marginal"));
    }
    let (source, rules) =
        reading::source(args.source.as_deref().unwrap_or(Path::new("-")), &args.reading, args.rules.as_deref())?;
    Ok(ExtendRequest {
        release: release.to_path_buf(),
        source,
        rules,
        marginals: marginals(&args.marginal),
        join_k: args.join_k,
        seed: args.seed,
        insecure_seed: args.insecure_seed,
    })
}

/// The request that a job file and flags describe together; flags win.
pub(crate) fn request(args: &Publish) -> Result<PublishRequest> {
    let mut request = match &args.job {
        Some(path) => from_job(path)?,
        None => PublishRequest::new(Input::file(args.data.clone().unwrap_or_default())),
    };
    if let Some(data) = &args.data {
        request.input.path.clone_from(data);
    }
    if let Some(delimiter) = reading::delimiter(&args.reading)? {
        request.input.delimiter = Some(delimiter);
    }
    request.input.nulls.extend(args.reading.nulls.iter().cloned());
    for (names, role) in [
        (&args.quasi, ColumnRole::Quasi),
        (&args.sensitive, ColumnRole::Sensitive),
        (&args.identifying, ColumnRole::Identifying),
        (&args.keep, ColumnRole::Kept),
    ] {
        for name in names {
            match request.columns.iter_mut().find(|c| args.job.is_some() && c.name == *name) {
                Some(column) => column.role = role,
                None => request.columns.push(ColumnRequest::new(name, role)),
            }
        }
    }
    reading::refine(&mut request.columns, &args.typing)?;
    reading::leveled(&mut request.columns, &args.levels)?;
    request.drop_rest |= args.drop_rest;
    if !args.require.is_empty() {
        request.requirements = args.require.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    }
    if let Some(name) = &args.method {
        request.method = Some(name.parse()?);
    }
    request.together |= args.together;
    request.angel_k = args.angel_k.or(request.angel_k);
    request.join_k = args.join_k.or(request.join_k);
    if !args.marginal.is_empty() {
        request.marginals = marginals(&args.marginal);
    }
    if let Some(name) = &args.aim {
        request.aim = Some(name.parse()?);
    }
    if let Some(name) = &args.boxes {
        request.boxes = Some(name.parse()?);
    }
    if let Some(word) = &args.mixtures {
        request.mixtures = word.parse()?;
    }
    if let Some(name) = &args.algorithm {
        request.algorithm = Some(name.parse()?);
    }
    if let Some(distance) = &args.distance {
        request.distance = Some(read_ruler(distance)?);
    }
    if let Some(seconds) = args.time_limit {
        request.time_limit = Duration::from_secs(seconds);
    }
    if let Some(share) = &args.max_suppressed {
        request.max_suppressed = decimal("--max-suppressed", share)?;
    }
    if let Some(name) = &args.profile {
        request.profile = name.parse()?;
    }
    request.seed = args.seed.or(request.seed);
    request.insecure_seed |= args.insecure_seed;
    if let Some(out) = &args.out {
        request.out.clone_from(out);
    }
    request.replace |= args.replace;
    if let Some(format) = &args.format {
        request.format = table_format("--format", format)?;
    }
    if let (Some(seconds), false) = (args.time_limit, request.about_dissimilarity()) {
        return Err(Error::request(
            "--time-limit",
            seconds.to_string(),
            "only a search under `dissimilarity` takes it",
        )
        .hint("leave --time-limit out"));
    }
    if request.input.path.as_os_str().is_empty() {
        return Err(Error::request("DATA", "", "which file should be published?")
            .hint("name it on the command line, or as `path` under [input] in the job file"));
    }
    if request.out.as_os_str().is_empty() {
        return Err(Error::request("--out", "", "where should the release go?")
            .hint("name a directory that does not exist yet, such as --out release/"));
    }
    Ok(request)
}

fn from_job(path: &Path) -> Result<PublishRequest> {
    let job = Job::read(path)?;
    let rules = Rules::from_job(&job)?;
    let mut request = PublishRequest::new(Input {
        path: job.input.path.unwrap_or_default(),
        format: job.input.format,
        delimiter: job.input.delimiter,
        nulls: job.input.nulls,
    });
    request.columns = job.columns.iter().map(ColumnRequest::from).collect();
    request.rules = rules;
    let publish = job.publish;
    if let Some(distance) = &publish.distance {
        request.distance = Some(read_ruler_in(path.parent().unwrap_or(Path::new("")), distance)?);
    }
    if let Some(seconds) = publish.time_limit {
        request.time_limit = Duration::from_secs(seconds);
    }
    request.drop_rest = publish.drop_rest;
    request.requirements = publish.require.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    if let Some(name) = &publish.method {
        request.method = Some(name.parse()?);
    }
    request.together = publish.together;
    (request.angel_k, request.join_k, request.marginals) = (publish.angel_k, publish.join_k, publish.marginal);
    request.aim = publish.aim.as_deref().map(str::parse).transpose()?;
    request.boxes = publish.boxes.as_deref().map(str::parse).transpose()?;
    request.mixtures = publish.mixtures.as_deref().map(str::parse).transpose()?.unwrap_or_default();
    if let Some(name) = &publish.algorithm {
        request.algorithm = Some(name.parse()?);
    }
    if let Some(share) = publish.max_suppressed {
        request.max_suppressed = share;
    }
    if let Some(name) = &publish.profile {
        request.profile = name.parse()?;
    }
    (request.seed, request.insecure_seed) = (publish.seed, publish.insecure_seed);
    request.out = job.output.dir.unwrap_or_default();
    request.format = if job.output.format == Format::Parquet { TableFormat::Parquet } else { TableFormat::Csv };
    request.replace = job.output.replace;
    Ok(request)
}

/// Sets of columns, each written with commas.
pub(crate) fn marginals(given: &[String]) -> Vec<Vec<String>> {
    given.iter().map(|columns| columns.split(',').map(|name| name.trim().to_string()).collect()).collect()
}

fn decimal(flag: &str, text: &str) -> Result<Decimal> {
    Decimal::parse(text).ok_or_else(|| Error::request(flag, text, "a number is wanted").hint("such as 0.02"))
}

fn table_format(field: &str, text: &str) -> Result<TableFormat> {
    match text {
        "csv" => Ok(TableFormat::Csv),
        "parquet" => Ok(TableFormat::Parquet),
        _ => Err(Error::request(field, text, "there is no such format").hint("csv or parquet")),
    }
}

fn words(p: &Published, method: Method) -> String {
    let mut text = format!("release   {}\nreport    {}\n\n", p.release.display(), p.report.display());
    let suppressed = if p.suppressed > 0 { format!(", {} suppressed", thousands(p.suppressed)) } else { String::new() };
    let groups = match (method, p.groups) {
        (Method::Angel, 1) => "batch",
        (Method::Angel, _) => "batches",
        (_, 1) => "group",
        _ => "groups",
    };
    text.push_str(&format!(
        "{} rows in {} {groups} of {} to {}{suppressed}; every requirement was verified on the written files\n\n",
        thousands(p.rows),
        thousands(p.groups),
        thousands(p.group_sizes.min),
        thousands(p.group_sizes.max)
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
    text.push_str(&ruled(&p.rules, "Records that the rules changed or deleted, which the release does not tell"));
    text.push_str(&mixed(p));
    if let Some(joined) = &p.joined {
        text.push_str(&format!("\n{}\n", narrowed(joined)));
    }
    if let Some(facts) = &p.common_value {
        text.push_str(&format!("\n{}\n", guessed(facts)));
    }
    if let Some(private) = &p.private {
        text.push_str(&format!(
            "\nprivate   {}\nties rows to batches, for tables that are added later: keep it from readers of the release\n",
            private.display()
        ));
    }
    if !p.levels.is_empty() {
        text.push_str(&levels(p));
    }
    match method {
        Method::Generalize | Method::FullDomain | Method::Angel => text.push_str(&lost(p)),
        Method::Permute | Method::Anatomy => text.push_str(
            "\nthe quasi-identifiers are exact: nothing of them is lost, and whoever knows them sees who is in the release\n",
        ),
    }
    text
}

/// What a reader gains who guesses the value that all batches of a box share, for the publisher to weigh.
fn guessed(facts: &CommonValueFacts) -> String {
    let CommonValueFacts { column, .. } = facts;
    let CommonValue { people, hits, claimed, deviation } = facts.worse();
    match people {
        0 => format!("attacked: nowhere do {} share exactly one value", facts.sharing()),
        _ => format!(
            "attacked: guessing the value of `{column}` that {} share is right for {} of {} people; \
             {claimed:.1} are claimed, give or take {deviation:.1}",
            facts.sharing(),
            thousands(*hits),
            thousands(*people)
        ),
    }
}

/// What is believed of people whose quasi-identifiers are known, but not their group, for the publisher to weigh.
fn mixed(p: &Published) -> String {
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
                " more than {allowed:.4} is believed to be near the value of {} of {} people, at most {greatest:.4}\n\
                 (--mixtures hold guarantees {allowed:.4}, or publishes nothing)\n",
                thousands(*above),
                thousands(*people)
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

/// What the tables tell together, for the publisher to weigh.
fn narrowed(joined: &Joined) -> String {
    let Joined { tables, k, people, least, .. } = joined;
    match people {
        0 if *tables == 1 => format!("the table leaves everybody among at least {least} people"),
        0 => format!("joined by batch, the {tables} tables leave everybody among at least {least} people"),
        _ => format!(
            "joined by batch, the {tables} tables may leave up to {} people among fewer than {k}, the least among {least}: the \
             requirements hold, but who is in the release is hidden less (--join-k refuses this; verify --source counts exactly)",
            thousands(*people)
        ),
    }
}

/// The level of each column of a full-domain release.
fn levels(p: &Published) -> String {
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

fn lost(p: &Published) -> String {
    let mut text = format!(
        "\nloss {:.4}, NCP {:.4} (sums over the quasi-identifiers); NCP of each, 0 exact to 1 nothing left:\n",
        p.loss, p.ncp
    );
    let rows: Vec<Vec<String>> =
        p.ncp_by_attribute.iter().map(|(name, ncp)| vec![name.clone(), format!("{ncp:.4}")]).collect();
    text.push_str(&aligned(&rows, &[1]));
    text
}
