//! Standard output for results, standard error for everything else.
#![allow(clippy::print_stderr, reason = "this file is where the program speaks")]

use crate::flag_names::{flag_of, message};
use crate::progress::Terminal;
pub(crate) use scumble::figures::{counted, grouped};
use scumble::{Cancellation, Context, Error, Progress, Result, replace_field_names};
use scumble_platform::LIMITATIONS;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

/// The variable that may hold the passphrase of ledgers.
const PASSPHRASE: &str = "SCUMBLE_LEDGER_PASSPHRASE";

/// The variable that may name the file with the key of ledgers that have no passphrase.
const KEY: &str = "SCUMBLE_LEDGER_KEY";

/// Where that key is if the variable does not say: in the user's folder for settings, as far as the system names one.
fn ledger_key() -> Option<PathBuf> {
    let folder = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let named = std::env::var_os(KEY).filter(|file| !file.is_empty()).map(PathBuf::from);
    named.or_else(|| {
        let settings = folder("XDG_CONFIG_HOME")
            .or_else(|| folder("HOME").map(|home| home.join(".config")))
            .or_else(|| folder("APPDATA"));
        settings.map(|settings| settings.join("scumble/ledger.key"))
    })
}

/// How the program was asked to speak.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    /// Progress and warnings.
    pub(crate) terminal: Arc<Terminal>,
    /// What goes with every call of the library.
    pub(crate) context: Context,
}

impl Output {
    pub(crate) fn new(json: bool, quiet: bool, cancellation: Cancellation) -> Self {
        let terminal = Arc::new(Terminal::new(quiet));
        let mut context = Context::new().with_progress(terminal.clone()).with_cancellation(cancellation);
        if let Ok(passphrase) = std::env::var(PASSPHRASE) {
            context = context.with_ledger_passphrase(&passphrase);
        }
        if let Some(file) = ledger_key() {
            context = context.with_ledger_key(file);
        }
        Output { json, quiet, terminal, context }
    }

    /// True if a document is wanted.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// The result: the document with `--json`, else words.
    pub(crate) fn result(&self, document: &impl Serialize, words: impl FnOnce() -> String) -> Result<()> {
        self.terminal.finish();
        let text = if self.json {
            with_warnings(document, &self.terminal.warnings()).map_err(|error| Error::bug(error.to_string()))? + "\n"
        } else if self.quiet {
            return Ok(());
        } else {
            words()
        };
        print_text(&text)
    }

    /// Warns of what this build promises less than others, where it matters.
    pub(crate) fn weaker(&self, sentence: Option<&str>) {
        sentence.into_iter().for_each(|sentence| self.terminal.warn(sentence));
    }

    /// An error: words on standard error, and with `--json` the document that scripts wait for.
    pub(crate) fn error(&self, error: &Error) {
        self.terminal.finish();
        eprintln!("error: {}", message(error));
        if self.json {
            let mut said = json!({"kind": error.kind(), "message": message(error)});
            match error {
                Error::NotFound { report, .. } if !report.is_empty() => {
                    said["report"] = report.iter().map(|(name, text)| (name.clone(), figure(text))).collect();
                }
                Error::Infeasible { requirement, nearest, .. } => {
                    said["requirement"] = replace_field_names(requirement, flag_of).into();
                    if !nearest.is_empty() {
                        said["nearest"] = nearest.as_slice().into();
                    }
                }
                _ => {}
            }
            let mut document = json!({"error": said});
            let warnings = self.terminal.warnings();
            if !warnings.is_empty() {
                document["warnings"] = warnings.into();
            }
            let _ = print_text(&format!("{document}\n"));
        }
    }
}

/// The text of a document with what was warned of, where anything was. Lists have no place for it, and the commands that print
/// them warn of nothing.
fn with_warnings(document: &impl Serialize, warnings: &[String]) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(document)?;
    if warnings.is_empty() {
        return Ok(text);
    }
    let Value::Object(mut fields) = serde_json::from_str(&text)? else { return Ok(text) };
    if let Some(own) = fields.get_mut("warnings").and_then(Value::as_array_mut) {
        // The document of `verify` has warnings of its own.
        let new: Vec<Value> = warnings.iter().map(|warning| json!(warning)).filter(|one| !own.contains(one)).collect();
        own.extend(new);
        return serde_json::to_string_pretty(&fields);
    }
    // What was written stays as it is: a number may have more digits than would survive being read again.
    let list = serde_json::to_string_pretty(warnings)?.replace('\n', "\n  ");
    Ok(match text.strip_suffix("\n}") {
        Some(body) => format!("{body},\n  \"warnings\": {list}\n}}"),
        None => format!("{{\n  \"warnings\": {list}\n}}"),
    })
}

