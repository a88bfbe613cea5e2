//! The document of a run as tables, and the places in pages where they stand.

use super::Failure;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The run that the manual speaks of, without its ending: a document, and a page that vouches for numbers.
const RUN: &str = "benches/runs/2026-11-17-attacks";
/// Pages with tables of that run.
const PAGES: [&str; 3] = [
    "benches/runs/2026-11-17-attacks.md",
    "docs/manual/src/concepts/attacks.md",
    "docs/manual/src/concepts/threats.md",
];
/// A table stands between a line that begins so and the line [`END`]. The line names an attack, or `costs of` an attack, and
/// ends in `, by boxes` where kinds of boxes stand side by side rather than profiles; or it says `everything`.
const BEGIN: &str = "<!-- attacks: ";
const END: &str = "<!-- attacks: end -->\n";
/// Profiles in the order of columns.
const PROFILES: [&str; 3] = ["standard", "hardened", "max-utility"];
/// Kinds of boxes in the order of columns.
const BOXES: [&str; 3] = ["minimal", "rounded", "cells"];

/// Where the document of the kept run is.
pub fn kept() -> PathBuf {
    root().join(format!("{RUN}.json"))
}

/// Writes the document, and the tables into every page.
///
/// # Errors
/// If a file cannot be written, or a page has no place for a table.
pub fn keep(document: &Value) -> Result<(), Failure> {
    fs::write(kept(), serde_json::to_string_pretty(document)? + "\n")?;
    for page in PAGES {
        let text = fs::read_to_string(root().join(page))?;
        fs::write(root().join(page), put(&text, document)?)?;
    }
    Ok(())
}

/// Puts the tables of a run into a page.
///
/// # Errors
/// If the page has no place for a table, or one without an end.
pub fn put(page: &str, document: &Value) -> Result<String, Failure> {
    let mut text = String::new();
    let mut rest = page;
    while let Some(at) = rest.find(BEGIN) {
        let name = rest[at + BEGIN.len()..].split(" -->\n").next().ok_or("a place for a table has no name")?;
        let begin = at + BEGIN.len() + name.len() + " -->\n".len();
        let end = begin + rest[begin..].find(END).ok_or_else(|| format!("the table of `{name}` has no end"))?;
        let table = if name == "everything" { tables(document) } else { side_by_side(document, name)? };
        // A page vouches for its own numbers if it is the run's; the others name it before each table.
        let vouched = if page.starts_with("# 2") { String::new() } else { format!("<!-- from {RUN}.md -->\n\n") };
        let table = table.replace('@', &vouched);
        let _ = write!(text, "{}\n{table}\n{END}", &rest[..begin]);
        rest = &rest[end + END.len()..];
    }
    if text.is_empty() {
        return Err(format!("the page has no place for a table, a line that begins `{BEGIN}`").into());
    }
    Ok(text + rest)
}

/// One table per data set. An `@` stands where a page names its source.
pub fn tables(document: &Value) -> String {
    let parts: Vec<String> = list(&document["parts"]).iter().map(table).collect();
    parts.join("\n")
}

