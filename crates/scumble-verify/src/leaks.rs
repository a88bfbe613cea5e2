//! A manifest must not tell where, when or by whom a release was made.

use scumble_principle::{Distance, Measure};
use serde_json::Value;

/// Field names that speak about the maker. Names of columns and of figures are not fields.
const TELLTALES: &str = "path paths seed time timestamp date created created_at host hostname user username cwd argv command source \
    input duration elapsed pid machine";

/// What a manifest tells that it should not; empty where it tells nothing.
///
/// Column names and domains are the data's own words and are let pass wherever they stand.
pub(crate) fn find_leaks(manifest: &Value) -> Vec<String> {
    let columns: Vec<&str> =
        manifest["columns"].as_array().into_iter().flatten().filter_map(|column| column["name"].as_str()).collect();
    let mut found = Vec::new();
    if let Some(fields) = manifest.as_object() {
        for (name, value) in fields {
            walk(name, name, value, &columns, &mut found);
        }
    }
    found
}

fn walk(top: &str, at: &str, value: &Value, columns: &[&str], found: &mut Vec<String>) {
    let field = at.rsplit('.').next().unwrap_or(at);
    if TELLTALES.split(' ').any(|word| word == field.to_lowercase()) && !matches!(top, "attained" | "hierarchies") {
        found.push(format!("field `{at}`"));
    }
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let own = match top {
                    "columns" => matches!(name.as_str(), "name" | "domain"),
                    "conditional" => matches!(name.as_str(), "column" | "when" | "shows"),
                    "coarse" => matches!(name.as_str(), "column" | "rest"),
                    "missing" => name == "column",
                    _ => false,
                };
                if own {
                    continue;
                }
                walk(top, &format!("{at}.{name}"), inner, columns, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(top, at, item, columns, found);
            }
        }
        Value::String(text) => {
            let own = columns.iter().filter_map(|name| text.strip_prefix(name)).min_by_key(|rest| rest.len());
            let text = match own {
                Some(rest) if rest.is_empty() || rest.starts_with(':') => rest,
                _ => text,
            };
            // An entry about a column has a word of ours before its name, and it was read so.
            let text = match scumble_release::accepted_column(text).filter(|_| top == "accepted") {
                Some((word, name)) if columns.contains(&name) => word,
                _ => text,
            };
            let names = if top == "distance" { distance_names(text, columns) } else { None };
            if names.map_or(names_a_file(text), |names| names.iter().any(|name| names_a_file(name))) {
                found.push(format!("`{at}` looks like a path"));
            }
            if tells_the_time(text) {
                found.push(format!("`{at}` looks like a time"));
            }
        }
        _ => {}
    }
}

/// The names in a distance that are not columns; nothing where it does not read. A backslash before a sign of its
/// notation is no path.
fn distance_names(text: &str, columns: &[&str]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for part in text.parse::<Distance>().ok()?.parts() {
        names.extend(part.column.iter().filter(|name| !columns.contains(&name.as_str())).cloned());
        if let Measure::Matrix(file) = &part.measure {
            names.push(file.clone());
        }
    }
    Some(names)
}

/// A backslash, or a word that starts like an absolute or a relative path.
fn names_a_file(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    text.contains('\\')
        || text.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '(' | ')' | '"' | '\'' | '=')).any(
            |token| {
                ["~/", "./", "../"].iter().any(|start| token.starts_with(start))
                    || token.strip_prefix('/').is_some_and(|rest| {
                        rest.split_once('/').is_some_and(|(first, second)| {
                            !first.is_empty() && first.chars().all(word) && second.starts_with(word)
                        })
                    })
            },
        )
}

/// `2024-05-01T12:30` or the same with a blank.
fn tells_the_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"dddd-dd-ddtdd:dd";
    text.as_bytes().windows(SHAPE.len()).any(|window| {
        window.iter().zip(SHAPE).all(|(&byte, &shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            b't' => byte == b'T' || byte == b' ',
            other => byte == other,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn telltales_are_found() {
        for (value, part) in [
            (json!({"algorithm": "/home/me/x"}), "path"),
            (json!({"algorithm": "C:\\x"}), "path"),
            (json!({"distance": "matrix:/home/me/d.csv"}), "path"),
            (json!({"distance": "matrix:../d.csv"}), "path"),
            (json!({"distance": "l1(a\\\\b:range, c:equal)"}), "path"),
            (json!({"profile": "run 2024-05-01T12:30"}), "time"),
            (json!({"tables": [{"seed": 7}]}), "field `tables.seed`"),
            (json!({"columns": [{"name": "a"}], "accepted": ["accept-keep /home/me/x"]}), "path"),
            (json!({"columns": [{"name": "/home/me/x"}], "accepted": ["rows-are /home/me/x"]}), "path"),
        ] {
            assert!(find_leaks(&value).iter().any(|word| word.contains(part)), "{value}");
        }
        for value in [
            json!({"hierarchies": {"date": "hierarchy-date.csv"}}),
            json!({"columns": [{"name": "a\\b/c", "domain": ["\\", "/a/b"]}], "requirements": ["a\\b/c: k-anonymity(2)"]}),
            json!({"columns": [{"name": "a, b"}, {"name": "/x/y"}], "distance": "l1(a\\, b:range(0, 1), /x/y:matrix:d.csv)"}),
            json!({"columns": [{"name": "/home/me/x"}], "accepted": ["accept-keep /home/me/x", "allow-sets /home/me/x"]}),
            json!({"algorithm": "and/or", "attained": [{"requirement": "x", "column": "y", "date": 3}]}),
        ] {
            assert_eq!(find_leaks(&value), Vec::<String>::new(), "{value}");
        }
    }
}
