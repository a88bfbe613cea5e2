//! Small files that come with the data: each is read once, when it is first needed.

use crate::{Order, Value, conditional_file, is_toml, read_hierarchy, read_order, read_small_text, rule_file};
use scumble_table::{ConditionalHierarchy, Error, Hierarchy, HierarchyRule, Result};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What can be read from a small file.
pub trait ReadFile: Sized {
    /// The field of a job that names such a file.
    const FIELD: &'static str;

    /// Reads the file.
    ///
    /// # Errors
    /// If there is none, or it has another form.
    fn read_file(path: &Path) -> Result<Self>;
}

/// A value from a file, or from memory. Clones share it, so that the file is read once for all of them.
pub struct FromFile<T> {
    path: PathBuf,
    value: Arc<OnceLock<Arc<T>>>,
}

impl<T: ReadFile> FromFile<T> {
    /// A value that is read from a file when it is needed.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        FromFile { path: path.into(), value: Arc::new(OnceLock::new()) }
    }

    /// A value in memory; `name` stands for it in messages.
    pub fn value(name: impl Into<PathBuf>, value: T) -> Self {
        FromFile { path: name.into(), value: Arc::new(OnceLock::from(Arc::new(value))) }
    }

    /// The value.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn get(&self) -> Result<&Arc<T>> {
        match self.value.get() {
            Some(value) => Ok(value),
            None => {
                if !self.path.exists() {
                    return Err(Error::request(T::FIELD, self.shown(), "there is no such file"));
                }
                let read = Arc::new(T::read_file(&self.path)?);
                Ok(self.value.get_or_init(|| read))
            }
        }
    }

    /// The file, or the name of a value in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same as messages name it.
    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// A relative file meant from a folder. Values in memory stay as they are.
    #[must_use]
    pub fn in_folder(self, folder: &Path) -> Self {
        if self.value.get().is_some() { self } else { FromFile::file(folder.join(&self.path)) }
    }
}

impl<T> Clone for FromFile<T> {
    fn clone(&self) -> Self {
        FromFile { path: self.path.clone(), value: self.value.clone() }
    }
}

impl<T> fmt::Debug for FromFile<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())
    }
}

/// The same name means the same value.
impl<T> PartialEq for FromFile<T> {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl<T> Eq for FromFile<T> {}

/// A hierarchy of any kind.
#[derive(Debug, Clone)]
pub enum AnyHierarchy {
    /// A tree over the values of a column.
    Tree(Arc<Hierarchy>),
    /// Intervals that depend on other columns.
    Conditional(Arc<ConditionalHierarchy>),
    /// A rule that covers every value.
    Rule(Arc<HierarchyRule>),
}

impl ReadFile for AnyHierarchy {
    const FIELD: &'static str = "hierarchy";

    fn read_file(path: &Path) -> Result<Self> {
        if !is_toml(path) {
            return Ok(AnyHierarchy::Tree(Arc::new(read_hierarchy(path)?)));
        }
        let text = read_small_text(path)?;
        let read = Value::from_toml(&text).and_then(|top| match rule_file::is_rule(&top) {
            true => rule_file::rule(&top).map(|rule| AnyHierarchy::Rule(Arc::new(rule))),
            false => conditional_file::hierarchy(&top).map(|tree| AnyHierarchy::Conditional(Arc::new(tree))),
        });
        read.map_err(|fault| fault.in_file(&path.display().to_string()))
    }
}

impl FromFile<AnyHierarchy> {
    /// True for a hierarchy whose intervals depend on other columns. A file in TOML that cannot be read is taken for one: what is wrong
    /// with it is told when it is needed.
    pub fn is_conditional(&self) -> bool {
        let may_be = self.value.get().is_some() || is_toml(&self.path);
        may_be && self.get().map_or(true, |value| matches!(**value, AnyHierarchy::Conditional(_)))
    }
}

impl ReadFile for Order {
    const FIELD: &'static str = "order";

    fn read_file(path: &Path) -> Result<Self> {
        read_order(path)
    }
}
