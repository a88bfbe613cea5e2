//! What is believed about sensitive values, as a table.

use super::RiskFacts;
use super::page::many;
use scumble_report::chart::{Axis, Bar, Cluster, grouped_bars};
use scumble_report::{Page, Table, Text, fine_percent, grouped};
use scumble_risk::Inference;
use scumble_table::Counted;

pub(super) fn inference(page: &mut Page, facts: &RiskFacts) {
    let (Some(found), Some(belief)) = (&facts.inference, facts.belief) else { return };
    if found.is_empty() {
        return;
    }
    page.section("What is learned about sensitive values").paragraph(format!(
        "Whoever has found the candidates of a person need not know which is the person's to learn something. The belief in a \
         value is the share that it has among the candidates; before the attack everybody believes what the whole \
         release shows. An attack counts as a success where more than {belief} is believed, and as the release's \
         doing where less was believed before."
    ));
    let mut attacks = vec![
        ("homogeneity", "the belief in the value that most candidates have, true or not"),
        ("truth", "the belief in the value that the person really has"),
    ];
    if found.iter().any(|one| one.epsilon.is_some()) {
        attacks.push(("proximity", "the belief in values within epsilon of the one that the person really has"));
    }
    page.definitions(attacks.into_iter().map(|(name, meaning)| (Text::from(name), Text::from(meaning))));
    let axis = Axis::new("Belief").unit("%");
    page.chart(&grouped_bars(
        "What is believed before and after the attack",
        &axis,
        &found.iter().map(beliefs).collect::<Vec<_>>(),
    ));
    let heading = ["Column", "Attack", "Before", "Mean", "Greatest", "Above", "Newly above"];
    let mut table =
        Table::new(&format!("Beliefs, and {} of whom more than {belief} is believed", many(facts)), &heading)
            .figures_in(&[2, 3, 4, 5, 6]);
    let about = |one: &Inference| (one.column.clone(), one.table.clone());
    let bands = found.chunk_by(|a, b| about(a) == about(b)).enumerate();
    for (band, one) in bands.flat_map(|(band, run)| run.iter().map(move |one| (band, one))) {
        let people = |n: u64, share: f64| Text::from(format!("{} ({})", grouped(n), fine_percent(share)));
        table.row_in_band(
            band,
            [
                column(one),
                attack(one).into(),
                fine_percent(one.prior).into(),
                fine_percent(one.mean).into(),
                fine_percent(one.largest).into(),
                people(one.above, one.above_share),
                people(one.newly_above, one.newly_above_share),
            ],
        );
    }
    page.table(&table);
    if facts.by_person() && found.iter().any(|one| one.counted == Counted::Rows) {
        page.paragraph("These figures count rows, since it is not certain whose value is whose.");
    }
    if !facts.by_source {
        page.paragraph(
            "Without the source, the value that a person really has is the one its row shows or, where rows show groups, any of \
             the group's with the share it has there.",
        );
    }
}

/// The beliefs of one attack as bars.
fn beliefs(one: &Inference) -> Cluster {
    let table = one.table.as_ref().map(|table| format!(" in {table}")).unwrap_or_default();
    let bar = |(label, share): (&str, f64)| Bar { label: label.into(), value: 100.0 * share };
    let bars = [("before", one.prior), ("mean after", one.mean), ("greatest after", one.largest)].map(bar).to_vec();
    Cluster { label: format!("{}{table}: {}", one.column, attack(one)), bars }
}

fn column(one: &Inference) -> Text {
    let text = Text::new().name(&one.column);
    match &one.table {
        Some(table) => text.plain(" in ").name(table),
        None => text,
    }
}

fn attack(one: &Inference) -> String {
    match one.epsilon {
        Some(epsilon) => format!("{} within {epsilon}", one.attack),
        None => one.attack.into(),
    }
}
