//! A commented job file to start from.

use super::{Inspection, Proposal};
use std::fmt::Write;
use std::path::Path;

/// The text of a job file that `publish --job` accepts as it is. `data` is the path to write into
/// it; `out` the release directory.
pub fn job_text(inspection: &Inspection, data: &Path, out: &str, delimiter: Option<u8>, nulls: &[String]) -> String {
    let mut text = String::new();
    let mut line = |s: &str| {
        let _ = writeln!(text, "{s}");
    };
    line("# A job for `scumble publish «job»`. Check every role: what is proposed here is a guess from");
    line("# names and counts. This file names your data, so keep it to yourself.");
    line("");
    line("[input]");
    line(&format!("path = {}", quoted(&data.display().to_string())));
    match delimiter {
        Some(byte) => line(&format!("delimiter = {}", quoted(&char::from(byte).to_string()))),
        None => line("# delimiter = \";\"      # found in the header by default"),
    }
    if nulls.is_empty() {
        line("# null = [\"?\"]          # texts that mean a missing value, beside the empty cell");
    } else {
        line(&format!("null = [{}]", nulls.iter().map(|n| quoted(n)).collect::<Vec<_>>().join(", ")));
    }
    line("");
    line("# Roles: identifying and drop (never published), quasi (generalized), sensitive (protected),");
    line("# kept (published as it is). With more to say: age = { role = \"quasi\", type = \"number\",");
    line("# hierarchy = \"age.csv\" }; types are number, date, ordinal and nominal.");
    line("[columns]");
    let width = inspection.columns.iter().map(|c| key(&c.name).chars().count()).max().unwrap_or(0);
    for column in &inspection.columns {
        let role = format!("\"{}\"", column.proposal.name());
        let nulls = if column.nulls > 0 { format!(", {} missing", column.nulls) } else { String::new() };
        line(&format!(
            "{:width$} = {role:13} # {}, {} distinct{nulls}: {}",
            key(&column.name),
            column.kind,
            column.distinct,
            column.because
        ));
    }
    line("");
    line("[publish]");
    let k = inspection.rows.clamp(1, 5);
    let sensitive = inspection.columns.iter().any(|c| c.proposal == Proposal::Sensitive);
    line("# `scumble principles` lists all that can be required; all of them must hold together.");
    line(&format!("require = [\"k-anonymity({k})\"]"));
    if sensitive {
        line("# require = [\"k-anonymity(5)\", \"frequency-l-diversity(3)\", \"t-closeness(0.2, ordered)\"]");
    } else {
        line("# No sensitive column was recognised; with one, values can be protected too, for example");
        line("# require = [\"k-anonymity(5)\", \"distinct-l-diversity(3)\"]");
    }
    line("method = \"generalize\"");
    line("# algorithm = \"mondrian\"      # or mondrian-relaxed, proximity, paper");
    line("# max_suppressed = 0.02        # greatest share of outlying rows that may be left out");
    line("# profile = \"standard\"         # or hardened, max-utility");
    line("# boxes = \"minimal\"            # or rounded, cells: what boxes tell about their ends");
    line("");
    line("[output]");
    line(&format!("dir = {}", quoted(out)));
    line("format = \"csv\"                # or parquet");
    text
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A TOML key: bare where it may be.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.into() } else { quoted(name) }
}
