//! `scumble query`.

mod document;
mod prompt;

use crate::args::{DialectName, Query};
use crate::output::{Output, print_text};
use document::{csv, document, summary};
use scumble::{Error, Release, Result};
use scumble_query::{Confidence, Dialect, Session};
use std::io::{ErrorKind, IsTerminal, Read};

pub(crate) fn run(args: &Query, output: &Output) -> Result<bool> {
    if args.csv && output.is_json() {
        return Err(Error::request("csv", "", "--json prints a document").hint("use one of them"));
    }
    let confidence = args.confidence.map(Confidence::new).transpose()?;
    let typed = match &args.sql {
        Some(sql) => Some(vec![sql.clone()]),
        None if std::io::stdin().is_terminal() => None,
        None => Some(from_standard_input()?),
    };
    let session = Release::open(&args.release)?.session(&output.context)?;
    output.terminal.finish();
    let query = QueryContext { args, output, session, confidence };
    let Some(statements) = typed else { return prompt::run(&query) };
    if statements.len() > 1 && output.is_json() {
        return Err(Error::request("json", "", "one document is printed, and there are several statements")
            .hint("give one statement"));
    }
    for sql in &statements {
        query.answer(sql)?;
    }
    Ok(true)
}

/// A release and how its answers are to be given.
struct QueryContext<'a> {
    args: &'a Query,
    output: &'a Output,
    session: Session,
    confidence: Option<Confidence>,
}

impl QueryContext<'_> {
    /// Answers one statement, or explains it.
    fn answer(&self, sql: &str) -> Result<()> {
        if self.args.explain {
            return self.explain(sql);
        }
        let mut answered = self.session.ask_monitored(sql, self.confidence, self.output.context.monitor())?;
        for note in &answered.notes {
            self.output.context.monitor().warn(note);
        }
        if self.args.csv {
            return print_text(&csv(&answered, self.confidence));
        }
        // The statements are for scripts; a person asks for them with --explain.
        let rewritten = match self.output.is_json().then(|| self.session.rewrite(sql, self.dialect())) {
            Some(Ok(statements)) => statements,
            Some(Err(error)) => {
                answered.notes.push(format!("no statement gives these bounds elsewhere: {error}"));
                Vec::new()
            }
            None => Vec::new(),
        };
        self.output.result(&document(&answered, rewritten)?, || summary(&answered, self.confidence))
    }

    /// Prints the rewritten statements, and which table they ask where the release has several.
    fn explain(&self, sql: &str) -> Result<()> {
        let table = self.session.table(sql)?;
        let rewritten = self.session.rewrite(sql, self.dialect())?;
        let words = || {
            let named = table.as_ref().map_or(String::new(), |table| format!("-- from table {}\n", in_a_line(table)));
            named + &rewritten.iter().map(|statement| format!("{statement};\n")).collect::<Vec<_>>().join("\n")
        };
        let mut document = serde_json::json!({"sql": rewritten});
        if let Some(table) = &table {
            document["table"] = serde_json::json!(table);
        }
        self.output.result(&document, words)
    }

    fn dialect(&self) -> Dialect {
        match self.args.dialect {
            DialectName::Datafusion => Dialect::DataFusion,
            DialectName::Postgres => Dialect::Postgres,
            DialectName::Duckdb => Dialect::DuckDb,
            DialectName::Ansi => Dialect::Ansi,
        }
    }
}

/// A name that cannot end its comment.
fn in_a_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Statements from standard input, each ended by a semicolon.
fn from_standard_input() -> Result<Vec<String>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => Error::data("standard input", "this is not text in UTF-8"),
        _ => Error::io("read", "standard input", &error),
    })?;
    let (mut statements, rest) = split(&text);
    if !rest.trim().is_empty() {
        statements.push(rest);
    }
    if statements.is_empty() {
        return Err(
            Error::request("SQL", "", "there is no statement on standard input").hint("one SELECT over `release`")
        );
    }
    Ok(statements)
}

/// Whole statements, each without its semicolon, and what follows the last of them. A semicolon inside quotes ends
/// nothing.
fn split(text: &str) -> (Vec<String>, String) {
    let (mut statements, mut rest, mut quote) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        match (c, quote) {
            (';', None) => {
                statements.push(std::mem::take(&mut rest));
                continue;
            }
            ('\'' | '"', None) => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            _ => {}
        }
        rest.push(c);
    }
    statements.retain(|statement| !statement.trim().is_empty());
    (statements, rest)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn semicolons_end_statements_unless_they_are_quoted() {
        let (whole, rest) = split("SELECT 'a;b'; SELECT \"c;\nd\" ;;\n SELECT 3");
        assert_eq!(whole, ["SELECT 'a;b'", " SELECT \"c;\nd\" "]);
        assert_eq!(rest, "\n SELECT 3");
    }
}
