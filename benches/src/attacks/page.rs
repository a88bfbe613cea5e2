//! The document of a run as tables, and where they stand in a page.

use super::Failure;
use serde_json::Value;
use std::fmt::Write;

/// Between these lines a page has the tables, and the program alone writes there.
const BEGIN: &str = "<!-- measured by benches/src/bin/attacks.rs: begin -->\n";
const END: &str = "<!-- measured by benches/src/bin/attacks.rs: end -->\n";

/// Puts the tables of a run into a page. `from` names the file that vouches for the numbers.
///
/// # Errors
/// If the page has no place for them.
pub fn put(page: &str, document: &Value, from: Option<&str>) -> Result<String, Failure> {
    let (Some(begin), Some(end)) = (page.find(BEGIN), page.find(END)) else {
        return Err(format!("the page has no place for tables, between {} and {}", BEGIN.trim(), END.trim()).into());
    };
    let vouched = from.map_or(String::new(), |from| format!("<!-- from {from} -->\n\n"));
    let tables = tables(document).replace("\n| attack |", &format!("\n{vouched}| attack |"));
    Ok(format!("{}{BEGIN}\n{tables}{}", &page[..begin], &page[end..]))
}

/// One table per data set.
pub fn tables(document: &Value) -> String {
    let mut text = String::new();
    for part in list(&document["parts"]) {
        let _ = writeln!(text, "{}", table(part));
    }
    text
}

/// The table of one data set.
fn table(part: &Value) -> String {
    let people = |key: &str| count(part[key].as_f64());
    let mut text = format!(
        "## {}: {} people in, {} held out\n\n",
        part["data"].as_str().unwrap_or_default(),
        people("inside"),
        people("held_out")
    );
    text.push_str("| attack | release | profile | of | share | claimed | control | NCP | KL | count error |\n");
    text.push_str("|---|---|---|---|---|---|---|---|---|---|\n");
    for line in list(&part["lines"]) {
        let word = |key: &str| line[key].as_str().unwrap_or_default().to_string();
        let number = |key: &str| figure(line[key].as_f64());
        let share = match line["spread"].as_f64() {
            Some(spread) if line["share"].is_number() => format!("{} ± {spread:.3}", number("share")),
            _ => number("share"),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {share} | {} | {} | {} | {} | {} |",
            word("attack"),
            word("release"),
            word("profile"),
            count(line["people"].as_f64()),
            number("claimed"),
            number("control"),
            number("ncp"),
            number("kl"),
            number("count_error"),
        );
    }
    text
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn figure(number: Option<f64>) -> String {
    number.map_or("-".into(), |number| format!("{number:.3}"))
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

    #[test]
    fn tables_take_their_place_and_nothing_else() {
        let document = json!({"parts": [{"data": "adult", "inside": 10, "held_out": 5, "lines": []}]});
        let page = format!("head\n{BEGIN}old\n{END}tail\n");
        let put_once = put(&page, &document, Some("run.md")).unwrap();
        assert!(put_once.starts_with("head\n") && put_once.ends_with("tail\n") && !put_once.contains("old"));
        assert!(put_once.contains("\n<!-- from run.md -->\n\n| attack |"), "{put_once}");
        assert_eq!(put(&put_once, &document, Some("run.md")).unwrap(), put_once);
        assert!(put("no place", &document, None).is_err());
    }

    #[test]
    fn a_line_for_each_outcome_and_a_dash_for_nothing() {
        let line = json!({"attack": "learning", "release": "anatomy", "profile": "standard", "people": 1234567.0,
            "share": 0.3954, "spread": 0.001, "claimed": 0.25, "control": null, "ncp": 0.0, "kl": 1.5, "count_error": null});
        let document = json!({"parts": [{"data": "adult", "inside": 30000, "held_out": 100, "lines": [line]}]});
        let text = tables(&document);
        assert!(text.starts_with("## adult: 30,000 people in, 100 held out\n"), "{text}");
        assert!(
            text.contains(
                "| learning | anatomy | standard | 1,234,567 | 0.395 ± 0.001 | 0.250 | - | 0.000 | 1.500 | - |"
            )
        );
    }
}
