//! `scumble verify`.

use crate::args::Verify;
use crate::commands::reading;
use crate::output::{Output, aligned, thousands};
use scumble::{ColumnRequest, ColumnRole, Error, Requirement, Result, TableToVerify, Verdict};
use std::path::Path;

pub(crate) fn run(args: &Verify, output: &Output) -> Result<bool> {
    let requirements = args.require.iter().map(|text| text.parse::<Requirement>()).collect::<Result<Vec<_>>>()?;
    if args.target != Path::new("-") && !args.target.exists() {
        return Err(Error::request(
            "RELEASE|TABLE",
            args.target.display().to_string(),
            "there is no such file or directory",
        ));
    }
    let verdict = if args.target.is_dir() {
        if !args.quasi.is_empty() || !args.sensitive.is_empty() {
            return Err(Error::request("--quasi", "", "a release names its columns itself")
                .hint("leave --quasi and --sensitive out"));
        }
        if !(args.typing.types.is_empty() && args.typing.orders.is_empty() && args.typing.hierarchies.is_empty()) {
            return Err(Error::request("--type", "", "a release states the types of its columns itself")
                .hint("leave --type, --order and --hierarchy out"));
        }
        let source = args.source.as_deref().map(|path| reading::input(path, &args.reading)).transpose()?;
        scumble::verify(&args.target, &requirements, source.as_ref(), args.join_k, &output.terminal)?
    } else {
        table(args, requirements, output)?
    };
    let document = serde_json::to_value(&verdict).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || words(&verdict))?;
    Ok(verdict.ok)
}

fn table(args: &Verify, requirements: Vec<Requirement>, output: &Output) -> Result<Verdict> {
    if args.source.is_some() {
        return Err(Error::request("--source", "", "only a release can be compared with its source"));
    }
    if let Some(k) = args.join_k {
        return Err(Error::request("--join-k", k.to_string(), "only an angel release has tables that can be joined"));
    }
    if args.quasi.is_empty() {
        return Err(Error::request("--quasi", "", "which columns form the groups?")
            .hint("name the quasi-identifying columns of the table; a release is a directory and needs none"));
    }
    let role =
        |names: &[String], role| names.iter().map(move |name| ColumnRequest::new(name, role)).collect::<Vec<_>>();
    let mut columns = role(&args.quasi, ColumnRole::Quasi);
    columns.extend(role(&args.sensitive, ColumnRole::Sensitive));
    reading::refine(&mut columns, &args.typing)?;
    let input = reading::input(&args.target, &args.reading)?;
    scumble::verify_table(&TableToVerify { input, columns, requirements }, &output.terminal)
}

fn words(verdict: &Verdict) -> String {
    let mut text = String::new();
    for check in &verdict.checks {
        let mark = if check.ok { "ok  " } else { "FAIL" };
        let detail = if check.detail.is_empty() { String::new() } else { format!(": {}", check.detail) };
        text.push_str(&format!("{mark} {}{detail}\n", check.name));
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
    let sizes = &verdict.group_sizes;
    let batches = verdict.checks.iter().any(|check| check.name == "batches-numbered");
    text.push_str(&format!(
        "\n{}: {} rows in {} {} of {} to {} (mean {:.1}), {} suppressed\n",
        if verdict.ok { "verified" } else { "NOT VERIFIED" },
        thousands(verdict.rows),
        thousands(verdict.groups),
        if batches { "batches" } else { "groups" },
        thousands(sizes.min),
        thousands(sizes.max),
        sizes.mean,
        thousands(verdict.suppressed)
    ));
    text
}
