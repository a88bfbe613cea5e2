//! What was published: the files, and what was done to each column.

use super::{ReleaseFacts, capital, named};
use crate::method::Method;
use crate::noun::Noun;
use crate::page::Page;
use crate::release_page::ColumnFacts;
use crate::table::Table;
use crate::text::Text;
use scumble_table::figures::{counted, grouped, measure, percent};

pub(super) fn write(page: &mut Page, facts: &ReleaseFacts, method: Method) {
    page.section("What was published").paragraph(in_short(facts, method));
    if facts.suppressed > 0 {
        let why = if method.exact() { "" } else { " so that the others could be shown in more detail" };
        let left_out = Text::from(format!("Some outlying rows were left out{why}. They are suppressed: "));
        page.paragraph(if facts.stars {
            left_out.plain("each is a row that shows that somebody was left out and nothing else.")
        } else {
            left_out.plain("the tables show nothing of them, and this page tells how many they are.")
        });
    }
    if !facts.files.is_empty() {
        page.table(&files(facts));
    }
    if !facts.columns.is_empty() {
        page.table(&columns(facts, method));
    }
    page.definitions([
        (Text::from("Counted"), who_is_counted(facts).into()),
        (Text::from("Method"), Text::new().code(&facts.method)),
        (Text::from("Algorithm"), Text::new().code(&facts.algorithm)),
        (Text::from("Profile"), profile(&facts.profile)),
        (
            Text::from("Random choices"),
            Text::from(if facts.coins_secret {
                "secret: drawn from the operating system for this release and not kept"
            } else {
                "not secret: repeated from a fixed seed"
            }),
        ),
    ]);
}

/// Who the requirements count, and how that is known.
fn who_is_counted(facts: &ReleaseFacts) -> String {
    let unnamed = match facts.unnamed {
        0 => String::new(),
        1 => ". 1 row names no person and was counted as a person of its own".into(),
        n => format!(
            ". {} rows name no person, and each of them was counted as a person of its own: where several of them are of one \
             person, a group has fewer people than is said here",
            grouped(n)
        ),
    };
    let (one, many) = facts.person_nouns();
    match facts.persons {
        _ if facts.unnamed > 0 && facts.unnamed >= facts.rows => format!(
            "rows: none of the {} rows names a person, so that whose they are is not known. Where somebody has several rows, a group \
             has fewer people than rows, and what is said of rows may not be true of people",
            grouped(facts.rows)
        ),
        Some(persons) if persons != facts.rows => format!(
            "{many}, as the publisher tells them apart: {} in {}. A {one} counts once in a group, however many \
             rows it has there{}{unnamed}",
            counted(persons, one, many),
            counted(facts.rows, "row", "rows"),
            match facts.households {
                true => ", and so do all people of a household together: a group has more people than is said, and no promise is about each",
                false => "; where a household was taken for a person, households are counted",
            }
        ),
        Some(_) if facts.households => {
            format!("households, as the publisher tells them apart: no two rows name the same household{unnamed}")
        }
        Some(_) if facts.unnamed > 0 => {
            format!("people, as the publisher tells them apart: no two rows name the same person{unnamed}")
        }
        Some(_) => "people: every row is that of another person, as far as the publisher tells persons apart".into(),
        None if facts.counted == Noun::PERSON => "people: the publisher says that every row is a person of its own".into(),
        None => "rows: whose they are is not known. Where somebody has several rows, a group has fewer people than rows, and \
                 what is said of rows may not be true of people"
            .into(),
    }
}

fn in_short(facts: &ReleaseFacts, method: Method) -> Text {
    let quasi = facts.names("quasi");
    let text = Text::from("Quasi-identifiers are the columns by which somebody might recognise a person");
    let text = if quasi.is_empty() { text } else { text.plain(", here ") };
    let text = text.then(&named(&quasi)).plain(". ");
    let rows = facts.row().many;
    let people = capital(rows);
    let alike = format!(
        "{people} were put into groups, and the quasi-identifiers of a group were made coarser until all its {rows} look alike \
         in them."
    );
    let words = match method {
        Method::Generalize if facts.names("sensitive").is_empty() => alike,
        Method::Generalize => {
            format!("{alike} The sensitive values are exact; what was loosened is their tie to a person.")
        }
        Method::Permute => format!(
            "They are published exactly. {people} were put into groups, and inside each group the sensitive values were \
             shuffled, so that the row of a person no longer shows that person’s own value."
        ),
        Method::Anatomy => {
            "They are published exactly, in one table; the sensitive values stand in another, counted per \
                            group. Only the number of the group ties the two together."
                .into()
        }
        Method::Angel => {
            "They were made coarser in one or more tables, each row of which names a batch. The sensitive values \
                          stand in another table, counted per batch. Only the number of the batch ties them together."
                .into()
        }
        Method::Other => {
            format!("{people} were put into groups, within which they cannot be told apart by what was published.")
        }
    };
    text.plain(&words)
}

