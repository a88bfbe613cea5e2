//! How an option of a job is declared: once, with its type, its help text and its flag. Readers and writers of TOML and
//! JSON, flags, sweeps and the manual are made from the declaration.

use super::words::{Aim, ColumnRole, Profile, Word};
use scumble_io::{Data, Fault, Format, FromFile, ReadFile, Value};
use scumble_principle::{Distance, Measure, Requirement};
use scumble_release::{BoxKind, TableFormat};
use scumble_table::{Decimal, Kind, Missing, did_you_mean};
use std::path::{Path, PathBuf};

/// What there is to say about an option of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobOption {
    /// The section of the job file that it stands in.
    pub section: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// What it does, in one sentence or a few.
    pub help: &'static str,
    /// Its flag, where it has one.
    pub flag: Option<Flag>,
    /// How its values are written.
    pub form: ValueForm,
    /// Whether a value has commas of its own, so that no list of values can be written with commas between them.
    pub has_commas: bool,
    /// The role that a column must have for it, where it is an option of columns that not all roles have.
    pub role: Option<ColumnRole>,
    /// Whether a sweep may give it several values, one at a time.
    pub swept: bool,
}

impl JobOption {
    /// True if its flag takes names of columns with commas between them, as the flags of roles do.
    pub fn takes_names(&self) -> bool {
        self.form == ValueForm::Texts && self.flag.is_some_and(|flag| flag.value == "COLUMNS")
    }

    /// True if its flag takes any text, even one that begins with a dash.
    pub fn takes_any_text(&self) -> bool {
        self.flag.is_some_and(|flag| flag.value == "TEXT")
    }
}

/// The flag of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What stands for its value in help texts; empty for switches.
    pub value: &'static str,
    /// The part of the help text that it belongs to.
    pub heading: &'static str,
}

/// How the values of an option are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// One text.
    Text,
    /// A whole number.
    Integer,
    /// A decimal number.
    Decimal,
    /// True where it is given.
    Switch,
    /// Texts, each given by itself.
    Texts,
    /// Lists of names, each given by itself with commas between the names.
    Lists,
}

impl ValueForm {
    /// The value that texts of a flag stand for.
    pub fn value(self, texts: &[String]) -> Value {
        let last = || texts.last().cloned().unwrap_or_default();
        match self {
            ValueForm::Text => Value::text(last()),
            ValueForm::Integer if last().bytes().all(|b| b.is_ascii_digit()) && !last().is_empty() => {
                Data::Integer(last()).into()
            }
            ValueForm::Integer => Value::text(last()),
            ValueForm::Decimal => Data::Decimal(last()).into(),
            ValueForm::Switch => Data::Bool(true).into(),
            ValueForm::Texts | ValueForm::Lists => Value::list(texts.iter().map(Value::text)),
        }
    }
}

/// A type that options may have.
pub trait OptionValue: Sized {
    /// How values are written.
    const FORM: ValueForm;

    /// Whether a value has commas of its own.
    const HAS_COMMAS: bool = false;

    /// Reads a value.
    ///
    /// # Errors
    /// If it is not of this type.
    fn read(value: &Value) -> Result<Self, Fault>;

    /// Writes a value; nothing where it says what saying nothing says.
    fn write(&self) -> Option<Value>;

    /// Means relative paths of the value from a folder. Most values name no files.
    fn move_to(&mut self, _folder: &Path) {}
}

/// A section of a job.
pub trait Section: Default {
    /// Its options, in the order in which they are shown.
    const OPTIONS: &'static [JobOption];

    /// Sets an option by its name; false where there is none of this name.
    ///
    /// # Errors
    /// If the value is not of its type.
    fn set(&mut self, name: &str, value: &Value) -> Result<bool, Fault>;

