//! Which columns make people easy to find, as charts and tables.

use super::page::{capital, many, part};
use super::{RiskFacts, SubsetFacts};
use scumble_report::chart::{Axis, Bar, Pairs, bars, pairs};
use scumble_report::{Page, Table, Text, fine_percent, grouped, rounded};

/// Subsets listed, the most telling first.
const MOST_LISTED: usize = 25;

pub(super) fn subsets(page: &mut Page, facts: &RiskFacts) {
    let (Some(subsets), Some(attributes), Some(up_to)) = (&facts.subsets, &facts.attributes, facts.up_to) else {
        return;
    };
    page.section("Which columns tell most").paragraph(format!(
        "The attack was run with every set of up to {up_to} of the known columns, {} sets in all. A column that adds much \
         wherever it is learned is the one to generalize or to drop first.",
        grouped(subsets.len() as u64)
    ));
    let list = attributes.iter().map(|one| Bar { label: one.column.clone(), value: 100.0 * one.adds_marketer });
    page.chart(&bars(
        &format!("What each column adds to the share of {} found", many(facts)),
        &Axis::new("Mean rise of the marketer risk").unit("%"),
        &list.collect::<Vec<_>>(),
    ));
    if let Some(map) = map(facts, subsets) {
        page.chart(&pairs(
            &format!("{} found by one column and by pairs", capital(many(facts))),
            &Axis::new("Marketer risk").unit("%"),
            &map,
        ));
    }
    let caption = match subsets.len() > MOST_LISTED {
        true => format!("The {MOST_LISTED} most telling of {} sets of columns", grouped(subsets.len() as u64)),
        false => "Sets of columns, the most telling first".into(),
    };
    let heading = ["Columns", "Found alone", "Share", "Fewest (k)", "Mean k", "Marketer risk", "Beyond its best part"];
    let mut table = Table::new(&caption, &heading).figures_in(&[1, 2, 3, 4, 5, 6]);
    for one in subsets.iter().take(MOST_LISTED) {
        let profile = &one.attack.profile;
        table.row([
            Text::from(one.attack.known.join(", ")),
            grouped(profile.unique_records).into(),
            part(profile.unique_records, profile.records).into(),
            grouped(profile.k_min).into(),
            rounded(profile.k_mean_record, 2).into(),
            fine_percent(profile.marketer).into(),
            fine_percent(one.adds).into(),
        ]);
    }
    page.table(&table);
}

/// The risk of each column and each pair; nothing where there are no pairs.
fn map(facts: &RiskFacts, subsets: &[SubsetFacts]) -> Option<Pairs> {
    let names = facts.attack.known.clone();
    let place = |name: &String| names.iter().position(|known| known == name);
    let mut values: Vec<Vec<f64>> = (0..names.len()).map(|row| vec![f64::NAN; row + 1]).collect();
    for one in subsets {
        let places: Vec<usize> = one.attack.known.iter().filter_map(place).collect();
        let (row, column) = match places[..] {
            [one] => (one, one),
            [a, b] => (a.max(b), a.min(b)),
            _ => continue,
        };
        values[row][column] = 100.0 * one.attack.profile.marketer;
    }
    (names.len() > 1 && facts.up_to? > 1).then(|| Pairs { names, values, levels: vec![0.1, 1.0, 5.0, 20.0, 50.0] })
}
