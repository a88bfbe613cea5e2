//! The sweep file: a job file with any number of runs in it, over which methods and parameters are compared.
//!
//! ```toml
//! [input]                       # as in every job file, and so are [columns] and [rules]
//! path = "adult.csv"
//!
//! [columns]
//! age = "quasi"
//! disease = "sensitive"
//!
//! [compare]
//! dir = "comparison"
//!
//! [[run]]
//! method = ["generalize", "anatomy"]
//! require = ["k-anonymity({k})", "t-closeness({t})"]
//! k = [2, 5, 10]
//! t = [0.1, 0.2]
//! ```
//!
//! A run is as many points as its lists have combinations: twelve here. What a run does not say is as `[publish]` has it.
//! `publish` reads the same file and leaves the runs aside, so that every point is a command of its own.

use super::section::Section;
use super::{Job, document, template};
use crate::record::read_text;
use scumble_table::{Error, Result, nearest, quoted_list};
use std::path::{Path, PathBuf};

/// More points than this are a slip, or more than anybody will look at.
pub const MOST_POINTS: usize = 100_000;

/// A job file with runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sweep {
    /// All that a job file says.
    pub job: Job,
    /// The section `[compare]`.
    pub compare: Compare,
    /// The entries `[[run]]`, in the order of the file.
    pub runs: Vec<SweepRun>,
}

/// The section `[compare]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compare {
    /// `dir`: where the comparison goes.
    pub dir: Option<PathBuf>,
    /// `seed`: of coins and questions.
    pub seed: Option<u64>,
    /// `queries`: how many count queries every release answers.
    pub queries: Option<u64>,
}

/// An entry `[[run]]`: settings of `publish`, of which lists stand for one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepRun {
    /// `require`: requirements with places for parameters, all of which must hold.
    pub require: Vec<String>,
    /// Settings that take one value at a time, by their field.
    pub settings: Vec<Values>,
    /// `marginal`: lists of columns.
    pub marginal: Vec<Vec<String>>,
    /// `together`.
    pub together: bool,
    /// The parameters: every other field.
    pub parameters: Vec<Values>,
    /// Line of the file; 0 where there is none.
    pub line: u64,
}

/// A name with the values that it takes one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The field or parameter.
    pub name: String,
    /// Its values, as written.
    pub values: Vec<String>,
    /// Line of the file; 0 where there is none.
    pub line: u64,
}

/// One combination of the values of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepPoint {
    /// The requirements.
    pub require: Vec<String>,
    /// One value for each setting.
    pub settings: Vec<(String, String)>,
    /// Lists of columns.
    pub marginal: Vec<Vec<String>>,
    /// Whether sensitive columns are permuted as one.
    pub together: bool,
    /// What varied: parameters, and settings that have several values.
    pub varied: Vec<(String, String)>,
    /// Line of the run; 0 where there is none.
    pub line: u64,
}

/// What is wrong with a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepFault {
    /// The field or parameter.
    pub field: String,
    /// What was given.
    pub value: String,
    /// What is wrong.
    pub reason: String,
    /// What would be accepted.
    pub hint: String,
    /// Line of the file; 0 where there is none.
    pub line: u64,
}

impl SweepRun {
    /// Settings that take one value at a time, in the order of their flags.
    pub const SETTINGS: [&'static str; 11] = [
        "method",
        "algorithm",
        "profile",
        "aim",
        "boxes",
        "mixtures",
        "angel_k",
        "join_k",
        "distance",
        "max_suppressed",
        "time_limit",
    ];

