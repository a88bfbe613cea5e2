//! The risk as a page that a data protection officer can use.

use super::{RiskFacts, page_charts, page_inference, page_subsets};
use scumble_report::{Note, Page, Table, Text, fine_percent, grouped, rounded};
use scumble_table::{Counted, Ratio};

/// The page of a risk assessment. It tells how easily people are found, so it stays with the publisher.
pub fn risk_page(facts: &RiskFacts) -> String {
    let mut page = Page::new("How easily people are found");
    page.kicker("Scumble · Risk").lead(lead(facts));
    page.note(
        Note::Warning,
        "for the publisher's eyes",
        "The figures are worked out from the data itself and are protected by nothing. Do not publish this page.",
    );
    at_a_glance(&mut page, facts);
    meaning(&mut page, facts);
    page_charts::distribution(&mut page, facts);
    page_subsets::subsets(&mut page, facts);
    page_inference::inference(&mut page, facts);
    limits(&mut page, facts);
    page.foot("Made by Scumble. This page has no script and loads nothing.");
    page.finish()
}

/// What was attacked, by whom.
fn lead(facts: &RiskFacts) -> Text {
    let target = if facts.method.is_some() { "a release" } else { "a table" };
    let start = format!("An attack on {target} was run and its success was counted. The attacker knows ");
    let mut text = Text::from(start);
    for (at, name) in facts.attack.known.iter().enumerate() {
        text = match at {
            0 => text,
            at if at + 1 == facts.attack.known.len() => text.plain(" and "),
            _ => text.plain(", "),
        };
        text = text.name(name);
    }
    let how = match (facts.by_source, facts.method.is_some()) {
        (true, _) => " of everybody in the source, and takes every row whose values cover a person's for a candidate.",
        (false, true) => " as the release shows them, and takes all rows that show the same for candidates.",
        (false, false) => " of a person, and takes all records with the same values for candidates.",
    };
    text.plain(how)
}

fn at_a_glance(page: &mut Page, facts: &RiskFacts) {
    let (attack, profile) = (&facts.attack, &facts.attack.profile);
    let Words { match_title, mean, found, unmatched } = words(facts);
    let mut figures = vec![
        (capital(many(facts)), grouped(profile.records)),
        ("Found alone", part(profile.unique_records, profile.records)),
        ("Prosecutor risk", fine_percent(profile.prosecutor)),
    ];
    if let Some(risk) = attack.journalist {
        figures.push(("Journalist risk", fine_percent(risk)));
    }
    figures.push(("Marketer risk", fine_percent(profile.marketer)));
    page.section("At a glance");
    page.key_figures(figures.into_iter().map(|(name, figure)| (Text::from(name), Text::from(figure))));
    let fewest = match (attack.at_least, attack.at_most) {
        (false, false) => "Fewest (k)",
        (true, false) => "Fewest (k), at least",
        (false, true) => "Fewest (k), at most",
        (true, true) => "Fewest (k), about",
    };
    let mut table = Table::new(match_title, &["", "Number"]).figures_in(&[1]).named_rows();
    for (name, figure) in [
        (found, grouped(profile.unique_records)),
        (fewest, grouped(profile.k_min)),
        (mean, rounded(profile.k_mean_record, 2)),
        ("Mean over different known values", rounded(profile.k_mean_class, 2)),
        ("Most", grouped(profile.k_max)),
        ("Different known values", grouped(profile.classes)),
    ] {
        table.row([name.into(), figure.into()]);
    }
    if profile.unmatched > 0 {
        table.row([unmatched.into(), grouped(profile.unmatched).into()]);
    }
    if let Some(n) = facts.suppressed.filter(|&n| n > 0) {
        table.row(["Suppressed rows, which match nobody".into(), grouped(n).into()]);
    }
    page.table(&table);
    page.paragraph(match (facts.counted, facts.persons) {
        (Counted::People, Some(persons)) => format!(
            "Counted are people, each once however many rows they have: {} of them. Somebody with different known values in \
             several rows is counted by those that leave the fewest candidates.",
            grouped(persons)
        ),
        _ => "Counted are rows. Whose they are is not known here: where somebody has several, fewer people than rows match."
            .into(),
    });
    if let Some(joined) = &facts.joined {
        page.paragraph(format!("Joined by batch, {}.", joined.summary()));
    }
    if !facts.rules.is_empty() {
        add_rules(page, facts);
    }
}

/// What rules did to the data before it was attacked.
fn add_rules(page: &mut Page, facts: &RiskFacts) {
    let heading = ["Rule", "Records that met its condition", "Changed", "Deleted", "Cells changed"];
    let mut table =
        Table::new("Rules that were applied before the attack", &heading).figures_in(&[1, 2, 3, 4]).named_rows();
    for rule in &facts.rules {
        let counts = [rule.matched, rule.changed, rule.deleted, rule.cells].map(|n| Text::from(grouped(n)));
        table.row(std::iter::once(Text::new().name(&rule.name)).chain(counts));
    }
    page.table(&table);
}

