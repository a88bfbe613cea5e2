//! `scumble advise`.

mod choices;
mod dissimilarity;

use crate::args::Advise;
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped};
use crate::whole_file::{check_page, write_page};
use scumble::{Advice, AdviseRequest, AtEpsilon, ColumnRole, Curve, Decimal, Error, Job, Result};
use std::path::Path;

pub(crate) fn run(args: &Advise, output: &Output) -> Result<bool> {
    if let Some(report) = &args.report {
        check_page("report", report, &args.data, args.replace)?;
    }
    let mut job = Job::new().drop_rest();
    args.options.apply(&mut job)?;
    if !args.options.named(ColumnRole::Quasi).is_empty() {
        return choices::run(args, &job, output);
    }
    if let Some(field) = args.options.first_of(&["population", "missing"]) {
        return Err(Error::request(field, "", "it is about releases that are tried, which takes quasi-identifiers")
            .hint("name the columns that others know of people in «quasi»"));
    }
    if let Some(distance) = job.publish.distance.clone() {
        return dissimilarity::run(args, &job, &distance, output);
    }
    let column = one_column(args, &job)?;
    let mut request = AdviseRequest::new(&column);
    request.epsilon = number("epsilon", &args.epsilon)?;
    request.relative = number("relative", &args.relative)?;
    request.m = parse_count("m", &args.m)?;
    request.curve = args.report.is_some();
    request.check()?;
    let table = reading::source(&args.data, &args.options)?.read(&job, &output.context)?;
    let advice = scumble::advise(&table, &request, &output.context)?;
    if let Some(report) = &args.report {
        write_page(report, &advice.page(), output)?;
    }
    let document = serde_json::to_value(&advice).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&advice, args.report.as_deref()))?;
    Ok(advice.achievable != Some(false))
}

/// Numbers are advised on by themselves, and nothing but numbers.
fn one_column(args: &Advise, job: &Job) -> Result<String> {
    let names: Vec<&str> = job.named(ColumnRole::Sensitive).collect();
    let [column] = &names[..] else {
        let reason = "without a distance, advice is about one column";
        return Err(Error::request("sensitive", names.join(","), reason)
            .hint("ask about one at a time, or take them as one value with «distance»"));
    };
    let given = [("k", args.k.is_some()), ("delta", args.delta.is_some())];
    let given = given.into_iter().find_map(|(field, given)| given.then_some(field));
    match given.or_else(|| args.options.first_of(&["order", "hierarchy"])) {
        Some(field) => Err(Error::request(field, "", "it is about dissimilarity, which takes a distance")
            .hint("give one with «distance», such as --distance \"l1(education:rank, income:range)\"")),
        None => Ok(column.to_string()),
    }
}

fn number(flag: &str, text: &Option<String>) -> Result<Option<Decimal>> {
    let parse = |text: &String| {
        Decimal::parse(text).ok_or_else(|| {
            Error::request(flag, text, "an exact decimal is wanted")
                .hint("such as 4500 or 0.125, with at most 37 digits")
        })
    };
    text.as_ref().map(parse).transpose()
}

fn parse_count(flag: &str, text: &Option<String>) -> Result<Option<u64>> {
    let parse =
        |text: &String| text.parse().map_err(|_| Error::request(flag, text, "it must be a whole number, 1 or more"));
    text.as_ref().map(parse).transpose()
}

fn summary(advice: &Advice, report: Option<&Path>) -> String {
    let mut text = format!("{}: {} with a number\n", advice.column, counted(advice.rows, "row", "rows"));
    if let Some(persons) = advice.persons {
        text.push_str(&format!(
            "these are the numbers of {}, each counted once\n",
            counted(persons, "person", "people")
        ));
    }
    if advice.missing > 0 {
        text.push_str(&format!(
            "{} left out here; publishing with a proximity requirement refuses {}\n",
            counted(advice.missing, "row has none and is", "rows have none and are"),
            if advice.missing == 1 { "it" } else { "them" }
        ));
    }
    let facts: Vec<Vec<String>> =
        advice.facts().into_iter().map(|(name, value)| vec![name.to_string(), value]).collect();
    if !facts.is_empty() {
        text.push_str(&format!("\n{}", aligned(&facts, &[])));
    }
    if let (Some(requirement), Some(achievable)) = (advice.requirement(), advice.achievable) {
        let verdict = if achievable { "can be had" } else { "cannot be had, whatever the grouping" };
        text.push_str(&format!("\n{requirement} {verdict}\n"));
    }
    if let Some(beyond) = advice.beyond() {
        text.push_str(&format!("\n{beyond}\n"));
    }
    if let Some(nearest) = &advice.nearest {
        text.push_str(&format!("nearest: {}\n", nearest.requirements.join(" or ")));
    }
    if advice.achievable.is_none() && advice.requirement().is_some() {
        let requirement = advice.requirement().unwrap_or_default();
        text.push_str(&format!("\n{requirement} is neither certain nor ruled out: only a search can tell\n"));
    }
    if !advice.exact {
        text.push_str(
            "\nThese are bounds: some people have several rows. What is ruled out is ruled out for people too; what is left may still \
             fail.\n",
        );
    }
    match (&advice.curve, report) {
        (Some(curve), None) => text.push_str(&tables(curve)),
        (_, Some(report)) => text.push_str(&format!("\nThe trade-off is in {}\n", report.display())),
        _ => {}
    }
    text.push_str("\nFor your eyes only: these figures tell how close together some of the numbers lie.\n");
    text
}

fn tables(curve: &Curve) -> String {
    let mut text = String::new();
    for (title, points) in [("absolute", &curve.absolute), ("relative", &curve.relative)] {
        text.push_str(&format!("\nLargest m for an epsilon, {title}:\n\n{}", aligned(&by_epsilon(points), &[0, 1, 2])));
    }
    if !curve.by_m.is_empty() {
        let mut rows =
            vec![["m", "absolute, below", "largest usable", "relative, below", "usable"].map(String::from).to_vec()];
        for b in &curve.by_m {
            let shown = |bound: &Option<String>| bound.clone().unwrap_or_else(|| "none".into());
            let bounds = [&b.epsilon_supremum, &b.epsilon_largest, &b.relative_supremum, &b.relative_largest];
            rows.push(std::iter::once(grouped(b.m)).chain(bounds.map(shown)).collect());
        }
        text.push_str(&format!("\nEpsilons for an m:\n\n{}", aligned(&rows, &[0, 1, 2, 3, 4])));
    }
    text
}

fn by_epsilon(points: &[AtEpsilon]) -> Vec<Vec<String>> {
    let mut rows = vec![["epsilon", "rows near one another", "largest m"].map(String::from).to_vec()];
    rows.extend(points.iter().map(|p| vec![p.epsilon.clone(), grouped(p.maxsize), grouped(p.m_max)]));
    rows
}
