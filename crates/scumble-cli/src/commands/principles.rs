//! `scumble principles`.

use crate::output::Output;
use scumble::{Result, catalogue};
use serde_json::{Value, json};

pub(crate) fn run(output: &Output) -> Result<bool> {
    let document: Vec<Value> = catalogue()
        .iter()
        .map(|entry| {
            json!({
                "name": entry.name,
                "aliases": entry.aliases,
                "parameters": entry.parameters.iter().map(|p| json!({"name": p.name, "range": p.range.to_string()})).collect::<Vec<_>>(),
                "help": entry.help,
                "example": entry.example,
                "reference": entry.reference,
                "monotone": entry.monotone,
            })
        })
        .collect();
    output.result(&Value::Array(document), summary)?;
    Ok(true)
}

fn summary() -> String {
    let mut text = String::from("Requirements, with `--require`; several may be given and all must hold.\n");
    text.push_str("With several sensitive columns one may be named: \"salary: variance(2500)\".\n");
    for entry in catalogue() {
        text.push_str(&format!("\n  {}\n      {}\n", entry.example, entry.help));
        for parameter in entry.parameters {
            text.push_str(&format!("      {}: {}\n", parameter.name, parameter.range));
        }
        if !entry.aliases.is_empty() {
            text.push_str(&format!("      also understood: {}\n", entry.aliases.join(", ")));
        }
        text.push_str(&format!("      {}\n", entry.reference));
    }
    text
}