/// The three risks in words.
fn meaning(page: &mut Page, facts: &RiskFacts) {
    let profile = &facts.attack.profile;
    page.section("What this means");
    page.subsection("Prosecutor: somebody looks for one person who is in the data");
    page.paragraph(match profile.k_min {
        0 => "Nobody is found: no record matches anybody.".to_string(),
        1 => format!(
            "An attacker who knows that a certain person is in the data may succeed with certainty: {} of {} {} are alone with \
             their values. For these, whatever else the data says about the record is said about the person.",
            grouped(profile.unique_records),
            grouped(profile.records),
            many(facts)
        ),
        k => format!(
            "Whoever is looked for, at least {} {} match. An attacker who knows that a certain person is in the data is \
             right about the record with a chance of one in {} at the most, {}.",
            grouped(k),
            if facts.counted == Counted::People { "people" } else { "records" },
            grouped(k),
            fine_percent(profile.prosecutor)
        ),
    });
    page.subsection("Journalist: somebody looks for anybody of a population");
    page.paragraph(match (facts.attack.journalist, facts.attack.journalist_mean, facts.population) {
        (Some(largest), Some(mean), Some(population)) => format!(
            "The data is a sample of {} people, and who is in it is not known. A person of the population who matches a record \
             is the one behind it with a chance of {} at the most, and {} on average over the records.{}",
            grouped(population),
            fine_percent(largest),
            fine_percent(mean),
            match facts.journalist_by {
                Some("expected") =>
                    " Only the size of the population is known, so these are expectations of a model that takes the data for a \
                     random sample: a record that happens to be alone in the population is found with certainty.",
                _ => "",
            }
        ),
        _ => "Not worked out: it takes the population that the data is a sample of, or its size, `population`. Where the \
              attacker cannot know who is in the data, this risk is smaller than the prosecutor's; where the data is everybody, \
              it is the same."
            .to_string(),
    });
    page.subsection("Marketer: somebody looks for as many people as possible");
    page.paragraph(format!(
        "An attacker who takes one candidate at random for each of {} {} is right about {} of them, {}, to be expected. \
         This counts mistakes as harmless, so it bounds what mass matching gains, not what one person risks.",
        grouped(profile.records),
        many(facts),
        expected(profile.marketer * profile.records as f64),
        fine_percent(profile.marketer)
    ));
    let who = capital(many(facts));
    let mut table = Table::new(
        &format!("{who} by the chance to be found, at or above"),
        &["Chance", "At most so many candidates", who, "Share"],
    )
    .figures_in(&[0, 1, 2, 3]);
    for line in &profile.thresholds {
        let chance = Ratio::from(line.probability);
        let most = chance.denom() / chance.numer().max(1);
        table.row([
            line.probability.to_string().into(),
            grouped(most as u64).into(),
            grouped(line.records).into(),
            part(line.records, profile.records).into(),
        ]);
    }
    page.subsection(&format!("How many {} run which risk", many(facts))).table(&table);
}

fn limits(page: &mut Page, facts: &RiskFacts) {
    page.section("What these figures do not say");
    let mut items = vec![
        "An attacker who knows other columns, or knows these only roughly, gets another result; try the columns that matter.",
        "Values are taken to be known exactly and to be true in the data. Errors in either make attacks fail more often.",
        "To be found is not the only harm: where all candidates share a sensitive value, it is known without finding the record.",
    ];
    if facts.method.is_some() {
        items.push(
            "Suppressed rows show nothing and are not counted as candidates for anybody, which makes risks appear no smaller than \
             they are.",
        );
    }
    if facts.joined.is_some() && !facts.by_source {
        items.push(
            "The tables of this release were attacked one by one. How many candidates they leave joined by batch is only \
             bounded without the source.",
        );
    }
    if facts.joined.is_some() && facts.by_person() {
        items.push(
            "Whose rows are whose does not follow across tables. Joined by batch they leave a person among no more people than \
             rows, and among no more than any table by itself; there may be fewer.",
        );
    }
    page.list(items.into_iter().map(Text::from));
}

/// The word for many of those who are looked for.
pub(super) fn many(facts: &RiskFacts) -> &'static str {
    match (facts.counted, facts.by_source) {
        (Counted::People, _) => "people",
        (Counted::Rows, true) => "rows",
        (Counted::Rows, false) => "records",
    }
}

/// The same with a capital.
pub(super) fn capital(word: &str) -> &'static str {
    match word {
        "people" => "People",
        "rows" => "Rows",
        _ => "Records",
    }
}

/// The words that go with figures.
struct Words {
    match_title: &'static str,
    mean: &'static str,
    found: &'static str,
    unmatched: &'static str,
}

fn words(facts: &RiskFacts) -> Words {
    match many(facts) {
        "people" => Words {
            match_title: "People who match a person",
            mean: "Mean over people",
            found: "People who are found alone",
            unmatched: "People whom no record matches",
        },
        "rows" => Words {
            match_title: "Records that match a row",
            mean: "Mean over rows",
            found: "Rows that are found alone",
            unmatched: "Rows that no record matches",
        },
        _ => Words {
            match_title: "Records that match a record",
            mean: "Mean over records",
            found: "Records that are found alone",
            unmatched: "Records that no record matches",
        },
    }
}

pub(super) fn part(n: u64, of: u64) -> String {
    fine_percent(if of == 0 { 0.0 } else { n as f64 / of as f64 })
}

/// An expected number of people.
fn expected(n: f64) -> String {
    if n < 10.0 { rounded(n, 2) } else { grouped(n.round() as u64) }
}
