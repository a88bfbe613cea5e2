//! Flags of `scumble hierarchy`.

use super::names::Names;
use super::option_flags::{FlagSet, OptionFlags};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Build generalization hierarchies for columns: by hand, from how they go with others, or from their own values
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  Height by sex and habits: which of them matter, and intervals that suit each context:
    scumble hierarchy health.csv --for height --given sex,smoking,alcohol,medical_history \\
        --min-count 2000 --out hierarchies --report hierarchies.html

  As the paper does it, by the strongest column and adjusted by the others:
    scumble hierarchy health.csv --for height --given sex,medical_history --algorithm paper --out hierarchies

  Plain hierarchies for columns that have none: intervals, calendar steps, masked codes, rare labels together:
    scumble hierarchy people.csv --for age,born,zipcode,city --type zipcode=nominal --out hierarchies

  By hand: bands of 5, 10 and 20 years; bands between cuts; codes by their first characters, whatever their length:
    scumble hierarchy people.csv --for age --bands 5,10,20 --out age
    scumble hierarchy people.csv --for born --bands year,10y --out born
    scumble hierarchy people.csv --for age --cuts 18,25,65 --cuts 18,65 --out age
    scumble hierarchy stays.csv --for diagnosis --prefix 3,1 --out codes

By hand DIR gets <column>.toml, a rule that fits every table with such a column, next month's too;
`publish --hierarchy age=age/age.toml` takes it. Otherwise DIR gets <column>.csv in the form `value;level1;...;*` and, with --given, <column>.toml with the
contexts. Cuts come from the data and the files list values, so a hierarchy tells a little about the
data. Every interval stands for at least --min-count rows; one that all contexts share may be rarer in
some of them. What is printed, and the report, tell counts: keep them to yourself.")]
pub(crate) struct Hierarchy {
    /// CSV (also .gz) or Parquet file, or `-` for standard input
    #[arg(value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub(crate) data: PathBuf,

    /// Columns that get a hierarchy, one after the other. A comma in a name is written `\,`
    #[arg(long = "for", value_name = "COLUMNS", required = true)]
    pub(crate) focused: Vec<Names>,

    /// Columns that contexts may ask about: numbers, dates and ordinals are then cut into intervals that differ by
    /// context. Without it hierarchies are plain
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) given: Vec<Names>,

    /// Directory for the files; new, or empty
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,

    /// Rows that an interval must stand for; with --given a tenth of all rows by default, as in the paper
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) min_count: Option<String>,

    /// Intervals of the finest level that all contexts share, about; 3 by default. Without --given: of the finest level
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub(crate) groups: Option<String>,

    /// How correlation is measured: nmi (normalized mutual information, the default), pearson, spearman, cramers-v,
    /// dependency
    #[arg(long, value_name = "MEASURE", requires = "given", help_heading = "Contexts")]
    pub(crate) correlation: Option<String>,

    /// How contexts are found: mdl (by description length, with optimal cuts, the default), paper
    #[arg(long, value_name = "ALGORITHM", requires = "given", help_heading = "Contexts")]
    pub(crate) algorithm: Option<String>,

    /// How plain hierarchies are made, by what suits the column when not given: equal-frequency, optimal, calendar,
    /// prefix, frequency
    #[arg(long, value_name = "KIND", help_heading = "Plain hierarchies")]
    pub(crate) kind: Option<String>,

    /// Bands of this width, which begin at its multiples: 5 makes 0 to 4, 5 to 9. Further widths make further levels, and each is a
    /// multiple of the one before; a single one is followed by two or three that suit it. For dates: month, quarter, year, 6m, 5y
    #[arg(long, value_name = "WIDTHS", allow_hyphen_values = true, help_heading = "By hand")]
    pub(crate) bands: Option<String>,

    /// Bands that begin at these values; the first and the last are open. Repeated for coarser levels, each with some of the cuts of
    /// the one before
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true, help_heading = "By hand")]
    pub(crate) cuts: Vec<String>,

    /// The least and the greatest value that there can be, which close the outer bands of --cuts. Without it a release ends them far
    /// outside, at a round number
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, requires = "cuts", help_heading = "By hand")]
    pub(crate) range: Option<String>,

    /// Digits after the point that numbers have at most, with --bands and --cuts; as many as the widths, cuts and range have when not
    /// given. The ends of bands have so many, and a file with finer values is refused
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=36), help_heading = "By hand")]
    pub(crate) digits: Option<u8>,

    /// Codes by their first characters, many to few: 3,1 makes `J45*` and `J*` of J45.1, and of J45 too. A shorter code stays as it
    /// is until its own length is reached
    #[arg(long, visible_alias = "mask", value_name = "LENGTHS", allow_hyphen_values = true, help_heading = "By hand")]
    pub(crate) prefix: Option<String>,

    /// Write COLUMN.csv with the values as well, for other tools
    #[arg(long, help_heading = "By hand")]
    pub(crate) list: bool,

    /// Write a page with charts; keep it to yourself
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,

    /// Overwrite the page
    #[arg(long, requires = "report")]
    pub(crate) replace: bool,

    #[command(flatten)]
    pub(crate) options: OptionFlags<HierarchyFlags>,
}

/// The options of a job that this command takes.
#[derive(Debug)]
pub(crate) struct HierarchyFlags;

impl FlagSet for HierarchyFlags {
    const OPTIONS: &'static [&'static str] = &["delimiter", "null", "type", "order"];
}
