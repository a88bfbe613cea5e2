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

use super::{Job, Publish, Section, ValueForm, template};
use scumble_io::{Data, Fault, Value, field_name, read_small_text, unknown_field};
use scumble_table::{Error, Result, quoted_list, suggestion};
use std::path::{Path, PathBuf};

/// More points than this are a slip, or more than anybody will look at.
pub const MOST_POINTS: usize = 100_000;

/// A job with runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sweep {
    /// All that a job file says.
    pub job: Job,
    /// The section `[compare]`.
    pub compare: Compare,
    /// The entries `[[run]]`, in the order of the file.
    pub runs: Vec<SweepRun>,
    /// Where files are meant from that runs name.
    folder: PathBuf,
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

/// An entry `[[run]]`: options of `publish`, of which lists stand for one value after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepRun {
    /// Options that are the same at all points, such as `require`, with places for parameters.
    pub fixed: Vec<(String, Value)>,
    /// Options that take one value at a time.
    pub settings: Vec<Values>,
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
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPoint {
    /// The job.
    pub job: Job,
    /// What varied: parameters, and settings that have several values.
    pub varied: Vec<(String, String)>,
    /// Line of the run; 0 where there is none.
    pub line: u64,
}

/// What is wrong with a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    /// Whether it is a parameter that no template has a place for.
    pub unused: bool,
    /// Whether it is a place that no parameter has values for.
    pub without_value: bool,
}

