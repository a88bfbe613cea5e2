//! The parts of an evaluation's page about batches, buckets and the reconstructed distribution.

use super::Evaluation;
use super::page::fixed;
use scumble_measure::{Reconstruction, SizeSummary};
use scumble_report::chart::{Axis, Bar, bars, histogram, size_bins};
use scumble_report::{Page, Table, Text, counted, grouped, rounded};

/// Tables whose buckets are drawn; the others are told in figures all the same.
const MOST_DRAWN: usize = 4;

/// Sizes of batches and of the buckets of every table.
pub(super) fn buckets(page: &mut Page, evaluation: &Evaluation) {
    page.section("Batches and buckets").paragraph(
        "Sensitive values are known batch by batch; people who show the same box in a table are a bucket of it.",
    );
    let heading = ["", "Columns", "Number", "Smallest", "Mean", "Median", "Largest"];
    let mut table = Table::new("People of a batch, and of a bucket of each table", &heading)
        .figures_in(&[2, 3, 4, 5, 6])
        .named_rows();
    let cells = |name: Text, columns: Text, n: u64, sizes: &SizeSummary| -> [Text; 7] {
        let [mean, median] = [sizes.mean, sizes.median].map(|size| Text::from(rounded(size, 4)));
        let [n, min, max] = [n, sizes.min, sizes.max].map(|n| Text::from(grouped(n)));
        [name, columns, n, min, mean, median, max]
    };
    table.row(cells("Batches".into(), Text::new(), evaluation.groups, &evaluation.group_sizes));
    for one in &evaluation.buckets {
        table.row(cells(Text::new().name(&one.table), one.columns.join(", ").into(), one.buckets, &one.sizes));
    }
    page.table(&table);
    page.definitions(
        [("Discernibility", grouped(evaluation.discernibility))].map(|(a, b)| (Text::from(a), Text::from(b))),
    );
    page.chart(&histogram(
        "Batches by their size",
        &Axis::new("People in a batch"),
        &Axis::new("Number of batches"),
        &size_bins(&evaluation.group_sizes.histogram),
    ));
    for one in evaluation.buckets.iter().take(MOST_DRAWN) {
        page.chart(&histogram(
            &format!("Buckets of {} by their size", one.table),
            &Axis::new("People in a bucket"),
            &Axis::new("Number of buckets"),
            &size_bins(&one.sizes.histogram),
        ));
    }
}

/// How far the distribution that the release tells lies from that of the source.
pub(super) fn reconstruction(page: &mut Page, evaluation: &Evaluation) {
    let (Some(sensitive), false) = (&evaluation.sensitive, evaluation.reconstruction.is_empty()) else { return };
    let taken = if evaluation.is_exact() {
        "A reader of the release knows the people and takes each to have any of the sensitive values of the group, as they occur \
         there. "
    } else {
        "A reader of the release takes the people of a box to lie evenly in it, each with a sensitive value as they occur in \
         the box. "
    };
    let text = Text::from(format!(
        "{taken}How far this distribution lies from that of the source, over all combinations of the columns below and "
    ))
    .name(sensitive)
    .plain(", is the Kullback–Leibler divergence KL(D‖D*), in nats: 0 where nothing is lost.");
    page.section("The distribution that the release tells").paragraph(text);
    let mut table =
        Table::new("Divergence from the source", &["Columns", "From the table", "KL (nats)"]).figures_in(&[2]);
    for one in &evaluation.reconstruction {
        table.row([columns_of(one).into(), Text::new().name(&one.table), nats(one).into()]);
    }
    page.table(&table);
    // A single length has nothing to be compared with.
    if evaluation.reconstruction.len() > 1 {
        let bar = |one: &Reconstruction| Bar { label: columns_of(one), value: one.kl.unwrap_or(f64::NAN) };
        let list: Vec<Bar> = evaluation.reconstruction.iter().map(bar).collect();
        page.chart(&bars("Divergence from the source", &Axis::new("KL(D‖D*)").unit("nats"), &list));
    }
    if evaluation.reconstruction.iter().any(|one| one.kl.is_none()) {
        page.paragraph(
            "It is infinite where a suppressed row lies outside all boxes, or has a value that no box around it has: the release \
             tells that nobody is there.",
        );
    }
}

fn columns_of(one: &Reconstruction) -> String {
    if one.attributes.is_empty() { "none".into() } else { one.attributes.join(", ") }
}

/// A divergence in words.
pub(super) fn nats(one: &Reconstruction) -> String {
    match one.kl {
        Some(kl) => fixed(kl).replace('-', "−"),
        None => format!("infinite: {} nowhere", counted(one.unreached, "row is", "rows are")),
    }
}