/// The table of one data set.
fn table(part: &Value) -> String {
    let people = |key: &str| count(part[key].as_f64());
    let (inside, held_out) = (people("inside"), people("held_out"));
    let mut text = format!("## {}\n\n@{inside} people in the release, {held_out} held out.\n\n", word(part, "data"));
    for refused in list(&part["refused"]) {
        let _ = writeln!(text, "@Nothing was published: {}.\n", refused.as_str().unwrap_or_default());
    }
    text.push_str("@| attack | release | profile | of | share | claimed | control | NCP | KL | count error |\n");
    text.push_str("|---|---|---|---|---|---|---|---|---|---|\n");
    for line in list(&part["lines"]) {
        let number = |key: &str| figure(line[key].as_f64());
        let release = match line["boxes"].as_str() {
            Some(kind) => format!("{}, boxes {kind}", word(line, "release")),
            None => word(line, "release").to_string(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            word(line, "attack"),
            release,
            word(line, "profile"),
            count(line["people"].as_f64()),
            share(line),
            number("claimed"),
            number("control"),
            loss(line),
            number("kl"),
            number("count_error"),
        );
    }
    text
}

/// A line for each release that bears an attack, with profiles or kinds of boxes side by side.
fn side_by_side(document: &Value, name: &str) -> Result<String, Failure> {
    let (attack, key, columns) = match name.strip_suffix(", by boxes") {
        Some(attack) => (attack, "boxes", BOXES),
        None => (name, "profile", PROFILES),
    };
    let (attack, of_costs) = match attack.strip_prefix("costs of ") {
        Some(attack) => (attack, true),
        None => (attack, false),
    };
    let rest: &[&str] = if of_costs { &[] } else { &["claimed", "control"] };
    let header = [&["data", "release"], &columns[..], rest].concat();
    let mut text = format!("@| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
    let mut found = false;
    for part in list(&document["parts"]) {
        let lines: Vec<&Value> = list(&part["lines"]).iter().filter(|line| word(line, "attack") == attack).collect();
        let mut releases: Vec<&str> = Vec::new();
        for line in &lines {
            if !releases.contains(&word(line, "release")) {
                releases.push(word(line, "release"));
            }
        }
        for release in releases {
            let of = |column: &str| {
                lines.iter().find(|line| word(line, "release") == release && word(line, key) == column).copied()
            };
            let usual = columns.iter().find_map(|column| of(column)).unwrap_or(&Value::Null);
            let cell = |column: &&str| match of(column) {
                Some(line) if of_costs => costs(line, usual),
                Some(line) => format!("{} of {}", figure(line["share"].as_f64()), count(line["people"].as_f64())),
                None => "-".into(),
            };
            let mut cells = vec![word(part, "data").to_string(), release.to_string()];
            cells.extend(columns.iter().map(cell));
            cells.extend(rest.iter().map(|key| figure(usual[*key].as_f64())));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            found = true;
        }
    }
    if found { Ok(text) } else { Err(format!("the document has no attack `{attack}`").into()) }
}

/// Costs of a release next to those of the first column's: NCP and how many times the usual it is, KL, error of counts.
fn costs(line: &Value, usual: &Value) -> String {
    let times = match (line["ncp"].as_f64(), usual["ncp"].as_f64()) {
        (Some(ncp), Some(usual)) if usual > 0.0 => format!(" ({:.2} times)", ncp / usual),
        _ => String::new(),
    };
    let number = |key: &str| figure(line[key].as_f64());
    format!("{}{times}; {}; {}", loss(line), number("kl"), number("count_error"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn share(line: &Value) -> String {
    let share = figure(line["share"].as_f64());
    match line["spread"].as_f64() {
        Some(spread) if line["share"].is_number() => format!("{share} ± {spread:.3}"),
        _ => share,
    }
}

fn figure(number: Option<f64>) -> String {
    number.map_or("-".into(), |number| format!("{number:.3}"))
}

/// Losses are small, and told to one place more.
fn loss(line: &Value) -> String {
    line["ncp"].as_f64().map_or("-".into(), |number| format!("{number:.4}"))
}

/// A whole number with marks of thousands.
fn count(number: Option<f64>) -> String {
    let Some(number) = number else { return "-".into() };
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> Value {
        let line = |profile: &str, share: Option<f64>| {
            json!({"attack": "learning", "release": "anatomy", "profile": profile, "people": 1234567.0, "share": share,
                "spread": 0.001, "claimed": 0.25, "control": null, "ncp": 0.0, "kl": 1.5, "count_error": null})
        };
        let lines = [line("standard", Some(0.3954)), line("hardened", None)];
        json!({"parts": [{"data": "adult", "inside": 30000, "held_out": 100, "lines": lines}]})
    }

    #[test]
    fn a_line_for_each_outcome_and_a_dash_for_nothing() {
        let text = tables(&document());
        assert!(text.starts_with("## adult\n\n@30,000 people in the release, 100 held out.\n"), "{text}");
        let line = "| learning | anatomy | standard | 1,234,567 | 0.395 ± 0.001 | 0.250 | - | 0.0000 | 1.500 | - |";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn profiles_stand_side_by_side() {
        let text = side_by_side(&document(), "learning").unwrap();
        assert!(
            text.ends_with("| adult | anatomy | 0.395 of 1,234,567 | - of 1,234,567 | - | 0.250 | - |\n"),
            "{text}"
        );
        assert!(side_by_side(&document(), "unheard of").is_err());
    }

    #[test]
    fn kinds_of_boxes_and_costs_stand_side_by_side() {
        let line = |kind: &str, ncp: f64| {
            json!({"attack": "cells known", "release": "k", "profile": "standard", "boxes": kind, "people": 10.0,
                "share": 0.5, "control": 0.25, "ncp": ncp, "kl": 1.5, "count_error": 0.125})
        };
        let lines = [line("minimal", 0.02), line("rounded", 0.025)];
        let document = json!({"parts": [{"data": "adult", "inside": 9, "held_out": 1, "lines": lines}]});
        let text = side_by_side(&document, "cells known, by boxes").unwrap();
        let header =
            "@| data | release | minimal | rounded | cells | claimed | control |\n|---|---|---|---|---|---|---|\n";
        assert_eq!(text, format!("{header}| adult | k | 0.500 of 10 | 0.500 of 10 | - | - | 0.250 |\n"));
        let text = side_by_side(&document, "costs of cells known, by boxes").unwrap();
        let costs = "0.0200 (1.00 times); 1.500; 0.125 | 0.0250 (1.25 times); 1.500; 0.125 | -";
        assert!(text.ends_with(&format!("|---|\n| adult | k | {costs} |\n")), "{text}");
        assert!(tables(&document).contains("| k, boxes rounded | standard |"));
    }

    #[test]
    fn tables_take_their_places_and_nothing_else() {
        let page = "# Page\n<!-- attacks: everything -->\nold\n<!-- attacks: end -->\nword\n\
                    <!-- attacks: learning -->\n<!-- attacks: end -->\ntail\n";
        let once = put(page, &document()).unwrap();
        assert!(once.starts_with("# Page\n") && once.ends_with("tail\n") && !once.contains("old"), "{once}");
        assert!(once.contains("\nword\n") && once.matches("<!-- from ").count() == 3 && !once.contains('@'), "{once}");
        assert_eq!(put(&once, &document()).unwrap(), once);
        assert!(put("no place", &document()).is_err());
        assert!(put("<!-- attacks: learning -->\nno end", &document()).is_err());
    }

    #[test]
    fn pages_say_what_the_kept_run_says() {
        let document: Value = serde_json::from_str(&fs::read_to_string(kept()).unwrap()).unwrap();
        for page in PAGES {
            let text = fs::read_to_string(root().join(page)).unwrap();
            assert!(put(&text, &document).unwrap() == text, "{page} differs; hint: attacks --from {RUN}.json --keep");
        }
    }
}