impl SweepRun {
    /// All combinations of the values, as jobs that say what the run says and otherwise what `job` says; the last list
    /// varies fastest.
    ///
    /// # Errors
    /// If a list is empty or repeats a value, a parameter is used nowhere, a place has no parameter, an option has a value
    /// that it cannot have, or there are more than [`MOST_POINTS`].
    pub fn points(&self, job: &Job) -> Result<Vec<SweepPoint>, SweepFault> {
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
                ..SweepFault::default()
            });
        };
        (0..n).map(|at| self.point(job, &lists, at)).collect()
    }

    /// The combination of a number: its digits, to the bases of the lists' lengths.
    fn point(&self, job: &Job, lists: &[&Values], mut at: usize) -> Result<SweepPoint, SweepFault> {
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
                ..SweepFault::default()
            })
        };
        let mut job = job.clone();
        let mut set = |name: &str, value: &Value, shown: &str, line: u64| {
            let fault = match job.publish.set(name, value) {
                Ok(true) => return Ok(()),
                Ok(false) => Fault::new(line, "there is no such field"),
                Err(fault) => fault,
            };
            let (reason, hint) = (fault.reason, fault.hint);
            Err(SweepFault { field: name.into(), value: shown.into(), reason, hint, line, ..SweepFault::default() })
        };
        for (name, value) in &self.fixed {
            let value = match &value.data {
                Data::List(items) => {
                    let filled = items.iter().map(|item| match item.as_text() {
                        Some(text) => fill(name, text, self.line).map(Value::text),
                        None => Ok(item.clone()),
                    });
                    Value::list(filled.collect::<Result<Vec<_>, SweepFault>>()?)
                }
                Data::Text(text) => Value::text(fill(name, text, self.line)?),
                _ => value.clone(),
            };
            set(name, &value, "", self.line)?;
        }
        for ((name, text), list) in settings.iter().zip(&self.settings) {
            let text = fill(name, text, list.line)?;
            let option = Publish::OPTIONS.iter().find(|option| option.name == *name);
            let form = option.map_or(ValueForm::Text, |option| option.form);
            set(name, &form.value(std::slice::from_ref(&text)), &text, list.line)?;
        }
        let varied = settings.iter().zip(&self.settings).filter(|(_, list)| list.values.len() > 1);
        let varied = varied.map(|(pair, _)| pair).chain(parameters);
        let varied = varied.map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Ok(SweepPoint { job, varied, line: self.line })
    }

    /// Texts with places for parameters: the field, the text and its line.
    fn templates(&self) -> Vec<(&str, &str, u64)> {
        let fixed = self.fixed.iter().flat_map(|(name, value)| {
            let texts: Vec<&str> = match &value.data {
                Data::List(items) => items.iter().filter_map(Value::as_text).collect(),
                _ => value.as_text().into_iter().collect(),
            };
            texts.into_iter().map(|text| (name.as_str(), text, self.line))
        });
        let set = self.settings.iter();
        let set = set.flat_map(|list| list.values.iter().map(|text| (list.name.as_str(), text.as_str(), list.line)));
        fixed.chain(set).collect()
    }

    /// Every parameter has a place, and every place a parameter.
    fn check_names(&self) -> Result<(), SweepFault> {
        let mut used: Vec<&str> = Vec::new();
        for (field, text, line) in self.templates() {
            let fault = |reason: String, hint: String| SweepFault {
                field: field.into(),
                value: text.into(),
                reason,
                hint,
                line,
                ..SweepFault::default()
            };
            let names = template::names(text)
                .map_err(|reason| fault(reason, "write `{k}` for a parameter, `{{` for a brace".into()))?;
            for name in &names {
                if !self.parameters.iter().any(|list| list.name == *name) {
                    let near = suggestion(name, self.parameters.iter().map(|list| list.name.as_str()));
                    let without_value = near.is_none();
                    let hint = near.unwrap_or_else(|| format!("give its values, such as `{name} = [2, 5, 10]`"));
                    let fault = fault(format!("`{{{name}}}` stands for nothing"), hint);
                    return Err(SweepFault { without_value, ..fault });
                }
            }
            used.extend(names);
        }
        match self.parameters.iter().find(|list| !used.contains(&list.name.as_str())) {
            None => Ok(()),
            Some(unused) => Err(unused.unknown()),
        }
    }

    /// Reads an entry of a sweep file.
    fn from_value(value: &Value) -> Result<SweepRun, Fault> {
        let mut run = SweepRun { line: value.line, ..SweepRun::default() };
        for (key, value) in value.entries("a list of sections; write `[[run]]` on a line of its own")? {
            let name = field_name(key);
            let option = Publish::OPTIONS.iter().find(|option| option.name == name && option.swept);
            match option.map(|option| option.form) {
                Some(ValueForm::Texts | ValueForm::Lists | ValueForm::Switch) => {
                    run.line = if name == "require" { value.line } else { run.line };
                    let value = if value.as_text().is_some() { Value::list([value.clone()]) } else { value.clone() };
                    run.fixed.push((name, value));
                }
                Some(_) => {
                    let values = written(value).map_err(|fault| fault.about(&name))?;
                    run.settings.push(Values { name, values, line: value.line });
                }
                None => {
                    let values = written(value).map_err(|fault| fault.about(key))?;
                    run.parameters.push(Values { name: key.clone(), values, line: value.line });
                }
            }
        }
        // In the order of the options, whichever order the file has.
        let place = |name: &str| Publish::OPTIONS.iter().position(|option| option.name == name);
        run.settings.sort_by_key(|list| place(&list.name));
        Ok(run)
    }
}

/// Numbers and strings as they are written, or a list of them.
fn written(value: &Value) -> Result<Vec<String>, Fault> {
    let one = |value: &Value| {
        let text = value.written().map(String::from);
        text.ok_or_else(|| value.wrong("a decimal number, a string or a list of them"))
    };
    match &value.data {
        Data::List(items) => items.iter().map(one).collect(),
        _ => Ok(vec![one(value)?]),
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
            ..SweepFault::default()
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
        let swept = Publish::OPTIONS.iter().filter(|option| option.swept);
        let fields: Vec<&str> = swept.map(|option| option.name).collect();
        let name = &self.name;
        SweepFault {
            field: name.clone(),
            value: self.values.join(", "),
            reason: format!("there is no field `{name}` in a run, and no place `{{{name}}}` for it as a parameter"),
            hint: suggestion(name, fields.iter().copied()).unwrap_or_else(|| {
                format!(
                    "write `{{{name}}}` where its values belong, such as \"k-anonymity({{{name}}})\"; the fields are {}",
                    quoted_list(&fields, fields.len())
                )
            }),
            line: self.line,
            unused: true,
            ..SweepFault::default()
        }
    }
}

