//! A comparison as a page.

use super::page_charts::{parameters, trade_offs};
use super::run::{beside_kind, release_of};
use super::{Compared, Comparison, Status};
use scumble_report::{Note, Page, Table, Text, counted, fine_percent, grouped, measure};

/// The page of a comparison.
pub fn comparison_page(comparison: &Comparison) -> String {
    let Comparison { data, runs, .. } = comparison;
    let done = of_status(runs, Status::Done).count();
    let rows = counted(data.rows, "row", "rows");
    let mut page = Page::new("Ways to publish, compared");
    page.kicker("Scumble · Compare").lead(match done {
        0 => format!("None of these releases of {rows} could be made."),
        1 => format!("1 release of {rows}, published in memory, verified, measured and attacked."),
        _ => format!(
            "{} releases of {rows}, each published in memory, verified, measured and attacked.",
            grouped(done as u64)
        ),
    });
    page.note(
        Note::Remark,
        "for your eyes",
        "The figures compare releases with their source, and the releases were made with a known seed. Publish with secret coins, and keep this page to yourself.",
    );
    overview(&mut page, comparison);
    if done > 0 {
        trade_offs(&mut page, runs);
        parameters(&mut page, runs);
        figures(&mut page, runs);
    }
    without_figures(&mut page, runs);
    commands(&mut page, comparison);
    meaning(&mut page, comparison);
    page.foot("Made by Scumble. This page loads nothing; its one script sorts the table, and without it the page reads the same.");
    page.finish()
}

fn of_status(runs: &[Compared], status: Status) -> impl Iterator<Item = &Compared> {
    runs.iter().filter(move |run| run.outcome.status == status)
}

fn overview(page: &mut Page, comparison: &Comparison) {
    let Comparison { data, runs, .. } = comparison;
    page.section("At a glance");
    let count = |status| grouped(of_status(runs, status).count() as u64);
    let mut key = vec![(Text::from("releases measured"), Text::from(count(Status::Done)))];
    for (status, words) in
        [(Status::Infeasible, "cannot be met"), (Status::Refused, "refused"), (Status::Failed, "broke off")]
    {
        if of_status(runs, status).next().is_some() {
            key.push((words.into(), count(status).into()));
        }
    }
    key.push((
        "on a front".into(),
        grouped(runs.iter().filter(|run| run.on_belief_front || run.on_risk_front).count() as u64).into(),
    ));
    page.key_figures(key);
    let names = |names: &[String]| {
        let mut text = Text::new();
        for (i, name) in names.iter().enumerate() {
            text = if i == 0 { text } else { text.plain(", ") }.name(name);
        }
        text
    };
    let mut facts = vec![
        ("Data".into(), Text::new().code(&data.path.display().to_string())),
        ("Checksum".into(), Text::new().code(&data.sha256)),
    ];
    if !data.person.is_empty() {
        facts.push(("Whose row it is".into(), names(&data.person)));
    }
    facts.push(("Quasi-identifiers".into(), names(&data.quasi)));
    if !data.sensitive.is_empty() {
        facts.push(("Sensitive".into(), names(&data.sensitive)));
    }
    facts.push(("Seed".into(), comparison.seed.to_string().into()));
    page.definitions(facts);
}

/// All figures, to be sorted.
fn figures(page: &mut Page, runs: &[Compared]) {
    page.section("All figures");
    let heading = [
        "Run",
        "Kind",
        "Parameters",
        "Front",
        "Largest belief",
        "Found, at most",
        "Found, expected",
        "Found alone",
        "Fewest candidates",
        "Joined, fewest",
        "Count error, median",
        "Count error, mean",
        "Bound width",
        "KL, nats",
        "NCP",
        "Loss",
        "Groups",
        "Suppressed",
        "Seconds",
        "Memory, MiB",
    ];
    let right: Vec<usize> = std::iter::once(0).chain(4..heading.len()).collect();
    let mut table = Table::new("Releases that were measured", &heading).figures_in(&right).sortable();
    for run in runs {
        let (Some(figures), Some(cost)) = (&run.outcome.figures, &run.outcome.cost) else { continue };
        let share = |value: Option<f64>| (value.map_or("".into(), fine_percent), value);
        let plain = |value: Option<f64>| (value.map_or("".into(), measure), value);
        let whole = |value: u64| (grouped(value), Some(value as f64));
        let front = match (run.on_belief_front, run.on_risk_front) {
            (true, true) => "both",
            (true, false) => "belief",
            (false, true) => "risk",
            (false, false) => "",
        };
        let memory = cost.peak_memory.map(|bytes| bytes as f64 / f64::from(1 << 20));
        let words = |text: &str| (text.to_string(), None);
        let cells = [
            (run.number.to_string(), Some(run.number as f64)),
            words(&run.kind),
            words(&beside_kind(&run.varied)),
            words(front),
            plain(figures.belief),
            share(Some(figures.prosecutor)),
            share(Some(figures.marketer)),
            whole(figures.unique_records),
            whole(figures.k_least),
            (figures.joined_least.map_or("".into(), grouped), figures.joined_least.map(|n| n as f64)),
            share(figures.count_error_median),
            share(figures.count_error_mean),
            plain(figures.bound_width),
            plain(figures.kl_nats),
            plain(Some(figures.ncp)),
            plain(Some(figures.loss)),
            whole(figures.groups),
            whole(figures.suppressed),
            plain(Some(cost.seconds)),
            (memory.map_or("".into(), |mib| format!("{mib:.0}")), memory),
        ];
        table.sorted_row(cells.into_iter().map(|(text, key)| (Text::from(text), key)));
    }
    page.table(&table);
}

