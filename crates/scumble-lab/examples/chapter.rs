//! Makes a chapter of the manual from the documents of full runs.
//!
//!     cargo run -p scumble-lab --example chapter -- --out docs/manual/src/results paper1.json paper2.json
//!
//! For each paper a page `paperN.md` and its pictures in the folder `paperN`, and a page `results.md` that tells how many
//! claims stand. Next to each document a file such as `paper1.commit` names the commit that it was made from.
#![allow(clippy::print_stdout, reason = "a program says what it wrote")]

use scumble_lab::{Claim, DataFacts, Figure, Standing};
use serde::Deserialize;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `scumble-lab` wrote.
#[derive(Deserialize)]
struct Document {
    paper: String,
    reference: String,
    quick: bool,
    seed: u64,
    from_file: bool,
    data: Vec<DataFacts>,
    #[serde(rename = "exhibits")]
    figures: Vec<Figure>,
    claims: Vec<Claim>,
    left_out: Vec<String>,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut documents) = (None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = arguments.next().map(PathBuf::from),
            _ => documents.push(PathBuf::from(argument)),
        }
    }
    let (Some(out), false) = (out, documents.is_empty()) else {
        return Err("usage: chapter --out DIR paper1.json ...".into());
    };
    let mut all = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).map_err(|e| format!("cannot read {}: {e}", document.display()))?;
        let found: Document = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", document.display()))?;
        if found.quick {
            return Err(format!("{} is of a quick run", document.display()).into());
        }
        let commit_file = document.with_extension("commit");
        let commit =
            fs::read_to_string(&commit_file).map_err(|e| format!("cannot read {}: {e}", commit_file.display()))?;
        all.push((found, commit.trim().to_string()));
    }
    for (found, commit) in &all {
        write_paper(found, commit, &out)?;
    }
    let index = out.join("results.md");
    fs::write(&index, summary(&all))?;
    println!("{} papers in {}", all.len(), index.display());
    Ok(())
}

/// A page and its pictures.
fn write_paper(found: &Document, commit: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let pictures = out.join(&found.paper);
    fs::create_dir_all(&pictures)?;
    let data = match found.data.first() {
        Some(first) if found.from_file => format!(" --data {}", first.name),
        _ => String::new(),
    };
    let mut page = format!("# {}, done again\n\n{}\n\n", found.paper, plain(&found.reference));
    page.push_str(&format!(
        "Made by `scumble reproduce {}{} --seed {}` of commit `{commit}`, in {:.0} s. Figures are those of the tables below and \
         of no other; a claim is held or not by the test that stands beside it. The seed repeats the figures. The releases behind them \
         were thrown away: of real people a seed [gives too much away](../guides/reproduce-a-release.md#what-a-seed-gives-away).\n\n",
        found.paper, data, found.seed, found.seconds
    ));
    page.push_str("## Data\n\n");
    let data = found.data.iter().map(|one| {
        let own = if one.is_papers_own { "yes" } else { "no" };
        let cells = [&one.name, &one.rows.to_string(), &one.columns.join(", "), &one.stands_for, own];
        cells.map(String::from).to_vec()
    });
    page.push_str(&table(&["table", "rows", "columns", "stands for", "the paper's own"].map(String::from), data));
    page.push_str("\n## What the paper claims\n\n");
    let claims = found.claims.iter().map(|one| {
        let standing = format!("**{}**", one.standing.name());
        vec![standing, plain(&one.place), plain(&one.says), plain(&one.found), plain(&one.test)]
    });
    page.push_str(&table(&["standing", "where", "the paper says", "found here", "tested"].map(String::from), claims));
    page.push_str("\n## Figures and tables\n");
    let mut names: Vec<String> = Vec::new();
    for figure in &found.figures {
        page.push_str(&format!("\n### {}: {}\n\n{}\n\n", figure.number, plain(&figure.title), plain(&figure.setting)));
        let (heading, rows) = figure.cells();
        let cells = table(&heading, rows.into_iter());
        match figure.chart() {
            Some(chart) => {
                // Several figures may have one number; the second of them is called -2.
                let name = file_name(&figure.number);
                let nth = names.iter().filter(|one| **one == name).count() + 1;
                names.push(name.clone());
                let name = if nth == 1 { format!("{name}.svg") } else { format!("{name}-{nth}.svg") };
                // A picture that is there already is another figure's: the folder was made anew.
                let mut file = fs::File::create_new(pictures.join(&name))?;
                file.write_all(chart.picture().as_bytes())?;
                page.push_str(&format!("![{}]({}/{name})\n\n", plain(chart.description()), found.paper));
                page.push_str(&format!("<details><summary>figures</summary>\n\n{cells}\n</details>\n"));
            }
            None => page.push_str(&cells),
        }
    }
    if !found.left_out.is_empty() {
        page.push_str("\n## What is not here\n\n");
        found.left_out.iter().for_each(|one| page.push_str(&format!("- {}\n", plain(one))));
    }
    fs::write(out.join(format!("{}.md", found.paper)), page)?;
    Ok(())
}

/// How many claims stand, paper by paper.
fn summary(all: &[(Document, String)]) -> String {
    let rows = all.iter().map(|(found, _)| {
        let count = |standing| found.claims.iter().filter(|one| one.standing == standing).count().to_string();
        let name = format!("[{}]({}.md)", found.paper, found.paper);
        let data: Vec<String> =
            found.data.iter().map(|one| format!("{} ({} rows)", plain(&one.name), one.rows)).collect();
        let standings = [Standing::Held, Standing::NotHeld, Standing::NotComparable].map(count);
        [vec![name, plain(&found.reference), data.join(", ")], standings.to_vec()].concat()
    });
    let heading = ["", "paper", "data", "held", "not held", "not comparable"].map(String::from);
    format!(
        "# The papers, done again\n\nWhat `scumble reproduce` found on real tables: how many claims of each paper's \
         evaluation section are held by our numbers, are not, or are about the figures of a table that we do not have.\n\n{}",
        table(&heading, rows)
    )
}

fn table(heading: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = vec!["---".to_string(); heading.len()];
    let mut text = line(heading) + &line(&rule);
    rows.for_each(|row| text.push_str(&line(&row)));
    text
}

/// Text that Markdown takes as it is.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '<' | '[' | ']') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

fn file_name(number: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = number.chars().map(word).collect();
    name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}
