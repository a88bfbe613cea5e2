//! `scumble evaluate`.

mod vulnerability;

use crate::args::Evaluate;
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped, range};
use crate::whole_file::{check_page, write_page};
use scumble::{
    BoundsFacts, BoundsRequest, Error, Errors, EvaluateRequest, Evaluation, Reconstruction, Release, Result,
    WorkloadFacts,
};
use std::path::Path;

pub(crate) fn run(args: &Evaluate, output: &Output) -> Result<bool> {
    if !args.release.is_dir() {
        return Err(Error::request("RELEASE", args.release.display().to_string(), "there is no such directory")
            .hint("name the directory that `scumble publish` wrote"));
    }
    if let Some(report) = &args.report {
        check_page("report", report, &args.source, args.replace)?;
    }
    if args.source != Path::new("-") && !args.source.is_file() {
        return Err(Error::request("source", args.source.display().to_string(), "there is no such file"));
    }
    let (source, rules) = reading::source_with_rules(&args.source, &args.options, args.rules.as_deref())?;
    let request = EvaluateRequest {
        sensitive: args.sensitive.clone(),
        qs: args.qs,
        queries: args.queries as usize,
        w: args.w.clone(),
        s: args.s,
        volumes: args.volume.clone(),
        reconstruct: args.reconstruct.iter().map(|names| columns(names)).collect::<Result<_>>()?,
        seed: args.seed,
        baseline: args.baseline.as_deref().map(str::parse).transpose()?,
        vulnerability: vulnerability::request(args)?,
        bounds: args.bounds.as_deref().map(|aggregate| bounds_request(aggregate, args)).transpose()?,
    };
    let release = Release::open(&args.release)?;
    let source = source.read_published(release.columns(), rules.as_ref(), output.context.monitor())?;
    let evaluation = scumble::evaluate(&release, &source, &request, &output.context)?;
    if let Some(report) = &args.report {
        let page = scumble::evaluation_page(&evaluation);
        write_page(report, &page, output)?;
    }
    let document = serde_json::to_value(&evaluation).map_err(|e| Error::bug(e.to_string()))?;
    output.result(&document, || summary(&evaluation, args.report.as_deref()))?;
    Ok(true)
}

/// The names of a list with commas between them.
fn columns(names: &str) -> Result<Vec<String>> {
    let split: Vec<String> = names.split(',').map(|name| name.trim().to_string()).collect();
    match split.iter().any(String::is_empty) {
        true => {
            let reason = "a name is missing";
            Err(Error::request("reconstruct", names, reason).hint("name quasi-identifiers, such as age,city"))
        }
        false => Ok(split),
    }
}

fn bounds_request(aggregate: &str, args: &Evaluate) -> Result<BoundsRequest> {
    Ok(BoundsRequest {
        range_over: args.range_over.clone(),
        spans: args.spans.clone(),
        sizes: args.sizes.clone(),
        algorithms: args.algorithms.clone(),
        ..BoundsRequest::parse(aggregate)?
    })
}

fn summary(e: &Evaluation, report: Option<&Path>) -> String {
    let sizes = &e.group_sizes;
    let mut text = format!(
        "{} in {} of {}{}, {} suppressed; discernibility {}\n",
        counted(e.rows, "row", "rows"),
        match e.buckets.is_empty() {
            true => counted(e.groups, "group", "groups"),
            false => counted(e.groups, "batch", "batches"),
        },
        range(sizes.min, sizes.max),
        match sizes.min == sizes.max {
            true => String::new(),
            false => format!(" (mean {:.1}, median {})", sizes.mean, sizes.median),
        },
        grouped(e.suppressed),
        grouped(e.discernibility)
    );
    if let Some(persons) = e.persons.filter(|&persons| persons < e.rows) {
        text.push_str(&format!(
            "the rows are those of {}; sizes, losses and queries count rows, as readers of the release do\n",
            counted(persons, "person", "persons")
        ));
    }
    text.push_str(&buckets(e));
    text.push_str(&if e.is_exact() { exact(e) } else { loss_table(e) });
    if let Some(sensitive) = &e.sensitive {
        text.push_str(&counts(&e.workloads, sensitive));
        text.push_str(&reconstruction(&e.reconstruction, sensitive));
    }
    if let Some(baseline) = &e.baseline {
        let allowed = if baseline.retention > 0.0 {
            format!("may keep {:.2} % of the sensitive values", 100.0 * baseline.retention)
        } else {
            "cannot meet it, even if every sensitive value is noise".into()
        };
        text.push_str(&format!("\nUnder `{}` perturbation {allowed}.\n", baseline.requirement));
    }
    if let (Some(facts), Some(sensitive)) = (&e.bounds, &e.sensitive) {
        text.push_str(&bounds(facts, sensitive));
    }
    e.vulnerability.iter().for_each(|found| text.push_str(&vulnerability::summary(found)));
    if let Some(report) = report {
        text.push_str(&format!("\nThe page for your eyes is in {}\n", report.display()));
    }
    text
}

