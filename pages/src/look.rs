//! A page from all sides.

use crate::browser::{Browser, Fault};
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
pub fn look(browser: &mut Browser, page: &Path, name: &str, pictures: &Path) -> Result<Looked, Fault> {
    let mut tab = browser.tab()?;
    let mut looked = Looked::default();
    // In the first view already when it is opened, so that everything is heard and seen from the start.
    tab.show(View::ALL[0])?;
    tab.go(page)?;
    looked.faults.extend(tab.complaints());
    for view in View::ALL {
        tab.show(view)?;
        let picture = pictures.join(format!("{name}-{}.png", view.name()));
        std::fs::write(&picture, tab.picture()?)?;
        looked.pictures.push(picture);
        let print = view == View::Print;
        if !print {
            unfold(&mut tab, true)?;
        }
        let said = tab.run(&format!("({CHECKS})({print}, {})", view.width()))?;
        if !print {
            unfold(&mut tab, false)?;
        }
        let said = said.as_array().ok_or_else(|| Fault("our own script: it says nothing".into()))?;
        let said = said.iter().filter_map(|one| one.as_str());
        let complaints = tab.complaints();
        let said = said.map(str::to_owned).chain(complaints);
        looked.faults.extend(said.map(|one| format!("{}: {one}", view.name())));
    }
    let paper = pictures.join(format!("{name}.pdf"));
    std::fs::write(&paper, tab.paper()?)?;
    looked.pictures.push(paper);
    tab.show(View::Light)?;
    let said = tab.run(&format!("({SORTING})()"))?;
    let said = said.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned));
    looked.faults.extend(said);
    looked.faults.extend(tab.complaints());
    let mut seen = std::collections::BTreeSet::new();
    looked.faults.retain(|fault| seen.insert(fault.clone()));
    Ok(looked)
}

/// Tables of figures are folded away below their charts, and must be as readable as the rest.
fn unfold(tab: &mut crate::tab::Tab<'_>, open: bool) -> Result<(), Fault> {
    tab.run(&format!("document.querySelectorAll('details').forEach(one => one.open = {open})")).map(drop)
}
