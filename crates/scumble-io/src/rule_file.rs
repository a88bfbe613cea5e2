//! Files of hierarchies by rule, in TOML.
//!
//! ```toml
//! kind = "bands"
//! widths = [5, 10, 20]                    # for dates such as ["month", "quarter", "year", "10y"]
//! digits = 2                              # the most digits that numbers have after the point; without it those of the widths
//! ```
//!
//! ```toml
//! kind = "cuts"
//! levels = [[18, 25, 65], [18, 65]]       # the first value of every band but the lowest, fine levels first
//! range = [0, 120]                        # what there can be; without it the outer bands are open
//! ```
//!
//! ```toml
//! kind = "prefix"
//! lengths = [3, 1]                        # J45.1 -> J45* -> J*
//! ```

use crate::{Data, Fault, Value, unknown_field};
use scumble_table::{BandWidth, Edge, HierarchyRule, Result, RuleFault, RuleLevels, did_you_mean};

/// The kinds of rules.
const KINDS: [&str; 3] = ["bands", "cuts", "prefix"];

/// Reads the text of a file of a rule; `file` stands for it in messages.
///
/// # Errors
/// If it has not one of the forms above, or the rule contradicts itself. Whether it suits a column is found out when it is bound.
pub fn parse_rule(file: &str, text: &str) -> Result<HierarchyRule> {
    Value::from_toml(text).and_then(|top| rule(&top)).map_err(|fault| fault.in_file(file))
}

/// True if a document is meant as a rule, and not as a conditional hierarchy.
pub(crate) fn is_rule(top: &Value) -> bool {
    let has = |names: &[&str]| {
        top.entries("a table").is_ok_and(|entries| entries.iter().any(|(name, _)| names.contains(&name.as_str())))
    };
    has(&["kind"]) || has(&["widths", "levels", "lengths", "range"]) && !has(&["column", "common", "context"])
}

pub(crate) fn rule(top: &Value) -> Result<HierarchyRule, Fault> {
    let entries = top.entries("a table")?;
    let field = |name: &str| entries.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let known: &[&str] = match field("kind").and_then(Value::as_text) {
        Some("bands") => &["kind", "widths", "digits"],
        Some("cuts") => &["kind", "levels", "range", "digits"],
        Some("prefix") => &["kind", "lengths"],
        _ => &["kind", "widths", "levels", "range", "digits", "lengths"],
    };
    if let Some((name, value)) = entries.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        return Err(unknown_field(value.line, "field", name, "", known));
    }
    let kind = field("kind").ok_or_else(|| Fault::new(0, "`kind` is missing").hint("one of bands, cuts, prefix"))?;
    let need = |name: &str, example: &str| {
        let hint = format!("such as `{name} = {example}`");
        let value = field(name).ok_or_else(|| Fault::new(0, format!("`{name}` is missing")).hint(hint.clone()))?;
        match &value.data {
            Data::List(items) => Ok((value.line, items.as_slice())),
            _ => Err(Fault::new(value.line, format!("`{name}` must be a list")).hint(hint)),
        }
    };
    let at = |line: u64| move |fault: RuleFault| Fault::new(line, fault.reason).hint(fault.hint);
    let with_digits = |rule: HierarchyRule| match field("digits") {
        None => Ok(rule),
        Some(value) => {
            let digits = match &value.data {
                Data::Integer(digits) => digits.parse::<u8>().ok(),
                _ => None,
            };
            let wrong = || {
                Fault::new(value.line, "`digits` must be a whole number of digits after the point")
                    .hint("such as `digits = 2`")
            };
            rule.with_digits(digits.ok_or_else(wrong)?).map_err(at(value.line))
        }
    };
    match kind.as_text() {
        Some("bands") => {
            let (line, items) = need("widths", "[5, 10, 20]")?;
            let width = |item: &Value| written("widths", item)?.parse::<BandWidth>().map_err(at(item.line));
            let rule = HierarchyRule::bands(items.iter().map(width).collect::<Result<_, _>>()?).map_err(at(line))?;
            with_digits(rule)
        }
        Some("cuts") => {
            let (line, items) = need("levels", "[[18, 25, 65], [18, 65]]")?;
            let levels =
                items.iter().map(|level| match &level.data {
                    Data::List(cuts) => cuts.iter().map(|cut| edge("levels", cut)).collect(),
                    _ => Err(Fault::new(level.line, "a level must be a list of cuts")
                        .hint("such as `levels = [[18, 25, 65]]`")),
                });
            let levels = levels.collect::<Result<Vec<Vec<Edge>>, Fault>>()?;
            let range = match field("range").map(|range| (range.line, &range.data)) {
                None => None,
                Some((_, Data::List(ends))) if ends.len() == 2 => {
                    Some((edge("range", &ends[0])?, edge("range", &ends[1])?))
                }
                Some((line, _)) => {
                    let wanted = "`range` must be a list of the least and the greatest value";
                    return Err(Fault::new(line, wanted).hint("such as `range = [0, 120]`"));
                }
            };
            with_digits(HierarchyRule::cuts(levels, range).map_err(at(line))?)
        }
        Some("prefix") => {
            let (line, items) = need("lengths", "[3, 1]")?;
            let length = |item: &Value| match &item.data {
                Data::Integer(digits) => digits.parse::<usize>().map_err(|_| no_length(item)),
                _ => Err(no_length(item)),
            };
            HierarchyRule::prefix(items.iter().map(length).collect::<Result<_, _>>()?).map_err(at(line))
        }
        Some(other) => Err(Fault::new(kind.line, format!("there is no kind of rule `{other}`"))
            .hint(did_you_mean(other, &KINDS, "one of"))),
        None => Err(Fault::new(kind.line, "`kind` must be a word").hint("one of bands, cuts, prefix")),
    }
}

