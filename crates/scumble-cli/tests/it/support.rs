//! A folder to work in and a program to run there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program that is tested.
const PROGRAM: &str = match (option_env!("CARGO_BIN_EXE_scumble"), option_env!("CARGO_BIN_EXE_scumble-lab")) {
    (Some(program), _) | (None, Some(program)) => program,
    (None, None) => panic!("the package has no program"),
};

/// A temporary folder with the program at hand.
pub(crate) struct TestDir {
    folder: tempfile::TempDir,
    /// The folder for settings of the user who runs the program.
    settings: tempfile::TempDir,
}

/// What a run of the program said.
pub(crate) struct CommandOutput {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestDir {
    pub(crate) fn new() -> Self {
        TestDir { folder: tempfile::tempdir().unwrap(), settings: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The user's folder for settings.
    pub(crate) fn settings(&self) -> &Path {
        self.settings.path()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The program, to be run in the folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.path()).env("XDG_CONFIG_HOME", self.settings());
        command
    }

    /// Runs the program; arguments are split at blanks except inside double quotes.
    pub(crate) fn run(&self, line: &str) -> CommandOutput {
        CommandOutput::from(self.command().args(arguments(line)).output().unwrap())
    }

    /// Everything in the folder, hidden files too.
    pub(crate) fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        CommandOutput {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl CommandOutput {
    /// The JSON document on standard output, which must be all there is.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.stdout, self.stderr))
    }

    /// Must have succeeded.
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Must have failed with this code and these words on standard error.
    pub(crate) fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

pub(crate) fn arguments(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|argument| !argument.is_empty());
    out
}

/// A small table: ages in two clusters, three cities, six diseases.
pub(crate) fn patients(rows: usize) -> String {
    let mut text = String::from("name,age,city,disease,cost\n");
    let diseases = ["flu", "cold", "asthma", "ulcer", "gout", "migraine"];
    for i in 0..rows {
        let age = 20 + (i * 7) % 60;
        let city = ["Ghent", "Porto", "Turku"][i * i % 3];
        text.push_str(&format!(
            "Person {i},{age},{city},{},{}.{:02}\n",
            diseases[(i * 5 + i / 7) % 6],
            100 + i * 13 % 977,
            i % 100
        ));
    }
    text
}

/// The folder of real data sets, if it is there; otherwise says that a test is skipped.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SCUMBLE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("{} is not there: skipped", path.display());
    None
}
