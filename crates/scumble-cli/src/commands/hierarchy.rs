//! `scumble hierarchy`.

use crate::args::{Hierarchy, all_names};
use crate::commands::reading;
use crate::output::{Output, aligned, counted, grouped};
use crate::whole_file::{check_page, write_page};
use scumble::{
    BandWidth, BuiltHierarchies, ContextAlgorithm, Edge, Error, HierarchyFacts, HierarchyRequest, HierarchyRule, Job,
    LevelFacts, Result, RuleFault, check_hierarchy_dir,
};

pub(crate) fn run(args: &Hierarchy, output: &Output) -> Result<bool> {
    if let Some(report) = &args.report {
        if report.starts_with(&args.out) {
            let reason = "it would lie in the directory of the hierarchies, which is for others to have";
            return Err(Error::request("report", report.display().to_string(), reason).hint("name a file elsewhere"));
        }
        check_page("report", report, &args.data, args.replace)?;
    }
    let request = request(args)?;
    request.check()?;
    check_hierarchy_dir(&args.out, Some(&args.data))?;
    // These columns have no role, and in that of columns that are kept their values stay out of messages.
    let (focused, given) = (all_names(&args.focused), all_names(&args.given));
    let mut job = Job::new().keep(focused).keep(&given).drop_rest();
    for (name, column) in args.options.columns()? {
        let Some((_, known)) = job.columns.iter_mut().find(|(known, _)| *known == name) else {
            let field = if column.kind.is_some() { "type" } else { "order" };
            return Err(Error::request(field, name, "this column is neither in «for» nor in «given»"));
        };
        (known.kind, known.order) = (column.kind, column.order);
    }
    let table = reading::source(&args.data, &args.options)?.read(&job, &output.context);
    let table = table.map_err(|error| match &error {
        // All columns are read in one role, and were named in two flags.
        Error::Request { field, value, .. } if field == "keep" => {
            by_flag(if given.contains(value) { "given" } else { "for" }, error)
        }
        _ => error,
    })?;
    let built = scumble::build_hierarchies(&table, &request, &output.context)?;
    let written = built.write(&args.out)?;
    if let Some(report) = &args.report {
        write_page(report, &built.page(), output)?;
    }
    output.result(&written, || summary(&built, args))?;
    Ok(true)
}

fn request(args: &Hierarchy) -> Result<HierarchyRequest> {
    let mut request = HierarchyRequest::new(all_names(&args.focused)).given(all_names(&args.given));
    request.min_count = parse_count("min_count", &args.min_count)?;
    request.groups = parse_count("groups", &args.groups)?;
    if let Some(text) = &args.correlation {
        request.measure = text.parse().map_err(|error| by_flag("correlation", error))?;
    }
    if let Some(text) = &args.kind {
        request.rule = Some(text.parse().map_err(|error| by_flag("kind", error))?);
    }
    request.by_hand = by_hand(args)?;
    request.list = args.list;
    request.algorithm = match args.algorithm.as_deref() {
        None | Some("mdl") => ContextAlgorithm::Mdl,
        Some("paper") => ContextAlgorithm::Paper,
        Some(other) => {
            return Err(Error::request("algorithm", other, "there is no such algorithm").hint("mdl or paper"));
        }
    };
    Ok(request)
}

/// The rule that the flags write, if any of them does.
fn by_hand(args: &Hierarchy) -> Result<Option<HierarchyRule>> {
    let cuts = args.cuts.join(" ");
    let given = [
        ("bands", args.bands.as_deref()),
        ("cuts", Some(cuts.as_str()).filter(|_| !args.cuts.is_empty())),
        ("prefix", args.prefix.as_deref()),
    ];
    let given: Vec<(&str, &str)> = given.into_iter().filter_map(|(flag, text)| Some((flag, text?))).collect();
    let (flag, text) = match given[..] {
        [] if args.digits.is_some() => {
            return Err(Error::request("digits", "", "it says how fine the ends of bands are, and there are no bands")
                .hint("leave it out, or say which with «bands» or «cuts»"));
        }
        [] => return Ok(None),
        [only] => only,
        [(one, _), (other, text), ..] => {
            let reason = format!("a column has one hierarchy, and «{one}» makes it already");
            return Err(Error::request(other, text, reason).hint("leave one of them out"));
        }
    };
    let wrong = |fault: RuleFault| Error::request(flag, text, fault.reason).hint(fault.hint);
    let rule = match flag {
        "bands" => {
            let widths = parts(text).map(str::parse::<BandWidth>).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
            match widths[..] {
                [width] => HierarchyRule::bands_from(width),
                _ => HierarchyRule::bands(widths),
            }
        }
        "cuts" => {
            let levels =
                args.cuts.iter().map(|level| parts(level).map(|cut| edge("cuts", cut)).collect::<Result<Vec<Edge>>>());
            let range = match &args.range {
                None => None,
                Some(range) => match parts(range).collect::<Vec<_>>()[..] {
                    [least, greatest] => Some((edge("range", least)?, edge("range", greatest)?)),
                    _ => {
                        let reason = "it has two ends, the least and the greatest value that there can be";
                        return Err(Error::request("range", range, reason).hint("such as 0,120"));
                    }
                },
            };
            HierarchyRule::cuts(levels.collect::<Result<_>>()?, range)
        }
        _ => {
            let length = |part: &str| {
                part.parse::<usize>().map_err(|_| {
                    Error::request(flag, part, "it must be a whole number of characters").hint("such as 3,1")
                })
            };
            HierarchyRule::prefix(parts(text).map(length).collect::<Result<_>>()?)
        }
    };
    let rule = rule.map_err(wrong)?;
    match args.digits {
        None => Ok(Some(rule)),
        Some(digits) => {
            let wrong = |fault: RuleFault| Error::request("digits", digits.to_string(), fault.reason).hint(fault.hint);
            rule.with_digits(digits).map(Some).map_err(wrong)
        }
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim)
}

