//! Flags made from the options of a job: their names, values and help texts are declared in one place, the job.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, ValueHint};
use scumble::{ColumnRole, Error, Job, JobOption, Result, ValueForm, did_you_mean, split_names};
use std::marker::PhantomData;

/// Which options of a job a command has flags for.
pub(crate) trait FlagSet: Send + Sync + 'static {
    /// The options.
    fn has(option: &JobOption) -> bool;

    /// The roles that columns may be given.
    fn roles() -> &'static [ColumnRole] {
        &[]
    }

    /// Whether options take several values, one after the other.
    const SWEEP: bool = false;
}

/// All of them, for `publish`.
#[derive(Debug)]
pub(crate) struct AllOptions;

impl FlagSet for AllOptions {
    fn has(_option: &JobOption) -> bool {
        true
    }

    fn roles() -> &'static [ColumnRole] {
        ROLES
    }
}

/// Those that say how data is read.
#[derive(Debug)]
pub(crate) struct InputOptions;

impl FlagSet for InputOptions {
    fn has(option: &JobOption) -> bool {
        option.section == "input" && option.name != "population"
    }
}

/// Those that say what the values of columns mean.
#[derive(Debug)]
pub(crate) struct TypeOptions;

impl FlagSet for TypeOptions {
    fn has(option: &JobOption) -> bool {
        option.section == "columns" && !["level", "missing"].contains(&option.name)
    }
}

/// Those that say beside columns and requirements what a release is tried with.
#[derive(Debug)]
pub(crate) struct TrialOptions;

impl FlagSet for TrialOptions {
    fn has(option: &JobOption) -> bool {
        ["population", "missing"].contains(&option.name)
    }
}

/// Those of `compare`.
#[derive(Debug)]
pub(crate) struct SweptOptions;

impl FlagSet for SweptOptions {
    fn has(option: &JobOption) -> bool {
        option.swept
            || matches!(option.section, "input" | "columns")
            || ["drop_rest", "rows_are_people", "allow_sets", "accept_keep"].contains(&option.name)
    }

    fn roles() -> &'static [ColumnRole] {
        ROLES
    }

    const SWEEP: bool = true;
}

const ROLES: &[ColumnRole] = &ColumnRole::WITH_FLAGS;

/// The options that were given as flags.
#[derive(Debug)]
pub(crate) struct OptionFlags<S> {
    roles: Vec<(ColumnRole, Vec<String>)>,
    given: Vec<(&'static JobOption, Vec<String>)>,
    set: PhantomData<S>,
}

impl<S: FlagSet> OptionFlags<S> {
    fn options() -> impl Iterator<Item = &'static JobOption> {
        Job::options().filter(|option| option.flag.is_some() && S::has(option))
    }

    /// The texts of an option; none where its flag was not given.
    pub(crate) fn texts(&self, name: &str) -> &[String] {
        self.given.iter().find(|(option, _)| option.name == name).map_or(&[], |(_, texts)| texts)
    }

    /// The options that were given, in the order of their declaration.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static JobOption, &[String])> {
        self.given.iter().map(|(option, texts)| (*option, texts.as_slice()))
    }

    /// The first field that was given, but for those named.
    pub(crate) fn first_except(&self, allowed: &[&str]) -> Option<&'static str> {
        let mut roles = self.roles.iter().filter(|(_, names)| !names.is_empty()).map(|(role, _)| role.name());
        let role = roles.find(|name| !allowed.contains(name));
        role.or_else(|| self.given.iter().map(|(option, _)| option.name).find(|name| !allowed.contains(name)))
    }

    /// Whether a flag said the value of a field that an error is about.
    pub(crate) fn says(&self, field: &str, value: &str) -> bool {
        let last = field.rsplit('.').next().unwrap_or(field);
        let is_named = |option: &JobOption| option.name == last || option.flag.is_some_and(|flag| flag.name == last);
        self.roles.iter().any(|(role, names)| role.name() == field && names.iter().any(|name| name == value))
            || self.given.iter().any(|(option, texts)| match option.section {
                // A flag about another column does not matter.
                "columns" => {
                    is_named(option) && texts.iter().any(|text| text == value || text.ends_with(&format!("={value}")))
                }
                _ => is_named(option) || option.name == "require" && last == "requirement",
            })
    }

    /// Puts what was given into a job, where it wins over what the job says. Options that are swept are left alone.
    pub(crate) fn apply(&self, job: &mut Job) -> Result<()> {
        let known = job.columns.len();
        for (role, names) in &self.roles {
            for name in names {
                match job.columns[..known].iter_mut().find(|(column, _)| column == name) {
                    Some((_, column)) => column.role = Some(*role),
                    None => job.columns.push((name.clone(), scumble::Column::new(*role))),
                }
            }
        }
        for (option, texts) in &self.given {
            match option.section {
                "columns" => texts.iter().try_for_each(|text| set_column(job, option, text))?,
                _ if S::SWEEP && option.swept => {}
                // Texts that mean a missing value are added to those of a job file.
                "input" if option.form == ValueForm::Texts => job.input.null.extend(texts.iter().cloned()),
                section => job.set(&format!("{section}.{}", option.name), &option.form.value(texts))?,
            }
        }
        Ok(())
    }
}