    /// The options that say something, by name.
    fn entries(&self) -> Vec<(&'static str, Value)>;

    /// Means relative paths of an option from a folder; one that there is none of is passed over.
    fn move_option(&mut self, name: &str, folder: &Path);

    /// Means all relative paths from a folder.
    #[must_use]
    fn in_folder(mut self, folder: &Path) -> Self {
        Self::OPTIONS.iter().for_each(|option| self.move_option(option.name, folder));
        self
    }
}

/// Declares a section of a job with all its options.
macro_rules! section {
    (
        $(#[$meta:meta])*
        pub struct $section:ident in $place:literal {
            $(
                $(#[doc = $help:literal])+
                $(#[flag($flag:literal, $shown:literal, $heading:literal)])?
                pub $field:ident as $name:literal $(for $role:ident)? $(, $swept:ident)?: $type:ty,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $section {
            $( $(#[doc = $help])+ pub $field: $type, )*
        }

        impl $crate::job::option::Section for $section {
            const OPTIONS: &'static [$crate::job::option::JobOption] = &[
                $( $crate::job::option::JobOption {
                    section: $place,
                    name: $name,
                    help: concat!($($help),+).trim_ascii_start(),
                    flag: $crate::job::option::section!(@flag $($flag, $shown, $heading)?),
                    form: <$type as $crate::job::option::OptionValue>::FORM,
                    has_commas: <$type as $crate::job::option::OptionValue>::HAS_COMMAS,
                    role: $crate::job::option::section!(@role $($role)?),
                    swept: $crate::job::option::section!(@swept $($swept)?),
                }, )*
            ];

            fn set(&mut self, name: &str, value: &scumble_io::Value) -> Result<bool, scumble_io::Fault> {
                match name {
                    $( $name => self.$field = $crate::job::option::OptionValue::read(value)?, )*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn entries(&self) -> Vec<(&'static str, scumble_io::Value)> {
                let mut entries = Vec::new();
                $( entries.extend($crate::job::option::OptionValue::write(&self.$field).map(|value| ($name, value))); )*
                entries
            }

            fn move_option(&mut self, name: &str, folder: &std::path::Path) {
                match name {
                    $( $name => $crate::job::option::OptionValue::move_to(&mut self.$field, folder), )*
                    _ => {}
                }
            }
        }
    };
    (@flag) => { None };
    (@flag $flag:literal, $shown:literal, $heading:literal) => {
        Some($crate::job::option::Flag { name: $flag, value: $shown, heading: $heading })
    };
    (@role) => { None };
    (@role $role:ident) => { Some($crate::job::ColumnRole::$role) };
    (@swept) => { false };
    (@swept swept) => { true };
}
pub(crate) use section;

/// The names in a text that has commas between them. A comma that is part of a name has a backslash before it, and so has a
/// backslash before such a comma or at the end of a name.
///
/// ```
/// assert_eq!(scumble::split_names(r"home\, town,age"), ["home, town", "age"]);
/// assert_eq!(scumble::split_names(r"a\b,c\\,d"), [r"a\b", r"c\", "d"]);
/// ```
pub fn split_names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next_if(|next| matches!(next, ',' | '\\')) } else { None };
        match (c, names.last_mut()) {
            (',', _) => names.push(String::new()),
            (c, Some(name)) => name.push(escaped.unwrap_or(c)),
            (_, None) => {}
        }
    }
    names
}

fn text(value: &Value) -> Result<&str, Fault> {
    value.as_text().ok_or_else(|| value.wrong("a string"))
}

impl OptionValue for Option<String> {
    const FORM: ValueForm = ValueForm::Text;

    fn read(value: &Value) -> Result<Self, Fault> {
        text(value).map(|text| Some(text.to_string()))
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().map(Value::text)
    }
}

impl OptionValue for Option<PathBuf> {
    const FORM: ValueForm = ValueForm::Text;

    fn read(value: &Value) -> Result<Self, Fault> {
        text(value).map(|text| Some(text.into()))
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().map(|path| Value::text(path.display().to_string()))
    }

    fn move_to(&mut self, folder: &Path) {
        // Standard input and output lie in no folder.
        if let Some(path) = self.as_mut().filter(|path| path.as_os_str() != "-") {
            *path = folder.join(&*path);
        }
    }
}

impl OptionValue for bool {
    const FORM: ValueForm = ValueForm::Switch;

    fn read(value: &Value) -> Result<Self, Fault> {
        if let Data::Bool(is) = value.data { Ok(is) } else { Err(value.wrong("`true` or `false`")) }
    }

    fn write(&self) -> Option<Value> {
        self.then_some(Data::Bool(true).into())
    }
}

impl OptionValue for Option<u64> {
    const FORM: ValueForm = ValueForm::Integer;

    fn read(value: &Value) -> Result<Self, Fault> {
        let wanted = || format!("this must be a whole number from 0 to {}", u64::MAX);
        match &value.data {
            Data::Integer(digits) => digits.parse().map(Some).map_err(|_| Fault::new(value.line, wanted())),
            _ => Err(value.wrong("a whole number")),
        }
    }

    fn write(&self) -> Option<Value> {
        self.map(Value::integer)
    }
}

impl OptionValue for Option<Decimal> {
    const FORM: ValueForm = ValueForm::Decimal;

    fn read(value: &Value) -> Result<Self, Fault> {
        let text = value.written().ok_or_else(|| value.wrong("a number"))?;
        Decimal::parse(text).map(Some).ok_or_else(|| Fault::new(value.line, "this must be a decimal number"))
    }

    fn write(&self) -> Option<Value> {
        self.map(|number| Data::Decimal(number.to_string()).into())
    }
}

impl OptionValue for Vec<String> {
    const FORM: ValueForm = ValueForm::Texts;

    fn read(value: &Value) -> Result<Self, Fault> {
        value.texts()
    }

    fn write(&self) -> Option<Value> {
        (!self.is_empty()).then(|| Value::list(self.iter().map(Value::text)))
    }
}

impl OptionValue for Vec<Vec<String>> {
    const FORM: ValueForm = ValueForm::Lists;

    fn read(value: &Value) -> Result<Self, Fault> {
        let split = |text: &str| split_names(text).iter().map(|name| name.trim().to_string()).collect();
        let list = |value: &Value| match value.as_text() {
            Some(text) => Ok(split(text)),
            None => value.texts(),
        };
        match &value.data {
            Data::List(items) => items.iter().map(list).collect(),
            _ => Ok(vec![list(value)?]),
        }
    }

    fn write(&self) -> Option<Value> {
        let list = |names: &Vec<String>| Value::list(names.iter().map(Value::text));
        (!self.is_empty()).then(|| Value::list(self.iter().map(list)))
    }
}

impl OptionValue for Vec<Requirement> {
    const FORM: ValueForm = ValueForm::Texts;

    fn read(value: &Value) -> Result<Self, Fault> {
        value.texts()?.iter().map(|text| parsed(text, value.line)).collect()
    }

    fn write(&self) -> Option<Value> {
        (!self.is_empty()).then(|| Value::list(self.iter().map(|one| Value::text(one.to_string()))))
    }
}

impl OptionValue for Option<Distance> {
    const FORM: ValueForm = ValueForm::Text;
    const HAS_COMMAS: bool = true;

    fn read(value: &Value) -> Result<Self, Fault> {
        parsed(text(value)?, value.line).map(Some)
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().map(|distance| Value::text(distance.to_string()))
    }

    fn move_to(&mut self, folder: &Path) {
        *self = self.take().map(|distance| {
            distance.with_files(|part| match &part.measure {
                Measure::Matrix(file) => Some(folder.join(file).display().to_string()),
                _ => None,
            })
        });
    }
}

/// A text in a notation of its own, whose faults have hints of their own.
fn parsed<T: std::str::FromStr<Err = scumble_table::Error>>(text: &str, line: u64) -> Result<T, Fault> {
    text.parse().map_err(|error| match error {
        scumble_table::Error::Request { value, reason, hint, .. } => {
            let value = if value.is_empty() { String::new() } else { format!("`{value}`: ") };
            Fault::new(line, format!("{value}{reason}")).hint(hint.unwrap_or_default())
        }
        other => Fault::new(line, other.to_string()),
    })
}

impl<T: ReadFile> OptionValue for Option<FromFile<T>> {
    const FORM: ValueForm = ValueForm::Text;

    fn read(value: &Value) -> Result<Self, Fault> {
        text(value).map(|text| Some(FromFile::file(text)))
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().map(|file| Value::text(file.shown()))
    }

    fn move_to(&mut self, folder: &Path) {
        *self = self.take().map(|file| file.in_folder(folder));
    }
}

impl<T: Word> OptionValue for Option<T> {
    const FORM: ValueForm = ValueForm::Text;

    fn read(value: &Value) -> Result<Self, Fault> {
        let text = text(value)?;
        T::from_word(text).map(Some).ok_or_else(|| {
            let names: Vec<&str> = T::names();
            Fault::new(value.line, format!("there is no {} `{text}`", T::WHAT))
                .hint(did_you_mean(text, &names, "one of"))
        })
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().map(|word| Value::text(word.word()))
    }
}

/// A word and what it stands for, of types that are declared elsewhere.
macro_rules! words_of {
    ($type:ty, $what:literal, $all:expr, $name:expr) => {
        impl Word for $type {
            const WHAT: &'static str = $what;
            fn all() -> Vec<Self> {
                $all.to_vec()
            }
            fn word(&self) -> &'static str {
                $name(*self)
            }
        }
    };
}
words_of!(Profile, "profile", Profile::ALL, Profile::name);
words_of!(Aim, "aim", Aim::ALL, Aim::name);
words_of!(Kind, "type", Kind::ALL, Kind::name);
words_of!(Missing, "way to take missing values", Missing::ALL, Missing::name);
words_of!(BoxKind, "kind of boxes", BoxKind::ALL, BoxKind::name);
words_of!(TableFormat, "format", TableFormat::ALL, TableFormat::name);
words_of!(Format, "format", [Format::Csv, Format::Parquet], Format::name);
