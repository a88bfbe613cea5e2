//! `scumble advise` with quasi-identifiers: principles over grids of their parameters.

use crate::args::Advise;
use crate::commands::reading;
use crate::flag_names::option_flag;
use crate::output::{Output, aligned, counted, grouped, percent};
use crate::whole_file::write_page;
use scumble::{ChoiceRequest, Choices, Error, Job, OF_CHANCES, PrincipleChoice, Result, choice_heading, choice_rows};
use std::path::Path;

pub(super) fn run(args: &Advise, job: &Job, output: &Output) -> Result<bool> {
    let request = request(args)?;
    request.check()?;
    let table = reading::source(&args.data, &args.options)?.read(job, &output.context)?;
    let choices = scumble::advise_choices(&table, job, &request, &output.context)?;
    if let Some(report) = &args.report {
        write_page(report, &choices.page(), output)?;
    }
    output.result(&choices, || summary(&choices, args.report.as_deref()))?;
    Ok(choices.any_can_be_met())
}

fn request(args: &Advise) -> Result<ChoiceRequest> {
    let single = [
        ("epsilon", &args.epsilon),
        ("relative", &args.relative),
        ("m", &args.m),
        ("k", &args.k),
        ("delta", &args.delta),
    ];
    if let Some((field, text)) = single.into_iter().find_map(|(field, text)| Some((field, text.as_ref()?))) {
        return Err(Error::request(
            field,
            text,
            "with quasi-identifiers, parameters are given as values of a principle",
        )
        .hint("such as --principle proximity-absolute --values epsilon=4500 --values m=5; or leave «quasi» out"));
    }
    let usual = ChoiceRequest::new();
    Ok(ChoiceRequest {
        principles: args.principle.clone(),
        values: args.values.clone(),
        sample: args.sample.unwrap_or(usual.sample),
        seed: args.seed.unwrap_or(usual.seed),
        field_name: option_flag,
    })
}

fn summary(choices: &Choices, report: Option<&Path>) -> String {
    let people = |n: Option<u64>| n.map_or(String::new(), |n| format!(" of {}", counted(n, "person", "people")));
    let mut text = format!("{}{}", counted(choices.rows, "row", "rows"), people(choices.persons));
    match choices.sample.whole {
        true => text.push_str(", all of which requirements were tried on\n"),
        false => text.push_str(&format!(
            "; groups, chances and NCP are those of releases of {}{}, drawn by lot (seed {}):\nthe whole table usually loses less\n",
            counted(choices.sample.rows, "row", "rows"),
            people(choices.sample.persons),
            choices.sample.seed.unwrap_or_default(),
        )),
    }
    text.push_str(
        "chance: of finding somebody in the smallest group; mean chance: of finding anybody;\nNCP: what a quasi-identifier lost on average, 0 \
         for nothing and 1 for all of it\n",
    );
    for one in &choices.advice {
        text.push_str(&principle(one));
        if choices.beside_thresholds().is_some_and(|beside| std::ptr::eq(beside, one)) {
            text.push_str(&thresholds(choices));
        }
    }
    if !choices.without_advice.is_empty() {
        text.push_str("\nWithout advice:\n\n");
        for one in &choices.without_advice {
            let column = one.column.as_ref().map_or(String::new(), |column| format!("{column}: "));
            text.push_str(&wrapped(&format!("{column}{}: {}", one.principle, one.reason)));
        }
    }
    if let Some(report) = report {
        text.push_str(&format!("\nTables and charts are in {}\n", report.display()));
    }
    text.push_str("\nFor your eyes only: which requirements can be met tells how often values occur.\n");
    text
}

fn principle(choice: &PrincipleChoice) -> String {
    let name = match &choice.column {
        Some(column) => format!("{column}: {}", choice.principle),
        None => choice.principle.into(),
    };
    let mut text = format!("\n{name}\n{}\n", wrapped(choice.asks));
    let heading = choice_heading(choice);
    let figures: Vec<usize> =
        (0..heading.len()).filter(|&at| heading[at] != "reached" && heading[at] != "can be met").collect();
    let rows: Vec<Vec<String>> = std::iter::once(heading).chain(choice_rows(choice, percent)).collect();
    text.push_str(&aligned(&rows, &figures));
    if choice.whole_table {
        text.push_str(&format!("\n{}", wrapped("tried on the whole table: what share of a population is in a release depends on how many rows there are")));
    }
    if let Some(strictest) = &choice.strictest {
        text.push_str(&format!("\n{}", wrapped(&format!("the most that everybody as one group meets: {strictest}"))));
    }
    let untold = choice.points.iter().filter_map(|point| {
        let reason = point.reason.as_ref().or(point.not_tried.as_ref()).or(point.publish_refuses.as_ref());
        Some((point, reason?))
    });
    let mut untold: Vec<(String, &String)> = untold.map(|(point, reason)| (point.values.join(", "), reason)).collect();
    // One reason is told once, of the first point that it holds for.
    let mut told: Vec<&String> = Vec::new();
    untold.retain(|(_, reason)| {
        !told.contains(reason) && {
            told.push(reason);
            true
        }
    });
    for (values, reason) in untold {
        text.push_str(&wrapped(&format!("{values}: {reason}")));
    }
    text
}

fn thresholds(choices: &Choices) -> String {
    let mut rows = vec![["k", "chance", "used for"].map(String::from).to_vec()];
    let fit = |text: &str| text.split("; ").map(String::from).collect::<Vec<_>>();
    for one in choices.thresholds {
        for (at, line) in fit(one.used_for).into_iter().enumerate() {
            let first = |text: String| if at == 0 { text } else { String::new() };
            rows.push(vec![first(grouped(one.k)), first(one.chance.into()), line]);
        }
    }
    let sources: String = choices.thresholds.iter().map(|one| wrapped(&format!("{}: {}", one.k, one.source))).collect();
    format!(
        "\nThresholds in wide use, rules of institutions for what they publish:\n\n{}\n{}\n{sources}",
        aligned(&rows, &[0, 1]),
        wrapped(OF_CHANCES)
    )
}

/// A sentence in lines that a narrow terminal shows, each begun with two blanks.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 96 {
            lines.push_str(&format!("  {line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + &format!("  {line}\n")
}
