//! `scumble publish`.

use crate::args::Publish;
use crate::commands::reading;
use crate::output::{Output, aligned, thousands};
use scumble::{
    ColumnRequest, ColumnRole, Decimal, Error, Format, Input, Job, JobRole, Method, PublishRequest, Published, Result,
    TableFormat,
};
use std::path::Path;

pub(crate) fn run(args: &Publish, output: &Output) -> Result<bool> {
    let request = request(args)?;
    let published = scumble::publish(&request, &output.terminal)?;
    let document = serde_json::to_value(&published).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || words(&published, request.chosen_method()))?;
    Ok(true)
}

/// The request that a job file and flags describe together; flags win.
fn request(args: &Publish) -> Result<PublishRequest> {
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
    request.drop_rest |= args.drop_rest;
    if !args.require.is_empty() {
        request.requirements = args.require.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    }
    if let Some(name) = &args.method {
        request.method = Some(method(name)?);
    }
    request.together |= args.together;
    if let Some(name) = &args.aim {
        request.aim = Some(name.parse()?);
    }
    if let Some(name) = &args.algorithm {
        request.algorithm = Some(name.parse()?);
    }
    if let Some(share) = &args.max_suppressed {
        request.max_suppressed = decimal("--max-suppressed", share)?;
    }
    if let Some(name) = &args.profile {
        request.profile = name.parse()?;
    }
    request.seed = args.seed.or(request.seed);
    if let Some(out) = &args.out {
        request.out.clone_from(out);
    }
    request.replace |= args.replace;
    if let Some(format) = &args.format {
        request.format = table_format("--format", format)?;
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
    let mut request = PublishRequest::new(Input {
        path: job.input.path.unwrap_or_default(),
        format: job.input.format,
        delimiter: job.input.delimiter,
        nulls: job.input.nulls,
    });
    request.columns = job
        .columns
        .into_iter()
        .map(|column| ColumnRequest {
            name: column.name,
            role: match column.role {
                JobRole::Quasi => ColumnRole::Quasi,
                JobRole::Sensitive => ColumnRole::Sensitive,
                JobRole::Kept => ColumnRole::Kept,
                JobRole::Identifying => ColumnRole::Identifying,
                JobRole::Drop => ColumnRole::Dropped,
            },
            kind: column.kind,
            hierarchy: column.hierarchy,
            order: column.order,
        })
        .collect();
    let publish = job.publish;
    for (given, field) in [
        (publish.distance.is_some(), "distance"),
        (!publish.marginal.is_empty(), "marginal"),
        (publish.angel_k.is_some(), "angel_k"),
    ] {
        if given {
            return Err(Error::request(format!("[publish] {field}"), "", "this version has no method that uses it")
                .hint("leave it out"));
        }
    }
    request.drop_rest = publish.drop_rest;
    request.requirements = publish.require.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    if let Some(name) = &publish.method {
        request.method = Some(method(name)?);
    }
    request.together = publish.together;
    request.aim = publish.aim.as_deref().map(str::parse).transpose()?;
    if let Some(name) = &publish.algorithm {
        request.algorithm = Some(name.parse()?);
    }
    if let Some(share) = publish.max_suppressed {
        request.max_suppressed = share;
    }
    if let Some(name) = &publish.profile {
        request.profile = name.parse()?;
    }
    request.seed = publish.seed;
    request.out = job.output.dir.unwrap_or_default();
    request.format = if job.output.format == Format::Parquet { TableFormat::Parquet } else { TableFormat::Csv };
    request.replace = job.output.replace;
    Ok(request)
}

/// A form of a release; this version makes some of them.
fn method(name: &str) -> Result<Method> {
    if name == "angel" {
        return Err(Error::request("--method", name, "this version does not make such releases yet")
            .hint("use --method generalize, permute or anatomy"));
    }
    name.parse()
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
    text.push_str(&format!(
        "{} rows in {} groups of {} to {}{suppressed}; every requirement was verified on the written files\n\n",
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
    match method {
        Method::Generalize => text.push_str(&lost(p)),
        Method::Permute | Method::Anatomy => text.push_str(
            "\nthe quasi-identifiers are exact: nothing of them is lost, and whoever knows them sees who is in the release\n",
        ),
    }
    text
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
