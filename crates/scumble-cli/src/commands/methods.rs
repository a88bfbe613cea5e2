//! `scumble methods`.

use crate::flag_names::flag_of;
use crate::output::Output;
use scumble::{AlgorithmEntry, Method, Result, algorithms, catalogue, comparisons, methods, replace_field_names};
use serde_json::{Value, json};

pub(crate) fn run(output: &Output) -> Result<bool> {
    let algorithms = algorithms()?;
    let document = json!({
        "methods": methods().iter().map(|entry| json!({
            "name": entry.method.name(),
            "help": entry.help,
            "tables": replace_field_names(entry.tables, flag_of),
            "algorithms": finders(&algorithms, entry.method),
            "reference": entry.reference,
        })).collect::<Vec<_>>(),
        "algorithms": algorithms.iter().map(algorithm).collect::<Vec<_>>(),
        "comparisons": comparisons().iter().map(algorithm).collect::<Vec<_>>(),
    });
    output.result(&document, || summary(&algorithms))?;
    Ok(true)
}

/// The words for the algorithms that find groups for a method.
fn finders(algorithms: &[AlgorithmEntry], method: Method) -> Vec<&'static str> {
    algorithms.iter().filter(|one| one.methods.contains(&method)).map(|one| one.name).collect()
}

fn algorithm(entry: &AlgorithmEntry) -> Value {
    json!({
        "name": entry.name,
        "help": entry.help,
        "methods": entry.methods.iter().map(|method| method.name()).collect::<Vec<_>>(),
        "principles": entry.principles.iter().map(|principle| principle.name).collect::<Vec<_>>(),
        "reference": entry.reference,
    })
}

fn summary(algorithms: &[AlgorithmEntry]) -> String {
    let mut text = String::from("Methods, with `--method`: what a release looks like.\n");
    for entry in methods() {
        text.push_str(&format!("\n  {}\n      {}\n", entry.method, entry.help));
        text.push_str(&format!("      tables: {}\n", replace_field_names(entry.tables, flag_of)));
        text.push_str(&format!("      groups by: {}\n", finders(algorithms, entry.method).join(", ")));
        text.push_str(&format!("      {}\n", entry.reference));
    }
    text.push_str("\nAlgorithms, with `--algorithm`: how groups are found.\n");
    for entry in algorithms {
        text.push_str(&format!("\n  {}\n      {}\n", entry.name, entry.help));
        if !entry.methods.is_empty() {
            let names: Vec<&str> = entry.methods.iter().map(|method| method.name()).collect();
            text.push_str(&format!("      for: {}\n", names.join(", ")));
            text.push_str(&format!("      meets: {}\n", met(entry)));
        }
        text.push_str(&format!("      {}\n", entry.reference));
    }
    text.push_str("\nMeasured by `scumble evaluate` beside a release, and never published.\n");
    for entry in comparisons() {
        text.push_str(&format!("\n  {}\n      {}\n      {}\n", entry.name, entry.help, entry.reference));
    }
    text
}

/// The principles that an algorithm can meet, whichever way is shorter to say.
fn met(entry: &AlgorithmEntry) -> String {
    let others: Vec<&str> =
        catalogue().iter().filter(|one| !entry.principles.contains(one)).map(|one| one.name).collect();
    let these: Vec<&str> = entry.principles.iter().map(|one| one.name).collect();
    match others.len() {
        0 => "every principle".into(),
        n if n < these.len() => format!("every principle but {}", others.join(", ")),
        _ => these.join(", "),
    }
}
