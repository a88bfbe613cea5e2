//! `scumble generate`.

use crate::args::{Generate, SampleName};
use crate::output::{Output, counted};
use crate::whole_file::{check_folder, write_whole};
use scumble::{Error, Monitor, Progress, Result, Sample, Stage};
use serde_json::json;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(crate) fn run(args: &Generate, output: &Output) -> Result<bool> {
    let sample = match args.sample {
        SampleName::Census => Sample::Census,
        SampleName::Occupation => Sample::Occupation,
        SampleName::Health => Sample::Health,
        SampleName::Salaries => Sample::Salaries,
        SampleName::Visits => Sample::Visits,
    };
    output.terminal.begin(Stage::Write, Some(args.rows));
    let monitor = output.context.monitor();
    let mut done = 0;
    let mut progress = |rows: u64| {
        output.terminal.advance(rows - done);
        done = rows;
    };
    if args.out == Path::new("-") {
        if output.is_json() {
            return Err(Error::request(
                "out",
                "-",
                "the table and the document of --json cannot both go to standard output",
            )
            .hint("name a file"));
        }
        let mut out = UntilCancelled(BufWriter::new(io::stdout().lock()), monitor);
        let written = scumble::generate(sample, args.rows, args.seed, &mut out, &mut progress);
        output.terminal.finish();
        monitor.check()?;
        return match written {
            // A reader that has seen enough may hang up.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(true),
            other => other.map(|()| true).map_err(|e| Error::io("write", "standard output", &e)),
        };
    }
    let shown = args.out.display();
    check_folder("out", &args.out)?;
    match fs::metadata(&args.out) {
        Ok(found) if found.is_dir() => {
            return Err(Error::request("out", shown.to_string(), "it is a directory").hint("name a file"));
        }
        // An empty file holds nothing that could be lost.
        Ok(found) if found.is_file() && found.len() > 0 && !args.replace => {
            return Err(Error::request("out", shown.to_string(), "it exists already")
                .hint("name another file, or use «replace»"));
        }
        _ => {}
    }
    let written = write_whole(&args.out, |out| {
        scumble::generate(sample, args.rows, args.seed, &mut UntilCancelled(out, monitor), &mut progress)
    });
    output.terminal.finish();
    monitor.check()?;
    written.map_err(|e| Error::io("write", shown, &e))?;
    let document = json!({"sample": sample.name(), "rows": args.rows, "seed": args.seed, "file": args.out, "columns": sample.columns()});
    output.result(&document, || {
        format!("{} of {} in {}\n", counted(args.rows, "row", "rows"), sample.name(), args.out.display())
    })?;
    Ok(true)
}

/// Writes until the work is cancelled, and fails then.
struct UntilCancelled<'m, W>(W, Monitor<'m>);

impl<W: Write> Write for UntilCancelled<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.1.check() {
            Ok(()) => self.0.write(bytes),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
