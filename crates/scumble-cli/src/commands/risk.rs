//! `scumble risk`.

use crate::args::Risk;
use crate::commands::reading;
use crate::commands::ruled::ruled;
use crate::output::{Output, aligned, counted, thousands};
use crate::whole_file::{check_page, write_page};
use scumble::{AttackFacts, Decimal, Error, Inference, Result, RiskFacts, RiskPopulation, RiskRequest};
use std::path::Path;

/// Subsets shown, the most telling first.
const MOST_SUBSETS: usize = 12;

pub(crate) fn run(args: &Risk, output: &Output) -> Result<bool> {
    if let Some(report) = &args.report {
        for data in std::iter::once(&args.target).chain(&args.source) {
            check_page("--report", report, data, args.replace)?;
        }
    }
    // Rules are for the source where there is one, and for the data otherwise.
    let ruled = args.source.as_deref().unwrap_or(&args.target);
    let (ruled, rules) = reading::source(ruled, &args.reading, args.rules.as_deref())?;
    let (target, source) = match args.source {
        Some(_) => (reading::input(&args.target, &args.reading)?, Some(ruled)),
        None => (ruled, None),
    };
    let request = RiskRequest {
        types: reading::types(&args.types)?,
        up_to: args.up_to,
        source,
        rules,
        population: args.population.as_deref().map(|text| population(text, args)).transpose()?,
        thresholds: args.threshold.iter().map(|text| number("--threshold", text)).collect::<Result<_>>()?,
        belief: args.belief.as_ref().map(|text| number("--belief", text)).transpose()?,
        epsilon: args.epsilon.as_ref().map(|text| number("--epsilon", text)).transpose()?,
        ..RiskRequest::new(target, args.known.clone())
    };
    let facts = scumble::risk(&request, &output.terminal)?;
    if let Some(report) = &args.report {
        let page = scumble::risk_page(&facts);
        write_page(report, &page, output)?;
    }
    output.result(&facts, || words(&facts, args.report.as_deref()))?;
    Ok(true)
}

/// A whole number is a size, everything else a file.
fn population(text: &str, args: &Risk) -> Result<RiskPopulation> {
    match text.parse::<u64>() {
        Ok(size) => Ok(RiskPopulation::Size(size)),
        Err(_) => Ok(RiskPopulation::File(reading::input(Path::new(text), &args.reading)?)),
    }
}

fn number(flag: &str, text: &str) -> Result<Decimal> {
    let hint = "write it with a point, such as 0.1";
    Decimal::parse(text.trim()).ok_or_else(|| Error::request(flag, text, "this is not an exact decimal").hint(hint))
}

fn words(facts: &RiskFacts, report: Option<&Path>) -> String {
    let attack = &facts.attack;
    let (profile, known) = (&attack.profile, attack.known.join(", "));
    let mut text = match facts.by_source {
        true => {
            let people = counted(profile.records, "person", "people");
            format!("{people} of the source, looked for by {known}")
        }
        false => format!("{}, known by {known}", counted(profile.records, "record", "records")),
    };
    if let Some(table) = &attack.table {
        text.push_str(&format!(", in the table `{table}`"));
    }
    text.push_str("\n\n");
    text.push_str(&figures(facts));
    text.push_str(&ruled(&facts.rules, "What the rules did before the attack"));
    text.push_str(&thresholds(attack, if facts.by_source { "people" } else { "records" }));
    text.push_str(&subsets(facts));
    if let (Some(found), Some(belief)) = (&facts.inference, facts.belief) {
        text.push_str(&inference(found, belief));
    }
    text.push_str("\nFor your eyes only: these figures are worked out from the data itself.\n");
    if let Some(report) = report {
        text.push_str(&format!("The page is in {}\n", report.display()));
    }
    text
}