    /// All combinations of the values; the last varies fastest.
    ///
    /// # Errors
    /// If a list is empty or repeats a value, a parameter is used nowhere, a place has no parameter, or there are more
    /// than [`MOST_POINTS`].
    pub fn points(&self) -> Result<Vec<SweepPoint>, SweepFault> {
        let lists: Vec<&Values> = self.settings.iter().chain(&self.parameters).collect();
        for list in &lists {
            list.check()?;
        }
        self.check_names()?;
        let n =
            lists.iter().try_fold(1_usize, |n, list| n.checked_mul(list.values.len()).filter(|n| *n <= MOST_POINTS));
        let Some(n) = n else {
            let lengths: Vec<String> = lists.iter().map(|list| list.values.len().to_string()).collect();
            return Err(SweepFault {
                field: "run".into(),
                value: lengths.join(" x "),
                reason: format!("there are more than {MOST_POINTS} combinations"),
                hint: "give fewer values, or several runs".into(),
                line: self.line,
            });
        };
        (0..n).map(|at| self.point(&lists, at)).collect()
    }

    /// The combination of a number: its digits, to the bases of the lists' lengths.
    fn point(&self, lists: &[&Values], mut at: usize) -> Result<SweepPoint, SweepFault> {
        let mut chosen: Vec<(&str, &str)> = vec![("", ""); lists.len()];
        for (list, place) in lists.iter().zip(&mut chosen).rev() {
            *place = (list.name.as_str(), list.values[at % list.values.len()].as_str());
            at /= list.values.len();
        }
        let (settings, parameters) = chosen.split_at(self.settings.len());
        let value = |name: &str| parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let fill = |field: &str, text: &str, line: u64| {
            template::filled(text, value).map_err(|reason| SweepFault {
                field: field.into(),
                value: text.into(),
                reason,
                hint: "give its values, such as `k = [2, 5, 10]`".into(),
                line,
            })
        };
        let require = self.require.iter().map(|text| fill("require", text, self.line));
        let set = settings.iter().zip(&self.settings);
        let varied = set.clone().filter(|(_, list)| list.values.len() > 1).map(|(pair, _)| pair).chain(parameters);
        Ok(SweepPoint {
            require: require.collect::<Result<_, SweepFault>>()?,
            settings: set
                .map(|((name, text), list)| Ok((name.to_string(), fill(name, text, list.line)?)))
                .collect::<Result<_, SweepFault>>()?,
            marginal: self.marginal.clone(),
            together: self.together,
            varied: varied.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            line: self.line,
        })
    }

    /// Every parameter has a place, and every place a parameter.
    fn check_names(&self) -> Result<(), SweepFault> {
        let required = self.require.iter().map(|text| ("require", text, self.line));
        let set =
            self.settings.iter().flat_map(|list| list.values.iter().map(|text| (list.name.as_str(), text, list.line)));
        let mut used: Vec<&str> = Vec::new();
        for (field, text, line) in required.chain(set) {
            let fault = |reason: String, hint: String| SweepFault {
                field: field.into(),
                value: text.clone(),
                reason,
                hint,
                line,
            };
            let names = template::names(text)
                .map_err(|reason| fault(reason, "write `{k}` for a parameter, `{{` for a brace".into()))?;
            for name in &names {
                if !self.parameters.iter().any(|list| list.name == *name) {
                    let hint = match nearest(name, self.parameters.iter().map(|list| list.name.as_str())) {
                        Some(near) => format!("did you mean `{{{near}}}`?"),
                        None => format!("give its values, such as `{name} = [2, 5, 10]`"),
                    };
                    return Err(fault(format!("`{{{name}}}` stands for nothing"), hint));
                }
            }
            used.extend(names);
        }
        match self.parameters.iter().find(|list| !used.contains(&list.name.as_str())) {
            None => Ok(()),
            Some(unused) => Err(unused.unknown()),
        }
    }
}

impl Values {
    /// Values without a place in a file.
    pub fn new(name: impl Into<String>, values: Vec<String>) -> Self {
        Values { name: name.into(), values, line: 0 }
    }

