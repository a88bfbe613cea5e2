//! An independent program that judges and measures what we write.
//!
//! It is looked for where `SCUMBLE_ORACLE` says (a folder with `check_release.py` and `utility.py`), and run with
//! `SCUMBLE_PYTHON`, which needs numpy, pandas and pyarrow.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};

/// The folder and the Python that runs it; nothing where they are not given, which is said. In CI, with `../shared` beside the
/// project, a test without it fails: passing would claim what nobody looked at.
pub(crate) fn oracle() -> Option<(PathBuf, PathBuf)> {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let is_shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").is_dir();
    let is_required = given("CI").is_some() && is_shared;
    match oracle_of(given("SCUMBLE_ORACLE"), given("SCUMBLE_PYTHON"), is_required) {
        Ok(found) => Some(found),
        Err(reason) if is_required => panic!("the oracle cannot be run: {reason}"),
        Err(reason) => {
            eprintln!("skipped: the oracle cannot be run: {reason}");
            None
        }
    }
}

/// The folder and the Python, or why they cannot be used. Where the oracle is required its files must be there; elsewhere
/// running it says what is wrong.
fn oracle_of(
    folder: Option<PathBuf>,
    python: Option<PathBuf>,
    is_required: bool,
) -> Result<(PathBuf, PathBuf), String> {
    let (Some(folder), Some(python)) = (folder, python) else {
        return Err("SCUMBLE_ORACLE and SCUMBLE_PYTHON are not both set".into());
    };
    if is_required && !folder.join("check_release.py").is_file() {
        return Err("there is no check_release.py in the folder that SCUMBLE_ORACLE names".into());
    }
    Ok((folder, python))
}

#[test]
fn an_oracle_that_is_absent_where_it_is_required_does_not_pass_silently() {
    let folder = tempfile::tempdir().unwrap();
    let (here, python) = (folder.path().to_path_buf(), PathBuf::from("python3"));
    for (place, program) in [(None, None), (Some(here.clone()), None), (None, Some(python.clone()))] {
        assert!(oracle_of(place, program, true).unwrap_err().contains("not both set"));
    }
    assert!(oracle_of(Some(here.clone()), Some(python.clone()), true).unwrap_err().contains("check_release.py"));
    std::fs::write(here.join("check_release.py"), "").unwrap();
    assert_eq!(oracle_of(Some(here.clone()), Some(python.clone()), true), Ok((here, python)));
}
