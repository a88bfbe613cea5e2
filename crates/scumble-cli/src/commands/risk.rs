//! `scumble risk`.

use crate::args::{Risk, all_names};
use crate::commands::joined_note::joined_note;
use crate::commands::reading;
use crate::commands::rules_table::rules_table;
use crate::output::{Output, aligned, counted, grouped, percent};
use crate::whole_file::{check_page, write_page};
use scumble::{
    AttackFacts, ColumnRole, Counted, Decimal, Error, Inference, JOINED_TABLES, RawTable, Release, Result, RiskFacts,
    RiskPopulation, RiskRequest, RiskTarget, Role, risk as attack,
};
use std::path::Path;

/// Subsets shown, the most telling first.
const MOST_SUBSETS: usize = 12;

pub(crate) fn run(args: &Risk, output: &Output) -> Result<bool> {
    if let Some(report) = &args.report {
        for data in std::iter::once(&args.target).chain(&args.source) {
            check_page("report", report, data, args.replace)?;
        }
    }
    let of_release = args.target.is_dir();
    check_files(args, of_release)?;
    let (known, person) = (all_names(&args.known), args.options.named(ColumnRole::Person));
    let mut request = RiskRequest {
        up_to: args.up_to,
        thresholds: args.threshold.iter().map(|text| number("threshold", text)).collect::<Result<_>>()?,
        belief: args.belief.as_ref().map(|text| number("belief", text)).transpose()?,
        epsilon: args.epsilon.as_ref().map(|text| number("epsilon", text)).transpose()?,
        name: args.target.display().to_string(),
        ..RiskRequest::new(known.clone())
    };
    request.check(of_release)?;
    let context = &output.context;
    let rules = args.rules.as_deref();
    let mut people = None;
    let facts = if of_release {
        let release = Release::open(&args.target)?;
        let (source, persons);
        if let Some(path) = &args.source {
            let (from, rules) = reading::source_with_rules(path, &args.options, rules)?;
            (source, persons) = from.read_persons(release.columns(), person, rules.as_ref(), context.monitor())?;
            (request.source, request.persons) = (Some(&source), persons.as_ref());
        }
        let quasi = release.manifest().of_role(Role::Quasi).map(|column| column.name.clone());
        let known = if known.is_empty() { quasi.collect() } else { known };
        request.population = population(args, &known, output, &mut people)?;
        attack(RiskTarget::Release(&release), &request, context)?
    } else {
        let (from, rules) = reading::source_with_rules(&args.target, &args.options, rules)?;
        let columns = args.options.columns()?.into_iter();
        let types: Vec<_> = columns.filter_map(|(name, column)| Some((name, column.kind?))).collect();
        let (table, counts) = from.read_known(&known, &types, person, rules.as_ref(), context)?;
        request.rules = counts;
        request.population = population(args, &known, output, &mut people)?;
        attack(RiskTarget::Data(&table), &request, context)?
    };
    if let Some(report) = &args.report {
        let page = scumble::risk_page(&facts);
        write_page(report, &page, output)?;
    }
    output.result(&facts, || summary(&facts, args.report.as_deref()))?;
    Ok(true)
}

