//! `scumble export`.

use crate::args::Export;
use crate::output::{Output, aligned, grouped};
use scumble::{Release, Result};
use scumble_query::{Destination, ExportOptions, ExportSummary, export};
use serde_json::json;

pub(crate) fn run(args: &Export, output: &Output) -> Result<bool> {
    let to = Destination::parse(&args.to)?;
    if let Some(warning) = to.warning() {
        output.context.monitor().warn(&warning);
    }
    let options = ExportOptions { schema: args.schema.clone(), replace: args.replace };
    let exported = export(Release::open(&args.release)?.reader(), &to, &options, output.context.monitor())?;
    let tables: Vec<_> = exported.tables.iter().map(|table| json!({"name": table.name, "rows": table.rows})).collect();
    let document = json!({
        "to": exported.place,
        "schema": exported.schema,
        "tables": tables,
        "functions": exported.functions,
        "already": exported.already,
    });
    output.result(&document, || summary(&exported))?;
    Ok(true)
}

fn summary(exported: &ExportSummary) -> String {
    let place = match &exported.schema {
        Some(schema) => format!("schema `{schema}` of {}", exported.place),
        None => format!("`{}`", exported.place),
    };
    if exported.already {
        return format!("already there: {place} holds this release, and its tables agree\n");
    }
    let mut rows = vec![vec!["table".to_string(), "rows".to_string()]];
    rows.extend(exported.tables.iter().map(|table| vec![table.name.clone(), grouped(table.rows)]));
    let mut text = format!("exported to {place}\n\n{}", aligned(&rows, &[1]));
    match (&exported.schema, exported.functions.as_slice()) {
        (None, _) => text.push_str("\nrelease.sql creates them, loads them and says how each database runs it\n"),
        (Some(_), []) => text.push_str("\nlook at the view `people`\n"),
        (Some(_), functions) => {
            text.push_str(&format!(
                "\nask the view `people` and the functions {}\n",
                scumble::quoted_list(functions, 8)
            ));
        }
    }
    text
}
