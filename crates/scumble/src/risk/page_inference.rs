//! What is believed about sensitive values, as a table.

use super::RiskFacts;
use super::page::{count, percent};
use scumble_release::risk::Inference;
use scumble_report::{Page, Table, Text};

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
    page.definitions([
        (Text::from("homogeneity"), Text::from("the belief in the value that most candidates have, true or not")),
        (Text::from("truth"), Text::from("the belief in the value that the person really has")),
        (
            Text::from("proximity"),
            Text::from("the belief in values within epsilon of the one that the person really has"),
        ),
    ]);
    let heading = ["Column", "Attack", "Before", "Mean", "Greatest", "Above", "Newly above"];
    let mut table = Table::new(&format!("Beliefs, and people of whom more than {belief} is believed"), &heading)
        .figures_in(&[2, 3, 4, 5, 6]);
    for (band, one) in found.iter().enumerate() {
        let people = |n: u64, share: f64| Text::from(format!("{} ({})", count(n), percent(share)));
        table.row_in_band(
            band / 2,
            [
                column(one),
                attack(one).into(),
                percent(one.prior).into(),
                percent(one.mean).into(),
                percent(one.largest).into(),
                people(one.above, one.above_share),
                people(one.newly_above, one.newly_above_share),
            ],
        );
    }
    page.table(&table);
    if !facts.by_source {
        page.paragraph(
            "Without the source, the value that a person really has is the one its row shows or, where rows show groups, any of \
             the group's with the share it has there.",
        );
    }
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