/// Refuses files that are not there, and flags that do not suit the target.
fn check_files(args: &Risk, of_release: bool) -> Result<()> {
    let missing = |path: &Path| path != Path::new("-") && !path.is_file();
    if args.target != Path::new("-") && !args.target.exists() {
        let shown = args.target.display().to_string();
        return Err(Error::request("DATA|RELEASE", shown, "there is no such file or directory"));
    }
    let population = args.population.as_ref().filter(|text| text.parse::<u64>().is_err()).map(Path::new);
    for (field, path) in [("source", args.source.as_deref()), ("population", population)] {
        if let Some(path) = path.filter(|path| missing(path)) {
            return Err(Error::request(field, path.display().to_string(), "there is no such file"));
        }
    }
    if of_release && !args.options.texts("type").is_empty() {
        return Err(
            Error::request("type", "", "a release states the types of its columns itself").hint("leave «type» out")
        );
    }
    let person = args.options.named(ColumnRole::Person);
    if of_release && !person.is_empty() && args.source.is_none() {
        return Err(Error::request("person", person.join(","), "a release does not say whose its rows are")
            .hint("name the data that it was made from with «source»"));
    }
    if of_release && args.rules.is_some() && args.source.is_none() {
        return Err(Error::request("rules", "", "rules are applied to the source, and none is named")
            .hint("name the data that the release was made from with «source»"));
    }
    if !of_release && args.source.is_some() {
        return Err(Error::request("source", "", "this is about releases, and the target is a file")
            .hint("name the directory of a release, or leave it out"));
    }
    Ok(())
}

/// A whole number is a size, everything else a file with the known columns.
fn population<'p>(
    args: &Risk,
    known: &[String],
    output: &Output,
    people: &'p mut Option<RawTable>,
) -> Result<Option<RiskPopulation<'p>>> {
    let Some(text) = &args.population else { return Ok(None) };
    if let Ok(size) = text.parse::<u64>() {
        return Ok(Some(RiskPopulation::Size(size)));
    }
    let read = reading::source(Path::new(text), &args.options)?;
    let read = read.read_columns(known, "population", &output.context)?;
    Ok(Some(RiskPopulation::People(people.insert(read))))
}

fn number(flag: &str, text: &str) -> Result<Decimal> {
    let hint = "write it with a point, such as 0.1";
    Decimal::parse(text.trim()).ok_or_else(|| Error::request(flag, text, "this is not an exact decimal").hint(hint))
}

fn summary(facts: &RiskFacts, report: Option<&Path>) -> String {
    let attack = &facts.attack;
    let (profile, known) = (&attack.profile, attack.known.join(", "));
    let (one, many) = nouns(facts);
    let all = counted(profile.records, one, many);
    let mut text = match facts.by_source {
        true => format!("{all} of the source, looked for by {known}"),
        false => format!("{all}, known by {known}"),
    };
    match attack.table.as_deref() {
        Some(JOINED_TABLES) => text.push_str(", in all tables joined by batch"),
        Some(table) => text.push_str(&format!(", in the table `{table}`")),
        None => {}
    }
    text.push_str("\n\n");
    text.push_str(&figures(facts));
    if let Some(joined) = &facts.joined {
        text.push_str(&format!("\n{}\n", joined_note(joined)));
    }
    text.push_str(&rules_table(&facts.rules, "What the rules did before the attack"));
    text.push_str(&thresholds(attack, many));
    text.push_str(&subsets(facts));
    if let (Some(found), Some(belief)) = (&facts.inference, facts.belief) {
        text.push_str(&inference(facts, found, belief));
    }
    text.push_str("\nFor your eyes only: these figures are worked out from the data itself.\n");
    if let Some(report) = report {
        text.push_str(&format!("The page is in {}\n", report.display()));
    }
    text
}

/// The words for one and for many of those who are looked for.
fn nouns(facts: &RiskFacts) -> (&'static str, &'static str) {
    match (facts.counted, facts.by_source) {
        (Counted::Rows, false) => ("record", "records"),
        (counted, _) => (counted.one(), counted.many()),
    }
}