fn files(facts: &ReleaseFacts) -> Table {
    let mut table =
        Table::new("The files of this release", &["File", "Rows", "What it holds"]).figures_in(&[1]).named_rows();
    for (name, rows, description) in &facts.files {
        table.row([Text::new().code(name), grouped(*rows).into(), description.into()]);
    }
    table
}

fn columns(facts: &ReleaseFacts, method: Method) -> Table {
    let figure = |value: Option<f64>, shown: fn(f64) -> String| Text::from(value.map_or_else(|| "–".to_owned(), shown));
    let measured = facts.columns.iter().any(|column| column.generalized.is_some() || column.loss.is_some());
    let mut heading = vec!["Column", "Role", "Type", "What was done"];
    if measured {
        heading.extend(["Detail lost (NCP)", "Loss"]);
    }
    let mut table = Table::new("The columns, and what was done to each", &heading).figures_in(&[4, 5]).named_rows();
    for column in &facts.columns {
        table.row([
            Text::new().name(&column.name),
            role(&column.role).into(),
            Text::from(&column.kind),
            treatment(column, method).into(),
            figure(column.generalized, percent),
            figure(column.loss, measure),
        ]);
    }
    table
}

fn role(role: &str) -> &str {
    match role {
        // With a hyphen that does not break, which keeps the rows of the table one line high.
        "quasi" => "quasi\u{2011}identifier",
        other => other,
    }
}

fn treatment(column: &ColumnFacts, method: Method) -> &'static str {
    match (column.role.as_str(), method) {
        ("quasi", Method::Permute | Method::Anatomy) => "published exactly",
        ("quasi", _) => match column.generalized {
            Some(ncp) if ncp <= 0.0 => "published exactly",
            Some(ncp) if ncp >= 1.0 => "hidden: every cell covers all values",
            Some(ncp) if ncp.is_finite() => "made coarser",
            _ => "made coarser where needed",
        },
        ("sensitive", Method::Generalize) => "published exactly, within its group",
        ("sensitive", Method::Permute) => "exact values, shuffled within each group",
        ("sensitive", Method::Anatomy) => "exact values, counted per group in a table of their own",
        ("sensitive", Method::Angel) => "exact values, counted per batch in a table of their own",
        ("kept", _) => "kept as it is",
        ("identifying", _) => "left out",
        _ => "published",
    }
}

fn profile(profile: &str) -> Text {
    Text::new().code(profile).plain(match profile {
        "standard" => {
            ": where the choice of groups depends on sensitive values, the algorithm may draw among nearly equal \
             choices, which makes it harder to reason back from the groups to the values; it is no proof against it"
        }
        "hardened" => {
            ": where the choice of groups depends on sensitive values, the algorithm draws among its best choices \
             even where they lose more detail, so that the groups themselves say less about the values"
        }
        "max-utility" => {
            ": the choices that keep the most detail; not hardened against somebody who knows the algorithm"
        }
        _ => "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quasi(generalized: Option<f64>) -> ColumnFacts {
        ColumnFacts { role: "quasi".into(), generalized, ..ColumnFacts::default() }
    }

    #[test]
    fn treatment_follows_the_figures() {
        assert_eq!(treatment(&quasi(Some(0.0)), Method::Generalize), "published exactly");
        assert_eq!(treatment(&quasi(Some(0.25)), Method::Generalize), "made coarser");
        assert!(treatment(&quasi(Some(1.0)), Method::Angel).starts_with("hidden"));
        assert_eq!(treatment(&quasi(Some(f64::NAN)), Method::Generalize), "made coarser where needed");
        assert_eq!(treatment(&quasi(None), Method::Permute), "published exactly");
    }
}