/// What the parser of the command line says of words that it does not take, and of those that ask for help or for the version. With
/// `--json` among them, a refusal is also the document that scripts wait for.
pub(crate) fn refused_words(refusal: &clap::Error) -> ExitCode {
    let _ = refusal.print();
    let is_json = std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json");
    if refusal.use_stderr() && is_json {
        let text = refusal.render().to_string();
        let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ").trim();
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = print_text(&format!("{}\n", json!({"error": {"kind": "request", "message": message}})));
    }
    ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(2))
}

/// The version, and what this build promises less than others.
pub(crate) fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let lines = LIMITATIONS.sentences().map(|sentence| format!("\n- {sentence}"));
        std::iter::once(env!("CARGO_PKG_VERSION").to_string()).chain(lines).collect()
    });
    &TEXT
}

/// A figure as a number where it is one.
fn figure(text: &str) -> Value {
    text.parse::<serde_json::Number>().map_or_else(|_| text.into(), Value::Number)
}

/// Writes to standard output. A reader that has seen enough may hang up; any other failure counts.
pub(crate) fn print_text(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::io("write", "standard output", &e)),
        _ => Ok(()),
    }
}

/// A table of words with aligned columns; the first row is the heading. Columns listed in `right`
/// hold figures.
pub(crate) fn aligned(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (c, cell) in row.iter().enumerate() {
            let w = widths[c];
            line.push(' ');
            if right.contains(&c) {
                line.push_str(&format!("{cell:>w$} "));
            } else {
                line.push_str(&format!("{cell:w$} "));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The sizes of groups: `8` where all have the same, else `8 to 12`.
pub(crate) fn range(least: u64, most: u64) -> String {
    if least == most { grouped(least) } else { format!("{} to {}", grouped(least), grouped(most)) }
}

/// A share in words; only none is 0.0 % and only all are 100.0 %.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    match format!("{share:.1}").as_str() {
        "0.0" if part > 0 => "less than 0.1 %".into(),
        "100.0" if part < whole => "more than 99.9 %".into(),
        text => format!("{text} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_number_of_things_and_equal_sizes_are_no_range() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "row", "rows")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!([range(8, 8), range(8, 1200)], ["8", "8 to 1,200"]);
    }

    #[test]
    fn figures_line_up() {
        let rows = vec![vec!["name".into(), "n".into()], vec!["a".into(), "1,000".into()]];
        assert_eq!(aligned(&rows, &[1]), "  name      n\n  a     1,000\n");
        assert_eq!([grouped(0), grouped(999), grouped(1_234_567)], ["0", "999", "1,234,567"]);
    }

    #[test]
    fn warnings_are_in_documents_without_loss_of_digits() {
        let number = serde_json::value::RawValue::from_string("0.30000000000000000004".into()).unwrap();
        let warned = |document: &dyn Fn() -> serde_json::Result<String>| document().unwrap();
        let one = ["a \"word\"".to_string()];
        let document = std::collections::BTreeMap::from([("n", &number)]);
        let text = warned(&|| with_warnings(&document, &one));
        assert_eq!(text, "{\n  \"n\": 0.30000000000000000004,\n  \"warnings\": [\n    \"a \\\"word\\\"\"\n  ]\n}");
        assert_eq!(warned(&|| with_warnings(&document, &[])), "{\n  \"n\": 0.30000000000000000004\n}");
        let own = json!({"warnings": ["first", "a \"word\""], "ok": true});
        let text = warned(&|| with_warnings(&own, &["second".into(), one[0].clone()]));
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, json!({"warnings": ["first", "a \"word\"", "second"], "ok": true}));
        assert_eq!(warned(&|| with_warnings(&json!([1]), &one)), "[\n  1\n]");
        assert!(
            serde_json::from_str::<Value>(&warned(&|| with_warnings(&json!({}), &one))).unwrap()["warnings"].is_array()
        );
    }

    #[test]
    fn shares_are_never_rounded_to_none_or_all() {
        let shares =
            [(0, 0), (0, 5), (1, 3000), (1, 3), (2999, 3000), (3, 3)].map(|(part, whole)| percent(part, whole));
        assert_eq!(shares, ["0.0 %", "0.0 %", "less than 0.1 %", "33.3 %", "more than 99.9 %", "100.0 %"]);
    }
}