fn edge(flag: &str, text: &str) -> Result<Edge> {
    Edge::parse(text).ok_or_else(|| {
        Error::request(flag, text, "it is neither a number nor a date").hint("such as 18, or 1950-01-01")
    })
}

/// The error of a word, under the flag that it was given with.
fn by_flag(flag: &str, error: Error) -> Error {
    match error {
        Error::Request { value, reason, hint, .. } => Error::Request { field: flag.into(), value, reason, hint },
        other => other,
    }
}

fn parse_count(flag: &str, text: &Option<String>) -> Result<Option<u64>> {
    let parse = |text: &String| match text.parse::<u64>() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(Error::request(flag, text, "it must be a whole number, 1 or more")),
    };
    text.as_ref().map(parse).transpose()
}

fn summary(built: &BuiltHierarchies, args: &Hierarchy) -> String {
    let mut text = counted(built.rows, "row", "rows");
    if let Some(least) = built.min_count {
        let why = if built.min_count_given { "" } else { ", a tenth of them" };
        text.push_str(&format!("; an interval stands for at least {} of them{why}", grouped(least)));
    }
    text.push('\n');
    for hierarchy in &built.hierarchies {
        text.push_str(&one(built, hierarchy));
    }
    let files: Vec<&str> = built.hierarchies.iter().flat_map(|h| h.files.iter().map(String::as_str)).collect();
    text.push_str(&format!("\nwritten to {}: {}\n", args.out.display(), files.join(", ")));
    if let Some(report) = &args.report {
        text.push_str(&format!("charts and trees are in {}\n", report.display()));
    }
    text.push_str(match built.tells_of_data() {
        false => "Counts are for your eyes only. The files have none: they hold rules, and nothing of the data.\n",
        true if built.hierarchies.iter().all(|hierarchy| hierarchy.by_hand.is_some()) => {
            "Counts are for your eyes only. The files have none, but lists hold values of the data.\n"
        }
        true => "Counts are for your eyes only. The files have none, but their cuts come from the data and they list values.\n",
    });
    text
}

fn one(built: &BuiltHierarchies, hierarchy: &HierarchyFacts) -> String {
    let mut text = format!(
        "\n{} ({}, {}): {} hierarchy\n",
        hierarchy.column,
        hierarchy.value_type,
        counted(hierarchy.values, "value", "values"),
        hierarchy.kind
    );
    if hierarchy.missing > 0 {
        text.push_str(&format!("  {} no value\n", counted(hierarchy.missing, "row has", "rows have")));
    }
    if !hierarchy.correlations.is_empty() {
        text.push_str(&format!("\n{}", correlations(built, hierarchy)));
    }
    for context in &hierarchy.contexts {
        text.push_str(&format!("\n  where {}: {}\n", context.says, counted(context.rows, "row", "rows")));
        text.push_str(&levels(&context.levels[..context.levels.len() - hierarchy.levels.len()], 1));
    }
    if let Some(outside) = hierarchy.outside.filter(|outside| *outside > 0) {
        let outside = counted(outside, "row, which shows", "rows, which show");
        text.push_str(&format!("\n  in no context: {outside} the common levels\n"));
    }
    if hierarchy.contexts.is_empty() {
        text.push_str(&format!("\n{}", levels(&hierarchy.levels, 1)));
    } else {
        let own = hierarchy.contexts[0].levels.len() - hierarchy.levels.len();
        text.push_str(&format!("\n  common to all\n{}", levels(&hierarchy.levels, own + 1)));
    }
    text
}

fn correlations(built: &BuiltHierarchies, hierarchy: &HierarchyFacts) -> String {
    let measure = built.correlation.unwrap_or_default();
    let divisions = hierarchy.correlations.iter().any(|found| found.division.is_some());
    let mut heading = vec!["given".to_string(), measure.into()];
    if divisions {
        heading.extend(["gain in nats", "parts", "least rows", "divides"].map(String::from));
    }
    let mut rows = vec![heading];
    for found in &hierarchy.correlations {
        let value = found.value.map_or("not defined".into(), |value| format!("{value:.4}"));
        let mut row = vec![found.column.clone(), value];
        if let Some(division) = found.division {
            row.push(format!("{:.1}", division.gain));
            row.push(division.parts.to_string());
            row.push(grouped(division.least_rows));
            row.push(if division.made { "yes" } else { "no" }.into());
        }
        rows.push(row);
    }
    aligned(&rows, &[1, 2, 3, 4])
}

/// Groups shown in a line.
const MOST_SHOWN: usize = 12;

/// Levels, numbered from the first; the values themselves are level 0.
fn levels(levels: &[LevelFacts], first: usize) -> String {
    if levels.is_empty() {
        return "  no level between the values and `*`\n".into();
    }
    let mut rows = vec![["level", "groups", "least rows", ""].map(String::from).to_vec()];
    for (nth, level) in levels.iter().enumerate() {
        let shown = match level.labels.len() {
            n if n <= MOST_SHOWN => level.labels.join(" | "),
            n => format!("{} | ... {} more", level.labels[..MOST_SHOWN - 1].join(" | "), n + 1 - MOST_SHOWN),
        };
        rows.push(vec![(first + nth).to_string(), grouped(level.groups as u64), grouped(level.least_rows), shown]);
    }
    aligned(&rows, &[0, 1, 2])
}
