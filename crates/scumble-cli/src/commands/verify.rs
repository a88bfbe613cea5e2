//! `scumble verify`.

use crate::args::Verify;
use crate::commands::reading;
use crate::output::{Output, aligned, thousands};
use scumble::{
    Against, ColumnRequest, ColumnRole, Distance, Error, ReleaseToVerify, Requirement, Result, TableToVerify, Verdict,
};
use std::path::Path;

pub(crate) fn run(args: &Verify, output: &Output) -> Result<bool> {
    let asked = Asked::read(args)?;
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
        if !(args.typing.types.is_empty() && args.typing.orders.is_empty()) {
            return Err(Error::request(
                "--type",
                "",
                "a release states the types of its columns and their order itself",
            )
            .hint("leave --type and --order out"));
        }
        let trees = reading::trees(&args.typing.hierarchies)?;
        if !trees.is_empty() && args.distance.is_none() {
            return Err(Error::request("--hierarchy", "", "a release carries its hierarchies")
                .hint("leave --hierarchy out; it goes with a --distance by `tree`"));
        }
        let source = args.source.as_deref().map(|path| reading::source(path, &args.reading, args.rules.as_deref()));
        let (source, rules) = match source.transpose()? {
            Some((input, rules)) => (Some(input), rules),
            None => (None, None),
        };
        let Asked { requirements, against, distance } = asked;
        let (release, join_k) = (args.target.clone(), args.join_k);
        let asked = ReleaseToVerify { release, requirements, against, distance, trees, source, rules, join_k };
        scumble::verify_release(&asked, &output.terminal)?
    } else {
        table(args, asked, output)?
    };
    let document = serde_json::to_value(&verdict).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || words(&verdict))?;
    Ok(verdict.ok)
}

/// What is asked beside the promises of a release.
struct Asked {
    requirements: Vec<Requirement>,
    against: Vec<Requirement>,
    distance: Option<Distance>,
}

impl Asked {
    fn read(args: &Verify) -> Result<Asked> {
        let parse = |texts: &[String]| texts.iter().map(|text| text.parse::<Requirement>()).collect::<Result<Vec<_>>>();
        let asked = Asked {
            requirements: parse(&args.require)?,
            against: parse(&args.against)?,
            distance: args.distance.as_ref().map(|text| text.parse()).transpose()?,
        };
        let mut all = asked.requirements.iter().chain(&asked.against);
        if let (Some(distance), false) = (&args.distance, all.any(|one| one.name() == "dissimilarity")) {
            return Err(Error::request("--distance", distance, "nothing that is asked needs a distance")
                .hint("ask for one, such as --against \"dissimilarity(0.1, 0.8, 10)\""));
        }
        Ok(asked)
    }
}

fn table(args: &Verify, asked: Asked, output: &Output) -> Result<Verdict> {
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
    let Asked { requirements, against, distance } = asked;
    scumble::verify_table(&TableToVerify { input, columns, requirements, against, distance }, &output.terminal)
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

/// One line on how a release stands against a requirement.
fn vulnerable(against: &Against) -> String {
    let count = |n: u64| format!("{} of {} {}", thousands(n), thousands(against.groups), against.judged);
    let share = percent(against.failing, against.groups);
    match against.breached {
        None => format!("{}: {} ({share}) fail it", against.requirement, count(against.failing)),
        Some(breached) => {
            let share = percent(breached, against.groups);
            let small = match against.small {
                0 => String::new(),
                n => format!("; {} have too few rows", thousands(n)),
            };
            format!("{}: {} ({share}) contain a proximity breach{small}", against.requirement, count(breached))
        }
    }
}

/// A share in words; only none is 0.0 % and only all are 100.0 %.
fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    match format!("{share:.1}").as_str() {
        "0.0" if part > 0 => "less than 0.1 %".into(),
        "100.0" if part < whole => "more than 99.9 %".into(),
        text => format!("{text} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_never_rounded_to_none_or_all() {
        let shares =
            [(0, 0), (0, 5), (1, 3000), (1, 3), (2999, 3000), (3, 3)].map(|(part, whole)| percent(part, whole));
        assert_eq!(shares, ["0.0 %", "0.0 %", "less than 0.1 %", "33.3 %", "more than 99.9 %", "100.0 %"]);
    }
}