    fn check(&self) -> Result<(), SweepFault> {
        let fault = |value: &str, reason: String, hint: &str| SweepFault {
            field: self.name.clone(),
            value: value.into(),
            reason,
            hint: hint.into(),
            line: self.line,
        };
        if self.values.is_empty() {
            return Err(fault(
                "",
                "the list has no values, so that there is nothing to compare".into(),
                "give at least one",
            ));
        }
        let mut seen = self.values.clone();
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(fault(&pair[0], "the value is given twice".into(), "give each value once")),
            None => Ok(()),
        }
    }

    /// A parameter that no template names is most likely a field that was mistyped.
    fn unknown(&self) -> SweepFault {
        let mut fields: Vec<&str> = vec!["require", "marginal", "together"];
        fields.extend(SweepRun::SETTINGS);
        let name = &self.name;
        SweepFault {
            field: name.clone(),
            value: self.values.join(", "),
            reason: format!("there is no field `{name}` in a run, and no place `{{{name}}}` for it as a parameter"),
            hint: match nearest(name, fields.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "write `{{{name}}}` where its values belong, such as \"k-anonymity({{{name}}})\"; the fields are {}",
                    quoted_list(&fields, fields.len())
                ),
            },
            line: self.line,
        }
    }
}

impl SweepFault {
    /// As an error of a file.
    pub fn in_file(self, file: &str) -> Error {
        let place = Error::data(file, format!("`{}`: {}", self.field, self.reason)).hint(self.hint);
        let place = if self.value.is_empty() { place } else { place.shows(self.value) };
        place.at((self.line > 0).then_some(self.line), None)
    }
}

impl Sweep {
    /// Reads a sweep file; relative paths in it are meant from where it lies.
    pub fn read(path: &Path) -> Result<Sweep> {
        let file = path.display().to_string();
        Sweep::parse(&file, &read_text(path)?, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the text of a sweep file; `file` stands for it in messages, and relative paths are meant from `base`.
    pub fn parse(file: &str, text: &str, base: &Path) -> Result<Sweep> {
        let job = Job::parse(file, text, base)?;
        let document = document(file, text)?;
        let mut top = Section::new(file, text, "", document.get_ref());
        let compare = top.section("compare")?.map_or_else(|| Ok(Compare::default()), |one| compare(one, base))?;
        let runs = top.sections("run")?.into_iter().map(run).collect::<Result<Vec<_>>>()?;
        if runs.is_empty() {
            return Err(Error::data(file, "there is no run to compare")
                .hint("write `[[run]]` on a line of its own and below it, for example, `require = \"k-anonymity({k})\"` and `k = [2, 5]`"));
        }
        Ok(Sweep { job, compare, runs })
    }

    /// The points of all runs, in the order of the file.
    ///
    /// # Errors
    /// Names the file, line, field and value of what is wrong with a run.
    pub fn points(&self) -> Result<Vec<SweepPoint>> {
        let mut all = Vec::new();
        for run in &self.runs {
            all.extend(run.points().map_err(|fault| fault.in_file(&self.job.file))?);
        }
        if all.len() > MOST_POINTS {
            let reason = format!("the runs have {} points, and {MOST_POINTS} are the most", all.len());
            return Err(Error::data(&self.job.file, reason));
        }
        Ok(all)
    }
}

fn compare(mut section: Section<'_, '_>, base: &Path) -> Result<Compare> {
    let compare = Compare {
        dir: section.text("dir")?.map(|dir| base.join(dir)),
        seed: section.integer("seed")?,
        queries: section.integer("queries")?,
    };
    section.finish()?;
    Ok(compare)
}

fn run(mut section: Section<'_, '_>) -> Result<SweepRun> {
    let line = section.line();
    let require = section.texts("require")?;
    let require_line = section.line_of("require")?;
    let split = |text: &str| text.split(',').map(|name| name.trim().to_string()).collect::<Vec<_>>();
    let marginal = section.lists("marginal", split)?;
    let together = section.flag("together")?;
    let mut settings = Vec::new();
    for name in SweepRun::SETTINGS {
        if let Some((line, values)) = section.scalars(name)? {
            settings.push(Values { name: name.into(), values, line });
        }
    }
    let parameters = section.others()?.into_iter().map(|(name, line, values)| Values { name, values, line }).collect();
    let line = if require.is_empty() { line } else { require_line };
    Ok(SweepRun { require, settings, marginal, together, parameters, line })
}
