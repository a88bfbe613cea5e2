//! A page from all sides.

use crate::browser::{Browser, Fault};
use crate::tab::Tab;
use crate::view::View;
use std::path::{Path, PathBuf};

/// The complaints of a careful reader, as a function of a script.
const CHECKS: &str = include_str!("checks.js");

/// Clicks every heading that sorts, twice each, and complains of rows that are then out of order.
const SORTING: &str = include_str!("sorting.js");

/// What there is to see of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// What is wrong with it, each with the view in which it shows; empty for a sound page.
    pub faults: Vec<String>,
    /// The pictures that were kept.
    pub pictures: Vec<PathBuf>,
}

/// Looks at a page in every view. Pictures go into a folder that exists, `NAME-VIEW.png` and `NAME.pdf`.
///
/// # Errors
/// Where the page is not there, the browser fails or a picture cannot be written.
pub fn look(browser: &mut Browser, page: &Path, name: &str, folder: &Path) -> Result<Looked, Fault> {
    let mut tab = browser.tab()?;
    let mut found = Complaints::default();
    let mut pictures = Vec::new();
    // In the first view already when it is opened, so that everything is heard and seen from the start.
    tab.show(View::ALL[0])?;
    tab.go(page)?;
    found.add("", tab.complaints());
    for view in View::ALL {
        tab.show(view)?;
        let picture = folder.join(format!("{name}-{}.png", view.name()));
        std::fs::write(&picture, tab.picture()?)?;
        pictures.push(picture);
        let print = view == View::Print;
        if !print {
            unfold(&mut tab, true)?;
        }
        found.add(view.name(), complaint_list(&tab.run(&format!("({CHECKS})({print}, {})", view.width()))?)?);
        if !print {
            unfold(&mut tab, false)?;
        }
        found.add(view.name(), tab.complaints());
    }
    let paper = folder.join(format!("{name}.pdf"));
    std::fs::write(&paper, tab.paper()?)?;
    pictures.push(paper);
    tab.show(View::Light)?;
    found.add("", complaint_list(&tab.run(&format!("({SORTING})()"))?)?);
    found.add("", tab.complaints());
    Ok(Looked { faults: found.texts(), pictures })
}

/// Faults in the order in which they were found, with the views that show them.
#[derive(Default)]
struct Complaints(Vec<(String, Vec<&'static str>)>);

impl Complaints {
    fn add(&mut self, view: &'static str, faults: Vec<String>) {
        for fault in faults {
            match self.0.iter_mut().find(|one| one.0 == fault) {
                Some((_, views)) if views.contains(&view) => {}
                Some((_, views)) => views.push(view),
                None => self.0.push((fault, vec![view])),
            }
        }
    }

    fn texts(self) -> Vec<String> {
        let tell = |(fault, views): (String, Vec<&str>)| match views.join(", ") {
            none if none.is_empty() => fault,
            views => format!("{views}: {fault}"),
        };
        self.0.into_iter().map(tell).collect()
    }
}

/// What a script of ours complains of.
fn complaint_list(value: &serde_json::Value) -> Result<Vec<String>, Fault> {
    let list = value.as_array().ok_or_else(|| Fault("our own script: it says nothing".into()))?;
    Ok(list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
}

/// Tables of figures are folded away below their charts, and must be as readable as the rest.
fn unfold(tab: &mut Tab<'_>, open: bool) -> Result<(), Fault> {
    tab.run(&format!("document.querySelectorAll('details').forEach(one => one.open = {open})")).map(drop)
}
