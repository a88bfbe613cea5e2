//! From words to a tree, by descent; the depth is bounded, since a job file may come from a stranger.

use super::lexer::{Token, tokens};
use super::{CharPosition, Check, Condition, Constant, Expr, Fault, Literal, Test};

/// How deep parentheses and `not` may nest. People nest three deep; a stack takes thousands.
pub(crate) const DEEPEST: usize = 64;

/// Words of the language, which name a column in quotes only.
pub(super) const WORDS: [&str; 7] = ["and", "or", "not", "in", "between", "is", "missing"];

const OPERATORS: &str = "`=`, `!=`, `<`, `<=`, `>`, `>=`, `in (..)`, `not in (..)`, `between .. and ..`, \
                         `not between .. and ..`, `is missing` or `is not missing`";

impl Condition {
    /// Reads a condition.
    pub(crate) fn parse(text: &str) -> Result<Condition, Fault> {
        let end = CharPosition(text.chars().count() + 1);
        let mut parser = Parser { tokens: tokens(text)?, next: 0, end, depth: 0 };
        if parser.tokens.is_empty() {
            return Err(
                Fault::new("the condition is empty").hint("such as `age < 18`; a rule for all records has no `when`")
            );
        }
        let expr = parser.any()?;
        match parser.peek() {
            None => Ok(Condition(expr)),
            Some(Token::Close) => Err(parser.fault("this parenthesis was never opened")),
            Some(_) => {
                Err(parser.fault("the condition could end here, but goes on").hint("join tests by `and` or `or`"))
            }
        }
    }
}

struct Parser {
    tokens: Vec<(Token, CharPosition)>,
    next: usize,
    /// One past the last character.
    end: CharPosition,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn at(&self) -> CharPosition {
        self.tokens.get(self.next).map_or(self.end, |(_, at)| *at)
    }

    fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault::new(reason).at(self.at())
    }

    /// A word of the language, in any case.
    fn is_next(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.is_next(word);
        self.next += usize::from(found);
        found
    }

    fn take_token(&mut self, wanted: &Token) -> bool {
        let found = self.peek() == Some(wanted);
        self.next += usize::from(found);
        found
    }

    fn any(&mut self) -> Result<Expr, Fault> {
        let mut parts = vec![self.all()?];
        while self.take("or") {
            parts.push(self.all()?);
        }
        Ok(joined(parts, Expr::Or))
    }

    fn all(&mut self) -> Result<Expr, Fault> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        Ok(joined(parts, Expr::And))
    }

    fn one(&mut self) -> Result<Expr, Fault> {
        let opens = self.peek() == Some(&Token::Open);
        if !opens && !self.is_next("not") {
            return self.test().map(Expr::Test);
        }
        if self.depth == DEEPEST {
            return Err(self
                .fault(format!("a condition may nest {DEEPEST} deep at most"))
                .hint("write it flatter, with `in (..)` for instance"));
        }
        let open = self.at();
        self.next += 1;
        self.depth += 1;
        let expr = if opens { self.any()? } else { Expr::Not(Box::new(self.one()?)) };
        self.depth -= 1;
        if opens && !self.take_token(&Token::Close) {
            return Err(match self.peek() {
                None => Fault::new("the parenthesis that opens here is never closed").at(open),
                Some(_) => self.fault("`and`, `or` or a closing parenthesis is wanted here"),
            });
        }
        Ok(expr)
    }

    fn test(&mut self) -> Result<Test, Fault> {
        let at = self.at();
        let column = self.column()?;
        let check = self.check(&column)?;
        Ok(Test { column, at, check })
    }

    fn column(&mut self) -> Result<String, Fault> {
        let wanted = "a test begins with the name of a column";
        let name = match self.peek() {
            Some(Token::Name(name)) => name.clone(),
            Some(Token::Word(word)) if !WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)) => word.clone(),
            Some(Token::Word(word)) => {
                let hint = format!("a column of this name stands in double quotes: \"{word}\"");
                return Err(self.fault(format!("{wanted}, and `{word}` is a word of the language")).hint(hint));
            }
            Some(Token::Text(_) | Token::Number(_)) => {
                return Err(self.fault(format!("{wanted}, and this is a value")).hint(
                    "write the column first, as in `age < 18`; names with blanks stand in double quotes: \"marital status\"",
                ));
            }
            Some(_) => return Err(self.fault(wanted).hint("as in `age < 18`")),
            None => return Err(self.fault(format!("{wanted}, and here the condition ends")).hint("as in `age < 18`")),
        };
        self.next += 1;
        Ok(name)
    }

    fn check(&mut self, column: &str) -> Result<Check, Fault> {
        if let Some(Token::Symbol(comparison)) = self.peek() {
            let comparison = *comparison;
            self.next += 1;
            return Ok(Check::Compare(comparison, self.literal()?));
        }
        if self.take("is") {
            let negated = self.take("not");
            if self.take("missing") {
                return Ok(Check::Missing { negated });
            }
            let not = if negated { "not " } else { "" };
            return Err(self.fault("`missing` is wanted here").hint(format!("write `{column} is {not}missing`")));
        }
        let negated = self.take("not");
        if self.take("in") {
            return Ok(Check::In { negated, list: self.list()? });
        }
        if self.take("between") {
            let low = self.literal()?;
            if !self.take("and") {
                return Err(self
                    .fault("`and` and the greater end are wanted here")
                    .hint(format!("as in `{column} between 20 and 40`")));
            }
            return Ok(Check::Between { negated, low, high: self.literal()? });
        }
        let reason = format!("what is asked about `{column}`?");
        Err(self.fault(reason).hint(format!("after the name of a column stands {OPERATORS}")))
    }

    fn list(&mut self) -> Result<Vec<Literal>, Fault> {
        let form = "as in `in ('a', 'b')`";
        if !self.take_token(&Token::Open) {
            return Err(self.fault("a list in parentheses is wanted here").hint(form));
        }
        let mut list = vec![self.literal()?];
        while self.take_token(&Token::Comma) {
            list.push(self.literal()?);
        }
        match self.take_token(&Token::Close) {
            true => Ok(list),
            false => Err(self.fault("a comma or the end of the list is wanted here").hint(form)),
        }
    }

    fn literal(&mut self) -> Result<Literal, Fault> {
        let forms = "a number, 'text', or a date as '2001-12-31'";
        let constant = match self.peek() {
            Some(Token::Number(number)) => Constant::Number(*number),
            Some(Token::Text(text)) => Constant::Text(text.clone()),
            Some(Token::Word(name) | Token::Name(name)) => {
                let quoted = name.replace('\'', "''");
                return Err(self
                    .fault("a value is wanted here, and this is a name")
                    .hint(format!("text stands in single quotes: '{quoted}'")));
            }
            Some(_) => return Err(self.fault("a value is wanted here").hint(forms)),
            None => return Err(self.fault("a value is wanted here, where the condition ends").hint(forms)),
        };
        let at = self.at();
        self.next += 1;
        Ok(Literal { at, constant })
    }
}

fn joined(mut parts: Vec<Expr>, join: impl Fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.len() {
        1 => parts.remove(0),
        _ => join(parts),
    }
}
