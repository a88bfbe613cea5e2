//! The prompt of `scumble query`.

use super::{QueryContext, split};
use crate::output::{aligned, print_text};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use scumble::{Error, Result};
use std::path::PathBuf;

const HELP: &str = "\
End a statement with a semicolon. Beside SQL there are
  \\d          the columns of the release
  \\e SELECT   the rewritten statement instead of its answer
  \\?          this help
  \\q          the end
";

/// Reads statements until the reader has had enough. A question that cannot be answered is told and forgotten.
pub(super) fn run(query: &QueryContext<'_>) -> Result<bool> {
    let failed = |error: ReadlineError| Error::Io {
        doing: "read from".into(),
        path: "the terminal".into(),
        reason: error.to_string(),
    };
    let mut editor = DefaultEditor::new().map_err(failed)?;
    let history = history_file();
    if let Some(file) = &history {
        // A first run has no history, and one that cannot be read is no reason to stop.
        let _ = editor.load_history(file);
    }
    print_text("Ask with SQL over the table `release`; \\? for help, \\q to leave.\n")?;
    let mut statement = String::new();
    loop {
        let line = match editor.readline(if statement.is_empty() { "scumble> " } else { "    ...> " }) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                statement.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        };
        if line.trim_start().starts_with('\\') {
            statement.clear();
            let _ = editor.add_history_entry(line.trim());
            if !command(query, line.trim())? {
                break;
            }
            continue;
        }
        statement.push_str(&line);
        statement.push('\n');
        let (whole, rest) = split(&statement);
        for sql in whole {
            let _ = editor.add_history_entry(format!("{};", sql.trim().replace('\n', " ")));
            print_result(query, query.answer(&sql));
        }
        statement = if rest.trim().is_empty() { String::new() } else { rest };
    }
    if let Some(file) = &history {
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = editor.save_history(file);
    }
    Ok(true)
}

/// Runs a command of the prompt; false at the end.
fn command(query: &QueryContext<'_>, line: &str) -> Result<bool> {
    match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
        ("\\q", _) => return Ok(false),
        ("\\d", _) => print_text(&columns(query))?,
        ("\\e", sql) => print_result(query, query.explain(sql.trim())),
        _ => print_text(HELP)?,
    }
    Ok(true)
}

fn print_result(query: &QueryContext<'_>, result: Result<()>) {
    if let Err(error) = result {
        query.output.error(&error);
    }
}

fn columns(query: &QueryContext<'_>) -> String {
    let mut rows = vec![["column", "role", "type"].map(String::from).to_vec()];
    for column in query.session.release().columns() {
        rows.push(vec![column.name().into(), column.role().to_string(), column.kind().to_string()]);
    }
    aligned(&rows, &[])
}

/// Where questions of earlier sessions are kept.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = state.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state")))?;
    Some(state.join("scumble").join("history"))
}