impl SweepFault {
    /// As an error of a file.
    pub fn in_file(self, file: &str) -> Error {
        let place = Error::data(file, format!("`{}`: {}", self.field, self.reason));
        let place = if self.hint.is_empty() { place } else { place.hint(self.hint) };
        let place = if self.value.is_empty() { place } else { place.shows(self.value) };
        place.at((self.line > 0).then_some(self.line), None)
    }
}

impl Sweep {
    /// Reads a sweep file; relative paths in it are meant from where it lies.
    ///
    /// # Errors
    /// Names file, line, field and what would be accepted.
    pub fn read(path: &Path) -> Result<Sweep> {
        let file = path.display().to_string();
        let mut sweep = Sweep::parse(&file, &read_small_text(path)?)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        sweep.job = sweep.job.in_folder(folder);
        sweep.compare.dir = sweep.compare.dir.map(|dir| folder.join(dir));
        sweep.folder = folder.to_path_buf();
        Ok(sweep)
    }

    /// Reads the text of a sweep file; `file` stands for it in messages, and paths are meant as they stand.
    ///
    /// # Errors
    /// As [`Sweep::read`].
    pub fn parse(file: &str, text: &str) -> Result<Sweep> {
        let value = Value::from_toml(text).map_err(|fault| fault.in_file(file))?;
        let job = Job::from_value(file, &value)?;
        let (compare, runs) = parts(&value).map_err(|fault| fault.in_file(file))?;
        if runs.is_empty() {
            return Err(Error::data(file, "there is no run to compare")
                .hint("write `[[run]]` on a line of its own and below it, for example, `require = \"k-anonymity({k})\"` and `k = [2, 5]`"));
        }
        Ok(Sweep { job, compare, runs, folder: PathBuf::new() })
    }

    /// The points of all runs, in the order of the file.
    ///
    /// # Errors
    /// Names the file, line, field and value of what is wrong with a run.
    pub fn points(&self) -> Result<Vec<SweepPoint>> {
        let mut all = Vec::new();
        for run in &self.runs {
            let mut points = run.points(&self.job).map_err(|fault| fault.in_file(&self.job.file))?;
            for publish in points.iter_mut().map(|point| &mut point.job.publish) {
                run.settings.iter().for_each(|list| publish.move_option(&list.name, &self.folder));
            }
            all.extend(points);
        }
        if all.len() > MOST_POINTS {
            let reason = format!("the runs have {} points, and {MOST_POINTS} are the most", all.len());
            return Err(Error::data(&self.job.file, reason));
        }
        Ok(all)
    }
}

fn parts(value: &Value) -> Result<(Compare, Vec<SweepRun>), Fault> {
    let entries = value.entries("sections")?;
    let section = |wanted: &str| entries.iter().find(|(key, _)| key == wanted).map(|(_, value)| value);
    let mut compare = Compare::default();
    for (key, value) in section("compare").map_or(Ok(&[][..]), |value| value.entries("a section"))? {
        match field_name(key).as_str() {
            "dir" => compare.dir = super::OptionValue::read(value)?,
            "seed" => compare.seed = super::OptionValue::read(value)?,
            "queries" => compare.queries = super::OptionValue::read(value)?,
            _ => return Err(unknown_field(value.line, "field", key, "compare", &["dir", "seed", "queries"])),
        }
    }
    let runs = match section("run").map(|value| (&value.data, value)) {
        None => Vec::new(),
        Some((Data::List(runs), _)) => runs.iter().map(SweepRun::from_value).collect::<Result<_, Fault>>()?,
        Some((_, other)) => {
            return Err(other.wrong("a list of sections").about("run").hint("write `[[run]]` on a line of its own"));
        }
    };
    Ok((compare, runs))
}
