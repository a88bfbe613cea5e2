//! Conditions as text that reads back as the same condition.

use super::lexer::is_bare;
use super::parser::WORDS;
use super::{Check, Condition, Constant, Expr, Literal, Test};
use std::fmt;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(f, &self.0)
    }
}

fn print(f: &mut fmt::Formatter<'_>, expr: &Expr) -> fmt::Result {
    match expr {
        // A row inside a row of the same kind was in parentheses, or it would be one row.
        Expr::And(parts) => row(f, parts, " and ", |part| matches!(part, Expr::And(_) | Expr::Or(_))),
        Expr::Or(parts) => row(f, parts, " or ", |part| matches!(part, Expr::Or(_))),
        Expr::Not(inner) => {
            f.write_str("not ")?;
            closed(f, inner, matches!(**inner, Expr::And(_) | Expr::Or(_)))
        }
        Expr::Test(test) => write!(f, "{test}"),
    }
}

fn row(f: &mut fmt::Formatter<'_>, parts: &[Expr], join: &str, closes: impl Fn(&Expr) -> bool) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(join)?;
        }
        closed(f, part, closes(part))?;
    }
    Ok(())
}

fn closed(f: &mut fmt::Formatter<'_>, expr: &Expr, closes: bool) -> fmt::Result {
    if !closes {
        return print(f, expr);
    }
    f.write_str("(")?;
    print(f, expr)?;
    f.write_str(")")
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = is_bare(&self.column) && !WORDS.iter().any(|word| self.column.eq_ignore_ascii_case(word));
        match bare {
            true => f.write_str(&self.column)?,
            false => write!(f, "\"{}\"", self.column.replace('"', "\"\""))?,
        }
        let not = |negated: bool| if negated { "not " } else { "" };
        match &self.check {
            Check::Compare(comparison, literal) => write!(f, " {} {literal}", comparison.symbol()),
            Check::In { negated, list } => {
                let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, " {}in ({})", not(*negated), list.join(", "))
            }
            Check::Between { negated, low, high } => write!(f, " {}between {low} and {high}", not(*negated)),
            Check::Missing { negated } => write!(f, " is {}missing", not(*negated)),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.constant {
            Constant::Number(number) => write!(f, "{number}"),
            Constant::Text(text) => write!(f, "'{}'", text.replace('\'', "''")),
        }
    }
}
