//! `scumble compare`.

mod request;
mod shown;

use crate::args::{Cli, Command, Compare};
use crate::commands::publish;
use crate::output::Output;
use clap::Parser;
use scumble::{Error, PublishRequest, Result};
use scumble_platform::WEAKER;
use scumble_study::compare::{Compared, Status, compare, work};
use std::io::{BufReader, Write};

pub(crate) fn run(args: &Compare, output: &Output) -> Result<bool> {
    if args.worker {
        let mut out = Vec::new();
        work(BufReader::new(std::io::stdin()), &interpret, &mut out)?;
        let mut stdout = std::io::stdout().lock();
        stdout
            .write_all(&out)
            .and_then(|()| stdout.flush())
            .map_err(|error| Error::io("write", "standard output", &error))?;
        return Ok(true);
    }
    let request = request::request(args)?;
    output.weaker(WEAKER.private);
    output.weaker(WEAKER.memory);
    let watch = shown::Runs::new(output);
    let comparison = compare(&request, &interpret, &watch, &output.terminal);
    watch.finish();
    let comparison = comparison?;
    output.result(&comparison, || shown::words(&comparison, &request.out))?;
    let refused = |run: &&Compared| run.outcome.status == Status::Refused;
    if let Some(first) = comparison.runs.first()
        && comparison.runs.iter().all(|run| refused(&run))
    {
        let reason = first.outcome.reason.clone().unwrap_or_default();
        return Err(Error::request("run", "", format!("every one is refused, the first because {reason}")));
    }
    // What cannot be published is a result like any other, unless nothing can; a run that broke off is not.
    let failed = comparison.runs.iter().filter(|run| run.outcome.status == Status::Failed);
    match failed.clone().next() {
        None => Ok(comparison.runs.iter().any(|run| run.outcome.status == Status::Done)),
        Some(first) => Err(Error::Io {
            doing: "finish".into(),
            path: format!("{} of {} runs", failed.count(), comparison.runs.len()),
            reason: format!("run {}: {}", first.number, first.outcome.reason.as_deref().unwrap_or_default()),
        }),
    }
}

/// Reads the words of a `publish` command as this program does when they are typed.
fn interpret(words: &[String]) -> Result<PublishRequest> {
    let all = ["scumble", "publish"].into_iter().chain(words.iter().map(String::as_str));
    let parsed = Cli::try_parse_from(all).map_err(|error| {
        let said = error.to_string();
        let said = said.lines().next().unwrap_or("").trim_start_matches("error: ");
        Error::request("run", "", said)
    })?;
    match &parsed.command {
        Command::Publish(args) => publish::request(args),
        _ => Err(Error::bug("a run is no publish command")),
    }
}
