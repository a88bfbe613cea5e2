//! An evaluation as a page: tables and charts.

use super::{Evaluation, WorkloadFacts, page_bounds, page_tables, page_vulnerability};
use scumble_measure::Errors;
use scumble_report::chart::{Axis, Bar, Chart, Cluster, bars, grouped_bars, histogram, size_bins};
use scumble_report::{Note, Page, Table, Text, counted, fine_percent, grouped, rounded};

/// The page of an evaluation. It compares the release with its source, so it stays with the publisher.
pub fn evaluation_page(evaluation: &Evaluation) -> String {
    let mut page = Page::new("How useful this release is");
    page.kicker("Scumble · Evaluation").lead(
        "The release was compared with the data it was made from: how much detail it gave up, how large its groups are, \
         and how far counts estimated from it lie from the true ones.",
    );
    page.note(
        Note::Warning,
        "for the publisher's eyes",
        "True answers enter the figures of this page, and they are protected by nothing. Do not publish it with the release.",
    );
    at_a_glance(&mut page, evaluation);
    detail(&mut page, evaluation);
    groups(&mut page, evaluation);
    queries(&mut page, evaluation);
    page_tables::reconstruction(&mut page, evaluation);
    page_bounds::bounds(&mut page, evaluation);
    page_vulnerability::vulnerability(&mut page, evaluation);
    page.foot("Made by Scumble. This page has no script and loads nothing.");
    page.finish()
}

fn at_a_glance(page: &mut Page, evaluation: &Evaluation) {
    let mut figures = vec![
        ("Rows published".into(), grouped(evaluation.rows)),
        ("Rows suppressed".into(), grouped(evaluation.suppressed)),
        (if evaluation.buckets.is_empty() { "Groups" } else { "Batches" }.into(), grouped(evaluation.groups)),
    ];
    figures.push(("Detail lost (NCP per column)".into(), fine_percent(evaluation.ncp_per_attribute)));
    if let Some((facts, errors)) = evaluation.workloads.first().and_then(|facts| Some((facts, best(facts)?))) {
        let which = if facts.on_every_column() { "over every column".into() } else { format!("w = {}", facts.w) };
        figures.push((format!("Mean error of a count, {which}"), fine_percent(errors.mean)));
    }
    if let Some(whole) = evaluation.reconstruction.first() {
        figures.push(("Divergence of its distribution (nats)".into(), page_tables::nats(whole)));
    }
    page.section("At a glance");
    page.key_figures(figures.into_iter().map(|(name, figure)| (Text::from(name), Text::from(figure))));
}

fn detail(page: &mut Page, evaluation: &Evaluation) {
    page.section("Detail lost");
    if evaluation.is_exact() {
        let suppressed = match evaluation.suppressed {
            0 => "Nothing of them is lost".into(),
            n => format!("Nothing of them is lost but what is suppressed, {}", counted(n, "row", "rows")),
        };
        page.paragraph(format!(
            "The quasi-identifiers are published exactly. {suppressed}. What readers cannot tell is who of a group has which \
             sensitive value, and how much that blurs a count is measured below."
        ));
        return;
    }
    page.paragraph(
        "The loss of a cell is the share of all values of its column that it covers; NCP measures the same from 0, for an \
         exact value, to 1, for a cell that could be anything. Both are measured on the values of the source. The figures \
         of the table are means over its rows of the sum over the quasi-identifiers, a suppressed row counting 1 for each; those \
         of a column are means over the same rows by the same rule.",
    );
    let mut table = Table::new("Loss and NCP", &["Column", "Loss", "NCP"]).figures_in(&[1, 2]).named_rows();
    for ((name, loss), (_, ncp)) in evaluation.loss_by_attribute.iter().zip(&evaluation.ncp_by_attribute) {
        table.row([Text::new().name(name), fixed(*loss).into(), fixed(*ncp).into()]);
    }
    table.row(["All, suppressed rows too".into(), fixed(evaluation.loss).into(), fixed(evaluation.ncp).into()]);
    page.table(&table);
    let columns = evaluation.ncp_by_attribute.iter();
    let columns: Vec<Bar> = columns.map(|(name, ncp)| Bar { label: name.clone(), value: 100.0 * ncp }).collect();
    page.chart(&bars("Detail lost in each column", &Axis::new("Mean NCP").unit("%"), &columns));
}

fn groups(page: &mut Page, evaluation: &Evaluation) {
    if !evaluation.buckets.is_empty() {
        return page_tables::buckets(page, evaluation);
    }
    let sizes = &evaluation.group_sizes;
    page.section("Groups").definitions(
        [
            ("Smallest group", grouped(sizes.min)),
            ("Mean size", rounded(sizes.mean, 4)),
            ("Median size", rounded(sizes.median, 4)),
            ("Largest group", grouped(sizes.max)),
            ("Discernibility", grouped(evaluation.discernibility)),
        ]
        .map(|(name, figure)| (Text::from(name), Text::from(figure))),
    );
    page.chart(&histogram(
        "Groups by their size",
        &Axis::new("Rows in a group"),
        &Axis::new("Number of groups"),
        &size_bins(&sizes.histogram),
    ));
}