/// Runs that have none, with the reason.
fn without_figures(page: &mut Page, runs: &[Compared]) {
    if runs.iter().all(|run| run.outcome.status == Status::Done) {
        return;
    }
    page.section("Parameters without a release");
    let mut table = Table::new("Why there is none", &["Run", "Kind", "Required", "Outcome", "Reason"]).figures_in(&[0]);
    for run in runs.iter().filter(|run| run.outcome.status != Status::Done) {
        table.row([
            run.number.to_string().into(),
            Text::from(&run.kind),
            Text::new().code(&run.required()),
            run.outcome.status.name().into(),
            Text::from(run.outcome.reason.as_deref().unwrap_or_default()),
        ]);
    }
    page.table(&table);
}

fn commands(page: &mut Page, comparison: &Comparison) {
    page.section("Do it again");
    page.paragraph(
        "This command makes the release of a run, with the same coins. For a release to be published leave --seed and --insecure-seed out, so that the coins are secret.",
    );
    let mut table = Table::new("The command of each run", &["Run", "Command"]).figures_in(&[0]);
    for run in &comparison.runs {
        let command = run.commands.first().map_or("", String::as_str);
        table.row([run.number.to_string().into(), Text::new().code(command)]);
    }
    page.table(&table);
    page.paragraph(
        "It prints loss, NCP, groups and suppressed rows. These print the other figures of the release of run N; where there are two that evaluate, bounds are asked of those releases that have them:",
    );
    // Releases that have no bounds are asked for none.
    let of_any = |run: &Compared| {
        let own = release_of(run.number);
        run.commands.iter().skip(1).map(|command| command.replacen(&own, &release_of("N"), 1)).collect::<Vec<_>>()
    };
    let mut rest: Vec<String> = comparison.runs.iter().flat_map(of_any).collect();
    rest.sort_unstable();
    rest.dedup();
    page.literal(&rest.join("\n"));
}

fn meaning(page: &mut Page, comparison: &Comparison) {
    page.section("What the figures mean");
    let says = |name: &str, words: &str| (Text::from(name), Text::from(words));
    page.definitions([
        says(
            "Largest belief",
            "The strongest belief in a sensitive value of somebody that a reader comes to who knows all quasi-identifiers of that person, over all sensitive columns, whether the value is true or not. Where somebody has several rows, the reader of an anatomy or permute release is taken to know all rows of that person, and the reader of a generalized one a single row: such beliefs stand on one axis, and are of readers who know unlike things.",
        ),
        says(
            "Found",
            "How surely a reader who knows all quasi-identifiers of somebody points at that person's record among those that show the same: at most for anybody, and expected over all people. Forms with exact quasi-identifiers hide values, not people.",
        ),
        says(
            "Counted",
            "Candidates are people, each once, where the job says whose rows are whose; else they are rows. Joined: the fewest rows that several tables of an angel release leave anybody, taken together by batch.",
        ),
        (
            "Count error".into(),
            Text::from(format!(
                "Relative error of {} count queries over random ranges of quasi-identifiers and the first sensitive column, estimated from the release.",
                grouped(comparison.queries as u64)
            )),
        ),
        says(
            "Bound width",
            "How wide the bounds of an average over a random tenth of the people are, as a share of the true average. Empty where the form has no such bounds or the values are no numbers.",
        ),
        says(
            "KL",
            "How far the distribution that a reader reconstructs lies from the true one. Empty where a suppressed row leaves it without a finite value. Along columns of decimals it compares boxes with boxes only.",
        ),
        says("NCP and loss", "What the quasi-identifiers lost, summed over them: NCP counts a single value as 0, the whole domain as 1. Exact forms lose nothing there."),
        says("Seconds and memory", "Of reading, grouping, writing and verifying, in a process of its own with the resident memory that it took at most. Runs stood beside each other, so that seconds are for comparison only."),
    ]);
}