fn figures(facts: &RiskFacts) -> String {
    let (attack, profile) = (&facts.attack, &facts.attack.profile);
    let share = percent(profile.unique_records, profile.records);
    let mut rows = vec![
        ("found alone", format!("{} ({share})", thousands(profile.unique_records))),
        ("different known values", thousands(profile.classes)),
        ("records that match, fewest (k)", thousands(profile.k_min)),
        (
            if facts.by_source { "mean over people" } else { "mean over records" },
            format!("{:.2}", profile.k_mean_record),
        ),
        ("mean over known values", format!("{:.2}", profile.k_mean_class)),
        ("most", thousands(profile.k_max)),
        ("prosecutor risk", risk(profile.prosecutor)),
    ];
    if let (Some(largest), Some(mean), Some(population)) = (attack.journalist, attack.journalist_mean, facts.population)
    {
        let how = if facts.journalist_by == Some("expected") { "expected " } else { "" };
        let among = format!("{} {how}among {} people, mean {}", risk(largest), thousands(population), risk(mean));
        rows.push(("journalist risk", among));
    }
    rows.push(("marketer risk", risk(profile.marketer)));
    if profile.unmatched > 0 {
        rows.push(("people whom no record matches", thousands(profile.unmatched)));
    }
    if let Some(suppressed) = facts.suppressed.filter(|&n| n > 0) {
        rows.push(("suppressed rows, which match nobody", thousands(suppressed)));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, figure)| vec![name.into(), figure]).collect();
    aligned(&rows, &[])
}

fn thresholds(attack: &AttackFacts, who: &str) -> String {
    let mut rows = vec![["probability", who, "share"].map(String::from).to_vec()];
    for line in &attack.profile.thresholds {
        let share = percent(line.records, attack.profile.records);
        rows.push(vec![line.probability.to_string(), thousands(line.records), share]);
    }
    format!("\nFound with at least this probability:\n\n{}", aligned(&rows, &[0, 1, 2]))
}

fn subsets(facts: &RiskFacts) -> String {
    let (Some(subsets), Some(attributes), Some(up_to)) = (&facts.subsets, &facts.attributes, facts.up_to) else {
        return String::new();
    };
    let mut rows = vec![["column", "marketer risk", "found alone"].map(String::from).to_vec()];
    for one in attributes {
        let added = format!("{:+.1}", one.adds_unique_records);
        rows.push(vec![one.column.clone(), format!("{:+.4}", one.adds_marketer), added]);
    }
    let mut text =
        format!("\nWhat a column adds when it is learned beside others, on average:\n\n{}", aligned(&rows, &[1, 2]));
    let mut rows = vec![["columns", "found alone", "k", "mean k", "marketer risk", "added"].map(String::from).to_vec()];
    for one in subsets.iter().take(MOST_SUBSETS) {
        let profile = &one.attack.profile;
        rows.push(vec![
            one.attack.known.join(","),
            thousands(profile.unique_records),
            thousands(profile.k_min),
            format!("{:.1}", profile.k_mean_record),
            risk(profile.marketer),
            format!("{:+.4}", one.adds),
        ]);
    }
    text.push_str(&format!(
        "\nMost telling of {} sets of up to {up_to} columns (added: beyond the best with one column less):\n\n{}",
        thousands(subsets.len() as u64),
        aligned(&rows, &[1, 2, 3, 4, 5])
    ));
    text
}

fn inference(found: &[Inference], belief: Decimal) -> String {
    if found.is_empty() {
        return String::new();
    }
    let above = format!("above {belief}");
    let heading = ["sensitive", "attack", "before", "mean", "greatest", above.as_str(), "newly"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for one in found {
        let column = match &one.table {
            Some(table) => format!("{} in {table}", one.column),
            None => one.column.clone(),
        };
        let attack = match one.epsilon {
            Some(epsilon) => format!("{} within {epsilon}", one.attack),
            None => one.attack.into(),
        };
        let [prior, mean, largest] = [one.prior, one.mean, one.largest].map(risk);
        rows.push(vec![column, attack, prior, mean, largest, thousands(one.above), thousands(one.newly_above)]);
    }
    format!("\nBelieved about sensitive values, before and after:\n\n{}", aligned(&rows, &[2, 3, 4, 5, 6]))
}

/// A probability; only none is 0 and only certainty is 1.
fn risk(probability: f64) -> String {
    match format!("{probability:.4}").as_str() {
        "0.0000" if probability > 0.0 => format!("{probability:.1e}"),
        "1.0000" if probability < 1.0 => "above 0.9999".into(),
        "0.0000" => "0".into(),
        "1.0000" => "1".into(),
        text => text.into(),
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
    fn figures_are_never_rounded_to_none_or_certainty() {
        let shown = [0.0, 1e-9, 0.00004, 0.25, 0.99999, 1.0].map(risk);
        assert_eq!(shown, ["0", "1.0e-9", "4.0e-5", "0.2500", "above 0.9999", "1"]);
        let shares = [(0, 0), (0, 5), (1, 3000), (2999, 3000), (3, 3)].map(|(part, whole)| percent(part, whole));
        assert_eq!(shares, ["0.0 %", "0.0 %", "less than 0.1 %", "more than 99.9 %", "100.0 %"]);
    }
}