/// Widths question by question, so that the lines of one question stand below each other.
fn bounds(facts: &BoundsFacts, sensitive: &str) -> String {
    let heading = ["question", "bounds of", "mean", "median", "questions", "truth outside"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for at in 0..facts.n_questions() {
        for (line, asked) in facts.lines.iter().filter_map(|line| Some((line, line.asked().nth(at)?))) {
            let widths = &asked.widths;
            let width = |width: Option<f64>| width.map_or("none".into(), |width| format!("{width:.4}"));
            rows.push(vec![
                facts.question(asked),
                line.name.clone(),
                width(widths.mean),
                width(widths.median),
                grouped(widths.questions as u64),
                grouped(widths.outside as u64),
            ]);
        }
    }
    let under = facts.requirement.as_ref().map_or(String::new(), |text| format!(", others under `{text}`"));
    let aggregate = facts.aggregate;
    format!(
        "\nWidth of the bounds of {aggregate}({sensitive}), relative to the true answer{under}:\n\n{}",
        aligned(&rows, &[2, 3, 4, 5])
    )
}

fn loss_table(e: &Evaluation) -> String {
    let mut rows = vec![["quasi-identifier", "loss", "NCP"].map(String::from).to_vec()];
    for ((name, loss), (_, ncp)) in e.loss_by_attribute.iter().zip(&e.ncp_by_attribute) {
        rows.push(vec![name.clone(), format!("{loss:.4}"), format!("{ncp:.4}")]);
    }
    format!(
        "\nDetail lost, on the source's domains{}: loss {:.4}, NCP {:.4} ({:.4} a column)\n\n{}",
        if e.suppressed > 0 { ", suppressed rows counting 1 in each column" } else { "" },
        e.loss,
        e.ncp,
        e.ncp_per_attribute,
        aligned(&rows, &[1, 2])
    )
}

fn exact(e: &Evaluation) -> String {
    match e.suppressed {
        0 => "\nThe quasi-identifiers are exact: nothing of them is lost\n".into(),
        _ => format!(
            "\nThe quasi-identifiers are exact but for the suppressed rows: NCP {:.4} ({:.4} a column)\n",
            e.ncp, e.ncp_per_attribute
        ),
    }
}

/// The workloads of some columns, then those of all.
fn counts(workloads: &[WorkloadFacts], sensitive: &str) -> String {
    let (every, some): (Vec<_>, Vec<_>) = workloads.iter().partition(|facts| facts.on_every_column());
    let mut text = String::new();
    if let Some(first) = some.first() {
        text.push_str(&format!(
            "\nRelative error of {} counts each over w columns, {}, of volume {}:\n\n{}",
            grouped(first.queries as u64),
            match first.qs {
                1 => format!("`{sensitive}` among them"),
                n => format!("{n} of them sensitive"),
            },
            first.s,
            errors(&some, "w", |facts| facts.w.to_string())
        ));
    }
    if let Some(first) = every.first() {
        text.push_str(&format!(
            "\nRelative error of {} each over {}, by volume:\n\n{}",
            counted(first.queries as u64, "count", "counts"),
            if first.w == 1 { "the only column".into() } else { format!("all {} columns", first.w) },
            errors(&every, "volume", |facts| facts.s.to_string())
        ));
    }
    text
}

/// The buckets of each table of an angel release.
fn buckets(e: &Evaluation) -> String {
    if e.buckets.is_empty() {
        return String::new();
    }
    let mut rows =
        vec![["table", "columns", "buckets", "least", "mean", "median", "largest"].map(String::from).to_vec()];
    for one in &e.buckets {
        rows.push(vec![
            one.table.clone(),
            one.columns.join(","),
            grouped(one.buckets),
            grouped(one.sizes.min),
            format!("{:.1}", one.sizes.mean),
            one.sizes.median.to_string(),
            grouped(one.sizes.max),
        ]);
    }
    format!("\nBuckets of rows that show the same box:\n\n{}", aligned(&rows, &[2, 3, 4, 5, 6]))
}

fn reconstruction(found: &[Reconstruction], sensitive: &str) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut rows = vec![["quasi-identifiers", "table", "KL in nats"].map(String::from).to_vec()];
    for one in found {
        let kl = match one.kl {
            Some(kl) => format!("{kl:.4}"),
            None => format!("infinite: {} nowhere", counted(one.unreached, "row is", "rows are")),
        };
        rows.push(vec![one.attributes.join(","), one.table.clone(), kl]);
    }
    format!(
        "\nDivergence KL(D||D*) of the distribution with `{sensitive}` that the release tells from the source's:\n\n{}",
        aligned(&rows, &[2])
    )
}

fn errors(workloads: &[&WorkloadFacts], name: &str, named: impl Fn(&WorkloadFacts) -> String) -> String {
    let heading = [name, "estimator", "mean", "median", "95 %", "signed mean", "without answer", "mean answer"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    let cells = |errors: Option<Errors>| match errors {
        Some(e) => [e.mean, e.median, e.p95, e.signed_mean].map(|error| format!("{error:.4}")),
        None => ["none"; 4].map(String::from),
    };
    for facts in workloads {
        let all = facts.estimators.iter().copied().chain(facts.baseline.map(|errors| ("perturbation", errors)));
        for (at, (name, found)) in all.enumerate() {
            let mut row = vec![named(facts), name.into()];
            row.extend(cells(found));
            if at == 0 {
                row.push(grouped(facts.without_answer as u64));
                row.push(facts.mean_answer.map_or("none".into(), |mean| format!("{mean:.1}")));
            }
            rows.push(row);
        }
    }
    aligned(&rows, &[0, 2, 3, 4, 5, 6, 7])
}