/// Sets an option of a column from `COLUMN=VALUE`.
fn set_column(job: &mut Job, option: &JobOption, text: &str) -> Result<()> {
    let shown = option.flag.map_or("", |flag| flag.value);
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = pair.ok_or_else(|| Error::request(option.name, text, format!("{shown} is wanted")))?;
    if !job.columns.iter().any(|(known, _)| known == name) {
        let (fields, fits): (&str, fn(ColumnRole) -> bool) = match option.name {
            "missing" => ("«sensitive»", |role| role == ColumnRole::Sensitive),
            "level" => ("«quasi»", |role| role == ColumnRole::Quasi),
            _ => ("«quasi», «sensitive» or «keep»", |_| true),
        };
        let fitting = job.columns.iter().filter(|(_, column)| column.role.is_some_and(fits));
        let names: Vec<&str> = fitting.map(|(name, _)| name.as_str()).collect();
        let hint = match names.is_empty() {
            true => format!("name it in {fields} first"),
            false => did_you_mean(name, &names, &format!("name it in {fields} first; those named are")),
        };
        return Err(Error::request(option.name, name, "no column with a role has this name").hint(hint));
    }
    job.set(&format!("columns.{name}.{}", option.name), &option.form.value(&[value.to_string()]))
}

/// A text that may begin with a dash, but for the next flag where the text was forgotten.
fn not_a_flag(text: &str) -> Result<String, String> {
    let is_flag = text.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    if is_flag { Err("a text is wanted, and this is a flag".into()) } else { Ok(text.to_string()) }
}

impl<S: FlagSet> clap::FromArgMatches for OptionFlags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let texts = |id: &str| -> Vec<String> {
            matches.try_get_many::<String>(id).ok().flatten().map(|texts| texts.cloned().collect()).unwrap_or_default()
        };
        let names = |id: &str| texts(id).iter().flat_map(|text| split_names(text)).collect();
        let roles = S::roles().iter().map(|role| (*role, names(role.name()))).collect();
        let given = Self::options().filter_map(|option| {
            let texts = match option.form {
                ValueForm::Switch => match matches.get_flag(option.name) {
                    true => vec![String::new()],
                    false => Vec::new(),
                },
                _ => texts(option.name),
            };
            (!texts.is_empty()).then_some((option, texts))
        });
        Ok(OptionFlags { roles, given: given.collect(), set: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S: FlagSet> Args for OptionFlags<S> {
    fn augment_args(mut command: Command) -> Command {
        for role in S::roles() {
            let columns = Arg::new(role.name()).long(role.name()).value_name("COLUMNS");
            command = command.arg(columns.action(ArgAction::Append).help(role.help()).help_heading("Columns"));
        }
        for option in Self::options() {
            let Some(flag) = option.flag else { continue };
            let arg = Arg::new(option.name).long(flag.name).help(option.help).help_heading(flag.heading);
            let several = S::SWEEP && option.swept;
            let repeated = option.section == "columns" || matches!(option.form, ValueForm::Texts | ValueForm::Lists);
            let arg = match option.form {
                ValueForm::Switch => arg.action(ArgAction::SetTrue),
                _ if option.takes_names() => arg.value_name(flag.value).action(ArgAction::Append).value_delimiter(','),
                _ if repeated => arg.value_name(flag.value).action(ArgAction::Append),
                // A distance has commas of its own.
                _ if several && option.name != "distance" => {
                    arg.value_name(flag.value).action(ArgAction::Append).value_delimiter(',')
                }
                _ => arg.value_name(flag.value).action(ArgAction::Set),
            };
            let arg = match option.form {
                ValueForm::Decimal | ValueForm::Integer => arg.allow_negative_numbers(true),
                // A text that means a missing value may be -999.
                _ if option.name == "null" => arg.allow_hyphen_values(true).value_parser(not_a_flag),
                _ if flag.value == "DIR" => arg.value_hint(ValueHint::DirPath),
                _ => arg,
            };
            command = command.arg(arg);
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
