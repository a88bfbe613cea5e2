//! `scumble advise` with a distance.

use super::{number, parse_count};
use crate::args::Advise;
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped};
use crate::whole_file::write_page;
use scumble::{
    AtDistance, AtK, ColumnRole, DissimilarityAdvice, DissimilarityRequest, Distance, Error, Job, Result, Status,
    read_distance,
};
use std::path::Path;

pub(super) fn run(args: &Advise, job: &Job, distance: &Distance, output: &Output) -> Result<bool> {
    let request = request(args, distance)?;
    request.check(&job.named(ColumnRole::Sensitive).collect::<Vec<_>>())?;
    let table = reading::source(&args.data, &args.options)?.read(job, &output.context)?;
    let advice = scumble::advise_dissimilarity(&table, &request, &output.context)?;
    if let Some(report) = &args.report {
        write_page(report, &advice.page(), output)?;
    }
    let document = serde_json::to_value(&advice).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&advice, args.report.as_deref()))?;
    Ok(advice.status != Status::Infeasible)
}

fn request(args: &Advise, distance: &Distance) -> Result<DissimilarityRequest> {
    for (flag, given) in [("m", &args.m), ("relative", &args.relative)] {
        if let Some(given) = given {
            return Err(Error::request(flag, given, "it is about proximity, which has no distance")
                .hint("leave «distance» out, or ask with --epsilon, --k and --delta"));
        }
    }
    let missing = |flag: &str, example: &str| {
        Error::request(flag, "", "dissimilarity under a distance takes one").hint(format!("such as «{flag}» {example}"))
    };
    let epsilon = number("epsilon", &args.epsilon)?.ok_or_else(|| missing("epsilon", "0.1"))?;
    let k = parse_count("k", &args.k)?.ok_or_else(|| missing("k", "10"))?;
    let mut request = DissimilarityRequest::new(read_distance(distance, &[])?, epsilon, k);
    request.delta = number("delta", &args.delta)?;
    request.trade_off = args.report.is_some();
    Ok(request)
}

fn summary(advice: &DissimilarityAdvice, report: Option<&Path>) -> String {
    let mut text = format!(
        "{}: {}, {} ({})\ndistance  {}\n",
        advice.columns.join(", "),
        counted(advice.rows, "row", "rows"),
        counted(advice.values, "distinct value", "distinct values"),
        storage_of_pairs(advice.neighbours),
        advice.distance
    );
    let facts: Vec<Vec<String>> =
        advice.facts().into_iter().map(|(name, value)| vec![name.to_string(), value]).collect();
    if let Some(persons) = advice.persons {
        text.push_str(&format!(
            "these are the values of {}, each counted once\n",
            counted(persons, "person", "people")
        ));
    }
    text.push_str(&format!("\n{}\n{}\n", aligned(&facts, &[]), advice.verdict()));
    match (&advice.trade_off, report) {
        (Some(trade_off), None) => text.push_str(&tables(trade_off)),
        (_, Some(report)) => text.push_str(&format!("\nThe trade-off is in {}\n", report.display())),
        _ => {}
    }
    text.push_str("\nFor your eyes only: these figures tell how many people have values near one another.\n");
    text
}

/// How it is kept which values are near which.
fn storage_of_pairs(word: &str) -> &'static str {
    match word {
        "bits" => "a bit for every pair",
        "lists" => "a list of neighbours for each",
        _ => "too many for all pairs to be kept",
    }
}

fn tables(trade_off: &[AtDistance]) -> String {
    let pick = [
        ("Delta that is guaranteed, at most", (|at| Some(at.guaranteed_delta)) as fn(&AtK) -> Option<f64>),
        ("Delta that is disproved, from", |at| at.infeasible_delta),
    ];
    pick.into_iter().map(|(title, pick)| format!("\n{title}:\n\n{}", table(trade_off, pick))).collect()
}

fn table(trade_off: &[AtDistance], pick: fn(&AtK) -> Option<f64>) -> String {
    let mut rows = vec![["epsilon", "rows near one row", "near one another"].map(String::from).to_vec()];
    let ks = trade_off.first().map_or(&[][..], |first| &first.by_k[..]);
    rows[0].extend(ks.iter().map(|at| format!("k = {}", at.k)));
    for row in trade_off {
        let first = [row.epsilon.clone(), grouped(row.max_degree), grouped(row.clique_rows)];
        let cells = row.by_k.iter().map(|at| pick(at).map_or("none".into(), |delta| delta.to_string()));
        rows.push(first.into_iter().chain(cells).collect());
    }
    let figures: Vec<usize> = (0..rows[0].len()).collect();
    aligned(&rows, &figures)
}