fn figures(facts: &RiskFacts) -> String {
    let (attack, profile) = (&facts.attack, &facts.attack.profile);
    let (_, many) = nouns(facts);
    let (match_word, over, unmatched) = match facts.counted {
        Counted::People => ("people who match, fewest (k)", "mean over people", "people whom no record matches"),
        Counted::Rows if facts.by_source => {
            ("records that match, fewest (k)", "mean over rows", "rows that no record matches")
        }
        Counted::Rows => ("records that match, fewest (k)", "mean over records", "records that no record matches"),
    };
    let k_min = grouped(profile.k_min);
    let k_min = match (attack.at_least, attack.at_most) {
        (false, false) => k_min,
        (true, false) => format!("{k_min} or more"),
        // Nobody is among fewer than one.
        (false, true) if profile.k_min == 1 => k_min,
        (false, true) => format!("{k_min} or fewer"),
        (true, true) => format!("about {k_min}"),
    };
    let share = percent(profile.unique_records, profile.records);
    let mut rows = vec![
        ("found alone", format!("{} ({share})", grouped(profile.unique_records))),
        ("different known values", grouped(profile.classes)),
        (match_word, k_min),
        (over, format!("{:.2}", profile.k_mean_record)),
        ("mean over known values", format!("{:.2}", profile.k_mean_class)),
        ("most", grouped(profile.k_max)),
        ("prosecutor risk", risk(profile.prosecutor)),
    ];
    if let (Some(largest), Some(mean), Some(population)) = (attack.journalist, attack.journalist_mean, facts.population)
    {
        let how = if facts.journalist_by == Some("expected") { "expected " } else { "" };
        let among =
            format!("{} {how}among {}, mean {}", risk(largest), counted(population, "person", "people"), risk(mean));
        rows.push(("journalist risk", among));
    }
    rows.push(("marketer risk", risk(profile.marketer)));
    if profile.unmatched > 0 {
        rows.push((unmatched, grouped(profile.unmatched)));
    }
    let joined = "no more people than the rows that all tables joined leave, or than any table leaves by itself";
    match (attack.at_least, attack.at_most) {
        (false, false) => {}
        (true, false) => rows.push(("counted", format!("the {many} of whom it is certain; others may match too"))),
        (false, true) => rows.push(("counted", joined.into())),
        (true, true) => {
            rows.push((
                "counted",
                format!("{joined}; a table's are those of whom it is certain, others may match too"),
            ));
        }
    }
    if let Some(suppressed) = facts.suppressed.filter(|&n| n > 0) {
        rows.push(("suppressed rows, which match nobody", grouped(suppressed)));
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, figure)| vec![name.into(), figure]).collect();
    aligned(&rows, &[])
}

fn thresholds(attack: &AttackFacts, who: &str) -> String {
    let mut rows = vec![["probability", who, "share"].map(String::from).to_vec()];
    for line in &attack.profile.thresholds {
        let share = percent(line.records, attack.profile.records);
        rows.push(vec![line.probability.to_string(), grouped(line.records), share]);
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
            grouped(profile.unique_records),
            grouped(profile.k_min),
            format!("{:.1}", profile.k_mean_record),
            risk(profile.marketer),
            format!("{:+.4}", one.adds),
        ]);
    }
    text.push_str(&format!(
        "\nMost telling of {} of up to {} (added: beyond the best with one column less):\n\n{}",
        counted(subsets.len() as u64, "set", "sets"),
        counted(up_to as u64, "column", "columns"),
        aligned(&rows, &[1, 2, 3, 4, 5])
    ));
    text
}

fn inference(facts: &RiskFacts, found: &[Inference], belief: Decimal) -> String {
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
        rows.push(vec![column, attack, prior, mean, largest, grouped(one.above), grouped(one.newly_above)]);
    }
    let mut text =
        format!("\nBelieved about sensitive values, before and after:\n\n{}", aligned(&rows, &[2, 3, 4, 5, 6]));
    if facts.counted == Counted::People && facts.by_person() && found.iter().any(|one| one.counted == Counted::Rows) {
        text.push_str("\n(these count rows: whose value is whose is not certain)\n");
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_never_rounded_to_none_or_certainty() {
        let shown = [0.0, 1e-9, 0.00004, 0.25, 0.99999, 1.0].map(risk);
        assert_eq!(shown, ["0", "1.0e-9", "4.0e-5", "0.2500", "above 0.9999", "1"]);
    }
}
