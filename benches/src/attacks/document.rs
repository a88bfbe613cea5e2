//! Documents of several measurements as one: attacks that were run at different times stand in one table.

use super::data::CASES;
use super::plan::Attack;
use serde_json::{Value, json};

/// What tells a line of a data set from all others.
const KEYS: [&str; 4] = ["attack", "release", "profile", "boxes"];

/// Joins documents. A line that two of them have is that of the later one. Different numbers of people of a data set make
/// parts of their own.
pub fn joined(documents: Vec<Value>) -> Value {
    let mut runs: Vec<Value> = Vec::new();
    let mut parts: Vec<Value> = Vec::new();
    for document in documents {
        runs.extend(list(&document["runs"]));
        for part in list(&document["parts"]) {
            let same = |known: &&mut Value| ["data", "inside", "held_out"].iter().all(|key| known[*key] == part[*key]);
            let Some(known) = parts.iter_mut().find(same) else {
                parts.push(part);
                continue;
            };
            let mut lines = list(&known["lines"]);
            for line in list(&part["lines"]) {
                match lines.iter_mut().find(|old| KEYS.iter().all(|key| old[*key] == line[*key])) {
                    Some(old) => *old = line,
                    None => lines.push(line),
                }
            }
            known["lines"] = json!(lines);
            let mut refused = list(&known["refused"]);
            // A release that two measurements asked for was refused to both.
            for one in list(&part["refused"]) {
                if !refused.iter().any(|old| kind(old) == kind(&one)) {
                    refused.push(one);
                }
            }
            known["refused"] = json!(refused);
        }
    }
    for part in &mut parts {
        let mut lines = list(&part["lines"]);
        lines.sort_by_key(|line| Attack::ALL.iter().position(|attack| line["of"] == attack.name()));
        part["lines"] = json!(lines);
    }
    parts.sort_by_key(|part| CASES.iter().position(|case| part["data"] == case.name));
    json!({"runs": runs, "parts": parts})
}

/// The release that a refusal speaks of, without the reason.
fn kind(refused: &Value) -> Option<&str> {
    refused.as_str()?.split(": ").next()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(data: &str, inside: usize, lines: &[(&str, &str, f64)]) -> Value {
        let line = |(of, profile, share): &(&str, &str, f64)| json!({"of": of, "attack": of, "release": "angel", "profile": profile, "boxes": null, "share": share});
        let lines: Vec<Value> = lines.iter().map(line).collect();
        json!({"runs": [lines.len()], "parts": [{"data": data, "inside": inside, "held_out": 5, "lines": lines}]})
    }

    #[test]
    fn lines_stand_by_attack_and_later_ones_take_the_place_of_earlier_ones() {
        let first = document("adult", 10, &[("learning", "standard", 0.5), ("learning", "hardened", 0.4)]);
        let second = document("adult", 10, &[("common-value", "standard", 0.3), ("learning", "standard", 0.2)]);
        let found = joined(vec![first, second, document("acs", 7, &[])]);
        assert_eq!(found["runs"], json!([2, 2, 0]));
        let lines: Vec<(&str, f64)> = found["parts"][0]["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (line["profile"].as_str().unwrap(), line["share"].as_f64().unwrap()))
            .collect();
        assert_eq!(lines, [("standard", 0.3), ("standard", 0.2), ("hardened", 0.4)]);
        assert_eq!(found["parts"][1]["data"], "acs");
    }

    #[test]
    fn a_release_is_refused_once() {
        let refused = |texts: &[&str]| {
            let mut one = document("adult", 10, &[]);
            one["parts"][0]["refused"] = json!(texts);
            one
        };
        let found =
            joined(vec![refused(&["angel, standard: 3"]), refused(&["angel, standard: 4", "angel, hardened: 5"])]);
        assert_eq!(found["parts"][0]["refused"], json!(["angel, standard: 3", "angel, hardened: 5"]));
    }

    #[test]
    fn other_people_are_not_joined() {
        let documents = [("acs", 10), ("adult", 11), ("acs", 12)].map(|(data, inside)| document(data, inside, &[]));
        let found = joined(documents.to_vec());
        let parts: Vec<(&str, u64)> = found["parts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| (part["data"].as_str().unwrap(), part["inside"].as_u64().unwrap()))
            .collect();
        assert_eq!(parts, [("adult", 11), ("acs", 10), ("acs", 12)]);
    }
}
