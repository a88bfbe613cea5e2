//! The words of a condition.

use super::{CharPosition, Comparison, Fault};
use scumble_table::{Decimal, parse_date};
use std::iter::Peekable;
use std::str::Chars;

/// A word of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name without quotes, or a word of the language.
    Word(String),
    /// A name in double quotes or backticks.
    Name(String),
    Number(Decimal),
    Text(String),
    Symbol(Comparison),
    Open,
    Close,
    Comma,
}

/// Cuts a condition into words, each with its place.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, CharPosition)>, Fault> {
    let mut lexer = Lexer { rest: text.chars().peekable(), read: 0 };
    let mut tokens = Vec::new();
    while let Some(first) = lexer.next() {
        let at = CharPosition(lexer.read);
        if first.is_whitespace() {
            continue;
        }
        tokens.push((lexer.token(first, at)?, at));
    }
    Ok(tokens)
}

/// Whether a name can stand without quotes, as far as its characters go.
pub(super) fn is_bare(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(begins_word) && chars.all(continues_word)
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// There is no arithmetic, so that `capital-gain` and `address.city` can only be names.
fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    /// Characters read so far, which is also the place of the last, from 1.
    read: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.read += 1;
        Some(c)
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let found = self.rest.peek() == Some(&wanted);
        if found {
            self.next();
        }
        found
    }

    fn token(&mut self, first: char, at: CharPosition) -> Result<Token, Fault> {
        let unknown = |shown: &str, hint: &str| Fault::new(format!("`{shown}` means nothing here")).at(at).hint(hint);
        Ok(match first {
            '(' => Token::Open,
            ')' => Token::Close,
            ',' => Token::Comma,
            '=' if self.next_if('=') => return Err(unknown("==", "write `=`")),
            '=' => Token::Symbol(Comparison::Equal),
            '!' if self.next_if('=') => Token::Symbol(Comparison::Unequal),
            '!' => return Err(unknown("!", "write `not`, or `!=` between a column and a value")),
            '<' if self.next_if('=') => Token::Symbol(Comparison::AtMost),
            '<' if self.next_if('>') => Token::Symbol(Comparison::Unequal),
            '<' => Token::Symbol(Comparison::Less),
            '>' if self.next_if('=') => Token::Symbol(Comparison::AtLeast),
            '>' => Token::Symbol(Comparison::Greater),
            '\'' => Token::Text(self.quoted('\'', at)?),
            quote @ ('"' | '`') => match self.quoted(quote, at)? {
                name if name.is_empty() => return Err(Fault::new("the name between the quotes is empty").at(at)),
                name => Token::Name(name),
            },
            '0'..='9' | '.' | '-' | '+' => self.number(first, at)?,
            c if begins_word(c) => self.word(c),
            '&' => return Err(unknown("&", "write `and`")),
            '|' => return Err(unknown("|", "write `or`")),
            '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => {
                return Err(unknown(&first.to_string(), "use straight quotes: 'text', \"a name\""));
            }
            c => {
                return Err(unknown(
                    &c.escape_debug().to_string(),
                    "names with other characters stand in double quotes",
                ));
            }
        })
    }

    /// What stands up to the closing quote; a doubled quote is one of the text.
    fn quoted(&mut self, quote: char, at: CharPosition) -> Result<String, Fault> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => {
                    return Err(Fault::new("the quote that opens here is never closed")
                        .at(at)
                        .hint("double a quote that belongs to the text, as in 'it''s'"));
                }
                Some(c) if c == quote && !self.next_if(quote) => return Ok(text),
                Some(c) => text.push(c),
            }
        }
    }

    fn word(&mut self, first: char) -> Token {
        let mut word = String::from(first);
        while let Some(&c) = self.rest.peek().filter(|c| continues_word(**c)) {
            word.push(c);
            self.next();
        }
        Token::Word(word)
    }

    /// Everything that hangs together with a digit must be a number, so that `9th` and `1990-01-01` are not taken for
    /// something else.
    fn number(&mut self, first: char, at: CharPosition) -> Result<Token, Fault> {
        let mut text = String::from(first);
        while let Some(&c) = self.rest.peek() {
            let exponent = c == '+' && text.ends_with(['e', 'E']);
            if !continues_word(c) && !exponent {
                break;
            }
            text.push(c);
            self.next();
        }
        Decimal::parse(&text).map(Token::Number).ok_or_else(|| {
            let hint = match parse_date(&text) {
                Some(_) => format!("dates stand in single quotes: '{text}'"),
                None if text.len() > 30 => "numbers have at most 37 digits".into(),
                None => format!("text stands in single quotes, names in double quotes: '{text}', \"{text}\""),
            };
            Fault::new(format!("`{text}` is not a number")).at(at).hint(hint)
        })
    }
}