fn no_length(item: &Value) -> Fault {
    Fault::new(item.line, "`lengths` must be whole numbers of characters").hint("such as `lengths = [3, 1]`")
}

/// A number, a date, or a text that denotes one.
fn written<'v>(name: &str, item: &'v Value) -> Result<&'v str, Fault> {
    item.written()
        .ok_or_else(|| Fault::new(item.line, format!("`{name}` holds something that is no number, date or text")))
}

fn edge(name: &str, item: &Value) -> Result<Edge, Fault> {
    let text = written(name, item)?;
    Edge::parse(text).ok_or_else(|| {
        Fault::new(item.line, format!("`{text}` in `{name}` is neither a number nor a date"))
            .hint("a number such as 18, or a date such as 1950-01-01")
    })
}

/// The file form of a rule.
pub fn write_rule(rule: &HierarchyRule) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let edges = |cuts: &[Edge]| list(cuts.iter().map(|cut| bare_or_quoted(&cut.to_string())).collect());
    let fields = match rule.levels() {
        RuleLevels::Bands(widths) => {
            let widths = widths.iter().map(|width| bare_or_quoted(&width.to_string())).collect();
            format!(
                "# Bands of these widths, fine to coarse, which begin at their multiples.\nwidths = {}\n",
                list(widths)
            )
        }
        RuleLevels::Cuts { levels, range } => {
            let levels = list(levels.iter().map(|cuts| edges(cuts)).collect());
            let head = "# The first value of every band but the lowest, level by level, fine to coarse.";
            match range {
                Some((least, greatest)) => {
                    format!("{head}\nlevels = {levels}\nrange = {}\n", edges(&[*least, *greatest]))
                }
                None => format!("{head}\nlevels = {levels}\n"),
            }
        }
        RuleLevels::Prefix(lengths) => {
            let lengths = lengths.iter().map(ToString::to_string).collect();
            format!("# Characters that are kept of a code, many to few.\nlengths = {}\n", list(lengths))
        }
    };
    let digits = rule.digits().map_or(String::new(), |digits| {
        format!("# Digits after the point that a number has at most.\ndigits = {digits}\n")
    });
    format!("kind = \"{}\"\n{fields}{digits}", rule.kind())
}

