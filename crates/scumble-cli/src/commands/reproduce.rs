//! `scumble reproduce`.

use crate::args::Reproduce;
use crate::commands::reading;
use crate::output::{Output, aligned, thousands};
use crate::whole_file::{check_new, write_whole};
use scumble::{Error, Result};
use scumble_study::compare::write_private;
use scumble_study::reproduce::{Claim, Paper, ReproduceRequest, Reproduction, reproduce, reproduction_page};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Reproduce, output: &Output) -> Result<bool> {
    let mut papers: Vec<Paper> = args.papers.iter().map(|name| name.parse()).collect::<Result<_>>()?;
    papers.sort();
    papers.dedup();
    if papers.len() > 1
        && let Some((flag, names)) = [("--quasi", &args.quasi), ("--sensitive", &args.sensitive)]
            .into_iter()
            .find(|(_, names)| !names.is_empty())
    {
        return Err(Error::request(flag, names.join(","), "each paper takes columns of its own")
            .hint("name one paper at a time, or leave the columns to their names"));
    }
    let data = args.data.as_deref().map(|path| reading::input(path, &args.reading)).transpose()?;
    let nowhere = PathBuf::new();
    for paper in &papers {
        for file in files(&args.out, *paper) {
            check_new("out", &file, args.data.as_deref().unwrap_or(&nowhere), true)?;
        }
    }
    if args.out.exists() && !args.out.is_dir() {
        return Err(Error::request("out", args.out.display().to_string(), "it is a file").hint("name a directory"));
    }
    std::fs::create_dir_all(&args.out).map_err(|e| Error::io("make", args.out.display(), &e))?;
    let mut done = Vec::new();
    for paper in papers {
        let request = ReproduceRequest {
            paper,
            data: data.clone(),
            quasi: args.quasi.clone(),
            sensitive: args.sensitive.clone(),
            quick: args.quick,
            seed: args.seed,
        };
        let found = reproduce(&request, &output.terminal)?;
        let [page, document] = files(&args.out, paper);
        let json = serde_json::to_string_pretty(&found).map_err(|e| Error::bug(e.to_string()))? + "\n";
        for (file, text) in [(page, reproduction_page(&found)), (document, json)] {
            // Figures of people who are not made up are for their owner's eyes.
            if found.from_file {
                output.weaker(scumble_platform::WEAKER.private);
                write_private(&file, &text)?;
            } else {
                write_whole(&file, |out| out.write_all(text.as_bytes()))
                    .map_err(|e| Error::io("write", file.display(), &e))?;
            }
        }
        done.push(found);
    }
    let document = serde_json::json!({ "papers": done });
    output.result(&document, || done.iter().map(|found| words(found, &args.out)).collect::<Vec<_>>().join("\n"))?;
    Ok(true)
}

/// The page and the document of a paper.
fn files(out: &Path, paper: Paper) -> [PathBuf; 2] {
    ["html", "json"].map(|ending| out.join(format!("{}.{ending}", paper.name())))
}

fn words(found: &Reproduction, out: &Path) -> String {
    let mut text = format!("{}: {}\n\n", found.paper.name(), found.reference);
    for one in &found.data {
        text.push_str(&format!("  {}: {} rows, for {}\n", one.name, thousands(one.rows), one.stands_for));
    }
    let mut rows = vec![["standing", "where", "the paper says", "found here"].map(String::from).to_vec()];
    for Claim { place, says, found, standing, .. } in &found.claims {
        rows.push(vec![standing.name().into(), place.clone(), says.clone(), found.clone()]);
    }
    let page = &files(out, found.paper)[0];
    text.push_str(&format!(
        "\n{}\n{} figures and tables are in {} ({:.0} s)\n",
        aligned(&rows, &[]),
        found.exhibits.len(),
        page.display(),
        found.seconds
    ));
    text
}
