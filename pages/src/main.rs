//! Looks at every page below a folder. Usage: scumble-pages PAGES PICTURES
//!
//! The browser is the program named by `SCUMBLE_BROWSER`. Prints each page with what is wrong with it, and ends with
//! `N passed, M failed`.

use scumble_pages::{Browser, Fault, Looked, look};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

/// Faults of one page that are printed; a broken chart can have hundreds.
const MOST_FAULTS: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let said = match (&arguments[..], std::env::var_os("SCUMBLE_BROWSER")) {
        ([pages, pictures], Some(browser)) => look_at_all(Path::new(&browser), pages, pictures),
        ([_, _], None) => Err(Fault("SCUMBLE_BROWSER names no browser".into())),
        _ => Err(Fault("usage: scumble-pages PAGES PICTURES".into())),
    };
    match said {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(fault) => {
            say(&format!("error: {fault}"));
            ExitCode::from(2)
        }
    }
}

/// Returns how many pages are at fault.
fn look_at_all(browser: &Path, folder: &Path, pictures: &Path) -> Result<usize, Fault> {
    let mut pages = Vec::new();
    gather(folder, &mut pages)?;
    pages.sort();
    if pages.is_empty() {
        return Err(Fault(format!("there is no page in {}", folder.display())));
    }
    std::fs::create_dir_all(pictures)?;
    let n = pages.len();
    let waiting = Mutex::new(pages.into_iter());
    let failed = Mutex::new(0usize);
    let next = || waiting.lock().ok().and_then(|mut pages| pages.next());
    // A browser for each core, none of which waits for the others.
    let n_browsers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(4).min(n);
    std::thread::scope(|scope| {
        let work = || -> Result<(), Fault> {
            let mut browser = Browser::start(browser)?;
            while let Some(page) = next() {
                let name = name_of(folder, &page);
                let looked = look(&mut browser, &page, &name, pictures).unwrap_or_else(at_fault);
                if !looked.faults.is_empty() {
                    failed.lock().map(|mut n| *n += 1).unwrap_or_default();
                }
                say(&summary(&name, &looked));
            }
            Ok(())
        };
        let workers: Vec<_> = (0..n_browsers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|one| one.join().unwrap_or_else(|_| Err(Fault("a thread died".into()))))
    })?;
    let failed = failed.into_inner().unwrap_or(n);
    say(&format!("{} passed, {failed} failed", n - failed));
    Ok(failed)
}

fn at_fault(fault: Fault) -> Looked {
    Looked { faults: vec![fault.0], pictures: Vec::new() }
}

fn summary(name: &str, looked: &Looked) -> String {
    let mut out = format!("page {name} ... {}", if looked.faults.is_empty() { "ok" } else { "FAILED" });
    for fault in looked.faults.iter().take(MOST_FAULTS) {
        out.push_str(&format!("\n    {fault}"));
    }
    if looked.faults.len() > MOST_FAULTS {
        out.push_str(&format!("\n    and {} more", looked.faults.len() - MOST_FAULTS));
    }
    out
}

/// Every page below a folder.
fn gather(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), Fault> {
    for entry in std::fs::read_dir(folder).map_err(|error| Fault(format!("{}: {error}", folder.display())))? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "html") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The path below the folder as one word.
fn name_of(folder: &Path, page: &Path) -> String {
    let inside = page.strip_prefix(folder).unwrap_or(page).with_extension("");
    inside.to_string_lossy().replace(['/', '\\'], "-")
}

#[allow(clippy::print_stdout, reason = "this program is for a script that reads its output")]
fn say(words: &str) {
    println!("{words}");
}