/// Whole numbers stand bare, all else in quotes, so that no reader rounds it.
fn bare_or_quoted(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = !digits.is_empty() && digits.len() < 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole { text.into() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyHierarchy, ReadFile};
    use proptest::prelude::*;

    #[test]
    fn every_form_is_written_as_it_reads() {
        for text in [
            "kind = \"bands\"\nwidths = [5, 10, 20]",
            "kind = \"bands\"\nwidths = [0.5, \"2.5\"]",
            "kind = 'bands'\nwidths = ['month', 'quarter', 'year', '10y']",
            "kind = \"cuts\"\nlevels = [[18, 25, 65], [18, 65]]\nrange = [0, 120]",
            "kind = \"cuts\"\nlevels = [[1950-01-01, \"2000-01-01\"]]",
            "kind = \"cuts\"\nlevels = [[-10.5, 0, 1e3]]",
            "kind = \"bands\"\nwidths = [5]\ndigits = 2",
            "kind = \"cuts\"\nlevels = [[18]]\nrange = [0, 120]\ndigits = 1",
            "kind = \"prefix\"\nlengths = [3, 1]",
        ] {
            let rule = parse_rule("f.toml", text).unwrap();
            assert_eq!(parse_rule("f.toml", &write_rule(&rule)).unwrap(), rule, "{text}");
        }
        let rule = parse_rule("f.toml", "kind = 'bands'\nwidths = [0.5, 'year']").unwrap_err().to_string();
        assert!(rule.starts_with("f.toml, line 2: 0.5 and year do not measure the same"), "{rule}");
    }

    #[test]
    fn faults_name_their_line_and_what_would_do() {
        for (text, message) in [
            (
                "kind = 'band'\nwidths = [5]",
                "f.toml, line 1: there is no kind of rule `band`; hint: did you mean `bands`?",
            ),
            ("kind = 5\n", "f.toml, line 1: `kind` must be a word; hint: one of bands, cuts, prefix"),
            ("widths = [5]", "f.toml: `kind` is missing; hint: one of bands, cuts, prefix"),
            ("knd = 'bands'\nwidths = [5]", "f.toml, line 1: there is no field `knd`; hint: did you mean `kind`?"),
            ("kind = 'bands'", "f.toml: `widths` is missing; hint: such as `widths = [5, 10, 20]`"),
            ("kind = 'bands'\nwidth = [5]", "f.toml, line 2: there is no field `width`; hint: did you mean `widths`?"),
            ("kind = 'bands'\nwidths = 5", "f.toml, line 2: `widths` must be a list"),
            (
                "kind = 'bands'\nwidths = [\n  5,\n  'yeer']",
                "f.toml, line 4: `yeer` is no width; hint: did you mean `year`?",
            ),
            (
                "kind = 'bands'\nwidths = [true]",
                "f.toml, line 2: `widths` holds something that is no number, date or text",
            ),
            ("kind = 'bands'\nwidths = [5, 12]", "f.toml, line 2: 12 is no multiple of 5"),
            ("kind = 'bands'\nlengths = [5]", "f.toml, line 2: there is no field `lengths`"),
            ("kind = 'cuts'\nlevels = [18]", "f.toml, line 2: a level must be a list of cuts"),
            ("kind = 'cuts'\nlevels = [[18, 'x']]", "f.toml, line 2: `x` in `levels` is neither a number nor a date"),
            (
                "kind = 'cuts'\nlevels = [[18]]\nrange = [0]",
                "f.toml, line 3: `range` must be a list of the least and the greatest value",
            ),
            ("kind = 'prefix'\nlengths = ['3']", "f.toml, line 2: `lengths` must be whole numbers"),
            (
                "kind = 'bands'\nwidths = [5]\ndigits = 'two'",
                "f.toml, line 3: `digits` must be a whole number of digits after the point; hint: such as `digits = 2`",
            ),
            ("kind = 'bands'\nwidths = [5]\ndigits = 300", "f.toml, line 3: `digits` must be a whole number"),
            ("kind = 'bands'\nwidths = [5]\ndigits = 37", "f.toml, line 3: 37 digits after the point are too many"),
            ("kind = 'bands'\nwidths = [0.25]\ndigits = 1", "f.toml, line 3: the rule itself has 2 digits"),
            (
                "kind = 'bands'\nwidths = ['year']\ndigits = 1",
                "f.toml, line 3: only numbers have digits after the point",
            ),
            ("kind = 'prefix'\nlengths = [3]\ndigits = 1", "f.toml, line 3: there is no field `digits`"),
            ("kind = 'prefix'\nlengths = [-3]", "f.toml, line 2: `lengths` must be whole numbers"),
            ("kind = ", "f.toml, line 1: "),
        ] {
            let error = parse_rule("f.toml", text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_file_says_itself_which_kind_it_is() {
        let dir = std::env::temp_dir().join(format!("scumble-rule-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let read = |name: &str, text: &str| {
            std::fs::write(dir.join(name), text).unwrap();
            AnyHierarchy::read_file(&dir.join(name))
        };
        assert!(matches!(read("a.toml", "kind = 'prefix'\nlengths = [3]"), Ok(AnyHierarchy::Rule(_))));
        assert!(matches!(read("b.TOML", "column = 'x'\ncommon = [[5]]"), Ok(AnyHierarchy::Conditional(_))));
        assert!(matches!(read("c.csv", "a;*\n"), Ok(AnyHierarchy::Tree(_))));
        assert!(read("d.toml", "").unwrap_err().to_string().contains("`column` is missing"));
        std::fs::remove_dir_all(&dir).unwrap();
    }

    proptest! {
        #[test]
        fn never_panics(text in "(kind = '(bands|cuts|prefix)'\n)?(widths|levels|lengths|range) = \\[[0-9, .'\\[\\]my-]{0,20}\\]?") {
            if let Ok(rule) = parse_rule("f", &text) {
                prop_assert_eq!(parse_rule("f", &write_rule(&rule)).unwrap(), rule);
            }
        }
    }
}
