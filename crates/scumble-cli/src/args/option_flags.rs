//! Flags made from the options of a job: their names, values and help texts are declared in one place, the job.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, ValueHint};
use scumble::{ColumnRole, Columns, Error, Job, JobOption, Result, ValueForm, did_you_mean, split_names};
use std::marker::PhantomData;

/// Which options of a job a command has flags for.
pub(crate) trait FlagSet: Send + Sync + 'static {
    /// The options by name.
    const OPTIONS: &'static [&'static str];

    /// The roles that columns may be given.
    const ROLES: &'static [ColumnRole] = &[];

    /// Whether options take several values, one after the other.
    const SWEEP: bool = false;

    /// Whether an option is one of them.
    fn has(option: &JobOption) -> bool {
        Self::OPTIONS.contains(&option.name)
    }

    /// What is particular to the command: what a flag goes with, and where it stands in the help.
    fn adapt(arg: Arg) -> Arg {
        arg
    }
}

/// The flag with something to add to its help text.
pub(crate) fn add_help(arg: Arg, text: &str) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{help}{text}"))
}

/// All of them, for `publish`.
#[derive(Debug)]
pub(crate) struct AllOptions;

impl FlagSet for AllOptions {
    const OPTIONS: &'static [&'static str] = &[];
    const ROLES: &'static [ColumnRole] = &ColumnRole::WITH_FLAGS;

    fn has(_option: &JobOption) -> bool {
        true
    }
}

/// Those of `compare`.
#[derive(Debug)]
pub(crate) struct SweptOptions;

impl FlagSet for SweptOptions {
    const OPTIONS: &'static [&'static str] = &["drop_rest", "rows_are_people", "allow_sets", "accept_keep"];
    const ROLES: &'static [ColumnRole] = &ColumnRole::WITH_FLAGS;
    const SWEEP: bool = true;

    fn has(option: &JobOption) -> bool {
        option.swept || matches!(option.section, "input" | "columns") || Self::OPTIONS.contains(&option.name)
    }
}

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

    /// The columns that were given a role.
    pub(crate) fn named(&self, role: ColumnRole) -> &[String] {
        self.roles.iter().find(|(known, _)| *known == role).map_or(&[], |(_, names)| names)
    }

    /// The first of some options that was given.
    pub(crate) fn first_of(&self, names: &[&str]) -> Option<&'static str> {
        self.given().map(|(option, _)| option.name).find(|name| names.contains(name))
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
                "columns" => texts.iter().try_for_each(|text| set_known_column(job, option, text))?,
                _ if S::SWEEP && option.swept => {}
                _ => set_option(job, option, texts)?,
            }
        }
        Ok(())
    }

    /// Puts what was given of one section into a job: `input` or `publish`.
    pub(crate) fn apply_section(&self, section: &str, job: &mut Job) -> Result<()> {
        let mut given = self.given.iter().filter(|(option, _)| option.section == section);
        given.try_for_each(|(option, texts)| set_option(job, option, texts))
    }

    /// What was given about columns, whether or not they have a role.
    pub(crate) fn columns(&self) -> Result<Columns> {
        let mut job = Job::new();
        for (option, texts) in self.given.iter().filter(|(option, _)| option.section == "columns") {
            texts.iter().try_for_each(|text| set_column(&mut job, option, column_and_value(option, text)?))?;
        }
        Ok(job.columns)
    }
}

fn set_option(job: &mut Job, option: &JobOption, texts: &[String]) -> Result<()> {
    match option.section {
        // Texts that mean a missing value are added to those of a job file.
        "input" if option.form == ValueForm::Texts => job.input.null.extend(texts.iter().cloned()),
        section => job.set(&format!("{section}.{}", option.name), &option.form.value(texts))?,
    }
    Ok(())
}

fn set_column(job: &mut Job, option: &JobOption, (name, value): (&str, &str)) -> Result<()> {
    job.set(&format!("columns.{name}.{}", option.name), &option.form.value(&[value.to_string()]))
}

/// The parts of `COLUMN=VALUE`.
fn column_and_value<'t>(option: &JobOption, text: &'t str) -> Result<(&'t str, &'t str)> {
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let wanted = option.flag.map_or("", |flag| flag.value);
    pair.ok_or_else(|| Error::request(option.name, text, format!("{wanted} is wanted")))
}

/// Sets an option of a column that has a role.
fn set_known_column(job: &mut Job, option: &JobOption, text: &str) -> Result<()> {
    let (name, value) = column_and_value(option, text)?;
    if !job.columns.iter().any(|(known, _)| known == name) {
        let fields = option.role.map_or("«quasi», «sensitive» or «keep»".into(), |role| format!("«{role}»"));
        let fits = |role: ColumnRole| option.role.is_none_or(|wanted| wanted == role);
        let fitting = job.columns.iter().filter(|(_, column)| column.role.is_some_and(fits));
        let names: Vec<&str> = fitting.map(|(name, _)| name.as_str()).collect();
        let hint = match names.is_empty() {
            true => format!("name it in {fields} first"),
            false => did_you_mean(name, &names, &format!("name it in {fields} first; those named are")),
        };
        return Err(Error::request(option.name, name, "no column with a role has this name").hint(hint));
    }
    set_column(job, option, (name, value))
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
        let roles = S::ROLES.iter().map(|role| (*role, names(role.name()))).collect();
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
        for role in S::ROLES {
            let columns = Arg::new(role.name()).long(role.name()).value_name("COLUMNS");
            command =
                command.arg(S::adapt(columns.action(ArgAction::Append).help(role.help()).help_heading("Columns")));
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
                _ if several && !option.has_commas => {
                    arg.value_name(flag.value).action(ArgAction::Append).value_delimiter(',')
                }
                _ => arg.value_name(flag.value).action(ArgAction::Set),
            };
            let arg = match option.form {
                ValueForm::Decimal | ValueForm::Integer => arg.allow_negative_numbers(true),
                // A text that means a missing value may be -999.
                _ if option.takes_any_text() => arg.allow_hyphen_values(true).value_parser(not_a_flag),
                _ if flag.value == "DIR" => arg.value_hint(ValueHint::DirPath),
                _ if flag.value == "FILE" => arg.value_hint(ValueHint::FilePath),
                _ => arg,
            };
            command = command.arg(S::adapt(arg));
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