fn queries(page: &mut Page, evaluation: &Evaluation) {
    let Some(sensitive) = &evaluation.sensitive else { return };
    let (every, some): (Vec<_>, Vec<_>) = evaluation.workloads.iter().partition(|facts| facts.on_every_column());
    if let Some(first) = some.first() {
        let start = "Each query counts the rows whose values lie in random intervals of w columns: ";
        let text = match first.qs {
            1 => Text::from(format!("{start}w − 1 of the quasi-identifiers and ")).name(sensitive),
            n => Text::from(format!("{start}w − {n} of the quasi-identifiers and {n} of the sensitive columns")),
        };
        let text = text.plain(&format!(
            ". An interval holds a share of {}^(1/w) of its column's domain. The error of an estimate is relative to the true answer; \
             queries whose true answer is 0 have none and are counted apart.",
            first.s
        ));
        page.section("Counts estimated from the release").paragraph(text);
        errors(page, &some, "w", |facts| facts.w.to_string());
    }
    if !every.is_empty() {
        let start = "Each query asks for values of every quasi-identifier and of ";
        let text = match every[0].qs {
            1 => Text::from(start).name(sensitive),
            n => Text::from(format!("{start}{n} sensitive columns")),
        };
        let text = text.plain(
            ": a random interval where the column has an order, any values where it has none, and of n columns a share of \
             s^(1/n) of each domain, where s is the volume of the query. The error of an estimate is relative to the true answer; \
             queries whose true answer is 0 have none and are counted apart.",
        );
        page.section("Counts over every column").paragraph(text);
        errors(page, &every, "Volume", |facts| fine_percent(facts.s));
    }
    let (Some(baseline), false) = (&evaluation.baseline, evaluation.workloads.is_empty()) else { return };
    page.subsection("Perturbation beside it");
    let noise = if baseline.retention > 0.0 {
        format!(
            ", perturbation may keep {} of the sensitive values and must replace the others by noise. Its estimates take the noise out again.",
            fine_percent(baseline.retention)
        )
    } else {
        ", perturbation cannot do it: not even when every sensitive value is noise. It has no estimate.".into()
    };
    page.paragraph(Text::from("Under the same requirement, ").code(&baseline.requirement).plain(&noise));
}

/// The errors of some workloads, which differ by what `named` says in the column `name`.
fn errors(page: &mut Page, workloads: &[&WorkloadFacts], name: &str, named: impl Fn(&WorkloadFacts) -> String) {
    let Some(first) = workloads.first() else { return };
    let names = first.estimators.iter().map(|(name, _)| (Text::new().code(name), Text::from(meaning(name))));
    page.definitions(names);
    let heading =
        [name, "Estimator", "Mean error", "Median", "95th percentile", "Signed mean", "Without answer", "Mean answer"];
    let mut table = Table::new(
        &format!("{} queries of each workload, seed {}", grouped(first.queries as u64), first.seed),
        &heading,
    )
    .figures_in(&[0, 2, 3, 4, 5, 6, 7]);
    for (band, facts) in workloads.iter().enumerate() {
        for (name, errors) in rows(facts) {
            let errors = errors.map(|e| {
                [fine_percent(e.mean), fine_percent(e.median), fine_percent(e.p95), fine_percent(e.signed_mean)]
            });
            let errors = errors.unwrap_or(["none"; 4].map(String::from));
            let mut cells: Vec<Text> = vec![named(facts).into(), Text::new().code(name)];
            cells.extend(errors.into_iter().map(Text::from));
            cells.push(grouped(facts.without_answer as u64).into());
            cells.push(facts.mean_answer.map_or("none".into(), |mean| format!("{mean:.1}")).into());
            table.row_in_band(band, cells);
        }
    }
    page.table(&table);
    page.chart(&chart(workloads, |facts| format!("{} = {}", name.to_lowercase(), named(facts))));
}

/// Mean errors as bars: dimensions are few and whole, and lengths from 0 can be compared.
fn chart(workloads: &[&WorkloadFacts], label: impl Fn(&WorkloadFacts) -> String) -> Chart {
    let value = |errors: Option<Errors>| errors.map_or(f64::NAN, |errors| 100.0 * errors.mean);
    let bar = |(name, errors): (&str, Option<Errors>)| Bar { label: name.into(), value: value(errors) };
    let cluster = |facts: &&WorkloadFacts| Cluster { label: label(facts), bars: rows(facts).map(bar).collect() };
    let (title, axis) = ("Mean error of estimated counts", Axis::new("Mean relative error").unit("%"));
    let clusters: Vec<Cluster> = workloads.iter().map(cluster).collect();
    match &clusters[..] {
        [only] => bars(title, &axis, &only.bars),
        // A single estimator needs no name.
        several if several.iter().all(|cluster| cluster.bars.len() == 1) => {
            let of = |cluster: &Cluster| Bar { label: cluster.label.clone(), ..cluster.bars[0].clone() };
            bars(title, &axis, &several.iter().map(of).collect::<Vec<_>>())
        }
        several => grouped_bars(title, &axis, several),
    }
}

/// Every estimator of a workload, the baseline last.
fn rows(facts: &WorkloadFacts) -> impl Iterator<Item = (&'static str, Option<Errors>)> + '_ {
    facts.estimators.iter().copied().chain(facts.baseline.map(|errors| ("perturbation", errors)))
}

/// The errors of the estimator that errs least.
fn best(facts: &WorkloadFacts) -> Option<Errors> {
    facts.estimators.iter().filter_map(|(_, errors)| *errors).min_by(|a, b| a.mean.total_cmp(&b.mean))
}

fn meaning(estimator: &str) -> &'static str {
    match estimator {
        "uniform" => "the rows of a group lie evenly in its box",
        "ends" => "each end of an interval is held by a row, as in every minimal box, and the other rows lie evenly",
        _ => {
            "quasi-identifiers are exact, so it is known which rows of a group a query is about; the sensitive values of the group belong to any of its rows alike"
        }
    }
}

pub(super) fn fixed(value: f64) -> String {
    format!("{value:.4}")
}
